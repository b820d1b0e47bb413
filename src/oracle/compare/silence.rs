//! Owners that did not read their queue: pulls refused with "subscription not latest" (25).
//!
//! Signature, where pulls are recorded: the same pull of a queue again after the exception delay, with
//! its message waiting. Where they are not: from the last sign of reading (the assignment, or the last
//! delivery of the queue) to the next delivery k times the exception delay pass, with messages waiting.
//! Once is a heartbeat that came too late; more than once, one that was skipped.

use std::collections::{BTreeMap, BTreeSet};

use super::super::gap_table::ALLOWANCE;
use super::super::report::Race;
use super::super::starting::Mode;
use super::super::view::{Call, Consumption, Queue, View};
use crate::model::constants;
use crate::model::offset::QueueOffset;
use crate::model::rules::Rules;
use crate::model::time::Millis;

/// A stretch in which an owner did not read its queue.
#[derive(Clone, Copy, Debug)]
pub struct SilentSpan {
    pub race: Race,
    pub life: usize,
    pub from: Millis,
    pub until: Millis,
}

/// Each refusal takes its answer: in 291 recorded ones 43 ms on average.
const REFUSAL_TAKES: Millis = Millis::new(43);
/// The recorder looked at the table of queues once in so long.
const TABLE_IS_POLLED: Millis = Millis::new(20);
/// A pass that changes an assignment sends its heartbeat within so much time.
const PASS_TAKES: Millis = Millis::new(1_000);

#[derive(Debug)]
pub struct Silences {
    delay: Millis,
    is_mixed: bool,
    /// A new queue's first pull waits so long.
    dispatch: Millis,
    heartbeat: Millis,
    /// Refused pulls by life and queue: when each was sent.
    refused: BTreeMap<(usize, Queue), Vec<Millis>>,
    /// When each record was stored, as far as deliveries tell.
    stored: BTreeMap<(Queue, QueueOffset), Millis>,
}

impl Silences {
    pub fn of(view: &View<'_>) -> Silences {
        let stored = view.consumptions.iter().map(|it| (it.record(), it.store)).collect();
        let profile = view.trace.header.profile;
        let delay = constants::pull_delay_when_exception(profile);
        let dispatch = constants::first_pull_dispatch_delay(profile);
        // Members with different topics make the broker refuse pulls for another reason (code 24), which
        // is no race (spec 11.13b).
        let topics = view.lives.iter().map(|life| life.starting.subscription());
        let is_mixed = topics.collect::<BTreeSet<_>>().len() > 1;
        let heartbeat = constants::heartbeat_broker_interval(profile);
        let refused = BTreeMap::new();
        let mut silences = Silences { delay, dispatch, heartbeat, stored, is_mixed, refused };
        for (life, each) in view.lives.iter().enumerate() {
            if each.records("PULL_MESSAGE") {
                silences.refused_pulls(life, &each.calls);
            }
        }
        silences
    }

    /// Pulls that were sent again for the same place after the exception delay and the time that the
    /// refusal took: sooner than twice the delay, when there would have been another. (A pull that brought
    /// something goes on from another place, and one that is held lasts far longer.)
    fn refused_pulls(&mut self, life: usize, calls: &[Call]) {
        let mut last: BTreeMap<Queue, (QueueOffset, Millis)> = BTreeMap::new();
        for call in calls.iter().filter(|call| *call.code == *"PULL_MESSAGE") {
            let (Some(queue), Some(offset)) = (call.queue(), call.fields.queue_offset) else {
                continue;
            };
            let at = call.place.at;
            let before = last.insert(queue.clone(), (offset, at));
            let Some((same, asked)) = before else { continue };
            if same == offset && at - asked >= self.delay && at - asked < self.delay * 2 {
                self.refused.entry((life, queue)).or_default().push(asked);
            }
        }
    }

    /// Whether a delivery waited for so long that only refused pulls can be behind it.
    pub fn makes_late(&self, it: &Consumption) -> bool {
        it.begin.at - it.store + ALLOWANCE >= self.delay.max(Millis::new(3_000))
    }

    /// The race behind a delivery that came late in an ownership.
    ///
    /// `signs` are the moments at which the life showed that it reads the queue, or was given it.
    pub fn explains(&self, view: &View<'_>, late: &Consumption) -> Option<Race> {
        if self.is_mixed {
            return None;
        }
        let queue = late.queue();
        let life = &view.lives[late.life];
        let begin = late.begin.at;
        if life.records("PULL_MESSAGE") {
            let refused = self.refused.get(&(late.life, queue.clone()))?;
            let since = late.store.max(begin - self.delay * 12);
            let count =
                refused.iter().filter(|at| **at + self.delay + ALLOWANCE >= since && **at <= begin);
            return race_of(count.count() as u64);
        }
        // Until 4.9.4 an orderly queue is read only once the lock timer has told of its lock.
        let waits_for_lock = life.starting.mode == Mode::Orderly
            && !Rules::of(view.trace.header.profile).new_process_queue_is_locked;
        if waits_for_lock {
            return None;
        }
        let (from, _) = life.ownerships(&queue).into_iter().rfind(|(from, _)| *from <= begin)?;
        let own = view.consumptions.iter().filter(|it| it.life == late.life && it.queue() == queue);
        // What was stored later in the same silence was delivered with it.
        let begins = own.map(|it| it.begin.at).filter(|at| *at < begin && *at <= late.store);
        let last_begin = begins.filter(|at| from <= *at).max();
        let Some(last_begin) = last_begin else {
            // Its first pull waits for the dispatch; the table is polled, so it may tell late.
            let first = from + self.dispatch - TABLE_IS_POLLED.min(from + self.dispatch);
            return self.times(begin - first.min(begin)).and_then(race_of);
        };
        // Only an assignment's new version of the subscription has pulls refused: once, if the heartbeat
        // comes after the pull; more often, until the next one.
        let times = self.times(begin - last_begin)?;
        let since = if times == 1 { PASS_TAKES } else { self.heartbeat };
        let mut changes = life.assigned.iter().map(|(place, _)| place.at);
        let is_behind = |at: Millis| at <= last_begin + ALLOWANCE && last_begin <= at + since;
        changes.any(is_behind).then(|| race_of(times))?
    }

    /// The stretches in which an owner of a queue did not read what waited there.
    pub fn silent_spans(&self, view: &View<'_>, queue: &Queue) -> Vec<SilentSpan> {
        let mut spans = Vec::new();
        for (life, each) in view.lives.iter().enumerate() {
            for (from, to) in each.ownerships(queue) {
                let own = |it: &&Consumption| it.life == life && it.queue() == *queue;
                let begins = view.consumptions.iter().filter(own);
                let begins = begins.filter(|it| from <= it.begin.at && it.begin.at <= to);
                let mut last = from;
                for it in begins {
                    let waited = it.begin.at - it.store.max(last);
                    if waited + ALLOWANCE >= self.delay
                        && let Some(race) = self.explains(view, it)
                    {
                        spans.push(SilentSpan { race, life, from: last, until: it.begin.at });
                    }
                    last = it.begin.at;
                }
                let unread = self.stored.iter().find(|((stored_in, _), at)| {
                    stored_in == queue && last < **at && **at + self.delay <= to + ALLOWANCE
                });
                if let Some((record, _)) = unread
                    && let Some(race) = self.silent_owner(view, record, life)
                {
                    spans.push(SilentSpan { race, life, from: last, until: to });
                }
            }
        }
        spans
    }

    /// How many exception delays a span is: a timer is never early, and late by the host.
    fn times(&self, span: Millis) -> Option<u64> {
        let times = span.ms() / self.delay.ms();
        let latest = (self.delay + REFUSAL_TAKES) * times + ALLOWANCE;
        (times >= 1 && span <= latest).then_some(times)
    }

    /// The race behind a delivery that another member got, because its owner did not read the queue from
    /// its last sign until it gave the queue away.
    pub fn silent_owner(
        &self,
        view: &View<'_>,
        (queue, offset): &(Queue, QueueOffset),
        life: usize,
    ) -> Option<Race> {
        let store = *self.stored.get(&(queue.clone(), *offset)).filter(|_| !self.is_mixed)?;
        let each = &view.lives[life];
        if each.starting.mode == Mode::Orderly
            && !Rules::of(view.trace.header.profile).new_process_queue_is_locked
        {
            return None;
        }
        let spans = each.ownerships(queue);
        let (from, to) = spans.into_iter().find(|(_, to)| store <= *to)?;
        let reads = view.consumptions.iter().filter(|it| it.life == life && it.queue() == *queue);
        let last_read = reads.map(|it| it.begin.at).filter(|at| from <= *at && *at <= to).max();
        let silent = to - last_read.unwrap_or(from);
        let times = (silent + ALLOWANCE).ms() / self.delay.ms();
        if each.records("PULL_MESSAGE") {
            let refused = self.refused.get(&(life, queue.clone()))?;
            refused.iter().find(|at| from <= **at && **at <= to)?;
        }
        race_of(times)
    }
}

fn race_of(times: u64) -> Option<Race> {
    match times {
        0 => None,
        1 => Some(Race::Refused25),
        _ => Some(Race::SkippedHeartbeat),
    }
}
