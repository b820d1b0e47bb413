//! What a run starts from, and what a person did to it.

use std::rc::Rc;

use crate::model::time::Millis;
use crate::scenario::Scenario;
use crate::sim::command::Command;
use crate::sim::setup::Setup;

/// All that a run without a person is a function of.
#[derive(Clone, Debug)]
pub struct Start {
    pub setup: Rc<Setup>,
    /// The scenario's commands, in the order of their numbers.
    pub script: Rc<[(Millis, Rc<Command>)]>,
}

impl Start {
    pub fn new(setup: Setup, script: impl IntoIterator<Item = (Millis, Command)>) -> Start {
        let script = script.into_iter().map(|(at, command)| (at, Rc::new(command))).collect();
        Start { setup: Rc::new(setup), script }
    }
}

/// One thing that a person did, when everything else of that moment had happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intervention {
    pub at: Millis,
    pub command: Rc<Command>,
}

impl From<&Scenario> for Start {
    fn from(scenario: &Scenario) -> Start {
        Start::new(scenario.setup.clone(), scenario.script.iter().cloned())
    }
}
