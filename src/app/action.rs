//! What a person, the browser or the frame loop did to the page, in the past tense.

use std::rc::Rc;

use super::ask::Ask;
use super::fault::{FaultField, Target, Verb};
use super::keys::KeyPress;
use super::player::Pace;
use super::settings::{Motion, Settings, Theme};
use crate::model::profile::Profile;
use crate::scene::log::LogKind;
use crate::scene::mark::MarkId;
use crate::text::Language;

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    // --- the browser ---
    /// The page starts: what the browser knows.
    Started(Box<Device>),
    /// The text after '#' changed by hand, by Back or by a link.
    HashChanged(String),
    MediaChanged(Media),
    PressedKey(KeyPress),
    /// So much wall time since the last frame, ms.
    FramePassed(f64),
    /// Half a second of still mode.
    Ticked,
    /// The tab was hidden or shown.
    Hidden(bool),
    /// Something that the browser was asked to do did not work.
    EffectFailed(Failure),
    /// Something that it was asked to do worked.
    EffectDone(Done),
    /// The list of kept runs is another one.
    RunsKept(KeptRuns),
    /// A newer version of the page has been fetched and waits to be used.
    NewVersionWaits,

    // --- where to ---
    OpenedStart,
    /// The yellow button: a preset is opened and plays at once.
    PlayedPreset(Rc<str>),
    /// A kept run gets a name of the person's own; an empty one takes it away.
    RenamedRun {
        id: String,
        name: String,
    },
    DeletedRun(String),
    /// The page is to begin anew in its new version.
    TookNewVersion,
    /// Not now: the notice is put away.
    LeftNewVersion,
    OpenedHelp,
    OpenedPreset(Rc<str>),
    /// A link's text was put into the field of the start page.
    PastedLink(String),

    // --- time ---
    PressedPlay,
    Stepped(Step),
    /// The scrub bar was moved to this story time, ms.
    MovedPlayhead(f64),
    /// A row of the log or of the journey was chosen.
    WentToEvent(u32),
    /// The why-chain was asked for: of an event, or of what is selected.
    AskedWhy(Option<u32>),
    /// A row of the chain has the pointer or the focus; `None`: it has left.
    LitUp(Option<u32>),
    CopiedWhy,
    ChosePace(Pace),
    /// "Go to a time": the field was opened, filled in, sent, and left.
    OpenedTimeField,
    TypedTime(String),
    EnteredTime,
    ClosedTimeField,
    /// To the next mark of the walkthrough.
    WalkedOn,
    WalkedBack,
    /// To a step of the walkthrough, by its place from 0.
    WalkedTo(usize),
    /// The walkthrough's bar was opened or put away.
    ToggledWalk,

    // --- the room ---
    /// The stage alone, or the whole page again.
    ToggledZoom,
    /// The screen went dark, or came back.
    Blanked(bool),
    /// The caption of this step was asked for or put away.
    ToggledCaption,
    ToggledCaptionsWait,
    ToggledFuture,
    /// The legend of the time bar was opened or closed.
    OpenedSigns(bool),

    // --- the panels ---
    Selected(Option<MarkId>),
    ChoseRail(RailTab),
    ChoseDock(DockTab),
    OpenedSheet(bool),
    /// On a phone a panel takes the card's place.
    OpenedPhonePanel(Option<PhonePanel>),
    ToggledKind(LogKind),
    ToggledBackground,
    /// The first row that can be seen.
    ScrolledLog(u32),
    ToggledDock,
    ToggledTree,
    ToggledTable,
    ToggledStopsAtBreak,
    ChoseChart(ChartKind),
    ClosedToast(u32),

    // --- the run ---
    Asked(Ask),
    /// What is to be acted on was chosen in the list.
    ChoseTarget(Option<Target>),
    /// A verb was pressed: done at once, or its form is opened.
    PressedVerb(Target, Verb),
    FilledField(FaultField, String),
    /// The form's button.
    PressedFault,
    /// A line of the visitor's own script was taken out, by its place.
    RemovedDeed(usize),
    PressedUndo,
    PressedRedo,
    ChoseProfile(Profile),
    PressedShare,

    // --- settings ---
    ChoseLanguage(Language),
    ChoseTheme(Theme),
    ChoseMotion(Motion),
    ToggledSingleKeys,
}

/// What the browser says of itself and of the person at the start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Device {
    pub hash: String,
    /// The languages that the person reads, best first, as tags.
    pub languages: Vec<String>,
    pub media: Media,
    pub settings: Settings,
    /// The runs of this person, newest first.
    pub runs: Vec<SavedRun>,
    /// The browser keeps nothing for this page.
    pub keeps_nothing: bool,
    /// A newer version of the page waits to be used.
    pub new_version: bool,
    /// A number by chance, from which the runs of this visit have their ids.
    pub visit: u64,
}

/// What media queries say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Media {
    /// The page's width and height, CSS px.
    pub width: f64,
    pub height: f64,
    pub prefers_dark: bool,
    pub prefers_still: bool,
}

/// A run of one's own, kept by the browser.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SavedRun {
    /// One for each run that was changed; a later state of it takes its place.
    pub id: String,
    /// The text after '#'.
    pub hash: String,
    /// For a list of a page that cannot read the address any more.
    pub title: String,
    /// What the person calls it.
    #[serde(default)]
    pub name: Option<String>,
    /// How many things the person did in it.
    pub deeds: u32,
    /// When it was kept last, ms since 1970; the browser's business.
    #[serde(default)]
    pub when_ms: u64,
    /// The same by the person's own clock: `2026-11-30 21:23`.
    #[serde(skip)]
    pub when: String,
}

/// The runs that the browser keeps, after something was kept or taken out, here or in another window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeptRuns {
    /// Newest first.
    pub runs: Vec<SavedRun>,
    /// How many of the oldest had to make room.
    pub dropped: u32,
    /// The last one could not be kept at all.
    pub is_full: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Event,
    EventBack,
    /// To the next event of importance 3.
    Key,
    KeyBack,
    Start,
    End,
    /// To the end of the fold that is under way, or to the next one.
    Fold,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RailTab {
    #[default]
    Inspect,
    Do,
    Why,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DockTab {
    #[default]
    Log,
    Charts,
    Sequence,
    Checks,
}

/// Which chart is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChartKind {
    #[default]
    Offsets,
    Shelf,
    Owners,
}

/// What can take the card's place on a phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhonePanel {
    Rail(RailTab),
    Dock(DockTab),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    Copy,
    Store,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    Copied,
    CopiedText,
}
