//! The broker's invariants, B1 to B17 of spec 12, and our own T1.

use super::tokens::Tokens;
use super::{Found, Moment};
use crate::model::constants;
use crate::model::delay_level::{self, DelayLevel};
use crate::model::ids::{BrokerIndex, GroupName};
use crate::model::message::StoredMessage;
use crate::model::offset::QueueOffset;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::model::topic::{SCHEDULE_TOPIC, is_dlq_topic, is_retry_topic};
use crate::sim::broker::Broker;
use crate::sim::event::{Actor, Event, EventKind, LeaveReason, ResponseDetail};
use crate::sim::packet::{Machine, RequestCode, ResponseCode};

fn broker_of(event: &Event) -> Option<BrokerIndex> {
    match event.actor {
        Actor::Machine(Machine::Broker(broker)) => Some(broker),
        _ => None,
    }
}

/// T1: time and sequence only go forward, and nothing on the agenda lies behind.
pub fn nothing_happens_in_the_past(moment: &Moment<'_>, event: &Event) -> Found {
    let watch = moment.watch;
    if event.at < watch.last_at || event.sequence < watch.next_sequence {
        return Some(format!("event {} at {} comes after later ones", event.sequence, event.at));
    }
    if let Some(later) = event.causes.as_slice().iter().find(|cause| **cause >= event.sequence) {
        return Some(format!("event {} is caused by the later event {later}", event.sequence));
    }
    None
}

/// T1, second half.
pub fn nothing_is_left_behind(moment: &Moment<'_>, _: &Tokens) -> Found {
    let earliest = moment.simulation.engine().agenda.entries().map(|entry| entry.at).min()?;
    (earliest < moment.now()).then(|| format!("a task for {earliest} at {}", moment.now()))
}

/// B1: each record takes the next offset of its queue.
pub fn b1_consume_queue_is_dense(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::ConsumeQueueAppended { message } = &event.kind else { return None };
    let broker = moment.watch.brokers.get(&broker_of(event)?)?;
    let (next, _) = broker.queue_ends.get(&(message.topic.clone(), message.queue_id))?;
    (*next != message.queue_offset).then(|| {
        format!("{}/{} got {}, not {next}", message.topic, message.queue_id, message.queue_offset)
    })
}

/// B1, second half, and B3: every offset keeps its message, and physical offsets only grow.
pub fn b1_offsets_keep_their_message(moment: &Moment<'_>) -> Found {
    moment.simulation.world().brokers.iter().find_map(|broker| {
        broker.consume_queues.iter().find_map(|((topic, queue_id), queue)| {
            let offsets = queue.min_offset().0..queue.max_offset().0;
            offsets.map(QueueOffset).find_map(|offset| {
                let Some(entry) = queue.get(offset) else {
                    return Some(format!("{topic}/{queue_id} has no entry at {offset}"));
                };
                let place = entry.message.physical_offset;
                let is_there = broker.commit_log.look_message_by_offset(place);
                let fits = entry.message.queue_offset == offset
                    && entry.message.topic == *topic
                    && entry.message.queue_id == *queue_id
                    && is_there.is_some_and(|record| **record == *entry.message);
                (!fits).then(|| format!("{topic}/{queue_id}@{offset} is another message"))
            })
        })
    })
}

/// B2.
pub fn b2_min_offset_is_not_above_max(_: &Moment<'_>, broker: &Broker) -> Found {
    broker.consume_queues.iter().find_map(|((topic, queue_id), queue)| {
        let (min, max) = (queue.min_offset(), queue.max_offset());
        let holds = QueueOffset::ZERO <= min && min <= max;
        (!holds).then(|| format!("{topic}/{queue_id}: min {min}, max {max}"))
    })
}

/// B3.
pub fn b3_physical_offsets_increase(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::ConsumeQueueAppended { message } = &event.kind else { return None };
    let broker = moment.watch.brokers.get(&broker_of(event)?)?;
    let (next, last) = broker.queue_ends.get(&(message.topic.clone(), message.queue_id))?;
    let is_first = *next == QueueOffset::ZERO;
    (!is_first && message.physical_offset <= *last && last.0 > 0)
        .then(|| format!("physical {} after {last}", message.physical_offset))
}

/// B4.
pub fn b4_store_times_do_not_decrease(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::MessageStored { message } = &event.kind else { return None };
    let last = moment.watch.brokers.get(&broker_of(event)?)?.last_stored_at;
    (message.stored_at < last).then(|| format!("stored at {} after {last}", message.stored_at))
}

/// B5.
pub fn b5_due_times_of_a_level_do_not_decrease(_: &Moment<'_>, broker: &Broker) -> Found {
    let of_levels = |topic: &str| topic == SCHEDULE_TOPIC;
    broker.consume_queues.iter().find_map(|((topic, level), queue)| {
        if !of_levels(topic.as_str()) || queue.max_offset() < QueueOffset(2) {
            return None;
        }
        let last = queue.get(queue.max_offset().plus(-1))?.due();
        let before = queue.get(queue.max_offset().plus(-2))?.due();
        (last < before).then(|| format!("queue {level}: due {last} behind {before}"))
    })
}

fn delay_of(broker: &Broker, level: u32) -> Millis {
    let levels = &broker.config.message_delay_level;
    let level = DelayLevel::new(level);
    level.and_then(|level| delay_level::delay_of(levels, level)).unwrap_or(Millis::ZERO)
}

/// B6: a delayed message leaves its level only when it is due, and its real topic gets it only then.
pub fn b6_delayed_messages_wait(moment: &Moment<'_>, event: &Event) -> Found {
    let index = broker_of(event)?;
    let broker = moment.simulation.world().broker(index);
    match &event.kind {
        EventKind::DelayElapsed { level, message, .. } => {
            let due = message.stored_at + delay_of(broker, *level);
            (event.at < due).then(|| format!("level {level}: let go at {}, due {due}", event.at))
        }
        EventKind::MessageStored { message } => {
            let properties = &message.properties;
            let is_delayed = properties.delay.is_some_and(|level| level > 0)
                && properties.real_topic.as_ref() == Some(&message.topic);
            let key = message.body.unique_key;
            let has_waited = moment
                .watch
                .brokers
                .get(&index)
                .is_some_and(|watch| watch.elapsed.contains_key(&key));
            (is_delayed && !has_waited).then(|| format!("{} never waited", name_of(message)))
        }
        _ => None,
    }
}

fn name_of(message: &StoredMessage) -> String {
    format!("{}/{}@{}", message.topic, message.queue_id, message.queue_offset)
}

/// B7: whoever holds an unexpired lease is the only owner.
pub fn b7_one_lock_owner(moment: &Moment<'_>, broker: &Broker) -> Found {
    let watch = moment.watch.brokers.get(&broker.index)?;
    let lease = broker.config.rebalance_lock_max_live_time;
    watch.locks.iter().find_map(|((group, queue), (owner, at))| {
        let is_alive = moment.now().since(*at) <= lease;
        let entry = broker.rebalance_lock.entry(group, queue);
        let is_owner = entry.is_some_and(|entry| entry.client_id == *owner);
        (is_alive && !is_owner).then(|| format!("{queue} of {group} was granted to {owner}"))
    })
}

/// B8.
pub fn b8_a_lock_is_given_back_or_expires(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::QueueLocked { group, queue, client, .. } = &event.kind else { return None };
    let index = broker_of(event)?;
    let lease = moment.simulation.world().broker(index).config.rebalance_lock_max_live_time;
    let watch = moment.watch.brokers.get(&index)?;
    let (owner, at) = watch.locks.get(&(group.clone(), queue.clone()))?;
    let age = event.at.since(*at);
    (owner != client && age <= lease)
        .then(|| format!("{queue} went from {owner} to {client} after {age}"))
}

/// Whether a dead letter came by CONSUMER_SEND_MSG_BACK: then `origin` is the message that failed.
fn is_by_send_back(origin: &StoredMessage) -> bool {
    !is_dlq_topic(&origin.topic) && origin.topic.as_str() != SCHEDULE_TOPIC
}

/// B9.
pub fn b9_a_retry_counts_one_more(_: &Moment<'_>, event: &Event) -> Found {
    let (origin, times) = match &event.kind {
        EventKind::RetryStored { origin, reconsume_times, .. } => (origin, *reconsume_times),
        EventKind::DeadLettered { origin, reconsume_times, .. } if is_by_send_back(origin) => {
            (origin, *reconsume_times)
        }
        _ => return None,
    };
    let before = origin.reconsume_times;
    (times != before + 1).then(|| format!("{before} became {times}"))
}

/// B10: why a message may be a dead letter.
pub fn b10_dead_letters_have_failed_too_often(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::DeadLettered { group, origin, reconsume_times, .. } = &event.kind else {
        return None;
    };
    let index = broker_of(event)?;
    let is_justified = if is_by_send_back(origin) {
        let key = (group.clone(), origin.physical_offset);
        let send_backs = moment.watch.brokers.get(&index)?.send_backs.get(&key);
        send_backs.is_some_and(|it| {
            it.asked.iter().any(|(level, max)| *level < 0 || origin.reconsume_times >= *max)
        })
    } else {
        is_plain_send_dead(moment, index, group, origin)
    };
    (!is_justified).then(|| format!("{} died after {reconsume_times}", name_of(origin)))
}

fn is_plain_send_dead(
    moment: &Moment<'_>,
    index: BrokerIndex,
    group: &GroupName,
    letter: &StoredMessage,
) -> bool {
    let rules = moment.simulation.engine().rules;
    let broker = moment.simulation.world().broker(index);
    // The request's maximum is the client's; without one it is the group's.
    let clients = moment.simulation.world().clients.iter();
    let consumers = clients.filter_map(|client| client.consumers.get(group));
    let profile = moment.simulation.engine().profile;
    let of_group = broker.subscription_groups.get(group).map_or(0, |it| it.retry_max_times);
    let of_client = consumers.map(|consumer| consumer.max_reconsume_times(profile)).min();
    let max = of_client.unwrap_or(of_group).min(of_group);
    let is_too_often = letter.reconsume_times > max
        || (!rules.fallback_dlq_above_max && letter.reconsume_times == max);
    let lease = broker.config.rebalance_lock_max_live_time;
    let holds_lock = !broker.rebalance_lock.is_lock_all_expired(group, moment.now(), lease);
    is_too_often || (rules.locked_group_dead_letters_plain_sends && holds_lock)
}

/// B11.
pub fn b11_held_pulls_are_answered_in_time(moment: &Moment<'_>, broker: &Broker) -> Found {
    let look = if broker.config.long_polling_enable {
        constants::hold_check_interval(moment.simulation.engine().profile)
    } else {
        constants::short_polling_time(moment.simulation.engine().profile)
    };
    let held = broker.pull_request_hold.held.values().flatten();
    let mut overdue = held.filter(|pull| moment.now() > pull.times_out_at + look);
    let pull = overdue.next()?;
    Some(format!("held since {}, wanted until {}", pull.suspended_at, pull.times_out_at))
}

/// B12: who joins or leaves is told to every member, unless the heartbeat scan found it.
pub fn b12_members_hear_of_each_change(moment: &Moment<'_>) -> Found {
    moment.events.iter().find_map(|event| {
        let group = match &event.kind {
            EventKind::ClientRegistered { group, .. } => group,
            EventKind::ClientLeft { group, reason, .. }
                if *reason != LeaveReason::HeartbeatScan =>
            {
                group
            }
            _ => return None,
        };
        let broker = moment.simulation.world().broker(broker_of(event)?);
        let config = broker.subscription_groups.get(group)?;
        let members = &broker.client_manage.groups.get(group)?.channels;
        if !config.notify_consumer_ids_changed_enable {
            return None;
        }
        let is_told = |process| {
            moment.events.iter().any(|event| {
                matches!(
                    &event.kind,
                    EventKind::RequestSent {
                        to: Machine::Client(told),
                        code: RequestCode::NotifyConsumerIdsChanged,
                        ..
                    } if *told == process
                )
            })
        };
        let missed = members.iter().find(|member| !is_told(member.process))?;
        Some(format!("{} of {group} was not told", missed.client_id))
    })
}

/// B13.
pub fn b13_retry_topics_keep_their_queues(moment: &Moment<'_>, broker: &Broker) -> Found {
    // A slave takes its topics from its master.
    let watch = moment.watch.brokers.get(&broker.index).filter(|_| broker.is_master())?;
    broker.topic_config.iter().filter(|(topic, _)| is_retry_topic(topic)).find_map(
        |(topic, config)| {
            let made = watch.retry_queues.get(topic).copied();
            (made != Some(config.write_queue_nums))
                .then(|| format!("{topic} has {}, made with {made:?}", config.write_queue_nums))
        },
    )
}

/// B14, a hint: a stored offset went back.
pub fn b14_a_stored_offset_decreased(_: &Moment<'_>, event: &Event) -> Found {
    let EventKind::OffsetCommitted { group, queue, from, to, .. } = &event.kind else {
        return None;
    };
    (to < from).then(|| format!("{queue} of {group}: {from} to {to}"))
}

/// B15, first half: a pull is served by a subscription that is at least as new as its own.
pub fn b15_no_pull_is_served_by_an_older_subscription(_: &Moment<'_>, broker: &Broker) -> Found {
    let held = broker.pull_request_hold.held.values().flatten();
    let mut served = held.filter(|pull| pull.header.subscription.is_none());
    let pull = served.find(|pull| pull.subscription.sub_version < pull.header.sub_version)?;
    let (own, known) = (pull.header.sub_version, pull.subscription.sub_version);
    Some(format!("{} pulls with {own}, served by {known}", pull.header.topic))
}

/// How long pulls may be refused as too new: until the client's next heartbeat, and one more try.
const REFUSED_AT_MOST: Millis = Millis::from_seconds(35);

/// B15, second half.
pub fn b15_refusals_end_with_the_next_heartbeat(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::ResponseReceived {
        call,
        of: RequestCode::PullMessage,
        code: ResponseCode::SubscriptionNotLatest,
        ..
    } = &event.kind
    else {
        return None;
    };
    let key = moment.watch.pulls.get(call)?;
    let since = moment.watch.seats.get(key)?.refused_since?;
    let lasted = event.at.since(since);
    (lasted > REFUSED_AT_MOST).then(|| format!("{} refused for {lasted}", key.2))
}

/// B16: what an empty queue without a stored offset answers.
pub fn b16_an_empty_queue_answers_by_its_version(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::ResponseReceived {
        from: Machine::Broker(index),
        of: RequestCode::QueryConsumerOffset,
        code,
        detail,
        ..
    } = &event.kind
    else {
        return None;
    };
    let Actor::Machine(Machine::Client(process)) = event.actor else { return None };
    let client = moment.simulation.world().client(process);
    // The answer's queue is the one that the pass is adding: its assignment is in the same task.
    let queue = moment.events.iter().find_map(|event| match &event.kind {
        EventKind::QueueAssigned { group, queue, .. } => Some((group, queue)),
        _ => None,
    });
    let (group, queue) = queue?;
    let broker = moment.simulation.world().broker(*index);
    let (topic, id) = (&queue.topic, queue.queue_id);
    let is_empty = broker.max_offset_in_queue(topic, id) == QueueOffset::ZERO;
    let is_stored = broker.consumer_offset.query_offset(group, topic, id).is_some();
    let is_known = client.consumers.contains_key(group) && !moment.watch.data_lost;
    if !is_empty || is_stored || !is_known {
        return None;
    }
    let is_zero =
        *code == ResponseCode::Success && *detail == ResponseDetail::Offset(QueueOffset::ZERO);
    let expected = moment.simulation.engine().profile != Profile::V53;
    (is_zero != expected).then(|| format!("{queue} is empty, answered {code:?} {detail:?}"))
}

/// B17.
pub fn b17_dead_letters_arrive_as_their_version_says(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::DeadLettered { origin, delayed, .. } = &event.kind else { return None };
    let rules = moment.simulation.engine().rules;
    let by_send_back = is_by_send_back(origin);
    let is_at_once = match by_send_back {
        true => rules.dlq_clears_delay_on_rpc_path,
        false => rules.dlq_clears_delay_on_plain_path,
    };
    // Before: delayed by the DELAY that the failed copy still carries, if it carries one.
    let carries = origin.properties.delay.is_some_and(|level| level > 0);
    let expected = !is_at_once && carries;
    (*delayed != expected).then(|| format!("delayed {delayed}, of {}", name_of(origin)))
}

/// X12: a send-back that was answered SUCCESS stored exactly one record, or none without retry queues.
pub fn x12_each_send_back_stores_one_record(moment: &Moment<'_>) -> Found {
    let count = |is_it: &dyn Fn(&EventKind) -> bool| {
        moment.events.iter().filter(|event| is_it(&event.kind)).count()
    };
    let answered = count(&|kind| {
        matches!(
            kind,
            EventKind::ResponseSent {
                of: RequestCode::ConsumerSendMsgBack,
                code: ResponseCode::Success,
                ..
            }
        )
    });
    let discarded = count(&|kind| matches!(kind, EventKind::RetryDiscarded { .. }));
    let stored = count(&|kind| matches!(kind, EventKind::MessageStored { .. }));
    (answered > 0 && stored + discarded != answered)
        .then(|| format!("{answered} answered, {stored} stored, {discarded} discarded"))
}

/// X13: no more copies than requests that asked for one.
pub fn x13_no_more_copies_than_attempts(moment: &Moment<'_>, event: &Event) -> Found {
    let (EventKind::RetryStored { group, origin, .. }
    | EventKind::DeadLettered { group, origin, .. }) = &event.kind
    else {
        return None;
    };
    let key = (group.clone(), origin.physical_offset);
    if !is_by_send_back(origin) {
        return None;
    }
    let watch = moment.watch.brokers.get(&broker_of(event)?)?;
    let (asked, copies) =
        watch.send_backs.get(&key).map_or((0, 0), |it| (it.asked.len() as u32, it.copies));
    (copies >= asked).then(|| format!("{} asked for {asked} copies", name_of(origin)))
}
