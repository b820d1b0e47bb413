//! `Timeline`: virtual time told as a story.
//!
//! Virtual time is a poor film: 1 ms on the wire, 15 s of silence, five facts in one millisecond. So
//! each *told* event (importance 1 to 3) gets a story time:
//!
//! ```text
//! story(b) = story(a) + max(pause(at(b) − at(a)), least(b))          a: the last told event before b
//! pause(g) = min(g, 0.6 + 0.4·log10(1 + g)) seconds
//! least    = 120, 500, 1 500 ms for importance 1, 2, 3; less the more often such a thing was told
//! ```
//!
//! Between two told events virtual time passes evenly, and background events lie where they happened.
//! A wait of more than a second is a [`Fold`]. The story time of an event depends only on the events
//! up to the next told one, so it never changes while a recording grows.

use std::collections::BTreeMap;

use super::fold::Fold;
use super::importance::{Importance, Judge, routine};
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::sim::event::{EventKind, EventSequence};

/// Story time in ms from the start of the film.
pub type StoryMs = f64;

/// A wait longer than this is told as a fold.
pub const FOLD_FROM: Millis = Millis::new(1_000);

/// A fold ends after so long, even if nothing but background happens.
pub const FOLD_MAX: Millis = Millis::new(2 * 3_600_000);

/// How waits are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FoldMode {
    /// In a second or two.
    #[default]
    Fold,
    /// Not at all: a cut.
    Jump,
    /// As long as they are.
    Real,
}

#[derive(Clone, Debug, Default)]
pub struct Timeline {
    mode: FoldMode,
    cut_count: usize,
    judge: Judge,
    /// How often a kind was told.
    seen: BTreeMap<u16, u32>,
    importance: Vec<Importance>,
    /// Of the events up to the last told one.
    story: Vec<StoryMs>,
    /// The told events, and those at which a fold was ended.
    told: Vec<EventSequence>,
    folds: Vec<Fold>,
}

impl Timeline {
    pub fn new(mode: FoldMode) -> Timeline {
        Timeline { mode, ..Timeline::default() }
    }

    pub fn mode(&self) -> FoldMode {
        self.mode
    }

    /// Takes up what is new in the recording.
    pub fn follow(&mut self, recording: &Recording) {
        let kept = recording.kept_since(self.cut_count) as usize;
        self.cut_count = recording.cut_count();
        if kept < self.importance.len() {
            self.forget_from(kept, recording);
        }
        for event in recording.events().iter_from(self.importance.len()) {
            let importance = self.judge.judge(event, recording.events(), &self.importance);
            self.importance.push(importance);
            self.place(event.sequence, recording);
        }
    }

    /// Begins anew with the events that stayed; what a judge remembers cannot be taken back.
    fn forget_from(&mut self, kept: usize, recording: &Recording) {
        let told = self.told.partition_point(|event| (*event as usize) < kept);
        let known = self.told[..told].last().map_or(0, |last| *last as usize + 1);
        self.story.truncate(known);
        self.told.truncate(told);
        let folds = self.folds.partition_point(|fold| (fold.to as usize) < kept);
        self.folds.truncate(folds);
        self.judge = Judge::default();
        self.seen.clear();
        self.importance.clear();
        for event in recording.events().iter().take(kept) {
            let importance = self.judge.judge(event, recording.events(), &self.importance);
            self.importance.push(importance);
            if importance > 0 && (event.sequence as usize) < known {
                self.note_seen(&event.kind);
            }
        }
    }

    fn note_seen(&mut self, kind: &EventKind) -> u32 {
        let Some(class) = routine(kind) else { return 0 };
        let seen = self.seen.entry(class).or_insert(0);
        *seen += 1;
        *seen - 1
    }

    /// Gives the event its story time, and those before it that wait for theirs, if it is told.
    fn place(&mut self, index: EventSequence, recording: &Recording) {
        let Some(event) = recording.event(index) else { return };
        let Some(&last) = self.told.last() else {
            self.told.push(index);
            self.story.push(0.0);
            return;
        };
        let began = recording.event(last).map_or(event.at, |event| event.at);
        let gap = event.at.since(began);
        let importance = self.importance[index as usize];
        if importance == 0 && gap <= FOLD_MAX {
            return;
        }
        let least = match importance {
            0 => 0.0,
            _ => least_ms(importance, self.note_seen(&event.kind)),
        };
        let from = self.story[last as usize];
        let takes = self.pause_ms(gap).max(least);
        for waiting in last + 1..index {
            let at = recording.event(waiting).map_or(event.at, |event| event.at);
            self.story.push(from + takes * part(at.since(began), gap));
        }
        self.story.push(from + takes);
        self.told.push(index);
        if gap > FOLD_FROM {
            self.folds.push(Fold::of(recording, last, index, from, from + takes, importance > 0));
        }
    }

    fn pause_ms(&self, gap: Millis) -> StoryMs {
        let gap_ms = gap.ms() as f64;
        let told = 600.0 + 400.0 * (1.0 + gap_ms / 1_000.0).log10();
        match self.mode {
            FoldMode::Fold => gap_ms.min(told),
            FoldMode::Jump if gap > FOLD_FROM => 0.0,
            FoldMode::Jump => gap_ms.min(told),
            FoldMode::Real => gap_ms,
        }
    }

    /// Where the film ends, as far as it is known: the last told event.
    pub fn end(&self) -> StoryMs {
        self.story.last().copied().unwrap_or(0.0)
    }

    /// The last event that has a story time.
    pub fn last_event(&self) -> EventSequence {
        self.told.last().copied().unwrap_or(0)
    }

    /// The event that is in force at a story time: the last that has been told by then.
    pub fn event_at(&self, story: StoryMs) -> EventSequence {
        let after = self.story.partition_point(|of| *of <= story);
        after.saturating_sub(1) as EventSequence
    }

    /// When an event is told; background events of a wait whose end is not known yet have no time.
    pub fn story_of(&self, event: EventSequence) -> Option<StoryMs> {
        self.story.get(event as usize).copied()
    }

    /// Virtual time at a story time, in ms with a fraction.
    pub fn now_ms(&self, recording: &Recording, story: StoryMs) -> f64 {
        let after = self.told.partition_point(|event| self.story[*event as usize] <= story);
        let at = |event: EventSequence| recording.event(event).map_or(0, |it| it.at.ms()) as f64;
        let Some(before) = after.checked_sub(1) else { return 0.0 };
        let (a, from) = (self.told[before], self.story[self.told[before] as usize]);
        let Some(&b) = self.told.get(after) else { return at(a) };
        let takes = self.story[b as usize] - from;
        let passed = if takes > 0.0 { ((story - from) / takes).clamp(0.0, 1.0) } else { 1.0 };
        at(a) + (at(b) - at(a)) * passed
    }

    /// The story time at which virtual time reaches a moment: when the last event of that moment is
    /// told, or on the way to the next.
    pub fn story_at(&self, recording: &Recording, at: Millis) -> StoryMs {
        let moment = |event: EventSequence| recording.event(event).map_or(Millis::ZERO, |it| it.at);
        let after = self.told.partition_point(|event| moment(*event) <= at);
        let Some(before) = after.checked_sub(1) else { return 0.0 };
        let a = self.told[before];
        let from = self.story[a as usize];
        let Some(&b) = self.told.get(after) else { return from };
        let gap = moment(b).since(moment(a));
        from + (self.story[b as usize] - from) * part(at.since(moment(a)), gap)
    }

    pub fn importance(&self, event: EventSequence) -> Importance {
        self.importance.get(event as usize).copied().unwrap_or(0)
    }

    /// The next told event of at least this importance.
    pub fn next_told(&self, after: EventSequence, least: Importance) -> Option<EventSequence> {
        let from = self.told.partition_point(|event| *event <= after);
        self.told[from..].iter().copied().find(|event| self.importance(*event) >= least)
    }

    /// The told event before.
    pub fn last_told(&self, before: EventSequence, least: Importance) -> Option<EventSequence> {
        let until = self.told.partition_point(|event| *event < before);
        self.told[..until].iter().rev().copied().find(|event| self.importance(*event) >= least)
    }

    /// The told events with a story time after `from` and not after `to`.
    pub fn told_between(&self, from: StoryMs, to: StoryMs) -> &[EventSequence] {
        let after = |story| self.told.partition_point(|event| self.story[*event as usize] <= story);
        &self.told[after(from)..after(to)]
    }

    /// The told event at or before this one.
    pub fn told_at(&self, event: EventSequence) -> EventSequence {
        let after = self.told.partition_point(|told| *told <= event);
        self.told.get(after.saturating_sub(1)).copied().unwrap_or(0)
    }

    pub fn folds(&self) -> &[Fold] {
        &self.folds
    }

    /// The fold in which a story time lies.
    pub fn fold_at(&self, story: StoryMs) -> Option<&Fold> {
        let next = self.folds.partition_point(|fold| fold.story_to <= story);
        self.folds.get(next).filter(|fold| fold.story_from <= story)
    }
}

/// What a told event gets at least.
fn least_ms(importance: Importance, seen: u32) -> StoryMs {
    let whole = match importance {
        0 => 0.0,
        1 => 120.0,
        2 => 500.0,
        _ => 1_500.0,
    };
    whole / (1.0 + f64::from(seen) / 8.0)
}

fn part(of: Millis, whole: Millis) -> f64 {
    if whole == Millis::ZERO { 0.0 } else { of.ms() as f64 / whole.ms() as f64 }
}
