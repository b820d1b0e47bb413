//! The name server: which broker has which topic (spec 01.1). It never pushes; clients ask.
//!
//! Follows `RouteInfoManager`, `DefaultRequestProcessor` and `NamesrvController`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::agenda::AgendaKey;
use super::broker::poll_grid::PollGrid;
use super::engine::Context;
use super::event::TimerKind;
use super::packet::{
    BrokerRegistration, Machine, Packet, Payload, Request, Response, ResponseBody, ResponseCode,
    TopicRoute,
};
use super::task::{NameServerTask, Task};
use crate::model::constants;
use crate::model::ids::{BrokerIndex, BrokerName, ConnectionId, TopicName};
use crate::model::time::Millis;
use crate::model::topic::TopicConfig;

/// One entry of `brokerLiveTable`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokerLive {
    pub broker_name: BrokerName,
    pub broker_id: u32,
    /// Its last registration.
    pub last_update_at: Millis,
}

/// All its knowledge is in memory: after a restart it waits for the brokers to register again.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NameServer {
    pub started_at: Millis,
    pub topic_queue_table: BTreeMap<TopicName, BTreeMap<BrokerName, TopicConfig>>,
    pub broker_addr_table: BTreeMap<BrokerName, BTreeMap<u32, BrokerIndex>>,
    pub broker_live_table: BTreeMap<BrokerIndex, BrokerLive>,
    /// Who is connected.
    pub channels: BTreeMap<ConnectionId, Machine>,
    scan: Option<AgendaKey>,
}

impl NameServer {
    pub fn new() -> NameServer {
        NameServer::default()
    }

    /// The process starts; what was registered before it did (at the run's setup) is known.
    pub fn start(&mut self, cx: &mut Context<'_>) {
        self.started_at = cx.now();
        self.schedule_scan(cx);
    }

    /// The process ends: the tables are lost, and every connection closes.
    pub fn stop(&mut self, cx: &mut Context<'_>) {
        if let Some(scan) = self.scan {
            cx.cancel(scan);
        }
        let causes = cx.causes();
        for (connection, machine) in std::mem::take(self).channels {
            cx.set_causes(causes);
            cx.send_closed(connection, machine);
        }
        cx.set_causes(causes);
    }

    /// A packet has arrived.
    pub fn receive(&mut self, packet: Packet, cx: &mut Context<'_>) {
        let Packet { call, connection, from, payload, .. } = packet;
        let (request, oneway) = match payload {
            Payload::Request { request, oneway } => (request, oneway),
            Payload::ConnectionClosed => {
                self.channels.remove(&connection);
                if let Machine::Broker(broker) = from {
                    self.on_channel_destroy(broker);
                }
                return;
            }
            Payload::Response(_) => return,
        };
        self.channels.insert(connection, from);
        let of = request.code();
        let (code, body) = match request {
            Request::RegisterBroker(registration) => {
                self.register(registration, cx.now());
                self.schedule_scan(cx);
                (ResponseCode::Success, ResponseBody::Empty)
            }
            Request::GetRouteInfoByTopic { topic } => match self.pickup_topic_route_data(&topic) {
                Some(route) => (ResponseCode::Success, ResponseBody::Route { topic, route }),
                None => (ResponseCode::TopicNotExist, ResponseBody::Empty),
            },
            _ => return,
        };
        if !oneway {
            cx.send_response(call, connection, from, Response { code, of, body });
        }
    }

    /// A task's time has come.
    pub fn run(&mut self, task: &NameServerTask, cx: &mut Context<'_>) {
        match task {
            NameServerTask::ScanNotActiveBroker => {
                self.scan = None;
                self.scan_not_active_broker(cx);
                self.schedule_scan(cx);
            }
        }
    }

    /// Takes a registration. Only a master says which queues there are.
    ///
    /// Follows `RouteInfoManager.registerBroker`.
    pub fn register(&mut self, registration: BrokerRegistration, now: Millis) {
        let BrokerRegistration { broker_name, broker_id, address, topics } = registration;
        let addresses = self.broker_addr_table.entry(broker_name.clone()).or_default();
        addresses.insert(broker_id, address);
        if broker_id == 0 {
            for (topic, config) in topics {
                let queue_datas = self.topic_queue_table.entry(topic).or_default();
                queue_datas.insert(broker_name.clone(), config);
            }
        }
        let live = BrokerLive { broker_name, broker_id, last_update_at: now };
        self.broker_live_table.insert(address, live);
    }

    /// The route of a topic: its queues, and the addresses of the brokers that have them. `None`
    /// unless both are known.
    ///
    /// Follows `RouteInfoManager.pickupTopicRouteData`.
    pub fn pickup_topic_route_data(&self, topic: &TopicName) -> Option<TopicRoute> {
        let queue_datas = self.topic_queue_table.get(topic)?;
        let mut route = TopicRoute::default();
        for (broker_name, config) in queue_datas {
            route.queue_datas.push((broker_name.clone(), config.clone()));
            if let Some(addresses) = self.broker_addr_table.get(broker_name) {
                let addresses = addresses.iter().map(|(id, address)| (*id, *address)).collect();
                route.broker_datas.push((broker_name.clone(), addresses));
            }
        }
        (!route.broker_datas.is_empty()).then_some(route)
    }

    /// A broker's connection closed, or its registration is too old: its address goes at once, and
    /// with the last address of a broker name its queues. While a slave is left, so are the queues.
    ///
    /// Follows `RouteInfoManager.onChannelDestroy`.
    fn on_channel_destroy(&mut self, broker: BrokerIndex) {
        let Some(live) = self.broker_live_table.remove(&broker) else { return };
        let name = live.broker_name;
        let Some(addresses) = self.broker_addr_table.get_mut(&name) else { return };
        addresses.remove(&live.broker_id);
        if addresses.is_empty() {
            self.broker_addr_table.remove(&name);
            self.topic_queue_table.retain(|_, queue_datas| {
                queue_datas.remove(&name);
                !queue_datas.is_empty()
            });
        }
    }

    /// Follows `RouteInfoManager.scanNotActiveBroker`.
    fn scan_not_active_broker(&mut self, cx: &Context<'_>) {
        let max_age = constants::broker_channel_expired_time(cx.profile());
        let is_expired = |live: &BrokerLive| cx.now().since(live.last_update_at) > max_age;
        let expired: Vec<BrokerIndex> = self
            .broker_live_table
            .iter()
            .filter(|(_, live)| is_expired(live))
            .map(|(broker, _)| *broker)
            .collect();
        for broker in expired {
            self.on_channel_destroy(broker);
        }
    }

    /// Puts the scan on the agenda that would find the oldest registration expired, if it is not
    /// renewed until then.
    ///
    /// Follows `NamesrvController.initialize`.
    fn schedule_scan(&mut self, cx: &mut Context<'_>) {
        let oldest = self.broker_live_table.values().map(|live| live.last_update_at).min();
        let (None, Some(oldest)) = (self.scan, oldest) else { return };
        let profile = cx.profile();
        let grid = PollGrid::new(
            self.started_at + constants::scan_not_active_broker_initial_delay(profile),
            constants::scan_not_active_broker_interval(profile),
        );
        let at = grid.after(oldest + constants::broker_channel_expired_time(profile));
        let task = Task::NameServer(NameServerTask::ScanNotActiveBroker);
        self.scan = Some(cx.schedule_at(at, TimerKind::BrokerScan, task));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::{CallId, ProcessIndex};
    use crate::model::profile::Profile;
    use crate::model::rules::Rules;
    use crate::sim::engine::Engine;
    use crate::sim::network::Network;
    use crate::sim::setup::TieBreak;

    struct Bench {
        engine: Engine,
        network: Network,
        name_server: NameServer,
        answers: Vec<Packet>,
    }

    impl Bench {
        fn new(profile: Profile) -> Bench {
            let mut bench = Bench {
                engine: Engine::new(profile, Rules::of(profile), 1, TieBreak::Fifo),
                network: Network::new(Millis::ZERO),
                name_server: NameServer::new(),
                answers: Vec::new(),
            };
            bench.act(NameServer::start);
            bench
        }

        fn act(&mut self, action: impl FnOnce(&mut NameServer, &mut Context<'_>)) {
            let me = Machine::NameServer(0);
            let mut cx = Context { engine: &mut self.engine, network: &mut self.network, me };
            action(&mut self.name_server, &mut cx);
        }

        fn run_until(&mut self, ms: u64) {
            while self.engine.agenda.next_at().is_some_and(|at| at <= Millis::new(ms)) {
                let entry = self.engine.agenda.pop().expect("there is a next one");
                self.engine.now = entry.at;
                match entry.task {
                    Task::NameServer(task) => self.act(|it, cx| it.run(&task, cx)),
                    Task::Deliver(packet) => self.answers.push(*packet),
                    _ => {}
                }
            }
            self.engine.now = Millis::new(ms);
        }

        fn arrive(&mut self, from: Machine, payload: Payload) {
            let to = Machine::NameServer(0);
            let connection = ConnectionId(match from {
                Machine::Broker(index) => u32::from(index.0),
                _ => 100,
            });
            let packet = Packet::new(CallId(1), connection, from, to, payload);
            self.act(|it, cx| it.receive(packet, cx));
        }

        /// Broker `index` registers topic `T` with some queues.
        fn register(&mut self, index: u16, broker_id: u32, queues: u32) {
            let registration = registration("a", index, broker_id, queues);
            let request = Request::RegisterBroker(registration);
            let from = Machine::Broker(BrokerIndex(index));
            self.arrive(from, Payload::Request { request, oneway: true });
        }

        fn route(&self) -> Option<TopicRoute> {
            self.name_server.pickup_topic_route_data(&"T".into())
        }

        /// The addresses in the route of `T`, by broker id.
        fn addresses(&self) -> Vec<(u32, u16)> {
            let route = self.route().unwrap_or_default();
            let addresses = route.broker_datas.iter().flat_map(|(_, addresses)| addresses);
            addresses.map(|(id, address)| (*id, address.0)).collect()
        }
    }

    fn registration(name: &str, index: u16, broker_id: u32, queues: u32) -> BrokerRegistration {
        BrokerRegistration {
            broker_name: name.into(),
            broker_id,
            address: BrokerIndex(index),
            topics: vec![("T".into(), TopicConfig::read_write(queues))],
        }
    }

    #[test]
    fn a_route_names_queues_and_addresses_by_broker_name() {
        let mut name_server = NameServer::new();
        name_server.register(registration("b", 1, 0, 8), Millis::ZERO);
        name_server.register(registration("a", 0, 0, 4), Millis::ZERO);
        let route = name_server.pickup_topic_route_data(&"T".into()).expect("registered");
        let queues: Vec<_> =
            route.queue_datas.iter().map(|(name, c)| (name.as_str(), c.read_queue_nums)).collect();
        assert_eq!(queues, [("a", 4), ("b", 8)]);
        assert_eq!(route.broker_datas.len(), 2);
    }

    #[test]
    fn an_unknown_topic_is_answered_so() {
        let mut bench = Bench::new(Profile::V49);
        bench.register(0, 0, 4);
        let from = Machine::Client(ProcessIndex(0));
        for topic in ["T", "nothing"] {
            let request = Request::GetRouteInfoByTopic { topic: topic.into() };
            bench.arrive(from, Payload::Request { request, oneway: false });
        }
        bench.run_until(0);
        let codes: Vec<_> = bench
            .answers
            .iter()
            .map(|packet| match &packet.payload {
                Payload::Response(response) => response.code,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(codes, [ResponseCode::Success, ResponseCode::TopicNotExist]);
    }

    #[test]
    fn a_closed_connection_removes_the_broker_at_once_and_its_queues_with_the_last_address() {
        let mut bench = Bench::new(Profile::V49);
        bench.register(0, 0, 4);
        bench.register(1, 1, 4);
        assert_eq!(bench.addresses(), [(0, 0), (1, 1)]);
        bench.arrive(Machine::Broker(BrokerIndex(0)), Payload::ConnectionClosed);
        assert_eq!(bench.addresses(), [(1, 1)], "the slave keeps the queues in the route");
        bench.arrive(Machine::Broker(BrokerIndex(1)), Payload::ConnectionClosed);
        assert_eq!(bench.route(), None);
    }

    #[test]
    fn a_slave_says_nothing_of_queues_and_a_master_replaces_them() {
        let mut bench = Bench::new(Profile::V49);
        bench.register(1, 1, 16);
        assert_eq!(bench.route(), None);
        bench.register(0, 0, 4);
        bench.register(0, 0, 6);
        bench.register(1, 1, 16);
        let route = bench.route().expect("registered");
        assert_eq!(route.queue_datas, [("a".into(), TopicConfig::read_write(6))]);
    }

    #[test]
    fn a_silent_broker_expires_at_the_first_scan_later_than_120_s() {
        // The scans of V42 are at 5 + 10 k s, later at 5 ms + 5 k s.
        for (profile, removed_at) in
            [(Profile::V42, 155_000), (Profile::V49, 150_005), (Profile::V53, 150_005)]
        {
            let mut bench = Bench::new(profile);
            bench.register(0, 0, 4);
            bench.run_until(30_000);
            bench.register(0, 0, 4);
            bench.run_until(removed_at - 1);
            assert!(bench.route().is_some(), "{profile:?}");
            bench.run_until(removed_at);
            assert_eq!(bench.route(), None, "{profile:?}");
        }
    }

    #[test]
    fn a_stop_forgets_everything_and_closes_the_connections() {
        let mut bench = Bench::new(Profile::V49);
        bench.register(0, 0, 4);
        bench.act(NameServer::stop);
        assert_eq!(bench.route(), None);
        bench.run_until(0);
        assert_eq!(bench.answers[0].payload, Payload::ConnectionClosed);
        bench.run_until(1_000_000);
        bench.act(NameServer::start);
        bench.register(0, 0, 4);
        assert!(bench.route().is_some());
    }
}
