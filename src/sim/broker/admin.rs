//! What a person asks of a broker: topics, groups, offsets, faults.
//!
//! Follows `AdminBrokerProcessor` and `Broker2Client.resetOffset`.

use super::Broker;
use crate::model::ids::{GroupName, QueueId, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;
use crate::model::topic::{Permission, TopicConfig};
use crate::sim::command::CommandError;
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, RequestDetail};
use crate::sim::packet::Request;

impl Broker {
    /// Makes a topic, readable and writable. Emits `TopicCreated` if it was missing.
    pub fn create_topic(&mut self, topic: TopicName, queue_nums: u32, cx: &mut Context<'_>) {
        self.update_topic_config(topic, TopicConfig::read_write(queue_nums), cx);
    }

    /// Changes a topic, or makes it.
    pub fn update_topic(
        &mut self,
        topic: TopicName,
        read_queue_nums: u32,
        write_queue_nums: u32,
        permission: Permission,
        cx: &mut Context<'_>,
    ) {
        let config = TopicConfig { read_queue_nums, write_queue_nums, permission };
        self.update_topic_config(topic, config, cx);
    }

    /// Old files expire: everything below `min_offset` is gone, from the queue and from the log.
    ///
    /// # Errors
    /// If the queue has no message.
    pub fn expire_head(
        &mut self,
        topic: &TopicName,
        queue_id: QueueId,
        min_offset: QueueOffset,
    ) -> Result<(), CommandError> {
        match self.consume_queues.get_mut(&(topic.clone(), queue_id)) {
            Some(queue) => {
                queue.expire_below(min_offset);
                Ok(())
            }
            None => Err(CommandError::NoSuchQueue(topic.clone(), queue_id)),
        }
    }

    /// Admin's UPDATE_CONSUMER_OFFSET.
    pub fn set_offset(
        &mut self,
        group: &GroupName,
        topic: &TopicName,
        queue_id: QueueId,
        offset: QueueOffset,
        cx: &mut Context<'_>,
    ) {
        self.commit_offset(group, topic, queue_id, offset, false, cx);
    }

    /// The group's retry settings; makes the group if it is missing. An existing `%RETRY%` topic keeps
    /// its queues (spec 12, B13).
    pub fn update_group(&mut self, group: &GroupName, retry_queue_nums: u32, retry_max_times: i32) {
        let config = self.subscription_groups.entry(group.clone()).or_default();
        config.retry_queue_nums = retry_queue_nums;
        config.retry_max_times = retry_max_times;
    }

    /// brokerPermission with or without WRITE; the name server hears of it at once.
    pub fn set_writable(&mut self, writable: bool, cx: &mut Context<'_>) {
        self.is_writable = writable;
        self.register_broker_all(true, cx);
    }

    /// From now on every append takes this much longer.
    pub fn slow_store(&mut self, by: Millis) {
        self.store_delay = by;
    }

    pub fn set_first_message_in_memory(&mut self, in_memory: bool) {
        self.config.first_message_in_memory = in_memory;
        self.config.first_message_in_page_cache = in_memory;
    }

    /// INVOKE_BROKER_TO_RESET_OFFSET: to the offsets at a moment, or to the end for a negative one
    /// (spec 03.7). Without `force`, only backwards.
    ///
    /// # Errors
    /// If the topic is unknown; in the classic way also if a queue has no stored offset.
    pub fn reset_offset(
        &mut self,
        group: &GroupName,
        topic: &TopicName,
        timestamp: i64,
        force: bool,
        cx: &mut Context<'_>,
    ) -> Result<(), CommandError> {
        let Some(config) = self.topic_config.get(topic) else {
            return Err(CommandError::NoSuchTopic(topic.clone()));
        };
        let queues = config.read_queue_nums;
        let at = |queue_id| match timestamp {
            ..0 => self.max_offset_in_queue(topic, queue_id),
            moment => self.offset_in_queue_by_time(topic, queue_id, moment),
        };
        let targets: Vec<_> = (0..queues).map(|id| (QueueId(id), at(QueueId(id)))).collect();
        if cx.rules().server_side_offset_reset {
            self.reset_offset_inner(group, topic, targets, cx);
            Ok(())
        } else {
            self.reset_offset_at_clients(group, topic, targets, force, cx)
        }
    }

    /// Since 5.2.0: an entry for each queue, which its next pull takes up. `force` plays no part.
    ///
    /// Follows `AdminBrokerProcessor.resetOffsetInner`, `ConsumerOffsetManager.assignResetOffset`.
    fn reset_offset_inner(
        &mut self,
        group: &GroupName,
        topic: &TopicName,
        targets: Vec<(QueueId, QueueOffset)>,
        cx: &mut Context<'_>,
    ) {
        cx.emit(EventKind::OffsetReset { group: group.clone(), topic: topic.clone() });
        let causes = cx.causes();
        let has_offsets = targets
            .iter()
            .any(|(id, _)| self.consumer_offset.query_offset(group, topic, *id).is_some());
        for (queue_id, offset) in targets {
            let key = (group.clone(), topic.clone(), queue_id);
            self.pending_reset.insert(key, offset);
            // The stored offset moves too, for a group that is offline.
            if has_offsets {
                cx.set_causes(causes);
                self.commit_offset(group, topic, queue_id, offset, false, cx);
            }
        }
        cx.set_causes(causes);
    }

    /// Until 5.1: every online client is told the new offsets, oneway, and repairs itself.
    ///
    /// Follows `Broker2Client.resetOffset`.
    fn reset_offset_at_clients(
        &mut self,
        group: &GroupName,
        topic: &TopicName,
        targets: Vec<(QueueId, QueueOffset)>,
        force: bool,
        cx: &mut Context<'_>,
    ) -> Result<(), CommandError> {
        let mut offsets = Vec::with_capacity(targets.len());
        for (queue_id, target) in targets {
            let Some(stored) = self.consumer_offset.query_offset(group, topic, queue_id) else {
                let what = format!("group {group} has no offset of queue {queue_id} of {topic}");
                return Err(CommandError::BadConfig(what));
            };
            let queue = MessageQueue::new(topic.clone(), self.name.clone(), queue_id);
            let offset = if force || target < stored { target } else { stored };
            offsets.push((queue, offset));
        }
        let Some(info) = self.client_manage.groups.get(group) else { return Ok(()) };
        let members: Vec<_> =
            info.channels.iter().map(|member| (member.connection, member.process)).collect();
        let causes = cx.causes();
        for (connection, process) in members {
            cx.set_causes(causes);
            let request = Request::ResetConsumerClientOffset {
                group: group.clone(),
                topic: topic.clone(),
                offsets: offsets.clone(),
            };
            let detail = RequestDetail::Topic(topic.clone());
            self.send_to_client(connection, process, request, detail, cx);
        }
        cx.set_causes(causes);
        Ok(())
    }
}
