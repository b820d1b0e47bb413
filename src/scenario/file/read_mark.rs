//! `[[mark]]`: one stop of the walkthrough each.

use super::fields::Fields;
use super::node::{Node, Value};
use super::read::{PROFILES, words};
use super::read_command::optional_request_code;
use crate::model::limits;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::scenario::fact::{FACT_FORMS, Fact};
use crate::scenario::problem::nearest;
use crate::scenario::walk::{
    FOCUS_FORMS, Focus, Happening, QueueName, SENTENCES, Stop, WalkMark, sentences,
};
use crate::sim::kind;

pub fn marks(fields: &mut Fields<'_>) -> Vec<WalkMark> {
    let sink = fields.sink;
    let tables = fields.tables("mark");
    let one = |(index, node): (usize, &Node)| {
        let mut fields = Fields::of(node, format!("mark {}", index + 1), sink);
        let (stop, focus) = (stop(&mut fields), focus(&mut fields));
        if fields.node("caption").is_none() {
            fields.missing("caption", "what is said, { en = \"...\", zh = \"...\" }");
        }
        let caption = words(&mut fields, "caption");
        for text in [&caption.en, &caption.zh] {
            too_long(&mut fields, text);
        }
        let (facts, releases) = (facts(&mut fields), releases(&mut fields));
        fields.close();
        // What could not be read has its problem; the marks after it keep their numbers.
        let (stop, focus) = (stop.unwrap_or(UNREAD), focus.unwrap_or(Focus::NameServer));
        WalkMark { stop, focus, caption, facts, releases }
    };
    tables.iter().enumerate().map(one).collect()
}

/// In place of a stop that is no stop.
const UNREAD: Stop = Stop::Event(Happening {
    kind: "",
    nth: 1,
    after: Millis::ZERO,
    key: None,
    queue: None,
    consumer: None,
    code: None,
});

/// What does not read as a fact is a problem of its own line.
fn facts(fields: &mut Fields<'_>) -> Vec<Fact> {
    let list = fields.list("facts").unwrap_or_default();
    if list.len() > limits::FACTS {
        let (at, found) = (list[limits::FACTS].at, format!("{} facts", list.len()));
        fields.problem("facts", at, &found, &format!("at most {}", limits::FACTS));
    }
    let mut facts = Vec::new();
    for node in list {
        let known = match &node.value {
            Value::Text(text) => Fact::parse(text),
            _ => None,
        };
        match known {
            Some(fact) => facts.push(fact),
            None => fields.refuse("facts", node, &format!("one of {FACT_FORMS}")),
        }
    }
    facts
}

/// All, unless it names some.
fn releases(fields: &mut Fields<'_>) -> Vec<Profile> {
    profiles(fields, "releases").unwrap_or_else(|| Profile::ALL.to_vec())
}

/// Releases in their order; `None` if the field is not there.
pub fn profiles(fields: &mut Fields<'_>, key: &str) -> Option<Vec<Profile>> {
    let list = fields.list(key)?;
    let mut named = Vec::new();
    for node in list {
        let known = PROFILES.iter().find(|(word, _)| node.value == Value::Text((*word).to_owned()));
        match known {
            Some((_, profile)) => named.push(*profile),
            None => fields.refuse(key, node, "\"V42\", \"V49\" or \"V53\""),
        }
    }
    if let (true, Some(node)) = (list.is_empty(), fields.node(key)) {
        fields.refuse(key, node, "at least one of \"V42\", \"V49\" and \"V53\"");
    }
    Some(Profile::ALL.into_iter().filter(|profile| named.contains(profile)).collect())
}

fn too_long(fields: &mut Fields<'_>, text: &str) {
    let Some(node) = fields.node("caption") else { return };
    let (count, length) = (sentences(text), text.chars().count());
    if count > SENTENCES {
        let allowed = format!("at most {SENTENCES} sentences");
        fields.problem("caption", node.at, &format!("{count} sentences"), &allowed);
    }
    if length > limits::CAPTION {
        let allowed = format!("at most {} characters", limits::CAPTION);
        fields.problem("caption", node.at, &format!("{length} characters"), &allowed);
    }
}

fn stop(fields: &mut Fields<'_>) -> Option<Stop> {
    match (fields.node("at").is_some(), fields.node("event").is_some()) {
        (true, false) => fields.time("at").map(Stop::At),
        (false, true) => happening(fields).map(Stop::Event),
        (true, true) => {
            fields.problem("", fields.at, "at and event", "either at or event");
            None
        }
        (false, false) => {
            fields.missing("", "at, a time, or event, the name of an event");
            None
        }
    }
}

pub fn happening(fields: &mut Fields<'_>) -> Option<Happening> {
    // All fields are asked for, so that a mistake in one does not make the others unknown.
    let kind = kind_of(fields);
    let nth = fields.count("nth", 1..=1_000_000).unwrap_or(1);
    let after = fields.time("after").unwrap_or_default();
    let key = fields.text("key").map(str::to_owned);
    let queue = queue(fields);
    let consumer = fields.text("consumer").map(str::to_owned);
    let code = optional_request_code(fields);
    Some(Happening { kind: kind?, nth, after, key, queue, consumer, code })
}

fn kind_of(fields: &mut Fields<'_>) -> Option<&'static str> {
    let text = fields.text("event")?;
    let known = kind::NAMES.iter().find(|name| **name == text).copied();
    if known.is_none() {
        let allowed = match nearest(text, kind::NAMES.iter().copied()) {
            Some(meant) => format!("the name of an event; did you mean \"{meant}\"?"),
            None => format!("one of {}", kind::NAMES.join(", ")),
        };
        let node = fields.node("event")?;
        fields.refuse("event", node, &allowed);
    }
    known
}

fn queue(fields: &mut Fields<'_>) -> Option<QueueName> {
    let text = fields.text("queue")?;
    let queue = QueueName::parse(text);
    if queue.is_none() {
        let node = fields.node("queue")?;
        fields.refuse("queue", node, "\"TOPIC/N\"");
    }
    queue
}

fn focus(fields: &mut Fields<'_>) -> Option<Focus> {
    let Some(node) = fields.node("focus") else {
        fields.missing("focus", FOCUS_FORMS);
        return None;
    };
    let focus = Focus::parse(fields.text("focus")?);
    if focus.is_none() {
        fields.refuse("focus", node, FOCUS_FORMS);
    }
    focus
}
