//! The order in which Java's hash tables are walked through.
//!
//! RocketMQ's rebalance goes through a `HashSet` of queues and a `ConcurrentHashMap` of topics, so that
//! order is seen on the wire: which queue is asked for, locked and pulled first. It is a function of the
//! keys alone. [MEASURED: it gives the order of the first offset queries in all 94 recorded starts with
//! more than one queue.]

/// The keys in the order of a table into which they were put in the given order.
///
/// Follows `java.util.HashMap`: the high half of the hash is folded into the low one; the table has 16
/// places and doubles when it is more than three quarters full; keys of one place keep their order.
///
/// Differs: a place that holds more than eight keys becomes a tree in Java.
pub fn hash_order<K>(keys: impl IntoIterator<Item = K>, hash: impl Fn(&K) -> i32) -> Vec<K> {
    let mut keys = keys.into_iter().collect::<Vec<_>>();
    let mut places = 16_u32;
    while keys.len() as u64 * 4 > u64::from(places) * 3 {
        places *= 2;
    }
    keys.sort_by_cached_key(|key| {
        let hash = hash(key).cast_unsigned();
        (hash ^ (hash >> 16)) & (places - 1)
    });
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::{BrokerName, QueueId, TopicName};
    use crate::model::java_string::hash_code;
    use crate::model::message_queue::MessageQueue;

    #[test]
    fn queues_come_in_the_order_that_was_recorded() {
        // The first queries of a recorded start (4.2.0, happy path, run 1).
        let topic = TopicName::new("T_s01_happy_r1_69327250");
        let queue = |id| MessageQueue::new(topic.clone(), BrokerName::new("broker-a"), QueueId(id));
        let order = hash_order((0..4).map(queue), MessageQueue::hash_code);
        let ids = order.iter().map(|queue| queue.queue_id.0).collect::<Vec<_>>();
        assert_eq!(ids, [1, 0, 3, 2]);
    }

    #[test]
    fn a_table_grows_before_it_is_full() {
        let order = hash_order(["q", "a", "r"], |key| hash_code(key));
        assert_eq!(order, ["q", "a", "r"]); // 16 places: q and a share one, r is the next
        let many = (0..13).map(|n| n * 16).collect::<Vec<i32>>();
        let order = hash_order(many, |n| *n);
        assert_eq!(order[..3], [0, 32, 64]); // 32 places: the even ones first
    }
}
