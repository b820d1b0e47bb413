//! `ConsumeRequest`: what waits for a thread of the consume pool.

use serde::Serialize;

use super::ids::ProcessQueueId;
use super::message_queue::MessageQueue;
use super::offset::QueueOffset;
use super::process_queue::CachedMessage;

/// A runnable of the consume pool (spec 05.2). In concurrent mode it names its messages; in orderly
/// mode it takes them from the `ProcessQueue` when it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConsumeRequest {
    pub message_queue: MessageQueue,
    pub process_queue: ProcessQueueId,
    /// Empty in orderly mode.
    pub messages: Vec<CachedMessage>,
}

impl ConsumeRequest {
    pub fn first_offset(&self) -> QueueOffset {
        self.messages.first().map_or(QueueOffset::NONE, CachedMessage::queue_offset)
    }
}
