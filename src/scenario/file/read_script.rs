//! The script: consumers and producers that start, messages that are sent, and everything else that
//! is done to the cluster, in the order of the text.

use std::rc::Rc;

use super::fields::Fields;
use super::node::{Node, Value};
use super::read_command;
use super::read_listener::{listener, script};
use super::read_properties::{apply, apply_consumer};
use crate::model::config::{ConsumerConfig, ConsumerSpec, ProducerConfig, ProducerSpec, SendMode};
use crate::model::ids::{BrokerName, ClientId, GroupName, MessageKey, QueueId, Tag, TopicName};
use crate::model::limits;
use crate::model::order;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::scenario::property::{PRODUCER, REFUSED_OF_PRODUCER};
use crate::sim::command::{Command, QueueChoice, SendMessages};

pub const MODES: &[(&str, SendMode)] =
    &[("sync", SendMode::Sync), ("async", SendMode::Async), ("oneway", SendMode::Oneway)];

/// The word for round robin where a queue may be named.
pub const ROUND_ROBIN: &str = "rr";

/// What one entry of the script says, and where: the checks need both.
pub struct Line<'a> {
    pub node: &'a Node,
    /// `consumer 2`.
    pub place: String,
    pub at: Millis,
    pub command: Command,
}

/// The kinds of entries.
pub const KINDS: [&str; 4] = ["producer", "consumer", "send", "do"];

/// Reads the script in the order of the text.
pub fn lines<'a>(fields: &mut Fields<'a>, profile: Profile) -> Vec<Line<'a>> {
    let sink = fields.sink;
    let mut entries = Vec::new();
    for kind in KINDS {
        let tables = fields.tables(kind).iter().enumerate();
        entries.extend(tables.map(|(index, node)| (node, kind, format!("{kind} {}", index + 1))));
    }
    order::sort_by_key(&mut entries, |(node, ..)| node.at);
    let mut lines = Vec::new();
    for (node, kind, place) in entries {
        let mut fields = Fields::of(node, place.clone(), sink);
        fields.node("name");
        let at = match kind {
            "send" | "do" => fields.required_time("at"),
            _ => fields.time("at").unwrap_or_default(),
        };
        let command = match kind {
            "producer" => Some(Command::StartProducer(producer(&mut fields, profile))),
            "consumer" => Some(Command::StartConsumer(Box::new(consumer(&mut fields, profile)))),
            "send" => Some(Command::SendMessages(send(&mut fields))),
            _ => read_command::command(&mut fields),
        };
        // Without a command its fields are not known.
        if let Some(command) = command {
            fields.close();
            lines.push(Line { node, place, at, command });
        }
    }
    lines
}

fn producer(fields: &mut Fields<'_>, profile: Profile) -> ProducerSpec {
    let client_id = ClientId::new(fields.required_text("client", "the producer's client id"));
    let group = GroupName::new(fields.text("group").unwrap_or("producer-group"));
    let mut config = ProducerConfig::defaults(profile);
    apply(fields, PRODUCER, REFUSED_OF_PRODUCER, &mut config);
    ProducerSpec { client_id, group, config }
}

fn consumer(fields: &mut Fields<'_>, profile: Profile) -> ConsumerSpec {
    let client_id = ClientId::new(fields.required_text("client", "the consumer's client id"));
    let group = GroupName::new(fields.required_text("group", "the consumer's group"));
    let process = fields.text("process").map(str::to_owned);
    let subscriptions = subscriptions(fields);
    let mut config = ConsumerConfig::defaults(profile);
    apply_consumer(fields, &mut config);
    let listener = listener(fields);
    ConsumerSpec { client_id, group, process, subscriptions, config, listener }
}

/// `subscribe = { topic = "tag expression" }`.
fn subscriptions(fields: &mut Fields<'_>) -> Vec<(TopicName, String)> {
    const ALLOWED: &str = "a table from topics to tag expressions, such as { orders = \"*\" }";
    let Some(node) = fields.node("subscribe") else {
        fields.missing("subscribe", ALLOWED);
        return Vec::new();
    };
    if !matches!(node.value, Value::Table(_)) {
        fields.refuse("subscribe", node, ALLOWED);
    }
    let mut subscriptions = Vec::new();
    for entry in node.entries() {
        match &entry.node.value {
            Value::Text(text) => subscriptions.push((TopicName::new(&entry.key), text.clone())),
            _ => fields.refuse("subscribe", &entry.node, "a tag expression in quotes"),
        }
    }
    subscriptions
}

fn send(fields: &mut Fields<'_>) -> SendMessages {
    let topic = TopicName::new(fields.required_text("topic", "the topic to send to"));
    let most = u32::try_from(limits::MESSAGES).unwrap_or(u32::MAX);
    let body_most = u32::try_from(limits::BODY_BYTES).unwrap_or(u32::MAX);
    let mut send = SendMessages::one(topic);
    send.producer = fields.text("producer").map(ClientId::new);
    send.count = fields.count("count", 1..=most).unwrap_or(1);
    send.every = fields.time("every").unwrap_or_default();
    send.key = fields.text("key").map(MessageKey::new);
    send.tag = fields.text("tag").map(Tag::new);
    send.queue = queue_choice(fields);
    send.delay_level = fields.count("delayLevel", 0..=64).unwrap_or(0) as i32;
    send.body_bytes = fields.count("bodyBytes", 0..=body_most).unwrap_or(send.body_bytes);
    send.mode = fields.word("mode", MODES).unwrap_or_default();
    if let Some(node) = fields.node("listener") {
        send.script = script(fields, "listener", node).map(Rc::new);
    }
    send
}

/// `queue = 3`, `queue = "rr"` or `queue = { hash = "text" }`.
fn queue_choice(fields: &mut Fields<'_>) -> QueueChoice {
    let broker_name = fields.text("broker").map(BrokerName::new);
    let Some(node) = fields.node("queue") else {
        if let Some(broker) = &broker_name {
            fields.problem(
                "broker",
                fields.at,
                &format!("{:?} without a queue", broker.as_str()),
                "a broker together with a queue's number",
            );
        }
        return QueueChoice::RoundRobin;
    };
    match &node.value {
        Value::Integer(id @ 0..=1_023) => {
            QueueChoice::Fixed { broker_name, queue_id: QueueId(*id as u32) }
        }
        Value::Text(word) if word == ROUND_ROBIN => QueueChoice::RoundRobin,
        Value::Table(_) => {
            let mut table = Fields::of(node, format!("{}, queue", fields.place), fields.sink);
            let text = table.required_text("hash", "the text whose hash picks the queue");
            let choice = QueueChoice::HashOf(text.to_owned());
            table.close();
            choice
        }
        _ => {
            let allowed = "a queue's number, \"rr\" for round robin, or { hash = \"text\" }";
            fields.refuse("queue", node, allowed);
            QueueChoice::RoundRobin
        }
    }
}
