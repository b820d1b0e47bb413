//! One queue in full: strip, flags and brackets. Above it is the reader's side (P, in hand), below
//! it the ground (C, M, lag).

use super::brush::{N, cut};
use super::card::{self, Look};
use super::label_row::LabelRow;
use super::pen::Pen;
use super::strip::{BEHIND_BAR, OVERHANG, SLOTS_HIGH, Strip, strip_y};
use crate::model::offset::QueueOffset;
use crate::scene::at_broker::{Queue, Unreported};
use crate::scene::card::Label;
use crate::scene::frame::{Layer, Mark, Paint};
use crate::scene::geometry::{Font, Point, Rect, point, rect, text_width};
use crate::scene::mark::{Flag, MarkId, TokenId};
use crate::scene::plan::{QueueForm, QueuePlan};
use crate::text::Term;
use crate::text::stage::{MarkName, StageText, StageWord};

/// The strip of a queue in its row: what other drawings aim at.
pub fn strip(pen: &Pen<'_>, queue: &Queue, plan: &QueuePlan) -> Strip {
    let area = plan.area;
    let y = strip_y(plan.form, area.y);
    let room = rect(area.x + 80.0, y, area.width - 184.0, SLOTS_HIGH);
    Strip::of(queue, room, card::width(pen, queue.max_offset))
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
    let strip = strip(pen, queue, plan);
    let y = strip.slots.y;
    let id = MarkId::Queue(queue.queue.clone());
    let right = strip.slots.right().max(strip.slots.x + strip.slot_width) + 6.0;
    let area = rect(plan.area.x + 6.0, y + 1.0, right - plan.area.x - 6.0, SLOTS_HIGH - 2.0);
    let label = cut(&queue.label, Font::Name, 32.0);
    let mark = Mark::of(id, name(pen, queue), area);
    let mark = mark.words_at(plan.area.x + 10.0, y + 24.0, label, Font::Name);
    strip_and_flags(pen, mark, queue, &strip, plan.form);
}

/// The strip with all that stands on it; `mark` is the queue's own, with its name.
pub fn strip_and_flags(
    pen: &mut Pen<'_>,
    mark: Mark,
    queue: &Queue,
    strip: &Strip,
    form: QueueForm,
) {
    pen.put(ground(mark, strip));
    slots(pen, queue, strip);
    if let Some(old) = strip.old {
        pen.put(folded(queue, strip, old));
    }
    let bar = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default())
        .placed(point(strip.slots.right(), strip.slots.y))
        .moving(TokenId::Flag(Flag::Max, queue.queue.clone()))
        .line(point(0.0, -4.0), point(0.0, strip.slots.height + 8.0), Paint::End);
    pen.put(bar);
    above(pen, queue, strip, form);
    below(pen, queue, strip, form);
}

/// The offsets before the first slot, folded away: no slot, but a pleated packet. Only what C has
/// passed is on grey.
fn folded(queue: &Queue, strip: &Strip, old: Rect) -> Mark {
    let (min, last) = (queue.min_offset.0, strip.first - 1);
    let words = match last - min {
        0 => min.to_string(),
        _ => {
            let words = format!("{min}–{last}");
            // Of long ones the near end is what counts.
            match text_width(&words, Font::Note) <= 46.0 {
                true => words,
                false => format!("…{last}"),
            }
        }
    };
    let is_passed = queue.committed.is_some_and(|committed| committed.0 >= strip.first);
    let base = old.y + strip.base() - 1.0;
    let mut mark = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default());
    mark.layer = Layer::Tokens;
    let paint = if is_passed { Paint::PanelBox } else { Paint::Box };
    mark.path(pleated(rect(old.x, old.y, old.width - 4.0, old.height)), paint).words_fitted(
        old.middle().x - 3.0,
        base,
        &words,
        Font::Note,
        old.width - 7.0,
    )
}

/// A box whose right edge is folded; its left one is the wall at the oldest record.
fn pleated(area: Rect) -> String {
    const PLEATS: u32 = 3;
    let half = area.height / f64::from(2 * PLEATS);
    let down = format!("l-3 {h}l3 {h}", h = N(half)).repeat(PLEATS as usize);
    format!("M{} {}H{}{down}H{}z", N(area.x), N(area.y), N(area.right()), N(area.x))
}

/// Faint slots for what will come, so that the strip has its length from the start.
fn ground(mark: Mark, strip: &Strip) -> Mark {
    let taken = (strip.end - strip.first) as usize;
    mark.path(card::reserved(strip.whole(), strip.slot_width, taken, strip.fit), Paint::Hair)
}

/// Each slot is a card of its own: the oldest go under the fold when the strip slides, so that no card
/// is ever seen in two halves. Older ones lie on top.
fn slots(pen: &mut Pen<'_>, queue: &Queue, strip: &Strip) {
    for card in queue.slots.iter().filter(|card| card.offset.0 >= strip.first_leaving()) {
        let leaves = card.offset.0 < strip.first;
        let at = match strip.old.filter(|_| leaves) {
            Some(old) => rect(
                old.x.max(strip.slots.x - strip.slot_width),
                old.y,
                strip.slot_width,
                old.height,
            ),
            None if leaves => continue,
            None => strip.slot(card.offset),
        };
        let own = card::own(at);
        let is_followed = pen.follows(card) && !leaves;
        let mut mark =
            Mark::of(MarkId::Copy(card.copy.clone()), pen.card_name(card, &queue.label), own)
                .placed(point(at.x, at.y))
                .moving(TokenId::Stored(card.copy.clone()))
                .of_kin(card)
                .at_depth(if is_followed { 0 } else { -1 - card.offset.0 })
                .in_state(card.state)
                .followed(is_followed);
        mark.leaves = leaves;
        let is_passed = queue.committed.is_some_and(|committed| card.offset < committed);
        let tag = card::tag(card, &queue.label, at.width);
        let look = Look { is_passed, ..Look::tagged(&tag).followed(is_followed) };
        pen.put(card::face(pen, mark, card, own, &look));
    }
}

/// P and what is in hand.
fn above(pen: &mut Pen<'_>, queue: &Queue, strip: &Strip, form: QueueForm) {
    let Some(pull) = &queue.pull else { return };
    let y = strip.slots.y;
    let x = strip.x(pull.offset);
    let id = MarkId::Queue(queue.queue.clone());
    let token = TokenId::Flag(Flag::Pull, queue.queue.clone());
    let mut flag = Mark::of(id, String::new(), Rect::default())
        .termed(Some(Term::PullOffset))
        .placed(point(x, y))
        .moving(token);
    if let Some(process) = &pull.lost_with {
        let flag = flag.path("M0 -3l-7 -12h14z", Paint::Ghost);
        let mark = ended_pull(pen, flag, strip, form, (pull.offset.0, process));
        pen.put(mark);
        return;
    }
    let words = format!("P {}", pull.offset);
    let width = text_width(&words, Font::LabelBold);
    let is_right = x + 12.0 + width <= strip.limit + 20.0;
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

/// The words of a pull whose process is no more, on that side of its ghost where they have room.
fn ended_pull(
    pen: &Pen<'_>,
    flag: Mark,
    strip: &Strip,
    form: QueueForm,
    of: (i64, &Label),
) -> Mark {
    let (x, base) = (strip.x(QueueOffset(of.0)), above_base(form));
    let say = |in_full| {
        let (offset, process) = (of.0, of.1.clone());
        pen.say(StageText::PullEndedWith { offset, process, in_full })
    };
    let (left, right) = (x - 14.0 - (strip.slots.x - 70.0).max(0.0), strip.limit - x - 14.0);
    let words = [true, false].map(say);
    let fits = |words: &&String| text_width(words, Font::Note) <= left.max(right);
    let words = words.iter().find(fits).unwrap_or(&words[1]).clone();
    match text_width(&words, Font::Note) <= right {
        true => flag.words_at(14.0, base, words, Font::Note),
        false => flag.words_end(-14.0, base, words, Font::Note),
    }
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
    let count = queue.in_hand();
    // In full where the bracket is as long as that.
    let in_full = pen.say(StageText::InHand { count });
    let room = (pull_x - 10.0).min(right) - from.max(strip.slots.x);
    let words = match text_width(&in_full, Font::Label) + 12.0 <= room {
        true => in_full,
        false => pen.say(StageText::InHandShort { count }),
    };
    let width = text_width(&words, Font::Label);
    let d =
        format!("M{} {}V{}H{}v6", N(from), N(y - 2.0), N(y - 8.0), N((pull_x - 10.0).max(from)));
    let bracket = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default())
        .termed(Some(Term::Uncommitted))
        .path(d, Paint::Thin);
    // A short bracket's number stands before what is on its right.
    let middle = ((from + pull_x - 10.0) / 2.0).min(right - width / 2.0);
    // Where that would leave the broker, it stands behind P instead, and without room there nowhere.
    let middle = match middle - width / 2.0 < (strip.slots.x - 72.0).max(2.0) {
        true => {
            let flag = text_width(&format!("P {}", pull.offset), Font::LabelBold);
            pull_x + 26.0 + flag + width / 2.0
        }
        false => middle,
    };
    if middle + width / 2.0 > strip.limit + OVERHANG {
        return pen.put(bracket);
    }
    let base = y + above_base(form);
    let mark = match form {
        QueueForm::Full => bracket,
        _ => bracket
            .rect(rect(middle - width / 2.0 - 4.0, y - 16.0, width + 8.0, 14.0), Paint::Sheet),
    };
    pen.put(mark.words_mid(middle, base, words, Font::Label));
}

/// C and what the client would report, M and the lag.
fn below(pen: &mut Pen<'_>, queue: &Queue, strip: &Strip, form: QueueForm) {
    let end = strip.slots.right();
    let mut row = LabelRow::of(strip);
    let unreported = queue.unreported.as_ref().filter(|unreported| {
        queue.committed.is_none_or(|committed| strip.x(committed) != strip.x(unreported.offset))
    });
    for offset in queue.committed.iter().chain(unreported.map(|unreported| &unreported.offset)) {
        row.take_flag(strip.x(*offset));
    }
    let max = format!("M {}", queue.max_offset);
    let behind = row.take_at(end + BEHIND_BAR, &max, Font::LabelBold);
    commit(pen, queue, strip, &mut row, unreported);
    let beside =
        |row: &mut LabelRow| row.place_beside((end, end), text_width(&max, Font::LabelBold));
    if let Some(at) = behind.or_else(|| beside(&mut row)) {
        let mark = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default());
        let mark = mark.termed(Some(Term::MaxOffset));
        pen.put(mark.words_at(at, strip.slots.bottom() + 18.0, max, Font::LabelBold));
    }
    let folded = pen.word(StageWord::Older);
    let at = strip.old.and_then(|old| row.take_at((old.x - 2.0).max(0.0), &folded, Font::Note));
    if let Some(at) = at {
        pen.put(Mark::ground().words_at(at, strip.slots.bottom() + 18.0, folded, Font::Note));
    }
    lag(pen, queue, strip, form, &mut row);
}

/// C's flag, the ghost of what it will be, and one label for both: `C 49 → 50 in 5.0 s`.
fn commit(
    pen: &mut Pen<'_>,
    queue: &Queue,
    strip: &Strip,
    row: &mut LabelRow,
    unreported: Option<&Unreported>,
) {
    let y = strip.slots.bottom();
    let now = match queue.committed {
        Some(committed) => Some(format!("C {committed}")),
        None => unreported.map(|_| "C".to_owned()),
    };
    let then = unreported.map(|unreported| {
        let left = unreported.due_at.map(|due| pen.left(due));
        pen.say(StageText::Unreported { offset: unreported.offset.0, left })
    });
    let gap = if now.is_some() && then.is_some() { 5.0 } else { 0.0 };
    let width =
        |words: &Option<String>, font| words.as_ref().map_or(0.0, |it| text_width(it, font));
    let (first, second) = (width(&now, Font::LabelBold), width(&then, Font::Note));
    let at_c = queue.committed.map(|committed| strip.x(committed));
    let at_ghost = unreported.map(|unreported| strip.x(unreported.offset));
    let Some(left) = at_c.or(at_ghost) else { return };
    let all = first + gap + second;
    let right = at_ghost.unwrap_or(left);
    let both = row.place_beside((left, right), all);
    // Without room for all of it C's own value goes before.
    let (words_at, then) = match both {
        Some(at) => (Some(at), then),
        None => (row.place_beside((left, left), first), None),
    };
    if let Some(x) = at_ghost {
        flag(pen, queue, Flag::Unreported, point(x, y));
    }
    if let Some(x) = at_c {
        flag(pen, queue, Flag::Committed, point(x, y));
    }
    let Some(x) = words_at else { return };
    let mut mark = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default())
        .termed(Some(Term::CommittedOffset));
    if let Some(now) = now {
        mark = mark.words_at(x, y + 18.0, now, Font::LabelBold);
    }
    if let Some(then) = then {
        mark = mark.words_at(x + first + gap, y + 18.0, then, Font::Note);
    }
    pen.put(mark);
}

/// A flag in the ground.
fn flag(pen: &mut Pen<'_>, queue: &Queue, kind: Flag, at: Point) {
    let (paint, term) = match kind {
        Flag::Unreported => (Paint::GhostFlag, Term::UnreportedC),
        Flag::Max | Flag::Committed | Flag::Pull => (Paint::Ink, Term::CommittedOffset),
    };
    let mark = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default())
        .termed(Some(term))
        .placed(at)
        .moving(TokenId::Flag(kind, queue.queue.clone()))
        .path("M0 3l9 15h-18z", paint);
    pen.put(mark);
}

/// The bracket from C to M and what it measures.
fn lag(pen: &mut Pen<'_>, queue: &Queue, strip: &Strip, form: QueueForm, row: &mut LabelRow) {
    let count = queue.lag();
    let from = queue.committed.map_or(strip.slots.x, |committed| strip.x(committed));
    let end = strip.slots.right();
    let y = strip.slots.bottom();
    let words = match queue.oldest_unfinished_since {
        _ if count == 0 => return,
        Some(since) => pen.say(StageText::LagOldest { count, age: pen.since(since) }),
        None => pen.say(StageText::Lag { count }),
    };
    let mark = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default())
        .termed(Some(Term::Lag));
    if form != QueueForm::Full {
        // Beside the other labels, as far as there is room.
        let short = pen.say(StageText::Lag { count });
        for words in [words, short] {
            if let Some(at) = row.place_beside((end, end), text_width(&words, Font::Note)) {
                return pen.put(mark.words_at(at, y + 18.0, words, Font::Note));
            }
        }
        return;
    }
    let width = text_width(&words, Font::Label);
    // A short bracket's number stands where it has room, its end under the end of the log.
    let least = (strip.slots.x - 70.0).max(2.0) + width / 2.0;
    let middle = ((from + end) / 2.0).min(strip.limit + 8.0 - width / 2.0).max(least);
    let bracket = format!("M{} {}V{}H{}v-6", N(from), N(y + 20.0), N(y + 26.0), N(end));
    pen.put(mark.path(bracket, Paint::Thin).words_mid(middle, y + 40.0, words, Font::Label));
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
    match &queue.reader {
        Some(reader) if pen.scene.consumers.len() > 1 => numbers.push(format!("· {reader}")),
        Some(_) => {}
        None => numbers.push(pen.word(StageWord::NoReader)),
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
