//! What the browser keeps for this person: settings, and runs of their own.
//!
//! Each run has a key of its own, so that two windows never write over each other's list. Where the browser
//! keeps nothing, because storage is blocked, the same is kept in memory until the page is left.

use std::cell::RefCell;

use gloo_events::EventListener;
use js_sys::Date;
use wasm_bindgen::JsCast;
use web_sys::{Storage, StorageEvent};

use crate::app::action::{Action, KeptRuns, SavedRun};
use crate::app::own::RUNS_KEPT;
use crate::app::settings::Settings;

const SETTINGS: &str = "rocketmq-playground.settings";
/// Followed by the run's id.
const RUN: &str = "rocketmq-playground.run.";
/// One list under one key, as it was kept once.
const OLD_RUNS: &str = "rocketmq-playground.runs";

/// So many of the oldest make room in a full store before a run is given up.
const MAKE_ROOM: usize = 4;

thread_local! {
    /// Runs of this visit where the browser keeps nothing.
    static IN_MEMORY: RefCell<Vec<SavedRun>> = const { RefCell::new(Vec::new()) };
}

/// Nothing where storage is blocked: then already asking for it fails.
fn storage() -> Option<Storage> {
    super::document::window().local_storage().ok().flatten()
}

/// Whether the browser takes nothing, and has nothing of before either.
pub fn keeps_nothing() -> bool {
    let Some(storage) = storage() else { return true };
    let took = storage.set_item("rocketmq-playground.probe", "1").is_ok();
    let _ = storage.remove_item("rocketmq-playground.probe");
    !took && storage.length().unwrap_or(0) == 0
}

/// The defaults where nothing is kept, or nothing that we can read.
pub fn settings() -> Settings {
    let text = storage().and_then(|storage| storage.get_item(SETTINGS).ok().flatten());
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Says whether the browser took it.
pub fn save_settings(settings: &Settings) -> bool {
    let text = serde_json::to_string(settings).unwrap_or_default();
    storage().is_some_and(|storage| storage.set_item(SETTINGS, &text).is_ok())
}

/// All that is kept, newest first.
pub fn runs() -> Vec<SavedRun> {
    let mut runs = match storage() {
        Some(storage) => {
            bring_over(&storage);
            read(&storage)
        }
        None => IN_MEMORY.with_borrow(Clone::clone),
    };
    for run in &mut runs {
        run.when = by_the_clock(run.when_ms);
    }
    runs.sort_by(|a, b| b.when_ms.cmp(&a.when_ms).then_with(|| b.id.cmp(&a.id)));
    runs
}

fn read(storage: &Storage) -> Vec<SavedRun> {
    let keys = (0..storage.length().unwrap_or(0)).filter_map(|n| storage.key(n).ok().flatten());
    let keys: Vec<String> = keys.filter(|key| key.starts_with(RUN)).collect();
    let texts = keys.iter().filter_map(|key| storage.get_item(key).ok().flatten());
    texts.filter_map(|text| serde_json::from_str(&text).ok()).collect()
}

/// The list of an older version of this page: each run gets a key of its own.
fn bring_over(storage: &Storage) {
    #[derive(serde::Deserialize)]
    struct Old {
        hash: String,
        title: String,
        deeds: u32,
    }
    let Some(text) = storage.get_item(OLD_RUNS).ok().flatten() else { return };
    let olds: Vec<Old> = serde_json::from_str(&text).unwrap_or_default();
    let count = olds.len() as u64;
    for (n, Old { hash, title, deeds }) in (0u64..).zip(olds) {
        let (id, when_ms) = (format!("old-{n}"), count - n);
        let run = SavedRun { id, hash, title, deeds, when_ms, ..SavedRun::default() };
        if !write(storage, &run) {
            return;
        }
    }
    let _ = storage.remove_item(OLD_RUNS);
}

fn write(storage: &Storage, run: &SavedRun) -> bool {
    let text = serde_json::to_string(run).unwrap_or_default();
    storage.set_item(&format!("{RUN}{}", run.id), &text).is_ok()
}

/// Keeps it, now. The oldest make room where there are too many or where the store is full.
pub fn keep(run: SavedRun) -> KeptRuns {
    let run = SavedRun { when_ms: Date::now() as u64, ..run };
    let Some(storage) = storage() else {
        IN_MEMORY.with_borrow_mut(|kept| {
            kept.retain(|other| other.id != run.id);
            kept.insert(0, run);
            kept.truncate(RUNS_KEPT);
        });
        return KeptRuns { runs: runs(), ..KeptRuns::default() };
    };
    let mut others: Vec<SavedRun> = runs().into_iter().filter(|it| it.id != run.id).collect();
    let mut dropped = Vec::new();
    let mut is_kept = others.len() < RUNS_KEPT && write(&storage, &run);
    while !is_kept
        && dropped.len() < MAKE_ROOM
        && let Some(oldest) = others.pop()
    {
        forget(&oldest.id);
        dropped.push(oldest);
        is_kept = others.len() < RUNS_KEPT && write(&storage, &run);
    }
    if !is_kept {
        // It was not ours that filled the store.
        let lost = dropped.drain(..).filter(|run| !write(&storage, run)).count();
        return KeptRuns { runs: runs(), dropped: lost as u32, is_full: true };
    }
    KeptRuns { runs: runs(), dropped: dropped.len() as u32, is_full: false }
}

/// Takes it out.
pub fn forget(id: &str) {
    IN_MEMORY.with_borrow_mut(|kept| kept.retain(|run| run.id != id));
    if let Some(storage) = storage() {
        let _ = storage.remove_item(&format!("{RUN}{id}"));
    }
}

/// Reports what other windows keep and take out; also when the page is shown again, since a window that
/// was put to sleep hears nothing.
pub fn follow(report: impl Fn(Action) + Clone + 'static) -> Vec<EventListener> {
    let window = super::document::window();
    let document = super::document::document();
    let tell = move || report(Action::RunsKept(KeptRuns { runs: runs(), ..KeptRuns::default() }));
    let on_stored = tell.clone();
    let stored = EventListener::new(&window, "storage", move |event| {
        let key = event.dyn_ref::<StorageEvent>().and_then(StorageEvent::key);
        // Without a key everything was cleared.
        if key.is_none_or(|key| key.starts_with(RUN)) {
            on_stored();
        }
    });
    let seen = document.clone();
    let shown = EventListener::new(&document, "visibilitychange", move |_| {
        if seen.visibility_state() == web_sys::VisibilityState::Visible {
            tell();
        }
    });
    vec![stored, shown]
}

/// `2026-11-30 21:23`, by the person's clock and time zone; nothing for what is older than our clock.
fn by_the_clock(when_ms: u64) -> String {
    if when_ms < 1_000_000 {
        return String::new();
    }
    let date = Date::new(&wasm_bindgen::JsValue::from_f64(when_ms as f64));
    format!(
        "{}-{:02}-{:02} {:02}:{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date(),
        date.get_hours(),
        date.get_minutes()
    )
}
