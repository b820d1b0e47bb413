//! The words of the sequence view.

use super::Language;
use super::format::{count, left};
use crate::model::time::Millis;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceText {
    Sequence,
    Nothing,
    /// Nothing to tell for so long.
    Cut {
        span: Millis,
    },
    /// Calls of one kind that change nothing.
    Bar {
        number: u16,
        name: &'static str,
        count: u32,
    },
}

impl SequenceText {
    pub fn say(self, language: Language) -> String {
        use SequenceText as T;
        match (self, language) {
            (T::Sequence, Language::En) => "Sequence".to_owned(),
            (T::Sequence, Language::ZhCn) => "时序".to_owned(),
            (T::Nothing, Language::En) => "Nothing has been sent yet.".to_owned(),
            (T::Nothing, Language::ZhCn) => "还没有发送过任何请求。".to_owned(),
            (T::Cut { span }, language) => format!("⟪ {} ⟫", left(language, span)),
            (T::Bar { number, name, count: 1 }, Language::En) => {
                format!("{number} {name}, without news")
            }
            (T::Bar { number, name, count: times }, Language::En) => {
                format!("{number} {name}, {} times, without news", count(u64::from(times)))
            }
            (T::Bar { number, name, count: times }, Language::ZhCn) => {
                format!("{number} {name} 共 {} 次，没有新情况", count(u64::from(times)))
            }
        }
    }
}
