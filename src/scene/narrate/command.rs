//! Commands as what is asked for, and why one was refused.

use crate::model::time::Millis;
use crate::scene::card::Label;
use crate::sim::command::{BrokerStop, Command, CommandError, Party};
use crate::sim::packet::RequestCode;
use crate::text::event::{CommandText, RefusalText, Who};

/// A command as what is asked for.
pub fn command_text(command: &Command) -> CommandText {
    let words = |name: &str| Label::from(name);
    match command {
        Command::SendMessages(send) => CommandText::Send {
            count: send.count,
            label: send.key.as_ref().map(|key| words(key.as_str())),
        },
        Command::StartProducer(spec) => {
            CommandText::StartProducer { client: words(spec.client_id.as_str()) }
        }
        Command::StopProducer { client_id } => {
            CommandText::StopProducer { client: words(client_id.as_str()) }
        }
        Command::StartConsumer(spec) => {
            CommandText::StartConsumer { client: words(spec.client_id.as_str()) }
        }
        Command::StopConsumer { client_id, .. } => {
            CommandText::StopConsumer { client: words(client_id.as_str()) }
        }
        Command::CrashConsumer { client_id } => {
            CommandText::Crash { client: words(client_id.as_str()) }
        }
        Command::LoseHost { client_id } => {
            CommandText::LoseHost { client: words(client_id.as_str()) }
        }
        Command::FreezeClient { client_id, duration } => {
            CommandText::Freeze { name: words(client_id.as_str()), span: *duration }
        }
        Command::ResumeClient { client_id } => {
            CommandText::Resume { name: words(client_id.as_str()) }
        }
        Command::SetListener { client_id, listener, .. } => CommandText::SetListener {
            client: words(client_id.as_str()),
            listener: std::rc::Rc::new((**listener).clone()),
        },
        Command::PausePulling { client_id } => {
            CommandText::PausePulling { client: words(client_id.as_str()) }
        }
        Command::ResumePulling { client_id } => {
            CommandText::ResumePulling { client: words(client_id.as_str()) }
        }
        Command::Subscribe { client_id, topic, expression, .. } => CommandText::Subscribe {
            client: words(client_id.as_str()),
            topic: words(topic.as_str()),
            expression: words(expression),
        },
        Command::Unsubscribe { client_id, topic, .. } => CommandText::Unsubscribe {
            client: words(client_id.as_str()),
            topic: words(topic.as_str()),
        },
        Command::SetOnInterrupt { client_id, .. } => {
            CommandText::SetOnInterrupt { client: words(client_id.as_str()) }
        }
        Command::SetConsumerProperty { client_id, name, value } => CommandText::SetProperty {
            client: words(client_id.as_str()),
            name: words(name),
            value: *value,
        },
        Command::SkewClock { client_id, by_ms } => CommandText::SkewClock {
            client: words(client_id.as_str()),
            by: Millis::new(by_ms.unsigned_abs()),
            is_ahead: *by_ms >= 0,
        },
        Command::SkipHeartbeat { client_id } => {
            CommandText::SkipHeartbeat { client: words(client_id.as_str()) }
        }
        Command::HalfOpenReconnect { client_id } => {
            CommandText::HalfOpen { client: words(client_id.as_str()) }
        }
        other => broker_command_text(other),
    }
}

fn broker_command_text(command: &Command) -> CommandText {
    let words = |name: &str| Label::from(name);
    match command {
        Command::StopBroker { broker_name, how, .. } => CommandText::StopBroker {
            broker: words(broker_name.as_str()),
            is_kill: matches!(how, BrokerStop::Kill { .. }),
        },
        Command::StartBroker { broker_name, .. } => {
            CommandText::StartBroker { broker: words(broker_name.as_str()) }
        }
        Command::FreezeBroker { broker_name, duration } => {
            CommandText::Freeze { name: words(broker_name.as_str()), span: *duration }
        }
        Command::ResumeBroker { broker_name } => {
            CommandText::Resume { name: words(broker_name.as_str()) }
        }
        Command::CreateTopic { topic, queue_nums, .. } => {
            CommandText::CreateTopic { topic: words(topic.as_str()), queues: *queue_nums }
        }
        Command::UpdateTopic { topic, write_queue_nums, .. } => {
            CommandText::UpdateTopic { topic: words(topic.as_str()), queues: *write_queue_nums }
        }
        Command::SetBrokerWritable { broker_name, writable } => {
            CommandText::Writable { broker: words(broker_name.as_str()), is_writable: *writable }
        }
        Command::SlowStore { broker_name, by } => {
            CommandText::SlowStore { broker: words(broker_name.as_str()), by: *by }
        }
        Command::ExpireHead { topic, queue_id, min_offset, .. } => CommandText::ExpireHead {
            topic: words(topic.as_str()),
            queue_id: queue_id.0,
            offset: min_offset.0,
        },
        Command::SetFirstMessageInMemory { broker_name, in_memory } => {
            let broker = words(broker_name.as_str());
            CommandText::FirstInMemory { broker, is_in_memory: *in_memory }
        }
        Command::SetBrokerProperty { broker_name, name, value } => CommandText::SetProperty {
            client: words(broker_name.as_str()),
            name: words(name),
            value: *value,
        },
        Command::UpdateGroup { group, retry_queue_nums, .. } => CommandText::UpdateGroup {
            group: words(group.as_str()),
            retry_queues: *retry_queue_nums,
        },
        other => elsewhere_text(other),
    }
}

fn elsewhere_text(command: &Command) -> CommandText {
    let words = |name: &str| Label::from(name);
    match command {
        Command::StopNameServer => CommandText::StopNameServer,
        Command::StartNameServer => CommandText::StartNameServer,
        Command::Partition { a, b, one_way } => {
            CommandText::Partition { a: party(a), b: party(b), is_one_way: *one_way }
        }
        Command::Heal { a, b } => CommandText::Heal { a: party(a), b: party(b) },
        Command::SetLatency { a, b, from, to } => {
            CommandText::Latency { a: party(a), b: party(b), from: *from, to: *to }
        }
        Command::DropNext { from, to, count, code, only_response } => CommandText::DropNext {
            a: party(from),
            b: party(to),
            count: *count,
            number: code.number(),
            only_answers: *only_response,
        },
        Command::DuplicateNext { from, to, count, code, only_response, .. } => {
            CommandText::DuplicateNext {
                a: party(from),
                b: party(to),
                count: *count,
                number: code.map(RequestCode::number),
                only_answers: *only_response,
            }
        }
        Command::ReorderNext { from, to, count, code, only_response, .. } => {
            CommandText::ReorderNext {
                a: party(from),
                b: party(to),
                count: *count,
                number: code.map(RequestCode::number),
                only_answers: *only_response,
            }
        }
        Command::ResetOffset { topic, timestamp, .. } => CommandText::ResetOffset {
            topic: words(topic.as_str()),
            to: Millis::new(u64::try_from(*timestamp).unwrap_or(0)),
        },
        Command::SetOffset { topic, queue_id, offset, .. } => CommandText::SetOffset {
            topic: words(topic.as_str()),
            queue_id: queue_id.0,
            offset: offset.0,
        },
        _ => CommandText::Unknown,
    }
}

fn party(party: &Party) -> Who {
    match party {
        Party::NameServer => Who::NameServer,
        Party::Broker(name) => Who::Machine(name.as_str().into()),
        Party::Client(client_id) => Who::Machine(client_id.as_str().into()),
    }
}

/// Why a command was refused.
pub fn refusal_text(error: &CommandError) -> RefusalText {
    let words = |name: &dyn std::fmt::Display| Label::from(name.to_string());
    match error {
        CommandError::NoSuchClient(client) => RefusalText::NoClient { client: words(client) },
        CommandError::NoSuchBroker(broker) => RefusalText::NoBroker { broker: words(broker) },
        CommandError::NoSuchTopic(topic) => RefusalText::NoTopic { topic: words(topic) },
        CommandError::NoSuchQueue(topic, id) => {
            RefusalText::NoQueue { topic: words(topic), queue_id: id.0 }
        }
        CommandError::NoSuchGroup(client, group) => {
            RefusalText::NoGroup { client: words(client), group: words(group) }
        }
        CommandError::GroupExists(group) => RefusalText::GroupExists { group: words(group) },
        CommandError::Frozen(client) => RefusalText::Frozen { client: words(client) },
        CommandError::BrokerRuns(broker) => RefusalText::BrokerRuns { broker: words(broker) },
        CommandError::BrokerDown(broker) => RefusalText::BrokerDown { broker: words(broker) },
        CommandError::BadConfig(said) => RefusalText::BadConfig { words: words(said) },
        CommandError::NoSuchProperty(property) => {
            RefusalText::NotChangeable { property: words(property) }
        }
        CommandError::NotYet(what) => RefusalText::NotYet { what: words(what) },
    }
}
