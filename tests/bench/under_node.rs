//! The same runs natively and, compiled to Wasm, under Node, in turns.
//!
//! The module is this very bench, built for Wasm, where its `main` does one run whole; Node times it. Both sides
//! are timed from the building of the simulation until its memory is free again.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rocketmq_playground::scenario::presets;

use crate::workload::{Done, PROFILE, Size, cpu_time, run_with};
use crate::{ROUNDS, median};

const TARGET: &str = "wasm32-unknown-unknown";

/// What is compared: the largest preset by tasks, so often that it can be timed, and the workload.
const RUNS: [Run; 3] = [
    Run::Preset { name: "slow-start", times: 40 },
    Run::Workload(Size { queues: 64, consumers: 16, messages: 100_000 }),
    Run::Workload(Size { queues: 1_024, consumers: 64, messages: 200_704 }),
];

/// One of the things compared.
#[derive(Clone, Copy)]
pub enum Run {
    Preset { name: &'static str, times: u64 },
    Workload(Size),
}

impl Run {
    fn name(self) -> String {
        match self {
            Self::Preset { name, times } => format!("{name}, {times} times"),
            Self::Workload(size) => format!("{}, {} messages", size.name(), size.messages),
        }
    }

    /// Does it, untimed.
    pub fn done(self) -> Done {
        let no_clock = || Duration::ZERO;
        match self {
            Self::Preset { name, times } => {
                let scenario = presets::by_name_as(name, PROFILE).expect("it is a preset");
                let runs =
                    (0..times).map(|_| run_with(scenario.simulation(), scenario.until, no_clock));
                runs.fold(Done::NOTHING, Done::plus)
            }
            Self::Workload(size) => run_with(size.simulation(), size.end(), no_clock),
        }
    }
}

/// Which run Node wants, inside the module. A `main` in Wasm has no arguments; the number comes as the size of
/// the memory, in units of 64 pages (4 MiB), of which the first is the module's own.
#[cfg(target_arch = "wasm32")]
pub fn asked_for() -> Run {
    RUNS[core::arch::wasm32::memory_size::<0>() / 64 - 1]
}

/// Prints a line for each run, or what is missing.
pub fn report() {
    println!("\nWasm under Node and native, in turns:");
    println!(
        "  run                        M tasks/s: native    Wasm  Wasm of native  Wasm's memory"
    );
    if Command::new("node").arg("--version").output().is_err() {
        println!("  node is not installed; not measured");
        return;
    }
    let node = module().and_then(|module| Node::start(&module));
    let compared = node.and_then(|mut node| {
        (0..RUNS.len()).try_for_each(|number| compare(&mut node, number))?;
        node.end()
    });
    if compared.is_none() {
        println!("  the target {TARGET} does not build or run here; not measured");
    }
}

/// Builds the module and answers where it is.
fn module() -> Option<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["build", "--release", "--no-default-features", "--bench", "engine"])
        .args(["--target", TARGET, "--message-format", "json"])
        .stderr(Stdio::inherit())
        .output()
        .ok()?;
    let told = String::from_utf8_lossy(&output.stdout);
    let files =
        told.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    files
        .filter(|message| message["target"]["name"] == "engine")
        .find_map(|message| Some(PathBuf::from(message["filenames"][0].as_str()?)))
}

/// `rounds.mjs` with the module, waiting for numbers of runs.
struct Node {
    process: Child,
    asks: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

/// What Node tells of a run.
struct Told {
    ms: f64,
    mark: u8,
    bytes: u64,
}

impl Node {
    fn start(module: &Path) -> Option<Self> {
        let mut process = Command::new("node")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/rounds.mjs"))
            .arg(module)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let asks = process.stdin.take()?;
        let answers = BufReader::new(process.stdout.take()?).lines();
        Some(Self { process, asks, answers })
    }

    fn run(&mut self, number: usize) -> Option<Told> {
        writeln!(self.asks, "{number}").ok()?;
        let line = self.answers.next()?.ok()?;
        let mut words = line.split(' ');
        Some(Told {
            ms: words.next()?.parse().ok()?,
            mark: words.next()?.parse().ok()?,
            bytes: words.next()?.parse().ok()?,
        })
    }

    fn end(mut self) -> Option<()> {
        drop(self.asks);
        self.process.wait().ok().map(|_| ())
    }
}

fn compare(node: &mut Node, number: usize) -> Option<()> {
    node.run(number)?; // Node compiles what runs often anew while it runs
    let (mut native, mut wasm, mut ratios, mut bytes) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let start = cpu_time(began);
        let done = RUNS[number].done();
        let ms = (cpu_time(began) - start).as_secs_f64() * 1e3;
        let told = node.run(number)?;
        assert_eq!(told.mark, done.mark(), "Wasm did not do the same");
        native.push(done.tasks as f64 / ms / 1e3);
        wasm.push(done.tasks as f64 / told.ms / 1e3);
        ratios.push(ms / told.ms);
        bytes = told.bytes;
    }
    println!(
        "  {:<34} {:>10.2} {:>7.2} {:>15.2} {:>11} MB",
        RUNS[number].name(),
        median(native),
        median(wasm),
        median(ratios),
        bytes >> 20
    );
    Some(())
}
