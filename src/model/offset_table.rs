//! The copies of a consume offset: the client's memory ([`OffsetTable`]) and the broker's
//! ([`ConsumerOffsetTable`]), and what the broker answers when it has none (spec 07, 01.6).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::ids::{GroupName, QueueId, TopicName};
use super::message_queue::MessageQueue;
use super::offset::QueueOffset;
use super::rules::{Rules, SuccessZeroRule};

/// `offsetTable` of a client's `RemoteBrokerOffsetStore` or `LocalFileOffsetStore`: where its next
/// message of each queue is, as far as it knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OffsetTable {
    offsets: BTreeMap<MessageQueue, OffsetEntry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct OffsetEntry {
    offset: QueueOffset,
    /// No update counts until the entry is removed (`ControllableOffset`, V53).
    is_frozen: bool,
}

impl OffsetTable {
    /// Moves a queue's offset; with `increase_only` never backwards. This protects only within one
    /// client and one time of ownership (spec 07.3).
    ///
    /// Follows `RemoteBrokerOffsetStore.updateOffset`.
    pub fn update_offset(
        &mut self,
        queue: &MessageQueue,
        offset: QueueOffset,
        increase_only: bool,
    ) {
        match self.offsets.get_mut(queue) {
            Some(entry) if entry.is_frozen => {}
            Some(entry) if increase_only => entry.offset = entry.offset.max(offset),
            Some(entry) => entry.offset = offset,
            None => {
                let entry = OffsetEntry { offset, is_frozen: false };
                self.offsets.insert(queue.clone(), entry);
            }
        }
    }

    /// Sets a queue's offset and keeps it until the entry is removed: the repair of OFFSET_ILLEGAL in
    /// 5.x. A run does not show it, since the entry is removed in the same task.
    ///
    /// Follows `RemoteBrokerOffsetStore.updateAndFreezeOffset`.
    pub fn update_and_freeze_offset(&mut self, queue: &MessageQueue, offset: QueueOffset) {
        self.offsets.insert(queue.clone(), OffsetEntry { offset, is_frozen: true });
    }

    /// READ_FROM_MEMORY. `None` reads as -1 on the wire.
    ///
    /// Follows `RemoteBrokerOffsetStore.readOffset`.
    pub fn read_from_memory(&self, queue: &MessageQueue) -> Option<QueueOffset> {
        self.offsets.get(queue).map(|entry| entry.offset)
    }

    /// Follows `RemoteBrokerOffsetStore.removeOffset`.
    pub fn remove_offset(&mut self, queue: &MessageQueue) {
        self.offsets.remove(queue);
    }

    /// What the 5 s timer sends: every entry of an owned queue, changed or not. Entries of other
    /// queues are forgotten. Does nothing if no queue is owned.
    ///
    /// Follows `RemoteBrokerOffsetStore.persistAll`.
    pub fn persist_all(
        &mut self,
        owned: &BTreeSet<MessageQueue>,
    ) -> Vec<(MessageQueue, QueueOffset)> {
        if owned.is_empty() {
            return Vec::new();
        }
        self.offsets.retain(|queue, _| owned.contains(queue));
        self.iter().map(|(queue, offset)| (queue.clone(), offset)).collect()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&MessageQueue, QueueOffset)> {
        self.offsets.iter().map(|(queue, entry)| (queue, entry.offset))
    }
}

/// `offsetTable` of a broker's `ConsumerOffsetManager`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ConsumerOffsetTable {
    offsets: BTreeMap<(TopicName, GroupName), BTreeMap<QueueId, QueueOffset>>,
}

impl ConsumerOffsetTable {
    /// Overwrites. A smaller value is accepted, and nobody asks who owns the queue. Returns the
    /// value before.
    ///
    /// Follows `ConsumerOffsetManager.commitOffset`.
    pub fn commit_offset(
        &mut self,
        group: &GroupName,
        topic: &TopicName,
        queue_id: QueueId,
        offset: QueueOffset,
    ) -> Option<QueueOffset> {
        let key = (topic.clone(), group.clone());
        self.offsets.entry(key).or_default().insert(queue_id, offset)
    }

    /// Follows `ConsumerOffsetManager.queryOffset`, whose -1 is our `None`.
    pub fn query_offset(
        &self,
        group: &GroupName,
        topic: &TopicName,
        queue_id: QueueId,
    ) -> Option<QueueOffset> {
        self.offsets.get(&(topic.clone(), group.clone()))?.get(&queue_id).copied()
    }

    /// Everything stored, by topic, group and queue id.
    pub fn iter(&self) -> impl Iterator<Item = (&TopicName, &GroupName, QueueId, QueueOffset)> {
        self.offsets.iter().flat_map(|((topic, group), queues)| {
            queues.iter().map(move |(queue_id, offset)| (topic, group, *queue_id, *offset))
        })
    }
}

/// What a broker must know of a queue to answer QUERY_CONSUMER_OFFSET without a stored offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueStart {
    /// -1 for a queue that does not exist.
    pub min_offset: QueueOffset,
    /// `None` if message 0 does not exist: an empty or absent queue.
    pub message_zero: Option<MessageZero>,
}

/// Where message 0 of a queue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageZero {
    /// Not farther behind the log's end than `accessMessageInMemoryMaxRatio` of the memory.
    pub is_within_memory_ratio: bool,
    pub is_in_page_cache: bool,
}

/// The answer of QUERY_CONSUMER_OFFSET: SUCCESS with a value, or `None` for QUERY_NOT_FOUND.
///
/// SUCCESS(0) without a stored offset is why a new group on a young topic starts at 0 whatever its
/// `consumeFromWhere` says (spec 02.5).
///
/// Follows `ConsumerManageProcessor.queryConsumerOffset`.
pub fn query_consumer_offset(
    rules: &Rules,
    stored: Option<QueueOffset>,
    start: QueueStart,
) -> Option<QueueOffset> {
    if stored.is_some_and(|offset| offset >= QueueOffset::ZERO) {
        return stored;
    }
    let is_at_hand = match rules.success_zero {
        SuccessZeroRule::WithinMemoryRatio => {
            start.message_zero.is_none_or(|zero| zero.is_within_memory_ratio)
        }
        SuccessZeroRule::InPageCache => {
            start.message_zero.is_some_and(|zero| zero.is_in_page_cache)
        }
    };
    (start.min_offset <= QueueOffset::ZERO && is_at_hand).then_some(QueueOffset::ZERO)
}

#[cfg(test)]
mod tests {
    use super::super::profile::Profile;
    use super::*;

    fn queue(id: u32) -> MessageQueue {
        MessageQueue::new("T".into(), "b".into(), QueueId(id))
    }

    #[test]
    fn persist_all_sends_owned_queues_and_forgets_the_others() {
        let mut table = OffsetTable::default();
        table.update_offset(&queue(0), QueueOffset(5), true);
        table.update_offset(&queue(1), QueueOffset(6), true);
        assert_eq!(table.persist_all(&BTreeSet::new()), [], "owning nothing changes nothing");
        assert_eq!(table.read_from_memory(&queue(1)), Some(QueueOffset(6)));
        let owned = BTreeSet::from([queue(0), queue(2)]);
        assert_eq!(table.persist_all(&owned), [(queue(0), QueueOffset(5))]);
        assert_eq!(table.read_from_memory(&queue(1)), None);
    }

    #[test]
    fn a_frozen_offset_stays_until_it_is_removed() {
        let mut table = OffsetTable::default();
        table.update_and_freeze_offset(&queue(0), QueueOffset(5));
        table.update_offset(&queue(0), QueueOffset(9), true);
        table.update_offset(&queue(0), QueueOffset(2), false);
        assert_eq!(table.read_from_memory(&queue(0)), Some(QueueOffset(5)));
        table.remove_offset(&queue(0));
        table.update_offset(&queue(0), QueueOffset(9), true);
        assert_eq!(table.read_from_memory(&queue(0)), Some(QueueOffset(9)));
    }

    /// The table of spec 07.4.
    #[test]
    fn zero_is_answered_for_a_queue_whose_first_message_is_at_hand() {
        let zero = |near, cached| {
            Some(MessageZero { is_within_memory_ratio: near, is_in_page_cache: cached })
        };
        for (min_offset, message_zero, until_5_0, since_5_1) in [
            (0, zero(true, true), true, true),
            (0, zero(false, true), false, true),
            (0, zero(true, false), true, false),
            (0, None, true, false),
            (-1, None, true, false),
            (7, None, false, false),
        ] {
            let start = QueueStart { min_offset: QueueOffset(min_offset), message_zero };
            let answer = |profile| query_consumer_offset(&Rules::of(profile), None, start);
            let zero_if = |yes: bool| yes.then_some(QueueOffset::ZERO);
            assert_eq!(answer(Profile::V42), zero_if(until_5_0), "{start:?}");
            assert_eq!(answer(Profile::V49), zero_if(until_5_0), "{start:?}");
            assert_eq!(answer(Profile::V53), zero_if(since_5_1), "{start:?}");
        }
        let expired = QueueStart { min_offset: QueueOffset(7), message_zero: None };
        let stored = Some(QueueOffset(3));
        assert_eq!(query_consumer_offset(&Rules::of(Profile::V53), stored, expired), stored);
    }
}
