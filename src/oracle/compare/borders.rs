//! What lies on the border where a queue changed hands went to the other member, or to both.
//!
//! One change of owner is one exception, however many records lie between the two runs' borders. It holds
//! only within these bounds: a record lies there if it was delivered in the window of the change; or, beyond
//! it, if in both runs the old owner read the queue until it gave it up, and gave it up at the same moment
//! within the tolerance. Then how far it had come is its pace, whose gaps are compared one by one.

use std::collections::BTreeMap;

use super::super::gap_table::ALLOWANCE;
use super::super::gaps::GapKind;
use super::super::report::{Item, Race, Report, Verdict};
use super::super::trace::Place;
use super::super::view::{Consumption, Life, Queue, View};
use super::Sides;
use super::grouped::Grouped;
use super::hand_over::{ChangeId, HandOver, HandOvers};
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Real,
    Model,
}

/// A change of owner that both runs have, and how far the old owner came in each.
struct Border {
    id: ChangeId,
    low: QueueOffset,
    high: QueueOffset,
}

/// The borders at which the two runs differ, with the records that do.
pub struct Borders<'a> {
    sides: &'a Sides<'a>,
    by_queue: BTreeMap<Queue, Vec<Border>>,
    found: Grouped<ChangeId>,
}

/// Two deliveries of one record at a border lie no farther apart.
const NEAR_THE_BORDER: Millis = Millis::new(2_000);

impl<'a> Borders<'a> {
    pub fn of(sides: &'a Sides<'a>) -> Borders<'a> {
        let by_queue = sides.real.queues().into_iter().map(|queue| {
            let borders = borders_of(sides, &queue);
            (queue, borders)
        });
        Borders { sides, by_queue: by_queue.collect(), found: Grouped::default() }
    }

    /// The change of owner behind a delivery that the other run does not have like that.
    pub fn behind(
        &self,
        it: &Consumption,
        side: Side,
        others: &[&Consumption],
    ) -> Option<ChangeId> {
        let sides = self.sides;
        let real = (sides.real, &sides.real_hand_overs);
        let model = (sides.model, &sides.model_hand_overs);
        let (here, there) = if side == Side::Real { (real, model) } else { (model, real) };
        // Here it lies on the border, or the other run had it, at about that time, on its own.
        let mirrored = || {
            others.iter().find_map(|other| {
                let apart = it.begin.at.ms().abs_diff(other.begin.at.ms());
                let is_near = apart <= NEAR_THE_BORDER.ms();
                is_near.then(|| on_the_border(there, other, &[it])).flatten()
            })
        };
        on_the_border(here, it, others).or_else(mirrored).or_else(|| self.between(it, others))
    }

    /// The old owner came farther in one run than in the other before it gave the queue up: what lies
    /// between the two borders went to the other member.
    fn between(&self, it: &Consumption, others: &[&Consumption]) -> Option<ChangeId> {
        let offset = it.delivery.queue_offset;
        let is_it = |border: &&Border| border.low <= offset && offset <= border.high;
        let border = self.by_queue.get(&it.queue())?.iter().find(is_it)?;
        (!others.is_empty()).then(|| border.id.clone())
    }

    pub fn put(&mut self, change: ChangeId, place: Place, it: &Consumption) {
        self.found.put(change, place, it);
    }

    pub fn report(self, report: &mut Report) {
        for (ChangeId { queue, from, to, .. }, found) in self.found.groups {
            let from = from.unwrap_or_else(|| "nobody".to_owned());
            let what = "went to the other member, or to both";
            let text =
                format!("{}/{} from {from} to {to}: {} {what}", queue.0, queue.1, found.told());
            report.say(Item::Delivery, Verdict::Exception(Race::HandOver), found.place, text);
        }
    }
}

fn borders_of(sides: &Sides<'_>, queue: &Queue) -> Vec<Border> {
    let ours = sides.model_hand_overs.named(sides.model, queue);
    let ours = ours.into_iter().collect::<BTreeMap<_, _>>();
    let real = sides.real_hand_overs.named(sides.real, queue).into_iter();
    let border = |(id, real): (ChangeId, &HandOver)| {
        let model = ours.get(&id)?;
        let (Some(a), Some(b)) = (real.last_of_old, model.last_of_old) else { return None };
        let is_bound = is_one_moment(sides, real.released, model.released)
            && reads_to_the_end(sides, sides.real, queue, real)
            && reads_to_the_end(sides, sides.model, queue, model);
        is_bound.then(|| Border { id, low: a.min(b), high: a.max(b) })
    };
    real.filter_map(border).collect()
}

/// Whether a queue was given up at the same moment: within the tolerance, or, because of a newcomer, within
/// its start, whose length is the host's.
fn is_one_moment(sides: &Sides<'_>, real: Millis, model: Millis) -> bool {
    let tolerance = sides.tolerance(GapKind::FirstFromAssignment);
    let is_in_start = |at: Millis, life: &Life| {
        let started = life.started.map_or(Millis::ZERO, |started| started.at);
        life.starting_at.at <= at && at <= started + tolerance
    };
    real.ms().abs_diff(model.ms()) <= tolerance.ms()
        || sides.real.lives.iter().any(|life| is_in_start(real, life) && is_in_start(model, life))
}

/// Whether the old owner was at work on the queue, or had nothing to read, when it gave it up.
fn reads_to_the_end(sides: &Sides<'_>, view: &View<'_>, queue: &Queue, change: &HandOver) -> bool {
    let own = view.consumptions.iter().filter(|it| it.queue() == *queue);
    let begun = own.clone().filter(|it| Some(it.life) == change.from);
    let begun = begun.filter(|it| it.begin.at <= change.released + ALLOWANCE);
    let Some(last) = begun.max_by_key(|it| it.begin) else { return false };
    let tolerance = sides.tolerance(GapKind::BeginFromStored);
    let next = last.delivery.queue_offset.next();
    let mut rest = own.filter(|it| it.delivery.queue_offset == next);
    let has_nothing = rest.all(|it| it.store + tolerance >= change.released);
    let pause = tolerance.max(sides.tolerance(GapKind::NextInQueue));
    let is_at_work = last.end.as_ref().is_none_or(|(end, _)| end.at + pause >= change.released);
    has_nothing || is_at_work
}

/// The change at whose border a delivery lies that the other run does not have like that.
fn on_the_border(
    (view, hand_overs): (&View<'_>, &HandOvers),
    it: &Consumption,
    others: &[&Consumption],
) -> Option<ChangeId> {
    let queue = it.queue();
    let change = hand_overs.around(&queue, it.life, it.begin.at)?;
    // Both members got it: then it was among the last that the old owner began.
    let here = view.consumptions.iter().filter(|here| {
        here.record() == it.record() && here.delivery.reconsume_times == it.delivery.reconsume_times
    });
    let is_double = here.count() > 1 || others.len() > 1 || others.is_empty();
    let is_last = change
        .last_of_old
        .is_some_and(|last| it.delivery.queue_offset >= border(view, &queue, change.from, last));
    let named = hand_overs.named(view, &queue).into_iter();
    let id = named.filter(|(_, named)| *named == change).map(|(id, _)| id).next();
    id.filter(|_| !is_double || is_last)
}

/// The first record that may be on the border: the last one that the old owner had finished when it
/// began its last.
fn border(view: &View<'_>, queue: &Queue, old: Option<usize>, last: QueueOffset) -> QueueOffset {
    let Some(old) = old else { return last };
    let begun = view.consumptions.iter().filter(|it| it.life == old && it.queue() == *queue);
    let before = begun.map(|it| it.delivery.queue_offset).filter(|offset| *offset < last).max();
    before.unwrap_or(last)
}
