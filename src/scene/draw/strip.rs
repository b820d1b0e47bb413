//! The geometry of one queue's strip: which offsets are shown, and where each of them is.
//!
//! A strip has its full length from the start, with faint slots for what will come. When it is full it
//! slides by half its length, so that it stands still most of the time.

use crate::model::offset::QueueOffset;
use crate::scene::at_broker::Queue;
use crate::scene::geometry::{Rect, rect};
use crate::scene::plan::QueueForm;

/// Height of slots: that of a card.
pub const SLOTS_HIGH: f64 = super::card::HIGH;

/// From the bar to the words behind it.
pub const BEHIND_BAR: f64 = 12.0;
/// So far words may reach beyond the slots' room.
pub const OVERHANG: f64 = 19.0;
/// The packet of older ones.
const OLD: f64 = 42.0;

/// A strip: the folded old part, then slots, M after the last that is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip {
    /// Offsets before `first` lie folded in it; none if there are none.
    pub old: Option<Rect>,
    /// The slots that hold something.
    pub slots: Rect,
    pub slot_width: f64,
    /// Slots in all.
    pub fit: usize,
    /// The smallest offset of the queue.
    pub min: i64,
    pub first: i64,
    pub end: i64,
    /// Where the row's room for slots ends.
    pub limit: f64,
}

impl Strip {
    /// In `room`, with slots as wide as a card.
    pub fn of(queue: &Queue, room: Rect, slot_width: f64) -> Strip {
        let (min, end) = (queue.min_offset.0, queue.max_offset.0);
        let fit = ((room.width + 0.5) / slot_width).floor().max(1.0) as i64;
        let step = Strip::slide(fit);
        let surplus = (end - min - fit).max(0);
        let first = (min + (surplus + step - 1) / step * step).min(end);
        let old = (first > min).then(|| rect(room.x - OLD, room.y, OLD, room.height));
        let width = slot_width * (end - first) as f64;
        let slots = rect(room.x, room.y, width, room.height);
        let fit = fit as usize;
        Strip { old, slots, slot_width, fit, min, first, end, limit: room.right() }
    }

    /// By how many slots a strip of `fit` slides.
    const fn slide(fit: i64) -> i64 {
        if fit < 2 { 1 } else { fit / 2 }
    }

    /// The first of the offsets that have just gone under the fold.
    pub const fn first_leaving(&self) -> i64 {
        self.first - Strip::slide(self.fit as i64)
    }

    /// Left edge of an offset's slot: where a flag at this offset stands. In the old part it stands
    /// where its share of the folded ones ends.
    pub fn x(&self, offset: QueueOffset) -> f64 {
        if offset.0 < self.first {
            let Some(old) = self.old else { return self.slots.x };
            let share = (offset.0 - self.min).max(0) as f64 / (self.first - self.min).max(1) as f64;
            return old.x + 8.0 + (old.width - 20.0) * share;
        }
        let most = self.first + self.fit as i64;
        self.slots.x + self.slot_width * (offset.0.min(most) - self.first) as f64
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

    /// All the slots, taken or not.
    pub fn whole(&self) -> Rect {
        rect(self.slots.x, self.slots.y, self.slot_width * self.fit as f64, self.slots.height)
    }
}

/// Top of the strip in a row of this form.
pub const fn strip_y(form: QueueForm, top: f64) -> f64 {
    match form {
        QueueForm::Full => top + 24.0,
        QueueForm::Tight => top + 16.0,
        QueueForm::Line => top,
    }
}
