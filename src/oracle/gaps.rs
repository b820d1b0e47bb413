//! Gaps: how long after its cause a thing happened. Moments are the host's, gaps are RocketMQ's.
//!
//! A gap has a kind, by which its spread over the recorded runs is known, and an identity, by which the
//! same gap is found in another run. Periods of timers have no identity but their consumer.

use std::collections::{BTreeMap, BTreeSet};

use super::gap_table::ALLOWANCE;
use super::trace::{Place, StoredCopy, Word};
use super::view::{Consumption, End, Life, Queue, View};
use crate::model::delay_level::default_levels;
use crate::model::ids::TopicName;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

/// What a gap is between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GapKind {
    /// A message stored while its queue was being read, to the call of the listener.
    BeginFromStored,
    /// The same for a copy in the retry topic.
    RetryBeginFromStored,
    /// The failure to the moment at which the copy lies in the retry topic, by reconsumeTimes.
    RetryFromFailure(i32),
    /// The assignment of a queue to its first message.
    FirstFromAssignment,
    /// Orderly: the end of a message to the next one of its queue.
    NextInQueue,
    /// The end of a call to the next one for the same record, in one process.
    SameAgain,
    /// A user's delay level, from birth to the real topic.
    DelayLevel(i32),
    /// A queue's new owner: from the kill or the stop to its first message.
    TakeOverFromKill,
    TakeOverFromStop,
    /// A failure to the copy in the schedule topic or among the dead letters.
    CopyFromFailure,
    /// The administrator's reset to the first message again.
    FirstFromReset,
    /// The end of `start()` to the first commit of the timer.
    FirstCommit,
    CommitPeriod,
    RebalancePeriod,
    RoutePeriod,
    HeartbeatPeriod,
    LockPeriod,
    /// A pull that was held and answered with nothing.
    IdlePull,
}

impl GapKind {
    /// Whether it ends when a listener is called for a record for the first time.
    pub fn ends_with_begin(self) -> bool {
        matches!(
            self,
            GapKind::BeginFromStored
                | GapKind::RetryBeginFromStored
                | GapKind::FirstFromAssignment
                | GapKind::TakeOverFromKill
                | GapKind::TakeOverFromStop
        )
    }

    pub fn name(self) -> String {
        let name = match self {
            GapKind::BeginFromStored => "begin from stored",
            GapKind::RetryBeginFromStored => "retry begin from stored",
            GapKind::RetryFromFailure(times) => return format!("retry {times} from failure"),
            GapKind::FirstFromAssignment => "first message from assignment",
            GapKind::NextInQueue => "next in queue",
            GapKind::SameAgain => "same record again",
            GapKind::DelayLevel(level) => return format!("delay level {level}"),
            GapKind::TakeOverFromKill => "take-over from kill",
            GapKind::TakeOverFromStop => "take-over from stop",
            GapKind::CopyFromFailure => "copy from failure",
            GapKind::FirstFromReset => "first message from reset",
            GapKind::FirstCommit => "first commit from started",
            GapKind::CommitPeriod => "commit period",
            GapKind::RebalancePeriod => "rebalance period",
            GapKind::RoutePeriod => "route period",
            GapKind::HeartbeatPeriod => "heartbeat period",
            GapKind::LockPeriod => "lock period",
            GapKind::IdlePull => "idle pull",
        };
        name.to_owned()
    }
}

/// Which gap of its kind it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GapId {
    Consumption(ConsumptionId),
    Copy {
        topic: TopicName,
        key: String,
        reconsume_times: i32,
        nth: usize,
    },
    /// Periods of one consumer process: client and number of its life.
    Period(String, usize),
}

/// A listener call, the same in every run: whose, which record, and the how manieth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConsumptionId {
    pub client: String,
    pub life: usize,
    pub queue: Queue,
    pub queue_offset: QueueOffset,
    pub key: String,
    pub reconsume_times: i32,
    pub nth: usize,
}

#[derive(Clone, Debug)]
pub struct Gap {
    pub kind: GapKind,
    pub id: GapId,
    pub cause: Millis,
    pub place: Place,
    /// Signed: what is polled can be seen after what it caused.
    pub ms: i64,
}

/// Identities of all listener calls of a view, in its order.
pub fn consumption_ids(view: &View<'_>) -> Vec<ConsumptionId> {
    let mut seen: BTreeMap<ConsumptionId, usize> = BTreeMap::new();
    let id_of = |consumption: &Consumption| {
        let life = &view.lives[consumption.life];
        let mut id = ConsumptionId {
            client: life.client.to_string(),
            life: life.nth,
            queue: consumption.queue(),
            queue_offset: consumption.delivery.queue_offset,
            key: consumption.delivery.key.to_string(),
            reconsume_times: consumption.delivery.reconsume_times,
            nth: 0,
        };
        let count = seen.entry(id.clone()).or_insert(0);
        id.nth = *count;
        *count += 1;
        id
    };
    view.consumptions.iter().map(id_of).collect()
}

/// All gaps of a run.
pub fn gaps(view: &View<'_>) -> Vec<Gap> {
    let mut gaps = Vec::new();
    consumption_gaps(view, &mut gaps);
    copy_gaps(view, &mut gaps);
    for life in &view.lives {
        super::periods::periods(life, &mut gaps);
    }
    gaps
}

/// What is known of a queue in the hands of one life, while its calls are walked through.
#[derive(Default)]
struct Reading {
    last_end: Option<Millis>,
    /// The ownership whose first message has been seen.
    begun: Option<Millis>,
    first_begin: Millis,
    records: BTreeMap<QueueOffset, (Option<Millis>, i32)>,
}

fn consumption_gaps(view: &View<'_>, gaps: &mut Vec<Gap>) {
    let ids = consumption_ids(view);
    let resets = resets(view);
    let mut readings: BTreeMap<(usize, Queue), Reading> = BTreeMap::new();
    let mut readers: BTreeMap<Queue, BTreeSet<usize>> = BTreeMap::new();
    let mut last_reader: BTreeMap<Queue, usize> = BTreeMap::new();
    let mut after_reset: BTreeSet<(Queue, Millis)> = BTreeSet::new();
    for (consumption, id) in view.consumptions.iter().zip(ids) {
        let queue = consumption.queue();
        let begin = consumption.begin;
        let mut say = |kind, cause: Millis| {
            let ms = begin.at.ms() as i64 - cause.ms() as i64;
            gaps.push(Gap { kind, id: GapId::Consumption(id.clone()), cause, place: begin, ms });
        };
        if last_reader.insert(queue.clone(), consumption.life) != Some(consumption.life)
            && readers.entry(queue.clone()).or_default().insert(consumption.life)
            && readers[&queue].len() > 1
            && let Some((kind, cause)) = take_over(view, consumption)
        {
            say(kind, cause);
        }
        let reading = readings.entry((consumption.life, queue.clone())).or_default();
        let again = reading.records.get(&consumption.delivery.queue_offset).copied();
        let end = consumption.end.as_ref().map(|(place, _)| place.at);
        let reset = resets.iter().rev().find(|reset| **reset <= begin.at).copied();
        match (again, reset) {
            (Some(_), Some(reset)) if reading.first_begin < reset => {
                if after_reset.insert((queue.clone(), reset)) {
                    say(GapKind::FirstFromReset, reset);
                    reading.first_begin = begin.at;
                    reading.begun = ownership(view, consumption);
                }
            }
            (Some((Some(ended), _)), _) if ended <= begin.at => say(GapKind::SameAgain, ended),
            (Some(_), _) => {}
            (None, _) => first_time(view, consumption, reading, &mut say),
        }
        reading
            .records
            .insert(consumption.delivery.queue_offset, (end, consumption.delivery.reconsume_times));
        reading.last_end = reading.last_end.max(end);
    }
    retry_gaps(view, gaps);
}

/// The gap of a record that this life sees for the first time.
fn first_time(
    view: &View<'_>,
    consumption: &Consumption,
    reading: &mut Reading,
    say: &mut impl FnMut(GapKind, Millis),
) {
    let owned = ownership(view, consumption);
    let orderly = view.lives[consumption.life].starting.mode == super::starting::Mode::Orderly;
    let is_first = owned.is_some() && reading.begun != owned;
    if is_first {
        reading.begun = owned;
        reading.first_begin = consumption.begin.at;
        reading.last_end = None;
    }
    let store = consumption.store;
    match owned {
        Some(since) if store <= since && is_first => say(GapKind::FirstFromAssignment, since),
        // It waited while the queue was not read yet; its turn is the backlog's.
        Some(_) if !is_first && store < reading.first_begin => {
            if let (true, Some(last)) = (orderly, reading.last_end) {
                say(GapKind::NextInQueue, last);
            }
        }
        _ => match reading.last_end {
            Some(last) if orderly && last > store => say(GapKind::NextInQueue, last),
            _ if view.is_retry(&consumption.delivery.topic) => {
                say(GapKind::RetryBeginFromStored, store);
            }
            _ => say(GapKind::BeginFromStored, store),
        },
    }
}

/// Since when its life owned the queue of a call, as the table told; it is polled, so a little later
/// will do.
fn ownership(view: &View<'_>, consumption: &Consumption) -> Option<Millis> {
    const POLL_SLACK: Millis = Millis::new(1_000);
    let begin = consumption.begin.at;
    let spans = view.lives[consumption.life].ownerships(&consumption.queue());
    let before = spans.iter().rev().find(|(from, to)| *from <= begin && begin <= *to + POLL_SLACK);
    let soon = || spans.iter().find(|(from, _)| *from > begin && *from - begin <= POLL_SLACK);
    before.or_else(soon).map(|(from, _)| *from)
}

fn resets(view: &View<'_>) -> Vec<Millis> {
    let lines = view.trace.lines.iter();
    lines.filter(|line| line.word == Word::ResetBegin).map(|line| line.at).collect()
}

/// What brought a queue to a new reader: the end of another member, if that came after its own start.
fn take_over(view: &View<'_>, consumption: &Consumption) -> Option<(GapKind, Millis)> {
    let begin = consumption.begin.at;
    let own = view.lives[consumption.life].started.map(|place| place.at);
    let ends = view.lives.iter().filter_map(|life| life.end);
    let ends = ends.filter(|(place, end)| place.at <= begin && *end != End::RunOver);
    let (place, end) = ends.max_by_key(|(place, _)| *place)?;
    let kind = match end {
        End::Killed => GapKind::TakeOverFromKill,
        _ => GapKind::TakeOverFromStop,
    };
    own.is_none_or(|own| own < place.at).then_some((kind, place.at))
}

/// From a failure to its copy in the retry topic, and from birth to the end of a user's delay.
fn retry_gaps(view: &View<'_>, gaps: &mut Vec<Gap>) {
    let levels = view.trace.lines.iter().filter_map(|line| match &line.word {
        Word::Sent(sent) if sent.level > 0 => Some((sent.key.to_string(), sent.level)),
        _ => None,
    });
    let levels = levels.collect::<BTreeMap<_, _>>();
    let mut seen = BTreeSet::new();
    for (consumption, id) in view.consumptions.iter().zip(consumption_ids(view)) {
        let delivery = &consumption.delivery;
        let is_retry = view.is_retry(&delivery.topic);
        let first = seen.insert(consumption.record());
        let cause = if !first {
            None
        } else if is_retry {
            let failed = failure_before(view, consumption);
            failed.map(|cause| (GapKind::RetryFromFailure(delivery.reconsume_times), cause))
        } else {
            let level =
                levels.get(&*delivery.key).filter(|_| consumption.delivery.reconsume_times == 0);
            level.map(|level| (GapKind::DelayLevel(*level), consumption.born))
        };
        if let Some((kind, cause)) = cause {
            let ms = consumption.store.ms() as i64 - cause.ms() as i64;
            let (id, place) = (GapId::Consumption(id), consumption.begin);
            gaps.push(Gap { kind, id, cause, place, ms });
        }
    }
}

/// The end of the failed call that a copy in the retry topic comes from.
fn failure_before(view: &View<'_>, copy: &Consumption) -> Option<Millis> {
    let times = copy.delivery.reconsume_times - 1;
    // Of several copies' failures it is one that lies at least the wait of its level before.
    let level = usize::try_from(times + 2).ok();
    let wait = level.and_then(|level| default_levels().get(level).copied());
    let waited = wait.filter(|wait| copy.store >= *wait);
    let due = waited.and_then(|wait| {
        let before = copy.store - wait + ALLOWANCE;
        last_failure(view, &copy.delivery.key, times, before)
    });
    due.or_else(|| last_failure(view, &copy.delivery.key, times, copy.store))
}

fn last_failure(view: &View<'_>, key: &str, times: i32, before: Millis) -> Option<Millis> {
    let failed = view.consumptions.iter().filter(|consumption| {
        *consumption.delivery.key == *key
            && consumption.delivery.reconsume_times == times
            && !consumption.succeeded()
    });
    let ends = failed.filter_map(|consumption| Some(consumption.end.as_ref()?.0.at));
    ends.filter(|end| *end <= before).max()
}

fn copy_gaps(view: &View<'_>, gaps: &mut Vec<Gap>) {
    let mut seen: BTreeMap<(TopicName, String, i32), usize> = BTreeMap::new();
    for (place, copy) in &view.stored {
        if view.is_retry(&copy.topic) {
            continue;
        }
        let key = (copy.topic.clone(), copy.key.to_string(), copy.reconsume_times);
        let nth = seen.entry(key).or_insert(0);
        let cause = last_failure(view, &copy.key, copy.reconsume_times - 1, copy.stored_at);
        if let Some(cause) = cause {
            let id = copy_id(copy, *nth);
            let ms = copy.stored_at.ms() as i64 - cause.ms() as i64;
            gaps.push(Gap { kind: GapKind::CopyFromFailure, id, cause, place: *place, ms });
        }
        *nth += 1;
    }
}

fn copy_id(copy: &StoredCopy, nth: usize) -> GapId {
    GapId::Copy {
        topic: copy.topic.clone(),
        key: copy.key.to_string(),
        reconsume_times: copy.reconsume_times,
        nth,
    }
}

/// The identity of a period of one life.
pub fn period_id(life: &Life) -> GapId {
    GapId::Period(life.client.to_string(), life.nth)
}
