//! Topics and the names that RocketMQ makes of a group's name.

use serde::{Deserialize, Serialize};

use super::ids::{GroupName, TopicName};

pub const SCHEDULE_TOPIC: &str = "SCHEDULE_TOPIC_XXXX";
/// The template of auto-created topics (`createTopicKey`, spec 08.1).
pub const AUTO_CREATE_TOPIC_KEY: &str = "TBW102";
pub const RETRY_PREFIX: &str = "%RETRY%";
pub const DLQ_PREFIX: &str = "%DLQ%";

/// PERM_READ and PERM_WRITE of a topic (`PermName`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permission {
    pub readable: bool,
    pub writable: bool,
}

impl Permission {
    pub const READ_WRITE: Permission = Permission { readable: true, writable: true };
    pub const WRITE_ONLY: Permission = Permission { readable: false, writable: true };
    pub const READ_ONLY: Permission = Permission { readable: true, writable: false };
}

/// `TopicConfig` of one broker (spec 01.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicConfig {
    pub read_queue_nums: u32,
    pub write_queue_nums: u32,
    pub permission: Permission,
}

impl TopicConfig {
    pub fn read_write(queue_nums: u32) -> TopicConfig {
        TopicConfig {
            read_queue_nums: queue_nums,
            write_queue_nums: queue_nums,
            permission: Permission::READ_WRITE,
        }
    }
}

/// `%RETRY%group` (`MixAll.getRetryTopic`).
pub fn retry_topic(group: &GroupName) -> TopicName {
    TopicName::new(format!("{RETRY_PREFIX}{group}"))
}

/// `%DLQ%group` (`MixAll.getDLQTopic`).
pub fn dlq_topic(group: &GroupName) -> TopicName {
    TopicName::new(format!("{DLQ_PREFIX}{group}"))
}

pub fn schedule_topic() -> TopicName {
    TopicName::new(SCHEDULE_TOPIC)
}

pub fn is_retry_topic(topic: &TopicName) -> bool {
    topic.as_str().starts_with(RETRY_PREFIX)
}

pub fn is_dlq_topic(topic: &TopicName) -> bool {
    topic.as_str().starts_with(DLQ_PREFIX)
}
