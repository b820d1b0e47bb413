//! Brokers that restart, freeze or go; what clients and producers make of it (spec 11.24, 11.25, 11.28,
//! 11.33, 08).

use rocketmq_playground::model::config::{BrokerConfig, BrokerSpec, ProducerSpec, SendMode};
use rocketmq_playground::model::ids::{BrokerIndex, QueueId};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::sim::command::{BrokerStop, Command, QueueChoice};
use rocketmq_playground::sim::event::{EventKind, LeaveReason};
use rocketmq_playground::sim::packet::{RequestCode, ResponseCode};

use crate::story::*;

fn stop_broker(how: BrokerStop) -> Command {
    Command::StopBroker { broker_name: broker_name(), broker_id: 0, how }
}

fn start_broker() -> Command {
    Command::StartBroker { broker_name: broker_name(), broker_id: 0 }
}

fn freeze(ms: u64) -> Command {
    Command::FreezeBroker { broker_name: broker_name(), duration: Some(Millis(ms)) }
}

/// 11.24: offsets and delay progress go back to the last file; clients overwrite the offsets.
#[test]
fn a_killed_broker_forgets_its_last_seconds() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.send_with(30_000, 0, "m0", 200, |send| send.every = Millis(100));
        story.at(44_500, stop_broker(BrokerStop::Kill { lost_tail: 0 }));
        story.at(44_600, start_broker());
        let told = story.tell(44_650);
        let broker = told.simulation.world().broker(BrokerIndex(0));
        let kept = told.committed(&queue(0)).expect("the file has some");
        // The file was written at 40 s, on the broker's grid of 5 s.
        within(kept as u64, 90, 101);
        assert!(broker.client_manage.groups.is_empty(), "{profile:?}: registrations are gone");
        let told = story.tell(120_000);
        assert_eq!(told.committed(&queue(0)), Some(told.calls().len() as i64), "{profile:?}");
        let twice = told.calls().len() as i64 - 1 - told.calls().last().expect("some").offset;
        assert_eq!(twice, 0, "{profile:?}: ownership did not change, so nothing comes twice");
    }
}

/// 11.24: a delayed message that was let go after the last write is let go again.
#[test]
fn a_killed_broker_delivers_some_delayed_messages_twice() {
    let mut story = Story::new(Profile::V42, 1);
    story.consumer(0, "c1");
    story.send_with(31_500, 0, "m0", 1, |send| send.delay_level = 1);
    story.at(34_000, stop_broker(BrokerStop::Kill { lost_tail: 0 }));
    story.at(34_100, start_broker());
    let told = story.tell(120_000);
    assert_eq!(told.calls_of("m0").len(), 2, "once more after the restart");
}

/// 11.24 and 09.6: a held pull when the broker ends.
#[test]
fn a_pull_held_by_a_broker_that_ends_waits_for_its_time_out_until_5_1() {
    for (profile, low, high) in
        [(Profile::V42, 15_000, 36_500), (Profile::V49, 15_000, 34_500), (Profile::V53, 900, 1_200)]
    {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.at(33_000, stop_broker(BrokerStop::Graceful));
        story.at(33_050, start_broker());
        let told = story.tell(90_000);
        let pulls = told.requests("c1", RequestCode::PullMessage);
        let next = pulls.iter().find(|at| **at > 33_000).expect("it goes on");
        within(next - 33_000, low, high);
        let registered = told
            .events_of(|kind| matches!(kind, EventKind::ClientRegistered { .. }))
            .last()
            .expect("it comes back")
            .at
            .ms();
        let latest = if profile == Profile::V53 { 34_500 } else { 63_100 };
        within(registered, 33_050, latest);
    }
}

/// 11.33: the broker is frozen for longer than a synchronous time-out.
#[test]
fn a_timed_out_request_closes_the_connection_since_4_9_1() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.at(59_000, freeze(40_000));
        let told = story.tell(140_000);
        let left = told.events_of(|kind| {
            matches!(kind, EventKind::ClientLeft { reason: LeaveReason::ConnectionClosed, .. })
        });
        let timed_out = told.count(|kind| matches!(kind, EventKind::CallTimedOut { .. }));
        assert!(timed_out > 0, "{profile:?}");
        if profile == Profile::V42 {
            assert_eq!(left.len(), 0, "the client stays in its group");
            continue;
        }
        assert!(!left.is_empty(), "{profile:?}");
        let back = told
            .events_of(|kind| matches!(kind, EventKind::ClientRegistered { .. }))
            .iter()
            .map(|event| event.at.ms())
            .find(|at| *at >= 99_000)
            .expect("it comes back");
        let latest = if profile == Profile::V53 { 100_000 } else { 122_000 };
        within(back, 99_000, latest);
    }
}

/// 11.28: the answer is late, so the message is stored more than once.
#[test]
fn a_late_answer_makes_the_producer_store_a_message_again() {
    for (profile, copies) in [(Profile::V42, 3), (Profile::V49, 1), (Profile::V53, 1)] {
        let mut story = Story::new(profile, 2);
        story.send_with(1_000, 0, "warm", 1, |send| send.queue = QueueChoice::RoundRobin);
        story.at(29_000, Command::SlowStore { broker_name: broker_name(), by: Millis(3_500) });
        story.send_with(30_000, 0, "m0", 1, |send| send.queue = QueueChoice::RoundRobin);
        let told = story.tell(60_000);
        let stored = told.stored(TOPIC).iter().filter(|(key, _)| key == "m0").count();
        // Until 4.2 each attempt has its 3 s; since 4.3 all have 3 s together.
        assert_eq!(stored, copies, "{profile:?}");
    }
}

/// 08.2: attempts, by mode; a refused connection fails at once, so there is time for all of them.
#[test]
fn each_mode_of_sending_has_its_attempts() {
    let attempts = |mode: SendMode, queue: QueueChoice, change: &dyn Fn(&mut ProducerSpec)| {
        let mut story = Story::new(Profile::V49, 2);
        let mut spec = ProducerSpec {
            client_id: "p1".into(),
            group: "PG".into(),
            config: rocketmq_playground::model::config::ProducerConfig::defaults(Profile::V49),
        };
        change(&mut spec);
        story.at(0, Command::StartProducer(spec));
        story.send_with(1_000, 0, "warm", 1, |send| send.producer = Some("p1".into()));
        story.at(20_000, stop_broker(BrokerStop::Graceful));
        story.send_with(20_100, 0, "m0", 1, |send| {
            send.producer = Some("p1".into());
            send.mode = mode;
            send.queue = queue.clone();
        });
        let told = story.tell(25_000);
        let sent = told.requests("p1", RequestCode::SendMessageV2);
        sent.iter().filter(|at| **at > 20_000).count()
    };
    let plain = |_: &mut ProducerSpec| {};
    let robin = || QueueChoice::RoundRobin;
    assert_eq!(attempts(SendMode::Sync, robin(), &plain), 3);
    assert_eq!(attempts(SendMode::Async, robin(), &plain), 3);
    assert_eq!(attempts(SendMode::Oneway, robin(), &plain), 1);
    assert_eq!(attempts(SendMode::Sync, QueueChoice::HashOf("k".into()), &plain), 1, "a selector");
    let more = |spec: &mut ProducerSpec| {
        spec.config.retry_times_when_send_failed = 5;
        spec.config.retry_times_when_send_async_failed = 0;
    };
    assert_eq!(attempts(SendMode::Sync, robin(), &more), 6);
    assert_eq!(attempts(SendMode::Async, robin(), &more), 1);
}

/// 08.2 and 08.3: a retry goes to another broker, if there is one.
#[test]
fn a_retry_goes_to_another_broker() {
    let mut story = Story::new(Profile::V49, 2);
    story.broker("broker-b");
    story.topic("U", 2);
    let to_u = |send: &mut rocketmq_playground::sim::command::SendMessages| {
        send.topic = "U".into();
        send.queue = QueueChoice::RoundRobin;
    };
    story.send_with(1_000, 0, "warm", 1, to_u);
    story.at(20_000, stop_broker(BrokerStop::Graceful));
    story.send_with(20_100, 0, "m0", 4, to_u);
    let told = story.tell(25_000);
    let mut brokers = Vec::new();
    for event in told.events_of(|kind| matches!(kind, EventKind::MessageStored { .. })) {
        let EventKind::MessageStored { message } = &event.kind else { continue };
        if event.at.ms() > 20_000 {
            brokers.push(message.broker_name.to_string());
        }
    }
    assert_eq!(brokers, ["broker-b"; 4]);
}

/// 08.4: with latency faults a broker that failed is left alone for a while.
#[test]
fn a_broker_that_failed_is_avoided_for_as_long_as_its_version_says() {
    for (profile, avoided) in
        [(Profile::V42, 600_000), (Profile::V49, 600_000), (Profile::V53, 10_000)]
    {
        let mut story = Story::new(profile, 2);
        story.broker("broker-b");
        story.topic("U", 2);
        let mut spec = ProducerSpec {
            client_id: "p1".into(),
            group: "PG".into(),
            config: rocketmq_playground::model::config::ProducerConfig::defaults(profile),
        };
        spec.config.send_latency_fault_enable = true;
        story.at(0, Command::StartProducer(spec));
        story.at(5_000, stop_broker(BrokerStop::Graceful));
        story.at(6_500, start_broker());
        story.send_with(1_000, 0, "m0", 700, |send| {
            send.producer = Some("p1".into());
            send.topic = "U".into();
            send.queue = QueueChoice::RoundRobin;
            send.every = Millis(1_000);
        });
        let told = story.tell(700_000);
        let at_a: Vec<u64> = told
            .events_of(|kind| {
                matches!(kind, EventKind::MessageStored { message }
                    if message.topic.as_str() == "U" && message.broker_name == broker_name())
            })
            .iter()
            .map(|event| event.at.ms())
            .collect();
        let again = at_a.iter().find(|at| **at > 6_500).expect("in the end");
        within(again - 5_000, avoided, avoided + 3_500);
    }
}

/// 08.2: a topic that nobody knows is made by its first message, by TBW102.
#[test]
fn the_first_message_makes_its_topic() {
    let queues = |auto: bool, of_producer: u32, of_broker: u32| {
        let mut story = Story::new(Profile::V49, 1);
        story.setup.brokers[0].config.auto_create_topic_enable = auto;
        story.setup.brokers[0].config.default_topic_queue_nums = of_broker;
        let mut spec = ProducerSpec {
            client_id: "p1".into(),
            group: "PG".into(),
            config: rocketmq_playground::model::config::ProducerConfig::defaults(Profile::V49),
        };
        spec.config.default_topic_queue_nums = of_producer;
        story.at(0, Command::StartProducer(spec));
        story.send_with(1_000, 0, "m0", 1, |send| {
            send.topic = "fresh".into();
            send.queue = QueueChoice::RoundRobin;
        });
        let told = story.tell(5_000);
        let broker = told.simulation.world().broker(BrokerIndex(0));
        broker.topic_config.get(&"fresh".into()).map(|config| config.write_queue_nums)
    };
    assert_eq!(queues(true, 4, 8), Some(4));
    assert_eq!(queues(true, 16, 8), Some(8));
    assert_eq!(queues(false, 4, 8), None);
}

/// 11.25 and 01.8: the master is down, its slave lives.
#[test]
fn without_its_master_a_group_reads_from_the_slave_and_its_retries_wait() {
    for profile in [Profile::V42, Profile::V49] {
        let mut story = Story::new(profile, 1);
        let config = BrokerConfig::defaults(profile);
        story.setup.brokers.push(BrokerSpec { name: broker_name(), broker_id: 1, config });
        story.is_checked = false;
        story.consumer_with(0, "c1", |spec| {
            spec.config.pull_threshold_for_queue = 5;
            spec.config.pull_batch_size = 1;
            spec.listener = pausing(1_000);
            spec.config.consume_thread_min = 1;
        });
        story.send_with(30_000, 0, "bad", 1, |send| send.script = fails(1));
        story.send(30_100, 0, "m0", 120);
        story.at(35_000, stop_broker(BrokerStop::Graceful));
        story.at(150_000, start_broker());
        let told = story.tell(230_000);
        let during = told.calls().iter().filter(|it| (80_000..150_000).contains(&it.at)).count();
        assert!(during > 40, "{profile:?}: {during} calls while the master was down");
        let retry = told.times_of("bad")[1];
        within(retry, 150_000, 230_000);
    }
}

/// 03.2: the exception delay and what a pull of an unknown subscription gets.
#[test]
fn a_refused_pull_is_repeated_after_the_exception_delay() {
    for (profile, delay) in [(Profile::V42, 3_000), (Profile::V49, 1_000), (Profile::V53, 1_000)] {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.at(
            30_500,
            Command::UpdateTopic {
                topic: TOPIC.into(),
                broker_name: None,
                read_queue_nums: 1,
                write_queue_nums: 1,
                permission: rocketmq_playground::model::topic::Permission::WRITE_ONLY,
            },
        );
        let told = story.tell(59_000);
        let refused: Vec<u64> = told
            .events_of(|kind| {
                matches!(
                    kind,
                    EventKind::ResponseReceived {
                        of: RequestCode::PullMessage,
                        code: ResponseCode::NoPermission,
                        ..
                    }
                )
            })
            .iter()
            .map(|event| event.at.ms())
            .collect();
        assert!(refused.len() > 3, "{profile:?}");
        assert!(gaps(&refused).iter().all(|gap| *gap == delay + 2), "{profile:?}: {refused:?}");
    }
}

/// 08.3: an asynchronous retry keeps its queue id, whatever broker it goes to.
#[test]
fn an_asynchronous_retry_keeps_its_queue_id() {
    let mut story = Story::new(Profile::V49, 1);
    story.broker("broker-b");
    story.topic("U", 4);
    let to_u = |send: &mut rocketmq_playground::sim::command::SendMessages| {
        send.topic = "U".into();
        send.queue = QueueChoice::RoundRobin;
        send.mode = SendMode::Async;
    };
    story.send_with(1_000, 0, "warm", 3, to_u);
    story.at(20_000, stop_broker(BrokerStop::Graceful));
    story.send_with(20_100, 0, "m0", 1, to_u);
    let told = story.tell(25_000);
    let stored = told.events_of(|kind| {
        matches!(kind, EventKind::MessageStored { message }
            if message.body.key.as_ref().is_some_and(|key| key.as_str() == "m0"))
    });
    let EventKind::MessageStored { message } = &stored[0].kind else { panic!("it was stored") };
    assert_eq!((message.broker_name.as_str(), message.queue_id), ("broker-b", QueueId(3)));
}

/// 02.1: a partition is found by neither side; the broker drops the client after 120 s.
#[test]
fn a_lost_host_is_missed_after_two_minutes() {
    for wins in [true, false] {
        let mut story = Story::new(Profile::V49, 2);
        story.setup.brokers[0].config.idle_handler_wins = wins;
        story.consumer(0, "c1");
        story.consumer(0, "c2");
        story.at(60_000, Command::LoseHost { client_id: "c1".into() });
        let told = story.tell(260_000);
        let left = told.events_of(|kind| matches!(kind, EventKind::ClientLeft { .. }));
        within(left[0].at.ms() - 60_000, 90_000, 140_000);
        assert_eq!(told.owned("c2"), [0, 1]);
    }
}
