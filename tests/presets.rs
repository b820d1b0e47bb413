//! Every preset runs to its end, and no command of its script is refused.

use rocketmq_playground::scenario::presets;
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::sim::event::EventKind;

#[test]
fn every_preset_runs_and_no_command_is_refused() {
    for name in presets::NAMES {
        let scenario = presets::by_name(name).expect("every name has its preset");
        assert_eq!(scenario.id, *name);
        let mut simulation = scenario.simulation();
        simulation.run_until(scenario.until, TaskBudget::UNLIMITED);
        let events = simulation.take_events();
        let started =
            events.iter().filter(|event| matches!(event.kind, EventKind::ConsumeStarted { .. }));
        assert!(started.count() > 0, "{name}: something is consumed");
        for event in &events {
            if let EventKind::CommandRefused { index, error } = &event.kind {
                panic!("{name}: command {index} at {} is refused: {error}", event.at);
            }
        }
    }
}
