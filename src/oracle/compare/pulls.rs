//! Pulls, by queue and offset.
//!
//! Where a batch ends is where the queue ended when the broker read it, or where the batch was full. So a
//! pull that only one run has agrees if the record at its place came only about when it was sent, or if
//! it follows a full batch.

use std::collections::BTreeMap;

use super::super::gaps::GapKind;
use super::super::memory_ratio::MemoryRatio;
use super::super::report::{Item, Report, Verdict};
use super::super::trace::{Place, Word};
use super::super::view::{Life, Queue, View};
use super::Sides;
use super::align::unmatched;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

pub fn compare(sides: &Sides<'_>, report: &mut Report) {
    let known =
        Known { stored: stored(sides.real), ratios: MemoryRatio::of_both(sides.real, sides.model) };
    for life in &sides.real.lives {
        let Some(model) = sides.model.life(&life.client, life.nth) else { continue };
        if !life.records("PULL_MESSAGE") {
            continue;
        }
        let real = by_queue(sides, life);
        let ours = by_queue(sides, model);
        let mut queues = real.keys().chain(ours.keys()).collect::<Vec<_>>();
        queues.sort();
        queues.dedup();
        for queue in queues {
            let none = Vec::new();
            let real = real.get(queue).unwrap_or(&none);
            let ours = ours.get(queue).unwrap_or(&none);
            one(sides, life, queue, [real, ours], &known, report);
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Pull {
    place: Place,
    offset: QueueOffset,
}

/// The pulls of a life by queue, those of one place counted once.
fn by_queue(sides: &Sides<'_>, life: &Life) -> BTreeMap<Queue, Vec<Pull>> {
    let mut pulls: BTreeMap<Queue, Vec<Pull>> = BTreeMap::new();
    let end = life.end_at().min(sides.real.over());
    for call in &life.calls {
        let (true, Some(queue), Some(offset)) =
            (*call.code == *"PULL_MESSAGE", call.queue(), call.fields.queue_offset)
        else {
            continue;
        };
        let pulls = pulls.entry(queue).or_default();
        let is_new = pulls.last().is_none_or(|last: &Pull| last.offset != offset);
        if is_new && call.place.at <= end {
            pulls.push(Pull { place: call.place, offset });
        }
    }
    pulls
}

/// What the runs tell of batches.
struct Known {
    stored: Stored,
    /// The recorded run's, and ours.
    ratios: [MemoryRatio; 2],
}

type Stored = BTreeMap<(Queue, QueueOffset), Millis>;

/// When each record was stored, as far as deliveries and sends tell.
fn stored(view: &View<'_>) -> Stored {
    let sent = view.trace.lines.iter().filter_map(|line| match &line.word {
        Word::Sent(sent) if sent.level == 0 => {
            Some((((sent.topic.clone(), sent.queue_id), sent.queue_offset), line.at))
        }
        _ => None,
    });
    let mut stored = sent.collect::<Stored>();
    stored.extend(view.consumptions.iter().map(|it| (it.record(), it.store)));
    stored
}

fn one(
    sides: &Sides<'_>,
    life: &Life,
    queue: &Queue,
    [real, ours]: [&Vec<Pull>; 2],
    known: &Known,
    report: &mut Report,
) {
    let Some(first) = real.first().or(ours.first()) else { return };
    let same = |a: &Pull, b: &Pull| a.offset == b.offset;
    let (only_real, only_ours) = unmatched(real, ours, same);
    let who = format!("{} {}/{}", life.name(), queue.0, queue.1);
    let mut found = Vec::new();
    let [real_ratio, our_ratio] = &known.ratios;
    for (own, ratio, other, only, line) in
        [(real, real_ratio, ours, only_real, None), (ours, our_ratio, real, only_ours, Some(0))]
    {
        for index in only {
            let pull = own[index];
            let place = Place { line: line.unwrap_or(pull.place.line), ..pull.place };
            let whose = if line.is_none() { "not in the model" } else { "only in the model" };
            let text = format!("{who}: a pull at {} {whose}", pull.offset);
            if !explained(sides, life, queue, (own, ratio), other, index, &known.stored) {
                found.push((place, sides.race_at(queue, pull.place.at), text));
            }
        }
    }
    if found.is_empty() {
        let text = format!("{who}: {} pulls", real.len());
        report.say(Item::Pull, Verdict::Agrees, first.place, text);
    }
    for (place, race, text) in found {
        let verdict = race.map_or(Verdict::Differs, Verdict::Exception);
        report.say(Item::Pull, verdict, place, text);
    }
}

/// Whether it is chance that a batch ended where it did.
fn explained(
    sides: &Sides<'_>,
    life: &Life,
    queue: &Queue,
    (own, ratio): (&[Pull], &MemoryRatio),
    other: &[Pull],
    index: usize,
    stored: &Stored,
) -> bool {
    let pull = own[index];
    let end = life.end_at().min(sides.real.over());
    let tolerance = sides
        .tolerance(GapKind::BeginFromStored)
        .max(sides.tolerance(GapKind::FirstFromAssignment));
    if pull.place.at + tolerance >= end {
        return true;
    }
    let follows_a_full_batch = index.checked_sub(1).is_some_and(|before| {
        let Pull { place, offset } = own[before];
        pull.offset.0 - offset.0 == ratio.full_batch(sides.real, life, place.at)
    });
    if follows_a_full_batch {
        return true;
    }
    match stored.get(&(queue.clone(), pull.offset)) {
        // It was not there yet when the batch before it was read, or had just come.
        Some(stored) => *stored + tolerance >= pull.place.at,
        // Nothing ever came there: the other run had not come so far.
        None => {
            let furthest = other.iter().map(|it| it.offset).max();
            furthest.is_none_or(|furthest| furthest < pull.offset)
                && (sides.real.is_under_way(queue) || sides.model.is_under_way(queue))
        }
    }
}
