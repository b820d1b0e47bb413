//! What a person does is the subject at once, wherever the playhead stood, and Play goes on from there.

#[path = "kit/opened.rs"]
mod page;

use self::page::{complete, opened};
use rocketmq_playground::app::App;
use rocketmq_playground::app::action::{Action, Step};
use rocketmq_playground::app::ask::{Ask, Sending};
use rocketmq_playground::scenario::presets;
use rocketmq_playground::sim::command::Command;
use rocketmq_playground::sim::event::{Actor, EventKind};

/// One frame of sixty in a second, wall ms.
const FRAME: f64 = 1_000.0 / 60.0;

/// Plays for so long, as a browser does.
fn play_for(app: &mut App, wall_ms: f64) {
    let mut passed = 0.0;
    while passed < wall_ms {
        app.update(Action::FramePassed(FRAME));
        passed += FRAME;
    }
}

fn at_ms(app: &App) -> f64 {
    app.run.as_ref().expect("a run is open").player.at_ms
}

fn is_playing(app: &App) -> bool {
    app.run.as_ref().expect("a run is open").player.is_playing
}

/// The acts that make sense at the moment shown, one of each kind.
fn acts(app: &mut App) -> Vec<Ask> {
    let shown = app.run_shown().expect("a run is shown");
    let mut acts = vec![Ask::Send(Sending::default()), Ask::AddConsumer];
    if let Some(member) = shown.doing.members.last().filter(|member| !member.is_frozen) {
        acts.push(Ask::Crash(member.client_id.clone()));
        let by_ms = 5_000;
        let client_id = member.client_id.clone();
        acts.push(Ask::Do(Box::new(Command::SkewClock { client_id, by_ms })));
    }
    acts
}

/// What is wrong with what one sees after an act at the moment shown.
fn faults_after(app: &mut App, ask: &Ask) -> Vec<String> {
    let mut faults = Vec::new();
    let before = app.run.as_ref().expect("a run is open").deed_count();
    app.update(Action::Asked(ask.clone()));
    let run = app.run.as_ref().expect("a run is open");
    if run.deed_count() == before {
        return vec!["it was not done".to_owned()];
    }
    let index = (run.recording().start().script.len() + run.interventions().len() - 1) as u32;
    play_for(app, 100.0);
    let shown = app.run_shown().expect("a run is shown");
    let run = app.run.as_ref().expect("a run is open");
    let events = run.recording().events();
    let is_it = |kind: &EventKind| *kind == EventKind::CommandApplied { index };
    let event = events.iter().find(|event| is_it(&event.kind)).expect("it was applied");
    assert_eq!(event.actor, Actor::Person);
    match run.film().timeline().beat_of(event.sequence) {
        Some(beat) if beat.starts_ms <= at_ms(app) && at_ms(app) <= beat.ends_ms + 100.0 => {
            if shown.frame.subject.is_none() && at_ms(app) < beat.ends_ms {
                let (kind, lit) = (beat.kind, &beat.lit);
                faults.push(format!("nothing is the subject of {kind:?} about {lit:?}"));
            }
        }
        Some(beat) => faults.push(format!("another beat is shown than {:?}", beat.kind)),
        None => faults.push("it has no beat".to_owned()),
    }
    play_for(app, 4_000.0);
    if is_playing(app) {
        faults.push("it never stops".to_owned());
    }
    complete(app);
    let from_ms = at_ms(app);
    app.update(Action::PressedPlay);
    play_for(app, 1_500.0);
    let gone = at_ms(app) - from_ms;
    // Where everything is dead nothing follows, and the film goes on once it has looked two hours ahead.
    let is_over = app.run.as_ref().is_some_and(|run| at_ms(app) >= run.end_ms());
    if gone < 1_000.0 && !is_over {
        faults.push(format!("Play stops after {gone:.0} ms"));
    }
    faults
}

#[test]
fn an_act_at_every_step_of_every_preset_is_seen_at_once_and_play_goes_on_from_there() {
    let mut faults = Vec::new();
    let mut tried = 0;
    for name in presets::all_names() {
        let mut app = opened(&format!("#/p/{name}"));
        let marks = app.run_shown().and_then(|shown| shown.walk).map_or(0, |walk| walk.count);
        for mark in 0..marks {
            app.update(Action::WalkedTo(mark));
            let acts = acts(&mut app);
            // A kind at each step, and another at the next: all at all would take minutes.
            let ask = &acts[tried % acts.len()];
            tried += 1;
            let found = faults_after(&mut app, ask);
            let step = format!("{name} {}: {ask:?}", mark + 1);
            faults.extend(found.into_iter().map(|fault| format!("{step}: {fault}")));
            app.update(Action::PressedUndo);
            complete(&mut app);
        }
    }
    println!("{tried} acts");
    assert!(faults.is_empty(), "{} of {tried}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn in_the_middle_of_a_beat_one_acts_on_what_it_ends_with() {
    let mut app = opened("#/p/happy-path");
    app.update(Action::PressedPlay);
    play_for(&mut app, 700.0);
    app.update(Action::Asked(Ask::Send(Sending::default())));
    assert!(is_playing(&app), "what played plays on");
    let run = app.run.as_ref().expect("a run is open");
    let timeline = run.film().timeline();
    let place = timeline.beat_at(at_ms(&app)).expect("something is told");
    assert_eq!(timeline.beats()[place].starts_ms, at_ms(&app));
}

#[test]
fn pausing_finishes_the_beat_within_four_tenths_of_a_second() {
    let mut app = opened("#/p/poison-message");
    for turn in 0..12 {
        app.update(Action::PressedPlay);
        play_for(&mut app, 430.0 + 37.0 * f64::from(turn));
        if !is_playing(&app) {
            continue;
        }
        app.update(Action::PressedPlay);
        play_for(&mut app, 400.0);
        assert!(!is_playing(&app), "turn {turn}: {:?}", app.run.as_ref().map(|run| run.player));
        let timeline = app.run.as_ref().expect("a run is open").film().timeline();
        let inside = timeline.beats().iter().find(|beat| beat.holds(at_ms(&app)));
        assert_eq!(inside, None, "turn {turn}");
    }
}

#[test]
fn a_step_back_and_forth_stands_on_the_same_states() {
    let mut app = opened("#/p/poison-message");
    let mut seen = Vec::new();
    for _ in 0..20 {
        app.update(Action::Stepped(Step::Event));
        seen.push(at_ms(&app));
    }
    for at in seen.iter().rev().skip(1) {
        app.update(Action::Stepped(Step::EventBack));
        assert_eq!(at_ms(&app), *at);
    }
}
