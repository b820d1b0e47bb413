//! The client's invariants, C2 to C11 and C14 to C20 of spec 12, and P1 to P5 of spec 04.5.

use super::seat::window_of_call;
use super::tokens::Tokens;
use super::watch::{Seat, SeatKey};
use super::{Found, Moment};
use crate::model::config::ConsumeMode;
use crate::model::constants;
use crate::model::consume::ConsumeRequest;
use crate::model::ids::{GroupName, ProcessIndex, QueueId, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::sim::client::ClientInstance;
use crate::sim::client::consume_pool::WorkerState;
use crate::sim::client::consumer::{PushConsumer, Shelf};
use crate::sim::event::{Actor, Event, EventKind, RequestDetail, TimerKind, Trigger};
use crate::sim::packet::{Machine, RequestCode};

pub(super) fn client_of(event: &Event) -> Option<ProcessIndex> {
    match event.actor {
        Actor::Machine(Machine::Client(process)) => Some(process),
        _ => None,
    }
}

pub(super) fn consumer_of<'a>(
    moment: &Moment<'a>,
    process: ProcessIndex,
    group: &GroupName,
) -> Option<&'a PushConsumer> {
    moment.simulation.world().client(process).consumers.get(group)
}

/// The windows that are in the table and not dropped.
pub(super) fn active(consumer: &PushConsumer) -> impl Iterator<Item = (&MessageQueue, &Shelf)> {
    consumer
        .process_queue_table
        .iter()
        .filter_map(|(queue, id)| Some((queue, consumer.shelves.get(id)?)))
        .filter(|(_, shelf)| !shelf.window.is_dropped())
}

/// The seat whose window a client's request pulls for.
fn seat_of_pull<'a>(moment: &Moment<'a>, event: &Event) -> Option<(SeatKey, &'a Seat)> {
    let EventKind::RequestSent { call, code: RequestCode::PullMessage, .. } = &event.kind else {
        return None;
    };
    let key = seat_of_request(moment, event)?;
    let seat = moment.watch.seats.get(&key)?;
    let client = moment.simulation.world().client(key.0);
    seat.pulls_by(client, *call).then_some((key, seat))
}

/// The seat that a request of a client speaks of.
fn seat_of_request(moment: &Moment<'_>, event: &Event) -> Option<SeatKey> {
    let process = client_of(event)?;
    let EventKind::RequestSent { to: Machine::Broker(broker), detail, .. } = &event.kind else {
        return None;
    };
    let (group, topic, queue_id): (&GroupName, &TopicName, QueueId) = match detail {
        RequestDetail::Pull { group, topic, queue_id, .. }
        | RequestDetail::Commit { group, topic, queue_id, .. } => (group, topic, *queue_id),
        _ => return None,
    };
    let name = moment.simulation.world().broker(*broker).name.clone();
    Some((process, group.clone(), MessageQueue::new(topic.clone(), name, queue_id)))
}

/// C1: each active window has exactly one pull request.
pub fn c1_one_pull_request_for_each_window(moment: &Moment<'_>, tokens: &Tokens) -> Found {
    let clients = moment.simulation.world().clients.iter().filter(|client| client.is_alive());
    let consumers = clients.flat_map(|client| client.consumers.values());
    consumers.filter(|consumer| consumer.is_registered()).find_map(|consumer| {
        active(consumer).find_map(|(queue, _)| {
            let count = tokens.count(*consumer.process_queue_table.get(queue)?);
            (count != 1).then(|| format!("{queue} of {} has {count}", consumer.group))
        })
    })
}

/// C2: the result of a concurrent call whose window was dropped moves nothing and sends nothing back.
pub fn c2_results_of_dropped_windows_count_for_nothing(moment: &Moment<'_>) -> Found {
    moment.events.iter().find_map(|event| {
        let EventKind::ConsumeEnded { group, client_thread, message, .. } = &event.kind else {
            return None;
        };
        let process = client_of(event)?;
        let consumer = consumer_of(moment, process, group)?;
        let call = moment.watch.running.get(&(process, group.clone(), *client_thread))?;
        if consumer.is_orderly() || !call.is_dropped {
            return None;
        }
        let has_effect = moment.events.iter().any(|event| match &event.kind {
            EventKind::OffsetMoved { queue, .. } => *queue == call.queue,
            EventKind::RequestSent {
                detail: RequestDetail::SendBack { physical_offset, .. },
                ..
            } => *physical_offset == message.physical_offset,
            _ => false,
        });
        has_effect.then(|| format!("{}@{} had an effect", call.queue, message.queue_offset))
    })
}

/// C3: P1, the count; P2, two maps without a common offset.
pub fn c3_the_window_counts_what_it_holds(
    moment: &Moment<'_>,
    _: &ClientInstance,
    consumer: &PushConsumer,
) -> Found {
    // A reset clears the window that it drops; an orderly call that runs on then puts its messages back.
    let is_reset = moment.watch.moved_by_hand.contains(&consumer.group);
    let counted = |shelf: &&Shelf| !(is_reset && shelf.window.is_dropped());
    consumer.shelves.values().filter(counted).find_map(|shelf| {
        let window = &shelf.window;
        let held = window.messages().len() + window.consuming_orderly().len();
        if window.message_count() != held as i64 {
            return Some(format!("{} counts {}, has {held}", shelf.queue, window.message_count()));
        }
        let mut both = window.messages().keys();
        let twice = both.find(|offset| window.consuming_orderly().contains_key(offset))?;
        Some(format!("{}@{twice} is in both maps", shelf.queue))
    })
}

/// C3: P4, nothing in the window lies at or behind the next pull.
pub fn c3_the_window_ends_before_the_next_pull(moment: &Moment<'_>, tokens: &Tokens) -> Found {
    let clients = moment.simulation.world().clients.iter();
    clients.flat_map(|client| client.consumers.values()).find_map(|consumer| {
        active(consumer).find_map(|(queue, shelf)| {
            let next = tokens.next_offset(*consumer.process_queue_table.get(queue)?)?;
            let (window, taken) = (shelf.window.messages(), shelf.window.consuming_orderly());
            let last = window.keys().chain(taken.keys()).max()?;
            (*last >= next).then(|| format!("{queue} holds {last}, next pull {next}"))
        })
    })
}

/// C3: P5, a dropped window stays dropped.
pub fn c3_dropped_is_for_good(
    moment: &Moment<'_>,
    client: &ClientInstance,
    consumer: &PushConsumer,
) -> Found {
    let of_consumer = |key: &&SeatKey| key.0 == client.process && key.1 == consumer.group;
    let dropped =
        moment.watch.seats.iter().filter(|(key, seat)| of_consumer(key) && seat.is_dropped);
    dropped.into_iter().find_map(|((_, _, queue), seat)| {
        let shelf = consumer.shelves.get(&seat.process_queue)?;
        (!shelf.window.is_dropped()).then(|| format!("{queue} is alive again"))
    })
}

/// C4: a window exceeds its limit by one batch at most.
pub fn c4_the_window_is_bounded(
    _: &Moment<'_>,
    _: &ClientInstance,
    consumer: &PushConsumer,
) -> Found {
    // A topic's threshold is shared out anew at each assignment, below what is cached.
    if consumer.config.pull_threshold_for_topic != -1 {
        return None;
    }
    let most = consumer.config.pull_threshold_for_queue + consumer.config.pull_batch_size;
    active(consumer).find_map(|(queue, shelf)| {
        let count = shelf.window.message_count();
        (count > i64::from(most)).then(|| format!("{queue} holds {count}, limit {most}"))
    })
}

/// C5 (and P3): the offset in memory never passes an unfinished message, while the queue is not reset. Of a
/// queue that was given up with its subscription and comes back, it is still that of the window before.
pub fn c5_the_offset_never_passes_the_unfinished(
    moment: &Moment<'_>,
    _: &ClientInstance,
    consumer: &PushConsumer,
) -> Found {
    if consumer.is_orderly() {
        return None;
    }
    let (unsubscribed, reset) = (&moment.watch.unsubscribed, &moment.watch.reset);
    active(consumer).find_map(|(queue, shelf)| {
        let memory = consumer.offset_store.read_from_memory(queue)?;
        let first = shelf.window.first_offset()?;
        let place = (consumer.group.clone(), queue.clone());
        let is_counted = !unsubscribed.contains(&place) && !reset.contains(&place);
        (is_counted && memory > first)
            .then(|| format!("{queue}: memory {memory}, unfinished {first}"))
    })
}

/// C6: within one ownership the offset in memory does not go back.
pub fn c6_the_offset_does_not_go_back(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::OffsetMoved { group, queue, from, to } = &event.kind else { return None };
    let process = client_of(event)?;
    let consumer = consumer_of(moment, process, group)?;
    let seat = moment.watch.seats.get(&(process, group.clone(), queue.clone()))?;
    let is_concurrent = consumer.config.consume_mode == ConsumeMode::Concurrently;
    // A reset or a repair ends the ownership, and moves the offset just before.
    let is_counted = is_concurrent && !moment.watch.moved_by_hand.contains(group);
    (is_counted && !seat.is_dropped && to < from).then(|| format!("{queue}: {from} to {to}"))
}

/// C7: no more threads than the core size, however large the maximum.
pub fn c7_the_pool_never_grows_beyond_its_core(
    _: &Moment<'_>,
    _: &ClientInstance,
    consumer: &PushConsumer,
) -> Found {
    let (busy, core) = (consumer.pool.busy(), consumer.pool.core);
    (busy > core).then(|| format!("{busy} threads of {core} in {}", consumer.group))
}

fn listening(consumer: &PushConsumer) -> impl Iterator<Item = (&ConsumeRequest, Millis)> {
    consumer.pool.workers.iter().filter_map(|worker| match &worker.state {
        WorkerState::Listening(call) => Some((worker.request.as_ref()?, call.started_at)),
        _ => None,
    })
}

/// C8: an orderly consumer works on a queue with one thread.
pub fn c8_one_orderly_call_for_each_queue(
    _: &Moment<'_>,
    _: &ClientInstance,
    consumer: &PushConsumer,
) -> Found {
    if !consumer.is_orderly() {
        return None;
    }
    let mut queues: Vec<_> =
        listening(consumer).map(|(request, _)| &request.message_queue).collect();
    queues.sort_unstable();
    let twice = queues.windows(2).find(|pair| pair[0] == pair[1])?;
    Some(format!("{} has two calls", twice[0]))
}

/// C9: within one ownership an orderly queue only goes forward, but for what has just failed.
pub fn c9_orderly_offsets_increase(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::ConsumeStarted { group, client_thread, message, .. } = &event.kind else {
        return None;
    };
    let process = client_of(event)?;
    let queue = super::history::queue_of(message);
    let seat = moment.watch.seats.get(&(process, group.clone(), queue.clone()))?;
    let consumer = consumer_of(moment, process, group)?;
    // A window that a second reset left behind (spec 03.7) has calls of its own.
    let is_its_own =
        window_of_call(consumer, *client_thread).is_none_or(|window| window == seat.process_queue);
    let last = seat.last_started?;
    (consumer.is_orderly() && is_its_own && message.queue_offset <= last && !seat.may_repeat)
        .then(|| format!("{queue}: {} after {last}", message.queue_offset))
}

/// C10: an orderly call begins only under a lock that is believed and not older than 30 s.
pub fn c10_orderly_calls_begin_under_the_lock(
    moment: &Moment<'_>,
    client: &ClientInstance,
    consumer: &PushConsumer,
) -> Found {
    let me = Machine::Client(client.process);
    // Only the task in which a call begins tells: the lock may be gone by the next one.
    let begins = |event: &Event| {
        event.actor == Actor::Machine(me) && matches!(event.kind, EventKind::ConsumeStarted { .. })
    };
    if !consumer.is_orderly() || !consumer.is_clustering() || !moment.events.iter().any(begins) {
        return None;
    }
    let engine = moment.simulation.engine();
    let (profile, skew) = (engine.profile, engine.clock_skew_ms.get(&me).copied().unwrap_or(0));
    // Leases are counted by the client's own clock.
    let now = Millis(moment.now().ms().saturating_add_signed(skew));
    let at = [now, moment.now()];
    let mut begun = listening(consumer).filter(|(_, started_at)| at.contains(started_at));
    begun.find_map(|(request, _)| {
        // Each window believes for itself, one that a second reset left behind (spec 03.7) too.
        let window = &consumer.shelves.get(&request.process_queue)?.window;
        let holds = window.is_locked && !window.is_lock_expired(profile, now);
        (!holds && !window.is_dropped())
            .then(|| format!("{} without its lock", request.message_queue))
    })
}

/// C11: within one ownership pulls only go forward.
pub fn c11_pulls_go_forward(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::RequestSent { detail: RequestDetail::Pull { offset, .. }, .. } = &event.kind
    else {
        return None;
    };
    let (key, seat) = seat_of_pull(moment, event)?;
    let last = seat.last_pull?;
    (*offset < last).then(|| format!("{}: {offset} after {last}", key.2))
}

/// How late a tick may be: the factory's thread has other jobs.
const THREAD_DELAY: Millis = Millis::from_seconds(2);

/// C14: what changed in memory is reported with the next tick.
pub fn c14_offsets_are_reported_in_time(
    moment: &Moment<'_>,
    client: &ClientInstance,
    consumer: &PushConsumer,
) -> Found {
    if !consumer.is_clustering() || consumer.shutdown.is_some() {
        return None;
    }
    let period = consumer.config.persist_consumer_offset_interval;
    let profile = moment.simulation.engine().profile;
    let first = client.started_at + constants::persist_consumer_offset_initial_delay(profile);
    let of_consumer = |key: &SeatKey| key.0 == client.process && key.1 == consumer.group;
    moment.watch.seats.iter().filter(|(key, _)| of_consumer(key)).find_map(|(key, seat)| {
        let since = seat.unreported_since.filter(|_| !seat.is_dropped)?;
        let latest = (since + period).max(first) + THREAD_DELAY;
        (moment.now() > latest).then(|| format!("{} unreported since {since}", key.2))
    })
}

/// C15: an offset is reported only if there is one in memory.
pub fn c15_only_known_offsets_are_reported(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::RequestSent { detail: RequestDetail::Commit { offset, .. }, .. } = &event.kind
    else {
        return None;
    };
    let key = seat_of_request(moment, event)?;
    let memory = moment.watch.seats.get(&key)?.memory;
    (memory != Some(*offset)).then(|| format!("{}: {offset}, memory {memory:?}", key.2))
}

/// C16: since 5.0.0 the first pull of a window waits 500 ms.
pub fn c16_the_first_pull_waits(moment: &Moment<'_>, event: &Event) -> Found {
    let (key, seat) = seat_of_pull(moment, event).filter(|(_, seat)| seat.last_pull.is_none())?;
    let least = constants::first_pull_dispatch_delay(moment.simulation.engine().profile);
    let waited = event.at.since(seat.assigned_at);
    (waited < least).then(|| format!("{} waited {waited}", key.2))
}

fn interrupts_at_once(moment: &Moment<'_>, consumer: &PushConsumer) -> bool {
    moment.simulation.engine().rules.shutdown_interrupts_listeners
        && consumer.config.await_termination_when_shutdown == Millis::ZERO
}

/// C17: since 4.7.1 nothing begins after the pool was stopped. An orderly request that runs by then
/// looks at nothing but its window and its lock, and so may take one more message before the unlock.
pub fn c17_nothing_begins_after_the_stop(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::ConsumeStarted { group, message, .. } = &event.kind else { return None };
    let process = client_of(event)?;
    let consumer = consumer_of(moment, process, group)?;
    let is_stopped = moment.watch.stopping.contains(&(process, group.clone()));
    (is_stopped && interrupts_at_once(moment, consumer) && !consumer.is_orderly())
        .then(|| format!("{}@{} begins", message.topic, message.queue_offset))
}

/// C17: … and every call that runs then is interrupted, once.
pub fn c17_every_running_call_is_interrupted_once(moment: &Moment<'_>) -> Found {
    moment.events.iter().find_map(|event| {
        let EventKind::ShutdownBegan { group } = &event.kind else { return None };
        let process = client_of(event)?;
        let consumer = consumer_of(moment, process, group)?;
        if !interrupts_at_once(moment, consumer) {
            return None;
        }
        let count = |thread: u32| {
            let is_it = |event: &&Event| {
                matches!(&event.kind, EventKind::ListenerInterrupted { group: of, client_thread }
                    if of == group && *client_thread == thread)
            };
            moment.events.iter().filter(is_it).count()
        };
        let running = moment.watch.running.keys();
        let mut threads = running.filter(|(of, in_group, _)| *of == process && in_group == group);
        let (_, _, thread) = threads.find(|(_, _, thread)| count(*thread) != 1)?;
        Some(format!("thread {thread} was interrupted {} times", count(*thread)))
    })
}

/// C18: after its goodbye a consumer reports nothing more, but for queues that a pass, begun before,
/// still gives up.
pub fn c18_nothing_is_reported_after_the_goodbye(moment: &Moment<'_>, event: &Event) -> Found {
    let EventKind::RequestSent { detail: RequestDetail::Commit { group, offset, .. }, .. } =
        &event.kind
    else {
        return None;
    };
    let process = client_of(event)?;
    // The thread of a client-side reset reports 10 s later, whatever has become of its consumer.
    let is_reset = moment.watch.moved_by_hand.contains(group);
    let has_left = moment.watch.leaving.contains(&(process, group.clone())) && !is_reset;
    // The shutdown may have marked its window as dropped already; the pass then only lets it go.
    let is_given_up = |event: &Event| {
        matches!(event.kind, EventKind::QueueDropped { .. } | EventKind::QueueReleased { .. })
    };
    (has_left && !moment.events.iter().any(is_given_up))
        .then(|| format!("{group} reports {offset}"))
}

/// C19: in 4.9.8 and since 5.2.0 an empty window has no bytes.
pub fn c19_an_empty_window_has_no_bytes(
    moment: &Moment<'_>,
    _: &ClientInstance,
    consumer: &PushConsumer,
) -> Found {
    if !moment.simulation.engine().rules.message_size_reset {
        return None;
    }
    let mut windows = consumer.shelves.values().map(|shelf| (&shelf.queue, &shelf.window));
    let (queue, window) =
        windows.find(|(_, it)| it.message_count() == 0 && it.message_bytes() != 0)?;
    Some(format!("{queue} has {} bytes", window.message_bytes()))
}

/// C20: a client closes a connection only since 4.9.1, and only for a synchronous call.
pub fn c20_only_timed_out_calls_close_connections(moment: &Moment<'_>) -> Found {
    let closes = |event: &&Event| {
        let by_timer = |trigger: &Trigger| {
            matches!(trigger, Trigger::Timer { kind: TimerKind::CallTimeout(_), .. })
        };
        matches!(event.kind, EventKind::ConnectionClosed { .. })
            && client_of(event).is_some()
            && by_timer(&event.trigger)
    };
    let closed = moment.events.iter().find(closes)?;
    let is_synchronous = moment.events.iter().any(|event| {
        matches!(event.kind, EventKind::CallTimedOut { of, .. } if of != RequestCode::PullMessage)
    });
    let may = moment.simulation.engine().profile != Profile::V42;
    (!may || !is_synchronous).then(|| format!("closed by event {}", closed.sequence))
}
