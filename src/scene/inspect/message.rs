//! A message: its journey, numbers, and why it is where it is.

use super::{Desk, Inspection, JourneyRow, NumberRow, count, name, row, told};
use crate::model::delay_level::{DelayLevel, delay_of};
use crate::model::ids::UniqueKey;
use crate::model::message::MessageId;
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::scene::card::{Label, MessageState};
use crate::scene::draw::state_word;
use crate::scene::of_world::{Placed, Step, StepKind, way_of};
use crate::scene::scene::{Spot, Tense};
use crate::sim::event::ConsumeOutcome;
use crate::text::inspect::{InspectText, InspectWord as W, JourneyText, Value};

impl Desk<'_> {
    /// One stored record: told as its message, with this record's numbers.
    pub(super) fn copy(&self, copy: &MessageId) -> Option<Inspection> {
        let world = self.sight.simulation.world();
        let broker = world.broker(world.broker_named(&copy.broker_name, 0)?);
        let record = broker.commit_log.look_message_by_offset(copy.physical_offset)?;
        let mut told = self.message(record.body.unique_key)?;
        let place = self.narrator.place(record);
        told.numbers.insert(0, row(W::Place, Value::Name(place)));
        if let Some(card) = self.scene.copy(copy) {
            (told.state, told.failures) = (Some(card.state), card.failures);
            let level = match card.state {
                MessageState::Delayed => Some(DelayLevel::from_queue_id(record.queue_id).number()),
                _ => None,
            };
            let state = state_word(card.state);
            told.what = InspectText::Message { label: card.label.clone(), state, level };
            told.why = self.why_card(card.state, record.body.unique_key).or(told.why);
        }
        Some(told)
    }

    pub(super) fn message(&self, key: UniqueKey) -> Option<Inspection> {
        let first = self.sight.past.facts(key).first()?;
        let body = &first.record.body;
        let (steps, stations) = way_of(self.sight, key);
        let last = steps.last()?;
        let newest = self.scene.cards().filter(|card| card.unique_key == key);
        let newest = newest.max_by_key(|card| (card.copy.physical_offset, card.state));
        let state = newest.map_or_else(|| step_state(last), |card| card.state);
        let failures = newest.map_or(0, |card| card.failures);
        let label = self.narrator.label(&first.record);
        let level = match last.kind {
            StepKind::Delayed { level } => Some(level),
            _ => None,
        };
        let mut told = told(InspectText::Message { label, state: state_word(state), level });
        told.state = Some(state);
        told.failures = failures;
        told.journey = self.rows(&steps, &stations, body.born_at);
        told.note = self.tries_note(failures);
        let copies = self.sight.past.facts(key).iter();
        let copies =
            copies.filter(|fact| matches!(fact.deed, crate::scene::journal::Deed::Stored)).count();
        let tries = self.sight.past.deliveries(key, self.scene.group.as_ref());
        told.numbers = vec![
            row(W::Tries, Value::Count(u64::from(tries))),
            row(W::Failures, Value::Count(u64::from(failures))),
            row(W::Copies, count(copies)),
            row(W::Key, body.key.as_ref().map_or(Value::Missing, |key| name(key.as_str()))),
            row(W::Tag, body.tag.as_ref().map_or(Value::Missing, |tag| name(tag.as_str()))),
            row(W::Body, Value::Bytes(u64::from(body.body_bytes))),
            row(W::BornAt, Value::Moment(body.born_at)),
        ];
        told.numbers.extend(self.place_of(last));
        told.why = self.why_step(key, last, state, failures);
        Some(told)
    }

    fn place_of(&self, step: &Step) -> Option<NumberRow> {
        let label = format!("{}·{}", self.queue_label(&step.queue), step.offset);
        Some(row(W::Place, Value::Name(label.into())))
    }

    /// `2 of 17 tries have failed`.
    fn tries_note(&self, failures: u32) -> Option<InspectText> {
        if failures == 0 {
            return None;
        }
        let profile = self.sight.simulation.engine().profile;
        let group = self.scene.group.as_ref()?;
        let clients = self.sight.simulation.world().clients.iter();
        let consumer = clients.filter_map(|client| client.consumers.get(group)).next_back()?;
        Some(match u32::try_from(consumer.max_reconsume_times(profile)) {
            Ok(most) if most < 1_000_000 => InspectText::TriesFailed { failures, tries: most + 1 },
            _ => InspectText::TriesFailedForever { failures },
        })
    }

    /// Older tries in a line each, then the stations with their numbers.
    fn rows(&self, steps: &[Step], stations: &[Placed], born_at: Millis) -> Vec<JourneyRow> {
        let told_from = stations.iter().find_map(|placed| placed.step).unwrap_or(steps.len());
        let mut rows = Vec::new();
        for (place, step) in steps[..told_from].iter().enumerate() {
            let StepKind::Tried(attempt) = &step.kind else { continue };
            let wait = steps[place..told_from].iter().find_map(|later| match later.kind {
                StepKind::Delayed { level } => Some(self.wait_of(later, level)),
                _ => None,
            });
            let place = self.step_place(step);
            let text = match wait {
                Some(wait) => JourneyText::TryThenWait { nth: attempt.number, place, wait },
                None => self.step_text(step),
            };
            rows.push(JourneyRow {
                number: None,
                tense: Tense::Past,
                at: Some(step.at),
                until: None,
                text,
                event: Some(step.event),
            });
        }
        let tries = steps.iter().rev().find_map(|step| match &step.kind {
            StepKind::Tried(attempt) => Some(attempt.number),
            _ => None,
        });
        for placed in stations {
            let step = placed.step.map(|place| &steps[place]);
            let text = match step {
                Some(step) => self.step_text(step),
                None => self.spot_text(placed, tries.unwrap_or(0)),
            };
            let is_producer = matches!(placed.station.spot, Spot::Producer(_));
            let at = if is_producer { Some(born_at) } else { placed.station.at };
            rows.push(JourneyRow {
                number: Some(placed.station.number),
                tense: placed.station.tense,
                at,
                until: self.until(placed, step),
                text,
                event: step.map(|step| step.event),
            });
        }
        rows
    }

    /// When the present station is left.
    fn until(&self, placed: &Placed, step: Option<&Step>) -> Option<Millis> {
        let step = step.filter(|_| placed.station.tense == Tense::Now)?;
        match &step.kind {
            StepKind::Delayed { level } => Some(step.at + self.wait_of(step, *level)),
            StepKind::KeptLocally { until, .. } => Some(*until),
            StepKind::Tried(attempt) if attempt.ended.is_none() => {
                let consumer = self.scene.consumer(attempt.process)?;
                let mut seats = consumer.workers.seats.iter();
                let seat = seats.find(|seat| seat.index == attempt.thread)?;
                Some(seat.since + seat.takes?)
            }
            _ => None,
        }
    }

    fn wait_of(&self, step: &Step, level: u32) -> Millis {
        let world = self.sight.simulation.world();
        let broker = world.broker_named(&step.broker_name, 0).map(|index| world.broker(index));
        let levels = broker.map(|broker| &broker.config.message_delay_level[..]);
        DelayLevel::new(level).and_then(|it| delay_of(levels?, it)).unwrap_or_default()
    }

    fn step_place(&self, step: &Step) -> Label {
        format!("{}·{}", self.queue_label(&step.queue), step.offset).into()
    }

    fn step_text(&self, step: &Step) -> JourneyText {
        let place = self.step_place(step);
        let cast = self.narrator.cast();
        match &step.kind {
            StepKind::Stored if crate::scene::cast::is_user_topic(&step.queue.topic) => {
                JourneyText::Stored { place }
            }
            StepKind::Stored => {
                JourneyText::StoredAgain { topic: step.queue.topic.as_str().into(), place }
            }
            StepKind::Tried(attempt) => {
                let (nth, process) = (attempt.number, cast.process(attempt.process));
                match attempt.ended {
                    None => JourneyText::Trying { nth, place, process, thread: attempt.thread },
                    Some(end) if end.outcome == ConsumeOutcome::Succeeded => {
                        let took = end.at.since(step.at);
                        JourneyText::Succeeded { nth, place, process, took }
                    }
                    Some(end) => {
                        let group = self.scene.group.as_ref();
                        let is_orderly =
                            group.is_some_and(|it| self.narrator.is_orderly(attempt.process, it));
                        let result = crate::scene::narrate::result_name(end.result, is_orderly);
                        JourneyText::Failed { nth, place, process, result }
                    }
                }
            }
            StepKind::SentBack { by_fallback } => {
                JourneyText::SentBack { number: if *by_fallback { 310 } else { 36 } }
            }
            StepKind::Delayed { level } => {
                JourneyText::Delayed { level: *level, wait: self.wait_of(step, *level) }
            }
            StepKind::DeadLettered => JourneyText::Dead { group: self.group() },
            StepKind::KeptLocally { process, .. } => {
                JourneyText::KeptLocally { process: cast.process(*process) }
            }
            StepKind::GivenUp => JourneyText::GivenUp,
        }
    }

    fn group(&self) -> Label {
        self.scene.group.as_ref().map_or_else(|| "".into(), |group| group.as_str().into())
    }

    /// A station that is no step: before the first, or still to come.
    fn spot_text(&self, placed: &Placed, tries: u32) -> JourneyText {
        let cast = self.narrator.cast();
        match &placed.station.spot {
            Spot::Producer(process) => JourneyText::Sent { producer: cast.process(*process) },
            Spot::Slot(queue, offset) => JourneyText::WillBeStored {
                topic: queue.topic.as_str().into(),
                place: format!("{}·{offset}", self.queue_label(queue)).into(),
            },
            Spot::Shelf(process, ..) => JourneyText::OnShelf { process: cast.process(*process) },
            Spot::Seat(process, _) => {
                JourneyText::WillTry { nth: tries + 1, process: cast.process(*process) }
            }
            Spot::DeadLetters(_) => JourneyText::WillBeDead { group: self.group() },
            Spot::Gate(_) | Spot::Bench(_) | Spot::Level(..) => {
                JourneyText::WillGoBack { number: 36 }
            }
            Spot::At(fixture) => unreachable!("no message stops at {fixture:?}"),
        }
    }

    fn why_card(&self, state: MessageState, key: UniqueKey) -> Option<InspectText> {
        match state {
            MessageState::SentBack => Some(InspectText::WhySentBack),
            MessageState::Done => Some(InspectText::WhyDone),
            _ => {
                let (steps, _) = way_of(self.sight, key);
                let last = steps.last()?;
                self.why_step(key, last, state, u32::try_from(last.failures).unwrap_or(0))
            }
        }
    }

    fn why_step(
        &self,
        key: UniqueKey,
        last: &Step,
        state: MessageState,
        failures: u32,
    ) -> Option<InspectText> {
        Some(match state {
            MessageState::Stored if self.owner_label(&last.queue).is_none() => {
                InspectText::WhyNobodyReads
            }
            MessageState::Stored | MessageState::Lost => InspectText::WhyStored,
            MessageState::Waiting => {
                let owner = self.owner(&last.queue);
                let workers = owner.map(|consumer| &consumer.workers);
                match workers.filter(|it| it.busy >= it.size && it.waiting > 0) {
                    Some(workers) => InspectText::WhyWaitsForThread { busy: workers.busy },
                    None => InspectText::WhyWaits,
                }
            }
            MessageState::Running => {
                let process = match &last.kind {
                    StepKind::Tried(attempt) => attempt.process,
                    _ => self.owner(&last.queue)?.process,
                };
                self.why_running(process, Some(&last.queue), key)
            }
            MessageState::Done => InspectText::WhyDone,
            MessageState::Failed => InspectText::WhyFailed,
            MessageState::SentBack => InspectText::WhySentBack,
            MessageState::LocalRetry => InspectText::WhyLocalRetry,
            MessageState::Delayed => match last.kind {
                StepKind::Delayed { level } if failures == 0 => {
                    InspectText::WhyAskedDelay { level }
                }
                StepKind::Delayed { level } => {
                    let wait = self.wait_of(last, level);
                    InspectText::WhyDelayed { failures, level, wait }
                }
                _ => return None,
            },
            MessageState::Dead => InspectText::WhyDead { tries: failures.max(1) },
        })
    }

    pub(super) fn owner(
        &self,
        queue: &MessageQueue,
    ) -> Option<&crate::scene::at_consumer::Consumer> {
        let mut consumers = self.scene.consumers.iter();
        consumers.find(|it| it.shelves.iter().any(|it| it.queue == *queue && !it.is_dropped))
    }

    pub(super) fn owner_label(&self, queue: &MessageQueue) -> Option<Label> {
        self.owner(queue).map(|consumer| consumer.label.clone())
    }
}

fn step_state(step: &Step) -> MessageState {
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
