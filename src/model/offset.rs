//! The two kinds of position, which must never be mixed up.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place in one consume queue: 0-based, dense (spec 00.2).
///
/// Signed, because RocketMQ's -1 ("no offset") travels in requests: `commitOffset` of a pull is -1
/// when the client has no offset in memory (spec 03.3).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct QueueOffset(pub i64);

impl QueueOffset {
    pub const ZERO: QueueOffset = QueueOffset(0);
    /// "There is none": `READ_FROM_MEMORY` without an entry, `QUERY_NOT_FOUND`.
    pub const NONE: QueueOffset = QueueOffset(-1);

    pub const fn next(self) -> QueueOffset {
        QueueOffset(self.0 + 1)
    }

    pub const fn plus(self, count: i64) -> QueueOffset {
        QueueOffset(self.0 + count)
    }
}

impl fmt::Display for QueueOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A byte position in one broker's commit log.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct PhysicalOffset(pub u64);

impl fmt::Display for PhysicalOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
