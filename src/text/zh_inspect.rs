//! 查看面板，简体中文。

use super::Language::ZhCn;
use super::format::{clock_short, count, span};
use super::inspect::{AfterFailure, InspectText, InspectWord, JourneyText};
use super::stage::StageText;

pub fn say(text: &InspectText) -> String {
    use InspectText as T;
    match text {
        T::NameServer => "NameServer".to_owned(),
        T::Producer { label } => format!("生产者 {label}"),
        T::Broker { name } => format!("Broker {name}"),
        T::CommitLog { broker } => format!("{broker} 的 CommitLog"),
        T::Queue { label, topic } => format!("{label} · {topic} 的队列"),
        T::Message { label, state: _, level: Some(level) } => format!("{label} · 延迟级别 {level}"),
        T::Message { label, state, level: None } => {
            format!("{label} · {}", stage(StageText::State(*state)))
        }
        T::Level { level, wait } => format!("延迟级别 {level} · {}", span(ZhCn, *wait)),
        T::DeadLetters { group } => format!("%DLQ%{group} · 死信队列"),
        T::BrokerLedger { broker } => format!("{broker} 的位点表"),
        T::Lock { queue, owner } => format!("{queue} 的锁 · 持有者 {owner}"),
        T::Call { number, name } => format!("请求码 {number} · {name}"),
        T::Consumer { label, state } => {
            format!("消费者 {label} · {}", stage(StageText::Process(*state)))
        }
        T::Pull { queue, next } => format!("拉取请求 {queue}→{next}"),
        T::Shelf { queue, process } => format!("{process} 的本地队列 {queue}"),
        T::Belief { queue, process } => format!("{process} 本地记录的 {queue} 的锁"),
        T::Requests { process } => format!("{process} 中排队的 ConsumeRequest"),
        T::Worker { process, index } => format!("{process} 的消费线程 {}", index + 1),
        T::ConsumerLedger { process } => format!("{process} 的位点表"),
        T::Rebalance { process } => format!("{process} 的重平衡"),
        T::Gone => "此刻它不存在".to_owned(),
        T::TriesFailed { failures, tries } => format!("{tries} 次中已失败 {failures} 次"),
        T::TriesFailedForever { failures } => format!("已失败 {failures} 次"),
        _ => why(text),
    }
}

fn why(text: &InspectText) -> String {
    use InspectText as T;
    match text {
        T::WhyStored => "还没有拉取到这个位点。".to_owned(),
        T::WhyNobodyReads => "它的队列现在没有消费者。".to_owned(),
        T::WhyWaitsForThread { busy } => {
            format!("已拉到本地队列；{busy} 个消费线程都在忙，它在排队。")
        }
        T::WhyWaits => "已拉到本地队列，在等空闲的消费线程。".to_owned(),
        T::WhyRunning { process, nth, then } => {
            let again = if *nth > 1 { format!("（第 {nth} 次）") } else { String::new() };
            let then = after_failure(then);
            format!("{process} 的一个消费线程正在调用监听器处理它{again}，还没返回。{then}")
        }
        T::WhyDone => "监听器返回成功，它已移出本地队列。".to_owned(),
        T::WhyFailed => "监听器返回失败；消费线程正在把它发回 Broker，等待应答。".to_owned(),
        T::WhySentBack => {
            "它消费失败，Broker 已另存副本，稍后重试。这一条算处理完，C 可以越过它。".to_owned()
        }
        T::WhyDelayed { failures, level, wait } => format!(
            "它失败了 {failures} 次，所以在延迟级别 {level}（{}）等待。每失败一次升一级。",
            span(ZhCn, *wait)
        ),
        T::WhyAskedDelay { level } => format!("生产者发送时要求延迟级别 {level}。"),
        T::WhyLocalRetry => {
            "发不回 Broker，消费者自己留着，5 秒后再消费。在此之前 C 不能越过它。".to_owned()
        }
        T::WhyDead { tries } => format!("{tries} 次全部失败。死信队列没有消费者读。"),
        T::WhyPinned { offset, label, nth, then } => {
            let at = nth.map_or(String::new(), |nth| format!("，正在第 {nth} 次消费"));
            let then = after_failure(then);
            format!(
                "C 停在最小未完成位点：{offset}（{label}{at}）。后面的消息做完了，C 也不动。{then}"
            )
        }
        T::WhyUnreported { offset } => {
            format!("消费者的 C 已到 {offset}；Broker 要等下一次上报或拉取才知道。")
        }
        T::WhyUpToDate => "拉到的都已处理完并上报。".to_owned(),
        T::WhyHeld { offset } => {
            format!("位点 {offset} 还没有消息，Broker 不应答，而是把请求挂起（长轮询）。")
        }
        other => why_owned(other),
    }
}

/// Why a lock is whose it is, and why a share.
fn why_owned(text: &InspectText) -> String {
    use InspectText as T;
    match text {
        T::WhyLease { span: time } => {
            format!(
                "锁从最后一次续期起有效 {}。只有到期或解锁（请求码 42）才会结束。",
                span(ZhCn, *time)
            )
        }
        T::WhyLeaseOwnerGone { owner } => {
            format!("{owner} 已不在，但断开连接并不释放锁：要等到期。")
        }
        T::WhyLeaseThenAsked { owner, until, asker, asks_at } => format!(
            "{owner} 已不在，但断开连接并不释放锁。锁在 {} 到期，而 {asker} 要到 {} 才再次请求。",
            clock_short(*until),
            clock_short(*asks_at)
        ),
        T::WhyTakenOver { queue, owner, since, believer, left_at, silence, thaws_at } => {
            let thaw = thaws_at
                .map_or(String::new(), |at| format!("，{} 解除冻结后会接着处理", clock_short(at)));
            format!(
                "Broker 超过 {} 没有收到 {believer} 的心跳（channelExpiredTimeout），在 {} 把它移出消费者组；{queue} 和它的锁从 {} 起归 {owner}。冻结中的 {believer} 本地仍标记 {queue} 归自己{thaw}。",
                span(ZhCn, *silence),
                clock_short(*left_at),
                clock_short(*since)
            )
        }
        T::WhyNoReader => "消费者组会消费自己的重试队列，但不消费死信队列。".to_owned(),
        T::WhyBeliefWrong => {
            "与 Broker 的锁表不一致：两边各记各的，要到下一次请求才会同步。".to_owned()
        }
        T::WhySameLists => {
            "组内每个消费者都给同样的两份列表排序，各自算出该读哪些队列；没有谁统一分配。"
                .to_owned()
        }
        T::WhyAsksOneByOne { done, of } => {
            let (left, done, of) = (count(of.saturating_sub(*done)), count(*done), count(*of));
            format!(
                "重平衡逐个队列查询消费位点，问完一个才问下一个：{of} 个中已问完 {done} 个，还剩 {left} 个。全部问完才开始拉取。"
            )
        }
        other => silent(other),
    }
}

fn after_failure(then: &AfterFailure) -> String {
    match then {
        AfterFailure::Usual => String::new(),
        AfterFailure::Locally { process, broker } => {
            format!("若失败，{broker} 不在，发不回去：{process} 留着它，5 秒后本地重试。")
        }
        AfterFailure::SameAgain { queue, rest, tries } => {
            let end = match tries {
                Some(tries) => format!("最多 {tries} 次"),
                None => "次数没有上限：顺序消费的 maxReconsumeTimes 默认不设限".to_owned(),
            };
            let rest = span(ZhCn, *rest);
            format!(
                "若失败，{queue} 停 {rest}（suspendCurrentQueueTimeMillis），再来的还是这条消息，{end}。"
            )
        }
    }
}

/// Why a queue is silent.
fn silent(text: &InspectText) -> String {
    use InspectText as T;
    match text {
        T::SilentLocked { queue, owner, is_gone, until, asker, asks_at } => {
            let gone = if *is_gone { "，它已不在，无法释放" } else { "" };
            let asks = match (asker, asks_at) {
                (Some(asker), Some(at)) => {
                    format!(
                        "这个队列已分配给 {asker}，它{} {} {}再次请求加锁。",
                        if at >= until { "但要到" } else { "将在" },
                        clock_short(*at),
                        if at >= until { "才" } else { "" }
                    )
                }
                (Some(asker), None) => format!("{asker} 正在请求加锁。"),
                _ => String::new(),
            };
            let until = clock_short(*until);
            format!("{queue} 没有动静：它的锁到 {until} 之前归 {owner}{gone}。{asks}")
        }
        T::SilentNobody { queue, looks_at } => {
            let next = looks_at
                .map_or(String::new(), |at| format!("下一次重平衡在 {}。", clock_short(at)));
            format!("{queue} 没有动静：此刻没有消费者读它。{next}")
        }
        T::SilentNamesakes { queue, one, other, client } => format!(
            "{queue} 没有动静：没有消费者读它。{one} 和 {other} 的客户端 ID 都是 {client}，算出的是同一份队列，另一份没人读。换掉一个 ID 才会好。"
        ),
        T::SilentFrozen { queue, process } => {
            format!("{queue} 没有动静：它分配给了 {process}，而 {process} 处于冻结状态。")
        }
        T::SilentUnlocked { queue, process, round_at } => {
            let next =
                round_at.map_or(String::new(), |at| format!("下一轮续锁在 {}。", clock_short(at)));
            format!(
                "{queue} 没有动静：它分配给了 {process}，但 {process} 的本地队列没有标记为已加锁。{next}"
            )
        }
        T::SilentPutOff { queue, process, reason, until } => {
            let (reason, until) = (super::zh_stage::postponed(*reason), clock_short(*until));
            format!("{queue} 没有动静：{process} 暂缓拉取，到 {until}（{reason}）。")
        }
        _ => String::new(),
    }
}

pub fn journey(text: &JourneyText) -> String {
    use JourneyText as J;
    match text {
        J::TryThenWait { nth, place, wait } => {
            format!("第 {nth} 次 {place}，等 {}", span(ZhCn, *wait))
        }
        J::Sent { producer } => format!("由 {producer} 发送"),
        J::Stored { place } => format!("存入 {place}"),
        J::StoredAgain { topic, place } => format!("进入 {topic} {place}"),
        J::OnShelf { process } => format!("在 {process} 的本地队列中"),
        J::Trying { nth, place, process, thread } => {
            format!("第 {nth} 次 {place}，{process} 消费线程 {}", thread + 1)
        }
        J::Succeeded { nth, place, process, took } => {
            format!("第 {nth} 次 {place}，{process} 成功，用时 {}", span(ZhCn, *took))
        }
        J::Failed { nth, place, process, result } => {
            format!("第 {nth} 次 {place}，{process} 失败（{result}）")
        }
        J::SentBack { number: 36 } => "发回 Broker（请求码 36）".to_owned(),
        J::SentBack { number } => format!("直接发到重试队列（请求码 {number}）"),
        J::Delayed { level, wait } => format!("在延迟级别 {level} 等 {}", span(ZhCn, *wait)),
        J::KeptLocally { process } => format!("留在 {process}，5 秒"),
        J::Dead { group } => format!("在 %DLQ%{group}"),
        J::LockRenewed { owner } => format!("为 {owner} 加锁或续期"),
        J::LockOwnerGone { owner } => format!("{owner} 已不在，没有解锁"),
        J::LockRefused { asker } => format!("{asker} 请求加锁，被拒"),
        J::LockHeld { owner } => format!("锁仍归 {owner}"),
        J::LockAsked { asker } => format!("{asker} 再次请求"),
        J::GivenUp => "放弃".to_owned(),
        J::WillBeStored { topic, place } => format!("进入 {topic} {place}"),
        J::WillTry { nth, process } => format!("第 {nth} 次，由 {process} 消费"),
        J::WillGoBack { number } => format!("发回 Broker（请求码 {number}）"),
        J::WillBeDead { group } => format!("进入 %DLQ%{group}"),
    }
}

fn stage(text: StageText) -> String {
    text.say(ZhCn).into_owned()
}

#[expect(clippy::too_many_lines, reason = "一词一行的表")]
pub const fn word(word: InspectWord) -> &'static str {
    use InspectWord as W;
    match word {
        W::Topics => "主题数",
        W::Brokers => "Broker 数",
        W::State => "状态",
        W::Sent => "已发送",
        W::NextMessage => "下一条",
        W::Records => "记录数",
        W::LogEnd => "日志末尾",
        W::NotDispatched => "尚未分发",
        W::Queues => "队列",
        W::Groups => "消费者组",
        W::HeldPulls => "挂起的拉取",
        W::DelayedMessages => "延迟中的消息",
        W::MaxOffset => "M 最大位点",
        W::CommittedOffset => "C 消费位点",
        W::PullOffset => "P 拉取位点",
        W::MinOffset => "最小位点",
        W::ClientOffset => "消费者里的 C",
        W::InHand => "已拉取未提交 P − C",
        W::Lag => "堆积 M − C",
        W::OldestUnfinished => "最久未完成",
        W::Reader => "消费者",
        W::LockOwner => "锁持有者",
        W::Key => "Key",
        W::Tag => "标签",
        W::Body => "消息体",
        W::BornAt => "发送时间",
        W::Copies => "已存副本",
        W::Tries => "消费次数",
        W::Failures => "失败次数",
        W::Place => "位置",
        W::Wait => "等待",
        W::Messages => "消息数",
        W::FrontDue => "最前一条到期",
        W::Total => "总数",
        W::Offset => "位点",
        W::Saved => "已落盘",
        W::RenewedAt => "续期时间",
        W::EndsAt => "到期时间",
        W::From => "从",
        W::To => "到",
        W::SentAt => "发出时间",
        W::ArrivesAt => "到达时间",
        W::OnNetwork => "网络上",
        W::SecondCopy => "第二份，opaque 相同",
        W::HeldBack => "被延后，等后一个先过去",
        W::Carries => "携带",
        W::ClientId => "客户端 ID",
        W::Group => "消费者组",
        W::Topic => "主题",
        W::Members => "组内消费者",
        W::Mine => "分到的队列",
        W::Strategy => "分配策略",
        W::NextOffset => "nextOffset",
        W::Since => "开始于",
        W::Until => "直到",
        W::Reason => "原因",
        W::CommitCarried => "顺带上报的 C",
        W::Count => "消息数",
        W::Bytes => "字节数",
        W::Span => "位点跨度",
        W::FirstKey => "msgTreeMap 最小位点",
        W::LastKey => "msgTreeMap 最大位点",
        W::Dropped => "已失效",
        W::Locked => "本地已加锁",
        W::LastPull => "上次拉取",
        W::LastConsume => "上次消费",
        W::WaitingRequests => "排队的 ConsumeRequest",
        W::Message => "消息",
        W::Elapsed => "开始于",
        W::Takes => "监听器用时",
        W::Timeout => "consumeTimeout",
        W::Batch => "本批消息数",
        W::Busy => "忙的消费线程",
        W::PoolSize => "消费线程数",
        W::Reported => "已上报",
        W::Step => "start() 步骤",
        W::Subscription => "订阅",
        W::Yes => "是",
        W::No => "否",
        W::Up => "运行中",
        W::Down => "已停止",
        W::Nobody => "无人",
        W::Nothing => "无",
        W::InPass => "重平衡已建好，结束时才交出",
        W::OnBelt => "在 PullRequestQueue 中",
        W::AtSeat => "由拉取线程发送",
        W::OnWire => "等待应答",
        W::OnBench => "已被 Broker 挂起",
        W::PutOff => "暂缓拉取",
        W::NotReported => "尚未上报",
        W::Idle => "空闲",
        W::Ledger => "位点表",
        W::Locks => "锁",
        W::Bench => "挂起的拉取",
        W::Levels => "延迟级别",
        W::Configuration => "配置",
        W::Subscriptions => "订阅关系",
        W::Steps => "start() 的步骤",
        W::Fields => "字段",
        W::ReadersInTurn => "先后由谁消费",
        W::QueuesInTurn => "先后分到的队列",
        W::UntilNow => "现在",
    }
}
