//! The stage's text twin: a headed outline with the same numbers, for those who hear the page.

use crate::model::time::Millis;
use crate::text::stage::{MarkName, PostponeWord, PullWord, StageText, StageWord};
use crate::text::{Language, StageText as Said};

use super::at_broker::{Broker, Queue};
use super::at_consumer::{Consumer, PullPlace, Shuttle};
use super::draw::{postpone_word, process_word, state_word};
use super::follow;
use super::scene::{Scene, Tense};

/// A heading and what is said under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub heading: String,
    pub lines: Vec<String>,
}

/// Sections in the order of the data's flow: producers, brokers, consumers, then what is followed.
pub fn twin(scene: &Scene, now: Millis, language: Language) -> Vec<Section> {
    let say = |text: Said| text.say(language).into_owned();
    let mut sections = Vec::new();
    for producer in &scene.producers {
        let lines = producer.next.iter().map(|next| {
            let when = say(StageText::In { left: next.at.since(now) });
            let to = next.queue.clone().map(|queue| say(StageText::To { queue }));
            [Some(next.label.to_string()), to, Some(when)]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" ")
        });
        let heading = format!("{} {}", say(StageWord::Producer.into()), producer.label);
        sections.push(Section { heading, lines: lines.collect() });
    }
    sections.extend(scene.brokers.iter().map(|broker| of_broker(broker, now, language)));
    sections.extend(scene.consumers.iter().map(|consumer| of_consumer(consumer, now, language)));
    if let Some(followed) = &scene.followed {
        let lines = followed.stations.iter().map(|station| {
            let now = if station.tense == Tense::Now { "→ " } else { "" };
            format!("{now}{}. {}", station.number, say(follow::station(scene, station)))
        });
        let state = say(StageText::State(state_word(followed.state)));
        let heading = format!("{} · {state}", followed.label);
        sections.push(Section { heading, lines: lines.collect() });
    }
    sections
}

fn of_broker(broker: &Broker, now: Millis, language: Language) -> Section {
    let say = |text: Said| text.say(language).into_owned();
    let mut lines = Vec::new();
    lines.push(say(MarkName::Log { count: broker.commit_log.total }.into()));
    for queue in broker.queues.iter().chain(&broker.retry_queues) {
        lines.push(of_queue(queue, now, language));
    }
    for level in broker.levels.iter().filter(|level| !level.cards.is_empty()) {
        let cards = level.cards.len() as u32;
        let name = say(MarkName::Level { level: level.level, wait: level.wait, cards }.into());
        let left = level.front_due_at.map_or(Millis::ZERO, |due| due.since(now));
        lines.push(format!("{name} · {}", say(StageText::LeftOf { left, of: level.wait })));
    }
    if let Some(dead) = &broker.dead_letters {
        let group = dead.group.as_str().into();
        lines.push(say(MarkName::DeadLetters { group, count: dead.total }.into()));
    }
    for lock in &broker.locks {
        let owner = lock.owner.clone();
        let name = say(MarkName::Lock { queue: lock.label.clone(), owner }.into());
        let left = say(StageText::Left { left: lock.expires_at.since(now) });
        lines.push(format!("{name} · {left}"));
    }
    let heading = format!("{} {}", say(StageWord::Broker.into()), broker.name);
    Section { heading, lines }
}

fn of_queue(queue: &Queue, now: Millis, language: Language) -> String {
    let say = |text: Said| text.say(language).into_owned();
    let mut parts = vec![say(MarkName::Queue {
        label: queue.label.clone(),
        min: queue.min_offset.0,
        max: queue.max_offset.0,
        committed: queue.committed.map(|offset| offset.0),
        pull: queue.pull.as_ref().map(|pull| pull.offset.0),
        lag: queue.lag(),
    }
    .into())];
    if let Some(unreported) = &queue.unreported {
        let left = unreported.due_at.map(|due| due.since(now));
        let will = say(StageText::Unreported { offset: unreported.offset.0, left });
        parts.push(format!("C {will}"));
    }
    if let Some(held) = &queue.held {
        let left = Some(held.until.since(now));
        parts.push(say(StageText::PullAt { place: PullWord::Bench, left }));
    }
    parts.push(match &queue.reader {
        Some(process) => say(StageText::ReadBy { process: process.clone() }),
        None => say(StageWord::NoReader.into()),
    });
    parts.join(" · ")
}

fn of_consumer(consumer: &Consumer, now: Millis, language: Language) -> Section {
    let say = |text: Said| text.say(language).into_owned();
    let mut lines: Vec<String> =
        consumer.pulls.iter().map(|pull| of_pull(pull, now, language)).collect();
    for shelf in &consumer.shelves {
        let mut line = say(MarkName::Shelf {
            process: consumer.label.clone(),
            queue: shelf.label.clone(),
            count: shelf.count,
            span: shelf.span,
        }
        .into());
        for card in &shelf.cards {
            let state = say(StageText::State(state_word(card.state)));
            line.push_str(&format!(" · {} {state}", card.offset));
        }
        lines.push(line);
    }
    let workers = &consumer.workers;
    let busy =
        StageText::WorkersBusy { busy: workers.busy, size: workers.size, waiting: workers.waiting };
    lines.push(format!("{}: {}", say(StageWord::Workers.into()), say(busy)));
    for seat in workers.seats.iter().filter(|seat| seat.card.is_some()) {
        let holds = seat.card.as_ref().map(|card| card.label.clone());
        let name = say(MarkName::Worker { index: seat.index, holds }.into());
        lines.push(format!("{name} · {}", say(StageText::Left { left: now.since(seat.since) })));
    }
    for row in &consumer.ledger {
        let state = match (consumer.is_broadcasting, row.is_dirty) {
            (true, _) => StageWord::LocalFile,
            (false, true) => StageWord::Unsent,
            (false, false) => StageWord::Reported,
        };
        let word = say(StageWord::Offsets.into());
        lines.push(format!("{word} {} {} · {}", row.label, row.offset, say(state.into())));
    }
    let state = process_word(&consumer.state);
    let heading = say(MarkName::Consumer { label: consumer.label.clone(), state }.into());
    Section { heading, lines }
}

fn of_pull(pull: &Shuttle, now: Millis, language: Language) -> String {
    let say = |text: Said| text.say(language).into_owned();
    let mut rest = String::new();
    let place = match &pull.place {
        PullPlace::InPass => PullWord::InPass,
        PullPlace::Belt(_) => PullWord::Belt,
        PullPlace::Seat => PullWord::Seat,
        PullPlace::Away => PullWord::Away,
        PullPlace::Bench => PullWord::Bench,
        PullPlace::Postponed { reason, until, .. } => {
            let reason: PostponeWord = postpone_word(*reason);
            let left = say(StageText::Left { left: until.since(now) });
            rest = format!(" · {} · {left}", say(StageText::Postponed { reason }));
            PullWord::Postponed
        }
    };
    let name = MarkName::Pull { queue: pull.label.clone(), offset: pull.next_offset.0, place };
    format!("{}{rest}", say(name.into()))
}
