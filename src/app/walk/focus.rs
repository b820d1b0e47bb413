//! From the words of a focus to the thing on the stage, as of one event.

use crate::model::ids::{BrokerIndex, ProcessIndex, ProcessQueueId};
use crate::model::message_queue::MessageQueue;
use crate::model::topic::is_dlq_topic;
use crate::recording::Recording;
use crate::scenario::expect::sample::{Who, broker_label};
use crate::scenario::walk::{Focus, QueueName};
use crate::scene::concerns;
use crate::scene::mark::MarkId;
use crate::sim::event::{Actor, EventKind, EventSequence};
use crate::sim::packet::Machine;
use crate::sim::world::World;

/// `None` if there is no such thing by then.
pub fn mark_of(focus: &Focus, recording: &Recording, event: EventSequence) -> Option<MarkId> {
    let world = recording.head().world();
    let process = |id: &str| process(recording, id, event);
    let queue = |name: &QueueName| queue(world, name);
    Some(match focus {
        Focus::NameServer => MarkId::NameServer(0),
        Focus::Producer(id) => MarkId::Producer(process(id)?),
        Focus::Broker(name) => MarkId::Broker(broker(world, name)?),
        Focus::Message(key) => message(recording, key)?,
        Focus::Queue(name) if is_dlq_topic(&name.topic) => MarkId::DeadLetters(queue(name)?),
        Focus::Queue(name) => MarkId::Queue(queue(name)?),
        Focus::Level(level) => MarkId::DelayLevel { broker: BrokerIndex(0), level: *level },
        Focus::Ledger(name) => MarkId::BrokerLedger(broker(world, name)?),
        Focus::Lock(name) => MarkId::Lock(queue(name)?),
        Focus::Consumer(id) => MarkId::Consumer(process(id)?),
        Focus::Pull(id, name) => MarkId::Pull { process: process(id)?, queue: queue(name)? },
        Focus::Shelf(id, name) => {
            let (process, queue) = (process(id)?, queue(name)?);
            let process_queue = shelf(recording, process, &queue, event)?;
            MarkId::Shelf { process, process_queue }
        }
        Focus::Belief(id, name) => MarkId::Belief { process: process(id)?, queue: queue(name)? },
        Focus::Worker(id, index) => MarkId::Worker { process: process(id)?, index: *index },
        Focus::Waiting(id) => MarkId::ConsumeRequests(process(id)?),
        Focus::Offsets(id) => MarkId::ConsumerLedger(process(id)?),
        Focus::Rebalance(id) => MarkId::Rebalance(process(id)?),
    })
}

/// Of several processes of one id the one that did something last.
fn process(recording: &Recording, id: &str, event: EventSequence) -> Option<ProcessIndex> {
    let world = recording.head().world();
    let mut named = world.clients.iter().map(|client| client.process).collect::<Vec<_>>();
    named.retain(|process| Who::of(world, *process).is(id));
    if let [only] = named[..] {
        return Some(only);
    }
    let events = (0..=event).rev().filter_map(|index| recording.event(index));
    let mut actors = events.filter_map(|event| match event.actor {
        Actor::Machine(Machine::Client(process)) => Some(process),
        _ => None,
    });
    actors.find(|process| named.contains(process))
}

fn broker(world: &World, name: &str) -> Option<BrokerIndex> {
    let is =
        |broker: &crate::sim::broker::Broker| broker_label(&broker.name, broker.broker_id) == name;
    let place = world.brokers.iter().position(is)?;
    Some(BrokerIndex(place as u16))
}

/// Of the first broker that has it.
fn queue(world: &World, name: &QueueName) -> Option<MessageQueue> {
    let mut brokers = world.brokers.iter();
    let broker = brokers.find(|broker| broker.topic_config.contains_key(&name.topic))?;
    Some(MessageQueue::new(name.topic.clone(), broker.name.clone(), name.queue_id))
}

fn message(recording: &Recording, key: &str) -> Option<MarkId> {
    recording.events().iter().find_map(|event| {
        let EventKind::MessageStored { message } = &event.kind else { return None };
        let is_it = message.body.key.as_ref().is_some_and(|of| of.as_str() == key);
        is_it.then_some(MarkId::Message(message.body.unique_key))
    })
}

/// The window that the process had for the queue last.
fn shelf(
    recording: &Recording,
    by: ProcessIndex,
    of: &MessageQueue,
    event: EventSequence,
) -> Option<ProcessQueueId> {
    let is_by = |actor| actor == Actor::Machine(Machine::Client(by));
    let events = (0..=event).rev().filter_map(|index| recording.event(index));
    events.filter(|event| is_by(event.actor)).find_map(|event| {
        let queue = concerns::queue(&event.kind)?;
        match &event.kind {
            EventKind::QueueAssigned { process_queue, .. } if queue == of => Some(*process_queue),
            _ => None,
        }
    })
}
