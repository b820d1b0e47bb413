//! `--make-gap-table`: the spreads of every kind of gap over all recorded runs.

use std::fs;
use std::path::{Path, PathBuf};

use rocketmq_playground::oracle::gap_table::GapTable;

use crate::against::load;

pub fn make(folder: &Path) -> Result<(), String> {
    let mut files = Vec::new();
    find(folder, &mut files)?;
    files.sort();
    if files.is_empty() {
        return Err(format!("no *.jsonl.gz below {}", folder.display()));
    }
    let mut table = GapTable::default();
    for file in files {
        table.add(&load(&file)?);
    }
    print!("{}", table.to_text());
    Ok(())
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder);
    let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            find(&path, files)?;
        } else if path.to_string_lossy().ends_with(".jsonl.gz") {
            files.push(path);
        }
    }
    Ok(())
}
