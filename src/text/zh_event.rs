//! 发生了什么，简体中文。

use std::borrow::Cow;

use super::Language::ZhCn;
use super::event::{
    AnswerText, AskText, DropWord, EventText, LeaveWord, LimitWord, LossWord, PulledWord,
    PutOffWord, RefusalText,
};
use super::format::clock_short;
use super::stage::StageText;

#[expect(clippy::too_many_lines, reason = "一种一句的表")]
pub fn say(text: &EventText) -> Cow<'static, str> {
    use EventText as T;
    let words = match text {
        T::Asked(command) => return command.say(ZhCn),
        T::Refused(reason) => format!("无法执行：{}", refusal(reason)),
        T::LimitReached(limit) => format!("本次运行到此为止：{}", self::limit(*limit)),
        T::Asks(ask) => return self::ask(ask),
        T::Answers { code } => format!("应答 {} {}", code.number, code.name),
        T::GotAnswer { code, brought } => {
            format!("收到应答 {} {}{}", code.number, code.name, answer(brought))
        }
        T::Lost(why) => format!("丢失：{}", loss(*why)),
        T::Repeated { at } => format!("变成两份：第二份 {} 到达", clock_short(*at)),
        T::HeldBack { until } => {
            format!("被延后，等后一个先过去，最迟到 {}", clock_short(*until))
        }
        T::Passed => "后一个已经先过去，它接着走".to_owned(),
        T::Unmatched { code } => {
            format!("丢弃应答 {} {}：已没有请求在等它", code.number, code.name)
        }
        T::TopicCreated { queues } => format!("创建主题，{queues} 个队列"),
        T::Stored { physical } => format!("写入 CommitLog，物理位点 {physical}"),
        T::StoredDelayed { level } => format!("写入 SCHEDULE_TOPIC_XXXX，延迟级别 {level}"),
        T::Appended { offset } => format!("进入 ConsumeQueue，位点 {offset}，从此可被拉取"),
        T::Held { offset, until } => {
            format!("位点 {offset} 还没有消息：拉取请求挂起到 {}", clock_short(*until))
        }
        T::Woken { by_arrival: true } => "新消息到达，唤醒挂起的拉取请求".to_owned(),
        T::Woken { by_arrival: false } => "挂起时间已到，应答拉取请求".to_owned(),
        T::Committed { from, to, by_pull } => {
            let how = if *by_pull { "，拉取时顺带上报" } else { "" };
            format!("消费位点 C {} → {to}{how}", old(*from))
        }
        T::Registered { client } => format!("{client} 加入消费者组"),
        T::Left { client, why } => format!("{client} 离开消费者组：{}", leave(*why)),
        T::Retried { failures, level, until } => {
            let until = until.map_or(String::new(), |at| format!("，到 {}", clock_short(at)));
            format!("第 {failures} 次失败：存入延迟级别 {level}{until}")
        }
        T::DelayElapsed { level, to } => format!("延迟级别 {level} 到期，转入 {to}"),
        T::LockGranted { client, is_renewed: false } => format!("加锁成功，归 {client}"),
        T::LockGranted { client, is_renewed: true } => format!("{client} 的锁已续期"),
        T::LockRefused { client, owner } => format!("{client} 加锁被拒：锁归 {owner}"),
        T::LockReleased { client } => format!("{client} 释放锁"),
        T::StepDone { step } => {
            let name = super::zh_stage::say(&StageText::StartStep { step: *step });
            format!("start() 第 {step} 步，共 15 步：{name}")
        }
        T::StartFailed(reason) => format!("启动失败：{}", refusal(reason)),
        T::Frozen { until: Some(at) } => format!("进程冻结，到 {}", clock_short(*at)),
        T::Frozen { until: None } => "进程冻结".to_owned(),
        T::RouteChanged { queues } => format!("路由更新：{queues} 个队列"),
        T::Allocated { queues, members, mine } => {
            format!("{queues} 个队列分给 {members} 个消费者：本消费者分到 {mine}")
        }
        T::Assigned { next } => format!("分配给本消费者，从位点 {next} 开始拉取"),
        T::Dropped(why) => format!("本地队列失效：{}", dropped(*why)),
        T::PutOff { why, until } => {
            format!("暂缓拉取，到 {}：{}", clock_short(*until), put_off(*why))
        }
        T::PullFound { found, kept, next } if found == kept => {
            format!("拉到 {found} 条，下次从位点 {next} 起")
        }
        T::PullFound { found, kept, next } => {
            format!("拉到 {found} 条，标签过滤后留 {kept} 条，下次从位点 {next} 起")
        }
        T::PullFoundNothing(why) => return Cow::Borrowed(pulled(*why)),
        T::Cached { first, count } => format!("{} 放入本地队列", offsets(*first, *count)),
        T::Queued { first, count } => format!("{} 排队等待消费线程", offsets(*first, *count)),
        T::Delivered { thread, nth: 1 } => format!("交给消费线程 {}", thread + 1),
        T::Delivered { thread, nth } => format!("第 {nth} 次投递，交给消费线程 {}", thread + 1),
        T::Succeeded { result } => format!("消费成功（{result}）"),
        T::Failed { result, failures } => format!("第 {failures} 次消费失败（{result}）"),
        T::Interrupted { thread } => format!("消费线程 {} 被中断", thread + 1),
        T::Removed { first, count } => format!("{} 移出本地队列", offsets(*first, *count)),
        T::KeptLocally { until } => {
            format!("留在本地，{} 再次消费，不经过 Broker", clock_short(*until))
        }
        T::Suspended { until } => {
            format!("队列暂停到 {}，然后再次消费同一条消息", clock_short(*until))
        }
        T::OffsetMoved { from, to } => {
            format!("最小未完成位点 {} → {to}，尚未上报", old(*from))
        }
        fixed => return Cow::Borrowed(self::fixed(fixed)),
    };
    Cow::Owned(words)
}

/// 不带参数的句子。
const fn fixed(text: &EventText) -> &'static str {
    use EventText as T;
    match text {
        T::NoAnswer => "超时，没有应答",
        T::CallFailed => "调用失败：对方未监听，或连接已关闭",
        T::Connected => "建立连接",
        T::Disconnected => "连接关闭",
        T::SendAsked => "应用调用 send()",
        T::SendSucceeded => "发送成功：SEND_OK",
        T::SendFailed => "发送失败，应用收到异常",
        T::BrokerStarted => "已启动",
        T::BrokerStopped { is_killed: false } => "已正常停止，数据都已落盘",
        T::BrokerStopped { is_killed: true } => "进程被杀：只在内存里的数据没了",
        T::SubscriptionReplaced => "消费者组的订阅关系已换成较新的",
        T::DeadLettered { is_delayed: false } => "重试次数用尽，进入死信队列",
        T::DeadLettered { is_delayed: true } => "重试次数用尽，再延迟一次后进入死信队列",
        T::Discarded => "丢弃：消费者组没有重试队列",
        T::Starting => "调用 start()",
        T::Started => "start() 完成",
        T::Stopping => "调用 shutdown()",
        T::Stopped => "已关闭",
        T::Crashed => "进程被杀：内存全部丢失，系统关闭其连接",
        T::HostLost => "主机断电，连接没有关闭",
        T::Resumed => "解除冻结，积下的事情现在发生",
        T::HeartbeatSkipped => "已有心跳在途，本次跳过",
        T::RebalanceBegan => "开始重平衡",
        T::RebalanceEnded { is_balanced: true } => "重平衡完成，分配已一致",
        T::RebalanceEnded { is_balanced: false } => "重平衡完成，分配尚未一致",
        T::Released => "从本消费者的队列列表中移除",
        T::PullEnded => "拉取请求终止：本地队列已失效",
        T::ResultIgnored => "消费结果不算数：本地队列已失效",
        T::SentBack { by_fallback: false } => "发回成功，Broker 已另存副本",
        T::SentBack { by_fallback: true } => "由客户端内部生产者直接发到重试队列",
        T::SendBackFailed => "发回失败，直接发到重试队列也失败",
        T::FailureDropped => "消费失败；广播消费不重试",
        T::Expired => "超过 consumeTimeout，发回 Broker",
        T::CleanerDied => "过期消息清理任务因异常终止",
        T::DeadLetterSent => "次数用尽，发往死信队列",
        T::Believes { is_locked: true } => "本地标记为已加锁",
        T::Believes { is_locked: false } => "本地标记为未加锁",
        T::OffsetReset => "消费位点被重置",
        _ => "",
    }
}

/// 为何不能做；提示中也用。
pub fn refusal(reason: &RefusalText) -> String {
    use RefusalText as R;
    match reason {
        R::NoClient { client } => format!("没有运行中的客户端 {client}"),
        R::NoBroker { broker } => format!("没有 Broker {broker}"),
        R::NoTopic { topic } => format!("没有主题 {topic}"),
        R::NoQueue { topic, queue_id } => format!("主题 {topic} 没有队列 {queue_id}"),
        R::NoGroup { client, group } => format!("{client} 没有消费者组 {group} 的消费者"),
        R::GroupExists { group } => format!("该客户端实例中已有消费者组 {group}"),
        R::BrokerRuns { broker } => format!("{broker} 已在运行"),
        R::BrokerDown { broker } => format!("{broker} 没有运行"),
        R::Frozen { client } => format!("{client} 已被冻结"),
        R::BadConfig { words } => format!("配置不被接受：{words}"),
        R::NotChangeable { property } => format!("{property} 现在不能修改"),
        R::NotYet { what } => format!("尚未实现：{what}"),
    }
}

fn ask(ask: &AskText) -> Cow<'static, str> {
    let words = match ask {
        AskText::Send => "发出",
        AskText::StoredOffset => "查询消费位点",
        AskText::OffsetByTime => "按时间查询位点",
        AskText::MaxOffset => "查询最大位点",
        AskText::Heartbeat => "发送心跳",
        AskText::SignOff => "注销",
        AskText::SendBack => "发回 Broker",
        AskText::Members => "查询组内消费者",
        AskText::MembersChanged => "通知消费者变更",
        AskText::RegisterBroker => "注册主题",
        AskText::ResetOffset => "被要求重置位点",
        AskText::Copy => "同步主节点的数据",
        AskText::Pull { offset, commit: None } => {
            return Cow::Owned(format!("从位点 {offset} 起拉取"));
        }
        AskText::Pull { offset, commit: Some(commit) } => {
            return Cow::Owned(format!("从位点 {offset} 起拉取，顺带上报 C {commit}"));
        }
        AskText::ReportOffset { offset } => {
            return Cow::Owned(format!("上报消费位点 {offset}"));
        }
        AskText::Lock { queues } => return Cow::Owned(format!("请求 {queues} 个队列的锁")),
        AskText::Unlock { queues } => return Cow::Owned(format!("释放 {queues} 个队列的锁")),
        AskText::Route { topic } => return Cow::Owned(format!("查询 {topic} 的路由")),
    };
    Cow::Borrowed(words)
}

fn answer(brought: &AnswerText) -> String {
    match brought {
        AnswerText::Plain => String::new(),
        AnswerText::Offset { offset } => format!("：{offset}"),
        AnswerText::Members { members } => format!("：{members}"),
        AnswerText::Granted { queues } => format!("：持有 {queues} 个队列的锁"),
        AnswerText::Pulled { found, next } => format!("：{found} 条，下次从位点 {next} 起"),
    }
}

const fn limit(limit: LimitWord) -> &'static str {
    match limit {
        LimitWord::Events => "最多两百万个事件",
        LimitWord::VirtualTime => "最多 24 小时",
        LimitWord::Messages => "最多一百万条消息",
    }
}

const fn loss(why: LossWord) -> &'static str {
    match why {
        LossWord::Partition => "网络被切断",
        LossWord::Dropped => "途中丢弃",
        LossWord::NobodyListens => "对方未监听",
        LossWord::ConnectionClosed => "连接已关闭",
    }
}

const fn leave(why: LeaveWord) -> &'static str {
    match why {
        LeaveWord::SignedOff => "主动注销",
        LeaveWord::ConnectionClosed => "连接关闭",
        LeaveWord::Idle => "连接空闲太久",
        LeaveWord::NoHeartbeat => "太久没有心跳",
    }
}

const fn dropped(why: DropWord) -> &'static str {
    match why {
        DropWord::Rebalance => "队列分给了别的消费者",
        DropWord::PullExpired => "两分钟没有拉取",
        DropWord::NotSubscribed => "不再订阅该主题",
        DropWord::OffsetIllegal => "Broker 判定位点非法",
        DropWord::OffsetReset => "位点被重置",
        DropWord::Shutdown => "停止",
    }
}

pub const fn put_off(why: PutOffWord) -> &'static str {
    match why {
        PutOffWord::NotRunning => "消费者未运行",
        PutOffWord::Paused => "拉取已暂停",
        PutOffWord::Count => "缓存条数超限",
        PutOffWord::Size => "缓存大小超限",
        PutOffWord::Span => "位点跨度超限",
        PutOffWord::NotLocked => "队列未加锁",
        PutOffWord::NoSubscription => "未订阅该主题",
        PutOffWord::Error => "上次拉取失败",
    }
}

const fn pulled(why: PulledWord) -> &'static str {
    match why {
        PulledWord::Nothing => "没有新消息",
        PulledWord::NothingMatches => "没有匹配标签的消息",
        PulledWord::OffsetIllegal => "Broker 判定位点非法",
    }
}

fn offsets(first: i64, count: u32) -> String {
    match count {
        0 | 1 => format!("位点 {first}"),
        count => format!("位点 {first} 至 {}", first + i64::from(count) - 1),
    }
}

fn old(offset: i64) -> String {
    if offset < 0 { "无".to_owned() } else { offset.to_string() }
}
