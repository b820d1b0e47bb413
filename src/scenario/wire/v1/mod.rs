//! Version 1 of the link format: what [`postcard`] writes. **Frozen**: nothing here is reordered,
//! removed or given another type; variants and numbers are only added at the end.
//!
//! These are not the model's types, so that the model stays free to change: [`to`] and [`from`] turn
//! one into the other.

mod from;
mod from_command;
mod tags;
mod to;
mod types;

pub use from::from_wire;
pub use to::to_wire;
pub use types::Link;

#[cfg(test)]
mod tests {
    use super::tags;
    use crate::scenario::presets;
    use crate::scenario::property::{BROKER, CONSUMER, GROUP, PRODUCER};

    #[test]
    fn every_preset_and_every_property_has_its_number() {
        for name in presets::all_names() {
            assert!(tags::PRESETS.contains(&name), "{name}");
        }
        let known = [
            (CONSUMER.iter().map(|it| it.name).collect::<Vec<_>>(), tags::CONSUMER),
            (PRODUCER.iter().map(|it| it.name).collect(), tags::PRODUCER),
            (BROKER.iter().map(|it| it.name).collect(), tags::BROKER),
            (GROUP.iter().map(|it| it.name).collect(), tags::GROUP),
        ];
        for (names, tags) in known {
            for name in names {
                assert!(tags.contains(&name), "{name}");
            }
        }
    }
}
