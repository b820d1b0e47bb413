//! `[[do]]`: everything that is done to the cluster besides starting and sending.

use super::fields::Fields;
use super::node::{Node, Value};
use super::read_listener::{ON_INTERRUPT, listener};
use super::read_properties::refuse;
use super::read_setup::permission;
use crate::model::config::SubscriptionGroupConfig;
use crate::model::ids::{BrokerName, ClientId, GroupName, QueueId, TopicName};
use crate::model::offset::QueueOffset;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::model::topic::Permission;
use crate::scenario::property::{REFUSED_OF_GROUP, one_of};
use crate::sim::command::{BrokerStop, Command, Party};
use crate::sim::packet::RequestCode;

/// The commands by their names.
pub const COMMANDS: &[&str] = &[
    "StopProducer",
    "StopConsumer",
    "CrashConsumer",
    "LoseHost",
    "FreezeClient",
    "ResumeClient",
    "Subscribe",
    "Unsubscribe",
    "SetListener",
    "SetOnInterrupt",
    "PausePulling",
    "ResumePulling",
    "SetConsumerProperty",
    "SkewClock",
    "SkipHeartbeat",
    "HalfOpenReconnect",
    "CreateTopic",
    "UpdateTopic",
    "UpdateGroup",
    "StopBroker",
    "StartBroker",
    "FreezeBroker",
    "ResumeBroker",
    "SetBrokerWritable",
    "SlowStore",
    "ExpireHead",
    "SetFirstMessageInMemory",
    "SetBrokerProperty",
    "StopNameServer",
    "StartNameServer",
    "Partition",
    "Heal",
    "SetLatency",
    "DropNext",
    "DuplicateNext",
    "ReorderNext",
    "ResetOffset",
    "SetOffset",
];

/// The name server as a party of the network.
pub const NAME_SERVER: &str = "name-server";

/// The command of a `[[do]]`; `None`, with a problem, if it is not known.
pub fn command(fields: &mut Fields<'_>) -> Option<Command> {
    let Some(node) = fields.node("command") else {
        fields.missing("command", &one_of(COMMANDS));
        return None;
    };
    let name = fields.text("command")?;
    let command = on_client(name, fields)
        .or_else(|| on_broker(name, fields))
        .or_else(|| on_network(name, fields))
        .or_else(|| by_operator(name, fields));
    if command.is_none() && !COMMANDS.contains(&name) {
        let known = COMMANDS.iter().copied();
        let allowed = match crate::scenario::problem::nearest(name, known) {
            Some(meant) => format!("a command that is known; did you mean {meant:?}?"),
            None => one_of(COMMANDS),
        };
        fields.refuse("command", node, &allowed);
    }
    command
}

fn client(fields: &mut Fields<'_>) -> ClientId {
    ClientId::new(fields.required_text("client", "a client id"))
}

fn group(fields: &mut Fields<'_>) -> GroupName {
    GroupName::new(fields.required_text("group", "a group's name"))
}

fn topic(fields: &mut Fields<'_>) -> TopicName {
    TopicName::new(fields.required_text("topic", "a topic's name"))
}

fn broker(fields: &mut Fields<'_>) -> BrokerName {
    BrokerName::new(fields.required_text("broker", "a broker's name"))
}

fn queue(fields: &mut Fields<'_>) -> QueueId {
    if fields.node("queue").is_none() {
        fields.missing("queue", "a queue's number");
    }
    QueueId(fields.count("queue", 0..=1_023).unwrap_or(0))
}

fn required_integer(fields: &mut Fields<'_>, key: &str) -> i64 {
    let range = 0..=1_000_000_000_000;
    if fields.node(key).is_none() {
        fields.missing(key, "a whole number from 0 to 1000000000000");
    }
    fields.integer(key, range).unwrap_or(0)
}

fn required_flag(fields: &mut Fields<'_>, key: &str) -> bool {
    if fields.node(key).is_none() {
        fields.missing(key, "true or false");
    }
    fields.flag(key).unwrap_or(false)
}

fn on_client(name: &str, fields: &mut Fields<'_>) -> Option<Command> {
    let command = match name {
        "StopProducer" => Command::StopProducer { client_id: client(fields) },
        "StopConsumer" => Command::StopConsumer {
            client_id: client(fields),
            group: fields.text("group").map(GroupName::new),
        },
        "CrashConsumer" => Command::CrashConsumer { client_id: client(fields) },
        "LoseHost" => Command::LoseHost { client_id: client(fields) },
        "FreezeClient" => {
            Command::FreezeClient { client_id: client(fields), duration: fields.time("duration") }
        }
        "ResumeClient" => Command::ResumeClient { client_id: client(fields) },
        "Subscribe" => Command::Subscribe {
            client_id: client(fields),
            group: group(fields),
            topic: topic(fields),
            expression: fields.text("expression").unwrap_or("*").to_owned(),
        },
        "Unsubscribe" => Command::Unsubscribe {
            client_id: client(fields),
            group: group(fields),
            topic: topic(fields),
        },
        "SetListener" => {
            if fields.node("listener").is_none() {
                fields.missing("listener", "a listener");
            }
            Command::SetListener {
                client_id: client(fields),
                group: fields.text("group").map(GroupName::new),
                listener: Box::new(listener(fields)),
            }
        }
        "SetOnInterrupt" => {
            if fields.node("onInterrupt").is_none() {
                fields.missing("onInterrupt", "what an interrupt does");
            }
            Command::SetOnInterrupt {
                client_id: client(fields),
                on_interrupt: fields.word("onInterrupt", ON_INTERRUPT).unwrap_or_default(),
            }
        }
        "PausePulling" => Command::PausePulling { client_id: client(fields) },
        "ResumePulling" => Command::ResumePulling { client_id: client(fields) },
        "SetConsumerProperty" => Command::SetConsumerProperty {
            client_id: client(fields),
            name: fields.required_text("property", "RocketMQ's name of a property").to_owned(),
            value: required_integer(fields, "value"),
        },
        "SkewClock" => Command::SkewClock {
            client_id: client(fields),
            by_ms: {
                if fields.node("by").is_none() {
                    fields.missing("by", "a time, such as \"5s\" or \"-5s\"");
                }
                fields.signed_time("by").unwrap_or(0)
            },
        },
        "SkipHeartbeat" => Command::SkipHeartbeat { client_id: client(fields) },
        "HalfOpenReconnect" => Command::HalfOpenReconnect { client_id: client(fields) },
        _ => return None,
    };
    Some(command)
}

fn on_broker(name: &str, fields: &mut Fields<'_>) -> Option<Command> {
    let command = match name {
        "StopBroker" => {
            let broker_name = broker(fields);
            let broker_id = fields.count("brokerId", 0..=64).unwrap_or(0);
            const HOW: &[(&str, bool)] = &[("graceful", false), ("kill", true)];
            let lost_tail = fields.count("lostTail", 0..=1_000_000);
            let how = match fields.word("how", HOW).unwrap_or(false) {
                true => BrokerStop::Kill { lost_tail: lost_tail.unwrap_or(0) },
                false => BrokerStop::Graceful,
            };
            Command::StopBroker { broker_name, broker_id, how }
        }
        "StartBroker" => Command::StartBroker {
            broker_name: broker(fields),
            broker_id: fields.count("brokerId", 0..=64).unwrap_or(0),
        },
        "FreezeBroker" => {
            Command::FreezeBroker { broker_name: broker(fields), duration: fields.time("duration") }
        }
        "ResumeBroker" => Command::ResumeBroker { broker_name: broker(fields) },
        "SetBrokerWritable" => Command::SetBrokerWritable {
            broker_name: broker(fields),
            writable: required_flag(fields, "writable"),
        },
        "SlowStore" => {
            Command::SlowStore { broker_name: broker(fields), by: fields.required_time("by") }
        }
        "ExpireHead" => Command::ExpireHead {
            broker_name: broker(fields),
            topic: topic(fields),
            queue_id: queue(fields),
            min_offset: QueueOffset(required_integer(fields, "minOffset")),
        },
        "SetFirstMessageInMemory" => Command::SetFirstMessageInMemory {
            broker_name: broker(fields),
            in_memory: required_flag(fields, "inMemory"),
        },
        "SetBrokerProperty" => Command::SetBrokerProperty {
            broker_name: broker(fields),
            name: fields.required_text("property", "RocketMQ's name of a property").to_owned(),
            value: required_integer(fields, "value"),
        },
        _ => return None,
    };
    Some(command)
}

fn on_network(name: &str, fields: &mut Fields<'_>) -> Option<Command> {
    let command = match name {
        "StopNameServer" => Command::StopNameServer,
        "StartNameServer" => Command::StartNameServer,
        "Partition" => Command::Partition {
            a: party(fields, "a"),
            b: party(fields, "b"),
            one_way: fields.flag("oneWay").unwrap_or(false),
        },
        "Heal" => Command::Heal { a: party(fields, "a"), b: party(fields, "b") },
        "SetLatency" => {
            let from = fields.required_time("from");
            let to = fields.time("to").unwrap_or(from);
            Command::SetLatency { a: party(fields, "a"), b: party(fields, "b"), from, to }
        }
        "DropNext" => Command::DropNext {
            from: party(fields, "from"),
            to: party(fields, "to"),
            code: request_code(fields)?,
            count: fields.count("count", 1..=1_000_000).unwrap_or(1),
            only_response: fields.flag("onlyResponse").unwrap_or(false),
        },
        "DuplicateNext" => {
            let later = fields.time("later").unwrap_or(Millis(10));
            Command::DuplicateNext {
                from: party(fields, "from"),
                to: party(fields, "to"),
                code: optional_request_code(fields),
                count: fields.count("count", 1..=1_000_000).unwrap_or(1),
                only_response: fields.flag("onlyResponse").unwrap_or(false),
                later,
                later_at_most: fields.time("laterAtMost").unwrap_or(later),
            }
        }
        "ReorderNext" => Command::ReorderNext {
            from: party(fields, "from"),
            to: party(fields, "to"),
            code: optional_request_code(fields),
            count: fields.count("count", 1..=1_000_000).unwrap_or(1),
            only_response: fields.flag("onlyResponse").unwrap_or(false),
            at_most: fields.time("atMost").unwrap_or(Millis(1_000)),
        },
        _ => return None,
    };
    Some(command)
}

fn by_operator(name: &str, fields: &mut Fields<'_>) -> Option<Command> {
    let command = match name {
        "CreateTopic" => Command::CreateTopic {
            topic: topic(fields),
            broker_name: fields.text("broker").map(BrokerName::new),
            queue_nums: fields.count("queues", 1..=1_024).unwrap_or(4),
        },
        "UpdateTopic" => Command::UpdateTopic {
            topic: topic(fields),
            broker_name: fields.text("broker").map(BrokerName::new),
            read_queue_nums: fields.count("readQueueNums", 0..=1_024).unwrap_or(4),
            write_queue_nums: fields.count("writeQueueNums", 0..=1_024).unwrap_or(4),
            permission: permission(fields).unwrap_or(Permission::READ_WRITE),
        },
        "UpdateGroup" => {
            refuse(fields, REFUSED_OF_GROUP);
            Command::UpdateGroup {
                group: group(fields),
                retry_queue_nums: fields.count("retryQueueNums", 0..=1_024).unwrap_or(1),
                retry_max_times: SubscriptionGroupConfig::default().retry_max_times,
            }
        }
        "ResetOffset" => Command::ResetOffset {
            group: group(fields),
            topic: topic(fields),
            timestamp: fields.signed_time("timestamp").unwrap_or(0),
            force: fields.flag("force").unwrap_or(true),
        },
        "SetOffset" => Command::SetOffset {
            group: group(fields),
            topic: topic(fields),
            broker_name: fields.text("broker").map(BrokerName::new),
            queue_id: queue(fields),
            offset: QueueOffset(required_integer(fields, "offset")),
        },
        _ => return None,
    };
    Some(command)
}

const PARTY: &str = "\"name-server\", \"broker NAME\" or \"client ID\"";

fn party(fields: &mut Fields<'_>, key: &str) -> Party {
    let Some(node) = fields.node(key) else {
        fields.missing(key, PARTY);
        return Party::NameServer;
    };
    party_of(node).unwrap_or_else(|| {
        fields.refuse(key, node, PARTY);
        Party::NameServer
    })
}

fn party_of(node: &Node) -> Option<Party> {
    let Value::Text(text) = &node.value else { return None };
    if text == NAME_SERVER {
        return Some(Party::NameServer);
    }
    match text.split_once(' ')? {
        ("broker", name) => Some(Party::Broker(BrokerName::new(name))),
        ("client", id) => Some(Party::Client(ClientId::new(id))),
        _ => None,
    }
}

/// A request by RocketMQ's name, `PULL_MESSAGE`.
fn request_code(fields: &mut Fields<'_>) -> Option<RequestCode> {
    if fields.node("code").is_none() {
        fields.missing("code", "the name of a request, such as \"PULL_MESSAGE\"");
    }
    optional_request_code(fields)
}

/// The same where it may be left out.
pub fn optional_request_code(fields: &mut Fields<'_>) -> Option<RequestCode> {
    let node = fields.node("code")?;
    let found = match &node.value {
        Value::Text(text) => RequestCode::ALL
            .into_iter()
            .find(|code| Profile::ALL.iter().any(|profile| code.name(*profile) == text)),
        _ => None,
    };
    if found.is_none() {
        let names = RequestCode::ALL.map(|code| code.name(Profile::V49));
        fields.refuse("code", node, &one_of(&names));
    }
    found
}
