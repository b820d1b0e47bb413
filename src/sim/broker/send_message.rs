//! Messages come in: sends of producers, and failures that consumers send back.
//!
//! Follows `SendMessageProcessor` and `AbstractSendMessageProcessor`.

use std::rc::Rc;

use serde::Serialize;

use super::Broker;
use super::channels::Caller;
use crate::model::ids::{GroupName, QueueId, TopicName};
use crate::model::message::{NewMessage, StoredMessage};
use crate::model::schedule_message::transform_delay_level_message;
use crate::model::send_back::{self, RetryHeader, SendBack, SendBackRequest};
use crate::model::topic::{self, AUTO_CREATE_TOPIC_KEY, RETRY_PREFIX};
use crate::sim::dice::Purpose;
use crate::sim::engine::Context;
use crate::sim::event::EventKind;
use crate::sim::packet::{Request, RequestCode, ResponseBody, ResponseCode};

/// What happens once a message is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum AppendThen {
    Nothing,
    /// Answer SEND_MESSAGE. `queue_id` is the queue that the producer chose; `dead_letter_of` names the
    /// group if the message became a dead letter on its way.
    AnswerSend {
        caller: Caller,
        queue_id: QueueId,
        dead_letter_of: Option<GroupName>,
    },
    /// Answer CONSUMER_SEND_MSG_BACK.
    AnswerSendBack {
        caller: Caller,
        group: GroupName,
        origin: Rc<StoredMessage>,
        is_dead: bool,
    },
}

impl Broker {
    /// SEND_MESSAGE.
    ///
    /// Follows `SendMessageProcessor.sendMessage`.
    pub(crate) fn send_message(
        &mut self,
        caller: Caller,
        mut message: NewMessage,
        header: RetryHeader,
        default_topic_queue_nums: u32,
        cx: &mut Context<'_>,
    ) {
        const OF: RequestCode = RequestCode::SendMessageV2;
        let refused = self.msg_check(&message, default_topic_queue_nums, cx);
        if let Some(code) = refused {
            self.answer_code(caller, OF, code, cx);
            return;
        }
        let queue_id = message.queue_id;
        message.reconsume_times = header.reconsume_times.unwrap_or(0);
        let mut dead_letter_of = None;
        if topic::is_retry_topic(&message.topic) {
            match self.handle_retry_and_dlq(header, &mut message, cx) {
                Ok(group) => dead_letter_of = group,
                Err(code) => {
                    self.answer_code(caller, OF, code, cx);
                    return;
                }
            }
        }
        self.transform_delay_level_message(&mut message);
        let then = AppendThen::AnswerSend { caller, queue_id, dead_letter_of };
        self.put_message(message, then, cx);
    }

    /// Why a send is refused, if it is. Creates the topic at its first send.
    ///
    /// Differs: RocketMQ refuses by brokerPermission only for topics marked as ordered, and leaves the
    /// rest to the route; here a broker that is not writable refuses every send.
    ///
    /// Follows `AbstractSendMessageProcessor.msgCheck`.
    fn msg_check(
        &mut self,
        message: &NewMessage,
        default_topic_queue_nums: u32,
        cx: &mut Context<'_>,
    ) -> Option<ResponseCode> {
        if !self.is_writable {
            return Some(ResponseCode::NoPermission);
        }
        let topic = &message.topic;
        if topic.as_str() == AUTO_CREATE_TOPIC_KEY {
            return Some(ResponseCode::SystemError);
        }
        if !self.topic_config.contains_key(topic) {
            let causes = cx.causes();
            self.create_topic_in_send_message(topic, default_topic_queue_nums, cx);
            cx.set_causes(causes);
        }
        let Some(config) = self.topic_config.get(topic) else {
            return Some(ResponseCode::TopicNotExist);
        };
        let queues = config.write_queue_nums.max(config.read_queue_nums);
        (message.queue_id.0 >= queues).then_some(ResponseCode::SystemError)
    }

    /// A plain send to %RETRY%: decides whether it is a dead letter. Answers the group if it is.
    ///
    /// Follows `SendMessageProcessor.handleRetryAndDLQ`.
    fn handle_retry_and_dlq(
        &mut self,
        header: RetryHeader,
        message: &mut NewMessage,
        cx: &mut Context<'_>,
    ) -> Result<Option<GroupName>, ResponseCode> {
        let group = &message.topic.as_str()[RETRY_PREFIX.len()..];
        let group = GroupName::new(group);
        if !self.find_subscription_group_config(&group) {
            return Err(ResponseCode::SubscriptionGroupNotExist);
        }
        let config = &self.subscription_groups[&group];
        let max_live_time = self.config.rebalance_lock_max_live_time;
        let holds_lock = !self.rebalance_lock.is_lock_all_expired(&group, cx.now(), max_live_time);
        let (rules, profile) = (cx.rules(), cx.profile());
        let pick = |bound| pick_queue(cx, bound);
        let is_dead = send_back::handle_retry_and_dlq(
            &rules, profile, header, config, holds_lock, message, pick,
        );
        if !is_dead {
            return Ok(None);
        }
        self.create_dlq_topic(&message.topic, cx);
        Ok(Some(group))
    }

    /// CONSUMER_SEND_MSG_BACK: a listener failed; the message becomes a new one in %RETRY% or %DLQ%.
    ///
    /// Follows `AbstractSendMessageProcessor.consumerSendMsgBack`.
    pub(crate) fn consumer_send_msg_back(
        &mut self,
        caller: Caller,
        request: Request,
        cx: &mut Context<'_>,
    ) {
        const OF: RequestCode = RequestCode::ConsumerSendMsgBack;
        let Request::ConsumerSendMsgBack {
            group,
            physical_offset,
            delay_level,
            max_reconsume_times,
            ..
        } = request
        else {
            return;
        };
        if !self.find_subscription_group_config(&group) {
            self.answer_code(caller, OF, ResponseCode::SubscriptionGroupNotExist, cx);
            return;
        }
        if !self.is_writable {
            self.answer_code(caller, OF, ResponseCode::NoPermission, cx);
            return;
        }
        let retry_queue_nums = self.subscription_groups[&group].retry_queue_nums;
        if retry_queue_nums > 0 && !self.create_retry_topic(&group, retry_queue_nums, cx) {
            self.answer_code(caller, OF, ResponseCode::NoPermission, cx);
            return;
        }
        let origin = self.look_message_by_offset(physical_offset);
        let request =
            SendBackRequest { group, delay_level, max_reconsume_times: Some(max_reconsume_times) };
        let config = &self.subscription_groups[&request.group];
        let (rules, profile) = (cx.rules(), cx.profile());
        let decided = send_back::consumer_send_msg_back(
            &rules,
            profile,
            &request,
            config,
            origin.as_deref(),
            |bound| pick_queue(cx, bound),
        );
        match (decided, origin) {
            (Ok(SendBack::Store(copy)), Some(origin)) => {
                self.store_copy(caller, request.group, copy, origin, cx);
            }
            (Ok(_), origin) => {
                if let Some(origin) = origin {
                    cx.emit(EventKind::RetryDiscarded { group: request.group, origin });
                }
                self.answer_code(caller, OF, ResponseCode::Success, cx);
            }
            (Err(_), _) => self.answer_code(caller, OF, ResponseCode::SystemError, cx),
        }
    }

    fn store_copy(
        &mut self,
        caller: Caller,
        group: GroupName,
        mut copy: NewMessage,
        origin: Rc<StoredMessage>,
        cx: &mut Context<'_>,
    ) {
        let is_dead = topic::is_dlq_topic(&copy.topic);
        if is_dead {
            self.create_dlq_topic(&copy.topic, cx);
        }
        self.transform_delay_level_message(&mut copy);
        let then = AppendThen::AnswerSendBack { caller, group, origin, is_dead };
        self.put_message(copy, then, cx);
    }

    fn transform_delay_level_message(&self, message: &mut NewMessage) {
        let max_level = u32::try_from(self.config.message_delay_level.len()).unwrap_or(u32::MAX);
        transform_delay_level_message(message, max_level);
    }

    /// A message was stored: tells what it was, and answers who waits for it.
    pub(crate) fn after_append(
        &mut self,
        stored: &Rc<StoredMessage>,
        then: AppendThen,
        cx: &mut Context<'_>,
    ) {
        let delayed = topic_is_schedule(&stored.topic);
        match then {
            AppendThen::Nothing => {}
            AppendThen::AnswerSend { caller, queue_id, dead_letter_of } => {
                if let Some(group) = dead_letter_of {
                    let reconsume_times = stored.reconsume_times;
                    let origin = stored.clone();
                    cx.emit(EventKind::DeadLettered { group, origin, reconsume_times, delayed });
                }
                let body = ResponseBody::Sent {
                    queue_id,
                    queue_offset: stored.queue_offset,
                    physical_offset: stored.physical_offset,
                };
                self.answer(caller, RequestCode::SendMessageV2, ResponseCode::Success, body, cx);
            }
            AppendThen::AnswerSendBack { caller, group, origin, is_dead } => {
                let reconsume_times = stored.reconsume_times;
                cx.emit(if is_dead {
                    EventKind::DeadLettered { group, origin, reconsume_times, delayed }
                } else {
                    let level = stored.properties.delay.unwrap_or(0);
                    EventKind::RetryStored { group, origin, level, reconsume_times }
                });
                let of = RequestCode::ConsumerSendMsgBack;
                self.answer_code(caller, of, ResponseCode::Success, cx);
            }
        }
    }
}

fn topic_is_schedule(name: &TopicName) -> bool {
    name.as_str() == topic::SCHEDULE_TOPIC
}

/// A queue of a retry or dead letter topic, by chance.
fn pick_queue(cx: &mut Context<'_>, bound: u32) -> QueueId {
    QueueId(cx.below(Purpose::BrokerPick, bound))
}
