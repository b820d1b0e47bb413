//! The arguments of `starting`: how a recorded consumer was set.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::trace::ClientName;
use crate::model::ids::{GroupName, TopicName};
use crate::model::time::Millis;

/// `mode`; absent, it is concurrent and clustering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    #[default]
    Concurrent,
    Orderly,
    Broadcast,
}

/// `from`; the recordings' default is FIRST, unlike the product's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum From {
    #[default]
    First,
    Last,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Starting {
    pub client: ClientName,
    pub group: GroupName,
    pub topic: TopicName,
    pub mode: Mode,
    pub from: From,
    /// The tag expression.
    pub expression: String,
    /// Subscribed instead of `topic`.
    pub subscribed_topic: Option<TopicName>,
    /// Slept on every message, before its act.
    pub sleep: Millis,
    pub max_reconsume_times: Option<i32>,
    pub batch: Option<u32>,
    pub pull_batch: Option<u32>,
    pub threads: Option<u32>,
    pub threshold: Option<u32>,
    pub timeout_minutes: Option<u32>,
    /// Codes that are not in the trace.
    pub skipped_codes: BTreeSet<String>,
    /// `rpc=0`: no code is in the trace.
    pub skips_all_codes: bool,
    /// Period of the `pq` samples.
    pub sample_period: Option<Millis>,
}

/// What is wrong with the arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartingError {
    #[error("unknown argument `{name}` of `starting` (its value is `{value}`)")]
    UnknownArgument { name: String, value: String },
    #[error("argument `{name}` of `starting` cannot be `{value}`; {allowed}")]
    BadValue { name: String, value: String, allowed: &'static str },
    #[error("`starting` lacks the argument `{0}`")]
    Missing(&'static str),
}

impl Starting {
    pub fn named(client: ClientName, group: GroupName, topic: TopicName) -> Starting {
        Starting {
            client,
            group,
            topic,
            mode: Mode::default(),
            from: From::default(),
            expression: "*".to_owned(),
            subscribed_topic: None,
            sleep: Millis::ZERO,
            max_reconsume_times: None,
            batch: None,
            pull_batch: None,
            threads: None,
            threshold: None,
            timeout_minutes: None,
            skipped_codes: BTreeSet::new(),
            skips_all_codes: false,
            sample_period: None,
        }
    }

    /// The topic that this consumer subscribes to.
    pub fn subscription(&self) -> &TopicName {
        self.subscribed_topic.as_ref().unwrap_or(&self.topic)
    }

    /// Whether requests of `code` are in the trace.
    pub fn records(&self, code: &str) -> bool {
        !self.skips_all_codes && !self.skipped_codes.contains(code)
    }

    /// Reads `args`. Every argument has to be known, because each is an input.
    pub fn read(client: &ClientName, args: &Map<String, Value>) -> Result<Starting, StartingError> {
        let text =
            |name: &'static str| args.get(name).map(plain).ok_or(StartingError::Missing(name));
        let mut starting = Starting::named(
            client.clone(),
            GroupName::new(text("group")?),
            TopicName::new(text("topic")?),
        );
        for (name, value) in args {
            starting.set(name, &plain(value))?;
        }
        Ok(starting)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), StartingError> {
        let bad = |allowed| StartingError::BadValue {
            name: name.to_owned(),
            value: value.to_owned(),
            allowed,
        };
        let number = || value.parse::<u32>().map_err(|_| bad("it is a whole number, 0 or more"));
        match name {
            "client" | "group" | "topic" | "ns" | "pqretry" | "props" => {}
            "mode" => {
                self.mode = match value {
                    "orderly" => Mode::Orderly,
                    "broadcast" => Mode::Broadcast,
                    _ => return Err(bad("it is `orderly` or `broadcast`")),
                }
            }
            "from" => {
                self.from = match value {
                    "FIRST" => From::First,
                    "LAST" => From::Last,
                    _ => return Err(bad("it is `FIRST` or `LAST`")),
                }
            }
            "sub" => value.clone_into(&mut self.expression),
            "subtopic" => self.subscribed_topic = Some(TopicName::new(value)),
            "sleep" => self.sleep = Millis::new(u64::from(number()?)),
            "max" => {
                let max = value.parse::<i32>().map_err(|_| bad("it is a whole number"))?;
                self.max_reconsume_times = Some(max);
            }
            "batch" => self.batch = Some(number()?),
            "pullbatch" => self.pull_batch = Some(number()?),
            "threads" => self.threads = Some(number()?),
            "thr" => self.threshold = Some(number()?),
            "timeoutmin" => self.timeout_minutes = Some(number()?),
            "rpc" => self.skips_all_codes = value == "0",
            "rpcskip" => {
                self.skipped_codes = value.split(',').map(|code| code.trim().to_owned()).collect();
            }
            "pqms" => self.sample_period = Some(Millis::new(u64::from(number()?))),
            _ => {
                return Err(StartingError::UnknownArgument {
                    name: name.to_owned(),
                    value: value.to_owned(),
                });
            }
        }
        Ok(())
    }

    /// The arguments as they stand in a trace.
    pub fn args(&self) -> Map<String, Value> {
        let mut args = Map::new();
        let mut put =
            |name: &str, value: String| args.insert(name.to_owned(), Value::String(value));
        put("client", self.client.to_string());
        put("group", self.group.to_string());
        put("topic", self.topic.to_string());
        match self.mode {
            Mode::Concurrent => None,
            Mode::Orderly => put("mode", "orderly".to_owned()),
            Mode::Broadcast => put("mode", "broadcast".to_owned()),
        };
        if self.from == From::Last {
            put("from", "LAST".to_owned());
        }
        if self.expression != "*" {
            put("sub", self.expression.clone());
        }
        if let Some(topic) = &self.subscribed_topic {
            put("subtopic", topic.to_string());
        }
        if self.sleep > Millis::ZERO {
            put("sleep", self.sleep.ms().to_string());
        }
        let numbers = [
            ("max", self.max_reconsume_times.map(i64::from)),
            ("batch", self.batch.map(i64::from)),
            ("pullbatch", self.pull_batch.map(i64::from)),
            ("threads", self.threads.map(i64::from)),
            ("thr", self.threshold.map(i64::from)),
            ("timeoutmin", self.timeout_minutes.map(i64::from)),
        ];
        for (name, number) in numbers {
            if let Some(number) = number {
                put(name, number.to_string());
            }
        }
        args
    }
}

/// A value as text: strings without their quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The short name of a client: what follows `@` in its id.
pub fn short_name(client_id: &str) -> Rc<str> {
    Rc::from(client_id.rsplit_once('@').map_or(client_id, |(_, name)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Starting, StartingError> {
        let args = pairs.iter().map(|(k, v)| ((*k).to_owned(), Value::String((*v).to_owned())));
        Starting::read(&"c1".into(), &args.collect())
    }

    #[test]
    fn known_arguments_are_taken() {
        let starting = read(&[("group", "G"), ("topic", "T"), ("mode", "orderly"), ("max", "2")]);
        let starting = starting.expect("all known");
        assert_eq!((starting.mode, starting.max_reconsume_times), (Mode::Orderly, Some(2)));
        assert_eq!(starting.from, From::First);
    }

    #[test]
    fn an_argument_that_is_unknown_is_named() {
        let error = read(&[("group", "G"), ("topic", "T"), ("wings", "2")]).unwrap_err();
        assert_eq!(error.to_string(), "unknown argument `wings` of `starting` (its value is `2`)");
        let error = read(&[("group", "G"), ("topic", "T"), ("from", "MIDDLE")]).unwrap_err();
        assert!(error.to_string().contains("`from` of `starting` cannot be `MIDDLE`"));
    }
}
