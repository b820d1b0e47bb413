//! `--log`: what happened, in columns: moment, actor, event, the rest.

use rocketmq_playground::oracle::trace::Trace;
use rocketmq_playground::oracle::write::line;
use rocketmq_playground::sim::event::{Actor, Event};
use rocketmq_playground::sim::world::World;

/// One event.
pub fn print_event(event: &Event, world: &World) {
    let actor = match event.actor {
        Actor::Person => "you".to_owned(),
        Actor::Machine(machine) => world.machine_name(machine),
    };
    let kind = format!("{:?}", event.kind);
    let (name, fields) = kind.split_once(' ').unwrap_or((&kind, ""));
    println!("{} {actor:<16} {name:<22} {fields}", moment(event.at.ms()));
}

/// A run in the words of the recorded traces.
pub fn print_trace(trace: &Trace) {
    for each in &trace.lines {
        let mut fields = line(each);
        let object = fields.as_object_mut();
        let take = |name: &str| {
            let value = object.as_deref().and_then(|object| object.get(name).cloned());
            value.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
        };
        let (client, word) = (take("client"), take("ev"));
        if let Some(object) = fields.as_object_mut() {
            for name in ["t_ms", "ev", "client"] {
                object.remove(name);
            }
        }
        println!("{} {client:<16} {word:<22} {fields}", moment(each.at.ms()));
    }
}

fn moment(ms: u64) -> String {
    format!("{:>8}.{:03}", ms / 1_000, ms % 1_000)
}
