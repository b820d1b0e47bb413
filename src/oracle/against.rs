//! A recorded trace against the model: play, compare, and let the races of the day fall as they fell.

use super::compare::compare;
use super::gap_table::GapTable;
use super::play::{PlayError, Played, play, play_with};
use super::races::{LostRace, find};
use super::report::{Report, Verdict};
use super::trace::Trace;
use super::view::View;
use crate::model::profile::Profile;

/// Plays a trace's inputs and compares.
///
/// Where the recorded run carries the signature of a race, our run is played once more with the race
/// decided that way; it is kept so only if the two runs then agree in more than before. So a race is never
/// assumed where nothing differs.
pub fn against(
    trace: &Trace,
    profile: Profile,
    table: &GapTable,
) -> Result<(Played, Report), PlayError> {
    let real = View::of(trace);
    let mut played = play(trace, profile)?;
    let mut report = compare(trace, &played.trace, &played.races, table);
    let mut tried: Vec<String> = Vec::new();
    while tried.len() < MOST_RACES && weight(&report) > (0, 0) {
        let races = find(&real, &View::of(&played.trace));
        let Some(race) = races.into_iter().find(|race| !tried.contains(&name(race))) else { break };
        tried.push(name(&race));
        // A command that makes no sense at its moment decides nothing.
        let Ok(again) = play_with(trace, &played, race) else { continue };
        let better = compare(trace, &again.trace, &again.races, table);
        if weight(&better) < weight(&report) {
            played = again;
            report = better;
        }
    }
    Ok((played, report))
}

/// So many races are tried at most.
const MOST_RACES: usize = 24;

fn name(race: &LostRace) -> String {
    format!("{} {:?}", race.text, race.place)
}

/// How far two runs are apart: differences, then exceptions.
fn weight(report: &Report) -> (usize, usize) {
    let differs = report.count(|verdict| verdict == Verdict::Differs);
    let exceptions = report.count(|verdict| matches!(verdict, Verdict::Exception(_)));
    (differs, exceptions)
}
