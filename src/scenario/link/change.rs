//! What a visitor changed on a preset before the run began: only what differs.

use crate::model::ids::{BrokerName, ClientId, GroupName, TopicName};
use crate::model::listener::ListenerBehavior;
use crate::model::time::Millis;
use crate::scenario::property::{self, BROKER, CONSUMER, GROUP, Property, Setting};
use crate::scenario::scenario::Scenario;
use crate::sim::command::Command;
use crate::sim::setup::TieBreak;

/// One change of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Latency(Millis),
    StartUp(Millis),
    TieBreak(TieBreak),
    /// Read and write queues of a topic, on every broker that has it.
    Queues {
        topic: TopicName,
        queues: u32,
    },
    /// A property of one consumer, or of all.
    Consumer {
        client_id: Option<ClientId>,
        property: String,
        value: Setting,
    },
    /// A property of one broker with its slaves, or of all.
    Broker {
        broker_name: Option<BrokerName>,
        property: String,
        value: Setting,
    },
    Group {
        group: GroupName,
        property: String,
        value: Setting,
    },
    /// The code of one consumer, or of all.
    Listener {
        client_id: Option<ClientId>,
        listener: ListenerBehavior,
    },
    /// The script's command of that number, from 0 in the base's own script, is left out.
    Without(u32),
}

/// Carries changes out on their base. What they name and the base does not have is left alone: the
/// base may have changed since.
pub fn apply(changes: &[Change], scenario: &mut Scenario) {
    for change in changes {
        match change {
            Change::Latency(latency) => scenario.setup.latency = *latency,
            Change::StartUp(start_up) => scenario.setup.start_up = *start_up,
            Change::TieBreak(tie_break) => scenario.setup.tie_break = *tie_break,
            Change::Queues { topic, queues } => {
                for it in scenario.setup.topics.iter_mut().filter(|it| it.topic == *topic) {
                    it.config.read_queue_nums = *queues;
                    it.config.write_queue_nums = *queues;
                }
            }
            Change::Consumer { client_id, property, value } => {
                for spec in consumers(scenario, client_id.as_ref()) {
                    set(CONSUMER, property, &mut spec.config, value);
                }
            }
            Change::Broker { broker_name, property, value } => {
                for broker in &mut scenario.setup.brokers {
                    if broker_name.as_ref().is_none_or(|name| *name == broker.name) {
                        set(BROKER, property, &mut broker.config, value);
                    }
                }
            }
            Change::Group { group, property, value } => {
                for it in scenario.setup.groups.iter_mut().filter(|it| it.group == *group) {
                    set(GROUP, property, &mut it.config, value);
                }
            }
            Change::Listener { client_id, listener } => {
                for spec in consumers(scenario, client_id.as_ref()) {
                    spec.listener = listener.clone();
                }
            }
            Change::Without(_) => {}
        }
    }
    let is_left_out = |number: usize| {
        changes.iter().any(|change| matches!(change, Change::Without(it) if *it as usize == number))
    };
    let mut number = 0;
    scenario.script.retain(|_| {
        number += 1;
        !is_left_out(number - 1)
    });
}

fn set<C>(table: &'static [Property<C>], name: &str, config: &mut C, value: &Setting) {
    if let Some(property) = property::find(table, name)
        && property.allowed.contains(value)
    {
        (property.set)(config, value);
    }
}

fn consumers<'a>(
    scenario: &'a mut Scenario,
    client_id: Option<&'a ClientId>,
) -> impl Iterator<Item = &'a mut crate::model::config::ConsumerSpec> {
    scenario.script.iter_mut().filter_map(move |(_, command)| match command {
        Command::StartConsumer(spec) if client_id.is_none_or(|id| *id == spec.client_id) => {
            Some(&mut **spec)
        }
        _ => None,
    })
}
