//! Commands as what is asked for, and why one was refused.

use crate::scene::card::Label;
use crate::sim::command::{BrokerStop, Command, CommandError, Party};
use crate::text::event::{CommandText, RefusalText};

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
        Command::SetListener { client_id, .. } => {
            CommandText::SetListener { client: words(client_id.as_str()) }
        }
        Command::PausePulling { client_id } => {
            CommandText::PausePulling { client: words(client_id.as_str()) }
        }
        Command::ResumePulling { client_id } => {
            CommandText::ResumePulling { client: words(client_id.as_str()) }
        }
        Command::StopNameServer => CommandText::StopNameServer,
        Command::StartNameServer => CommandText::StartNameServer,
        Command::Partition { a, b, .. } => CommandText::Partition { a: party(a), b: party(b) },
        Command::Heal { a, b } => CommandText::Heal { a: party(a), b: party(b) },
        Command::DropNext { count, code, .. } => {
            CommandText::DropNext { count: *count, number: code.number() }
        }
        Command::ResetOffset { topic, .. } => {
            CommandText::ResetOffset { topic: words(topic.as_str()) }
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
        Command::Subscribe { .. } => CommandText::Other { name: "Subscribe" },
        Command::Unsubscribe { .. } => CommandText::Other { name: "Unsubscribe" },
        Command::SetOnInterrupt { .. } => CommandText::Other { name: "SetOnInterrupt" },
        Command::SetConsumerProperty { .. } => CommandText::Other { name: "SetConsumerProperty" },
        Command::SkewClock { .. } => CommandText::Other { name: "SkewClock" },
        Command::CreateTopic { .. } => CommandText::Other { name: "CreateTopic" },
        Command::UpdateTopic { .. } => CommandText::Other { name: "UpdateTopic" },
        Command::SetBrokerWritable { .. } => CommandText::Other { name: "SetBrokerWritable" },
        Command::SlowStore { .. } => CommandText::Other { name: "SlowStore" },
        Command::ExpireHead { .. } => CommandText::Other { name: "ExpireHead" },
        Command::UpdateGroup { .. } => CommandText::Other { name: "UpdateGroup" },
        Command::SetLatency { .. } => CommandText::Other { name: "SetLatency" },
        Command::SkipHeartbeat { .. } => CommandText::Other { name: "SkipHeartbeat" },
        Command::SetOffset { .. } => CommandText::Other { name: "SetOffset" },
        _ => CommandText::Other { name: "SetFirstMessageInMemory" },
    }
}

fn party(party: &Party) -> Label {
    match party {
        Party::NameServer => "name server".into(),
        Party::Broker(name) => name.as_str().into(),
        Party::Client(client_id) => client_id.as_str().into(),
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
