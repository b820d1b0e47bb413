//! Why a queue is silent: who has its lock, who waits for it, and for which timer (spec 11.16); and
//! the way of a lock as a journey of its own.

use super::{Desk, JourneyRow};
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::scene::at_broker::{BrokerLock, Queue};
use crate::scene::at_consumer::{Consumer, ProcessState, PullPlace};
use crate::scene::card::Label;
use crate::scene::draw::postpone_word;
use crate::scene::namesakes::namesakes;
use crate::scene::scene::Tense;
use crate::sim::event::{EventKind, EventSequence};
use crate::sim::packet::Machine;
use crate::text::inspect::{InspectText, JourneyText};
use crate::text::wait::WaitFor;

/// Refusals that a lock's journey tells.
const REFUSALS: usize = 3;

impl Desk<'_> {
    /// The reason, if something waits in the queue and nobody works on it.
    pub(super) fn why_silent(&self, queue: &Queue) -> Option<InspectText> {
        let of = &queue.queue;
        if queue.lag() == 0 || self.is_worked_on(of) {
            return None;
        }
        let lock = self.lock_of(of);
        let label = queue.label.clone();
        let Some(owner) = self.owner(of).filter(|owner| !is_gone(owner)) else {
            if let (None, Some((one, other))) = (lock, namesakes(self.scene)) {
                return Some(InspectText::SilentNamesakes {
                    queue: label,
                    one: one.label.clone(),
                    other: other.label.clone(),
                    client: one.client_id.as_str().into(),
                });
            }
            let asker = self.asker(of);
            let asks_at = asker.and_then(|asker| asker.rebalance_at);
            let asker = asker.map(|asker| asker.label.clone());
            return Some(match lock {
                Some(lock) => InspectText::SilentLocked {
                    queue: label,
                    owner: lock.owner.clone(),
                    is_gone: self.is_gone_by_label(&lock.owner),
                    until: lock.expires_at,
                    asker,
                    asks_at,
                },
                None => InspectText::SilentNobody { queue: label, looks_at: self.next_look() },
            });
        };
        if let Some(taken) = self.why_taken_over(of) {
            return Some(taken);
        }
        let process = owner.label.clone();
        if let ProcessState::Frozen { .. } = owner.state {
            return Some(InspectText::SilentFrozen { queue: label, process });
        }
        let shelf = owner.shelves.iter().find(|it| it.queue == *of && !it.is_dropped)?;
        let believes = shelf
            .belief
            .as_ref()
            .is_none_or(|belief| belief.is_locked && belief.until >= self.sight.simulation.now());
        if !believes {
            let round_at = self.lock_round(owner);
            return Some(InspectText::SilentUnlocked { queue: label, process, round_at });
        }
        let pull = owner.pulls.iter().find(|pull| pull.queue == *of)?;
        match pull.place {
            PullPlace::Postponed { reason, until, .. } => Some(InspectText::SilentPutOff {
                queue: label,
                process,
                reason: postpone_word(reason),
                until,
            }),
            _ => None,
        }
    }

    fn is_worked_on(&self, of: &MessageQueue) -> bool {
        let label = self.queue_label(of);
        let seats = self.scene.consumers.iter().filter(|it| !is_still(it));
        let mut seats = seats.flat_map(|consumer| &consumer.workers.seats);
        seats.any(|seat| seat.card.is_some() && seat.queue == label)
    }

    pub(super) fn lock_of(&self, of: &MessageQueue) -> Option<&BrokerLock> {
        self.scene.brokers.iter().flat_map(|broker| &broker.locks).find(|lock| lock.queue == *of)
    }

    /// Whoever has the queue by its own count and was refused its lock.
    pub(super) fn asker(&self, of: &MessageQueue) -> Option<&Consumer> {
        let mut consumers = self.scene.consumers.iter();
        consumers.find(|it| it.refused.iter().any(|refused| refused.queue == *of))
    }

    pub(super) fn is_gone_by_label(&self, label: &Label) -> bool {
        self.scene.consumers.iter().find(|it| it.label == *label).is_none_or(is_gone)
    }

    fn next_look(&self) -> Option<Millis> {
        let live = self.scene.consumers.iter().filter(|it| !is_gone(it));
        live.filter_map(|consumer| consumer.rebalance_at).min()
    }

    /// The next round of lockMQPeriodically of a process.
    fn lock_round(&self, owner: &Consumer) -> Option<Millis> {
        let machine = Some(Machine::Client(owner.process));
        let agenda = self.narrator.agenda(self.sight.simulation).into_iter();
        let mut rounds = agenda.filter(|line| {
            line.machine == machine
                && matches!(line.text.what, WaitFor::RenewLocks | WaitFor::LockLater)
        });
        rounds.next().map(|line| line.due())
    }

    /// What became of a lock since its last renewal, and what comes.
    pub(super) fn lock_journey(&self, lock: &BrokerLock) -> Vec<JourneyRow> {
        let row = |tense, at, text, event: Option<EventSequence>| JourneyRow {
            number: None,
            tense,
            at,
            until: None,
            text,
            event,
        };
        let until = self.sight.past.event_count();
        let since = |event: &&crate::sim::event::Event| event.at >= lock.renewed_at;
        let events = (0..until).rev().map_while(|index| self.recording.event(index));
        let events: Vec<_> = events.take_while(since).collect();
        let mut past: Vec<JourneyRow> = Vec::new();
        let mut refusals = 0;
        for event in events {
            let text = match &event.kind {
                EventKind::QueueLockRefused { queue, client, .. } if *queue == lock.queue => {
                    refusals += 1;
                    let asker = self.narrator.client(client);
                    (refusals <= REFUSALS).then_some(JourneyText::LockRefused { asker })
                }
                EventKind::QueueLocked { queue, .. } if *queue == lock.queue => {
                    Some(JourneyText::LockRenewed { owner: lock.owner.clone() })
                }
                EventKind::ProcessCrashed | EventKind::HostLost => match event.actor {
                    crate::sim::event::Actor::Machine(machine)
                        if self.is_owner(machine, &lock.owner) =>
                    {
                        Some(JourneyText::LockOwnerGone { owner: lock.owner.clone() })
                    }
                    _ => None,
                },
                _ => None,
            };
            past.extend(text.map(|it| row(Tense::Past, Some(event.at), it, Some(event.sequence))));
        }
        past.reverse();
        let held = JourneyText::LockHeld { owner: lock.owner.clone() };
        let mut now = row(Tense::Now, None, held, None);
        now.until = Some(lock.expires_at);
        past.push(now);
        if let Some(asker) = self.asker(&lock.queue)
            && let Some(at) = asker.rebalance_at
        {
            let asks = JourneyText::LockAsked { asker: asker.label.clone() };
            past.push(row(Tense::Next, Some(at), asks, None));
        }
        for (number, row) in (1..).zip(&mut past) {
            row.number = Some(number);
        }
        past
    }

    fn is_owner(&self, machine: Machine, owner: &Label) -> bool {
        matches!(machine, Machine::Client(_)) && self.narrator.cast().machine(machine) == *owner
    }
}

/// It has ended, one way or the other.
pub const fn is_gone(consumer: &Consumer) -> bool {
    consumer.is_gone()
}

const fn is_still(consumer: &Consumer) -> bool {
    is_gone(consumer) || matches!(consumer.state, ProcessState::Frozen { .. })
}
