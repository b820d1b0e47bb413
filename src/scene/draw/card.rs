//! A message as it looks everywhere: one card with its key, its place on a tag, and a band for its
//! state. Same size, same notches, wherever it lies, for the whole run.

use super::brush::{N, card_outline, cut, glyph_of};
use super::pen::{Pen, marker_ground};
use crate::model::offset::QueueOffset;
use crate::scene::card::{Card, MessageState};
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, rect, text_width};
use crate::text::stage::StageText;

/// Height of every card.
pub const HIGH: f64 = 46.0;
/// Where a run has few messages, keys and places are written in full.
pub const WIDE: f64 = 52.0;
pub const NARROW: f64 = 30.0;
/// The band's own room at the foot.
pub const BAND: f64 = 8.0;
/// More failures than these are said in words.
const NOTCHES: u32 = 3;

/// What a card in this run measures; longer offsets need a little more.
pub fn width(pen: &Pen<'_>, largest: QueueOffset) -> f64 {
    if pen.scene.company.has_wide_cards {
        return WIDE;
    }
    match largest.0 {
        ..1_000 => NARROW,
        1_000..10_000 => 42.0,
        _ => 50.0,
    }
}

/// Its own coordinates, at a place as large as a card.
pub fn own(at: Rect) -> Rect {
    rect(0.0, 0.0, at.width, HIGH)
}

/// The place's short name, `q0·16`; where there is no room, the bare offset, of a long one the end.
pub fn tag(card: &Card, queue: &str, width: f64) -> String {
    let room = width - 4.0;
    let fits = |words: &String| text_width(words, Font::Note) <= room;
    let in_full = format!("{queue}·{}", card.offset);
    if width >= WIDE && fits(&in_full) {
        return in_full;
    }
    offset_tag(card.offset, width)
}

pub fn offset_tag(offset: QueueOffset, width: f64) -> String {
    let bare = offset.to_string();
    match text_width(&bare, Font::Note) <= width - 2.0 {
        true => bare,
        false => format!("…{:02}", offset.0 % 100),
    }
}

/// How a card is drawn here.
pub struct Look<'a> {
    pub tag: &'a str,
    /// What it stands on where C has passed it.
    pub is_passed: bool,
    /// How much of the band is filled: below one only for what is running.
    pub part: f64,
    pub is_followed: bool,
}

impl<'a> Look<'a> {
    pub const fn tagged(tag: &'a str) -> Look<'a> {
        Look { tag, is_passed: false, part: 1.0, is_followed: false }
    }

    pub const fn followed(mut self, is_followed: bool) -> Look<'a> {
        self.is_followed = is_followed;
        self
    }
}

/// The card on a mark whose own coordinates begin at its upper left corner.
pub fn face(pen: &Pen<'_>, mut mark: Mark, card: &Card, own: Rect, look: &Look<'_>) -> Mark {
    if look.is_followed {
        mark = marker_ground(mark, own);
    }
    let paint = match card.state {
        MessageState::LocalRetry => Paint::Dashed,
        MessageState::Lost => Paint::Ghost,
        _ if look.is_passed => Paint::PanelBox,
        _ => Paint::Box,
    };
    mark = match (card.state, card.failures) {
        (MessageState::Dead, _) => mark.path(octagon(own), Paint::Box),
        (_, 0) => mark.rect(own, paint),
        (_, failures) => mark.path(card_outline(own, failures.min(NOTCHES)), paint),
    };
    let is_in_hand = matches!(
        card.state,
        MessageState::Waiting
            | MessageState::Running
            | MessageState::Failed
            | MessageState::LocalRetry
    );
    if card.deliveries > 1 && is_in_hand {
        mark = super::shelf::again(mark, own);
    }
    mark = band(mark, card.state, own, look.part);
    words(pen, mark, card, own, look.tag)
}

/// A state's band; what is stored has none.
fn band(mark: Mark, state: MessageState, own: Rect, part: f64) -> Mark {
    let is_plain = matches!(state, MessageState::Stored | MessageState::Lost | MessageState::Done);
    if is_plain {
        return mark;
    }
    let inset = if state == MessageState::Dead { 10.0 } else { 1.0 };
    let width = (own.width - 2.0 * inset) * part.clamp(0.0, 1.0);
    let area = rect(own.x + inset, own.bottom() - BAND - 1.0, width, BAND);
    mark.rect(area, Paint::State(state))
}

/// Key and tag; beside a short key on a wide card the sign of its state.
fn words(pen: &Pen<'_>, mark: Mark, card: &Card, own: Rect, tag: &str) -> Mark {
    let (base, middle) = (own.y + 20.0, own.x + own.width / 2.0);
    let room = own.width - 4.0;
    let sign = glyph_of(card.state).filter(|_| own.width >= WIDE);
    let fits = text_width(&card.label, Font::LabelBold) <= own.width - 26.0;
    let mark = match sign.filter(|_| fits) {
        Some(sign) => mark
            .words_at(own.x + 6.0, base, card.label.to_string(), Font::LabelBold)
            .glyph(sign, own.right() - 18.0, own.y + 8.0, 13.0),
        None => key(mark, middle, base, &card.label, own.width),
    };
    let tries = pen.say(StageText::TryShort { nth: card.failures + 1 });
    let is_worn = card.failures >= NOTCHES && text_width(&tries, Font::Note) <= room;
    let tag = if is_worn && card.state != MessageState::Dead { &tries } else { tag };
    mark.words_mid(middle, own.y + 36.0, cut(tag, Font::Note, own.width), Font::Note)
}

/// The key in the middle: where it is long, smaller and closer together, and only then cut.
pub fn key(mut mark: Mark, x: f64, y: f64, label: &str, width: f64) -> Mark {
    const CLOSEST: f64 = 1.6;
    let room = width - 4.0;
    if text_width(label, Font::LabelBold) <= room {
        return mark.words_mid(x, y, label, Font::LabelBold);
    }
    let natural = text_width(label, Font::Note);
    if natural <= room || natural > room * CLOSEST {
        return mark.words_fitted(x, y, label, Font::Note, room);
    }
    let (at, words) = (crate::scene::geometry::point(x, y), label.to_owned());
    let (font, anchor, fit) = (Font::Note, crate::scene::frame::Anchor::Middle, Some(room));
    mark.shapes.push(crate::scene::frame::Shape::Text { at, words, font, anchor, fit });
    mark
}

/// Where a card was or will be: a faint outline, with its name while something is meant by it.
pub fn outline(mark: Mark, own: Rect, label: &str, tag: &str) -> Mark {
    let middle = own.x + own.width / 2.0;
    key(mark.rect(own.inset(2.0), Paint::Ghost), middle, own.y + 20.0, label, own.width)
        .words_fitted(middle, own.y + 36.0, tag, Font::Note, own.width - 2.0)
}

/// Slots that wait for what will come: one path for all of them.
pub fn reserved(area: Rect, width: f64, from: usize, to: usize) -> String {
    let mut d = String::new();
    for place in from..to {
        let x = area.x + width * place as f64;
        d.push_str(&format!(
            "M{} {}h{}v{}h-{}z",
            N(x + 2.0),
            N(area.y + 2.0),
            N(width - 4.0),
            N(area.height - 4.0),
            N(width - 4.0)
        ));
    }
    d
}

/// A dead letter has its corners cut.
fn octagon(own: Rect) -> String {
    let (l, t, r, b, c) = (own.x, own.y, own.right(), own.bottom(), 9.0);
    format!(
        "M{} {}H{}L{} {}V{}L{} {}H{}L{} {}V{}z",
        N(l + c),
        N(t),
        N(r - c),
        N(r),
        N(t + c),
        N(b - c),
        N(r - c),
        N(b),
        N(l + c),
        N(l),
        N(b - c),
        N(t + c)
    )
}
