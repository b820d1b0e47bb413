//! Where we are in a run: the playhead, its moment, and the ways to move it.

use super::Run;
use crate::app::action::Step;
use crate::app::route::Moment;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::scene::beat::Beat;
use crate::scene::film::Film;
use crate::scene::inspect::Inspection;
use crate::scene::mark::MarkId;
use crate::scene::narrate::Narrator;
use crate::scene::timeline::FOLD_FROM;
use crate::text::Language;
use crate::text::inspect::InspectText;
use crate::text::wait::WaitText;

/// A beat that is stopped in its middle is over after so long, wall ms.
pub const LONGEST_PAUSE_MS: f64 = 400.0;

/// The importance of a turn of the story.
const KEY: u8 = 3;

/// Where playing stops by itself (UX 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stops {
    /// Where a check breaks.
    pub at_breaks: bool,
    /// At the marks of the walkthrough, as long as its captions are shown.
    pub at_marks: bool,
}

impl Run {
    pub fn film(&self) -> &Film {
        &self.film
    }

    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    pub fn end_ms(&self) -> f64 {
        self.film.end()
    }

    /// Virtual time at the playhead, ms with a fraction.
    pub fn now_ms(&self) -> f64 {
        self.film.timeline().now_ms(&self.recording, self.player.at_ms)
    }

    pub fn now(&self) -> Millis {
        // A moment that was asked for comes back as itself, whatever floats make of it on the way.
        Millis::new((self.now_ms() + 0.001) as u64)
    }

    pub fn is_at_end(&self) -> bool {
        self.is_complete() && self.player.at_ms >= self.end_ms()
    }

    pub fn moment(&self) -> Moment {
        Moment { at: self.now(), event: Some(self.event_told()) }
    }

    /// The event in force: the last that has happened at the playhead.
    pub fn event_told(&self) -> u32 {
        self.film.event_at(self.player.at_ms)
    }

    /// The last turn of the story at or before the playhead.
    pub fn last_key_event(&self) -> Option<u32> {
        self.film.timeline().last_of(self.event_told(), KEY)
    }

    pub fn narrator(&self) -> Narrator<'_> {
        Narrator::new(&self.recording, self.film.journal())
    }

    pub fn sentence(&self, event: u32, language: Language) -> String {
        let told = self.narrator().told_at(event);
        told.map(|told| told.sentence(language)).unwrap_or_default()
    }

    /// The beat in whose middle the playhead is.
    pub(super) fn beat_under_way(&self) -> Option<&Beat> {
        let (timeline, at_ms) = (self.film.timeline(), self.player.at_ms);
        let beat = timeline.beat_at(at_ms).map(|place| &timeline.beats()[place]);
        beat.filter(|beat| beat.holds(at_ms))
    }

    /// Stops, at the end of the beat under way: what stands still is always a state. It hurries there;
    /// asked again it is there at once.
    pub fn pause(&mut self, is_still: bool) {
        let rest_ms = self.beat_under_way().map(|beat| beat.ends_ms);
        match rest_ms {
            Some(rest_ms) if is_still || self.player.goal_ms == Some(rest_ms) => {
                self.player.stop();
                self.go_to(rest_ms);
            }
            Some(rest_ms) => self.player.go_towards(rest_ms, LONGEST_PAUSE_MS),
            None => self.player.stop(),
        }
    }

    /// Plays for a frame, not beyond where it is to stop.
    pub fn advance(&mut self, wall_ms: f64, stops: Stops) {
        let (before, (known_ms, is_end)) = (self.player.at_ms, self.known(stops.at_breaks));
        self.player.advance(wall_ms, known_ms, is_end);
        self.stop(before, stops);
    }

    pub fn tick(&mut self, stops: Stops) {
        let (before, (known_ms, is_end)) = (self.player.at_ms, self.known(stops.at_breaks));
        self.player.tick(known_ms, is_end);
        self.stop(before, stops);
    }

    fn stop(&mut self, before_ms: f64, stops: Stops) {
        if stops.at_marks {
            self.stop_at_mark(before_ms);
        }
        self.stop_at_break(before_ms, stops.at_breaks);
    }

    pub fn go_to(&mut self, story_ms: f64) {
        self.player.at_ms = story_ms.clamp(0.0, self.end_ms());
    }

    pub fn go_to_event(&mut self, event: u32) {
        if let Some(story_ms) = self.film.rest_of(event) {
            self.go_to(story_ms);
        }
    }

    /// Goes there as soon as the run is computed so far.
    pub fn go_to_moment(&mut self, moment: Moment) {
        self.until = self.until.max(moment.at);
        if !self.is_known(moment) {
            self.wanted = Some(moment);
            return;
        }
        self.wanted = None;
        let told = moment.event.filter(|event| {
            self.recording.event(*event).is_some_and(|event| event.at <= moment.at)
        });
        let told_at = told.and_then(|event| self.recording.event(event)).map(|event| event.at);
        let by_time = self.film.story_at(&self.recording, moment.at);
        let story_ms = match told.and_then(|event| self.film.rest_of(event)) {
            Some(at_event) if told_at == Some(moment.at) => at_event,
            // Later than the event, but before the next one is told.
            Some(at_event) => {
                let next = told.and_then(|event| self.film.story_of(event + 1));
                by_time.min(next.unwrap_or(by_time)).max(at_event)
            }
            None => by_time,
        };
        self.go_to(story_ms);
    }

    /// Where what the followed thing waits for is over: the wait that the time bar tells.
    fn wait_end(&self) -> Option<f64> {
        let wait = self.awaited()?;
        let end_ms = self.film.story_at(&self.recording, wait.due);
        (end_ms > self.player.at_ms).then_some(end_ms)
    }

    /// What the selected thing waits for, if that is a while; a lock also where the run is about it.
    pub fn awaited(&self) -> Option<&WaitText> {
        let told = &self.inspect.as_ref()?.told;
        let is_lock = matches!(told.mark, MarkId::Lock(_));
        if !(waits(told) && (self.selected.is_some() || is_lock)) {
            return None;
        }
        let is_long = |wait: &&WaitText| wait.due.since(self.now()) >= FOLD_FROM;
        told.next.iter().find(is_long)
    }

    pub fn step(&mut self, step: Step) {
        let at_ms = self.player.at_ms;
        let to = match step {
            Step::Start => Some(0.0),
            Step::End => Some(self.end_ms()),
            Step::Event => self.film.step_forward(at_ms, 1),
            Step::EventBack => self.film.step_back(at_ms, 1),
            Step::Key => self.film.step_forward(at_ms, KEY).or(Some(self.end_ms())),
            Step::KeyBack => self.film.step_back(at_ms, KEY).or(Some(0.0)),
            Step::Fold => {
                let folds = self.film.folds();
                let next = folds.iter().find(|fold| fold.story_to > at_ms);
                match next {
                    Some(fold) if fold.story_from <= at_ms => Some(fold.story_to),
                    next => self.wait_end().or(next.map(|fold| fold.story_from)),
                }
            }
        };
        if let Some(to) = to {
            self.go_to(to);
        }
    }
}

/// Whether a thing's next timer is what it is about, not merely one of many that it has.
const fn waits(told: &Inspection) -> bool {
    match told.mark {
        MarkId::Message(_)
        | MarkId::Copy(_)
        | MarkId::DelayLevel { .. }
        | MarkId::Lock(_)
        | MarkId::Belief { .. }
        | MarkId::Pull { .. } => true,
        MarkId::Queue(_) => matches!(told.why, Some(InspectText::SilentLocked { .. })),
        _ => false,
    }
}
