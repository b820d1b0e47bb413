//! Delay levels.

use std::collections::BTreeMap;
use std::rc::Rc;

use rocketmq_playground::model::delay_level::{
    DelayLevel, correct_deliver_time, default_levels, deliver_time, parse_delay_level,
};
use rocketmq_playground::model::ids::{MessageKey, QueueId};
use rocketmq_playground::model::message::{NewMessage, Properties};
use rocketmq_playground::model::schedule_message::transform_delay_level_message;
use rocketmq_playground::model::time::Millis;
use serde::Deserialize;

use crate::messages::body;
use crate::sent_back::{Stored, properties_as_recorded};
use crate::vectors::{check, compare};

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
enum Case {
    #[serde(rename_all = "camelCase")]
    Parse { string: String, ok: bool, max_delay_level: u32, table: BTreeMap<String, i64> },
    #[serde(rename_all = "camelCase")]
    Deliver { level: i32, store_ts: u64, deliver_ts: u64 },
    #[serde(rename_all = "camelCase")]
    Map { level: u32, queue_id: u32, back: u32 },
    #[serde(rename_all = "camelCase")]
    Correct { level: u32, now: u64, deliver_ts: u64, corrected: u64 },
    #[serde(rename_all = "camelCase")]
    Store { user_level: i32, topic: String, queue_id: u32, stored: Stored },
}

fn level(number: u32) -> DelayLevel {
    DelayLevel::new(number).expect("levels begin at 1")
}

#[test]
fn delay_levels_are_read_mapped_and_timed_as_recorded() {
    let levels = default_levels();
    check("delay_level", |_, case: &Case| match case {
        Case::Parse { string, ok, max_delay_level, table } => {
            let parsed = parse_delay_level(string);
            let ours: BTreeMap<String, i64> = (1..)
                .zip(&parsed.delays_ms)
                .map(|(level, delay): (u32, &i64)| (level.to_string(), *delay))
                .collect();
            compare(
                &(parsed.is_well_formed, parsed.max_level, &ours),
                &(*ok, *max_delay_level, table),
            )
        }
        Case::Deliver { level, store_ts, deliver_ts } => {
            let level = u32::try_from(*level).ok().and_then(DelayLevel::new);
            let due = deliver_time(&levels, level, Millis::new(*store_ts));
            compare(&due, &Millis::new(*deliver_ts))
        }
        Case::Map { level: number, queue_id, back } => {
            let queue = level(*number).queue_id();
            let ours = (queue, DelayLevel::from_queue_id(queue).number());
            compare(&ours, &(QueueId(*queue_id), *back))
        }
        Case::Correct { level: number, now, deliver_ts, corrected } => {
            let (now, due) = (Millis::new(*now), Millis::new(*deliver_ts));
            let ours = correct_deliver_time(&levels, level(*number), now, due);
            compare(&ours, &Millis::new(*corrected))
        }
        Case::Store { user_level, topic, queue_id, stored } => {
            let user_level = (*user_level != 0).then_some(*user_level);
            compare(&sent(user_level, topic, *queue_id, stored, levels.len() as u32), stored)
        }
    });
}

/// A user's message with this level, as it is stored. Whether it carried KEYS was not recorded as
/// input; 5.3.3 refuses messages without properties, so there it did.
fn sent(level: Option<i32>, topic: &str, queue_id: u32, stored: &Stored, max_level: u32) -> Stored {
    let key = stored.props.as_ref().and_then(|props| props.get("KEYS"));
    let mut message = NewMessage {
        body: Rc::new(rocketmq_playground::model::message::MessageBody {
            key: key.map(MessageKey::new),
            ..body(1)
        }),
        topic: topic.into(),
        queue_id: QueueId(queue_id),
        reconsume_times: 0,
        properties: Properties { delay: level, ..Properties::default() },
    };
    transform_delay_level_message(&mut message, max_level);
    let props = properties_as_recorded(&message);
    Stored {
        topic: message.topic.as_str().to_owned(),
        queue_id: message.queue_id.0,
        reconsume_times: message.reconsume_times,
        props: (!props.is_empty()).then_some(props),
    }
}
