//! The broker's ends of its connections: who is at the other end, and when something last crossed.
//!
//! Follows `NettyRemotingServer` and its `IdleStateHandler`, `ClientHousekeepingService`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Broker;
use crate::model::constants;
use crate::model::ids::{CallId, ConnectionId};
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, LeaveReason, TimerKind};
use crate::sim::packet::{Machine, RequestCode, Response, ResponseBody, ResponseCode};
use crate::sim::task::BrokerTask;

/// One connection that a client opened to this broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Channel {
    pub machine: Machine,
    pub last_read_at: Millis,
    pub last_write_at: Millis,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Channels {
    pub open: BTreeMap<ConnectionId, Channel>,
    /// Closed by this side, now or in an earlier life. If the other side has not heard of it and goes
    /// on sending, it hears of it again (TCP's reset).
    pub closed: BTreeSet<ConnectionId>,
    /// To the name server; opened with the next registration.
    pub name_server: Option<ConnectionId>,
    /// Of a slave: to its master.
    pub master: Option<ConnectionId>,
}

/// Who asked, and whether an answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Caller {
    pub call: CallId,
    pub connection: ConnectionId,
    pub machine: Machine,
    pub is_oneway: bool,
}

impl Broker {
    /// Something was read from a connection; a new one is taken up. `false`: this side has closed it.
    pub(crate) fn channel_read(
        &mut self,
        connection: ConnectionId,
        machine: Machine,
        cx: &mut Context<'_>,
    ) -> bool {
        let now = cx.now();
        if let Some(channel) = self.channels.open.get_mut(&connection) {
            channel.last_read_at = now;
            return true;
        }
        if self.channels.closed.contains(&connection) {
            return false;
        }
        let channel = Channel { machine, last_read_at: now, last_write_at: now };
        self.channels.open.insert(connection, channel);
        self.schedule_idle_look(connection, now, cx);
        true
    }

    /// Notes a write; `false` if the connection is closed, so that nothing can be written.
    pub(crate) fn channel_write(&mut self, connection: ConnectionId, now: Millis) -> bool {
        match self.channels.open.get_mut(&connection) {
            Some(channel) => {
                channel.last_write_at = now;
                true
            }
            None => false,
        }
    }

    /// Answers a request, unless it was oneway or its connection is gone.
    pub(crate) fn answer(
        &mut self,
        caller: Caller,
        of: RequestCode,
        code: ResponseCode,
        body: ResponseBody,
        cx: &mut Context<'_>,
    ) {
        if !caller.is_oneway && self.channel_write(caller.connection, cx.now()) {
            let response = Response { code, of, body };
            cx.send_response(caller.call, caller.connection, caller.machine, response);
        }
    }

    /// Answers with nothing but a code.
    pub(crate) fn answer_code(
        &mut self,
        caller: Caller,
        of: RequestCode,
        code: ResponseCode,
        cx: &mut Context<'_>,
    ) {
        self.answer(caller, of, code, ResponseBody::Empty, cx);
    }

    /// The other side closed a connection, or refused it.
    pub(crate) fn connection_closed(&mut self, connection: ConnectionId, cx: &mut Context<'_>) {
        if self.channels.name_server == Some(connection) {
            self.channels.name_server = None;
        } else if self.channels.master == Some(connection) {
            self.channels.master = None;
            self.lost_master(cx);
        } else if self.channels.open.remove(&connection).is_some() {
            self.ha_slaves.remove(&connection);
            self.do_channel_close_event(connection, LeaveReason::ConnectionClosed, cx);
        }
    }

    /// Closes a connection from this side and tells the other one, which may no longer hear it.
    pub(crate) fn close_channel(&mut self, connection: ConnectionId, cx: &mut Context<'_>) {
        let Some(channel) = self.channels.open.remove(&connection) else { return };
        self.channels.closed.insert(connection);
        cx.emit(EventKind::ConnectionClosed { connection, with: channel.machine });
        let causes = cx.causes();
        cx.send_closed(connection, channel.machine);
        cx.set_causes(causes);
    }

    fn schedule_idle_look(
        &mut self,
        connection: ConnectionId,
        last_traffic_at: Millis,
        cx: &mut Context<'_>,
    ) {
        let at = last_traffic_at + constants::server_channel_max_idle_time(cx.profile());
        let task = BrokerTask::ChannelIdle { connection };
        cx.schedule_broker(self.index, self.life, at, TimerKind::ChannelIdle, task);
    }

    /// netty's idle handler looks at one connection: after 120 s without any traffic it is closed, and
    /// the groups hear of it.
    ///
    /// Differs: which of the idle handler and the heartbeat scan comes first on a dead host depends on
    /// milliseconds in RocketMQ; here `BrokerConfig::idle_handler_wins` says which one acts.
    ///
    /// Follows netty's `IdleStateHandler`, `NettyServerHandler.userEventTriggered`.
    pub(crate) fn channel_idle(&mut self, connection: ConnectionId, cx: &mut Context<'_>) {
        let Some(channel) = self.channels.open.get(&connection) else { return };
        let last_traffic_at = channel.last_read_at.max(channel.last_write_at);
        let max_idle = constants::server_channel_max_idle_time(cx.profile());
        let is_idle = cx.now().since(last_traffic_at) >= max_idle;
        let is_left_to_scan =
            !self.config.idle_handler_wins && self.client_manage.is_member(connection);
        if !is_idle || is_left_to_scan {
            let since = if is_idle { cx.now() } else { last_traffic_at };
            let next = since + max_idle;
            cx.next_turn(next, |cx| self.schedule_idle_look(connection, since, cx));
        } else {
            self.close_channel(connection, cx);
            self.do_channel_close_event(connection, LeaveReason::Idle, cx);
        }
    }
}
