//! The future list: what will happen, in its total order.
//!
//! The key is `(at, priority, sequence)`. `sequence` grows with every entry, so entries of one moment
//! leave in the order in which they came; `priority` is the same for all but
//! the looks of polling services with `TieBreak::Fifo`, and drawn by chance
//! with `TieBreak::Shuffled`. Cancelling is O(1): the slot is emptied and skipped when its turn comes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::Serialize;

use super::event::{Causes, TimerKind, Trigger};
use super::task::Task;
use crate::model::time::Millis;

/// Names one entry of the agenda, for cancelling it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AgendaKey {
    slot: u32,
    sequence: u64,
}

/// One thing to come.
#[derive(Clone, Debug, Serialize)]
pub struct AgendaEntry {
    pub at: Millis,
    pub since: Millis,
    pub sequence: u64,
    pub causes: Causes,
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

type HeapKey = Reverse<(Millis, u32, u64, u32)>;

#[derive(Clone, Debug, Default)]
pub struct Agenda {
    heap: BinaryHeap<HeapKey>,
    slots: Vec<Option<AgendaEntry>>,
    free: Vec<u32>,
    next_sequence: u64,
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
        self.heap.push(Reverse((at, priority, sequence, slot)));
        AgendaKey { slot, sequence }
    }

    /// Takes the entry out, if it has not run yet.
    pub fn cancel(&mut self, key: AgendaKey) -> Option<AgendaEntry> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        if slot.as_ref().is_some_and(|entry| entry.sequence == key.sequence) {
            // The heap still names the slot; it is freed when its turn comes.
            slot.take()
        } else {
            None
        }
    }

    /// When the next entry is due.
    pub fn next_at(&mut self) -> Option<Millis> {
        self.drop_cancelled();
        self.heap.peek().map(|Reverse((at, ..))| *at)
    }

    pub fn pop(&mut self) -> Option<AgendaEntry> {
        self.drop_cancelled();
        let Reverse((_, _, _, slot)) = self.heap.pop()?;
        self.free.push(slot);
        self.slots[slot as usize].take()
    }

    fn drop_cancelled(&mut self) {
        while let Some(Reverse((_, _, sequence, slot))) = self.heap.peek() {
            let live = self.slots[*slot as usize]
                .as_ref()
                .is_some_and(|entry| entry.sequence == *sequence);
            if live {
                return;
            }
            let slot = *slot;
            self.heap.pop();
            self.free.push(slot);
        }
    }

    /// All entries in their order. Costs a sort; for people and digests, not for the loop.
    pub fn in_order(&self) -> Vec<&AgendaEntry> {
        let mut keys: Vec<_> = self.heap.iter().map(|Reverse(key)| *key).collect();
        keys.sort_unstable();
        keys.into_iter()
            .filter_map(|(_, _, sequence, slot)| {
                self.slots[slot as usize].as_ref().filter(|entry| entry.sequence == sequence)
            })
            .collect()
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
