//! The reference workload: one topic, one message into each queue every 10 ms, one message in twenty fails
//! once, 5 ms of work for each, 20 threads for each consumer. And what is needed to run and time it.

use std::rc::Rc;
use std::time::{Duration, Instant};

use rocketmq_playground::model::config::{
    BrokerConfig, BrokerSpec, ConsumeFromWhere, ConsumerConfig, ConsumerSpec,
    SubscriptionGroupConfig,
};
use rocketmq_playground::model::listener::{ListenerBehavior, ListenerScript};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::TopicConfig;
use rocketmq_playground::sim::Simulation;
use rocketmq_playground::sim::command::{Command, SendMessages};
use rocketmq_playground::sim::setup::{GroupSetup, Setup, TopicSetup};

pub const PROFILE: Profile = Profile::V49;

/// By then all consumers have started and shared out the queues.
pub const FIRST_SEND: Millis = Millis(45_000);

/// Time between two messages of one queue.
const EVERY_MS: u64 = 10;

/// After the last message: the failed ones come back after 10 s.
const REST_MS: u64 = 15_000;

/// One size of the workload.
#[derive(Clone, Copy)]
pub struct Size {
    pub queues: u32,
    pub consumers: u32,
    pub messages: u32,
}

impl Size {
    pub fn name(self) -> String {
        format!("{}x{}", self.queues, self.consumers)
    }

    /// When the last message is done.
    pub fn end(self) -> Millis {
        Millis(FIRST_SEND.ms() + u64::from(self.rounds()) * EVERY_MS + REST_MS)
    }

    fn rounds(self) -> u32 {
        self.messages / self.queues
    }

    /// A simulation that has everything before it.
    pub fn simulation(self) -> Simulation {
        let mut simulation = Simulation::new(&self.setup());
        simulation.script((0..self.consumers).map(consumer));
        simulation.script(self.sends());
        simulation
    }

    fn setup(self) -> Setup {
        let mut setup = Setup::empty(PROFILE);
        setup.brokers.push(BrokerSpec {
            name: "broker-a".into(),
            broker_id: 0,
            config: BrokerConfig::defaults(PROFILE),
        });
        setup.topics.push(TopicSetup {
            topic: "T".into(),
            broker_name: "broker-a".into(),
            config: TopicConfig::read_write(self.queues),
        });
        setup.groups.push(GroupSetup {
            group: "G".into(),
            config: SubscriptionGroupConfig::default(),
            preexisting: true,
        });
        setup
    }

    fn sends(self) -> Vec<(Millis, Command)> {
        let failing = Rc::new(ListenerScript::fails_times(1));
        let mut sends = Vec::new();
        for round in 0..self.rounds() {
            // A small topic has a failing message in one of several rounds.
            let rounds_between = (20 / self.queues).max(1);
            let bad = if round % rounds_between == 0 { (self.queues / 20).max(1) } else { 0 };
            let at = Millis(FIRST_SEND.ms() + u64::from(round) * EVERY_MS);
            for (count, script) in [(self.queues - bad, None), (bad, Some(failing.clone()))] {
                if count > 0 {
                    let send = SendMessages { count, script, ..SendMessages::one("T".into()) };
                    sends.push((at, Command::SendMessages(send)));
                }
            }
        }
        sends
    }
}

fn consumer(index: u32) -> (Millis, Command) {
    let mut config = ConsumerConfig::defaults(PROFILE);
    config.consume_from_where = ConsumeFromWhere::FirstOffset;
    let spec = ConsumerSpec {
        client_id: format!("c{index:03}").as_str().into(),
        group: "G".into(),
        process: None,
        subscriptions: vec![("T".into(), "*".into())],
        config,
        listener: ListenerBehavior { pause: Millis(5), ..ListenerBehavior::default() },
    };
    (Millis::ZERO, Command::StartConsumer(Box::new(spec)))
}

/// What a run did, and how long it took.
#[derive(Clone, Copy)]
pub struct Done {
    pub tasks: u64,
    pub events: u64,
    pub took: Duration,
}

impl Done {
    pub const NOTHING: Self = Self { tasks: 0, events: 0, took: Duration::ZERO };

    pub fn plus(self, other: Self) -> Self {
        Self {
            tasks: self.tasks + other.tasks,
            events: self.events + other.events,
            took: self.took + other.took,
        }
    }

    pub fn per_second(self) -> f64 {
        self.tasks as f64 / self.took.as_secs_f64()
    }

    /// A number by which two runs of the same thing know each other; an exit code has room for it.
    pub fn mark(self) -> u8 {
        u8::try_from((self.tasks * 31 + self.events) % 251).expect("it is below 251")
    }
}

/// Runs to `until` with a clock of the caller's; the events are counted and dropped in batches.
pub fn run_with(mut simulation: Simulation, until: Millis, clock: impl Fn() -> Duration) -> Done {
    let began = clock();
    let tasks_before = simulation.engine().counters.task;
    let (mut events, mut untaken) = (0, 0_u32);
    while simulation.next_at().is_some_and(|at| at <= until) {
        simulation.step();
        untaken += 1;
        if untaken == 1_024 {
            untaken = 0;
            events += simulation.drain_events().len() as u64;
        }
    }
    events += simulation.drain_events().len() as u64;
    let tasks = simulation.engine().counters.task - tasks_before;
    Done { tasks, events, took: clock() - began }
}

/// Runs to `until`, timed.
pub fn run(simulation: Simulation, until: Millis) -> Done {
    let began = Instant::now();
    run_with(simulation, until, || cpu_time(began))
}

/// The time that this thread has had a processor; the wall's where the system does not tell.
pub fn cpu_time(began: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ns = told.and_then(|text| text.split(' ').next()?.parse().ok());
    ns.map_or_else(|| began.elapsed(), Duration::from_nanos)
}
