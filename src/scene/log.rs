//! The event log: a row for each event, and one row for what repeats itself in the background.
//!
//! Rows are small and kept; their words are made when they are shown.

use std::mem::{Discriminant, discriminant};

use super::concerns::{code, concerns, queue};
use super::importance::Importance;
use super::mark::MarkId;
use super::narrate::Narrator;
use super::timeline::Timeline;
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::sim::event::{Actor, ConsumeOutcome, Event, EventKind, EventSequence};
use crate::sim::packet::RequestCode;
use crate::text::event::Told;

/// What a row is about: the chips over the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogKind {
    Send,
    Pull,
    Consume,
    Offset,
    Retry,
    Rebalance,
    Lock,
    Heartbeat,
    /// Starting and stopping.
    Life,
    /// Faults, and what people do.
    Fault,
}

impl LogKind {
    pub const ALL: [LogKind; 10] = [
        LogKind::Send,
        LogKind::Pull,
        LogKind::Consume,
        LogKind::Offset,
        LogKind::Retry,
        LogKind::Rebalance,
        LogKind::Lock,
        LogKind::Heartbeat,
        LogKind::Life,
        LogKind::Fault,
    ];
}

/// A background event joins a row of its kind that is among the last so many.
const NEAR: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRow {
    pub first: EventSequence,
    pub last: EventSequence,
    pub first_at: Millis,
    pub last_at: Millis,
    /// Events in this row.
    pub count: u32,
    pub kind: LogKind,
    pub importance: Importance,
    run: RunKey,
}

/// What must be equal for two background events to share a row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RunKey {
    actor: Actor,
    kind: Discriminant<EventKind>,
    code: Option<RequestCode>,
    queue: Option<MessageQueue>,
}

impl RunKey {
    fn of(event: &Event) -> RunKey {
        let code = code(&event.kind);
        let queue = match &event.kind {
            EventKind::PullPostponed { queue, .. } => Some(queue.clone()),
            _ => None,
        };
        RunKey { actor: event.actor, kind: discriminant(&event.kind), code, queue }
    }
}

impl LogRow {
    /// From one event to the next, on average; `None` for a single one.
    pub fn every(&self) -> Option<Millis> {
        let gaps = u64::from(self.count.checked_sub(1)?);
        (gaps > 0).then(|| Millis(self.last_at.since(self.first_at).ms() / gaps))
    }
}

/// A row in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    pub event: EventSequence,
    pub at: Millis,
    /// Since the row before.
    pub after: Millis,
    pub told: Told,
    pub count: u32,
    pub every: Option<Millis>,
    pub importance: Importance,
}

#[derive(Clone, Debug, Default)]
pub struct Log {
    cut_count: usize,
    seen: EventSequence,
    rows: Vec<LogRow>,
}

impl Log {
    /// Takes up what is new in the recording; the timeline must have followed it.
    pub fn follow(&mut self, recording: &Recording, timeline: &Timeline) {
        let kept = recording.kept_since(self.cut_count);
        self.cut_count = recording.cut_count();
        if kept < self.seen {
            // Rows are made anew from a little before on, since one may have lost part of its run.
            let from = self.rows.partition_point(|row| row.last < kept).saturating_sub(NEAR);
            let first = self.rows.get(from).map_or(0, |row| row.first);
            self.rows.truncate(self.rows.partition_point(|row| row.first < first));
            self.rows.iter_mut().for_each(|row| row.cut(first, recording));
            self.seen = first;
        }
        for event in recording.events().iter_from(self.seen as usize) {
            self.add(event, timeline.importance(event.sequence));
        }
        self.seen = recording.event_count();
    }

    fn add(&mut self, event: &Event, importance: Importance) {
        let run = RunKey::of(event);
        if importance == 0 {
            let near = self.rows.len().saturating_sub(NEAR);
            let mut near = self.rows[near..].iter_mut().rev();
            if let Some(row) = near.find(|row| row.importance == 0 && row.run == run) {
                row.last = event.sequence;
                row.last_at = event.at;
                row.count += 1;
                return;
            }
        }
        self.rows.push(LogRow {
            first: event.sequence,
            last: event.sequence,
            first_at: event.at,
            last_at: event.at,
            count: 1,
            kind: log_kind(&event.kind),
            importance,
            run,
        });
    }

    pub fn rows(&self) -> &[LogRow] {
        &self.rows
    }

    /// The row of an event, or the last one that began before it.
    pub fn row_of(&self, event: EventSequence) -> usize {
        self.rows.partition_point(|row| row.first <= event).saturating_sub(1)
    }

    /// Rows of these kinds, of at least this importance, and about one thing if one is named.
    pub fn filtered(
        &self,
        recording: &Recording,
        kinds: &[LogKind],
        least: Importance,
        only: Option<&MarkId>,
    ) -> Vec<usize> {
        let is_wanted = |row: &LogRow| {
            row.importance >= least
                && (kinds.is_empty() || kinds.contains(&row.kind))
                && only.is_none_or(|mark| {
                    recording.event(row.first).is_some_and(|event| concerns(event, mark))
                })
        };
        let rows = self.rows.iter().enumerate();
        rows.filter(|(_, row)| is_wanted(row)).map(|(place, _)| place).collect()
    }

    /// A row in words.
    pub fn line(&self, narrator: &Narrator<'_>, place: usize) -> Option<LogLine> {
        let row = self.rows.get(place)?;
        let before = place.checked_sub(1).and_then(|place| self.rows.get(place));
        Some(LogLine {
            event: row.first,
            at: row.first_at,
            after: before.map_or(Millis::ZERO, |before| row.first_at.since(before.first_at)),
            told: narrator.told_at(row.first)?,
            count: row.count,
            every: row.every(),
            importance: row.importance,
        })
    }
}

impl LogRow {
    /// Takes the events from `first` on out of the row.
    fn cut(&mut self, first: EventSequence, recording: &Recording) {
        if self.last < first {
            return;
        }
        let here = recording.events().iter_from(self.first as usize);
        let here = here.take_while(|event| event.sequence < first);
        let mut same = here.filter(|event| RunKey::of(event) == self.run);
        let mut count = 0;
        for event in &mut same {
            count += 1;
            (self.last, self.last_at) = (event.sequence, event.at);
        }
        self.count = count;
    }
}

/// The chip under which an event is found.
pub fn log_kind(kind: &EventKind) -> LogKind {
    use EventKind as K;
    if let Some(code) = code(kind) {
        return match kind {
            K::PacketLost { .. }
            | K::PacketRepeated { .. }
            | K::PacketHeld { .. }
            | K::PacketPassed { .. } => LogKind::Fault,
            _ => call_kind(code),
        };
    }
    match kind {
        K::SendAsked { .. }
        | K::SendSucceeded { .. }
        | K::SendFailed { .. }
        | K::MessageStored { .. }
        | K::ConsumeQueueAppended { .. } => LogKind::Send,
        K::ConsumeStarted { .. }
        | K::ConsumeRequestQueued { .. }
        | K::MessagesRemoved { .. }
        | K::ResultIgnored { .. }
        | K::ListenerInterrupted { .. }
        | K::QueueSuspended { .. }
        | K::ConsumeEnded { outcome: ConsumeOutcome::Succeeded, .. } => LogKind::Consume,
        K::ConsumeEnded { .. }
        | K::RetryStored { .. }
        | K::DeadLettered { .. }
        | K::RetryDiscarded { .. }
        | K::DelayElapsed { .. }
        | K::SentBack { .. }
        | K::SendBackFailed { .. }
        | K::LocalRetryScheduled { .. }
        | K::FailureDropped { .. }
        | K::ExpiredSentBack { .. }
        | K::CleanerDied { .. }
        | K::OrderlyDeadLetterSent { .. } => LogKind::Retry,
        K::OffsetCommitted { .. } | K::OffsetMoved { .. } | K::OffsetReset { .. } => {
            LogKind::Offset
        }
        K::ClientRegistered { .. }
        | K::ClientLeft { .. }
        | K::RebalanceBegan
        | K::Allocated { .. }
        | K::RebalanceEnded { .. }
        | K::QueueAssigned { .. }
        | K::QueueDropped { .. }
        | K::QueueReleased { .. } => LogKind::Rebalance,
        K::QueueLocked { .. }
        | K::QueueLockRefused { .. }
        | K::QueueUnlocked { .. }
        | K::LockBelieved { .. } => LogKind::Lock,
        K::HeartbeatSkipped
        | K::RouteChanged { .. }
        | K::SubscriptionReplaced { .. }
        | K::ConnectionOpened { .. } => LogKind::Heartbeat,
        K::ConsumerStarting { .. }
        | K::StartStepDone { .. }
        | K::ConsumerStarted { .. }
        | K::StartFailed { .. }
        | K::ShutdownBegan { .. }
        | K::ConsumerStopped { .. }
        | K::BrokerStarted { .. }
        | K::TopicCreated { .. } => LogKind::Life,
        _ if queue(kind).is_some() => LogKind::Pull,
        _ => LogKind::Fault,
    }
}

const fn call_kind(code: RequestCode) -> LogKind {
    match code {
        RequestCode::SendMessageV2 => LogKind::Send,
        RequestCode::PullMessage => LogKind::Pull,
        RequestCode::QueryConsumerOffset
        | RequestCode::UpdateConsumerOffset
        | RequestCode::SearchOffsetByTimestamp
        | RequestCode::GetMaxOffset
        | RequestCode::ResetConsumerClientOffset => LogKind::Offset,
        RequestCode::ConsumerSendMsgBack => LogKind::Retry,
        RequestCode::GetConsumerListByGroup | RequestCode::NotifyConsumerIdsChanged => {
            LogKind::Rebalance
        }
        RequestCode::LockBatchMq | RequestCode::UnlockBatchMq => LogKind::Lock,
        RequestCode::UnregisterClient => LogKind::Life,
        RequestCode::HeartBeat
        | RequestCode::RegisterBroker
        | RequestCode::GetRouteInfoByTopic
        | RequestCode::GetAllConsumerOffset
        | RequestCode::HaReportOffset
        | RequestCode::HaTransfer => LogKind::Heartbeat,
    }
}
