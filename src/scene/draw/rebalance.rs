//! A rebalance: two sorted lists side by side, and lines from each queue to its member.
//!
//! Drawn in the network strip beside the process that computes it, since every process computes
//! the same for itself.

use super::brush::cut;
use super::pen::Pen;
use crate::model::ids::ProcessIndex;
use crate::scene::at_consumer::{Consumer, Rebalance};
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect};
use crate::scene::layout::System;
use crate::scene::mark::MarkId;
use crate::text::stage::{MarkName, StageWord};

const PITCH: f64 = 22.0;

/// Where the lists of those who compute stand now.
pub fn boxes(pen: &Pen<'_>) -> Vec<Rect> {
    let plans = pen.plan.consumers.iter().filter(|plan| plan.is_full);
    let passes = plans.filter_map(|plan| {
        let pass = pen.scene.consumer(plan.process)?.rebalance.as_ref()?;
        Some(area_of(pen, pass, plan.area))
    });
    passes.collect()
}

/// Where the lists of one process stand, while it shows them.
pub fn box_of(pen: &Pen<'_>, process: ProcessIndex) -> Option<Rect> {
    let plan = pen.plan.consumer(process).filter(|plan| plan.is_full)?;
    let pass = pen.scene.consumer(process)?.rebalance.as_ref()?;
    Some(area_of(pen, pass, plan.area))
}

/// Rows that fit beside the process.
fn rows_shown(pen: &Pen<'_>, pass: &Rebalance, process: Rect) -> usize {
    let rows = pass.queues.len().max(pass.members.len()).max(1);
    let gutter = pen.plan.gutter;
    let height = match pen.layout.system {
        System::Rooms => gutter.height - 54.0,
        _ => process.height.min(gutter.bottom() - process.y) - 54.0,
    };
    rows.min(((height / PITCH).floor() as usize).max(1))
}

fn area_of(pen: &Pen<'_>, pass: &Rebalance, process: Rect) -> Rect {
    let gutter = pen.plan.gutter;
    let height = 50.0 + PITCH * rows_shown(pen, pass, process) as f64;
    match pen.layout.system {
        // In the room that is kept for it between broker and consumers.
        System::Rooms => rect(gutter.x + 60.0, gutter.y + 2.0, gutter.width - 140.0, height),
        _ => rect(gutter.x + 1.0, process.y, gutter.width - 2.0, height),
    }
}

/// Drawn after the calls, on top of their lines.
pub fn all(pen: &mut Pen<'_>) {
    let scene = pen.scene;
    for plan in pen.plan.consumers.clone().iter().filter(|plan| plan.is_full) {
        let Some(consumer) = scene.consumer(plan.process) else { continue };
        if let Some(pass) = &consumer.rebalance {
            lists(pen, consumer, pass, plan.area);
        }
    }
}

fn lists(pen: &mut Pen<'_>, consumer: &Consumer, pass: &Rebalance, process: Rect) {
    let shown = rows_shown(pen, pass, process);
    let is_cut = shown < pass.queues.len().max(pass.members.len());
    let area = area_of(pen, pass, process);
    let name = pen.name(MarkName::Rebalance { process: consumer.label.clone() });
    let title = pen.word(StageWord::Rebalance);
    let mut mark = Mark::of(MarkId::Rebalance(consumer.process), name, area)
        .rect(area, Paint::Box)
        .words_fitted(area.middle().x, area.y + 19.0, &title, Font::LabelBold, area.width - 8.0)
        .words_fitted(area.middle().x, area.y + 38.0, &pass.strategy, Font::Note, area.width - 8.0);
    let y = |row: u32| area.y + 44.0 + PITCH * f64::from(row) + 15.0;
    let (left, right) = (area.x + 6.0, area.right() - 6.0);
    let last = |labels: usize, row: usize| is_cut && row + 1 == shown && labels > shown;
    for (row, queue) in pass.queues.iter().take(shown).enumerate() {
        let words = match last(pass.queues.len(), row) {
            true => format!("+{}", pass.queues.len() - row),
            false => cut(queue, Font::Note, 38.0),
        };
        mark = mark.words_at(left, y(row as u32), words, Font::Note);
    }
    for (row, member) in pass.members.iter().take(shown).enumerate() {
        let font = if pass.me == Some(row as u32) { Font::LabelBold } else { Font::Note };
        let words = match last(pass.members.len(), row) {
            true => format!("+{}", pass.members.len() - row),
            false => cut(member, font, 38.0),
        };
        mark = mark.words_end(right, y(row as u32), words, font);
    }
    for line in &pass.lines {
        if line.queue as usize >= shown || line.member as usize >= shown {
            continue;
        }
        let from = point(left + 26.0, y(line.queue) - 5.0);
        let to = point(right - 26.0, y(line.member) - 5.0);
        mark = mark.line(from, to, if line.is_new { Paint::Heavy } else { Paint::Thin });
    }
    pen.put(mark);
}
