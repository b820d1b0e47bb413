//! The shapes of version 1.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub model_id: u16,
    pub profile: Profile,
    pub seed: u64,
    pub base: Base,
    pub changes: Vec<Change>,
    pub interventions: Vec<Intervention>,
    pub title: String,
    pub reached_ms: u64,
    pub events: u32,
    pub digest: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Profile {
    V42,
    V49,
    V53,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Base {
    /// A place in `tags::PRESETS`.
    Preset(u16),
    /// A preset that has no number yet.
    Named(String),
    /// A whole scenario file.
    File(String),
}

/// A property by its place in its table of tags, and its value: a number, 0 or 1, or the place of a
/// word among the property's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Property {
    pub tag: u16,
    pub value: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    Latency(u64),
    StartUp(u64),
    /// Shuffled or not.
    Shuffled(bool),
    Queues {
        topic: String,
        queues: u32,
    },
    Consumer {
        client: Option<String>,
        property: Property,
    },
    Broker {
        broker: Option<String>,
        property: Property,
    },
    Group {
        group: String,
        property: Property,
    },
    Listener {
        client: Option<String>,
        listener: Listener,
    },
    Without(u32),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intervention {
    /// After the one before, in ms; may go back.
    pub after_ms: i64,
    pub command: Command,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub times: u32,
    pub takes_ms: u64,
    pub result: ListenerResult,
    pub ack_index: Option<i32>,
    pub delay_level: i32,
    pub suspend_ms: Option<u64>,
    pub on_interrupt: OnInterrupt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ListenerResult {
    Success,
    Later,
    Throws,
    Null,
    Never,
    Commit,
    Rollback,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnInterrupt {
    Ignores,
    EndsEarly,
    Succeeds,
    Fails,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listener {
    pub pause_ms: u64,
    pub script: Vec<Step>,
    pub by_key: Vec<(String, Vec<Step>)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FromWhere {
    LastOffset,
    FirstOffset,
    Timestamp(i64),
}

/// The strategies that hold no other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strategy {
    Averagely,
    AveragelyByCircle,
    /// Topic, broker, queue.
    ByConfig(Vec<(String, String, u32)>),
    ByMachineRoom(Vec<String>),
    ConsistentHash(u32),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consumer {
    pub client: String,
    pub group: String,
    pub process: Option<String>,
    pub subscriptions: Vec<(String, String)>,
    /// What differs from the profile's defaults.
    pub properties: Vec<Property>,
    pub from_where: Option<FromWhere>,
    pub strategy: Option<Strategy>,
    /// MACHINE_ROOM_NEARBY around the strategy, the outermost first: separators of brokers and clients.
    pub nearby: Vec<(char, char)>,
    pub listener: Option<Listener>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Producer {
    pub client: String,
    pub group: String,
    pub properties: Vec<Property>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Queue {
    RoundRobin,
    Fixed { broker: Option<String>, queue: u32 },
    HashOf(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SendMode {
    Sync,
    Async,
    Oneway,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Send {
    pub producer: Option<String>,
    pub topic: String,
    pub count: u32,
    pub every_ms: u64,
    pub key: Option<String>,
    pub tag: Option<String>,
    pub queue: Queue,
    pub delay_level: i32,
    pub body_bytes: u32,
    pub mode: SendMode,
    pub script: Option<Vec<Step>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Party {
    NameServer,
    Broker(String),
    Client(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    StartProducer(Producer),
    StopProducer {
        client: String,
    },
    SendMessages(Send),
    StartConsumer(Consumer),
    StopConsumer {
        client: String,
        group: Option<String>,
    },
    CrashConsumer {
        client: String,
    },
    LoseHost {
        client: String,
    },
    FreezeClient {
        client: String,
        duration_ms: Option<u64>,
    },
    ResumeClient {
        client: String,
    },
    Subscribe {
        client: String,
        group: String,
        topic: String,
        expression: String,
    },
    Unsubscribe {
        client: String,
        group: String,
        topic: String,
    },
    SetListener {
        client: String,
        group: Option<String>,
        listener: Listener,
    },
    SetOnInterrupt {
        client: String,
        on_interrupt: OnInterrupt,
    },
    PausePulling {
        client: String,
    },
    ResumePulling {
        client: String,
    },
    SetConsumerProperty {
        client: String,
        name: String,
        value: i64,
    },
    SkewClock {
        client: String,
        by_ms: i64,
    },
    CreateTopic {
        topic: String,
        broker: Option<String>,
        queues: u32,
    },
    UpdateTopic {
        topic: String,
        broker: Option<String>,
        read: u32,
        write: u32,
        perm: u8,
    },
    StopBroker {
        broker: String,
        id: u32,
        kill: bool,
        lost_tail: u32,
    },
    StartBroker {
        broker: String,
        id: u32,
    },
    FreezeBroker {
        broker: String,
        duration_ms: Option<u64>,
    },
    ResumeBroker {
        broker: String,
    },
    SetBrokerWritable {
        broker: String,
        writable: bool,
    },
    SlowStore {
        broker: String,
        by_ms: u64,
    },
    ExpireHead {
        broker: String,
        topic: String,
        queue: u32,
        min_offset: i64,
    },
    SetFirstMessageInMemory {
        broker: String,
        in_memory: bool,
    },
    UpdateGroup {
        group: String,
        retry_queue_nums: u32,
        retry_max_times: i32,
    },
    StopNameServer,
    StartNameServer,
    Partition {
        a: Party,
        b: Party,
        one_way: bool,
    },
    Heal {
        a: Party,
        b: Party,
    },
    SetLatency {
        a: Party,
        b: Party,
        from_ms: u64,
        to_ms: u64,
    },
    /// The request by RocketMQ's number.
    DropNext {
        from: Party,
        to: Party,
        code: u16,
        count: u32,
        only_response: bool,
    },
    SkipHeartbeat {
        client: String,
    },
    ResetOffset {
        group: String,
        topic: String,
        timestamp: i64,
        force: bool,
    },
    SetOffset {
        group: String,
        topic: String,
        broker: Option<String>,
        queue: u32,
        offset: i64,
    },
    HalfOpenReconnect {
        client: String,
    },
    SetBrokerProperty {
        broker: String,
        name: String,
        value: i64,
    },
    /// The request by RocketMQ's number; none: any.
    DuplicateNext {
        from: Party,
        to: Party,
        code: Option<u16>,
        count: u32,
        only_response: bool,
        later_ms: u64,
        later_at_most_ms: u64,
    },
    ReorderNext {
        from: Party,
        to: Party,
        code: Option<u16>,
        count: u32,
        only_response: bool,
        at_most_ms: u64,
    },
}
