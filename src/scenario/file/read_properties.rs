//! Properties of a configuration, by the tables of `scenario::property`.

use super::fields::Fields;
use super::node::{Node, Value};
use crate::model::allocate::{AllocateStrategy, MachineRoomResolver};
use crate::model::config::{ConsumeFromWhere, ConsumerConfig};
use crate::model::ids::QueueId;
use crate::model::message_queue::MessageQueue;
use crate::scenario::property::{
    Allowed, CONSUMER, Property, REFUSED_OF_CONSUMER, Refused, Setting, one_of,
};

/// Sets every property that the text has, and tells of those that would change nothing.
pub fn apply<C>(
    fields: &mut Fields<'_>,
    table: &'static [Property<C>],
    refused: &[Refused],
    config: &mut C,
) {
    refuse(fields, refused);
    for property in table {
        let Some(node) = fields.node(property.name) else { continue };
        match setting_of(node, &property.allowed) {
            Some(setting) => (property.set)(config, &setting),
            None => {
                let unit = match property.unit {
                    "" => String::new(),
                    unit => format!(" ({unit})"),
                };
                let allowed = format!("{}{unit}", property.allowed.describe());
                fields.refuse(property.name, node, &allowed);
            }
        }
    }
}

/// A problem for each property that the text has although it would change nothing.
pub fn refuse(fields: &mut Fields<'_>, refused: &[Refused]) {
    for (name, why) in refused {
        if let Some(node) = fields.entries().iter().find(|entry| entry.key == *name) {
            let at = node.node.at;
            fields.know(name);
            fields.problem(name, at, &node.node.describe(), &format!("leaving it out: {why}"));
        }
    }
}

/// The value as one that the property takes.
pub fn setting_of(node: &Node, allowed: &Allowed) -> Option<Setting> {
    let setting = match (&node.value, allowed) {
        (Value::Integer(number), _) => Setting::Integer(*number),
        (Value::Flag(flag), _) => Setting::Flag(*flag),
        (Value::Text(text), Allowed::Words(words)) => {
            Setting::Word(words.iter().copied().find(|word| word == text)?)
        }
        _ => return None,
    };
    allowed.contains(&setting).then_some(setting)
}

/// A consumer's properties, with the two that are more than one value.
pub fn apply_consumer(fields: &mut Fields<'_>, config: &mut ConsumerConfig) {
    apply(fields, CONSUMER, REFUSED_OF_CONSUMER, config);
    if let Some(from) = consume_from_where(fields) {
        config.consume_from_where = from;
    }
    if let Some(node) = fields.node("allocateMessageQueueStrategy") {
        match strategy(node, fields) {
            Some(strategy) => config.allocate_strategy = strategy,
            None => fields.refuse(
                "allocateMessageQueueStrategy",
                node,
                &format!("{}, or a table with one of these as its `name`", one_of(STRATEGIES)),
            ),
        }
    }
}

/// The names of RocketMQ's strategies that take nothing, and of those that take something.
const STRATEGIES: &[&str] =
    &["AVG", "AVG_BY_CIRCLE", "CONSISTENT_HASH", "CONFIG", "MACHINE_ROOM", "MACHINE_ROOM_NEARBY"];

fn consume_from_where(fields: &mut Fields<'_>) -> Option<ConsumeFromWhere> {
    const WORDS: &[(&str, u8)] = &[
        ("CONSUME_FROM_LAST_OFFSET", 0),
        ("CONSUME_FROM_FIRST_OFFSET", 1),
        ("CONSUME_FROM_TIMESTAMP", 2),
    ];
    let word = fields.word("consumeFromWhere", WORDS);
    let timestamp = fields.signed_time("consumeTimestamp");
    match (word?, timestamp) {
        (0, _) => Some(ConsumeFromWhere::LastOffset),
        (1, _) => Some(ConsumeFromWhere::FirstOffset),
        (_, Some(timestamp)) => Some(ConsumeFromWhere::Timestamp(timestamp)),
        (_, None) => {
            fields.missing("consumeTimestamp", "a moment of the run, such as \"-30m\" or \"5s\"");
            None
        }
    }
}

fn strategy(node: &Node, fields: &Fields<'_>) -> Option<AllocateStrategy> {
    if let Value::Text(text) = &node.value {
        return match text.as_str() {
            "AVG" => Some(AllocateStrategy::Averagely),
            "AVG_BY_CIRCLE" => Some(AllocateStrategy::AveragelyByCircle),
            "CONSISTENT_HASH" => Some(AllocateStrategy::consistent_hash()),
            _ => None,
        };
    }
    let place = format!("{}, allocateMessageQueueStrategy", fields.place);
    let mut table = Fields::of(node, place, fields.sink);
    let strategy = match table.text("name")? {
        "AVG" => AllocateStrategy::Averagely,
        "AVG_BY_CIRCLE" => AllocateStrategy::AveragelyByCircle,
        "CONSISTENT_HASH" => {
            let virtual_nodes = table.count("virtualNodeCnt", 1..=10_000).unwrap_or(10);
            AllocateStrategy::ConsistentHash { virtual_nodes }
        }
        "CONFIG" => AllocateStrategy::ByConfig(queues(&mut table)?),
        "MACHINE_ROOM" => AllocateStrategy::ByMachineRoom(text_list(&mut table, "consumeridcs")?),
        "MACHINE_ROOM_NEARBY" => {
            let inner = match table.node("inner") {
                Some(inner) => strategy(inner, &table)?,
                None => AllocateStrategy::Averagely,
            };
            let mut resolver = MachineRoomResolver::default();
            separator(&mut table, "brokerSeparator", &mut resolver.broker_separator);
            separator(&mut table, "clientSeparator", &mut resolver.client_separator);
            AllocateStrategy::MachineRoomNearby { inner: Box::new(inner), resolver }
        }
        _ => return None,
    };
    table.close();
    Some(strategy)
}

fn separator(table: &mut Fields<'_>, key: &str, separator: &mut char) {
    let Some(node) = table.node(key) else { return };
    let one = match &node.value {
        Value::Text(text) if text.chars().count() == 1 => text.chars().next(),
        _ => None,
    };
    match one {
        Some(one) => *separator = one,
        None => table.refuse(key, node, "one character in quotes"),
    }
}

/// The queues of CONFIG: `topic/broker/id`.
fn queues(table: &mut Fields<'_>) -> Option<Vec<MessageQueue>> {
    let nodes = table.list("messageQueueList")?;
    let mut queues = Vec::new();
    for node in nodes {
        match queue_of(node) {
            Some(queue) => queues.push(queue),
            None => table.refuse("messageQueueList", node, "queues as \"topic/broker/id\""),
        }
    }
    Some(queues)
}

fn queue_of(node: &Node) -> Option<MessageQueue> {
    let Value::Text(text) = &node.value else { return None };
    let (rest, id) = text.rsplit_once('/')?;
    let (topic, broker) = rest.rsplit_once('/')?;
    Some(MessageQueue::new(topic.into(), broker.into(), QueueId(id.parse().ok()?)))
}

/// A list of texts.
pub fn text_list(fields: &mut Fields<'_>, key: &str) -> Option<Vec<String>> {
    let nodes = fields.list(key)?;
    let mut texts = Vec::new();
    for node in nodes {
        match &node.value {
            Value::Text(text) => texts.push(text.clone()),
            _ => fields.refuse(key, node, "a text in quotes"),
        }
    }
    Some(texts)
}
