//! `Beat`: one idea of the film. Events of a few milliseconds that tell one story are one journey of
//! one thing, with a beginning, a way and an end (the design calls it a beat).
//!
//! A beat is data: who moves from where to where, what it carries, when it starts, lands and ends. It
//! is read off the events by [`read`], gets its time from `timeline`, and is drawn by `stage`. Nothing
//! of it is remembered from frame to frame.

pub mod crowd;
mod deed;
mod draft;
mod life;
pub mod lit;
pub mod pace;
pub mod read;
pub mod roots;
pub mod stage;

use super::importance::Importance;
use super::mark::{MarkId, TokenId};
use super::scene::Spot;
use super::timeline::StoryMs;
use crate::model::ids::UniqueKey;
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::sim::event::{Event, EventSequence};

/// What kind of idea it is: decides how long it takes and how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BeatKind {
    /// A message goes from its producer into a queue.
    Send,
    /// An arrival frees a held pull, which takes a copy of the message.
    Wake,
    /// The pull comes back to its consumer with what it found.
    Answer,
    /// What it brought goes to its places on the shelf.
    Shelve,
    /// A worker takes a message.
    Seat,
    /// The listener returned success.
    Done,
    /// The listener returned failure.
    Fail,
    /// A failed message goes back to the broker, to its delay level.
    SendBack,
    /// Its time is over: it goes to the retry queue.
    Return,
    /// It becomes a dead letter.
    Bury,
    /// A consumer tells the broker its C.
    Report,
    /// A pull goes out and is held.
    Loop,
    /// A pull is put off.
    PutOff,
    /// A consumer enters the broker's list of the group.
    Join,
    /// The broker tells the consumers that the group has changed.
    Notice,
    /// Each consumer computes which queues it reads.
    Deal,
    /// A consumer gives a queue up.
    LetGo,
    /// A consumer takes a queue.
    Catch,
    /// The broker grants a lock.
    Grant,
    /// It refuses one.
    Refuse,
    /// A lock is given back.
    Unlock,
    /// A consumer notes that it holds a lock, or no longer does.
    Belief,
    /// A process starts, stops, dies, freezes or goes on.
    Life,
    /// One step of `start()`.
    Step,
    /// Something does not arrive.
    Loss,
    /// A change in place that belongs to none of these.
    Change,
}

/// Where something stands on the stage, by what is drawn there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Token(TokenId),
    Mark(MarkId),
    Spot(Spot),
}

/// What is seen moving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// The drawn thing of this token itself.
    Token(TokenId),
    /// The one call that carries it, as a plate: its code.
    Plate(u16),
    /// The answer that comes back: yes or no.
    Verdict { number: u16, is_granted: bool },
    /// A slip of paper with an offset: what a report of C carries.
    Slip { queue: MessageQueue, offset: i64 },
    /// A queue's own name, as it goes from one reader to another.
    Name(MessageQueue),
}

/// One thing on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mover {
    pub picture: Picture,
    pub from: Place,
    pub to: Place,
    /// The original stays where it is: reading removes nothing.
    pub is_copy: bool,
    /// It gets only half way.
    pub is_lost: bool,
}

impl Mover {
    pub fn new(picture: Picture, from: Place, to: Place) -> Mover {
        Mover { picture, from, to, is_copy: false, is_lost: false }
    }

    /// A token from one spot to where it is afterwards.
    pub fn from_spot(token: TokenId, from: Spot) -> Mover {
        Mover::of(token, Place::Spot(from))
    }

    /// A token from one place to where it is afterwards.
    pub fn of(token: TokenId, from: Place) -> Mover {
        Mover::new(Picture::Token(token.clone()), from, Place::Token(token))
    }

    pub fn copying(mut self) -> Mover {
        self.is_copy = true;
        self
    }

    pub fn lost(mut self) -> Mover {
        self.is_lost = true;
        self
    }
}

/// One beat, with its place in the story.
#[derive(Clone, Debug, PartialEq)]
pub struct Beat {
    pub kind: BeatKind,
    /// From this event on everything takes effect when it lands ...
    pub first: EventSequence,
    /// ... and this is the one that the beat is about; a crowd's is its last.
    pub effect: EventSequence,
    /// What follows from it within the same moment takes effect with it.
    pub last: EventSequence,
    /// Of the most important of its events.
    pub importance: Importance,
    /// The task of its effect: events of one task changed the world together.
    pub task: u64,
    /// The task of the first that it gathers: what that one led to the world may show already.
    pub first_task: u64,
    /// Virtual time when it begins and when it lands.
    pub begins_at: Millis,
    pub at: Millis,
    /// The first is the subject's, if anything moves.
    pub movers: Vec<Mover>,
    /// How many things move, where not all of them are drawn.
    pub count: u32,
    /// What the eye looks at where nothing moves, and what else takes part.
    pub lit: Vec<MarkId>,
    /// The message that it is about.
    pub message: Option<UniqueKey>,
    /// What it carries besides: a few of the messages that a pull brings.
    pub carries: Vec<UniqueKey>,
    /// A line from the cause to what it frees, before anything moves.
    pub cause: Option<(Place, Place)>,
    /// The call that carries the subject: its request code.
    pub plate: Option<u16>,
    /// Its things go all at once, and not one after the other.
    pub is_together: bool,
    /// A person asked for it: it is told in full, however often, and seen at once.
    pub is_own: bool,
    /// It is routine: told in passing, and nothing is dimmed for it.
    pub is_passing: bool,
    /// Lifted from here on, lands, and what changes by its arrival has changed; story ms.
    pub starts_ms: StoryMs,
    pub departs_ms: StoryMs,
    pub lands_ms: StoryMs,
    pub ends_ms: StoryMs,
}

impl Beat {
    /// Nothing but a place to go on from, after a very long wait.
    pub fn pause(event: &Event) -> Beat {
        Beat {
            kind: BeatKind::Change,
            first: event.sequence,
            effect: event.sequence,
            last: event.sequence,
            importance: 0,
            task: event.task,
            first_task: event.task,
            begins_at: event.at,
            at: event.at,
            movers: Vec::new(),
            count: 0,
            lit: Vec::new(),
            message: None,
            carries: Vec::new(),
            cause: None,
            plate: None,
            is_together: false,
            is_own: false,
            is_passing: true,
            starts_ms: 0.0,
            departs_ms: 0.0,
            lands_ms: 0.0,
            ends_ms: 0.0,
        }
    }

    /// Whether the playhead is inside, so that what is seen is no state yet.
    pub fn holds(&self, story: StoryMs) -> bool {
        self.starts_ms < story && story < self.ends_ms
    }

    /// The part of its way that mover `place` has gone at a story time, 0 to 1 and not eased yet. A few go
    /// one after the other, a crowd together.
    pub fn part(&self, place: usize, story: StoryMs) -> f64 {
        let whole = (self.lands_ms - self.departs_ms).max(1.0);
        let turns = self.turns() as f64;
        let turn = if turns > 1.0 { place as f64 } else { 0.0 };
        ((story - self.departs_ms) / whole * turns - turn).clamp(0.0, 1.0)
    }

    /// How many go one after the other.
    pub fn turns(&self) -> usize {
        match self.movers.len() {
            0..=1 => 1,
            count if self.is_together => 1.min(count),
            count if count <= crowd::ONE_BY_ONE && self.count as usize == count => count,
            _ => 1,
        }
    }

    /// The mover that the eye follows at a story time.
    pub fn subject_at(&self, story: StoryMs) -> Option<usize> {
        let last = self.turns().min(self.movers.len()).checked_sub(1)?;
        (0..=last).find(|place| self.part(*place, story) < 1.0).or(Some(last))
    }
}
