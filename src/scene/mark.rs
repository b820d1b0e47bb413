//! Which thing is meant: the names by which marks are selected, inspected, linked and followed.
//!
//! A `MarkId` is stable over the whole run and goes into links; a `TokenId` is stable from one scene
//! to the next and says which drawn thing moved. Neither knows where anything is drawn.

use serde::{Deserialize, Serialize};

use crate::model::ids::{BrokerIndex, CallId, ProcessIndex, ProcessQueueId, UniqueKey};
use crate::model::message::MessageId;
use crate::model::message_queue::MessageQueue;
use crate::model::topic::{is_dlq_topic, is_retry_topic};
use crate::text::Term;

/// Anything on the stage that can answer "what is this, why now, what next" (UX rule 5).
///
/// Its order is the order of the data's flow, in which the keyboard walks over the stage.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MarkId {
    NameServer(u8),
    Producer(ProcessIndex),
    Broker(BrokerIndex),
    CommitLog(BrokerIndex),
    /// One queue of one broker: its strip, flags and brackets.
    Queue(MessageQueue),
    /// One stored record; each send-back makes a new one.
    Copy(MessageId),
    /// A message through all its copies: the thing that is followed.
    Message(UniqueKey),
    DelayLevel {
        broker: BrokerIndex,
        level: u32,
    },
    /// `%DLQ%group` on one broker.
    DeadLetters(MessageQueue),
    BrokerLedger(BrokerIndex),
    /// The broker's lock of one queue (orderly mode).
    Lock(MessageQueue),
    Call(CallId),
    Consumer(ProcessIndex),
    /// The one `PullRequest` of a queue in a process.
    Pull {
        process: ProcessIndex,
        queue: MessageQueue,
    },
    /// One `ProcessQueue`. A dropped one and its successor are two.
    Shelf {
        process: ProcessIndex,
        process_queue: ProcessQueueId,
    },
    /// The client's belief that it holds the lock (orderly mode).
    Belief {
        process: ProcessIndex,
        queue: MessageQueue,
    },
    /// The ConsumeRequests that wait for a thread.
    ConsumeRequests(ProcessIndex),
    Worker {
        process: ProcessIndex,
        index: u32,
    },
    ConsumerLedger(ProcessIndex),
    Rebalance(ProcessIndex),
}

impl MarkId {
    /// A whole machine, not something in it.
    pub const fn is_machine(&self) -> bool {
        matches!(
            self,
            MarkId::NameServer(_) | MarkId::Producer(_) | MarkId::Broker(_) | MarkId::Consumer(_)
        )
    }

    /// What it is. Of a call only that it is one: which one, its number says (`Term::of_request`).
    pub fn term(&self) -> Term {
        match self {
            MarkId::NameServer(_) => Term::NameServer,
            MarkId::Producer(_) => Term::Producer,
            MarkId::Broker(_) => Term::Broker,
            MarkId::CommitLog(_) => Term::CommitLog,
            MarkId::Queue(queue) if is_retry_topic(&queue.topic) => Term::RetryQueue,
            MarkId::Queue(queue) if is_dlq_topic(&queue.topic) => Term::DeadLetters,
            MarkId::Queue(_) => Term::Queue,
            MarkId::Copy(_) | MarkId::Message(_) => Term::Message,
            MarkId::DelayLevel { .. } => Term::DelayLevel,
            MarkId::DeadLetters(_) => Term::DeadLetters,
            MarkId::BrokerLedger(_) | MarkId::ConsumerLedger(_) => Term::Offsets,
            MarkId::Lock(_) => Term::LockLease,
            MarkId::Call(_) => Term::Call,
            MarkId::Consumer(_) => Term::Consumer,
            MarkId::Pull { .. } => Term::Pull,
            MarkId::Shelf { .. } => Term::Shelf,
            MarkId::Belief { .. } => Term::LocalLock,
            MarkId::ConsumeRequests(_) => Term::Waiting,
            MarkId::Worker { .. } => Term::Workers,
            MarkId::Rebalance(_) => Term::Rebalance,
        }
    }
}

/// A drawn thing that keeps its identity while it moves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenId {
    /// The record in its queue, level or pit at the broker.
    Stored(MessageId),
    /// The record as one consumer holds it, on its shelf.
    Shelved(ProcessIndex, MessageId),
    /// The record at a worker.
    Seated(ProcessIndex, MessageId),
    Pull(ProcessIndex, MessageQueue),
    Call(CallId),
    Flag(Flag, MessageQueue),
    NextSend(ProcessIndex),
    /// The pin on the smallest key of a shelf.
    Pin(ProcessIndex, ProcessQueueId),
    Padlock(MessageQueue),
    /// The tag with the name of who reads a queue.
    Owner(MessageQueue),
    /// From a queue to one who reads it.
    Ribbon(ProcessIndex, MessageQueue),
}

/// The offset marks of a queue (UX 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flag {
    /// M: the next offset to be written.
    Max,
    /// C: the offset that the broker has stored for the group.
    Committed,
    /// What the client would report now.
    Unreported,
    /// P: the next offset to be pulled.
    Pull,
}
