//! From version 1 to the model's types. What has no meaning is an error, and nothing else is.

use std::rc::Rc;

use super::from_command::command;
use super::tags;
use super::types as wire;
use crate::model::allocate::{AllocateStrategy, MachineRoomResolver};
use crate::model::config::{
    ConsumeFromWhere, ConsumerConfig, ConsumerSpec, ProducerConfig, ProducerSpec, SendMode,
};
use crate::model::ids::{BrokerName, ClientId, GroupName, MessageKey, QueueId, Tag, TopicName};
use crate::model::limits;
use crate::model::listener::{
    ListenerBehavior, ListenerResult, ListenerScript, ListenerStep, OnInterrupt,
};
use crate::model::message_queue::MessageQueue;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::scenario::link::{Base, Change, Link, LinkError, Outcome};
use crate::scenario::property::{
    Allowed, BROKER, CONSUMER, GROUP, PRODUCER, Property, Setting, find,
};
use crate::sim::command::{QueueChoice, SendMessages};
use crate::sim::setup::TieBreak;

/// Something in a link that means nothing.
pub fn shape<T>(what: &str) -> Result<T, LinkError> {
    Err(LinkError::Shape { what: what.to_owned() })
}

/// # Errors
/// If there is too much of something, or a number stands for nothing.
pub fn from_wire(link: wire::Link) -> Result<Link, LinkError> {
    at_most("interventions", link.interventions.len(), limits::INTERVENTIONS)?;
    at_most("characters of a title", link.title.chars().count(), limits::TITLE)?;
    let profile = match link.profile {
        wire::Profile::V42 => Profile::V42,
        wire::Profile::V49 => Profile::V49,
        wire::Profile::V53 => Profile::V53,
    };
    let base = match link.base {
        wire::Base::Preset(number) => match tags::PRESETS.get(usize::from(number)) {
            Some(name) => Base::Preset((*name).to_owned()),
            None => return Err(LinkError::UnknownPreset { name: number.to_string() }),
        },
        wire::Base::Named(name) => Base::Preset(name),
        wire::Base::File(text) => Base::File(text),
    };
    let mut at = 0_i64;
    let mut interventions = Vec::new();
    for it in link.interventions {
        at = at.wrapping_add(it.after_ms);
        let Ok(moment) = u64::try_from(at) else {
            return shape("a moment before the beginning");
        };
        interventions.push((Millis::new(moment), command(it.command, profile)?));
    }
    Ok(Link {
        base,
        changes: link.changes.into_iter().map(change).collect::<Result<_, _>>()?,
        profile,
        seed: link.seed,
        interventions,
        title: link.title,
        outcome: Outcome {
            reached: Millis::new(link.reached_ms),
            events: link.events,
            digest: link.digest,
        },
        model_id: link.model_id,
        moment: None,
        selection: None,
        view: Vec::new(),
    })
}

fn at_most(what: &'static str, found: usize, most: usize) -> Result<(), LinkError> {
    if found > most { Err(LinkError::TooMany { what, found, most }) } else { Ok(()) }
}

/// The property and its setting, if the tag is known and the value is allowed.
fn setting<C>(
    table: &'static [Property<C>],
    tags: &[&'static str],
    wire: wire::Property,
) -> Result<(&'static Property<C>, Setting), LinkError> {
    let name = tags.get(usize::from(wire.tag));
    let Some(property) = name.and_then(|name| find(table, name)) else {
        return shape("a property that is not known");
    };
    let value = wire.value;
    let setting = match property.allowed {
        Allowed::Integers { .. } | Allowed::UnsetOr { .. } => Some(Setting::Integer(value)),
        Allowed::Flag => (0..=1).contains(&value).then_some(Setting::Flag(value == 1)),
        Allowed::Words(words) => {
            let place = usize::try_from(value).ok();
            place.and_then(|place| words.get(place)).map(|word| Setting::Word(word))
        }
    };
    match setting.filter(|setting| property.allowed.contains(setting)) {
        Some(setting) => Ok((property, setting)),
        None => shape(&format!("{} cannot be {value}", property.name)),
    }
}

fn set_all<C>(
    table: &'static [Property<C>],
    tags: &[&'static str],
    wire: &[wire::Property],
    config: &mut C,
) -> Result<(), LinkError> {
    for one in wire {
        let (property, setting) = setting(table, tags, *one)?;
        (property.set)(config, &setting);
    }
    Ok(())
}

fn change(change: wire::Change) -> Result<Change, LinkError> {
    Ok(match change {
        wire::Change::Latency(ms) => Change::Latency(Millis::new(ms)),
        wire::Change::StartUp(ms) => Change::StartUp(Millis::new(ms)),
        wire::Change::Shuffled(true) => Change::TieBreak(TieBreak::Shuffled),
        wire::Change::Shuffled(false) => Change::TieBreak(TieBreak::Fifo),
        wire::Change::Queues { topic, queues } => {
            Change::Queues { topic: TopicName::new(topic), queues }
        }
        wire::Change::Consumer { client, property } => {
            let (property, value) = setting(CONSUMER, tags::CONSUMER, property)?;
            let property = property.name.to_owned();
            Change::Consumer { client_id: client.map(ClientId::new), property, value }
        }
        wire::Change::Broker { broker, property } => {
            let (property, value) = setting(BROKER, tags::BROKER, property)?;
            let property = property.name.to_owned();
            Change::Broker { broker_name: broker.map(BrokerName::new), property, value }
        }
        wire::Change::Group { group, property } => {
            let (property, value) = setting(GROUP, tags::GROUP, property)?;
            let property = property.name.to_owned();
            Change::Group { group: GroupName::new(group), property, value }
        }
        wire::Change::Listener { client, listener } => Change::Listener {
            client_id: client.map(ClientId::new),
            listener: self::listener(listener)?,
        },
        wire::Change::Without(number) => Change::Without(number),
    })
}

pub fn listener(listener: wire::Listener) -> Result<ListenerBehavior, LinkError> {
    let mut by_key = Vec::new();
    for (key, steps) in listener.by_key {
        by_key.push((MessageKey::new(key), script(&steps)?));
    }
    Ok(ListenerBehavior {
        pause: Millis::new(listener.pause_ms),
        default_script: script(&listener.script)?,
        by_key,
    })
}

pub fn script(steps: &[wire::Step]) -> Result<ListenerScript, LinkError> {
    let mut all = Vec::new();
    for step in steps {
        at_most("steps of a listener", all.len() + step.times as usize, limits::LISTENER_STEPS)?;
        all.extend(std::iter::repeat_n(self::step(step), step.times as usize));
    }
    let mut all = all.into_iter();
    match all.next() {
        Some(first) => Ok(ListenerScript::new(first, all)),
        None => shape("a listener without a step"),
    }
}

fn step(step: &wire::Step) -> ListenerStep {
    ListenerStep {
        takes: Millis::new(step.takes_ms),
        result: match step.result {
            wire::ListenerResult::Success => ListenerResult::Success,
            wire::ListenerResult::Later => ListenerResult::Later,
            wire::ListenerResult::Throws => ListenerResult::Throws,
            wire::ListenerResult::Null => ListenerResult::Null,
            wire::ListenerResult::Never => ListenerResult::Never,
            wire::ListenerResult::Commit => ListenerResult::Commit,
            wire::ListenerResult::Rollback => ListenerResult::Rollback,
        },
        ack_index: step.ack_index,
        delay_level_when_next_consume: step.delay_level,
        suspend_ms: step.suspend_ms.map(Millis::new),
        on_interrupt: on_interrupt(step.on_interrupt),
    }
}

pub fn on_interrupt(on_interrupt: wire::OnInterrupt) -> OnInterrupt {
    match on_interrupt {
        wire::OnInterrupt::Ignores => OnInterrupt::Ignores,
        wire::OnInterrupt::EndsEarly => OnInterrupt::EndsEarly,
        wire::OnInterrupt::Succeeds => OnInterrupt::Succeeds,
        wire::OnInterrupt::Fails => OnInterrupt::Fails,
    }
}

pub fn consumer(wire: wire::Consumer, profile: Profile) -> Result<ConsumerSpec, LinkError> {
    let mut config = ConsumerConfig::defaults(profile);
    set_all(CONSUMER, tags::CONSUMER, &wire.properties, &mut config)?;
    match wire.from_where {
        None => {}
        Some(wire::FromWhere::LastOffset) => {
            config.consume_from_where = ConsumeFromWhere::LastOffset;
        }
        Some(wire::FromWhere::FirstOffset) => {
            config.consume_from_where = ConsumeFromWhere::FirstOffset;
        }
        Some(wire::FromWhere::Timestamp(at)) => {
            config.consume_from_where = ConsumeFromWhere::Timestamp(at);
        }
    }
    if let Some(innermost) = wire.strategy {
        at_most("strategies within each other", wire.nearby.len(), MOST_NEARBY)?;
        let mut strategy = self::strategy(innermost);
        for (broker_separator, client_separator) in wire.nearby.into_iter().rev() {
            let resolver = MachineRoomResolver { broker_separator, client_separator };
            strategy = AllocateStrategy::MachineRoomNearby { inner: Box::new(strategy), resolver };
        }
        config.allocate_strategy = strategy;
    }
    let subscriptions = wire.subscriptions.into_iter();
    Ok(ConsumerSpec {
        client_id: ClientId::new(wire.client),
        group: GroupName::new(wire.group),
        process: wire.process,
        subscriptions: subscriptions.map(|(topic, it)| (TopicName::new(topic), it)).collect(),
        config,
        listener: wire.listener.map(listener).transpose()?.unwrap_or_default(),
    })
}

/// One makes sense; a few do no harm.
const MOST_NEARBY: usize = 8;

fn strategy(strategy: wire::Strategy) -> AllocateStrategy {
    match strategy {
        wire::Strategy::Averagely => AllocateStrategy::Averagely,
        wire::Strategy::AveragelyByCircle => AllocateStrategy::AveragelyByCircle,
        wire::Strategy::ByConfig(queues) => {
            let queues = queues.into_iter().map(|(topic, broker, id)| {
                MessageQueue::new(TopicName::new(topic), BrokerName::new(broker), QueueId(id))
            });
            AllocateStrategy::ByConfig(queues.collect())
        }
        wire::Strategy::ByMachineRoom(rooms) => AllocateStrategy::ByMachineRoom(rooms),
        wire::Strategy::ConsistentHash(virtual_nodes) => {
            let virtual_nodes = virtual_nodes.min(MOST_VIRTUAL_NODES);
            AllocateStrategy::ConsistentHash { virtual_nodes }
        }
    }
}

/// As in a file.
const MOST_VIRTUAL_NODES: u32 = 10_000;

pub fn producer(wire: wire::Producer, profile: Profile) -> Result<ProducerSpec, LinkError> {
    let mut config = ProducerConfig::defaults(profile);
    set_all(PRODUCER, tags::PRODUCER, &wire.properties, &mut config)?;
    Ok(ProducerSpec {
        client_id: ClientId::new(wire.client),
        group: GroupName::new(wire.group),
        config,
    })
}

pub fn send(wire: wire::Send) -> Result<SendMessages, LinkError> {
    let most = u32::try_from(limits::BODY_BYTES).unwrap_or(u32::MAX);
    if wire.count == 0 || u64::from(wire.count) > limits::MESSAGES || wire.body_bytes > most {
        return shape("a send of no message, of too many, or of too long ones");
    }
    Ok(SendMessages {
        producer: wire.producer.map(ClientId::new),
        topic: TopicName::new(wire.topic),
        count: wire.count,
        every: Millis::new(wire.every_ms),
        key: wire.key.map(MessageKey::new),
        tag: wire.tag.map(Tag::new),
        queue: match wire.queue {
            wire::Queue::RoundRobin => QueueChoice::RoundRobin,
            wire::Queue::Fixed { broker, queue } => QueueChoice::Fixed {
                broker_name: broker.map(BrokerName::new),
                queue_id: QueueId(queue),
            },
            wire::Queue::HashOf(text) => QueueChoice::HashOf(text),
        },
        delay_level: wire.delay_level,
        body_bytes: wire.body_bytes,
        mode: match wire.mode {
            wire::SendMode::Sync => SendMode::Sync,
            wire::SendMode::Async => SendMode::Async,
            wire::SendMode::Oneway => SendMode::Oneway,
        },
        script: wire.script.map(|steps| script(&steps)).transpose()?.map(Rc::new),
    })
}
