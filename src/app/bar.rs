//! The scrub bar's signs: as many as can be told apart, the weightiest first.

use super::shown::{FoldBar, Marker, ScrubShown};
use crate::model::order;
use crate::scene::film::Film;
use crate::scene::scrub::ScrubSign;

/// Between the middles of two signs, px.
const SIGN_PX: f64 = 20.0;
/// Chevrons are wider.
const FOLD_PX: f64 = 44.0;

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

/// Makes the signs for a bar so many px wide; `stars` are the marks of the walkthrough, `breaks` the story
/// times of broken checks, and `is_own` says which commands are the visitor's.
pub fn scrub(
    film: &Film,
    (stars, breaks): (&[f64], &[f64]),
    width_px: f64,
    is_own: impl Fn(u32) -> bool,
) -> ScrubShown {
    let end_ms = film.end();
    let (sign_ms, fold_ms) = (SIGN_PX / width_px * end_ms, FOLD_PX / width_px * end_ms);
    let star = |at_ms: &f64| Marker { at_ms: *at_ms, sign: ScrubSign::Star };
    let mut markers: Vec<Marker> = stars.iter().map(star).collect();
    let broken = |at_ms: &f64| Marker { at_ms: *at_ms, sign: ScrubSign::Broken };
    markers.extend(breaks.iter().map(broken));
    for sign in WEIGHT {
        for mark in film.marks().iter().filter(|mark| mark.sign == sign) {
            if sign == ScrubSign::Act && !is_own(mark.event) {
                continue;
            }
            let is_near = |other: &Marker| (other.at_ms - mark.story).abs() < sign_ms;
            if !markers.iter().any(is_near) {
                markers.push(Marker { at_ms: mark.story, sign });
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
    ScrubShown { end_ms, folds, markers, real_ms: Vec::new() }
}
