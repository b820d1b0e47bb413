//! The schedule topic as a staircase of 18 levels, and the pit of dead letters beside it.
//!
//! Steps never change: a card stands on its step, with its ring and what is left beside it.

use super::brush::cut;
use super::card::{self, Look};
use super::followed::corridor;
use super::pen::Pen;
use crate::model::time::Millis;
use crate::scene::at_broker::{Broker, DelayLevel};
use crate::scene::card::{Card, MessageState};
use crate::scene::frame::{Mark, Paint, Tip};
use crate::scene::geometry::{Font, Point, Rect, point, rect, text_width};
use crate::scene::mark::{MarkId, TokenId};
use crate::scene::plan::BrokerPlan;
use crate::text::stage::{MarkName, StageText, StageWord};

/// The stairs' foot above the broker's.
const FOOT: f64 = 56.0;

/// So long after its time a message is late: no master is there to hand it on.
pub const LATE: Millis = Millis::from_seconds(1);

/// Levels 3 to 5, where a message waits after its first failures, are as wide as a card.
const WIDE_LEVELS: std::ops::RangeInclusive<u32> = 3..=5;
const WIDE_STEP: f64 = 54.0;
const PIT_HIGH: f64 = 54.0;

/// The stairs' width: what the pit beside them leaves. 323 in the mock.
fn width(broker: Rect) -> f64 {
    broker.width - 133.0
}

/// One rectangle for each level, on one foot: always the same.
pub fn steps(levels: &[DelayLevel], broker: Rect) -> Vec<Rect> {
    let foot = broker.bottom() - FOOT;
    let is_wide = |level: &DelayLevel| WIDE_LEVELS.contains(&level.level);
    let wide = levels.iter().filter(|level| is_wide(level)).count();
    let slim = levels.len() - wide;
    let rest = width(broker) - WIDE_STEP * wide as f64;
    let mut x = broker.x + 12.0;
    let mut steps = Vec::new();
    for level in levels {
        let width = if is_wide(level) { WIDE_STEP } else { rest / slim.max(1) as f64 };
        let height = height(level);
        steps.push(rect(x, foot - height, width, height));
        x += width;
    }
    steps
}

/// `12 + 8·log10(seconds)`.
fn height(level: &DelayLevel) -> f64 {
    let seconds = (level.wait.ms() as f64 / 1000.0).max(1.0);
    (12.0 + 8.0 * seconds.log10()).round()
}

/// Where a card stands on each step.
pub fn stands(pen: &Pen<'_>, levels: &[DelayLevel], broker: Rect) -> Vec<Rect> {
    let wide = card::width(pen, crate::model::offset::QueueOffset::ZERO);
    let (left, right) = (broker.x + 6.0, broker.x + 16.0 + width(broker));
    let stand = |step: Rect| {
        let x = (step.middle().x - wide / 2.0).clamp(left, right - wide).round();
        rect(x, step.y - card::HIGH, wide, card::HIGH)
    };
    steps(levels, broker).into_iter().map(stand).collect()
}

pub fn staircase(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    let steps = steps(&broker.levels, plan.area);
    for (level, area) in broker.levels.iter().zip(&steps) {
        let paint = match (level.cards.is_empty(), area.width > 40.0) {
            (false, _) | (true, true) => Paint::Box,
            (true, false) => Paint::Step,
        };
        let mark = Mark::of(level_id(broker, level), level_name(pen, level), *area);
        pen.put(mark.rect(*area, paint));
    }
    labels(pen, broker, &steps, width(plan.area));
    let stands = stands(pen, &broker.levels, plan.area);
    let mut taken: Vec<Rect> = Vec::new();
    for (level, at) in broker.levels.iter().zip(&stands).filter(|(it, _)| !it.cards.is_empty()) {
        taken.push(rect(at.x - 4.0, at.y, at.width + 8.0 + behind(level), at.height));
    }
    for (level, at) in broker.levels.iter().zip(&stands).filter(|(it, _)| !it.cards.is_empty()) {
        waiting(pen, broker, level, *at, &mut taken, plan.area);
    }
}

/// What the edges of those behind the front card add to its width.
fn behind(level: &DelayLevel) -> f64 {
    3.0 * (level.cards.len().min(3) as f64 - 1.0).max(0.0)
}

fn level_id(broker: &Broker, level: &DelayLevel) -> MarkId {
    MarkId::DelayLevel { broker: broker.index, level: level.level }
}

fn level_name(pen: &Pen<'_>, level: &DelayLevel) -> String {
    let cards = level.cards.len() as u32;
    pen.name(MarkName::Level { level: level.level, wait: level.wait, cards })
}

/// The cards of a level, and beside them the ring, what is left, and why it is this level.
fn waiting(
    pen: &mut Pen<'_>,
    broker: &Broker,
    level: &DelayLevel,
    at: Rect,
    taken: &mut Vec<Rect>,
    area: Rect,
) {
    pile(pen, broker, level, at);
    let Some(due) = level.front_due_at else { return };
    let left = level_left(pen, level);
    let failures = level.cards.first().map_or(0, |card| card.failures);
    let why = match failures {
        0 => String::new(),
        failures => pen.say(StageText::FailureLevel { failures, level: level.level }),
    };
    let count = match level.cards.len() {
        0 | 1 => String::new(),
        count => format!("×{count}"),
    };
    let head = [count, left].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ");
    let (big, note) = (text_width(&head, Font::Name), text_width(&why, Font::Note));
    let sides = |width: f64| {
        let right = at.right() + behind(level) + 6.0;
        [rect(right, at.y, width, 40.0), rect(at.x - 6.0 - width, at.y, width, 40.0)]
    };
    let end = area.x + 16.0 + width(area);
    let is_free = |room: &Rect, taken: &[Rect]| {
        room.x >= area.x + 4.0
            && room.right() <= end
            && taken.iter().all(|other| !other.meets(&room.inset(1.0)))
    };
    // With all of it, without the reason, or the ring alone.
    let all = [34.0 + big.max(note), 34.0 + big, 30.0];
    let found = all.iter().enumerate().find_map(|(form, width)| {
        let room = sides(*width).into_iter().find(|room| is_free(room, taken))?;
        Some((form, room))
    });
    let Some((form, room)) = found else { return };
    taken.push(room);
    let part = pen.part_left(level.front_since, due);
    let mut mark = Mark::of(level_id(broker, level), String::new(), Rect::default()).ring(
        room.x + 14.0,
        room.y + 21.0,
        12.0,
        part,
        false,
    );
    if form < 2 {
        // Under the reason, which is long and would lie on the steps of the highest levels.
        let base = if form < 1 { 38.0 } else { 28.0 };
        mark = mark.words_at(room.x + 33.0, room.y + base, head, Font::Name);
    }
    if form < 1 {
        mark = mark.words_at(room.x + 33.0, room.y + 17.0, why, Font::Note);
    }
    pen.put(mark);
}

/// Where a send-back comes into the broker.
fn gate(pen: &Pen<'_>, broker: &Broker) -> Point {
    let area = pen.plan.broker(broker.index).map_or(pen.plan.broker_column, |plan| plan.area);
    point(area.right() - 16.0, corridor(area))
}

/// The front card; behind it the edges of two more.
fn pile(pen: &mut Pen<'_>, broker: &Broker, level: &DelayLevel, at: Rect) {
    let gate = gate(pen, broker);
    let tag = format!("L{}", level.level);
    let front_is_followed = pen.is_followed(level.cards[0].unique_key);
    for (depth, card) in level.cards.iter().enumerate().take(3).rev() {
        let own = card::own(at);
        let shift = 3.0 * depth as f64;
        let is_followed = pen.is_followed(card.unique_key);
        let name = pen.card_name(card, "SCHEDULE_TOPIC_XXXX");
        let mark = Mark::of(MarkId::Copy(card.copy.clone()), name, own)
            .placed(point(at.x + shift, at.y))
            .moving(TokenId::Stored(card.copy.clone()))
            .of_message(card, gate)
            .in_state(MessageState::Delayed)
            .followed(is_followed || front_is_followed);
        pen.put(match depth {
            0 => {
                let look = Look::tagged(&tag).followed(is_followed);
                card::face(pen, mark, card, own, &look)
            }
            _ => mark.rect(own, Paint::Box),
        });
    }
}

/// Waits under the stairs: of the wide steps, of those that hold something, and of the last.
fn labels(pen: &mut Pen<'_>, broker: &Broker, steps: &[Rect], width: f64) {
    let Some((last, end)) = broker.levels.last().zip(steps.last()) else { return };
    let base = steps[0].bottom() + 19.0;
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let mut mark = Mark::ground();
    let (left, right) = (steps[0].x, steps[0].x + width + 8.0);
    let mut place = |mut mark: Mark, middle: f64, words: String, font: Font| -> Mark {
        let half = text_width(&words, font) / 2.0;
        let middle = middle.max(left + half).min(right - half);
        let span = (middle - half, middle + half);
        if !taken.iter().any(|&other| super::pen::spans_meet(other, span, 8.0)) {
            taken.push(span);
            mark = mark.words_mid(middle, base, words, font);
        }
        mark
    };
    let pairs = || broker.levels.iter().zip(steps);
    for (level, step) in pairs().filter(|(_, step)| step.width > 40.0) {
        let words = pen.say(StageText::Wait { wait: level.wait });
        let font = if level.cards.is_empty() { Font::Note } else { Font::LabelBold };
        mark = place(mark, step.middle().x, words, font);
    }
    for (level, step) in pairs().filter(|(it, step)| !it.cards.is_empty() && step.width <= 40.0) {
        let words = pen.say(StageText::Wait { wait: level.wait });
        mark = place(mark, step.middle().x, words, Font::LabelBold);
    }
    mark = place(mark, end.right(), pen.say(StageText::Wait { wait: last.wait }), Font::Note);
    pen.put(mark);
}

/// `23.8 s`; of several the front one's.
fn level_left(pen: &Pen<'_>, level: &DelayLevel) -> String {
    let left = level.front_due_at.map_or(Millis::ZERO, |due| pen.left(due));
    let late = level.front_due_at.map_or(Millis::ZERO, |due| pen.since(due));
    match late >= LATE {
        true => pen.say(StageText::Late { by: late }),
        false => pen.say(StageText::Left { left }),
    }
}

/// %DLQ%: a pit with a grille and no reader.
pub fn pit_area(broker: Rect) -> Rect {
    rect(broker.right() - 92.0, broker.bottom() - FOOT - PIT_HIGH, 84.0, PIT_HIGH)
}

/// Where the so-many-eth of the shown dead letters lies.
pub fn lies(pen: &Pen<'_>, pit: Rect, place: usize) -> Rect {
    let wide = card::width(pen, crate::model::offset::QueueOffset::ZERO);
    let x = pit.x + 4.0 + (wide + 4.0) * place as f64;
    rect(x, pit.bottom() - card::HIGH - 2.0, wide, card::HIGH)
}

pub fn pit(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    let area = pit_area(plan.area);
    let (x, y, right) = (area.x, area.y, area.right());
    let mut walls = Mark::ground();
    let title;
    if let Some(dead) = &broker.dead_letters {
        let group: crate::scene::card::Label = dead.group.as_str().into();
        title = dead.queue.topic.to_string();
        let name = pen.name(MarkName::DeadLetters { group, count: dead.total });
        let hit = rect(x, y, 84.0, PIT_HIGH + 22.0);
        walls = Mark::of(MarkId::DeadLetters(dead.queue.clone()), name, hit);
    } else {
        let group = pen.scene.group.as_ref();
        title = group.map_or(String::new(), |group| format!("%DLQ%{group}"));
    }
    let cards = broker.dead_letters.as_ref().map_or(&[][..], |dead| &dead.cards);
    let mut grille = format!("M{x} {}H{right}", y + 6.0);
    for bar in 0..5 {
        grille.push_str(&format!("M{} {}v12", x + 14.0 + 14.0 * f64::from(bar), y));
    }
    walls = walls
        .path(format!("M{x} {y}V{}H{right}V{y}", area.bottom()), Paint::Heavy)
        .words_fitted(area.middle().x - 2.0, area.bottom() + 19.0, &title, Font::Note, 88.0);
    if cards.is_empty() {
        let empty = pen.word(StageWord::Empty);
        let reader = pen.word(StageWord::NoReader);
        walls = walls
            .path(grille, Paint::Thin)
            .words_fitted(area.middle().x, y + 29.0, &empty, Font::Note, 78.0)
            .words_fitted(area.middle().x, y + 47.0, &reader, Font::Note, 78.0);
    }
    pen.put(walls);
    let stairs_end = plan.area.x + 12.0 + width(plan.area);
    let arrow = format!("M{} {}H{}", stairs_end + 3.0, area.bottom() - 10.0, x - 4.0);
    pen.put(Mark::ground().arrow(arrow, Paint::Next, Tip::Open));
    fallen(pen, broker, area);
}

/// The last dead letters on the pit's floor, and how many there are.
fn fallen(pen: &mut Pen<'_>, broker: &Broker, area: Rect) {
    let Some(dead) = broker.dead_letters.as_ref().filter(|dead| !dead.cards.is_empty()) else {
        return;
    };
    let gate = gate(pen, broker);
    let wide = lies(pen, area, 0).width;
    let fit = ((area.width - 4.0) / (wide + 4.0)).floor() as usize;
    let room = if dead.total > fit as u64 { 1 } else { fit };
    let shown: &[Card] = &dead.cards[dead.cards.len().saturating_sub(room)..];
    for (place, card) in shown.iter().enumerate() {
        let at = lies(pen, area, place);
        let own = card::own(at);
        let is_followed = pen.is_followed(card.unique_key);
        let mark = Mark::of(MarkId::Copy(card.copy.clone()), pen.card_name(card, "%DLQ%"), own)
            .placed(point(at.x, at.y))
            .moving(TokenId::Stored(card.copy.clone()))
            .of_message(card, gate)
            .in_state(MessageState::Dead)
            .followed(is_followed);
        let tag = card::tag(card, "d0", own.width);
        let look = Look::tagged(&tag).followed(is_followed);
        pen.put(card::face(pen, mark, card, own, &look));
    }
    if dead.total > shown.len() as u64 {
        let words = format!("×{}", crate::text::format::count(dead.total));
        let x = lies(pen, area, shown.len()).x;
        let words = cut(&words, Font::Note, area.right() - x);
        pen.put(Mark::ground().words_at(x, area.bottom() - 18.0, words, Font::Note));
    }
}
