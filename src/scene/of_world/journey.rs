//! A message's journey: from the producer through every try to its end, as a list of steps.

use crate::model::delay_level::DelayLevel;
use crate::model::ids::{BrokerName, GroupName, ProcessIndex, UniqueKey};
use crate::model::listener::ListenerResult;
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;
use crate::model::topic::{SCHEDULE_TOPIC, is_dlq_topic};
use crate::scene::journal::{Deed, Fact, Past};
use crate::sim::event::{ConsumeOutcome, EventSequence};

/// One try: a record handed to a listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// From 1, over all copies.
    pub number: u32,
    pub process: ProcessIndex,
    pub thread: u32,
    pub ended: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub at: Millis,
    pub result: ListenerResult,
    pub outcome: ConsumeOutcome,
}

/// Where a message came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Into a queue that consumers read: its own, or the retry queue.
    Stored,
    Tried(Attempt),
    /// Back to the broker. By the plain send of the client's producer, if the call failed.
    SentBack {
        by_fallback: bool,
    },
    /// Into a level of the schedule topic.
    Delayed {
        level: u32,
    },
    DeadLettered,
    KeptLocally {
        process: ProcessIndex,
        until: Millis,
    },
    /// `retryQueueNums` is 0, or broadcasting: nobody tries again.
    GivenUp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub event: EventSequence,
    pub at: Millis,
    pub broker_name: BrokerName,
    /// The queue in which the record lies that the step is about, and its place there.
    pub queue: MessageQueue,
    pub offset: QueueOffset,
    /// Where a delayed record will go.
    pub real_queue: Option<MessageQueue>,
    pub failures: i32,
    pub kind: StepKind,
}

/// The steps that a message has taken for a group, oldest first.
pub fn journey(past: Past<'_>, key: UniqueKey, group: Option<&GroupName>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut tries = 0;
    let facts = past.facts(key);
    for (place, fact) in facts.iter().enumerate() {
        if fact.deed.group().is_some_and(|of| Some(of) != group) {
            continue;
        }
        match &fact.deed {
            Deed::Stored => stored(&mut steps, fact, &facts[place..], group),
            Deed::Delivered { process, thread, .. } => {
                tries += 1;
                let (process, thread) = (*process, *thread);
                let attempt = Attempt { number: tries, process, thread, ended: None };
                steps.push(step(fact, StepKind::Tried(attempt)));
            }
            Deed::Ended { process, thread, result, outcome, .. } => {
                let end = End { at: fact.at, result: *result, outcome: *outcome };
                end_attempt(&mut steps, *process, *thread, end);
            }
            Deed::KeptLocally { process, until, .. } => {
                let kind = StepKind::KeptLocally { process: *process, until: *until };
                steps.push(step(fact, kind));
            }
            Deed::Discarded { .. } | Deed::FailureDropped { .. } => {
                steps.push(step(fact, StepKind::GivenUp));
            }
            Deed::SentBack { .. }
            | Deed::SendBackFailed { .. }
            | Deed::RetryDecided { .. }
            | Deed::DeadLettered { .. }
            | Deed::Elapsed { .. }
            | Deed::DeadLetterSent { .. } => {}
        }
    }
    steps
}

fn step(fact: &Fact, kind: StepKind) -> Step {
    let record = &fact.record;
    let queue = queue_of(record);
    let real_queue = record.properties.real_topic.as_ref().map(|topic| {
        let id = record.properties.real_queue_id.unwrap_or(record.queue_id);
        MessageQueue::new(topic.clone(), record.broker_name.clone(), id)
    });
    Step {
        event: fact.event,
        at: fact.at,
        broker_name: record.broker_name.clone(),
        queue,
        offset: record.queue_offset,
        real_queue,
        failures: record.reconsume_times,
        kind,
    }
}

pub fn queue_of(record: &StoredMessage) -> MessageQueue {
    MessageQueue::new(record.topic.clone(), record.broker_name.clone(), record.queue_id)
}

/// A record was appended: by the producer, by a send-back, or because its delay was over.
fn stored(steps: &mut Vec<Step>, fact: &Fact, rest: &[Fact], group: Option<&GroupName>) {
    let record = &fact.record;
    let is_delayed = record.topic.as_str() == SCHEDULE_TOPIC;
    let is_dead = is_dlq_topic(&record.topic);
    let was_tried = matches!(steps.last(), Some(Step { kind: StepKind::Tried(_), .. }));
    let was_kept = matches!(steps.last(), Some(Step { kind: StepKind::KeptLocally { .. }, .. }));
    if was_tried || was_kept {
        let by_fallback = rest.iter().find_map(|fact| match &fact.deed {
            Deed::SentBack { by_fallback, group: of, .. } if Some(of) == group => {
                Some(*by_fallback)
            }
            Deed::DeadLetterSent { .. } => Some(true),
            _ => None,
        });
        let by_fallback = by_fallback.unwrap_or(false);
        steps.push(step(fact, StepKind::SentBack { by_fallback }));
    }
    let kind = if is_delayed {
        StepKind::Delayed { level: DelayLevel::from_queue_id(record.queue_id).number() }
    } else if is_dead {
        StepKind::DeadLettered
    } else {
        StepKind::Stored
    };
    steps.push(step(fact, kind));
}

fn end_attempt(steps: &mut [Step], process: ProcessIndex, thread: u32, end: End) {
    let attempts = steps.iter_mut().rev().filter_map(|step| match &mut step.kind {
        StepKind::Tried(attempt) => Some(attempt),
        _ => None,
    });
    let mut open = attempts.filter(|it| it.ended.is_none());
    if let Some(attempt) = open.find(|it| it.process == process && it.thread == thread) {
        attempt.ended = Some(end);
    }
}
