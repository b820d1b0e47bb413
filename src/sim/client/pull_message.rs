//! PullMessageService: one thread, one queue of pull requests, and `pullMessage` with its checks in
//! their exact order (spec 03.1, 03.2, 03.3).

use std::collections::VecDeque;

use serde::Serialize;

use super::ClientInstance;
use super::call::{CallResult, Waiter};
use super::consumer::PushConsumer;
use super::rebalance_queues::{FirstOffset, StoreOffset};
use super::route::MASTER_ID;
use super::task::ClientTask;
use crate::model::constants;
use crate::model::offset::QueueOffset;
use crate::model::pull::PullRequest;
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, EventKind, PostponeReason, TimerKind};
use crate::sim::packet::{Machine, PullRequestHeader, Request, ResponseBody};
use crate::sim::task::Task;

#[derive(Clone, Debug, Default, Serialize)]
pub struct PullMessageService {
    /// pullRequestQueue.
    pub waiting: VecDeque<PullRequest>,
    #[serde(skip)]
    waiting_causes: VecDeque<Causes>,
    /// The thread is about to take the next one.
    pub is_scheduled: bool,
    /// An orderly first pull reads its offset and so blocks everybody (spec 00.3).
    pub is_blocked: bool,
}

/// One MiB, by which message bytes are divided before they are compared (spec 03.2).
const MIB: i64 = 1_024 * 1_024;

impl ClientInstance {
    /// Into the queue of the pull service.
    pub(crate) fn execute_pull_request_immediately(
        &mut self,
        request: PullRequest,
        cx: &mut Context<'_>,
    ) {
        self.pull_message_service.waiting.push_back(request);
        self.pull_message_service.waiting_causes.push_back(cx.causes());
        self.pull_service_turn(cx);
    }

    fn pull_service_turn(&mut self, cx: &mut Context<'_>) {
        let service = &mut self.pull_message_service;
        if !service.is_scheduled && !service.is_blocked && !service.waiting.is_empty() {
            service.is_scheduled = true;
            let task = Task::Client { process: self.process, task: ClientTask::PullNext };
            cx.schedule_now(task);
        }
    }

    pub(crate) fn pull_next(&mut self, cx: &mut Context<'_>) {
        let service = &mut self.pull_message_service;
        service.is_scheduled = false;
        if service.is_blocked {
            return;
        }
        let Some(request) = service.waiting.pop_front() else { return };
        cx.set_causes(service.waiting_causes.pop_front().unwrap_or_default());
        self.pull_message(request, cx);
        self.pull_service_turn(cx);
    }

    /// Postpones the request, and tells why and until when.
    pub(crate) fn postpone_pull(
        &mut self,
        request: PullRequest,
        reason: PostponeReason,
        after: Millis,
        cx: &mut Context<'_>,
    ) {
        cx.emit(EventKind::PullPostponed {
            group: request.group.clone(),
            queue: request.message_queue.clone(),
            reason,
            until: cx.now() + after,
        });
        self.execute_pull_request_later(request, after, TimerKind::PullPostponed(reason), cx);
    }

    pub(crate) fn execute_pull_request_later(
        &mut self,
        request: PullRequest,
        after: Millis,
        timer: TimerKind,
        cx: &mut Context<'_>,
    ) {
        let task = ClientTask::PullLater(Box::new(request));
        cx.schedule(after, timer, Task::Client { process: self.process, task });
    }

    /// The checks, in RocketMQ's order; the first that fails decides.
    fn pull_message(&mut self, request: PullRequest, cx: &mut Context<'_>) {
        let (now, profile) = (cx.local_now(), cx.profile());
        let exception = constants::pull_delay_when_exception(profile);
        let Some(consumer) = self.consumers.get_mut(&request.group) else { return };
        // "No matched consumer for the PullRequest": it has left the instance.
        let is_known = !consumer.is_running() || consumer.is_registered();
        let shelf = consumer.shelves.get_mut(&request.process_queue).filter(|_| is_known);
        let Some(shelf) = shelf.filter(|shelf| !shelf.window.is_dropped()) else {
            cx.emit(EventKind::PullRequestEnded {
                group: request.group.clone(),
                queue: request.message_queue.clone(),
            });
            return;
        };
        shelf.window.last_pull_at = now;
        if !consumer.is_running() {
            return self.postpone_pull(request, PostponeReason::NotRunning, exception, cx);
        }
        if consumer.is_paused {
            let after = constants::pull_delay_when_suspend(profile);
            let causes = consumer.causes_of_pause(cx.causes());
            cx.set_causes(causes);
            return self.postpone_pull(request, PostponeReason::Paused, after, cx);
        }
        if let Some(reason) = flow_control(consumer, &request) {
            let after = constants::pull_delay_when_flow_control(profile);
            return self.postpone_pull(request, reason, after, cx);
        }
        if consumer.is_orderly() {
            let is_locked = consumer.shelves[&request.process_queue].window.is_locked;
            if !is_locked {
                return self.postpone_pull(request, PostponeReason::NotLocked, exception, cx);
            }
            if !request.is_previously_locked {
                return self.read_locked_first_offset(request, cx);
            }
        }
        self.pull_kernel(request, cx);
    }

    /// The first pull under the lock reads the offset again: another owner may have moved it. The
    /// pull thread waits for the answer.
    fn read_locked_first_offset(&mut self, mut request: PullRequest, cx: &mut Context<'_>) {
        if !self.consumers[&request.group].is_clustering() {
            request.is_previously_locked = true;
            return self.pull_kernel(request, cx);
        }
        let (group, queue) = (request.group.clone(), request.message_queue.clone());
        let waiter = Waiter::LockedFirstOffset(Box::new(request.clone()));
        if self.query_offset(&group, &queue, waiter, cx) {
            self.pull_message_service.is_blocked = true;
        } else {
            self.locked_first_offset_known(request, None, cx);
        }
    }

    pub(crate) fn on_locked_first_offset(
        &mut self,
        request: PullRequest,
        result: CallResult,
        cx: &mut Context<'_>,
    ) {
        let (group, queue) = (request.group.clone(), request.message_queue.clone());
        let offset = match self.offset_from_store(&group, &queue, result, cx) {
            StoreOffset::Found(offset) => Some(offset),
            StoreOffset::Unknown => None,
            StoreOffset::NotFound => match self.first_offset_question(&group, &queue) {
                FirstOffset::Known(offset) => Some(offset),
                FirstOffset::Ask(question, timeout) => {
                    if let Some(broker) = self.master_of(&queue.broker_name) {
                        let timeout = timeout(cx.profile());
                        let waiter = Waiter::LockedFirstMaxOffset(Box::new(request));
                        self.call_sync(Machine::Broker(broker), question, timeout, waiter, cx);
                        return;
                    }
                    None
                }
            },
        };
        self.locked_first_offset_known(request, offset, cx);
    }

    pub(crate) fn on_locked_first_max_offset(
        &mut self,
        request: PullRequest,
        result: CallResult,
        cx: &mut Context<'_>,
    ) {
        let offset = match result.success() {
            Some(ResponseBody::Offset(offset)) => Some(offset),
            _ => None,
        };
        self.locked_first_offset_known(request, offset, cx);
    }

    /// Until 4.9 a failed read goes on with offset -1 and so, in the end, replays the queue from its
    /// beginning (spec 03.2, hazard on 7c); V53 tries again later.
    fn locked_first_offset_known(
        &mut self,
        mut request: PullRequest,
        offset: Option<QueueOffset>,
        cx: &mut Context<'_>,
    ) {
        self.pull_message_service.is_blocked = false;
        let may_fail = cx.rules().locked_pull_accepts_failed_offset;
        match offset {
            None if !may_fail => {
                let after = constants::pull_delay_when_exception(cx.profile());
                self.postpone_pull(request, PostponeReason::Error, after, cx);
            }
            _ => {
                request.next_offset = offset.unwrap_or(QueueOffset::NONE);
                request.is_previously_locked = true;
                self.pull_kernel(request, cx);
            }
        }
        self.pull_service_turn(cx);
    }

    /// Builds the request and sends it (spec 03.3).
    fn pull_kernel(&mut self, request: PullRequest, cx: &mut Context<'_>) {
        let profile = cx.profile();
        let exception = constants::pull_delay_when_exception(profile);
        let Some(consumer) = self.consumers.get(&request.group) else { return };
        let queue = &request.message_queue;
        let Some(subscription) = consumer.subscriptions.get(&queue.topic) else {
            return self.postpone_pull(request, PostponeReason::NoSubscription, exception, cx);
        };
        let wanted = self.suggested_broker.get(queue).copied().unwrap_or(MASTER_ID);
        let Some((broker_id, broker)) = self.broker_of(&queue.broker_name, wanted) else {
            return self.postpone_pull(request, PostponeReason::Error, exception, cx);
        };
        let in_memory = consumer.offset_store.read_from_memory(queue);
        let commit_offset = match consumer.is_clustering() {
            true => in_memory.unwrap_or(QueueOffset::NONE),
            false => QueueOffset::ZERO,
        };
        let carries_subscription = consumer.config.post_subscription_when_pull;
        let header = PullRequestHeader {
            group: request.group.clone(),
            topic: queue.topic.clone(),
            queue_id: queue.queue_id,
            queue_offset: request.next_offset,
            max_msg_nums: consumer.config.pull_batch_size,
            commits_offset: commit_offset > QueueOffset::ZERO && broker_id == MASTER_ID,
            may_suspend: true,
            subscription: carries_subscription.then(|| subscription.clone()),
            commit_offset,
            suspend_timeout: constants::broker_suspend_max_time(profile),
            sub_version: subscription.sub_version,
        };
        let timeout = constants::consumer_timeout_when_suspend(profile);
        let waiter = Waiter::Pull(Box::new(request));
        let to = Machine::Broker(broker);
        self.call_async(to, Request::PullMessage(header), timeout, waiter, cx);
    }
}

/// Count, size and span, in this order; all compare by ">", so a window can exceed its limit by one
/// batch (spec 03.2, 5 to 7a).
fn flow_control(consumer: &PushConsumer, request: &PullRequest) -> Option<PostponeReason> {
    let window = &consumer.shelves[&request.process_queue].window;
    let config = &consumer.config;
    if window.message_count() > i64::from(config.pull_threshold_for_queue) {
        return Some(PostponeReason::Count);
    }
    if window.message_bytes() / MIB > i64::from(config.pull_threshold_size_for_queue) {
        return Some(PostponeReason::Size);
    }
    let span_counts = !consumer.is_orderly();
    if span_counts && window.max_span() > i64::from(config.consume_concurrently_max_span) {
        return Some(PostponeReason::Span);
    }
    None
}
