//! The charts as they are shown: numbers and owners up to the moment shown.

use super::shown::{ChartShown, OwnerBar, OwnersLine, OwnersShown, ShelfShown};
use crate::model::ids::ClientId;
use crate::model::order;
use crate::model::time::Millis;
use crate::scenario::scenario::Recorded;
use crate::scene::cast::is_user_topic;
use crate::scene::follow;
use crate::scene::layout::Layout;
use crate::scene::narrate::Narrator;
use crate::scene::owners::{Owners, Stretch};
use crate::scene::scene::Scene;
use crate::scene::series::{Point, QueueSeries, Series};
use crate::sim::world::World;
use crate::text::charts::ChartText;

/// The queue of the selected mark, else the first; empty if there is none.
pub fn chart(
    series: &Series,
    scene: &Scene,
    layout: &Layout,
    now: Millis,
    recorded: Option<&Recorded>,
) -> ChartShown {
    let queue = follow::shown_queue(scene, layout);
    let shown = follow::queues(scene).find(|it| Some(&it.queue) == queue.as_ref());
    let (Some(shown), Some(group)) = (shown, &scene.group) else {
        return ChartShown { now, ..ChartShown::default() };
    };
    let told = |points: &[Point]| {
        let until = points.partition_point(|(at, _)| *at <= now);
        points[..until].to_vec()
    };
    let of_group = series.queue(group, &shown.queue);
    let real = recorded.into_iter().flat_map(|recorded| &recorded.deliveries).filter(|it| {
        it.topic == shown.queue.topic && it.queue_id == shown.queue.queue_id && it.begin <= now
    });
    ChartShown {
        queue: shown.label.clone(),
        now,
        max: told(series.max(&shown.queue)),
        pull: of_group.map(|it| told(&it.pull)).unwrap_or_default(),
        committed: of_group.map(|it| told(&it.committed)).unwrap_or_default(),
        // What a client held in its memory is gone with it.
        client: of_group
            .filter(|_| shown.reader.is_some())
            .map(|it| told(&it.client))
            .unwrap_or_default(),
        reader: shown.reader.clone().unwrap_or_else(|| "".into()),
        real: real.map(|it| it.begin).collect(),
    }
}

/// What is on the shelf of the same queue.
pub fn shelf(
    series: &Series,
    scene: &Scene,
    layout: &Layout,
    now: Millis,
    world: &World,
) -> ShelfShown {
    let queue = follow::shown_queue(scene, layout);
    let shown = follow::queues(scene).find(|it| Some(&it.queue) == queue.as_ref());
    let (Some(shown), Some(group)) = (shown, &scene.group) else {
        return ShelfShown { now, ..ShelfShown::default() };
    };
    let consumer = world.clients.iter().find_map(|client| client.consumers.get(group));
    let of_group = series.queue(group, &shown.queue);
    let points = |of: fn(&QueueSeries) -> &Vec<Point>| {
        let points = of_group.map(of).map_or(&[][..], Vec::as_slice);
        points[..points.partition_point(|(at, _)| *at <= now)].to_vec()
    };
    ShelfShown {
        queue: shown.label.clone(),
        now,
        count: points(|it| &it.shelf_count),
        span: points(|it| &it.shelf_span),
        count_limit: consumer.map_or(0, |it| i64::from(it.config.pull_threshold_for_queue)),
        span_limit: consumer
            .filter(|it| !it.is_orderly())
            .map(|it| i64::from(it.config.consume_concurrently_max_span)),
    }
}

/// Who owned the queues of the group shown.
pub fn owners(
    owners: &Owners,
    scene: &Scene,
    now: Millis,
    narrator: &Narrator<'_>,
    world: &World,
) -> OwnersShown {
    let Some(group) = &scene.group else { return OwnersShown { now, ..OwnersShown::default() } };
    let consumer = world.clients.iter().find_map(|client| client.consumers.get(group));
    let is_orderly = consumer.is_some_and(|it| it.is_orderly());
    // People's own queues first.
    let mut queues: Vec<_> = owners.queues(group).collect();
    order::sort_by_key(&mut queues, |(queue, _)| !is_user_topic(&queue.topic));
    let rows = queues.into_iter().map(|(queue, of_queue)| {
        let belief = |(process, (from, until))| OwnerBar {
            who: narrator.cast().process(process),
            from,
            until,
            gone: None,
        };
        let lock = |(client, (from, until)): (ClientId, Stretch)| {
            let process = world.clients.iter().rev().find(|it| it.client_id == client);
            let gone =
                process.and_then(|it| owners.ended(it.process, now)).filter(|it| *it < until);
            OwnerBar { who: narrator.client(&client), from, until, gone }
        };
        let beliefs: Vec<OwnerBar> = of_queue.beliefs(now).into_iter().map(belief).collect();
        OwnersLine {
            label: narrator.queue(queue),
            bars: match is_orderly {
                true => of_queue.locks(now).into_iter().map(lock).collect(),
                false => beliefs.clone(),
            },
            beliefs: if is_orderly { beliefs } else { Vec::new() },
            gaps: of_queue.gaps(now),
            overlaps: of_queue.overlaps(now),
        }
    });
    let rows: Vec<OwnersLine> = rows.collect();
    OwnersShown { now, is_orderly, summary: summary(&rows, now), rows }
}

/// The longest gap, else the first overlap.
fn summary(rows: &[OwnersLine], now: Millis) -> Option<ChartText> {
    let gaps = rows.iter().flat_map(|row| row.gaps.iter().map(move |gap| (row, *gap)));
    let mut longest: Option<(&OwnersLine, Stretch)> = None;
    for (row, gap) in gaps {
        let length = |(from, until): Stretch| until.since(from);
        if longest.is_none_or(|(_, other)| length(gap) > length(other)) {
            longest = Some((row, gap));
        }
    }
    if let Some((row, (from, until))) = longest {
        let queue = row.label.clone();
        return Some(match until == now {
            true => ChartText::GapSince { queue, from },
            false => ChartText::Gap { queue, from, until },
        });
    }
    let overlap = rows.iter().find_map(|row| Some((row, *row.overlaps.first()?)));
    if let Some((row, (from, until))) = overlap {
        return Some(ChartText::Overlap { queue: row.label.clone(), from, until });
    }
    let is_owned = rows.iter().any(|row| !row.bars.is_empty());
    Some(if is_owned { ChartText::OneOwnerEach } else { ChartText::NoOwners })
}
