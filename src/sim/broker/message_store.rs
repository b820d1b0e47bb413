//! The store: append to the commit log, dispatch to consume queues a millisecond later, read back.
//!
//! Follows `DefaultMessageStore`, `CommitLog` and `ReputMessageService`.

use std::collections::VecDeque;
use std::rc::Rc;

use serde::Serialize;

use super::Broker;
use super::poll_grid::PollGrid;
use super::send_message::AppendThen;
use crate::model::config::BrokerConfig;
use crate::model::constants;
use crate::model::consume_queue::{ConsumeQueue, ConsumeQueueEntry};
use crate::model::ids::{QueueId, TopicName};
use crate::model::message::{NewMessage, StoredMessage};
use crate::model::offset::{PhysicalOffset, QueueOffset};
use crate::model::profile::Profile;
use crate::model::rules::Rules;
use crate::model::subscription::{SubscriptionData, tags_code};
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, EventKind, EventSequence, TimerKind};
use crate::sim::task::BrokerTask;

/// `ReputMessageService`: what is appended but not yet in a consume queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reput {
    pub is_scheduled: bool,
    /// For each such record the event of its append, of which its dispatch is the consequence.
    pub stored_events: VecDeque<EventSequence>,
}

/// An append that a slow store has not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SlowAppend {
    pub token: u64,
    pub due: Millis,
    message: NewMessage,
    then: AppendThen,
}

/// What `getMessage` found (spec 01.5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum GetMessageStatus {
    Found,
    NoMatchedMessage,
    /// `NO_MATCHED_LOGIC_QUEUE` too, which the answer does not tell apart.
    NoMessageInQueue,
    OffsetTooSmall,
    OffsetOverflowOne,
    OffsetOverflowBadly,
    /// A server-side reset waits for this queue (since 5.1.0).
    OffsetReset,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GetMessageResult {
    pub status: GetMessageStatus,
    pub next_begin_offset: QueueOffset,
    pub min_offset: QueueOffset,
    pub max_offset: QueueOffset,
    pub found: Vec<Rc<StoredMessage>>,
}

/// What a read of one queue asks for.
#[derive(Clone, Copy, Debug)]
pub struct GetMessage<'a> {
    pub offset: QueueOffset,
    pub max_msg_nums: u32,
    pub filter: &'a SubscriptionData,
    /// A slave corrects no offset (`offsetCheckInSlave` = false).
    pub is_slave: bool,
}

impl Broker {
    /// Appends a message that has its final address, then does what comes next. A slow store does it
    /// later, one append after the other: the append lock lets one in.
    ///
    /// Follows `DefaultMessageStore.putMessage`.
    pub(crate) fn put_message(
        &mut self,
        message: NewMessage,
        then: AppendThen,
        cx: &mut Context<'_>,
    ) {
        if self.store_delay == Millis::ZERO && self.slow_appends.is_empty() {
            let stored = self.append(message, cx);
            self.after_append(&stored, then, cx);
            return;
        }
        let begin = self.slow_appends.back().map_or(cx.now(), |last| last.due.max(cx.now()));
        let due = begin + self.store_delay;
        let token = cx.next_token();
        self.slow_appends.push_back(SlowAppend { token, due, message, then });
        let task = BrokerTask::FinishAppend { token };
        cx.schedule_broker(self.index, self.life, due, TimerKind::SlowStore, task);
    }

    pub(crate) fn finish_append(&mut self, token: u64, cx: &mut Context<'_>) {
        let at = self.slow_appends.iter().position(|slow| slow.token == token);
        let Some(slow) = at.and_then(|at| self.slow_appends.remove(at)) else { return };
        let stored = self.append(slow.message, cx);
        self.after_append(&stored, slow.then, cx);
    }

    /// Gives the message its place in the commit log and the next offset of its queue.
    ///
    /// Follows `CommitLog.putMessage`, `DefaultAppendMessageCallback.doAppend`.
    fn append(&mut self, message: NewMessage, cx: &mut Context<'_>) -> Rc<StoredMessage> {
        let key = (message.topic.clone(), message.queue_id);
        let next = self.topic_queue_table.entry(key).or_default();
        let queue_offset = *next;
        *next = queue_offset.next();
        let stored = Rc::new(StoredMessage {
            body: message.body,
            broker_name: self.name.clone(),
            topic: message.topic,
            queue_id: message.queue_id,
            queue_offset,
            physical_offset: self.commit_log.max_offset(),
            stored_at: cx.now(),
            reconsume_times: message.reconsume_times,
            properties: message.properties,
        });
        self.commit_log.append(stored.clone());
        let event = cx.emit(EventKind::MessageStored { message: stored.clone() });
        self.reput.stored_events.push_back(event);
        self.schedule_reput(cx);
        stored
    }

    /// Puts the next dispatch on the agenda: one for everything appended until then.
    pub(crate) fn schedule_reput(&mut self, cx: &mut Context<'_>) {
        if !self.reput.is_scheduled {
            self.reput.is_scheduled = true;
            let at = cx.now() + constants::reput_interval(cx.profile());
            let (index, life) = (self.index, self.life);
            cx.schedule_broker(index, life, at, TimerKind::Reput, BrokerTask::Reput);
        }
    }

    /// Gives every appended record its entry in a consume queue; pulls see it from now on.
    ///
    /// Follows `ReputMessageService.doReput`.
    pub(crate) fn reput_message(&mut self, cx: &mut Context<'_>) {
        self.reput.is_scheduled = false;
        let index = |from: u64| usize::try_from(from).expect("a log fits into memory");
        while let Some(record) = self.commit_log.get(index(self.reput_from)).cloned() {
            self.reput_from += 1;
            let stored_event = self.reput.stored_events.pop_front();
            cx.set_causes(stored_event.map_or(Causes::NONE, Causes::of));
            self.dispatch(&record, stored_event, cx);
        }
    }

    /// Follows `CommitLogDispatcherBuildConsumeQueue`, `ConsumeQueue.putMessagePositionInfo`.
    fn dispatch(
        &mut self,
        record: &Rc<StoredMessage>,
        stored_event: Option<EventSequence>,
        cx: &mut Context<'_>,
    ) {
        let delayed = self.schedule_message.level_of(record);
        let code = match delayed {
            Some(level) => self.schedule_message.due_as_tags_code(&self.config, level, record),
            None => tags_code(record.body.tag.as_ref()),
        };
        let entry = ConsumeQueueEntry { message: record.clone(), tags_code: code };
        let key = (record.topic.clone(), record.queue_id);
        let queue = self.consume_queues.entry(key).or_default();
        queue.append(entry);
        let max_offset = queue.max_offset();
        cx.emit(EventKind::ConsumeQueueAppended { message: record.clone() });
        match delayed {
            Some(level) => self.delayed_message_arriving(level, stored_event, cx),
            None => self.message_arriving(record, max_offset, code, cx),
        }
    }

    /// The consume queue of a topic's queue, if anything was ever stored there.
    pub(crate) fn find_consume_queue(
        &self,
        topic: &TopicName,
        queue_id: QueueId,
    ) -> Option<&ConsumeQueue> {
        self.consume_queues.get(&(topic.clone(), queue_id))
    }

    pub(crate) fn max_offset_in_queue(&self, topic: &TopicName, queue_id: QueueId) -> QueueOffset {
        self.find_consume_queue(topic, queue_id).map_or(QueueOffset::ZERO, ConsumeQueue::max_offset)
    }

    pub(crate) fn min_offset_in_queue(&self, topic: &TopicName, queue_id: QueueId) -> QueueOffset {
        self.find_consume_queue(topic, queue_id).map_or(QueueOffset::ZERO, ConsumeQueue::min_offset)
    }

    /// The record at a physical offset; none if its file has expired.
    ///
    /// Follows `DefaultMessageStore.lookMessageByOffset`.
    pub(crate) fn look_message_by_offset(
        &self,
        offset: PhysicalOffset,
    ) -> Option<Rc<StoredMessage>> {
        let record = self.commit_log.look_message_by_offset(offset)?;
        let min_offset = self.min_offset_in_queue(&record.topic, record.queue_id);
        (record.queue_offset >= min_offset).then(|| record.clone())
    }

    /// The offset of the message stored at, or nearest to, a moment (spec 02.5); 0 in an empty queue.
    ///
    /// Follows `ConsumeQueue.getOffsetInQueueByTime`.
    pub(crate) fn offset_in_queue_by_time(
        &self,
        topic: &TopicName,
        queue_id: QueueId,
        moment: i64,
    ) -> QueueOffset {
        match self.find_consume_queue(topic, queue_id) {
            Some(queue) => offset_by_time(queue, moment),
            None => QueueOffset::ZERO,
        }
    }

    /// A grid that began with this life of the process.
    pub(crate) fn grid(&self, initial_delay: Millis, period: Millis) -> PollGrid {
        PollGrid::new(self.started_at + initial_delay, period)
    }
}

/// Exact store time: that offset; between two: the nearer one, of two equally near ones the left;
/// before all: the first; after all: the last.
fn offset_by_time(queue: &ConsumeQueue, moment: i64) -> QueueOffset {
    let stored_at = |offset: QueueOffset| -> i64 {
        let entry = queue.get(offset).expect("an offset between min and max has an entry");
        i64::try_from(entry.message.stored_at.ms()).expect("virtual time is small")
    };
    let (mut low, mut high) = (queue.min_offset().0, queue.max_offset().0);
    if low == high {
        return QueueOffset::ZERO;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if stored_at(QueueOffset(middle)) < moment {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let right = QueueOffset(low);
    if right == queue.min_offset() {
        return right;
    }
    let left = right.plus(-1);
    let is_right_nearer =
        right < queue.max_offset() && stored_at(right) - moment < moment - stored_at(left);
    if is_right_nearer { right } else { left }
}

/// Reads a batch of one queue from an offset on (spec 01.5.2). A queue that does not exist yet reads
/// as an empty one.
///
/// Follows `DefaultMessageStore.getMessage`.
pub fn get_message(
    queue: Option<&ConsumeQueue>,
    config: &BrokerConfig,
    rules: &Rules,
    profile: Profile,
    request: GetMessage<'_>,
) -> GetMessageResult {
    let offset = request.offset;
    let min_offset = queue.map_or(QueueOffset::ZERO, ConsumeQueue::min_offset);
    let max_offset = queue.map_or(QueueOffset::ZERO, ConsumeQueue::max_offset);
    let nothing = |status, next_begin_offset| {
        let next_begin_offset = if request.is_slave { offset } else { next_begin_offset };
        GetMessageResult { status, next_begin_offset, min_offset, max_offset, found: Vec::new() }
    };
    let Some(queue) = queue.filter(|_| max_offset > QueueOffset::ZERO) else {
        return nothing(GetMessageStatus::NoMessageInQueue, QueueOffset::ZERO);
    };
    if offset < min_offset {
        return nothing(GetMessageStatus::OffsetTooSmall, min_offset);
    }
    if offset == max_offset {
        return nothing(GetMessageStatus::OffsetOverflowOne, offset);
    }
    if offset > max_offset {
        let goes_to_zero = rules.overflow_badly_goes_to_zero && min_offset == QueueOffset::ZERO;
        let corrected = if goes_to_zero { QueueOffset::ZERO } else { max_offset };
        return nothing(GetMessageStatus::OffsetOverflowBadly, corrected);
    }
    get_message_scan(queue, config, profile, request)
}

fn get_message_scan(
    queue: &ConsumeQueue,
    config: &BrokerConfig,
    profile: Profile,
    request: GetMessage<'_>,
) -> GetMessageResult {
    let scan_max = constants::filter_scan_entries_max(profile, request.max_msg_nums);
    let max_offset = queue.max_offset();
    let mut found = Vec::new();
    let mut bytes = 0;
    let mut next = request.offset;
    while next < max_offset && next < request.offset.plus(i64::from(scan_max)) {
        let Some(entry) = queue.get(next) else { break };
        let size = entry.message.record_bytes();
        if is_the_batch_full(config, request.max_msg_nums, size, bytes, found.len()) {
            break;
        }
        next = next.next();
        if request.filter.matches_code(entry.tags_code) {
            bytes += size;
            found.push(entry.message.clone());
        }
    }
    let is_empty = found.is_empty();
    GetMessageResult {
        status: if is_empty { GetMessageStatus::NoMatchedMessage } else { GetMessageStatus::Found },
        next_begin_offset: next,
        min_offset: queue.min_offset(),
        max_offset,
        found,
    }
}

/// Differs: every message counts as "in memory"; the limits for those on disk don't apply to a log of
/// teaching size.
///
/// Follows `DefaultMessageStore.isTheBatchFull`.
fn is_the_batch_full(
    config: &BrokerConfig,
    max_msg_nums: u32,
    size: u32,
    bytes: u32,
    count: usize,
) -> bool {
    let count = u32::try_from(count).expect("a batch is small");
    count > 0
        && (count >= max_msg_nums
            || bytes + size > config.max_transfer_bytes_on_message_in_memory
            || count >= config.max_transfer_count_on_message_in_memory)
}
