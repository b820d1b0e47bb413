//! `BrokerConfig`'s, `MessageStoreConfig`'s and `SubscriptionGroupConfig`'s properties, and three
//! switches of our own.

use super::{DAY, Property, flag, millis, number};
use crate::model::config::{BrokerConfig, SubscriptionGroupConfig};

/// `messageDelayLevel` is a list and stands beside this table.
pub const BROKER: &[Property<BrokerConfig>] = &[
    flag!("autoCreateTopicEnable", auto_create_topic_enable),
    flag!("autoCreateSubscriptionGroup", auto_create_subscription_group),
    number!("defaultTopicQueueNums", "", 1..=1_024, default_topic_queue_nums: u32),
    flag!("longPollingEnable", long_polling_enable),
    number!(
        "maxTransferCountOnMessageInMemory", "", 1..=65_535,
        max_transfer_count_on_message_in_memory: u32
    ),
    number!(
        "maxTransferBytesOnMessageInMemory", "bytes", 1..=1_073_741_824,
        max_transfer_bytes_on_message_in_memory: u32
    ),
    millis!("flushConsumerOffsetInterval", 1..=DAY, flush_consumer_offset_interval),
    millis!("flushDelayOffsetInterval", 1..=DAY, flush_delay_offset_interval),
    // A Java system property of the broker.
    millis!("rocketmq.broker.rebalance.lockMaxLiveTime", 1..=DAY, rebalance_lock_max_live_time),
    // ClientManager's CHANNEL_EXPIRED_TIMEOUT, a constant in RocketMQ.
    millis!("channelExpiredTimeout", 1..=DAY, channel_expired_timeout),
    flag!("slaveReadEnable", slave_read_enable),
    // Ours: whether the first message of a queue counts as "in memory" (until 5.0) ...
    flag!("firstMessageInMemory", first_message_in_memory),
    // ... or as in the page cache (since 5.1).
    flag!("firstMessageInPageCache", first_message_in_page_cache),
    // Ours: whether netty's idle handler notices a lost host before the scan does.
    flag!("idleHandlerWins", idle_handler_wins),
];

pub const GROUP: &[Property<SubscriptionGroupConfig>] = &[
    flag!("consumeEnable", consume_enable),
    flag!("consumeBroadcastEnable", consume_broadcast_enable),
    number!("retryQueueNums", "", 0..=1_024, retry_queue_nums: u32),
    flag!("notifyConsumerIdsChangedEnable", notify_consumer_ids_changed_enable),
];
