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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::Profile;
    use crate::sim::broker::bench::{Bench, queue};
    use crate::sim::command::BrokerStop;
    use crate::sim::packet::Request;

    /// Which queues `client` holds after it asked for some.
    fn lock(bench: &mut Bench, client: u32, ids: &[u32]) -> Vec<u32> {
        let request = Request::LockBatchMq {
            group: "G".into(),
            client_id: ClientId::new(format!("C{client}")),
            queues: ids.iter().map(|id| queue(*id)).collect(),
        };
        match bench.ask(client, request).body {
            ResponseBody::Locked(held) => held.iter().map(|queue| queue.queue_id.0).collect(),
            other => panic!("{other:?}"),
        }
    }

    fn unlock(bench: &mut Bench, client: u32, ids: &[u32]) -> ResponseCode {
        let request = Request::UnlockBatchMq {
            group: "G".into(),
            client_id: ClientId::new(format!("C{client}")),
            queues: ids.iter().map(|id| queue(*id)).collect(),
        };
        bench.ask(client, request).code
    }

    #[test]
    fn the_answer_is_what_the_client_holds_and_the_owner_of_the_rest_is_told_in_the_event() {
        let mut bench = Bench::new(Profile::V49);
        assert_eq!(lock(&mut bench, 1, &[0, 1]), [0, 1]);
        assert_eq!(lock(&mut bench, 2, &[1, 2]), [2]);
        let refused = bench.events(|kind| matches!(kind, EventKind::QueueLockRefused { .. }));
        let EventKind::QueueLockRefused { owner, client, queue: refused, .. } = &refused[0].kind
        else {
            panic!("filtered above");
        };
        assert_eq!((owner.as_str(), client.as_str(), refused), ("C1", "C2", &queue(1)));
    }

    #[test]
    fn a_lease_of_60_s_counts_from_the_last_renewal_and_is_taken_only_when_older() {
        let mut bench = Bench::new(Profile::V49);
        lock(&mut bench, 1, &[0]);
        bench.run_until(20_000);
        lock(&mut bench, 1, &[0]);
        bench.run_until(80_000);
        assert_eq!(lock(&mut bench, 2, &[0]), [0; 0], "60 s old");
        bench.run_until(80_001);
        assert_eq!(lock(&mut bench, 2, &[0]), [0]);
        let is_renewal =
            |kind: &EventKind| matches!(kind, EventKind::QueueLocked { renewed: true, .. });
        assert_eq!(bench.count(is_renewal), 1);
    }

    #[test]
    fn only_the_owner_gives_a_queue_back_and_all_others_succeed_without_effect() {
        let mut bench = Bench::new(Profile::V49);
        lock(&mut bench, 1, &[0]);
        assert_eq!(unlock(&mut bench, 2, &[0]), ResponseCode::Success);
        assert_eq!(lock(&mut bench, 2, &[0]), [0; 0]);
        assert_eq!(unlock(&mut bench, 1, &[0, 3]), ResponseCode::Success);
        assert_eq!(lock(&mut bench, 2, &[0]), [0]);
        assert_eq!(bench.count(|kind| matches!(kind, EventKind::QueueUnlocked { .. })), 1);
    }

    #[test]
    fn a_lock_outlives_its_owner_s_connection_but_not_the_broker() {
        let mut bench = Bench::new(Profile::V49);
        bench.heartbeat(1, "*", 1);
        lock(&mut bench, 1, &[0]);
        bench.close(1);
        assert_eq!(lock(&mut bench, 2, &[0]), [0; 0]);
        bench.stop(BrokerStop::Kill { lost_tail: 0 });
        bench.start();
        assert_eq!(lock(&mut bench, 2, &[0]), [0]);
    }
}
