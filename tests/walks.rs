//! Every preset is a walkthrough: its marks come, in their order, and what they light is on the stage.

use std::fmt::Write as _;

use rocketmq_playground::app::action::{Action, Device, Media, Step};
use rocketmq_playground::app::ask::Ask;
use rocketmq_playground::app::effect::Effect;
use rocketmq_playground::app::settings::Motion;
use rocketmq_playground::app::shown::WalkShown;
use rocketmq_playground::app::{App, mark_text};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::scenario::link::Link;
use rocketmq_playground::scenario::presets;
use rocketmq_playground::scenario::walk::{SENTENCES, sentences};
use rocketmq_playground::scene::frame::Mark;
use rocketmq_playground::text::Language;

/// When each mark of each preset comes, and what it lights: the numbers of the captions rest on it.
const GOLDEN: &str = "tests/golden/walks.tsv";

fn opened(hash: &str, width: f64) -> App {
    let mut app = App::default();
    let media = Media { width, height: 720.0, ..Media::default() };
    let device = Device { hash: hash.to_owned(), media, ..Device::default() };
    app.update(Action::Started(Box::new(device)));
    for _ in 0..10_000 {
        if app.run.as_ref().is_none_or(|run| run.is_complete()) {
            return app;
        }
        app.update(Action::FramePassed(16.0));
    }
    panic!("{hash} is never complete");
}

fn still(hash: &str, width: f64) -> App {
    let mut app = opened(hash, width);
    app.update(Action::ChoseMotion(Motion::Still));
    app
}

fn walk(app: &mut App) -> WalkShown {
    app.run_shown().and_then(|shown| shown.walk).expect("the run has a walkthrough")
}

fn now(app: &App) -> u64 {
    app.run.as_ref().expect("a run is open").now().ms()
}

fn announced(effects: &[Effect]) -> Vec<&str> {
    let said = effects.iter().filter_map(|effect| match effect {
        Effect::Announce(sentence) => Some(sentence.as_str()),
        _ => None,
    });
    said.collect()
}

#[test]
fn every_mark_has_a_caption_in_both_languages() {
    for name in presets::all_names() {
        let scenario = presets::by_name(name).expect("every name has its preset");
        for (index, mark) in scenario.marks.iter().enumerate() {
            let place = format!("{name}, mark {}", index + 1);
            let (en, zh) = (&mark.caption.en, &mark.caption.zh);
            for text in [en, zh] {
                assert!((1..=SENTENCES).contains(&sentences(text)), "{place}: {text}");
            }
            assert!(en.is_ascii() || !has_chinese(en), "{place}: {en}");
            assert!(has_chinese(zh), "{place}: {zh}");
        }
    }
}

fn has_chinese(text: &str) -> bool {
    text.chars().any(|sign| ('\u{4e00}'..='\u{9fff}').contains(&sign))
}

#[test]
fn walking_through_every_preset_meets_each_mark_in_order_with_its_focus_on_the_stage() {
    let mut found = String::new();
    let mut missing = Vec::new();
    for name in presets::all_names() {
        let scenario = presets::by_name(name).expect("every name has its preset");
        let marks: Vec<_> = scenario.marks_told().cloned().collect();
        let mut app = still(&format!("#/p/{name}"), 1280.0);
        assert_eq!(walk(&mut app).number, 0, "{name}");
        let mut story_ms = -1.0;
        for (index, mark) in marks.iter().enumerate() {
            let place = format!("{name}, mark {}", index + 1);
            let effects = app.update(Action::WalkedOn);
            let shown = walk(&mut app);
            assert_eq!((shown.number, shown.count), (index + 1, marks.len()), "{place}");
            assert!(shown.holds && shown.other_release.is_none(), "{place}");
            assert_eq!(shown.caption(Language::En), mark.caption.en, "{place}");
            assert!(announced(&effects).iter().any(|it| it.contains(&mark.caption.en)), "{place}");
            let at_ms = app.run.as_ref().expect("a run is open").player.at_ms;
            assert!(at_ms > story_ms, "{place} is not after the one before");
            story_ms = at_ms;
            let lit = app.run.as_ref().and_then(|run| run.selected.clone());
            let lit = lit.unwrap_or_else(|| panic!("{place}: no {}", mark.focus));
            for width in [1280.0, 1920.0] {
                app.update(Action::MediaChanged(Media {
                    width,
                    height: 1080.0,
                    ..Media::default()
                }));
                let frame = app.run_shown().expect("a run is shown").frame;
                let is_named = |mark: &Mark| !mark.name.is_empty();
                let mut marks = frame.marks.iter().filter(|mark| mark.id.as_ref() == Some(&lit));
                let is_there = marks.any(|mark| is_named(mark));
                if !is_there {
                    missing.push(format!("{place}: {} is not on the stage at {width}", mark.focus));
                }
            }
            let _ =
                writeln!(found, "{name}\t{}\t{}\t{}", index + 1, now(&app), mark_text::write(&lit));
        }
        assert!(!walk(&mut app).can_go_on, "{name}");
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    if std::env::var_os("UPDATE_WALKS").is_some() {
        std::fs::write(GOLDEN, &found).expect("the file can be written");
    }
    let known = std::fs::read_to_string(GOLDEN).unwrap_or_default();
    for (known, found) in known.lines().zip(found.lines()) {
        assert_eq!(known, found, "a mark has moved: see that its caption still holds");
    }
    assert_eq!(known.lines().count(), found.lines().count(), "UPDATE_WALKS=1 writes {GOLDEN}");
}

#[test]
fn next_plays_to_the_mark_and_stops_there_and_pressed_again_jumps() {
    let mut app = opened("#/p/slow-message", 1280.0);
    app.update(Action::WalkedOn);
    let mut last = Vec::new();
    let mut frames = 0;
    while app.run.as_ref().is_some_and(|run| run.player.is_playing) {
        last = app.update(Action::FramePassed(50.0));
        frames += 1;
    }
    assert!(frames > 10 && frames * 50 <= 12_500, "{frames} frames");
    assert_eq!((now(&app), walk(&mut app).number), (13_004, 1));
    assert!(announced(&last).iter().any(|it| it.starts_with("Step 1 of 5. Watch message m12")));
    assert!(last.iter().any(|it| matches!(it, Effect::WriteHash { is_new: false, .. })));
    app.update(Action::WalkedOn);
    app.update(Action::FramePassed(50.0));
    app.update(Action::WalkedOn);
    assert_eq!((now(&app), walk(&mut app).number), (20_000, 2));
    assert!(!app.run.as_ref().expect("open").player.is_playing);
}

#[test]
fn previous_leads_back_to_the_mark_that_was_passed_and_in_the_end_to_the_start() {
    let mut app = still("#/p/slow-message", 1280.0);
    (0..3).for_each(|_| drop(app.update(Action::WalkedOn)));
    app.update(Action::Stepped(Step::Event));
    assert_eq!((walk(&mut app).number, walk(&mut app).holds), (3, false));
    for number in [3, 2, 1, 0] {
        app.update(Action::WalkedBack);
        assert_eq!((walk(&mut app).number, walk(&mut app).holds), (number, true));
    }
    assert_eq!(now(&app), 0);
    assert!(!walk(&mut app).can_go_back);
}

#[test]
fn the_address_of_a_mark_leads_back_to_its_caption_and_its_light() {
    for name in ["minute-of-silence", "poison-message", "happy-path"] {
        let mut app = still(&format!("#/p/{name}"), 1280.0);
        for _ in 0..4 {
            let effects = app.update(Action::WalkedOn);
            let hash = effects.iter().rev().find_map(|effect| match effect {
                Effect::WriteHash { text, .. } => Some(text.clone()),
                _ => None,
            });
            let mut other = opened(&format!("#{}", hash.expect("a mark has its address")), 1280.0);
            assert_eq!(walk(&mut other).watch, walk(&mut app).watch);
            assert!(walk(&mut other).holds);
            let lit = |app: &App| app.run.as_ref().and_then(|run| run.selected.clone());
            assert_eq!(lit(&other), lit(&app));
        }
    }
}

#[test]
fn the_scrub_bar_has_a_star_for_each_mark() {
    use rocketmq_playground::scene::scrub::ScrubSign;
    let mut app = opened("#/p/minute-of-silence", 1280.0);
    let scrub = app.run_shown().expect("a run is shown").scrub;
    let stars = scrub.markers.iter().filter(|marker| marker.sign == ScrubSign::Star);
    assert_eq!(stars.count(), 7);
}

#[test]
fn another_release_has_captions_of_its_own() {
    let mut app = still("#/p/minute-of-silence", 1280.0);
    let last = |app: &mut App| {
        while walk(app).can_go_on {
            app.update(Action::WalkedOn);
        }
        (walk(app).count, walk(app).watch)
    };
    let old = last(&mut app);
    app.update(Action::ChoseProfile(Profile::V53));
    for _ in 0..2_000 {
        app.update(Action::FramePassed(16.0));
    }
    app.update(Action::Stepped(Step::Start));
    let new = last(&mut app);
    assert_eq!((old.0, new.0), (7, 5));
    assert_ne!(old.1, new.1);
    assert_eq!(walk(&mut app).other_release, None);
}

#[test]
fn on_the_way_one_is_told_what_to_watch_and_at_the_mark_what_it_means() {
    let mut app = opened("#/p/slow-message", 1280.0);
    let before = walk(&mut app);
    assert!(before.is_coming && before.meaning.is_none() && before.watch.starts_with("Watch"));
    app.update(Action::WalkedOn);
    app.update(Action::FramePassed(50.0));
    assert_eq!((walk(&mut app).is_on_the_way, walk(&mut app).watch), (true, before.watch.clone()));
    app.update(Action::WalkedOn);
    let there = walk(&mut app);
    assert_eq!((there.is_coming, there.number, there.watch), (false, 1, before.watch));
    assert!(there.meaning.is_some());
    app.update(Action::WalkedTo(2));
    assert_eq!(walk(&mut app).number, 3);
}

#[test]
fn after_an_act_of_the_visitor_no_caption_speaks_of_what_is_no_more() {
    let mut app = still("#/p/slow-message", 1280.0);
    app.update(Action::WalkedOn);
    app.update(Action::WalkedOn);
    app.update(Action::Asked(Ask::AddConsumer));
    while app.run.as_ref().is_some_and(|run| !run.is_complete()) {
        app.update(Action::FramePassed(16.0));
    }
    assert_eq!(walk(&mut app).number, 2);
    app.update(Action::Stepped(Step::End));
    let shown = walk(&mut app);
    assert!(shown.is_left_by_act && !shown.can_go_on && !shown.holds);
    app.update(Action::PressedUndo);
    while app.run.as_ref().is_some_and(|run| !run.is_complete()) {
        app.update(Action::FramePassed(16.0));
    }
    app.update(Action::WalkedBack);
    assert!(!walk(&mut app).is_left_by_act);
}

#[test]
fn captions_are_in_the_language_of_the_page() {
    let mut app = still("#/p/start-up", 1280.0);
    app.update(Action::ChoseLanguage(Language::ZhCn));
    let effects = app.update(Action::WalkedOn);
    assert!(has_chinese(&walk(&mut app).watch));
    assert!(announced(&effects).iter().any(|it| it.starts_with("第 1 步，共 7 步。")));
}

/// One frame of sixty in a second, wall ms.
const FRAME: f64 = 1_000.0 / 60.0;

/// Presses "next" and plays until it rests; the wall time that takes, ms.
fn step_time(app: &mut App) -> f64 {
    app.update(Action::WalkedOn);
    let mut passed = 0.0;
    while app.run.as_ref().is_some_and(|run| run.player.is_playing) && passed < 60_000.0 {
        app.update(Action::FramePassed(FRAME));
        passed += FRAME;
    }
    passed
}

#[test]
fn no_step_of_any_preset_plays_longer_than_eight_seconds() {
    let mut longest = (0.0, String::new());
    for name in presets::all_names() {
        for profile in Profile::ALL {
            let mut app = opened(&Link::preset(name, profile).to_fragment(), 1_280.0);
            let profile = profile.release();
            for step in 1..=walk(&mut app).count {
                let took = step_time(&mut app);
                if took > longest.0 {
                    longest = (took, format!("{name}, step {step}, {profile}"));
                }
            }
        }
    }
    println!("longest step: {:.2} s ({})", longest.0 / 1_000.0, longest.1);
    assert!(longest.0 <= 8_000.0, "{longest:?}");
}

#[test]
fn the_first_thing_moves_within_a_second_and_the_first_message_within_three() {
    let (mut slowest_move, mut slowest_message) = ((0.0, ""), (0.0, ""));
    let mut faults = Vec::new();
    for name in presets::all_names() {
        let mut app = opened(&format!("#/p/{name}"), 1_280.0);
        app.update(Action::PressedPlay);
        let (mut passed, mut first_move, mut first_message) = (0.0, None, None);
        while passed < 6_000.0 && (first_move.is_none() || first_message.is_none()) {
            app.update(Action::FramePassed(FRAME));
            passed += FRAME;
            let frame = app.run_shown().expect("a run is shown").frame;
            let lifted = frame.marks.iter().find(|mark| mark.lift > 0.0);
            if first_move.is_none() && frame.subject.is_some() {
                first_move = Some(passed);
            }
            let run = app.run.as_ref().expect("a run is open");
            let told = run.film().beat_within(run.player.at_ms);
            let is_of_a_message = told.is_some_and(|beat| beat.message.is_some());
            if first_message.is_none() && is_of_a_message && lifted.is_some() {
                first_message = Some(passed);
            }
        }
        let moved = first_move.unwrap_or(9e9);
        // There the message comes when the consumer has started, which is what that run is about.
        let message = if name == "start-up" { 0.0 } else { first_message.unwrap_or(9e9) };
        if moved > slowest_move.0 {
            slowest_move = (moved, name);
        }
        if message > slowest_message.0 {
            slowest_message = (message, name);
        }
        if moved > 1_000.0 || message > 3_000.0 {
            faults.push(format!("{name}: move {moved:.0} ms, message {message:.0} ms"));
        }
    }
    println!("slowest first move {slowest_move:?}, first message {slowest_message:?}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
