//! Our model against the recorded runs of the real RocketMQ.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use rocketmq_playground::oracle::against::against;
use rocketmq_playground::oracle::fidelity;
use rocketmq_playground::oracle::gap_table::GapTable;
use rocketmq_playground::oracle::read::read;
use rocketmq_playground::oracle::trace::Trace;

/// The recorded traces of all versions, in order.
fn trace_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/traces");
    let mut files = Vec::new();
    for version in ["4.2.0", "4.9.8", "5.3.3"] {
        let folder = fs::read_dir(root.join(version)).expect("a folder of traces");
        files.extend(folder.flatten().map(|entry| entry.path()));
    }
    files.sort();
    files
}

fn load(path: &Path) -> Trace {
    let mut text = String::new();
    let file = fs::File::open(path).expect("a trace file");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_recorded_trace_is_understood_to_the_last_word() {
    let files = trace_files();
    assert_eq!(files.len(), 160);
    for file in files {
        assert!(!load(&file).lines.is_empty());
    }
}

/// Traces that are known to differ, each with its cause: `tests/golden/differing.tsv`. The verify command
/// runs every trace, optimised; here stand those on which the first lessons rest.
fn differing() -> Vec<String> {
    let listed = include_str!("golden/differing.tsv").lines();
    listed.filter_map(|line| line.split('\t').next()).map(str::to_owned).collect()
}

fn disagreements(folder: &str, scenario: &str) -> Vec<String> {
    let table = GapTable::from_text(include_str!("golden/gaps.tsv")).expect("a whole table");
    let wanted = format!("/{folder}/{scenario}-");
    let files = trace_files();
    let files = files.iter().filter(|file| file.to_string_lossy().contains(&wanted));
    let mut told = Vec::new();
    let mut count = 0;
    for file in files {
        count += 1;
        let trace = load(file);
        let played = against(&trace, trace.header.profile, &table);
        let (_, report) = played.expect("its inputs can be played");
        if !report.agrees() {
            told.push(format!("{}: {}", file.display(), report.to_text(false)));
        }
    }
    assert!(count > 0, "no trace of {scenario} in {folder}");
    told
}

#[test]
fn every_4_2_0_run_of_the_happy_path_agrees() {
    assert_eq!(disagreements("4.2.0", "s01_happy"), [""; 0]);
}

#[test]
fn every_4_2_0_run_of_the_ladder_of_consumers_agrees() {
    assert_eq!(disagreements("4.2.0", "s02_ladder"), [""; 0]);
}

#[test]
fn every_4_2_0_run_of_the_retry_ladder_agrees() {
    assert_eq!(disagreements("4.2.0", "s03_retry"), [""; 0]);
}

#[test]
fn every_4_2_0_run_of_long_polling_agrees() {
    assert_eq!(disagreements("4.2.0", "s11_longpoll"), [""; 0]);
}

#[test]
fn every_4_2_0_run_of_user_delay_levels_agrees() {
    assert_eq!(disagreements("4.2.0", "s12_delay"), [""; 0]);
}

#[test]
fn every_trace_that_differs_is_a_recorded_one_and_names_its_cause() {
    let files = trace_files();
    for name in differing() {
        let known = files.iter().any(|file| file.to_string_lossy().contains(&format!("/{name}.")));
        assert!(known, "{name} is no recorded trace");
    }
    for line in include_str!("golden/differing.tsv").lines() {
        assert!(line.split('\t').nth(1).is_some_and(|cause| cause.len() > 20), "{line}");
    }
}

/// `4.2.0/s01_happy-1`, as the tables of `docs/fidelity.md` name a trace.
fn table_name(file: &Path) -> String {
    let folder = file.parent().and_then(Path::file_name).expect("a folder of one version");
    let name = file.file_name().expect("a file").to_string_lossy();
    format!("{}/{}", folder.to_string_lossy(), name.trim_end_matches(".jsonl.gz"))
}

#[test]
fn every_recorded_trace_has_one_row_in_the_table_and_no_other_has() {
    let text = include_str!("../docs/fidelity.md");
    let table = text.split("<!-- traces -->").nth(1).and_then(|rest| rest.split("<!--").next());
    let rows = table.expect("a table of traces").lines().skip(3);
    let named = rows.filter_map(|row| row.split(" | ").next()).collect::<Vec<_>>();
    let files = trace_files();
    let wanted = files.iter().map(|file| format!("| {}", table_name(file)));
    assert_eq!(named, wanted.collect::<Vec<_>>());
}

/// The verify command holds all rows against the runs; these are quick.
#[test]
fn the_rows_of_the_happy_path_are_what_the_comparison_finds() {
    let table = GapTable::from_text(include_str!("golden/gaps.tsv")).expect("a whole table");
    let text = include_str!("../docs/fidelity.md");
    let files = trace_files();
    let files = files.iter().filter(|file| file.to_string_lossy().contains("/s01_happy-"));
    for file in files {
        let trace = load(file);
        let (_, report) = against(&trace, trace.header.profile, &table).expect("it is played");
        let rows = [fidelity::row(&trace.header, &report)];
        for row in rows.into_iter().chain(fidelity::exceptions(&trace.header, &report)) {
            assert!(text.lines().any(|line| line == row), "not in docs/fidelity.md: {row}");
        }
    }
}

/// A recorded trace with one fact changed must not agree: the comparison is able to fail.
#[test]
fn a_tampered_trace_does_not_agree() {
    let table = GapTable::from_text(include_str!("golden/gaps.tsv")).expect("a whole table");
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/traces/4.2.0/s03_retry-1.jsonl.gz");
    let mut text = String::new();
    let file = fs::File::open(path).expect("a trace file");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    let changes: [(&str, &str, &str); 4] = [
        // A delivery that came to another offset.
        ("\"ev\":\"begin\"", "\"queueOffset\":1", "\"queueOffset\":2"),
        // A result that was another one.
        ("\"ev\":\"consumed\"", "\"RECONSUME_LATER\"", "\"CONSUME_SUCCESS\""),
        // A stored copy with another count.
        ("\"ev\":\"stored\"", "\"reconsumeTimes\":1", "\"reconsumeTimes\":3"),
        // A stored copy that waited at another level.
        ("\"ev\":\"stored\"", "\"DELAY\":\"4\"", "\"DELAY\":\"5\""),
    ];
    for (word, from, to) in changes {
        let mut is_done = false;
        let lines = text.lines().map(|line| {
            if !is_done && line.contains(word) && line.contains(from) {
                is_done = true;
                line.replace(from, to)
            } else {
                line.to_owned()
            }
        });
        let tampered = lines.collect::<Vec<_>>().join("\n");
        assert!(is_done, "there is a {word} with {from}");
        let trace = read(&tampered).expect("it is still a trace");
        let played = against(&trace, trace.header.profile, &table);
        let (_, report) = played.expect("its inputs can be played");
        assert!(!report.agrees(), "{word}: {from} became {to}, and nobody noticed");
    }
}
