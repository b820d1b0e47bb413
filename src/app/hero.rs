//! What a run is about, when nobody has chosen: the first message that fails; else a lock that is
//! refused again and again; else the first message whose listener takes long; else the first that
//! was sent.

use std::collections::BTreeMap;

use crate::model::ids::UniqueKey;
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::scene::mark::MarkId;
use crate::sim::event::{ConsumeOutcome, EventKind};

/// A call that takes so long is what one came to see.
const LONG: Millis = Millis::from_seconds(20);

/// A lock that is refused so often is a story of its own; once or twice it is in every hand-over.
const REFUSALS: u32 = 3;

/// Looks through what is known of the run; `None` as long as nothing was consumed.
pub fn of(recording: &Recording) -> Option<MarkId> {
    let mut first: Option<UniqueKey> = None;
    let mut long: Option<UniqueKey> = None;
    let mut refused: BTreeMap<&MessageQueue, u32> = BTreeMap::new();
    let mut lock: Option<&MessageQueue> = None;
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
            EventKind::QueueLockRefused { queue, .. } => {
                let times = refused.entry(queue).or_insert(0);
                *times += 1;
                lock = lock.or((*times == REFUSALS).then_some(queue));
            }
            _ => {}
        }
    }
    if let Some(queue) = lock {
        return Some(MarkId::Lock(queue.clone()));
    }
    long.or(first).map(MarkId::Message)
}
