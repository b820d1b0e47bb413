//! A recorded trace against the model: play, compare, and let the races of the day fall as they fell.

use std::cmp::Reverse;

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
/// assumed where nothing differs. Of the runs on the way the one in which least differs is told.
pub fn against(
    trace: &Trace,
    profile: Profile,
    table: &GapTable,
) -> Result<(Played, Report), PlayError> {
    let real = View::of(trace);
    let played = play(trace, profile)?;
    let report = compare(trace, &played.trace, &played.races, table);
    let mut best = (played, report);
    let mut now = best.clone();
    // What was no help before another race was decided may be one after it.
    let (mut decided, mut no_help): (Vec<String>, Vec<String>) = Default::default();
    for _ in 0..MOST_RACES {
        if now.1.count(|verdict| verdict != Verdict::Agrees) == 0 {
            break;
        }
        let mut races = find(&real, &View::of(&now.0.trace)).into_iter();
        let is_new =
            |race: &LostRace| [&decided, &no_help].iter().all(|it| !it.contains(&name(race)));
        let Some(race) = races.find(is_new) else { break };
        let name = name(&race);
        // A command that makes no sense at its moment decides nothing.
        let again = play_with(trace, &now.0, race).ok().map(|again| {
            let report = compare(trace, &again.trace, &again.races, table);
            (again, report)
        });
        match again.filter(|(_, report)| is_nearer(report, &now.1)) {
            Some(again) => {
                now = again;
                decided.push(name);
                no_help.clear();
            }
            None => no_help.push(name),
        }
        let rank = |report: &Report| (Reverse(differing(report)), agreement(report));
        if rank(&now.1) > rank(&best.1) {
            best = now.clone();
        }
    }
    Ok(best)
}

/// So many races are tried at most.
const MOST_RACES: usize = 24;

fn name(race: &LostRace) -> String {
    format!("{} {:?}", race.text, race.place)
}

/// Whether more agrees or, where as much does, more of the rest is an exception.
fn is_nearer(report: &Report, before: &Report) -> bool {
    let rank = |report: &Report| (agreement(report), Reverse(differing(report)));
    rank(report) > rank(before)
}

fn differing(report: &Report) -> usize {
    report.count(|verdict| verdict == Verdict::Differs)
}

/// By how much two runs agree in more than they do not; an exception counts like a difference.
fn agreement(report: &Report) -> i64 {
    let agrees = report.count(|verdict| verdict == Verdict::Agrees) as i64;
    2 * agrees - report.findings.len() as i64
}
