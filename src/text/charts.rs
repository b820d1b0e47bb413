//! The words of the charts: which one, what it says in one sentence, the heads of its table.

use std::borrow::Cow;
use std::rc::Rc;

use super::{Language, en_charts, zh_charts};
use crate::model::time::Millis;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChartText {
    /// The choice of chart.
    Which,
    Offsets,
    Shelf,
    Owners,
    // --- owners ---
    Nobody,
    /// So many believe to own it at once.
    Believe {
        count: u32,
    },
    NoOwners,
    /// Each queue had one owner all the time.
    OneOwnerEach,
    Gap {
        queue: Rc<str>,
        from: Millis,
        until: Millis,
    },
    /// It lasts on.
    GapSince {
        queue: Rc<str>,
        from: Millis,
    },
    Overlap {
        queue: Rc<str>,
        from: Millis,
        until: Millis,
    },
    LockColumn,
    BeliefColumn,
    OwnerColumn,
    /// The lock of a client whose process has ended.
    Gone {
        who: Rc<str>,
    },
    Queue,
    What,
    Who,
    From,
    Until,
    MoreRows {
        count: u32,
    },
    // --- shelf ---
    Time,
    CountLine {
        count: i64,
    },
    SpanLine {
        span: i64,
    },
    CountLimit {
        limit: i64,
    },
    SpanLimit {
        limit: i64,
    },
    CountColumn,
    SpanColumn,
    NoShelf {
        queue: Rc<str>,
    },
    ShelfSummary {
        queue: Rc<str>,
        count: i64,
        count_limit: i64,
        span: i64,
        span_limit: i64,
    },
    /// In orderly mode the span is not limited.
    ShelfSummaryInOrder {
        queue: Rc<str>,
        count: i64,
        count_limit: i64,
    },
}

impl ChartText {
    pub fn say(&self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => en_charts::say(self),
            Language::ZhCn => zh_charts::say(self),
        }
    }
}
