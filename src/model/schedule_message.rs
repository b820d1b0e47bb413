//! A delayed message's two changes of address: into the schedule topic when it is appended, and out of
//! it when it is due (spec 01.7).

use super::delay_level::DelayLevel;
use super::message::{NewMessage, StoredMessage};
use super::topic;

/// Sends a message with a delay level to the schedule topic instead: its real address goes into
/// REAL_TOPIC and REAL_QID, its DELAY is cut down to the last level. Others are left alone.
///
/// To be called on every append except that of [`message_time_up`]. Returns the level.
///
/// Follows `CommitLog.putMessage`; `HookUtils.transformDelayLevelMessage` in 5.x.
pub fn transform_delay_level_message(
    message: &mut NewMessage,
    max_level: u32,
) -> Option<DelayLevel> {
    let level = DelayLevel::asked_by(message.properties.delay, max_level)?;
    let properties = &mut message.properties;
    properties.delay = Some(level.as_property());
    properties.real_topic = Some(std::mem::replace(&mut message.topic, topic::schedule_topic()));
    properties.real_queue_id = Some(std::mem::replace(&mut message.queue_id, level.queue_id()));
    Some(level)
}

/// What a due message becomes: the same at its real address.
///
/// Its properties still say DELAY, REAL_TOPIC and REAL_QID, since the stored text of the properties is
/// made before DELAY is taken off the live message. So it must be appended as it is, without
/// [`transform_delay_level_message`], and who reads it back finds the old DELAY (spec 05.6.3).
///
/// `None` if it lacks a real address: nothing that RocketMQ put there itself.
///
/// Follows `ScheduleMessageService.DeliverDelayedMessageTimerTask.messageTimeup`.
pub fn message_time_up(due: &StoredMessage) -> Option<NewMessage> {
    Some(NewMessage {
        body: due.body.clone(),
        topic: due.properties.real_topic.clone()?,
        queue_id: due.properties.real_queue_id?,
        reconsume_times: due.reconsume_times,
        properties: due.properties.clone(),
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::ids::QueueId;
    use super::super::message::{MessageBody, Properties};
    use super::super::offset::{PhysicalOffset, QueueOffset};
    use super::super::time::Millis;
    use super::*;

    /// That is why a dead letter of 4.2.0 waits its last level once more.
    #[test]
    fn a_delivered_message_is_at_home_again_but_still_says_delay() {
        let body = Rc::new(MessageBody {
            unique_key: Default::default(),
            key: None,
            tag: None,
            body_bytes: 1,
            born_at: Millis::ZERO,
            script: None,
        });
        let mut message = NewMessage {
            body,
            topic: "T".into(),
            queue_id: QueueId(3),
            reconsume_times: 2,
            properties: Properties { delay: Some(30), ..Properties::default() },
        };
        let level = transform_delay_level_message(&mut message, 18).expect("a delayed message");
        assert_eq!((level.number(), message.queue_id), (18, QueueId(17)));
        assert_eq!(message.topic, topic::schedule_topic());

        let stored = StoredMessage {
            body: message.body,
            broker_name: "b".into(),
            topic: message.topic,
            queue_id: message.queue_id,
            queue_offset: QueueOffset(0),
            physical_offset: PhysicalOffset(0),
            stored_at: Millis::ZERO,
            reconsume_times: message.reconsume_times,
            properties: message.properties,
        };
        let due = message_time_up(&stored).expect("it has a real address");
        assert_eq!((due.topic.as_str(), due.queue_id, due.reconsume_times), ("T", QueueId(3), 2));
        assert_eq!(due.properties.delay, Some(18));
    }
}
