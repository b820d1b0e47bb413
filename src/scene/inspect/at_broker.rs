//! Name server, producers, and everything in the broker's box.

use super::{Desk, Inspection, Table, count, joined, name, row, told, yes};
use crate::model::ids::{BrokerIndex, ProcessIndex};
use crate::model::message_queue::MessageQueue;
use crate::scene::at_broker::{Broker, Queue};
use crate::scene::scene::Producer;
use crate::text::inspect::{InspectText, InspectWord as W, Value};

impl Desk<'_> {
    pub(super) fn name_server(&self) -> Option<Inspection> {
        let world = self.sight.simulation.world();
        let mut told = told(InspectText::NameServer);
        let is_up = world.is_name_server_up;
        told.numbers = vec![
            row(W::State, Value::Word(if is_up { W::Up } else { W::Down })),
            row(W::Topics, count(world.name_server.topic_queue_table.len())),
            row(W::Brokers, count(world.name_server.broker_live_table.len())),
        ];
        Some(told)
    }

    pub(super) fn producer(&self, process: ProcessIndex) -> Option<Inspection> {
        let is_it = |it: &&Producer| it.process == process;
        let producer = self.scene.producers.iter().find(is_it)?;
        let mut told = told(InspectText::Producer { label: producer.label.clone() });
        told.numbers = vec![
            row(W::Sent, Value::Count(producer.sent)),
            row(W::ClientId, name(producer.client_id.as_str())),
        ];
        if let Some(next) = producer.next.first() {
            told.numbers.push(row(W::NextMessage, Value::Name(next.label.clone())));
            told.numbers.push(row(W::SentAt, Value::Left(next.at)));
        }
        Some(told)
    }

    fn broker_scene(&self, index: BrokerIndex) -> Option<&Broker> {
        self.scene.broker(index)
    }

    pub(super) fn broker(&self, index: BrokerIndex) -> Option<Inspection> {
        let broker = self.broker_scene(index)?;
        let real = self.sight.simulation.world().broker(index);
        let mut told = told(InspectText::Broker { name: broker.name.as_str().into() });
        let delayed = broker.levels.iter().map(|level| level.cards.len()).sum();
        told.numbers = vec![
            row(W::State, Value::Word(if broker.is_up { W::Up } else { W::Down })),
            row(W::Records, Value::Count(broker.commit_log.total)),
            row(W::Queues, count(real.consume_queues.len())),
            row(W::Groups, count(real.client_manage.groups.len())),
            row(W::HeldPulls, count(real.pull_request_hold.len())),
            row(W::DelayedMessages, count(delayed)),
        ];
        told.tables.extend(self.ledger_table(broker));
        told.tables.extend(self.lock_table(broker));
        told.tables.extend(self.bench_table(broker));
        told.tables.extend(self.level_table(broker));
        Some(told)
    }

    fn ledger_table(&self, broker: &Broker) -> Option<Table> {
        let rows: Vec<Vec<Value>> = broker
            .ledger
            .iter()
            .map(|row| vec![Value::Name(row.label.clone()), Value::Offset(row.offset.0)])
            .collect();
        let head = vec![W::Queues, W::CommittedOffset];
        (!rows.is_empty()).then_some(Table { title: W::Ledger, head, rows })
    }

    fn lock_table(&self, broker: &Broker) -> Option<Table> {
        let rows: Vec<Vec<Value>> = broker
            .locks
            .iter()
            .map(|lock| {
                vec![
                    Value::Name(lock.label.clone()),
                    Value::Name(lock.owner.clone()),
                    Value::Moment(lock.renewed_at),
                    Value::Left(lock.expires_at),
                ]
            })
            .collect();
        let head = vec![W::Queues, W::LockOwner, W::RenewedAt, W::EndsAt];
        (!rows.is_empty()).then_some(Table { title: W::Locks, head, rows })
    }

    fn bench_table(&self, broker: &Broker) -> Option<Table> {
        let queues = broker.queues.iter().chain(&broker.retry_queues);
        let rows: Vec<Vec<Value>> = queues
            .filter_map(|queue| {
                let held = queue.held.as_ref()?;
                Some(vec![
                    Value::Name(queue.label.clone()),
                    Value::Name(self.narrator.cast().process(held.process)),
                    Value::Offset(held.next_offset.0),
                    Value::Left(held.until),
                ])
            })
            .collect();
        let head = vec![W::Queues, W::Reader, W::NextOffset, W::Until];
        (!rows.is_empty()).then_some(Table { title: W::Bench, head, rows })
    }

    fn level_table(&self, broker: &Broker) -> Option<Table> {
        let busy = broker.levels.iter().filter(|level| !level.cards.is_empty());
        let rows: Vec<Vec<Value>> = busy
            .map(|level| {
                vec![
                    Value::Count(u64::from(level.level)),
                    Value::Span(level.wait),
                    count(level.cards.len()),
                    level.front_due_at.map_or(Value::Missing, Value::Left),
                ]
            })
            .collect();
        let head = vec![W::Levels, W::Wait, W::Messages, W::FrontDue];
        (!rows.is_empty()).then_some(Table { title: W::Levels, head, rows })
    }

    pub(super) fn commit_log(&self, index: BrokerIndex) -> Option<Inspection> {
        let broker = self.broker_scene(index)?;
        let real = self.sight.simulation.world().broker(index);
        let mut told = told(InspectText::CommitLog { broker: broker.name.as_str().into() });
        let waiting = (real.commit_log.record_count() as u64).saturating_sub(real.reput_from);
        told.numbers = vec![
            row(W::Records, Value::Count(broker.commit_log.total)),
            row(W::LogEnd, Value::Count(real.commit_log.max_offset().0)),
            row(W::NotDispatched, Value::Count(waiting)),
        ];
        let records = broker.commit_log.records.iter().rev();
        let rows = records
            .map(|record| {
                vec![
                    Value::Count(record.copy.physical_offset.0),
                    Value::Name(record.label.clone()),
                    Value::Name(record.queue.clone()),
                ]
            })
            .collect();
        let head = vec![W::Offset, W::Message, W::Queues];
        told.tables = vec![Table { title: W::Records, head, rows }];
        Some(told)
    }

    pub(super) fn find_queue(&self, of: &MessageQueue) -> Option<&Queue> {
        let brokers = self.scene.brokers.iter();
        let mut queues =
            brokers.flat_map(|broker| broker.queues.iter().chain(&broker.retry_queues));
        queues.find(|queue| queue.queue == *of)
    }

    pub(super) fn queue(&self, of: &MessageQueue) -> Option<Inspection> {
        let queue = self.find_queue(of)?;
        let what = InspectText::Queue {
            label: queue.label.clone(),
            topic: queue.queue.topic.as_str().into(),
        };
        let mut told = told(what);
        let offset = |offset: Option<i64>| offset.map_or(Value::Missing, Value::Offset);
        let committed = queue.committed.map(|offset| offset.0);
        let client = queue.unreported.as_ref().map(|it| it.offset.0).or(committed);
        let reader = queue.reader.clone().map_or(Value::Word(W::Nobody), Value::Name);
        told.numbers = vec![
            row(W::MaxOffset, Value::Offset(queue.max_offset.0)),
            row(W::PullOffset, offset(queue.pull.as_ref().map(|pull| pull.offset.0))),
            row(W::ClientOffset, offset(client)),
            row(W::CommittedOffset, offset(committed)),
            row(W::MinOffset, Value::Offset(queue.min_offset.0)),
            row(W::InHand, Value::Count(queue.in_hand().unsigned_abs())),
            row(W::Lag, Value::Count(queue.lag().unsigned_abs())),
            row(W::Reader, reader),
        ];
        if let Some(since) = queue.oldest_unfinished_since {
            told.numbers.push(row(W::OldestUnfinished, Value::Age(since)));
        }
        let lock = self.scene.brokers.iter().flat_map(|it| &it.locks).find(|it| it.queue == *of);
        if let Some(lock) = lock {
            told.numbers.push(row(W::LockOwner, Value::Name(lock.owner.clone())));
        }
        if let Some(lock) = lock {
            told.numbers.push(row(W::Until, Value::Left(lock.expires_at)));
        }
        told.why = self.why_silent(queue).or_else(|| Some(self.why_commit(queue)));
        Some(told)
    }

    /// Why C stands where it stands.
    fn why_commit(&self, queue: &Queue) -> InspectText {
        let Some(owner) = self.owner(&queue.queue) else { return InspectText::WhyNobodyReads };
        let shelf = owner.shelves.iter().find(|it| it.queue == queue.queue && !it.is_dropped);
        let pinned = shelf.and_then(|shelf| self.why_pinned(owner, shelf));
        match (pinned, &queue.unreported) {
            (Some(pinned), None) => pinned,
            (_, Some(unreported)) => InspectText::WhyUnreported { offset: unreported.offset.0 },
            (None, None) => InspectText::WhyUpToDate,
        }
    }

    pub(super) fn level(&self, index: BrokerIndex, level: u32) -> Option<Inspection> {
        let broker = self.broker_scene(index)?;
        let it = broker.levels.iter().find(|it| it.level == level)?;
        let mut told = told(InspectText::Level { level, wait: it.wait });
        told.numbers =
            vec![row(W::Wait, Value::Span(it.wait)), row(W::Messages, count(it.cards.len()))];
        if let Some(due) = it.front_due_at {
            told.numbers.push(row(W::FrontDue, Value::Left(due)));
        }
        let rows: Vec<Vec<Value>> = it
            .cards
            .iter()
            .map(|card| {
                let failures = Value::Count(u64::from(card.failures));
                vec![Value::Name(card.label.clone()), Value::Offset(card.offset.0), failures]
            })
            .collect();
        if !rows.is_empty() {
            let head = vec![W::Message, W::Offset, W::Failures];
            told.tables = vec![Table { title: W::Messages, head, rows }];
        }
        if let Some(front) = it.cards.first().filter(|front| front.failures > 0) {
            let (failures, wait) = (front.failures, it.wait);
            told.why = Some(InspectText::WhyDelayed { failures, level, wait });
        }
        Some(told)
    }

    pub(super) fn dead_letters(&self, of: &MessageQueue) -> Option<Inspection> {
        let mut dead = self.scene.brokers.iter().filter_map(|it| it.dead_letters.as_ref());
        let dead = dead.find(|dead| dead.queue == *of)?;
        let mut told = told(InspectText::DeadLetters { group: dead.group.as_str().into() });
        told.numbers = vec![
            row(W::Total, Value::Count(dead.total)),
            row(W::Reader, Value::Word(W::Nobody)),
            row(W::Messages, joined(dead.cards.iter().map(|card| card.label.clone()))),
        ];
        told.why = Some(InspectText::WhyNoReader);
        Some(told)
    }

    pub(super) fn broker_ledger(&self, index: BrokerIndex) -> Option<Inspection> {
        let broker = self.broker_scene(index)?;
        let mut told = told(InspectText::BrokerLedger { broker: broker.name.as_str().into() });
        told.numbers = vec![row(W::Saved, yes(broker.ledger_is_saved))];
        told.tables.extend(self.ledger_table(broker));
        Some(told)
    }

    pub(super) fn lock(&self, of: &MessageQueue) -> Option<Inspection> {
        let mut locks = self.scene.brokers.iter().flat_map(|broker| &broker.locks);
        let lock = locks.find(|lock| lock.queue == *of)?;
        let (queue, owner) = (lock.label.clone(), lock.owner.clone());
        let mut told = told(InspectText::Lock { queue, owner: owner.clone() });
        told.numbers = vec![
            row(W::LockOwner, Value::Name(owner.clone())),
            row(W::RenewedAt, Value::Moment(lock.renewed_at)),
            row(W::EndsAt, Value::Moment(lock.expires_at)),
            row(W::Until, Value::Left(lock.expires_at)),
        ];
        let is_gone = self.is_gone_by_label(&owner);
        told.journey = self.lock_journey(lock);
        let asks = self.asker(of).and_then(|it| Some((it.label.clone(), it.rebalance_at?)));
        let asks = asks.filter(|(_, asks_at)| *asks_at >= lock.expires_at);
        let taken = self.why_taken_over(of);
        told.why = taken.or_else(|| {
            Some(match (is_gone, asks) {
                (true, Some((asker, asks_at))) => {
                    let until = lock.expires_at;
                    InspectText::WhyLeaseThenAsked { owner, until, asker, asks_at }
                }
                (true, None) => InspectText::WhyLeaseOwnerGone { owner },
                _ => InspectText::WhyLease { span: lock.expires_at.since(lock.renewed_at) },
            })
        });
        Some(told)
    }
}
