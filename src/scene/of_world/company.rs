//! What the script has still to bring, together with what it has brought: the same at every moment.

use std::collections::BTreeMap;

use super::Eye;
use crate::model::ids::ClientId;
use crate::scene::cast::{SHORT_ID, is_user_topic};
use crate::scene::company::Company;
use crate::sim::command::Command;

/// Messages of one queue that have room as wide cards.
const FEW: i64 = 5;
/// Commands that are looked at; a longer script has more of everything than has room.
const LOOK_AHEAD: usize = 512;

impl Eye<'_> {
    pub(super) fn company(&self) -> Company {
        Company { to_come: self.consumers_to_come(), has_wide_cards: self.has_few_messages() }
    }

    /// A start with the client id of one that has ended by then takes its place.
    fn consumers_to_come(&self) -> Vec<crate::scene::card::Label> {
        let mut living: BTreeMap<ClientId, u32> = BTreeMap::new();
        let mut ended: BTreeMap<ClientId, u32> = BTreeMap::new();
        for client in &self.world.clients {
            let is_of_group =
                self.group.as_ref().is_none_or(|it| client.consumers.contains_key(it));
            if is_of_group && !client.consumers.is_empty() {
                let table = if self.is_up(client) { &mut living } else { &mut ended };
                *table.entry(client.client_id.clone()).or_default() += 1;
            }
        }
        let known = self.world.clients.iter().filter(|it| !it.consumers.is_empty()).count();
        let mut to_come = Vec::new();
        for (_, command) in self.sight.simulation.commands_to_come().take(LOOK_AHEAD) {
            match command {
                Command::StartConsumer(spec)
                    if self.group.as_ref().is_none_or(|group| *group == spec.group) =>
                {
                    let id = &spec.client_id;
                    let is_return = !living.contains_key(id) && ended.remove(id).is_some();
                    *living.entry(id.clone()).or_default() += 1;
                    if !is_return {
                        let label = match id.as_str() {
                            short if short.chars().count() <= SHORT_ID => short.to_owned(),
                            _ => format!("c{}", known + to_come.len() + 1),
                        };
                        to_come.push(label.into());
                    }
                }
                Command::StopConsumer { client_id, .. }
                | Command::CrashConsumer { client_id }
                | Command::LoseHost { client_id }
                    if living.remove(client_id).is_some() =>
                {
                    ended.insert(client_id.clone(), 1);
                }
                _ => {}
            }
        }
        to_come
    }

    /// What lies in the people's queues and what the script still sends, over the number of queues.
    fn has_few_messages(&self) -> bool {
        let (mut messages, mut queues) = (0, 0);
        for broker in self.world.brokers.iter().filter(|broker| broker.broker_id == 0) {
            for (topic, config) in &broker.topic_config {
                if !is_user_topic(topic) {
                    continue;
                }
                for id in (0..config.write_queue_nums).map(crate::model::ids::QueueId) {
                    let max = broker.max_offset_in_queue(topic, id).0;
                    let min =
                        broker.find_consume_queue(topic, id).map_or(max, |it| it.min_offset().0);
                    messages += max - min;
                    queues += 1;
                }
            }
        }
        for (_, command) in self.sight.simulation.commands_to_come().take(LOOK_AHEAD) {
            if let Command::SendMessages(send) = command {
                messages += i64::from(send.count);
            }
        }
        messages <= FEW * queues
    }
}
