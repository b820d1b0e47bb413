//! Producers, and under them the key: what the signs of the stage mean.

use super::brush::{cut, glyph_of};
use super::card;
use super::pen::{Pen, state_word};
use super::rooms;
use crate::model::offset::QueueOffset;
use crate::scene::card::MessageState;
use crate::scene::frame::{Glyph, Mark, Paint, Tip};
use crate::scene::geometry::{Font, Rect, point, rect, text_width};
use crate::scene::layout::System;
use crate::scene::mark::{MarkId, TokenId};
use crate::scene::scene::Producer;
use crate::text::stage::{ProcessWord, StageText, StageWord};

pub fn producers(pen: &mut Pen<'_>) {
    let scene = pen.scene;
    for (place, producer) in scene.producers.iter().take(2).enumerate() {
        match place {
            0 => box_of(pen, producer),
            _ => strip_of(pen, producer),
        }
    }
}

pub fn name(producer: &Producer, pen: &Pen<'_>) -> String {
    format!("{} {}", pen.word(StageWord::Producer), producer.label)
}

fn box_of(pen: &mut Pen<'_>, producer: &Producer) {
    let area = rect(8.0, 36.0, 76.0, 96.0);
    let id = MarkId::Producer(producer.process);
    let ground = if producer.is_up { Paint::Box } else { Paint::Ghost };
    let mut mark = Mark::of(id.clone(), name(producer, pen), area).rect(area, ground);
    let next = producer.next.first().filter(|_| producer.is_up);
    if let Some(next) = next {
        let to = match &next.queue {
            Some(queue) => pen.say(StageText::To { queue: queue.clone() }),
            None => String::new(),
        };
        let when = pen.say(StageText::In { left: pen.left(next.at) });
        mark = mark
            .words_at(16.0, 106.0, cut(&to, Font::Note, 66.0), Font::Note)
            .words_at(16.0, 124.0, cut(&when, Font::Note, 66.0), Font::Note)
            .arrow("M74 66H97", Paint::DashedLine, Tip::Open);
    } else {
        let words = match producer.is_up {
            true => pen.word(StageWord::NothingPlanned),
            false => pen.say(StageText::Process(ProcessWord::Down)),
        };
        mark = mark.words_at(16.0, 115.0, cut(&words, Font::Note, 66.0), Font::Note);
    }
    pen.put(mark);
    if let Some(next) = next {
        let at = next_card(pen);
        let own = card::own(at);
        let (label, middle) = (&next.label, own.width / 2.0);
        let to = match (&next.queue, own.width >= card::WIDE) {
            (Some(queue), true) => pen.say(StageText::To { queue: queue.clone() }),
            (Some(queue), false) => queue.to_string(),
            (None, _) => String::new(),
        };
        let drawn = Mark::of(id, String::new(), own)
            .placed(point(at.x, at.y))
            .moving(TokenId::NextSend(producer.process))
            .rect(own, Paint::Box);
        let drawn = card::key(drawn, middle, 20.0, label, own.width);
        pen.put(match to.is_empty() {
            true => drawn,
            false => drawn.words_fitted(middle, 36.0, &to, Font::Note, own.width - 4.0),
        });
    }
}

/// Where the next message to be sent lies in the first producer's box.
pub fn next_card(pen: &Pen<'_>) -> Rect {
    if pen.layout.system == System::Rooms {
        return rooms::next_card(pen);
    }
    let width = card::width(pen, QueueOffset::ZERO);
    rect(46.0 - width / 2.0, 42.0, width, card::HIGH)
}

fn strip_of(pen: &mut Pen<'_>, producer: &Producer) {
    let area = rect(8.0, 144.0, 76.0, 30.0);
    let more = pen.scene.producers.len() - 2;
    let words = match more {
        0 => producer.label.to_string(),
        more => format!("{} +{more}", producer.label),
    };
    let mark = Mark::of(MarkId::Producer(producer.process), name(producer, pen), area)
        .rect(area, Paint::Box)
        .words_at(16.0, 164.0, cut(&words, Font::Label, 62.0), Font::Label);
    pen.put(mark);
}

/// So wide a state's word may be: the queues' names begin at 110.
const STATE_WIDTH: f64 = 70.0;

/// Marks at 8, words at 37, pitch 29; the flags above with the letters that stand beside them in the
/// picture, the states at the foot.
pub fn key(pen: &mut Pen<'_>) {
    let bottom = pen.layout.system.area().bottom();
    let states_at = bottom - 212.0;
    let flags_at = states_at - 88.0;
    let word = |pen: &Pen<'_>, word: StageWord| pen.word(word);
    let (x, y) = (18.0, flags_at);
    let pull = Mark::ground()
        .path(format!("M10 {y}h16l-8 14z"), Paint::Box)
        .words_at(30.0, y + 14.0, "P", Font::LabelBold)
        .words_at(49.0, y + 14.0, word(pen, StageWord::KeyPulled), Font::Note);
    let committed = Mark::ground()
        .path(format!("M{x} {}l9 15h-18z", y + 29.0), Paint::Ink)
        .words_at(30.0, y + 43.0, "C", Font::LabelBold)
        .words_at(49.0, y + 43.0, word(pen, StageWord::KeySaved), Font::Note);
    let newest = Mark::ground()
        .line(point(x, y + 58.0), point(x, y + 74.0), Paint::End)
        .words_at(30.0, y + 72.0, "M", Font::LabelBold)
        .words_at(49.0, y + 72.0, word(pen, StageWord::KeyNewest), Font::Note);
    pen.put(pull.termed(StageWord::KeyPulled.term()));
    pen.put(committed.termed(StageWord::KeySaved.term()));
    pen.put(newest.termed(StageWord::KeyNewest.term()));
    let shown = [
        MessageState::Stored,
        MessageState::Waiting,
        MessageState::Running,
        MessageState::Done,
        MessageState::Failed,
        MessageState::Delayed,
        MessageState::Dead,
    ];
    for (place, state) in shown.into_iter().enumerate() {
        let y = states_at + 29.0 * place as f64;
        let words = pen.say(StageText::State(state_word(state)));
        let mark = sample(state, y).termed(Some(state_word(state).term()));
        let width = text_width(&words, Font::Note).min(STATE_WIDTH);
        let middle = 37.0 + width / 2.0;
        pen.put(mark.words_fitted(middle, y + 18.0, &words, Font::Note, width));
    }
}

/// One state in small.
fn sample(state: MessageState, y: f64) -> Mark {
    let area = rect(8.0, y, 24.0, 24.0);
    match state {
        MessageState::Stored => Mark::ground().rect(area, Paint::Box),
        MessageState::Done => Mark::ground().rect(area.inset(1.0), Paint::Ghost).glyph(
            Glyph::Done,
            12.0,
            y + 4.0,
            16.0,
        ),
        MessageState::Dead => Mark::ground().glyph(Glyph::Dead, 8.0, y, 24.0),
        state => {
            let mark = Mark::ground().rect(area, Paint::Box).band(area, state, 6.0, 1.0);
            match glyph_of(state) {
                Some(glyph) => mark.glyph(glyph, 13.0, y + 2.0, 14.0),
                None => mark,
            }
        }
    }
}
