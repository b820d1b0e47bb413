//! Races that the recorded run decided in its own way, and how our run is made to decide them alike.
//!
//! Each kind has a general signature in the recorded run. What is found is told with line and time and
//! counted apart (`report`); our run gets the same outcome by a command of the ordinary set, so that
//! everything after it can be compared as strictly as before.

use super::compare::silence::Silences;
use super::gap_table::ALLOWANCE;
use super::inputs::BROKER;
use super::report::Race;
use super::trace::Place;
use super::view::{Life, Queue, View};
use crate::model::ids::ClientId;
use crate::model::rules::Rules;
use crate::model::time::Millis;
use crate::sim::command::{Command, Party};
use crate::sim::packet::RequestCode;

/// A race of the day, and what decides it in our run.
#[derive(Clone, Debug)]
pub struct LostRace {
    pub race: Race,
    /// Where it shows in the recorded trace.
    pub place: Place,
    pub text: String,
    /// Commands with their moments, on the trace's clock.
    pub commands: Vec<(Millis, Command)>,
    /// The broker has nothing in memory, because of another run's setting.
    pub memory_ratio_is_zero: bool,
}

/// The races that the two runs may have decided differently, in their order.
pub fn find(real: &View<'_>, model: &View<'_>) -> Vec<LostRace> {
    let mut found = super::memory_ratio::find(real, model);
    found.extend(skipped_heartbeats(real, model));
    for life in &real.lives {
        let Some(ours) = model.life(&life.client, life.nth) else { continue };
        found.extend(retry_queue(real, life, ours));
        found.extend(first_lock(real, model, life, ours));
        found.extend(second_attempt(real, life, ours));
    }
    found.sort_by_key(|race| race.place);
    found
}

fn client_id(life: &Life) -> ClientId {
    ClientId::new(format!("127.0.0.1@{}", life.client))
}

fn rules(view: &View<'_>) -> Rules {
    Rules::of(view.trace.header.profile)
}

/// Signature: more than one pull of a queue was refused after an assignment (`Silences`).
fn skipped_heartbeats(real: &View<'_>, model: &View<'_>) -> Vec<LostRace> {
    let silences = Silences::of(real);
    let mut found = Vec::new();
    for queue in real.queues() {
        for span in silences.silent_spans(real, &queue) {
            let life = &real.lives[span.life];
            let ours = model.life(&life.client, life.nth);
            let change = |life: &Life, near: Millis| {
                let moments = life.assigned.iter().map(|(place, _)| *place);
                moments.min_by_key(|place| place.at.ms().abs_diff(near.ms()))
            };
            let before = life.assigned.iter().map(|(place, _)| *place);
            let place = before.rev().find(|place| place.at <= span.from + ALLOWANCE);
            let (Some(place), Some(ours)) = (place, ours) else { continue };
            let Some(our_change) = change(ours, place.at) else { continue };
            let command = Command::SkipHeartbeat { client_id: client_id(life) };
            if span.race == Race::SkippedHeartbeat
                && our_change.at.ms().abs_diff(place.at.ms()) < SAME_CHANGE.ms()
            {
                found.push(LostRace {
                    race: Race::SkippedHeartbeat,
                    place,
                    text: format!("{} skipped the heartbeat of its assignment", life.name()),
                    commands: vec![(our_change.at - Millis::new(1), command)],
                    memory_ratio_is_zero: false,
                });
            }
        }
    }
    found
}

/// The same change of an assignment comes no farther apart in two runs.
const SAME_CHANGE: Millis = Millis::new(3_000);
/// Both passes of a start are over by then (rule R).
const FIRST_PASSES: Millis = Millis::new(1_000);
/// The pass of the timer after a start is over by then.
const NEXT_PASS: Millis = Millis::new(23_000);

/// Rule R: the retry queue of a brand-new group comes with the second pass of a start, if the group's own
/// notice came after the first had begun, or else with the timer.
fn retry_queue(real: &View<'_>, life: &Life, ours: &Life) -> Option<LostRace> {
    let started = life.started?;
    let queue = (real.retry_topic.clone(), crate::model::ids::QueueId(0));
    let first =
        |life: &Life| life.ownerships(&queue).first().map_or(Millis::MAX, |(from, _)| *from);
    let (was, is) = (first(life), first(ours));
    let end = life.end_at().min(real.over());
    let limit = started.at + NEXT_PASS;
    if was.min(is) > limit || was.max(is) <= was.min(is) + FIRST_PASSES || was.min(is) > end {
        return None;
    }
    let client = client_id(life);
    let command = if was > is {
        let from = Party::Broker(BROKER.into());
        let code = RequestCode::NotifyConsumerIdsChanged;
        let to = Party::Client(client);
        let lost = Command::DropNext { from, to, code, count: 1, only_response: false };
        (started.at - Millis::new(3), lost)
    } else {
        (was - Millis::new(10), Command::ResumePulling { client_id: client })
    };
    let place = life.assigned.iter().map(|(place, _)| *place).find(|place| place.at >= was);
    let which = if was > is { "with a later pass" } else { "with the second pass" };
    Some(LostRace {
        race: Race::TimersMet,
        place: place.unwrap_or(started),
        text: format!("{} got the retry queue {which} (rule R)", life.name()),
        commands: vec![command],
        memory_ratio_is_zero: false,
    })
}

/// Until 4.9.4 a new queue waits for the lock timer. Its first tick, 1 s after the service began, meets the
/// first assignment.
///
/// Signature: the timer's first request comes 20 s after a tick that lies less than a second before the
/// assignment.
fn first_lock(real: &View<'_>, model: &View<'_>, life: &Life, ours: &Life) -> Option<LostRace> {
    if rules(real).new_process_queue_is_locked {
        return None;
    }
    let timer = |life: &Life| {
        let all = life.calls.iter().filter(|call| {
            *call.code == *"LOCK_BATCH_MQ"
                && call.fields.queues.as_ref().is_some_and(|queues| queues.len() > 1)
        });
        all.map(|call| call.place).next()
    };
    let (tick, our_tick) = (timer(life)?, timer(ours)?);
    let (queue, owned) = first_owned(real, life)?;
    let our_owned = ours.ownerships(&queue).first()?.0;
    let missed = tick.at - LOCK_PERIOD;
    let is_close = missed <= owned && owned - missed <= Millis::new(1_000);
    let differs = tick.at > our_tick.at + LOCK_PERIOD - Millis::new(5_000);
    if !is_close || !differs || model.lives.is_empty() {
        return None;
    }
    let started = life.started?.at;
    let still = (owned - our_owned).max(our_tick.at + Millis::new(5) - our_owned);
    let client_id = client_id(life);
    let command = Command::FreezeClient { client_id, duration: Some(still) };
    Some(LostRace {
        race: Race::TimersMet,
        place: tick,
        text: format!("{}'s lock timer ticked just before its first assignment", life.name()),
        commands: vec![(started, command)],
        memory_ratio_is_zero: false,
    })
}

const LOCK_PERIOD: Millis = Millis::new(20_000);

fn first_owned(view: &View<'_>, life: &Life) -> Option<(Queue, Millis)> {
    let own = |queue: &Queue| !view.is_retry(&queue.0);
    let queues = view.queues().into_iter().filter(own);
    let first = queues.filter_map(|queue| {
        let from = life.ownerships(&queue).first()?.0;
        Some((queue, from))
    });
    first.min_by_key(|(_, from)| *from)
}

/// Rule E: a newcomer asks for a lock in two passes of its start and then every 20 s; the old owner gives
/// the lock back 20 s after its own pass. Whether the newcomer is in time hangs on its second pass.
///
/// Signature: the same queue was granted about 20 s earlier than in our run.
fn second_attempt(real: &View<'_>, life: &Life, ours: &Life) -> Option<LostRace> {
    let refused = |life: &Life, queue: &Queue| {
        let asked = life.calls.iter().filter(|call| {
            let queues = call.fields.queues.as_deref().unwrap_or_default();
            *call.code == *"LOCK_BATCH_MQ" && queues == [queue.clone()]
        });
        let asked = asked.map(|call| call.place).collect::<Vec<_>>();
        let first = *asked.first()?;
        let last = asked.into_iter().filter(|it| it.at < first.at + SAME_CHANGE).max()?;
        Some((first, last))
    };
    let queues = real.queues().into_iter().filter(|queue| !real.is_retry(&queue.0));
    for queue in queues {
        let (Some((was, _)), Some((is, _))) =
            (life.ownerships(&queue).first().copied(), ours.ownerships(&queue).first().copied())
        else {
            continue;
        };
        let earlier = is.ms() as i64 - was.ms() as i64;
        let is_tick = (earlier - LOCK_PERIOD.ms() as i64).abs() < 2_000;
        let (Some((first, last)), Some((our_first, our_last))) =
            (refused(life, &queue), refused(ours, &queue))
        else {
            continue;
        };
        if !is_tick || last.at <= first.at {
            continue;
        }
        let later = (last.at - first.at) - (our_last.at - our_first.at) + ALLOWANCE;
        let client_id = client_id(life);
        let command = Command::FreezeClient { client_id, duration: Some(later) };
        return Some(LostRace {
            race: Race::TimersMet,
            place: last,
            text: format!(
                "{} asked for its locks after the old owner's pass (rule E)",
                life.name()
            ),
            commands: vec![(our_last.at - Millis::new(1), command)],
            memory_ratio_is_zero: false,
        });
    }
    None
}
