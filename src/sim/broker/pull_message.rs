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
use crate::sim::event::{Causes, EventSequence};
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
        self.process_pull_request(caller, header, true, None, cx);
    }

    /// Works on a pull; `may_hold` at its first pass only, so that a woken one is always answered.
    /// `arrived` is the arrival that did not wake it.
    pub(crate) fn process_pull_request(
        &mut self,
        caller: Caller,
        header: PullRequestHeader,
        may_hold: bool,
        arrived: Option<EventSequence>,
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
        if let Some(arrived) = arrived.map(Causes::of) {
            // What is found comes from it, even where the answer would have come without it.
            let causes = match result.status {
                GetMessageStatus::Found => arrived.leading(cx.causes()),
                GetMessageStatus::NoMatchedMessage => cx.causes().leading(arrived),
                _ => cx.causes(),
            };
            cx.set_causes(causes);
        }
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
    /// Differs: RocketMQ also stores a record in the topic `OFFSET_MOVED_EVENT` for each offset that
    /// was wrong; nobody reads it.
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
    use crate::model::ids::QueueId;
    use crate::model::profile::Profile;
    use crate::model::topic::{Permission, TopicConfig};
    use crate::sim::broker::bench::{Bench, heartbeat_of, message, pull, setup};
    use crate::sim::event::EventKind;

    /// A broker where `G` subscribes to all of `T`, in version 1.
    fn bench(profile: Profile) -> Bench {
        let mut bench = Bench::new(profile);
        bench.heartbeat(1, "*", 1);
        bench
    }

    fn refusal(bench: &mut Bench, header: PullRequestHeader) -> ResponseCode {
        let call = bench.pull(1, header);
        bench.code(call).expect("answered at once")
    }

    #[test]
    fn one_message_crosses() {
        let mut bench = bench(Profile::V49);
        let held = bench.pull(1, pull(0));
        assert_eq!(bench.response(held), None, "nothing there yet");
        bench.run_until(100);
        let stored = bench.send(None);
        let (code, answer) = bench.pulled(held).expect("woken");
        assert_eq!((code, bench.engine.now.ms()), (ResponseCode::Success, 101));
        assert_eq!(answer.found, [stored]);
        assert_eq!(answer.next_begin_offset, QueueOffset(1));
    }

    #[test]
    fn the_first_check_that_fails_answers() {
        let mut bench = bench(Profile::V49);
        let group = "G".into();
        let version = PullRequestHeader { sub_version: 2, ..pull(0) };
        assert_eq!(refusal(&mut bench, version.clone()), ResponseCode::SubscriptionNotLatest);
        bench.broker.client_manage.groups.get_mut(&group).expect("registered").subscription_table =
            Default::default();
        assert_eq!(refusal(&mut bench, version.clone()), ResponseCode::SubscriptionNotExist);
        let config = bench.broker.subscription_groups.get_mut(&group).expect("it exists");
        config.consume_broadcast_enable = false;
        bench.broker.client_manage.groups.get_mut(&group).expect("registered").message_model =
            MessageModel::Broadcasting;
        assert_eq!(refusal(&mut bench, version.clone()), ResponseCode::NoPermission);
        bench.close(1);
        assert_eq!(refusal(&mut bench, version.clone()), ResponseCode::SubscriptionNotExist);
        let queue = PullRequestHeader { queue_id: QueueId(4), ..version };
        assert_eq!(refusal(&mut bench, queue.clone()), ResponseCode::SystemError);
        let hidden =
            TopicConfig { permission: Permission::WRITE_ONLY, ..TopicConfig::read_write(4) };
        bench.broker.topic_config.insert("T".into(), hidden);
        assert_eq!(refusal(&mut bench, queue.clone()), ResponseCode::NoPermission);
        bench.broker.topic_config.remove(&"T".into());
        assert_eq!(refusal(&mut bench, queue.clone()), ResponseCode::TopicNotExist);
        bench.broker.subscription_groups.get_mut(&group).expect("it exists").consume_enable = false;
        assert_eq!(refusal(&mut bench, queue.clone()), ResponseCode::NoPermission);
        bench.broker.subscription_groups.remove(&group);
        bench.broker.config.auto_create_subscription_group = false;
        assert_eq!(refusal(&mut bench, queue), ResponseCode::SubscriptionGroupNotExist);
    }

    #[test]
    fn a_wrong_queue_has_another_code_in_5() {
        let mut bench = bench(Profile::V53);
        let wrong = PullRequestHeader { queue_id: QueueId(4), ..pull(0) };
        assert_eq!(refusal(&mut bench, wrong), ResponseCode::InvalidParameter);
    }

    #[test]
    fn an_equal_or_older_version_of_the_subscription_is_served() {
        let mut bench = bench(Profile::V49);
        bench.send(None);
        for sub_version in [0, 1] {
            let call = bench.pull(1, PullRequestHeader { sub_version, ..pull(0) });
            assert_eq!(bench.code(call), Some(ResponseCode::Success));
        }
    }

    #[test]
    fn statuses_become_the_codes_of_the_table() {
        let mut bench = bench(Profile::V49);
        let code = |bench: &mut Bench, offset| {
            let call = bench.pull(1, PullRequestHeader { may_suspend: false, ..pull(offset) });
            let (code, answer) = bench.pulled(call).expect("answered at once");
            (code, answer.next_begin_offset.0)
        };
        assert_eq!(code(&mut bench, 0), (ResponseCode::PullNotFound, 0), "empty queue");
        assert_eq!(code(&mut bench, 3), (ResponseCode::PullOffsetMoved, 0), "empty, not from 0");
        (0..3).for_each(|_| drop(bench.send(None)));
        assert_eq!(code(&mut bench, 1), (ResponseCode::Success, 3));
        assert_eq!(code(&mut bench, 3), (ResponseCode::PullNotFound, 3), "at the end");
        assert_eq!(code(&mut bench, 9), (ResponseCode::PullOffsetMoved, 3), "far beyond");
        bench
            .broker
            .expire_head(&"T".into(), QueueId(0), QueueOffset(2))
            .expect("the queue has messages");
        assert_eq!(code(&mut bench, 1), (ResponseCode::PullOffsetMoved, 2), "expired");
        bench.heartbeat(1, "TagA", 2);
        assert_eq!(code(&mut bench, 2), (ResponseCode::PullRetryImmediately, 3), "no tag matches");
    }

    #[test]
    fn the_group_s_subscription_filters_unless_the_pull_brings_its_own() {
        let mut bench = Bench::new(Profile::V49);
        bench.heartbeat(1, "TagA", 1);
        bench.heartbeat(2, "TagB", 2);
        bench.send(Some("TagA"));
        bench.send(Some("TagB"));
        let of_group = bench.pull(1, pull(0));
        let (_, answer) = bench.pulled(of_group).expect("answered");
        assert_eq!(answer.found[0].queue_offset, QueueOffset(1), "the newer subscription counts");
        let own = SubscriptionData::parse(&"T".into(), "TagA", 1).expect("a good expression");
        let of_own = bench.pull(1, PullRequestHeader { subscription: Some(own), ..pull(0) });
        let (_, answer) = bench.pulled(of_own).expect("answered");
        assert_eq!(answer.found.len(), 1);
        assert_eq!(answer.found[0].queue_offset, QueueOffset(0));
    }

    #[test]
    fn a_pull_commits_once_even_if_it_is_held_and_woken() {
        let mut bench = bench(Profile::V49);
        let committing =
            PullRequestHeader { commits_offset: true, commit_offset: QueueOffset(7), ..pull(0) };
        bench.pull(1, committing.clone());
        let stored = |bench: &Bench| {
            bench.broker.consumer_offset.query_offset(&"G".into(), &"T".into(), QueueId(0))
        };
        assert_eq!(stored(&bench), Some(QueueOffset(7)), "although it is held");
        bench.act(|broker, cx| {
            broker.set_offset(&"G".into(), &"T".into(), QueueId(0), QueueOffset(3), cx);
        });
        bench.send(None);
        assert_eq!(stored(&bench), Some(QueueOffset(3)), "waking does not commit again");
        let refused = PullRequestHeader { sub_version: 9, ..committing };
        assert_eq!(refusal(&mut bench, refused), ResponseCode::SubscriptionNotLatest);
        assert_eq!(stored(&bench), Some(QueueOffset(3)), "a refused pull commits nothing");
        let commits =
            bench.events(|kind| matches!(kind, EventKind::OffsetCommitted { by_pull: true, .. }));
        assert_eq!(commits.len(), 1);
    }

    #[test]
    fn a_server_side_reset_answers_the_next_pull_once() {
        let mut bench = bench(Profile::V53);
        (0..3).for_each(|_| drop(bench.send(None)));
        bench
            .act(|broker, cx| broker.reset_offset(&"G".into(), &"T".into(), -1, false, cx))
            .expect("the topic exists");
        let first = bench.pull(1, pull(0));
        let (code, answer) = bench.pulled(first).expect("answered");
        assert_eq!(code, ResponseCode::PullOffsetMoved);
        assert_eq!(answer.next_begin_offset, QueueOffset(3));
        let second = bench.pull(1, pull(0));
        assert_eq!(bench.code(second), Some(ResponseCode::Success), "the entry is used up");
    }

    #[test]
    fn an_unknown_group_is_made_by_its_first_pull() {
        let mut bench = Bench::of(&{
            let mut setup = setup(Profile::V49);
            setup.groups.clear();
            setup
        });
        assert_eq!(refusal(&mut bench, pull(0)), ResponseCode::SubscriptionNotExist);
        assert!(bench.broker.subscription_groups.contains_key(&"G".into()));
    }

    #[test]
    fn a_retry_topic_is_pulled_like_any_other() {
        let mut bench = Bench::new(Profile::V49);
        bench.ask(1, heartbeat_of(1, &[("T", "*"), ("%RETRY%G", "*")], 1));
        bench.send_now(message("%RETRY%G", 0, None));
        bench.run_until(1);
        let call = bench.pull(1, PullRequestHeader { topic: "%RETRY%G".into(), ..pull(0) });
        assert_eq!(bench.pulled(call).expect("answered").1.found.len(), 1);
    }
}
