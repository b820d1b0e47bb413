//! One broker: what it knows, and where each request goes.
//!
//! `requests` holds the one match on requests and on tasks; every rule is in the file of the service
//! that it belongs to. A broker sees no other machine: it answers, or sends.

pub mod admin;
pub mod channels;
pub mod client_manage;
pub mod consumer_offset;
pub mod life;
pub mod message_store;
pub mod poll_grid;
pub mod pull_message;
pub mod pull_request_hold;
pub mod rebalance_lock;
pub mod requests;
pub mod schedule_message;
pub mod send_message;
pub mod slave;
pub mod topic_config;

#[cfg(test)]
mod bench;

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use self::channels::Channels;
use self::client_manage::ConsumerManager;
use self::message_store::{Reput, SlowAppend};
use self::pull_request_hold::PullRequestHold;
use self::schedule_message::ScheduleMessage;
use crate::model::commit_log::CommitLog;
use crate::model::config::{BrokerConfig, SubscriptionGroupConfig};
use crate::model::consume_queue::ConsumeQueue;
use crate::model::ids::{BrokerIndex, BrokerName, ConnectionId, GroupName, QueueId, TopicName};
use crate::model::offset::QueueOffset;
use crate::model::offset_table::ConsumerOffsetTable;
use crate::model::rebalance_lock::RebalanceLockTable;
use crate::model::time::Millis;
use crate::model::topic::TopicConfig;
use crate::sim::event::Causes;

/// A broker process and its disk. Fields are named after the services they stand for.
#[derive(Clone, Debug, Serialize)]
pub struct Broker {
    pub index: BrokerIndex,
    pub name: BrokerName,
    /// 0 is the master.
    pub broker_id: u32,
    /// Of a slave: where its master is.
    pub master: Option<BrokerIndex>,
    pub config: BrokerConfig,
    pub is_up: bool,
    /// brokerPermission has WRITE.
    pub is_writable: bool,
    /// Counts the starts of the process; tasks of an earlier life are void.
    pub life: u32,
    /// Where the grids of the process's timers begin.
    pub started_at: Millis,
    /// The event of that start, which those timers come from.
    #[serde(skip)]
    pub started: Causes,
    /// Services look at every tick, found or not (`Setup::literal_polling`).
    pub literal_polling: bool,
    pub topic_config: BTreeMap<TopicName, TopicConfig>,
    pub subscription_groups: BTreeMap<GroupName, SubscriptionGroupConfig>,
    pub commit_log: CommitLog,
    pub consume_queues: BTreeMap<(TopicName, QueueId), ConsumeQueue>,
    /// The next offset of each queue, given out at append; a consume queue follows at dispatch.
    pub topic_queue_table: BTreeMap<(TopicName, QueueId), QueueOffset>,
    /// How many records of the commit log have been dispatched to consume queues.
    pub reput_from: u64,
    pub reput: Reput,
    pub consumer_offset: ConsumerOffsetTable,
    /// consumerOffset.json as last written.
    pub persisted_offset: ConsumerOffsetTable,
    /// A write of consumerOffset.json is on the agenda.
    pub is_offset_flush_scheduled: bool,
    pub pull_request_hold: PullRequestHold,
    pub schedule_message: ScheduleMessage,
    pub client_manage: ConsumerManager,
    pub channels: Channels,
    pub rebalance_lock: RebalanceLockTable,
    /// What every append takes, if the store is slow.
    pub store_delay: Millis,
    /// Appends that a slow store holds back, first come first served.
    pub slow_appends: VecDeque<SlowAppend>,
    /// The slaves that follow this master, and the number of the record that each gets next.
    pub ha_slaves: BTreeMap<ConnectionId, u64>,
    /// Server-side offset resets not yet taken up (spec 03.7, since 5.2.0).
    pub pending_reset: BTreeMap<(GroupName, TopicName, QueueId), QueueOffset>,
}

impl Broker {
    pub fn is_master(&self) -> bool {
        self.broker_id == 0
    }
}
