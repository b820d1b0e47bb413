//! What a pull's answer does (spec 03.4, 03.5).

use std::rc::Rc;

use super::ClientInstance;
use super::call::CallResult;
use super::task::ClientTask;
use crate::model::constants;
use crate::model::ids::{GroupName, ProcessQueueId};
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::pull::PullRequest;
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::{DropReason, EventKind, PostponeReason, PullStatus, TimerKind};
use crate::sim::packet::{PullAnswer, Response, ResponseBody, ResponseCode};
use crate::sim::task::Task;

impl ClientInstance {
    pub(crate) fn on_pull_answer(
        &mut self,
        request: PullRequest,
        result: CallResult,
        cx: &mut Context<'_>,
    ) {
        match result {
            CallResult::Answered(Response { code, body: ResponseBody::Pulled(answer), .. }) => {
                match pull_status(code) {
                    Some(status) => self.on_pull_result(request, status, answer, cx),
                    None => self.on_pull_exception(request, cx),
                }
            }
            _ => self.on_pull_exception(request, cx),
        }
    }

    /// PullCallback.onException: an error code, a time-out, a closed connection.
    fn on_pull_exception(&mut self, request: PullRequest, cx: &mut Context<'_>) {
        let after = constants::pull_delay_when_exception(cx.profile());
        self.postpone_pull(request, PostponeReason::Error, after, cx);
    }

    /// PullCallback.onSuccess.
    fn on_pull_result(
        &mut self,
        mut request: PullRequest,
        status: PullStatus,
        answer: PullAnswer,
        cx: &mut Context<'_>,
    ) {
        let queue = request.message_queue.clone();
        self.suggested_broker.insert(queue.clone(), answer.suggest_which_broker_id);
        let found = answer.found.len() as u32;
        let kept = self.filter_again(&request, answer.found);
        cx.emit(EventKind::PullAnswered {
            group: request.group.clone(),
            queue,
            status,
            found,
            kept: kept.len() as u32,
            next_offset: answer.next_begin_offset,
        });
        request.next_offset = answer.next_begin_offset;
        match status {
            PullStatus::Found if kept.is_empty() => {
                self.execute_pull_request_immediately(request, cx);
            }
            PullStatus::Found => self.on_found(request, kept, answer.max_offset, cx),
            PullStatus::NoNewMessage | PullStatus::NoMatchedMessage => {
                self.correct_tags_offset(&request, cx);
                self.execute_pull_request_immediately(request, cx);
            }
            PullStatus::OffsetIllegal => self.on_offset_illegal(request, cx),
        }
    }

    /// The client compares the tags themselves, where the broker compared hashes.
    fn filter_again(
        &self,
        request: &PullRequest,
        found: Vec<Rc<StoredMessage>>,
    ) -> Vec<Rc<StoredMessage>> {
        let consumer = self.consumers.get(&request.group);
        let subscription =
            consumer.and_then(|it| it.subscriptions.get(&request.message_queue.topic));
        match subscription {
            Some(data) if !data.tags.is_empty() => {
                let matches =
                    |message: &Rc<StoredMessage>| data.matches_tag(message.body.tag.as_ref());
                found.into_iter().filter(matches).collect()
            }
            _ => found,
        }
    }

    fn on_found(
        &mut self,
        request: PullRequest,
        messages: Vec<Rc<StoredMessage>>,
        max_offset: QueueOffset,
        cx: &mut Context<'_>,
    ) {
        let group = request.group.clone();
        let (queue, id) = (request.message_queue.clone(), request.process_queue);
        let causes = cx.causes();
        let Some(consumer) = self.consumers.get_mut(&group) else { return };
        let (first, count) = (messages[0].queue_offset, messages.len() as u32);
        // The window may have been dropped meanwhile; the Java puts and submits all the same, and each
        // request then returns at once. Here it may be gone altogether, and its pulling ends.
        let Some(shelf) = consumer.shelves.get_mut(&id) else {
            return self.execute_pull_request_immediately(request, cx);
        };
        let dispatch = shelf.window.put_message(messages.iter().cloned(), Some(max_offset));
        cx.emit(EventKind::MessagesCached {
            group: group.clone(),
            process_queue: id,
            queue: queue.clone(),
            first,
            count,
        });
        if self.consumers[&group].is_orderly() {
            if dispatch {
                self.submit_orderly(&group, queue, id, cx);
            }
        } else {
            self.submit_consume_request(&group, queue, id, messages, cx);
        }
        cx.set_causes(causes);
        let pull_interval = self.consumers[&group].config.pull_interval;
        if pull_interval == Millis::ZERO {
            self.execute_pull_request_immediately(request, cx);
        } else {
            self.execute_pull_request_later(request, pull_interval, TimerKind::PullInterval, cx);
        }
    }

    /// An empty window and an empty answer: what does not match counts as done (spec 03.4).
    fn correct_tags_offset(&mut self, request: &PullRequest, cx: &mut Context<'_>) {
        let consumer = self.consumers.get(&request.group);
        let shelf = consumer.and_then(|it| it.shelves.get(&request.process_queue));
        if shelf.is_some_and(|shelf| shelf.window.message_count() == 0) {
            let (group, queue) = (&request.group, &request.message_queue);
            let causes = cx.causes();
            self.update_offset(group, queue, request.next_offset, true, cx);
            cx.set_causes(causes);
        }
    }

    /// The queue is dropped; its offset is mended after 10 s, since 5.2.0 at once (spec 03.5).
    fn on_offset_illegal(&mut self, request: PullRequest, cx: &mut Context<'_>) {
        let PullRequest { group, message_queue: queue, process_queue, next_offset, .. } = request;
        if self.consumers.get(&group).is_some_and(|it| it.shelves.contains_key(&process_queue)) {
            self.drop_window(&group, &queue, process_queue, DropReason::OffsetIllegal, cx);
        }
        let after = constants::offset_illegal_repair_delay(cx.profile());
        let task = ClientTask::RepairOffset { group, queue, process_queue, offset: next_offset };
        let task = Task::Client { process: self.process, task };
        cx.schedule(after, TimerKind::OffsetIllegalRepair, task);
    }

    pub(crate) fn repair_offset(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        process_queue: ProcessQueueId,
        offset: QueueOffset,
        cx: &mut Context<'_>,
    ) {
        let rules = cx.rules();
        self.update_offset(group, queue, offset, false, cx);
        let Some(consumer) = self.consumers.get(group) else { return };
        let is_in_table = consumer.process_queue_table.get(queue) == Some(&process_queue);
        self.persist(group, queue, cx);
        if is_in_table {
            self.remove_process_queue(group, queue, process_queue, cx);
        }
        if rules.offset_illegal_repairs_at_once {
            self.wake_rebalance(cx);
        }
    }

    /// removeProcessQueue: out of the table, whatever removeUnnecessaryMessageQueue says
    /// (spec 02.4.4).
    pub(crate) fn remove_process_queue(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        process_queue: ProcessQueueId,
        cx: &mut Context<'_>,
    ) {
        self.persist(group, queue, cx);
        self.forget_offset(group, queue);
        let consumer = self.consumers.get_mut(group).expect("its queue is being removed");
        consumer.process_queue_table.remove(queue);
        let unlocks = consumer.is_orderly() && consumer.is_clustering();
        consumer.collect_garbage(process_queue);
        cx.emit(EventKind::QueueReleased {
            group: group.clone(),
            queue: queue.clone(),
            process_queue,
        });
        if unlocks {
            self.unlock_oneway(group, queue.clone(), cx);
        }
    }
}

/// Response code to PullStatus (spec 01.5.3); `None` for an error.
fn pull_status(code: ResponseCode) -> Option<PullStatus> {
    match code {
        ResponseCode::Success => Some(PullStatus::Found),
        ResponseCode::PullNotFound => Some(PullStatus::NoNewMessage),
        ResponseCode::PullRetryImmediately => Some(PullStatus::NoMatchedMessage),
        ResponseCode::PullOffsetMoved => Some(PullStatus::OffsetIllegal),
        _ => None,
    }
}
