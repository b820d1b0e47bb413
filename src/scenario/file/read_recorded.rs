//! `[recorded]`: what the real thing did on the same inputs.

use super::fields::Fields;
use super::node::{Node, Value};
use crate::model::time::Millis;
use crate::scenario::scenario::{Recorded, RecordedDelivery};

pub fn recorded(fields: &mut Fields<'_>) -> Option<Recorded> {
    let node = fields.node("recorded")?;
    let mut table = Fields::of(node, "recorded", fields.sink);
    let release = table.required_text("release", "the release of RocketMQ").to_owned();
    let run = table.required_text("run", "the name of the recorded run").to_owned();
    let mut deliveries = Vec::new();
    for node in table.list("deliveries").unwrap_or_default() {
        match delivery(node) {
            Some(delivery) => deliveries.push(delivery),
            None => table.refuse(
                "deliveries",
                node,
                "[key, topic, queue, offset, begin in ms], such as [\"k0\", \"orders\", 0, 0, 7372]",
            ),
        }
    }
    table.close();
    Some(Recorded { release, run, deliveries })
}

fn delivery(node: &Node) -> Option<RecordedDelivery> {
    let Value::List(list) = &node.value else { return None };
    let values = list.iter().map(|node| &node.value).collect::<Vec<_>>();
    match values[..] {
        [
            Value::Text(key),
            Value::Text(topic),
            Value::Integer(queue),
            Value::Integer(offset),
            Value::Integer(begin),
        ] => Some(RecordedDelivery {
            key: key.clone(),
            topic: topic.as_str().into(),
            queue_id: crate::model::ids::QueueId(u32::try_from(*queue).ok()?),
            queue_offset: crate::model::offset::QueueOffset(*offset),
            begin: Millis::new(u64::try_from(*begin).ok()?),
        }),
        _ => None,
    }
}
