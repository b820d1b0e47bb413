//! Our events in the trace's words, so that a run of ours can stand beside a recorded one.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::act::Act;
use super::starting::{Starting, short_name};
use super::trace::{
    Delivery, Header, Line, RpcAnswer, RpcFields, Sample, Sent, StoredCopy, Trace, Word,
};
use crate::model::ids::{CallId, ClientId, GroupName, ProcessIndex, QueueId, TopicName};
use crate::model::listener::ListenerResult;
use crate::model::message::{MessageId, StoredMessage};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::{PhysicalOffset, QueueOffset};
use crate::model::time::Millis;
use crate::model::topic::{SCHEDULE_TOPIC, dlq_topic, is_dlq_topic, is_retry_topic, retry_topic};
use crate::sim::event::{Actor, Event, EventKind, RequestDetail, ResponseDetail};
use crate::sim::packet::{Machine, RequestCode, ResponseCode};

/// Tag, level and id of the first stored copy.
type FirstStored = (Option<Rc<str>>, i32, Rc<str>);

/// Writes down events as words. Feed it all events of a run, in order.
pub struct Scribe {
    header: Header,
    /// Client ids by process.
    client_ids: Vec<ClientId>,
    /// By process, whether it consumes in order; `None` if it does not consume: then its calls are not
    /// told, as the recordings do not tell the producer's.
    orderly: Vec<Option<bool>>,
    /// How the consumer processes were set, in the order of their starts.
    startings: Vec<Starting>,
    acts: BTreeMap<Rc<str>, Act>,
    /// By how much our moments are later than the words'.
    shift: Millis,
    /// Life and death are told by the recorded trace, if there is one.
    tells_lives: bool,
    state: Sample,
    schedule: (BTreeMap<u32, QueueOffset>, BTreeMap<u32, QueueOffset>),
    assigned: BTreeMap<ProcessIndex, BTreeMap<TopicName, Vec<QueueId>>>,
    /// What a send stored first, by its key: tag, level and id.
    first_stored: BTreeMap<Rc<str>, FirstStored>,
    copies: Vec<StoredCopy>,
    /// Requests by call: the line that tells them, and when they were sent.
    calls: BTreeMap<CallId, (usize, Millis)>,
    /// Requests that never left: the connection was refused at once. The recordings do not tell them.
    refused: BTreeSet<usize>,
    lines: Vec<Line>,
}

/// A connection is refused within so much time.
const REFUSED_WITHIN: Millis = Millis::new(10);

impl Scribe {
    pub fn new(header: Header, startings: Vec<Starting>, acts: BTreeMap<Rc<str>, Act>) -> Scribe {
        Scribe {
            header,
            client_ids: Vec::new(),
            orderly: Vec::new(),
            startings,
            acts,
            shift: Millis::ZERO,
            tells_lives: true,
            state: Sample::default(),
            schedule: (BTreeMap::new(), BTreeMap::new()),
            assigned: BTreeMap::new(),
            first_stored: BTreeMap::new(),
            copies: Vec::new(),
            calls: BTreeMap::new(),
            refused: BTreeSet::new(),
            lines: Vec::new(),
        }
    }

    /// Takes the starts, stops and kills of a recorded trace over instead of telling our own: they are
    /// input on both sides.
    pub fn with_inputs_of(mut self, trace: &Trace, shift: Millis) -> Scribe {
        self.tells_lives = false;
        self.shift = shift;
        let is_input = |line: &&Line| {
            matches!(
                line.word,
                Word::Starting(_)
                    | Word::Kill9 { .. }
                    | Word::SigTerm { .. }
                    | Word::HarnessEnd { .. }
                    | Word::BrokerStop { .. }
                    | Word::BrokerStart
                    | Word::BrokerStarted
                    | Word::ResetBegin
                    | Word::SetOffset { .. }
            )
        };
        self.lines.extend(trace.lines.iter().filter(is_input).cloned());
        self
    }

    /// Tells who a process is, before its events are taken.
    pub fn name_process(
        &mut self,
        process: ProcessIndex,
        client_id: &ClientId,
        orderly: Option<bool>,
    ) {
        let index = process.0 as usize;
        if index == self.client_ids.len() {
            self.client_ids.push(client_id.clone());
            self.orderly.push(None);
        }
        self.orderly[index] = self.orderly[index].or(orderly);
    }

    fn client(&self, process: ProcessIndex) -> Rc<str> {
        let id = self.client_ids.get(process.0 as usize);
        id.map_or_else(|| Rc::from("?"), |id| short_name(id.as_str()))
    }

    fn consumes(&self, process: ProcessIndex) -> bool {
        self.orderly.get(process.0 as usize).is_some_and(Option::is_some)
    }

    fn say(&mut self, at: Millis, word: Word) {
        self.lines.push(Line { number: 0, at, word });
    }

    /// Writes one event down.
    pub fn take(&mut self, event: &Event) {
        let at = event.at - self.shift;
        if let Actor::Machine(Machine::Client(process)) = event.actor {
            self.take_client(at, process, &event.kind);
        } else {
            self.take_broker(at, &event.kind);
        }
    }

    fn take_client(&mut self, at: Millis, process: ProcessIndex, kind: &EventKind) {
        let client = self.client(process);
        match kind {
            EventKind::ConsumerStarting { group } if self.tells_lives => {
                self.starting(at, &client, group);
            }
            EventKind::ConsumerStarted { .. } => {
                let client_id = self.client_ids[process.0 as usize].as_str().into();
                self.say(at, Word::Started { client, client_id });
            }
            EventKind::ShutdownBegan { .. } => {
                if self.tells_lives {
                    self.say(at, Word::SigTerm { client: client.clone() });
                }
                self.say(at, Word::ShutdownBegin { client });
            }
            EventKind::ConsumerStopped { .. } => {
                self.say(at, Word::ShutdownEnd { client: client.clone() });
                self.assigned.remove(&process);
                self.say(at, Word::Assign { client, queues: BTreeMap::new() });
            }
            EventKind::ProcessCrashed if self.tells_lives => self.say(at, Word::Kill9 { client }),
            EventKind::QueueAssigned { queue, .. } => self.assign(at, process, queue, true),
            EventKind::QueueReleased { queue, .. } => self.assign(at, process, queue, false),
            EventKind::CallFailed { call, .. } => {
                if let Some((line, sent)) = self.calls.remove(call)
                    && at - sent <= REFUSED_WITHIN
                {
                    self.refused.insert(line);
                }
            }
            EventKind::RequestSent { call, code, detail, .. } if self.consumes(process) => {
                self.calls.insert(*call, (self.lines.len(), at));
                let code = code.name(self.header.profile).into();
                let fields = Box::new(rpc_fields(detail));
                self.say(at, Word::Rpc { client, code, fields });
            }
            EventKind::ResponseReceived { of, code, detail, .. } if is_told(*of) => {
                let answer = Box::new(rpc_answer(*code, detail));
                let code = of.name(self.header.profile).into();
                self.say(at, Word::RpcReturned { client, code, answer });
            }
            EventKind::SendSucceeded { message, topic, queue_id, queue_offset } => {
                self.sent(at, message, topic, *queue_id, *queue_offset);
            }
            EventKind::ConsumeStarted { message, reconsume_times, .. } => {
                let delivery = delivery(client, message, *reconsume_times);
                let born = message.body.born_at - self.shift;
                let store = message.stored_at - self.shift;
                self.say(at, Word::Begin { delivery, born, store });
            }
            EventKind::ConsumeEnded { message, reconsume_times, result, batch, .. } => {
                let delivery = delivery(client, message, *reconsume_times);
                let orderly = self.orderly[process.0 as usize].unwrap_or(false);
                let result = result_name(*result, orderly).into();
                self.say(at, Word::Consumed { delivery, result, batch: *batch });
            }
            _ => {}
        }
    }

    fn take_broker(&mut self, at: Millis, kind: &EventKind) {
        match kind {
            EventKind::RequestSent { to: Machine::Client(process), code, .. } => {
                let code = match code {
                    // The recorded client has no name for this one.
                    RequestCode::ResetConsumerClientOffset => "220".into(),
                    code => code.name(self.header.profile).into(),
                };
                let client = self.client(*process);
                self.say(at, Word::Rpc { client, code, fields: Box::default() });
            }
            EventKind::MessageStored { message } => self.stored(message),
            EventKind::ConsumeQueueAppended { message } => self.appended(at, message),
            EventKind::DelayElapsed { level, message, .. } => {
                self.schedule.1.insert(*level, message.queue_offset.next());
                self.say_schedule(at);
            }
            EventKind::OffsetCommitted { queue, to, group, .. } => {
                self.committed(at, group, queue, *to);
            }
            EventKind::ClientRegistered { group, client, .. } if *group == self.header.group => {
                self.state.clients.push(client.as_str().into());
                self.state.clients.sort();
                self.say_sample(at);
            }
            EventKind::ClientLeft { group, client, .. } if *group == self.header.group => {
                self.state.clients.retain(|it| **it != *client.as_str());
                self.say_sample(at);
            }
            _ => {}
        }
    }

    fn starting(&mut self, at: Millis, client: &Rc<str>, group: &GroupName) {
        let index = self.startings.iter().position(|starting| starting.client == *client);
        let starting = match index {
            Some(index) => self.startings.remove(index),
            None => Starting::named(client.clone(), group.clone(), self.header.topic.clone()),
        };
        self.say(at, Word::Starting(Box::new(starting)));
    }

    fn assign(&mut self, at: Millis, process: ProcessIndex, queue: &MessageQueue, gained: bool) {
        let queues = self.assigned.entry(process).or_default();
        let ids = queues.entry(queue.topic.clone()).or_default();
        ids.retain(|id| *id != queue.queue_id);
        if gained {
            ids.push(queue.queue_id);
            ids.sort();
        } else if ids.is_empty() {
            queues.remove(&queue.topic);
        }
        let queues = queues.clone();
        let client = self.client(process);
        self.say(at, Word::Assign { client, queues });
    }

    fn sent(
        &mut self,
        at: Millis,
        key: &Rc<str>,
        topic: &TopicName,
        id: QueueId,
        at_offset: QueueOffset,
    ) {
        let first = self.first_stored.get(key).cloned();
        let (tag, level, offset_msg_id) = match first {
            Some((tag, level, id)) => (tag, level, Some(id)),
            None => (None, 0, None),
        };
        let sent = Sent {
            topic: topic.clone(),
            queue_id: id,
            queue_offset: at_offset,
            act: self.acts.get(key).copied().unwrap_or(Act::Ok),
            key: key.clone(),
            level,
            tag,
            offset_msg_id,
            is_sparse: false,
        };
        self.say(at, Word::Sent(Box::new(sent)));
    }

    fn stored(&mut self, message: &StoredMessage) {
        let key = key_of(message);
        let tag = message.body.tag.as_ref().map(|tag| tag.as_str().into());
        let level = message.properties.delay.unwrap_or(0);
        let id = message_id(&message.message_id());
        self.first_stored.entry(key.clone()).or_insert((tag, level, id));
        let is_system = message.topic.as_str() == SCHEDULE_TOPIC
            || is_retry_topic(&message.topic)
            || is_dlq_topic(&message.topic);
        if is_system {
            self.copies.push(StoredCopy {
                topic: message.topic.clone(),
                queue_id: message.queue_id,
                queue_offset: message.queue_offset,
                stored_at: message.stored_at - self.shift,
                born_at: message.body.born_at - self.shift,
                reconsume_times: message.reconsume_times,
                key,
                properties: properties(message),
            });
        }
    }

    fn appended(&mut self, at: Millis, message: &StoredMessage) {
        let max = message.queue_offset.next();
        if message.topic == self.header.topic {
            self.state.max.insert(message.queue_id, max);
        } else if message.topic == retry_topic(&self.header.group) {
            self.state.retry_max = max;
        } else if message.topic == dlq_topic(&self.header.group) {
            self.state.dlq_max = max;
        } else if message.topic.as_str() == SCHEDULE_TOPIC {
            self.schedule.0.insert(message.queue_id.0 + 1, max);
            return self.say_schedule(at);
        } else {
            return;
        }
        self.say_sample(at);
    }

    fn committed(&mut self, at: Millis, group: &GroupName, queue: &MessageQueue, to: QueueOffset) {
        if *group != self.header.group {
            return;
        }
        if queue.topic == self.header.topic {
            self.state.commit.insert(queue.queue_id, to);
        } else if queue.topic == retry_topic(group) {
            self.state.retry_commit.insert(queue.queue_id, to);
        } else {
            return;
        }
        self.say_sample(at);
    }

    fn say_sample(&mut self, at: Millis) {
        self.say(at, Word::Sample(Box::new(self.state.clone())));
    }

    fn say_schedule(&mut self, at: Millis) {
        let (max, delivered) = self.schedule.clone();
        self.say(at, Word::Schedule { max, delivered });
    }

    /// The words of the whole run, which ended at `end`.
    pub fn finish(mut self, end: Millis) -> Trace {
        let mut index = 0;
        let refused = std::mem::take(&mut self.refused);
        self.lines.retain(|_| {
            index += 1;
            !refused.contains(&(index - 1))
        });
        for copy in std::mem::take(&mut self.copies) {
            self.say(end, Word::Stored(Box::new(copy)));
        }
        self.lines.sort_by_key(|line| line.at);
        for (line, number) in self.lines.iter_mut().zip(2..) {
            line.number = number;
        }
        Trace { header: self.header, lines: self.lines }
    }
}

/// Answers that the recordings tell.
fn is_told(code: RequestCode) -> bool {
    matches!(
        code,
        RequestCode::GetConsumerListByGroup
            | RequestCode::QueryConsumerOffset
            | RequestCode::GetMaxOffset
            | RequestCode::LockBatchMq
            | RequestCode::ConsumerSendMsgBack
    )
}

fn key_of(message: &StoredMessage) -> Rc<str> {
    message.body.key.as_ref().map_or_else(|| Rc::from(""), |key| Rc::from(key.as_str()))
}

fn delivery(client: Rc<str>, message: &StoredMessage, reconsume_times: i32) -> Delivery {
    Delivery {
        client,
        topic: message.topic.clone(),
        queue_id: message.queue_id,
        queue_offset: message.queue_offset,
        key: key_of(message),
        reconsume_times,
    }
}

fn result_name(result: ListenerResult, orderly: bool) -> &'static str {
    match (result, orderly) {
        (ListenerResult::Success, false) => "CONSUME_SUCCESS",
        (ListenerResult::Later, false) => "RECONSUME_LATER",
        (ListenerResult::Success, true) => "SUCCESS",
        (ListenerResult::Later, true) => "SUSPEND_CURRENT_QUEUE_A_MOMENT",
        (ListenerResult::Throws, _) => "EXCEPTION",
        (ListenerResult::Null, _) => "NULL",
        (ListenerResult::Never, _) => "NEVER",
        (ListenerResult::Commit, _) => "COMMIT",
        (ListenerResult::Rollback, _) => "ROLLBACK",
    }
}

/// As RocketMQ writes it: address and port, then the physical offset, in hexadecimal digits.
fn message_id(id: &MessageId) -> Rc<str> {
    let PhysicalOffset(offset) = id.physical_offset;
    Rc::from(format!("7F00000100002A9F{offset:016X}"))
}

fn properties(message: &StoredMessage) -> BTreeMap<String, String> {
    let own = &message.properties;
    let mut properties = BTreeMap::new();
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            properties.insert(name.to_owned(), value);
        }
    };
    put("DELAY", own.delay.map(|level| level.to_string()));
    put("REAL_TOPIC", own.real_topic.as_ref().map(ToString::to_string));
    put("REAL_QID", own.real_queue_id.map(|id| id.to_string()));
    put("RETRY_TOPIC", own.retry_topic.as_ref().map(ToString::to_string));
    put("KEYS", message.body.key.as_ref().map(ToString::to_string));
    put("TAGS", message.body.tag.as_ref().map(ToString::to_string));
    put("RECONSUME_TIME", own.reconsume_time.map(|times| times.to_string()));
    put("MAX_RECONSUME_TIMES", own.max_reconsume_times.map(|times| times.to_string()));
    put("ORIGIN_MESSAGE_ID", own.origin_message_id.as_ref().map(|id| message_id(id).to_string()));
    properties
}

fn rpc_fields(detail: &RequestDetail) -> RpcFields {
    let none = RpcFields::default();
    match detail.clone() {
        RequestDetail::None | RequestDetail::Group(_) | RequestDetail::HeartBeat { .. } => none,
        RequestDetail::Topic(topic) => RpcFields { topic: Some(topic), ..none },
        RequestDetail::Queue { topic, queue_id } | RequestDetail::Send { topic, queue_id, .. } => {
            RpcFields { topic: Some(topic), queue_id: Some(queue_id), ..none }
        }
        RequestDetail::Pull {
            topic,
            queue_id,
            offset,
            max_msg_nums,
            sys_flag,
            commit_offset,
            ..
        } => RpcFields {
            topic: Some(topic),
            queue_id: Some(queue_id),
            queue_offset: Some(offset),
            max_msg_nums: Some(max_msg_nums),
            sys_flag: Some(sys_flag),
            commit_offset: Some(commit_offset),
            ..none
        },
        RequestDetail::Commit { topic, queue_id, offset, .. } => RpcFields {
            topic: Some(topic),
            queue_id: Some(queue_id),
            commit_offset: Some(offset),
            ..none
        },
        RequestDetail::SendBack {
            origin_topic,
            physical_offset,
            delay_level,
            max_reconsume_times,
            ..
        } => RpcFields {
            origin_topic: Some(origin_topic),
            physical_offset: Some(physical_offset.0),
            delay_level: Some(delay_level),
            max_reconsume_times: Some(max_reconsume_times),
            ..none
        },
        RequestDetail::Queues { queues, .. } => RpcFields { queues: Some(plain(&queues)), ..none },
    }
}

fn rpc_answer(code: ResponseCode, detail: &ResponseDetail) -> RpcAnswer {
    let response = i64::from(code.number());
    let none = RpcAnswer { response, ..RpcAnswer::default() };
    match detail {
        ResponseDetail::None | ResponseDetail::Pulled { .. } => none,
        ResponseDetail::Offset(offset) => RpcAnswer { offset: Some(*offset), ..none },
        ResponseDetail::Members(members) => {
            let members = members.iter().map(|id| id.as_str().into()).collect();
            RpcAnswer { members: Some(members), ..none }
        }
        ResponseDetail::Queues(queues) => RpcAnswer { locked: Some(plain(queues)), ..none },
    }
}

fn plain(queues: &[MessageQueue]) -> Vec<(TopicName, QueueId)> {
    queues.iter().map(|queue| (queue.topic.clone(), queue.queue_id)).collect()
}
