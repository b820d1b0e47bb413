//! Runs a scenario and holds every task against the invariants.

use rocketmq_playground::scenario::Scenario;
use rocketmq_playground::sim::Simulation;
use rocketmq_playground::sim::event::{Event, EventKind};
use rocketmq_playground::sim::invariants::{Checker, Violation};

/// What a checked run came to.
pub struct Checked {
    pub violations: Vec<Violation>,
    /// The last events before the first violation.
    pub last_events: Vec<Event>,
}

/// How many events are kept for the report.
const KEPT: usize = 40;

/// Runs until the scenario's end, or to the first violation.
pub fn run_checked(scenario: &Scenario) -> Checked {
    let mut simulation = scenario.simulation();
    let mut checker = Checker::new(&simulation);
    let mut last_events = Vec::new();
    let mut look = |simulation: &mut Simulation, checker: &mut Checker| {
        let events = simulation.take_events();
        let violations = checker.after_task(simulation, &events);
        let is_telling = |event: &Event| !matches!(event.kind, EventKind::PullPostponed { .. });
        last_events.extend(events.into_iter().filter(is_telling));
        if last_events.len() > 2 * KEPT {
            last_events.drain(..last_events.len() - KEPT);
        }
        violations
    };
    let mut violations = look(&mut simulation, &mut checker);
    while violations.is_empty() && simulation.next_at().is_some_and(|at| at <= scenario.until) {
        simulation.step();
        violations = look(&mut simulation, &mut checker);
    }
    if violations.is_empty() {
        simulation.run_until(scenario.until, rocketmq_playground::sim::TaskBudget::UNLIMITED);
        violations = checker.at_rest(&simulation);
    }
    Checked { violations, last_events }
}

impl Checked {
    /// The violations and the events before them.
    pub fn report(&self) -> String {
        let mut report = String::new();
        for event in &self.last_events {
            let Event { sequence, at, actor, kind, .. } = event;
            let kind: String = format!("{kind:?}").chars().take(260).collect();
            report.push_str(&format!("{sequence:>6} {:>7} {actor:?} {kind}\n", at.ms()));
        }
        for violation in &self.violations {
            let Violation { id, at, what, event } = violation;
            report.push_str(&format!("VIOLATED {id} at {at}, event {event:?}: {what}\n"));
        }
        report
    }
}
