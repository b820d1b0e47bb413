//! The schedule topic as a staircase of 18 pigeon-holes, and the pit of dead letters beside it.

use super::brush::{card_outline, cut};
use super::followed::corridor;
use super::pen::{Pen, marker_ground};
use crate::model::time::Millis;
use crate::scene::at_broker::{Broker, DelayLevel};
use crate::scene::card::{Card, MessageState};
use crate::scene::frame::{Glyph, Mark, Paint, Tip};
use crate::scene::geometry::{Font, Point, Rect, point, rect, text_width};
use crate::scene::mark::{MarkId, TokenId};
use crate::scene::plan::BrokerPlan;
use crate::text::stage::{MarkName, StageText, StageWord};

/// The stairs' foot above the broker's.
const FOOT: f64 = 56.0;

/// So long after its time a message is late: no master is there to hand it on.
pub const LATE: Millis = Millis::from_seconds(1);

/// The stairs' width: what the pit beside them leaves. 323 in the mock.
fn width(broker: Rect) -> f64 {
    broker.width - 133.0
}

/// One rectangle for each level, on one foot.
pub fn steps(levels: &[DelayLevel], broker: Rect) -> Vec<Rect> {
    let foot = broker.bottom() - FOOT;
    let widths = widths(levels, width(broker));
    let mut x = broker.x + 12.0;
    let mut steps = Vec::new();
    for (level, width) in levels.iter().zip(widths) {
        let height = height(level, width);
        steps.push(rect(x, foot - height, width, height));
        x += width;
    }
    steps
}

/// `24 + 10·log10(seconds)`; what holds a card is at least as high as the card needs.
fn height(level: &DelayLevel, width: f64) -> f64 {
    let seconds = (level.wait.ms() as f64 / 1000.0).max(1.0);
    let plain = (24.0 + 10.0 * seconds.log10()).round();
    match (level.cards.is_empty(), width > 40.0) {
        (false, _) => (plain + 3.0).max(if level.cards.len() > 1 { 50.0 } else { 42.0 }),
        (true, true) => plain + 2.0,
        (true, false) => plain,
    }
}

/// Occupied levels are wide, their neighbours half so, the rest slim.
fn widths(levels: &[DelayLevel], whole: f64) -> Vec<f64> {
    let count = levels.len();
    let slim_width = (whole / 46.0).floor();
    let occupied: Vec<bool> = levels.iter().map(|level| !level.cards.is_empty()).collect();
    let full = occupied.iter().filter(|full| **full).count();
    if full == 0 {
        return vec![whole / count.max(1) as f64; count];
    }
    let mut widths = vec![slim_width; count];
    let wide = 112.0_f64.min((whole - slim_width * (count - full) as f64) / full as f64);
    let mut left = whole - slim_width * (count - full) as f64 - wide * full as f64;
    for place in (0..count).filter(|place| occupied[*place]) {
        widths[place] = wide;
    }
    let neighbours: Vec<usize> = (0..count)
        .filter(|place| !occupied[*place])
        .filter(|place| {
            (*place > 0 && occupied[place - 1]) || (place + 1 < count && occupied[place + 1])
        })
        .collect();
    for place in &neighbours {
        let is_behind = *place > 0 && occupied[place - 1];
        let more = (if is_behind { 49.0_f64 } else { 37.0 }).min(left);
        // Half a widening would be room for nothing.
        if more >= 20.0 {
            widths[*place] += more;
            left -= more;
        }
    }
    // What is left over goes to the slim ones before the first wide one, else to the last.
    let slim = widths.iter().take_while(|width| **width == slim_width).count();
    match slim {
        0 => widths[count - 1] += left,
        slim => widths[..slim].iter_mut().for_each(|width| *width += left / slim as f64),
    }
    widths
}

pub fn staircase(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    let steps = steps(&broker.levels, plan.area);
    for (level, area) in broker.levels.iter().zip(&steps).filter(|(l, _)| l.cards.is_empty()) {
        let name = level_name(pen, level);
        let paint = if area.width > 40.0 { Paint::Box } else { Paint::Step };
        let mut mark = Mark::of(level_id(broker, level), name, *area).rect(*area, paint);
        if area.width > 40.0 {
            let base = area.bottom() - 11.0;
            mark = mark.words_mid(area.middle().x, base, level.level.to_string(), Font::Offset);
        }
        pen.put(mark);
    }
    for (level, area) in broker.levels.iter().zip(&steps) {
        if !level.cards.is_empty() {
            occupied(pen, broker, level, *area);
        }
    }
    labels(pen, broker, &steps, width(plan.area));
}

fn level_id(broker: &Broker, level: &DelayLevel) -> MarkId {
    MarkId::DelayLevel { broker: broker.index, level: level.level }
}

fn level_name(pen: &Pen<'_>, level: &DelayLevel) -> String {
    let cards = level.cards.len() as u32;
    pen.name(MarkName::Level { level: level.level, wait: level.wait, cards })
}

fn occupied(pen: &mut Pen<'_>, broker: &Broker, level: &DelayLevel, area: Rect) {
    let followed = level.cards.iter().any(|card| pen.is_followed(card.unique_key));
    let own = rect(0.0, 0.0, area.width, area.height);
    let mut mark = Mark::of(level_id(broker, level), level_name(pen, level), own)
        .placed(point(area.x, area.y))
        .followed(followed);
    if followed {
        mark = marker_ground(mark, own);
    }
    mark = mark.rect(own, Paint::Box);
    let base = own.bottom() - 14.0;
    let has_card = area.width >= 70.0;
    let figure_x = if has_card { 9.0 } else { own.width / 2.0 - 6.0 };
    mark = match area.width >= 24.0 {
        true => mark.words_at(figure_x, base, level.level.to_string(), Font::Offset),
        false => mark.circle(own.width / 2.0, own.height / 2.0, 4.0, Paint::Ink),
    };
    if !has_card && area.width >= 36.0 {
        mark = mark.band(own, MessageState::Delayed, 8.0, 1.0);
        if level.cards.len() > 1 {
            let count = format!("×{}", level.cards.len());
            mark = mark.words_mid(own.width / 2.0, 16.0, count, Font::Note);
        }
    }
    let figure = text_width(&level.level.to_string(), Font::Offset);
    let ring_x = own.width - 19.0;
    if area.width >= 100.0
        && let Some(due) = level.front_due_at
    {
        let part = pen.part_left(level.front_since, due);
        mark = mark.ring(ring_x, own.height / 2.0, 12.0, part, false);
    }
    pen.put(mark);
    if has_card {
        let x = area.x + 15.0 + figure.round();
        let width = (area.right() - if area.width >= 100.0 { 38.0 } else { 6.0 }) - x;
        pile(pen, broker, &level.cards, rect(x, area.bottom() - 39.0, width.min(48.0), 35.0));
    }
}

/// Where a send-back comes into the broker.
fn gate(pen: &Pen<'_>, broker: &Broker) -> Point {
    let area = pen.plan.broker(broker.index).map_or(pen.plan.broker_column, |plan| plan.area);
    point(area.right() - 16.0, corridor(area))
}

/// The front card; behind it the edges of two more.
fn pile(pen: &mut Pen<'_>, broker: &Broker, cards: &[Card], at: Rect) {
    let gate = gate(pen, broker);
    let width = at.width;
    for (depth, card) in cards.iter().enumerate().take(3).rev() {
        let own = rect(0.0, 0.0, width, at.height);
        let shift = 3.0 * depth as f64;
        let followed = pen.is_followed(card.unique_key);
        let in_front = pen.is_followed(cards[0].unique_key);
        let mut mark = Mark::of(
            MarkId::Copy(card.copy.clone()),
            pen.card_name(card, "SCHEDULE_TOPIC_XXXX"),
            own,
        )
        .placed(point(at.x + shift, at.y - shift))
        .moving(TokenId::Stored(card.copy.clone()))
        .of_message(card, gate)
        .in_state(MessageState::Delayed)
        .followed(followed || in_front)
        .path(card_outline(own, card.failures), Paint::Box);
        if depth == 0 {
            mark = mark.band(own, MessageState::Delayed, 8.0, 1.0).label_and_glyph(
                own,
                &card.label,
                Some(Glyph::Clock),
            );
        }
        pen.put(mark);
    }
}

/// Waits under the stairs: the occupied ones first, then their neighbours, then the ends.
fn labels(pen: &mut Pen<'_>, broker: &Broker, steps: &[Rect], width: f64) {
    let Some((first, last)) = broker.levels.first().zip(broker.levels.last()) else { return };
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
    for (level, step) in pairs().filter(|(level, _)| !level.cards.is_empty()) {
        let words = level_left(pen, level, step.width < 100.0);
        mark = place(mark, step.middle().x, words, Font::LabelBold);
    }
    for (level, step) in pairs().filter(|(level, step)| level.cards.is_empty() && step.width > 40.0)
    {
        let words = pen.say(StageText::Wait { wait: level.wait });
        mark = place(mark, step.middle().x, words, Font::Label);
    }
    let is_idle = pairs().all(|(level, _)| level.cards.is_empty());
    if is_idle {
        mark = place(mark, 0.0, pen.say(StageText::Wait { wait: first.wait }), Font::Label);
        for (level, step) in pairs().filter(|(level, _)| [5, 14].contains(&level.level)) {
            let words = pen.say(StageText::Wait { wait: level.wait });
            mark = place(mark, step.middle().x, words, Font::Label);
        }
        mark = place(mark, right, pen.say(StageText::Wait { wait: last.wait }), Font::Label);
    } else {
        let slim = slim_end(steps);
        mark = place(mark, slim, pen.say(StageText::UpTo { wait: last.wait }), Font::Label);
    }
    pen.put(mark);
}

/// The middle of the slim steps at the end.
fn slim_end(steps: &[Rect]) -> f64 {
    let slim: Vec<&Rect> = steps.iter().rev().take_while(|step| step.width < 20.0).collect();
    match (slim.last(), slim.first()) {
        (Some(from), Some(to)) => (from.x + to.right()) / 2.0,
        _ => f64::MAX,
    }
}

/// `23.8 s left`; of several the front one's; short where levels crowd.
fn level_left(pen: &Pen<'_>, level: &DelayLevel, is_short: bool) -> String {
    let left = level.front_due_at.map_or(Millis::ZERO, |due| pen.left(due));
    let late = level.front_due_at.map_or(Millis::ZERO, |due| pen.since(due));
    if late >= LATE {
        return pen.say(StageText::Late { by: late });
    }
    if is_short {
        return pen.say(StageText::Left { left });
    }
    let words = pen.say(StageText::LeftOf { left, of: level.wait });
    match level.cards.len() {
        0 | 1 => words,
        count => format!("×{count} {words}"),
    }
}

/// %DLQ%: a pit with a grille and no reader.
pub fn pit_area(broker: Rect) -> Rect {
    rect(broker.right() - 92.0, broker.bottom() - FOOT - 40.0, 84.0, 40.0)
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
        walls = Mark::of(MarkId::DeadLetters(dead.queue.clone()), name, rect(x, y, 84.0, 64.0));
    } else {
        let group = pen.scene.group.as_ref();
        title = group.map_or(String::new(), |group| format!("%DLQ%{group}"));
    }
    let mut grille = format!("M{x} {}H{right}", y + 6.0);
    for bar in 0..5 {
        grille.push_str(&format!("M{} {}v12", x + 14.0 + 14.0 * f64::from(bar), y));
    }
    walls = walls
        .path(format!("M{x} {y}V{}H{right}V{y}", y + 40.0), Paint::Heavy)
        .path(grille, Paint::Thin)
        .words_fitted(area.middle().x, y + 59.0, &title, Font::Label, 88.0);
    let cards = broker.dead_letters.as_ref().map_or(&[][..], |dead| &dead.cards);
    if cards.is_empty() {
        let empty = pen.word(StageWord::Empty);
        walls = walls.words_mid(area.middle().x, y + 32.0, empty, Font::Note);
    }
    pen.put(walls);
    let stairs_end = plan.area.x + 12.0 + width(plan.area);
    let arrow = format!("M{} {}H{}", stairs_end + 3.0, y + 22.0, x - 4.0);
    pen.put(Mark::ground().arrow(arrow, Paint::Next, Tip::Open));
    fallen(pen, broker, area);
}

/// The last dead letters on the pit's floor, and how many there are.
fn fallen(pen: &mut Pen<'_>, broker: &Broker, area: Rect) {
    let Some(dead) = &broker.dead_letters else { return };
    let gate = gate(pen, broker);
    let floor = area.bottom() - 26.0;
    let room = if dead.total > 2 { 1 } else { 2 };
    let shown = &dead.cards[dead.cards.len().saturating_sub(room)..];
    for (place, card) in shown.iter().enumerate() {
        let own = rect(0.0, 0.0, 36.0, 24.0);
        let followed = pen.is_followed(card.unique_key);
        let mut mark = Mark::of(MarkId::Copy(card.copy.clone()), pen.card_name(card, "%DLQ%"), own)
            .placed(point(area.x + 5.0 + 38.0 * place as f64, floor))
            .moving(TokenId::Stored(card.copy.clone()))
            .of_message(card, gate)
            .in_state(MessageState::Dead)
            .followed(followed);
        if followed {
            mark = mark.rect(own, Paint::Marker);
        }
        let label = cut(&card.label, Font::LabelBold, 16.0);
        mark = mark.glyph(Glyph::Dead, 1.0, 3.0, 18.0).words_at(21.0, 18.0, label, Font::LabelBold);
        pen.put(mark);
    }
    if dead.total > shown.len() as u64 {
        let words = format!("×{}", crate::text::format::count(dead.total));
        let x = area.x + 8.0 + 38.0 * shown.len() as f64;
        pen.put(Mark::ground().words_at(x, floor + 18.0, words, Font::Label));
    }
}
