//! The why-chain in English.

use std::borrow::Cow;

use super::Language::En;
use super::chain::{ChainText, ChainWord};
use super::format::{clock_short, span};

pub const fn word(word: ChainWord) -> &'static str {
    use ChainWord as W;
    match word {
        W::Why => "Why",
        W::WholeChain => "Whole chain",
        W::HowToRead => "Newest first. Each happened because of the one below it.",
        W::NothingAsked => {
            "Choose something on the stage, or a row of the log: here is what led to it, back to the one who began it."
        }
        W::AlsoNeeded => "also needed",
        W::AlsoEnough => "would have been enough too",
        W::Because => "because",
        W::InWords => "In words",
        W::CopyText => "Copy as text",
        W::Copied => "The chain is copied.",
        W::EndsAtPerson => "You began it.",
        W::EndsAtScript => "The scenario began it.",
        W::EndsAtTimer => "A timer of its own began it.",
        W::EndsAtStart => "It was so from the start.",
        W::GoesOn => "It goes further back; only this much is shown.",
    }
}

pub fn say(text: &ChainText) -> Cow<'static, str> {
    use ChainText as T;
    Cow::Owned(match text {
        T::Later { span: time } => format!("{} later", span(En, *time)),
        T::Began { at, sentence } => format!("It began at {}: {sentence}.", clock_short(*at)),
        T::Then { after, sentence } => format!("{} later {sentence}.", span(En, *after)),
        T::AtOnce { sentence } => format!("At once {sentence}."),
        T::WhyOf { sentence } => format!("Why: {sentence}"),
    })
}
