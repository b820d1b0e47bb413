//! Time and room on the page, in English.

use std::borrow::Cow;

use super::bar::{BarText, BarWord, SignWord};
use super::format;

pub const fn word(word: BarWord) -> &'static str {
    use BarWord as W;
    match word {
        W::Sign(sign) => self::sign(sign),
        W::Signs => "Signs",
        W::SignsTitle => "Signs on the time bar",
        W::GoToTime => "Go to a time",
        W::TimeHint => "Time, such as 1:41, 101 s or 1m41s",
        W::Go => "Go",
        W::Playing => "Playing",
        W::Blank => "The screen is blank. Any key, or a tap, brings the page back.",
        W::Zoom => "Stage alone",
        W::Unzoom => "Whole page",
        W::ShowCaption => "Show the caption",
        W::HideCaption => "Hide the caption",
        W::AlwaysCaption => "Always show it",
        W::CaptionsWait => "Captions wait until they are asked for (H)",
        W::HidesFuture => "What is still to come stays hidden on the time bar and in the log (U)",
        W::TeachingTitle => "In front of a class",
        W::OpenLog => "Log, charts",
        W::CloseLog => "Close",
        W::More => "More",
    }
}

const fn sign(sign: SignWord) -> &'static str {
    match sign {
        SignWord::Star => "a step of the walkthrough",
        SignWord::Act => "you did something",
        SignWord::Broken => "a check broke",
        SignWord::Fault => "a fault: a crash, a freeze, a stop or a lost packet",
        SignWord::Failed => "a message failed in the listener",
        SignWord::SendBack => "a failed message was sent back, or waits for its retry",
        SignWord::DelayOver => "a delay was over: the message moved on",
        SignWord::Dead => "a message went to the dead letters",
        SignWord::Rebalance => "a rebalance gave out queues",
        SignWord::Lock => "the lock of a queue was taken or given up",
        SignWord::Refused => "the lock of a queue was refused",
        SignWord::Commit => "the broker saved a new C",
        SignWord::FastForward => "fast-forward: a long wait, shown in about a second",
        SignWord::Real => "the real RocketMQ delivered here",
    }
}

pub fn say(text: &BarText) -> Cow<'static, str> {
    use BarText as T;
    Cow::Owned(match text {
        T::Word(word) => return Cow::Borrowed(self::word(*word)),
        T::SignAt { sign, at } => format!("{} {}", format::clock(*at), self::sign(*sign)),
        T::Paused { at } => format!("Paused at {}", format::clock(*at)),
        T::TimeMissing => return Cow::Borrowed("Write a time: 1:41, 101 s or 1m41s."),
        T::NotATime { found } => {
            format!("“{found}” cannot be read as a time. Write 1:41, 101 s or 1m41s.")
        }
        T::TooLate { last } => {
            format!("This run is told up to {}. Go there, and Play tells on.", format::clock(*last))
        }
        T::MoreConsumers { count } => format!("{count} more, without a queue"),
        T::FewerConsumers => return Cow::Borrowed("Only those with queues"),
    })
}
