//! Runs that several tests look at.

use std::rc::Rc;

use rocketmq_playground::model::config::{BrokerConfig, BrokerSpec, ConsumeFromWhere};
use rocketmq_playground::model::config::{ConsumerConfig, ConsumerSpec};
use rocketmq_playground::model::listener::{ListenerBehavior, ListenerScript};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::TopicConfig;
use rocketmq_playground::recording::Start;
use rocketmq_playground::sim::command::{Command, SendMessages};
use rocketmq_playground::sim::setup::{Setup, TopicSetup};

/// A consumer of group `bill` on `orders`, with RocketMQ's own settings.
pub fn start_consumer(client_id: &str, profile: Profile) -> Command {
    let mut config = ConsumerConfig::defaults(profile);
    config.consume_from_where = ConsumeFromWhere::FirstOffset;
    Command::StartConsumer(Box::new(ConsumerSpec {
        client_id: client_id.into(),
        group: "bill".into(),
        process: None,
        subscriptions: vec![("orders".into(), "*".into())],
        config,
        listener: ListenerBehavior::default(),
    }))
}

/// `count` messages to `orders`, each failing `failures` times.
pub fn send(count: u32, failures: u32) -> Command {
    let mut send = SendMessages::one("orders".into());
    send.count = count;
    send.every = Millis(100);
    send.script = Some(Rc::new(ListenerScript::fails_times(failures)));
    Command::SendMessages(send)
}

/// One broker with four queues of `orders`, two consumers, good messages and one that fails twice.
pub fn orders(profile: Profile) -> Start {
    let mut setup = Setup::empty(profile);
    setup.brokers.push(BrokerSpec {
        name: "broker-a".into(),
        broker_id: 0,
        config: BrokerConfig::defaults(profile),
    });
    setup.topics.push(TopicSetup {
        topic: "orders".into(),
        broker_name: "broker-a".into(),
        config: TopicConfig::read_write(4),
    });
    Start::new(
        setup,
        [
            (Millis(0), start_consumer("c1", profile)),
            (Millis(3_000), start_consumer("c2", profile)),
            (Millis(5_000), send(6, 0)),
            (Millis(6_000), send(1, 2)),
        ],
    )
}
