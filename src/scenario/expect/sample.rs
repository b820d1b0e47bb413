//! What the world looked like at one moment, as far as expectations ask.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::ids::{BrokerName, ClientId, GroupName, ProcessIndex, QueueId, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::topic::is_retry_topic;
use crate::sim::Simulation;
use crate::sim::broker::Broker;
use crate::sim::world::World;

/// `broker-a`, or `broker-a:1` for its slave.
pub fn broker_label(name: &BrokerName, broker_id: u32) -> String {
    match broker_id {
        0 => name.to_string(),
        id => format!("{name}:{id}"),
    }
}

/// A client as expectations name it: its id, and which process of that id it is, from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Who {
    pub client_id: ClientId,
    pub nth: u32,
}

impl Who {
    /// Who a process is.
    pub fn of(world: &World, process: ProcessIndex) -> Who {
        let client_id = world.client(process).client_id.clone();
        let up_to = &world.clients[..=process.0 as usize];
        let nth = up_to.iter().filter(|client| client.client_id == client_id).count();
        Who { client_id, nth: nth as u32 }
    }

    /// Whether `text` means this one: `c1` every process of that id, `c1#2` the second.
    pub fn is(&self, text: &str) -> bool {
        match text.rsplit_once('#') {
            Some((id, nth)) if nth.parse() == Ok(self.nth) => self.client_id.as_str() == id,
            _ => self.client_id.as_str() == text,
        }
    }
}

/// A consumer's place in a topic's queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    pub who: Who,
    pub queue: MessageQueue,
    pub cached: i64,
    /// The topic is one that the consumer subscribes to itself, not its retry topic.
    pub is_users: bool,
}

/// Which subscription the broker has, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscribed {
    pub topic: TopicName,
    pub expression: String,
    pub by: Who,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    pub committed: BTreeMap<(String, GroupName, TopicName, QueueId), i64>,
    pub max_offset: BTreeMap<(String, TopicName, QueueId), i64>,
    /// Read queues of every topic, by broker.
    pub topics: BTreeMap<(String, TopicName), u32>,
    pub held: Vec<Held>,
    /// What broadcasting clients have in their own files.
    pub local: BTreeMap<(ClientId, TopicName, QueueId), i64>,
    pub subscribed: Vec<Subscribed>,
}

impl Sample {
    pub fn of(simulation: &Simulation) -> Sample {
        let world = simulation.world();
        let mut sample = Sample::default();
        for broker in &world.brokers {
            sample.add_broker(broker);
        }
        for index in 0..world.clients.len() {
            sample.add_client(world, ProcessIndex(index as u32));
        }
        sample
    }

    fn add_broker(&mut self, broker: &Broker) {
        let label = broker_label(&broker.name, broker.broker_id);
        for (topic, group, queue_id, offset) in broker.consumer_offset.iter() {
            let key = (label.clone(), group.clone(), topic.clone(), queue_id);
            self.committed.insert(key, offset.0);
        }
        for ((topic, queue_id), queue) in &broker.consume_queues {
            let key = (label.clone(), topic.clone(), *queue_id);
            self.max_offset.insert(key, queue.max_offset().0);
        }
        for (topic, config) in &broker.topic_config {
            self.topics.insert((label.clone(), topic.clone()), config.read_queue_nums);
        }
    }

    fn add_client(&mut self, world: &World, process: ProcessIndex) {
        let client = world.client(process);
        if !client.is_alive() {
            return;
        }
        let who = Who::of(world, process);
        for consumer in client.consumers.values().filter(|consumer| consumer.is_running()) {
            for (queue, id) in &consumer.process_queue_table {
                let window = consumer.shelves.get(id).map(|shelf| &shelf.window);
                if window.is_none_or(|window| window.is_dropped()) {
                    continue;
                }
                let cached = window.map_or(0, |window| window.message_count());
                let is_users = !is_retry_topic(&queue.topic);
                self.held.push(Held { who: who.clone(), queue: queue.clone(), cached, is_users });
            }
            if !consumer.is_clustering() {
                for (queue, offset) in consumer.local_file.iter() {
                    let key = (who.client_id.clone(), queue.topic.clone(), queue.queue_id);
                    self.local.insert(key, offset.0);
                }
            }
            for (topic, own) in &consumer.subscriptions {
                let is_stored = world.brokers.iter().filter(|broker| broker.is_up).any(|broker| {
                    let group = broker.client_manage.groups.get(&consumer.group);
                    let stored = group.and_then(|group| group.subscription_table.get(topic));
                    stored.is_some_and(|stored| {
                        stored.sub_version == own.sub_version && stored.expression == own.expression
                    })
                });
                if is_stored {
                    let expression = own.expression.clone();
                    let topic = topic.clone();
                    self.subscribed.push(Subscribed { topic, expression, by: who.clone() });
                }
            }
        }
    }

    /// The queues of a topic that nobody of `queues` holds.
    pub fn holders(&self, topic: &TopicName, queue: u32) -> BTreeSet<Who> {
        let is_it =
            |held: &&Held| held.queue.topic == *topic && held.queue.queue_id == QueueId(queue);
        self.held.iter().filter(is_it).map(|held| held.who.clone()).collect()
    }
}
