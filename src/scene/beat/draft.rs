//! A beat while it is read: what it is about, before it has its time.

use super::{Beat, BeatKind, Mover, Place};
use crate::model::ids::UniqueKey;
use crate::model::message::StoredMessage;
use crate::scene::importance::Importance;
use crate::scene::mark::MarkId;
use crate::sim::event::Event;
use crate::sim::packet::RequestCode;

/// A beat before it has its time.
pub(super) struct Draft {
    pub kind: BeatKind,
    pub lit: Vec<MarkId>,
    pub movers: Vec<Mover>,
    pub count: u32,
    pub message: Option<UniqueKey>,
    pub cause: Option<(Place, Place)>,
    pub plate: Option<u16>,
    pub is_together: bool,
}

impl Draft {
    pub fn new(kind: BeatKind, at: MarkId) -> Draft {
        Draft {
            kind,
            lit: vec![at],
            movers: Vec::new(),
            count: 1,
            message: None,
            cause: None,
            plate: None,
            is_together: false,
        }
    }

    pub fn lit(mut self, mark: MarkId) -> Draft {
        self.lit.push(mark);
        self
    }

    pub fn moving(mut self, mover: Mover) -> Draft {
        self.movers.push(mover);
        self
    }

    pub fn about(mut self, message: &StoredMessage) -> Draft {
        self.message = Some(message.body.unique_key);
        self
    }

    pub fn plated(mut self, code: RequestCode) -> Draft {
        self.plate = Some(code.number());
        self
    }

    pub fn beat(self, event: &Event, importance: Importance) -> Beat {
        Beat {
            kind: self.kind,
            importance,
            movers: self.movers,
            count: self.count,
            lit: self.lit,
            message: self.message,
            cause: self.cause,
            plate: self.plate,
            is_together: self.is_together,
            is_passing: false,
            ..Beat::pause(event)
        }
    }
}
