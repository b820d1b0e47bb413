//! The invariants of spec 12, each under its id and with its scope, and [`Checker`], which holds a run
//! against all that apply, task by task.
//!
//! An invariant is a plain function; what it needs to remember is in [`watch::Watch`], folded from the
//! run's events. Where RocketMQ promises nothing (order in concurrent mode, offsets that only grow at
//! the broker) there is none: X7 is left out, and B14 is only a hint. Never changes a world.

pub mod across;
pub mod at_broker;
pub mod at_client;
pub mod broker_watch;
pub mod history;
pub mod ownership;
pub mod scope;
pub mod seat;
pub mod table;
pub mod tokens;
pub mod watch;

#[cfg(test)]
mod broken;

pub use self::scope::Scope;
use self::tokens::Tokens;
use self::watch::Watch;
use super::Simulation;
use super::broker::Broker;
use super::client::ClientInstance;
use super::client::consumer::PushConsumer;
use super::event::{Actor, Event, EventKind, EventSequence};
use super::packet::Machine;
use crate::model::ids::{BrokerIndex, ProcessIndex};
use crate::model::time::Millis;

/// An invariant that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub id: &'static str,
    pub at: Millis,
    /// What was found, in words for a developer; people read the sentence of the id.
    pub what: String,
    /// The event at which it was found.
    pub event: Option<EventSequence>,
}

/// What a check finds: `None` is well.
pub type Found = Option<String>;

/// What a check may look at: the world after a task, and what was known before.
pub struct Moment<'a> {
    pub simulation: &'a Simulation,
    pub watch: &'a Watch,
    /// The events of the task.
    pub events: &'a [Event],
}

impl Moment<'_> {
    pub fn now(&self) -> Millis {
        self.simulation.now()
    }
}

/// How a check is asked.
#[derive(Clone, Copy)]
pub enum Check {
    /// For each event, before it is folded into the watch.
    Event(fn(&Moment<'_>, &Event) -> Found),
    /// For each task that had events, before they are folded in.
    Task(fn(&Moment<'_>) -> Found),
    /// For each broker that did something in a task, after its events are folded in.
    Broker(fn(&Moment<'_>, &Broker) -> Found),
    /// For each registered consumer of a client that did something in a task, likewise.
    Consumer(fn(&Moment<'_>, &ClientInstance, &PushConsumer) -> Found),
    /// Now and then: at the end of each rebalance pass, and every few hundred tasks. Costs a walk.
    Walk(fn(&Moment<'_>, &Tokens) -> Found),
    /// When everything has come to rest ([`Checker::at_rest`]).
    Rest(fn(&Moment<'_>) -> Found),
}

pub struct Invariant {
    /// As in spec 12; `T1` is ours: nothing happens in the past.
    pub id: &'static str,
    pub scope: Scope,
    pub check: Check,
}

/// How many tasks with events lie between two walks, at most.
const WALK_EVERY: u32 = 256;

/// A machine with many queues is not looked at after each of its tasks, but so often that each task costs
/// about as much as with this many.
const QUEUES_A_TASK: usize = 64;

/// Holds a run against every invariant that applies.
#[derive(Clone, Debug)]
pub struct Checker {
    watch: Watch,
    tasks: usize,
    tasks_since_walk: u32,
}

impl Checker {
    /// For a run that has just begun.
    pub fn new(simulation: &Simulation) -> Checker {
        Checker { watch: Watch::new(simulation), tasks: 0, tasks_since_walk: 0 }
    }

    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Looks at a task: the world as it left it, and its events.
    pub fn after_task(&mut self, simulation: &Simulation, events: &[Event]) -> Vec<Violation> {
        if events.is_empty() {
            return Vec::new();
        }
        let mut found = self.look_at_events(simulation, events);
        // A pull that waits in front of a full window looks every 50 ms, and changes nothing.
        if events.iter().all(|event| matches!(event.kind, EventKind::PullPostponed { .. })) {
            return found;
        }
        self.tasks += 1;
        self.look_at_machines(simulation, events, &mut found);
        self.tasks_since_walk += 1;
        let has_pass_ended =
            events.iter().any(|event| matches!(event.kind, EventKind::RebalanceEnded { .. }));
        if has_pass_ended || self.tasks_since_walk >= WALK_EVERY {
            self.walk(simulation, events, &mut found);
        }
        found
    }

    /// Looks at a run that has come to rest: nothing is sent any more, no fault lasts, and every
    /// listener had time enough.
    pub fn at_rest(&mut self, simulation: &Simulation) -> Vec<Violation> {
        let mut found = Vec::new();
        self.walk(simulation, &[], &mut found);
        let moment = Moment { simulation, watch: &self.watch, events: &[] };
        for invariant in self.applying() {
            if let Check::Rest(check) = invariant.check {
                note(invariant, check(&moment), &moment, None, &mut found);
            }
        }
        found
    }

    fn applying(&self) -> impl Iterator<Item = &'static Invariant> + use<> {
        let (has_faults, is_bent) = (self.watch.fault.is_some(), self.watch.bent.is_some());
        table::ALL.iter().filter(move |invariant| match invariant.scope {
            Scope::Always => true,
            Scope::OnceInOrder => !is_bent,
            Scope::WithoutFaults => !has_faults,
            Scope::Hint => false,
        })
    }

    fn look_at_events(&mut self, simulation: &Simulation, events: &[Event]) -> Vec<Violation> {
        let mut found = Vec::new();
        let moment = Moment { simulation, watch: &self.watch, events };
        for invariant in self.applying() {
            if let Check::Task(check) = invariant.check {
                let event = events.first().map(|event| event.sequence);
                note(invariant, check(&moment), &moment, event, &mut found);
            }
        }
        for event in events {
            let moment = Moment { simulation, watch: &self.watch, events };
            for invariant in self.applying() {
                if let Check::Event(check) = invariant.check {
                    let sequence = Some(event.sequence);
                    note(invariant, check(&moment, event), &moment, sequence, &mut found);
                }
            }
            self.watch.see(event, simulation);
        }
        found
    }

    fn look_at_machines(
        &self,
        simulation: &Simulation,
        events: &[Event],
        found: &mut Vec<Violation>,
    ) {
        let moment = Moment { simulation, watch: &self.watch, events };
        let last = events.last().map(|event| event.sequence);
        let (brokers, clients) = machines_of(events);
        let is_due = |queues: usize| self.tasks.is_multiple_of(queues / QUEUES_A_TASK + 1);
        for index in brokers {
            let broker = simulation.world().broker(index);
            if !is_due(broker.consume_queues.len()) {
                continue;
            }
            for invariant in self.applying() {
                if let Check::Broker(check) = invariant.check {
                    note(invariant, check(&moment, broker), &moment, last, found);
                }
            }
        }
        for process in clients {
            let client = simulation.world().client(process);
            for consumer in client.consumers.values().filter(|it| it.is_registered()) {
                if !is_due(consumer.shelves.len()) {
                    continue;
                }
                for invariant in self.applying() {
                    if let Check::Consumer(check) = invariant.check {
                        note(invariant, check(&moment, client, consumer), &moment, last, found);
                    }
                }
            }
        }
    }

    fn walk(&mut self, simulation: &Simulation, events: &[Event], found: &mut Vec<Violation>) {
        self.tasks_since_walk = 0;
        let tokens = Tokens::of(simulation);
        let moment = Moment { simulation, watch: &self.watch, events };
        let last = events.last().map(|event| event.sequence);
        for invariant in self.applying() {
            if let Check::Walk(check) = invariant.check {
                note(invariant, check(&moment, &tokens), &moment, last, found);
            }
        }
    }
}

fn note(
    invariant: &Invariant,
    result: Found,
    moment: &Moment<'_>,
    event: Option<EventSequence>,
    found: &mut Vec<Violation>,
) {
    if let Some(what) = result {
        found.push(Violation { id: invariant.id, at: moment.now(), what, event });
    }
}

/// The brokers and the clients that acted in a task.
fn machines_of(events: &[Event]) -> (Vec<BrokerIndex>, Vec<ProcessIndex>) {
    let (mut brokers, mut clients) = (Vec::new(), Vec::new());
    for event in events {
        match event.actor {
            Actor::Machine(Machine::Broker(broker)) if !brokers.contains(&broker) => {
                brokers.push(broker);
            }
            Actor::Machine(Machine::Client(process)) if !clients.contains(&process) => {
                clients.push(process);
            }
            _ => {}
        }
    }
    (brokers, clients)
}
