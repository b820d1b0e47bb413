//! The help page in Simplified Chinese.

use super::help::{Article, HelpText, KeyDeed, Reading, Simpler};
use super::term::TermGroup;

pub const fn say(text: HelpText) -> &'static str {
    use HelpText as T;
    match text {
        T::Title => "帮助",
        T::Back => "返回",
        T::ReadTitle => "怎样看这幅图",
        T::Read(reading) => read(reading),
        T::KeysTitle => "快捷键",
        T::KeysNote => "输入文字时不起作用。焦点在画面上时，方向键在各标记间移动，回车选中。",
        T::Deed(deed) => self::deed(deed),
        T::SingleKeys => "字母、数字和符号用作快捷键",
        T::MotionTitle => "动画",
        T::MotionSystem => "跟随系统",
        T::MotionFull => "平滑移动",
        T::MotionStill => "逐步切换",
        T::WordsTitle => "术语",
        T::WordsNote => {
            "一物一词，中英对照，并列出 RocketMQ 中的名字。★ 是最初几个导览要用到的。其中的数字只是例子。"
        }
        T::Words(group) => words(group),
        T::OnStage => "画面上",
        T::InRocketMq => "RocketMQ 中",
        T::WhatItIs => "是什么",
        T::ArticlesTitle => "流行文章与源码不一致之处",
        T::ArticlesNote => "每一条都在 4.2.0、4.9.8、5.3.3 的源码中核对过。",
        T::OftenRead => "常见说法",
        T::InTheCode => "源码实际",
        T::Says(article) => says(article),
        T::Code(article) => code(article),
        T::SimplerTitle => "本模型比 RocketMQ 简化之处",
        T::Simpler(simpler) => self::simpler(simpler),
    }
}

const fn read(reading: Reading) -> &'static str {
    match reading {
        Reading::Places => {
            "左边是生产者；中间是 Broker，有队列、挂起的拉取、延迟级别、死信队列和位点表；右边是消费者进程。二者之间是网络：\
             每一条横线都是一次远程调用，标有请求码。"
        }
        Reading::Flags => {
            "M 是下一条消息的位点，C 是本组的消费位点，P 是下次拉取的起点。M − C 是堆积，P − C 是已拉取未提交。"
        }
        Reading::Lines => {
            "实线是已发生的，长虚线是应答，圆点线是将要发生的，虚线轮廓是曾在或将在的位置。"
        }
        Reading::Marker => {
            "黄色荧光笔在画面、面板和时间条上跟随同一个对象；带编号的站点标出它的路程。"
        }
        Reading::Fold => "⟪ 47 秒 ⟫ 是快进：47 秒的等待约 1 秒放完。旁边写着谁在等什么、等到几时。",
        Reading::Shelf => {
            "本地队列（ProcessQueue）里做完一条空一格，图钉标出最小未完成位点，C 不能越过它。"
        }
        Reading::Stairs => {
            "延迟级别（SCHEDULE_TOPIC_XXXX）画成阶梯：从 1 秒到 2 小时共 18 级，每一级先进先出。"
        }
    }
}

const fn words(group: TermGroup) -> &'static str {
    match group {
        TermGroup::Places => "地点",
        TermGroup::Moving => "会动的东西",
        TermGroup::Numbers => "数字",
        TermGroup::Waits => "等待",
        TermGroup::Readers => "谁读哪个队列",
        TermGroup::States => "消息的状态",
        TermGroup::Modes => "模式与版本",
        TermGroup::Requests => "请求码",
        TermGroup::Faults => "故障与操作",
        TermGroup::Checks => "检查",
    }
}

const fn deed(deed: KeyDeed) -> &'static str {
    match deed {
        KeyDeed::PlayOrPause => "播放或暂停；导览中播放到下一步为止",
        KeyDeed::Step => "前进一个事件",
        KeyDeed::StepBack => "后退一个事件",
        KeyDeed::StepKey => "进到下一个关键事件",
        KeyDeed::StepKeyBack => "退到上一个关键事件",
        KeyDeed::NextMark => "播放到导览的下一步；再按一次直接跳到",
        KeyDeed::PreviousMark => "退回导览的上一步",
        KeyDeed::Start => "回到开头",
        KeyDeed::End => "跳到运行结尾",
        KeyDeed::GoToTime => "跳到某个时刻",
        KeyDeed::Slower => "放慢",
        KeyDeed::Faster => "加快",
        KeyDeed::NextFold => "到本次等待的结束，或到下一次等待",
        KeyDeed::Inspect => "查看选中的东西",
        KeyDeed::Do => "对选中的东西做操作",
        KeyDeed::Why => "为什么会这样",
        KeyDeed::Log => "日志",
        KeyDeed::Charts => "图表",
        KeyDeed::Sequence => "请求时序",
        KeyDeed::Checks => "检查",
        KeyDeed::Zoom => "画面占满整个窗口；再按一次恢复整页",
        KeyDeed::Blank => "黑屏；按任意键恢复",
        KeyDeed::Caption => "显示或隐藏讲解",
        KeyDeed::Future => "显示或隐藏还没发生的内容",
        KeyDeed::Language => "切换语言",
        KeyDeed::Theme => "下一个主题",
        KeyDeed::CopyLink => "复制当前时刻的链接",
        KeyDeed::Undo => "撤销上一次操作",
        KeyDeed::Redo => "重做",
        KeyDeed::Deselect => "取消选中，关闭面板",
        KeyDeed::Help => "本页",
    }
}

const fn says(article: Article) -> &'static str {
    match article {
        Article::RebalancePeriod => "消费者每 10 秒重平衡一次。",
        Article::HoldTime => "Broker 把空的拉取挂起 20 秒。",
        Article::PullAfterConsume => "消费者消费完一批，才去拉取下一批。",
        Article::NeverLost => "消息绝不会丢，每条都一定会被消费。",
        Article::SendBackFails => "发回失败时，消费者在本地重试。",
        Article::SpanStops => "位点跨度超过 2000 就停止拉取。",
        Article::PoolGrows => "消费线程池从 20 个线程增长到 64 个。",
        Article::QueuesAreThreads => "队列数就是同时处理的消息数。",
        Article::LockIsReentrant => "Broker 的队列锁就是一个 ReentrantLock。",
        Article::LockShelf => "顺序消费锁的是 ProcessQueue，并从队列的最大位点开始。",
        Article::SixtySeconds => "顺序消费者崩溃后，它的队列有 60 秒没有动静。",
        Article::HeartbeatMaster => "消费者只向主节点发送心跳。",
        Article::InstanceByGroup => "每个消费者组有一个客户端实例。",
        Article::SlowStart => "主题很多时启动慢，是因为线程太多。",
    }
}

const fn code(article: Article) -> &'static str {
    match article {
        Article::RebalancePeriod => {
            "所有版本都是 20 秒；收到 Broker 的变更通知（请求码 40）时立即执行。5.2.0 起，未达平衡的一轮会在 1 秒后重试。"
        }
        Article::HoldTime => {
            "推模式是 15 秒，每 5 秒检查一次，实际 15 至 20 秒。20 秒是旧拉模式消费者的默认值；客户端自己等 30 秒。"
        }
        Article::PullAfterConsume => {
            "下一次拉取在这一批消费之前就已入队；只有缓存条数、缓存大小、位点跨度三个上限会暂缓它。"
        }
        Article::NeverLost => {
            "重试 16 次后进入 %DLQ%，不会自动被消费。广播消费不重试失败的消息；刷盘前崩溃、过期删除、向前重置位点都会丢消息。"
        }
        Article::SendBackFails => {
            "先由内部生产者把副本当作普通消息发往 %RETRY%；这也失败时，才保留在本地，5 秒后重试。"
        }
        Article::SpanStops => {
            "位点跨度只计算本地队列里未完成的消息。只有一条卡住时，它把拉取放慢到每 50 毫秒一批，并不停止。"
        }
        Article::PoolGrows => {
            "线程池的队列没有上限，所以线程数永远不会超过 consumeThreadMin，即 20。"
        }
        Article::QueuesAreThreads => {
            "它是能工作的消费者个数。每个消费者最多 20 个线程，即使只有一个队列。"
        }
        Article::LockIsReentrant => {
            "它是租约：一张记录客户端与时间的表，从最近一次续期起 60 秒有效。ReentrantLock 只保护对这张表的修改。"
        }
        Article::LockShelf => {
            "它锁的是 Broker 上的队列；加锁后的第一次拉取会重新读取已保存的消费位点。"
        }
        Article::SixtySeconds => {
            "4.2.0：60 至 83 秒，因为接手的消费者每 20 秒才请求一次，本地的已加锁标记还要晚一轮。4.9：约 60 秒。5.2 起：40 至 61.5 秒。主机断电则至少 120 秒。"
        }
        Article::HeartbeatMaster => {
            "向它知道的每个 Broker 发送，从节点也不例外。只含生产者的客户端才跳过从节点。"
        }
        Article::InstanceByGroup => {
            "每个 clientId（地址、实例名、单元）一个，多个消费者组可以共用。"
        }
        Article::SlowStart => {
            "一个重平衡线程逐个主题查询组内消费者、逐个队列查询消费位点，每次都要等应答。"
        }
    }
}

const fn simpler(simpler: Simpler) -> &'static str {
    match simpler {
        Simpler::Threads => "各线程按固定次序轮流执行，所以同一次运行可以精确重现。",
        Simpler::Disk => "CommitLog 与 ConsumeQueue 在内存中；关于刷盘，只保留崩溃会丢失什么。",
        Simpler::Polling => "定期查看的服务只在能查到东西时才执行，时间点完全相同。",
        Simpler::Scaled => "有些场景为便于观察调小了上限；这样的值旁边总会标出 RocketMQ 的默认值。",
        Simpler::Missing => "暂未包含：POP 消费、事务消息、SQL 过滤、5.x 的时间轮。",
    }
}
