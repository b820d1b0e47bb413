//! Virtual time, the model's only clock.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub};

use serde::{Deserialize, Serialize};

/// A moment (since the start of the run) or a span of virtual time, in whole milliseconds.
///
/// The model has no finer unit and no floats: spec 00.3 makes one integer clock of everything.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Millis(pub u64);

impl Millis {
    pub const ZERO: Millis = Millis(0);
    pub const MAX: Millis = Millis(u64::MAX);

    pub const fn new(ms: u64) -> Millis {
        Millis(ms)
    }

    pub const fn from_seconds(seconds: u64) -> Millis {
        Millis(seconds * 1_000)
    }

    pub const fn from_minutes(minutes: u64) -> Millis {
        Millis(minutes * 60_000)
    }

    pub const fn ms(self) -> u64 {
        self.0
    }

    /// The span from `earlier` to `self`, zero if `earlier` is later.
    pub const fn since(self, earlier: Millis) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Millis {
    type Output = Millis;
    fn add(self, other: Millis) -> Millis {
        Millis(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Millis {
    fn add_assign(&mut self, other: Millis) {
        *self = *self + other;
    }
}

impl Sub for Millis {
    type Output = Millis;
    /// Saturates at zero; use it only where the order is known.
    fn sub(self, other: Millis) -> Millis {
        self.since(other)
    }
}

impl Mul<u64> for Millis {
    type Output = Millis;
    fn mul(self, factor: u64) -> Millis {
        Millis(self.0.saturating_mul(factor))
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}
