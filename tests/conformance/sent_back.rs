//! What the broker does with messages that listeners refused.

use std::collections::BTreeMap;
use std::rc::Rc;

use rocketmq_playground::model::config::SubscriptionGroupConfig;
use rocketmq_playground::model::delay_level::{default_levels, deliver_time};
use rocketmq_playground::model::ids::{GroupName, MessageKey, QueueId};
use rocketmq_playground::model::message::{
    MessageBody, MessageId, NewMessage, Properties, StoredMessage,
};
use rocketmq_playground::model::offset::{PhysicalOffset, QueueOffset};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::schedule_message::{
    message_time_up, transform_delay_level_message,
};
use rocketmq_playground::model::send_back::{
    RetryHeader, SendBack, SendBackError, SendBackRequest, consumer_send_msg_back,
    handle_retry_and_dlq,
};
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic;
use serde::Deserialize;

use crate::messages::body;
use crate::vectors::{Version, cases, check, check_with_all, compare, is_golden};

const GROUP: &str = "GID_demo";
/// The ORIGIN_MESSAGE_ID that the recordings gave to messages which already had one.
const GIVEN_ORIGIN: &str = "ORIGID";
/// Stands for any real message id: they hold an address and a position that vary from run to run.
const SOME_ORIGIN: &str = "<a message id>";

type Props = BTreeMap<String, String>;

/// A record of the commit log.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Stored {
    pub topic: String,
    pub queue_id: u32,
    pub reconsume_times: i32,
    pub props: Option<Props>,
}

/// Our properties under RocketMQ's names.
pub fn properties_as_recorded(message: &NewMessage) -> Props {
    let Properties {
        delay,
        real_topic,
        real_queue_id,
        retry_topic,
        reconsume_time,
        max_reconsume_times,
        origin_message_id,
    } = &message.properties;
    let origin = origin_message_id.as_ref().map(|id| {
        if id.broker_name.as_str() == GIVEN_ORIGIN { GIVEN_ORIGIN } else { SOME_ORIGIN }.to_owned()
    });
    let all = [
        ("KEYS", message.body.key.as_ref().map(ToString::to_string)),
        ("DELAY", delay.map(|level| level.to_string())),
        ("REAL_TOPIC", real_topic.as_ref().map(ToString::to_string)),
        ("REAL_QID", real_queue_id.map(|id| id.to_string())),
        ("RETRY_TOPIC", retry_topic.as_ref().map(ToString::to_string)),
        ("RECONSUME_TIME", reconsume_time.map(|times| times.to_string())),
        ("MAX_RECONSUME_TIMES", max_reconsume_times.map(|times| times.to_string())),
        ("ORIGIN_MESSAGE_ID", origin),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// Recorded properties as our own; panics at one that we don't know.
fn properties_from_recorded(props: &Props) -> (Option<MessageKey>, Properties) {
    let mut key = None;
    let mut properties = Properties::default();
    for (name, value) in props {
        match name.as_str() {
            "KEYS" => key = Some(MessageKey::new(value)),
            "DELAY" => properties.delay = Some(value.parse().expect("a level")),
            "REAL_TOPIC" => properties.real_topic = Some(value.as_str().into()),
            "REAL_QID" => properties.real_queue_id = Some(QueueId(value.parse().expect("an id"))),
            "RETRY_TOPIC" => properties.retry_topic = Some(value.as_str().into()),
            "ORIGIN_MESSAGE_ID" => {
                properties.origin_message_id = Some(MessageId {
                    broker_name: value.as_str().into(),
                    physical_offset: PhysicalOffset(0),
                });
            }
            other => panic!("no property {other}"),
        }
    }
    (key, properties)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    r#in: In,
    resp_code: u16,
    remark: Option<String>,
    out: Option<Out>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum In {
    Special(Special),
    Sent(Sent),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Special {
    special: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Sent {
    msg_topic: String,
    msg_reconsume_times: i32,
    msg_props: Props,
    delay_level: i32,
    max_reconsume_times: i32,
    protocol_version: String,
    group_retry_max_times: i32,
    group_retry_queue_nums: u32,
}

/// The record found in the commit log right after the call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Out {
    topic: String,
    queue_id: u32,
    reconsume_times: i32,
    props: Props,
    delay_level: Option<i32>,
    delay_ms: Option<u64>,
}

impl Out {
    fn of(message: &NewMessage) -> Out {
        let mut props = properties_as_recorded(message);
        // Every copy says that its sender does not wait for the disk; nothing in the model could.
        props.insert("WAIT".to_owned(), "false".to_owned());
        let level = message.properties.delay.filter(|level| *level > 0);
        let stored_at = Millis::new(1_000_000);
        let delay = level.map(|level| {
            let level = rocketmq_playground::model::delay_level::DelayLevel::new(level as u32);
            deliver_time(&default_levels(), level, stored_at).since(stored_at).ms()
        });
        Out {
            topic: message.topic.as_str().to_owned(),
            queue_id: message.queue_id.0,
            reconsume_times: message.reconsume_times,
            props,
            delay_level: level,
            delay_ms: delay,
        }
    }

    /// With any real message id replaced, as ours are.
    fn without_message_id(mut self) -> Out {
        if let Some(id) = self.props.get_mut("ORIGIN_MESSAGE_ID")
            && id != GIVEN_ORIGIN
        {
            assert!(id.len() == 32 && id.bytes().all(|digit| digit.is_ascii_hexdigit()), "{id}");
            *id = SOME_ORIGIN.to_owned();
        }
        self
    }

    /// A record that is no answer to any send-back: a copy with a delay level stands in the schedule
    /// topic first. The broker's own schedule service brought it back between the call and the look
    /// at the log's end, in ten entries of 4.2.0; what the call itself stored was not recorded there.
    fn was_delivered_meanwhile(&self) -> bool {
        self.delay_level.is_some() && self.topic != topic::SCHEDULE_TOPIC
    }
}

fn stored_message(sent: &Sent) -> StoredMessage {
    let (key, properties) = properties_from_recorded(&sent.msg_props);
    StoredMessage {
        body: Rc::new(MessageBody { key, ..body(1) }),
        broker_name: "broker-a".into(),
        topic: sent.msg_topic.as_str().into(),
        queue_id: QueueId(0),
        queue_offset: QueueOffset(0),
        physical_offset: PhysicalOffset(0),
        stored_at: Millis::ZERO,
        reconsume_times: sent.msg_reconsume_times,
        properties,
    }
}

/// Sends a message back and appends the copy.
fn send_back(version: Version, sent: &Sent) -> NewMessage {
    let request = SendBackRequest {
        group: GROUP.into(),
        delay_level: sent.delay_level,
        max_reconsume_times: match sent.protocol_version.as_str() {
            "current" => Some(sent.max_reconsume_times),
            "old" => None,
            other => panic!("no protocol version {other}"),
        },
    };
    let config = SubscriptionGroupConfig {
        retry_queue_nums: sent.group_retry_queue_nums,
        retry_max_times: sent.group_retry_max_times,
        ..SubscriptionGroupConfig::default()
    };
    let Version { profile, rules } = version;
    let stored = stored_message(sent);
    match consumer_send_msg_back(&rules, profile, &request, &config, Some(&stored), only_queue) {
        Ok(SendBack::Store(mut copy)) => {
            transform_delay_level_message(&mut copy, default_levels().len() as u32);
            copy
        }
        other => panic!("expected a copy, not {other:?}"),
    }
}

/// Draws from topics with one queue.
fn only_queue(nums: u32) -> QueueId {
    assert_eq!(nums, 1, "these groups have one retry queue and one dead letter queue");
    QueueId(0)
}

/// What the schedule service makes of a copy when it is due.
fn delivered(copy: NewMessage) -> NewMessage {
    let stored = StoredMessage {
        body: copy.body,
        broker_name: "broker-a".into(),
        topic: copy.topic,
        queue_id: copy.queue_id,
        queue_offset: QueueOffset(0),
        physical_offset: PhysicalOffset(0),
        stored_at: Millis::ZERO,
        reconsume_times: copy.reconsume_times,
        properties: copy.properties,
    };
    message_time_up(&stored).expect("it was delayed")
}

#[test]
fn a_message_sent_back_is_stored_for_another_try_or_as_a_dead_letter() {
    check_with_all("consumer_send_msg_back", |version, all: &[Case], case: &Case| {
        let sent = match &case.r#in {
            In::Special(special) => return answers_special(version, &special.special, case),
            In::Sent(sent) => sent,
        };
        compare(&(case.resp_code, case.remark.as_deref()), &(0, None))?;
        let recorded = case.out.clone().expect("something was stored").without_message_id();
        if recorded.was_delivered_meanwhile() {
            return is_delivery_of_another_copy(version, all, &recorded);
        }
        compare(&Out::of(&send_back(version, sent)), &recorded)
    });
    if is_golden() {
        for (profile, expected) in Profile::ALL.into_iter().zip([10, 0, 0]) {
            let cases = cases::<Case>(profile, "consumer_send_msg_back");
            let outs = cases.iter().flatten().filter_map(|case| case.out.as_ref());
            let count = outs.filter(|out| out.was_delivered_meanwhile()).count();
            assert_eq!(count, expected, "entries of {} that show a delivery", profile.release());
        }
    }
}

/// The entry shows the end of another copy's delay. At least that must be as ours: some message of this
/// file, sent back with that level, waits and is then delivered exactly so.
fn is_delivery_of_another_copy(
    version: Version,
    all: &[Case],
    recorded: &Out,
) -> Result<(), String> {
    let level = recorded.delay_level.expect("a delayed copy");
    let is_its_delivery = all.iter().any(|case| {
        let In::Sent(sent) = &case.r#in else { return false };
        // Sent back with that level, or as a dead letter that waits its old level once more.
        [level, -1].into_iter().any(|delay_level| {
            let earlier = Sent {
                msg_topic: sent.msg_topic.clone(),
                msg_reconsume_times: recorded.reconsume_times - 1,
                msg_props: sent.msg_props.clone(),
                delay_level,
                max_reconsume_times: i32::MAX,
                protocol_version: "current".to_owned(),
                ..*sent
            };
            let copy = send_back(version, &earlier);
            let is_delayed = copy.topic.as_str() == topic::SCHEDULE_TOPIC;
            is_delayed && Out::of(&delivered(copy)) == *recorded
        })
    });
    if is_its_delivery { Ok(()) } else { Err(format!("no copy is delivered as {recorded:?}")) }
}

fn answers_special(version: Version, special: &str, case: &Case) -> Result<(), String> {
    let request =
        SendBackRequest { group: GROUP.into(), delay_level: 0, max_reconsume_times: Some(16) };
    let mut config = SubscriptionGroupConfig::default();
    let message = crate::messages::message_at(0, 0);
    let stored = match special {
        "retryQueueNums=0" => {
            config.retry_queue_nums = 0;
            Some(&*message)
        }
        "commit log offset not found" => None,
        other => panic!("no special case {other}"),
    };
    let Version { profile, rules } = version;
    let answer = consumer_send_msg_back(&rules, profile, &request, &config, stored, only_queue);
    let (code, remark) = match answer {
        Ok(SendBack::Discard) => (0, None),
        Ok(SendBack::Store(copy)) => return Err(format!("stored {copy:?}")),
        Err(error @ SendBackError::MessageNotFound) => (1, Some(format!("{error}, 999999999999"))),
    };
    assert!(case.out.is_none(), "nothing was stored");
    compare(&(code, remark), &(case.resp_code, case.remark.clone()))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PlainCase {
    reconsume_times: Option<i32>,
    max_reconsume_times: i32,
    /// Whether the group held an unexpired queue lock.
    locked: Option<u8>,
    /// Whether the send goes on.
    ok: bool,
    topic: String,
    queue_id: u32,
    /// The request's DELAY, which was 5, afterwards.
    delay_prop: Option<String>,
}

#[test]
fn a_plain_send_to_a_retry_topic_becomes_a_dead_letter_when_it_was_tried_too_often() {
    check("send_to_retry_topic", |version, case: &PlainCase| {
        let group: GroupName = GROUP.into();
        let mut message = NewMessage {
            body: Rc::new(body(1)),
            topic: topic::retry_topic(&group),
            queue_id: QueueId(0),
            reconsume_times: 0,
            properties: Properties { delay: Some(5), ..Properties::default() },
        };
        let header = RetryHeader {
            reconsume_times: case.reconsume_times,
            max_reconsume_times: Some(case.max_reconsume_times),
        };
        let is_dead = handle_retry_and_dlq(
            &version.rules,
            version.profile,
            header,
            &SubscriptionGroupConfig::default(),
            case.locked == Some(1),
            &mut message,
            only_queue,
        );
        compare(&is_dead, &topic::is_dlq_topic(&case.topic.as_str().into()))?;
        let ours = (true, message.topic.as_str(), message.queue_id.0);
        compare(&ours, &(case.ok, case.topic.as_str(), case.queue_id))?;
        compare(&message.reconsume_times, &case.reconsume_times.unwrap_or(0))?;
        match &case.delay_prop {
            Some(recorded) => {
                let delay = message.properties.delay.map(|level| level.to_string());
                compare(&delay.as_ref(), &Some(recorded))
            }
            None => Ok(()),
        }
    });
}
