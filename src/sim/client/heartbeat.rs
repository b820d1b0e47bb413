//! Heartbeats: one at a time for each client, under a try-lock (spec 01.3, 02.1).
//!
//! Follows `MQClientInstance.sendHeartbeatToAllBrokerWithLock`. A second one is skipped and not
//! repeated; that is how a consumer can stand still for up to 30 s (spec 11.32).

use std::collections::VecDeque;

use serde::Serialize;

use super::ClientInstance;
use super::call::{CallResult, Waiter};
use super::consumer::PushConsumer;
use super::route::MASTER_ID;
use crate::model::constants;
use crate::model::ids::{BrokerIndex, GroupName};
use crate::sim::engine::Context;
use crate::sim::event::EventKind;
use crate::sim::packet::{ConsumerData, Machine, Request};

/// Which thread sends it, and so where it goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum HeartbeatOwner {
    /// Step 14 of start().
    Start(GroupName),
    /// The 30 s timer.
    Factory,
    /// messageQueueChanged of a rebalance pass.
    Rebalance,
    /// subscribe() at run time.
    Subscribe,
    /// A connection became active (since 5.2.0).
    ChannelActive,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeartbeatRun {
    pub owner: HeartbeatOwner,
    pub brokers_left: VecDeque<BrokerIndex>,
    pub was_answered: bool,
}

impl ClientInstance {
    /// Sends a heartbeat to every broker, one after the other, or skips it if one is under way.
    pub(crate) fn send_heartbeat(&mut self, owner: HeartbeatOwner, cx: &mut Context<'_>) {
        let is_unlucky = owner == HeartbeatOwner::Rebalance && self.skip_next_heartbeat;
        if self.heartbeat.is_some() || is_unlucky {
            self.skip_next_heartbeat &= !is_unlucky;
            cx.emit(EventKind::HeartbeatSkipped);
            self.heartbeat_over(owner, false, cx);
            return;
        }
        let has_consumers = self.consumers.values().any(PushConsumer::is_registered);
        // Producers alone speak to masters only (spec 01.3).
        let brokers_left = self
            .broker_addr_table
            .values()
            .flat_map(|addresses| addresses.iter())
            .filter(|(id, _)| has_consumers || **id == MASTER_ID)
            .map(|(_, index)| *index)
            .collect();
        self.heartbeat = Some(HeartbeatRun { owner, brokers_left, was_answered: false });
        self.next_heartbeat(cx);
    }

    fn next_heartbeat(&mut self, cx: &mut Context<'_>) {
        let Some(run) = &mut self.heartbeat else { return };
        match run.brokers_left.pop_front() {
            Some(broker) => {
                let request = self.heartbeat_request();
                let timeout = constants::heartbeat_timeout(cx.profile());
                self.call_sync(Machine::Broker(broker), request, timeout, Waiter::Heartbeat, cx);
            }
            None => {
                let run = self.heartbeat.take().expect("it is under way");
                self.heartbeat_over(run.owner, run.was_answered, cx);
            }
        }
    }

    pub(crate) fn heartbeat_on_answer(&mut self, result: CallResult, cx: &mut Context<'_>) {
        if let Some(run) = &mut self.heartbeat {
            run.was_answered |= result.success().is_some();
        }
        self.next_heartbeat(cx);
    }

    fn heartbeat_over(&mut self, owner: HeartbeatOwner, was_sent: bool, cx: &mut Context<'_>) {
        match owner {
            HeartbeatOwner::Start(group) => self.start_on_heartbeat(&group, was_sent, cx),
            HeartbeatOwner::Factory => self.factory_job_done(cx),
            HeartbeatOwner::Rebalance => self.rebalance_on_heartbeat(cx),
            HeartbeatOwner::Subscribe => {}
            HeartbeatOwner::ChannelActive => {
                if was_sent {
                    self.wake_rebalance(cx);
                }
            }
        }
    }

    fn heartbeat_request(&self) -> Request {
        let consumers = self
            .consumers
            .values()
            .filter(|consumer| consumer.is_registered())
            .map(|consumer| ConsumerData {
                group: consumer.group.clone(),
                message_model: consumer.config.message_model,
                subscriptions: consumer
                    .subscriptions
                    .iter()
                    .map(|(topic, data)| (topic.clone(), data.clone()))
                    .collect(),
            })
            .collect();
        Request::HeartBeat {
            client_id: self.client_id.clone(),
            consumers,
            producers: self.producers.keys().cloned().collect(),
        }
    }
}
