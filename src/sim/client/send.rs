//! How one message is sent: sendDefaultImpl, sendKernelImpl (spec 08.2). Which queue it gets is in
//! `select_queue.rs`.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;

use super::ClientInstance;
use super::call::{CallResult, Waiter};
use super::producer::Producer;
use super::route::MASTER_ID;
use super::select_queue::select_queue;
use crate::model::config::{ProducerConfig, SendMode};
use crate::model::ids::{BrokerName, GroupName, MessageKey, QueueId, TopicName};
use crate::model::message::{MessageBody, NewMessage};
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::model::topic::{AUTO_CREATE_TOPIC_KEY, is_retry_topic};
use crate::sim::command::QueueChoice;
use crate::sim::engine::Context;
use crate::sim::event::EventKind;
use crate::sim::packet::{Machine, Request, Response, ResponseBody, ResponseCode};

impl SendOwner {
    /// The group whose thread waits.
    pub fn group(&self) -> Option<&GroupName> {
        match self {
            SendOwner::User => None,
            SendOwner::SendBack { group, .. }
            | SendOwner::CleanerSendBack { group }
            | SendOwner::DeadLetter { group, .. } => Some(group),
        }
    }
}

/// Who waits for the send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum SendOwner {
    User,
    /// The fallback of a failed send-back.
    SendBack {
        group: GroupName,
        thread: u32,
    },
    CleanerSendBack {
        group: GroupName,
    },
    /// An orderly dead letter.
    DeadLetter {
        group: GroupName,
        thread: u32,
    },
}

#[derive(Clone, Debug, Serialize)]
pub struct SendRun {
    pub producer: GroupName,
    pub message: NewMessage,
    pub mode: SendMode,
    pub choice: QueueChoice,
    pub owner: SendOwner,
    pub attempts: u32,
    pub began_at: Millis,
    pub attempt_began_at: Millis,
    pub last_broker: Option<BrokerName>,
    pub queue: Option<MessageQueue>,
    /// The topic's own route was asked for; next comes the template's (TBW102).
    pub has_asked_route: bool,
    pub uses_template: bool,
}

impl ClientInstance {
    pub(crate) fn begin_send(
        &mut self,
        producer: GroupName,
        message: NewMessage,
        mode: SendMode,
        choice: QueueChoice,
        owner: SendOwner,
        cx: &mut Context<'_>,
    ) {
        let send = cx.next_token();
        let topic = message.topic.clone();
        let run = SendRun {
            producer: producer.clone(),
            message,
            mode,
            choice,
            owner,
            attempts: 0,
            began_at: cx.now(),
            attempt_began_at: cx.now(),
            last_broker: None,
            queue: None,
            has_asked_route: false,
            uses_template: false,
        };
        let Some(it) = self.producers.get_mut(&producer) else { return };
        it.topics.entry(topic).or_default();
        it.sends.insert(send, run);
        self.find_publish_info(send, cx);
    }

    pub(super) fn producer_of_send(&mut self, send: u64) -> Option<&mut Producer> {
        self.producers.values_mut().find(|producer| producer.sends.contains_key(&send))
    }

    pub(super) fn send_run(&mut self, send: u64) -> Option<&mut SendRun> {
        self.producer_of_send(send)?.sends.get_mut(&send)
    }

    /// tryToFindTopicPublishInfo: the cached route, the route, the template's route.
    fn find_publish_info(&mut self, send: u64, cx: &mut Context<'_>) {
        let Some(run) = self.send_run(send) else { return };
        let topic = run.message.topic.clone();
        let (has_asked, uses_template) = (run.has_asked_route, run.uses_template);
        if !self.publish_queues(&topic).is_empty() {
            return self.send_attempt(send, cx);
        }
        if !has_asked {
            self.send_run(send).expect("it is under way").has_asked_route = true;
            self.ask_route(topic, Waiter::SendRoute { send }, cx);
        } else if !uses_template {
            self.send_run(send).expect("it is under way").uses_template = true;
            let template = TopicName::new(AUTO_CREATE_TOPIC_KEY);
            self.ask_route(template, Waiter::SendRoute { send }, cx);
        } else {
            self.send_attempt(send, cx);
        }
    }

    pub(crate) fn on_send_route(&mut self, send: u64, result: CallResult, cx: &mut Context<'_>) {
        self.route_answered(result, cx);
        self.find_publish_info(send, cx);
    }

    /// One attempt: picks a queue and sends.
    fn send_attempt(&mut self, send: u64, cx: &mut Context<'_>) {
        let ClientInstance { producers, publish_info, broker_addr_table, .. } = self;
        let Some(producer) = producers.values_mut().find(|it| it.sends.contains_key(&send)) else {
            return;
        };
        let Producer { group, config, topics, faults, sends } = producer;
        let run = sends.get_mut(&send).expect("it is this producer's");
        let queues = match run.uses_template {
            false => publish_info.get(&run.message.topic).cloned().unwrap_or_default(),
            true => template_queues(&run.message.topic, publish_info, config),
        };
        let faults = config.send_latency_fault_enable.then_some(&*faults);
        let Some(queue) = select_queue(run, &queues, topics, faults, cx) else {
            return self.send_over(send, None, cx);
        };
        run.attempts += 1;
        run.attempt_began_at = cx.now();
        run.last_broker = Some(queue.broker_name.clone());
        run.queue = Some(queue.clone());
        let mode = run.mode;
        let addresses = broker_addr_table.get(&queue.broker_name);
        let Some(broker) = addresses.and_then(|it| it.get(&MASTER_ID)).copied() else {
            return self.on_send_answer(send, CallResult::Failed, cx);
        };
        let timeout = attempt_timeout(run, config, cx);
        let request = send_request(run, group, config, queue.queue_id, cx);
        let to = Machine::Broker(broker);
        match mode {
            SendMode::Sync => {
                self.call_sync(to, request, timeout, Waiter::Send { send }, cx);
            }
            SendMode::Async => {
                self.call_async(to, request, timeout, Waiter::Send { send }, cx);
            }
            SendMode::Oneway => {
                self.call_oneway(to, request, cx);
                self.forget_send(send);
            }
        }
    }

    pub(crate) fn on_send_answer(&mut self, send: u64, result: CallResult, cx: &mut Context<'_>) {
        let stored = match &result {
            CallResult::Answered(Response {
                code: ResponseCode::Success,
                body: ResponseBody::Sent { queue_id, queue_offset, .. },
                ..
            }) => Some((*queue_id, *queue_offset)),
            _ => None,
        };
        self.note_latency(send, stored.is_none(), cx);
        if stored.is_some() {
            return self.send_over(send, stored, cx);
        }
        if self.may_try_again(send, &result, cx) {
            self.send_attempt(send, cx);
        } else {
            self.send_over(send, None, cx);
        }
    }

    /// spec 08.2: attempts, and the codes on which they are made.
    fn may_try_again(&mut self, send: u64, result: &CallResult, cx: &Context<'_>) -> bool {
        let Some(producer) = self.producer_of_send(send) else { return false };
        let config: &ProducerConfig = &producer.config;
        let run = &producer.sends[&send];
        let timeout_left = attempt_timeout(run, config, cx);
        let is_selected = matches!(run.choice, QueueChoice::HashOf(_) | QueueChoice::Fixed { .. });
        let attempts = match run.mode {
            // A selector's send is tried once.
            SendMode::Sync if is_selected => 1,
            SendMode::Sync => 1 + config.retry_times_when_send_failed,
            SendMode::Async => 1 + config.retry_times_when_send_async_failed,
            SendMode::Oneway => 1,
        };
        let is_retried = match result {
            CallResult::Answered(response) => {
                run.mode == SendMode::Sync
                    && matches!(
                        response.code,
                        ResponseCode::TopicNotExist
                            | ResponseCode::SystemError
                            | ResponseCode::NoPermission
                    )
            }
            CallResult::TimedOut | CallResult::Failed => true,
        };
        is_retried && run.attempts < attempts && timeout_left > Millis::ZERO
    }

    fn forget_send(&mut self, send: u64) -> Option<SendRun> {
        self.producer_of_send(send)?.sends.remove(&send)
    }

    /// The send is over, well or not; its owner goes on.
    fn send_over(
        &mut self,
        send: u64,
        stored: Option<(QueueId, crate::model::offset::QueueOffset)>,
        cx: &mut Context<'_>,
    ) {
        let Some(run) = self.forget_send(send) else { return };
        let message = run.message.body.key.as_ref().map_or_else(|| "".into(), MessageKey::text);
        let topic = run.message.topic.clone();
        match stored {
            Some((queue_id, queue_offset)) => {
                cx.emit(EventKind::SendSucceeded { message, topic, queue_id, queue_offset });
            }
            None => {
                cx.emit(EventKind::SendFailed { message, topic });
            }
        }
        let was_sent = stored.is_some();
        match run.owner {
            SendOwner::User => {}
            SendOwner::SendBack { group, thread } => {
                self.on_fallback_send(&group, thread, was_sent, cx);
            }
            SendOwner::CleanerSendBack { group } => self.on_cleaner_fallback(&group, was_sent, cx),
            SendOwner::DeadLetter { group, thread } => {
                self.on_dead_letter_sent(&group, thread, was_sent, cx);
            }
        }
    }
}

/// The time-out of one attempt; since 4.3.0 what is left of the whole (spec 08.1).
fn attempt_timeout(run: &SendRun, config: &ProducerConfig, cx: &Context<'_>) -> Millis {
    let spent = cx.now() - run.began_at;
    let timeout = config.send_msg_timeout;
    if cx.rules().send_timeout_is_total { timeout - spent } else { timeout }
}

fn send_request(
    run: &mut SendRun,
    producer_group: &GroupName,
    config: &ProducerConfig,
    queue_id: QueueId,
    cx: &Context<'_>,
) -> Request {
    // setBornTimestamp happens in sendKernelImpl, so each attempt of the inner producer has its own.
    if run.owner != SendOwner::User || run.attempts > 1 {
        let body = MessageBody { born_at: cx.now(), ..(*run.message.body).clone() };
        run.message.body = Rc::new(body);
    }
    run.message.queue_id = queue_id;
    // In 4.2.0, as recorded, only the first attempt has the two properties in its header. For later
    // versions no recording shows a second attempt, and the specification speaks of one kind of copy.
    let is_bare = run.attempts > 1 && cx.rules().retry_send_without_max_fails;
    let has_them = is_retry_topic(&run.message.topic) && !is_bare;
    let properties = &run.message.properties;
    Request::SendMessage {
        producer_group: producer_group.clone(),
        reconsume_times: properties.reconsume_time.filter(|_| has_them),
        max_reconsume_times: properties.max_reconsume_times.filter(|_| has_them),
        message: run.message.clone(),
        default_topic_queue_nums: config.default_topic_queue_nums,
    }
}

/// A topic that nobody knows is created on arrival, on any broker that has the template.
fn template_queues(
    topic: &TopicName,
    publish_info: &BTreeMap<TopicName, Rc<[MessageQueue]>>,
    config: &ProducerConfig,
) -> Rc<[MessageQueue]> {
    let template = publish_info.get(&TopicName::new(AUTO_CREATE_TOPIC_KEY));
    let queues = template.into_iter().flat_map(|queues| queues.iter());
    let usable = queues.filter(|queue| queue.queue_id.0 < config.default_topic_queue_nums);
    usable.map(|queue| MessageQueue { topic: topic.clone(), ..queue.clone() }).collect()
}
