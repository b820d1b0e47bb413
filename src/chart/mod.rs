//! Numbers over time as SVG text, drawn with plotters. Knows no browser: tests read the text.
//!
//! Colours are written as the style sheet's custom properties, so a theme changes them without
//! drawing anew. Never imports yew or the simulation.

pub mod ink;
pub mod nice;
pub mod offsets;
pub mod owners;
mod paper;
pub mod shelf;

pub use offsets::{OffsetChart, OffsetLine, Which, draw};
