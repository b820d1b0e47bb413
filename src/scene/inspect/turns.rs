//! Who read a queue, one after the other, and which queues a client had: what a takeover leaves behind.

use super::{Desk, Table};
use crate::model::ids::ProcessIndex;
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::scene::mark::MarkId;
use crate::sim::event::{Actor, EventKind};
use crate::sim::packet::Machine;
use crate::text::inspect::{InspectWord as W, Value};

/// Rows of one table, the newest.
const ROWS: usize = 12;

/// One client's time with one queue.
struct Turn {
    process: ProcessIndex,
    queue: MessageQueue,
    from: Millis,
    until: Option<Millis>,
}

impl Desk<'_> {
    /// The table of turns for a thing, once a queue of it has changed hands or been given up.
    pub(super) fn turns_of(&self, mark: &MarkId) -> Option<Table> {
        let turns = self.turns();
        let queue = match mark {
            MarkId::Queue(queue) | MarkId::Lock(queue) => queue.clone(),
            MarkId::Pull { queue, .. } | MarkId::Belief { queue, .. } => queue.clone(),
            MarkId::Shelf { process_queue, .. } => self.queue_of(process_queue.0)?,
            MarkId::Consumer(process) => {
                let own = turns.into_iter().filter(|turn| turn.process == *process).collect();
                let name = |turn: &Turn| self.queue_label(&turn.queue);
                return table(W::QueuesInTurn, W::Queues, own, |turn| Value::Name(name(turn)));
            }
            _ => return None,
        };
        let own = turns.into_iter().filter(|turn| turn.queue == queue).collect();
        let name = |turn: &Turn| self.narrator.cast().process(turn.process);
        table(W::ReadersInTurn, W::Reader, own, |turn| Value::Name(name(turn)))
    }

    /// All turns of the group that is looked at, up to the moment shown.
    fn turns(&self) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        let until = self.sight.past.event_count();
        let group = self.scene.group.as_ref();
        for event in self.recording.events().iter().take(until as usize) {
            let Actor::Machine(Machine::Client(process)) = event.actor else { continue };
            let mut end = |is_it: &dyn Fn(&Turn) -> bool| {
                let open = turns.iter_mut().filter(|turn| turn.until.is_none());
                let own = open.filter(|turn| turn.process == process && is_it(turn));
                own.for_each(|turn| turn.until = Some(event.at));
            };
            match &event.kind {
                EventKind::QueueAssigned { group: of, queue, .. } if Some(of) == group => {
                    let (queue, from) = (queue.clone(), event.at);
                    turns.push(Turn { process, queue, from, until: None });
                }
                EventKind::QueueDropped { group: of, queue, .. } if Some(of) == group => {
                    end(&|turn| turn.queue == *queue);
                }
                EventKind::ConsumerStopped { group: of } if Some(of) == group => end(&|_| true),
                EventKind::ProcessCrashed | EventKind::HostLost => end(&|_| true),
                _ => {}
            }
        }
        turns
    }

    fn queue_of(&self, process_queue: u32) -> Option<MessageQueue> {
        self.recording.events().iter().find_map(|event| match &event.kind {
            EventKind::QueueAssigned { queue, process_queue: id, .. } if id.0 == process_queue => {
                Some(queue.clone())
            }
            _ => None,
        })
    }
}

fn table(title: W, what: W, turns: Vec<Turn>, name: impl Fn(&Turn) -> Value) -> Option<Table> {
    turns.iter().find(|turn| turn.until.is_some())?;
    let newest = turns.len().saturating_sub(ROWS);
    let row = |turn: &Turn| {
        let until = turn.until.map_or(Value::Word(W::UntilNow), Value::Moment);
        vec![name(turn), Value::Moment(turn.from), until]
    };
    let rows = turns[newest..].iter().map(row).collect();
    Some(Table { title, head: vec![what, W::Since, W::Until], rows })
}
