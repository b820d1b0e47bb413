//! Commands in Chinese.

use std::borrow::Cow;

use super::Language::ZhCn;
use super::command::CommandText;
use super::event::Who;
use super::format::{clock_short, span};
use crate::model::listener::{ListenerBehavior, ListenerResult, ListenerScript};

pub fn say(command: &CommandText) -> Cow<'static, str> {
    use CommandText as C;
    let words = match command {
        C::Unknown => "某个操作".to_owned(),
        C::Send { count: 1, label: Some(label) } => format!("发送 {label}"),
        C::Send { count: 1, label: None } => "发送一条消息".to_owned(),
        C::Send { count, label: Some(label) } => format!("从 {label} 起发送 {count} 条消息"),
        C::Send { count, label: None } => format!("发送 {count} 条消息"),
        C::StartProducer { client } => format!("启动生产者 {client}"),
        C::StopProducer { client } => format!("停止生产者 {client}"),
        C::StartConsumer { client } => format!("启动 {client}"),
        C::StopConsumer { client } => format!("正常停止 {client}"),
        C::Crash { client } => format!("杀 {client} 的进程"),
        C::LoseHost { client } => format!("让 {client} 的主机断电"),
        C::Freeze { name, span: Some(time) } => format!("冻结 {name} {}", span(ZhCn, *time)),
        C::Freeze { name, span: None } => format!("冻结 {name}"),
        C::Resume { name } => format!("解除 {name} 的冻结"),
        C::Subscribe { client, topic, expression } => {
            format!("{client} 订阅 {topic}，标签为 {expression}")
        }
        C::Unsubscribe { client, topic } => format!("{client} 取消订阅 {topic}"),
        C::SetListener { client, listener } => {
            format!("更换 {client} 的监听器：{}", self::listener(listener))
        }
        C::SetOnInterrupt { client } => format!("改变 {client} 的监听器被中断时的行为"),
        C::PausePulling { client } => format!("暂停 {client} 的拉取"),
        C::ResumePulling { client } => format!("恢复 {client} 的拉取"),
        C::SetProperty { client, name, value } => format!("把 {client} 的 {name} 改为 {value}"),
        C::SkewClock { client, by, is_ahead } => {
            let side = if *is_ahead { "快" } else { "慢" };
            format!("{client} 的时钟{side} {}", span(ZhCn, *by))
        }
        C::SkipHeartbeat { client } => format!("{client} 跳过下一次心跳"),
        C::HalfOpen { client } => format!("{client} 的连接断开，只有 {client} 自己知道"),
        other => return at_brokers(other),
    };
    Cow::Owned(words)
}

fn at_brokers(command: &CommandText) -> Cow<'static, str> {
    use CommandText as C;
    let who = |who: &Who| who.say(ZhCn);
    Cow::Owned(match command {
        C::CreateTopic { topic, queues } => format!("创建 {topic}，{queues} 个队列"),
        C::UpdateTopic { topic, queues } => format!("把 {topic} 改为 {queues} 个队列"),
        C::StopBroker { broker, is_kill: false } => format!("停止 {broker}"),
        C::StopBroker { broker, is_kill: true } => format!("杀 {broker} 的进程"),
        C::StartBroker { broker } => format!("启动 {broker}"),
        C::Writable { broker, is_writable: false } => format!("禁止写入 {broker}"),
        C::Writable { broker, is_writable: true } => format!("恢复 {broker} 可写"),
        C::SlowStore { broker, by } => format!("{broker} 每次写入多花 {}", span(ZhCn, *by)),
        C::ExpireHead { topic, queue_id, offset } => {
            format!("{topic} 的队列 {queue_id} 中 {offset} 之前的消息过期删除")
        }
        C::FirstInMemory { broker, is_in_memory: true } => format!("{broker} 最早的消息在内存中"),
        C::FirstInMemory { broker, is_in_memory: false } => {
            format!("{broker} 最早的消息只在磁盘上")
        }
        C::UpdateGroup { group, retry_queues } => {
            format!("把消费者组 {group} 的 retryQueueNums 改为 {retry_queues}")
        }
        C::StopNameServer => "停止 NameServer".to_owned(),
        C::StartNameServer => "启动 NameServer".to_owned(),
        C::Partition { a, b, is_one_way: false } => {
            format!("切断 {} 与 {} 之间的网络", who(a), who(b))
        }
        C::Partition { a, b, is_one_way: true } => {
            format!("切断从 {} 到 {} 的网络", who(a), who(b))
        }
        C::Heal { a, b } => format!("恢复 {} 与 {} 之间的网络", who(a), who(b)),
        C::Latency { a, b, from, to } => {
            let (from, to) = (span(ZhCn, *from), span(ZhCn, *to));
            format!("{} 与 {} 之间的延迟为 {from} 到 {to}", who(a), who(b))
        }
        C::DropNext { a, b, count, number, only_answers: false } => {
            format!("丢弃 {} 发往 {} 的接下来 {count} 个请求（请求码 {number}）", who(a), who(b))
        }
        C::DropNext { a, b, count, number, only_answers: true } => {
            format!(
                "丢弃 {} 对 {} 的接下来 {count} 个请求（请求码 {number}）的应答",
                who(b),
                who(a)
            )
        }
        C::DuplicateNext { a, b, count, number, only_answers } => {
            format!("让{}各到达两次", next(who(a), who(b), *count, *number, *only_answers))
        }
        C::ReorderNext { a, b, count, number, only_answers } => {
            format!("让{}被后一个超过", next(who(a), who(b), *count, *number, *only_answers))
        }
        C::ResetOffset { topic, to } => {
            format!("把 {topic} 的消费位点重置到 {}", clock_short(*to))
        }
        C::SetOffset { topic, queue_id, offset } => {
            format!("把 {topic} 队列 {queue_id} 的 C 设为 {offset}")
        }
        // Said by `say`.
        _ => String::new(),
    })
}

/// ` c1 发往 broker-a 的接下来 3 个请求（请求码 11）`，前面带空格。
fn next(
    a: impl std::fmt::Display,
    b: impl std::fmt::Display,
    count: u32,
    number: Option<u16>,
    only_answers: bool,
) -> String {
    let number = number.map_or(String::new(), |number| format!("（请求码 {number}）"));
    match only_answers {
        false => format!(" {a} 发往 {b} 的接下来 {count} 个请求{number}"),
        true => format!(" {b} 对 {a} 的接下来 {count} 个应答{number}"),
    }
}

/// `失败 2 次后成功，每次 1 秒；B：一直不返回`。
fn listener(listener: &ListenerBehavior) -> String {
    let mut parts = vec![script(&listener.default_script)];
    parts.extend(
        listener.by_key.iter().map(|(key, own)| format!("{}：{}", key.as_str(), script(own))),
    );
    parts.join("；")
}

fn script(script: &ListenerScript) -> String {
    let (first, steps) = (script.step(0), script.steps());
    let times = steps.iter().take_while(|step| step.result == first.result).count();
    let takes = span(ZhCn, first.takes);
    match steps.get(times) {
        None => format!("{}，每次 {takes}", result(first.result)),
        Some(next) => {
            format!("{} {times} 次后{}，每次 {takes}", result(first.result), result(next.result))
        }
    }
}

const fn result(result: ListenerResult) -> &'static str {
    match result {
        ListenerResult::Success => "成功",
        ListenerResult::Later => "失败",
        ListenerResult::Throws => "抛异常",
        ListenerResult::Null => "返回 null",
        ListenerResult::Never => "一直不返回",
        ListenerResult::Commit => "提交",
        ListenerResult::Rollback => "回滚",
    }
}
