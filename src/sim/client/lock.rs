//! Orderly: locking queues at the broker (spec 02.4.5, 06.4, 06.5). All calls go to masters only.
//!
//! `lock` during a rebalance runs on the rebalance thread; `lockAll` and `tryLockLater` run on the
//! consume service's scheduled thread, a serial server.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use super::ClientInstance;
use super::call::{CallResult, Waiter};
use super::task::ClientTask;
use crate::model::constants;
use crate::model::ids::{BrokerName, GroupName, ProcessQueueId};
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, EventKind, TimerKind};
use crate::sim::packet::{Machine, Request, ResponseBody};
use crate::sim::task::Task;

/// A job of ConsumeMessageScheduledThread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum LockJob {
    /// lockMQPeriodically.
    All,
    /// tryLockLaterAndReconsume.
    One(MessageQueue, ProcessQueueId),
}

/// The consume service's scheduled thread.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LockThread {
    pub running: Option<LockJob>,
    pub brokers_left: VecDeque<(BrokerName, Vec<MessageQueue>)>,
    pub waiting: VecDeque<LockJob>,
    #[serde(skip)]
    pub waiting_causes: VecDeque<Causes>,
}

impl ClientInstance {
    fn lock_request(&self, group: &GroupName, queues: Vec<MessageQueue>) -> Request {
        Request::LockBatchMq { group: group.clone(), client_id: self.client_id.clone(), queues }
    }

    /// Sets what the client believes of its lock, for the window that is in the table.
    pub(crate) fn set_locked(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        is_held: bool,
        cx: &mut Context<'_>,
    ) {
        let now = cx.local_now();
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        let Some(id) = consumer.process_queue_table.get(queue) else { return };
        let Some(shelf) = consumer.shelves.get_mut(id) else { return };
        let was_held = shelf.window.is_locked;
        shelf.window.is_locked = is_held;
        if is_held {
            shelf.window.last_lock_at = now;
        }
        if was_held != is_held {
            let causes = cx.causes();
            cx.emit(EventKind::LockBelieved {
                group: group.clone(),
                queue: queue.clone(),
                held: is_held,
            });
            cx.set_causes(causes);
        }
    }

    /// Phase B of a pass: the queue's lock comes first.
    pub(crate) fn lock_for_rebalance(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        cx: &mut Context<'_>,
    ) {
        let Some(broker) = self.master_of(&queue.broker_name) else {
            return self.lock_refused_in_pass(cx);
        };
        let request = self.lock_request(group, vec![queue.clone()]);
        let timeout = constants::lock_batch_timeout(cx.profile());
        let waiter = Waiter::RebalanceLock(queue);
        self.call_sync(Machine::Broker(broker), request, timeout, waiter, cx);
    }

    pub(crate) fn rebalance_on_lock(
        &mut self,
        queue: MessageQueue,
        result: CallResult,
        cx: &mut Context<'_>,
    ) {
        let Some(current) = self.topic_pass() else { return };
        let group = current.group.clone();
        match result.success() {
            Some(ResponseBody::Locked(granted)) if granted.contains(&queue) => {
                // The new window is not in the table yet, so in 4.2.0 nobody learns of the lock
                // before lockAll does (spec 06.3).
                self.set_locked(&group, &queue, true, cx);
                self.compute_pull_from_where(&group, queue, cx);
            }
            _ => self.lock_refused_in_pass(cx),
        }
    }

    fn lock_refused_in_pass(&mut self, cx: &mut Context<'_>) {
        if let Some(current) = self.topic_pass()
            && let Some(queues) = current.queues.as_mut()
        {
            queues.was_refused_a_lock = true;
        }
        self.skip_adding(cx);
    }

    /// All queues of the table by broker name, for lockAll and unlockAll.
    pub(crate) fn queues_by_broker(
        &self,
        group: &GroupName,
        skips_dropped: bool,
    ) -> Vec<(BrokerName, Vec<MessageQueue>)> {
        let Some(consumer) = self.consumers.get(group) else { return Vec::new() };
        let mut by_broker: BTreeMap<BrokerName, Vec<MessageQueue>> = BTreeMap::new();
        for (queue, id) in &consumer.process_queue_table {
            if !(skips_dropped && consumer.is_dropped(*id)) {
                by_broker.entry(queue.broker_name.clone()).or_default().push(queue.clone());
            }
        }
        by_broker.into_iter().collect()
    }

    /// Each 20 s.
    pub(crate) fn lock_periodically(
        &mut self,
        group: &GroupName,
        chain: u64,
        due: Millis,
        cx: &mut Context<'_>,
    ) {
        let Some(consumer) = self.consumers.get(group) else { return };
        if consumer.pool.is_shut_down || consumer.chain != chain {
            return;
        }
        let next = due + consumer.config.rebalance_lock_interval;
        cx.next_turn(next, |cx| self.schedule_lock_periodically(group, chain, next, cx));
        self.lock_job(group, LockJob::All, cx);
    }

    pub(crate) fn schedule_lock_periodically(
        &self,
        group: &GroupName,
        chain: u64,
        due: Millis,
        cx: &mut Context<'_>,
    ) {
        let task = ClientTask::LockPeriodically { group: group.clone(), chain, due };
        let task = Task::Client { process: self.process, task };
        cx.schedule_at(due, TimerKind::LockPeriodically, task);
    }

    /// tryLockLaterAndReconsume's turn.
    pub(crate) fn try_lock_later(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        process_queue: ProcessQueueId,
        cx: &mut Context<'_>,
    ) {
        self.lock_job(group, LockJob::One(queue, process_queue), cx);
    }

    fn lock_job(&mut self, group: &GroupName, job: LockJob, cx: &mut Context<'_>) {
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        consumer.orderly.thread.waiting.push_back(job);
        consumer.orderly.thread.waiting_causes.push_back(cx.causes());
        self.consume_scheduled_run(group, cx);
    }

    pub(crate) fn consume_scheduled_run(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let skips_dropped = cx.rules().lock_all_skips_dropped;
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        let thread = &mut consumer.orderly.thread;
        if thread.running.is_some() {
            return;
        }
        let Some(job) = thread.waiting.pop_front() else { return };
        cx.set_causes(thread.waiting_causes.pop_front().unwrap_or_default());
        thread.running = Some(job.clone());
        if consumer.pool.is_shut_down {
            return self.lock_job_done(group, cx);
        }
        match job {
            LockJob::All => {
                let by_broker = self.queues_by_broker(group, skips_dropped);
                let consumer = self.consumers.get_mut(group).expect("seen above");
                consumer.orderly.thread.brokers_left = by_broker.into();
                self.lock_all_next(group, cx);
            }
            LockJob::One(queue, _) => match self.master_of(&queue.broker_name) {
                Some(broker) => {
                    let request = self.lock_request(group, vec![queue.clone()]);
                    let timeout = constants::lock_batch_timeout(cx.profile());
                    let waiter = Waiter::LockLater { group: group.clone(), queue };
                    self.call_sync(Machine::Broker(broker), request, timeout, waiter, cx);
                }
                None => self.on_lock_later(group, queue, CallResult::Failed, cx),
            },
        }
    }

    fn lock_job_done(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        let thread = &mut consumer.orderly.thread;
        thread.running = None;
        if !thread.waiting.is_empty() {
            let task = ClientTask::ConsumeScheduledRun { group: group.clone() };
            cx.schedule_now(Task::Client { process: self.process, task });
        }
    }

    fn lock_all_next(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        let Some((broker_name, queues)) = consumer.orderly.thread.brokers_left.front().cloned()
        else {
            return self.lock_job_done(group, cx);
        };
        match self.master_of(&broker_name) {
            Some(broker) => {
                let request = self.lock_request(group, queues);
                let timeout = constants::lock_batch_timeout(cx.profile());
                let waiter = Waiter::LockAll { group: group.clone(), broker_name };
                self.call_sync(Machine::Broker(broker), request, timeout, waiter, cx);
            }
            None => {
                let consumer = self.consumers.get_mut(group).expect("seen above");
                consumer.orderly.thread.brokers_left.pop_front();
                self.lock_all_next(group, cx);
            }
        }
    }

    /// Granted: believed and stamped; not granted: no longer believed; no answer: unchanged.
    pub(crate) fn on_lock_all(
        &mut self,
        group: &GroupName,
        _broker_name: &BrokerName,
        result: CallResult,
        cx: &mut Context<'_>,
    ) {
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        let Some((_, asked)) = consumer.orderly.thread.brokers_left.pop_front() else { return };
        if let Some(ResponseBody::Locked(granted)) = result.success() {
            let granted: std::collections::BTreeSet<_> = granted.into_iter().collect();
            for queue in asked {
                let is_held = granted.contains(&queue);
                self.set_locked(group, &queue, is_held, cx);
            }
        }
        self.lock_all_next(group, cx);
    }

    pub(crate) fn on_lock_later(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        result: CallResult,
        cx: &mut Context<'_>,
    ) {
        let Some(consumer) = self.consumers.get(group) else { return };
        let Some(LockJob::One(_, id)) = consumer.orderly.thread.running.clone() else { return };
        let profile = cx.profile();
        let is_granted = matches!(
            result.success(),
            Some(ResponseBody::Locked(granted)) if granted.contains(&queue)
        );
        let after = if is_granted {
            self.set_locked(group, &queue, true, cx);
            constants::reconsume_later_when_locked(profile)
        } else {
            constants::reconsume_later_when_lock_refused(profile)
        };
        self.submit_orderly_later(group, queue, id, after, TimerKind::LockLater, cx);
        self.lock_job_done(group, cx);
    }

    /// UNLOCK_BATCH_MQ, oneway.
    pub(crate) fn unlock_oneway(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        cx: &mut Context<'_>,
    ) {
        let Some(broker) = self.master_of(&queue.broker_name) else { return };
        let request = Request::UnlockBatchMq {
            group: group.clone(),
            client_id: self.client_id.clone(),
            queues: vec![queue],
        };
        self.call_oneway(Machine::Broker(broker), request, cx);
    }
}
