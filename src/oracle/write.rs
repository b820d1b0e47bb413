//! Writing a trace: typed words as the JSON lines of the recorded ones.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::trace::{
    BrokerEnd, Delivery, Header, Line, ProcessQueueSample, RpcAnswer, RpcFields, Sample, Sent,
    StoredCopy, Trace, Word,
};
use crate::model::ids::{QueueId, TopicName};

/// The whole trace, a line for the header and one for each word.
pub fn write(trace: &Trace) -> String {
    let mut text = header(&trace.header).to_string();
    text.push('\n');
    for each in &trace.lines {
        text.push_str(&line(each).to_string());
        text.push('\n');
    }
    text
}

fn header(header: &Header) -> Value {
    let mut object = json!({
        "ev": "header",
        "scenario": header.scenario,
        "run": header.run,
        "version": format!("rocketmq-playground as {}", header.profile.release()),
        "t0_epoch_ms": 0,
        "topic": header.topic.as_str(),
        "group": header.group.as_str(),
        "queues": header.queues,
        "options": {},
    });
    if let Some(topic) = &header.topic2 {
        object["topic2"] = json!(topic.as_str());
    }
    if !header.first_message_in_memory {
        object["broker_accessMessageInMemoryMaxRatio"] = json!("0");
    }
    object
}

/// One line.
pub fn line(line: &Line) -> Value {
    let mut object = Map::new();
    object.insert("t_ms".to_owned(), json!(line.at.ms()));
    let (name, fields) = word(&line.word);
    object.insert("ev".to_owned(), json!(name));
    if let Some(client) = line.word.client() {
        object.insert("client".to_owned(), json!(&**client));
    }
    if let Value::Object(fields) = fields {
        object.extend(fields);
    }
    Value::Object(object)
}

/// A word's name and its fields, without `client`.
fn word(word: &Word) -> (&str, Value) {
    match word {
        Word::Starting(starting) => ("starting", json!({ "args": starting.args() })),
        Word::Started { client_id, .. } => ("started", json!({ "clientId": &**client_id })),
        Word::Sent(sent) => ("sent", sent_fields(sent)),
        Word::Begin { delivery, born, store } => {
            let mut fields = delivery_fields(delivery);
            fields["born"] = json!(born.ms());
            fields["store"] = json!(store.ms());
            ("begin", fields)
        }
        Word::Consumed { delivery, result, batch } => {
            let mut fields = delivery_fields(delivery);
            fields["result"] = json!(&**result);
            fields["batch"] = json!(batch);
            ("consumed", fields)
        }
        Word::Rpc { code, fields, .. } => {
            ("rpc", json!({ "code": &**code, "h": rpc_fields(fields) }))
        }
        Word::RpcReturned { code, answer, .. } => ("rpcret", rpc_answer(code, answer)),
        Word::Assign { queues, .. } => ("assign", json!({ "queues": assigned(queues) })),
        Word::ProcessQueue { sample, .. } => ("pq", process_queue(sample)),
        Word::Sample(sample) => ("sample", sample_fields(sample)),
        Word::Schedule { max, delivered } => {
            ("schedule", json!({ "scheduleMax": map(max), "delayOffset": map(delivered) }))
        }
        Word::Stored(copy) => ("stored", stored(copy)),
        Word::DumpFailed { topic } => ("dump_error", json!({ "topic": topic.as_str() })),
        Word::Kill9 { .. } => ("kill9", Value::Null),
        Word::SigTerm { .. } => ("sigterm", Value::Null),
        Word::ShutdownBegin { .. } => ("shutdown_begin", Value::Null),
        Word::ShutdownEnd { .. } => ("shutdown_end", Value::Null),
        Word::HarnessEnd { .. } => ("harness_end", Value::Null),
        Word::BrokerStop { how } => {
            let how = match how {
                BrokerEnd::Term => "term",
                BrokerEnd::Kill9 => "kill9",
                BrokerEnd::SigStop => "sigstop",
            };
            ("broker_stop", json!({ "how": how }))
        }
        Word::BrokerStart => ("broker_start", Value::Null),
        Word::BrokerStarted => ("broker_started", Value::Null),
        Word::ResetBegin => ("reset_begin", Value::Null),
        Word::SetOffset { offset } => ("set_offset", json!({ "offset": offset.0 })),
        Word::Remark(name) => (name, Value::Null),
    }
}

fn delivery_fields(delivery: &Delivery) -> Value {
    json!({
        "topic": delivery.topic.as_str(),
        "queueId": delivery.queue_id.0,
        "queueOffset": delivery.queue_offset.0,
        "key": &*delivery.key,
        "reconsumeTimes": delivery.reconsume_times,
    })
}

fn sent_fields(sent: &Sent) -> Value {
    let mut fields = json!({
        "topic": sent.topic.as_str(),
        "queueId": sent.queue_id.0,
        "queueOffset": sent.queue_offset.0,
        "key": &*sent.key,
        "act": sent.act.to_string(),
        "level": sent.level,
    });
    if let Some(tag) = &sent.tag {
        fields["tag"] = json!(&**tag);
    }
    if let Some(id) = &sent.offset_msg_id {
        fields["offsetMsgId"] = json!(&**id);
    }
    fields
}

fn rpc_fields(fields: &RpcFields) -> Value {
    let mut object = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            object.insert(name.to_owned(), value);
        }
    };
    put("topic", fields.topic.as_ref().map(|topic| json!(topic.as_str())));
    put("queueId", fields.queue_id.map(|id| json!(id.0)));
    put("queueOffset", fields.queue_offset.map(|offset| json!(offset.0)));
    put("maxMsgNums", fields.max_msg_nums.map(|number| json!(number)));
    put("sysFlag", fields.sys_flag.map(|flag| json!(flag)));
    put("commitOffset", fields.commit_offset.map(|offset| json!(offset.0)));
    put("offset", fields.physical_offset.map(|offset| json!(offset)));
    put("delayLevel", fields.delay_level.map(|level| json!(level)));
    put("maxReconsumeTimes", fields.max_reconsume_times.map(|times| json!(times)));
    put("originTopic", fields.origin_topic.as_ref().map(|topic| json!(topic.as_str())));
    let body = |queues: &Vec<(TopicName, QueueId)>| {
        json!(json!({ "mqSet": queues_body(queues) }).to_string())
    };
    put("body", fields.queues.as_ref().map(body));
    Value::Object(object)
}

fn rpc_answer(code: &str, answer: &RpcAnswer) -> Value {
    let mut fields = json!({ "code": code, "resp": answer.response });
    if let Some(offset) = answer.offset {
        fields["ext"] = json!({ "offset": offset.0.to_string() });
    }
    let body = match (&answer.members, &answer.locked) {
        (Some(members), _) => Some(json!({ "consumerIdList": texts(members) })),
        (None, Some(locked)) => Some(json!({ "lockOKMQSet": queues_body(locked) })),
        (None, None) => None,
    };
    if let Some(body) = body {
        fields["body"] = json!(body.to_string());
    }
    fields
}

fn queues_body(queues: &[(TopicName, QueueId)]) -> Vec<Value> {
    queues.iter().map(|(topic, id)| json!({ "topic": topic.as_str(), "queueId": id.0 })).collect()
}

fn assigned(queues: &BTreeMap<TopicName, Vec<QueueId>>) -> Value {
    let topic = |(topic, ids): (&TopicName, &Vec<QueueId>)| {
        (topic.to_string(), json!(ids.iter().map(|id| id.0).collect::<Vec<_>>()))
    };
    Value::Object(queues.iter().map(topic).collect())
}

fn process_queue(sample: &ProcessQueueSample) -> Value {
    let mut fields = json!({
        "topic": sample.topic.as_str(),
        "q": sample.queue_id.0,
        "msgCount": sample.msg_count,
        "span": sample.span,
        "memOffset": sample.memory_offset.0,
    });
    if let Some(locked) = sample.locked {
        fields["locked"] = json!(locked);
    }
    fields
}

fn sample_fields(sample: &Sample) -> Value {
    json!({
        "commit": map(&sample.commit),
        "max": map(&sample.max),
        "retryCommit": map(&sample.retry_commit),
        "retryMax": sample.retry_max.0,
        "dlqMax": sample.dlq_max.0,
        "clients": texts(&sample.clients),
    })
}

fn stored(copy: &StoredCopy) -> Value {
    json!({
        "topic": copy.topic.as_str(),
        "queueId": copy.queue_id.0,
        "queueOffset": copy.queue_offset.0,
        "storeTs": copy.stored_at.ms(),
        "bornTs": copy.born_at.ms(),
        "reconsumeTimes": copy.reconsume_times,
        "keys": &*copy.key,
        "props": copy.properties,
    })
}

fn texts(texts: &[Rc<str>]) -> Vec<&str> {
    texts.iter().map(|text| &**text).collect()
}

/// `{"0": 17, ...}`.
fn map<K: Display, V: Copy + Into<Number>>(map: &BTreeMap<K, V>) -> Value {
    let entry = |(key, value): (&K, &V)| (key.to_string(), json!(Into::<Number>::into(*value).0));
    Value::Object(map.iter().map(entry).collect())
}

/// A whole number on its way into JSON.
struct Number(i64);

impl From<crate::model::offset::QueueOffset> for Number {
    fn from(offset: crate::model::offset::QueueOffset) -> Number {
        Number(offset.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::read;
    use super::*;

    #[test]
    fn a_trace_that_was_written_reads_back_the_same() {
        let text = [
            r#"{"ev":"header","scenario":"s","run":"1","version":"4.9.8","topic":"T","topic2":"U","group":"G","queues":4,"broker_accessMessageInMemoryMaxRatio":"0"}"#,
            r#"{"t_ms":1,"ev":"starting","client":"c1","args":{"client":"c1","group":"G","topic":"T","mode":"orderly","from":"LAST","sub":"A","max":"2","sleep":"10"}}"#,
            r#"{"t_ms":2,"ev":"started","client":"c1","clientId":"127.0.0.1@c1"}"#,
            r#"{"t_ms":3,"ev":"sent","topic":"T","queueId":1,"queueOffset":0,"key":"k","act":"sleepfail:8000","level":3,"tag":"A","offsetMsgId":"7F"}"#,
            r#"{"t_ms":4,"ev":"begin","client":"c1","topic":"T","queueId":1,"queueOffset":0,"key":"k","reconsumeTimes":0,"born":3,"store":4}"#,
            r#"{"t_ms":5,"ev":"consumed","client":"c1","topic":"T","queueId":1,"queueOffset":0,"key":"k","reconsumeTimes":0,"result":"SUCCESS","batch":1}"#,
            r#"{"t_ms":6,"ev":"rpc","client":"c1","code":"PULL_MESSAGE","h":{"topic":"T","queueId":1,"queueOffset":1,"maxMsgNums":32,"sysFlag":3,"commitOffset":1}}"#,
            r#"{"t_ms":6,"ev":"rpc","client":"c1","code":"LOCK_BATCH_MQ","h":{"body":"{\"mqSet\":[{\"topic\":\"T\",\"queueId\":2}]}"}}"#,
            r#"{"t_ms":7,"ev":"rpcret","client":"c1","code":"QUERY_CONSUMER_OFFSET","resp":0,"ext":{"offset":"5"}}"#,
            r#"{"t_ms":7,"ev":"assign","client":"c1","queues":{"T":[0,1]}}"#,
            r#"{"t_ms":7,"ev":"pq","client":"c1","topic":"T","q":0,"msgCount":2,"span":1,"memOffset":0,"locked":true}"#,
            r#"{"t_ms":8,"ev":"sample","commit":{"0":1},"max":{"0":2},"retryCommit":{},"retryMax":0,"dlqMax":0,"clients":["127.0.0.1@c1"]}"#,
            r#"{"t_ms":8,"ev":"schedule","scheduleMax":{"3":1},"delayOffset":{}}"#,
            r#"{"t_ms":9,"ev":"stored","topic":"%RETRY%G","queueId":0,"queueOffset":0,"storeTs":7,"bornTs":3,"reconsumeTimes":1,"keys":"k","props":{"DELAY":"3"}}"#,
            r#"{"t_ms":9,"ev":"kill9","client":"c1"}"#,
            r#"{"t_ms":9,"ev":"broker_stop","how":"sigstop"}"#,
            r#"{"t_ms":9,"ev":"set_offset","offset":100000}"#,
        ];
        let trace = read(&text.join("\n")).expect("a trace");
        assert_eq!(read(&write(&trace)).as_ref(), Ok(&trace));
    }
}
