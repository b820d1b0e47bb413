//! Limits that a scenario sets smaller than RocketMQ's defaults so that they can be seen at work.

use std::collections::BTreeSet;

use super::property::{self, CONSUMER, Setting};
use super::scenario::Scenario;
use crate::model::config::ConsumerConfig;
use crate::model::constants;
use crate::sim::command::Command;

/// One such limit. The page marks it with what it really is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scaled {
    /// RocketMQ's name of the property, `pullThresholdForQueue`.
    pub property: &'static str,
    /// The value here, and what RocketMQ has by default, in the property's own unit.
    pub value: i64,
    pub default: i64,
}

/// Properties that are limits: smaller means sooner.
const LIMITS: &[&str] = &[
    "consumeThreadMin",
    "consumeThreadMax",
    "pullBatchSize",
    "pullThresholdForQueue",
    "pullThresholdSizeForQueue",
    "consumeConcurrentlyMaxSpan",
    "consumeTimeout",
    "maxReconsumeTimes",
];

/// Every limit that some consumer of the script has smaller than the default, in the table's order.
pub fn scaled(scenario: &Scenario) -> Vec<Scaled> {
    let profile = scenario.setup.profile;
    let defaults = ConsumerConfig::defaults(profile);
    let mut found = BTreeSet::new();
    for (_, command) in &scenario.script {
        let Command::StartConsumer(spec) = command else { continue };
        for (place, name) in LIMITS.iter().enumerate() {
            let property = property::find(CONSUMER, name).expect("a limit is a property");
            let meant = |config: &ConsumerConfig| match (property.get)(config) {
                Setting::Integer(-1) if property.name == "maxReconsumeTimes" => {
                    i64::from(constants::max_reconsume_times_concurrently(profile))
                }
                Setting::Integer(value) => value,
                Setting::Flag(_) | Setting::Word(_) => 0,
            };
            let (value, default) = (meant(&spec.config), meant(&defaults));
            if value < default {
                found.insert((place, Scaled { property: property.name, value, default }));
            }
        }
    }
    found.into_iter().map(|(_, scaled)| scaled).collect()
}
