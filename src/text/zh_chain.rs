//! The why-chain in Chinese.

use std::borrow::Cow;

use super::Language::ZhCn;
use super::chain::{ChainText, ChainWord};
use super::format::{clock_short, span};

pub const fn word(word: ChainWord) -> &'static str {
    use ChainWord as W;
    match word {
        W::Why => "原因",
        W::WholeChain => "完整原因链",
        W::HowToRead => "最新的在最上面；每一行都由它下面那一行引起。",
        W::NothingAsked => {
            "在画面上选一个对象，或者在日志里选一行：这里会一直追到源头，看是谁引起的。"
        }
        W::AlsoNeeded => "同时还需要",
        W::AlsoEnough => "没有它，这一条也会引起",
        W::Because => "因为",
        W::InWords => "用一段话说",
        W::CopyText => "复制为文本",
        W::Copied => "原因链已复制。",
        W::EndsAtPerson => "源头是你的操作。",
        W::EndsAtScript => "源头是场景里的安排。",
        W::EndsAtTimer => "源头是它自己的定时任务。",
        W::EndsAtStart => "一开始就是这样。",
        W::GoesOn => "再往前还有，这里只列到这一步。",
    }
}

pub fn say(text: &ChainText) -> Cow<'static, str> {
    use ChainText as T;
    Cow::Owned(match text {
        T::Later { span: time } => format!("{}后", span(ZhCn, *time)),
        T::Began { at, sentence } => format!("起因在 {}：{sentence}。", clock_short(*at)),
        T::Then { after, sentence } => format!("{}后，{sentence}。", span(ZhCn, *after)),
        T::AtOnce { sentence } => format!("紧接着，{sentence}。"),
        T::WhyOf { sentence } => format!("为什么：{sentence}"),
    })
}
