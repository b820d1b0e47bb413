//! The oracle's room: recorded traces of the real RocketMQ, read, run and compared.
//!
//! A trace's own inputs become a run of ours (`inputs`); our events become the trace's words (`words`);
//! the two are then compared item by item (`compare`). Nothing here knows any one trace, and nothing
//! here may name `scene` or `app`.

pub mod act;
pub mod against;
pub mod compare;
pub mod fidelity;
pub mod gap_table;
pub mod gaps;
pub mod inputs;
pub mod listeners;
pub mod memory_ratio;
pub mod periods;
pub mod phases;
pub mod play;
pub mod races;
pub mod read;
pub mod report;
pub mod scenario;
pub mod sends;
pub mod starting;
pub mod trace;
pub mod view;
pub mod words;
pub mod write;
