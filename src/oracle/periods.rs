//! Periods of a consumer's timers, read off its requests.

use std::collections::BTreeMap;

use super::gaps::{Gap, GapKind, period_id};
use super::trace::Place;
use super::view::{Call, Life, Queue};
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

/// Requests that one tick of a timer sends lie no farther apart.
const ONE_TICK: Millis = Millis::new(1_500);
/// A queue that leaves the table so soon after its commit was committed because of that.
const LEAVES_SOON: Millis = Millis::new(300);

/// Around a start several threads ask for routes, lists and send heartbeats; timers count after it.
const START_UP: Millis = Millis::new(5_000);

/// Adds the periods of one life's timers.
pub fn periods(life: &Life, gaps: &mut Vec<Gap>) {
    let mut say = |kind, cause: Millis, place: Place| {
        let ms = place.at.ms() as i64 - cause.ms() as i64;
        gaps.push(Gap { kind, id: period_id(life), cause, place, ms });
    };
    let grid = Grid::of(life);
    let commits = ticks(life.calls.iter().filter(|call| grid.is_timer_commit(life, call)));
    if let (Some(started), Some(first)) = (life.started, commits.first()) {
        // A later first commit had nothing to tell before.
        if first.at - started.at < Millis::new(12_000) {
            say(GapKind::FirstCommit, started.at, *first);
        }
    }
    // The longest and shortest that still is one period; what lies apart further had nothing to do.
    let timers = [
        (GapKind::CommitPeriod, commits, 3_000, 7_000),
        (GapKind::HeartbeatPeriod, named(life, "HEART_BEAT"), 25_000, 35_000),
        (GapKind::RoutePeriod, routes(life), 25_000, 35_000),
        (GapKind::LockPeriod, lock_alls(life), 15_000, 25_000),
    ];
    let settled = life.started.map_or(Millis::ZERO, |started| started.at + START_UP);
    for (kind, ticks, low, high) in timers {
        for pair in ticks.windows(2).filter(|pair| pair[0].at >= settled) {
            let period = (pair[1].at - pair[0].at).ms();
            if (low..=high).contains(&period) {
                say(kind, pair[0].at, pair[1]);
            }
        }
    }
    // The 20 s between two passes count from the end of the first.
    let mut last = None;
    for call in life.calls.iter().filter(|call| *call.code == *"GET_CONSUMER_LIST_BY_GROUP") {
        if let Some(last) = last.replace(call.place.at)
            && (15_000..=25_000).contains(&(call.place.at - last).ms())
        {
            say(GapKind::RebalancePeriod, last, call.place);
        }
    }
    for (asked, again) in idle_pulls(life) {
        say(GapKind::IdlePull, asked, again);
    }
}

/// The first request of each tick.
fn ticks<'a>(calls: impl Iterator<Item = &'a Call>) -> Vec<Place> {
    let mut ticks: Vec<Place> = Vec::new();
    let mut last = None;
    for call in calls {
        if last.is_none_or(|last| call.place.at - last > ONE_TICK) {
            ticks.push(call.place);
        }
        last = Some(call.place.at);
    }
    ticks
}

fn named(life: &Life, code: &str) -> Vec<Place> {
    ticks(life.calls.iter().filter(|call| *call.code == *code))
}

fn routes(life: &Life) -> Vec<Place> {
    ticks(life.calls.iter().filter(|call| call.code.starts_with("GET_ROUTEIN")))
}

/// The lock timer asks for all queues at once; rebalance asks for one.
fn lock_alls(life: &Life) -> Vec<Place> {
    let is_all = |call: &&Call| {
        *call.code == *"LOCK_BATCH_MQ"
            && call.fields.queues.as_ref().is_some_and(|queues| queues.len() > 1)
    };
    ticks(life.calls.iter().filter(is_all))
}

/// The 5 s timer of a life's commits, by its phase.
pub struct Grid {
    phase: Option<u64>,
    /// Commits of queues that stay: the timer's for certain.
    certain: Vec<Millis>,
}

impl Grid {
    const PERIOD: u64 = 5_000;
    /// How far from its grid a tick may lie.
    const OFF: u64 = 60;

    pub fn of(life: &Life) -> Grid {
        let is_certain = |call: &&Call| {
            is_commit(life, call)
                && call.queue().is_none_or(|queue| !leaves_soon(life, &queue, call.place.at))
        };
        let certain = life.calls.iter().filter(is_certain).map(|call| call.place.at);
        let certain = certain.collect::<Vec<_>>();
        let near = |phase: u64| certain.iter().filter(|at| off(phase, **at) <= Grid::OFF).count();
        let phases = certain.iter().map(|at| at.ms() % Grid::PERIOD);
        let phase = phases.max_by_key(|phase| near(*phase));
        Grid { phase, certain }
    }

    /// Ticks that are the timer's for certain.
    pub fn certain(&self) -> &[Millis] {
        &self.certain
    }

    /// Whether a commit is the timer's: not the shutdown's, nor that of a queue that is given up.
    pub fn is_timer_commit(&self, life: &Life, call: &Call) -> bool {
        if !is_commit(life, call) {
            return false;
        }
        let at = call.place.at;
        let leaves = call.queue().is_some_and(|queue| leaves_soon(life, &queue, at));
        // A tick that happens to come just before tells of the queues that stay as well.
        let is_tick = self.phase.is_some_and(|phase| off(phase, at) <= Grid::OFF)
            && self.certain.iter().any(|it| it.ms().abs_diff(at.ms()) <= Grid::OFF);
        !leaves || is_tick
    }
}

/// How far a moment is from the grid of that phase.
fn off(phase: u64, at: Millis) -> u64 {
    let after = (at.ms() + Grid::PERIOD - phase) % Grid::PERIOD;
    after.min(Grid::PERIOD - after)
}

fn is_commit(life: &Life, call: &Call) -> bool {
    *call.code == *"UPDATE_CONSUMER_OFFSET" && call.place.at < life.end_at()
}

/// Whether the queue leaves the table within 0.3 s.
pub fn leaves_soon(life: &Life, queue: &Queue, at: Millis) -> bool {
    let end = life.end_at();
    let left = |to: Millis| to < end && to + LEAVES_SOON >= at && to <= at + LEAVES_SOON;
    life.ownerships(queue).iter().any(|(_, to)| left(*to))
}

/// Pulls that were repeated at the same place after a long time.
pub fn idle_pulls(life: &Life) -> Vec<(Millis, Place)> {
    const HELD: Millis = Millis::new(10_000);
    let mut last: BTreeMap<Queue, (QueueOffset, Millis)> = BTreeMap::new();
    let mut idle = Vec::new();
    for call in life.calls.iter().filter(|call| *call.code == *"PULL_MESSAGE") {
        let (Some(queue), Some(offset)) = (call.queue(), call.fields.queue_offset) else {
            continue;
        };
        let before = last.insert(queue, (offset, call.place.at));
        if let Some((same, asked)) = before
            && same == offset
            && call.place.at - asked >= HELD
            && call.place.at - asked <= HELD * 3
        {
            idle.push((asked, call.place));
        }
    }
    idle
}
