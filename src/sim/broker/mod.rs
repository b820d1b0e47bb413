//! One broker: what it knows, and where each request goes.

pub mod client_manage;
pub mod consumer_offset;
pub mod message_store;
pub mod pull_message;
pub mod pull_request_hold;
pub mod rebalance_lock;
pub mod requests;
pub mod schedule_message;
pub mod send_message;
pub mod slave;

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use self::client_manage::ConsumerManager;
use self::pull_request_hold::PullRequestHold;
use self::schedule_message::ScheduleMessage;
use crate::model::commit_log::CommitLog;
use crate::model::config::{BrokerConfig, SubscriptionGroupConfig};
use crate::model::consume_queue::ConsumeQueue;
use crate::model::ids::{BrokerIndex, BrokerName, GroupName, QueueId, TopicName};
use crate::model::offset_table::ConsumerOffsetTable;
use crate::model::rebalance_lock::RebalanceLockTable;
use crate::model::topic::TopicConfig;

/// A broker process and its disk. Fields are named after the services they stand for.
#[derive(Clone, Debug, Serialize)]
pub struct Broker {
    pub index: BrokerIndex,
    pub name: BrokerName,
    /// 0 is the master.
    pub broker_id: u32,
    pub config: BrokerConfig,
    pub is_up: bool,
    pub is_writable: bool,
    /// Counts the starts of the process; tasks of an earlier life are void.
    pub life: u32,
    pub topic_config: BTreeMap<TopicName, TopicConfig>,
    pub subscription_groups: BTreeMap<GroupName, SubscriptionGroupConfig>,
    pub commit_log: CommitLog,
    pub consume_queues: BTreeMap<(TopicName, QueueId), ConsumeQueue>,
    /// How many records of the commit log have been dispatched to consume queues.
    pub reput_from: u64,
    pub consumer_offset: ConsumerOffsetTable,
    /// consumerOffset.json as last written.
    pub persisted_offset: ConsumerOffsetTable,
    pub pull_request_hold: PullRequestHold,
    pub schedule_message: ScheduleMessage,
    pub client_manage: ConsumerManager,
    pub rebalance_lock: RebalanceLockTable,
    /// Appends that a slow store holds back, and by how much.
    pub store_delay: crate::model::time::Millis,
    pub slow_appends: VecDeque<send_message::SlowAppend>,
    /// Server-side offset resets not yet taken up (spec 03.7, since 5.2.0).
    pub pending_reset: BTreeMap<(GroupName, TopicName, QueueId), crate::model::offset::QueueOffset>,
}
