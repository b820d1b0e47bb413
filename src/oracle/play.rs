//! Playing a run: the model at work on a trace's inputs, its events written down in the trace's words.

use std::collections::BTreeMap;

use thiserror::Error;

use super::inputs::{Run, Start, acts, run_of, set_memory_ratio_zero};
use super::races::LostRace;
use super::trace::{Trace, Word};
use super::words::Scribe;
use crate::model::config::ConsumeMode;
use crate::model::ids::{ClientId, ProcessIndex};
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::sim::command::{Command, CommandError};
use crate::sim::event::EventKind;
use crate::sim::{Simulation, TaskBudget};

/// A run of ours on a trace's inputs.
#[derive(Clone, Debug)]
pub struct Played {
    pub run: Run,
    /// What the model did, in the trace's words.
    pub trace: Trace,
    /// The recorded run's races that ours was made to decide alike.
    pub races: Vec<LostRace>,
    pub digest: u64,
}

/// The inputs of a trace cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    #[error("at {at} the model refuses the command {command}: {error}")]
    Refused { at: Millis, command: String, error: CommandError },
}

/// Runs the model on a trace's inputs, so that each `start()` ends when the recorded one did.
pub fn play(trace: &Trace, profile: Profile) -> Result<Played, PlayError> {
    play_to_starts(trace, run_of(trace, profile))
}

/// Plays a run again with a race decided as the recorded one's was.
pub fn play_with(trace: &Trace, played: &Played, race: LostRace) -> Result<Played, PlayError> {
    let mut run = played.run.clone();
    let profile = run.setup.profile;
    let commands = race.commands.iter().cloned();
    run.script.extend(commands.map(|(at, command)| (at + run.shift, command)));
    if race.memory_ratio_is_zero {
        for broker in &mut run.setup.brokers {
            set_memory_ratio_zero(&mut broker.config, profile);
        }
    }
    let mut races = played.races.clone();
    races.push(race);
    Ok(Played { races, ..play_to_starts(trace, run)? })
}

/// How long `start()` takes depends on the calls it makes; one pass tells, the next one is right. A start
/// that waits for another's traffic may need one more.
fn play_to_starts(trace: &Trace, mut run: Run) -> Result<Played, PlayError> {
    for _ in 0..MOST_PASSES {
        let played = play_run(trace, &run)?;
        if !mend_starts(&mut run, &played) {
            return Ok(played);
        }
    }
    play_run(trace, &run)
}

const MOST_PASSES: usize = 4;

/// Lets every start stand still for longer or shorter by what its end is off; whether any was.
fn mend_starts(run: &mut Run, played: &Played) -> bool {
    let mut nth: BTreeMap<ClientId, usize> = BTreeMap::new();
    let mut is_mended = false;
    let shift = run.shift;
    for Start { index, wanted } in run.starts.clone() {
        let [
            (at, Command::StartConsumer(spec)),
            (still_at, Command::FreezeClient { duration, .. }),
        ] = &mut run.script[index..index + 2]
        else {
            continue;
        };
        let nth = nth.entry(spec.client_id.clone()).or_insert(0);
        let found = started_at(&played.trace, &spec.client_id, *nth).map(|at| at + shift);
        *nth += 1;
        let (Some(found), Some(duration)) = (found, duration) else { continue };
        is_mended |= found != wanted;
        if found <= wanted {
            *duration += wanted - found;
        } else if *duration >= found - wanted {
            *duration = *duration - (found - wanted);
        } else {
            *at = *at - (found - wanted);
            *still_at = *at;
        }
    }
    is_mended
}

fn started_at(trace: &Trace, id: &ClientId, nth: usize) -> Option<Millis> {
    let starts = trace.lines.iter().filter(
        |line| matches!(&line.word, Word::Started { client_id, .. } if **client_id == *id.as_str()),
    );
    starts.map(|line| line.at).nth(nth)
}

fn play_run(trace: &Trace, run: &Run) -> Result<Played, PlayError> {
    let mut scribe =
        Scribe::new(trace.header.clone(), Vec::new(), acts(trace)).with_inputs_of(trace, run.shift);
    let mut simulation = Simulation::new(&run.setup);
    simulation.script(run.script.iter().cloned());
    record(&mut simulation, run, &mut scribe)?;
    let end = run.until - run.shift;
    let trace = scribe.finish(end);
    Ok(Played { run: run.clone(), trace, races: Vec::new(), digest: simulation.digest() })
}

/// Lets the simulation run to the end and writes everything down.
fn record(simulation: &mut Simulation, run: &Run, scribe: &mut Scribe) -> Result<(), PlayError> {
    const AT_A_TIME: Millis = Millis::new(5_000);
    let orderly = orderly_clients(run);
    while simulation.now() < run.until {
        let until = (simulation.now() + AT_A_TIME).min(run.until);
        simulation.run_until(until, TaskBudget::UNLIMITED);
        for (index, client) in simulation.world().clients.iter().enumerate() {
            let is_orderly = orderly.get(&client.client_id).copied();
            scribe.name_process(ProcessIndex(index as u32), &client.client_id, is_orderly);
        }
        for event in simulation.drain_events() {
            if let EventKind::CommandRefused { index, error } = &event.kind {
                let command = run.script.get(*index as usize);
                let command = command.map_or(String::new(), |(_, command)| format!("{command:?}"));
                let at = event.at - run.shift;
                return Err(PlayError::Refused { at, command, error: error.clone() });
            }
            scribe.take(&event);
        }
    }
    Ok(())
}

fn orderly_clients(run: &Run) -> BTreeMap<ClientId, bool> {
    let specs = run.script.iter().filter_map(|(_, command)| match command {
        Command::StartConsumer(spec) => Some(spec),
        _ => None,
    });
    specs
        .map(|spec| (spec.client_id.clone(), spec.config.consume_mode == ConsumeMode::Orderly))
        .collect()
}
