//! Making marks out of shapes.

use std::fmt;

use crate::scene::card::{Card, MessageState};
use crate::scene::frame::{Anchor, Glyph, Layer, Mark, Paint, Shape, Tip};
use crate::scene::geometry::{Font, Point, Rect, point, rect, text_width};
use crate::scene::mark::{MarkId, TokenId};
use crate::text::Term;

/// A number in a path: at most one decimal, none if it is whole.
pub struct N(pub f64);

impl fmt::Display for N {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round();
        if tenths % 10.0 == 0.0 {
            write!(f, "{}", tenths / 10.0)
        } else {
            write!(f, "{:.1}", tenths / 10.0)
        }
    }
}

/// Marks are built by chaining; each step adds a shape on top.
impl Mark {
    /// Ground, headings, hairlines: nothing to select.
    pub fn ground() -> Mark {
        Mark::default()
    }

    /// Something that can be selected. `area` is what a finger may hit.
    pub fn of(id: MarkId, name: String, area: Rect) -> Mark {
        let term = Some(id.term());
        Mark { id: Some(id), name, term, area, ..Mark::default() }
    }

    /// What it is, where its id does not say it.
    pub fn termed(mut self, term: Option<Term>) -> Mark {
        self.term = term.or(self.term);
        self
    }

    /// Its place; shapes are relative to it.
    pub fn placed(mut self, at: Point) -> Mark {
        self.at = at;
        self
    }

    pub fn moving(mut self, token: TokenId) -> Mark {
        self.token = Some(token);
        self.layer = Layer::Tokens;
        self
    }

    pub fn on_top(mut self) -> Mark {
        self.layer = Layer::Top;
        self
    }

    pub fn coming_from(mut self, token: TokenId) -> Mark {
        self.comes_from = Some(token);
        self
    }

    /// Shows this message, and enters from there if it was nowhere before.
    pub fn of_message(self, card: &Card, enters_from: Point) -> Mark {
        self.of_kin(card).entering_from(enters_from.x, enters_from.y)
    }

    /// Shows this message.
    pub fn of_kin(mut self, card: &Card) -> Mark {
        self.kin = Some(card.unique_key);
        self
    }

    /// Comes out from under its neighbour, which lies on it.
    pub fn sliding_from(mut self, neighbour: Option<TokenId>) -> Mark {
        self.slides_from = neighbour;
        self
    }

    pub fn at_depth(mut self, depth: i64) -> Mark {
        self.depth = depth;
        self
    }

    pub fn entering_from(mut self, x: f64, y: f64) -> Mark {
        self.enters_from = Some(point(x, y));
        self
    }

    pub fn in_state(mut self, state: MessageState) -> Mark {
        self.state = Some(state);
        self
    }

    pub fn followed(mut self, is_followed: bool) -> Mark {
        self.is_followed = is_followed;
        self
    }

    pub fn rect(mut self, area: Rect, paint: Paint) -> Mark {
        self.shapes.push(Shape::Rect { area, paint });
        self
    }

    pub fn circle(mut self, x: f64, y: f64, radius: f64, paint: Paint) -> Mark {
        self.shapes.push(Shape::Circle { center: point(x, y), radius, paint });
        self
    }

    pub fn path(mut self, d: impl Into<String>, paint: Paint) -> Mark {
        self.shapes.push(Shape::Path { d: d.into(), paint, tip: Tip::None });
        self
    }

    pub fn arrow(mut self, d: impl Into<String>, paint: Paint, tip: Tip) -> Mark {
        self.shapes.push(Shape::Path { d: d.into(), paint, tip });
        self
    }

    pub fn line(self, from: Point, to: Point, paint: Paint) -> Mark {
        self.path(format!("M{} {}L{} {}", N(from.x), N(from.y), N(to.x), N(to.y)), paint)
    }

    pub fn glyph(mut self, glyph: Glyph, x: f64, y: f64, size: f64) -> Mark {
        self.shapes.push(Shape::Glyph { glyph, at: point(x, y), size });
        self
    }

    /// A card's name, and the glyph of its state as long as there is room for both.
    pub fn label_and_glyph(self, area: Rect, label: &str, glyph: Option<Glyph>) -> Mark {
        const GLYPH: f64 = 15.0;
        let base = area.y + 22.0;
        let room = area.width - 9.0 - GLYPH;
        match glyph.filter(|_| text_width(label, Font::LabelBold) <= room) {
            Some(glyph) => self.words_at(area.x + 5.0, base, label, Font::LabelBold).glyph(
                glyph,
                area.right() - GLYPH - 3.0,
                area.y + 8.0,
                GLYPH,
            ),
            None => {
                let room = area.width - 6.0;
                self.words_fitted(area.middle().x, base, label, Font::LabelBold, room)
            }
        }
    }

    /// Words from `x` on; `y` is the base line.
    pub fn words_at(self, x: f64, y: f64, words: impl Into<String>, font: Font) -> Mark {
        self.text(point(x, y), words.into(), font, Anchor::Start)
    }

    pub fn words_mid(self, x: f64, y: f64, words: impl Into<String>, font: Font) -> Mark {
        self.text(point(x, y), words.into(), font, Anchor::Middle)
    }

    pub fn words_end(self, x: f64, y: f64, words: impl Into<String>, font: Font) -> Mark {
        self.text(point(x, y), words.into(), font, Anchor::End)
    }

    fn text(mut self, at: Point, words: String, font: Font, anchor: Anchor) -> Mark {
        if !words.is_empty() {
            self.shapes.push(Shape::Text { at, words, font, anchor, fit: None });
        }
        self
    }

    /// Words in the middle of `width` at most: squeezed a little, then cut.
    pub fn words_fitted(mut self, x: f64, y: f64, words: &str, font: Font, width: f64) -> Mark {
        let natural = text_width(words, font);
        let (words, fit) = if natural <= width {
            (words.to_owned(), None)
        } else if natural <= width * 1.22 {
            (words.to_owned(), Some(width))
        } else {
            (cut(words, font, width), None)
        };
        let at = point(x, y);
        self.shapes.push(Shape::Text { at, words, font, anchor: Anchor::Middle, fit });
        self
    }

    /// Time that is left of a span, as ink from the elapsed angle to twelve o'clock.
    pub fn ring(self, x: f64, y: f64, radius: f64, part_left: f64, lock: bool) -> Mark {
        let (ground, ink) = match lock {
            true => (Paint::LockGround, Paint::LockInk),
            false => (Paint::RingGround, Paint::RingInk),
        };
        let mark = self.circle(x, y, radius, ground);
        let part = part_left.clamp(0.0, 1.0);
        if part <= 0.004 {
            return mark;
        }
        if part >= 0.996 {
            return mark.circle(x, y, radius, ink);
        }
        let angle = (1.0 - part) * std::f64::consts::TAU;
        let d = format!(
            "M{} {}A{r} {r} 0 {} 1 {} {}",
            N(x + radius * angle.sin()),
            N(y - radius * angle.cos()),
            u8::from(part > 0.5),
            N(x),
            N(y - radius),
            r = N(radius),
        );
        mark.path(d, ink)
    }

    /// A state's band at the foot of a slot or card, split off by a thin line.
    ///
    /// `part` is how much of the width it fills: below one only for what is running.
    pub fn band(self, area: Rect, state: MessageState, height: f64, part: f64) -> Mark {
        let top = area.bottom() - height - 1.0;
        let width = (area.width - 2.0) * part.clamp(0.0, 1.0);
        self.rect(rect(area.x + 1.0, top, width, height), Paint::State(state)).line(
            point(area.x, top),
            point(area.right(), top),
            Paint::Thin,
        )
    }
}

/// The sign of a state; stored ones have none.
pub const fn glyph_of(state: MessageState) -> Option<Glyph> {
    match state {
        MessageState::Stored | MessageState::Lost => None,
        MessageState::Waiting => Some(Glyph::Wait),
        MessageState::Running => Some(Glyph::Run),
        MessageState::Done => Some(Glyph::Done),
        MessageState::Failed => Some(Glyph::Fail),
        MessageState::SentBack => Some(Glyph::Back),
        MessageState::Delayed => Some(Glyph::Clock),
        MessageState::LocalRetry => Some(Glyph::Again),
        MessageState::Dead => Some(Glyph::Dead),
    }
}

/// A card's outline: a notch in the top edge for each failure, as many as there is room for.
pub fn card_outline(area: Rect, failures: u32) -> String {
    let room = ((area.width - 16.0) / 12.0).floor().max(0.0);
    let notches = f64::from(failures).min(room) as u32;
    let mut d = format!("M{} {}", N(area.x), N(area.y));
    for notch in 0..notches {
        let x = area.x + 8.0 + 12.0 * f64::from(notch);
        d.push_str(&format!("H{}l4 6l4 -6", N(x)));
    }
    d.push_str(&format!("H{}V{}H{}z", N(area.right()), N(area.bottom()), N(area.x)));
    d
}

/// A PullRequest's lozenge.
pub fn lozenge(area: Rect) -> String {
    let (top, bottom) = (N(area.y), N(area.bottom()));
    let middle = N(area.y + area.height / 2.0);
    format!(
        "M{l} {top}H{r}L{e} {middle}L{r} {bottom}H{l}L{s} {middle}z",
        l = N(area.x + 10.0),
        r = N(area.right() - 10.0),
        e = N(area.right()),
        s = N(area.x),
    )
}

/// A polyline's path.
pub fn polyline(points: &[Point]) -> String {
    let mut d = String::new();
    for (place, point) in points.iter().enumerate() {
        let step = if place == 0 { 'M' } else { 'L' };
        d.push_str(&format!("{step}{} {}", N(point.x), N(point.y)));
    }
    d
}

/// As much of the words as fits, with an ellipsis where something is missing.
pub fn cut(words: &str, font: Font, width: f64) -> String {
    if text_width(words, font) <= width {
        return words.to_owned();
    }
    let mut kept = String::new();
    for sign in words.chars() {
        kept.push(sign);
        if text_width(&kept, font) + font.pixels() > width {
            kept.pop();
            break;
        }
    }
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ink_of_a_ring_is_the_time_left() {
        // 12 of 15 s left, as on the mock's bench.
        let mark = Mark::ground().ring(476.0, 120.0, 8.0, 0.8, false);
        let Some(Shape::Path { d, .. }) = mark.shapes.last() else { panic!("an arc") };
        assert_eq!(d, "M483.6 117.5A8 8 0 1 1 476 112");
    }

    #[test]
    fn a_card_has_a_notch_for_each_failure() {
        let d = card_outline(rect(202.0, 393.0, 48.0, 35.0), 2);
        assert_eq!(d, "M202 393H210l4 6l4 -6H222l4 6l4 -6H250V428H202z");
    }
}
