//! 画面上的文字，简体中文。

use std::borrow::Cow;

use super::Language::ZhCn;
use super::format::{clock_short, count, left, span, tenths};
use super::stage::{
    MarkName, PostponeWord, ProcessWord, PullWord, StageText, StageWord, StateWord, StationText,
    WhyText,
};

pub fn say(text: &StageText) -> Cow<'static, str> {
    use StageText as T;
    let words = match text {
        T::Word(word) => return Cow::Borrowed(self::word(*word)),
        T::Name(name) => spoken(name),
        T::Process(word) => return Cow::Borrowed(process(*word)),
        T::Postponed { reason } => return Cow::Borrowed(postponed(*reason)),
        T::State(word) => return Cow::Borrowed(state(*word)),
        T::CallWord { number } => return Cow::Borrowed(call(*number)),
        T::StartStep { step } => return Cow::Borrowed(start_step(*step)),
        T::BrokerQueue { queue } => format!("Broker，{queue}"),
        T::ShelfOf { process } => format!("{process}，本地队列"),
        T::PullAt { place, left: None } => format!("拉取请求：{}", pull_place(*place)),
        T::PullAt { place, left: Some(rest) } => {
            format!("拉取请求：{}，{}", pull_place(*place), left(ZhCn, *rest))
        }
        T::Station(station) => self::station(station),
        T::Why(why) => self::why(why),
        T::ConsumersOfGroup { group } => format!("消费者组 {group}"),
        T::InHand { count } => format!("已拉取未提交 {count}"),
        T::InHandShort { count } => format!("未提交 {count}"),
        T::Lag { count } => format!("堆积 {count} 条"),
        T::LagOldest { count, age } => format!("堆积 {count} 条 · 最久 {}", left(ZhCn, *age)),
        T::Unreported { offset, left: None } => format!("→ {offset}"),
        T::Unreported { offset, left: Some(rest) } => {
            format!("→ {offset}（{}后上报）", left(ZhCn, *rest))
        }
        T::PullEndedWith { offset, process, in_full: false } => format!("{process} 的 P {offset}"),
        T::PullEndedWith { offset, process, in_full: true } => {
            format!("{process} 曾拉到 P {offset}，消息都还在")
        }
        T::ReadBy { process } => format!("由 {process} 消费"),
        T::PullsMade { count: made } => format!("已建 {} 个", count(*made)),
        T::StoreSlower { by } => format!("写入慢 {}", span(ZhCn, *by)),
        T::AsksAgainIn { left: rest } => format!("{}后再请求", left(ZhCn, *rest)),
        T::MoreQueues { count } => format!("另有 {count} 个"),
        T::LeftOf { left: rest, of } => left_of(rest.ms(), of.ms()),
        T::Late { by } => format!("已晚 {}", left(ZhCn, *by)),
        T::UpTo { wait } => format!("… {}", span(ZhCn, *wait)),
        T::Wait { wait } => span(ZhCn, *wait),
        T::Locked { owner, left: rest } => format!("{owner} {}", left(ZhCn, *rest)),
        T::TryShort { nth } => format!("第{nth}次"),
        T::TimeShort { nth } => format!("第{nth}次"),
        T::FailureLevel { failures, level } => format!("失败 {failures} 次：延迟级别 {level}"),
        T::Shelf { queue } => format!("本地队列 {queue}"),
        T::EmptyShelves { queues } => format!("空：{queues}"),
        T::Span { span, limit } => format!("位点跨度 {span}，上限 {limit}"),
        T::CountOf { count, limit } => format!("{count} / {limit}"),
        T::WorkersBusy { busy, size, waiting: 0 } => format!("{busy}/{size} 忙"),
        T::WorkersBusy { busy, size, waiting } => {
            format!("{busy}/{size} 忙 · {} 条等待", count(*waiting))
        }
        T::BusyShort { busy, size } => format!("{busy}/{size}"),
        T::MoreSeats { count } => format!("+{count}"),
        T::Ago { span } => format!("{}前", left(ZhCn, *span)),
        T::Left { left: rest } => left(ZhCn, *rest),
        T::HalfDone { labels } => format!("{labels} 做到一半"),
        T::LastCall { number } => return Cow::Borrowed(last_call(*number)),
        T::NeverReported { queue, offset } => format!("{queue} 的 C {offset}：没来得及上报"),
        T::StepOf { step, of } => format!("第 {step} 步，共 {of} 步"),
        T::To { queue } => format!("去 {queue}"),
        T::In { left: rest } => format!("{}后", left(ZhCn, *rest)),
        T::DelayedLevel { level } => format!("延迟级别 {level}"),
        T::DeliveredNth { times } => format!("第 {times} 次投递"),
    };
    Cow::Owned(words)
}

fn station(text: &StationText) -> String {
    use StationText as S;
    match text {
        S::SentBy { producer } => format!("由 {producer} 发送"),
        S::Enters { number: Some(number), broker } => {
            format!("{}到 {broker}（请求码 {number}）", call(*number))
        }
        S::Enters { number: None, broker } => format!("到达 {broker}"),
        S::InQueue { queue, offset } => format!("在 {queue}，位点 {offset}"),
        S::WithPull { queue } => format!("随挂起的 {queue} 拉取应答返回"),
        S::AtLevel { level, wait } => format!("在延迟级别 {level} 等 {}", span(ZhCn, *wait)),
        S::InDeadLetters { topic } => format!("进入 {topic}，无人消费"),
        S::OnShelf { process, queue, offset } => {
            format!("在 {process} 的本地队列里，{queue}·{offset}")
        }
        S::AtWorker { process, is_past: true } => format!("{process} 消费过一次"),
        S::AtWorker { process, is_past: false } => format!("由 {process} 消费"),
    }
}

fn why(text: &WhyText) -> String {
    use WhyText as W;
    match text {
        W::UntilReported { committed, process, offset, left: rest } => {
            format!("C 停在 {committed}：{}后由 {process} 上报 {offset}。", left(ZhCn, *rest))
        }
        W::BrokerDown { broker, is_killed: true } => {
            format!("{broker} 的进程被杀：不能发，也不能读。")
        }
        W::BrokerDown { broker, is_killed: false } => {
            format!("{broker} 已停止：不能发，也不能读。")
        }
        W::MasterDown { slave } => format!("主节点停了：从节点 {slave} 只能读。"),
        W::OwnerStopped { process } => format!("{process} 已正常停止，队列已让出。"),
        W::OwnerCrashed { process, committed: Some(committed) } => {
            format!("{process} 已崩溃。谁来接手，都从消费位点 C（{committed}）读起。")
        }
        W::OwnerCrashed { process, committed: None } => format!("{process} 已崩溃。"),
        W::OwnerFrozen { process } => format!("它分配给了 {process}，而 {process} 处于冻结状态。"),
        W::BelieverFrozen { process, owner, renewed_at } => format!(
            "冻结中的 {process} 本地仍标记为已加锁；但在 Broker 上，锁归 {owner}（{} 续期）。",
            clock_short(*renewed_at)
        ),
        W::LockOfGoneThenAsked { owner, until, asker, asks_at } => format!(
            "锁还归 {owner}：{} 到期，而 {asker} 要到 {} 才再次请求。",
            clock_short(*until),
            clock_short(*asks_at)
        ),
        W::LockOfGone { owner, left: rest } => {
            format!("锁还归 {owner}，再过 {}才到期：别的消费者不能读。", left(ZhCn, *rest))
        }
        W::HeldBack { done, by } => format!("{done} 也做完了，但位点 {by} 未完成，C 不能越过它。"),
        W::SmallestInOrder { label, nth } => {
            format!(
                "{label} 已是第 {nth} 次消费：顺序消费失败后，队列停一会儿，再来的还是这条，后面的都得等。"
            )
        }
        W::Smallest { offset, process } => {
            format!("位点 {offset} 是 {process} 的最小未完成位点，C 不能越过它。")
        }
        W::AllDone { offset } => format!("位点 {offset} 之前的都已完成或发回，并已提交。"),
        W::NoCommit => "Broker 上还没有这个消费者组的消费位点。".to_owned(),
        W::NamesakesLeaveIt { one, other, client } => format!(
            "这个队列没人消费：{one} 和 {other} 的客户端 ID 都是 {client}，算出的是同一份队列，这一份没人读。换掉一个 ID 才会好。"
        ),
        W::NobodyReads => "没有消费者读这个队列。".to_owned(),
        W::WaitsThenGoes { label, level, topic } => {
            format!("{label} 在延迟级别 {level} 等待，然后进 {topic}")
        }
        W::WaitsForMaster { label, level, broker } => {
            format!("{label} 留在延迟级别 {level}，等 {broker} 重新启动：只有主节点投递延迟消息")
        }
        W::IsDead { label, topic } => format!("{label} 在 {topic} 中，无人消费"),
        W::IsRunning { label, process, nth: 0 | 1 } => format!("{label} 正由 {process} 消费"),
        W::IsRunning { label, process, nth } => {
            format!("{label} 正由 {process} 第 {nth} 次消费")
        }
        W::IsNow { label, state: word } => format!("{label}：{}", state(*word)),
    }
}

const fn word(word: StageWord) -> &'static str {
    use StageWord as W;
    match word {
        W::Stage => "画面",
        W::Producer => "生产者",
        W::Broker => "Broker",
        W::Network => "网络",
        W::NameServer => "NameServer",
        W::Consumers => "消费者",
        W::Log => "日志",
        W::NoLag => "无堆积",
        W::HeldPulls => "挂起",
        W::AwaitsAnswer => "等待应答",
        W::NotHeld => "未挂起",
        W::Older => "更早的",
        W::NoneHandedOver => "交出 0 个",
        W::NoReader => "无人消费",
        W::Empty => "空",
        W::NotUsedHere => "此处不用",
        W::DelayLevels => "延迟级别",
        W::Offsets => "位点表",
        W::Saved => "已保存",
        W::NotSaved => "未落盘",
        W::Unsent => "未上报",
        W::LocalFile => "本地文件",
        W::Reported => "已上报",
        W::Expired => "已过期",
        W::LockTable => "锁表",
        W::CutHere => "断开",
        W::WritesForbidden => "禁写",
        W::Master => "主节点",
        W::Slave => "从节点，只能读",
        W::Renewed => "续期",
        W::LeftHeading => "剩余",
        W::StillAtBroker => "Broker 里都还在",
        W::LockedHere => "本地：已加锁",
        W::NotLockedHere => "本地：未加锁",
        W::Differs => "不一致",
        W::Pull | W::PullShort => "拉取",
        W::Shelves => "本地队列",
        W::ShelfEmpty => "空",
        W::Dropped => "已失效",
        W::SmallestUnfinished => "最小未完成位点",
        W::Workers => "消费线程",
        W::RunsFor => "已运行",
        W::PullThread => "拉取线程",
        W::Rebalance => "重平衡",
        W::Queues => "队列",
        W::Members => "组内消费者",
        W::You => "本消费者",
        W::KeyIsOffset => "键 = 位点",
        W::SecondsRun => "已用秒数",
        W::NothingPlanned => "没有了",
        W::KeyPulled => "已拉取",
        W::KeySaved => "已提交",
        W::KeyNewest => "末尾",
        W::KeyThread => "线程锁",
        W::KeyLock => "锁",
        W::CallLost => "丢失",
        W::CallHeld => "延后",
        W::CallAgain => "第二份",
        W::Refused => "被拒绝",
        W::OneQueue => "队列",
        W::OneMessage => "消息",
        W::WhoOwns => "谁在读",
        W::Owner => "持有者",
        W::Reader => "消费者",
        W::Nobody => "无人",
        W::NothingFollowed => "没有跟随任何消息，请选择一条。",
        W::TwinHeading => "画面的文字说明",
    }
}

/// 图形的名称，供读屏软件使用。
fn spoken(name: &MarkName) -> String {
    use MarkName as N;
    match name {
        N::Queue { label, min, max, committed, pull, lag } => {
            let committed = committed.map_or("无".to_owned(), |offset| offset.to_string());
            let pull = pull.map_or(String::new(), |offset| format!("，下次拉取 {offset}"));
            format!("队列 {label}：位点 {min} 至 {max}，消费位点 {committed}{pull}，堆积 {lag} 条")
        }
        N::Card { label, queue, offset, state: word, failures } => {
            let failures = match failures {
                0 => String::new(),
                n => format!("，已失败 {n} 次"),
            };
            format!("消息 {label}，{queue} 位点 {offset}，{}{failures}", state(*word))
        }
        N::Level { level, wait, cards } => {
            format!("延迟级别 {level}，{}：{cards} 条消息", span(ZhCn, *wait))
        }
        N::DeadLetters { group, count: n } => {
            format!("{group} 的死信队列：{} 条消息", count(*n))
        }
        N::Ledger { owner } => format!("{owner} 的位点表"),
        N::Consumer { label, state } => format!("消费者 {label}，{}", process(*state)),
        N::Pull { queue, offset, place } => {
            format!("拉取请求 {queue}，从位点 {offset} 起，{}", pull_place(*place))
        }
        N::Shelf { process, queue, count: n, span } => {
            format!("{process} 的本地队列 {queue}：{} 条消息，位点跨度 {span}", count(*n))
        }
        N::Worker { index, holds } => match holds {
            Some(label) => format!("消费线程 {}：正在消费 {label}", index + 1),
            None => format!("消费线程 {}：空闲", index + 1),
        },
        N::Call { number, from, to } => {
            format!("请求码 {number}：{}，从 {from} 到 {to}", call(*number))
        }
        N::Log { count: n } => format!("CommitLog，{} 条记录", count(*n)),
        N::Lock { queue, owner } => format!("{queue} 的锁，持有者 {owner}"),
        N::Rebalance { process } => format!("{process} 的重平衡"),
        N::Station { number, label } => format!("{label} 的第 {number} 站"),
    }
}

/// `还剩 23.8 秒`.
fn left_of(rest_ms: u64, of_ms: u64) -> String {
    use crate::model::time::Millis;
    match of_ms {
        0..60_000 => format!("还剩 {} 秒", tenths(Millis(rest_ms))),
        60_000..3_600_000 => {
            format!("还剩 {}:{:02}", rest_ms / 60_000, rest_ms / 1_000 % 60)
        }
        _ => format!("还剩 {}.{} 小时", rest_ms / 3_600_000, rest_ms / 360_000 % 10),
    }
}

const fn state(word: StateWord) -> &'static str {
    match word {
        StateWord::Stored => "已存储",
        StateWord::Waiting => "待消费",
        StateWord::Running => "消费中",
        StateWord::Done => "成功",
        StateWord::Failed => "失败",
        StateWord::SentBack => "已发回",
        StateWord::Delayed => "延迟中",
        StateWord::LocalRetry => "本地重试",
        StateWord::Again => "再次投递",
        StateWord::Dead => "死信",
        StateWord::Lost => "随进程消失",
    }
}

const fn process(word: ProcessWord) -> &'static str {
    match word {
        ProcessWord::NotStarted => "未启动",
        ProcessWord::Starting => "启动中",
        ProcessWord::Running => "运行中",
        ProcessWord::Stopping => "停止中",
        ProcessWord::Stopped => "已停止",
        ProcessWord::Crashed => "已崩溃",
        ProcessWord::Frozen => "已冻结",
        ProcessWord::Down => "已停机",
        ProcessWord::Killed => "进程被杀",
    }
}

pub const fn postponed(word: PostponeWord) -> &'static str {
    match word {
        PostponeWord::Count => "条数超限",
        PostponeWord::Size => "大小超限",
        PostponeWord::Span => "跨度超限",
        PostponeWord::NotLocked => "未加锁",
        PostponeWord::Error => "出错",
        PostponeWord::Paused => "暂停",
        PostponeWord::NoSubscription => "无订阅",
        PostponeWord::Interval => "间隔",
    }
}

const fn pull_place(word: PullWord) -> &'static str {
    match word {
        PullWord::InPass => "已建好，还没交出",
        PullWord::Belt => "在 PullRequestQueue 中",
        PullWord::Seat => "由拉取线程发送",
        PullWord::Away => "等待应答",
        PullWord::Bench => "已被 Broker 挂起",
        PullWord::Postponed => "暂缓拉取",
    }
}

/// 牌子上的短词，宽不超过 88。
const fn call(number: u16) -> &'static str {
    match number {
        10 | 310 => "发送",
        11 => "拉取",
        14 => "查消费位点",
        15 => "上报位点",
        29 => "查位点",
        30 => "查最大位点",
        34 => "心跳",
        35 => "注销",
        36 => "发回",
        38 => "查消费者",
        40 => "消费者变更",
        41 => "加锁",
        42 => "解锁",
        43 => "同步位点",
        103 => "注册",
        46 => "检查过滤",
        105 => "查路由",
        220 => "重置位点",
        _ => "调用",
    }
}

/// 进程结束前还做的事。
const fn last_call(number: u16) -> &'static str {
    match number {
        42 => "已解锁",
        15 => "已上报位点",
        _ => "已注销",
    }
}

const fn start_step(step: u8) -> &'static str {
    match step {
        1 => "检查是否新建",
        2 => "检查配置",
        3 => "复制订阅关系",
        4 => "设定实例名",
        5 => "取得客户端实例",
        6 => "准备重平衡",
        7 => "加载位点存储",
        8 => "启动消费服务",
        9 => "注册消费者组",
        10 => "启动客户端实例",
        11 => "状态：RUNNING",
        12 => "查路由，请求码 105",
        13 => "检查过滤，请求码 46",
        14 => "心跳，请求码 34",
        15 => "触发重平衡",
        _ => "启动",
    }
}
