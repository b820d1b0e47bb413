//! The phone's stage: producer, broker, network and consumers one under the other, each as wide as the
//! picture, so that a card moves down and up between them.

use super::{BROKER_FOOT, LANE, LINE, Plan, STRIP_PITCH};
use crate::scene::geometry::{Rect, rect};
use crate::scene::layout::Layout;
use crate::scene::scene::Scene;

const WIDE: f64 = 358.0;
/// The producer and the card that it sends next.
const PRODUCER_HIGH: f64 = 52.0;
/// A heading above a room.
const HEADING: f64 = 26.0;
/// One queue in full.
const QUEUE: f64 = 92.0;
/// Rows of queues on one line, at most.
const MOST_LINES: usize = 3;
/// In the network the two lists of a rebalance have their room from the first frame on: title, strategy,
/// and so much for each row.
const LISTS: f64 = 58.0;
const LIST_ROW: f64 = 22.0;
const LIST_ROWS: std::ops::RangeInclusive<usize> = 2..=4;
const CONSUMER: f64 = 206.0;
/// The sign at a padlock that is wrong reaches beyond its process.
const BESIDE: f64 = 6.0;
/// Consumers that have a line under the one in full, at most.
const MOST_STRIPS: usize = 4;

pub fn plan(scene: &Scene, layout: &Layout) -> Plan {
    let producers = rect(0.0, 0.0, WIDE, PRODUCER_HIGH);
    let broker_column = rect(0.0, producers.bottom() + HEADING, WIDE, brokers_height(scene));
    let gutter = rect(0.0, broker_column.bottom(), WIDE, wall_height(scene));
    let top = gutter.bottom() + HEADING;
    let consumer_column = rect(0.0, top, WIDE - BESIDE, consumers_height(scene));
    Plan::in_rooms(scene, layout, [producers, broker_column, gutter, consumer_column])
}

fn brokers_height(scene: &Scene) -> f64 {
    let most = scene.brokers.iter().map(|broker| broker.queues.len()).max().unwrap_or(0);
    let lines = most.saturating_sub(1).div_ceil(2).min(MOST_LINES) as f64;
    let lane = if lines > 0.0 { LANE } else { 0.0 };
    let several = scene.brokers.len() > 1;
    let head = if several { 30.0 } else { 8.0 };
    let folded = scene.brokers.len().saturating_sub(1) as f64;
    let each =
        (34.0 + LINE * most.div_ceil(2).min(MOST_LINES) as f64 + 8.0).min(176.0 / folded.max(1.0));
    head + QUEUE + LINE * lines + lane + BROKER_FOOT + folded * each.max(42.0)
}

fn wall_height(scene: &Scene) -> f64 {
    let queues = scene.brokers.iter().map(|broker| broker.queues.len()).sum::<usize>();
    LISTS + LIST_ROW * queues.clamp(*LIST_ROWS.start(), *LIST_ROWS.end()) as f64
}

fn consumers_height(scene: &Scene) -> f64 {
    let count = scene.consumers.len() + scene.company.to_come.len();
    let strips = count.saturating_sub(1).min(MOST_STRIPS) as f64;
    CONSUMER + STRIP_PITCH * strips + if strips > 0.0 { 6.0 } else { 0.0 }
}

impl Plan {
    /// How much of the system's height is taken, by a picture whose rooms stand one under the other.
    pub fn bottom(&self) -> f64 {
        let lowest = [self.consumer_column, self.more_consumers_at].map(|area: Rect| area.bottom());
        lowest[0].max(if self.more_consumers > 0 { lowest[1] } else { 0.0 }) + 6.0
    }
}
