//! cleanExpireMsg: a message that has been running for longer than consumeTimeout goes back, so that
//! it no longer holds the offset (spec 04.3). One thread; it waits for each answer.

use std::collections::VecDeque;

use serde::Serialize;

use super::ClientInstance;
use super::call::{CallResult, Waiter};
use super::send::SendOwner;
use super::task::ClientTask;
use crate::model::clean_expired::{CleanExpired, CleanStep};
use crate::model::constants;
use crate::model::ids::{GroupName, ProcessQueueId};
use crate::model::process_queue::CachedMessage;
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, TimerKind};
use crate::sim::task::Task;

/// The cleaner of one consumer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Cleaner {
    /// An exception escaped (4.2.0): it never runs again.
    pub is_dead: bool,
    pub run: Option<CleanRun>,
    /// A turn came due while the last one was still at work.
    pub is_overdue: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct CleanRun {
    pub left: VecDeque<ProcessQueueId>,
    pub current: Option<(ProcessQueueId, CleanExpired)>,
    pub sending: Option<CachedMessage>,
}

impl ClientInstance {
    fn consume_timeout(&self, group: &GroupName) -> Millis {
        self.consumers.get(group).map_or(Millis::MAX, |consumer| {
            Millis::from_minutes(u64::from(consumer.config.consume_timeout))
        })
    }

    /// Its turn: every window, one after the other.
    pub(crate) fn clean_expired(
        &mut self,
        group: &GroupName,
        chain: u64,
        due: Millis,
        cx: &mut Context<'_>,
    ) {
        let is_current =
            |it: &&mut super::consumer::PushConsumer| it.is_running() && it.chain == chain;
        let Some(consumer) = self.consumers.get_mut(group).filter(is_current) else {
            return;
        };
        if consumer.cleaner.is_dead {
            return;
        }
        let left = consumer.process_queue_table.values().copied().collect();
        if consumer.cleaner.run.is_some() {
            consumer.cleaner.is_overdue = true;
        } else {
            consumer.cleaner.run = Some(CleanRun { left, current: None, sending: None });
        }
        let next = due + self.consume_timeout(group);
        cx.next_turn(next, |cx| self.schedule_clean_expired(group, chain, next, cx));
        self.clean_next(group, cx);
    }

    pub(crate) fn schedule_clean_expired(
        &self,
        group: &GroupName,
        chain: u64,
        due: Millis,
        cx: &mut Context<'_>,
    ) {
        let task = ClientTask::CleanExpired { group: group.clone(), chain, due };
        let task = Task::Client { process: self.process, task };
        cx.schedule_at(due, TimerKind::CleanExpired, task);
    }

    fn clean_next(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let (now, profile) = (cx.local_now(), cx.profile());
        let mut rules = cx.rules();
        rules.clean_expired_defect &= cx.engine.clean_expired_defect;
        let timeout = self.consume_timeout(group);
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        loop {
            let Some(run) = consumer.cleaner.run.as_mut() else { return };
            if run.sending.is_some() {
                return;
            }
            let Some((id, mut clean)) = run.current.take() else {
                let Some(id) = run.left.pop_front() else {
                    consumer.cleaner.run = None;
                    return;
                };
                if let Some(shelf) = consumer.shelves.get(&id) {
                    let clean = CleanExpired::begin(profile, &shelf.window);
                    consumer.cleaner.run.as_mut().expect("it is at work").current =
                        Some((id, clean));
                }
                continue;
            };
            let Some(shelf) = consumer.shelves.get(&id) else { continue };
            match clean.next(&rules, &shelf.window, now, timeout) {
                CleanStep::Done => {}
                CleanStep::Died => {
                    consumer.cleaner.run = None;
                    consumer.cleaner.is_dead = true;
                    cx.emit(EventKind::CleanerDied { group: group.clone() });
                    return;
                }
                CleanStep::SendBack(entry) => {
                    let broker_name = shelf.queue.broker_name.clone();
                    run.current = Some((id, clean));
                    run.sending = Some(entry.clone());
                    let level = constants::clean_expired_delay_level(profile);
                    let waiter = Waiter::CleanerSendBack { group: group.clone() };
                    if !self.send_message_back(group, &broker_name, &entry, level, waiter, cx) {
                        self.on_cleaner_send_back(group, CallResult::Failed, cx);
                    }
                    return;
                }
            }
        }
    }

    pub(crate) fn on_cleaner_send_back(
        &mut self,
        group: &GroupName,
        result: CallResult,
        cx: &mut Context<'_>,
    ) {
        if result.success().is_some() {
            return self.cleaner_sent(group, true, cx);
        }
        let run = self.consumers.get(group).and_then(|consumer| consumer.cleaner.run.as_ref());
        let Some(entry) = run.and_then(|run| run.sending.clone()) else { return };
        self.send_fallback(group, &entry, SendOwner::CleanerSendBack { group: group.clone() }, cx);
    }

    /// sendMessageBack of the push consumer tries its fallback itself and then gives up quietly: the
    /// cleaner takes that for success only if one of the two ways worked.
    pub(crate) fn on_cleaner_fallback(
        &mut self,
        group: &GroupName,
        was_sent: bool,
        cx: &mut Context<'_>,
    ) {
        self.cleaner_sent(group, was_sent, cx);
    }

    fn cleaner_sent(&mut self, group: &GroupName, was_sent: bool, cx: &mut Context<'_>) {
        let (now, rules) = (cx.local_now(), cx.rules());
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        let Some(run) = consumer.cleaner.run.as_mut() else { return };
        let Some(entry) = run.sending.take() else { return };
        if was_sent
            && let Some((id, _)) = &run.current
            && let Some(shelf) = consumer.shelves.get_mut(id)
        {
            let offset = entry.queue_offset();
            CleanExpired::sent_back(&rules, &mut shelf.window, now, offset);
            let message = entry.message;
            cx.emit(EventKind::ExpiredSentBack { group: group.clone(), message });
        }
        self.clean_next(group, cx);
    }
}
