//! Messages as the recordings make them.

use std::rc::Rc;

use rocketmq_playground::model::ids::QueueId;
use rocketmq_playground::model::message::{MessageBody, Properties, StoredMessage};
use rocketmq_playground::model::message_queue::MessageQueue;
use rocketmq_playground::model::offset::{PhysicalOffset, QueueOffset};
use rocketmq_playground::model::process_queue::ProcessQueue;
use rocketmq_playground::model::time::Millis;

/// When every recording of a window begins.
pub const START: Millis = Millis::new(10_000_000);

pub fn body(body_bytes: u32) -> MessageBody {
    MessageBody {
        unique_key: Default::default(),
        key: None,
        tag: None,
        body_bytes,
        born_at: Millis::ZERO,
        script: None,
    }
}

/// A message at an offset of a queue. Its body has `10 + offset % 7` bytes, as in the recordings.
pub fn message_at(offset: i64, reconsume_times: i32) -> Rc<StoredMessage> {
    let bytes = u32::try_from(10 + offset % 7).expect("offsets are not negative");
    Rc::new(StoredMessage {
        body: Rc::new(body(bytes)),
        broker_name: "broker-a".into(),
        topic: "TopicTest".into(),
        queue_id: QueueId(0),
        queue_offset: QueueOffset(offset),
        physical_offset: PhysicalOffset(0),
        stored_at: Millis::ZERO,
        reconsume_times,
        properties: Properties::default(),
    })
}

pub fn queue() -> MessageQueue {
    MessageQueue::new("TopicTest".into(), "broker-a".into(), QueueId(0))
}

/// A window with messages at these offsets, put in one go; `times` are the counts of some of them.
pub fn window(offsets: &[i64], times: &[(i64, i32)]) -> ProcessQueue {
    let mut window = ProcessQueue::new(START, true);
    let messages = offsets.iter().map(|offset| {
        let known = times.iter().find(|(of, _)| of == offset);
        message_at(*offset, known.map_or(0, |(_, count)| *count))
    });
    window.put_message(messages, None);
    window
}

/// The offsets that are left in a window: not done, or not taken.
pub fn tree(window: &ProcessQueue) -> Vec<i64> {
    window.messages().keys().map(|offset| offset.0).collect()
}

pub fn consuming_tree(window: &ProcessQueue) -> Vec<i64> {
    window.consuming_orderly().keys().map(|offset| offset.0).collect()
}

/// -1 for none, as RocketMQ writes it.
pub fn number(offset: Option<QueueOffset>) -> i64 {
    offset.map_or(-1, |offset| offset.0)
}
