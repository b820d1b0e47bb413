//! What the checks remember of one broker.

use std::collections::BTreeMap;

use crate::model::ids::{BrokerIndex, ClientId, GroupName, QueueId, TopicName, UniqueKey};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::{PhysicalOffset, QueueOffset};
use crate::model::time::Millis;
use crate::sim::Simulation;

/// The send-backs of one record.
#[derive(Clone, Debug, Default)]
pub struct SendBacks {
    /// Requests sent, with the level and the maximum that each asked for.
    pub asked: Vec<(i32, i32)>,
    pub copies: u32,
}

#[derive(Clone, Debug, Default)]
pub struct BrokerWatch {
    /// The next offset of each consume queue, and the physical offset of its last entry.
    pub queue_ends: BTreeMap<(TopicName, QueueId), (QueueOffset, PhysicalOffset)>,
    pub last_stored_at: Millis,
    pub locks: BTreeMap<(GroupName, MessageQueue), (ClientId, Millis)>,
    pub send_backs: BTreeMap<(GroupName, PhysicalOffset), SendBacks>,
    /// Messages that the schedule service has let go, by their unique key.
    pub elapsed: BTreeMap<UniqueKey, u32>,
    /// The queues of each retry topic when it was made.
    pub retry_queues: BTreeMap<TopicName, u32>,
}

/// A broker was killed: whether it lost records. Its queues are what is left of them.
pub(super) fn lose_tail(
    it: &mut BrokerWatch,
    simulation: &Simulation,
    broker: BrokerIndex,
) -> bool {
    let broker = simulation.world().broker(broker);
    let mut is_lost = false;
    for ((topic, queue_id), end) in &mut it.queue_ends {
        let max_offset = broker.max_offset_in_queue(topic, *queue_id);
        is_lost |= max_offset < end.0;
        end.0 = max_offset;
        end.1 = PhysicalOffset(0);
    }
    is_lost
}
