//! The worker pool as seats, and the ConsumeRequests that wait for one.

use super::brush::cut;
use super::card::{self, Look};
use super::pen::{Pen, state_word};
use crate::model::time::Millis;
use crate::scene::at_consumer::{Consumer, Seat};
use crate::scene::card::{Card, MessageState};
use crate::scene::frame::{Glyph, Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect, text_width};
use crate::scene::mark::{MarkId, TokenId};
use crate::text::stage::{MarkName, StageText, StageWord};

pub const SEAT: f64 = 76.0;
const PITCH: f64 = 80.0;
/// A low room: its card and nothing under it.
const LOW: f64 = 48.0;
/// A seat with a line of words under the card.
const TALL: f64 = 64.0;
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
        if area.height < 90.0 {
            let first = rect(area.x + 84.0, area.y + 1.0, SEAT, card::HIGH);
            let columns = ((area.right() + 4.0 - first.x) / PITCH).floor().max(1.0) as usize;
            return Seats { first, columns, rows: 1, pitch: LOW };
        }
        let first = rect(area.x + 4.0, area.y + 30.0, SEAT, TALL);
        let columns = ((area.right() + 4.0 - first.x) / PITCH).floor().max(1.0) as usize;
        let rows = ((area.height - 30.0) / (TALL + 6.0)).floor().max(1.0) as usize;
        Seats { first, columns, rows, pitch: TALL + 6.0 }
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
        self.first.height < 60.0
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

/// Where the card is on a seat.
pub fn card_in(seat: Rect, width: f64) -> Rect {
    let is_low = seat.height < 60.0;
    let x = if is_low || width < card::WIDE { 2.0 } else { (seat.width - width) / 2.0 };
    rect(seat.x + x, seat.y, width, card::HIGH)
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
    let place = card_in(at, card::width(pen, card.offset));
    let inner = card::own(place);
    // The seat stays; the card that sits down moves.
    let ground = Mark::of(id.clone(), String::new(), own).placed(point(at.x, at.y));
    let ground = words(pen, ground.rect(own, Paint::Ghost), seat, card, at, place);
    pen.put(ground);
    let is_followed = pen.is_followed(card.unique_key);
    let mark = Mark::of(id, pen.card_name(card, &seat.queue), inner)
        .placed(point(place.x, place.y))
        .moving(TokenId::Seated(consumer.process, card.copy.clone()))
        .coming_from(TokenId::Shelved(consumer.process, card.copy.clone()))
        .of_message(card, point(place.x, place.y))
        .in_state(card.state)
        .followed(is_followed);
    let elapsed = pen.since(seat.since).ms() as f64;
    let whole = seat.takes.unwrap_or(UNKNOWN).ms().max(1) as f64;
    let part = if state == MessageState::Running { elapsed / whole } else { 1.0 };
    let tag = match seat.batch {
        0 | 1 => card::tag(card, &seat.queue, inner.width),
        batch => format!("×{batch}"),
    };
    let look = Look { part, ..Look::tagged(&tag).followed(is_followed) };
    let mark = card::face(pen, mark, card, inner, &look);
    pen.put(match seat.holds_mutex {
        // On its corner, where it covers no words.
        true => {
            let tag = rect(inner.right() + 5.0, inner.bottom() - 16.0, 16.0, 16.0);
            mark.glyph(Glyph::Key, tag.x, tag.y, 16.0)
        }
        false => mark,
    });
}

/// How long it has run, or what became of it; and the how many-eth time this is.
fn words(pen: &Pen<'_>, mark: Mark, seat: &Seat, card: &Card, at: Rect, place: Rect) -> Mark {
    let state = match card.state {
        MessageState::Running => pen.say(StageText::Left { left: pen.since(seat.since) }),
        state => pen.say(StageText::State(state_word(state))),
    };
    let nth = pen.say(StageText::TimeShort { nth: card.deliveries });
    let nth = (card.deliveries > 1).then_some(nth);
    let beside = place.right() + 5.0 - at.x;
    let room = at.width - beside - 1.0;
    let is_low = at.height < 60.0;
    if room >= 34.0 {
        // A narrow card has them beside it.
        let middle = beside + room / 2.0;
        let mark = mark.words_fitted(middle, 14.0, &state, Font::Note, room);
        // `2nd`: the rest of its words has no room.
        let short = nth.as_ref().and_then(|nth| nth.split(' ').next());
        return match short {
            Some(nth) => mark.words_fitted(middle, 30.0, nth, Font::Note, room),
            None => mark,
        };
    }
    if is_low {
        return mark;
    }
    let words = nth.map_or(state.clone(), |nth| match card.state {
        MessageState::Running => nth,
        _ => state,
    });
    mark.words_fitted(at.width / 2.0, at.height - 3.0, &words, Font::Note, at.width - 4.0)
}
