//! What the recorded producer sent, and when: `sent` with the moment at which the send began.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::act::Act;
use super::trace::{Sent, Trace, Word};
use crate::model::ids::{QueueId, TopicName};
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

/// One send, as input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Send {
    pub at: Millis,
    pub topic: TopicName,
    pub queue_id: QueueId,
    pub key: Rc<str>,
    pub act: Act,
    pub level: i32,
    pub tag: Option<Rc<str>>,
}

/// The sends of a trace in the order of their moments.
///
/// A send's moment is `born` of its delivery or of its stored copy; where there is none, the moment of
/// `sent`, which is when the send returned. Where only some sends are written, the keys between two
/// are numbered on and lie at equal steps.
pub fn sends(trace: &Trace) -> Vec<Send> {
    let born = Born::of(trace);
    let mut sends: Vec<Send> = Vec::new();
    let mut sparse: Option<(Millis, Sent)> = None;
    let mut step = Millis::ZERO;
    let mut turn = 1;
    for line in &trace.lines {
        let Word::Sent(sent) = &line.word else { continue };
        let at = born.moment(sent).unwrap_or(line.at).min(line.at);
        if sent.is_sparse {
            if let Some((before, last)) = &sparse {
                let between = numbers_between(&last.key, &sent.key);
                step = step_of(*before, at, between.len());
                turn = turn_of(last, sent, between.len());
                sends.extend(filled(&born, *before, last, (step, turn), between));
            }
            sparse = Some((at, (**sent).clone()));
        }
        sends.push(Send {
            at,
            topic: sent.topic.clone(),
            queue_id: sent.queue_id,
            key: sent.key.clone(),
            act: sent.act,
            level: sent.level,
            tag: sent.tag.clone(),
        });
    }
    if let Some((before, last)) = &sparse {
        let rest = numbers_after(trace, last);
        sends.extend(filled(&born, *before, last, (step, turn), rest));
    }
    sends.sort_by_key(|send| send.at);
    sends
}

/// The keys that the trace does not write, after `last`: `step` apart, over so many queues in turn, unless
/// a delivery says more.
fn filled(
    born: &Born,
    before: Millis,
    last: &Sent,
    (step, turn): (Millis, u32),
    keys: Vec<Rc<str>>,
) -> Vec<Send> {
    let mut at = before;
    let mut queue_id = last.queue_id.0;
    let mut fill = |key: Rc<str>| {
        at += step;
        queue_id = if turn > 1 { (queue_id + 1) % turn } else { queue_id };
        let known = born.by_key.get(&key);
        if let Some((born_at, _)) = known {
            at = *born_at;
        }
        Send {
            at,
            topic: last.topic.clone(),
            queue_id: known.and_then(|(_, queue_id)| *queue_id).unwrap_or(QueueId(queue_id)),
            key,
            act: Act::Ok,
            level: 0,
            tag: last.tag.clone(),
        }
    };
    keys.into_iter().map(&mut fill).collect()
}

fn step_of(before: Millis, after: Millis, between: usize) -> Millis {
    Millis::new((after - before).ms() / (between as u64 + 1))
}

/// Over how many queues the producer went in turn: so many more keys than places of one queue lie between
/// two written sends.
fn turn_of(first: &Sent, second: &Sent, between: usize) -> u32 {
    let places = second.queue_offset.0 - first.queue_offset.0;
    let keys = between as i64 + 1;
    match first.queue_id == second.queue_id && places > 0 && keys % places == 0 {
        true => (keys / places) as u32,
        false => 1,
    }
}

/// `k7` is `k` and 7.
fn numbered(key: &str) -> Option<(&str, u64)> {
    let digits = key.len() - key.bytes().rev().take_while(u8::is_ascii_digit).count();
    Some((&key[..digits], key[digits..].parse().ok()?))
}

fn numbers_between(first: &str, second: &str) -> Vec<Rc<str>> {
    match (numbered(first), numbered(second)) {
        (Some((name, from)), Some((other, to))) if name == other => {
            (from + 1..to).map(|number| Rc::from(format!("{name}{number}"))).collect()
        }
        _ => Vec::new(),
    }
}

/// The keys after the last one written: as many as the queue held in the end, or were delivered.
fn numbers_after(trace: &Trace, last: &Sent) -> Vec<Rc<str>> {
    let Some((name, from)) = numbered(&last.key) else { return Vec::new() };
    let first = first_number(trace, name);
    let mut to = from;
    for line in &trace.lines {
        match &line.word {
            Word::Begin { delivery, .. } => match numbered(&delivery.key) {
                Some((other, number)) if name == other => to = to.max(number),
                _ => {}
            },
            Word::Sample(sample) if last.topic == trace.header.topic => {
                // All that the topic ever held, counted from the first key.
                let held = sample.max.values().map(|max| max.0.max(0) as u64).sum::<u64>();
                if let Some(first) = first {
                    to = to.max((first + held).saturating_sub(1));
                }
            }
            _ => {}
        }
    }
    (from + 1..=to).map(|number| Rc::from(format!("{name}{number}"))).collect()
}

/// The number of the first key of that name.
fn first_number(trace: &Trace, name: &str) -> Option<u64> {
    trace.lines.iter().find_map(|line| match &line.word {
        Word::Sent(sent) => {
            numbered(&sent.key).filter(|(other, _)| *other == name).map(|(_, number)| number)
        }
        _ => None,
    })
}

/// When messages were born, by where they lie and by their keys.
#[derive(Default)]
struct Born {
    by_place: BTreeMap<(TopicName, QueueId, QueueOffset), Millis>,
    /// With the queue, where a delivery tells it.
    by_key: BTreeMap<Rc<str>, (Millis, Option<QueueId>)>,
}

impl Born {
    fn of(trace: &Trace) -> Born {
        let mut born = Born::default();
        for line in &trace.lines {
            match &line.word {
                Word::Begin { delivery, born: at, .. } => {
                    let own = delivery.topic == trace.header.topic
                        || Some(&delivery.topic) == trace.header.topic2.as_ref();
                    let queue_id = own.then_some(delivery.queue_id);
                    born.by_key.entry(delivery.key.clone()).or_insert((*at, queue_id));
                    let place = (delivery.topic.clone(), delivery.queue_id, delivery.queue_offset);
                    born.by_place.entry(place).or_insert(*at);
                }
                Word::Stored(copy) if super::view::is_own(&trace.header, copy) => {
                    born.by_key.entry(copy.key.clone()).or_insert((copy.born_at, None));
                }
                _ => {}
            }
        }
        born
    }

    fn moment(&self, sent: &Sent) -> Option<Millis> {
        let place = (sent.topic.clone(), sent.queue_id, sent.queue_offset);
        let by_place = || self.by_place.get(&place).copied();
        let by_key = || self.by_key.get(&sent.key).map(|(at, _)| *at);
        // The place of a delayed message is the one in the schedule topic.
        if sent.level > 0 { by_key() } else { by_place().or_else(by_key) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::read;
    use super::*;

    const HEADER: &str = r#"{"ev":"header","scenario":"s","run":"1","version":"4.2.0","topic":"T","group":"G","queues":1}"#;

    fn sent(at: u64, offset: u64, note: &str) -> String {
        format!(
            r#"{{"t_ms":{at},"ev":"sent","topic":"T","queueId":0,"queueOffset":{offset},"key":"k{offset}","act":"ok","level":0{note}}}"#
        )
    }

    #[test]
    fn a_send_begins_when_its_message_was_born() {
        let begin = r#"{"t_ms":9,"ev":"begin","client":"c1","topic":"T","queueId":0,"queueOffset":0,"key":"k0","reconsumeTimes":0,"born":5,"store":6}"#;
        let trace = read(&[HEADER, &sent(8, 0, ""), &sent(20, 1, ""), begin].join("\n"));
        let moments =
            sends(&trace.expect("a trace")).iter().map(|send| send.at.ms()).collect::<Vec<_>>();
        assert_eq!(moments, [5, 20]);
    }

    #[test]
    fn keys_that_are_not_written_are_numbered_on_at_equal_steps() {
        let note = r#","note":"every 4th only""#;
        let sample = r#"{"t_ms":99,"ev":"sample","commit":{},"max":{"0":6},"retryCommit":{},"retryMax":0,"dlqMax":0,"clients":[]}"#;
        let trace = read(&[HEADER, &sent(0, 0, note), &sent(40, 4, note), sample].join("\n"));
        let found = sends(&trace.expect("a trace"));
        let found = found.iter().map(|send| (send.at.ms(), &*send.key)).collect::<Vec<_>>();
        assert_eq!(found, [(0, "k0"), (10, "k1"), (20, "k2"), (30, "k3"), (40, "k4"), (50, "k5")]);
    }
}
