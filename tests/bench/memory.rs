//! How much memory a message and a recorded event take: `cargo bench --no-default-features --bench memory`.
//!
//! An allocator that counts, so a bench of its own: counting costs time. Bytes are those asked for.

#![allow(clippy::disallowed_types, clippy::print_stdout, reason = "a bench measures and prints")]
#![allow(dead_code, reason = "of the workload it only needs the simulation")]

mod workload;

use std::alloc::System;

use rocketmq_playground::model::append_log::AppendLog;
use rocketmq_playground::sim::Simulation;
use rocketmq_playground::sim::event::Event;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use self::workload::{FIRST_SEND, Size};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SIZES: [Size; 3] = [
    Size { queues: 4, consumers: 2, messages: 100_000 },
    Size { queues: 64, consumers: 16, messages: 100_000 },
    Size { queues: 1_024, consumers: 64, messages: 200_000 },
];

fn live_bytes() -> usize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

fn allocations() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations + stats.reallocations
}

/// Runs to the end of the workload; what happens to the events is the caller's.
fn run(simulation: &mut Simulation, size: Size, mut take: impl FnMut(Vec<Event>)) -> u64 {
    let mut tasks = 0;
    while simulation.next_at().is_some_and(|at| at <= size.end()) {
        simulation.step();
        tasks += 1;
        if tasks % 1_024 == 0 {
            take(simulation.take_events());
        }
    }
    take(simulation.take_events());
    tasks
}

/// A simulation whose consumers have shared out their queues, and which has sent nothing yet.
fn ready(size: Size) -> Simulation {
    let mut simulation = size.simulation();
    while simulation.next_at().is_some_and(|at| at < FIRST_SEND) {
        simulation.step();
    }
    drop(simulation.take_events());
    simulation
}

fn main() {
    println!("queues x consumers  messages  bytes a message  bytes an event  allocations a task");
    for size in SIZES {
        let mut simulation = ready(size);
        let (bytes, count) = (live_bytes(), allocations());
        let tasks = run(&mut simulation, size, drop);
        let per_message = (live_bytes() as f64 - bytes as f64) / f64::from(size.messages);
        let per_task = (allocations() - count) as f64 / tasks as f64;
        drop(simulation);

        // Once more with the events kept: what the second run needs beyond the first is theirs.
        let mut simulation = ready(size);
        let bytes = live_bytes();
        let mut kept = AppendLog::default();
        run(&mut simulation, size, |events| events.into_iter().for_each(|it| kept.push(it)));
        let with_events = (live_bytes() as f64 - bytes as f64) / f64::from(size.messages);
        let per_event = (with_events - per_message) * f64::from(size.messages) / kept.len() as f64;
        println!(
            "  {:<16} {:>9} {per_message:>16.0} {per_event:>15.0} {per_task:>19.1}",
            size.name(),
            size.messages
        );
    }
}
