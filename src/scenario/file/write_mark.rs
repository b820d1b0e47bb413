//! `[[mark]]` as text.

use super::toml_text::{Text, quoted};
use super::write::words;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::scenario::duration;
use crate::scenario::walk::{Stop, WalkMark};

pub fn mark(text: &mut Text, mark: &WalkMark) {
    text.table("mark");
    match &mark.stop {
        Stop::At(at) => text.field("at", &quoted(&duration::write(*at))),
        Stop::Event(happening) => {
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
    }
    text.field("focus", &quoted(&mark.focus.to_string()));
    words(text, "caption", &mark.caption);
    let listed = |all: Vec<String>| format!("[{}]", all.join(", "));
    if !mark.facts.is_empty() {
        let facts = mark.facts.iter().map(|fact| quoted(&fact.to_string()));
        text.field("facts", &listed(facts.collect()));
    }
    if mark.releases != Profile::ALL {
        let releases = mark.releases.iter().map(|profile| quoted(profile.name()));
        text.field("releases", &listed(releases.collect()));
    }
}
