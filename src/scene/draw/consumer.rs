//! A consumer process: a dashed frame, since what is inside dies with it; in it, from top to bottom,
//! pull room, shelves, workers, ledger.

use super::brush::cut;
use super::pen::{Flow, Pen, retry_last};
use super::{ended, pulls, shelf, start, workers};
use crate::model::message_queue::MessageQueue;
use crate::scene::at_consumer::{Consumer, ConsumerLedgerRow, ProcessState};
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect, text_width};
use crate::scene::mark::MarkId;
use crate::text::stage::{MarkName, ProcessWord, StageText, StageWord};

/// The rooms of a process that is drawn in full.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rooms {
    /// The header's line: name, and the pulls where they have no room of their own.
    pub header: Rect,
    pub pulls: Option<Rect>,
    pub shelves: Rect,
    pub workers: Rect,
    pub ledger: Rect,
}

impl Rooms {
    pub fn of(consumer: &Consumer, area: Rect) -> Rooms {
        let inner = rect(area.x + 8.0, area.y, area.width - 16.0, area.height);
        let shelves = consumer.shelves.len() + consumer.refused.len();
        let heights = match area.height {
            0.0..200.0 => Rooms::low(area.height),
            200.0..260.0 => Rooms::middling(area.height),
            260.0..380.0 => Rooms::tall(area.height),
            _ => Rooms::high(area.height, shelves),
        };
        let mut y = inner.y;
        let mut next = |height: f64| {
            let room = rect(inner.x, y, inner.width, height);
            y += height;
            room
        };
        let [header, pulls, shelves, workers, ledger] = heights;
        Rooms {
            header: next(header),
            pulls: (pulls > 0.0).then(|| next(pulls)),
            shelves: next(shelves),
            workers: next(workers),
            ledger: next(ledger),
        }
    }

    /// Three or four share a column: one row of shelves, one of seats.
    const fn low(height: f64) -> [f64; 5] {
        let (header, ledger, workers) = (27.0, 20.0, 47.0);
        [header, 0.0, height - header - ledger - workers, workers, ledger]
    }

    /// Two share a column: a shelf in full or two rows, one row of seats.
    const fn middling(height: f64) -> [f64; 5] {
        let (header, ledger, workers) = (32.0, 26.0, 50.0);
        [header, 0.0, height - header - ledger - workers, workers, ledger]
    }

    /// The same with seats that have words under them.
    const fn tall(height: f64) -> [f64; 5] {
        let (header, ledger, workers) = (34.0, 30.0, 100.0);
        [header, 0.0, height - header - ledger - workers, workers, ledger]
    }

    /// With a pull room of its own.
    fn high(height: f64, shelves: usize) -> [f64; 5] {
        let (header, pulls, ledger) = (34.0, 110.0, 40.0);
        let rest = height - header - pulls - ledger;
        let wanted = match shelves {
            0..=2 => shelf::TALL + shelf::SHORT,
            shelves => shelf::SHORT * shelves as f64,
        };
        let room = wanted.min(((rest - 100.0) / shelf::SHORT).floor() * shelf::SHORT + 8.0);
        [header, pulls, room, rest - room, ledger]
    }
}

pub fn consumers(pen: &mut Pen<'_>) {
    let scene = pen.scene;
    for plan in pen.plan.consumers.clone() {
        let Some(consumer) = scene.consumer(plan.process) else { continue };
        match plan.is_full {
            true => in_full(pen, consumer, plan.area),
            false => in_line(pen, consumer, plan.area),
        }
    }
    to_come(pen);
    if pen.plan.more_consumers > 0 {
        let at = pen.plan.more_consumers_at;
        let words = pen.say(StageText::MoreQueues { count: pen.plan.more_consumers });
        pen.put(Mark::ground().words_at(at.x + 12.0, at.y + 20.0, words, Font::Note));
    }
}

/// The places of those that the script will start.
fn to_come(pen: &mut Pen<'_>) {
    let word = pen.say(StageText::Process(ProcessWord::NotStarted));
    let labels = pen.scene.company.to_come.clone();
    for (label, area) in labels.iter().zip(pen.plan.to_come.clone()) {
        let x = area.x + 12.0;
        let start = x + text_width(label, Font::Name) + 10.0;
        let mark = Mark::ground()
            .rect(area, Paint::Ghost)
            .words_at(x, area.y + 22.0, label.to_string(), Font::Name)
            .words_at(start, area.y + 22.0, word.clone(), Font::Note);
        pen.put(mark);
    }
}

pub const fn process_word(state: &ProcessState) -> ProcessWord {
    match state {
        ProcessState::Starting { .. } => ProcessWord::Starting,
        ProcessState::Running => ProcessWord::Running,
        ProcessState::Stopping => ProcessWord::Stopping,
        ProcessState::Stopped { .. } => ProcessWord::Stopped,
        ProcessState::Crashed { .. } => ProcessWord::Crashed,
        ProcessState::Frozen { .. } => ProcessWord::Frozen,
    }
}

pub fn name(pen: &Pen<'_>, consumer: &Consumer) -> String {
    let state = process_word(&consumer.state);
    pen.name(MarkName::Consumer { label: consumer.label.clone(), state })
}

fn in_full(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    match consumer.state {
        ProcessState::Crashed { at } => return ended::crashed(pen, consumer, area, at),
        ProcessState::Stopped { at } => return ended::stopped(pen, consumer, area, at),
        _ => {}
    }
    let mark = Mark::of(MarkId::Consumer(consumer.process), name(pen, consumer), area)
        .rect(area, Paint::Process);
    pen.put(mark);
    if let ProcessState::Starting { step } = consumer.state {
        start::steps(pen, consumer, area, step);
        return;
    }
    let rooms = Rooms::of(consumer, area);
    header(pen, consumer, &rooms);
    for top in [rooms.shelves.y, rooms.workers.y, rooms.ledger.y] {
        hair(pen, area, top);
    }
    if let Some(room) = rooms.pulls {
        hair(pen, area, room.y);
        pulls::room(pen, consumer, room);
    }
    shelf::room(pen, consumer, rooms.shelves);
    workers::room(pen, consumer, rooms.workers);
    ledger(pen, consumer, rooms.ledger);
    if matches!(consumer.state, ProcessState::Frozen { .. }) {
        ended::glass(pen, area);
    }
}

fn hair(pen: &mut Pen<'_>, area: Rect, y: f64) {
    let line =
        Mark::ground().line(point(area.x + 8.0, y), point(area.right() - 8.0, y), Paint::Hair);
    pen.put(line);
}

/// What the header's words leave of its line for the pulls.
pub fn pulls_line(pen: &Pen<'_>, consumer: &Consumer, header: Rect) -> Rect {
    let label = cut(&consumer.label, Font::Name, 80.0);
    let x = header.x + 4.0 + (text_width(&label, Font::Name) + 12.0).max(36.0);
    let words = 10.0 + text_width(&pen.word(StageWord::Pull), Font::Label);
    let from = (x + words).max(header.x + 84.0);
    rect(from, header.y + 6.0, header.right() - from, 26.0)
}

fn header(pen: &mut Pen<'_>, consumer: &Consumer, rooms: &Rooms) {
    let area = rooms.header;
    let base = area.y + 24.0;
    let label = cut(&consumer.label, Font::Name, 80.0);
    let mut x = area.x + 4.0 + (text_width(&label, Font::Name) + 12.0).max(36.0);
    let is_running = matches!(consumer.state, ProcessState::Running);
    let (words, font) = match (is_running, rooms.pulls) {
        (true, None) => (pen.word(StageWord::Pull), Font::Label),
        (true, Some(_)) => (String::new(), Font::Label),
        (false, _) => (pen.say(StageText::Process(process_word(&consumer.state))), Font::LabelBold),
    };
    let mark = Mark::ground().words_at(area.x + 4.0, base, label, Font::Name);
    let sign = ended::sign_of(&consumer.state);
    let mut mark = match sign {
        Some(sign) => ended::sign(mark, sign, point(x, area.y + 4.0), &words, 160.0),
        None => mark.words_at(x, base, words.clone(), font),
    };
    if rooms.pulls.is_some() && consumer.client_id.as_str() != &*consumer.label {
        let id = cut(consumer.client_id.as_str(), Font::Note, area.right() - x - 60.0);
        mark = mark.words_end(area.right() - 4.0, base, id, Font::Note);
    }
    pen.put(mark);
    if rooms.pulls.is_some() {
        return;
    }
    x += 10.0
        + match sign {
            Some(_) => ended::sign_width(&words),
            None => text_width(&words, font),
        };
    let line = pulls_line(pen, consumer, area);
    let from = x.max(line.x);
    pulls::on_line(pen, consumer, rect(from, line.y, line.right() - from, line.height));
}

/// `RemoteBrokerOffsetStore` on one line: offsets, and which of them are not reported.
fn ledger(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    let base = area.y
        + area.height / 2.0
        + if area.height > 40.0 {
            4.0
        } else if area.height < 30.0 {
            5.0
        } else {
            7.0
        };
    let name = pen.name(MarkName::Ledger { owner: consumer.label.clone() });
    let hit = rect(area.x, base - 20.0, area.width, 26.0);
    let mut mark = Mark::of(MarkId::ConsumerLedger(consumer.process), name, hit).words_at(
        area.x + 4.0,
        base,
        pen.word(StageWord::Offsets),
        Font::Label,
    );
    let (places, more) = offset_places(consumer, area);
    for (row, x) in &places {
        let label = text_width(&row.label, Font::Label) + 8.0;
        mark = mark.words_at(*x, base, row.label.to_string(), Font::Label).words_at(
            x + label,
            base,
            row.offset.to_string(),
            Font::LabelBold,
        );
        if row.is_dirty {
            mark = mark.circle(x + offset_width(row) - 8.0, base - 6.0, 5.0, Paint::Ink);
        }
    }
    let end = places.last().map_or(area.x + 72.0, |(row, x)| x + offset_width(row) + 10.0);
    if more > 0 {
        pen.put(mark.words_at(end, base, format!("+{more}"), Font::Note));
        return;
    }
    let is_dirty = places.iter().any(|(row, _)| row.is_dirty);
    let word = pen.word(match consumer.is_broadcasting {
        true => StageWord::LocalFile,
        false if is_dirty => StageWord::Unsent,
        false => StageWord::Reported,
    });
    let fits = end + text_width(&word, Font::Note) <= area.right() - 4.0;
    if !places.is_empty() && fits {
        mark = mark.words_end(area.right() - 4.0, base, word, Font::Note);
    }
    pen.put(mark);
}

/// Where each queue's figure starts, as many as there is room for, and how many there is none for.
fn offset_places(consumer: &Consumer, area: Rect) -> (Vec<(&ConsumerLedgerRow, f64)>, usize) {
    let mut flow = Flow { x: area.x + 72.0, right: area.right() - 4.0 };
    let rows = retry_last(&consumer.ledger, |row| &row.queue);
    let mut places = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let left = rows.len() - place;
        let reserve = if left > 1 { 26.0 } else { 0.0 };
        let width = offset_width(row);
        if flow.x + width + reserve > flow.right {
            return (places, left);
        }
        places.push((*row, flow.x));
        flow.x += width + 10.0;
    }
    (places, 0)
}

/// Name, figure, and the room of the dot, whether it is there or not.
fn offset_width(row: &ConsumerLedgerRow) -> f64 {
    let figure = text_width(&row.offset.to_string(), Font::LabelBold).max(20.0);
    text_width(&row.label, Font::Label) + 8.0 + figure + 18.0
}

/// The figure of a queue among its offsets; without a queue, or where it is not shown, the row.
pub fn offset_of(consumer: &Consumer, area: Rect, queue: Option<&MessageQueue>) -> Rect {
    let row = rect(area.x, area.middle().y - 12.0, area.width, 24.0);
    let (places, _) = offset_places(consumer, area);
    let of = |of: &MessageQueue| {
        let (known, x) = places.iter().find(|(known, _)| known.queue == *of)?;
        Some(rect(*x - 2.0, row.y, offset_width(known) - 14.0, row.height))
    };
    queue.and_then(of).unwrap_or(row)
}

/// A folded process: name, state, queues and busy threads on one line.
fn in_line(pen: &mut Pen<'_>, consumer: &Consumer, area: Rect) {
    let is_gone =
        matches!(consumer.state, ProcessState::Crashed { .. } | ProcessState::Stopped { .. });
    let paint = if is_gone { Paint::Ghost } else { Paint::Process };
    let mut words = Vec::new();
    let word = pen.say(StageText::Process(process_word(&consumer.state)));
    let sign = ended::sign_of(&consumer.state);
    if sign.is_none() && !matches!(consumer.state, ProcessState::Running) {
        words.push(word.clone());
    }
    let pulls = retry_last(&consumer.pulls, |pull| &pull.queue);
    let queues: Vec<&str> = pulls.iter().map(|pull| &*pull.label).collect();
    if !queues.is_empty() {
        words.push(queues.join(" "));
    }
    let base = area.y + 21.0;
    let board = area.x + 12.0 + (text_width(&consumer.label, Font::Name) + 10.0).max(36.0);
    let start = board + if sign.is_some() { ended::sign_width(&word) + 10.0 } else { 0.0 };
    let workers = &consumer.workers;
    let busy = match is_gone {
        true => String::new(),
        false => {
            let short = StageText::BusyShort { busy: workers.busy, size: workers.size };
            format!("{} {}", pen.word(StageWord::Workers), pen.say(short))
        }
    };
    let end = area.right() - 10.0;
    let room = end - text_width(&busy, Font::Note) - 10.0 - start;
    let mark = Mark::of(MarkId::Consumer(consumer.process), name(pen, consumer), area)
        .rect(area, paint)
        .words_at(area.x + 12.0, base, consumer.label.to_string(), Font::Name)
        .words_at(start, base, cut(&words.join(" · "), Font::Note, room), Font::Note)
        .words_end(end, base, busy, Font::Note);
    pen.put(match sign {
        Some(sign) => ended::sign(mark, sign, point(board, area.y + 1.0), &word, 160.0),
        None => mark,
    });
}
