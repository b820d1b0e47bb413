//! Beats of processes, of what does not arrive, and of changes in place.

use super::draft::Draft;
use super::read::pull_mark;
use super::roots::process_of;
use super::{BeatKind, Mover, Picture, Place};
use crate::scene::mark::MarkId;
use crate::sim::event::{Actor, Event, EventKind};
use crate::sim::packet::Machine;

/// Processes that begin, end, freeze or go on; what does not arrive; and changes in place.
#[expect(clippy::too_many_lines, reason = "a table of one line for each kind")]
pub(super) fn of_life(event: &Event) -> Option<Draft> {
    use EventKind as K;
    let machine = machine_mark(event);
    let kind = match &event.kind {
        K::ProcessCrashed
        | K::HostLost
        | K::BrokerStarted { .. }
        | K::BrokerStopped { .. }
        | K::Frozen { .. }
        | K::Resumed
        | K::ShutdownBegan { .. }
        | K::StartFailed { .. }
        | K::ConsumerStarting { .. }
        | K::ConsumerStopped { .. } => BeatKind::Life,
        K::StartStepDone { .. } | K::ConsumerStarted { .. } => BeatKind::Step,
        K::PacketLost { from, to, code, .. }
        | K::PacketRepeated { from, to, code, .. }
        | K::PacketHeld { from, to, code, .. } => {
            let (Some(from), Some(to)) = (mark_of(*from), mark_of(*to)) else { return None };
            let draft = Draft::new(BeatKind::Loss, from.clone()).lit(to.clone());
            let plate = Picture::Plate(code.number());
            let mover = Mover::new(plate, Place::Mark(from), Place::Mark(to));
            let is_lost = !matches!(event.kind, K::PacketRepeated { .. });
            return Some(draft.moving(if is_lost { mover.lost() } else { mover }));
        }
        K::PullAnswered { queue, .. } => {
            let process = process_of(event)?;
            return Some(Draft::new(BeatKind::Change, pull_mark(process, queue)));
        }
        K::ClientLeft { process, .. } => {
            let draft = Draft::new(BeatKind::Change, MarkId::Consumer(*process));
            return Some(draft.lit(machine?));
        }
        K::SendBackFailed { message, .. }
        | K::LocalRetryScheduled { message, .. }
        | K::FailureDropped { message, .. }
        | K::ExpiredSentBack { message, .. }
        | K::OrderlyDeadLetterSent { message, .. } => {
            let draft = Draft::new(BeatKind::Change, machine?);
            return Some(draft.lit(MarkId::Copy(message.message_id())).about(message));
        }
        K::RetryDiscarded { origin, .. } => {
            let draft = Draft::new(BeatKind::Change, machine?);
            return Some(draft.lit(MarkId::Copy(origin.message_id())).about(origin));
        }
        K::QueueSuspended { queue, .. } | K::ResultIgnored { queue, .. } => {
            return Some(Draft::new(BeatKind::Change, machine?).lit(MarkId::Queue(queue.clone())));
        }
        K::CallTimedOut { .. }
        | K::CallFailed { .. }
        | K::SendFailed { .. }
        | K::HeartbeatSkipped
        | K::ListenerInterrupted { .. }
        | K::CleanerDied { .. }
        | K::OffsetReset { .. }
        | K::CommandRefused { .. } => BeatKind::Change,
        // Gathered by the beat that they lead to, or that they end.
        K::CommandApplied { .. }
        | K::RequestSent { .. }
        | K::ResponseSent { .. }
        | K::ResponseReceived { .. }
        | K::PacketPassed { .. }
        | K::ResponseUnmatched { .. }
        | K::ConnectionOpened { .. }
        | K::ConnectionClosed { .. }
        | K::SendAsked { .. }
        | K::SendSucceeded { .. }
        | K::TopicCreated { .. }
        | K::MessageStored { .. }
        | K::ConsumeQueueAppended { .. }
        | K::PullSuspended { .. }
        | K::PullWoken { .. }
        | K::OffsetCommitted { .. }
        | K::ClientRegistered { .. }
        | K::SubscriptionReplaced { .. }
        | K::RetryStored { .. }
        | K::DeadLettered { .. }
        | K::DelayElapsed { .. }
        | K::QueueLocked { .. }
        | K::QueueLockRefused { .. }
        | K::QueueUnlocked { .. }
        | K::RouteChanged { .. }
        | K::RebalanceBegan
        | K::Allocated { .. }
        | K::RebalanceEnded { .. }
        | K::QueueAssigned { .. }
        | K::QueueDropped { .. }
        | K::QueueReleased { .. }
        | K::PullPostponed { .. }
        | K::PullRequestEnded { .. }
        | K::MessagesCached { .. }
        | K::ConsumeRequestQueued { .. }
        | K::ConsumeStarted { .. }
        | K::ConsumeEnded { .. }
        | K::MessagesRemoved { .. }
        | K::SentBack { .. }
        | K::OffsetMoved { .. }
        | K::LockBelieved { .. }
        | K::LimitReached { .. } => return None,
    };
    Some(Draft::new(kind, machine?))
}

fn mark_of(machine: Machine) -> Option<MarkId> {
    Some(match machine {
        Machine::NameServer(index) => MarkId::NameServer(index),
        Machine::Broker(broker) => MarkId::Broker(broker),
        Machine::Client(process) => MarkId::Consumer(process),
    })
}

fn machine_mark(event: &Event) -> Option<MarkId> {
    match event.actor {
        Actor::Machine(machine) => mark_of(machine),
        Actor::Person => None,
    }
}
