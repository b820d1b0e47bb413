//! The order of remote calls, by client and service, with runs of one code counted once.

use std::collections::{BTreeMap, BTreeSet};

use super::super::periods::{is_timer_commit, leaves_soon};
use super::super::report::{Item, Report, Verdict};
use super::super::trace::Place;
use super::super::view::{Call, Life, View};
use super::Sides;
use crate::model::ids::TopicName;

/// Whose thread sends a code (the recordings do not say it; this is how they are to be read).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Service {
    Rebalance,
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
            Service::LockTimer => "lock timer",
            Service::OffsetTimer => "offset timer",
            Service::Shutdown => "shutdown",
            Service::Consume => "consume threads",
            Service::Broker => "broker",
        }
    }
}

/// The service that a call belongs to; routes and heartbeats come from several threads, and how many
/// there are around a start is chance, so they are compared by period only.
fn service_of(life: &Life, call: &Call) -> Option<Service> {
    let is_shutdown = call.place.at >= life.end_at();
    match &*call.code {
        _ if is_shutdown => Some(Service::Shutdown),
        "GET_CONSUMER_LIST_BY_GROUP"
        | "QUERY_CONSUMER_OFFSET"
        | "GET_MAX_OFFSET"
        | "SEARCH_OFFSET_BY_TIMESTAMP"
        | "UNLOCK_BATCH_MQ" => Some(Service::Rebalance),
        "LOCK_BATCH_MQ" => {
            let queues = call.fields.queues.as_ref().map_or(0, Vec::len);
            Some(if queues > 1 { Service::LockTimer } else { Service::Rebalance })
        }
        "UPDATE_CONSUMER_OFFSET" => {
            let leaves = call.queue().is_some_and(|queue| leaves_soon(life, &queue, call.place.at));
            match () {
                () if is_timer_commit(life, call) => Some(Service::OffsetTimer),
                () if leaves => Some(Service::Rebalance),
                () => None,
            }
        }
        "CONSUMER_SEND_MSG_BACK" | "SEND_MESSAGE_V2" => Some(Service::Consume),
        "NOTIFY_CONSUMER_IDS_CHANGED" | "220" => Some(Service::Broker),
        _ => None,
    }
}

pub fn compare(sides: &Sides<'_>, report: &mut Report) {
    for life in &sides.real.lives {
        let Some(model) = sides.model.life(&life.client, life.nth) else { continue };
        let real = by_service(sides.real, life, life);
        let ours = by_service(sides.model, model, life);
        let streams = real.keys().chain(ours.keys()).collect::<BTreeSet<_>>();
        for stream in streams {
            let none = Vec::new();
            let real = real.get(stream).unwrap_or(&none);
            let ours = ours.get(stream).unwrap_or(&none);
            one(life, *stream, real, ours, report);
        }
    }
}

type Codes = Vec<(String, Place)>;

/// A service, and whether its calls for the retry topic are meant: which topic comes first in a pass is
/// the order of a hash table.
type Stream = (Service, bool);

/// The codes of a life by service, runs of one code counted once. `recorded` says which codes are in the
/// recorded trace at all.
fn by_service(view: &View<'_>, life: &Life, recorded: &Life) -> BTreeMap<Stream, Codes> {
    let mut codes: BTreeMap<Stream, Codes> = BTreeMap::new();
    let mut add = |stream: Stream, call: &Call| {
        let codes = codes.entry(stream).or_default();
        if codes.last().is_none_or(|(last, _)| **last != *call.code) {
            codes.push((call.code.to_string(), call.place));
        }
    };
    for call in life.calls.iter().filter(|call| recorded.records(&call.code)) {
        match service_of(life, call) {
            Some(Service::Rebalance) => match topic_of(call) {
                Some(topic) => add((Service::Rebalance, view.is_retry(&topic)), call),
                // The member list is asked for by group, for each topic.
                None => {
                    add((Service::Rebalance, false), call);
                    add((Service::Rebalance, true), call);
                }
            },
            Some(service) => add((service, false), call),
            None => {}
        }
    }
    // How the last pass's lists fall is the other topic's order.
    for ((service, _), codes) in &mut codes {
        if *service == Service::Rebalance
            && codes.last().is_some_and(|(code, _)| code == "GET_CONSUMER_LIST_BY_GROUP")
        {
            codes.pop();
        }
    }
    codes
}

/// The topic that a call speaks of.
fn topic_of(call: &Call) -> Option<TopicName> {
    let locked = || Some(call.fields.queues.as_ref()?.first()?.0.clone());
    call.fields.topic.clone().or_else(locked)
}

fn one(life: &Life, (service, retry): Stream, real: &Codes, ours: &Codes, report: &mut Report) {
    let name =
        |codes: &Codes| codes.iter().map(|(code, _)| short(code)).collect::<Vec<_>>().join(" ");
    let place = real.first().or(ours.first()).map_or_else(Place::default, |(_, place)| *place);
    if real.is_empty() && ours.is_empty() {
        return;
    }
    let same = real.len() == ours.len() && real.iter().zip(ours).all(|((a, _), (b, _))| a == b);
    let topic = if retry { " of the retry topic" } else { "" };
    let text = format!("{} {}{topic}: {}", life.name(), service.name(), name(real));
    if same {
        report.say(Item::Calls, Verdict::Agrees, place, text);
        return;
    }
    let first = real.iter().zip(ours).find(|((a, _), (b, _))| a != b).map(|((_, place), _)| *place);
    let place = first.or(real.last().map(|(_, place)| *place)).unwrap_or(place);
    report.say(Item::Calls, Verdict::Differs, place, format!("{text}\n      model {}", name(ours)));
}

/// A code in few letters, for lines that hold many.
fn short(code: &str) -> &str {
    match code {
        "GET_CONSUMER_LIST_BY_GROUP" => "LIST",
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
