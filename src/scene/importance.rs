//! How important an event is to whoever watches: 0 background, 1 a step on the way, 2 a change that
//! one should see, 3 a turn of the story (UX 4).
//!
//! What repeats itself without changing anything is background: heartbeats, route polls, passes of
//! the rebalance that find all as it was, idle pulls, offsets reported again.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::cast::is_user_topic;
use crate::model::append_log::AppendLog;
use crate::model::ids::{ClientId, GroupName, ProcessIndex, QueueId, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::topic::{SCHEDULE_TOPIC, is_retry_topic};
use crate::sim::event::{
    Actor, ConsumeOutcome, Event, EventKind, PullStatus, RequestDetail, TimerKind, Trigger,
};
use crate::sim::packet::{Machine, RequestCode, ResponseCode};

pub type Importance = u8;

/// What a judge must remember of the events before.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// C, as the broker was last told.
    committed: BTreeMap<(GroupName, TopicName, QueueId), QueueOffset>,
    /// Queues and members of each process's last pass.
    passes: BTreeMap<(ProcessIndex, TopicName), Views>,
}

type Views = (Rc<[MessageQueue]>, Rc<[ClientId]>);

impl Judge {
    /// How important the event is; `before` holds all events before it and how important they were.
    pub fn judge(
        &mut self,
        event: &Event,
        before: &AppendLog<Event>,
        judged: &[Importance],
    ) -> Importance {
        use EventKind as K;
        match &event.kind {
            K::RequestSent { code, detail, .. } => self.request(event, *code, detail, before),
            K::Allocated { topic, queues, members, .. } => {
                self.allocated(event, topic, queues, members)
            }
            K::OffsetCommitted { group, queue, from, to, .. } => {
                let key = (group.clone(), queue.topic.clone(), queue.queue_id);
                self.committed.insert(key, *to);
                match from.cmp(to) {
                    std::cmp::Ordering::Less => 2,
                    std::cmp::Ordering::Equal => 0,
                    // The group's progress went back.
                    std::cmp::Ordering::Greater => 3,
                }
            }
            K::PullSuspended { .. } => of_cause(event, judged).min(1),
            K::PullPostponed { .. } => {
                if follows_a_postponement(event, before) {
                    0
                } else {
                    2
                }
            }
            K::MessageStored { message } => {
                let is_step = message.topic.as_str() == SCHEDULE_TOPIC
                    || matches!(event.trigger, Trigger::Timer { .. });
                if is_step { 1 } else { 2 }
            }
            K::RebalanceBegan => u8::from(!is_timer(event, &TimerKind::Rebalance)),
            K::BrokerStarted { .. } if event.at.ms() == 0 => 0,
            K::RouteChanged { topic, .. } | K::TopicCreated { topic, .. } => {
                u8::from(is_user_topic(topic))
            }
            kind => fixed(kind),
        }
    }

    fn request(
        &mut self,
        event: &Event,
        code: RequestCode,
        detail: &RequestDetail,
        before: &AppendLog<Event>,
    ) -> Importance {
        match (code, detail) {
            (_, RequestDetail::Commit { group, topic, queue_id, offset }) => {
                let key = (group.clone(), topic.clone(), *queue_id);
                u8::from(self.committed.get(&key) != Some(offset))
            }
            (RequestCode::PullMessage, _) => u8::from(!is_idle_pull(event, before)),
            (RequestCode::ConsumerSendMsgBack, _) => 2,
            (
                RequestCode::SendMessageV2
                | RequestCode::NotifyConsumerIdsChanged
                | RequestCode::UnlockBatchMq
                | RequestCode::ResetConsumerClientOffset
                | RequestCode::UnregisterClient,
                _,
            ) => 1,
            // Renewals of a lock that is held are background.
            (RequestCode::LockBatchMq, _) => {
                u8::from(!is_timer(event, &TimerKind::LockPeriodically))
            }
            // What a new assignment asks, but not what a pass asks that changes nothing.
            (
                RequestCode::QueryConsumerOffset
                | RequestCode::GetMaxOffset
                | RequestCode::SearchOffsetByTimestamp,
                _,
            ) => 1,
            // Part of start().
            (RequestCode::HeartBeat | RequestCode::GetRouteInfoByTopic, _) => {
                let is_routine = is_timer(event, &TimerKind::Heartbeat)
                    || is_timer(event, &TimerKind::RouteRefresh);
                u8::from(
                    !is_routine
                        && of_cause_kind(event, before, |kind| {
                            matches!(kind, EventKind::StartStepDone { .. })
                        }),
                )
            }
            _ => 0,
        }
    }

    fn allocated(
        &mut self,
        event: &Event,
        topic: &TopicName,
        queues: &Rc<[MessageQueue]>,
        members: &Rc<[ClientId]>,
    ) -> Importance {
        let Actor::Machine(Machine::Client(process)) = event.actor else { return 0 };
        let views = (queues.clone(), members.clone());
        let last = self.passes.insert((process, topic.clone()), views.clone());
        match (last == Some(views), is_retry_topic(topic)) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 3,
        }
    }
}

/// Kinds that are as important each time.
#[expect(clippy::too_many_lines, reason = "a table of one line for each kind")]
const fn fixed(kind: &EventKind) -> Importance {
    use EventKind as K;
    match kind {
        K::ProcessCrashed
        | K::HostLost
        | K::BrokerStarted { .. }
        | K::BrokerStopped { .. }
        | K::Frozen { .. }
        | K::Resumed
        | K::ShutdownBegan { .. }
        | K::StartFailed { .. }
        | K::RetryStored { .. }
        | K::DeadLettered { .. }
        | K::RetryDiscarded { .. }
        | K::SendBackFailed { .. }
        | K::LocalRetryScheduled { .. }
        | K::ExpiredSentBack { .. }
        | K::CleanerDied { .. }
        | K::OrderlyDeadLetterSent { .. }
        | K::OffsetReset { .. }
        | K::LimitReached { .. }
        | K::ConsumeEnded { outcome: ConsumeOutcome::Failed, .. } => 3,
        K::CommandRefused { .. }
        | K::CallTimedOut { .. }
        | K::CallFailed { .. }
        | K::PacketLost { .. }
        | K::PacketRepeated { .. }
        | K::PacketHeld { .. }
        | K::PacketPassed { .. }
        | K::SendFailed { .. }
        | K::ClientLeft { .. }
        | K::DelayElapsed { .. }
        | K::QueueLocked { renewed: false, .. }
        | K::QueueLockRefused { .. }
        | K::QueueUnlocked { .. }
        | K::ConsumerStarting { .. }
        | K::ConsumerStarted { .. }
        | K::ConsumerStopped { .. }
        | K::HeartbeatSkipped
        | K::QueueAssigned { .. }
        | K::QueueDropped { .. }
        | K::MessagesCached { .. }
        | K::ConsumeStarted { .. }
        | K::ConsumeEnded { outcome: ConsumeOutcome::Succeeded, .. }
        | K::ListenerInterrupted { .. }
        | K::ResultIgnored { .. }
        | K::FailureDropped { .. }
        | K::QueueSuspended { .. }
        | K::LockBelieved { .. } => 2,
        K::CommandApplied { .. }
        | K::ConnectionClosed { .. }
        | K::ConsumeQueueAppended { .. }
        | K::PullWoken { by_arrival: true, .. }
        | K::ClientRegistered { .. }
        | K::StartStepDone { .. }
        | K::QueueReleased { .. }
        | K::PullRequestEnded { .. }
        | K::SentBack { .. }
        | K::MessagesRemoved { .. }
        | K::OffsetMoved { .. } => 1,
        K::ResponseSent { of, code, .. } => response(*of, *code),
        K::PullAnswered { status: PullStatus::OffsetIllegal, .. } => 2,
        K::PullAnswered { .. }
        | K::PullWoken { by_arrival: false, .. }
        | K::ResponseReceived { .. }
        | K::ResponseUnmatched { .. }
        | K::ConnectionOpened { .. }
        | K::SendAsked { .. }
        | K::SendSucceeded { .. }
        | K::SubscriptionReplaced { .. }
        | K::QueueLocked { renewed: true, .. }
        | K::RebalanceEnded { .. }
        | K::ConsumeRequestQueued { .. } => 0,
        // Judged by what came before.
        K::RequestSent { .. }
        | K::Allocated { .. }
        | K::OffsetCommitted { .. }
        | K::PullSuspended { .. }
        | K::PullPostponed { .. }
        | K::MessageStored { .. }
        | K::RouteChanged { .. }
        | K::TopicCreated { .. }
        | K::RebalanceBegan => 0,
    }
}

/// Messages on their way are worth a look, and refusals are.
const fn response(of: RequestCode, code: ResponseCode) -> Importance {
    match (of, code) {
        (RequestCode::PullMessage, ResponseCode::Success) => 1,
        (_, ResponseCode::Success | ResponseCode::PullNotFound | ResponseCode::QueryNotFound) => 0,
        (RequestCode::PullMessage, ResponseCode::PullRetryImmediately) => 0,
        _ => 2,
    }
}

fn is_timer(event: &Event, kind: &TimerKind) -> bool {
    matches!(&event.trigger, Trigger::Timer { kind: of, .. } if of == kind)
}

/// The first of the causes.
fn cause<'a>(event: &Event, before: &'a AppendLog<Event>) -> Option<&'a Event> {
    before.get(*event.causes.as_slice().first()? as usize)
}

fn of_cause_kind(
    event: &Event,
    before: &AppendLog<Event>,
    is_it: impl Fn(&EventKind) -> bool,
) -> bool {
    cause(event, before).is_some_and(|cause| is_it(&cause.kind))
}

/// As important as what caused it.
fn of_cause(event: &Event, judged: &[Importance]) -> Importance {
    let first = event.causes.as_slice().first();
    first.and_then(|cause| judged.get(*cause as usize)).copied().unwrap_or(0)
}

/// A pull that goes out again because the last one found nothing.
fn is_idle_pull(event: &Event, before: &AppendLog<Event>) -> bool {
    of_cause_kind(event, before, |kind| match kind {
        EventKind::PullAnswered { status, .. } => {
            matches!(status, PullStatus::NoNewMessage | PullStatus::NoMatchedMessage)
        }
        _ => false,
    })
}

/// The same pull was put off before, and nothing came of it.
fn follows_a_postponement(event: &Event, before: &AppendLog<Event>) -> bool {
    of_cause_kind(event, before, |kind| matches!(kind, EventKind::PullPostponed { .. }))
}

/// Kinds that become routine: the more often one was told, the less time the next one needs.
pub const fn routine(kind: &EventKind) -> Option<u16> {
    use EventKind as K;
    Some(match kind {
        K::RequestSent { code, .. } => 1_000 + code.number(),
        K::ResponseSent { of, .. } => 2_000 + of.number(),
        K::CommandApplied { .. } => 1,
        K::MessageStored { .. } => 2,
        K::ConsumeQueueAppended { .. } => 3,
        K::PullWoken { .. } => 4,
        K::PullSuspended { .. } => 5,
        K::PullPostponed { .. } => 6,
        K::MessagesCached { .. } => 7,
        K::ConsumeStarted { .. } => 8,
        K::ConsumeEnded { outcome: ConsumeOutcome::Succeeded, .. } => 9,
        K::ConsumeEnded { outcome: ConsumeOutcome::Failed, .. } => 10,
        K::MessagesRemoved { .. } => 11,
        K::OffsetMoved { .. } => 12,
        K::OffsetCommitted { .. } => 13,
        K::RetryStored { .. } => 14,
        K::DelayElapsed { .. } => 15,
        K::SentBack { .. } => 16,
        K::QueueAssigned { .. } => 17,
        K::QueueDropped { .. } => 18,
        K::QueueReleased { .. } => 19,
        K::QueueLocked { .. } => 20,
        K::QueueLockRefused { .. } => 21,
        K::QueueSuspended { .. } => 22,
        K::DeadLettered { .. } => 23,
        K::Allocated { .. } => 24,
        K::LockBelieved { .. } => 25,
        _ => return None,
    })
}
