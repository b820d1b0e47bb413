//! `Scene`: the whole picture as data, with no coordinates, as of one event.
//!
//! Times in it are moments of virtual time, so one scene serves for the whole wait until the next
//! event: rings and elapsed times are computed when a frame is drawn.

use crate::model::ids::{BrokerIndex, CallId, ClientId, GroupName, ProcessIndex, UniqueKey};
use crate::model::message::MessageId;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

use super::at_broker::Broker;
use super::at_consumer::Consumer;
use super::card::{Card, Label, MessageState};
use super::company::Company;
use super::mark::MarkId;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The group whose eyes we look through.
    pub group: Option<GroupName>,
    pub name_servers: Vec<NameServer>,
    pub producers: Vec<Producer>,
    pub brokers: Vec<Broker>,
    pub calls: Vec<Call>,
    /// Where the network is cut.
    pub cuts: Vec<Cut>,
    pub consumers: Vec<Consumer>,
    pub followed: Option<Followed>,
    /// Who takes part in the whole run.
    pub company: Company,
    /// The real recording's deliveries beside the model's, newest last.
    pub real_deliveries: Vec<RealDelivery>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameServer {
    pub index: u8,
    pub is_up: bool,
    /// Topics it has a route for.
    pub topics: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    pub process: ProcessIndex,
    pub client_id: ClientId,
    pub label: Label,
    pub is_up: bool,
    /// What it sends next, soonest first.
    pub next: Vec<NextSend>,
    pub sent: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextSend {
    pub label: Label,
    /// Where to, if the script says so: `q1`.
    pub queue: Option<Label>,
    pub at: Millis,
}

/// A process at one end of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Party {
    NameServer(u8),
    Broker(BrokerIndex),
    Producer(ProcessIndex),
    Consumer(ProcessIndex),
}

/// Packets from `a` to `b` are lost, and those the other way unless it is cut one way only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    pub a: Party,
    pub b: Party,
    pub is_one_way: bool,
}

/// One packet on the wire, or one that has just met its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub id: CallId,
    pub from: Party,
    pub to: Party,
    pub code: CallCode,
    pub direction: Direction,
    pub sent_at: Millis,
    pub arrives_at: Millis,
    pub fate: Fate,
    /// The second copy of one that the network doubled.
    pub is_copy: bool,
    /// Messages carried.
    pub batch: u32,
    /// The queue it speaks of.
    pub queue: Option<MessageQueue>,
    /// A short note for the plate: `q0`, `19 not found`.
    pub note: Option<Label>,
}

/// A request code, number and name together (UX 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallCode {
    pub number: u16,
    /// RocketMQ's constant, for the inspector; the plate uses a short word by number.
    pub name: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    Request,
    Response,
    Oneway,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    Arrives,
    /// It never will.
    Lost,
    /// Not before the next one has passed it.
    Held,
    /// An answer that says no, with the reason in few words.
    Refused(Label),
}

/// The one followed thing, under the marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    pub mark: MarkId,
    pub unique_key: Option<UniqueKey>,
    pub label: Label,
    pub state: MessageState,
    pub failures: u32,
    /// Up to six, in order: past ones, at most one now, then what is to come.
    pub stations: Vec<Station>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Station {
    /// The number in the disc, from 1, the same as in the journey table.
    pub number: u8,
    pub tense: Tense,
    pub spot: Spot,
    /// When it was, or will be, there.
    pub at: Option<Millis>,
    /// The remote call by which it came there, named on a plate.
    pub by_call: Option<CallCode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tense {
    Past,
    Now,
    Next,
}

/// A place where a followed thing was, is or will be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    Producer(ProcessIndex),
    /// On its way into this broker: the point where the line enters the box.
    Gate(BrokerIndex),
    Slot(MessageQueue, QueueOffset),
    Bench(MessageQueue),
    Level(BrokerIndex, u32),
    DeadLetters(BrokerIndex),
    Shelf(ProcessIndex, MessageQueue, QueueOffset),
    /// At a worker; `None` is the room.
    Seat(ProcessIndex, Option<u32>),
    /// Where no message stops, but pulls, reports, locks and owners do.
    At(Fixture),
}

/// A place of something else than a message: never a station of what is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fixture {
    /// Where the queue's PullRequest stands in its process: on the belt,
    Belt(ProcessIndex, MessageQueue),
    /// with the pull thread,
    PullSeat(ProcessIndex, MessageQueue),
    /// or put off.
    Tray(ProcessIndex, MessageQueue),
    /// The figure of one queue among the consumer's offsets; `None` is the row.
    Offsets(ProcessIndex, Option<MessageQueue>),
    /// The same at the broker.
    BrokerOffsets(BrokerIndex, Option<MessageQueue>),
    /// The list of the group's consumers at the broker.
    Members(BrokerIndex),
    /// The tag at the end of a queue's strip with the name of who reads it.
    Owner(MessageQueue),
    /// The tab with a queue's name at the edge of a consumer that reads it, or is to read it.
    Tab(ProcessIndex, MessageQueue),
    /// The padlock of a queue at the broker.
    Lock(MessageQueue),
    /// The padlock at a shelf.
    Belief(ProcessIndex, MessageQueue),
    /// Where a process works out which queues it reads.
    Rebalance(ProcessIndex),
    /// A whole process.
    Consumer(ProcessIndex),
}

/// One delivery as the real RocketMQ made it: a tick beside the model's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealDelivery {
    pub queue: MessageQueue,
    pub offset: QueueOffset,
    pub at: Millis,
}

impl Scene {
    pub fn consumer(&self, process: ProcessIndex) -> Option<&Consumer> {
        self.consumers.iter().find(|consumer| consumer.process == process)
    }

    pub fn broker(&self, index: BrokerIndex) -> Option<&Broker> {
        self.brokers.iter().find(|broker| broker.index == index)
    }

    /// Every record drawn anywhere, in the order of the data's flow.
    pub fn cards(&self) -> impl Iterator<Item = &Card> {
        let at_brokers = self.brokers.iter().flat_map(|broker| {
            let queues = broker.queues.iter().chain(&broker.retry_queues);
            queues
                .flat_map(|queue| &queue.slots)
                .chain(broker.levels.iter().flat_map(|level| &level.cards))
                .chain(broker.dead_letters.iter().flat_map(|dead| &dead.cards))
        });
        let at_consumers = self.consumers.iter().flat_map(|consumer| {
            let seated = consumer.workers.seats.iter().filter_map(|seat| seat.card.as_ref());
            consumer.shelves.iter().flat_map(|shelf| &shelf.cards).chain(seated)
        });
        at_brokers.chain(at_consumers)
    }

    /// A record by its place in the commit log, as the broker has it.
    pub fn copy(&self, copy: &MessageId) -> Option<&Card> {
        self.cards().find(|card| card.copy == *copy)
    }
}
