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

/// What `SetBrokerProperty` can change while the broker runs.
pub const PROPERTIES: [&str; 2] =
    ["maxTransferCountOnMessageInMemory", "maxTransferBytesOnMessageInMemory"];

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

    /// [`PROPERTIES`] as they are now.
    pub fn properties(&self) -> Vec<(&'static str, i64)> {
        let config = &self.config;
        let values = [
            config.max_transfer_count_on_message_in_memory,
            config.max_transfer_bytes_on_message_in_memory,
        ];
        PROPERTIES.into_iter().zip(values.map(i64::from)).collect()
    }

    /// One of [`PROPERTIES`]; a value that it cannot have becomes the nearest.
    pub fn set_property(&mut self, name: &str, value: i64) {
        let number = u32::try_from(value.max(1)).unwrap_or(u32::MAX);
        match name {
            "maxTransferCountOnMessageInMemory" => {
                self.config.max_transfer_count_on_message_in_memory = number;
            }
            "maxTransferBytesOnMessageInMemory" => {
                self.config.max_transfer_bytes_on_message_in_memory = number;
            }
            _ => {}
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::Profile;
    use crate::sim::broker::bench::{Bench, message, queue};
    use crate::sim::packet::Payload;

    /// Four messages in queue 0 of `T`, at 100, 200, 300, 400 ms; the group has consumed three.
    fn bench(profile: Profile) -> Bench {
        let mut bench = Bench::new(profile);
        bench.heartbeat(1, "*", 1);
        bench.heartbeat(2, "*", 1);
        for at in 1..=4 {
            bench.run_until(at * 100);
            bench.send_now(message("T", 0, None));
        }
        bench.run_until(500);
        for id in 0..4 {
            bench.act(|broker, cx| {
                let offset = QueueOffset(if id == 0 { 3 } else { 0 });
                broker.set_offset(&"G".into(), &"T".into(), QueueId(id), offset, cx);
            });
        }
        bench
    }

    fn reset(bench: &mut Bench, timestamp: i64, force: bool) -> Result<(), CommandError> {
        bench.act(|broker, cx| broker.reset_offset(&"G".into(), &"T".into(), timestamp, force, cx))
    }

    /// The offsets of queue 0 that clients were told, by client.
    fn told(bench: &mut Bench) -> Vec<(u32, i64)> {
        let now = bench.engine.now.ms();
        bench.run_until(now);
        let mut told = Vec::new();
        for (_, packet) in &bench.sent {
            if let Payload::Request {
                request: Request::ResetConsumerClientOffset { offsets, .. },
                ..
            } = &packet.payload
            {
                let crate::sim::packet::Machine::Client(process) = packet.to else { continue };
                assert_eq!(offsets[0].0, queue(0));
                told.push((process.0, offsets[0].1.0));
            }
        }
        told
    }

    #[test]
    fn until_5_1_every_online_client_is_told_and_without_force_only_backwards() {
        for (timestamp, force, offset) in
            [(200, false, 1), (200, true, 1), (-1, false, 3), (-1, true, 4), (9_999, true, 3)]
        {
            let mut bench = bench(Profile::V49);
            reset(&mut bench, timestamp, force).expect("all queues have offsets");
            assert_eq!(told(&mut bench), [(1, offset), (2, offset)], "{timestamp} {force}");
            let stored =
                bench.broker.consumer_offset.query_offset(&"G".into(), &"T".into(), QueueId(0));
            assert_eq!(stored, Some(QueueOffset(3)), "the clients move it, not the broker");
        }
    }

    #[test]
    fn until_5_1_a_queue_without_an_offset_stops_the_reset() {
        let mut bench = Bench::new(Profile::V42);
        bench.heartbeat(1, "*", 1);
        assert!(reset(&mut bench, -1, true).is_err());
        assert_eq!(told(&mut bench), []);
        let unknown = bench
            .act(|broker, cx| broker.reset_offset(&"G".into(), &"nothing".into(), -1, true, cx));
        assert_eq!(unknown, Err(CommandError::NoSuchTopic("nothing".into())));
    }

    #[test]
    fn since_5_2_every_queue_gets_an_entry_and_nobody_is_told() {
        let mut bench = bench(Profile::V53);
        reset(&mut bench, -1, false).expect("the topic exists");
        assert_eq!(told(&mut bench), []);
        let pending: Vec<_> =
            bench.broker.pending_reset.iter().map(|(key, offset)| (key.2.0, offset.0)).collect();
        assert_eq!(pending, [(0, 4), (1, 0), (2, 0), (3, 0)]);
    }

    #[test]
    fn a_topic_is_made_or_changed_and_the_name_server_hears_of_it() {
        let mut bench = Bench::new(Profile::V49);
        bench.act(|broker, cx| broker.create_topic("new".into(), 2, cx));
        bench.act(|broker, cx| {
            broker.update_topic("T".into(), 6, 2, Permission::READ_WRITE, cx);
        });
        assert_eq!(bench.count(|kind| matches!(kind, EventKind::TopicCreated { .. })), 1);
        let topics = bench.broker.registration().topics;
        let changed = topics.iter().find(|(topic, _)| topic.as_str() == "T").expect("registered");
        assert_eq!((changed.1.read_queue_nums, changed.1.write_queue_nums), (6, 2));
        bench.run_until(0);
        assert_eq!(bench.sent.len(), 2, "two registrations");
    }

    #[test]
    fn a_broker_that_may_not_write_registers_its_topics_so() {
        let mut bench = Bench::new(Profile::V49);
        bench.act(|broker, cx| broker.set_writable(false, cx));
        let topics = bench.broker.registration().topics;
        assert!(topics.iter().all(|(_, config)| !config.permission.writable));
        bench.act(|broker, cx| broker.set_writable(true, cx));
        let topics = bench.broker.registration().topics;
        assert!(topics.iter().all(|(_, config)| config.permission.writable));
    }
}
