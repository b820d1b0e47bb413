//! Any scenario in the trace's words: the header and the consumers that a trace of it would name.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::act::Act;
use super::starting::{Mode, Starting, short_name};
use super::trace::Header;
use super::words::Scribe;
use crate::model::config::{ConsumeFromWhere, ConsumeMode, ConsumerSpec, MessageModel};
use crate::model::ids::{GroupName, TopicName};
use crate::scenario::Scenario;
use crate::sim::client::ClientInstance;
use crate::sim::command::Command;

/// A scribe for a scenario's run: the first topic and the first group are the trace's own.
pub fn scribe_of(scenario: &Scenario) -> Scribe {
    let specs = scenario.script.iter().filter_map(|(_, command)| match command {
        Command::StartConsumer(spec) => Some(&**spec),
        _ => None,
    });
    let specs = specs.collect::<Vec<_>>();
    let topics = &scenario.setup.topics;
    let broker = scenario.setup.brokers.first();
    let header = Header {
        scenario: scenario.id.clone(),
        run: scenario.setup.seed.to_string(),
        profile: scenario.setup.profile,
        topic: topics.first().map_or_else(|| TopicName::new(""), |it| it.topic.clone()),
        topic2: topics.get(1).map(|it| it.topic.clone()),
        group: specs.first().map_or_else(|| GroupName::new(""), |spec| spec.group.clone()),
        queues: topics.first().map_or(0, |it| it.config.read_queue_nums),
        first_message_in_memory: broker.is_none_or(|it| it.config.first_message_in_memory),
    };
    let startings = specs.into_iter().map(starting_of).collect();
    Scribe::new(header, startings, acts_of(scenario))
}

/// How a consumer of ours would have been started by the recording.
fn starting_of(spec: &ConsumerSpec) -> Starting {
    let (topic, expression) =
        spec.subscriptions.first().cloned().unwrap_or((TopicName::new(""), "*".to_owned()));
    let client = short_name(spec.client_id.as_str());
    let config = &spec.config;
    let mode = match (config.message_model, config.consume_mode) {
        (MessageModel::Broadcasting, _) => Mode::Broadcast,
        (MessageModel::Clustering, ConsumeMode::Orderly) => Mode::Orderly,
        (MessageModel::Clustering, ConsumeMode::Concurrently) => Mode::Concurrent,
    };
    let from = match config.consume_from_where {
        ConsumeFromWhere::FirstOffset => super::starting::From::First,
        ConsumeFromWhere::LastOffset | ConsumeFromWhere::Timestamp(_) => {
            super::starting::From::Last
        }
    };
    Starting {
        mode,
        from,
        expression,
        sleep: spec.listener.pause,
        max_reconsume_times: Some(config.max_reconsume_times).filter(|max| *max >= 0),
        ..Starting::named(client, spec.group.clone(), topic)
    }
}

/// The acts of messages with a key of their own, as far as the recordings have a word for them.
fn acts_of(scenario: &Scenario) -> BTreeMap<Rc<str>, Act> {
    let acts = scenario.script.iter().filter_map(|(_, command)| match command {
        Command::SendMessages(send) if send.count == 1 => {
            let act = send.script.as_deref().and_then(Act::of_script)?;
            Some((Rc::from(send.key.as_ref()?.as_str()), act))
        }
        _ => None,
    });
    acts.collect()
}

/// Whether a process consumes in order: its results have other names then. `None`: it consumes nothing.
pub fn is_orderly(client: &ClientInstance) -> Option<bool> {
    let consumers = client.consumers.values();
    consumers.map(|consumer| consumer.config.consume_mode == ConsumeMode::Orderly).next()
}
