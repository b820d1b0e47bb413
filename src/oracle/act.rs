//! `act`: what the recorded listener was told to do with a message, and the same as a script of ours.

use std::fmt;

use crate::model::listener::{ListenerResult, ListenerScript, ListenerStep, OnInterrupt};
use crate::model::time::Millis;

/// The act of one message, counted per key within one consumer process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Ok,
    /// Always fails.
    Fail,
    /// Sleeps each time, then succeeds.
    Sleep(Millis),
    /// Sleeps the first time only; always fails.
    SleepFail(Millis),
    /// Sleeps and fails the first time, then succeeds at once.
    SleepFailOnce(Millis),
    /// Fails this often, then succeeds (orderly).
    Suspend(u32),
    /// Sleeps, then succeeds; fails if it is interrupted.
    InterruptFail(Millis),
    /// Goes on for so long whatever happens, then succeeds.
    Spin(Millis),
}

/// The act's name is not known, or its number cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown act `{0}`")]
pub struct UnknownAct(pub String);

impl Act {
    pub fn parse(text: &str) -> Result<Act, UnknownAct> {
        let unknown = || UnknownAct(text.to_owned());
        let (name, number) = match text.split_once(':') {
            None => (text, None),
            Some((name, digits)) => (name, Some(digits.parse::<u32>().map_err(|_| unknown())?)),
        };
        let ms = |number: u32| Millis::new(u64::from(number));
        match (name, number) {
            ("ok", None) => Ok(Act::Ok),
            ("fail", None) => Ok(Act::Fail),
            ("sleep", Some(number)) => Ok(Act::Sleep(ms(number))),
            ("sleepfail", Some(number)) => Ok(Act::SleepFail(ms(number))),
            ("sleepfail1", Some(number)) => Ok(Act::SleepFailOnce(ms(number))),
            ("suspend", Some(number)) => Ok(Act::Suspend(number)),
            ("intfail", Some(number)) => Ok(Act::InterruptFail(ms(number))),
            ("spin", Some(number)) => Ok(Act::Spin(ms(number))),
            _ => Err(unknown()),
        }
    }

    /// The same as a listener's script.
    ///
    /// An interruption ends a sleep early, and the listener goes on with its result; only `intfail`
    /// and `spin` react otherwise.
    pub fn script(self) -> ListenerScript {
        let sleeps = |result, ms| ListenerStep {
            result,
            takes: ms,
            on_interrupt: OnInterrupt::EndsEarly,
            ..ListenerStep::ok()
        };
        match self {
            Act::Ok => ListenerScript::always(ListenerStep::ok()),
            Act::Fail => ListenerScript::always(ListenerStep::fails()),
            Act::Sleep(ms) => ListenerScript::always(sleeps(ListenerResult::Success, ms)),
            Act::SleepFail(ms) => {
                ListenerScript::new(sleeps(ListenerResult::Later, ms), [ListenerStep::fails()])
            }
            Act::SleepFailOnce(ms) => {
                ListenerScript::new(sleeps(ListenerResult::Later, ms), [ListenerStep::ok()])
            }
            Act::Suspend(count) => ListenerScript::fails_times(count),
            Act::InterruptFail(ms) => ListenerScript::always(ListenerStep {
                on_interrupt: OnInterrupt::Fails,
                ..ListenerStep::ok().taking(ms)
            }),
            Act::Spin(ms) => ListenerScript::always(ListenerStep::ok().taking(ms)),
        }
    }
}

impl Act {
    /// The act whose script this is, if there is one.
    pub fn of_script(script: &ListenerScript) -> Option<Act> {
        let first = script.step(0);
        let steps = script.steps().len() as u32;
        let candidates = [
            Act::Ok,
            Act::Fail,
            Act::Sleep(first.takes),
            Act::SleepFail(first.takes),
            Act::SleepFailOnce(first.takes),
            Act::Suspend(steps.saturating_sub(1)),
            Act::InterruptFail(first.takes),
            Act::Spin(first.takes),
        ];
        candidates.into_iter().find(|act| act.script() == *script)
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Act::Ok => f.write_str("ok"),
            Act::Fail => f.write_str("fail"),
            Act::Sleep(ms) => write!(f, "sleep:{}", ms.ms()),
            Act::SleepFail(ms) => write!(f, "sleepfail:{}", ms.ms()),
            Act::SleepFailOnce(ms) => write!(f, "sleepfail1:{}", ms.ms()),
            Act::Suspend(count) => write!(f, "suspend:{count}"),
            Act::InterruptFail(ms) => write!(f, "intfail:{}", ms.ms()),
            Act::Spin(ms) => write!(f, "spin:{}", ms.ms()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_is_read_and_written_alike() {
        let all = [
            "ok",
            "fail",
            "sleep:10",
            "sleepfail:10",
            "sleepfail1:10",
            "suspend:3",
            "intfail:10",
            "spin:10",
        ];
        for text in all {
            assert_eq!(Act::parse(text).map(|act| act.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn an_act_that_is_unknown_is_named() {
        for text in ["explode", "sleep", "sleep:x", "ok:1", ""] {
            assert_eq!(Act::parse(text), Err(UnknownAct(text.to_owned())));
        }
    }

    #[test]
    fn a_sleep_before_the_first_failure_is_not_repeated() {
        let script = Act::parse("sleepfail:8000").map(Act::script);
        let script = script.expect("a known act");
        assert_eq!(script.step(0).takes, Millis::new(8_000));
        assert_eq!(
            (script.step(1).takes, script.step(1).result),
            (Millis::ZERO, ListenerResult::Later)
        );
    }
}
