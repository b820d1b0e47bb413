//! Random scenarios keep every invariant of spec 12 that applies, under both tie-breaks.
//!
//! 256 runs of each kind; `PROPTEST_CASES=100000 cargo test --release --test properties` runs more. The
//! draws are the same each time; `PROPERTY_SEED=7` draws others. A failure is shrunk and printed.

#[path = "kit/checked.rs"]
mod checked;
#[path = "kit/random.rs"]
mod random;

use checked::run_checked;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use random::{Plan, plans};
use rocketmq_playground::scenario::file;

/// The draws of the repository's own runs.
const SEED: u64 = 2;

#[expect(clippy::disallowed_methods, reason = "a search of its own may draw what it wants")]
fn runner() -> TestRunner {
    let config = Config { failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    let seed = std::env::var("PROPERTY_SEED").ok().and_then(|text| text.parse().ok());
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.unwrap_or(SEED).to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

fn keeps_the_invariants(plans: impl Strategy<Value = Plan>) {
    let outcome = runner().run(&plans, |plan| {
        let checked = run_checked(&plan.scenario());
        if checked.violations.is_empty() {
            return Ok(());
        }
        let file = file::write::write(&plan.scenario());
        Err(TestCaseError::fail(format!("{}\n{file}", checked.report())))
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn a_run_without_faults_keeps_every_invariant() {
    keeps_the_invariants(plans(0));
}

#[test]
fn a_run_with_faults_keeps_the_invariants_that_hold_always() {
    keeps_the_invariants(plans(4));
}
