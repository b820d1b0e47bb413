//! How fast the engine is: the bare run, again and again, for about a second.
#![expect(clippy::disallowed_types, reason = "a measurement is the one thing that needs a clock")]

use std::time::{Duration, Instant};

use rocketmq_playground::scenario::Scenario;
use rocketmq_playground::sim::TaskBudget;

/// Long enough that starting up does not count.
const MEASURED: Duration = Duration::from_secs(1);

/// Tasks of the agenda per second of wall time, without anybody reading the events. `None`: it has none.
pub fn tasks_per_second(scenario: &Scenario) -> Option<u128> {
    let started = Instant::now();
    let mut tasks = 0_u128;
    loop {
        let mut simulation = scenario.simulation();
        simulation.run_until(scenario.until, TaskBudget::UNLIMITED);
        tasks += u128::from(simulation.engine().counters.task);
        let spent = started.elapsed();
        if spent >= MEASURED {
            return (tasks > 0).then(|| tasks * 1_000 / spent.as_millis().max(1));
        }
    }
}
