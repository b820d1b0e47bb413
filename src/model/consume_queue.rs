//! `ConsumeQueue`: the dense index of one queue into the commit log.

use std::rc::Rc;

use serde::Serialize;

use super::append_log::AppendLog;
use super::message::StoredMessage;
use super::offset::QueueOffset;
use super::time::Millis;

/// One entry (`CqUnit`). RocketMQ's has 20 bytes: physical offset, size, tags code. Here the record
/// itself is at hand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConsumeQueueEntry {
    pub message: Rc<StoredMessage>,
    /// The 32-bit Java hash of TAGS (0 if none); in the schedule topic the due time instead
    /// (spec 01.2).
    pub tags_code: i64,
}

impl ConsumeQueueEntry {
    /// When the entry is due, if it stands in the schedule topic.
    pub fn due(&self) -> Millis {
        Millis(self.tags_code.max(0) as u64)
    }
}

/// The entries of one queue. Offsets are dense; those below `min_offset` have expired.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ConsumeQueue {
    /// The offset of the first entry that was ever kept here.
    first: i64,
    min_offset: QueueOffset,
    entries: AppendLog<ConsumeQueueEntry>,
}

impl ConsumeQueue {
    /// A queue whose offsets below `min_offset` have expired before the run.
    pub fn starting_at(min_offset: QueueOffset) -> ConsumeQueue {
        ConsumeQueue { first: min_offset.0, min_offset, entries: AppendLog::default() }
    }

    pub fn min_offset(&self) -> QueueOffset {
        self.min_offset
    }

    /// The offset of the next entry.
    pub fn max_offset(&self) -> QueueOffset {
        QueueOffset(self.first + self.entries.len() as i64)
    }

    pub fn append(&mut self, entry: ConsumeQueueEntry) {
        self.entries.push(entry);
    }

    pub fn get(&self, offset: QueueOffset) -> Option<&ConsumeQueueEntry> {
        if offset < self.min_offset {
            return None;
        }
        self.entries.get(usize::try_from(offset.0 - self.first).ok()?)
    }

    /// Expires everything below `offset`.
    pub fn expire_below(&mut self, offset: QueueOffset) {
        self.min_offset = offset.clamp(self.min_offset, self.max_offset());
    }

    /// Cuts off entries from `offset` on: their records were lost in a crash.
    pub fn truncate_from(&mut self, offset: QueueOffset) {
        let keep = usize::try_from(offset.0 - self.first).unwrap_or(0);
        self.entries.truncate(keep);
        self.min_offset = self.min_offset.min(self.max_offset());
    }
}
