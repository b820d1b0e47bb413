//! `--against`: our run on a trace's inputs, beside the trace.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use rocketmq_playground::oracle::against::against as oracle_against;
use rocketmq_playground::oracle::fidelity;
use rocketmq_playground::oracle::gap_table::GapTable;
use rocketmq_playground::oracle::read::read;
use rocketmq_playground::oracle::trace::Trace;
use rocketmq_playground::oracle::write::write;

use crate::arguments::Arguments;
use crate::log;

/// Spreads of the recorded runs (`--make-gap-table`).
const GAPS: &str = include_str!("../../../tests/golden/gaps.tsv");

/// Compares one trace after the other; whether all agree.
pub fn against(files: &[PathBuf], arguments: &Arguments) -> Result<bool, String> {
    let table = GapTable::from_text(GAPS);
    let table = table.map_err(|line| format!("the gap table is broken at line {line}"))?;
    let mut all = true;
    for file in files {
        if files.len() > 1 {
            println!("{}", file.display());
        }
        all &= one(file, &table, arguments)?;
    }
    Ok(all)
}

fn one(file: &Path, table: &GapTable, arguments: &Arguments) -> Result<bool, String> {
    let trace = load(file)?;
    let profile = arguments.profile.unwrap_or(trace.header.profile);
    let (played, report) = oracle_against(&trace, profile, table)
        .map_err(|problem| format!("{}: {problem}", file.display()))?;
    if arguments.log {
        log::print_trace(&played.trace);
    }
    if let Some(out) = &arguments.trace {
        save(out, &write(&played.trace))?;
    }
    if arguments.digest {
        println!("digest {:016x}", played.digest);
    }
    if arguments.rows {
        println!("{}", fidelity::row(&trace.header, &report));
        for row in fidelity::exceptions(&trace.header, &report) {
            println!("{row}");
        }
        println!("{}", report.last_line());
    } else {
        print!("{}", report.to_text(arguments.verbose));
    }
    Ok(report.agrees())
}

/// Reads a trace file, packed or not.
pub fn load(file: &Path) -> Result<Trace, String> {
    let told = |problem: &dyn std::fmt::Display| format!("{}: {problem}", file.display());
    let bytes = fs::read(file).map_err(|error| told(&error))?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = flate2::read::MultiGzDecoder::new(bytes.as_slice());
        unpacked.read_to_string(&mut text).map_err(|error| told(&error))?;
    } else {
        text = String::from_utf8(bytes).map_err(|error| told(&error))?;
    }
    read(&text).map_err(|error| told(&error))
}

pub fn save(out: &Path, text: &str) -> Result<(), String> {
    fs::write(out, text).map_err(|error| format!("{}: {error}", out.display()))
}
