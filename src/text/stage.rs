//! The words of the stage: headings, states, notes, and the names of marks for those who hear it.

use std::borrow::Cow;
use std::rc::Rc;

pub use super::why::WhyText;
use super::{Language, en_stage, zh_stage};
use crate::model::time::Millis;

/// A message's state as a word (UX 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateWord {
    Stored,
    Waiting,
    Running,
    Done,
    Failed,
    SentBack,
    Delayed,
    LocalRetry,
    Again,
    Dead,
    Lost,
}

/// Why a pull is put off, as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostponeWord {
    Count,
    Size,
    Span,
    NotLocked,
    Error,
    Paused,
    NoSubscription,
    Interval,
}

/// What a process is doing, as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessWord {
    /// A consumer that the script will start.
    NotStarted,
    Starting,
    Running,
    Stopping,
    Stopped,
    Crashed,
    Frozen,
    Down,
    /// A broker, by kill -9.
    Killed,
}

/// What stands on the stage. Words without arguments are `StageWord`s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StageText {
    /// The try to come or at work, where there is little room.
    TryShort {
        nth: u32,
    },
    /// The how many-eth time the group is given a message.
    TimeShort {
        nth: u32,
    },
    /// Why a message waits at this level.
    FailureLevel {
        failures: u32,
        level: u32,
    },
    Word(StageWord),
    Name(MarkName),
    ConsumersOfGroup {
        group: Rc<str>,
    },
    InHand {
        count: i64,
    },
    /// The same where there is little room.
    InHandShort {
        count: i64,
    },
    Lag {
        count: i64,
    },
    LagOldest {
        count: i64,
        age: Millis,
    },
    /// What C will be, and when, if the client's timer is known.
    Unreported {
        offset: i64,
        left: Option<Millis>,
    },
    /// How far a process had pulled that is no more; `in_full` also says that nothing is lost by it.
    PullEndedWith {
        offset: i64,
        process: Rc<str>,
        in_full: bool,
    },
    ReadBy {
        process: Rc<str>,
    },
    MoreQueues {
        count: u32,
    },
    /// PullRequests that a pass of rebalance has made so far.
    PullsMade {
        count: u64,
    },
    /// A broker whose store is slow.
    StoreSlower {
        by: Millis,
    },
    /// The new owner of a queue whose lock is another's.
    AsksAgainIn {
        left: Millis,
    },
    LeftOf {
        left: Millis,
        of: Millis,
    },
    /// So long ago it should have gone on.
    Late {
        by: Millis,
    },
    UpTo {
        wait: Millis,
    },
    Wait {
        wait: Millis,
    },
    Locked {
        owner: Rc<str>,
        left: Millis,
    },
    Shelf {
        queue: Rc<str>,
    },
    EmptyShelves {
        queues: Rc<str>,
    },
    Span {
        span: u64,
        limit: u64,
    },
    CountOf {
        count: u64,
        limit: u64,
    },
    WorkersBusy {
        busy: u32,
        size: u32,
        waiting: u64,
    },
    BusyShort {
        busy: u32,
        size: u32,
    },
    MoreSeats {
        count: u32,
    },
    Process(ProcessWord),
    Ago {
        span: Millis,
    },
    Left {
        left: Millis,
    },
    HalfDone {
        labels: Rc<str>,
    },
    /// What a process still did before it stopped, by request code.
    LastCall {
        number: u16,
    },
    /// An offset that only a killed process knew.
    NeverReported {
        queue: Rc<str>,
        offset: i64,
    },
    Postponed {
        reason: PostponeWord,
    },
    StartStep {
        step: u8,
    },
    StepOf {
        step: u8,
        of: u8,
    },
    To {
        queue: Rc<str>,
    },
    In {
        left: Millis,
    },
    State(StateWord),
    DelayedLevel {
        level: u32,
    },
    DeliveredNth {
        times: u32,
    },
    CallWord {
        number: u16,
    },
    BrokerQueue {
        queue: Rc<str>,
    },
    ShelfOf {
        process: Rc<str>,
    },
    /// Where the pull request of a queue is, and for how long.
    PullAt {
        place: PullWord,
        left: Option<Millis>,
    },
    Station(StationText),
    Why(WhyText),
}

/// A word of the stage that says the same every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StageWord {
    Stage,
    Producer,
    Broker,
    Network,
    NameServer,
    Consumers,
    Log,
    NoLag,
    /// The heading of the broker's seats for pulls.
    HeldPulls,
    /// Of pulls that were sent and not answered yet, at the consumer.
    AwaitsAnswer,
    /// At the broker's seat of a queue whose pull is elsewhere.
    NotHeld,
    NoReader,
    /// Of PullRequests that a pass has made.
    NoneHandedOver,
    /// Offsets that are not drawn one by one.
    Older,
    Empty,
    NotUsedHere,
    DelayLevels,
    Offsets,
    Saved,
    NotSaved,
    Unsent,
    /// Where broadcasting keeps its offsets.
    LocalFile,
    Reported,
    Expired,
    LockTable,
    /// The network between two is cut.
    CutHere,
    WritesForbidden,
    /// Of several brokers of one name.
    Master,
    Slave,
    Renewed,
    LeftHeading,
    /// What a killed process held in its hands is not lost.
    StillAtBroker,
    /// The consumer's own note of a lock.
    LockedHere,
    NotLockedHere,
    Differs,
    Pull,
    PullShort,
    Shelves,
    ShelfEmpty,
    Dropped,
    SmallestUnfinished,
    Workers,
    RunsFor,
    PullThread,
    Rebalance,
    Queues,
    Members,
    You,
    KeyIsOffset,
    SecondsRun,
    NothingPlanned,
    KeyPulled,
    KeySaved,
    KeyNewest,
    KeyThread,
    KeyLock,
    CallLost,
    CallHeld,
    CallAgain,
    Refused,
    OneQueue,
    OneMessage,
    WhoOwns,
    /// Of a lock.
    Owner,
    /// Of a queue.
    Reader,
    Nobody,
    NothingFollowed,
    TwinHeading,
}

/// What a mark is called, for those who hear the stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkName {
    Queue {
        label: Rc<str>,
        min: i64,
        max: i64,
        committed: Option<i64>,
        pull: Option<i64>,
        lag: i64,
    },
    Card {
        label: Rc<str>,
        queue: Rc<str>,
        offset: i64,
        state: StateWord,
        failures: u32,
    },
    Level {
        level: u32,
        wait: Millis,
        cards: u32,
    },
    DeadLetters {
        group: Rc<str>,
        count: u64,
    },
    Ledger {
        owner: Rc<str>,
    },
    Consumer {
        label: Rc<str>,
        state: ProcessWord,
    },
    Pull {
        queue: Rc<str>,
        offset: i64,
        place: PullWord,
    },
    Shelf {
        process: Rc<str>,
        queue: Rc<str>,
        count: u64,
        span: u64,
    },
    Worker {
        index: u32,
        holds: Option<Rc<str>>,
    },
    Call {
        number: u16,
        from: Rc<str>,
        to: Rc<str>,
    },
    Log {
        count: u64,
    },
    Lock {
        queue: Rc<str>,
        owner: Rc<str>,
    },
    Rebalance {
        process: Rc<str>,
    },
    Station {
        number: u8,
        label: Rc<str>,
    },
}

/// What a station of the followed message is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StationText {
    SentBy {
        producer: Rc<str>,
    },
    /// At the broker's door, by a call.
    Enters {
        number: Option<u16>,
        broker: Rc<str>,
    },
    InQueue {
        queue: Rc<str>,
        offset: i64,
    },
    WithPull {
        queue: Rc<str>,
    },
    AtLevel {
        level: u32,
        wait: Millis,
    },
    InDeadLetters {
        topic: Rc<str>,
    },
    OnShelf {
        process: Rc<str>,
        queue: Rc<str>,
        offset: i64,
    },
    AtWorker {
        process: Rc<str>,
        is_past: bool,
    },
}

/// Where a PullRequest is, as words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PullWord {
    InPass,
    Belt,
    Seat,
    Away,
    Bench,
    Postponed,
}

impl From<StageWord> for StageText {
    fn from(word: StageWord) -> StageText {
        StageText::Word(word)
    }
}

impl From<WhyText> for StageText {
    fn from(why: WhyText) -> StageText {
        StageText::Why(why)
    }
}

impl From<MarkName> for StageText {
    fn from(name: MarkName) -> StageText {
        StageText::Name(name)
    }
}

impl StageText {
    pub fn say(&self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => en_stage::say(self),
            Language::ZhCn => zh_stage::say(self),
        }
    }
}
