//! Which term a word of the page stands for: its state, its heading, its rule.

use super::Term;
use super::checks::RuleText;
use super::stage::{PullWord, StageWord, StateWord};

impl StateWord {
    pub const fn term(self) -> Term {
        match self {
            StateWord::Stored => Term::Stored,
            StateWord::Waiting => Term::Waiting,
            StateWord::Running => Term::Running,
            StateWord::Done => Term::Done,
            StateWord::Failed => Term::Failed,
            StateWord::SentBack => Term::SentBack,
            StateWord::Delayed => Term::Delayed,
            StateWord::LocalRetry => Term::LocalRetry,
            StateWord::Again => Term::Again,
            StateWord::Dead => Term::Dead,
            StateWord::Lost => Term::Lost,
        }
    }
}

impl PullWord {
    /// What its place means, where that is more than where it stands.
    pub const fn term(self) -> Option<Term> {
        match self {
            PullWord::InPass => Some(Term::Rebalance),
            PullWord::Belt | PullWord::Seat => Some(Term::PullThread),
            PullWord::Away => Some(Term::AwaitsAnswer),
            PullWord::Bench => Some(Term::LongPolling),
            PullWord::Postponed => Some(Term::PutOff),
        }
    }
}

impl StageWord {
    /// Of headings and labels that name a thing.
    pub const fn term(self) -> Option<Term> {
        use StageWord as W;
        Some(match self {
            W::Producer => Term::Producer,
            W::Broker => Term::Broker,
            W::NameServer => Term::NameServer,
            W::Consumers => Term::Consumer,
            W::Log => Term::CommitLog,
            W::NoLag => Term::Lag,
            W::HeldPulls | W::NotHeld => Term::HeldPulls,
            W::AwaitsAnswer => Term::AwaitsAnswer,
            W::NoReader => Term::DeadLetters,
            W::DelayLevels => Term::DelayLevels,
            W::Offsets | W::Saved | W::NotSaved | W::LocalFile => Term::Offsets,
            W::Unsent | W::Reported => Term::UnreportedC,
            W::LockTable => Term::LockTable,
            W::Renewed | W::LeftHeading | W::Expired | W::Owner | W::KeyLock => Term::LockLease,
            W::CutHere => Term::Cut,
            W::Master | W::Slave => Term::MasterSlave,
            W::StillAtBroker => Term::Lost,
            W::LockedHere | W::NotLockedHere | W::Differs => Term::LocalLock,
            W::Pull | W::PullShort => Term::Pull,
            W::Shelves | W::ShelfEmpty => Term::Shelf,
            W::Dropped => Term::GivenUp,
            W::SmallestUnfinished => Term::SmallestUnfinished,
            W::Workers | W::RunsFor | W::SecondsRun | W::KeyThread => Term::Workers,
            W::PullThread => Term::PullThread,
            W::Rebalance | W::NoneHandedOver => Term::Rebalance,
            W::Queues => Term::Queue,
            W::Members => Term::Member,
            W::KeyPulled => Term::PullOffset,
            W::KeySaved => Term::CommittedOffset,
            W::KeyNewest => Term::MaxOffset,
            W::KeyIsOffset => Term::Offset,
            W::Reader | W::WhoOwns => Term::Assigned,
            W::Stage
            | W::Network
            | W::Older
            | W::Empty
            | W::NotUsedHere
            | W::WritesForbidden
            | W::You
            | W::NothingPlanned
            | W::CallLost
            | W::CallHeld
            | W::CallAgain
            | W::Refused
            | W::OneQueue
            | W::OneMessage
            | W::Nobody
            | W::NothingFollowed
            | W::TwinHeading => return None,
        })
    }
}

impl RuleText {
    /// What a condition is about; the invariants say it themselves.
    pub const fn term(self) -> Option<Term> {
        match self {
            RuleText::NothingLost => Some(Term::NothingLost),
            RuleText::NothingTwice => Some(Term::Twice),
            RuleText::CommitMoves => Some(Term::CommitStill),
            RuleText::NoSilence => Some(Term::Silent),
            RuleText::OneOwner => Some(Term::TwoOwners),
            _ => None,
        }
    }
}
