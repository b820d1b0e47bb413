//! The words of the help page: keys, how to read the picture, where articles err, where we differ.

use super::term::TermGroup;
use super::{Language, en_help, zh_help};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyDeed {
    PlayOrPause,
    Step,
    StepBack,
    StepKey,
    StepKeyBack,
    NextMark,
    PreviousMark,
    Start,
    End,
    GoToTime,
    Slower,
    Faster,
    NextFold,
    Inspect,
    Do,
    Why,
    Log,
    Charts,
    Sequence,
    Checks,
    Zoom,
    Blank,
    Caption,
    Future,
    Language,
    Theme,
    CopyLink,
    Undo,
    Redo,
    Deselect,
    Help,
}

/// A statement that is often read, and what the source code says. Each was checked in the source of
/// the three releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Article {
    RebalancePeriod,
    HoldTime,
    PullAfterConsume,
    NeverLost,
    SendBackFails,
    SpanStops,
    PoolGrows,
    QueuesAreThreads,
    LockIsReentrant,
    LockShelf,
    SixtySeconds,
    HeartbeatMaster,
    InstanceByGroup,
    SlowStart,
}

impl Article {
    pub const ALL: [Article; 14] = [
        Article::RebalancePeriod,
        Article::HoldTime,
        Article::PullAfterConsume,
        Article::NeverLost,
        Article::SendBackFails,
        Article::SpanStops,
        Article::PoolGrows,
        Article::QueuesAreThreads,
        Article::LockIsReentrant,
        Article::LockShelf,
        Article::SixtySeconds,
        Article::HeartbeatMaster,
        Article::InstanceByGroup,
        Article::SlowStart,
    ];
}

/// A sentence on how to read the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reading {
    Places,
    Flags,
    Lines,
    Marker,
    Fold,
    Shelf,
    Stairs,
}

impl Reading {
    pub const ALL: [Reading; 7] = [
        Reading::Places,
        Reading::Flags,
        Reading::Lines,
        Reading::Marker,
        Reading::Fold,
        Reading::Shelf,
        Reading::Stairs,
    ];
}

/// Where the model is simpler than RocketMQ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simpler {
    Threads,
    Disk,
    Polling,
    Scaled,
    Missing,
}

impl Simpler {
    pub const ALL: [Simpler; 5] =
        [Simpler::Threads, Simpler::Disk, Simpler::Polling, Simpler::Scaled, Simpler::Missing];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HelpText {
    Title,
    Back,
    ReadTitle,
    Read(Reading),
    KeysTitle,
    KeysNote,
    Deed(KeyDeed),
    SingleKeys,
    MotionTitle,
    MotionSystem,
    MotionFull,
    MotionStill,
    WordsTitle,
    WordsNote,
    Words(TermGroup),
    OnStage,
    InRocketMq,
    WhatItIs,
    ArticlesTitle,
    ArticlesNote,
    OftenRead,
    InTheCode,
    Says(Article),
    Code(Article),
    SimplerTitle,
    Simpler(Simpler),
}

impl HelpText {
    pub const fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => en_help::say(self),
            Language::ZhCn => zh_help::say(self),
        }
    }
}
