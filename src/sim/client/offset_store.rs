//! `RemoteBrokerOffsetStore` and `LocalFileOffsetStore` at work: reads, and the commit path (spec 07).

use std::collections::BTreeSet;

use super::ClientInstance;
use super::call::{CallResult, Waiter};
use super::rebalance_queues::StoreOffset;
use crate::model::constants;
use crate::model::ids::{GroupName, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::rules::Rules;
use crate::sim::engine::Context;
use crate::sim::event::EventKind;
use crate::sim::packet::{Machine, Request, ResponseBody, ResponseCode};

impl ClientInstance {
    /// Asks the broker for the stored offset. `false`: there is no address to ask.
    pub(crate) fn query_offset(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        waiter: Waiter,
        cx: &mut Context<'_>,
    ) -> bool {
        let Some(broker) = self.offset_broker_of(&queue.broker_name, cx) else { return false };
        let request = Request::QueryConsumerOffset {
            group: group.clone(),
            topic: queue.topic.clone(),
            queue_id: queue.queue_id,
        };
        let timeout = constants::query_consumer_offset_timeout(cx.profile());
        self.call_sync(Machine::Broker(broker), request, timeout, waiter, cx);
        true
    }

    /// What the answer means; a value is also written to memory.
    pub(crate) fn offset_from_store(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        result: CallResult,
        cx: &mut Context<'_>,
    ) -> StoreOffset {
        let told = meaning_of(result, &cx.rules());
        if let StoreOffset::Found(offset) = told {
            self.update_offset(group, queue, offset, false, cx);
        }
        told
    }

    /// Moves the offset in memory, and tells it if it moved.
    pub(crate) fn update_offset(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        offset: QueueOffset,
        increase_only: bool,
        cx: &mut Context<'_>,
    ) {
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        let before = consumer.offset_store.read_from_memory(queue);
        consumer.offset_store.update_offset(queue, offset, increase_only);
        let after = consumer.offset_store.read_from_memory(queue);
        if before != after {
            cx.emit(EventKind::OffsetMoved {
                group: group.clone(),
                queue: queue.clone(),
                from: before.unwrap_or(QueueOffset::NONE),
                to: after.unwrap_or(QueueOffset::NONE),
            });
        }
    }

    /// persist(mq): one UPDATE_CONSUMER_OFFSET, if there is something to tell. A local store writes its
    /// file, since 4.9.8.
    pub(crate) fn persist(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        cx: &mut Context<'_>,
    ) {
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        let Some(offset) = consumer.offset_store.read_from_memory(queue) else { return };
        if consumer.is_clustering() {
            self.report_offset(group, queue, offset, cx);
        } else if cx.rules().local_store_persists_one {
            consumer.local_file.update_offset(queue, offset, false);
        }
    }

    /// removeOffset; a no-op in a local store.
    pub(crate) fn forget_offset(&mut self, group: &GroupName, queue: &MessageQueue) {
        if let Some(consumer) = self.consumers.get_mut(group)
            && consumer.is_clustering()
        {
            consumer.offset_store.remove_offset(queue);
        }
    }

    fn report_offset(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        offset: QueueOffset,
        cx: &mut Context<'_>,
    ) {
        let Some(broker) = self.offset_broker_of(&queue.broker_name, cx) else { return };
        let request = Request::UpdateConsumerOffset {
            group: group.clone(),
            topic: queue.topic.clone(),
            queue_id: queue.queue_id,
            commit_offset: offset,
        };
        self.call_oneway(Machine::Broker(broker), request, cx);
    }

    /// The topics of queues whose offset is to be told while no master of their broker is known: their
    /// routes are asked for first, one call for each queue (since 4.9.3).
    pub(crate) fn topics_without_master(&self, cx: &Context<'_>) -> Vec<TopicName> {
        if !cx.rules().offsets_at_master_only {
            return Vec::new();
        }
        let consumers = self.consumers.values().filter(|it| it.is_running() && it.is_clustering());
        let queues = consumers.flat_map(|consumer| {
            consumer.process_queue_table.keys().filter(|queue| {
                consumer.offset_store.read_from_memory(queue).is_some()
                    && self.master_of(&queue.broker_name).is_none()
            })
        });
        queues.map(|queue| queue.topic.clone()).collect()
    }

    /// persistAllConsumerOffset: every running consumer.
    pub(crate) fn persist_all_consumer_offset(&mut self, cx: &mut Context<'_>) {
        let causes = cx.causes();
        let groups: Vec<GroupName> = self
            .consumers
            .values()
            .filter(|consumer| consumer.is_registered())
            .map(|consumer| consumer.group.clone())
            .collect();
        for group in groups {
            cx.set_causes(causes);
            self.persist_consumer_offset(&group, cx);
        }
    }

    /// persistConsumerOffset requires the consumer RUNNING. All entries of owned queues are sent,
    /// changed or not; a local store writes its file.
    pub(crate) fn persist_consumer_offset(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let Some(consumer) = self.consumers.get_mut(group).filter(|it| it.is_running()) else {
            return;
        };
        let owned: BTreeSet<MessageQueue> = consumer.process_queue_table.keys().cloned().collect();
        if !consumer.is_clustering() {
            if !owned.is_empty() {
                for (queue, offset) in consumer.offset_store.iter() {
                    if owned.contains(queue) {
                        consumer.local_file.update_offset(queue, offset, false);
                    }
                }
            }
            return;
        }
        let causes = cx.causes();
        for (queue, offset) in consumer.offset_store.persist_all(&owned) {
            cx.set_causes(causes);
            self.report_offset(group, &queue, offset, cx);
        }
    }
}

/// What the answer to QUERY_CONSUMER_OFFSET says.
///
/// Follows `MQClientAPIImpl.queryConsumerOffset` and `RemoteBrokerOffsetStore.readOffset`.
fn meaning_of(result: CallResult, rules: &Rules) -> StoreOffset {
    let CallResult::Answered(response) = result else { return StoreOffset::Unknown };
    match (response.code, response.body) {
        (ResponseCode::Success, ResponseBody::Offset(offset)) => StoreOffset::Found(offset),
        (ResponseCode::QueryNotFound, _) => StoreOffset::NotFound,
        _ if rules.query_offset_error_means_none => StoreOffset::NotFound,
        _ => StoreOffset::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::Profile;
    use crate::sim::packet::{RequestCode, Response};

    #[test]
    fn an_error_of_the_broker_reads_as_no_offset_until_4_9_only() {
        let told = |profile: Profile, code: ResponseCode, body: ResponseBody| {
            let response = Response { of: RequestCode::QueryConsumerOffset, code, body };
            meaning_of(CallResult::Answered(response), &Rules::of(profile))
        };
        for profile in Profile::ALL {
            let at_7 = ResponseBody::Offset(QueueOffset(7));
            let found = told(profile, ResponseCode::Success, at_7);
            assert_eq!(found, StoreOffset::Found(QueueOffset(7)));
            let none = told(profile, ResponseCode::QueryNotFound, ResponseBody::Empty);
            assert_eq!(none, StoreOffset::NotFound);
            let error = told(profile, ResponseCode::SystemError, ResponseBody::Empty);
            assert_eq!(error == StoreOffset::Unknown, profile == Profile::V53, "{profile:?}");
            let lost = meaning_of(CallResult::TimedOut, &Rules::of(profile));
            assert_eq!(lost, StoreOffset::Unknown);
        }
    }
}
