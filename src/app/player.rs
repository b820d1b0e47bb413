//! Player: playing or not, how fast, and where in story time. Pure arithmetic on elapsed wall time.

use serde::{Deserialize, Serialize};

/// A frame that took longer counts as this much, wall ms: a tab that slept must not jump.
pub const LONGEST_FRAME_MS: f64 = 250.0;

/// One tick of still mode, wall ms: it replaces the frames (UX 15.2).
pub const STILL_TICK_MS: f64 = 500.0;

/// Closer than this to its goal it is there: many small steps add up to a little less.
const SAME_MS: f64 = 0.001;

/// Faster than this nothing can be followed.
const BLUR: f64 = 8.0;

/// Story time that passes in one unit of wall time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Pace {
    Quarter,
    Half,
    #[default]
    One,
    Two,
    Four,
    /// As fast as the machine can tell it and an eye can follow the log.
    Fastest,
}

impl Pace {
    pub const ALL: [Pace; 6] =
        [Pace::Quarter, Pace::Half, Pace::One, Pace::Two, Pace::Four, Pace::Fastest];

    pub const fn factor(self) -> f64 {
        match self {
            Pace::Quarter => 0.25,
            Pace::Half => 0.5,
            Pace::One => 1.0,
            Pace::Two => 2.0,
            Pace::Four => 4.0,
            Pace::Fastest => 40.0,
        }
    }

    /// `¼`, `2`; the fastest has a word instead.
    pub const fn sign(self) -> Option<&'static str> {
        match self {
            Pace::Quarter => Some("¼"),
            Pace::Half => Some("½"),
            Pace::One => Some("1"),
            Pace::Two => Some("2"),
            Pace::Four => Some("4"),
            Pace::Fastest => None,
        }
    }

    pub fn slower(self) -> Pace {
        self.beside(-1)
    }

    pub fn faster(self) -> Pace {
        self.beside(1)
    }

    fn beside(self, by: isize) -> Pace {
        let at = Pace::ALL.iter().position(|pace| *pace == self).unwrap_or(2);
        Pace::ALL[at.saturating_add_signed(by).min(Pace::ALL.len() - 1)]
    }
}

/// What drives the page's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drive {
    #[default]
    Nothing,
    /// Animation frames.
    Frames,
    /// A tick each half second, in still mode.
    Ticks,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Player {
    pub is_playing: bool,
    pub pace: Pace,
    /// The playhead, story ms.
    pub at_ms: f64,
    /// Where to stop: a mark of the walkthrough.
    pub goal_ms: Option<f64>,
    /// On the way there, story time passes at least so many times as fast as wall time ...
    least_factor: f64,
    /// ... up to here.
    hurries_to_ms: f64,
}

impl Player {
    /// Moves the playhead by a frame of `wall_ms`, at most to `known_ms`. Says whether it moved. It
    /// stops there if that is the end for good, and otherwise waits for more.
    pub fn advance(&mut self, wall_ms: f64, known_ms: f64, is_end: bool) -> bool {
        self.advance_by(wall_ms.clamp(0.0, LONGEST_FRAME_MS), known_ms, is_end)
    }

    /// The same for one tick of still mode.
    pub fn tick(&mut self, known_ms: f64, is_end: bool) -> bool {
        self.advance_by(STILL_TICK_MS, known_ms, is_end)
    }

    fn advance_by(&mut self, wall_ms: f64, known_ms: f64, is_end: bool) -> bool {
        if !self.is_playing {
            return false;
        }
        let before = self.at_ms;
        let (limit_ms, factor) = match self.goal_ms {
            Some(_) if self.at_ms < self.hurries_to_ms => {
                (self.hurries_to_ms, self.pace.factor().max(self.least_factor))
            }
            Some(goal_ms) => (goal_ms, self.pace.factor()),
            None => (known_ms, self.pace.factor()),
        };
        self.at_ms = (self.at_ms + wall_ms * factor).min(limit_ms.max(before));
        match self.goal_ms {
            Some(goal_ms) if self.at_ms >= goal_ms - SAME_MS => {
                self.at_ms = goal_ms;
                self.stop();
            }
            Some(_) => {}
            None => self.is_playing = !is_end || self.at_ms < known_ms,
        }
        self.at_ms != before
    }

    /// Plays to a place further on, in `most_ms` of wall time at most, and stops there.
    pub fn go_towards(&mut self, goal_ms: f64, most_ms: f64) {
        self.hurry_to(goal_ms, goal_ms, most_ms);
    }

    /// Plays to a place further on and stops there; up to `told_from_ms` fast-forward, in `most_ms` of wall
    /// time at most, and from there on as ever.
    pub fn hurry_to(&mut self, goal_ms: f64, told_from_ms: f64, most_ms: f64) {
        self.is_playing = true;
        self.goal_ms = Some(goal_ms);
        self.hurries_to_ms = told_from_ms;
        self.least_factor = (told_from_ms - self.at_ms) / most_ms;
    }

    /// Whether it goes so fast that no single thing can be followed.
    pub fn is_a_blur(&self) -> bool {
        let hurries = self.goal_ms.is_some() && self.at_ms < self.hurries_to_ms;
        let factor = self.pace.factor().max(if hurries { self.least_factor } else { 0.0 });
        self.is_playing && factor > BLUR
    }

    pub fn stop(&mut self) {
        self.is_playing = false;
        self.goal_ms = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn playing(pace: Pace) -> Player {
        Player { is_playing: true, pace, ..Player::default() }
    }

    #[test]
    fn on_the_way_to_a_mark_it_hurries_and_stops_there() {
        let mut player = Player::default();
        player.go_towards(1_000.0, 500.0);
        player.advance(100.0, 1e9, true);
        assert_eq!((player.at_ms, player.is_playing), (200.0, true));
        for _ in 0..4 {
            player.advance(100.0, 1e9, true);
        }
        assert_eq!((player.at_ms, player.is_playing, player.goal_ms), (1_000.0, false, None));
    }

    #[test]
    fn a_long_way_is_fast_forwarded_and_its_end_told_as_ever() {
        let mut player = Player::default();
        player.hurry_to(100_000.0, 95_000.0, 1_000.0);
        for _ in 0..10 {
            assert!(player.is_a_blur());
            player.advance(100.0, 1e9, true);
        }
        assert_eq!((player.at_ms, player.is_a_blur()), (95_000.0, false));
        player.advance(100.0, 1e9, true);
        assert_eq!(player.at_ms, 95_100.0);
    }

    #[test]
    fn a_near_mark_is_told_at_the_usual_pace() {
        let mut player = Player::default();
        player.go_towards(1_000.0, 12_000.0);
        player.advance(100.0, 1e9, true);
        assert_eq!(player.at_ms, 100.0);
    }

    #[test]
    fn a_tab_that_slept_does_not_jump() {
        let mut player = playing(Pace::Two);
        assert!(player.advance(60_000.0, 1e9, true));
        assert_eq!(player.at_ms, 500.0);
    }

    #[test]
    fn it_stops_at_the_end_and_says_so() {
        let mut player = playing(Pace::One);
        player.advance(200.0, 150.0, true);
        assert_eq!((player.at_ms, player.is_playing), (150.0, false));
        assert!(!player.advance(200.0, 150.0, true));
    }

    #[test]
    fn it_waits_for_what_is_not_computed_yet() {
        let mut player = playing(Pace::One);
        player.advance(200.0, 150.0, false);
        assert_eq!((player.at_ms, player.is_playing), (150.0, true));
        player.advance(20.0, 1_000.0, false);
        assert_eq!(player.at_ms, 170.0);
    }

    #[test]
    fn paces_have_ends_and_neighbours() {
        assert_eq!(Pace::Quarter.slower(), Pace::Quarter);
        assert_eq!(Pace::One.faster(), Pace::Two);
        assert_eq!(Pace::Fastest.faster(), Pace::Fastest);
    }
}
