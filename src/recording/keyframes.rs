//! Keyframes: which states to keep.
//!
//! One is taken when the events since the last one pass the larger of 10 000 and twice the live
//! entries of the state; all together take 32 MB at most, beyond which every second one goes and the
//! distance doubles. Measured: more keyframes cost more running than they save seeking.

use crate::model::limits;
use crate::model::time::Millis;
use crate::sim::Simulation;
use crate::sim::event::EventSequence;

/// Events between two keyframes, at least.
const LEAST_DISTANCE: EventSequence = 10_000;

/// What one live entry takes in a clone, about.
const BYTES_PER_ENTRY: u64 = 160;

/// Entries of one open tail of an append-only log, half of a segment: what a clone copies of it.
const ENTRIES_PER_TAIL: u64 = 128;

#[derive(Clone, Debug)]
struct Keyframe {
    /// Events before it.
    events: EventSequence,
    bytes: u64,
    simulation: Simulation,
}

#[derive(Clone, Debug)]
pub struct Keyframes {
    /// By events; the first one is the start and always stays.
    frames: Vec<Keyframe>,
    distance: EventSequence,
}

impl Keyframes {
    pub fn new(start: Simulation) -> Keyframes {
        let first = Keyframe { events: start.engine().next_event, bytes: 0, simulation: start };
        Keyframes { frames: vec![first], distance: LEAST_DISTANCE }
    }

    /// Keeps this state if the last one kept is long ago.
    pub fn consider(&mut self, simulation: &Simulation) {
        let events = simulation.engine().next_event;
        let last = self.frames.last().expect("the first one always stays").events;
        if events.saturating_sub(last) < self.distance {
            return;
        }
        let entries = live_entries(simulation);
        if u64::from(events - last) < 2 * entries {
            return;
        }
        let bytes = entries * BYTES_PER_ENTRY;
        self.frames.push(Keyframe { events, bytes, simulation: simulation.clone() });
        self.thin_out();
    }

    fn thin_out(&mut self) {
        while self.frames.iter().map(|frame| frame.bytes).sum::<u64>() > limits::KEYFRAME_BYTES
            && self.frames.len() > 2
        {
            let mut index = 0;
            self.frames.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.distance *= 2;
        }
    }

    /// The last one with at most `events` events before it; the first one if there is none.
    pub fn before_event(&self, events: EventSequence) -> &Simulation {
        let after = self.frames.partition_point(|frame| frame.events <= events);
        &self.frames[after.saturating_sub(1)].simulation
    }

    /// The last one in which nothing of `at` or later has happened; the first one if there is none.
    pub fn before_moment(&self, at: Millis) -> &Simulation {
        let after = self.frames.partition_point(|frame| frame.simulation.now() < at);
        &self.frames[after.saturating_sub(1)].simulation
    }

    /// Throws away those in which something of `at` or later has happened.
    pub fn forget_from(&mut self, at: Millis) {
        let after = self.frames.partition_point(|frame| frame.simulation.now() < at);
        self.frames.truncate(after.max(1));
    }

    pub fn simulations_mut(&mut self) -> impl Iterator<Item = &mut Simulation> {
        self.frames.iter_mut().map(|frame| &mut frame.simulation)
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}

/// About how many small things a clone copies.
fn live_entries(simulation: &Simulation) -> u64 {
    let world = simulation.world();
    let logs = world.brokers.iter().map(|broker| 1 + broker.consume_queues.len() as u64);
    let cached = world.clients.iter().flat_map(|client| client.consumers.values());
    let cached = cached.map(|consumer| {
        let windows = consumer.shelves.values().map(|shelf| shelf.window.message_count() as u64);
        windows.sum::<u64>() + consumer.pool.waiting.len() as u64
    });
    simulation.engine().agenda.len() as u64
        + logs.sum::<u64>() * ENTRIES_PER_TAIL
        + cached.sum::<u64>()
}
