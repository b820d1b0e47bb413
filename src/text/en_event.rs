//! What happened, in English.

use std::borrow::Cow;

use super::Language::En;
use super::event::{
    AnswerText, AskText, DropWord, EventText, LeaveWord, LimitWord, LossWord, PulledWord,
    PutOffWord, RefusalText,
};
use super::format::clock_short;
use super::stage::StageText;

#[expect(clippy::too_many_lines, reason = "a table of one sentence for each variant")]
pub fn say(text: &EventText) -> Cow<'static, str> {
    use EventText as T;
    let words = match text {
        T::Asked(command) => return command.say(En),
        T::Refused(reason) => format!("cannot be done: {}", refusal(reason)),
        T::LimitReached(limit) => format!("the run ends here: {}", self::limit(*limit)),
        T::Asks(ask) => return self::ask(ask),
        T::Answers { code } => format!("answers {} {}", code.number, code.name),
        T::GotAnswer { code, brought } => {
            format!("has the answer {} {}{}", code.number, code.name, answer(brought))
        }
        T::Lost(why) => format!("is lost: {}", loss(*why)),
        T::Repeated { at } => format!("is doubled: a second copy arrives at {}", clock_short(*at)),
        T::HeldBack { until } => {
            format!("is held back until the next one passes it, {} at most", clock_short(*until))
        }
        T::Passed => "has been passed by the next one, and goes on".to_owned(),
        T::Unmatched { code } => {
            format!("drops the answer {} {}: nobody waits for it", code.number, code.name)
        }
        T::TopicCreated { queues } => format!("is created with {}", queue_count(*queues)),
        T::Stored { physical } => format!("is appended to the CommitLog at {physical}"),
        T::StoredDelayed { level } => {
            format!("is appended to SCHEDULE_TOPIC_XXXX, delay level {level}")
        }
        T::Appended { offset } => format!("has offset {offset} in its queue; pulls see it now"),
        T::Held { offset, until } => {
            format!(
                "has nothing at offset {offset} yet: the pull is held until {}",
                clock_short(*until)
            )
        }
        T::Woken { by_arrival: true } => "has a new message: the held pull is answered".to_owned(),
        T::Woken { by_arrival: false } => "has no news: the held pull's time is over".to_owned(),
        T::Committed { from, to, by_pull } => {
            let how = if *by_pull { ", carried by a pull" } else { "" };
            format!("C {} → {to}{how}", old(*from))
        }
        T::Registered { client } => format!("{client} joins the group"),
        T::Left { client, why } => format!("{client} leaves the group: {}", leave(*why)),
        T::Retried { failures, level, until } => {
            let until = until.map_or(String::new(), |at| format!(" until {}", clock_short(at)));
            format!("has failed {}: kept at delay level {level}{until}", times(*failures))
        }
        T::DelayElapsed { level, to } => {
            format!("has waited out delay level {level}: goes to {to}")
        }
        T::LockGranted { client, is_renewed: false } => format!("is locked for {client}"),
        T::LockGranted { client, is_renewed: true } => {
            format!("stays locked for {client}")
        }
        T::LockRefused { client, owner } => {
            format!("is not locked for {client}: {owner} has the lock")
        }
        T::LockReleased { client } => format!("is unlocked by {client}"),
        T::StepDone { step } => {
            let name = super::en_stage::say(&StageText::StartStep { step: *step });
            format!("start(), step {step} of 15: {name}")
        }
        T::StartFailed(reason) => format!("cannot start: {}", refusal(reason)),
        T::Frozen { until } => {
            let until = until.map_or(String::new(), |at| format!(" until {}", clock_short(at)));
            format!("is frozen{until}")
        }
        T::RouteChanged { queues } => format!("has a new route: {}", queue_count(*queues)),
        T::Allocated { queues, members, mine } => {
            let members = plural(*members, "consumer", "consumers");
            format!("has {} for {members}: mine {mine}", queue_count(*queues))
        }
        T::Assigned { next } => format!("is assigned to me, reading from offset {next} on"),
        T::Dropped(why) => format!("is given up: {}", dropped(*why)),
        T::PutOff { why, until } => {
            format!("has its pull put off until {}: {}", clock_short(*until), put_off(*why))
        }
        T::PullFound { found, kept, next } if found == kept => {
            format!("brings {}, next offset {next}", plural(*found, "message", "messages"))
        }
        T::PullFound { found, kept, next } => {
            format!("brings {found}, {kept} kept by the tag filter, next offset {next}")
        }
        T::PullFoundNothing(why) => return Cow::Borrowed(pulled(*why)),
        T::Cached { first, count } => format!("{} on the shelf", offsets_are(*first, *count)),
        T::Queued { first, count } => {
            format!("{} waiting for a worker", offsets_are(*first, *count))
        }
        T::Delivered { thread, nth: 1 } => format!("is handed to worker {}", thread + 1),
        T::Delivered { thread, nth } => {
            format!("is handed to worker {} for the {} time", thread + 1, ordinal(*nth))
        }
        T::Succeeded { result } => format!("is done ({result})"),
        T::Failed { result, failures } => {
            format!("fails for the {} time ({result})", ordinal(*failures))
        }
        T::Interrupted { thread } => format!("worker {} is interrupted", thread + 1),
        T::Removed { first, count } => format!("{} off the shelf", offsets_are(*first, *count)),
        T::KeptLocally { until } => {
            format!("stays here; tried again at {}, without the broker", clock_short(*until))
        }
        T::Suspended { until } => {
            format!("rests until {}, then the same message again", clock_short(*until))
        }
        T::OffsetMoved { from, to } => {
            format!("smallest unfinished {} → {to}, not reported yet", old(*from))
        }
        fixed => return Cow::Borrowed(self::fixed(fixed)),
    };
    Cow::Owned(words)
}

/// Sentences without arguments.
const fn fixed(text: &EventText) -> &'static str {
    use EventText as T;
    match text {
        T::NoAnswer => "no answer in time",
        T::CallFailed => "fails: nobody listens, or the connection was closed",
        T::Connected => "a connection is open",
        T::Disconnected => "the connection is closed",
        T::SendAsked => "is to be sent: the application calls send()",
        T::SendSucceeded => "is sent: SEND_OK",
        T::SendFailed => "could not be sent; the application has an exception",
        T::BrokerStarted => "runs",
        T::BrokerStopped { is_killed: false } => "has stopped, everything saved",
        T::BrokerStopped { is_killed: true } => "is killed: what was only in memory is gone",
        T::SubscriptionReplaced => "has a newer subscription of the group now",
        T::DeadLettered { is_delayed: false } => "has used up its retries: to the dead letters",
        T::DeadLettered { is_delayed: true } => {
            "has used up its retries: to the dead letters, after one more delay"
        }
        T::Discarded => "is discarded: the group has no retry queue",
        T::Starting => "start() is called",
        T::Started => "start() is through",
        T::Stopping => "shutdown() is called",
        T::Stopped => "has shut down",
        T::Crashed => "crashes: its memory is lost, the system closes its connections",
        T::HostLost => "its host is lost; no connection was closed",
        T::Resumed => "goes on; what came meanwhile happens now",
        T::HeartbeatSkipped => "a heartbeat is under way, so this one is skipped",
        T::RebalanceBegan => "begins to rebalance",
        T::RebalanceEnded { is_balanced: true } => "the assignment is as it should be",
        T::RebalanceEnded { is_balanced: false } => "the assignment is not complete yet",
        T::Released => "is off this consumer's list of queues",
        T::PullEnded => "has no pull any more: the queue was given up",
        T::ResultIgnored => "has a result that does not count: the queue was given up",
        T::SentBack { by_fallback: false } => "is with the broker again",
        T::SentBack { by_fallback: true } => {
            "is sent to the retry queue by the client's own producer"
        }
        T::SendBackFailed => "could not be sent back, nor sent to the retry queue",
        T::FailureDropped => "failed; in broadcasting it is not retried",
        T::Expired => "ran past consumeTimeout and is sent back",
        T::CleanerDied => "the cleaner of expired messages has died of an exception",
        T::DeadLetterSent => "has used up its tries and is sent to the dead letters",
        T::Believes { is_locked: true } => "is marked as locked here",
        T::Believes { is_locked: false } => "is marked as not locked here",
        T::OffsetReset => "has its offsets reset",
        // Said by `say`, with their arguments.
        _ => "",
    }
}

/// Why something cannot be done; also for notices.
pub fn refusal(reason: &RefusalText) -> String {
    use RefusalText as R;
    match reason {
        R::NoClient { client } => format!("no running client {client}"),
        R::NoBroker { broker } => format!("no broker {broker}"),
        R::NoTopic { topic } => format!("no topic {topic}"),
        R::NoQueue { topic, queue_id } => format!("topic {topic} has no queue {queue_id}"),
        R::NoGroup { client, group } => format!("{client} has no consumer of group {group}"),
        R::GroupExists { group } => format!("group {group} is already in this client instance"),
        R::BrokerRuns { broker } => format!("{broker} runs already"),
        R::BrokerDown { broker } => format!("{broker} does not run"),
        R::Frozen { client } => format!("{client} is frozen"),
        R::BadConfig { words } => format!("the configuration is refused: {words}"),
        R::NotChangeable { property } => format!("{property} cannot be changed now"),
        R::NotYet { what } => format!("not built yet: {what}"),
    }
}

fn ask(ask: &AskText) -> Cow<'static, str> {
    let words = match ask {
        AskText::Send => "is on its way",
        AskText::StoredOffset => "its committed offset is asked for",
        AskText::OffsetByTime => "the offset of a moment is asked for",
        AskText::MaxOffset => "its M is asked for",
        AskText::Heartbeat => "sends a heartbeat",
        AskText::SignOff => "signs off",
        AskText::SendBack => "goes back to the broker",
        AskText::Members => "its consumers are asked for",
        AskText::MembersChanged => "its consumers have changed",
        AskText::RegisterBroker => "registers its topics",
        AskText::ResetOffset => "is told to reset its offsets",
        AskText::Copy => "copies what its master has",
        AskText::Pull { offset, commit: None } => {
            return Cow::Owned(format!("is pulled from offset {offset} on"));
        }
        AskText::Pull { offset, commit: Some(commit) } => {
            return Cow::Owned(format!(
                "is pulled from offset {offset} on; C {commit} rides along"
            ));
        }
        AskText::ReportOffset { offset } => {
            return Cow::Owned(format!("offset {offset} is reported"));
        }
        AskText::Lock { queues } => {
            let its = if *queues == 1 { "its lock is" } else { "their locks are" };
            return Cow::Owned(format!("{its} asked for"));
        }
        AskText::Unlock { queues } => {
            let its = if *queues == 1 { "its lock is" } else { "their locks are" };
            return Cow::Owned(format!("{its} given back"));
        }
        AskText::Route { topic } => return Cow::Owned(format!("asks for the route of {topic}")),
    };
    Cow::Borrowed(words)
}

fn answer(brought: &AnswerText) -> String {
    match brought {
        AnswerText::Plain => String::new(),
        AnswerText::Offset { offset } => format!(": {offset}"),
        AnswerText::Members { members } => format!(": {members}"),
        AnswerText::Granted { queues } => format!(": {} held", queue_count(*queues)),
        AnswerText::Pulled { found, next } => {
            format!(": {}, next offset {next}", plural(*found, "message", "messages"))
        }
    }
}

const fn limit(limit: LimitWord) -> &'static str {
    match limit {
        LimitWord::Events => "two million events are the most",
        LimitWord::VirtualTime => "24 hours are the most",
        LimitWord::Messages => "a million messages are the most",
    }
}

const fn loss(why: LossWord) -> &'static str {
    match why {
        LossWord::Partition => "the network is cut",
        LossWord::Dropped => "lost on the way",
        LossWord::NobodyListens => "nobody listens there",
        LossWord::ConnectionClosed => "the connection is closed",
    }
}

const fn leave(why: LeaveWord) -> &'static str {
    match why {
        LeaveWord::SignedOff => "signed off",
        LeaveWord::ConnectionClosed => "its connection is closed",
        LeaveWord::Idle => "its connection was silent for too long",
        LeaveWord::NoHeartbeat => "no heartbeat for too long",
    }
}

const fn dropped(why: DropWord) -> &'static str {
    match why {
        DropWord::Rebalance => "the queue is assigned to another consumer",
        DropWord::PullExpired => "no pull for two minutes",
        DropWord::NotSubscribed => "the topic is not subscribed any more",
        DropWord::OffsetIllegal => "the broker calls the offset illegal",
        DropWord::OffsetReset => "the offset is reset",
        DropWord::Shutdown => "shutdown",
    }
}

pub const fn put_off(why: PutOffWord) -> &'static str {
    match why {
        PutOffWord::NotRunning => "the consumer does not run",
        PutOffWord::Paused => "pulling is paused",
        PutOffWord::Count => "too many messages on the shelf",
        PutOffWord::Size => "too many bytes on the shelf",
        PutOffWord::Span => "the offset span on the shelf is too wide",
        PutOffWord::NotLocked => "the queue is not locked",
        PutOffWord::NoSubscription => "the topic is not subscribed",
        PutOffWord::Error => "the last pull failed",
    }
}

const fn pulled(why: PulledWord) -> &'static str {
    match why {
        PulledWord::Nothing => "has nothing new",
        PulledWord::NothingMatches => "has nothing that matches the tags",
        PulledWord::OffsetIllegal => "has no such offset, says the broker",
    }
}

/// `offset 4 is`, `offsets 4 to 7 are`: an offset read as a count would tell of four messages.
fn offsets_are(first: i64, count: u32) -> String {
    match count {
        0 | 1 => format!("offset {first} is"),
        count => format!("offsets {first} to {} are", first + i64::from(count) - 1),
    }
}

pub fn times(count: i32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

fn old(offset: i64) -> String {
    if offset < 0 { "none".to_owned() } else { offset.to_string() }
}

fn queue_count(count: u32) -> String {
    plural(count, "queue", "queues")
}

fn plural(count: u32, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

pub fn ordinal(n: u32) -> String {
    let ending = match (n % 10, n % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}
