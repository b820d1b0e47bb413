//! What becomes of a message that a listener refused: the copy in %RETRY%group or %DLQ%group (spec
//! 05.5, 05.6, 06.6). The broker's half decides, the client's half builds what it sends.
//!
//! A copy is a new message with the same unique key. Whether it then waits is decided on append, by
//! its DELAY ([`super::schedule_message`]).

use thiserror::Error;

use super::config::SubscriptionGroupConfig;
use super::constants;
use super::ids::{GroupName, QueueId};
use super::message::{NewMessage, Properties, StoredMessage};
use super::process_queue::CachedMessage;
use super::profile::Profile;
use super::rules::Rules;
use super::topic;

/// The fields of CONSUMER_SEND_MSG_BACK that decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendBackRequest {
    pub group: GroupName,
    /// `delayLevelWhenNextConsume`: negative for the dead letters now, 0 for the ladder.
    pub delay_level: i32,
    /// The client's maximum. `None` from clients before 3.4.9: the group's own counts.
    pub max_reconsume_times: Option<i32>,
}

/// What the broker does with a message sent back. Both answer SUCCESS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendBack {
    /// This copy is to be appended.
    Store(NewMessage),
    /// The group has no retry queue: the message is gone.
    Discard,
}

/// Why a message can't be sent back.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SendBackError {
    /// No message at the physical offset, its file expired. Answers SYSTEM_ERROR.
    #[error("look message by offset failed")]
    MessageNotFound,
}

/// Decides what CONSUMER_SEND_MSG_BACK stores.
///
/// `stored` is the message at the request's physical offset. `pick` draws a queue id below its
/// argument; it is asked once for the retry topic and, for a dead letter, once more for the dead letter
/// topic. The group must exist and the broker be writable; the caller has checked that.
///
/// Follows `AbstractSendMessageProcessor.consumerSendMsgBack`.
pub fn consumer_send_msg_back(
    rules: &Rules,
    profile: Profile,
    request: &SendBackRequest,
    config: &SubscriptionGroupConfig,
    stored: Option<&StoredMessage>,
    mut pick: impl FnMut(u32) -> QueueId,
) -> Result<SendBack, SendBackError> {
    if config.retry_queue_nums == 0 {
        return Ok(SendBack::Discard);
    }
    let mut queue_id = pick(config.retry_queue_nums);
    let mut topic = topic::retry_topic(&request.group);
    let stored = stored.ok_or(SendBackError::MessageNotFound)?;

    let mut properties = stored.properties.clone();
    properties.retry_topic.get_or_insert_with(|| stored.topic.clone());
    let max = request.max_reconsume_times.unwrap_or(config.retry_max_times);
    if stored.reconsume_times >= max || request.delay_level < 0 {
        topic = topic::dlq_topic(&request.group);
        queue_id = pick(constants::dlq_nums_per_group(profile));
        if rules.dlq_clears_delay_on_rpc_path {
            properties.delay = Some(0);
        }
    } else {
        properties.delay = Some(match request.delay_level {
            0 => ladder_level(stored.reconsume_times),
            level => level,
        });
    }
    // Until 4.8.0 the id is set after the stored text of the properties was made; only a copy that is
    // delayed gets that text made again.
    if rules.origin_id_in_every_copy || properties.delay.is_some_and(|level| level > 0) {
        properties.origin_message_id.get_or_insert_with(|| stored.message_id());
    }
    Ok(SendBack::Store(NewMessage {
        body: stored.body.clone(),
        topic,
        queue_id,
        reconsume_times: stored.reconsume_times + 1,
        properties,
    }))
}

/// The level of the retry ladder: 3 at the first failure, one more at each further one.
pub const fn ladder_level(reconsume_times: i32) -> i32 {
    3 + reconsume_times
}

/// The header fields of a plain send to a retry topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetryHeader {
    pub reconsume_times: Option<i32>,
    /// `None` from clients before 3.4.9: the group's own counts.
    pub max_reconsume_times: Option<i32>,
}

impl RetryHeader {
    /// Moves RECONSUME_TIME and MAX_RECONSUME_TIMES out of the properties into the header, as a producer
    /// does when it sends to a retry topic.
    ///
    /// Follows `DefaultMQProducerImpl.sendKernelImpl`.
    pub fn take_from(properties: &mut Properties) -> RetryHeader {
        RetryHeader {
            reconsume_times: properties.reconsume_time.take(),
            max_reconsume_times: properties.max_reconsume_times.take(),
        }
    }
}

/// Decides on a plain send to %RETRY%group: it stays, or becomes a dead letter. Returns whether it
/// did. In both cases the message's count becomes the header's.
///
/// `group_holds_lock`: some queue of the group has an unexpired lock here
/// (`RebalanceLockTable::is_lock_all_expired`). `pick` as above, for the dead letter topic.
///
/// Follows `SendMessageProcessor.handleRetryAndDLQ`.
pub fn handle_retry_and_dlq(
    rules: &Rules,
    profile: Profile,
    header: RetryHeader,
    config: &SubscriptionGroupConfig,
    group_holds_lock: bool,
    message: &mut NewMessage,
    mut pick: impl FnMut(u32) -> QueueId,
) -> bool {
    let Some(group) = message.topic.as_str().strip_prefix(topic::RETRY_PREFIX) else {
        return false;
    };
    let group = GroupName::new(group);
    let times = header.reconsume_times.unwrap_or(0);
    let max = header.max_reconsume_times.unwrap_or(config.retry_max_times);
    message.reconsume_times = times;

    let is_too_often = if rules.fallback_dlq_above_max { times > max } else { times >= max };
    let is_locked_out = rules.locked_group_dead_letters_plain_sends && group_holds_lock;
    let is_dead = is_too_often || is_locked_out;
    if is_dead {
        message.topic = topic::dlq_topic(&group);
        message.queue_id = pick(constants::dlq_nums_per_group(profile));
        if rules.dlq_clears_delay_on_plain_path {
            message.properties.delay = Some(-1);
        }
    }
    is_dead
}

/// What a concurrent consumer's inner producer sends when CONSUMER_SEND_MSG_BACK failed: the message
/// itself, to the retry topic. The queue is the producer's choice; 0 stands here until then.
///
/// ORIGIN_MESSAGE_ID is set and then lost to the copy of all properties, so a first retry has none.
///
/// Follows `DefaultMQPushConsumerImpl.sendMessageBack`.
pub fn fallback_message(group: &GroupName, failed: &CachedMessage, max: i32) -> NewMessage {
    plain_retry(group, failed, failed.reconsume_times + 1, max)
}

/// What an orderly consumer sends when a message failed too often. The broker makes it a dead letter.
///
/// Follows `ConsumeMessageOrderlyService.sendMessageBack`.
pub fn orderly_dead_letter(
    rules: &Rules,
    group: &GroupName,
    failed: &CachedMessage,
    max: i32,
) -> NewMessage {
    let one_more = i32::from(rules.orderly_dead_letter_counts_one_more);
    plain_retry(group, failed, failed.reconsume_times + one_more, max)
}

fn plain_retry(
    group: &GroupName,
    failed: &CachedMessage,
    reconsume_time: i32,
    max: i32,
) -> NewMessage {
    let stored = &failed.message;
    let mut properties = stored.properties.clone();
    properties.retry_topic = Some(stored.topic_for_listener().clone());
    properties.reconsume_time = Some(reconsume_time);
    properties.max_reconsume_times = Some(max);
    properties.delay = Some(ladder_level(failed.reconsume_times));
    NewMessage {
        body: stored.body.clone(),
        topic: topic::retry_topic(group),
        queue_id: QueueId(0),
        reconsume_times: 0,
        properties,
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::message::MessageBody;
    use super::super::offset::{PhysicalOffset, QueueOffset};
    use super::super::time::Millis;
    use super::*;

    fn failed(topic: &str, retry_topic: Option<&str>, reconsume_times: i32) -> CachedMessage {
        let body = MessageBody {
            unique_key: Default::default(),
            key: None,
            tag: None,
            body_bytes: 1,
            born_at: Millis::ZERO,
            script: None,
        };
        let retry_topic = retry_topic.map(Into::into);
        let mut message = CachedMessage::new(Rc::new(StoredMessage {
            body: Rc::new(body),
            broker_name: "b".into(),
            topic: topic.into(),
            queue_id: QueueId(1),
            queue_offset: QueueOffset(0),
            physical_offset: PhysicalOffset(0),
            stored_at: Millis::ZERO,
            reconsume_times: 0,
            properties: Properties { retry_topic, ..Properties::default() },
        }));
        message.reconsume_times = reconsume_times;
        message
    }

    #[test]
    fn a_fallback_counts_on_from_the_local_count_and_has_no_origin_id() {
        let mut copy = fallback_message(&"g".into(), &failed("T", None, 2), 16);
        assert_eq!(copy.topic.as_str(), "%RETRY%g");
        assert_eq!(copy.properties.delay, Some(5));
        assert_eq!(copy.properties.retry_topic, Some("T".into()));
        assert_eq!(copy.properties.origin_message_id, None);
        let header = RetryHeader::take_from(&mut copy.properties);
        let expected = RetryHeader { reconsume_times: Some(3), max_reconsume_times: Some(16) };
        assert_eq!(header, expected);
        assert_eq!(copy.properties.reconsume_time, None, "it travels in the header");

        let again = fallback_message(&"g".into(), &failed("%RETRY%g", Some("T"), 1), 16);
        assert_eq!(
            again.properties.retry_topic,
            Some("T".into()),
            "the topic of the first failure"
        );
    }

    /// Each version's consumer and broker together: the message that has failed too often is dead.
    #[test]
    fn an_orderly_dead_letter_is_one_for_the_broker_of_its_version() {
        for profile in Profile::ALL {
            let rules = Rules::of(profile);
            let mut copy = orderly_dead_letter(&rules, &"g".into(), &failed("T", None, 2), 2);
            let header = RetryHeader::take_from(&mut copy.properties);
            let config = SubscriptionGroupConfig::default();
            let is_dead =
                handle_retry_and_dlq(&rules, profile, header, &config, false, &mut copy, |_| {
                    QueueId(0)
                });
            assert!(is_dead && copy.topic.as_str() == "%DLQ%g", "{profile:?}");
            // Until 4.9.8 it waits at level 3 + 2 before it gets there.
            let waits = copy.properties.delay.is_some_and(|level| level > 0);
            assert_eq!(waits, profile != Profile::V53, "{profile:?}");
        }
    }
}
