//! `DefaultMQProducerImpl`: the producers of a client, the inner one (`CLIENT_INNER_PRODUCER`)
//! included (spec 08). How one message is sent is in `send.rs`.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;

use super::ClientInstance;
use super::send::SendOwner;
use super::task::ClientTask;
use crate::model::config::ProducerConfig;
use crate::model::ids::{BrokerName, GroupName, MessageKey, QueueId, TopicName};
use crate::model::message::{MessageBody, NewMessage, Properties};
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::model::topic::AUTO_CREATE_TOPIC_KEY;
use crate::sim::command::{QueueChoice, SendMessages};
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, TimerKind};
use crate::sim::task::Task;

/// The group of every client's inner producer.
pub const INNER_PRODUCER: &str = "CLIENT_INNER_PRODUCER";

/// What a producer knows of one topic (`TopicPublishInfo`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PublishTopic {
    /// sendWhichQueue: the round-robin counter, once it has been drawn.
    pub counter: Option<u32>,
    /// whichItemWorst of `LatencyFaultToleranceImpl`: takes turns among the better half.
    pub which_item_worst: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct Producer {
    pub group: GroupName,
    pub config: ProducerConfig,
    pub topics: BTreeMap<TopicName, PublishTopic>,
    /// Latency fault tolerance: until when a broker counts as unavailable, and its last latency.
    pub faults: BTreeMap<BrokerName, BrokerFault>,
    pub sends: BTreeMap<u64, super::send::SendRun>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BrokerFault {
    pub latency: Millis,
    pub unavailable_until: Millis,
}

impl Producer {
    pub fn new(group: GroupName, config: ProducerConfig) -> Producer {
        Producer {
            group,
            config,
            topics: BTreeMap::new(),
            faults: BTreeMap::new(),
            sends: BTreeMap::new(),
        }
    }
}

/// A SendMessages command at work.
#[derive(Clone, Debug, Serialize)]
pub struct SendBatch {
    pub group: GroupName,
    pub command: SendMessages,
    pub sent: u32,
    /// The number of the first message, for keys and round robin over fixed queues.
    pub first_number: u64,
}

impl ClientInstance {
    /// MQClientInstance.start() step 7.
    pub(crate) fn start_inner_producer(&mut self, cx: &mut Context<'_>) {
        let group = GroupName::new(INNER_PRODUCER);
        let config = ProducerConfig::defaults(cx.profile());
        let mut producer = Producer::new(group.clone(), config);
        producer.topics.insert(TopicName::new(AUTO_CREATE_TOPIC_KEY), PublishTopic::default());
        self.producers.insert(group, producer);
    }

    /// start() of a producer: registers, starts the instance. Its heartbeat is the timer's first one;
    /// it waits for no route.
    pub fn start_producer(
        &mut self,
        group: GroupName,
        config: ProducerConfig,
        cx: &mut Context<'_>,
    ) {
        self.producers.insert(group.clone(), Producer::new(group, config));
        self.start_instance(cx);
    }

    /// Carries out a SendMessages command: the first message now, the others `every` apart.
    pub fn send_messages(&mut self, group: GroupName, command: SendMessages, cx: &mut Context<'_>) {
        let batch = cx.next_token();
        let first_number = cx.engine.counters.unique_key;
        let work = SendBatch { group, command, sent: 0, first_number };
        self.send_batches.insert(batch, work);
        self.send_next(batch, cx);
    }

    pub(crate) fn send_next(&mut self, batch: u64, cx: &mut Context<'_>) {
        let process = self.process;
        loop {
            let Some(work) = self.send_batches.get_mut(&batch) else { return };
            if work.sent >= work.command.count {
                self.send_batches.remove(&batch);
                return;
            }
            let (number, every) = (work.sent, work.command.every);
            work.sent += 1;
            let is_last = work.sent >= work.command.count;
            let (group, command, first) =
                (work.group.clone(), work.command.clone(), work.first_number);
            let causes = cx.causes();
            self.send_one(group, &command, number, first, cx);
            cx.set_causes(causes);
            if !is_last && every > Millis::ZERO {
                let task = Task::Client { process, task: ClientTask::SendNext { batch } };
                cx.schedule(every, TimerKind::Script, task);
                return;
            }
        }
    }

    fn send_one(
        &mut self,
        group: GroupName,
        command: &SendMessages,
        number: u32,
        first_number: u64,
        cx: &mut Context<'_>,
    ) {
        let key = message_key(command, number, first_number);
        let body = MessageBody {
            unique_key: cx.next_unique_key(),
            key: Some(key.clone()),
            tag: command.tag.clone(),
            body_bytes: command.body_bytes,
            born_at: cx.now(),
            script: command.script.clone(),
        };
        let delay = (command.delay_level != 0).then_some(command.delay_level);
        let message = NewMessage {
            body: Rc::new(body),
            topic: command.topic.clone(),
            queue_id: QueueId(0),
            reconsume_times: 0,
            properties: Properties { delay, ..Properties::default() },
        };
        cx.emit(EventKind::SendAsked { key: key.text(), topic: command.topic.clone() });
        let choice = command.queue.clone();
        self.begin_send(group, message, command.mode, choice, SendOwner::User, cx);
    }

    /// A send of the inner producer, for a failed message.
    pub(crate) fn inner_send(
        &mut self,
        message: NewMessage,
        owner: SendOwner,
        cx: &mut Context<'_>,
    ) {
        let group = GroupName::new(INNER_PRODUCER);
        let mode = crate::model::config::SendMode::Sync;
        self.begin_send(group, message, mode, QueueChoice::RoundRobin, owner, cx);
    }

    /// Writable queues of a topic, as the last route said; none of an unknown one (spec 08.2).
    pub(crate) fn publish_queues(&self, topic: &TopicName) -> Rc<[MessageQueue]> {
        self.publish_info.get(topic).cloned().unwrap_or_default()
    }
}

/// The key of the message: the command's for the first, counted on from the number at its end; keys
/// of the run's own count where the command names none.
fn message_key(command: &SendMessages, number: u32, first_number: u64) -> MessageKey {
    let Some(first) = &command.key else {
        return MessageKey::new(format!("m{}", first_number + u64::from(number)));
    };
    if number == 0 {
        return first.clone();
    }
    let text = first.as_str();
    let stem = text.trim_end_matches(|c: char| c.is_ascii_digit());
    match text[stem.len()..].parse::<u64>() {
        Ok(start) => MessageKey::new(format!("{stem}{}", start + u64::from(number))),
        Err(_) => MessageKey::new(format!("{text}{number}")),
    }
}
