//! Who owns which queue: C12, C13, X3 to X5 and X14 of spec 12.

use std::collections::{BTreeMap, BTreeSet};

use super::at_client::{active, client_of, consumer_of};
use super::history::queue_of;
use super::tokens::Tokens;
use super::watch::Share;
use super::{Found, Moment};
use crate::model::allocate::AllocateStrategy;
use crate::model::config::MessageModel;
use crate::model::constants;
use crate::model::ids::{ClientId, GroupName, ProcessIndex, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::sim::client::ClientInstance;
use crate::sim::client::consume_pool::WorkerState;
use crate::sim::client::consumer::PushConsumer;
use crate::sim::event::{Event, EventKind};

/// C12: between two passes a client owns only what it computed for itself.
pub fn c12_owned_is_part_of_the_share(
    moment: &Moment<'_>,
    client: &ClientInstance,
    consumer: &PushConsumer,
) -> Found {
    if !consumer.is_clustering() || client.rebalance_service.pass.is_some() {
        return None;
    }
    active(consumer).find_map(|(queue, _)| {
        let key = (client.process, consumer.group.clone(), queue.topic.clone());
        let share = moment.watch.shares.get(&key)?;
        // CONFIG puts queues of other topics into each topic's share.
        let is_mine = share.mine.contains(queue) || is_by_config(consumer);
        (!is_mine).then(|| format!("{queue} is not of {}", client.client_id))
    })
}

fn is_by_config(consumer: &PushConsumer) -> bool {
    matches!(consumer.config.allocate_strategy, AllocateStrategy::ByConfig(_))
}

/// C13: a pass begins at most 20 s after the last one ended.
pub fn c13_passes_are_not_too_far_apart(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::RebalanceBegan = event.kind else { return None };
    let process = client_of(event)?;
    let consumers = &moment.simulation.world().client(process).consumers;
    let most = consumers.values().next()?.config.rebalance_wait_interval;
    let gap = event.at.since(*moment.watch.pass_ended.get(&process)?);
    (gap > most).then(|| format!("{gap} since the last pass"))
}

/// C13: … and since 5.2.0 at least 1 s after it.
pub fn c13_passes_are_not_too_close(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::RebalanceBegan = event.kind else { return None };
    let least = constants::rebalance_min_interval(moment.simulation.engine().profile)?;
    let gap = event.at.since(*moment.watch.pass_ended.get(&client_of(event)?)?);
    (gap < least).then(|| format!("{gap} since the last pass"))
}

/// Whether the strategy divides the queues: then equal views give a partition.
fn divides(consumer: &PushConsumer) -> bool {
    matches!(
        consumer.config.allocate_strategy,
        AllocateStrategy::Averagely
            | AllocateStrategy::AveragelyByCircle
            | AllocateStrategy::ConsistentHash { .. }
    )
}

fn has_twins(members: &[ClientId]) -> bool {
    let distinct: BTreeSet<&ClientId> = members.iter().collect();
    distinct.len() != members.len()
}

/// X3: with equal views the shares are disjoint, and together they are all queues.
pub fn x3_equal_views_divide_the_queues(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::Allocated { group, topic, queues, members, mine } = &event.kind else {
        return None;
    };
    let process = client_of(event)?;
    let consumer = consumer_of(moment, process, group)?;
    if !divides(consumer) || has_twins(members) {
        return None;
    }
    let strategy = &consumer.config.allocate_strategy;
    let mut shares: BTreeMap<ClientId, &[MessageQueue]> = BTreeMap::new();
    for ((other, in_group, of_topic), share) in &moment.watch.shares {
        let client = moment.simulation.world().client(*other);
        let is_equal = in_group == group
            && of_topic == topic
            && share.queues == *queues
            && share.members == *members
            && client
                .consumers
                .get(group)
                .is_some_and(|it| it.config.allocate_strategy == *strategy);
        if is_equal {
            shares.insert(client.client_id.clone(), &share.mine);
        }
    }
    shares.insert(moment.simulation.world().client(process).client_id.clone(), mine);
    let taken: Vec<&MessageQueue> = shares.values().flat_map(|share| share.iter()).collect();
    let distinct: BTreeSet<&MessageQueue> = taken.iter().copied().collect();
    if distinct.len() != taken.len() {
        return Some(format!("two members of {group} compute the same queue of {topic}"));
    }
    let is_complete = members.iter().all(|member| shares.contains_key(member));
    (is_complete && distinct.len() != queues.len())
        .then(|| format!("{} of {} queues of {topic} are shared out", distinct.len(), queues.len()))
}

type Views<'a> = Vec<(ProcessIndex, &'a PushConsumer, Option<&'a Share>)>;

/// The running members of each group and topic, with what each last computed.
fn views<'a>(moment: &Moment<'a>) -> BTreeMap<(GroupName, TopicName), Views<'a>> {
    let mut views: BTreeMap<_, Views<'a>> = BTreeMap::new();
    for client in moment.simulation.world().clients.iter().filter(|client| client.is_alive()) {
        for consumer in client.consumers.values().filter(|it| it.is_registered()) {
            for topic in consumer.subscriptions.keys() {
                let key = (consumer.group.clone(), topic.clone());
                let share = (client.process, consumer.group.clone(), topic.clone());
                let share = moment.watch.shares.get(&share);
                views.entry(key).or_default().push((client.process, consumer, share));
            }
        }
    }
    views
}

/// Whether every member has finished a pass in which it saw exactly these members and the same
/// queues.
fn is_settled(moment: &Moment<'_>, members: &Views<'_>) -> bool {
    let world = moment.simulation.world();
    let mut ids: Vec<ClientId> =
        members.iter().map(|(process, ..)| world.client(*process).client_id.clone()).collect();
    ids.sort_unstable();
    let Some((_, _, Some(first))) = members.first() else { return false };
    !has_twins(&ids)
        && *first.members == *ids
        && members.iter().all(|(process, consumer, share)| {
            let is_equal = share.is_some_and(|share| {
                share.queues == first.queues && share.members == first.members
            });
            let client = world.client(*process);
            is_equal
                && client.rebalance_service.pass.is_none()
                && divides(consumer)
                && consumer.config.message_model == MessageModel::Clustering
        })
}

/// X4: once all members agree, no queue has two owners.
pub fn x4_one_owner_once_views_agree(moment: &Moment<'_>, _: &Tokens) -> Found {
    views(moment).iter().filter(|(_, members)| is_settled(moment, members)).find_map(
        |((group, topic), members)| {
            let mut owned = BTreeSet::new();
            let queues = members.iter().flat_map(|(_, consumer, _)| active(consumer));
            let mut of_topic = queues.filter(|(queue, _)| queue.topic == *topic);
            let (twice, _) = of_topic.find(|(queue, _)| !owned.insert(*queue))?;
            Some(format!("{twice} of {group} has two owners"))
        },
    )
}

/// X5: an orderly queue is worked on by one client.
pub fn x5_one_orderly_client_for_each_queue(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::ConsumeStarted { group, message, .. } = &event.kind else { return None };
    let process = client_of(event)?;
    let consumer = consumer_of(moment, process, group)?;
    if !consumer.is_orderly()
        || !consumer.is_clustering()
        || moment.watch.order_exempt.contains(group)
    {
        return None;
    }
    let queue = queue_of(message);
    let others = moment.simulation.world().clients.iter();
    let mut others = others.filter(|client| client.process != process && client.is_alive());
    let other = others.find(|client| {
        let workers = client.consumers.get(group).map(|it| it.pool.workers.iter());
        workers.into_iter().flatten().any(|worker| {
            matches!(worker.state, WorkerState::Listening(_))
                && worker.request.as_ref().is_some_and(|it| it.message_queue == queue)
        })
    })?;
    Some(format!("{queue} runs at {} too", other.client_id))
}

/// Longer than a shutdown() needs from its unlocks to its last report, in a run without faults.
const GOODBYE: Millis = Millis::new(1_000);

/// X14: an orderly queue that moves brings one batch twice at most. One that goes with its subscription does
/// not move: nobody reports its offset.
pub fn x14_a_moved_queue_repeats_one_batch(
    moment: &Moment<'_>,
    client: &ClientInstance,
    consumer: &PushConsumer,
) -> Found {
    let group = &consumer.group;
    let is_exempt =
        moment.watch.order_exempt.contains(group) || moment.watch.moved_by_hand.contains(group);
    let counts = consumer.is_orderly() && consumer.is_clustering() && consumer.config.auto_commit;
    if !counts || is_exempt {
        return None;
    }
    let batch = consumer.config.consume_message_batch_max_size;
    let of_consumer =
        |process: ProcessIndex, of: &GroupName| process == client.process && of == group;
    // shutdown() gives the locks back before it reports the offsets: the next owner may be in between.
    let last_stop = moment.watch.last_stop.get(group);
    let is_handed_over = |queue: &MessageQueue, at: Millis| {
        last_stop.is_none_or(|stop| at > *stop + GOODBYE)
            && !moment.watch.unsubscribed.contains(&(group.clone(), queue.clone()))
    };
    let mut seats = moment.watch.seats.iter().filter(|((process, of, queue), seat)| {
        of_consumer(*process, of) && is_handed_over(queue, seat.assigned_at)
    });
    let ((_, _, queue), seat) = seats.find(|(_, seat)| seat.duplicates > batch)?;
    Some(format!("{queue} brought {} messages again", seat.duplicates))
}
