//! Everything that happens has words in both languages, and nothing technical shows through.

#[path = "kit/faults.rs"]
mod faults;

use std::collections::BTreeSet;

use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::recording::{Recording, Start};
use rocketmq_playground::scenario::{Scenario, presets};
use rocketmq_playground::scene::film::Film;
use rocketmq_playground::scene::log::{Log, LogKind};
use rocketmq_playground::scene::narrate::Narrator;
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::sim::command::Command;
use rocketmq_playground::text::Language;

fn recorded(scenario: &Scenario) -> Recording {
    let mut recording = Recording::new(Start::from(scenario), Vec::new());
    recording.extend_until(scenario.until, TaskBudget::UNLIMITED);
    recording
}

fn preset(name: &str) -> Scenario {
    presets::by_name(name).expect("it is in the list")
}

fn runs() -> Vec<(String, Recording)> {
    let mut runs: Vec<(String, Recording)> =
        presets::all_names().map(|name| ((*name).to_owned(), recorded(&preset(name)))).collect();
    for profile in Profile::ALL {
        for orderly in [false, true] {
            let scenario = faults::with_faults("consumers-join", profile, orderly);
            runs.push((format!("faults {profile:?} orderly {orderly}"), recorded(&scenario)));
        }
    }
    runs
}

/// Nothing of our own code's writing shows.
fn is_clean(words: &str) -> bool {
    let technical = ["Some(", "None", "{", "}", "Rc", "::", "Millis("];
    !words.trim().is_empty() && technical.iter().all(|sign| !words.contains(sign))
}

#[test]
fn every_event_and_every_fold_has_a_sentence_in_both_languages() {
    let mut kinds = BTreeSet::new();
    for (name, recording) in runs() {
        let mut film = Film::new();
        film.follow(&recording);
        let narrator = Narrator::new(&recording, film.journal());
        for event in recording.events().iter() {
            let debug = format!("{:?}", event.kind);
            kinds.insert(debug.split([' ', '(', '{']).next().unwrap_or_default().to_owned());
            let told = narrator.told(event);
            let [en, zh] = Language::ALL.map(|language| told.text.say(language).into_owned());
            assert!(is_clean(&en) && is_clean(&zh), "{name}: {en} / {zh}: {debug}");
            assert!(en != zh || told.text.say(Language::En).is_ascii(), "{name}: {en}");
            let sentence = told.sentence(Language::En);
            assert!(is_clean(&sentence), "{name}: {sentence}");
            assert!(sentence.chars().count() < 190, "{name}: too long: {sentence}");
        }
        for fold in film.folds() {
            let [en, zh] = Language::ALL.map(|language| narrator.fold(fold).say(language));
            assert!(is_clean(&en) && is_clean(&zh) && en != zh, "{name}: {en} / {zh}");
        }
        let simulation = recording.simulation_at(recording.event_count() / 2);
        for line in narrator.agenda(&simulation) {
            let [en, zh] = Language::ALL.map(|language| line.text.say(language));
            assert!(is_clean(&en) && is_clean(&zh) && en != zh, "{name}: {en} / {zh}");
        }
    }
    assert!(kinds.len() >= 62, "only {} kinds of events were seen: {kinds:?}", kinds.len());
}

#[test]
fn the_log_has_each_event_in_a_row_and_background_runs_in_one() {
    for (name, recording) in runs() {
        let mut film = Film::new();
        film.follow(&recording);
        let mut log = Log::default();
        log.follow(&recording, film.timeline());
        let told: u32 = log.rows().iter().map(|row| row.count).sum();
        assert_eq!(told, recording.event_count(), "{name}");
        assert!(log.rows().windows(2).all(|pair| pair[0].first < pair[1].first), "{name}");
        let single = log.rows().iter().all(|row| row.importance == 0 || row.count == 1);
        assert!(single, "{name}: told events have a row each");
        let narrator = Narrator::new(&recording, film.journal());
        for place in [0, log.rows().len() / 2, log.rows().len() - 1] {
            let line = log.line(&narrator, place).expect("it is a row");
            assert_eq!(log.row_of(line.event), place, "{name}");
        }
        let offsets = log.filtered(&recording, &[LogKind::Offset], 2, None);
        assert!(offsets.iter().all(|place| log.rows()[*place].kind == LogKind::Offset));
    }
}

#[test]
fn a_log_that_followed_an_act_in_the_past_is_that_of_a_fresh_one() {
    let mut recording = recorded(&preset("consumers-join"));
    let (mut film, mut log) = (Film::new(), Log::default());
    film.follow(&recording);
    log.follow(&recording, film.timeline());
    let stop = Command::StopConsumer { client_id: "c2".into(), group: None };
    recording.act(Millis(70_000), stop).expect("c2 runs");
    recording.extend_until(Millis(100_000), TaskBudget::UNLIMITED);
    film.follow(&recording);
    log.follow(&recording, film.timeline());
    let mut fresh = Log::default();
    fresh.follow(&recording, film.timeline());
    assert_eq!(log.rows(), fresh.rows());
}
