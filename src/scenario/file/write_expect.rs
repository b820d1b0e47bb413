//! `[[expect]]` as text.

use super::read_expect::TOLERANCE;
use super::toml_text::{Text, key, list, quoted};
use crate::model::ids::TopicName;
use crate::model::time::Millis;
use crate::scenario::duration;
use crate::scenario::expect::{
    By, Check, Committed, Expectation, Moments, OwnedQueues, Times, When, Which,
};

pub fn expectation(text: &mut Text, expectation: &Expectation) {
    text.table("expect");
    text.field("line", &quoted(&expectation.line));
    of_deliveries(text, &expectation.check);
    of_states(text, &expectation.check);
}

fn of_deliveries(text: &mut Text, check: &Check) {
    match check {
        Check::Deliveries { which, by, times, window } => {
            self::which(text, "deliveries", which);
            self::by(text, by);
            text.field("times", &self::times(*times));
            optional_window(text, *window);
        }
        Check::DeliveriesTotal { by, times, window } => {
            text.field("deliveriesTotal", &self::times(*times));
            self::by(text, by);
            optional_window(text, *window);
        }
        Check::DeliveredAt { which, by, nth, moments } => {
            self::which(text, "deliveredAt", which);
            self::by(text, by);
            if *nth != 1 {
                text.field("nth", &nth.to_string());
            }
            self::moments(text, moments);
        }
        Check::ReconsumeTimesSeen { key, times } => {
            text.field("reconsumeTimesSeen", &list(times.iter().map(i32::to_string)));
            text.field("key", &quoted(key));
        }
        Check::Batches { by, sizes } => {
            text.field("batches", &list(sizes.iter().map(u32::to_string)));
            self::by(text, by);
        }
        Check::MaxConcurrency { consumer, times } => {
            text.field("maxConcurrency", &self::times(*times));
            optional_consumer(text, consumer.as_deref());
        }
        Check::Completed { count, moments } => {
            text.field("completed", &count.to_string());
            self::moments(text, moments);
        }
        Check::OffsetOf { key, offset } => {
            text.field("offsetOf", &quoted(key));
            text.field("offset", &offset.to_string());
        }
        Check::StoredOn { which, brokers } => {
            text.field("storedOn", &self::times(*brokers));
            self::which(text, "keys", which);
        }
        Check::FlowControl { reason, every, window } => {
            text.field("flowControl", &time(*every));
            text.field("reason", &quoted(reason));
            optional_window(text, Some(*window));
        }
        Check::PullErrors { code, every, window } => {
            text.field("pullErrors", &quoted(code));
            text.field("every", &time(*every));
            optional_window(text, Some(*window));
        }
        Check::DeliveredTwice { queue } => text.field("deliveredTwice", &quoted(queue)),
        _ => {}
    }
}

#[expect(clippy::too_many_lines, reason = "a table with one entry for each word")]
fn of_states(text: &mut Text, check: &Check) {
    match check {
        Check::Committed { value, group, topic, queues, broker, when } => {
            let value = match value {
                Committed::Offset(times) => self::times(*times),
                Committed::Absent => quoted("absent"),
                Committed::ZeroOrAbsent => quoted("0 or absent"),
            };
            text.field("committed", &value);
            if let Some(group) = group {
                text.field("group", &quoted(group.as_str()));
            }
            self::topic(text, topic);
            text.field("queues", &list(queues.iter().map(u32::to_string)));
            if let Some(broker) = broker {
                text.field("broker", &quoted(broker));
            }
            self::when(text, *when);
        }
        Check::LocalOffset { consumer, topic, queue, value, when } => {
            text.field("localOffset", &times(*value));
            of_queue(text, consumer, topic, *queue, *when);
        }
        Check::MaxOffset { queues, broker, value, when } => {
            text.field("maxOffset", &times(*value));
            text.field("of", &list(queues.iter().map(|queue| quoted(queue))));
            if let Some(broker) = broker {
                text.field("broker", &quoted(broker));
            }
            self::when(text, *when);
        }
        Check::Owner { topic, owners, when } => {
            let owner = |OwnedQueues { consumer, queues }: &OwnedQueues| {
                format!("{} = {}", key(consumer), list(queues.iter().map(u32::to_string)))
            };
            let owners = owners.iter().map(owner).collect::<Vec<_>>().join(", ");
            text.field("owner", &format!("{{ {owners} }}"));
            self::topic(text, topic);
            self::when(text, *when);
        }
        Check::Orphan { topic, queues, when } => {
            text.field("orphan", &list(queues.iter().map(u32::to_string)));
            self::topic(text, topic);
            self::when(text, *when);
        }
        Check::OwnerCount { consumer, times, retry, when } => {
            text.field("ownerCount", &self::times(*times));
            text.field("consumer", &quoted(consumer));
            text.field("retry", &retry.to_string());
            self::when(text, *when);
        }
        Check::Cached { consumer, topic, queue, times, when } => {
            text.field("cached", &self::times(*times));
            of_queue(text, consumer, topic, *queue, *when);
        }
        Check::InListener { consumer, times, when } => {
            text.field("inListener", &self::times(*times));
            optional_consumer(text, consumer.as_deref());
            self::when(text, *when);
        }
        Check::NextPullOffset { consumer, topic, queue, offset, when } => {
            text.field("nextPullOffset", &offset.to_string());
            of_queue(text, consumer, topic, *queue, *when);
        }
        Check::TopicOn { topic, brokers, queues } => {
            text.field("topicOn", &times(*brokers));
            self::topic(text, topic);
            if let Some(queues) = queues {
                text.field("queues", &queues.to_string());
            }
        }
        Check::Winner { topic, deliveries, at } => {
            text.field("winner", &times(*deliveries));
            self::topic(text, topic);
            text.field("at", &time(*at));
        }
        _ => {}
    }
}

fn of_queue(text: &mut Text, consumer: &str, topic: &TopicName, queue: u32, when: When) {
    text.field("consumer", &quoted(consumer));
    self::topic(text, topic);
    text.field("queue", &queue.to_string());
    self::when(text, when);
}

fn topic(text: &mut Text, topic: &TopicName) {
    text.field("topic", &quoted(topic.as_str()));
}

fn optional_consumer(text: &mut Text, consumer: Option<&str>) {
    if let Some(consumer) = consumer {
        text.field("consumer", &quoted(consumer));
    }
}

fn which(text: &mut Text, word: &str, which: &Which) {
    let keys = match which.keys.as_slice() {
        [] => quoted("all"),
        [one] => quoted(one),
        keys => list(keys.iter().map(|key| quoted(key))),
    };
    // `keys` may be left out.
    if word != "keys" || !which.keys.is_empty() {
        text.field(word, &keys);
    }
    if let Some(topic) = &which.topic {
        self::topic(text, topic);
    }
    if !which.queues.is_empty() {
        text.field("queues", &list(which.queues.iter().map(u32::to_string)));
    }
    if let Some(count) = which.count {
        text.field("count", &count.to_string());
    }
}

fn by(text: &mut Text, by: &By) {
    optional_consumer(text, by.consumer.as_deref());
    if let Some(topic) = &by.from_topic {
        text.field("fromTopic", &quoted(topic.as_str()));
    }
    if let Some(broker) = &by.from_broker {
        text.field("fromBroker", &quoted(broker));
    }
    if let Some(times) = by.reconsume_times {
        text.field("reconsumeTimes", &times.to_string());
    }
}

fn times(times: Times) -> String {
    match (times.low, times.high) {
        (low, high) if low == high => low.to_string(),
        (low, i64::MAX) => quoted(&format!(">= {low}")),
        (low, high) => format!("[{low}, {high}]"),
    }
}

fn time(time: Millis) -> String {
    quoted(&duration::write(time))
}

fn optional_window(text: &mut Text, window: Option<(Millis, Millis)>) {
    if let Some((from, to)) = window {
        text.field("window", &list([time(from), time(to)]));
    }
}

fn when(text: &mut Text, when: When) {
    match when {
        When::At(at) => text.field("at", &time(at)),
        When::From(from) => text.field("from", &time(from)),
        When::End => {}
    }
}

fn moments(text: &mut Text, moments: &Moments) {
    match moments {
        Moments::At { at, .. } => text.field("at", &time(*at)),
        Moments::Window { from, to } => optional_window(text, Some((*from, *to))),
        Moments::Each { at, .. } => text.field("each", &list(at.iter().map(|at| time(*at)))),
        Moments::Every { at, every, .. } => {
            text.field("at", &time(*at));
            text.field("every", &time(*every));
        }
    }
    if let Moments::At { tolerance, .. }
    | Moments::Each { tolerance, .. }
    | Moments::Every { tolerance, .. } = moments
        && *tolerance != TOLERANCE
    {
        text.field("tolerance", &time(*tolerance));
    }
}
