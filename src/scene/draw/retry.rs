//! %RETRY%group: a strip whose long edges are waves.

use super::bench;
use super::brush::{N, cut};
use super::pen::{Pen, marker_ground};
use super::strip::slot_words;
use crate::model::offset::QueueOffset;
use crate::scene::at_broker::{Broker, Queue};
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect};
use crate::scene::mark::{MarkId, TokenId};
use crate::scene::plan::BrokerPlan;

/// Top of the retry queue's slots above the broker's foot.
pub const ABOVE_FOOT: f64 = 200.0;

/// Where the slots are.
pub struct WaveStrip {
    pub area: Rect,
    old_width: f64,
    first: i64,
    end: i64,
    expects: bool,
}

impl WaveStrip {
    pub fn of(queue: &Queue, broker: Rect) -> WaveStrip {
        let end = queue.max_offset.0;
        let committed = queue.committed.map_or(queue.min_offset.0, |committed| committed.0);
        // What name, old part, expected slot and bench leave.
        let most = (((broker.width - 354.0) / 34.0).floor() as i64).max(1);
        let first = committed.clamp(queue.min_offset.0, end).max(end - most);
        let old_width = if first > 0 { 44.0 } else { 0.0 };
        let expects = queue.expected.is_some();
        let width = old_width + 34.0 * (end - first) as f64 + if expects { 45.0 } else { 0.0 };
        let y = broker.bottom() - ABOVE_FOOT;
        let area = rect(broker.x + 36.0, y, width.max(45.0), 34.0);
        WaveStrip { area, old_width, first, end, expects }
    }

    /// The slot of an offset; the one behind the last is what is expected.
    pub fn slot(&self, offset: QueueOffset) -> Rect {
        if offset.0 < self.first {
            return rect(self.area.x, self.area.y, self.old_width.max(34.0), 34.0);
        }
        let nth = (offset.0.min(self.end) - self.first) as f64;
        let x = self.area.x + self.old_width + 34.0 * nth;
        match offset.0 >= self.end {
            true => rect(x + 6.0, self.area.y + 4.0, 32.0, 26.0),
            false => rect(x, self.area.y, 34.0, 34.0),
        }
    }
}

pub fn queues(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    let retry = &broker.retry_queues;
    let Some(queue) = retry.first() else { return };
    let strip = WaveStrip::of(queue, plan.area);
    let area = strip.area;
    let name = super::queue::name(pen, queue);
    let id = MarkId::Queue(queue.queue.clone());
    let hit = rect(plan.area.x + 8.0, area.y - 4.0, area.right() - plan.area.x, 42.0);
    let mut mark = Mark::of(id, name, hit)
        .words_at(plan.area.x + 12.0, area.y + 24.0, queue.label.to_string(), Font::Name)
        .path(waves(area), Paint::Box);
    if strip.old_width > 0.0 {
        let last = strip.first - 1;
        let x = area.x + strip.old_width;
        let words = if last == 0 { "0".to_owned() } else { format!("0–{last}") };
        let font = if words.len() > 3 { Font::Note } else { Font::Offset };
        mark = mark.words_fitted(area.x + 22.0, area.y + 24.0, &words, font, 38.0);
        if strip.end > strip.first || strip.expects {
            mark = mark.line(point(x, area.y), point(x, area.bottom()), Paint::Line);
        }
    }
    let x = area.right() + 11.0;
    let room = plan.area.right() - 98.0 - x;
    mark = mark
        .words_at(
            x,
            area.y + 15.0,
            cut(queue.queue.topic.as_str(), Font::LabelBold, room),
            Font::LabelBold,
        )
        .words_at(
            x,
            area.y + 33.0,
            cut(&numbers(queue, retry.len()), Font::Note, room),
            Font::Note,
        );
    pen.put(mark);
    slots(pen, queue, &strip);
    if broker.is_up {
        bench::of_queue(pen, queue, bench::seat(plan.area, area.y));
    }
}

fn numbers(queue: &Queue, queues: usize) -> String {
    let mut words = String::new();
    if let Some(committed) = queue.committed {
        words.push_str(&format!("C {committed}  "));
    }
    words.push_str(&format!("M {}", queue.max_offset));
    if queues > 1 {
        words.push_str(&format!("  +{}", queues - 1));
    }
    words
}

fn slots(pen: &mut Pen<'_>, queue: &Queue, strip: &WaveStrip) {
    let mut neighbour = None;
    for card in queue.slots.iter().filter(|card| card.offset.0 >= strip.first) {
        let at = strip.slot(card.offset);
        let token = TokenId::Stored(card.copy.clone());
        let under = neighbour.replace(token.clone());
        let area = rect(0.0, 0.0, at.width, at.height);
        let is_followed = pen.follows(card);
        let mut mark =
            Mark::of(MarkId::Copy(card.copy.clone()), pen.card_name(card, &queue.label), area)
                .placed(point(at.x, at.y))
                .moving(token)
                .of_message(card, point(strip.area.right(), at.y))
                .sliding_from(under)
                .at_depth(if is_followed { 0 } else { -1 - card.offset.0 })
                .in_state(card.state)
                .followed(is_followed);
        mark = match is_followed {
            true => marker_ground(mark, area).rect(area, Paint::Box),
            false => slot_card(mark, area.inset(3.0), area),
        };
        let (words, font) = slot_words(card.offset);
        pen.put(mark.words_mid(at.width / 2.0, 24.0, words, font));
    }
    if queue.expected.is_some() {
        let at = strip.slot(queue.max_offset);
        let ghost = Mark::ground().rect(at, Paint::Ghost).words_mid(
            at.middle().x,
            at.y + 20.0,
            queue.max_offset.to_string(),
            Font::Offset,
        );
        pen.put(ghost);
    }
}

/// A slot's ground, clear of the waves, and its upright edges.
fn slot_card(mark: Mark, ground: Rect, area: Rect) -> Mark {
    let sides = format!("M0 0V{h}M{w} 0V{h}", h = N(area.height), w = N(area.width));
    mark.rect(ground, Paint::Sheet).path(sides, Paint::Divider)
}

/// A closed strip whose long edges are waves, an even number of half waves on each.
pub fn waves(area: Rect) -> String {
    let halves = 2 * ((area.width / 22.0).round().max(1.0) as u32);
    let step = area.width / f64::from(halves);
    let mut d = format!("M{} {}", N(area.x), N(area.y));
    for half in 0..halves {
        match half {
            0 => d.push_str(&format!("q{:.2} -5 {step:.2} 0", step / 2.0)),
            _ => d.push_str(&format!("t{step:.2} 0")),
        }
    }
    d.push_str(&format!("V{}", N(area.bottom())));
    for half in 0..halves {
        match half {
            0 => d.push_str(&format!("q-{:.2} 5 -{step:.2} 0", step / 2.0)),
            _ => d.push_str(&format!("t-{step:.2} 0")),
        }
    }
    d.push('z');
    d
}
