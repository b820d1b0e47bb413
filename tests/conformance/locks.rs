//! The locks of orderly queues at the broker.

use std::collections::BTreeMap;

use rocketmq_playground::model::constants;
use rocketmq_playground::model::ids::{ClientId, GroupName, QueueId};
use rocketmq_playground::model::message_queue::MessageQueue;
use rocketmq_playground::model::rebalance_lock::RebalanceLockTable;
use rocketmq_playground::model::time::Millis;
use serde::Deserialize;
use serde_json::Value;

use crate::vectors::{Version, check, compare};

/// Group → queue → owner and time of the last renewal.
type State = BTreeMap<String, BTreeMap<String, (String, u64)>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "seq")]
    _seq: u32,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    t: u64,
    op: String,
    group: String,
    client: String,
    queue: Option<String>,
    queues: Option<Vec<String>>,
    ret: Option<Value>,
    state: State,
}

fn message_queue(name: &str) -> MessageQueue {
    MessageQueue::new(name.into(), "broker-a".into(), QueueId(0))
}

/// Does one step; returns what the Java returned.
fn act(version: Version, table: &mut RebalanceLockTable, step: &Step) -> Option<Value> {
    let (group, client) = (GroupName::new(&step.group), ClientId::new(&step.client));
    let (now, lease) = (Millis::new(step.t), constants::broker_lock_max_live_time(version.profile));
    let one = || message_queue(step.queue.as_deref().expect("the step has a queue"));
    let all = || -> Vec<MessageQueue> {
        let names = step.queues.as_ref().expect("the step has queues");
        names.iter().map(|name| message_queue(name)).collect()
    };
    match step.op.as_str() {
        "tryLock" => Some(table.try_lock(&group, &one(), &client, now, lease).is_held().into()),
        "isLocked" => Some(table.is_locked(&group, &one(), &client, now, lease).into()),
        "tryLockBatch" => {
            let queues = all();
            let answers = table.try_lock_batch(&group, &queues, &client, now, lease);
            let mut held: Vec<&str> = queues
                .iter()
                .zip(&answers)
                .filter(|(_, answer)| answer.is_held())
                .map(|(queue, _)| queue.topic.as_str())
                .collect();
            held.sort();
            Some(held.into())
        }
        "unlockBatch" => {
            table.unlock_batch(&group, &all(), &client);
            None
        }
        other => panic!("no operation {other}"),
    }
}

fn state(table: &RebalanceLockTable) -> State {
    let locks_of = |locks: &BTreeMap<MessageQueue, _>| {
        locks
            .iter()
            .map(|(queue, entry): (_, &rocketmq_playground::model::rebalance_lock::LockEntry)| {
                let owner = entry.client_id.as_str().to_owned();
                (queue.topic.as_str().to_owned(), (owner, entry.last_update_at.ms()))
            })
            .collect()
    };
    table.groups().map(|(group, locks)| (group.as_str().to_owned(), locks_of(locks))).collect()
}

#[test]
fn a_queue_lock_is_a_lease_that_is_renewed_stolen_when_expired_and_given_back_by_its_owner() {
    check("rebalance_lock_manager", |version, case: &Case| {
        let mut table = RebalanceLockTable::default();
        for (index, step) in case.steps.iter().enumerate() {
            let at = |error| format!("step {index} ({}): {error}", step.op);
            compare(&act(version, &mut table, step), &step.ret).map_err(at)?;
            compare(&state(&table), &step.state).map_err(at)?;
        }
        Ok(())
    });
}
