//! Our model against the recorded runs of the real RocketMQ.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

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
