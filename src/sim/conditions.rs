//! The five named conditions that people watch a run for (UX 1): nothing lost, nothing delivered twice,
//! commit moving, no queue silent, one owner for each queue. Each holds until the first event that breaks it.
//!
//! [`Conditions`] is a pure fold over the events, one after the other; what can't be read off an event is
//! looked up in the world as its task left it. Groups in clustering mode only: in broadcasting, offsets and
//! owners are each client's own. Never changes a world.

mod standing;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::Serialize;

pub use self::standing::Standing;
use super::Simulation;
use super::event::{Actor, ConsumeOutcome, Event, EventKind, EventSequence};
use super::invariants::history::queue_of;
use super::packet::Machine;
use crate::model::ids::{BrokerIndex, GroupName, ProcessIndex, QueueId};
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;
use crate::model::topic::SCHEDULE_TOPIC;

/// A queue with work to do and nobody at it is silent after so long. [MODEL] The shortest span that no
/// healthy hand-over takes: a rebalance comes after 20 s at the latest (spec 02.4).
pub const SILENT_AFTER: Millis = Millis::from_seconds(30);

/// C stands still if it has not moved for so long though there is something to commit. [MODEL] Six reports
/// of 5 s each (spec 07.3).
pub const STILL_AFTER: Millis = Millis::from_seconds(30);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Condition {
    /// Every stored message that the group wants is delivered, or still waits.
    NothingLost,
    /// No record is delivered again after a call with it succeeded, or was cut off (spec 12).
    NothingTwice,
    /// C moves while there is something to commit.
    CommitMoves,
    /// No queue with waiting messages is without a listener call for long.
    NoSilence,
    /// No two processes of a group work on one queue.
    OneOwner,
}

impl Condition {
    pub const ALL: [Condition; 5] = [
        Condition::NothingLost,
        Condition::NothingTwice,
        Condition::CommitMoves,
        Condition::NoSilence,
        Condition::OneOwner,
    ];
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The group's offset went past a record that no listener ever had.
    Skipped {
        message: Rc<StoredMessage>,
    },
    /// The broker came down with records that nobody had yet.
    LostWithBroker {
        broker: BrokerIndex,
    },
    /// A failed message was answered SUCCESS and stored nowhere (`retryQueueNums` is 0).
    Discarded {
        message: Rc<StoredMessage>,
    },
    Twice {
        message: Rc<StoredMessage>,
        process: ProcessIndex,
    },
    Still {
        queue: MessageQueue,
        at: QueueOffset,
        since: Millis,
    },
    Silent {
        queue: MessageQueue,
        since: Millis,
    },
    TwoOwners {
        queue: MessageQueue,
        first: ProcessIndex,
        second: ProcessIndex,
    },
}

/// The first event that breaks a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    pub condition: Condition,
    pub at: Millis,
    pub event: EventSequence,
    pub finding: Finding,
}

type Key = (GroupName, MessageQueue);

/// All five, up to some event.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    standings: BTreeMap<Key, Standing>,
    /// When a silence or a standstill would be too long, unless something happens before.
    due: BTreeSet<(Millis, Condition, Key)>,
    /// The ends of the delay levels, by broker.
    delayed: BTreeMap<(BrokerIndex, QueueId), QueueOffset>,
    broken: BTreeMap<Condition, Break>,
}

impl Conditions {
    /// The breaks so far, at most one for each condition.
    pub fn broken(&self) -> impl Iterator<Item = &Break> {
        self.broken.values()
    }

    pub fn broken_by(&self, condition: Condition) -> Option<&Break> {
        self.broken.get(&condition)
    }

    /// Folds one event in; `simulation` is as its task left it.
    pub fn see(&mut self, event: &Event, simulation: &Simulation) {
        self.look_at_the_clock(event);
        match event.actor {
            Actor::Machine(Machine::Broker(broker)) => self.see_broker(broker, event, simulation),
            Actor::Machine(Machine::Client(process)) => {
                self.see_owner(process, event, simulation);
                self.see_call(process, event);
            }
            _ => {}
        }
    }

    fn note(&mut self, condition: Condition, event: &Event, finding: Finding) {
        let found = Break { condition, at: event.at, event: event.sequence, finding };
        self.broken.entry(condition).or_insert(found);
    }

    fn look_at_the_clock(&mut self, event: &Event) {
        while let Some((at, condition, key)) = self.due.first().cloned()
            && at <= event.at
        {
            self.due.pop_first();
            let Some(standing) = self.standings.get(&key) else { continue };
            let queue = key.1;
            let finding = match condition {
                Condition::NoSilence => Finding::Silent { queue, since: standing.active_at },
                _ => Finding::Still { queue, at: standing.committed, since: standing.still_since },
            };
            self.note(condition, event, finding);
        }
    }

    /// Changes a standing, and what is due for it.
    fn touch<T>(&mut self, key: &Key, change: impl FnOnce(&mut Standing) -> T) -> Option<T> {
        let standing = self.standings.get_mut(key)?;
        let before = standing.due();
        let result = change(standing);
        let after = standing.due();
        for ((condition, before), (_, after)) in before.into_iter().zip(after) {
            if before != after {
                before.map(|at| self.due.remove(&(at, condition, key.clone())));
                after.map(|at| self.due.insert((at, condition, key.clone())));
            }
        }
        Some(result)
    }

    fn see_broker(&mut self, broker: BrokerIndex, event: &Event, simulation: &Simulation) {
        match &event.kind {
            EventKind::ConsumeQueueAppended { message } => {
                if message.topic.as_str() == SCHEDULE_TOPIC {
                    let end = message.queue_offset.next();
                    self.delayed.insert((broker, message.queue_id), end);
                }
                self.see_arrival(message, event.at, simulation);
            }
            EventKind::OffsetCommitted { group, queue, to, .. } => {
                let key = (group.clone(), queue.clone());
                let skipped = self.touch(&key, |it| it.commit(*to, event.at)).flatten();
                self.note_skipped(skipped, event);
            }
            EventKind::RetryDiscarded { origin, .. } => {
                let message = origin.clone();
                self.note(Condition::NothingLost, event, Finding::Discarded { message });
            }
            EventKind::BrokerStopped { .. } => self.see_stop(broker, event, simulation),
            _ => {}
        }
    }

    fn note_skipped(&mut self, skipped: Option<Rc<StoredMessage>>, event: &Event) {
        if let Some(message) = skipped {
            self.note(Condition::NothingLost, event, Finding::Skipped { message });
        }
    }

    fn see_arrival(&mut self, message: &Rc<StoredMessage>, at: Millis, simulation: &Simulation) {
        let queue = queue_of(message);
        let keys: Vec<Key> =
            self.standings.keys().filter(|(_, of)| *of == queue).cloned().collect();
        for key in keys {
            if is_wanted(simulation, &key.0, message) {
                self.touch(&key, |it| it.arrive(message.clone(), at));
            }
        }
    }

    /// What a killed broker has not kept is lost if nobody had it.
    fn see_stop(&mut self, broker: BrokerIndex, event: &Event, simulation: &Simulation) {
        let it = simulation.world().broker(broker);
        let mut is_lost = false;
        for ((of, queue_id), end) in &mut self.delayed {
            if *of == broker {
                let kept = it.max_offset_in_queue(&SCHEDULE_TOPIC.into(), *queue_id);
                is_lost |= kept < *end;
                *end = kept;
            }
        }
        let here = |(_, queue): &&Key| queue.broker_name == it.name && it.is_master();
        let keys: Vec<Key> = self.standings.keys().filter(here).cloned().collect();
        for key in keys {
            let kept = it.max_offset_in_queue(&key.1.topic, key.1.queue_id);
            is_lost |= self.touch(&key, |standing| standing.cut(kept)).unwrap_or_default();
        }
        if is_lost {
            self.note(Condition::NothingLost, event, Finding::LostWithBroker { broker });
        }
    }

    fn see_owner(&mut self, process: ProcessIndex, event: &Event, simulation: &Simulation) {
        match &event.kind {
            EventKind::QueueAssigned { group, queue, process_queue, next_offset } => {
                let key = (group.clone(), queue.clone());
                let consumer = simulation.world().client(process).consumers.get(group);
                if !consumer.is_some_and(|it| it.is_clustering()) {
                    return;
                }
                if !self.standings.contains_key(&key) {
                    let standing = Standing::new(*next_offset, event.at);
                    self.standings.insert(key.clone(), standing);
                    for message in backlog(simulation, &key, *next_offset) {
                        self.touch(&key, |it| it.arrive(message, event.at));
                    }
                }
                let begun = self.touch(&key, |it| {
                    let other = it.owners.keys().find(|other| **other != process).copied();
                    it.owners.insert(process, *process_queue);
                    (other, it.begin_at(*next_offset))
                });
                let Some((other, skipped)) = begun else { return };
                self.note_skipped(skipped, event);
                if let Some(first) = other {
                    let queue = key.1;
                    let finding = Finding::TwoOwners { queue, first, second: process };
                    self.note(Condition::OneOwner, event, finding);
                }
            }
            EventKind::QueueDropped { group, queue, process_queue, .. }
            | EventKind::QueueReleased { group, queue, process_queue } => {
                self.touch(&(group.clone(), queue.clone()), |it| {
                    it.owners.retain(|of, owned| *of != process || owned != process_queue);
                });
            }
            EventKind::ProcessCrashed | EventKind::HostLost => {
                self.forget(process, None, event.at);
            }
            EventKind::ConsumerStopped { group } => self.forget(process, Some(group), event.at),
            _ => {}
        }
    }

    fn forget(&mut self, process: ProcessIndex, group: Option<&GroupName>, at: Millis) {
        let is_it = |(of, _): &&Key| group.is_none_or(|group| group == of);
        let keys: Vec<Key> = self.standings.keys().filter(is_it).cloned().collect();
        for key in keys {
            self.touch(&key, |it| it.forget(process, at));
        }
    }

    fn see_call(&mut self, process: ProcessIndex, event: &Event) {
        match &event.kind {
            EventKind::ConsumeStarted { group, client_thread, message, .. } => {
                let key = (group.clone(), queue_of(message));
                let call = (process, *client_thread, message.queue_offset);
                let is_twice = self.touch(&key, |it| it.begin_call(call, event.at));
                if is_twice == Some(true) {
                    let finding = Finding::Twice { message: message.clone(), process };
                    self.note(Condition::NothingTwice, event, finding);
                }
            }
            EventKind::ConsumeEnded { group, client_thread, message, outcome, .. } => {
                let key = (group.clone(), queue_of(message));
                let call = (process, *client_thread, message.queue_offset);
                let has_failed = *outcome == ConsumeOutcome::Failed;
                self.touch(&key, |it| it.end_call(call, has_failed, event.at));
            }
            _ => {}
        }
    }
}

/// Whether any consumer that the group ever had subscribes to the message.
fn is_wanted(simulation: &Simulation, group: &GroupName, message: &StoredMessage) -> bool {
    let consumers = simulation.world().clients.iter();
    let mut consumers = consumers.filter_map(|client| client.consumers.get(group));
    consumers.any(|consumer| {
        let subscription = consumer.subscriptions.get(&message.topic);
        subscription.is_some_and(|it| it.matches_message(message))
    })
}

/// What lay in a queue from an offset on before the group had it.
fn backlog(simulation: &Simulation, key: &Key, from: QueueOffset) -> Vec<Rc<StoredMessage>> {
    let (group, queue) = key;
    let world = simulation.world();
    let broker = world.broker_named(&queue.broker_name, 0).map(|index| world.broker(index));
    let log = broker.and_then(|it| it.find_consume_queue(&queue.topic, queue.queue_id));
    let Some(log) = log else { return Vec::new() };
    let offsets = (from.0.max(log.min_offset().0)..log.max_offset().0).map(QueueOffset);
    let messages = offsets.filter_map(|offset| log.get(offset)).map(|entry| &entry.message);
    messages.filter(|message| is_wanted(simulation, group, message)).cloned().collect()
}
