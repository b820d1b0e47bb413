//! Consume offsets at the broker: a table that anyone may overwrite (spec 01.6, 07).
//!
//! Follows `ConsumerOffsetManager` and `ConsumerManageProcessor`.

use super::Broker;
use super::channels::Caller;
use crate::model::constants;
use crate::model::ids::{GroupName, QueueId, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::offset_table::{self, MessageZero, QueueStart};
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, TimerKind};
use crate::sim::packet::{RequestCode, ResponseBody, ResponseCode};
use crate::sim::task::BrokerTask;

impl Broker {
    /// Overwrites a stored offset, with a smaller one too; nobody asks whose queue it is.
    ///
    /// Emits `OffsetCommitted` if the value is another one. Follows
    /// `ConsumerOffsetManager.commitOffset`.
    pub(crate) fn commit_offset(
        &mut self,
        group: &GroupName,
        topic: &TopicName,
        queue_id: QueueId,
        offset: QueueOffset,
        by_pull: bool,
        cx: &mut Context<'_>,
    ) {
        let before = self.consumer_offset.commit_offset(group, topic, queue_id, offset);
        if before == Some(offset) {
            return;
        }
        cx.emit(EventKind::OffsetCommitted {
            group: group.clone(),
            queue: MessageQueue::new(topic.clone(), self.name.clone(), queue_id),
            from: before.unwrap_or(QueueOffset::NONE),
            to: offset,
            by_pull,
        });
        self.schedule_offset_flush(cx);
    }

    /// UPDATE_CONSUMER_OFFSET.
    ///
    /// Follows `ConsumerManageProcessor.updateConsumerOffset`.
    pub(crate) fn update_consumer_offset(
        &mut self,
        caller: Caller,
        group: &GroupName,
        topic: &TopicName,
        queue_id: QueueId,
        offset: QueueOffset,
        cx: &mut Context<'_>,
    ) {
        const OF: RequestCode = RequestCode::UpdateConsumerOffset;
        if cx.rules().unknown_offset_update_is_refused {
            if !self.subscription_groups.contains_key(group) {
                self.answer_code(caller, OF, ResponseCode::SubscriptionGroupNotExist, cx);
                return;
            }
            if !self.topic_config.contains_key(topic) {
                self.answer_code(caller, OF, ResponseCode::TopicNotExist, cx);
                return;
            }
        }
        if !self.has_offset_reset(group, topic, queue_id) {
            self.commit_offset(group, topic, queue_id, offset, false, cx);
        }
        self.answer_code(caller, OF, ResponseCode::Success, cx);
    }

    /// Whether a server-side reset of the queue waits to be taken up; updates are ignored meanwhile.
    ///
    /// Follows `ConsumerOffsetManager.hasOffsetReset`.
    fn has_offset_reset(&self, group: &GroupName, topic: &TopicName, queue_id: QueueId) -> bool {
        !self.pending_reset.is_empty()
            && self.pending_reset.contains_key(&(group.clone(), topic.clone(), queue_id))
    }

    /// Takes up a server-side reset of the queue, if one waits.
    ///
    /// Follows `ConsumerOffsetManager.queryThenEraseResetOffset`.
    pub(crate) fn query_then_erase_reset_offset(
        &mut self,
        group: &GroupName,
        topic: &TopicName,
        queue_id: QueueId,
    ) -> Option<QueueOffset> {
        if self.pending_reset.is_empty() {
            return None;
        }
        self.pending_reset.remove(&(group.clone(), topic.clone(), queue_id))
    }

    /// QUERY_CONSUMER_OFFSET.
    ///
    /// Follows `ConsumerManageProcessor.queryConsumerOffset`.
    pub(crate) fn query_consumer_offset(
        &mut self,
        caller: Caller,
        group: &GroupName,
        topic: &TopicName,
        queue_id: QueueId,
        cx: &mut Context<'_>,
    ) {
        const OF: RequestCode = RequestCode::QueryConsumerOffset;
        let stored = self.consumer_offset.query_offset(group, topic, queue_id);
        let start = self.queue_start(topic, queue_id);
        match offset_table::query_consumer_offset(&cx.rules(), stored, start) {
            Some(offset) => {
                let body = ResponseBody::Offset(offset);
                self.answer(caller, OF, ResponseCode::Success, body, cx);
            }
            None => self.answer_code(caller, OF, ResponseCode::QueryNotFound, cx),
        }
    }

    fn queue_start(&self, topic: &TopicName, queue_id: QueueId) -> QueueStart {
        let Some(queue) = self.find_consume_queue(topic, queue_id) else {
            return QueueStart { min_offset: QueueOffset::NONE, message_zero: None };
        };
        let zero = MessageZero {
            is_within_memory_ratio: self.config.first_message_in_memory,
            is_in_page_cache: self.config.first_message_in_page_cache,
        };
        let message_zero = queue.get(QueueOffset::ZERO).map(|_| zero);
        QueueStart { min_offset: queue.min_offset(), message_zero }
    }

    /// GET_MAX_OFFSET.
    pub(crate) fn get_max_offset(
        &mut self,
        caller: Caller,
        topic: TopicName,
        queue_id: QueueId,
        cx: &mut Context<'_>,
    ) {
        let body = ResponseBody::Offset(self.max_offset_in_queue(&topic, queue_id));
        self.answer(caller, RequestCode::GetMaxOffset, ResponseCode::Success, body, cx);
    }

    /// SEARCH_OFFSET_BY_TIMESTAMP.
    pub(crate) fn search_offset_by_timestamp(
        &mut self,
        caller: Caller,
        topic: TopicName,
        queue_id: QueueId,
        timestamp: Millis,
        cx: &mut Context<'_>,
    ) {
        let moment = i64::try_from(timestamp.ms()).unwrap_or(i64::MAX);
        let body = ResponseBody::Offset(self.offset_in_queue_by_time(&topic, queue_id, moment));
        self.answer(caller, RequestCode::SearchOffsetByTimestamp, ResponseCode::Success, body, cx);
    }

    /// Writes consumerOffset.json. Only what is written survives a kill.
    ///
    /// Follows `ConfigManager.persist`.
    pub(crate) fn persist_consumer_offset(&mut self, cx: &mut Context<'_>) {
        self.persisted_offset = self.consumer_offset.clone();
        self.is_offset_flush_scheduled = false;
        self.start_offset_flush(cx);
    }

    /// The timer looks every 5 s; unless polled literally, only a look after a change is on the agenda.
    pub(crate) fn start_offset_flush(&mut self, cx: &mut Context<'_>) {
        if self.literal_polling {
            self.schedule_offset_flush(cx);
        }
    }

    fn schedule_offset_flush(&mut self, cx: &mut Context<'_>) {
        if self.is_offset_flush_scheduled {
            return;
        }
        self.is_offset_flush_scheduled = true;
        let initial = constants::flush_consumer_offset_initial_delay(cx.profile());
        let grid = self.grid(initial, self.config.flush_consumer_offset_interval);
        let at = grid.after(cx.now());
        let task = BrokerTask::PersistConsumerOffset;
        cx.schedule_look(self.index, self.life, at, TimerKind::FlushConsumerOffset, task);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::Profile;
    use crate::sim::broker::bench::{Bench, setup};
    use crate::sim::command::BrokerStop;
    use crate::sim::packet::Request;

    fn update(bench: &mut Bench, group: &str, topic: &str, offset: i64) -> ResponseCode {
        let request = Request::UpdateConsumerOffset {
            group: group.into(),
            topic: topic.into(),
            queue_id: QueueId(0),
            commit_offset: QueueOffset(offset),
        };
        bench.ask(1, request).code
    }

    fn query(bench: &mut Bench, queue_id: u32) -> Option<i64> {
        let queue_id = QueueId(queue_id);
        let request =
            Request::QueryConsumerOffset { group: "G".into(), topic: "T".into(), queue_id };
        let response = bench.ask(1, request);
        match response.body {
            ResponseBody::Offset(offset) => Some(offset.0),
            _ => {
                assert_eq!(response.code, ResponseCode::QueryNotFound);
                None
            }
        }
    }

    #[test]
    fn an_offset_is_overwritten_by_anyone_and_by_a_smaller_one() {
        let mut bench = Bench::new(Profile::V49);
        for offset in [7, 3, 3, 0] {
            assert_eq!(update(&mut bench, "G", "T", offset), ResponseCode::Success);
            assert_eq!(query(&mut bench, 0), Some(offset));
        }
        let moves: Vec<_> = bench
            .events(|kind| matches!(kind, EventKind::OffsetCommitted { .. }))
            .iter()
            .map(|event| match &event.kind {
                EventKind::OffsetCommitted { from, to, .. } => (from.0, to.0),
                _ => panic!("filtered above"),
            })
            .collect();
        assert_eq!(moves, [(-1, 7), (7, 3), (3, 0)]);
    }

    #[test]
    fn without_a_stored_offset_zero_is_told_by_the_version_s_rule() {
        // Empty queue; one message; one message, not at hand; message 0 expired.
        let rows = [
            (Profile::V42, [Some(0), Some(0), None, None]),
            (Profile::V49, [Some(0), Some(0), None, None]),
            (Profile::V53, [None, Some(0), None, None]),
        ];
        for (profile, expected) in rows {
            let mut bench = Bench::new(profile);
            let empty = query(&mut bench, 0);
            bench.send(None);
            let one = query(&mut bench, 0);
            bench.broker.set_first_message_in_memory(false);
            let far = query(&mut bench, 0);
            bench.broker.set_first_message_in_memory(true);
            bench.broker.expire_head(&"T".into(), QueueId(0), QueueOffset(1)).expect("not empty");
            let expired = query(&mut bench, 0);
            assert_eq!([empty, one, far, expired], expected, "{profile:?}");
        }
    }

    #[test]
    fn updates_of_unknown_groups_and_topics_are_refused_in_5_only() {
        let mut old = Bench::new(Profile::V49);
        assert_eq!(update(&mut old, "nobody", "nothing", 1), ResponseCode::Success);
        let mut new = Bench::new(Profile::V53);
        assert_eq!(update(&mut new, "nobody", "T", 1), ResponseCode::SubscriptionGroupNotExist);
        assert_eq!(update(&mut new, "G", "nothing", 1), ResponseCode::TopicNotExist);
        assert_eq!(update(&mut new, "G", "T", 1), ResponseCode::Success);
    }

    #[test]
    fn a_kill_goes_back_to_what_was_written_at_10_15_20_seconds() {
        for (killed_at, offset) in
            [(9_999, None), (10_000, Some(1)), (14_999, Some(1)), (15_000, Some(2))]
        {
            let mut bench = Bench::new(Profile::V49);
            bench.run_until(9_000);
            update(&mut bench, "G", "T", 1);
            bench.run_until(12_000.min(killed_at));
            if killed_at > 12_000 {
                update(&mut bench, "G", "T", 2);
            }
            bench.run_until(killed_at);
            bench.stop(BrokerStop::Kill { lost_tail: 0 });
            bench.start();
            let stored =
                bench.broker.consumer_offset.query_offset(&"G".into(), &"T".into(), QueueId(0));
            assert_eq!(stored.map(|offset| offset.0), offset, "{killed_at}");
        }
    }

    #[test]
    fn a_graceful_stop_writes_and_the_setup_s_offsets_are_written_already() {
        let mut with_offset = setup(Profile::V49);
        with_offset.stored_offsets.push(crate::sim::setup::StoredOffset {
            group: "G".into(),
            topic: "T".into(),
            broker_name: "broker-a".into(),
            queue_id: QueueId(1),
            offset: QueueOffset(40),
        });
        let mut bench = Bench::of(&with_offset);
        update(&mut bench, "G", "T", 1);
        bench.stop(BrokerStop::Graceful);
        bench.start();
        assert_eq!((query(&mut bench, 0), query(&mut bench, 1)), (Some(1), Some(40)));
        bench.stop(BrokerStop::Kill { lost_tail: 0 });
        bench.start();
        assert_eq!((query(&mut bench, 0), query(&mut bench, 1)), (Some(1), Some(40)));
    }

    #[test]
    fn a_pending_reset_makes_updates_ineffective_until_a_pull_takes_it_up() {
        let mut bench = Bench::new(Profile::V53);
        (0..3).for_each(|_| drop(bench.send(None)));
        update(&mut bench, "G", "T", 1);
        bench
            .act(|broker, cx| broker.reset_offset(&"G".into(), &"T".into(), -1, false, cx))
            .expect("the topic exists");
        assert_eq!(query(&mut bench, 0), Some(3), "the stored one moves at once");
        assert_eq!(update(&mut bench, "G", "T", 2), ResponseCode::Success);
        assert_eq!(query(&mut bench, 0), Some(3), "ignored");
        bench.broker.query_then_erase_reset_offset(&"G".into(), &"T".into(), QueueId(0));
        update(&mut bench, "G", "T", 2);
        assert_eq!(query(&mut bench, 0), Some(2));
    }
}
