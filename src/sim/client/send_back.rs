//! sendMessageBack: CONSUMER_SEND_MSG_BACK, then the fallback send, then 5 s locally (spec 05.5).

use std::collections::VecDeque;

use serde::Serialize;

use super::ClientInstance;
use super::call::{CallResult, Waiter};
use super::consume_pool::WorkerState;
use super::send::SendOwner;
use crate::model::config::MessageModel;
use crate::model::constants;
use crate::model::consume_result::{concurrently_max_reconsume_times, is_to_be_sent_back};
use crate::model::ids::{BrokerName, GroupName};
use crate::model::offset::QueueOffset;
use crate::model::process_queue::CachedMessage;
use crate::model::send_back::fallback_message;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, EventKind};
use crate::sim::packet::{Machine, Request};

/// The failed messages of one listener call on their way back.
#[derive(Clone, Debug, Serialize)]
pub struct SendBackRun {
    /// The whole batch, for the end of processConsumeResult.
    pub batch: Vec<CachedMessage>,
    pub left: VecDeque<CachedMessage>,
    /// The one that is under way.
    pub current: Option<CachedMessage>,
    pub delay_level: i32,
    /// Could not be sent back, by neither way.
    pub failed: Vec<QueueOffset>,
    #[serde(skip)]
    pub causes: Option<Causes>,
}

impl SendBackRun {
    pub fn new(
        batch: Vec<CachedMessage>,
        failed: Vec<CachedMessage>,
        delay_level: i32,
    ) -> SendBackRun {
        SendBackRun {
            batch,
            left: failed.into(),
            current: None,
            delay_level,
            failed: Vec::new(),
            causes: None,
        }
    }
}

impl ClientInstance {
    fn send_back_run(&mut self, group: &GroupName, thread: u32) -> Option<&mut SendBackRun> {
        let consumer = self.consumers.get_mut(group)?;
        match &mut consumer.pool.workers.get_mut(thread as usize)?.state {
            WorkerState::SendingBack(run) => Some(run),
            _ => None,
        }
    }

    /// The next failed message, or the end of the result.
    pub(crate) fn send_back_next(&mut self, group: &GroupName, thread: u32, cx: &mut Context<'_>) {
        let began_with = cx.causes();
        let Some(run) = self.send_back_run(group, thread) else { return };
        let causes = *run.causes.get_or_insert(began_with);
        let delay_level = run.delay_level;
        let Some(entry) = run.left.pop_front() else {
            let (batch, failed) = (std::mem::take(&mut run.batch), std::mem::take(&mut run.failed));
            return self.finish_concurrently_result(group, thread, batch, &failed, cx);
        };
        if run.current.is_none() && run.batch.len() > 1 {
            cx.set_causes(causes);
        }
        run.current = Some(entry.clone());
        let rules = cx.rules();
        let consumer = &self.consumers[group];
        let request = consumer.pool.workers[thread as usize].request.as_ref();
        let shelf = request.and_then(|request| consumer.shelves.get(&request.process_queue));
        let is_wanted = shelf.is_some_and(|shelf| {
            let model = MessageModel::Clustering;
            is_to_be_sent_back(&rules, model, &shelf.window, entry.queue_offset())
        });
        if !is_wanted {
            return self.send_back_next(group, thread, cx);
        }
        let broker_name = request.expect("it has a shelf").message_queue.broker_name.clone();
        let waiter = Waiter::SendBack { group: group.clone(), thread };
        if !self.send_message_back(group, &broker_name, &entry, delay_level, waiter, cx) {
            self.on_send_back(group, thread, CallResult::Failed, cx);
        }
    }

    /// CONSUMER_SEND_MSG_BACK to the master of the queue's broker. `false`: there is none.
    pub(crate) fn send_message_back(
        &mut self,
        group: &GroupName,
        broker_name: &BrokerName,
        entry: &CachedMessage,
        delay_level: i32,
        waiter: Waiter,
        cx: &mut Context<'_>,
    ) -> bool {
        let Some(broker) = self.master_of(broker_name) else { return false };
        let profile = cx.profile();
        let max = self.consumers[group].config.max_reconsume_times;
        let request = Request::ConsumerSendMsgBack {
            group: group.clone(),
            origin_topic: entry.message.topic_for_listener().clone(),
            physical_offset: entry.message.physical_offset,
            delay_level,
            max_reconsume_times: concurrently_max_reconsume_times(profile, max),
        };
        let timeout = constants::send_message_back_timeout(profile);
        self.call_sync(Machine::Broker(broker), request, timeout, waiter, cx);
        true
    }

    pub(crate) fn on_send_back(
        &mut self,
        group: &GroupName,
        thread: u32,
        result: CallResult,
        cx: &mut Context<'_>,
    ) {
        let Some(run) = self.send_back_run(group, thread) else { return };
        let Some(entry) = run.current.clone() else { return };
        if result.success().is_some() {
            self.sent_back(group, thread, &entry, false, cx);
        } else {
            let owner = SendOwner::SendBack { group: group.clone(), thread };
            self.send_fallback(group, &entry, owner, cx);
        }
    }

    /// An ordinary send to %RETRY%group by the inner producer, perhaps to another broker.
    pub(crate) fn send_fallback(
        &mut self,
        group: &GroupName,
        entry: &CachedMessage,
        owner: SendOwner,
        cx: &mut Context<'_>,
    ) {
        let max = self.consumers[group].config.max_reconsume_times;
        let max = concurrently_max_reconsume_times(cx.profile(), max);
        let message = fallback_message(group, entry, max);
        self.inner_send(message, owner, cx);
    }

    pub(crate) fn on_fallback_send(
        &mut self,
        group: &GroupName,
        thread: u32,
        was_sent: bool,
        cx: &mut Context<'_>,
    ) {
        let Some(run) = self.send_back_run(group, thread) else { return };
        let Some(entry) = run.current.clone() else { return };
        if was_sent {
            return self.sent_back(group, thread, &entry, true, cx);
        }
        run.failed.push(entry.queue_offset());
        run.current = None;
        cx.emit(EventKind::SendBackFailed { group: group.clone(), message: entry.message });
        self.send_back_next(group, thread, cx);
    }

    fn sent_back(
        &mut self,
        group: &GroupName,
        thread: u32,
        entry: &CachedMessage,
        by_fallback: bool,
        cx: &mut Context<'_>,
    ) {
        let message = entry.message.clone();
        cx.emit(EventKind::SentBack { group: group.clone(), message, by_fallback });
        if let Some(run) = self.send_back_run(group, thread) {
            run.current = None;
        }
        self.send_back_next(group, thread, cx);
    }
}
