//! Where a token is between two places.
//!
//! A frame is a pure function of the scenes of the last moments and the story time: a token whose
//! place changed at some story time is drawn on the way, eased, for 250 to 700 ms by the length of
//! the way (`mock/TOKENS.md`, section 6). Nothing is remembered from frame to frame, so playing,
//! stepping and starting at a moment draw the same.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::draw;
use super::frame::{Frame, Mark};
use super::geometry::Point;
use super::layout::Layout;
use super::mark::TokenId;
use super::scene::Scene;
use crate::model::ids::UniqueKey;

/// The longest hop, story ms: how far back `frame` needs to be told.
pub const LONGEST_HOP_MS: f64 = 700.0;

/// A scene, and the story time from which it is in force.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    pub story_ms: f64,
    pub scene: &'a Scene,
}

/// The frame at story time `at_ms`, when virtual time stands at `now_ms` (a fraction of a
/// millisecond is allowed between events).
///
/// `moments` are oldest first; the last is in force, and those of the last `LONGEST_HOP_MS` and one
/// before them are wanted. Scenes told at the same story time but the last one may be left out.
pub fn frame(moments: &[Moment<'_>], at_ms: f64, now_ms: f64, layout: &Layout) -> Frame {
    let Some((last, earlier)) = moments.split_last() else { return Frame::default() };
    let earlier: Vec<(f64, Rc<Places>)> = earlier
        .iter()
        .map(|moment| (moment.story_ms, Rc::new(Places::in_scene(moment.scene, now_ms, layout))))
        .collect();
    frame_after(&earlier, *last, at_ms, now_ms, layout)
}

/// The same, where the places of the earlier moments are known already: each is the story time from
/// which its scene was in force, and where its tokens were when the next one came.
pub fn frame_after(
    earlier: &[(f64, Rc<Places>)],
    last: Moment<'_>,
    at_ms: f64,
    now_ms: f64,
    layout: &Layout,
) -> Frame {
    if layout.is_still || earlier.is_empty() {
        return draw::frame(last.scene, now_ms, layout);
    }
    let mut frame = draw::frame_with_leaving(last.scene, now_ms, layout);
    let mut later = last.story_ms;
    let mut after = &Places::of(&frame);
    let mut ways: BTreeMap<TokenId, Way> = BTreeMap::new();
    for (story_ms, before) in earlier.iter().rev() {
        if at_ms - later >= LONGEST_HOP_MS {
            break;
        }
        for mark in &frame.marks {
            note_way(&mut ways, mark, after, before, later);
        }
        after = before;
        later = *story_ms;
    }
    frame.marks.retain_mut(|mark| {
        let way = mark.token.as_ref().and_then(|token| ways.get(token));
        let part =
            way.map(|way| eased((at_ms - way.since_ms) / hop_ms(way.from.distance(mark.at))));
        match (way, part) {
            (Some(way), Some(part)) if part < 1.0 => {
                let at = way.from.toward(mark.at, part);
                Rc::make_mut(mark).at = at;
                true
            }
            _ => !mark.leaves,
        }
    });
    frame
}

struct Way {
    from: Point,
    since_ms: f64,
}

/// Where the tokens of one frame are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    of_tokens: BTreeMap<TokenId, Point>,
    of_messages: Vec<(UniqueKey, TokenId, Point)>,
}

impl Places {
    /// Where they are in a scene at virtual time `now_ms`.
    pub fn in_scene(scene: &Scene, now_ms: f64, layout: &Layout) -> Places {
        Places::of(&draw::frame_with_leaving(scene, now_ms, layout))
    }

    fn of(frame: &Frame) -> Places {
        let tokens = || frame.marks.iter().filter_map(|mark| Some((mark, mark.token.clone()?)));
        Places {
            of_tokens: tokens().map(|(mark, token)| (token, mark.at)).collect(),
            of_messages: tokens()
                .filter_map(|(mark, token)| Some((mark.kin?, token, mark.at)))
                .collect(),
        }
    }

    /// Where this message was under a token that is no more in `after`.
    fn vanished(&self, message: UniqueKey, after: &Places) -> Option<Point> {
        let mut all = self.of_messages.iter();
        all.find(|(kin, token, _)| *kin == message && !after.of_tokens.contains_key(token))
            .map(|(_, _, at)| *at)
    }
}

/// Keeps the latest change of a mark's place, `later` being when it came about.
fn note_way(
    ways: &mut BTreeMap<TokenId, Way>,
    mark: &Mark,
    after: &Places,
    before: &Places,
    later: f64,
) {
    let Some(token) = &mark.token else { return };
    // What the wire carries is placed by virtual time, not by story time.
    if matches!(token, TokenId::Call(_)) || ways.contains_key(token) {
        return;
    }
    let Some(&to) = after.of_tokens.get(token) else { return };
    let origin = || mark.comes_from.as_ref().and_then(|origin| before.of_tokens.get(origin));
    let from = match before.of_tokens.get(token) {
        Some(&from) => Some(from),
        None => {
            let kin = || before.vanished(mark.kin?, after);
            let neighbour = || before.of_tokens.get(mark.slides_from.as_ref()?).copied();
            origin().copied().or_else(kin).or_else(neighbour).or(mark.enters_from)
        }
    };
    if let Some(from) = from.filter(|from| from.distance(to) > 0.5) {
        ways.insert(token.clone(), Way { from, since_ms: later });
    }
}

/// How long a hop of `distance` units takes, story ms.
fn hop_ms(distance: f64) -> f64 {
    (250.0 + 0.5 * distance).min(LONGEST_HOP_MS)
}

/// `cubic-bezier(.3,0,.2,1)`, near enough: slow start, slower end.
fn eased(part: f64) -> f64 {
    let part = part.clamp(0.0, 1.0);
    if part < 0.4 { 2.5 * part * part } else { 1.0 - (1.0 - part).powi(3) / 0.36 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hop_starts_and_ends_where_it_should_and_never_turns_back() {
        assert_eq!(eased(0.0), 0.0);
        assert_eq!(eased(1.0), 1.0);
        let steps: Vec<f64> = (0..=100).map(|n| eased(f64::from(n) / 100.0)).collect();
        assert!(steps.windows(2).all(|pair| pair[0] <= pair[1]), "{steps:?}");
    }
}
