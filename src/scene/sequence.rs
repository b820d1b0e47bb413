//! The sequence view as data: who asked whom for what, one row after the other, with the waits cut out (UX 8).
//!
//! Calls that matter are arrows, facts that matter are notes at their lifeline; what repeats itself in the
//! background (empty pulls, heartbeats, reports of what is known) is one bar with a number. Where more than a
//! second passes between two rows, the axis is cut. Built from the log's rows around one event, so the view
//! of a long run costs no more than that of a short one.

pub mod place;

use super::log::{Log, LogRow};
use super::narrate::Narrator;
use super::timeline::FOLD_FROM;
use crate::model::order;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::scene::cast::is_producer;
use crate::sim::event::{Actor, Event, EventKind, EventSequence};
use crate::sim::packet::Machine;
use crate::text::event::{Code, Told, Who};

/// Rows before and after the event in force.
const BEFORE: usize = 24;
const AFTER: usize = 24;

/// So many lifelines have room for their names.
const LIFELINES: usize = 8;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    pub lifelines: Vec<Lifeline>,
    pub rows: Vec<Row>,
    /// The row of the event in force, or the last before it.
    pub now: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Lifeline {
    pub machine: Machine,
    pub name: Who,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// A request or an answer; `from` and `to` are lifelines.
    Arrow { event: EventSequence, at: Millis, from: usize, to: usize, kind: ArrowKind, told: Told },
    /// Something that happened at one machine.
    Note { event: EventSequence, at: Millis, lifeline: usize, told: Told },
    /// Calls that repeat themselves without changing anything.
    Bar { event: EventSequence, from: usize, to: usize, code: Code, count: u32 },
    /// Nothing to tell for so long: the axis is cut.
    Cut { from: Millis, until: Millis },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrowKind {
    Request,
    Answer,
    /// It never arrived.
    Lost,
}

impl Row {
    /// The event that choosing the row leads to.
    pub const fn event(&self) -> Option<EventSequence> {
        match self {
            Row::Arrow { event, .. } | Row::Note { event, .. } | Row::Bar { event, .. } => {
                Some(*event)
            }
            Row::Cut { .. } => None,
        }
    }
}

/// What a row of the log is in the sequence.
enum Step {
    Told,
    Background,
    Nothing,
}

fn step(event: &Event, row: &LogRow) -> Step {
    match (&event.kind, row.importance) {
        (EventKind::RequestSent { .. }, 0) => Step::Background,
        (_, 0) => Step::Nothing,
        (
            EventKind::RequestSent { .. }
            | EventKind::ResponseSent { .. }
            | EventKind::PacketLost { .. },
            _,
        ) => Step::Told,
        // Told already by the command's effect, or by the call that brings it.
        (EventKind::CommandApplied { .. } | EventKind::StartStepDone { .. }, _) => Step::Nothing,
        (_, 2..) => Step::Told,
        _ => Step::Nothing,
    }
}

/// The sequence around `event`; the log must have followed the recording.
pub fn around(
    recording: &Recording,
    log: &Log,
    narrator: &Narrator<'_>,
    event: EventSequence,
) -> Sequence {
    let rows = log.rows();
    let here = log.row_of(event);
    let is_told = |row: &&LogRow| {
        recording.event(row.first).is_some_and(|event| matches!(step(event, row), Step::Told))
    };
    let places = |row: &LogRow| log.row_of(row.first);
    let upto = &rows[..rows.len().min(here + 1)];
    let first = upto.iter().rev().filter(is_told).take(BEFORE).last().map_or(0, places);
    let after = rows[upto.len()..].iter().filter(is_told).take(AFTER);
    let last = after.last().map_or(here, places);
    let window = rows.get(first..=last.min(rows.len().saturating_sub(1))).unwrap_or_default();
    let mut drawing = Drawing { recording, narrator, machines: Vec::new(), rows: Vec::new() };
    let mut before: Option<Millis> = None;
    let mut background: Vec<&LogRow> = Vec::new();
    for row in window {
        let Some(of) = recording.event(row.first) else { continue };
        match step(of, row) {
            Step::Nothing => {}
            Step::Background => background.push(row),
            Step::Told => {
                drawing.wait(before, row.first_at, &std::mem::take(&mut background));
                drawing.tell(of);
                before = Some(row.first_at);
            }
        }
    }
    drawing.finish(event)
}

struct Drawing<'a> {
    recording: &'a Recording,
    narrator: &'a Narrator<'a>,
    machines: Vec<Machine>,
    rows: Vec<Row>,
}

impl Drawing<'_> {
    /// What lies between two told events: a cut, and bars for what went on meanwhile.
    fn wait(&mut self, before: Option<Millis>, at: Millis, background: &[&LogRow]) {
        if let Some(before) = before.filter(|before| at.since(*before) > FOLD_FROM) {
            self.rows.push(Row::Cut { from: before, until: at });
        }
        let begin = self.rows.len();
        for row in background {
            let Some(event) = self.recording.event(row.first) else { continue };
            let EventKind::RequestSent { to, code, .. } = event.kind else { continue };
            let Actor::Machine(from) = event.actor else { continue };
            let (from, to, code) =
                (self.lifeline(from), self.lifeline(to), self.narrator.code(code));
            let same = self.rows[begin..].iter_mut().find_map(|row| match row {
                Row::Bar { from: a, to: b, code: c, count, .. }
                    if (*a, *b, *c) == (from, to, code) =>
                {
                    Some(count)
                }
                _ => None,
            });
            match same {
                Some(count) => *count += row.count,
                None => {
                    let (event, count) = (row.first, row.count);
                    self.rows.push(Row::Bar { event, from, to, code, count });
                }
            }
        }
    }

    fn tell(&mut self, event: &Event) {
        let told = self.narrator.told(event);
        let (at, sequence) = (event.at, event.sequence);
        let arrow = match &event.kind {
            EventKind::RequestSent { to, .. } => Some((event.actor, *to, ArrowKind::Request)),
            EventKind::ResponseSent { to, .. } => Some((event.actor, *to, ArrowKind::Answer)),
            EventKind::PacketLost { from, to, .. } => {
                Some((Actor::Machine(*from), *to, ArrowKind::Lost))
            }
            _ => None,
        };
        match (arrow, event.actor) {
            (Some((Actor::Machine(from), to, kind)), _) => {
                let (from, to) = (self.lifeline(from), self.lifeline(to));
                self.rows.push(Row::Arrow { event: sequence, at, from, to, kind, told });
            }
            (_, Actor::Machine(machine)) => {
                let lifeline = self.lifeline(machine);
                self.rows.push(Row::Note { event: sequence, at, lifeline, told });
            }
            _ => {}
        }
    }

    /// The number of a machine's lifeline, for now in the order of their coming.
    fn lifeline(&mut self, machine: Machine) -> usize {
        let known = self.machines.iter().position(|known| *known == machine);
        known.unwrap_or_else(|| {
            self.machines.push(machine);
            self.machines.len() - 1
        })
    }

    /// Puts the lifelines into their order: producers, name server, brokers, consumers.
    fn finish(mut self, event: EventSequence) -> Sequence {
        let world = self.recording.head().world();
        let rank = |machine: &Machine| match machine {
            Machine::Client(process) if is_producer(world.client(*process)) => (0, process.0),
            Machine::NameServer(index) => (1, u32::from(*index)),
            Machine::Broker(index) => (2, u32::from(index.0)),
            Machine::Client(process) => (3, process.0),
        };
        let mut order: Vec<usize> = (0..self.machines.len()).collect();
        order::sort_by_key(&mut order, |place| rank(&self.machines[*place]));
        order.truncate(LIFELINES);
        let place = |of: usize| order.iter().position(|it| *it == of);
        self.rows = self.rows.into_iter().filter_map(|row| moved(row, place)).collect();
        let lifelines = order.iter().map(|it| Lifeline {
            machine: self.machines[*it],
            name: self.narrator.machine(self.machines[*it]),
        });
        let is_past = |row: &Row| row.event().is_some_and(|of| of <= event);
        let now = self.rows.iter().rposition(is_past);
        Sequence { lifelines: lifelines.collect(), rows: self.rows, now }
    }
}

/// The row with its lifelines' new numbers; nothing if one of them has no room.
fn moved(row: Row, place: impl Fn(usize) -> Option<usize>) -> Option<Row> {
    Some(match row {
        Row::Arrow { event, at, from, to, kind, told } => {
            Row::Arrow { event, at, from: place(from)?, to: place(to)?, kind, told }
        }
        Row::Note { event, at, lifeline, told } => {
            Row::Note { event, at, lifeline: place(lifeline)?, told }
        }
        Row::Bar { event, from, to, code, count } => {
            Row::Bar { event, from: place(from)?, to: place(to)?, code, count }
        }
        cut @ Row::Cut { .. } => cut,
    })
}
