//! Each kind of event as a predicate and its subject.

use super::Narrator;
use super::command::{command_text, refusal_text};
use crate::model::delay_level::{DelayLevel, delay_of};
use crate::model::ids::GroupName;
use crate::model::listener::ListenerResult;
use crate::model::topic::SCHEDULE_TOPIC;
use crate::scene::card::Label;
use crate::sim::command::BrokerStop;
use crate::sim::event::{
    Actor, ConsumeOutcome, DropReason, Event, EventKind, LeaveReason, Limit, LossReason,
    PostponeReason, PullStatus,
};
use crate::sim::packet::Machine;
use crate::text::event::{
    CommandText, DropWord, EventText, LeaveWord, LimitWord, LossWord, PulledWord, PutOffWord,
};

type Said = (EventText, Option<Label>);

impl Narrator<'_> {
    /// What is said of an event, and of what.
    #[expect(clippy::too_many_lines, reason = "a table of one line for each kind")]
    pub(super) fn text(&self, event: &Event) -> Said {
        use EventKind as K;
        match &event.kind {
            K::RequestSent { .. }
            | K::ResponseSent { .. }
            | K::ResponseReceived { .. }
            | K::CallTimedOut { .. }
            | K::CallFailed { .. } => self.call_text(event),
            K::CommandApplied { .. }
            | K::CommandRefused { .. }
            | K::LimitReached { .. }
            | K::PacketLost { .. }
            | K::PacketRepeated { .. }
            | K::PacketHeld { .. }
            | K::PacketPassed { .. }
            | K::ResponseUnmatched { .. }
            | K::ConnectionOpened { .. }
            | K::ConnectionClosed { .. } => self.outer_text(&event.kind),
            K::SendAsked { .. }
            | K::SendSucceeded { .. }
            | K::SendFailed { .. }
            | K::BrokerStarted { .. }
            | K::BrokerStopped { .. }
            | K::TopicCreated { .. }
            | K::MessageStored { .. }
            | K::ConsumeQueueAppended { .. }
            | K::PullSuspended { .. }
            | K::PullWoken { .. }
            | K::OffsetCommitted { .. }
            | K::DelayElapsed { .. } => self.store_text(event),
            K::ClientRegistered { .. }
            | K::ClientLeft { .. }
            | K::SubscriptionReplaced { .. }
            | K::RetryStored { .. }
            | K::DeadLettered { .. }
            | K::RetryDiscarded { .. }
            | K::QueueLocked { .. }
            | K::QueueLockRefused { .. }
            | K::QueueUnlocked { .. } => self.group_text(&event.kind, event),
            K::ConsumeStarted { .. }
            | K::ConsumeEnded { .. }
            | K::ConsumeRequestQueued { .. }
            | K::ListenerInterrupted { .. }
            | K::ResultIgnored { .. }
            | K::MessagesRemoved { .. }
            | K::SentBack { .. }
            | K::SendBackFailed { .. }
            | K::LocalRetryScheduled { .. }
            | K::FailureDropped { .. }
            | K::ExpiredSentBack { .. }
            | K::CleanerDied { .. }
            | K::QueueSuspended { .. }
            | K::OrderlyDeadLetterSent { .. } => self.consume_text(event),
            K::RebalanceBegan
            | K::Allocated { .. }
            | K::RebalanceEnded { .. }
            | K::QueueAssigned { .. }
            | K::QueueDropped { .. }
            | K::QueueReleased { .. }
            | K::PullPostponed { .. }
            | K::PullRequestEnded { .. }
            | K::PullAnswered { .. }
            | K::MessagesCached { .. }
            | K::OffsetMoved { .. }
            | K::LockBelieved { .. }
            | K::OffsetReset { .. } => self.queue_text(&event.kind),
            K::ConsumerStarting { .. }
            | K::StartStepDone { .. }
            | K::ConsumerStarted { .. }
            | K::StartFailed { .. }
            | K::ShutdownBegan { .. }
            | K::ConsumerStopped { .. }
            | K::ProcessCrashed
            | K::HostLost
            | K::Frozen { .. }
            | K::Resumed
            | K::HeartbeatSkipped
            | K::RouteChanged { .. } => self.life_text(event),
        }
    }

    /// People, limits and the wire.
    fn outer_text(&self, kind: &EventKind) -> Said {
        use EventKind as K;
        let text = match kind {
            K::CommandApplied { index } => {
                let command = self.recording.command(*index);
                let text = command.map(|command| command_text(command));
                EventText::Asked(text.unwrap_or(CommandText::Unknown))
            }
            K::CommandRefused { error, .. } => EventText::Refused(refusal_text(error)),
            K::LimitReached { limit } => EventText::LimitReached(match limit {
                Limit::Events => LimitWord::Events,
                Limit::VirtualTime => LimitWord::VirtualTime,
                Limit::Messages => LimitWord::Messages,
            }),
            K::PacketLost { reason, .. } => EventText::Lost(match reason {
                LossReason::Partition => LossWord::Partition,
                LossReason::Dropped => LossWord::Dropped,
                LossReason::ReceiverGone => LossWord::NobodyListens,
                LossReason::ConnectionClosed => LossWord::ConnectionClosed,
            }),
            K::PacketRepeated { again_at, .. } => EventText::Repeated { at: *again_at },
            K::PacketHeld { until, .. } => EventText::HeldBack { until: *until },
            K::PacketPassed { .. } => EventText::Passed,
            K::ResponseUnmatched { code, .. } => {
                EventText::Unmatched { code: Self::answer_code(*code) }
            }
            K::ConnectionOpened { .. } => EventText::Connected,
            _ => EventText::Disconnected,
        };
        (text, None)
    }

    /// Producer and store.
    fn store_text(&self, event: &Event) -> Said {
        use EventKind as K;
        match &event.kind {
            K::SendAsked { key, .. } => (EventText::SendAsked, Some(key.clone())),
            K::SendSucceeded { message, .. } => (EventText::SendSucceeded, Some(message.clone())),
            K::SendFailed { message, .. } => (EventText::SendFailed, Some(message.clone())),
            K::BrokerStarted { .. } => (EventText::BrokerStarted, None),
            K::BrokerStopped { how, .. } => {
                let is_killed = matches!(how, BrokerStop::Kill { .. });
                (EventText::BrokerStopped { is_killed }, None)
            }
            K::TopicCreated { topic, queues } => {
                (EventText::TopicCreated { queues: *queues }, Some(topic.as_str().into()))
            }
            K::MessageStored { message } => {
                let is_delayed = message.topic.as_str() == SCHEDULE_TOPIC;
                let level = DelayLevel::from_queue_id(message.queue_id).number();
                let physical = message.physical_offset.0;
                let text = match is_delayed {
                    true => EventText::StoredDelayed { level },
                    false => EventText::Stored { physical },
                };
                (text, Some(self.message(message)))
            }
            K::ConsumeQueueAppended { message } => {
                let offset = message.queue_offset.0;
                (EventText::Appended { offset }, Some(self.message(message)))
            }
            K::PullSuspended { queue, offset, until, .. } => {
                let text = EventText::Held { offset: offset.0, until: *until };
                (text, Some(self.queue(queue)))
            }
            K::PullWoken { queue, by_arrival, .. } => {
                (EventText::Woken { by_arrival: *by_arrival }, Some(self.queue(queue)))
            }
            K::OffsetCommitted { queue, from, to, by_pull, .. } => {
                let text = EventText::Committed { from: from.0, to: to.0, by_pull: *by_pull };
                (text, Some(self.queue(queue)))
            }
            K::DelayElapsed { level, message, .. } => {
                let real = &message.properties;
                let topic = real.real_topic.as_ref().unwrap_or(&message.topic);
                let id = real.real_queue_id.unwrap_or(message.queue_id);
                let to = self.queue_of(topic, &message.broker_name, id);
                let text = EventText::DelayElapsed { level: *level, to };
                (text, Some(self.label(message)))
            }
            other => unreachable!("{other:?} is told elsewhere"),
        }
    }

    /// What a broker does for a group.
    fn group_text(&self, kind: &EventKind, event: &Event) -> Said {
        use EventKind as K;
        match kind {
            K::ClientRegistered { group, client, .. } => {
                let client = self.client(client);
                (EventText::Registered { client }, Some(group.as_str().into()))
            }
            K::ClientLeft { group, client, reason, .. } => {
                let why = match reason {
                    LeaveReason::Unregistered => LeaveWord::SignedOff,
                    LeaveReason::ConnectionClosed => LeaveWord::ConnectionClosed,
                    LeaveReason::Idle => LeaveWord::Idle,
                    LeaveReason::HeartbeatScan => LeaveWord::NoHeartbeat,
                };
                let client = self.client(client);
                (EventText::Left { client, why }, Some(group.as_str().into()))
            }
            K::SubscriptionReplaced { topic, .. } => {
                (EventText::SubscriptionReplaced, Some(topic.as_str().into()))
            }
            K::RetryStored { origin, level, reconsume_times, .. } => {
                let level = u32::try_from(*level).unwrap_or(0);
                let waits = self.world.brokers.first().and_then(|broker| {
                    delay_of(&broker.config.message_delay_level, DelayLevel::new(level)?)
                });
                let until = waits.map(|wait| event.at + wait);
                let failures = *reconsume_times;
                (EventText::Retried { failures, level, until }, Some(self.message(origin)))
            }
            K::DeadLettered { origin, delayed, .. } => {
                (EventText::DeadLettered { is_delayed: *delayed }, Some(self.message(origin)))
            }
            K::RetryDiscarded { origin, .. } => (EventText::Discarded, Some(self.message(origin))),
            K::QueueLocked { queue, client, renewed, .. } => {
                let (client, is_renewed) = (self.client(client), *renewed);
                (EventText::LockGranted { client, is_renewed }, Some(self.queue(queue)))
            }
            K::QueueLockRefused { queue, client, owner, .. } => {
                let (client, owner) = (self.client(client), self.client(owner));
                (EventText::LockRefused { client, owner }, Some(self.queue(queue)))
            }
            K::QueueUnlocked { queue, client, .. } => {
                let client = self.client(client);
                (EventText::LockReleased { client }, Some(self.queue(queue)))
            }
            other => unreachable!("{other:?} is told elsewhere"),
        }
    }

    /// Listener calls and what becomes of their results.
    fn consume_text(&self, event: &Event) -> Said {
        use EventKind as K;
        match &event.kind {
            K::ConsumeStarted { group, client_thread, message, .. } => {
                let past = self.journal.as_of(event.sequence + 1);
                let nth = past.deliveries(message.body.unique_key, Some(group));
                let text = EventText::Delivered { thread: *client_thread, nth };
                (text, Some(self.message(message)))
            }
            K::ConsumeEnded { group, message, result, outcome, reconsume_times, .. } => {
                let is_orderly = match event.actor {
                    Actor::Machine(Machine::Client(process)) => self.is_orderly(process, group),
                    _ => false,
                };
                let result = result_name(*result, is_orderly);
                let failures = u32::try_from(*reconsume_times).unwrap_or(0) + 1;
                let text = match outcome {
                    ConsumeOutcome::Succeeded => EventText::Succeeded { result },
                    ConsumeOutcome::Failed => EventText::Failed { result, failures },
                };
                (text, Some(self.message(message)))
            }
            K::ConsumeRequestQueued { queue, first, count, .. } => {
                let text = EventText::Queued { first: first.0, count: *count };
                (text, Some(self.queue(queue)))
            }
            K::ListenerInterrupted { client_thread, .. } => {
                (EventText::Interrupted { thread: *client_thread }, None)
            }
            K::ResultIgnored { queue, .. } => (EventText::ResultIgnored, Some(self.queue(queue))),
            K::MessagesRemoved { queue, first, count, .. } => {
                let text = EventText::Removed { first: first.0, count: *count };
                (text, Some(self.queue(queue)))
            }
            K::SentBack { message, by_fallback, .. } => {
                (EventText::SentBack { by_fallback: *by_fallback }, Some(self.message(message)))
            }
            K::SendBackFailed { message, .. } => {
                (EventText::SendBackFailed, Some(self.message(message)))
            }
            K::LocalRetryScheduled { message, until, .. } => {
                (EventText::KeptLocally { until: *until }, Some(self.message(message)))
            }
            K::FailureDropped { message, .. } => {
                (EventText::FailureDropped, Some(self.message(message)))
            }
            K::ExpiredSentBack { message, .. } => (EventText::Expired, Some(self.message(message))),
            K::CleanerDied { .. } => (EventText::CleanerDied, None),
            K::QueueSuspended { queue, until, .. } => {
                (EventText::Suspended { until: *until }, Some(self.queue(queue)))
            }
            K::OrderlyDeadLetterSent { message, .. } => {
                (EventText::DeadLetterSent, Some(self.message(message)))
            }
            other => unreachable!("{other:?} is told elsewhere"),
        }
    }

    /// Who reads a queue, how it is pulled, and how far it is done.
    fn queue_text(&self, kind: &EventKind) -> Said {
        use EventKind as K;
        match kind {
            K::RebalanceBegan => (EventText::RebalanceBegan, None),
            K::RebalanceEnded { balanced } => {
                (EventText::RebalanceEnded { is_balanced: *balanced }, None)
            }
            K::Allocated { topic, queues, members, mine, .. } => {
                let text = EventText::Allocated {
                    queues: queues.len() as u32,
                    members: members.len() as u32,
                    mine: self.queues(mine),
                };
                (text, Some(topic.as_str().into()))
            }
            K::QueueAssigned { queue, next_offset, .. } => {
                (EventText::Assigned { next: next_offset.0 }, Some(self.queue(queue)))
            }
            K::QueueDropped { queue, reason, .. } => {
                (EventText::Dropped(drop_word(*reason)), Some(self.queue(queue)))
            }
            K::QueueReleased { queue, .. } => (EventText::Released, Some(self.queue(queue))),
            K::PullPostponed { queue, reason, until, .. } => {
                let text = EventText::PutOff { why: put_off_word(*reason), until: *until };
                (text, Some(self.queue(queue)))
            }
            K::PullRequestEnded { queue, .. } => (EventText::PullEnded, Some(self.queue(queue))),
            K::PullAnswered { queue, status, found, kept, next_offset, .. } => {
                let text = match status {
                    PullStatus::Found => {
                        let (found, kept, next) = (*found, *kept, next_offset.0);
                        EventText::PullFound { found, kept, next }
                    }
                    PullStatus::NoNewMessage => EventText::PullFoundNothing(PulledWord::Nothing),
                    PullStatus::NoMatchedMessage => {
                        EventText::PullFoundNothing(PulledWord::NothingMatches)
                    }
                    PullStatus::OffsetIllegal => {
                        EventText::PullFoundNothing(PulledWord::OffsetIllegal)
                    }
                };
                (text, Some(self.queue(queue)))
            }
            K::MessagesCached { queue, first, count, .. } => {
                let text = EventText::Cached { first: first.0, count: *count };
                (text, Some(self.queue(queue)))
            }
            K::OffsetMoved { queue, from, to, .. } => {
                (EventText::OffsetMoved { from: from.0, to: to.0 }, Some(self.queue(queue)))
            }
            K::LockBelieved { queue, held, .. } => {
                (EventText::Believes { is_locked: *held }, Some(self.queue(queue)))
            }
            K::OffsetReset { topic, .. } => (EventText::OffsetReset, Some(topic.as_str().into())),
            other => unreachable!("{other:?} is told elsewhere"),
        }
    }
}

impl Narrator<'_> {
    /// The life of a process. A process that serves one group needs no word for it.
    fn life_text(&self, event: &Event) -> Said {
        use EventKind as K;
        let groups = match event.actor {
            Actor::Machine(Machine::Client(process)) => {
                self.world.clients.get(process.0 as usize).map_or(0, |it| it.consumers.len())
            }
            _ => 0,
        };
        let group = |group: &GroupName| (groups > 1).then(|| Label::from(group.as_str()));
        match &event.kind {
            K::ConsumerStarting { group: of } => (EventText::Starting, group(of)),
            K::StartStepDone { group: of, step } => {
                (EventText::StepDone { step: *step }, group(of))
            }
            K::ConsumerStarted { group: of } => (EventText::Started, group(of)),
            K::StartFailed { group: of, error } => {
                (EventText::StartFailed(refusal_text(error)), group(of))
            }
            K::ShutdownBegan { group: of } => (EventText::Stopping, group(of)),
            K::ConsumerStopped { group: of } => (EventText::Stopped, group(of)),
            K::ProcessCrashed => (EventText::Crashed, None),
            K::HostLost => (EventText::HostLost, None),
            K::Frozen { until } => (EventText::Frozen { until: *until }, None),
            K::Resumed => (EventText::Resumed, None),
            K::RouteChanged { topic, queues } => {
                (EventText::RouteChanged { queues: *queues }, Some(topic.as_str().into()))
            }
            _ => (EventText::HeartbeatSkipped, None),
        }
    }
}

/// The constant that a listener returned.
pub fn result_name(result: ListenerResult, is_orderly: bool) -> &'static str {
    match (result, is_orderly) {
        (ListenerResult::Success, false) => "CONSUME_SUCCESS",
        (ListenerResult::Success, true) => "SUCCESS",
        (ListenerResult::Later, false) => "RECONSUME_LATER",
        (ListenerResult::Later, true) => "SUSPEND_CURRENT_QUEUE_A_MOMENT",
        (ListenerResult::Throws, _) => "exception",
        (ListenerResult::Null, _) => "null",
        (ListenerResult::Never, _) => "–",
        (ListenerResult::Commit, _) => "COMMIT",
        (ListenerResult::Rollback, _) => "ROLLBACK",
    }
}

const fn drop_word(reason: DropReason) -> DropWord {
    match reason {
        DropReason::Rebalance => DropWord::Rebalance,
        DropReason::PullExpired => DropWord::PullExpired,
        DropReason::NotSubscribed => DropWord::NotSubscribed,
        DropReason::OffsetIllegal => DropWord::OffsetIllegal,
        DropReason::OffsetReset => DropWord::OffsetReset,
        DropReason::Shutdown => DropWord::Shutdown,
    }
}

pub(super) const fn put_off_word(reason: PostponeReason) -> PutOffWord {
    match reason {
        PostponeReason::NotRunning => PutOffWord::NotRunning,
        PostponeReason::Paused => PutOffWord::Paused,
        PostponeReason::Count => PutOffWord::Count,
        PostponeReason::Size => PutOffWord::Size,
        PostponeReason::Span => PutOffWord::Span,
        PostponeReason::NotLocked => PutOffWord::NotLocked,
        PostponeReason::NoSubscription => PutOffWord::NoSubscription,
        PostponeReason::Error => PutOffWord::Error,
    }
}
