//! Which client of a group gets which queues: RocketMQ's allocation strategies (spec 02.6).
//!
//! Every client computes alone, over the queues and the client ids as it sees them, both sorted.
//! Agreement rests on equal views. Follows `org.apache.rocketmq.client.consumer.rebalance`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::consistent_hash;
use super::ids::{BrokerName, ClientId};
use super::java_string;
use super::message_queue::MessageQueue;
use super::rules::Rules;

/// Why a strategy could not allocate; the topic is then skipped in this pass. The texts are
/// RocketMQ's `IllegalArgumentException` messages.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AllocateError {
    #[error("currentCID is empty")]
    ClientIdEmpty,
    #[error("mqAll is null or mqAll empty")]
    NoQueues,
    #[error("cidAll is null or cidAll empty")]
    NoClients,
    #[error("Machine room is null for mq {0}")]
    QueueWithoutRoom(MessageQueue),
    #[error("Machine room is null for consumer id {0}")]
    ClientWithoutRoom(ClientId),
}

/// Where a broker or a client stands. In RocketMQ the user writes a `MachineRoomResolver`; here a
/// room is the part of the name before a separator, and a name without it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineRoomResolver {
    pub broker_separator: char,
    pub client_separator: char,
}

impl Default for MachineRoomResolver {
    /// `room@broker` and `room-client`.
    fn default() -> MachineRoomResolver {
        MachineRoomResolver { broker_separator: '@', client_separator: '-' }
    }
}

impl MachineRoomResolver {
    fn room_of_broker<'a>(&self, broker: &'a BrokerName) -> Option<&'a str> {
        room_before(broker.as_str(), self.broker_separator)
    }

    fn room_of_client<'a>(&self, client: &'a ClientId) -> Option<&'a str> {
        room_before(client.as_str(), self.client_separator)
    }
}

fn room_before(name: &str, separator: char) -> Option<&str> {
    name.split_once(separator).map(|(room, _)| room).filter(|room| !room.is_empty())
}

/// `AllocateMessageQueueStrategy`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AllocateStrategy {
    /// Contiguous blocks; the first clients get one more if it doesn't divide. RocketMQ's default.
    #[default]
    Averagely,
    /// Dealt out one by one, as cards are.
    AveragelyByCircle,
    /// The queues written here, whatever the topic. That includes %RETRY%group.
    ByConfig(Vec<MessageQueue>),
    /// Only queues whose broker is named `room@broker`, of these rooms.
    ByMachineRoom(Vec<String>),
    /// Queues go to clients in the same room; rooms without clients are shared by all. Since 4.3.0.
    MachineRoomNearby { inner: Box<AllocateStrategy>, resolver: MachineRoomResolver },
    /// A ring with this many virtual nodes for each client (10 by default).
    ConsistentHash { virtual_nodes: u32 },
}

impl AllocateStrategy {
    /// CONSISTENT_HASH with the default number of virtual nodes.
    pub const fn consistent_hash() -> AllocateStrategy {
        AllocateStrategy::ConsistentHash { virtual_nodes: consistent_hash::VIRTUAL_NODES }
    }

    /// RocketMQ's name of the strategy.
    ///
    /// Follows `AllocateMessageQueueStrategy.getName`.
    pub fn name(&self) -> String {
        match self {
            AllocateStrategy::Averagely => "AVG".to_owned(),
            AllocateStrategy::AveragelyByCircle => "AVG_BY_CIRCLE".to_owned(),
            AllocateStrategy::ByConfig(_) => "CONFIG".to_owned(),
            AllocateStrategy::ByMachineRoom(_) => "MACHINE_ROOM".to_owned(),
            AllocateStrategy::MachineRoomNearby { inner, .. } => {
                format!("MACHINE_ROOM_NEARBY-{}", inner.name())
            }
            AllocateStrategy::ConsistentHash { .. } => "CONSISTENT_HASH".to_owned(),
        }
    }

    /// The queues of `my_id`, in the order in which RocketMQ returns them.
    ///
    /// `queues` and `clients` must be sorted, as `RebalanceImpl.rebalanceByTopic` sorts them. A client
    /// that is not among `clients` gets none. RocketMQ passes the group too, for its logs.
    ///
    /// Follows `AllocateMessageQueueStrategy.allocate`.
    pub fn allocate(
        &self,
        rules: &Rules,
        my_id: &ClientId,
        queues: &[MessageQueue],
        clients: &[ClientId],
    ) -> Result<Vec<MessageQueue>, AllocateError> {
        let is_checked = match self {
            AllocateStrategy::ByConfig(configured) => return Ok(configured.clone()),
            AllocateStrategy::ByMachineRoom(_) => rules.machine_room_checks_arguments,
            _ => true,
        };
        if is_checked {
            allocate_check(my_id, queues, clients)?;
        }
        let Some(my_index) = clients.iter().position(|client| client == my_id) else {
            return Ok(Vec::new());
        };
        match self {
            AllocateStrategy::Averagely => Ok(averagely(my_index, queues, clients.len())),
            AllocateStrategy::AveragelyByCircle => {
                Ok(queues.iter().skip(my_index).step_by(clients.len()).cloned().collect())
            }
            AllocateStrategy::ByConfig(configured) => Ok(configured.clone()),
            AllocateStrategy::ByMachineRoom(rooms) => {
                Ok(by_machine_room(rules, rooms, my_index, queues, clients.len()))
            }
            AllocateStrategy::MachineRoomNearby { inner, resolver } => {
                machine_room_nearby(rules, inner, resolver, my_id, queues, clients)
            }
            AllocateStrategy::ConsistentHash { virtual_nodes } => {
                Ok(consistent_hash::allocate(*virtual_nodes, my_id, queues, clients))
            }
        }
    }
}

/// The checks that come before most strategies.
///
/// Follows `AbstractAllocateMessageQueueStrategy.check`.
fn allocate_check(
    my_id: &ClientId,
    queues: &[MessageQueue],
    clients: &[ClientId],
) -> Result<(), AllocateError> {
    if my_id.as_str().is_empty() {
        return Err(AllocateError::ClientIdEmpty);
    }
    if queues.is_empty() {
        return Err(AllocateError::NoQueues);
    }
    if clients.is_empty() {
        return Err(AllocateError::NoClients);
    }
    Ok(())
}

/// Follows `AllocateMessageQueueAveragely`.
fn averagely(my_index: usize, queues: &[MessageQueue], clients: usize) -> Vec<MessageQueue> {
    let rest = queues.len() % clients;
    let has_one_more = my_index < rest;
    let size = match queues.len() / clients {
        // Fewer queues than clients, or as many: one for each that comes in time.
        _ if queues.len() <= clients => 1,
        share if has_one_more => share + 1,
        share => share,
    };
    let start = if has_one_more { my_index * size } else { my_index * size + rest };
    queues.iter().skip(start).take(size).cloned().collect()
}

/// Follows `AllocateMessageQueueByMachineRoom`.
fn by_machine_room(
    rules: &Rules,
    rooms: &[String],
    my_index: usize,
    queues: &[MessageQueue],
    clients: usize,
) -> Vec<MessageQueue> {
    let of_my_rooms: Vec<&MessageQueue> = queues
        .iter()
        .filter(|queue| {
            let parts = java_string::split(queue.broker_name.as_str(), "@");
            parts.len() == 2 && rooms.iter().any(|room| room == parts[0])
        })
        .collect();
    let share = of_my_rooms.len() / clients;
    let rest = of_my_rooms.len() % clients;
    let block = share * my_index..share * (my_index + 1);
    let mut mine: Vec<MessageQueue> = if rules.machine_room_indexes_all_queues {
        queues[block].to_vec()
    } else {
        of_my_rooms[block].iter().map(|queue| (*queue).clone()).collect()
    };
    if my_index < rest {
        mine.push(of_my_rooms[my_index + share * clients].clone());
    }
    mine
}

/// Follows `AllocateMachineRoomNearby`.
fn machine_room_nearby(
    rules: &Rules,
    inner: &AllocateStrategy,
    resolver: &MachineRoomResolver,
    my_id: &ClientId,
    queues: &[MessageQueue],
    clients: &[ClientId],
) -> Result<Vec<MessageQueue>, AllocateError> {
    let mut queues_of_room: BTreeMap<&str, Vec<MessageQueue>> = BTreeMap::new();
    for queue in queues {
        let room = resolver
            .room_of_broker(&queue.broker_name)
            .ok_or_else(|| AllocateError::QueueWithoutRoom(queue.clone()))?;
        queues_of_room.entry(room).or_default().push(queue.clone());
    }
    let mut clients_of_room: BTreeMap<&str, Vec<ClientId>> = BTreeMap::new();
    for client in clients {
        let room = resolver
            .room_of_client(client)
            .ok_or_else(|| AllocateError::ClientWithoutRoom(client.clone()))?;
        clients_of_room.entry(room).or_default().push(client.clone());
    }

    let mut mine = Vec::new();
    let my_room = resolver.room_of_client(my_id).unwrap_or_default();
    if let (Some(near), Some(neighbours)) =
        (queues_of_room.remove(my_room), clients_of_room.get(my_room))
    {
        mine.extend(inner.allocate(rules, my_id, &near, neighbours)?);
    }
    for (room, orphans) in &queues_of_room {
        if !clients_of_room.contains_key(room) {
            mine.extend(inner.allocate(rules, my_id, orphans, clients)?);
        }
    }
    Ok(mine)
}

#[cfg(test)]
mod tests {
    use super::super::ids::QueueId;
    use super::super::profile::Profile;
    use super::*;

    fn queues(count: u32) -> Vec<MessageQueue> {
        let queue = |id| MessageQueue::new("TopicTest".into(), "broker-a".into(), QueueId(id));
        (0..count).map(queue).collect()
    }

    /// The shares of clients c1, c2, ..., as `01/2/3`; `-` is none.
    fn shares(strategy: &AllocateStrategy, queue_count: u32, client_count: u32) -> String {
        let clients: Vec<ClientId> =
            (1..=client_count).map(|number| ClientId::new(format!("c{number}"))).collect();
        let rules = Rules::of(Profile::V42);
        let share = |client| {
            let mine = strategy.allocate(&rules, client, &queues(queue_count), &clients);
            let ids: String =
                mine.expect("good input").iter().map(|queue| queue.queue_id.to_string()).collect();
            if ids.is_empty() { "-".to_owned() } else { ids }
        };
        clients.iter().map(share).collect::<Vec<String>>().join("/")
    }

    #[test]
    fn shares_are_those_of_the_specification() {
        for (queue_count, client_count, blocks, circle) in [
            (4, 1, "0123", "0123"),
            (4, 2, "01/23", "02/13"),
            (4, 3, "01/2/3", "03/1/2"),
            (4, 5, "0/1/2/3/-", "0/1/2/3/-"),
            (8, 3, "012/345/67", "036/147/25"),
            (8, 5, "01/23/45/6/7", "05/16/27/3/4"),
            (1, 3, "0/-/-", "0/-/-"),
        ] {
            let of = |strategy| shares(&strategy, queue_count, client_count);
            assert_eq!(of(AllocateStrategy::Averagely), blocks);
            assert_eq!(of(AllocateStrategy::AveragelyByCircle), circle);
        }
        for (queue_count, client_count, ring) in
            [(4, 2, "03/12"), (4, 4, "0/-/23/1"), (8, 3, "0457/16/23"), (8, 5, "047/6/23/15/-")]
        {
            let strategy = AllocateStrategy::consistent_hash();
            assert_eq!(shares(&strategy, queue_count, client_count), ring);
        }
    }

    /// So a group that lists only its business queues never consumes its retries.
    #[test]
    fn config_gives_the_same_queues_for_every_topic() {
        let strategy = AllocateStrategy::ByConfig(queues(2));
        let rules = Rules::of(Profile::V42);
        let retry = MessageQueue::new("%RETRY%g".into(), "broker-a".into(), QueueId(0));
        let me = ClientId::new("c1");
        assert_eq!(strategy.allocate(&rules, &me, &[retry], &[]), Ok(queues(2)));
    }

    #[test]
    fn machine_room_checks_its_arguments_only_after_4_2() {
        let strategy = AllocateStrategy::ByMachineRoom(vec!["room1".to_owned()]);
        let ask = |profile| strategy.allocate(&Rules::of(profile), &"c1".into(), &[], &[]);
        assert_eq!(ask(Profile::V42), Ok(Vec::new()));
        assert_eq!(ask(Profile::V49), Err(AllocateError::NoQueues));
    }
}
