//! `[[variant]]`: the same file with something changed, taken out or added.
//!
//! A variant is made on the tree of the text, before anything is read, so that its mistakes are found
//! and placed like all others.

use super::fields::{Fields, Sink};
use super::node::{Entry, Node, Value};
use super::read_properties::text_list;
use crate::scenario::problem::nearest;

/// Tables that a variant adds to.
const ADDED: &[&str] = &[
    "broker",
    "topic",
    "group",
    "storedOffset",
    "queuePast",
    "localOffset",
    "delayOffset",
    "consumer",
    "producer",
    "send",
    "do",
];

/// What is merged into the table of that name.
const MERGED: &[&str] = &["consumerDefaults", "producerDefaults", "brokerDefaults", "sendDefaults"];

/// What takes the place of the file's own.
const REPLACED: &[&str] = &[
    "profile",
    "seed",
    "tieBreak",
    "begin",
    "until",
    "latency",
    "startUp",
    "cleanExpiredDefect",
    "literalPolling",
    "about",
];

/// The variants of a file by name, each as a whole tree of its own.
pub fn variants(root: &Node, sink: &Sink) -> Vec<(String, Node)> {
    let mut fields = Fields::of(root, "", sink);
    let tables = fields.tables("variant");
    let one = |(index, node): (usize, &Node)| {
        let mut fields = Fields::of(node, format!("variant {}", index + 1), sink);
        let name = fields.required_text("name", "what is different").to_owned();
        let tree = changed(root, &mut fields);
        fields.close();
        (name, tree)
    };
    tables.iter().enumerate().map(one).collect()
}

/// The file's tree after one variant.
fn changed(root: &Node, fields: &mut Fields<'_>) -> Node {
    let mut tree = root.clone();
    // A variant has its own expectations, or none.
    remove(&mut tree, "expect");
    remove(&mut tree, "variant");
    for name in text_list(fields, "without").unwrap_or_default() {
        without(&mut tree, &name, fields);
    }
    if let Some(changes) = fields.node("change") {
        let changes = Fields::of(changes, format!("{}, change", fields.place), fields.sink);
        for entry in changes.entries() {
            change(&mut tree, entry, &changes);
        }
    }
    for key in REPLACED {
        if let Some(node) = fields.node(key) {
            remove(&mut tree, key);
            entries_mut(&mut tree).push(Entry {
                key: (*key).to_owned(),
                at: node.at,
                node: node.clone(),
            });
        }
    }
    for key in MERGED {
        if let Some(node) = fields.node(key) {
            merge(table_mut(&mut tree, key, node.at), node.entries());
        }
    }
    for key in ADDED.iter().copied().chain(["expect"]) {
        let added = fields.tables(key);
        if !added.is_empty() {
            list_mut(&mut tree, key, added[0].at).extend(added.iter().cloned());
        }
    }
    tree
}

/// What an entry is called: its own name, or that of whom it is about.
fn name_of(node: &Node) -> Option<&str> {
    ["name", "client"].into_iter().find_map(|key| match &node.get(key)?.value {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    })
}

/// The named entries of the tree, to be changed.
fn named<'a>(tree: &'a mut Node, name: &str) -> Vec<&'a mut Node> {
    let of_kinds = entries_mut(tree).iter_mut().filter(|entry| ADDED.contains(&entry.key.as_str()));
    let nodes = of_kinds.flat_map(|entry| match &mut entry.node.value {
        Value::List(list) => list.as_mut_slice(),
        _ => &mut [],
    });
    // A `[[do]]` about a client has no name of its own unless it says one.
    nodes
        .filter(|node| match node.get("command") {
            Some(_) => node.get("name").is_some() && name_of(node) == Some(name),
            None => name_of(node) == Some(name),
        })
        .collect()
}

fn all_names(tree: &mut Node) -> Vec<String> {
    let kinds = entries_mut(tree).iter().filter(|entry| ADDED.contains(&entry.key.as_str()));
    let nodes = kinds.filter_map(|entry| match &entry.node.value {
        Value::List(list) => Some(list),
        _ => None,
    });
    nodes.flatten().filter_map(name_of).map(str::to_owned).collect()
}

fn unknown(tree: &mut Node, key: &str, at: usize, name: &str, fields: &Fields<'_>) {
    let names = all_names(tree);
    let allowed = match nearest(name, names.iter().map(String::as_str)) {
        Some(meant) => format!("the name of an entry; did you mean {meant:?}?"),
        None => format!("the name of an entry: {}", names.join(", ")),
    };
    fields.problem(key, at, &format!("{name:?}"), &allowed);
}

fn without(tree: &mut Node, name: &str, fields: &mut Fields<'_>) {
    if named(tree, name).is_empty() {
        let at = fields.node("without").map_or(fields.at, |node| node.at);
        unknown(tree, "without", at, name, fields);
    }
    let doomed = named(tree, name).into_iter().map(|node| node.at).collect::<Vec<_>>();
    for entry in entries_mut(tree) {
        if let Value::List(list) = &mut entry.node.value {
            list.retain(|node| !doomed.contains(&node.at));
        }
    }
}

fn change(tree: &mut Node, change: &Entry, fields: &Fields<'_>) {
    let found = named(tree, &change.key);
    if found.is_empty() {
        unknown(tree, &change.key, change.at, &change.key, fields);
        return;
    }
    for node in found {
        merge(node, change.node.entries());
    }
}

/// The entries take the place of the table's own of the same key.
fn merge(table: &mut Node, entries: &[Entry]) {
    for entry in entries {
        remove(table, &entry.key);
        entries_mut(table).push(entry.clone());
    }
}

fn entries_mut(node: &mut Node) -> &mut Vec<Entry> {
    if !matches!(node.value, Value::Table(_)) {
        node.value = Value::Table(Vec::new());
    }
    match &mut node.value {
        Value::Table(entries) => entries,
        _ => unreachable!("it has just been made one"),
    }
}

fn remove(node: &mut Node, key: &str) {
    entries_mut(node).retain(|entry| entry.key != key);
}

/// The table or list under a key, made if it is not there.
fn entry_mut<'a>(tree: &'a mut Node, key: &str, at: usize, empty: Value) -> &'a mut Node {
    let entries = entries_mut(tree);
    let index = entries.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
        entries.push(Entry { key: key.to_owned(), at, node: Node { at, value: empty } });
        entries.len() - 1
    });
    &mut entries[index].node
}

fn table_mut<'a>(tree: &'a mut Node, key: &str, at: usize) -> &'a mut Node {
    entry_mut(tree, key, at, Value::Table(Vec::new()))
}

fn list_mut<'a>(tree: &'a mut Node, key: &str, at: usize) -> &'a mut Vec<Node> {
    let node = entry_mut(tree, key, at, Value::List(Vec::new()));
    if !matches!(node.value, Value::List(_)) {
        node.value = Value::List(Vec::new());
    }
    match &mut node.value {
        Value::List(list) => list,
        _ => unreachable!("it has just been made one"),
    }
}
