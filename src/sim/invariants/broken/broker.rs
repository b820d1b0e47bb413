//! Each invariant of what a broker keeps is broken on purpose, and must be found broken.

//! What breaks the invariants of the broker. Tests only.

use super::*;
use crate::model::consume_queue::{ConsumeQueue, ConsumeQueueEntry};
use crate::model::ids::{CallId, UniqueKey};
use crate::model::message::MessageBody;
use crate::model::offset::PhysicalOffset;
use crate::model::pull::PullRequest;
use crate::model::topic::{dlq_topic, retry_topic, schedule_topic};
use crate::sim::agenda::AgendaEntry;
use crate::sim::event::{RequestDetail, ResponseDetail};
use crate::sim::invariants::{Moment, at_broker as checks};
use crate::sim::packet::{RequestCode, ResponseCode};
use crate::sim::task::Task;

fn concurrent(profile: Profile) -> Run {
    Run::new(profile, Kind::Concurrent)
}

#[test]
fn t1_an_event_before_the_last_one() {
    let mut run = concurrent(Profile::V49);
    let mut event = run.event(at_broker(), EventKind::HeartbeatSkipped);
    event.at = Millis(1);
    assert_eq!(run.ids_after(&[event]), ["T1"]);
}

#[test]
fn t1_a_task_left_behind() {
    let mut run = concurrent(Profile::V49);
    let entry = AgendaEntry {
        at: Millis(1),
        since: Millis(0),
        sequence: 0,
        causes: Causes::NONE,
        resumed: None,
        timer: None,
        task: Task::Resume(Machine::Broker(BROKER)),
    };
    run.simulation.engine.agenda.insert(0, entry);
    run.rest_breaks("T1");
}

#[test]
fn b1_an_offset_left_out() {
    let mut run = concurrent(Profile::V49);
    let message = changed(&run.message(0, 5), |it| it.queue_offset = QueueOffset(9));
    run.event_breaks("B1", at_broker(), EventKind::ConsumeQueueAppended { message });
}

#[test]
fn b1_two_queues_exchanged() {
    let mut run = concurrent(Profile::V49);
    let (a, b) = (("T".into(), QueueId(0)), ("T".into(), QueueId(1)));
    let queues = &mut run.broker().consume_queues;
    let (first, second) =
        (queues.remove(&a).expect("sent to"), queues.remove(&b).expect("sent to"));
    queues.insert(a, second);
    queues.insert(b, first);
    run.rest_breaks("B1");
}

#[test]
fn b2_a_negative_offset() {
    let mut run = concurrent(Profile::V49);
    let queue = ConsumeQueue::starting_at(QueueOffset(-3));
    run.broker().consume_queues.insert(("U".into(), QueueId(0)), queue);
    run.world_breaks("B2", at_broker());
}

#[test]
fn b3_a_record_from_the_front_of_the_log() {
    let mut run = concurrent(Profile::V49);
    let message = changed(&run.message(0, 5), |it| {
        it.queue_offset = QueueOffset(6);
        it.physical_offset = PhysicalOffset(1);
    });
    run.event_breaks("B3", at_broker(), EventKind::ConsumeQueueAppended { message });
}

#[test]
fn b4_stored_before_the_last_one() {
    let mut run = concurrent(Profile::V49);
    let message = changed(&run.message(0, 5), |it| it.stored_at = Millis(1));
    run.event_breaks("B4", at_broker(), EventKind::MessageStored { message });
}

#[test]
fn b5_due_before_the_message_in_front() {
    let mut run = concurrent(Profile::V49);
    let message = run.message(0, 5);
    let queue = run.broker().consume_queues.entry((schedule_topic(), QueueId(0))).or_default();
    for tags_code in [9_000, 1_000] {
        queue.append(ConsumeQueueEntry { message: message.clone(), tags_code });
    }
    run.world_breaks("B5", at_broker());
}

#[test]
fn b5_two_that_are_due_at_once_are_in_order() {
    let mut run = concurrent(Profile::V49);
    let message = run.message(0, 5);
    let queue = run.broker().consume_queues.entry((schedule_topic(), QueueId(0))).or_default();
    for tags_code in [9_000, 9_000] {
        queue.append(ConsumeQueueEntry { message: message.clone(), tags_code });
    }
    let ids = run.ids_of(at_broker(), EventKind::HeartbeatSkipped);
    assert!(!ids.contains(&"B5"), "{ids:?}");
}

#[test]
fn b6_let_go_too_early() {
    let mut run = concurrent(Profile::V49);
    let message = changed(&run.message(0, 5), |it| it.stored_at = Millis(69_999));
    let elapsed = EventKind::DelayElapsed { level: 3, message, due: Millis(70_000) };
    run.event_breaks("B6", at_broker(), elapsed);
}

#[test]
fn b6_never_waited_at_all() {
    let mut run = concurrent(Profile::V49);
    let message = changed(&run.message(0, 5), |it| {
        it.properties.delay = Some(3);
        it.properties.real_topic = Some(it.topic.clone());
        it.body = Rc::new(MessageBody { unique_key: UniqueKey(99), ..(*it.body).clone() });
    });
    run.event_breaks("B6", at_broker(), EventKind::MessageStored { message });
}

fn locked(client: &str) -> EventKind {
    let (group, client) = (group(), client.into());
    EventKind::QueueLocked { group, queue: queue(0), client, renewed: false }
}

#[test]
fn b7_a_granted_lock_that_the_table_does_not_have() {
    let mut run = Run::new(Profile::V49, Kind::Orderly);
    let client = "c1".into();
    run.broker().rebalance_lock.unlock_batch(&group(), &[queue(0)], &client);
    run.world_breaks("B7", at_broker());
}

#[test]
fn b8_a_lock_taken_from_a_living_owner() {
    let mut run = Run::new(Profile::V49, Kind::Orderly);
    run.event_breaks("B8", at_broker(), locked("c2"));
}

fn retry_stored(origin: Rc<StoredMessage>, reconsume_times: i32) -> EventKind {
    EventKind::RetryStored { group: group(), origin, level: 3, reconsume_times }
}

fn dead(origin: Rc<StoredMessage>, delayed: bool) -> EventKind {
    let reconsume_times = origin.reconsume_times + 1;
    EventKind::DeadLettered { group: group(), origin, reconsume_times, delayed }
}

#[test]
fn b9_a_retry_that_counts_two() {
    let mut run = concurrent(Profile::V49);
    let origin = run.message(0, 0);
    run.event_breaks("B9", at_broker(), retry_stored(origin, 2));
}

#[test]
fn b10_a_dead_letter_that_nobody_sent_back() {
    let mut run = concurrent(Profile::V49);
    let origin = run.message(0, 1);
    run.event_breaks("B10", at_broker(), dead(origin, false));
}

#[test]
fn b10_a_plain_send_that_died_too_early() {
    let mut run = concurrent(Profile::V53);
    let letter = changed(&run.message(0, 1), |it| {
        it.topic = dlq_topic(&group());
        it.reconsume_times = 3;
    });
    run.event_breaks("B10", at_broker(), dead(letter, false));
}

#[test]
fn b11_a_pull_that_is_held_for_ever() {
    let mut run = concurrent(Profile::V49);
    for pull in run.broker().pull_request_hold.held.values_mut().flatten() {
        pull.times_out_at = Millis(60_000);
    }
    run.world_breaks("B11", at_broker());
}

#[test]
fn b12_a_member_that_was_not_told() {
    let mut run = concurrent(Profile::V49);
    let joined = EventKind::ClientRegistered { group: group(), client: "c9".into(), process: C2 };
    run.event_breaks("B12", at_broker(), joined);
}

#[test]
fn b13_a_retry_topic_that_grew() {
    let mut run = concurrent(Profile::V49);
    let topic = retry_topic(&group());
    let config = run.broker().topic_config.get_mut(&topic).expect("the group exists");
    config.write_queue_nums = 7;
    run.world_breaks("B13", at_broker());
}

#[test]
fn b14_an_offset_that_went_back_is_a_hint() {
    let mut run = concurrent(Profile::V49);
    let (from, to) = (QueueOffset(3), QueueOffset(1));
    let back =
        EventKind::OffsetCommitted { group: group(), queue: queue(0), from, to, by_pull: true };
    let event = run.event(at_broker(), back);
    let watch = run.checker.watch();
    let moment = Moment { simulation: &run.simulation, watch, events: &[] };
    assert!(checks::b14_a_stored_offset_decreased(&moment, &event).is_some());
    assert_eq!(run.ids_after(&[event]), [""; 0], "RocketMQ accepts it");
}

#[test]
fn b15_a_pull_served_by_an_older_subscription() {
    let mut run = concurrent(Profile::V49);
    for pull in run.broker().pull_request_hold.held.values_mut().flatten() {
        pull.header.sub_version += 1;
    }
    run.world_breaks("B15", at_broker());
}

#[test]
fn b15_refusals_that_do_not_end() {
    let mut run = concurrent(Profile::V49);
    for (at, broken) in [(70_000, false), (100_000, false), (105_001, true)] {
        let call = CallId(at);
        let detail = RequestDetail::Pull {
            group: group(),
            topic: "T".into(),
            queue_id: QueueId(0),
            offset: QueueOffset(6),
            max_msg_nums: 32,
            sys_flag: 2,
            commit_offset: QueueOffset(3),
        };
        let (to, code) = (Machine::Broker(BROKER), RequestCode::PullMessage);
        let sent = EventKind::RequestSent { call, to, code, oneway: false, detail };
        let refused = EventKind::ResponseReceived {
            call,
            from: to,
            of: code,
            code: ResponseCode::SubscriptionNotLatest,
            detail: ResponseDetail::None,
        };
        for (kind, broken) in [(sent, false), (refused, broken)] {
            let mut event = run.event(at_client(C1), kind);
            event.at = Millis(at);
            assert_eq!(run.ids_after(&[event]).contains(&"B15"), broken, "at {at}");
        }
    }
}

#[test]
fn b16_an_empty_queue_that_answers_zero_in_5_3() {
    let mut run = concurrent(Profile::V53);
    let answer = EventKind::ResponseReceived {
        call: CallId(1),
        from: Machine::Broker(BROKER),
        of: RequestCode::QueryConsumerOffset,
        code: ResponseCode::Success,
        detail: ResponseDetail::Offset(QueueOffset::ZERO),
    };
    let PullRequest { process_queue, .. } = run.any_pull_request(C1);
    let queue = MessageQueue::new("U".into(), "broker-a".into(), QueueId(0));
    let next_offset = QueueOffset::ZERO;
    let assigned = EventKind::QueueAssigned { group: group(), queue, process_queue, next_offset };
    let first = run.event(at_client(C1), answer);
    let second = Event { sequence: first.sequence + 1, ..run.event(at_client(C1), assigned) };
    assert!(run.ids_after(&[first, second]).contains(&"B16"));
}

#[test]
fn b17_a_dead_letter_that_waits_in_5_3() {
    let mut run = concurrent(Profile::V53);
    let origin = changed(&run.message(0, 1), |it| it.properties.delay = Some(3));
    run.event_breaks("B17", at_broker(), dead(origin, true));
}

#[test]
fn x12_a_send_back_that_stored_nothing() {
    let mut run = concurrent(Profile::V49);
    let answered = EventKind::ResponseSent {
        call: CallId(1),
        to: Machine::Client(C1),
        of: RequestCode::ConsumerSendMsgBack,
        code: ResponseCode::Success,
    };
    run.event_breaks("X12", at_broker(), answered);
}

#[test]
fn x13_a_second_copy_of_one_attempt() {
    let mut run = concurrent(Profile::V49);
    let origin = run.message(0, 0);
    run.event_breaks("X13", at_broker(), retry_stored(origin, 1));
}
