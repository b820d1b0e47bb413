//! Where the rooms are: arithmetic on counts, in the units of one coordinate system.
//!
//! What does not fit in full is folded to a line, but never left out without saying how many.

use crate::model::ids::{BrokerIndex, ProcessIndex};
use crate::model::message_queue::MessageQueue;
use crate::model::order;

use super::at_broker::Broker;
use super::at_consumer::Consumer;
use super::follow;
use super::geometry::{Rect, rect};
use super::layout::{Layout, System};
use super::mark::MarkId;
use super::scene::Scene;

mod rooms;

/// The four columns and their rooms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub producers: Rect,
    pub broker_column: Rect,
    pub gutter: Rect,
    pub consumer_column: Rect,
    pub brokers: Vec<BrokerPlan>,
    pub consumers: Vec<ConsumerPlan>,
    /// The places of those that the script will start.
    pub to_come: Vec<Rect>,
    /// Consumers for which not even a line was left.
    pub more_consumers: u32,
    pub more_consumers_at: Rect,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BrokerPlan {
    pub index: BrokerIndex,
    pub area: Rect,
    pub is_full: bool,
    pub queues: Vec<QueuePlan>,
    /// Queues for which not even a line was left.
    pub more_queues: u32,
    pub more_at: Rect,
}

#[derive(Clone, Debug, PartialEq)]
pub struct QueuePlan {
    pub queue: MessageQueue,
    pub area: Rect,
    pub form: QueueForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueForm {
    /// 114 high: reader 24, slots 34, ground 44.
    Full,
    /// 94 high: the numbers stand in the brackets.
    Tight,
    /// 28 high: name and numbers on one line.
    Line,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ConsumerPlan {
    pub process: ProcessIndex,
    pub area: Rect,
    pub is_full: bool,
}

const TOP: f64 = 36.0;
/// The broker's rooms below the queues: retry queue, staircase, ledger.
pub const BROKER_FOOT: f64 = 216.0;
const LINE: f64 = 24.0;
/// Lines end above the lane by which a retry leaves its queue.
const LANE: f64 = 16.0;
const CONSUMER_LEAST: f64 = 143.0;
/// More consumers than these do not all have their place for good.
const CROWD: usize = 8;
const GAP: f64 = 6.0;
const CONSUMER_STRIP: f64 = 30.0;
const STRIP_PITCH: f64 = 36.0;

impl Plan {
    pub fn of(scene: &Scene, layout: &Layout) -> Plan {
        if layout.system == System::Rooms {
            return rooms::plan(scene, layout);
        }
        let area = layout.system.area();
        let bottom = area.bottom() - 8.0;
        let column = |x: f64, right: f64| rect(x, TOP, right - x, bottom - TOP);
        let (broker_column, gutter, consumer_column) = match layout.system {
            System::Desktop => (column(100.0, 712.0), column(712.0, 824.0), column(824.0, 1172.0)),
            System::Projector | System::Phone | System::Rooms => {
                (column(100.0, 556.0), column(556.0, 648.0), column(648.0, 912.0))
            }
        };
        let rooms = [column(8.0, 84.0), broker_column, gutter, consumer_column];
        Plan::in_rooms(scene, layout, rooms)
    }

    /// What is in the four: producers, brokers, network, consumers.
    fn in_rooms(scene: &Scene, layout: &Layout, rooms: [Rect; 4]) -> Plan {
        let [producers, broker_column, gutter, consumer_column] = rooms;
        let mut plan = Plan {
            producers,
            broker_column,
            gutter,
            consumer_column,
            brokers: plan_brokers(scene, layout, broker_column),
            ..Plan::default()
        };
        plan_consumers(&mut plan, scene, layout);
        plan
    }

    pub fn broker(&self, index: BrokerIndex) -> Option<&BrokerPlan> {
        self.brokers.iter().find(|plan| plan.index == index)
    }

    pub fn consumer(&self, process: ProcessIndex) -> Option<&ConsumerPlan> {
        self.consumers.iter().find(|plan| plan.process == process)
    }

    pub fn queue(&self, queue: &MessageQueue) -> Option<&QueuePlan> {
        let mut all = self.brokers.iter().flat_map(|broker| &broker.queues);
        all.find(|plan| plan.queue == *queue)
    }
}

fn plan_brokers(scene: &Scene, layout: &Layout, column: Rect) -> Vec<BrokerPlan> {
    let count = scene.brokers.len();
    let full = scene
        .brokers
        .iter()
        .position(|broker| concerns_broker(layout.spotlight.as_ref(), scene, broker))
        .or_else(|| scene.brokers.iter().position(|broker| broker.is_up))
        .unwrap_or(0);
    let folded = count.saturating_sub(1) as f64;
    let lines = scene.brokers.iter().map(|broker| broker.queues.len().div_ceil(2)).max();
    // On a crowded stage the folded ones share what two of them would take.
    let wanted = 34.0 + LINE * lines.unwrap_or(0) as f64;
    let folded_height = wanted.min((168.0 / folded.max(1.0)).max(34.0));
    let full_height = (column.height - folded * (folded_height + 8.0)).max(BROKER_FOOT + 8.0);
    let mut y = column.y;
    scene
        .brokers
        .iter()
        .enumerate()
        .map(|(place, broker)| {
            let is_full = place == full;
            let height = if is_full { full_height } else { folded_height };
            let area = rect(column.x, y, column.width, height);
            y += height + 8.0;
            plan_broker(broker, scene, layout, area, is_full)
        })
        .collect()
}

fn plan_broker(
    broker: &Broker,
    scene: &Scene,
    layout: &Layout,
    area: Rect,
    is_full: bool,
) -> BrokerPlan {
    // One of several has its name above its queues.
    let head = if scene.brokers.len() > 1 { 30.0 } else { 8.0 };
    let room = match is_full {
        true => rect(area.x, area.y + head, area.width, area.height - BROKER_FOOT - head),
        false => rect(area.x, area.y + 26.0, area.width, area.height - 30.0),
    };
    let max_full = match (is_full, layout.system) {
        (false, _) => 0,
        (true, System::Desktop) => 4,
        (true, System::Rooms) => 1,
        (true, _) => 2,
    };
    let count = broker.queues.len();
    let (full, form, pitch) = choose_full_queues(count, room.height, max_full);
    let chosen = queues_in_full(broker, scene, layout, full);
    let lines = (count - full).div_ceil(2) as f64 * LINE;
    // A tall room is shared out, so that rows do not crowd at its top.
    let lane = if lines > 0.0 && is_full { LANE } else { 0.0 };
    let pitch = ((room.height - lines - lane) / full.max(1) as f64).clamp(pitch, pitch + 30.0);
    let mut queues = Vec::new();
    let mut y = room.y;
    for (place, queue) in broker.queues.iter().enumerate() {
        if chosen.contains(&place) {
            let at = rect(room.x, y, room.width, pitch);
            queues.push(QueuePlan { queue: queue.queue.clone(), area: at, form });
            y += pitch;
        }
    }
    let rest: Vec<usize> = (0..count).filter(|place| !chosen.contains(place)).collect();
    let rows = ((room.bottom() - lane - y + 0.5) / LINE).floor().max(0.0) as usize;
    let shown = if rest.len() <= 2 * rows { rest.len() } else { (2 * rows).saturating_sub(1) };
    let cell = |nth: usize| {
        let width = (room.width - 20.0) / 2.0;
        let x = room.x + 10.0 + width * (nth % 2) as f64;
        rect(x, y + LINE * (nth / 2) as f64, width, LINE)
    };
    for (nth, &place) in rest.iter().take(shown).enumerate() {
        let queue = broker.queues[place].queue.clone();
        queues.push(QueuePlan { queue, area: cell(nth), form: QueueForm::Line });
    }
    let more_queues = (rest.len() - shown) as u32;
    BrokerPlan { index: broker.index, area, is_full, queues, more_queues, more_at: cell(shown) }
}

/// How many queues are drawn in full, in which form, and their pitch.
fn choose_full_queues(count: usize, height: f64, max_full: usize) -> (usize, QueueForm, f64) {
    for full in (1..=max_full.min(count)).rev() {
        let lines = (count - full).div_ceil(2) as f64 * LINE;
        let lane = if lines > 0.0 { LANE } else { 0.0 };
        for (form, pitch) in [(QueueForm::Full, 114.0), (QueueForm::Tight, 92.0)] {
            if full as f64 * pitch + lines + lane <= height {
                return (full, form, pitch);
            }
        }
    }
    // A crowd: one in full if a line for the rest is left.
    let fits_one = max_full > 0 && count > 0 && height >= 92.0 + LINE + LANE;
    (usize::from(fits_one), QueueForm::Tight, 92.0)
}

/// Places of the queues that are drawn in full: the selected one, the followed message's, then the
/// first ones.
fn queues_in_full(broker: &Broker, scene: &Scene, layout: &Layout, full: usize) -> Vec<usize> {
    let place_of = |queue: &MessageQueue| broker.queues.iter().position(|q| q.queue == *queue);
    let selected = layout.spotlight.as_ref().and_then(|mark| queue_of(mark, scene));
    let followed = scene.followed.iter().flat_map(|followed| &followed.stations);
    let followed = followed.filter_map(|station| match &station.spot {
        super::scene::Spot::Slot(queue, _) => Some(queue.clone()),
        _ => None,
    });
    let mut chosen: Vec<usize> = Vec::new();
    let wanted = selected.into_iter().chain(followed).filter_map(|queue| place_of(&queue));
    for place in wanted.chain(0..broker.queues.len()) {
        if chosen.len() == full {
            break;
        }
        if !chosen.contains(&place) {
            chosen.push(place);
        }
    }
    chosen
}

/// The queue that a mark belongs to.
pub fn queue_of(mark: &MarkId, scene: &Scene) -> Option<MessageQueue> {
    match mark {
        MarkId::Queue(queue)
        | MarkId::Lock(queue)
        | MarkId::DeadLetters(queue)
        | MarkId::Pull { queue, .. }
        | MarkId::Belief { queue, .. } => Some(queue.clone()),
        MarkId::Copy(copy) => scene
            .brokers
            .iter()
            .flat_map(|broker| broker.queues.iter().chain(&broker.retry_queues))
            .find(|queue| queue.slots.iter().any(|card| card.copy == *copy))
            .map(|queue| queue.queue.clone()),
        MarkId::Shelf { process, process_queue } => scene
            .consumer(*process)?
            .shelves
            .iter()
            .find(|shelf| shelf.process_queue == *process_queue)
            .map(|shelf| shelf.queue.clone()),
        _ => None,
    }
}

fn concerns_broker(mark: Option<&MarkId>, scene: &Scene, broker: &Broker) -> bool {
    let Some(mark) = mark else { return false };
    match mark {
        MarkId::Broker(index) | MarkId::CommitLog(index) | MarkId::BrokerLedger(index) => {
            *index == broker.index
        }
        MarkId::DelayLevel { broker: index, .. } => *index == broker.index,
        MarkId::Copy(copy) => copy.broker_name == broker.name,
        other => queue_of(other, scene).is_some_and(|queue| queue.broker_name == broker.name),
    }
}

/// Those that are there and those that the script will start share the column from the first frame on.
fn plan_consumers(plan: &mut Plan, scene: &Scene, layout: &Layout) {
    let column = plan.consumer_column;
    let max_full = match layout.system {
        System::Desktop => 4,
        System::Rooms => 1,
        System::Projector | System::Phone => 3,
    };
    let count = scene.consumers.len() + scene.company.to_come.len();
    let (full, height) = choose_full_consumers(count, column.height, max_full);
    let chosen = consumers_in_full(plan, scene, layout, count, full);
    let each = share_height(height, full);
    let gap = if full > 2 { GAP } else { 12.0 };
    let strips = ((column.height - height - 6.0) / STRIP_PITCH + 0.01).floor().max(0.0) as usize;
    let folded = count - full;
    let shown = if folded <= strips { folded } else { strips.saturating_sub(1) };
    let mut left = shown;
    let lines = lines_first(scene, &chosen, shown);
    let mut y = column.y;
    for place in 0..count {
        let is_full = chosen.contains(&place);
        if !is_full && (left == 0 || !lines.contains(&place)) {
            continue;
        }
        if !is_full {
            left -= 1;
        }
        let height = if is_full { each } else { CONSUMER_STRIP };
        let area = rect(column.x, y, column.width, height);
        match scene.consumers.get(place) {
            Some(consumer) => {
                plan.consumers.push(ConsumerPlan { process: consumer.process, area, is_full });
            }
            None => plan.to_come.push(area),
        }
        y += height + if is_full { gap } else { STRIP_PITCH - CONSUMER_STRIP };
    }
    plan.more_consumers = (folded - shown) as u32;
    plan.more_consumers_at = rect(column.x, y, column.width, CONSUMER_STRIP);
}

/// Which of those that are not drawn in full have a line: whoever reads a queue before whoever does
/// not.
fn lines_first(scene: &Scene, chosen: &[usize], shown: usize) -> Vec<usize> {
    let count = scene.consumers.len() + scene.company.to_come.len();
    let mut rest: Vec<usize> = (0..count).filter(|place| !chosen.contains(place)).collect();
    let reads = |place: usize| scene.consumers.get(place).is_some_and(reads_a_queue);
    order::sort_by_key(&mut rest, |place| (!reads(*place), *place));
    rest.truncate(shown);
    rest
}

fn reads_a_queue(consumer: &Consumer) -> bool {
    let has_none = consumer.shelves.is_empty() && consumer.refused.is_empty();
    !(consumer.is_gone() || has_none)
}

/// How many consumers are drawn in full, and the height that they share.
fn choose_full_consumers(count: usize, height: f64, max_full: usize) -> (usize, f64) {
    for full in (1..=max_full.min(count)).rev() {
        let strips = (count - full) as f64 * STRIP_PITCH;
        let rest = height - strips - if strips > 0.0 { 6.0 } else { 0.0 };
        let gaps = (full - 1) as f64 * if full > 2 { GAP } else { 12.0 };
        if full as f64 * CONSUMER_LEAST + gaps <= rest {
            return (full, rest);
        }
    }
    // A crowd: one in full, and as many lines as there is room for.
    (count.min(1), CONSUMER_LEAST)
}

/// All are equally high: whoever is looked at does not push the others away.
fn share_height(height: f64, full: usize) -> f64 {
    let gap = if full > 2 { GAP } else { 12.0 };
    ((height - gap * full.saturating_sub(1) as f64) / full.max(1) as f64).floor()
}

/// The selected one is always among them; then, on a crowded stage, whoever reads a queue.
fn consumers_in_full(
    plan: &Plan,
    scene: &Scene,
    layout: &Layout,
    count: usize,
    full: usize,
) -> Vec<usize> {
    let place_of = |process: ProcessIndex| {
        scene.consumers.iter().position(|consumer| consumer.process == process)
    };
    let selected = layout.spotlight.as_ref().and_then(process_of).and_then(place_of);
    let selected = selected.or_else(|| reader_in_full(plan, scene, layout).and_then(place_of));
    let reads = |place: usize| scene.consumers.get(place).is_some_and(reads_a_queue);
    let mut rest: Vec<usize> = (0..count).filter(|place| Some(*place) != selected).collect();
    order::sort_by_key(&mut rest, |place| (count > CROWD && !reads(*place), *place));
    let mut chosen: Vec<usize> = selected.into_iter().chain(rest).collect();
    chosen.truncate(full);
    order::sort(&mut chosen);
    chosen
}

/// Where there is room for one queue and one consumer: whoever reads that queue.
fn reader_in_full(plan: &Plan, scene: &Scene, layout: &Layout) -> Option<ProcessIndex> {
    if layout.system != System::Rooms {
        return None;
    }
    let mut rows = plan.brokers.iter().flat_map(|broker| &broker.queues);
    let row = rows.find(|row| row.form != QueueForm::Line)?;
    let (reader, _) = follow::reader_of(scene, &row.queue)?;
    Some(reader.process)
}

/// The process that a mark belongs to.
pub fn process_of(mark: &MarkId) -> Option<ProcessIndex> {
    match mark {
        MarkId::Consumer(process)
        | MarkId::ConsumeRequests(process)
        | MarkId::ConsumerLedger(process)
        | MarkId::Rebalance(process)
        | MarkId::Pull { process, .. }
        | MarkId::Shelf { process, .. }
        | MarkId::Belief { process, .. }
        | MarkId::Worker { process, .. } => Some(*process),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_queues_and_two_consumers_stand_as_in_the_mock() {
        assert_eq!(choose_full_queues(2, 228.0, 2), (2, QueueForm::Full, 114.0));
        assert_eq!(share_height(452.0, 2), 220.0);
    }

    #[test]
    fn any_number_finds_room() {
        for count in 0..40 {
            let (full, _, pitch) = choose_full_queues(count, 228.0, 2);
            assert!(full as f64 * pitch <= 228.0);
            let (full, height) = choose_full_consumers(count, 452.0, 2);
            assert!(share_height(height, full) * full as f64 <= 452.0);
        }
    }
}
