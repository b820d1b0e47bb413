//! Hours of virtual time with a fault every minute: no invariant is broken, the state stays as small as it
//! was, and the speed is printed. One hour with each change; `cargo verify --only day` runs 24.
//!
//! What a run keeps on purpose, its logs of messages, lies in segments that clones share, and each process that
//! has ended keeps its name and its remains. The bytes that a clone takes, without the latter, are those of
//! everything else: tables, windows, agenda, connections, what is held.
#![allow(clippy::disallowed_types, clippy::print_stdout, reason = "it measures and prints a speed")]

use std::alloc::System;
use std::time::Instant;

use rocketmq_playground::model::config::{
    BrokerConfig, BrokerSpec, ConsumeFromWhere, ConsumeMode, ConsumerConfig, ConsumerSpec,
    SubscriptionGroupConfig,
};
use rocketmq_playground::model::listener::{ListenerBehavior, ListenerScript};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::TopicConfig;
use rocketmq_playground::scenario::{Scenario, Words};
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::sim::command::{BrokerStop, Command, Party, SendMessages};
use rocketmq_playground::sim::invariants::Checker;
use rocketmq_playground::sim::packet::RequestCode;
use rocketmq_playground::sim::setup::{GroupSetup, Setup, TopicSetup};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const HOUR: u64 = 3_600_000;
const MINUTE: u64 = 60_000;
/// Without faults at the end, so that everything comes to rest.
const REST: u64 = 5 * MINUTE;

#[expect(clippy::disallowed_methods, reason = "how long to run is not part of a run")]
fn hours() -> u64 {
    std::env::var("DAY_HOURS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// A row of numbers that look like chance (splitmix64).
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

fn start(index: u64, profile: Profile) -> Command {
    let mut config = ConsumerConfig::defaults(profile);
    config.consume_from_where = ConsumeFromWhere::FirstOffset;
    let is_orderly = index >= 3;
    if is_orderly {
        config.consume_mode = ConsumeMode::Orderly;
    }
    Command::StartConsumer(Box::new(ConsumerSpec {
        client_id: format!("c{index}").as_str().into(),
        group: if is_orderly { "in-order" } else { "bill" }.into(),
        process: None,
        subscriptions: vec![("orders".into(), "*".into()), ("refunds".into(), "*".into())],
        config,
        listener: ListenerBehavior { pause: Millis(20), ..ListenerBehavior::default() },
    }))
}

fn setup(profile: Profile) -> Setup {
    let mut setup = Setup::empty(profile);
    for name in ["broker-a", "broker-b"] {
        let config = BrokerConfig::defaults(profile);
        setup.brokers.push(BrokerSpec { name: name.into(), broker_id: 0, config });
        for topic in ["orders", "refunds"] {
            setup.topics.push(TopicSetup {
                topic: topic.into(),
                broker_name: name.into(),
                config: TopicConfig::read_write(3),
            });
        }
    }
    for group in ["bill", "in-order"] {
        let config = SubscriptionGroupConfig::default();
        setup.groups.push(GroupSetup { group: group.into(), config, preexisting: true });
    }
    setup
}

/// One fault, and what mends it within the minute.
fn fault(at: u64, draws: &mut Draws, profile: Profile, script: &mut Vec<(Millis, Command)>) {
    let index = draws.below(6);
    let client = || format!("c{index}").as_str().into();
    let name = if draws.below(2) == 0 { "broker-a" } else { "broker-b" };
    let (mended, duration) =
        (at + 5_000 + draws.below(35_000), Some(Millis(draws.below(35_000) + 1)));
    let (a, b) = (Party::Client(client()), Party::Broker(name.into()));
    let mut put = |at: u64, command: Command| script.push((Millis(at), command));
    match draws.below(12) {
        0 | 1 => {
            put(at, Command::CrashConsumer { client_id: client() });
            put(mended, start(index, profile));
        }
        2 => {
            put(at, Command::StopConsumer { client_id: client(), group: None });
            put(mended, start(index, profile));
        }
        3 => {
            put(at, Command::LoseHost { client_id: client() });
            put(mended, start(index, profile));
        }
        4 => put(at, Command::FreezeClient { client_id: client(), duration }),
        5 => put(at, Command::FreezeBroker { broker_name: name.into(), duration }),
        6 => {
            let (broker_id, how) = (0, BrokerStop::Kill { lost_tail: 0 });
            put(at, Command::StopBroker { broker_name: name.into(), broker_id, how });
            put(mended, Command::StartBroker { broker_name: name.into(), broker_id });
        }
        7 => {
            put(
                at,
                Command::Partition { a: a.clone(), b: b.clone(), one_way: draws.below(2) == 0 },
            );
            put(mended, Command::Heal { a, b });
        }
        8 => {
            let code = RequestCode::ALL[draws.below(RequestCode::ALL.len() as u64) as usize];
            let only_response = draws.below(2) == 0;
            put(at, Command::DropNext { from: a, to: b, code, count: 2, only_response });
        }
        9 => {
            let by = |ms| Command::SlowStore { broker_name: name.into(), by: Millis(ms) };
            put(at, by(2_000));
            put(mended, by(0));
        }
        10 => {
            put(at, Command::StopNameServer);
            put(mended, Command::StartNameServer);
        }
        _ => put(at, Command::SkipHeartbeat { client_id: client() }),
    }
}

fn scenario(profile: Profile, hours: u64) -> Scenario {
    let mut draws = Draws(7);
    let mut script: Vec<(Millis, Command)> =
        (0..6).map(|index| (Millis(index * 100), start(index, profile))).collect();
    let sending = hours * HOUR - REST;
    for (topic, every, failures, delay_level) in [
        ("orders", 2_000, 0, 0),
        ("refunds", 5_000, 0, 0),
        ("orders", 31_000, 2, 0),
        ("refunds", 47_000, 0, 3),
    ] {
        let mut send = SendMessages::one(topic.into());
        send.count = (sending / every) as u32;
        send.every = Millis(every);
        send.delay_level = delay_level;
        send.script = Some(std::rc::Rc::new(ListenerScript::fails_times(failures)));
        script.push((Millis(1_000), Command::SendMessages(send)));
    }
    for minute in 1..(sending / MINUTE) {
        let at = minute * MINUTE + draws.below(MINUTE / 4);
        fault(at, &mut draws, profile, &mut script);
    }
    script.sort_by_key(|(at, _)| *at);
    Scenario {
        id: "day".to_owned(),
        title: Words::same("A fault every minute"),
        about: Words::default(),
        setup: setup(profile),
        script,
        begin: Millis::ZERO,
        until: Millis(hours * HOUR),
        expectations: Vec::new(),
        recorded: None,
        marks: Vec::new(),
        differs: Vec::new(),
    }
}

fn bytes_in_use() -> i64 {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated as i64 - stats.bytes_deallocated as i64
}

/// What the making of a value takes.
fn bytes_of<T>(make: impl FnOnce() -> T) -> i64 {
    let before = bytes_in_use();
    let made = make();
    let bytes = bytes_in_use() - before;
    drop(made);
    bytes
}

/// One test, not two: the counter of bytes counts what every thread does.
#[test]
fn hours_with_a_fault_every_minute_end_with_flat_memory_and_no_violation() {
    let hours = hours();
    for profile in Profile::ALL {
        let scenario = scenario(profile, hours);
        is_flat_and_fast(&scenario, profile, hours);
        // Checking takes ten times as long as running.
        if hours > 1 || profile == Profile::V53 {
            keeps_the_invariants(&scenario, profile);
        }
    }
}

fn is_flat_and_fast(scenario: &Scenario, profile: Profile, hours: u64) {
    let mut simulation = scenario.simulation();
    let mut spent = std::time::Duration::ZERO;
    let mut events = 0;
    let mut sizes = Vec::new();
    let (mut ended_count, mut ended_bytes) = (0, 0);
    // Twelve looks, none in the middle of a fault.
    for look in 1..=12 {
        let until = (hours * HOUR - REST) * look / 12 / MINUTE * MINUTE;
        let started = Instant::now();
        while simulation.now() < Millis(until) {
            simulation.run_until(Millis(until), TaskBudget(100_000));
            events += simulation.take_events().len();
        }
        spent += started.elapsed();
        let clients = &simulation.world().clients;
        let ended =
            || clients.iter().filter(|client| !client.is_alive()).cloned().collect::<Vec<_>>();
        (ended_count, ended_bytes) = (ended().len(), bytes_of(ended));
        sizes.push((bytes_of(|| simulation.clone()) - ended_bytes) / 1_024);
    }
    let tasks = simulation.engine().counters.task;
    println!(
        "{}: {hours} h, {events} events, {tasks} tasks in {:.1} s ({:.0} a second); {ended_count} ended processes \
         of {} bytes; KiB beside these and the logs: {sizes:?}",
        profile.name(),
        spent.as_secs_f64(),
        tasks as f64 / spent.as_secs_f64(),
        ended_bytes / ended_count.max(1) as i64,
    );
    let (first, last) = (sizes[..4].iter().max(), sizes[8..].iter().max());
    assert!(last <= first.map(|it| it * 5 / 4).as_ref(), "{profile:?}: {sizes:?} KiB");
}

fn keeps_the_invariants(scenario: &Scenario, profile: Profile) {
    let mut simulation = scenario.simulation();
    let mut checker = Checker::new(&simulation);
    while simulation.next_at().is_some_and(|at| at <= scenario.until) {
        simulation.step();
        let events = simulation.take_events();
        assert_eq!(checker.after_task(&simulation, &events), [], "{profile:?}");
    }
    simulation.run_until(scenario.until, TaskBudget::UNLIMITED);
    assert_eq!(checker.at_rest(&simulation), [], "{profile:?}");
}
