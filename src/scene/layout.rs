//! `Layout`: for whom a frame is drawn. Pure data; the arithmetic on counts is in `plan`.

use crate::text::Language;

use super::geometry::{Rect, rect};
use super::mark::MarkId;

/// The coordinate systems. SVG's `viewBox` does the scaling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    /// 920 × 496, for 1280 × 720.
    #[default]
    Projector,
    /// 1180 × 640, for 1920 × 1080.
    Desktop,
    /// 358 wide: the card of one queue in the follow view.
    Phone,
    /// 358 wide, as high as it needs: the stage with its rooms one under the other.
    Rooms,
}

impl System {
    pub const fn area(self) -> Rect {
        match self {
            System::Projector => rect(0.0, 0.0, 920.0, 496.0),
            System::Desktop => rect(0.0, 0.0, 1180.0, 640.0),
            System::Phone => rect(0.0, 0.0, 358.0, 304.0),
            // As high as it may get; `Plan` says how much of it is taken.
            System::Rooms => rect(0.0, 0.0, 358.0, 1_400.0),
        }
    }
}

/// What a frame depends on besides recording and story time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    pub system: System,
    pub language: Language,
    /// The selected mark: what belongs to it is drawn in full when not all can be.
    pub spotlight: Option<MarkId>,
    /// Still mode: no tween between two scenes.
    pub is_still: bool,
}
