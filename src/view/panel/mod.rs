//! The rail: inspect what is selected, or do something.

mod do_panel;
mod inspect;
mod send;
mod tree;

pub use do_panel::{Deeds, DeedsProps, DoPanel, DoPanelProps};
pub use inspect::{InspectPanel, InspectPanelProps};
pub use tree::{TreeView, TreeViewProps};
