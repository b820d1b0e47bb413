//! `Fold`: a wait of more than a second, told in about one, and what it is a wait for.
//!
//! A wait ends with the first told event after it. Whoever's timer that event came from is who waits;
//! background inside (heartbeats, idle pulls, offsets reported again) does not end a wait and is told
//! as ticks.

use super::timeline::StoryMs;
use crate::model::append_log::AppendLog;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::sim::event::{Actor, Event, EventKind, EventSequence, TimerKind, Trigger};

#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The told event after which nothing happens, and the one that ends the wait.
    pub from: EventSequence,
    pub to: EventSequence,
    pub from_at: Millis,
    pub to_at: Millis,
    pub story_from: StoryMs,
    pub story_to: StoryMs,
    pub wait: Wait,
}

/// What a wait is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The event with which it is over: the first consequence of the timer.
    pub ends_with: EventSequence,
    pub waiter: Actor,
    pub awaited: Awaited,
    /// When the timer was set, and when it is due.
    pub since: Millis,
    pub due: Millis,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Awaited {
    Timer(TimerKind),
    /// A packet that is a second or more on its way.
    Packet,
    /// The next command: of the script, or the visitor's.
    Command {
        index: Option<u32>,
    },
    /// Nothing but background; the fold ends so that the film goes on.
    Nothing,
}

impl Fold {
    pub(super) fn of(
        recording: &Recording,
        from: EventSequence,
        to: EventSequence,
        story_from: StoryMs,
        story_to: StoryMs,
        is_told: bool,
    ) -> Fold {
        let events = recording.events();
        let at = |index: EventSequence| events.get(index as usize).map_or(Millis::ZERO, |it| it.at);
        let (from_at, to_at) = (at(from), at(to));
        let mut wait = wait(events, from_at, to);
        if !is_told {
            wait.awaited = Awaited::Nothing;
        }
        Fold { from, to, from_at, to_at, story_from, story_to, wait }
    }

    /// How long the wait is.
    pub fn span(&self) -> Millis {
        self.to_at.since(self.from_at)
    }

    /// The background events inside.
    pub fn ticks(&self) -> impl Iterator<Item = EventSequence> {
        self.from + 1..self.to
    }
}

/// Goes from the event that ended the wait back to what set it off, within the wait.
fn wait(events: &AppendLog<Event>, from_at: Millis, to: EventSequence) -> Wait {
    let mut event = events.get(to as usize).expect("a fold ends with an event");
    loop {
        let since = match &event.trigger {
            // What a frozen process has put off comes due when it goes on: nobody waited for it.
            Trigger::Timer { kind, since } if *since < event.at => {
                return Wait {
                    ends_with: event.sequence,
                    waiter: event.actor,
                    awaited: Awaited::Timer(kind.clone()),
                    since: *since,
                    due: event.at,
                };
            }
            Trigger::Command => {
                let index = match event.kind {
                    EventKind::CommandApplied { index }
                    | EventKind::CommandRefused { index, .. } => Some(index),
                    _ => None,
                };
                return of_event(event, Awaited::Command { index }, from_at);
            }
            Trigger::Packet | Trigger::Follows | Trigger::Timer { .. } => {
                // The latest of its causes is the one that made it happen now.
                let causes = event.causes.as_slice().iter();
                match causes.filter_map(|cause| events.get(*cause as usize)).max_by_key(|it| it.at)
                {
                    Some(cause) if cause.at > from_at => {
                        event = cause;
                        continue;
                    }
                    Some(cause) => cause.at,
                    None => from_at,
                }
            }
        };
        let awaited = match event.trigger {
            Trigger::Packet => Awaited::Packet,
            _ => Awaited::Nothing,
        };
        return of_event(event, awaited, since);
    }
}

fn of_event(event: &Event, awaited: Awaited, since: Millis) -> Wait {
    Wait { ends_with: event.sequence, waiter: event.actor, awaited, since, due: event.at }
}
