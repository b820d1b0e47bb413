//! One queue with its marks, and the state of each of its records as the group sees it.

use super::Eye;
use crate::model::consume_queue::ConsumeQueueEntry;
use crate::model::ids::ProcessIndex;
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;
use crate::model::topic::{SCHEDULE_TOPIC, is_retry_topic};
use crate::scene::at_broker::{HeldPull, PullMark, Queue, QueueKind, Unreported};
use crate::scene::card::{Card, MessageState};
use crate::scene::journal::Deed;
use crate::sim::broker::Broker;
use crate::sim::event::ConsumeOutcome;

/// As many slots as the widest stage shows, and those that leave when it slides.
const SLOTS: i64 = 22;

impl Eye<'_> {
    pub(super) fn queue(&self, broker: &Broker, queue: MessageQueue) -> Queue {
        let log = broker.find_consume_queue(&queue.topic, queue.queue_id);
        let min_offset = log.map_or(QueueOffset::ZERO, |log| log.min_offset());
        let max_offset = log.map_or(QueueOffset::ZERO, |log| log.max_offset());
        let committed = self.group.as_ref().and_then(|group| {
            broker.consumer_offset.query_offset(group, &queue.topic, queue.queue_id)
        });
        let entry = |offset: i64| log.and_then(|log| log.get(QueueOffset(offset)));
        let first = min_offset.0.max(max_offset.0 - SLOTS);
        let slots = (first..max_offset.0).filter_map(entry);
        let slots = slots.map(|entry| self.slot(&queue, &entry.message, committed)).collect();
        let unfinished = committed.unwrap_or(min_offset).max(min_offset);
        let oldest = entry(unfinished.0).map(|entry| entry.message.stored_at);
        let owner = self.owner(&queue);
        let held = self.pulls.held_for(broker.index, &queue).map(|held| HeldPull {
            process: match held.caller.machine {
                crate::sim::packet::Machine::Client(process) => process,
                _ => ProcessIndex::default(),
            },
            queue: queue.clone(),
            next_offset: held.header.queue_offset,
            since: held.suspended_at,
            until: self.hold_ends_at(broker, held.times_out_at),
        });
        Queue {
            kind: match is_retry_topic(&queue.topic) {
                true => QueueKind::Retry,
                false => QueueKind::Normal,
            },
            label: self.cast.queue(&queue),
            min_offset,
            max_offset,
            slots,
            committed,
            unreported: self.unreported(owner, &queue, committed),
            pull: self.pull_mark(owner, &queue),
            oldest_unfinished_since: oldest,
            reader: owner.map(|process| self.cast.process(process)),
            held,
            expected: self.expected(broker, &queue),
            queue,
        }
    }

    /// A held pull is answered by the first look after its time is over.
    fn hold_ends_at(&self, broker: &Broker, times_out_at: Millis) -> Millis {
        use crate::model::constants;
        let profile = self.sight.simulation.engine().profile;
        let period = match broker.config.long_polling_enable {
            true => constants::hold_check_interval(profile),
            false => constants::short_polling_time(profile),
        };
        broker.grid(period, period).at_or_after(times_out_at)
    }

    /// The process that has the queue in its table; of several the newest.
    pub(super) fn owner(&self, queue: &MessageQueue) -> Option<ProcessIndex> {
        let group = self.group.as_ref()?;
        let owners = self.world.clients.iter().rev();
        let mut owners = owners.filter(|client| {
            let consumer = client.consumers.get(group);
            consumer.is_some_and(|consumer| consumer.process_queue_table.contains_key(queue))
        });
        owners.next().map(|client| client.process)
    }

    /// What the owner would report now, if it is not C already.
    fn unreported(
        &self,
        owner: Option<ProcessIndex>,
        queue: &MessageQueue,
        committed: Option<QueueOffset>,
    ) -> Option<Unreported> {
        let consumer = self.world.client(owner?).consumers.get(self.group.as_ref()?)?;
        let offset = consumer.offset_store.read_from_memory(queue)?;
        let is_news = consumer.is_clustering() && committed != Some(offset);
        // A report that nobody can take is promised to nobody.
        let mut brokers = self.world.brokers.iter();
        let is_heard = brokers.any(|broker| broker.is_up && broker.name == queue.broker_name);
        let due_at = owner.filter(|_| is_heard).and_then(|it| self.errands.report_at(it));
        is_news.then_some(Unreported { offset, due_at })
    }

    fn pull_mark(&self, owner: Option<ProcessIndex>, queue: &MessageQueue) -> Option<PullMark> {
        if let Some(process) = owner {
            let pull = self.pulls.of_queue(process, queue)?;
            return Some(PullMark { process, offset: pull.request.next_offset, lost_with: None });
        }
        let lost = self.dead_processes().into_iter().rev().find_map(|process| {
            let remains = self.sight.remains.get(&process)?;
            let pull = remains.pulls.iter().find(|pull| pull.queue == *queue)?;
            Some((process, pull.next_offset))
        });
        let (process, offset) = lost?;
        let lost_with = Some(self.cast.process(process));
        Some(PullMark { process, offset, lost_with })
    }

    /// The first delayed copy that will come to this queue.
    fn expected(&self, broker: &Broker, queue: &MessageQueue) -> Option<Card> {
        let comes_here = |entry: &&ConsumeQueueEntry| {
            let properties = &entry.message.properties;
            properties.real_topic.as_ref() == Some(&queue.topic)
                && properties.real_queue_id == Some(queue.queue_id)
        };
        let waiting = self.delayed[broker.index.0 as usize].iter().flatten().copied();
        let next = waiting.filter(comes_here).min_by_key(|entry| entry.due())?;
        let mut card = self.delayed_card(&next.message);
        card.offset = broker.max_offset_in_queue(&queue.topic, queue.queue_id);
        Some(card)
    }

    pub(super) fn delayed_card(&self, record: &StoredMessage) -> Card {
        self.card(record, MessageState::Delayed, record.reconsume_times)
    }

    /// A record in its queue.
    fn slot(
        &self,
        queue: &MessageQueue,
        record: &StoredMessage,
        committed: Option<QueueOffset>,
    ) -> Card {
        let (state, failures) = self.state(queue, record, committed);
        self.card(record, state, failures)
    }

    /// Where a record is in its life, for the group.
    pub(super) fn state(
        &self,
        queue: &MessageQueue,
        record: &StoredMessage,
        committed: Option<QueueOffset>,
    ) -> (MessageState, i32) {
        if record.topic.as_str() == SCHEDULE_TOPIC {
            return (MessageState::Delayed, record.reconsume_times);
        }
        if let Some(found) = self.hands.of_message(queue, record.queue_offset) {
            return found;
        }
        let is_before_c = committed.is_some_and(|offset| record.queue_offset < offset);
        let settled = if is_before_c { MessageState::Done } else { MessageState::Stored };
        let times = record.reconsume_times;
        let Some(fact) = self.past.last_deed(record, self.group.as_ref()) else {
            return (settled, times);
        };
        match &fact.deed {
            Deed::Ended { outcome: ConsumeOutcome::Succeeded, .. }
            | Deed::FailureDropped { .. }
            | Deed::Discarded { .. } => (MessageState::Done, times),
            Deed::SentBack { .. }
            | Deed::RetryDecided { .. }
            | Deed::DeadLettered { .. }
            | Deed::DeadLetterSent { .. } => (MessageState::SentBack, times + 1),
            // Its process died or lost the queue: somebody will get it again, unless C has passed.
            Deed::Delivered { .. }
            | Deed::Ended { .. }
            | Deed::SendBackFailed { .. }
            | Deed::KeptLocally { .. }
            | Deed::Stored
            | Deed::Elapsed { .. } => (settled, times),
        }
    }
}
