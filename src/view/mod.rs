//! Yew: state to nodes, one file for each region of the page.

pub mod stage;
