//! Timers by their reason: what a wait is for, and what set a task off. Folds and the agenda are told
//! with these.

use serde::Serialize;

use super::packet::RequestCode;
use crate::model::time::Millis;

/// A timer by its reason: what a wait is for. The fold's sentence and the agenda are made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum TimerKind {
    /// A command of the script or of the visitor.
    Script,
    /// A client process starts its threads and its network.
    StartUp,
    /// A packet crosses the network.
    Network(RequestCode),
    /// The broker builds consume queue entries, 1 ms after the append (spec 01.2).
    Reput,
    /// A slow store finishes an append.
    SlowStore,
    /// `ScheduleMessageService`: the front message of a level is due, or is looked for.
    DelayLevel {
        level: u32,
        due: Millis,
    },
    /// The broker's scan of held pulls, every 5 s (spec 01.5.4).
    HoldScan,
    FlushConsumerOffset,
    FlushDelayOffset,
    /// The broker's scan for clients without heartbeat, every 10 s (spec 01.3).
    ClientScan,
    /// netty's idle handler, 120 s without traffic.
    ChannelIdle,
    RegisterBroker,
    BrokerScan,
    SlaveSync,
    RouteRefresh,
    Heartbeat,
    PersistOffset,
    AdjustThreadPool,
    /// The rebalance service waits up to 20 s between passes; since 5.2.0 sometimes 1 s.
    Rebalance,
    /// The first pull of a new queue, 500 ms since 5.0.0.
    FirstDispatch,
    PullPostponed(PostponeReason),
    PullInterval,
    /// OFFSET_ILLEGAL repair, 10 s until 5.1 (spec 03.5).
    OffsetIllegalRepair,
    /// Client-side offset reset, 10 s (spec 03.7).
    OffsetReset,
    /// A failed send-back is tried again locally, after 5 s.
    LocalRetry,
    /// A listener call runs.
    Listener,
    CleanExpired,
    LockPeriodically,
    LockLater,
    ResubmitLater,
    /// Delayed unlock, 20 s (spec 02.4.3).
    UnlockLater,
    /// The consume lock is tried for 1 s at removal.
    ConsumeLock,
    CallTimeout(RequestCode),
    Resume,
}

/// Why a pull request was postponed (spec 03.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum PostponeReason {
    NotRunning,
    Paused,
    /// msgCount > pullThresholdForQueue.
    Count,
    /// msgSize > pullThresholdSizeForQueue.
    Size,
    /// max span > consumeConcurrentlyMaxSpan.
    Span,
    NotLocked,
    NoSubscription,
    /// An exception or an error code (24, 25, ...).
    Error,
}

/// What set off the task in which the event happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Trigger {
    Command,
    Packet,
    /// A timer that was set at `since`.
    Timer {
        kind: TimerKind,
        since: Millis,
    },
    /// A task that follows at once.
    Follows,
}
