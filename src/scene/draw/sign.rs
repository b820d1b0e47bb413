//! A message by itself, as beside an inspector's title: 48 × 40.

use std::rc::Rc;

use super::brush::{card_outline, glyph_of};
use crate::scene::card::MessageState;
use crate::scene::frame::{Frame, Glyph, Mark, Paint};
use crate::scene::geometry::rect;
use crate::scene::scene::Followed;

/// The followed message's card: notches, label, glyph and band of its state.
pub fn card_sign(followed: &Followed) -> Frame {
    let area = rect(2.0, 3.0, 44.0, 34.0);
    let mark = match followed.state {
        MessageState::Dead => Mark::ground().glyph(Glyph::Dead, 4.0, 0.0, 40.0),
        state => {
            let mark = Mark::ground().path(card_outline(area, followed.failures), Paint::Box);
            let mark = match state {
                MessageState::Stored => mark,
                _ => mark.band(area, state, 8.0, 1.0),
            };
            mark.label_and_glyph(area, &followed.label, glyph_of(state))
        }
    };
    Frame { width: 48.0, height: 40.0, marks: vec![Rc::new(mark)], subject: None }
}
