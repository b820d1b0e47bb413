//! Who waits, for what, until when: the sentence of a fold, and of every timer on the agenda.

use std::rc::Rc;

use super::event::{Code, CommandText, PutOffWord, Who};
use super::{Language, en_wait, zh_wait};
use crate::model::time::Millis;

/// A wait, as `sim::event::TimerKind` names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitText {
    pub who: Who,
    pub what: WaitFor,
    pub due: Millis,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitFor {
    /// A message at a delay level; with `failures` 0 its sender asked for the delay.
    Delay {
        label: Rc<str>,
        failures: i32,
        level: u32,
    },
    /// The same while its broker does not run.
    DelayAtDownBroker {
        label: Rc<str>,
        level: u32,
    },
    /// A level is looked at, whatever lies there.
    LevelLook {
        level: u32,
    },
    Listener {
        label: Rc<str>,
        place: Rc<str>,
    },
    /// The listener call of a shutdown, or one that nobody names.
    ListenerEnd,
    ReportOffsets,
    /// While no broker runs.
    ReportOffsetsInVain,
    Rebalance,
    FirstPull,
    PutOff {
        queue: Option<Rc<str>>,
        why: PutOffWord,
    },
    PullInterval,
    HeldPulls,
    LocalRetry {
        label: Rc<str>,
    },
    Suspended {
        queue: Option<Rc<str>>,
    },
    RenewLocks,
    LockLater,
    UnlockLater,
    ConsumeLock,
    Answer {
        code: Code,
    },
    Heartbeat,
    Routes,
    RegisterBroker,
    SilentClients,
    SilentConnection,
    SilentBrokers,
    CopyMaster,
    SaveOffsets,
    SaveDelays,
    Dispatch,
    SlowStore,
    RepairOffset,
    ResetOffset,
    CleanExpired,
    /// The next message of a row.
    NextSend {
        label: Option<Rc<str>>,
    },
    StartUp,
    Resume,
    ThreadPool,
    Packet {
        code: Option<Code>,
    },
    Command {
        what: Option<CommandText>,
    },
    /// Only background until then.
    Nothing,
}

impl WaitText {
    /// `B failed twice: broker-a holds it at level 4 until T+00:44.150`.
    pub fn say(&self, language: Language) -> String {
        match language {
            Language::En => en_wait::say(self),
            Language::ZhCn => zh_wait::say(self),
        }
    }
}
