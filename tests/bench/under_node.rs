//! The same run natively and, compiled to Wasm, under Node, in turns.
//!
//! The module is this very bench, built for Wasm, where its `main` runs the workload once; Node times it.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::workload::{FOR_WASM, run};
use crate::{ROUNDS, median};

const TARGET: &str = "wasm32-unknown-unknown";

/// Prints the ratio, or what is missing.
pub fn report() {
    println!(
        "\nWasm under Node against native, {} messages at {}:",
        FOR_WASM.messages,
        FOR_WASM.name()
    );
    if Command::new("node").arg("--version").output().is_err() {
        println!("  node is not installed; not measured");
        return;
    }
    match module().and_then(|module| compare(&module)) {
        Some(()) => {}
        None => println!("  the target {TARGET} does not build or run here; not measured"),
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

fn compare(module: &PathBuf) -> Option<()> {
    let mut node = Command::new("node")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/rounds.mjs"))
        .arg(module)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut asks = node.stdin.take()?;
    let mut answers = BufReader::new(node.stdout.take()?).lines();
    let mut round = || -> Option<(f64, u8, u64)> {
        writeln!(asks, "run").ok()?;
        let line = answers.next()?.ok()?;
        let mut words = line.split(' ');
        Some((
            words.next()?.parse().ok()?,
            words.next()?.parse().ok()?,
            words.next()?.parse().ok()?,
        ))
    };
    round()?; // Node compiles what runs often anew while it runs
    let (mut ratios, mut rates, mut bytes) = (Vec::new(), Vec::new(), 0);
    for _ in 0..ROUNDS {
        let native = run(FOR_WASM.simulation(), FOR_WASM.end());
        let (ms, mark, memory) = round()?;
        assert_eq!(mark, native.mark(), "Wasm did not do the same");
        ratios.push(native.took.as_secs_f64() * 1e3 / ms);
        rates.push(native.tasks as f64 / ms / 1e3);
        bytes = memory;
    }
    drop(asks);
    node.wait().ok()?;
    println!(
        "  {:.2} M tasks/s, {:.2} of native (aim: 0.6); {} MB of linear memory",
        median(rates),
        median(ratios),
        bytes >> 20
    );
    Some(())
}
