//! A crowd: several beats of one kind, one actor and one moment are one.

use super::Beat;

/// So many go one after the other; more go together.
pub const ONE_BY_ONE: usize = 4;

/// So many are drawn of a crowd; the rest is counted.
pub const MOST_MOVERS: usize = 32;

/// Whether `next` tells the same of the same moment, so that one beat can tell both.
pub fn joins(open: &Beat, next: &Beat) -> bool {
    use super::BeatKind as K;
    let merges = match open.kind {
        K::Seat
        | K::Done
        | K::Report
        | K::Loop
        | K::Notice
        | K::LetGo
        | K::Catch
        | K::Wake
        | K::Answer
        | K::Shelve
        | K::Send
        | K::Belief
        | K::Unlock
        | K::PutOff
        | K::Deal
        | K::Grant
        | K::Change
        | K::Step => true,
        K::Fail | K::SendBack | K::Return | K::Bury | K::Join | K::Refuse | K::Life | K::Loss => {
            false
        }
    };
    // What carries one message is followed by itself as long as it is the only one of its moment.
    let is_own = open.is_own || next.is_own;
    merges && !is_own && open.kind == next.kind && open.at == next.at && open.is_of_one_actor(next)
}

impl Beat {
    fn is_of_one_actor(&self, next: &Beat) -> bool {
        use super::BeatKind as K;
        match self.kind {
            K::Deal | K::Notice | K::Loop | K::Report => true,
            _ => self.lit.first() == next.lit.first(),
        }
    }

    /// Takes up another of the crowd.
    pub fn take_in(&mut self, next: Beat) {
        self.effect = next.effect;
        self.last = next.last;
        self.task = next.task;
        self.importance = self.importance.max(next.importance);
        self.count += next.count;
        let room = MOST_MOVERS.saturating_sub(self.movers.len());
        self.movers.extend(next.movers.into_iter().take(room));
        for mark in next.lit {
            if self.lit.len() < MOST_MOVERS && !self.lit.contains(&mark) {
                self.lit.push(mark);
            }
        }
    }
}
