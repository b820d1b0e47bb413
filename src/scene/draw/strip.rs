//! The geometry of one queue's strip: which offsets are shown, and where each of them is.

use crate::model::offset::QueueOffset;
use crate::scene::at_broker::Queue;
use crate::scene::geometry::{Font, Rect, rect, text_width};
use crate::scene::plan::QueueForm;

pub const SLOT: f64 = 34.0;
/// Height of slots.
pub const SLOTS_HIGH: f64 = 34.0;

/// From the bar to the words behind it.
pub const BEHIND_BAR: f64 = 12.0;
/// So far words may reach beyond the slots' room.
pub const OVERHANG: f64 = 19.0;

/// A strip: the folded old part, then the newest slots, ending at M.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip {
    /// Offsets before `first` lie folded in it; none if there are none.
    pub old: Option<Rect>,
    /// The slots in full.
    pub slots: Rect,
    pub slot_width: f64,
    /// The smallest offset of the queue.
    pub min: i64,
    pub first: i64,
    pub end: i64,
    /// Where the row's room for slots ends.
    pub limit: f64,
}

impl Strip {
    /// In a row whose slots start at `left` and end at `right` at the latest.
    pub fn of(queue: &Queue, left: f64, right: f64, y: f64) -> Strip {
        Strip::sized(queue, rect(left, y, right - left, SLOTS_HIGH), 1.0)
    }

    /// Slots wider than on the stage by `scale`, in `room`.
    pub fn sized(queue: &Queue, room: Rect, scale: f64) -> Strip {
        let (left, right, y) = (room.x, room.right(), room.y);
        let height = room.height;
        let end = queue.max_offset.0;
        let slot_width = slot_width(QueueOffset(end - 1)) * scale;
        // Behind the bar there is room for M, so that it needs to stand on no other flag's side.
        let label = text_width(&format!("M {end}"), Font::LabelBold) + BEHIND_BAR;
        let width = (right + OVERHANG - left - label).min(right - left + 0.5);
        let room = (width / slot_width).floor().max(1.0) as i64;
        let first = (end - room).max(queue.min_offset.0).min(end);
        let old = (first > queue.min_offset.0)
            .then(|| rect(left - 42.0 * scale, y, 42.0 * scale, height));
        let width = slot_width * (end - first) as f64;
        let slots = rect(left, y, width, height);
        Strip { old, slots, slot_width, min: queue.min_offset.0, first, end, limit: right }
    }

    /// Left edge of an offset's slot: where a flag at this offset stands. In the old part it stands
    /// where its share of the folded ones ends.
    pub fn x(&self, offset: QueueOffset) -> f64 {
        if offset.0 < self.first {
            let Some(old) = self.old else { return self.slots.x };
            let share = (offset.0 - self.min).max(0) as f64 / (self.first - self.min).max(1) as f64;
            return old.x + 8.0 + (old.width - 20.0) * share;
        }
        self.slots.x + self.slot_width * (offset.0.min(self.end + 1) - self.first) as f64
    }

    /// Base line of what stands in a slot, from its top.
    pub fn base(&self) -> f64 {
        self.slots.height / 2.0 + 7.0
    }

    pub fn slot(&self, offset: QueueOffset) -> Rect {
        if offset.0 < self.first {
            return self.old.unwrap_or(self.slots);
        }
        rect(self.x(offset), self.slots.y, self.slot_width, self.slots.height)
    }
}

/// Three figures of 20 px fit a slot of 34; more make it a little wider.
pub fn slot_width(largest: QueueOffset) -> f64 {
    match largest.0 {
        ..1_000 => SLOT,
        1_000..10_000 => 42.0,
        _ => 50.0,
    }
}

/// An offset as it stands in a slot: of a long one the last figures, since its neighbours and the
/// flags say the rest.
pub fn slot_words(offset: QueueOffset) -> (String, Font) {
    match offset.0 {
        ..1_000 => (offset.to_string(), Font::Offset),
        1_000..10_000 => (offset.to_string(), Font::Note),
        long => (format!("…{:03}", long % 1_000), Font::Note),
    }
}

/// Top of the strip in a row of this form.
pub const fn strip_y(form: QueueForm, top: f64) -> f64 {
    match form {
        QueueForm::Full => top + 24.0,
        QueueForm::Tight => top + 18.0,
        QueueForm::Line => top,
    }
}
