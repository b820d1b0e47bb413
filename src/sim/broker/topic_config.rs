//! Topics and groups of a broker, and what it tells the name server of them.
//!
//! Follows `TopicConfigManager`, `SubscriptionGroupManager`, `BrokerController.registerBrokerAll`.

use super::Broker;
use crate::model::config::SubscriptionGroupConfig;
use crate::model::constants;
use crate::model::ids::{GroupName, TopicName};
use crate::model::time::Millis;
use crate::model::topic::{self, AUTO_CREATE_TOPIC_KEY, Permission, TopicConfig};
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, RequestDetail, TimerKind};
use crate::sim::packet::{BrokerRegistration, Machine, Request, RequestCode};
use crate::sim::task::BrokerTask;

/// The model has one name server.
const NAME_SERVER: Machine = Machine::NameServer(0);

impl Broker {
    /// Whether the group is known; creates it at its first use if that is allowed.
    ///
    /// Follows `SubscriptionGroupManager.findSubscriptionGroupConfig`.
    pub(crate) fn find_subscription_group_config(&mut self, group: &GroupName) -> bool {
        if self.subscription_groups.contains_key(group) {
            return true;
        }
        if !self.config.auto_create_subscription_group {
            return false;
        }
        self.subscription_groups.insert(group.clone(), SubscriptionGroupConfig::default());
        true
    }

    /// The first send to an unknown topic makes it after the template TBW102, with at most as many
    /// queues as the client asks for. A %RETRY% topic gets one queue.
    ///
    /// Follows `TopicConfigManager.createTopicInSendMessageMethod`.
    pub(crate) fn create_topic_in_send_message(
        &mut self,
        topic: &TopicName,
        default_topic_queue_nums: u32,
        cx: &mut Context<'_>,
    ) {
        if topic::is_retry_topic(topic) {
            self.create_topic_if_missing(topic, TopicConfig::read_write(1), cx);
            return;
        }
        let template = self.topic_config.get(&TopicName::new(AUTO_CREATE_TOPIC_KEY));
        if let Some(template) = template.filter(|_| self.config.auto_create_topic_enable) {
            let queues = default_topic_queue_nums.min(template.write_queue_nums);
            self.create_topic_if_missing(topic, TopicConfig::read_write(queues), cx);
        }
    }

    /// `%RETRY%group`, if it is missing. Answers whether it can be written.
    ///
    /// Follows `TopicConfigManager.createTopicInSendMessageBackMethod`.
    pub(crate) fn create_retry_topic(
        &mut self,
        group: &GroupName,
        retry_queue_nums: u32,
        cx: &mut Context<'_>,
    ) -> bool {
        let topic = topic::retry_topic(group);
        self.create_topic_if_missing(&topic, TopicConfig::read_write(retry_queue_nums), cx);
        self.topic_config[&topic].permission.writable
    }

    /// `%DLQ%group`, if it is missing. Until 4.9.1 no consumer may read it.
    pub(crate) fn create_dlq_topic(&mut self, topic: &TopicName, cx: &mut Context<'_>) {
        let mut config = TopicConfig::read_write(constants::dlq_nums_per_group(cx.profile()));
        if !cx.rules().dlq_topic_is_readable {
            config.permission = Permission::WRITE_ONLY;
        }
        self.create_topic_if_missing(topic, config, cx);
    }

    /// Makes a topic that is missing, and tells the name server at once.
    fn create_topic_if_missing(
        &mut self,
        topic: &TopicName,
        config: TopicConfig,
        cx: &mut Context<'_>,
    ) {
        if self.topic_config.contains_key(topic) {
            return;
        }
        let causes = cx.causes();
        let queues = config.write_queue_nums;
        self.topic_config.insert(topic.clone(), config);
        cx.emit(EventKind::TopicCreated { topic: topic.clone(), queues });
        self.register_broker_all(true, cx);
        cx.set_causes(causes);
    }

    /// Makes or changes a topic by an admin's wish.
    pub(crate) fn update_topic_config(
        &mut self,
        topic: TopicName,
        config: TopicConfig,
        cx: &mut Context<'_>,
    ) {
        let queues = config.write_queue_nums;
        let is_new = self.topic_config.insert(topic.clone(), config).is_none();
        if is_new {
            cx.emit(EventKind::TopicCreated { topic, queues });
        }
        self.register_broker_all(true, cx);
    }

    /// What this broker tells a name server. A broker that is not writable says so of each topic.
    ///
    /// Follows `BrokerController.registerBrokerAll`.
    pub fn registration(&self) -> BrokerRegistration {
        let mut topics = Vec::with_capacity(self.topic_config.len());
        for (topic, config) in &self.topic_config {
            let mut config = config.clone();
            config.permission.writable &= self.is_writable;
            topics.push((topic.clone(), config));
        }
        BrokerRegistration {
            broker_name: self.name.clone(),
            broker_id: self.broker_id,
            address: self.index,
            topics,
        }
    }

    /// Registers with the name server, over the connection that is kept to it.
    pub(crate) fn register_broker_all(&mut self, oneway: bool, cx: &mut Context<'_>) {
        if !self.is_up {
            return;
        }
        let causes = cx.causes();
        let connection = match self.channels.name_server {
            Some(connection) => connection,
            None => {
                let connection = cx.next_connection();
                cx.emit(EventKind::ConnectionOpened { connection, to: NAME_SERVER });
                self.channels.name_server = Some(connection);
                connection
            }
        };
        let call = cx.next_call();
        let request = Request::RegisterBroker(self.registration());
        let (code, detail) = (RequestCode::RegisterBroker, RequestDetail::None);
        cx.emit(EventKind::RequestSent { call, to: NAME_SERVER, code, oneway, detail });
        cx.send_request(call, connection, NAME_SERVER, request, oneway);
        cx.set_causes(causes);
    }

    /// Every 30 s, the first time 10 s after the start.
    ///
    /// Follows `BrokerController.start`.
    pub(crate) fn register_periodically(&mut self, cx: &mut Context<'_>) {
        self.register_broker_all(false, cx);
        let next = self.next_registration(cx);
        cx.next_turn(next, |cx| self.schedule_registration(cx));
    }

    fn next_registration(&self, cx: &Context<'_>) -> Millis {
        let profile = cx.profile();
        let grid = self.grid(
            constants::register_broker_initial_delay(profile),
            constants::register_broker_interval(profile),
        );
        grid.after(cx.now())
    }

    pub(crate) fn schedule_registration(&self, cx: &mut Context<'_>) {
        let at = self.next_registration(cx);
        let task = BrokerTask::RegisterToNameServer;
        cx.schedule_look(self.index, self.life, at, TimerKind::RegisterBroker, task);
    }

    /// Tells the name server goodbye: the connection closes.
    pub(crate) fn close_name_server(&mut self, cx: &mut Context<'_>) {
        if let Some(connection) = self.channels.name_server.take() {
            cx.send_closed(connection, NAME_SERVER);
        }
    }

    /// The name server has heard of this broker without a packet, when the run was set up.
    pub(crate) fn open_name_server(&mut self, cx: &mut Context<'_>) {
        self.channels.name_server = Some(cx.next_connection());
    }
}
