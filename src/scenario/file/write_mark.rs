//! `[[mark]]` as text.

use super::toml_text::{Text, quoted};
use super::write::words;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::scenario::differ::Differs;
use crate::scenario::duration;
use crate::scenario::walk::{Happening, Stop, WalkMark};

pub fn mark(text: &mut Text, mark: &WalkMark) {
    text.table("mark");
    match &mark.stop {
        Stop::At(at) => text.field("at", &quoted(&duration::write(*at))),
        Stop::Event(happening) => self::happening(text, happening),
    }
    text.field("focus", &quoted(&mark.focus.to_string()));
    words(text, "caption", &mark.caption);
    if !mark.facts.is_empty() {
        let facts = mark.facts.iter().map(|fact| quoted(&fact.to_string()));
        text.field("facts", &listed(facts));
    }
    if mark.releases != Profile::ALL {
        text.field("releases", &profiles(&mark.releases));
    }
}

fn happening(text: &mut Text, happening: &Happening) {
    text.field("event", &quoted(happening.kind));
    if happening.nth != 1 {
        text.field("nth", &happening.nth.to_string());
    }
    if happening.after > Millis::ZERO {
        text.field("after", &quoted(&duration::write(happening.after)));
    }
    let queue = happening.queue.as_ref().map(ToString::to_string);
    let code = happening.code.map(|code| code.name(Profile::V49).to_owned());
    let named = [
        ("key", happening.key.clone()),
        ("queue", queue),
        ("consumer", happening.consumer.clone()),
        ("code", code),
    ];
    for (name, value) in named {
        if let Some(value) = value {
            text.field(name, &quoted(&value));
        }
    }
}

fn listed(all: impl Iterator<Item = String>) -> String {
    format!("[{}]", all.collect::<Vec<_>>().join(", "))
}

fn profiles(profiles: &[Profile]) -> String {
    listed(profiles.iter().map(|profile| quoted(profile.name())))
}

/// `[[differs]]` as text.
pub fn differs(text: &mut Text, differs: &Differs) {
    text.table("differs");
    text.field("from", &profiles(&differs.from));
    text.field("to", &profiles(&differs.to));
    if let Some(says) = &differs.says {
        words(text, "says", says);
    }
    for shows in &differs.shows {
        text.table("differs.shows");
        text.field("release", &quoted(shows.release.name()));
        happening(text, &shows.happening);
        if let Some(at) = shows.at {
            text.field("at", &quoted(&duration::write(at)));
        }
    }
}
