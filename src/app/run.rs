//! One open run: what it starts from, what happened, how it is told, and where we are in it.

use std::rc::Rc;

use super::action::Step;
use super::ask::{Ask, Subjects};
use super::log::{LogView, LogWish};
use super::player::Player;
use super::route::Moment;
use super::shown::{
    BrokerLine, ChartShown, DeedLine, DoShown, LogShown, MemberLine, ScaledLine, ScrubShown,
};
use super::{bar, hero, packed, series};
use crate::model::ids::ClientId;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::recording::{Intervention, Recording, Start};
use crate::scenario::link::{Link, MODEL_ID, Outcome};
use crate::scenario::{Scenario, presets};
use crate::scene::at_consumer::ProcessState;
use crate::scene::film::Film;
use crate::scene::frame::Frame;
use crate::scene::layout::{Layout, System};
use crate::scene::mark::MarkId;
use crate::scene::narrate::Narrator;
use crate::scene::of_world::Gaze;
use crate::scene::scene::Scene;
use crate::scene::series::Series;
use crate::sim::TaskBudget;
use crate::sim::event::EventKind;
use crate::text::Language;
use crate::text::page::PageText;

/// Tasks in one frame's share of computing ahead.
const TASKS_PER_FRAME: TaskBudget = TaskBudget(2_000);

/// The importance of a turn of the story.
const KEY: u8 = 3;

/// How far Play goes on beyond the end, at a time.
const GO_ON: Millis = Millis::from_seconds(60);

/// What is watched after the visitor's last act, at least.
const AFTER_AN_ACT: Millis = Millis::from_seconds(120);

pub struct Run {
    scenario: Rc<Scenario>,
    recording: Recording,
    film: Film,
    pub player: Player,
    pub selected: Option<MarkId>,
    link: Link,
    packed: String,
    /// How the run went where its link was made, until that was compared.
    expected: Option<Outcome>,
    made_with: u16,
    /// The end of what is told.
    until: Millis,
    /// Where to go as soon as it is computed.
    wanted: Option<Moment>,
    /// Computing goes on until the story is longer than this.
    beyond: Option<f64>,
    /// The message that this run is about.
    hero: Option<MarkId>,
    scrub: Rc<ScrubShown>,
    /// How many events and cuts there were when it was made, and for which width.
    scrub_of: Option<(u32, usize, u32)>,
    doing: Rc<DoShown>,
    scaled: Rc<Vec<ScaledLine>>,
    log: LogView,
    series: Series,
    chart: Rc<ChartShown>,
    /// What the chart was made for.
    chart_of: Option<(u64, Option<MarkId>, bool, usize)>,
}

impl Run {
    /// A preset as it is.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn preset(name: &str) -> Result<Run, PageText> {
        let known = presets::by_name(name);
        let scenario = known.ok_or_else(|| PageText::NoSuchPreset { name: name.into() })?;
        Run::from_link(Link::preset(name, scenario.setup.profile))
    }

    /// # Errors
    /// The sentence that says why the text is no run.
    pub fn from_packed(packed: &str) -> Result<Run, PageText> {
        Run::from_link(packed::read(packed)?)
    }

    /// # Errors
    /// The sentence that says why its scenario makes no sense.
    pub fn from_link(link: Link) -> Result<Run, PageText> {
        let scenario = link.scenario().map_err(|error| packed::sentence(&error))?;
        let start = Start::new(scenario.setup.clone(), scenario.script.iter().cloned());
        let recording = Recording::new(start, packed::interventions(&link));
        let scaled = scenario.scaled().into_iter().map(|it| ScaledLine {
            property: it.property.into(),
            value: it.value,
            default: it.default,
        });
        let mut run = Run {
            scaled: Rc::new(scaled.collect()),
            until: scenario.until,
            made_with: link.model_id,
            expected: Some(link.outcome).filter(|outcome| outcome.events > 0),
            scenario: Rc::new(scenario),
            recording,
            film: Film::new(),
            player: Player::default(),
            selected: None,
            packed: String::new(),
            link,
            wanted: None,
            beyond: None,
            hero: None,
            scrub: Rc::default(),
            scrub_of: None,
            doing: Rc::default(),
            log: LogView::default(),
            series: Series::default(),
            chart: Rc::default(),
            chart_of: None,
        };
        run.changed();
        Ok(run)
    }

    pub fn link(&self) -> &Link {
        &self.link
    }

    /// What the address says of it, its moment apart.
    pub fn packed(&self) -> &str {
        &self.packed
    }

    /// After what the visitor did is another thing than before.
    fn changed(&mut self) {
        let deeds = self.recording.interventions().iter();
        let deeds = deeds.map(|deed| (deed.at, (*deed.command).clone())).collect();
        self.link.interventions = deeds;
        self.link.outcome = Outcome::default();
        self.link.model_id = MODEL_ID;
        self.packed = packed::write(&self.link);
        self.until = self.until.max(self.watched());
        self.compute();
    }

    /// What is worth watching: as the scenario says, and for a while after the visitor's last act.
    fn watched(&self) -> Millis {
        let last = self.interventions().last().map(|last| last.at + AFTER_AN_ACT);
        self.scenario.until.max(last.unwrap_or_default())
    }

    /// Once the run is computed: the link says how it ends, so that whoever opens it can tell
    /// whether the same happens there.
    fn seal(&mut self) {
        if self.link.outcome.events == 0 {
            self.link.outcome = packed::outcome(&self.recording, self.watched());
            self.packed = packed::write(&self.link);
        }
    }

    /// Whether the run goes another way than where its link was made; asked once.
    pub fn take_difference(&mut self) -> Option<PageText> {
        let expected = self.expected.filter(|it| self.recording.reached() >= it.reached)?;
        self.expected = None;
        let found = packed::outcome(&self.recording, expected.reached);
        let made_with = self.made_with;
        (found != expected).then_some(PageText::StoryDiffers { made_with, this: MODEL_ID })
    }

    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    pub fn title(&self, language: Language) -> Rc<str> {
        match language {
            Language::En => self.scenario.title.en.as_str().into(),
            Language::ZhCn => self.scenario.title.zh.as_str().into(),
        }
    }

    pub fn profile(&self) -> Profile {
        self.scenario.setup.profile
    }

    /// The same run under another version of RocketMQ.
    pub fn link_with(&self, profile: Profile) -> Link {
        Link { profile, outcome: Outcome::default(), ..self.link.clone() }
    }

    pub fn interventions(&self) -> &[Intervention] {
        self.recording.interventions()
    }

    pub fn deed_count(&self) -> u32 {
        self.interventions().len() as u32
    }

    /// The same for all later states of a run that was changed: its scenario and its first act.
    pub fn id(&self) -> u64 {
        let first = self.interventions().first();
        let text = format!("{} {first:?}", self.scenario.id);
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, hash) >> 12
    }

    // --- computing ---

    /// Computes ahead for a share of a frame.
    pub fn compute(&mut self) {
        self.recording.extend_until(self.until, TASKS_PER_FRAME);
        self.film.follow(&self.recording);
        if let Some(end_ms) = self.beyond
            && self.recording.reached() >= self.until
        {
            match self.film.end() > end_ms || self.recording.limit().is_some() {
                true => self.beyond = None,
                false => self.until += GO_ON,
            }
        }
        if self.is_complete() {
            self.seal();
        }
        if let Some(moment) = self.wanted
            && self.is_known(moment)
        {
            self.wanted = None;
            self.go_to_moment(moment);
        }
    }

    pub fn is_complete(&self) -> bool {
        let is_reached = self.recording.reached() >= self.until && self.beyond.is_none();
        is_reached || self.recording.limit().is_some()
    }

    fn is_known(&self, moment: Moment) -> bool {
        self.recording.reached() >= moment.at.min(self.until)
    }

    pub fn percent(&self) -> u32 {
        let (reached, until) = (self.recording.reached().ms(), self.until.ms().max(1));
        (reached * 100 / until).min(100) as u32
    }

    /// Tells more of it: at least up to the next thing that is worth telling.
    pub fn go_on(&mut self) {
        self.beyond = Some(self.film.end());
        self.until += GO_ON;
        self.compute();
    }

    // --- where we are ---

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
        self.film.timeline().last_told(self.event_told() + 1, KEY)
    }

    pub fn narrator(&self) -> Narrator<'_> {
        Narrator::new(&self.recording, self.film.journal())
    }

    pub fn sentence(&self, event: u32, language: Language) -> String {
        let told = self.narrator().told_at(event);
        told.map(|told| told.sentence(language)).unwrap_or_default()
    }

    pub fn advance(&mut self, wall_ms: f64) {
        let (known_ms, is_end) = (self.film.end(), self.is_complete());
        self.player.advance(wall_ms, known_ms, is_end);
    }

    pub fn tick(&mut self) {
        let (known_ms, is_end) = (self.film.end(), self.is_complete());
        self.player.tick(known_ms, is_end);
    }

    pub fn go_to(&mut self, story_ms: f64) {
        self.player.at_ms = story_ms.clamp(0.0, self.end_ms());
    }

    pub fn go_to_event(&mut self, event: u32) {
        if let Some(story_ms) = self.film.story_of(event) {
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
        let told = moment.event.filter(|event| {
            self.recording.event(*event).is_some_and(|event| event.at <= moment.at)
        });
        let told_at = told.and_then(|event| self.recording.event(event)).map(|event| event.at);
        let by_time = self.film.story_at(&self.recording, moment.at);
        let story_ms = match told.and_then(|event| self.film.story_of(event)) {
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
                next.map(|fold| match fold.story_from <= at_ms {
                    true => fold.story_to,
                    false => fold.story_from,
                })
            }
        };
        if let Some(to) = to {
            self.go_to(to);
        }
    }

    // --- the picture ---

    /// What the marker follows: the selection, else what this run is about.
    pub fn followed(&mut self) -> Option<MarkId> {
        if self.hero.is_none() && self.is_complete() {
            self.hero = hero::of(&self.recording);
        }
        self.selected.clone().or_else(|| self.hero.clone())
    }

    fn gaze(&mut self) -> Gaze {
        Gaze { group: None, followed: self.followed() }
    }

    pub fn scene(&mut self) -> Rc<Scene> {
        let gaze = self.gaze();
        self.film.scene(&self.recording, self.player.at_ms, &gaze)
    }

    pub fn frame(&mut self, layout: &Layout) -> Frame {
        let gaze = self.gaze();
        self.film.frame(&self.recording, self.player.at_ms, layout, &gaze)
    }

    /// The coordinate system for a page of this width: by the most that the run has at its end.
    pub fn system(&mut self, page_width: f64) -> System {
        let queues = self.scenario.setup.topics.iter().map(|it| it.config.write_queue_nums).max();
        let consumers = self.recording.head().world().clients.iter();
        let consumers = consumers.filter(|client| !client.consumers.is_empty()).count();
        System::for_page(page_width, queues.unwrap_or(0) as usize, consumers)
    }

    /// The bar's signs, made anew only when the run has grown or changed.
    pub fn scrub(&mut self, width_px: f64) -> Rc<ScrubShown> {
        let key = (self.recording.event_count(), self.recording.cut_count(), width_px as u32);
        if self.scrub_of != Some(key) {
            let script = self.recording.start().script.len() as u32;
            let recording = &self.recording;
            let is_own = |event| match recording.event(event).map(|event| &event.kind) {
                Some(EventKind::CommandApplied { index }) => *index >= script,
                _ => false,
            };
            self.scrub = Rc::new(bar::scrub(&self.film, width_px.max(1.0), is_own));
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

    /// The log around the first row that can be seen.
    pub fn log(&mut self, wish: &LogWish, language: Language) -> Rc<LogShown> {
        let event = self.event_told();
        self.log.shown(&self.recording, &self.film, event, wish, language)
    }

    /// The row of the log that is in force.
    pub fn log_row(&mut self, wish: &LogWish) -> Option<u32> {
        let event = self.event_told();
        self.log.place_of(&self.recording, &self.film, event, wish)
    }

    /// The numbers of the queue that is selected, or of the first.
    pub fn chart(&mut self, layout: &Layout, is_table: bool) -> Rc<ChartShown> {
        let scene = self.scene();
        let key =
            (self.chart_moment(), layout.spotlight.clone(), is_table, self.recording.cut_count());
        if self.chart_of.as_ref() != Some(&key) {
            self.chart_of = Some(key);
            self.series.follow(&self.recording);
            let recorded = self.scenario.recorded.as_ref();
            let now = self.now();
            self.chart = Rc::new(series::chart(&self.series, &scene, layout, now, recorded));
            Rc::make_mut(&mut self.chart).is_table = is_table;
        }
        self.chart.clone()
    }

    /// While the run plays the chart is drawn twice a second of story at most.
    fn chart_moment(&self) -> u64 {
        let step = if self.player.is_playing { 500.0 * self.player.pace.factor() } else { 1.0 };
        (self.player.at_ms / step) as u64
    }

    // --- acting ---

    fn subjects(&self) -> Subjects {
        let world = self.recording.head().world();
        let taken: Vec<ClientId> = world.clients.iter().map(|it| it.client_id.clone()).collect();
        Subjects::of(&self.scenario, &taken, self.interventions().len())
    }

    pub fn act(&mut self, ask: &Ask) -> Result<(), String> {
        let command = ask.command(&self.subjects()).ok_or_else(String::new)?;
        self.recording.act(self.now(), command).map_err(|error| error.to_string())?;
        self.changed();
        Ok(())
    }

    pub fn undo(&mut self) -> bool {
        let did = self.recording.undo().is_some();
        self.changed();
        did
    }

    pub fn redo(&mut self) -> bool {
        let did = self.recording.redo().is_some();
        self.changed();
        did
    }

    pub fn can_undo(&self) -> bool {
        self.recording.can_undo()
    }

    pub fn can_redo(&self) -> bool {
        self.recording.can_redo()
    }

    pub fn deed_lines(&self, language: Language) -> Vec<DeedLine> {
        let line = |deed: &Intervention| DeedLine {
            at: deed.at,
            sentence: super::deeds::sentence(&deed.command).say(language).into_owned(),
        };
        self.interventions().iter().map(line).collect()
    }
}
