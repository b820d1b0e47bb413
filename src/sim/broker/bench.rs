//! A bench for the broker's unit tests: one broker on an engine of its own; whatever it sends to others
//! is kept for the test to look at.

use std::rc::Rc;

use super::Broker;
use crate::model::config::{BrokerConfig, BrokerSpec, MessageModel, SubscriptionGroupConfig};
use crate::model::ids::{
    BrokerIndex, CallId, ClientId, ConnectionId, ProcessIndex, QueueId, Tag, TopicName, UniqueKey,
};
use crate::model::message::{MessageBody, NewMessage, Properties, StoredMessage};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::{PhysicalOffset, QueueOffset};
use crate::model::profile::Profile;
use crate::model::rules::Rules;
use crate::model::subscription::SubscriptionData;
use crate::model::time::Millis;
use crate::model::topic::TopicConfig;
use crate::sim::command::BrokerStop;
use crate::sim::engine::{Context, Engine, Running};
use crate::sim::event::{Actor, Causes, Event, EventKind, Trigger};
use crate::sim::network::Network;
use crate::sim::packet::{
    ConsumerData, Machine, Packet, Payload, PullAnswer, PullRequestHeader, Request, Response,
    ResponseBody, ResponseCode,
};
use crate::sim::setup::{GroupSetup, Setup, TieBreak, TopicSetup};
use crate::sim::task::Task;

pub struct Bench {
    pub engine: Engine,
    pub network: Network,
    pub broker: Broker,
    /// What arrived at other machines, with the time of arrival.
    pub sent: Vec<(Millis, Packet)>,
    requests: u64,
}

/// Topic `T` with four queues and the group `G`, which existed before, on `broker-a`.
pub fn setup(profile: Profile) -> Setup {
    let mut setup = Setup::empty(profile);
    setup.brokers.push(BrokerSpec {
        name: "broker-a".into(),
        broker_id: 0,
        config: BrokerConfig::defaults(profile),
    });
    setup.topics.push(TopicSetup {
        topic: "T".into(),
        broker_name: "broker-a".into(),
        config: TopicConfig::read_write(4),
    });
    setup.groups.push(GroupSetup {
        group: "G".into(),
        config: SubscriptionGroupConfig::default(),
        preexisting: true,
    });
    setup
}

impl Bench {
    pub fn new(profile: Profile) -> Bench {
        Bench::of(&setup(profile))
    }

    pub fn of(setup: &Setup) -> Bench {
        let rules = Rules::of(setup.profile);
        let mut bench = Bench {
            engine: Engine::new(setup.profile, rules, 1, TieBreak::Fifo),
            network: Network::new(Millis::ZERO),
            broker: Broker::new(BrokerIndex(0), &setup.brokers[0], setup),
            sent: Vec::new(),
            requests: 0,
        };
        bench.act(|broker, cx| broker.start(cx));
        bench
    }

    /// Something from outside happens now: an event of its own, then `action`.
    pub fn act<T>(&mut self, action: impl FnOnce(&mut Broker, &mut Context<'_>) -> T) -> T {
        self.engine.running = Running::default();
        self.engine.counters.task += 1;
        self.engine.emit(EventKind::CommandApplied { index: 0 });
        let me = Machine::Broker(BrokerIndex(0));
        self.engine.running.actor = Actor::Machine(me);
        let mut cx = Context { engine: &mut self.engine, network: &mut self.network, me };
        action(&mut self.broker, &mut cx)
    }

    /// Runs everything up to and including a moment, in ms.
    pub fn run_until(&mut self, ms: u64) {
        let until = Millis::new(ms);
        assert!(until >= self.engine.now, "time goes forward");
        while self.engine.agenda.next_at().is_some_and(|at| at <= until) {
            let entry = self.engine.agenda.pop().expect("there is a next one");
            self.engine.now = entry.at;
            self.engine.counters.task += 1;
            let me = Machine::Broker(BrokerIndex(0));
            self.engine.running = Running::new(Actor::Machine(me), entry.trigger(), entry.causes);
            let mut cx = Context { engine: &mut self.engine, network: &mut self.network, me };
            match entry.task {
                Task::Deliver(packet) if packet.to == me => self.broker.receive(*packet, &mut cx),
                Task::Deliver(packet) => self.sent.push((entry.at, *packet)),
                Task::Broker { life, task, .. } if life == self.broker.life => {
                    self.broker.run(task, &mut cx);
                }
                _ => {}
            }
        }
        self.engine.now = until;
    }

    pub fn stop(&mut self, how: BrokerStop) {
        self.act(|broker, cx| broker.stop(how, cx));
    }

    pub fn start(&mut self) {
        self.act(|broker, cx| broker.start(cx));
    }

    /// A request of client number `client`, over its one connection in this life of the broker, arrives
    /// now.
    pub fn request(&mut self, client: u32, request: Request) -> CallId {
        self.requests += 1;
        let call = CallId(1_000_000 + self.requests);
        self.arrive(client, call, Payload::Request { request, oneway: false });
        call
    }

    pub fn pull(&mut self, client: u32, header: PullRequestHeader) -> CallId {
        self.request(client, Request::PullMessage(header))
    }

    pub fn close(&mut self, client: u32) {
        self.arrive(client, CallId(0), Payload::ConnectionClosed);
    }

    fn arrive(&mut self, client: u32, call: CallId, payload: Payload) {
        let from = Machine::Client(ProcessIndex(client));
        let connection = ConnectionId(1_000 * self.broker.life + client);
        let to = Machine::Broker(BrokerIndex(0));
        let packet = Packet::new(call, connection, from, to, payload);
        self.act(|broker, cx| {
            cx.engine.running.trigger = Trigger::Packet;
            broker.receive(packet, cx);
        });
    }

    /// The answer to a call, if it was given by now.
    pub fn response(&mut self, call: CallId) -> Option<Response> {
        let now = self.engine.now.ms();
        self.run_until(now);
        self.sent.iter().find(|(_, packet)| packet.call == call).map(|(_, packet)| {
            match &packet.payload {
                Payload::Response(response) => response.clone(),
                other => panic!("a call was answered with {other:?}"),
            }
        })
    }

    pub fn code(&mut self, call: CallId) -> Option<ResponseCode> {
        self.response(call).map(|response| response.code)
    }

    /// A request and its immediate answer.
    pub fn ask(&mut self, client: u32, request: Request) -> Response {
        let call = self.request(client, request);
        self.response(call).expect("answered at once")
    }

    /// The answer of a pull.
    pub fn pulled(&mut self, call: CallId) -> Option<(ResponseCode, PullAnswer)> {
        let response = self.response(call)?;
        match response.body {
            ResponseBody::Pulled(answer) => Some((response.code, answer)),
            other => panic!("{:?} {other:?}", response.code),
        }
    }

    /// Client `client` (id `C1`, `C2`, …) subscribes `G` to `T` with an expression, at a version.
    pub fn heartbeat(&mut self, client: u32, expression: &str, sub_version: u64) {
        let request = heartbeat_of(client, &[("T", expression)], sub_version);
        assert_eq!(self.ask(client, request).code, ResponseCode::Success);
    }

    /// Sends to queue 0 of `T`, and waits for the consume queue.
    pub fn send(&mut self, tag: Option<&str>) -> Rc<StoredMessage> {
        self.send_now(message("T", 0, tag));
        let now = self.engine.now.ms();
        self.run_until(now + 1);
        self.stored().pop().expect("it was stored")
    }

    pub fn send_now(&mut self, message: NewMessage) -> CallId {
        self.request(90, send(message))
    }

    /// All records, in the order of their appends.
    pub fn stored(&self) -> Vec<Rc<StoredMessage>> {
        self.broker.commit_log.iter().cloned().collect()
    }

    /// Where the records are: topic and queue.
    pub fn places(&self) -> Vec<String> {
        self.stored()
            .iter()
            .map(|record| format!("{}/{}@{}", record.topic, record.queue_id, record.stored_at.ms()))
            .collect()
    }

    pub fn events(&self, is_wanted: impl Fn(&EventKind) -> bool) -> Vec<&Event> {
        self.engine.events.iter().filter(|event| is_wanted(&event.kind)).collect()
    }

    /// How many events are of a kind.
    pub fn count(&self, is_wanted: impl Fn(&EventKind) -> bool) -> usize {
        self.events(is_wanted).len()
    }

    /// The kinds of the events that directly caused one.
    pub fn causes_of(&self, event: &Event) -> Vec<&EventKind> {
        let causes: Causes = event.causes;
        causes.as_slice().iter().map(|at| &self.engine.events[*at as usize].kind).collect()
    }

    /// NOTIFY_CONSUMER_IDS_CHANGED so far: times and clients.
    pub fn notified(&mut self) -> Vec<(u64, u32)> {
        let now = self.engine.now.ms();
        self.run_until(now);
        let is_notice = |payload: &Payload| {
            let notice =
                |request: &Request| matches!(request, Request::NotifyConsumerIdsChanged { .. });
            matches!(payload, Payload::Request { request, .. } if notice(request))
        };
        self.sent
            .iter()
            .filter(|(_, packet)| is_notice(&packet.payload))
            .map(|(at, packet)| match packet.to {
                Machine::Client(process) => (at.ms(), process.0),
                other => panic!("a notice to {other:?}"),
            })
            .collect()
    }
}

pub fn heartbeat_of(client: u32, topics: &[(&str, &str)], sub_version: u64) -> Request {
    let subscribe = |(topic, expression): &(&str, &str)| {
        let topic = TopicName::from(*topic);
        let parsed = SubscriptionData::parse(&topic, expression, sub_version);
        (topic, parsed.expect("a good expression"))
    };
    Request::HeartBeat {
        client_id: ClientId::new(format!("C{client}")),
        consumers: vec![ConsumerData {
            group: "G".into(),
            message_model: MessageModel::Clustering,
            subscriptions: topics.iter().map(subscribe).collect(),
        }],
        producers: Vec::new(),
    }
}

pub fn message(topic: &str, queue_id: u32, tag: Option<&str>) -> NewMessage {
    NewMessage {
        body: Rc::new(MessageBody {
            unique_key: UniqueKey(1),
            key: None,
            tag: tag.map(Tag::from),
            body_bytes: 100,
            born_at: Millis::ZERO,
            script: None,
        }),
        topic: topic.into(),
        queue_id: QueueId(queue_id),
        reconsume_times: 0,
        properties: Properties::default(),
    }
}

pub fn delayed(level: i32) -> NewMessage {
    let mut message = message("T", 0, None);
    message.properties.delay = Some(level);
    message
}

pub fn send(message: NewMessage) -> Request {
    Request::SendMessage {
        producer_group: "P".into(),
        message,
        reconsume_times: None,
        max_reconsume_times: None,
        default_topic_queue_nums: 4,
    }
}

/// A pull of queue 0 of `T` as a push consumer sends it.
pub fn pull(offset: i64) -> PullRequestHeader {
    PullRequestHeader {
        group: "G".into(),
        topic: "T".into(),
        queue_id: QueueId(0),
        queue_offset: QueueOffset(offset),
        max_msg_nums: 32,
        commits_offset: false,
        may_suspend: true,
        subscription: None,
        commit_offset: QueueOffset::NONE,
        suspend_timeout: Millis::new(15_000),
        sub_version: 0,
    }
}

pub fn send_back(physical_offset: PhysicalOffset, delay_level: i32, max: i32) -> Request {
    Request::ConsumerSendMsgBack {
        group: "G".into(),
        origin_topic: "T".into(),
        physical_offset,
        delay_level,
        max_reconsume_times: max,
    }
}

pub fn queue(id: u32) -> MessageQueue {
    MessageQueue::new("T".into(), "broker-a".into(), QueueId(id))
}
