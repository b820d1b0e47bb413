//! A frozen process: what comes due or arrives meanwhile waits, and runs when it goes on (a long
//! pause, SIGSTOP). The system still accepts its packets.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Simulation;
use super::agenda::AgendaEntry;
use super::event::{Actor, Causes, EventKind, TimerKind, Trigger};
use super::packet::Machine;
use super::task::Task;
use crate::model::time::Millis;

#[derive(Clone, Debug, Default, Serialize)]
pub struct Frozen {
    pub until: Option<Millis>,
    pub backlog: Vec<AgendaEntry>,
}

pub type FrozenMachines = BTreeMap<Machine, Frozen>;

impl Simulation {
    pub(super) fn freeze_machine(&mut self, machine: Machine, duration: Option<Millis>) {
        let until = duration.map(|duration| self.engine.now + duration);
        self.engine.running.actor = Actor::Machine(machine);
        self.engine.emit(EventKind::Frozen { until });
        // Frozen once more: what waits goes on waiting.
        self.world.frozen.entry(machine).or_default().until = until;
        if let Some(until) = until {
            self.engine.schedule_at(until, Some(TimerKind::Resume), Task::Resume(machine));
        }
    }

    /// A freeze's time is over, unless another one has taken its place.
    pub(super) fn end_freeze(&mut self, machine: Machine) {
        let frozen = self.world.frozen.get(&machine);
        if frozen.is_some_and(|frozen| frozen.until == Some(self.engine.now)) {
            self.resume_machine(machine);
        }
    }

    /// The process goes on: what waited runs now, in its order.
    pub(super) fn resume_machine(&mut self, machine: Machine) {
        let Some(frozen) = self.world.frozen.remove(&machine) else { return };
        self.engine.running.actor = Actor::Machine(machine);
        let resumed = self.engine.emit(EventKind::Resumed);
        self.engine.running.resumed = Some(resumed);
        for entry in frozen.backlog {
            self.engine.running.causes = entry.causes;
            self.engine.schedule_at(self.engine.now, entry.timer, entry.task);
        }
        self.engine.running.resumed = None;
        self.engine.running.trigger = Trigger::Follows;
        self.engine.running.causes = Causes::of(resumed);
    }
}
