//! `ProcessQueue` as a shelf: slots are real offsets, holes stay open, the left-most is pinned.
//!
//! What went to a worker leaves its outline, what is done a tick; the slots stand still while the pin
//! moves over them.

use super::brush::{N, cut, glyph_of};
use super::card::{self, Look};
use super::lock;
use super::pen::{Pen, retry_last};
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

/// Height of a shelf with its heading and pin above the slots, and the offsets under its plank.
pub const TALL: f64 = 108.0;
/// Height of a shelf whose name stands on the tab beside it.
pub const SHORT: f64 = 50.0;
/// The tab with the queue's name, at the edge of the process.
const TAB: f64 = 38.0;
const TAB_HIGH: f64 = 24.0;
/// The room of a padlock at the end.
const BELIEF: f64 = 44.0;

/// The shelves' room. Those that hold something come first when not all fit; what is left out is
/// named.
pub fn room(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    let (rows, y) = rows(consumer, area);
    for row in &rows {
        match row.is_tall {
            true => in_tall(pen, consumer, row),
            false => in_short(pen, consumer, row),
        }
    }
    if let Some(first) = consumer.refused.first().filter(|_| y + 38.0 <= area.bottom() + 8.0) {
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

/// A shelf and its place in the room.
struct Row<'a> {
    shelf: &'a Shelf,
    area: Rect,
    is_tall: bool,
}

impl Row<'_> {
    fn slots(&self) -> Rect {
        let belief = if self.shelf.belief.is_some() { BELIEF } else { 4.0 };
        let top = if self.is_tall { 40.0 } else { 1.0 };
        let width = self.area.width - TAB - belief;
        rect(self.area.x + TAB, self.area.y + top, width, card::HIGH)
    }

    fn tab(&self, is_at_edge: bool) -> Rect {
        let x = if is_at_edge { self.area.x - 8.0 } else { self.area.x };
        rect(x, self.slots().y + 11.0, TAB, TAB_HIGH)
    }

    fn belief(&self) -> Rect {
        rect(self.area.right() - 40.0, self.slots().y + 3.0, 40.0, 40.0)
    }
}

/// The shelves that are drawn, and where the next row would be: one under the other, or side by side
/// where there are more than rows.
fn rows(consumer: &Consumer, area: Rect) -> (Vec<Row<'_>>, f64) {
    let count = consumer.shelves.len();
    let kept = usize::from(!consumer.refused.is_empty());
    let fit = ((area.height + 2.0) / SHORT).floor().max(1.0) as usize;
    let fit = fit.saturating_sub(kept).max(1);
    let under_tall = area.height - TALL - SHORT * (count + kept).saturating_sub(1) as f64;
    if count > 0 && under_tall >= -2.0 {
        return (one_tall(consumer, area), area.y + TALL + SHORT * (count - 1) as f64);
    }
    let columns = count.div_ceil(fit).clamp(1, 3);
    let width = area.width / columns as f64;
    let shown = choose(consumer, fit * columns);
    let used = shown.len().div_ceil(columns);
    let row = |(place, shelf)| {
        let (row, column) = ((place / columns) as f64, (place % columns) as f64);
        let at = rect(area.x + width * column, area.y + SHORT * row, width, SHORT);
        Row { shelf, area: at, is_tall: false }
    };
    (shown.into_iter().enumerate().map(row).collect(), area.y + SHORT * used as f64)
}

/// The first with its heading, the others below it.
fn one_tall(consumer: &Consumer, area: Rect) -> Vec<Row<'_>> {
    let mut y = area.y;
    let shelves = retry_last(&consumer.shelves, |shelf| &shelf.queue);
    let row = |(place, shelf)| {
        let height = if place == 0 { TALL } else { SHORT };
        let area = rect(area.x, y, area.width, height);
        y += height;
        Row { shelf, area, is_tall: place == 0 }
    };
    shelves.into_iter().enumerate().map(row).collect()
}

/// Which offsets the slots of a shelf stand for, from the first slot on.
struct Window {
    first: i64,
    width: f64,
    fit: usize,
    slots: Rect,
}

impl Window {
    /// The slots stand still as long as the smallest unfinished one moves over less than half of them.
    fn of(pen: &Pen<'_>, consumer: &Consumer, shelf: &Shelf, slots: Rect) -> Window {
        let largest = shelf.cards.last().map_or(QueueOffset::ZERO, |card| card.offset);
        let width = card::width(pen, largest);
        let fit = ((slots.width + 0.5) / width).floor().max(1.0) as i64;
        let pull = consumer.pulls.iter().find(|pull| pull.queue == shelf.queue);
        let next = match (shelf.cards.first(), shelf.finished.last(), pull) {
            (Some(card), ..) => card.offset.0,
            (None, Some(card), _) => card.offset.0 + 1,
            (None, None, Some(pull)) => pull.next_offset.0,
            (None, None, None) => 0,
        };
        let step = fit / 2;
        let first = if fit < 4 { next } else { ((next - 1).max(0) / step) * step };
        Window { first, width, fit: fit as usize, slots }
    }

    /// In `slots`, the first one standing for `first`.
    const fn from(first: i64, width: f64, fit: usize, slots: Rect) -> Window {
        Window { first, width, fit, slots }
    }

    fn slot(&self, place: usize) -> Rect {
        let x = self.slots.x + self.width * place as f64;
        rect(x, self.slots.y, self.width, self.slots.height)
    }

    /// The place of an offset, if it has one.
    fn place(&self, offset: QueueOffset) -> Option<usize> {
        usize::try_from(offset.0 - self.first).ok().filter(|place| *place < self.fit)
    }

    /// The slot of an offset; of one that has none the nearest.
    fn nearest(&self, offset: QueueOffset) -> Rect {
        self.slot((offset.0 - self.first).clamp(0, self.fit as i64 - 1) as usize)
    }
}

/// The slot of an offset on the shelf of its queue; the room where there is no shelf.
pub fn slot_of(
    pen: &Pen<'_>,
    consumer: &Consumer,
    area: Rect,
    queue: &MessageQueue,
    offset: QueueOffset,
) -> Rect {
    let (rows, _) = rows(consumer, area);
    let own = rows.iter().find(|row| row.shelf.queue == *queue && !row.shelf.is_dropped);
    match own.or_else(|| rows.iter().find(|row| row.shelf.queue == *queue)) {
        Some(row) => Window::of(pen, consumer, row.shelf, row.slots()).nearest(offset),
        None => area,
    }
}

/// The tab with the queue's name at the edge of the process.
pub fn tab_of(consumer: &Consumer, area: Rect, queue: &MessageQueue) -> Rect {
    let (rows, next) = rows(consumer, area);
    let own = rows.iter().find(|row| row.shelf.queue == *queue);
    let behind = || rect(area.x - 8.0, next.min(area.bottom() - 36.0) + 8.0, TAB, TAB_HIGH);
    own.map_or_else(behind, |row| row.tab(row.area.x <= area.x))
}

/// The padlock at the shelf of a queue.
pub fn belief_of(consumer: &Consumer, area: Rect, queue: &MessageQueue) -> Option<Rect> {
    let (rows, _) = rows(consumer, area);
    rows.iter().find(|row| row.shelf.queue == *queue).map(Row::belief)
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
    let tab = rect(area.x - 8.0, area.y + 8.0, TAB, TAB_HIGH);
    let mut mark = Mark::of(id, name, area.inset(2.0))
        .rect(tab, Paint::Ghost)
        .words_fitted(tab.middle().x, tab.y + 18.0, &it.label, Font::Label, TAB - 4.0)
        .words_at(area.x + TAB + 4.0, area.y + 18.0, word, Font::LabelBold);
    if let Some(again) = again {
        let room = area.width - TAB - 8.0;
        let again = cut(&again, Font::Note, room);
        mark = mark.words_at(area.x + TAB + 4.0, area.y + 38.0, again, Font::Note);
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

/// The tab and the plank.
fn frame(mark: Mark, row: &Row<'_>, tab: Rect) -> Mark {
    let slots = row.slots();
    let (plank, edge) = match row.shelf.is_dropped {
        true => (Paint::DashedLine, Paint::Ghost),
        false => (Paint::Plank, Paint::Box),
    };
    let y = slots.bottom() + 2.0;
    mark.rect(tab, edge)
        .words_fitted(tab.middle().x, tab.y + 18.0, &row.shelf.label, Font::LabelBold, TAB - 4.0)
        .line(point(slots.x - 2.0, y), point(slots.right(), y), plank)
}

fn in_tall(pen: &mut Pen<'_>, consumer: &Consumer, row: &Row<'_>) {
    let (shelf, area) = (row.shelf, row.area);
    let mut title = pen.say(StageText::Shelf { queue: shelf.label.clone() });
    let note = note(pen, shelf);
    let room = area.width - 16.0 - text_width(&note, Font::Note);
    let in_full = format!("{title} = ProcessQueue");
    if text_width(&in_full, Font::Label) <= room {
        title = in_full;
    }
    let hit = rect(area.x + 2.0, area.y + 2.0, area.width - 4.0, area.height - 4.0);
    let mark = Mark::of(id(consumer, shelf), name(pen, consumer, shelf), hit)
        .words_at(area.x + 4.0, area.y + 20.0, cut(&title, Font::Label, room), Font::Label)
        .words_end(area.right() - 4.0, area.y + 20.0, note, Font::Note);
    pen.put(frame(mark, row, row.tab(true)));
    belief(pen, consumer, row);
    let window = Window::of(pen, consumer, shelf, row.slots());
    let mut offsets = Mark::ground();
    let known = shelf.finished.iter().chain(&shelf.cards);
    for (card, place) in known.filter_map(|card| Some((card, window.place(card.offset)?))) {
        let at = window.slot(place);
        let words = card::offset_tag(card.offset, window.width);
        offsets = offsets.words_mid(at.middle().x, at.bottom() + 18.0, words, Font::Note);
    }
    pen.put(offsets);
    if let Some(first) = shelf.cards.first() {
        let x = window.nearest(first.offset).middle().x;
        pin(pen, consumer, shelf, point(x, area.y + 30.0), area.right());
    }
    cards(pen, consumer, shelf, &window, true);
}

/// The pin on the smallest key, with its stem; its words end before `right`.
pub fn pin(pen: &mut Pen<'_>, consumer: &Consumer, shelf: &Shelf, at: Point, right: f64) {
    let words = pen.word(StageWord::SmallestUnfinished);
    let pin = Mark::of(id(consumer, shelf), String::new(), Rect::default())
        .termed(Some(Term::SmallestUnfinished))
        .placed(at)
        .moving(TokenId::Pin(consumer.process, shelf.process_queue))
        .circle(0.0, 0.0, 5.0, Paint::Ink)
        .line(point(0.0, 0.0), point(0.0, 9.0), Paint::Line);
    let width = text_width(&words, Font::Note);
    pen.put(match at.x + 13.0 + width <= right {
        true => pin.words_at(13.0, 6.0, words, Font::Note),
        // As wide as a process is inside; beyond its edge there are no words.
        false if at.x - 13.0 - width >= right - 250.0 => {
            pin.words_end(-13.0, 6.0, words, Font::Note)
        }
        false => pin,
    });
}

fn in_short(pen: &mut Pen<'_>, consumer: &Consumer, row: &Row<'_>) {
    let (shelf, area) = (row.shelf, row.area);
    let is_at_edge =
        pen.plan.consumer(consumer.process).is_some_and(|it| area.x <= it.area.x + 8.0);
    let mark = Mark::of(id(consumer, shelf), name(pen, consumer, shelf), area.inset(2.0));
    pen.put(frame(mark, row, row.tab(is_at_edge)));
    belief(pen, consumer, row);
    let window = Window::of(pen, consumer, shelf, row.slots());
    cards(pen, consumer, shelf, &window, false);
    if let Some(first) = shelf.cards.first() {
        let at = window.nearest(first.offset);
        let pin = Mark::of(id(consumer, shelf), String::new(), Rect::default())
            .termed(Some(Term::SmallestUnfinished))
            .placed(point(at.middle().x, at.y))
            .moving(TokenId::Pin(consumer.process, shelf.process_queue))
            .circle(0.0, 0.0, 4.0, Paint::Ink);
        pen.put(pin);
    }
}

fn belief(pen: &mut Pen<'_>, consumer: &Consumer, row: &Row<'_>) {
    let Some(belief) = &row.shelf.belief else { return };
    let id = MarkId::Belief { process: consumer.process, queue: row.shelf.queue.clone() };
    lock::belief(pen, id, belief, row.belief());
}

/// What lies on a shelf, what did, and faint slots for what will. Tells which cards are shown where.
fn cards(
    pen: &mut Pen<'_>,
    consumer: &Consumer,
    shelf: &Shelf,
    window: &Window,
    has_offsets: bool,
) -> Vec<(usize, Rect)> {
    let mut taken = 0;
    for card in &shelf.finished {
        let Some(place) = window.place(card.offset) else { continue };
        taken = taken.max(place + 1);
        pen.put(hole(Mark::ground(), card, window.slot(place), has_offsets));
    }
    let behind = shelf.cards.iter().filter(|card| window.place(card.offset).is_none()).count();
    let mut shown = Vec::new();
    for (nth, card) in shelf.cards.iter().enumerate() {
        let Some(place) = window.place(card.offset) else { continue };
        taken = taken.max(place + 1);
        // The last slot counts what has none.
        if behind > 0 && place + 1 == window.fit {
            let at = window.slot(place);
            let words = format!("+{}", behind + 1);
            let more = Mark::of(id(consumer, shelf), String::new(), Rect::default());
            pen.put(more.words_fitted(
                at.middle().x,
                at.y + 29.0,
                &words,
                Font::Note,
                window.width,
            ));
            continue;
        }
        let at = window.slot(place);
        slot(pen, consumer, shelf, card, at, has_offsets);
        shown.push((nth, at));
    }
    if taken < window.fit {
        let d = card::reserved(window.slots, window.width, taken, window.fit);
        pen.put(Mark::ground().path(d, Paint::Hair));
    }
    shown
}

/// The cards of a shelf in a room of their own, from the smallest on.
pub fn row(
    pen: &mut Pen<'_>,
    consumer: &Consumer,
    shelf: &Shelf,
    area: Rect,
    width: f64,
) -> Vec<(usize, Rect)> {
    let fit = ((area.width + 0.5) / width).floor().max(1.0) as usize;
    let first = shelf.cards.first().map_or(0, |card| card.offset.0);
    let shelf = &Shelf { finished: Vec::new(), ..shelf.clone() };
    cards(pen, consumer, shelf, &Window::from(first, width, fit, area), false)
}

/// Where one was: its sign, and its offset where nothing else says it.
fn hole(mut mark: Mark, card: &Card, at: Rect, has_offset: bool) -> Mark {
    mark = mark.rect(at.inset(2.0), Paint::Ghost);
    if let Some(glyph) = glyph_of(card.state) {
        let y = if has_offset { at.y + at.height / 2.0 - 8.0 } else { at.y + 7.0 };
        mark = mark.glyph(glyph, at.middle().x - 8.0, y, 16.0);
    }
    match has_offset {
        true => mark,
        false => {
            let words = card::offset_tag(card.offset, at.width);
            mark.words_mid(at.middle().x, at.y + 38.0, words, Font::Note)
        }
    }
}

fn slot(
    pen: &mut Pen<'_>,
    consumer: &Consumer,
    shelf: &Shelf,
    card: &Card,
    at: Rect,
    has_offset: bool,
) {
    let own = card::own(at);
    let name = pen.card_name(card, &shelf.label);
    let is_seated = card.state == MessageState::Running;
    let is_followed = pen.follows(card) && !is_seated;
    let plan = pen.plan.consumer(consumer.process);
    let door = plan.map_or(point(at.x, at.y), |plan| point(plan.area.x, plan.area.y + 6.0));
    let mark = Mark::of(MarkId::Copy(card.copy.clone()), name, own)
        .placed(point(at.x, at.y))
        .moving(TokenId::Shelved(consumer.process, card.copy.clone()))
        .coming_from(TokenId::Pull(consumer.process, shelf.queue.clone()))
        .of_message(card, door)
        .in_state(card.state)
        .followed(is_followed);
    if card.state.leaves_a_hole() {
        pen.put(hole(mark, card, own, has_offset));
        return;
    }
    let tag = card::tag(card, &shelf.label, at.width);
    if is_seated {
        pen.put(card::outline(mark, own, &card.label, &tag));
        return;
    }
    let look = Look::tagged(&tag).followed(is_followed);
    pen.put(card::face(pen, mark, card, own, &look));
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
