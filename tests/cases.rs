//! Public incident reports as scenario files: `tests/cases`. Every line and every variant of the reports
//! is among what the files expect, and holds.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rocketmq_playground::scenario::expect::check_all;
use rocketmq_playground::scenario::file::{ScenarioFile, read_file};

/// Each report: how many lines it expects, how many variants it has, and whether it says what older
/// versions did. The lines are called `B01/1`, the variants `B01/v1`, the older versions `B01/legacy`.
const REPORTS: &[(&str, u32, u32, bool)] = &[
    ("B01", 3, 2, false),
    ("B02", 4, 1, true),
    ("B03", 6, 0, false),
    ("B05", 5, 0, false),
    ("B06", 2, 1, false),
    ("B07", 3, 0, false),
    ("B09", 3, 0, false),
    ("B10", 2, 1, false),
    ("B11", 2, 2, false),
    ("B12", 2, 1, false),
    ("B13", 4, 1, false),
    ("B14", 3, 1, false),
    ("B15", 3, 0, true),
    ("B16", 2, 2, false),
    ("B17", 5, 2, false),
    ("B19", 3, 0, true),
    ("B22", 6, 0, false),
    ("B23", 5, 0, false),
    ("B24", 4, 1, false),
    ("B26", 3, 2, false),
    ("B27", 2, 0, false),
    ("B28", 3, 2, false),
    ("B30", 3, 1, false),
    ("B32", 3, 0, false),
    ("B33", 4, 0, false),
    ("B34", 3, 1, false),
    ("B37", 6, 2, true),
    ("B38", 3, 1, false),
    ("B40", 4, 0, true),
    ("B41", 3, 0, false),
    ("B43", 3, 1, false),
    ("B44", 4, 0, false),
    ("B48", 5, 0, false),
    ("B50", 4, 1, false),
    // B51 is about POP consumption, which the model does not have.
    ("B52", 4, 1, false),
    ("B56", 2, 1, true),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn read_case(id: &str) -> ScenarioFile {
    let path = folder().join(format!("{id}.toml"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{id}: {error}"));
    read_file(&text).unwrap_or_else(|problems| {
        let lines = problems.iter().map(ToString::to_string).collect::<Vec<_>>();
        panic!("{id}:\n{}", lines.join("\n"))
    })
}

/// The names of a report's lines.
fn names(id: &str, lines: u32, variants: u32, has_legacy: bool) -> BTreeSet<String> {
    let lines = (1..=lines).map(|number| format!("{id}/{number}"));
    let variants = (1..=variants).map(|number| format!("{id}/v{number}"));
    let legacy = has_legacy.then(|| format!("{id}/legacy"));
    lines.chain(variants).chain(legacy).collect()
}

#[test]
fn every_line_and_every_variant_of_the_reports_is_asserted() {
    for (id, lines, variants, has_legacy) in REPORTS {
        let file = read_case(id);
        assert_eq!(file.scenario.id, *id);
        let scenarios =
            [&file.scenario].into_iter().chain(file.variants.iter().map(|it| &it.scenario));
        let found = scenarios.flat_map(|scenario| scenario.expectations.iter());
        let found = found.map(|expectation| expectation.line.clone()).collect::<BTreeSet<_>>();
        assert_eq!(found, names(id, *lines, *variants, *has_legacy), "{id}");
    }
}

#[test]
fn every_file_of_the_folder_is_on_the_list() {
    let files = fs::read_dir(folder()).expect("the folder").flatten();
    let found = files.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let known = REPORTS.iter().map(|(id, ..)| format!("{id}.toml")).collect::<BTreeSet<_>>();
    assert_eq!(found.collect::<BTreeSet<_>>(), known);
}

#[test]
fn every_expectation_holds() {
    let mut failed = Vec::new();
    for (id, ..) in REPORTS {
        let file = read_case(id);
        let runs = file.variants.iter().map(|variant| (variant.name.as_str(), &variant.scenario));
        for (name, scenario) in [("", &file.scenario)].into_iter().chain(runs) {
            let outcomes = check_all(scenario).into_iter().filter(|outcome| !outcome.holds);
            failed.extend(outcomes.map(|outcome| format!("{id} {name}: {outcome}")));
        }
    }
    assert!(failed.is_empty(), "{} fail:\n{}", failed.len(), failed.join("\n"));
}
