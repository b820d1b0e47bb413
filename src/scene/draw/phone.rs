//! The follow view's card of one queue: the strip at the broker, and under it the owner's shelf,
//! each key below its slot (`mock/phone.html`).

use super::brush::cut;
use super::card;
use super::ended::{self, Sign};
use super::pen::Pen;
use super::strip::Strip;
use super::{queue, shelf};
use crate::model::message_queue::MessageQueue;
use crate::scene::at_broker::Queue;
use crate::scene::at_consumer::{Consumer, ProcessState, PullPlace, Shelf};
use crate::scene::card::MessageState;
use crate::scene::follow;
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect, text_width};
use crate::scene::mark::MarkId;
use crate::scene::plan::QueueForm;
use crate::text::stage::{ProcessWord, PullWord, StageText, StageWord};

const WIDTH: f64 = 358.0;
const SLOTS: Rect = rect(46.0, 60.0, 293.0, card::HIGH);
/// Slots are a little wider than on the stage.
const SLOT: f64 = 37.0;
const SHELF_TOP: f64 = 230.0;

/// Nothing is drawn for a queue that is not there.
pub fn one_queue(pen: &mut Pen<'_>, message_queue: &MessageQueue) {
    let scene = pen.scene;
    let Some(queue) = follow::queues(scene).find(|it| it.queue == *message_queue) else { return };
    let wide = card::width(pen, queue.max_offset).max(SLOT);
    let strip = Strip::of(queue, SLOTS, wide);
    let label = queue.label.clone();
    let broker = follow::broker_of(scene, message_queue);
    let title = match broker.filter(|_| scene.brokers.len() > 1) {
        Some(broker) => format!("{}, {label}", broker.label()),
        None => pen.say(StageText::BrokerQueue { queue: label }),
    };
    let title_width = text_width(&title, Font::LabelBold);
    let reader = match &queue.reader {
        Some(process) => pen.say(StageText::ReadBy { process: process.clone() }),
        None => pen.word(StageWord::NoReader),
    };
    let mark = Mark::of(
        MarkId::Queue(queue.queue.clone()),
        queue::name(pen, queue),
        rect(0.0, 62.0, WIDTH, 42.0),
    )
    .words_at(0.0, 18.0, title, Font::LabelBold)
    .words_end(WIDTH, 18.0, reader, Font::Note);
    let mark = match broker.and_then(|broker| broker.ended) {
        Some(ended) => {
            let sign = if ended.is_killed { Sign::Killed } else { Sign::Stopped };
            let word = if ended.is_killed { ProcessWord::Killed } else { ProcessWord::Stopped };
            let word = pen.say(StageText::Process(word));
            ended::sign(mark, sign, point(title_width + 8.0, -1.0), &word, 140.0)
        }
        None => mark,
    };
    queue::strip_and_flags(pen, mark, queue, &strip, QueueForm::Full);
    match follow::reader_of(scene, message_queue) {
        Some((consumer, _)) if consumer.is_gone() => gone(pen, consumer),
        Some((consumer, shelf)) => {
            pull(pen, queue, consumer);
            on_shelf(pen, consumer, shelf, &strip);
        }
        None => {}
    }
}

/// Whoever read it last and is no more: as on the stage, under the strip.
fn gone(pen: &mut Pen<'_>, consumer: &Consumer) {
    let area = rect(1.0, 166.0, WIDTH - 2.0, 134.0);
    match consumer.state {
        ProcessState::Stopped { at } => ended::stopped(pen, consumer, area, at),
        ProcessState::Crashed { at } => ended::crashed(pen, consumer, area, at),
        _ => {}
    }
}

/// Where the queue's pull request is, in words.
fn pull(pen: &mut Pen<'_>, queue: &Queue, consumer: &Consumer) {
    let Some(pull) = consumer.pulls.iter().find(|pull| pull.queue == queue.queue) else { return };
    let (place, left) = match (&pull.place, &queue.held) {
        (PullPlace::InPass, _) => (PullWord::InPass, None),
        (PullPlace::Belt(_), _) => (PullWord::Belt, None),
        (PullPlace::Seat, _) => (PullWord::Seat, None),
        (PullPlace::Postponed { until, .. }, _) => (PullWord::Postponed, Some(*until)),
        (PullPlace::Bench, Some(held)) => (PullWord::Bench, Some(held.until)),
        (PullPlace::Away | PullPlace::Bench, _) => (PullWord::Away, None),
    };
    let left = left.map(|due| pen.left(due));
    let words = pen.say(StageText::PullAt { place, left });
    let id = MarkId::Pull { process: consumer.process, queue: queue.queue.clone() };
    let mark = Mark::of(id, words.clone(), rect(0.0, 164.0, WIDTH, 24.0));
    pen.put(mark.words_at(0.0, 181.0, cut(&words, Font::Note, WIDTH), Font::Note));
}

fn on_shelf(pen: &mut Pen<'_>, consumer: &Consumer, shelf: &Shelf, strip: &Strip) {
    let title = pen.say(StageText::ShelfOf { process: consumer.label.clone() });
    let smallest = shelf.cards.first();
    // Keys stand below their slots as long as the smallest one has a slot.
    let left = match smallest {
        Some(card) if card.offset.0 >= strip.first => strip.x(card.offset),
        _ => strip.slots.x + strip.slot_width,
    };
    let slots = rect(left, SHELF_TOP, SLOTS.right() - left, card::HIGH);
    let mark = Mark::of(
        MarkId::Shelf { process: consumer.process, process_queue: shelf.process_queue },
        shelf::name(pen, consumer, shelf),
        rect(0.0, 196.0, WIDTH, 84.0),
    )
    .words_at(0.0, 210.0, title.clone(), Font::LabelBold)
    .line(point(left.min(118.0) - 6.0, 277.0), point(SLOTS.right(), 277.0), Paint::Plank);
    let mark = match consumer.state {
        ProcessState::Frozen { .. } => {
            let word = pen.say(StageText::Process(ProcessWord::Frozen));
            let at = point(text_width(&title, Font::LabelBold) + 8.0, 183.0);
            ended::sign(mark, Sign::Frozen, at, &word, 140.0)
        }
        _ => mark,
    };
    let note = match smallest {
        None => pen.word(StageWord::ShelfEmpty),
        Some(_) => pen.word(StageWord::KeyIsOffset),
    };
    let is_clear = left > text_width(&note, Font::Note) + 6.0;
    pen.put(match is_clear {
        true => mark.words_at(0.0, 258.0, note, Font::Note),
        false => mark.words_end(WIDTH, 210.0, note, Font::Note),
    });
    if smallest.is_none() {
        return;
    }
    shelf::pin(pen, consumer, shelf, point(left + strip.slot_width / 2.0, 220.0), WIDTH);
    let shown = shelf::row(pen, consumer, shelf, slots, strip.slot_width);
    elapsed(pen, consumer, shelf, &shown, is_clear);
}

/// Seconds that each running message has run for, under its slot.
fn elapsed(
    pen: &mut Pen<'_>,
    consumer: &Consumer,
    shelf: &Shelf,
    shown: &[(usize, Rect)],
    with_words: bool,
) {
    let mut mark = Mark::ground();
    let mut any = false;
    for (place, at) in shown {
        let card = &shelf.cards[*place];
        if card.state != MessageState::Running {
            continue;
        }
        let seats = consumer.workers.seats.iter();
        let seat = seats
            .filter(|seat| seat.card.as_ref().is_some_and(|seated| seated.copy == card.copy))
            .map(|seat| seat.since)
            .next();
        if let Some(since) = seat {
            let words = crate::text::format::tenths(pen.since(since));
            mark = mark.words_mid(at.middle().x, 298.0, words, Font::Note);
            any = true;
        }
    }
    if any && with_words {
        mark = mark.words_at(0.0, 298.0, pen.word(StageWord::SecondsRun), Font::Note);
    }
    pen.put(mark);
}
