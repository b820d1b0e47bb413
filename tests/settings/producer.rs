//! The producer's properties.

use rocketmq_playground::model::config::{ProducerConfig, ProducerSpec, SendMode};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::scenario::property::{PRODUCER, Setting};
use rocketmq_playground::sim::command::{BrokerStop, Command, QueueChoice, SendMessages};

use crate::story::{Story, broker_name};
use crate::{Shown, check};

fn producer(story: &mut Story, config: ProducerConfig) {
    let spec = ProducerSpec { client_id: "p1".into(), group: "PG".into(), config };
    story.at(0, Command::StartProducer(spec));
    story.send_with(1_000, 0, "warm", 2, by_turns);
}

fn by_turns(send: &mut SendMessages) {
    send.producer = Some("p1".into());
    send.queue = QueueChoice::RoundRobin;
}

fn slow_store(story: &mut Story, config: ProducerConfig) {
    producer(story, config);
    story.at(5_000, Command::SlowStore { broker_name: broker_name(), by: Millis(500) });
    story.send_with(6_000, 0, "m0", 1, by_turns);
}

fn not_writable(story: &mut Story, config: ProducerConfig) {
    producer(story, config);
    story.at(5_000, Command::SetBrokerWritable { broker_name: broker_name(), writable: false });
    story.send_with(5_001, 0, "m0", 1, by_turns);
}

fn no_broker(story: &mut Story, config: ProducerConfig) {
    producer(story, config);
    let how = BrokerStop::Kill { lost_tail: 0 };
    story.at(5_000, Command::StopBroker { broker_name: broker_name(), broker_id: 0, how });
    story.send_with(6_000, 0, "m0", 1, |send| {
        by_turns(send);
        send.mode = SendMode::Async;
    });
}

fn new_topic(story: &mut Story, config: ProducerConfig) {
    producer(story, config);
    story.send_with(5_000, 0, "m0", 1, |send| {
        by_turns(send);
        send.topic = "new".into();
    });
}

/// One of two brokers refuses; who sends with latency faults then leaves it alone.
fn one_of_two_refuses(story: &mut Story, config: ProducerConfig) {
    story.broker("broker-b");
    story.topic("U", 1);
    producer(story, config);
    let to_u = |send: &mut SendMessages| {
        by_turns(send);
        send.topic = "U".into();
        send.every = Millis(100);
    };
    story.send_with(2_000, 0, "warm", 2, to_u);
    story.at(5_000, Command::SetBrokerWritable { broker_name: broker_name(), writable: false });
    story.send_with(5_001, 0, "m0", 6, to_u);
}

const fn shown(
    name: &'static str,
    other: Setting,
    story: fn(&mut Story, ProducerConfig),
) -> Shown<ProducerConfig> {
    Shown { name, other, profile: Profile::V49, until: 20_000, story }
}

const SHOWN: &[Shown<ProducerConfig>] = &[
    shown("sendMsgTimeout", Setting::Integer(100), slow_store),
    shown("retryTimesWhenSendFailed", Setting::Integer(0), not_writable),
    shown("retryTimesWhenSendAsyncFailed", Setting::Integer(0), no_broker),
    shown("defaultTopicQueueNums", Setting::Integer(1), new_topic),
    shown("sendLatencyFaultEnable", Setting::Flag(true), one_of_two_refuses),
];

#[test]
fn each_property_of_a_producer_changes_a_run() {
    check(PRODUCER, ProducerConfig::defaults, SHOWN);
}
