//! `MarkId` ↔ the readable text of `sel=` in an address: `q.orders.broker-a.0`, `msg.7`.
//!
//! Parts are joined by dots; what is no letter, digit, minus or underscore is written as `~` and two
//! hexadecimal digits, so that a name such as `%RETRY%bill` stays one part in every chat program.

use std::fmt::Display;

use crate::model::ids::{
    BrokerIndex, BrokerName, CallId, ProcessIndex, ProcessQueueId, QueueId, TopicName, UniqueKey,
};
use crate::model::message::MessageId;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::PhysicalOffset;
use crate::scene::mark::MarkId;

pub fn write(mark: &MarkId) -> String {
    match mark {
        MarkId::NameServer(index) => join("ns", &[index]),
        MarkId::Producer(process) => join("producer", &[process]),
        MarkId::Broker(broker) => join("broker", &[broker]),
        MarkId::CommitLog(broker) => join("log", &[broker]),
        MarkId::Queue(queue) => join_queue("q", None, queue),
        MarkId::Copy(copy) => join("copy", &[&copy.broker_name, &copy.physical_offset.0]),
        MarkId::Message(key) => join("msg", &[key]),
        MarkId::DelayLevel { broker, level } => join("level", &[broker, level]),
        MarkId::DeadLetters(queue) => join_queue("dead", None, queue),
        MarkId::BrokerLedger(broker) => join("ledger", &[broker]),
        MarkId::Lock(queue) => join_queue("lock", None, queue),
        MarkId::Call(call) => join("call", &[call]),
        MarkId::Consumer(process) => join("c", &[process]),
        MarkId::Pull { process, queue } => join_queue("pull", Some(*process), queue),
        MarkId::Shelf { process, process_queue } => join("shelf", &[process, process_queue]),
        MarkId::Belief { process, queue } => join_queue("belief", Some(*process), queue),
        MarkId::ConsumeRequests(process) => join("waiting", &[process]),
        MarkId::Worker { process, index } => join("worker", &[process, index]),
        MarkId::ConsumerLedger(process) => join("offsets", &[process]),
        MarkId::Rebalance(process) => join("rebalance", &[process]),
    }
}

fn join(kind: &str, parts: &[&dyn Display]) -> String {
    let mut out = kind.to_owned();
    for part in parts {
        out.push('.');
        out.push_str(&escape(&part.to_string()));
    }
    out
}

fn join_queue(kind: &str, process: Option<ProcessIndex>, queue: &MessageQueue) -> String {
    let (topic, broker_name, queue_id) = (&queue.topic, &queue.broker_name, &queue.queue_id);
    match process {
        None => join(kind, &[topic, broker_name, queue_id]),
        Some(process) => join(kind, &[&process, topic, broker_name, queue_id]),
    }
}

/// `None` if it names nothing that could be selected.
pub fn read(text: &str) -> Option<MarkId> {
    if text.len() > 512 {
        return None;
    }
    let parts: Vec<String> = text.split('.').map(unescape).collect::<Option<_>>()?;
    let mut parts = Parts(parts.iter());
    let kind = parts.text()?;
    let mark = match kind {
        "ns" => MarkId::NameServer(parts.number()?),
        "producer" => MarkId::Producer(ProcessIndex(parts.number()?)),
        "broker" => MarkId::Broker(BrokerIndex(parts.number()?)),
        "log" => MarkId::CommitLog(BrokerIndex(parts.number()?)),
        "q" => MarkId::Queue(parts.queue()?),
        "copy" => MarkId::Copy(MessageId {
            broker_name: BrokerName::new(parts.text()?),
            physical_offset: PhysicalOffset(parts.number()?),
        }),
        "msg" => MarkId::Message(UniqueKey(parts.number()?)),
        "level" => {
            MarkId::DelayLevel { broker: BrokerIndex(parts.number()?), level: parts.number()? }
        }
        "dead" => MarkId::DeadLetters(parts.queue()?),
        "ledger" => MarkId::BrokerLedger(BrokerIndex(parts.number()?)),
        "lock" => MarkId::Lock(parts.queue()?),
        "call" => MarkId::Call(CallId(parts.number()?)),
        "c" => MarkId::Consumer(ProcessIndex(parts.number()?)),
        "pull" => MarkId::Pull { process: ProcessIndex(parts.number()?), queue: parts.queue()? },
        "shelf" => MarkId::Shelf {
            process: ProcessIndex(parts.number()?),
            process_queue: ProcessQueueId(parts.number()?),
        },
        "belief" => {
            MarkId::Belief { process: ProcessIndex(parts.number()?), queue: parts.queue()? }
        }
        "waiting" => MarkId::ConsumeRequests(ProcessIndex(parts.number()?)),
        "worker" => {
            MarkId::Worker { process: ProcessIndex(parts.number()?), index: parts.number()? }
        }
        "offsets" => MarkId::ConsumerLedger(ProcessIndex(parts.number()?)),
        "rebalance" => MarkId::Rebalance(ProcessIndex(parts.number()?)),
        _ => return None,
    };
    parts.0.next().is_none().then_some(mark)
}

struct Parts<'a>(std::slice::Iter<'a, String>);

impl<'a> Parts<'a> {
    fn text(&mut self) -> Option<&'a str> {
        self.0.next().map(String::as_str)
    }

    fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.text()?.parse().ok()
    }

    fn queue(&mut self) -> Option<MessageQueue> {
        let topic = TopicName::new(self.text()?);
        let broker_name = BrokerName::new(self.text()?);
        Some(MessageQueue { topic, broker_name, queue_id: QueueId(self.number()?) })
    }
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("~{byte:02X}"));
        }
    }
    out
}

fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'~' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Vec<MarkId> {
        let queue = MessageQueue::new("%RETRY%bill".into(), "broker-a".into(), QueueId(0));
        let process = ProcessIndex(3);
        let copy = MessageId { broker_name: "b.1".into(), physical_offset: PhysicalOffset(600) };
        vec![
            MarkId::NameServer(0),
            MarkId::Producer(process),
            MarkId::Broker(BrokerIndex(1)),
            MarkId::CommitLog(BrokerIndex(0)),
            MarkId::Queue(queue.clone()),
            MarkId::Copy(copy),
            MarkId::Message(UniqueKey(7)),
            MarkId::DelayLevel { broker: BrokerIndex(0), level: 4 },
            MarkId::DeadLetters(queue.clone()),
            MarkId::BrokerLedger(BrokerIndex(0)),
            MarkId::Lock(queue.clone()),
            MarkId::Call(CallId(99)),
            MarkId::Consumer(process),
            MarkId::Pull { process, queue: queue.clone() },
            MarkId::Shelf { process, process_queue: ProcessQueueId(5) },
            MarkId::Belief { process, queue },
            MarkId::ConsumeRequests(process),
            MarkId::Worker { process, index: 2 },
            MarkId::ConsumerLedger(process),
            MarkId::Rebalance(process),
        ]
    }

    #[test]
    fn every_mark_comes_back_from_its_text() {
        for mark in some() {
            let text = write(&mark);
            assert_eq!(read(&text).as_ref(), Some(&mark), "{text}");
            assert!(text.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_.~".contains(sign)));
        }
    }

    #[test]
    fn nonsense_names_nothing() {
        for text in ["", "q", "q.a.b", "q.a.b.x", "msg.7.8", "~", "q.~FF.b.0", "nothing.1"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
