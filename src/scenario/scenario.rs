//! A scenario: everything that a run is a function of, and what it is about.

use super::differ::Differs;
use super::expect::Expectation;
use super::scaled::{self, Scaled};
use super::walk::WalkMark;
use crate::model::ids::{QueueId, TopicName};
use crate::model::offset::QueueOffset;
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
    /// In one of the two languages.
    pub fn say(&self, is_chinese: bool) -> &str {
        if is_chinese { &self.zh } else { &self.en }
    }

    /// The same in both languages.
    pub fn same(text: impl Into<String>) -> Words {
        let en = text.into();
        Words { zh: en.clone(), en }
    }
}

/// One delivery of the real RocketMQ on a scenario's inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedDelivery {
    pub key: String,
    pub topic: TopicName,
    pub queue_id: QueueId,
    pub queue_offset: QueueOffset,
    /// When the listener was called.
    pub begin: Millis,
}

/// What the real RocketMQ did on a scenario's inputs. The page shows it beside the model's doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// RocketMQ's release.
    pub release: String,
    /// The name of the recorded run.
    pub run: String,
    pub deliveries: Vec<RecordedDelivery>,
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
    /// The moment at which its telling opens: what lies before is told as one wait.
    pub begin: Millis,
    /// How far it is worth watching.
    pub until: Millis,
    pub expectations: Vec<Expectation>,
    /// Where its telling stops under one release or another; under each in their order.
    pub marks: Vec<WalkMark>,
    /// What other releases do otherwise in it.
    pub differs: Vec<Differs>,
    pub recorded: Option<Recorded>,
}

impl Scenario {
    /// The world at its start, with the script loaded.
    pub fn simulation(&self) -> Simulation {
        let mut simulation = Simulation::new(&self.setup);
        simulation.script(self.script.iter().cloned());
        simulation
    }

    /// The stops of the telling under its own release, in their order.
    pub fn marks_told(&self) -> impl Iterator<Item = &WalkMark> {
        let profile = self.setup.profile;
        self.marks.iter().filter(move |mark| mark.releases.contains(&profile))
    }

    /// The limits that are smaller here than RocketMQ's defaults. The page marks them where they show.
    pub fn scaled(&self) -> Vec<Scaled> {
        scaled::scaled(self)
    }
}
