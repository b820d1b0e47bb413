//! The broker's box: queues, retry queue, staircase, pit and ledger from top to bottom.

use super::brush::cut;
use super::ended::{self, Sign};
use super::pen::{Flow, Pen, retry_last};
use super::{bench, heading, lock, queue, retry, stairs};
use crate::model::ids::BrokerIndex;
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::scene::at_broker::{Broker, BrokerLedgerRow, Queue};
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect, text_width};
use crate::scene::layout::System;
use crate::scene::mark::MarkId;
use crate::scene::plan::{BrokerPlan, QueueForm, QueuePlan};
use crate::text::stage::{MarkName, ProcessWord, StageText, StageWord};

pub fn brokers(pen: &mut Pen<'_>) {
    let scene = pen.scene;
    for plan in pen.plan.brokers.clone() {
        let Some(broker) = scene.broker(plan.index) else { continue };
        ground(pen, &plan, broker);
        queues(pen, &plan, broker);
        if plan.is_full {
            if pen.layout.system != System::Rooms {
                heading::log_tape(pen, broker);
            }
            retry::queues(pen, &plan, broker);
            if broker.locks.is_empty() {
                stairs::staircase(pen, &plan, broker);
                stairs::pit(pen, &plan, broker);
            } else {
                lock::table(pen, &plan, broker);
            }
            ledger(pen, &plan, broker);
            members(pen, &plan, broker);
            condition(pen, &plan, broker);
        }
        if broker.is_up && broker.is_frozen {
            ended::glass(pen, plan.area);
        }
    }
}

fn ground(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    let paint = match broker.ended {
        _ if broker.is_up => Paint::Box,
        Some(ended) if !ended.is_killed => Paint::PanelBox,
        _ => Paint::Ghost,
    };
    let mut name = format!("{} {}", pen.word(StageWord::Broker), broker.label());
    let state = state_word(broker);
    if let Some(state) = state {
        name = format!("{name}, {}", pen.say(StageText::Process(state)));
    }
    let mut mark = Mark::of(MarkId::Broker(broker.index), name, plan.area).rect(plan.area, paint);
    if pen.scene.brokers.len() > 1 {
        mark = title(pen, mark, plan, broker);
    }
    pen.put(mark);
}

/// What there is to say of a broker that does not simply run.
fn state_word(broker: &Broker) -> Option<ProcessWord> {
    match broker.ended {
        _ if broker.is_up => broker.is_frozen.then_some(ProcessWord::Frozen),
        Some(ended) if ended.is_killed => Some(ProcessWord::Killed),
        Some(_) => Some(ProcessWord::Stopped),
        None => Some(ProcessWord::Down),
    }
}

/// Which of several brokers this is; on a folded one also how it is.
fn title(pen: &Pen<'_>, mark: Mark, plan: &BrokerPlan, broker: &Broker) -> Mark {
    let area = plan.area;
    let mut words = broker.label().to_string();
    let is_pair = |other: &&Broker| other.name == broker.name;
    if pen.scene.brokers.iter().filter(is_pair).count() > 1 {
        let role = if broker.broker_id > 0 { StageWord::Slave } else { StageWord::Master };
        words = format!("{words} · {}", pen.word(role));
    }
    let words = cut(&words, Font::LabelBold, area.width - 24.0);
    let end = area.x + 22.0 + text_width(&words, Font::LabelBold);
    let mark = mark.words_at(area.x + 10.0, area.y + 21.0, words, Font::LabelBold);
    let sign = match state_word(broker).filter(|_| !plan.is_full) {
        Some(ProcessWord::Killed) => Sign::Killed,
        Some(ProcessWord::Stopped) => Sign::Stopped,
        Some(ProcessWord::Frozen) => Sign::Frozen,
        _ => return mark,
    };
    let word = pen.say(StageText::Process(state_word(broker).unwrap_or(ProcessWord::Down)));
    let mark = ended::sign(mark, sign, point(end, area.y), &word, area.right() - 8.0 - end);
    let Some(ended) = broker.ended else { return mark };
    let ago = pen.say(StageText::Ago { span: pen.since(ended.at) });
    let from = end + ended::sign_width(&word) + 8.0;
    let ago = cut(&ago, Font::Note, area.right() - 8.0 - from);
    mark.words_at(from, area.y + 20.0, ago, Font::Note)
}

/// What is the matter with a broker, on a plate that is read from the last row.
fn condition(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    if !broker.is_up {
        return ended::broker(pen, broker, plan.area);
    }
    let corner = point(plan.area.right() - 240.0, plan.area.bottom() - 208.0);
    if broker.is_frozen {
        let word = pen.say(StageText::Process(ProcessWord::Frozen));
        let at = point(corner.x + 140.0 - ended::sign_width(&word), corner.y);
        return pen.put(ended::sign(Mark::ground(), Sign::Frozen, at, &word, 140.0));
    }
    let mut words = Vec::new();
    if !broker.is_writable {
        words.push(format!("✕ {}", pen.word(StageWord::WritesForbidden)));
    }
    if broker.slow_by > Millis::ZERO {
        words.push(pen.say(StageText::StoreSlower { by: broker.slow_by }));
    }
    if words.is_empty() {
        return;
    }
    let height = 12.0 + 24.0 * words.len() as f64;
    let at = rect(corner.x, corner.y, 140.0, height);
    let mut mark = Mark::ground().rect(at, Paint::Box).rect(at.inset(4.0), Paint::Thin);
    for (place, line) in words.iter().enumerate() {
        let base = at.y + 24.0 + 24.0 * place as f64;
        mark = mark.words_fitted(at.middle().x, base, line, Font::Name, at.width - 14.0);
    }
    pen.put(mark);
}

fn queues(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    let mut is_first = true;
    let all: Vec<(&QueuePlan, &Queue)> = plan
        .queues
        .iter()
        .filter_map(|row| Some((row, broker.queues.iter().find(|queue| queue.queue == row.queue)?)))
        .collect();
    for (row, queue) in all {
        if row.form == QueueForm::Line {
            queue::in_line(pen, queue, row);
            continue;
        }
        queue::in_full(pen, queue, row);
        if !broker.is_up {
            continue;
        }
        let seat = bench::seat(plan.area, queue::strip(pen, queue, row).slots.y);
        match broker.locks.iter().find(|lock| lock.queue == queue.queue) {
            Some(lock) => lock::on_gate(pen, lock, seat),
            None => {
                if is_first {
                    bench::heading(pen, seat);
                }
                bench::of_queue(pen, queue, seat);
            }
        }
        is_first = false;
    }
    if plan.more_queues > 0 {
        let id = MarkId::Broker(broker.index);
        queue::more(pen, plan.more_queues, plan.more_at, id);
    }
}

/// What the broker has stored for the group, on one line at its foot.
fn ledger(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    let area = plan.area;
    let (top, base) = (area.bottom() - 30.0, area.bottom() - 9.0);
    let name = pen.name(MarkName::Ledger { owner: broker.name.as_str().into() });
    let hit = rect(area.x + 4.0, top + 3.0, area.width - 8.0, 24.0);
    let word = pen.word(StageWord::Offsets);
    let mut mark = Mark::of(MarkId::BrokerLedger(broker.index), name, hit)
        .line(point(area.x, top), point(area.right(), top), Paint::Hair)
        .words_at(area.x + 12.0, base, word, Font::Label);
    let saved = match broker.ledger_is_saved {
        _ if broker.ledger.is_empty() => pen.word(StageWord::Empty),
        true => pen.word(StageWord::Saved),
        false => pen.word(StageWord::NotSaved),
    };
    let (places, more) =
        offset_places(broker, area, text_width(&pen.word(StageWord::NotSaved), Font::Note));
    for (row, x) in &places {
        let label = text_width(&row.label, Font::Label);
        mark = mark.words_at(*x, base, row.label.to_string(), Font::Label).words_at(
            x + label + 8.0,
            base,
            row.offset.to_string(),
            Font::LabelBold,
        );
    }
    if more > 0 {
        let x = places.last().map_or(area.x + 84.0, |(row, x)| x + ledger_width(row) + 14.0);
        mark = mark.words_at(x, base, format!("+{more}"), Font::Note);
    }
    pen.put(mark.words_end(area.right() - 12.0, base, saved, Font::Note));
}

/// Where each queue's figure starts, and how many there is no room for. At the mock's pitch of 88 as
/// long as that has room.
fn offset_places(broker: &Broker, area: Rect, state: f64) -> (Vec<(&BrokerLedgerRow, f64)>, usize) {
    let right = area.right() - 24.0 - state;
    let mut flow = Flow { x: area.x + 84.0, right };
    let rows = retry_last(&broker.ledger, |row| &row.queue);
    let all: f64 = rows.iter().map(|row| ledger_width(row)).sum();
    let gap = ((flow.right - flow.x - all) / rows.len().max(1) as f64).clamp(14.0, 40.0);
    let mut places = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let (width, left) = (ledger_width(row), rows.len() - place);
        let reserve = if left > 1 { gap + 24.0 } else { 0.0 };
        if flow.x + width + reserve > flow.right {
            return (places, left);
        }
        let Some(x) = flow.take_width(width, gap.min(88.0 - width).max(14.0)) else { break };
        places.push((*row, x));
    }
    (places, 0)
}

/// The figure of a queue among the broker's offsets; without a queue, or where it is not shown, the row.
pub fn offset_of(pen: &Pen<'_>, index: BrokerIndex, queue: Option<&MessageQueue>) -> Option<Rect> {
    let (broker, plan) = (pen.scene.broker(index)?, pen.plan.broker(index)?);
    let area = plan.area;
    let row = rect(area.x + 4.0, area.bottom() - 27.0, area.width - 8.0, 24.0);
    if !plan.is_full {
        return Some(area);
    }
    let saved = text_width(&pen.word(StageWord::NotSaved), Font::Note);
    let (places, _) = offset_places(broker, area, saved);
    let of = |of: &MessageQueue| {
        let (known, x) = places.iter().find(|(known, _)| known.queue == *of)?;
        Some(rect(*x - 2.0, row.y, ledger_width(known) + 4.0, row.height))
    };
    Some(queue.and_then(of).unwrap_or(row))
}

/// Who is in the group by the broker's list, where several share it.
fn members(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    if pen.scene.consumers.len() + pen.scene.company.to_come.len() < 2 || !broker.is_up {
        return;
    }
    let area = members_area(plan.area);
    let title = pen.word(StageWord::Members);
    let mut mark = Mark::ground();
    let mut x = area.right();
    let widest = area.x.max(super::retry::caption_end(broker, plan.area) + 8.0);
    let fit = ((x - widest) / MEMBER).floor().max(1.0) as usize;
    let count = broker.members.len();
    let shown = if count <= fit { count } else { fit.saturating_sub(1) };
    x -= MEMBER * (shown + usize::from(shown < count)) as f64;
    let from = super::retry::caption_end(broker, plan.area) + 10.0;
    if x - 6.0 - text_width(&title, Font::Note) >= from {
        mark = mark.words_end(x - 6.0, area.y + 15.0, title, Font::Note);
    }
    for label in broker.members.iter().take(shown) {
        let at = rect(x, area.y, MEMBER - 3.0, area.height);
        mark = mark.rect(at, Paint::Panel).words_fitted(
            at.middle().x,
            at.y + 15.0,
            label,
            Font::Note,
            at.width - 2.0,
        );
        x += MEMBER;
    }
    if shown < count {
        mark = mark.words_at(x + 2.0, area.y + 15.0, format!("+{}", count - shown), Font::Note);
    }
    pen.put(mark);
}

/// One of the list.
const MEMBER: f64 = 30.0;

/// The list of the group's consumers, above the retry queue.
pub fn members_area(broker: Rect) -> Rect {
    rect(broker.right() - 250.0, broker.bottom() - 219.0, 156.0, 19.0)
}

/// The tag at the end of a queue's strip with the name of who reads it, at the broker's edge.
pub fn owner_of(pen: &Pen<'_>, queue: &MessageQueue) -> Option<Rect> {
    let seat = super::spot::bench_of(pen, queue)?;
    let plan = pen.plan.queue(queue);
    if plan.is_some_and(|plan| plan.form == QueueForm::Line) {
        return Some(seat);
    }
    Some(owner_tag(seat))
}

/// The tag under a pull's seat, as far to the right as the broker goes.
pub fn owner_tag(seat: Rect) -> Rect {
    rect(seat.right() - 40.0, seat.bottom() + 20.0, 48.0, 22.0)
}

fn ledger_width(row: &BrokerLedgerRow) -> f64 {
    let offset = text_width(&row.offset.to_string(), Font::LabelBold).max(20.0);
    text_width(&row.label, Font::Label) + 8.0 + offset
}
