//! From events to words: who did what to what, by which code, where in the source.
//!
//! The words themselves are in `text`; here is decided what is said.

mod command;
mod event;
mod request;
mod source;
mod wait;

use std::rc::Rc;

use super::card::Label;
use super::cast::Cast;
use super::journal::{Journal, Past};
use crate::model::ids::{BrokerIndex, BrokerName, ProcessIndex, QueueId, TopicName};
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::profile::Profile;
use crate::recording::Recording;
use crate::sim::event::{Actor, Event, EventKind, EventSequence};
use crate::sim::packet::{Machine, RequestCode, ResponseCode};
use crate::sim::world::World;
use crate::text::event::{Code, Told, Who};

pub use self::command::{command_text, refusal_text};
pub use self::event::result_name;
pub use self::source::{source, start_step};
pub use self::wait::AgendaLine;

/// What it takes to put events into words. Cheap to make; names never change while a run grows.
#[derive(Debug)]
pub struct Narrator<'a> {
    recording: &'a Recording,
    journal: &'a Journal,
    world: &'a World,
    cast: Cast,
    profile: Profile,
}

impl<'a> Narrator<'a> {
    pub fn new(recording: &'a Recording, journal: &'a Journal) -> Narrator<'a> {
        let world = recording.head().world();
        let profile = recording.head().engine().profile;
        Narrator { recording, journal, world, cast: Cast::of(world), profile }
    }

    /// One event in words.
    pub fn told(&self, event: &Event) -> Told {
        let who = self.who(event);
        let (text, subject) = self.text(event);
        let (to, code) = self.call(event);
        Told { who, to, code, subject, text, source: source(&event.kind) }
    }

    pub fn told_at(&self, event: EventSequence) -> Option<Told> {
        self.recording.event(event).map(|event| self.told(event))
    }

    fn who(&self, event: &Event) -> Who {
        match (event.actor, &event.kind) {
            (_, EventKind::LimitReached { .. }) => Who::Limit,
            (Actor::Machine(machine), _) => self.machine(machine),
            (
                Actor::Person,
                EventKind::CommandApplied { index } | EventKind::CommandRefused { index, .. },
            ) => match (*index as usize) < self.recording.start().script.len() {
                true => Who::Script,
                false => Who::Person,
            },
            (Actor::Person, _) => Who::Person,
        }
    }

    pub fn machine(&self, machine: Machine) -> Who {
        match machine {
            Machine::NameServer(_) => Who::NameServer,
            machine => Who::Machine(self.cast.machine(machine)),
        }
    }

    /// The other side of a call, and its code.
    fn call(&self, event: &Event) -> (Option<Who>, Option<Code>) {
        let (to, code) = match &event.kind {
            EventKind::RequestSent { to, code, .. } => (Some(*to), *code),
            EventKind::ResponseSent { to, of, .. } => (Some(*to), *of),
            EventKind::ResponseReceived { of, .. }
            | EventKind::CallTimedOut { of, .. }
            | EventKind::CallFailed { of, .. } => (None, *of),
            EventKind::PacketLost { to, code, .. }
            | EventKind::PacketRepeated { to, code, .. }
            | EventKind::PacketHeld { to, code, .. }
            | EventKind::PacketPassed { to, code, .. } => (Some(*to), *code),
            EventKind::ResponseUnmatched { of, .. } => (None, *of),
            EventKind::ConnectionOpened { to, .. } => return (Some(self.machine(*to)), None),
            EventKind::ConnectionClosed { with, .. } => return (Some(self.machine(*with)), None),
            _ => return (None, None),
        };
        let code = self.code(code);
        (to.map(|to| self.machine(to)), Some(code))
    }

    pub fn code(&self, code: RequestCode) -> Code {
        Code { number: code.number(), name: code.name(self.profile) }
    }

    fn answer_code(code: ResponseCode) -> Code {
        Code { number: code.number(), name: code.name() }
    }

    fn past(&self) -> Past<'a> {
        self.journal.as_of(EventSequence::MAX)
    }

    /// `B q0·15`.
    pub fn message(&self, record: &StoredMessage) -> Label {
        let place = self.place(record);
        format!("{} {place}", self.past().label(record)).into()
    }

    pub fn label(&self, record: &StoredMessage) -> Label {
        self.past().label(record)
    }

    /// `q0·15`.
    pub fn place(&self, record: &StoredMessage) -> Label {
        let queue = super::of_world::queue_of(record);
        format!("{}·{}", self.cast.queue(&queue), record.queue_offset).into()
    }

    pub fn queue(&self, queue: &MessageQueue) -> Label {
        self.cast.queue(queue)
    }

    fn queue_of(&self, topic: &TopicName, broker_name: &BrokerName, id: QueueId) -> Label {
        self.cast.queue(&MessageQueue::new(topic.clone(), broker_name.clone(), id))
    }

    fn broker_name(&self, index: BrokerIndex) -> BrokerName {
        self.world.broker(index).name.clone()
    }

    fn queues(&self, queues: &[MessageQueue]) -> Label {
        let names: Vec<Rc<str>> = queues.iter().map(|queue| self.queue(queue)).collect();
        match names.as_slice() {
            [] => "–".into(),
            // Of many the first and the last: a row of the log has one line.
            [first, second, .., last] if names.len() > 8 => {
                format!("{first}, {second} … {last}").into()
            }
            _ => names.join(", ").into(),
        }
    }

    pub fn cast(&self) -> &Cast {
        &self.cast
    }

    /// The label of a client by its id.
    pub fn client(&self, client_id: &crate::model::ids::ClientId) -> Label {
        let clients = self.world.clients.iter();
        let found = clients.filter(|it| it.client_id == *client_id).map(|it| it.process).next();
        found.map_or_else(|| client_id.as_str().into(), |process| self.cast.process(process))
    }

    pub fn is_orderly(&self, process: ProcessIndex, group: &crate::model::ids::GroupName) -> bool {
        let client = self.world.clients.get(process.0 as usize);
        client.and_then(|it| it.consumers.get(group)).is_some_and(|it| it.is_orderly())
    }

    /// The event that caused this one.
    fn cause(&self, event: &Event) -> Option<&'a Event> {
        self.recording.event(*event.causes.as_slice().first()?)
    }
}
