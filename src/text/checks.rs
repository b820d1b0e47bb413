//! The words of the live checks: what each rule says, how it stands, what broke it.

use std::borrow::Cow;
use std::rc::Rc;

use super::{Language, en_checks, zh_checks};
use crate::model::time::Millis;

/// A rule that is checked: a named condition, or an invariant under its id in spec 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleText {
    NothingLost,
    NothingTwice,
    CommitMoves,
    NoSilence,
    OneOwner,
    T1,
    B1,
    B2,
    B3,
    B4,
    B5,
    B6,
    B7,
    B8,
    B9,
    B10,
    B11,
    B12,
    B13,
    B14,
    B15,
    B16,
    B17,
    C1,
    C2,
    C3,
    C4,
    C5,
    C6,
    C7,
    C8,
    C9,
    C10,
    C11,
    C12,
    C13,
    C14,
    C15,
    C16,
    C17,
    C18,
    C19,
    C20,
    X1,
    X2,
    X3,
    X4,
    X5,
    X6,
    X8,
    X9,
    X10,
    X11,
    X12,
    X13,
    X14,
}

impl RuleText {
    /// Conditions first, then the invariants in the order of spec 12.
    pub const ALL: [RuleText; 56] = [
        RuleText::NothingLost,
        RuleText::NothingTwice,
        RuleText::CommitMoves,
        RuleText::NoSilence,
        RuleText::OneOwner,
        RuleText::T1,
        RuleText::B1,
        RuleText::B2,
        RuleText::B3,
        RuleText::B4,
        RuleText::B5,
        RuleText::B6,
        RuleText::B7,
        RuleText::B8,
        RuleText::B9,
        RuleText::B10,
        RuleText::B11,
        RuleText::B12,
        RuleText::B13,
        RuleText::B14,
        RuleText::B15,
        RuleText::B16,
        RuleText::B17,
        RuleText::C1,
        RuleText::C2,
        RuleText::C3,
        RuleText::C4,
        RuleText::C5,
        RuleText::C6,
        RuleText::C7,
        RuleText::C8,
        RuleText::C9,
        RuleText::C10,
        RuleText::C11,
        RuleText::C12,
        RuleText::C13,
        RuleText::C14,
        RuleText::C15,
        RuleText::C16,
        RuleText::C17,
        RuleText::C18,
        RuleText::C19,
        RuleText::C20,
        RuleText::X1,
        RuleText::X2,
        RuleText::X3,
        RuleText::X4,
        RuleText::X5,
        RuleText::X6,
        RuleText::X8,
        RuleText::X9,
        RuleText::X10,
        RuleText::X11,
        RuleText::X12,
        RuleText::X13,
        RuleText::X14,
    ];

    /// As in spec 12; empty for a condition.
    pub const fn id(self) -> &'static str {
        match self {
            RuleText::NothingLost => "",
            RuleText::NothingTwice => "",
            RuleText::CommitMoves => "",
            RuleText::NoSilence => "",
            RuleText::OneOwner => "",
            RuleText::T1 => "T1",
            RuleText::B1 => "B1",
            RuleText::B2 => "B2",
            RuleText::B3 => "B3",
            RuleText::B4 => "B4",
            RuleText::B5 => "B5",
            RuleText::B6 => "B6",
            RuleText::B7 => "B7",
            RuleText::B8 => "B8",
            RuleText::B9 => "B9",
            RuleText::B10 => "B10",
            RuleText::B11 => "B11",
            RuleText::B12 => "B12",
            RuleText::B13 => "B13",
            RuleText::B14 => "B14",
            RuleText::B15 => "B15",
            RuleText::B16 => "B16",
            RuleText::B17 => "B17",
            RuleText::C1 => "C1",
            RuleText::C2 => "C2",
            RuleText::C3 => "C3",
            RuleText::C4 => "C4",
            RuleText::C5 => "C5",
            RuleText::C6 => "C6",
            RuleText::C7 => "C7",
            RuleText::C8 => "C8",
            RuleText::C9 => "C9",
            RuleText::C10 => "C10",
            RuleText::C11 => "C11",
            RuleText::C12 => "C12",
            RuleText::C13 => "C13",
            RuleText::C14 => "C14",
            RuleText::C15 => "C15",
            RuleText::C16 => "C16",
            RuleText::C17 => "C17",
            RuleText::C18 => "C18",
            RuleText::C19 => "C19",
            RuleText::C20 => "C20",
            RuleText::X1 => "X1",
            RuleText::X2 => "X2",
            RuleText::X3 => "X3",
            RuleText::X4 => "X4",
            RuleText::X5 => "X5",
            RuleText::X6 => "X6",
            RuleText::X8 => "X8",
            RuleText::X9 => "X9",
            RuleText::X10 => "X10",
            RuleText::X11 => "X11",
            RuleText::X12 => "X12",
            RuleText::X13 => "X13",
            RuleText::X14 => "X14",
        }
    }

    pub fn of_id(id: &str) -> Option<RuleText> {
        RuleText::ALL.into_iter().find(|rule| !id.is_empty() && rule.id() == id)
    }

    pub const fn is_condition(self) -> bool {
        self.id().is_empty()
    }

    pub const fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => en_checks::rule(self),
            Language::ZhCn => zh_checks::rule(self),
        }
    }
}

/// When a rule is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeText {
    Always,
    /// Until the network doubles or reorders.
    OnceInOrder,
    /// One half of it only without faults.
    Partly,
    WithoutFaults,
    /// Worth a look, not a promise.
    Hint,
    /// Always, in groups that share their queues.
    Clustering,
}

/// What broke a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingText {
    /// Nothing more than the rule itself.
    Rule(RuleText),
    Skipped {
        message: Rc<str>,
    },
    Discarded {
        message: Rc<str>,
    },
    LostWithBroker {
        broker: Rc<str>,
    },
    Twice {
        message: Rc<str>,
        process: Rc<str>,
    },
    Still {
        queue: Rc<str>,
        at: i64,
        since: Millis,
    },
    Silent {
        queue: Rc<str>,
        since: Millis,
    },
    TwoOwners {
        queue: Rc<str>,
        first: Rc<str>,
        second: Rc<str>,
    },
}

/// What else is said of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckText {
    Checks,
    /// The ✖ at a thing on the stage.
    BrokenHere,
    /// The tab, with the number of the broken ones.
    Tab {
        broken: u32,
    },
    Conditions,
    Invariants,
    /// The switch: playing stops at a break.
    StopsAtBreak,
    ColumnRule,
    ColumnScope,
    ColumnState,
    Holds,
    NotAsked {
        since: Millis,
    },
    BrokeAt {
        at: Millis,
    },
    WillBreakAt {
        at: Millis,
    },
    /// How many are broken at the moment shown, of how many.
    Count {
        broken: u32,
        of: u32,
    },
    /// Rules are still being checked.
    Checking,
}

impl ScopeText {
    pub const fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => en_checks::scope(self),
            Language::ZhCn => zh_checks::scope(self),
        }
    }
}

impl FindingText {
    pub fn say(&self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => en_checks::finding(self),
            Language::ZhCn => zh_checks::finding(self),
        }
    }
}

impl CheckText {
    pub fn say(self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => en_checks::say(self),
            Language::ZhCn => zh_checks::say(self),
        }
    }
}
