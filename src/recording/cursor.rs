//! `Cursor`: a state that walks along the recording.

use super::Recording;
use crate::sim::Simulation;
use crate::sim::event::EventSequence;

/// A state at some place of a recording. Forward it runs on; backward it starts from a keyframe.
#[derive(Clone, Debug)]
pub struct Cursor {
    simulation: Simulation,
    /// The recording's cuts when it was made: after another one its script is not right any more.
    cut_count: usize,
}

impl Cursor {
    /// At the start.
    pub fn new(recording: &Recording) -> Cursor {
        let simulation = recording.keyframes.before_event(0).clone();
        Cursor { simulation, cut_count: recording.cut_count() }
    }

    /// Goes to the end of the task of event `index`, which must be recorded.
    pub fn seek(&mut self, recording: &Recording, index: EventSequence) {
        // The event of a limit is the recording's own.
        let index = index.min(recording.head().engine().next_event.saturating_sub(1));
        let is_stale = self.cut_count != recording.cut_count();
        let keyframe = recording.keyframes.before_event(index);
        let here = self.event_count();
        if is_stale || here > recording.task_end(index) || here < keyframe.engine().next_event {
            self.simulation = keyframe.clone();
            self.cut_count = recording.cut_count();
        }
        while self.event_count() <= index && self.simulation.step().is_some() {}
        self.simulation.take_events();
    }

    /// How many events have happened.
    pub fn event_count(&self) -> EventSequence {
        self.simulation.engine().next_event
    }

    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    pub fn into_simulation(self) -> Simulation {
        self.simulation
    }
}
