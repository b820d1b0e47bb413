//! The clean-up of a window: messages whose listener has run for more than `consumeTimeout` are sent
//! back, the listener notwithstanding (spec 04.3). In steps, because sending back takes time.
//!
//! Follows `ProcessQueue.cleanExpiredMsg`.

use serde::Serialize;

use super::constants;
use super::offset::QueueOffset;
use super::process_queue::{CachedMessage, ProcessQueue};
use super::profile::Profile;
use super::rules::Rules;
use super::time::Millis;

/// One clean-up of one window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CleanExpired {
    rounds_left: u32,
}

/// What the clean-up does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CleanStep {
    /// Send this one back at `constants::clean_expired_delay_level`, then tell
    /// [`CleanExpired::sent_back`] if that succeeded.
    SendBack(CachedMessage),
    /// This window is done.
    Done,
    /// The exception of 4.2.0 escaped: no window of this consumer is cleaned any more
    /// ([`Rules::clean_expired_defect`]).
    Died,
}

impl CleanExpired {
    /// At most 16 messages, and no more than there are now.
    pub fn begin(profile: Profile, process_queue: &ProcessQueue) -> CleanExpired {
        let count = u32::try_from(process_queue.messages().len()).unwrap_or(u32::MAX);
        CleanExpired { rounds_left: count.min(constants::clean_expired_batch(profile)) }
    }

    /// Looks at the first message of the window. `timeout` is `consumeTimeout`.
    ///
    /// A message that could not be sent back is met again and takes another round.
    pub fn next(
        &mut self,
        rules: &Rules,
        process_queue: &ProcessQueue,
        now: Millis,
        timeout: Millis,
    ) -> CleanStep {
        if self.rounds_left == 0 {
            return CleanStep::Done;
        }
        let Some(first) = process_queue.first() else { return CleanStep::Done };
        let Some(started_at) = first.consume_started_at else {
            return if rules.clean_expired_defect { CleanStep::Died } else { CleanStep::Done };
        };
        if now.since(started_at) <= timeout {
            return CleanStep::Done;
        }
        self.rounds_left -= 1;
        CleanStep::SendBack(first.clone())
    }

    /// Takes a message that was sent back out of the window, if it is still the first. The offset that
    /// this would allow is not used: it moves with the next ordinary result.
    pub fn sent_back(
        rules: &Rules,
        process_queue: &mut ProcessQueue,
        now: Millis,
        offset: QueueOffset,
    ) {
        if process_queue.first_offset() == Some(offset) {
            let _unused = process_queue.remove_message(rules, now, [offset]);
        }
    }
}
