//! RocketMQ's push consumer and broker as a deterministic model, and the playground that shows it.
//!
//! Read the rooms in this order: [`model`] says what things are, [`sim`] what happens, [`scenario`]
//! what a run starts from, [`recording`] what happened, [`scene`] how it looks, [`text`] how it is
//! told. [`oracle`] holds it all against recordings of the real RocketMQ. `ARCHITECTURE.md` is the
//! map. Without a feature the library is this core, and knows no browser.

pub mod app;
#[cfg(feature = "ui")]
pub mod browser;
#[cfg(feature = "chart")]
pub mod chart;
pub mod model;
pub mod oracle;
pub mod recording;
pub mod scenario;
pub mod scene;
pub mod sim;
pub mod text;
#[cfg(feature = "ui")]
pub mod view;
