//! What comes next for a thing: the timers of the agenda that concern it.

use super::Desk;
use super::silent::is_gone;
use crate::model::ids::{ProcessIndex, ProcessQueueId};
use crate::model::message_queue::MessageQueue;
use crate::scene::mark::MarkId;
use crate::scene::narrate::AgendaLine;
use crate::sim::packet::Machine;
use crate::text::wait::{WaitFor, WaitText};

/// Timers of one thing; more would be read by nobody.
const LINES: usize = 4;

impl Desk<'_> {
    pub(super) fn next(&self, mark: &MarkId) -> Vec<WaitText> {
        if let MarkId::Message(key) = mark {
            let wait = self.narrator.wait_of_message(self.sight.simulation, *key);
            return wait.into_iter().collect();
        }
        let agenda = self.narrator.agenda(self.sight.simulation);
        // Timers of a dead process are on the agenda, but nothing comes of them.
        let world = self.sight.simulation.world();
        let is_alive = |line: &AgendaLine| match line.machine {
            Some(Machine::Client(process)) => world.client(process).is_alive(),
            _ => true,
        };
        let lines = agenda.into_iter().filter(|line| is_alive(line) && self.is_about(line, mark));
        lines.map(|line| line.text).take(LINES).collect()
    }

    fn is_about(&self, line: &AgendaLine, mark: &MarkId) -> bool {
        let by = |process: ProcessIndex| line.machine == Some(Machine::Client(process));
        let what = &line.text.what;
        match mark {
            MarkId::NameServer(_) => line.machine == Some(Machine::NameServer(0)),
            MarkId::Producer(process) => by(*process) && matches!(what, WaitFor::NextSend { .. }),
            MarkId::Broker(index) => line.machine == Some(Machine::Broker(*index)),
            MarkId::CommitLog(index) => {
                line.machine == Some(Machine::Broker(*index))
                    && matches!(what, WaitFor::Dispatch | WaitFor::SlowStore)
            }
            MarkId::Queue(queue) => match self.owner(queue).filter(|owner| !is_gone(owner)) {
                _ if self.asker(queue).is_some() => self.is_about_lock(line, queue),
                Some(owner) => by(owner.process) && (is_report(what) || names(what, queue, self)),
                None => {
                    matches!(what, WaitFor::Rebalance)
                        && self.scene.consumers.iter().any(|consumer| by(consumer.process))
                }
            },
            MarkId::Copy(_) | MarkId::Message(_) | MarkId::Call(_) => false,
            MarkId::DelayLevel { broker, level } => {
                let is_level = match what {
                    WaitFor::Delay { level: of, .. } | WaitFor::LevelLook { level: of } => {
                        of == level
                    }
                    _ => false,
                };
                is_level && line.machine == Some(Machine::Broker(*broker))
            }
            MarkId::DeadLetters(_) => false,
            MarkId::BrokerLedger(index) => {
                line.machine == Some(Machine::Broker(*index))
                    && matches!(what, WaitFor::SaveOffsets)
            }
            MarkId::Lock(queue) => self.is_about_lock(line, queue),
            MarkId::Consumer(process) => by(*process),
            MarkId::Pull { process, queue } => {
                let is_pull = matches!(what, WaitFor::PutOff { .. } | WaitFor::FirstPull);
                (by(*process) && is_pull && names(what, queue, self))
                    || matches!(what, WaitFor::HeldPulls)
            }
            MarkId::Shelf { process, process_queue } => {
                by(*process)
                    && match what {
                        WaitFor::CleanExpired => true,
                        what => self.is_about_shelf(what, *process, *process_queue),
                    }
            }
            MarkId::Belief { process, .. } => {
                by(*process) && matches!(what, WaitFor::RenewLocks | WaitFor::LockLater)
            }
            MarkId::ConsumeRequests(process) => {
                by(*process) && matches!(what, WaitFor::Listener { .. })
            }
            MarkId::Worker { process, index } => {
                let consumer = self.scene.consumer(*process);
                let seats = consumer.map(|it| &it.workers.seats);
                let seat = seats.and_then(|it| it.iter().find(|seat| seat.index == *index));
                let held = seat.and_then(|seat| seat.card.as_ref());
                by(*process)
                    && match (what, held) {
                        (WaitFor::Listener { label, .. }, Some(card)) => *label == card.label,
                        _ => false,
                    }
            }
            MarkId::ConsumerLedger(process) => by(*process) && is_report(what),
            MarkId::Rebalance(process) => by(*process) && matches!(what, WaitFor::Rebalance),
        }
    }
}

impl Desk<'_> {
    /// A listener, a rest or a local retry of what lies there, and the report of how far it is.
    fn is_about_shelf(&self, what: &WaitFor, process: ProcessIndex, id: ProcessQueueId) -> bool {
        let consumer = self.scene.consumer(process);
        let shelf = consumer.and_then(|it| it.shelves.iter().find(|it| it.process_queue == id));
        let Some(shelf) = shelf else { return false };
        match what {
            WaitFor::Listener { label, .. } | WaitFor::LocalRetry { label } => {
                shelf.cards.iter().any(|card| card.label == *label)
            }
            what => is_report(what) || names(what, &shelf.queue, self),
        }
    }

    /// Whoever was refused it asks again with its next pass; its owner renews it.
    fn is_about_lock(&self, line: &AgendaLine, queue: &MessageQueue) -> bool {
        let by = |process: ProcessIndex| line.machine == Some(Machine::Client(process));
        let what = &line.text.what;
        match (self.owner(queue), self.asker(queue)) {
            (_, Some(asker)) => by(asker.process) && matches!(what, WaitFor::Rebalance),
            (Some(owner), None) => {
                let is_lock =
                    matches!(what, WaitFor::RenewLocks | WaitFor::LockLater | WaitFor::UnlockLater);
                by(owner.process) && is_lock
            }
            (None, None) => matches!(what, WaitFor::Rebalance),
        }
    }
}

const fn is_report(what: &WaitFor) -> bool {
    matches!(what, WaitFor::ReportOffsets | WaitFor::ReportOffsetsInVain)
}

/// Whether the wait names the queue.
fn names(what: &WaitFor, queue: &MessageQueue, desk: &Desk<'_>) -> bool {
    match what {
        WaitFor::PutOff { queue: Some(of), .. } | WaitFor::Suspended { queue: Some(of) } => {
            *of == desk.queue_label(queue)
        }
        WaitFor::FirstPull => true,
        _ => false,
    }
}
