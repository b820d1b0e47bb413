//! What each verb asks for: kinds, ranges and the values that stand there at first.

use std::rc::Rc;

use super::around::Around;
use super::{FaultField as F, FaultText, FaultWord, Target, Verb};
use crate::scenario::duration;
use crate::sim::broker::admin;
use crate::sim::client::perform::PROPERTIES;
use crate::sim::packet::RequestCode;

/// One thing that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: F,
    pub kind: Kind,
    pub default: String,
    /// What an empty one means; without it an empty one is a mistake.
    pub empty: Option<FaultWord>,
    /// What one should know before one fills it in.
    pub note: Option<FaultText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `30s`, `1m30s`.
    Span,
    /// The same, and before or behind: `-5s`.
    SignedSpan,
    Number {
        least: i64,
        most: i64,
    },
    Choice(Vec<Choice>),
    Words,
}

/// One choice: what it is called in the draft, and on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub value: String,
    pub label: Label,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    Word(FaultWord),
    Name(Rc<str>),
}

/// Names of listener results, as in a draft.
pub const RESULTS: [(&str, FaultWord); 7] = [
    ("later", FaultWord::Later),
    ("ok", FaultWord::Success),
    ("throws", FaultWord::Throws),
    ("null", FaultWord::Null),
    ("never", FaultWord::Never),
    ("commit", FaultWord::Commit),
    ("rollback", FaultWord::Rollback),
];

pub const INTERRUPTS: [(&str, FaultWord); 4] = [
    ("ignores", FaultWord::Ignores),
    ("endsEarly", FaultWord::EndsEarly),
    ("succeeds", FaultWord::Succeeds),
    ("fails", FaultWord::Fails),
];

/// Requests of any code, in a draft.
pub const ANY: &str = "any";

/// Messages, calls or queues at a time.
const MANY: i64 = 1_000;

impl Field {
    fn new(name: F, kind: Kind, default: impl Into<String>) -> Field {
        Field { name, kind, default: default.into(), empty: None, note: None }
    }

    fn or_empty(self, meaning: FaultWord) -> Field {
        Field { empty: Some(meaning), ..self }
    }
}

fn number(name: F, least: i64, most: i64, default: i64) -> Field {
    Field::new(name, Kind::Number { least, most }, default.to_string())
}

fn span(name: F, default: &str) -> Field {
    Field::new(name, Kind::Span, default)
}

fn choice(name: F, choices: Vec<Choice>) -> Field {
    let default = choices.first().map(|first| first.value.clone()).unwrap_or_default();
    Field::new(name, Kind::Choice(choices), default)
}

fn words(table: &[(&str, FaultWord)]) -> Vec<Choice> {
    let choice = |(value, word): &(&str, FaultWord)| Choice {
        value: (*value).to_owned(),
        label: Label::Word(*word),
    };
    table.iter().map(choice).collect()
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Choice> {
    names.map(|it| Choice { value: it.to_owned(), label: Label::Name(it.into()) }).collect()
}

fn codes() -> Field {
    let code = |code: RequestCode| Choice {
        value: code.number().to_string(),
        label: Label::Name(
            format!("{} {}", code.number(), code.name(crate::model::profile::Profile::V53)).into(),
        ),
    };
    Field { default: "11".into(), ..choice(F::Code, RequestCode::ALL.map(code).to_vec()) }
}

/// The same, or any of them, which stands there at first.
fn any_code() -> Field {
    let mut field = codes();
    if let Kind::Choice(choices) = &mut field.kind {
        choices
            .insert(0, Choice { value: ANY.to_owned(), label: Label::Word(FaultWord::AnyRequest) });
    }
    Field { default: ANY.into(), ..field }
}

/// The fields of a verb, in the order in which they are read. A value begins at what is in force; `property` is
/// the one that is chosen in the draft.
pub fn of(verb: Verb, target: &Target, around: &Around, property: Option<&str>) -> Vec<Field> {
    let queue = match target {
        Target::Queue(queue) => around.queue(queue),
        _ => None,
    };
    let max = queue.map_or(0, |queue| queue.max);
    match verb {
        Verb::Freeze | Verb::FreezeBroker => {
            vec![span(F::Span, "30s").or_empty(FaultWord::ForeverHint)]
        }
        Verb::Listener => listener(target, around),
        Verb::OnInterrupt => vec![choice(F::Interrupt, words(&INTERRUPTS))],
        Verb::SetProperty => vec![
            choice(F::Property, names(PROPERTIES.into_iter())),
            number(F::Value, 1, 65_535, present(target, around, property)),
        ],
        Verb::SetBrokerProperty => vec![
            choice(F::Property, names(admin::PROPERTIES.into_iter())),
            number(F::Value, 1, i64::from(u32::MAX), present(target, around, property)),
        ],
        Verb::SkewClock => vec![Field::new(F::Skew, Kind::SignedSpan, "10s")],
        Verb::Unsubscribe => vec![topic(target, around)],
        Verb::Subscribe => vec![
            choice(F::Topic, names(around.topics.iter().map(|topic| topic.as_str()))),
            Field::new(F::Expression, Kind::Words, "*"),
        ],
        Verb::KillBroker => vec![number(F::LostTail, 0, MANY, 0)],
        Verb::SlowStore => vec![span(F::Span, "200ms")],
        Verb::AddQueues => {
            let siblings = queue.map_or(4, |queue| i64::from(queue.siblings));
            vec![number(F::Queues, 1, MANY, siblings + 2)]
        }
        Verb::ExpireHead => {
            let committed = queue.map_or(0, |queue| queue.committed);
            vec![number(F::Offset, 0, max, (committed + 3).min(max))]
        }
        Verb::SetOffset => {
            let committed = queue.map_or(0, |queue| queue.committed);
            vec![number(F::Offset, 0, i64::from(u32::MAX), committed)]
        }
        Verb::Latency => vec![span(F::From, "200ms"), span(F::To, "800ms")],
        Verb::LoseRequests | Verb::LoseAnswers => {
            vec![codes(), number(F::Count, 1, MANY, 1)]
        }
        Verb::DoubleRequests | Verb::DoubleAnswers => vec![
            any_code(),
            number(F::Count, 1, MANY, 1),
            span(F::Later, "50ms"),
            Field::new(F::LaterAtMost, Kind::Span, "").or_empty(FaultWord::LaterHint),
        ],
        Verb::ReorderRequests | Verb::ReorderAnswers => {
            vec![any_code(), number(F::Count, 1, MANY, 1), span(F::HeldAtMost, "5s")]
        }
        Verb::CreateTopic => {
            let name = around.new_topic.as_ref().map(|it| it.as_str()).unwrap_or_default();
            vec![Field::new(F::Topic, Kind::Words, name), number(F::Queues, 1, 1_024, 4)]
        }
        Verb::RetryQueues => vec![number(F::Queues, 0, 1_024, i64::from(around.retry_queues))],
        Verb::ResetOffset => vec![
            choice(F::Topic, names(around.topics.iter().map(|topic| topic.as_str()))),
            span(F::Moment, "0s"),
        ],
        _ => Vec::new(),
    }
}

/// What the chosen property is now; of the first one where none is chosen yet.
fn present(target: &Target, around: &Around, property: Option<&str>) -> i64 {
    let known = match target {
        Target::Client(client_id) => around.client(client_id).map(|it| &it.properties),
        Target::Broker(name, id) => around.broker(name, *id).map(|it| &it.properties),
        Target::Producer(_)
        | Target::Queue(_)
        | Target::NameServer
        | Target::Link(..)
        | Target::Group => None,
    };
    let mut known = known.into_iter().flatten();
    let chosen = known.find(|(name, _)| property.is_none_or(|property| *name == property));
    chosen.map_or(1, |(_, value)| *value)
}

fn listener(target: &Target, around: &Around) -> Vec<Field> {
    let key = around.key.clone().unwrap_or_default();
    let client = match target {
        Target::Client(client_id) => around.client(client_id),
        _ => None,
    };
    let takes = client.map(|client| client.listener.default_script.step(0).takes);
    let takes = takes.map_or_else(|| "1s".to_owned(), duration::write);
    let note = (!around.scripted.is_empty())
        .then(|| FaultText::KeepOwnScript { keys: around.scripted.clone() });
    let key =
        Field { note, ..Field::new(F::Key, Kind::Words, key).or_empty(FaultWord::AllMessages) };
    vec![
        choice(F::Result, words(&RESULTS)),
        number(F::Times, 1, MANY, 1),
        span(F::Takes, &takes),
        key,
        Field::new(F::Acked, Kind::Number { least: 0, most: MANY }, "")
            .or_empty(FaultWord::AllOfBatch),
    ]
}

fn topic(target: &Target, around: &Around) -> Field {
    let client = match target {
        Target::Client(client_id) => around.client(client_id),
        _ => None,
    };
    let topics = client.map(|client| client.topics.as_slice()).unwrap_or_default();
    choice(F::Topic, names(topics.iter().map(|topic| topic.as_str())))
}
