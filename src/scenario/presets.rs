//! The named starting points: what the start page offers, what lessons, tests and benches run. Each is
//! a scenario file in `presets/`, and so an example of the format.

use super::file;
use super::scenario::Scenario;
use crate::model::profile::Profile;

/// What a preset is about: how the start page groups them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    FirstSteps,
    Flow,
    Retries,
    Rebalancing,
    Order,
    Failures,
}

/// The happy path is made from a recording; its walkthrough stands in a file of its own.
const HAPPY_PATH: &str = concat!(
    include_str!("recorded/happy-path.toml"),
    include_str!("presets/happy-path-marks.toml")
);

/// Subject, name and text of each preset, in the order of the start page.
const PRESETS: &[(Subject, &str, &str)] = &[
    (Subject::FirstSteps, "happy-path", HAPPY_PATH),
    (Subject::FirstSteps, "start-up", include_str!("presets/start-up.toml")),
    (Subject::FirstSteps, "slow-message", include_str!("presets/slow-message.toml")),
    (Subject::Flow, "flow-control-count", include_str!("presets/flow-control-count.toml")),
    (Subject::Flow, "flow-control-span", include_str!("presets/flow-control-span.toml")),
    (Subject::Flow, "broadcasting", include_str!("presets/broadcasting.toml")),
    (Subject::Flow, "new-group-old-topic", include_str!("presets/new-group-old-topic.toml")),
    (Subject::Retries, "poison-message", include_str!("presets/poison-message.toml")),
    (Subject::Retries, "send-back-fails", include_str!("presets/send-back-fails.toml")),
    (Subject::Rebalancing, "consumers-join", include_str!("presets/consumers-join.toml")),
    (
        Subject::Rebalancing,
        "more-consumers-than-queues",
        include_str!("presets/more-consumers-than-queues.toml"),
    ),
    (Subject::Rebalancing, "mixed-subscriptions", include_str!("presets/mixed-subscriptions.toml")),
    (Subject::Rebalancing, "same-client-id", include_str!("presets/same-client-id.toml")),
    (Subject::Rebalancing, "slow-start", include_str!("presets/slow-start.toml")),
    (Subject::Order, "suspend", include_str!("presets/suspend.toml")),
    (Subject::Order, "minute-of-silence", include_str!("presets/minute-of-silence.toml")),
    (Subject::Order, "frozen-listener", include_str!("presets/frozen-listener.toml")),
    (Subject::Failures, "stop-or-kill", include_str!("presets/stop-or-kill.toml")),
    (Subject::Failures, "master-down", include_str!("presets/master-down.toml")),
];

/// The first five presets: what costly tests run.
pub const NAMES: &[&str] =
    &["happy-path", "poison-message", "slow-message", "consumers-join", "start-up"];

/// Every preset's name.
pub fn all_names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(_, name, _)| *name)
}

/// Every preset's name with its subject.
pub fn subjects() -> impl Iterator<Item = (Subject, &'static str)> {
    PRESETS.iter().map(|(subject, name, _)| (*subject, *name))
}

/// The file of a preset.
pub fn text_of(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(_, known, _)| *known == name).map(|(_, _, text)| *text)
}

/// The preset of this name.
pub fn by_name(name: &str) -> Option<Scenario> {
    Some(file::read(text_of(name)?).expect("the presets are read by a test"))
}

/// The preset under another profile: what it does not set follows that profile's defaults.
pub fn by_name_as(name: &str, profile: Profile) -> Option<Scenario> {
    Some(file::read_as(text_of(name)?, profile).expect("the presets are read by a test"))
}
