//! Random scenarios: small clusters, a crowd of consumers, listeners that fail, things that break.
//!
//! A [`Plan`] is what is drawn and what is shrunk: plain numbers; [`Plan::scenario`] makes the scenario.

#[path = "random_faults.rs"]
mod faults;

use std::rc::Rc;

pub use faults::FaultPlan;
use faults::{bend, fault};

use proptest::collection::vec;
use proptest::prelude::*;
use rocketmq_playground::model::allocate::AllocateStrategy;
use rocketmq_playground::model::config::{
    BrokerConfig, BrokerSpec, ConsumeFromWhere, ConsumeMode, ConsumerConfig, ConsumerSpec,
    MessageModel, SendMode, SubscriptionGroupConfig,
};
use rocketmq_playground::model::ids::{BrokerName, ClientId, GroupName, QueueId, TopicName};
use rocketmq_playground::model::listener::{
    ListenerBehavior, ListenerResult, ListenerScript, ListenerStep, OnInterrupt,
};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::TopicConfig;
use rocketmq_playground::scenario::{Scenario, Words};
use rocketmq_playground::sim::command::{Command, QueueChoice, SendMessages};
use rocketmq_playground::sim::setup::{GroupSetup, Setup, TieBreak, TopicSetup};

/// Things happen until here …
pub const BUSY_UNTIL: u64 = 90_000;
/// … then everything is mended, and by now all is at rest.
pub const REST_AT: u64 = 330_000;

/// How one call ends, and how long it takes.
#[derive(Clone, Debug)]
pub struct StepPlan {
    pub takes: u64,
    pub result: ListenerResult,
    pub ack_index: Option<i32>,
    pub delay_level: i32,
    pub suspend_ms: Option<u64>,
    pub on_interrupt: OnInterrupt,
}

#[derive(Clone, Debug)]
pub struct GroupPlan {
    pub is_orderly: bool,
    pub is_broadcasting: bool,
    pub expression: &'static str,
    pub topics: u32,
    pub strategy: u32,
    pub threads: u32,
    pub batch: u32,
    pub pull_batch: u32,
    pub threshold: u32,
    pub span: u32,
    pub max_reconsume_times: i32,
    pub from_where: u32,
    pub await_ms: u64,
    pub auto_commit: bool,
    pub is_preexisting: bool,
    pub retry_queues: u32,
}

#[derive(Clone, Debug)]
pub struct SendPlan {
    pub at: u64,
    pub topic: u32,
    pub count: u32,
    pub every: u64,
    pub tag: Option<&'static str>,
    pub queue: Option<u32>,
    pub delay_level: i32,
    pub mode: SendMode,
    pub script: Option<Vec<StepPlan>>,
}

/// One consumer's life; `stop_at` counts from its start.
#[derive(Clone, Debug)]
pub struct ConsumerPlan {
    pub at: u64,
    pub group: u32,
    pub pause: u64,
    pub script: Option<Vec<StepPlan>>,
    pub stop_after: Option<u64>,
    /// Which process it shares, if it shares one.
    pub process: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub profile: Profile,
    pub seed: u64,
    pub is_shuffled: bool,
    pub latency: u64,
    pub start_up: u64,
    pub brokers: u32,
    pub topics: Vec<u32>,
    pub groups: Vec<GroupPlan>,
    pub consumers: Vec<ConsumerPlan>,
    pub sends: Vec<SendPlan>,
    pub faults: Vec<(u64, FaultPlan)>,
}

fn results() -> impl Strategy<Value = ListenerResult> {
    prop_oneof![
        6 => Just(ListenerResult::Success),
        4 => Just(ListenerResult::Later),
        1 => Just(ListenerResult::Throws),
        1 => Just(ListenerResult::Null),
        1 => Just(ListenerResult::Commit),
        1 => Just(ListenerResult::Rollback),
    ]
}

fn on_interrupt() -> impl Strategy<Value = OnInterrupt> {
    prop_oneof![
        Just(OnInterrupt::Ignores),
        Just(OnInterrupt::EndsEarly),
        Just(OnInterrupt::Succeeds),
        Just(OnInterrupt::Fails),
    ]
}

fn steps() -> impl Strategy<Value = Vec<StepPlan>> {
    let takes =
        prop_oneof![4 => Just(0), 4 => 1..200u64, 2 => 200..5_000u64, 1 => 5_000..70_000u64];
    let ack_index = prop_oneof![4 => Just(None), 1 => (0..3i32).prop_map(Some)];
    let delay_level = prop_oneof![6 => Just(0), 1 => Just(-1), 2 => 1..4i32];
    let suspend = prop_oneof![4 => Just(None), 1 => (0..3_000u64).prop_map(Some)];
    let step = (takes, results(), ack_index, delay_level, suspend, on_interrupt()).prop_map(
        |(takes, result, ack_index, delay_level, suspend_ms, on_interrupt)| StepPlan {
            takes,
            result,
            ack_index,
            delay_level,
            suspend_ms,
            on_interrupt,
        },
    );
    vec(step, 1..4)
}

fn group() -> impl Strategy<Value = GroupPlan> {
    let model = (any::<bool>(), prop::bool::weighted(0.15));
    let expression = prop_oneof![3 => Just("*"), 1 => Just("A"), 1 => Just("A || B")];
    let threads = prop_oneof![1..4u32, Just(20u32)];
    let sizes = (threads, 1..4u32, prop_oneof![1..6u32, Just(32)], 1..60u32, 1..60u32);
    let retries = prop_oneof![4 => Just(-1), 1 => 0..4i32];
    let more = (retries, 0..3u32, prop_oneof![3 => Just(0), 1 => 1..3_000u64]);
    let flags = (prop::bool::weighted(0.8), any::<bool>(), prop_oneof![5 => Just(1), 1 => 0..3u32]);
    (model, expression, 1..3u32, 0..3u32, sizes, more, flags).prop_map(
        |(model, expression, topics, strategy, sizes, more, flags)| GroupPlan {
            is_orderly: model.0,
            is_broadcasting: model.1,
            expression,
            topics,
            strategy,
            threads: sizes.0,
            batch: sizes.1,
            pull_batch: sizes.2,
            threshold: sizes.3,
            span: sizes.4,
            max_reconsume_times: more.0,
            from_where: more.1,
            await_ms: more.2,
            auto_commit: flags.0,
            is_preexisting: flags.1,
            retry_queues: flags.2,
        },
    )
}

fn consumer() -> impl Strategy<Value = ConsumerPlan> {
    let script = prop_oneof![2 => Just(None), 1 => steps().prop_map(Some)];
    let stop_after = prop_oneof![2 => Just(None), 1 => (0..60_000u64).prop_map(Some)];
    let process = prop_oneof![4 => Just(None), 1 => (0..2u32).prop_map(Some)];
    (0..60_000u64, 0..3u32, 0..300u64, script, stop_after, process).prop_map(
        |(at, group, pause, script, stop_after, process)| ConsumerPlan {
            at: if at % 3 == 0 { 0 } else { at },
            group,
            pause: u64::saturating_sub(pause, 100),
            script,
            stop_after,
            process,
        },
    )
}

fn send() -> impl Strategy<Value = SendPlan> {
    let tag = prop_oneof![2 => Just(None), 1 => Just(Some("A")), 1 => Just(Some("B"))];
    let queue = prop_oneof![3 => Just(None), 1 => (0..4u32).prop_map(Some)];
    let delay = prop_oneof![5 => Just(0), 1 => 1..5i32];
    let mode = prop_oneof![4 => Just(SendMode::Sync), 1 => Just(SendMode::Async), 1 => Just(SendMode::Oneway)];
    let script = prop_oneof![2 => Just(None), 1 => steps().prop_map(Some)];
    let every = prop_oneof![Just(0), 1..300u64];
    (0..80_000u64, 0..2u32, 1..60u32, every, tag, queue, delay, mode, script).prop_map(
        |(at, topic, count, every, tag, queue, delay_level, mode, script)| SendPlan {
            at,
            topic,
            count,
            every,
            tag,
            queue,
            delay_level,
            mode,
            script,
        },
    )
}

/// A plan without faults, or with up to `faults` of them.
pub fn plans(faults: usize) -> impl Strategy<Value = Plan> {
    let basics = (0..3usize, 0..u64::MAX / 2, any::<bool>(), 0..4u64, 0..50u64, 1..3u32);
    let faults = vec(fault(), 0..=faults);
    let crowd = (vec(group(), 1..3), vec(consumer(), 1..6), vec(send(), 1..5), faults);
    (basics, vec(1..5u32, 1..3), crowd).prop_map(|(basics, topics, crowd)| Plan {
        profile: Profile::ALL[basics.0],
        seed: basics.1,
        is_shuffled: basics.2,
        latency: basics.3,
        start_up: basics.4,
        brokers: basics.5,
        topics,
        groups: crowd.0,
        consumers: crowd.1,
        sends: crowd.2,
        faults: crowd.3,
    })
}

/// A plan with faults on a network that, besides, doubles and reorders.
pub fn bent_plans(faults: usize) -> impl Strategy<Value = Plan> {
    (plans(faults), vec(bend(), 1..7)).prop_map(|(mut plan, bends)| {
        plan.faults.extend(bends);
        plan
    })
}

fn listener_script(plan: &[StepPlan]) -> ListenerScript {
    let mut steps = plan.iter().map(|step| ListenerStep {
        takes: Millis(step.takes),
        result: step.result,
        ack_index: step.ack_index,
        delay_level_when_next_consume: step.delay_level,
        suspend_ms: step.suspend_ms.map(Millis),
        on_interrupt: step.on_interrupt,
    });
    let first = steps.next().expect("a script has a step");
    // In the end every message succeeds, so that a run comes to rest.
    let last = ListenerStep { result: ListenerResult::Success, ..ListenerStep::ok() };
    ListenerScript::new(first, steps.chain([last]))
}

impl Plan {
    pub fn broker_name(&self, index: u32) -> BrokerName {
        BrokerName::new(format!("broker-{}", ["a", "b"][(index % self.brokers) as usize]))
    }

    pub fn topic_name(&self, index: u32) -> TopicName {
        TopicName::new(format!("topic{}", index as usize % self.topics.len()))
    }

    pub fn group_of(&self, index: u32) -> (GroupName, &GroupPlan) {
        let index = index as usize % self.groups.len();
        (GroupName::new(format!("group{index}")), &self.groups[index])
    }

    pub fn wrapped(&self, consumer: u32) -> u32 {
        consumer % self.consumers.len() as u32
    }

    pub fn group_of_consumer(&self, consumer: u32) -> (GroupName, &GroupPlan) {
        self.group_of(self.consumers[self.wrapped(consumer) as usize].group)
    }

    pub fn topics_of(&self, group: &GroupPlan) -> impl Iterator<Item = TopicName> {
        (0..group.topics.min(self.topics.len() as u32)).map(|topic| self.topic_name(topic))
    }

    pub fn client_id(&self, consumer: u32) -> ClientId {
        let index = consumer as usize % self.consumers.len();
        match self.consumers[index].process {
            Some(process) => ClientId::new(format!("p{process}")),
            None => ClientId::new(format!("c{index}")),
        }
    }

    fn setup(&self) -> Setup {
        let mut setup = Setup::empty(self.profile);
        setup.seed = self.seed;
        setup.tie_break = if self.is_shuffled { TieBreak::Shuffled } else { TieBreak::Fifo };
        setup.latency = Millis(self.latency);
        setup.start_up = Millis(self.start_up);
        for index in 0..self.brokers {
            setup.brokers.push(BrokerSpec {
                name: self.broker_name(index),
                broker_id: 0,
                config: BrokerConfig::defaults(self.profile),
            });
            for (topic, queues) in self.topics.iter().enumerate() {
                setup.topics.push(TopicSetup {
                    topic: self.topic_name(topic as u32),
                    broker_name: self.broker_name(index),
                    config: TopicConfig::read_write(*queues),
                });
            }
        }
        for (index, plan) in self.groups.iter().enumerate() {
            let config = SubscriptionGroupConfig {
                retry_queue_nums: plan.retry_queues,
                ..SubscriptionGroupConfig::default()
            };
            let (group, _) = self.group_of(index as u32);
            setup.groups.push(GroupSetup { group, config, preexisting: plan.is_preexisting });
        }
        setup
    }

    fn consumer_config(&self, plan: &GroupPlan) -> ConsumerConfig {
        let mut config = ConsumerConfig::defaults(self.profile);
        if plan.is_orderly {
            config.consume_mode = ConsumeMode::Orderly;
        }
        if plan.is_broadcasting {
            config.message_model = MessageModel::Broadcasting;
        }
        config.allocate_strategy = match plan.strategy {
            0 => AllocateStrategy::Averagely,
            1 => AllocateStrategy::AveragelyByCircle,
            _ => AllocateStrategy::consistent_hash(),
        };
        config.consume_thread_min = plan.threads;
        config.consume_thread_max = plan.threads.max(config.consume_thread_max);
        config.consume_message_batch_max_size = plan.batch;
        config.pull_batch_size = plan.pull_batch;
        config.pull_threshold_for_queue = plan.threshold;
        config.consume_concurrently_max_span = plan.span;
        config.max_reconsume_times = plan.max_reconsume_times;
        config.consume_timeout = 1;
        config.consume_from_where = match plan.from_where {
            0 => ConsumeFromWhere::FirstOffset,
            1 => ConsumeFromWhere::LastOffset,
            _ => ConsumeFromWhere::Timestamp(20_000),
        };
        config.await_termination_when_shutdown = Millis(plan.await_ms);
        config.auto_commit = plan.auto_commit;
        config
    }

    pub fn start(&self, index: u32) -> Command {
        let plan = &self.consumers[index as usize];
        let (group, of_group) = self.group_of(plan.group);
        let mut listener = ListenerBehavior { pause: Millis(plan.pause), ..Default::default() };
        if let Some(steps) = &plan.script {
            listener.default_script = listener_script(steps);
        }
        Command::StartConsumer(Box::new(ConsumerSpec {
            client_id: self.client_id(index),
            group,
            process: plan.process.map(|process| format!("process{process}")),
            subscriptions: self
                .topics_of(of_group)
                .map(|topic| (topic, of_group.expression.to_owned()))
                .collect(),
            config: self.consumer_config(of_group),
            listener,
        }))
    }

    fn send(&self, plan: &SendPlan) -> Command {
        let mut send = SendMessages::one(self.topic_name(plan.topic));
        send.count = plan.count;
        send.every = Millis(plan.every);
        send.tag = plan.tag.map(Into::into);
        send.delay_level = plan.delay_level;
        send.mode = plan.mode;
        if let Some(queue) = plan.queue {
            let queues = self.topics[plan.topic as usize % self.topics.len()];
            let queue_id = QueueId(queue % queues);
            send.queue = QueueChoice::Fixed { broker_name: None, queue_id };
        }
        send.script = plan.script.as_ref().map(|steps| Rc::new(listener_script(steps)));
        Command::SendMessages(send)
    }

    pub fn scenario(&self) -> Scenario {
        let mut script = Vec::new();
        for (index, plan) in self.consumers.iter().enumerate() {
            script.push((Millis(plan.at), self.start(index as u32)));
            if let Some(after) = plan.stop_after {
                let (group, _) = self.group_of(plan.group);
                let client_id = self.client_id(index as u32);
                let at = Millis((plan.at + after).min(BUSY_UNTIL));
                script.push((at, Command::StopConsumer { client_id, group: Some(group) }));
            }
        }
        for plan in &self.sends {
            script.push((Millis(plan.at), self.send(plan)));
        }
        for (at, fault) in &self.faults {
            self.break_it(*at, fault, &mut script);
        }
        script.sort_by_key(|(at, _)| *at);
        Scenario {
            id: "random".to_owned(),
            title: Words::same("A random run"),
            about: Words::same("Made by tests/properties.rs"),
            setup: self.setup(),
            script,
            begin: Millis::ZERO,
            until: Millis(REST_AT),
            expectations: Vec::new(),
            marks: Vec::new(),
            differs: Vec::new(),
            recorded: None,
        }
    }
}
