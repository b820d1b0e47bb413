//! Queues that changed hands, and what may lie on the border.
//!
//! Signature of the race: a record of a queue whose owner changed, delivered in the window from the
//! cause of the change to the new owner's first deliveries, by the old owner or by the new one. Delivered
//! by both, it is on the border only if it was among the last that the old owner began.

use std::collections::BTreeMap;

use super::super::gap_table::ALLOWANCE;
use super::super::view::{Queue, View};
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

/// One change of a queue's owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandOver {
    /// `None`: nobody owned it for a while, or ever.
    pub from: Option<usize>,
    pub to: usize,
    /// What set it off, or the old owner's last moment, if that is earlier.
    pub since: Millis,
    /// The new owner's first delivery, and the allowance.
    pub until: Millis,
    /// When the old owner gave it up, or ended.
    pub released: Millis,
    /// Where the border lies: the last record that the old owner began.
    pub last_of_old: Option<QueueOffset>,
}

/// Which change of owner: of which queue, from whom to whom, and the how manieth of that kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangeId {
    pub queue: Queue,
    pub from: Option<String>,
    pub to: String,
    pub nth: usize,
}

#[derive(Clone, Debug, Default)]
pub struct HandOvers {
    by_queue: BTreeMap<Queue, Vec<HandOver>>,
}

impl HandOvers {
    pub fn of(view: &View<'_>) -> HandOvers {
        let by_queue = view.queues().into_iter().map(|queue| {
            let changes = changes_of(view, &queue);
            (queue, changes)
        });
        HandOvers { by_queue: by_queue.collect() }
    }

    pub fn of_queue(&self, queue: &Queue) -> &[HandOver] {
        self.by_queue.get(queue).map(Vec::as_slice).unwrap_or_default()
    }

    /// The changes of a queue with their identities, the same in every run.
    pub fn named<'v>(&'v self, view: &View<'_>, queue: &Queue) -> Vec<(ChangeId, &'v HandOver)> {
        let name = |life: usize| view.lives[life].name();
        let mut seen: BTreeMap<ChangeId, usize> = BTreeMap::new();
        let with_id = |change: &'v HandOver| {
            let (queue, from, to) = (queue.clone(), change.from.map(name), name(change.to));
            let mut id = ChangeId { queue, from, to, nth: 0 };
            let count = seen.entry(id.clone()).or_insert(0);
            id.nth = *count;
            *count += 1;
            (id, change)
        };
        self.of_queue(queue).iter().map(with_id).collect()
    }

    /// The change at whose border a delivery by `life` at `at` lies.
    pub fn around(&self, queue: &Queue, life: usize, at: Millis) -> Option<&HandOver> {
        let is_it = |change: &&HandOver| {
            (change.from == Some(life) || change.to == life)
                && change.since <= at
                && at <= change.until
        };
        self.by_queue.get(queue)?.iter().find(is_it)
    }
}

fn changes_of(view: &View<'_>, queue: &Queue) -> Vec<HandOver> {
    let mut spans = Vec::new();
    for (life, each) in view.lives.iter().enumerate() {
        spans.extend(each.ownerships(queue).into_iter().map(|(from, to)| (from, to, life)));
    }
    spans.sort();
    let mut changes = Vec::new();
    let mut old: Option<(Millis, usize)> = None;
    for (from, to, life) in spans {
        let is_change = old.is_none_or(|(_, owner)| owner != life);
        if is_change && old.is_some() {
            changes.push(change(view, queue, old, (from, to, life)));
        }
        old = Some((to, life));
    }
    changes
}

fn change(
    view: &View<'_>,
    queue: &Queue,
    old: Option<(Millis, usize)>,
    (from, to, life): (Millis, Millis, usize),
) -> HandOver {
    let begins = |owner: usize| {
        view.consumptions.iter().filter(move |it| it.life == owner && it.queue() == *queue)
    };
    let first = begins(life).map(|it| it.begin.at).find(|at| from <= *at + ALLOWANCE && *at <= to);
    let old_end = old.map_or(from, |(end, _)| end);
    // A newcomer's `started` is told after it has already joined.
    let late = Millis::new(2_000);
    let causes = view.membership_changes().into_iter().map(|place| place.at);
    let cause = causes.filter(|at| *at <= from + late).max().unwrap_or(from);
    let since = cause.min(from).min(old_end) - ALLOWANCE;
    let last_of_old =
        old.and_then(|(_, owner)| begins(owner).rfind(|it| it.begin.at <= old_end + ALLOWANCE));
    HandOver {
        from: old.map(|(_, owner)| owner),
        to: life,
        since,
        until: first.unwrap_or(to.min(from + late)) + ALLOWANCE,
        released: old_end,
        last_of_old: last_of_old.map(|it| it.delivery.queue_offset),
    }
}
