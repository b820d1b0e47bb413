//! The words around the stage: title bar, transport, rail, dock, start page, notices.

use std::borrow::Cow;
use std::rc::Rc;

use super::{Language, en_page, zh_page};
use crate::model::profile::Profile;
use crate::model::time::Millis;

/// A word or a sentence that says the same every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageWord {
    AppTitle,
    // title bar
    AllRuns,
    Help,
    Share,
    /// The name of the language that the control switches to, in that language.
    OtherLanguage,
    LanguageGroup,
    ThemeGroup,
    ThemeLight,
    ThemeDark,
    ThemeProjector,
    ProfileGroup,
    // transport
    Time,
    ToStart,
    BackKey,
    BackOne,
    Play,
    Pause,
    StepOne,
    StepKey,
    ToEnd,
    Speed,
    Fastest,
    Playhead,
    AtTheEnd,
    // walkthrough
    Walkthrough,
    NextMark,
    /// What "next" does while the run plays to the next mark.
    JumpToMark,
    NextMarkHow,
    LastMark,
    WalkSteps,
    PreviousMark,
    WalkLeft,
    // rail
    Panel,
    Inspect,
    Do,
    ClosePanel,
    OpenPanel,
    NothingSelected,
    PickSomething,
    Numbers,
    Why,
    Next,
    Source,
    Journey,
    Tree,
    TreeHint,
    Shelf,
    // do
    SendTitle,
    Count,
    QueueField,
    AnyQueue,
    Listener,
    Succeeds,
    FailsOnce,
    FailsTwice,
    FailsThrice,
    FailsAlways,
    TakesField,
    SendButton,
    GroupTitle,
    AddConsumer,
    StopConsumer,
    CrashConsumer,
    LoseHost,
    FreezeConsumer,
    ResumeConsumer,
    StopBroker,
    StartBroker,
    KillBroker,
    SendHere,
    Undo,
    Redo,
    YouDid,
    DidNothing,
    ActsHere,
    // left column
    Scenario,
    Parameters,
    RealDefaults,
    // dock
    Log,
    Charts,
    DockLabel,
    Filters,
    FilterSend,
    FilterPull,
    FilterConsume,
    FilterOffset,
    FilterRetry,
    FilterRebalance,
    FilterLock,
    FilterHeartbeat,
    FilterLife,
    FilterFault,
    FilterBackground,
    ColumnTime,
    ColumnActor,
    ColumnCode,
    ColumnSubject,
    ColumnResult,
    ColumnSource,
    /// Of a row of the log: it is to come.
    NotYet,
    LogEmpty,
    TableTwin,
    ChartOfNothing,
    AsChart,
    LagWord,
    // follow view
    // live region, twin
    // notices
    LinkCopied,
    CopyFailed,
    StoreFailed,
    Undone,
    Redone,
    CloseNotice,
    // start page
    StartHeadline,
    StartLead,
    StartPlay,
    DoorHappened,
    DoorHappenedLead,
    DoorYours,
    DoorYoursLead,
    NoRunsYet,
    PasteLink,
    OpenLink,
    NothingIsSent,
    SourceNote,
    PreviewLabel,
    SimplifiedHere,
    StoreIsFull,
    NewVersion,
    TakeNewVersion,
    RenameRun,
    NameOfRun,
    KeepName,
    DeleteRun,
    DeleteForGood,
    FewerOwnRuns,
    HowItWorks,
    SymptomNever,
    SymptomLag,
    SymptomStart,
    SymptomMoves,
    ShortHappyPath,
    ShortPoison,
    ShortSlow,
    ShortJoin,
    ShortStart,
    ShortCount,
    ShortSpan,
    ShortBroadcast,
    ShortNewGroup,
    ShortSendBack,
    ShortMore,
    ShortMixed,
    ShortSameId,
    ShortSlowStart,
    ShortSuspend,
    ShortSilence,
    ShortFrozen,
    ShortStopKill,
    ShortMaster,
    // groups of presets
    GroupFirstSteps,
    GroupFlow,
    GroupRetries,
    GroupRebalancing,
    GroupOrder,
    GroupFailures,
    SymptomSilent,
    SymptomTwice,
    SymptomIdle,
    SymptomHalf,
    RunsTitle,
    RunsLead,
    OpenDock,
    CloseDock,
    // unreadable link
    UnreadableTitle,
    UnreadableLead,
    UnreadableText,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageText {
    Word(PageWord),
    /// `1× speed`.
    Pace {
        sign: &'static str,
    },
    /// What was copied, pasted or typed names a preset that is not there.
    NoSuchPreset {
        name: Rc<str>,
    },
    NoSuchPage {
        text: Rc<str>,
    },
    /// Of a wait in fast-forward: how long it is, or how much of it is left.
    FoldLeft {
        left: Millis,
    },
    RealDefault {
        value: i64,
    },
    Deeds {
        count: u32,
    },
    /// What was done first and last in a kept run.
    FirstAndLast {
        first: Rc<str>,
        last: Rc<str>,
    },
    /// When a run was kept, by the person's clock, and the moment of the run that it opens at.
    KeptAt {
        when: Rc<str>,
        at: Option<Millis>,
    },
    /// All runs of one's own are to be shown.
    AllOwnRuns {
        count: u32,
    },
    OldRunsDropped {
        count: u32,
        kept: u32,
    },
    TakesOption {
        span: Millis,
    },
    Queue {
        number: u32,
    },
    Progress {
        percent: u32,
    },
    Rows {
        count: u64,
    },
    CouldNot {
        reason: Rc<str>,
    },
    MadeByNewer,
    /// A mark as it is announced.
    Caption {
        number: u64,
        count: u64,
        caption: Rc<str>,
    },
    /// `2 of 5`.
    MarkNumber {
        number: u64,
        count: u64,
    },
    /// `Step 2`: the name of a step's disc.
    StepOf {
        number: u64,
    },
    /// The captions speak of another release than the one shown.
    OtherRelease {
        release: &'static str,
    },
    /// Under the release chosen, this run's messages come when they came before.
    NothingDiffers {
        release: &'static str,
    },
    RealDeliveries {
        count: u64,
    },
    Left {
        left: Millis,
    },
    InBrackets {
        words: Rc<str>,
    },
    /// C stands at a value since a moment.
    ChartSummary {
        queue: Rc<str>,
        committed: i64,
        since: Millis,
        max: i64,
    },
    ChartNoCommit {
        queue: Rc<str>,
    },
    LinkNotARun,
    LinkTooLong {
        found: usize,
        most: usize,
    },
    LinkBadCharacter {
        found: char,
        place: usize,
    },
    /// The checksum does not fit.
    LinkCut,
    LinkShape,
    LinkTooMany {
        found: usize,
        most: usize,
    },
    LinkBadScenario {
        first: Rc<str>,
    },
    /// What is another thing in one release than in the other; the older one first.
    ReleasesDiffer {
        from: Profile,
        to: Profile,
    },
    /// The link was made with another model, and the run goes another way.
    StoryDiffers {
        made_with: u16,
        this: u16,
    },
}

impl From<PageWord> for PageText {
    fn from(word: PageWord) -> PageText {
        PageText::Word(word)
    }
}

impl PageText {
    pub fn say(&self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => en_page::say(self),
            Language::ZhCn => zh_page::say(self),
        }
    }
}

impl PageWord {
    pub fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => en_page::word(self),
            Language::ZhCn => zh_page::word(self),
        }
    }
}
