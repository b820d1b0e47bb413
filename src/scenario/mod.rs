//! What a run *starts from*: a scenario, its presets, its file and its link.
//!
//! Reading order: [`scenario`] (the type), [`presets`] (the named ones). Never imports recording or
//! scene; no clock, no floats, no hash maps.

pub mod presets;
pub mod scenario;

pub use scenario::{Scaled, Scenario, Words};
