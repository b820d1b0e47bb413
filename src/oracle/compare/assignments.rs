//! Assignments: what each membership change settles to.

use std::collections::{BTreeMap, BTreeSet};

use super::super::report::{Item, Race, Report, Verdict};
use super::super::trace::Place;
use super::super::view::{Life, Queue};
use super::Sides;
use crate::model::ids::{QueueId, TopicName};
use crate::model::time::Millis;

/// A change that another one follows sooner has not settled.
const SETTLES: Millis = Millis::new(2_000);

pub fn compare(sides: &Sides<'_>, report: &mut Report) {
    let mut changes = sides.real.membership_changes();
    changes.push(Place { at: sides.real.over(), line: u32::MAX });
    for pair in changes.windows(2) {
        let (change, next) = (pair[0], pair[1]);
        if next.at - change.at < SETTLES {
            continue;
        }
        // Just before the next change, and before what it throws ahead: a member is there before its
        // `started` is told.
        let at = before_the_next(sides, change, next);
        for life in &sides.real.lives {
            let is_alive =
                life.started.is_some_and(|started| started.at <= at) && life.end_at() > at;
            if is_alive {
                settled(sides, life, change, at, report);
            }
        }
    }
}

/// The last moment that belongs to a change: the next one's start-up may show before its `started`.
fn before_the_next(sides: &Sides<'_>, change: Place, next: Place) -> Millis {
    let starting = sides.real.lives.iter().find(|life| life.started == Some(next));
    let at = starting.map_or(next.at, |life| life.starting_at.at);
    at.max(change.at + Millis::new(1)) - Millis::new(1)
}

type Table = BTreeMap<TopicName, Vec<QueueId>>;

fn settled(sides: &Sides<'_>, life: &Life, change: Place, at: Millis, report: &mut Report) {
    let Some(model) = sides.model.life(&life.client, life.nth) else { return };
    let none = Table::new();
    let real_table = life.owned_at(at).unwrap_or(&none);
    let model_table = model.owned_at(at).unwrap_or(&none);
    let told = |table: &Table| {
        let topics = table.iter().map(|(topic, ids)| {
            let ids = ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
            format!("{topic}[{ids}]")
        });
        topics.collect::<Vec<_>>().join(" ")
    };
    let text = format!("{} at {at}: {}", life.name(), told(real_table));
    if real_table == model_table {
        report.say(Item::Assignment, Verdict::Agrees, change, text);
        return;
    }
    let verdict = explained(sides, life, model, at).map_or(Verdict::Differs, Verdict::Exception);
    let text = format!("{text}, model {}", told(model_table));
    report.say(Item::Assignment, verdict, change, text);
}

fn queues_of(table: Option<&Table>) -> BTreeSet<Queue> {
    let queues = table.into_iter().flatten();
    queues.flat_map(|(topic, ids)| ids.iter().map(|&id| (topic.clone(), id))).collect()
}

/// Why a life has other queues at a moment than in the model.
fn explained(sides: &Sides<'_>, life: &Life, model: &Life, at: Millis) -> Option<Race> {
    let (real, ours) = (queues_of(life.owned_at(at)), queues_of(model.owned_at(at)));
    let differing = real.symmetric_difference(&ours).cloned().collect::<Vec<_>>();
    let races = differing.iter().map(|queue| sides.race_at(queue, at)).collect::<Option<Vec<_>>>();
    races.and_then(|races| races.into_iter().min())
}
