//! The page in Simplified Chinese.

use std::borrow::Cow;

use super::Language::ZhCn;
use super::format::{clock, clock_short, count, left, span};
use super::page::{PageText, PageWord};
use crate::model::profile::Profile;

pub fn say(text: &PageText) -> Cow<'static, str> {
    use PageText as T;
    Cow::Owned(match text {
        T::Word(word) => return Cow::Borrowed(self::word(*word)),
        T::Pace { sign } => format!("{sign}× 速"),
        T::NoSuchPreset { name } => format!("没有名为“{name}”的场景。"),
        T::NoSuchPage { text } => format!("“{text}”不是本演练场的页面。"),
        T::FoldLeft { left: rest } => format!("⟪ {} ⟫", left(ZhCn, *rest)),
        T::RealDefault { value } => format!("（{value}）"),
        T::Deeds { count } => format!("你的 {count} 次操作"),
        T::FirstAndLast { first, last } => format!("先：{first}；最后：{last}"),
        T::KeptAt { when, at: None } => when.to_string(),
        T::KeptAt { when, at: Some(at) } => format!("{when}，停在 {}", clock(*at)),
        T::AllOwnRuns { count } => format!("显示全部 {count} 个"),
        T::OldRunsDropped { count, kept } => {
            format!("最多保存 {kept} 次运行；空间不够，已移除最早的 {count} 次。")
        }
        T::TakesOption { span: of } => span(ZhCn, *of),
        T::Queue { number } => format!("队列 {number}"),
        T::Progress { percent } => format!("正在计算这次运行：{percent}%"),
        T::Left { left: rest } => format!("还剩 {}", left(ZhCn, *rest)),
        T::InBrackets { words } => format!("（{words}）"),
        T::Caption { number: 0, count, caption } => format!("{caption}下面有 {count} 步。"),
        T::Caption { number, count, caption } => {
            format!("第 {number} 步，共 {count} 步。{caption}")
        }
        T::StepOf { number } => format!("第 {number} 步"),
        T::MarkNumber { number, count } => format!("{number} / {count}"),
        T::OtherRelease { release } => format!(
            "导览的文字只适用于 RocketMQ {release}，其他版本的表现不同。每一步仍停在同样的事件上。"
        ),
        T::NothingDiffers { release } => {
            format!("这次运行看不出差别：换成 RocketMQ {release}，每条消息还是在原来的时刻到来。")
        }
        T::RealDeliveries { count: ticks } => {
            format!("短线：真实 RocketMQ 4.2.0 的 {} 次投递", count(*ticks))
        }
        T::ChartSummary { queue, committed, since, max } => {
            let lag = max - committed;
            let since = clock_short(*since);
            format!("{queue}：C 自 {since} 起停在 {committed}，M 为 {max}，堆积 {lag} 条。")
        }
        T::ChartNoCommit { queue } => format!("{queue}：还没有提交过位点。"),
        T::Rows { count: rows } => format!("{} 行", count(*rows)),
        T::CouldNot { reason } => format!("现在无法执行：{reason}。"),
        T::LinkNotARun => "这个地址没有指向任何运行。".into(),
        T::LinkTooLong { found, most } => format!("链接有 {found} 个字符，最多读取 {most} 个。"),
        T::LinkBadCharacter { found, place } => {
            format!("链接的第 {place} 个字符是“{found}”，链接中不会有这个字符。")
        }
        T::LinkCut => "链接在传递中被截断或改动：校验和不符。".into(),
        T::LinkShape => "链接的内容不是一次运行。".into(),
        T::LinkTooMany { found, most } => format!("链接要求的数量是 {found}，最多为 {most}。"),
        T::LinkBadScenario { first } => format!("链接中的场景有误：{first}。"),
        T::ReleasesDiffer { from, to } => {
            let early = "4.9 起，新建的 ProcessQueue 一开始就标记为已加锁，shutdown() 会中断监听器，请求超时会关闭连接，死信不再多延迟一次";
            let late = "5.x 起，加锁被拒后约每秒再请求一次，新队列的首次拉取推迟 0.5 秒，没有监听器在执行就立即让出队列，位点在 Broker 端重置";
            match (from, to) {
                (Profile::V42, Profile::V49) => format!("同一个场景，换了版本：{early}。"),
                (Profile::V42, _) => format!("同一个场景，换了版本：{early}；{late}。"),
                _ => format!("同一个场景，换了版本：{late}。"),
            }
        }
        T::StoryDiffers { made_with, this } => format!(
            "这个链接由演练场的模型 {made_with} 生成，现在是模型 {this}：同一次运行在这里的经过不同。"
        ),
        T::MadeByNewer => "这个链接由更新版本的演练场生成，这里无法读取。".into(),
    })
}

#[expect(clippy::too_many_lines, reason = "a table of one-line arms")]
pub const fn word(word: PageWord) -> &'static str {
    use PageWord as W;
    match word {
        W::AppTitle => "RocketMQ 消费者演练场",
        W::AllRuns => "全部场景",
        W::Help => "帮助",
        W::Share => "复制链接",
        W::OtherLanguage => "English",
        W::LanguageGroup => "语言",
        W::ThemeGroup => "主题",
        W::ThemeLight => "浅色",
        W::ThemeDark => "深色",
        W::ThemeProjector => "投影",
        W::ProfileGroup => "RocketMQ 版本",
        W::Time => "时间",
        W::ToStart => "回到开头",
        W::BackKey => "退到上一个关键事件",
        W::BackOne => "后退一个事件",
        W::Play => "播放",
        W::Pause => "暂停",
        W::StepOne => "前进一个事件",
        W::StepKey => "进到下一个关键事件",
        W::ToEnd => "跳到结尾",
        W::Speed => "速度",
        W::Fastest => "最快",
        W::Playhead => "运行到的时刻",
        W::AtTheEnd => "这次运行到此结束。可在“操作”中继续，或退回去看。",
        W::Walkthrough => "导览",
        W::NextMark => "下一步",
        W::JumpToMark => "直接跳到",
        W::NextMarkHow => "播放到下一步；再按一次直接跳到",
        W::LastMark => "到此结束",
        W::WalkSteps => "步骤",
        W::PreviousMark => "上一步",
        W::WalkLeft => {
            "从你的第一次操作起，运行的经过已经不同，导览的文字不再适用。撤销即可回到导览。"
        }
        W::Panel => "面板",
        W::Inspect => "查看",
        W::Do => "操作",
        W::ClosePanel => "关闭",
        W::OpenPanel => "面板",
        W::NothingSelected => "还没有选中任何东西",
        W::PickSomething => {
            "在画面上任选一个：消息、队列、拉取请求、消费者。它会说明自己是什么、为何如此、接下来会怎样。"
        }
        W::Numbers => "数字",
        W::Why => "为何",
        W::Next => "接着",
        W::Source => "源码",
        W::Journey => "经过",
        W::Tree => "看红黑树",
        W::TreeHint => "ProcessQueue.msgTreeMap：键是队列位点，最小的键已标出",
        W::Shelf => "看本地队列",
        W::SendTitle => "发送消息",
        W::Count => "条数",
        W::QueueField => "发往",
        W::AnyQueue => "轮到的队列",
        W::Listener => "监听器",
        W::Succeeds => "成功",
        W::FailsOnce => "失败 1 次后成功",
        W::FailsTwice => "失败 2 次后成功",
        W::FailsThrice => "失败 3 次后成功",
        W::FailsAlways => "每次都失败",
        W::TakesField => "耗时",
        W::SendButton => "发送",
        W::GroupTitle => "消费者",
        W::AddConsumer => "再启动一个",
        W::StopConsumer => "正常停止",
        W::CrashConsumer => "杀进程",
        W::LoseHost => "主机断电",
        W::FreezeConsumer => "冻结 30 秒",
        W::ResumeConsumer => "解除冻结",
        W::StopBroker => "正常停止",
        W::StartBroker => "启动",
        W::KillBroker => "杀进程",
        W::SendHere => "发到这里",
        W::Undo => "撤销",
        W::Redo => "重做",
        W::YouDid => "你做过的",
        W::DidNothing => "还没有。",
        W::ActsHere => "操作发生在当前显示的时刻，之后的经过会重新推演。",
        W::Scenario => "这里发生什么",
        W::Parameters => "参数",
        W::RealDefaults => "为便于观察而调小；括号内是 RocketMQ 的默认值。",
        W::Log => "日志",
        W::Charts => "图表",
        W::DockLabel => "日志与图表",
        W::Filters => "显示",
        W::FilterSend => "发送",
        W::FilterPull => "拉取",
        W::FilterConsume => "消费",
        W::FilterOffset => "位点",
        W::FilterRetry => "重试",
        W::FilterRebalance => "重平衡",
        W::FilterLock => "锁",
        W::FilterHeartbeat => "心跳",
        W::FilterLife => "启停",
        W::FilterFault => "故障",
        W::FilterBackground => "后台",
        W::ColumnTime => "时间",
        W::ColumnActor => "谁",
        W::ColumnCode => "做什么",
        W::ColumnSubject => "对象",
        W::ColumnResult => "结果",
        W::ColumnSource => "源码",
        W::NotYet => "尚未发生",
        W::LogEmpty => "还什么都没有发生。",
        W::TableTwin => "看数据表",
        W::ChartOfNothing => "这次运行还没有队列。",
        W::AsChart => "看图",
        W::LagWord => "堆积",
        W::LinkCopied => "当前时刻的链接已复制到剪贴板。",
        W::CopyFailed => "浏览器不允许复制。地址栏里就是同一个链接。",
        W::StoreFailed => "浏览器不为本页保存数据，设置只在离开前有效。",
        W::Undone => "已撤销。",
        W::Redone => "已重做。",
        W::CloseNotice => "关闭这条提示",
        W::StartHeadline => "所谓推送，是会等消息的拉取。",
        W::StartLead => "看 Broker 与消费者逐条处理消息，每一次等待都说明在等什么。",
        W::StartPlay => "播放：消息从发送到消费完成",
        W::DoorHappened => "我遇到了",
        W::DoorHappenedLead => "选择症状，看一次同样的运行。",
        W::DoorYours => "你的",
        W::DoorYoursLead => "你改动过的运行，保存在本浏览器中。",
        W::NoRunsYet => "还没有。在某个场景中操作一次，就会留在这里。",
        W::PasteLink => "粘贴一个运行的链接",
        W::OpenLink => "打开",
        W::NothingIsSent => "一切在本页运行，不上传任何内容。",
        W::SourceNote => "RocketMQ 的模型，已与真实运行的录制逐项核对。",
        W::PreviewLabel => "来了三条消息。Broker 应答挂起的拉取，把三条作为一批发给消费者 c1。",
        W::SimplifiedHere => "本頁的中文是簡體字；也可以改用英文。",
        W::StoreIsFull => {
            "浏览器留给本页的存储空间已满，这次运行没有保存。可在首页删除几个，或复制链接。"
        }
        W::NewVersion => "本页有新版本。",
        W::TakeNewVersion => "重新加载，使用新版本",
        W::RenameRun => "改名",
        W::NameOfRun => "给这次运行起的名字",
        W::KeepName => "保存",
        W::DeleteRun => "删除",
        W::DeleteForGood => "确认删除",
        W::FewerOwnRuns => "收起",
        W::HowItWorks => "术语、快捷键与文章勘误",
        W::SymptomNever => "一条消息反复重试",
        W::SymptomLag => "还在消费，堆积却不减",
        W::SymptomStart => "启动很慢",
        W::SymptomMoves => "队列换了消费者，消息重复",
        W::ShortHappyPath => "从发送到消费完成，并列真实录制",
        W::ShortPoison => "每次都失败，最后成为死信",
        W::ShortSlow => "一条消息要 40 秒，C 停住不动",
        W::ShortJoin => "四个队列，重新分配五次",
        W::ShortStart => "start() 一步一步做了什么",
        W::ShortCount => "缓存超过八条，就暂缓拉取",
        W::ShortSpan => "一条慢消息，位点跨度越来越大",
        W::ShortBroadcast => "每个消费者都收到全部，失败不重试",
        W::ShortNewGroup => "没有消费位点的组从哪里读起",
        W::ShortSendBack => "消息失败时 Broker 不在",
        W::ShortMore => "两个队列三个消费者，一个闲着",
        W::ShortMixed => "同组两个消费者订阅不同标签",
        W::ShortSameId => "两个客户端 ID 相同，一半队列没人读",
        W::ShortSlowStart => "1000 个队列，逐个查询位点",
        W::ShortSuspend => "一条失败，后面全都等着",
        W::ShortSilence => "持有者没了，锁还在",
        W::ShortFrozen => "每把锁都没错，顺序还是乱了",
        W::ShortStopKill => "一个先上报、注销，一个来不及",
        W::ShortMaster => "从节点还能读，消息发不出去",
        W::GroupFirstSteps => "入门",
        W::GroupFlow => "消费与流控",
        W::GroupRetries => "重试",
        W::GroupRebalancing => "重平衡",
        W::GroupOrder => "顺序与锁",
        W::GroupFailures => "故障",
        W::SymptomSilent => "顺序消费的队列没有动静",
        W::SymptomTwice => "重启之后消息重复",
        W::SymptomIdle => "一半队列没有人消费",
        W::SymptomHalf => "有些消息一直收不到",
        W::RunsTitle => "可以看、也可以动手的运行",
        W::RunsLead => "每个都配有几步导览。随时可停，可发送、加消费者、杀进程。",
        W::OpenDock => "展开",
        W::CloseDock => "收起",
        W::UnreadableTitle => "无法读取这个链接",
        W::UnreadableLead => {
            "没有丢失任何东西：下面是链接的原文，可以复制或修改。可选的场景在首页。"
        }
        W::UnreadableText => "链接原文",
    }
}
