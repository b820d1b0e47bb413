//! `ProcessQueue` as a shelf: slots are real offsets, holes stay open, the left-most is pinned.

use super::brush::{N, cut, glyph_of};
use super::pen::{Pen, marker_ground, retry_last};
use super::{lock, strip};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::order;
use crate::scene::at_consumer::{Consumer, Refused, Shelf};
use crate::scene::card::{Card, MessageState};
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Point, Rect, point, rect, text_width};
use crate::scene::mark::{MarkId, TokenId};
use crate::text::Term;
use crate::text::stage::{MarkName, StageText, StageWord};

/// Height of a shelf with its heading and pin above the slots.
pub const TALL: f64 = 92.0;
/// Height of a shelf whose label stands beside it.
pub const SHORT: f64 = 46.0;

/// The shelves' room. Those that hold something come first when not all fit; what is left out is
/// named.
pub fn room(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    let (rows, mut y) = rows(consumer, area);
    for row in &rows {
        match row.is_tall {
            true => in_tall(pen, consumer, row.shelf, row.area),
            false => in_short(pen, consumer, row.shelf, row.area),
        }
    }
    y = y.max(area.y);
    if let Some(first) = consumer.refused.first().filter(|_| y + 30.0 <= area.bottom() + 8.0) {
        refused(pen, consumer, first, rect(area.x, y, area.width, SHORT));
        return;
    }
    if rows.is_empty() {
        let words = pen.word(StageWord::Shelves);
        let none = pen.word(StageWord::ShelfEmpty);
        let mark = Mark::ground()
            .termed(StageWord::Shelves.term())
            .words_at(area.x + 4.0, area.y + 24.0, words, Font::Label)
            .words_end(area.right() - 4.0, area.y + 24.0, none, Font::Note);
        pen.put(mark);
    }
}

/// A shelf and its row in the room.
struct Row<'a> {
    shelf: &'a Shelf,
    area: Rect,
    is_tall: bool,
}

/// The shelves that are drawn, and where the next row would be.
fn rows(consumer: &Consumer, area: Rect) -> (Vec<Row<'_>>, f64) {
    // Three and more stand closer, so that more of them are seen.
    let is_tall = area.height >= TALL && (consumer.shelves.len() < 3 || area.height < 3.0 * SHORT);
    let rows = match is_tall {
        true => 1 + ((area.height - TALL) / SHORT).floor() as usize,
        false => ((area.height + 6.0) / SHORT).floor().max(1.0) as usize,
    };
    // Whoever waits for a lock says so, if need be in place of an empty shelf.
    let kept = usize::from(!consumer.refused.is_empty());
    let shown = choose(consumer, rows.saturating_sub(kept).max(usize::from(rows > 1)));
    let mut y = area.y;
    let mut rows = Vec::new();
    for (place, shelf) in shown.into_iter().enumerate() {
        let is_tall = is_tall && place == 0;
        let height = if is_tall { TALL } else { SHORT };
        // A room with a little more height than its rows gives it to the first.
        let pad = if is_tall { 0.0 } else { (area.bottom() - y - SHORT).clamp(0.0, 4.0) };
        rows.push(Row { shelf, area: rect(area.x, y + pad, area.width, height), is_tall });
        y += height;
    }
    (rows, y)
}

/// Where the slots of a row are.
fn slots_in(area: Rect, is_tall: bool) -> Rect {
    match is_tall {
        true => rect(area.x + 28.0, area.y + 44.0, area.width - 44.0, 34.0),
        false => {
            let left = area.x + 88.0;
            rect(left, area.y + 4.0, area.right() - 8.0 - left, 34.0)
        }
    }
}

/// The slot of an offset on the shelf of its queue; the first row where there is no such shelf.
pub fn slot_of(
    consumer: &Consumer,
    area: Rect,
    queue: &MessageQueue,
    offset: QueueOffset,
) -> Option<Rect> {
    let (rows, _) = rows(consumer, area);
    let row = rows.iter().find(|row| row.shelf.queue == *queue && !row.shelf.is_dropped);
    let Some(row) = row.or(rows.first()) else { return Some(area) };
    let slots = slots_in(row.area, row.is_tall);
    let width = slot_width(row.shelf);
    let first = row.shelf.cards.first().map_or(offset.0, |card| card.offset.0);
    let fit = ((slots.width + 0.5) / width).floor().max(1.0);
    let place = ((offset.0 - first) as f64).clamp(0.0, fit - 1.0);
    Some(rect(slots.x + width * place, slots.y, width, slots.height))
}

/// The tab with the queue's name at the edge of the process.
pub fn tab_of(consumer: &Consumer, area: Rect, queue: &MessageQueue) -> Rect {
    let (rows, next) = rows(consumer, area);
    let y = rows.iter().find(|row| row.shelf.queue == *queue).map_or(next, |row| row.area.y);
    rect(area.x - 8.0, y + 8.0, 40.0, 24.0)
}

/// The padlock at the shelf of a queue.
pub fn belief_of(consumer: &Consumer, area: Rect, queue: &MessageQueue) -> Option<Rect> {
    let (rows, _) = rows(consumer, area);
    let row = rows.iter().find(|row| row.shelf.queue == *queue)?;
    Some(rect(row.area.right() - 50.0, row.area.y + 38.0, 40.0, 40.0))
}

/// A queue that is this process's by its own count, without a shelf: its lock was refused.
fn refused(pen: &mut Pen<'_>, consumer: &Consumer, it: &Refused, area: Rect) {
    let title = pen.say(StageText::Shelf { queue: it.label.clone() });
    let word = format!("✕ {}", pen.word(StageWord::Refused));
    let again =
        consumer.rebalance_at.map(|at| pen.say(StageText::AsksAgainIn { left: pen.left(at) }));
    let more = consumer.refused.len() - 1;
    let word = if more > 0 { format!("{word} (+{more})") } else { word };
    let id = MarkId::Rebalance(consumer.process);
    let name = format!("{title}: {word}, {}", again.clone().unwrap_or_default());
    let dots = format!("M{} {}H{}", N(area.x + 20.0), N(area.y + 43.0), N(area.right() - 8.0));
    let mut mark = Mark::of(id, name, area.inset(2.0))
        .words_at(area.x + 4.0, area.y + 19.0, title, Font::Label)
        .words_end(area.right() - 4.0, area.y + 19.0, word, Font::LabelBold)
        .path(dots, Paint::Next);
    if let Some(again) = again {
        mark = mark.words_at(area.x + 28.0, area.y + 37.0, again, Font::Note);
    }
    pen.put(mark);
}

/// As many as there are rows, in their order; empty retry shelves give way first.
fn choose(consumer: &Consumer, rows: usize) -> Vec<&Shelf> {
    let shelves = retry_last(&consumer.shelves, |shelf| &shelf.queue);
    let mut ranked: Vec<(usize, &Shelf)> = shelves.into_iter().enumerate().collect();
    order::sort_by_key(&mut ranked, |(place, shelf)| (shelf.cards.is_empty(), *place));
    ranked.truncate(rows);
    order::sort_by_key(&mut ranked, |(place, _)| *place);
    ranked.into_iter().map(|(_, shelf)| shelf).collect()
}

pub fn name(pen: &Pen<'_>, consumer: &Consumer, shelf: &Shelf) -> String {
    pen.name(MarkName::Shelf {
        process: consumer.label.clone(),
        queue: shelf.label.clone(),
        count: shelf.count,
        span: shelf.span,
    })
}

fn id(consumer: &Consumer, shelf: &Shelf) -> MarkId {
    MarkId::Shelf { process: consumer.process, process_queue: shelf.process_queue }
}

fn note(pen: &Pen<'_>, shelf: &Shelf) -> String {
    match shelf.is_dropped {
        true => pen.word(StageWord::Dropped),
        false if shelf.cards.is_empty() => pen.word(StageWord::ShelfEmpty),
        // The limit that is nearer; the span has none in order.
        false if shelf.belief.is_some() || is_fuller(shelf) => {
            pen.say(StageText::CountOf { count: shelf.count, limit: shelf.count_limit })
        }
        false => pen.say(StageText::Span { span: shelf.span, limit: shelf.span_limit }),
    }
}

/// Its count is nearer to pullThresholdForQueue than its span to consumeConcurrentlyMaxSpan.
const fn is_fuller(shelf: &Shelf) -> bool {
    shelf.count * shelf.span_limit > shelf.span * shelf.count_limit
}

fn in_tall(pen: &mut Pen<'_>, consumer: &Consumer, shelf: &Shelf, area: Rect) {
    let slots = slots_in(area, true);
    let title = pen.say(StageText::Shelf { queue: shelf.label.clone() });
    let note = note(pen, shelf);
    let room = area.width - 16.0 - text_width(&note, Font::Note);
    let mark = Mark::of(id(consumer, shelf), name(pen, consumer, shelf), area.inset(2.0))
        .words_at(area.x + 4.0, area.y + 22.0, cut(&title, Font::Label, room), Font::Label)
        .words_end(area.right() - 4.0, area.y + 22.0, note, Font::Note)
        .line(
            point(area.x + 20.0, area.y + 80.0),
            point(area.right() - 8.0, area.y + 80.0),
            plank(shelf),
        );
    pen.put(mark);
    let mut slots_area = slots;
    if let Some(belief) = &shelf.belief {
        let at = rect(area.right() - 50.0, area.y + 38.0, 40.0, 40.0);
        let id = MarkId::Belief { process: consumer.process, queue: shelf.queue.clone() };
        lock::belief(pen, id, belief, at);
        slots_area.width -= 50.0;
    }
    if !shelf.cards.is_empty() {
        let at = point(slots.x + slot_width(shelf) / 2.0, area.y + 32.0);
        pin(pen, consumer, shelf, at, area.right());
    }
    row(pen, consumer, shelf, slots_area, slot_width(shelf));
}

/// The pin on the smallest key, with its stem; its words end before `right`.
pub fn pin(pen: &mut Pen<'_>, consumer: &Consumer, shelf: &Shelf, at: Point, right: f64) {
    let words = pen.word(StageWord::SmallestUnfinished);
    let pin = Mark::of(id(consumer, shelf), String::new(), Rect::default())
        .termed(Some(Term::SmallestUnfinished))
        .placed(at)
        .moving(TokenId::Pin(consumer.process, shelf.process_queue))
        .circle(0.0, 0.0, 5.0, Paint::Ink)
        .line(point(0.0, 0.0), point(0.0, 11.0), Paint::Line);
    pen.put(match at.x + 13.0 + text_width(&words, Font::Note) <= right {
        true => pin.words_at(13.0, 6.0, words, Font::Note),
        false => pin.words_end(-13.0, 6.0, words, Font::Note),
    });
}

fn in_short(pen: &mut Pen<'_>, consumer: &Consumer, shelf: &Shelf, area: Rect) {
    let slots = slots_in(area, false);
    let left = slots.x;
    let title = pen.say(StageText::Shelf { queue: shelf.label.clone() });
    // Half a word would say less than the queue's name alone.
    let title = match text_width(&title, Font::Label) <= 82.0 {
        true => title,
        false => cut(&shelf.label, Font::Label, 82.0),
    };
    let mut mark = Mark::of(id(consumer, shelf), name(pen, consumer, shelf), area.inset(2.0))
        .words_at(area.x + 4.0, area.y + 27.0, title, Font::Label)
        .line(
            point(left - 8.0, area.y + 40.0),
            point(area.right() - 8.0, area.y + 40.0),
            plank(shelf),
        );
    if shelf.cards.is_empty() {
        let note = note(pen, shelf);
        mark = mark.words_at(left + 4.0, area.y + 28.0, note, Font::Note);
    }
    pen.put(mark);
    row(pen, consumer, shelf, slots, slot_width(shelf));
    if !shelf.cards.is_empty() {
        let pin = Mark::of(id(consumer, shelf), String::new(), Rect::default())
            .termed(Some(Term::SmallestUnfinished))
            .placed(point(slots.x + slot_width(shelf) / 2.0, slots.y))
            .moving(TokenId::Pin(consumer.process, shelf.process_queue))
            .circle(0.0, 0.0, 4.0, Paint::Ink);
        pen.put(pin);
    }
}

const fn plank(shelf: &Shelf) -> Paint {
    match shelf.is_dropped {
        true => Paint::DashedLine,
        false => Paint::Plank,
    }
}

fn slot_width(shelf: &Shelf) -> f64 {
    strip::slot_width(shelf.cards.last().map_or(QueueOffset::ZERO, |card| card.offset))
}

/// The slots; what does not fit is counted between the first ones and the last. Tells which cards
/// are shown where.
pub fn row(
    pen: &mut Pen<'_>,
    consumer: &Consumer,
    shelf: &Shelf,
    area: Rect,
    width: f64,
) -> Vec<(usize, Rect)> {
    let fit = ((area.width + 0.5) / width).floor().max(1.0) as usize;
    let cards = &shelf.cards;
    let mut shown: Vec<(usize, Rect)> = Vec::new();
    if cards.len() <= fit {
        shown.extend((0..cards.len()).map(|place| (place, slot_area(area, width, place))));
    } else {
        let head = fit.saturating_sub(2).max(1);
        shown.extend((0..head).map(|place| (place, slot_area(area, width, place))));
        if fit > 2 {
            shown.push((cards.len() - 1, slot_area(area, width, head + 1)));
        }
        let at = slot_area(area, width, head);
        let words = format!("+{}", cards.len() - shown.len());
        let base = at.y + at.height / 2.0 + 6.0;
        let more = Mark::of(id(consumer, shelf), String::new(), Rect::default());
        pen.put(more.words_fitted(at.middle().x, base, &words, Font::Note, width));
    }
    for (place, at) in &shown {
        slot(pen, consumer, shelf, &cards[*place], *at);
    }
    shown
}

fn slot_area(area: Rect, width: f64, place: usize) -> Rect {
    rect(area.x + width * place as f64, area.y, width, area.height)
}

fn slot(pen: &mut Pen<'_>, consumer: &Consumer, shelf: &Shelf, card: &Card, at: Rect) {
    let own = rect(0.0, 0.0, at.width, at.height);
    let name = pen.card_name(card, &shelf.label);
    let is_followed = pen.follows(card);
    let plan = pen.plan.consumer(consumer.process);
    let door = plan.map_or(point(at.x, at.y), |plan| point(plan.area.x, plan.area.y + 6.0));
    let mut mark = Mark::of(MarkId::Copy(card.copy.clone()), name, own)
        .placed(point(at.x, at.y))
        .moving(TokenId::Shelved(consumer.process, card.copy.clone()))
        .coming_from(TokenId::Pull(consumer.process, shelf.queue.clone()))
        .of_message(card, door)
        .in_state(card.state)
        .followed(is_followed);
    if card.state.leaves_a_hole() {
        let hole = rect(2.0, 2.0, own.width - 4.0, own.height - 4.0);
        mark = mark.rect(hole, Paint::Ghost);
        if let Some(glyph) = glyph_of(card.state) {
            mark = mark.glyph(glyph, own.width / 2.0 - 8.0, own.height / 2.0 - 8.0, 16.0);
        }
        pen.put(mark);
        return;
    }
    if is_followed {
        mark = marker_ground(mark, own);
    }
    let edge = if card.state == MessageState::LocalRetry { Paint::Dashed } else { Paint::Box };
    mark = match card.failures {
        0 => mark.rect(own, edge),
        failures => mark.path(super::brush::card_outline(own, failures), edge),
    };
    if card.deliveries > 1 {
        mark = again(mark, own);
    }
    if card.state != MessageState::Stored {
        mark = mark.band(own, card.state, 7.0, 1.0);
    }
    let (words, font) = strip::slot_words(card.offset);
    let base = own.height / 2.0 + 4.0;
    pen.put(mark.words_mid(own.width / 2.0, base, words, font));
}

/// The second edge of what is delivered again.
pub fn again(mark: Mark, own: Rect) -> Mark {
    let d = format!(
        "M{x} {y}H{r}V{b}H{x}z",
        x = N(own.x - 4.0),
        y = N(own.y - 4.0),
        r = N(own.right() + 4.0),
        b = N(own.bottom() + 4.0)
    );
    mark.path(d, Paint::Again)
}
