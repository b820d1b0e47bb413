//! What another release does otherwise in this run, in one sentence that a test holds against the runs
//! of both.

use super::scenario::Words;
use super::walk::Happening;
use crate::model::profile::Profile;
use crate::model::time::Millis;

/// Said when the page goes from a release of one side to one of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    /// The releases on the one side.
    pub from: Vec<Profile>,
    /// And on the other.
    pub to: Vec<Profile>,
    /// Nothing: what the listeners are called with comes at the same moments under both.
    pub says: Option<Words>,
    pub shows: Vec<Shows>,
}

/// What the sentence rests on: when something comes under one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shows {
    pub release: Profile,
    pub happening: Happening,
    /// `None`: it never comes.
    pub at: Option<Millis>,
}

impl Differs {
    /// Whether it speaks of these two, in either direction.
    pub fn is_of(&self, one: Profile, other: Profile) -> bool {
        let is = |from, to| self.from.contains(&from) && self.to.contains(&to);
        is(one, other) || is(other, one)
    }
}
