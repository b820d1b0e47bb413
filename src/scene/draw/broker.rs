//! The broker's box: queues, retry queue, staircase, pit and ledger from top to bottom.

use super::brush::cut;
use super::pen::{Flow, Pen, retry_last};
use super::{bench, consumer, heading, lock, queue, retry, stairs};
use crate::model::time::Millis;
use crate::scene::at_broker::{Broker, BrokerLedgerRow, Queue};
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, point, rect, text_width};
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
            heading::log_tape(pen, broker);
            retry::queues(pen, &plan, &broker.retry_queues);
            if broker.locks.is_empty() {
                stairs::staircase(pen, &plan, broker);
                stairs::pit(pen, &plan, broker);
            } else {
                lock::table(pen, &plan, broker);
            }
            ledger(pen, &plan, broker);
            condition(pen, &plan, broker);
        }
        if broker.is_frozen {
            consumer::glass(pen, plan.area);
        }
    }
}

fn ground(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    let paint = if broker.is_up { Paint::Box } else { Paint::Ghost };
    let mut name = format!("{} {}", pen.word(StageWord::Broker), broker.name);
    if !broker.is_up {
        name = format!("{name}, {}", pen.say(StageText::Process(ProcessWord::Down)));
    }
    let mut mark = Mark::of(MarkId::Broker(broker.index), name, plan.area).rect(plan.area, paint);
    if !plan.is_full {
        let mut words = broker.name.to_string();
        if broker.broker_id > 0 {
            words = format!("{words} · {}", pen.word(StageWord::Slave));
        }
        if broker.is_frozen {
            words = format!("{words} · {}", pen.say(StageText::Process(ProcessWord::Frozen)));
        }
        if !broker.is_up {
            words = format!("{words} · ✕ {}", pen.say(StageText::Process(ProcessWord::Down)));
        }
        let words = cut(&words, Font::LabelBold, plan.area.width - 24.0);
        mark = mark.words_at(plan.area.x + 10.0, plan.area.y + 22.0, words, Font::LabelBold);
    }
    pen.put(mark);
}

/// What is the matter with a broker, on a plate that is read from the last row.
fn condition(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    let mut words = Vec::new();
    if !broker.is_up {
        words.push(format!("✕ {}", pen.say(StageText::Process(ProcessWord::Down))));
    }
    if broker.is_frozen {
        words.push(pen.say(StageText::Process(ProcessWord::Frozen)));
    }
    if broker.is_up && !broker.is_writable {
        words.push(format!("✕ {}", pen.word(StageWord::WritesForbidden)));
    }
    if broker.is_up && broker.slow_by > Millis::ZERO {
        words.push(pen.say(StageText::StoreSlower { by: broker.slow_by }));
    }
    if broker.broker_id > 0 {
        words.push(pen.word(StageWord::Slave));
    }
    if words.is_empty() {
        return;
    }
    let height = 12.0 + 24.0 * words.len() as f64;
    let at = rect(plan.area.right() - 240.0, plan.area.bottom() - 208.0, 140.0, height);
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
        let seat = bench::seat(plan.area, queue::strip(queue, row).slots.y);
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
    let word = pen.word(StageWord::Ledger);
    let mut mark = Mark::of(MarkId::BrokerLedger(broker.index), name, hit)
        .line(point(area.x, top), point(area.right(), top), Paint::Hair)
        .words_at(area.x + 12.0, base, word, Font::Label);
    let saved = match broker.ledger_is_saved {
        _ if broker.ledger.is_empty() => pen.word(StageWord::Empty),
        true => pen.word(StageWord::Saved),
        false => pen.word(StageWord::NotSaved),
    };
    let end = area.right() - 12.0 - text_width(&saved, Font::Note);
    let mut flow = Flow { x: area.x + 84.0, right: end - 12.0 };
    let rows = retry_last(&broker.ledger, |row| &row.queue);
    let widths: Vec<f64> = rows.iter().map(|row| ledger_width(row)).collect();
    let room = flow.right - flow.x;
    let all: f64 = widths.iter().sum();
    // At the mock's pitch of 88 as long as that has room.
    let gap = ((room - all) / rows.len().max(1) as f64).clamp(14.0, 40.0);
    for (place, (row, width)) in rows.iter().zip(&widths).enumerate() {
        let left = rows.len() - place;
        let reserve = if left > 1 { gap + 24.0 } else { 0.0 };
        if flow.x + width + reserve > flow.right {
            mark = mark.words_at(flow.x, base, format!("+{left}"), Font::Note);
            break;
        }
        let Some(x) = flow.take_width(*width, gap.min(88.0 - width).max(14.0)) else { break };
        let label = text_width(&row.label, Font::Label);
        mark = mark.words_at(x, base, row.label.to_string(), Font::Label).words_at(
            x + label + 8.0,
            base,
            row.offset.to_string(),
            Font::LabelBold,
        );
    }
    pen.put(mark.words_end(area.right() - 12.0, base, saved, Font::Note));
}

fn ledger_width(row: &BrokerLedgerRow) -> f64 {
    let offset = text_width(&row.offset.to_string(), Font::LabelBold);
    text_width(&row.label, Font::Label) + 8.0 + offset
}
