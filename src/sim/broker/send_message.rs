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
        let (rules, profile) = (cx.rules(), cx.profile());
        if rules.retry_send_without_max_fails && header.max_reconsume_times.is_none() {
            return Err(ResponseCode::SystemError);
        }
        let config = &self.subscription_groups[&group];
        let max_live_time = self.config.rebalance_lock_max_live_time;
        let holds_lock = !self.rebalance_lock.is_lock_all_expired(&group, cx.now(), max_live_time);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::offset::PhysicalOffset;
    use crate::model::profile::Profile;
    use crate::model::topic::TopicConfig;
    use crate::sim::broker::bench::{Bench, message, queue, send, send_back, setup};

    /// Sends a message, lets it be stored, and sends it back.
    fn fail(bench: &mut Bench, origin: PhysicalOffset, delay_level: i32, max: i32) -> ResponseCode {
        bench.ask(1, send_back(origin, delay_level, max)).code
    }

    /// A plain send to `%RETRY%G`, as an inner producer does it.
    fn plain_send(bench: &mut Bench, times: i32, max: i32, delay: i32) -> ResponseCode {
        let mut copy = message("%RETRY%G", 0, None);
        copy.properties.delay = Some(delay);
        let request = Request::SendMessage {
            producer_group: "CLIENT_INNER_PRODUCER".into(),
            message: copy,
            reconsume_times: Some(times),
            max_reconsume_times: Some(max),
            default_topic_queue_nums: 4,
        };
        bench.ask(1, request).code
    }

    fn last_place(bench: &Bench) -> (String, i32) {
        let last = bench.stored().pop().expect("something was stored");
        let real = last
            .properties
            .real_topic
            .as_ref()
            .filter(|_| last.topic.as_str() == "SCHEDULE_TOPIC_XXXX");
        let place = match real {
            Some(real) => format!("level {} to {real}", last.queue_id.0 + 1),
            None => last.topic.to_string(),
        };
        (place, last.reconsume_times)
    }

    #[test]
    fn a_send_is_answered_with_its_place() {
        let mut bench = Bench::new(Profile::V49);
        bench.send(None);
        let response = bench.ask(2, send(message("T", 0, None)));
        assert_eq!(
            response.body,
            ResponseBody::Sent {
                queue_id: QueueId(0),
                queue_offset: crate::model::offset::QueueOffset(1),
                physical_offset: PhysicalOffset(300),
            }
        );
    }

    #[test]
    fn the_first_send_to_an_unknown_topic_makes_it_with_at_most_eight_queues() {
        for (asked, queues) in [(4, 4), (16, 8)] {
            let mut bench = Bench::new(Profile::V49);
            let Request::SendMessage {
                producer_group,
                message,
                reconsume_times,
                max_reconsume_times,
                ..
            } = send(message("new", 0, None))
            else {
                panic!("it is a send");
            };
            let request = Request::SendMessage {
                producer_group,
                message,
                reconsume_times,
                max_reconsume_times,
                default_topic_queue_nums: asked,
            };
            assert_eq!(bench.ask(1, request).code, ResponseCode::Success);
            assert_eq!(bench.broker.topic_config[&"new".into()], TopicConfig::read_write(queues));
        }
    }

    #[test]
    fn sends_are_refused_where_there_is_no_topic_no_queue_or_no_permission() {
        let mut closed = setup(Profile::V49);
        closed.brokers[0].config.auto_create_topic_enable = false;
        let mut bench = Bench::of(&closed);
        let code = |bench: &mut Bench, topic: &str, queue_id| {
            bench.ask(1, send(message(topic, queue_id, None))).code
        };
        assert_eq!(code(&mut bench, "new", 0), ResponseCode::TopicNotExist);
        assert_eq!(code(&mut bench, "T", 4), ResponseCode::SystemError);
        assert_eq!(
            code(&mut bench, "TBW102", 0),
            ResponseCode::SystemError,
            "the template is no topic"
        );
        bench.act(|broker, cx| broker.set_writable(false, cx));
        assert_eq!(code(&mut bench, "T", 0), ResponseCode::NoPermission);
        assert!(bench.stored().is_empty());
    }

    #[test]
    fn a_failure_waits_at_level_3_plus_times_and_its_copy_is_a_new_message() {
        for profile in Profile::ALL {
            let mut bench = Bench::new(profile);
            let origin = bench.send(None);
            assert_eq!(fail(&mut bench, origin.physical_offset, 0, 16), ResponseCode::Success);
            assert_eq!(last_place(&bench), ("level 3 to %RETRY%G".into(), 1));
            bench.run_until(10_200);
            let copy = bench.stored().pop().expect("delivered");
            assert_eq!(copy.topic.as_str(), "%RETRY%G");
            assert_eq!(copy.body, origin.body, "the same unique key");
            assert_eq!(copy.properties.retry_topic, Some("T".into()));
            assert_eq!(copy.properties.origin_message_id, Some(origin.message_id()));
            fail(&mut bench, copy.physical_offset, 0, 16);
            assert_eq!(last_place(&bench), ("level 4 to %RETRY%G".into(), 2));
            let retries = bench.count(|kind| matches!(kind, EventKind::RetryStored { .. }));
            assert_eq!(retries, 2);
        }
    }

    #[test]
    fn a_level_chosen_by_the_listener_counts_and_a_negative_one_is_the_end() {
        let mut bench = Bench::new(Profile::V42);
        let origin = bench.send(None).physical_offset;
        fail(&mut bench, origin, 1, 16);
        assert_eq!(last_place(&bench), ("level 1 to %RETRY%G".into(), 1));
        fail(&mut bench, origin, -1, 16);
        assert_eq!(last_place(&bench), ("%DLQ%G".into(), 1), "at once: it was never delayed");
    }

    #[test]
    fn the_failure_after_the_last_retry_is_dead_and_until_4_9_1_waits_its_last_level_once_more() {
        for (profile, first, topic_is_readable) in [
            (Profile::V42, "level 3 to %DLQ%G", false),
            (Profile::V49, "%DLQ%G", true),
            (Profile::V53, "%DLQ%G", true),
        ] {
            let mut bench = Bench::new(profile);
            let origin = bench.send(None).physical_offset;
            fail(&mut bench, origin, 0, 1);
            bench.run_until(10_200);
            let copy = bench.stored().pop().expect("delivered");
            fail(&mut bench, copy.physical_offset, 0, 1);
            assert_eq!(last_place(&bench), (first.into(), 2), "{profile:?}");
            bench.run_until(30_000);
            assert_eq!(last_place(&bench), ("%DLQ%G".into(), 2), "{profile:?}");
            let config = &bench.broker.topic_config[&"%DLQ%G".into()];
            assert_eq!(config.permission.readable, topic_is_readable);
            let dead = bench.events(|kind| matches!(kind, EventKind::DeadLettered { .. }));
            let EventKind::DeadLettered { delayed, .. } = dead[0].kind else {
                panic!("filtered above");
            };
            assert_eq!(delayed, profile == Profile::V42);
        }
    }

    #[test]
    fn a_group_without_retry_queues_loses_the_message_and_is_told_success() {
        let mut bench = Bench::new(Profile::V49);
        let origin = bench.send(None).physical_offset;
        bench.broker.update_group(&"G".into(), 0, 16);
        assert_eq!(fail(&mut bench, origin, 0, 16), ResponseCode::Success);
        assert_eq!(bench.stored().len(), 1);
        assert_eq!(bench.count(|kind| matches!(kind, EventKind::RetryDiscarded { .. })), 1);
    }

    #[test]
    fn a_message_that_is_gone_or_a_broker_that_may_not_write_sends_the_failure_elsewhere() {
        let mut bench = Bench::new(Profile::V49);
        let origin = bench.send(None).physical_offset;
        assert_eq!(fail(&mut bench, PhysicalOffset(7), 0, 16), ResponseCode::SystemError);
        bench.broker.expire_head(&"T".into(), QueueId(0), queue_end()).expect("not empty");
        assert_eq!(fail(&mut bench, origin, 0, 16), ResponseCode::SystemError, "expired");
        bench.act(|broker, cx| broker.set_writable(false, cx));
        assert_eq!(fail(&mut bench, origin, 0, 16), ResponseCode::NoPermission);
        bench.broker.config.auto_create_subscription_group = false;
        bench.broker.subscription_groups.clear();
        assert_eq!(fail(&mut bench, origin, 0, 16), ResponseCode::SubscriptionGroupNotExist);
    }

    fn queue_end() -> crate::model::offset::QueueOffset {
        crate::model::offset::QueueOffset(1)
    }

    #[test]
    fn a_plain_send_to_the_retry_topic_is_dead_at_its_maximum_since_5_above_it() {
        // (times, max): stays or dead, and whether the dead letter still waits.
        for (profile, times, expected) in [
            (Profile::V42, 15, "level 5 to %RETRY%G"),
            (Profile::V42, 16, "level 5 to %DLQ%G"),
            (Profile::V49, 16, "level 5 to %DLQ%G"),
            (Profile::V53, 16, "level 5 to %RETRY%G"),
            (Profile::V53, 17, "%DLQ%G"),
        ] {
            let mut bench = Bench::new(profile);
            assert_eq!(plain_send(&mut bench, times, 16, 5), ResponseCode::Success);
            assert_eq!(last_place(&bench), (expected.into(), times), "{profile:?} {times}");
        }
    }

    #[test]
    fn since_5_1_1_a_plain_send_of_a_group_with_a_live_lock_is_always_dead() {
        for (profile, at, expected) in [
            (Profile::V49, 0, "level 3 to %RETRY%G"),
            (Profile::V53, 0, "%DLQ%G"),
            (Profile::V53, 60_000, "%DLQ%G"),
            (Profile::V53, 60_001, "level 3 to %RETRY%G"),
        ] {
            let mut bench = Bench::new(profile);
            let queues = vec![queue(0)];
            bench
                .ask(1, Request::LockBatchMq { group: "G".into(), client_id: "C1".into(), queues });
            bench.run_until(at);
            plain_send(&mut bench, 0, 16, 3);
            assert_eq!(last_place(&bench).0, expected, "{profile:?} {at}");
        }
    }
}
