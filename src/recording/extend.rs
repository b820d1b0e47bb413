//! Going on: events are appended until a moment, a number of events, the budget's end or a limit.

use super::Recording;
use crate::model::limits;
use crate::model::time::Millis;
use crate::sim::TaskBudget;
use crate::sim::event::{Actor, Causes, Event, EventKind, EventSequence, Limit, Trigger};

/// Why a recording stopped to grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extended {
    /// What was wanted is there.
    Reached,
    /// There would be more to do.
    OutOfBudget,
    /// The run has met a limit; its last event says which. It never goes on.
    LimitReached(Limit),
    /// Nothing is on the agenda, for ever.
    NothingToCome,
}

impl Recording {
    /// Goes on until everything up to and including `until` has happened.
    pub fn extend_until(&mut self, until: Millis, budget: TaskBudget) -> Extended {
        if until <= self.reached {
            return Extended::Reached;
        }
        let wanted = until.min(limits::VIRTUAL_TIME);
        let mut left = budget.0;
        loop {
            if let Some(limit) = self.limit {
                return Extended::LimitReached(limit);
            }
            if self.head.next_at().is_none_or(|at| at > wanted) {
                self.reached = self.reached.max(wanted);
                if until > wanted {
                    self.reach_limit(Limit::VirtualTime);
                    continue;
                }
                return Extended::Reached;
            }
            if left == 0 {
                return Extended::OutOfBudget;
            }
            left -= 1;
            self.extend_by_a_step();
        }
    }

    /// Goes on until there are at least `count` events in all.
    pub fn extend_events(&mut self, count: EventSequence, budget: TaskBudget) -> Extended {
        let mut left = budget.0;
        while self.event_count() < count {
            if let Some(limit) = self.limit {
                return Extended::LimitReached(limit);
            }
            match self.head.next_at() {
                None => return Extended::NothingToCome,
                Some(at) if at > limits::VIRTUAL_TIME => self.reach_limit(Limit::VirtualTime),
                Some(_) if left == 0 => return Extended::OutOfBudget,
                Some(_) => {
                    left -= 1;
                    self.extend_by_a_step();
                }
            }
        }
        Extended::Reached
    }

    fn extend_by_a_step(&mut self) {
        self.keyframes.consider(&self.head);
        self.head.step();
        for event in self.head.drain_events() {
            self.events.push(event);
        }
        // A later task of the same moment may follow.
        let before_now = Millis(self.head.now().ms().saturating_sub(1));
        self.reached = self.reached.max(before_now);
        if u64::from(self.event_count()) >= limits::EVENTS {
            self.reach_limit(Limit::Events);
        } else if self.head.engine().counters.unique_key >= limits::MESSAGES {
            self.reach_limit(Limit::Messages);
        }
    }

    /// The run ends here, and says so.
    fn reach_limit(&mut self, limit: Limit) {
        self.limit = Some(limit);
        let sequence = self.event_count();
        let cause = self.events.last().map_or(Causes::NONE, |event| Causes::of(event.sequence));
        self.events.push(Event {
            sequence,
            at: self.reached.max(self.head.now()),
            actor: Actor::Person,
            causes: cause,
            trigger: Trigger::Follows,
            task: u64::MAX,
            kind: EventKind::LimitReached { limit },
        });
    }
}
