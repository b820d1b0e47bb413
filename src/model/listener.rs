//! The application's code, as a learner writes it: how long it takes, and how it ends.

use serde::{Deserialize, Serialize};

use super::time::Millis;

/// How one call of a listener ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ListenerResult {
    /// CONSUME_SUCCESS; SUCCESS in orderly mode.
    Success,
    /// RECONSUME_LATER; SUSPEND_CURRENT_QUEUE_A_MOMENT in orderly mode.
    Later,
    /// The listener throws.
    Throws,
    /// The listener returns null.
    Null,
    /// The call does not return by itself.
    Never,
    /// COMMIT, orderly with autoCommit = false.
    Commit,
    /// ROLLBACK, orderly with autoCommit = false.
    Rollback,
}

/// What the listener does when `shutdownNow` interrupts its thread (spec 02.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnInterrupt {
    /// It goes on as if nothing had happened.
    #[default]
    Ignores,
    /// It ends at once with the result that it would have had at its end.
    EndsEarly,
    /// It ends at once and succeeds.
    Succeeds,
    /// It ends at once and fails.
    Fails,
}

/// One call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListenerStep {
    pub takes: Millis,
    pub result: ListenerResult,
    /// `context.ackIndex`; `None` leaves the default (all). Counts within the batch, from 0.
    pub ack_index: Option<i32>,
    /// `context.delayLevelWhenNextConsume`; 0 is RocketMQ's default (the ladder).
    pub delay_level_when_next_consume: i32,
    /// `context.suspendCurrentQueueTimeMillis`, orderly only; `None` leaves the consumer's.
    pub suspend_ms: Option<Millis>,
    pub on_interrupt: OnInterrupt,
}

impl ListenerStep {
    pub const fn ok() -> ListenerStep {
        ListenerStep {
            takes: Millis::ZERO,
            result: ListenerResult::Success,
            ack_index: None,
            delay_level_when_next_consume: 0,
            suspend_ms: None,
            on_interrupt: OnInterrupt::Ignores,
        }
    }

    pub const fn fails() -> ListenerStep {
        ListenerStep { result: ListenerResult::Later, ..ListenerStep::ok() }
    }

    pub const fn taking(self, takes: Millis) -> ListenerStep {
        ListenerStep { takes, ..self }
    }
}

/// What happens at the 1st, 2nd, ... call for one message key within one consumer process. The last
/// step repeats for ever. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListenerScript {
    steps: Vec<ListenerStep>,
}

impl ListenerScript {
    /// `first` for the first call, `rest` for those after it.
    pub fn new(
        first: ListenerStep,
        rest: impl IntoIterator<Item = ListenerStep>,
    ) -> ListenerScript {
        let mut steps = vec![first];
        steps.extend(rest);
        ListenerScript { steps }
    }

    pub fn always(step: ListenerStep) -> ListenerScript {
        ListenerScript { steps: vec![step] }
    }

    /// Fails `count` times (0 or more), then succeeds.
    pub fn fails_times(count: u32) -> ListenerScript {
        let mut steps = vec![ListenerStep::fails(); count as usize];
        steps.push(ListenerStep::ok());
        ListenerScript { steps }
    }

    /// The step of the `nth` call, counted from 0.
    pub fn step(&self, nth: u32) -> ListenerStep {
        let last = self.steps.len() - 1;
        self.steps[(nth as usize).min(last)]
    }

    pub fn steps(&self) -> &[ListenerStep] {
        &self.steps
    }
}

/// The listener of one consumer: a pause before every message, then the message's own script or,
/// where it has none, the default one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListenerBehavior {
    /// Spent on every message before its script.
    pub pause: Millis,
    pub default_script: ListenerScript,
    /// Scripts by message key, tried before the message's own.
    pub by_key: Vec<(super::ids::MessageKey, ListenerScript)>,
}

impl Default for ListenerBehavior {
    fn default() -> ListenerBehavior {
        ListenerBehavior {
            pause: Millis::ZERO,
            default_script: ListenerScript::always(ListenerStep::ok()),
            by_key: Vec::new(),
        }
    }
}
