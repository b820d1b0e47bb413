//! Orderly consumption: locks, hand-over, stalls, suspension (spec 11.16 to 11.18, 11.20, 11.21, and 06).

use rocketmq_playground::model::config::ConsumeMode;
use rocketmq_playground::model::listener::{ListenerResult, ListenerScript, ListenerStep};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::sim::event::EventKind;
use rocketmq_playground::sim::packet::RequestCode;

use crate::story::*;

/// One message each 100 ms to every queue.
fn steady(story: &mut Story, queues: u32, from: u64, count: u32) {
    for id in 0..queues {
        story.send_with(from, id, &format!("q{id}x0"), count, |send| send.every = Millis(100));
    }
}

/// Every queue's messages came in order, but for rewinds, and none is missing.
fn in_order(told: &Told, queue: u32, count: i64) {
    let mut next = 0;
    for call in told.calls().iter().filter(|call| call.queue == queue && call.topic == TOPIC) {
        assert!(call.offset <= next, "{} came before {next}", call.offset);
        next = next.max(call.offset + 1);
    }
    assert_eq!(next, count);
}

/// How often a message of a queue came more than once.
fn repeated(told: &Told, queue: u32) -> usize {
    let mut offsets: Vec<i64> =
        told.calls().iter().filter(|call| call.queue == queue).map(|call| call.offset).collect();
    let all = offsets.len();
    offsets.sort_unstable();
    offsets.dedup();
    all - offsets.len()
}

/// 11.16: the owner is killed `x` after its last renewal (the ticks are at +1 s + k * 20 s).
#[test]
fn after_an_orderly_crash_the_queue_stands_still_until_its_lease_is_over() {
    for (profile, low, high) in [
        (Profile::V42, 60_000, 83_000),
        (Profile::V49, 60_000, 60_600),
        (Profile::V53, 40_000, 61_500),
    ] {
        for x in [1_000, 5_000, 10_000, 17_000] {
            let mut story = Story::new(profile, 2);
            story.orderly(0, "c1");
            story.orderly(0, "c2");
            steady(&mut story, 2, 30_000, 1_500);
            let kill = 41_000 + x;
            story.at(kill, crash("c1"));
            let told = story.tell(240_000);
            let taken = told.calls_by("c2", kill).into_iter().find(|call| call.queue == 0);
            let stall = taken.expect("in the end").at - kill;
            within(stall, low, high);
            if profile == Profile::V53 {
                within(stall, 60_000 - x, 60_000 - x + 2_100);
            }
            assert!(repeated(&told, 0) <= 1, "{profile:?}");
            in_order(&told, 0, 1_500);
        }
    }
}

/// 11.16: a new process with another client id, alone in the group; and one with the same id.
#[test]
fn a_restart_with_another_client_id_waits_for_the_old_lease_and_with_the_same_id_it_does_not() {
    let stall = |profile: Profile, client: &str| {
        let mut story = Story::new(profile, 1);
        story.orderly(0, "c1");
        steady(&mut story, 1, 30_000, 1_500);
        story.at(45_000, crash("c1"));
        story.orderly(46_000, client);
        let told = story.tell(240_000);
        let next = told.calls_by(client, 46_000);
        next.first().expect("in the end").at - 46_000
    };
    within(stall(Profile::V42, "c9"), 60_000, 83_100);
    within(stall(Profile::V49, "c9"), 40_000, 61_500);
    within(stall(Profile::V53, "c9"), 40_000, 61_500);
    within(stall(Profile::V42, "c1"), 3_000, 25_300);
    within(stall(Profile::V49, "c1"), 20, 1_900);
    within(stall(Profile::V53, "c1"), 700, 1_600);
}

/// 11.17: a second consumer joins while the queues have a backlog.
#[test]
fn a_hand_over_with_a_backlog_takes_as_long_as_its_version_says() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 2);
        let slow = |spec: &mut rocketmq_playground::model::config::ConsumerSpec| {
            spec.config.consume_mode = ConsumeMode::Orderly;
            spec.listener = pausing(50);
        };
        story.consumer_with(0, "c1", slow);
        story.send(30_000, 0, "a0", 3_000);
        story.send(30_000, 1, "b0", 3_000);
        story.consumer_with(60_300, "c2", slow);
        let told = story.tell(160_000);
        let dropped = told
            .events_of(|kind| matches!(kind, EventKind::QueueDropped { queue, .. } if *queue == self::queue(1)))
            .first()
            .map(|event| event.at.ms())
            .expect("it moves");
        let taken = told.calls_by("c2", 60_300).into_iter().find(|call| call.queue == 1);
        let pause = taken.expect("in the end").at - dropped;
        let in_range = match profile {
            Profile::V42 => {
                (20_000..=43_000).contains(&pause) || (40_000..=63_000).contains(&pause)
            }
            Profile::V49 => {
                (20_000..=20_800).contains(&pause) || (40_000..=40_800).contains(&pause)
            }
            Profile::V53 => (900..=3_300).contains(&pause),
        };
        assert!(in_range, "{profile:?}: {pause}");
        assert_eq!(repeated(&told, 1), 1, "{profile:?}: the call that ran");
        assert_eq!(repeated(&told, 0), 0, "{profile:?}: the queue that stayed");
    }
}

/// 11.17: without cached messages the unlock is sent at once.
#[test]
fn a_hand_over_without_a_backlog_is_quick_since_4_9() {
    for (profile, high) in [(Profile::V49, 21_000), (Profile::V53, 3_100)] {
        let mut story = Story::new(profile, 2);
        story.orderly(0, "c1");
        story.orderly(60_000, "c2");
        story.send_with(61_000, 1, "m0", 300, |send| send.every = Millis(100));
        let told = story.tell(120_000);
        let taken = told.calls_by("c2", 60_000).first().expect("in the end").at;
        within(taken - 60_000, 500, high);
        in_order(&told, 1, 300);
    }
}

/// 11.18 and 06.3: from the end of start() to the first message.
#[test]
fn an_orderly_start_waits_for_the_lock_flag_in_4_2_only() {
    let first = |profile: Profile, queues: u32, latency: u64| {
        let mut story = Story::new(profile, queues);
        story.setup.latency = Millis(latency);
        for id in 0..queues {
            story.send(0, id, &format!("m{id}"), 1);
        }
        story.orderly(20_000, "c1");
        let told = story.tell(80_000);
        let started = told.first(|kind| matches!(kind, EventKind::ConsumerStarted { .. }));
        let last = told.calls().last().expect("all of them").at;
        assert_eq!(told.calls().len(), queues as usize);
        last - started.expect("it starts")
    };
    within(first(Profile::V42, 4, 1), 3_000, 3_500);
    // 64 queues at 10 ms there and back: 1.28 s, so the tick at +1 s misses the last ones.
    within(first(Profile::V42, 64, 5), 18_000, 24_000);
    within(first(Profile::V49, 4, 1), 10, 1_100);
    within(first(Profile::V53, 4, 1), 500, 2_100);
}

/// 11.20: one message always suspends its queue.
#[test]
fn a_suspended_message_blocks_its_queue_and_no_other() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 2);
        story.orderly(0, "c1");
        story.send_with(30_000, 0, "bad", 1, |send| {
            send.script = always(ListenerStep::fails());
        });
        story.send(30_010, 0, "a0", 10);
        story.send(30_020, 1, "b0", 10);
        let told = story.tell(60_000);
        let times = told.times_of("bad");
        assert!(gaps(&times).iter().all(|gap| *gap == 1_000), "{profile:?}: {times:?}");
        assert_eq!(told.calls_of("a0").len(), 0, "{profile:?}: behind it");
        assert_eq!(told.calls_of("b9").len(), 1, "{profile:?}: the other queue");
        let counts: Vec<i32> = told.calls_of("bad").iter().map(|call| call.times).collect();
        assert_eq!(counts[..4], [0, 1, 2, 3], "{profile:?}");
    }
}

/// 11.20: with a maximum of N: N + 1 calls, then the queue goes on; the dead letter waits until 4.9.
#[test]
fn an_orderly_maximum_ends_in_a_dead_letter() {
    for (profile, wait) in [(Profile::V42, 60_000), (Profile::V49, 60_000), (Profile::V53, 0)] {
        let mut story = Story::new(profile, 1);
        story.consumer_with(0, "c1", |spec| {
            spec.config.consume_mode = ConsumeMode::Orderly;
            spec.config.max_reconsume_times = 2;
        });
        story.send_with(30_000, 0, "bad", 1, |send| {
            send.script =
                always(ListenerStep { result: ListenerResult::Throws, ..ListenerStep::ok() });
        });
        story.send(30_010, 0, "a0", 1);
        let told = story.tell(120_000);
        let times = told.times_of("bad");
        assert_eq!(gaps(&times), [1_000, 1_000], "{profile:?}: three calls");
        within(told.times_of("a0")[0] - times[2], 0, 20);
        let dead = told.stored("%DLQ%G");
        assert_eq!(dead.len(), 1, "{profile:?}");
        within(dead[0].1 - times[2], wait, wait + 110);
        assert_eq!(told.requests("c1", RequestCode::ConsumerSendMsgBack), [0; 0], "{profile:?}");
    }
}

/// 06.5 and 06.6: suspend times, the consumer's and the call's, between 10 ms and 30 s.
#[test]
fn a_suspension_is_between_10_ms_and_30_s() {
    let gap = |of_consumer: u64, of_call: Option<u64>| {
        let mut story = Story::new(Profile::V49, 1);
        story.consumer_with(0, "c1", |spec| {
            spec.config.consume_mode = ConsumeMode::Orderly;
            spec.config.suspend_current_queue_time = Millis(of_consumer);
        });
        let step = ListenerStep { suspend_ms: of_call.map(Millis), ..ListenerStep::fails() };
        story.send_with(30_000, 0, "bad", 1, |send| send.script = always(step));
        gaps(&story.tell(130_000).times_of("bad"))[0]
    };
    assert_eq!([gap(1_000, None), gap(3_000, None), gap(3_000, Some(500))], [1_000, 3_000, 500]);
    assert_eq!([gap(1_000, Some(0)), gap(90_000, None)], [10, 30_000]);
}

/// 06.6: without autoCommit only COMMIT moves the offset, and ROLLBACK brings all back.
#[test]
fn without_auto_commit_only_commit_moves_the_offset() {
    let told = |result: ListenerResult| {
        let mut story = Story::new(Profile::V49, 1);
        story.consumer_with(0, "c1", |spec| {
            spec.config.consume_mode = ConsumeMode::Orderly;
            spec.config.auto_commit = false;
        });
        story.send(30_000, 0, "a0", 3);
        let first = ListenerStep { result, ..ListenerStep::ok() };
        let commit = ListenerStep { result: ListenerResult::Commit, ..ListenerStep::ok() };
        let script = ListenerScript::new(first, [commit]);
        story.send_with(31_000, 0, "z", 1, |send| send.script = Some(std::rc::Rc::new(script)));
        story.tell(50_000)
    };
    let committed = |result: ListenerResult| told(result).committed(&queue(0));
    assert_eq!(committed(ListenerResult::Success), Some(0));
    assert_eq!(committed(ListenerResult::Commit), Some(4));
    let rolled_back = told(ListenerResult::Rollback);
    assert_eq!(rolled_back.calls_of("a0").len(), 2, "all four come again");
    assert_eq!(rolled_back.committed(&queue(0)), Some(4));
}

/// 11.21: a busy queue gives its thread up after 60 s.
#[test]
fn a_busy_orderly_queue_yields_its_thread_after_a_minute() {
    let mut story = Story::new(Profile::V49, 2);
    story.consumer_with(0, "c1", |spec| {
        spec.config.consume_mode = ConsumeMode::Orderly;
        spec.config.consume_thread_min = 1;
        spec.listener = pausing(1_000);
    });
    story.send(30_000, 0, "a0", 300);
    story.send(30_100, 1, "b0", 3);
    let told = story.tell(120_000);
    let first = told.calls_of("a0")[0].at;
    within(told.times_of("b0")[0] - first, 60_000, 62_000);
}

/// 06.4: the renewal, once a period and broker until 4.9, twice since 5.0.
#[test]
fn locks_are_renewed_every_twenty_seconds_and_twice_since_5_0() {
    for (profile, requests) in [(Profile::V42, 1), (Profile::V49, 1), (Profile::V53, 2)] {
        let mut story = Story::new(profile, 4);
        story.orderly(0, "c1");
        let told = story.tell(100_000);
        let times = told.requests("c1", RequestCode::LockBatchMq);
        let later: Vec<u64> = times.into_iter().filter(|at| *at > 30_000).collect();
        assert_eq!(later.len(), 3 * requests, "{profile:?}: at 41, 61 and 81 s");
    }
}

/// 06.9: a graceful stop gives the locks back; the next owner is quick where no flag waits.
#[test]
fn a_graceful_stop_hands_its_queues_over_at_once() {
    for (profile, low, high) in
        [(Profile::V42, 3_000, 23_500), (Profile::V49, 5, 1_100), (Profile::V53, 500, 1_700)]
    {
        let mut story = Story::new(profile, 2);
        story.orderly(0, "c1");
        story.orderly(0, "c2");
        steady(&mut story, 2, 30_000, 900);
        story.at(60_050, stop("c1"));
        let told = story.tell(180_000);
        let taken = told.calls_by("c2", 60_050).into_iter().find(|call| call.queue == 0);
        within(taken.expect("in the end").at - 60_050, low, high);
        assert_eq!(repeated(&told, 0), 0, "{profile:?}");
        in_order(&told, 0, 900);
    }
}

/// 06.1: in 4.2 an orderly broadcasting consumer never pulls.
#[test]
fn an_orderly_broadcasting_consumer_never_pulls_in_4_2() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer_with(0, "c1", |spec| {
            spec.config.consume_mode = ConsumeMode::Orderly;
            spec.config.message_model =
                rocketmq_playground::model::config::MessageModel::Broadcasting;
        });
        story.send(30_000, 0, "m0", 3);
        let told = story.tell(90_000);
        let expected = if profile == Profile::V42 { 0 } else { 3 };
        assert_eq!(told.calls().len(), expected, "{profile:?}");
        let asks = told.requests("c1", RequestCode::LockBatchMq).len();
        assert_eq!(asks == 0, profile == Profile::V53, "{profile:?}: {asks} lock requests");
    }
}

/// 06.1: the client believes its lock for 30 s; then it stops and asks each 3.1 s.
#[test]
fn without_renewals_an_orderly_consumer_stops_after_thirty_seconds() {
    use rocketmq_playground::sim::command::{Command, Party};
    for profile in [Profile::V42, Profile::V49] {
        let mut story = Story::new(profile, 1);
        story.orderly(0, "c1");
        steady(&mut story, 1, 30_000, 2_000);
        let (from, to) = (Party::Client("c1".into()), Party::Broker(broker_name()));
        let code = RequestCode::LockBatchMq;
        story.at(41_500, Command::DropNext { from, to, code, count: 1_000, only_response: false });
        let told = story.tell(110_000);
        let last = told.calls().last().expect("some").at;
        if profile == Profile::V42 {
            within(last - 41_000, 29_800, 30_200);
            let asks = told.requests("c1", RequestCode::LockBatchMq);
            let late: Vec<u64> = asks.into_iter().filter(|at| *at > 82_000).collect();
            assert!(late.len() > 4, "{late:?}");
        } else {
            // The renewal that times out closes the connection, and nothing is pulled any more (11.33).
            within(last - 61_000, 800, 1_100);
        }
    }
}
