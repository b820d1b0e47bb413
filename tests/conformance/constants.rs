//! The constants and switches against the table that was typed from the specification.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rocketmq_playground::model::constants::{self, ConstantValue};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::rules::Rules;
use serde_json::Value;

/// Name → values of V42, V49, V53, as written in the table.
type Table = BTreeMap<String, [String; 3]>;

fn recorded() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/constants.tsv");
    let text = fs::read_to_string(path).expect("the table is in the tree");
    let mut table = Table::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [_row, name, values @ ..] = columns.as_slice() else { panic!("columns of {line}") };
        let values: [&str; 3] = values.try_into().unwrap_or_else(|_| panic!("columns of {line}"));
        let before = table.insert((*name).to_owned(), values.map(str::to_owned));
        assert!(before.is_none(), "{name} stands in the table twice");
    }
    table
}

fn ours() -> Table {
    let number = |value: ConstantValue| value.0.map_or("-".to_owned(), |value| value.to_string());
    let mut table: Table = constants::all()
        .map(|constant| {
            let values = Profile::ALL.map(|profile| number((constant.of)(profile)));
            (constant.name.to_owned(), values)
        })
        .collect();
    let switches = Profile::ALL.map(|profile| {
        let rules = serde_json::to_value(Rules::of(profile)).expect("rules are plain data");
        rules.as_object().expect("a struct").clone()
    });
    for name in switches[0].keys() {
        let values = switches.each_ref().map(|rules| match &rules[name] {
            Value::String(choice) => choice.clone(),
            switch => switch.to_string(),
        });
        table.insert(format!("rules.{name}"), values);
    }
    table
}

/// Each row of spec 13 with our function, and each function of ours with its row.
#[test]
fn every_constant_and_every_switch_has_the_value_of_the_specification() {
    let (recorded, ours) = (recorded(), ours());
    let mut differences = Vec::new();
    for (name, values) in &recorded {
        match ours.get(name) {
            None => differences.push(format!("{name} is in the table only")),
            Some(our) if our != values => {
                differences.push(format!("{name}: ours {our:?}, the table {values:?}"));
            }
            Some(_) => {}
        }
    }
    for name in ours.keys().filter(|name| !recorded.contains_key(*name)) {
        differences.push(format!("{name} is not in the table"));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Follows from two rows of the table: `max(16000, 20 n)` bytes of 20-byte entries.
#[test]
fn a_pull_scans_800_entries_or_as_many_as_it_asks_for() {
    for profile in Profile::ALL {
        assert_eq!(constants::filter_scan_entries_max(profile, 32), 800);
        assert_eq!(constants::filter_scan_entries_max(profile, 1_024), 1_024);
    }
}
