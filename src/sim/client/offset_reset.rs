//! resetOffset on the client, the classic way (spec 03.7): stop, drop, wait 10 s, set, go on.

use super::ClientInstance;
use super::task::ClientTask;
use crate::model::constants;
use crate::model::ids::{GroupName, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::sim::engine::Context;
use crate::sim::event::{DropReason, EventKind, TimerKind};
use crate::sim::task::Task;

impl ClientInstance {
    /// RESET_CONSUMER_CLIENT_OFFSET (220) has come.
    pub(crate) fn reset_offset(
        &mut self,
        group: &GroupName,
        topic: &TopicName,
        offsets: Vec<(MessageQueue, QueueOffset)>,
        cx: &mut Context<'_>,
    ) {
        let Some(consumer) = self.consumers.get_mut(group).filter(|it| it.is_running()) else {
            return;
        };
        consumer.pause(cx.causes());
        cx.emit(EventKind::OffsetReset { group: group.clone(), topic: topic.clone() });
        let causes = cx.causes();
        let owned: Vec<_> = consumer
            .process_queue_table
            .iter()
            .filter(|(queue, _)| offsets.iter().any(|(reset, _)| reset == *queue))
            .map(|(queue, id)| (queue.clone(), *id))
            .collect();
        for (queue, id) in owned {
            cx.set_causes(causes);
            self.drop_window(group, &queue, id, DropReason::OffsetReset, cx);
            let consumer = self.consumers.get_mut(group).expect("seen above");
            if let Some(shelf) = consumer.shelves.get_mut(&id) {
                shelf.window.clear();
            }
        }
        cx.set_causes(causes);
        let after = constants::reset_offset_pause(cx.profile());
        let task = ClientTask::FinishReset { group: group.clone(), offsets };
        cx.schedule(after, TimerKind::OffsetReset, Task::Client { process: self.process, task });
    }

    /// The 10 s are over: the offsets are set and persisted, the queues leave the table, and a
    /// rebalance takes them again.
    pub(crate) fn finish_reset(
        &mut self,
        group: &GroupName,
        offsets: Vec<(MessageQueue, QueueOffset)>,
        cx: &mut Context<'_>,
    ) {
        let causes = cx.causes();
        for (queue, offset) in offsets {
            let Some(consumer) = self.consumers.get(group) else { return };
            let Some(id) = consumer.process_queue_table.get(&queue).copied() else { continue };
            cx.set_causes(causes);
            self.update_offset(group, &queue, offset, false, cx);
            self.remove_process_queue(group, &queue, id, cx);
        }
        cx.set_causes(causes);
        if let Some(consumer) = self.consumers.get_mut(group) {
            consumer.is_paused = false;
        }
        // Differs: resume() runs doRebalance in the caller; here the rebalance thread does at once.
        self.wake_rebalance(cx);
    }
}
