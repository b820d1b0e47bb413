//! The assertion words, as types.

use crate::model::ids::{GroupName, TopicName};
use crate::model::time::Millis;

/// One line of what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// What the author calls it: `B01/2`.
    pub line: String,
    pub check: Check,
}

/// A number, or the bounds that it has to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    pub low: i64,
    pub high: i64,
}

impl Times {
    pub const fn exactly(number: i64) -> Times {
        Times { low: number, high: number }
    }

    pub const fn at_least(low: i64) -> Times {
        Times { low, high: i64::MAX }
    }

    pub fn contains(self, number: i64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.low, self.high) {
            (low, high) if low == high => write!(f, "{low}"),
            (low, i64::MAX) => write!(f, "at least {low}"),
            (low, high) => write!(f, "{low} to {high}"),
        }
    }
}

/// Which messages: by key, and by the queue in which they were first stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Which {
    /// Keys and ranges of keys, `m0..m39`; empty for all that were sent.
    pub keys: Vec<String>,
    pub topic: Option<TopicName>,
    /// Only those first stored in these queues.
    pub queues: Vec<u32>,
    /// How many that has to be.
    pub count: Option<u32>,
}

/// Which deliveries: to whom and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct By {
    /// A client id; `id#2` for the second process of that id.
    pub consumer: Option<String>,
    pub from_topic: Option<TopicName>,
    /// A broker, `broker-a`, or a slave, `broker-a:1`.
    pub from_broker: Option<String>,
    pub reconsume_times: Option<i32>,
}

/// When something has to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moments {
    /// Not more than `tolerance` away from `at`.
    At {
        at: Millis,
        tolerance: Millis,
    },
    Window {
        from: Millis,
        to: Millis,
    },
    /// The 1st, 2nd, ... delivery of each message.
    Each {
        at: Vec<Millis>,
        tolerance: Millis,
    },
    /// The first message at `at`, each later one `every` after the one before.
    Every {
        at: Millis,
        every: Millis,
        tolerance: Millis,
    },
}

/// At which moment of the run a state is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    At(Millis),
    /// From there to the end.
    From(Millis),
    /// At the end of the run.
    End,
}

/// What a broker's offset table has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Committed {
    Offset(Times),
    Absent,
    /// 0, or nothing: nobody has got anywhere.
    ZeroOrAbsent,
}

/// Queues of one topic that a client owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedQueues {
    pub consumer: String,
    pub queues: Vec<u32>,
}

/// The assertion words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// Listener calls of each message.
    Deliveries { which: Which, by: By, times: Times, window: Option<(Millis, Millis)> },
    /// Listener calls of all messages together.
    DeliveriesTotal { by: By, times: Times, window: Option<(Millis, Millis)> },
    /// When the `nth` delivery of each message comes (from 1; 0 for every one).
    DeliveredAt { which: Which, by: By, nth: u32, moments: Moments },
    /// The stored copies' count of retries at each delivery of one message, in order.
    ReconsumeTimesSeen { key: String, times: Vec<i32> },
    /// Sizes of the listener calls, in the order in which they start.
    Batches { by: By, sizes: Vec<u32> },
    /// Most listener calls at one time.
    MaxConcurrency { consumer: Option<String>, times: Times },
    /// Listener calls under way.
    InListener { consumer: Option<String>, times: Times, when: When },
    /// When as many messages have been consumed.
    Completed { count: u32, moments: Moments },
    Committed {
        value: Committed,
        group: Option<GroupName>,
        topic: TopicName,
        queues: Vec<u32>,
        broker: Option<String>,
        when: When,
    },
    /// The offset that a broadcasting client has in its own store.
    LocalOffset { consumer: String, topic: TopicName, queue: u32, value: Times, when: When },
    /// Length of queues, `topic/id`, together.
    MaxOffset { queues: Vec<String>, broker: Option<String>, value: Times, when: When },
    /// Where a message was first stored.
    OffsetOf { key: String, offset: i64 },
    /// Who holds which queues of a topic; nobody else may hold any of them.
    Owner { topic: TopicName, owners: Vec<OwnedQueues>, when: When },
    /// Queues that nobody holds.
    Orphan { topic: TopicName, queues: Vec<u32>, when: When },
    /// How many queues a client holds in all; without `retry`, only those of topics that it
    /// subscribes to itself.
    OwnerCount { consumer: String, times: Times, retry: bool, when: When },
    /// Messages in a client's window of a queue.
    Cached { consumer: String, topic: TopicName, queue: u32, times: Times, when: When },
    /// Where a client's next pull of a queue begins.
    NextPullOffset { consumer: String, topic: TopicName, queue: u32, offset: i64, when: When },
    /// Pulls are postponed for that reason, one look every `every`, within the window.
    FlowControl { reason: String, every: Millis, window: (Millis, Millis) },
    /// Pulls are answered with that error, one for each queue every `every`, within the window.
    PullErrors { code: String, every: Millis, window: (Millis, Millis) },
    /// How many brokers have the topic, each with so many queues.
    TopicOn { topic: TopicName, brokers: Times, queues: Option<u32> },
    /// How many brokers the messages were first stored on.
    StoredOn { which: Which, brokers: Times },
    /// With unequal subscriptions: all deliveries go to the client whose subscription the broker has
    /// at that moment, carry its tag, and come from its own queues.
    Winner { topic: TopicName, deliveries: Times, at: Millis },
    /// So many messages were delivered twice as the queue, `topic/id`, is long; all others once.
    DeliveredTwice { queue: String },
}
