//! A message as it is sent, and as the broker stores it.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::ids::{BrokerName, MessageKey, QueueId, Tag, TopicName, UniqueKey};
use super::listener::ListenerScript;
use super::offset::{PhysicalOffset, QueueOffset};
use super::time::Millis;

/// Where a stored message lies: RocketMQ's offsetMsgId (address and physical offset), typed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MessageId {
    pub broker_name: BrokerName,
    pub physical_offset: PhysicalOffset,
}

/// The part of a message that no retry changes. All stored copies share it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageBody {
    pub unique_key: UniqueKey,
    /// KEYS: what people call it.
    pub key: Option<MessageKey>,
    /// TAGS.
    pub tag: Option<Tag>,
    /// Length of the body in bytes.
    pub body_bytes: u32,
    pub born_at: Millis,
    /// What the listener does with it, if the scenario says so for this message. Not RocketMQ's:
    /// it stands for the application's code, and travels with the message so that a link needs
    /// nothing else.
    pub script: Option<Rc<ListenerScript>>,
}

/// The properties of a message that decide something or that a person looks for.
///
/// One field for each name of RocketMQ's `MessageConst`; absent means that the property is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Properties {
    /// DELAY: the delay level, as written. May be 0 (spec 05.6.1, since 4.9.2) or negative.
    pub delay: Option<i32>,
    /// REAL_TOPIC, REAL_QID: where a delayed message goes when it is due.
    pub real_topic: Option<TopicName>,
    pub real_queue_id: Option<QueueId>,
    /// RETRY_TOPIC: the topic of the first failure.
    pub retry_topic: Option<TopicName>,
    /// RECONSUME_TIME and MAX_RECONSUME_TIMES: only on plain sends to a retry topic (spec 05.5).
    pub reconsume_time: Option<i32>,
    pub max_reconsume_times: Option<i32>,
    /// ORIGIN_MESSAGE_ID: the first stored copy.
    pub origin_message_id: Option<MessageId>,
}

/// RocketMQ's `MessageExt`: one stored record of a commit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredMessage {
    pub body: Rc<MessageBody>,
    pub broker_name: BrokerName,
    pub topic: TopicName,
    pub queue_id: QueueId,
    pub queue_offset: QueueOffset,
    pub physical_offset: PhysicalOffset,
    pub stored_at: Millis,
    pub reconsume_times: i32,
    pub properties: Properties,
}

impl StoredMessage {
    pub fn message_id(&self) -> MessageId {
        MessageId { broker_name: self.broker_name.clone(), physical_offset: self.physical_offset }
    }

    /// The topic that a listener sees: RETRY_TOPIC for a copy from %RETRY% (`resetRetryTopic`,
    /// spec 05.3).
    pub fn topic_for_listener(&self) -> &TopicName {
        match &self.properties.retry_topic {
            Some(origin) if super::topic::is_retry_topic(&self.topic) => origin,
            _ => &self.topic,
        }
    }

    /// The nominal size of the record in the commit log, in bytes.
    ///
    /// Differs: RocketMQ's records vary with their properties; only order and distance matter here.
    pub fn record_bytes(&self) -> u32 {
        NOMINAL_RECORD_BYTES + self.body.body_bytes
    }
}

/// What a record takes in the commit log besides its body, in bytes: header, topic and properties of
/// the recorded runs, rounded.
pub const NOMINAL_RECORD_BYTES: u32 = 200;

/// A message on its way to a broker, before it has a place (`MessageExtBrokerInner`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewMessage {
    pub body: Rc<MessageBody>,
    pub topic: TopicName,
    pub queue_id: QueueId,
    pub reconsume_times: i32,
    pub properties: Properties,
}
