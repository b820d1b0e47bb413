//! Who and what is there at a moment, as far as acting on it is concerned.

use std::rc::Rc;

use super::{FaultText, FaultWord, Target};
use crate::model::config::{ConsumerSpec, ProducerSpec};
use crate::model::ids::{BrokerName, ClientId, GroupName, MessageKey, TopicName};
use crate::model::listener::ListenerBehavior;
use crate::model::message_queue::MessageQueue;
use crate::model::order;
use crate::model::time::Millis;
use crate::scene::cast::is_producer;
use crate::scene::scene::Scene;
use crate::sim::Simulation;
use crate::sim::apply::{DEFAULT_PRODUCER, default_producer};
use crate::sim::client::ClientInstance;
use crate::sim::command::{Command, Party};
use crate::sim::packet::Machine;
use crate::text::Language;

/// Links that are listed, at most.
const LINKS: usize = 64;
/// Queues that are listed, at most.
const QUEUES: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientState {
    Running,
    Frozen,
    /// Crashed, stopped or lost; nobody has its name any more.
    Gone,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ClientFact {
    pub client_id: ClientId,
    pub label: Rc<str>,
    pub state: ClientState,
    pub is_paused: bool,
    /// It reads at least one queue.
    pub has_queues: bool,
    pub topics: Vec<TopicName>,
    pub listener: ListenerBehavior,
    /// What can be set, as it is now.
    pub properties: Vec<(&'static str, i64)>,
    /// What it was started with.
    pub spec: Option<Rc<ConsumerSpec>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BrokerFact {
    pub name: BrokerName,
    pub broker_id: u32,
    pub is_up: bool,
    pub is_frozen: bool,
    pub is_writable: bool,
    /// Whether the first message of a queue counts as in memory.
    pub is_first_in_memory: bool,
    /// What can be set, as it is now.
    pub properties: Vec<(&'static str, i64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ProducerFact {
    pub client_id: ClientId,
    pub label: Rc<str>,
    /// Otherwise it was stopped, or has not come yet.
    pub is_up: bool,
    /// What it was, or would be, started with.
    pub spec: Rc<ProducerSpec>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct QueueFact {
    pub queue: MessageQueue,
    pub label: Rc<str>,
    /// Queues of its topic on its broker.
    pub siblings: u32,
    pub min: i64,
    pub max: i64,
    pub committed: i64,
}

/// A target with what it is called.
pub type Named = (Target, Rc<str>);

type Side = (Party, Rc<str>);

/// Everything that can be acted on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Around {
    pub now: Millis,
    pub clients: Vec<ClientFact>,
    pub producers: Vec<ProducerFact>,
    pub brokers: Vec<BrokerFact>,
    pub queues: Vec<QueueFact>,
    pub is_name_server_up: bool,
    pub group: Option<GroupName>,
    pub topics: Vec<TopicName>,
    /// Names that nobody has yet.
    pub new_topic: Option<TopicName>,
    pub new_client: Option<ClientId>,
    pub new_key: Option<MessageKey>,
    /// The message that is looked at.
    pub key: Option<String>,
    /// Messages that carry a script of their own, which comes before a listener's.
    pub scripted: Rc<[Rc<str>]>,
    /// The retry queues of the group.
    pub retry_queues: u32,
}

impl Around {
    /// `started` are the commands by which consumers and producers came, newest last.
    pub fn of<'a>(
        simulation: &Simulation,
        scene: &Scene,
        started: impl Iterator<Item = &'a Command>,
    ) -> Around {
        let world = simulation.world();
        let started: Vec<&Command> = started.collect();
        let specs: Vec<Rc<ConsumerSpec>> = started
            .iter()
            .filter_map(|command| match command {
                Command::StartConsumer(spec) => Some(Rc::new((**spec).clone())),
                _ => None,
            })
            .collect();
        let is_newest = |client: &&ClientInstance| {
            let mut later = world.clients.iter().skip(client.process.0 as usize + 1);
            !later.any(|other| other.client_id == client.client_id)
        };
        let clients = world.clients.iter().filter(is_newest).filter_map(|client| {
            let consumer = client.consumers.values().next()?;
            let is_up = client.is_alive()
                && consumer.state != crate::sim::client::ServiceState::ShutdownAlready;
            let is_frozen = world.frozen.contains_key(&Machine::Client(client.process));
            Some(ClientFact {
                client_id: client.client_id.clone(),
                label: label_of(scene, &client.client_id),
                state: match (is_up, is_frozen) {
                    (false, _) => ClientState::Gone,
                    (true, true) => ClientState::Frozen,
                    (true, false) => ClientState::Running,
                },
                is_paused: consumer.is_paused,
                has_queues: reads(scene, &label_of(scene, &client.client_id)),
                topics: consumer.wanted.iter().map(|(topic, _)| topic.clone()).collect(),
                listener: consumer.listener.clone(),
                properties: consumer.properties(),
                spec: specs.iter().rev().find(|spec| spec.client_id == client.client_id).cloned(),
            })
        });
        let brokers = world.brokers.iter().map(|broker| BrokerFact {
            name: broker.name.clone(),
            broker_id: broker.broker_id,
            is_up: broker.is_up,
            is_frozen: world.frozen.contains_key(&Machine::Broker(broker.index)),
            is_writable: broker.is_writable,
            is_first_in_memory: broker.config.first_message_in_memory,
            properties: broker.properties(),
        });
        let mut topics: Vec<TopicName> =
            world.brokers.iter().flat_map(|broker| broker.topic_config.keys().cloned()).collect();
        topics.retain(crate::scene::cast::is_user_topic);
        order::sort(&mut topics);
        topics.dedup();
        Around {
            now: simulation.now(),
            clients: clients.collect(),
            producers: producers_of(simulation, scene, &started),
            brokers: brokers.collect(),
            queues: queues_of(scene),
            is_name_server_up: world.is_name_server_up,
            group: scene.group.clone(),
            new_topic: new_topic(&topics),
            topics,
            new_client: None,
            new_key: None,
            key: None,
            scripted: Rc::new([]),
            retry_queues: retry_queues(simulation, scene),
        }
    }

    pub fn client(&self, client_id: &ClientId) -> Option<&ClientFact> {
        self.clients.iter().find(|it| it.client_id == *client_id)
    }

    pub fn broker(&self, name: &BrokerName, broker_id: u32) -> Option<&BrokerFact> {
        self.brokers.iter().find(|it| it.name == *name && it.broker_id == broker_id)
    }

    pub fn producer(&self, client_id: &ClientId) -> Option<&ProducerFact> {
        self.producers.iter().find(|it| it.client_id == *client_id)
    }

    pub fn queue(&self, queue: &MessageQueue) -> Option<&QueueFact> {
        self.queues.iter().find(|it| it.queue == *queue)
    }

    /// Everything that can be acted on, under its headings.
    pub fn targets(&self, language: Language) -> Vec<(FaultWord, Vec<Named>)> {
        let say = |text: FaultText| Rc::<str>::from(text.say(language).as_ref());
        // Whoever reads a queue comes first, and whoever is gone last.
        let mut clients: Vec<&ClientFact> = self.clients.iter().collect();
        order::sort_by_key(&mut clients, |it| (it.state == ClientState::Gone, !it.has_queues));
        let clients = clients.into_iter().map(|it| {
            let label = match it.state {
                ClientState::Gone => say(FaultText::Gone { client: it.label.clone() }),
                _ => it.label.clone(),
            };
            (Target::Client(it.client_id.clone()), label)
        });
        let brokers = self.brokers.iter().map(|it| {
            let name: Rc<str> = it.name.as_str().into();
            let label = match it.broker_id {
                0 => name,
                _ => say(FaultText::Slave { broker: name }),
            };
            (Target::Broker(it.name.clone(), it.broker_id), label)
        });
        let queues =
            self.queues.iter().map(|it| (Target::Queue(it.queue.clone()), it.label.clone()));
        let producers = self.producers.iter().map(|it| {
            let label = match it.is_up {
                true => it.label.clone(),
                false => say(FaultText::Gone { client: it.label.clone() }),
            };
            (Target::Producer(it.client_id.clone()), label)
        });
        let group = self.group.iter().map(|group| {
            let group = group.as_str().into();
            (Target::Group, say(FaultText::Group { group }))
        });
        let name_server = FaultWord::NameServer.say(language).into();
        let others = std::iter::once((Target::NameServer, name_server)).chain(group);
        let all = vec![
            (FaultWord::GroupClients, clients.collect()),
            (FaultWord::GroupBrokers, brokers.collect()),
            (FaultWord::GroupQueues, queues.collect()),
            (FaultWord::GroupLinks, self.links(language)),
            (FaultWord::GroupProducers, producers.collect()),
            (FaultWord::GroupOthers, others.collect()),
        ];
        all.into_iter().filter(|(_, targets): &(_, Vec<_>)| !targets.is_empty()).collect()
    }

    fn links(&self, language: Language) -> Vec<Named> {
        let live = self.clients.iter().filter(|it| it.state != ClientState::Gone);
        let clients = live.map(|it| (it.client_id.clone(), it.label.clone()));
        let producers = self.producers.iter().filter(|it| it.is_up);
        let producers = producers.map(|it| (it.client_id.clone(), it.label.clone()));
        let clients: Vec<Side> =
            clients.chain(producers).map(|(id, label)| (Party::Client(id), label)).collect();
        let masters = self.brokers.iter().filter(|it| it.broker_id == 0);
        let brokers: Vec<Side> = masters
            .map(|it| (Party::Broker(it.name.clone()), Rc::from(it.name.as_str())))
            .collect();
        let name_server = [(Party::NameServer, FaultWord::NameServer.say(language).into())];
        let to_brokers = clients.iter().flat_map(|a| brokers.iter().map(move |b| (a, b)));
        let others = brokers.iter().chain(&clients);
        let to_name_server = others.flat_map(|a| name_server.iter().map(move |b| (a, b)));
        let link = |(a, b): (&Side, &Side)| {
            let text = FaultText::Link { a: a.1.clone(), b: b.1.clone() };
            (Target::Link(a.0.clone(), b.0.clone()), text.say(language).as_ref().into())
        };
        to_brokers.chain(to_name_server).map(link).take(LINKS).collect()
    }
}

/// How many retry queues the group has been given; 0 before its first.
fn retry_queues(simulation: &Simulation, scene: &Scene) -> u32 {
    let Some(group) = &scene.group else { return 0 };
    let brokers = simulation.world().brokers.iter();
    let mut configs = brokers.filter_map(|broker| broker.subscription_groups.get(group));
    configs.next().map_or(0, |config| config.retry_queue_nums)
}

/// Producers, of each name the newest; the one that the first send would make is there, too.
fn producers_of(simulation: &Simulation, scene: &Scene, started: &[&Command]) -> Vec<ProducerFact> {
    let world = simulation.world();
    let mut known: Vec<(ClientId, bool)> = Vec::new();
    for client in world.clients.iter().filter(|client| is_producer(client)) {
        known.retain(|(client_id, _)| *client_id != client.client_id);
        known.push((client.client_id.clone(), client.is_alive()));
    }
    if known.is_empty() {
        known.push((DEFAULT_PRODUCER.into(), false));
    }
    let spec_of = |client_id: &ClientId| {
        let named = started.iter().rev().find_map(|command| match command {
            Command::StartProducer(spec) if spec.client_id == *client_id => Some(spec.clone()),
            _ => None,
        });
        named.unwrap_or_else(|| ProducerSpec {
            client_id: client_id.clone(),
            ..default_producer(simulation.engine().profile)
        })
    };
    let fact = |(client_id, is_up): (ClientId, bool)| {
        let drawn = scene.producers.iter().find(|it| it.client_id == client_id);
        ProducerFact {
            label: drawn.map_or_else(|| client_id.as_str().into(), |it| it.label.clone()),
            spec: Rc::new(spec_of(&client_id)),
            client_id,
            is_up,
        }
    };
    known.into_iter().map(fact).collect()
}

/// `topic1`, or the first of its kind that is free.
fn new_topic(topics: &[TopicName]) -> Option<TopicName> {
    let mut names = (1..=1_000).map(|number| TopicName::new(format!("topic{number}")));
    names.find(|name| !topics.contains(name))
}

/// The group's queues at their masters, as they stand.
fn queues_of(scene: &Scene) -> Vec<QueueFact> {
    let masters = scene.brokers.iter().filter(|broker| broker.broker_id == 0);
    let all = masters.flat_map(|broker| {
        let siblings = |topic: &TopicName| {
            broker.queues.iter().filter(|it| it.queue.topic == *topic).count() as u32
        };
        broker.queues.iter().chain(&broker.retry_queues).map(move |it| QueueFact {
            queue: it.queue.clone(),
            label: it.label.clone(),
            siblings: siblings(&it.queue.topic).max(1),
            min: it.min_offset.0,
            max: it.max_offset.0,
            committed: it.committed.map_or(it.min_offset.0, |offset| offset.0),
        })
    });
    all.take(QUEUES).collect()
}

/// Whether a consumer reads any of the queues, by its label.
fn reads(scene: &Scene, label: &str) -> bool {
    let queues = scene.brokers.iter().flat_map(|it| it.queues.iter().chain(&it.retry_queues));
    let mut readers = queues.filter_map(|queue| queue.reader.as_deref());
    readers.any(|reader| reader == label)
}

fn label_of(scene: &Scene, client_id: &ClientId) -> Rc<str> {
    let found = scene.consumers.iter().find(|it| it.client_id == *client_id);
    found.map_or_else(|| client_id.as_str().into(), |it| it.label.clone())
}
