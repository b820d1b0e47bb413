//! The help page in English.

use super::help::{Article, HelpText, KeyDeed, Reading, Simpler};
use super::term::TermGroup;

pub const fn say(text: HelpText) -> &'static str {
    use HelpText as T;
    match text {
        T::Title => "Help",
        T::Back => "Back",
        T::ReadTitle => "How to read the picture",
        T::Read(reading) => read(reading),
        T::KeysTitle => "Keys",
        T::KeysNote => {
            "They do nothing while you type. On the stage, arrows walk from mark to mark and Enter selects."
        }
        T::Deed(deed) => self::deed(deed),
        T::SingleKeys => "Letters, digits and signs act as keys",
        T::MotionTitle => "Motion",
        T::MotionSystem => "as the system says",
        T::MotionFull => "things move",
        T::MotionStill => "each step is a cut",
        T::WordsTitle => "The words",
        T::WordsNote => {
            "One word for one thing, in both languages, with its name in RocketMQ. ★ are those that the first walkthroughs need. Numbers are samples."
        }
        T::Words(group) => words(group),
        T::OnStage => "On the stage",
        T::InRocketMq => "In RocketMQ",
        T::WhatItIs => "What it is",
        T::ArticlesTitle => "Where popular articles and the code differ",
        T::ArticlesNote => "Each line was checked in the source of 4.2.0, 4.9.8 and 5.3.3.",
        T::OftenRead => "Often read",
        T::InTheCode => "In the code",
        T::Says(article) => says(article),
        T::Code(article) => code(article),
        T::SimplerTitle => "Where this model is simpler than RocketMQ",
        T::Simpler(simpler) => self::simpler(simpler),
    }
}

const fn read(reading: Reading) -> &'static str {
    match reading {
        Reading::Places => {
            "Left: producers. Middle: the broker with its queues, the pulls it holds, the delay levels, \
             the dead letters and its table of offsets. Right: consumer processes. Between them the \
             network: each line across is a remote call with its request number."
        }
        Reading::Flags => {
            "M is the next message's offset, C the group's committed offset, P where the next pull \
             begins. M − C is the lag, P − C is pulled but not committed."
        }
        Reading::Lines => {
            "A solid line happened, long dashes are an answer, round dots are still to come, a dashed \
             outline is where something was or will be."
        }
        Reading::Marker => {
            "The yellow marker follows one thing on stage, panel and time bar; numbered stations show its way."
        }
        Reading::Fold => {
            "⟪ 47 s ⟫ is fast-forward: 47 s of waiting in about one. Beside it stands who waits for \
             what, until when."
        }
        Reading::Shelf => {
            "On a shelf (ProcessQueue) a message leaves a gap when done; the pin marks the smallest \
             unfinished offset. C cannot pass it."
        }
        Reading::Stairs => {
            "The delay levels (SCHEDULE_TOPIC_XXXX) are drawn as stairs: 18 of them, from 1 s to 2 h, each \
             first in, first out."
        }
    }
}

const fn words(group: TermGroup) -> &'static str {
    match group {
        TermGroup::Places => "Places",
        TermGroup::Moving => "What moves",
        TermGroup::Numbers => "Numbers",
        TermGroup::Waits => "Waits",
        TermGroup::Readers => "Who reads what",
        TermGroup::States => "States of a message",
        TermGroup::Modes => "Modes and releases",
        TermGroup::Requests => "Requests by number",
        TermGroup::Faults => "Faults and acts",
        TermGroup::Checks => "Checks",
    }
}

const fn deed(deed: KeyDeed) -> &'static str {
    match deed {
        KeyDeed::PlayOrPause => "play or pause; in a walkthrough it plays to the next step",
        KeyDeed::Step => "forward one event",
        KeyDeed::StepBack => "back one event",
        KeyDeed::StepKey => "forward to the next key event",
        KeyDeed::StepKeyBack => "back to the last key event",
        KeyDeed::NextMark => "play to the next step of the walkthrough; again: jump there",
        KeyDeed::PreviousMark => "back to the step before",
        KeyDeed::Start => "to the start",
        KeyDeed::End => "to the end of the run",
        KeyDeed::GoToTime => "go to a time",
        KeyDeed::Slower => "slower",
        KeyDeed::Faster => "faster",
        KeyDeed::NextFold => "to the end of this wait, or to the next wait",
        KeyDeed::Inspect => "inspect what is selected",
        KeyDeed::Do => "do something to what is selected",
        KeyDeed::Why => "why it happened",
        KeyDeed::Log => "the log",
        KeyDeed::Charts => "the charts",
        KeyDeed::Sequence => "the sequence of calls",
        KeyDeed::Checks => "the checks",
        KeyDeed::Zoom => "the stage alone, in the whole window; again: the whole page",
        KeyDeed::Blank => "blank the screen; any key brings it back",
        KeyDeed::Caption => "show or hide the caption",
        KeyDeed::Future => "show or hide what is still to come",
        KeyDeed::Language => "the other language",
        KeyDeed::Theme => "the next theme",
        KeyDeed::CopyLink => "copy the link to this moment",
        KeyDeed::Undo => "take back your last act",
        KeyDeed::Redo => "do it again",
        KeyDeed::Deselect => "select nothing, close the panel",
        KeyDeed::Help => "this page",
    }
}

const fn says(article: Article) -> &'static str {
    match article {
        Article::RebalancePeriod => "Consumers rebalance every 10 s.",
        Article::HoldTime => "The broker holds an empty pull for 20 s.",
        Article::PullAfterConsume => {
            "A consumer pulls the next batch after it has consumed the last."
        }
        Article::NeverLost => "Messages are never lost; each one is certainly consumed.",
        Article::SendBackFails => "If sending back fails, the consumer tries again locally.",
        Article::SpanStops => "An offset span over 2000 stops pulling.",
        Article::PoolGrows => "The pool of workers grows from 20 to 64 threads.",
        Article::QueuesAreThreads => {
            "The number of queues is the number of messages worked on at once."
        }
        Article::LockIsReentrant => "The broker's queue lock is a ReentrantLock.",
        Article::LockShelf => {
            "Orderly consumption locks the ProcessQueue and starts from the queue's max offset."
        }
        Article::SixtySeconds => "After an orderly consumer dies, its queues are silent for 60 s.",
        Article::HeartbeatMaster => "A consumer sends heartbeats to the masters.",
        Article::InstanceByGroup => "There is one client instance for each consumer group.",
        Article::SlowStart => "With many topics the start is slow because of the many threads.",
    }
}

const fn code(article: Article) -> &'static str {
    match article {
        Article::RebalancePeriod => {
            "20 s in every release, and at once when the broker notifies the group (request 40). Since \
             5.2.0 an unbalanced pass is tried again after 1 s."
        }
        Article::HoldTime => {
            "15 s for push consumers, looked at every 5 s, so 15 to 20 s in fact. 20 s is the default \
             of the old pull consumer; the client itself waits 30 s."
        }
        Article::PullAfterConsume => {
            "The next pull is put into the queue before the batch is consumed. Only the limits on \
             count, size and span hold it back."
        }
        Article::NeverLost => {
            "After 16 retries a message goes to %DLQ%, which nobody reads by itself. Broadcasting does not retry \
             failures; a crash before a flush, expiry and a forward reset lose."
        }
        Article::SendBackFails => {
            "First its inner producer sends a copy to %RETRY% as an ordinary message. Only if that \
             fails too does it keep the message and try again after 5 s."
        }
        Article::SpanStops => {
            "The offset span counts only what is unfinished on the shelf. With one stuck message it slows \
             pulling to one batch each 50 ms; it does not stop it."
        }
        Article::PoolGrows => {
            "The pool's queue has no bound, so it never grows beyond consumeThreadMin, 20."
        }
        Article::QueuesAreThreads => {
            "It is the number of consumers that can work. Each of them runs up to 20 threads, also on \
             one queue."
        }
        Article::LockIsReentrant => {
            "It is a lease: a table of client and time, valid 60 s from the last renewal. The \
             ReentrantLock only guards changes of that table."
        }
        Article::LockShelf => {
            "It locks the queue at the broker, and the first locked pull reads the saved consume offset \
             again."
        }
        Article::SixtySeconds => {
            "4.2.0: 60 to 83 s, since the other consumer asks every 20 s and marks its shelf as locked a round \
             later. 4.9: about 60 s. 5.2 and later: 40 to 61.5 s. With the host lost it is at least 120 s."
        }
        Article::HeartbeatMaster => {
            "To every broker it knows, slaves too. Only a client with nothing but producers leaves slaves out."
        }
        Article::InstanceByGroup => {
            "One for each client id (address, instance name, unit). Many groups can share it."
        }
        Article::SlowStart => {
            "One rebalance thread asks for the group's consumers topic by topic and for C queue by queue; \
             it waits for each answer."
        }
    }
}

const fn simpler(simpler: Simpler) -> &'static str {
    match simpler {
        Simpler::Threads => {
            "Threads take turns in one fixed order, so that a run can be repeated exactly."
        }
        Simpler::Disk => {
            "CommitLog and consume queues are in memory. Of flushing only what a crash loses is kept."
        }
        Simpler::Polling => {
            "A service that looks every so often is called only when it would find something; times are the same."
        }
        Simpler::Scaled => {
            "Some runs set limits smaller so that they can be seen; such a value always shows RocketMQ's own beside it."
        }
        Simpler::Missing => {
            "Not there yet: POP consumption, transactions, SQL filters, the 5.x timer wheel."
        }
    }
}
