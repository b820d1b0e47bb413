//! Deliveries: who got which record how often, with which reconsumeTimes, and what came of it.

use std::collections::BTreeSet;

use super::super::gaps::{ConsumptionId, GapKind};
use super::super::report::{Item, Race, Report, Verdict};
use super::super::starting::Mode;
use super::super::trace::Place;
use super::super::view::{Consumption, End, Queue, View};
use super::Sides;
use super::hand_over::HandOvers;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

pub fn compare(sides: &Sides<'_>, report: &mut Report) {
    for (id, &index) in &sides.real_ids {
        let real = &sides.real.consumptions[index];
        match sides.model_ids.get(id) {
            Some(&model) => both(id, real, &sides.model.consumptions[model], sides, report),
            None => {
                let verdict = only_one(sides, id, real, Side::Real);
                report.say(Item::Delivery, verdict, real.begin, told(id, real, "not in the model"));
            }
        }
    }
    for (id, &index) in &sides.model_ids {
        if !sides.real_ids.contains_key(id) {
            let model = &sides.model.consumptions[index];
            let place = Place { at: model.begin.at, line: 0 };
            let verdict = only_one(sides, id, model, Side::Model);
            report.say(Item::Delivery, verdict, place, told(id, model, "only in the model"));
        }
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
    report.say(Item::Delivery, Verdict::Agrees, real.begin, told(id, real, "delivered"));
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Real,
    Model,
}

/// The verdict on a delivery that only one side has.
fn only_one(sides: &Sides<'_>, id: &ConsumptionId, it: &Consumption, side: Side) -> Verdict {
    let (view, other, hand_overs) = match side {
        Side::Real => (sides.real, sides.model, &sides.real_hand_overs),
        Side::Model => (sides.model, sides.real, &sides.model_hand_overs),
    };
    if cut_off(sides, view, it) || not_reached(other, it) {
        return Verdict::Agrees;
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
    if let Some(race) = owner_in_model.and_then(silent) {
        return Verdict::Exception(race);
    }
    let (at_other, other_view) = match side {
        Side::Real => (&sides.model_hand_overs, sides.model),
        Side::Model => (&sides.real_hand_overs, sides.real),
    };
    // Here it lies on the border, or the other run had it, at about that time, on its own.
    let mirrored = || {
        others.iter().any(|other| {
            it.begin.at.ms().abs_diff(other.begin.at.ms()) <= NEAR_THE_BORDER.ms()
                && is_on_the_border(at_other, other_view, other, &[it])
        })
    };
    if is_on_the_border(hand_overs, view, it, &others) || mirrored() || between(sides, it, &others)
    {
        return Verdict::Exception(Race::HandOver);
    }
    Verdict::Differs
}

/// The old owner came farther in one run than in the other before it gave the queue up: what lies between
/// the two borders went to the other member.
fn between(sides: &Sides<'_>, it: &Consumption, others: &[&Consumption]) -> bool {
    if others.is_empty() {
        return false;
    }
    let queue = it.queue();
    let real = sides.real_hand_overs.of_queue(&queue);
    let ours = sides.model_hand_overs.of_queue(&queue);
    let name = |view: &View<'_>, life: Option<usize>| {
        life.map(|life| (view.lives[life].client.clone(), view.lives[life].nth))
    };
    real.iter().zip(ours).any(|(real, ours)| {
        let same = name(sides.real, real.from) == name(sides.model, ours.from)
            && name(sides.real, Some(real.to)) == name(sides.model, Some(ours.to));
        let (Some(a), Some(b)) = (real.last_of_old, ours.last_of_old) else { return false };
        same && a.min(b) <= it.delivery.queue_offset && it.delivery.queue_offset <= a.max(b)
    })
}

/// Two deliveries of one record at a border lie no farther apart.
const NEAR_THE_BORDER: Millis = Millis::new(2_000);

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

/// Whether a delivery that the other run does not have like that lies where its queue changed hands.
fn is_on_the_border(
    hand_overs: &HandOvers,
    view: &View<'_>,
    it: &Consumption,
    others: &[&Consumption],
) -> bool {
    let queue = it.queue();
    let Some(change) = hand_overs.around(&queue, it.life, it.begin.at) else { return false };
    // Both members got it: then it was among the last that the old owner began.
    let here = view.consumptions.iter().filter(|here| {
        here.record() == it.record() && here.delivery.reconsume_times == it.delivery.reconsume_times
    });
    let count = here.count();
    let is_double = count > 1 || others.len() > 1 || others.is_empty();
    !is_double
        || change
            .last_of_old
            .is_some_and(|last| it.delivery.queue_offset >= border(view, &queue, change.from, last))
}

/// The first record that may be on the border: the last one that the old owner had finished when it
/// began its last.
fn border(view: &View<'_>, queue: &Queue, old: Option<usize>, last: QueueOffset) -> QueueOffset {
    let Some(old) = old else { return last };
    let begun = view.consumptions.iter().filter(|it| it.life == old && it.queue() == *queue);
    let before = begun.map(|it| it.delivery.queue_offset).filter(|offset| *offset < last).max();
    before.unwrap_or(last)
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

fn told(id: &ConsumptionId, _it: &Consumption, what: &str) -> String {
    format!("{}: {what}", name(id))
}
