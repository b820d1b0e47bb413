//! The state of the page, with no browser in it.
//!
//! One door: [`App::update`] takes what was done and returns what the browser must do. Everything
//! here is tested natively. Never imports yew, the DOM or a clock.

pub mod action;
pub mod ask;
pub mod effect;
pub mod keys;
pub mod mark_text;
pub mod player;
pub mod route;
pub mod settings;
