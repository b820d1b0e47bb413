//! The show: one idea at a time, each with one subject that the eye can follow.

use std::collections::BTreeMap;

use rocketmq_playground::app::run::Run;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::scenario::link::Link;
use rocketmq_playground::scenario::presets;
use rocketmq_playground::scene::beat::{Beat, BeatKind};
use rocketmq_playground::scene::fold::Awaited;
use rocketmq_playground::scene::frame::Dim;
use rocketmq_playground::scene::geometry::Point;
use rocketmq_playground::scene::layout::{Layout, System};

/// What the eye can follow between two frames of 60 in a second, in units of the stage.
const STEP: f64 = 30.0;

fn run(name: &str, profile: Profile) -> Run {
    let mut run = Run::from_link(Link::preset(name, profile)).expect("it is in the list");
    while !run.is_complete() {
        run.compute();
    }
    run
}

/// The beats that are told in full, at most so many of each kind.
fn told(run: &Run, most: usize) -> Vec<Beat> {
    let mut seen: BTreeMap<BeatKind, usize> = BTreeMap::new();
    let beats = run.film().timeline().beats().iter().filter(|beat| !beat.is_passing);
    let few = beats.filter(|beat| {
        let count = seen.entry(beat.kind).or_insert(0);
        *count += 1;
        *count <= most
    });
    few.cloned().collect()
}

#[test]
fn in_each_frame_of_each_beat_one_subject_is_lit_at_one_place_and_moves_a_step_at_most() {
    let mut faults = Vec::new();
    for (name, system) in
        presets::NAMES.iter().flat_map(|name| [(name, System::Projector), (name, System::Rooms)])
    {
        let mut run = run(name, Profile::V42);
        let layout = Layout { system, ..Layout::default() };
        for beat in told(&run, 2) {
            let mut last: Option<(usize, Point)> = None;
            let mut story = beat.starts_ms;
            while story < beat.ends_ms {
                run.go_to(story);
                let frame = run.frame(&layout);
                let lifted = frame.marks.iter().filter(|mark| mark.lift > 0.0).count();
                let what = format!("{name}, {system:?}: {:?} at {story:.0}", beat.kind);
                if lifted > 1 {
                    faults.push(format!("{what}: {lifted} things are lifted"));
                }
                if !beat.movers.is_empty() && frame.subject.is_none() {
                    faults.push(format!("{what}: no subject"));
                }
                let turn = beat.subject_at(story).unwrap_or(0);
                if let Some(subject) = &frame.subject {
                    let before = last.filter(|(of, _)| *of == turn).map(|(_, at)| at);
                    let gone = before.map_or(0.0, |before| before.distance(subject.at));
                    if gone > STEP {
                        faults.push(format!("{what}: {gone:.0} units in one frame"));
                    }
                    last = Some((turn, subject.at));
                }
                story += 1_000.0 / 60.0;
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults[..faults.len().min(40)].join("\n")
    );
}

#[test]
fn two_beats_never_overlap_and_what_stands_between_them_is_a_state() {
    for name in presets::all_names() {
        for profile in Profile::ALL {
            let run = run(name, profile);
            let beats = run.film().timeline().beats();
            for pair in beats.windows(2) {
                assert!(pair[0].ends_ms <= pair[1].starts_ms, "{name}: {pair:?}");
                assert!(pair[0].last < pair[1].first, "{name}: {pair:?}");
            }
        }
    }
}

#[test]
fn at_the_end_of_a_beat_everything_is_lit_again() {
    for name in ["happy-path", "poison-message", "minute-of-silence"] {
        let mut run = run(name, Profile::V42);
        let ends: Vec<f64> = told(&run, 3).iter().map(|beat| beat.ends_ms).collect();
        for end in ends {
            run.go_to(end);
            let frame = run.frame(&Layout::default());
            assert!(frame.marks.iter().all(|mark| mark.dim == Dim::Lit && mark.lift == 0.0));
        }
    }
}

#[test]
fn an_arrival_shows_before_it_changes_anything() {
    let mut run = run("happy-path", Profile::V42);
    let beats = run.film().timeline().beats();
    let send = beats.iter().find(|beat| beat.kind == BeatKind::Send).cloned().expect("one is sent");
    let newest = |run: &mut Run, story: f64| {
        run.go_to(story);
        let scene = run.scene();
        scene.brokers[0].queues.iter().map(|queue| queue.max_offset.0).sum::<i64>()
    };
    let before = newest(&mut run, send.starts_ms);
    assert_eq!(newest(&mut run, send.lands_ms - 1.0), before);
    assert_eq!(newest(&mut run, send.ends_ms), before + 1);
}

#[test]
fn while_a_wait_is_folded_what_waits_is_lit_and_nothing_else() {
    let mut waits = 0;
    for name in ["poison-message", "minute-of-silence", "slow-message"] {
        let mut run = run(name, Profile::V42);
        let folds = run.film().timeline().folds().to_vec();
        let begin = run.scenario().begin;
        for fold in
            folds.iter().filter(|it| it.wait.awaited != Awaited::Nothing && it.from_at > begin)
        {
            let next = run.film().beat_within(fold.story_to + 1.0).filter(|beat| !beat.is_passing);
            let Some(next) = next.cloned() else { continue };
            run.player.is_playing = false;
            run.go_to((fold.story_from + fold.story_to) / 2.0);
            let rests = run.frame(&Layout::default());
            assert!(rests.marks.iter().all(|it| it.dim == Dim::Lit), "who stops sees a state");
            run.player.is_playing = true;
            let frame = run.frame(&Layout::default());
            let about = format!("{name}, {:?} after a fold at {:.0}", next.kind, fold.story_from);
            assert!(frame.marks.iter().any(|mark| mark.dim == Dim::Full), "{about}");
            let tokens = frame.marks.iter().filter(|mark| mark.token.is_some());
            let (lit, dim): (Vec<_>, Vec<_>) = tokens.partition(|mark| mark.dim == Dim::Lit);
            assert!(lit.len() < dim.len(), "{about}: {} lit, {} dim", lit.len(), dim.len());
            waits += 1;
        }
    }
    assert!(waits >= 10, "{waits} waits");
}
