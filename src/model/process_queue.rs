//! `ProcessQueue`: a consumer's window on one queue, the messages pulled and not yet done (spec 04).
//!
//! A new one is made each time a queue is assigned; a dropped one lives on in the requests that name
//! it. Follows `org.apache.rocketmq.client.impl.consumer.ProcessQueue`.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;

use super::constants;
use super::message::StoredMessage;
use super::offset::QueueOffset;
use super::profile::Profile;
use super::rules::Rules;
use super::time::Millis;

/// A pulled message as the client holds it: the record, and what only the client's copy knows.
///
/// In Java a window and a `ConsumeRequest` share one `MessageExt`; here both hold a copy, and
/// [`ProcessQueue::set_reconsume_times`] keeps them equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CachedMessage {
    pub message: Rc<StoredMessage>,
    /// `MessageExt.reconsumeTimes` of this copy. Starts at the stored value; local retries and
    /// orderly suspends raise it, and nobody else learns of it.
    pub reconsume_times: i32,
    /// CONSUME_START_TIME: when its consume request began. `None` before that.
    pub consume_started_at: Option<Millis>,
}

impl CachedMessage {
    pub fn new(message: Rc<StoredMessage>) -> CachedMessage {
        let reconsume_times = message.reconsume_times;
        CachedMessage { message, reconsume_times, consume_started_at: None }
    }

    pub fn queue_offset(&self) -> QueueOffset {
        self.message.queue_offset
    }

    fn body_bytes(&self) -> i64 {
        i64::from(self.message.body.body_bytes)
    }
}

/// The window. Fields without an invariant are public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProcessQueue {
    /// `msgTreeMap`: in concurrent mode what is not done, in orderly mode what is not yet taken.
    messages: BTreeMap<QueueOffset, CachedMessage>,
    /// `consumingMsgOrderlyTreeMap`: taken, and its result or commit still to come. Orderly only.
    consuming_orderly: BTreeMap<QueueOffset, CachedMessage>,
    /// Of both maps (P1 of spec 04.5). Counted, not computed, as in the Java.
    message_count: i64,
    /// Body bytes of both maps.
    message_bytes: i64,
    /// The offset of the last message that was new to the window. 0 before the first.
    queue_offset_max: QueueOffset,
    /// Orderly: a consume request is scheduled or running.
    is_consuming: bool,
    /// Never becomes false again (P5).
    is_dropped: bool,
    /// The client believes that it holds the queue's lock at the broker. Orderly only.
    pub is_locked: bool,
    /// When the broker last granted the lock; creation counts.
    pub last_lock_at: Millis,
    /// When a pull was last tried; creation counts.
    pub last_pull_at: Millis,
    /// For information only.
    pub last_consume_at: Millis,
    /// `msgAccCnt`: messages at the broker behind the last one pulled. For information only.
    pub backlog: i64,
    /// Attempts to give the queue up that failed, because a listener ran.
    pub try_unlock_times: u32,
}

impl ProcessQueue {
    /// An empty window. `is_locked`: see [`Rules::new_process_queue_is_locked`].
    pub fn new(now: Millis, is_locked: bool) -> ProcessQueue {
        ProcessQueue {
            messages: BTreeMap::new(),
            consuming_orderly: BTreeMap::new(),
            message_count: 0,
            message_bytes: 0,
            queue_offset_max: QueueOffset::ZERO,
            is_consuming: false,
            is_dropped: false,
            is_locked,
            last_lock_at: now,
            last_pull_at: now,
            last_consume_at: now,
            backlog: 0,
            try_unlock_times: 0,
        }
    }

    /// Puts pulled messages into the window.
    ///
    /// `max_offset` is the queue's end as the answer told it (the MAX_OFFSET property). Returns
    /// whether an orderly consume request must be made: there is something, and none is under way.
    ///
    /// Follows `ProcessQueue.putMessage`.
    pub fn put_message(
        &mut self,
        messages: impl IntoIterator<Item = Rc<StoredMessage>>,
        max_offset: Option<QueueOffset>,
    ) -> bool {
        let mut last_offset = None;
        for message in messages {
            let offset = message.queue_offset;
            let entry = CachedMessage::new(message);
            let body_bytes = entry.body_bytes();
            if self.messages.insert(offset, entry).is_none() {
                self.message_count += 1;
                self.message_bytes += body_bytes;
                self.queue_offset_max = offset;
            }
            last_offset = Some(offset);
        }
        if let (Some(last_offset), Some(max_offset)) = (last_offset, max_offset)
            && max_offset > last_offset
        {
            self.backlog = max_offset.0 - last_offset.0;
        }
        let dispatch_to_consume = !self.messages.is_empty() && !self.is_consuming;
        self.is_consuming |= dispatch_to_consume;
        dispatch_to_consume
    }

    /// The distance of the largest and the smallest offset in the window, 0 if it is empty.
    ///
    /// Not the distance of pull position and commit offset: what is done has left already.
    ///
    /// Follows `ProcessQueue.getMaxSpan`.
    pub fn max_span(&self) -> i64 {
        match (self.messages.first_key_value(), self.messages.last_key_value()) {
            (Some((first, _)), Some((last, _))) => last.0 - first.0,
            _ => 0,
        }
    }

    /// Takes what was consumed out of the window and tells how far the offset may move.
    ///
    /// Returns the smallest offset still in the window or, when nothing is left, one past the
    /// largest offset put so far; `None` if the window was empty already. That is why one slow
    /// message holds back the offset of all that came after it.
    ///
    /// Follows `ProcessQueue.removeMessage`.
    pub fn remove_message(
        &mut self,
        rules: &Rules,
        now: Millis,
        consumed: impl IntoIterator<Item = QueueOffset>,
    ) -> Option<QueueOffset> {
        self.last_consume_at = now;
        if self.messages.is_empty() {
            return None;
        }
        for offset in consumed {
            if let Some(entry) = self.messages.remove(&offset) {
                self.message_count -= 1;
                self.message_bytes -= entry.body_bytes();
            }
        }
        self.reset_message_bytes(rules);
        Some(self.first_offset().unwrap_or(self.queue_offset_max.next()))
    }

    /// Orderly: takes the first `batch` messages; when there are none, the request under way ends.
    ///
    /// Follows `ProcessQueue.takeMessages` (`takeMessags` in 4.2.0).
    pub fn take_messages(&mut self, now: Millis, batch: u32) -> Vec<CachedMessage> {
        self.last_consume_at = now;
        let mut taken = Vec::new();
        for _ in 0..batch {
            let Some((offset, entry)) = self.messages.pop_first() else { break };
            self.consuming_orderly.insert(offset, entry.clone());
            taken.push(entry);
        }
        self.is_consuming &= !taken.is_empty();
        taken
    }

    /// Orderly: all that was taken is done. Returns the offset to commit, one past the largest of
    /// them; `None` if nothing was taken, where the Java throws.
    ///
    /// Follows `ProcessQueue.commit`.
    pub fn commit(&mut self, rules: &Rules) -> Option<QueueOffset> {
        let last = *self.consuming_orderly.last_key_value()?.0;
        for (_, entry) in std::mem::take(&mut self.consuming_orderly) {
            self.message_count -= 1;
            self.message_bytes -= entry.body_bytes();
        }
        self.reset_message_bytes(rules);
        Some(last.next())
    }

    /// Orderly: puts all that was taken back, to be taken again.
    ///
    /// Follows `ProcessQueue.rollback`.
    pub fn rollback(&mut self) {
        self.messages.append(&mut self.consuming_orderly);
    }

    /// Orderly: puts exactly these back, as they are now (their count may have grown).
    ///
    /// Follows `ProcessQueue.makeMessageToConsumeAgain` (`makeMessageToCosumeAgain` in 4.2.0).
    pub fn make_message_to_consume_again(
        &mut self,
        messages: impl IntoIterator<Item = CachedMessage>,
    ) {
        for entry in messages {
            let offset = entry.queue_offset();
            self.consuming_orderly.remove(&offset);
            self.messages.insert(offset, entry);
        }
    }

    /// Empties the window: a client-side offset reset (spec 03.7).
    ///
    /// Follows `ProcessQueue.clear`.
    pub fn clear(&mut self) {
        self.messages.clear();
        self.consuming_orderly.clear();
        self.message_count = 0;
        self.message_bytes = 0;
        self.queue_offset_max = QueueOffset::ZERO;
    }

    /// Whether anything is left to take; what was taken does not count.
    ///
    /// Follows `ProcessQueue.hasTempMessage`.
    pub fn has_temp_message(&self) -> bool {
        !self.messages.is_empty()
    }

    /// Follows `ProcessQueue.containsMessage` (since 5.1.0).
    pub fn contains(&self, offset: QueueOffset) -> bool {
        self.messages.contains_key(&offset)
    }

    /// Whether the client's belief in its lock is too old: more than 30 s.
    ///
    /// Follows `ProcessQueue.isLockExpired`.
    pub fn is_lock_expired(&self, profile: Profile, now: Millis) -> bool {
        now.since(self.last_lock_at) > constants::client_lock_max_live_time(profile)
    }

    /// Whether no pull was tried for more than 120 s: the pull request is lost.
    ///
    /// Follows `ProcessQueue.isPullExpired`.
    pub fn is_pull_expired(&self, profile: Profile, now: Millis) -> bool {
        now.since(self.last_pull_at) > constants::pull_max_idle_time(profile)
    }

    /// Notes that the messages' consume request began: CONSUME_START_TIME.
    pub fn note_consume_start(
        &mut self,
        now: Millis,
        offsets: impl IntoIterator<Item = QueueOffset>,
    ) {
        for offset in offsets {
            if let Some(entry) = self.messages.get_mut(&offset) {
                entry.consume_started_at = Some(now);
            }
        }
    }

    /// Makes the window's copy of a message know its consume request's count of failures.
    pub fn set_reconsume_times(&mut self, offset: QueueOffset, times: i32) {
        if let Some(entry) = self.messages.get_mut(&offset) {
            entry.reconsume_times = times;
        }
    }

    /// Drops the window, for good.
    pub fn set_dropped(&mut self) {
        self.is_dropped = true;
    }

    pub fn is_dropped(&self) -> bool {
        self.is_dropped
    }

    pub fn is_consuming(&self) -> bool {
        self.is_consuming
    }

    /// Messages in the window, those taken included.
    pub fn message_count(&self) -> i64 {
        self.message_count
    }

    /// Body bytes in the window, those taken included.
    pub fn message_bytes(&self) -> i64 {
        self.message_bytes
    }

    pub fn queue_offset_max(&self) -> QueueOffset {
        self.queue_offset_max
    }

    pub fn first_offset(&self) -> Option<QueueOffset> {
        self.messages.first_key_value().map(|(offset, _)| *offset)
    }

    pub fn first(&self) -> Option<&CachedMessage> {
        self.messages.first_key_value().map(|(_, entry)| entry)
    }

    pub fn get(&self, offset: QueueOffset) -> Option<&CachedMessage> {
        self.messages.get(&offset)
    }

    /// Concurrent: what is not done; orderly: what is not yet taken.
    pub fn messages(&self) -> &BTreeMap<QueueOffset, CachedMessage> {
        &self.messages
    }

    /// Orderly: what was taken.
    pub fn consuming_orderly(&self) -> &BTreeMap<QueueOffset, CachedMessage> {
        &self.consuming_orderly
    }

    fn reset_message_bytes(&mut self, rules: &Rules) {
        if rules.message_size_reset && self.message_count == 0 {
            self.message_bytes = 0;
        }
    }
}
