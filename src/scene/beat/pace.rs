//! How long a beat takes: a step inside a machine, a journey across the network, the way to the delay
//! levels. Values in story ms, measured on the mock that the design settled.

use super::BeatKind;
use crate::scene::timeline::StoryMs;

/// Between two beats the picture stands still so long, so that a mark or a pause has a state to stop on.
pub const STAND_MS: StoryMs = 60.0;

/// A passing beat takes so long in all.
pub const PASSING_MS: StoryMs = 160.0;

/// Lift, way and what changes by the arrival.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    pub lift: StoryMs,
    pub way: StoryMs,
    pub settle: StoryMs,
}

impl Pace {
    /// The change comes first and is looked at afterwards: whoever did it looks there already.
    pub fn at_once(self) -> Pace {
        let (lift, way) = (AT_ONCE_MS, 0.0);
        Pace { lift, way, settle: self.settle + self.way + self.lift - lift }
    }
}

/// The effect of what a person does is seen within so long, story ms.
const AT_ONCE_MS: StoryMs = 60.0;

/// The first time and as long as a kind is rare.
const fn whole(kind: BeatKind) -> Pace {
    use BeatKind as K;
    let (lift, way, settle) = match kind {
        K::Send => (120.0, 800.0, 300.0),
        // A line to the pull (300), then the copy.
        K::Wake => (300.0, 450.0, 120.0),
        K::Answer => (120.0, 800.0, 200.0),
        K::Shelve => (80.0, 450.0, 180.0),
        K::Seat => (80.0, 450.0, 120.0),
        K::Done => (60.0, 250.0, 300.0),
        K::Fail => (120.0, 450.0, 200.0),
        K::SendBack => (120.0, 1_200.0, 300.0),
        K::Return => (120.0, 500.0, 250.0),
        K::Bury => (120.0, 1_000.0, 300.0),
        K::Report => (80.0, 700.0, 300.0),
        K::Loop => (80.0, 800.0, 160.0),
        K::PutOff => (80.0, 350.0, 160.0),
        K::Join => (120.0, 800.0, 200.0),
        K::Notice => (120.0, 700.0, 160.0),
        K::Deal => (150.0, 900.0, 350.0),
        K::LetGo | K::Catch => (80.0, 700.0, 200.0),
        K::Grant | K::Refuse => (100.0, 840.0, 260.0),
        K::Unlock => (100.0, 500.0, 260.0),
        K::Belief => (80.0, 300.0, 200.0),
        K::Life => (120.0, 700.0, 300.0),
        K::Step => (0.0, 160.0, 60.0),
        K::Loss => (80.0, 500.0, 300.0),
        K::Change => (80.0, 350.0, 200.0),
    };
    Pace { lift, way, settle }
}

/// What was told `seen` times before takes less; the rarest things never do.
pub fn pace(kind: BeatKind, seen: u32, turns: usize) -> Pace {
    let whole = whole(kind);
    let factor = factor(kind, seen);
    let turns = 1.0 + 0.7 * (turns.max(1) - 1) as f64;
    Pace {
        lift: whole.lift * factor,
        way: whole.way * factor * turns,
        settle: whole.settle * factor,
    }
}

fn factor(kind: BeatKind, seen: u32) -> f64 {
    use BeatKind as K;
    let (after, least) = match kind {
        K::Fail | K::SendBack | K::Return | K::Bury | K::Life | K::Loss | K::Deal => (4, 0.6),
        K::Join | K::Grant | K::Refuse | K::Unlock | K::Belief | K::LetGo | K::Catch => (4, 0.45),
        K::Send | K::Wake | K::Answer | K::Shelve | K::Seat | K::Done | K::Report => (2, 0.35),
        K::Loop | K::PutOff | K::Notice | K::Step | K::Change => (2, 0.35),
    };
    (1.0 / (1.0 + f64::from(seen.saturating_sub(after)) / 4.0)).max(least)
}

/// How often a kind is told in full before it is told in passing; `None`: it always is.
pub const fn routine_after(kind: BeatKind) -> Option<u32> {
    use BeatKind as K;
    match kind {
        K::Loop | K::Step => Some(3),
        K::Report | K::Done => Some(12),
        K::Wake | K::Answer | K::Shelve | K::Seat | K::Send | K::PutOff | K::Notice => Some(18),
        K::Catch | K::LetGo | K::Change | K::Belief => Some(24),
        K::Fail
        | K::SendBack
        | K::Return
        | K::Bury
        | K::Join
        | K::Deal
        | K::Grant
        | K::Refuse
        | K::Unlock
        | K::Life
        | K::Loss => None,
    }
}

/// Slow in, slow out: the one easing of everything that moves.
pub fn eased(part: f64) -> f64 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_starts_and_ends_where_it_should_and_never_turns_back() {
        assert_eq!((eased(0.0), eased(1.0)), (0.0, 1.0));
        let steps: Vec<f64> = (0..=100).map(|n| eased(f64::from(n) / 100.0)).collect();
        assert!(steps.windows(2).all(|pair| pair[0] <= pair[1]), "{steps:?}");
    }

    #[test]
    fn what_is_told_often_takes_less_and_what_is_rare_keeps_its_time() {
        let way = |kind, seen| pace(kind, seen, 1).way;
        assert_eq!(way(BeatKind::Send, 0), 800.0);
        assert!(way(BeatKind::Send, 20) < 300.0);
        assert!(way(BeatKind::SendBack, 20) > 700.0);
    }
}
