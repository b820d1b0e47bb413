//! What holds between brokers and clients: X1, X2, X6 and X8 to X11 of spec 12.

use super::at_client::{active, client_of, consumer_of};
use super::history::{QueueHistory, queue_of};
use super::tokens::Tokens;
use super::{Found, Moment};
use crate::model::ids::GroupName;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::subscription::SubscriptionData;
use crate::sim::broker::Broker;
use crate::sim::client::ClientInstance;
use crate::sim::client::call::Waiter;
use crate::sim::client::consumer::PushConsumer;
use crate::sim::event::{Event, EventKind, Trigger};

/// What a group wants of a topic, if all its consumers that were ever started agree.
fn wanted<'a>(
    moment: &Moment<'a>,
    group: &GroupName,
    queue: &MessageQueue,
) -> Option<&'a SubscriptionData> {
    let clients = moment.simulation.world().clients.iter();
    let consumers = clients.filter_map(|client| client.consumers.get(group));
    let mut wanted: Option<&SubscriptionData> = None;
    for consumer in consumers {
        let own = consumer.subscriptions.get(&queue.topic)?;
        if wanted.is_some_and(|other| other.expression != own.expression) {
            return None;
        }
        wanted = Some(own);
    }
    wanted
}

fn broker_named<'a>(moment: &Moment<'a>, queue: &MessageQueue) -> Option<&'a Broker> {
    let world = moment.simulation.world();
    world.broker_named(&queue.broker_name, 0).map(|index| world.broker(index))
}

/// The first offset of `from..to` whose message is wanted and does not satisfy `holds`.
fn first_that_fails(
    moment: &Moment<'_>,
    group: &GroupName,
    queue: &MessageQueue,
    (from, to): (QueueOffset, QueueOffset),
    holds: impl Fn(QueueOffset) -> bool,
) -> Option<QueueOffset> {
    let wanted = wanted(moment, group, queue)?;
    let records = broker_named(moment, queue)?.find_consume_queue(&queue.topic, queue.queue_id)?;
    (from.0..to.0).map(QueueOffset).find(|offset| {
        // What has expired can't be looked at any more.
        let is_wanted = records.get(*offset).is_some_and(|it| wanted.matches_message(&it.message));
        is_wanted && !holds(*offset)
    })
}

fn is_untouched(moment: &Moment<'_>, group: &GroupName) -> bool {
    let watch = moment.watch;
    let is_special = watch.subscriptions.mixed.contains(group) || watch.twins.contains(group);
    !watch.data_lost && !watch.moved_by_hand.contains(group) && !is_special
}

/// The offsets that a commit covers for the first time.
fn newly_covered<'a>(
    moment: &Moment<'a>,
    event: &'a Event,
) -> Option<(&'a GroupName, &'a MessageQueue, (QueueOffset, QueueOffset), &'a QueueHistory)> {
    let EventKind::OffsetCommitted { group, queue, to, .. } = &event.kind else { return None };
    // What an operator sets says nothing of what was done.
    if event.trigger == Trigger::Command {
        return None;
    }
    let history = moment.watch.histories.queue(group, queue)?;
    let from = history.committed.max(history.start)?;
    is_untouched(moment, group).then_some((group, queue, (from, *to), history))
}

/// X1, as far as a commit shows it: what is committed was passed to a listener.
pub fn x1_committed_was_delivered(moment: &Moment<'_>, event: &Event) -> Found {
    let (group, queue, range, history) = newly_covered(moment, event)?;
    let lost = first_that_fails(moment, group, queue, range, |offset| {
        history.records.get(&offset).is_some_and(|record| record.started() > 0)
    })?;
    Some(format!("{group} commits {} of {queue}, {lost} was never delivered", range.1))
}

/// X2: what is committed was finished or sent back.
pub fn x2_committed_is_done(moment: &Moment<'_>, event: &Event) -> Found {
    let (group, queue, range, history) = newly_covered(moment, event)?;
    let open = first_that_fails(moment, group, queue, range, |offset| {
        history.records.get(&offset).is_some_and(super::history::RecordHistory::is_done)
    })?;
    Some(format!("{group} commits {} of {queue}, {open} is not done", range.1))
}

/// A window that holds something is still being worked on. So is one whose pull waits at the client, for
/// flow control, while a listener runs: what it has not brought yet is not forgotten.
fn is_at_work_on(client: &ClientInstance, consumer: &PushConsumer, queue: &MessageQueue) -> bool {
    let Some(id) = consumer.process_queue_table.get(queue) else { return false };
    let holds_some = consumer.shelf(queue).is_some_and(|shelf| shelf.window.message_count() > 0);
    let is_pulling = client
        .pending_calls
        .values()
        .any(|call| matches!(&call.waiter, Waiter::Pull(request) if request.process_queue == *id));
    holds_some || (consumer.pool.busy() > 0 && !is_pulling)
}

/// X1 at rest: a group with a running member has had everything, from its start to the end.
pub fn x1_nothing_is_forgotten(moment: &Moment<'_>) -> Found {
    moment.watch.histories.queues.iter().find_map(|((group, queue), history)| {
        let clients = moment.simulation.world().clients.iter().filter(|client| client.is_alive());
        let members: Vec<(&ClientInstance, &PushConsumer)> = clients
            .filter_map(|client| Some((client, client.consumers.get(group)?)))
            .filter(|(_, it)| it.is_registered() && it.is_clustering())
            .collect();
        let is_at_rest =
            !members.is_empty() && !members.iter().any(|it| is_at_work_on(it.0, it.1, queue));
        if !is_at_rest || !is_untouched(moment, group) {
            return None;
        }
        let broker = broker_named(moment, queue)?;
        // What lies in a queue that its topic no longer has is still there, and out of everyone's reach.
        let config = broker.topic_config.get(&queue.topic)?;
        if queue.queue_id.0 >= config.read_queue_nums {
            return None;
        }
        let end = broker.max_offset_in_queue(&queue.topic, queue.queue_id);
        let range = (history.start?, end);
        let lost = first_that_fails(moment, group, queue, range, |offset| {
            history.records.get(&offset).is_some_and(|record| record.started() > 0)
        })?;
        Some(format!("{group} never got {queue}@{lost} of {end}"))
    })
}

/// X6: first deliveries of an orderly queue come in the order of their offsets.
pub fn x6_first_deliveries_are_in_order(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::ConsumeStarted { group, message, .. } = &event.kind else { return None };
    let consumer = consumer_of(moment, client_of(event)?, group)?;
    let is_exempt = moment.watch.order_exempt.contains(group) || !is_untouched(moment, group);
    if !consumer.is_orderly() || !consumer.is_clustering() || is_exempt {
        return None;
    }
    let queue = queue_of(message);
    let history = moment.watch.histories.queue(group, &queue)?;
    let was_started = history.records.contains_key(&message.queue_offset);
    let max = history.max_started?;
    (!was_started && message.queue_offset < max)
        .then(|| format!("{queue}: {} for the first time, after {max}", message.queue_offset))
}

/// X8: without faults, and while its queue has not moved, a success is not executed again.
pub fn x8_a_success_is_not_repeated(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::ConsumeStarted { group, message, .. } = &event.kind else { return None };
    let consumer = consumer_of(moment, client_of(event)?, group)?;
    let history = moment.watch.histories.queue(group, &queue_of(message))?;
    let record = history.records.get(&message.queue_offset)?;
    let is_alone = history.assignments == 1 && is_untouched(moment, group);
    // A batch has one result: with autoCommit off or in a batch, successes may come again.
    let counts = consumer.is_clustering()
        && consumer.config.auto_commit
        && (!consumer.is_orderly() || consumer.config.consume_message_batch_max_size == 1);
    // The cleaner may send back what waits for its local retry, which comes all the same (spec 04.3).
    let was_waiting =
        record.succeeded == 0 && record.local_retries > 0 && record.started() <= record.failed;
    (is_alone && counts && record.is_done() && !was_waiting)
        .then(|| format!("{}@{} was done", queue_of(message), message.queue_offset))
}

/// X9: a message is executed at most maxReconsumeTimes + 1 times along one chain of retries: what is
/// executed was never retried more often than that.
pub fn x9_a_chain_has_an_end(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::ConsumeStarted { group, message, .. } = &event.kind else { return None };
    let clients = moment.simulation.world().clients.iter();
    let consumers = clients.filter_map(|client| client.consumers.get(group));
    let profile = moment.simulation.engine().profile;
    let max = consumers.map(|consumer| consumer.max_reconsume_times(profile)).max()?;
    let times = message.reconsume_times;
    (times > max).then(|| format!("{} came for the {times}th retry", queue_of(message)))
}

/// X10: in broadcasting a client executes each message once.
pub fn x10_broadcasting_executes_once(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::ConsumeStarted { group, message, .. } = &event.kind else { return None };
    let process = client_of(event)?;
    let consumer = consumer_of(moment, process, group)?;
    let record = moment.watch.histories.record(group, message)?;
    let is_repeated = record.started_by.get(&process).is_some_and(|times| *times > 0);
    let is_orderly_retry = consumer.is_orderly();
    let place = (group.clone(), queue_of(message));
    let is_counted = is_untouched(moment, group) && !moment.watch.unsubscribed.contains(&place);
    (!consumer.is_clustering() && is_repeated && !is_orderly_retry && is_counted)
        .then(|| format!("{}@{} again", queue_of(message), message.queue_offset))
}

/// X11: whatever lies between the commit and the next pull is in the window, or done. Of a queue that was given
/// up with its subscription and comes back, the offset in memory is that of the window before.
pub fn x11_pulled_is_in_the_window_or_done(moment: &Moment<'_>, tokens: &Tokens) -> Found {
    let clients = moment.simulation.world().clients.iter().filter(|client| client.is_alive());
    let consumers = clients.flat_map(|client| client.consumers.values());
    let counted = |consumer: &&PushConsumer| {
        consumer.is_registered() && is_untouched(moment, &consumer.group)
    };
    consumers.filter(counted).find_map(|consumer| {
        active(consumer).find_map(|(queue, shelf)| {
            let group = &consumer.group;
            let next = tokens.next_offset(*consumer.process_queue_table.get(queue)?)?;
            let memory = consumer.offset_store.read_from_memory(queue)?;
            if moment.watch.unsubscribed.contains(&(group.clone(), queue.clone())) {
                return None;
            }
            let history = moment.watch.histories.queue(group, queue)?;
            let taken = shelf.window.consuming_orderly();
            let lost = first_that_fails(moment, group, queue, (memory, next), |offset| {
                shelf.window.contains(offset)
                    || taken.contains_key(&offset)
                    || history.records.get(&offset).is_some_and(|record| record.is_done())
            })?;
            Some(format!("{queue}@{lost} of {group} was pulled and is gone; next {next}"))
        })
    })
}
