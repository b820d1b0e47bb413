//! Scenario files: TOML to [`Scenario`](super::Scenario) and back. `docs/scenario.md` is the schema.
//!
//! Reading goes from the text to a tree with positions ([`node`]), through variants ([`variant`]) and
//! defaults ([`defaults`]), to tables whose fields are asked for by name ([`fields`]), so that every
//! mistake is reported with its line, and nothing that a file says is silently ignored.

pub mod defaults;
pub mod fields;
pub mod node;
pub mod read;
pub mod read_command;
pub mod read_differ;
pub mod read_expect;
pub mod read_listener;
pub mod read_mark;
pub mod read_properties;
pub mod read_recorded;
pub mod read_script;
pub mod read_setup;
pub mod toml_text;
pub mod variant;
pub mod write;
pub mod write_command;
pub mod write_expect;
pub mod write_mark;
pub mod write_script;

pub use read::{ScenarioFile, Variant, read, read_as, read_file};
pub use write::write;
