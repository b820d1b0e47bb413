//! Accessible basics that every region uses.

mod icon;
mod segments;
mod tabs;
mod tip;
mod ui;

pub use icon::{Icon, IconView};
pub use segments::{Segment, Segments};
pub use tabs::{Tab, Tabs};
pub use tip::{Tips, names};
pub use ui::{Shared, Ui, breakable};
