//! The commands of version 1 as the model's.

use super::from::{consumer, listener, on_interrupt, producer, send, shape};
use super::types as wire;
use crate::model::ids::{BrokerName, ClientId, GroupName, QueueId, TopicName};
use crate::model::offset::QueueOffset;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::model::topic::Permission;
use crate::scenario::link::LinkError;
use crate::sim::command::{BrokerStop, Command, Party};
use crate::sim::packet::RequestCode;

fn party(party: wire::Party) -> Party {
    match party {
        wire::Party::NameServer => Party::NameServer,
        wire::Party::Broker(name) => Party::Broker(BrokerName::new(name)),
        wire::Party::Client(id) => Party::Client(ClientId::new(id)),
    }
}

/// # Errors
/// If a number stands for nothing.
#[expect(clippy::too_many_lines, reason = "a table with one entry for each command")]
pub fn command(command: wire::Command, profile: Profile) -> Result<Command, LinkError> {
    use wire::Command as Wire;
    Ok(match command {
        Wire::StartProducer(it) => Command::StartProducer(producer(it, profile)?),
        Wire::StopProducer { client } => Command::StopProducer { client_id: id(client) },
        Wire::SendMessages(it) => Command::SendMessages(send(it)?),
        Wire::StartConsumer(it) => Command::StartConsumer(Box::new(consumer(it, profile)?)),
        Wire::StopConsumer { client, group } => {
            Command::StopConsumer { client_id: id(client), group: group.map(GroupName::new) }
        }
        Wire::CrashConsumer { client } => Command::CrashConsumer { client_id: id(client) },
        Wire::LoseHost { client } => Command::LoseHost { client_id: id(client) },
        Wire::FreezeClient { client, duration_ms } => {
            Command::FreezeClient { client_id: id(client), duration: duration_ms.map(Millis::new) }
        }
        Wire::ResumeClient { client } => Command::ResumeClient { client_id: id(client) },
        Wire::Subscribe { client, group, topic, expression } => Command::Subscribe {
            client_id: id(client),
            group: GroupName::new(group),
            topic: TopicName::new(topic),
            expression,
        },
        Wire::Unsubscribe { client, group, topic } => Command::Unsubscribe {
            client_id: id(client),
            group: GroupName::new(group),
            topic: TopicName::new(topic),
        },
        Wire::SetListener { client, group, listener: it } => Command::SetListener {
            client_id: id(client),
            group: group.map(GroupName::new),
            listener: Box::new(listener(it)?),
        },
        Wire::SetOnInterrupt { client, on_interrupt: it } => {
            Command::SetOnInterrupt { client_id: id(client), on_interrupt: on_interrupt(it) }
        }
        Wire::PausePulling { client } => Command::PausePulling { client_id: id(client) },
        Wire::ResumePulling { client } => Command::ResumePulling { client_id: id(client) },
        Wire::SetConsumerProperty { client, name, value } => {
            Command::SetConsumerProperty { client_id: id(client), name, value }
        }
        Wire::SkewClock { client, by_ms } => Command::SkewClock { client_id: id(client), by_ms },
        Wire::SkipHeartbeat { client } => Command::SkipHeartbeat { client_id: id(client) },
        Wire::HalfOpenReconnect { client } => Command::HalfOpenReconnect { client_id: id(client) },
        Wire::StopBroker { broker, id, kill, lost_tail } => Command::StopBroker {
            broker_name: BrokerName::new(broker),
            broker_id: id,
            how: if kill { BrokerStop::Kill { lost_tail } } else { BrokerStop::Graceful },
        },
        Wire::StartBroker { broker, id } => {
            Command::StartBroker { broker_name: BrokerName::new(broker), broker_id: id }
        }
        Wire::FreezeBroker { broker, duration_ms } => Command::FreezeBroker {
            broker_name: BrokerName::new(broker),
            duration: duration_ms.map(Millis::new),
        },
        Wire::ResumeBroker { broker } => {
            Command::ResumeBroker { broker_name: BrokerName::new(broker) }
        }
        Wire::SetBrokerWritable { broker, writable } => {
            Command::SetBrokerWritable { broker_name: BrokerName::new(broker), writable }
        }
        Wire::SlowStore { broker, by_ms } => {
            Command::SlowStore { broker_name: BrokerName::new(broker), by: Millis::new(by_ms) }
        }
        Wire::ExpireHead { broker, topic, queue, min_offset } => Command::ExpireHead {
            broker_name: BrokerName::new(broker),
            topic: TopicName::new(topic),
            queue_id: QueueId(queue),
            min_offset: QueueOffset(min_offset),
        },
        Wire::SetFirstMessageInMemory { broker, in_memory } => {
            Command::SetFirstMessageInMemory { broker_name: BrokerName::new(broker), in_memory }
        }
        Wire::SetBrokerProperty { broker, name, value } => {
            Command::SetBrokerProperty { broker_name: BrokerName::new(broker), name, value }
        }
        Wire::StopNameServer => Command::StopNameServer,
        Wire::StartNameServer => Command::StartNameServer,
        Wire::Partition { a, b, one_way } => {
            Command::Partition { a: party(a), b: party(b), one_way }
        }
        Wire::Heal { a, b } => Command::Heal { a: party(a), b: party(b) },
        Wire::SetLatency { a, b, from_ms, to_ms } => Command::SetLatency {
            a: party(a),
            b: party(b),
            from: Millis::new(from_ms),
            to: Millis::new(to_ms),
        },
        Wire::DropNext { from, to, code, count, only_response } => {
            let (from, to, code) = (party(from), party(to), request_code(code)?);
            Command::DropNext { from, to, code, count, only_response }
        }
        Wire::DuplicateNext {
            from,
            to,
            code,
            count,
            only_response,
            later_ms,
            later_at_most_ms,
        } => Command::DuplicateNext {
            from: party(from),
            to: party(to),
            code: code.map(request_code).transpose()?,
            count,
            only_response,
            later: Millis::new(later_ms),
            later_at_most: Millis::new(later_at_most_ms),
        },
        Wire::ReorderNext { from, to, code, count, only_response, at_most_ms } => {
            Command::ReorderNext {
                from: party(from),
                to: party(to),
                code: code.map(request_code).transpose()?,
                count,
                only_response,
                at_most: Millis::new(at_most_ms),
            }
        }
        Wire::CreateTopic { topic, broker, queues } => Command::CreateTopic {
            topic: TopicName::new(topic),
            broker_name: broker.map(BrokerName::new),
            queue_nums: queues,
        },
        Wire::UpdateTopic { topic, broker, read, write, perm } => Command::UpdateTopic {
            topic: TopicName::new(topic),
            broker_name: broker.map(BrokerName::new),
            read_queue_nums: read,
            write_queue_nums: write,
            permission: match perm {
                0 | 2 | 4 | 6 => Permission { readable: perm & 4 != 0, writable: perm & 2 != 0 },
                _ => return shape("a permission that is not known"),
            },
        },
        Wire::UpdateGroup { group, retry_queue_nums, retry_max_times } => {
            Command::UpdateGroup { group: GroupName::new(group), retry_queue_nums, retry_max_times }
        }
        Wire::ResetOffset { group, topic, timestamp, force } => Command::ResetOffset {
            group: GroupName::new(group),
            topic: TopicName::new(topic),
            timestamp,
            force,
        },
        Wire::SetOffset { group, topic, broker, queue, offset } => Command::SetOffset {
            group: GroupName::new(group),
            topic: TopicName::new(topic),
            broker_name: broker.map(BrokerName::new),
            queue_id: QueueId(queue),
            offset: QueueOffset(offset),
        },
    })
}

fn request_code(number: u16) -> Result<RequestCode, LinkError> {
    let known = RequestCode::ALL.into_iter().find(|known| known.number() == number);
    known.map_or_else(|| shape("a request that is not known"), Ok)
}

fn id(client: String) -> ClientId {
    ClientId::new(client)
}
