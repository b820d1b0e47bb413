//! The page in English.

use std::borrow::Cow;

use super::Language::En;
use super::format::{clock, clock_short, count, left, span};
use super::page::{PageText, PageWord};
use crate::model::profile::Profile;

#[expect(clippy::too_many_lines, reason = "a table of one sentence for each")]
pub fn say(text: &PageText) -> Cow<'static, str> {
    use PageText as T;
    Cow::Owned(match text {
        T::Word(word) => return Cow::Borrowed(self::word(*word)),
        T::Pace { sign } => format!("{sign}× speed"),
        T::NoSuchPreset { name } => format!("There is no run called “{name}”."),
        T::NoSuchPage { text } => format!("“{text}” names no page of this playground."),
        T::FoldLeft { left: rest } => format!("⟪ {} ⟫", left(En, *rest)),
        T::RealDefault { value } => format!("({value})"),
        T::Deeds { count: 1 } => "1 act of yours".to_owned(),
        T::Deeds { count } => format!("{count} acts of yours"),
        T::FirstAndLast { first, last } => format!("First: {first}. Last: {last}."),
        T::KeptAt { when, at: None } => when.to_string(),
        T::KeptAt { when, at: Some(at) } => format!("{when}, at {}", clock(*at)),
        T::AllOwnRuns { count } => format!("Show all {count}"),
        T::OldRunsDropped { count: 1, kept } => {
            format!("Up to {kept} runs of yours are kept; the oldest has made room for this one.")
        }
        T::OldRunsDropped { count, kept } => format!(
            "Up to {kept} runs of yours are kept, as long as the browser has room; the {count} oldest \
             have made room for this one."
        ),
        T::TakesOption { span: of } => span(En, *of),
        T::Queue { number } => format!("queue {number}"),
        T::Progress { percent } => format!("computing the run: {percent} %"),
        T::Left { left: rest } => format!("{} left", left(En, *rest)),
        T::InBrackets { words } => format!("({words})"),
        T::Caption { number: 0, count, caption } => format!("{caption} {count} steps follow."),
        T::Caption { number, count, caption } => format!("Step {number} of {count}. {caption}"),
        T::StepOf { number } => format!("Step {number}"),
        T::MarkNumber { number, count } => format!("{number} of {count}"),
        T::OtherRelease { release } => format!(
            "The words of this walkthrough hold for RocketMQ {release}; another release goes its own way. \
             Its steps stop at the same events."
        ),
        T::NothingDiffers { release } => format!(
            "Nothing to see is different here: under RocketMQ {release} every message of this run comes when it \
             came before."
        ),
        T::RealDeliveries { count: ticks } => {
            format!("Short strokes: {} deliveries of a real RocketMQ 4.2.0", count(*ticks))
        }
        T::ChartSummary { queue, committed, since, max } => {
            let lag = max - committed;
            let since = clock_short(*since);
            format!("{queue}: C has stood at {committed} since {since}, M is {max}, lag {lag}.")
        }
        T::ChartNoCommit { queue } => format!("{queue}: no offset has been committed yet."),
        T::Rows { count: 1 } => "1 row".to_owned(),
        T::Rows { count: rows } => format!("{} rows", count(*rows)),
        T::CouldNot { reason } => format!("That cannot be done now: {reason}."),
        T::LinkNotARun => "The address does not name a run.".into(),
        T::LinkTooLong { found, most } => {
            format!("The link has {found} characters; {most} is the most that is read.")
        }
        T::LinkBadCharacter { found, place } => {
            format!("Character {place} of the link is “{found}”, which no link contains.")
        }
        T::LinkCut => {
            "The link was cut off or changed on its way: its checksum does not fit.".into()
        }
        T::LinkShape => "The link's content does not have the shape of a run.".into(),
        T::LinkTooMany { found, most } => {
            format!("The link asks for {found} of something of which {most} is the most.")
        }
        T::LinkBadScenario { first } => format!("The link's scenario has a mistake: {first}."),
        T::ReleasesDiffer { from, to } => {
            let early = "since 4.9 a new ProcessQueue starts as locked, shutdown() interrupts listeners, a \
                         request that times out closes its connection, and a dead letter is not delayed \
                         once more";
            let late = "since 5.x a refused lock is asked for again about every second, a queue's first pull waits 0.5 s, \
                        a queue is given up as soon as no listener runs, and offsets are reset at the broker";
            match (from, to) {
                (Profile::V42, Profile::V49) => format!("The same run, another release: {early}."),
                (Profile::V42, _) => format!("The same run, another release: {early}; {late}."),
                _ => format!("The same run, another release: {late}."),
            }
        }
        T::StoryDiffers { made_with, this } => format!(
            "This link was made with model {made_with} of the playground, this is model {this}: the \
             same run goes another way here."
        ),
        T::MadeByNewer => {
            "This link was made by a newer version of the playground and cannot be read here."
                .into()
        }
    })
}

#[expect(clippy::too_many_lines, reason = "a table of one-line arms")]
pub const fn word(word: PageWord) -> &'static str {
    use PageWord as W;
    match word {
        W::AppTitle => "RocketMQ Playground",
        W::AllRuns => "All runs",
        W::Help => "Help",
        W::Share => "Copy link",
        W::OtherLanguage => "中文",
        W::LanguageGroup => "Language",
        W::ThemeGroup => "Theme",
        W::ThemeLight => "Light",
        W::ThemeDark => "Dark",
        W::ThemeProjector => "Projector",
        W::ProfileGroup => "RocketMQ version",
        W::Time => "Time",
        W::ToStart => "To the start",
        W::BackKey => "Back to the last key event",
        W::BackOne => "Back one event",
        W::Play => "Play",
        W::Pause => "Pause",
        W::StepOne => "Forward one event",
        W::StepKey => "Forward to the next key event",
        W::ToEnd => "To the end",
        W::Speed => "Speed",
        W::Fastest => "fastest",
        W::Playhead => "Moment of the run",
        W::AtTheEnd => "The end of this run. Act under “Do”, or go back.",
        W::Walkthrough => "Walkthrough",
        W::NextMark => "Next",
        W::JumpToMark => "Skip to it",
        W::NextMarkHow => "Plays to the next step; pressed again, it goes there at once",
        W::LastMark => "End",
        W::WalkSteps => "Steps",
        W::PreviousMark => "Previous",
        W::WalkLeft => {
            "Since your first act the run goes its own way, and the captions no longer fit it. Undo leads \
             back to them."
        }
        W::Panel => "Panel",
        W::Inspect => "Inspect",
        W::Do => "Do",
        W::ClosePanel => "Close",
        W::OpenPanel => "Panel",
        W::NothingSelected => "Nothing is selected",
        W::PickSomething => {
            "Choose anything on the stage: a message, a queue, a pull, a consumer. It says what it is, \
             why it is so now, and what comes next."
        }
        W::Numbers => "Numbers",
        W::Why => "Why",
        W::Next => "Next",
        W::Source => "Source",
        W::Journey => "Journey",
        W::Tree => "As the red-black tree",
        W::TreeHint => {
            "ProcessQueue.msgTreeMap: its keys are queue offsets, the smallest unfinished one is marked"
        }
        W::Shelf => "As a shelf",
        W::SendTitle => "Send a message",
        W::Count => "How many",
        W::QueueField => "To",
        W::AnyQueue => "the next queue in turn",
        W::Listener => "The listener",
        W::Succeeds => "succeeds",
        W::FailsOnce => "fails once, then succeeds",
        W::FailsTwice => "fails twice, then succeeds",
        W::FailsThrice => "fails three times, then succeeds",
        W::FailsAlways => "fails every time",
        W::TakesField => "and takes",
        W::SendButton => "Send",
        W::GroupTitle => "Consumers",
        W::AddConsumer => "Start another",
        W::StopConsumer => "Stop",
        W::CrashConsumer => "Crash",
        W::LoseHost => "Lose the host",
        W::FreezeConsumer => "Freeze 30 s",
        W::ResumeConsumer => "Let it go on",
        W::StopBroker => "Stop",
        W::StartBroker => "Start",
        W::KillBroker => "Kill",
        W::SendHere => "Send here",
        W::Undo => "Undo",
        W::Redo => "Redo",
        W::YouDid => "You did",
        W::DidNothing => "Nothing yet.",
        W::ActsHere => "Acts happen at the moment shown; what came after it is told anew.",
        W::Scenario => "What happens here",
        W::Parameters => "Parameters",
        W::RealDefaults => "Set smaller so that they can be seen; RocketMQ's defaults in brackets.",
        W::Log => "Log",
        W::Charts => "Charts",
        W::DockLabel => "Log and charts",
        W::Filters => "Show",
        W::FilterSend => "send",
        W::FilterPull => "pull",
        W::FilterConsume => "consume",
        W::FilterOffset => "offset",
        W::FilterRetry => "retry",
        W::FilterRebalance => "rebalance",
        W::FilterLock => "lock",
        W::FilterHeartbeat => "heartbeat",
        W::FilterLife => "start, stop",
        W::FilterFault => "fault",
        W::FilterBackground => "background",
        W::ColumnTime => "Time",
        W::ColumnActor => "Who",
        W::ColumnCode => "What",
        W::ColumnSubject => "About",
        W::ColumnResult => "Result",
        W::ColumnSource => "Source",
        W::NotYet => "not yet",
        W::LogEmpty => "Nothing has happened yet.",
        W::TableTwin => "As a table",
        W::ChartOfNothing => "This run has no queue yet.",
        W::AsChart => "As a chart",
        W::LagWord => "lag",
        W::LinkCopied => "The link to this moment is on the clipboard.",
        W::CopyFailed => "The browser did not allow copying. The address bar holds the same link.",
        W::StoreFailed => {
            "The browser keeps nothing for this page, so settings last until you leave."
        }
        W::Undone => "Taken back.",
        W::Redone => "Done again.",
        W::CloseNotice => "Close this notice",
        W::StartHeadline => "Push is a pull that waits.",
        W::StartLead => {
            "Watch a broker and its consumers work, message by message. Every wait says what it waits \
             for."
        }
        W::StartPlay => "Play: messages from sent to done",
        W::DoorHappened => "It happened to me",
        W::DoorHappenedLead => "Choose the symptom, watch a run that has it.",
        W::DoorYours => "Yours",
        W::DoorYoursLead => "Runs that you changed, kept in this browser.",
        W::NoRunsYet => "None yet. Do something in a run and it stays here.",
        W::PasteLink => "Paste a link to a run",
        W::OpenLink => "Open",
        W::NothingIsSent => "All runs in this page; nothing is sent.",
        W::SourceNote => "A model of RocketMQ, checked against recordings of the real thing.",
        W::PreviewLabel => {
            "Three messages arrive. The broker answers the pull it was holding and sends all three to \
             consumer c1 as one batch."
        }
        W::SimplifiedHere => "The Chinese text of this page has simplified characters.",
        W::StoreIsFull => {
            "The browser's store for this page is full: this run is not kept. Delete some on the start \
             page, or copy the link."
        }
        W::NewVersion => "A new version of this page is ready.",
        W::TakeNewVersion => "Reload with the new version",
        W::RenameRun => "Rename",
        W::NameOfRun => "Name of this run",
        W::KeepName => "Save",
        W::DeleteRun => "Delete",
        W::DeleteForGood => "Delete for good",
        W::FewerOwnRuns => "Show fewer",
        W::HowItWorks => "Words, keys, and where articles err",
        W::SymptomNever => "A message comes back again and again",
        W::SymptomLag => "Lag stands still though work goes on",
        W::SymptomStart => "The start is slow",
        W::SymptomMoves => "Queues change consumers, messages come twice",
        W::ShortHappyPath => "From sent to done, the real run beside it",
        W::ShortPoison => "Fails every time, becomes a dead letter",
        W::ShortSlow => "One message takes 40 s and holds C back",
        W::ShortJoin => "Four queues, assigned anew five times",
        W::ShortStart => "What start() does, step by step",
        W::ShortCount => "Eight are cached, and the pull is put off",
        W::ShortSpan => "One slow message, and the offset span grows",
        W::ShortBroadcast => "Every consumer gets all, no failure is retried",
        W::ShortNewGroup => "Where a group without a committed offset begins",
        W::ShortSendBack => "The broker is down when a message fails",
        W::ShortMore => "Two queues, three consumers: one is idle",
        W::ShortMixed => "Two consumers of a group want different tags",
        W::ShortSameId => "Two share a client id: half the queues unread",
        W::ShortSlowStart => "1,000 queues, asked for one by one",
        W::ShortSuspend => "One message fails, all behind it wait",
        W::ShortSilence => "The consumer is killed, its lock goes on",
        W::ShortFrozen => "Every lock worked, the order is broken",
        W::ShortStopKill => "One reports and signs off, the other cannot",
        W::ShortMaster => "The slave is read, nothing can be sent",
        W::GroupFirstSteps => "First steps",
        W::GroupFlow => "Consumption and flow",
        W::GroupRetries => "Retries",
        W::GroupRebalancing => "Rebalancing",
        W::GroupOrder => "Order and locks",
        W::GroupFailures => "Failures",
        W::SymptomSilent => "An orderly queue is silent",
        W::SymptomTwice => "A restart made messages come twice",
        W::SymptomIdle => "Half of the queues are read by nobody",
        W::SymptomHalf => "Some messages never come",
        W::RunsTitle => "Runs to watch and try",
        W::RunsLead => "Each has a walkthrough of a few steps. Stop anywhere; send, add, crash.",
        W::OpenDock => "Expand",
        W::CloseDock => "Collapse",
        W::UnreadableTitle => "This link cannot be read",
        W::UnreadableLead => {
            "Nothing was lost: below is what the link says, to copy or to mend. The runs to choose from are on the start page."
        }
        W::UnreadableText => "The link's text",
    }
}
