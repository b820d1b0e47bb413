//! A call on the wire: who asks whom, when it arrives, and what it carries.

use super::{Desk, Inspection, NumberRow, Table, joined, name, row, told};
use crate::model::ids::CallId;
use crate::scene::scene::{Call, Fate, Party};
use crate::sim::packet::{Payload, Request, ResponseBody};
use crate::sim::task::Task;
use crate::text::inspect::{Field, InspectText, InspectWord as W, Value};

impl Desk<'_> {
    pub(super) fn call(&self, id: CallId) -> Option<Inspection> {
        let call = self.scene.calls.iter().find(|call| call.id == id)?;
        let (number, words) = (call.code.number, call.code.name);
        let mut told = told(InspectText::Call { number, name: words.into() });
        told.numbers = vec![
            row(W::From, self.party(call.from)),
            row(W::To, self.party(call.to)),
            row(W::SentAt, Value::Moment(call.sent_at)),
            row(W::ArrivesAt, Value::Moment(call.arrives_at)),
        ];
        let state = match (&call.fate, call.is_copy) {
            (Fate::Held, _) => Some(W::HeldBack),
            (_, true) => Some(W::SecondCopy),
            _ => None,
        };
        told.numbers.extend(state.map(|state| row(W::OnNetwork, Value::Word(state))));
        if call.batch > 0 {
            told.numbers.push(row(W::Carries, Value::Count(u64::from(call.batch))));
        }
        let fields = self.fields(call);
        if !fields.is_empty() {
            let rows = fields
                .into_iter()
                .map(|field| match field.field {
                    Field::Property(property) => vec![name(property), field.value],
                    Field::Word(word) => vec![Value::Word(word), field.value],
                })
                .collect();
            told.tables = vec![Table { title: W::Fields, head: Vec::new(), rows }];
        }
        Some(told)
    }

    fn party(&self, party: Party) -> Value {
        let cast = self.narrator.cast();
        match party {
            Party::NameServer(_) => name("NameServer"),
            Party::Broker(index) => Value::Name(cast.broker(index)),
            Party::Producer(process) | Party::Consumer(process) => {
                Value::Name(cast.process(process))
            }
        }
    }

    /// The fields that matter for learning, under RocketMQ's names.
    fn fields(&self, call: &Call) -> Vec<NumberRow> {
        let entries = self.sight.simulation.engine().agenda.entries();
        let mut packets = entries.filter_map(|entry| match &entry.task {
            Task::Deliver(packet) => Some(packet),
            _ => None,
        });
        let Some(packet) = packets.find(|packet| packet.call == call.id) else {
            return Vec::new();
        };
        match &packet.payload {
            Payload::Request { request, .. } => self.request_fields(request),
            Payload::Response(response) => {
                let mut rows = vec![field("code", code_text(response.code))];
                rows.extend(self.answer_fields(&response.body));
                rows
            }
            Payload::ConnectionClosed => Vec::new(),
        }
    }

    fn request_fields(&self, request: &Request) -> Vec<NumberRow> {
        let number = |name, value: i64| field(name, value.to_string());
        match request {
            Request::PullMessage(header) => vec![
                field("consumerGroup", header.group.to_string()),
                field("topic", header.topic.to_string()),
                number("queueId", i64::from(header.queue_id.0)),
                number("queueOffset", header.queue_offset.0),
                number("maxMsgNums", i64::from(header.max_msg_nums)),
                number("sysFlag", i64::from(header.sys_flag())),
                number("commitOffset", header.commit_offset.0),
                number("suspendTimeoutMillis", header.suspend_timeout.ms() as i64),
                number("subVersion", header.sub_version as i64),
            ],
            Request::UpdateConsumerOffset { group, topic, queue_id, commit_offset } => vec![
                field("consumerGroup", group.to_string()),
                field("topic", topic.to_string()),
                number("queueId", i64::from(queue_id.0)),
                number("commitOffset", commit_offset.0),
            ],
            Request::ConsumerSendMsgBack {
                group,
                origin_topic,
                physical_offset,
                delay_level,
                max_reconsume_times,
            } => vec![
                field("group", group.to_string()),
                field("originTopic", origin_topic.to_string()),
                number("offset", physical_offset.0 as i64),
                number("delayLevel", i64::from(*delay_level)),
                number("maxReconsumeTimes", i64::from(*max_reconsume_times)),
            ],
            Request::SendMessage { message, reconsume_times, .. } => {
                let mut rows = vec![
                    field("topic", message.topic.to_string()),
                    number("queueId", i64::from(message.queue_id.0)),
                ];
                let key = message.body.key.as_ref();
                rows.extend(key.map(|key| field("KEYS", key.to_string())));
                let tag = message.body.tag.as_ref();
                rows.extend(tag.map(|tag| field("TAGS", tag.to_string())));
                let delay = message.properties.delay;
                rows.extend(delay.map(|delay| number("DELAY", i64::from(delay))));
                rows.extend(
                    reconsume_times.map(|times| number("reconsumeTimes", i64::from(times))),
                );
                rows
            }
            other => self.group_fields(other),
        }
    }

    /// Requests about a group, its members and locks.
    fn group_fields(&self, request: &Request) -> Vec<NumberRow> {
        let number = |name, value: i64| field(name, value.to_string());
        match request {
            Request::HeartBeat { client_id, consumers, .. } => {
                let mut rows = vec![field("clientID", client_id.to_string())];
                rows.extend(consumers.iter().map(|it| field("groupName", it.group.to_string())));
                rows
            }
            Request::LockBatchMq { group, client_id, queues }
            | Request::UnlockBatchMq { group, client_id, queues } => vec![
                field("consumerGroup", group.to_string()),
                field("clientId", client_id.to_string()),
                NumberRow {
                    field: Field::Property("mqSet"),
                    value: joined(queues.iter().map(|queue| self.queue_label(queue))),
                    was: None,
                    default: None,
                },
            ],
            Request::GetConsumerListByGroup { group }
            | Request::NotifyConsumerIdsChanged { group } => {
                vec![field("consumerGroup", group.to_string())]
            }
            Request::GetRouteInfoByTopic { topic } => vec![field("topic", topic.to_string())],
            other => match other.queue() {
                Some((topic, queue_id)) => vec![
                    field("topic", topic.to_string()),
                    number("queueId", i64::from(queue_id.0)),
                ],
                None => Vec::new(),
            },
        }
    }

    fn answer_fields(&self, body: &ResponseBody) -> Vec<NumberRow> {
        let number = |name, value: i64| field(name, value.to_string());
        match body {
            ResponseBody::Pulled(answer) => vec![
                number("nextBeginOffset", answer.next_begin_offset.0),
                number("minOffset", answer.min_offset.0),
                number("maxOffset", answer.max_offset.0),
                number("suggestWhichBrokerId", i64::from(answer.suggest_which_broker_id)),
            ],
            ResponseBody::Sent { queue_id, queue_offset, .. } => vec![
                number("queueId", i64::from(queue_id.0)),
                number("queueOffset", queue_offset.0),
            ],
            ResponseBody::Offset(offset) => vec![number("offset", offset.0)],
            ResponseBody::Members(members) => {
                members.iter().map(|member| field("consumerIdList", member.to_string())).collect()
            }
            ResponseBody::Locked(queues) => vec![NumberRow {
                field: Field::Property("lockOKMQSet"),
                value: joined(queues.iter().map(|queue| self.queue_label(queue))),
                was: None,
                default: None,
            }],
            _ => Vec::new(),
        }
    }
}

fn field(property: &'static str, value: String) -> NumberRow {
    NumberRow {
        field: Field::Property(property),
        value: Value::Name(value.into()),
        was: None,
        default: None,
    }
}

fn code_text(code: crate::sim::packet::ResponseCode) -> String {
    format!("{} {}", code.number(), code.name())
}
