//! Where the network is cut: a jagged tear through the strip, with the names of both sides.

use super::brush::{N, cut};
use super::pen::Pen;
use super::{calls, spot};
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, rect, text_width};
use crate::scene::scene::{Cut, Party};
use crate::text::stage::StageWord;

/// Half the width of a tear.
const HALF: f64 = 7.0;
/// One tooth, down.
const TOOTH: f64 = 13.0;

pub fn cuts(pen: &mut Pen<'_>) {
    for cut in pen.scene.cuts.clone() {
        if let Some(area) = area(pen, &cut) {
            tear(pen, area);
            if area.width > 40.0 {
                plate(pen, &cut, area);
            }
        }
    }
}

/// The stretch of the network that is torn: beside the consumer, beside the producer, or at the name
/// server's sign.
fn area(pen: &Pen<'_>, cut: &Cut) -> Option<Rect> {
    let gutter = pen.plan.gutter;
    let consumer = [cut.a, cut.b].into_iter().find_map(|party| match party {
        Party::Consumer(process) => pen.plan.consumer(process),
        _ => None,
    });
    let meets = |is_it: fn(&Party) -> bool| is_it(&cut.a) || is_it(&cut.b);
    if meets(|party| matches!(party, Party::NameServer(_))) {
        let right = pen.plan.broker_column.right();
        let x = if consumer.is_some() { right - 8.0 } else { right - 176.0 };
        return Some(rect(x, 2.0, 14.0, 32.0));
    }
    match consumer {
        Some(plan) => Some(rect(gutter.x, plan.area.y, gutter.width, plan.area.height)),
        None if meets(|party| matches!(party, Party::Producer(_))) => {
            Some(rect(84.0, pen.plan.producers.y, 16.0, 96.0))
        }
        None => None,
    }
}

fn tear(pen: &mut Pen<'_>, area: Rect) {
    let teeth = ((area.height / TOOTH / 2.0).floor()).max(1.0) as usize;
    let (x, step) = (area.middle().x, area.height / (2 * teeth) as f64);
    let side = |dx: f64| {
        let mut d = format!("M{} {}", N(x + dx), N(area.y));
        for _ in 0..teeth {
            d.push_str(&format!("l-5 {s}l5 {s}", s = N(step)));
        }
        d
    };
    let ground = format!(
        "{}H{}{}z",
        side(-HALF),
        N(x + HALF),
        format!("l-5 -{s}l5 -{s}", s = N(step)).repeat(teeth)
    );
    let mark = Mark::ground()
        .path(ground, Paint::Paper)
        .path(side(-HALF), Paint::Heavy)
        .path(side(HALF), Paint::Heavy);
    pen.put(mark);
}

/// Who is cut off from whom; with an arrow where it is one way only.
fn plate(pen: &mut Pen<'_>, of: &Cut, area: Rect) {
    let (a, b) = (spot::party_label(pen, of.a), spot::party_label(pen, of.b));
    let arrow = if of.is_one_way { "→" } else { "↔" };
    let both = format!("{a} {arrow} {b}");
    let words = match text_width(&both, Font::Note) <= calls::PLATE_WIDTH - 8.0 {
        true => both,
        // The broker is known by its place; whose link it is, is not.
        false => match (of.a, of.is_one_way) {
            (Party::Consumer(_), true) => format!("{a} →"),
            (Party::Consumer(_), false) => a.to_string(),
            (_, true) => format!("→ {b}"),
            (_, false) => b.to_string(),
        },
    };
    let at = rect(
        area.middle().x - calls::PLATE_WIDTH / 2.0,
        area.middle().y - calls::PLATE_HEIGHT / 2.0,
        calls::PLATE_WIDTH,
        calls::PLATE_HEIGHT,
    );
    let title = format!("✕ {}", pen.word(StageWord::CutHere));
    let mark = Mark::ground()
        .rect(at, Paint::Box)
        .words_mid(at.middle().x, at.y + 18.0, title, Font::LabelBold)
        .words_mid(
            at.middle().x,
            at.y + 36.0,
            cut(&words, Font::Note, calls::PLATE_WIDTH - 6.0),
            Font::Note,
        );
    pen.put(mark);
}
