//! What things *are*: RocketMQ's nouns, and the rules that need no clock and no network.
//!
//! Never imports another room, a clock, chance, floats or `async`.

pub mod append_log;
pub mod commit_log;
pub mod constants;
pub mod consume_queue;
pub mod ids;
pub mod listener;
pub mod message;
pub mod message_queue;
pub mod offset;
pub mod profile;
pub mod rules;
pub mod time;
pub mod topic;
