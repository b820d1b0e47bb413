//! Each invariant of what spans brokers and clients is broken on purpose, and must be found broken.

//! What breaks the invariants between machines. Tests only.

use super::*;
use crate::sim::client::consumer::Shelf;

fn concurrent(profile: Profile) -> Run {
    Run::new(profile, Kind::Concurrent)
}

fn orderly(profile: Profile) -> Run {
    Run::new(profile, Kind::Orderly)
}

fn allocated(mine: &[MessageQueue]) -> EventKind {
    EventKind::Allocated {
        group: group(),
        topic: "T".into(),
        queues: [queue(0), queue(1)].into(),
        members: ["c1".into(), "c2".into()].into(),
        mine: mine.into(),
    }
}

fn committed(queue_id: u32, to: i64) -> EventKind {
    let (from, to) = (QueueOffset(3), QueueOffset(to));
    EventKind::OffsetCommitted { group: group(), queue: queue(queue_id), from, to, by_pull: false }
}

#[test]
fn c12_a_queue_that_is_no_longer_its_own() {
    let mut run = concurrent(Profile::V49);
    run.event_breaks("C12", at_client(C1), allocated(&[]));
}

#[test]
fn c13_a_pass_that_came_too_late() {
    let mut run = concurrent(Profile::V49);
    let mut event = run.event(at_client(C1), EventKind::RebalanceBegan);
    event.at = Millis(120_000);
    assert!(run.ids_after(&[event]).contains(&"C13"));
}

#[test]
fn c13_a_pass_that_came_too_early_in_5_3() {
    let mut run = concurrent(Profile::V53);
    let ended = EventKind::RebalanceEnded { balanced: true };
    assert_eq!(run.ids_of(at_client(C1), ended), [""; 0]);
    run.event_breaks("C13", at_client(C1), EventKind::RebalanceBegan);
}

#[test]
fn x1_a_commit_of_what_nobody_got() {
    let mut run = concurrent(Profile::V49);
    let message = changed(&run.message(0, 5), |it| it.queue_offset = QueueOffset(6));
    let entry = crate::model::consume_queue::ConsumeQueueEntry { message, tags_code: 0 };
    let key = ("T".into(), QueueId(0));
    run.broker().consume_queues.get_mut(&key).expect("it was sent to").append(entry);
    run.event_breaks("X1", at_broker(), committed(0, 7));
}

#[test]
fn x1_a_message_forgotten_at_rest() {
    let mut run = concurrent(Profile::V49);
    run.forget_one();
    run.rest_breaks("X1");
}

/// A broadcasting client has its own offsets; what it left out is no loss of the group's.
#[test]
fn x1_speaks_of_clustering_groups_only() {
    let mut run = Run::new(Profile::V49, Kind::Broadcasting);
    run.forget_one();
    run.rest_says_nothing_of("X1");
}

#[test]
fn x2_a_commit_of_what_still_runs() {
    let mut run = concurrent(Profile::V49);
    run.event_breaks("X2", at_broker(), committed(0, 4));
}

#[test]
fn x3_two_shares_with_one_queue() {
    let mut run = concurrent(Profile::V49);
    run.event_breaks("X3", at_client(C2), allocated(&[queue(0), queue(1)]));
}

#[test]
fn x4_two_owners_of_one_queue() {
    let mut run = concurrent(Profile::V49);
    let id = run.consumer(C1).process_queue_table[&queue(0)];
    let shelf: Shelf = run.consumer(C1).shelves[&id].clone();
    let other = run.consumer(C2);
    other.process_queue_table.insert(queue(0), id);
    other.shelves.insert(id, shelf);
    run.rest_breaks("X4");
}

#[test]
fn x5_two_clients_at_one_orderly_queue() {
    let mut run = orderly(Profile::V49);
    let started = run.started(run.message(0, 3), 0);
    run.event_breaks("X5", at_client(C2), started);
}

#[test]
fn x6_a_first_delivery_behind_a_later_one() {
    let mut run = orderly(Profile::V49);
    let started = run.started(run.message(0, 5), 0);
    let _skips_one = run.ids_of(at_client(C1), started);
    let started = run.started(run.message(0, 4), 0);
    run.event_breaks("X6", at_client(C1), started);
}

#[test]
fn x8_a_success_executed_again() {
    let mut run = concurrent(Profile::V49);
    let started = run.started(run.message(0, 1), 9);
    run.event_breaks("X8", at_client(C1), started);
}

#[test]
fn x8_an_orderly_success_executed_again() {
    let mut run = Run::new(Profile::V49, Kind::Orderly);
    let started = run.started(run.message(0, 1), 9);
    run.event_breaks("X8", at_client(C1), started);
}

#[test]
fn x9_a_seventeenth_retry() {
    let mut run = concurrent(Profile::V49);
    let message = changed(&run.message(0, 5), |it| it.reconsume_times = 17);
    let started = run.started(message, 9);
    run.event_breaks("X9", at_client(C1), started);
}

#[test]
fn x10_a_broadcast_message_executed_again() {
    let mut run = Run::new(Profile::V49, Kind::Broadcasting);
    let started = run.started(run.message(0, 1), 9);
    run.event_breaks("X10", at_client(C1), started);
}

#[test]
fn x11_a_pulled_message_that_is_gone() {
    let mut run = concurrent(Profile::V49);
    run.empty_windows();
    run.rest_breaks("X11");
}

/// A reset drops what was pulled, and moves the offset past it or before it.
#[test]
fn x11_speaks_of_groups_whose_offsets_nobody_set() {
    let mut run = concurrent(Profile::V49);
    run.empty_windows();
    run.checker.watch.moved_by_hand.insert(group());
    run.rest_says_nothing_of("X11");
}

/// Since 5.2.0 a queue is given up under a running call: whoever gets it next may overtake that call.
#[test]
fn order_is_no_longer_promised_once_a_queue_is_given_up_under_its_own_client_s_call() {
    for (process, is_exempt) in [(C1, true), (C2, false)] {
        let mut run = orderly(Profile::V53);
        let process_queue = run.consumer(C1).process_queue_table[&queue(0)];
        let released = EventKind::QueueReleased { group: group(), queue: queue(0), process_queue };
        let _gives_up = run.ids_of(at_client(process), released);
        assert_eq!(run.checker.watch.order_exempt.contains(&group()), is_exempt, "{process:?}");
    }
}

#[test]
fn x14_a_moved_queue_that_repeats_two() {
    let mut run = orderly(Profile::V49);
    let id = run.consumer(C1).process_queue_table[&queue(0)];
    let (group, next_offset) = (group(), QueueOffset::ZERO);
    let queue = queue(0);
    let assigned = EventKind::QueueAssigned { group, queue, process_queue: id, next_offset };
    let _moves = run.ids_of(at_client(C1), assigned);
    let first = run.started(run.message(0, 0), 0);
    let _repeats_one = run.ids_of(at_client(C1), first);
    let second = run.started(run.message(0, 1), 0);
    run.event_breaks("X14", at_client(C1), second);
}
