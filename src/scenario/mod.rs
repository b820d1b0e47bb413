//! What a run *starts from*: a scenario, its presets, its file and its link.
//!
//! Reading order: [`scenario`] (the type), [`presets`] (the named ones), [`file`] (TOML and back),
//! [`link`] (a run as an address), [`property`] (what can be set), [`validate`], [`expect`] (what an
//! author expects of a run), [`walk`] (where its telling stops), [`fact`] (what it says there). Never imports recording or scene; no clock, no floats, no hash maps.

pub mod differ;
pub mod duration;
pub mod expect;
pub mod fact;
pub mod file;
pub mod link;
pub mod presets;
pub mod problem;
pub mod property;
pub mod scaled;
#[allow(clippy::module_inception, reason = "the room is named after its main type")]
pub mod scenario;
pub mod validate;
pub mod walk;
pub mod wire;

pub use link::{Link, LinkError};
pub use problem::Problem;
pub use scaled::Scaled;
pub use scenario::{Recorded, RecordedDelivery, Scenario, Words};
