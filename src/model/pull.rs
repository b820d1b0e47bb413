//! `PullRequest`: the token of one queue's pulling.

use serde::Serialize;

use super::ids::{GroupName, ProcessQueueId};
use super::message_queue::MessageQueue;
use super::offset::QueueOffset;

/// At most one circulates for each `ProcessQueue`: it is in the queue of the pull service, in a
/// delay, or travelling as a remote call. It dies when its `ProcessQueue` is dropped (spec 03.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PullRequest {
    pub group: GroupName,
    pub message_queue: MessageQueue,
    pub process_queue: ProcessQueueId,
    pub next_offset: QueueOffset,
    /// Orderly: the offset has been read again under the lock (lockedFirst, previouslyLocked).
    pub is_previously_locked: bool,
}
