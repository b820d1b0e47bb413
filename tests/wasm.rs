//! The same run gives the same digest on the desktop and, compiled to Wasm, under Node: every preset, and 200
//! random scenarios, straight and step by step.
//!
//! Goal: nothing of the platform leaks into a run. Method: both compare with the same files,
//! `tests/golden/digests.tsv` (preset, profile, digest of the state at the preset's end) and
//! `tests/golden/random.tsv` (number, digest). After a change of the model that is meant, write them anew:
//! `UPDATE_DIGESTS=1 cargo test --no-default-features --test wasm`. The random scenarios are links,
//! `tests/golden/random.txt`; `UPDATE_RANDOM=1` draws them again.

#[cfg(not(target_arch = "wasm32"))]
#[path = "kit/random.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod random;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::scenario::link::Link;
use rocketmq_playground::scenario::presets;
use rocketmq_playground::sim::TaskBudget;

const GOLDEN: &str = include_str!("golden/digests.tsv");

fn digest(name: &str, profile: Profile) -> u64 {
    let scenario = presets::by_name_as(name, profile).expect("it is one of the presets");
    let mut simulation = scenario.simulation();
    simulation.run_until(scenario.until, TaskBudget::UNLIMITED);
    simulation.digest()
}

fn table() -> String {
    let mut table = String::new();
    for name in presets::NAMES {
        for profile in Profile::ALL {
            let digest = digest(name, profile);
            writeln!(table, "{name}\t{}\t{digest:016x}", profile.name()).expect("it fits");
        }
    }
    table
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn every_preset_ends_in_its_golden_digest_on_every_platform() {
    let table = table();
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("UPDATE_DIGESTS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/digests.tsv");
        std::fs::write(path, &table).expect("the golden folder can be written");
        return;
    }
    let golden: BTreeMap<&str, &str> =
        GOLDEN.lines().filter_map(|line| line.rsplit_once('\t')).collect();
    let ours: BTreeMap<&str, &str> =
        table.lines().filter_map(|line| line.rsplit_once('\t')).collect();
    assert_eq!(ours, golden, "UPDATE_DIGESTS=1 writes the file anew, if the change was meant");
}

const LINKS: &str = include_str!("golden/random.txt");
const RANDOM: &str = include_str!("golden/random.tsv");

/// The digest of a link's run, in one go and task by task.
fn digests(link: &str) -> (u64, u64) {
    let scenario = Link::from_fragment(link).and_then(|link| link.scenario());
    let scenario = scenario.expect("a link of ours");
    let mut straight = scenario.simulation();
    straight.run_until(scenario.until, TaskBudget::UNLIMITED);
    let mut stepped = scenario.simulation();
    while stepped.next_at().is_some_and(|at| at <= scenario.until) {
        stepped.step();
    }
    stepped.run_until(scenario.until, TaskBudget::UNLIMITED);
    (straight.digest(), stepped.digest())
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn two_hundred_random_scenarios_end_in_their_golden_digests_straight_and_stepped() {
    #[cfg(not(target_arch = "wasm32"))]
    let links = match std::env::var_os("UPDATE_RANDOM") {
        Some(_) => draw::links(),
        None => LINKS.to_owned(),
    };
    #[cfg(target_arch = "wasm32")]
    let links = LINKS;
    let mut table = String::new();
    for (number, link) in links.lines().enumerate() {
        let (straight, stepped) = digests(link);
        assert_eq!(straight, stepped, "number {number}");
        writeln!(table, "{number}\t{straight:016x}").expect("it fits");
    }
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("UPDATE_DIGESTS").is_some() || std::env::var_os("UPDATE_RANDOM").is_some() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");
        std::fs::write(format!("{folder}/random.txt"), &links).expect("it can be written");
        std::fs::write(format!("{folder}/random.tsv"), &table).expect("it can be written");
        return;
    }
    assert_eq!(table.lines().count(), 200);
    let differing = table.lines().zip(RANDOM.lines()).find(|(ours, golden)| ours != golden);
    assert_eq!(differing, None, "UPDATE_DIGESTS=1 writes the file anew, if the change was meant");
    assert_eq!(table.lines().count(), RANDOM.lines().count());
}

/// Drawing the scenarios anew: on the desktop only.
#[cfg(not(target_arch = "wasm32"))]
mod draw {
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
    use rocketmq_playground::model::limits;
    use rocketmq_playground::model::time::Millis;
    use rocketmq_playground::scenario::file::write;
    use rocketmq_playground::scenario::link::{Base, Link};

    use crate::random::plans;

    /// Links of 200 random scenarios, one a line; those too long for a link are passed over.
    pub fn links() -> String {
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let plans = plans(4);
        let mut links = Vec::new();
        while links.len() < 200 {
            let plan = plans.new_tree(&mut runner).expect("a plan").current();
            let mut scenario = plan.scenario();
            scenario.until = Millis(120_000);
            let link = Link {
                base: Base::File(write(&scenario)),
                seed: scenario.setup.seed,
                ..Link::preset("", scenario.setup.profile)
            };
            let fragment = link.to_fragment();
            if fragment.len() <= limits::LINK_CHARACTERS {
                links.push(fragment);
            }
        }
        links.join("\n") + "\n"
    }
}
