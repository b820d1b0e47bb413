//! The animated picture: draws a `Frame` one to one.

mod defs;
mod mark;
mod shape;
#[allow(clippy::module_inception)]
mod stage;

pub use defs::StageDefs;
pub use stage::{Stage, StageProps};
