//! Where each `PullRequest` of a group is: there is one for each queue and window.

use std::collections::{BTreeMap, BTreeSet};

use super::errands::Errands;
use crate::model::ids::{BrokerIndex, CallId, GroupName, ProcessIndex, QueueId, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::pull::PullRequest;
use crate::scene::at_consumer::{Postponed, PullPlace};
use crate::sim::agenda::AgendaEntry;
use crate::sim::broker::pull_request_hold::HeldPull;
use crate::sim::client::ClientInstance;
use crate::sim::client::call::Waiter;
use crate::sim::event::{PostponeReason, TimerKind};
use crate::sim::world::World;

#[derive(Debug)]
pub struct Pull<'a> {
    pub process: ProcessIndex,
    pub request: &'a PullRequest,
    pub place: PullPlace,
}

#[derive(Debug, Default)]
pub struct Pulls<'a> {
    pub all: Vec<Pull<'a>>,
    /// The first pull request of each queue in each process, by its place in `all`: there may be a
    /// thousand queues.
    of_queue: BTreeMap<(ProcessIndex, &'a MessageQueue), usize>,
    /// Held at brokers for the group.
    held: BTreeMap<(BrokerIndex, &'a TopicName, QueueId), &'a HeldPull>,
    held_calls: BTreeSet<CallId>,
}

impl<'a> Pulls<'a> {
    pub fn of(world: &'a World, group: Option<&GroupName>, errands: &Errands<'a>) -> Pulls<'a> {
        let mut pulls = Pulls::default();
        let Some(group) = group else { return pulls };
        for broker in world.brokers.iter().filter(|broker| broker.is_up) {
            let held = broker.pull_request_hold.held.values().flatten();
            let of_group = held.filter(|held| held.header.group == *group);
            for held in of_group {
                pulls.held_calls.insert(held.caller.call);
                let of = (broker.index, &held.header.topic, held.header.queue_id);
                pulls.held.entry(of).or_insert(held);
            }
        }
        for client in &world.clients {
            pulls.note_client(client, group);
        }
        for (process, request, entry) in &errands.pulls {
            if request.group == *group {
                let place = later(entry);
                pulls.all.push(Pull { process: *process, request, place });
            }
        }
        for (place, pull) in pulls.all.iter().enumerate() {
            let of = (pull.process, &pull.request.message_queue);
            pulls.of_queue.entry(of).or_insert(place);
        }
        pulls
    }

    fn note_client(&mut self, client: &'a ClientInstance, group: &GroupName) {
        let process = client.process;
        let service = &client.pull_message_service;
        let waiting = (0..).zip(&service.waiting);
        let belt = waiting
            .filter(|(_, request)| request.group == *group)
            .map(|(place, request)| Pull { process, request, place: PullPlace::Belt(place) });
        self.all.extend(belt);
        for (call, pending) in &client.pending_calls {
            let (request, place) = match &pending.waiter {
                Waiter::Pull(request) => {
                    let is_held = self.is_held(*call);
                    (request, if is_held { PullPlace::Bench } else { PullPlace::Away })
                }
                Waiter::LockedFirstOffset(request) | Waiter::LockedFirstMaxOffset(request) => {
                    (request, PullPlace::Seat)
                }
                _ => continue,
            };
            if request.group == *group {
                self.all.push(Pull { process, request, place });
            }
        }
        let pass = client.rebalance_service.pass.as_ref();
        let queues = pass.and_then(|pass| pass.current.as_ref()?.queues.as_ref());
        for request in queues.into_iter().flat_map(|queues| &queues.new_pull_requests) {
            if request.group == *group {
                self.all.push(Pull { process, request, place: PullPlace::InPass });
            }
        }
    }

    fn is_held(&self, call: CallId) -> bool {
        self.held_calls.contains(&call)
    }

    /// The pull request of a queue in a process.
    pub fn of_queue(&self, process: ProcessIndex, queue: &MessageQueue) -> Option<&Pull<'a>> {
        self.of_queue.get(&(process, queue)).map(|place| &self.all[*place])
    }

    /// The pull of a queue that a broker holds.
    pub fn held_for(&self, broker: BrokerIndex, queue: &MessageQueue) -> Option<&'a HeldPull> {
        self.held.get(&(broker, &queue.topic, queue.queue_id)).copied()
    }
}

/// A pull request that a timer brings back.
fn later(entry: &AgendaEntry) -> PullPlace {
    let reason = match &entry.timer {
        Some(TimerKind::PullPostponed(reason)) => match reason {
            PostponeReason::NotRunning | PostponeReason::Error => Postponed::Error,
            PostponeReason::Paused => Postponed::Paused,
            PostponeReason::Count => Postponed::Count,
            PostponeReason::Size => Postponed::Size,
            PostponeReason::Span => Postponed::Span,
            PostponeReason::NotLocked => Postponed::NotLocked,
            PostponeReason::NoSubscription => Postponed::NoSubscription,
        },
        _ => Postponed::Interval,
    };
    PullPlace::Postponed { reason, since: entry.since, until: entry.at }
}
