//! The charts in Chinese.

use std::borrow::Cow;

use super::Language::ZhCn;
use super::charts::ChartText;
use super::format::{clock, span};

pub fn say(text: &ChartText) -> Cow<'static, str> {
    use ChartText as T;
    Cow::Owned(match text {
        T::Which => return "图".into(),
        T::Offsets => return "位点".into(),
        T::Shelf => return "本地队列".into(),
        T::Owners => return "谁在读".into(),
        T::Nobody => return "无人读".into(),
        T::Believe { count: 2 } => return "两个消费者".into(),
        T::Believe { count } => format!("{count} 个消费者"),
        T::NoOwners => return "还没有队列有过消费者。".into(),
        T::OneOwnerEach => return "每个队列始终恰好有一个消费者，没有空档。".into(),
        T::Gap { queue, from, until } => format!(
            "{queue} 有 {} 没有消费者：从 {} 到 {}。",
            span(ZhCn, until.since(*from)),
            clock(*from),
            clock(*until)
        ),
        T::GapSince { queue, from } => format!("{queue} 自 {} 起没有消费者。", clock(*from)),
        T::Overlap { queue, from, until } => {
            format!("{queue} 从 {} 到 {} 有两个消费者。", clock(*from), clock(*until))
        }
        T::LockColumn => return "Broker 上的锁".into(),
        T::BeliefColumn => return "消费者本地的记录".into(),
        T::OwnerColumn => return "消费者".into(),
        T::Gone { who } => format!("{who}（已退出）"),
        T::Queue => return "队列".into(),
        T::What => return "内容".into(),
        T::Who => return "谁".into(),
        T::From => return "从".into(),
        T::Until => return "到".into(),
        T::MoreRows { count } => format!("还有 {count} 个：见表格"),
        T::Time => return "时间".into(),
        T::CountLine { count } => format!("条数 {count}"),
        T::SpanLine { span } => format!("位点跨度 {span}"),
        T::CountLimit { limit } => format!("条数上限 {limit}"),
        T::SpanLimit { limit } => format!("位点跨度上限 {limit}"),
        T::CountColumn => return "条数".into(),
        T::SpanColumn => return "位点跨度".into(),
        T::NoShelf { queue } => format!("{queue}：本地队列里还没有过消息。"),
        T::ShelfSummary { queue, count, count_limit, span, span_limit } => format!(
            "{queue}：本地队列里有 {count} 条，超过 {count_limit} 条就暂缓拉取；位点跨度 {span}，超过 \
             {span_limit} 就暂缓拉取。"
        ),
        T::ShelfSummaryInOrder { queue, count, count_limit } => {
            format!("{queue}：本地队列里有 {count} 条，超过 {count_limit} 条就暂缓拉取。")
        }
    })
}
