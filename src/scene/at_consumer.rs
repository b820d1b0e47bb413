//! What a consumer process holds: pull room, shelves, workers, ledger; and its rebalance.

use crate::model::ids::{ClientId, GroupName, ProcessIndex, ProcessQueueId};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

use super::card::{Card, Label};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumer {
    pub process: ProcessIndex,
    pub client_id: ClientId,
    pub group: GroupName,
    /// `c1`, given in the order of joining.
    pub label: Label,
    pub state: ProcessState,
    /// One for each queue it owns; the order of `MessageQueue`.
    pub pulls: Vec<Shuttle>,
    /// One for each `ProcessQueue`; dropped ones as long as something names them.
    pub shelves: Vec<Shelf>,
    /// Broadcasting: its offsets are in a file of its own host, and no broker knows them.
    pub is_broadcasting: bool,
    /// Queues that are its by its own last computation, but whose lock it did not get.
    pub refused: Vec<Refused>,
    pub workers: Workers,
    /// `RemoteBrokerOffsetStore`, the order of `MessageQueue`.
    pub ledger: Vec<ConsumerLedgerRow>,
    /// The next tick of the offset timer.
    pub report_at: Option<Millis>,
    /// Set while a pass runs, and for the last one's result as long as it is shown.
    pub rebalance: Option<Rebalance>,
    /// The metronome: when the rebalance thread wakes by itself.
    pub rebalance_at: Option<Millis>,
}

impl Consumer {
    /// It has ended, one way or the other.
    pub const fn is_gone(&self) -> bool {
        matches!(self.state, ProcessState::Crashed { .. } | ProcessState::Stopped { .. })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessState {
    /// `start()`: the step it is at, 1 to 15 (spec 02.2).
    Starting {
        step: u8,
    },
    Running,
    Stopping,
    Stopped {
        at: Millis,
    },
    Crashed {
        at: Millis,
    },
    /// Alive, but it does nothing: drawn under glass.
    Frozen {
        since: Millis,
    },
}

/// A `PullRequest` as the process has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuttle {
    pub queue: MessageQueue,
    pub label: Label,
    pub next_offset: QueueOffset,
    pub place: PullPlace,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PullPlace {
    /// Made by the pass of rebalance that still runs, which hands over all of them at its end.
    InPass,
    /// In the PullRequestQueue, at this place from 0.
    Belt(u32),
    /// The one seat of PullMessageService.
    Seat,
    /// On the wire, in one direction or the other.
    Away,
    /// Held by the broker; drawn there.
    Bench,
    /// Put off: the reason, and when it is tried again.
    Postponed { reason: Postponed, since: Millis, until: Millis },
}

/// Why a pull was put off (spec 03.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Postponed {
    Count,
    Size,
    Span,
    NotLocked,
    Error,
    Paused,
    NoSubscription,
    Interval,
}

/// A `ProcessQueue`: real offsets as keys, holes stay open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    pub process_queue: ProcessQueueId,
    pub queue: MessageQueue,
    pub label: Label,
    /// What it is done with just before those, oldest first: their places keep a tick.
    pub finished: Vec<Card>,
    /// From the smallest unfinished offset to `queueOffsetMax`, without gaps: what is no longer
    /// there has a state that leaves a hole. Empty when nothing is unfinished.
    pub cards: Vec<Card>,
    /// Messages that are really there.
    pub count: u64,
    pub bytes: u64,
    /// Largest minus smallest key.
    pub span: u64,
    pub span_limit: u64,
    pub count_limit: u64,
    pub is_dropped: bool,
    /// Orderly mode: what the client believes.
    pub belief: Option<Belief>,
}

/// A queue without a shelf: its lock is another's, and the next pass asks again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub queue: MessageQueue,
    pub label: Label,
    pub since: Millis,
}

/// `ProcessQueue.locked` with its own 30 s (spec 06).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belief {
    pub is_locked: bool,
    pub since: Millis,
    pub until: Millis,
    /// The broker says otherwise.
    pub is_wrong: bool,
}

/// The thread pool of the consume service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workers {
    /// consumeThreadMin.
    pub size: u32,
    /// The busy ones, by index; idle ones need not be named.
    pub seats: Vec<Seat>,
    pub busy: u32,
    /// ConsumeRequests in the pool's queue.
    pub waiting: u64,
    /// The first few of them, front first.
    pub waiting_cards: Vec<Card>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// From 0.
    pub index: u32,
    /// The message in the listener's hands (of a batch the first).
    pub card: Option<Card>,
    /// Messages of the ConsumeRequest.
    pub batch: u32,
    pub queue: Label,
    pub since: Millis,
    /// How long the script says that the call takes, if it ends at all.
    pub takes: Option<Millis>,
    /// Orderly mode: the key hanging on the seat.
    pub holds_mutex: bool,
}

impl Seat {
    pub fn idle(index: u32) -> Seat {
        Seat {
            index,
            card: None,
            batch: 0,
            queue: "".into(),
            since: Millis::ZERO,
            takes: None,
            holds_mutex: false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsumerLedgerRow {
    pub queue: MessageQueue,
    pub label: Label,
    pub offset: QueueOffset,
    /// Not reported yet.
    pub is_dirty: bool,
}

/// One pass for one topic: two sorted lists, and lines between them (UX 3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebalance {
    /// The strategy's own name, `AVG`.
    pub strategy: Label,
    pub topic: Label,
    /// Sorted as `MessageQueue` sorts.
    pub queues: Vec<Label>,
    /// Sorted as strings.
    pub members: Vec<Label>,
    /// This process among the members, if the broker named it.
    pub me: Option<u32>,
    /// For each queue the member that gets it, if known yet; and whether that changed.
    pub lines: Vec<AllocationLine>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationLine {
    pub queue: u32,
    pub member: u32,
    pub is_new: bool,
}
