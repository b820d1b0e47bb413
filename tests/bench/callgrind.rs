//! Instructions for each task, counted by valgrind's callgrind: exact, whatever else the machine does.
//!
//! Each size runs twice, the second time with twice the messages; the difference leaves the start out.

use std::process::Command;

use crate::workload::{Size, run};

/// Queues, consumers, and the messages of the shorter of the two runs.
const SIZES: [Size; 5] = [
    Size { queues: 4, consumers: 2, messages: 5_000 },
    Size { queues: 16, consumers: 4, messages: 5_000 },
    Size { queues: 64, consumers: 16, messages: 5_000 },
    Size { queues: 256, consumers: 32, messages: 10_000 },
    Size { queues: 1_024, consumers: 64, messages: 20_480 },
];

/// The bound for the largest size over the smallest.
const MOST: f64 = 1.4;

/// Prints a line for each size, or that valgrind is not there.
pub fn report() {
    println!("\nInstructions for each task (callgrind):");
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("  valgrind is not installed (Debian: apt-get install valgrind); not counted");
        return;
    }
    let counted: Vec<f64> = SIZES.into_iter().map_while(per_task).collect();
    if let ([smallest, .., largest], true) = (&counted[..], counted.len() == SIZES.len()) {
        let growth = largest / smallest;
        let verdict = if growth <= MOST { "within" } else { "ABOVE" };
        println!("  largest over smallest: {growth:.2}, {verdict} {MOST}");
    } else {
        println!("  callgrind did not run to its end; not counted");
    }
}

fn per_task(size: Size) -> Option<f64> {
    let longer = Size { messages: size.messages * 2, ..size };
    let (short, long) = (count(size)?, count(longer)?);
    let tasks = |size: Size| run(size.simulation(), size.end()).tasks;
    let per_task = (long - short) as f64 / (tasks(longer) - tasks(size)) as f64;
    println!("  {:<9} {per_task:>8.0}", size.name());
    Some(per_task)
}

/// Instructions of one run of ourselves.
fn count(size: Size) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .args([size.name(), size.messages.to_string()])
        .output()
        .ok()?;
    let told = String::from_utf8_lossy(&output.stderr);
    let line = told.lines().find(|line| line.contains("Collected"))?;
    line.rsplit(' ').next()?.parse().ok()
}
