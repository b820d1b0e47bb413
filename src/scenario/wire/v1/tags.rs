//! Numbers for names that links hold often. A name's place is its number: only add at the end.

pub const PRESETS: &[&str] = &[
    "happy-path",
    "poison-message",
    "slow-message",
    "consumers-join",
    "start-up",
    "flow-control-count",
    "flow-control-span",
    "more-consumers-than-queues",
    "broadcasting",
    "new-group-old-topic",
    "mixed-subscriptions",
    "stop-or-kill",
    "minute-of-silence",
    "frozen-listener",
    "suspend",
    "send-back-fails",
    "master-down",
    "slow-start",
    "same-client-id",
];

pub const CONSUMER: &[&str] = &[
    "messageModel",
    "messageListener",
    "consumeThreadMin",
    "consumeThreadMax",
    "consumeMessageBatchMaxSize",
    "pullBatchSize",
    "pullInterval",
    "pullThresholdForQueue",
    "pullThresholdSizeForQueue",
    "pullThresholdForTopic",
    "pullThresholdSizeForTopic",
    "consumeConcurrentlyMaxSpan",
    "consumeTimeout",
    "maxReconsumeTimes",
    "suspendCurrentQueueTimeMillis",
    "awaitTerminationMillisWhenShutdown",
    "autoCommit",
    "postSubscriptionWhenPull",
    "heartbeatBrokerInterval",
    "pollNameServerInterval",
    "persistConsumerOffsetInterval",
    "rocketmq.client.rebalance.waitInterval",
    "rocketmq.client.rebalance.lockInterval",
];

pub const PRODUCER: &[&str] = &[
    "sendMsgTimeout",
    "retryTimesWhenSendFailed",
    "retryTimesWhenSendAsyncFailed",
    "retryAnotherBrokerWhenNotStoreOK",
    "defaultTopicQueueNums",
    "sendLatencyFaultEnable",
];

pub const BROKER: &[&str] = &[
    "autoCreateTopicEnable",
    "autoCreateSubscriptionGroup",
    "defaultTopicQueueNums",
    "longPollingEnable",
    "maxTransferCountOnMessageInMemory",
    "maxTransferBytesOnMessageInMemory",
    "flushConsumerOffsetInterval",
    "flushDelayOffsetInterval",
    "rocketmq.broker.rebalance.lockMaxLiveTime",
    "channelExpiredTimeout",
    "slaveReadEnable",
    "firstMessageInMemory",
    "firstMessageInPageCache",
    "idleHandlerWins",
];

pub const GROUP: &[&str] = &[
    "consumeEnable",
    "consumeBroadcastEnable",
    "retryQueueNums",
    "retryMaxTimes",
    "whichBrokerWhenConsumeSlowly",
    "notifyConsumerIdsChangedEnable",
];

/// Request codes by their number on RocketMQ's wire need no table.
///
/// The number of a name.
pub fn number_of(tags: &[&str], name: &str) -> Option<u16> {
    tags.iter().position(|known| *known == name).and_then(|place| u16::try_from(place).ok())
}
