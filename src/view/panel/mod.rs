//! The rail: inspect what is selected, or do something.

mod do_panel;
mod inspect;
mod send;

pub use do_panel::{Deeds, DeedsProps, DoPanel, DoPanelProps};
pub use inspect::{InspectPanel, InspectPanelProps};
