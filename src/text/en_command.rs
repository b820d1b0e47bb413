//! Commands in English.

use std::borrow::Cow;

use super::Language::En;
use super::command::CommandText;
use super::event::Who;
use super::format::{clock_short, span};
use crate::model::listener::{ListenerBehavior, ListenerResult, ListenerScript};

pub fn say(command: &CommandText) -> Cow<'static, str> {
    use CommandText as C;
    let words = match command {
        C::Unknown => "something".to_owned(),
        C::Send { count: 1, label: Some(label) } => format!("send {label}"),
        C::Send { count: 1, label: None } => "send a message".to_owned(),
        C::Send { count, label: Some(label) } => format!("send {count} messages from {label} on"),
        C::Send { count, label: None } => format!("send {count} messages"),
        C::StartProducer { client } => format!("start producer {client}"),
        C::StopProducer { client } => format!("stop producer {client}"),
        C::StartConsumer { client } => format!("start {client}"),
        C::StopConsumer { client } => format!("stop {client}"),
        C::Crash { client } => format!("crash {client}"),
        C::LoseHost { client } => format!("lose the host of {client}"),
        C::Freeze { name, span: Some(time) } => format!("freeze {name} for {}", span(En, *time)),
        C::Freeze { name, span: None } => format!("freeze {name}"),
        C::Resume { name } => format!("let {name} go on"),
        C::Subscribe { client, topic, expression } => {
            format!("{client} subscribes to {topic}, tags {expression}")
        }
        C::Unsubscribe { client, topic } => format!("{client} unsubscribes from {topic}"),
        C::SetListener { client, listener } => {
            format!("change the listener of {client}: {}", self::listener(listener))
        }
        C::SetOnInterrupt { client } => {
            format!("change what the listener of {client} does when it is interrupted")
        }
        C::PausePulling { client } => format!("pause the pulling of {client}"),
        C::ResumePulling { client } => format!("resume the pulling of {client}"),
        C::SetProperty { client, name, value } => format!("set {name} of {client} to {value}"),
        C::SkewClock { client, by, is_ahead } => {
            let side = if *is_ahead { "ahead" } else { "behind" };
            format!("the clock of {client} runs {} {side}", span(En, *by))
        }
        C::SkipHeartbeat { client } => format!("{client} skips its next heartbeat"),
        C::HalfOpen { client } => {
            format!("the connections of {client} break, and only {client} notices")
        }
        other => return at_brokers(other),
    };
    Cow::Owned(words)
}

fn at_brokers(command: &CommandText) -> Cow<'static, str> {
    use CommandText as C;
    let who = |who: &Who| who.say(En);
    Cow::Owned(match command {
        C::CreateTopic { topic, queues } => format!("create {topic} with {queues} queues"),
        C::UpdateTopic { topic, queues } => format!("{topic} has {queues} queues from now on"),
        C::StopBroker { broker, is_kill: false } => format!("stop {broker}"),
        C::StopBroker { broker, is_kill: true } => format!("kill {broker}"),
        C::StartBroker { broker } => format!("start {broker}"),
        C::Writable { broker, is_writable: false } => format!("forbid writes at {broker}"),
        C::Writable { broker, is_writable: true } => format!("allow writes at {broker}"),
        C::SlowStore { broker, by } => {
            format!("every append at {broker} takes {} more", span(En, *by))
        }
        C::ExpireHead { topic, queue_id, offset } => {
            format!("delete the oldest of queue {queue_id} of {topic}, up to offset {offset}")
        }
        C::FirstInMemory { broker, is_in_memory: true } => {
            format!("the first messages of {broker} are in memory")
        }
        C::FirstInMemory { broker, is_in_memory: false } => {
            format!("the first messages of {broker} are on disk only")
        }
        C::UpdateGroup { group, retry_queues } => {
            format!("group {group} has retryQueueNums {retry_queues} from now on")
        }
        C::StopNameServer => "stop the NameServer".to_owned(),
        C::StartNameServer => "start the NameServer".to_owned(),
        C::Partition { a, b, is_one_way: false } => {
            format!("cut the network between {} and {}", who(a), who(b))
        }
        C::Partition { a, b, is_one_way: true } => {
            format!("cut the network from {} to {}", who(a), who(b))
        }
        C::Heal { a, b } => format!("mend the network between {} and {}", who(a), who(b)),
        C::Latency { a, b, from, to } => {
            let (from, to) = (span(En, *from), span(En, *to));
            format!("{from} to {to} of latency between {} and {}", who(a), who(b))
        }
        C::DropNext { a, b, count, number, only_answers } => {
            format!("lose {}", next(who(a), who(b), *count, Some(*number), *only_answers))
        }
        C::DuplicateNext { a, b, count, number, only_answers } => {
            format!("deliver {} twice", next(who(a), who(b), *count, *number, *only_answers))
        }
        C::ReorderNext { a, b, count, number, only_answers } => {
            format!(
                "let {} be passed by what follows",
                next(who(a), who(b), *count, *number, *only_answers)
            )
        }
        C::ResetOffset { topic, to } => {
            format!("reset the offsets of {topic} to {}", clock_short(*to))
        }
        C::SetOffset { topic, queue_id, offset } => {
            format!("set C of queue {queue_id} of {topic} to {offset}")
        }
        // Said by `say`.
        _ => String::new(),
    })
}

/// `the next 3 requests 11 from c1 to broker-a`.
fn next(
    a: impl std::fmt::Display,
    b: impl std::fmt::Display,
    count: u32,
    number: Option<u16>,
    only_answers: bool,
) -> String {
    let (count, plural) = match count {
        1 => (String::new(), ""),
        count => (format!(" {count}"), "s"),
    };
    match (only_answers, number) {
        (false, Some(code)) => format!("the next{count} request{plural} {code} from {a} to {b}"),
        (false, None) => format!("the next{count} request{plural} from {a} to {b}"),
        (true, Some(code)) => {
            format!("the next{count} answer{plural} of {b} to request {code} of {a}")
        }
        (true, None) => format!("the next{count} answer{plural} of {b} to {a}"),
    }
}

/// `fails 2 times, then succeeds, 1 s a call; B: never returns`.
fn listener(listener: &ListenerBehavior) -> String {
    let mut parts = vec![script(&listener.default_script)];
    parts.extend(
        listener.by_key.iter().map(|(key, own)| format!("{}: {}", key.as_str(), script(own))),
    );
    parts.join("; ")
}

fn script(script: &ListenerScript) -> String {
    let (first, steps) = (script.step(0), script.steps());
    let times = steps.iter().take_while(|step| step.result == first.result).count();
    let takes = span(En, first.takes);
    match steps.get(times) {
        None => format!("{}, {takes} a call", result(first.result)),
        Some(next) => {
            let times = if times == 1 { "once".to_owned() } else { format!("{times} times") };
            format!(
                "{} {times}, then {}, {takes} a call",
                result(first.result),
                result(next.result)
            )
        }
    }
}

const fn result(result: ListenerResult) -> &'static str {
    match result {
        ListenerResult::Success => "succeeds",
        ListenerResult::Later => "fails",
        ListenerResult::Throws => "throws",
        ListenerResult::Null => "returns null",
        ListenerResult::Never => "never returns",
        ListenerResult::Commit => "commits",
        ListenerResult::Rollback => "rolls back",
    }
}
