//! CONSISTENT_HASH: clients on a ring of MD5 hashes, each queue to the next client on the ring.
//!
//! Follows `AllocateMessageQueueConsistentHash` and `ConsistentHashRouter`.

use std::collections::BTreeMap;

use md5::{Digest, Md5};

use super::ids::ClientId;
use super::message_queue::MessageQueue;

/// Virtual nodes of each client, unless set otherwise.
///
/// Source: `AllocateMessageQueueConsistentHash()`.
pub const VIRTUAL_NODES: u32 = 10;

/// The place of a text on the ring: the first four bytes of its MD5, big-endian.
///
/// Follows `ConsistentHashRouter.MD5Hash.hash`.
pub fn ring_hash(text: &str) -> u32 {
    let digest = Md5::digest(text.as_bytes());
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
}

/// The queues of `my_id`, who is among `clients`.
pub(super) fn allocate(
    virtual_nodes: u32,
    my_id: &ClientId,
    queues: &[MessageQueue],
    clients: &[ClientId],
) -> Vec<MessageQueue> {
    let ring = ring(virtual_nodes, clients);
    queues
        .iter()
        .filter(|queue| {
            let place = ring_hash(&queue.to_string());
            let next = ring.range(place..).next().or_else(|| ring.first_key_value());
            next.is_some_and(|(_, client)| *client == my_id)
        })
        .cloned()
        .collect()
}

/// `client-0`, `client-1`, ... of each client; where two meet, the later stays. A client that occurs
/// twice goes on with the numbers after those that it has on the ring.
///
/// Follows `ConsistentHashRouter.addNode`.
fn ring(virtual_nodes: u32, clients: &[ClientId]) -> BTreeMap<u32, &ClientId> {
    let mut ring: BTreeMap<u32, &ClientId> = BTreeMap::new();
    for client in clients {
        let existing = ring.values().filter(|owner| **owner == client).count();
        for replica in 0..virtual_nodes {
            let key = format!("{client}-{}", existing as u64 + u64::from(replica));
            ring.insert(ring_hash(&key), client);
        }
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ring_hash_is_the_head_of_the_md5() {
        assert_eq!(ring_hash("c1-0"), 3_886_541_579);
        assert_eq!(
            ring_hash("MessageQueue [topic=TopicTest, brokerName=broker-a, queueId=0]"),
            1_987_926_524
        );
    }
}
