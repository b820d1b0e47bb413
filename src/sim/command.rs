//! Commands: the only door in. What someone outside asks of the simulation, in the imperative.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::packet::RequestCode;
use crate::model::config::{ConsumerSpec, ProducerSpec, SendMode};
use crate::model::ids::{BrokerName, ClientId, GroupName, MessageKey, QueueId, Tag, TopicName};
use crate::model::listener::{ListenerBehavior, ListenerScript, OnInterrupt};
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;
use crate::model::topic::Permission;

/// How a producer picks the queue of a message (spec 08.3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueueChoice {
    /// `selectOneMessageQueue`.
    #[default]
    RoundRobin,
    /// Always this queue (of the first broker that has it, or of the named one).
    Fixed { broker_name: Option<BrokerName>, queue_id: QueueId },
    /// `SelectMessageQueueByHash` of this text.
    HashOf(String),
}

/// Sends `count` messages, `every` apart, the first one at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendMessages {
    /// `None`: the scenario's first producer, or one made for the purpose.
    pub producer: Option<ClientId>,
    pub topic: TopicName,
    pub count: u32,
    pub every: Millis,
    /// The key of the first; the others count on (`m0`, `m1`, ...) if it ends in a number.
    pub key: Option<MessageKey>,
    pub tag: Option<Tag>,
    pub queue: QueueChoice,
    /// DELAY asked by the user; 0 for none.
    pub delay_level: i32,
    pub body_bytes: u32,
    pub mode: SendMode,
    pub script: Option<Rc<ListenerScript>>,
}

impl SendMessages {
    /// One message to `topic`, by round robin, that succeeds at once.
    pub fn one(topic: TopicName) -> SendMessages {
        SendMessages {
            producer: None,
            topic,
            count: 1,
            every: Millis::ZERO,
            key: None,
            tag: None,
            queue: QueueChoice::RoundRobin,
            delay_level: 0,
            body_bytes: 100,
            mode: SendMode::Sync,
            script: None,
        }
    }
}

/// Someone on the network, by the name that a person gives it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Party {
    NameServer,
    Broker(BrokerName),
    /// The newest process with this client id.
    Client(ClientId),
}

/// How a broker ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BrokerStop {
    /// SIGTERM: everything is flushed.
    Graceful,
    /// kill -9: loses what spec 00.4 says.
    Kill {
        /// Records at the end of the commit log that were not flushed and are lost.
        lost_tail: u32,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    StartProducer(ProducerSpec),
    StopProducer {
        client_id: ClientId,
    },
    SendMessages(SendMessages),

    StartConsumer(Box<ConsumerSpec>),
    /// `shutdown()` of every consumer of that client, or of one group.
    StopConsumer {
        client_id: ClientId,
        group: Option<GroupName>,
    },
    /// kill -9: the system closes the connections.
    CrashConsumer {
        client_id: ClientId,
    },
    /// Power cut or network loss: nothing is closed.
    LoseHost {
        client_id: ClientId,
    },
    /// A long pause of the process; `None` until resumed.
    FreezeClient {
        client_id: ClientId,
        duration: Option<Millis>,
    },
    ResumeClient {
        client_id: ClientId,
    },
    Subscribe {
        client_id: ClientId,
        group: GroupName,
        topic: TopicName,
        expression: String,
    },
    Unsubscribe {
        client_id: ClientId,
        group: GroupName,
        topic: TopicName,
    },
    SetListener {
        client_id: ClientId,
        group: Option<GroupName>,
        listener: Box<ListenerBehavior>,
    },
    SetOnInterrupt {
        client_id: ClientId,
        on_interrupt: OnInterrupt,
    },
    PausePulling {
        client_id: ClientId,
    },
    ResumePulling {
        client_id: ClientId,
    },
    /// A property of a running consumer, by RocketMQ's name (`consumeThreadMin`, ...).
    SetConsumerProperty {
        client_id: ClientId,
        name: String,
        value: i64,
    },
    /// The client's clock runs ahead (+) or behind (-) by this much.
    SkewClock {
        client_id: ClientId,
        by_ms: i64,
    },

    CreateTopic {
        topic: TopicName,
        broker_name: Option<BrokerName>,
        queue_nums: u32,
    },
    UpdateTopic {
        topic: TopicName,
        broker_name: Option<BrokerName>,
        read_queue_nums: u32,
        write_queue_nums: u32,
        permission: Permission,
    },
    StopBroker {
        broker_name: BrokerName,
        broker_id: u32,
        how: BrokerStop,
    },
    StartBroker {
        broker_name: BrokerName,
        broker_id: u32,
    },
    FreezeBroker {
        broker_name: BrokerName,
        duration: Option<Millis>,
    },
    ResumeBroker {
        broker_name: BrokerName,
    },
    SetBrokerWritable {
        broker_name: BrokerName,
        writable: bool,
    },
    /// Every append takes this much longer.
    SlowStore {
        broker_name: BrokerName,
        by: Millis,
    },
    /// Old files expire: the queues' minOffset becomes `min_offset`.
    ExpireHead {
        broker_name: BrokerName,
        topic: TopicName,
        queue_id: QueueId,
        min_offset: QueueOffset,
    },
    SetFirstMessageInMemory {
        broker_name: BrokerName,
        in_memory: bool,
    },
    /// A property of a running broker, by RocketMQ's name (UPDATE_BROKER_CONFIG).
    SetBrokerProperty {
        broker_name: BrokerName,
        name: String,
        value: i64,
    },
    UpdateGroup {
        group: GroupName,
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
    /// One-way latency, drawn between the two for each packet.
    SetLatency {
        a: Party,
        b: Party,
        from: Millis,
        to: Millis,
    },
    /// The next `count` requests of this code from a to b are lost, or only their answers.
    DropNext {
        from: Party,
        to: Party,
        code: RequestCode,
        count: u32,
        only_response: bool,
    },
    /// The next `count` requests from a to b arrive twice, or only their answers do; of one code, or of
    /// any. The second copy comes later by a span that is drawn between two.
    DuplicateNext {
        from: Party,
        to: Party,
        code: Option<RequestCode>,
        count: u32,
        only_response: bool,
        later: Millis,
        later_at_most: Millis,
    },
    /// The next `count` requests from a to b, or only their answers, are held back until whatever is sent
    /// next in their direction has passed them, `at_most` so long.
    ReorderNext {
        from: Party,
        to: Party,
        code: Option<RequestCode>,
        count: u32,
        only_response: bool,
        at_most: Millis,
    },
    /// The next heartbeat of a rebalance pass of this client is skipped (spec 11.32).
    SkipHeartbeat {
        client_id: ClientId,
    },
    /// The client's connections break and only it notices: it connects anew, while the brokers still
    /// count the old connections as open.
    HalfOpenReconnect {
        client_id: ClientId,
    },

    /// Admin: INVOKE_BROKER_TO_RESET_OFFSET to a moment (spec 03.7).
    ResetOffset {
        group: GroupName,
        topic: TopicName,
        timestamp: i64,
        force: bool,
    },
    /// Admin: UPDATE_CONSUMER_OFFSET.
    SetOffset {
        group: GroupName,
        topic: TopicName,
        broker_name: Option<BrokerName>,
        queue_id: QueueId,
        offset: QueueOffset,
    },
}

/// Why a command makes no sense at its moment. Each says what is wrong; `text` says how to mend it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Error)]
pub enum CommandError {
    #[error("no running client {0}")]
    NoSuchClient(ClientId),
    #[error("client {0} is frozen")]
    Frozen(ClientId),
    #[error("no broker {0}")]
    NoSuchBroker(BrokerName),
    #[error("no topic {0}")]
    NoSuchTopic(TopicName),
    #[error("no queue {1} in topic {0}")]
    NoSuchQueue(TopicName, QueueId),
    #[error("client {0} has no consumer of group {1}")]
    NoSuchGroup(ClientId, GroupName),
    #[error("group {0} already exists in this client instance")]
    GroupExists(GroupName),
    #[error("broker {0} already runs")]
    BrokerRuns(BrokerName),
    #[error("broker {0} does not run")]
    BrokerDown(BrokerName),
    #[error("the configuration is refused: {0}")]
    BadConfig(String),
    #[error("{0} cannot be changed while the consumer runs")]
    NoSuchProperty(String),
    #[error("not built yet: {0}")]
    NotYet(String),
}
