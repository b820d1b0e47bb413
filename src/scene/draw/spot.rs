//! Where things are that lines lead to: the doors of machines, and the spots of the followed one.

use super::card;
use super::consumer::Rooms;
use super::followed;
use super::workers::{Seats, placed};
use super::{bench, fixture, producer, queue, retry, shelf, stairs};
use crate::model::message_queue::MessageQueue;
use crate::scene::at_broker::{Queue, QueueKind};
use crate::scene::card::Label;
use crate::scene::geometry::{Point, Rect, point, rect};
use crate::scene::plan::{BrokerPlan, QueueForm};
use crate::scene::scene::{Call, Party, Spot};

use super::pen::Pen;

/// Where a call leaves or enters a machine.
pub fn door(pen: &Pen<'_>, party: Party, call: &Call) -> Option<Point> {
    match party {
        Party::NameServer(_) => {
            let right = pen.plan.broker_column.right() - 26.0;
            let from_broker = matches!(call.from, Party::Broker(_))
                || matches!(call.to, Party::Broker(_))
                || matches!(call.from, Party::Producer(_))
                || matches!(call.to, Party::Producer(_));
            let is_above = |party: &Party| match party {
                Party::Broker(index) => {
                    let plan = pen.plan.broker(*index);
                    plan.is_none_or(|plan| plan.area.y <= pen.plan.broker_column.y)
                }
                _ => true,
            };
            let from_broker = from_broker && is_above(&call.from) && is_above(&call.to);
            Some(if from_broker { point(right - 60.0, 29.0) } else { point(right + 2.0, 18.0) })
        }
        Party::Broker(index) => {
            let plan = pen.plan.broker(index)?;
            if is_beside(call) {
                return Some(point(plan.area.x, plan.area.y + 30.0));
            }
            if is_name_server(call) && plan.area.y <= pen.plan.broker_column.y {
                return Some(point(plan.area.right() - 86.0, plan.area.y));
            }
            if is_name_server(call) {
                return Some(point(plan.area.right(), plan.area.y + 16.0));
            }
            let seat = call.queue.as_ref().and_then(|queue| bench_of(pen, queue));
            let y = seat.map_or(plan.area.y + 16.0, |seat| seat.middle().y);
            Some(point(plan.area.right(), y))
        }
        Party::Producer(_) => Some(point(84.0, 66.0)),
        Party::Consumer(process) => {
            let plan = pen.plan.consumer(process)?;
            let consumer = pen.scene.consumer(process)?;
            let mut y = plan.area.y + 19.0_f64.min(plan.area.height / 2.0);
            if plan.is_full && call.code.number == 36 {
                y = Rooms::of(consumer, plan.area).workers.y + 40.0;
            } else if plan.is_full && call.code.number == 15 {
                y = Rooms::of(consumer, plan.area).ledger.middle().y;
            }
            Some(point(plan.area.x, y))
        }
    }
}

/// A producer's call enters the broker from the left.
fn is_beside(call: &Call) -> bool {
    matches!(call.from, Party::Producer(_)) || matches!(call.to, Party::Producer(_))
}

fn is_name_server(call: &Call) -> bool {
    matches!(call.from, Party::NameServer(_)) || matches!(call.to, Party::NameServer(_))
}

pub fn party_label(pen: &Pen<'_>, party: Party) -> Label {
    let scene = pen.scene;
    match party {
        Party::NameServer(index) => format!("NameServer {index}").as_str().into(),
        Party::Broker(index) => {
            scene.broker(index).map_or("broker".into(), |broker| broker.name.as_str().into())
        }
        Party::Producer(process) => scene
            .producers
            .iter()
            .find(|producer| producer.process == process)
            .map_or("producer".into(), |producer| producer.label.clone()),
        Party::Consumer(process) => {
            scene.consumer(process).map_or("consumer".into(), |consumer| consumer.label.clone())
        }
    }
}

pub fn find_queue<'a>(pen: &Pen<'a>, queue: &MessageQueue) -> Option<&'a Queue> {
    let brokers = pen.scene.brokers.iter();
    let mut all = brokers.flat_map(|broker| broker.queues.iter().chain(&broker.retry_queues));
    all.find(|candidate| candidate.queue == *queue)
}

/// The box of the broker that has this queue.
fn box_of<'a>(pen: &'a Pen<'_>, queue: &MessageQueue) -> Option<&'a BrokerPlan> {
    let broker = pen.scene.brokers.iter().find(|broker| {
        let mut all = broker.queues.iter().chain(&broker.retry_queues);
        all.any(|candidate| candidate.queue == *queue)
    })?;
    pen.plan.broker(broker.index)
}

/// The seat of a queue's pull at the broker.
pub fn bench_of(pen: &Pen<'_>, message_queue: &MessageQueue) -> Option<Rect> {
    let queue = find_queue(pen, message_queue)?;
    let broker = box_of(pen, message_queue)?;
    let area = broker.area;
    if !broker.is_full {
        return Some(folded(area));
    }
    if queue.kind == QueueKind::Retry {
        return Some(bench::seat(area, retry::seat_y(area)));
    }
    let plan = pen.plan.queue(message_queue)?;
    match plan.form {
        QueueForm::Line => Some(rect(area.right() - 30.0, plan.area.y, 24.0, 24.0)),
        _ => Some(bench::seat(area, queue::strip(pen, queue, plan).slots.y)),
    }
}

/// The rectangle of a followed thing's spot.
pub fn area(pen: &Pen<'_>, spot: &Spot) -> Option<Rect> {
    match spot {
        Spot::Producer(_) => Some(producer::next_card(pen)),
        Spot::Gate(broker) => {
            let plan = pen.plan.broker(*broker)?;
            if !plan.is_full {
                return Some(rect(plan.area.right() - 16.0, plan.area.middle().y, 0.0, 0.0));
            }
            let y = followed::corridor(plan.area);
            Some(rect(plan.area.right() - 16.0, y, 0.0, 0.0))
        }
        Spot::Slot(message_queue, offset) => {
            let queue = find_queue(pen, message_queue)?;
            if queue.kind == QueueKind::Retry {
                let plan = box_of(pen, message_queue)?;
                return Some(match plan.is_full {
                    true => retry::WaveStrip::of(pen, queue, plan.area).slot(*offset),
                    false => folded(plan.area),
                });
            }
            let plan = pen.plan.queue(message_queue)?;
            match plan.form {
                QueueForm::Line => Some(rect(plan.area.x, plan.area.y, 30.0, plan.area.height)),
                _ => Some(queue::strip(pen, queue, plan).slot(*offset)),
            }
        }
        Spot::Bench(queue) => bench_of(pen, queue),
        Spot::Level(index, level) => {
            let broker = pen.scene.broker(*index)?;
            let plan = pen.plan.broker(*index)?;
            if !plan.is_full {
                return Some(folded(plan.area));
            }
            let place = broker.levels.iter().position(|candidate| candidate.level == *level)?;
            stairs::stands(pen, &broker.levels, plan.area).get(place).copied()
        }
        Spot::DeadLetters(index) => {
            let plan = pen.plan.broker(*index)?;
            match plan.is_full {
                true => Some(stairs::lies(pen, stairs::pit_area(plan.area), 0)),
                false => Some(folded(plan.area)),
            }
        }
        Spot::Shelf(process, queue, offset) => {
            let plan = pen.plan.consumer(*process)?;
            let consumer = pen.scene.consumer(*process)?;
            match plan.is_full {
                true => {
                    let room = Rooms::of(consumer, plan.area).shelves;
                    Some(shelf::slot_of(pen, consumer, room, queue, *offset))
                }
                false => Some(plan.area),
            }
        }
        Spot::Seat(process, index) => seat(pen, *process, *index),
        Spot::At(place) => fixture::area(pen, place),
    }
}

/// In a folded broker everything is at one place.
fn folded(area: Rect) -> Rect {
    rect(area.right() - 60.0, area.y + 8.0, 44.0, (area.height - 16.0).max(10.0))
}

/// A worker's seat; without an index the room's first.
fn seat(
    pen: &Pen<'_>,
    process: crate::model::ids::ProcessIndex,
    index: Option<u32>,
) -> Option<Rect> {
    let plan = pen.plan.consumer(process)?;
    let consumer = pen.scene.consumer(process)?;
    if !plan.is_full {
        return Some(plan.area);
    }
    let seats = Seats::of(Rooms::of(consumer, plan.area).workers);
    let wide = card::width(pen, crate::model::offset::QueueOffset::ZERO);
    let place = index.and_then(|index| {
        let drawn = placed(consumer, seats.count());
        drawn.iter().find(|(_, seat)| seat.index == index).map(|(place, _)| *place)
    });
    Some(super::workers::card_in(seats.seat(place.unwrap_or(0)), wide))
}

/// The plates that the followed line carries: calls in flight leave room for them.
pub fn followed_plates(pen: &Pen<'_>) -> Vec<Rect> {
    followed::legs(pen).into_iter().filter_map(|leg| Some(leg.plate?.1)).collect()
}
