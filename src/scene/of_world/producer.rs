//! Producers, and what they will send next.

use super::Eye;
use crate::model::ids::ProcessIndex;
use crate::model::message_queue::MessageQueue;
use crate::model::order;
use crate::model::time::Millis;
use crate::scene::card::Label;
use crate::scene::cast::is_producer;
use crate::scene::scene::{NextSend, Producer};
use crate::sim::apply::DEFAULT_PRODUCER;
use crate::sim::command::{Command, QueueChoice, SendMessages};

/// Sends that are told in advance.
const NEXT: usize = 3;
/// Commands that are looked at for them.
const LOOK_AHEAD: usize = 64;

/// The producer that is made by the first send, before it is there.
pub const TO_COME: ProcessIndex = ProcessIndex(u32::MAX);

impl Eye<'_> {
    pub(super) fn producers(&self) -> Vec<Producer> {
        let clients = self.world.clients.iter().filter(|client| is_producer(client));
        let mut producers: Vec<Producer> = clients
            .filter(|client| client.is_alive())
            .map(|client| Producer {
                process: client.process,
                client_id: client.client_id.clone(),
                label: self.cast.process(client.process),
                is_up: client.is_alive(),
                next: Vec::new(),
                sent: self.past.sends(client.process),
            })
            .collect();
        let coming: Vec<(Millis, &SendMessages)> = self.coming_sends();
        if producers.is_empty() && !coming.is_empty() {
            producers.push(Producer {
                process: TO_COME,
                client_id: DEFAULT_PRODUCER.into(),
                label: self.cast.process(TO_COME),
                is_up: true,
                next: Vec::new(),
                sent: 0,
            });
        }
        for (place, producer) in producers.iter_mut().enumerate() {
            let mine = coming.iter().filter(|(_, send)| match &send.producer {
                Some(client_id) => *client_id == producer.client_id,
                None => place == 0,
            });
            let mine = mine.map(|(at, send)| self.next_send(*at, send, 0));
            let mut next: Vec<NextSend> = self.rows(producer.process).chain(mine).collect();
            order::sort_by_key(&mut next, |send| send.at);
            next.truncate(NEXT);
            producer.next = next;
        }
        producers
    }

    fn coming_sends(&self) -> Vec<(Millis, &SendMessages)> {
        let commands = self.sight.simulation.commands_to_come().take(LOOK_AHEAD);
        let sends = commands.filter_map(|(at, command)| match command {
            Command::SendMessages(send) => Some((at, send)),
            _ => None,
        });
        sends.take(NEXT).collect()
    }

    /// Rows of messages that are under way.
    fn rows(&self, process: ProcessIndex) -> impl Iterator<Item = NextSend> + '_ {
        let sends = self.errands.sends.iter().filter(move |(of, ..)| *of == process);
        sends.filter_map(|(process, batch, at)| {
            let work = self.world.client(*process).send_batches.get(batch)?;
            Some(self.next_send(*at, &work.command, work.sent))
        })
    }

    fn next_send(&self, at: Millis, send: &SendMessages, number: u32) -> NextSend {
        let label = match &send.key {
            Some(first) => counted_on(first.as_str(), number),
            None => Label::from("…"),
        };
        let queue = match &send.queue {
            QueueChoice::Fixed { broker_name, queue_id } => {
                let first = self.world.brokers.first().map(|broker| broker.name.clone());
                let broker_name = broker_name.clone().or(first);
                broker_name.map(|broker_name| {
                    let queue = MessageQueue::new(send.topic.clone(), broker_name, *queue_id);
                    self.cast.queue(&queue)
                })
            }
            QueueChoice::RoundRobin | QueueChoice::HashOf(_) => None,
        };
        NextSend { label, queue, at }
    }
}

/// The key of the message `number` after the one named `first`.
fn counted_on(first: &str, number: u32) -> Label {
    if number == 0 {
        return first.into();
    }
    let stem = first.trim_end_matches(|c: char| c.is_ascii_digit());
    match first[stem.len()..].parse::<u64>() {
        Ok(start) => format!("{stem}{}", start + u64::from(number)).into(),
        Err(_) => format!("{first}{number}").into(),
    }
}
