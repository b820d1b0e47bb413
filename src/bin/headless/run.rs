//! A scenario run: a preset, a file or a link.

use std::collections::BTreeMap;

use rocketmq_playground::model::ids::ProcessIndex;
use rocketmq_playground::oracle::scenario::{is_orderly, scribe_of};
use rocketmq_playground::oracle::words::Scribe;
use rocketmq_playground::oracle::write::write;
use rocketmq_playground::sim::event::{Event, EventKind};
use rocketmq_playground::sim::{Simulation, TaskBudget};

use crate::arguments::Arguments;
use crate::{against, log, sheet, source, speed};

pub fn run(what: &str, arguments: &Arguments) -> Result<(), String> {
    if let Some(out) = &arguments.sheet {
        return sheet::write(what, out, arguments);
    }
    let mut scenario = source::find(what, arguments.profile)?;
    scenario.setup.seed = arguments.seed.unwrap_or(scenario.setup.seed);
    scenario.until = arguments.until.unwrap_or(scenario.until);
    if arguments.log {
        log::print_run(&scenario, arguments.language);
    }
    let mut scribe = scribe_of(&scenario);
    let mut counted: BTreeMap<String, u64> = BTreeMap::new();
    let mut simulation = scenario.simulation();
    while simulation.now() < scenario.until {
        let until = simulation.next_at().unwrap_or(scenario.until).min(scenario.until);
        simulation.run_until(until, TaskBudget::UNLIMITED);
        for event in simulation.take_events() {
            take(&event, &simulation, &mut scribe);
            *counted.entry(kind_name(&event.kind)).or_insert(0) += 1;
        }
    }
    if let Some(out) = &arguments.trace {
        against::save(out, &write(&scribe.finish(scenario.until)))?;
    }
    if arguments.stats {
        let total = counted.values().sum::<u64>();
        println!("events {total}, tasks {}", simulation.engine().counters.task);
        if let Some(speed) = speed::tasks_per_second(&scenario) {
            println!("{speed} tasks per second, here and now");
        }
        for (name, count) in &counted {
            println!("{count:>9} {name}");
        }
    }
    if arguments.digest {
        println!("digest {:016x}", simulation.digest());
    }
    if !arguments.log && !arguments.stats && !arguments.digest && arguments.trace.is_none() {
        println!("{}: ran to {}, digest {:016x}", what, simulation.now(), simulation.digest());
    }
    Ok(())
}

fn take(event: &Event, simulation: &Simulation, scribe: &mut Scribe) {
    let world = simulation.world();
    for (index, client) in world.clients.iter().enumerate() {
        let process = ProcessIndex(index as u32);
        scribe.name_process(process, &client.client_id, is_orderly(client));
    }
    scribe.take(event);
}

fn kind_name(kind: &EventKind) -> String {
    let text = format!("{kind:?}");
    text.split([' ', '(']).next().unwrap_or_default().to_owned()
}
