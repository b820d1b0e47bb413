//! Who and how much takes part in a run over its whole length, as far as its script says: what the
//! stage keeps room for from the first frame on, so that nothing changes its place when it comes.

use super::card::Label;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Company {
    /// Consumers of the group that the script has still to start, in its order, without those that
    /// take the place of one that has ended.
    pub to_come: Vec<Label>,
    /// At most five messages of a queue: their cards can be wide.
    pub has_wide_cards: bool,
}
