//! The marks of the scrub bar: turns of the story, by shape (`mock/TOKENS.md`, section 5).

use super::importance::Importance;
use super::timeline::StoryMs;
use crate::model::time::Millis;
use crate::model::topic::is_retry_topic;
use crate::sim::event::{ConsumeOutcome, Event, EventKind, EventSequence};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScrubSign {
    /// ▽, filled.
    Fault,
    /// ▲: C moved.
    Commit,
    /// ◂
    SendBack,
    /// The schedule service handed a message on.
    DelayOver,
    /// A listener failed.
    Failed,
    /// ◇: a new allocation.
    Rebalance,
    /// □: a lock changed hands.
    Lock,
    /// ✕: a lock was refused.
    Refused,
    /// A dead letter.
    Dead,
    /// The person did something.
    Act,
    /// ★: a mark of the walkthrough; no event has it.
    Star,
    /// ✖: a check broke; not of one event's kind, but put in by who follows the checks.
    Broken,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScrubMark {
    pub event: EventSequence,
    pub at: Millis,
    pub story: StoryMs,
    pub sign: ScrubSign,
}

/// The mark of an event, if it gets one.
pub fn scrub_mark(event: &Event, importance: Importance, story: StoryMs) -> Option<ScrubMark> {
    use EventKind as K;
    if importance == 0 {
        return None;
    }
    let sign = match &event.kind {
        K::ProcessCrashed
        | K::HostLost
        | K::Frozen { .. }
        | K::BrokerStopped { .. }
        | K::ShutdownBegan { .. }
        | K::PacketLost { .. }
        | K::PacketRepeated { .. }
        | K::PacketHeld { .. } => ScrubSign::Fault,
        K::OffsetCommitted { .. } => ScrubSign::Commit,
        K::RetryStored { .. } | K::LocalRetryScheduled { .. } => ScrubSign::SendBack,
        K::DelayElapsed { .. } => ScrubSign::DelayOver,
        K::ConsumeEnded { outcome: ConsumeOutcome::Failed, .. } => ScrubSign::Failed,
        K::Allocated { topic, .. } if !is_retry_topic(topic) => ScrubSign::Rebalance,
        K::QueueLocked { renewed: false, .. } | K::QueueUnlocked { .. } => ScrubSign::Lock,
        K::QueueLockRefused { .. } => ScrubSign::Refused,
        K::DeadLettered { .. } | K::OrderlyDeadLetterSent { .. } => ScrubSign::Dead,
        K::CommandApplied { .. } => ScrubSign::Act,
        _ => return None,
    };
    Some(ScrubMark { event: event.sequence, at: event.at, story, sign })
}
