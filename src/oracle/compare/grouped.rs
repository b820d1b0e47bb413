//! Deliveries that differ for one cause are one exception, however many they are.

use std::collections::{BTreeMap, BTreeSet};

use super::super::trace::Place;
use super::super::view::Consumption;
use crate::model::offset::QueueOffset;

/// Deliveries that differ, by their cause.
pub struct Grouped<K> {
    pub groups: BTreeMap<K, Found>,
}

/// What differs for one cause.
pub struct Found {
    /// The first line of the recorded trace, or the first moment of ours.
    pub place: Place,
    offsets: BTreeSet<QueueOffset>,
}

impl<K> Default for Grouped<K> {
    fn default() -> Grouped<K> {
        Grouped { groups: BTreeMap::new() }
    }
}

impl<K: Ord> Grouped<K> {
    pub fn put(&mut self, cause: K, place: Place, it: &Consumption) {
        let new = Found { place, offsets: BTreeSet::new() };
        let found = self.groups.entry(cause).or_insert(new);
        let is_told = |place: &Place| (place.line == 0, place.at);
        if is_told(&place) < is_told(&found.place) {
            found.place = place;
        }
        found.offsets.insert(it.delivery.queue_offset);
    }
}

impl Found {
    /// How many records, and where.
    pub fn told(&self) -> String {
        match (self.offsets.first(), self.offsets.last()) {
            (Some(low), Some(high)) if low < high => {
                format!("{} records at {low} to {high}", self.offsets.len())
            }
            (Some(low), _) => format!("the record at {low}"),
            _ => String::new(),
        }
    }
}
