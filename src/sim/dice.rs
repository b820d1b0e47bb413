//! Chance: one PCG stream for each purpose, all from the scenario's one seed, so that adding a
//! consumer does not change when messages arrive. Draws are integers only.

use rand_core::Rng;
use rand_pcg::Lcg64Xsh32;
use serde::Serialize;

/// What a draw is for. Each purpose has a stream of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// First value of a producer's round-robin counter (spec 08.3).
    QueuePick,
    /// Broker asked for the member list (spec 02.4.1); queue of a retry copy (spec 05.6.1).
    BrokerPick,
    /// Latency within its range.
    Network,
    Listener,
    /// Order of simultaneous tasks under `TieBreak::Shuffled`.
    TieBreak,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dice {
    streams: [Lcg64Xsh32; 5],
}

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice { streams: std::array::from_fn(|stream| Lcg64Xsh32::new(seed, stream as u64)) }
    }

    fn stream(&mut self, purpose: Purpose) -> &mut Lcg64Xsh32 {
        &mut self.streams[purpose as usize]
    }

    pub fn next_u32(&mut self, purpose: Purpose) -> u32 {
        self.stream(purpose).next_u32()
    }

    /// A number in `0..bound`; 0 if `bound` is 0 or 1, without a draw.
    pub fn below(&mut self, purpose: Purpose, bound: u32) -> u32 {
        if bound <= 1 {
            return 0;
        }
        // Multiply and shift: the bias is below 2^-32 * bound, and the same everywhere.
        ((u64::from(self.next_u32(purpose)) * u64::from(bound)) >> 32) as u32
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, purpose: Purpose, low: u64, high: u64) -> u64 {
        let width = u32::try_from(high.saturating_sub(low) + 1).unwrap_or(u32::MAX);
        low + u64::from(self.below(purpose, width))
    }
}
