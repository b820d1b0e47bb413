//! The words of time and of the room on the page: signs of the time bar, going to a time, what is said aloud
//! of playing, and what can be put away.

use std::borrow::Cow;
use std::rc::Rc;

use super::{Language, en_bar, zh_bar};
use crate::model::time::Millis;

/// What a sign on the time bar stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SignWord {
    Star,
    Act,
    Broken,
    Fault,
    Failed,
    SendBack,
    DelayOver,
    Dead,
    Rebalance,
    Lock,
    Refused,
    Commit,
    /// Two pairs of chevrons.
    FastForward,
    /// A delivery of the real thing, beside the model's.
    Real,
}

/// A word or a sentence that says the same every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BarWord {
    Sign(SignWord),
    /// The button that opens the legend, and its heading.
    Signs,
    SignsTitle,
    GoToTime,
    /// What may be written.
    TimeHint,
    Go,
    Playing,
    /// Reads the screen's darkness to those who cannot see it.
    Blank,
    /// The stage alone, and back.
    Zoom,
    Unzoom,
    // what waits until it is asked for
    ShowCaption,
    HideCaption,
    AlwaysCaption,
    CaptionsWait,
    HidesFuture,
    TeachingTitle,
    // what gave way to the stage
    OpenLog,
    CloseLog,
    More,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BarText {
    Word(BarWord),
    /// A sign, and when.
    SignAt {
        sign: SignWord,
        at: Millis,
    },
    Paused {
        at: Millis,
    },
    TimeMissing,
    NotATime {
        found: Rc<str>,
    },
    /// The run is told up to `last`.
    TooLate {
        last: Millis,
    },
    /// Those of a list that are not shown.
    MoreConsumers {
        count: u64,
    },
    FewerConsumers,
}

impl BarWord {
    pub const fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => en_bar::word(self),
            Language::ZhCn => zh_bar::word(self),
        }
    }
}

impl BarText {
    pub fn say(&self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => en_bar::say(self),
            Language::ZhCn => zh_bar::say(self),
        }
    }
}

/// A figure of the time bar's scale: `1:41`, `1:02:00`.
pub fn on_scale(at: Millis) -> String {
    let seconds = at.ms() / 1_000;
    match seconds / 3_600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}
