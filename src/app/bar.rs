//! The scrub bar's signs: as many as can be told apart, the weightiest first; and its scale.

use super::shown::{FoldBar, Marker, ScrubShown, Tick};
use crate::model::order;
use crate::model::time::Millis;
use crate::scene::film::Film;
use crate::scene::scrub::ScrubSign;
use crate::text::bar::SignWord;

/// Between the middles of two signs, px.
const SIGN_PX: f64 = 20.0;
/// Chevrons are wider.
const FOLD_PX: f64 = 44.0;

/// Between the middles of two figures of the scale, px: `1:02:05` and some air.
const FIGURE_PX: f64 = 62.0;

/// Steps of the scale, seconds, the most telling first. What is told long has room for the small ones.
const STEPS: [u64; 9] = [3_600, 1_800, 600, 300, 60, 30, 10, 5, 1];

/// Multiples of one step, at most: a day of seconds would be looked at one by one.
const MOST_OF_A_STEP: u64 = 720;

/// Signs in the order in which they are given a place.
const WEIGHT: [ScrubSign; 10] = [
    ScrubSign::Act,
    ScrubSign::Fault,
    ScrubSign::Dead,
    ScrubSign::SendBack,
    ScrubSign::Rebalance,
    ScrubSign::Lock,
    ScrubSign::Refused,
    ScrubSign::Failed,
    ScrubSign::DelayOver,
    ScrubSign::Commit,
];

/// Makes the signs for a bar so many px wide, without their times; `stars` are the marks of the walkthrough, `breaks` the story
/// times of broken checks, and `is_own` says which commands are the visitor's.
pub fn scrub(
    film: &Film,
    (stars, breaks): (&[f64], &[f64]),
    width_px: f64,
    is_own: impl Fn(u32) -> bool,
) -> ScrubShown {
    let end_ms = film.end();
    let (sign_ms, fold_ms) = (SIGN_PX / width_px * end_ms, FOLD_PX / width_px * end_ms);
    let marker = |at_ms: f64, sign| Marker { at_ms, at: Millis::ZERO, sign };
    let star = |at_ms: &f64| marker(*at_ms, ScrubSign::Star);
    let mut markers: Vec<Marker> = stars.iter().map(star).collect();
    let broken = |at_ms: &f64| marker(*at_ms, ScrubSign::Broken);
    markers.extend(breaks.iter().map(broken));
    for sign in WEIGHT {
        for mark in film.marks().iter().filter(|mark| mark.sign == sign) {
            if sign == ScrubSign::Act && !is_own(mark.event) {
                continue;
            }
            let is_near = |other: &Marker| (other.at_ms - mark.story).abs() < sign_ms;
            if !markers.iter().any(is_near) {
                markers.push(marker(mark.story, sign));
            }
        }
    }
    order::sort_by(&mut markers, |a, b| a.at_ms.total_cmp(&b.at_ms));
    let mut folds: Vec<FoldBar> = Vec::new();
    for fold in film.folds() {
        let bar = FoldBar { from_ms: fold.story_from, to_ms: fold.story_to };
        let middle = |bar: &FoldBar| (bar.from_ms + bar.to_ms) / 2.0;
        let is_near = |other: &FoldBar| (middle(other) - middle(&bar)).abs() < fold_ms;
        let is_covered =
            |mark: &Marker| (mark.at_ms - middle(&bar)).abs() < (sign_ms + fold_ms) / 2.0;
        if !folds.iter().any(is_near) && !markers.iter().any(is_covered) {
            folds.push(bar);
        }
    }
    ScrubShown { end_ms, folds, markers, ..ScrubShown::default() }
}

/// What a sign stands for, in words.
pub const fn word(sign: ScrubSign) -> SignWord {
    match sign {
        ScrubSign::Fault => SignWord::Fault,
        ScrubSign::Commit => SignWord::Commit,
        ScrubSign::SendBack => SignWord::SendBack,
        ScrubSign::DelayOver => SignWord::DelayOver,
        ScrubSign::Failed => SignWord::Failed,
        ScrubSign::Rebalance => SignWord::Rebalance,
        ScrubSign::Lock => SignWord::Lock,
        ScrubSign::Refused => SignWord::Refused,
        ScrubSign::Dead => SignWord::Dead,
        ScrubSign::Act => SignWord::Act,
        ScrubSign::Star => SignWord::Star,
        ScrubSign::Broken => SignWord::Broken,
    }
}

/// The scale: round times of the model where they lie in the story, as many as can be read. `story_of` is
/// where a time lies on the bar, story ms.
pub fn scale(
    until: Millis,
    end_ms: f64,
    width_px: f64,
    story_of: impl Fn(Millis) -> f64,
) -> Vec<Tick> {
    let gap_ms = FIGURE_PX / width_px * end_ms;
    let mut ticks = vec![Tick { at_ms: 0.0, at: Millis::ZERO }];
    for step in STEPS {
        let count = until.ms() / 1_000 / step;
        if count > MOST_OF_A_STEP {
            continue;
        }
        for at in (1..=count).map(|count| Millis::from_seconds(count * step)) {
            let at_ms = story_of(at);
            let is_near = |tick: &Tick| (tick.at_ms - at_ms).abs() < gap_ms;
            if at_ms + gap_ms / 2.0 <= end_ms && !ticks.iter().any(is_near) {
                ticks.push(Tick { at_ms, at });
            }
        }
    }
    order::sort_by(&mut ticks, |a, b| a.at_ms.total_cmp(&b.at_ms));
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_has_round_times_that_do_not_touch_and_begins_at_zero() {
        // The first ten seconds are told at length, the rest folded.
        let story_of = |at: Millis| match at.ms() {
            ms if ms <= 10_000 => ms as f64,
            ms => 10_000.0 + (ms - 10_000) as f64 / 20.0,
        };
        let end_ms = story_of(Millis::from_seconds(130));
        let ticks = scale(Millis::from_seconds(130), end_ms, 700.0, story_of);
        let times: Vec<u64> = ticks.iter().map(|tick| tick.at.ms() / 1_000).collect();
        assert_eq!(times.first(), Some(&0));
        assert!(times.contains(&60) && times.contains(&5), "{times:?}");
        for pair in ticks.windows(2) {
            assert!((pair[1].at_ms - pair[0].at_ms) * 700.0 / end_ms >= FIGURE_PX - 0.1);
        }
    }
}
