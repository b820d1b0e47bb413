//! Compares what was expected with what was observed, line by line.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::check_state;
use super::expectation::{By, Check, Expectation, Moments, Times, Which};
use super::observe::{Delivery, Observed, Sent, Setback, observe};
use crate::model::ids::QueueId;
use crate::model::order;
use crate::model::time::Millis;
use crate::scenario::Scenario;
use crate::scenario::duration;

/// How one line came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What the author calls it.
    pub line: String,
    /// What it is about: `deliveries of m0..m9`.
    pub about: String,
    pub wanted: String,
    pub found: String,
    pub holds: bool,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mark = if self.holds { "ok  " } else { "FAIL" };
        let Outcome { line, about, wanted, found, .. } = self;
        write!(f, "{mark} {line}: {about}: wanted {wanted}, found {found}")
    }
}

/// Runs a scenario and checks all that it expects, in the order of the file.
pub fn check_all(scenario: &Scenario) -> Vec<Outcome> {
    let observed = observe(scenario);
    scenario.expectations.iter().map(|expectation| check(expectation, &observed)).collect()
}

/// What a check found: its subject, what was wanted, what was found, and whether it holds.
pub struct Found {
    pub about: String,
    pub wanted: String,
    pub found: String,
    pub holds: bool,
}

fn check(expectation: &Expectation, observed: &Observed) -> Outcome {
    let found = match &expectation.check {
        Check::Deliveries { which, by, times, window } => {
            deliveries(observed, which, by, *times, *window)
        }
        Check::DeliveriesTotal { by, times, window } => {
            let count = observed
                .deliveries
                .iter()
                .filter(|delivery| is_by(delivery, by) && is_in(delivery.at, *window))
                .count() as i64;
            number(&format!("deliveries in all{}", by_text(by)), *times, count)
        }
        Check::DeliveredAt { which, by, nth, moments } => {
            delivered_at(observed, which, by, *nth, moments)
        }
        Check::ReconsumeTimesSeen { key, times } => reconsume_times(observed, key, times),
        Check::Batches { by, sizes } => batches(observed, by, sizes),
        Check::MaxConcurrency { consumer, times } => {
            number("most calls at one time", *times, most_at_once(observed, consumer.as_deref()))
        }
        Check::Completed { count, moments } => completed(observed, *count, moments),
        Check::OffsetOf { key, offset } => offset_of(observed, key, *offset),
        Check::StoredOn { which, brokers } => stored_on(observed, which, *brokers),
        Check::FlowControl { reason, every, window } => {
            periodic("pulls postponed", &observed.postponed, reason, *every, *window)
        }
        Check::PullErrors { code, every, window } => {
            periodic("pulls refused", &observed.refused, code, *every, *window)
        }
        check => check_state::check(check, observed),
    };
    let Found { about, wanted, found, holds } = found;
    Outcome { line: expectation.line.clone(), about, wanted, found, holds }
}

/// A number that has to keep its bounds.
pub fn number(about: &str, wanted: Times, found: i64) -> Found {
    Found {
        about: about.to_owned(),
        wanted: wanted.to_string(),
        found: found.to_string(),
        holds: wanted.contains(found),
    }
}

fn is_in(at: Millis, window: Option<(Millis, Millis)>) -> bool {
    window.is_none_or(|(from, to)| (from..=to).contains(&at))
}

pub fn is_by(delivery: &Delivery, by: &By) -> bool {
    by.consumer.as_ref().is_none_or(|consumer| delivery.who.is(consumer))
        && by.from_topic.as_ref().is_none_or(|topic| delivery.message.topic == *topic)
        && by.from_broker.as_ref().is_none_or(|broker| delivery.broker == *broker)
        && by.reconsume_times.is_none_or(|times| delivery.reconsume_times == times)
}

/// The messages meant, in the order in which they were sent.
pub fn select<'a>(observed: &'a Observed, which: &Which) -> Vec<&'a Sent> {
    let sent = observed.sent.iter();
    sent.filter(|sent| {
        (which.keys.is_empty() || which.keys.iter().any(|pattern| is_key(&sent.key, pattern)))
            && which.topic.as_ref().is_none_or(|topic| sent.topic == *topic)
            && (which.queues.is_empty() || which.queues.contains(&sent.queue_id.0))
    })
    .collect()
}

/// Whether a key is meant by a pattern: itself, or a range `m0..m39`.
pub fn is_key(key: &str, pattern: &str) -> bool {
    let Some((first, last)) = pattern.split_once("..") else { return key == pattern };
    let (Some((first, low)), Some((last, high)), Some((prefix, number))) =
        (numbered(first), numbered(last), numbered(key))
    else {
        return false;
    };
    prefix == first && prefix == last && (low..=high).contains(&number)
}

/// A key that ends in a number: what comes before it, and the number.
pub fn numbered(key: &str) -> Option<(&str, u64)> {
    let digits = key.len() - key.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (prefix, number) = key.split_at(key.len() - digits);
    number.parse().ok().map(|number| (prefix, number))
}

/// A problem with the number of messages meant, if the expectation says how many.
fn wrong_count(which: &Which, found: usize) -> Option<Found> {
    let is_wrong = match which.count {
        Some(count) => found != count as usize,
        None => found == 0,
    };
    let wanted = which.count.map_or("at least 1".to_owned(), |count| count.to_string());
    is_wrong.then(|| Found {
        about: format!("messages {}", which_text(which)),
        wanted,
        found: found.to_string(),
        holds: false,
    })
}

fn which_text(which: &Which) -> String {
    let keys = if which.keys.is_empty() { "all".to_owned() } else { which.keys.join(", ") };
    match which.queues.as_slice() {
        [] => keys,
        queues => format!("{keys} of queues {queues:?}"),
    }
}

fn by_text(by: &By) -> String {
    let consumer = by.consumer.as_ref().map(|consumer| format!(" by {consumer}"));
    let topic = by.from_topic.as_ref().map(|topic| format!(" from {topic}"));
    let broker = by.from_broker.as_ref().map(|broker| format!(" at {broker}"));
    let times = by.reconsume_times.map(|times| format!(" with reconsumeTimes {times}"));
    [consumer, topic, broker, times].into_iter().flatten().collect()
}

/// The deliveries of a message, in order.
fn of_message<'a>(observed: &'a Observed, sent: &Sent) -> impl Iterator<Item = &'a Delivery> {
    let (key, topic) = (sent.key.clone(), sent.topic.clone());
    observed.deliveries.iter().filter(move |delivery| {
        delivery.key == key && *delivery.message.topic_for_listener() == topic
    })
}

/// How often each message was delivered.
pub fn delivery_counts(observed: &Observed) -> BTreeMap<(Rc<str>, String), i64> {
    let mut counts = BTreeMap::new();
    for delivery in &observed.deliveries {
        let topic = delivery.message.topic_for_listener().to_string();
        *counts.entry((delivery.key.clone(), topic)).or_insert(0) += 1;
    }
    counts
}

fn deliveries(
    observed: &Observed,
    which: &Which,
    by: &By,
    times: Times,
    window: Option<(Millis, Millis)>,
) -> Found {
    let sent = select(observed, which);
    if let Some(wrong) = wrong_count(which, sent.len()) {
        return wrong;
    }
    let mut found: BTreeMap<i64, Vec<Rc<str>>> = BTreeMap::new();
    for sent in sent {
        let count = of_message(observed, sent)
            .filter(|delivery| is_by(delivery, by) && is_in(delivery.at, window))
            .count();
        found.entry(count as i64).or_default().push(sent.key.clone());
    }
    let holds = found.keys().all(|count| times.contains(*count));
    let texts = found.iter().map(|(count, keys)| format!("{count} for {}", some_keys(keys)));
    Found {
        about: format!("deliveries of {}{}", which_text(which), by_text(by)),
        wanted: times.to_string(),
        found: texts.collect::<Vec<_>>().join("; "),
        holds,
    }
}

fn some_keys(keys: &[Rc<str>]) -> String {
    match keys {
        [] => "none".to_owned(),
        [one] => one.to_string(),
        [first, .., last] => format!("{first}..{last} ({})", keys.len()),
    }
}

/// When the `place`-th message (from 0) has to come, at its `nth` delivery (from 0).
fn due(moments: &Moments, place: usize, nth: usize) -> Option<(Millis, Millis)> {
    let around = |at: Millis, tolerance: Millis| (at - tolerance, at + tolerance);
    match moments {
        Moments::At { at, tolerance } => Some(around(*at, *tolerance)),
        Moments::Window { from, to } => Some((*from, *to)),
        Moments::Each { at, tolerance } => Some(around(*at.get(nth)?, *tolerance)),
        Moments::Every { at, every, tolerance } => {
            Some(around(*at + *every * place as u64, *tolerance))
        }
    }
}

fn moments_text(moments: &Moments) -> String {
    let text = duration::write;
    match moments {
        Moments::At { at, tolerance } => format!("{} ± {}", text(*at), text(*tolerance)),
        Moments::Window { from, to } => format!("{} to {}", text(*from), text(*to)),
        Moments::Each { at, tolerance } => {
            let moments = at.iter().map(|at| text(*at)).collect::<Vec<_>>();
            format!("{} ± {}", moments.join(", "), text(*tolerance))
        }
        Moments::Every { at, every, tolerance } => {
            format!("{}, then every {}, ± {}", text(*at), text(*every), text(*tolerance))
        }
    }
}

fn delivered_at(observed: &Observed, which: &Which, by: &By, nth: u32, moments: &Moments) -> Found {
    let sent = select(observed, which);
    if let Some(wrong) = wrong_count(which, sent.len()) {
        return wrong;
    }
    let (mut holds, mut earliest, mut latest) = (true, Millis::MAX, Millis::ZERO);
    let mut wrong = Vec::new();
    for (place, sent) in sent.iter().enumerate() {
        let all = of_message(observed, sent).collect::<Vec<_>>();
        let meant: Vec<(usize, Option<&Delivery>)> = match (nth, moments) {
            (_, Moments::Each { at, .. }) => {
                (0..at.len().max(all.len())).map(|nth| (nth, all.get(nth).copied())).collect()
            }
            (0, _) => all.iter().enumerate().map(|(nth, one)| (nth, Some(*one))).collect(),
            (nth, _) => vec![(nth as usize - 1, all.get(nth as usize - 1).copied())],
        };
        for (nth, delivery) in meant {
            let window = due(moments, place, nth);
            let is_right = delivery.zip(window).is_some_and(|(delivery, (from, to))| {
                is_by(delivery, by) && (from..=to).contains(&delivery.at)
            });
            if let Some(delivery) = delivery {
                earliest = earliest.min(delivery.at);
                latest = latest.max(delivery.at);
            }
            if !is_right {
                holds = false;
                wrong.push(delivery_text(sent, nth, delivery));
            }
        }
    }
    let span = match earliest <= latest {
        true => format!("{} to {}", duration::write(earliest), duration::write(latest)),
        false => "none".to_owned(),
    };
    let nth = if nth == 1 { String::new() } else { format!(", number {nth}") };
    Found {
        about: format!("delivery of {}{nth}{}", which_text(which), by_text(by)),
        wanted: moments_text(moments),
        found: if holds { span } else { format!("{span}; {}", first_few(&wrong)) },
        holds,
    }
}

fn delivery_text(sent: &Sent, nth: usize, delivery: Option<&Delivery>) -> String {
    let key = &sent.key;
    match delivery {
        None => format!("{key} has no delivery {}", nth + 1),
        Some(delivery) => format!(
            "{key} at {} by {} from {} at {} with reconsumeTimes {}",
            duration::write(delivery.at),
            delivery.who.client_id,
            delivery.message.topic,
            delivery.broker,
            delivery.reconsume_times,
        ),
    }
}

fn first_few(texts: &[String]) -> String {
    const FEW: usize = 3;
    let few = texts.iter().take(FEW).cloned().collect::<Vec<_>>().join("; ");
    match texts.len().saturating_sub(FEW) {
        0 => few,
        more => format!("{few}; and {more} more"),
    }
}

fn list<T: std::fmt::Debug + PartialEq>(about: &str, wanted: &[T], found: &[T]) -> Found {
    Found {
        about: about.to_owned(),
        wanted: format!("{wanted:?}"),
        found: format!("{found:?}"),
        holds: wanted == found,
    }
}

fn reconsume_times(observed: &Observed, key: &str, wanted: &[i32]) -> Found {
    let of_key = observed.deliveries.iter().filter(|delivery| *delivery.key == *key);
    let found = of_key.map(|delivery| delivery.reconsume_times).collect::<Vec<_>>();
    list(&format!("reconsumeTimes seen of {key}"), wanted, &found)
}

fn batches(observed: &Observed, by: &By, wanted: &[u32]) -> Found {
    let is_meant = |who: &super::sample::Who| by.consumer.as_ref().is_none_or(|it| who.is(it));
    let calls = observed.begun.iter().filter(|call| is_meant(&call.who));
    let found = calls.map(|call| call.messages).collect::<Vec<_>>();
    list("sizes of the listener calls", wanted, &found)
}

/// Listener calls of a consumer that are under way at `at`.
pub fn in_listener(observed: &Observed, consumer: Option<&str>, at: Millis) -> i64 {
    let count = |calls: &[super::observe::Call]| {
        let meant = calls.iter().filter(|call| consumer.is_none_or(|it| call.who.is(it)));
        meant.filter(|call| call.at <= at).count() as i64
    };
    count(&observed.begun) - count(&observed.ended)
}

fn most_at_once(observed: &Observed, consumer: Option<&str>) -> i64 {
    let begun = observed.begun.iter();
    begun.map(|call| in_listener(observed, consumer, call.at)).max().unwrap_or(0)
}

fn completed(observed: &Observed, count: u32, moments: &Moments) -> Found {
    let found = observed.completed.get((count as usize).saturating_sub(1)).copied();
    let holds = found
        .zip(due(moments, 0, 0))
        .is_some_and(|(found, (from, to))| (from..=to).contains(&found));
    Found {
        about: format!("{count} messages consumed"),
        wanted: moments_text(moments),
        found: found.map_or_else(|| format!("only {}", observed.completed.len()), duration::write),
        holds,
    }
}

fn offset_of(observed: &Observed, key: &str, wanted: i64) -> Found {
    let found = observed.sent.iter().find(|sent| *sent.key == *key);
    let found = found.map(|sent| sent.queue_offset);
    Found {
        about: format!("offset of {key}"),
        wanted: wanted.to_string(),
        found: found.map_or("not stored".to_owned(), |found| found.to_string()),
        holds: found == Some(wanted),
    }
}

fn stored_on(observed: &Observed, which: &Which, brokers: Times) -> Found {
    let sent = select(observed, which);
    if let Some(wrong) = wrong_count(which, sent.len()) {
        return wrong;
    }
    let mut found = sent.iter().map(|sent| sent.broker.clone()).collect::<Vec<_>>();
    order::sort(&mut found);
    found.dedup();
    Found {
        about: format!("brokers that store {}", which_text(which)),
        wanted: brokers.to_string(),
        found: format!("{} ({})", found.len(), found.join(", ")),
        holds: brokers.contains(found.len() as i64),
    }
}

/// Setbacks of one kind that come in a steady rhythm within a window, for each queue of each client.
fn periodic(
    about: &str,
    setbacks: &[Setback],
    why: &str,
    every: Millis,
    (from, to): (Millis, Millis),
) -> Found {
    /// Answers of the network may come a little later.
    const SLACK: u64 = 20;
    let mut by_queue: BTreeMap<(String, String, QueueId), Vec<Millis>> = BTreeMap::new();
    for setback in setbacks.iter().filter(|it| it.why == why && is_in(it.at, Some((from, to)))) {
        let key = (setback.who.client_id.to_string(), setback.topic.to_string(), setback.queue_id);
        by_queue.entry(key).or_default().push(setback.at);
    }
    let gaps = by_queue.values().flat_map(|times| {
        times.windows(2).map(|pair| (pair[1] - pair[0]).ms()).collect::<Vec<_>>()
    });
    let gaps = gaps.collect::<Vec<_>>();
    let (low, high) = (gaps.iter().min().copied(), gaps.iter().max().copied());
    let wanted = every.ms();
    let reaches = |times: &Vec<Millis>| {
        let edge = every * 3;
        let is_late = times.first().is_none_or(|first| first.since(from) > edge);
        !is_late && times.last().is_some_and(|last| to.since(*last) <= edge)
    };
    let holds = low.is_some_and(|low| low >= wanted)
        && high.is_some_and(|high| high <= wanted + SLACK)
        && by_queue.values().all(reaches);
    Found {
        about: format!("{about} with {why}"),
        wanted: format!(
            "one every {} from {} to {}",
            duration::write(every),
            duration::write(from),
            duration::write(to)
        ),
        found: match (low, high) {
            (Some(low), Some(high)) => format!("gaps of {low} to {high} ms"),
            _ => "none".to_owned(),
        },
        holds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_keys_takes_the_numbers_between_and_nothing_else() {
        assert!(is_key("m0", "m0..m39") && is_key("m39", "m0..m39") && is_key("m7", "m7"));
        for (key, pattern) in [("m40", "m0..m39"), ("x3", "m0..m39"), ("m", "m0..m9")] {
            assert!(!is_key(key, pattern), "{key} {pattern}");
        }
    }
}
