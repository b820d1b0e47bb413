//! LOCK_BATCH_MQ and UNLOCK_BATCH_MQ: leases on orderly queues (spec 01.4).
//!
//! Follows `AdminBrokerProcessor.lockBatchMQ`, `unlockBatchMQ`; the table is
//! `model::rebalance_lock`.

use super::Broker;
use super::channels::Caller;
use crate::model::ids::{ClientId, GroupName};
use crate::model::message_queue::MessageQueue;
use crate::model::rebalance_lock::LockAnswer;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, EventKind};
use crate::sim::packet::{RequestCode, ResponseBody, ResponseCode};

impl Broker {
    /// Answers those of the queues that the client holds now.
    pub(crate) fn lock_batch_mq(
        &mut self,
        caller: Caller,
        group: &GroupName,
        client_id: &ClientId,
        queues: Vec<MessageQueue>,
        cx: &mut Context<'_>,
    ) {
        let max_live_time = self.config.rebalance_lock_max_live_time;
        let answers =
            self.rebalance_lock.try_lock_batch(group, &queues, client_id, cx.now(), max_live_time);
        let causes = cx.causes();
        let mut held = Vec::with_capacity(queues.len());
        let mut answered = Causes::NONE;
        for (queue, answer) in queues.into_iter().zip(answers) {
            let (group, client) = (group.clone(), client_id.clone());
            cx.set_causes(causes);
            let event = match answer {
                LockAnswer::Refused { owner } => {
                    cx.emit(EventKind::QueueLockRefused { group, queue, client, owner })
                }
                LockAnswer::Granted | LockAnswer::Renewed => {
                    let renewed = answer == LockAnswer::Renewed;
                    held.push(queue.clone());
                    cx.emit(EventKind::QueueLocked { group, queue, client, renewed })
                }
            };
            answered.add(event);
        }
        cx.set_causes(if answered == Causes::NONE { causes } else { answered });
        let body = ResponseBody::Locked(held);
        self.answer(caller, RequestCode::LockBatchMq, ResponseCode::Success, body, cx);
    }

    /// Gives back those of the queues that the client holds; succeeds in any case.
    pub(crate) fn unlock_batch_mq(
        &mut self,
        caller: Caller,
        group: &GroupName,
        client_id: &ClientId,
        queues: &[MessageQueue],
        cx: &mut Context<'_>,
    ) {
        let given_back = self.rebalance_lock.unlock_batch(group, queues, client_id);
        let causes = cx.causes();
        for (queue, given_back) in queues.iter().zip(given_back) {
            if given_back {
                let (group, queue, client) = (group.clone(), queue.clone(), client_id.clone());
                cx.set_causes(causes);
                cx.emit(EventKind::QueueUnlocked { group, queue, client });
            }
        }
        cx.set_causes(causes);
        self.answer_code(caller, RequestCode::UnlockBatchMq, ResponseCode::Success, cx);
    }
}
