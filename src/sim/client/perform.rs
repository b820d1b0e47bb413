//! Commands that a running client carries out itself.

use super::ClientInstance;
use super::heartbeat::HeartbeatOwner;
use crate::model::ids::GroupName;
use crate::model::subscription::SubscriptionData;
use crate::sim::apply::set_on_interrupt;
use crate::sim::command::Command;
use crate::sim::engine::Context;

/// What `SetConsumerProperty` can change while the consumer runs.
pub const PROPERTIES: [&str; 5] = [
    "consumeThreadMin",
    "pullThresholdForQueue",
    "consumeConcurrentlyMaxSpan",
    "pullBatchSize",
    "consumeMessageBatchMaxSize",
];

impl ClientInstance {
    /// Carries out a command that was checked before.
    pub(crate) fn perform(&mut self, command: &Command, cx: &mut Context<'_>) {
        match command {
            Command::StopProducer { .. } => self.stop_producer(cx),
            Command::StopConsumer { group, .. } => {
                for group in self.groups_meant(group.as_ref()) {
                    let causes = cx.causes();
                    self.stop_consumer(&group, cx);
                    cx.set_causes(causes);
                }
            }
            Command::Subscribe { group, topic, expression, .. } => {
                let sub_version = cx.local_now().ms();
                let data = SubscriptionData::parse(topic, expression, sub_version);
                if let Some(consumer) = self.consumers.get_mut(group)
                    && let Ok(data) = data
                {
                    consumer.subscriptions.insert(topic.clone(), data);
                    self.send_heartbeat(HeartbeatOwner::Subscribe, cx);
                }
            }
            Command::Unsubscribe { group, topic, .. } => {
                if let Some(consumer) = self.consumers.get_mut(group) {
                    consumer.subscriptions.remove(topic);
                }
            }
            Command::SetListener { group, listener, .. } => {
                for group in self.groups_meant(group.as_ref()) {
                    if let Some(consumer) = self.consumers.get_mut(&group) {
                        consumer.listener = (**listener).clone();
                    }
                }
            }
            Command::SetOnInterrupt { on_interrupt, .. } => {
                for consumer in self.consumers.values_mut() {
                    set_on_interrupt(&mut consumer.listener, *on_interrupt);
                }
            }
            Command::PausePulling { .. } => {
                let by = cx.causes();
                self.consumers.values_mut().for_each(|consumer| consumer.pause(by));
            }
            Command::ResumePulling { .. } => {
                self.consumers.values_mut().for_each(|consumer| consumer.is_paused = false);
                self.wake_rebalance(cx);
            }
            Command::SetConsumerProperty { name, value, .. } => {
                for consumer in self.consumers.values_mut() {
                    consumer.set_property(name, *value);
                }
            }
            Command::SkipHeartbeat { .. } => self.skip_next_heartbeat = true,
            Command::HalfOpenReconnect { .. } => self.lose_connections(cx),
            _ => {}
        }
    }

    fn groups_meant(&self, group: Option<&GroupName>) -> Vec<GroupName> {
        match group {
            Some(group) => vec![group.clone()],
            None => self.consumers.keys().cloned().collect(),
        }
    }
}

impl super::consumer::PushConsumer {
    /// [`PROPERTIES`] as they are now.
    pub fn properties(&self) -> Vec<(&'static str, i64)> {
        let config = &self.config;
        let values = [
            config.consume_thread_min,
            config.pull_threshold_for_queue,
            config.consume_concurrently_max_span,
            config.pull_batch_size,
            config.consume_message_batch_max_size,
        ];
        PROPERTIES.into_iter().zip(values.map(i64::from)).collect()
    }

    /// Changes a property of a running consumer, by RocketMQ's name.
    fn set_property(&mut self, name: &str, value: i64) {
        let number = u32::try_from(value).unwrap_or(0);
        match name {
            "consumeThreadMin" => {
                self.config.consume_thread_min = number;
                self.pool.core = number;
            }
            "pullThresholdForQueue" => self.config.pull_threshold_for_queue = number,
            "consumeConcurrentlyMaxSpan" => self.config.consume_concurrently_max_span = number,
            "pullBatchSize" => self.config.pull_batch_size = number,
            "consumeMessageBatchMaxSize" => self.config.consume_message_batch_max_size = number,
            _ => {}
        }
    }
}
