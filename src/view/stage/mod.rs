//! The animated picture: draws a `Frame` one to one; the follow view for phones; the text twin.

mod defs;
mod mark;
mod phone;
mod phone_cards;
mod phone_rooms;
mod shape;
#[allow(clippy::module_inception, reason = "the room and its main type have one name")]
mod stage;
mod twin;

pub use defs::StageDefs;
pub use phone::{FollowView, FollowViewProps};
pub use stage::{Stage, StageProps};
pub use twin::{StageTwin, StageTwinProps};
