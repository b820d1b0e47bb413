//! One message as it is drawn: its state, and what counts its past.

use std::rc::Rc;

use crate::model::ids::UniqueKey;
use crate::model::message::MessageId;
use crate::model::offset::QueueOffset;

/// What a person reads on a mark, in Latin letters in every language: `q0`, `c1`, `B`.
pub type Label = Rc<str>;

/// Where a message is in its life, seen from the selected group (UX 3.1).
///
/// "Delivered again" is no state of its own here: it is `Card::deliveries` of two or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MessageState {
    Stored,
    /// Pulled; on the shelf, no thread has it.
    Waiting,
    Running,
    Done,
    /// The listener refused it; where it goes is not settled.
    Failed,
    SentBack,
    /// In the schedule topic.
    Delayed,
    /// The send-back failed too: tried again in the client after 5 s.
    LocalRetry,
    /// In %DLQ%.
    Dead,
    /// Only in broken variants, and for what dies with a process.
    Lost,
}

impl MessageState {
    pub const ALL: [MessageState; 10] = [
        MessageState::Stored,
        MessageState::Waiting,
        MessageState::Running,
        MessageState::Done,
        MessageState::Failed,
        MessageState::SentBack,
        MessageState::Delayed,
        MessageState::LocalRetry,
        MessageState::Dead,
        MessageState::Lost,
    ];

    /// The name of its class in the style sheet.
    pub const fn name(self) -> &'static str {
        match self {
            MessageState::Stored => "stored",
            MessageState::Waiting => "waiting",
            MessageState::Running => "running",
            MessageState::Done => "done",
            MessageState::Failed => "failed",
            MessageState::SentBack => "sent-back",
            MessageState::Delayed => "delayed",
            MessageState::LocalRetry => "local-retry",
            MessageState::Dead => "dead",
            MessageState::Lost => "lost",
        }
    }

    /// Done, sent back and lost leave a hole on a shelf (UX 3.2: "holes stay open").
    pub const fn leaves_a_hole(self) -> bool {
        matches!(self, MessageState::Done | MessageState::SentBack | MessageState::Lost)
    }
}

/// One stored record of a message, in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    pub copy: MessageId,
    pub unique_key: UniqueKey,
    /// What people call the message: its key, or a letter given in the order of sending.
    pub label: Label,
    /// In the queue that this record lies in (for a delayed one: in the schedule topic's queue).
    pub offset: QueueOffset,
    pub state: MessageState,
    /// `reconsumeTimes`: notches in the top edge.
    pub failures: u32,
    /// How often the group was handed this message up to now; from 2 on it is drawn as "again".
    pub deliveries: u32,
}
