//! The consume pool: a `ThreadPoolExecutor` with an unbounded queue, one for each group (spec 05.1).
//!
//! The first submissions each make a thread, even while others idle; the maximum is never reached,
//! because an unbounded queue never refuses.

use std::collections::VecDeque;

use serde::Serialize;

use super::ClientInstance;
use super::consumer::PushConsumer;
use super::task::ClientTask;
use crate::model::consume::ConsumeRequest;
use crate::model::consume_result::{ConcurrentlyStatus, succeeded_count};
use crate::model::ids::GroupName;
use crate::model::listener::{ListenerResult, ListenerScript, ListenerStep, OnInterrupt};
use crate::model::offset::QueueOffset;
use crate::model::process_queue::CachedMessage;
use crate::model::time::Millis;
use crate::sim::agenda::AgendaKey;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, ConsumeOutcome, EventKind, TimerKind};
use crate::sim::task::Task;

/// What a thread is in the middle of.
#[derive(Clone, Debug, Serialize)]
pub enum WorkerState {
    Idle,
    /// It has its request and runs at once.
    Starting,
    /// Inside the listener.
    Listening(ListenerCall),
    /// Failed messages go back one after the other, and the thread waits for each answer.
    SendingBack(super::send_back::SendBackRun),
    /// Orderly: dead letters are being sent.
    SendingDeadLetters(super::consume_orderly::DeadLetterRun),
}

/// One call of the listener, planned when it begins.
#[derive(Clone, Debug, Serialize)]
pub struct ListenerCall {
    pub token: u64,
    pub started_at: Millis,
    /// `None`: it does not end by itself.
    pub ends_at: Option<Millis>,
    pub result: ListenerResult,
    pub ack_index: Option<i32>,
    pub delay_level: i32,
    pub suspend_ms: Option<Millis>,
    pub on_interrupt: OnInterrupt,
    pub messages: Vec<CachedMessage>,
    pub timer: Option<AgendaKey>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Worker {
    pub state: WorkerState,
    pub request: Option<ConsumeRequest>,
    /// Orderly: since when this run has been going on (60 s at most).
    pub run_began_at: Millis,
}

#[derive(Clone, Debug, Serialize)]
pub struct ConsumePool {
    /// corePoolSize.
    pub core: u32,
    pub workers: Vec<Worker>,
    pub waiting: VecDeque<ConsumeRequest>,
    #[serde(skip)]
    waiting_causes: VecDeque<Causes>,
    /// Idle threads, the lowest number last.
    idle: Vec<u32>,
    pub is_shut_down: bool,
}

impl ConsumePool {
    pub fn new(core: u32) -> ConsumePool {
        ConsumePool {
            core,
            workers: Vec::new(),
            waiting: VecDeque::new(),
            waiting_causes: VecDeque::new(),
            idle: Vec::new(),
            is_shut_down: false,
        }
    }

    pub fn busy(&self) -> u32 {
        self.workers.len() as u32 - self.idle.len() as u32
    }

    /// A thread for a new request: a new one below core, else an idle one, else none.
    fn thread_for_request(&mut self) -> Option<u32> {
        if (self.workers.len() as u32) < self.core {
            let thread = self.workers.len() as u32;
            self.workers.push(Worker {
                state: WorkerState::Idle,
                request: None,
                run_began_at: Millis::ZERO,
            });
            return Some(thread);
        }
        self.idle.pop()
    }

    /// Throws the waiting requests away (`shutdownNow`).
    pub fn discard_waiting(&mut self) -> Vec<ConsumeRequest> {
        self.waiting_causes.clear();
        self.waiting.drain(..).collect()
    }
}

impl ClientInstance {
    /// Submits a request. A pool that was shut down takes nothing more (spec 02.2).
    pub(crate) fn submit(
        &mut self,
        group: &GroupName,
        request: ConsumeRequest,
        cx: &mut Context<'_>,
    ) {
        let process = self.process;
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        if consumer.pool.is_shut_down {
            return;
        }
        consumer.hold(request.process_queue);
        match consumer.pool.thread_for_request() {
            Some(thread) => start_thread(consumer, thread, request, process, cx),
            None => {
                consumer.pool.waiting_causes.push_back(cx.causes());
                consumer.pool.waiting.push_back(request);
            }
        }
    }

    /// The thread is done with its request and takes the next one.
    pub(crate) fn thread_done(&mut self, group: &GroupName, thread: u32, cx: &mut Context<'_>) {
        let process = self.process;
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        let worker = &mut consumer.pool.workers[thread as usize];
        worker.state = WorkerState::Idle;
        if let Some(request) = worker.request.take() {
            consumer.release(request.process_queue);
        }
        match consumer.pool.waiting.pop_front() {
            Some(request) => {
                let waited_for = consumer.pool.waiting_causes.pop_front().unwrap_or_default();
                cx.set_causes(waited_for.with(cx.causes()));
                start_thread(consumer, thread, request, process, cx);
            }
            None => {
                let idle = &mut consumer.pool.idle;
                let at = idle.partition_point(|other| *other > thread);
                idle.insert(at, thread);
                self.shutdown_on_idle_pool(group, cx);
            }
        }
    }

    /// A thread takes up its request.
    pub(crate) fn run_consume_request(
        &mut self,
        group: &GroupName,
        thread: u32,
        cx: &mut Context<'_>,
    ) {
        let Some(consumer) = self.consumers.get(group) else { return };
        if consumer.is_orderly() {
            self.run_orderly(group, thread, cx);
        } else {
            self.run_concurrently(group, thread, cx);
        }
    }

    /// Calls the listener: plans the call's end and tells its beginning.
    pub(crate) fn call_listener(
        &mut self,
        group: &GroupName,
        thread: u32,
        messages: Vec<CachedMessage>,
        cx: &mut Context<'_>,
    ) {
        let (now, token, process) = (cx.now(), cx.next_token(), self.process);
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        let mut call = plan_call(consumer, messages, now, token);
        let batch = call.messages.len() as u32;
        let mut causes = cx.causes();
        for (index, entry) in call.messages.iter().enumerate() {
            let sequence = cx.emit(EventKind::ConsumeStarted {
                group: group.clone(),
                client_thread: thread,
                message: entry.message.clone(),
                reconsume_times: entry.reconsume_times,
                batch,
            });
            if index == 0 {
                causes = Causes::of(sequence);
            }
            cx.set_causes(causes);
        }
        if let Some(ends_at) = call.ends_at {
            let task = ClientTask::ListenerEnds { group: group.clone(), thread, token };
            let task = Task::Client { process, task };
            call.timer = Some(cx.schedule_at(ends_at, TimerKind::Listener, task));
        }
        consumer.pool.workers[thread as usize].state = WorkerState::Listening(call);
    }

    /// The call returns.
    pub(crate) fn listener_ends(
        &mut self,
        group: &GroupName,
        thread: u32,
        token: u64,
        cx: &mut Context<'_>,
    ) {
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        // The pool may be that of a later consumer of the group.
        let Some(worker) = consumer.pool.workers.get_mut(thread as usize) else { return };
        if !matches!(&worker.state, WorkerState::Listening(call) if call.token == token) {
            return;
        }
        let WorkerState::Listening(call) =
            std::mem::replace(&mut worker.state, WorkerState::Starting)
        else {
            return;
        };
        let request = worker.request.as_ref();
        let (queue, id) = match request {
            Some(request) => (request.message_queue.clone(), request.process_queue),
            None => return,
        };
        let batch = call.messages.len() as u32;
        let succeeded = succeeded_in_call(consumer, &call);
        let causes = cx.causes();
        let mut last = causes;
        for (index, entry) in call.messages.iter().enumerate() {
            cx.set_causes(causes);
            let outcome = match (index as u32) < succeeded {
                true => ConsumeOutcome::Succeeded,
                false => ConsumeOutcome::Failed,
            };
            cx.emit(EventKind::ConsumeEnded {
                group: group.clone(),
                client_thread: thread,
                message: entry.message.clone(),
                reconsume_times: entry.reconsume_times,
                result: call.result,
                outcome,
                batch,
            });
            last = cx.causes();
        }
        cx.set_causes(last);
        if consumer.is_dropped(id) && !consumer.is_orderly() {
            let first =
                call.messages.first().map_or(QueueOffset::NONE, CachedMessage::queue_offset);
            cx.emit(EventKind::ResultIgnored { group: group.clone(), queue, first });
            return self.thread_done(group, thread, cx);
        }
        if consumer.is_orderly() {
            self.process_orderly_result(group, thread, call, cx);
        } else {
            self.process_concurrently_result(group, thread, call, cx);
        }
    }

    /// `shutdownNow` interrupts every thread that is inside the listener (spec 02.2).
    pub(crate) fn interrupt_listeners(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let process = self.process;
        let causes = cx.causes();
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        for (thread, worker) in consumer.pool.workers.iter_mut().enumerate() {
            let WorkerState::Listening(call) = &mut worker.state else { continue };
            cx.set_causes(causes);
            let client_thread = thread as u32;
            cx.emit(EventKind::ListenerInterrupted { group: group.clone(), client_thread });
            match call.on_interrupt {
                OnInterrupt::Ignores => continue,
                OnInterrupt::EndsEarly if call.result == ListenerResult::Never => {
                    call.result = ListenerResult::Throws;
                }
                OnInterrupt::EndsEarly => {}
                OnInterrupt::Succeeds => call.result = ListenerResult::Success,
                OnInterrupt::Fails => call.result = ListenerResult::Later,
            }
            if let Some(timer) = call.timer.take() {
                cx.cancel(timer);
            }
            call.ends_at = Some(cx.now());
            let (group, token) = (group.clone(), call.token);
            let task = ClientTask::ListenerEnds { group, thread: client_thread, token };
            cx.schedule_now(Task::Client { process, task });
        }
        cx.set_causes(causes);
    }
}

/// How many messages at the head of a batch the call's result counts as done.
fn succeeded_in_call(consumer: &PushConsumer, call: &ListenerCall) -> u32 {
    let batch = call.messages.len() as u32;
    if consumer.is_orderly() {
        let is_done = match call.result {
            ListenerResult::Success | ListenerResult::Commit => true,
            // With autoCommit it is logged as wrong, and counts as success (spec 06.6).
            ListenerResult::Rollback => consumer.config.auto_commit,
            _ => false,
        };
        return if is_done { batch } else { 0 };
    }
    let status = ConcurrentlyStatus::of(call.result);
    status.map_or(0, |status| succeeded_count(status, call.ack_index, batch))
}

fn start_thread(
    consumer: &mut PushConsumer,
    thread: u32,
    request: ConsumeRequest,
    process: crate::model::ids::ProcessIndex,
    cx: &mut Context<'_>,
) {
    let worker = &mut consumer.pool.workers[thread as usize];
    worker.state = WorkerState::Starting;
    worker.request = Some(request);
    worker.run_began_at = cx.local_now();
    let task = ClientTask::RunConsumeRequest { group: consumer.group.clone(), thread };
    cx.schedule_now(Task::Client { process, task });
}

/// What the listener will do with these messages, one after the other. The first that does not
/// succeed decides the result; a batch has one result (spec 05.4).
fn plan_call(
    consumer: &mut PushConsumer,
    messages: Vec<CachedMessage>,
    now: Millis,
    token: u64,
) -> ListenerCall {
    let mut takes = Millis::ZERO;
    let mut result = ListenerResult::Success;
    let mut deciding = ListenerStep::ok();
    let mut ack_index = None;
    for entry in &messages {
        let step = next_step(consumer, entry);
        takes = takes + consumer.listener.pause + step.takes;
        ack_index = ack_index.or(step.ack_index);
        if result == ListenerResult::Success {
            result = step.result;
            deciding = step;
        }
    }
    let ends_at = (result != ListenerResult::Never).then(|| now + takes);
    ListenerCall {
        token,
        started_at: now,
        ends_at,
        result,
        ack_index,
        delay_level: deciding.delay_level_when_next_consume,
        suspend_ms: deciding.suspend_ms,
        on_interrupt: deciding.on_interrupt,
        messages,
        timer: None,
    }
}

/// The step of this call: counted per message within one consumer process.
fn next_step(consumer: &mut PushConsumer, entry: &CachedMessage) -> ListenerStep {
    let body = &entry.message.body;
    let by_key = body.key.as_ref().and_then(|key| {
        consumer.listener.by_key.iter().find(|(of, _)| of == key).map(|(_, script)| script)
    });
    let own = body.script.as_deref();
    let script: &ListenerScript = by_key.or(own).unwrap_or(&consumer.listener.default_script);
    if script.steps().len() == 1 {
        return script.step(0);
    }
    let calls = consumer.calls_by_message.entry(body.unique_key).or_insert(0);
    let step = script.step(*calls);
    *calls += 1;
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_busy_from_their_request_on_until_they_idle() {
        let mut pool = ConsumePool::new(2);
        assert_eq!(pool.busy(), 0);
        assert_eq!((pool.thread_for_request(), pool.busy()), (Some(0), 1));
        assert_eq!((pool.thread_for_request(), pool.busy()), (Some(1), 2));
        assert_eq!((pool.thread_for_request(), pool.busy()), (None, 2), "no third one");
        pool.idle.push(1);
        assert_eq!(pool.busy(), 1);
        assert_eq!((pool.thread_for_request(), pool.busy()), (Some(1), 2));
    }
}
