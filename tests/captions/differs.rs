//! The sentence about another release is true of the runs of both.

use rocketmq_playground::app::walk::Walk;
use rocketmq_playground::model::ids::ProcessIndex;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::recording::Recording;
use rocketmq_playground::scenario::Words;
use rocketmq_playground::scenario::differ::{Differs, Shows};
use rocketmq_playground::scenario::walk::{Focus, Stop, WalkMark};
use rocketmq_playground::sim::event::{Actor, EventKind};
use rocketmq_playground::sim::packet::Machine;

use crate::stops::{opened, presets, scenario};

const PAIRS: [(Profile, Profile); 3] =
    [(Profile::V42, Profile::V49), (Profile::V42, Profile::V53), (Profile::V49, Profile::V53)];

/// Deliveries closer than this come at the same moment: 4.9 looks at delays every 100 ms.
const SAME: Millis = Millis::new(200);

/// And a moment that a sentence rests on is kept to this.
const KEPT: Millis = Millis::new(50);

#[test]
fn what_is_said_of_another_release_is_so_in_the_runs_of_both() {
    let mut wrong = Vec::new();
    for name in presets() {
        let differs = scenario(name, Profile::V42).differs;
        let runs = Profile::ALL.map(|profile| (profile, opened(name, profile)));
        let recording = |wanted: Profile| {
            let (_, app) =
                runs.iter().find(|(profile, _)| *profile == wanted).expect("all are there");
            app.run.as_ref().expect("a run is open").recording()
        };
        for (one, other) in PAIRS {
            let place = format!("{name}, {} and {}", one.name(), other.name());
            let mut told = differs.iter().filter(|it| it.is_of(one, other));
            let Some(first) = told.next() else {
                wrong.push(format!("{place}: nothing is said"));
                continue;
            };
            assert!(told.next().is_none(), "{place}: two sentences");
            if first.says.is_none() {
                let begin = scenario(name, one).begin;
                let found = unlike(recording(one), recording(other), begin);
                wrong.extend(found.map(|it| format!("{place}: {it}")));
            }
        }
        for it in &differs {
            wrong.extend(untrue(it, recording).into_iter().map(|it| format!("{name}: {it}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a sentence rests on and is not so.
fn untrue<'a>(differs: &Differs, recording: impl Fn(Profile) -> &'a Recording) -> Vec<String> {
    let mut wrong = Vec::new();
    if differs.says.is_some() != (differs.shows.len() >= 2) {
        wrong.push("a sentence rests on two moments at least, and nothing on none".to_owned());
    }
    for shows in &differs.shows {
        let found = found(shows, recording(shows.release));
        let is_so = match (found, shows.at) {
            (Some(found), Some(at)) => found.since(at) <= KEPT && at.since(found) <= KEPT,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !is_so {
            wrong.push(format!("{shows:?} comes at {found:?}"));
        }
    }
    wrong
}

fn found(shows: &Shows, recording: &Recording) -> Option<Millis> {
    let mark = WalkMark {
        stop: Stop::Event(shows.happening.clone()),
        focus: Focus::NameServer,
        caption: Words::default(),
        facts: Vec::new(),
        releases: vec![shows.release],
    };
    let mut walk = Walk::new(std::iter::once(&mark));
    walk.follow(recording);
    walk.found().next().map(|found| found.at)
}

/// Who is called with what, and when, in the order of keys.
fn calls(recording: &Recording, begin: Millis) -> Vec<(String, ProcessIndex, Millis)> {
    let mut calls = Vec::new();
    for event in recording.events().iter().filter(|event| event.at >= begin) {
        let EventKind::ConsumeStarted { message, .. } = &event.kind else { continue };
        let Actor::Machine(Machine::Client(process)) = event.actor else { continue };
        let key = message.body.key.as_ref().map_or("", |key| key.as_str());
        calls.push((key.to_owned(), process, event.at));
    }
    calls.sort();
    calls
}

/// The first call that comes under one only, or at another moment.
fn unlike(one: &Recording, other: &Recording, begin: Millis) -> Option<String> {
    let (one, other) = (calls(one, begin), calls(other, begin));
    let is_near = |a: Millis, b: Millis| a.since(b) <= SAME && b.since(a) <= SAME;
    let mut pairs = one.iter().zip(&other);
    let apart = pairs.find(|(a, b)| a.0 != b.0 || a.1 != b.1 || !is_near(a.2, b.2));
    match apart {
        Some((a, b)) => Some(format!("{a:?} and {b:?}")),
        None if one.len() != other.len() => {
            Some(format!("{} and {} calls", one.len(), other.len()))
        }
        None => None,
    }
}
