//! Where pulls, reports, locks and owners are: the places that are no message's.

use super::broker;
use super::consumer::{self, Rooms};
use super::pen::Pen;
use super::{pulls, rebalance, shelf, spot};
use crate::model::message_queue::MessageQueue;
use crate::scene::at_consumer::Consumer;
use crate::scene::geometry::{Rect, rect};
use crate::scene::layout::System;
use crate::scene::plan::ConsumerPlan;
use crate::scene::scene::Fixture;

/// A consumer that stands on the stage, and its place.
fn party<'a>(
    pen: &'a Pen<'_>,
    process: crate::model::ids::ProcessIndex,
) -> Option<(&'a Consumer, &'a ConsumerPlan)> {
    Some((pen.scene.consumer(process)?, pen.plan.consumer(process)?))
}

pub fn area(pen: &Pen<'_>, fixture: &Fixture) -> Option<Rect> {
    let at_process = match fixture {
        Fixture::Belt(process, _)
        | Fixture::PullSeat(process, _)
        | Fixture::Tray(process, _)
        | Fixture::Offsets(process, _)
        | Fixture::Tab(process, _)
        | Fixture::Belief(process, _)
        | Fixture::Rebalance(process)
        | Fixture::Consumer(process) => *process,
        Fixture::BrokerOffsets(index, queue) => {
            return broker::offset_of(pen, *index, queue.as_ref());
        }
        Fixture::Members(index) => {
            let plan = pen.plan.broker(*index)?;
            return Some(broker::members_area(plan.area));
        }
        Fixture::Owner(queue) => return broker::owner_of(pen, queue),
        Fixture::Lock(queue) => {
            let seat = spot::bench_of(pen, queue)?;
            let (x, y) = (seat.middle().x + 6.0, seat.y + 24.0);
            return Some(rect(x - 34.0, y - 34.0, 68.0, 68.0));
        }
    };
    let (consumer, plan) = party(pen, at_process)?;
    if !plan.is_full {
        return Some(plan.area);
    }
    in_process(pen, fixture, consumer, plan.area)
}

fn in_process(pen: &Pen<'_>, fixture: &Fixture, consumer: &Consumer, area: Rect) -> Option<Rect> {
    let rooms = Rooms::of(consumer, area);
    let on_line = |queue: &MessageQueue| {
        let line = consumer::pulls_line(pen, consumer, rooms.header);
        pulls::place_on_line(consumer, line, queue)
    };
    Some(match fixture {
        Fixture::Belt(_, queue) => match rooms.pulls {
            Some(room) => pulls::belt_in(room),
            None => on_line(queue),
        },
        Fixture::PullSeat(_, queue) => match rooms.pulls {
            Some(room) => pulls::seat_in(room),
            None => on_line(queue),
        },
        Fixture::Tray(_, queue) => match rooms.pulls {
            Some(room) => pulls::tray_in(room),
            None => on_line(queue),
        },
        Fixture::Offsets(_, queue) => consumer::offset_of(consumer, rooms.ledger, queue.as_ref()),
        Fixture::Tab(_, queue) => shelf::tab_of(consumer, rooms.shelves, queue),
        Fixture::Belief(_, queue) => shelf::belief_of(consumer, rooms.shelves, queue)?,
        Fixture::Rebalance(_) => {
            let gutter = pen.plan.gutter;
            let beside = || match pen.layout.system {
                System::Rooms => gutter,
                _ => rect(gutter.x + 1.0, area.y, gutter.width - 2.0, 92.0),
            };
            rebalance::box_of(pen, consumer.process).unwrap_or_else(beside)
        }
        Fixture::Consumer(_) => area,
        Fixture::BrokerOffsets(..) | Fixture::Members(_) | Fixture::Owner(_) | Fixture::Lock(_) => {
            return None;
        }
    })
}
