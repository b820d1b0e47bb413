//! A table whose fields are asked for by name. Whatever nobody asked for is a mistake.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use super::node::{Entry, Lines, Node, Value};
use crate::model::order;
use crate::model::time::Millis;
use crate::scenario::duration;
use crate::scenario::problem::{Problem, nearest};
use crate::scenario::property::one_of;

/// Where problems go.
#[derive(Debug)]
pub struct Sink {
    lines: Lines,
    problems: RefCell<Vec<Problem>>,
}

impl Sink {
    pub fn new(lines: Lines) -> Sink {
        Sink { lines, problems: RefCell::new(Vec::new()) }
    }

    /// A mistake at a place of the text.
    pub fn problem(&self, at: usize, field: &str, found: &str, allowed: &str) {
        self.problems.borrow_mut().push(Problem {
            line: Some(self.lines.line(at)),
            field: field.to_owned(),
            found: found.to_owned(),
            allowed: allowed.to_owned(),
        });
    }

    pub fn extend(&self, problems: Vec<Problem>) {
        self.problems.borrow_mut().extend(problems);
    }

    /// All of them, by line.
    pub fn finish(self) -> Vec<Problem> {
        let mut problems = self.problems.into_inner();
        order::sort(&mut problems);
        // What a default says wrong is wrong in every table that takes it.
        problems.dedup_by(|next, first| {
            (next.line, &next.found, &next.allowed) == (first.line, &first.found, &first.allowed)
        });
        problems
    }
}

/// A table being read.
pub struct Fields<'a> {
    /// The way here, for problems: `consumer 2`.
    pub place: String,
    /// Where the table begins.
    pub at: usize,
    entries: &'a [Entry],
    /// What was asked for.
    known: Vec<String>,
    pub sink: &'a Sink,
}

impl<'a> Fields<'a> {
    /// The table `node`. Anything else is a problem, and reads as an empty table.
    pub fn of(node: &'a Node, place: impl Into<String>, sink: &'a Sink) -> Fields<'a> {
        let place = place.into();
        if !matches!(node.value, Value::Table(_)) {
            sink.problem(node.at, &place, &node.describe(), "a table");
        }
        Fields { place, at: node.at, entries: node.entries(), known: Vec::new(), sink }
    }

    fn field(&self, key: &str) -> String {
        match (self.place.as_str(), key) {
            ("", key) => key.to_owned(),
            (place, "") => place.to_owned(),
            (place, key) => format!("{place}, {key}"),
        }
    }

    /// A mistake in a field.
    pub fn problem(&self, key: &str, at: usize, found: &str, allowed: &str) {
        self.sink.problem(at, &self.field(key), found, allowed);
    }

    /// A mistake in a field's value.
    pub fn refuse(&self, key: &str, node: &Node, allowed: &str) {
        self.problem(key, node.at, &node.describe(), allowed);
    }

    /// A field that has to be there and is not.
    pub fn missing(&self, key: &str, allowed: &str) {
        self.problem(key, self.at, "nothing", allowed);
    }

    /// Whether the text has the field; asking for it makes it known.
    pub fn node(&mut self, key: &str) -> Option<&'a Node> {
        if !self.known.iter().any(|known| known == key) {
            self.known.push(key.to_owned());
        }
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// A field that was found by itself: the end of the table says nothing of it.
    pub fn know(&mut self, key: &str) {
        self.known.push(key.to_owned());
    }

    /// The fields of the text, in its order.
    pub fn entries(&self) -> &'a [Entry] {
        self.entries
    }

    pub fn text(&mut self, key: &str) -> Option<&'a str> {
        let node = self.node(key)?;
        match &node.value {
            Value::Text(text) => Some(text),
            _ => {
                self.refuse(key, node, "a text in quotes");
                None
            }
        }
    }

    /// A text that must be there; empty if it is not.
    pub fn required_text(&mut self, key: &str, allowed: &str) -> &'a str {
        if self.node(key).is_none() {
            self.missing(key, allowed);
        }
        self.text(key).unwrap_or_default()
    }

    pub fn integer(&mut self, key: &str, range: RangeInclusive<i64>) -> Option<i64> {
        let node = self.node(key)?;
        match node.value {
            Value::Integer(number) if range.contains(&number) => Some(number),
            _ => {
                let (low, high) = range.into_inner();
                self.refuse(key, node, &format!("a whole number from {low} to {high}"));
                None
            }
        }
    }

    pub fn count(&mut self, key: &str, range: RangeInclusive<u32>) -> Option<u32> {
        let (low, high) = range.into_inner();
        let number = self.integer(key, i64::from(low)..=i64::from(high))?;
        u32::try_from(number).ok()
    }

    pub fn flag(&mut self, key: &str) -> Option<bool> {
        let node = self.node(key)?;
        match node.value {
            Value::Flag(flag) => Some(flag),
            _ => {
                self.refuse(key, node, "true or false");
                None
            }
        }
    }

    /// A span of virtual time: `12.5s`.
    pub fn time(&mut self, key: &str) -> Option<Millis> {
        let node = self.node(key)?;
        let time = time_of(node);
        if time.is_none() {
            self.refuse(key, node, duration::ALLOWED);
        }
        time
    }

    /// A span that must be there.
    pub fn required_time(&mut self, key: &str) -> Millis {
        if self.node(key).is_none() {
            self.missing(key, duration::ALLOWED);
        }
        self.time(key).unwrap_or_default()
    }

    /// A span on either side of zero, in ms.
    pub fn signed_time(&mut self, key: &str) -> Option<i64> {
        let node = self.node(key)?;
        let time = match &node.value {
            Value::Text(text) => duration::parse_signed(text),
            _ => None,
        };
        if time.is_none() {
            self.refuse(
                key,
                node,
                &format!("{}, or one with a minus before it", duration::ALLOWED),
            );
        }
        time
    }

    /// One of a few words.
    pub fn word<T: Copy>(&mut self, key: &str, words: &[(&str, T)]) -> Option<T> {
        let node = self.node(key)?;
        let found = match &node.value {
            Value::Text(text) => words.iter().find(|(word, _)| word == text),
            _ => None,
        };
        if found.is_none() {
            let words = words.iter().map(|(word, _)| *word).collect::<Vec<_>>();
            self.refuse(key, node, &one_of(&words));
        }
        found.map(|(_, value)| *value)
    }

    /// A list, or one value for a list of one.
    pub fn list(&mut self, key: &str) -> Option<&'a [Node]> {
        let node = self.node(key)?;
        Some(match &node.value {
            Value::List(list) => list,
            _ => std::slice::from_ref(node),
        })
    }

    /// The tables of `[[key]]`.
    pub fn tables(&mut self, key: &str) -> &'a [Node] {
        let Some(node) = self.node(key) else { return &[] };
        match &node.value {
            Value::List(list) => list,
            _ => {
                self.refuse(key, node, &format!("tables, each under [[{key}]]"));
                &[]
            }
        }
    }

    /// The end of the table: what nobody asked for is not known.
    pub fn close(self) {
        for entry in self.entries {
            if self.known.contains(&entry.key) {
                continue;
            }
            let known = self.known.iter().map(String::as_str);
            let allowed = match nearest(&entry.key, known) {
                Some(meant) => format!("a field that is known; did you mean `{meant}`?"),
                None => format!("one of these fields: {}", self.known.join(", ")),
            };
            let field = if self.place.is_empty() { "the file" } else { &self.place };
            self.sink.problem(entry.at, field, &format!("`{}`", entry.key), &allowed);
        }
    }
}

/// A span of virtual time, if the value is one.
pub fn time_of(node: &Node) -> Option<Millis> {
    match &node.value {
        Value::Text(text) => duration::parse(text),
        _ => None,
    }
}
