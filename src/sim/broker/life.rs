//! A broker's life: made from a setup, started, stopped, killed, started again.
//!
//! What a kill loses is in spec 00.4; the disk (commit log, consume queues, topics, groups, the
//! persisted offsets) stays.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Broker;
use super::channels::Channels;
use super::client_manage::ConsumerManager;
use super::message_store::Reput;
use super::pull_request_hold::PullRequestHold;
use super::schedule_message::ScheduleMessage;
use crate::model::commit_log::CommitLog;
use crate::model::config::BrokerSpec;
use crate::model::consume_queue::ConsumeQueue;
use crate::model::ids::BrokerIndex;
use crate::model::offset_table::ConsumerOffsetTable;
use crate::model::rebalance_lock::RebalanceLockTable;
use crate::model::time::Millis;
use crate::model::topic::{self, AUTO_CREATE_TOPIC_KEY, TopicConfig};
use crate::sim::command::BrokerStop;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, EventKind};
use crate::sim::setup::Setup;

/// Where the master of a slave stands in the topology.
fn master_of(spec: &BrokerSpec, setup: &Setup) -> Option<BrokerIndex> {
    if spec.broker_id == 0 {
        return None;
    }
    let is_master = |other: &BrokerSpec| other.name == spec.name && other.broker_id == 0;
    let at = setup.brokers.iter().position(is_master)?;
    u16::try_from(at).ok().map(BrokerIndex)
}

impl Broker {
    /// The broker's disk before the run; the process does not run yet.
    pub fn new(index: BrokerIndex, spec: &BrokerSpec, setup: &Setup) -> Broker {
        let mut broker = Broker {
            index,
            name: spec.name.clone(),
            broker_id: spec.broker_id,
            master: master_of(spec, setup),
            config: spec.config.clone(),
            is_up: false,
            is_writable: true,
            life: 0,
            started_at: Millis::ZERO,
            started: Causes::NONE,
            literal_polling: setup.literal_polling,
            topic_config: BTreeMap::new(),
            subscription_groups: BTreeMap::new(),
            commit_log: CommitLog::default(),
            consume_queues: BTreeMap::new(),
            topic_queue_table: BTreeMap::new(),
            reput_from: 0,
            reput: Reput::default(),
            consumer_offset: ConsumerOffsetTable::default(),
            persisted_offset: ConsumerOffsetTable::default(),
            is_offset_flush_scheduled: false,
            pull_request_hold: PullRequestHold::default(),
            schedule_message: ScheduleMessage::new(spec.config.message_delay_level.len()),
            client_manage: ConsumerManager::default(),
            channels: Channels::default(),
            rebalance_lock: RebalanceLockTable::default(),
            store_delay: Millis::ZERO,
            slow_appends: VecDeque::new(),
            ha_slaves: BTreeMap::new(),
            pending_reset: BTreeMap::new(),
        };
        broker.set_up_topics(setup);
        broker.set_up_groups(setup);
        broker.set_up_queues(setup);
        broker
    }

    fn set_up_topics(&mut self, setup: &Setup) {
        let levels = u32::try_from(self.config.message_delay_level.len()).unwrap_or(u32::MAX);
        let template = TopicConfig::read_write(self.config.default_topic_queue_nums);
        self.topic_config.insert(topic::schedule_topic(), TopicConfig::read_write(levels));
        if self.config.auto_create_topic_enable {
            self.topic_config.insert(AUTO_CREATE_TOPIC_KEY.into(), template);
        }
        for topic in setup.topics.iter().filter(|topic| topic.broker_name == self.name) {
            self.topic_config.insert(topic.topic.clone(), topic.config.clone());
        }
    }

    fn set_up_groups(&mut self, setup: &Setup) {
        for group in &setup.groups {
            self.subscription_groups.insert(group.group.clone(), group.config.clone());
            if group.preexisting {
                let config = TopicConfig::read_write(group.config.retry_queue_nums);
                self.topic_config.entry(topic::retry_topic(&group.group)).or_insert(config);
            }
        }
    }

    fn set_up_queues(&mut self, setup: &Setup) {
        for stored in setup.stored_offsets.iter().filter(|stored| stored.broker_name == self.name) {
            let (group, topic) = (&stored.group, &stored.topic);
            self.consumer_offset.commit_offset(group, topic, stored.queue_id, stored.offset);
        }
        self.persisted_offset = self.consumer_offset.clone();
        for delayed in setup.delay_offsets.iter().filter(|it| it.broker_name == self.name) {
            self.schedule_message.set_progress(delayed.level, delayed.offset);
        }
        self.schedule_message.persist();
        for past in setup.queue_pasts.iter().filter(|past| past.broker_name == self.name) {
            let key = (past.topic.clone(), past.queue_id);
            self.topic_queue_table.insert(key.clone(), past.min_offset);
            self.consume_queues.insert(key, ConsumeQueue::starting_at(past.min_offset));
        }
    }

    /// The process starts: timers begin, what was persisted is what is known, and the name server
    /// hears of it. At the very first start the run's setup has told it already.
    ///
    /// Emits `BrokerStarted`. Follows `BrokerController.start`.
    pub fn start(&mut self, cx: &mut Context<'_>) {
        assert!(!self.is_up, "a broker that runs is not started");
        self.is_up = true;
        self.life += 1;
        self.started_at = cx.now();
        self.started = Causes::of(cx.emit(EventKind::BrokerStarted { broker: self.index }));
        if self.life == 1 {
            self.open_name_server(cx);
        } else {
            self.register_broker_all(false, cx);
        }
        let has_backlog =
            usize::try_from(self.reput_from).is_ok_and(|n| n < self.commit_log.record_count());
        if has_backlog {
            self.schedule_reput(cx);
        }
        self.schedule_registration(cx);
        self.start_schedule_message(cx);
        self.start_pull_request_hold(cx);
        self.start_offset_flush(cx);
        self.start_client_scan(cx);
        self.start_slave(cx);
    }

    /// The process ends. Every connection closes; what was only in memory is gone.
    ///
    /// Emits `BrokerStopped`. Follows `BrokerController.shutdown` and, for a kill, spec 00.4.
    pub fn stop(&mut self, how: BrokerStop, cx: &mut Context<'_>) {
        assert!(self.is_up, "a broker that does not run is not stopped");
        match how {
            BrokerStop::Graceful => {
                self.persisted_offset = self.consumer_offset.clone();
                self.schedule_message.persist();
            }
            BrokerStop::Kill { lost_tail } => self.lose_tail(lost_tail),
        }
        self.is_up = false;
        cx.emit(EventKind::BrokerStopped { broker: self.index, how });
        let causes = cx.causes();
        let open = std::mem::take(&mut self.channels.open);
        for (connection, channel) in open {
            self.channels.closed.insert(connection);
            cx.set_causes(causes);
            cx.send_closed(connection, channel.machine);
        }
        cx.set_causes(causes);
        self.close_name_server(cx);
        cx.set_causes(causes);
        self.close_master(cx);
        self.forget();
    }

    /// Drops everything that lives in memory only.
    fn forget(&mut self) {
        self.consumer_offset = self.persisted_offset.clone();
        self.is_offset_flush_scheduled = false;
        self.reput.is_scheduled = false;
        self.pull_request_hold = PullRequestHold::default();
        self.schedule_message.forget();
        self.client_manage = ConsumerManager::default();
        self.rebalance_lock = RebalanceLockTable::default();
        self.slow_appends = VecDeque::new();
        self.ha_slaves = BTreeMap::new();
        self.channels.master = None;
        self.pending_reset = BTreeMap::new();
    }

    /// Loses the last records of the commit log, which were not flushed, and their consume queue
    /// entries.
    fn lose_tail(&mut self, count: u32) {
        let keep = self.commit_log.record_count().saturating_sub(count as usize);
        let mut cut = BTreeSet::new();
        for index in (keep..self.commit_log.record_count()).rev() {
            let Some(record) = self.commit_log.get(index) else { continue };
            let key = (record.topic.clone(), record.queue_id);
            // From the last one back, so the smallest offset of each queue stays.
            self.topic_queue_table.insert(key.clone(), record.queue_offset);
            cut.insert(key);
        }
        for key in cut {
            let offset = self.topic_queue_table[&key];
            if let Some(queue) = self.consume_queues.get_mut(&key)
                && offset < queue.max_offset()
            {
                queue.truncate_from(offset);
            }
            self.schedule_message.lose_from(&key.0, key.1, offset);
        }
        self.commit_log.lose_tail(count as usize);
        let dispatched = self.reput_from.min(keep as u64);
        self.reput.stored_events.truncate((keep as u64 - dispatched) as usize);
        self.reput_from = dispatched;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::config::BrokerConfig;
    use crate::model::profile::Profile;
    use crate::sim::broker::bench::{Bench, message, pull, setup};
    use crate::sim::packet::{Machine, Payload, Request};

    #[test]
    fn at_the_start_everything_of_the_setup_is_there() {
        let broker = Bench::new(Profile::V49).broker;
        let topics: Vec<_> = broker
            .topic_config
            .iter()
            .map(|(topic, config)| (topic.to_string(), config.read_queue_nums))
            .collect();
        let expected = [("%RETRY%G", 1), ("SCHEDULE_TOPIC_XXXX", 18), ("T", 4), ("TBW102", 8)];
        assert_eq!(topics, expected.map(|(topic, queues)| (topic.to_owned(), queues)));
        assert_eq!(broker.registration().topics.len(), 4);
    }

    #[test]
    fn a_brand_new_group_has_no_retry_topic_and_a_slave_knows_its_master() {
        let mut with_slave = setup(Profile::V49);
        with_slave.groups[0].preexisting = false;
        with_slave.brokers.push(BrokerSpec {
            name: "broker-a".into(),
            broker_id: 1,
            config: BrokerConfig::defaults(Profile::V49),
        });
        let slave = Broker::new(BrokerIndex(1), &with_slave.brokers[1], &with_slave);
        assert_eq!(slave.master, Some(BrokerIndex(0)));
        assert!(!slave.topic_config.contains_key(&"%RETRY%G".into()));
        assert!(slave.subscription_groups.contains_key(&"G".into()));
    }

    #[test]
    fn a_stop_closes_every_connection_and_forgets_what_was_in_memory_only() {
        for how in [BrokerStop::Graceful, BrokerStop::Kill { lost_tail: 0 }] {
            let mut bench = Bench::new(Profile::V49);
            bench.heartbeat(1, "*", 1);
            bench.pull(1, pull(0));
            bench.stop(how);
            bench.run_until(60_000);
            let closed: Vec<_> = bench
                .sent
                .iter()
                .filter(|(_, packet)| packet.payload == Payload::ConnectionClosed)
                .map(|(_, packet)| packet.to)
                .collect();
            let client = Machine::Client(crate::model::ids::ProcessIndex(1));
            assert_eq!(closed, [client, Machine::NameServer(0)]);
            assert!(bench.broker.pull_request_hold.is_empty());
            assert!(bench.broker.client_manage.groups.is_empty());
            assert!(!bench.broker.is_up);
        }
    }

    #[test]
    fn a_broker_that_starts_again_keeps_its_messages_and_registers_at_once() {
        let mut bench = Bench::new(Profile::V49);
        bench.send(None);
        bench.stop(BrokerStop::Kill { lost_tail: 0 });
        let before = bench.sent.len();
        bench.start();
        bench.run_until(10);
        let registered = |packet: &crate::sim::packet::Packet| {
            matches!(&packet.payload, Payload::Request { request: Request::RegisterBroker(_), .. })
        };
        assert!(bench.sent[before..].iter().any(|(_, packet)| registered(packet)));
        bench.heartbeat(1, "*", 1);
        let call = bench.pull(1, pull(0));
        assert_eq!(bench.pulled(call).expect("answered").1.found.len(), 1);
    }

    #[test]
    fn timers_of_an_earlier_life_are_void_and_their_grids_begin_anew() {
        let mut bench = Bench::new(Profile::V49);
        bench.heartbeat(1, "*", 1);
        bench.pull(1, pull(0));
        bench.run_until(1_700);
        bench.stop(BrokerStop::Graceful);
        bench.start();
        bench.heartbeat(1, "*", 1);
        let call = bench.pull(1, pull(0));
        bench.run_until(60_000);
        let answer = bench.sent.iter().find(|(_, packet)| packet.call == call).expect("answered");
        assert_eq!(answer.0, Millis::new(16_700), "15 s after the second start");
        assert_eq!(
            bench
                .sent
                .iter()
                .filter(|(_, p)| matches!(
                    &p.payload,
                    Payload::Request { request: Request::RegisterBroker(_), .. }
                ))
                .map(|(at, _)| at.ms())
                .collect::<Vec<_>>(),
            [1_700, 11_700, 41_700]
        );
    }

    #[test]
    fn an_append_that_a_slow_store_held_back_is_lost_with_the_process() {
        let mut bench = Bench::new(Profile::V49);
        bench.broker.slow_store(Millis::new(500));
        let call = bench.send_now(message("T", 0, None));
        bench.run_until(100);
        bench.stop(BrokerStop::Graceful);
        bench.start();
        bench.run_until(5_000);
        assert_eq!(bench.response(call), None);
        assert!(bench.stored().is_empty());
    }
}
