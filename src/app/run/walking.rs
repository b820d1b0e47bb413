//! Going from mark to mark of the walkthrough.

use super::Run;
use crate::app::shown::WalkShown;
use crate::app::walk::{self, Place};
use crate::model::profile::Profile;
use crate::scenario::walk::two_sentences;
use crate::text::Language;
use crate::text::page::PageText;

impl Run {
    fn places(&self) -> Vec<Place> {
        self.walk.places(&self.film, &self.recording)
    }

    /// Plays to the next mark and stops there; while on the way, or where nothing moves, goes there at
    /// once. Says whether it is there.
    pub fn walk_on(&mut self, is_still: bool) -> bool {
        let places = self.places();
        let Some(next) = walk::next(&places, self.player.at_ms) else {
            self.wants_mark = !self.is_complete();
            return false;
        };
        let goal_ms = places[next].stop_ms;
        if is_still || self.player.goal_ms == Some(goal_ms) {
            self.stand_at(next, goal_ms);
            return true;
        }
        let told_from_ms = self.told_from(goal_ms);
        self.player.hurry_to(goal_ms, told_from_ms, walk::HURRY_MS);
        false
    }

    /// From where on the way to a mark is told: from here, or from the first beat that begins within the
    /// last seconds of a long one.
    fn told_from(&self, goal_ms: f64) -> f64 {
        let at_ms = self.player.at_ms;
        if goal_ms - at_ms <= walk::LONGEST_WAY_MS {
            return at_ms;
        }
        let least_ms = goal_ms - walk::TOLD_MS;
        let mut beats = self.film.timeline().beats().iter();
        let first = beats.find(|beat| beat.starts_ms >= least_ms).map(|beat| beat.starts_ms);
        first.map_or(least_ms, |first_ms| first_ms.min(goal_ms))
    }

    /// Playing on its own stops at each mark that it comes to.
    pub(super) fn stop_at_mark(&mut self, before_ms: f64) {
        let at_ms = self.player.at_ms;
        let is_passed = |place: &Place| place.stop_ms > before_ms && place.stop_ms <= at_ms;
        if let Some(place) = self.places().into_iter().find(is_passed) {
            self.player.stop();
            self.player.at_ms = place.stop_ms;
        }
    }

    /// Back to the mark before, or to the start. Says whether it is at a mark.
    pub fn walk_back(&mut self) -> bool {
        let places = self.places();
        match walk::previous(&places, self.player.at_ms) {
            Some(mark) => {
                self.stand_at(mark, places[mark].stop_ms);
                true
            }
            None => {
                self.player.stop();
                self.selected = None;
                self.go_to(0.0);
                false
            }
        }
    }

    /// Straight to a mark, by its place from 0. Says whether it is known yet.
    pub fn walk_to(&mut self, mark: usize) -> bool {
        let places = self.places();
        let Some(place) = places.get(mark) else { return false };
        self.stand_at(mark, place.stop_ms);
        true
    }

    /// Whether "next" was pressed before its mark was known, and is to be tried again.
    pub fn take_wanted_mark(&mut self) -> bool {
        self.is_complete() && std::mem::take(&mut self.wants_mark)
    }

    /// What is lit at the mark where the playhead rests.
    pub fn light_up(&mut self) -> bool {
        let places = self.places();
        let Some(mark) = walk::reached(&places, self.player.at_ms) else { return false };
        if !walk::is_at(places[mark], self.player.at_ms) {
            return false;
        }
        self.stand_at(mark, places[mark].stop_ms);
        true
    }

    fn stand_at(&mut self, mark: usize, stop_ms: f64) {
        self.player.stop();
        self.go_to(stop_ms);
        self.selected = self.walk.found().nth(mark).and_then(|found| found.focus.clone());
    }

    /// Where the stars of the scrub bar stand, story ms.
    pub fn stars(&self) -> Vec<f64> {
        self.places().into_iter().map(|place| place.from_ms).collect()
    }

    /// What is otherwise in this run than under another release, as its file says; nothing if the file
    /// does not say, or once the visitor has done something.
    pub fn differs(&self, before: Profile, language: Language) -> Option<String> {
        let now = self.profile();
        let differs = self.scenario.differs.iter().find(|it| it.is_of(before, now))?;
        if self.deed_count() > 0 {
            return None;
        }
        Some(match &differs.says {
            Some(says) => says.say(language == Language::ZhCn).to_owned(),
            None => PageText::NothingDiffers { release: now.release() }.say(language).into_owned(),
        })
    }

    /// The walkthrough's bar; nothing if the scenario has no marks for any release.
    pub fn walk_shown(&self, language: Language) -> Option<WalkShown> {
        let marks = self.walk.marks();
        let other = self.scenario.marks.first()?.releases.first().copied();
        let (places, at_ms) = (self.places(), self.player.at_ms);
        let reached = walk::reached(&places, at_ms);
        let is_at = reached.is_some_and(|mark| walk::is_at(places[mark], at_ms));
        let next = walk::next(&places, at_ms);
        let is_moving = self.player.is_playing && !is_at;
        let coming = next.filter(|_| is_moving || reached.is_none());
        let coming = coming.or_else(|| (reached.is_none() && !marks.is_empty()).then_some(0));
        let told = coming.or(reached);
        let is_chinese = language == Language::ZhCn;
        let words = match told {
            Some(mark) => marks[mark].caption.say(is_chinese),
            None => self.scenario.about.say(is_chinese),
        };
        let (watch, meaning) = two_sentences(words);
        let meaning = (coming.is_none() && !meaning.is_empty()).then(|| meaning.into());
        let is_left = self.is_complete() && places.len() < marks.len();
        Some(WalkShown {
            watch: watch.into(),
            meaning,
            terms: told.map(|mark| self.walk.terms(mark, language)).unwrap_or_default(),
            number: reached.map_or(0, |mark| mark + 1),
            is_coming: coming.is_some(),
            count: marks.len(),
            holds: reached.is_none() || is_at || coming.is_some(),
            other_release: other.filter(|_| marks.is_empty()),
            is_left_by_act: is_left && self.deed_count() > 0,
            can_go_back: at_ms > 0.0,
            can_go_on: next.is_some() || !self.is_complete(),
            is_on_the_way: self.player.goal_ms.is_some(),
        })
    }
}
