//! The rail: inspect what is selected, or do something.

mod acts;
mod do_panel;
mod faults;
mod inspect;
mod journey;
mod numbers;
mod send;
mod sign;
mod tree;
mod why;

pub use do_panel::{Deeds, DeedsProps, DoPanel, DoPanelProps};
pub use inspect::{InspectPanel, InspectPanelProps};
pub use why::{WhyPanel, WhyPanelProps};
