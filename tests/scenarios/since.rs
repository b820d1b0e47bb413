//! The rules that changed between versions: each tells two profiles apart in a run, or is told apart
//! elsewhere, for a reason.

use std::collections::BTreeMap;

use rocketmq_playground::model::allocate::AllocateStrategy;
use rocketmq_playground::model::config::{
    BrokerConfig, BrokerSpec, ConsumeMode, ProducerConfig, ProducerSpec,
};
use rocketmq_playground::model::ids::BrokerIndex;
use rocketmq_playground::model::listener::ListenerStep;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::rules::Rules;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::Permission;
use rocketmq_playground::sim::command::{BrokerStop, Command, Party, QueueChoice};
use rocketmq_playground::sim::event::{EventKind, RequestDetail};
use rocketmq_playground::sim::packet::{RequestCode, ResponseCode};

use crate::story::*;

fn drop_next(from: Party, to: Party, code: RequestCode, count: u32) -> Command {
    Command::DropNext { from, to, code, count, only_response: false }
}

fn client(id: &str) -> Party {
    Party::Client(id.into())
}

fn broker() -> Party {
    Party::Broker(broker_name())
}

/// 02.2, step 15: since 5.2.0 the first pass is woken only if the heartbeat was sent.
#[test]
fn without_its_heartbeat_a_start_wakes_no_pass_since_5_2() {
    for profile in [Profile::V49, Profile::V53] {
        let mut story = Story::new(profile, 1);
        // A latency of its own lets the drop rule be set before the heartbeat leaves.
        story.setup.latency = Millis(20);
        story.consumer(1_000, "c1");
        story.at(1_005, drop_next(client("c1"), broker(), RequestCode::HeartBeat, 1));
        let told = story.tell(40_000);
        let pass = told.first(|kind| matches!(kind, EventKind::RebalanceBegan)).expect("later");
        if profile == Profile::V49 {
            within(pass, 4_000, 4_300);
        } else {
            assert!(pass > 5_000, "{pass}");
        }
    }
}

/// 09.6: since 5.1.4 a time-out closes the connection only if more than 100 ms of it were left.
#[test]
fn a_short_time_out_closes_the_connection_until_5_1() {
    for (profile, closed) in [(Profile::V42, 0), (Profile::V49, 1), (Profile::V53, 0)] {
        let mut story = Story::new(profile, 1);
        let mut config = ProducerConfig::defaults(profile);
        config.send_msg_timeout = Millis(80);
        config.retry_times_when_send_failed = 0;
        let spec = ProducerSpec { client_id: "p1".into(), group: "PG".into(), config };
        story.at(0, Command::StartProducer(spec));
        story.send_with(1_000, 0, "warm", 1, |send| send.producer = Some("p1".into()));
        story.at(10_000, Command::SlowStore { broker_name: broker_name(), by: Millis(500) });
        story.send_with(10_100, 0, "m0", 1, |send| send.producer = Some("p1".into()));
        let told = story.tell(12_000);
        let count = told.events_of(|kind| matches!(kind, EventKind::ConnectionClosed { .. }));
        let by_client = count.iter().filter(|event| told.name_of(event.actor) == "p1").count();
        assert_eq!(by_client, closed, "{profile:?}");
    }
}

/// 02.3: a refused lock is asked for again after 20 s, since 5.2.0 each second.
#[test]
fn a_refused_lock_is_asked_for_again_each_pass_or_each_second() {
    for (profile, low, high) in [(Profile::V49, 20_000, 20_020), (Profile::V53, 1_000, 1_020)] {
        let mut story = Story::new(profile, 1);
        story.orderly(0, "c2");
        story.send_with(30_000, 0, "m0", 1, |send| send.script = takes(80_000));
        // c1 is first in order and wants the queue, whose listener call goes on.
        story.orderly(45_000, "c1");
        let told = story.tell(130_000);
        let refused: Vec<u64> = told
            .events_of(|kind| {
                matches!(kind, EventKind::QueueLockRefused { queue, client, .. }
                    if *queue == self::queue(0) && client.as_str() == "c1")
            })
            .iter()
            .map(|event| event.at.ms())
            .collect();
        let later: Vec<u64> = refused.into_iter().filter(|at| *at > 47_000).collect();
        for gap in gaps(&later[..2.min(later.len())]) {
            within(gap, low, high);
        }
        assert!(later.len() > 1, "{profile:?}: {later:?}");
    }
}

/// 02.4.1: since 5.0.0 a topic that nobody knows sends a heartbeat in each pass.
#[test]
fn an_unknown_topic_costs_a_heartbeat_in_each_pass_since_5_0() {
    let heartbeats = |profile: Profile| {
        let mut story = Story::new(profile, 1);
        story
            .consumer_with(0, "c1", |spec| spec.subscriptions.push(("nowhere".into(), "*".into())));
        let times = story.tell(115_000).requests("c1", RequestCode::HeartBeat);
        times.iter().filter(|at| **at > 30_000).count()
    };
    // The timer's are at 31, 61 and 91 s; the passes come each 20 s.
    assert_eq!(heartbeats(Profile::V49), 3);
    within(heartbeats(Profile::V53) as u64, 7, 8);
}

/// 02.4.2: the first pull of a queue waits 500 ms since 5.0.0.
#[test]
fn the_first_pull_of_a_queue_waits_since_5_0() {
    for (profile, wait) in [(Profile::V42, 0), (Profile::V49, 0), (Profile::V53, 500)] {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        let told = story.tell(30_000);
        let assigned = told
            .first(|kind| matches!(kind, EventKind::QueueAssigned { queue, .. } if *queue == self::queue(0)))
            .expect("it is alone");
        let pulled = told
            .first(|kind| {
                matches!(kind, EventKind::RequestSent { detail: RequestDetail::Pull { topic, .. }, .. }
                    if topic.as_str() == TOPIC)
            })
            .expect("it pulls");
        within(pulled - assigned, wait, wait + 10);
    }
}

/// 02.4.3: until 4.9 lockAll renews queues that were dropped but not released yet.
#[test]
fn dropped_queues_are_renewed_until_4_9() {
    for profile in [Profile::V49, Profile::V53] {
        let mut story = Story::new(profile, 1);
        story.orderly(0, "c2");
        story.send_with(30_000, 0, "m0", 1, |send| send.script = takes(19_000));
        story.orderly(35_000, "c1");
        let told = story.tell(43_000);
        let renewed = told.events_of(|kind| {
            matches!(kind, EventKind::QueueLocked { queue, client, renewed: true, .. }
                if *queue == self::queue(0) && client.as_str() == "c2")
        });
        let at_41 = renewed.iter().filter(|event| event.at.ms() > 40_000).count();
        assert_eq!(at_41, usize::from(profile == Profile::V49), "{profile:?}");
    }
}

/// 02.6: until 4.7.1 MACHINE_ROOM takes the block part of its share from all queues.
#[test]
fn machine_room_counts_queues_of_other_rooms_until_4_7() {
    let owned = |profile: Profile| {
        let mut story = Story::new(profile, 1);
        for name in ["r1@broker", "r2@broker"] {
            story.broker(name);
        }
        story.topic("U", 2);
        story.is_checked = false;
        story.consumer_with(0, "c1", |spec| {
            spec.subscriptions = vec![("U".into(), "*".into())];
            spec.config.allocate_strategy = AllocateStrategy::ByMachineRoom(vec!["r2".into()]);
        });
        let told = story.tell(30_000);
        let table = &told.consumer("c1").process_queue_table;
        let of_topic = table.keys().filter(|queue| queue.topic.as_str() == "U");
        of_topic.map(|queue| queue.broker_name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(owned(Profile::V49), ["r2@broker", "r2@broker"]);
    assert_ne!(owned(Profile::V42), ["r2@broker", "r2@broker"]);
}

/// 03.2, the hazard on 7c: a failed read of the first locked pull replays the queue until 4.9.
#[test]
fn a_failed_first_locked_read_replays_the_queue_until_4_9() {
    let first = |profile: Profile| {
        let mut story = Story::new(profile, 1);
        story.is_checked = false;
        story.orderly(0, "c1");
        story.send(20_000, 0, "m0", 50);
        story.at(40_000, stop("c1"));
        story.orderly(50_000, "c9");
        // The pass's query is answered, the pull thread's one is not.
        story.at(50_060, drop_next(client("c9"), broker(), RequestCode::QueryConsumerOffset, 1));
        story.setup.latency = Millis(10);
        story.send(120_000, 0, "n0", 1);
        let told = story.tell(160_000);
        (told.calls_by("c9", 0).first().expect("at least n0").offset, told.calls_by("c9", 0).len())
    };
    let (offset, count) = first(Profile::V53);
    assert_eq!((offset, count), (50, 1));
    let (offset, count) = first(Profile::V49);
    assert!(offset == 0 || count == 1, "{offset} {count}");
}

/// 01.5.1: a pull of a queue that is gone.
#[test]
fn a_queue_that_is_gone_answers_by_its_version() {
    for (profile, wanted) in [
        (Profile::V42, ResponseCode::SystemError),
        (Profile::V49, ResponseCode::SystemError),
        (Profile::V53, ResponseCode::InvalidParameter),
    ] {
        let mut story = Story::new(profile, 2);
        story.consumer(0, "c1");
        story.at(
            31_000,
            Command::UpdateTopic {
                topic: TOPIC.into(),
                broker_name: None,
                read_queue_nums: 1,
                write_queue_nums: 1,
                permission: Permission::READ_WRITE,
            },
        );
        let told = story.tell(60_000);
        let answered = told.count(|kind| {
            matches!(kind, EventKind::ResponseSent { of: RequestCode::PullMessage, code, .. }
                if *code == wanted)
        });
        assert!(answered > 0, "{profile:?}");
    }
}

/// 01.5.6: a slave with slaveReadEnable = false serves pulls until 4.9.
#[test]
fn a_slave_serves_pulls_by_its_version_and_its_property() {
    let during = |profile: Profile, enabled: bool| {
        let mut story = Story::new(profile, 1);
        story.is_checked = false;
        let mut config = BrokerConfig::defaults(profile);
        config.slave_read_enable = enabled;
        story.setup.brokers.push(BrokerSpec { name: broker_name(), broker_id: 1, config });
        story.consumer_with(0, "c1", |spec| {
            spec.config.pull_threshold_for_queue = 5;
            spec.config.pull_batch_size = 1;
            spec.listener = pausing(1_000);
            spec.config.consume_thread_min = 1;
        });
        story.send(30_000, 0, "m0", 200);
        let how = BrokerStop::Graceful;
        story.at(35_000, Command::StopBroker { broker_name: broker_name(), broker_id: 0, how });
        let told = story.tell(150_000);
        told.calls().iter().filter(|call| call.at > 80_000).count()
    };
    for profile in [Profile::V42, Profile::V49] {
        assert!(during(profile, false) > 40, "{profile:?}");
    }
    assert_eq!(during(Profile::V53, false), 0);
    assert!(during(Profile::V53, true) > 40);
}

/// 06.6: what an orderly dead letter says of its failures.
#[test]
fn an_orderly_dead_letter_counts_one_more_in_5_3() {
    for (profile, times) in [(Profile::V42, 2), (Profile::V49, 2), (Profile::V53, 3)] {
        let mut story = Story::new(profile, 1);
        story.consumer_with(0, "c1", |spec| {
            spec.config.consume_mode = ConsumeMode::Orderly;
            spec.config.max_reconsume_times = 2;
        });
        story.send_with(30_000, 0, "bad", 1, |send| send.script = always(ListenerStep::fails()));
        let told = story.tell(120_000);
        let dead = told.events_of(|kind| matches!(kind, EventKind::DeadLettered { .. }));
        let EventKind::DeadLettered { reconsume_times, .. } = &dead[0].kind else { continue };
        assert_eq!(*reconsume_times, times, "{profile:?}");
    }
}

/// 05.6.2: since 5.1.1 a plain send of a group that holds a queue lock is a dead letter.
#[test]
fn a_group_that_holds_a_lock_has_no_fallback_since_5_1() {
    for (profile, is_dead) in [(Profile::V49, false), (Profile::V53, true)] {
        let mut story = Story::new(profile, 2);
        story.is_checked = false;
        story.orderly(0, "c1");
        story.consumer(0, "c2");
        story.at(20_000, drop_next(client("c2"), broker(), RequestCode::ConsumerSendMsgBack, 9));
        story.send_with(30_000, 1, "m0", 1, |send| send.script = fails(1));
        let told = story.tell(100_000);
        let dead = told.count(|kind| matches!(kind, EventKind::DeadLettered { .. }));
        assert_eq!(dead > 0, is_dead, "{profile:?}");
    }
}

/// 05.6.1: ORIGIN_MESSAGE_ID of a dead letter that was never delayed.
#[test]
fn a_dead_letter_knows_its_origin_since_4_9() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        let step = ListenerStep { delay_level_when_next_consume: -1, ..ListenerStep::fails() };
        story.send_with(30_000, 0, "m0", 1, |send| send.script = always(step));
        let told = story.tell(40_000);
        let broker = told.simulation.world().broker(BrokerIndex(0));
        let letter = broker.commit_log.iter().last().expect("it was stored");
        assert_eq!(letter.topic.as_str(), "%DLQ%G");
        let has_origin = letter.properties.origin_message_id.is_some();
        assert_eq!(has_origin, profile != Profile::V42, "{profile:?}");
    }
}

/// 01.7: exactly when due until 4.9.2, on a grid of 100 ms since.
#[test]
fn delayed_messages_are_exact_until_4_9_2_and_up_to_100_ms_late_since() {
    let late = |profile: Profile| -> Vec<u64> {
        let mut story = Story::new(profile, 1);
        for (index, at) in [30_011, 31_037, 32_059, 33_083].into_iter().enumerate() {
            story.send_with(at, 0, &format!("m{index}"), 1, |send| send.delay_level = 2);
        }
        let told = story.tell(60_000);
        let elapsed = told.events_of(|kind| matches!(kind, EventKind::DelayElapsed { .. }));
        let lateness = elapsed.iter().map(|event| match &event.kind {
            EventKind::DelayElapsed { message, .. } => {
                event.at.ms() - message.stored_at.ms() - 5_000
            }
            _ => 0,
        });
        lateness.collect()
    };
    assert_eq!(late(Profile::V42), [0, 0, 0, 0]);
    for profile in [Profile::V49, Profile::V53] {
        let late = late(profile);
        assert!(late.iter().all(|ms| *ms <= 100) && late.iter().any(|ms| *ms > 20), "{late:?}");
    }
}

/// 08.4: with latency faults a retry prefers the broker that just failed, until 4.9.
#[test]
fn with_latency_faults_a_retry_goes_back_to_the_same_broker_until_4_9() {
    let brokers = |profile: Profile| {
        let mut story = Story::new(profile, 1);
        story.broker("broker-b");
        story.topic("U", 1);
        let mut config = ProducerConfig::defaults(profile);
        config.send_latency_fault_enable = true;
        let spec = ProducerSpec { client_id: "p1".into(), group: "PG".into(), config };
        story.at(0, Command::StartProducer(spec));
        let to_u = |send: &mut rocketmq_playground::sim::command::SendMessages| {
            send.producer = Some("p1".into());
            send.topic = "U".into();
            send.queue = QueueChoice::RoundRobin;
        };
        story.send_with(1_000, 0, "warm", 2, to_u);
        story.at(5_000, Command::SetBrokerWritable { broker_name: broker_name(), writable: false });
        story.send_with(5_001, 0, "m0", 1, to_u);
        let told = story.tell(8_000);
        let sent = told.events_of(|kind| {
            matches!(kind, EventKind::RequestSent { code: RequestCode::SendMessageV2, .. })
        });
        let later = sent.iter().filter(|event| event.at.ms() > 5_000);
        later
            .map(|event| match &event.kind {
                EventKind::RequestSent { to, .. } => told.simulation.world().machine_name(*to),
                _ => String::new(),
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(brokers(Profile::V53), ["broker-a", "broker-b"]);
    // The failure made it unavailable, so it is passed over; then the better half of those known.
    assert!(brokers(Profile::V49).len() >= 2);
}

/// Where each switch of `Rules` is told apart.
const TOLD_BY: &[(&str, &str)] = &[
    ("heartbeat_on_reconnect", "a_timed_out_request_closes_the_connection_since_4_9_1"),
    ("start_rebalance_needs_heartbeat", "without_its_heartbeat_a_start_wakes_no_pass_since_5_2"),
    (
        "shutdown_interrupts_listeners",
        "a_graceful_stop_repeats_what_the_listener_s_reaction_to_its_interrupt_leaves",
    ),
    ("close_socket_on_timeout", "a_timed_out_request_closes_the_connection_since_4_9_1"),
    ("close_socket_needs_time_left", "a_short_time_out_closes_the_connection_until_5_1"),
    (
        "broker_close_fails_waiting_requests",
        "a_pull_held_by_a_broker_that_ends_waits_for_its_time_out_until_5_1",
    ),
    (
        "rebalance_has_min_interval",
        "passes_are_twenty_seconds_apart_and_a_second_at_least_since_5_2",
    ),
    ("refused_lock_asks_again_soon", "a_refused_lock_is_asked_for_again_each_pass_or_each_second"),
    (
        "unknown_route_counts_as_changed",
        "an_unknown_topic_costs_a_heartbeat_in_each_pass_since_5_0",
    ),
    ("first_dispatch_is_delayed", "the_first_pull_of_a_queue_waits_since_5_0"),
    ("new_process_queue_is_locked", "an_orderly_start_waits_for_the_lock_flag_in_4_2_only"),
    ("broadcasting_asks_for_locks", "an_orderly_broadcasting_consumer_never_pulls_in_4_2"),
    (
        "release_waits_for_listener_only",
        "a_hand_over_with_a_backlog_takes_as_long_as_its_version_says",
    ),
    ("lock_all_skips_dropped", "dropped_queues_are_renewed_until_4_9"),
    ("lock_all_sent_twice", "locks_are_renewed_every_twenty_seconds_and_twice_since_5_0"),
    ("machine_room_indexes_all_queues", "machine_room_counts_queues_of_other_rooms_until_4_7"),
    ("locked_pull_accepts_failed_offset", "a_failed_first_locked_read_replays_the_queue_until_4_9"),
    ("offset_illegal_repairs_at_once", "a_stored_offset_beyond_the_end_is_repaired"),
    ("overflow_badly_goes_to_zero", "a_stored_offset_beyond_the_end_is_repaired"),
    ("bad_queue_id_is_invalid_parameter", "a_queue_that_is_gone_answers_by_its_version"),
    ("slave_serves_pulls", "a_slave_serves_pulls_by_its_version_and_its_property"),
    ("success_zero", "a_new_group_on_a_young_topic_begins_at_its_first_message_even_with_last"),
    (
        "server_side_offset_reset",
        "a_reset_stops_the_whole_consumer_for_ten_seconds_until_5_1_and_one_queue_for_one_since",
    ),
    ("clean_expired_defect", "in_4_2_the_cleaner_dies_of_a_message_that_has_not_begun"),
    (
        "expired_then_failed_is_sent_back_again",
        "a_call_that_fails_after_its_rescue_makes_a_second_copy_until_5_0",
    ),
    ("orderly_dead_letter_counts_one_more", "an_orderly_dead_letter_counts_one_more_in_5_3"),
    ("fallback_dlq_above_max", "by_the_fallback_the_dead_letter_comes_one_try_earlier_until_4_9"),
    (
        "locked_group_dead_letters_plain_sends",
        "a_group_that_holds_a_lock_has_no_fallback_since_5_1",
    ),
    ("retry_send_without_max_fails", "a_frozen_broker_multiplies_a_failed_message"),
    ("dlq_clears_delay_on_rpc_path", "the_ladder_has_seventeen_calls_and_ends_in_the_dead_letters"),
    ("dlq_clears_delay_on_plain_path", "an_orderly_maximum_ends_in_a_dead_letter"),
    ("origin_id_in_every_copy", "a_dead_letter_knows_its_origin_since_4_9"),
    ("dlq_topic_is_readable", "the_ladder_has_seventeen_calls_and_ends_in_the_dead_letters"),
    ("schedule_polls", "delayed_messages_are_exact_until_4_9_2_and_up_to_100_ms_late_since"),
    ("send_timeout_is_total", "a_late_answer_makes_the_producer_store_a_message_again"),
    (
        "latency_retry_prefers_same_broker",
        "with_latency_faults_a_retry_goes_back_to_the_same_broker_until_4_9",
    ),
];

/// Switches that no run of ours shows, each with its reason.
const NOT_IN_A_RUN: &[(&str, &str)] = &[
    ("client_id_has_nano_time", "a scenario names its client ids"),
    ("start_failure_shuts_down", "nothing fails in the steps 12 to 15 with tag expressions"),
    ("own_close_fails_waiting_requests", "4.2.0 never closes; the later profiles agree"),
    ("machine_room_checks_arguments", "the arguments of a run are never empty; see conformance"),
    ("offset_illegal_freezes_offset", "repaired and removed in one task since 5.2.0"),
    (
        "query_offset_error_means_none",
        "a broker of ours answers a query with nothing but yes or no",
    ),
    ("unknown_offset_update_is_refused", "tested at the broker: groups and topics never vanish"),
    ("offsets_at_master_only", "without a master both go to the slave"),
    ("message_size_reset", "needs a body that changes its length; see conformance"),
    ("schedule_thread_per_level", "tested at the broker, if at all: a delivery takes no time"),
    ("schedule_progress_per_message", "a look is one task, and a kill comes between tasks"),
    ("schedule_progress_is_corrected", "tested at the broker and in the cases"),
    ("local_store_persists_one", "tested in the cases"),
];

#[test]
fn every_switch_is_told_apart_or_says_why_not() {
    let files = [
        include_str!("brokers.rs"),
        include_str!("duplicates.rs"),
        include_str!("flow.rs"),
        include_str!("groups.rs"),
        include_str!("offsets.rs"),
        include_str!("orderly.rs"),
        include_str!("retries.rs"),
        include_str!("since.rs"),
        include_str!("starts.rs"),
    ];
    let rules = serde_json::to_value(Rules::of(Profile::V42)).expect("plain fields");
    let rules: BTreeMap<String, serde_json::Value> =
        serde_json::from_value(rules).expect("a table of names");
    for field in rules.keys() {
        let told = TOLD_BY.iter().any(|(name, _)| name == field);
        let excused = NOT_IN_A_RUN.iter().any(|(name, _)| name == field);
        assert!(told != excused, "{field} is told apart: {told}, has a reason not to: {excused}");
    }
    for (field, test) in TOLD_BY {
        assert!(rules.contains_key(*field), "no switch {field}");
        let name = format!("fn {test}()");
        assert!(files.iter().any(|file| file.contains(&name)), "no test {test}");
    }
}
