//! The comparison of a recorded run with ours (or with another recorded one).
//!
//! What has to agree: deliveries and their results, the assignment that each membership change settles
//! to, stored copies, committed offsets wherever they rest, the order of remote calls by client and
//! service, and every gap between a thing and its cause. Where the real thing lost a race that day, the
//! race is recognised by the signature of its kind and counted apart.

mod align;
mod assignments;
mod borders;
mod calls;
mod commits;
mod copies;
mod deliveries;
mod disturbances;
mod gap_findings;
mod grouped;
mod hand_over;
mod pulls;
pub(super) mod silence;

use std::collections::BTreeMap;

use self::disturbances::Disturbance;
use self::hand_over::HandOvers;
use self::silence::Silences;
use super::gap_table::GapTable;
use super::gaps::{ConsumptionId, GapKind, consumption_ids};
use super::races::LostRace;
use super::report::{Item, Race, Report, Verdict};
use super::trace::Trace;
use super::view::{Life, Queue, View};
use crate::model::time::Millis;

/// Compares `model`, a run of ours in the trace's words, with the recorded `real`.
///
/// `races` are those that our run was made to decide as the recorded one did; each is an exception.
pub fn compare(real: &Trace, model: &Trace, races: &[LostRace], table: &GapTable) -> Report {
    let (real, model) = (View::of(real), View::of(model));
    let sides = Sides::new(&real, &model, table);
    let mut report = Report::default();
    for race in races {
        report.say(Item::Race, Verdict::Exception(race.race), race.place, race.text.clone());
    }
    deliveries::compare(&sides, &mut report);
    gap_findings::compare(&sides, &mut report);
    assignments::compare(&sides, &mut report);
    copies::compare(&sides, &mut report);
    commits::compare(&sides, &mut report);
    calls::compare(&sides, &mut report);
    pulls::compare(&sides, &mut report);
    report
}

/// The two runs, what is known of their races, and what may differ by how much.
struct Sides<'a> {
    real: &'a View<'a>,
    model: &'a View<'a>,
    table: &'a GapTable,
    /// Listener calls of each side by their identity, to their places in `consumptions`.
    real_ids: BTreeMap<ConsumptionId, usize>,
    model_ids: BTreeMap<ConsumptionId, usize>,
    /// Queues that changed hands, in either run.
    real_hand_overs: HandOvers,
    model_hand_overs: HandOvers,
    disturbances: Vec<Disturbance>,
    /// Times in which an owner did not read its queue, in the recorded run.
    silences: Silences,
}

impl<'a> Sides<'a> {
    fn new(real: &'a View<'a>, model: &'a View<'a>, table: &'a GapTable) -> Sides<'a> {
        let real_hand_overs = HandOvers::of(real);
        let model_hand_overs = HandOvers::of(model);
        let silences = Silences::of(real);
        let both = [&real_hand_overs, &model_hand_overs];
        Sides {
            real,
            model,
            table,
            real_ids: by_id(real),
            model_ids: by_id(model),
            disturbances: disturbances::find(real, model, both, &silences),
            real_hand_overs,
            model_hand_overs,
            silences,
        }
    }

    fn tolerance(&self, kind: GapKind) -> Millis {
        self.table.tolerance(&self.real.trace.header, kind)
    }

    /// The race behind a difference in a queue's affairs at a moment.
    fn race_at(&self, queue: &Queue, at: Millis) -> Option<Race> {
        let is_it = |it: &&Disturbance| it.queue == *queue && it.from <= at && at <= it.until;
        self.disturbances.iter().filter(is_it).map(|it| it.race).min()
    }

    /// The race behind a difference in a client's calls between two moments.
    fn call_race(&self, life: &Life, retry: bool, from: Millis, until: Millis) -> Option<Race> {
        let is_it = |it: &&Disturbance| {
            self.real.is_retry(&it.queue.0) == retry
                && it.client.as_ref().is_none_or(|client| **client == *life.client)
                && it.from <= until
                && from <= it.until
        };
        self.disturbances.iter().filter(is_it).map(|it| it.race).min()
    }

    /// The phase of a client's timers is free within its own start: they begin somewhere between
    /// `starting` and `started`.
    fn timer_phase(&self) -> Millis {
        let spans = self
            .real
            .lives
            .iter()
            .filter_map(|life| life.started.map(|started| started.at - life.starting_at.at));
        spans.max().unwrap_or(Millis::ZERO) + super::gap_table::ALLOWANCE
    }
}

fn by_id(view: &View<'_>) -> BTreeMap<ConsumptionId, usize> {
    consumption_ids(view).into_iter().zip(0..).collect()
}
