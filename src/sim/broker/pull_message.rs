//! PULL_MESSAGE: ten checks, a read, and an answer — or the request is held.
//!
//! Follows `PullMessageProcessor.processRequest`.

use std::rc::Rc;

use super::Broker;
use super::channels::Caller;
use super::message_store::{GetMessage, GetMessageResult, GetMessageStatus, get_message};
use crate::model::config::MessageModel;
use crate::model::offset::QueueOffset;
use crate::model::subscription::SubscriptionData;
use crate::sim::engine::Context;
use crate::sim::packet::{PullAnswer, PullRequestHeader, RequestCode, ResponseBody, ResponseCode};

/// The broker that a client should ask next time (`MixAll.MASTER_ID`).
const MASTER_ID: u32 = 0;

impl Broker {
    /// A pull arrives.
    pub(crate) fn pull_message(
        &mut self,
        caller: Caller,
        header: PullRequestHeader,
        cx: &mut Context<'_>,
    ) {
        self.process_pull_request(caller, header, true, cx);
    }

    /// Works on a pull; `may_hold` at its first pass only, so that a woken one is always answered.
    pub(crate) fn process_pull_request(
        &mut self,
        caller: Caller,
        header: PullRequestHeader,
        may_hold: bool,
        cx: &mut Context<'_>,
    ) {
        const OF: RequestCode = RequestCode::PullMessage;
        let subscription = match self.pull_message_checks(&header, cx) {
            Ok(subscription) => subscription,
            Err(code) => {
                self.answer_code(caller, OF, code, cx);
                return;
            }
        };
        let result = self.pull_message_read(&header, &subscription, cx);
        let code = self.compose_response_code(&header, result.status);
        if may_hold && header.commits_offset && self.is_master() {
            let causes = cx.causes();
            let (group, topic) = (&header.group, &header.topic);
            self.commit_offset(group, topic, header.queue_id, header.commit_offset, true, cx);
            cx.set_causes(causes);
        }
        if code == ResponseCode::PullNotFound && may_hold && header.may_suspend {
            self.suspend_pull_request(caller, header, subscription, cx);
            return;
        }
        let body = ResponseBody::Pulled(PullAnswer {
            next_begin_offset: result.next_begin_offset,
            min_offset: result.min_offset,
            max_offset: result.max_offset,
            suggest_which_broker_id: MASTER_ID,
            found: result.found,
        });
        self.answer(caller, OF, code, body, cx);
    }

    /// The checks of spec 01.5.1, in their order; the first that fails answers. Check 1, "broker
    /// readable", always holds: nothing here takes READ off a broker.
    fn pull_message_checks(
        &mut self,
        header: &PullRequestHeader,
        cx: &Context<'_>,
    ) -> Result<Rc<SubscriptionData>, ResponseCode> {
        let rules = cx.rules();
        if !self.is_master() && !rules.slave_serves_pulls && !self.config.slave_read_enable {
            return Err(ResponseCode::SystemBusy);
        }
        if !self.find_subscription_group_config(&header.group) {
            return Err(ResponseCode::SubscriptionGroupNotExist);
        }
        let group_config = &self.subscription_groups[&header.group];
        if !group_config.consume_enable {
            return Err(ResponseCode::NoPermission);
        }
        let Some(topic_config) = self.topic_config.get(&header.topic) else {
            return Err(ResponseCode::TopicNotExist);
        };
        if !topic_config.permission.readable {
            return Err(ResponseCode::NoPermission);
        }
        if header.queue_id.0 >= topic_config.read_queue_nums {
            return Err(if rules.bad_queue_id_is_invalid_parameter {
                ResponseCode::InvalidParameter
            } else {
                ResponseCode::SystemError
            });
        }
        if let Some(own) = &header.subscription {
            return Ok(Rc::new(own.clone()));
        }
        let Some(group) = self.client_manage.groups.get(&header.group) else {
            return Err(ResponseCode::SubscriptionNotExist);
        };
        let is_broadcasting = group.message_model == MessageModel::Broadcasting;
        if is_broadcasting && !group_config.consume_broadcast_enable {
            return Err(ResponseCode::NoPermission);
        }
        let Some(subscription) = group.subscription_table.get(&header.topic) else {
            return Err(ResponseCode::SubscriptionNotExist);
        };
        if subscription.sub_version < header.sub_version {
            return Err(ResponseCode::SubscriptionNotLatest);
        }
        Ok(subscription.clone())
    }

    /// Reads from the queue, unless a server-side reset of the group's offset waits there.
    fn pull_message_read(
        &mut self,
        header: &PullRequestHeader,
        filter: &SubscriptionData,
        cx: &Context<'_>,
    ) -> GetMessageResult {
        let (group, topic, queue_id) = (&header.group, &header.topic, header.queue_id);
        if let Some(next_begin_offset) = self.query_then_erase_reset_offset(group, topic, queue_id)
        {
            return GetMessageResult {
                status: GetMessageStatus::OffsetReset,
                next_begin_offset,
                min_offset: self.min_offset_in_queue(topic, queue_id),
                max_offset: self.max_offset_in_queue(topic, queue_id),
                found: Vec::new(),
            };
        }
        let request = GetMessage {
            offset: header.queue_offset,
            max_msg_nums: header.max_msg_nums,
            filter,
            is_slave: !self.is_master(),
        };
        let queue = self.find_consume_queue(topic, queue_id);
        get_message(queue, &self.config, &cx.rules(), cx.profile(), request)
    }

    /// The table of spec 01.5.3. A slave never says that an offset is wrong.
    ///
    /// Follows `PullMessageProcessor.composeResponseHeader`, `DefaultPullMessageResultHandler`.
    fn compose_response_code(
        &self,
        header: &PullRequestHeader,
        status: GetMessageStatus,
    ) -> ResponseCode {
        let code = match status {
            GetMessageStatus::Found => ResponseCode::Success,
            GetMessageStatus::NoMatchedMessage => ResponseCode::PullRetryImmediately,
            GetMessageStatus::NoMessageInQueue if header.queue_offset != QueueOffset::ZERO => {
                ResponseCode::PullOffsetMoved
            }
            GetMessageStatus::NoMessageInQueue | GetMessageStatus::OffsetOverflowOne => {
                ResponseCode::PullNotFound
            }
            GetMessageStatus::OffsetOverflowBadly
            | GetMessageStatus::OffsetTooSmall
            | GetMessageStatus::OffsetReset => ResponseCode::PullOffsetMoved,
        };
        if code == ResponseCode::PullOffsetMoved && !self.is_master() {
            return ResponseCode::PullRetryImmediately;
        }
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::Profile;
    use crate::sim::broker::bench::{Bench, pull};
    use crate::sim::packet::Request;

    #[test]
    fn one_message_crosses() {
        let mut bench = Bench::new(Profile::V49);
        bench.heartbeat(1, "*", 1);
        let held = bench.request(1, Request::PullMessage(pull(0)));
        assert_eq!(bench.response(held), None, "nothing there yet");
        bench.run_until(100);
        let stored = bench.send(None);
        let (code, answer) = bench.pulled(held).expect("woken");
        assert_eq!((code, bench.engine.now.ms()), (ResponseCode::Success, 101));
        assert_eq!(answer.found, [stored]);
        assert_eq!(answer.next_begin_offset, QueueOffset(1));
    }
}
