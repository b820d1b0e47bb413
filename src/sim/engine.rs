//! The engine: now, the agenda, chance, counters, and the events not yet taken. `Context` lends it
//! to the rules of one machine.

use std::collections::BTreeMap;

use serde::Serialize;

use super::agenda::{Agenda, AgendaEntry, AgendaKey};
use super::dice::{Dice, Purpose};
use super::event::{Actor, Causes, Event, EventKind, EventSequence, TimerKind, Trigger};
use super::network::Network;
use super::packet::Machine;
use super::setup::TieBreak;
use super::task::{BrokerTask, LOOK_RANKS, Task};
use crate::model::ids::{BrokerIndex, CallId, ConnectionId, ProcessQueueId, UniqueKey};
use crate::model::profile::Profile;
use crate::model::rules::Rules;
use crate::model::time::Millis;

/// The priority of what runs in order of scheduling; looks of polling services come before.
const IN_ORDER: u32 = 1 << 30;

/// Ids are counters, never random, never addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    pub unique_key: u64,
    pub call: u64,
    pub connection: u32,
    pub process_queue: u32,
    pub task: u64,
    pub token: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Engine {
    pub now: Millis,
    pub agenda: Agenda,
    pub dice: Dice,
    pub counters: Counters,
    pub tie_break: TieBreak,
    pub profile: Profile,
    pub rules: Rules,
    /// The 4.2.0 defect of the cleaner is on (spec 04.3).
    pub clean_expired_defect: bool,
    /// Machines whose own clock is off, and by how many ms (+ runs ahead).
    pub clock_skew_ms: BTreeMap<Machine, i64>,
    /// See [`super::setup::Setup::start_up`].
    pub start_up: Millis,
    /// Events since the last `take_events`.
    #[serde(skip)]
    pub events: Vec<Event>,
    /// The sequence number of the next event.
    pub next_event: EventSequence,
    /// What the running task's next event comes from.
    #[serde(skip)]
    pub running: Running,
}

/// The task that is running: whose it is, and what its events follow from.
#[derive(Clone, Debug)]
pub struct Running {
    pub actor: Actor,
    pub trigger: Trigger,
    pub causes: Causes,
    /// Of whoever put the task on the agenda, without the end of a pause in which it came due.
    pub of_task: Causes,
    /// The end of the pause in which it came due.
    pub late_by: Option<EventSequence>,
    /// The end of the pause whose backlog is being put on the agenda again.
    pub resumed: Option<EventSequence>,
}

impl Default for Running {
    fn default() -> Running {
        Running::new(Actor::Person, Trigger::Follows, Causes::NONE)
    }
}

impl Running {
    pub fn new(actor: Actor, trigger: Trigger, of_task: Causes) -> Running {
        Running { actor, trigger, causes: of_task, of_task, late_by: None, resumed: None }
    }
}

impl Engine {
    pub fn new(profile: Profile, rules: Rules, seed: u64, tie_break: TieBreak) -> Engine {
        Engine {
            now: Millis::ZERO,
            agenda: Agenda::default(),
            dice: Dice::new(seed),
            counters: Counters::default(),
            tie_break,
            profile,
            rules,
            clean_expired_defect: rules.clean_expired_defect,
            clock_skew_ms: BTreeMap::new(),
            start_up: Millis::ZERO,
            events: Vec::new(),
            next_event: 0,
            running: Running::default(),
        }
    }

    pub(super) fn priority(&mut self) -> u32 {
        match self.tie_break {
            TieBreak::Fifo => IN_ORDER,
            TieBreak::Shuffled => self.dice.next_u32(Purpose::TieBreak),
        }
    }

    /// Puts a task on the agenda for `at`.
    ///
    /// # Panics
    /// If `at` lies in the past: that is our own mistake.
    pub fn schedule_at(&mut self, at: Millis, timer: Option<TimerKind>, task: Task) -> AgendaKey {
        let priority = self.priority();
        self.schedule_with(at, priority, timer, task)
    }

    pub(super) fn schedule_with(
        &mut self,
        at: Millis,
        priority: u32,
        timer: Option<TimerKind>,
        task: Task,
    ) -> AgendaKey {
        assert!(at >= self.now, "a task was put into the past: {at} < {}, {task:?}", self.now);
        let entry = AgendaEntry {
            at,
            since: self.now,
            sequence: 0,
            causes: self.running.causes,
            resumed: self.running.resumed,
            timer,
            task,
        };
        self.agenda.insert(priority, entry)
    }

    /// Records a fact. From now on, what this task emits, schedules and sends follows from it; a rule
    /// that tells independent facts puts the cause back with [`Engine::set_causes`] in between.
    pub fn emit(&mut self, kind: EventKind) -> EventSequence {
        let sequence = self.next_event;
        self.next_event += 1;
        self.events.push(Event {
            sequence,
            at: self.now,
            actor: self.running.actor,
            causes: self.running.causes,
            trigger: self.running.trigger.clone(),
            task: self.counters.task,
            kind,
        });
        self.running.causes = Causes::of(sequence);
        sequence
    }

    pub fn causes(&self) -> Causes {
        self.running.causes
    }

    pub fn set_causes(&mut self, causes: Causes) {
        self.running.causes = causes;
    }
}

/// What a rule may touch beyond its own machine. It never sees another machine: if it wants
/// something there, it sends a packet.
pub struct Context<'a> {
    pub engine: &'a mut Engine,
    pub network: &'a mut Network,
    pub me: Machine,
}

impl Context<'_> {
    pub fn now(&self) -> Millis {
        self.engine.now
    }

    /// What the machine's own clock says: leases, time-outs of consumption and subVersions use it.
    pub fn local_now(&self) -> Millis {
        let skew = self.engine.clock_skew_ms.get(&self.me).copied().unwrap_or(0);
        Millis(self.engine.now.ms().saturating_add_signed(skew))
    }

    pub fn profile(&self) -> Profile {
        self.engine.profile
    }

    pub fn rules(&self) -> Rules {
        self.engine.rules
    }

    pub fn emit(&mut self, kind: EventKind) -> EventSequence {
        self.engine.emit(kind)
    }

    pub fn causes(&self) -> Causes {
        self.engine.causes()
    }

    pub fn set_causes(&mut self, causes: Causes) {
        self.engine.set_causes(causes);
    }

    /// Puts the next turn of a fixed-rate timer on the agenda, caused as this one. A pause that delayed this
    /// turn has delayed the next one only if that should have been by now.
    pub fn next_turn(&mut self, next: Millis, schedule: impl FnOnce(&mut Context<'_>)) {
        let causes = self.causes();
        let running = &mut self.engine.running;
        running.causes = running.of_task;
        running.resumed = running.late_by.filter(|_| next <= self.engine.now);
        schedule(self);
        self.engine.running.resumed = None;
        self.set_causes(causes);
    }

    /// Causes of what a timer does that goes on whatever happens, since `began`; after a pause in which it
    /// came due, the pause's end.
    pub fn causes_of_timer(&self, began: Causes) -> Causes {
        self.engine.running.late_by.map_or(began, Causes::of)
    }

    /// Puts a task on the agenda, `after` from now. `timer` says what the wait is for.
    pub fn schedule(&mut self, after: Millis, timer: TimerKind, task: Task) -> AgendaKey {
        let at = self.engine.now + after;
        self.engine.schedule_at(at, Some(timer), task)
    }

    /// Puts a task on the agenda for `at`, or for now if that has passed.
    pub fn schedule_at(&mut self, at: Millis, timer: TimerKind, task: Task) -> AgendaKey {
        let at = at.max(self.engine.now);
        self.engine.schedule_at(at, Some(timer), task)
    }

    /// Another thread goes on at once.
    pub fn schedule_now(&mut self, task: Task) -> AgendaKey {
        self.engine.schedule_at(self.engine.now, None, task)
    }

    /// Takes a task off the agenda; what it would have come from and when, if it had not run yet.
    pub fn cancel(&mut self, key: AgendaKey) -> Option<(Millis, Causes)> {
        self.engine.agenda.cancel(key).map(|entry| (entry.at, entry.causes))
    }

    pub fn below(&mut self, purpose: Purpose, bound: u32) -> u32 {
        self.engine.dice.below(purpose, bound)
    }

    pub fn next_call(&mut self) -> CallId {
        self.engine.counters.call += 1;
        CallId(self.engine.counters.call)
    }

    pub fn next_connection(&mut self) -> ConnectionId {
        self.engine.counters.connection += 1;
        ConnectionId(self.engine.counters.connection)
    }

    pub fn next_unique_key(&mut self) -> UniqueKey {
        self.engine.counters.unique_key += 1;
        UniqueKey(self.engine.counters.unique_key)
    }

    pub fn next_process_queue(&mut self) -> ProcessQueueId {
        self.engine.counters.process_queue += 1;
        ProcessQueueId(self.engine.counters.process_queue)
    }

    pub fn next_token(&mut self) -> u64 {
        self.engine.counters.token += 1;
        self.engine.counters.token
    }

    /// Puts a look of one of a broker's polling services on the agenda. In order of scheduling it
    /// comes before everything else of its moment, as a look that was on the agenda long before
    /// would; so it is the same whether each look is there or only the next that finds something.
    pub fn schedule_look(
        &mut self,
        broker: BrokerIndex,
        life: u32,
        at: Millis,
        timer: TimerKind,
        task: BrokerTask,
    ) -> AgendaKey {
        let at = at.max(self.engine.now);
        let priority = match self.engine.tie_break {
            TieBreak::Fifo => u32::from(broker.0) * LOOK_RANKS + task.look_rank(),
            TieBreak::Shuffled => self.engine.priority(),
        };
        let task = Task::Broker { broker, life, task };
        self.engine.schedule_with(at, priority, Some(timer), task)
    }

    /// Puts a task of a broker on the agenda.
    pub fn schedule_broker(
        &mut self,
        broker: BrokerIndex,
        life: u32,
        at: Millis,
        timer: TimerKind,
        task: BrokerTask,
    ) -> AgendaKey {
        self.schedule_at(at, timer, Task::Broker { broker, life, task })
    }
}
