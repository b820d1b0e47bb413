//! How one queue stands with one group: what waits, what runs, who owns it, where C is.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Condition, SILENT_AFTER, STILL_AFTER};
use crate::model::ids::{ProcessIndex, ProcessQueueId};
use crate::model::message::StoredMessage;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

/// A listener call with one record: process, thread, offset.
pub type Call = (ProcessIndex, u32, QueueOffset);

#[derive(Clone, Debug)]
pub struct Standing {
    /// Wanted records that no listener call ever began with.
    waiting: BTreeMap<QueueOffset, Rc<StoredMessage>>,
    /// Behind the last record that the group wants.
    end: QueueOffset,
    running: BTreeSet<Call>,
    /// Calls that began with a record, and those of them that failed.
    calls: BTreeMap<QueueOffset, (u32, u32)>,
    /// The windows that are not dropped.
    pub owners: BTreeMap<ProcessIndex, ProcessQueueId>,
    /// C, as the broker has it; before the first commit, where the group began.
    pub committed: QueueOffset,
    /// Since when there has been something to commit and C has not moved.
    pub still_since: Millis,
    /// Since when nothing has happened in the queue though something waits.
    pub active_at: Millis,
    has_committed: bool,
}

impl Standing {
    pub fn new(begin: QueueOffset, at: Millis) -> Standing {
        Standing {
            waiting: BTreeMap::new(),
            end: begin,
            running: BTreeSet::new(),
            calls: BTreeMap::new(),
            owners: BTreeMap::new(),
            committed: begin,
            still_since: at,
            active_at: at,
            has_committed: false,
        }
    }

    /// When a standstill and a silence are too long.
    pub fn due(&self) -> [(Condition, Option<Millis>); 2] {
        let is_behind = self.committed < self.end;
        let is_silent = !self.waiting.is_empty() && self.running.is_empty();
        [
            (Condition::CommitMoves, is_behind.then_some(self.still_since + STILL_AFTER)),
            (Condition::NoSilence, is_silent.then_some(self.active_at + SILENT_AFTER)),
        ]
    }

    /// A record came that the group wants.
    pub fn arrive(&mut self, message: Rc<StoredMessage>, at: Millis) {
        if self.waiting.is_empty() && self.running.is_empty() {
            self.active_at = at;
        }
        if self.committed >= self.end {
            self.still_since = at;
        }
        self.end = self.end.max(message.queue_offset.next());
        self.waiting.insert(message.queue_offset, message);
    }

    /// C moves. Answers the first record below it that nobody ever had.
    pub fn commit(&mut self, to: QueueOffset, at: Millis) -> Option<Rc<StoredMessage>> {
        if to != self.committed || !self.has_committed {
            self.still_since = at;
        }
        self.committed = to;
        self.has_committed = true;
        self.forget_below(to)
    }

    /// An owner begins at `next`. Where nothing was committed, what lies before is skipped.
    pub fn begin_at(&mut self, next: QueueOffset) -> Option<Rc<StoredMessage>> {
        if self.has_committed { None } else { self.forget_below(next) }
    }

    fn forget_below(&mut self, offset: QueueOffset) -> Option<Rc<StoredMessage>> {
        let kept = self.waiting.split_off(&offset);
        let skipped = std::mem::replace(&mut self.waiting, kept);
        skipped.into_values().next()
    }

    /// The broker has nothing from `kept` on any more. Says whether something was lost.
    pub fn cut(&mut self, kept: QueueOffset) -> bool {
        self.calls.split_off(&kept);
        self.end = self.end.min(kept);
        !self.waiting.split_off(&kept).is_empty()
    }

    /// Says whether an earlier call with the record succeeded, still runs, or was cut off.
    pub fn begin_call(&mut self, call: Call, at: Millis) -> bool {
        self.active_at = at;
        self.waiting.remove(&call.2);
        self.running.insert(call);
        let (begun, failed) = self.calls.entry(call.2).or_default();
        *begun += 1;
        *begun > *failed + 1
    }

    pub fn end_call(&mut self, call: Call, has_failed: bool, at: Millis) {
        self.active_at = at;
        self.running.remove(&call);
        if has_failed && let Some((_, failed)) = self.calls.get_mut(&call.2) {
            *failed += 1;
        }
    }

    /// A process is gone, and its calls with it.
    pub fn forget(&mut self, process: ProcessIndex, at: Millis) {
        self.owners.remove(&process);
        let before = self.running.len();
        self.running.retain(|(of, ..)| *of != process);
        if before != self.running.len() {
            self.active_at = at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_cut_behind_everything_that_waits_has_lost_nothing() {
        let mut standing = Standing::new(QueueOffset(3), Millis(0));
        standing.end = QueueOffset(5);
        assert!(!standing.cut(QueueOffset(4)), "nothing waits");
        assert_eq!(standing.end, QueueOffset(4), "but there is less to commit");
        assert!(!standing.cut(QueueOffset(9)));
        assert_eq!(standing.end, QueueOffset(4), "an end does not grow by cutting");
    }

    #[test]
    fn c_stands_still_since_its_last_move_however_often_it_is_reported() {
        let mut standing = Standing::new(QueueOffset(3), Millis(0));
        standing.commit(QueueOffset(3), Millis(10));
        assert_eq!(standing.still_since, Millis(10), "the first report is news");
        standing.commit(QueueOffset(3), Millis(20));
        assert_eq!(standing.still_since, Millis(10), "the same again is none");
        standing.commit(QueueOffset(5), Millis(30));
        assert_eq!((standing.still_since, standing.committed), (Millis(30), QueueOffset(5)));
        standing.commit(QueueOffset(4), Millis(40));
        assert_eq!(standing.still_since, Millis(40), "going back is a move, too");
    }
}
