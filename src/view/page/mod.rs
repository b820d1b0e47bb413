//! The pages that are not a run: start and help.

mod help;
mod own;
mod preview;
mod start;

pub use help::{HelpPage, HelpPageProps};
pub use start::{StartPage, StartPageProps};
