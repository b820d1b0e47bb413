//! `[[expect]]`: one assertion word each, with what it needs.

use super::fields::{Fields, time_of};
use super::node::{Node, Value};
use super::read_properties::text_list;
use crate::model::ids::{GroupName, TopicName};
use crate::model::time::Millis;
use crate::scenario::duration;
use crate::scenario::expect::{
    By, Check, Committed, Expectation, Moments, OwnedQueues, Times, When, Which,
};
use crate::scenario::problem::nearest;
use crate::scenario::property::one_of;

/// The assertion words.
pub const WORDS: &[&str] = &[
    "deliveries",
    "deliveriesTotal",
    "deliveredAt",
    "never",
    "reconsumeTimesSeen",
    "batches",
    "maxConcurrency",
    "inListener",
    "completed",
    "committed",
    "localOffset",
    "maxOffset",
    "offsetOf",
    "owner",
    "orphan",
    "ownerCount",
    "cached",
    "nextPullOffset",
    "flowControl",
    "pullErrors",
    "topicOn",
    "storedOn",
    "winner",
    "deliveredTwice",
];

/// How far a moment may be off if nothing is said: the cases' own convention.
pub const TOLERANCE: Millis = Millis::new(200);

pub fn expectations(fields: &mut Fields<'_>) -> Vec<Expectation> {
    let sink = fields.sink;
    let tables = fields.tables("expect");
    let one = |(index, node): (usize, &Node)| {
        let mut fields = Fields::of(node, format!("expect {}", index + 1), sink);
        let line = fields.text("line").map_or_else(|| (index + 1).to_string(), str::to_owned);
        let check = check(&mut fields)?;
        fields.close();
        Some(Expectation { line, check })
    };
    tables.iter().enumerate().filter_map(one).collect()
}

fn check(fields: &mut Fields<'_>) -> Option<Check> {
    let said = WORDS.iter().filter(|word| fields.entries().iter().any(|it| it.key == ***word));
    let said = said.copied().collect::<Vec<_>>();
    let [word] = said[..] else {
        let meant = fields.entries().iter().find_map(|entry| {
            let word = nearest(&entry.key, WORDS.iter().copied())?;
            Some((entry.at, format!("`{}`", entry.key), format!("did you mean `{word}`?")))
        });
        let (at, found, hint) = match (meant, &said[..]) {
            (Some(meant), []) => meant,
            (None, []) => (fields.at, "none of the assertion words".to_owned(), String::new()),
            (_, said) => (fields.at, said.join(" and "), String::new()),
        };
        fields.problem("", at, &found, format!("exactly one of {} {hint}", one_of(WORDS)).trim());
        return None;
    };
    of_deliveries(word, fields).or_else(|| of_states(word, fields))
}

fn of_deliveries(word: &str, fields: &mut Fields<'_>) -> Option<Check> {
    Some(match word {
        "deliveries" => {
            let which = which(fields, word);
            let (by, window) = (by(fields), window(fields, "window"));
            let times = times(fields, "times").unwrap_or(Times::at_least(1));
            Check::Deliveries { which, by, times, window }
        }
        "never" => {
            let which = which(fields, word);
            let (by, window) = (by(fields), window(fields, "window"));
            Check::Deliveries { which, by, times: Times::exactly(0), window }
        }
        "deliveriesTotal" => Check::DeliveriesTotal {
            times: times(fields, word)?,
            by: by(fields),
            window: window(fields, "window"),
        },
        "deliveredAt" => {
            let which = which(fields, word);
            let (by, nth) = (by(fields), fields.count("nth", 0..=1_000_000).unwrap_or(1));
            Check::DeliveredAt { which, by, nth, moments: moments(fields)? }
        }
        "reconsumeTimesSeen" => Check::ReconsumeTimesSeen {
            times: integers(fields, word)?.into_iter().map(|times| times as i32).collect(),
            key: fields.required_text("key", "a message's key").to_owned(),
        },
        "batches" => Check::Batches { sizes: sizes(fields)?, by: by(fields) },
        "maxConcurrency" => Check::MaxConcurrency {
            times: times(fields, word)?,
            consumer: fields.text("consumer").map(str::to_owned),
        },
        "completed" => {
            let count = fields.count(word, 1..=1_000_000)?;
            Check::Completed { count, moments: moments(fields)? }
        }
        "offsetOf" => Check::OffsetOf {
            key: fields.text(word)?.to_owned(),
            offset: required(fields, "offset")?,
        },
        "storedOn" => {
            let brokers = times(fields, word)?;
            let which = Which {
                keys: text_list(fields, "keys").unwrap_or_default(),
                topic: fields.text("topic").map(TopicName::new),
                queues: queues(fields, "queues"),
                count: fields.count("count", 0..=1_000_000),
            };
            Check::StoredOn { which, brokers }
        }
        "flowControl" => {
            let every = fields.time(word)?;
            let reason = fields.text("reason").unwrap_or("count").to_owned();
            Check::FlowControl { reason, every, window: required_window(fields)? }
        }
        "pullErrors" => {
            let code = fields.text(word)?.to_owned();
            let every = fields.required_time("every");
            Check::PullErrors { code, every, window: required_window(fields)? }
        }
        "deliveredTwice" => Check::DeliveredTwice { queue: fields.text(word)?.to_owned() },
        _ => return None,
    })
}

fn of_states(word: &str, fields: &mut Fields<'_>) -> Option<Check> {
    Some(match word {
        "committed" => Check::Committed {
            value: committed(fields)?,
            group: fields.text("group").map(GroupName::new),
            topic: topic(fields),
            queues: one_or_more_queues(fields),
            broker: fields.text("broker").map(str::to_owned),
            when: when(fields),
        },
        "localOffset" => Check::LocalOffset {
            value: times(fields, word)?,
            consumer: consumer(fields),
            topic: topic(fields),
            queue: fields.count("queue", 0..=1_023).unwrap_or(0),
            when: when(fields),
        },
        "maxOffset" => {
            if fields.node("of").is_none() {
                fields.missing("of", "queues as \"topic/id\"");
            }
            Check::MaxOffset {
                value: times(fields, word)?,
                queues: text_list(fields, "of").unwrap_or_default(),
                broker: fields.text("broker").map(str::to_owned),
                when: when(fields),
            }
        }
        "owner" => {
            Check::Owner { owners: owners(fields)?, topic: topic(fields), when: when(fields) }
        }
        "orphan" => {
            Check::Orphan { queues: queues(fields, word), topic: topic(fields), when: when(fields) }
        }
        "ownerCount" => Check::OwnerCount {
            times: times(fields, word)?,
            consumer: consumer(fields),
            retry: fields.flag("retry").unwrap_or(true),
            when: when(fields),
        },
        "cached" => Check::Cached {
            times: times(fields, word)?,
            consumer: consumer(fields),
            topic: topic(fields),
            queue: fields.count("queue", 0..=1_023).unwrap_or(0),
            when: when(fields),
        },
        "inListener" => Check::InListener {
            times: times(fields, word)?,
            consumer: fields.text("consumer").map(str::to_owned),
            when: when(fields),
        },
        "nextPullOffset" => Check::NextPullOffset {
            offset: required(fields, word)?,
            consumer: consumer(fields),
            topic: topic(fields),
            queue: fields.count("queue", 0..=1_023).unwrap_or(0),
            when: when(fields),
        },
        "topicOn" => Check::TopicOn {
            brokers: times(fields, word)?,
            topic: topic(fields),
            queues: fields.count("queues", 0..=1_024),
        },
        "winner" => Check::Winner {
            deliveries: times(fields, word)?,
            topic: topic(fields),
            at: fields.required_time("at"),
        },
        _ => return None,
    })
}

fn topic(fields: &mut Fields<'_>) -> TopicName {
    TopicName::new(fields.required_text("topic", "a topic's name"))
}

fn consumer(fields: &mut Fields<'_>) -> String {
    fields.required_text("consumer", "a client id").to_owned()
}

fn required(fields: &mut Fields<'_>, key: &str) -> Option<i64> {
    if fields.node(key).is_none() {
        fields.missing(key, "a whole number");
    }
    fields.integer(key, -1..=1_000_000_000_000)
}

/// The messages that the word names: `"all"`, a key, a range `m0..m9`, or a list of these.
fn which(fields: &mut Fields<'_>, word: &str) -> Which {
    let mut keys = text_list(fields, word).unwrap_or_default();
    if keys == ["all"] {
        keys.clear();
    }
    Which {
        keys,
        topic: fields.text("topic").map(TopicName::new),
        queues: queues(fields, "queues"),
        count: fields.count("count", 0..=1_000_000),
    }
}

fn by(fields: &mut Fields<'_>) -> By {
    By {
        consumer: fields.text("consumer").map(str::to_owned),
        from_topic: fields.text("fromTopic").map(TopicName::new),
        from_broker: fields.text("fromBroker").map(str::to_owned),
        reconsume_times: fields.count("reconsumeTimes", 0..=1_000_000).map(|times| times as i32),
    }
}

fn integers(fields: &mut Fields<'_>, key: &str) -> Option<Vec<i64>> {
    let nodes = fields.list(key)?;
    let mut numbers = Vec::new();
    for node in nodes {
        match node.value {
            Value::Integer(number) => numbers.push(number),
            _ => fields.refuse(key, node, "a whole number"),
        }
    }
    Some(numbers)
}

fn queues(fields: &mut Fields<'_>, key: &str) -> Vec<u32> {
    let numbers = integers(fields, key).unwrap_or_default();
    numbers.into_iter().filter_map(|number| u32::try_from(number).ok()).collect()
}

/// `queue = 0`, or `queues = [0, 1]`; queue 0 if nothing is said.
fn one_or_more_queues(fields: &mut Fields<'_>) -> Vec<u32> {
    let one = fields.count("queue", 0..=1_023);
    let many = queues(fields, "queues");
    match (one, many.is_empty()) {
        (Some(one), _) => vec![one],
        (None, true) => vec![0],
        (None, false) => many,
    }
}

/// A number, `">= 2"`, or `[low, high]`.
fn times(fields: &mut Fields<'_>, key: &str) -> Option<Times> {
    let node = fields.node(key)?;
    let found = times_of(node);
    if found.is_none() {
        fields.refuse(key, node, TIMES);
    }
    found
}

const TIMES: &str = "a whole number, \">= 2\", or [low, high]";

fn times_of(node: &Node) -> Option<Times> {
    match &node.value {
        Value::Integer(number) => Some(Times::exactly(*number)),
        Value::Text(text) => {
            let number = text.strip_prefix(">=")?.trim();
            Some(Times::at_least(number.parse().ok()?))
        }
        Value::List(list) => match &list[..] {
            [Node { value: Value::Integer(low), .. }, Node { value: Value::Integer(high), .. }] => {
                Some(Times { low: *low, high: *high })
            }
            _ => None,
        },
        _ => None,
    }
}

fn committed(fields: &mut Fields<'_>) -> Option<Committed> {
    let node = fields.node("committed")?;
    match &node.value {
        Value::Text(text) if text == "absent" => Some(Committed::Absent),
        Value::Text(text) if text == "0 or absent" => Some(Committed::ZeroOrAbsent),
        _ => {
            let found = times_of(node);
            if found.is_none() {
                let allowed = format!("{TIMES}, \"absent\" or \"0 or absent\"");
                fields.refuse("committed", node, &allowed);
            }
            found.map(Committed::Offset)
        }
    }
}

/// `[32, 32, 4]`, or `["20 x 1"]` for twenty calls of one.
fn sizes(fields: &mut Fields<'_>) -> Option<Vec<u32>> {
    let nodes = fields.list("batches")?;
    let mut sizes = Vec::new();
    for node in nodes {
        let run = match &node.value {
            Value::Integer(size) => Some((1, *size)),
            Value::Text(text) => text.split_once('x').and_then(|(count, size)| {
                Some((count.trim().parse::<usize>().ok()?, size.trim().parse().ok()?))
            }),
            _ => None,
        };
        match run {
            Some((count, size)) if count <= 100_000 => {
                sizes.extend(std::iter::repeat_n(u32::try_from(size).unwrap_or(0), count));
            }
            _ => fields.refuse("batches", node, "a size, or \"20 x 1\" for twenty of size 1"),
        }
    }
    Some(sizes)
}

/// `owner = { c1 = [0, 1], c2 = [] }`.
fn owners(fields: &mut Fields<'_>) -> Option<Vec<OwnedQueues>> {
    const ALLOWED: &str = "a table from client ids to queues, such as { c1 = [0, 1], c2 = [] }";
    let node = fields.node("owner")?;
    if !matches!(node.value, Value::Table(_)) {
        fields.refuse("owner", node, ALLOWED);
        return None;
    }
    let mut table = Fields::of(node, format!("{}, owner", fields.place), fields.sink);
    let entries = table.entries();
    let owned = entries.iter().map(|entry| OwnedQueues {
        consumer: entry.key.clone(),
        queues: queues(&mut table, &entry.key),
    });
    Some(owned.collect())
}

/// `at = "..."`, `from = "..."`, or the end of the run.
fn when(fields: &mut Fields<'_>) -> When {
    match (fields.time("at"), fields.time("from")) {
        (Some(at), _) => When::At(at),
        (None, Some(from)) => When::From(from),
        (None, None) => When::End,
    }
}

/// `window = ["10s", "10.5s"]`.
fn window(fields: &mut Fields<'_>, key: &str) -> Option<(Millis, Millis)> {
    let node = fields.node(key)?;
    let found = match &node.value {
        Value::List(list) => match &list[..] {
            [from, to] => time_of(from).zip(time_of(to)).filter(|(from, to)| from <= to),
            _ => None,
        },
        _ => None,
    };
    if found.is_none() {
        fields.refuse(key, node, "two moments, the earlier first: [\"10s\", \"10.5s\"]");
    }
    found
}

fn required_window(fields: &mut Fields<'_>) -> Option<(Millis, Millis)> {
    if fields.node("window").is_none() {
        fields.missing("window", "two moments, the earlier first: [\"10s\", \"10.5s\"]");
    }
    window(fields, "window")
}

fn moments(fields: &mut Fields<'_>) -> Option<Moments> {
    let tolerance = fields.time("tolerance").unwrap_or(TOLERANCE);
    let (at, every) = (fields.time("at"), fields.time("every"));
    let window = window(fields, "window");
    let each = fields.list("each");
    match (at, every, window, each) {
        (Some(at), None, None, None) => Some(Moments::At { at, tolerance }),
        (Some(at), Some(every), None, None) => Some(Moments::Every { at, every, tolerance }),
        (None, None, Some((from, to)), None) => Some(Moments::Window { from, to }),
        (None, None, None, Some(nodes)) => {
            for node in nodes.iter().filter(|node| time_of(node).is_none()) {
                fields.refuse("each", node, duration::ALLOWED);
            }
            let at = nodes.iter().filter_map(time_of).collect();
            Some(Moments::Each { at, tolerance })
        }
        _ => {
            let allowed = "one of at, at with every, window, or each";
            fields.problem("", fields.at, "no moment, or more than one kind", allowed);
            None
        }
    }
}
