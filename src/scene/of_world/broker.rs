//! The broker's box: its ribbon, queues, staircase, dead letters, ledger and locks.

use super::Eye;
use crate::model::ids::{QueueId, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::order;
use crate::model::time::Millis;
use crate::model::topic::{SCHEDULE_TOPIC, dlq_topic, retry_topic};
use crate::scene::at_broker::{
    Broker, BrokerLedgerRow, BrokerLock, CommitLog, DeadLetters, DelayLevel, Ended, LogRecord,
    Queue,
};
use crate::scene::card::MessageState;
use crate::scene::cast::is_user_topic;
use crate::scene::journal::Turn;
use crate::sim::broker::Broker as World;
use crate::sim::packet::Machine;

/// Records on the ribbon.
const RIBBON: usize = 6;
/// Cards of one level, of the pit.
const CARDS: usize = 24;

impl Eye<'_> {
    pub(super) fn brokers(&self) -> Vec<Broker> {
        self.world.brokers.iter().map(|broker| self.broker(broker)).collect()
    }

    fn broker(&self, broker: &World) -> Broker {
        let topics = self.topics();
        let queues = topics.iter().flat_map(|topic| self.queues(broker, topic)).collect();
        let retry = self.group.as_ref().map(retry_topic);
        let retry_queues = retry.iter().flat_map(|topic| self.queues(broker, topic)).collect();
        Broker {
            index: broker.index,
            name: broker.name.clone(),
            broker_id: broker.broker_id,
            is_up: broker.is_up,
            ended: self.ended(broker),
            is_frozen: self.world.frozen.contains_key(&Machine::Broker(broker.index)),
            is_writable: broker.is_writable,
            slow_by: broker.store_delay,
            commit_log: self.ribbon(broker),
            queues,
            retry_queues,
            levels: self.levels(broker),
            dead_letters: self.dead_letters(broker),
            ledger: self.ledger(broker),
            ledger_is_saved: broker.consumer_offset == broker.persisted_offset,
            members: self.members(broker),
            locks: self.locks(broker),
        }
    }

    fn ended(&self, broker: &World) -> Option<Ended> {
        let turns = self.past.turns(Machine::Broker(broker.index)).iter().rev();
        let mut ends = turns.filter(|_| !broker.is_up).filter_map(|fact| match fact.turn {
            Turn::BrokerStopped { is_killed } => Some(Ended { at: fact.at, is_killed }),
            _ => None,
        });
        ends.next()
    }

    /// The topics that the group's consumers subscribe to; before there is any, all that people made.
    fn topics(&self) -> Vec<TopicName> {
        let mut topics: Vec<TopicName> = Vec::new();
        if let Some(group) = &self.group {
            let consumers = self.world.clients.iter().filter_map(|it| it.consumers.get(group));
            let wanted = consumers.flat_map(|consumer| consumer.wanted.iter());
            topics.extend(wanted.map(|(topic, _)| topic.clone()));
        }
        if topics.is_empty() {
            let known = self.world.brokers.iter().flat_map(|broker| broker.topic_config.keys());
            topics.extend(known.filter(|topic| is_user_topic(topic)).cloned());
        }
        order::sort(&mut topics);
        topics.dedup();
        topics
    }

    fn queues(&self, broker: &World, topic: &TopicName) -> Vec<Queue> {
        let Some(config) = broker.topic_config.get(topic) else { return Vec::new() };
        let count = config.read_queue_nums.max(config.write_queue_nums);
        let name = |id| MessageQueue::new(topic.clone(), broker.name.clone(), QueueId(id));
        (0..count).map(|id| self.queue(broker, name(id))).collect()
    }

    fn ribbon(&self, broker: &World) -> CommitLog {
        let total = broker.commit_log.record_count();
        let records = (total.saturating_sub(RIBBON)..total).filter_map(|index| {
            let record = broker.commit_log.get(index)?;
            let queue =
                MessageQueue::new(record.topic.clone(), broker.name.clone(), record.queue_id);
            Some(LogRecord {
                copy: record.message_id(),
                label: self.past.label(record),
                queue: self.cast.queue(&queue),
                is_dispatched: (index as u64) < broker.reput_from,
            })
        });
        CommitLog { records: records.collect(), total: total as u64 }
    }

    fn levels(&self, broker: &World) -> Vec<DelayLevel> {
        let waiting = &self.delayed[broker.index.0 as usize];
        let waits = (1..).zip(&broker.config.message_delay_level).zip(waiting);
        waits
            .map(|((level, &wait), waiting)| {
                let front = waiting.first();
                let cards = waiting.iter().take(CARDS);
                DelayLevel {
                    level,
                    wait,
                    front_since: front.map_or(Millis::ZERO, |front| front.message.stored_at),
                    front_due_at: front.map(|front| front.due()),
                    cards: cards.map(|entry| self.delayed_card(&entry.message)).collect(),
                }
            })
            .collect()
    }

    fn dead_letters(&self, broker: &World) -> Option<DeadLetters> {
        let group = self.group.as_ref()?;
        let topic = dlq_topic(group);
        broker.topic_config.get(&topic)?;
        let log = broker.find_consume_queue(&topic, QueueId(0));
        let max = log.map_or(QueueOffset::ZERO, |log| log.max_offset());
        let first = (max.0 - CARDS as i64).max(0);
        let cards = (first..max.0).filter_map(|offset| log?.get(QueueOffset(offset)));
        let cards = cards.map(|entry| {
            let record = &entry.message;
            self.card(record, MessageState::Dead, record.reconsume_times)
        });
        Some(DeadLetters {
            queue: MessageQueue::new(topic.clone(), broker.name.clone(), QueueId(0)),
            group: group.clone(),
            cards: cards.collect(),
            total: u64::try_from(max.0).unwrap_or(0),
        })
    }

    fn ledger(&self, broker: &World) -> Vec<BrokerLedgerRow> {
        let rows = broker.consumer_offset.iter();
        let rows = rows.filter(|(topic, group, ..)| {
            Some(*group) == self.group.as_ref() && topic.as_str() != SCHEDULE_TOPIC
        });
        let row = |(topic, _, id, offset): (&TopicName, _, QueueId, QueueOffset)| {
            let queue = MessageQueue::new(topic.clone(), broker.name.clone(), id);
            BrokerLedgerRow { label: self.cast.queue(&queue), queue, offset }
        };
        // The people's topics first, then the retry queue, as on the stage.
        let mut rows: Vec<BrokerLedgerRow> = rows.map(row).collect();
        order::sort_by_key(&mut rows, |row| !is_user_topic(&row.queue.topic));
        rows
    }

    fn members(&self, broker: &World) -> Vec<crate::scene::card::Label> {
        let groups = &broker.client_manage.groups;
        let group = self.group.as_ref().and_then(|group| groups.get(group));
        let channels = group.iter().flat_map(|group| &group.channels);
        channels.map(|channel| self.cast.process(channel.process)).collect()
    }

    fn locks(&self, broker: &World) -> Vec<BrokerLock> {
        let of_group = broker.rebalance_lock.iter();
        let of_group = of_group.filter(|(group, ..)| Some(*group) == self.group.as_ref());
        let lease = broker.config.rebalance_lock_max_live_time;
        let mut locks: Vec<BrokerLock> = of_group
            .map(|(_, queue, entry)| BrokerLock {
                queue: queue.clone(),
                label: self.cast.queue(queue),
                owner: self.client_label(&entry.client_id),
                renewed_at: entry.last_update_at,
                expires_at: entry.last_update_at + lease,
            })
            .collect();
        order::sort_by_key(&mut locks, |lock| !is_user_topic(&lock.queue.topic));
        locks
    }
}
