//! What keeps its light while the rest is dimmed: the parts in which a beat lies.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{Beat, Place};
use crate::scene::frame::{Dim, Frame, Layer, Mark, Subject};
use crate::scene::mark::{MarkId, TokenId};

/// What keeps its light.
pub(super) struct Lit<'a> {
    marks: BTreeSet<&'a MarkId>,
    tokens: BTreeSet<&'a TokenId>,
    subject: BTreeSet<TokenId>,
}

impl<'a> Lit<'a> {
    /// Of a beat; `moving` are the tokens that it is seen moving.
    pub(super) fn of(beat: &'a Beat, moving: impl Iterator<Item = TokenId>) -> Lit<'a> {
        let mut lit = Lit {
            marks: beat.lit.iter().collect(),
            tokens: BTreeSet::new(),
            subject: moving.collect(),
        };
        for mover in &beat.movers {
            for place in [&mover.from, &mover.to] {
                match place {
                    Place::Token(token) => drop(lit.tokens.insert(token)),
                    Place::Mark(mark) => drop(lit.marks.insert(mark)),
                    Place::Spot(_) => {}
                }
            }
        }
        lit
    }

    /// Frames, headings and what has no name never dim: the geography stays.
    pub(super) fn holds(&self, mark: &Mark) -> bool {
        if mark.layer == Layer::Top {
            return true;
        }
        let is_named = mark.id.as_ref().is_none_or(|id| id.is_machine() || self.marks.contains(id));
        let is_moving = mark
            .token
            .as_ref()
            .is_some_and(|token| self.tokens.contains(token) || self.subject.contains(token));
        is_named || is_moving
    }
}

/// What a beat is about keeps its light before it begins, and the eye is led there.
pub fn dim_all_but(frame: &mut Frame, beat: &Beat, dim: Dim) {
    let lit = Lit::of(beat, std::iter::empty());
    for mark in frame.marks.iter_mut().filter(|mark| !lit.holds(mark)) {
        Rc::make_mut(mark).dim = dim;
    }
    let mover = beat.movers.first().and_then(|mover| frame.rect_of(&mover.from));
    let about = beat.lit.first();
    let area = mover.or_else(|| frame.area_of(about?));
    frame.subject =
        about.zip(area).map(|(mark, area)| Subject { mark: mark.clone(), at: area.middle() });
}
