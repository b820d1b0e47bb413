//! The consumer's properties.

use rocketmq_playground::model::allocate::AllocateStrategy;
use rocketmq_playground::model::config::{
    ConsumeFromWhere, ConsumeMode, ConsumerConfig, ConsumerSpec,
};
use rocketmq_playground::model::listener::ListenerStep;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::scenario::property::{CONSUMER, Setting};
use rocketmq_playground::sim::client::perform::PROPERTIES;
use rocketmq_playground::sim::command::Command;

use crate::story::{Story, always, fails, never, pausing, stop, takes};
use crate::{Shown, check, what_happened};

/// A consumer that begins at the first offset and pauses so long before each message.
fn consumer(story: &mut Story, at: u64, id: &str, config: ConsumerConfig, pause: u64) {
    story.consumer_with(at, id, |spec: &mut ConsumerSpec| {
        let consume_from_where = ConsumeFromWhere::FirstOffset;
        spec.config = ConsumerConfig { consume_from_where, ..config };
        spec.listener = pausing(pause);
    });
}

fn orderly(config: ConsumerConfig) -> ConsumerConfig {
    ConsumerConfig { consume_mode: ConsumeMode::Orderly, ..config }
}

/// Forty quick messages for one consumer.
fn quick(story: &mut Story, config: ConsumerConfig) {
    consumer(story, 0, "c1", config, 0);
    story.send(30_000, 0, "m0", 40);
}

/// Sixty messages that take a second each.
fn slow(story: &mut Story, config: ConsumerConfig) {
    consumer(story, 0, "c1", config, 1_000);
    story.send(30_000, 0, "m0", 60);
}

fn pair(story: &mut Story, config: ConsumerConfig) {
    consumer(story, 0, "c1", config.clone(), 0);
    consumer(story, 0, "c2", config, 0);
    story.send(30_000, 0, "m0", 3);
}

fn heavy(story: &mut Story, config: ConsumerConfig) {
    consumer(story, 0, "c1", config, 5_000);
    story.send_with(30_000, 0, "m0", 8, |send| send.body_bytes = 600_000);
}

fn one_stuck(story: &mut Story, config: ConsumerConfig) {
    consumer(story, 0, "c1", config, 0);
    story.send_with(30_000, 0, "stuck", 1, |send| send.script = never());
    story.send_with(30_010, 0, "m0", 60, |send| send.every = Millis(100));
}

fn one_fails(story: &mut Story, config: ConsumerConfig) {
    consumer(story, 0, "c1", config, 0);
    story.send_with(30_000, 0, "bad", 1, |send| send.script = fails(2));
}

fn one_suspends(story: &mut Story, config: ConsumerConfig) {
    one_fails(story, orderly(config));
}

fn quick_in_order(story: &mut Story, config: ConsumerConfig) {
    quick(story, orderly(config));
}

fn stopped_while_it_works(story: &mut Story, config: ConsumerConfig) {
    consumer(story, 0, "c1", config, 0);
    story.send_with(30_000, 0, "m0", 1, |send| send.script = takes(3_000));
    story.at(31_000, stop("c1"));
}

/// Two consumers that want two tags of the same topic.
fn two_tags(story: &mut Story, config: ConsumerConfig) {
    for (id, tag) in [("c1", "A"), ("c2", "B")] {
        story.consumer_with(0, id, |spec| {
            spec.config = config.clone();
            spec.subscriptions = vec![("T".into(), tag.into())];
        });
        for queue in 0..2 {
            story.send_with(40_000, queue, tag, 5, |send| send.tag = Some(tag.into()));
        }
    }
}

/// A queue is added while the consumer runs.
fn grows(story: &mut Story, config: ConsumerConfig) {
    quick(story, config);
    story.at(
        32_000,
        Command::UpdateTopic {
            topic: "T".into(),
            broker_name: None,
            read_queue_nums: 4,
            write_queue_nums: 4,
            permission: rocketmq_playground::model::topic::Permission::READ_WRITE,
        },
    );
}

const fn shown(
    name: &'static str,
    other: Setting,
    until: u64,
    story: fn(&mut Story, ConsumerConfig),
) -> Shown<ConsumerConfig> {
    Shown { name, other, profile: Profile::V49, until, story }
}

use Setting::{Flag, Integer, Word};

const SHOWN: &[Shown<ConsumerConfig>] = &[
    shown("messageModel", Word("BROADCASTING"), 60_000, pair),
    shown("messageListener", Word("orderly"), 60_000, quick),
    shown("consumeThreadMin", Integer(1), 60_000, slow),
    // With its unbounded queue a pool never grows beyond its core; a maximum below it is refused.
    shown("consumeThreadMax", Integer(19), 60_000, slow),
    shown("consumeMessageBatchMaxSize", Integer(4), 60_000, quick),
    shown("pullBatchSize", Integer(4), 60_000, quick),
    shown("pullInterval", Integer(500), 60_000, quick),
    shown("pullThresholdForQueue", Integer(10), 60_000, slow),
    shown("pullThresholdSizeForQueue", Integer(1), 60_000, heavy),
    shown("pullThresholdForTopic", Integer(10), 60_000, slow),
    shown("pullThresholdSizeForTopic", Integer(1), 60_000, heavy),
    shown("consumeConcurrentlyMaxSpan", Integer(5), 60_000, one_stuck),
    shown("consumeTimeout", Integer(1), 200_000, one_stuck),
    shown("maxReconsumeTimes", Integer(0), 90_000, one_fails),
    shown("suspendCurrentQueueTimeMillis", Integer(3_000), 60_000, one_suspends),
    shown("awaitTerminationMillisWhenShutdown", Integer(5_000), 60_000, stopped_while_it_works),
    shown("autoCommit", Flag(false), 60_000, quick_in_order),
    shown("postSubscriptionWhenPull", Flag(true), 60_000, two_tags),
    shown("heartbeatBrokerInterval", Integer(5_000), 60_000, quick),
    shown("pollNameServerInterval", Integer(5_000), 60_000, grows),
    shown("persistConsumerOffsetInterval", Integer(1_000), 60_000, quick),
    shown("rocketmq.client.rebalance.waitInterval", Integer(5_000), 60_000, grows),
    shown("rocketmq.client.rebalance.lockInterval", Integer(5_000), 60_000, quick_in_order),
];

#[test]
fn each_property_of_a_consumer_changes_a_run() {
    check(CONSUMER, ConsumerConfig::defaults, SHOWN);
}

#[test]
fn so_do_the_two_that_are_more_than_one_value() {
    let run = |change: &dyn Fn(&mut ConsumerConfig)| {
        let mut story = Story::new(Profile::V49, 4).brand_new();
        story.setup.brokers[0].config.first_message_in_memory = false;
        story.send(1_000, 0, "old0", 5);
        for id in ["c1", "c2"] {
            story.consumer_with(30_000, id, |spec| {
                spec.config.consume_from_where = ConsumeFromWhere::LastOffset;
                change(&mut spec.config);
            });
        }
        what_happened(&story, 60_000)
    };
    let usual = run(&|_| {});
    for from in [ConsumeFromWhere::FirstOffset, ConsumeFromWhere::Timestamp(500)] {
        assert!(usual != run(&|config| config.consume_from_where = from), "{from:?}");
    }
    for strategy in [
        AllocateStrategy::AveragelyByCircle,
        AllocateStrategy::consistent_hash(),
        AllocateStrategy::ByConfig(Vec::new()),
        AllocateStrategy::ByMachineRoom(vec!["r1".into()]),
    ] {
        let set = |config: &mut ConsumerConfig| config.allocate_strategy = strategy.clone();
        assert!(usual != run(&set), "{strategy:?}");
    }
}

#[test]
fn each_property_that_can_be_set_at_run_time_changes_the_rest_of_the_run() {
    let run = |change: Option<(&str, i64)>| {
        let mut story = Story::new(Profile::V49, 2);
        consumer(&mut story, 0, "c1", ConsumerConfig::defaults(Profile::V49), 1_000);
        story.send_with(29_000, 0, "stuck", 1, |send| send.script = never());
        if let Some((name, value)) = change {
            let (client_id, name) = ("c1".into(), name.into());
            story.at(30_000, Command::SetConsumerProperty { client_id, name, value });
        }
        story.send_with(31_000, 0, "bad", 1, |send| send.script = always(ListenerStep::fails()));
        story.send(31_000, 0, "m0", 60);
        let events = what_happened(&story, 60_000);
        events.into_iter().filter(|event| event.0.ms() > 30_000).collect::<Vec<_>>()
    };
    let usual = run(None);
    let tried = [
        ("consumeThreadMin", 2),
        ("pullThresholdForQueue", 5),
        ("consumeConcurrentlyMaxSpan", 5),
        ("pullBatchSize", 3),
        ("consumeMessageBatchMaxSize", 4),
    ];
    assert_eq!(tried.map(|(name, _)| name), PROPERTIES);
    for (name, value) in tried {
        assert!(usual != run(Some((name, value))), "{name}");
    }
}
