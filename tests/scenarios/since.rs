//! The rules that changed between versions: each tells two profiles apart in a run. `held.rs` has the list.

use rocketmq_playground::model::allocate::AllocateStrategy;
use rocketmq_playground::model::config::{
    BrokerConfig, BrokerSpec, ConsumeMode, ConsumerSpec, MessageModel, ProducerConfig, ProducerSpec,
};
use rocketmq_playground::model::ids::{BrokerIndex, QueueId};
use rocketmq_playground::model::listener::ListenerStep;
use rocketmq_playground::model::offset::QueueOffset;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::Permission;
use rocketmq_playground::sim::command::{BrokerStop, Command, Party, QueueChoice};
use rocketmq_playground::sim::event::{EventKind, PullStatus, RequestDetail};
use rocketmq_playground::sim::packet::{RequestCode, ResponseCode};
use rocketmq_playground::sim::setup::{DelayOffset, LocalOffset};

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
    // The pass's own query is answered, the pull thread's one is not: at some moment of the start.
    let replays = |profile: Profile, lost_at: u64| {
        let mut story = Story::new(profile, 1);
        story.is_checked = false;
        story.setup.latency = Millis(10);
        story.orderly(0, "c1");
        story.send(10_000, 0, "m0", 50);
        story.at(20_000, stop("c1"));
        story.orderly(25_000, "c9");
        story.at(lost_at, drop_next(client("c9"), broker(), RequestCode::QueryConsumerOffset, 1));
        let told = story.tell(100_000);
        told.calls_by("c9", 0).first().is_some_and(|call| call.offset == 0)
    };
    let moments = || (25_040..26_200).step_by(20);
    assert!(moments().any(|at| replays(Profile::V49, at)));
    assert!(!moments().any(|at| replays(Profile::V53, at)));
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
        story.topic("U", 2);
        let mut config = ProducerConfig::defaults(profile);
        config.send_latency_fault_enable = true;
        let spec = ProducerSpec { client_id: "p1".into(), group: "PG".into(), config };
        story.at(0, Command::StartProducer(spec));
        let to_u = |send: &mut rocketmq_playground::sim::command::SendMessages| {
            send.producer = Some("p1".into());
            send.topic = "U".into();
            send.queue = QueueChoice::RoundRobin;
        };
        story.send_with(1_000, 0, "warm", 1, to_u);
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
    // broker-b is available, but not the one that failed; of those it knows, broker-a is the best.
    for profile in [Profile::V42, Profile::V49] {
        assert_eq!(brokers(profile), ["broker-a", "broker-a", "broker-a"]);
    }
    assert_eq!(brokers(Profile::V53), ["broker-a", "broker-b"]);
}

/// 01.7: a progress beyond its queue is set right at the start since 4.9.2; before, the level waits.
#[test]
fn a_delay_level_ahead_of_its_queue_waits_until_4_9_1() {
    for (profile, seen) in [(Profile::V42, 1), (Profile::V49, 3), (Profile::V53, 3)] {
        let mut story = Story::new(profile, 1);
        story.is_checked = false;
        let offset = QueueOffset(2);
        let ahead = DelayOffset { broker_name: broker_name(), level: 1, offset };
        story.setup.delay_offsets.push(ahead);
        story.consumer(0, "c1");
        story.send_with(30_000, 0, "m0", 3, |send| send.delay_level = 1);
        let told = story.tell(60_000);
        assert_eq!(told.calls().len(), seen, "{profile:?}: the first two are passed over");
    }
}

/// 07.2: since 4.9.8 a broadcasting client writes a repaired offset to its file at once.
#[test]
fn a_broadcasting_client_that_dies_after_a_repair_repairs_again_in_4_2() {
    for (profile, again) in [(Profile::V42, true), (Profile::V49, false)] {
        let mut story = Story::new(profile, 1);
        story.setup.local_offsets.push(LocalOffset {
            client_id: "c1".into(),
            group: GROUP.into(),
            topic: TOPIC.into(),
            broker_name: broker_name(),
            queue_id: QueueId(0),
            offset: QueueOffset(100),
        });
        story.send(0, 0, "m0", 10);
        let broadcasting = |spec: &mut ConsumerSpec| {
            spec.config.message_model = MessageModel::Broadcasting;
        };
        // The repair comes 10 s after the bad pull, the timer's ticks 10 and 15 s after the start.
        story.consumer_with(1_000, "c1", broadcasting);
        story.at(13_000, crash("c1"));
        story.consumer_with(14_000, "c1", broadcasting);
        let told = story.tell(20_000);
        let illegal = told.events_of(|kind| {
            matches!(kind, EventKind::PullAnswered { status: PullStatus::OffsetIllegal, .. })
        });
        let times: Vec<u64> = illegal.iter().map(|event| event.at.ms()).collect();
        assert!(times.iter().any(|at| *at < 13_000), "{profile:?}: {times:?}");
        assert_eq!(times.iter().any(|at| *at > 14_000), again, "{profile:?}: {times:?}");
    }
}

/// 01.8: without a master an offset has nobody to go to since 4.9.3, and its route is asked for again.
#[test]
fn without_a_master_routes_are_asked_for_with_each_report_since_4_9_3() {
    let asked = |profile: Profile| {
        let mut story = Story::new(profile, 1);
        story.is_checked = false;
        let config = BrokerConfig::defaults(profile);
        story.setup.brokers.push(BrokerSpec { name: broker_name(), broker_id: 1, config });
        story.consumer(0, "c1");
        story.send(30_000, 0, "m0", 10);
        let how = BrokerStop::Graceful;
        story.at(40_000, Command::StopBroker { broker_name: broker_name(), broker_id: 0, how });
        let told = story.tell(130_000);
        let times = told.requests("c1", RequestCode::GetRouteInfoByTopic);
        times.into_iter().filter(|at| *at > 80_000).count()
    };
    let (before, since) = (asked(Profile::V42), asked(Profile::V49));
    // The route poll is each 30 s, a report each 5 s.
    assert!(before <= 8 && since >= before + 8, "{before} {since}");
}
