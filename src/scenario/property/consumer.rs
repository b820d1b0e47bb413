//! `DefaultMQPushConsumer`'s properties, with the ranges of its `checkConfig`.

use super::{Allowed, DAY, Property, Setting, flag, millis, number, unset_or};
use crate::model::config::{ConsumeMode, ConsumerConfig, MessageModel};

const MODELS: &[&str] = &["CLUSTERING", "BROADCASTING"];
const LISTENERS: &[&str] = &["concurrently", "orderly"];

/// `consumeFromWhere` and `allocateMessageQueueStrategy` need more than one value each and stand
/// beside this table.
pub const CONSUMER: &[Property<ConsumerConfig>] = &[
    Property {
        name: "messageModel",
        unit: "",
        allowed: Allowed::Words(MODELS),
        get: |config| {
            Setting::Word(MODELS[usize::from(config.message_model == MessageModel::Broadcasting)])
        },
        set: |config, setting| {
            config.message_model = match setting {
                Setting::Word("BROADCASTING") => MessageModel::Broadcasting,
                _ => MessageModel::Clustering,
            };
        },
    },
    // Which of the two interfaces is registered as `messageListener`.
    Property {
        name: "messageListener",
        unit: "",
        allowed: Allowed::Words(LISTENERS),
        get: |config| {
            Setting::Word(LISTENERS[usize::from(config.consume_mode == ConsumeMode::Orderly)])
        },
        set: |config, setting| {
            config.consume_mode = match setting {
                Setting::Word("orderly") => ConsumeMode::Orderly,
                _ => ConsumeMode::Concurrently,
            };
        },
    },
    number!("consumeThreadMin", "", 1..=1_000, consume_thread_min: u32),
    number!("consumeThreadMax", "", 1..=1_000, consume_thread_max: u32),
    number!("consumeMessageBatchMaxSize", "", 1..=1_024, consume_message_batch_max_size: u32),
    number!("pullBatchSize", "", 1..=1_024, pull_batch_size: u32),
    millis!("pullInterval", 0..=65_535, pull_interval),
    number!("pullThresholdForQueue", "", 1..=65_535, pull_threshold_for_queue: u32),
    number!("pullThresholdSizeForQueue", "MiB", 1..=1_024, pull_threshold_size_for_queue: u32),
    unset_or!("pullThresholdForTopic", "", 1..=6_553_500, pull_threshold_for_topic: i32),
    unset_or!("pullThresholdSizeForTopic", "MiB", 1..=102_400, pull_threshold_size_for_topic: i32),
    number!("consumeConcurrentlyMaxSpan", "", 1..=65_535, consume_concurrently_max_span: u32),
    number!("consumeTimeout", "min", 1..=1_440, consume_timeout: u32),
    unset_or!("maxReconsumeTimes", "", 0..=2_147_483_647, max_reconsume_times: i32),
    millis!("suspendCurrentQueueTimeMillis", 0..=DAY, suspend_current_queue_time),
    millis!("awaitTerminationMillisWhenShutdown", 0..=DAY, await_termination_when_shutdown),
    // Of the orderly listener's context.
    flag!("autoCommit", auto_commit),
    flag!("postSubscriptionWhenPull", post_subscription_when_pull),
    millis!("heartbeatBrokerInterval", 1..=DAY, heartbeat_broker_interval),
    millis!("pollNameServerInterval", 1..=DAY, poll_name_server_interval),
    millis!("persistConsumerOffsetInterval", 1..=DAY, persist_consumer_offset_interval),
    // Java system properties of the process.
    millis!("rocketmq.client.rebalance.waitInterval", 1..=DAY, rebalance_wait_interval),
    millis!("rocketmq.client.rebalance.lockInterval", 1..=DAY, rebalance_lock_interval),
];
