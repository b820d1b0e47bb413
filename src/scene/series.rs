//! Numbers over time for the charts, folded from the events: of each queue M, P, C and the client's
//! own C, and what is on its shelf.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::ids::GroupName;
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::scene::of_world::queue_of;
use crate::sim::event::{Event, EventKind, EventSequence};

/// A value from a moment on, until the next point.
pub type Point = (Millis, i64);

/// The numbers of one queue, as one group sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueSeries {
    /// P: the next offset to pull.
    pub pull: Vec<Point>,
    /// C, as the broker has it.
    pub committed: Vec<Point>,
    /// C, as the client would report it.
    pub client: Vec<Point>,
    /// Messages on the shelf, and the distance of their offsets.
    pub shelf_count: Vec<Point>,
    pub shelf_span: Vec<Point>,
    shelf: BTreeSet<i64>,
}

#[derive(Clone, Debug, Default)]
pub struct Series {
    cut_count: usize,
    seen: EventSequence,
    /// M, for whoever reads.
    max: BTreeMap<MessageQueue, Vec<Point>>,
    queues: BTreeMap<(GroupName, MessageQueue), QueueSeries>,
}

impl Series {
    /// Takes up what is new in the recording.
    pub fn follow(&mut self, recording: &Recording) {
        if recording.kept_since(self.cut_count) < self.seen {
            *self = Series::default();
        }
        self.cut_count = recording.cut_count();
        if self.seen == 0 {
            self.begin(recording);
        }
        for event in recording.events().iter_from(self.seen as usize) {
            self.fold(event);
        }
        self.seen = recording.event_count();
    }

    /// What was there before the run.
    fn begin(&mut self, recording: &Recording) {
        let start = recording.simulation_at(0);
        for broker in start.world().brokers.iter().filter(|broker| broker.is_master()) {
            for ((topic, id), log) in &broker.consume_queues {
                let queue = MessageQueue::new(topic.clone(), broker.name.clone(), *id);
                self.max.insert(queue, vec![(Millis::ZERO, log.max_offset().0)]);
            }
            for (topic, group, id, offset) in broker.consumer_offset.iter() {
                let queue = MessageQueue::new(topic.clone(), broker.name.clone(), id);
                self.of(group, &queue).committed.push((Millis::ZERO, offset.0));
            }
        }
    }

    /// M of a queue.
    pub fn max(&self, queue: &MessageQueue) -> &[Point] {
        self.max.get(queue).map_or(&[], Vec::as_slice)
    }

    pub fn queue(&self, group: &GroupName, queue: &MessageQueue) -> Option<&QueueSeries> {
        self.queues.get(&(group.clone(), queue.clone()))
    }

    /// How many messages waited at delay levels, dead letters and the like can be read off the log;
    /// here are the queues that have numbers.
    pub fn known(&self) -> impl Iterator<Item = &(GroupName, MessageQueue)> {
        self.queues.keys()
    }

    fn of(&mut self, group: &GroupName, queue: &MessageQueue) -> &mut QueueSeries {
        self.queues.entry((group.clone(), queue.clone())).or_default()
    }

    fn fold(&mut self, event: &Event) {
        let at = event.at;
        match &event.kind {
            EventKind::ConsumeQueueAppended { message } => {
                let points = self.max.entry(queue_of(message)).or_default();
                add(points, at, message.queue_offset.next().0);
            }
            EventKind::QueueAssigned { group, queue, next_offset, .. } => {
                let series = self.of(group, queue);
                add(&mut series.pull, at, next_offset.0);
                series.shelf.clear();
                series.note_shelf(at);
            }
            EventKind::PullAnswered { group, queue, next_offset, .. } => {
                add(&mut self.of(group, queue).pull, at, next_offset.0);
            }
            EventKind::OffsetCommitted { group, queue, to, .. } => {
                add(&mut self.of(group, queue).committed, at, to.0);
            }
            EventKind::OffsetMoved { group, queue, to, .. } => {
                let series = self.of(group, queue);
                add(&mut series.client, at, to.0);
                // What lies before the smallest unfinished one is done: so it is in orderly mode.
                series.shelf = series.shelf.split_off(&to.0);
                series.note_shelf(at);
            }
            EventKind::MessagesCached { group, queue, first, count, .. } => {
                let series = self.of(group, queue);
                series.shelf.extend((first.0..).take(*count as usize));
                series.note_shelf(at);
            }
            EventKind::MessagesRemoved { group, queue, first, count } => {
                let series = self.of(group, queue);
                for offset in (first.0..).take(*count as usize) {
                    series.shelf.remove(&offset);
                }
                series.note_shelf(at);
            }
            EventKind::QueueDropped { group, queue, .. } => {
                let series = self.of(group, queue);
                series.shelf.clear();
                series.note_shelf(at);
            }
            _ => {}
        }
    }
}

impl QueueSeries {
    fn note_shelf(&mut self, at: Millis) {
        let span = match (self.shelf.first(), self.shelf.last()) {
            (Some(first), Some(last)) => last - first,
            _ => 0,
        };
        add(&mut self.shelf_count, at, self.shelf.len() as i64);
        add(&mut self.shelf_span, at, span);
    }
}

/// The value at a moment.
pub fn value_at(points: &[Point], at: Millis) -> Option<i64> {
    let after = points.partition_point(|(from, _)| *from <= at);
    points.get(after.checked_sub(1)?).map(|(_, value)| *value)
}

/// A new value; of several in one millisecond the last one stays.
fn add(points: &mut Vec<Point>, at: Millis, value: i64) {
    match points.last_mut() {
        Some((_, last)) if *last == value => {}
        Some((of, last)) if *of == at => *last = value,
        _ => points.push((at, value)),
    }
}
