//! A scenario: everything that a run is a function of, and what it is about.

use crate::model::time::Millis;
use crate::sim::Simulation;
use crate::sim::command::Command;
use crate::sim::setup::Setup;

/// A title or a sentence that an author wrote, in both languages of the page. A file that says it
/// once says it in both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    pub en: String,
    pub zh: String,
}

impl Words {
    /// The same in both languages.
    pub fn same(text: impl Into<String>) -> Words {
        let en = text.into();
        Words { zh: en.clone(), en }
    }
}

/// A limit that is set smaller than RocketMQ's default so that it can be seen at work. The page marks
/// it where it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// RocketMQ's name of the property, `pullThresholdForQueue`.
    pub property: String,
    /// The value here, and what RocketMQ has by default, in the property's own unit.
    pub value: i64,
    pub default: i64,
}

/// What a run starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// The preset's name, or the file's own.
    pub id: String,
    pub title: Words,
    /// What there is to be seen, in a sentence or two.
    pub about: Words,
    pub setup: Setup,
    /// Commands with their moments, in the order in which they are given.
    pub script: Vec<(Millis, Command)>,
    /// How far it is worth watching.
    pub until: Millis,
    pub scaled: Vec<Scaled>,
}

impl Scenario {
    /// The world at its start, with the script loaded.
    pub fn simulation(&self) -> Simulation {
        let mut simulation = Simulation::new(&self.setup);
        simulation.script(self.script.iter().cloned());
        simulation
    }
}
