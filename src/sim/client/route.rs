//! Routes: where the queues of a topic are (spec 02.1, "Route update for a topic").

use std::rc::Rc;

use super::ClientInstance;
use super::call::{CallResult, Waiter};
use crate::model::constants;
use crate::model::ids::{BrokerIndex, BrokerName, QueueId, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::sim::engine::Context;
use crate::sim::event::EventKind;
use crate::sim::packet::{Machine, Request, ResponseBody, TopicRoute};

/// brokerId of a master.
pub const MASTER_ID: u32 = 0;

impl ClientInstance {
    pub(crate) fn ask_route(&mut self, topic: TopicName, waiter: Waiter, cx: &mut Context<'_>) {
        let timeout = constants::get_route_info_timeout(cx.profile());
        let request = Request::GetRouteInfoByTopic { topic };
        self.call_sync(Machine::NameServer(0), request, timeout, waiter, cx);
    }

    /// Takes a route up. A topic that the name server does not know changes nothing: stale queues
    /// stay. A new route does not trigger a rebalance; the next pass sees it.
    pub(crate) fn route_answered(&mut self, result: CallResult, cx: &mut Context<'_>) {
        if let Some(ResponseBody::Route { topic, route }) = result.success() {
            self.update_topic_route_info(topic, route, cx);
        }
    }

    fn update_topic_route_info(
        &mut self,
        topic: TopicName,
        route: TopicRoute,
        cx: &mut Context<'_>,
    ) {
        let is_known = self.topic_route_table.get(&topic) == Some(&route);
        let is_lacked = self.consumers.values().any(|consumer| {
            consumer.subscriptions.contains_key(&topic)
                && !consumer.subscribe_info.contains_key(&topic)
        });
        if is_known && !is_lacked {
            return;
        }
        for (name, addresses) in &route.broker_datas {
            self.broker_addr_table.insert(name.clone(), addresses.iter().copied().collect());
        }
        let queues = subscribe_info(&topic, &route);
        for consumer in self.consumers.values_mut() {
            if consumer.subscriptions.contains_key(&topic) {
                consumer.subscribe_info.insert(topic.clone(), queues.clone());
            }
        }
        if !is_known {
            let count = queues.len() as u32;
            let causes = cx.causes();
            cx.emit(EventKind::RouteChanged { topic: topic.clone(), queues: count });
            cx.set_causes(causes);
        }
        self.publish_info.insert(topic.clone(), publish_info(&topic, &route));
        self.topic_route_table.insert(topic, route);
    }

    /// `cleanOfflineBroker`: drops addresses that appear in no cached route.
    pub(crate) fn clean_offline_broker(&mut self) {
        let routes = &self.topic_route_table;
        for (name, addresses) in &mut self.broker_addr_table {
            addresses.retain(|_, address| {
                routes.values().any(|route| {
                    route.broker_datas.iter().any(|(broker, known)| {
                        broker == name && known.iter().any(|(_, index)| index == address)
                    })
                })
            });
        }
        self.broker_addr_table.retain(|_, addresses| !addresses.is_empty());
    }

    /// `findBrokerAddressInPublish`: the master.
    pub(crate) fn master_of(&self, broker_name: &BrokerName) -> Option<BrokerIndex> {
        self.broker_addr_table.get(broker_name)?.get(&MASTER_ID).copied()
    }

    /// `findBrokerAddressInSubscribe`: the wanted id, else any.
    pub(crate) fn broker_of(
        &self,
        broker_name: &BrokerName,
        wanted: u32,
    ) -> Option<(u32, BrokerIndex)> {
        let addresses = self.broker_addr_table.get(broker_name)?;
        let found = addresses.get_key_value(&wanted).or_else(|| addresses.first_key_value());
        found.map(|(id, index)| (*id, *index))
    }

    /// Where offsets are read and written: the master; until 4.9.2 the first address, so a slave
    /// while there is no master (spec 01.8).
    pub(crate) fn offset_broker_of(
        &self,
        broker_name: &BrokerName,
        cx: &Context<'_>,
    ) -> Option<BrokerIndex> {
        let master = self.master_of(broker_name);
        if cx.rules().offsets_at_master_only && master.is_some() {
            return master;
        }
        self.broker_of(broker_name, MASTER_ID).map(|(_, index)| index)
    }
}

/// Writable queues of the topic, in the order of the brokers; those of brokers without a master are left
/// out (spec 08.2).
///
/// Follows `MQClientInstance.topicRouteData2TopicPublishInfo`.
fn publish_info(topic: &TopicName, route: &TopicRoute) -> Rc<[MessageQueue]> {
    let has_master = |broker: &BrokerName| {
        route.broker_datas.iter().any(|(name, addresses)| {
            name == broker && addresses.iter().any(|(id, _)| *id == MASTER_ID)
        })
    };
    let writable = route
        .queue_datas
        .iter()
        .filter(|(broker, config)| config.permission.writable && has_master(broker));
    writable
        .flat_map(|(broker, config)| {
            (0..config.write_queue_nums)
                .map(|id| MessageQueue::new(topic.clone(), broker.clone(), QueueId(id)))
        })
        .collect()
}

/// All queues of the topic that may be read; no master is needed (spec 02.1).
fn subscribe_info(topic: &TopicName, route: &TopicRoute) -> Vec<MessageQueue> {
    let readable = route.queue_datas.iter().filter(|(_, config)| config.permission.readable);
    readable
        .flat_map(|(broker, config)| {
            (0..config.read_queue_nums)
                .map(|id| MessageQueue::new(topic.clone(), broker.clone(), QueueId(id)))
        })
        .collect()
}
