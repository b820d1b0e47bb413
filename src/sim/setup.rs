//! All that a simulation starts from.

use serde::{Deserialize, Serialize};

use crate::model::config::{BrokerSpec, SubscriptionGroupConfig};
use crate::model::ids::{BrokerName, GroupName, QueueId, TopicName};
use crate::model::offset::QueueOffset;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::model::topic::TopicConfig;

/// In which order tasks of one millisecond run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TieBreak {
    /// In the order in which they were put on the agenda.
    #[default]
    Fifo,
    /// By chance: one seed is one interleaving of what RocketMQ leaves unordered.
    Shuffled,
}

/// A topic that exists at the start on one broker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicSetup {
    pub topic: TopicName,
    pub broker_name: BrokerName,
    pub config: TopicConfig,
}

/// A group that exists before the run: its config and its `%RETRY%` topic, on every broker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupSetup {
    pub group: GroupName,
    pub config: SubscriptionGroupConfig,
    /// Whether `%RETRY%group` exists already ("existing group"), or the group is brand-new.
    pub preexisting: bool,
}

/// An offset that the broker has stored before the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredOffset {
    pub group: GroupName,
    pub topic: TopicName,
    pub broker_name: BrokerName,
    pub queue_id: QueueId,
    pub offset: QueueOffset,
}

/// A queue that has a past: offsets below `min_offset` have expired, the next to be written is
/// `min_offset` plus what the script preloads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuePast {
    pub topic: TopicName,
    pub broker_name: BrokerName,
    pub queue_id: QueueId,
    pub min_offset: QueueOffset,
}

/// An offset of a broadcasting client's local file before the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalOffset {
    pub client_id: crate::model::ids::ClientId,
    pub group: GroupName,
    pub topic: TopicName,
    pub broker_name: BrokerName,
    pub queue_id: QueueId,
    pub offset: QueueOffset,
}

/// How far a level of delayed messages was delivered, as a broker's delayOffset.json says before the
/// run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DelayOffset {
    pub broker_name: BrokerName,
    pub level: u32,
    pub offset: QueueOffset,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    pub profile: Profile,
    pub seed: u64,
    pub tie_break: TieBreak,
    /// One-way latency of every link, unless a command sets another one. Default 1 ms (spec 00.3).
    pub latency: Millis,
    /// What a client process spends in `MQClientInstance.start()` before it sends anything, default
    /// 20 ms. [MODEL] Every recorded start took longer than the 10 ms after which the first route poll
    /// runs, so that poll comes before the heartbeat that creates %RETRY%, and a brand-new group's
    /// first pass does not know its retry topic (spec 02.3).
    pub start_up: Millis,
    pub brokers: Vec<BrokerSpec>,
    pub topics: Vec<TopicSetup>,
    pub groups: Vec<GroupSetup>,
    pub stored_offsets: Vec<StoredOffset>,
    pub queue_pasts: Vec<QueuePast>,
    pub local_offsets: Vec<LocalOffset>,
    pub delay_offsets: Vec<DelayOffset>,
    /// The 4.2.0 defect of the cleaner (spec 04.3): on for V42 unless switched off.
    pub clean_expired_defect: bool,
    /// Polling services run every poll instead of the next one that finds something: the same
    /// events at the same times, slower. For a test that holds the two against each other.
    pub literal_polling: bool,
}

impl Setup {
    /// No broker, no topic, everything else as RocketMQ has it.
    pub fn empty(profile: Profile) -> Setup {
        Setup {
            profile,
            seed: 1,
            tie_break: TieBreak::Fifo,
            latency: Millis::new(1),
            start_up: Millis::new(20),
            brokers: Vec::new(),
            topics: Vec::new(),
            groups: Vec::new(),
            stored_offsets: Vec::new(),
            queue_pasts: Vec::new(),
            local_offsets: Vec::new(),
            delay_offsets: Vec::new(),
            clean_expired_defect: profile == Profile::V42,
            literal_polling: false,
        }
    }
}
