//! The named starting points: what the start page offers, what lessons, tests and benches run. Each is
//! a scenario file in `presets/`, and so an example of the format.

use super::file;
use super::scenario::Scenario;
use crate::model::profile::Profile;

/// Name and text of each preset, in the order of the start page.
const PRESETS: &[(&str, &str)] = &[
    ("happy-path", include_str!("recorded/happy-path.toml")),
    ("poison-message", include_str!("presets/poison-message.toml")),
    ("slow-message", include_str!("presets/slow-message.toml")),
    ("consumers-join", include_str!("presets/consumers-join.toml")),
    ("start-up", include_str!("presets/start-up.toml")),
    ("flow-control-count", include_str!("presets/flow-control-count.toml")),
    ("flow-control-span", include_str!("presets/flow-control-span.toml")),
    ("more-consumers-than-queues", include_str!("presets/more-consumers-than-queues.toml")),
    ("broadcasting", include_str!("presets/broadcasting.toml")),
    ("new-group-old-topic", include_str!("presets/new-group-old-topic.toml")),
    ("mixed-subscriptions", include_str!("presets/mixed-subscriptions.toml")),
    ("stop-or-kill", include_str!("presets/stop-or-kill.toml")),
    ("minute-of-silence", include_str!("presets/minute-of-silence.toml")),
    ("frozen-listener", include_str!("presets/frozen-listener.toml")),
    ("suspend", include_str!("presets/suspend.toml")),
    ("send-back-fails", include_str!("presets/send-back-fails.toml")),
    ("master-down", include_str!("presets/master-down.toml")),
    ("slow-start", include_str!("presets/slow-start.toml")),
    ("same-client-id", include_str!("presets/same-client-id.toml")),
];

/// The presets of the start page, in its order.
pub const NAMES: &[&str] =
    &["happy-path", "poison-message", "slow-message", "consumers-join", "start-up"];

/// Presets that are known by name and not on the start page: the stage does not yet show all that is
/// new in them.
pub const MORE: &[&str] = &[
    "flow-control-count",
    "flow-control-span",
    "more-consumers-than-queues",
    "broadcasting",
    "new-group-old-topic",
    "mixed-subscriptions",
    "stop-or-kill",
    "minute-of-silence",
    "frozen-listener",
    "suspend",
    "send-back-fails",
    "master-down",
    "slow-start",
    "same-client-id",
];

/// Every preset's name.
pub fn all_names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

/// The file of a preset.
pub fn text_of(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The preset of this name.
pub fn by_name(name: &str) -> Option<Scenario> {
    Some(file::read(text_of(name)?).expect("the presets are read by a test"))
}

/// The preset under another profile: what it does not set follows that profile's defaults.
pub fn by_name_as(name: &str, profile: Profile) -> Option<Scenario> {
    Some(file::read_as(text_of(name)?, profile).expect("the presets are read by a test"))
}
