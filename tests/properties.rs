//! Random scenarios keep every invariant of spec 12 that applies, under both tie-breaks.
//!
//! 256 runs of each kind with each change, always the same; `cargo verify --only random --runs 100000` runs
//! more, others with `--seed 7`. Each kind of failure is shrunk and printed once, as a scenario file that
//! reproduces it. Once mended, it is kept in `tests/found`.

#[path = "kit/checked.rs"]
mod checked;
#[path = "kit/random.rs"]
mod random;
#[path = "kit/search.rs"]
mod search;

use checked::run_checked;
use proptest::strategy::{Strategy, ValueTree};
use random::{bent_plans, plans};
use rocketmq_playground::scenario::file;
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::sim::event::EventKind;
use search::{keeps_the_invariants, runner};

/// Whatever a search found, shrunk: each file says what it was.
#[test]
fn what_was_found_once_is_not_found_again() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/found");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let text = std::fs::read_to_string(&path).expect("it is a text");
        let scenario = file::read(&text).unwrap_or_else(|it| panic!("{path:?}: {it:#?}"));
        let checked = run_checked(&scenario);
        assert!(checked.violations.is_empty(), "{path:?}\n{}", checked.report());
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn a_run_without_faults_keeps_every_invariant() {
    keeps_the_invariants(plans(0));
}

#[test]
fn a_run_with_faults_keeps_the_invariants_that_hold_always() {
    keeps_the_invariants(plans(4));
}

/// What TCP promises is gone: what rests on it is not asked (`Scope::OnceInOrder`), all else is.
#[test]
fn a_run_on_a_network_that_doubles_and_reorders_keeps_what_needs_no_tcp() {
    keeps_the_invariants(bent_plans(2));
}

/// The kind before would be empty if its rules met nothing.
#[test]
fn on_such_a_network_packets_are_doubled_held_and_passed() {
    let mut runner = runner();
    let (mut doubled, mut passed, mut dropped) = (0, 0, 0);
    for _ in 0..40 {
        let plan = bent_plans(0).new_tree(&mut runner).expect("a plan is drawn").current();
        let mut simulation = plan.scenario().simulation();
        simulation.run_until(plan.scenario().until, TaskBudget::UNLIMITED);
        for event in simulation.take_events() {
            match event.kind {
                EventKind::PacketRepeated { .. } => doubled += 1,
                EventKind::PacketPassed { .. } => passed += 1,
                EventKind::ResponseUnmatched { .. } => dropped += 1,
                _ => {}
            }
        }
    }
    assert!(doubled > 200 && passed > 100 && dropped > 100, "{doubled} {passed} {dropped}");
}
