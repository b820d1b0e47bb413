//! Every word of the interface: one variant for each sentence, one exhaustive match for each
//! language, so the compiler refuses a missing sentence and a wrong argument.
//!
//! `Text` is put together from one enum for each region of the page; each has its own file with
//! both languages side by side in `en_*.rs` and `zh_*.rs`. RocketMQ's own names (topics, classes,
//! codes, keys) are the same in both languages and are arguments, not words.
//!
//! Never imports a room other than `model`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub mod bar;
pub mod chain;
pub mod charts;
pub mod checks;
pub mod command;
mod en_bar;
mod en_chain;
mod en_charts;
mod en_checks;
mod en_command;
mod en_event;
mod en_fault;
mod en_help;
mod en_inspect;
mod en_page;
mod en_stage;
mod en_wait;
pub mod event;
pub mod fault;
pub mod format;
pub mod help;
pub mod inspect;
pub mod journey;
pub mod page;
pub mod sequence;
pub mod stage;
pub mod term;
mod term_of;
pub mod terms;
pub mod wait;
pub mod why;
mod zh_bar;
mod zh_chain;
mod zh_charts;
mod zh_checks;
mod zh_command;
mod zh_event;
mod zh_fault;
mod zh_help;
mod zh_inspect;
mod zh_page;
mod zh_stage;
mod zh_wait;

pub use chain::{ChainText, ChainWord};
pub use event::EventText;
pub use help::HelpText;
pub use inspect::InspectText;
pub use page::PageText;
pub use stage::StageText;
pub use term::Term;
pub use wait::WaitText;

#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Language {
    #[default]
    En,
    ZhCn,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::En, Language::ZhCn];

    /// For the `lang` attribute.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::ZhCn => "zh-Hans",
        }
    }

    /// The one that a control switches to.
    pub const fn other(self) -> Language {
        match self {
            Language::En => Language::ZhCn,
            Language::ZhCn => Language::En,
        }
    }

    /// The language of a browser's or a link's tag. Any Chinese gets the Simplified words.
    pub fn from_tag(tag: &str) -> Option<Language> {
        let tag = tag.to_ascii_lowercase();
        match tag.split(['-', '_']).next() {
            Some("zh") => Some(Language::ZhCn),
            Some("en") => Some(Language::En),
            _ => None,
        }
    }

    /// Whether the tag is of someone who reads traditional Chinese characters: by its script, else by
    /// the place.
    pub fn is_traditional(tag: &str) -> bool {
        let tag = tag.to_ascii_lowercase();
        let mut parts = tag.split(['-', '_']);
        let is_chinese = parts.next() == Some("zh");
        let says = |part: &str| match part {
            "hant" | "tw" | "hk" | "mo" => Some(true),
            "hans" | "cn" | "sg" => Some(false),
            _ => None,
        };
        is_chinese && parts.find_map(says).unwrap_or(false)
    }
}

/// A sentence or a word of the interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    Stage(StageText),
    Page(PageText),
    Help(HelpText),
    Event(EventText),
    Wait(WaitText),
    Inspect(InspectText),
}

impl From<StageText> for Text {
    fn from(text: StageText) -> Text {
        Text::Stage(text)
    }
}

impl From<PageText> for Text {
    fn from(text: PageText) -> Text {
        Text::Page(text)
    }
}

impl From<HelpText> for Text {
    fn from(text: HelpText) -> Text {
        Text::Help(text)
    }
}

impl From<EventText> for Text {
    fn from(text: EventText) -> Text {
        Text::Event(text)
    }
}

impl From<WaitText> for Text {
    fn from(text: WaitText) -> Text {
        Text::Wait(text)
    }
}

impl From<InspectText> for Text {
    fn from(text: InspectText) -> Text {
        Text::Inspect(text)
    }
}

pub fn say(language: Language, text: &Text) -> Cow<'static, str> {
    match text {
        Text::Stage(text) => text.say(language),
        Text::Page(text) => text.say(language),
        Text::Help(text) => Cow::Borrowed(text.say(language)),
        Text::Event(text) => text.say(language),
        Text::Wait(text) => Cow::Owned(text.say(language)),
        Text::Inspect(text) => Cow::Owned(text.say(language)),
    }
}
