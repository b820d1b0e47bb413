//! Where the messages of a group are inside its consumers: on which shelf, in whose hands.

use super::errands::Errands;
use crate::model::ids::{GroupName, ProcessIndex, ProcessQueueId};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::process_queue::CachedMessage;
use crate::scene::card::MessageState;
use crate::sim::client::consume_pool::{Worker, WorkerState};
use crate::sim::client::consumer::Shelf;
use crate::sim::world::World;

/// A message that a thread or a timer has.
#[derive(Clone, Copy, Debug)]
struct Held<'a> {
    process_queue: ProcessQueueId,
    entry: &'a CachedMessage,
    state: MessageState,
}

#[derive(Debug, Default)]
pub struct Hands<'a> {
    held: Vec<Held<'a>>,
    /// Every window of the group, dropped ones too.
    shelves: Vec<(ProcessIndex, ProcessQueueId, &'a Shelf)>,
}

impl<'a> Hands<'a> {
    pub fn of(world: &'a World, group: Option<&GroupName>, errands: &Errands<'a>) -> Hands<'a> {
        let mut hands = Hands::default();
        let Some(group) = group else { return hands };
        for client in &world.clients {
            let Some(consumer) = client.consumers.get(group) else { continue };
            let shelves = consumer.shelves.iter();
            hands.shelves.extend(shelves.map(|(id, shelf)| (client.process, *id, shelf)));
            for worker in &consumer.pool.workers {
                hands.note_worker(worker);
            }
        }
        for (_, request) in &errands.retries {
            hands.note(request.process_queue, &request.messages, MessageState::LocalRetry);
        }
        hands
    }

    fn note(
        &mut self,
        process_queue: ProcessQueueId,
        entries: impl IntoIterator<Item = &'a CachedMessage>,
        state: MessageState,
    ) {
        let held = entries.into_iter().map(|entry| Held { process_queue, entry, state });
        self.held.extend(held);
    }

    fn note_worker(&mut self, worker: &'a Worker) {
        let Some(request) = &worker.request else { return };
        let id = request.process_queue;
        match &worker.state {
            WorkerState::Idle | WorkerState::Starting => {}
            WorkerState::Listening(call) => self.note(id, &call.messages, MessageState::Running),
            WorkerState::SendingBack(run) => {
                self.note(id, run.current.iter().chain(&run.left), MessageState::Failed);
                let failed = run.batch.iter().filter(|it| run.failed.contains(&it.queue_offset()));
                self.note(id, failed, MessageState::Failed);
            }
            WorkerState::SendingDeadLetters(run) => {
                self.note(id, &run.call.messages, MessageState::Failed);
            }
        }
    }

    /// The windows on a queue.
    pub fn shelves_of(
        &self,
        queue: &MessageQueue,
    ) -> impl Iterator<Item = &(ProcessIndex, ProcessQueueId, &'a Shelf)> {
        self.shelves.iter().filter(move |(_, _, shelf)| shelf.queue == *queue)
    }

    /// The state of what lies in a window, and its count of failures as the client has it.
    pub fn on_shelf(
        &self,
        id: ProcessQueueId,
        shelf: &Shelf,
        offset: QueueOffset,
    ) -> Option<(MessageState, i32)> {
        let window = &shelf.window;
        let entry = window.get(offset).or_else(|| window.consuming_orderly().get(&offset))?;
        let is_it =
            |held: &&Held<'_>| held.process_queue == id && held.entry.queue_offset() == offset;
        Some(match self.held.iter().find(is_it) {
            Some(held) => (held.state, held.entry.reconsume_times),
            None => (MessageState::Waiting, entry.reconsume_times),
        })
    }

    /// The state of a queue's message inside the consumers. Where two windows hold it, the one in
    /// which more happens counts.
    pub fn of_message(
        &self,
        queue: &MessageQueue,
        offset: QueueOffset,
    ) -> Option<(MessageState, i32)> {
        let found =
            self.shelves_of(queue).filter_map(|(_, id, shelf)| self.on_shelf(*id, shelf, offset));
        found.max_by_key(|(state, _)| *state != MessageState::Waiting)
    }
}
