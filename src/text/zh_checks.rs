//! The live checks in Chinese.

use std::borrow::Cow;

use super::checks::{CheckText, FindingText, RuleText, ScopeText};
use super::format::clock;

pub const fn rule(rule: RuleText) -> &'static str {
    use RuleText as R;
    match rule {
        R::NothingLost => "没有消息丢失：消费者组要的每条消息要么已投递，要么还在等待。",
        R::NothingTwice => "没有重复投递：一条记录消费成功或被中断之后，不会再投递一次。",
        R::CommitMoves => "消费位点在推进：有可提交的进度时，C 不会 30 秒不动。",
        R::NoSilence => "没有队列 30 秒没有动静：有消息在等，就有监听器在处理。",
        R::OneOwner => "一个队列一个消费者：同组没有两个消费者同时读一个队列。",
        R::T1 => "没有事情发生在过去，日程上也没有遗漏。",
        R::B1 => "队列的位点连续，每个位点始终对应同一条消息。",
        R::B2 => "队列的最小位点不大于最大位点。",
        R::B3 => "沿着队列，CommitLog 物理位点递增。",
        R::B4 => "沿着 CommitLog，存储时间不倒退。",
        R::B5 => "同一延迟级别内，到期时间不倒退。",
        R::B6 => "延迟消息到期之后才进入目标主题。",
        R::B7 => "在 Broker 上，一个队列最多被一个客户端锁定。",
        R::B8 => "锁只在主动释放后，或最后一次续期 60 秒之后才换持有者。",
        R::B9 => "重试消息的重试次数比失败的那条多一。",
        R::B10 => "只有失败次数过多或被指定的消息才进入死信队列。",
        R::B11 => "挂起的拉取请求最迟 20 秒后得到应答。",
        R::B12 => "有消费者加入或离开时，组内每个消费者都会收到通知。",
        R::B13 => "重试队列的个数保持创建时的值。",
        R::B14 => "Broker 上的消费位点不回退；重置、重启或两个消费者同读时可能回退。",
        R::B15 => "只有不旧于请求的订阅关系才为拉取服务。",
        R::B16 => "没有位点的空队列，按所在版本的规则应答。",
        R::B17 => "死信按所在版本规定的时机进入死信队列。",
        R::C1 => "每个在用的本地队列恰好有一个拉取请求。",
        R::C2 => "本地队列失效后，其消费结果不算数。",
        R::C3 => "本地队列的计数与内容一致，失效后不再复用。",
        R::C4 => "本地队列的消息数不超过上限加一批。",
        R::C5 => "消费者的 C 不越过最小未完成位点。",
        R::C6 => "队列分配给它期间，消费者的 C 不回退。",
        R::C7 => "运行的消费线程不超过线程池核心数。",
        R::C8 => "顺序消费：每个队列同时只有一次监听器调用。",
        R::C9 => "顺序消费：位点按递增顺序交给监听器。",
        R::C10 => "顺序消费：锁有效且未超过 30 秒才开始调用。",
        R::C11 => "队列的拉取位点只向前。",
        R::C12 => "两次重平衡之间，消费者只读自己算出的队列。",
        R::C13 => "两次重平衡的间隔不太长也不太短。",
        R::C14 => "新的 C 在 5 秒内上报。",
        R::C15 => "消费者只上报自己的位点。",
        R::C16 => "5.0.0 起，队列的首次拉取等待 500 毫秒。",
        R::C17 => "线程池停止后不再开始调用，运行中的各被中断一次。",
        R::C18 => "注销之后，客户端不再上报。",
        R::C19 => "空的本地队列字节数为零。",
        R::C20 => "4.9.1 起，客户端只因同步调用超时而关闭连接。",
        R::X1 => "已提交的都投递过；静止时没有遗漏。",
        R::X2 => "已提交的都已处理完或已发回。",
        R::X3 => "看到的列表相同时，组内消费者恰好分完所有队列。",
        R::X4 => "组内消费者看到的列表一致后，每个队列最多一个消费者。",
        R::X5 => "顺序消费：同一时刻只有一个客户端处理一个队列。",
        R::X6 => "顺序消费：队列的首次投递按位点顺序。",
        R::X8 => "消费成功的不再投递。",
        R::X9 => "一直失败的消息有尽头：重试 16 次后进入死信。",
        R::X10 => "广播消费：每个客户端每条消息一次。",
        R::X11 => "拉到的消息要么在本地队列里，要么已处理完。",
        R::X12 => "每次成功的发回恰好存下一条记录。",
        R::X13 => "一次失败的副本数不超过发回尝试数。",
        R::X14 => "顺序消费：队列换消费者时最多重复一批。",
    }
}

pub const fn scope(scope: ScopeText) -> &'static str {
    match scope {
        ScopeText::Always => "始终",
        ScopeText::OnceInOrder => "始终（数据包不重复、不乱序）",
        ScopeText::Partly => "始终；其中一半仅限无故障",
        ScopeText::WithoutFaults => "无故障时",
        ScopeText::Hint => "提示，并非保证",
        ScopeText::Clustering => "始终（集群消费）",
    }
}

pub fn finding(text: &FindingText) -> Cow<'static, str> {
    use FindingText as T;
    Cow::Owned(match text {
        T::Rule(rule) => return Cow::Borrowed(self::rule(*rule)),
        T::Skipped { message } => {
            format!("{message} 对该消费者组来说丢失了：C 已越过它，却没人消费过。")
        }
        T::Discarded { message } => format!("{message} 丢失：消费失败，而消费者组没有重试队列。"),
        T::LostWithBroker { broker } => format!("{broker} 宕机，带走了还没人消费的记录。"),
        T::Twice { message, process } => format!("{message} 再次投递，这次给 {process}。"),
        T::Still { queue, at, since } => {
            format!("{queue}：C 自 {} 起停在 {at}。", clock(*since))
        }
        T::Silent { queue, since } => {
            format!("{queue} 自 {} 起没有动静，还有消息在等。", clock(*since))
        }
        T::TwoOwners { queue, first, second } => {
            format!("{queue} 有两个消费者：{first} 和 {second}。")
        }
    })
}

pub fn say(text: CheckText) -> Cow<'static, str> {
    use CheckText as T;
    Cow::Borrowed(match text {
        T::Checks | T::Tab { broken: 0 } => "检查",
        T::Tab { broken } => return Cow::Owned(format!("检查：{broken} 项不成立")),
        T::BrokenHere => "✖：这里有一项检查不成立，是哪一项见“检查”列表。",
        T::Conditions => "条件",
        T::Invariants => "不变式",
        T::StopsAtBreak => "有检查不成立时停止播放",
        T::ColumnRule => "应当成立",
        T::ColumnScope => "何时检查",
        T::ColumnState => "状态",
        T::Holds => "成立",
        T::Checking => "检查中……",
        T::NotAsked { since } => {
            return Cow::Owned(format!("{} 出现故障后不再检查", clock(since)));
        }
        T::BrokeAt { at } => return Cow::Owned(format!("{} 起不成立", clock(at))),
        T::WillBreakAt { at } => return Cow::Owned(format!("到 {} 将不成立", clock(at))),
        T::Count { broken: 0, of } => return Cow::Owned(format!("{of} 项在此刻全部成立。")),
        T::Count { broken, of } => {
            return Cow::Owned(format!("{of} 项中有 {broken} 项在此刻不成立。"));
        }
    })
}
