//! `Film`: what the scene room keeps of one recording: its timeline, its journal, and a few scenes.
//!
//! The recording knows nothing of it, and it can be thrown away and made again. A frame is a pure
//! function of recording, story time, layout and gaze; what a film keeps only makes it cheap.

mod act;
mod waiting;

use std::collections::VecDeque;
use std::rc::Rc;

use self::act::Act;
use super::beat::stage::{Stage, hold_back};
use super::beat::{Beat, Place};
use super::draw::{self, Spots};
use super::fold::Fold;
use super::frame::Frame;
use super::importance::Importance;
use super::inspect::{Desk, Inspection};
use super::journal::{Journal, Past, Turn};
use super::layout::Layout;
use super::mark::MarkId;
use super::narrate::Narrator;
use super::of_world::{Gaze, Remains, Sight, remains_of};
use super::scene::{RealDelivery, Scene};
use super::scrub::{ScrubMark, scrub_mark};
use super::timeline::{StoryMs, Telling, Timeline};
use crate::model::ids::{GroupName, ProcessIndex};
use crate::model::order;
use crate::model::time::Millis;
use crate::recording::{Cursor, Extended, Recording};
use crate::sim::event::{EventKind, EventSequence};
use crate::sim::packet::Machine;
use crate::sim::{Simulation, TaskBudget};

/// How long lost packets and the lines of a new allocation stay on the stage, story ms.
const FRESH_MS: StoryMs = 2_000.0;

/// Scenes that are kept.
const SCENES: usize = 64;

/// Tasks between two looks at how far the story goes.
const SLICE: u64 = 64;

/// How a film came on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The wanted story time can be shown.
    Reached,
    /// The budget is spent; a wait whose end is far takes more than one frame to find.
    OutOfBudget,
    /// The run has ended before: nothing more comes.
    Ended,
}

#[derive(Clone, Debug)]
struct Shot {
    event: EventSequence,
    fresh_from: EventSequence,
    gaze: Gaze,
    scene: Rc<Scene>,
}

#[derive(Clone, Debug, Default)]
pub struct Film {
    timeline: Timeline,
    journal: Journal,
    cut_count: usize,
    cursor: Option<Cursor>,
    /// A second one, for what was before the event in force.
    behind: Option<Cursor>,
    shots: VecDeque<Shot>,
    act: Option<Act>,
    remains: Remains,
    /// The group for whose eyes they were gathered.
    remains_of: Option<GroupName>,
    real: Vec<RealDelivery>,
    marks: Vec<ScrubMark>,
    /// Events that were looked at for marks.
    marked: EventSequence,
}

impl Film {
    pub fn new() -> Film {
        Film::default()
    }

    pub fn telling(telling: Telling) -> Film {
        Film { timeline: Timeline::new(telling), ..Film::default() }
    }

    /// Shows the deliveries of a recording of the real RocketMQ beside the model's.
    pub fn set_real(&mut self, mut real: Vec<RealDelivery>) {
        order::sort_by_key(&mut real, |delivery| delivery.at);
        self.real = real;
        self.shots.clear();
        self.act = None;
    }

    /// The same run told in another way. The playhead keeps its event: ask `rest_of`.
    pub fn tell_for(&mut self, recording: &Recording, telling: Telling) {
        if *self.timeline.telling() != telling {
            self.timeline = Timeline::new(telling);
            self.marks.clear();
            self.marked = 0;
            self.follow(recording);
        }
    }

    /// Takes up what is new in the recording, and forgets what is not so any more.
    pub fn follow(&mut self, recording: &Recording) {
        let kept = recording.kept_since(self.cut_count);
        if self.cut_count != recording.cut_count() {
            self.cut_count = recording.cut_count();
            self.shots.clear();
            self.act = None;
            self.remains.clear();
            self.cursor = None;
            self.behind = None;
            self.marks.truncate(self.marks.partition_point(|mark| mark.event < kept));
            self.marked = self.marked.min(kept);
        }
        self.timeline.follow(recording);
        self.journal.follow(recording);
        self.mark_new(recording);
    }

    fn mark_new(&mut self, recording: &Recording) {
        let until = self.timeline.last_event() + 1;
        for event in recording.events().iter_from(self.marked as usize) {
            if event.sequence >= until {
                break;
            }
            self.marked = event.sequence + 1;
            let story = self.timeline.story_of(event.sequence).unwrap_or(0.0);
            let importance = self.timeline.importance(event.sequence);
            self.marks.extend(scrub_mark(event, importance, story));
        }
    }

    /// Runs the recording on until the film covers `story`.
    pub fn extend_to(
        &mut self,
        recording: &mut Recording,
        story: StoryMs,
        budget: TaskBudget,
    ) -> Progress {
        let begin = recording.head().engine().counters.task;
        self.follow(recording);
        while self.timeline.end() <= story {
            let spent = recording.head().engine().counters.task - begin;
            let Some(left) = budget.0.checked_sub(spent).filter(|left| *left > 0) else {
                return Progress::OutOfBudget;
            };
            let wanted = recording.event_count() + SLICE as EventSequence;
            let extended = recording.extend_events(wanted, TaskBudget(left.min(SLICE)));
            self.follow(recording);
            match extended {
                Extended::LimitReached(_) | Extended::NothingToCome
                    if self.timeline.end() <= story =>
                {
                    return Progress::Ended;
                }
                _ => {}
            }
        }
        Progress::Reached
    }

    /// Everything drawn at one story time that the film covers. The same arguments give the same
    /// frame, whatever was asked before.
    pub fn frame(
        &mut self,
        recording: &Recording,
        story: StoryMs,
        layout: &Layout,
        gaze: &Gaze,
    ) -> Frame {
        self.follow(recording);
        let now_ms = self.timeline.now_ms(recording, story);
        let place = self.timeline.beat_at(story);
        let beat = place.map(|place| self.timeline.beats()[place].clone());
        let told = beat.filter(|beat| self.is_told(beat, place, story, layout.is_still));
        let Some(beat) = told else {
            let scene = self.scene(recording, story, gaze);
            let mut frame = draw::frame(&scene, now_ms, layout);
            let pending = self.timeline.pending(place);
            if !pending.is_empty() {
                let (now, spots) = (frame.clone(), Spots::of(&scene, layout));
                let find = |place: &Place| match place {
                    Place::Spot(spot) => spots.area(spot),
                    Place::Token(_) | Place::Mark(_) => now.rect_of(place),
                };
                hold_back(&mut frame, &[], &pending, &find);
            }
            return frame;
        };
        let mut act = self.act_of(recording, &beat, story, layout, gaze);
        let spots = [0, 1].map(|at| Spots::of(&act.scenes[at], layout));
        let spots = [&spots[0], &spots[1]];
        let [before, after] = &act.frames;
        let names = &act.names[..];
        let stage = Stage { beat: &beat, before, after, spots, story, layout, names };
        let pending = self.timeline.pending(place);
        let frame = match layout.is_still {
            true => stage.still(&pending),
            false => stage.frame(&pending, &mut act.grounds),
        };
        self.act = Some(act);
        frame
    }

    /// The state at a story time without any beat: for whoever goes too fast to follow one.
    pub fn state(
        &mut self,
        recording: &Recording,
        story: StoryMs,
        layout: &Layout,
        gaze: &Gaze,
    ) -> Frame {
        let scene = self.scene(recording, story, gaze);
        draw::frame(&scene, self.timeline.now_ms(recording, story), layout)
    }

    /// Whether the beat is seen at a story time, or what was after it stands. A still picture keeps
    /// the last one's way until the next begins.
    fn is_told(&self, beat: &Beat, place: Option<usize>, story: StoryMs, is_still: bool) -> bool {
        let until = match is_still {
            false => beat.ends_ms,
            true => {
                let next = place.and_then(|place| self.timeline.beats().get(place + 1));
                next.map_or(beat.ends_ms + 1.0, |next| next.starts_ms)
            }
        };
        beat.starts_ms <= story && story < until && beat.ends_ms > beat.starts_ms
    }

    /// The scene in force at a story time.
    pub fn scene(&mut self, recording: &Recording, story: StoryMs, gaze: &Gaze) -> Rc<Scene> {
        self.follow(recording);
        let event = self.timeline.event_at(story);
        let fresh_from = self.fresh_from(recording, story);
        self.shot(recording, event, fresh_from, gaze)
    }

    /// The first event of the last two seconds of story that stays on the stage for a while.
    fn fresh_from(&self, recording: &Recording, story: StoryMs) -> EventSequence {
        // What lies before the telling's beginning was told in a moment, and is old by then.
        let begin = recording.events_until(self.timeline.telling().begin).saturating_sub(1);
        let (from, to) = (self.event_at(story - FRESH_MS).max(begin), self.event_at(story));
        let mut kinds = (from + 1..=to).filter_map(|event| recording.event(event));
        let stays = |kind: &EventKind| {
            matches!(kind, EventKind::PacketLost { .. } | EventKind::Allocated { .. })
        };
        kinds.find(|event| stays(&event.kind)).map_or(EventSequence::MAX, |event| event.sequence)
    }

    fn shot(
        &mut self,
        recording: &Recording,
        event: EventSequence,
        fresh_from: EventSequence,
        gaze: &Gaze,
    ) -> Rc<Scene> {
        let is_it = |shot: &&Shot| {
            shot.event == event && shot.fresh_from == fresh_from && shot.gaze == *gaze
        };
        if let Some(shot) = self.shots.iter().rev().find(is_it) {
            return shot.scene.clone();
        }
        self.seek(recording, event);
        self.gather_remains(recording, gaze);
        let Some(cursor) = &self.cursor else { return Rc::default() };
        let scene = Rc::new(Scene::of(self.sight(recording, cursor, event, fresh_from, gaze)));
        if self.shots.len() == SCENES {
            self.shots.pop_front();
        }
        let shot = Shot { event, fresh_from, gaze: gaze.clone(), scene: scene.clone() };
        self.shots.push_back(shot);
        scene
    }

    fn seek(&mut self, recording: &Recording, event: EventSequence) {
        let cursor = self.cursor.get_or_insert_with(|| Cursor::new(recording));
        cursor.seek(recording, event);
    }

    /// What was in the processes that have died: seen at the state before.
    fn gather_remains(&mut self, recording: &Recording, gaze: &Gaze) {
        let Some(cursor) = &self.cursor else { return };
        let world = cursor.simulation().world();
        if self.remains_of != gaze.group {
            self.remains.clear();
            self.remains_of = gaze.group.clone();
        }
        let dead = world.clients.iter();
        let unknown: Vec<ProcessIndex> = dead
            .filter(|client| !client.is_alive() && !self.remains.contains_key(&client.process))
            .map(|client| client.process)
            .collect();
        for process in unknown {
            let turns = self.journal.as_of(EventSequence::MAX).turns(Machine::Client(process));
            let died = turns.iter().find(|it| matches!(it.turn, Turn::Crashed | Turn::HostLost));
            let Some(event) = died.map(|turn| turn.event) else { continue };
            let task = recording.event(event).map(|it| it.task);
            let first = (0..event).rev().find(|it| recording.event(*it).map(|e| e.task) != task);
            let Some(before) = first else { continue };
            let simulation = recording.simulation_at(before);
            let consumer = remains_of(
                Sight {
                    simulation: &simulation,
                    past: self.journal.as_of(before + 1),
                    event: None,
                    fresh_from: EventSequence::MAX,
                    gaze,
                    remains: &Remains::new(),
                    real: &[],
                },
                process,
            );
            if let Some(consumer) = consumer {
                self.remains.insert(process, Rc::new(consumer));
            }
        }
    }

    /// What there is to tell of a thing at a story time; numbers that the event in force has changed
    /// say what they were. Costs about as much as two scenes: ask once for each event.
    pub fn inspect(
        &mut self,
        recording: &Recording,
        story: StoryMs,
        gaze: &Gaze,
        mark: &MarkId,
    ) -> Inspection {
        self.follow(recording);
        let event = self.timeline.event_at(story);
        let fresh_from = self.fresh_from(recording, story);
        let scene = self.shot(recording, event, fresh_from, gaze);
        self.seek(recording, event);
        let cursor = self.cursor.take();
        let mut told = self.tell(recording, cursor.as_ref(), event, &scene, gaze, mark);
        self.cursor = cursor;
        let task = recording.event(event).map(|it| it.task);
        let earlier = (0..event).rev().find(|it| recording.event(*it).map(|it| it.task) != task);
        if let Some(before) = earlier {
            let mut behind = self.behind.take().unwrap_or_else(|| Cursor::new(recording));
            behind.seek(recording, before);
            let sight = self.sight(recording, &behind, before, EventSequence::MAX, gaze);
            let scene = Scene::of(sight);
            let was = self.tell(recording, Some(&behind), before, &scene, gaze, mark);
            told.compare(&was);
            self.behind = Some(behind);
        }
        told
    }

    fn tell(
        &self,
        recording: &Recording,
        cursor: Option<&Cursor>,
        event: EventSequence,
        scene: &Scene,
        gaze: &Gaze,
        mark: &MarkId,
    ) -> Inspection {
        let narrator = Narrator::new(recording, &self.journal);
        let cursor = cursor.expect("it has just been put there");
        let sight = self.sight(recording, cursor, event, EventSequence::MAX, gaze);
        let timeline = &self.timeline;
        Desk { sight, scene, recording, timeline, narrator: &narrator }.inspect(mark)
    }

    fn sight<'a>(
        &'a self,
        recording: &'a Recording,
        cursor: &'a Cursor,
        event: EventSequence,
        fresh_from: EventSequence,
        gaze: &'a Gaze,
    ) -> Sight<'a> {
        Sight {
            simulation: cursor.simulation(),
            past: self.journal.as_of(event + 1),
            event: recording.event(event),
            fresh_from,
            gaze,
            remains: &self.remains,
            real: &self.real,
        }
    }

    /// The state after the event in force, for the inspector and for asking what can be done.
    pub fn simulation(&mut self, recording: &Recording, event: EventSequence) -> &Simulation {
        self.seek(recording, event);
        self.cursor.as_ref().map(Cursor::simulation).expect("it has just been put there")
    }

    /// The past up to an event.
    pub fn past(&self, event: EventSequence) -> Past<'_> {
        self.journal.as_of(event.saturating_add(1))
    }

    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Where the film ends, as far as it is known.
    pub fn end(&self) -> StoryMs {
        self.timeline.end()
    }

    pub fn event_at(&self, story: StoryMs) -> EventSequence {
        self.timeline.event_at(story)
    }

    pub fn story_of(&self, event: EventSequence) -> Option<StoryMs> {
        self.timeline.story_of(event)
    }

    /// Virtual time at a story time, whole ms.
    pub fn now(&self, recording: &Recording, story: StoryMs) -> Millis {
        Millis(self.timeline.now_ms(recording, story) as u64)
    }

    pub fn story_at(&self, recording: &Recording, at: Millis) -> StoryMs {
        self.timeline.story_at(recording, at)
    }

    /// The end of the next beat after `story`, of at least this importance; `None` if the film does not
    /// reach so far yet.
    pub fn step_forward(&self, story: StoryMs, least: Importance) -> Option<StoryMs> {
        self.timeline.step_forward(story, least.max(1))
    }

    /// The end of the beat before, of at least this importance.
    pub fn step_back(&self, story: StoryMs, least: Importance) -> Option<StoryMs> {
        self.timeline.step_back(story, least.max(1))
    }

    /// When all that belongs to an event has been told.
    pub fn rest_of(&self, event: EventSequence) -> Option<StoryMs> {
        self.timeline.rest_of(event)
    }

    /// The beat inside which a story time lies.
    pub fn beat_within(&self, story: StoryMs) -> Option<&Beat> {
        let beat = &self.timeline.beats()[self.timeline.beat_at(story)?];
        beat.holds(story).then_some(beat)
    }

    pub fn folds(&self) -> &[Fold] {
        self.timeline.folds()
    }

    pub fn fold_at(&self, story: StoryMs) -> Option<&Fold> {
        self.timeline.fold_at(story)
    }

    /// Every delivery of the model that is told, oldest first: event, moment, story time.
    pub fn deliveries<'a>(
        &'a self,
        recording: &'a Recording,
    ) -> impl Iterator<Item = (EventSequence, Millis, StoryMs)> + 'a {
        let told = recording.events().iter();
        let delivered = told.filter(|it| matches!(it.kind, EventKind::ConsumeStarted { .. }));
        delivered.filter_map(|it| Some((it.sequence, it.at, self.timeline.story_of(it.sequence)?)))
    }

    /// The marks of the scrub bar.
    pub fn marks(&self) -> &[ScrubMark] {
        &self.marks
    }
}
