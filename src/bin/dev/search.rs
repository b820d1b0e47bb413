//! The long searches: more random runs, more why-chains, and a day of virtual time. Compiled for speed, with our assertions on.

use crate::process::{Counts, Failure, cargo, run};

/// How much to search.
pub struct Options {
    /// Runs without faults, as many with them, and as many on a network that doubles and reorders; or
    /// why-chains.
    pub runs: u32,
    /// Which draws.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { runs: 100_000, seed: 2 }
    }
}

fn test(name: &str) -> std::process::Command {
    let mut command = cargo(&["test", "--profile", "proof", "--no-default-features"]);
    command.args(["--test", name, "--", "--nocapture"]);
    command
}

pub fn random(options: &Options) -> Result<Counts, Failure> {
    let mut command = test("properties");
    command.env("PROPTEST_CASES", options.runs.to_string());
    run(command.env("PROPERTY_SEED", options.seed.to_string()))
}

/// As many why-chains as runs were asked for, in each of the two orders of equal moments.
pub fn why(options: &Options) -> Result<Counts, Failure> {
    let mut command = test("why");
    command.env("WHY_CHAINS", options.runs.to_string());
    run(command.env("WHY_SEED", options.seed.to_string()))
}

pub fn day() -> Result<Counts, Failure> {
    run(test("day").env("DAY_HOURS", "24"))
}
