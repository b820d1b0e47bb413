//! A consumer process and what is in it.

use std::collections::BTreeSet;

use super::{Desk, Inspection, NumberRow, Table, count, joined, name, row, told, yes};
use crate::model::config::ConsumerConfig;
use crate::model::ids::{ProcessIndex, ProcessQueueId};
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::scene::at_consumer::{Consumer, ProcessState, PullPlace, Shelf};
use crate::scene::draw::process_word;
use crate::scene::tree::Tree;
use crate::sim::client::consumer::PushConsumer;
use crate::text::inspect::{Field, InspectText, InspectWord as W, Value};

impl Desk<'_> {
    fn push_consumer(&self, process: ProcessIndex) -> Option<&PushConsumer> {
        let client = self.sight.simulation.world().clients.get(process.0 as usize)?;
        client.consumers.get(self.scene.group.as_ref()?)
    }

    pub(super) fn consumer(&self, process: ProcessIndex) -> Option<Inspection> {
        let consumer = self.scene.consumer(process)?;
        let real = self.push_consumer(process)?;
        let mut told = told(InspectText::Consumer {
            label: consumer.label.clone(),
            state: process_word(&consumer.state),
        });
        told.numbers = vec![
            row(W::ClientId, name(consumer.client_id.as_str())),
            row(W::Group, name(consumer.group.as_str())),
            row(W::Queues, joined(consumer.pulls.iter().map(|pull| pull.label.clone()))),
            row(W::Busy, busy(consumer)),
        ];
        if let ProcessState::Starting { step } = consumer.state {
            told.step = Some(step);
            told.numbers.push(row(W::Step, Value::Of { count: u64::from(step), limit: 15 }));
        }
        let profile = self.sight.simulation.engine().profile;
        told.numbers.extend(config_rows(&real.config, &ConsumerConfig::defaults(profile)));
        let rows: Vec<Vec<Value>> = real
            .subscriptions
            .values()
            .map(|it| vec![name(it.topic.as_str()), name(&it.expression)])
            .collect();
        if !rows.is_empty() {
            let head = vec![W::Topic, W::Subscription];
            told.tables = vec![Table { title: W::Subscriptions, head, rows }];
        }
        told.why = self.why_asks(consumer);
        Some(told)
    }

    /// A pass makes a PullRequest for each queue whose offset it knows, and hands none over before its end.
    fn why_asks(&self, consumer: &Consumer) -> Option<InspectText> {
        let made = consumer.pulls.iter().filter(|pull| pull.place == PullPlace::InPass).count();
        let mut seen = BTreeSet::new();
        let passes = self.sight.past.allocations().iter().rev();
        let passes = passes
            .filter(|it| it.process == consumer.process && it.group == consumer.group)
            .filter(|it| seen.insert(&it.topic));
        let of = passes.map(|it| it.mine.len() as u64).sum();
        let done = consumer.shelves.iter().filter(|shelf| !shelf.is_dropped).count() as u64;
        (made > 1 && done < of).then_some(InspectText::WhyAsksOneByOne { done, of })
    }

    pub(super) fn pull(&self, process: ProcessIndex, queue: &MessageQueue) -> Option<Inspection> {
        let consumer = self.scene.consumer(process)?;
        let pull = consumer.pulls.iter().find(|pull| pull.queue == *queue)?;
        let next = pull.next_offset.0;
        let mut told = told(InspectText::Pull { queue: pull.label.clone(), next });
        let place = match &pull.place {
            PullPlace::InPass => W::InPass,
            PullPlace::Belt(_) => W::OnBelt,
            PullPlace::Seat => W::AtSeat,
            PullPlace::Away => W::OnWire,
            PullPlace::Bench => W::OnBench,
            PullPlace::Postponed { .. } => W::PutOff,
        };
        told.numbers =
            vec![row(W::NextOffset, Value::Offset(next)), row(W::Place, Value::Word(place))];
        if let PullPlace::Postponed { since, until, .. } = &pull.place {
            told.numbers.push(row(W::Since, Value::Age(*since)));
            told.numbers.push(row(W::Until, Value::Left(*until)));
        }
        let held = self.find_queue(queue).and_then(|queue| queue.held.as_ref());
        if let Some(held) = held.filter(|held| held.process == process) {
            told.numbers.push(row(W::Since, Value::Age(held.since)));
            told.numbers.push(row(W::Until, Value::Left(held.until)));
            told.why = Some(InspectText::WhyHeld { offset: next });
        }
        let memory = self.push_consumer(process)?.offset_store.read_from_memory(queue);
        let carried = memory.map_or(Value::Missing, |offset| Value::Offset(offset.0));
        told.numbers.push(row(W::CommitCarried, carried));
        Some(told)
    }

    fn shelf_of(&self, process: ProcessIndex, id: ProcessQueueId) -> Option<(&Consumer, &Shelf)> {
        let consumer = self.scene.consumer(process)?;
        let shelf = consumer.shelves.iter().find(|shelf| shelf.process_queue == id)?;
        Some((consumer, shelf))
    }

    pub(super) fn shelf(&self, process: ProcessIndex, id: ProcessQueueId) -> Option<Inspection> {
        let (consumer, shelf) = self.shelf_of(process, id)?;
        let mut told = told(InspectText::Shelf {
            queue: shelf.label.clone(),
            process: consumer.label.clone(),
        });
        let mut of_limit =
            row(W::Count, Value::Of { count: shelf.count, limit: shelf.count_limit });
        let config = self.push_consumer(process).map(|it| &it.config);
        let profile = self.sight.simulation.engine().profile;
        let defaults = ConsumerConfig::defaults(profile);
        let is_scaled = config
            .is_some_and(|it| it.pull_threshold_for_queue != defaults.pull_threshold_for_queue);
        of_limit.default =
            is_scaled.then(|| Value::Count(u64::from(defaults.pull_threshold_for_queue)));
        let mut span = row(W::Span, Value::Of { count: shelf.span, limit: shelf.span_limit });
        let most_span = defaults.consume_concurrently_max_span;
        span.default =
            (shelf.span_limit != u64::from(most_span)).then(|| Value::Count(u64::from(most_span)));
        told.numbers = vec![of_limit, row(W::Bytes, Value::Bytes(shelf.bytes)), span];
        let real = self.push_consumer(process).and_then(|it| it.shelves.get(&id));
        if let Some(real) = real {
            let window = &real.window;
            let keys = window.messages().keys();
            let key = |key: Option<&crate::model::offset::QueueOffset>| {
                key.map_or(Value::Missing, |key| Value::Offset(key.0))
            };
            told.numbers.push(row(W::FirstKey, key(keys.clone().next())));
            told.numbers.push(row(W::LastKey, key(keys.clone().next_back())));
            told.numbers.push(row(W::LastPull, Value::Age(window.last_pull_at)));
            told.numbers.push(row(W::LastConsume, Value::Age(window.last_consume_at)));
            if shelf.belief.is_some() {
                let taken = window.consuming_orderly().keys();
                let taken = joined(taken.map(|offset| offset.to_string().into()));
                let field = Field::Property("consumingMsgOrderlyTreeMap");
                told.numbers.push(row(field, taken));
            }
            told.tree = Some(Tree::of(keys.copied()));
        }
        told.numbers.push(row(W::Dropped, yes(shelf.is_dropped)));
        if let Some(belief) = &shelf.belief {
            told.numbers.push(row(W::Locked, yes(belief.is_locked)));
        }
        told.why = self.why_pinned(consumer, shelf);
        Some(told)
    }

    pub(super) fn belief(&self, process: ProcessIndex, queue: &MessageQueue) -> Option<Inspection> {
        let consumer = self.scene.consumer(process)?;
        let mut shelves = consumer.shelves.iter();
        let shelf = shelves.find(|shelf| shelf.queue == *queue && !shelf.is_dropped)?;
        let belief = shelf.belief.as_ref()?;
        let mut told = told(InspectText::Belief {
            queue: shelf.label.clone(),
            process: consumer.label.clone(),
        });
        told.numbers = vec![
            row(W::Locked, yes(belief.is_locked)),
            row(W::RenewedAt, Value::Moment(belief.since)),
            row(W::Until, Value::Left(belief.until)),
        ];
        told.why = Some(match belief.is_wrong {
            true => InspectText::WhyBeliefWrong,
            false => InspectText::WhyLease { span: belief.until.since(belief.since) },
        });
        Some(told)
    }

    pub(super) fn requests(&self, process: ProcessIndex) -> Option<Inspection> {
        let consumer = self.scene.consumer(process)?;
        let mut told = told(InspectText::Requests { process: consumer.label.clone() });
        let waiting = consumer.workers.waiting_cards.iter().map(|card| card.label.clone());
        told.numbers = vec![
            row(W::WaitingRequests, Value::Count(consumer.workers.waiting)),
            row(W::Messages, joined(waiting)),
            row(W::Busy, busy(consumer)),
        ];
        Some(told)
    }

    pub(super) fn worker(&self, process: ProcessIndex, index: u32) -> Option<Inspection> {
        let consumer = self.scene.consumer(process)?;
        let seat = consumer.workers.seats.iter().find(|seat| seat.index == index)?;
        let mut told = told(InspectText::Worker { process: consumer.label.clone(), index });
        let Some(card) = &seat.card else {
            told.numbers = vec![row(W::State, Value::Word(W::Idle))];
            return Some(told);
        };
        (told.state, told.failures) = (Some(card.state), card.failures);
        told.numbers = vec![
            row(W::Message, Value::Name(card.label.clone())),
            row(W::Place, Value::Name(format!("{}·{}", seat.queue, card.offset).into())),
            row(W::Batch, Value::Count(u64::from(seat.batch))),
            row(W::Elapsed, Value::Age(seat.since)),
            row(W::Takes, seat.takes.map_or(Value::Missing, Value::Span)),
        ];
        let minutes = self.push_consumer(process)?.config.consume_timeout;
        let limit = Value::Span(Millis::from_minutes(u64::from(minutes)));
        told.numbers.push(row(W::Timeout, limit));
        let mut shelves = consumer.shelves.iter();
        let queue = shelves.find(|shelf| shelf.label == seat.queue).map(|shelf| &shelf.queue);
        told.why = Some(self.why_running(process, queue, card.unique_key));
        Some(told)
    }

    pub(super) fn consumer_ledger(&self, process: ProcessIndex) -> Option<Inspection> {
        let consumer = self.scene.consumer(process)?;
        let mut told = told(InspectText::ConsumerLedger { process: consumer.label.clone() });
        let rows: Vec<Vec<Value>> = consumer
            .ledger
            .iter()
            .map(|row| {
                let reported = Value::Word(if row.is_dirty { W::NotReported } else { W::Reported });
                vec![Value::Name(row.label.clone()), Value::Offset(row.offset.0), reported]
            })
            .collect();
        told.numbers = vec![row(W::Queues, count(rows.len()))];
        let dirty = consumer.ledger.iter().find(|row| row.is_dirty);
        told.why = Some(match dirty {
            Some(row) => InspectText::WhyUnreported { offset: row.offset.0 },
            None => InspectText::WhyUpToDate,
        });
        let head = vec![W::Queues, W::ClientOffset, W::State];
        told.tables = vec![Table { title: W::Ledger, head, rows }];
        Some(told)
    }

    pub(super) fn rebalance(&self, process: ProcessIndex) -> Option<Inspection> {
        let consumer = self.scene.consumer(process)?;
        let real = self.push_consumer(process)?;
        let mut told = told(InspectText::Rebalance { process: consumer.label.clone() });
        let strategy = real.config.allocate_strategy.name();
        told.numbers = vec![row(W::Strategy, name(&strategy))];
        let last = self.sight.past.allocations().iter().rev();
        let mut last =
            last.filter(|it| it.process == process && crate::scene::cast::is_user_topic(&it.topic));
        if let Some(last) = last.next() {
            let members = last.members.iter().map(|it| self.narrator.client(it));
            told.numbers.push(row(W::Topic, name(last.topic.as_str())));
            told.numbers.push(row(W::Members, joined(members)));
            told.numbers
                .push(row(W::Queues, joined(last.queues.iter().map(|it| self.queue_label(it)))));
            told.numbers
                .push(row(W::Mine, joined(last.mine.iter().map(|it| self.queue_label(it)))));
        }
        told.why = Some(InspectText::WhySameLists);
        Some(told)
    }
}

fn busy(consumer: &Consumer) -> Value {
    let workers = &consumer.workers;
    Value::Of { count: u64::from(workers.busy), limit: u64::from(workers.size) }
}

/// The properties that a person sets most, the changed ones with RocketMQ's default.
fn config_rows(config: &ConsumerConfig, defaults: &ConsumerConfig) -> Vec<NumberRow> {
    let number = |name, value: i64, default: i64| {
        let shown = |value: i64| Value::Name(value.to_string().into());
        let default = (value != default).then(|| shown(default));
        NumberRow { field: Field::Property(name), value: shown(value), was: None, default }
    };
    let of = |name, get: fn(&ConsumerConfig) -> i64| number(name, get(config), get(defaults));
    let mut rows = vec![
        of("consumeThreadMin", |it| i64::from(it.consume_thread_min)),
        of("consumeMessageBatchMaxSize", |it| i64::from(it.consume_message_batch_max_size)),
        of("pullBatchSize", |it| i64::from(it.pull_batch_size)),
        of("pullInterval", |it| it.pull_interval.ms() as i64),
        of("pullThresholdForQueue", |it| i64::from(it.pull_threshold_for_queue)),
        of("pullThresholdSizeForQueue", |it| i64::from(it.pull_threshold_size_for_queue)),
        of("consumeConcurrentlyMaxSpan", |it| i64::from(it.consume_concurrently_max_span)),
        of("maxReconsumeTimes", |it| i64::from(it.max_reconsume_times)),
        of("consumeTimeout", |it| i64::from(it.consume_timeout)),
        of("persistConsumerOffsetInterval", |it| it.persist_consumer_offset_interval.ms() as i64),
        of("heartbeatBrokerInterval", |it| it.heartbeat_broker_interval.ms() as i64),
    ];
    let words = |name, value: String, default: String| {
        let default = (value != default).then(|| Value::Name(default.into()));
        NumberRow {
            field: Field::Property(name),
            value: Value::Name(value.into()),
            was: None,
            default,
        }
    };
    let text = |it: &ConsumerConfig| {
        (
            format!("{:?}", it.message_model).to_uppercase(),
            format!("{:?}", it.consume_mode).to_uppercase(),
            it.allocate_strategy.name(),
        )
    };
    let (now, usual) = (text(config), text(defaults));
    rows.push(words("messageModel", now.0, usual.0));
    rows.push(words("messageListener", now.1, usual.1));
    rows.push(words("allocateMessageQueueStrategy", now.2, usual.2));
    rows
}
