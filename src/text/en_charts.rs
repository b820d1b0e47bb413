//! The charts in English.

use std::borrow::Cow;

use super::Language::En;
use super::charts::ChartText;
use super::format::{clock, span};

pub fn say(text: &ChartText) -> Cow<'static, str> {
    use ChartText as T;
    Cow::Owned(match text {
        T::Which => return "Chart".into(),
        T::Offsets => return "Offsets".into(),
        T::Shelf => return "Shelf".into(),
        T::Owners => return "Owners".into(),
        T::Nobody => return "nobody".into(),
        T::Believe { count: 2 } => return "two owners".into(),
        T::Believe { count } => format!("{count} owners"),
        T::NoOwners => return "No queue has had an owner yet.".into(),
        T::OneOwnerEach => return "Each queue has had one owner at a time, without a gap.".into(),
        T::Gap { queue, from, until } => format!(
            "{queue} had no owner for {}, from {} to {}.",
            span(En, until.since(*from)),
            clock(*from),
            clock(*until)
        ),
        T::GapSince { queue, from } => format!("{queue} has had no owner since {}.", clock(*from)),
        T::Overlap { queue, from, until } => {
            format!("{queue} had two owners from {} to {}.", clock(*from), clock(*until))
        }
        T::LockColumn => return "lock at the broker".into(),
        T::BeliefColumn => return "by the consumer's own note".into(),
        T::OwnerColumn => return "read by".into(),
        T::Gone { who } => format!("{who} (gone)"),
        T::Queue => return "Queue".into(),
        T::What => return "What".into(),
        T::Who => return "Who".into(),
        T::From => return "From".into(),
        T::Until => return "Until".into(),
        T::MoreRows { count } => format!("{count} more: as a table"),
        T::Time => return "Time".into(),
        T::CountLine { count } => format!("messages {count}"),
        T::SpanLine { span } => format!("offset span {span}"),
        T::CountLimit { limit } => format!("limit of messages: {limit}"),
        T::SpanLimit { limit } => format!("limit of the offset span: {limit}"),
        T::CountColumn => return "Messages".into(),
        T::SpanColumn => return "Offset span".into(),
        T::NoShelf { queue } => format!("{queue}: nothing has been on its shelf yet."),
        T::ShelfSummary { queue, count, count_limit, span, span_limit } => format!(
            "{queue}: {count} on its shelf, pulling is put off above {count_limit}; their offset span is \
             {span}, pulling is put off above {span_limit}."
        ),
        T::ShelfSummaryInOrder { queue, count, count_limit } => {
            format!("{queue}: {count} on its shelf, pulling is put off above {count_limit}.")
        }
    })
}
