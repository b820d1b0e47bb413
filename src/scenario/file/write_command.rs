//! `[[do]]` as text: the command's name, then its fields.

use super::read_listener::ON_INTERRUPT;
use super::read_setup::PERMISSIONS;
use super::toml_text::{Text, quoted, word_of};
use super::write_script::{listener, party};
use crate::model::ids::{BrokerName, ClientId, GroupName};
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::model::topic::Permission;
use crate::scenario::duration;
use crate::sim::command::{BrokerStop, Command, Party};
use crate::sim::packet::RequestCode;

/// A command that is neither a start nor a send.
pub fn command(text: &mut Text, command: &Command) {
    text.field("command", &quoted(command_name(command)));
    if let Some(client_id) = command.client_id() {
        client(text, client_id);
    }
    match command {
        Command::FreezeClient { duration, .. } => optional_time(text, "duration", *duration),
        Command::StopConsumer { group: Some(group), .. } => self::group(text, group),
        Command::Subscribe { group, topic, expression, .. } => {
            self::group(text, group);
            text.field("topic", &quoted(topic.as_str()));
            text.field("expression", &quoted(expression));
        }
        Command::Unsubscribe { group, topic, .. } => {
            self::group(text, group);
            text.field("topic", &quoted(topic.as_str()));
        }
        Command::SetListener { group, listener, .. } => {
            if let Some(group) = group {
                self::group(text, group);
            }
            text.field("listener", &self::listener(listener));
        }
        Command::SetOnInterrupt { on_interrupt, .. } => {
            text.field("onInterrupt", &quoted(word_of(ON_INTERRUPT, *on_interrupt)));
        }
        Command::SetConsumerProperty { name, value, .. } => {
            text.field("property", &quoted(name));
            text.field("value", &value.to_string());
        }
        Command::SkewClock { by_ms, .. } => {
            text.field("by", &quoted(&duration::write_signed(*by_ms)));
        }
        command => {
            on_broker(text, command);
            on_network(text, command);
            by_operator(text, command);
        }
    }
}

/// The variant's own name, which is the file's word.
pub fn command_name(command: &Command) -> &'static str {
    match command {
        Command::StartProducer(_) => "StartProducer",
        Command::StopProducer { .. } => "StopProducer",
        Command::SendMessages(_) => "SendMessages",
        Command::StartConsumer(_) => "StartConsumer",
        Command::StopConsumer { .. } => "StopConsumer",
        Command::CrashConsumer { .. } => "CrashConsumer",
        Command::LoseHost { .. } => "LoseHost",
        Command::FreezeClient { .. } => "FreezeClient",
        Command::ResumeClient { .. } => "ResumeClient",
        Command::Subscribe { .. } => "Subscribe",
        Command::Unsubscribe { .. } => "Unsubscribe",
        Command::SetListener { .. } => "SetListener",
        Command::SetOnInterrupt { .. } => "SetOnInterrupt",
        Command::PausePulling { .. } => "PausePulling",
        Command::ResumePulling { .. } => "ResumePulling",
        Command::SetConsumerProperty { .. } => "SetConsumerProperty",
        Command::SkewClock { .. } => "SkewClock",
        Command::CreateTopic { .. } => "CreateTopic",
        Command::UpdateTopic { .. } => "UpdateTopic",
        Command::StopBroker { .. } => "StopBroker",
        Command::StartBroker { .. } => "StartBroker",
        Command::FreezeBroker { .. } => "FreezeBroker",
        Command::ResumeBroker { .. } => "ResumeBroker",
        Command::SetBrokerWritable { .. } => "SetBrokerWritable",
        Command::SlowStore { .. } => "SlowStore",
        Command::ExpireHead { .. } => "ExpireHead",
        Command::SetFirstMessageInMemory { .. } => "SetFirstMessageInMemory",
        Command::SetBrokerProperty { .. } => "SetBrokerProperty",
        Command::UpdateGroup { .. } => "UpdateGroup",
        Command::StopNameServer => "StopNameServer",
        Command::StartNameServer => "StartNameServer",
        Command::Partition { .. } => "Partition",
        Command::Heal { .. } => "Heal",
        Command::SetLatency { .. } => "SetLatency",
        Command::DropNext { .. } => "DropNext",
        Command::DuplicateNext { .. } => "DuplicateNext",
        Command::ReorderNext { .. } => "ReorderNext",
        Command::SkipHeartbeat { .. } => "SkipHeartbeat",
        Command::HalfOpenReconnect { .. } => "HalfOpenReconnect",
        Command::ResetOffset { .. } => "ResetOffset",
        Command::SetOffset { .. } => "SetOffset",
    }
}

fn client(text: &mut Text, client_id: &ClientId) {
    text.field("client", &quoted(client_id.as_str()));
}

fn group(text: &mut Text, group: &GroupName) {
    text.field("group", &quoted(group.as_str()));
}

fn broker(text: &mut Text, broker_name: &BrokerName) {
    text.field("broker", &quoted(broker_name.as_str()));
}

fn optional_broker(text: &mut Text, broker_name: Option<&BrokerName>) {
    if let Some(broker_name) = broker_name {
        broker(text, broker_name);
    }
}

fn time(text: &mut Text, key: &str, time: Millis) {
    text.field(key, &quoted(&duration::write(time)));
}

fn optional_time(text: &mut Text, key: &str, span: Option<Millis>) {
    if let Some(span) = span {
        time(text, key, span);
    }
}

fn broker_id(text: &mut Text, id: u32) {
    if id != 0 {
        text.field("brokerId", &id.to_string());
    }
}

fn on_broker(text: &mut Text, command: &Command) {
    match command {
        Command::StopBroker { broker_name, broker_id, how } => {
            broker(text, broker_name);
            self::broker_id(text, *broker_id);
            if let BrokerStop::Kill { lost_tail } = how {
                text.field("how", "\"kill\"");
                text.field("lostTail", &lost_tail.to_string());
            }
        }
        Command::StartBroker { broker_name, broker_id } => {
            broker(text, broker_name);
            self::broker_id(text, *broker_id);
        }
        Command::FreezeBroker { broker_name, duration } => {
            broker(text, broker_name);
            optional_time(text, "duration", *duration);
        }
        Command::ResumeBroker { broker_name } => broker(text, broker_name),
        Command::SetBrokerWritable { broker_name, writable } => {
            broker(text, broker_name);
            text.field("writable", &writable.to_string());
        }
        Command::SlowStore { broker_name, by } => {
            broker(text, broker_name);
            time(text, "by", *by);
        }
        Command::ExpireHead { broker_name, topic, queue_id, min_offset } => {
            broker(text, broker_name);
            text.field("topic", &quoted(topic.as_str()));
            text.field("queue", &queue_id.to_string());
            text.field("minOffset", &min_offset.to_string());
        }
        Command::SetFirstMessageInMemory { broker_name, in_memory } => {
            broker(text, broker_name);
            text.field("inMemory", &in_memory.to_string());
        }
        Command::SetBrokerProperty { broker_name, name, value } => {
            broker(text, broker_name);
            text.field("property", &quoted(name));
            text.field("value", &value.to_string());
        }
        _ => {}
    }
}

fn on_network(text: &mut Text, command: &Command) {
    match command {
        Command::Partition { a, b, one_way } => {
            text.field("a", &party(a));
            text.field("b", &party(b));
            text.field("oneWay", &one_way.to_string());
        }
        Command::Heal { a, b } => {
            text.field("a", &party(a));
            text.field("b", &party(b));
        }
        Command::SetLatency { a, b, from, to } => {
            text.field("a", &party(a));
            text.field("b", &party(b));
            time(text, "from", *from);
            time(text, "to", *to);
        }
        Command::DropNext { from, to, code, count, only_response } => {
            next(text, (from, to), Some(*code), *count, *only_response);
        }
        Command::DuplicateNext { from, to, code, count, only_response, later, later_at_most } => {
            next(text, (from, to), *code, *count, *only_response);
            time(text, "later", *later);
            time(text, "laterAtMost", *later_at_most);
        }
        Command::ReorderNext { from, to, code, count, only_response, at_most } => {
            next(text, (from, to), *code, *count, *only_response);
            time(text, "atMost", *at_most);
        }
        _ => {}
    }
}

/// The next messages between two parties, of one code or of any.
fn next(
    text: &mut Text,
    (from, to): (&Party, &Party),
    code: Option<RequestCode>,
    count: u32,
    only_response: bool,
) {
    text.field("from", &party(from));
    text.field("to", &party(to));
    if let Some(code) = code {
        text.field("code", &quoted(code.name(Profile::V49)));
    }
    text.field("count", &count.to_string());
    text.field("onlyResponse", &only_response.to_string());
}

fn by_operator(text: &mut Text, command: &Command) {
    match command {
        Command::CreateTopic { topic, broker_name, queue_nums } => {
            text.field("topic", &quoted(topic.as_str()));
            optional_broker(text, broker_name.as_ref());
            text.field("queues", &queue_nums.to_string());
        }
        Command::UpdateTopic {
            topic,
            broker_name,
            read_queue_nums,
            write_queue_nums,
            permission,
        } => {
            text.field("topic", &quoted(topic.as_str()));
            optional_broker(text, broker_name.as_ref());
            text.field("readQueueNums", &read_queue_nums.to_string());
            text.field("writeQueueNums", &write_queue_nums.to_string());
            if *permission != Permission::READ_WRITE {
                let perm = PERMISSIONS.iter().find(|(_, it)| it == permission);
                text.field("perm", &perm.map_or(0, |(perm, _)| *perm).to_string());
            }
        }
        Command::UpdateGroup { group, retry_queue_nums, .. } => {
            self::group(text, group);
            text.field("retryQueueNums", &retry_queue_nums.to_string());
        }
        Command::ResetOffset { group, topic, timestamp, force } => {
            self::group(text, group);
            text.field("topic", &quoted(topic.as_str()));
            text.field("timestamp", &quoted(&duration::write_signed(*timestamp)));
            text.field("force", &force.to_string());
        }
        Command::SetOffset { group, topic, broker_name, queue_id, offset } => {
            self::group(text, group);
            text.field("topic", &quoted(topic.as_str()));
            optional_broker(text, broker_name.as_ref());
            text.field("queue", &queue_id.to_string());
            text.field("offset", &offset.to_string());
        }
        _ => {}
    }
}
