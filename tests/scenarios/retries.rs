//! Failures: the ladder, dead letters, send-backs that fail, broadcasting (spec 11.9 to 11.12, 11.29,
//! 11.30, 11.34).

use rocketmq_playground::model::config::MessageModel;
use rocketmq_playground::model::listener::{ListenerResult, ListenerStep};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::sim::command::{BrokerStop, Command, Party};
use rocketmq_playground::sim::event::EventKind;
use rocketmq_playground::sim::packet::RequestCode;

use crate::story::*;

const DLQ: &str = "%DLQ%G";
const RETRY: &str = "%RETRY%G";

/// The waits of the default ladder, in seconds (spec 05.7).
const LADDER: [u64; 16] =
    [10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1_200, 1_800, 3_600, 7_200];

fn failing_for_ever() -> ListenerStep {
    ListenerStep::fails()
}

/// 11.9: all consumers fail everything; one broker.
#[test]
fn all_retries_come_to_the_first_client_in_order() {
    let mut story = Story::new(Profile::V49, 4);
    for client in ["c3", "c1", "c2"] {
        story.consumer(0, client);
    }
    for id in 0..4 {
        story.send_with(12_000, id, &format!("q{id}m0"), 5, |send| send.script = fails(2));
    }
    let told = story.tell(80_000);
    let retries: Vec<_> = told.calls().into_iter().filter(|call| call.topic == RETRY).collect();
    assert!(retries.len() >= 20 && retries.iter().all(|call| call.client == "c1"));
}

/// 11.9: with two brokers there are two retry queues, in the order of the brokers' names.
#[test]
fn with_two_brokers_the_retries_of_each_come_to_their_owner() {
    let mut story = Story::new(Profile::V49, 2);
    story.broker("broker-b");
    story.topic("U", 2);
    for client in ["c1", "c2"] {
        story.consumer_with(0, client, |spec| spec.subscriptions = vec![("U".into(), "*".into())]);
    }
    for (key, broker) in [("a0", "broker-a"), ("b0", "broker-b")] {
        story.send_with(12_000, 0, key, 2, |send| {
            send.topic = "U".into();
            send.script = fails(1);
            send.queue = rocketmq_playground::sim::command::QueueChoice::Fixed {
                broker_name: Some(broker.into()),
                queue_id: rocketmq_playground::model::ids::QueueId(0),
            };
        });
    }
    let told = story.tell(40_000);
    let client_of = |key: &str| {
        let retry = told.calls_of(key).into_iter().find(|call| call.topic == RETRY);
        retry.expect("it failed once").client
    };
    assert_eq!((client_of("a0"), client_of("b0")), ("c1".into(), "c2".into()));
}

/// 11.10: a listener that always fails one message, with defaults.
#[test]
fn the_ladder_has_seventeen_calls_and_ends_in_the_dead_letters() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.send_with(30_000, 0, "m0", 1, |send| send.script = always(failing_for_ever()));
        let told = story.tell(25_000_000);
        let times = told.times_of("m0");
        assert_eq!(times.len(), 17, "{profile:?}");
        let accuracy = if profile == Profile::V42 { 10 } else { 110 };
        for (gap, seconds) in gaps(&times).into_iter().zip(LADDER) {
            within(gap, seconds * 1_000, seconds * 1_000 + accuracy);
        }
        within(times[16] - times[0], 17_140_000, 17_140_000 + 16 * accuracy);
        let dead = told.stored(DLQ);
        assert_eq!(dead.len(), 1, "{profile:?}");
        let wait = dead[0].1 - times[16];
        match profile {
            Profile::V42 => within(wait, 7_200_000, 7_200_010),
            Profile::V49 | Profile::V53 => within(wait, 0, 20),
        }
        assert_eq!(told.committed(&queue(0)), Some(1), "{profile:?}: the queue goes on at once");
        let readable = {
            let broker =
                told.simulation.world().broker(rocketmq_playground::model::ids::BrokerIndex(0));
            broker.topic_config[&DLQ.into()].permission.readable
        };
        assert_eq!(readable, profile != Profile::V42);
    }
}

/// 11.10, variants.
#[test]
fn the_listener_and_the_consumer_may_shorten_the_ladder() {
    for profile in Profile::ALL {
        let told = |step: ListenerStep, max: i32| {
            let mut story = Story::new(profile, 1);
            story.consumer_with(0, "c1", |spec| spec.config.max_reconsume_times = max);
            story.send_with(30_000, 0, "m0", 1, |send| send.script = always(step));
            story.tell(400_000)
        };
        let at_once = ListenerStep { delay_level_when_next_consume: -1, ..ListenerStep::fails() };
        let told_at_once = told(at_once, -1);
        assert_eq!(told_at_once.times_of("m0").len(), 1, "{profile:?}");
        within(told_at_once.stored(DLQ)[0].1, 30_000, 30_010);

        let level_one = ListenerStep { delay_level_when_next_consume: 1, ..ListenerStep::fails() };
        let times = told(level_one, 3).times_of("m0");
        assert!(gaps(&times).iter().all(|gap| (1_000..1_110).contains(gap)), "{times:?}");

        let told_max = told(ListenerStep::fails(), 3);
        let times = told_max.times_of("m0");
        assert_eq!(times.len(), 4, "{profile:?}");
        for (gap, wanted) in gaps(&times).into_iter().zip([10_000, 30_000, 60_000]) {
            within(gap, wanted, wanted + 110);
        }
        let dead = told_max.stored(DLQ)[0].1 - times[3];
        // 4.2.0: the last level once more.
        let low = if profile == Profile::V42 { 60_000 } else { 0 };
        within(dead, low, low + 20);
    }
}

/// Every send-back request is lost, so each failure takes the fallback (spec 05.5, 05.6.2).
fn by_fallback(profile: Profile) -> Told {
    let mut story = Story::new(profile, 1);
    story.consumer_with(0, "c1", |spec| spec.config.max_reconsume_times = 2);
    let (from, to) = (Party::Client("c1".into()), Party::Broker(broker_name()));
    let code = RequestCode::ConsumerSendMsgBack;
    story.at(20_000, Command::DropNext { from, to, code, count: 100, only_response: false });
    story.send_with(30_000, 0, "m0", 1, |send| send.script = always(ListenerStep::fails()));
    story.tell(300_000)
}

/// 11.10: by the fallback the limit is one lower until 4.9, and the dead letter waits a level.
#[test]
fn by_the_fallback_the_dead_letter_comes_one_try_earlier_until_4_9() {
    for (profile, calls, wait) in
        [(Profile::V42, 2, 30_000), (Profile::V49, 2, 30_000), (Profile::V53, 3, 0)]
    {
        let told = by_fallback(profile);
        let times = told.times_of("m0");
        assert_eq!(times.len(), calls, "{profile:?}");
        let sent =
            told.events_of(|kind| matches!(kind, EventKind::SentBack { by_fallback: true, .. }));
        assert_eq!(sent.len(), calls, "{profile:?}");
        let decided = told.first(|kind| matches!(kind, EventKind::DeadLettered { .. }));
        within(told.stored(DLQ)[0].1 - decided.expect("it died"), wait, wait + 110);
    }
}

/// 11.11 and 09.6: the broker is frozen for 40 s while a message fails.
#[test]
fn a_frozen_broker_multiplies_a_failed_message() {
    for (profile, cycle, copies) in
        [(Profile::V42, 19_000, 5), (Profile::V49, 13_000, 7), (Profile::V53, 13_000, 7)]
    {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.send_with(30_000, 0, "m0", 1, |send| {
            let step = ListenerStep::fails().taking(Millis(50));
            send.script = always(step);
        });
        let duration = Some(Millis(40_000));
        story.at(30_020, Command::FreezeBroker { broker_name: broker_name(), duration });
        let told = story.tell(71_000);
        let tries: Vec<u64> =
            told.calls_of("m0").iter().filter(|call| call.topic == TOPIC).map(|it| it.at).collect();
        let first_gap = gaps(&tries)[0];
        within(first_gap, cycle - 3_000, cycle + 120);
        let stored = told.count(|kind| {
            matches!(kind, EventKind::MessageStored { message }
                if message.topic.as_str() == "SCHEDULE_TOPIC_XXXX")
        });
        // Since 4.9.1 a closed connection may shorten a cycle, and so make room for one more.
        let most = if profile == Profile::V42 { copies } else { copies + 1 };
        within(stored as u64, copies, most);
    }
}

/// 11.11: the broker stops; a local attempt each 5 s, and the copy begins at 1 again.
#[test]
fn while_the_broker_is_down_a_failed_message_is_tried_locally_every_five_seconds() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.send_with(30_000, 0, "m0", 1, |send| {
            send.script = always(ListenerStep::fails().taking(Millis(100)));
        });
        let how = BrokerStop::Graceful;
        story.at(30_050, Command::StopBroker { broker_name: broker_name(), broker_id: 0, how });
        story.at(60_050, Command::StartBroker { broker_name: broker_name(), broker_id: 0 });
        let told = story.tell(66_000);
        let local: Vec<Call> =
            told.calls_of("m0").into_iter().filter(|call| call.topic == TOPIC).collect();
        let times: Vec<u64> = local.iter().map(|call| call.at).collect();
        for gap in gaps(&times) {
            within(gap, 5_000, 5_300);
        }
        let counts: Vec<i32> = local.iter().map(|call| call.times).collect();
        assert_eq!(counts, (0..counts.len() as i32).collect::<Vec<_>>(), "{profile:?}: only here");
        let stored = told.events_of(|kind| matches!(kind, EventKind::RetryStored { .. }));
        let EventKind::RetryStored { level, reconsume_times, .. } = &stored[0].kind else {
            panic!("{profile:?}: nothing was stored");
        };
        assert_eq!((*level, *reconsume_times), (3, 1), "{profile:?}");
    }
}

/// 11.11: only the answer is lost: the copy is there, and the fallback makes another one.
#[test]
fn a_lost_answer_makes_two_copies() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        let (from, to) = (Party::Client("c1".into()), Party::Broker(broker_name()));
        let code = RequestCode::ConsumerSendMsgBack;
        story.at(20_000, Command::DropNext { from, to, code, count: 1, only_response: true });
        story.send_with(30_000, 0, "m0", 1, |send| send.script = fails(1));
        // Since 4.9.1 the time-out closes the connection too: the client is a member again at 60 s.
        let calls = story.tell(100_000).calls_of("m0");
        let retries = calls.iter().filter(|call| call.topic == RETRY).count();
        assert_eq!(retries, 2, "{profile:?}");
    }
}

/// 11.11: the consumer crashes during its local retries; the offset never passed the message.
#[test]
fn a_crash_during_local_retries_loses_nothing() {
    let mut story = Story::new(Profile::V49, 1);
    story.consumer(0, "c1");
    story.send_with(30_000, 0, "m0", 1, |send| {
        send.script = always(ListenerStep::fails().taking(Millis(100)));
    });
    let how = BrokerStop::Graceful;
    story.at(30_050, Command::StopBroker { broker_name: broker_name(), broker_id: 0, how });
    story.at(33_000, crash("c1"));
    story.at(40_000, Command::StartBroker { broker_name: broker_name(), broker_id: 0 });
    story.consumer(45_000, "c9");
    let told = story.tell(60_000);
    assert!(told.calls_by("c9", 45_000).iter().any(|call| call.key == "m0" && call.topic == TOPIC));
}

/// 11.12: one call for each client, no retry.
#[test]
fn broadcasting_drops_failures_and_keeps_offsets_in_a_file() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        let broadcasting = |spec: &mut rocketmq_playground::model::config::ConsumerSpec| {
            spec.config.message_model = MessageModel::Broadcasting;
        };
        story.consumer_with(0, "c1", broadcasting);
        story.consumer_with(0, "c2", broadcasting);
        story.send_with(30_000, 0, "m0", 1, |send| send.script = always(ListenerStep::fails()));
        story.send(31_000, 0, "m1", 3);
        story.at(60_000, stop("c1"));
        story.send(61_000, 0, "m4", 1);
        story.consumer_with(65_000, "c1", broadcasting);
        story.consumer_with(65_000, "c9", |spec| {
            broadcasting(spec);
            spec.config.consume_from_where = Default::default();
        });
        let told = story.tell(100_000);
        assert_eq!(told.calls_of("m0").len(), 2, "{profile:?}: once for each client");
        let later = |client: &str| told.calls_by(client, 65_000).len();
        assert_eq!(
            (later("c1"), later("c9")),
            (1, 0),
            "{profile:?}: m4 at c1, nothing at a new id"
        );
        assert_eq!(told.count(|kind| matches!(kind, EventKind::RetryStored { .. })), 0);
        assert_eq!(told.committed(&queue(0)), None, "{profile:?}: no offset at the broker");
    }
}

/// 11.29, measured: consumeTimeout 1 minute, the call fails after 150 s.
#[test]
fn a_call_that_fails_after_its_rescue_makes_a_second_copy_until_5_0() {
    for (profile, copies) in [(Profile::V42, 2), (Profile::V49, 2), (Profile::V53, 1)] {
        let mut story = Story::new(profile, 1);
        story.consumer_with(0, "c1", |spec| spec.config.consume_timeout = 1);
        story.send_with(2_000, 0, "m0", 1, |send| {
            send.script = always(ListenerStep::fails().taking(Millis(150_000)));
        });
        let told = story.tell(170_000);
        let stored = told.events_of(|kind| matches!(kind, EventKind::RetryStored { .. }));
        assert_eq!(stored.len(), copies, "{profile:?}");
        let firsts = stored.iter().filter(|event| {
            matches!(event.kind, EventKind::RetryStored { reconsume_times: 1, level: 3, .. })
        });
        assert_eq!(firsts.count(), copies, "{profile:?}: both count as the first retry");
    }
}

/// 11.30: a batch of ten, six of them good.
#[test]
fn ack_index_divides_a_batch_and_reconsume_later_repeats_all_of_it() {
    let sent_back = |step: ListenerStep| {
        let mut story = Story::new(Profile::V49, 1);
        story.consumer_with(40_000, "c1", |spec| {
            spec.config.consume_message_batch_max_size = 10;
        });
        let first =
            rocketmq_playground::model::listener::ListenerScript::new(step, [ListenerStep::ok()]);
        story.send_with(0, 0, "m0", 10, |send| send.script = Some(std::rc::Rc::new(first)));
        let told = story.tell(45_000);
        let mut keys = Vec::new();
        for event in told.events_of(|kind| matches!(kind, EventKind::SentBack { .. })) {
            let EventKind::SentBack { message, .. } = &event.kind else { continue };
            keys.push(message.body.key.as_ref().expect("it has one").to_string());
        }
        keys
    };
    let six = ListenerStep { ack_index: Some(5), ..ListenerStep::ok() };
    assert_eq!(sent_back(six), ["m6", "m7", "m8", "m9"]);
    let later = ListenerStep { result: ListenerResult::Later, ..ListenerStep::ok() };
    assert_eq!(sent_back(later).len(), 10);
}

/// 11.30: batches are cut from one answer, so they are never larger than a pull.
#[test]
fn a_batch_never_spans_two_pulls() {
    let mut story = Story::new(Profile::V49, 1);
    story.send(0, 0, "m0", 100);
    story.consumer_with(20_000, "c1", |spec| spec.config.consume_message_batch_max_size = 1_000);
    let told = story.tell(30_000);
    let mut batches = Vec::new();
    for event in told.events_of(|kind| matches!(kind, EventKind::ConsumeRequestQueued { .. })) {
        if let EventKind::ConsumeRequestQueued { count, .. } = &event.kind {
            batches.push(*count);
        }
    }
    assert_eq!(batches, [32, 32, 32, 4]);
}

/// 11.34: the retry queue of a brand-new group may be read late; nothing is lost.
#[test]
fn the_first_retry_of_a_new_group_may_be_late_but_never_lost() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1).brand_new();
        story.consumer(0, "c1");
        story.send_with(3_000, 0, "m0", 1, |send| send.script = fails(1));
        let times = story.tell(60_000).times_of("m0");
        within(gaps(&times)[0], 10_000, 20_200);
    }
}

/// 05.6.1: without retry queues a failed message is gone, and the answer is SUCCESS.
#[test]
fn without_retry_queues_a_failed_message_is_discarded() {
    let mut story = Story::new(Profile::V49, 1);
    story.setup.groups[0].config.retry_queue_nums = 0;
    story.consumer(0, "c1");
    story.send_with(30_000, 0, "m0", 1, |send| send.script = fails(1));
    let told = story.tell(80_000);
    assert_eq!(told.calls_of("m0").len(), 1);
    assert_eq!(told.count(|kind| matches!(kind, EventKind::RetryDiscarded { .. })), 1);
}
