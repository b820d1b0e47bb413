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
use crate::sim::event::{EventKind, LeaveReason, RequestDetail, TimerKind};
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
        cx.schedule_broker(self.index, self.life, at, TimerKind::ClientScan, task);
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
            cx.set_causes(causes);
            if let Some(member) = self.client_manage.unregister_channel(group, *connection) {
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
