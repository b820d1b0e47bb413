//! The moments at which a polling service looks: `first + k * period`.
//!
//! Polling services are not polled: each puts only that look on the agenda that would find something.

use crate::model::time::Millis;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PollGrid {
    pub first: Millis,
    pub period: Millis,
}

impl PollGrid {
    pub fn new(first: Millis, period: Millis) -> PollGrid {
        assert!(period > Millis::ZERO, "a service that looks all the time never waits");
        PollGrid { first, period }
    }

    /// The first look at or after `moment`.
    pub fn at_or_after(self, moment: Millis) -> Millis {
        let since = moment.since(self.first).ms();
        self.first + self.period * since.div_ceil(self.period.ms())
    }

    /// The first look later than `moment`. What happens in the very millisecond of a look comes too
    /// late for it: the look was on the agenda before.
    pub fn after(self, moment: Millis) -> Millis {
        if moment < self.first { self.first } else { self.at_or_after(moment + Millis::new(1)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_is_the_first_on_the_grid() {
        let grid = PollGrid::new(Millis::new(1_000), Millis::new(100));
        for (moment, at_or_after, after) in
            [(0, 1_000, 1_000), (1_000, 1_000, 1_100), (1_001, 1_100, 1_100), (1_100, 1_100, 1_200)]
        {
            assert_eq!(grid.at_or_after(Millis::new(moment)), Millis::new(at_or_after), "{moment}");
            assert_eq!(grid.after(Millis::new(moment)), Millis::new(after), "{moment}");
        }
    }
}
