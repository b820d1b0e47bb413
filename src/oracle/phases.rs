//! Phases of the day: where on their clocks the recorded timers ticked.
//!
//! When a broker was started before the recording, and when within its `start()` a client began its
//! timers, is nobody's to predict: the oracle lists both among the things that differ between runs of one
//! input. They are read off the recorded ticks.

use super::periods::{Grid, idle_pulls};
use super::view::{Life, View};
use crate::model::constants;
use crate::model::profile::Profile;
use crate::model::time::Millis;

/// How much later than in the trace everything has to happen, so that the broker's 5 s scan of held pulls
/// falls where the recorded broker's did.
///
/// It shows where held pulls were answered with nothing; if it does not show, any phase will do.
pub fn broker_phase(view: &View<'_>, profile: Profile) -> Millis {
    let period = constants::hold_check_interval(profile).ms();
    let answers = view.lives.iter().flat_map(idle_pulls).map(|(_, again)| again.at.ms() % period);
    let mut answers = answers.collect::<Vec<_>>();
    answers.sort_unstable();
    // The middle one, seen from the widest gap: phases lie on a circle.
    let Some(last) = answers.last().copied() else { return Millis::ZERO };
    let before =
        answers.iter().map(|at| at + period).zip([last].into_iter().chain(answers.clone()));
    let gap = before.enumerate().max_by_key(|(_, (at, before))| (at - before) % period);
    let first = gap.map_or(0, |(index, _)| index);
    answers.rotate_left(first);
    let middle = answers[answers.len() / 2];
    Millis::new((period + ANSWER_TAKES.ms() - middle) % period)
}

/// From the broker's scan to the client's next pull.
const ANSWER_TAKES: Millis = Millis::new(4);

/// The share of the time from `starting` to `started` after which the client's services begin, one in
/// so many, where it does not show. Measured by the phase of the 5 s timer in 234 recorded starts, the
/// median is 0.38 (4.2.0), 0.33 (4.9.8) and 0.30 (5.3.3).
const SERVICES_BEGIN_AFTER: u64 = 3;

/// When a client's timers began, between `starting` and `started`: a whole number of periods before the
/// ticks of its heartbeat or, where those are not in the trace, of its commits.
pub fn services_begin(life: &Life, started: Millis, profile: Profile) -> Millis {
    let starting = life.starting_at.at;
    let usual = starting + Millis::new((started - starting).ms() / SERVICES_BEGIN_AFTER);
    let heartbeats = life.calls.iter().filter(|call| *call.code == *"HEART_BEAT");
    let heartbeats = heartbeats.map(|call| call.place.at).collect::<Vec<_>>();
    let beat = constants::heartbeat_broker_interval(profile);
    let persist = constants::persist_consumer_offset_interval(profile);
    let first_beat = constants::heartbeat_broker_initial_delay(profile);
    let first_persist = constants::persist_consumer_offset_initial_delay(profile);
    let by_heartbeat = || Some((phase(&heartbeats, beat)?, first_beat, beat));
    let by_commit = || Some((phase(Grid::of(life).certain(), persist)?, first_persist, persist));
    let Some((phase, first, period)) = by_heartbeat().or_else(by_commit) else { return usual };
    // The start lasts less than a period or little more: of two candidates the more usual one.
    let (phase, period) =
        ((phase + period.ms() - first.ms() % period.ms()) % period.ms(), period.ms());
    let earliest = starting.ms() + (phase + period - starting.ms() % period) % period;
    let within = (0..).map(|k| earliest + k * period).take_while(|at| *at <= started.ms());
    within.min_by_key(|at| at.abs_diff(usual.ms())).map_or(usual, Millis::new)
}

/// Ticks of one timer lie so near to its grid.
const NEAR: u64 = 60;

/// Where in its period a timer ticks: the earliest of the ticks that most others share, in more than one
/// period. Requests of the same code from other threads lie anywhere.
fn phase(ticks: &[Millis], period: Millis) -> Option<u64> {
    let period = period.ms();
    let shared = |tick: &Millis| {
        let late =
            |other: &&Millis| (other.ms() % period + period - tick.ms() % period) % period <= NEAR;
        let periods =
            ticks.iter().filter(late).map(|other| other.ms().abs_diff(tick.ms()) / (period / 2));
        let mut periods = periods.collect::<Vec<_>>();
        periods.sort_unstable();
        periods.dedup();
        periods.len()
    };
    let best = ticks.iter().max_by_key(|tick| shared(tick))?;
    (shared(best) > 1).then_some(best.ms() % period)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(moments: &[u64]) -> Vec<Millis> {
        moments.iter().copied().map(Millis::new).collect()
    }

    #[test]
    fn a_phase_is_what_ticks_of_several_periods_share() {
        let ticks = at(&[7_100, 8_400, 11_583, 41_590, 55_000, 71_584]);
        assert_eq!(phase(&ticks, Millis::new(30_000)), Some(11_583));
        assert_eq!(phase(&at(&[7_100, 7_120]), Millis::new(30_000)), None);
        assert_eq!(phase(&[], Millis::new(30_000)), None);
    }
}
