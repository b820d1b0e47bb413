//! updateProcessQueueTableInRebalance: what a pass gives up and what it takes (spec 02.4.2, 02.4.3).

use std::collections::{BTreeSet, VecDeque};

use serde::Serialize;

use super::ClientInstance;
use super::call::{CallResult, Waiter};
use super::consumer::Shelf;
use super::task::ClientTask;
use crate::model::config::ConsumeFromWhere;
use crate::model::constants;
use crate::model::ids::{GroupName, ProcessQueueId};
use crate::model::java_hash_order::hash_order;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::process_queue::ProcessQueue;
use crate::model::pull::PullRequest;
use crate::model::time::Millis;
use crate::model::topic::is_retry_topic;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, DropReason, EventKind, TimerKind};
use crate::sim::packet::{Machine, Request, ResponseBody};
use crate::sim::task::Task;

/// The queues of one topic in one pass.
#[derive(Clone, Debug, Default, Serialize)]
pub struct QueuesPass {
    pub mine: Vec<MessageQueue>,
    pub to_release: VecDeque<(MessageQueue, ProcessQueueId, DropReason)>,
    pub to_add: VecDeque<MessageQueue>,
    /// The queue whose offset is being read.
    pub adding: Option<MessageQueue>,
    pub new_pull_requests: Vec<PullRequest>,
    pub is_changed: bool,
    pub was_refused_a_lock: bool,
    #[serde(skip)]
    pub causes: Causes,
}

impl ClientInstance {
    /// Phase A: finds what is no longer mine, or whose pulling died.
    pub(crate) fn update_process_queue_table(
        &mut self,
        mine: Vec<MessageQueue>,
        cx: &mut Context<'_>,
    ) {
        let (now, profile) = (cx.local_now(), cx.profile());
        let Some(current) = self.topic_pass() else { return };
        let (group, topic) = (current.group.clone(), current.topic.clone());
        let Some(consumer) = self.consumers.get(&group) else { return self.topic_done(cx) };
        let wanted: BTreeSet<&MessageQueue> = mine.iter().collect();
        let to_release = consumer
            .process_queue_table
            .iter()
            .filter(|(queue, _)| queue.topic == topic)
            .filter_map(|(queue, id)| {
                let window = &consumer.shelves[id].window;
                let reason = if !wanted.contains(queue) {
                    DropReason::Rebalance
                } else if window.is_pull_expired(profile, now) {
                    DropReason::PullExpired
                } else {
                    return None;
                };
                Some((queue.clone(), *id, reason))
            })
            .collect();
        let queues = QueuesPass { mine, to_release, causes: cx.causes(), ..QueuesPass::default() };
        self.topic_pass().expect("it is under way").queues = Some(queues);
        self.release_next(cx);
    }

    fn queues_pass(&mut self) -> Option<&mut QueuesPass> {
        self.topic_pass()?.queues.as_mut()
    }

    /// Phase A, one queue after the other; then phase B begins.
    pub(crate) fn release_next(&mut self, cx: &mut Context<'_>) {
        let Some(current) = self.topic_pass() else { return };
        let group = current.group.clone();
        let Some(queues) = current.queues.as_mut() else { return };
        cx.set_causes(queues.causes);
        match queues.to_release.pop_front() {
            Some((queue, id, reason)) => self.release_queue(&group, queue, id, reason, cx),
            None => self.begin_adding(&group, cx),
        }
    }

    /// removeUnnecessaryMessageQueue. In concurrent mode it is done at once; an orderly one may wait
    /// for the running listener.
    fn release_queue(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        id: ProcessQueueId,
        reason: DropReason,
        cx: &mut Context<'_>,
    ) {
        self.drop_window(group, &queue, id, reason, cx);
        let consumer = &self.consumers[group];
        if consumer.is_orderly() && consumer.is_clustering() {
            self.release_orderly_queue(group, queue, id, cx);
            return;
        }
        self.persist(group, &queue, cx);
        self.forget_offset(group, &queue);
        self.queue_released(group, &queue, id, true, cx);
        self.release_next(cx);
    }

    pub(crate) fn drop_window(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        id: ProcessQueueId,
        reason: DropReason,
        cx: &mut Context<'_>,
    ) {
        let consumer = self.consumers.get_mut(group).expect("its queue is being dropped");
        let shelf = consumer.shelves.get_mut(&id).expect("it is in the table");
        if shelf.window.is_dropped() {
            return;
        }
        shelf.window.set_dropped();
        cx.emit(EventKind::QueueDropped {
            group: group.clone(),
            queue: queue.clone(),
            process_queue: id,
            reason,
        });
    }

    /// The queue leaves the table, or stays dropped in it until the next pass.
    pub(crate) fn queue_released(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        id: ProcessQueueId,
        is_removed: bool,
        cx: &mut Context<'_>,
    ) {
        if is_removed {
            let consumer = self.consumers.get_mut(group).expect("its queue is being released");
            consumer.process_queue_table.remove(queue);
            consumer.collect_garbage(id);
            cx.emit(EventKind::QueueReleased {
                group: group.clone(),
                queue: queue.clone(),
                process_queue: id,
            });
        }
        if let Some(queues) = self.queues_pass() {
            queues.is_changed |= is_removed;
        }
    }

    /// Phase B: every queue of mine that is not in the table.
    fn begin_adding(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let Some(consumer) = self.consumers.get(group) else { return self.topic_done(cx) };
        let queues = self
            .rebalance_service
            .pass
            .as_ref()
            .and_then(|pass| pass.current.as_ref()?.queues.as_ref());
        let Some(queues) = queues else { return };
        // allocateResultSet is a HashSet.
        let to_add = hash_order(queues.mine.iter().cloned(), MessageQueue::hash_code)
            .into_iter()
            .filter(|queue| !consumer.process_queue_table.contains_key(queue))
            .collect();
        self.queues_pass().expect("it is under way").to_add = to_add;
        self.add_next(cx);
    }

    pub(crate) fn add_next(&mut self, cx: &mut Context<'_>) {
        let Some(current) = self.topic_pass() else { return };
        let group = current.group.clone();
        let Some(queues) = current.queues.as_mut() else { return };
        cx.set_causes(queues.causes);
        let Some(queue) = queues.to_add.pop_front() else { return self.adding_done(&group, cx) };
        queues.adding = Some(queue.clone());
        let Some(consumer) = self.consumers.get_mut(&group).filter(|it| it.is_running()) else {
            return self.topic_done(cx);
        };
        let asks_for_lock = consumer.is_orderly()
            && (consumer.is_clustering() || cx.rules().broadcasting_asks_for_locks);
        if asks_for_lock {
            self.lock_for_rebalance(&group, queue, cx);
        } else {
            self.compute_pull_from_where(&group, queue, cx);
        }
    }

    /// removeDirtyOffset, then computePullFromWhere (spec 02.5).
    pub(crate) fn compute_pull_from_where(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        cx: &mut Context<'_>,
    ) {
        let consumer = self.consumers.get_mut(group).expect("its queue is being added");
        if !consumer.is_clustering() {
            let stored = consumer.local_file.read_from_memory(&queue);
            return match stored {
                // What a store is read for is in memory from then on (spec 07.2).
                Some(offset) => {
                    self.update_offset(group, &queue, offset, false, cx);
                    self.add_queue(offset, cx);
                }
                None => self.first_offset_without_store(cx),
            };
        }
        consumer.offset_store.remove_offset(&queue);
        let waiter = Waiter::RebalanceOffset;
        if !self.query_offset(group, &queue, waiter, cx) {
            self.skip_adding(cx);
        }
    }

    pub(crate) fn rebalance_on_offset(&mut self, result: CallResult, cx: &mut Context<'_>) {
        let Some((group, queue)) = self.adding() else { return };
        match self.offset_from_store(&group, &queue, result, cx) {
            StoreOffset::Found(offset) => self.add_queue(offset, cx),
            StoreOffset::NotFound => self.first_offset_without_store(cx),
            StoreOffset::Unknown => self.skip_adding(cx),
        }
    }

    fn adding(&mut self) -> Option<(GroupName, MessageQueue)> {
        let current = self.topic_pass()?;
        Some((current.group.clone(), current.queues.as_ref()?.adding.clone()?))
    }

    /// The store has no offset: consumeFromWhere decides.
    fn first_offset_without_store(&mut self, cx: &mut Context<'_>) {
        let Some((group, queue)) = self.adding() else { return };
        match self.first_offset_question(&group, &queue) {
            FirstOffset::Known(offset) => self.add_queue(offset, cx),
            FirstOffset::Ask(request, timeout) => {
                let timeout = timeout(cx.profile());
                match self.master_of(&queue.broker_name) {
                    Some(broker) => {
                        let to = Machine::Broker(broker);
                        self.call_sync(to, request, timeout, Waiter::RebalanceMaxOffset, cx);
                    }
                    None => self.skip_adding(cx),
                }
            }
        }
    }

    pub(crate) fn first_offset_question(
        &self,
        group: &GroupName,
        queue: &MessageQueue,
    ) -> FirstOffset {
        let from = self.consumers[group].config.consume_from_where;
        let is_retry = is_retry_topic(&queue.topic);
        let (topic, queue_id) = (queue.topic.clone(), queue.queue_id);
        let max = FirstOffset::Ask(
            Request::GetMaxOffset { topic: topic.clone(), queue_id },
            constants::get_max_offset_timeout,
        );
        match from {
            ConsumeFromWhere::FirstOffset => FirstOffset::Known(QueueOffset::ZERO),
            ConsumeFromWhere::LastOffset if is_retry => FirstOffset::Known(QueueOffset::ZERO),
            ConsumeFromWhere::LastOffset => max,
            ConsumeFromWhere::Timestamp(_) if is_retry => max,
            ConsumeFromWhere::Timestamp(at) => FirstOffset::Ask(
                Request::SearchOffsetByTimestamp {
                    topic,
                    queue_id,
                    timestamp: Millis(at.max(0) as u64),
                },
                constants::search_offset_timeout,
            ),
        }
    }

    pub(crate) fn rebalance_on_max_offset(&mut self, result: CallResult, cx: &mut Context<'_>) {
        match result.success() {
            Some(ResponseBody::Offset(offset)) => self.add_queue(offset, cx),
            _ => self.skip_adding(cx),
        }
    }

    /// The queue is left out this time; the next pass tries again. With the broker's side unknown the
    /// topic is not balanced.
    pub(crate) fn skip_adding(&mut self, cx: &mut Context<'_>) {
        if let Some(queues) = self.queues_pass() {
            queues.adding = None;
        }
        self.add_next(cx);
    }

    /// Puts the queue into the table, with a new window and a new pull request.
    fn add_queue(&mut self, next_offset: QueueOffset, cx: &mut Context<'_>) {
        let Some((group, queue)) = self.adding() else { return };
        let id = cx.next_process_queue();
        let now = cx.now();
        let consumer = self.consumers.get_mut(&group).expect("its queue is being added");
        // Shut down while the offset was asked for: nobody would ever drop the queue again.
        if !consumer.is_running() || consumer.process_queue_table.contains_key(&queue) {
            return self.skip_adding(cx);
        }
        let is_locked = consumer.is_orderly() && cx.rules().new_process_queue_is_locked;
        let window = ProcessQueue::new(cx.local_now(), is_locked);
        let shelf = Shelf { queue: queue.clone(), window, created_at: now, users: 0 };
        consumer.shelves.insert(id, shelf);
        consumer.process_queue_table.insert(queue.clone(), id);
        cx.emit(EventKind::QueueAssigned {
            group: group.clone(),
            queue: queue.clone(),
            process_queue: id,
            next_offset,
        });
        let request = PullRequest {
            group,
            message_queue: queue,
            process_queue: id,
            next_offset,
            is_previously_locked: false,
        };
        let causes = cx.causes();
        let queues = self.queues_pass().expect("it is under way");
        queues.new_pull_requests.push(request);
        queues.is_changed = true;
        queues.adding = None;
        queues.causes = causes;
        self.add_next(cx);
    }

    /// Phase C: hands the pull requests over, then tells the brokers.
    fn adding_done(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let Some(queues) = self.queues_pass() else { return };
        let requests = std::mem::take(&mut queues.new_pull_requests);
        let (is_changed, was_refused) = (queues.is_changed, queues.was_refused_a_lock);
        let causes = queues.causes;
        cx.set_causes(causes);
        if was_refused && let Some(after) = constants::rebalance_later_delay(cx.profile()) {
            let task = Task::Client { process: self.process, task: ClientTask::RebalanceLater };
            cx.schedule(after, TimerKind::Rebalance, task);
        }
        let after = constants::first_pull_dispatch_delay(cx.profile());
        for request in requests {
            cx.set_causes(causes);
            if after == Millis::ZERO {
                self.execute_pull_request_immediately(request, cx);
            } else {
                let task = ClientTask::PullLater(Box::new(request));
                let task = Task::Client { process: self.process, task };
                cx.schedule(after, TimerKind::FirstDispatch, task);
            }
        }
        cx.set_causes(causes);
        self.note_balance(group);
        if is_changed { self.message_queue_changed(cx) } else { self.topic_done(cx) }
    }

    /// balanced := the assigned set equals the set of windows that are not dropped (spec 02.3).
    fn note_balance(&mut self, group: &GroupName) {
        let Some(consumer) = self.consumers.get(group) else { return };
        let Some(pass) = self.rebalance_service.pass.as_ref() else { return };
        let Some(current) = pass.current.as_ref() else { return };
        let Some(queues) = current.queues.as_ref() else { return };
        let held: BTreeSet<&MessageQueue> = consumer
            .process_queue_table
            .iter()
            .filter(|(queue, id)| queue.topic == current.topic && !consumer.is_dropped(**id))
            .map(|(queue, _)| queue)
            .collect();
        let is_balanced = held == queues.mine.iter().collect();
        self.rebalance_service.pass.as_mut().expect("seen above").is_balanced &= is_balanced;
    }

    /// Queues of topics that are no longer subscribed are dropped, without a word to the broker.
    pub(crate) fn truncate_message_queue_not_my_topic(&mut self, cx: &mut Context<'_>) {
        let causes = cx.causes();
        let groups: Vec<GroupName> = self.consumers.keys().cloned().collect();
        for group in groups {
            let consumer = &self.consumers[&group];
            let stale: Vec<_> = consumer
                .process_queue_table
                .iter()
                .filter(|(queue, _)| !consumer.subscriptions.contains_key(&queue.topic))
                .map(|(queue, id)| (queue.clone(), *id))
                .collect();
            for (queue, id) in stale {
                cx.set_causes(causes);
                self.drop_window(&group, &queue, id, DropReason::NotSubscribed, cx);
                self.queue_released(&group, &queue, id, true, cx);
            }
        }
    }
}

/// What READ_FROM_STORE gave (spec 07.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreOffset {
    Found(QueueOffset),
    /// -1.
    NotFound,
    /// -2.
    Unknown,
}

/// What consumeFromWhere says without a stored offset.
pub enum FirstOffset {
    Known(QueueOffset),
    /// The broker must be asked; with the call's time-out.
    Ask(Request, fn(crate::model::profile::Profile) -> Millis),
}
