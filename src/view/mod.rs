//! Yew: state to nodes, one file for each region of the page.
//!
//! A component is a function of what it is given; it dispatches actions and holds nothing but what
//! is only visual. Never imports the simulation; only `root` knows the browser room.

pub mod chart;
mod checks;
mod compact;
pub mod dock;
pub mod left;
pub mod log;
pub mod page;
pub mod panel;
pub mod part;
pub mod phone;
pub mod rail;
pub mod root;
pub mod run;
mod sequence;
pub mod stage;
pub mod toasts;
pub mod top;
pub mod transport;
pub mod walk;
