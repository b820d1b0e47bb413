//! The live checks of a run: followed a little each frame, told at the moment shown.

use std::rc::Rc;

use super::Run;
use crate::app::shown::{BreakShown, CheckLine, ChecksShown};
use crate::scene::checks::{self, Broken, State};
use crate::scene::mark::MarkId;
use crate::text::Language;
use crate::text::checks::ScopeText;
use crate::text::format;

/// Tasks that are checked in one frame's share, in a small world.
const TASKS_PER_FRAME: u64 = 300;

/// With so many queues each task costs twice as much.
const MANY_QUEUES: u64 = 64;

/// The banner of a break stands so long, story ms.
const BANNER_MS: f64 = 6_000.0;

impl Run {
    /// Checks on for a share of a frame.
    pub(super) fn check(&mut self) {
        let world = self.recording.head().world();
        let queues: usize = world.brokers.iter().map(|broker| broker.consume_queues.len()).sum();
        let tasks = TASKS_PER_FRAME / (1 + queues as u64 / MANY_QUEUES);
        self.checks.follow(&self.recording, tasks.max(1));
    }

    /// Whether all that is known of the run is checked.
    pub fn is_checked(&self) -> bool {
        self.checks.seen() >= self.recording.head().engine().next_event
    }

    /// How far playing may go, and whether that is the end for good.
    pub(super) fn known(&self, stops: bool) -> (f64, bool) {
        let (end_ms, is_end) = (self.film.end(), self.is_complete());
        if !stops || self.is_checked() {
            return (end_ms, is_end);
        }
        let last = self.checks.seen().checked_sub(1).and_then(|it| self.film.story_of(it));
        (last.unwrap_or(0.0).min(end_ms), false)
    }

    pub(super) fn stop_at_break(&mut self, before_ms: f64, stops: bool) {
        let broken = self.break_in(before_ms, self.player.at_ms).filter(|_| stops);
        if let Some(at_ms) = broken.and_then(|broken| self.film.story_of(broken.event)) {
            self.player.at_ms = at_ms;
            self.player.is_playing = false;
        }
    }

    /// The first break after one story time, up to another.
    pub fn break_in(&self, after_ms: f64, until_ms: f64) -> Option<&Broken> {
        self.checks.breaks().into_iter().find(|broken| {
            let story = self.film.story_of(broken.event);
            story.is_some_and(|at_ms| at_ms > after_ms && at_ms <= until_ms)
        })
    }

    /// Story times of the breaks, for the bar.
    pub(super) fn break_marks(&self) -> Vec<f64> {
        let breaks = self.checks.breaks();
        breaks.iter().filter_map(|broken| self.film.story_of(broken.event)).collect()
    }

    /// `T+01:15.502 q1 has been silent …`
    pub fn break_sentence(&self, broken: &Broken, language: Language) -> String {
        let found = checks::finding_text(&self.narrator(), broken);
        format!("✖ {} {}", format::clock(broken.at), found.say(language))
    }

    /// The latest break up to the moment shown, as long as its banner stands.
    pub fn banner(&self, language: Language) -> Option<BreakShown> {
        let at_ms = self.player.at_ms;
        let mut breaks = self.checks.breaks().into_iter().rev();
        let broken = breaks.find(|broken| broken.event <= self.event_told())?;
        let since = at_ms - self.film.story_of(broken.event)?;
        (since <= BANNER_MS).then(|| BreakShown {
            event: broken.event,
            object: broken.objects.last().cloned(),
            objects: broken.objects.clone(),
            sentence: self.break_sentence(broken, language),
        })
    }

    /// Where something is broken at the moment shown: of each break its objects, the closest first.
    pub fn broken_objects(&self) -> Vec<Vec<MarkId>> {
        let event = self.event_told();
        let breaks = self.checks.breaks().into_iter().filter(|broken| broken.event <= event);
        breaks.map(|broken| broken.objects.clone()).collect()
    }

    /// Every rule and how it stands at the moment shown.
    pub fn checks_shown(&mut self, stops_at_break: bool) -> Rc<ChecksShown> {
        let event = self.event_told();
        let narrator = self.narrator();
        let line = |(rule, scope): (checks::Rule, ScopeText)| CheckLine {
            rule: rule.text(),
            scope,
            state: self.checks.state(rule, scope, event),
            finding: self.checks.broken(rule).map(|it| checks::finding_text(&narrator, it)),
        };
        let lines: Vec<CheckLine> = checks::rules().into_iter().map(line).collect();
        let is_broken = |line: &&CheckLine| {
            matches!(line.state, State::Broke { .. }) && line.scope != ScopeText::Hint
        };
        let shown = ChecksShown {
            broken: lines.iter().filter(is_broken).count() as u32,
            of: lines.len() as u32,
            lines,
            stops_at_break,
            is_checking: !self.is_checked(),
        };
        if *self.checks_shown != shown {
            self.checks_shown = Rc::new(shown);
        }
        self.checks_shown.clone()
    }
}
