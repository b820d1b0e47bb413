//! A listener's script: what happens at the 1st, 2nd, ... call for one message.

use super::fields::Fields;
use super::node::{Node, Value};
use crate::model::ids::MessageKey;
use crate::model::limits;
use crate::model::listener::{
    ListenerBehavior, ListenerResult, ListenerScript, ListenerStep, OnInterrupt,
};
use crate::model::time::Millis;
use crate::scenario::duration;

/// How a call ends. `suspend` is `later` in orderly mode's word; only the first of two is written.
pub const RESULTS: &[(&str, ListenerResult)] = &[
    ("ok", ListenerResult::Success),
    ("later", ListenerResult::Later),
    ("suspend", ListenerResult::Later),
    ("throws", ListenerResult::Throws),
    ("null", ListenerResult::Null),
    ("never", ListenerResult::Never),
    ("commit", ListenerResult::Commit),
    ("rollback", ListenerResult::Rollback),
];

pub const ON_INTERRUPT: &[(&str, OnInterrupt)] = &[
    ("ignores", OnInterrupt::Ignores),
    ("endsEarly", OnInterrupt::EndsEarly),
    ("succeeds", OnInterrupt::Succeeds),
    ("fails", OnInterrupt::Fails),
];

const ALLOWED: &str = "steps such as \"ok\", \"later 2s\", \"ok 10ms x3\", or tables with result, takes, \
    times, ackIndex, delayLevelWhenNextConsume, suspendCurrentQueueTimeMillis, onInterrupt";

/// The listener of a consumer: a script, or a table with `pause`, `script` and `byKey`.
pub fn listener(fields: &mut Fields<'_>) -> ListenerBehavior {
    let mut listener = ListenerBehavior::default();
    let Some(node) = fields.node("listener") else { return listener };
    if !matches!(node.value, Value::Table(_)) {
        if let Some(script) = script(fields, "listener", node) {
            listener.default_script = script;
        }
        return listener;
    }
    let mut table = Fields::of(node, format!("{}, listener", fields.place), fields.sink);
    if let Some(pause) = table.time("pause") {
        listener.pause = pause;
    }
    if let Some(node) = table.node("script")
        && let Some(script) = script(&table, "script", node)
    {
        listener.default_script = script;
    }
    if let Some(node) = table.node("byKey") {
        let by_key = Fields::of(node, format!("{}, byKey", table.place), table.sink);
        for entry in by_key.entries() {
            if let Some(script) = script(&by_key, &entry.key, &entry.node) {
                listener.by_key.push((MessageKey::new(&entry.key), script));
            }
        }
    }
    table.close();
    listener
}

/// A script; `None`, with a problem, if it is none.
pub fn script(fields: &Fields<'_>, key: &str, node: &Node) -> Option<ListenerScript> {
    let nodes = match &node.value {
        Value::List(list) => list.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let mut steps = Vec::new();
    for node in nodes {
        match &node.value {
            Value::Text(text) => match short_step(text) {
                Some((step, times)) => steps.extend(std::iter::repeat_n(step, times)),
                None => fields.refuse(key, node, ALLOWED),
            },
            Value::Table(_) => {
                let (step, times) = long_step(fields, key, node);
                steps.extend(std::iter::repeat_n(step, times));
            }
            _ => fields.refuse(key, node, ALLOWED),
        }
    }
    if nodes.is_empty() || steps.len() > limits::LISTENER_STEPS {
        let allowed = format!("1 to {} steps", limits::LISTENER_STEPS);
        fields.problem(key, node.at, &format!("{} steps", steps.len()), &allowed);
        return None;
    }
    let mut steps = steps.into_iter();
    let first = steps.next()?;
    Some(ListenerScript::new(first, steps))
}

/// `later 2s x3`.
fn short_step(text: &str) -> Option<(ListenerStep, usize)> {
    let mut words = text.split_whitespace();
    let result = words.next()?;
    let result = RESULTS.iter().find(|(word, _)| *word == result)?.1;
    let (mut takes, mut times) = (None, None);
    for word in words {
        let count = word.strip_prefix('x').and_then(|count| count.parse::<usize>().ok());
        match count {
            Some(count) if times.is_none() => times = Some(count),
            None if takes.is_none() && times.is_none() => takes = Some(duration::parse(word)?),
            _ => return None,
        }
    }
    let times = times.unwrap_or(1);
    let step = ListenerStep { result, ..ListenerStep::ok().taking(takes.unwrap_or(Millis::ZERO)) };
    (1..=limits::LISTENER_STEPS).contains(&times).then_some((step, times))
}

fn long_step(fields: &Fields<'_>, key: &str, node: &Node) -> (ListenerStep, usize) {
    let mut table = Fields::of(node, format!("{}, {key}", fields.place), fields.sink);
    let mut step = ListenerStep::ok();
    if let Some(result) = table.word("result", RESULTS) {
        step.result = result;
    }
    if let Some(takes) = table.time("takes") {
        step.takes = takes;
    }
    if let Some(index) = table.integer("ackIndex", -1..=1_023) {
        step.ack_index = i32::try_from(index).ok();
    }
    if let Some(level) = table.integer("delayLevelWhenNextConsume", -1..=64) {
        step.delay_level_when_next_consume = level as i32;
    }
    if let Some(ms) = table.integer("suspendCurrentQueueTimeMillis", -1..=86_400_000) {
        step.suspend_ms = u64::try_from(ms).ok().map(Millis::new);
    }
    if let Some(on_interrupt) = table.word("onInterrupt", ON_INTERRUPT) {
        step.on_interrupt = on_interrupt;
    }
    let times = table.count("times", 1..=limits::LISTENER_STEPS as u32).unwrap_or(1);
    table.close();
    (step, times as usize)
}
