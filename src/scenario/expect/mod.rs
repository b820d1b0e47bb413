//! What a scenario's author expects of its run, and whether it came so: a scenario is a contract test.
//!
//! The words are those of public incident reports: how often, when and by whom a message was delivered,
//! what was committed, who owned which queue. [`expectation`] holds the types, [`observe`] runs a
//! scenario and writes down what they ask about, [`check`] compares.

pub mod check;
pub mod check_state;
pub mod expectation;
pub mod observe;
pub mod sample;

pub use check::{Outcome, check_all};
pub use expectation::{
    By, Check, Committed, Expectation, Moments, OwnedQueues, Times, When, Which,
};
