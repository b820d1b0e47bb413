//! What a caption says of the picture, as data: which thing, where, which number. A test holds each
//! fact against the stage, its twin in words and the inspector where the walkthrough stops.

use std::fmt;

use super::duration;
use super::walk::QueueName;
use crate::model::time::Millis;

/// One fact. Clients are `c1`, or `c1#2` for the second process of that id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A message's record lies in a queue, of a topic, of `%RETRY%group` or of `%DLQ%group`.
    Stored {
        key: String,
        queue: QueueName,
        offset: i64,
    },
    /// A message waits in a delay level.
    Delayed {
        key: String,
        level: u32,
    },
    /// So many calls of a listener with this message have begun.
    Called {
        key: String,
        count: u32,
    },
    /// It could not be sent back, and its consumer keeps it.
    KeptHere {
        key: String,
    },
    /// A number of a queue. `None`: there is none yet.
    Number {
        queue: QueueName,
        number: QueueNumber,
        value: Option<i64>,
    },
    /// Who reads a queue; nobody: empty.
    ReadBy {
        queue: QueueName,
        clients: Vec<String>,
    },
    /// Whose lock of a queue the broker has.
    LockOf {
        queue: QueueName,
        client: Option<String>,
    },
    LockEnds {
        queue: QueueName,
        at: Millis,
    },
    /// `ProcessQueue.locked`.
    LockedHere {
        client: String,
        queue: QueueName,
        is_locked: bool,
    },
    Client {
        client: String,
        state: ClientState,
    },
    Broker {
        broker: String,
        is_up: bool,
    },
    Pull {
        client: String,
        queue: QueueName,
        place: PullState,
    },
    /// The keys of what is pulled and not finished; none: an empty shelf.
    ShelfHolds {
        client: String,
        queue: QueueName,
        keys: Vec<String>,
    },
    ShelfNumber {
        client: String,
        queue: QueueName,
        number: ShelfNumber,
        value: i64,
    },
    /// A thread of the client has called the listener with it.
    Works {
        client: String,
        key: String,
    },
    /// So many threads of the client are busy.
    Busy {
        client: String,
        count: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueNumber {
    /// The oldest offset that is still there.
    Min,
    /// M.
    Max,
    /// C, as the broker has it.
    Committed,
    /// C, as the consumer has it and has not reported it yet.
    Unreported,
    /// P.
    Pulled,
    /// M − C.
    Lag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShelfNumber {
    Count,
    Span,
    /// The smallest unfinished offset.
    Smallest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientState {
    Starting,
    Running,
    Stopped,
    Crashed,
    Frozen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PullState {
    Held,
    AwaitsAnswer,
    /// The rebalance that made it still runs.
    InRebalance,
    PutOffCount,
    PutOffSpan,
    PutOffNotLocked,
    PutOffError,
}

const QUEUE_NUMBERS: &[(&str, QueueNumber)] = &[
    ("min", QueueNumber::Min),
    ("M", QueueNumber::Max),
    ("C", QueueNumber::Committed),
    ("unreported", QueueNumber::Unreported),
    ("P", QueueNumber::Pulled),
    ("lag", QueueNumber::Lag),
];

const SHELF_NUMBERS: &[(&str, ShelfNumber)] = &[
    ("count", ShelfNumber::Count),
    ("span", ShelfNumber::Span),
    ("smallest", ShelfNumber::Smallest),
];

const CLIENT_STATES: &[(&str, ClientState)] = &[
    ("starting", ClientState::Starting),
    ("running", ClientState::Running),
    ("stopped", ClientState::Stopped),
    ("crashed", ClientState::Crashed),
    ("frozen", ClientState::Frozen),
];

const PULL_STATES: &[(&str, PullState)] = &[
    ("held", PullState::Held),
    ("awaits answer", PullState::AwaitsAnswer),
    ("in rebalance", PullState::InRebalance),
    ("put off count", PullState::PutOffCount),
    ("put off span", PullState::PutOffSpan),
    ("put off not locked", PullState::PutOffNotLocked),
    ("put off error", PullState::PutOffError),
];

/// How a fact is written, for whoever wrote it otherwise.
pub const FACT_FORMS: &str = "\"message KEY in TOPIC/N at OFFSET\", \"message KEY in level N\", \
    \"message KEY called N\", \"message KEY kept here\", \"queue TOPIC/N min|M|C|unreported|P|lag N\" \
    (or \"none\"), \"queue TOPIC/N read by ID, ...\" (or \"nobody\"), \"lock TOPIC/N of ID\" (or \
    \"nobody\"), \"lock TOPIC/N ends TIME\", \"consumer ID locked here TOPIC/N\", \"consumer ID not \
    locked here TOPIC/N\", \"consumer ID starting|running|stopped|crashed|frozen\", \"consumer ID busy \
    N\", \"broker NAME up|down\", \"pull ID TOPIC/N held|awaits answer|in rebalance|put off \
    count|put off span|put off not locked|put off error\", \"shelf ID TOPIC/N holds KEY, ...\" (or \
    \"nothing\"), \"shelf ID TOPIC/N count|span|smallest N\" or \"worker ID runs KEY\"";

impl Fact {
    pub fn parse(text: &str) -> Option<Fact> {
        let (kind, rest) = text.split_once(' ')?;
        match kind {
            "message" => message(rest),
            "queue" => queue(rest),
            "lock" => lock(rest),
            "consumer" => consumer(rest),
            "broker" => {
                let (broker, state) = rest.rsplit_once(' ')?;
                let is_up = word(&[("up", true), ("down", false)], state)?;
                Some(Fact::Broker { broker: broker.to_owned(), is_up })
            }
            "pull" => {
                let (client, queue, state) = at_client(rest)?;
                Some(Fact::Pull { client, queue, place: word(PULL_STATES, state)? })
            }
            "shelf" => shelf(rest),
            "worker" => {
                let (client, key) = rest.split_once(" runs ")?;
                Some(Fact::Works { client: client.to_owned(), key: key.to_owned() })
            }
            _ => None,
        }
    }

    /// The clients that it names.
    pub fn clients(&self) -> Vec<&str> {
        match self {
            Fact::LockedHere { client, .. }
            | Fact::Client { client, .. }
            | Fact::Pull { client, .. }
            | Fact::ShelfHolds { client, .. }
            | Fact::ShelfNumber { client, .. }
            | Fact::Works { client, .. }
            | Fact::Busy { client, .. } => vec![client],
            Fact::ReadBy { clients, .. } => clients.iter().map(String::as_str).collect(),
            Fact::LockOf { client, .. } => client.as_deref().into_iter().collect(),
            Fact::Stored { .. }
            | Fact::Delayed { .. }
            | Fact::Called { .. }
            | Fact::KeptHere { .. }
            | Fact::Number { .. }
            | Fact::LockEnds { .. }
            | Fact::Broker { .. } => Vec::new(),
        }
    }
}

fn message(rest: &str) -> Option<Fact> {
    if let Some(key) = rest.strip_suffix(" kept here") {
        return Some(Fact::KeptHere { key: key.to_owned() });
    }
    if let Some((key, level)) = rest.split_once(" in level ") {
        return Some(Fact::Delayed { key: key.to_owned(), level: level.parse().ok()? });
    }
    if let Some((key, count)) = rest.split_once(" called ") {
        return Some(Fact::Called { key: key.to_owned(), count: count.parse().ok()? });
    }
    let (key, place) = rest.split_once(" in ")?;
    let (name, offset) = place.split_once(" at ")?;
    let queue = QueueName::parse(name)?;
    Some(Fact::Stored { key: key.to_owned(), queue, offset: offset.parse().ok()? })
}

fn queue(rest: &str) -> Option<Fact> {
    let (name, rest) = rest.split_once(' ')?;
    let queue = QueueName::parse(name)?;
    if let Some(clients) = rest.strip_prefix("read by ") {
        return Some(Fact::ReadBy { queue, clients: names(clients, "nobody") });
    }
    let (number, value) = rest.split_once(' ')?;
    let number = word(QUEUE_NUMBERS, number)?;
    let value = if value == "none" { None } else { Some(value.parse().ok()?) };
    Some(Fact::Number { queue, number, value })
}

fn lock(rest: &str) -> Option<Fact> {
    let (name, rest) = rest.split_once(' ')?;
    let queue = QueueName::parse(name)?;
    if let Some(at) = rest.strip_prefix("ends ") {
        return Some(Fact::LockEnds { queue, at: duration::parse(at)? });
    }
    let client = rest.strip_prefix("of ")?;
    let client = (client != "nobody").then(|| client.to_owned());
    Some(Fact::LockOf { queue, client })
}

fn consumer(rest: &str) -> Option<Fact> {
    for (between, is_locked) in [(" not locked here ", false), (" locked here ", true)] {
        if let Some((client, name)) = rest.split_once(between) {
            let (client, queue) = (client.to_owned(), QueueName::parse(name)?);
            return Some(Fact::LockedHere { client, queue, is_locked });
        }
    }
    if let Some((client, count)) = rest.split_once(" busy ") {
        return Some(Fact::Busy { client: client.to_owned(), count: count.parse().ok()? });
    }
    let (client, state) = rest.rsplit_once(' ')?;
    Some(Fact::Client { client: client.to_owned(), state: word(CLIENT_STATES, state)? })
}

fn shelf(rest: &str) -> Option<Fact> {
    let (client, queue, rest) = at_client(rest)?;
    if let Some(keys) = rest.strip_prefix("holds ") {
        return Some(Fact::ShelfHolds { client, queue, keys: names(keys, "nothing") });
    }
    let (number, value) = rest.split_once(' ')?;
    let (number, value) = (word(SHELF_NUMBERS, number)?, value.parse().ok()?);
    Some(Fact::ShelfNumber { client, queue, number, value })
}

/// `c1 orders/0 ...`.
fn at_client(rest: &str) -> Option<(String, QueueName, &str)> {
    // An id may have spaces in it; a queue's name never has.
    rest.match_indices(' ').find_map(|(at, _)| {
        let (name, after) = rest[at + 1..].split_once(' ')?;
        Some((rest[..at].to_owned(), QueueName::parse(name)?, after))
    })
}

fn names(text: &str, none: &str) -> Vec<String> {
    if text == none { Vec::new() } else { text.split(", ").map(str::to_owned).collect() }
}

fn word<T: Copy>(words: &[(&str, T)], text: &str) -> Option<T> {
    words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value)
}

fn said<T: Copy + PartialEq>(words: &[(&'static str, T)], value: T) -> &'static str {
    words.iter().find(|(_, it)| *it == value).map_or("", |(word, _)| word)
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |names: &[String], none: &str| match names {
            [] => none.to_owned(),
            names => names.join(", "),
        };
        match self {
            Fact::Stored { key, queue, offset } => {
                write!(f, "message {key} in {queue} at {offset}")
            }
            Fact::Delayed { key, level } => write!(f, "message {key} in level {level}"),
            Fact::Called { key, count } => write!(f, "message {key} called {count}"),
            Fact::KeptHere { key } => write!(f, "message {key} kept here"),
            Fact::Number { queue, number, value } => {
                let value = value.map_or("none".to_owned(), |value| value.to_string());
                write!(f, "queue {queue} {} {value}", said(QUEUE_NUMBERS, *number))
            }
            Fact::ReadBy { queue, clients } => {
                write!(f, "queue {queue} read by {}", listed(clients, "nobody"))
            }
            Fact::LockOf { queue, client } => {
                write!(f, "lock {queue} of {}", client.as_deref().unwrap_or("nobody"))
            }
            Fact::LockEnds { queue, at } => write!(f, "lock {queue} ends {}", duration::write(*at)),
            Fact::LockedHere { client, queue, is_locked } => {
                let not = if *is_locked { "" } else { "not " };
                write!(f, "consumer {client} {not}locked here {queue}")
            }
            Fact::Client { client, state } => {
                write!(f, "consumer {client} {}", said(CLIENT_STATES, *state))
            }
            Fact::Broker { broker, is_up } => {
                write!(f, "broker {broker} {}", if *is_up { "up" } else { "down" })
            }
            Fact::Pull { client, queue, place } => {
                write!(f, "pull {client} {queue} {}", said(PULL_STATES, *place))
            }
            Fact::ShelfHolds { client, queue, keys } => {
                write!(f, "shelf {client} {queue} holds {}", listed(keys, "nothing"))
            }
            Fact::ShelfNumber { client, queue, number, value } => {
                write!(f, "shelf {client} {queue} {} {value}", said(SHELF_NUMBERS, *number))
            }
            Fact::Works { client, key } => write!(f, "worker {client} runs {key}"),
            Fact::Busy { client, count } => write!(f, "consumer {client} busy {count}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_reads_back_from_its_text() {
        for text in [
            "message B in orders/0 at 16",
            "message B in %DLQ%bill/0 at 0",
            "message B in level 3",
            "message B called 5",
            "message m3 kept here",
            "queue orders/0 M 3",
            "queue orders/0 C none",
            "queue orders/0 C 17",
            "queue orders/0 unreported 52",
            "queue orders/0 P 23",
            "queue orders/0 lag 7",
            "queue orders/0 min 5",
            "queue orders/0 read by c2",
            "queue orders/0 read by 10.0.0.1@1#1, 10.0.0.1@1#2",
            "queue orders/0 read by nobody",
            "lock orders/1 of c2",
            "lock orders/1 of nobody",
            "lock orders/1 ends 1m41s",
            "consumer c1 locked here orders/1",
            "consumer c1 not locked here orders/1",
            "consumer c1#2 crashed",
            "consumer c1 busy 3",
            "broker broker-a:1 down",
            "pull c1 orders/0 held",
            "pull c1 orders/0 put off not locked",
            "shelf client three orders/0 holds k0, k1",
            "shelf c1 orders/0 holds nothing",
            "shelf c1 orders/0 smallest 12",
            "worker c1 runs B",
        ] {
            assert_eq!(Fact::parse(text).map(|fact| fact.to_string()).as_deref(), Some(text));
        }
        for text in [
            "",
            "message B",
            "message B in level four",
            "queue orders M 3",
            "queue orders/0 M",
            "queue orders/0 X 3",
            "lock orders/1 ends soon",
            "consumer c1 asleep",
            "pull c1 orders/0",
            "shelf c1 orders/0 holds",
            "cat c1 runs B",
        ] {
            assert_eq!(Fact::parse(text), None, "{text}");
        }
    }
}
