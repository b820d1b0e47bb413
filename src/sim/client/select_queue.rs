//! selectOneMessageQueue: round robin, a selector's choice, and latency fault tolerance (spec 08.3,
//! 08.4).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::ClientInstance;
use super::producer::{BrokerFault, PublishTopic};
use super::send::SendRun;
use crate::model::config::SendMode;
use crate::model::ids::{BrokerName, QueueId, TopicName};
use crate::model::java_string;
use crate::model::message_queue::MessageQueue;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::sim::command::QueueChoice;
use crate::sim::engine::Context;

type Faults = BTreeMap<BrokerName, BrokerFault>;

/// The queue of the send's next attempt; none if there is none to choose.
pub(super) fn select_queue(
    run: &SendRun,
    queues: &[MessageQueue],
    topics: &mut BTreeMap<TopicName, PublishTopic>,
    faults: Option<&Faults>,
    cx: &Context<'_>,
) -> Option<MessageQueue> {
    if queues.is_empty() {
        return None;
    }
    match &run.choice {
        QueueChoice::Fixed { broker_name, queue_id } => queues
            .iter()
            .find(|queue| {
                queue.queue_id == *queue_id
                    && broker_name.as_ref().is_none_or(|name| *name == queue.broker_name)
            })
            .cloned(),
        QueueChoice::HashOf(text) => {
            let hash = i64::from(java_string::hash_code(text)).unsigned_abs();
            queues.get((hash % queues.len() as u64) as usize).cloned()
        }
        QueueChoice::RoundRobin => {
            let entry = topics.entry(run.message.topic.clone()).or_default();
            let chosen = select_one(entry, queues, run.last_broker.as_ref(), faults, cx);
            // A retry of an asynchronous send keeps what is in its request header: the queue id.
            let last_queue = run.queue.as_ref().filter(|_| run.mode == SendMode::Async);
            Some(match last_queue {
                Some(last) => MessageQueue { queue_id: last.queue_id, ..chosen },
                None => chosen,
            })
        }
    }
}

impl ClientInstance {
    /// updateFaultItem: how long the attempt took, or a fixed penalty if it failed.
    pub(super) fn note_latency(&mut self, send: u64, was_failure: bool, cx: &Context<'_>) {
        let (now, profile) = (cx.now(), cx.profile());
        let Some(producer) = self.producer_of_send(send) else { return };
        if !producer.config.send_latency_fault_enable {
            return;
        }
        let run = &producer.sends[&send];
        let Some(queue) = &run.queue else { return };
        let latency = now - run.attempt_began_at;
        let judged = if was_failure { penalty_latency(profile) } else { latency };
        let fault =
            BrokerFault { latency, unavailable_until: now + unavailable_for(profile, judged) };
        producer.faults.insert(queue.broker_name.clone(), fault);
    }
}

/// A retry avoids the broker that failed, if there is another one. With latency faults, brokers that
/// count as unavailable are passed over.
fn select_one(
    entry: &mut PublishTopic,
    queues: &[MessageQueue],
    last_broker: Option<&BrokerName>,
    faults: Option<&Faults>,
    cx: &Context<'_>,
) -> MessageQueue {
    let Some(faults) = faults else {
        let is_other = |queue: &MessageQueue| last_broker != Some(&queue.broker_name);
        return first_that(entry, queues, is_other)
            .unwrap_or_else(|| entry.next_queue(queues).clone());
    };
    let now = cx.now();
    let prefers_same = cx.rules().latency_retry_prefers_same_broker;
    let is_available = |queue: &MessageQueue| is_available(faults, &queue.broker_name, now);
    let fits = |queue: &MessageQueue| {
        last_broker.is_none_or(|last| (queue.broker_name == *last) == prefers_same)
    };
    if let Some(queue) = first_that(entry, queues, |it| fits(it) && is_available(it)) {
        return queue;
    }
    let second_best = if prefers_same {
        pick_one_at_least(entry, queues, faults, now)
    } else {
        // Without the active detector every broker counts as reachable.
        first_that(entry, queues, fits)
    };
    second_best.unwrap_or_else(|| entry.next_queue(queues).clone())
}

/// The first from the round-robin position on that will do.
fn first_that(
    entry: &mut PublishTopic,
    queues: &[MessageQueue],
    will_do: impl Fn(&MessageQueue) -> bool,
) -> Option<MessageQueue> {
    (0..queues.len()).find_map(|_| {
        let queue = entry.next_queue(queues);
        will_do(queue).then(|| queue.clone())
    })
}

fn is_available(faults: &Faults, broker: &BrokerName, now: Millis) -> bool {
    faults.get(broker).is_none_or(|fault| now >= fault.unavailable_until)
}

/// Nobody is available: one of the better half of the known brokers, in turn.
///
/// Follows `LatencyFaultToleranceImpl.pickOneAtLeast`.
fn pick_one_at_least(
    entry: &mut PublishTopic,
    queues: &[MessageQueue],
    faults: &Faults,
    now: Millis,
) -> Option<MessageQueue> {
    let mut known: Vec<(&BrokerName, &BrokerFault)> = faults.iter().collect();
    known.sort_by_key(|(name, fault)| {
        (Reverse(is_available(faults, name, now)), fault.latency, fault.unavailable_until)
    });
    let better_half = (known.len() / 2).max(1);
    let (broker, _) = known.get(entry.which_item_worst as usize % better_half)?;
    entry.which_item_worst = entry.which_item_worst.wrapping_add(1);
    let of_broker: Vec<&MessageQueue> =
        queues.iter().filter(|queue| queue.broker_name == **broker).collect();
    if of_broker.is_empty() {
        return None;
    }
    let topic = entry.next_queue(queues).topic.clone();
    let queue_id = QueueId(entry.next_number() % of_broker.len() as u32);
    Some(MessageQueue::new(topic, (*broker).clone(), queue_id))
}

impl PublishTopic {
    // Differs: the counter starts at 0, not at random (spec 08.3, [MODEL]), so that keys lie where a
    // reader expects them.
    fn next_number(&mut self) -> u32 {
        let counter = self.counter.unwrap_or(0);
        self.counter = Some(counter.wrapping_add(1));
        counter
    }

    fn next_queue<'a>(&mut self, queues: &'a [MessageQueue]) -> &'a MessageQueue {
        &queues[self.next_number() as usize % queues.len()]
    }
}

/// latencyMax and notAvailableDuration (spec 08.4), both in ms.
fn unavailable_for(profile: Profile, latency: Millis) -> Millis {
    let steps: [(u64, u64); 7] = match profile {
        Profile::V42 | Profile::V49 => [
            (50, 0),
            (100, 0),
            (550, 30_000),
            (1_000, 60_000),
            (2_000, 120_000),
            (3_000, 180_000),
            (15_000, 600_000),
        ],
        Profile::V53 => [
            (50, 0),
            (100, 0),
            (550, 2_000),
            (1_800, 5_000),
            (3_000, 6_000),
            (5_000, 10_000),
            (15_000, 30_000),
        ],
    };
    let step = steps.iter().rev().find(|(least, _)| latency.ms() >= *least);
    Millis(step.map_or(0, |(_, duration)| *duration))
}

/// What a failed attempt counts as.
fn penalty_latency(profile: Profile) -> Millis {
    match profile {
        Profile::V42 | Profile::V49 => Millis(30_000),
        Profile::V53 => Millis(10_000),
    }
}
