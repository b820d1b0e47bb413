//! The order of remote calls, by client and service, with runs of one code counted once.
//!
//! The two orders are aligned; what one has and the other lacks has to lie where a race explains it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::gap_table::ALLOWANCE;
use super::super::periods::Grid;
use super::super::report::{Item, Report, Verdict};
use super::super::starting::Mode;
use super::super::trace::Place;
use super::super::view::{Call, Life, Queue, View};
use super::Sides;
use super::align::unmatched;
use crate::model::ids::TopicName;
use crate::model::time::Millis;

/// Whose thread sends a code (the recordings do not say it; this is how they are to be read).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Service {
    Rebalance,
    /// The first pull under a lock asks for the offset again.
    LockedPull,
    LockTimer,
    OffsetTimer,
    Shutdown,
    Consume,
    /// What the broker sends.
    Broker,
}

impl Service {
    fn name(self) -> &'static str {
        match self {
            Service::Rebalance => "rebalance",
            Service::LockedPull => "locked pull",
            Service::LockTimer => "lock timer",
            Service::OffsetTimer => "offset timer",
            Service::Shutdown => "shutdown",
            Service::Consume => "consume threads",
            Service::Broker => "broker",
        }
    }
}

pub fn compare(sides: &Sides<'_>, report: &mut Report) {
    for life in &sides.real.lives {
        let Some(model) = sides.model.life(&life.client, life.nth) else { continue };
        let real = by_service(sides, sides.real, life, life);
        let ours = by_service(sides, sides.model, model, life);
        let streams = real.keys().chain(ours.keys()).collect::<BTreeSet<_>>();
        for stream in streams {
            let none = Vec::new();
            let real = real.get(stream).unwrap_or(&none);
            let ours = ours.get(stream).unwrap_or(&none);
            one(sides, life, *stream, real, ours, report);
        }
    }
}

/// A run of one code: which, when it began, and when its last call was sent.
#[derive(Clone, Debug)]
struct Run {
    code: String,
    place: Place,
    until: Millis,
}

/// A service, and whether its calls for the retry topic are meant: which topic comes first in a pass is
/// the order of a hash table.
type Stream = (Service, bool);

/// The codes of a life by service, runs of one code counted once. `recorded` says which codes are in the
/// recorded trace at all.
fn by_service(
    sides: &Sides<'_>,
    view: &View<'_>,
    life: &Life,
    recorded: &Life,
) -> BTreeMap<Stream, Vec<Run>> {
    let mut runs: BTreeMap<Stream, Vec<Run>> = BTreeMap::new();
    let mut add = |stream: Stream, call: &Call| {
        let runs = runs.entry(stream).or_default();
        if let Some(run) = runs.last_mut().filter(|run| *run.code == *call.code) {
            run.until = call.place.at;
            return;
        }
        let run = Run { code: call.code.to_string(), place: call.place, until: call.place.at };
        // Two of the shutdown's calls within some ms may have been written down in either order.
        let earlier = stream.0 == Service::Shutdown && run.code == "UPDATE_CONSUMER_OFFSET";
        let last = runs.last().filter(|last| last.code == "UNREGISTER_CLIENT" && earlier);
        match last {
            Some(_) if runs.iter().any(|it| it.code == run.code) => {}
            Some(_) => runs.insert(runs.len() - 1, run),
            None => runs.push(run),
        }
    };
    let over = sides.real.over();
    let told = |call: &Call| recorded.records(&call.code) && call.place.at <= over;
    for (service, call) in in_sending_order(life).into_iter().filter(|(_, call)| told(call)) {
        match (service, topic_of(call)) {
            (Service::Rebalance, Some(topic)) => add((service, view.is_retry(&topic)), call),
            // The member list is asked for by group, for each topic.
            (Service::Rebalance, None) => {
                add((service, false), call);
                add((service, true), call);
            }
            _ => add((service, false), call),
        }
    }
    // How the last pass's lists fall is the other topic's order.
    for ((service, _), runs) in &mut runs {
        if *service == Service::Rebalance && runs.last().is_some_and(|run| run.code == LIST) {
            runs.pop();
        }
    }
    runs
}

/// The calls of a life with their services, in the order in which each thread sent them.
///
/// A thread that waits for an answer sends nothing. So a one-way request that is written down while the
/// thread's call before it has no answer yet was sent before that call: since 5.x it is the
/// connection's own thread that writes it down (`NettyRemotingClient.invokeOneway`).
fn in_sending_order(life: &Life) -> Vec<(Service, &Call)> {
    let mut sorter = Sorter::of(life);
    let mut order: Vec<(Service, &Call)> = Vec::new();
    for call in &life.calls {
        let Some(service) = sorter.service_of(life, call) else { continue };
        let mut at = order.len();
        if service == Service::Rebalance && is_one_way(call) {
            let own = |place: &usize| order[*place].0 == Service::Rebalance;
            let waits = |place: &usize| {
                let answer = order[*place].1.answer.as_ref();
                answer.is_some_and(|(answered, _)| call.place < *answered)
            };
            // Several one-way requests may have been overtaken by the same call.
            let before = (0..order.len()).rev().filter(own);
            let overtook = before.take_while(|place| is_one_way(order[*place].1) || waits(place));
            at = overtook.filter(waits).last().unwrap_or(at);
        }
        order.insert(at, (service, call));
    }
    order
}

/// What the rebalance sends without waiting for an answer.
fn is_one_way(call: &Call) -> bool {
    matches!(&*call.code, "UPDATE_CONSUMER_OFFSET" | "UNLOCK_BATCH_MQ")
}

/// Calls of one thread that are written down at the same moment.
const TOGETHER: Millis = Millis::new(10);

const LIST: &str = "GET_CONSUMER_LIST_BY_GROUP";

/// Tells whose calls are whose, walking through a life.
struct Sorter {
    grid: Grid,
    /// When the rebalance last asked for a queue's offset.
    asked: BTreeMap<Queue, Millis>,
    unregistered: Option<Millis>,
}

impl Sorter {
    fn of(life: &Life) -> Sorter {
        Sorter { grid: Grid::of(life), asked: BTreeMap::new(), unregistered: None }
    }

    /// The service that a call belongs to; routes and heartbeats come from several threads, and how many
    /// there are around a start is chance, so they are compared by period only.
    fn service_of(&mut self, life: &Life, call: &Call) -> Option<Service> {
        if call.place.at >= life.end_at() {
            return self.shutdown(call);
        }
        match &*call.code {
            "NOTIFY_CONSUMER_IDS_CHANGED" | "220" => Some(Service::Broker),
            LIST | "GET_MAX_OFFSET" | "SEARCH_OFFSET_BY_TIMESTAMP" | "UNLOCK_BATCH_MQ" => {
                Some(Service::Rebalance)
            }
            "QUERY_CONSUMER_OFFSET" => self.query(life, call),
            "LOCK_BATCH_MQ" => Some(lock(life, call)),
            "UPDATE_CONSUMER_OFFSET" => match self.grid.is_timer_commit(life, call) {
                true => Some(Service::OffsetTimer),
                false => Some(Service::Rebalance),
            },
            "CONSUMER_SEND_MSG_BACK" | "SEND_MESSAGE_V2" => Some(Service::Consume),
            _ => None,
        }
    }

    /// What `shutdown()` sends itself; timers and passes may still run beside it.
    fn shutdown(&mut self, call: &Call) -> Option<Service> {
        let is_own = match &*call.code {
            "UNREGISTER_CLIENT" => {
                self.unregistered = self.unregistered.or(Some(call.place.at));
                true
            }
            "UNLOCK_BATCH_MQ" => true,
            "UPDATE_CONSUMER_OFFSET" => {
                self.unregistered.is_none_or(|at| call.place.at - at <= TOGETHER)
            }
            _ => false,
        };
        is_own.then_some(Service::Shutdown)
    }

    /// Orderly, the first question for a queue in an ownership is the rebalance's, a later one the locked
    /// pull's. Concurrently only the rebalance asks.
    fn query(&mut self, life: &Life, call: &Call) -> Option<Service> {
        let queue = call.queue()?;
        if life.starting.mode != Mode::Orderly {
            return Some(Service::Rebalance);
        }
        let at = call.place.at;
        let spans = life.ownerships(&queue);
        let lost_since = |asked: Millis| spans.iter().any(|(_, to)| asked < *to && *to <= at);
        if self.asked.get(&queue).is_some_and(|asked| !lost_since(*asked)) {
            return Some(Service::LockedPull);
        }
        self.asked.insert(queue, at);
        Some(Service::Rebalance)
    }
}

/// The timer asks for all queues that the consumer has, the rebalance for one that it has not.
fn lock(life: &Life, call: &Call) -> Service {
    let queues = call.fields.queues.as_deref().unwrap_or_default();
    let owns = |queue: &Queue| {
        let at = call.place.at;
        life.ownerships(queue).iter().any(|(from, to)| *from < at && at <= *to)
    };
    match queues {
        [one] if !owns(one) => Service::Rebalance,
        _ => Service::LockTimer,
    }
}

/// The topic that a call speaks of.
fn topic_of(call: &Call) -> Option<TopicName> {
    let locked = || Some(call.fields.queues.as_ref()?.first()?.0.clone());
    call.fields.topic.clone().or_else(locked)
}

fn one(
    sides: &Sides<'_>,
    life: &Life,
    (service, retry): Stream,
    real: &[Run],
    ours: &[Run],
    report: &mut Report,
) {
    let Some(first) = real.first().or(ours.first()) else { return };
    let names =
        |runs: &[Run]| runs.iter().map(|run| short(&run.code)).collect::<Vec<_>>().join(" ");
    let topic = if retry { " of the retry topic" } else { "" };
    let who = format!("{} {}{topic}", life.name(), service.name());
    let (only_real, only_ours) = unmatched(real, ours, |a, b| a.code == b.code);
    if only_real.is_empty() && only_ours.is_empty() {
        let text = format!("{who}: {}", names(real));
        report.say(Item::Calls, Verdict::Agrees, first.place, text);
        return;
    }
    let text = format!("{who}: {}\n      model {}", names(real), names(ours));
    // What one run sends so shortly before the end of a life would in the other have come after it.
    let end = life.end_at().min(sides.real.over());
    let is_cut = |run: &Run| service != Service::Shutdown && run.place.at + ALLOWANCE >= end;
    // A last pass's lists are compared only with what follows them.
    let cut_from = |runs: &[Run]| {
        let kept = runs.iter().rposition(|run| !is_cut(run) && run.code != LIST);
        kept.map_or(0, |last| last + 1)
    };
    let mut places = Vec::new();
    for (runs, indices, is_ours) in [(real, only_real, false), (ours, only_ours, true)] {
        let cut_from = cut_from(runs);
        for run in indices.into_iter().filter(|index| *index < cut_from).map(|index| &runs[index]) {
            let race = sides.call_race(life, retry, run.place.at, run.until);
            let line = if is_ours { 0 } else { run.place.line };
            places.push((Place { line, ..run.place }, race));
        }
    }
    places.sort();
    // One difference without a race behind it makes the order differ.
    let worst = places.iter().find(|(_, race)| race.is_none()).or(places.first());
    let (place, verdict) = match worst {
        Some((place, race)) => (*place, race.map_or(Verdict::Differs, Verdict::Exception)),
        None => (first.place, Verdict::Agrees),
    };
    report.say(Item::Calls, verdict, place, text);
}

/// A code in few letters, for lines that hold many.
fn short(code: &str) -> &str {
    match code {
        LIST => "LIST",
        "QUERY_CONSUMER_OFFSET" => "QUERY",
        "UPDATE_CONSUMER_OFFSET" => "UPDATE",
        "GET_MAX_OFFSET" => "MAX",
        "LOCK_BATCH_MQ" => "LOCK",
        "UNLOCK_BATCH_MQ" => "UNLOCK",
        "CONSUMER_SEND_MSG_BACK" => "SEND_BACK",
        "SEND_MESSAGE_V2" => "SEND",
        "NOTIFY_CONSUMER_IDS_CHANGED" => "NOTIFY",
        "UNREGISTER_CLIENT" => "UNREGISTER",
        other => other,
    }
}
