//! `CommitLog`: one append-only sequence of records for each broker.

use std::rc::Rc;

use serde::Serialize;

use super::append_log::AppendLog;
use super::message::StoredMessage;
use super::offset::PhysicalOffset;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CommitLog {
    records: AppendLog<Rc<StoredMessage>>,
    /// Where the next record goes.
    end: PhysicalOffset,
}

impl CommitLog {
    /// The physical offset of the next record.
    pub fn max_offset(&self) -> PhysicalOffset {
        self.end
    }

    /// Appends a record, whose `physical_offset` must be [`CommitLog::max_offset`].
    pub fn append(&mut self, record: Rc<StoredMessage>) {
        assert_eq!(record.physical_offset, self.end, "a record goes to the end of the log");
        self.end = PhysicalOffset(self.end.0 + u64::from(record.record_bytes()));
        self.records.push(record);
    }

    /// The record that begins at `offset` (`lookMessageByOffset`).
    pub fn look_message_by_offset(&self, offset: PhysicalOffset) -> Option<&Rc<StoredMessage>> {
        let index = self.records.partition_point(|record| record.physical_offset < offset);
        self.records.get(index).filter(|record| record.physical_offset == offset)
    }

    pub fn record_count(&self) -> usize {
        self.records.len()
    }

    /// The record number `index`, counted from the first.
    pub fn get(&self, index: usize) -> Option<&Rc<StoredMessage>> {
        self.records.get(index)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Rc<StoredMessage>> {
        self.records.iter()
    }

    /// Loses the last `count` records: the un-flushed tail of a crash (spec 00.4).
    pub fn lose_tail(&mut self, count: usize) {
        let keep = self.records.len().saturating_sub(count);
        if let Some(first_lost) = self.records.get(keep) {
            self.end = first_lost.physical_offset;
        }
        self.records.truncate(keep);
    }
}
