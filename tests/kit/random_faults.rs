//! What breaks in a random run, and how it is mended: everything is whole again by `BUSY_UNTIL`.

use proptest::prelude::*;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::Permission;
use rocketmq_playground::sim::apply::DEFAULT_PRODUCER;
use rocketmq_playground::sim::command::{BrokerStop, Command, Party};
use rocketmq_playground::sim::packet::RequestCode;

use super::{BUSY_UNTIL, Plan};

/// Consumers, brokers and topics are numbers that wrap around.
#[derive(Clone, Debug)]
pub enum FaultPlan {
    Crash {
        consumer: u32,
    },
    /// Another process of the same client id, or of a new one, comes after a while.
    Restart {
        consumer: u32,
        is_renamed: bool,
        ms: u64,
    },
    LoseHost {
        consumer: u32,
    },
    FreezeClient {
        consumer: u32,
        ms: u64,
    },
    FreezeBroker {
        broker: u32,
        ms: u64,
    },
    StopBroker {
        broker: u32,
        is_killed: bool,
        lost_tail: u32,
        ms: u64,
    },
    Partition {
        consumer: u32,
        broker: u32,
        is_one_way: bool,
        ms: u64,
    },
    CutNameServer {
        consumer: u32,
        ms: u64,
    },
    Latency {
        consumer: u32,
        broker: u32,
        from: u64,
        to: u64,
        ms: u64,
    },
    Drop {
        consumer: u32,
        broker: u32,
        code: usize,
        count: u32,
        only_response: bool,
    },
    DropNotices {
        consumer: u32,
        broker: u32,
        count: u32,
    },
    /// Not among the faults of [`fault`]: they have a kind of runs of their own.
    Double {
        link: LinkPlan,
        later: u64,
        more: u64,
    },
    Reorder {
        link: LinkPlan,
        at_most: u64,
    },
    HalfOpen {
        consumer: u32,
    },
    SkipHeartbeat {
        consumer: u32,
    },
    Pause {
        consumer: u32,
        ms: u64,
    },
    Resubscribe {
        consumer: u32,
        topic: u32,
        ms: u64,
    },
    Skew {
        consumer: u32,
        by_ms: i64,
        ms: u64,
    },
    SlowStore {
        broker: u32,
        by: u64,
        ms: u64,
    },
    NameServer {
        ms: u64,
    },
    NotWritable {
        broker: u32,
        ms: u64,
    },
    AddQueues {
        topic: u32,
        more: u32,
    },
    SetOffset {
        consumer: u32,
        topic: u32,
        broker: u32,
        offset: i64,
    },
    Reset {
        consumer: u32,
        topic: u32,
        timestamp: i64,
    },
}

/// The next `count` messages between a client and a broker.
#[derive(Clone, Copy, Debug)]
pub struct LinkPlan {
    /// Of the producer, or of the broker's own requests, or of a consumer.
    pub side: u32,
    pub consumer: u32,
    pub broker: u32,
    pub code: Option<RequestCode>,
    pub count: u32,
    pub only_response: bool,
}

/// Something that one TCP connection would not do, and its moment.
pub fn bend() -> impl Strategy<Value = (u64, FaultPlan)> {
    use RequestCode as R;
    const OFTEN: [RequestCode; 8] = [
        R::PullMessage,
        R::UpdateConsumerOffset,
        R::ConsumerSendMsgBack,
        R::QueryConsumerOffset,
        R::HeartBeat,
        R::GetConsumerListByGroup,
        R::LockBatchMq,
        R::UnlockBatchMq,
    ];
    let codes = prop_oneof![
        4 => Just(None),
        4 => (0..OFTEN.len()).prop_map(|at| Some(OFTEN[at])),
        1 => (0..RequestCode::ALL.len()).prop_map(|at| Some(RequestCode::ALL[at])),
    ];
    let link = (0..8u32, 0..6u32, 0..2u32, codes, 1..40u32, prop::bool::weighted(0.3)).prop_map(
        |(side, consumer, broker, code, count, only_response)| LinkPlan {
            side,
            consumer,
            broker,
            code,
            count,
            only_response,
        },
    );
    let spans = || prop_oneof![2 => 0..5u64, 3 => 5..300u64, 2 => 300..30_000u64];
    let plan = (any::<bool>(), link, spans(), spans()).prop_map(|(is_double, link, span, more)| {
        match is_double {
            true => FaultPlan::Double { link, later: span, more },
            false => FaultPlan::Reorder { link, at_most: span },
        }
    });
    (0..80_000u64, plan)
}

fn of_clients() -> impl Strategy<Value = FaultPlan> {
    let lasts = || prop_oneof![1..5_000u64, 5_000..40_000u64];
    let consumer = || 0..6u32;
    prop_oneof![
        3 => consumer().prop_map(|consumer| FaultPlan::Crash { consumer }),
        3 => (consumer(), any::<bool>(), lasts())
            .prop_map(|(consumer, is_renamed, ms)| FaultPlan::Restart { consumer, is_renamed, ms }),
        1 => consumer().prop_map(|consumer| FaultPlan::LoseHost { consumer }),
        2 => (consumer(), lasts())
            .prop_map(|(consumer, ms)| FaultPlan::FreezeClient { consumer, ms }),
        1 => consumer().prop_map(|consumer| FaultPlan::HalfOpen { consumer }),
        1 => consumer().prop_map(|consumer| FaultPlan::SkipHeartbeat { consumer }),
        1 => (consumer(), lasts()).prop_map(|(consumer, ms)| FaultPlan::Pause { consumer, ms }),
        1 => (consumer(), 0..2u32, lasts())
            .prop_map(|(consumer, topic, ms)| FaultPlan::Resubscribe { consumer, topic, ms }),
        1 => (consumer(), -50_000..50_000i64, lasts())
            .prop_map(|(consumer, by_ms, ms)| FaultPlan::Skew { consumer, by_ms, ms }),
    ]
}

fn of_links() -> impl Strategy<Value = FaultPlan> {
    let lasts = || prop_oneof![1..5_000u64, 5_000..40_000u64];
    let (consumer, broker) = (|| 0..6u32, || 0..2u32);
    prop_oneof![
        2 => (consumer(), broker(), any::<bool>(), lasts()).prop_map(
            |(consumer, broker, is_one_way, ms)| FaultPlan::Partition {
                consumer,
                broker,
                is_one_way,
                ms
            }
        ),
        1 => (consumer(), lasts())
            .prop_map(|(consumer, ms)| FaultPlan::CutNameServer { consumer, ms }),
        1 => (consumer(), broker(), 0..10u64, 0..2_000u64, lasts()).prop_map(
            |(consumer, broker, from, more, ms)| FaultPlan::Latency {
                consumer,
                broker,
                from,
                to: from + more,
                ms
            }
        ),
        3 => (consumer(), broker(), 0..RequestCode::ALL.len(), 1..4u32, any::<bool>()).prop_map(
            |(consumer, broker, code, count, only_response)| FaultPlan::Drop {
                consumer,
                broker,
                code,
                count,
                only_response
            }
        ),
        1 => (consumer(), broker(), 1..4u32).prop_map(|(consumer, broker, count)| {
            FaultPlan::DropNotices { consumer, broker, count }
        }),
    ]
}

fn of_brokers() -> impl Strategy<Value = FaultPlan> {
    let lasts = || prop_oneof![1..5_000u64, 5_000..40_000u64];
    let broker = || 0..2u32;
    prop_oneof![
        2 => (broker(), lasts())
            .prop_map(|(broker, ms)| FaultPlan::FreezeBroker { broker, ms }),
        2 => (broker(), any::<bool>(), prop_oneof![4 => Just(0), 1 => 1..5u32], lasts()).prop_map(
            |(broker, is_killed, lost_tail, ms)| FaultPlan::StopBroker {
                broker,
                is_killed,
                lost_tail,
                ms
            }
        ),
        1 => (broker(), 1..4_000u64, lasts())
            .prop_map(|(broker, by, ms)| FaultPlan::SlowStore { broker, by, ms }),
        1 => lasts().prop_map(|ms| FaultPlan::NameServer { ms }),
        1 => (broker(), lasts()).prop_map(|(broker, ms)| FaultPlan::NotWritable { broker, ms }),
        1 => (0..2u32, 1..4u32).prop_map(|(topic, more)| FaultPlan::AddQueues { topic, more }),
        1 => (0..6u32, 0..2u32, broker(), 0..200i64).prop_map(
            |(consumer, topic, broker, offset)| FaultPlan::SetOffset {
                consumer,
                topic,
                broker,
                offset
            }
        ),
        1 => (0..6u32, 0..2u32, -1..80_000i64).prop_map(|(consumer, topic, timestamp)| {
            FaultPlan::Reset { consumer, topic, timestamp }
        }),
    ]
}

/// A fault and its moment, in ms.
pub fn fault() -> impl Strategy<Value = (u64, FaultPlan)> {
    (0..80_000u64, prop_oneof![12 => of_clients(), 8 => of_links(), 9 => of_brokers()])
}

type Script = Vec<(Millis, Command)>;

impl Plan {
    /// Breaks something at a moment, and mends it.
    pub fn break_it(&self, at: u64, fault: &FaultPlan, script: &mut Script) {
        let end = |ms: u64| Millis((at + ms).min(BUSY_UNTIL));
        let at = Millis(at);
        self.break_client(at, &end, fault, script);
        self.break_link(at, &end, fault, script);
        self.break_broker(at, &end, fault, script);
        self.operate(at, fault, script);
    }

    fn break_client(
        &self,
        at: Millis,
        end: &dyn Fn(u64) -> Millis,
        fault: &FaultPlan,
        script: &mut Script,
    ) {
        match *fault {
            FaultPlan::Crash { consumer } => {
                script.push((at, Command::CrashConsumer { client_id: self.client_id(consumer) }));
            }
            FaultPlan::Restart { consumer, is_renamed, ms } => {
                let client_id = self.client_id(consumer);
                script.push((at, Command::CrashConsumer { client_id: client_id.clone() }));
                let Command::StartConsumer(mut spec) = self.start(self.wrapped(consumer)) else {
                    return;
                };
                if is_renamed {
                    spec.client_id = format!("{client_id}-new").as_str().into();
                }
                script.push((end(ms), Command::StartConsumer(spec)));
            }
            FaultPlan::LoseHost { consumer } => {
                script.push((at, Command::LoseHost { client_id: self.client_id(consumer) }));
            }
            FaultPlan::FreezeClient { consumer, ms } => {
                let (client_id, duration) = (self.client_id(consumer), Some(end(ms) - at));
                script.push((at, Command::FreezeClient { client_id, duration }));
            }
            FaultPlan::HalfOpen { consumer } => {
                let client_id = self.client_id(consumer);
                script.push((at, Command::HalfOpenReconnect { client_id }));
            }
            FaultPlan::SkipHeartbeat { consumer } => {
                script.push((at, Command::SkipHeartbeat { client_id: self.client_id(consumer) }));
            }
            FaultPlan::Pause { consumer, ms } => {
                let client_id = self.client_id(consumer);
                script.push((at, Command::PausePulling { client_id: client_id.clone() }));
                script.push((end(ms), Command::ResumePulling { client_id: client_id.clone() }));
                // A frozen client cannot be told; by then every freeze is over.
                let thawed = Millis(BUSY_UNTIL + 1);
                script.push((thawed, Command::ResumePulling { client_id }));
            }
            FaultPlan::Resubscribe { consumer, topic, ms } => {
                let (client_id, topic) = (self.client_id(consumer), self.topic_name(topic));
                let (group, plan) = self.group_of_consumer(consumer);
                if self.topics_of(plan).all(|it| it != topic) {
                    return;
                }
                let expression = plan.expression.to_owned();
                let (id, of, name) = (client_id.clone(), group.clone(), topic.clone());
                script.push((at, Command::Unsubscribe { client_id: id, group: of, topic: name }));
                let again = Command::Subscribe { client_id, group, topic, expression };
                script.push((end(ms), again));
            }
            FaultPlan::Skew { consumer, by_ms, ms } => {
                let client_id = self.client_id(consumer);
                script.push((at, Command::SkewClock { client_id: client_id.clone(), by_ms }));
                script.push((end(ms), Command::SkewClock { client_id, by_ms: 0 }));
            }
            _ => {}
        }
    }

    fn break_link(
        &self,
        at: Millis,
        end: &dyn Fn(u64) -> Millis,
        fault: &FaultPlan,
        script: &mut Script,
    ) {
        let client = |consumer: u32| Party::Client(self.client_id(consumer));
        let broker = |index: u32| Party::Broker(self.broker_name(index));
        match *fault {
            FaultPlan::Partition { consumer, broker: index, is_one_way, ms } => {
                let (a, b) = (client(consumer), broker(index));
                let (c, d) = (a.clone(), b.clone());
                script.push((at, Command::Partition { a, b, one_way: is_one_way }));
                script.push((end(ms), Command::Heal { a: c, b: d }));
            }
            FaultPlan::CutNameServer { consumer, ms } => {
                let (a, b) = (client(consumer), Party::NameServer);
                let (c, d) = (a.clone(), b.clone());
                script.push((at, Command::Partition { a, b, one_way: false }));
                script.push((end(ms), Command::Heal { a: c, b: d }));
            }
            FaultPlan::Latency { consumer, broker: index, from, to, ms } => {
                for (at, from, to) in [(at, from, to), (end(ms), 1, 1)] {
                    let (a, b) = (client(consumer), broker(index));
                    let (from, to) = (Millis(from), Millis(to));
                    script.push((at, Command::SetLatency { a, b, from, to }));
                }
            }
            FaultPlan::Drop { consumer, broker: index, code, count, only_response } => {
                let (from, to) = (client(consumer), broker(index));
                let code = RequestCode::ALL[code];
                script.push((at, Command::DropNext { from, to, code, count, only_response }));
            }
            FaultPlan::DropNotices { consumer, broker: index, count } => {
                let (from, to) = (broker(index), client(consumer));
                let code = RequestCode::NotifyConsumerIdsChanged;
                let only_response = false;
                script.push((at, Command::DropNext { from, to, code, count, only_response }));
            }
            _ => {}
        }
        self.bend_link(at, fault, script);
    }

    fn bend_link(&self, at: Millis, fault: &FaultPlan, script: &mut Script) {
        let (FaultPlan::Double { link, .. } | FaultPlan::Reorder { link, .. }) = *fault else {
            return;
        };
        let LinkPlan { side, consumer, broker, code, count, only_response } = link;
        let broker = Party::Broker(self.broker_name(broker));
        let (from, to) = match side {
            0 => (Party::Client(DEFAULT_PRODUCER.into()), broker),
            1 => (broker, Party::Client(self.client_id(consumer))),
            2 => (Party::Client(self.client_id(consumer)), Party::NameServer),
            _ => (Party::Client(self.client_id(consumer)), broker),
        };
        let command = match *fault {
            FaultPlan::Double { later, more, .. } => Command::DuplicateNext {
                from,
                to,
                code,
                count,
                only_response,
                later: Millis(later),
                later_at_most: Millis(later + more),
            },
            FaultPlan::Reorder { at_most, .. } => {
                let at_most = Millis(at_most);
                Command::ReorderNext { from, to, code, count, only_response, at_most }
            }
            _ => return,
        };
        script.push((at, command));
    }

    fn break_broker(
        &self,
        at: Millis,
        end: &dyn Fn(u64) -> Millis,
        fault: &FaultPlan,
        script: &mut Script,
    ) {
        match *fault {
            FaultPlan::FreezeBroker { broker, ms } => {
                let (broker_name, duration) = (self.broker_name(broker), Some(end(ms) - at));
                script.push((at, Command::FreezeBroker { broker_name, duration }));
            }
            FaultPlan::StopBroker { broker, is_killed, lost_tail, ms } => {
                let broker_name = self.broker_name(broker);
                let how = match is_killed {
                    true => BrokerStop::Kill { lost_tail },
                    false => BrokerStop::Graceful,
                };
                let name = broker_name.clone();
                script.push((at, Command::StopBroker { broker_name, broker_id: 0, how }));
                script.push((end(ms), Command::StartBroker { broker_name: name, broker_id: 0 }));
            }
            FaultPlan::SlowStore { broker, by, ms } => {
                for (at, by) in [(at, by), (end(ms), 0)] {
                    let broker_name = self.broker_name(broker);
                    script.push((at, Command::SlowStore { broker_name, by: Millis(by) }));
                }
            }
            FaultPlan::NameServer { ms } => {
                script.push((at, Command::StopNameServer));
                script.push((end(ms), Command::StartNameServer));
            }
            FaultPlan::NotWritable { broker, ms } => {
                for (at, writable) in [(at, false), (end(ms), true)] {
                    let broker_name = self.broker_name(broker);
                    script.push((at, Command::SetBrokerWritable { broker_name, writable }));
                }
            }
            _ => {}
        }
    }

    /// What an operator does with the admin tools.
    fn operate(&self, at: Millis, fault: &FaultPlan, script: &mut Script) {
        match *fault {
            FaultPlan::AddQueues { topic, more } => {
                let queues = self.topics[topic as usize % self.topics.len()] + more;
                script.push((
                    at,
                    Command::UpdateTopic {
                        topic: self.topic_name(topic),
                        broker_name: None,
                        read_queue_nums: queues,
                        write_queue_nums: queues,
                        permission: Permission::READ_WRITE,
                    },
                ));
            }
            FaultPlan::SetOffset { consumer, topic, broker, offset } => {
                let (group, _) = self.group_of_consumer(consumer);
                script.push((
                    at,
                    Command::SetOffset {
                        group,
                        topic: self.topic_name(topic),
                        broker_name: Some(self.broker_name(broker)),
                        queue_id: Default::default(),
                        offset: rocketmq_playground::model::offset::QueueOffset(offset),
                    },
                ));
            }
            FaultPlan::Reset { consumer, topic, timestamp } => {
                let (group, _) = self.group_of_consumer(consumer);
                let topic = self.topic_name(topic);
                script.push((at, Command::ResetOffset { group, topic, timestamp, force: true }));
            }
            _ => {}
        }
    }
}
