//! One queue in full: strip, flags and brackets. Above it is the reader's side (P, in hand), below
//! it the ground (C, M, lag).

use super::brush::{N, cut};
use super::pen::{Pen, marker_ground, spans_meet};
use super::strip::{SLOTS_HIGH, Strip, slot_words, strip_y};
use crate::scene::at_broker::Queue;
use crate::scene::card::MessageState;
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Point, Rect, point, rect, text_width};
use crate::scene::mark::{Flag, MarkId, TokenId};
use crate::scene::plan::{QueueForm, QueuePlan};
use crate::text::stage::{MarkName, StageText, StageWord};

/// The strip of a queue in its row: what other drawings aim at.
pub fn strip(queue: &Queue, plan: &QueuePlan) -> Strip {
    let area = plan.area;
    let y = strip_y(plan.form, area.y);
    Strip::of(queue, area.x + 80.0, area.right() - 104.0, y)
}

pub fn name(pen: &Pen<'_>, queue: &Queue) -> String {
    pen.name(MarkName::Queue {
        label: queue.label.clone(),
        min: queue.min_offset.0,
        max: queue.max_offset.0,
        committed: queue.committed.map(|offset| offset.0),
        pull: queue.pull.as_ref().map(|pull| pull.offset.0),
        lag: queue.lag(),
    })
}

pub fn in_full(pen: &mut Pen<'_>, queue: &Queue, plan: &QueuePlan) {
    let strip = strip(queue, plan);
    let y = strip.slots.y;
    let id = MarkId::Queue(queue.queue.clone());
    let area = rect(plan.area.x + 6.0, y - 2.0, plan.area.width - 112.0, SLOTS_HIGH + 4.0);
    let label = cut(&queue.label, Font::Name, 32.0);
    let mark = Mark::of(id, name(pen, queue), area);
    let mark = mark.words_at(plan.area.x + 10.0, y + 24.0, label, Font::Name);
    strip_and_flags(pen, mark, queue, &strip, plan.form);
}

/// The strip with all that stands on it; `mark` is the queue's own, with its name.
pub fn strip_and_flags(
    pen: &mut Pen<'_>,
    mut mark: Mark,
    queue: &Queue,
    strip: &Strip,
    form: QueueForm,
) {
    if let Some(old) = strip.old {
        let last = strip.first - 1;
        let words = match queue.min_offset.0 {
            min if min == last => min.to_string(),
            min => {
                let words = format!("{min}–{last}");
                // Of long ones the near end is what counts.
                match text_width(&words, Font::Note) <= 46.0 {
                    true => words,
                    false => format!("…{last}"),
                }
            }
        };
        let base = old.y + strip.base() - 1.0;
        mark = mark.rect(old, Paint::PanelBox);
        mark = mark.words_fitted(old.middle().x, base, &words, Font::Note, 38.0);
    }
    pen.put(ground(mark, queue, strip));
    slots(pen, queue, strip);
    let bar = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default())
        .placed(point(strip.slots.right(), strip.slots.y))
        .moving(TokenId::Flag(Flag::Max, queue.queue.clone()))
        .line(point(0.0, -4.0), point(0.0, strip.slots.height + 8.0), Paint::End);
    pen.put(bar);
    above(pen, queue, strip, form);
    below(pen, queue, strip, form);
}

/// Slots' ground: what lies left of C is panel, the rest sheet; one edge around all.
fn ground(mark: Mark, queue: &Queue, strip: &Strip) -> Mark {
    let slots = strip.slots;
    if slots.width == 0.0 {
        let room = format!("M{} {}H{}", N(slots.x), N(slots.bottom()), N(strip.limit));
        return mark.path(room, Paint::Hair);
    }
    let mut mark = mark.rect(slots, Paint::Sheet);
    if let Some(committed) = queue.committed.filter(|committed| committed.0 > strip.first) {
        let width = (strip.x(committed) - slots.x).min(slots.width);
        mark = mark.rect(rect(slots.x, slots.y, width, slots.height), Paint::Panel);
    }
    let mut dividers = String::new();
    for offset in strip.first + 1..strip.end {
        let x = slots.x + strip.slot_width * (offset - strip.first) as f64;
        dividers.push_str(&format!("M{} {}V{}", N(x), N(slots.y), N(slots.bottom())));
    }
    if !dividers.is_empty() {
        mark = mark.path(dividers, Paint::Divider);
    }
    mark.rect(slots, Paint::Line)
}

fn slots(pen: &mut Pen<'_>, queue: &Queue, strip: &Strip) {
    for card in queue.slots.iter().filter(|card| card.offset.0 >= strip.first) {
        let at = strip.slot(card.offset);
        let area = rect(0.0, 0.0, at.width, at.height);
        let is_followed = pen.follows(card);
        let mut mark =
            Mark::of(MarkId::Copy(card.copy.clone()), pen.card_name(card, &queue.label), area)
                .placed(point(at.x, at.y))
                .moving(TokenId::Stored(card.copy.clone()))
                .of_message(card, point(at.x + at.width, at.y))
                .in_state(card.state)
                .followed(is_followed);
        if is_followed {
            mark = marker_ground(mark, area).rect(area, Paint::Box);
        }
        if card.state == MessageState::Lost {
            mark = mark.rect(area.inset(3.0), Paint::Ghost);
        }
        let (words, font) = slot_words(card.offset);
        pen.put(mark.words_mid(at.width / 2.0, strip.base(), words, font));
    }
}

/// P and what is in hand.
fn above(pen: &mut Pen<'_>, queue: &Queue, strip: &Strip, form: QueueForm) {
    let Some(pull) = &queue.pull else { return };
    let y = strip.slots.y;
    let x = strip.x(pull.offset);
    let id = MarkId::Queue(queue.queue.clone());
    let token = TokenId::Flag(Flag::Pull, queue.queue.clone());
    let mut flag = Mark::of(id, String::new(), Rect::default()).placed(point(x, y)).moving(token);
    if let Some(process) = &pull.lost_with {
        let words =
            pen.say(StageText::PullLostWith { offset: pull.offset.0, process: process.clone() });
        flag = flag.path("M0 -3l-7 -12h14z", Paint::Ghost);
        let font = Font::Note;
        flag = match x - strip.slots.x > text_width(&words, font) {
            true => flag.words_end(-14.0, -5.0, words, font),
            false => flag.words_at(14.0, -5.0, words, font),
        };
        pen.put(flag);
        return;
    }
    let words = format!("P {}", pull.offset);
    let width = text_width(&words, Font::LabelBold);
    let is_right = x + 12.0 + width <= strip.limit + 4.0;
    let base = above_base(form);
    if form != QueueForm::Full && !is_right {
        flag = flag.rect(rect(-14.0 - width, base - 14.0, width + 6.0, 16.0), Paint::Sheet);
    }
    flag = flag.path("M0 -3l-7 -12h14z", Paint::Box);
    flag = match is_right {
        true => flag.words_at(12.0, base, words, Font::LabelBold),
        false => flag.words_end(-12.0, base, words, Font::LabelBold),
    };
    let mut right = x - 12.0;
    if !is_right {
        right -= width + 8.0;
    }
    in_hand(pen, queue, strip, form, right);
    pen.put(flag);
}

/// Base line of what stands above a strip, relative to it.
const fn above_base(form: QueueForm) -> f64 {
    match form {
        QueueForm::Full => -13.0,
        QueueForm::Tight | QueueForm::Line => -3.0,
    }
}

/// The bracket from C to P; its number ends before `right`.
fn in_hand(pen: &mut Pen<'_>, queue: &Queue, strip: &Strip, form: QueueForm, right: f64) {
    let (Some(committed), Some(pull)) = (queue.committed, &queue.pull) else { return };
    if queue.in_hand() == 0 {
        return;
    }
    let pull_x = strip.x(pull.offset);
    let from = strip.x(committed);
    let y = strip.slots.y;
    let words = pen.say(StageText::InHand { count: queue.in_hand() });
    let width = text_width(&words, Font::Label);
    let d =
        format!("M{} {}V{}H{}v6", N(from), N(y - 2.0), N(y - 8.0), N((pull_x - 10.0).max(from)));
    let bracket = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default())
        .path(d, Paint::Thin);
    // A short bracket's number stands before what is on its right.
    let middle = ((from + pull_x - 10.0) / 2.0).min(right - width / 2.0);
    // Where that would leave the broker, it stands behind P instead.
    let middle = match middle - width / 2.0 < strip.slots.x - 72.0 {
        true => {
            let flag = text_width(&format!("P {}", pull.offset), Font::LabelBold);
            pull_x + 26.0 + flag + width / 2.0
        }
        false => middle,
    };
    let base = y + above_base(form);
    let mark = match form {
        QueueForm::Full => bracket,
        _ => bracket
            .rect(rect(middle - width / 2.0 - 4.0, y - 16.0, width + 8.0, 14.0), Paint::Sheet),
    };
    pen.put(mark.words_mid(middle, base, words, Font::Label));
}

/// C, what the client would report, M and the lag.
fn below(pen: &mut Pen<'_>, queue: &Queue, strip: &Strip, form: QueueForm) {
    let end = strip.slots.right();
    let mut row = LabelRow::of(strip);
    let unreported = queue.unreported.as_ref().filter(|unreported| {
        queue.committed.is_none_or(|committed| strip.x(committed) != strip.x(unreported.offset))
    });
    for offset in queue.committed.iter().chain(unreported.map(|unreported| &unreported.offset)) {
        row.take_flag(strip.x(*offset));
    }
    if let Some(committed) = queue.committed {
        let x = strip.x(committed);
        let words = format!("C {committed}");
        let at = row.place(x, &words, Font::LabelBold, Side::Left);
        flag(pen, queue, Flag::Committed, point(x, strip.slots.bottom()), (words, at));
    }
    let words = format!("M {}", queue.max_offset);
    // On the right of the bar there is room only as long as the strip is short.
    let width = text_width(&words, Font::LabelBold);
    let side = if end + 10.0 + width < strip.limit { Side::Right } else { Side::Left };
    let at = row.place(end, &words, Font::LabelBold, side);
    if let Some(at) = at {
        let mark = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default());
        pen.put(mark.words_at(at, strip.slots.bottom() + 18.0, words, Font::LabelBold));
    }
    if let Some(unreported) = unreported {
        let x = strip.x(unreported.offset);
        let left = unreported.due_at.map(|due| pen.left(due));
        let words = match left {
            Some(left) => pen.say(StageText::UnreportedIn { offset: unreported.offset.0, left }),
            None => unreported.offset.to_string(),
        };
        let at = row.place(x, &words, Font::Note, Side::Right);
        flag(pen, queue, Flag::Unreported, point(x, strip.slots.bottom()), (words, at));
    }
    lag(pen, queue, strip, form);
}

/// A flag in the ground with its label, if there is room for one.
fn flag(
    pen: &mut Pen<'_>,
    queue: &Queue,
    kind: Flag,
    at: Point,
    (words, words_at): (String, Option<f64>),
) {
    let (paint, font) = match kind {
        Flag::Unreported => (Paint::GhostFlag, Font::Note),
        _ => (Paint::Ink, Font::LabelBold),
    };
    let mut mark = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default())
        .placed(at)
        .moving(TokenId::Flag(kind, queue.queue.clone()))
        .path("M0 3l9 15h-18z", paint);
    if let Some(x) = words_at {
        mark = mark.words_at(x - at.x, 18.0, words, font);
    }
    pen.put(mark);
}

/// The bracket from C to M and what it measures.
fn lag(pen: &mut Pen<'_>, queue: &Queue, strip: &Strip, form: QueueForm) {
    let count = queue.lag();
    let from = queue.committed.map_or(strip.slots.x, |committed| strip.x(committed));
    let end = strip.slots.right();
    let y = strip.slots.bottom();
    let words = match queue.oldest_unfinished_since {
        _ if count == 0 => return,
        Some(since) => pen.say(StageText::LagOldest { count, age: pen.since(since) }),
        None => pen.say(StageText::Lag { count }),
    };
    let width = text_width(&words, Font::Label);
    // A short bracket's number stands where it has room, its end under the end of the log.
    let least = (strip.slots.x - 70.0).max(2.0) + width / 2.0;
    let middle = ((from + end) / 2.0).min(strip.limit + 8.0 - width / 2.0).max(least);
    let mark = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default());
    let bracket = format!("M{} {}V{}H{}v-6", N(from), N(y + 20.0), N(y + 26.0), N(end));
    let mark = match form {
        QueueForm::Full => {
            mark.path(bracket, Paint::Thin).words_mid(middle, y + 44.0, words, Font::Label)
        }
        _ => {
            let plate = rect(middle - width / 2.0 - 4.0, y + 22.0, width + 8.0, 14.0);
            mark.path(bracket, Paint::Thin).rect(plate, Paint::Sheet).words_mid(
                middle,
                y + 35.0,
                words,
                Font::Label,
            )
        }
    };
    pen.put(mark);
}

/// Labels under a strip that must not stand on each other.
struct LabelRow {
    taken: Vec<(f64, f64)>,
    left: f64,
    right: f64,
}

/// On which side of its flag a label would rather stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl LabelRow {
    fn of(strip: &Strip) -> LabelRow {
        let end = strip.slots.right();
        let left = (strip.slots.x - 76.0).max(0.0);
        LabelRow { taken: vec![(end - 3.0, end + 3.0)], left, right: strip.limit + 2.0 }
    }

    fn take_flag(&mut self, x: f64) {
        self.taken.push((x - 9.0, x + 9.0));
    }

    /// Where words start that belong to a flag at `x`: beside it, or as near as there is room;
    /// `None` if there is none.
    fn place(&mut self, x: f64, words: &str, font: Font, side: Side) -> Option<f64> {
        let width = text_width(words, font);
        let is_free = |from: f64| {
            let span = (from, from + width);
            from >= self.left
                && span.1 <= self.right
                && !self.taken.iter().any(|&taken| spans_meet(taken, span, 3.0))
        };
        // The bar is thinner than a flag.
        let left = x - 14.0 - width;
        let wanted = if side == Side::Left { left } else { x + 14.0 };
        let other = if side == Side::Left { x + 14.0 } else { left };
        let near = (0..80).flat_map(|n| [wanted - 4.0 * f64::from(n), wanted + 4.0 * f64::from(n)]);
        let at =
            [wanted, wanted + 8.0, other].into_iter().chain(near).find(|from| is_free(*from))?;
        self.taken.push((at, at + width));
        Some(at)
    }
}

/// One queue on one line: name and numbers.
pub fn in_line(pen: &mut Pen<'_>, queue: &Queue, plan: &QueuePlan) {
    let area = plan.area;
    let y = area.y + 18.0;
    let mut numbers = Vec::new();
    if let Some(committed) = queue.committed {
        numbers.push(format!("C {committed}"));
    }
    if let Some(pull) = &queue.pull {
        numbers.push(format!("P {}", pull.offset));
    }
    numbers.push(format!("M {}", queue.max_offset));
    if queue.reader.is_none() {
        numbers.push(pen.word(StageWord::NoReader));
    }
    let right = area.right() - 10.0 - if queue.held.is_some() { 22.0 } else { 0.0 };
    let start = area.x + 10.0 + text_width(&queue.label, Font::LabelBold).max(24.0);
    let words = cut(&numbers.join("  "), Font::Note, right - start);
    let inner = rect(area.x, area.y + 1.0, area.width - 8.0, area.height - 2.0);
    let mut mark = Mark::of(MarkId::Queue(queue.queue.clone()), name(pen, queue), inner)
        .line(point(inner.x, inner.bottom()), point(inner.right(), inner.bottom()), Paint::Hair)
        .words_at(area.x, y, queue.label.to_string(), Font::LabelBold)
        .words_at(start, y, words, Font::Note);
    if let Some(held) = &queue.held {
        let part = pen.part_left(held.since, held.until);
        mark = mark.ring(inner.right() - 10.0, inner.middle().y, 7.0, part, false);
    }
    pen.put(mark);
}

/// Queues for which there is not even a line.
pub fn more(pen: &mut Pen<'_>, count: u32, area: Rect, id: MarkId) {
    let words = pen.say(StageText::MoreQueues { count });
    let mark = Mark::of(id, words.clone(), area).words_at(area.x, area.y + 18.0, words, Font::Note);
    pen.put(mark);
}
