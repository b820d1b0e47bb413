//! The walkthrough of a run: where its marks lie in the story, and how one goes from mark to mark.
//!
//! A mark is found while the run is computed, and is not looked for beyond the visitor's first act:
//! its caption would speak of a run that is no more.

mod find;
mod focus;

use self::find::Search;
use crate::app::shown::TermLine;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::scenario::walk::WalkMark;
use crate::scene::film::Film;
use crate::scene::mark::MarkId;
use crate::scene::timeline::StoryMs;
use crate::sim::event::EventSequence;
use crate::text::Language;
use crate::text::term::Term;

/// Playing from mark to mark takes so long at most, wall ms at the usual pace.
pub const LONGEST_WAY_MS: f64 = 8_000.0;

/// Of a longer way so much is told at its end, story ms at most; what lies before is fast-forwarded.
pub const TOLD_MS: StoryMs = 6_000.0;

/// That takes so long, wall ms.
pub const HURRY_MS: f64 = 1_500.0;

/// Two places closer than this are one, story ms.
const SAME_MS: StoryMs = 0.5;

/// Where a mark was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The event that it waited for; `None` for a time.
    pub event: Option<EventSequence>,
    pub at: Millis,
    pub focus: Option<MarkId>,
}

/// A mark's place in the story.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// From here on it is reached.
    pub from_ms: StoryMs,
    /// Here one stops: what its event set in motion has arrived, if nothing is told before.
    pub stop_ms: StoryMs,
}

#[derive(Debug, Default)]
pub struct Walk {
    /// Those of the run's release.
    marks: Vec<WalkMark>,
    search: Search,
}

impl Walk {
    pub fn new<'a>(marks: impl Iterator<Item = &'a WalkMark>) -> Walk {
        let marks: Vec<WalkMark> = marks.cloned().collect();
        Walk { search: Search::new(marks.len()), marks }
    }

    pub fn marks(&self) -> &[WalkMark] {
        &self.marks
    }

    /// Looks at what is new in the recording.
    pub fn follow(&mut self, recording: &Recording) {
        self.search.follow(&self.marks, recording);
    }

    /// The marks that were found, in their order, up to the first that was not.
    pub fn found(&self) -> impl Iterator<Item = &Found> {
        self.search.found().iter().map_while(Option::as_ref)
    }

    /// The terms that a mark's caption uses and none before it, in the order of the caption.
    pub fn terms(&self, mark: usize, language: Language) -> Vec<TermLine> {
        let used = |mark: &WalkMark| {
            let caption = mark.caption.say(language == Language::ZhCn);
            Term::used_in(language, caption).into_iter().map(|(_, term)| term).collect::<Vec<_>>()
        };
        let mut known: Vec<Term> = self.marks[..mark].iter().flat_map(used).collect();
        let mut lines = Vec::new();
        for term in used(&self.marks[mark]) {
            if !known.contains(&term) {
                known.push(term);
                lines.push(TermLine {
                    word: term.spellings(language)[0].into(),
                    class: term.class(),
                    is: term.first_use(language),
                });
            }
        }
        lines
    }

    pub fn places(&self, film: &Film, recording: &Recording) -> Vec<Place> {
        self.found().map(|found| place(found, film, recording)).collect()
    }
}

fn place(found: &Found, film: &Film, recording: &Recording) -> Place {
    let Some(from_ms) = found.event.and_then(|event| film.story_of(event)) else {
        // What a visitor does at this very moment comes after it.
        let before = Millis(found.at.ms().saturating_sub(1));
        let from_ms = film.story_at(recording, before);
        return Place { from_ms, stop_ms: film.story_at(recording, found.at) };
    };
    // One stops at the end of the beat: what is seen then is a state, and what the caption says.
    let rest_ms = found.event.and_then(|event| film.rest_of(event));
    Place { from_ms, stop_ms: rest_ms.unwrap_or(from_ms) }
}

/// The last mark that is reached at a story time.
pub fn reached(places: &[Place], at_ms: StoryMs) -> Option<usize> {
    places.iter().rposition(|place| place.from_ms <= at_ms + SAME_MS)
}

/// Whether the playhead rests at the mark, so that its caption says what is seen.
pub fn is_at(place: Place, at_ms: StoryMs) -> bool {
    (place.from_ms - SAME_MS..=place.stop_ms + SAME_MS).contains(&at_ms)
}

/// The mark that "next" leads to.
pub fn next(places: &[Place], at_ms: StoryMs) -> Option<usize> {
    places.iter().position(|place| place.from_ms > at_ms + SAME_MS)
}

/// The mark that "previous" leads to: the one that was passed, or from a mark the one before.
/// `None`: the start.
pub fn previous(places: &[Place], at_ms: StoryMs) -> Option<usize> {
    let here = reached(places, at_ms)?;
    if is_at(places[here], at_ms) { here.checked_sub(1) } else { Some(here) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Vec<Place> {
        let place = |from_ms: f64| Place { from_ms, stop_ms: from_ms + 100.0 };
        vec![place(1_000.0), place(2_000.0)]
    }

    #[test]
    fn next_and_previous_lead_from_mark_to_mark() {
        let places = places();
        let ways = |at_ms| (previous(&places, at_ms), next(&places, at_ms));
        assert_eq!(ways(0.0), (None, Some(0)));
        assert_eq!(ways(1_100.0), (None, Some(1)));
        assert_eq!(ways(1_500.0), (Some(0), Some(1)));
        assert_eq!(ways(2_100.0), (Some(0), None));
        assert_eq!(ways(9_000.0), (Some(1), None));
    }

    #[test]
    fn a_caption_holds_at_its_mark_only() {
        let places = places();
        assert_eq!(reached(&places, 999.0), None);
        assert!(is_at(places[0], 1_000.0) && is_at(places[0], 1_100.0));
        assert!(!is_at(places[0], 1_102.0));
    }
}
