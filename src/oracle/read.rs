//! Reading a trace: JSON lines into typed words. What is not known is an error by its name.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Map, Value};
use thiserror::Error;

use super::act::{Act, UnknownAct};
use super::starting::{Starting, StartingError};
use super::trace::{
    BrokerEnd, Delivery, Header, Line, ProcessQueueSample, RpcAnswer, RpcFields, Sample, Sent,
    StoredCopy, Trace, Word,
};
use crate::model::ids::{GroupName, QueueId, TopicName};
use crate::model::offset::QueueOffset;
use crate::model::profile::Profile;
use crate::model::time::Millis;

/// Why a text is not a trace that can be run, with the number of the line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct ReadError {
    pub line: u32,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum What {
    #[error("not JSON: {0}")]
    NotJson(String),
    #[error("the first line has to be the header")]
    NoHeader,
    #[error("unknown event word `{0}`")]
    UnknownWord(String),
    #[error("unknown header field `{0}`: an input that this reader cannot set")]
    UnknownHeader(String),
    #[error("no profile for the version `{0}`; known are 4.2.0, 4.9.8 and 5.3.3")]
    UnknownVersion(String),
    #[error("`{word}` lacks the field `{field}`, or it is of another kind")]
    BadField { word: String, field: String },
    #[error("unknown way to stop a broker `{0}`; known are term, kill9 and sigstop")]
    UnknownStop(String),
    #[error("{0}")]
    Act(#[from] UnknownAct),
    #[error("{0}")]
    Starting(#[from] StartingError),
}

/// Reads a whole trace.
pub fn read(text: &str) -> Result<Trace, ReadError> {
    let mut header = None;
    let mut lines = Vec::new();
    for (index, text) in text.lines().enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        let number = index as u32 + 1;
        let at_line = |what| ReadError { line: number, what };
        let object = match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(object)) => object,
            Ok(_) => return Err(at_line(What::NotJson("not an object".to_owned()))),
            Err(error) => return Err(at_line(What::NotJson(error.to_string()))),
        };
        let fields = Fields::of(&object);
        if header.is_none() {
            header = Some(read_header(&fields).map_err(at_line)?);
        } else {
            let word = read_word(&fields).map_err(at_line)?;
            let at = fields.ms("t_ms").map_err(at_line)?;
            lines.push(Line { number, at, word });
        }
    }
    let header = header.ok_or(ReadError { line: 1, what: What::NoHeader })?;
    lines.sort_by_key(|line| line.at);
    Ok(Trace { header, lines })
}

/// The fields of one line, with errors that name the word and the field.
struct Fields<'a> {
    word: &'a str,
    object: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    fn of(object: &'a Map<String, Value>) -> Fields<'a> {
        let word = object.get("ev").and_then(Value::as_str).unwrap_or_default();
        Fields { word, object }
    }

    fn bad(&self, field: &str) -> What {
        What::BadField { word: self.word.to_owned(), field: field.to_owned() }
    }

    fn text(&self, field: &str) -> Result<&'a str, What> {
        self.object.get(field).and_then(Value::as_str).ok_or_else(|| self.bad(field))
    }

    fn shared(&self, field: &str) -> Result<Rc<str>, What> {
        self.text(field).map(Rc::from)
    }

    fn topic(&self, field: &str) -> Result<TopicName, What> {
        self.text(field).map(TopicName::new)
    }

    fn number(&self, field: &str) -> Result<i64, What> {
        self.object.get(field).and_then(Value::as_i64).ok_or_else(|| self.bad(field))
    }

    /// A moment; what lies before the trace's start counts as its start.
    fn ms(&self, field: &str) -> Result<Millis, What> {
        self.number(field).map(|ms| Millis::new(ms.max(0) as u64))
    }

    fn offset(&self, field: &str) -> Result<QueueOffset, What> {
        self.number(field).map(QueueOffset)
    }

    fn small(&self, field: &str) -> Result<u32, What> {
        self.number(field)?.try_into().map_err(|_| self.bad(field))
    }

    fn level(&self, field: &str) -> Result<i32, What> {
        self.number(field)?.try_into().map_err(|_| self.bad(field))
    }

    fn map(&self, field: &str) -> Result<&'a Map<String, Value>, What> {
        self.object.get(field).and_then(Value::as_object).ok_or_else(|| self.bad(field))
    }

    /// `{"0": 17, ...}`.
    fn offsets(&self, field: &str) -> Result<BTreeMap<u32, QueueOffset>, What> {
        let entry = |(id, value): (&String, &Value)| {
            let id = id.parse::<u32>().map_err(|_| self.bad(field))?;
            let offset = value.as_i64().ok_or_else(|| self.bad(field))?;
            Ok((id, QueueOffset(offset)))
        };
        self.map(field)?.iter().map(entry).collect()
    }

    fn queue_offsets(&self, field: &str) -> Result<BTreeMap<QueueId, QueueOffset>, What> {
        Ok(self.offsets(field)?.into_iter().map(|(id, offset)| (QueueId(id), offset)).collect())
    }

    fn optional_text(&self, field: &str) -> Option<Rc<str>> {
        self.object.get(field).and_then(Value::as_str).map(Rc::from)
    }
}

fn read_header(fields: &Fields<'_>) -> Result<Header, What> {
    if fields.word != "header" {
        return Err(What::NoHeader);
    }
    let version = fields.text("version")?;
    let is_it = |profile: &Profile| version.contains(profile.release());
    let profile = Profile::ALL
        .into_iter()
        .find(is_it)
        .ok_or_else(|| What::UnknownVersion(version.to_owned()))?;
    let ratio = fields.object.get("broker_accessMessageInMemoryMaxRatio");
    // `broker_stop` repeats the `how` of the word of that name.
    let known = ["broker_accessMessageInMemoryMaxRatio", "broker_stop"];
    let is_unknown =
        |name: &&String| name.starts_with("broker_") && !known.contains(&name.as_str());
    if let Some(name) = fields.object.keys().find(is_unknown) {
        return Err(What::UnknownHeader(name.clone()));
    }
    let is_zero = |ratio: &Value| ratio.as_str() == Some("0") || ratio.as_i64() == Some(0);
    Ok(Header {
        scenario: fields.text("scenario")?.to_owned(),
        run: match &fields.object.get("run") {
            Some(Value::String(run)) => run.clone(),
            Some(other) => other.to_string(),
            None => return Err(fields.bad("run")),
        },
        profile,
        topic: fields.topic("topic")?,
        topic2: fields.topic("topic2").ok(),
        group: GroupName::new(fields.text("group")?),
        queues: fields.small("queues")?,
        first_message_in_memory: !ratio.is_some_and(is_zero),
    })
}

fn read_word(fields: &Fields<'_>) -> Result<Word, What> {
    let client = || fields.shared("client");
    Ok(match fields.word {
        "starting" => Word::Starting(Box::new(Starting::read(&client()?, fields.map("args")?)?)),
        "started" => Word::Started { client: client()?, client_id: fields.shared("clientId")? },
        "sent" => Word::Sent(Box::new(read_sent(fields)?)),
        "begin" => Word::Begin {
            delivery: read_delivery(fields)?,
            born: fields.ms("born")?,
            store: fields.ms("store")?,
        },
        "consumed" => Word::Consumed {
            delivery: read_delivery(fields)?,
            result: fields.shared("result")?,
            batch: fields.small("batch").unwrap_or(1),
        },
        "rpc" => Word::Rpc {
            client: client()?,
            code: fields.shared("code")?,
            fields: Box::new(read_rpc_fields(fields)),
        },
        "rpcret" => Word::RpcReturned {
            client: client()?,
            code: fields.shared("code")?,
            answer: Box::new(read_rpc_answer(fields)?),
        },
        "assign" => Word::Assign { client: client()?, queues: read_assign(fields)? },
        "pq" => {
            Word::ProcessQueue { client: client()?, sample: Box::new(read_process_queue(fields)?) }
        }
        "sample" => Word::Sample(Box::new(read_sample(fields)?)),
        "schedule" => Word::Schedule {
            max: fields.offsets("scheduleMax")?,
            delivered: fields.offsets("delayOffset")?,
        },
        "stored" => Word::Stored(Box::new(read_stored(fields)?)),
        "dump_error" => Word::DumpFailed { topic: fields.topic("topic")? },
        "kill9" => Word::Kill9 { client: client()? },
        "sigterm" => Word::SigTerm { client: client()? },
        "shutdown_begin" => Word::ShutdownBegin { client: client()? },
        "shutdown_end" => Word::ShutdownEnd { client: client()? },
        "harness_end" => Word::HarnessEnd { client: client()? },
        "broker_stop" => Word::BrokerStop {
            how: match fields.text("how")? {
                "term" => BrokerEnd::Term,
                "kill9" => BrokerEnd::Kill9,
                "sigstop" => BrokerEnd::SigStop,
                other => return Err(What::UnknownStop(other.to_owned())),
            },
        },
        "broker_start" => Word::BrokerStart,
        "broker_started" => Word::BrokerStarted,
        "reset_begin" => Word::ResetBegin,
        "set_offset" => Word::SetOffset { offset: fields.offset("offset")? },
        other if is_remark(other) => Word::Remark(Rc::from(other)),
        other => return Err(What::UnknownWord(other.to_owned())),
    })
}

/// Words that are neither input nor to be predicted: the runner's and the recording side's own.
fn is_remark(word: &str) -> bool {
    let known =
        ["spawn", "dlq", "dlq_seen", "interrupted", "reset_done", "sample_error", "send_error"];
    known.contains(&word) || word.starts_with("offsets_json_") || word.ends_with("_alive")
}

fn read_delivery(fields: &Fields<'_>) -> Result<Delivery, What> {
    Ok(Delivery {
        client: fields.shared("client")?,
        topic: fields.topic("topic")?,
        queue_id: QueueId(fields.small("queueId")?),
        queue_offset: fields.offset("queueOffset")?,
        key: fields.shared("key")?,
        reconsume_times: fields.level("reconsumeTimes")?,
    })
}

fn read_sent(fields: &Fields<'_>) -> Result<Sent, What> {
    Ok(Sent {
        topic: fields.topic("topic")?,
        queue_id: QueueId(fields.small("queueId")?),
        queue_offset: fields.offset("queueOffset")?,
        key: fields.shared("key")?,
        act: Act::parse(fields.text("act")?)?,
        level: fields.level("level").unwrap_or(0),
        tag: fields.optional_text("tag"),
        offset_msg_id: fields.optional_text("offsetMsgId"),
        is_sparse: fields.object.contains_key("note"),
    })
}

fn read_rpc_fields(fields: &Fields<'_>) -> RpcFields {
    let Ok(h) = fields.map("h") else { return RpcFields::default() };
    let h = Fields { word: "rpc", object: h };
    RpcFields {
        topic: h.topic("topic").ok(),
        queue_id: h.small("queueId").ok().map(QueueId),
        queue_offset: h.offset("queueOffset").ok(),
        max_msg_nums: h.small("maxMsgNums").ok(),
        sys_flag: h.small("sysFlag").ok(),
        commit_offset: h.offset("commitOffset").ok(),
        physical_offset: h.number("offset").ok().map(|offset| offset.max(0) as u64),
        delay_level: h.level("delayLevel").ok(),
        max_reconsume_times: h.level("maxReconsumeTimes").ok(),
        origin_topic: h.topic("originTopic").ok(),
        queues: h.text("body").ok().and_then(|body| queues_of(body, "mqSet")),
    }
}

fn read_rpc_answer(fields: &Fields<'_>) -> Result<RpcAnswer, What> {
    let body = fields.text("body").ok();
    let members = body.and_then(|body| serde_json::from_str::<Value>(body).ok()).and_then(|body| {
        let members = body.get("consumerIdList")?.as_array()?;
        Some(members.iter().filter_map(Value::as_str).map(Rc::from).collect())
    });
    let offset = fields.map("ext").ok().and_then(|ext| ext.get("offset")).and_then(|offset| {
        offset.as_str().map_or_else(|| offset.as_i64(), |text| text.parse().ok())
    });
    Ok(RpcAnswer {
        response: fields.number("resp")?,
        offset: offset.map(QueueOffset),
        members,
        locked: body.and_then(|body| queues_of(body, "lockOKMQSet")),
    })
}

/// The queues of a lock request's or answer's body.
fn queues_of(body: &str, field: &str) -> Option<Vec<(TopicName, QueueId)>> {
    let body = serde_json::from_str::<Value>(body).ok()?;
    let queue = |queue: &Value| {
        let topic = TopicName::new(queue.get("topic")?.as_str()?);
        let id = u32::try_from(queue.get("queueId")?.as_i64()?).ok()?;
        Some((topic, QueueId(id)))
    };
    body.get(field)?.as_array()?.iter().map(queue).collect()
}

fn read_assign(fields: &Fields<'_>) -> Result<BTreeMap<TopicName, Vec<QueueId>>, What> {
    let bad = || fields.bad("queues");
    let id =
        |id: &Value| id.as_i64().and_then(|id| u32::try_from(id).ok()).map(QueueId).ok_or_else(bad);
    let topic = |(topic, ids): (&String, &Value)| {
        let ids = ids.as_array().ok_or_else(bad)?;
        let mut ids = ids.iter().map(id).collect::<Result<Vec<_>, _>>()?;
        ids.sort();
        Ok((TopicName::new(topic), ids))
    };
    fields.map("queues")?.iter().map(topic).collect()
}

fn read_process_queue(fields: &Fields<'_>) -> Result<ProcessQueueSample, What> {
    Ok(ProcessQueueSample {
        topic: fields.topic("topic")?,
        queue_id: QueueId(fields.small("q")?),
        msg_count: fields.number("msgCount")?,
        span: fields.number("span")?,
        memory_offset: fields.offset("memOffset")?,
        locked: fields.object.get("locked").and_then(Value::as_bool),
    })
}

fn read_sample(fields: &Fields<'_>) -> Result<Sample, What> {
    let clients = fields.object.get("clients").and_then(Value::as_array);
    let clients = clients.ok_or_else(|| fields.bad("clients"))?;
    let mut clients: Vec<Rc<str>> =
        clients.iter().filter_map(Value::as_str).map(Rc::from).collect();
    clients.sort();
    Ok(Sample {
        commit: fields.queue_offsets("commit")?,
        max: fields.queue_offsets("max")?,
        retry_commit: fields.queue_offsets("retryCommit")?,
        retry_max: fields.offset("retryMax")?,
        dlq_max: fields.offset("dlqMax")?,
        clients,
    })
}

/// The properties of a stored copy that are compared; the others are the recording side's.
pub const COMPARED_PROPERTIES: [&str; 9] = [
    "DELAY",
    "REAL_TOPIC",
    "REAL_QID",
    "RETRY_TOPIC",
    "KEYS",
    "TAGS",
    "RECONSUME_TIME",
    "MAX_RECONSUME_TIMES",
    "ORIGIN_MESSAGE_ID",
];

fn read_stored(fields: &Fields<'_>) -> Result<StoredCopy, What> {
    let properties = fields.map("props")?.iter();
    let properties = properties
        .filter(|(name, _)| COMPARED_PROPERTIES.contains(&name.as_str()))
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
        .collect();
    Ok(StoredCopy {
        topic: fields.topic("topic")?,
        queue_id: QueueId(fields.small("queueId")?),
        queue_offset: fields.offset("queueOffset")?,
        stored_at: fields.ms("storeTs")?,
        born_at: fields.ms("bornTs")?,
        reconsume_times: fields.level("reconsumeTimes")?,
        key: fields.shared("keys")?,
        properties,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"ev":"header","scenario":"s","run":"1","version":"rocketmq-all-4.2.0 (x)","t0_epoch_ms":1,"topic":"T","group":"G","queues":4,"options":{}}"#;

    fn what(line: &str) -> String {
        read(&format!("{HEADER}\n{line}")).expect_err("a mistake").to_string()
    }

    #[test]
    fn what_is_unknown_is_an_error_by_name() {
        let cases = [
            (r#"{"t_ms":1,"ev":"explosion"}"#, "line 2: unknown event word `explosion`"),
            (
                r#"{"t_ms":1,"ev":"sent","topic":"T","queueId":0,"queueOffset":0,"key":"k","act":"dance"}"#,
                "line 2: unknown act `dance`",
            ),
            (
                r#"{"t_ms":1,"ev":"starting","client":"c1","args":{"group":"G","topic":"T","hat":"red"}}"#,
                "line 2: unknown argument `hat` of `starting` (its value is `red`)",
            ),
            (
                r#"{"t_ms":1,"ev":"broker_stop","how":"nicely"}"#,
                "line 2: unknown way to stop a broker `nicely`; known are term, kill9 and sigstop",
            ),
            (
                r#"{"t_ms":1,"ev":"started"}"#,
                "line 2: `started` lacks the field `client`, or it is of another kind",
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(what(line), expected);
        }
    }

    #[test]
    fn the_profile_follows_from_the_version() {
        for profile in Profile::ALL {
            let header = HEADER.replace("4.2.0", profile.release());
            assert_eq!(read(&header).map(|trace| trace.header.profile), Ok(profile));
        }
        let error = read(&HEADER.replace("4.2.0", "3.1.0")).expect_err("not known");
        assert!(error.to_string().contains("no profile for the version `rocketmq-all-3.1.0 (x)`"));
    }

    #[test]
    fn a_broker_setting_that_cannot_be_set_is_an_error_by_name() {
        let header =
            HEADER.replace("\"options\"", "\"broker_longPollingEnable\":\"false\",\"options\"");
        let error = read(&header).expect_err("not known");
        assert!(error.to_string().contains("`broker_longPollingEnable`"));
    }
}
