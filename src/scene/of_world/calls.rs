//! Calls in flight: what is on the wire, and what has just been lost there.

use super::Eye;
use crate::model::ids::{BrokerName, ProcessIndex};
use crate::model::message_queue::MessageQueue;
use crate::scene::card::Label;
use crate::scene::cast::is_producer;
use crate::scene::journal::Loss;
use crate::scene::scene::{Call, CallCode, Cut, Direction, Fate, Party};
use crate::sim::agenda::AgendaEntry;
use crate::sim::client::call::Waiter;
use crate::sim::packet::{
    Machine, Packet, Payload, Request, RequestCode, Response, ResponseBody, ResponseCode,
};

impl Eye<'_> {
    pub(super) fn calls(&self) -> Vec<Call> {
        let flying = self.errands.packets.iter();
        let flying = flying.filter_map(|(entry, packet)| self.flying(entry, packet));
        let lost = self.past.losses().iter().rev();
        let lost = lost.take_while(|loss| loss.event >= self.sight.fresh_from);
        flying.chain(lost.filter_map(|loss| self.lost(loss))).collect()
    }

    pub(super) fn cuts(&self) -> Vec<Cut> {
        let network = &self.world.network;
        let cut = network.links.iter().filter(|(_, link)| link.is_cut);
        let cuts = cut.filter_map(|(&(from, to), _)| {
            let is_one_way = !network.is_cut(to, from);
            // Of the two directions the first stands for both.
            (is_one_way || from < to)
                .then(|| Some(Cut { a: self.party(from)?, b: self.party(to)?, is_one_way }))?
        });
        cuts.collect()
    }

    fn party(&self, machine: Machine) -> Option<Party> {
        match machine {
            Machine::NameServer(index) => Some(Party::NameServer(index)),
            Machine::Broker(index) => Some(Party::Broker(index)),
            Machine::Client(process) => self.client_party(process),
        }
    }

    /// Consumers of other groups are not on the stage.
    fn client_party(&self, process: ProcessIndex) -> Option<Party> {
        let client = self.world.client(process);
        let is_ours = self.group.as_ref().is_some_and(|it| client.consumers.contains_key(it));
        if is_ours {
            Some(Party::Consumer(process))
        } else {
            is_producer(client).then_some(Party::Producer(process))
        }
    }

    fn code(&self, code: RequestCode) -> CallCode {
        let profile = self.sight.simulation.engine().profile;
        CallCode { number: code.number(), name: code.name(profile) }
    }

    fn flying(&self, entry: &AgendaEntry, packet: &Packet) -> Option<Call> {
        let (code, direction, fate, batch, queue) = match &packet.payload {
            Payload::Request { request, oneway } => {
                let direction = if *oneway { Direction::Oneway } else { Direction::Request };
                let batch = u32::from(matches!(request, Request::SendMessage { .. }));
                let queue = self.asked_queue(request, packet.to);
                (request.code(), direction, Fate::Arrives, batch, queue)
            }
            Payload::Response(response) => {
                let batch = match &response.body {
                    ResponseBody::Pulled(answer) => answer.found.len() as u32,
                    _ => 0,
                };
                let waiter = self.waiter_queue(packet);
                let fate = self.fate(response, packet);
                (response.of, Direction::Response, fate, batch, waiter)
            }
            Payload::ConnectionClosed => return None,
        };
        let is_held = self.world.network.is_held(packet.from, packet.to, entry.sequence);
        Some(Call {
            id: packet.call,
            from: self.party(packet.from)?,
            to: self.party(packet.to)?,
            code: self.code(code),
            direction,
            sent_at: entry.since,
            arrives_at: entry.at,
            fate: if is_held { Fate::Held } else { fate },
            is_copy: packet.is_copy,
            batch,
            queue,
            note: None,
        })
    }

    fn lost(&self, loss: &Loss) -> Option<Call> {
        Some(Call {
            id: loss.call,
            from: self.party(loss.from)?,
            to: self.party(loss.to)?,
            code: self.code(loss.code),
            direction: Direction::Request,
            sent_at: loss.at,
            arrives_at: loss.at + self.world.network.default_latency,
            fate: Fate::Lost,
            is_copy: false,
            batch: 0,
            queue: None,
            note: None,
        })
    }

    fn broker_name(&self, machine: Machine) -> Option<BrokerName> {
        match machine {
            Machine::Broker(index) => Some(self.world.broker(index).name.clone()),
            _ => None,
        }
    }

    /// The queue of which a request speaks.
    fn asked_queue(&self, request: &Request, to: Machine) -> Option<MessageQueue> {
        match request {
            Request::LockBatchMq { queues, .. } | Request::UnlockBatchMq { queues, .. } => {
                queues.first().cloned()
            }
            _ => {
                let (topic, queue_id) = request.queue()?;
                Some(MessageQueue::new(topic.clone(), self.broker_name(to)?, queue_id))
            }
        }
    }

    /// The queue for whose sake somebody waits for this answer.
    fn waiter_queue(&self, packet: &Packet) -> Option<MessageQueue> {
        let Machine::Client(process) = packet.to else { return None };
        let pending = self.world.client(process).pending_calls.get(&packet.call)?;
        match &pending.waiter {
            Waiter::Pull(request)
            | Waiter::LockedFirstOffset(request)
            | Waiter::LockedFirstMaxOffset(request) => Some(request.message_queue.clone()),
            Waiter::RebalanceLock(queue) | Waiter::LockLater { queue, .. } => Some(queue.clone()),
            _ => None,
        }
    }

    /// Whether the answer says no, and why in few words.
    fn fate(&self, response: &Response, packet: &Packet) -> Fate {
        match (&response.body, response.code) {
            (ResponseBody::Locked(granted), ResponseCode::Success) => {
                match self.waiter_queue(packet).filter(|queue| !granted.contains(queue)) {
                    Some(queue) => Fate::Refused(self.lock_owner(&queue)),
                    None => Fate::Arrives,
                }
            }
            (
                _,
                ResponseCode::Success
                | ResponseCode::PullNotFound
                | ResponseCode::PullRetryImmediately
                | ResponseCode::QueryNotFound,
            ) => Fate::Arrives,
            (_, code) => Fate::Refused(code.number().to_string().into()),
        }
    }

    fn lock_owner(&self, queue: &MessageQueue) -> Label {
        let master = self.world.broker_named(&queue.broker_name, 0);
        let entry = master.zip(self.group.as_ref()).and_then(|(master, group)| {
            self.world.broker(master).rebalance_lock.entry(group, queue)
        });
        entry.map_or_else(|| Label::from(""), |entry| self.client_label(&entry.client_id))
    }
}
