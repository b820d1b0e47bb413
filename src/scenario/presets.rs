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
];

/// The presets' names, in the order of the start page.
pub const NAMES: &[&str] =
    &["happy-path", "poison-message", "slow-message", "consumers-join", "start-up"];

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
