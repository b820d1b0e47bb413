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
    message: NewMessage,
    then: AppendThen,
    /// Of the request: the append before it only had to end first.
    #[serde(skip)]
    causes: Causes,
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
        let (token, causes) = (cx.next_token(), cx.causes());
        self.slow_appends.push_back(SlowAppend { token, message, then, causes });
        if self.slow_appends.len() == 1 {
            self.begin_slow_append(cx);
        }
    }

    /// The first in line has the append lock. What it takes is what the store takes now: who waits behind a
    /// store that has become quick again is quick.
    fn begin_slow_append(&mut self, cx: &mut Context<'_>) {
        let Some(first) = self.slow_appends.front() else { return };
        cx.set_causes(first.causes);
        let task = BrokerTask::FinishAppend { token: first.token };
        let due = cx.now() + self.store_delay;
        cx.schedule_broker(self.index, self.life, due, TimerKind::SlowStore, task);
    }

    pub(crate) fn finish_append(&mut self, token: u64, cx: &mut Context<'_>) {
        let Some(slow) = self.slow_appends.pop_front_if(|first| first.token == token) else {
            return;
        };
        let stored = self.append(slow.message, cx);
        self.after_append(&stored, slow.then, cx);
        self.begin_slow_append(cx);
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
        self.ha_transfer(cx);
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
        // A slave's copy is no second message, so it has no events.
        if self.is_master() {
            cx.emit(EventKind::ConsumeQueueAppended { message: record.clone() });
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::broker::bench::{Bench, message, pull, setup};
    use crate::sim::command::BrokerStop;
    use crate::sim::packet::ResponseCode;
    use crate::sim::setup::QueuePast;

    fn read(bench: &Bench, offset: i64, expression: &str, nums: u32) -> GetMessageResult {
        let filter = SubscriptionData::parse(&"T".into(), expression, 0).expect("well formed");
        let request = GetMessage {
            offset: QueueOffset(offset),
            max_msg_nums: nums,
            filter: &filter,
            is_slave: false,
        };
        let queue = bench.broker.find_consume_queue(&"T".into(), QueueId(0));
        let (rules, profile) = (bench.engine.rules, bench.engine.profile);
        get_message(queue, &bench.broker.config, &rules, profile, request)
    }

    fn fill(bench: &mut Bench, count: u32, tag: impl Fn(u32) -> Option<&'static str>) {
        for at in 0..count {
            bench.send_now(message("T", 0, tag(at)));
        }
        let now = bench.engine.now.ms();
        bench.run_until(now + 1);
    }

    #[test]
    fn a_record_is_visible_a_millisecond_after_its_append_and_one_dispatch_serves_many() {
        let mut bench = Bench::new(Profile::V49);
        bench.send_now(message("T", 0, None));
        bench.send_now(message("T", 0, None));
        assert_eq!(bench.broker.max_offset_in_queue(&"T".into(), QueueId(0)), QueueOffset(0));
        let tasks = bench.engine.counters.task;
        bench.run_until(1);
        assert_eq!(bench.broker.max_offset_in_queue(&"T".into(), QueueId(0)), QueueOffset(2));
        assert_eq!(bench.engine.counters.task - tasks, 3, "two answers and one dispatch");
        let stored = bench.events(|kind| matches!(kind, EventKind::MessageStored { .. }));
        let visible = bench.events(|kind| matches!(kind, EventKind::ConsumeQueueAppended { .. }));
        for at in 0..2 {
            assert_eq!(visible[at].causes.as_slice(), [stored[at].sequence]);
        }
    }

    #[test]
    fn offsets_are_dense_in_each_queue_and_the_log_is_one() {
        let mut bench = Bench::new(Profile::V49);
        for queue_id in [0, 1, 0, 1, 1] {
            bench.send_now(message("T", queue_id, None));
        }
        let offsets: Vec<_> = bench.stored().iter().map(|r| r.queue_offset.0).collect();
        assert_eq!(offsets, [0, 0, 1, 1, 2]);
        let physical: Vec<_> = bench.stored().iter().map(|r| r.physical_offset.0).collect();
        assert_eq!(physical, [0, 300, 600, 900, 1_200]);
    }

    #[test]
    fn an_offset_far_beyond_the_end_goes_to_zero_until_4_9_3_unless_something_expired() {
        for (profile, corrected) in [(Profile::V42, 0), (Profile::V49, 3), (Profile::V53, 3)] {
            let mut bench = Bench::new(profile);
            fill(&mut bench, 3, |_| None);
            let result = read(&bench, 7, "*", 32);
            assert_eq!(result.status, GetMessageStatus::OffsetOverflowBadly);
            assert_eq!(result.next_begin_offset, QueueOffset(corrected), "{profile:?}");
            bench.broker.expire_head(&"T".into(), QueueId(0), QueueOffset(1)).expect("not empty");
            assert_eq!(read(&bench, 7, "*", 32).next_begin_offset, QueueOffset(3));
        }
    }

    #[test]
    fn a_slave_corrects_no_offset() {
        let mut bench = Bench::new(Profile::V49);
        fill(&mut bench, 3, |_| None);
        let filter = SubscriptionData::all(&"T".into(), 0);
        let request = GetMessage {
            offset: QueueOffset(7),
            max_msg_nums: 32,
            filter: &filter,
            is_slave: true,
        };
        let queue = bench.broker.find_consume_queue(&"T".into(), QueueId(0));
        let (rules, profile) = (bench.engine.rules, bench.engine.profile);
        let result = get_message(queue, &bench.broker.config, &rules, profile, request);
        assert_eq!(result.next_begin_offset, QueueOffset(7));
    }

    #[test]
    fn a_batch_ends_at_the_wish_at_32_and_at_256_kib_but_has_at_least_one() {
        let mut bench = Bench::new(Profile::V49);
        fill(&mut bench, 40, |_| None);
        for (wish, found) in [(1, 1), (10, 10), (32, 32), (100, 32)] {
            let result = read(&bench, 0, "*", wish);
            assert_eq!(result.found.len(), found);
            assert_eq!(result.next_begin_offset, QueueOffset(found as i64));
        }
        bench.broker.config.max_transfer_bytes_on_message_in_memory = 900;
        assert_eq!(read(&bench, 0, "*", 32).found.len(), 3, "of 300 bytes each");
        bench.broker.config.max_transfer_bytes_on_message_in_memory = 10;
        assert_eq!(read(&bench, 0, "*", 32).found.len(), 1);
    }

    #[test]
    fn a_filtered_read_looks_at_800_entries_and_moves_on() {
        let mut bench = Bench::new(Profile::V49);
        fill(&mut bench, 1_000, |at| Some(if at == 900 { "TagA" } else { "TagB" }));
        let nothing = read(&bench, 0, "TagA", 32);
        assert_eq!(nothing.status, GetMessageStatus::NoMatchedMessage);
        assert_eq!(nothing.next_begin_offset, QueueOffset(800));
        let one = read(&bench, 800, "TagA", 32);
        assert_eq!((one.status, one.found.len()), (GetMessageStatus::Found, 1));
        assert_eq!(one.next_begin_offset, QueueOffset(1_000), "to the end, past the match");
    }

    #[test]
    fn a_full_batch_stops_before_the_next_entry_even_if_that_would_not_match() {
        let mut bench = Bench::new(Profile::V49);
        fill(&mut bench, 4, |at| Some(if at == 1 { "TagB" } else { "TagA" }));
        let result = read(&bench, 0, "TagA", 1);
        assert_eq!((result.found.len(), result.next_begin_offset), (1, QueueOffset(1)));
    }

    #[test]
    fn a_queue_with_a_past_begins_there() {
        let mut with_past = setup(Profile::V49);
        with_past.queue_pasts.push(QueuePast {
            topic: "T".into(),
            broker_name: "broker-a".into(),
            queue_id: QueueId(0),
            min_offset: QueueOffset(500),
        });
        let mut bench = Bench::of(&with_past);
        assert_eq!(read(&bench, 0, "*", 32).status, GetMessageStatus::OffsetTooSmall);
        assert_eq!(read(&bench, 500, "*", 32).status, GetMessageStatus::OffsetOverflowOne);
        assert_eq!(bench.send(None).queue_offset, QueueOffset(500));
        assert_eq!(read(&bench, 500, "*", 32).found.len(), 1);
    }

    #[test]
    fn searching_by_time_takes_the_nearer_message_and_of_two_the_left() {
        let mut bench = Bench::new(Profile::V49);
        let by_time = |bench: &Bench, moment| {
            bench.broker.offset_in_queue_by_time(&"T".into(), QueueId(0), moment).0
        };
        assert_eq!(by_time(&bench, 5), 0, "nothing there");
        for at in [100, 200, 200, 300] {
            bench.run_until(at);
            bench.send_now(message("T", 0, None));
        }
        bench.run_until(400);
        for (moment, offset) in
            [(-1, 0), (0, 0), (100, 0), (150, 0), (151, 1), (200, 1), (250, 2), (251, 3), (900, 3)]
        {
            assert_eq!(by_time(&bench, moment), offset, "{moment}");
        }
    }

    #[test]
    fn a_slow_store_finishes_one_append_after_the_other() {
        let mut bench = Bench::new(Profile::V49);
        bench.broker.slow_store(Millis::new(400));
        let calls = [(); 2].map(|()| bench.send_now(message("T", 0, None)));
        bench.run_until(399);
        assert_eq!(bench.code(calls[0]), None);
        bench.run_until(400);
        assert_eq!(bench.code(calls[0]), Some(ResponseCode::Success));
        assert_eq!(bench.code(calls[1]), None);
        bench.broker.slow_store(Millis::ZERO);
        bench.run_until(500);
        bench.send_now(message("T", 0, None));
        bench.run_until(1_000);
        let stored: Vec<_> = bench.stored().iter().map(|r| r.stored_at.ms()).collect();
        assert_eq!(stored, [400, 800, 800], "a quick one still waits for its turn");
    }

    #[test]
    fn a_lost_tail_is_gone_from_log_and_queues_and_its_offsets_are_given_again() {
        let mut bench = Bench::new(Profile::V49);
        fill(&mut bench, 5, |_| None);
        bench.send_now(message("T", 1, None));
        bench.stop(BrokerStop::Kill { lost_tail: 3 });
        bench.start();
        bench.run_until(10);
        assert_eq!(bench.broker.max_offset_in_queue(&"T".into(), QueueId(0)), QueueOffset(3));
        assert_eq!(bench.broker.max_offset_in_queue(&"T".into(), QueueId(1)), QueueOffset(0));
        assert_eq!(bench.send(None).queue_offset, QueueOffset(3));
        bench.heartbeat(1, "*", 1);
        let call = bench.pull(1, pull(0));
        assert_eq!(bench.pulled(call).expect("answered").1.found.len(), 4);
    }

    #[test]
    fn a_kill_before_the_dispatch_loses_nothing_that_was_appended() {
        let mut bench = Bench::new(Profile::V49);
        bench.send_now(message("T", 0, None));
        bench.stop(BrokerStop::Kill { lost_tail: 0 });
        bench.start();
        bench.run_until(1);
        assert_eq!(bench.broker.max_offset_in_queue(&"T".into(), QueueId(0)), QueueOffset(1));
    }
}
