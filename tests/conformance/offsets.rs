//! The copies of a consume offset, in the client and in the broker.

use std::collections::BTreeMap;

use rocketmq_playground::model::ids::QueueId;
use rocketmq_playground::model::offset::QueueOffset;
use rocketmq_playground::model::offset_table::{
    ConsumerOffsetTable, MessageZero, OffsetTable, QueueStart, query_consumer_offset,
};
use serde::Deserialize;

use crate::messages::{number, queue};
use crate::vectors::{check, compare};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoreCase {
    ops: Vec<StoreOp>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum StoreOp {
    /// "update", offset, increaseOnly, what is in memory then.
    Update(String, i64, bool, i64),
    /// "remove", what is in memory then.
    Remove(String, i64),
}

#[test]
fn the_client_s_offset_moves_back_only_where_it_may() {
    check("remote_offset_store", |_, case: &StoreCase| {
        let mut table = OffsetTable::default();
        for (index, op) in case.ops.iter().enumerate() {
            let recorded = match op {
                StoreOp::Update(name, offset, increase_only, memory) => {
                    assert_eq!(name, "update");
                    table.update_offset(&queue(), QueueOffset(*offset), *increase_only);
                    memory
                }
                StoreOp::Remove(name, memory) => {
                    assert_eq!(name, "remove");
                    table.remove_offset(&queue());
                    memory
                }
            };
            compare(&number(table.read_from_memory(&queue())), recorded)
                .map_err(|error| format!("operation {index} ({op:?}): {error}"))?;
        }
        Ok(())
    });
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
enum ManagerCase {
    #[serde(rename_all = "camelCase")]
    Seq {
        /// Queue id, offset committed, offset read back.
        ops: Vec<(u32, i64, i64)>,
        table: BTreeMap<String, i64>,
        unknown_queue: i64,
        unknown_group: i64,
    },
    #[serde(rename_all = "camelCase")]
    Query {
        case: Queried,
        resp_code: u16,
        offset: Option<i64>,
        #[serde(rename = "remark")]
        _remark: Option<String>,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Queried {
    #[serde(rename = "topic")]
    _topic: String,
    #[serde(rename = "queueId")]
    _queue_id: u32,
    min_offset: i64,
    max_offset: i64,
    access_message_in_memory_max_ratio: u32,
}

#[test]
fn the_broker_overwrites_offsets_and_answers_zero_for_a_young_queue() {
    check("consumer_offset_manager", |version, case: &ManagerCase| match case {
        ManagerCase::Seq { ops, table, unknown_queue, unknown_group } => {
            commits_as_recorded(ops, table, *unknown_queue, *unknown_group)
        }
        ManagerCase::Query { case, resp_code, offset, .. } => {
            let start = QueueStart {
                min_offset: QueueOffset(case.min_offset),
                message_zero: (case.max_offset > 0).then_some(MessageZero {
                    // With ratio 0 nothing counts as in memory; all was written just before.
                    is_within_memory_ratio: case.access_message_in_memory_max_ratio > 0,
                    is_in_page_cache: true,
                }),
            };
            let answer = query_consumer_offset(&version.rules, None, start);
            let code = if answer.is_some() { 0 } else { 22 };
            compare(&(code, answer.map(|offset| offset.0)), &(*resp_code, *offset))
        }
    });
}

fn commits_as_recorded(
    ops: &[(u32, i64, i64)],
    recorded: &BTreeMap<String, i64>,
    unknown_queue: i64,
    unknown_group: i64,
) -> Result<(), String> {
    let (group, topic) = ("GID_demo".into(), "TopicTest".into());
    let mut table = ConsumerOffsetTable::default();
    for (queue_id, offset, read_back) in ops {
        table.commit_offset(&group, &topic, QueueId(*queue_id), QueueOffset(*offset));
        let stored = table.query_offset(&group, &topic, QueueId(*queue_id));
        compare(&number(stored), read_back)?;
    }
    let ours =
        table.iter().map(|(_, _, queue_id, offset)| (queue_id.to_string(), offset.0)).collect();
    compare(&ours, recorded)?;
    compare(&number(table.query_offset(&group, &topic, QueueId(99))), &unknown_queue)?;
    compare(&number(table.query_offset(&"GID_other".into(), &topic, QueueId(0))), &unknown_group)
}
