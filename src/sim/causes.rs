//! Causes: the earlier events without which one would not have come (UX 1).

use serde::Serialize;

use super::event::EventSequence;

/// How several causes bring about their effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
enum Join {
    /// Each is needed; the latest is the one that made it happen when it happened.
    #[default]
    All,
    /// Each is needed; the first in the list decided, though others are later: a timer looks in any case,
    /// and what has waited for it only says what it finds.
    Led,
    /// Each would have been enough, and none of the others is needed.
    Any,
}

/// Up to four earlier events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Causes {
    count: u8,
    join: Join,
    sequences: [EventSequence; 4],
}

impl Causes {
    pub const NONE: Causes = Causes { count: 0, join: Join::All, sequences: [0; 4] };

    pub fn of(sequence: EventSequence) -> Causes {
        let mut causes = Causes::NONE;
        causes.add(sequence);
        causes
    }

    /// Adds one; a fifth is left out, a known one is not repeated.
    pub fn add(&mut self, sequence: EventSequence) {
        if (self.count as usize) < self.sequences.len() && !self.as_slice().contains(&sequence) {
            self.sequences[self.count as usize] = sequence;
            self.count += 1;
        }
    }

    /// These and those, all of them needed.
    pub fn with(mut self, other: Causes) -> Causes {
        for &sequence in other.as_slice() {
            self.add(sequence);
        }
        self.join = Join::All;
        self
    }

    /// These or those: either would have done.
    pub fn or(mut self, other: Causes) -> Causes {
        if self == Causes::NONE || self == other {
            return other;
        }
        if other != Causes::NONE {
            self = self.with(other);
            self.join = Join::Any;
        }
        self
    }

    /// These decided; those were needed as well.
    pub fn leading(self, other: Causes) -> Causes {
        let mut causes = self.with(other);
        causes.join = Join::Led;
        causes
    }

    pub fn as_slice(&self) -> &[EventSequence] {
        &self.sequences[..self.count as usize]
    }

    /// Whether each of them would have been enough.
    pub fn is_any(&self) -> bool {
        self.join == Join::Any && self.count > 1
    }

    /// The one that made it happen when it happened; of several that were enough, the first.
    pub fn main(&self) -> Option<EventSequence> {
        match self.join {
            Join::All => self.as_slice().iter().max().copied(),
            Join::Led => self.as_slice().first().copied(),
            Join::Any => self.as_slice().iter().min().copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_that_are_needed_the_latest_is_the_main_one_unless_another_leads() {
        let (early, late) = (Causes::of(3), Causes::of(8));
        assert_eq!(late.with(early).main(), Some(8));
        assert_eq!(early.leading(late).main(), Some(3));
        assert_eq!(early.leading(late).with(Causes::of(9)).main(), Some(9));
        assert!(!early.with(late).is_any());
    }

    #[test]
    fn of_several_that_are_enough_the_first_is_the_main_one() {
        let either = Causes::of(8).or(Causes::of(3));
        assert!(either.is_any());
        assert_eq!((either.main(), either.as_slice()), (Some(3), [8, 3].as_slice()));
        assert!(!either.with(Causes::of(9)).is_any());
        let one = Causes::of(3).or(Causes::of(3));
        assert_eq!((one, one.is_any()), (Causes::of(3), false));
        assert_eq!(Causes::NONE.or(Causes::of(3)), Causes::of(3));
        assert_eq!(Causes::of(3).or(Causes::NONE), Causes::of(3));
    }

    #[test]
    fn four_are_kept() {
        let five = (0..5).map(Causes::of).fold(Causes::NONE, Causes::with);
        assert_eq!(five.as_slice(), [0, 1, 2, 3]);
    }
}
