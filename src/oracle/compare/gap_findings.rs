//! Gaps from their causes, and timers by their periods.

use std::collections::BTreeMap;

use super::super::gap_table::ALLOWANCE;
use super::super::gaps::{Gap, GapId, GapKind, gaps};
use super::super::report::{Race, Report, Verdict};
use super::super::trace::Place;
use super::super::view::Consumption;
use super::Sides;
use crate::model::constants;
use crate::model::time::Millis;

pub fn compare(sides: &Sides<'_>, report: &mut Report) {
    let real = gaps(sides.real);
    let model = gaps(sides.model);
    let mut by_id: BTreeMap<&GapId, Vec<&Gap>> = BTreeMap::new();
    for gap in &model {
        by_id.entry(&gap.id).or_default().push(gap);
    }
    for gap in &real {
        let Some(others) = by_id.get(&gap.id) else { continue };
        let same = others.iter().filter(|other| other.kind == gap.kind);
        match &gap.id {
            GapId::Period(..) => period(sides, gap, same.copied().collect(), report),
            GapId::Consumption(_) | GapId::Copy { .. } => {
                let same = same.copied().next();
                match same {
                    Some(other) => one(sides, gap, other.ms, report),
                    // A queue was assigned just before a message was stored, or just after: each run's
                    // gap counts from the later of the two.
                    None if is_begin(gap.kind) => {
                        if let Some(other) = others.iter().find(|other| is_begin(other.kind)) {
                            one(sides, gap, other.ms, report);
                        }
                    }
                    // In the other run it waited for its turn behind others.
                    None => {}
                }
            }
        }
    }
}

fn one(sides: &Sides<'_>, gap: &Gap, model_ms: i64, report: &mut Report) {
    let tolerance = sides.tolerance(gap.kind);
    let off = gap.ms.abs_diff(model_ms);
    let verdict = match off <= tolerance.ms() {
        true => Verdict::Agrees,
        false => race(sides, gap, model_ms).map_or(Verdict::Differs, Verdict::Exception),
    };
    report.say_gap(verdict, gap.place, told(gap, model_ms, tolerance), Millis::new(off));
}

fn is_begin(kind: GapKind) -> bool {
    matches!(
        kind,
        GapKind::FirstFromAssignment | GapKind::BeginFromStored | GapKind::RetryBeginFromStored
    )
}

/// A period of a timer: as long as the model's, shortest to longest, within the tolerance.
fn period(sides: &Sides<'_>, gap: &Gap, others: Vec<&Gap>, report: &mut Report) {
    let lengths = others.iter().map(|other| other.ms);
    let (low, high) = match gap.kind {
        // The phase of the broker's scan is free.
        GapKind::IdlePull => held_pulls(sides),
        _ => (lengths.clone().min(), lengths.max()),
    };
    let (Some(low), Some(high)) = (low, high) else { return };
    let nearest = gap.ms.clamp(low, high);
    let mut tolerance = sides.tolerance(gap.kind);
    if gap.kind == GapKind::FirstCommit {
        tolerance = tolerance.max(sides.timer_phase());
    }
    let agrees = gap.ms.abs_diff(nearest) <= tolerance.ms()
        || (gap.kind == GapKind::FirstCommit && had_nothing(sides, gap, nearest, tolerance));
    let verdict = if agrees { Verdict::Agrees } else { Verdict::Differs };
    let apart = Millis::new(gap.ms.abs_diff(nearest));
    report.say_gap(verdict, gap.place, told(gap, nearest, tolerance), apart);
}

/// The first commit came whole periods later in one run, because nothing had been done by the tick at which
/// it came in the other.
fn had_nothing(sides: &Sides<'_>, gap: &Gap, model_ms: i64, tolerance: Millis) -> bool {
    let GapId::Period(client, nth) = &gap.id else { return false };
    let profile = sides.real.trace.header.profile;
    let period = constants::persist_consumer_offset_interval(profile).ms();
    let apart = gap.ms.abs_diff(model_ms);
    let whole = (apart + period / 2) / period;
    let is_whole = whole > 0 && apart.abs_diff(whole * period) <= tolerance.ms();
    let later = if gap.ms > model_ms { sides.real } else { sides.model };
    let tick = gap.cause + Millis::new(gap.ms.min(model_ms).max(0) as u64);
    let own = |it: &&Consumption| {
        let life = &later.lives[it.life];
        *life.client == **client && life.nth == *nth
    };
    let ends = later.consumptions.iter().filter(own).filter_map(|it| it.end.as_ref());
    is_whole && ends.map(|(end, _)| end.at).min().is_some_and(|first| first + ALLOWANCE >= tick)
}

/// A pull is held for its time-out, and then until the broker's next scan.
fn held_pulls(sides: &Sides<'_>) -> (Option<i64>, Option<i64>) {
    let profile = sides.real.trace.header.profile;
    let held = constants::broker_suspend_max_time(profile).ms() as i64;
    let scan = constants::hold_check_interval(profile).ms() as i64;
    (Some(held), Some(held + scan))
}

/// The race that explains a gap that is too long or too short.
fn race(sides: &Sides<'_>, gap: &Gap, _model_ms: i64) -> Option<Race> {
    let GapId::Consumption(id) = &gap.id else { return None };
    let consumption = &sides.real.consumptions[*sides.real_ids.get(id)?];
    if let Some(race) = sides.silences.explains(sides.real, consumption) {
        return Some(race);
    }
    late_retry_queue(sides, consumption).then_some(Race::TimersMet)
}

/// Rule R: the retry queue of a brand-new group is assigned in the first passes, or 20 s later.
///
/// Signature: the first ownership of the retry queue begins later than the main queues' by more than the
/// passes of a start take, in either run, and the delivery comes after it.
fn late_retry_queue(sides: &Sides<'_>, consumption: &Consumption) -> bool {
    let queue = consumption.queue();
    if !sides.real.is_retry(&queue.0) {
        return false;
    }
    [sides.real, sides.model].iter().any(|view| {
        view.lives.iter().any(|life| {
            let Some(started) = life.started else { return false };
            let first = life.ownerships(&queue).first().map(|(from, _)| *from);
            first.is_some_and(|from| {
                from > started.at + Millis::new(1_000)
                    && from <= started.at + Millis::new(22_000)
                    && from + Millis::new(2_000) >= consumption.begin.at
            })
        })
    })
}

fn told(gap: &Gap, model_ms: i64, tolerance: Millis) -> String {
    let who = match &gap.id {
        GapId::Consumption(id) => {
            format!("{} {} {}/{}@{}", id.client, id.key, id.queue.0, id.queue.1, id.queue_offset)
        }
        GapId::Copy { topic, key, reconsume_times, .. } => {
            format!("{key} in {topic} reconsumeTimes {reconsume_times}")
        }
        GapId::Period(client, _) => client.clone(),
    };
    let Place { at, .. } = Place { at: gap.cause, line: 0 };
    let kind = gap.kind.name();
    let (ms, within) = (gap.ms, tolerance.ms());
    format!("{who}: {kind} (at {at}) {ms} ms, model {model_ms} ms, may differ by {within}")
}
