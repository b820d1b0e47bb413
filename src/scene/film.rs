//! `Film`: what the scene room keeps of one recording: its timeline, its journal, and a few scenes.
//!
//! The recording knows nothing of it, and it can be thrown away and made again. A frame is a pure
//! function of recording, story time, layout and gaze; what a film keeps only makes it cheap.

use std::collections::VecDeque;
use std::rc::Rc;

use super::fold::Fold;
use super::frame::Frame;
use super::importance::Importance;
use super::inspect::{Desk, Inspection};
use super::journal::{Journal, Past, Turn};
use super::layout::Layout;
use super::mark::MarkId;
use super::motion::{self, LONGEST_HOP_MS, Moment, Places};
use super::narrate::Narrator;
use super::of_world::{Gaze, Remains, Sight, remains_of};
use super::scene::{RealDelivery, Scene};
use super::scrub::{ScrubMark, scrub_mark};
use super::timeline::{FoldMode, StoryMs, Timeline};
use crate::model::ids::{GroupName, ProcessIndex};
use crate::model::order;
use crate::model::time::Millis;
use crate::recording::{Cursor, Extended, Recording};
use crate::sim::event::{EventKind, EventSequence};
use crate::sim::packet::Machine;
use crate::sim::{Simulation, TaskBudget};

/// How long lost packets and the lines of a new allocation stay on the stage, story ms.
const FRESH_MS: StoryMs = 2_000.0;

/// Moments of which a frame knows where things were.
const MOST_MOMENTS: usize = 32;

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

/// Where everything was just before a told event.
#[derive(Clone, Debug)]
struct Stand {
    event: EventSequence,
    gaze: Gaze,
    layout: Layout,
    places: Rc<Places>,
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
    stands: VecDeque<Stand>,
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

    /// Shows the deliveries of a recording of the real RocketMQ beside the model's.
    pub fn set_real(&mut self, mut real: Vec<RealDelivery>) {
        order::sort_by_key(&mut real, |delivery| delivery.at);
        self.real = real;
        self.shots.clear();
        self.stands.clear();
    }

    /// The same run told with other waits. The playhead keeps its event: ask `story_of`.
    pub fn set_fold_mode(&mut self, recording: &Recording, mode: FoldMode) {
        if self.timeline.mode() != mode {
            self.timeline = Timeline::new(mode);
            self.stands.clear();
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
            self.stands.clear();
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
        let Some(until) = self.timeline.last_event().checked_add(1) else { return };
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
        let earlier = self.earlier_places(recording, story, layout, gaze);
        let event = self.timeline.event_at(story);
        let since = self.timeline.told_at(event);
        let story_ms = self.timeline.story_of(since).unwrap_or(0.0);
        let fresh_from = self.fresh_from(recording, story);
        let scene = self.shot(recording, event, fresh_from, gaze);
        let now_ms = self.timeline.now_ms(recording, story);
        let last = Moment { story_ms, scene: &scene };
        motion::frame_after(&earlier, last, story, now_ms, layout)
    }

    /// The scene in force at a story time.
    pub fn scene(&mut self, recording: &Recording, story: StoryMs, gaze: &Gaze) -> Rc<Scene> {
        self.follow(recording);
        let event = self.timeline.event_at(story);
        let fresh_from = self.fresh_from(recording, story);
        self.shot(recording, event, fresh_from, gaze)
    }

    /// Where everything was in the last moments, oldest first, each with the story time of the told
    /// event after which it was so.
    ///
    /// Told events set things in motion; what happens in the background takes effect at once. So of
    /// each stretch between two told events its last scene counts, as it was when the next one came.
    fn earlier_places(
        &mut self,
        recording: &Recording,
        story: StoryMs,
        layout: &Layout,
        gaze: &Gaze,
    ) -> Vec<(StoryMs, Rc<Places>)> {
        if layout.is_still {
            return Vec::new();
        }
        let told = self.told_apart(story);
        let mut earlier = Vec::with_capacity(told.len());
        for event in told {
            let Some(before) = event.checked_sub(1) else { continue };
            let since = self.timeline.told_at(before);
            let story_ms = self.timeline.story_of(since).unwrap_or(0.0);
            earlier.push((story_ms, self.places(recording, event, layout, gaze)));
        }
        earlier
    }

    /// The told events of the last moments. Where hundreds are told at once, as when a thousand
    /// queues are assigned, no eye follows each hop: one in each short stretch is enough.
    fn told_apart(&self, story: StoryMs) -> Vec<EventSequence> {
        let told = self.timeline.told_between(story - LONGEST_HOP_MS, story);
        if told.len() <= MOST_MOMENTS {
            return told.to_vec();
        }
        let stretch_ms = LONGEST_HOP_MS / MOST_MOMENTS as f64;
        let stretch = |event: &EventSequence| {
            (self.timeline.story_of(*event).unwrap_or(0.0) / stretch_ms) as u64
        };
        let mut apart = told.to_vec();
        apart.dedup_by_key(|event| stretch(event));
        apart
    }

    /// Where everything was just before a told event.
    fn places(
        &mut self,
        recording: &Recording,
        event: EventSequence,
        layout: &Layout,
        gaze: &Gaze,
    ) -> Rc<Places> {
        let is_it =
            |stand: &&Stand| stand.event == event && stand.gaze == *gaze && stand.layout == *layout;
        if let Some(stand) = self.stands.iter().rev().find(is_it) {
            return stand.places.clone();
        }
        let moment = self.timeline.story_of(event).unwrap_or(0.0);
        let fresh_from = self.fresh_from(recording, moment);
        let scene = self.shot(recording, event.saturating_sub(1), fresh_from, gaze);
        let now_ms = recording.event(event).map_or(0, |it| it.at.ms()) as f64;
        let places = Rc::new(Places::in_scene(&scene, now_ms, layout));
        if self.stands.len() == SCENES {
            self.stands.pop_front();
        }
        self.stands.push_back(Stand {
            event,
            gaze: gaze.clone(),
            layout: layout.clone(),
            places: places.clone(),
        });
        places
    }

    /// The first event of the last two seconds of story that stays on the stage for a while.
    fn fresh_from(&self, recording: &Recording, story: StoryMs) -> EventSequence {
        let told = self.timeline.told_between(story - FRESH_MS, story).iter();
        let mut kinds = told.filter_map(|event| recording.event(*event));
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

    /// The story time of the next told event after `story`, of at least this importance; `None` if
    /// the film does not reach so far yet.
    pub fn step_forward(&self, story: StoryMs, least: Importance) -> Option<StoryMs> {
        let next = self.timeline.next_told(self.timeline.event_at(story), least.max(1))?;
        self.timeline.story_of(next)
    }

    /// The story time of the told event before the one in force, of at least this importance.
    pub fn step_back(&self, story: StoryMs, least: Importance) -> Option<StoryMs> {
        let here = self.timeline.told_at(self.timeline.event_at(story));
        let last = self.timeline.last_told(here, least.max(1))?;
        self.timeline.story_of(last)
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
