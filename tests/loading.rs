//! Coming to the page, and coming back: the first paint, what is kept of one's own runs, undo after a reload,
//! what is said once.

use rocketmq_playground::app::action::{Action, Device, Failure, KeptRuns, Media, SavedRun};
use rocketmq_playground::app::ask::{Ask, Sending};
use rocketmq_playground::app::effect::Effect;
use rocketmq_playground::app::own::RUNS_KEPT;
use rocketmq_playground::app::settings::Settings;
use rocketmq_playground::app::{App, Page};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::text::Language;
use rocketmq_playground::text::page::PageWord;

fn device(hash: &str) -> Device {
    let media = Media { width: 1280.0, height: 720.0, ..Media::default() };
    Device { hash: hash.to_owned(), media, visit: 0xa1, ..Device::default() }
}

fn started(device: Device) -> (App, Vec<Effect>) {
    let mut app = App::default();
    let effects = app.update(Action::Started(Box::new(device)));
    (app, effects)
}

fn complete(app: &mut App) {
    for _ in 0..10_000 {
        if app.run.as_ref().is_none_or(|run| run.is_complete() && run.is_checked()) {
            return;
        }
        app.update(Action::FramePassed(16.0));
    }
    panic!("the run is never complete");
}

fn opened(device: Device) -> App {
    let (mut app, _) = started(device);
    complete(&mut app);
    app
}

/// The page as it starts again in the same browser: the address and the kept runs are what was there.
fn reloaded(app: &mut App) -> App {
    complete(app);
    let hash = app.address_behind();
    opened(Device { runs: app.saved.to_vec(), visit: 0xb2, ..device(&hash) })
}

fn add_consumer(app: &mut App) {
    app.update(Action::Asked(Ask::AddConsumer));
    complete(app);
}

fn deeds(app: &App) -> u32 {
    app.run.as_ref().expect("a run is open").deed_count()
}

fn announced(effects: &[Effect]) -> Vec<&str> {
    let said = effects.iter().filter_map(|effect| match effect {
        Effect::Announce(sentence) => Some(sentence.as_str()),
        _ => None,
    });
    said.collect()
}

#[test]
fn the_first_paint_says_what_the_start_page_says_in_both_languages() {
    let html = include_str!("../index.html");
    for language in Language::ALL {
        for word in [PageWord::StartHeadline, PageWord::StartLead] {
            let said = word.say(language);
            assert!(html.contains(&format!(">{said}</")), "index.html lacks: {said}");
        }
    }
    let title = html.split("<h1").nth(1).and_then(|it| it.split("</h1>").next()).expect("a title");
    let title = title.split_once('>').expect("closed").1;
    for (language, hidden) in [(Language::En, "in-zh"), (Language::ZhCn, "in-en")] {
        let shown = title.split("<span class=\"").filter(|part| !part.starts_with(hidden));
        let words = shown.map(|part| part.split_once('>').map_or(part, |(_, rest)| rest));
        let words: String = words.map(|part| part.replace("</span>", "")).collect();
        let (found, said) = (words.replace("  ", " "), PageWord::AppTitle.say(language));
        assert_eq!(found.trim(), said);
    }
}

#[test]
fn the_same_first_act_in_two_runs_of_one_preset_makes_two_of_ones_own() {
    let mut app = opened(device("#/p/slow-message?t=6.000"));
    add_consumer(&mut app);
    app.update(Action::HashChanged("#/p/slow-message?t=6.000".to_owned()));
    complete(&mut app);
    add_consumer(&mut app);
    assert_eq!(app.saved.len(), 2);
    assert_ne!(app.saved[0].id, app.saved[1].id);
}

#[test]
fn a_later_state_of_a_run_takes_the_place_of_the_earlier_one_after_a_reload_too() {
    let mut app = opened(device("#/p/slow-message?t=6.000"));
    add_consumer(&mut app);
    let mut again = reloaded(&mut app);
    add_consumer(&mut again);
    assert_eq!(again.saved.len(), 1);
    assert_eq!(again.saved[0].deeds, 2);
    assert_eq!(again.saved[0].id, app.saved[0].id);
    again.update(Action::ChoseProfile(Profile::V53));
    complete(&mut again);
    assert_eq!(again.saved.len(), 1, "another release of it is the same run");
    add_consumer(&mut again);
    assert_eq!(again.saved.len(), 1);
}

#[test]
fn undo_after_a_reload_takes_back_the_last_act_and_redo_does_it_again() {
    let mut app = opened(device("#/p/slow-message?t=6.000"));
    let before = app.run_shown().expect("shown").frame.to_text();
    app.update(Action::Asked(Ask::Send(Sending::default())));
    add_consumer(&mut app);
    let mut again = reloaded(&mut app);
    assert!(again.run.as_ref().expect("open").can_undo());
    again.update(Action::PressedUndo);
    complete(&mut again);
    assert_eq!(deeds(&again), 1);
    again.update(Action::PressedUndo);
    complete(&mut again);
    assert_eq!(deeds(&again), 0);
    assert_eq!(again.run_shown().expect("shown").frame.to_text(), before);
    assert!(!again.run.as_ref().expect("open").can_undo());
    assert!(again.saved.is_empty(), "with nothing done it is the preset");
    again.update(Action::PressedRedo);
    again.update(Action::PressedRedo);
    complete(&mut again);
    assert_eq!(deeds(&again), 2);
    assert_eq!(again.saved.len(), 1);
}

#[test]
fn what_another_window_kept_stays_beside_ones_own() {
    let mut first = opened(device("#/p/slow-message?t=6.000"));
    add_consumer(&mut first);
    let mut second = reloaded(&mut first);
    first.update(Action::Asked(Ask::Send(Sending::default())));
    // What the browser tells the second window.
    let kept = KeptRuns { runs: first.saved.to_vec(), ..KeptRuns::default() };
    second.update(Action::RunsKept(kept));
    add_consumer(&mut second);
    assert_eq!(second.saved.len(), 2);
    assert_ne!(second.saved[0].id, first.saved[0].id);
    assert!(second.saved.iter().any(|run| run.hash == first.saved[0].hash));
}

#[test]
fn the_list_says_what_was_done_first_and_last_and_where_one_stood() {
    let mut app = opened(device("#/p/slow-message?t=6.000"));
    app.update(Action::Asked(Ask::Send(Sending::default())));
    add_consumer(&mut app);
    let list = app.own_runs();
    let run = list.first().expect("one");
    assert_eq!(&*run.title, &*app.run.as_ref().expect("open").title(Language::En));
    assert_eq!(run.deeds, 2);
    assert!(run.first.as_ref().is_some_and(|it| it.contains("send")), "{:?}", run.first);
    assert!(run.last.as_ref().is_some_and(|it| it.contains("c2")), "{:?}", run.last);
    assert_eq!(run.at.map(|at| at.ms()), Some(6_000));
    let english = run.first.clone();
    app.update(Action::ChoseLanguage(Language::ZhCn));
    assert_ne!(app.own_runs()[0].first, english);
}

#[test]
fn a_run_can_be_renamed_and_deleted() {
    let mut app = opened(device("#/p/slow-message?t=6.000"));
    add_consumer(&mut app);
    let id = app.saved[0].id.clone();
    app.update(Action::RenamedRun { id: id.clone(), name: "  for the class ".to_owned() });
    assert_eq!(app.own_runs()[0].name.as_deref(), Some("for the class"));
    add_consumer(&mut app);
    assert_eq!(app.own_runs()[0].name.as_deref(), Some("for the class"), "a later state keeps it");
    app.update(Action::RenamedRun { id: id.clone(), name: String::new() });
    assert_eq!(app.own_runs()[0].name, None);
    let effects = app.update(Action::DeletedRun(id.clone()));
    assert!(effects.contains(&Effect::ForgetRun(id.clone())));
    assert!(app.saved.is_empty());
    add_consumer(&mut app);
    assert_ne!(app.saved[0].id, id);
}

#[test]
fn so_many_are_kept_and_a_full_store_is_told() {
    let mut app = opened(device("#/p/slow-message?t=6.000"));
    let others = (0..RUNS_KEPT).map(|n| SavedRun { id: format!("x{n}"), ..SavedRun::default() });
    let kept = KeptRuns { runs: others.collect(), ..KeptRuns::default() };
    app.update(Action::RunsKept(kept.clone()));
    assert_eq!(app.own_runs().len(), RUNS_KEPT);
    add_consumer(&mut app);
    assert_eq!(app.saved.len(), RUNS_KEPT);
    let effects = app.update(Action::RunsKept(KeptRuns { dropped: 1, ..kept.clone() }));
    assert!(announced(&effects)[0].contains("the oldest has made room"));
    let effects = app.update(Action::RunsKept(KeptRuns { is_full: true, ..kept }));
    assert!(announced(&effects)[0].contains("is full"));
}

#[test]
fn a_link_that_one_only_looks_at_is_not_ones_own() {
    let mut app = opened(device("#/p/slow-message?t=6.000"));
    add_consumer(&mut app);
    let mut other = opened(device(&app.address_behind()));
    other.update(Action::HashChanged("#/p/happy-path".to_owned()));
    assert!(other.saved.is_empty());
}

#[test]
fn where_the_browser_keeps_nothing_that_is_said_once_and_all_else_works() {
    let blocked = Device { keeps_nothing: true, ..device("#/p/slow-message?t=6.000") };
    let (mut app, effects) = started(blocked);
    assert_eq!(announced(&effects), [PageWord::StoreFailed.say(Language::En)]);
    for _ in 0..3 {
        assert_eq!(app.update(Action::EffectFailed(Failure::Store)), []);
    }
    complete(&mut app);
    add_consumer(&mut app);
    assert_eq!(app.own_runs().len(), 1);
}

#[test]
fn a_reader_of_traditional_characters_is_told_once_that_these_are_simplified() {
    let reads = |tag: &str| Device { languages: vec![tag.to_owned()], ..device("") };
    for tag in ["zh-TW", "zh-HK", "zh-Hant", "zh-Hant-HK", "zh-MO"] {
        let (app, effects) = started(reads(tag));
        let told = PageWord::SimplifiedHere.say(Language::ZhCn);
        assert!(announced(&effects).contains(&told), "{tag}");
        assert_eq!(app.toasts.shown().len(), 1);
        assert!(!effects.iter().any(|it| matches!(it, Effect::EndToast { .. })), "it stays");
        let settings = app.settings.clone();
        let (app, _) = started(Device { settings, ..reads(tag) });
        assert!(app.toasts.shown().is_empty(), "{tag}: told twice");
    }
    let english = Settings { language: Some(Language::En), ..Settings::default() };
    let devices = [
        reads("zh-CN"),
        reads("zh"),
        reads("zh-Hans-HK"),
        reads("en-HK"),
        Device { settings: english, ..reads("zh-TW") },
    ];
    for device in devices {
        let (app, _) = started(device);
        assert!(app.toasts.shown().is_empty());
    }
}

#[test]
fn the_yellow_button_opens_the_first_run_and_plays_it() {
    let (mut app, _) = started(device(""));
    let first = app.presets()[0].name;
    let effects = app.update(Action::PlayedPreset(first.into()));
    assert!(effects.iter().any(|it| matches!(it, Effect::WriteHash { is_new: true, .. })));
    assert_eq!(app.page, Page::Run);
    for _ in 0..40 {
        app.update(Action::FramePassed(50.0));
    }
    assert!(app.run.as_ref().expect("open").player.at_ms > 1_000.0, "it does not play");
}

#[test]
fn a_new_version_waits_until_it_is_asked_for() {
    let (mut app, _) = started(device(""));
    app.update(Action::NewVersionWaits);
    assert!(app.new_version);
    assert_eq!(app.update(Action::TookNewVersion), [Effect::TakeNewVersion]);
    app.update(Action::LeftNewVersion);
    assert!(!app.new_version);
}
