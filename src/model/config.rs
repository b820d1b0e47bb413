//! What a person can set: the properties of consumers, producers and brokers under RocketMQ's own
//! names and units. Defaults follow the profile (spec 13).

use serde::{Deserialize, Serialize};

use super::allocate::AllocateStrategy;
use super::constants;
use super::ids::{BrokerName, ClientId, GroupName, TopicName};
use super::listener::ListenerBehavior;
use super::profile::Profile;
use super::time::Millis;

/// MessageModel (spec 02.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MessageModel {
    #[default]
    Clustering,
    Broadcasting,
}

/// Which of the two listener interfaces is registered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConsumeMode {
    /// `MessageListenerConcurrently`.
    #[default]
    Concurrently,
    /// `MessageListenerOrderly`.
    Orderly,
}

/// Where a group without a stored offset begins (spec 02.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConsumeFromWhere {
    #[default]
    LastOffset,
    FirstOffset,
    /// From `consumeTimestamp`, a moment of virtual time. May lie before the run (negative).
    Timestamp(i64),
}

/// `DefaultMQPushConsumer`'s properties.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsumerConfig {
    pub message_model: MessageModel,
    pub consume_mode: ConsumeMode,
    pub consume_from_where: ConsumeFromWhere,
    pub allocate_strategy: AllocateStrategy,
    pub consume_thread_min: u32,
    pub consume_thread_max: u32,
    pub consume_message_batch_max_size: u32,
    pub pull_batch_size: u32,
    pub pull_interval: Millis,
    pub pull_threshold_for_queue: u32,
    /// MiB.
    pub pull_threshold_size_for_queue: u32,
    /// -1: not set.
    pub pull_threshold_for_topic: i32,
    /// MiB; -1: not set.
    pub pull_threshold_size_for_topic: i32,
    pub consume_concurrently_max_span: u32,
    /// Minutes.
    pub consume_timeout: u32,
    /// -1: 16 in concurrent, without end in orderly mode.
    pub max_reconsume_times: i32,
    pub suspend_current_queue_time: Millis,
    /// Since 4.7.1 (spec 02.2).
    pub await_termination_when_shutdown: Millis,
    /// `autoCommit` of the orderly context.
    pub auto_commit: bool,
    pub post_subscription_when_pull: bool,
    pub heartbeat_broker_interval: Millis,
    pub poll_name_server_interval: Millis,
    pub persist_consumer_offset_interval: Millis,
    /// `rocketmq.client.rebalance.waitInterval`.
    pub rebalance_wait_interval: Millis,
    /// `rocketmq.client.rebalance.lockInterval`.
    pub rebalance_lock_interval: Millis,
}

impl ConsumerConfig {
    pub fn defaults(profile: Profile) -> ConsumerConfig {
        ConsumerConfig {
            message_model: MessageModel::Clustering,
            consume_mode: ConsumeMode::Concurrently,
            consume_from_where: ConsumeFromWhere::LastOffset,
            allocate_strategy: AllocateStrategy::Averagely,
            consume_thread_min: constants::consume_thread_min(profile),
            consume_thread_max: constants::consume_thread_max(profile),
            consume_message_batch_max_size: constants::consume_message_batch_max_size(profile),
            pull_batch_size: constants::pull_batch_size(profile),
            pull_interval: constants::pull_interval(profile),
            pull_threshold_for_queue: constants::pull_threshold_for_queue(profile),
            pull_threshold_size_for_queue: constants::pull_threshold_size_for_queue(profile),
            pull_threshold_for_topic: -1,
            pull_threshold_size_for_topic: -1,
            consume_concurrently_max_span: constants::consume_concurrently_max_span(profile),
            consume_timeout: constants::consume_timeout_minutes(profile),
            max_reconsume_times: -1,
            suspend_current_queue_time: constants::suspend_current_queue_time(profile),
            await_termination_when_shutdown: Millis::ZERO,
            auto_commit: true,
            post_subscription_when_pull: false,
            heartbeat_broker_interval: constants::heartbeat_broker_interval(profile),
            poll_name_server_interval: constants::poll_name_server_interval(profile),
            persist_consumer_offset_interval: constants::persist_consumer_offset_interval(profile),
            rebalance_wait_interval: constants::rebalance_wait_interval(profile),
            rebalance_lock_interval: constants::rebalance_lock_interval(profile),
        }
    }
}

/// One consumer to start: who it is, what it subscribes to, how it is set, and its code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsumerSpec {
    pub client_id: ClientId,
    pub group: GroupName,
    /// Consumers with the same label share one process and, if their client ids are equal, one
    /// `MQClientInstance` (spec 02.1). `None`: a process of its own.
    pub process: Option<String>,
    /// Topic and tag expression (`*`, `A || B`).
    pub subscriptions: Vec<(TopicName, String)>,
    pub config: ConsumerConfig,
    pub listener: ListenerBehavior,
}

/// How a producer waits for the broker's answer (spec 08.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SendMode {
    #[default]
    Sync,
    Async,
    Oneway,
}

/// `DefaultMQProducer`'s properties.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProducerConfig {
    pub send_msg_timeout: Millis,
    pub retry_times_when_send_failed: u32,
    pub retry_times_when_send_async_failed: u32,
    pub default_topic_queue_nums: u32,
    pub send_latency_fault_enable: bool,
}

impl ProducerConfig {
    pub fn defaults(profile: Profile) -> ProducerConfig {
        ProducerConfig {
            send_msg_timeout: constants::send_msg_timeout(profile),
            retry_times_when_send_failed: constants::retry_times_when_send_failed(profile),
            retry_times_when_send_async_failed: constants::retry_times_when_send_async_failed(
                profile,
            ),
            default_topic_queue_nums: constants::default_topic_queue_nums(profile),
            send_latency_fault_enable: false,
        }
    }
}

/// One producer process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProducerSpec {
    pub client_id: ClientId,
    pub group: GroupName,
    pub config: ProducerConfig,
}

/// `SubscriptionGroupConfig` (spec 01.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubscriptionGroupConfig {
    pub consume_enable: bool,
    pub consume_broadcast_enable: bool,
    pub retry_queue_nums: u32,
    pub retry_max_times: i32,
    pub notify_consumer_ids_changed_enable: bool,
}

impl Default for SubscriptionGroupConfig {
    fn default() -> SubscriptionGroupConfig {
        SubscriptionGroupConfig {
            consume_enable: true,
            consume_broadcast_enable: true,
            // The same in every version.
            retry_queue_nums: constants::retry_queue_nums(Profile::V42),
            retry_max_times: constants::retry_max_times(Profile::V42),
            notify_consumer_ids_changed_enable: true,
        }
    }
}

/// `BrokerConfig` and `MessageStoreConfig`, as far as they matter here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokerConfig {
    pub auto_create_topic_enable: bool,
    pub auto_create_subscription_group: bool,
    /// TBW102's queues: the upper bound for auto-created topics (spec 01.2).
    pub default_topic_queue_nums: u32,
    pub long_polling_enable: bool,
    pub max_transfer_count_on_message_in_memory: u32,
    pub max_transfer_bytes_on_message_in_memory: u32,
    /// The delays of the levels 1, 2, ..., in ms (`messageDelayLevel`).
    pub message_delay_level: Vec<Millis>,
    pub flush_consumer_offset_interval: Millis,
    pub flush_delay_offset_interval: Millis,
    /// `rocketmq.broker.rebalance.lockMaxLiveTime`.
    pub rebalance_lock_max_live_time: Millis,
    pub channel_expired_timeout: Millis,
    pub slave_read_enable: bool,
    /// Whether message 0 of a queue counts as "in memory" (4.x: `accessMessageInMemoryMaxRatio`)
    /// and as in the page cache (5.1+); a teaching-size log always is unless a scenario says so
    /// (spec 07.4).
    pub first_message_in_memory: bool,
    pub first_message_in_page_cache: bool,
    /// Host loss without FIN: `true` if netty's idle handler wins (exactly 120 s after the last
    /// traffic, with a notice), `false` if the heartbeat scan does, without one; in RocketMQ it
    /// nearly always does, since a held pull is still answered after the last heartbeat (spec 01.3).
    pub idle_handler_wins: bool,
}

impl BrokerConfig {
    pub fn defaults(profile: Profile) -> BrokerConfig {
        BrokerConfig {
            auto_create_topic_enable: true,
            auto_create_subscription_group: true,
            default_topic_queue_nums: 8,
            long_polling_enable: true,
            max_transfer_count_on_message_in_memory: constants::max_transfer_count_in_memory(
                profile,
            ),
            max_transfer_bytes_on_message_in_memory: constants::max_transfer_bytes_in_memory(
                profile,
            ),
            message_delay_level: super::delay_level::default_levels(),
            flush_consumer_offset_interval: constants::flush_consumer_offset_interval(profile),
            flush_delay_offset_interval: constants::flush_delay_offset_interval(profile),
            rebalance_lock_max_live_time: constants::broker_lock_max_live_time(profile),
            channel_expired_timeout: constants::channel_expired_timeout(profile),
            slave_read_enable: false,
            first_message_in_memory: true,
            first_message_in_page_cache: true,
            idle_handler_wins: false,
        }
    }
}

/// One broker of the topology.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokerSpec {
    pub name: BrokerName,
    /// 0 is the master.
    pub broker_id: u32,
    pub config: BrokerConfig,
}
