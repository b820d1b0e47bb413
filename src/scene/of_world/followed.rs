//! The followed message: the stations of its way, past, now and to come.

use super::Eye;
use super::journey::{Step, StepKind, journey};
use crate::model::delay_level::DelayLevel;
use crate::model::delay_level::delay_of;
use crate::model::ids::{BrokerIndex, BrokerName, ProcessIndex, UniqueKey};
use crate::model::message::MessageId;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;
use crate::scene::card::{Card, MessageState};
use crate::scene::mark::MarkId;
use crate::scene::scene::{CallCode, Followed, Scene, Spot, Station, Tense};
use crate::sim::event::ConsumeOutcome;
use crate::sim::packet::RequestCode;

/// A station, and the step that it stands for, if it is one that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub station: Station,
    pub step: Option<usize>,
}

/// Stations in all; more cannot be told apart.
const STATIONS: usize = 6;

impl Eye<'_> {
    pub(super) fn followed(&self, scene: &Scene) -> Option<Followed> {
        let mark = self.sight.gaze.followed.clone()?;
        if let MarkId::Lock(queue) = &mark {
            return Some(Followed {
                label: self.cast.queue(queue),
                mark,
                unique_key: None,
                state: MessageState::Stored,
                failures: 0,
                stations: Vec::new(),
            });
        }
        let key = self.followed_key(&mark)?;
        let steps = journey(self.past, key, self.group.as_ref());
        let last = steps.last()?;
        let card = newest_card(scene, key, last);
        let stations = self.stations(&steps).into_iter().map(|placed| placed.station).collect();
        let (state, failures) = match card {
            Some(card) => (card.state, card.failures),
            None => (state_of(last), u32::try_from(last.failures).unwrap_or(0)),
        };
        let label = self.past.facts(key).first().map(|fact| self.past.label(&fact.record))?;
        Some(Followed { mark, unique_key: Some(key), label, state, failures, stations })
    }

    fn followed_key(&self, mark: &MarkId) -> Option<UniqueKey> {
        match mark {
            MarkId::Message(key) => Some(*key),
            MarkId::Copy(copy) => self.key_of_copy(copy),
            _ => None,
        }
    }

    fn key_of_copy(&self, copy: &MessageId) -> Option<UniqueKey> {
        let broker = self.world.broker_named(&copy.broker_name, 0)?;
        let log = &self.world.broker(broker).commit_log;
        let record = log.look_message_by_offset(copy.physical_offset)?;
        Some(record.body.unique_key)
    }

    /// The last stations of the way and what comes next.
    pub(super) fn stations(&self, steps: &[Step]) -> Vec<Placed> {
        let Some(last) = steps.last() else { return Vec::new() };
        let is_over = matches!(&last.kind, StepKind::Tried(attempt)
            if attempt.ended.is_some_and(|end| end.outcome == ConsumeOutcome::Succeeded));
        let mut placed: Vec<Placed> = Vec::new();
        let first = window_start(steps);
        if first == 0 && !matches!(last.kind, StepKind::Tried(_)) {
            placed.extend(self.at_producer(steps).map(|station| Placed { station, step: None }));
        }
        for (place, step) in steps.iter().enumerate().skip(first) {
            let station = self.station(step);
            placed.extend(station.map(|station| Placed { station, step: Some(place) }));
        }
        if let Some(now) = placed.last_mut().filter(|_| !is_over) {
            now.station.tense = Tense::Now;
        }
        if matches!(last.kind, StepKind::Stored)
            && let Some(station) = self.on_shelf(last)
        {
            if let Some(slot) = placed.last_mut() {
                slot.station.tense = Tense::Past;
            }
            placed.push(Placed { station, step: None });
        }
        let to_come = self.to_come(last).into_iter();
        placed.extend(to_come.map(|station| Placed { station, step: None }));
        let surplus = placed.len().saturating_sub(STATIONS);
        placed.drain(..surplus);
        for (number, placed) in (1..).zip(&mut placed) {
            placed.station.number = number;
        }
        placed
    }

    fn at_producer(&self, steps: &[Step]) -> Option<Station> {
        let first = steps.first()?;
        let producer = self.world.clients.iter().find(|it| crate::scene::cast::is_producer(it))?;
        Some(station(Tense::Past, Spot::Producer(producer.process), Some(first.at)))
    }

    fn station(&self, step: &Step) -> Option<Station> {
        let broker = self.broker_of(&step.broker_name)?;
        let spot = match &step.kind {
            StepKind::Stored => Spot::Slot(step.queue.clone(), step.offset),
            StepKind::Tried(attempt) => Spot::Seat(attempt.process, Some(attempt.thread)),
            StepKind::SentBack { .. } => Spot::Gate(broker),
            StepKind::Delayed { level } => Spot::Level(broker, *level),
            StepKind::DeadLettered => Spot::DeadLetters(broker),
            StepKind::KeptLocally { process, .. } => {
                Spot::Shelf(*process, step.queue.clone(), step.offset)
            }
            StepKind::GivenUp => return None,
        };
        let mut station = station(Tense::Past, spot, Some(step.at));
        station.by_call = match &step.kind {
            StepKind::SentBack { by_fallback: false } => {
                Some(self.call_code(RequestCode::ConsumerSendMsgBack))
            }
            StepKind::SentBack { by_fallback: true } => {
                Some(self.call_code(RequestCode::SendMessageV2))
            }
            _ => None,
        };
        Some(station)
    }

    /// What lies in a queue may be on a consumer's shelf already.
    fn on_shelf(&self, last: &Step) -> Option<Station> {
        let mut shelves = self.hands.shelves_of(&last.queue);
        let held =
            shelves.find(|(_, id, shelf)| self.hands.on_shelf(*id, shelf, last.offset).is_some());
        let (process, ..) = held?;
        let spot = Spot::Shelf(*process, last.queue.clone(), last.offset);
        Some(station(Tense::Now, spot, None))
    }

    /// What will happen if nothing comes between.
    fn to_come(&self, last: &Step) -> Vec<Station> {
        let seat = |process: ProcessIndex, at: Option<Millis>| {
            station(Tense::Next, Spot::Seat(process, None), at)
        };
        match &last.kind {
            StepKind::Stored => {
                self.owner(&last.queue).map(|process| seat(process, None)).into_iter().collect()
            }
            StepKind::Delayed { level } => {
                let (Some(queue), Some(due)) = (&last.real_queue, self.due(last, *level)) else {
                    return Vec::new();
                };
                let slot = Spot::Slot(queue.clone(), self.next_offset(queue));
                if crate::model::topic::is_dlq_topic(&queue.topic) {
                    let pit = self.broker_of(&last.broker_name).map(Spot::DeadLetters);
                    return pit
                        .map(|pit| station(Tense::Next, pit, Some(due)))
                        .into_iter()
                        .collect();
                }
                let reader = self.owner(queue).map(|process| seat(process, None));
                let slot = station(Tense::Next, slot, Some(due));
                std::iter::once(slot).chain(reader).collect()
            }
            StepKind::KeptLocally { process, until } => vec![seat(*process, Some(*until))],
            StepKind::Tried(attempt) => {
                let has_failed =
                    attempt.ended.is_some_and(|end| end.outcome == ConsumeOutcome::Failed);
                let broker = self.broker_of(&last.broker_name).filter(|_| has_failed);
                let gate = broker.map(|broker| station(Tense::Next, Spot::Gate(broker), None));
                gate.into_iter().collect()
            }
            StepKind::SentBack { .. } | StepKind::DeadLettered | StepKind::GivenUp => Vec::new(),
        }
    }

    fn due(&self, step: &Step, level: u32) -> Option<Millis> {
        let broker = self.world.broker(self.broker_of(&step.broker_name)?);
        let wait = delay_of(&broker.config.message_delay_level, DelayLevel::new(level)?)?;
        Some(step.at + wait)
    }

    fn next_offset(&self, queue: &MessageQueue) -> QueueOffset {
        let broker = self.broker_of(&queue.broker_name);
        broker.map_or(QueueOffset::ZERO, |broker| {
            self.world.broker(broker).max_offset_in_queue(&queue.topic, queue.queue_id)
        })
    }

    fn broker_of(&self, name: &BrokerName) -> Option<BrokerIndex> {
        self.world.broker_named(name, 0)
    }

    pub(super) fn call_code(&self, code: RequestCode) -> CallCode {
        let profile = self.sight.simulation.engine().profile;
        CallCode { number: code.number(), name: code.name(profile) }
    }
}

fn station(tense: Tense, spot: Spot, at: Option<Millis>) -> Station {
    Station { number: 0, tense, spot, at, by_call: None }
}

/// Where the told part of a journey begins: with the try, the level or the queue before the last.
fn window_start(steps: &[Step]) -> usize {
    let Some(last) = steps.len().checked_sub(1) else { return 0 };
    let is_anchor = |kind: &StepKind| match &steps[last].kind {
        StepKind::Tried(_) => matches!(kind, StepKind::Stored),
        StepKind::Stored => matches!(kind, StepKind::Delayed { .. }),
        _ => matches!(kind, StepKind::Tried(_)),
    };
    steps[..last].iter().rposition(|step| is_anchor(&step.kind)).unwrap_or(0)
}

/// The card of the newest copy, where it is drawn with most to tell.
fn newest_card<'a>(scene: &'a Scene, key: UniqueKey, last: &Step) -> Option<&'a Card> {
    let cards = scene.cards().filter(|card| card.unique_key == key);
    let newest = cards.max_by_key(|card| (card.copy.physical_offset, card.state));
    newest.filter(|_| !matches!(last.kind, StepKind::GivenUp))
}

fn state_of(step: &Step) -> MessageState {
    match &step.kind {
        StepKind::Stored => MessageState::Stored,
        StepKind::Tried(attempt) => match attempt.ended {
            None => MessageState::Running,
            Some(end) if end.outcome == ConsumeOutcome::Succeeded => MessageState::Done,
            Some(_) => MessageState::Failed,
        },
        StepKind::SentBack { .. } => MessageState::SentBack,
        StepKind::Delayed { .. } => MessageState::Delayed,
        StepKind::DeadLettered => MessageState::Dead,
        StepKind::KeptLocally { .. } => MessageState::LocalRetry,
        StepKind::GivenUp => MessageState::Failed,
    }
}
