//! Why a queue or a message is as it is, as the phone says it in a sentence.

use std::rc::Rc;

use super::stage::StateWord;
use crate::model::time::Millis;

/// Why a queue's numbers are what they are, in one sentence each (follow view).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyText {
    /// C moves when the owner's timer reports.
    UntilReported {
        committed: i64,
        process: Rc<str>,
        offset: i64,
        left: Millis,
    },
    BrokerDown {
        broker: Rc<str>,
        is_killed: bool,
    },
    /// What is shown is the slave's.
    MasterDown {
        slave: Rc<str>,
    },
    OwnerStopped {
        process: Rc<str>,
    },
    /// Whoever comes next begins at C.
    OwnerCrashed {
        process: Rc<str>,
        committed: Option<i64>,
    },
    OwnerFrozen {
        process: Rc<str>,
    },
    /// It still believes to own it, but the broker's lock is another's.
    BelieverFrozen {
        process: Rc<str>,
        owner: Rc<str>,
        renewed_at: Millis,
    },
    /// The lock outlives its owner.
    LockOfGone {
        owner: Rc<str>,
        left: Millis,
    },
    /// It does, and whoever is to read the queue does not ask at once when it ends.
    LockOfGoneThenAsked {
        owner: Rc<str>,
        until: Millis,
        asker: Rc<str>,
        asks_at: Millis,
    },
    /// Later ones are done, but the smallest unfinished one holds C.
    HeldBack {
        done: Rc<str>,
        by: i64,
    },
    /// The smallest unfinished one still runs.
    Smallest {
        offset: i64,
        process: Rc<str>,
    },
    /// In order: it is tried again where it is, and all behind it wait.
    SmallestInOrder {
        label: Rc<str>,
        nth: u32,
    },
    AllDone {
        offset: i64,
    },
    NoCommit,
    NobodyReads,
    /// Nor will anybody: two members share a client id, and take one share twice.
    NamesakesLeaveIt {
        one: Rc<str>,
        other: Rc<str>,
        client: Rc<str>,
    },
    WaitsThenGoes {
        label: Rc<str>,
        level: u32,
        topic: Rc<str>,
    },
    /// At a level of a broker that does not run.
    WaitsForMaster {
        label: Rc<str>,
        level: u32,
        broker: Rc<str>,
    },
    IsDead {
        label: Rc<str>,
        topic: Rc<str>,
    },
    IsRunning {
        label: Rc<str>,
        process: Rc<str>,
        nth: u32,
    },
    IsNow {
        label: Rc<str>,
        state: StateWord,
    },
}
