//! Faults and operators' acts in Chinese.

use std::borrow::Cow;

use super::fault::{FaultField, FaultText, FaultWord, Verb, named};

pub const fn verb(verb: Verb) -> &'static str {
    use Verb as V;
    match verb {
        V::Crash => "杀进程",
        V::LoseHost => "主机断电",
        V::Stop => "正常停止",
        V::Freeze => "冻结…",
        V::Resume => "解除冻结",
        V::Restart => "重新启动",
        V::Twin => "用相同客户端 ID 再起一个",
        V::Another => "再加一个消费者",
        V::Unsubscribe => "取消订阅…",
        V::Subscribe => "订阅…",
        V::Listener => "监听器行为…",
        V::OnInterrupt => "被中断时…",
        V::PausePulling => "暂停拉取",
        V::ResumePulling => "恢复拉取",
        V::SetProperty => "修改参数…",
        V::SkewClock => "时钟偏移…",
        V::HalfOpen => "半开连接重连",
        V::SkipHeartbeat => "跳过一次心跳",
        V::StopProducer => "停止",
        V::StartProducer => "启动",
        V::StopBroker => "正常停止",
        V::KillBroker => "杀进程…",
        V::StartBroker => "启动",
        V::FreezeBroker => "冻结…",
        V::ResumeBroker => "解除冻结",
        V::ForbidWrites => "禁写",
        V::AllowWrites => "恢复可写",
        V::SlowStore => "存储变慢…",
        V::SetBrokerProperty => "修改参数…",
        V::CreateTopic => "创建主题…",
        V::FirstOnDisk => "最早的消息只在磁盘上",
        V::FirstInMemory => "最早的消息在内存中",
        V::SendHere => "发到这里",
        V::AddQueues => "调整队列数…",
        V::ExpireHead => "过期删除…",
        V::SetOffset => "设置 C…",
        V::StopNameServer => "停止",
        V::StartNameServer => "启动",
        V::CutBothWays => "双向断网",
        V::CutOneWay => "单向断网",
        V::Heal => "恢复网络",
        V::Latency => "网络延迟…",
        V::LoseRequests => "丢请求…",
        V::LoseAnswers => "只丢应答…",
        V::DoubleRequests => "请求重复…",
        V::DoubleAnswers => "应答重复…",
        V::ReorderRequests => "请求乱序…",
        V::ReorderAnswers => "应答乱序…",
        V::ResetOffset => "重置消费位点…",
        V::RetryQueues => "重试队列数…",
    }
}

pub const fn hint(verb: Verb) -> Option<&'static str> {
    use Verb as V;
    Some(match verb {
        V::DoubleRequests | V::DoubleAnswers => {
            "TCP 本身不会重复。这里代表中间的代理或重试层又发了一次。"
        }
        V::ReorderRequests | V::ReorderAnswers => {
            "同一条 TCP 连接不会乱序。这里代表 Broker 线程池并行处理、客户端多线程或多条连接造成的先后颠倒：\
             每一个都被它后面的一个超过。"
        }
        V::RetryQueues => "设为 0 时，发回的失败消息会得到 SUCCESS 应答，却不保存到任何地方。",
        _ => return None,
    })
}

pub const fn field(field: FaultField) -> &'static str {
    use FaultField as F;
    match field {
        F::Span => "时长",
        F::From => "最少",
        F::To => "最多",
        F::Count => "个数",
        F::Code => "请求",
        F::Key => "消息 key",
        F::Result => "结果",
        F::Times => "次数",
        F::Takes => "耗时",
        F::Acked => "一批中成功的条数",
        F::Topic => "主题",
        F::Expression => "标签",
        F::Interrupt => "行为",
        F::Property => "参数",
        F::Value => "值",
        F::Skew => "快多少",
        F::LostTail => "丢失记录数",
        F::Queues => "队列数",
        F::Offset => "位点",
        F::Moment => "时刻",
        F::Later => "第二份晚到",
        F::LaterAtMost => "最多晚到",
        F::HeldAtMost => "最多延后",
    }
}

pub const fn word(word: FaultWord) -> &'static str {
    use FaultWord as W;
    match word {
        W::Title => "故障与运维",
        W::Target => "对象",
        W::Act => "执行",
        W::Choose => "选择对象",
        W::GroupClients => "消费者",
        W::GroupProducers => "生产者",
        W::GroupBrokers => "Broker",
        W::GroupQueues => "队列",
        W::GroupLinks => "链路",
        W::GroupOthers => "其他",
        W::NameServer => "NameServer",
        W::Remove => "撤掉",
        W::Success => "成功",
        W::Later => "RECONSUME_LATER / SUSPEND",
        W::Throws => "抛异常",
        W::Null => "返回 null",
        W::Never => "一直不返回",
        W::Commit => "COMMIT（顺序）",
        W::Rollback => "ROLLBACK（顺序）",
        W::Ignores => "不理会，继续执行",
        W::EndsEarly => "提前结束",
        W::Succeeds => "立即成功返回",
        W::Fails => "立即失败返回",
        W::AllMessages => "留空：所有消息",
        W::AllOfBatch => "留空：整批",
        W::ForeverHint => "留空：直到撤掉",
        W::AnyRequest => "不限",
        W::LaterHint => "留空：固定这么久",
        W::More => "更多…",
    }
}

pub fn say(text: &FaultText) -> Cow<'static, str> {
    use FaultText as T;
    Cow::Owned(match text {
        T::Link { a, b } => format!("{a} ↔ {b}"),
        T::Slave { broker } => format!("{broker}（从）"),
        T::Group { group } => format!("消费者组 {group}"),
        T::Gone { client } => format!("{client}（已退出）"),
        T::Removed { sentence } => format!("已撤掉：{sentence}。"),
        T::RemoveThis { sentence } => format!("撤掉：{sentence}"),
        T::KeepOwnScript { keys } => {
            format!(
                "自带处理脚本、不受影响的消息：{}。要改它，就在这里写它的 key。",
                named(keys, "、")
            )
        }
        T::Missing { field } => format!("“{}”还没有填。", self::field(*field)),
        T::NotASpan { field, found } => format!(
            "“{}”填的是“{found}”；请写带单位的时间，例如 250ms、12.5s、1m30s。",
            self::field(*field)
        ),
        T::NotANumber { field, found } => {
            format!("“{}”填的是“{found}”；请填整数。", self::field(*field))
        }
        T::OutOfRange { field, least, most } => {
            format!("“{}”必须在 {least} 到 {most} 之间。", self::field(*field))
        }
        T::FromAfterTo => "“最少”比“最多”还大。".to_owned(),
        T::UnknownChoice { field, found } => {
            format!("“{}”里已经没有“{found}”这个选项。", self::field(*field))
        }
        T::NothingToActOn => "此刻它已经不在了。".to_owned(),
    })
}
