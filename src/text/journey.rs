//! The rows of a journey: a message's, and that of a lock.

use std::rc::Rc;

use super::{Language, en_inspect, zh_inspect};
use crate::model::time::Millis;

/// A row of a message's journey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JourneyText {
    /// An old try, in one line with the wait after it.
    TryThenWait {
        nth: u32,
        place: Rc<str>,
        wait: Millis,
    },
    Sent {
        producer: Rc<str>,
    },
    Stored {
        place: Rc<str>,
    },
    StoredAgain {
        topic: Rc<str>,
        place: Rc<str>,
    },
    OnShelf {
        process: Rc<str>,
    },
    Trying {
        nth: u32,
        place: Rc<str>,
        process: Rc<str>,
        thread: u32,
    },
    Succeeded {
        nth: u32,
        place: Rc<str>,
        process: Rc<str>,
        took: Millis,
    },
    Failed {
        nth: u32,
        place: Rc<str>,
        process: Rc<str>,
        result: &'static str,
    },
    SentBack {
        number: u16,
    },
    Delayed {
        level: u32,
        wait: Millis,
    },
    KeptLocally {
        process: Rc<str>,
    },
    Dead {
        group: Rc<str>,
    },
    GivenUp,
    // of a lock
    LockRenewed {
        owner: Rc<str>,
    },
    LockOwnerGone {
        owner: Rc<str>,
    },
    LockRefused {
        asker: Rc<str>,
    },
    LockHeld {
        owner: Rc<str>,
    },
    LockAsked {
        asker: Rc<str>,
    },
    // to come
    WillBeStored {
        topic: Rc<str>,
        place: Rc<str>,
    },
    WillTry {
        nth: u32,
        process: Rc<str>,
    },
    WillGoBack {
        number: u16,
    },
    WillBeDead {
        group: Rc<str>,
    },
}

impl JourneyText {
    pub fn say(&self, language: Language) -> String {
        match language {
            Language::En => en_inspect::journey(self),
            Language::ZhCn => zh_inspect::journey(self),
        }
    }
}
