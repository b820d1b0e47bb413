//! What became of each record for each group: started, done, sent back, committed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::model::ids::{GroupName, ProcessIndex, TopicName};
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::sim::Simulation;

/// One record, as one group met it.
#[derive(Clone, Debug, Default)]
pub struct RecordHistory {
    /// Listener calls that began, by client.
    pub started_by: BTreeMap<ProcessIndex, u32>,
    pub succeeded: u32,
    pub failed: u32,
    /// Sent back, dead-lettered by the client, or dropped in broadcasting.
    pub handed_over: u32,
    pub local_retries: u32,
}

impl RecordHistory {
    pub fn started(&self) -> u32 {
        self.started_by.values().sum()
    }

    /// Nobody needs it in its queue any more.
    pub fn is_done(&self) -> bool {
        self.succeeded > 0 || self.handed_over > 0
    }
}

/// One queue, as one group met it.
#[derive(Clone, Debug, Default)]
pub struct QueueHistory {
    /// Where the group began.
    pub start: Option<QueueOffset>,
    pub assignments: u32,
    pub records: BTreeMap<QueueOffset, RecordHistory>,
    /// The largest offset that was ever passed to a listener.
    pub max_started: Option<QueueOffset>,
    /// Up to here the committed offsets have been looked at.
    pub committed: Option<QueueOffset>,
}

#[derive(Clone, Debug, Default)]
pub struct Histories {
    pub queues: BTreeMap<(GroupName, MessageQueue), QueueHistory>,
}

pub fn queue_of(message: &StoredMessage) -> MessageQueue {
    MessageQueue::new(message.topic.clone(), message.broker_name.clone(), message.queue_id)
}

impl Histories {
    pub fn queue(&self, group: &GroupName, queue: &MessageQueue) -> Option<&QueueHistory> {
        self.queues.get(&(group.clone(), queue.clone()))
    }

    pub fn record(&self, group: &GroupName, message: &StoredMessage) -> Option<&RecordHistory> {
        self.queue(group, &queue_of(message))?.records.get(&message.queue_offset)
    }

    fn queue_mut(&mut self, group: &GroupName, queue: &MessageQueue) -> &mut QueueHistory {
        self.queues.entry((group.clone(), queue.clone())).or_default()
    }

    fn record_mut(&mut self, group: &GroupName, message: &StoredMessage) -> &mut RecordHistory {
        let queue = self.queue_mut(group, &queue_of(message));
        queue.records.entry(message.queue_offset).or_default()
    }

    pub fn note_assigned(&mut self, group: &GroupName, queue: &MessageQueue, next: QueueOffset) {
        let history = self.queue_mut(group, queue);
        history.assignments += 1;
        // While the broker has no offset of the group, each new owner begins as if it were the first:
        // what the one before did is known to nobody (spec 07.4).
        if history.committed.is_none() {
            if history.start.is_some_and(|start| next < start) {
                history.max_started = None;
            }
            history.start = Some(next);
        }
    }

    /// An orderly consumer reads its offset again under the lock, and so begins later if messages came
    /// meanwhile (spec 03.2, 7c).
    pub fn note_first_locked_pull(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        at: QueueOffset,
    ) {
        let history = self.queue_mut(group, queue);
        if history.committed.is_none() {
            history.start = history.start.max(Some(at));
        }
    }

    pub fn note_commit(&mut self, group: &GroupName, queue: &MessageQueue, to: QueueOffset) {
        let history = self.queue_mut(group, queue);
        history.committed = history.committed.max(Some(to));
    }

    pub fn note_started(
        &mut self,
        process: ProcessIndex,
        group: &GroupName,
        message: &StoredMessage,
    ) {
        *self.record_mut(group, message).started_by.entry(process).or_default() += 1;
        let history = self.queue_mut(group, &queue_of(message));
        history.max_started = history.max_started.max(Some(message.queue_offset));
    }

    pub fn note_ended(&mut self, group: &GroupName, message: &StoredMessage, succeeded: bool) {
        let record = self.record_mut(group, message);
        if succeeded {
            record.succeeded += 1;
        } else {
            record.failed += 1;
        }
    }

    pub fn note_handed_over(&mut self, group: &GroupName, message: &StoredMessage) {
        self.record_mut(group, message).handed_over += 1;
    }

    pub fn note_local_retry(&mut self, group: &GroupName, message: &StoredMessage) {
        self.record_mut(group, message).local_retries += 1;
    }
}

/// What the consumers of each group subscribed to, over the whole run.
#[derive(Clone, Debug, Default)]
pub struct Subscriptions {
    known: BTreeMap<(GroupName, TopicName), Rc<str>>,
    /// Groups in which not everyone always subscribed to the same: X1 and X2 promise them nothing.
    pub mixed: BTreeSet<GroupName>,
}

impl Subscriptions {
    pub fn note(&mut self, simulation: &Simulation) {
        let consumers = simulation.world().clients.iter().flat_map(|it| it.consumers.values());
        for consumer in consumers {
            for (topic, subscription) in &consumer.subscriptions {
                let key = (consumer.group.clone(), topic.clone());
                let expression = &subscription.expression;
                let known = self.known.entry(key).or_insert_with(|| expression.as_str().into());
                if **known != **expression {
                    self.mixed.insert(consumer.group.clone());
                }
            }
        }
    }
}
