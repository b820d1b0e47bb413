//! `java.util.TreeMap`'s red-black tree, rule by rule, so that the inspector can draw the very shape
//! that `ProcessQueue.msgTreeMap` has after the same puts and removes.

use crate::model::offset::QueueOffset;

type Place = Option<usize>;

#[derive(Clone, Debug)]
struct Entry {
    key: QueueOffset,
    is_black: bool,
    left: Place,
    right: Place,
    parent: Place,
}

#[derive(Clone, Debug, Default)]
pub struct TreeMap {
    entries: Vec<Entry>,
    free: Vec<usize>,
    root: Place,
    count: usize,
}

/// One entry as it is drawn: its key, colour, depth from 0, and its place from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub key: QueueOffset,
    pub is_black: bool,
    pub depth: u32,
    pub column: u32,
    /// The column of its parent.
    pub parent: Option<u32>,
}

impl TreeMap {
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All entries in the order of their keys.
    pub fn nodes(&self) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(self.count);
        self.walk(self.root, 0, &mut nodes);
        let columns: Vec<(QueueOffset, u32)> =
            nodes.iter().map(|node: &Node| (node.key, node.column)).collect();
        for node in &mut nodes {
            let parent = self.find(node.key).and_then(|at| self.entries[at].parent);
            let key = parent.map(|at| self.entries[at].key);
            node.parent =
                columns.iter().find(|(it, _)| Some(*it) == key).map(|(_, column)| *column);
        }
        nodes
    }

    fn walk(&self, at: Place, depth: u32, nodes: &mut Vec<Node>) {
        let Some(at) = at else { return };
        let entry = &self.entries[at];
        self.walk(entry.left, depth + 1, nodes);
        let column = nodes.len() as u32;
        let (key, is_black) = (entry.key, entry.is_black);
        nodes.push(Node { key, is_black, depth, column, parent: None });
        self.walk(entry.right, depth + 1, nodes);
    }

    fn find(&self, key: QueueOffset) -> Place {
        let mut at = self.root;
        while let Some(here) = at {
            let entry = &self.entries[here];
            match key.cmp(&entry.key) {
                std::cmp::Ordering::Equal => return at,
                std::cmp::Ordering::Less => at = entry.left,
                std::cmp::Ordering::Greater => at = entry.right,
            }
        }
        None
    }

    /// `TreeMap.put`; a key that is there already changes nothing.
    pub fn put(&mut self, key: QueueOffset) {
        let (mut parent, mut at) = (None, self.root);
        while let Some(here) = at {
            parent = at;
            match key.cmp(&self.entries[here].key) {
                std::cmp::Ordering::Equal => return,
                std::cmp::Ordering::Less => at = self.entries[here].left,
                std::cmp::Ordering::Greater => at = self.entries[here].right,
            }
        }
        let entry = Entry { key, is_black: false, left: None, right: None, parent };
        let new = match self.free.pop() {
            Some(free) => {
                self.entries[free] = entry;
                free
            }
            None => {
                self.entries.push(entry);
                self.entries.len() - 1
            }
        };
        match parent {
            None => self.root = Some(new),
            Some(parent) if key < self.entries[parent].key => self.entries[parent].left = Some(new),
            Some(parent) => self.entries[parent].right = Some(new),
        }
        self.count += 1;
        self.fix_after_insertion(new);
    }

    /// `TreeMap.remove`; says whether the key was there.
    pub fn remove(&mut self, key: QueueOffset) -> bool {
        let Some(mut gone) = self.find(key) else { return false };
        self.count -= 1;
        if self.entries[gone].left.is_some() && self.entries[gone].right.is_some() {
            let successor = self.smallest(self.entries[gone].right);
            self.entries[gone].key = self.entries[successor].key;
            gone = successor;
        }
        let replacement = self.entries[gone].left.or(self.entries[gone].right);
        match replacement {
            Some(replacement) => {
                let parent = self.entries[gone].parent;
                self.entries[replacement].parent = parent;
                self.put_in_place_of(gone, parent, Some(replacement));
                if self.entries[gone].is_black {
                    self.fix_after_deletion(replacement);
                }
            }
            None if self.entries[gone].parent.is_none() => self.root = None,
            None => {
                if self.entries[gone].is_black {
                    self.fix_after_deletion(gone);
                }
                let parent = self.entries[gone].parent;
                self.put_in_place_of(gone, parent, None);
            }
        }
        self.free.push(gone);
        true
    }

    fn smallest(&self, from: Place) -> usize {
        let mut at = from.expect("the caller has seen that it is there");
        while let Some(left) = self.entries[at].left {
            at = left;
        }
        at
    }

    fn put_in_place_of(&mut self, gone: usize, parent: Place, new: Place) {
        match parent {
            None => self.root = new,
            Some(parent) if self.entries[parent].left == Some(gone) => {
                self.entries[parent].left = new;
            }
            Some(parent) => self.entries[parent].right = new,
        }
    }

    // Java's null-safe helpers: what is absent is black.

    fn is_black(&self, at: Place) -> bool {
        at.is_none_or(|at| self.entries[at].is_black)
    }

    fn set_black(&mut self, at: Place, is_black: bool) {
        if let Some(at) = at {
            self.entries[at].is_black = is_black;
        }
    }

    fn parent(&self, at: Place) -> Place {
        at.and_then(|at| self.entries[at].parent)
    }

    fn child(&self, at: Place, is_left: bool) -> Place {
        at.and_then(|at| match is_left {
            true => self.entries[at].left,
            false => self.entries[at].right,
        })
    }

    /// `rotateLeft` for `is_left`, else `rotateRight`.
    fn rotate(&mut self, at: Place, is_left: bool) {
        let Some(p) = at else { return };
        let Some(r) = self.child(at, !is_left) else { return };
        let inner = self.child(Some(r), is_left);
        self.set_child(p, !is_left, inner);
        if let Some(inner) = inner {
            self.entries[inner].parent = Some(p);
        }
        let parent = self.entries[p].parent;
        self.entries[r].parent = parent;
        self.put_in_place_of(p, parent, Some(r));
        self.set_child(r, is_left, Some(p));
        self.entries[p].parent = Some(r);
    }

    fn set_child(&mut self, at: usize, is_left: bool, child: Place) {
        match is_left {
            true => self.entries[at].left = child,
            false => self.entries[at].right = child,
        }
    }

    fn fix_after_insertion(&mut self, new: usize) {
        let mut x = Some(new);
        while x.is_some() && x != self.root && !self.is_black(self.parent(x)) {
            let parent = self.parent(x);
            let grandparent = self.parent(parent);
            let is_left = parent == self.child(grandparent, true);
            let uncle = self.child(grandparent, !is_left);
            if !self.is_black(uncle) {
                self.set_black(parent, true);
                self.set_black(uncle, true);
                self.set_black(grandparent, false);
                x = grandparent;
                continue;
            }
            if x == self.child(parent, !is_left) {
                x = parent;
                self.rotate(x, is_left);
            }
            let parent = self.parent(x);
            let grandparent = self.parent(parent);
            self.set_black(parent, true);
            self.set_black(grandparent, false);
            self.rotate(grandparent, !is_left);
        }
        self.set_black(self.root, true);
    }

    fn fix_after_deletion(&mut self, from: usize) {
        let mut x = Some(from);
        while x != self.root && self.is_black(x) {
            let is_left = x == self.child(self.parent(x), true);
            let mut sibling = self.child(self.parent(x), !is_left);
            if !self.is_black(sibling) {
                self.set_black(sibling, true);
                self.set_black(self.parent(x), false);
                self.rotate(self.parent(x), is_left);
                sibling = self.child(self.parent(x), !is_left);
            }
            let (near, far) = (self.child(sibling, is_left), self.child(sibling, !is_left));
            if self.is_black(near) && self.is_black(far) {
                self.set_black(sibling, false);
                x = self.parent(x);
                continue;
            }
            if self.is_black(far) {
                self.set_black(near, true);
                self.set_black(sibling, false);
                self.rotate(sibling, !is_left);
                sibling = self.child(self.parent(x), !is_left);
            }
            self.set_black(sibling, self.is_black(self.parent(x)));
            self.set_black(self.parent(x), true);
            self.set_black(self.child(sibling, !is_left), true);
            self.rotate(self.parent(x), is_left);
            x = self.root;
        }
        self.set_black(x, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(keys: impl IntoIterator<Item = i64>) -> TreeMap {
        let mut tree = TreeMap::default();
        keys.into_iter().for_each(|key| tree.put(QueueOffset(key)));
        tree
    }

    /// `17b(15r 20r)`: key, colour, children.
    fn shape(tree: &TreeMap, at: Place) -> String {
        let Some(at) = at else { return String::new() };
        let entry = &tree.entries[at];
        let color = if entry.is_black { 'b' } else { 'r' };
        let (left, right) = (shape(tree, entry.left), shape(tree, entry.right));
        match (left.is_empty(), right.is_empty()) {
            (true, true) => format!("{}{color}", entry.key),
            _ => format!("{}{color}({left} {right})", entry.key),
        }
    }

    /// Every way down has the same number of black entries, and no red one has a red child.
    fn black_height(tree: &TreeMap, at: Place) -> u32 {
        let Some(here) = at else { return 1 };
        let entry = &tree.entries[here];
        for child in [entry.left, entry.right].into_iter().flatten() {
            assert_eq!(tree.entries[child].parent, at);
            assert!(entry.is_black || tree.entries[child].is_black, "two red ones in a row");
        }
        let (left, right) = (black_height(tree, entry.left), black_height(tree, entry.right));
        assert_eq!(left, right);
        left + u32::from(entry.is_black)
    }

    #[test]
    fn offsets_that_come_in_order_make_the_shape_that_java_makes() {
        let tree = tree(0..8);
        assert_eq!(shape(&tree, tree.root), "3b(1r(0b 2b) 5r(4b 6b( 7r)))");
    }

    #[test]
    fn whatever_is_put_and_removed_it_stays_a_red_black_tree_with_the_right_keys() {
        let mut state = 7_u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (state >> 16) % below
        };
        let mut tree = TreeMap::default();
        let mut keys = std::collections::BTreeSet::new();
        for _ in 0..4_000 {
            let key = i64::from(next(64));
            if next(2) == 0 {
                tree.put(QueueOffset(key));
                keys.insert(key);
            } else {
                assert_eq!(tree.remove(QueueOffset(key)), keys.remove(&key));
            }
            black_height(&tree, tree.root);
            assert!(tree.is_black(tree.root));
            let found: Vec<i64> = tree.nodes().iter().map(|node| node.key.0).collect();
            assert_eq!(found, keys.iter().copied().collect::<Vec<_>>());
            assert_eq!(tree.len(), keys.len());
        }
    }
}
