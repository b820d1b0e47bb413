//! Why a queue has another owner while a frozen process still believes to have it: the broker heard no
//! heartbeat of that one for longer than channelExpiredTimeout and counted it out (spec 01.3).

use super::Desk;
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::scene::at_broker::BrokerLock;
use crate::scene::at_consumer::{Consumer, ProcessState};
use crate::sim::event::{Actor, Event, EventKind, LeaveReason};
use crate::sim::packet::Machine;
use crate::sim::task::Task;
use crate::text::inspect::InspectText;

impl Desk<'_> {
    /// Of an orderly queue whose lock is another's than the frozen one's who has its ProcessQueue.
    pub(super) fn why_taken_over(&self, of: &MessageQueue) -> Option<InspectText> {
        let lock = self.lock_of(of)?;
        let has_it = |it: &Consumer| it.shelves.iter().any(|it| it.queue == *of && !it.is_dropped);
        let mut frozen = self.scene.consumers.iter().filter(|it| is_frozen(it) && has_it(it));
        let believer = frozen.find(|it| it.label != lock.owner)?;
        let left = self.last_event(|event| match &event.kind {
            EventKind::ClientLeft { group, process, reason, .. } => {
                *group == believer.group
                    && *process == believer.process
                    && *reason == LeaveReason::HeartbeatScan
            }
            _ => false,
        })?;
        let Actor::Machine(Machine::Broker(broker)) = left.actor else { return None };
        let config = &self.sight.simulation.world().broker(broker).config;
        Some(InspectText::WhyTakenOver {
            queue: lock.label.clone(),
            owner: lock.owner.clone(),
            since: self.locked_since(lock, left),
            believer: believer.label.clone(),
            left_at: left.at,
            silence: config.channel_expired_timeout,
            thaws_at: self.thaws_at(believer),
        })
    }

    fn last_event(&self, is_it: impl Fn(&Event) -> bool) -> Option<&Event> {
        let until = self.sight.past.event_count();
        let mut events = (0..until).rev().map_while(|at| self.recording.event(at));
        events.find(|event| is_it(event))
    }

    /// When the lock was first granted to its owner after the other one had left.
    fn locked_since(&self, lock: &BrokerLock, left: &Event) -> Millis {
        let events = left.sequence..self.sight.past.event_count();
        let mut granted = events.filter_map(|at| self.recording.event(at)).filter(|event| {
            matches!(&event.kind, EventKind::QueueLocked { queue, .. } if *queue == lock.queue)
        });
        granted.next().map_or(lock.renewed_at, |event| event.at)
    }

    fn thaws_at(&self, frozen: &Consumer) -> Option<Millis> {
        let machine = Machine::Client(frozen.process);
        let mut entries = self.sight.simulation.engine().agenda.entries();
        let thaw = entries.find(|it| matches!(it.task, Task::Resume(of) if of == machine));
        thaw.map(|entry| entry.at)
    }
}

const fn is_frozen(consumer: &Consumer) -> bool {
    matches!(consumer.state, ProcessState::Frozen { .. })
}
