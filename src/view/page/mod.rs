//! The pages that are not a run: start, help, and the one for a link that cannot be read.

mod help;
mod preview;
mod start;
mod unreadable;

pub use help::{HelpPage, HelpPageProps};
pub use start::{StartPage, StartPageProps};
pub use unreadable::{UnreadablePage, UnreadablePageProps};
