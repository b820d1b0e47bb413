//! A frame as SVG text: what the page draws as nodes, for sheets of frames and for print.
//!
//! Colours and widths are the style sheet's, by class, as on the page; patterns, glyphs and arrow heads
//! are named by the ids that the page gives them.

use std::fmt::Write as _;

use super::card::MessageState;
use super::frame::{Anchor, Dim, Frame, Mark, Paint, Shape, Tip};

/// The whole picture as one `svg` element.
pub fn svg(frame: &Frame) -> String {
    let (width, height) = (frame.width, frame.height);
    let mut out = format!("<svg class=\"stage-svg\" viewBox=\"0 0 {width} {height}\">");
    for mark in &frame.marks {
        let _ = write!(out, "<g transform=\"{}\" class=\"{}\">", transform(mark), classes(mark));
        for one in &mark.shapes {
            shape(&mut out, one);
        }
        out.push_str("</g>");
    }
    out.push_str("</svg>");
    out
}

/// Where a mark stands, and larger by a tenth around its middle while it is lifted.
pub fn transform(mark: &Mark) -> String {
    let (x, y) = (number(mark.at.x), number(mark.at.y));
    if mark.lift <= 0.0 {
        return format!("translate({x} {y})");
    }
    let (scale, middle) = (1.0 + 0.1 * mark.lift, mark.area.middle());
    let (dx, dy) = (number(middle.x * (1.0 - scale)), number(middle.y * (1.0 - scale)));
    format!("translate({x} {y}) translate({dx} {dy}) scale({})", number(scale))
}

/// The classes of a mark's group.
pub fn classes(mark: &Mark) -> &'static str {
    match (mark.dim, mark.id.is_some()) {
        (Dim::Lit, true) => "mark",
        (Dim::Lit, false) => "",
        (Dim::Half, _) => "mark dim-half",
        (Dim::Full, _) => "mark dim",
    }
}

fn shape(out: &mut String, shape: &Shape) {
    let _ = match shape {
        Shape::Rect { area, paint } => write!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"{}/>",
            number(area.x),
            number(area.y),
            number(area.width),
            number(area.height),
            paint.class(),
            pattern(*paint).map(|it| format!(" fill=\"{it}\"")).unwrap_or_default(),
        ),
        Shape::Circle { center, radius, paint } => write!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"/>",
            number(center.x),
            number(center.y),
            number(*radius),
            paint.class(),
        ),
        Shape::Path { d, paint, tip } => write!(
            out,
            "<path d=\"{d}\" class=\"{}\"{}/>",
            paint.class(),
            marker(*tip).map(|it| format!(" marker-end=\"{it}\"")).unwrap_or_default(),
        ),
        Shape::Text { at, words, font, anchor, fit } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " mid",
                Anchor::End => " end",
            };
            let fit = fit.map(|width| {
                format!(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", number(width))
            });
            write!(
                out,
                "<text x=\"{}\" y=\"{}\" class=\"{}{anchor}\"{}>{}</text>",
                number(at.x),
                number(at.y),
                font.class(),
                fit.unwrap_or_default(),
                escaped(words),
            )
        }
        Shape::Glyph { glyph, at, size } => write!(
            out,
            "<use href=\"#{}\" x=\"{}\" y=\"{}\" width=\"{size}\" height=\"{size}\"/>",
            glyph.id(),
            number(at.x),
            number(at.y),
        ),
    };
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A pattern's fill is an attribute: a style sheet of another address could not name it.
pub const fn pattern(paint: Paint) -> Option<&'static str> {
    let Paint::State(state) = paint else {
        return match paint {
            Paint::Hatch => Some("url(#p-hatch)"),
            _ => None,
        };
    };
    match state {
        MessageState::Waiting => Some("url(#p-dots)"),
        MessageState::Running => Some("url(#p-diag)"),
        MessageState::Failed => Some("url(#p-cross)"),
        MessageState::SentBack => Some("url(#p-lines)"),
        MessageState::Delayed => Some("url(#p-tick)"),
        MessageState::Stored
        | MessageState::Done
        | MessageState::LocalRetry
        | MessageState::Dead
        | MessageState::Lost => None,
    }
}

/// The id of the arrow head in which a line ends.
pub const fn marker(tip: Tip) -> Option<&'static str> {
    match tip {
        Tip::None => None,
        Tip::Solid => Some("url(#tip)"),
        Tip::Open => Some("url(#tip-open)"),
    }
}

/// At most two decimals.
pub fn number(value: f64) -> String {
    let hundredths = (value * 100.0).round() / 100.0;
    format!("{hundredths}")
}
