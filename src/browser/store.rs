//! What the browser keeps for this person: settings, and the last runs of their own.

use gloo_storage::{LocalStorage, Storage};

use crate::app::action::SavedRun;
use crate::app::settings::Settings;

const SETTINGS: &str = "rocketmq-playground.settings";
const RUNS: &str = "rocketmq-playground.runs";

/// The defaults where nothing is kept, or nothing that we can read.
pub fn settings() -> Settings {
    LocalStorage::get(SETTINGS).unwrap_or_default()
}

pub fn runs() -> Vec<SavedRun> {
    LocalStorage::get(RUNS).unwrap_or_default()
}

/// Says whether the browser took it.
pub fn save_settings(settings: &Settings) -> bool {
    LocalStorage::set(SETTINGS, settings).is_ok()
}

pub fn save_runs(runs: &[SavedRun]) -> bool {
    LocalStorage::set(RUNS, runs).is_ok()
}
