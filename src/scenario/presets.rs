//! The named starting points: what the start page offers, what lessons, tests and benches run.

use std::rc::Rc;

use super::scenario::{Scaled, Scenario, Words};
use crate::model::config::{
    BrokerConfig, BrokerSpec, ConsumeFromWhere, ConsumerConfig, ConsumerSpec,
    SubscriptionGroupConfig,
};
use crate::model::ids::QueueId;
use crate::model::listener::{ListenerBehavior, ListenerScript, ListenerStep};
use crate::model::offset::QueueOffset;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::model::topic::TopicConfig;
use crate::sim::command::{Command, QueueChoice, SendMessages};
use crate::sim::setup::{GroupSetup, QueuePast, Setup, StoredOffset, TopicSetup};

/// The presets' names, in the order of the start page.
pub const NAMES: &[&str] =
    &["happy-path", "poison-message", "slow-message", "consumers-join", "start-up"];

/// The preset of this name.
pub fn by_name(name: &str) -> Option<Scenario> {
    match name {
        "happy-path" => Some(happy_path()),
        "poison-message" => Some(poison_message()),
        "slow-message" => Some(slow_message()),
        "consumers-join" => Some(consumers_join()),
        "start-up" => Some(start_up()),
        _ => None,
    }
}

const PROFILE: Profile = Profile::V42;

fn scenario(id: &str, title: &str, queues: u32, preexisting: bool, until: u64) -> Scenario {
    let mut setup = Setup::empty(PROFILE);
    setup.brokers.push(BrokerSpec {
        name: "broker-a".into(),
        broker_id: 0,
        config: BrokerConfig::defaults(PROFILE),
    });
    setup.topics.push(TopicSetup {
        topic: "orders".into(),
        broker_name: "broker-a".into(),
        config: TopicConfig::read_write(queues),
    });
    if preexisting {
        setup.groups.push(GroupSetup {
            group: "bill".into(),
            config: SubscriptionGroupConfig::default(),
            preexisting,
        });
    }
    Scenario {
        id: id.to_owned(),
        title: Words::same(title),
        about: Words::default(),
        setup,
        script: Vec::new(),
        until: Millis::new(until),
        scaled: Vec::new(),
    }
}

fn consumer(at: u64, client_id: &str, config: &ConsumerConfig) -> (Millis, Command) {
    let spec = ConsumerSpec {
        client_id: client_id.into(),
        group: "bill".into(),
        process: None,
        subscriptions: vec![("orders".into(), "*".into())],
        config: config.clone(),
        listener: ListenerBehavior {
            default_script: ListenerScript::always(ListenerStep::ok().taking(Millis::new(10))),
            ..ListenerBehavior::default()
        },
    };
    (Millis::new(at), Command::StartConsumer(Box::new(spec)))
}

fn config() -> ConsumerConfig {
    ConsumerConfig {
        consume_from_where: ConsumeFromWhere::FirstOffset,
        ..ConsumerConfig::defaults(PROFILE)
    }
}

fn send(at: u64, key: &str, queue: Option<u32>, script: ListenerScript) -> (Millis, Command) {
    let send = SendMessages {
        key: Some(key.into()),
        queue: match queue {
            Some(queue) => QueueChoice::Fixed { broker_name: None, queue_id: QueueId(queue) },
            None => QueueChoice::RoundRobin,
        },
        script: Some(Rc::new(script)),
        ..SendMessages::one("orders".into())
    };
    (Millis::new(at), Command::SendMessages(send))
}

fn takes(ms: u64) -> ListenerScript {
    ListenerScript::always(ListenerStep::ok().taking(Millis::new(ms)))
}

fn happy_path() -> Scenario {
    let mut scenario = scenario("happy-path", "Forty messages, one consumer", 4, false, 25_000);
    scenario.script.push(consumer(5_000, "c1", &config()));
    for nth in 0..40 {
        scenario.script.push(send(
            7_350 + 52 * u64::from(nth),
            &format!("k{nth}"),
            Some(nth % 4),
            takes(1),
        ));
    }
    scenario
}

fn poison_message() -> Scenario {
    let mut scenario = scenario("poison-message", "One poison message", 2, true, 420_000);
    for (queue, offset) in [(0, 15), (1, 7)] {
        let (queue_id, offset) = (QueueId(queue), QueueOffset(offset));
        scenario.setup.queue_pasts.push(QueuePast {
            topic: "orders".into(),
            broker_name: "broker-a".into(),
            queue_id,
            min_offset: offset,
        });
        scenario.setup.stored_offsets.push(StoredOffset {
            group: "bill".into(),
            topic: "orders".into(),
            broker_name: "broker-a".into(),
            queue_id,
            offset,
        });
    }
    let config = ConsumerConfig {
        consume_thread_min: 3,
        consume_thread_max: 3,
        pull_batch_size: 4,
        consume_concurrently_max_span: 7,
        max_reconsume_times: 4,
        ..config()
    };
    scenario.script.push(consumer(0, "c1", &config));
    scenario.script.push(consumer(0, "c2", &config));
    let fails = ListenerStep::fails();
    let poison =
        ListenerScript::new(fails.taking(Millis::new(2_130)), [fails.taking(Millis::new(8))]);
    scenario.script.push(send(2_005, "B", Some(0), poison));
    for (at, key, queue, ms) in [
        (1_000, "A", 1, 3_000),
        (4_500, "m1", 1, 2_000),
        (6_000, "m2", 0, 14_145),
        (8_000, "m3", 1, 4_000),
        (11_045, "C", 0, 10_300),
        (12_000, "m4", 0, 1_900),
        (13_000, "m5", 1, 3_500),
        (14_500, "m6", 0, 3_745),
        (15_500, "D", 0, 6_500),
        (15_900, "F", 1, 9_000),
        (16_500, "E", 0, 5_000),
        (17_350, "m7", 0, 1_500),
        (18_300, "G", 1, 6_000),
        (20_950, "H", 1, 3_000),
    ] {
        scenario.script.push(send(at, key, Some(queue), takes(ms)));
    }
    for nth in 0..36 {
        let at = 32_000 + 10_000 * u64::from(nth);
        scenario.script.push(send(at, &format!("n{nth}"), Some(nth % 2), takes(3_000)));
    }
    let scaled =
        |property: &str, value, default| Scaled { property: property.to_owned(), value, default };
    scenario.scaled = vec![
        scaled("consumeThreadMin", 3, 20),
        scaled("consumeThreadMax", 3, 64),
        scaled("pullBatchSize", 4, 32),
        scaled("consumeConcurrentlyMaxSpan", 7, 2_000),
        scaled("maxReconsumeTimes", 4, 16),
    ];
    scenario
}

fn slow_message() -> Scenario {
    let mut scenario = scenario("slow-message", "One slow message", 1, true, 90_000);
    scenario.script.push(consumer(0, "c1", &config()));
    for nth in 0..60u64 {
        let ms = if nth == 12 { 40_000 } else { 300 };
        scenario.script.push(send(1_000 + 1_000 * nth, &format!("m{nth}"), Some(0), takes(ms)));
    }
    scenario
}

fn consumers_join() -> Scenario {
    let mut scenario = scenario("consumers-join", "Consumers join one by one", 4, true, 180_000);
    for nth in 0..5 {
        scenario.script.push(consumer(30_000 * nth, &format!("c{}", nth + 1), &config()));
    }
    let steady = SendMessages {
        count: 340,
        every: Millis::new(500),
        key: Some("m0".into()),
        ..SendMessages::one("orders".into())
    };
    scenario.script.push((Millis::new(1_000), Command::SendMessages(steady)));
    scenario
}

fn start_up() -> Scenario {
    let mut scenario = scenario("start-up", "A consumer starts", 2, false, 30_000);
    scenario.script.push(consumer(1_000, "c1", &config()));
    scenario.script.push(send(9_000, "A", Some(0), takes(500)));
    scenario
}
