//! How a packet gets onto its link: lost, repeated, held back, or simply on its way.

use super::agenda::AgendaEntry;
use super::dice::Purpose;
use super::engine::Context;
use super::event::{Causes, EventKind, LossReason, TimerKind};
use super::network::{HoldRule, Late, Letter, RepeatRule};
use super::packet::{Machine, Packet, Payload, Request, RequestCode, Response};
use super::setup::TieBreak;
use super::task::Task;
use crate::model::ids::{CallId, ConnectionId};
use crate::model::time::Millis;

/// When a packet arrives, and its place among what arrives then.
#[derive(Clone, Copy)]
struct Arrival {
    at: Millis,
    priority: u32,
}

impl Context<'_> {
    /// Sends a request over `connection`. The event `RequestSent` has been emitted by the caller.
    pub fn send_request(
        &mut self,
        call: CallId,
        connection: ConnectionId,
        to: Machine,
        request: Request,
        oneway: bool,
    ) {
        let code = request.code();
        let letter = Letter { asker: self.me, asked: to, code, is_response: false };
        let payload = Payload::Request { request, oneway };
        self.send_letter(Packet::new(call, connection, self.me, to, payload), letter);
    }

    /// Answers a request.
    pub fn send_response(
        &mut self,
        call: CallId,
        connection: ConnectionId,
        to: Machine,
        response: Response,
    ) {
        let of = response.of;
        self.emit(EventKind::ResponseSent { call, to, of, code: response.code });
        let letter = Letter { asker: to, asked: self.me, code: of, is_response: true };
        let payload = Payload::Response(response);
        self.send_letter(Packet::new(call, connection, self.me, to, payload), letter);
    }

    /// Tells the other side that `connection` is closed.
    pub fn send_closed(&mut self, connection: ConnectionId, to: Machine) {
        let packet = Packet::new(CallId(0), connection, self.me, to, Payload::ConnectionClosed);
        self.send(packet, RequestCode::UnregisterClient);
    }

    /// Nobody listens: the sender's call ends at once.
    pub fn send_refused(&mut self, packet: Packet) {
        let Payload::Request { request, .. } = &packet.payload else { return };
        let code = request.code();
        let Packet { call, connection, from, to, .. } = packet;
        self.send(Packet::new(call, connection, to, from, Payload::ConnectionClosed), code);
    }

    /// A request or an answer, under the rules of its link.
    fn send_letter(&mut self, packet: Packet, letter: Letter) {
        let (from, to) = (packet.from, packet.to);
        if self.network.drops(letter) {
            self.lose(packet.call, from, to, letter.code, LossReason::Dropped);
            return;
        }
        // Nearly all links have no rules, and nothing held.
        if self.network.links.is_empty() || self.network.is_cut(from, to) {
            self.send(packet, letter.code);
            return;
        }
        let arrival = self.arrival(from, to);
        if let Some(rule) = self.network.repeats(letter) {
            self.repeat(&packet, letter.code, rule, arrival);
        }
        // What passes something is not held back itself: of a row, each second one passes the first.
        if self.has_held(from, to) {
            self.deliver_at(packet, letter.code, arrival);
            return;
        }
        match self.network.holds(letter) {
            Some(rule) => self.hold(packet, letter.code, rule, arrival),
            None => self.deliver_at(packet, letter.code, arrival),
        }
    }

    fn send(&mut self, packet: Packet, code: RequestCode) {
        if self.network.is_cut(packet.from, packet.to) {
            self.lose(packet.call, packet.from, packet.to, code, LossReason::Partition);
            return;
        }
        let arrival = self.arrival(packet.from, packet.to);
        self.deliver_at(packet, code, arrival);
    }

    fn arrival(&mut self, from: Machine, to: Machine) -> Arrival {
        let default_latency = self.network.default_latency;
        let mut priority = self.engine.priority();
        let range = self.network.link(from, to).and_then(|link| link.latency);
        let mut at = self.engine.now + range.map_or(default_latency, |range| self.between(range));
        // A fixed latency and first-in-first-out ties keep TCP's order by themselves.
        if range.is_some() || self.engine.tie_break == TieBreak::Shuffled {
            let link = self.network.link_mut(from, to);
            at = at.max(link.last_arrival);
            if at == link.last_arrival {
                priority = priority.max(link.last_priority);
            }
            link.last_arrival = at;
            link.last_priority = priority;
        }
        Arrival { at, priority }
    }

    fn between(&mut self, (low, high): (Millis, Millis)) -> Millis {
        match low >= high {
            true => low,
            false => Millis(self.engine.dice.between(Purpose::Network, low.ms(), high.ms())),
        }
    }

    fn deliver_at(&mut self, packet: Packet, code: RequestCode, arrival: Arrival) {
        let (call, from, to) = (packet.call, packet.from, packet.to);
        let is_close = matches!(packet.payload, Payload::ConnectionClosed);
        if is_close {
            self.end_late(packet.connection, from, to, arrival);
        }
        self.put(packet, code, arrival);
        if !is_close && self.has_held(from, to) {
            self.let_pass(call, from, to, arrival);
        }
    }

    fn put(&mut self, packet: Packet, code: RequestCode, arrival: Arrival) -> Late {
        let connection = packet.connection;
        let timer = Some(TimerKind::Network(code));
        let task = Task::Deliver(Box::new(packet));
        let key = self.engine.schedule_with(arrival.at, arrival.priority, timer, task);
        Late { key, connection }
    }

    /// The second copy comes over the same connection, with the same opaque.
    fn repeat(&mut self, packet: &Packet, code: RequestCode, rule: RepeatRule, first: Arrival) {
        let arrival = Arrival {
            at: first.at + self.between(rule.later),
            priority: self.engine.priority().max(first.priority),
        };
        let (call, from, to) = (packet.call, packet.from, packet.to);
        let causes = self.causes();
        self.set_causes(rule.choice.causes.leading(causes));
        self.emit(EventKind::PacketRepeated { call, from, to, code, again_at: arrival.at });
        let late = self.put(Packet { is_copy: true, ..packet.clone() }, code, arrival);
        let agenda = &self.engine.agenda;
        let copies = &mut self.network.link_mut(from, to).copies;
        copies.retain(|late| agenda.contains(late.key));
        copies.push(late);
        self.set_causes(causes);
    }

    /// Goes on when something passes it, or when its time is over.
    fn hold(&mut self, packet: Packet, code: RequestCode, rule: HoldRule, first: Arrival) {
        let arrival = Arrival { at: first.at + rule.at_most, ..first };
        let (call, from, to) = (packet.call, packet.from, packet.to);
        let causes = self.causes();
        self.set_causes(rule.choice.causes.leading(causes));
        self.emit(EventKind::PacketHeld { call, from, to, code, until: arrival.at });
        let late = self.put(packet, code, arrival);
        self.network.link_mut(from, to).held.push(late);
        self.set_causes(causes);
    }

    /// Whether something is held back in this direction; forgets what has gone on by itself.
    fn has_held(&mut self, from: Machine, to: Machine) -> bool {
        let Some(link) = self.network.links.get_mut(&(from, to)) else { return false };
        link.held.retain(|late| self.engine.agenda.contains(late.key));
        !link.held.is_empty()
    }

    /// What was held back arrives right behind what passes it.
    fn let_pass(&mut self, by: CallId, from: Machine, to: Machine, arrival: Arrival) {
        let causes = self.causes();
        for late in std::mem::take(&mut self.network.link_mut(from, to).held) {
            let Some(entry) = self.engine.agenda.cancel(late.key) else { continue };
            let Some((call, code)) = letter_of(&entry) else { continue };
            if entry.at <= arrival.at {
                // Its own time is over first.
                self.engine.agenda.insert(arrival.priority, entry);
                continue;
            }
            self.set_causes(causes.with(entry.causes));
            let passed = self.emit(EventKind::PacketPassed { call, from, to, code, by });
            let causes = entry.causes.with(Causes::of(passed));
            let entry = AgendaEntry { at: arrival.at, causes, ..entry };
            self.engine.agenda.insert(arrival.priority, entry);
        }
        self.set_causes(causes);
    }

    /// A connection's end neither passes what is held back on it nor leaves copies behind.
    fn end_late(&mut self, of: ConnectionId, from: Machine, to: Machine, arrival: Arrival) {
        let Some(link) = self.network.links.get_mut(&(from, to)) else { return };
        let agenda = &mut self.engine.agenda;
        link.copies.retain(|late| {
            if late.connection == of {
                agenda.cancel(late.key);
            }
            late.connection != of
        });
        link.held.retain(|late| {
            if late.connection == of
                && let Some(entry) = agenda.cancel(late.key)
            {
                let at = entry.at.min(arrival.at);
                agenda.insert(arrival.priority, AgendaEntry { at, ..entry });
            }
            late.connection != of
        });
    }

    fn lose(
        &mut self,
        call: CallId,
        from: Machine,
        to: Machine,
        code: RequestCode,
        reason: LossReason,
    ) {
        let causes = self.causes();
        self.emit(EventKind::PacketLost { call, from, to, code, reason });
        self.set_causes(causes);
    }
}

/// The call of a request or an answer on the agenda, and its code.
fn letter_of(entry: &AgendaEntry) -> Option<(CallId, RequestCode)> {
    let Task::Deliver(packet) = &entry.task else { return None };
    match &packet.payload {
        Payload::Request { request, .. } => Some((packet.call, request.code())),
        Payload::Response(response) => Some((packet.call, response.of)),
        Payload::ConnectionClosed => None,
    }
}
