//! The chart of one queue: its numbers up to the moment shown.

use super::shown::ChartShown;
use crate::model::time::Millis;
use crate::scenario::scenario::Recorded;
use crate::scene::follow;
use crate::scene::layout::Layout;
use crate::scene::scene::Scene;
use crate::scene::series::{Point, Series};

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
        client: of_group.map(|it| told(&it.client)).unwrap_or_default(),
        reader: shown.reader.clone().unwrap_or_else(|| "".into()),
        real: real.map(|it| it.begin).collect(),
        is_table: false,
    }
}
