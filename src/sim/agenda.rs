//! The future list: what will happen, in its total order.
//!
//! The key is `(at, priority, sequence)`. `sequence` grows with every entry, so entries of one moment
//! leave in the order in which they came; `priority` is the same for all but
//! the looks of polling services with `TieBreak::Fifo`, and drawn by chance
//! with `TieBreak::Shuffled`. Cancelling is O(1): the slot is emptied and skipped when its turn comes, or
//! thrown out with the others once most entries of a long agenda are cancelled: every answered call
//! leaves a time-out behind, and a busy cluster would drag seconds full of them along.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::Serialize;

use super::event::{Causes, EventSequence, TimerKind, Trigger};
use super::task::Task;
use crate::model::time::Millis;

/// Names one entry of the agenda, for cancelling it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AgendaKey {
    slot: u32,
    sequence: u64,
}

impl AgendaKey {
    pub(crate) const fn sequence(self) -> u64 {
        self.sequence
    }
}

/// One thing to come.
#[derive(Clone, Debug, Serialize)]
pub struct AgendaEntry {
    pub at: Millis,
    pub since: Millis,
    pub sequence: u64,
    pub causes: Causes,
    /// The end of a pause in which it came due.
    #[serde(skip)]
    pub resumed: Option<EventSequence>,
    /// `None`: follows at once, nobody waits for it.
    pub timer: Option<TimerKind>,
    pub task: Task,
}

impl AgendaEntry {
    pub fn trigger(&self) -> Trigger {
        match (&self.timer, &self.task) {
            (_, Task::Deliver(_)) => Trigger::Packet,
            (Some(kind), _) => Trigger::Timer { kind: kind.clone(), since: self.since },
            (None, _) => Trigger::Follows,
        }
    }
}

/// `(at, priority, sequence)` in one number, which compares faster than three, and the slot.
type HeapKey = Reverse<(u128, u32)>;

/// Bits of the key for the moment and for the sequence. Later moments (nine thousand years) count as one.
const MOMENT_BITS: u32 = 48;

fn key(at: Millis, priority: u32, sequence: u64) -> u128 {
    let at = at.ms().min((1 << MOMENT_BITS) - 1);
    u128::from(at) << (128 - MOMENT_BITS)
        | u128::from(priority) << MOMENT_BITS
        | u128::from(sequence)
}

/// So many cancelled entries are never worth a look at all of them.
const FEW_CANCELLED: usize = 4_096;

#[derive(Clone, Debug, Default)]
pub struct Agenda {
    heap: BinaryHeap<HeapKey>,
    slots: Vec<Option<AgendaEntry>>,
    free: Vec<u32>,
    next_sequence: u64,
    /// How many entries of the heap name an emptied slot.
    cancelled: usize,
}

impl Agenda {
    pub fn insert(&mut self, priority: u32, mut entry: AgendaEntry) -> AgendaKey {
        let sequence = self.next_sequence;
        self.next_sequence += 1;
        entry.sequence = sequence;
        let at = entry.at;
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = Some(entry);
                slot
            }
            None => {
                self.slots.push(Some(entry));
                (self.slots.len() - 1) as u32
            }
        };
        self.heap.push(Reverse((key(at, priority, sequence), slot)));
        AgendaKey { slot, sequence }
    }

    /// Takes the entry out, if it has not run yet.
    pub fn cancel(&mut self, key: AgendaKey) -> Option<AgendaEntry> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        let entry = slot.take_if(|entry| entry.sequence == key.sequence)?;
        // The heap still names the slot; it is freed when its turn comes.
        self.cancelled += 1;
        if self.cancelled > FEW_CANCELLED && self.cancelled > self.heap.len() / 2 {
            self.throw_cancelled_out();
        }
        Some(entry)
    }

    /// Whether the entry is still to come.
    pub fn contains(&self, key: AgendaKey) -> bool {
        let entry = self.slots.get(key.slot as usize).and_then(Option::as_ref);
        entry.is_some_and(|entry| entry.sequence == key.sequence)
    }

    fn throw_cancelled_out(&mut self) {
        let Agenda { heap, slots, free, .. } = self;
        let first = free.len();
        heap.retain(|Reverse((_, slot))| {
            let is_live = slots[*slot as usize].is_some();
            if !is_live {
                free.push(*slot);
            }
            is_live
        });
        free[first..].sort_unstable();
        self.cancelled = 0;
    }

    /// When the next entry is due.
    pub fn next_at(&mut self) -> Option<Millis> {
        self.drop_cancelled();
        self.heap
            .peek()
            .and_then(|Reverse((_, slot))| self.slots[*slot as usize].as_ref())
            .map(|it| it.at)
    }

    pub fn pop(&mut self) -> Option<AgendaEntry> {
        self.drop_cancelled();
        let Reverse((_, slot)) = self.heap.pop()?;
        self.free.push(slot);
        self.slots[slot as usize].take()
    }

    fn drop_cancelled(&mut self) {
        // A slot is not used again before the heap has forgotten it, so an empty one was cancelled.
        while let Some(Reverse((_, slot))) = self.heap.peek()
            && self.slots[*slot as usize].is_none()
        {
            let slot = *slot;
            self.heap.pop();
            self.free.push(slot);
            self.cancelled -= 1;
        }
    }

    /// All entries in their order. Costs a sort; for people and digests, not for the loop.
    pub fn in_order(&self) -> Vec<&AgendaEntry> {
        let mut keys: Vec<_> = self.heap.iter().map(|Reverse(key)| *key).collect();
        keys.sort_unstable();
        keys.into_iter().filter_map(|(_, slot)| self.slots[slot as usize].as_ref()).collect()
    }

    /// All entries, in no order that means anything; cheap.
    pub fn entries(&self) -> impl Iterator<Item = &AgendaEntry> {
        self.slots.iter().flatten()
    }

    pub fn len(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Serialize for Agenda {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.in_order())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::packet::Machine;

    fn entry(at: u64) -> AgendaEntry {
        AgendaEntry {
            at: Millis(at),
            since: Millis::ZERO,
            sequence: 0,
            causes: Causes::NONE,
            resumed: None,
            timer: None,
            task: Task::Resume(Machine::NameServer(0)),
        }
    }

    #[test]
    fn what_is_left_runs_in_order_however_much_was_cancelled() {
        let mut agenda = Agenda::default();
        let many = 3 * FEW_CANCELLED as u64;
        let keys: Vec<_> = (0..many).map(|at| agenda.insert(0, entry(many - at))).collect();
        let is_kept = |index: usize| index.is_multiple_of(7);
        for (index, key) in keys.iter().enumerate().filter(|(index, _)| !is_kept(*index)) {
            assert!(agenda.cancel(*key).is_some(), "{index}");
            assert!(agenda.cancel(*key).is_none(), "{index} again");
        }
        let cancelled = keys.len() - keys.len().div_ceil(7);
        assert!(agenda.heap.len() < keys.len() - cancelled / 2, "most were thrown out");
        assert_eq!(agenda.len(), keys.len().div_ceil(7));
        let again = agenda.insert(0, entry(5));
        assert!(agenda.slots.len() <= keys.len(), "slots are used again");
        assert!(agenda.cancel(again).is_some());
        assert!(agenda.cancel(again).is_none(), "the key names that entry, not its slot");
        let order: Vec<u64> = std::iter::from_fn(|| agenda.pop()).map(|it| it.at.ms()).collect();
        let kept = (0..keys.len()).filter(|index| is_kept(*index));
        let mut expected: Vec<u64> = kept.map(|index| many - index as u64).collect();
        expected.sort_unstable();
        assert_eq!(order, expected);
        assert_eq!((agenda.len(), agenda.cancelled), (0, 0));
    }
    #[test]
    fn cancelled_entries_are_thrown_out_once_they_are_many_and_the_greater_part() {
        let mut agenda = Agenda::default();
        let many = 4 * FEW_CANCELLED as u64;
        let keys: Vec<_> = (0..many).map(|at| agenda.insert(0, entry(at))).collect();
        let half = keys.len() / 2;
        assert!(keys[half..].iter().all(|key| agenda.cancel(*key).is_some()));
        assert_eq!(
            (agenda.heap.len(), agenda.cancelled),
            (keys.len(), half),
            "many, but only half"
        );
        assert!(agenda.cancel(keys[0]).is_some());
        assert_eq!((agenda.heap.len(), agenda.cancelled), (half - 1, 0), "one more than half");
    }

    #[test]
    fn a_few_cancelled_entries_stay_until_their_turn() {
        let mut agenda = Agenda::default();
        let keys: Vec<_> =
            (0..FEW_CANCELLED as u64).map(|at| agenda.insert(0, entry(at))).collect();
        assert!(keys.iter().all(|key| agenda.cancel(*key).is_some()));
        assert_eq!((agenda.heap.len(), agenda.cancelled), (FEW_CANCELLED, FEW_CANCELLED));
        assert_eq!(agenda.next_at(), None);
        assert_eq!((agenda.heap.len(), agenda.cancelled), (0, 0));
    }
}
