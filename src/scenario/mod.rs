//! What a run *starts from*: a scenario, its presets, its file and its link.
//!
//! Reading order: [`scenario`] (the type), [`presets`] (the named ones), [`file`] (TOML and back),
//! [`property`] (what can be set), [`validate`], [`expect`] (what an author expects of a run). Never
//! imports recording or scene; no clock, no floats, no hash maps.

pub mod duration;
pub mod expect;
pub mod file;
pub mod presets;
pub mod problem;
pub mod property;
pub mod scaled;
pub mod scenario;
pub mod validate;

pub use problem::Problem;
pub use scaled::Scaled;
pub use scenario::{Recorded, RecordedDelivery, Scenario, Words};
