//! Delay levels: each is a queue of the schedule topic, whose messages go to their real topic when due
//! (spec 01.7).
//!
//! Until 4.9.2 a level whose front message is known waits exactly until it is due; since 4.9.3 it
//! looks every 100 ms. An empty level is looked at every 100 ms in both. Of these looks only the one
//! that would find something due is on the agenda, unless polled literally.
//!
//! Follows `ScheduleMessageService`.

use serde::Serialize;

use super::Broker;
use super::poll_grid::PollGrid;
use super::send_message::AppendThen;
use crate::model::append_log::AppendLog;
use crate::model::config::BrokerConfig;
use crate::model::constants;
use crate::model::consume_queue::ConsumeQueueEntry;
use crate::model::delay_level::{self, DelayLevel};
use crate::model::ids::{QueueId, TopicName};
use crate::model::message::StoredMessage;
use crate::model::offset::QueueOffset;
use crate::model::schedule_message::message_time_up;
use crate::model::time::Millis;
use crate::model::topic::{self, SCHEDULE_TOPIC};
use crate::sim::engine::Context;
use crate::sim::event::{Causes, EventKind, EventSequence, TimerKind};
use crate::sim::task::BrokerTask;

/// One delay level: how far it is delivered, and when it is looked at next.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Level {
    /// The next offset to deliver (`offsetTable`).
    pub offset: QueueOffset,
    /// delayOffset.json as last written.
    pub persisted_offset: QueueOffset,
    /// The last look; the next ones follow every 100 ms.
    looked_at: Millis,
    is_scheduled: bool,
    /// For each message of the level's queue the event of its append, which causes its delivery.
    stored_events: AppendLog<EventSequence>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScheduleMessage {
    topic: TopicName,
    /// The levels 1, 2, ...
    pub levels: Vec<Level>,
    is_flush_scheduled: bool,
}

impl ScheduleMessage {
    pub fn new(levels: usize) -> ScheduleMessage {
        ScheduleMessage {
            topic: topic::schedule_topic(),
            levels: vec![Level::default(); levels],
            is_flush_scheduled: false,
        }
    }

    /// The level of a record in the schedule topic.
    pub(crate) fn level_of(&self, record: &StoredMessage) -> Option<DelayLevel> {
        let is_delayed = record.topic.as_str() == SCHEDULE_TOPIC;
        is_delayed.then(|| DelayLevel::from_queue_id(record.queue_id))
    }

    /// What stands in the place of the tags code: when the message is due.
    ///
    /// Follows `CommitLog.checkMessageAndReturnSize`.
    pub(crate) fn due_as_tags_code(
        &self,
        config: &BrokerConfig,
        level: DelayLevel,
        record: &StoredMessage,
    ) -> i64 {
        let levels = &config.message_delay_level;
        let due = delay_level::deliver_time(levels, Some(level), record.stored_at);
        i64::try_from(due.ms()).unwrap_or(i64::MAX)
    }

    fn level(&mut self, level: DelayLevel) -> Option<&mut Level> {
        self.levels.get_mut(level.queue_id().0 as usize)
    }

    /// Writes delayOffset.json.
    pub(crate) fn persist(&mut self) {
        for level in &mut self.levels {
            level.persisted_offset = level.offset;
        }
    }

    /// How far each level is delivered.
    pub(crate) fn progress(&self) -> Vec<(u32, QueueOffset)> {
        (1..).zip(&self.levels).map(|(number, level)| (number, level.offset)).collect()
    }

    /// A slave takes its master's progress.
    pub(crate) fn set_progress(&mut self, level: u32, offset: QueueOffset) {
        if let Some(state) = DelayLevel::new(level).and_then(|level| self.level(level)) {
            state.offset = offset;
        }
    }

    /// What the end of the process leaves: the progress as last written.
    pub(crate) fn forget(&mut self) {
        self.is_flush_scheduled = false;
        for level in &mut self.levels {
            level.offset = level.persisted_offset;
            level.is_scheduled = false;
        }
    }

    /// The records from `offset` on were lost.
    pub(crate) fn lose_from(&mut self, topic: &TopicName, queue_id: QueueId, offset: QueueOffset) {
        if *topic == self.topic
            && let Some(level) = self.level(DelayLevel::from_queue_id(queue_id))
        {
            level.stored_events.truncate(usize::try_from(offset.0).unwrap_or(0));
        }
    }
}

impl Broker {
    /// Each level's first look is 1 s after the start, at the persisted offset. Slaves deliver nothing.
    ///
    /// Follows `ScheduleMessageService.start`.
    pub(crate) fn start_schedule_message(&mut self, cx: &mut Context<'_>) {
        if !self.is_master() {
            return;
        }
        let first_look = cx.now() + constants::schedule_first_delay(cx.profile());
        for level in 1..=u32::try_from(self.schedule_message.levels.len()).unwrap_or(u32::MAX) {
            let Some(level) = DelayLevel::new(level) else { continue };
            if cx.rules().schedule_progress_is_corrected {
                self.correct_delay_offset(level);
            }
            if let Some(state) = self.schedule_message.level(level) {
                state.looked_at = first_look;
            }
            self.schedule_level(level, false, cx);
        }
        if self.literal_polling {
            self.schedule_delay_flush(cx);
        }
    }

    /// A progress outside the level's queue goes to the queue's nearer end.
    ///
    /// Follows `ScheduleMessageService.correctDelayOffset`.
    fn correct_delay_offset(&mut self, level: DelayLevel) {
        let queue = self.find_consume_queue(&self.schedule_message.topic, level.queue_id());
        let (min, max) = queue.map_or((QueueOffset::ZERO, QueueOffset::ZERO), |queue| {
            (queue.min_offset(), queue.max_offset())
        });
        if let Some(state) = self.schedule_message.level(level) {
            state.offset = state.offset.clamp(min, max);
        }
    }

    /// A message became visible in a level's queue.
    pub(crate) fn delayed_message_arriving(
        &mut self,
        level: DelayLevel,
        stored_event: Option<EventSequence>,
        cx: &mut Context<'_>,
    ) {
        if let Some(state) = self.schedule_message.level(level) {
            state.stored_events.push(stored_event.unwrap_or_default());
        }
        if self.is_master() {
            self.schedule_level(level, false, cx);
        }
    }

    fn front_of_level(&self, level: DelayLevel) -> Option<&ConsumeQueueEntry> {
        let state = self.schedule_message.levels.get(level.queue_id().0 as usize)?;
        let queue = self.find_consume_queue(&self.schedule_message.topic, level.queue_id())?;
        queue.get(state.offset)
    }

    /// Puts the level's next look on the agenda that finds something due; nothing for an empty level.
    ///
    /// `after_look`: a look has just ended, which knows the front message.
    fn schedule_level(&mut self, level: DelayLevel, after_look: bool, cx: &mut Context<'_>) {
        let front = self.front_of_level(level).map(ConsumeQueueEntry::due);
        let literal = self.literal_polling;
        let now = cx.now();
        let Some(state) = self.schedule_message.level(level) else { return };
        if state.is_scheduled || (front.is_none() && !literal) {
            return;
        }
        let grid =
            PollGrid::new(state.looked_at, constants::schedule_delay_for_a_while(cx.profile()));
        let next_look = grid.after(now);
        let exact = !cx.rules().schedule_polls;
        let at = match front {
            Some(due) if exact && after_look => due.max(now),
            Some(due) if exact && !literal => due.max(next_look),
            Some(due) if !literal => grid.at_or_after(due.max(next_look)),
            _ => next_look,
        };
        state.is_scheduled = true;
        let due = front.unwrap_or(at);
        let timer = TimerKind::DelayLevel { level: level.number(), due };
        let task = BrokerTask::DeliverDelayed { level: level.number() };
        cx.schedule_look(self.index, self.life, at, timer, task);
    }

    /// A look at one level: everything due goes to its real topic, in the order of the level.
    ///
    /// Emits `DelayElapsed` for each. Follows
    /// `ScheduleMessageService.DeliverDelayedMessageTimerTask.executeOnTimeUp`.
    pub(crate) fn deliver_delayed(&mut self, level: u32, cx: &mut Context<'_>) {
        let Some(level) = DelayLevel::new(level) else { return };
        let now = cx.now();
        if let Some(state) = self.schedule_message.level(level) {
            state.is_scheduled = false;
            state.looked_at = now;
        }
        while let Some(entry) = self.front_of_level(level) {
            let levels = &self.config.message_delay_level;
            let due = delay_level::correct_deliver_time(levels, level, now, entry.due());
            if due > now {
                break;
            }
            let message = entry.message.clone();
            let Some(state) = self.schedule_message.level(level) else { break };
            let stored_event =
                usize::try_from(state.offset.0).ok().and_then(|at| state.stored_events.get(at));
            cx.set_causes(stored_event.map_or(Causes::NONE, |event| Causes::of(*event)));
            state.offset = state.offset.next();
            let copy = message_time_up(&message);
            cx.emit(EventKind::DelayElapsed { level: level.number(), message, due });
            if let Some(copy) = copy {
                self.put_message(copy, AppendThen::Nothing, cx);
            }
            self.schedule_delay_flush(cx);
        }
        self.schedule_level(level, true, cx);
    }

    /// Writes delayOffset.json.
    pub(crate) fn persist_delay_offset(&mut self, cx: &mut Context<'_>) {
        self.schedule_message.persist();
        self.schedule_message.is_flush_scheduled = false;
        if self.literal_polling {
            self.schedule_delay_flush(cx);
        }
    }

    fn schedule_delay_flush(&mut self, cx: &mut Context<'_>) {
        if self.schedule_message.is_flush_scheduled {
            return;
        }
        self.schedule_message.is_flush_scheduled = true;
        let initial = constants::flush_delay_offset_initial_delay(cx.profile());
        let grid = self.grid(initial, self.config.flush_delay_offset_interval);
        let at = grid.after(cx.now());
        let task = BrokerTask::PersistDelayOffset;
        cx.schedule_look(self.index, self.life, at, TimerKind::FlushDelayOffset, task);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::Profile;
    use crate::sim::broker::bench::{Bench, delayed, setup};
    use crate::sim::command::BrokerStop;

    /// When the records of topic `T` were stored, in ms.
    fn delivered_at(bench: &Bench) -> Vec<u64> {
        let stored = bench.stored();
        let real = stored.iter().filter(|record| record.topic.as_str() == "T");
        real.map(|record| record.stored_at.ms()).collect()
    }

    fn send_at(bench: &mut Bench, at: u64, level: i32) {
        bench.run_until(at);
        bench.send_now(delayed(level));
    }

    #[test]
    fn a_delayed_message_waits_in_its_level_s_queue_and_then_goes_to_its_real_topic() {
        let mut bench = Bench::new(Profile::V42);
        send_at(&mut bench, 2_000, 3);
        let waiting = bench.stored();
        assert_eq!(waiting[0].topic.as_str(), SCHEDULE_TOPIC);
        assert_eq!(waiting[0].queue_id, QueueId(2));
        bench.run_until(60_000);
        assert_eq!(delivered_at(&bench), [12_000]);
        let copy = bench.stored().pop().expect("delivered");
        assert_eq!((copy.queue_id, copy.queue_offset), (QueueId(0), QueueOffset(0)));
        assert_eq!(copy.properties.delay, Some(3), "the stored text still says DELAY");
    }

    #[test]
    fn until_4_9_2_delivery_is_exact_since_then_up_to_100_ms_late() {
        for (profile, expected) in
            [(Profile::V42, 12_345), (Profile::V49, 12_400), (Profile::V53, 12_400)]
        {
            let mut bench = Bench::new(profile);
            send_at(&mut bench, 2_345, 3);
            bench.run_until(20_000);
            assert_eq!(delivered_at(&bench), [expected], "{profile:?}");
        }
    }

    #[test]
    fn each_message_of_a_level_has_its_own_due_time_and_they_leave_in_order() {
        let mut bench = Bench::new(Profile::V42);
        for at in [2_000, 2_001, 2_777] {
            send_at(&mut bench, at, 2);
        }
        bench.run_until(60_000);
        assert_eq!(delivered_at(&bench), [7_000, 7_001, 7_777]);
    }

    #[test]
    fn a_level_above_the_last_is_the_last_and_levels_do_not_wait_for_each_other() {
        let mut bench = Bench::new(Profile::V49);
        send_at(&mut bench, 1_000, 99);
        send_at(&mut bench, 1_000, 1);
        bench.run_until(7_300_000);
        assert_eq!(bench.stored()[0].queue_id, QueueId(17), "level 18");
        assert_eq!(delivered_at(&bench), [2_000, 7_201_000]);
    }

    #[test]
    fn a_delivery_is_caused_by_the_append_that_put_it_there() {
        let mut bench = Bench::new(Profile::V49);
        send_at(&mut bench, 2_000, 1);
        send_at(&mut bench, 2_050, 1);
        bench.run_until(10_000);
        let stored = bench.events(|kind| matches!(kind, EventKind::MessageStored { .. }));
        let elapsed = bench.events(|kind| matches!(kind, EventKind::DelayElapsed { .. }));
        assert_eq!(elapsed.len(), 2);
        for at in 0..2 {
            assert_eq!(elapsed[at].causes.as_slice(), [stored[at].sequence]);
            assert_eq!(stored[2 + at].causes.as_slice(), [elapsed[at].sequence]);
        }
    }

    #[test]
    fn a_kill_repeats_what_was_delivered_since_the_progress_was_written() {
        for (killed_at, again) in [(19_999, 2), (20_001, 0)] {
            let mut bench = Bench::new(Profile::V49);
            send_at(&mut bench, 11_000, 1);
            send_at(&mut bench, 11_500, 1);
            bench.run_until(killed_at);
            assert_eq!(delivered_at(&bench), [12_000, 12_500]);
            bench.stop(BrokerStop::Kill { lost_tail: 0 });
            bench.start();
            bench.run_until(30_000);
            let expected = vec![killed_at + 1_000; again];
            assert_eq!(delivered_at(&bench)[2..], expected, "first look 1 s after the start");
        }
    }

    #[test]
    fn a_graceful_stop_writes_the_progress_and_what_fell_due_meanwhile_comes_1_s_after_the_start() {
        let mut bench = Bench::new(Profile::V49);
        send_at(&mut bench, 1_000, 1);
        send_at(&mut bench, 3_000, 2);
        bench.run_until(5_000);
        bench.stop(BrokerStop::Graceful);
        bench.run_until(15_000);
        bench.start();
        bench.run_until(30_000);
        assert_eq!(delivered_at(&bench), [2_000, 16_000]);
    }

    #[test]
    fn looking_every_100_ms_or_only_when_it_matters_is_the_same() {
        for profile in [Profile::V42, Profile::V49] {
            let run = |literal_polling| {
                let mut setup = setup(profile);
                setup.literal_polling = literal_polling;
                let mut bench = Bench::of(&setup);
                for step in 0_u64..60 {
                    send_at(&mut bench, step * step * 7, 1 + (step % 3) as i32);
                }
                bench.run_until(60_000);
                bench.places()
            };
            let looked = run(true);
            assert_eq!(looked.len(), 120);
            assert_eq!(looked, run(false), "{profile:?}");
        }
    }

    #[test]
    fn an_empty_level_puts_nothing_on_the_agenda() {
        let mut bench = Bench::new(Profile::V49);
        bench.run_until(5_000);
        let is_look = |task: &crate::sim::task::Task| {
            use crate::sim::task::Task;
            matches!(task, Task::Broker { task: BrokerTask::DeliverDelayed { .. }, .. })
        };
        assert!(!bench.engine.agenda.in_order().iter().any(|entry| is_look(&entry.task)));
    }
}
