//! The inspector: what a thing is, its numbers, and why it is so.

use std::rc::Rc;

pub use super::journey::JourneyText;
use super::stage::{PostponeWord, ProcessWord, StateWord};
use super::{Language, en_inspect, format, zh_inspect};
use crate::model::time::Millis;

/// The name of a number: a word, or a property of RocketMQ's, the same in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Word(InspectWord),
    Property(&'static str),
}

/// What a number counts or names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InspectWord {
    // numbers
    Topics,
    Brokers,
    State,
    Sent,
    NextMessage,
    Records,
    LogEnd,
    NotDispatched,
    Queues,
    Groups,
    HeldPulls,
    DelayedMessages,
    MaxOffset,
    CommittedOffset,
    PullOffset,
    MinOffset,
    ClientOffset,
    InHand,
    Lag,
    OldestUnfinished,
    Reader,
    LockOwner,
    Key,
    Tag,
    Body,
    BornAt,
    Copies,
    Tries,
    Failures,
    Place,
    Wait,
    Messages,
    FrontDue,
    Total,
    Offset,
    Saved,
    RenewedAt,
    EndsAt,
    From,
    To,
    SentAt,
    ArrivesAt,
    OnNetwork,
    SecondCopy,
    HeldBack,
    Carries,
    ClientId,
    Group,
    Topic,
    Members,
    Mine,
    Strategy,
    NextOffset,
    Since,
    Until,
    Reason,
    CommitCarried,
    Count,
    Bytes,
    Span,
    FirstKey,
    LastKey,
    Dropped,
    Locked,
    LastPull,
    LastConsume,
    WaitingRequests,
    Message,
    Elapsed,
    Takes,
    Timeout,
    Batch,
    Busy,
    PoolSize,
    Reported,
    Step,
    Subscription,
    // values
    Yes,
    No,
    Up,
    Down,
    Nobody,
    Nothing,
    InPass,
    OnBelt,
    AtSeat,
    OnWire,
    OnBench,
    PutOff,
    NotReported,
    Idle,
    // headings of tables
    Ledger,
    Locks,
    Bench,
    Levels,
    Configuration,
    Subscriptions,
    Steps,
    Fields,
    /// Of a queue: who read it, one after the other.
    ReadersInTurn,
    /// Of a client: the queues that it had, one after the other.
    QueuesInTurn,
    // values in them
    /// It goes on at the moment shown.
    UntilNow,
}

/// A value with its unit. Ages and what is left are said for a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Count(u64),
    Of {
        count: u64,
        limit: u64,
    },
    Offset(i64),
    Bytes(u64),
    /// A moment of virtual time.
    Moment(Millis),
    Span(Millis),
    /// How long ago this was.
    Age(Millis),
    /// How long until then.
    Left(Millis),
    Word(InspectWord),
    Name(Rc<str>),
    Missing,
}

/// What a thing is, and why it is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InspectText {
    // what
    NameServer,
    Producer {
        label: Rc<str>,
    },
    Broker {
        name: Rc<str>,
    },
    CommitLog {
        broker: Rc<str>,
    },
    Queue {
        label: Rc<str>,
        topic: Rc<str>,
    },
    Message {
        label: Rc<str>,
        state: StateWord,
        level: Option<u32>,
    },
    Level {
        level: u32,
        wait: Millis,
    },
    DeadLetters {
        group: Rc<str>,
    },
    BrokerLedger {
        broker: Rc<str>,
    },
    Lock {
        queue: Rc<str>,
        owner: Rc<str>,
    },
    Call {
        number: u16,
        name: Rc<str>,
    },
    Consumer {
        label: Rc<str>,
        state: ProcessWord,
    },
    Pull {
        queue: Rc<str>,
        next: i64,
    },
    Shelf {
        queue: Rc<str>,
        process: Rc<str>,
    },
    Belief {
        queue: Rc<str>,
        process: Rc<str>,
    },
    Requests {
        process: Rc<str>,
    },
    Worker {
        process: Rc<str>,
        index: u32,
    },
    ConsumerLedger {
        process: Rc<str>,
    },
    Rebalance {
        process: Rc<str>,
    },
    /// It is not there at this moment.
    Gone,
    // notes
    TriesFailed {
        failures: u32,
        tries: u32,
    },
    TriesFailedForever {
        failures: u32,
    },
    // why
    WhyStored,
    WhyNobodyReads,
    WhyWaitsForThread {
        busy: u32,
    },
    WhyWaits,
    WhyRunning {
        process: Rc<str>,
        nth: u32,
        then: AfterFailure,
    },
    WhyDone,
    WhyFailed,
    WhySentBack,
    WhyDelayed {
        failures: u32,
        level: u32,
        wait: Millis,
    },
    WhyAskedDelay {
        level: u32,
    },
    WhyLocalRetry,
    WhyDead {
        tries: u32,
    },
    WhyPinned {
        offset: i64,
        label: Rc<str>,
        /// The try that runs now.
        nth: Option<u32>,
        then: AfterFailure,
    },
    WhyUnreported {
        offset: i64,
    },
    WhyUpToDate,
    WhyHeld {
        offset: i64,
    },
    WhyLease {
        span: Millis,
    },
    WhyLeaseOwnerGone {
        owner: Rc<str>,
    },
    /// The lock runs out before anybody asks for it.
    WhyLeaseThenAsked {
        owner: Rc<str>,
        until: Millis,
        asker: Rc<str>,
        asks_at: Millis,
    },
    /// The group counted out the one who had the queue before, and who still believes to have it.
    WhyTakenOver {
        queue: Rc<str>,
        owner: Rc<str>,
        since: Millis,
        believer: Rc<str>,
        left_at: Millis,
        /// channelExpiredTimeout.
        silence: Millis,
        thaws_at: Option<Millis>,
    },
    WhyNoReader,
    WhyBeliefWrong,
    WhySameLists,
    /// A pass that asks for the offset of each of its queues.
    WhyAsksOneByOne {
        done: u64,
        of: u64,
    },
    // why a queue is silent
    /// Its lock is another's than the one who has it by its own count.
    SilentLocked {
        queue: Rc<str>,
        owner: Rc<str>,
        is_gone: bool,
        until: Millis,
        asker: Option<Rc<str>>,
        asks_at: Option<Millis>,
    },
    SilentNobody {
        queue: Rc<str>,
        looks_at: Option<Millis>,
    },
    /// Its share is that of a client id's second place in the list of members.
    SilentNamesakes {
        queue: Rc<str>,
        one: Rc<str>,
        other: Rc<str>,
        client: Rc<str>,
    },
    SilentFrozen {
        queue: Rc<str>,
        process: Rc<str>,
    },
    /// The broker's lock is its owner's, but the shelf is not marked as locked.
    SilentUnlocked {
        queue: Rc<str>,
        process: Rc<str>,
        round_at: Option<Millis>,
    },
    SilentPutOff {
        queue: Rc<str>,
        process: Rc<str>,
        reason: PostponeWord,
        until: Millis,
    },
}

/// What follows if a try fails, where it is not the usual way back by the broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AfterFailure {
    Usual,
    /// Nothing can be sent back while this broker is down.
    Locally {
        process: Rc<str>,
        broker: Rc<str>,
    },
    /// In order: the same again; `tries` at most, without an end if absent.
    SameAgain {
        queue: Rc<str>,
        rest: Millis,
        tries: Option<u32>,
    },
}

impl InspectWord {
    pub fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => en_inspect::word(self),
            Language::ZhCn => zh_inspect::word(self),
        }
    }
}

impl Field {
    pub fn say(self, language: Language) -> &'static str {
        match self {
            Field::Word(word) => word.say(language),
            Field::Property(name) => name,
        }
    }
}

impl From<InspectWord> for Field {
    fn from(word: InspectWord) -> Field {
        Field::Word(word)
    }
}

impl Value {
    /// The value at the moment `now`.
    pub fn say(&self, language: Language, now: Millis) -> Rc<str> {
        match self {
            Value::Count(count) => format::count(*count).into(),
            Value::Of { count, limit } => {
                let (count, limit) = (format::count(*count), format::count(*limit));
                match language {
                    Language::En => format!("{count} of {limit}").into(),
                    Language::ZhCn => format!("{count} / {limit}").into(),
                }
            }
            Value::Offset(offset) => offset.to_string().into(),
            Value::Bytes(bytes) => format!("{} B", format::count(*bytes)).into(),
            Value::Moment(at) => format::clock_short(*at).into(),
            Value::Span(span) => format::span(language, *span).into(),
            Value::Age(since) => {
                let age = format::left(language, now.since(*since));
                match language {
                    Language::En => format!("{age} ago").into(),
                    Language::ZhCn => format!("{age}前").into(),
                }
            }
            Value::Left(until) => {
                let left = format::left(language, until.since(now));
                match language {
                    Language::En => format!("{left} left").into(),
                    Language::ZhCn => format!("还剩 {left}").into(),
                }
            }
            Value::Word(word) => word.say(language).into(),
            Value::Name(name) => name.clone(),
            Value::Missing => "–".into(),
        }
    }
}

impl InspectText {
    pub fn say(&self, language: Language) -> String {
        match language {
            Language::En => en_inspect::say(self),
            Language::ZhCn => zh_inspect::say(self),
        }
    }
}
