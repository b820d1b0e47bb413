//! A stable 64-bit mark of a state: FNV-1a over its postcard bytes. Two states are equal exactly when
//! their digests are, for every practical purpose.

use postcard::ser_flavors::Flavor;
use serde::Serialize;

use super::Simulation;

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Takes postcard's bytes one by one and keeps only their hash.
struct Fnv(u64);

impl Flavor for Fnv {
    type Output = u64;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<u64> {
        Ok(self.0)
    }
}

/// The mark of any value.
pub fn digest_of(value: &impl Serialize) -> u64 {
    postcard::serialize_with_flavor(value, Fnv(OFFSET_BASIS))
        .expect("hashing never runs out of room")
}

impl Simulation {
    /// The mark of world, agenda, dice, counters and time. Commands still to come are not in it.
    pub fn digest(&self) -> u64 {
        digest_of(&(&self.world, &self.engine))
    }
}
