//! `[consumerDefaults]` and its like: what every table of a kind says unless it says otherwise.

use super::fields::Sink;
use super::node::{Entry, Node, Value};

const KINDS: [(&str, &str); 4] = [
    ("consumerDefaults", "consumer"),
    ("producerDefaults", "producer"),
    ("brokerDefaults", "broker"),
    ("sendDefaults", "send"),
];

/// The tree with the defaults written into the tables that they are for.
pub fn spread(root: &Node, sink: &Sink) -> Node {
    let mut root = root.clone();
    for (key, kind) in KINDS {
        let Some(defaults) = root.get(key).cloned() else { continue };
        if !matches!(defaults.value, Value::Table(_)) {
            sink.problem(defaults.at, key, &defaults.describe(), "a table");
        }
        for table in tables_mut(&mut root, kind) {
            for entry in defaults.entries() {
                add_missing(table, entry);
            }
        }
    }
    root
}

/// The tables of `[[kind]]`.
pub fn tables_mut<'a>(root: &'a mut Node, kind: &str) -> impl Iterator<Item = &'a mut Node> {
    let Value::Table(entries) = &mut root.value else { unreachable!("a text is a table") };
    let found = entries.iter_mut().filter(|entry| entry.key == kind).find_map(|entry| {
        match &mut entry.node.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    });
    found.into_iter().flatten()
}

fn add_missing(table: &mut Node, entry: &Entry) {
    if let Value::Table(entries) = &mut table.value
        && !entries.iter().any(|own| own.key == entry.key)
    {
        entries.push(entry.clone());
    }
}
