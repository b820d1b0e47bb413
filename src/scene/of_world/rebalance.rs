//! A rebalance as two sorted lists with lines between them.

use super::Eye;
use crate::model::ids::ClientId;
use crate::model::message_queue::MessageQueue;
use crate::model::order;
use crate::model::topic::is_retry_topic;
use crate::scene::at_consumer::{AllocationLine, Rebalance};
use crate::scene::card::Label;
use crate::scene::journal::Allocation;
use crate::sim::client::ClientInstance;

/// Members for whom the lines are computed.
const MEMBERS: usize = 16;

impl Eye<'_> {
    /// The result of the last pass, as long as it is fresh and not the same as before.
    pub(super) fn rebalance(&self, client: &ClientInstance) -> Option<Rebalance> {
        let fresh = self.past.allocations().iter().rev();
        let mut fresh = fresh.take_while(|it| it.event >= self.sight.fresh_from);
        let last = fresh.find(|it| {
            it.process == client.process
                && Some(&it.group) == self.group.as_ref()
                && it.is_changed
                && !is_retry_topic(&it.topic)
        })?;
        let consumer = client.consumers.get(&last.group)?;
        let now = self.lines(client, last);
        let before = self.past.allocation_before(last).map(|it| (it, self.lines(client, it)));
        let owner_before = |queue: &MessageQueue| -> Option<&ClientId> {
            let (it, lines) = before.as_ref()?;
            let place = it.queues.iter().position(|other| other == queue)? as u32;
            let line = lines.iter().find(|(queue, _)| *queue == place)?;
            it.members.get(line.1 as usize)
        };
        let lines = now.iter().map(|&(queue, member)| AllocationLine {
            queue,
            member,
            is_new: owner_before(&last.queues[queue as usize]) != last.members.get(member as usize),
        });
        Some(Rebalance {
            strategy: consumer.config.allocate_strategy.name().into(),
            topic: last.topic.as_str().into(),
            queues: last.queues.iter().map(|queue| self.cast.queue(queue)).collect(),
            members: last
                .members
                .iter()
                .map(|member| self.client_label(member))
                .collect::<Vec<Label>>(),
            me: last.members.iter().position(|it| *it == client.client_id).map(|it| it as u32),
            lines: lines.collect(),
        })
    }

    /// What each member computes from the same two lists: places of queue and member.
    fn lines(&self, client: &ClientInstance, it: &Allocation) -> Vec<(u32, u32)> {
        let mut lines = Vec::new();
        let Some(consumer) = client.consumers.get(&it.group) else { return lines };
        let rules = self.sight.simulation.engine().rules;
        for (place, member) in (0..).zip(it.members.iter().take(MEMBERS)) {
            let strategy = &consumer.config.allocate_strategy;
            let share = strategy.allocate(&rules, member, &it.queues, &it.members);
            for queue in share.into_iter().flatten() {
                if let Some(at) = it.queues.iter().position(|other| *other == queue) {
                    lines.push((at as u32, place));
                }
            }
        }
        order::sort(&mut lines);
        lines
    }
}
