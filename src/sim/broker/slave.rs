//! Master and slave: the slave copies its master's commit log record by record, and its settings and
//! offsets from time to time (spec 01.8). It never becomes a master.
//!
//! Differs: a copied record has no events of its own. The slave stays behind, as in RocketMQ, if its
//! log and its master's no longer fit together.
//!
//! Follows `HAService`, `HAClient` and `SlaveSynchronize`.

use std::rc::Rc;

use super::Broker;
use super::channels::Caller;
use crate::model::constants;
use crate::model::ids::ConnectionId;
use crate::model::message::StoredMessage;
use crate::model::time::Millis;
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, RequestDetail, TimerKind};
use crate::sim::packet::{Machine, Request, RequestCode, ResponseBody, ResponseCode};
use crate::sim::task::BrokerTask;

/// Pause before a slave tries to reach its master again.
///
/// Source: `HAService.HAClient.run`; not in spec 13.
const HA_RECONNECT_INTERVAL: Millis = Millis::new(5_000);

impl Broker {
    pub(crate) fn start_slave(&mut self, cx: &mut Context<'_>) {
        if self.master.is_some() {
            self.schedule_slave_sync(cx);
            self.ha_connect(cx);
        }
    }

    /// The connection to the master, opened with its first use.
    fn connection_to_master(&mut self, to: Machine, cx: &mut Context<'_>) -> ConnectionId {
        if let Some(connection) = self.channels.master {
            return connection;
        }
        let connection = cx.next_connection();
        cx.emit(EventKind::ConnectionOpened { connection, to });
        self.channels.master = Some(connection);
        connection
    }

    fn send_to_master(&mut self, request: Request, oneway: bool, cx: &mut Context<'_>) {
        let Some(master) = self.master else { return };
        let to = Machine::Broker(master);
        let causes = cx.causes();
        let connection = self.connection_to_master(to, cx);
        let (call, code, detail) = (cx.next_call(), request.code(), RequestDetail::None);
        cx.emit(EventKind::RequestSent { call, to, code, oneway, detail });
        cx.send_request(call, connection, to, request, oneway);
        cx.set_causes(causes);
    }

    pub(crate) fn close_master(&mut self, cx: &mut Context<'_>) {
        if let (Some(master), Some(connection)) = (self.master, self.channels.master.take()) {
            cx.send_closed(connection, Machine::Broker(master));
        }
    }

    /// Asks the master to send on from where this log ends.
    ///
    /// Follows `HAClient.connectMaster`, `reportSlaveMaxOffset`.
    pub(crate) fn ha_connect(&mut self, cx: &mut Context<'_>) {
        let records = self.commit_log.record_count() as u64;
        self.send_to_master(Request::HaReportOffset { records }, true, cx);
    }

    /// The master is gone, or was not there: another attempt follows.
    pub(crate) fn lost_master(&mut self, cx: &mut Context<'_>) {
        let at = cx.now() + HA_RECONNECT_INTERVAL;
        let (index, life) = (self.index, self.life);
        cx.schedule_broker(index, life, at, TimerKind::SlaveSync, BrokerTask::HaConnect);
    }

    /// A slave has connected, with so many records of its own.
    ///
    /// Follows `HAConnection`.
    pub(crate) fn ha_report_offset(&mut self, caller: Caller, records: u64, cx: &mut Context<'_>) {
        self.ha_slaves.insert(caller.connection, records);
        self.ha_transfer(cx);
    }

    /// Sends each slave what it does not have yet.
    ///
    /// Follows `HAConnection.WriteSocketService`.
    pub(crate) fn ha_transfer(&mut self, cx: &mut Context<'_>) {
        if self.ha_slaves.is_empty() {
            return;
        }
        let end = self.commit_log.record_count() as u64;
        let causes = cx.causes();
        for (connection, next) in std::mem::take(&mut self.ha_slaves) {
            let Some(channel) = self.channels.open.get(&connection).copied() else { continue };
            self.ha_slaves.insert(connection, next.max(end));
            if next >= end {
                continue;
            }
            let indexes =
                usize::try_from(next).unwrap_or(usize::MAX)..self.commit_log.record_count();
            let records = indexes.filter_map(|at| self.commit_log.get(at).cloned()).collect();
            self.channel_write(connection, cx.now());
            let (call, to, code) = (cx.next_call(), channel.machine, RequestCode::HaTransfer);
            let detail = RequestDetail::None;
            cx.set_causes(causes);
            cx.emit(EventKind::RequestSent { call, to, code, oneway: true, detail });
            cx.send_request(call, connection, to, Request::HaTransfer { records }, true);
        }
        cx.set_causes(causes);
    }

    /// Records of the master arrive and are appended at the same physical offsets.
    ///
    /// Follows `HAClient.dispatchReadRequest`.
    pub(crate) fn ha_received(
        &mut self,
        connection: ConnectionId,
        records: Vec<Rc<StoredMessage>>,
        cx: &mut Context<'_>,
    ) {
        if self.channels.master != Some(connection) {
            return;
        }
        for record in records {
            if record.physical_offset != self.commit_log.max_offset() {
                return;
            }
            let key = (record.topic.clone(), record.queue_id);
            self.topic_queue_table.insert(key, record.queue_offset.next());
            self.commit_log.append(record);
        }
        self.schedule_reput(cx);
    }

    fn next_slave_sync(&self, cx: &Context<'_>) -> Millis {
        let profile = cx.profile();
        let grid = self.grid(
            constants::slave_sync_initial_delay(profile),
            constants::slave_sync_interval(profile),
        );
        grid.after(cx.now())
    }

    fn schedule_slave_sync(&self, cx: &mut Context<'_>) {
        let at = self.next_slave_sync(cx);
        let (index, life) = (self.index, self.life);
        cx.schedule_broker(index, life, at, TimerKind::SlaveSync, BrokerTask::SlaveSync);
    }

    /// Asks the master for its offsets and settings.
    ///
    /// Follows `SlaveSynchronize.syncAll`.
    pub(crate) fn slave_sync(&mut self, cx: &mut Context<'_>) {
        if self.channels.master.is_some() {
            self.send_to_master(Request::GetAllConsumerOffset, false, cx);
        }
        let next = self.next_slave_sync(cx);
        cx.next_turn(next, |cx| self.schedule_slave_sync(cx));
    }

    /// The master's answer: its values overwrite the slave's own, newer or not.
    pub(crate) fn sync_from_master(&mut self, body: ResponseBody, cx: &mut Context<'_>) {
        let ResponseBody::AllOffsets { offsets, topics, delay_offsets } = body else { return };
        self.topic_config.extend(topics);
        let causes = cx.causes();
        for (group, topic, queue_id, offset) in offsets {
            cx.set_causes(causes);
            self.commit_offset(&group, &topic, queue_id, offset, false, cx);
        }
        cx.set_causes(causes);
        for (level, offset) in delay_offsets {
            self.schedule_message.set_progress(level, offset);
        }
    }

    /// GET_ALL_CONSUMER_OFFSET, with what a slave asks for along with it.
    pub(crate) fn get_all_consumer_offset(&mut self, caller: Caller, cx: &mut Context<'_>) {
        let offsets = self.consumer_offset.iter();
        let offsets = offsets
            .map(|(topic, group, queue_id, offset)| {
                (group.clone(), topic.clone(), queue_id, offset)
            })
            .collect();
        let topics = self.topic_config.iter();
        let topics = topics.map(|(topic, config)| (topic.clone(), config.clone())).collect();
        let delay_offsets = self.schedule_message.progress();
        let body = ResponseBody::AllOffsets { offsets, topics, delay_offsets };
        let of = RequestCode::GetAllConsumerOffset;
        self.answer(caller, of, ResponseCode::Success, body, cx);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::config::{BrokerConfig, BrokerSpec};
    use crate::model::ids::{BrokerIndex, CallId, ProcessIndex, QueueId};
    use crate::model::offset::QueueOffset;
    use crate::model::profile::Profile;
    use crate::model::rules::Rules;
    use crate::sim::broker::bench::{delayed, heartbeat_of, message, pull, send, setup};
    use crate::sim::command::BrokerStop;
    use crate::sim::engine::{Engine, Running};
    use crate::sim::network::Network;
    use crate::sim::packet::{Packet, Payload, Response};
    use crate::sim::setup::TieBreak;
    use crate::sim::task::Task;

    /// Master 0 and slave 1.
    struct Pair {
        engine: Engine,
        network: Network,
        brokers: [Broker; 2],
        answers: Vec<(u64, CallId, Response)>,
        calls: u64,
    }

    impl Pair {
        fn new(profile: Profile) -> Pair {
            let mut setup = setup(profile);
            setup.brokers.push(BrokerSpec {
                name: "broker-a".into(),
                broker_id: 1,
                config: BrokerConfig::defaults(profile),
            });
            let broker =
                |at: u16| Broker::new(BrokerIndex(at), &setup.brokers[usize::from(at)], &setup);
            let mut pair = Pair {
                engine: Engine::new(profile, Rules::of(profile), 1, TieBreak::Fifo),
                network: Network::new(Millis::ZERO),
                brokers: [broker(0), broker(1)],
                answers: Vec::new(),
                calls: 0,
            };
            pair.act(0, |broker, cx| broker.start(cx));
            pair.act(1, |broker, cx| broker.start(cx));
            pair
        }

        fn act(&mut self, at: u16, action: impl FnOnce(&mut Broker, &mut Context<'_>)) {
            self.engine.running = Running::default();
            let me = Machine::Broker(BrokerIndex(at));
            let mut cx = Context { engine: &mut self.engine, network: &mut self.network, me };
            action(&mut self.brokers[usize::from(at)], &mut cx);
        }

        fn run_until(&mut self, ms: u64) {
            while self.engine.agenda.next_at().is_some_and(|at| at <= Millis::new(ms)) {
                let entry = self.engine.agenda.pop().expect("there is a next one");
                self.engine.now = entry.at;
                match entry.task {
                    Task::Deliver(packet) => self.deliver(*packet),
                    Task::Broker { broker, life, task }
                        if self.brokers[usize::from(broker.0)].life == life =>
                    {
                        self.act(broker.0, |it, cx| it.run(task, cx));
                    }
                    _ => {}
                }
            }
            self.engine.now = Millis::new(ms);
        }

        /// As the simulation does it: a broker that is down refuses.
        fn deliver(&mut self, packet: Packet) {
            match (packet.to, packet.payload.clone()) {
                (Machine::Broker(index), _) if self.brokers[usize::from(index.0)].is_up => {
                    self.act(index.0, |it, cx| it.receive(packet, cx));
                }
                (Machine::Broker(index), Payload::Request { .. }) => {
                    let (connection, from) = (packet.connection, packet.from);
                    self.act(index.0, |_, cx| cx.send_closed(connection, from));
                }
                (Machine::Client(_), Payload::Response(response)) => {
                    self.answers.push((self.engine.now.ms(), packet.call, response));
                }
                _ => {}
            }
        }

        fn ask(&mut self, at: u16, request: Request) -> CallId {
            self.calls += 1;
            let call = CallId(1_000_000 + self.calls);
            let connection = ConnectionId(1_000 * self.brokers[usize::from(at)].life);
            let (from, to) = (Machine::Client(ProcessIndex(0)), Machine::Broker(BrokerIndex(at)));
            let payload = Payload::Request { request, oneway: false };
            self.deliver(Packet::new(call, connection, from, to, payload));
            call
        }

        fn answer(&self, call: CallId) -> Option<(u64, ResponseCode)> {
            let is_it = |(_, answered, _): &&(u64, CallId, Response)| *answered == call;
            self.answers.iter().find(is_it).map(|(at, _, response)| (*at, response.code))
        }

        fn logs(&self) -> [usize; 2] {
            [self.brokers[0].commit_log.record_count(), self.brokers[1].commit_log.record_count()]
        }

        fn max_offset_at_slave(&self) -> QueueOffset {
            self.brokers[1].max_offset_in_queue(&"T".into(), QueueId(0))
        }
    }

    #[test]
    fn a_slave_follows_its_master_s_log_and_offsets() {
        let mut pair = Pair::new(Profile::V49);
        pair.ask(0, send(message("T", 0, None)));
        pair.run_until(10);
        assert_eq!(pair.logs(), [1, 1]);
        assert_eq!(pair.max_offset_at_slave(), QueueOffset(1));
        let commit = QueueOffset(1);
        pair.act(0, |it, cx| it.set_offset(&"G".into(), &"T".into(), QueueId(0), commit, cx));
        pair.run_until(2_999);
        let offset = |pair: &Pair| {
            pair.brokers[1].consumer_offset.query_offset(&"G".into(), &"T".into(), QueueId(0))
        };
        assert_eq!(offset(&pair), None);
        pair.run_until(3_000);
        assert_eq!(offset(&pair), Some(commit), "every 10 s, the first time at 3 s");
    }

    #[test]
    fn a_slave_takes_its_master_s_progress_of_every_delay_level() {
        let mut pair = Pair::new(Profile::V49);
        for level in [1, 2, 2, 3] {
            pair.ask(0, send(delayed(level)));
        }
        let progress = |pair: &Pair| pair.brokers[1].schedule_message.progress()[..4].to_vec();
        let of_levels =
            |offsets: [i64; 4]| (1..).zip(offsets.map(QueueOffset)).collect::<Vec<(u32, _)>>();
        pair.run_until(2_999);
        assert_eq!(progress(&pair), of_levels([0, 0, 0, 0]), "it asks at 3 s");
        pair.run_until(3_010);
        assert_eq!(progress(&pair), of_levels([1, 0, 0, 0]), "1 s is over, 5 s are not");
        pair.run_until(13_010);
        assert_eq!(progress(&pair), of_levels([1, 2, 1, 0]));
    }

    #[test]
    fn a_slave_answers_pulls_while_the_master_is_down_and_delivers_nothing_delayed() {
        let mut pair = Pair::new(Profile::V49);
        pair.ask(1, heartbeat_of(0, &[("T", "*")], 1));
        pair.ask(0, send(message("T", 0, None)));
        pair.ask(0, send(delayed(1)));
        pair.run_until(100);
        pair.act(0, |it, cx| it.stop(BrokerStop::Kill { lost_tail: 0 }, cx));
        let call = pair.ask(1, Request::PullMessage(pull(0)));
        pair.run_until(60_000);
        assert_eq!(pair.answer(call), Some((100, ResponseCode::Success)));
        assert_eq!(pair.logs(), [2, 2], "the delayed one waits for the master");
    }

    #[test]
    fn a_slave_catches_up_with_a_master_that_comes_back() {
        let mut pair = Pair::new(Profile::V49);
        pair.run_until(1_000);
        pair.act(1, |it, cx| it.stop(BrokerStop::Graceful, cx));
        pair.ask(0, send(message("T", 0, None)));
        pair.run_until(2_000);
        pair.act(1, |it, cx| it.start(cx));
        pair.run_until(2_010);
        assert_eq!(pair.logs(), [1, 1], "at its own start");
        pair.act(0, |it, cx| it.stop(BrokerStop::Graceful, cx));
        pair.run_until(3_000);
        pair.act(0, |it, cx| it.start(cx));
        pair.ask(0, send(message("T", 0, None)));
        pair.run_until(7_000);
        assert_eq!(pair.logs(), [2, 1], "the connection is tried every 5 s");
        pair.run_until(7_020);
        assert_eq!(pair.logs(), [2, 2]);
    }

    #[test]
    fn an_arrival_wakes_no_pull_held_at_a_slave_until_the_next_look() {
        let mut pair = Pair::new(Profile::V42);
        pair.ask(1, heartbeat_of(0, &[("T", "*")], 1));
        let call = pair.ask(1, Request::PullMessage(pull(0)));
        pair.run_until(1_200);
        pair.ask(0, send(message("T", 0, None)));
        pair.run_until(60_000);
        assert_eq!(pair.answer(call), Some((5_000, ResponseCode::Success)));
    }

    #[test]
    fn a_slave_corrects_no_offset_and_in_5_serves_no_pull() {
        for (profile, code) in [
            (Profile::V42, ResponseCode::PullRetryImmediately),
            (Profile::V49, ResponseCode::PullRetryImmediately),
            (Profile::V53, ResponseCode::SystemBusy),
        ] {
            let mut pair = Pair::new(profile);
            pair.ask(1, heartbeat_of(0, &[("T", "*")], 1));
            pair.ask(0, send(message("T", 0, None)));
            pair.run_until(100);
            let call = pair.ask(1, Request::PullMessage(pull(9)));
            pair.run_until(100);
            assert_eq!(pair.answer(call), Some((100, code)), "{profile:?}");
        }
    }
}
