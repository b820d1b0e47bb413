//! The client's connections: one to each machine, opened with the first request (spec 09.6).

use super::ClientInstance;
use super::call::PendingCall;
use super::heartbeat::HeartbeatOwner;
use super::task::ClientTask;
use crate::model::constants;
use crate::model::ids::{CallId, ConnectionId};
use crate::sim::engine::Context;
use crate::sim::event::EventKind;
use crate::sim::packet::{Machine, Packet, Payload, Request};
use crate::sim::task::Task;

impl ClientInstance {
    /// The open connection to `to`, or a new one.
    pub(crate) fn connection_to(&mut self, to: Machine, cx: &mut Context<'_>) -> ConnectionId {
        if let Some(connection) = self.connections.get(&to) {
            return *connection;
        }
        let connection = cx.next_connection();
        self.connections.insert(to, connection);
        let causes = cx.causes();
        cx.emit(EventKind::ConnectionOpened { connection, to });
        if cx.rules().heartbeat_on_reconnect && matches!(to, Machine::Broker(_)) {
            let task = ClientTask::ChannelActive { machine: to };
            cx.schedule_now(Task::Client { process: self.process, task });
        }
        cx.set_causes(causes);
        connection
    }

    /// Since 5.2.0 a connection that becomes active sends a heartbeat and, if that succeeded, wakes
    /// the rebalance (spec 02.1).
    pub(crate) fn channel_active(&mut self, machine: Machine, cx: &mut Context<'_>) {
        if self.connections.contains_key(&machine) && !self.consumers.is_empty() {
            self.send_heartbeat(HeartbeatOwner::ChannelActive, cx);
        }
    }

    /// A packet has arrived.
    pub fn receive(&mut self, packet: Packet, cx: &mut Context<'_>) {
        if !self.is_alive() {
            return;
        }
        match packet.payload {
            // An answer on a connection that is closed by now never reaches its caller.
            Payload::Response(response) => {
                if self.connections.get(&packet.from) == Some(&packet.connection) {
                    self.on_response(packet.call, packet.from, response, cx);
                }
            }
            // Nor does a request on one that this client has given up.
            Payload::Request { request, .. } => {
                if self.connections.get(&packet.from) == Some(&packet.connection) {
                    self.on_request(request, cx);
                }
            }
            Payload::ConnectionClosed if packet.call == CallId(0) => {
                self.on_closed_by_peer(packet.from, packet.connection, cx);
            }
            // Refused: nobody listens there.
            Payload::ConnectionClosed => {
                if self.connections.get(&packet.from) == Some(&packet.connection) {
                    self.connections.remove(&packet.from);
                }
                self.fail_call(packet.call, cx);
            }
        }
    }

    fn on_request(&mut self, request: Request, cx: &mut Context<'_>) {
        match request {
            Request::NotifyConsumerIdsChanged { .. } => self.wake_rebalance(cx),
            Request::ResetConsumerClientOffset { group, topic, offsets } => {
                self.reset_offset(&group, &topic, offsets, cx);
            }
            // Brokers send nothing else.
            _ => {}
        }
    }

    fn on_closed_by_peer(
        &mut self,
        machine: Machine,
        connection: ConnectionId,
        cx: &mut Context<'_>,
    ) {
        if self.connections.get(&machine) != Some(&connection) {
            return;
        }
        self.connections.remove(&machine);
        cx.emit(EventKind::ConnectionClosed { connection, with: machine });
        if cx.rules().broker_close_fails_waiting_requests {
            self.fail_calls_on(connection, cx);
        }
    }

    /// The connections to the brokers are dead, and no broker is told.
    pub(crate) fn lose_connections(&mut self, cx: &mut Context<'_>) {
        let causes = cx.causes();
        let lost = self.connections.iter().filter(|(to, _)| matches!(to, Machine::Broker(_)));
        for (with, connection) in lost.map(|(to, id)| (*to, *id)).collect::<Vec<_>>() {
            cx.set_causes(causes);
            self.connections.remove(&with);
            cx.emit(EventKind::ConnectionClosed { connection, with });
            self.fail_calls_on(connection, cx);
        }
    }

    /// Since 4.9.1 a synchronous request that times out closes the connection; since 5.1.4 only if
    /// enough of its time-out was left when it was sent, which is so unless the caller had used it
    /// up before (spec 09.6).
    pub(crate) fn close_after_timeout(&mut self, pending: &PendingCall, cx: &mut Context<'_>) {
        let rules = cx.rules();
        if !pending.is_sync || !rules.close_socket_on_timeout {
            return;
        }
        if rules.close_socket_needs_time_left && !had_time_left(pending, cx) {
            return;
        }
        if self.connections.get(&pending.to) != Some(&pending.connection) {
            return;
        }
        self.connections.remove(&pending.to);
        cx.emit(EventKind::ConnectionClosed { connection: pending.connection, with: pending.to });
        let causes = cx.causes();
        cx.send_closed(pending.connection, pending.to);
        cx.set_causes(causes);
        self.fail_calls_on(pending.connection, cx);
    }

    fn fail_calls_on(&mut self, connection: ConnectionId, cx: &mut Context<'_>) {
        let waiting: Vec<CallId> = self
            .pending_calls
            .iter()
            .filter(|(_, pending)| pending.connection == connection)
            .map(|(call, _)| *call)
            .collect();
        let causes = cx.causes();
        for call in waiting {
            cx.set_causes(causes);
            self.fail_call(call, cx);
        }
    }
}

fn had_time_left(pending: &PendingCall, cx: &Context<'_>) -> bool {
    let least = constants::close_socket_min_time_left(cx.profile());
    least.is_none_or(|least| pending.timeout > least)
}
