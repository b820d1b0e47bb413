//! A fold while it plays: what waits keeps its light, and nothing else does.

use super::Film;
use crate::scene::beat::lit::dim_all_but;
use crate::scene::beat::stage::FADE_MS;
use crate::scene::fold::Awaited;
use crate::scene::frame::{Dim, Frame};
use crate::scene::timeline::StoryMs;

impl Film {
    /// Dims all but what the beat after the fold is about: that is what waits. Outside of a fold, and where
    /// nothing is waited for, the frame stays as it is.
    pub fn light_what_waits(&self, frame: &mut Frame, story: StoryMs) {
        let fold = self.timeline.fold_at(story);
        let Some(fold) = fold.filter(|fold| fold.wait.awaited != Awaited::Nothing) else { return };
        let beats = self.timeline.beats();
        let next = beats.partition_point(|beat| beat.starts_ms < fold.story_to);
        let Some(beat) = beats.get(next).filter(|beat| !beat.is_passing) else { return };
        let edge = (story - fold.story_from).min(fold.story_to - story);
        match edge {
            edge if edge <= 0.0 => {}
            edge if edge < FADE_MS => dim_all_but(frame, beat, Dim::Half),
            _ => dim_all_but(frame, beat, Dim::Full),
        }
    }
}
