//! Time and room on the page, in Simplified Chinese.

use std::borrow::Cow;

use super::bar::{BarText, BarWord, SignWord};
use super::format;

pub const fn word(word: BarWord) -> &'static str {
    use BarWord as W;
    match word {
        W::Sign(sign) => self::sign(sign),
        W::Signs => "图例",
        W::SignsTitle => "时间条上的符号",
        W::GoToTime => "跳到某个时刻",
        W::TimeHint => "时刻，如 1:41、101s 或 1m41s",
        W::Go => "跳转",
        W::Playing => "正在播放",
        W::Blank => "已黑屏。按任意键或点一下屏幕即可恢复。",
        W::Zoom => "只看画面",
        W::Unzoom => "恢复整页",
        W::ShowCaption => "显示讲解",
        W::HideCaption => "隐藏讲解",
        W::AlwaysCaption => "一直显示",
        W::CaptionsWait => "讲解先不显示，需要时再看（H）",
        W::HidesFuture => "时间条和日志不显示还没发生的内容（U）",
        W::TeachingTitle => "讲课时",
        W::OpenLog => "日志、图表",
        W::CloseLog => "收起",
        W::More => "更多",
    }
}

const fn sign(sign: SignWord) -> &'static str {
    match sign {
        SignWord::Star => "导览的一步",
        SignWord::Act => "你做的操作",
        SignWord::Broken => "有一项检查不成立",
        SignWord::Fault => "故障：崩溃、冻结、停止或丢包",
        SignWord::Failed => "监听器处理消息失败",
        SignWord::SendBack => "失败的消息被发回，或在等待重试",
        SignWord::DelayOver => "延迟时间到，消息继续往下走",
        SignWord::Dead => "消息进了死信队列",
        SignWord::Rebalance => "重平衡分配了队列",
        SignWord::Lock => "队列的锁被拿到或释放",
        SignWord::Refused => "队列加锁被拒绝",
        SignWord::Commit => "Broker 保存了新的 C",
        SignWord::FastForward => "快进：很长的等待，约 1 秒放完",
        SignWord::Real => "真实的 RocketMQ 在此刻投递",
    }
}

pub fn say(text: &BarText) -> Cow<'static, str> {
    use BarText as T;
    Cow::Owned(match text {
        T::Word(word) => return Cow::Borrowed(self::word(*word)),
        T::SignAt { sign, at } => format!("{} {}", format::clock(*at), self::sign(*sign)),
        T::Paused { at } => format!("已暂停，停在 {}", format::clock(*at)),
        T::TimeMissing => return Cow::Borrowed("请写一个时刻：1:41、101s 或 1m41s。"),
        T::NotATime { found } => {
            format!("“{found}”不是能识别的时刻。请写成 1:41、101s 或 1m41s。")
        }
        T::TooLate { last } => {
            format!("这次运行目前讲到 {}。先到末尾，再按播放即可继续。", format::clock(*last))
        }
        T::MoreConsumers { count } => format!("还有 {count} 个，没有分到队列"),
        T::FewerConsumers => return Cow::Borrowed("只看有队列的"),
    })
}
