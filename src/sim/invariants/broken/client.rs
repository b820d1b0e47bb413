//! Each invariant of what a client keeps is broken on purpose, and must be found broken.

//! What breaks the invariants of the client. Tests only.

use super::*;
use crate::model::ids::{CallId, ConnectionId, ProcessQueueId};
use crate::model::message::MessageBody;
use crate::model::process_queue::ProcessQueue;
use crate::model::pull::PullRequest;
use crate::model::rules::Rules;
use crate::sim::client::call::Waiter;
use crate::sim::client::consume_pool::WorkerState;
use crate::sim::event::{DropReason, RequestDetail, TimerKind};
use crate::sim::packet::RequestCode;

impl Run {
    /// A pull of a client that is under way.
    pub(super) fn any_pull_request(&mut self, process: ProcessIndex) -> PullRequest {
        let mut calls = self.client(process).pending_calls.values();
        let pull = calls.find_map(|call| match &call.waiter {
            Waiter::Pull(request) => Some((**request).clone()),
            _ => None,
        });
        pull.expect("idle pulls are held by the broker")
    }

    fn window(&mut self, process: ProcessIndex, id: u32) -> &mut ProcessQueue {
        let consumer = self.consumer(process);
        let process_queue = consumer.process_queue_table[&queue(id)];
        &mut consumer.shelves.get_mut(&process_queue).expect("it is in the table").window
    }

    fn process_queue(&mut self, process: ProcessIndex, id: u32) -> ProcessQueueId {
        self.consumer(process).process_queue_table[&queue(id)]
    }

    fn dropped(&mut self, process: ProcessIndex, id: u32) -> EventKind {
        let process_queue = self.process_queue(process, id);
        let (group, queue, reason) = (group(), queue(id), DropReason::Rebalance);
        EventKind::QueueDropped { group, queue, process_queue, reason }
    }
}

fn requested(code: RequestCode, detail: RequestDetail) -> EventKind {
    let (call, to) = (CallId(9_999), Machine::Broker(BROKER));
    EventKind::RequestSent { call, to, code, oneway: false, detail }
}

fn pull(queue_id: u32, offset: i64) -> EventKind {
    let detail = RequestDetail::Pull {
        group: group(),
        topic: "T".into(),
        queue_id: QueueId(queue_id),
        offset: QueueOffset(offset),
        max_msg_nums: 32,
        sys_flag: 2,
        commit_offset: QueueOffset::NONE,
    };
    requested(RequestCode::PullMessage, detail)
}

fn commit(queue_id: u32, offset: i64) -> EventKind {
    let (group, topic) = (group(), "T".into());
    let (queue_id, offset) = (QueueId(queue_id), QueueOffset(offset));
    let detail = RequestDetail::Commit { group, topic, queue_id, offset };
    requested(RequestCode::UpdateConsumerOffset, detail)
}

fn moved(queue_id: u32, from: i64, to: i64) -> EventKind {
    let (from, to) = (QueueOffset(from), QueueOffset(to));
    EventKind::OffsetMoved { group: group(), queue: queue(queue_id), from, to }
}

fn concurrent(profile: Profile) -> Run {
    Run::new(profile, Kind::Concurrent)
}

fn orderly(profile: Profile) -> Run {
    Run::new(profile, Kind::Orderly)
}

#[test]
fn c1_a_pull_request_that_got_lost() {
    let mut run = concurrent(Profile::V49);
    run.client(C1).pending_calls.clear();
    run.rest_breaks("C1");
}

#[test]
fn c2_a_result_that_counts_after_the_drop() {
    let mut run = concurrent(Profile::V49);
    let dropped = run.dropped(C1, 0);
    run.window(C1, 0).set_dropped();
    assert_eq!(run.ids_of(at_client(C1), dropped), [""; 0]);
    let message = run.message(0, 3);
    let thread = run.thread_of(C1, 3);
    let ended = run.event(at_client(C1), run.ended(message, thread));
    let moved = Event { sequence: ended.sequence + 1, kind: moved(0, 3, 6), ..ended.clone() };
    assert!(run.ids_after(&[ended, moved]).contains(&"C2"));
}

impl Run {
    fn thread_of(&mut self, process: ProcessIndex, offset: i64) -> u32 {
        let workers = self.consumer(process).pool.workers.iter();
        let is_it = |state: &WorkerState| {
            matches!(state, WorkerState::Listening(call)
            if call.messages[0].queue_offset() == QueueOffset(offset))
        };
        let thread = workers.enumerate().find(|(_, worker)| is_it(&worker.state));
        thread.expect("it never returns").0 as u32
    }
}

#[test]
fn c3_a_window_that_counts_wrongly() {
    let mut run = orderly(Profile::V49);
    let message = run.message(0, 5);
    let window = run.window(C1, 0);
    let entry = window.messages().values().next().expect("the others wait").clone();
    window.put_message([message], None);
    let taken = window.take_messages(Millis(70_000), 1);
    window.put_message([entry.message], None);
    window.make_message_to_consume_again(taken);
    run.world_breaks("C3", at_client(C1));
}

#[test]
fn c3_a_window_that_holds_what_was_not_pulled() {
    let mut run = concurrent(Profile::V49);
    for call in run.client(C1).pending_calls.values_mut() {
        if let Waiter::Pull(request) = &mut call.waiter {
            request.next_offset = QueueOffset::ZERO;
        }
    }
    run.rest_breaks("C3");
}

#[test]
fn c3_a_dropped_window_that_is_alive() {
    let mut run = concurrent(Profile::V49);
    let dropped = run.dropped(C1, 0);
    run.event_breaks("C3", at_client(C1), dropped);
}

#[test]
fn c4_a_window_above_its_limit() {
    let mut run = orderly(Profile::V49);
    let config = &mut run.consumer(C1).config;
    (config.pull_threshold_for_queue, config.pull_batch_size) = (1, 1);
    run.world_breaks("C4", at_client(C1));
}

#[test]
fn c5_an_offset_beyond_an_unfinished_message() {
    let mut run = concurrent(Profile::V49);
    run.consumer(C1).offset_store.update_offset(&queue(0), QueueOffset(4), true);
    run.world_breaks("C5", at_client(C1));
}

#[test]
fn c6_an_offset_that_goes_back() {
    let mut run = concurrent(Profile::V49);
    run.event_breaks("C6", at_client(C1), moved(0, 3, 2));
}

#[test]
fn c7_more_threads_than_the_core() {
    let mut run = concurrent(Profile::V49);
    run.consumer(C1).pool.core = 0;
    run.world_breaks("C7", at_client(C1));
}

#[test]
fn c8_two_calls_for_one_orderly_queue() {
    let mut run = orderly(Profile::V49);
    let workers = &mut run.consumer(C1).pool.workers;
    let listens = |state: &WorkerState| matches!(state, WorkerState::Listening(_));
    let copy = workers.iter().find(|it| listens(&it.state)).expect("it never returns").clone();
    workers.push(copy);
    run.world_breaks("C8", at_client(C1));
}

#[test]
fn c9_an_orderly_queue_that_goes_back() {
    let mut run = orderly(Profile::V49);
    let started = run.started(run.message(0, 1), 0);
    run.event_breaks("C9", at_client(C1), started);
}

#[test]
fn c10_an_orderly_call_without_its_lock() {
    let mut run = orderly(Profile::V49);
    let now = run.simulation.now();
    for worker in &mut run.consumer(C1).pool.workers {
        if let WorkerState::Listening(call) = &mut worker.state {
            call.started_at = now;
        }
    }
    run.window(C1, 0).is_locked = false;
    let begun = run.started(run.message(0, 0), 0);
    run.event_breaks("C10", at_client(C1), begun);
}

#[test]
fn c11_a_pull_that_goes_back() {
    let mut run = concurrent(Profile::V49);
    run.event_breaks("C11", at_client(C1), pull(0, 2));
}

#[test]
fn c14_an_offset_that_is_never_reported() {
    let mut run = concurrent(Profile::V49);
    assert_eq!(run.ids_of(at_client(C2), moved(1, 3, 4)), [""; 0]);
    run.simulation.engine.now = Millis(78_000);
    run.world_breaks("C14", at_client(C2));
}

#[test]
fn c15_an_offset_out_of_nowhere() {
    let mut run = concurrent(Profile::V49);
    run.event_breaks("C15", at_client(C1), commit(0, 999));
}

#[test]
fn c16_a_first_pull_that_does_not_wait_in_5_3() {
    let mut run = concurrent(Profile::V53);
    let process_queue = run.process_queue(C1, 0);
    let (group, next_offset) = (group(), QueueOffset(6));
    let assigned = EventKind::QueueAssigned { group, queue: queue(0), process_queue, next_offset };
    assert_eq!(run.ids_of(at_client(C1), assigned), [""; 0]);
    run.event_breaks("C16", at_client(C1), pull(0, 6));
}

fn began() -> EventKind {
    EventKind::ShutdownBegan { group: group() }
}

#[test]
fn c17_a_call_after_the_stop() {
    let mut run = concurrent(Profile::V49);
    let _interrupted_nobody = run.ids_of(at_client(C1), began());
    let started = run.started(run.message(0, 4), 7);
    run.event_breaks("C17", at_client(C1), started);
}

#[test]
fn c17_a_running_call_that_is_not_interrupted() {
    let mut run = concurrent(Profile::V49);
    run.event_breaks("C17", at_client(C1), began());
}

#[test]
fn c18_a_report_after_the_goodbye() {
    let mut run = concurrent(Profile::V42);
    let goodbye = requested(RequestCode::UnregisterClient, RequestDetail::None);
    for kind in [began(), commit(0, 3), goodbye] {
        assert_eq!(run.ids_of(at_client(C1), kind), [""; 0]);
    }
    run.event_breaks("C18", at_client(C1), commit(0, 3));
}

#[test]
fn c19_bytes_of_no_message() {
    let mut run = concurrent(Profile::V49);
    let shorter = changed(&run.message(1, 3), |it| {
        it.body = Rc::new(MessageBody { body_bytes: 40, ..(*it.body).clone() });
    });
    let window = run.window(C2, 1);
    window.put_message([shorter], None);
    window.remove_message(&Rules::of(Profile::V42), Millis(70_000), [QueueOffset(3)]);
    run.world_breaks("C19", at_client(C2));
}

#[test]
fn c20_a_connection_closed_by_a_time_out_in_4_2() {
    let mut run = concurrent(Profile::V42);
    let closed =
        EventKind::ConnectionClosed { connection: ConnectionId(1), with: Machine::Broker(BROKER) };
    let mut event = run.event(at_client(C1), closed);
    let kind = TimerKind::CallTimeout(RequestCode::HeartBeat);
    event.trigger = Trigger::Timer { kind, since: Millis(67_000) };
    assert!(run.ids_after(&[event]).contains(&"C20"));
}
