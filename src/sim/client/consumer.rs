//! `DefaultMQPushConsumerImpl`: one consumer of one group, with all that it holds.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ServiceState;
use super::clean_expired::Cleaner;
use super::consume_orderly::OrderlyService;
use super::consume_pool::ConsumePool;
use super::shutdown::{ShutdownRun, ShutdownStage};
use super::start::StartRun;
use crate::model::config::{ConsumeMode, ConsumerConfig, ConsumerSpec, MessageModel};
use crate::model::ids::{GroupName, ProcessQueueId, TopicName, UniqueKey};
use crate::model::java_hash_order::hash_order;
use crate::model::java_string;
use crate::model::listener::ListenerBehavior;
use crate::model::message_queue::MessageQueue;
use crate::model::offset_table::OffsetTable;
use crate::model::process_queue::ProcessQueue;
use crate::model::subscription::SubscriptionData;
use crate::model::time::Millis;
use crate::model::topic::is_retry_topic;
use crate::sim::event::Causes;

/// A `ProcessQueue` and the queue that it caches. It stays here after it was dropped, until no
/// request names it any more.
#[derive(Clone, Debug, Serialize)]
pub struct Shelf {
    pub queue: MessageQueue,
    pub window: ProcessQueue,
    pub created_at: Millis,
    /// Requests and listener calls that still name it.
    pub users: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct PushConsumer {
    pub group: GroupName,
    pub config: ConsumerConfig,
    pub listener: ListenerBehavior,
    pub state: ServiceState,
    pub start: Option<StartRun>,
    pub shutdown: Option<ShutdownRun>,
    /// shutdown() was called during start(): both are synchronized, so it waits.
    pub stops_when_started: bool,
    pub started_at: Millis,
    /// Names its fixed-rate timers: an earlier consumer of the group may have left some behind.
    pub chain: u64,
    pub is_paused: bool,
    /// Who paused it.
    #[serde(skip)]
    paused_by: Causes,
    /// What the user subscribed to, before start() copies it.
    pub wanted: Vec<(TopicName, String)>,
    /// subscriptionInner of the rebalance: topic -> data, the retry topic included.
    pub subscriptions: BTreeMap<TopicName, SubscriptionData>,
    /// topicSubscribeInfoTable: the queues of each subscribed topic, as the last route said.
    pub subscribe_info: BTreeMap<TopicName, Vec<MessageQueue>>,
    pub process_queue_table: BTreeMap<MessageQueue, ProcessQueueId>,
    pub shelves: BTreeMap<ProcessQueueId, Shelf>,
    pub offset_store: OffsetTable,
    /// Broadcasting: offsets.json as last written (spec 07.2).
    pub local_file: OffsetTable,
    pub pool: ConsumePool,
    pub orderly: OrderlyService,
    pub cleaner: Cleaner,
    /// How often the listener was called for a message whose script has more than one step.
    pub calls_by_message: BTreeMap<UniqueKey, u32>,
}

impl PushConsumer {
    pub fn new(spec: &ConsumerSpec, local_file: OffsetTable) -> PushConsumer {
        PushConsumer {
            group: spec.group.clone(),
            config: spec.config.clone(),
            listener: spec.listener.clone(),
            state: ServiceState::CreateJust,
            start: None,
            shutdown: None,
            stops_when_started: false,
            started_at: Millis::ZERO,
            chain: 0,
            is_paused: false,
            paused_by: Causes::NONE,
            wanted: spec.subscriptions.clone(),
            subscriptions: BTreeMap::new(),
            subscribe_info: BTreeMap::new(),
            process_queue_table: BTreeMap::new(),
            shelves: BTreeMap::new(),
            offset_store: OffsetTable::default(),
            local_file,
            pool: ConsumePool::new(spec.config.consume_thread_min),
            orderly: OrderlyService::default(),
            cleaner: Cleaner::default(),
            calls_by_message: BTreeMap::new(),
        }
    }

    /// The subscribed topics in the order in which RocketMQ goes through them: subscriptionInner is a
    /// ConcurrentHashMap, into which the retry topic is put last.
    pub fn topics_in_order(&self) -> Vec<TopicName> {
        let (retry, own): (Vec<_>, Vec<_>) =
            self.subscriptions.keys().cloned().partition(is_retry_topic);
        let topics = own.into_iter().chain(retry);
        hash_order(topics, |topic| java_string::hash_code(topic.as_str()))
    }

    /// suspend(): no pull is sent and no pass takes part until resume().
    pub fn pause(&mut self, by: Causes) {
        // Asked for twice, it would be so without either of them.
        self.paused_by = if self.is_paused { self.paused_by.or(by) } else { by };
        self.is_paused = true;
    }

    /// Why a pull that came up is put off: because of the pause, not of what brought it up.
    pub fn causes_of_pause(&self, came_up: Causes) -> Causes {
        match self.paused_by.is_any() {
            true => self.paused_by,
            false => self.paused_by.leading(came_up),
        }
    }

    pub fn is_orderly(&self) -> bool {
        self.config.consume_mode == ConsumeMode::Orderly
    }

    pub fn is_clustering(&self) -> bool {
        self.config.message_model == MessageModel::Clustering
    }

    pub fn is_running(&self) -> bool {
        self.state == ServiceState::Running
    }

    /// Whether the instance still knows it (`MQClientInstance.consumerTable`): shutdown() takes it out
    /// before UNREGISTER_CLIENT, so that no later heartbeat registers it again (spec 02.2).
    pub fn is_registered(&self) -> bool {
        let has_left = |run: &ShutdownRun| run.stage == ShutdownStage::Unregister;
        self.is_running() && !self.shutdown.as_ref().is_some_and(has_left)
    }

    /// maxReconsumeTimes, with the meaning of -1 (spec 13).
    pub fn max_reconsume_times(&self, profile: crate::model::profile::Profile) -> i32 {
        use crate::model::constants;
        match (self.config.max_reconsume_times, self.is_orderly()) {
            (-1, false) => constants::max_reconsume_times_concurrently(profile),
            (-1, true) => constants::max_reconsume_times_orderly(profile),
            (times, _) => times,
        }
    }

    /// The shelf that is in the table for this queue.
    pub fn shelf(&self, queue: &MessageQueue) -> Option<&Shelf> {
        self.shelves.get(self.process_queue_table.get(queue)?)
    }

    pub fn is_dropped(&self, process_queue: ProcessQueueId) -> bool {
        self.shelves.get(&process_queue).is_none_or(|shelf| shelf.window.is_dropped())
    }

    /// One more request names the shelf.
    pub fn hold(&mut self, process_queue: ProcessQueueId) {
        if let Some(shelf) = self.shelves.get_mut(&process_queue) {
            shelf.users += 1;
        }
    }

    /// One request less; a dropped shelf that nobody names is garbage.
    pub fn release(&mut self, process_queue: ProcessQueueId) {
        if let Some(shelf) = self.shelves.get_mut(&process_queue) {
            shelf.users = shelf.users.saturating_sub(1);
        }
        self.collect_garbage(process_queue);
    }

    pub fn collect_garbage(&mut self, process_queue: ProcessQueueId) {
        let is_garbage = self.shelves.get(&process_queue).is_some_and(|shelf| {
            shelf.users == 0
                && shelf.window.is_dropped()
                && self.process_queue_table.get(&shelf.queue) != Some(&process_queue)
        });
        if is_garbage {
            self.shelves.remove(&process_queue);
        }
    }

    /// What is left of a consumer whose process died: who it was, and its local file.
    pub(crate) fn remains(mut self) -> PushConsumer {
        let spec = ConsumerSpec {
            client_id: "".into(),
            group: self.group.clone(),
            process: None,
            subscriptions: std::mem::take(&mut self.wanted),
            config: self.config,
            listener: ListenerBehavior::default(),
        };
        PushConsumer {
            state: ServiceState::ShutdownAlready,
            subscriptions: self.subscriptions,
            ..PushConsumer::new(&spec, self.local_file)
        }
    }
}
