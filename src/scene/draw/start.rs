//! A process that starts: start() step by step.

use super::brush::cut;
use super::consumer::process_word;
use super::ended::state_offset;
use super::pen::Pen;
use crate::scene::at_consumer::Consumer;
use crate::scene::frame::{Glyph, Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect};
use crate::scene::mark::MarkId;
use crate::text::stage::StageText;

/// `DefaultMQPushConsumerImpl.start()` has this many steps (spec 02.2).
pub const STEPS: u8 = 15;
const PITCH: f64 = 25.0;

/// The steps as a list, the current one lit.
pub fn steps(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect, step: u8) {
    let x = area.x + 12.0;
    let label = consumer.label.to_string();
    let state_x = x + state_offset(&label);
    let title = pen.say(StageText::Process(process_word(&consumer.state)));
    let progress = pen.say(StageText::StepOf { step, of: STEPS });
    let heading = Mark::ground()
        .words_at(x, area.y + 24.0, label, Font::Name)
        .words_at(state_x, area.y + 24.0, title, Font::LabelBold)
        .words_end(area.right() - 12.0, area.y + 24.0, progress, Font::Note)
        .line(
            point(area.x + 8.0, area.y + 38.0),
            point(area.right() - 8.0, area.y + 38.0),
            Paint::Hair,
        );
    pen.put(heading);
    let room = (((area.height - 46.0) / PITCH).floor() as u8).clamp(1, STEPS);
    let first = step.saturating_sub(room / 2).clamp(1, STEPS + 1 - room);
    for (place, number) in (first..first + room).enumerate() {
        let y = area.y + 42.0 + PITCH * place as f64;
        one_step(pen, consumer, rect(area.x + 8.0, y, area.width - 16.0, PITCH), number, step);
    }
}

fn one_step(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect, number: u8, now: u8) {
    let words = pen.say(StageText::StartStep { step: number });
    let mut mark = Mark::of(MarkId::Consumer(consumer.process), words.clone(), area);
    let font = if number == now { Font::LabelBold } else { Font::Label };
    if number == now {
        mark = mark.rect(area, Paint::Panel).rect(rect(area.x, area.y, 6.0, PITCH), Paint::Ink);
    }
    let base = area.y + 18.0;
    mark = match number < now {
        true => mark.glyph(Glyph::Done, area.x + 12.0, area.y + 5.0, 14.0),
        false => mark.words_end(area.x + 28.0, base, number.to_string(), Font::Note),
    };
    let words = cut(&words, font, area.width - 42.0);
    pen.put(mark.words_at(area.x + 38.0, base, words, font));
}
