//! Who reads which queue: a tag at the end of each strip, and, where several share the group, a ribbon
//! from it to the tab at the reader's edge.

use super::brush::N;
use super::pen::Pen;
use super::{bench, broker, fixture, queue, retry};
use crate::model::ids::ProcessIndex;
use crate::model::message_queue::MessageQueue;
use crate::scene::at_broker::Queue;
use crate::scene::at_consumer::Consumer;
use crate::scene::card::Label;
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Point, Rect, point};
use crate::scene::layout::System;
use crate::scene::mark::{MarkId, TokenId};
use crate::scene::plan::QueueForm;
use crate::scene::scene::{Fixture, Scene};

/// Half a ribbon's width.
const HALF: f64 = 6.0;

/// A consumer that reads a queue, or is to.
pub struct Reader {
    pub process: ProcessIndex,
    pub label: Label,
    /// Order: it was given the queue, but has not locked it.
    pub is_waiting: bool,
}

/// Nobody, one, or for a while two: members do not wait for each other.
pub fn readers(scene: &Scene, queue: &MessageQueue) -> Vec<Reader> {
    let of = |consumer: &Consumer| {
        let shelf = consumer.shelves.iter().find(|it| it.queue == *queue && !it.is_dropped);
        let is_refused = consumer.refused.iter().any(|it| it.queue == *queue);
        let is_locked =
            shelf.is_some_and(|shelf| shelf.belief.as_ref().is_none_or(|belief| belief.is_locked));
        (!consumer.is_gone() && (shelf.is_some() || is_refused)).then(|| Reader {
            process: consumer.process,
            label: consumer.label.clone(),
            is_waiting: !is_locked,
        })
    };
    scene.consumers.iter().filter_map(of).collect()
}

/// Several share the group, now or later.
fn is_shared(scene: &Scene) -> bool {
    scene.consumers.len() + scene.company.to_come.len() > 1
}

/// The tag with the reader's name; under a padlock, which has its owner's, there is none.
fn tag(pen: &mut Pen<'_>, queue: &Queue, readers: &[Reader], at: Rect) {
    let sure: Vec<&str> = readers.iter().filter(|it| !it.is_waiting).map(|it| &*it.label).collect();
    let words = if sure.is_empty() { "–".to_owned() } else { sure.join(" ") };
    let paint = if sure.is_empty() { Paint::Ghost } else { Paint::Box };
    let mut mark = Mark::of(MarkId::Queue(queue.queue.clone()), String::new(), Rect::default())
        .rect(at, paint)
        .words_fitted(at.middle().x, at.y + 17.0, &words, Font::LabelBold, at.width - 4.0);
    mark.token = Some(TokenId::Owner(queue.queue.clone()));
    pen.put(mark);
}

/// Tags and ribbons of the queues that are drawn in full, and of the retry queue.
pub fn all(pen: &mut Pen<'_>) {
    let scene = pen.scene;
    if scene.consumers.is_empty() {
        return;
    }
    for plan in pen.plan.brokers.clone().iter().filter(|plan| plan.is_full) {
        let Some(of) = scene.broker(plan.index).filter(|broker| broker.is_up) else { continue };
        let full = plan.queues.iter().filter(|row| row.form != QueueForm::Line);
        let rows = full.filter_map(|row| {
            let queue = of.queues.iter().find(|it| it.queue == row.queue)?;
            Some((queue, queue::strip(pen, queue, row).slots.y))
        });
        let retry = of.retry_queues.first().map(|queue| (queue, retry::seat_y(plan.area)));
        let rows: Vec<(&Queue, f64)> = rows.chain(retry).collect();
        for (queue, y) in rows {
            let readers = readers(scene, &queue.queue);
            let is_locked = of.locks.iter().any(|lock| lock.queue == queue.queue);
            let at = broker::owner_tag(bench::seat(plan.area, y));
            if !is_locked {
                tag(pen, queue, &readers, at);
            }
            // Where consumers stand under the broker there is no room beside them.
            if is_shared(scene) && pen.layout.system != System::Rooms {
                let from = point(plan.area.right(), at.middle().y);
                for (nth, reader) in readers.iter().enumerate() {
                    one(pen, &queue.queue, reader, from.plus(0.0, 14.0 * nth as f64));
                }
            }
        }
    }
}

fn one(pen: &mut Pen<'_>, queue: &MessageQueue, reader: &Reader, from: Point) {
    let tab = Fixture::Tab(reader.process, queue.clone());
    let Some(tab) = fixture::area(pen, &tab) else { return };
    let is_full = pen.plan.consumer(reader.process).is_some_and(|plan| plan.is_full);
    let y = if is_full { tab.middle().y } else { tab.middle().y.min(tab.bottom() - 8.0) };
    let to = point(pen.plan.consumer_column.x, y);
    let paint = if reader.is_waiting { Paint::Ghost } else { Paint::Box };
    let mut mark = Mark::of(MarkId::Queue(queue.clone()), String::new(), Rect::default())
        .path(band(pen, from, to), paint);
    mark.token = Some(TokenId::Ribbon(reader.process, queue.clone()));
    pen.put(mark);
}

/// Level out of the broker, across, level into the process.
fn band(pen: &Pen<'_>, from: Point, to: Point) -> String {
    let gutter = pen.plan.gutter;
    let (near, far) = (gutter.x + 14.0, gutter.right() - 14.0);
    format!(
        "M{fx} {ft}H{n}L{f} {tt}H{tx}V{tb}H{f}L{n} {fb}H{fx}z",
        fx = N(from.x),
        ft = N(from.y - HALF),
        n = N(near),
        f = N(far),
        tt = N(to.y - HALF),
        tx = N(to.x),
        tb = N(to.y + HALF),
        fb = N(from.y + HALF),
    )
}
