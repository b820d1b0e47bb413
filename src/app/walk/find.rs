//! Finding the moments of marks in a recording, event by event as it grows.

use super::Found;
use super::focus::mark_of;
use crate::model::ids::ProcessIndex;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::scenario::expect::sample::Who;
use crate::scenario::walk::{Happening, QueueName, Stop, WalkMark};
use crate::scene::concerns;
use crate::sim::event::{Actor, Event, EventKind, EventSequence, RequestDetail};
use crate::sim::kind;
use crate::sim::packet::Machine;

#[derive(Debug, Default)]
pub struct Search {
    found: Vec<Option<Found>>,
    /// How often each mark's event has come.
    counts: Vec<u32>,
    scanned: EventSequence,
    cut_count: usize,
}

impl Search {
    pub fn new(marks: usize) -> Search {
        Search { found: vec![None; marks], counts: vec![0; marks], ..Search::default() }
    }

    pub fn found(&self) -> &[Option<Found>] {
        &self.found
    }

    pub fn follow(&mut self, marks: &[WalkMark], recording: &Recording) {
        if self.cut_count != recording.cut_count() {
            *self = Search { cut_count: recording.cut_count(), ..Search::new(marks.len()) };
        }
        let first_act = recording.interventions().first();
        let last = first_act.map_or(Millis::new(u64::MAX), |act| act.at);
        for event in recording.events().iter_from(self.scanned as usize) {
            for (index, mark) in marks.iter().enumerate() {
                let Stop::Event(happening) = &mark.stop else { continue };
                if self.found[index].is_some() || !is_it(event, happening, recording) {
                    continue;
                }
                self.counts[index] += 1;
                if self.counts[index] == happening.nth && event.at <= last {
                    let focus = mark_of(&mark.focus, recording, event.sequence);
                    let event_of = Some(event.sequence);
                    self.found[index] = Some(Found { event: event_of, at: event.at, focus });
                }
            }
            self.scanned = event.sequence + 1;
        }
        for (index, mark) in marks.iter().enumerate() {
            let Stop::At(at) = mark.stop else { continue };
            if self.found[index].is_none() && at <= recording.reached() && at <= last {
                let before = recording.events().partition_point(|event| event.at <= at);
                let focus = mark_of(&mark.focus, recording, before.saturating_sub(1) as u32);
                self.found[index] = Some(Found { event: None, at, focus });
            }
        }
    }
}

fn is_it(event: &Event, wanted: &Happening, recording: &Recording) -> bool {
    let is = |known: Option<bool>| known.unwrap_or(true);
    kind::name(&event.kind) == wanted.kind
        && event.at >= wanted.after
        && is(wanted.key.as_ref().map(|key| is_of_message(&event.kind, key)))
        && is(wanted.queue.as_ref().map(|queue| is_of_queue(&event.kind, queue)))
        && is(wanted.consumer.as_ref().map(|id| is_by(event, id, recording)))
        && is(wanted.code.map(|code| concerns::code(&event.kind) == Some(code)))
}

fn is_of_message(kind: &EventKind, key: &str) -> bool {
    match kind {
        EventKind::SendAsked { key: of, .. } => **of == *key,
        EventKind::SendSucceeded { message, .. } | EventKind::SendFailed { message, .. } => {
            **message == *key
        }
        kind => {
            let body = concerns::message(kind).map(|message| &message.body);
            body.and_then(|body| body.key.as_ref()).is_some_and(|of| of.as_str() == key)
        }
    }
}

fn is_of_queue(kind: &EventKind, wanted: &QueueName) -> bool {
    let (topic, queue_id) = match kind {
        EventKind::RequestSent { detail, .. } => match detail {
            RequestDetail::Pull { topic, queue_id, .. }
            | RequestDetail::Commit { topic, queue_id, .. }
            | RequestDetail::Send { topic, queue_id, .. }
            | RequestDetail::Queue { topic, queue_id } => (topic, *queue_id),
            RequestDetail::Queues { queues, .. } => {
                let is = |topic, queue_id| wanted.topic == topic && wanted.queue_id == queue_id;
                return queues.iter().any(|it| is(it.topic.clone(), it.queue_id));
            }
            _ => return false,
        },
        kind => match (concerns::queue(kind), concerns::message(kind)) {
            (Some(queue), _) => (&queue.topic, queue.queue_id),
            (None, Some(message)) => (&message.topic, message.queue_id),
            (None, None) => return false,
        },
    };
    wanted.topic == *topic && wanted.queue_id == queue_id
}

/// By the client, or about it.
fn is_by(event: &Event, id: &str, recording: &Recording) -> bool {
    let is = |process: ProcessIndex| Who::of(recording.head().world(), process).is(id);
    match (&event.kind, event.actor) {
        (
            EventKind::ClientRegistered { process, .. } | EventKind::ClientLeft { process, .. },
            _,
        ) => is(*process),
        (
            EventKind::QueueLocked { client, .. }
            | EventKind::QueueLockRefused { client, .. }
            | EventKind::QueueUnlocked { client, .. },
            _,
        ) => client.as_str() == id,
        (_, Actor::Machine(Machine::Client(process))) => is(process),
        _ => false,
    }
}
