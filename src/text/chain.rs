//! The why-chain: its words around the sentences of the events.

use std::borrow::Cow;
use std::rc::Rc;

use super::{Language, en_chain, zh_chain};
use crate::model::time::Millis;

/// A word of the why-chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChainWord {
    /// The tab, and what asks for a chain.
    Why,
    /// In the inspector: leads to the chain.
    WholeChain,
    /// Under the heading: how to read the list.
    HowToRead,
    /// Nothing is asked about yet.
    NothingAsked,
    /// A second cause, beside the main line.
    AlsoNeeded,
    /// Another cause, which would have done without the one on the main line.
    AlsoEnough,
    /// What kept a pass from its end.
    Because,
    InWords,
    CopyText,
    Copied,
    /// The chain's end: what began it.
    EndsAtPerson,
    EndsAtScript,
    EndsAtTimer,
    EndsAtStart,
    /// It goes on; only so much is shown.
    GoesOn,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChainText {
    /// How long after the event below it this one came.
    Later { span: Millis },
    /// The first sentence of the chain in words.
    Began { at: Millis, sentence: Rc<str> },
    /// Each that follows.
    Then { after: Millis, sentence: Rc<str> },
    /// ... at the same moment.
    AtOnce { sentence: Rc<str> },
    /// The log's button of a row.
    WhyOf { sentence: Rc<str> },
}

impl ChainWord {
    pub const fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => en_chain::word(self),
            Language::ZhCn => zh_chain::word(self),
        }
    }
}

impl ChainText {
    pub fn say(&self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => en_chain::say(self),
            Language::ZhCn => zh_chain::say(self),
        }
    }
}
