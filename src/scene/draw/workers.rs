//! The worker pool as seats, and the ConsumeRequests that wait for one.

use super::brush::cut;
use super::pen::{Pen, marker_ground, state_word};
use super::shelf::again;
use crate::model::time::Millis;
use crate::scene::at_consumer::{Consumer, Seat};
use crate::scene::card::{Card, MessageState};
use crate::scene::frame::{Glyph, Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect, text_width};
use crate::scene::mark::{MarkId, TokenId};
use crate::text::stage::{MarkName, StageText, StageWord};

pub const SEAT: f64 = 76.0;
const PITCH: f64 = 80.0;
/// A listener without a known end fills its bar by RocketMQ's consumeTimeout.
const UNKNOWN: Millis = Millis::from_minutes(15);

/// Where seats are: in rows under the heading, or, in a low room, beside it.
pub struct Seats {
    first: Rect,
    columns: usize,
    rows: usize,
    pitch: f64,
}

impl Seats {
    pub fn of(area: Rect) -> Seats {
        if area.height < 80.0 {
            let first = rect(area.x + 88.0, area.y + 6.0, SEAT, 30.0);
            let columns = ((area.right() + 4.0 - first.x) / PITCH).floor().max(1.0) as usize;
            let rows = (((area.height - 6.0) / 36.0).floor().max(1.0)) as usize;
            return Seats { first, columns, rows, pitch: 36.0 };
        }
        let first = rect(area.x + 8.0, area.y + 30.0, SEAT, 60.0);
        let columns = ((area.right() + 4.0 - first.x) / PITCH).floor().max(1.0) as usize;
        let rows = ((area.height - 30.0) / 66.0).floor().max(1.0) as usize;
        Seats { first, columns, rows, pitch: 66.0 }
    }

    pub fn count(&self) -> usize {
        self.columns * self.rows
    }

    pub fn seat(&self, place: usize) -> Rect {
        let column = (place % self.columns) as f64;
        let row = (place / self.columns) as f64;
        self.first.moved(PITCH * column, self.pitch * row)
    }

    fn is_low(&self) -> bool {
        self.first.height < 40.0
    }
}

/// The seats that are drawn, with their places: each where its number says; busy ones beyond the
/// last place take free places.
pub fn placed(consumer: &Consumer, places: usize) -> Vec<(usize, &Seat)> {
    let mut taken: Vec<Option<&Seat>> = vec![None; places];
    let (near, far): (Vec<&Seat>, Vec<&Seat>) =
        consumer.workers.seats.iter().partition(|seat| (seat.index as usize) < places);
    for seat in near {
        taken[seat.index as usize] = Some(seat);
    }
    for seat in far.into_iter().filter(|seat| seat.card.is_some()) {
        let is_free = |place: &Option<&Seat>| place.is_none_or(|seat| seat.card.is_none());
        if let Some(place) = taken.iter().position(is_free) {
            taken[place] = Some(seat);
        }
    }
    let size = consumer.workers.size as usize;
    let placed = taken.into_iter().enumerate().filter_map(|(place, seat)| Some((place, seat?)));
    placed.take(size).collect()
}

pub fn room(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    let workers = &consumer.workers;
    let seats = Seats::of(area);
    let base = if seats.is_low() { area.y + 24.0 } else { area.y + 22.0 };
    let title = pen.word(StageWord::Workers);
    let mut heading = Mark::ground().words_at(area.x + 4.0, base, title.clone(), Font::Label);
    let busy = pen.say(StageText::WorkersBusy {
        busy: workers.busy,
        size: workers.size,
        waiting: workers.waiting,
    });
    if !seats.is_low() {
        let room = area.width - 20.0 - text_width(&title, Font::Label);
        let x = area.right() - 4.0;
        heading = Mark::of(
            MarkId::ConsumeRequests(consumer.process),
            format!("{title}: {busy}"),
            rect(area.x + area.width / 2.0, area.y + 4.0, area.width / 2.0 - 2.0, 24.0),
        )
        .words_at(area.x + 4.0, base, title, Font::Label)
        .words_end(x, base, cut(&busy, Font::Note, room), Font::Note);
    }
    pen.put(heading);
    let drawn = placed(consumer, seats.count());
    let mut rest = workers.size;
    for (place, worker) in &drawn {
        seat(pen, consumer, worker, seats.seat(*place));
        rest -= 1;
    }
    let taken: Vec<usize> = drawn.iter().map(|(place, _)| *place).collect();
    let free = (0..seats.count()).filter(|place| !taken.contains(place));
    for place in free.take(rest as usize) {
        let idle = Seat::idle(place as u32);
        seat(pen, consumer, &idle, seats.seat(place));
        rest -= 1;
    }
    if rest > 0 && !seats.is_low() {
        others(pen, &seats, area, rest);
    }
}

/// Threads for which there is no seat, as small squares where the room is high enough.
fn others(pen: &mut Pen<'_>, seats: &Seats, area: Rect, count: u32) {
    let y = seats.seat(seats.count() - 1).bottom() + 8.0;
    if y + 12.0 > area.bottom() {
        return;
    }
    let room = ((area.width - 60.0) / 13.0).floor() as u32;
    let mut mark = Mark::ground();
    for nth in 0..count.min(room) {
        let x = area.x + 8.0 + 13.0 * f64::from(nth);
        mark = mark.rect(rect(x, y, 10.0, 10.0), Paint::Ghost);
    }
    if count > room {
        let words = pen.say(StageText::MoreSeats { count: count - room });
        let x = area.x + 12.0 + 13.0 * f64::from(room);
        mark = mark.words_at(x, y + 11.0, words, Font::Note);
    }
    pen.put(mark);
}

fn seat(pen: &mut Pen<'_>, consumer: &Consumer, seat: &Seat, at: Rect) {
    let own = rect(0.0, 0.0, at.width, at.height);
    let id = MarkId::Worker { process: consumer.process, index: seat.index };
    let holds = seat.card.as_ref().map(|card| card.label.clone());
    let name = pen.name(MarkName::Worker { index: seat.index, holds });
    let Some(card) = &seat.card else {
        let mark = Mark::of(id, name, own).placed(point(at.x, at.y)).rect(own, Paint::Ghost);
        pen.put(mark);
        return;
    };
    // Who sits runs, also while the shelf is still told that it waits.
    let state = match card.state {
        MessageState::Waiting | MessageState::Stored => MessageState::Running,
        other => other,
    };
    let card = &Card { state, ..card.clone() };
    // The seat's edge stays; the card that sits down moves.
    let ground =
        Mark::of(id.clone(), String::new(), own).placed(point(at.x, at.y)).rect(own, Paint::Box);
    pen.put(ground);
    let is_followed = pen.is_followed(card.unique_key);
    let mut mark = Mark::of(id, pen.card_name(card, &seat.queue), own)
        .placed(point(at.x, at.y))
        .moving(TokenId::Seated(consumer.process, card.copy.clone()))
        .coming_from(TokenId::Shelved(consumer.process, card.copy.clone()))
        .of_message(card, point(at.x, at.y))
        .in_state(card.state)
        .followed(is_followed);
    if is_followed {
        mark = marker_ground(mark, own);
    }
    mark = match card.failures {
        0 => mark.rect(own, Paint::Box),
        failures => mark.path(super::brush::card_outline(own, failures), Paint::Box),
    };
    if card.deliveries > 1 {
        mark = again(mark, own);
    }
    pen.put(contents(pen, mark, seat, card, own));
}

/// Label, elapsed time, and the bar that fills in story time.
fn contents(pen: &Pen<'_>, mark: Mark, seat: &Seat, card: &Card, own: Rect) -> Mark {
    let elapsed = pen.since(seat.since);
    let whole = seat.takes.unwrap_or(UNKNOWN).ms().max(1);
    let part = match card.state {
        MessageState::Running => (elapsed.ms() as f64 / whole as f64).min(1.0),
        _ => 1.0,
    };
    let is_low = own.height < 40.0;
    let drop = if card.failures > 0 && !is_low { 4.0 } else { 0.0 };
    let glyph = super::brush::glyph_of(card.state).unwrap_or(Glyph::Run);
    let label = match seat.batch {
        0 | 1 => format!("{} {}", card.label, card.offset),
        batch => format!("{} ×{batch}", card.label),
    };
    // With too long a name the offset is left to the shelf.
    let label = match text_width(&label, Font::LabelBold) <= own.width - 27.0 {
        true => label,
        false => cut(&card.label, Font::LabelBold, own.width - 27.0),
    };
    let mark = mark
        .band(own, card.state, if is_low { 6.0 } else { 19.0 }, part)
        .words_at(8.0, 18.0 + drop, label, Font::LabelBold)
        .glyph(glyph, own.width - 20.0, 4.0 + drop, 14.0);
    if is_low {
        return mark;
    }
    let words = match card.state {
        MessageState::Running => pen.say(StageText::Left { left: elapsed }),
        state => pen.say(StageText::State(state_word(state))),
    };
    let base = 36.0 + drop / 2.0;
    let mark = mark.words_at(8.0, base, cut(&words, Font::Note, 62.0), Font::Note);
    if !seat.holds_mutex {
        return mark;
    }
    // On a tag over the bar, where it covers no words.
    let tag = rect(own.width - 25.0, own.height - 19.0, 24.0, 18.0);
    mark.rect(tag, Paint::Sheet).glyph(Glyph::Key, tag.x + 4.0, tag.y + 1.0, 16.0)
}
