//! The properties of brokers and of subscription groups.

use rocketmq_playground::model::config::{
    BrokerConfig, BrokerSpec, ConsumeFromWhere, MessageModel, SubscriptionGroupConfig,
};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::scenario::property::{BROKER, GROUP, Setting};
use rocketmq_playground::sim::command::{BrokerStop, Command, QueueChoice};

use crate::story::{Story, broker_name, crash, fails, pausing, stop};
use crate::{Shown, check, what_happened};

fn set(story: &mut Story, config: BrokerConfig) {
    story.setup.brokers[0].config = config;
}

fn simple(story: &mut Story, config: BrokerConfig) {
    set(story, config);
    story.consumer(0, "c1");
    story.send(31_300, 0, "m0", 40);
}

fn new_topic(story: &mut Story, config: BrokerConfig) {
    set(story, config);
    story.send_with(5_000, 0, "m0", 1, |send| {
        send.topic = "new".into();
        send.queue = QueueChoice::RoundRobin;
    });
}

fn new_group(story: &mut Story, config: BrokerConfig) {
    story.setup.groups.clear();
    simple(story, config);
}

fn kill(story: &mut Story) {
    let (broker_name, how) = (broker_name(), BrokerStop::Kill { lost_tail: 0 });
    let name = broker_name.clone();
    story.at(41_000, Command::StopBroker { broker_name, broker_id: 0, how });
    story.at(42_000, Command::StartBroker { broker_name: name, broker_id: 0 });
}

/// All is consumed and reported, then the broker is killed: what was in its file?
fn killed_with_offsets(story: &mut Story, config: BrokerConfig) {
    set(story, config);
    story.consumer(0, "c1");
    story.send(20_000, 0, "m0", 20);
    story.at(30_000, stop("c1"));
    kill(story);
    story.consumer(50_000, "c2");
}

fn killed_with_delays(story: &mut Story, config: BrokerConfig) {
    set(story, config);
    story.consumer(0, "c1");
    story.send_with(20_000, 0, "m0", 3, |send| send.delay_level = 1);
    kill(story);
}

fn owner_of_a_lock_is_killed(story: &mut Story, config: BrokerConfig) {
    set(story, config);
    story.orderly(0, "c1");
    story.at(45_000, crash("c1"));
    story.orderly(46_000, "c2");
    story.send(47_000, 0, "m0", 3);
}

fn host_is_lost(story: &mut Story, config: BrokerConfig) {
    set(story, config);
    story.consumer(0, "c1");
    story.consumer(0, "c2");
    story.at(40_000, Command::LoseHost { client_id: "c1".into() });
}

/// The master goes, and its slave is set so.
fn only_the_slave_is_left(story: &mut Story, config: BrokerConfig) {
    story.setup.brokers.push(BrokerSpec { name: broker_name(), broker_id: 1, config });
    story.consumer_with(0, "c1", |spec| {
        spec.config.pull_threshold_for_queue = 5;
        spec.config.pull_batch_size = 1;
        spec.config.consume_thread_min = 1;
        spec.listener = pausing(1_000);
    });
    story.send(30_000, 0, "m0", 100);
    let how = BrokerStop::Graceful;
    story.at(35_000, Command::StopBroker { broker_name: broker_name(), broker_id: 0, how });
}

/// A new group comes to a topic that is not new.
fn new_group_old_topic(story: &mut Story, config: BrokerConfig) {
    set(story, config);
    story.setup.groups.clear();
    story.send(1_000, 0, "old0", 5);
    story.consumer_with(30_000, "c1", |spec| {
        spec.config.consume_from_where = ConsumeFromWhere::LastOffset;
    });
}

use Profile::{V49, V53};
use Setting::{Flag, Integer};

const fn shown(
    name: &'static str,
    other: Setting,
    profile: Profile,
    until: u64,
    story: fn(&mut Story, BrokerConfig),
) -> Shown<BrokerConfig> {
    Shown { name, other, profile, until, story }
}

const SHOWN: &[Shown<BrokerConfig>] = &[
    shown("autoCreateTopicEnable", Flag(false), V49, 20_000, new_topic),
    shown("autoCreateSubscriptionGroup", Flag(false), V49, 60_000, new_group),
    shown("defaultTopicQueueNums", Integer(2), V49, 20_000, new_topic),
    shown("longPollingEnable", Flag(false), V49, 60_000, simple),
    shown("maxTransferCountOnMessageInMemory", Integer(4), V49, 60_000, simple),
    shown("maxTransferBytesOnMessageInMemory", Integer(1_000), V49, 60_000, simple),
    shown("flushConsumerOffsetInterval", Integer(60_000), V49, 90_000, killed_with_offsets),
    shown("flushDelayOffsetInterval", Integer(60_000), V49, 90_000, killed_with_delays),
    shown(
        "rocketmq.broker.rebalance.lockMaxLiveTime",
        Integer(5_000),
        V49,
        130_000,
        owner_of_a_lock_is_killed,
    ),
    shown("channelExpiredTimeout", Integer(20_000), V49, 200_000, host_is_lost),
    shown("slaveReadEnable", Flag(true), V53, 100_000, only_the_slave_is_left),
    shown("firstMessageInMemory", Flag(false), V49, 60_000, new_group_old_topic),
    shown("firstMessageInPageCache", Flag(false), V53, 60_000, new_group_old_topic),
    shown("idleHandlerWins", Flag(true), V49, 200_000, host_is_lost),
];

#[test]
fn each_property_of_a_broker_changes_a_run() {
    check(BROKER, BrokerConfig::defaults, SHOWN);
}

#[test]
fn so_do_the_delay_levels() {
    let run = |levels: Option<Vec<Millis>>| {
        let mut story = Story::new(V49, 2);
        if let Some(levels) = levels {
            story.setup.brokers[0].config.message_delay_level = levels;
        }
        story.consumer(0, "c1");
        story.send_with(30_000, 0, "m0", 1, |send| send.delay_level = 2);
        what_happened(&story, 60_000)
    };
    assert!(run(None) != run(Some(vec![Millis(1_000), Millis(2_000)])));
}

fn set_group(story: &mut Story, config: SubscriptionGroupConfig) {
    story.setup.groups[0].config = config;
    story.consumer(0, "c1");
    story.consumer(20_000, "c2");
    story.send_with(40_000, 0, "m0", 5, |send| send.script = fails(1));
}

fn set_broadcasting_group(story: &mut Story, config: SubscriptionGroupConfig) {
    story.setup.groups[0].config = config;
    story.consumer_with(0, "c1", |spec| {
        spec.config.message_model = MessageModel::Broadcasting;
    });
    story.send_with(40_000, 0, "m0", 5, |send| send.every = Millis(10));
}

const fn of_group(
    name: &'static str,
    other: Setting,
    story: fn(&mut Story, SubscriptionGroupConfig),
) -> Shown<SubscriptionGroupConfig> {
    Shown { name, other, profile: V49, until: 60_000, story }
}

const SHOWN_OF_GROUP: &[Shown<SubscriptionGroupConfig>] = &[
    of_group("consumeEnable", Flag(false), set_group),
    of_group("consumeBroadcastEnable", Flag(false), set_broadcasting_group),
    of_group("retryQueueNums", Integer(3), set_group),
    of_group("notifyConsumerIdsChangedEnable", Flag(false), set_group),
];

#[test]
fn each_property_of_a_group_changes_a_run() {
    check(GROUP, |_| SubscriptionGroupConfig::default(), SHOWN_OF_GROUP);
}
