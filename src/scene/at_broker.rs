//! What the broker's box holds: commit log, queues with their marks, bench, staircase, dead letters,
//! ledger, locks.

use crate::model::ids::{BrokerIndex, BrokerName, GroupName, ProcessIndex};
use crate::model::message::MessageId;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

use super::card::{Card, Label};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broker {
    pub index: BrokerIndex,
    pub name: BrokerName,
    /// 0 is the master.
    pub broker_id: u32,
    pub is_up: bool,
    /// How and when it ended, while it does not run.
    pub ended: Option<Ended>,
    /// It pauses as a whole: drawn under glass.
    pub is_frozen: bool,
    pub is_writable: bool,
    /// Every append takes this much longer.
    pub slow_by: Millis,
    pub commit_log: CommitLog,
    /// The group's topics, in the order of `MessageQueue`. At most one screenful of slots each.
    pub queues: Vec<Queue>,
    /// %RETRY%group, one for each queue of it (RocketMQ makes one a broker).
    pub retry_queues: Vec<Queue>,
    /// The 18 levels of SCHEDULE_TOPIC_XXXX, from level 1.
    pub levels: Vec<DelayLevel>,
    /// %DLQ%group, once it exists.
    pub dead_letters: Option<DeadLetters>,
    /// What `ConsumerOffsetManager` holds for the group: memory, and whether it is on disk.
    pub ledger: Vec<BrokerLedgerRow>,
    pub ledger_is_saved: bool,
    /// The group's consumers as the broker lists them, in the order of registration.
    pub members: Vec<Label>,
    /// `RebalanceLockManager`, orderly mode only.
    pub locks: Vec<BrokerLock>,
}

impl Broker {
    /// `broker-a`, and its slave `broker-a/1`.
    pub fn label(&self) -> Label {
        match self.broker_id {
            0 => self.name.as_str().into(),
            id => format!("{}/{id}", self.name).into(),
        }
    }
}

/// The end of a broker's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    pub at: Millis,
    /// Killed: what was only in memory is gone. Otherwise it was stopped, and had saved everything.
    pub is_killed: bool,
}

/// The ribbon: the last few records, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitLog {
    pub records: Vec<LogRecord>,
    /// Records in all.
    pub total: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRecord {
    pub copy: MessageId,
    /// The message's name, `B`.
    pub label: Label,
    /// The queue it goes to, `q0`, `r0`, `level 4`.
    pub queue: Label,
    /// The reput step has written its consume queue entry.
    pub is_dispatched: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum QueueKind {
    Normal,
    /// %RETRY%group: drawn with waves.
    Retry,
}

/// One consume queue and where the group stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    pub queue: MessageQueue,
    pub kind: QueueKind,
    /// Short and unique on the stage: `q0`, `r0`; `b·q0` where brokers or topics are several.
    pub label: Label,
    pub min_offset: QueueOffset,
    /// M.
    pub max_offset: QueueOffset,
    /// The newest records, oldest first, without gaps, up to M. The layout shows as many as fit.
    pub slots: Vec<Card>,
    /// C: absent while the broker has none for the group.
    pub committed: Option<QueueOffset>,
    /// The value that the owner would report now, if it is another than C.
    pub unreported: Option<Unreported>,
    /// P, with the process whose PullRequest it is.
    pub pull: Option<PullMark>,
    /// When the oldest message at or after C was stored; absent without lag.
    pub oldest_unfinished_since: Option<Millis>,
    /// Who owns it, by its own belief: `c1`.
    pub reader: Option<Label>,
    /// What the broker holds for this queue on its bench.
    pub held: Option<HeldPull>,
    /// A delayed copy that will come to this queue next: drawn as a ghost behind the last slot.
    pub expected: Option<Card>,
}

impl Queue {
    /// P − C, never below 0; 0 without either.
    pub fn in_hand(&self) -> i64 {
        match (&self.pull, self.committed) {
            (Some(pull), Some(committed)) => (pull.offset.0 - committed.0).max(0),
            _ => 0,
        }
    }

    /// M − C; without C the whole queue.
    pub fn lag(&self) -> i64 {
        (self.max_offset.0 - self.committed.unwrap_or(self.min_offset).0).max(0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreported {
    pub offset: QueueOffset,
    /// When the client's timer reports it.
    pub due_at: Option<Millis>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullMark {
    pub process: ProcessIndex,
    pub offset: QueueOffset,
    /// The name of the process when it died with it; drawn as a ghost.
    pub lost_with: Option<Label>,
}

/// A pull that waits at the broker (`PullRequestHoldService`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldPull {
    pub process: ProcessIndex,
    pub queue: MessageQueue,
    pub next_offset: QueueOffset,
    pub since: Millis,
    pub until: Millis,
}

/// One level of the schedule topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DelayLevel {
    /// From 1.
    pub level: u32,
    pub wait: Millis,
    /// Front first.
    pub cards: Vec<Card>,
    /// When the front card came, and when it leaves.
    pub front_since: Millis,
    pub front_due_at: Option<Millis>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetters {
    pub queue: MessageQueue,
    pub group: GroupName,
    /// The last few, oldest first.
    pub cards: Vec<Card>,
    pub total: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokerLedgerRow {
    pub queue: MessageQueue,
    pub label: Label,
    pub offset: QueueOffset,
}

/// The broker's lock of one queue (spec 06).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokerLock {
    pub queue: MessageQueue,
    pub label: Label,
    pub owner: Label,
    pub renewed_at: Millis,
    pub expires_at: Millis,
}
