//! What the regions of the page are given to show: small values, made anew only when they change.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::action::{DockTab, PhonePanel, RailTab};
use super::fault::{FaultShown, Target, Verb};
use super::player::Pace;
use super::room::Room;
use super::settings::Theme;
use super::time_field::TimeField;
use super::why::WhyShown;
use crate::model::ids::{BrokerName, ClientId};
use crate::model::profile::Profile;
use crate::model::time::Millis;
pub use crate::scenario::presets::Subject;
use crate::scene::checks::State as CheckState;
use crate::scene::frame::Frame;
use crate::scene::inspect::Inspection;
use crate::scene::layout::System;
use crate::scene::log::LogKind;
use crate::scene::mark::MarkId;
use crate::scene::scene::Scene;
use crate::scene::scrub::ScrubSign;
use crate::scene::sequence::Sequence;
use crate::text::charts::ChartText;
use crate::text::checks::{FindingText, RuleText, ScopeText};
use crate::text::{Language, Term};

/// The transport's clock and buttons.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeShown {
    pub now: Millis,
    pub is_playing: bool,
    pub pace: Pace,
    pub at_ms: f64,
    pub end_ms: f64,
    /// The run is not computed to its end yet; how much of it is, in hundredths.
    pub percent: u32,
    pub can_undo: bool,
    pub can_redo: bool,
}

impl TimeShown {
    pub fn can_step_back(&self) -> bool {
        self.at_ms > 0.0
    }

    pub fn can_step(&self) -> bool {
        self.at_ms < self.end_ms
    }

    /// Where a moment of story time lies on the bar, in hundredths of its length.
    pub fn percent_of(&self, story_ms: f64) -> f64 {
        percent_of(story_ms, self.end_ms)
    }
}

pub fn percent_of(story_ms: f64, end_ms: f64) -> f64 {
    if end_ms <= 0.0 { 0.0 } else { (story_ms / end_ms * 100.0).clamp(0.0, 100.0) }
}

/// What stands on the scrub bar; it changes only when the run does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScrubShown {
    pub end_ms: f64,
    pub folds: Vec<FoldBar>,
    pub markers: Vec<Marker>,
    /// The real deliveries beside the model's, story ms.
    pub real_ms: Vec<f64>,
    /// Figures of the model's time.
    pub scale: Vec<Tick>,
}

/// A round time of the model, and where it lies in the story.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    pub at_ms: f64,
    pub at: Millis,
}

/// The walkthrough at its moment.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkShown {
    /// What to watch for.
    pub watch: Rc<str>,
    /// What it means; nothing on the way to the mark, so that one looks before one reads.
    pub meaning: Option<Rc<str>>,
    /// What the words of this mark are that none before it has, explained.
    pub terms: Vec<TermLine>,
    /// The mark that was reached last, from 1; 0 before the first.
    pub number: usize,
    /// The words are those of the next mark, to which the run plays.
    pub is_coming: bool,
    pub count: usize,
    /// The caption speaks of what is seen now.
    pub holds: bool,
    /// There are captions for this release only, and another one is shown.
    pub other_release: Option<Profile>,
    /// The visitor did something, and the run goes another way than the captions say.
    pub is_left_by_act: bool,
    pub can_go_back: bool,
    pub can_go_on: bool,
    pub is_on_the_way: bool,
}

impl WalkShown {
    /// Both sentences.
    pub fn caption(&self, language: Language) -> String {
        let between = if language == Language::ZhCn { "" } else { " " };
        match &self.meaning {
            Some(meaning) => format!("{}{between}{meaning}", self.watch),
            None => self.watch.to_string(),
        }
    }
}

/// A term at its first use in a walkthrough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermLine {
    pub word: Rc<str>,
    /// RocketMQ's own name for it.
    pub class: Option<&'static str>,
    /// Half a sentence.
    pub is: &'static str,
}

/// A wait that is told short.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoldBar {
    pub from_ms: f64,
    pub to_ms: f64,
}

/// A sign on the bar (UX 4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    pub at_ms: f64,
    /// The model's time there.
    pub at: Millis,
    pub sign: ScrubSign,
}

/// The fold under the playhead: its sentence, and how much of it is left.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldNow {
    pub bar: FoldBar,
    pub left: Millis,
    pub sentence: String,
}

/// One line of what the visitor did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeedLine {
    pub at: Millis,
    pub sentence: String,
}

/// A property of the consumers that is not RocketMQ's default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaledLine {
    pub property: Rc<str>,
    pub value: i64,
    pub default: i64,
}

/// A preset as the start page offers it.
#[derive(Clone, Debug, PartialEq)]
pub struct PresetLine {
    pub name: &'static str,
    pub subject: Subject,
    pub title: Say,
}

/// A sentence that an author wrote in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Say {
    pub en: Rc<str>,
    pub zh: Rc<str>,
}

impl Say {
    pub fn say(&self, language: Language) -> Rc<str> {
        match language {
            Language::En => self.en.clone(),
            Language::ZhCn => self.zh.clone(),
        }
    }
}

/// What the "Do" panel offers at this moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DoShown {
    pub can_send: bool,
    pub queues: u32,
    pub can_add: bool,
    pub members: Vec<MemberLine>,
    pub brokers: Vec<BrokerLine>,
    pub deeds: Vec<DeedLine>,
    pub can_undo: bool,
    pub can_redo: bool,
}

/// A consumer process that can be acted on.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberLine {
    pub client_id: ClientId,
    pub label: Rc<str>,
    pub is_frozen: bool,
    /// It reads at least one queue.
    pub has_queues: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BrokerLine {
    pub name: BrokerName,
    pub is_up: bool,
}

/// What can be done to the selected thing.
#[derive(Clone, Debug, PartialEq)]
pub struct VerbsShown {
    pub target: Target,
    /// Whether the verb asks for something first.
    pub verbs: Vec<(Verb, bool)>,
}

/// All that the page of a run shows.
#[derive(Clone, Debug, PartialEq)]
pub struct RunShown {
    pub title: Rc<str>,
    pub profile: Profile,
    pub theme: Theme,
    pub system: System,
    /// How the window is shared out.
    pub room: Room,
    /// The page's width and height, CSS px.
    pub page: (u32, u32),
    pub time: TimeShown,
    pub scrub: Rc<ScrubShown>,
    pub fold: Option<FoldNow>,
    /// Nothing where the scenario has no marks.
    pub walk: Option<WalkShown>,
    pub walk_is_open: bool,
    pub frame: Rc<Frame>,
    pub scene: Rc<Scene>,
    pub now_ms: f64,
    pub selected: Option<MarkId>,
    pub rail: RailTab,
    pub dock: DockTab,
    pub sheet_is_open: bool,
    pub phone: Option<PhonePanel>,
    pub about: Rc<str>,
    pub scaled: Rc<Vec<ScaledLine>>,
    pub doing: Rc<DoShown>,
    pub inspect: Option<Rc<InspectShown>>,
    /// The verbs of what is inspected.
    pub verbs: Option<Rc<VerbsShown>>,
    /// The form of faults, while it is looked at.
    pub faults: Option<Rc<FaultShown>>,
    /// The why-chain, while it is looked at.
    pub why: Option<Rc<WhyShown>>,
    /// What the event of a why-chain's row is about.
    pub lit: Rc<BTreeSet<MarkId>>,
    pub log: Rc<LogShown>,
    pub chart: ChartsShown,
    pub chart_is_table: bool,
    /// Made only while it can be seen.
    pub sequence: Rc<SequenceShown>,
    pub checks: Rc<ChecksShown>,
    pub banner: Option<BreakShown>,
    /// Where something is broken: of each break its objects, the closest first.
    pub badges: Vec<Vec<MarkId>>,
    /// The screen is dark.
    pub is_blank: bool,
    /// "Go to a time", while it is open.
    pub time_field: Option<TimeField>,
    pub signs_are_open: bool,
    /// The caption waits until it is asked for.
    pub caption_is_hidden: bool,
    /// The bar and the log do not show what is still to come.
    pub hides_future: bool,
}

impl RunShown {
    /// The moment that the stage's twin tells: whole seconds while the run plays, so that it is not
    /// written anew each frame.
    pub fn twin_now(&self) -> Millis {
        match self.time.is_playing {
            true => Millis::from_seconds(self.time.now.ms() / 1_000),
            false => self.time.now,
        }
    }
}

/// The sequence of calls around the moment shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SequenceShown {
    pub sequence: Sequence,
}

/// What is on the shelf of a queue over time, up to the moment shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShelfShown {
    /// Empty when there is no queue yet.
    pub queue: Rc<str>,
    pub now: Millis,
    pub count: Vec<(Millis, i64)>,
    pub span: Vec<(Millis, i64)>,
    /// `pullThresholdForQueue`.
    pub count_limit: i64,
    /// `consumeConcurrentlyMaxSpan`; in orderly mode there is none.
    pub span_limit: Option<i64>,
}

/// Who owned each queue of the group, up to the moment shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnersShown {
    pub now: Millis,
    pub is_orderly: bool,
    pub rows: Vec<OwnersLine>,
    pub summary: Option<ChartText>,
}

/// One queue. Stretches are from and until.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnersLine {
    pub label: Rc<str>,
    /// The lock at the broker; in concurrent mode the ownership.
    pub bars: Vec<OwnerBar>,
    pub beliefs: Vec<OwnerBar>,
    pub gaps: Vec<(Millis, Millis)>,
    pub overlaps: Vec<(Millis, Millis)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct OwnerBar {
    pub who: Rc<str>,
    pub from: Millis,
    pub until: Millis,
    /// From here on the owner's process was gone.
    pub gone: Option<Millis>,
}

/// The chart that is chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum ChartsShown {
    Offsets(Rc<ChartShown>),
    Shelf(Rc<ShelfShown>),
    Owners(Rc<OwnersShown>),
}

/// The live checks at the moment shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChecksShown {
    /// Conditions first, then invariants.
    pub lines: Vec<CheckLine>,
    pub broken: u32,
    pub of: u32,
    pub stops_at_break: bool,
    /// Not all of the run is checked yet.
    pub is_checking: bool,
}

/// One rule.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckLine {
    pub rule: RuleText,
    pub scope: ScopeText,
    pub state: CheckState,
    /// What broke it, or will.
    pub finding: Option<FindingText>,
}

/// A break that just happened.
#[derive(Clone, Debug, PartialEq)]
pub struct BreakShown {
    pub event: u32,
    /// What to select.
    pub object: Option<MarkId>,
    /// All that is broken, the closest first.
    pub objects: Vec<MarkId>,
    pub sentence: String,
}

/// A stretch of the event log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogShown {
    /// Rows in all, with the present filters.
    pub total: u32,
    /// The place of the first row of the stretch.
    pub first: u32,
    pub rows: Vec<LogLine>,
    /// The row of the moment shown; those after it are still to come.
    pub now: Option<u32>,
    /// Kinds that are left out.
    pub hidden: BTreeSet<LogKind>,
    pub background: bool,
}

/// One event as a row.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLine {
    pub event: u32,
    pub at: Millis,
    pub who: String,
    /// Number and name together.
    pub code: Option<String>,
    /// The kind of call that the number says.
    pub term: Option<Term>,
    pub subject: Rc<str>,
    pub result: String,
    pub source: &'static str,
    pub is_background: bool,
}

/// The offsets of one queue over time, up to the moment shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartShown {
    /// `q0`; empty when there is no queue yet.
    pub queue: Rc<str>,
    pub now: Millis,
    pub max: Vec<(Millis, i64)>,
    pub pull: Vec<(Millis, i64)>,
    pub committed: Vec<(Millis, i64)>,
    /// C as its reader would report it.
    pub client: Vec<(Millis, i64)>,
    /// Who reads it: `c1`.
    pub reader: Rc<str>,
    /// Moments at which the real RocketMQ delivered from this queue.
    pub real: Vec<Millis>,
}

/// What is told of the selected thing.
#[derive(Clone, Debug, PartialEq)]
pub struct InspectShown {
    pub told: Inspection,
    pub now: Millis,
    /// A ProcessQueue is shown as its tree.
    pub is_tree: bool,
}
