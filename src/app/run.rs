//! One open run: what it starts from, what happened, how it is told, and where we are in it.

use std::rc::Rc;

use super::action::ChartKind;
use super::fault::Around;
use super::hero::Hero;
use super::log::LogView;
use super::packed;
use super::player::Player;
use super::route::Moment;
use super::shown::{
    ChartsShown, ChecksShown, DoShown, InspectShown, ScaledLine, ScrubShown, SequenceShown,
};
use super::walk::Walk;
use super::why::WhyShown;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::recording::{Intervention, Recording, Start};
use crate::scenario::link::{Link, MODEL_ID, Outcome};
use crate::scenario::walk::Focus;
use crate::scenario::{Scenario, presets};
use crate::scene::checks::Checks;
use crate::scene::film::Film;
use crate::scene::mark::MarkId;
use crate::scene::owners::Owners;
use crate::scene::series::Series;
use crate::scene::timeline::Telling;
use crate::sim::TaskBudget;
use crate::text::Language;
use crate::text::page::PageText;

mod acting;
mod checking;
mod moment;
mod picture;
mod walking;

pub use self::moment::Stops;

/// Tasks in one frame's share of computing ahead.
const TASKS_PER_FRAME: TaskBudget = TaskBudget(2_000);

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
    /// The event whose why-chain is shown; `None`: the last one about what is selected.
    pub asked: Option<u32>,
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
    checks: Checks,
    checks_shown: Rc<ChecksShown>,
    /// The message that this run is about.
    hero: Option<Hero>,
    walk: Walk,
    /// "Next" was pressed before its mark was known.
    wants_mark: bool,
    scrub: Rc<ScrubShown>,
    /// How many events, cuts and broken checks there were when it was made, and for which width.
    scrub_of: Option<(u32, usize, u32, usize)>,
    doing: Rc<DoShown>,
    scaled: Rc<Vec<ScaledLine>>,
    log: LogView,
    series: Series,
    owners: Owners,
    sequence: Rc<SequenceShown>,
    /// Event, cuts and events in all for which it was made.
    sequence_of: Option<(u32, usize, u32)>,
    chart: ChartsShown,
    inspect: Option<Rc<InspectShown>>,
    /// Event, cuts, thing, moment and form for which it was made.
    inspect_of: Option<(u32, usize, MarkId, Millis, bool)>,
    around: Rc<Around>,
    /// Event, cuts and events for which it was made.
    around_of: Option<(u32, usize, u32)>,
    why: Rc<WhyShown>,
    /// Event, the one in force, cuts and events for which it was made.
    why_of: Option<(u32, u32, usize, u32, Language)>,
    /// What the chart was made for.
    chart_of: Option<(u64, Option<MarkId>, ChartKind, usize)>,
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
        let telling = telling(&scenario);
        let opening = Moment { at: scenario.begin, event: None };
        let mut run = Run {
            scaled: Rc::new(scaled.collect()),
            walk: Walk::new(scenario.marks_told()),
            until: scenario.until,
            made_with: link.model_id,
            expected: Some(link.outcome).filter(|outcome| outcome.events > 0),
            scenario: Rc::new(scenario),
            recording,
            film: Film::telling(telling),
            player: Player::default(),
            selected: None,
            asked: None,
            packed: String::new(),
            link,
            // What lies before is told in a moment: one begins where the telling does.
            wanted: (opening.at > Millis::ZERO).then_some(opening),
            beyond: None,
            checks: Checks::default(),
            checks_shown: Rc::default(),
            hero: None,
            wants_mark: false,
            scrub: Rc::default(),
            scrub_of: None,
            doing: Rc::default(),
            log: LogView::default(),
            series: Series::default(),
            owners: Owners::default(),
            sequence: Rc::default(),
            sequence_of: None,
            chart: ChartsShown::Offsets(Rc::default()),
            chart_of: None,
            inspect: None,
            around: Rc::default(),
            around_of: None,
            why: Rc::default(),
            why_of: None,
            inspect_of: None,
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
        // Another run may be about another thing.
        self.hero = None;
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

    /// Computes ahead for a share of a frame.
    pub fn compute(&mut self) {
        self.recording.extend_until(self.until, TASKS_PER_FRAME);
        self.film.follow(&self.recording);
        self.walk.follow(&self.recording);
        self.check();
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
}

/// What a scenario wants told in full: the messages that its marks look at.
fn telling(scenario: &Scenario) -> Telling {
    let heroes = scenario.marks.iter().filter_map(|mark| match &mark.focus {
        Focus::Message(key) => Some(key.as_str().into()),
        _ => None,
    });
    Telling { begin: scenario.begin, heroes: heroes.collect(), ..Telling::default() }
}
