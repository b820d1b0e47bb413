//! Which message a run is about, when nobody has chosen one: the first that fails; else the first
//! whose listener takes long; else the first that was sent.

use crate::model::ids::UniqueKey;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::scene::mark::MarkId;
use crate::sim::event::{ConsumeOutcome, EventKind};

/// A call that takes so long is what one came to see.
const LONG: Millis = Millis::from_seconds(20);

/// Looks through what is known of the run; `None` as long as nothing was consumed.
pub fn of(recording: &Recording) -> Option<MarkId> {
    let mut first: Option<UniqueKey> = None;
    let mut long: Option<UniqueKey> = None;
    for event in recording.events().iter() {
        match &event.kind {
            EventKind::ConsumeEnded { outcome: ConsumeOutcome::Failed, message, .. } => {
                return Some(MarkId::Message(message.body.unique_key));
            }
            EventKind::ConsumeStarted { message, .. } => {
                let body = &message.body;
                first = first.or(Some(body.unique_key));
                let takes = body.script.as_ref().map(|script| script.step(0).takes);
                if takes.is_some_and(|takes| takes >= LONG) {
                    long = long.or(Some(body.unique_key));
                }
            }
            _ => {}
        }
    }
    long.or(first).map(MarkId::Message)
}
