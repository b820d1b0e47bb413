//! `Cast`: what people call machines, queues and messages on the stage: `c1`, `q0`, `r0`.
//!
//! A process that joins later never changes the name of an earlier one.

use std::collections::BTreeMap;

use super::card::Label;
use crate::model::delay_level::DelayLevel;
use crate::model::ids::{BrokerIndex, BrokerName, GroupName, ProcessIndex, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::order;
use crate::model::topic::{
    AUTO_CREATE_TOPIC_KEY, DLQ_PREFIX, RETRY_PREFIX, SCHEDULE_TOPIC, is_dlq_topic, is_retry_topic,
};
use crate::sim::client::ClientInstance;
use crate::sim::client::producer::INNER_PRODUCER;
use crate::sim::packet::Machine;
use crate::sim::world::World;

/// A client id of at most so many letters is its own label.
pub const SHORT_ID: usize = 5;

/// The parts that machines play, with their labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cast {
    processes: Vec<Label>,
    brokers: Vec<Label>,
    /// Short names of the brokers, if there are several.
    broker_marks: BTreeMap<BrokerName, String>,
    /// Short names of the people's topics, if there are several.
    topic_marks: BTreeMap<TopicName, String>,
    /// Short names of the groups, if there are several.
    group_marks: BTreeMap<GroupName, String>,
}

/// A topic that a person made: not RocketMQ's own, and made of no group's name.
pub fn is_user_topic(topic: &TopicName) -> bool {
    let name = topic.as_str();
    name != SCHEDULE_TOPIC
        && name != AUTO_CREATE_TOPIC_KEY
        && !is_retry_topic(topic)
        && !is_dlq_topic(topic)
}

/// A process with a producer that a person uses.
pub fn is_producer(client: &ClientInstance) -> bool {
    client.consumers.is_empty()
        && (client.producers.keys().any(|group| group.as_str() != INNER_PRODUCER)
            || client.producers.is_empty())
}

impl Cast {
    pub fn of(world: &World) -> Cast {
        let names = distinct(world.brokers.iter().map(|broker| &broker.name));
        let topics = distinct(
            world
                .brokers
                .iter()
                .flat_map(|broker| broker.topic_config.keys())
                .filter(|topic| is_user_topic(topic)),
        );
        let groups = distinct(world.clients.iter().flat_map(|client| client.consumers.keys()));
        Cast {
            processes: processes(world),
            brokers: world.brokers.iter().map(broker_label).collect(),
            broker_marks: marks(&names, BrokerName::as_str),
            topic_marks: marks(&topics, TopicName::as_str),
            group_marks: marks(&groups, GroupName::as_str),
        }
    }

    pub fn process(&self, process: ProcessIndex) -> Label {
        let known = self.processes.get(process.0 as usize).cloned();
        known.unwrap_or_else(|| Label::from("p1"))
    }

    pub fn broker(&self, broker: BrokerIndex) -> Label {
        let known = self.brokers.get(broker.0 as usize).cloned();
        known.unwrap_or_else(|| Label::from("broker"))
    }

    pub fn machine(&self, machine: Machine) -> Label {
        match machine {
            Machine::NameServer(_) => Label::from("NameServer"),
            Machine::Broker(broker) => self.broker(broker),
            Machine::Client(process) => self.process(process),
        }
    }

    /// `q0`, `r0` of the retry topic, `d0` of the dead letters, `L4` of the schedule topic; with the
    /// broker's or the topic's mark before it where there are several.
    pub fn queue(&self, queue: &MessageQueue) -> Label {
        let id = queue.queue_id;
        if queue.topic.as_str() == SCHEDULE_TOPIC {
            return format!("L{}", DelayLevel::from_queue_id(id).number()).into();
        }
        let topic = queue.topic.as_str();
        let (letter, mark) = if let Some(group) = topic.strip_prefix(RETRY_PREFIX) {
            ('r', self.group_mark(group))
        } else if let Some(group) = topic.strip_prefix(DLQ_PREFIX) {
            ('d', self.group_mark(group))
        } else {
            ('q', self.topic_marks.get(&queue.topic))
        };
        let mut label = String::new();
        for mark in [self.broker_marks.get(&queue.broker_name), mark].into_iter().flatten() {
            label.push_str(mark);
            label.push('·');
        }
        label.push(letter);
        label.push_str(&id.to_string());
        label.into()
    }

    fn group_mark(&self, group: &str) -> Option<&String> {
        if self.group_marks.is_empty() { None } else { self.group_marks.get(&group.into()) }
    }
}

fn distinct<'a, T: Ord + 'a>(all: impl Iterator<Item = &'a T>) -> Vec<&'a T> {
    let mut all: Vec<&T> = all.collect();
    order::sort(&mut all);
    all.dedup();
    all
}

/// A short name for each of several; nothing for a single one.
fn marks<T: Ord + Clone>(all: &[&T], name: impl Fn(&T) -> &str) -> BTreeMap<T, String> {
    if all.len() < 2 {
        return BTreeMap::new();
    }
    let first = name(all[0]);
    let shared =
        |other: &&T| first.chars().zip(name(other).chars()).take_while(|(a, b)| a == b).count();
    let common = all.iter().map(shared).min().unwrap_or(0);
    let short = |it: &T| -> String {
        let rest: String = name(it).chars().skip(common).take(4).collect();
        if rest.is_empty() { name(it).chars().take(4).collect() } else { rest }
    };
    all.iter().map(|it| ((*it).clone(), short(it))).collect()
}

/// `c1`, `p1`: a short client id as it is, else a letter and a number in the order of joining. A
/// process with the client id of an earlier one has a prime.
fn processes(world: &World) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::with_capacity(world.clients.len());
    let (mut consumers, mut producers) = (0_u32, 0_u32);
    for (index, client) in world.clients.iter().enumerate() {
        let earlier = world.clients[..index].iter().zip(&labels);
        let same = earlier.filter(|(other, _)| other.client_id == client.client_id);
        let (times, first) = same.fold((0, None), |(times, first), (_, label)| {
            (times + 1, first.or_else(|| Some(label.clone())))
        });
        let label = match (times, first) {
            (1, Some(first)) => format!("{first}′").into(),
            (2, Some(first)) => format!("{first}″").into(),
            (times, Some(first)) => format!("{first}.{}", times + 1).into(),
            (_, None) => {
                let (letter, count) = match is_producer(client) {
                    true => ('p', &mut producers),
                    false => ('c', &mut consumers),
                };
                *count += 1;
                match client.client_id.as_str() {
                    id if id.chars().count() <= SHORT_ID => id.into(),
                    _ => format!("{letter}{count}").into(),
                }
            }
        };
        labels.push(label);
    }
    labels
}

fn broker_label(broker: &crate::sim::broker::Broker) -> Label {
    match broker.broker_id {
        0 => broker.name.as_str().into(),
        id => format!("{}/{id}", broker.name).into(),
    }
}
