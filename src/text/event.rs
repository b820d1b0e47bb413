//! What happened, as a predicate: the actor and the subject stand before it.
//!
//! `c1: B q0·15 fails for the 2nd time (RECONSUME_LATER)` is actor, subject and predicate; the log
//! has a column for each, and a sentence puts them together ([`Told::sentence`]).

use std::borrow::Cow;
use std::rc::Rc;

pub use super::command::CommandText;
use super::{Language, en_event, zh_event};
use crate::model::time::Millis;

/// Who did it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// `c1`, `broker-a`.
    Machine(Rc<str>),
    NameServer,
    /// The visitor.
    Person,
    /// The scenario.
    Script,
    /// The playground itself.
    Limit,
}

/// A request code, number and name together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    pub number: u16,
    pub name: &'static str,
}

/// One event in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub who: Who,
    /// The other machine, of a call.
    pub to: Option<Who>,
    pub code: Option<Code>,
    /// The message, queue or group that it is about: `B q0·15`, `r0`. The same in every language.
    pub subject: Option<Rc<str>>,
    pub text: EventText,
    /// `Class.method` in RocketMQ.
    pub source: &'static str,
}

/// Why a command made no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusalText {
    NoClient {
        client: Rc<str>,
    },
    NoBroker {
        broker: Rc<str>,
    },
    NoTopic {
        topic: Rc<str>,
    },
    NoQueue {
        topic: Rc<str>,
        queue_id: u32,
    },
    NoGroup {
        client: Rc<str>,
        group: Rc<str>,
    },
    GroupExists {
        group: Rc<str>,
    },
    BrokerRuns {
        broker: Rc<str>,
    },
    BrokerDown {
        broker: Rc<str>,
    },
    Frozen {
        client: Rc<str>,
    },
    /// RocketMQ's own words.
    BadConfig {
        words: Rc<str>,
    },
    NotChangeable {
        property: Rc<str>,
    },
    NotYet {
        what: Rc<str>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossWord {
    Partition,
    Dropped,
    NobodyListens,
    ConnectionClosed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveWord {
    SignedOff,
    ConnectionClosed,
    Idle,
    NoHeartbeat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropWord {
    Rebalance,
    PullExpired,
    NotSubscribed,
    OffsetIllegal,
    OffsetReset,
    Shutdown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutOffWord {
    NotRunning,
    Paused,
    Count,
    Size,
    Span,
    NotLocked,
    NoSubscription,
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PulledWord {
    Nothing,
    NothingMatches,
    OffsetIllegal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitWord {
    Events,
    VirtualTime,
    Messages,
}

/// What a request asks or tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskText {
    Send,
    /// With the client's C, if the pull carries it.
    Pull {
        offset: i64,
        commit: Option<i64>,
    },
    StoredOffset,
    ReportOffset {
        offset: i64,
    },
    OffsetByTime,
    MaxOffset,
    Heartbeat,
    SignOff,
    SendBack,
    Members,
    MembersChanged,
    Lock {
        queues: u32,
    },
    Unlock {
        queues: u32,
    },
    RegisterBroker,
    Route {
        topic: Rc<str>,
    },
    ResetOffset,
    Copy,
}

/// What an answer brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerText {
    Plain,
    Offset { offset: i64 },
    Members { members: Rc<str> },
    Granted { queues: u32 },
    Pulled { found: u32, next: i64 },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventText {
    // --- people ---
    Asked(CommandText),
    Refused(RefusalText),
    LimitReached(LimitWord),
    // --- calls ---
    Asks(AskText),
    Answers {
        code: Code,
    },
    GotAnswer {
        code: Code,
        brought: AnswerText,
    },
    NoAnswer,
    CallFailed,
    Lost(LossWord),
    /// It arrives a second time.
    Repeated {
        at: Millis,
    },
    /// On the network, until the next one has passed it.
    HeldBack {
        until: Millis,
    },
    Passed,
    /// An answer that nobody waits for.
    Unmatched {
        code: Code,
    },
    Connected,
    Disconnected,
    // --- producer ---
    SendAsked,
    SendSucceeded,
    SendFailed,
    // --- broker ---
    BrokerStarted,
    BrokerStopped {
        is_killed: bool,
    },
    TopicCreated {
        queues: u32,
    },
    Stored {
        physical: u64,
    },
    /// Into the schedule topic.
    StoredDelayed {
        level: u32,
    },
    Appended {
        offset: i64,
    },
    Held {
        offset: i64,
        until: Millis,
    },
    Woken {
        by_arrival: bool,
    },
    Committed {
        from: i64,
        to: i64,
        by_pull: bool,
    },
    Registered {
        client: Rc<str>,
    },
    Left {
        client: Rc<str>,
        why: LeaveWord,
    },
    SubscriptionReplaced,
    /// Failure `failures`: waits at a level until a moment.
    Retried {
        failures: i32,
        level: u32,
        until: Option<Millis>,
    },
    DeadLettered {
        is_delayed: bool,
    },
    Discarded,
    DelayElapsed {
        level: u32,
        to: Rc<str>,
    },
    LockGranted {
        client: Rc<str>,
        is_renewed: bool,
    },
    LockRefused {
        client: Rc<str>,
        owner: Rc<str>,
    },
    LockReleased {
        client: Rc<str>,
    },
    // --- life of a client ---
    Starting,
    StepDone {
        step: u8,
    },
    Started,
    StartFailed(RefusalText),
    Stopping,
    Stopped,
    Crashed,
    HostLost,
    Frozen {
        until: Option<Millis>,
    },
    Resumed,
    HeartbeatSkipped,
    RouteChanged {
        queues: u32,
    },
    // --- rebalance ---
    RebalanceBegan,
    Allocated {
        queues: u32,
        members: u32,
        mine: Rc<str>,
    },
    RebalanceEnded {
        is_balanced: bool,
    },
    Assigned {
        next: i64,
    },
    Dropped(DropWord),
    Released,
    // --- pull ---
    PutOff {
        why: PutOffWord,
        until: Millis,
    },
    PullEnded,
    PullFound {
        found: u32,
        kept: u32,
        next: i64,
    },
    PullFoundNothing(PulledWord),
    Cached {
        first: i64,
        count: u32,
    },
    // --- consume ---
    Queued {
        first: i64,
        count: u32,
    },
    Delivered {
        thread: u32,
        nth: u32,
    },
    Succeeded {
        result: &'static str,
    },
    Failed {
        result: &'static str,
        failures: u32,
    },
    Interrupted {
        thread: u32,
    },
    ResultIgnored,
    Removed {
        first: i64,
        count: u32,
    },
    SentBack {
        by_fallback: bool,
    },
    SendBackFailed,
    KeptLocally {
        until: Millis,
    },
    FailureDropped,
    Expired,
    CleanerDied,
    Suspended {
        until: Millis,
    },
    DeadLetterSent,
    // --- offsets and locks ---
    OffsetMoved {
        from: i64,
        to: i64,
    },
    Believes {
        is_locked: bool,
    },
    OffsetReset,
}

impl EventText {
    pub fn say(&self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => en_event::say(self),
            Language::ZhCn => zh_event::say(self),
        }
    }
}

impl Who {
    pub fn say(&self, language: Language) -> Rc<str> {
        match (self, language) {
            (Who::Machine(label), _) => label.clone(),
            (Who::NameServer, _) => "NameServer".into(),
            (Who::Person, Language::En) => "you".into(),
            (Who::Person, Language::ZhCn) => "你".into(),
            (Who::Script, Language::En) => "script".into(),
            (Who::Script, Language::ZhCn) => "场景".into(),
            (Who::Limit, Language::En) => "playground".into(),
            (Who::Limit, Language::ZhCn) => "演练场".into(),
        }
    }
}

impl Told {
    /// The whole as one sentence: `c1 → broker-a, 36 CONSUMER_SEND_MSG_BACK: B q0·15 goes back`.
    pub fn sentence(&self, language: Language) -> String {
        let (comma, colon) = match language {
            Language::En => (", ", ": "),
            Language::ZhCn => ("，", "："),
        };
        let mut out = self.who.say(language).to_string();
        if let Some(to) = &self.to {
            out.push_str(" → ");
            out.push_str(&to.say(language));
        }
        if let Some(code) = self.code {
            out.push_str(&format!("{comma}{} {}", code.number, code.name));
        }
        out.push_str(colon);
        if let Some(subject) = &self.subject {
            out.push_str(subject);
            out.push(' ');
        }
        out.push_str(&self.text.say(language));
        out
    }
}
