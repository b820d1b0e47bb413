//! The phenomena of spec 11, each with its numbers and under each version where they differ, and the rules
//! that changed between versions, each telling two profiles apart.
//!
//! Every story is told by `kit/story.rs`, which also holds each of its tasks against the invariants.

#[path = "kit/story.rs"]
mod story;

#[path = "scenarios/brokers.rs"]
mod brokers;
#[path = "scenarios/duplicates.rs"]
mod duplicates;
#[path = "scenarios/flow.rs"]
mod flow;
#[path = "scenarios/groups.rs"]
mod groups;
#[path = "scenarios/held.rs"]
mod held;
#[path = "scenarios/network.rs"]
mod network;
#[path = "scenarios/offsets.rs"]
mod offsets;
#[path = "scenarios/orderly.rs"]
mod orderly;
#[path = "scenarios/retries.rs"]
mod retries;
#[path = "scenarios/run_time.rs"]
mod run_time;
#[path = "scenarios/since.rs"]
mod since;
#[path = "scenarios/starts.rs"]
mod starts;
