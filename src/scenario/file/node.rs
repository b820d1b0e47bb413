//! A TOML text as a tree in the order of the text, every value with its place.

use toml::de::{DeTable, DeValue};

use crate::model::order;
use crate::scenario::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Text(String),
    Integer(i64),
    Flag(bool),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// Something that no field takes: a decimal number, a date. As written.
    Other(String),
}

/// A value and where it stands, in bytes from the beginning of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub at: usize,
    pub value: Value,
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: String,
    pub at: usize,
    pub node: Node,
}

impl Node {
    /// The value as a person would write it, short.
    pub fn describe(&self) -> String {
        match &self.value {
            Value::Text(text) => format!("{text:?}"),
            Value::Integer(number) => number.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::List(list) => format!("a list of {}", list.len()),
            Value::Table(_) => "a table".to_owned(),
            Value::Other(text) => text.clone(),
        }
    }

    /// The table's entries; none if it is no table.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// The value of a key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }
}

/// Which line a place is in.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Where each line begins.
    starts: Vec<usize>,
}

impl Lines {
    pub fn of(text: &str) -> Lines {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines { starts: std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect() }
    }

    /// From 1.
    pub fn line(&self, at: usize) -> u32 {
        self.starts.partition_point(|start| *start <= at) as u32
    }
}

/// Reads a text, with every mistake of grammar in it.
pub fn parse(text: &str, lines: &Lines) -> (Node, Vec<Problem>) {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut problems = errors
        .iter()
        .map(|error| {
            let span = error.span().unwrap_or_default();
            let found = text.get(span.clone()).unwrap_or_default().trim();
            Problem {
                line: Some(lines.line(span.start)),
                field: String::new(),
                found: match found {
                    "" => error.message().to_owned(),
                    found => format!("`{found}`: {}", error.message()),
                },
                allowed: "TOML".to_owned(),
            }
        })
        .collect::<Vec<_>>();
    order::sort(&mut problems);
    (Node { at: 0, value: table_of(table.get_ref()) }, problems)
}

fn table_of(table: &DeTable<'_>) -> Value {
    let mut entries = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            at: key.span().start,
            node: Node { at: value.span().start, value: value_of(value.get_ref()) },
        })
        .collect::<Vec<_>>();
    // The parser sorts by name; the order of the text is what the author meant.
    order::sort_by_key(&mut entries, |entry| entry.at);
    Value::Table(entries)
}

fn value_of(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => {
            let plain = number.as_str().replace('_', "");
            match i64::from_str_radix(&plain, number.radix()) {
                Ok(number) => Value::Integer(number),
                Err(_) => Value::Other(plain),
            }
        }
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Float(number) => Value::Other(number.as_str().to_owned()),
        DeValue::Datetime(date) => Value::Other(date.to_string()),
        DeValue::Array(list) => {
            let node = |value: &toml::Spanned<DeValue<'_>>| Node {
                at: value.span().start,
                value: value_of(value.get_ref()),
            };
            Value::List(list.iter().map(node).collect())
        }
        DeValue::Table(table) => table_of(table),
    }
}
