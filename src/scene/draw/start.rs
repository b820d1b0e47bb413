//! A process at the ends of its life: start() step by step, stopped, crashed.

use super::brush::{N, cut};
use super::consumer::{name, process_word};
use super::pen::Pen;
use crate::model::time::Millis;
use crate::scene::at_consumer::Consumer;
use crate::scene::card::MessageState;
use crate::scene::frame::{Glyph, Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect, text_width};
use crate::scene::mark::MarkId;
use crate::text::stage::{StageText, StageWord};

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

/// The door is closed: a solid frame with nothing in it.
pub fn stopped(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect, at: Millis) {
    let x = area.x + 12.0;
    let ago = pen.say(StageText::Ago { span: pen.since(at) });
    let word = pen.say(StageText::Process(process_word(&consumer.state)));
    let mark = Mark::of(MarkId::Consumer(consumer.process), name(pen, consumer), area)
        .rect(area, Paint::PanelBox)
        .words_at(x, area.y + 24.0, consumer.label.to_string(), Font::Name)
        .words_at(x + 36.0, area.y + 24.0, word, Font::LabelBold)
        .words_at(x, area.y + 50.0, ago, Font::Note);
    pen.put(mark);
}

/// Cracked: the contents are outlines of what was lost with it.
pub fn crashed(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect, at: Millis) {
    let (x, crack) = (area.x + 12.0, area.right() - 100.0);
    let zigzag = zigzag(area.height);
    let left = format!("M{} {}H{}{zigzag}H{}z", N(area.x), N(area.y), N(crack), N(area.x));
    let right =
        format!("M{} {}{zigzag}H{}V{}z", N(crack + 16.0), N(area.y), N(area.right()), N(area.y));
    let edges =
        format!("M{} {}{zigzag}M{} {}{zigzag}", N(crack), N(area.y), N(crack + 16.0), N(area.y));
    let word = pen.say(StageText::Process(process_word(&consumer.state)));
    let ago = pen.say(StageText::Ago { span: pen.since(at) });
    let mark = Mark::of(MarkId::Consumer(consumer.process), name(pen, consumer), area)
        .rect(area, Paint::Sheet)
        .path(left, Paint::Ghost)
        .path(right, Paint::Ghost)
        .path(edges, Paint::Heavy)
        .words_at(x, area.y + 24.0, consumer.label.to_string(), Font::Name)
        .words_at(x + state_offset(&consumer.label), area.y + 24.0, word, Font::LabelBold)
        .words_at(x, area.y + area.height - 14.0, ago, Font::Note);
    pen.put(mark);
    contents(pen, consumer, rect(x, area.y + 36.0, crack - 24.0 - x, area.height - 64.0));
}

/// How far right of a name its state stands: a restarted client's name is longer.
fn state_offset(label: &str) -> f64 {
    (text_width(label, Font::Name) + 10.0).max(32.0)
}

fn contents(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    let shelf = consumer.shelves.iter().find(|shelf| shelf.count > 0);
    let Some(shelf) = shelf.filter(|_| area.height >= 50.0) else { return };
    let title = pen.say(StageText::Shelf { queue: shelf.label.clone() });
    let mut mark = Mark::ground().words_at(area.x, area.y + 16.0, title, Font::Note);
    let mut x = area.x;
    for card in shelf.cards.iter().filter(|card| !card.state.leaves_a_hole()) {
        if x + 34.0 > area.right() {
            break;
        }
        mark = mark.rect(rect(x, area.y + 26.0, 32.0, 30.0), Paint::Ghost).words_mid(
            x + 16.0,
            area.y + 47.0,
            card.offset.to_string(),
            Font::Note,
        );
        x += 36.0;
    }
    let running: Vec<String> = shelf
        .cards
        .iter()
        .filter(|card| card.state == MessageState::Running)
        .map(|card| card.offset.to_string())
        .collect();
    if !running.is_empty() && area.height >= 84.0 {
        let labels = match &running[..] {
            [one] => one.clone(),
            [first, second] => format!("{first}, {second}"),
            [first, rest @ ..] => format!("{first} +{}", rest.len()),
            [] => String::new(),
        };
        let half = pen.say(StageText::HalfDone { labels: labels.as_str().into() });
        let half = cut(&half, Font::Note, area.width);
        mark = mark.words_at(area.x, area.y + 78.0, half, Font::Note);
    }
    let lost = pen.word(StageWord::Lost);
    let x = area.x + text_width("Shelf qq", Font::Note) + 10.0;
    if x + text_width(&lost, Font::Note) < area.right() {
        mark = mark.words_end(area.right(), area.y + 16.0, lost, Font::Note);
    }
    pen.put(mark);
}

/// The mock's crack, stretched to the box's height.
fn zigzag(height: f64) -> String {
    let k = height / 176.0;
    [(-10.0, 32.0), (16.0, 22.0), (-18.0, 30.0), (14.0, 28.0), (-12.0, 64.0)]
        .iter()
        .map(|(x, y)| format!("l{} {:.2}", N(*x), y * k))
        .collect()
}
