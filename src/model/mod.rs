//! What things *are*: RocketMQ's nouns, and the rules that need no clock and no network.
//!
//! Never imports another room, a clock, chance, floats or `async`.

pub mod allocate;
pub mod append_log;
pub mod clean_expired;
pub mod commit_log;
pub mod config;
pub mod consistent_hash;
pub mod constants;
pub mod consume;
pub mod consume_queue;
pub mod consume_result;
pub mod delay_level;
pub mod ids;
pub mod java_hash_order;
pub mod java_string;
pub mod limits;
pub mod listener;
pub mod message;
pub mod message_queue;
pub mod offset;
pub mod offset_table;
pub mod order;
pub mod process_queue;
pub mod profile;
pub mod pull;
pub mod rebalance_lock;
pub mod rules;
pub mod schedule_message;
pub mod send_back;
pub mod subscription;
pub mod time;
pub mod topic;
