//! What a run shows at its moment: each part is made anew only when something it shows has changed.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Run;
use crate::app::action::ChartKind;
use crate::app::log::LogWish;
use crate::app::shown::{
    BrokerLine, ChartsShown, DoShown, InspectShown, LogShown, MemberLine, ScaledLine, ScrubShown,
    SequenceShown,
};
use crate::app::why::{self, WhyShown};
use crate::app::{bar, hero, series};
use crate::model::ids::GroupName;
use crate::model::time::Millis;
use crate::scene::at_consumer::ProcessState;
use crate::scene::concerns::concerns;
use crate::scene::frame::Frame;
use crate::scene::layout::Layout;
use crate::scene::mark::MarkId;
use crate::scene::narrate::Narrator;
use crate::scene::of_world::Gaze;
use crate::scene::plan;
use crate::scene::scene::Scene;
use crate::sim::event::EventKind;
use crate::text::Language;
use crate::text::inspect::InspectText;

impl Run {
    /// What the marker follows: the selection, else what this run is about.
    pub fn followed(&mut self) -> Option<MarkId> {
        if self.hero.is_none() && self.is_complete() {
            self.hero = hero::of(&self.recording);
        }
        let hero =
            self.hero.as_ref().filter(|hero| hero.until.is_none_or(|until| self.now() < until));
        self.selected.clone().or_else(|| hero.map(|hero| hero.mark.clone()))
    }

    /// The group of the selected process; `None` for the first one.
    fn group_looked_at(&self) -> Option<GroupName> {
        let process = plan::process_of(self.selected.as_ref()?)?;
        let mut clients = self.recording.head().world().clients.iter();
        let client = clients.find(|client| client.process == process)?;
        client.consumers.keys().next().cloned()
    }

    pub(super) fn gaze(&mut self) -> Gaze {
        Gaze { group: self.group_looked_at(), followed: self.followed() }
    }

    pub fn scene(&mut self) -> Rc<Scene> {
        let gaze = self.gaze();
        self.film.scene(&self.recording, self.player.at_ms, &gaze)
    }

    pub fn frame(&mut self, layout: &Layout) -> Frame {
        let gaze = self.gaze();
        match self.player.is_a_blur() {
            true => self.film.state(&self.recording, self.player.at_ms, layout, &gaze),
            false => {
                let mut frame = self.film.frame(&self.recording, self.player.at_ms, layout, &gaze);
                if self.player.is_playing && !layout.is_still {
                    self.film.light_what_waits(&mut frame, self.player.at_ms);
                }
                frame
            }
        }
    }

    /// Whether it has more queues or consumers at any time than the small drawing shows in full. Asked of
    /// its end, so that the stage does not change its form while it plays.
    pub fn holds_much(&self) -> bool {
        let queues = self.scenario.setup.topics.iter().map(|it| it.config.write_queue_nums).max();
        let consumers = self.recording.head().world().clients.iter();
        let consumers = consumers.filter(|client| !client.consumers.is_empty()).count();
        queues.unwrap_or(0) > 2 || consumers > 2
    }

    /// Whether it is a walkthrough.
    pub fn has_marks(&self) -> bool {
        !self.scenario.marks.is_empty()
    }

    /// The end of what is told so far.
    pub fn told_until(&self) -> Millis {
        self.until
    }

    /// The bar's signs, made anew only when the run has grown or changed.
    pub fn scrub(&mut self, width_px: f64) -> Rc<ScrubShown> {
        let breaks = self.break_marks();
        let (events, cuts) = (self.recording.event_count(), self.recording.cut_count());
        let key = (events, cuts, width_px as u32, breaks.len());
        if self.scrub_of != Some(key) {
            let script = self.recording.start().script.len() as u32;
            let recording = &self.recording;
            let is_own = |event| match recording.event(event).map(|event| &event.kind) {
                Some(EventKind::CommandApplied { index }) => *index >= script,
                _ => false,
            };
            let stars = self.stars();
            let signs = (&*stars, &*breaks);
            let mut scrub = bar::scrub(&self.film, signs, width_px.max(1.0), is_own);
            let real = self.scenario.recorded.iter().flat_map(|recorded| &recorded.deliveries);
            scrub.real_ms = real.map(|it| self.film.story_at(&self.recording, it.begin)).collect();
            for marker in &mut scrub.markers {
                let now_ms = self.film.timeline().now_ms(&self.recording, marker.at_ms);
                marker.at = Millis::new((now_ms + 0.001) as u64);
            }
            let story_of = |at| self.film.story_at(&self.recording, at);
            let until = self.until.min(self.recording.reached());
            scrub.scale = bar::scale(until, self.film.end(), width_px.max(1.0), story_of);
            self.scrub = Rc::new(scrub);
            self.scrub_of = Some(key);
        }
        self.scrub.clone()
    }

    /// What is set smaller than RocketMQ has it.
    pub fn scaled(&self) -> Rc<Vec<ScaledLine>> {
        self.scaled.clone()
    }

    /// Who can be acted on now, and what was done so far.
    pub fn doing(&mut self, language: Language) -> Rc<DoShown> {
        let scene = self.scene();
        let subjects = self.subjects();
        let is_there = |state: &ProcessState| {
            !matches!(state, ProcessState::Stopped { .. } | ProcessState::Crashed { .. })
        };
        let queues =
            || scene.brokers.iter().flat_map(|it| it.queues.iter().chain(&it.retry_queues));
        let reads = |label: &str| queues().any(|queue| queue.reader.as_deref() == Some(label));
        let members = scene.consumers.iter().filter(|it| is_there(&it.state));
        let doing = DoShown {
            can_send: subjects.topic.is_some(),
            queues: subjects.queues,
            can_add: subjects.pattern.is_some(),
            members: members
                .map(|it| MemberLine {
                    client_id: it.client_id.clone(),
                    label: it.label.clone(),
                    is_frozen: matches!(it.state, ProcessState::Frozen { .. }),
                    has_queues: reads(&it.label),
                })
                .collect(),
            brokers: scene
                .brokers
                .iter()
                .map(|it| BrokerLine { name: it.name.clone(), is_up: it.is_up })
                .collect(),
            deeds: self.deed_lines(language),
            can_undo: self.can_undo(),
            can_redo: self.can_redo(),
        };
        if *self.doing != doing {
            self.doing = Rc::new(doing);
        }
        self.doing.clone()
    }

    /// What is told of the selected thing, or of what the run is about once it is there.
    pub fn inspect(&mut self, is_tree: bool) -> Option<Rc<InspectShown>> {
        let Some(mark) = self.followed() else {
            (self.inspect, self.inspect_of) = (None, None);
            return None;
        };
        let step = if self.player.is_playing { 100.0 } else { 1.0 };
        let now = Millis::new(((self.now_ms() + 0.001) / step) as u64 * step as u64);
        let key = (self.event_told(), self.recording.cut_count(), mark, now, is_tree);
        if self.inspect_of.as_ref() != Some(&key) {
            let gaze = self.gaze();
            let story_ms = self.player.at_ms;
            let told = self.film.inspect(&self.recording, story_ms, &gaze, &key.2);
            let is_gone = told.what == InspectText::Gone && self.selected.is_none();
            self.inspect = (!is_gone).then(|| Rc::new(InspectShown { told, now, is_tree }));
            self.inspect_of = Some(key);
        }
        self.inspect.clone()
    }

    /// The why-chain that was asked for; else of the last event about what is followed.
    pub fn why(&mut self, language: Language) -> Rc<WhyShown> {
        let now = self.event_told();
        let event = self.asked.or_else(|| {
            let shown = self.inspect.as_ref()?;
            shown.told.cause.as_ref().map(|cause| cause.event)
        });
        let event = event.or_else(|| self.last_key_event()).unwrap_or(now);
        let key = (event, now, self.recording.cut_count(), self.recording.event_count(), language);
        if self.why_of != Some(key) {
            self.why_of = Some(key);
            self.why = Rc::new(why::shown(&self.recording, &self.film, event, now, language));
        }
        self.why.clone()
    }

    /// The marks of a frame that an event is about: the things themselves where any is drawn, else
    /// the machine.
    pub fn lit(&self, event: u32, frame: &Frame) -> BTreeSet<MarkId> {
        let Some(event) = self.recording.event(event) else { return BTreeSet::new() };
        let ids = frame.marks.iter().filter_map(|mark| mark.id.as_ref());
        let (machines, things): (Vec<&MarkId>, Vec<&MarkId>) =
            ids.filter(|id| concerns(event, id)).partition(|id| id.is_machine());
        let chosen = if things.is_empty() { machines } else { things };
        chosen.into_iter().cloned().collect()
    }

    /// The log around the first row that can be seen.
    pub fn log(&mut self, wish: &LogWish, language: Language) -> Rc<LogShown> {
        let event = self.event_told();
        self.log.shown(&self.recording, &self.film, event, wish, language)
    }

    /// The sequence of calls around the event in force.
    pub fn sequence(&mut self) -> Rc<SequenceShown> {
        let key = (self.event_told(), self.recording.cut_count(), self.recording.event_count());
        if self.sequence_of != Some(key) {
            let sequence = self.log.sequence(&self.recording, &self.film, key.0);
            self.sequence = Rc::new(SequenceShown { sequence });
            self.sequence_of = Some(key);
        }
        self.sequence.clone()
    }

    /// The row of the log that is in force.
    pub fn log_row(&mut self, wish: &LogWish) -> Option<u32> {
        let event = self.event_told();
        self.log.place_of(&self.recording, &self.film, event, wish)
    }

    /// The chart that is chosen, of the queue that is selected, or of the first.
    pub fn chart(&mut self, layout: &Layout, kind: ChartKind) -> ChartsShown {
        let scene = self.scene();
        let cuts = self.recording.cut_count();
        let key = (self.chart_moment(), layout.spotlight.clone(), kind, cuts);
        if self.chart_of.as_ref() != Some(&key) {
            self.chart_of = Some(key);
            let (now, world) = (self.now(), self.recording.head().world());
            self.chart = match kind {
                ChartKind::Offsets => {
                    self.series.follow(&self.recording);
                    let recorded = self.scenario.recorded.as_ref();
                    let chart = series::chart(&self.series, &scene, layout, now, recorded);
                    ChartsShown::Offsets(Rc::new(chart))
                }
                ChartKind::Shelf => {
                    self.series.follow(&self.recording);
                    let shelf = series::shelf(&self.series, &scene, layout, now, world);
                    ChartsShown::Shelf(Rc::new(shelf))
                }
                ChartKind::Owners => {
                    self.owners.follow(&self.recording);
                    let narrator = Narrator::new(&self.recording, self.film.journal());
                    let owners = series::owners(&self.owners, &scene, now, &narrator, world);
                    ChartsShown::Owners(Rc::new(owners))
                }
            };
        }
        self.chart.clone()
    }

    /// While the run plays the chart is drawn twice a second of story at most.
    fn chart_moment(&self) -> u64 {
        let step = if self.player.is_playing { 500.0 * self.player.pace.factor() } else { 1.0 };
        (self.player.at_ms / step) as u64
    }
}
