//! Which client gets which queues.

use rocketmq_playground::model::allocate::{AllocateStrategy, MachineRoomResolver};
use rocketmq_playground::model::consistent_hash::ring_hash;
use rocketmq_playground::model::ids::{ClientId, QueueId};
use rocketmq_playground::model::message_queue::MessageQueue;
use serde::Deserialize;

use crate::vectors::{Version, check, compare};

type RecordedQueue = (String, String, u32);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    strategy: String,
    inner: Option<String>,
    vnodes: Option<u32>,
    consumeridcs: Option<Vec<String>>,
    topic: Option<String>,
    queues: Vec<RecordedQueue>,
    cids: Vec<String>,
    /// The client that asked, if not each of `cids` in turn.
    current: Option<String>,
    result: Vec<Share>,
    #[serde(rename = "note")]
    _note: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Share {
    /// Indices into the queues, in the order in which they were returned.
    Queues(Vec<usize>),
    Refused {
        exception: String,
        message: String,
    },
}

fn message_queue((topic, broker_name, queue_id): &RecordedQueue) -> MessageQueue {
    MessageQueue::new(topic.as_str().into(), broker_name.as_str().into(), QueueId(*queue_id))
}

fn strategy(name: &str, case: &Case) -> AllocateStrategy {
    match name {
        "AVG" => AllocateStrategy::Averagely,
        "AVG_BY_CIRCLE" => AllocateStrategy::AveragelyByCircle,
        "MACHINE_ROOM" => {
            AllocateStrategy::ByMachineRoom(case.consumeridcs.clone().expect("rooms are given"))
        }
        "CONSISTENT_HASH" => match case.vnodes {
            Some(virtual_nodes) => AllocateStrategy::ConsistentHash { virtual_nodes },
            None => AllocateStrategy::consistent_hash(),
        },
        _ => {
            let inner = case.inner.as_deref().unwrap_or_else(|| panic!("no strategy {name}"));
            AllocateStrategy::MachineRoomNearby {
                inner: Box::new(strategy(inner, case)),
                resolver: MachineRoomResolver::default(),
            }
        }
    }
}

fn allocates_as_recorded(version: Version, case: &Case) -> Result<(), String> {
    let strategy = strategy(&case.strategy, case);
    compare(&strategy.name(), &case.strategy)?;
    let queues: Vec<MessageQueue> = case.queues.iter().map(message_queue).collect();
    if let Some(topic) = &case.topic {
        assert!(queues.iter().all(|queue| queue.topic.as_str() == topic), "one topic");
    }
    let clients: Vec<ClientId> = case.cids.iter().map(ClientId::new).collect();
    let askers: Vec<ClientId> = match &case.current {
        Some(current) => vec![ClientId::new(current)],
        None => clients.clone(),
    };
    let shares: Vec<Share> = askers
        .iter()
        .map(|asker| match strategy.allocate(&version.rules, asker, &queues, &clients) {
            Ok(mine) => Share::Queues(mine.iter().map(|queue| index_of(&queues, queue)).collect()),
            Err(error) => Share::Refused {
                exception: "java.lang.IllegalArgumentException".to_owned(),
                message: error.to_string(),
            },
        })
        .collect();
    compare(&shares, &case.result)
}

fn index_of(queues: &[MessageQueue], queue: &MessageQueue) -> usize {
    queues.iter().position(|other| other == queue).expect("a queue of the topic")
}

#[test]
fn every_client_gets_the_queues_that_rocketmq_gives_it() {
    check("allocate", allocates_as_recorded);
}

#[test]
fn queues_stay_in_their_machine_room_and_orphans_are_shared() {
    check("machine_room_nearby", allocates_as_recorded);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HashCase {
    key: String,
    hash: u32,
}

#[test]
fn the_ring_of_the_consistent_hash_is_rocketmq_s() {
    check("consistent_hash_md5", |_, case: &HashCase| compare(&ring_hash(&case.key), &case.hash));
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
enum OrderCase {
    #[serde(rename_all = "camelCase")]
    Pair {
        a: RecordedQueue,
        b: RecordedQueue,
        compare_to: i32,
        equals: bool,
        hash_a: i32,
        str_a: String,
    },
    Sort {
        r#in: Vec<RecordedQueue>,
        out: Vec<RecordedQueue>,
    },
    Cids {
        r#in: Vec<String>,
        out: Vec<String>,
    },
}

/// All clients must sort alike, or two of them take one queue.
#[test]
fn queues_and_client_ids_sort_as_in_java() {
    check("message_queue_order", |_, case: &OrderCase| match case {
        OrderCase::Pair { a, b, compare_to, equals, hash_a, str_a } => {
            let (a, b) = (message_queue(a), message_queue(b));
            compare(&a.cmp(&b), &compare_to.cmp(&0))?;
            compare(&(a == b), equals)?;
            compare(&a.hash_code(), hash_a)?;
            compare(&a.to_string(), str_a)
        }
        OrderCase::Sort { r#in, out } => {
            let mut queues: Vec<MessageQueue> = r#in.iter().map(message_queue).collect();
            queues.sort();
            compare(&queues, &out.iter().map(message_queue).collect())
        }
        OrderCase::Cids { r#in, out } => {
            let mut clients: Vec<ClientId> = r#in.iter().map(ClientId::new).collect();
            clients.sort();
            compare(&clients, &out.iter().map(ClientId::new).collect())
        }
    });
}
