//! The why-chain: from an event back to what began it, newest first (UX 6).
//!
//! Causes are the engine's own: an event knows what put its task on the agenda. A chain ends at a
//! command, at a timer that nobody set, or at the start.

use std::collections::BTreeSet;

use crate::recording::Recording;
use crate::sim::event::{Causes, EventSequence};

/// What a cause is to its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// On the main line.
    Main,
    /// Needed as well as the one on the main line.
    AlsoNeeded,
    /// Would have done it without the one on the main line.
    AlsoEnough,
}

/// One link of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub event: EventSequence,
    pub part: Part,
}

/// Links of one chain, at most.
pub const LINKS: usize = 64;

/// The chain of an event: itself, then its causes. The main line follows the cause that made it happen
/// when it happened ([`Causes::main`]); other causes stand beside it and are not followed further.
pub fn why_chain(recording: &Recording, event: EventSequence) -> Vec<Link> {
    let mut chain = vec![Link { event, part: Part::Main }];
    let mut here = event;
    while let Some((main, causes)) = main_cause(recording, here) {
        if chain.len() >= LINKS {
            break;
        }
        let part = if causes.is_any() { Part::AlsoEnough } else { Part::AlsoNeeded };
        let beside = causes.as_slice().iter().rev().filter(|cause| **cause != main);
        chain.extend(beside.map(|event| Link { event: *event, part }));
        chain.push(Link { event: main, part: Part::Main });
        here = main;
    }
    chain
}

/// Where the event's chain ends, however long it is: without all of these events it would not be. They are
/// several only where an event on the line had several causes of which each was enough.
pub fn roots(recording: &Recording, event: EventSequence) -> BTreeSet<EventSequence> {
    let (mut roots, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut open = vec![event];
    while let Some(here) = open.pop() {
        if !seen.insert(here) {
            continue;
        }
        match main_cause(recording, here) {
            None => {
                roots.insert(here);
            }
            Some((_, causes)) if causes.is_any() => open.extend(causes.as_slice()),
            Some((main, _)) => open.push(main),
        }
    }
    roots
}

fn main_cause(recording: &Recording, event: EventSequence) -> Option<(EventSequence, Causes)> {
    let causes = recording.event(event)?.causes;
    causes.main().filter(|main| *main < event).map(|main| (main, causes))
}
