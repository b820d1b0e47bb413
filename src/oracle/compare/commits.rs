//! Committed offsets, wherever they rest for a second.
//!
//! A commit is the client's memory of a moment ago, carried by a pull or by the 5 s timer, whose phase is
//! free. So a value at rest agrees if the other run's broker had it, or came to it with its next tick:
//! it lies between what the other broker had around the rest and what it had one period later. Where
//! nothing moves, that is one value.

use std::collections::BTreeMap;

use super::super::report::{Item, Report, Verdict};
use super::super::trace::Place;
use super::super::view::{Queue, View};
use super::Sides;
use crate::model::constants;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

/// How long a value has to stay to count as resting.
const RESTS: Millis = Millis::new(1_000);

pub fn compare(sides: &Sides<'_>, report: &mut Report) {
    let queues = sides.real.commits.keys().chain(sides.model.commits.keys());
    let mut queues = queues.cloned().collect::<Vec<_>>();
    queues.sort();
    queues.dedup();
    for queue in queues {
        for rest in rests(sides.real, &queue) {
            if not_reached(sides.model, &queue, rest.value) {
                continue;
            }
            let range = range(sides, [sides.real, sides.model], &queue, &rest);
            say(sides, &queue, &rest, range, "model", report);
        }
        for mut rest in rests(sides.model, &queue) {
            if not_reached(sides.real, &queue, rest.value) {
                continue;
            }
            let range = range(sides, [sides.model, sides.real], &queue, &rest);
            if !range.is_some_and(|(low, high)| (low..=high).contains(&rest.value)) {
                rest.place.line = 0;
                say(sides, &queue, &rest, range, "only in the model; recorded", report);
            }
        }
    }
}

struct Rest {
    place: Place,
    until: Millis,
    value: QueueOffset,
}

fn rests(view: &View<'_>, queue: &Queue) -> Vec<Rest> {
    let changes = view.commits.get(queue).map(Vec::as_slice).unwrap_or_default();
    let end = view.trace.end();
    let next = changes.iter().skip(1).map(|(place, _)| place.at).chain([end]);
    let rests = changes.iter().zip(next).map(|((place, value), until)| Rest {
        place: *place,
        until,
        value: *value,
    });
    rests.filter(|rest| rest.until - rest.place.at >= RESTS).collect()
}

/// The least and the greatest value that the other run's broker had around a rest.
fn range(
    sides: &Sides<'_>,
    [own, other]: [&View<'_>; 2],
    queue: &Queue,
    rest: &Rest,
) -> Option<(QueueOffset, QueueOffset)> {
    let profile = sides.real.trace.header.profile;
    let period = constants::persist_consumer_offset_interval(profile);
    let phase = sides.timer_phase();
    let changes = other.commits.get(queue)?;
    // The two listeners' paces differ by the host's; the other run's moment of the same progress counts.
    let warp =
        |at: Millis| match (finished(own, queue, rest.value), finished(other, queue, rest.value)) {
            (Some(here), Some(there)) => at + there - here,
            _ => at,
        };
    let from = warp(carried(own, queue, rest).min(rest.place.at)) - phase;
    let within = |until: Millis| {
        let before = changes.iter().rev().find(|(place, _)| place.at <= from);
        let after = changes.iter().filter(move |(place, _)| from < place.at && place.at <= until);
        before.into_iter().chain(after).map(|(_, value)| *value)
    };
    let last = warp(rest.until) + phase + period;
    let high = within(last).max()?;
    // The next tick would have come after the end of a run that was still on its way.
    let has_come = finished(other, queue, rest.value).is_some();
    let is_cut = last > other.over() && (has_come || other.is_under_way(queue));
    let high = if is_cut { high.max(rest.value) } else { high };
    // Before the first commit the broker has nothing, which is less than anything.
    let is_first = changes.first().is_some_and(|(place, _)| place.at > from);
    let low = within(warp(rest.until) + phase).min().unwrap_or(high);
    Some((if is_first { QueueOffset::ZERO } else { low }, high))
}

/// The broker's state is sampled; where the request that brought the value is in the trace, its moment
/// counts.
fn carried(view: &View<'_>, queue: &Queue, rest: &Rest) -> Millis {
    let calls = view.lives.iter().flat_map(|life| life.calls.iter());
    let carries = calls.filter(|call| {
        call.fields.commit_offset == Some(rest.value)
            && call.place.at <= rest.place.at
            && call.queue().as_ref() == Some(queue)
    });
    carries.map(|call| call.place.at).max().unwrap_or(rest.place.at)
}

/// A run that was still on its way through the queue when it ended had not come so far.
fn not_reached(view: &View<'_>, queue: &Queue, value: QueueOffset) -> bool {
    finished(view, queue, value).is_none()
        && value > QueueOffset::ZERO
        && view.is_under_way(queue)
        && view.furthest(queue) < value
}

/// When all records before a committed offset had been done with once.
fn finished(view: &View<'_>, queue: &Queue, offset: QueueOffset) -> Option<Millis> {
    let last = QueueOffset(offset.0 - 1);
    let own = view.consumptions.iter().filter(|it| it.queue() == *queue);
    let before = own.filter(|it| it.delivery.queue_offset <= last);
    let mut ends: BTreeMap<QueueOffset, Millis> = BTreeMap::new();
    for it in before {
        if let Some((place, _)) = &it.end {
            let end = ends.entry(it.delivery.queue_offset).or_insert(place.at);
            *end = (*end).min(place.at);
        }
    }
    ends.get(&last)?;
    ends.into_values().max()
}

fn say(
    sides: &Sides<'_>,
    queue: &Queue,
    rest: &Rest,
    range: Option<(QueueOffset, QueueOffset)>,
    whose: &str,
    report: &mut Report,
) {
    let value = rest.value;
    let lasts = rest.until - rest.place.at;
    let text = format!("{}/{} rests at {value} for {lasts}", queue.0, queue.1);
    let (verdict, theirs) = match range {
        Some((low, high)) if low == high => (low == value, low.to_string()),
        Some((low, high)) => ((low..=high).contains(&value), format!("{low} to {high}")),
        None => (false, "nothing".to_owned()),
    };
    let verdict = match verdict {
        true => Verdict::Agrees,
        false => sides.race_at(queue, rest.place.at).map_or(Verdict::Differs, Verdict::Exception),
    };
    report.say(Item::Commit, verdict, rest.place, format!("{text}, {whose} {theirs}"));
}
