//! `ConsumeMessageOrderlyService` (spec 06): one request for each queue, under three guards, and how
//! a queue is given up.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use super::ClientInstance;
use super::consume_pool::{ListenerCall, WorkerState};
use super::lock::LockThread;
use super::send::SendOwner;
use super::task::ClientTask;
use crate::model::constants;
use crate::model::consume::ConsumeRequest;
use crate::model::consume_result::{
    OrderlyContext, OrderlyResult, OrderlySettings, OrderlyStatus, finish_orderly,
    is_orderly_dead_letter, orderly_max_reconsume_times,
};
use crate::model::ids::{GroupName, ProcessQueueId};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::process_queue::CachedMessage;
use crate::model::send_back::orderly_dead_letter;
use crate::model::time::Millis;
use crate::sim::agenda::AgendaKey;
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, TimerKind};
use crate::sim::task::Task;

#[derive(Clone, Debug, Default, Serialize)]
pub struct OrderlyService {
    pub thread: LockThread,
    /// MessageQueueLock: the thread that is inside the monitor of a queue, and who waits for it.
    pub monitors: BTreeMap<MessageQueue, Monitor>,
    /// A pass that waits for a consume lock.
    pub removal: Option<RemovalWait>,
}

/// The monitor of one queue: one request at a time, across old and new windows (spec 06.1).
#[derive(Clone, Debug, Default, Serialize)]
pub struct Monitor {
    pub holder: Option<u32>,
    pub waiting: VecDeque<u32>,
}

/// removeUnnecessaryMessageQueue waits up to 1 s (0.5 s) for the running listener.
#[derive(Clone, Debug, Serialize)]
pub struct RemovalWait {
    pub token: u64,
    pub queue: MessageQueue,
    pub process_queue: ProcessQueueId,
    pub timer: AgendaKey,
}

/// Dead letters of one orderly result on their way.
#[derive(Clone, Debug, Serialize)]
pub struct DeadLetterRun {
    pub call: Box<ListenerCall>,
    pub left: VecDeque<CachedMessage>,
    pub current: Option<CachedMessage>,
    pub failed: Vec<QueueOffset>,
}

impl ClientInstance {
    /// submitConsumeRequest with dispatch = true.
    pub(crate) fn submit_orderly(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        process_queue: ProcessQueueId,
        cx: &mut Context<'_>,
    ) {
        let request = ConsumeRequest { message_queue: queue, process_queue, messages: Vec::new() };
        self.submit(group, request, cx);
    }

    /// submitConsumeRequestLater. Nothing reaches a stopped pool.
    pub(crate) fn submit_orderly_later(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        process_queue: ProcessQueueId,
        after: Millis,
        timer: TimerKind,
        cx: &mut Context<'_>,
    ) {
        if let Some(consumer) = self.consumers.get_mut(group) {
            consumer.hold(process_queue);
        }
        let request = ConsumeRequest { message_queue: queue, process_queue, messages: Vec::new() };
        let task = ClientTask::SubmitLater { group: group.clone(), request: Box::new(request) };
        cx.schedule(after, timer, Task::Client { process: self.process, task });
    }

    fn worker_request(
        &self,
        group: &GroupName,
        thread: u32,
    ) -> Option<(MessageQueue, ProcessQueueId)> {
        let worker = self.consumers.get(group)?.pool.workers.get(thread as usize)?;
        let request = worker.request.as_ref()?;
        Some((request.message_queue.clone(), request.process_queue))
    }

    /// ConsumeRequest.run: into the monitor of the queue, or wait for it.
    pub(crate) fn run_orderly(&mut self, group: &GroupName, thread: u32, cx: &mut Context<'_>) {
        let Some((queue, id)) = self.worker_request(group, thread) else { return };
        let now = cx.local_now();
        let consumer = self.consumers.get_mut(group).expect("its thread runs");
        if consumer.is_dropped(id) {
            // The monitor may have been handed to this thread before its window was dropped.
            return self.leave_monitor(group, thread, cx);
        }
        let monitor = consumer.orderly.monitors.entry(queue.clone()).or_default();
        match monitor.holder {
            None => monitor.holder = Some(thread),
            Some(holder) if holder == thread => {}
            Some(_) => {
                monitor.waiting.push_back(thread);
                return;
            }
        }
        consumer.pool.workers[thread as usize].run_began_at = now;
        let profile = cx.profile();
        let window = &consumer.shelves[&id].window;
        let holds = window.is_locked && !window.is_lock_expired(profile, now);
        if !consumer.is_clustering() || holds {
            self.orderly_turn(group, thread, cx);
        } else {
            let after = constants::try_lock_later_at_start(profile);
            self.lock_later_and_leave(group, thread, after, cx);
        }
    }

    fn lock_later_and_leave(
        &mut self,
        group: &GroupName,
        thread: u32,
        after: Millis,
        cx: &mut Context<'_>,
    ) {
        let Some((queue, process_queue)) = self.worker_request(group, thread) else { return };
        let task = ClientTask::TryLockLater { group: group.clone(), queue, process_queue };
        cx.schedule(after, TimerKind::LockLater, Task::Client { process: self.process, task });
        self.leave_monitor(group, thread, cx);
    }

    /// One turn of the loop in ConsumeRequest.run.
    fn orderly_turn(&mut self, group: &GroupName, thread: u32, cx: &mut Context<'_>) {
        let (now, profile) = (cx.local_now(), cx.profile());
        let Some((queue, id)) = self.worker_request(group, thread) else { return };
        let consumer = self.consumers.get_mut(group).expect("its thread runs");
        if consumer.is_dropped(id) {
            return self.leave_monitor(group, thread, cx);
        }
        let window = &consumer.shelves[&id].window;
        let lost_lock = !window.is_locked || window.is_lock_expired(profile, now);
        if consumer.is_clustering() && lost_lock {
            let after = constants::try_lock_later_in_loop(profile);
            return self.lock_later_and_leave(group, thread, after, cx);
        }
        let began = consumer.pool.workers[thread as usize].run_began_at;
        if now - began > constants::max_time_consume_continuously(profile) {
            let after = constants::suspend_current_queue_time_min(profile);
            self.submit_orderly_later(group, queue, id, after, TimerKind::ResubmitLater, cx);
            return self.leave_monitor(group, thread, cx);
        }
        let batch = consumer.config.consume_message_batch_max_size;
        let shelf = consumer.shelves.get_mut(&id).expect("it is not dropped");
        let messages = shelf.window.take_messages(now, batch);
        if messages.is_empty() {
            return self.leave_monitor(group, thread, cx);
        }
        self.call_listener(group, thread, messages, cx);
    }

    /// Out of the monitor; the next that waits for it goes on.
    fn leave_monitor(&mut self, group: &GroupName, thread: u32, cx: &mut Context<'_>) {
        let process = self.process;
        if let Some((queue, _)) = self.worker_request(group, thread)
            && let Some(consumer) = self.consumers.get_mut(group)
            && let Some(monitor) = consumer.orderly.monitors.get_mut(&queue)
            && monitor.holder == Some(thread)
        {
            monitor.holder = monitor.waiting.pop_front();
            match monitor.holder {
                Some(next) => {
                    let group = group.clone();
                    let task = ClientTask::RunConsumeRequest { group, thread: next };
                    cx.schedule_now(Task::Client { process, task });
                }
                None => {
                    consumer.orderly.monitors.remove(&queue);
                }
            }
        }
        self.thread_done(group, thread, cx);
    }

    /// The listener has returned: the consume lock is free again, and dead letters go first.
    pub(crate) fn process_orderly_result(
        &mut self,
        group: &GroupName,
        thread: u32,
        call: ListenerCall,
        cx: &mut Context<'_>,
    ) {
        let profile = cx.profile();
        let causes = cx.causes();
        self.listener_left_queue(group, thread, cx);
        cx.set_causes(causes);
        let Some(status) = OrderlyStatus::of(call.result) else { return };
        let consumer = self.consumers.get_mut(group).expect("its listener has returned");
        let max = orderly_max_reconsume_times(profile, consumer.config.max_reconsume_times);
        let left = match status {
            OrderlyStatus::SuspendCurrentQueueAMoment => {
                call.messages.iter().filter(|it| is_orderly_dead_letter(it, max)).cloned().collect()
            }
            _ => VecDeque::new(),
        };
        let run = DeadLetterRun { call: Box::new(call), left, current: None, failed: Vec::new() };
        consumer.pool.workers[thread as usize].state = WorkerState::SendingDeadLetters(run);
        self.dead_letter_next(group, thread, cx);
    }

    fn dead_letter_run(&mut self, group: &GroupName, thread: u32) -> Option<&mut DeadLetterRun> {
        let consumer = self.consumers.get_mut(group)?;
        match &mut consumer.pool.workers.get_mut(thread as usize)?.state {
            WorkerState::SendingDeadLetters(run) => Some(run),
            _ => None,
        }
    }

    fn dead_letter_next(&mut self, group: &GroupName, thread: u32, cx: &mut Context<'_>) {
        let Some(run) = self.dead_letter_run(group, thread) else { return };
        let Some(entry) = run.left.pop_front() else {
            return self.finish_orderly_result(group, thread, cx);
        };
        run.current = Some(entry.clone());
        let profile = cx.profile();
        let rules = cx.rules();
        let max = self.consumers[group].config.max_reconsume_times;
        let max = orderly_max_reconsume_times(profile, max);
        let message = orderly_dead_letter(&rules, group, &entry, max);
        let owner = SendOwner::DeadLetter { group: group.clone(), thread };
        self.inner_send(message, owner, cx);
    }

    pub(crate) fn on_dead_letter_sent(
        &mut self,
        group: &GroupName,
        thread: u32,
        was_sent: bool,
        cx: &mut Context<'_>,
    ) {
        let Some(run) = self.dead_letter_run(group, thread) else { return };
        let Some(entry) = run.current.take() else { return };
        if was_sent {
            let message = entry.message;
            cx.emit(EventKind::OrderlyDeadLetterSent { group: group.clone(), message });
        } else {
            run.failed.push(entry.queue_offset());
        }
        self.dead_letter_next(group, thread, cx);
    }

    fn finish_orderly_result(&mut self, group: &GroupName, thread: u32, cx: &mut Context<'_>) {
        let (profile, rules, now) = (cx.profile(), cx.rules(), cx.now());
        let Some((queue, id)) = self.worker_request(group, thread) else { return };
        let consumer = self.consumers.get_mut(group).expect("its thread runs");
        let worker = &mut consumer.pool.workers[thread as usize];
        let state = std::mem::replace(&mut worker.state, WorkerState::Starting);
        let WorkerState::SendingDeadLetters(run) = state else { return };
        let result = OrderlyResult {
            status: OrderlyStatus::of(run.call.result).expect("seen before"),
            context: OrderlyContext {
                auto_commit: consumer.config.auto_commit,
                suspend_ms: run.call.suspend_ms.map_or(-1, |ms| ms.ms() as i64),
            },
            dead_letter_failed: run.failed,
            batch: run.call.messages,
        };
        let settings = OrderlySettings {
            max_reconsume_times: orderly_max_reconsume_times(
                profile,
                consumer.config.max_reconsume_times,
            ),
            suspend_time: consumer.config.suspend_current_queue_time,
        };
        let Some(shelf) = consumer.shelves.get_mut(&id) else {
            return self.leave_monitor(group, thread, cx);
        };
        let finished = finish_orderly(&rules, profile, &mut shelf.window, settings, result);
        if let Some(offset) = finished.offset {
            let causes = cx.causes();
            self.update_offset(group, &queue, offset, false, cx);
            cx.set_causes(causes);
        }
        if let Some(after) = finished.resubmit_after {
            cx.emit(EventKind::QueueSuspended {
                group: group.clone(),
                queue: queue.clone(),
                until: now + after,
            });
            self.submit_orderly_later(group, queue, id, after, TimerKind::ResubmitLater, cx);
            return self.leave_monitor(group, thread, cx);
        }
        if finished.is_continued {
            self.orderly_turn(group, thread, cx);
        } else {
            self.leave_monitor(group, thread, cx);
        }
    }

    /// Whether a listener runs for this window: the consume lock is held.
    fn is_listening(&self, group: &GroupName, id: ProcessQueueId) -> bool {
        self.consumers.get(group).is_some_and(|consumer| {
            consumer.pool.workers.iter().any(|worker| {
                matches!(worker.state, WorkerState::Listening(_))
                    && worker.request.as_ref().is_some_and(|it| it.process_queue == id)
            })
        })
    }

    /// removeUnnecessaryMessageQueue of an orderly queue (spec 02.4.3). Until 5.1 the offset is
    /// persisted and forgotten *before* the listener is waited for.
    pub(crate) fn release_orderly_queue(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        id: ProcessQueueId,
        cx: &mut Context<'_>,
    ) {
        let (now, profile, rules) = (cx.local_now(), cx.profile(), cx.rules());
        let causes = cx.causes();
        self.persist(group, &queue, cx);
        cx.set_causes(causes);
        let mut is_forced = false;
        if rules.release_waits_for_listener_only {
            let window = &self.consumers[group].shelves[&id].window;
            is_forced = now > window.last_lock_at + constants::unlock_delay_time(profile);
        } else {
            self.forget_offset(group, &queue);
        }
        if is_forced || !self.is_listening(group, id) {
            return self.orderly_queue_free(group, queue, id, cx);
        }
        let token = cx.next_token();
        let after = constants::consume_lock_try_time(profile);
        let task = ClientTask::ConsumeLockTimedOut { token };
        let task = Task::Client { process: self.process, task };
        let timer = cx.schedule(after, TimerKind::ConsumeLock, task);
        let consumer = self.consumers.get_mut(group).expect("its queue is being released");
        consumer.orderly.removal = Some(RemovalWait { token, queue, process_queue: id, timer });
    }

    /// The consume lock was got: unlock now, or after 20 s if messages are cached (until 5.1).
    fn orderly_queue_free(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        id: ProcessQueueId,
        cx: &mut Context<'_>,
    ) {
        let rules = cx.rules();
        let causes = cx.causes();
        if rules.release_waits_for_listener_only {
            self.persist(group, &queue, cx);
            self.forget_offset(group, &queue);
            if let Some(consumer) = self.consumers.get_mut(group)
                && let Some(shelf) = consumer.shelves.get_mut(&id)
            {
                shelf.window.is_locked = false;
            }
            cx.set_causes(causes);
            self.unlock_oneway(group, queue.clone(), cx);
        } else {
            let has_messages = self.consumers[group]
                .shelves
                .get(&id)
                .is_some_and(|it| it.window.has_temp_message());
            if has_messages {
                let after = constants::unlock_delay_time(cx.profile());
                let task = ClientTask::UnlockLater { group: group.clone(), queue: queue.clone() };
                let task = Task::Client { process: self.process, task };
                cx.schedule(after, TimerKind::UnlockLater, task);
            } else {
                self.unlock_oneway(group, queue.clone(), cx);
            }
        }
        cx.set_causes(causes);
        self.queue_released(group, &queue, id, true, cx);
        self.release_next(cx);
    }

    /// A listener call has ended: a pass that waits for this window goes on.
    fn listener_left_queue(&mut self, group: &GroupName, thread: u32, cx: &mut Context<'_>) {
        let Some((_, id)) = self.worker_request(group, thread) else { return };
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        if consumer.orderly.removal.as_ref().is_none_or(|wait| wait.process_queue != id) {
            return;
        }
        let wait = consumer.orderly.removal.take().expect("seen above");
        cx.cancel(wait.timer);
        self.orderly_queue_free(group, wait.queue, id, cx);
    }

    /// The second is over: the queue stays, dropped, and is tried again at each pass.
    pub(crate) fn consume_lock_timed_out(&mut self, token: u64, cx: &mut Context<'_>) {
        let is_it = |consumer: &super::consumer::PushConsumer| {
            consumer.orderly.removal.as_ref().is_some_and(|wait| wait.token == token)
        };
        let Some(consumer) = self.consumers.values_mut().find(|consumer| is_it(consumer)) else {
            return;
        };
        let wait = consumer.orderly.removal.take().expect("seen above");
        if let Some(shelf) = consumer.shelves.get_mut(&wait.process_queue) {
            shelf.window.try_unlock_times += 1;
        }
        self.release_next(cx);
    }
}
