//! Every preset is a good scenario file, runs to its end, and does what it says.

use std::collections::BTreeSet;

use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::scenario::expect::check_all;
use rocketmq_playground::scenario::{file, presets};
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::sim::event::EventKind;

#[test]
fn every_preset_has_a_name_of_its_own_and_subjects_stand_together() {
    let names = presets::all_names().collect::<BTreeSet<_>>();
    assert_eq!((names.len(), presets::all_names().count()), (19, 19));
    assert!(presets::NAMES.iter().all(|name| names.contains(name)));
    let subjects = presets::subjects().map(|(subject, _)| subject);
    assert!(subjects.is_sorted());
}

#[test]
fn every_preset_reads_without_a_problem() {
    for name in presets::all_names() {
        let text = presets::text_of(name).expect("every name has its text");
        if let Err(problems) = file::read(text) {
            let lines = problems.iter().map(ToString::to_string).collect::<Vec<_>>();
            panic!("{name}:\n{}", lines.join("\n"));
        }
    }
}

#[test]
fn every_preset_runs_under_every_profile_and_no_command_is_refused() {
    for name in presets::all_names() {
        for profile in Profile::ALL {
            let scenario = presets::by_name_as(name, profile).expect("every name has its preset");
            assert_eq!((scenario.id.as_str(), scenario.setup.profile), (name, profile));
            let mut simulation = scenario.simulation();
            simulation.run_until(scenario.until, TaskBudget::UNLIMITED);
            let events = simulation.take_events();
            let is_start = |kind: &EventKind| matches!(kind, EventKind::ConsumeStarted { .. });
            assert!(events.iter().any(|event| is_start(&event.kind)), "{name}: nothing consumed");
            for event in &events {
                if let EventKind::CommandRefused { index, error } = &event.kind {
                    panic!("{name}: command {index} at {} is refused: {error}", event.at);
                }
            }
        }
    }
}

#[test]
fn every_preset_does_what_it_says() {
    for name in presets::all_names() {
        let scenario = presets::by_name(name).expect("every name has its preset");
        for outcome in check_all(&scenario) {
            assert!(outcome.holds, "{name}: {outcome}");
        }
    }
}

#[test]
fn every_preset_writes_and_reads_back_as_it_was() {
    for name in presets::all_names() {
        let scenario = presets::by_name(name).expect("every name has its preset");
        let text = file::write(&scenario);
        match file::read(&text) {
            Ok(again) => assert_eq!(again, scenario, "{text}"),
            Err(problems) => panic!("{name}: {problems:#?}\n{text}"),
        }
    }
}
