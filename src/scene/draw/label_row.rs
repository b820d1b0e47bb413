//! Labels under a strip: beside their flags, and none on another.

use super::pen::spans_meet;
use super::strip::{OVERHANG, Strip};
use crate::scene::geometry::{Font, text_width};

/// Between two labels, besides the little that is between a label and a flag.
const APART: f64 = 9.0;

/// Labels under a strip that must not stand on each other.
pub struct LabelRow {
    taken: Vec<(f64, f64)>,
    left: f64,
    right: f64,
}

impl LabelRow {
    pub fn of(strip: &Strip) -> LabelRow {
        let end = strip.slots.right();
        let left = (strip.slots.x - 76.0).max(0.0);
        LabelRow { taken: vec![(end - 3.0, end + 3.0)], left, right: strip.limit + OVERHANG }
    }

    pub fn take_flag(&mut self, x: f64) {
        self.taken.push((x - 9.0, x + 9.0));
    }

    /// Words that start just there, if they can.
    pub fn take_at(&mut self, from: f64, words: &str, font: Font) -> Option<f64> {
        let width = text_width(words, font);
        self.is_free(from, width).then(|| self.take(from, width))
    }

    /// Where something so wide starts that belongs to two flags: left of both, right of both, or as
    /// near as there is room.
    pub fn place_beside(&mut self, (left, right): (f64, f64), width: f64) -> Option<f64> {
        let (before, behind) = (left - 14.0 - width, right + 14.0);
        let near = (1..80).flat_map(|n| [before - 4.0 * f64::from(n), behind + 4.0 * f64::from(n)]);
        let between = (1..80).map(|n| left + 4.0 * f64::from(n));
        let mut all = [before, behind].into_iter().chain(near).chain(between);
        let at = all.find(|from| self.is_free(*from, width))?;
        Some(self.take(at, width))
    }

    fn is_free(&self, from: f64, width: f64) -> bool {
        let span = (from, from + width);
        from >= self.left
            && span.1 <= self.right
            && !self.taken.iter().any(|&taken| spans_meet(taken, span, 3.0))
    }

    fn take(&mut self, from: f64, width: f64) -> f64 {
        // Two labels stand clearly apart, or `M 2` and `C 1 → 2` read as one.
        self.taken.push((from - APART, from + width + APART));
        from
    }
}
