//! `Timeline`: virtual time told as a story of beats.
//!
//! Virtual time is a poor film: 1 ms on the wire, 15 s of silence, five facts in one millisecond. So the
//! story goes from [`Beat`] to beat:
//!
//! ```text
//! starts(b) = ends(a) + wait(begins(b) − over(a))       a: the beat before b
//! wait(g)   = 60 ms + a third of g                      up to a second
//!           = 0.6 + 0.4·log10(1 + g) seconds            above: a Fold
//! departs, lands, ends: by the kind of the beat (`beat::pace`), less the more often it was told
//! ```
//!
//! All events of a beat take effect when it lands; background events lie in the wait where they
//! happened. What belongs to a beat is settled as soon as 100 ms of virtual time have passed after it,
//! or the next one has come; so nothing that has been told ever changes while a recording grows.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::beat::read::Reader;
use super::beat::roots::MOMENT;
use super::beat::{Beat, BeatKind, crowd, pace};
use super::fold::Fold;
use super::importance::{Importance, Judge};
use crate::model::ids::UniqueKey;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::sim::event::{EventKind, EventSequence};

/// Story time in ms from the start of the film.
pub type StoryMs = f64;

/// A wait longer than this is told as a fold.
pub const FOLD_FROM: Millis = Millis::new(1_000);

/// A fold ends after so long, even if nothing but background happens.
pub const FOLD_MAX: Millis = Millis::new(2 * 3_600_000);

/// What follows within so long takes effect with a beat: the answers to its calls.
const TAIL: Millis = Millis::new(10);

/// A wait and a beat before the story's beginning take so long.
const OPENING_MS: StoryMs = 24.0;

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

/// What a story is told for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Telling {
    pub mode: FoldMode,
    /// What lies before is told in a moment.
    pub begin: Millis,
    /// The keys of the messages that it is about: each of their beats is told in full.
    pub heroes: Rc<[Rc<str>]>,
}

#[derive(Clone, Debug, Default)]
pub struct Timeline {
    telling: Telling,
    cut_count: usize,
    judge: Judge,
    reader: Reader,
    heroes: Vec<UniqueKey>,
    /// How often a kind was told.
    seen: BTreeMap<BeatKind, u32>,
    importance: Vec<Importance>,
    /// Of the events up to the last one of the last beat.
    story: Vec<StoryMs>,
    beats: Vec<Beat>,
    /// The last one, as long as something may still belong to it.
    open: Option<Beat>,
    folds: Vec<Fold>,
}

impl Timeline {
    pub fn new(telling: Telling) -> Timeline {
        Timeline { telling, ..Timeline::default() }
    }

    pub fn telling(&self) -> &Telling {
        &self.telling
    }

    /// Takes up what is new in the recording.
    pub fn follow(&mut self, recording: &Recording) {
        let kept = recording.kept_since(self.cut_count) as usize;
        self.cut_count = recording.cut_count();
        if kept < self.importance.len() {
            // What a judge or a reader remembers cannot be taken back: it begins anew.
            let cut_count = self.cut_count;
            *self = Timeline { cut_count, ..Timeline::new(self.telling.clone()) };
        }
        for event in recording.events().iter_from(self.importance.len()) {
            let importance = self.judge.judge(event, recording.events(), &self.importance);
            self.importance.push(importance);
            self.note_hero(&event.kind);
            self.place(event.sequence, recording);
        }
        let is_over = |open: &Beat| recording.reached() >= open.at + MOMENT;
        if self.open.as_ref().is_some_and(|open| is_over(open) || recording.limit().is_some()) {
            self.close(recording, None);
        }
    }

    fn note_hero(&mut self, kind: &EventKind) {
        let EventKind::MessageStored { message } = kind else { return };
        let body = &message.body;
        let is_one = |key: &str| self.telling.heroes.iter().any(|hero| **hero == *key);
        let key = body.unique_key;
        if body.key.as_ref().is_some_and(|it| is_one(it.as_str())) && !self.heroes.contains(&key) {
            self.heroes.push(key);
        }
    }

    fn place(&mut self, index: EventSequence, recording: &Recording) {
        let Some(event) = recording.event(index) else { return };
        let after = match &self.open {
            Some(open) => open.effect + 1,
            None => self.story.len() as EventSequence,
        };
        let Some(beat) = self.reader.read(event, &self.importance, after, recording) else {
            if self.open.as_ref().is_some_and(|open| event.at > open.at + MOMENT) {
                self.close(recording, None);
            }
            self.go_on(index, recording);
            return;
        };
        if let Some(open) = self.open.as_mut().filter(|open| crowd::joins(open, &beat)) {
            open.take_in(beat);
            return;
        }
        if self.open.is_some() {
            self.close(recording, Some(&beat));
        }
        self.open = Some(beat);
    }

    /// After hours of nothing but background the film goes on all the same.
    fn go_on(&mut self, index: EventSequence, recording: &Recording) {
        let Some(event) = recording.event(index) else { return };
        if self.open.is_none() && event.at.since(self.over_at(recording)) > FOLD_MAX {
            self.open = Some(Beat::pause(event));
        }
    }

    /// Virtual time up to which the last beat goes.
    fn over_at(&self, recording: &Recording) -> Millis {
        let last = self.beats.last().and_then(|beat| recording.event(beat.last));
        last.map_or(Millis::ZERO, |event| event.at)
    }

    /// Gives the open beat its tail and its time, and all events up to its end theirs.
    fn close(&mut self, recording: &Recording, next: Option<&Beat>) {
        let Some(mut beat) = self.open.take() else { return };
        let at = |index: EventSequence| recording.event(index).map_or(Millis::ZERO, |it| it.at);
        let known = self.importance.len() as EventSequence;
        // What leads to the next beat belongs to that one.
        let until = next.filter(|next| next.begins_at <= beat.at + MOMENT);
        let until = until.map_or(known, |next| task_begin(recording, next.first));
        let until = until.max(beat.effect + 1);
        let until = next.map_or(until, |next| until.min(task_begin(recording, next.first)));
        let until = until.max(beat.effect + 1);
        while beat.last + 1 < until && at(beat.last + 1) <= beat.at + TAIL {
            beat.last += 1;
        }
        let told = self.story.len() as EventSequence;
        beat.first = task_begin(recording, beat.first).max(told);
        beat.begins_at = at(beat.first);
        let (over, ended_ms) = (self.over_at(recording), self.end());
        let gap = beat.begins_at.since(over);
        let is_opening = beat.at < self.telling.begin;
        let takes = match is_opening {
            true => OPENING_MS,
            false => self.wait_ms(gap),
        };
        for waiting in self.story.len() as EventSequence..beat.first {
            self.story.push(ended_ms + takes * part(at(waiting).since(over), gap));
        }
        self.schedule(&mut beat, ended_ms + takes, is_opening);
        self.story.resize(beat.last as usize + 1, beat.lands_ms);
        if gap > FOLD_FROM {
            let from = self.beats.last().map_or(0, |last| last.last);
            let is_told = beat.importance > 0;
            let to = beat.first;
            self.folds.push(Fold::of(recording, from, to, ended_ms, beat.starts_ms, is_told));
        }
        self.beats.push(beat);
    }

    fn schedule(&mut self, beat: &mut Beat, starts_ms: StoryMs, is_opening: bool) {
        let seen = self.seen.entry(beat.kind).or_insert(0);
        let is_hero = beat.message.is_some_and(|key| self.heroes.contains(&key));
        let is_full = is_hero || beat.is_own;
        let pace = pace::pace(beat.kind, if is_full { 0 } else { *seen }, beat.turns());
        let pace = if beat.is_own && beat.movers.is_empty() { pace.at_once() } else { pace };
        let is_routine = pace::routine_after(beat.kind).is_some_and(|most| *seen >= most);
        beat.is_passing = is_opening || (is_routine && !is_full);
        beat.starts_ms = starts_ms;
        (beat.departs_ms, beat.lands_ms, beat.ends_ms) = match (is_opening, beat.is_passing) {
            (true, _) => (starts_ms, starts_ms + OPENING_MS / 2.0, starts_ms + OPENING_MS),
            (_, true) => {
                let whole = pace::PASSING_MS;
                (starts_ms, starts_ms + whole * 0.6, starts_ms + whole)
            }
            _ => {
                let departs = starts_ms + pace.lift;
                (departs, departs + pace.way, departs + pace.way + pace.settle)
            }
        };
        if !is_opening {
            *seen += 1;
        }
        if beat.importance == 0 {
            (beat.departs_ms, beat.lands_ms, beat.ends_ms) = (starts_ms, starts_ms, starts_ms);
        }
    }

    fn wait_ms(&self, gap: Millis) -> StoryMs {
        let gap_ms = gap.ms() as f64;
        let told = 600.0 + 400.0 * (1.0 + gap_ms / 1_000.0).log10();
        let short = pace::STAND_MS + gap_ms / 3.0;
        match self.telling.mode {
            FoldMode::Real => gap_ms.max(pace::STAND_MS),
            _ if gap <= FOLD_FROM => short,
            FoldMode::Fold => told,
            FoldMode::Jump => pace::STAND_MS,
        }
    }

    /// Where the film ends, as far as it is known: the end of the last beat.
    pub fn end(&self) -> StoryMs {
        self.beats.last().map_or(0.0, |beat| beat.ends_ms)
    }

    /// The last event that has a story time.
    pub fn last_event(&self) -> EventSequence {
        (self.story.len() as EventSequence).saturating_sub(1)
    }

    pub fn beats(&self) -> &[Beat] {
        &self.beats
    }

    /// The place of the last beat that has started at a story time.
    pub fn beat_at(&self, story: StoryMs) -> Option<usize> {
        self.beats.partition_point(|beat| beat.starts_ms <= story).checked_sub(1)
    }

    /// The beat in which an event takes effect, if it lies in one.
    pub fn beat_of(&self, event: EventSequence) -> Option<&Beat> {
        let beat = self.beats.get(self.beats.partition_point(|beat| beat.last < event))?;
        (beat.first <= event).then_some(beat)
    }

    /// The beats that follow `place` and lie in its task or begin in it: the world already shows what
    /// they tell. A request that is handed to a thread sits there before the thread has begun.
    pub fn pending(&self, place: Option<usize>) -> Vec<&Beat> {
        let Some(here) = place.and_then(|place| self.beats.get(place)) else { return Vec::new() };
        let later = self.beats[place.map_or(0, |it| it + 1)..].iter().chain(&self.open);
        later.take_while(|beat| beat.task == here.task || beat.first_task == here.task).collect()
    }

    /// The event that is in force at a story time: the last that has been told by then.
    pub fn event_at(&self, story: StoryMs) -> EventSequence {
        let after = self.story.partition_point(|of| *of <= story);
        after.saturating_sub(1) as EventSequence
    }

    /// When an event takes effect; what follows the last beat has no time yet.
    pub fn story_of(&self, event: EventSequence) -> Option<StoryMs> {
        self.story.get(event as usize).copied()
    }

    /// When all that belongs to an event has been told: the end of its beat.
    pub fn rest_of(&self, event: EventSequence) -> Option<StoryMs> {
        match self.beat_of(event) {
            Some(beat) => Some(beat.ends_ms),
            None => self.story_of(event),
        }
    }

    /// Virtual time at a story time, in ms with a fraction.
    pub fn now_ms(&self, recording: &Recording, story: StoryMs) -> f64 {
        let at = |event: EventSequence| recording.event(event).map_or(0, |it| it.at.ms()) as f64;
        let place = self.beat_at(story);
        let next = self.beats.get(place.map_or(0, |place| place + 1));
        let (from, from_ms) = match place.map(|place| &self.beats[place]) {
            Some(beat) if story < beat.lands_ms => {
                let (begins, lands) = (beat.begins_at.ms() as f64, beat.at.ms() as f64);
                return mix((begins, lands), (beat.starts_ms, beat.lands_ms), story);
            }
            // It stands while what changes by the arrival is seen, and at the beat's end.
            Some(beat) if story <= beat.ends_ms => return beat.at.ms() as f64,
            Some(beat) => (at(beat.last), beat.ends_ms),
            None => (0.0, 0.0),
        };
        let Some(next) = next else { return from };
        mix((from, next.begins_at.ms() as f64), (from_ms, next.starts_ms), story)
    }

    /// The story time at which virtual time reaches a moment: at the end of its beat, or in the wait.
    pub fn story_at(&self, recording: &Recording, at: Millis) -> StoryMs {
        let place = self.beats.partition_point(|beat| beat.begins_at <= at).checked_sub(1);
        let over = |beat: &Beat| recording.event(beat.last).map_or(beat.at, |it| it.at);
        let (from, from_ms) = match place.map(|place| &self.beats[place]) {
            Some(beat) if at < beat.at => {
                let gap = beat.at.since(beat.begins_at);
                let gone = part(at.since(beat.begins_at), gap);
                return beat.starts_ms + (beat.lands_ms - beat.starts_ms) * gone;
            }
            Some(beat) if at <= over(beat) => return beat.ends_ms,
            Some(beat) => (over(beat), beat.ends_ms),
            None => (Millis::ZERO, 0.0),
        };
        let Some(next) = self.beats.get(place.map_or(0, |place| place + 1)) else {
            return from_ms;
        };
        let gap = next.begins_at.since(from);
        let story = from_ms + (next.starts_ms - from_ms) * part(at.since(from), gap);
        // Whatever happens at that very moment has happened by then.
        let last = recording.events_until(at).checked_sub(1);
        let told = last.and_then(|event| self.story_of(event)).filter(|it| *it < next.starts_ms);
        told.map_or(story, |told| story.max(told))
    }

    pub fn importance(&self, event: EventSequence) -> Importance {
        self.importance.get(event as usize).copied().unwrap_or(0)
    }

    /// The end of the first beat that ends after a story time, of at least this importance.
    pub fn step_forward(&self, story: StoryMs, least: Importance) -> Option<StoryMs> {
        let from = self.beats.partition_point(|beat| beat.ends_ms <= story);
        let mut later = self.beats[from..].iter();
        later.find(|beat| beat.importance >= least).map(|beat| beat.ends_ms)
    }

    /// The end of the last beat that ended before a story time, of at least this importance.
    pub fn step_back(&self, story: StoryMs, least: Importance) -> Option<StoryMs> {
        let until = self.beats.partition_point(|beat| beat.ends_ms < story);
        let mut earlier = self.beats[..until].iter().rev();
        earlier.find(|beat| beat.importance >= least).map(|beat| beat.ends_ms)
    }

    /// The last event of at least this importance, of those told up to `event`.
    pub fn last_of(&self, event: EventSequence, least: Importance) -> Option<EventSequence> {
        let until = (event as usize + 1).min(self.importance.len());
        let last = self.importance[..until].iter().rposition(|it| *it >= least);
        last.map(|index| index as EventSequence)
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

/// The first event of the task in which an event lies: the world shows what a task did as a whole.
fn task_begin(recording: &Recording, index: EventSequence) -> EventSequence {
    let task = |index: EventSequence| recording.event(index).map(|event| event.task);
    let of = task(index);
    let earlier = (0..index).rev().take_while(|before| task(*before) == of);
    earlier.last().unwrap_or(index)
}

/// Between two values, as far as `at` lies between two times.
fn mix((from, to): (f64, f64), (begins, ends): (f64, f64), at: f64) -> f64 {
    let passed =
        if ends > begins { ((at - begins) / (ends - begins)).clamp(0.0, 1.0) } else { 1.0 };
    from + (to - from) * passed
}

fn part(of: Millis, whole: Millis) -> f64 {
    if whole == Millis::ZERO { 0.0 } else { of.ms() as f64 / whole.ms() as f64 }
}
