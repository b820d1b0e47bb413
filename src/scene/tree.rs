//! `ProcessQueue.msgTreeMap` as it lies in memory: the red-black tree of `java.util.TreeMap`.
//!
//! Shape and colours depend on the order of the puts, which is that of the offsets as they were
//! pulled, and on what was removed since. A window remembers no history, so the tree shown is the one
//! that puts in ascending order make of the keys that are there now.
//!
//! Differs: after removals the tree in a real client may be one rotation away from this one.

use crate::model::offset::QueueOffset;

/// One entry: `TreeMap.Entry`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub key: QueueOffset,
    pub is_red: bool,
    /// Places in the list of nodes.
    pub left: Option<u32>,
    pub right: Option<u32>,
    pub parent: Option<u32>,
}

/// A tree as a list of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    pub nodes: Vec<Node>,
    pub root: Option<u32>,
}

impl Tree {
    /// The tree after putting the keys in this order.
    pub fn of(keys: impl IntoIterator<Item = QueueOffset>) -> Tree {
        let mut tree = Tree::default();
        for key in keys {
            tree.put(key);
        }
        tree
    }

    /// Nodes from the root down: place, depth, and place among the keys in order.
    pub fn levels(&self) -> Vec<(u32, u32, u32)> {
        let mut in_order = Vec::new();
        self.visit(self.root, 0, &mut in_order);
        (0..).zip(in_order).map(|(order, (place, depth))| (place, depth, order)).collect()
    }

    fn visit(&self, place: Option<u32>, depth: u32, out: &mut Vec<(u32, u32)>) {
        let Some(place) = place else { return };
        let node = self.node(place);
        self.visit(node.left, depth + 1, out);
        out.push((place, depth));
        self.visit(node.right, depth + 1, out);
    }

    pub fn node(&self, place: u32) -> &Node {
        &self.nodes[place as usize]
    }

    fn node_mut(&mut self, place: u32) -> &mut Node {
        &mut self.nodes[place as usize]
    }

    /// Follows `TreeMap.put`.
    fn put(&mut self, key: QueueOffset) {
        let place = self.nodes.len() as u32;
        let mut parent = None;
        let mut here = self.root;
        while let Some(at) = here {
            parent = Some(at);
            let node = self.node(at);
            match key.cmp(&node.key) {
                std::cmp::Ordering::Less => here = node.left,
                std::cmp::Ordering::Greater => here = node.right,
                std::cmp::Ordering::Equal => return,
            }
        }
        self.nodes.push(Node { key, is_red: true, left: None, right: None, parent });
        match parent {
            None => self.root = Some(place),
            Some(at) if key < self.node(at).key => self.node_mut(at).left = Some(place),
            Some(at) => self.node_mut(at).right = Some(place),
        }
        self.fix_after_insertion(place);
    }

    /// Follows `TreeMap.fixAfterInsertion`.
    fn fix_after_insertion(&mut self, mut x: u32) {
        while let Some(parent) = self.node(x).parent.filter(|parent| self.node(*parent).is_red) {
            let grand = self.node(parent).parent.expect("a red node is not the root");
            let is_left = self.node(grand).left == Some(parent);
            let uncle = if is_left { self.node(grand).right } else { self.node(grand).left };
            if let Some(uncle) = uncle.filter(|uncle| self.node(*uncle).is_red) {
                self.node_mut(parent).is_red = false;
                self.node_mut(uncle).is_red = false;
                self.node_mut(grand).is_red = true;
                x = grand;
                continue;
            }
            let is_inner = match is_left {
                true => self.node(parent).right == Some(x),
                false => self.node(parent).left == Some(x),
            };
            if is_inner {
                x = parent;
                self.rotate(x, is_left);
            }
            let parent = self.node(x).parent.expect("it has been rotated below its parent");
            self.node_mut(parent).is_red = false;
            self.node_mut(grand).is_red = true;
            self.rotate(grand, !is_left);
        }
        if let Some(root) = self.root {
            self.node_mut(root).is_red = false;
        }
    }

    /// `rotateLeft` or `rotateRight`.
    fn rotate(&mut self, p: u32, to_left: bool) {
        let child = if to_left { self.node(p).right } else { self.node(p).left };
        let Some(child) = child else { return };
        let inner = if to_left { self.node(child).left } else { self.node(child).right };
        match to_left {
            true => self.node_mut(p).right = inner,
            false => self.node_mut(p).left = inner,
        }
        if let Some(inner) = inner {
            self.node_mut(inner).parent = Some(p);
        }
        let parent = self.node(p).parent;
        self.node_mut(child).parent = parent;
        match parent {
            None => self.root = Some(child),
            Some(at) if self.node(at).left == Some(p) => self.node_mut(at).left = Some(child),
            Some(at) => self.node_mut(at).right = Some(child),
        }
        match to_left {
            true => self.node_mut(child).left = Some(p),
            false => self.node_mut(child).right = Some(p),
        }
        self.node_mut(p).parent = Some(child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black nodes on the way down, equal on all ways; no red node has a red child.
    fn black_height(tree: &Tree, place: Option<u32>) -> u32 {
        let Some(place) = place else { return 1 };
        let node = tree.node(place);
        let (left, right) = (black_height(tree, node.left), black_height(tree, node.right));
        assert_eq!(left, right, "below {}", node.key);
        let is_red = |child: Option<u32>| child.is_some_and(|child| tree.node(child).is_red);
        assert!(!node.is_red || !(is_red(node.left) || is_red(node.right)), "at {}", node.key);
        left + u32::from(!node.is_red)
    }

    #[test]
    fn any_order_of_puts_makes_a_red_black_tree_with_all_keys_in_order() {
        let up: Vec<i64> = (0..100).collect();
        let down: Vec<i64> = (0..100).rev().collect();
        let mixed: Vec<i64> = (0..100).map(|n| n * 37 % 100).collect();
        for keys in [up, down, mixed] {
            let tree = Tree::of(keys.iter().copied().map(QueueOffset));
            black_height(&tree, tree.root);
            let levels = tree.levels();
            let sorted: Vec<i64> =
                levels.iter().map(|(place, ..)| tree.node(*place).key.0).collect();
            assert_eq!(sorted, (0..100).collect::<Vec<i64>>());
            assert!(levels.iter().all(|(_, depth, _)| *depth < 14));
        }
    }

    /// As `java.util.TreeMap` builds it for 1 to 8.
    #[test]
    fn ascending_puts_make_the_tree_of_java() {
        let tree = Tree::of((1..=8).map(QueueOffset));
        let root = tree.node(tree.root.expect("it has nodes"));
        assert_eq!((root.key.0, root.is_red), (4, false));
        let red: Vec<i64> =
            tree.nodes.iter().filter(|node| node.is_red).map(|node| node.key.0).collect();
        assert_eq!(red, [2, 6, 8]);
    }
}
