//! What led to an event within its own moment: the events that its beat gathers.

use super::super::mark::TokenId;
use crate::model::ids::{BrokerIndex, ProcessIndex};
use crate::model::message::StoredMessage;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::sim::event::{Actor, Event, EventKind, EventSequence, RequestDetail};
use crate::sim::packet::{Machine, RequestCode};

/// One story is told within so much virtual time; whatever waits longer waits for a timer.
pub const MOMENT: Millis = Millis::new(100);

/// So many events before are looked at, at most: where a thousand lead to one, the nearest count.
const MOST: usize = 96;

/// The events that led to one within its moment, the newest first.
pub struct Roots<'a> {
    events: Vec<&'a Event>,
    recording: &'a Recording,
}

impl<'a> Roots<'a> {
    pub fn of(event: &'a Event, recording: &'a Recording) -> Roots<'a> {
        let mut events: Vec<&Event> = Vec::new();
        let mut open: Vec<EventSequence> = event.causes.as_slice().to_vec();
        while let Some(sequence) = take_newest(&mut open) {
            let Some(cause) = recording.event(sequence) else { continue };
            if cause.at + MOMENT < event.at || events.len() == MOST {
                continue;
            }
            events.push(cause);
            for before in cause.causes.as_slice() {
                if !open.contains(before) {
                    open.push(*before);
                }
            }
        }
        Roots { events, recording }
    }

    pub fn iter(&self) -> impl Iterator<Item = &'a Event> + '_ {
        self.events.iter().copied()
    }

    /// The nearest of a kind.
    pub fn find<T>(&self, wanted: impl Fn(&'a Event) -> Option<T>) -> Option<T> {
        self.iter().find_map(wanted)
    }

    /// Who sent the call of this code.
    pub fn caller(&self, code: RequestCode) -> Option<ProcessIndex> {
        self.find(|event| match (&event.kind, event.actor) {
            (EventKind::RequestSent { code: of, .. }, Actor::Machine(Machine::Client(process)))
                if *of == code =>
            {
                Some(process)
            }
            _ => None,
        })
    }

    /// Whether a call of this code is among them.
    pub fn has_call(&self, code: RequestCode) -> bool {
        self.find(|event| match &event.kind {
            EventKind::RequestSent { code: of, .. } if *of == code => Some(()),
            _ => None,
        })
        .is_some()
    }

    /// The producer that was asked to send.
    pub fn producer(&self) -> Option<ProcessIndex> {
        self.find(|event| match (&event.kind, event.actor) {
            (EventKind::SendAsked { .. }, Actor::Machine(Machine::Client(process))) => {
                Some(process)
            }
            _ => None,
        })
    }

    /// The record that a send-back was about.
    pub fn origin(&self) -> Option<&'a StoredMessage> {
        let origin = |event: &'a Event| match &event.kind {
            EventKind::RetryStored { origin, .. } | EventKind::DeadLettered { origin, .. } => {
                Some(&**origin)
            }
            _ => None,
        };
        self.find(|event| {
            let EventKind::MessageStored { .. } = &event.kind else { return origin(event) };
            // The broker says what it was right after it has stored it.
            let after = self.recording.events().iter_from(event.sequence as usize + 1);
            after.take_while(|next| next.task == event.task).find_map(origin)
        })
    }

    /// The delayed record whose time was over.
    pub fn elapsed(&self) -> Option<&'a StoredMessage> {
        self.find(|event| match &event.kind {
            EventKind::DelayElapsed { message, .. } => Some(&**message),
            _ => None,
        })
    }

    /// The offset that a report carried.
    pub fn reporter(&self) -> Option<(ProcessIndex, bool)> {
        self.find(|event| match (&event.kind, event.actor) {
            (
                EventKind::RequestSent { code, detail, .. },
                Actor::Machine(Machine::Client(process)),
            ) => match (code, detail) {
                (RequestCode::PullMessage, _) => Some((process, true)),
                (_, RequestDetail::Commit { .. }) => Some((process, false)),
                _ => None,
            },
            _ => None,
        })
    }
}

fn take_newest(open: &mut Vec<EventSequence>) -> Option<EventSequence> {
    let newest = open.iter().copied().max()?;
    open.retain(|sequence| *sequence != newest);
    Some(newest)
}

/// The process that an event is of.
pub fn process_of(event: &Event) -> Option<ProcessIndex> {
    match event.actor {
        Actor::Machine(Machine::Client(process)) => Some(process),
        _ => None,
    }
}

/// The broker that an event is of.
pub fn broker_of(event: &Event) -> Option<BrokerIndex> {
    match event.actor {
        Actor::Machine(Machine::Broker(broker)) => Some(broker),
        _ => None,
    }
}

/// The record in its queue, level or among the dead letters.
pub fn stored(record: &StoredMessage) -> TokenId {
    TokenId::Stored(record.message_id())
}
