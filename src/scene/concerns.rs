//! Whether an event is about a thing: for "only this one" in the log, for stepping along one thing,
//! and for the nearest cause that the inspector tells.

use super::mark::MarkId;
use crate::model::delay_level::DelayLevel;
use crate::model::ids::{BrokerIndex, CallId, ProcessIndex};
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::topic::SCHEDULE_TOPIC;
use crate::recording::Recording;
use crate::sim::event::{Actor, Event, EventKind, EventSequence, RequestDetail};
use crate::sim::packet::{Machine, RequestCode};

/// Whether the event is about the thing.
pub fn concerns(event: &Event, mark: &MarkId) -> bool {
    match mark {
        MarkId::NameServer(_) => is_at(event, Machine::NameServer(0)),
        MarkId::Producer(process) => is_by(event, *process),
        MarkId::Broker(broker) => is_at_broker(event, *broker),
        MarkId::CommitLog(broker) => {
            is_at_broker(event, *broker) && matches!(event.kind, EventKind::MessageStored { .. })
        }
        MarkId::Queue(queue) | MarkId::DeadLetters(queue) => is_of_queue(event, queue),
        MarkId::Copy(copy) => message(&event.kind).is_some_and(|it| it.message_id() == *copy),
        MarkId::Message(key) => message(&event.kind).is_some_and(|it| it.body.unique_key == *key),
        MarkId::DelayLevel { broker, level } => {
            is_at_broker(event, *broker) && is_of_level(&event.kind, *level)
        }
        MarkId::BrokerLedger(broker) => {
            is_at_broker(event, *broker) && matches!(event.kind, EventKind::OffsetCommitted { .. })
        }
        MarkId::Lock(queue) => is_of_queue(event, queue) && is_of_lock(&event.kind),
        MarkId::Call(call) => self::call(&event.kind) == Some(*call),
        MarkId::Consumer(process) => is_by(event, *process),
        MarkId::Pull { process, queue } => {
            let is_pull = is_of_pull(&event.kind);
            is_pull && is_of_queue(event, queue) && (is_by(event, *process) || is_by_broker(event))
        }
        MarkId::Shelf { process, process_queue } => {
            is_by(event, *process) && is_of_shelf(&event.kind, process_queue.0)
        }
        MarkId::Belief { process, queue } => {
            is_by(event, *process)
                && is_of_queue(event, queue)
                && matches!(event.kind, EventKind::LockBelieved { .. })
        }
        MarkId::ConsumeRequests(process) => {
            is_by(event, *process) && matches!(event.kind, EventKind::ConsumeRequestQueued { .. })
        }
        MarkId::Worker { process, index } => {
            is_by(event, *process) && thread(&event.kind) == Some(*index)
        }
        MarkId::ConsumerLedger(process) => {
            is_by(event, *process) && matches!(event.kind, EventKind::OffsetMoved { .. })
        }
        MarkId::Rebalance(process) => is_by(event, *process) && is_of_rebalance(&event.kind),
    }
}

/// The last event before `until` that is about the thing, of those that `is_worth` telling.
pub fn last_about(
    recording: &Recording,
    mark: &MarkId,
    until: EventSequence,
    is_worth: impl Fn(&Event) -> bool,
) -> Option<EventSequence> {
    let events = (0..until).rev().filter_map(|index| recording.event(index));
    let mut found = events.filter(|event| concerns(event, mark) && is_worth(event));
    found.next().map(|event| event.sequence)
}

/// The first event from `from` on that is about the thing.
pub fn next_about(
    recording: &Recording,
    mark: &MarkId,
    from: EventSequence,
    is_worth: impl Fn(&Event) -> bool,
) -> Option<EventSequence> {
    let events = recording.events().iter_from(from as usize);
    let mut found = events.filter(|event| concerns(event, mark) && is_worth(event));
    found.next().map(|event| event.sequence)
}

fn is_at(event: &Event, machine: Machine) -> bool {
    event.actor == Actor::Machine(machine)
}

fn is_at_broker(event: &Event, broker: BrokerIndex) -> bool {
    is_at(event, Machine::Broker(broker))
}

fn is_by(event: &Event, process: ProcessIndex) -> bool {
    is_at(event, Machine::Client(process))
}

fn is_by_broker(event: &Event) -> bool {
    matches!(event.actor, Actor::Machine(Machine::Broker(_)))
}

/// The record that an event is about.
pub fn message(kind: &EventKind) -> Option<&StoredMessage> {
    match kind {
        EventKind::MessageStored { message }
        | EventKind::ConsumeQueueAppended { message }
        | EventKind::DelayElapsed { message, .. }
        | EventKind::ConsumeStarted { message, .. }
        | EventKind::ConsumeEnded { message, .. }
        | EventKind::SentBack { message, .. }
        | EventKind::SendBackFailed { message, .. }
        | EventKind::LocalRetryScheduled { message, .. }
        | EventKind::FailureDropped { message, .. }
        | EventKind::ExpiredSentBack { message, .. }
        | EventKind::OrderlyDeadLetterSent { message, .. } => Some(message),
        EventKind::RetryStored { origin, .. }
        | EventKind::DeadLettered { origin, .. }
        | EventKind::RetryDiscarded { origin, .. } => Some(origin),
        _ => None,
    }
}

/// The queue that an event names.
pub fn queue(kind: &EventKind) -> Option<&MessageQueue> {
    match kind {
        EventKind::PullSuspended { queue, .. }
        | EventKind::PullWoken { queue, .. }
        | EventKind::OffsetCommitted { queue, .. }
        | EventKind::QueueLocked { queue, .. }
        | EventKind::QueueLockRefused { queue, .. }
        | EventKind::QueueUnlocked { queue, .. }
        | EventKind::QueueAssigned { queue, .. }
        | EventKind::QueueDropped { queue, .. }
        | EventKind::QueueReleased { queue, .. }
        | EventKind::PullPostponed { queue, .. }
        | EventKind::PullRequestEnded { queue, .. }
        | EventKind::PullAnswered { queue, .. }
        | EventKind::MessagesCached { queue, .. }
        | EventKind::ConsumeRequestQueued { queue, .. }
        | EventKind::ResultIgnored { queue, .. }
        | EventKind::MessagesRemoved { queue, .. }
        | EventKind::QueueSuspended { queue, .. }
        | EventKind::OffsetMoved { queue, .. }
        | EventKind::LockBelieved { queue, .. } => Some(queue),
        _ => None,
    }
}

fn is_of_queue(event: &Event, of: &MessageQueue) -> bool {
    if let Some(queue) = queue(&event.kind) {
        return queue == of;
    }
    if let Some(record) = message(&event.kind) {
        return record.queue_id == of.queue_id
            && record.topic == of.topic
            && record.broker_name == of.broker_name;
    }
    let EventKind::RequestSent { detail, .. } = &event.kind else { return false };
    match detail {
        RequestDetail::Pull { topic, queue_id, .. }
        | RequestDetail::Commit { topic, queue_id, .. }
        | RequestDetail::Send { topic, queue_id, .. }
        | RequestDetail::Queue { topic, queue_id } => {
            *topic == of.topic && *queue_id == of.queue_id
        }
        RequestDetail::Queues { queues, .. } => queues.contains(of),
        _ => false,
    }
}

/// The call that an event is part of.
pub fn call(kind: &EventKind) -> Option<CallId> {
    match kind {
        EventKind::RequestSent { call, .. }
        | EventKind::ResponseSent { call, .. }
        | EventKind::ResponseReceived { call, .. }
        | EventKind::CallTimedOut { call, .. }
        | EventKind::CallFailed { call, .. }
        | EventKind::PacketLost { call, .. }
        | EventKind::PacketRepeated { call, .. }
        | EventKind::PacketHeld { call, .. }
        | EventKind::PacketPassed { call, .. }
        | EventKind::ResponseUnmatched { call, .. }
        | EventKind::PullSuspended { call, .. }
        | EventKind::PullWoken { call, .. } => Some(*call),
        _ => None,
    }
}

/// The request code of the call that an event is part of.
pub fn code(kind: &EventKind) -> Option<RequestCode> {
    match kind {
        EventKind::RequestSent { code, .. }
        | EventKind::PacketLost { code, .. }
        | EventKind::PacketRepeated { code, .. }
        | EventKind::PacketHeld { code, .. }
        | EventKind::PacketPassed { code, .. } => Some(*code),
        EventKind::ResponseSent { of, .. }
        | EventKind::ResponseReceived { of, .. }
        | EventKind::CallTimedOut { of, .. }
        | EventKind::CallFailed { of, .. }
        | EventKind::ResponseUnmatched { of, .. } => Some(*of),
        _ => None,
    }
}

fn thread(kind: &EventKind) -> Option<u32> {
    match kind {
        EventKind::ConsumeStarted { client_thread, .. }
        | EventKind::ConsumeEnded { client_thread, .. }
        | EventKind::ListenerInterrupted { client_thread, .. } => Some(*client_thread),
        _ => None,
    }
}

fn is_of_level(kind: &EventKind, level: u32) -> bool {
    match kind {
        EventKind::DelayElapsed { level: of, .. } => *of == level,
        EventKind::MessageStored { message } | EventKind::ConsumeQueueAppended { message } => {
            message.topic.as_str() == SCHEDULE_TOPIC
                && DelayLevel::from_queue_id(message.queue_id).number() == level
        }
        EventKind::RetryStored { level: of, .. } => u32::try_from(*of) == Ok(level),
        _ => false,
    }
}

fn is_of_lock(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::QueueLocked { .. }
            | EventKind::QueueLockRefused { .. }
            | EventKind::QueueUnlocked { .. }
            | EventKind::RequestSent {
                code: RequestCode::LockBatchMq | RequestCode::UnlockBatchMq,
                ..
            }
    )
}

fn is_of_pull(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::RequestSent { code: RequestCode::PullMessage, .. }
            | EventKind::PullSuspended { .. }
            | EventKind::PullWoken { .. }
            | EventKind::PullAnswered { .. }
            | EventKind::PullPostponed { .. }
            | EventKind::PullRequestEnded { .. }
            | EventKind::QueueAssigned { .. }
    )
}

fn is_of_shelf(kind: &EventKind, of: u32) -> bool {
    match kind {
        EventKind::MessagesCached { process_queue, .. }
        | EventKind::QueueAssigned { process_queue, .. }
        | EventKind::QueueDropped { process_queue, .. }
        | EventKind::QueueReleased { process_queue, .. } => process_queue.0 == of,
        _ => false,
    }
}

fn is_of_rebalance(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::RebalanceBegan
            | EventKind::Allocated { .. }
            | EventKind::RebalanceEnded { .. }
            | EventKind::QueueAssigned { .. }
            | EventKind::QueueDropped { .. }
            | EventKind::QueueReleased { .. }
    )
}
