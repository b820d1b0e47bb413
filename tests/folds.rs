//! Every fold of every preset says the truth: who waits, for which timer, until when.
//!
//! What a fold says is made from the event that ended the wait. Here it is held against the agenda
//! of the simulation as it was while one waited.

#[path = "kit/faults.rs"]
mod faults;

use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::recording::{Recording, Start};
use rocketmq_playground::scenario::{Scenario, presets};
use rocketmq_playground::scene::film::Film;
use rocketmq_playground::scene::fold::{Awaited, Fold};
use rocketmq_playground::scene::timeline::FOLD_FROM;
use rocketmq_playground::sim::event::Actor;
use rocketmq_playground::sim::task::Task;
use rocketmq_playground::sim::{Simulation, TaskBudget};

fn recorded(name: &str) -> Recording {
    record(&presets::by_name(name).expect("it is in the list"))
}

fn record(scenario: &Scenario) -> Recording {
    let mut recording = Recording::new(Start::from(scenario), Vec::new());
    recording.extend_until(scenario.until, TaskBudget::UNLIMITED);
    recording
}

/// The state while one waits, as soon as the timer is set.
fn while_waiting(recording: &Recording, fold: &Fold) -> Simulation {
    recording.simulation_at_time(fold.wait.since.max(fold.from_at))
}

/// The machine that waits: of a freeze the frozen one.
fn whose(task: &Task) -> Option<Actor> {
    match task {
        Task::Resume(machine) => Some(Actor::Machine(*machine)),
        task => task.machine().map(Actor::Machine),
    }
}

fn check(recording: &Recording, fold: &Fold) -> Result<(), String> {
    let wait = &fold.wait;
    if !(fold.from_at < wait.due && wait.due <= fold.to_at) {
        return Err("it is not due within the fold".to_owned());
    }
    let simulation = while_waiting(recording, fold);
    match &wait.awaited {
        Awaited::Timer(kind) => {
            let found = simulation.engine().agenda.entries().any(|entry| {
                entry.at == wait.due
                    && entry.since == wait.since
                    && entry.timer.as_ref() == Some(kind)
                    && whose(&entry.task) == Some(wait.waiter)
            });
            found.then_some(()).ok_or("no such timer is on the agenda".to_owned())
        }
        Awaited::Packet => {
            let found = simulation
                .engine()
                .agenda
                .entries()
                .any(|entry| entry.at == wait.due && matches!(entry.task, Task::Deliver(_)));
            found.then_some(()).ok_or("no such packet is on the wire".to_owned())
        }
        Awaited::Command { index } => {
            let command = index.and_then(|index| recording.command(index));
            let found = simulation.commands_to_come().any(|(at, other)| {
                at == wait.due && command.is_some_and(|command| **command == *other)
            });
            let said = wait.waiter == Actor::Person && found;
            said.then_some(()).ok_or("no such command is to come".to_owned())
        }
        Awaited::Nothing => Ok(()),
    }
}

#[test]
fn waiter_timer_and_due_time_of_every_fold_agree_with_the_agenda() {
    let mut count = 0;
    let mut faults = Vec::new();
    for name in presets::all_names() {
        let recording = recorded(name);
        let mut film = Film::new();
        film.follow(&recording);
        for fold in film.folds() {
            count += 1;
            if let Err(what) = check(&recording, fold) {
                faults.push(format!(
                    "{name} {}..{}: {what}: {:?}",
                    fold.from_at, fold.to_at, fold.wait
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(count > 20, "only {count} folds were read");
}

#[test]
fn a_wait_is_folded_exactly_if_it_is_longer_than_a_second() {
    for name in presets::all_names() {
        let recording = recorded(name);
        let mut film = Film::new();
        film.follow(&recording);
        let timeline = film.timeline();
        let at = |event| recording.event(event).map_or(Millis::ZERO, |event| event.at);
        let mut before = 0;
        let mut folds = film.folds().iter();
        for beat in timeline.beats() {
            if beat.begins_at.since(at(before)) > FOLD_FROM {
                let fold = folds.next().expect("a long wait is a fold");
                assert_eq!((fold.from, fold.to), (before, beat.first), "{name}");
            }
            before = beat.last;
        }
        assert!(folds.next().is_none(), "{name}: a fold too many");
    }
}

#[test]
fn folds_tell_the_truth_when_things_go_wrong_too() {
    let mut faults = Vec::new();
    let mut count = 0;
    for profile in Profile::ALL {
        for orderly in [false, true] {
            let recording = record(&faults::with_faults("start-up", profile, orderly));
            let mut film = Film::new();
            film.follow(&recording);
            for fold in film.folds() {
                count += 1;
                if let Err(what) = check(&recording, fold) {
                    let (from, to) = (fold.from_at, fold.to_at);
                    faults.push(format!("{profile:?} {from}..{to}: {what}: {:?}", fold.wait));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(count > 60, "only {count} folds were read");
}
