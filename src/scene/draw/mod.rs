//! From a scene to a frame: one file for each kind of thing, after the recipes of `mock/TOKENS.md`.

use super::follow;
use super::frame::Frame;
use super::layout::{Layout, System};
use super::scene::Scene;

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
mod shelf;
mod sign;
pub(super) mod spot;
mod stairs;
mod start;
mod strip;
mod workers;

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
        return Frame { width: area.width, height: area.height, marks: pen.finish() };
    }
    let mut pen = pen::Pen::new(scene, now_ms, layout);
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
    Frame { width: area.width, height: area.height, marks: pen.finish() }
}
