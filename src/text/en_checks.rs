//! The live checks in English.

use std::borrow::Cow;

use super::checks::{CheckText, FindingText, RuleText, ScopeText};
use super::format::clock;

pub const fn rule(rule: RuleText) -> &'static str {
    use RuleText as R;
    match rule {
        R::NothingLost => {
            "Nothing is lost: each message that the group wants is delivered or still waits."
        }
        R::NothingTwice => {
            "Nothing is delivered twice: no record comes again once a call with it succeeded or was cut off."
        }
        R::CommitMoves => {
            "C moves: it does not stand still for 30 s while there is something to commit."
        }
        R::NoSilence => "No queue is silent for 30 s: where messages wait, a listener is called.",
        R::OneOwner => "No two owners: no two consumers of a group read one queue at once.",
        R::T1 => "Nothing happens in the past, and nothing on the agenda is left behind.",
        R::B1 => "Offsets of a queue have no gap, and each keeps its message.",
        R::B2 => "The smallest offset of a queue is not above its largest.",
        R::B3 => "Along a queue, places in the CommitLog increase.",
        R::B4 => "Along the CommitLog, store times do not decrease.",
        R::B5 => "Within one delay level, due times do not decrease.",
        R::B6 => "A delayed message is in its topic only after its delay.",
        R::B7 => "At the broker, a queue is locked for one client at most.",
        R::B8 => "A lock goes to another only when given back, or 60 s after its last renewal.",
        R::B9 => "A retry counts one more failure than the message that failed.",
        R::B10 => "Only what failed too often, or was told to, becomes a dead letter.",
        R::B11 => "A held pull is answered after 20 s at the latest.",
        R::B12 => "Each consumer of a group is notified when one joins or leaves.",
        R::B13 => "A group's retry queues keep the number they were made with.",
        R::B14 => {
            "C at the broker does not go back; after a reset, a restart or with two owners it may."
        }
        R::B15 => "A pull is served only by a subscription as new as its own.",
        R::B16 => "An empty queue without a stored offset answers as its version does.",
        R::B17 => "A dead letter reaches its queue when its version says so.",
        R::C1 => "Each shelf in use has exactly one pull.",
        R::C2 => "Results for a shelf that was given up do not count.",
        R::C3 => "A shelf counts what it holds, and one that was given up stays so.",
        R::C4 => "A shelf holds no more than its limit and one batch.",
        R::C5 => "The consumer's own C never passes its smallest unfinished offset.",
        R::C6 => "A consumer's own C does not go back while it reads the queue.",
        R::C7 => "No more workers run than the pool's core size.",
        R::C8 => "Orderly: one listener call for each queue at a time.",
        R::C9 => "Orderly: offsets reach the listener in increasing order.",
        R::C10 => "Orderly: a call begins only under a lock that is not older than 30 s.",
        R::C11 => "Pulls of a queue go forward.",
        R::C12 => "Between two rebalances a consumer reads only what it worked out for itself.",
        R::C13 => "Rebalances are neither too far apart nor too close.",
        R::C14 => "A new C is reported within 5 s.",
        R::C15 => "A consumer reports only offsets of its own.",
        R::C16 => "Since 5.0.0 the first pull of a queue waits 500 ms.",
        R::C17 => {
            "After the pool is stopped no call begins, and each running one is interrupted once."
        }
        R::C18 => "After signing off a client reports nothing.",
        R::C19 => "An empty shelf counts no bytes.",
        R::C20 => "A client closes a connection only after a synchronous time-out, since 4.9.1.",
        R::X1 => "What is committed was delivered, and at rest nothing is forgotten.",
        R::X2 => "What is committed is done or was sent back.",
        R::X3 => "Consumers that see the same lists divide the queues among them.",
        R::X4 => "Once all consumers of a group agree, each queue has one owner at most.",
        R::X5 => "Orderly: one consumer at a time works on a queue.",
        R::X6 => "Orderly: first deliveries of a queue come in the order of its offsets.",
        R::X8 => "What succeeded is not delivered again.",
        R::X9 => "A message that always fails comes to an end: 16 retries, then a dead letter.",
        R::X10 => "In broadcasting each client has each message once.",
        R::X11 => "What was pulled is on the shelf or done.",
        R::X12 => "Each send-back that succeeds stores exactly one record.",
        R::X13 => "A failed call has no more copies than attempts to send it back.",
        R::X14 => "Orderly: a queue that moves brings one batch again at most.",
    }
}

pub const fn scope(scope: ScopeText) -> &'static str {
    match scope {
        ScopeText::Always => "always",
        ScopeText::OnceInOrder => "always, unless the network doubles or reorders",
        ScopeText::Partly => "always; one half only without faults",
        ScopeText::WithoutFaults => "without faults",
        ScopeText::Hint => "a hint, no promise",
        ScopeText::Clustering => "always, in clustering",
    }
}

pub fn finding(text: &FindingText) -> Cow<'static, str> {
    use FindingText as T;
    Cow::Owned(match text {
        T::Rule(rule) => return Cow::Borrowed(self::rule(*rule)),
        T::Skipped { message } => {
            format!("{message} is lost to the group: C went past it, and no listener ever had it.")
        }
        T::Discarded { message } => {
            format!("{message} is lost: it failed, and the group has no retry queue.")
        }
        T::LostWithBroker { broker } => {
            format!("{broker} went down with messages that no listener had yet.")
        }
        T::Twice { message, process } => {
            format!("{message} is delivered again, to {process}.")
        }
        T::Still { queue, at, since } => {
            format!("{queue}: C has stood at {at} since {}.", clock(*since))
        }
        T::Silent { queue, since } => {
            format!("{queue} has been silent since {}, and messages wait.", clock(*since))
        }
        T::TwoOwners { queue, first, second } => {
            format!("{queue} has two owners: {first} and {second}.")
        }
    })
}

pub fn say(text: CheckText) -> Cow<'static, str> {
    use CheckText as T;
    Cow::Borrowed(match text {
        T::Checks | T::Tab { broken: 0 } => "Checks",
        T::Tab { broken } => return Cow::Owned(format!("Checks: {broken} broken")),
        T::BrokenHere => "✖: a check is broken at this thing. The list under Checks says which.",
        T::Conditions => "Conditions",
        T::Invariants => "Invariants",
        T::StopsAtBreak => "Playing stops where one breaks",
        T::ColumnRule => "What must hold",
        T::ColumnScope => "When it is asked",
        T::ColumnState => "State",
        T::Holds => "holds",
        T::Checking => "checking …",
        T::NotAsked { since } => {
            return Cow::Owned(format!("not asked since the fault at {}", clock(since)));
        }
        T::BrokeAt { at } => return Cow::Owned(format!("broke at {}", clock(at))),
        T::WillBreakAt { at } => return Cow::Owned(format!("will break at {}", clock(at))),
        T::Count { broken: 0, of } => return Cow::Owned(format!("All {of} hold here.")),
        T::Count { broken, of } => {
            return Cow::Owned(format!("{broken} of {of} are broken here."));
        }
    })
}
