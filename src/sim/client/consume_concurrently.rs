//! `ConsumeMessageConcurrentlyService` (spec 05).

use std::rc::Rc;

use super::ClientInstance;
use super::consume_pool::{ListenerCall, WorkerState};
use super::send_back::SendBackRun;
use super::task::ClientTask;
use crate::model::config::MessageModel;
use crate::model::constants;
use crate::model::consume::ConsumeRequest;
use crate::model::consume_result::{ConcurrentlyStatus, finish_concurrently, succeeded_count};
use crate::model::ids::{GroupName, ProcessQueueId};
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::process_queue::CachedMessage;
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, TimerKind};
use crate::sim::task::Task;

impl ClientInstance {
    /// submitConsumeRequest: chunks of consumeMessageBatchMaxSize, in the order of their offsets.
    pub(crate) fn submit_consume_request(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        process_queue: ProcessQueueId,
        messages: Vec<Rc<StoredMessage>>,
        cx: &mut Context<'_>,
    ) {
        let messages = messages.into_iter().map(CachedMessage::new).collect();
        self.submit_messages(group, queue, process_queue, messages, cx);
    }

    fn submit_messages(
        &mut self,
        group: &GroupName,
        queue: MessageQueue,
        process_queue: ProcessQueueId,
        messages: Vec<CachedMessage>,
        cx: &mut Context<'_>,
    ) {
        let Some(consumer) = self.consumers.get(group) else { return };
        let batch = consumer.config.consume_message_batch_max_size.max(1) as usize;
        let causes = cx.causes();
        for chunk in messages.chunks(batch) {
            let request = ConsumeRequest {
                message_queue: queue.clone(),
                process_queue,
                messages: chunk.to_vec(),
            };
            cx.set_causes(causes);
            cx.emit(EventKind::ConsumeRequestQueued {
                group: group.clone(),
                queue: queue.clone(),
                first: request.first_offset(),
                count: chunk.len() as u32,
            });
            self.submit(group, request, cx);
        }
    }

    /// ConsumeRequest.run, up to the listener.
    pub(crate) fn run_concurrently(
        &mut self,
        group: &GroupName,
        thread: u32,
        cx: &mut Context<'_>,
    ) {
        let now = cx.local_now();
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        let Some(request) = &consumer.pool.workers[thread as usize].request else { return };
        let id = request.process_queue;
        let mut messages = request.messages.clone();
        if consumer.is_dropped(id) {
            return self.thread_done(group, thread, cx);
        }
        let offsets = messages.iter().map(CachedMessage::queue_offset);
        let shelf = consumer.shelves.get_mut(&id).expect("it is not dropped");
        shelf.window.note_consume_start(now, offsets);
        for entry in &mut messages {
            entry.consume_started_at = Some(now);
        }
        self.call_listener(group, thread, messages, cx);
    }

    /// processConsumeResult: what failed goes back, one message after the other.
    pub(crate) fn process_concurrently_result(
        &mut self,
        group: &GroupName,
        thread: u32,
        call: ListenerCall,
        cx: &mut Context<'_>,
    ) {
        let Some(status) = ConcurrentlyStatus::of(call.result) else { return };
        let succeeded = succeeded_count(status, call.ack_index, call.messages.len() as u32);
        let failed = call.messages[succeeded as usize..].to_vec();
        let consumer = self.consumers.get_mut(group).expect("its listener has returned");
        if consumer.config.message_model == MessageModel::Broadcasting {
            let causes = cx.causes();
            for entry in &failed {
                cx.set_causes(causes);
                let message = entry.message.clone();
                cx.emit(EventKind::FailureDropped { group: group.clone(), message });
            }
            cx.set_causes(causes);
            return self.finish_concurrently_result(group, thread, call.messages, &[], cx);
        }
        let run = SendBackRun::new(call.messages, failed, call.delay_level);
        consumer.pool.workers[thread as usize].state = WorkerState::SendingBack(run);
        self.send_back_next(group, thread, cx);
    }

    /// The end of processConsumeResult: out of the window, offset forward, the rest again in 5 s.
    pub(crate) fn finish_concurrently_result(
        &mut self,
        group: &GroupName,
        thread: u32,
        batch: Vec<CachedMessage>,
        back_failed: &[QueueOffset],
        cx: &mut Context<'_>,
    ) {
        let (now, rules) = (cx.local_now(), cx.rules());
        let consumer = self.consumers.get_mut(group).expect("its result is being processed");
        let request = consumer.pool.workers[thread as usize].request.as_ref();
        let Some(request) = request else { return };
        let (queue, id) = (request.message_queue.clone(), request.process_queue);
        let first = request.first_offset();
        let count = batch.len() as u32 - back_failed.len() as u32;
        if let Some(shelf) = consumer.shelves.get_mut(&id) {
            let window = &mut shelf.window;
            let finished = finish_concurrently(&rules, now, window, batch, back_failed);
            if !finished.resubmit.is_empty() {
                self.resubmit_later(group, &queue, id, finished.resubmit, cx);
            }
            if count > 0 {
                cx.emit(EventKind::MessagesRemoved {
                    group: group.clone(),
                    queue: queue.clone(),
                    first,
                    count,
                });
            }
            if let Some(offset) = finished.offset {
                self.update_offset(group, &queue, offset, true, cx);
            }
        }
        self.thread_done(group, thread, cx);
    }

    fn resubmit_later(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        process_queue: ProcessQueueId,
        messages: Vec<CachedMessage>,
        cx: &mut Context<'_>,
    ) {
        let after = constants::submit_consume_request_later_delay(cx.profile());
        let causes = cx.causes();
        for entry in &messages {
            cx.set_causes(causes);
            cx.emit(EventKind::LocalRetryScheduled {
                group: group.clone(),
                message: entry.message.clone(),
                reconsume_times: entry.reconsume_times,
                until: cx.now() + after,
            });
        }
        let request =
            Box::new(ConsumeRequest { message_queue: queue.clone(), process_queue, messages });
        if let Some(consumer) = self.consumers.get_mut(group) {
            consumer.hold(process_queue);
        }
        let task = ClientTask::SubmitLater { group: group.clone(), request };
        cx.schedule(after, TimerKind::LocalRetry, Task::Client { process: self.process, task });
        cx.set_causes(causes);
    }

    /// The 5 s are over: submitted again, as new requests for the same window.
    pub(crate) fn submit_later(
        &mut self,
        group: &GroupName,
        request: ConsumeRequest,
        cx: &mut Context<'_>,
    ) {
        let ConsumeRequest { message_queue, process_queue, messages } = request;
        let Some(consumer) = self.consumers.get(group) else { return };
        if consumer.is_orderly() {
            self.submit_orderly(group, message_queue, process_queue, cx);
        } else {
            self.submit_messages(group, message_queue, process_queue, messages, cx);
        }
        if let Some(consumer) = self.consumers.get_mut(group) {
            consumer.release(process_queue);
        }
    }
}
