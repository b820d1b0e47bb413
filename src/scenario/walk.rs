//! A walkthrough: the marks at which the telling of a run stops, each with what is lit there and what
//! is said (UX 12). It changes nothing in the run.

use std::fmt;

use super::fact::Fact;
use super::scenario::Words;
use crate::model::ids::{QueueId, TopicName};
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::sim::packet::RequestCode;

/// Sentences of a caption, at most.
pub const SENTENCES: usize = 2;

/// One stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkMark {
    pub stop: Stop,
    pub focus: Focus,
    /// At most two sentences: what to watch for, and what it means.
    pub caption: Words,
    /// What of the caption the picture has to show where one stops.
    pub facts: Vec<Fact>,
    /// The releases under which it comes and its caption is true, in their order.
    pub releases: Vec<Profile>,
}

/// When it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    At(Millis),
    Event(Happening),
}

/// The n-th event of a kind, of those that are about what is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// One of [`kind::NAMES`](crate::sim::kind::NAMES).
    pub kind: &'static str,
    /// From 1.
    pub nth: u32,
    /// Counted from this moment on.
    pub after: Millis,
    /// A message's key.
    pub key: Option<String>,
    pub queue: Option<QueueName>,
    /// By this client: an id, or `id#2` for the second process of that id.
    pub consumer: Option<String>,
    /// Of a call: its request code.
    pub code: Option<RequestCode>,
}

/// `orders/0`: a queue of the first broker that has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueueName {
    pub topic: TopicName,
    pub queue_id: QueueId,
}

impl QueueName {
    pub fn parse(text: &str) -> Option<QueueName> {
        let (topic, id) = text.rsplit_once('/')?;
        let queue_id = QueueId(id.parse().ok()?);
        (!topic.is_empty()).then(|| QueueName { topic: TopicName::new(topic), queue_id })
    }
}

impl fmt::Display for QueueName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.topic, self.queue_id)
    }
}

/// The thing on the stage that is lit and selected. Clients are `c1`, or `c1#2` for the second process
/// of that id; brokers are `broker-a`, or `broker-a:1` for a slave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Focus {
    NameServer,
    Producer(String),
    Broker(String),
    /// A message through all its copies, by its key.
    Message(String),
    /// A queue, of a topic, of `%RETRY%group` or of `%DLQ%group`.
    Queue(QueueName),
    /// A delay level.
    Level(u32),
    /// A broker's offset table.
    Ledger(String),
    /// The broker's lock of a queue.
    Lock(QueueName),
    Consumer(String),
    Pull(String, QueueName),
    Shelf(String, QueueName),
    /// The client's belief that it holds the lock.
    Belief(String, QueueName),
    Worker(String, u32),
    /// The ConsumeRequests that wait for a thread.
    Waiting(String),
    /// A client's own offsets.
    Offsets(String),
    Rebalance(String),
}

/// How a focus is written, for whoever wrote it otherwise.
pub const FOCUS_FORMS: &str = "\"nameServer\", \"producer ID\", \"broker NAME\", \"message KEY\", \
    \"queue TOPIC/N\", \"level N\", \"ledger BROKER\", \"lock TOPIC/N\", \"consumer ID\", \
    \"pull ID TOPIC/N\", \"shelf ID TOPIC/N\", \"belief ID TOPIC/N\", \"worker ID N\", \"waiting ID\", \
    \"offsets ID\" or \"rebalance ID\"";

impl Focus {
    pub fn parse(text: &str) -> Option<Focus> {
        if text == "nameServer" {
            return Some(Focus::NameServer);
        }
        // An id or a key may have spaces in it; what follows an id never has.
        let (kind, rest) = text.split_once(' ')?;
        let all = || (!rest.is_empty()).then(|| rest.to_owned());
        let queue = || QueueName::parse(rest);
        let both = || {
            let (id, name) = rest.rsplit_once(' ')?;
            Some((id.to_owned(), name))
        };
        let id_and_queue = || both().and_then(|(id, name)| Some((id, QueueName::parse(name)?)));
        Some(match kind {
            "producer" => Focus::Producer(all()?),
            "broker" => Focus::Broker(all()?),
            "message" => Focus::Message(all()?),
            "queue" => Focus::Queue(queue()?),
            "level" => Focus::Level(rest.parse().ok()?),
            "ledger" => Focus::Ledger(all()?),
            "lock" => Focus::Lock(queue()?),
            "consumer" => Focus::Consumer(all()?),
            "pull" => id_and_queue().map(|(id, queue)| Focus::Pull(id, queue))?,
            "shelf" => id_and_queue().map(|(id, queue)| Focus::Shelf(id, queue))?,
            "belief" => id_and_queue().map(|(id, queue)| Focus::Belief(id, queue))?,
            "worker" => both().and_then(|(id, n)| Some(Focus::Worker(id, n.parse().ok()?)))?,
            "waiting" => Focus::Waiting(all()?),
            "offsets" => Focus::Offsets(all()?),
            "rebalance" => Focus::Rebalance(all()?),
            _ => return None,
        })
    }

    /// The client that it names, if it names one.
    pub fn client(&self) -> Option<&str> {
        match self {
            Focus::Producer(id)
            | Focus::Consumer(id)
            | Focus::Pull(id, _)
            | Focus::Shelf(id, _)
            | Focus::Belief(id, _)
            | Focus::Worker(id, _)
            | Focus::Waiting(id)
            | Focus::Offsets(id)
            | Focus::Rebalance(id) => Some(id),
            _ => None,
        }
    }
}

impl fmt::Display for Focus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Focus::NameServer => write!(f, "nameServer"),
            Focus::Producer(id) => write!(f, "producer {id}"),
            Focus::Broker(name) => write!(f, "broker {name}"),
            Focus::Message(key) => write!(f, "message {key}"),
            Focus::Queue(queue) => write!(f, "queue {queue}"),
            Focus::Level(level) => write!(f, "level {level}"),
            Focus::Ledger(name) => write!(f, "ledger {name}"),
            Focus::Lock(queue) => write!(f, "lock {queue}"),
            Focus::Consumer(id) => write!(f, "consumer {id}"),
            Focus::Pull(id, queue) => write!(f, "pull {id} {queue}"),
            Focus::Shelf(id, queue) => write!(f, "shelf {id} {queue}"),
            Focus::Belief(id, queue) => write!(f, "belief {id} {queue}"),
            Focus::Worker(id, index) => write!(f, "worker {id} {index}"),
            Focus::Waiting(id) => write!(f, "waiting {id}"),
            Focus::Offsets(id) => write!(f, "offsets {id}"),
            Focus::Rebalance(id) => write!(f, "rebalance {id}"),
        }
    }
}

/// Sentences of a text: what ends in `.`, `!`, `?` or a Chinese stop. A point inside a number or a
/// name (`4.2.0`) ends none.
pub fn sentences(text: &str) -> usize {
    let signs = text.trim().chars().collect::<Vec<_>>();
    let ends = signs.iter().enumerate().filter(|(at, sign)| match sign {
        '。' | '！' | '？' => true,
        '.' | '!' | '?' => signs.get(at + 1).is_none_or(|next| next.is_whitespace()),
        _ => false,
    });
    let is_open = signs.last().is_some_and(|last| !"。！？.!?".contains(*last));
    ends.count() + usize::from(is_open)
}

/// What to watch for, and what it means: a caption's first sentence and the rest.
pub fn two_sentences(text: &str) -> (&str, &str) {
    let text = text.trim();
    let ends = text.char_indices().find(|(at, sign)| match sign {
        '。' | '！' | '？' => true,
        '.' | '!' | '?' => text[at + 1..].starts_with(char::is_whitespace),
        _ => false,
    });
    match ends {
        Some((at, sign)) => {
            let (first, rest) = text.split_at(at + sign.len_utf8());
            (first, rest.trim_start())
        }
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_focus_reads_back_from_its_text() {
        for text in [
            "nameServer",
            "producer p",
            "broker broker-a:1",
            "message B",
            "queue %RETRY%bill/0",
            "level 4",
            "ledger broker-a",
            "lock orders/1",
            "consumer 10.0.0.1@1#2",
            "pull client three orders/0",
            "pull c1 orders/0",
            "shelf c1 orders/0",
            "belief c1 orders/0",
            "worker c1 2",
            "waiting c1",
            "offsets c1",
            "rebalance c1",
        ] {
            assert_eq!(Focus::parse(text).map(|focus| focus.to_string()).as_deref(), Some(text));
        }
        for text in ["", "queue", "queue orders", "level four", "shelf orders/0", "cat c1"] {
            assert_eq!(Focus::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_caption_is_parted_after_its_first_sentence() {
        let parted = two_sentences("RocketMQ 4.2.0 waits 2.5 s. Why?");
        assert_eq!(parted, ("RocketMQ 4.2.0 waits 2.5 s.", "Why?"));
        assert_eq!(two_sentences("它失败了。谁看见了？"), ("它失败了。", "谁看见了？"));
        assert_eq!(two_sentences("One only."), ("One only.", ""));
    }

    #[test]
    fn sentences_are_counted_by_their_stops_in_both_languages() {
        assert_eq!(sentences("RocketMQ 4.2.0 waits 2.5 s."), 1);
        assert_eq!(sentences("It fails. Who sees it?"), 2);
        assert_eq!(sentences("它失败了。谁看见了？"), 2);
        assert_eq!(sentences("a heading"), 1);
        assert_eq!(sentences(""), 0);
    }
}
