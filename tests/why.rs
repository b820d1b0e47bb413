//! Causes are true: without the commands at the root of an event's why-chain the event does not happen.
//!
//! Random runs with faults; of each a few events by chance whose chain ends at a command. The run is done
//! again without that command, and the same fact must be among its events at that moment once less. A fact is
//! what an event says, with each number that only counts replaced by what it stands for; who is said to have
//! caused it is no part of it. Where an event had several causes of which each was enough, all of their roots
//! are taken away.

#[path = "kit/facts.rs"]
mod facts;
#[path = "kit/random.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod random;

use std::collections::{BTreeMap, BTreeSet};

use facts::Facts;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use random::plans;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::recording::{Recording, Start};
use rocketmq_playground::scenario::Scenario;
use rocketmq_playground::scenario::file::write;
use rocketmq_playground::scene::why::{Part, roots, why_chain};
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::sim::event::{EventKind, EventSequence, Trigger};
use rocketmq_playground::sim::setup::TieBreak;

/// Chains of one run, at most; and those of them that end at the same kind of command, since most end at a
/// send or a start.
const OF_A_RUN: usize = 10;
const OF_A_COMMAND: usize = 3;
const UNTIL: Millis = Millis(120_000);

/// A number of a search longer than the tests do; see `cargo verify --only why`.
#[expect(
    clippy::disallowed_methods,
    reason = "how many runs there are, and which, is no part of a run"
)]
fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

/// How many chains to look at.
fn chains(usual: usize) -> usize {
    asked("WHY_CHAINS").map_or(usual, |chains| chains as usize)
}

fn recorded(scenario: &Scenario) -> Recording {
    let start = Start::new(scenario.setup.clone(), scenario.script.iter().cloned());
    let mut recording = Recording::new(start, Vec::new());
    recording.extend_until(UNTIL, TaskBudget::UNLIMITED);
    recording
}

/// Moments of the script that no other command has, so that two never do the same at once.
fn apart(mut scenario: Scenario, tie_break: TieBreak) -> Scenario {
    scenario.setup.tie_break = tie_break;
    let mut next = 0;
    for (place, (at, _)) in scenario.script.iter_mut().enumerate() {
        next = at.ms().max(next + 1) + (place as u64 % 7);
        *at = Millis(next);
    }
    scenario
}

/// Random runs, one after the other.
fn runs(tie_break: TieBreak) -> impl Iterator<Item = Scenario> {
    let mut seed = [5; 32];
    seed[..8].copy_from_slice(&asked("WHY_SEED").unwrap_or(5).to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let plans = plans(4);
    std::iter::repeat_with(move || {
        let plan = plans.new_tree(&mut runner).expect("a plan").current();
        apart(plan.scenario(), tie_break)
    })
}

/// Places in the script of the commands at the roots of an event's chain; `None` if it ends elsewhere.
fn commands_at_the_root(recording: &Recording, event: EventSequence) -> Option<BTreeSet<u32>> {
    let roots = roots(recording, event);
    let index = |root: &EventSequence| match recording.event(*root)?.kind {
        EventKind::CommandApplied { index } if *root != event => Some(index),
        _ => None,
    };
    roots.iter().map(index).collect()
}

/// Whether the event happens no less often when these commands are not given.
fn stays(
    facts: &Facts<'_>,
    scenario: &Scenario,
    event: EventSequence,
    taken: &BTreeSet<u32>,
) -> bool {
    let mut without = scenario.clone();
    for index in taken.iter().rev() {
        without.script.remove(*index as usize);
    }
    let fact = facts.fact(facts.event(event));
    let without = recorded(&without);
    let without = Facts::of(&without);
    // Of several turns in one millisecond it is the last one that is missing.
    without.count(&fact) >= facts.count(&fact)
        && without.count_of_any_turn(&fact) >= facts.count_of_any_turn(&fact)
}

/// A stride that meets all kinds of events, from a beginning that differs with each run.
fn sampled(count: u32, run: usize) -> impl Iterator<Item = EventSequence> {
    (1..200_u32).map(move |step| step.wrapping_mul(7_919).wrapping_add(run as u32 * 31) % count)
}

/// The main line of a chain and what stands beside it, one link a line.
fn told(facts: &Facts<'_>, recording: &Recording, event: u32) -> String {
    let line = |event: u32, part: Part| {
        let (at, who, what) = facts.fact(facts.event(event));
        let what: String = what.chars().take(160).collect();
        let beside = if part == Part::Main { "" } else { "  " };
        format!("{beside}{event:>6} {:>7} {who} {what} {part:?}\n", at.ms())
    };
    why_chain(recording, event).into_iter().map(|link| line(link.event, link.part)).collect()
}

#[expect(clippy::print_stdout, reason = "a search tells what it found")]
fn without_their_roots_events_do_not_happen(tie_break: TieBreak, usual: usize) {
    let (mut tried, mut roots) = (0, BTreeMap::new());
    let (mut kinds, mut stayed) = (BTreeSet::new(), Vec::new());
    for scenario in runs(tie_break) {
        let recording = recorded(&scenario);
        let facts = Facts::of(&recording);
        let all = sampled(recording.event_count(), tried);
        let chains_to_commands = all.filter_map(|event| {
            commands_at_the_root(&recording, event).map(|commands| (event, commands))
        });
        let mut of_run = BTreeMap::new();
        let spread = chains_to_commands.filter(|(_, commands)| {
            let latest = commands.last().expect("a chain ends somewhere");
            let name = name_of(&scenario.script[*latest as usize].1);
            let count = of_run.entry(name).or_insert(0);
            *count += 1;
            *count <= OF_A_COMMAND
        });
        for (event, commands) in spread.take(OF_A_RUN) {
            for index in &commands {
                let name = name_of(&scenario.script[*index as usize].1);
                *roots.entry(name).or_insert(0) += 1;
            }
            kinds.insert(name_of(&facts.event(event).kind));
            tried += 1;
            if stays(&facts, &scenario, event, &commands) {
                let (chain, file) = (told(&facts, &recording, event), write(&scenario));
                stayed.push(format!("stays without {commands:?}:\n{chain}\n{file}"));
            }
        }
        if tried >= chains(usual) {
            break;
        }
    }
    println!("{tried} chains, {} stay, from {roots:?} to {kinds:?}", stayed.len());
    for it in stayed.iter().skip(1) {
        println!("STAYS {it}");
    }
    assert!(stayed.is_empty(), "{} of {tried}, the first {}", stayed.len(), stayed[0]);
    assert!(roots.len() >= 8 && kinds.len() >= 25, "{roots:?}, {kinds:?}");
}

#[test]
fn without_the_commands_at_its_root_an_event_does_not_happen() {
    without_their_roots_events_do_not_happen(TieBreak::Fifo, 700);
}

#[test]
fn nor_when_equal_moments_are_shuffled() {
    without_their_roots_events_do_not_happen(TieBreak::Shuffled, 700);
}

#[test]
fn a_false_cause_is_noticed() {
    let (mut tried, mut noticed) = (0, 0);
    for scenario in runs(TieBreak::Fifo) {
        let recording = recorded(&scenario);
        let facts = Facts::of(&recording);
        for event in sampled(recording.event_count(), tried).take(OF_A_RUN) {
            // Whoever takes the event before for the cause ends at the last command before.
            let before = (0..event).rev().find_map(|at| match recording.event(at)?.kind {
                EventKind::CommandApplied { index } => Some(index),
                _ => None,
            });
            let Some(planted) = before else { continue };
            let commands = commands_at_the_root(&recording, event);
            if commands.is_some_and(|commands| commands.contains(&planted)) {
                continue;
            }
            tried += 1;
            noticed += usize::from(stays(&facts, &scenario, event, &BTreeSet::from([planted])));
        }
        if tried >= chains(200) {
            break;
        }
    }
    println!("{noticed} of {tried} false causes are noticed");
    assert!(noticed * 2 > tried, "{noticed} of {tried}");
}

#[test]
fn every_chain_ends_at_a_command_a_timer_or_the_start() {
    for (run, scenario) in runs(TieBreak::Fifo).take(30).enumerate() {
        let recording = recorded(&scenario);
        for event in recording.events().iter() {
            for root in roots(&recording, event.sequence) {
                let root = recording.event(root).expect("it is in the run");
                let is_end = match root.trigger {
                    Trigger::Command => true,
                    Trigger::Timer { .. } => true,
                    Trigger::Follows => root.at == Millis::ZERO,
                    Trigger::Packet => false,
                };
                assert!(is_end, "run {run}: {event:?} ends at {root:?}");
            }
        }
    }
}

fn name_of(it: &impl std::fmt::Debug) -> String {
    let text = format!("{it:?}");
    text.split([' ', '(']).next().unwrap_or_default().to_owned()
}
