//! How fast the engine is, and how much memory its messages and events take.
//!
//! `cargo bench --no-default-features --bench engine` prints: tasks per second of each preset and of the
//! reference workload at three sizes (PERFORMANCE.md, section 1), each beside a bare heap loop that does
//! the least that the same workload needs, in the same round; bytes for each message and event. Times are
//! of the processor, not of the wall, and the median of the rounds counts. `-- quick` leaves the largest
//! size out; `-- SIZE` (`4x2`, `64x16`, `1024x64`) runs only that one, once, for a profiler.

#![allow(clippy::disallowed_types, reason = "a bench measures time")]
#![allow(clippy::print_stdout, reason = "a bench prints")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rocketmq_playground::model::config::{
    BrokerConfig, BrokerSpec, ConsumeFromWhere, ConsumerConfig, ConsumerSpec,
    SubscriptionGroupConfig,
};
use rocketmq_playground::model::listener::{ListenerBehavior, ListenerScript};
use rocketmq_playground::model::message::StoredMessage;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::TopicConfig;
use rocketmq_playground::scenario::presets;
use rocketmq_playground::sim::Simulation;
use rocketmq_playground::sim::agenda::AgendaEntry;
use rocketmq_playground::sim::command::{Command, SendMessages};
use rocketmq_playground::sim::event::Event;
use rocketmq_playground::sim::packet::Packet;
use rocketmq_playground::sim::setup::{GroupSetup, Setup, TopicSetup};

/// One size of the reference workload.
#[derive(Clone, Copy)]
struct Size {
    queues: u32,
    consumers: u32,
    messages: u32,
}

const SIZES: [Size; 3] = [
    Size { queues: 4, consumers: 2, messages: 100_000 },
    Size { queues: 64, consumers: 16, messages: 300_000 },
    Size { queues: 1_024, consumers: 64, messages: 1_000_000 },
];

const ROUNDS: usize = 5;
const PROFILE: Profile = Profile::V49;

impl Size {
    fn name(self) -> String {
        format!("{}x{}", self.queues, self.consumers)
    }
}

/// The time that this thread has had a processor; the wall's where the system does not tell.
fn cpu_time(began: Instant) -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ns = told.and_then(|text| text.split(' ').next()?.parse().ok());
    ns.map_or_else(|| began.elapsed(), Duration::from_nanos)
}

/// Bytes of memory that the process has now.
fn resident_bytes() -> u64 {
    let told = fs::read_to_string("/proc/self/statm").ok();
    let pages = told.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4_096
}

/// One message into each queue every 10 ms; 5 % of them fail once; 5 ms of work, 20 threads.
fn workload(size: Size) -> Simulation {
    let mut setup = Setup::empty(PROFILE);
    setup.brokers.push(BrokerSpec {
        name: "broker-a".into(),
        broker_id: 0,
        config: BrokerConfig::defaults(PROFILE),
    });
    setup.topics.push(TopicSetup {
        topic: "T".into(),
        broker_name: "broker-a".into(),
        config: TopicConfig::read_write(size.queues),
    });
    setup.groups.push(GroupSetup {
        group: "G".into(),
        config: SubscriptionGroupConfig::default(),
        preexisting: true,
    });
    let mut simulation = Simulation::new(&setup);
    let mut config = ConsumerConfig::defaults(PROFILE);
    config.consume_from_where = ConsumeFromWhere::FirstOffset;
    let consumers = (0..size.consumers).map(|index| {
        let spec = ConsumerSpec {
            client_id: format!("c{index:03}").as_str().into(),
            group: "G".into(),
            process: None,
            subscriptions: vec![("T".into(), "*".into())],
            config: config.clone(),
            listener: ListenerBehavior { pause: Millis(5), ..ListenerBehavior::default() },
        };
        (Millis(0), Command::StartConsumer(Box::new(spec)))
    });
    simulation.script(consumers);
    let failing = Rc::new(ListenerScript::fails_times(1));
    let bad = (size.queues / 20).max(1);
    let rounds = size.messages / size.queues;
    for round in 0..rounds {
        // Small sizes fail in one of several rounds, so that it is one in twenty everywhere.
        let bad = if bad * 20 <= size.queues || round % (20 / size.queues) == 0 { bad } else { 0 };
        let at = Millis(20_000 + u64::from(round) * 10);
        for (count, script) in [(size.queues - bad, None), (bad, Some(failing.clone()))] {
            if count > 0 {
                let mut send = SendMessages::one("T".into());
                (send.count, send.script) = (count, script);
                simulation.script([(at, Command::SendMessages(send))]);
            }
        }
    }
    simulation
}

/// What a run did, and how long it took.
struct Done {
    tasks: u64,
    events: u64,
    took: Duration,
}

impl Done {
    fn per_second(&self) -> f64 {
        self.tasks as f64 / self.took.as_secs_f64()
    }
}

/// Runs to the end; the events are taken and dropped in batches, as a recording would take them.
fn run(mut simulation: Simulation, until: Millis) -> Done {
    let began = Instant::now();
    let start = cpu_time(began);
    let (tasks_before, mut events, mut untaken) = (simulation.engine().counters.task, 0, 0_u32);
    while simulation.next_at().is_some_and(|at| at <= until) {
        simulation.step();
        untaken += 1;
        if untaken == 1_024 {
            untaken = 0;
            events += simulation.take_events().len() as u64;
        }
    }
    events += simulation.take_events().len() as u64;
    let tasks = simulation.engine().counters.task - tasks_before;
    Done { tasks, events, took: cpu_time(began) - start }
}

fn end_of(size: Size) -> Millis {
    Millis(20_000 + u64::from(size.messages / size.queues) * 10 + 15_000)
}

/// The least that the same workload needs: a heap of enum events, counters for queues and threads.
/// Answers its logical events.
fn bare_heap(size: Size) -> (u64, Duration) {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    enum What {
        Append(u32),
        Pull(u32),
        Answer(u32, u32),
        End(u32, u32),
        Again(u32),
    }
    let began = Instant::now();
    let start = cpu_time(began);
    let mut heap: BinaryHeap<Reverse<(u64, u64, What)>> = BinaryHeap::new();
    let (mut sequence, mut events) = (0_u64, 0_u64);
    let queues = size.queues as usize;
    let (mut ends, mut nexts, mut parked) =
        (vec![0_u32; queues], vec![0_u32; queues], vec![true; queues]);
    let mut done = vec![0_u32; queues];
    let rounds = size.messages / size.queues;
    let mut push = |heap: &mut BinaryHeap<_>, at: u64, what: What| {
        sequence += 1;
        heap.push(Reverse((at, sequence, what)));
    };
    for queue in 0..size.queues {
        push(&mut heap, 0, What::Append(queue));
    }
    while let Some(Reverse((at, _, what))) = heap.pop() {
        events += 1;
        match what {
            What::Append(queue) => {
                let index = queue as usize;
                ends[index] += 1;
                if std::mem::take(&mut parked[index]) {
                    push(&mut heap, at + 1, What::Answer(queue, ends[index] - nexts[index]));
                }
                if ends[index] < rounds {
                    push(&mut heap, at + 10, What::Append(queue));
                }
            }
            What::Pull(queue) => {
                let index = queue as usize;
                let found = (ends[index] - nexts[index]).min(32);
                if found == 0 {
                    parked[index] = true;
                } else {
                    push(&mut heap, at + 1, What::Answer(queue, found));
                }
            }
            What::Answer(queue, found) => {
                for offset in 0..found {
                    let number = nexts[queue as usize] + offset;
                    push(&mut heap, at + 5, What::End(queue, number));
                }
                nexts[queue as usize] += found;
                push(&mut heap, at + 1, What::Pull(queue));
            }
            What::End(queue, number) if number % 20 == 0 => {
                push(&mut heap, at + 10_000, What::Again(queue));
            }
            What::End(queue, _) | What::Again(queue) => done[queue as usize] += 1,
        }
    }
    assert_eq!(
        done.iter().map(|count| u64::from(*count)).sum::<u64>(),
        u64::from(rounds * size.queues)
    );
    (events, cpu_time(began) - start)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn report_presets() {
    println!("preset               profile      tasks     events   tasks/s");
    let presets = presets::NAMES.iter().filter_map(|name| presets::by_name_as(name, PROFILE));
    for scenario in presets {
        let mut rates = Vec::new();
        let mut last = None;
        for _ in 0..ROUNDS {
            let done = run(scenario.simulation(), scenario.until);
            rates.push(done.per_second());
            last = Some(done);
        }
        let Some(done) = last else { continue };
        let (profile, rate) = (scenario.setup.profile, median(rates) / 1e6);
        println!(
            "{:<20} {profile:?} {:>14} {:>10} {rate:>8.2} M",
            scenario.id, done.tasks, done.events
        );
    }
}

fn report_size(size: Size) {
    let (mut rates, mut ratios, mut per_message) = (Vec::new(), Vec::new(), 0.0);
    let rounds = if size.messages > 500_000 { 3 } else { ROUNDS };
    for _ in 0..rounds {
        let (bare_events, bare_took) = bare_heap(size);
        let done = run(workload(size), end_of(size));
        rates.push(done.per_second());
        // By message, since the two count different things.
        let ours = done.took.as_secs_f64() / f64::from(size.messages);
        let bare = bare_took.as_secs_f64() / f64::from(size.messages);
        ratios.push(bare / ours);
        per_message = done.tasks as f64 / f64::from(size.messages);
        let _ = bare_events;
    }
    println!(
        "{:<9} {:>9} messages {per_message:>6.1} tasks each {:>6.2} M tasks/s {:>6.3} of a bare heap",
        size.name(),
        size.messages,
        median(rates) / 1e6,
        median(ratios),
    );
}

fn report_memory() {
    let size = SIZES[1];
    let mut simulation = workload(size);
    while simulation.next_at().is_some_and(|at| at <= Millis(19_999)) {
        simulation.step();
    }
    drop(simulation.take_events());
    let before = resident_bytes();
    let mut kept: Vec<Vec<Event>> = Vec::new();
    let mut counted = 0;
    let mut untaken = 0;
    while simulation.next_at().is_some_and(|at| at <= end_of(size)) {
        simulation.step();
        untaken += 1;
        if untaken == 1_024 {
            untaken = 0;
            let mut events = simulation.take_events();
            events.shrink_to_fit();
            counted += events.len();
            kept.push(events);
        }
    }
    let with_events = resident_bytes();
    let messages = simulation.world().brokers[0].commit_log.len();
    drop(kept);
    println!("{counted} events and {messages} records: {} MB", (with_events - before) >> 20);
    println!(
        "sizes: Event {} B, AgendaEntry {} B, Packet {} B, StoredMessage {} B",
        size_of::<Event>(),
        size_of::<AgendaEntry>(),
        size_of::<Packet>(),
        size_of::<StoredMessage>()
    );
    let of_records = messages * (size_of::<StoredMessage>() + 16 + 2 * 24);
    let of_events = (with_events - before).saturating_sub(of_records as u64);
    println!(
        "{} B for each record, {} B for each event kept",
        of_records / messages,
        of_events / counted as u64
    );
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    if let Some(size) = SIZES.iter().find(|size| wanted.contains(&size.name())) {
        let done = run(workload(*size), end_of(*size));
        println!("{} {} tasks {:.2} M/s", size.name(), done.tasks, done.per_second() / 1e6);
        return;
    }
    let is_quick = wanted.iter().any(|word| word == "quick");
    report_presets();
    for size in SIZES.iter().take(if is_quick { 2 } else { 3 }) {
        report_size(*size);
    }
    report_memory();
}
