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

/// A message like any other is left alone so long after its success.
const LINGERS: Millis = Millis::from_seconds(2);

/// What a run is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hero {
    pub mark: MarkId,
    /// From here on its story is over.
    pub until: Option<Millis>,
}

impl Hero {
    fn always(mark: MarkId) -> Hero {
        Hero { mark, until: None }
    }
}

/// Looks through what is known of the run; `None` as long as nothing was consumed.
pub fn of(recording: &Recording) -> Option<Hero> {
    let mut first: Option<UniqueKey> = None;
    let mut long: Option<UniqueKey> = None;
    let mut refused: BTreeMap<&MessageQueue, u32> = BTreeMap::new();
    let mut lock: Option<&MessageQueue> = None;
    for event in recording.events().iter() {
        match &event.kind {
            EventKind::ConsumeEnded { outcome: ConsumeOutcome::Failed, message, .. } => {
                return Some(Hero::always(MarkId::Message(message.body.unique_key)));
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
        return Some(Hero::always(MarkId::Lock(queue.clone())));
    }
    match long {
        Some(key) => Some(Hero::always(MarkId::Message(key))),
        None => first.map(|key| Hero { mark: MarkId::Message(key), until: over(recording, key) }),
    }
}

/// When the story of a message that succeeds is over.
fn over(recording: &Recording, key: UniqueKey) -> Option<Millis> {
    let ended = recording.events().iter().find(|event| match &event.kind {
        EventKind::ConsumeEnded { message, .. } => message.body.unique_key == key,
        _ => false,
    });
    ended.map(|event| event.at + LINGERS)
}
