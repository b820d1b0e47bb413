//! The phone's stage: the same machines as on the wide one, one under the other. Calls, ribbons and
//! lines have no room beside them: what crosses from one to another is seen in its beat.

use super::brush::cut;
use super::card;
use super::pen::Pen;
use super::{broker, consumer, producer, rebalance, ribbon};
use crate::model::offset::QueueOffset;
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect, text_width};
use crate::scene::mark::{MarkId, TokenId};
use crate::scene::scene::Producer;
use crate::text::stage::{ProcessWord, StageText, StageWord};

/// From a room's heading down to the room.
const ABOVE: f64 = 7.0;

pub fn all(pen: &mut Pen<'_>) {
    headings(pen);
    senders(pen);
    broker::brokers(pen);
    consumer::consumers(pen);
    ribbon::all(pen);
    pen.raise();
    rebalance::all(pen);
}

fn headings(pen: &mut Pen<'_>) {
    let consumers = match &pen.scene.group {
        Some(group) => pen.say(StageText::ConsumersOfGroup { group: group.as_str().into() }),
        None => pen.word(StageWord::Consumers),
    };
    let (broker, wall, column) =
        (pen.plan.broker_column, pen.plan.gutter, pen.plan.consumer_column);
    let network = pen.word(StageWord::Network);
    let base = wall.y + 20.0;
    let mark = Mark::ground()
        .rect(wall, Paint::Panel)
        .words_at(0.0, broker.y - ABOVE, pen.word(StageWord::Broker), Font::LabelBold)
        .words_end(wall.right() - 8.0, base, network, Font::Note)
        .words_at(
            0.0,
            column.y - ABOVE,
            cut(&consumers, Font::LabelBold, column.width),
            Font::LabelBold,
        );
    pen.put(mark);
}

/// The first producer on one line: its name, the card that it sends next, where that goes and when.
fn senders(pen: &mut Pen<'_>) {
    let scene = pen.scene;
    let Some(producer) = scene.producers.first() else { return };
    let area = pen.plan.producers;
    let id = MarkId::Producer(producer.process);
    let ground = if producer.is_up { Paint::Box } else { Paint::Ghost };
    let title = match scene.producers.len() {
        1 => pen.word(StageWord::Producer),
        count => format!("{} ×{count}", pen.word(StageWord::Producer)),
    };
    let name = producer::name(producer, pen);
    let mark = Mark::of(id, name, area).rect(area, ground).words_at(
        area.x + 10.0,
        area.y + 32.0,
        title,
        Font::LabelBold,
    );
    let at = next_card(pen);
    let from = at.right() + 12.0;
    let words = plan_in_words(pen, producer);
    let words = cut(&words, Font::Note, area.right() - 8.0 - from);
    pen.put(mark.words_at(from, area.y + 32.0, words, Font::Note));
    if let Some(next) = producer.next.first().filter(|_| producer.is_up) {
        let own = card::own(at);
        let drawn = Mark::of(MarkId::Producer(producer.process), String::new(), own)
            .placed(point(at.x, at.y))
            .moving(TokenId::NextSend(producer.process))
            .rect(own, Paint::Box);
        pen.put(card::key(drawn, own.width / 2.0, 20.0, &next.label, own.width));
    }
}

fn plan_in_words(pen: &Pen<'_>, producer: &Producer) -> String {
    let Some(next) = producer.next.first().filter(|_| producer.is_up) else {
        return match producer.is_up {
            true => pen.word(StageWord::NothingPlanned),
            false => pen.say(StageText::Process(ProcessWord::Down)),
        };
    };
    let to = next.queue.as_ref().map(|queue| pen.say(StageText::To { queue: queue.clone() }));
    let when = pen.say(StageText::In { left: pen.left(next.at) });
    to.into_iter().chain([when]).collect::<Vec<_>>().join(" · ")
}

/// Where the next message to be sent lies.
pub fn next_card(pen: &Pen<'_>) -> Rect {
    let area = pen.plan.producers;
    let width = card::width(pen, QueueOffset::ZERO);
    let title = text_width(&pen.word(StageWord::Producer), Font::LabelBold);
    rect(area.x + 44.0 + title, area.y + 3.0, width, card::HIGH)
}
