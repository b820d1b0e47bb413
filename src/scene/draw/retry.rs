//! %RETRY%group: a strip whose long edges are waves, its name and figures above it.

use super::bench;
use super::brush::{N, cut};
use super::card::{self, Look};
use super::pen::Pen;
use super::strip::Strip;
use crate::model::offset::QueueOffset;
use crate::scene::at_broker::{Broker, Queue};
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect, text_width};
use crate::scene::mark::{MarkId, TokenId};
use crate::scene::plan::BrokerPlan;

/// Top of the retry queue's slots above the broker's foot.
pub const ABOVE_FOOT: f64 = 196.0;

/// Where the slots are: the older ones and the slots together are what the waves go round.
pub struct WaveStrip {
    pub area: Rect,
    strip: Strip,
}

impl WaveStrip {
    pub fn of(pen: &Pen<'_>, queue: &Queue, broker: Rect) -> WaveStrip {
        let y = broker.bottom() - ABOVE_FOOT;
        let room = rect(broker.x + 80.0, y, broker.width - 184.0, card::HIGH);
        let strip = Strip::of(queue, room, card::width(pen, queue.max_offset));
        let whole = strip.whole();
        WaveStrip { area: rect(whole.x - 44.0, y, whole.width + 46.0, card::HIGH), strip }
    }

    /// The slot of an offset; the one behind the last is what is expected.
    pub fn slot(&self, offset: QueueOffset) -> Rect {
        self.strip.slot(offset)
    }
}

pub fn queues(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    let retry = &broker.retry_queues;
    let Some(queue) = retry.first() else { return };
    let waves_strip = WaveStrip::of(pen, queue, plan.area);
    let (area, strip) = (waves_strip.area, waves_strip.strip);
    let name = super::queue::name(pen, queue);
    let id = MarkId::Queue(queue.queue.clone());
    let hit = rect(plan.area.x + 8.0, area.y, area.right() - plan.area.x - 8.0, 46.0);
    let taken = (strip.end - strip.first) as usize;
    let mut mark = Mark::of(id, name, hit)
        .words_at(plan.area.x + 10.0, area.y + 30.0, queue.label.to_string(), Font::Name)
        .path(waves(area), Paint::Box)
        .path(card::reserved(strip.whole(), strip.slot_width, taken, strip.fit), Paint::Hair);
    if let Some(old) = strip.old {
        let last = strip.first - 1;
        let words = if last == 0 { "0".to_owned() } else { format!("0–{last}") };
        mark = mark.words_fitted(old.middle().x, area.y + 29.0, &words, Font::Note, 38.0).line(
            point(strip.slots.x, area.y),
            point(strip.slots.x, area.bottom()),
            Paint::Divider,
        );
    }
    let x = plan.area.x + 36.0;
    let base = area.y - 7.0;
    let topic = cut(queue.queue.topic.as_str(), Font::LabelBold, 200.0);
    let end = x + text_width(&topic, Font::LabelBold) + 12.0;
    let numbers = cut(&numbers(queue, retry.len()), Font::Note, plan.area.right() - 190.0 - end);
    mark = mark.words_at(x, base, topic, Font::LabelBold).words_at(end, base, numbers, Font::Note);
    pen.put(mark);
    slots(pen, queue, &strip);
    if broker.is_up {
        bench::of_queue(pen, queue, bench::seat(plan.area, seat_y(plan.area)));
    }
}

/// The seat of its pull, a little above the strip, so that a send-back passes under its owner's tag.
pub fn seat_y(broker: Rect) -> f64 {
    broker.bottom() - 214.0
}

/// Where the words above the strip end.
pub fn caption_end(broker: &Broker, area: Rect) -> f64 {
    let Some(queue) = broker.retry_queues.first() else { return area.x };
    let topic = cut(queue.queue.topic.as_str(), Font::LabelBold, 200.0);
    let numbers = numbers(queue, broker.retry_queues.len());
    let topic = text_width(&topic, Font::LabelBold);
    area.x + 36.0 + topic + 12.0 + text_width(&numbers, Font::Note)
}

fn numbers(queue: &Queue, queues: usize) -> String {
    let mut words = String::new();
    if let Some(committed) = queue.committed {
        words.push_str(&format!("C {committed} · "));
    }
    words.push_str(&format!("M {}", queue.max_offset));
    if queues > 1 {
        words.push_str(&format!(" · +{}", queues - 1));
    }
    words
}

fn slots(pen: &mut Pen<'_>, queue: &Queue, strip: &Strip) {
    for card in queue.slots.iter().filter(|card| card.offset.0 >= strip.first) {
        let at = strip.slot(card.offset);
        let own = card::own(at);
        let is_followed = pen.follows(card);
        let mark =
            Mark::of(MarkId::Copy(card.copy.clone()), pen.card_name(card, &queue.label), own)
                .placed(point(at.x, at.y))
                .moving(TokenId::Stored(card.copy.clone()))
                .of_message(card, point(strip.limit, at.y))
                .at_depth(if is_followed { 0 } else { -1 - card.offset.0 })
                .in_state(card.state)
                .followed(is_followed);
        let is_passed = queue.committed.is_some_and(|committed| card.offset < committed);
        let tag = card::tag(card, &queue.label, at.width);
        let look = Look { is_passed, ..Look::tagged(&tag).followed(is_followed) };
        pen.put(card::face(pen, mark, card, own, &look));
    }
    let taken = (strip.end - strip.first) as usize;
    if let Some(card) = queue.expected.as_ref().filter(|_| taken < strip.fit) {
        let own = strip.slot(queue.max_offset);
        let tag = card::offset_tag(queue.max_offset, own.width);
        pen.put(card::outline(Mark::ground(), own, &card.label, &tag));
    }
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
