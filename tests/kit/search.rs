//! A search that does not stop at its first find: each kind of failure is shrunk and told once, then counted.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rocketmq_playground::scenario::{Scenario, file};

use crate::checked::run_checked;
use crate::random::Plan;

/// The draws of the repository's own runs.
const SEED: u64 = 2;
/// How many simpler plans are tried for each kind of failure.
const SHRINKS: u32 = 1_500;
/// A long search says where it is after each so many runs.
const TELL_EVERY: u32 = 10_000;

/// Draws by `PROPERTY_SEED`, or the repository's own.
#[expect(clippy::disallowed_methods, reason = "a search of its own may draw what it wants")]
pub fn runner() -> TestRunner {
    let config = Config { failure_persistence: None, ..Config::default() };
    let seed = std::env::var("PROPERTY_SEED").ok().and_then(|text| text.parse().ok());
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.unwrap_or(SEED).to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// What failed, without the numbers that make each run another: `C5 {topic#: memory #, unfinished #}`.
fn kind_of(id: &str, what: &str) -> String {
    let mut kind = format!("{id} ");
    for character in what.chars() {
        match character {
            '0'..='9' if kind.ends_with('#') => {}
            '0'..='9' => kind.push('#'),
            _ => kind.push(character),
        }
    }
    kind.replace("broker-b", "broker-a")
}

/// What a scenario comes to: the kind of its first failure, and all that is to be said of it.
fn failure_of(scenario: &Scenario) -> Option<(String, String)> {
    match catch_unwind(AssertUnwindSafe(|| run_checked(scenario))) {
        Ok(checked) => {
            let first = checked.violations.first()?;
            Some((kind_of(first.id, &first.what), checked.report()))
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let what = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("?");
            Some((kind_of("panic", what), what.to_owned()))
        }
    }
}

/// The simplest plan on the way down that still fails in the same way.
fn shrunk(mut tree: impl ValueTree<Value = Plan>, kind: &str) -> Plan {
    let fails = |plan: &Plan| failure_of(&plan.scenario()).is_some_and(|(other, _)| other == kind);
    let mut simplest = tree.current();
    let mut has_moved = tree.simplify();
    for _ in 0..SHRINKS {
        if !has_moved {
            break;
        }
        let plan = tree.current();
        has_moved = if fails(&plan) {
            simplest = plan;
            tree.simplify()
        } else {
            tree.complicate()
        };
    }
    simplest
}

/// A failure with the scenario file that reproduces it.
fn told(kind: &str, plan: &Plan) -> String {
    let scenario = plan.scenario();
    let text = file::write(&scenario);
    let report = failure_of(&scenario).map_or_else(String::new, |(_, report)| report);
    let again = file::read(&text).ok().and_then(|scenario| failure_of(&scenario));
    let note = match again {
        Some((other, _)) if other == kind => "This file reproduces it:",
        _ => "This file does not reproduce it, which is a mistake of its own:",
    };
    format!("{report}\n{note}\n\n{text}")
}

/// Draws plans and runs them. Fails at the end, if anything was found, with each kind and how often it came.
#[expect(clippy::print_stdout, reason = "a long search tells what it finds while it goes on")]
pub fn keeps_the_invariants(plans: impl Strategy<Value = Plan>) {
    let mut runner = runner();
    let runs = runner.config().cases;
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for run in 1..=runs {
        let tree = plans.new_tree(&mut runner).expect("every draw is a plan");
        if let Some((kind, _)) = failure_of(&tree.current().scenario()) {
            if !found.contains_key(&kind) {
                println!("run {run}: {kind}\n\n{}", told(&kind, &shrunk(tree, &kind)));
            }
            *found.entry(kind).or_default() += 1;
        }
        if run % TELL_EVERY == 0 {
            println!("{run} of {runs} runs, {} kinds of failure", found.len());
        }
    }
    let counts: Vec<String> =
        found.iter().map(|(kind, count)| format!("{count} of {runs} runs: {kind}")).collect();
    assert!(found.is_empty(), "\n{}", counts.join("\n"));
}
