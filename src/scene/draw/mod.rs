//! From a scene to a frame: one file for each kind of thing, after the recipes of `mock/TOKENS.md`.

use super::card::Label;
use super::follow;
use super::frame::Frame;
use super::geometry::Rect;
use super::layout::{Layout, System};
use super::scene::{Scene, Spot};
use crate::model::message_queue::MessageQueue;

mod bench;
mod broker;
mod brush;
mod calls;
mod card;
mod consumer;
mod cuts;
mod ended;
mod fixture;
mod followed;
mod heading;
mod label_row;
mod lock;
pub(super) mod pen;
mod phone;
mod producer;
mod pulls;
mod queue;
mod rebalance;
mod retry;
mod ribbon;
mod rooms;
mod shelf;
mod sign;
pub(super) mod spot;
mod stairs;
mod start;
mod strip;
mod workers;

pub use bench::held;
pub use brush::polyline;
pub use calls::{plate, slip};
pub use consumer::process_word;
pub use pen::state_word;
pub use pulls::postpone_word;
pub use sign::card_sign;
pub use stairs::LATE;

/// The scene as it stands at virtual time `now_ms`, nothing on its way inside a machine.
pub fn frame(scene: &Scene, now_ms: f64, layout: &Layout) -> Frame {
    let mut frame = frame_with_leaving(scene, now_ms, layout);
    frame.marks.retain(|mark| !mark.leaves);
    frame
}

/// The same with what has just gone out of sight, at the place to which it goes.
pub fn frame_with_leaving(scene: &Scene, now_ms: f64, layout: &Layout) -> Frame {
    let area = layout.system.area();
    if layout.system == System::Phone {
        let queue = follow::shown_queue(scene, layout);
        let mut pen = pen::Pen::new(scene, now_ms, layout);
        if let Some(queue) = queue {
            phone::one_queue(&mut pen, &queue);
        }
        return Frame {
            width: area.width,
            height: area.height,
            marks: pen.finish(),
            subject: None,
        };
    }
    let mut pen = pen::Pen::new(scene, now_ms, layout);
    if layout.system == System::Rooms {
        rooms::all(&mut pen);
        let height = pen.plan.bottom();
        return Frame { width: area.width, height, marks: pen.finish(), subject: None };
    }
    heading::headings(&mut pen);
    producer::producers(&mut pen);
    broker::brokers(&mut pen);
    consumer::consumers(&mut pen);
    ribbon::all(&mut pen);
    producer::key(&mut pen);
    followed::lines(&mut pen);
    pen.raise();
    cuts::cuts(&mut pen);
    calls::calls(&mut pen);
    rebalance::all(&mut pen);
    followed::stations(&mut pen);
    Frame { width: area.width, height: area.height, marks: pen.finish(), subject: None }
}

/// Where things are that something may go to or come from, in one scene.
pub struct Spots<'a>(pen::Pen<'a>);

impl<'a> Spots<'a> {
    pub fn of(scene: &'a Scene, layout: &'a Layout) -> Spots<'a> {
        Spots(pen::Pen::new(scene, 0.0, layout))
    }

    /// Where a spot is, if the machine that it is in is on the stage.
    pub fn area(&self, spot: &Spot) -> Option<Rect> {
        spot::area(&self.0, spot)
    }

    /// What a queue is called on the stage.
    pub fn label(&self, queue: &MessageQueue) -> Label {
        match spot::find_queue(&self.0, queue) {
            Some(queue) => queue.label.clone(),
            None => format!("q{}", queue.queue_id).as_str().into(),
        }
    }
}
