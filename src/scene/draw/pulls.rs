//! The pull room: the one seat of PullMessageService, the belt before it, the tray of what was put
//! off, and ghosts for what is away.

use super::bench::shuttle;
use super::brush::{N, cut, lozenge};
use super::pen::{Pen, retry_last};
use crate::model::message_queue::MessageQueue;
use crate::scene::at_consumer::{Consumer, Postponed, PullPlace, Shuttle};
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, rect, text_width};
use crate::scene::mark::{MarkId, TokenId};
use crate::text::Term;
use crate::text::stage::{MarkName, PostponeWord, PullWord, StageText, StageWord};

const fn place_word(place: &PullPlace) -> PullWord {
    match place {
        PullPlace::InPass => PullWord::InPass,
        PullPlace::Belt(_) => PullWord::Belt,
        PullPlace::Seat => PullWord::Seat,
        PullPlace::Away => PullWord::Away,
        PullPlace::Bench => PullWord::Bench,
        PullPlace::Postponed { .. } => PullWord::Postponed,
    }
}

pub const fn postpone_word(reason: Postponed) -> PostponeWord {
    match reason {
        Postponed::Count => PostponeWord::Count,
        Postponed::Size => PostponeWord::Size,
        Postponed::Span => PostponeWord::Span,
        Postponed::NotLocked => PostponeWord::NotLocked,
        Postponed::Error => PostponeWord::Error,
        Postponed::Paused => PostponeWord::Paused,
        Postponed::NoSubscription => PostponeWord::NoSubscription,
        Postponed::Interval => PostponeWord::Interval,
    }
}

fn is_home(pull: &Shuttle) -> bool {
    !matches!(pull.place, PullPlace::Away | PullPlace::Bench | PullPlace::InPass)
}

/// Of one that was put off also why, and for how long.
fn name(pen: &Pen<'_>, pull: &Shuttle) -> String {
    let name = pen.name(MarkName::Pull {
        queue: pull.label.clone(),
        offset: pull.next_offset.0,
        place: place_word(&pull.place),
    });
    let PullPlace::Postponed { reason, since, until } = pull.place else { return name };
    let why = pen.say(StageText::Postponed { reason: postpone_word(reason) });
    let left = pen.say(StageText::Left { left: pen.left(until) });
    let wait = pen.say(StageText::Wait { wait: until.since(since) });
    format!("{name} · {why} · {left} / {wait}")
}

fn id(consumer: &Consumer, pull: &Shuttle) -> MarkId {
    MarkId::Pull { process: consumer.process, queue: pull.queue.clone() }
}

/// Where each pull stands on the line; whether there is room for offsets.
fn line_places(consumer: &Consumer, area: Rect) -> (Vec<(&Shuttle, Rect)>, bool) {
    let pulls = retry_last(&consumer.pulls, |pull| &pull.queue);
    let full = |pull: &Shuttle| {
        let words = format!("{}→{}", pull.label, pull.next_offset);
        (text_width(&words, Font::LabelBold) + 20.0).max(84.0)
    };
    // A pull keeps its place and its size while it is away.
    let wide: f64 = pulls.iter().map(|pull| full(pull) + 8.0).sum();
    let is_wide = wide - 8.0 <= area.width;
    let each = ((area.width + 4.0) / pulls.len().max(1) as f64 - 4.0).min(56.0);
    // Below this a label would not fit its lozenge.
    let shown =
        if is_wide || each >= 44.0 { pulls.len() } else { (area.width / 48.0) as usize - 1 };
    let (mut x, gap) = (area.x, if is_wide { 8.0 } else { 4.0 });
    let mut places = Vec::new();
    for pull in pulls.into_iter().take(shown) {
        let width = if is_wide { full(pull) } else { each.max(44.0) };
        places.push((pull, rect(x, area.y, width, 26.0)));
        x += width + gap;
    }
    (places, is_wide)
}

/// All pulls on one line, `area` being what is left of the header's line.
pub fn on_line(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    let (places, is_wide) = line_places(consumer, area);
    let shown = places.len();
    let mut x = area.x;
    for (pull, at) in places {
        one(pen, consumer, pull, at, is_wide);
        x = at.right() + if is_wide { 8.0 } else { 4.0 };
    }
    if shown < consumer.pulls.len() {
        let words = format!("+{}", consumer.pulls.len() - shown);
        pen.put(Mark::ground().words_at(x + 2.0, area.y + 19.0, words, Font::Note));
        return;
    }
    let words = line_note(pen, consumer);
    if !words.is_empty() && x + text_width(&words, Font::Note) <= area.right() + 2.0 {
        let mark = Mark::ground().termed(StageWord::AwaitsAnswer.term());
        pen.put(mark.words_at(x, area.y + 18.0, words, Font::Note));
    }
}

/// The place of a queue's pull on the line; behind the last where it has none yet.
pub fn place_on_line(consumer: &Consumer, area: Rect, queue: &MessageQueue) -> Rect {
    let (places, is_wide) = line_places(consumer, area);
    let own = places.iter().find(|(pull, _)| pull.queue == *queue).map(|(_, at)| *at);
    let behind = places.last().map_or(area.x, |(_, at)| at.right() + 4.0);
    own.unwrap_or(rect(behind, area.y, if is_wide { 84.0 } else { 44.0 }, 26.0))
}

/// The pull thread's seat in a room of its own; belt and tray beside and below it.
pub fn seat_in(area: Rect) -> Rect {
    rect(area.x + 12.0, area.y + 35.0, 84.0, 26.0)
}

pub fn belt_in(area: Rect) -> Rect {
    seat_in(area).moved(104.0, 1.0)
}

pub fn tray_in(area: Rect) -> Rect {
    rect(area.x + 8.0, area.y + 78.0, 84.0, 26.0)
}

/// That the answer is awaited, when it is of all of them; the reason when one is put off.
fn line_note(pen: &Pen<'_>, consumer: &Consumer) -> String {
    if consumer.pulls.iter().all(|pull| !is_home(pull)) {
        return pen.word(StageWord::AwaitsAnswer);
    }
    let put_off = consumer.pulls.iter().find_map(|pull| match pull.place {
        PullPlace::Postponed { reason, .. } => Some(reason),
        _ => None,
    });
    match put_off {
        Some(reason) => pen.say(StageText::Postponed { reason: postpone_word(reason) }),
        None => String::new(),
    }
}

fn one(pen: &mut Pen<'_>, consumer: &Consumer, pull: &Shuttle, at: Rect, with_offset: bool) {
    if !is_home(pull) {
        let ghost = Mark::of(id(consumer, pull), name(pen, pull), at)
            .path(lozenge(at), Paint::Ghost)
            .words_fitted(at.middle().x, at.y + 19.0, &pull.label, Font::Note, at.width - 16.0);
        pen.put(ghost);
        return;
    }
    let words = match with_offset {
        true => format!("{}→{}", pull.label, pull.next_offset),
        false => pull.label.to_string(),
    };
    let mut mark = shuttle(id(consumer, pull), name(pen, pull), words, at)
        .moving(TokenId::Pull(consumer.process, pull.queue.clone()));
    if let PullPlace::Postponed { since, until, .. } = pull.place {
        mark = mark.ring(at.width - 4.0, 2.0, 6.0, pen.part_left(since, until), false);
    }
    pen.put(mark);
}

/// A room of its own, where there is height: the thread with its one seat, belt, tray, ghosts.
pub fn room(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    let seat = rect(area.x + 8.0, area.y + 30.0, 92.0, 36.0);
    let title = pen.word(StageWord::PullThread);
    let mut ground = Mark::ground()
        .words_at(area.x + 4.0, area.y + 22.0, title, Font::Label)
        .path(format!("M{} {}v40h92v-40", seat.x, seat.y - 2.0), Paint::Heavy);
    let belt_y = seat.bottom() + 4.0;
    let belt_x = seat.right() + 12.0;
    let belt = format!("M{} {belt_y}H{}", N(belt_x), N(area.right() - 8.0));
    ground = ground.path(belt, Paint::Line).words_end(
        area.right() - 4.0,
        area.y + 22.0,
        "PullRequestQueue",
        Font::Note,
    );
    pen.put(ground);
    let mut x = seat.right() + 16.0;
    for pull in consumer.pulls.iter().filter(|pull| matches!(pull.place, PullPlace::Belt(_))) {
        if x + 84.0 > area.right() {
            break;
        }
        one(pen, consumer, pull, rect(x, seat.y + 6.0, 84.0, 26.0), true);
        x += 88.0;
    }
    if let Some(pull) = consumer.pulls.iter().find(|pull| pull.place == PullPlace::Seat) {
        one(pen, consumer, pull, rect(seat.x + 4.0, seat.y + 5.0, 84.0, 26.0), true);
    }
    in_pass(pen, consumer, rect(belt_x, seat.y, area.right() - 8.0 - belt_x, seat.height));
    elsewhere(pen, consumer, rect(area.x + 8.0, seat.bottom() + 12.0, area.width - 12.0, 26.0));
}

/// How many lie ready, over the belt that they are not yet on: it is empty until all are made.
fn in_pass(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    let made = consumer.pulls.iter().filter(|pull| pull.place == PullPlace::InPass).count();
    if made < 2 {
        return;
    }
    let count = StageText::PullsMade { count: made as u64 };
    let mark = Mark::of(MarkId::Rebalance(consumer.process), pen.say(count.clone()), area)
        .words_at(
            area.x,
            area.y + 14.0,
            cut(&pen.say(count), Font::LabelBold, area.width),
            Font::LabelBold,
        )
        .words_at(
            area.x,
            area.y + 32.0,
            cut(&pen.word(StageWord::NoneHandedOver), Font::Note, area.width),
            Font::Note,
        );
    pen.put(mark);
}

/// What is put off, with reason and ring; then ghosts of what is away.
fn elsewhere(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    let mut x = area.x;
    let mut away = retry_last(&consumer.pulls, |pull| &pull.queue);
    away.retain(|pull| !is_home(pull));
    // A reason must leave room for the ghosts of what is away.
    let right = area.right() - 47.0 * away.len().min(2) as f64;
    let put_off = |pull: &&Shuttle| matches!(pull.place, PullPlace::Postponed { .. });
    for pull in consumer.pulls.iter().filter(put_off) {
        let PullPlace::Postponed { reason, .. } = pull.place else { continue };
        let words = pen.say(StageText::Postponed { reason: postpone_word(reason) });
        let width = text_width(&words, Font::Note);
        if x + 84.0 > area.right() {
            return;
        }
        one(pen, consumer, pull, rect(x, area.y, 84.0, 26.0), true);
        // The pull itself is worth more than its reason, which is also told when it is chosen.
        if x + 84.0 + 10.0 + width > right {
            x += 84.0 + 8.0;
            continue;
        }
        let mark = Mark::ground().termed(Some(Term::PutOff));
        pen.put(mark.words_at(x + 92.0, area.y + 19.0, words, Font::Note));
        x += 84.0 + 18.0 + width;
    }
    if away.is_empty() {
        return;
    }
    let each = ((area.right() - x + 3.0) / away.len() as f64 - 3.0).clamp(44.0, 56.0);
    let fit = ((area.right() - x + 3.0) / (each + 3.0)).floor() as usize;
    // What does not fit is counted in the last one's place.
    let shown = if away.len() <= fit { away.len() } else { fit.saturating_sub(1) };
    for pull in away.iter().take(shown) {
        one(pen, consumer, pull, rect(x, area.y, each, 26.0), false);
        x += each + 3.0;
    }
    let words = match away.len() - shown {
        0 if away.iter().any(|pull| pull.place == PullPlace::InPass) => String::new(),
        0 => pen.word(StageWord::AwaitsAnswer),
        more => format!("+{more}"),
    };
    if x + 4.0 + text_width(&words, Font::Note) <= area.right() + 2.0 {
        let mark = Mark::ground().termed(StageWord::AwaitsAnswer.term());
        pen.put(mark.words_at(x + 4.0, area.y + 19.0, words, Font::Note));
    }
}
