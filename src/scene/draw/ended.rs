//! Machines that do not work, each in its own way and with its own sign: what was killed is cracked and
//! has lost its contents, what was stopped has let its shutter down after its last calls, what is
//! frozen stands under glass. Take the colour away, and they are still three different things.

use super::brush::{N, cut};
use super::consumer::{name, process_word};
use super::pen::Pen;
use super::spot::find_queue;
use crate::model::time::Millis;
use crate::scene::at_broker::Broker;
use crate::scene::at_consumer::{Consumer, ConsumerLedgerRow, ProcessState, Shelf};
use crate::scene::card::{Card, MessageState};
use crate::scene::frame::{Glyph, Mark, Paint};
use crate::scene::geometry::{Font, Point, Rect, point, rect, text_width};
use crate::scene::mark::MarkId;
use crate::text::stage::{ProcessWord, StageText, StageWord};

/// What a sign tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Killed,
    Stopped,
    Frozen,
}

/// Height of a sign.
pub const SIGN: f64 = 28.0;

/// A board with a picture and the word, from `at` on, as wide as the words but no wider than `room`.
pub fn sign(mark: Mark, sign: Sign, at: Point, words: &str, room: f64) -> Mark {
    let words = cut(words, Font::LabelBold, room - 38.0);
    let board = rect(at.x, at.y, sign_width(&words), SIGN);
    let base = at.y + 20.5;
    let icon = point(at.x + 16.0, at.y + SIGN / 2.0);
    match sign {
        Sign::Killed => {
            let cross = format!("M{} {}l11 11m0 -11l-11 11", N(icon.x - 5.5), N(icon.y - 5.5));
            mark.rect(board, Paint::Solid).path(cross, Paint::OnSolid).words_at(
                at.x + 29.0,
                base,
                words,
                Font::LabelOn,
            )
        }
        Sign::Stopped => mark
            .rect(board, Paint::Box)
            .rect(board.inset(3.0), Paint::Thin)
            .rect(rect(icon.x - 5.0, icon.y - 5.0, 11.0, 11.0), Paint::Ink)
            .words_at(at.x + 29.0, base, words, Font::LabelBold),
        Sign::Frozen => crystal(mark.rect(board, Paint::Box), icon, 8.0).words_at(
            at.x + 29.0,
            base,
            words,
            Font::LabelBold,
        ),
    }
}

/// The sign of a process; none while it starts, runs or stops.
pub const fn sign_of(state: &ProcessState) -> Option<Sign> {
    match state {
        ProcessState::Crashed { .. } => Some(Sign::Killed),
        ProcessState::Stopped { .. } => Some(Sign::Stopped),
        ProcessState::Frozen { .. } => Some(Sign::Frozen),
        ProcessState::Starting { .. } | ProcessState::Running | ProcessState::Stopping => None,
    }
}

/// How wide a sign with these words is.
pub fn sign_width(words: &str) -> f64 {
    38.0 + text_width(words, Font::LabelBold)
}

/// Three crossing strokes.
fn crystal(mut mark: Mark, at: Point, radius: f64) -> Mark {
    let (x, y) = (radius * 0.866, radius * 0.5);
    for (dx, dy) in [(0.0, radius), (x, y), (x, -y)] {
        mark = mark.line(point(at.x - dx, at.y - dy), point(at.x + dx, at.y + dy), Paint::Line);
    }
    mark
}

/// A pane before it: a second frame with broad bands of light across, and a crystal on its corner.
/// Alive, but nothing moves.
pub fn glass(pen: &mut Pen<'_>, area: Rect) {
    let pane = area.inset(5.0);
    let slant = pane.height * 0.35;
    let band = |from: f64| {
        let (top, bottom) = (pane.x + from + slant, pane.x + from);
        format!("M{} {}L{} {}", N(top), N(pane.y), N(bottom), N(pane.bottom()))
    };
    let mut mark = Mark::ground().rect(pane, Paint::Line);
    for part in [0.18, 0.22, 0.5, 0.66, 0.7] {
        mark = mark.path(band((pane.width - slant).max(0.0) * part), Paint::Hair);
    }
    // On the frame, where it covers no words.
    let corner = point(area.x, area.bottom() - 2.0);
    pen.put(crystal(mark.circle(corner.x, corner.y, 11.0, Paint::DiscNow), corner, 7.0));
}

/// The shutter is down. On it hangs what the process did before: 42 in order only, 15, 35.
pub fn stopped(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect, at: Millis) {
    let x = area.x + 12.0;
    let word = pen.say(StageText::Process(process_word(&consumer.state)));
    let ago = pen.say(StageText::Ago { span: pen.since(at) });
    let label_end = x + state_offset(&consumer.label);
    let room = area.right() - label_end - 12.0;
    let mark = Mark::of(MarkId::Consumer(consumer.process), name(pen, consumer), area)
        .rect(area, Paint::PanelBox)
        .words_at(x, area.y + 24.0, consumer.label.to_string(), Font::Name);
    let ago_room = room - sign_width(&word) - 8.0;
    let mark = sign(mark, Sign::Stopped, point(label_end, area.y + 4.0), &word, room).words_end(
        area.right() - 12.0,
        area.y + 24.0,
        cut(&ago, Font::Note, ago_room),
        Font::Note,
    );
    let slats = rect(area.x, area.y + 38.0, area.width, area.height - 38.0);
    pen.put(last_calls(pen, shutter(mark, slats), slats));
}

/// Slats, and the bar with its handle at the lower end.
fn shutter(mut mark: Mark, area: Rect) -> Mark {
    let count = (area.height / 13.0).floor().max(1.0);
    let pitch = area.height / count;
    for nth in 0..count as u32 {
        let y = area.y + pitch * f64::from(nth);
        mark = mark.line(point(area.x, y), point(area.right(), y), Paint::Divider);
    }
    let (x, y) = (area.middle().x, area.bottom() - 6.0);
    mark.line(point(area.x, y), point(area.right(), y), Paint::Plank).line(
        point(x - 12.0, y - 5.0),
        point(x + 12.0, y - 5.0),
        Paint::Plank,
    )
}

fn last_calls(pen: &Pen<'_>, mark: Mark, area: Rect) -> Mark {
    let is_orderly = pen.scene.brokers.iter().any(|broker| !broker.locks.is_empty());
    let codes: &[u16] = if is_orderly { &[42, 15, 35] } else { &[15, 35] };
    let lines: Vec<String> = codes
        .iter()
        .map(|number| format!("{number} {}", pen.say(StageText::LastCall { number: *number })))
        .collect();
    let widest = lines.iter().map(|line| text_width(line, Font::Label)).fold(0.0, f64::max);
    let height = 24.0 * lines.len() as f64 + 12.0;
    if area.height < height + 20.0 {
        return mark;
    }
    let (width, top) = ((widest + 46.0).min(area.width - 16.0), (area.height - height) / 2.0 - 4.0);
    let board = rect(area.middle().x - width / 2.0, area.y + top, width, height);
    let mut mark = mark.rect(board, Paint::Box);
    for (place, line) in lines.iter().enumerate() {
        let y = board.y + 6.0 + 24.0 * place as f64;
        mark = mark.glyph(Glyph::Done, board.x + 9.0, y + 4.0, 16.0).words_at(
            board.x + 33.0,
            y + 18.0,
            cut(line, Font::Label, width - 38.0),
            Font::Label,
        );
    }
    mark
}

/// Cracked: the contents are outlines of what was lost with it.
pub fn crashed(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect, at: Millis) {
    let (x, crack) = (area.x + 12.0, area.right() - 64.0);
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
        .words_at(x, area.y + 25.0, consumer.label.to_string(), Font::Name)
        .words_at(x, area.y + 54.0, ago, Font::Note);
    let from = x + state_offset(&consumer.label);
    pen.put(sign(mark, Sign::Killed, point(from, area.y + 5.0), &word, crack - 4.0 - from));
    contents(pen, consumer, rect(x, area.y + 62.0, crack - 14.0 - x, area.height - 68.0));
}

/// How far right of a name its state stands: a restarted client's name is longer.
pub fn state_offset(label: &str) -> f64 {
    (text_width(label, Font::Name) + 10.0).max(32.0)
}

/// The mock's crack, stretched to the box's height.
fn zigzag(height: f64) -> String {
    let k = height / 176.0;
    [(-10.0, 32.0), (16.0, 22.0), (-18.0, 30.0), (14.0, 28.0), (-12.0, 64.0)]
        .iter()
        .map(|(x, y)| format!("l{} {:.2}", N(*x), y * k))
        .collect()
}

/// What it held, as outlines: the broker has all of it. And what only it knew: offsets that it had
/// not reported.
fn contents(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    let mut mark = Mark::ground();
    let mut y = area.y;
    let line = |mark: Mark, y: f64, words: &str| {
        mark.words_at(area.x, y + 16.0, cut(words, Font::Note, area.width), Font::Note)
    };
    let shelf = consumer.shelves.iter().find(|shelf| shelf.count > 0);
    if let Some(shelf) = shelf.filter(|_| area.height >= 84.0) {
        mark = line(mark, y, &pen.say(StageText::Shelf { queue: shelf.label.clone() }));
        mark = outlines(mark, shelf, rect(area.x, y + 22.0, area.width, 30.0));
        y += 56.0;
        let half = half_done(pen, consumer, shelf).filter(|_| y + 42.0 <= area.bottom());
        if let Some(half) = half {
            mark = line(mark, y, &half);
            y += 20.0;
        }
        mark = line(mark, y, &pen.word(StageWord::StillAtBroker));
        y += 26.0;
    }
    let is_unknown = |row: &&ConsumerLedgerRow| {
        let queue = find_queue(pen, &row.queue);
        row.is_dirty && queue.is_none_or(|queue| queue.committed < Some(row.offset))
    };
    let unknown: Vec<&ConsumerLedgerRow> = consumer.ledger.iter().filter(is_unknown).collect();
    for row in unknown {
        if y + 20.0 > area.bottom() {
            break;
        }
        let (queue, offset) = (row.label.clone(), row.offset.0);
        mark = line(mark, y, &pen.say(StageText::NeverReported { queue, offset }));
        y += 20.0;
    }
    pen.put(mark);
}

fn outlines(mut mark: Mark, shelf: &Shelf, area: Rect) -> Mark {
    let cards = shelf.cards.iter().filter(|card| card.state == MessageState::Lost);
    let fit = ((area.width + 4.0) / 36.0).floor() as usize;
    for (place, card) in cards.take(fit).enumerate() {
        let at = rect(area.x + 36.0 * place as f64, area.y, 32.0, area.height);
        let words = card.offset.to_string();
        mark = mark.rect(at, Paint::Ghost).words_fitted(
            at.middle().x,
            at.y + 21.0,
            &words,
            Font::Note,
            30.0,
        );
    }
    mark
}

/// Who was at the listener.
fn half_done(pen: &Pen<'_>, consumer: &Consumer, shelf: &Shelf) -> Option<String> {
    let seats = consumer.workers.seats.iter().filter_map(|seat| seat.card.as_ref());
    let is_seated = |card: &&Card| seats.clone().any(|seated| seated.copy == card.copy);
    let running = shelf.cards.iter().filter(is_seated);
    let running: Vec<String> = running.map(|card| card.offset.to_string()).collect();
    let labels = match &running[..] {
        [] => return None,
        [one] => one.clone(),
        [first, second] => format!("{first}, {second}"),
        [first, rest @ ..] => format!("{first} +{}", rest.len()),
    };
    Some(pen.say(StageText::HalfDone { labels: labels.as_str().into() }))
}

/// A broker that is down: its files are still there, but nobody serves at the bench's side. A killed
/// one is cracked there, a stopped one has its shutter down.
pub fn broker(pen: &mut Pen<'_>, broker: &Broker, area: Rect) {
    let Some(ended) = broker.ended else { return };
    let counter = rect(area.right() - 94.0, area.y, 94.0, area.height - 136.0);
    let word = pen.say(StageText::Process(match ended.is_killed {
        true => ProcessWord::Killed,
        false => ProcessWord::Stopped,
    }));
    let ago = pen.say(StageText::Ago { span: pen.since(ended.at) });
    // Beside the first strip, whose slots end well before it.
    let head = if pen.scene.brokers.len() > 1 { 22.0 } else { 0.0 };
    let middle = counter.y + 49.0 + head;
    let mut mark = match ended.is_killed {
        true => shard(Mark::ground(), counter),
        false => shutter(Mark::ground().rect(counter, Paint::PanelBox), counter),
    };
    let kind = if ended.is_killed { Sign::Killed } else { Sign::Stopped };
    let width = sign_width(&word).min(counter.width + 20.0);
    let at = point(area.right() - width - 3.0, middle - SIGN / 2.0);
    mark = sign(mark, kind, at, &word, counter.width + 20.0);
    let board = rect(area.right() - 87.0, middle + SIGN / 2.0 + 4.0, 84.0, 24.0);
    mark = mark.rect(board, Paint::Sheet).words_fitted(
        board.middle().x,
        board.y + 17.0,
        &ago,
        Font::Note,
        board.width - 4.0,
    );
    pen.put(mark);
}

/// The piece that broke off: a crack from the upper edge to the right one.
fn shard(mark: Mark, area: Rect) -> Mark {
    let near = crack(area, 0.0);
    let far = crack(area, 14.0);
    let corner = format!("V{}z", N(area.y));
    // Nothing of the frame is left between the two edges.
    mark.path(format!("{near}{corner}"), Paint::Paper)
        .path(format!("{far}{corner}"), Paint::Sheet)
        .path(format!("{far}{corner}"), Paint::Ghost)
        .path(near, Paint::Heavy)
        .path(far, Paint::Heavy)
}

/// From the top of `area`, so far from its left edge, to its lower right corner.
fn crack(area: Rect, from: f64) -> String {
    const TEETH: u32 = 6;
    let height = area.height - 14.0;
    let x = area.x + 12.0 + from;
    let mut d = format!("M{} {}", N(x), N(area.y));
    for nth in 1..=TEETH {
        let part = f64::from(nth) / f64::from(TEETH);
        let tooth = if nth % 2 == 0 { 7.0 } else { -7.0 };
        let x = x + 30.0 * part * part + tooth;
        d.push_str(&format!("L{} {}", N(x), N(area.y + height * part)));
    }
    d.push_str(&format!("L{} {}", N(area.right()), N(area.bottom() - from)));
    d
}
