//! The stage in English.

use std::borrow::Cow;

use super::Language::En;
use super::format::{clock_short, count, left, span, tenths};
use super::stage::{
    MarkName, PostponeWord, ProcessWord, PullWord, StageText, StageWord, StateWord, StationText,
    WhyText,
};

pub fn say(text: &StageText) -> Cow<'static, str> {
    use StageText as T;
    let words = match text {
        T::Word(word) => return Cow::Borrowed(self::word(*word)),
        T::Name(name) => spoken(name),
        T::Process(word) => return Cow::Borrowed(process(*word)),
        T::Postponed { reason } => return Cow::Borrowed(postponed(*reason)),
        T::State(word) => return Cow::Borrowed(state(*word)),
        T::CallWord { number } => return Cow::Borrowed(call(*number)),
        T::StartStep { step } => return Cow::Borrowed(start_step(*step)),
        T::BrokerQueue { queue } => format!("Broker, {queue}"),
        T::ShelfOf { process } => format!("{process}, shelf"),
        T::PullAt { place, left: None } => format!("pull: {}", pull_place(*place)),
        T::PullAt { place, left: Some(rest) } => {
            format!("pull: {}, {}", pull_place(*place), left(En, *rest))
        }
        T::Station(station) => self::station(station),
        T::Why(why) => self::why(why),
        T::ConsumersOfGroup { group } => format!("Consumers of group {group}"),
        T::InHand { count } => format!("pulled, not committed {count}"),
        T::InHandShort { count } => format!("not committed {count}"),
        T::Lag { count } => format!("lag {count}"),
        T::LagOldest { count, age } => format!("lag {count} · oldest {}", left(En, *age)),
        T::Unreported { offset, left: None } => format!("→ {offset}"),
        T::Unreported { offset, left: Some(rest) } => format!("→ {offset} in {}", left(En, *rest)),
        T::PullEndedWith { offset, process, in_full: false } => {
            format!("P {offset} was {process}'s")
        }
        T::PullEndedWith { offset, process, in_full: true } => {
            format!("{process} had pulled to P {offset}; all still here")
        }
        T::ReadBy { process } => format!("read by {process}"),
        T::PullsMade { count: made } => format!("{} made", count(*made)),
        T::StoreSlower { by } => format!("store +{}", span(En, *by)),
        T::AsksAgainIn { left: rest } => format!("asks again in {}", left(En, *rest)),
        T::MoreQueues { count } => format!("{count} more"),
        T::LeftOf { left: rest, of } => left_of(rest.ms(), of.ms()),
        T::Late { by } => format!("{} late", left(En, *by)),
        T::UpTo { wait } => format!("… {}", span(En, *wait)),
        T::Wait { wait } => span(En, *wait),
        T::Locked { owner, left: rest } => format!("{owner}: {}", left(En, *rest)),
        T::TryShort { nth } => format!("try {nth}"),
        T::TimeShort { nth } => format!("{} time", ordinal(*nth)),
        T::FailureLevel { failures, level } => format!("failure {failures}: delay level {level}"),
        T::Shelf { queue } => format!("Shelf {queue}"),
        T::EmptyShelves { queues } => format!("empty: {queues}"),
        T::Span { span, limit } => format!("offset span {span}, limit {limit}"),
        T::CountOf { count, limit } => format!("{count} of {limit}"),
        T::WorkersBusy { busy, size, waiting: 0 } => format!("{busy} of {size} busy"),
        T::WorkersBusy { busy, size, waiting } => {
            format!(
                "{busy} of {size} busy · {} {}",
                count(*waiting),
                plural(*waiting, "waits", "wait")
            )
        }
        T::BusyShort { busy, size } => format!("{busy}/{size}"),
        T::MoreSeats { count } => format!("+{count}"),
        T::Ago { span } => format!("{} ago", left(En, *span)),
        T::Left { left: rest } => left(En, *rest),
        T::HalfDone { labels } => format!("{labels} half done"),
        T::LastCall { number } => return Cow::Borrowed(last_call(*number)),
        T::NeverReported { queue, offset } => format!("{queue} C {offset}: never reported"),
        T::StepOf { step, of } => format!("step {step} of {of}"),
        T::To { queue } => format!("to {queue}"),
        T::In { left: rest } => format!("in {}", left(En, *rest)),
        T::DelayedLevel { level } => format!("delay level {level}"),
        T::DeliveredNth { times } => format!("{} time", ordinal(*times)),
    };
    Cow::Owned(words)
}

fn station(text: &StationText) -> String {
    use StationText as S;
    match text {
        S::SentBy { producer } => format!("sent by {producer}"),
        S::Enters { number: Some(number), broker } => {
            format!("{} to {broker} (request {number})", past_call(*number))
        }
        S::Enters { number: None, broker } => format!("at {broker}"),
        S::InQueue { queue, offset } => format!("in {queue} at offset {offset}"),
        S::WithPull { queue } => format!("in the answer to the held pull of {queue}"),
        S::AtLevel { level, wait } => format!("waits at delay level {level} ({})", span(En, *wait)),
        S::InDeadLetters { topic } => format!("in {topic}: no consumer reads it"),
        S::OnShelf { process, queue, offset } => {
            format!("on the shelf of {process}, {queue}·{offset}")
        }
        S::AtWorker { process, is_past: true } => format!("ran on {process}"),
        S::AtWorker { process, is_past: false } => format!("runs on {process}"),
    }
}

const fn past_call(number: u16) -> &'static str {
    match number {
        36 => "sent back",
        10 | 310 => "sent",
        _ => "brought",
    }
}

#[expect(clippy::too_many_lines, reason = "a table of one sentence for each variant")]
fn why(text: &WhyText) -> String {
    use WhyText as W;
    match text {
        W::UntilReported { committed, process, offset, left: rest } => {
            format!(
                "C stays at {committed} until {process} reports {offset}, in {}.",
                left(En, *rest)
            )
        }
        W::BrokerDown { broker, is_killed: true } => {
            format!("{broker} was killed: nothing can be sent or read.")
        }
        W::BrokerDown { broker, is_killed: false } => {
            format!("{broker} is stopped: nothing can be sent or read.")
        }
        W::MasterDown { slave } => {
            format!("The master is down; its slave {slave} only lets consumers read.")
        }
        W::OwnerStopped { process } => format!("{process} has stopped and given its queues back."),
        W::OwnerCrashed { process, committed: Some(committed) } => {
            format!("{process} has crashed. The next consumer begins at C, offset {committed}.")
        }
        W::OwnerCrashed { process, committed: None } => format!("{process} has crashed."),
        W::OwnerFrozen { process } => format!("It is assigned to {process}, which is frozen."),
        W::BelieverFrozen { process, owner, renewed_at } => {
            format!(
                "{process} is frozen and still marks it as locked here; at the broker the lock is {owner}'s, renewed at {}.",
                clock_short(*renewed_at)
            )
        }
        W::LockOfGoneThenAsked { owner, until, asker, asks_at } => {
            format!(
                "The lock is still {owner}'s: it ends at {}, but {asker} asks again only at {}.",
                clock_short(*until),
                clock_short(*asks_at)
            )
        }
        W::LockOfGone { owner, left: rest } => {
            format!(
                "The lock is still {owner}'s for {}: no other consumer may read.",
                left(En, *rest)
            )
        }
        W::HeldBack { done, by } => {
            format!("{done}: done already, but C cannot pass offset {by}, which is not finished.")
        }
        W::SmallestInOrder { label, nth } => {
            format!(
                "{label} is tried for the {} time: in orderly consumption the queue rests, then the same message comes again; all behind it wait.",
                ordinal(*nth)
            )
        }
        W::Smallest { offset, process } => {
            format!(
                "Offset {offset} is the smallest that {process} has not finished: C cannot pass it."
            )
        }
        W::AllDone { offset } => {
            format!("All before offset {offset} are done or sent back, and committed.")
        }
        W::NoCommit => "The broker has no committed offset of this group yet.".to_owned(),
        W::NamesakesLeaveIt { one, other, client } => {
            format!(
                "Nobody reads this queue: {one} and {other} have the same client id, {client}, so both take the same share of the queues. This share stays unread until one gets its own id."
            )
        }
        W::NobodyReads => "No consumer reads this queue.".to_owned(),
        W::WaitsThenGoes { label, level, topic } => {
            format!("{label} waits at delay level {level}, then goes to {topic}")
        }
        W::WaitsForMaster { label, level, broker } => {
            format!(
                "{label} stays at delay level {level} until {broker} runs again: only a master hands delayed messages on"
            )
        }
        W::IsDead { label, topic } => format!("{label} lies in {topic}: no consumer reads it"),
        W::IsRunning { label, process, nth: 0 | 1 } => format!("{label} runs on {process}"),
        W::IsRunning { label, process, nth } => {
            format!("{label} runs on {process}, the {} try", ordinal(*nth))
        }
        W::IsNow { label, state: word } => format!("{label}: {}", state(*word)),
    }
}

const fn word(word: StageWord) -> &'static str {
    use StageWord as W;
    match word {
        W::Stage => "Stage",
        W::Producer => "Producer",
        W::Broker => "Broker",
        W::Network => "network",
        W::NameServer => "NameServer",
        W::Consumers => "Consumers",
        W::Log => "log",
        W::NoLag => "no lag",
        W::HeldPulls => "held pulls",
        W::AwaitsAnswer => "awaits answer",
        W::NotHeld => "not held now",
        W::Older => "older",
        W::NoneHandedOver => "0 handed over",
        W::NoReader => "no reader",
        W::Empty => "empty",
        W::NotUsedHere => "not used here",
        W::DelayLevels => "delay levels",
        W::Offsets => "Offsets",
        W::Saved => "saved",
        W::NotSaved => "not on disk",
        W::Unsent => "unsent",
        W::LocalFile => "local file",
        W::Reported => "reported",
        W::Expired => "expired",
        W::LockTable => "Lock table",
        W::CutHere => "cut",
        W::WritesForbidden => "no writes",
        W::Master => "master",
        W::Slave => "slave, only reads",
        W::Renewed => "renewed",
        W::LeftHeading => "left",
        W::StillAtBroker => "all still at the broker",
        W::LockedHere => "locked here",
        W::NotLockedHere => "not locked here",
        W::Differs => "differs",
        W::Pull | W::PullShort => "pull",
        W::Shelves => "Shelves",
        W::ShelfEmpty => "empty",
        W::Dropped => "given up",
        W::SmallestUnfinished => "smallest unfinished",
        W::Workers => "Workers",
        W::RunsFor => "runs for",
        W::PullThread => "pull thread",
        W::Rebalance => "Rebalance",
        W::Queues => "queues",
        W::Members => "consumers",
        W::You => "this one",
        W::KeyIsOffset => "key = offset",
        W::SecondsRun => "runs for, s",
        W::NothingPlanned => "no more",
        W::KeyPulled => "pulled",
        W::KeySaved => "saved",
        W::KeyNewest => "end",
        W::KeyThread => "thread",
        W::KeyLock => "lock",
        W::CallLost => "lost",
        W::CallHeld => "held back",
        W::CallAgain => "second copy",
        W::Refused => "refused",
        W::OneQueue => "Queue",
        W::OneMessage => "Message",
        W::WhoOwns => "Who reads",
        W::Owner => "held by",
        W::Reader => "read by",
        W::Nobody => "nobody",
        W::NothingFollowed => "No message is followed. Choose one.",
        W::TwinHeading => "The stage in words",
    }
}

/// The names of marks, for those who hear the stage.
fn spoken(name: &MarkName) -> String {
    use MarkName as N;
    match name {
        N::Queue { label, min, max, committed, pull, lag } => {
            let committed = committed.map_or("none".to_owned(), |offset| offset.to_string());
            let pull = pull.map_or(String::new(), |offset| format!(", next pull {offset}"));
            format!(
                "Queue {label}: offsets {min} to {max}, committed offset {committed}{pull}, lag {lag}"
            )
        }
        N::Card { label, queue, offset, state: word, failures } => {
            let failures = match failures {
                0 => String::new(),
                n => format!(", failed {n} {}", plural(u64::from(*n), "time", "times")),
            };
            format!("Message {label}, {queue} offset {offset}, {}{failures}", state(*word))
        }
        N::Level { level, wait, cards } => {
            let cards = u64::from(*cards);
            let noun = plural(cards, "message", "messages");
            format!("Delay level {level}, {}: {cards} {noun}", span(En, *wait))
        }
        N::DeadLetters { group, count: n } => {
            format!("Dead letters of {group}: {} {}", count(*n), plural(*n, "message", "messages"))
        }
        N::Ledger { owner } => format!("Offset table of {owner}"),
        N::Consumer { label, state } => format!("Consumer {label}, {}", process(*state)),
        N::Pull { queue, offset, place } => {
            format!("Pull of {queue} from offset {offset}, {}", pull_place(*place))
        }
        N::Shelf { process, queue, count: n, span } => {
            let noun = plural(*n, "message", "messages");
            format!("Shelf {queue} of {process}: {} {noun}, offset span {span}", count(*n))
        }
        N::Worker { index, holds } => match holds {
            Some(label) => format!("Worker {}: runs {label}", index + 1),
            None => format!("Worker {}: idle", index + 1),
        },
        N::Call { number, from, to } => {
            format!("Request {number}, {}, from {from} to {to}", call(*number))
        }
        N::Log { count: n } => {
            format!("CommitLog, {} {}", count(*n), plural(*n, "record", "records"))
        }
        N::Lock { queue, owner } => format!("Lock of {queue}, held by {owner}"),
        N::Rebalance { process } => format!("Rebalance of {process}"),
        N::Station { number, label } => format!("Station {number} of {label}"),
    }
}

/// `23.8 s left`: what is left must not read as what has passed. Minutes and hours in their own way.
fn left_of(rest_ms: u64, of_ms: u64) -> String {
    use crate::model::time::Millis;
    match of_ms {
        0..60_000 => format!("{} s left", tenths(Millis(rest_ms))),
        60_000..3_600_000 => format!("{} left", minutes(rest_ms)),
        _ => format!("{}.{} h left", rest_ms / 3_600_000, rest_ms / 360_000 % 10),
    }
}

/// `0:42`, so that the seconds of a wait of minutes can be seen to pass.
fn minutes(ms: u64) -> String {
    format!("{}:{:02}", ms / 60_000, ms / 1_000 % 60)
}

fn plural(count: u64, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

fn ordinal(n: u32) -> String {
    let ending = match (n % 10, n % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

const fn state(word: StateWord) -> &'static str {
    match word {
        StateWord::Stored => "stored",
        StateWord::Waiting => "waiting",
        StateWord::Running => "running",
        StateWord::Done => "done",
        StateWord::Failed => "failed",
        StateWord::SentBack => "sent back",
        StateWord::Delayed => "delayed",
        StateWord::LocalRetry => "local retry",
        StateWord::Again => "given again",
        StateWord::Dead => "dead letter",
        StateWord::Lost => "gone with its process",
    }
}

const fn process(word: ProcessWord) -> &'static str {
    match word {
        ProcessWord::NotStarted => "not started",
        ProcessWord::Starting => "starting",
        ProcessWord::Running => "running",
        ProcessWord::Stopping => "stopping",
        ProcessWord::Stopped => "stopped",
        ProcessWord::Crashed => "crashed",
        ProcessWord::Frozen => "frozen",
        ProcessWord::Down => "down",
        ProcessWord::Killed => "killed",
    }
}

pub const fn postponed(word: PostponeWord) -> &'static str {
    match word {
        PostponeWord::Count => "too many cached",
        PostponeWord::Size => "too many bytes",
        PostponeWord::Span => "span too wide",
        PostponeWord::NotLocked => "not locked",
        PostponeWord::Error => "error",
        PostponeWord::Paused => "paused",
        PostponeWord::NoSubscription => "no subscription",
        PostponeWord::Interval => "interval",
    }
}

const fn pull_place(word: PullWord) -> &'static str {
    match word {
        PullWord::InPass => "made, not handed over yet",
        PullWord::Belt => "in the PullRequestQueue",
        PullWord::Seat => "with the pull thread",
        PullWord::Away => "awaits its answer",
        PullWord::Bench => "held by the broker",
        PullWord::Postponed => "put off",
    }
}

/// A short word for the plate, at most 88 units wide.
const fn call(number: u16) -> &'static str {
    match number {
        10 | 310 => "send",
        11 => "pull",
        14 => "ask C",
        15 => "report C",
        29 => "find offset",
        30 => "ask M",
        34 => "heartbeat",
        35 => "sign off",
        36 => "send back",
        38 => "list consumers",
        40 => "list changed",
        41 => "lock",
        42 => "unlock",
        43 => "copy C",
        103 => "register",
        46 => "check filter",
        105 => "route",
        220 => "reset C",
        _ => "call",
    }
}

/// What a consumer still does before its process ends.
const fn last_call(number: u16) -> &'static str {
    match number {
        42 => "unlocked",
        15 => "offsets reported",
        _ => "signed off",
    }
}

const fn start_step(step: u8) -> &'static str {
    match step {
        1 => "just created?",
        2 => "check config",
        3 => "copy subscription",
        4 => "name the instance",
        5 => "get client instance",
        6 => "prepare rebalance",
        7 => "load offset store",
        8 => "start consume service",
        9 => "register the group",
        10 => "start client instance",
        11 => "state: RUNNING",
        12 => "ask for routes, request 105",
        13 => "check filter, request 46",
        14 => "heartbeat, request 34",
        15 => "wake rebalance",
        _ => "start",
    }
}
