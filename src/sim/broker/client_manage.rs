//! Who consumes: groups, their members by connection, and what they subscribe to (spec 01.3).
//!
//! Follows `ClientManageProcessor`, `ConsumerManager`, `ConsumerGroupInfo` and
//! `DefaultConsumerIdsChangeListener`.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;

use super::Broker;
use super::channels::Caller;
use crate::model::config::MessageModel;
use crate::model::constants;
use crate::model::ids::{ClientId, ConnectionId, GroupName, ProcessIndex, TopicName};
use crate::model::subscription::SubscriptionData;
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, EventKind, LeaveReason, RequestDetail, TimerKind};
use crate::sim::packet::{ConsumerData, Machine, Request, RequestCode, ResponseBody, ResponseCode};
use crate::sim::task::BrokerTask;

/// One member of a group: a connection, not a client. A client that reconnects without the old
/// connection's end being noticed is here twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClientChannelInfo {
    pub connection: ConnectionId,
    pub process: ProcessIndex,
    pub client_id: ClientId,
    /// Its last heartbeat.
    pub last_update_at: Millis,
    #[serde(skip)]
    pub last_update: Causes,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConsumerGroupInfo {
    /// The last heartbeat wins.
    pub message_model: MessageModel,
    pub subscription_table: BTreeMap<TopicName, Rc<SubscriptionData>>,
    /// In the order of registration.
    pub channels: Vec<ClientChannelInfo>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ConsumerManager {
    pub groups: BTreeMap<GroupName, ConsumerGroupInfo>,
    is_scan_scheduled: bool,
}

impl ConsumerManager {
    /// Whether some group has this connection as a member.
    pub fn is_member(&self, connection: ConnectionId) -> bool {
        let mut channels = self.groups.values().flat_map(|group| &group.channels);
        channels.any(|channel| channel.connection == connection)
    }

    /// Takes a connection out of a group, and the group away if it was the last. Answers the member.
    fn unregister_channel(
        &mut self,
        group: &GroupName,
        connection: ConnectionId,
    ) -> Option<ClientChannelInfo> {
        let info = self.groups.get_mut(group)?;
        let at = info.channels.iter().position(|channel| channel.connection == connection)?;
        let member = info.channels.remove(at);
        if info.channels.is_empty() {
            self.groups.remove(group);
        }
        Some(member)
    }
}

impl ConsumerGroupInfo {
    /// Follows `ConsumerGroupInfo.updateChannel`. Answers whether the connection is new.
    fn update_channel(&mut self, new: ClientChannelInfo) -> bool {
        let known = self.channels.iter_mut().find(|known| known.connection == new.connection);
        match known {
            Some(known) => {
                *known = new;
                false
            }
            None => {
                self.channels.push(new);
                true
            }
        }
    }

    /// Takes the heartbeat's subscriptions: new topics are added, newer versions replace older ones,
    /// and whatever the list lacks is removed. Answers whether the set of topics changed, and which
    /// subscriptions a newer version replaced.
    ///
    /// Follows `ConsumerGroupInfo.updateSubscription`.
    fn update_subscription(
        &mut self,
        list: Vec<(TopicName, SubscriptionData)>,
    ) -> (bool, Vec<(TopicName, u64)>) {
        let before = self.subscription_table.len();
        self.subscription_table.retain(|topic, _| list.iter().any(|(listed, _)| listed == topic));
        let mut is_changed = self.subscription_table.len() != before;
        let mut replaced = Vec::new();
        for (topic, subscription) in list {
            match self.subscription_table.get_mut(&topic) {
                None => {
                    self.subscription_table.insert(topic, Rc::new(subscription));
                    is_changed = true;
                }
                Some(known) if subscription.sub_version > known.sub_version => {
                    replaced.push((topic, subscription.sub_version));
                    *known = Rc::new(subscription);
                }
                Some(_) => {}
            }
        }
        (is_changed, replaced)
    }
}

impl Broker {
    /// HEART_BEAT. A producer's is only traffic on its connection.
    ///
    /// Follows `ClientManageProcessor.heartBeat`.
    pub(crate) fn heart_beat(
        &mut self,
        caller: Caller,
        client_id: &ClientId,
        consumers: Vec<ConsumerData>,
        cx: &mut Context<'_>,
    ) {
        let causes = cx.causes();
        for consumer in consumers {
            cx.set_causes(causes);
            if self.find_subscription_group_config(&consumer.group) {
                let queues = self.subscription_groups[&consumer.group].retry_queue_nums;
                self.create_retry_topic(&consumer.group, queues, cx);
            }
            self.register_consumer(caller, client_id, consumer, cx);
        }
        cx.set_causes(causes);
        self.answer_code(caller, RequestCode::HeartBeat, ResponseCode::Success, cx);
    }

    /// Follows `ConsumerManager.registerConsumer`.
    fn register_consumer(
        &mut self,
        caller: Caller,
        client_id: &ClientId,
        consumer: ConsumerData,
        cx: &mut Context<'_>,
    ) {
        let Machine::Client(process) = caller.machine else { return };
        let ConsumerData { group, message_model, subscriptions } = consumer;
        let groups = &mut self.client_manage.groups;
        let info = groups.entry(group.clone()).or_insert_with(|| ConsumerGroupInfo {
            message_model,
            subscription_table: BTreeMap::new(),
            channels: Vec::new(),
        });
        info.message_model = message_model;
        let is_new = info.update_channel(ClientChannelInfo {
            connection: caller.connection,
            process,
            client_id: client_id.clone(),
            last_update_at: cx.now(),
            last_update: cx.causes(),
        });
        let (is_changed, replaced) = info.update_subscription(subscriptions);
        let causes = cx.causes();
        for (topic, sub_version) in replaced {
            cx.set_causes(causes);
            let group = group.clone();
            cx.emit(EventKind::SubscriptionReplaced { group, topic, sub_version });
        }
        cx.set_causes(causes);
        if is_new {
            let (group, client) = (group.clone(), client_id.clone());
            cx.emit(EventKind::ClientRegistered { group, client, process });
        }
        if is_new || is_changed {
            self.consumer_ids_changed(&group, cx);
        }
        self.start_client_scan(cx);
    }

    /// Tells every member of a group that its members or topics changed, the one who changed them too.
    ///
    /// Follows `DefaultConsumerIdsChangeListener.handle`, `Broker2Client.notifyConsumerIdsChanged`.
    fn consumer_ids_changed(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let config = self.subscription_groups.get(group);
        if config.is_some_and(|config| !config.notify_consumer_ids_changed_enable) {
            return;
        }
        let Some(info) = self.client_manage.groups.get(group) else { return };
        let members: Vec<_> =
            info.channels.iter().map(|member| (member.connection, member.process)).collect();
        let causes = cx.causes();
        for (connection, process) in members {
            cx.set_causes(causes);
            let request = Request::NotifyConsumerIdsChanged { group: group.clone() };
            let detail = RequestDetail::Group(group.clone());
            self.send_to_client(connection, process, request, detail, cx);
        }
        cx.set_causes(causes);
    }

    /// Sends a request of the broker's own, oneway, over a connection that a client opened.
    pub(crate) fn send_to_client(
        &mut self,
        connection: ConnectionId,
        process: ProcessIndex,
        request: Request,
        detail: RequestDetail,
        cx: &mut Context<'_>,
    ) {
        if !self.channel_write(connection, cx.now()) {
            return;
        }
        let (call, to, code) = (cx.next_call(), Machine::Client(process), request.code());
        cx.emit(EventKind::RequestSent { call, to, code, oneway: true, detail });
        cx.send_request(call, connection, to, request, true);
    }

    /// UNREGISTER_CLIENT. The rest is told, whether something was removed or not.
    ///
    /// Follows `ClientManageProcessor.unregisterClient`, `ConsumerManager.unregisterConsumer`.
    pub(crate) fn unregister_client(
        &mut self,
        caller: Caller,
        group: Option<&GroupName>,
        cx: &mut Context<'_>,
    ) {
        let causes = cx.causes();
        if let Some(group) = group {
            let member = self.client_manage.unregister_channel(group, caller.connection);
            if let Some(member) = member {
                client_left(group, member, LeaveReason::Unregistered, cx);
            }
            self.consumer_ids_changed(group, cx);
        }
        cx.set_causes(causes);
        self.answer_code(caller, RequestCode::UnregisterClient, ResponseCode::Success, cx);
    }

    /// A connection has ended: its client leaves every group, and the others hear of it.
    ///
    /// Follows `ConsumerManager.doChannelCloseEvent`.
    pub(crate) fn do_channel_close_event(
        &mut self,
        connection: ConnectionId,
        reason: LeaveReason,
        cx: &mut Context<'_>,
    ) {
        let causes = cx.causes();
        let groups: Vec<GroupName> = self.client_manage.groups.keys().cloned().collect();
        for group in groups {
            cx.set_causes(causes);
            if let Some(member) = self.client_manage.unregister_channel(&group, connection) {
                client_left(&group, member, reason, cx);
                self.consumer_ids_changed(&group, cx);
            }
        }
        cx.set_causes(causes);
    }

    /// GET_CONSUMER_LIST_BY_GROUP.
    ///
    /// Differs: RocketMQ answers in the order of a hash table; clients sort in any case.
    ///
    /// Follows `ConsumerManageProcessor.getConsumerListByGroup`.
    pub(crate) fn get_consumer_list_by_group(
        &mut self,
        caller: Caller,
        group: &GroupName,
        cx: &mut Context<'_>,
    ) {
        const OF: RequestCode = RequestCode::GetConsumerListByGroup;
        match self.client_manage.groups.get(group) {
            Some(info) => {
                let members = info.channels.iter().map(|member| member.client_id.clone()).collect();
                let body = ResponseBody::Members(members);
                self.answer(caller, OF, ResponseCode::Success, body, cx);
            }
            None => self.answer_code(caller, OF, ResponseCode::SystemError, cx),
        }
    }

    /// Puts the scan on the agenda that would find the oldest heartbeat expired.
    ///
    /// Follows `ClientHousekeepingService.start`.
    pub(crate) fn start_client_scan(&mut self, cx: &mut Context<'_>) {
        if self.client_manage.is_scan_scheduled {
            return;
        }
        let profile = cx.profile();
        let grid = self.grid(
            constants::channel_scan_initial_delay(profile),
            constants::channel_scan_interval(profile),
        );
        let channels = self.client_manage.groups.values().flat_map(|group| &group.channels);
        let oldest = channels.map(|channel| channel.last_update_at).min();
        let at = match oldest {
            _ if self.literal_polling => grid.after(cx.now()),
            Some(oldest) => {
                grid.after((oldest + self.config.channel_expired_timeout).max(cx.now()))
            }
            None => return,
        };
        self.client_manage.is_scan_scheduled = true;
        let task = BrokerTask::ScanInactiveClients;
        cx.schedule_look(self.index, self.life, at, TimerKind::ClientScan, task);
    }

    /// Takes members off whose last heartbeat is too old, and closes their connections. Nobody is told:
    /// when the close is noticed, there is nothing left to remove.
    ///
    /// Follows `ConsumerManager.scanNotActiveChannel`.
    pub(crate) fn scan_not_active_channel(&mut self, cx: &mut Context<'_>) {
        self.client_manage.is_scan_scheduled = false;
        let now = cx.now();
        let mut expired = Vec::new();
        for (group, info) in &self.client_manage.groups {
            for member in &info.channels {
                let age = now.since(member.last_update_at);
                let is_left_to_idle_handler =
                    self.config.idle_handler_wins && self.is_silent(member.connection, now);
                if age > self.config.channel_expired_timeout && !is_left_to_idle_handler {
                    expired.push((group.clone(), member.connection));
                }
            }
        }
        let causes = cx.causes();
        for (group, connection) in &expired {
            if let Some(member) = self.client_manage.unregister_channel(group, *connection) {
                // The last that was heard of it, however often the scan has looked since.
                cx.set_causes(cx.causes_of_timer(Causes::NONE).with(member.last_update));
                client_left(group, member, LeaveReason::HeartbeatScan, cx);
                self.close_channel(*connection, cx);
            }
        }
        // The close event finds a member only in a group whose heartbeats went on.
        for (_, connection) in expired {
            cx.set_causes(causes);
            self.do_channel_close_event(connection, LeaveReason::ConnectionClosed, cx);
        }
        cx.set_causes(causes);
        self.start_client_scan(cx);
    }

    /// Nothing was read from a connection for longer than any living client is silent: a client pulls,
    /// if nothing else, at least every 20 s.
    fn is_silent(&self, connection: ConnectionId, now: Millis) -> bool {
        let least = Millis::new(self.config.channel_expired_timeout.ms() / 2);
        let channel = self.channels.open.get(&connection);
        channel.is_none_or(|channel| now.since(channel.last_read_at) > least)
    }
}

fn client_left(
    group: &GroupName,
    member: ClientChannelInfo,
    reason: LeaveReason,
    cx: &mut Context<'_>,
) {
    let ClientChannelInfo { client_id: client, process, .. } = member;
    cx.emit(EventKind::ClientLeft { group: group.clone(), client, process, reason });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::Profile;
    use crate::sim::broker::bench::{Bench, heartbeat_of, pull, setup};
    use crate::sim::packet::Payload;

    fn members(bench: &mut Bench) -> Option<Vec<String>> {
        let response = bench.ask(9, Request::GetConsumerListByGroup { group: "G".into() });
        match response.body {
            ResponseBody::Members(members) => {
                Some(members.iter().map(ToString::to_string).collect())
            }
            _ => {
                assert_eq!(response.code, ResponseCode::SystemError);
                None
            }
        }
    }

    fn unregister(bench: &mut Bench, client: u32) {
        let request = Request::UnregisterClient {
            client_id: ClientId::new(format!("C{client}")),
            consumer_group: Some("G".into()),
            producer_group: None,
        };
        bench.ask(client, request);
    }

    #[test]
    fn a_new_member_is_told_to_every_member_itself_included() {
        let mut bench = Bench::new(Profile::V49);
        assert_eq!(members(&mut bench), None, "an unknown group answers SYSTEM_ERROR");
        bench.heartbeat(2, "*", 1);
        assert_eq!(bench.notified(), [(0, 2)]);
        bench.heartbeat(1, "*", 1);
        assert_eq!(bench.notified(), [(0, 2), (0, 2), (0, 1)]);
        assert_eq!(members(&mut bench), Some(vec!["C2".into(), "C1".into()]), "unsorted");
        let registered = bench.events(|kind| matches!(kind, EventKind::ClientRegistered { .. }));
        let sequence = registered[1].sequence;
        let is_notice = |kind: &EventKind| {
            matches!(
                kind,
                EventKind::RequestSent { code: RequestCode::NotifyConsumerIdsChanged, .. }
            )
        };
        let notices = bench.events(is_notice);
        assert!(notices[1..].iter().all(|notice| notice.causes.as_slice() == [sequence]));
    }

    #[test]
    fn a_known_member_s_heartbeat_changes_nothing() {
        let mut bench = Bench::new(Profile::V49);
        bench.heartbeat(1, "*", 1);
        bench.heartbeat(1, "*", 1);
        assert_eq!(bench.notified().len(), 1);
        assert_eq!(members(&mut bench), Some(vec!["C1".into()]));
    }

    #[test]
    fn another_client_id_on_a_known_connection_replaces_without_a_notice() {
        let mut bench = Bench::new(Profile::V49);
        bench.heartbeat(1, "*", 1);
        let Request::HeartBeat { consumers, producers, .. } = heartbeat_of(1, &[("T", "*")], 1)
        else {
            panic!("it is a heartbeat");
        };
        bench.ask(1, Request::HeartBeat { client_id: "X".into(), consumers, producers });
        assert_eq!(members(&mut bench), Some(vec!["X".into()]));
        assert_eq!(bench.notified().len(), 1);
    }

    #[test]
    fn a_newer_subscription_replaces_silently_an_older_one_is_ignored() {
        let mut bench = Bench::new(Profile::V49);
        let expression = |bench: &Bench| {
            let group = &bench.broker.client_manage.groups[&"G".into()];
            group.subscription_table[&"T".into()].expression.clone()
        };
        bench.heartbeat(1, "TagA", 5);
        for (tag, version, counts) in
            [("TagB", 4, "TagA"), ("TagB", 5, "TagA"), ("TagB", 6, "TagB")]
        {
            bench.heartbeat(1, tag, version);
            assert_eq!(expression(&bench), counts, "{tag} {version}");
        }
        assert_eq!(bench.notified().len(), 1, "only the registration");
        assert_eq!(bench.count(|kind| matches!(kind, EventKind::SubscriptionReplaced { .. })), 1);
    }

    #[test]
    fn members_with_different_topics_notify_with_every_heartbeat() {
        let mut bench = Bench::new(Profile::V49);
        let topics_of = |bench: &Bench| {
            let table = &bench.broker.client_manage.groups[&"G".into()].subscription_table;
            table.keys().map(ToString::to_string).collect::<Vec<_>>()
        };
        bench.ask(1, heartbeat_of(1, &[("T", "*")], 1));
        bench.ask(2, heartbeat_of(2, &[("U", "*")], 1));
        assert_eq!(topics_of(&bench), ["U"], "what the last list lacks is gone");
        bench.ask(1, heartbeat_of(1, &[("T", "*")], 1));
        assert_eq!(topics_of(&bench), ["T"]);
        assert_eq!(bench.notified().len(), 1 + 2 + 2);
    }

    #[test]
    fn unregistering_tells_the_rest_even_if_nothing_was_removed() {
        let mut bench = Bench::new(Profile::V49);
        bench.heartbeat(1, "*", 1);
        bench.heartbeat(2, "*", 1);
        let before = bench.notified().len();
        unregister(&mut bench, 2);
        assert_eq!(bench.notified()[before..], [(0, 1)]);
        unregister(&mut bench, 2);
        assert_eq!(bench.notified()[before..], [(0, 1), (0, 1)]);
        unregister(&mut bench, 1);
        assert_eq!(bench.notified().len(), before + 2, "nobody is left");
        assert_eq!(members(&mut bench), None);
    }

    #[test]
    fn a_closed_connection_leaves_every_group_at_once_and_the_others_hear_of_it() {
        let mut bench = Bench::new(Profile::V49);
        bench.heartbeat(1, "*", 1);
        bench.heartbeat(2, "*", 1);
        let before = bench.notified().len();
        bench.run_until(500);
        bench.close(1);
        assert_eq!(bench.notified()[before..], [(500, 2)]);
        let left = bench.events(|kind| matches!(kind, EventKind::ClientLeft { .. }));
        let is_close = |kind: &EventKind| {
            matches!(kind, EventKind::ClientLeft { reason: LeaveReason::ConnectionClosed, .. })
        };
        assert!(is_close(&left[0].kind) && left.len() == 1);
    }

    #[test]
    fn the_scan_removes_a_silent_member_and_tells_nobody() {
        let mut bench = Bench::new(Profile::V49);
        bench.run_until(3_000);
        bench.heartbeat(1, "*", 1);
        for at in [3_000, 60_000, 120_000] {
            bench.run_until(at);
            bench.heartbeat(2, "*", 1);
        }
        let before = bench.notified().len();
        bench.run_until(129_999);
        assert!(bench.broker.client_manage.groups[&"G".into()].channels.len() == 2);
        bench.run_until(130_000);
        assert_eq!(members(&mut bench), Some(vec!["C2".into()]), "the first scan after 123 s");
        assert_eq!(bench.notified().len(), before);
        let left = bench.events(|kind| matches!(kind, EventKind::ClientLeft { .. }));
        let by_scan = |kind: &EventKind| {
            matches!(kind, EventKind::ClientLeft { reason: LeaveReason::HeartbeatScan, .. })
        };
        assert!(by_scan(&left[0].kind) && left[0].at == Millis::new(130_000));
    }

    #[test]
    fn exactly_120_s_old_is_not_expired() {
        let mut bench = Bench::new(Profile::V49);
        bench.run_until(10_000);
        bench.heartbeat(1, "*", 1);
        bench.run_until(139_999);
        assert!(members(&mut bench).is_some(), "130 000 is not later than 10 000 + 120 000");
        bench.run_until(140_000);
        assert!(members(&mut bench).is_none());
    }

    #[test]
    fn the_idle_handler_closes_120_s_after_the_last_traffic_and_tells_the_others() {
        let mut with_idle = setup(Profile::V49);
        with_idle.brokers[0].config.idle_handler_wins = true;
        let mut bench = Bench::of(&with_idle);
        bench.heartbeat(1, "*", 1);
        bench.run_until(1_000);
        bench.pull(1, pull(0));
        for at in [2_000, 50_000, 100_000, 136_000] {
            bench.run_until(at);
            bench.heartbeat(2, "*", 1);
        }
        let before = bench.notified().len();
        bench.run_until(139_999);
        assert_eq!(members(&mut bench), Some(vec!["C1".into(), "C2".into()]));
        bench.run_until(140_000);
        assert_eq!(
            members(&mut bench),
            Some(vec!["C2".into()]),
            "the held pull was answered at 20 s"
        );
        assert_eq!(bench.notified()[before..], [(140_000, 2)]);
        let is_close = |payload: &Payload| *payload == Payload::ConnectionClosed;
        assert!(bench.sent.iter().any(|(_, packet)| is_close(&packet.payload)));
    }

    #[test]
    fn a_member_that_pulls_but_sends_no_heartbeat_falls_to_the_scan() {
        let mut with_idle = setup(Profile::V49);
        with_idle.brokers[0].config.idle_handler_wins = true;
        let mut bench = Bench::of(&with_idle);
        bench.heartbeat(1, "*", 1);
        for at in (0..16).map(|k| k * 10_000) {
            bench.run_until(at);
            bench.pull(1, pull(0));
        }
        bench.run_until(150_000);
        assert_eq!(members(&mut bench), None);
        let left = bench.events(|kind| matches!(kind, EventKind::ClientLeft { .. }));
        assert_eq!(left[0].at, Millis::new(130_000));
    }

    #[test]
    fn whoever_sends_on_a_connection_that_the_broker_closed_hears_so() {
        let mut bench = Bench::new(Profile::V49);
        bench.heartbeat(1, "*", 1);
        bench.run_until(130_000);
        let before = bench.sent.len();
        let call = bench.pull(1, pull(0));
        assert_eq!(bench.response(call), None);
        assert_eq!(bench.sent.len(), before + 1);
    }

    #[test]
    fn the_first_heartbeat_makes_the_group_and_its_retry_topic() {
        let mut brand_new = setup(Profile::V49);
        brand_new.groups.clear();
        let mut bench = Bench::of(&brand_new);
        let retry: TopicName = "%RETRY%G".into();
        assert!(!bench.broker.topic_config.contains_key(&retry));
        bench.heartbeat(1, "*", 1);
        bench.heartbeat(1, "*", 2);
        assert_eq!(bench.broker.topic_config[&retry].read_queue_nums, 1);
        assert_eq!(bench.count(|kind| matches!(kind, EventKind::TopicCreated { .. })), 1);
        let is_registration = |kind: &EventKind| {
            matches!(
                kind,
                EventKind::RequestSent { code: RequestCode::RegisterBroker, oneway: true, .. }
            )
        };
        assert_eq!(bench.count(is_registration), 1, "the name server hears of it at once");
    }

    #[test]
    fn a_group_that_wants_no_notices_gets_none() {
        let mut silent = setup(Profile::V49);
        silent.groups[0].config.notify_consumer_ids_changed_enable = false;
        let mut bench = Bench::of(&silent);
        bench.heartbeat(1, "*", 1);
        assert_eq!(bench.notified(), []);
    }
}
