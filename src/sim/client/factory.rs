//! MQClientFactoryScheduledThread: one thread for route poll, heartbeat, offset persist and
//! adjustThreadPool; they delay each other (spec 00.3, 02.1).

use std::collections::{BTreeSet, VecDeque};

use serde::Serialize;

use super::ClientInstance;
use super::call::{CallResult, Waiter};
use super::heartbeat::HeartbeatOwner;
use super::task::ClientTask;
use crate::model::constants;
use crate::model::ids::TopicName;
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, TimerKind};
use crate::sim::task::Task;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum FactoryJob {
    /// updateTopicRouteInfoFromNameServer.
    RefreshRoutes,
    /// cleanOfflineBroker, then sendHeartbeatToAllBrokerWithLock.
    Heartbeat,
    /// persistAllConsumerOffset.
    PersistOffsets,
    /// Without effect (spec 02.1).
    AdjustThreadPool,
}

impl FactoryJob {
    pub fn timer(self) -> TimerKind {
        match self {
            FactoryJob::RefreshRoutes => TimerKind::RouteRefresh,
            FactoryJob::Heartbeat => TimerKind::Heartbeat,
            FactoryJob::PersistOffsets => TimerKind::PersistOffset,
            FactoryJob::AdjustThreadPool => TimerKind::AdjustThreadPool,
        }
    }
}

/// A serial server: one job at a time, the others in line.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FactoryThread {
    pub running: Option<FactoryJob>,
    pub routes_left: VecDeque<TopicName>,
    #[serde(skip)]
    waiting: VecDeque<(FactoryJob, Causes)>,
}

impl ClientInstance {
    /// A fixed-rate task comes due: the next one is due a period later, however long this one takes.
    pub(crate) fn factory_tick(&mut self, job: FactoryJob, due: Millis, cx: &mut Context<'_>) {
        let next = due + self.factory_period(job, cx);
        cx.next_turn(next, |cx| self.schedule_factory_tick(job, next, cx));
        self.factory_thread.waiting.push_back((job, cx.causes()));
        self.factory_run(cx);
    }

    pub(crate) fn schedule_factory_tick(&self, job: FactoryJob, due: Millis, cx: &mut Context<'_>) {
        let task = ClientTask::FactoryTick { job, due };
        cx.schedule_at(due, job.timer(), Task::Client { process: self.process, task });
    }

    /// The properties of the first consumer count: an instance has one `ClientConfig`.
    fn factory_period(&self, job: FactoryJob, cx: &Context<'_>) -> Millis {
        let profile = cx.profile();
        let config = self.consumers.values().next().map(|consumer| &consumer.config);
        match job {
            FactoryJob::RefreshRoutes => config.map_or_else(
                || constants::poll_name_server_interval(profile),
                |config| config.poll_name_server_interval,
            ),
            FactoryJob::Heartbeat => config.map_or_else(
                || constants::heartbeat_broker_interval(profile),
                |config| config.heartbeat_broker_interval,
            ),
            FactoryJob::PersistOffsets => config.map_or_else(
                || constants::persist_consumer_offset_interval(profile),
                |config| config.persist_consumer_offset_interval,
            ),
            FactoryJob::AdjustThreadPool => constants::adjust_thread_pool_interval(profile),
        }
    }

    pub(crate) fn factory_run(&mut self, cx: &mut Context<'_>) {
        if self.factory_thread.running.is_some() {
            return;
        }
        let Some((job, causes)) = self.factory_thread.waiting.pop_front() else { return };
        cx.set_causes(causes);
        self.factory_thread.running = Some(job);
        match job {
            FactoryJob::RefreshRoutes => {
                self.factory_thread.routes_left = self.topics_of_interest().into_iter().collect();
                self.factory_next_route(cx);
            }
            FactoryJob::Heartbeat => {
                self.clean_offline_broker();
                self.send_heartbeat(HeartbeatOwner::Factory, cx);
            }
            FactoryJob::PersistOffsets => {
                self.factory_thread.routes_left = self.topics_without_master(cx).into();
                self.factory_next_route(cx);
            }
            FactoryJob::AdjustThreadPool => self.factory_job_done(cx),
        }
    }

    pub(crate) fn factory_job_done(&mut self, cx: &mut Context<'_>) {
        self.factory_thread.running = None;
        if !self.factory_thread.waiting.is_empty() {
            let task = Task::Client { process: self.process, task: ClientTask::FactoryRun };
            cx.schedule_now(task);
        }
    }

    /// Every subscribed topic, and every topic that a producer has sent to.
    fn topics_of_interest(&self) -> BTreeSet<TopicName> {
        let subscribed =
            self.consumers.values().flat_map(|consumer| consumer.subscriptions.keys().cloned());
        let published =
            self.producers.values().flat_map(|producer| producer.topics.keys().cloned());
        subscribed.chain(published).collect()
    }

    fn factory_next_route(&mut self, cx: &mut Context<'_>) {
        match self.factory_thread.routes_left.pop_front() {
            Some(topic) => self.ask_route(topic, Waiter::FactoryRoute, cx),
            None => {
                if self.factory_thread.running == Some(FactoryJob::PersistOffsets) {
                    self.persist_all_consumer_offset(cx);
                }
                self.factory_job_done(cx);
            }
        }
    }

    pub(crate) fn factory_on_route(&mut self, result: CallResult, cx: &mut Context<'_>) {
        self.route_answered(result, cx);
        self.factory_next_route(cx);
    }
}
