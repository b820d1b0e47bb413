//! Stored copies: what lies in the schedule topic, in the retry queue and among the dead letters.

use std::collections::{BTreeMap, BTreeSet};

use super::super::gap_table::ALLOWANCE;
use super::super::report::{Item, Report, Verdict};
use super::super::trace::{Place, StoredCopy, Word};
use super::super::view::View;
use super::Sides;
use crate::model::ids::{QueueId, TopicName};
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

pub fn compare(sides: &Sides<'_>, report: &mut Report) {
    let real = grouped(sides.real);
    let model = grouped(sides.model);
    let read_back = read_back(sides.real);
    for (key, copies) in &real {
        let mut others = model.get(key).cloned().unwrap_or_default();
        let offsets = others.iter().map(|(_, copy)| copy.queue_offset).collect::<Vec<_>>();
        for (nth, (place, copy)) in copies.iter().enumerate() {
            if nth >= others.len() {
                let text = told(copy, "not in the model");
                report.say(Item::StoredCopy, Verdict::Differs, *place, text);
                continue;
            }
            put_alike_first(sides, copy, &mut others[nth..]);
            both(sides, *place, copy, others[nth].1, offsets[nth], report);
        }
    }
    for (key, copies) in &model {
        let Some(when) = read_back.get(&(key.topic.clone(), key.queue_id)) else { continue };
        let there = real.get(key).map_or(0, Vec::len);
        for (_, copy) in copies.iter().skip(there) {
            // Stored after the recording side had read the queue back.
            if copy.stored_at + ALLOWANCE < when.at {
                let text = told(copy, "only in the model");
                report.say(Item::StoredCopy, Verdict::Differs, *when, text);
            }
        }
    }
    maxima(sides, report);
}

/// What makes two copies the same one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    topic: TopicName,
    queue_id: QueueId,
    key: String,
    reconsume_times: i32,
}

fn grouped<'v>(view: &'v View<'_>) -> BTreeMap<Key, Vec<(Place, &'v StoredCopy)>> {
    let mut groups: BTreeMap<Key, Vec<(Place, &StoredCopy)>> = BTreeMap::new();
    for (place, copy) in &view.stored {
        let key = Key {
            topic: copy.topic.clone(),
            queue_id: copy.queue_id,
            key: copy.key.to_string(),
            reconsume_times: copy.reconsume_times,
        };
        groups.entry(key).or_default().push((*place, copy));
    }
    for copies in groups.values_mut() {
        copies.sort_by_key(|(_, copy)| copy.stored_at);
    }
    groups
}

/// The queues that the recording side read back, and when: others are unknown, not empty.
fn read_back(view: &View<'_>) -> BTreeMap<(TopicName, QueueId), Place> {
    let mut queues = BTreeMap::new();
    let failed = view.trace.lines.iter().filter_map(|line| match &line.word {
        Word::DumpFailed { topic } => Some(topic.clone()),
        _ => None,
    });
    let failed = failed.collect::<BTreeSet<_>>();
    for line in &view.trace.lines {
        if let Word::Stored(copy) = &line.word
            && !failed.contains(&copy.topic)
        {
            queues.entry((copy.topic.clone(), copy.queue_id)).or_insert(line.place());
        }
    }
    queues
}

/// Copies of one message that are stored at the same moment come in any order: consume threads race.
fn put_alike_first(sides: &Sides<'_>, copy: &StoredCopy, others: &mut [(Place, &StoredCopy)]) {
    let together = others[0].1.stored_at + ALLOWANCE;
    let alike = others.iter().position(|(_, other)| {
        other.stored_at <= together && differences(sides, copy, other).is_empty()
    });
    if let Some(alike) = alike {
        others[..=alike].rotate_right(1);
    }
}

/// The properties in which two copies differ.
fn differences(sides: &Sides<'_>, real: &StoredCopy, model: &StoredCopy) -> Vec<String> {
    let names = real.properties.keys().chain(model.properties.keys()).collect::<BTreeSet<_>>();
    let mut off = Vec::new();
    for name in names {
        let is = property(sides.real, real, name);
        let ours = property(sides.model, model, name);
        if is != ours {
            let word = |value: Option<String>| value.unwrap_or_else(|| "absent".to_owned());
            off.push(format!("{name} {}, model {}", word(is), word(ours)));
        }
    }
    off
}

fn both(
    sides: &Sides<'_>,
    place: Place,
    real: &StoredCopy,
    model: &StoredCopy,
    model_offset: QueueOffset,
    report: &mut Report,
) {
    let mut off = differences(sides, real, model);
    // The schedule topic's queues are shared with other runs; the group's own are not.
    let is_shared = real.topic.as_str() == crate::model::topic::SCHEDULE_TOPIC;
    if !is_shared && real.queue_offset != model_offset {
        off.push(format!("offset {}, model {model_offset}", real.queue_offset));
    }
    let verdict = if off.is_empty() { Verdict::Agrees } else { Verdict::Differs };
    let what = if off.is_empty() { "stored".to_owned() } else { off.join("; ") };
    report.say(Item::StoredCopy, verdict, place, told(real, &what));
}

/// A property in a form that can be compared between runs.
fn property(view: &View<'_>, copy: &StoredCopy, name: &str) -> Option<String> {
    let value = copy.properties.get(name)?;
    match name {
        // The recorded producer writes the tag `*` on messages without one.
        "TAGS" if value == "*" => None,
        // It has to point to the message that was sent.
        "ORIGIN_MESSAGE_ID" => Some(origin(view, value)),
        _ => Some(value.clone()),
    }
}

/// The key of the message that an id points to.
fn origin(view: &View<'_>, id: &str) -> String {
    let sent = view.trace.lines.iter().find_map(|line| match &line.word {
        Word::Sent(sent) if sent.offset_msg_id.as_deref() == Some(id) => Some(sent.key.to_string()),
        _ => None,
    });
    sent.unwrap_or_else(|| "some other message".to_owned())
}

/// How many copies the retry queue and the dead letters held whenever they rested.
fn maxima(sides: &Sides<'_>, report: &mut Report) {
    for (topic, changes) in &sides.real.system_max {
        let Some((place, last)) = changes.last() else { continue };
        let model = sides.model.system_max.get(topic).and_then(|changes| changes.last());
        let ours = model.map_or(QueueOffset::ZERO, |(_, max)| *max);
        // What the model stores at the very end the recording may not have seen.
        let end = sides.real.trace.end();
        let late = |changes: &[(Place, QueueOffset)]| {
            let before =
                changes.iter().rev().find(|(place, _)| place.at + Millis::new(1_000) < end);
            before.map_or(QueueOffset::ZERO, |(_, max)| *max)
        };
        let settled = sides.model.system_max.get(topic).map_or(QueueOffset::ZERO, |it| late(it));
        let agrees = *last == ours || *last == settled;
        let verdict = if agrees { Verdict::Agrees } else { Verdict::Differs };
        let text = format!("{topic} holds {last} in the end, model {ours}");
        report.say(Item::StoredCopy, verdict, *place, text);
    }
}

fn told(copy: &StoredCopy, what: &str) -> String {
    format!(
        "{} in {}/{}@{} reconsumeTimes {}: {what}",
        copy.key, copy.topic, copy.queue_id, copy.queue_offset, copy.reconsume_times
    )
}
