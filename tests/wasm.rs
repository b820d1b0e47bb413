//! The same preset gives the same digest on the desktop and, compiled to Wasm, under Node.
//!
//! Goal: nothing of the platform leaks into a run. Method: both compare with the same file,
//! `tests/golden/digests.tsv` (preset, profile, digest of the state at the preset's end). After a change of
//! the model that is meant, write it anew: `UPDATE_DIGESTS=1 cargo test --no-default-features --test wasm`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rocketmq_playground::model::profile::Profile;
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
