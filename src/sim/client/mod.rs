//! One client process: an `MQClientInstance` with its consumers, producers and threads.
//!
//! RocketMQ's single threads are values here: what a thread is in the middle of, while it waits for
//! an answer, is a field (`RebalanceService::pass`, `Worker::state`, ...), and the answer continues it.

pub mod call;
pub mod clean_expired;
pub mod connection;
pub mod consume_concurrently;
pub mod consume_orderly;
pub mod consume_pool;
pub mod consumer;
pub mod factory;
pub mod heartbeat;
pub mod lock;
pub mod offset_reset;
pub mod offset_store;
pub mod perform;
pub mod producer;
pub mod pull_message;
pub mod pull_result;
pub mod rebalance;
pub mod rebalance_queues;
pub mod route;
pub mod select_queue;
pub mod send;
pub mod send_back;
pub mod shutdown;
pub mod start;
pub mod task;

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;

use self::call::PendingCall;
use self::consumer::PushConsumer;
use self::factory::FactoryThread;
use self::heartbeat::HeartbeatRun;
use self::producer::Producer;
use self::pull_message::PullMessageService;
use self::rebalance::RebalanceService;
use self::task::ClientTask;
use crate::model::ids::{
    BrokerIndex, BrokerName, CallId, ClientId, ConnectionId, GroupName, ProcessIndex, TopicName,
};
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::EventKind;
use crate::sim::packet::{Machine, TopicRoute};

/// What has become of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ProcessState {
    Running,
    /// Everything in it was shut down.
    Stopped,
    /// kill -9.
    Crashed,
    /// The machine is gone; nobody was told.
    HostLost,
}

/// Service states of a consumer and of the instance (spec 02.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ServiceState {
    CreateJust,
    StartFailed,
    Running,
    ShutdownAlready,
}

/// `MQClientInstance` (spec 02.1).
#[derive(Clone, Debug, Serialize)]
pub struct ClientInstance {
    pub process: ProcessIndex,
    pub client_id: ClientId,
    /// The label by which consumers of one scenario share a process.
    pub label: Option<String>,
    pub process_state: ProcessState,
    pub state: ServiceState,
    /// When `MQClientInstance.start()` ran.
    pub started_at: Millis,
    pub consumers: BTreeMap<GroupName, PushConsumer>,
    pub producers: BTreeMap<GroupName, Producer>,
    pub topic_route_table: BTreeMap<TopicName, TopicRoute>,
    /// messageQueueList of each topic's `TopicPublishInfo`: what a route means to a producer, made when
    /// the route changes and not at each send.
    #[serde(skip)]
    pub(crate) publish_info: BTreeMap<TopicName, Rc<[MessageQueue]>>,
    /// brokerAddrTable: broker name -> broker id -> address.
    pub broker_addr_table: BTreeMap<BrokerName, BTreeMap<u32, BrokerIndex>>,
    pub connections: BTreeMap<Machine, ConnectionId>,
    pub pending_calls: BTreeMap<CallId, PendingCall>,
    /// Asynchronous calls by the moment from which the scan gives them up.
    pub async_deadlines: BTreeMap<(Millis, CallId), ()>,
    /// The next scan of asynchronous calls that is on the agenda.
    pub scan_at: Option<Millis>,
    pub pull_message_service: PullMessageService,
    pub rebalance_service: RebalanceService,
    pub factory_thread: FactoryThread,
    /// The heartbeat under way, if one is: the try-lock of spec 02.1.
    pub heartbeat: Option<HeartbeatRun>,
    /// A fault: the next heartbeat of a rebalance pass is skipped (spec 11.32).
    pub skip_next_heartbeat: bool,
    /// pullFromWhichNodeTable.
    pub suggested_broker: BTreeMap<MessageQueue, u32>,
    pub send_batches: BTreeMap<u64, producer::SendBatch>,
}

impl ClientInstance {
    pub fn new(
        process: ProcessIndex,
        client_id: ClientId,
        label: Option<String>,
    ) -> ClientInstance {
        ClientInstance {
            process,
            client_id,
            label,
            process_state: ProcessState::Running,
            state: ServiceState::CreateJust,
            started_at: Millis::ZERO,
            consumers: BTreeMap::new(),
            producers: BTreeMap::new(),
            topic_route_table: BTreeMap::new(),
            publish_info: BTreeMap::new(),
            broker_addr_table: BTreeMap::new(),
            connections: BTreeMap::new(),
            pending_calls: BTreeMap::new(),
            async_deadlines: BTreeMap::new(),
            scan_at: None,
            pull_message_service: PullMessageService::default(),
            rebalance_service: RebalanceService::default(),
            factory_thread: FactoryThread::default(),
            heartbeat: None,
            skip_next_heartbeat: false,
            suggested_broker: BTreeMap::new(),
            send_batches: BTreeMap::new(),
        }
    }

    pub fn is_alive(&self) -> bool {
        self.process_state == ProcessState::Running
    }

    /// Runs a task of this process. A task of a dead process does nothing.
    pub fn run(&mut self, task: ClientTask, cx: &mut Context<'_>) {
        if !self.is_alive() {
            return;
        }
        match task {
            ClientTask::StartStep { group } => self.start_step(&group, cx),
            ClientTask::ShutdownStep { group, stage } => self.shutdown_step(&group, stage, cx),
            ClientTask::FactoryTick { job, due } => self.factory_tick(job, due, cx),
            ClientTask::FactoryRun => self.factory_run(cx),
            ClientTask::RebalanceWake { wait } => self.rebalance_wait_over(wait, cx),
            ClientTask::RebalanceLater => self.wake_rebalance(cx),
            ClientTask::RebalanceNext => self.rebalance_next(cx),
            ClientTask::PullNext => self.pull_next(cx),
            ClientTask::PullLater(request) => self.execute_pull_request_immediately(*request, cx),
            ClientTask::RepairOffset { group, queue, process_queue, offset } => {
                self.repair_offset(&group, &queue, process_queue, offset, cx);
            }
            ClientTask::FinishReset { group, offsets } => self.finish_reset(&group, offsets, cx),
            ClientTask::RunConsumeRequest { group, thread } => {
                self.run_consume_request(&group, thread, cx);
            }
            ClientTask::ListenerEnds { group, thread, token } => {
                self.listener_ends(&group, thread, token, cx);
            }
            ClientTask::SubmitLater { group, request } => self.submit_later(&group, *request, cx),
            ClientTask::CleanExpired { group, chain, due } => {
                self.clean_expired(&group, chain, due, cx);
            }
            ClientTask::LockPeriodically { group, chain, due } => {
                self.lock_periodically(&group, chain, due, cx);
            }
            ClientTask::TryLockLater { group, queue, process_queue } => {
                self.try_lock_later(&group, queue, process_queue, cx);
            }
            ClientTask::ConsumeScheduledRun { group } => self.consume_scheduled_run(&group, cx),
            ClientTask::UnlockLater { group, queue } => self.unlock_oneway(&group, queue, cx),
            ClientTask::ConsumeLockTimedOut { token } => self.consume_lock_timed_out(token, cx),
            ClientTask::CallTimeout { call } => self.call_timed_out(call, cx),
            ClientTask::ScanCalls => self.scan_calls(cx),
            ClientTask::ChannelActive { machine } => self.channel_active(machine, cx),
            ClientTask::SendNext { batch } => self.send_next(batch, cx),
        }
    }

    /// kill -9: the system closes the connections, and all that was in memory is gone.
    pub fn crash(&mut self, cx: &mut Context<'_>) {
        cx.emit(EventKind::ProcessCrashed);
        let causes = cx.causes();
        for (machine, connection) in std::mem::take(&mut self.connections) {
            cx.set_causes(causes);
            cx.send_closed(connection, machine);
        }
        self.forget(ProcessState::Crashed);
    }

    /// The host is gone: nothing is closed, nobody is told.
    pub fn lose_host(&mut self, cx: &mut Context<'_>) {
        cx.emit(EventKind::HostLost);
        self.forget(ProcessState::HostLost);
    }

    /// Drops what a dead process held. Its name and groups stay, for the picture.
    pub(crate) fn forget(&mut self, state: ProcessState) {
        let mut gone = ClientInstance::new(self.process, self.client_id.clone(), self.label.take());
        gone.process_state = state;
        gone.started_at = self.started_at;
        for (group, consumer) in std::mem::take(&mut self.consumers) {
            gone.consumers.insert(group, consumer.remains());
        }
        *self = gone;
    }
}
