//! The live checks: each rule has a sentence, holds in a clean run, and breaks at the very event that
//! breaks it, under every version.

use rocketmq_playground::model::ids::QueueId;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::recording::{Recording, Start};
use rocketmq_playground::scenario::{Scenario, file, presets};
use rocketmq_playground::scene::checks::{Broken, Checks, Rule, State, rules};
use rocketmq_playground::scene::film::Film;
use rocketmq_playground::scene::narrate::Narrator;
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::sim::command::Command;
use rocketmq_playground::sim::conditions::{Condition, Finding, SILENT_AFTER, STILL_AFTER};
use rocketmq_playground::sim::event::{Actor, ConsumeOutcome, Event, EventKind};
use rocketmq_playground::sim::invariants::table;
use rocketmq_playground::sim::packet::Machine;
use rocketmq_playground::text::Language;
use rocketmq_playground::text::checks::{RuleText, ScopeText};

fn recorded(scenario: &Scenario) -> Recording {
    let mut recording = Recording::new(Start::from(scenario), Vec::new());
    recording.extend_until(scenario.until, TaskBudget::UNLIMITED);
    recording
}

fn preset(name: &str, profile: Profile) -> Recording {
    recorded(&presets::by_name_as(name, profile).expect("it is a preset"))
}

fn checked(recording: &Recording) -> Checks {
    let mut checks = Checks::default();
    assert!(checks.follow(recording, u64::MAX));
    checks
}

fn broken(checks: &Checks, condition: Condition) -> Option<&Broken> {
    checks.broken(Rule::Condition(condition))
}

/// The conditions that break, in their order.
fn breaks(checks: &Checks) -> Vec<Condition> {
    Condition::ALL.into_iter().filter(|it| broken(checks, *it).is_some()).collect()
}

fn event(recording: &Recording, broken: &Broken) -> Event {
    recording.event(broken.event).expect("it is an event of the run").clone()
}

/// One broker, two queues of `orders`, group `bill`; what is given follows.
fn scenario(profile: Profile, rest: &str) -> Scenario {
    let text = format!(
        r#"
id = "checked"
title = {{ en = "t", zh = "t" }}
about = {{ en = "a", zh = "a" }}
profile = "V42"
until = "120s"

[[broker]]
name = "broker-a"

[[topic]]
name = "orders"
queues = 2

{rest}
"#
    );
    file::read_as(&text, profile).expect("the scenario is written here")
}

const CONSUMERS: &str = r#"
[[group]]
name = "bill"
state = "preexisting"

[consumerDefaults]
group = "bill"
subscribe = { orders = "*" }
listener = "ok 100ms"
"#;

#[test]
fn every_rule_is_listed_once_and_has_a_sentence_in_both_languages() {
    let rules = rules();
    for invariant in table::ALL {
        assert!(RuleText::of_id(invariant.id).is_some(), "{} has no sentence", invariant.id);
    }
    assert_eq!(rules.len(), RuleText::ALL.len());
    for text in RuleText::ALL {
        assert_eq!(rules.iter().filter(|(rule, _)| rule.text() == text).count(), 1, "{text:?}");
        let (english, chinese) = (text.say(Language::En), text.say(Language::ZhCn));
        assert!(english.ends_with('.') && chinese.ends_with('。'), "{text:?}");
        assert!(english.chars().count() <= 110, "{english}");
    }
}

#[test]
fn clean_runs_break_nothing() {
    let names = ["happy-path", "poison-message", "start-up", "flow-control-count", "broadcasting"];
    for name in names {
        for profile in Profile::ALL {
            let checks = checked(&preset(name, profile));
            assert_eq!(checks.breaks(), Vec::<&Broken>::new(), "{name} {profile:?}");
        }
    }
}

#[test]
fn no_preset_breaks_an_invariant() {
    for name in presets::all_names().filter(|name| *name != "slow-start") {
        for profile in Profile::ALL {
            let checks = checked(&preset(name, profile));
            for broken in checks.breaks() {
                assert!(matches!(broken.rule, Rule::Condition(_)), "{name} {profile:?} {broken:?}");
            }
        }
    }
}

#[test]
fn a_queue_that_nobody_may_read_is_silent_after_thirty_seconds() {
    for profile in Profile::ALL {
        let recording = preset("minute-of-silence", profile);
        let checks = checked(&recording);
        assert_eq!(breaks(&checks), [Condition::CommitMoves, Condition::NoSilence]);
        let silent = broken(&checks, Condition::NoSilence).expect("seen above");
        let Some(Finding::Silent { queue, since }) = &silent.finding else {
            panic!("{silent:?}");
        };
        // c2 was killed at 45 s; b15 came at 45.5 s and was in its queue 2 ms later.
        assert_eq!((queue.queue_id, *since), (QueueId(1), Millis(45_502)));
        let due = *since + SILENT_AFTER;
        let first = recording.events().iter().find(|event| event.at >= due);
        assert_eq!(first.map(|event| event.sequence), Some(silent.event));
    }
}

#[test]
fn a_call_that_takes_long_keeps_c_where_it_is() {
    for profile in Profile::ALL {
        let recording = preset("slow-message", profile);
        let checks = checked(&recording);
        assert_eq!(breaks(&checks), [Condition::CommitMoves]);
        let still = broken(&checks, Condition::CommitMoves).expect("seen above");
        let Some(Finding::Still { queue, at, since }) = &still.finding else { panic!("{still:?}") };
        let moves = |event: &Event| match &event.kind {
            EventKind::OffsetCommitted { queue: of, from, to, .. } => of == queue && from != to,
            _ => false,
        };
        let until = |event: &&Event| event.at < *since + STILL_AFTER;
        let stretch = recording.events().iter().skip_while(|event| event.at <= *since);
        assert!(!stretch.take_while(until).any(moves), "C moved");
        assert!(at.0 > 0 && still.at >= *since + STILL_AFTER);
    }
}

#[test]
fn what_comes_again_had_a_call_that_did_not_fail() {
    for profile in Profile::ALL {
        let recording = preset("stop-or-kill", profile);
        let checks = checked(&recording);
        assert_eq!(breaks(&checks), [Condition::NothingTwice]);
        let twice = broken(&checks, Condition::NothingTwice).expect("seen above");
        let EventKind::ConsumeStarted { message, .. } = event(&recording, twice).kind else {
            panic!("{twice:?}");
        };
        let calls = |until: u32| {
            let before = recording.events().iter().take(until as usize);
            before.fold((0, 0), |(begun, failed), event| match &event.kind {
                EventKind::ConsumeStarted { message: of, .. } if of == &message => {
                    (begun + 1, failed)
                }
                EventKind::ConsumeEnded { message: of, outcome, .. } if of == &message => {
                    (begun, failed + u32::from(*outcome == ConsumeOutcome::Failed))
                }
                _ => (begun, failed),
            })
        };
        assert_eq!(calls(twice.event), (1, 0));
    }
}

#[test]
fn a_queue_taken_over_before_the_other_lets_go_has_two_owners() {
    for profile in Profile::ALL {
        let recording = preset("more-consumers-than-queues", profile);
        let checks = checked(&recording);
        assert!(breaks(&checks).contains(&Condition::OneOwner));
        let two = broken(&checks, Condition::OneOwner).expect("seen above");
        let Some(Finding::TwoOwners { queue, first, second }) = &two.finding else {
            panic!("{two:?}");
        };
        let event = event(&recording, two);
        assert_eq!(event.actor, Actor::Machine(Machine::Client(*second)));
        assert!(matches!(&event.kind, EventKind::QueueAssigned { queue: of, .. } if of == queue));
        let is_first = |event: &&Event| event.actor == Actor::Machine(Machine::Client(*first));
        let drops = |event: &Event| matches!(&event.kind, EventKind::QueueDropped { queue: of, .. } if of == queue);
        let dropped = recording.events().iter().filter(is_first).find(|event| drops(event));
        assert!(dropped.is_some_and(|dropped| dropped.sequence > two.event), "{profile:?}");
    }
}

#[test]
fn a_message_that_the_wrong_member_filters_out_is_lost_and_no_invariant_is_to_blame() {
    for profile in Profile::ALL {
        let recording = preset("mixed-subscriptions", profile);
        let checks = checked(&recording);
        let lost = broken(&checks, Condition::NothingLost).expect("a tag is dropped");
        let Some(Finding::Skipped { message }) = &lost.finding else { panic!("{lost:?}") };
        let event = event(&recording, lost);
        let EventKind::OffsetCommitted { to, .. } = &event.kind else { panic!("{event:?}") };
        assert!(*to > message.queue_offset);
        let is_it = |event: &Event| matches!(&event.kind, EventKind::ConsumeStarted { message: of, .. } if of == message);
        assert!(!recording.events().iter().any(is_it));
    }
}

#[test]
fn records_that_a_killed_broker_had_not_flushed_are_lost() {
    for profile in Profile::ALL {
        let send = r#"
[[send]]
at = "5s"
topic = "orders"
queue = 0
count = 3
key = "m0"
"#;
        let kill = |at: &str, lost: u32| {
            format!(
                "{CONSUMERS}{send}\n[[consumer]]\nat = \"{at}\"\nclient = \"c1\"\n\n[[do]]\nat = \"30s\"\ncommand = \"StopBroker\"\nbroker = \"broker-a\"\nhow = \"kill\"\nlostTail = {lost}\n"
            )
        };
        // Nobody had them: c1's listener is busy with the first.
        let busy = kill("0s", 2)
            .replace("ok 100ms", "ok 60s")
            .replace("subscribe", "consumeThreadMax = 1\nconsumeThreadMin = 1\nsubscribe");
        let recording = recorded(&scenario(profile, &busy));
        let checks = checked(&recording);
        let lost = broken(&checks, Condition::NothingLost).expect("two records are gone");
        assert!(matches!(event(&recording, lost).kind, EventKind::BrokerStopped { .. }));
        // They were done before.
        let done = checked(&recorded(&scenario(profile, &kill("0s", 2))));
        assert_eq!(broken(&done, Condition::NothingLost), None, "{profile:?}");
    }
}

#[test]
fn what_is_checked_in_slices_and_after_an_undo_is_what_is_checked_at_once() {
    let mut recording = preset("minute-of-silence", Profile::V42);
    let whole = checked(&recording);
    let mut sliced = Checks::default();
    while !sliced.follow(&recording, 7) {}
    assert_eq!(sliced.breaks(), whole.breaks());
    let stop = Command::StopConsumer { client_id: "c1".into(), group: None };
    recording.act(Millis(30_000), stop).expect("c1 runs");
    recording.extend_until(Millis(150_000), TaskBudget::UNLIMITED);
    while !sliced.follow(&recording, 1_000) {}
    assert_eq!(sliced.breaks(), checked(&recording).breaks());
    assert_ne!(sliced.breaks(), whole.breaks());
    recording.undo();
    recording.extend_until(Millis(150_000), TaskBudget::UNLIMITED);
    while !sliced.follow(&recording, 1_000) {}
    assert_eq!(sliced.breaks(), whole.breaks());
}

#[test]
fn a_rule_holds_until_it_breaks_and_is_not_asked_after_a_fault_if_it_knows_none() {
    let recording = preset("minute-of-silence", Profile::V42);
    let checks = checked(&recording);
    let rule = Rule::Condition(Condition::NoSilence);
    let silent = checks.broken(rule).expect("it breaks");
    let (at, event) = (silent.at, silent.event);
    let state = |event| checks.state(rule, ScopeText::Clustering, event);
    assert_eq!(state(event - 1), State::WillBreak { at, event });
    assert_eq!(state(event), State::Broke { at, event });
    let b4 = Rule::Invariant(RuleText::B4);
    let b4 = |event| checks.state(b4, ScopeText::WithoutFaults, event);
    assert_eq!(b4(0), State::Holds);
    assert_eq!(b4(recording.event_count()), State::NotAsked { since: Millis(45_000) });
}

#[test]
fn what_was_found_is_told_in_both_languages() {
    let recording = preset("minute-of-silence", Profile::V42);
    let mut film = Film::new();
    film.follow(&recording);
    let narrator = Narrator::new(&recording, film.journal());
    let checks = checked(&recording);
    let silent = broken(&checks, Condition::NoSilence).expect("it breaks");
    let text = rocketmq_playground::scene::checks::finding_text(&narrator, silent);
    assert_eq!(text.say(Language::En), "q1 has been silent since T+00:45.502, and messages wait.");
    assert_eq!(text.say(Language::ZhCn), "q1 自 T+00:45.502 起没有动静，还有消息在等。");
}
