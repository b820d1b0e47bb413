//! Who owns each queue over time, folded from the events: the lock at the broker, and who believes to own
//! it (UX 9).
//!
//! In orderly mode a client believes as long as it takes its lock for good: 30 s from the last answer that
//! granted it (spec 06.2). In concurrent mode the broker knows no owner, and whoever holds a ProcessQueue
//! of the queue believes.

use std::collections::BTreeMap;

use crate::model::constants;
use crate::model::ids::{ClientId, GroupName, ProcessIndex};
use crate::model::message_queue::MessageQueue;
use crate::model::order;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::sim::event::{Actor, Event, EventKind, EventSequence, ResponseDetail};
use crate::sim::packet::{Machine, RequestCode};

/// Somebody has something from a moment on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span<T> {
    pub who: T,
    pub from: Millis,
    /// When it was given up, as far as that has happened.
    until: Option<Millis>,
    /// When it runs out by itself.
    lease: Option<Millis>,
}

impl<T> Span<T> {
    /// Its end as far as it is known at `now`; nothing if it begins later.
    fn end(&self, now: Millis) -> Option<Millis> {
        let ends = [self.until, self.lease, Some(now)];
        (self.from <= now).then_some(ends.into_iter().flatten().min()?)
    }

    fn is_open(&self, at: Millis) -> bool {
        self.until.is_none() && self.lease.is_none_or(|lease| lease >= at)
    }
}

/// One queue, as one group shares it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueOwners {
    locks: Vec<Span<ClientId>>,
    beliefs: Vec<Span<ProcessIndex>>,
}

/// A stretch of time.
pub type Stretch = (Millis, Millis);

#[derive(Clone, Debug, Default)]
pub struct Owners {
    cut_count: usize,
    seen: EventSequence,
    queues: BTreeMap<(GroupName, MessageQueue), QueueOwners>,
    ends: BTreeMap<ProcessIndex, Millis>,
}

impl Owners {
    /// Takes up what is new in the recording.
    pub fn follow(&mut self, recording: &Recording) {
        if recording.kept_since(self.cut_count) < self.seen {
            *self = Owners::default();
        }
        self.cut_count = recording.cut_count();
        for event in recording.events().iter_from(self.seen as usize) {
            self.fold(event, recording);
        }
        self.seen = recording.event_count();
    }

    /// The queues of a group, in their order.
    pub fn queues(&self, group: &GroupName) -> impl Iterator<Item = (&MessageQueue, &QueueOwners)> {
        let of_group = self.queues.iter().filter(move |((of, _), _)| of == group);
        of_group.map(|((_, queue), owners)| (queue, owners))
    }

    /// When a process ended, if it did by `now`.
    pub fn ended(&self, process: ProcessIndex, now: Millis) -> Option<Millis> {
        self.ends.get(&process).copied().filter(|at| *at <= now)
    }

    fn of(&mut self, group: &GroupName, queue: &MessageQueue) -> &mut QueueOwners {
        self.queues.entry((group.clone(), queue.clone())).or_default()
    }

    fn fold(&mut self, event: &Event, recording: &Recording) {
        let at = event.at;
        let profile = recording.head().engine().profile;
        match (&event.kind, event.actor) {
            (EventKind::QueueLocked { group, queue, client, .. }, _) => {
                let lease = at + constants::broker_lock_max_live_time(profile);
                self.of(group, queue).lock(client, at, lease);
            }
            (EventKind::QueueUnlocked { group, queue, .. }, _) => {
                close(&mut self.of(group, queue).locks, at, |_| true);
            }
            (EventKind::BrokerStopped { broker, .. }, _) => {
                let name = &recording.head().world().broker(*broker).name;
                let here = self.queues.iter_mut().filter(|((_, it), _)| it.broker_name == *name);
                here.for_each(|(_, owners)| close(&mut owners.locks, at, |_| true));
            }
            (kind, Actor::Machine(Machine::Client(process))) => {
                self.fold_client(kind, process, at, recording);
            }
            _ => {}
        }
    }

    fn fold_client(
        &mut self,
        kind: &EventKind,
        process: ProcessIndex,
        at: Millis,
        recording: &Recording,
    ) {
        let engine = recording.head().engine();
        let lease = at + client_lease(engine.profile);
        match kind {
            EventKind::QueueAssigned { group, queue, .. } => {
                let client = recording.head().world().client(process);
                let consumer = client.consumers.get(group);
                if !consumer.is_some_and(|it| it.is_clustering()) {
                    return;
                }
                match consumer.is_some_and(|it| it.is_orderly()) {
                    false => self.of(group, queue).believe(process, at, None),
                    true if engine.rules.new_process_queue_is_locked => {
                        self.of(group, queue).believe(process, at, Some(lease));
                    }
                    true => _ = self.of(group, queue),
                }
            }
            EventKind::LockBelieved { group, queue, held: true } => {
                self.of(group, queue).believe(process, at, Some(lease));
            }
            EventKind::LockBelieved { group, queue, held: false }
            | EventKind::QueueDropped { group, queue, .. }
            | EventKind::QueueReleased { group, queue, .. } => {
                close(&mut self.of(group, queue).beliefs, at, |who| *who == process);
            }
            EventKind::ResponseReceived {
                of: RequestCode::LockBatchMq,
                detail: ResponseDetail::Queues(held),
                ..
            } => {
                for ((_, queue), owners) in &mut self.queues {
                    if held.contains(queue) {
                        owners.renew(process, at, lease);
                    }
                }
            }
            EventKind::ProcessCrashed | EventKind::HostLost => {
                self.ends.insert(process, at);
                self.queues
                    .values_mut()
                    .for_each(|it| close(&mut it.beliefs, at, |who| *who == process));
            }
            EventKind::ConsumerStopped { group } => {
                self.ends.insert(process, at);
                let of_group = self.queues.iter_mut().filter(|((of, _), _)| of == group);
                of_group.for_each(|(_, it)| close(&mut it.beliefs, at, |who| *who == process));
            }
            _ => {}
        }
    }
}

fn client_lease(profile: Profile) -> Millis {
    constants::client_lock_max_live_time(profile)
}

fn close<T>(spans: &mut [Span<T>], at: Millis, is_it: impl Fn(&T) -> bool) {
    let open = spans.iter_mut().filter(|span| span.until.is_none() && is_it(&span.who));
    open.for_each(|span| span.until = Some(span.lease.map_or(at, |lease| lease.min(at))));
}

impl QueueOwners {
    fn lock(&mut self, client: &ClientId, at: Millis, lease: Millis) {
        match self.locks.last_mut() {
            Some(last) if last.who == *client && last.is_open(at) => last.lease = Some(lease),
            _ => {
                close(&mut self.locks, at, |_| true);
                let who = client.clone();
                self.locks.push(Span { who, from: at, until: None, lease: Some(lease) });
            }
        }
    }

    fn believe(&mut self, process: ProcessIndex, at: Millis, lease: Option<Millis>) {
        let is_it = |span: &&mut Span<ProcessIndex>| span.who == process && span.is_open(at);
        match self.beliefs.iter_mut().find(is_it) {
            Some(span) => span.lease = lease,
            None => self.beliefs.push(Span { who: process, from: at, until: None, lease }),
        }
    }

    /// The client was told again that it holds the lock.
    fn renew(&mut self, process: ProcessIndex, at: Millis, lease: Millis) {
        let last = self.beliefs.iter().rev().find(|span| span.who == process);
        if last.is_some_and(|span| span.until.is_none()) {
            self.believe(process, at, Some(lease));
        }
    }

    /// Who had the lock at the broker, up to `now`.
    pub fn locks(&self, now: Millis) -> Vec<(ClientId, Stretch)> {
        stretches(&self.locks, now)
    }

    /// Who believed to own the queue, up to `now`.
    pub fn beliefs(&self, now: Millis) -> Vec<(ProcessIndex, Stretch)> {
        stretches(&self.beliefs, now)
    }

    /// When nobody believed to, after the first who did.
    pub fn gaps(&self, now: Millis) -> Vec<Stretch> {
        let mut gaps = Vec::new();
        let mut beliefs: Vec<Stretch> = self.beliefs(now).into_iter().map(|it| it.1).collect();
        order::sort(&mut beliefs);
        let Some(mut end) = beliefs.first().map(|first| first.1) else { return gaps };
        for (from, until) in beliefs {
            if from > end {
                gaps.push((end, from));
            }
            end = end.max(until);
        }
        if end < now {
            gaps.push((end, now));
        }
        gaps
    }

    /// When two or more believed to.
    pub fn overlaps(&self, now: Millis) -> Vec<Stretch> {
        let mut edges: Vec<(Millis, i32)> = Vec::new();
        for (_, (from, until)) in self.beliefs(now).into_iter().filter(|(_, it)| it.0 < it.1) {
            edges.extend([(from, 1), (until, -1)]);
        }
        order::sort(&mut edges);
        let (mut count, mut since, mut overlaps) = (0, Millis::ZERO, Vec::new());
        for (at, step) in edges {
            if count == 1 && step == 1 {
                since = at;
            }
            if count == 2 && step == -1 {
                overlaps.push((since, at));
            }
            count += step;
        }
        overlaps
    }
}

fn stretches<T: Clone>(spans: &[Span<T>], now: Millis) -> Vec<(T, Stretch)> {
    let one = |span: &Span<T>| Some((span.who.clone(), (span.from, span.end(now)?)));
    spans.iter().filter_map(one).collect()
}
