//! Deliveries: who got which record how often, with which reconsumeTimes, and what came of it.

use std::collections::BTreeSet;

use super::super::gaps::{ConsumptionId, GapKind};
use super::super::report::{Item, Race, Report, Verdict};
use super::super::starting::Mode;
use super::super::trace::Place;
use super::super::view::{Consumption, End, Queue, View};
use super::Sides;
use super::borders::{Borders, Side};
use super::grouped::Grouped;
use super::hand_over::ChangeId;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

pub fn compare(sides: &Sides<'_>, report: &mut Report) {
    let mut borders = Borders::of(sides);
    let mut silent = Silent::default();
    for (id, &index) in &sides.real_ids {
        let real = &sides.real.consumptions[index];
        match sides.model_ids.get(id) {
            Some(&model) => both(id, real, &sides.model.consumptions[model], sides, report),
            None => only_one(sides, (&mut borders, &mut silent), id, real, Side::Real, report),
        }
    }
    for (id, &index) in &sides.model_ids {
        if !sides.real_ids.contains_key(id) {
            let model = &sides.model.consumptions[index];
            only_one(sides, (&mut borders, &mut silent), id, model, Side::Model, report);
        }
    }
    borders.report(report);
    for ((race, owner, queue), found) in silent.groups {
        let owner = sides.real.lives[owner].name();
        let text = format!("{owner} did not read {}/{}: {} differ", queue.0, queue.1, found.told());
        report.say(Item::Delivery, Verdict::Exception(race), found.place, text);
    }
    orders(sides, report);
}

fn both(
    id: &ConsumptionId,
    real: &Consumption,
    model: &Consumption,
    sides: &Sides<'_>,
    report: &mut Report,
) {
    report.say(Item::Delivery, Verdict::Agrees, real.begin, format!("{}: delivered", name(id)));
    let result = |it: &Consumption| it.end.as_ref().map(|(_, result)| result.to_string());
    let (was, is) = (result(real), result(model));
    let verdict = match (&was, &is) {
        (Some(was), Some(is)) if was == is => Verdict::Agrees,
        // A call that a kill or the end of the recording cut off has no result.
        (None, None) => return,
        (None, Some(_)) if is_cut(sides.real, real, sides.tolerance(GapKind::BeginFromStored)) => {
            return;
        }
        (Some(_), None)
            if is_cut(sides.model, model, sides.tolerance(GapKind::BeginFromStored)) =>
        {
            return;
        }
        _ => Verdict::Differs,
    };
    let word = |result: Option<String>| result.unwrap_or_else(|| "no result".to_owned());
    let text = format!("{}: {}, model {}", name(id), word(was), word(is));
    report.say(Item::Result, verdict, real.begin, text);
}

/// Whether a call ran, or could have ended, at the end of its life or of the recording.
fn is_cut(view: &View<'_>, it: &Consumption, tolerance: Millis) -> bool {
    let life = &view.lives[it.life];
    let end = life.end_at().min(view.trace.end());
    let may_last = it.end.as_ref().map_or(Millis::MAX, |(place, _)| place.at + tolerance);
    may_last >= end
}

/// Deliveries that differ because an owner did not read its queue: one race each.
type Silent = Grouped<(Race, usize, Queue)>;

/// What is behind a delivery that only one side has.
enum Cause {
    Verdict(Verdict),
    /// The queue changed hands there.
    HandOver(ChangeId),
    /// Its owner did not read it.
    Silence(Race, usize),
}

/// A delivery that only one side has: said by itself, or put to the change of owner that is behind it.
fn only_one(
    sides: &Sides<'_>,
    (borders, silent): (&mut Borders<'_>, &mut Silent),
    id: &ConsumptionId,
    it: &Consumption,
    side: Side,
    report: &mut Report,
) {
    let (place, what) = match side {
        Side::Real => (it.begin, "not in the model"),
        Side::Model => (Place { at: it.begin.at, line: 0 }, "only in the model"),
    };
    match cause(sides, borders, id, it, side) {
        Cause::HandOver(change) => borders.put(change, place, it),
        Cause::Silence(race, owner) => silent.put((race, owner, it.queue()), place, it),
        Cause::Verdict(verdict) => {
            report.say(Item::Delivery, verdict, place, format!("{}: {what}", name(id)));
        }
    }
}

fn cause(
    sides: &Sides<'_>,
    borders: &Borders<'_>,
    id: &ConsumptionId,
    it: &Consumption,
    side: Side,
) -> Cause {
    let (view, other) = match side {
        Side::Real => (sides.real, sides.model),
        Side::Model => (sides.model, sides.real),
    };
    if cut_off(sides, view, it) || not_reached(other, it) {
        return Cause::Verdict(Verdict::Agrees);
    }
    let others = others_of(other, id);
    let real_life = |it: &Consumption, view: &View<'_>| {
        let life = &view.lives[it.life];
        sides.real.lives.iter().position(|real| real.client == life.client && real.nth == life.nth)
    };
    let owner_in_model = match side {
        Side::Model => real_life(it, view),
        Side::Real => others.first().and_then(|it| real_life(it, other)),
    };
    let silent = |life| sides.silences.silent_owner(sides.real, &it.record(), life);
    if let Some((race, life)) = owner_in_model.and_then(|life| Some((silent(life)?, life))) {
        return Cause::Silence(race, life);
    }
    match borders.behind(it, side, &others) {
        Some(change) => Cause::HandOver(change),
        None => Cause::Verdict(Verdict::Differs),
    }
}

/// Deliveries of the same record and count on the other side, to whomever.
fn others_of<'v>(other: &'v View<'_>, id: &ConsumptionId) -> Vec<&'v Consumption> {
    let same = |it: &&Consumption| {
        it.delivery.queue_offset == id.queue_offset
            && it.delivery.reconsume_times == id.reconsume_times
            && it.queue() == id.queue
    };
    other.consumptions.iter().filter(same).collect()
}

/// The other run was still on its way through the queue when it ended, and had not come so far.
fn not_reached(other: &View<'_>, it: &Consumption) -> bool {
    let queue = it.queue();
    other.is_under_way(&queue) && other.furthest(&queue) < it.delivery.queue_offset
}

/// It began so shortly before the end of its life, or of the recording, that the other run's end came
/// first.
fn cut_off(sides: &Sides<'_>, view: &View<'_>, it: &Consumption) -> bool {
    let life = &view.lives[it.life];
    let kind = match view.is_retry(&it.delivery.topic) {
        true => GapKind::RetryBeginFromStored,
        false => GapKind::BeginFromStored,
    };
    let tolerance = sides.tolerance(kind);
    let run_over = life.end.is_none_or(|(_, end)| end == End::RunOver);
    let end = if run_over { life.end_at().min(view.trace.end()) } else { return false };
    it.begin.at + tolerance >= end
}

/// Orderly: within one ownership the records come in the same order.
fn orders(sides: &Sides<'_>, report: &mut Report) {
    let orderly = sides.real.lives.iter().any(|life| life.starting.mode == Mode::Orderly);
    if !orderly {
        return;
    }
    for queue in sides.real.queues() {
        let real = order_of(sides.real, &queue);
        let model = order_of(sides.model, &queue);
        let common: BTreeSet<_> = real.iter().map(|(id, _)| id.clone()).collect();
        let model_ids: BTreeSet<_> = model.iter().map(|(id, _)| id.clone()).collect();
        let real = real.into_iter().filter(|(id, _)| model_ids.contains(id)).collect::<Vec<_>>();
        let model = model.into_iter().filter(|(id, _)| common.contains(id)).collect::<Vec<_>>();
        let Some((_, first)) = real.first() else { continue };
        let differs = real.iter().zip(&model).find(|((a, _), (b, _))| a != b);
        let text = format!("{} queue {}", queue.0, queue.1);
        match differs {
            None => report.say(Item::Order, Verdict::Agrees, *first, format!("{text}: in order")),
            Some(((is, place), (wanted, _))) => {
                let text = format!("{text}: offset {} where the model has {}", is.2, wanted.2);
                report.say(Item::Order, Verdict::Differs, *place, text);
            }
        }
    }
}

type OrderId = (String, usize, QueueOffset, i32);

fn order_of(view: &View<'_>, queue: &Queue) -> Vec<(OrderId, Place)> {
    let calls = view.consumptions.iter().filter(|it| it.queue() == *queue);
    let id = |it: &Consumption| {
        let life = &view.lives[it.life];
        let delivery = &it.delivery;
        let id =
            (life.client.to_string(), life.nth, delivery.queue_offset, delivery.reconsume_times);
        (id, it.begin)
    };
    let mut order = calls.map(id).collect::<Vec<_>>();
    // Two owners' calls interleave by chance; each one's own order counts.
    order.sort_by(|(a, _), (b, _)| (&a.0, a.1).cmp(&(&b.0, b.1)));
    order
}

fn name(id: &ConsumptionId) -> String {
    let nth = if id.nth == 0 { String::new() } else { format!(" (time {})", id.nth + 1) };
    format!(
        "{} {} {}/{}@{} reconsumeTimes {}{nth}",
        id.client, id.key, id.queue.0, id.queue.1, id.queue_offset, id.reconsume_times
    )
}
