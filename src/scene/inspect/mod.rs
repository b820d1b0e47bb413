//! The inspector: what a thing is, its numbers, why it is so, what comes next, where it stands in the
//! source; in this order for everything (UX 5). What can be done to it is `app::fault`'s business.

mod at_broker;
mod at_consumer;
mod call;
mod message;
mod next;
mod silent;
mod source;
mod taken;
mod tries;
mod turns;

use std::rc::Rc;

use super::card::{Label, MessageState};
use super::concerns::last_about;
use super::draw::state_word;
use super::mark::MarkId;
use super::narrate::Narrator;
use super::of_world::Sight;
use super::scene::{Scene, Tense};
use super::timeline::Timeline;
use super::tree::Tree;
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::sim::event::EventSequence;
use crate::text::Term;
use crate::text::event::Told;
use crate::text::inspect::{Field, InspectText, InspectWord, JourneyText, Value};
use crate::text::wait::WaitText;

/// All that is told of one thing at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    pub mark: MarkId,
    pub what: InspectText,
    /// What such a thing is; then what its state or place means, where that has a term of its own.
    pub terms: Vec<Term>,
    pub note: Option<InspectText>,
    /// For the card beside the title.
    pub state: Option<MessageState>,
    pub failures: u32,
    pub journey: Vec<JourneyRow>,
    pub numbers: Vec<NumberRow>,
    pub tables: Vec<Table>,
    /// The window's tree.
    pub tree: Option<Tree>,
    /// A consumer that starts: the step of start() it is at, 1 to 15; its source is
    /// `narrate::start_step`, its name `StageText::StartStep`.
    pub step: Option<u8>,
    pub why: Option<InspectText>,
    /// The last event that is about it.
    pub cause: Option<Cause>,
    pub next: Vec<WaitText>,
    pub source: Vec<SourceRow>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberRow {
    pub field: Field,
    pub value: Value,
    /// What it was before the event in force.
    pub was: Option<Value>,
    /// RocketMQ's default, if a property is set to another value.
    pub default: Option<Value>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub title: InspectWord,
    pub head: Vec<InspectWord>,
    pub rows: Vec<Vec<Value>>,
}

/// A row of a message's journey; the number is that of its station on the stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JourneyRow {
    pub number: Option<u8>,
    pub tense: Tense,
    pub at: Option<Millis>,
    /// Of the present one: when it goes on.
    pub until: Option<Millis>,
    pub text: JourneyText,
    pub event: Option<EventSequence>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    pub event: EventSequence,
    pub at: Millis,
    pub told: Told,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceRow {
    /// `Class.method`.
    Class(&'static str),
    /// A request code.
    Code { number: u16, name: &'static str },
    /// A property, with its value.
    Property { name: &'static str, value: Rc<str> },
}

/// What it takes to tell of a thing.
pub struct Desk<'a> {
    pub sight: Sight<'a>,
    pub scene: &'a Scene,
    pub recording: &'a Recording,
    pub timeline: &'a Timeline,
    pub narrator: &'a Narrator<'a>,
}

impl Desk<'_> {
    /// Tells of a thing. What is not there any more is told so.
    pub fn inspect(&self, mark: &MarkId) -> Inspection {
        let mut told = match mark {
            MarkId::NameServer(_) => self.name_server(),
            MarkId::Producer(process) => self.producer(*process),
            MarkId::Broker(index) => self.broker(*index),
            MarkId::CommitLog(index) => self.commit_log(*index),
            MarkId::Queue(queue) => self.queue(queue),
            MarkId::Copy(copy) => self.copy(copy),
            MarkId::Message(key) => self.message(*key),
            MarkId::DelayLevel { broker, level } => self.level(*broker, *level),
            MarkId::DeadLetters(queue) => self.dead_letters(queue),
            MarkId::BrokerLedger(index) => self.broker_ledger(*index),
            MarkId::Lock(queue) => self.lock(queue),
            MarkId::Call(call) => self.call(*call),
            MarkId::Consumer(process) => self.consumer(*process),
            MarkId::Pull { process, queue } => self.pull(*process, queue),
            MarkId::Shelf { process, process_queue } => self.shelf(*process, *process_queue),
            MarkId::Belief { process, queue } => self.belief(*process, queue),
            MarkId::ConsumeRequests(process) => self.requests(*process),
            MarkId::Worker { process, index } => self.worker(*process, *index),
            MarkId::ConsumerLedger(process) => self.consumer_ledger(*process),
            MarkId::Rebalance(process) => self.rebalance(*process),
        }
        .unwrap_or_else(|| told(InspectText::Gone));
        told.terms = terms(mark, &told);
        told.mark = mark.clone();
        told.cause = self.cause(mark);
        told.next = self.next(mark);
        let is_told_of_turns =
            matches!(mark, MarkId::Queue(_) | MarkId::Lock(_) | MarkId::Consumer(_));
        if is_told_of_turns || told.what == InspectText::Gone {
            told.tables.extend(self.turns_of(mark));
        }
        told.source = source::source(mark, self);
        told
    }

    /// The last told event about it, or the last one at all.
    fn cause(&self, mark: &MarkId) -> Option<Cause> {
        let until = self.sight.past.event_count();
        let is_told =
            |event: &crate::sim::event::Event| self.timeline.importance(event.sequence) > 0;
        let found = last_about(self.recording, mark, until, is_told)
            .or_else(|| last_about(self.recording, mark, until, |_| true))?;
        let event = self.recording.event(found)?;
        Some(Cause { event: found, at: event.at, told: self.narrator.told(event) })
    }

    fn queue_label(&self, queue: &MessageQueue) -> Label {
        self.narrator.cast().queue(queue)
    }
}

impl Inspection {
    /// Notes which numbers the event in force has changed.
    pub fn compare(&mut self, before: &Inspection) {
        for row in &mut self.numbers {
            let was = before.numbers.iter().find(|other| other.field == row.field);
            row.was = was.map(|was| was.value.clone()).filter(|was| *was != row.value);
        }
    }
}

fn terms(mark: &MarkId, told: &Inspection) -> Vec<Term> {
    let thing = match told.what {
        InspectText::Call { number, .. } => Term::of_request(number),
        _ => mark.term(),
    };
    let place = told.numbers.iter().find_map(|row| match row.value {
        Value::Word(InspectWord::OnBench) => Some(Term::LongPolling),
        Value::Word(InspectWord::PutOff) => Some(Term::PutOff),
        Value::Word(InspectWord::OnWire) => Some(Term::AwaitsAnswer),
        _ => None,
    });
    let state = told.state.map(|state| state_word(state).term());
    [Some(thing), state, place].into_iter().flatten().collect()
}

/// A thing of which only its name is told yet.
fn told(what: InspectText) -> Inspection {
    Inspection {
        mark: MarkId::NameServer(0),
        what,
        terms: Vec::new(),
        note: None,
        state: None,
        failures: 0,
        journey: Vec::new(),
        numbers: Vec::new(),
        tables: Vec::new(),
        tree: None,
        step: None,
        why: None,
        cause: None,
        next: Vec::new(),
        source: Vec::new(),
    }
}

fn row(field: impl Into<Field>, value: Value) -> NumberRow {
    NumberRow { field: field.into(), value, was: None, default: None }
}

fn yes(is_so: bool) -> Value {
    Value::Word(if is_so { InspectWord::Yes } else { InspectWord::No })
}

fn name(words: &str) -> Value {
    Value::Name(words.into())
}

fn count(count: usize) -> Value {
    Value::Count(count as u64)
}

/// The names in their order. Of a crowd the first ones and how many more there are: a consumer may own a thousand
/// queues, and their names would push all else out of the panel.
fn joined(names: impl Iterator<Item = Label>) -> Value {
    const NAMED: usize = 12;
    let all: Vec<Label> = names.collect();
    match all.len() {
        0 => Value::Word(InspectWord::Nothing),
        few if few <= NAMED + 1 => Value::Name(all.join(", ").into()),
        many => Value::Name(format!("{} +{}", all[..NAMED].join(", "), many - NAMED).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Value {
        joined((0..count).map(|at| Label::from(format!("q{at}"))))
    }

    #[test]
    fn of_a_crowd_the_first_dozen_is_named_and_the_rest_counted() {
        let dozen = "q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11";
        assert_eq!(names(0), Value::Word(InspectWord::Nothing));
        assert_eq!(names(2), name("q0, q1"));
        assert_eq!(names(13), name(&format!("{dozen}, q12")));
        assert_eq!(names(1001), name(&format!("{dozen} +989")));
    }
}
