//! A trace as types: what was recorded of one run of the real RocketMQ, line by line.
//!
//! Our own runs are put into the same types (`words`), so that one comparison serves both. Every time
//! of a trace is on one clock, in ms since the trace's start.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::act::Act;
use super::starting::Starting;
use crate::model::ids::{GroupName, QueueId, TopicName};
use crate::model::offset::QueueOffset;
use crate::model::profile::Profile;
use crate::model::time::Millis;

/// The short name of a consumer process in a trace (`c1`); its client id ends in it.
pub type ClientName = Rc<str>;

/// The first line: which scenario ran, and on what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub scenario: String,
    pub run: String,
    pub profile: Profile,
    pub topic: TopicName,
    /// The topic of the members that have a `subtopic`.
    pub topic2: Option<TopicName>,
    pub group: GroupName,
    /// Read = write queues of each topic.
    pub queues: u32,
    /// Whether the first message of a queue counts as in memory: not with
    /// `broker_accessMessageInMemoryMaxRatio` 0.
    pub first_message_in_memory: bool,
}

/// One line: its number in the file (the header is line 1), its moment, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub number: u32,
    pub at: Millis,
    pub word: Word,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub header: Header,
    pub lines: Vec<Line>,
}

impl Trace {
    /// The moment of the last line, which ends the run.
    pub fn end(&self) -> Millis {
        self.lines.last().map_or(Millis::ZERO, |line| line.at)
    }
}

/// A delivery, by the place of its record and the reconsumeTimes that the listener saw.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Delivery {
    pub client: ClientName,
    /// The queue's real topic: `%RETRY%group` for a retry.
    pub topic: TopicName,
    pub queue_id: QueueId,
    pub queue_offset: QueueOffset,
    pub key: Rc<str>,
    pub reconsume_times: i32,
}

/// The broker's state for the run's own topics and group, written when it changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    pub commit: BTreeMap<QueueId, QueueOffset>,
    pub max: BTreeMap<QueueId, QueueOffset>,
    pub retry_commit: BTreeMap<QueueId, QueueOffset>,
    pub retry_max: QueueOffset,
    pub dlq_max: QueueOffset,
    /// The client ids that the broker knows as members.
    pub clients: Vec<Rc<str>>,
}

/// The header fields of a request, as far as it has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RpcFields {
    pub topic: Option<TopicName>,
    pub queue_id: Option<QueueId>,
    /// PULL_MESSAGE's position.
    pub queue_offset: Option<QueueOffset>,
    pub max_msg_nums: Option<u32>,
    pub sys_flag: Option<u32>,
    pub commit_offset: Option<QueueOffset>,
    /// CONSUMER_SEND_MSG_BACK: the physical offset, the level and the limit that were asked.
    pub physical_offset: Option<u64>,
    pub delay_level: Option<i32>,
    pub max_reconsume_times: Option<i32>,
    pub origin_topic: Option<TopicName>,
    /// LOCK_BATCH_MQ, UNLOCK_BATCH_MQ: the queues of the body.
    pub queues: Option<Vec<(TopicName, QueueId)>>,
}

/// What the answer of a synchronous request brought, as far as it is of use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RpcAnswer {
    /// The response code.
    pub response: i64,
    pub offset: Option<QueueOffset>,
    pub members: Option<Vec<Rc<str>>>,
    pub locked: Option<Vec<(TopicName, QueueId)>>,
}

/// A record read back from a system topic, with the properties that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCopy {
    pub topic: TopicName,
    pub queue_id: QueueId,
    pub queue_offset: QueueOffset,
    pub stored_at: Millis,
    pub born_at: Millis,
    pub reconsume_times: i32,
    pub key: Rc<str>,
    pub properties: BTreeMap<String, String>,
}

/// How a broker was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokerEnd {
    Term,
    Kill9,
    /// The process is frozen; `broker_start` lets it go on.
    SigStop,
}

/// A message that the producer sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    pub topic: TopicName,
    pub queue_id: QueueId,
    /// For a delayed message the place in SCHEDULE_TOPIC_XXXX.
    pub queue_offset: QueueOffset,
    pub key: Rc<str>,
    pub act: Act,
    pub level: i32,
    pub tag: Option<Rc<str>>,
    /// Address and physical offset of the first stored copy, as RocketMQ writes it.
    pub offset_msg_id: Option<Rc<str>>,
    /// Only some of the sends are written; the keys between are to be filled in.
    pub is_sparse: bool,
}

/// One `ProcessQueue` of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessQueueSample {
    pub topic: TopicName,
    pub queue_id: QueueId,
    pub msg_count: i64,
    pub span: i64,
    pub memory_offset: QueueOffset,
    pub locked: Option<bool>,
}

/// The event words of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    Starting(Box<Starting>),
    Started {
        client: ClientName,
        client_id: Rc<str>,
    },
    Sent(Box<Sent>),
    Begin {
        delivery: Delivery,
        born: Millis,
        store: Millis,
    },
    Consumed {
        delivery: Delivery,
        result: Rc<str>,
        batch: u32,
    },
    Rpc {
        client: ClientName,
        code: Rc<str>,
        fields: Box<RpcFields>,
    },
    RpcReturned {
        client: ClientName,
        code: Rc<str>,
        answer: Box<RpcAnswer>,
    },
    Assign {
        client: ClientName,
        queues: BTreeMap<TopicName, Vec<QueueId>>,
    },
    ProcessQueue {
        client: ClientName,
        sample: Box<ProcessQueueSample>,
    },
    Sample(Box<Sample>),
    Schedule {
        max: BTreeMap<u32, QueueOffset>,
        delivered: BTreeMap<u32, QueueOffset>,
    },
    Stored(Box<StoredCopy>),
    /// The recording side could not read this topic back.
    DumpFailed {
        topic: TopicName,
    },
    Kill9 {
        client: ClientName,
    },
    SigTerm {
        client: ClientName,
    },
    ShutdownBegin {
        client: ClientName,
    },
    ShutdownEnd {
        client: ClientName,
    },
    BrokerStop {
        how: BrokerEnd,
    },
    BrokerStart,
    BrokerStarted,
    ResetBegin,
    SetOffset {
        offset: QueueOffset,
    },
    /// The runner ended a consumer that still ran.
    HarnessEnd {
        client: ClientName,
    },
    /// A word that is neither input nor compared, by its name.
    Remark(Rc<str>),
}

impl Word {
    /// The consumer process that the word is about.
    pub fn client(&self) -> Option<&ClientName> {
        match self {
            Word::Starting(starting) => Some(&starting.client),
            Word::Begin { delivery, .. } | Word::Consumed { delivery, .. } => {
                Some(&delivery.client)
            }
            Word::Started { client, .. }
            | Word::Rpc { client, .. }
            | Word::RpcReturned { client, .. }
            | Word::Assign { client, .. }
            | Word::ProcessQueue { client, .. }
            | Word::Kill9 { client }
            | Word::SigTerm { client }
            | Word::ShutdownBegin { client }
            | Word::ShutdownEnd { client }
            | Word::HarnessEnd { client } => Some(client),
            _ => None,
        }
    }
}

/// The moment and line of something in a trace, for people to find it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub at: Millis,
    pub line: u32,
}

impl Line {
    pub fn place(&self) -> Place {
        Place { at: self.at, line: self.number }
    }
}
