//! What all charts share: the paper, its margins and letters, the axis of time and the moment shown.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::ink::{Ink, with_properties};
use super::nice;

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Drawn<'a> =
    Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

const FONT: &str = "inherit";
/// 16 and 18 px on the page: plotters writes a size divided by 1.24.
pub(super) const FIGURE: u32 = 20;
pub(super) const LABEL: u32 = 22;
/// Room for the axis figures and for the labels at the ends, px.
pub(super) const LEFT: i32 = 56;
const RIGHT: i32 = 132;
pub(super) const BOTTOM: i32 = 32;
pub(super) const TOP: i32 = 10;

/// From seconds to pixels.
pub(super) struct TimeAxis {
    pub end: f64,
    step: f64,
    width: f64,
}

impl TimeAxis {
    /// From 0 to a round number behind the moment shown.
    pub fn new(paper_width: u32, now: f64) -> TimeAxis {
        TimeAxis::with_margin(paper_width, now, RIGHT)
    }

    /// With so much room at the right, px.
    pub fn with_margin(paper_width: u32, now: f64, right: i32) -> TimeAxis {
        let width = f64::from(paper_width as i32 - LEFT - right);
        let (end, step) = nice::seconds(now.max(1.0), (width / 90.0).max(2.0) as u32);
        TimeAxis { end, step, width }
    }

    pub fn x(&self, seconds: f64) -> i32 {
        LEFT + (seconds / self.end * self.width).round() as i32
    }
}

/// The SVG text of what is drawn.
pub(super) fn draw(size: (u32, u32), with: impl for<'a> FnOnce(&Area<'a>) -> Drawn<'a>) -> String {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        // Writing into a string does not fail.
        let _ = with(&root);
        let _ = root.present();
    }
    with_properties(svg)
}

pub(super) fn time_axis<'a>(
    area: &Area<'a>,
    axis: &TimeAxis,
    bottom: i32,
    seconds: fn(f64) -> String,
) -> Drawn<'a> {
    let mut at = 0.0;
    while at <= axis.end {
        let x = axis.x(at);
        area.draw(&PathElement::new(vec![(x, bottom), (x, bottom + 4)], Ink::Ink.color()))?;
        let style = text(FIGURE, Ink::Note, Pos::new(HPos::Center, VPos::Top));
        area.draw(&Text::new(seconds(at), (x, bottom + 8), style))?;
        at += axis.step;
    }
    let line = vec![(LEFT, bottom), (axis.x(axis.end), bottom)];
    area.draw(&PathElement::new(line, Ink::Ink.color()))
}

pub(super) fn now_line<'a>(area: &Area<'a>, axis: &TimeAxis, now: f64, bottom: i32) -> Drawn<'a> {
    let x = axis.x(now);
    area.draw(&PathElement::new(vec![(x, TOP - 6), (x, bottom)], Ink::Ink.color()))
}

/// A broken line of level and upright stretches.
pub(super) fn dashes<'a>(area: &Area<'a>, path: &[(i32, i32)], dash: i32, gap: i32) -> Drawn<'a> {
    let ink = Ink::Ink.color().stroke_width(2);
    for pair in path.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let length = (x1 - x0).abs().max((y1 - y0).abs());
        let at = |part: i32| {
            let along = |from: i32, to: i32| from + (to - from).signum() * part.min(length);
            (if x0 == x1 { x0 } else { along(x0, x1) }, if y0 == y1 { y0 } else { along(y0, y1) })
        };
        let mut from = 0;
        while from < length {
            area.draw(&PathElement::new(vec![at(from), at(from + dash)], ink))?;
            from += dash + gap;
        }
    }
    Ok(())
}

pub(super) fn text(size: u32, ink: Ink, pos: Pos) -> TextStyle<'static> {
    let mut style = TextStyle::from((FONT, size).into_font()).pos(pos);
    style.color = ink.color().to_backend_color();
    style
}

/// About how wide words are on the paper in 16 px, px.
pub(super) fn width_of(words: &str) -> i32 {
    words.chars().map(|sign| if sign.is_ascii() { 9 } else { 17 }).sum()
}
