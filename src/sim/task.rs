//! Tasks: what the simulation has put on its own agenda.

use serde::Serialize;

use super::client::task::ClientTask;
use super::packet::{Machine, Packet};
use crate::model::ids::{BrokerIndex, ConnectionId, ProcessIndex, QueueId, TopicName};

#[derive(Clone, Debug, Serialize)]
pub enum Task {
    /// A packet arrives.
    Deliver(Box<Packet>),
    Broker {
        broker: BrokerIndex,
        /** Tasks of an earlier life of the broker are void. */
        life: u32,
        task: BrokerTask,
    },
    Client {
        process: ProcessIndex,
        task: ClientTask,
    },
    NameServer(NameServerTask),
    /// A freeze with a duration ends.
    Resume(Machine),
}

impl Task {
    /// The machine that runs it.
    pub fn machine(&self) -> Option<Machine> {
        match self {
            Task::Deliver(packet) => Some(packet.to),
            Task::Broker { broker, .. } => Some(Machine::Broker(*broker)),
            Task::Client { process, .. } => Some(Machine::Client(*process)),
            Task::NameServer(_) => Some(Machine::NameServer(0)),
            Task::Resume(_) => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum BrokerTask {
    /// Append a message that a slow store held back.
    FinishAppend {
        token: u64,
    },
    /// Build the consume queue entries of what was appended 1 ms ago.
    Reput,
    /// Scan the held pulls of all queues (5 s).
    CheckHoldRequest,
    /// Deliver what is due at one level.
    DeliverDelayed {
        level: u32,
    },
    PersistConsumerOffset,
    PersistDelayOffset,
    ScanInactiveClients,
    RegisterToNameServer,
    /// netty's idle handler looks at one connection.
    ChannelIdle {
        connection: ConnectionId,
    },
    SlaveSync,
    /// A slave connects to its master's replication, or tries again.
    HaConnect,
    /// Re-run a held pull that a message or the scan has woken.
    ExecuteWoken {
        topic: TopicName,
        queue_id: QueueId,
        token: u64,
    },
}

/// How many ranks the looks of one broker have.
pub const LOOK_RANKS: u32 = 64;

impl BrokerTask {
    /// The order of the looks of one moment: those with the longer pause first, since they were
    /// put on the agenda earlier; then the delay levels.
    pub fn look_rank(&self) -> u32 {
        match self {
            BrokerTask::RegisterToNameServer => 0,
            BrokerTask::ScanInactiveClients => 1,
            BrokerTask::PersistDelayOffset => 2,
            BrokerTask::PersistConsumerOffset => 3,
            BrokerTask::CheckHoldRequest => 4,
            BrokerTask::DeliverDelayed { level } => (*level + 4).min(LOOK_RANKS - 1),
            _ => LOOK_RANKS - 1,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum NameServerTask {
    ScanNotActiveBroker,
}
