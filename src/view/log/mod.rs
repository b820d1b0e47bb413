//! The event log: a table of which only what can be seen is in the document.

mod chips;
mod table;

pub use chips::{Chips, ChipsProps};
pub use table::{LogTable, LogTableProps};
