//! What the checks remember of one client's ownership of one queue.

use crate::model::ids::{CallId, GroupName, ProcessIndex, ProcessQueueId};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;
use crate::sim::client::ClientInstance;
use crate::sim::client::call::Waiter;
use crate::sim::client::consumer::PushConsumer;

/// One client's ownership of one queue for one group; a new one begins with each assignment.
pub type SeatKey = (ProcessIndex, GroupName, MessageQueue);

#[derive(Clone, Debug)]
pub struct Seat {
    pub process_queue: ProcessQueueId,
    pub assigned_at: Millis,
    pub is_dropped: bool,
    /// The offset of the last pull that was sent.
    pub last_pull: Option<QueueOffset>,
    /// Since when each pull has been refused with SUBSCRIPTION_NOT_LATEST.
    pub refused_since: Option<Millis>,
    /// The offset in memory, as told by its moves; it outlives the drop, until the release.
    pub memory: Option<QueueOffset>,
    pub unreported_since: Option<Millis>,
    /// Orderly: the last offset that was passed to the listener, and whether it may come again.
    pub last_started: Option<QueueOffset>,
    pub may_repeat: bool,
    /// The largest offset that was passed to the listener.
    pub max_started: Option<QueueOffset>,
    /// Orderly: offsets passed to the listener although another client had done them before.
    pub duplicates: u32,
}

impl Seat {
    pub fn new(process_queue: ProcessQueueId, at: Millis, memory: Option<QueueOffset>) -> Seat {
        Seat {
            process_queue,
            assigned_at: at,
            is_dropped: false,
            last_pull: None,
            refused_since: None,
            memory,
            unreported_since: None,
            last_started: None,
            may_repeat: false,
            max_started: None,
            duplicates: 0,
        }
    }

    /// Whether a call that was just made pulls for this window. The second of two resets takes a window out of
    /// the table that it never dropped (spec 03.7): that one goes on, and pulls beside the next.
    pub fn pulls_by(&self, client: &ClientInstance, call: CallId) -> bool {
        let waiter = client.pending_calls.get(&call).map(|pending| &pending.waiter);
        match waiter {
            Some(Waiter::Pull(request)) => request.process_queue == self.process_queue,
            _ => true,
        }
    }
}

/// A listener call that has not returned.
#[derive(Clone, Debug)]
pub struct RunningCall {
    pub queue: MessageQueue,
    /// The window that its messages are of.
    pub process_queue: ProcessQueueId,
    pub is_dropped: bool,
    pub interrupts: u32,
}

/// The window of the call that a thread is in: of one that has just begun, too.
pub fn window_of_call(consumer: &PushConsumer, thread: u32) -> Option<ProcessQueueId> {
    let worker = consumer.pool.workers.get(thread as usize)?;
    worker.request.as_ref().map(|request| request.process_queue)
}
