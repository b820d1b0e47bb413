//! `AppendLog<T>`: append-only, in shared segments, so that a clone copies only the open tail.

use std::rc::Rc;

use serde::Serialize;

/// Entries of one full segment.
const SEGMENT: usize = 256;

/// An append-only list. Full segments are shared between clones: keyframes cost what changed last.
#[derive(Clone, Debug)]
pub struct AppendLog<T> {
    full: Vec<Rc<[T]>>,
    tail: Vec<T>,
}

impl<T> Default for AppendLog<T> {
    fn default() -> AppendLog<T> {
        AppendLog { full: Vec::new(), tail: Vec::new() }
    }
}

impl<T: Clone> AppendLog<T> {
    pub fn len(&self) -> usize {
        self.full.len() * SEGMENT + self.tail.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn push(&mut self, entry: T) {
        self.tail.push(entry);
        if self.tail.len() == SEGMENT {
            let segment = std::mem::replace(&mut self.tail, Vec::with_capacity(SEGMENT));
            self.full.push(segment.into());
        }
    }

    pub fn get(&self, index: usize) -> Option<&T> {
        match self.full.get(index / SEGMENT) {
            Some(segment) => segment.get(index % SEGMENT),
            None => self.tail.get(index.checked_sub(self.full.len() * SEGMENT)?),
        }
    }

    pub fn last(&self) -> Option<&T> {
        self.len().checked_sub(1).and_then(|index| self.get(index))
    }

    /// Cuts the end off: the first `length` entries stay.
    pub fn truncate(&mut self, length: usize) {
        while self.len() > length {
            if self.tail.is_empty() {
                let segment = self.full.pop().expect("longer than length, so a segment is left");
                self.tail = segment.to_vec();
            }
            let keep = length.saturating_sub(self.full.len() * SEGMENT);
            self.tail.truncate(keep);
        }
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.full.iter().flat_map(|segment| segment.iter()).chain(self.tail.iter())
    }

    /// Entries from `index` on.
    pub fn iter_from(&self, index: usize) -> impl Iterator<Item = &T> {
        (index..self.len()).filter_map(|at| self.get(at))
    }

    /// The first index for which `is_before` is false; the log must be sorted by it.
    pub fn partition_point(&self, mut is_before: impl FnMut(&T) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle).is_some_and(&mut is_before) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

impl<T: Clone + PartialEq> PartialEq for AppendLog<T> {
    fn eq(&self, other: &AppendLog<T>) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Clone + Serialize> Serialize for AppendLog<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut sequence = serializer.serialize_seq(Some(self.len()))?;
        for entry in self.iter() {
            sequence.serialize_element(entry)?;
        }
        sequence.end()
    }
}

#[cfg(test)]
mod tests {
    use super::AppendLog;

    fn log(length: usize) -> AppendLog<usize> {
        let mut log = AppendLog::default();
        (0..length).for_each(|entry| log.push(entry));
        log
    }

    #[test]
    fn keeps_every_entry_in_order_across_segments() {
        let log = log(1_000);
        assert_eq!(log.len(), 1_000);
        assert!((0..1_000).all(|index| log.get(index) == Some(&index)));
        assert_eq!(log.get(1_000), None);
        assert_eq!(log.last(), Some(&999));
    }

    #[test]
    fn truncating_keeps_the_front_and_goes_on_from_there() {
        for keep in [0, 1, 255, 256, 257, 511, 512, 600] {
            let mut log = log(600);
            log.truncate(keep);
            log.push(7);
            assert_eq!(log.len(), keep + 1, "kept {keep}");
            assert!((0..keep).all(|index| log.get(index) == Some(&index)));
            assert_eq!(log.last(), Some(&7));
        }
    }

    #[test]
    fn finds_the_first_entry_that_is_not_before() {
        let log = log(700);
        for at in [0, 1, 256, 400, 700] {
            assert_eq!(log.partition_point(|&entry| entry < at), at);
        }
    }
}
