//! Faults and operators' acts: the verbs, what they ask for, and what is wrong with an answer.

use std::borrow::Cow;
use std::rc::Rc;

use super::{Language, en_fault, zh_fault};

/// What can be done to a thing (UX 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    // a consumer
    Crash,
    LoseHost,
    Stop,
    Freeze,
    Resume,
    Restart,
    Twin,
    Another,
    Unsubscribe,
    Subscribe,
    Listener,
    OnInterrupt,
    PausePulling,
    ResumePulling,
    SetProperty,
    SkewClock,
    HalfOpen,
    SkipHeartbeat,
    // a producer
    StopProducer,
    StartProducer,
    // a broker
    StopBroker,
    KillBroker,
    StartBroker,
    FreezeBroker,
    ResumeBroker,
    ForbidWrites,
    AllowWrites,
    SlowStore,
    SetBrokerProperty,
    CreateTopic,
    FirstOnDisk,
    FirstInMemory,
    // a queue and its topic
    SendHere,
    AddQueues,
    ExpireHead,
    SetOffset,
    // the name server
    StopNameServer,
    StartNameServer,
    // a link
    CutBothWays,
    CutOneWay,
    Heal,
    Latency,
    LoseRequests,
    LoseAnswers,
    DoubleRequests,
    DoubleAnswers,
    ReorderRequests,
    ReorderAnswers,
    // the group
    ResetOffset,
    RetryQueues,
}

/// What a verb asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultField {
    Span,
    From,
    To,
    Count,
    Code,
    Key,
    Result,
    Times,
    Takes,
    Acked,
    Topic,
    Expression,
    Interrupt,
    Property,
    Value,
    Skew,
    LostTail,
    Queues,
    Offset,
    Moment,
    Later,
    LaterAtMost,
    HeldAtMost,
}

/// A word of the forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultWord {
    Title,
    Target,
    Act,
    Choose,
    GroupClients,
    GroupProducers,
    GroupBrokers,
    GroupQueues,
    GroupLinks,
    GroupOthers,
    NameServer,
    Remove,
    Success,
    Later,
    Throws,
    Null,
    Never,
    Commit,
    Rollback,
    Ignores,
    EndsEarly,
    Succeeds,
    Fails,
    AllMessages,
    AllOfBatch,
    ForeverHint,
    AnyRequest,
    LaterHint,
    More,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultText {
    /// `c1 ↔ broker-a`.
    Link {
        a: Rc<str>,
        b: Rc<str>,
    },
    /// `broker-a, slave`.
    Slave {
        broker: Rc<str>,
    },
    Group {
        group: Rc<str>,
    },
    Gone {
        client: Rc<str>,
    },
    Removed {
        sentence: Rc<str>,
    },
    RemoveThis {
        sentence: Rc<str>,
    },
    /// These come with a script of their own, which a listener's for all messages does not touch.
    KeepOwnScript {
        keys: Rc<[Rc<str>]>,
    },
    // what is wrong
    Missing {
        field: FaultField,
    },
    NotASpan {
        field: FaultField,
        found: Rc<str>,
    },
    NotANumber {
        field: FaultField,
        found: Rc<str>,
    },
    OutOfRange {
        field: FaultField,
        least: i64,
        most: i64,
    },
    FromAfterTo,
    UnknownChoice {
        field: FaultField,
        found: Rc<str>,
    },
    NothingToActOn,
}

impl Verb {
    pub const fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => en_fault::verb(self),
            Language::ZhCn => zh_fault::verb(self),
        }
    }
}

impl Verb {
    /// What it stands for, where that is not plain from its name.
    pub const fn hint(self, language: Language) -> Option<&'static str> {
        match language {
            Language::En => en_fault::hint(self),
            Language::ZhCn => zh_fault::hint(self),
        }
    }
}

impl FaultField {
    pub const fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => en_fault::field(self),
            Language::ZhCn => zh_fault::field(self),
        }
    }
}

impl FaultWord {
    pub const fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => en_fault::word(self),
            Language::ZhCn => zh_fault::word(self),
        }
    }
}

impl FaultText {
    pub fn say(&self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => en_fault::say(self),
            Language::ZhCn => zh_fault::say(self),
        }
    }
}

/// So many keys are named, at most.
const NAMED: usize = 4;

/// `B, D`, and that there are more.
pub(super) fn named(keys: &[Rc<str>], between: &str) -> String {
    let named: Vec<&str> = keys.iter().take(NAMED).map(|key| &**key).collect();
    let more = if keys.len() > NAMED { " …" } else { "" };
    format!("{}{more}", named.join(between))
}
