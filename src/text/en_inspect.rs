//! The inspector in English.

use super::Language::En;
use super::en_event::{ordinal, times};
use super::format::{clock_short, count, span};
use super::inspect::{AfterFailure, InspectText, InspectWord, JourneyText};
use super::stage::StageText;

pub fn say(text: &InspectText) -> String {
    use InspectText as T;
    match text {
        T::NameServer => "NameServer".to_owned(),
        T::Producer { label } => format!("Producer {label}"),
        T::Broker { name } => format!("Broker {name}"),
        T::CommitLog { broker } => format!("CommitLog of {broker}"),
        T::Queue { label, topic } => format!("{label} · queue of {topic}"),
        T::Message { label, state: _, level: Some(level) } => {
            format!("{label} · delay level {level}")
        }
        T::Message { label, state, level: None } => {
            format!("{label} · {}", stage(StageText::State(*state)))
        }
        T::Level { level, wait } => format!("Delay level {level} · {}", span(En, *wait)),
        T::DeadLetters { group } => format!("%DLQ%{group} · dead letters"),
        T::BrokerLedger { broker } => format!("Offset table of {broker}"),
        T::Lock { queue, owner } => format!("Lock of {queue} · held by {owner}"),
        T::Call { number, name } => format!("Request {number} · {name}"),
        T::Consumer { label, state } => {
            format!("Consumer {label} · {}", stage(StageText::Process(*state)))
        }
        T::Pull { queue, next } => format!("Pull {queue}→{next}"),
        T::Shelf { queue, process } => format!("Shelf {queue} of {process}"),
        T::Belief { queue, process } => format!("Lock of {queue}, as {process} notes it"),
        T::Requests { process } => format!("ConsumeRequests waiting in {process}"),
        T::Worker { process, index } => format!("Worker {} of {process}", index + 1),
        T::ConsumerLedger { process } => format!("Offset table of {process}"),
        T::Rebalance { process } => format!("Rebalance of {process}"),
        T::Gone => "It is not there at this moment".to_owned(),
        T::TriesFailed { failures, tries } => {
            format!("{failures} of {tries} tries {} failed", have(*failures))
        }
        T::TriesFailedForever { failures } => format!("failed {}", times_u32(*failures)),
        _ => why(text),
    }
}

fn why(text: &InspectText) -> String {
    use InspectText as T;
    match text {
        T::WhyStored => "No pull has reached this offset yet.".to_owned(),
        T::WhyNobodyReads => "No consumer reads its queue now.".to_owned(),
        T::WhyWaitsForThread { busy } => {
            format!("It is on the shelf; all {busy} workers are busy, so it waits.")
        }
        T::WhyWaits => "It is on the shelf until a worker takes it.".to_owned(),
        T::WhyRunning { process, nth, then } => {
            let again = if *nth > 1 { format!(", for the {} time", ordinal(*nth)) } else { String::new() };
            let then = after_failure(then);
            format!("A worker of {process} has called the listener with it{again}, and it has not returned yet.{then}")
        }
        T::WhyDone => "The listener returned success; the message has left the shelf.".to_owned(),
        T::WhyFailed => "The listener failed; the worker sends the message back and waits for the answer.".to_owned(),
        T::WhySentBack => {
            "It failed, and the broker has stored a copy to retry later. This record counts as done, so C can pass it.".to_owned()
        }
        T::WhyDelayed { failures, level, wait } => {
            let failed = times_u32(*failures);
            format!(
                "It failed {failed}, so it waits at delay level {level} ({}). Each failure adds one level.",
                span(En, *wait)
            )
        }
        T::WhyAskedDelay { level } => format!("Its producer asked for delay level {level}."),
        T::WhyLocalRetry => {
            "It could not be sent back, so the consumer keeps it and tries it again after 5 s. C cannot pass it."
                .to_owned()
        }
        T::WhyDead { tries } => {
            format!("All {tries} tries failed. No consumer reads the dead letters.")
        }
        T::WhyPinned { offset, label, nth, then } => {
            let at = nth.map_or(String::new(), |nth| format!(", tried for the {} time", ordinal(nth)));
            let then = after_failure(then);
            format!("C stands at the smallest unfinished offset: {offset}, {label}{at}. Later messages that are done do not move C.{then}")
        }
        T::WhyUnreported { offset } => {
            format!("The consumer's own C is {offset} already; the broker learns it with the next report or pull.")
        }
        T::WhyUpToDate => "Everything that was pulled is done and reported.".to_owned(),
        T::WhyHeld { offset } => {
            format!("There is no message at offset {offset} yet, so the broker holds the pull and answers later: long polling.")
        }
        other => why_owned(other),
    }
}

/// Why a lock is whose it is, and why a share.
fn why_owned(text: &InspectText) -> String {
    use InspectText as T;
    match text {
        T::WhyLease { span: time } => {
            format!(
                "A lock lasts {} from its last renewal. Only time or an unlock (request 42) ends it.",
                span(En, *time)
            )
        }
        T::WhyLeaseOwnerGone { owner } => {
            format!(
                "{owner} is gone, but a closed connection ends no lock: it lasts until its time is over."
            )
        }
        T::WhyLeaseThenAsked { owner, until, asker, asks_at } => {
            format!(
                "{owner} is gone, but a closed connection ends no lock. It ends at {}, but {asker} asks again only at {}.",
                clock_short(*until),
                clock_short(*asks_at)
            )
        }
        T::WhyTakenOver { queue, owner, since, believer, left_at, silence, thaws_at } => {
            let thaw = thaws_at.map_or(String::new(), |at| {
                format!(", and will go on with it at {}, when it is no longer frozen", clock_short(at))
            });
            format!(
                "The broker heard nothing of {believer} for more than {} (channelExpiredTimeout) and took it off the group at {}: {queue} and its lock are {owner}'s since {}. {believer} is frozen and still marks {queue} as its own{thaw}.",
                span(En, *silence),
                clock_short(*left_at),
                clock_short(*since)
            )
        }
        T::WhyNoReader => "The group reads its retry queue, but not its dead letters.".to_owned(),
        T::WhyBeliefWrong => {
            "The broker's lock table says otherwise: each side keeps its own note and learns of a change only with the next request.".to_owned()
        }
        T::WhySameLists => {
            "Every consumer of the group sorts the same two lists and works out its own queues; nobody decides for it."
                .to_owned()
        }
        T::WhyAsksOneByOne { done, of } => {
            let (left, done, of) = (count(of.saturating_sub(*done)), count(*done), count(*of));
            format!(
                "The rebalance asks for C queue by queue: {done} of {of} are answered, {left} are left. Pulling begins only when all are there."
            )
        }
        other => silent(other),
    }
}

fn after_failure(then: &AfterFailure) -> String {
    match then {
        AfterFailure::Usual => String::new(),
        AfterFailure::Locally { process, broker } => {
            format!(
                " If it fails, it cannot be sent back while {broker} is down: {process} keeps it and tries it again after 5 s."
            )
        }
        AfterFailure::SameAgain { queue, rest, tries } => {
            let end = match tries {
                Some(tries) => format!("{tries} tries at most"),
                None => {
                    "without limit: in orderly consumption maxReconsumeTimes has none by default"
                        .to_owned()
                }
            };
            let rest = span(En, *rest);
            format!(
                " If it fails, {queue} rests for {rest} (suspendCurrentQueueTimeMillis) and the same message comes again, {end}."
            )
        }
    }
}

/// Why a queue is silent.
fn silent(text: &InspectText) -> String {
    use InspectText as T;
    match text {
        T::SilentLocked { queue, owner, is_gone, until, asker, asks_at } => {
            let gone = if *is_gone { ", which is gone and cannot give it back" } else { "" };
            let asks = match (asker, asks_at) {
                (Some(asker), Some(at)) => {
                    format!(
                        " The queue is assigned to {asker}, which {} {}.",
                        if at >= until {
                            "asks for the lock again only at"
                        } else {
                            "asks for the lock again at"
                        },
                        clock_short(*at)
                    )
                }
                (Some(asker), None) => format!(" {asker} asks for the lock now."),
                _ => String::new(),
            };
            let until = clock_short(*until);
            format!("{queue} is silent: until {until} its lock is held by {owner}{gone}.{asks}")
        }
        T::SilentNobody { queue, looks_at } => {
            let next = looks_at.map_or(String::new(), |at| {
                format!(" The next rebalance is at {}.", clock_short(at))
            });
            format!("{queue} is silent: no consumer reads it now.{next}")
        }
        T::SilentNamesakes { queue, one, other, client } => {
            format!(
                "{queue} is silent: nobody reads it. {one} and {other} have the same client id, {client}, so both take the same share of the queues. The other share stays unread until one gets its own id."
            )
        }
        T::SilentFrozen { queue, process } => {
            format!("{queue} is silent: it is assigned to {process}, which is frozen.")
        }
        T::SilentUnlocked { queue, process, round_at } => {
            let next = round_at.map_or(String::new(), |at| {
                format!(" Its next lock round is at {}.", clock_short(at))
            });
            format!(
                "{queue} is silent: it is assigned to {process}, whose shelf is not marked as locked.{next}"
            )
        }
        T::SilentPutOff { queue, process, reason, until } => {
            let (reason, until) = (super::en_stage::postponed(*reason), clock_short(*until));
            format!("{queue} is silent: {process} has put its pull off until {until} ({reason}).")
        }
        _ => String::new(),
    }
}

pub fn journey(text: &JourneyText) -> String {
    use JourneyText as J;
    match text {
        J::TryThenWait { nth, place, wait } => {
            format!("try {nth} at {place}, then {}", span(En, *wait))
        }
        J::Sent { producer } => format!("sent by {producer}"),
        J::Stored { place } => format!("stored at {place}"),
        J::StoredAgain { topic, place } => format!("into {topic}, {place}"),
        J::OnShelf { process } => format!("on the shelf of {process}"),
        J::Trying { nth, place, process, thread } => {
            format!("try {nth} at {place}, {process} worker {}", thread + 1)
        }
        J::Succeeded { nth, place, process, took } => {
            format!("try {nth} at {place}, {process} done in {}", span(En, *took))
        }
        J::Failed { nth, place, process, result } => {
            format!("try {nth} at {place}, {process} failed ({result})")
        }
        J::SentBack { number: 36 } => "sent back (request 36)".to_owned(),
        J::SentBack { number } => format!("sent to the retry queue (request {number})"),
        J::Delayed { level, wait } => format!("waits at delay level {level} ({})", span(En, *wait)),
        J::KeptLocally { process } => format!("kept in {process}, 5 s"),
        J::Dead { group } => format!("in %DLQ%{group}"),
        J::LockRenewed { owner } => format!("locked or renewed for {owner}"),
        J::LockOwnerGone { owner } => format!("{owner} gone, no unlock"),
        J::LockRefused { asker } => format!("{asker} asked, refused"),
        J::LockHeld { owner } => format!("lock still held by {owner}"),
        J::LockAsked { asker } => format!("{asker} asks again"),
        J::GivenUp => "given up".to_owned(),
        J::WillBeStored { topic, place } => format!("into {topic}, {place}"),
        J::WillTry { nth, process } => format!("try {nth} on {process}"),
        J::WillGoBack { number } => format!("back to the broker (request {number})"),
        J::WillBeDead { group } => format!("into %DLQ%{group}"),
    }
}

fn stage(text: StageText) -> String {
    text.say(En).into_owned()
}

fn have(count: u32) -> &'static str {
    if count == 1 { "has" } else { "have" }
}

fn times_u32(count: u32) -> String {
    times(i32::try_from(count).unwrap_or(i32::MAX))
}

#[expect(clippy::too_many_lines, reason = "a table of one line for each word")]
pub const fn word(word: InspectWord) -> &'static str {
    use InspectWord as W;
    match word {
        W::Topics => "topics",
        W::Brokers => "brokers",
        W::State => "state",
        W::Sent => "messages sent",
        W::NextMessage => "next message",
        W::Records => "records",
        W::LogEnd => "end of the log",
        W::NotDispatched => "not in a queue yet",
        W::Queues => "queues",
        W::Groups => "groups",
        W::HeldPulls => "held pulls",
        W::DelayedMessages => "delayed messages",
        W::MaxOffset => "M, next message's offset",
        W::CommittedOffset => "C, committed offset",
        W::PullOffset => "P, next to pull",
        W::MinOffset => "smallest offset kept",
        W::ClientOffset => "C in the consumer",
        W::InHand => "pulled, not committed, P − C",
        W::Lag => "lag, M − C",
        W::OldestUnfinished => "oldest unfinished",
        W::Reader => "read by",
        W::LockOwner => "lock held by",
        W::Key => "key",
        W::Tag => "tag",
        W::Body => "body",
        W::BornAt => "sent at",
        W::Copies => "stored copies",
        W::Tries => "tries",
        W::Failures => "failures",
        W::Place => "place",
        W::Wait => "wait",
        W::Messages => "messages",
        W::FrontDue => "front is due",
        W::Total => "in all",
        W::Offset => "offset",
        W::Saved => "on disk",
        W::RenewedAt => "renewed at",
        W::EndsAt => "ends at",
        W::From => "from",
        W::To => "to",
        W::SentAt => "sent at",
        W::ArrivesAt => "arrives at",
        W::OnNetwork => "on the network",
        W::SecondCopy => "second copy, same opaque",
        W::HeldBack => "held back until the next one passes",
        W::Carries => "carries",
        W::ClientId => "client id",
        W::Group => "group",
        W::Topic => "topic",
        W::Members => "consumers of the group",
        W::Mine => "assigned queues",
        W::Strategy => "strategy",
        W::NextOffset => "nextOffset",
        W::Since => "since",
        W::Until => "until",
        W::Reason => "reason",
        W::CommitCarried => "C that it carries",
        W::Count => "messages",
        W::Bytes => "bytes",
        W::Span => "offset span",
        W::FirstKey => "smallest in msgTreeMap",
        W::LastKey => "largest in msgTreeMap",
        W::Dropped => "given up",
        W::Locked => "locked here",
        W::LastPull => "last pull",
        W::LastConsume => "last consume",
        W::WaitingRequests => "waiting ConsumeRequests",
        W::Message => "message",
        W::Elapsed => "runs since",
        W::Takes => "listener takes",
        W::Timeout => "consumeTimeout",
        W::Batch => "messages in the batch",
        W::Busy => "busy workers",
        W::PoolSize => "workers",
        W::Reported => "reported",
        W::Step => "step of start()",
        W::Subscription => "subscription",
        W::Yes => "yes",
        W::No => "no",
        W::Up => "up",
        W::Down => "down",
        W::Nobody => "nobody",
        W::Nothing => "nothing",
        W::InPass => "made by the rebalance, handed over at its end",
        W::OnBelt => "in the PullRequestQueue",
        W::AtSeat => "with the pull thread",
        W::OnWire => "awaits answer",
        W::OnBench => "held by the broker",
        W::PutOff => "pull put off",
        W::NotReported => "not reported yet",
        W::Idle => "idle",
        W::Ledger => "Offsets",
        W::Locks => "Locks",
        W::Bench => "Held pulls",
        W::Levels => "Delay levels",
        W::Configuration => "Configuration",
        W::Subscriptions => "Subscriptions",
        W::Steps => "Steps of start()",
        W::Fields => "Fields",
        W::ReadersInTurn => "Read by, in turn",
        W::QueuesInTurn => "Queues, in turn",
        W::UntilNow => "now",
    }
}
