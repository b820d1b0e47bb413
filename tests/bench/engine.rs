//! How fast the engine is: `cargo bench --no-default-features` prints all of it.
//!
//! Tasks per second of each preset and of the reference workload at three sizes, beside a bare heap loop in the
//! same round; instructions for each task, by callgrind; Wasm under Node against native. Times are of the
//! processor, not of the wall, and the median of the rounds counts. Behind `--bench engine --`, `4x2 100000`
//! runs that size with so many messages once and prints nothing else, for a profiler.

#![allow(
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a bench measures time and prints"
)]
#![cfg_attr(target_arch = "wasm32", allow(dead_code, reason = "Wasm runs the workload, no more"))]

mod bare_heap;
mod callgrind;
mod under_node;
mod workload;

use std::time::Duration;

use rocketmq_playground::scenario::presets;

use self::workload::{Done, PROFILE, Size, run};

const ROUNDS: usize = 5;

const SIZES: [Size; 3] = [
    Size { queues: 4, consumers: 2, messages: 100_000 },
    Size { queues: 64, consumers: 16, messages: 300_000 },
    Size { queues: 1_024, consumers: 64, messages: 1_000_000 },
];

#[cfg(target_arch = "wasm32")]
fn main() -> std::process::ExitCode {
    under_node::asked_for().done().mark().into()
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    if let Some(size) = one_size(&words) {
        run(size.simulation(), size.end());
        return;
    }
    let wants = |what: &str| words.is_empty() || words.iter().any(|word| word == what);
    if wants("presets") {
        report_presets();
    }
    if wants("sizes") {
        report_sizes();
    }
    if wants("callgrind") {
        callgrind::report();
    }
    if wants("wasm") {
        under_node::report();
    }
}

/// `["4x2", "100000"]`.
fn one_size(words: &[String]) -> Option<Size> {
    let [size, messages] = words else { return None };
    let (queues, consumers) = size.split_once('x')?;
    Some(Size {
        queues: queues.parse().ok()?,
        consumers: consumers.parse().ok()?,
        messages: messages.parse().ok()?,
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The presets are short, so each round is a tenth of a second full of them.
fn report_presets() {
    println!("Presets, the largest first:  tasks     events    M tasks/s");
    let mut lines: Vec<(&str, Done, f64)> = Vec::new();
    for scenario in presets::all_names().filter_map(|name| presets::by_name_as(name, PROFILE)) {
        let name = presets::all_names().find(|name| **name == *scenario.id).unwrap_or("");
        let once = run(scenario.simulation(), scenario.until);
        let rates = (0..ROUNDS).map(|_| {
            let mut all = Done::NOTHING;
            while all.took < Duration::from_millis(100) {
                all = all.plus(run(scenario.simulation(), scenario.until));
            }
            all.per_second() / 1e6
        });
        lines.push((name, once, median(rates.collect())));
    }
    lines.sort_by_key(|(_, done, _)| std::cmp::Reverse(done.tasks));
    for (name, done, rate) in lines {
        println!("  {name:<27} {:>6} {:>10} {rate:>10.2}", done.tasks, done.events);
    }
}

/// Ours and the bare heap's by message, since the two count different things.
fn report_sizes() {
    println!("\nqueues x consumers  messages  tasks for each  M tasks/s  of a bare heap");
    for size in SIZES {
        let rounds = if size.messages > 500_000 { 1 } else { ROUNDS };
        let (mut rates, mut ratios, mut tasks) = (Vec::new(), Vec::new(), 0.0);
        for _ in 0..rounds {
            let bare = bare_heap::run(size);
            let done = run(size.simulation(), size.end());
            rates.push(done.per_second() / 1e6);
            ratios.push(bare.as_secs_f64() / done.took.as_secs_f64());
            tasks = done.tasks as f64 / f64::from(size.messages);
        }
        println!(
            "  {:<16} {:>9} {tasks:>15.1} {:>10.2} {:>15.3}",
            size.name(),
            size.messages,
            median(rates),
            median(ratios)
        );
    }
}
