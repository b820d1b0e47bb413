//! The geography: headings, the network strip, the name server's sign and the commit log's tape.

use super::brush::{N, cut};
use super::pen::Pen;
use crate::scene::at_broker::{Broker, LogRecord};
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, point, rect, text_width};
use crate::scene::mark::MarkId;
use crate::text::stage::{MarkName, StageText, StageWord};

const BASE_LINE: f64 = 24.0;

pub fn headings(pen: &mut Pen<'_>) {
    let group = pen.scene.group.clone();
    let consumers = match &group {
        Some(group) => pen.say(StageText::ConsumersOfGroup { group: group.as_str().into() }),
        None => pen.word(StageWord::Consumers),
    };
    let (broker, gutter) = (pen.plan.broker_column, pen.plan.gutter);
    let column = pen.plan.consumer_column;
    let heading = Mark::ground()
        .words_at(8.0, BASE_LINE, pen.word(StageWord::Producer), Font::LabelBold)
        .words_at(broker.x, BASE_LINE, pen.word(StageWord::Broker), Font::LabelBold)
        .words_mid(gutter.middle().x, BASE_LINE, pen.word(StageWord::Network), Font::Note)
        .words_at(
            column.x,
            BASE_LINE,
            cut(&consumers, Font::LabelBold, column.width),
            Font::LabelBold,
        );
    pen.put(heading);
    let ground = rect(gutter.x, gutter.y, gutter.width, gutter.height);
    pen.put(Mark::ground().rect(ground, Paint::Panel));
    name_servers(pen);
}

fn name_servers(pen: &mut Pen<'_>) {
    let words = pen.word(StageWord::NameServer);
    let right = pen.plan.broker_column.right() - 16.0;
    for (place, server) in pen.scene.name_servers.iter().take(1).enumerate() {
        let x = right - 140.0 * (place + 1) as f64;
        let paint = if server.is_up { Paint::Box } else { Paint::Ghost };
        let area = rect(x, 8.0, 130.0, 20.0);
        let mut name = words.clone();
        if !server.is_up {
            name = format!("✕ {name}");
        }
        if pen.scene.name_servers.len() > 1 {
            name = format!("{name} ×{}", pen.scene.name_servers.len());
        }
        let sign = Mark::of(MarkId::NameServer(server.index), name.clone(), area)
            .path(format!("M{x} 8h120l10 10l-10 10h-120z", x = N(x)), paint)
            .words_at(x + 12.0, 23.5, cut(&name, Font::Note, 112.0), Font::Note);
        pen.put(sign);
    }
}

/// The last records of the commit log, newest at the right end, beside the broker's heading.
pub fn log_tape(pen: &mut Pen<'_>, broker: &Broker) {
    let column = pen.plan.broker_column;
    let left = column.x + 8.0 + text_width(&pen.word(StageWord::Broker), Font::LabelBold);
    let right = column.right() - 16.0 - 140.0 - 12.0;
    let log = &broker.commit_log;
    let words = |record: &LogRecord| format!("{} {}", record.label, record.queue);
    let widest = log.records.iter().map(|record| text_width(&words(record), Font::Note));
    let width = widest.fold(38.0, f64::max).min(74.0) + 8.0;
    let count = (((right - left) / width).floor() as usize).min(log.records.len());
    if count == 0 {
        return;
    }
    let shown = &log.records[log.records.len() - count..];
    let end = left + width * count as f64;
    let name = pen.name(MarkName::Log { count: log.total });
    let area = rect(left, 6.0, end - left, 24.0);
    let mut tape = Mark::of(MarkId::CommitLog(broker.index), name, area)
        .rect(rect(left, 8.0, end - left, 20.0), Paint::Panel)
        .path(format!("M{l} 8H{e}M{l} 28H{e}", l = N(left), e = N(end)), Paint::Thin);
    for (place, record) in shown.iter().enumerate() {
        let x = left + width * place as f64;
        let paint = if record.is_dispatched { Paint::Divider } else { Paint::Line };
        let words = cut(&words(record), Font::Note, width - 4.0);
        tape = tape.line(point(x + width, 8.0), point(x + width, 28.0), paint).words_mid(
            x + width / 2.0,
            23.5,
            words,
            Font::Note,
        );
    }
    pen.put(tape.line(point(end, 5.0), point(end, 31.0), Paint::Plank));
}
