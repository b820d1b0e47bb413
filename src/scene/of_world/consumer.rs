//! A consumer process: pull room, shelves, workers, ledger; and what is left of a dead one.

use super::Eye;
use crate::model::constants;
use crate::model::ids::{ClientId, ProcessIndex, ProcessQueueId};
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::order;
use crate::model::time::Millis;
use crate::scene::at_consumer::{
    Belief, Consumer, ConsumerLedgerRow, ProcessState, Refused, Seat, Shelf, Shuttle, Workers,
};
use crate::scene::card::{Card, Label, MessageState};
use crate::scene::journal::Turn;
use crate::sim::client::consume_pool::{Worker, WorkerState};
use crate::sim::client::consumer::{PushConsumer, Shelf as Window};
use crate::sim::client::{ClientInstance, ProcessState as Life, ServiceState};
use crate::sim::event::{Actor, EventKind};
use crate::sim::packet::Machine;

/// Cards of one shelf.
const CARDS: i64 = 64;
/// Finished ones that a shelf remembers.
const FINISHED: i64 = 8;
/// Cards before the pool.
const WAITING: usize = 8;
/// Seats with a name, if so many are not busy.
const SEATS: u32 = 8;
/// Dead processes that stay on the stage.
const DEAD: usize = 3;
/// Steps of start().
const STEPS: u8 = 15;

impl Eye<'_> {
    /// Live ones, and the last few dead ones that nobody has replaced.
    pub(super) fn consumers(&self) -> Vec<Consumer> {
        let dead = self.dead_processes();
        let clients = self.world.clients.iter();
        let shown = clients.filter(|client| self.is_up(client) || dead.contains(&client.process));
        let mut shown: Vec<&ClientInstance> = shown.collect();
        // Whoever comes again stands where it stood.
        let first = |of: &ClientInstance| {
            self.world.clients.iter().position(|client| client.client_id == of.client_id)
        };
        order::sort_by_key(&mut shown, |client| (first(client), client.process));
        shown.into_iter().filter_map(|client| self.consumer_in(client.process)).collect()
    }

    /// Whether the group's consumer in this process is there and has not been shut down.
    pub(super) fn is_up(&self, client: &ClientInstance) -> bool {
        let consumer = self.group.as_ref().and_then(|group| client.consumers.get(group));
        client.is_alive() && consumer.is_some_and(|it| it.state != ServiceState::ShutdownAlready)
    }

    /// Processes whose consumer of the group has ended, and whose client id has not come back, in the
    /// order of joining.
    pub(super) fn dead_processes(&self) -> Vec<ProcessIndex> {
        let Some(group) = &self.group else { return Vec::new() };
        let mut dead: Vec<ProcessIndex> = Vec::new();
        for (index, client) in self.world.clients.iter().enumerate() {
            if !client.consumers.contains_key(group) || self.is_up(client) {
                continue;
            }
            let turns = self.past.turns(Machine::Client(client.process));
            let ended_at = turns.last().map_or(self.now, |fact| fact.at);
            // Two may have had the same id at a time: only who came afterwards has replaced it.
            let mut later = self.world.clients[index + 1..].iter();
            let replaces = |other: &ClientInstance| {
                other.client_id == client.client_id && other.started_at >= ended_at
            };
            if !later.any(replaces) {
                dead.push(client.process);
            }
        }
        let surplus = dead.len().saturating_sub(DEAD);
        dead.split_off(surplus)
    }

    pub(super) fn consumer_in(&self, process: ProcessIndex) -> Option<Consumer> {
        let client = self.world.client(process);
        let consumer = client.consumers.get(self.group.as_ref()?)?;
        let state = self.process_state(client, consumer);
        let mut scene = Consumer {
            process,
            client_id: client.client_id.clone(),
            group: consumer.group.clone(),
            label: self.cast.process(process),
            state,
            pulls: self.shuttles(client, consumer),
            shelves: consumer
                .shelves
                .iter()
                .map(|(id, it)| self.shelf(client, consumer, *id, it))
                .collect(),
            is_broadcasting: !consumer.is_clustering(),
            refused: self.refused(client, consumer),
            workers: self.workers(consumer),
            ledger: self.consumer_ledger(consumer),
            report_at: self.errands.report_at(process),
            rebalance: self.rebalance(client),
            rebalance_at: client.rebalance_service.wait_until,
        };
        order::sort_by(&mut scene.shelves, |a, b| {
            a.queue.cmp(&b.queue).then(a.is_dropped.cmp(&b.is_dropped))
        });
        if let Some(remains) = self.sight.remains.get(&process)
            && !client.is_alive()
        {
            take_remains(&mut scene, remains);
        }
        Some(scene)
    }

    fn process_state(&self, client: &ClientInstance, consumer: &PushConsumer) -> ProcessState {
        let machine = Machine::Client(client.process);
        let turns = self.past.turns(machine).iter().rev();
        let last = |is_it: &dyn Fn(&Turn) -> bool| {
            turns.clone().find(|fact| is_it(&fact.turn)).map_or(self.now, |fact| fact.at)
        };
        match client.process_state {
            Life::Crashed => ProcessState::Crashed { at: last(&|it| *it == Turn::Crashed) },
            Life::HostLost => ProcessState::Crashed { at: last(&|it| *it == Turn::HostLost) },
            Life::Stopped => {
                ProcessState::Stopped { at: last(&|it| matches!(it, Turn::Stopped(_))) }
            }
            Life::Running if consumer.state == ServiceState::ShutdownAlready => {
                let of_group = |it: &Turn| matches!(it, Turn::Stopped(of) if *of == consumer.group);
                ProcessState::Stopped { at: last(&of_group) }
            }
            Life::Running if self.world.frozen.contains_key(&machine) => {
                ProcessState::Frozen { since: last(&|it| matches!(it, Turn::Frozen { .. })) }
            }
            Life::Running => match (self.step_told(client, consumer), &consumer.start) {
                (Some(step), _) => ProcessState::Starting { step },
                (None, Some(run)) => ProcessState::Starting { step: (run.step + 1).min(STEPS) },
                (None, None) if consumer.shutdown.is_some() => ProcessState::Stopping,
                (None, None) => ProcessState::Running,
            },
        }
    }

    /// The step that is being told: several are done in one task.
    fn step_told(&self, client: &ClientInstance, consumer: &PushConsumer) -> Option<u8> {
        let event = self.sight.event?;
        if event.actor != Actor::Machine(Machine::Client(client.process)) {
            return None;
        }
        match &event.kind {
            EventKind::ConsumerStarting { group } if *group == consumer.group => Some(1),
            EventKind::StartStepDone { group, step } if *group == consumer.group => Some(*step),
            _ => None,
        }
    }

    fn shuttles(&self, client: &ClientInstance, consumer: &PushConsumer) -> Vec<Shuttle> {
        let queues = consumer.process_queue_table.keys();
        queues
            .filter_map(|queue| {
                let pull = self.pulls.of_queue(client.process, queue)?;
                Some(Shuttle {
                    queue: queue.clone(),
                    label: self.cast.queue(queue),
                    next_offset: pull.request.next_offset,
                    place: pull.place.clone(),
                })
            })
            .collect()
    }

    /// What the last passes gave to it and the broker's locks kept from it (spec 06).
    fn refused(&self, client: &ClientInstance, consumer: &PushConsumer) -> Vec<Refused> {
        if !consumer.is_orderly() || !client.is_alive() {
            return Vec::new();
        }
        let mut seen = std::collections::BTreeSet::new();
        let passes = self.past.allocations().iter().rev();
        let passes = passes.filter(|it| it.process == client.process && it.group == consumer.group);
        let latest = passes.filter(|it| seen.insert(it.topic.clone()));
        let missing = latest.flat_map(|it| it.mine.iter().map(move |queue| (it.at, queue)));
        let missing = missing.filter(|(_, queue)| {
            let held = consumer.process_queue_table.contains_key(*queue);
            let owner = self.world.broker_named(&queue.broker_name, 0).and_then(|master| {
                let broker = self.world.broker(master);
                broker.rebalance_lock.entry(&consumer.group, queue)
            });
            !held && owner.is_some_and(|entry| entry.client_id != client.client_id)
        });
        let refused = |(since, queue): (Millis, &MessageQueue)| Refused {
            queue: queue.clone(),
            label: self.cast.queue(queue),
            since,
        };
        missing.map(refused).collect()
    }

    fn shelf(
        &self,
        client: &ClientInstance,
        consumer: &PushConsumer,
        id: ProcessQueueId,
        shelf: &Window,
    ) -> Shelf {
        let window = &shelf.window;
        let config = &consumer.config;
        let taken = window.consuming_orderly();
        let first =
            [window.messages(), taken].into_iter().filter_map(|map| map.keys().next()).min();
        let cards = match first {
            Some(first) => self.shelf_cards(id, shelf, *first),
            None => Vec::new(),
        };
        let belief = consumer.is_orderly().then(|| self.belief(client, shelf));
        let next = first.map_or(window.queue_offset_max().next(), |first| *first);
        let finished = self.finished(client, &shelf.queue, next);
        Shelf {
            process_queue: id,
            queue: shelf.queue.clone(),
            label: self.cast.queue(&shelf.queue),
            finished,
            cards,
            count: u64::try_from(window.message_count()).unwrap_or(0),
            bytes: u64::try_from(window.message_bytes()).unwrap_or(0),
            span: u64::try_from(window.max_span()).unwrap_or(0),
            span_limit: u64::from(config.consume_concurrently_max_span),
            count_limit: u64::from(config.pull_threshold_for_queue),
            is_dropped: window.is_dropped(),
            belief,
        }
    }

    /// From the smallest unfinished offset on, without gaps: what is no longer there leaves a hole.
    fn shelf_cards(&self, id: ProcessQueueId, shelf: &Window, first: QueueOffset) -> Vec<Card> {
        let window = &shelf.window;
        let last = window.queue_offset_max().0.min(first.0 + CARDS - 1);
        let mut cards = Vec::new();
        for offset in (first.0..=last).map(QueueOffset) {
            let here = window.get(offset).or_else(|| window.consuming_orderly().get(&offset));
            if let (Some(entry), Some((state, failures))) =
                (here, self.hands.on_shelf(id, shelf, offset))
            {
                cards.push(self.card(&entry.message, state, failures));
            } else if let Some(record) = self.record(&shelf.queue, offset) {
                let committed = Some(offset.next());
                let (state, failures) = match self.state(&shelf.queue, record, committed) {
                    (state, failures) if state.leaves_a_hole() => (state, failures),
                    (_, failures) => (MessageState::Done, failures),
                };
                cards.push(self.card(record, state, failures));
            }
        }
        cards
    }

    /// What this process has had of the queue just before `next` and is done with, oldest first.
    fn finished(
        &self,
        client: &ClientInstance,
        queue: &MessageQueue,
        next: QueueOffset,
    ) -> Vec<Card> {
        let mut cards = Vec::new();
        for offset in (next.0 - FINISHED..next.0).rev().map(QueueOffset) {
            let Some(record) = self.record(queue, offset) else { break };
            if self.past.last_deliverer(record, self.group.as_ref()) != Some(client.process) {
                break;
            }
            let (state, failures) = self.state(queue, record, Some(next));
            if !state.leaves_a_hole() {
                break;
            }
            cards.push(self.card(record, state, failures));
        }
        cards.reverse();
        cards
    }

    /// The record at a place of a queue, as the queue's master has it.
    fn record(&self, queue: &MessageQueue, offset: QueueOffset) -> Option<&StoredMessage> {
        let master = self.world.broker_named(&queue.broker_name, 0)?;
        let log = self.world.broker(master).find_consume_queue(&queue.topic, queue.queue_id)?;
        log.get(offset).map(|entry| &*entry.message)
    }

    fn belief(&self, client: &ClientInstance, shelf: &Window) -> Belief {
        let profile = self.sight.simulation.engine().profile;
        let window = &shelf.window;
        let until = window.last_lock_at + constants::client_lock_max_live_time(profile);
        let master = self.world.broker_named(&shelf.queue.broker_name, 0);
        let lock = master.zip(self.group.as_ref()).and_then(|(master, group)| {
            let broker = self.world.broker(master);
            let entry = broker.rebalance_lock.entry(group, &shelf.queue)?;
            let ends = entry.last_update_at + broker.config.rebalance_lock_max_live_time;
            (ends >= self.now).then_some(&entry.client_id)
        });
        let is_locked = window.is_locked && until >= self.now;
        Belief {
            is_locked: window.is_locked,
            since: window.last_lock_at,
            until,
            is_wrong: is_locked != (lock == Some(&client.client_id)),
        }
    }

    fn workers(&self, consumer: &PushConsumer) -> Workers {
        let pool = &consumer.pool;
        let named = (pool.workers.len() as u32).max(pool.core.min(SEATS));
        let mut seats: Vec<Seat> = Vec::new();
        for index in 0..named {
            let worker = pool.workers.get(index as usize);
            let is_busy = worker.is_some_and(|it| !matches!(it.state, WorkerState::Idle));
            if is_busy || index < SEATS {
                seats.push(self.seat(consumer, index, worker));
            }
        }
        let waiting = pool.waiting.iter().take(WAITING);
        let waiting_cards = waiting
            .filter_map(|request| request.messages.first())
            .map(|it| self.card(&it.message, MessageState::Waiting, it.reconsume_times))
            .collect();
        Workers {
            size: pool.core,
            seats,
            busy: pool.busy(),
            waiting: pool.waiting.len() as u64,
            waiting_cards,
        }
    }

    fn seat(&self, consumer: &PushConsumer, index: u32, worker: Option<&Worker>) -> Seat {
        let mut seat = Seat {
            index,
            card: None,
            batch: 0,
            queue: Label::from(""),
            since: self.now,
            takes: None,
            holds_mutex: false,
        };
        let Some((worker, request)) = worker.and_then(|it| Some((it, it.request.as_ref()?))) else {
            return seat;
        };
        seat.queue = self.cast.queue(&request.message_queue);
        let monitor = consumer.orderly.monitors.get(&request.message_queue);
        seat.holds_mutex = monitor.is_some_and(|monitor| monitor.holder == Some(index));
        seat.batch = request.messages.len() as u32;
        let first = match &worker.state {
            WorkerState::Idle => None,
            WorkerState::Starting => request.messages.first().map(|it| (it, MessageState::Waiting)),
            WorkerState::Listening(call) => {
                seat.since = call.started_at;
                seat.takes = call.ends_at.map(|ends| ends.since(call.started_at));
                seat.batch = call.messages.len() as u32;
                call.messages.first().map(|it| (it, MessageState::Running))
            }
            WorkerState::SendingBack(run) => {
                let current = run.current.as_ref().or_else(|| run.batch.first());
                current.map(|it| (it, MessageState::Failed))
            }
            WorkerState::SendingDeadLetters(run) => {
                let current = run.current.as_ref().or_else(|| run.call.messages.first());
                current.map(|it| (it, MessageState::Failed))
            }
        };
        seat.card = first.map(|(it, state)| self.card(&it.message, state, it.reconsume_times));
        seat
    }

    fn consumer_ledger(&self, consumer: &PushConsumer) -> Vec<ConsumerLedgerRow> {
        let owned = |queue: &MessageQueue| consumer.process_queue_table.contains_key(queue);
        let rows = consumer.offset_store.iter().filter(|(queue, _)| owned(queue));
        let row = |(queue, offset): (&MessageQueue, QueueOffset)| {
            let reported = self.world.broker_named(&queue.broker_name, 0).and_then(|master| {
                let table = &self.world.broker(master).consumer_offset;
                table.query_offset(&consumer.group, &queue.topic, queue.queue_id)
            });
            ConsumerLedgerRow {
                queue: queue.clone(),
                label: self.cast.queue(queue),
                offset,
                is_dirty: consumer.is_clustering() && reported != Some(offset),
            }
        };
        rows.map(row).collect()
    }

    /// What people call a client: the newest process with its id.
    pub(super) fn client_label(&self, client_id: &ClientId) -> Label {
        let live = self.world.live_client(client_id).or_else(|| {
            let mut clients = self.world.clients.iter().rev();
            clients.find(|it| it.client_id == *client_id).map(|it| it.process)
        });
        live.map_or_else(|| client_id.as_str().into(), |process| self.cast.process(process))
    }
}

/// A dead process shows the outlines of what it held.
fn take_remains(scene: &mut Consumer, remains: &Consumer) {
    scene.pulls = remains.pulls.clone();
    scene.shelves = remains.shelves.clone();
    scene.workers = remains.workers.clone();
    scene.ledger = remains.ledger.clone();
    let seats = scene.workers.seats.iter_mut().filter_map(|seat| seat.card.as_mut());
    let shelved = scene.shelves.iter_mut().flat_map(|shelf| &mut shelf.cards);
    for card in seats.chain(shelved).chain(&mut scene.workers.waiting_cards) {
        if !card.state.leaves_a_hole() {
            card.state = MessageState::Lost;
        }
    }
}
