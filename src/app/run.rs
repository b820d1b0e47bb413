//! One open run: what it starts from, what happened, how it is told, and where we are in it.

use std::rc::Rc;

use super::action::Step;
use super::ask::{Ask, Subjects};
use super::player::Player;
use super::route::Moment;
use super::shown::DeedLine;
use crate::model::ids::ClientId;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::recording::{Intervention, Recording, Start};
use crate::scenario::{Scenario, presets};
use crate::scene::mark::MarkId;
use crate::sim::TaskBudget;
use crate::text::Language;
use crate::text::page::PageText;

/// Tasks in one frame's share of computing ahead.
const TASKS_PER_FRAME: TaskBudget = TaskBudget(2_000);

/// What is watched after the visitor's last act, at least.
const AFTER_AN_ACT: Millis = Millis::from_seconds(120);

pub struct Run {
    scenario: Rc<Scenario>,
    recording: Recording,
    pub player: Player,
    pub selected: Option<MarkId>,
    packed: String,
    /// The end of what is told.
    until: Millis,
    /// Where to go as soon as it is computed.
    wanted: Option<Moment>,
}

impl Run {
    pub fn new(scenario: Scenario, interventions: Vec<Intervention>) -> Run {
        let start = Start::new(scenario.setup.clone(), scenario.script.iter().cloned());
        let recording = Recording::new(start, interventions);
        let until = scenario.until;
        let mut run = Run {
            scenario: Rc::new(scenario),
            recording,
            player: Player::default(),
            selected: None,
            packed: String::new(),
            until,
            wanted: None,
        };
        run.changed();
        run
    }

    pub fn from_packed(packed: &str) -> Result<Run, PageText> {
        let name = packed.strip_prefix('1').unwrap_or(packed);
        let scenario = presets::by_name(name);
        let scenario = scenario.ok_or(PageText::NoSuchPreset { name: name.into() })?;
        Ok(Run::new(scenario, Vec::new()))
    }

    /// What the address says of it, its moment apart.
    pub fn packed(&self) -> &str {
        &self.packed
    }

    fn changed(&mut self) {
        self.packed = format!("1{}", self.scenario.id);
        let last = self.interventions().last().map(|last| last.at + AFTER_AN_ACT);
        self.until = self.until.max(last.unwrap_or_default());
        self.compute();
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

    pub fn scenario_with(&self, profile: Profile) -> Scenario {
        let mut scenario = (*self.scenario).clone();
        scenario.setup.profile = profile;
        scenario
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
        if let Some(moment) = self.wanted
            && self.is_known(moment)
        {
            self.wanted = None;
            self.go_to_moment(moment);
        }
    }

    pub fn is_complete(&self) -> bool {
        self.recording.reached() >= self.until
    }

    fn is_known(&self, moment: Moment) -> bool {
        self.recording.reached() >= moment.at.min(self.until)
    }

    pub fn percent(&self) -> u32 {
        let (reached, until) = (self.recording.reached().ms(), self.until.ms().max(1));
        (reached * 100 / until).min(100) as u32
    }

    /// Tells so much more of it.
    pub fn go_on(&mut self, span: Millis) {
        self.until += span;
        self.compute();
    }

    // --- where we are ---

    pub fn end_ms(&self) -> f64 {
        self.recording.reached().ms() as f64
    }

    pub fn now(&self) -> Millis {
        Millis::new(self.player.at_ms as u64)
    }

    pub fn is_at_end(&self) -> bool {
        self.is_complete() && self.player.at_ms >= self.end_ms()
    }

    pub fn moment(&self) -> Moment {
        Moment { at: self.now(), event: self.event_told() }
    }

    pub fn event_told(&self) -> Option<u32> {
        self.recording.events_until(self.now()).checked_sub(1)
    }

    pub fn last_key_event(&self) -> Option<u32> {
        self.event_told()
    }

    pub fn sentence(&self, event: u32, _language: Language) -> String {
        self.recording.event(event).map(|event| format!("{:?}", event.kind)).unwrap_or_default()
    }

    pub fn advance(&mut self, wall_ms: f64) {
        self.player.advance(wall_ms, self.recording.reached().ms() as f64);
    }

    pub fn tick(&mut self) {
        self.player.tick(self.recording.reached().ms() as f64);
    }

    pub fn go_to(&mut self, story_ms: f64) {
        self.player.at_ms = story_ms.clamp(0.0, self.end_ms());
    }

    pub fn go_to_event(&mut self, event: u32) {
        if let Some(event) = self.recording.event(event) {
            self.player.at_ms = event.at.ms() as f64;
        }
    }

    pub fn go_to_moment(&mut self, moment: Moment) {
        self.until = self.until.max(moment.at);
        if !self.is_known(moment) {
            self.wanted = Some(moment);
            return;
        }
        self.player.at_ms = moment.at.ms() as f64;
    }

    pub fn step(&mut self, step: Step) {
        match step {
            Step::Start => self.go_to(0.0),
            Step::End => self.go_to(self.end_ms()),
            Step::Event | Step::Key | Step::Fold => self.go_to(self.player.at_ms + 100.0),
            Step::EventBack | Step::KeyBack => self.go_to(self.player.at_ms - 100.0),
        }
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
