//! shutdown() of a consumer (spec 02.2): the pool, the locks, the offsets, the goodbye, the windows.

use std::collections::VecDeque;

use serde::Serialize;

use super::call::{CallResult, Waiter};
use super::task::ClientTask;
use super::{ClientInstance, ProcessState, ServiceState};
use crate::model::constants;
use crate::model::ids::{BrokerIndex, BrokerName, GroupName, ProcessQueueId};
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::{DropReason, EventKind, TimerKind};
use crate::sim::packet::{Machine, Request};
use crate::sim::task::Task;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ShutdownStage {
    /// The pool may finish in awaitTerminationMillisWhenShutdown (since 4.7.1).
    AwaitPool,
    AwaitAfterInterrupt,
    Unlock,
    Unregister,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShutdownRun {
    pub stage: ShutdownStage,
    pub locks_left: VecDeque<(BrokerName, Vec<MessageQueue>)>,
    pub brokers_left: VecDeque<BrokerIndex>,
}

/// What lies between the interrupt and the next step of shutdown(). [MODEL] Recorded were 1 to 14 ms
/// (spec 02.2).
const NEXT_STEP: Millis = Millis::new(1);

impl ClientInstance {
    /// The user calls shutdown().
    pub fn stop_consumer(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        if !consumer.is_running() || consumer.shutdown.is_some() {
            return;
        }
        if consumer.start.is_some() {
            consumer.stops_when_started = true;
            return;
        }
        consumer.shutdown = Some(ShutdownRun {
            stage: ShutdownStage::AwaitPool,
            locks_left: VecDeque::new(),
            brokers_left: VecDeque::new(),
        });
        consumer.pool.is_shut_down = true;
        cx.emit(EventKind::ShutdownBegan { group: group.clone() });
        if !cx.rules().shutdown_interrupts_listeners {
            return self.shutdown_unlock(group, cx);
        }
        let await_termination = self.consumers[group].config.await_termination_when_shutdown;
        if await_termination == Millis::ZERO {
            self.shutdown_now(group, cx);
            // A listener that ends on its interrupt is processed before the offsets are persisted.
            self.shutdown_stage(group, ShutdownStage::AwaitAfterInterrupt, NEXT_STEP, cx);
        } else {
            self.shutdown_stage(group, ShutdownStage::AwaitPool, await_termination, cx);
        }
    }

    fn shutdown_stage(
        &mut self,
        group: &GroupName,
        stage: ShutdownStage,
        after: Millis,
        cx: &mut Context<'_>,
    ) {
        if let Some(run) = self.shutdown_run(group) {
            run.stage = stage;
        }
        let task = ClientTask::ShutdownStep { group: group.clone(), stage };
        cx.schedule(after, TimerKind::Listener, Task::Client { process: self.process, task });
    }

    fn shutdown_run(&mut self, group: &GroupName) -> Option<&mut ShutdownRun> {
        self.consumers.get_mut(group)?.shutdown.as_mut()
    }

    /// shutdownNow: what waits is thrown away, who listens is interrupted.
    fn shutdown_now(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let Some(consumer) = self.consumers.get_mut(group) else { return };
        for request in consumer.pool.discard_waiting() {
            consumer.release(request.process_queue);
        }
        self.interrupt_listeners(group, cx);
    }

    /// The pool is idle: whoever waits for its termination goes on at once.
    pub(crate) fn shutdown_on_idle_pool(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let Some(consumer) = self.consumers.get(group) else { return };
        let Some(run) = &consumer.shutdown else { return };
        let waits =
            matches!(run.stage, ShutdownStage::AwaitPool | ShutdownStage::AwaitAfterInterrupt);
        let is_limited = consumer.config.await_termination_when_shutdown > Millis::ZERO;
        if waits && is_limited && consumer.pool.busy() == 0 {
            let task = ClientTask::ShutdownStep { group: group.clone(), stage: run.stage };
            cx.schedule_now(Task::Client { process: self.process, task });
        }
    }

    pub(crate) fn shutdown_step(
        &mut self,
        group: &GroupName,
        stage: ShutdownStage,
        cx: &mut Context<'_>,
    ) {
        let Some(run) = self.shutdown_run(group) else { return };
        // A wait that ended early leaves its timer behind.
        if run.stage != stage {
            return;
        }
        match stage {
            ShutdownStage::AwaitPool => {
                let wait = self.consumers[group].config.await_termination_when_shutdown;
                let is_idle = self.consumers[group].pool.busy() == 0;
                if is_idle {
                    return self.shutdown_unlock(group, cx);
                }
                self.shutdown_now(group, cx);
                self.shutdown_stage(group, ShutdownStage::AwaitAfterInterrupt, wait, cx);
            }
            ShutdownStage::AwaitAfterInterrupt => self.shutdown_unlock(group, cx),
            ShutdownStage::Unlock | ShutdownStage::Unregister => {}
        }
    }

    /// Orderly: unlockAll, synchronously, one broker after the other.
    fn shutdown_unlock(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let consumer = &self.consumers[group];
        let locks_left = match consumer.is_orderly() && consumer.is_clustering() {
            true => self.queues_by_broker(group, cx.rules().lock_all_skips_dropped).into(),
            false => VecDeque::new(),
        };
        if let Some(run) = self.shutdown_run(group) {
            run.stage = ShutdownStage::Unlock;
            run.locks_left = locks_left;
        }
        self.shutdown_unlock_next(group, cx);
    }

    fn shutdown_unlock_next(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let Some(run) = self.shutdown_run(group) else { return };
        let Some((broker_name, queues)) = run.locks_left.front().cloned() else {
            return self.shutdown_persist(group, cx);
        };
        let Some(broker) = self.master_of(&broker_name) else {
            self.shutdown_run(group).expect("it is under way").locks_left.pop_front();
            return self.shutdown_unlock_next(group, cx);
        };
        let request = Request::UnlockBatchMq {
            group: group.clone(),
            client_id: self.client_id.clone(),
            queues,
        };
        let timeout = constants::lock_batch_timeout(cx.profile());
        let waiter = Waiter::ShutdownUnlock { group: group.clone() };
        self.call_sync(Machine::Broker(broker), request, timeout, waiter, cx);
    }

    pub(crate) fn shutdown_on_unlock(
        &mut self,
        group: &GroupName,
        result: CallResult,
        cx: &mut Context<'_>,
    ) {
        let Some(run) = self.shutdown_run(group) else { return };
        let Some((_, queues)) = run.locks_left.pop_front() else { return };
        if result.success().is_some() {
            for queue in queues {
                self.set_locked(group, &queue, false, cx);
            }
        }
        self.shutdown_unlock_next(group, cx);
    }

    fn shutdown_persist(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let causes = cx.causes();
        self.persist_consumer_offset(group, cx);
        cx.set_causes(causes);
        let brokers_left =
            self.broker_addr_table.values().flat_map(|addresses| addresses.values().copied());
        let brokers_left = brokers_left.collect();
        if let Some(run) = self.shutdown_run(group) {
            run.stage = ShutdownStage::Unregister;
            run.brokers_left = brokers_left;
        }
        self.shutdown_unregister_next(group, cx);
    }

    fn shutdown_unregister_next(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let Some(run) = self.shutdown_run(group) else { return };
        let Some(broker) = run.brokers_left.pop_front() else {
            return self.shutdown_end(group, cx);
        };
        let request = Request::UnregisterClient {
            client_id: self.client_id.clone(),
            consumer_group: Some(group.clone()),
            producer_group: None,
        };
        let timeout = constants::unregister_client_timeout(cx.profile());
        let waiter = Waiter::ShutdownUnregister { group: group.clone() };
        self.call_sync(Machine::Broker(broker), request, timeout, waiter, cx);
    }

    pub(crate) fn shutdown_on_unregister(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        self.shutdown_unregister_next(group, cx);
    }

    /// destroy(): every window is dropped; then the instance ends too, if nobody else uses it.
    fn shutdown_end(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let consumer = self.consumers.get_mut(group).expect("it is being shut down");
        consumer.shutdown = None;
        consumer.state = ServiceState::ShutdownAlready;
        let table: Vec<(MessageQueue, ProcessQueueId)> =
            std::mem::take(&mut consumer.process_queue_table).into_iter().collect();
        let causes = cx.causes();
        for (queue, id) in table {
            cx.set_causes(causes);
            self.drop_window(group, &queue, id, DropReason::Shutdown, cx);
            if let Some(consumer) = self.consumers.get_mut(group) {
                consumer.collect_garbage(id);
            }
        }
        cx.set_causes(causes);
        cx.emit(EventKind::ConsumerStopped { group: group.clone() });
        let is_used = self.consumers.values().any(|it| it.state != ServiceState::ShutdownAlready);
        let has_user_producer =
            self.producers.keys().any(|group| group.as_str() != super::producer::INNER_PRODUCER);
        if !is_used && !has_user_producer {
            self.stop_instance(cx);
        }
    }

    /// MQClientInstance.shutdown(): the connections close, the process ends.
    fn stop_instance(&mut self, cx: &mut Context<'_>) {
        let causes = cx.causes();
        for (machine, connection) in std::mem::take(&mut self.connections) {
            cx.set_causes(causes);
            cx.send_closed(connection, machine);
        }
        cx.set_causes(causes);
        self.forget(ProcessState::Stopped);
    }

    /// shutdown() of the producers: UNREGISTER_CLIENT to the brokers, then the end.
    pub fn stop_producer(&mut self, cx: &mut Context<'_>) {
        let brokers: Vec<BrokerIndex> = self
            .broker_addr_table
            .values()
            .flat_map(|addresses| addresses.values().copied())
            .collect();
        let inner = super::producer::INNER_PRODUCER;
        let groups: Vec<GroupName> =
            self.producers.keys().filter(|group| group.as_str() != inner).cloned().collect();
        let causes = cx.causes();
        for group in groups {
            for broker in &brokers {
                let request = Request::UnregisterClient {
                    client_id: self.client_id.clone(),
                    consumer_group: None,
                    producer_group: Some(group.clone()),
                };
                cx.set_causes(causes);
                self.call_oneway(Machine::Broker(*broker), request, cx);
            }
            self.producers.remove(&group);
        }
        cx.set_causes(causes);
        if self.consumers.values().all(|it| it.state == ServiceState::ShutdownAlready) {
            self.stop_instance(cx);
        }
    }
}
