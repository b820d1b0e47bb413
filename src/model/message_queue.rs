//! `MessageQueue`: topic, broker name and queue id together name one queue.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::ids::{BrokerName, QueueId, TopicName};
use super::java_string;

/// One queue of one topic on one broker. Orders by topic, then broker name, then queue id, as
/// `MessageQueue.compareTo` does; allocation depends on that order (spec 00.2, 02.6).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MessageQueue {
    pub topic: TopicName,
    pub broker_name: BrokerName,
    pub queue_id: QueueId,
}

impl MessageQueue {
    pub fn new(topic: TopicName, broker_name: BrokerName, queue_id: QueueId) -> MessageQueue {
        MessageQueue { topic, broker_name, queue_id }
    }

    /// `MessageQueue.hashCode`, which orders Java's hash tables of queues.
    pub fn hash_code(&self) -> i32 {
        let parts = [
            java_string::hash_code(self.broker_name.as_str()),
            self.queue_id.0 as i32,
            java_string::hash_code(self.topic.as_str()),
        ];
        parts.into_iter().fold(1, |hash: i32, part| hash.wrapping_mul(31).wrapping_add(part))
    }
}

impl fmt::Display for MessageQueue {
    /// As `MessageQueue.toString`, on which consistent hashing depends (spec 02.6).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "MessageQueue [topic={}, brokerName={}, queueId={}]",
            self.topic, self.broker_name, self.queue_id
        )
    }
}
