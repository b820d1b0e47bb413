//! `DefaultMQPushConsumerImpl.start()`, step by step (spec 02.2). The numbers of the steps are those
//! of the spec; each that is done is told by `StartStepDone`.

use std::collections::VecDeque;

use serde::Serialize;

use super::call::{CallResult, Waiter};
use super::consumer::PushConsumer;
use super::factory::FactoryJob;
use super::heartbeat::HeartbeatOwner;
use super::task::ClientTask;
use super::{ClientInstance, ServiceState};
use crate::model::config::ConsumerConfig;
use crate::model::constants;
use crate::model::ids::{GroupName, TopicName};
use crate::model::subscription::SubscriptionData;
use crate::model::time::Millis;
use crate::model::topic::retry_topic;
use crate::sim::command::CommandError;
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, StartStep, TimerKind};
use crate::sim::task::Task;

/// Where start() is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StartRun {
    /// The last step that is done.
    pub step: StartStep,
    /// Step 12: whose routes are still to be asked for.
    pub routes_left: VecDeque<TopicName>,
}

impl ClientInstance {
    /// Whether a consumer of the group is registered, or about to be.
    pub fn has_group(&self, group: &GroupName) -> bool {
        let consumer = self.consumers.get(group);
        consumer.is_some_and(|consumer| consumer.state != ServiceState::ShutdownAlready)
    }

    /// The user calls start(). Steps 1 to 11 need no answer and run at once.
    ///
    /// # Errors
    /// If a check of step 2 or 3 fails, or if the group is registered already (step 9): then
    /// `StartFailed` has told so after the steps that were done.
    pub fn start_consumer(
        &mut self,
        consumer: PushConsumer,
        cx: &mut Context<'_>,
    ) -> Result<(), CommandError> {
        let group = consumer.group.clone();
        cx.emit(EventKind::ConsumerStarting { group: group.clone() });
        step_done(&group, 1, cx);
        if let Err(error) = check_config(&group, &consumer.config, &consumer.wanted) {
            return start_failed(&group, error, cx);
        }
        if self.has_group(&group) {
            (2..=8).for_each(|step| step_done(&group, step, cx));
            let error = CommandError::GroupExists(group.clone());
            return start_failed(&group, error, cx);
        }
        self.put_consumer(consumer, cx);
        step_done(&group, 2, cx);
        self.copy_subscription(&group, cx);
        (3..=7).for_each(|step| step_done(&group, step, cx));
        self.start_consume_service(&group, cx);
        step_done(&group, 8, cx);
        step_done(&group, 9, cx);
        self.start_instance(cx);
        step_done(&group, 10, cx);
        let consumer = self.consumers.get_mut(&group).expect("it is being started");
        consumer.state = ServiceState::Running;
        consumer.started_at = cx.now();
        let routes_left = consumer.topics_in_order().into();
        consumer.start = Some(StartRun { step: 11, routes_left });
        step_done(&group, 11, cx);
        let task = ClientTask::StartStep { group };
        let start_up = cx.engine.start_up;
        cx.schedule(start_up, TimerKind::StartUp, Task::Client { process: self.process, task });
        Ok(())
    }

    /// Takes a new consumer in. In a shared instance an earlier one of the group may have been shut
    /// down: what its threads still wait for is no business of the new one.
    fn put_consumer(&mut self, mut consumer: PushConsumer, cx: &mut Context<'_>) {
        let group = consumer.group.clone();
        if self.consumers.contains_key(&group) {
            let abandoned: Vec<_> = self
                .pending_calls
                .iter()
                .filter(|(_, pending)| pending.waiter.group() == Some(&group))
                .map(|(call, _)| *call)
                .collect();
            abandoned.into_iter().for_each(|call| self.abandon_call(call, cx));
            for producer in self.producers.values_mut() {
                producer.sends.retain(|_, send| send.owner.group() != Some(&group));
            }
        }
        consumer.state = ServiceState::StartFailed;
        self.consumers.insert(group, consumer);
    }

    fn later_step_done(&mut self, group: &GroupName, step: StartStep, cx: &mut Context<'_>) {
        let run = self.consumers.get_mut(group).and_then(|consumer| consumer.start.as_mut());
        run.expect("it is being started").step = step;
        step_done(group, step, cx);
    }

    /// Step 3. CLUSTERING also subscribes to the group's own retry topic.
    fn copy_subscription(&mut self, group: &GroupName, cx: &Context<'_>) {
        let sub_version = cx.local_now().ms();
        let consumer = self.consumers.get_mut(group).expect("it is being started");
        for (topic, expression) in &consumer.wanted {
            let data = SubscriptionData::parse(topic, expression, sub_version);
            let data = data.expect("checkConfig has read it");
            consumer.subscriptions.insert(topic.clone(), data);
        }
        if consumer.is_clustering() {
            let topic = retry_topic(group);
            let data = SubscriptionData::all(&topic, sub_version);
            consumer.subscriptions.insert(topic, data);
        } else {
            // Step 7: LocalFileOffsetStore.load().
            consumer.offset_store = consumer.local_file.clone();
        }
    }

    /// Step 8.
    fn start_consume_service(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let profile = cx.profile();
        let chain = cx.next_token();
        let causes = cx.causes();
        let consumer = self.consumers.get_mut(group).expect("it is being started");
        consumer.chain = chain;
        let (is_orderly, is_clustering) = (consumer.is_orderly(), consumer.is_clustering());
        if !is_orderly {
            let period = Millis::from_minutes(u64::from(consumer.config.consume_timeout));
            self.schedule_clean_expired(group, chain, cx.now() + period, cx);
        } else if is_clustering {
            let due = cx.now() + constants::lock_periodically_initial_delay(profile);
            for _ in 0..constants::lock_periodically_requests(profile) {
                cx.set_causes(causes);
                self.schedule_lock_periodically(group, chain, due, cx);
            }
        }
        cx.set_causes(causes);
    }

    /// Step 10: `MQClientInstance.start()` (spec 02.1); nothing if it runs already.
    pub(crate) fn start_instance(&mut self, cx: &mut Context<'_>) {
        if self.state != ServiceState::CreateJust {
            return;
        }
        let profile = cx.profile();
        self.state = ServiceState::Running;
        self.started_at = cx.now();
        let causes = cx.causes();
        let initial = [
            (FactoryJob::RefreshRoutes, constants::poll_name_server_initial_delay(profile)),
            (FactoryJob::Heartbeat, constants::heartbeat_broker_initial_delay(profile)),
            (FactoryJob::PersistOffsets, constants::persist_consumer_offset_initial_delay(profile)),
            (FactoryJob::AdjustThreadPool, constants::adjust_thread_pool_interval(profile)),
        ];
        for (job, after) in initial {
            cx.set_causes(causes);
            self.schedule_factory_tick(job, cx.now() + after, cx);
        }
        cx.set_causes(causes);
        self.start_rebalance_service(cx);
        self.start_inner_producer(cx);
        cx.set_causes(causes);
    }

    /// Step 12: one route after the other.
    fn start_next_route(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        let consumer = self.consumers.get_mut(group).expect("it is being started");
        let run = consumer.start.as_mut().expect("it is being started");
        match run.routes_left.pop_front() {
            Some(topic) => self.ask_route(topic, Waiter::StartRoute(group.clone()), cx),
            None => {
                self.later_step_done(group, 12, cx);
                // Step 13, checkClientInBroker, sends nothing for TAG expressions.
                self.later_step_done(group, 13, cx);
                self.send_heartbeat(HeartbeatOwner::Start(group.clone()), cx);
            }
        }
    }

    pub(crate) fn start_on_route(
        &mut self,
        group: &GroupName,
        result: CallResult,
        cx: &mut Context<'_>,
    ) {
        self.route_answered(result, cx);
        if self.consumers.get(group).is_some_and(|consumer| consumer.start.is_some()) {
            self.start_next_route(group, cx);
        }
    }

    /// Steps 14 and 15: the heartbeat is through (or was skipped), the rebalance is woken.
    pub(crate) fn start_on_heartbeat(
        &mut self,
        group: &GroupName,
        was_sent: bool,
        cx: &mut Context<'_>,
    ) {
        if self.consumers.get(group).is_none_or(|consumer| consumer.start.is_none()) {
            return;
        }
        self.later_step_done(group, 14, cx);
        if was_sent || !cx.rules().start_rebalance_needs_heartbeat {
            let causes = cx.causes();
            self.wake_rebalance(cx);
            cx.set_causes(causes);
        }
        self.later_step_done(group, 15, cx);
        let consumer = self.consumers.get_mut(group).expect("it is being started");
        consumer.start = None;
        let stops_now = consumer.stops_when_started;
        cx.emit(EventKind::ConsumerStarted { group: group.clone() });
        if stops_now {
            self.stop_consumer(group, cx);
        }
    }

    /// The process is up: the steps that ask others begin.
    pub(crate) fn start_step(&mut self, group: &GroupName, cx: &mut Context<'_>) {
        if self.consumers.get(group).is_some_and(|consumer| consumer.start.is_some()) {
            self.start_next_route(group, cx);
        }
    }
}

fn step_done(group: &GroupName, step: StartStep, cx: &mut Context<'_>) {
    cx.emit(EventKind::StartStepDone { group: group.clone(), step });
}

fn start_failed(
    group: &GroupName,
    error: CommandError,
    cx: &mut Context<'_>,
) -> Result<(), CommandError> {
    cx.emit(EventKind::StartFailed { group: group.clone(), error: error.clone() });
    Err(error)
}

/// Step 2, checkConfig: the ranges of spec 02.2. Names every property that is out of range.
pub fn check_config(
    group: &GroupName,
    config: &ConsumerConfig,
    subscriptions: &[(TopicName, String)],
) -> Result<(), CommandError> {
    let mut problems = Vec::new();
    check_group_name(group, &mut problems);
    if subscriptions.is_empty() {
        problems.push("subscription: nothing is subscribed".to_owned());
    }
    for (topic, expression) in subscriptions {
        if let Err(error) = SubscriptionData::parse(topic, expression, 0) {
            problems.push(format!("subscription {topic}: {error}"));
        }
    }
    let in_range = [
        ("consumeThreadMin", i64::from(config.consume_thread_min), 1, 1_000),
        ("consumeThreadMax", i64::from(config.consume_thread_max), 1, 1_000),
        ("consumeConcurrentlyMaxSpan", i64::from(config.consume_concurrently_max_span), 1, 65_535),
        ("pullThresholdForQueue", i64::from(config.pull_threshold_for_queue), 1, 65_535),
        ("pullThresholdSizeForQueue", i64::from(config.pull_threshold_size_for_queue), 1, 1_024),
        ("pullInterval", config.pull_interval.ms() as i64, 0, 65_535),
        ("consumeMessageBatchMaxSize", i64::from(config.consume_message_batch_max_size), 1, 1_024),
        ("pullBatchSize", i64::from(config.pull_batch_size), 1, 1_024),
    ];
    for (name, value, low, high) in in_range {
        if !(low..=high).contains(&value) {
            problems.push(format!("{name} is {value}, allowed are {low} to {high}"));
        }
    }
    let unset_or = [
        ("pullThresholdForTopic", config.pull_threshold_for_topic, 6_553_500),
        ("pullThresholdSizeForTopic", config.pull_threshold_size_for_topic, 102_400),
    ];
    for (name, value, high) in unset_or {
        if value != -1 && !(1..=high).contains(&value) {
            problems.push(format!("{name} is {value}, allowed are -1 and 1 to {high}"));
        }
    }
    if config.consume_thread_min > config.consume_thread_max {
        problems.push(format!(
            "consumeThreadMin is {}, above consumeThreadMax {}",
            config.consume_thread_min, config.consume_thread_max
        ));
    }
    if problems.is_empty() { Ok(()) } else { Err(CommandError::BadConfig(problems.join("; "))) }
}

fn check_group_name(group: &GroupName, problems: &mut Vec<String>) {
    let name = group.as_str();
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '%' | '|' | '-' | '_');
    if name.is_empty() {
        problems.push("consumerGroup is empty".to_owned());
    } else if name == "DEFAULT_CONSUMER" {
        problems.push("consumerGroup can't be DEFAULT_CONSUMER".to_owned());
    } else if !name.chars().all(legal) {
        problems.push(format!("consumerGroup {name:?} may have only letters, digits and %|-_"));
    }
}
