//! The why-chain: from an event back to what began it, newest first (UX 6).
//!
//! Causes are the engine's own: an event knows what put its task on the agenda. A chain ends at a
//! command, at a timer that nobody set, or at the start.

use crate::recording::Recording;
use crate::sim::event::EventSequence;

/// One link of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub event: EventSequence,
    /// 0 on the main line; a second cause of the link before stands one deeper.
    pub depth: u8,
}

/// Links of one chain, at most.
pub const LINKS: usize = 64;

/// The chain of an event: itself, then its causes. The main line follows the latest cause, the one
/// that made it happen when it happened; other causes stand beside it and are not followed further.
pub fn why_chain(recording: &Recording, event: EventSequence) -> Vec<Link> {
    let mut chain = vec![Link { event, depth: 0 }];
    let mut here = event;
    while let Some(it) = recording.event(here) {
        let mut causes: Vec<EventSequence> = it.causes.as_slice().to_vec();
        causes.sort_unstable();
        let Some(main) = causes.pop().filter(|main| *main < here) else { break };
        if chain.len() >= LINKS {
            break;
        }
        chain.extend(causes.into_iter().rev().map(|event| Link { event, depth: 1 }));
        chain.push(Link { event: main, depth: 0 });
        here = main;
    }
    chain
}
