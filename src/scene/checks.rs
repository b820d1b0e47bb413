//! The live checks of a recording: the invariants of spec 12 and the named conditions, each with its scope
//! and the event at which it first broke (UX 1).
//!
//! [`Checks`] walks along the recording once, task by task, as far as it is told to; a frame asks only what
//! is known already. After a cut it begins anew.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::card::Label;
use super::concerns;
use super::mark::MarkId;
use super::narrate::Narrator;
use super::of_world::queue_of;
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::order;
use crate::model::time::Millis;
use crate::recording::{Cursor, Recording};
use crate::sim::conditions::{Condition, Conditions, Finding};
use crate::sim::event::{Actor, Event, EventSequence};
use crate::sim::invariants::{Check, Checker, Moment, Scope, table};
use crate::sim::packet::Machine;
use crate::text::checks::{FindingText, RuleText, ScopeText};

/// What is checked: a named condition, or an invariant by its id in spec 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    Condition(Condition),
    Invariant(RuleText),
}

/// A rule's first break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub rule: Rule,
    pub at: Millis,
    pub event: EventSequence,
    /// Of a condition; an invariant has only its sentence.
    pub finding: Option<Finding>,
    /// Where it shows on the stage: the first of these that is drawn.
    pub objects: Vec<MarkId>,
    /// A hint is worth a look and stops nothing (B14).
    pub is_hint: bool,
}

/// How a rule stands at some event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Holds,
    /// It is asked only without faults, or where packets come once and in order, and that was so until
    /// this moment.
    NotAsked {
        since: Millis,
    },
    Broke {
        at: Millis,
        event: EventSequence,
    },
    /// Later in the run that is known.
    WillBreak {
        at: Millis,
        event: EventSequence,
    },
}

#[derive(Clone, Debug, Default)]
pub struct Checks {
    cut_count: usize,
    walk: Option<Walk>,
    broken: BTreeMap<Rule, Broken>,
    fault: Option<(EventSequence, Millis)>,
    /// The first packet that the network doubled or held back.
    bent: Option<(EventSequence, Millis)>,
}

#[derive(Clone, Debug)]
struct Walk {
    cursor: Cursor,
    checker: Checker,
    conditions: Conditions,
}

/// Every rule, in the order in which it is listed, with its scope.
pub fn rules() -> Vec<(Rule, ScopeText)> {
    let conditions = Condition::ALL.map(|it| (Rule::Condition(it), ScopeText::Clustering));
    let mut rules: Vec<(Rule, ScopeText)> = conditions.into();
    for invariant in table::ALL {
        let Some(rule) = RuleText::of_id(invariant.id).map(Rule::Invariant) else { continue };
        let scope = match invariant.scope {
            Scope::Always => ScopeText::Always,
            Scope::OnceInOrder => ScopeText::OnceInOrder,
            Scope::WithoutFaults => ScopeText::WithoutFaults,
            Scope::Hint => ScopeText::Hint,
        };
        match rules.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, known)) if *known != scope => *known = ScopeText::Partly,
            Some(_) => {}
            None => rules.push((rule, scope)),
        }
    }
    rules
}

impl Checks {
    /// Takes up what is new in the recording, at most so many tasks. Says whether it has come to its end.
    pub fn follow(&mut self, recording: &Recording, tasks: u64) -> bool {
        let here = self.walk.as_ref().map_or(0, |walk| walk.cursor.event_count());
        if recording.kept_since(self.cut_count) < here {
            *self = Checks::default();
        }
        self.cut_count = recording.cut_count();
        let end = recording.head().engine().next_event;
        let mut walk = self.walk.take().unwrap_or_else(|| self.begin(recording));
        let mut left = tasks;
        while walk.cursor.event_count() < end && left > 0 {
            let from = walk.cursor.event_count();
            walk.cursor.seek(recording, from);
            let count = (walk.cursor.event_count() - from) as usize;
            let events = recording.events().iter_from(from as usize).take(count);
            self.take(&mut walk, &events.cloned().collect::<Vec<_>>());
            left -= 1;
        }
        let is_done = walk.cursor.event_count() >= end;
        self.walk = Some(walk);
        is_done
    }

    /// Before the first task: name server and brokers are up.
    fn begin(&mut self, recording: &Recording) -> Walk {
        let cursor = Cursor::new(recording);
        let checker = Checker::new(cursor.simulation());
        let mut walk = Walk { cursor, checker, conditions: Conditions::default() };
        let count = walk.cursor.event_count() as usize;
        let events: Vec<Event> = recording.events().iter().take(count).cloned().collect();
        self.take(&mut walk, &events);
        walk
    }

    fn take(&mut self, walk: &mut Walk, events: &[Event]) {
        let simulation = walk.cursor.simulation();
        self.look_for_hints(walk, events);
        for violation in walk.checker.after_task(simulation, events) {
            let Some(rule) = RuleText::of_id(violation.id).map(Rule::Invariant) else { continue };
            let event = violation.event.and_then(|it| events.iter().find(|e| e.sequence == it));
            if let Some(event) = event.or(events.last()) {
                self.note(rule, event, None, false);
            }
        }
        let watch = walk.checker.watch();
        for (first, found) in [(&mut self.fault, watch.fault), (&mut self.bent, watch.bent)] {
            if first.is_none() {
                let event = found.and_then(|it| events.iter().find(|event| event.sequence == it));
                *first = event.map(|event| (event.sequence, event.at));
            }
        }
        for event in events {
            walk.conditions.see(event, simulation);
        }
        let new: Vec<_> = walk.conditions.broken().filter(|it| !self.has(it.condition)).collect();
        for found in new {
            let Some(event) = events.iter().find(|event| event.sequence == found.event) else {
                continue;
            };
            let rule = Rule::Condition(found.condition);
            self.note(rule, event, Some(found.finding.clone()), false);
        }
    }

    fn look_for_hints(&mut self, walk: &Walk, events: &[Event]) {
        let watch = walk.checker.watch();
        let moment = Moment { simulation: walk.cursor.simulation(), watch, events };
        for hint in table::ALL.iter().filter(|it| it.scope == Scope::Hint) {
            let Check::Event(check) = hint.check else { continue };
            let Some(rule) = RuleText::of_id(hint.id).map(Rule::Invariant) else { continue };
            if let Some(event) = events.iter().find(|event| check(&moment, event).is_some()) {
                self.note(rule, event, None, true);
            }
        }
    }

    fn has(&self, condition: Condition) -> bool {
        self.broken.contains_key(&Rule::Condition(condition))
    }

    fn note(&mut self, rule: Rule, event: &Event, finding: Option<Finding>, is_hint: bool) {
        let objects = finding.as_ref().map_or_else(|| objects_of(event), objects_of_finding);
        let (at, sequence) = (event.at, event.sequence);
        let broken = Broken { rule, at, event: sequence, finding, objects, is_hint };
        self.broken.entry(rule).or_insert(broken);
    }

    /// How many events have been looked at.
    pub fn seen(&self) -> EventSequence {
        self.walk.as_ref().map_or(0, |walk| walk.cursor.event_count())
    }

    pub fn broken(&self, rule: Rule) -> Option<&Broken> {
        self.broken.get(&rule)
    }

    /// The breaks that are more than hints, by event.
    pub fn breaks(&self) -> Vec<&Broken> {
        let mut breaks: Vec<&Broken> = self.broken.values().filter(|it| !it.is_hint).collect();
        order::sort_by_key(&mut breaks, |broken| broken.event);
        breaks
    }

    /// How a rule of that scope stands once `event` has happened.
    pub fn state(&self, rule: Rule, scope: ScopeText, event: EventSequence) -> State {
        let ends = match scope {
            ScopeText::WithoutFaults => self.fault,
            ScopeText::OnceInOrder => self.bent,
            _ => None,
        };
        match (self.broken(rule), ends.filter(|(first, _)| *first <= event)) {
            (Some(broken), _) if broken.event <= event => {
                State::Broke { at: broken.at, event: broken.event }
            }
            (Some(broken), _) => State::WillBreak { at: broken.at, event: broken.event },
            (None, Some((_, since))) => State::NotAsked { since },
            (None, _) => State::Holds,
        }
    }
}

fn objects_of(event: &Event) -> Vec<MarkId> {
    let queue = concerns::queue(&event.kind).cloned();
    let queue = queue.or_else(|| concerns::message(&event.kind).map(queue_of));
    let machine = match event.actor {
        Actor::Machine(Machine::Broker(broker)) => Some(MarkId::Broker(broker)),
        Actor::Machine(Machine::Client(process)) => Some(MarkId::Consumer(process)),
        _ => None,
    };
    queue.map(MarkId::Queue).into_iter().chain(machine).collect()
}

fn objects_of_finding(finding: &Finding) -> Vec<MarkId> {
    let of_message = |message: &StoredMessage| {
        vec![MarkId::Copy(message.message_id()), MarkId::Queue(queue_of(message))]
    };
    match finding {
        Finding::Skipped { message } | Finding::Discarded { message } => of_message(message),
        Finding::Twice { message, process } => {
            let mut objects = of_message(message);
            objects.push(MarkId::Consumer(*process));
            objects
        }
        Finding::LostWithBroker { broker } => vec![MarkId::Broker(*broker)],
        Finding::Still { queue, .. }
        | Finding::Silent { queue, .. }
        | Finding::TwoOwners { queue, .. } => vec![MarkId::Queue(queue.clone())],
    }
}

impl Rule {
    pub const fn text(self) -> RuleText {
        match self {
            Rule::Invariant(text) => text,
            Rule::Condition(Condition::NothingLost) => RuleText::NothingLost,
            Rule::Condition(Condition::NothingTwice) => RuleText::NothingTwice,
            Rule::Condition(Condition::CommitMoves) => RuleText::CommitMoves,
            Rule::Condition(Condition::NoSilence) => RuleText::NoSilence,
            Rule::Condition(Condition::OneOwner) => RuleText::OneOwner,
        }
    }
}

/// What was found, in words.
pub fn finding_text(narrator: &Narrator<'_>, broken: &Broken) -> FindingText {
    let queue = |queue: &MessageQueue| narrator.queue(queue);
    let message = |message: &Rc<StoredMessage>| narrator.message(message);
    let process = |process| -> Label { narrator.cast().process(process) };
    let Some(finding) = &broken.finding else { return FindingText::Rule(broken.rule.text()) };
    match finding {
        Finding::Skipped { message: it } => FindingText::Skipped { message: message(it) },
        Finding::Discarded { message: it } => FindingText::Discarded { message: message(it) },
        Finding::LostWithBroker { broker } => {
            FindingText::LostWithBroker { broker: narrator.cast().broker(*broker) }
        }
        Finding::Twice { message: it, process: by } => {
            FindingText::Twice { message: message(it), process: process(*by) }
        }
        Finding::Still { queue: it, at, since } => {
            FindingText::Still { queue: queue(it), at: at.0, since: *since }
        }
        Finding::Silent { queue: it, since } => {
            FindingText::Silent { queue: queue(it), since: *since }
        }
        Finding::TwoOwners { queue: it, first, second } => FindingText::TwoOwners {
            queue: queue(it),
            first: process(*first),
            second: process(*second),
        },
    }
}
