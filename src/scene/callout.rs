//! Where a notice about a thing of the stage stands: beside that thing, over as little of what is written as can
//! be, and over no heading.

use super::frame::{Anchor, Frame, Shape};
use super::geometry::{Font, Point, Rect, rect, text_width};
use super::mark::MarkId;

/// Its width, in units of the stage.
pub const WIDTH: f64 = 300.0;
/// The type of its words, and the height of a line.
const FONT: Font = Font::LabelBold;
const LINE: f64 = 22.0;
/// Air on either side of the words, and above and below them together.
const SIDES: f64 = 34.0;
const ENDS: f64 = 16.0;
/// Between the thing and the notice.
const GAP: f64 = 6.0;

/// What it costs to cover a square unit of text: of a heading, of a label, of the thing itself.
const HEADING: f64 = 20.0;
const LABEL: f64 = 1.0;
const THING: f64 = 4.0;
/// What a unit of distance costs.
const FAR: f64 = 2.0;

/// How high the notice is, in units of the stage.
pub fn height(words: &str) -> f64 {
    let lines = (text_width(words, FONT) * 1.06 / (WIDTH - SIDES)).ceil();
    lines.max(1.0) * LINE + ENDS
}

/// The notice's place; nothing if the thing is not drawn.
pub fn place(frame: &Frame, about: &MarkId, words: &str) -> Option<Rect> {
    let mark = frame.mark(about)?;
    let thing = moved(mark.area, mark.at);
    let (written, height) = (written(frame), height(words));
    let (right, bottom) = (thing.x + thing.width, thing.y + thing.height);
    let most = (frame.width - WIDTH, frame.height - height);
    let across = [thing.x, right - WIDTH, (thing.x + right - WIDTH) / 2.0];
    let beside = [right + GAP, thing.x - WIDTH - GAP];
    let mut places = Vec::new();
    for shift in 0..12 {
        let shift = f64::from(shift) * 24.0;
        for x in across {
            places.push((x, bottom + GAP + shift));
            places.push((x, thing.y - height - GAP - shift));
        }
        for x in beside {
            places.push((x, thing.y + shift));
            places.push((x, bottom - height - shift));
        }
    }
    let places = places.into_iter().map(|(x, y)| {
        rect(x.clamp(0.0, most.0.max(0.0)), y.clamp(0.0, most.1.max(0.0)), WIDTH, height)
    });
    let cost = |place: &Rect| {
        let covered: f64 = written.iter().map(|(area, weight)| shared(place, area) * weight).sum();
        covered + shared(place, &thing) * THING + distance(place, &thing) * FAR
    };
    places.min_by(|a, b| cost(a).total_cmp(&cost(b)))
}

/// All that is written on the stage, with what it costs to cover it.
fn written(frame: &Frame) -> Vec<(Rect, f64)> {
    let mut all = Vec::new();
    for mark in &frame.marks {
        for shape in &mark.shapes {
            let Shape::Text { at, words, font, anchor, .. } = shape else { continue };
            let (width, height) = (text_width(words, *font), font.pixels());
            let left = match anchor {
                Anchor::Start => at.x,
                Anchor::Middle => at.x - width / 2.0,
                Anchor::End => at.x - width,
            };
            let area = rect(left, at.y - height * 0.8, width, height);
            let weight = if is_heading(*font) { HEADING } else { LABEL };
            all.push((moved(area, mark.at), weight));
        }
    }
    all
}

/// Names of machines and of the regions inside them.
const fn is_heading(font: Font) -> bool {
    matches!(font, Font::Name | Font::LabelBold | Font::LabelOn)
}

fn moved(area: Rect, by: Point) -> Rect {
    rect(area.x + by.x, area.y + by.y, area.width, area.height)
}

/// The area that two have in common.
fn shared(a: &Rect, b: &Rect) -> f64 {
    let width = (a.x + a.width).min(b.x + b.width) - a.x.max(b.x);
    let height = (a.y + a.height).min(b.y + b.height) - a.y.max(b.y);
    width.max(0.0) * height.max(0.0)
}

/// The gap between two.
fn distance(a: &Rect, b: &Rect) -> f64 {
    let across = (b.x - a.x - a.width).max(a.x - b.x - b.width).max(0.0);
    let down = (b.y - a.y - a.height).max(a.y - b.y - b.height).max(0.0);
    across + down
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::model::ids::BrokerIndex;
    use crate::scene::frame::Mark;

    fn frame(heading_y: f64) -> (Frame, MarkId) {
        let id = MarkId::CommitLog(BrokerIndex(0));
        let thing = Mark {
            id: Some(id.clone()),
            at: Point { x: 300.0, y: 200.0 },
            area: rect(0.0, 0.0, 100.0, 40.0),
            ..Mark::default()
        };
        let heading = Shape::Text {
            at: Point { x: 300.0, y: heading_y },
            words: "Broker broker-a".to_owned(),
            font: Font::Name,
            anchor: Anchor::Start,
            fit: None,
        };
        let heading = Mark { shapes: vec![heading], ..Mark::default() };
        let marks = vec![Rc::new(thing), Rc::new(heading)];
        (Frame { width: 920.0, height: 496.0, marks, subject: None }, id)
    }

    #[test]
    fn a_notice_stands_at_its_thing_and_over_no_heading_whichever_side_that_is_on() {
        for heading_y in [190.0, 262.0, 225.0, 60.0] {
            let (frame, id) = frame(heading_y);
            let place = place(&frame, &id, "q1 has been silent since T+00:45.502").expect("drawn");
            let thing = rect(300.0, 200.0, 100.0, 40.0);
            assert!(distance(&place, &thing) <= 60.0, "{heading_y}: {place:?}");
            let covers = written(&frame).iter().any(|(area, _)| shared(&place, area) > 0.0);
            assert!(!covers, "{heading_y}: {place:?}");
            assert!(place.x >= 0.0 && place.x + place.width <= frame.width, "{place:?}");
        }
    }
}
