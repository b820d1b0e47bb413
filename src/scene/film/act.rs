//! `Act`: what all frames of one beat share, drawn once.

use std::rc::Rc;

use super::Film;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::scene::beat::Beat;
use crate::scene::beat::stage::Grounds;
use crate::scene::card::Label;
use crate::scene::draw;
use crate::scene::frame::Frame;
use crate::scene::layout::Layout;
use crate::scene::of_world::Gaze;
use crate::scene::scene::Scene;
use crate::scene::timeline::StoryMs;
use crate::sim::event::EventSequence;

/// A beat with what its frames share.
#[derive(Clone, Debug)]
pub(super) struct Act {
    beat: Beat,
    /// The last event before it, and its last.
    events: [EventSequence; 2],
    layout: Layout,
    gaze: Gaze,
    pub scenes: [Rc<Scene>; 2],
    pub frames: [Frame; 2],
    pub names: Vec<Label>,
    pub grounds: Grounds,
}

impl Film {
    /// What all frames of a beat share. While it is told virtual time stands still for everything but
    /// what moves: one idea moves at a time.
    pub(super) fn act_of(
        &mut self,
        recording: &Recording,
        beat: &Beat,
        story: StoryMs,
        layout: &Layout,
        gaze: &Gaze,
    ) -> Act {
        // A still picture stands until the next beat, and meanwhile shows what happens in the background.
        let now = self.timeline.event_at(story);
        let last = if layout.is_still { beat.last.max(now) } else { beat.last };
        let events = [beat.first.saturating_sub(1), last];
        let is_it = |act: &Act| {
            act.beat == *beat && act.events == events && act.layout == *layout && act.gaze == *gaze
        };
        if let Some(act) = self.act.take().filter(is_it) {
            return act;
        }
        let seen_at = [beat.starts_ms, beat.lands_ms.max(beat.starts_ms)];
        let scenes = [0, 1].map(|at| {
            let fresh_from = self.fresh_from(recording, seen_at[at]);
            self.shot(recording, events[at], fresh_from, gaze)
        });
        let told = |at: Millis| at.ms() as f64;
        let frames = [
            draw::frame(&scenes[0], told(beat.begins_at), layout),
            draw::frame_with_leaving(&scenes[1], told(beat.at), layout),
        ];
        let past = self.journal.as_of(EventSequence::MAX);
        let about = beat.message.iter().filter(|_| beat.carries.is_empty());
        let names = about.chain(&beat.carries).filter_map(|key| past.label_of(*key)).collect();
        let (layout, gaze, beat) = (layout.clone(), gaze.clone(), beat.clone());
        Act { beat, events, layout, gaze, scenes, frames, names, grounds: Grounds::default() }
    }
}
