//! A run told as a story: who starts when, what is sent, what breaks — and what came of it.
//!
//! One broker `broker-a`, topic `T`, group `G`, one-way latency 1 ms, all else as RocketMQ has it. Every
//! task of every story is held against the invariants.

use std::collections::BTreeMap;
use std::rc::Rc;

use rocketmq_playground::model::config::{
    BrokerConfig, BrokerSpec, ConsumeFromWhere, ConsumeMode, ConsumerConfig, ConsumerSpec,
    SubscriptionGroupConfig,
};
use rocketmq_playground::model::ids::{BrokerName, ClientId, GroupName, QueueId};
use rocketmq_playground::model::listener::{
    ListenerBehavior, ListenerResult, ListenerScript, ListenerStep,
};
use rocketmq_playground::model::message_queue::MessageQueue;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::TopicConfig;
use rocketmq_playground::sim::Simulation;
use rocketmq_playground::sim::client::consumer::PushConsumer;
use rocketmq_playground::sim::command::{Command, QueueChoice, SendMessages};
use rocketmq_playground::sim::event::{Actor, Event, EventKind};
use rocketmq_playground::sim::invariants::Checker;
use rocketmq_playground::sim::packet::{Machine, RequestCode};
use rocketmq_playground::sim::setup::{GroupSetup, Setup, TopicSetup};

pub const GROUP: &str = "G";
pub const TOPIC: &str = "T";

/// A story still to be told.
#[derive(Clone)]
pub struct Story {
    pub setup: Setup,
    script: Vec<(Millis, Command)>,
    /// Whether the story breaks an invariant on purpose.
    pub is_checked: bool,
}

/// What a listener call began with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub at: u64,
    pub client: String,
    pub topic: String,
    pub queue: u32,
    pub offset: i64,
    pub key: String,
    /// The client's count of failures of this message.
    pub times: i32,
    /// Events up to this one.
    pub sequence: u32,
}

/// A story that was told.
pub struct Told {
    pub simulation: Simulation,
    pub events: Vec<Event>,
    /// The fullest that each window was, by client and queue.
    pub peaks: BTreeMap<(String, String), i64>,
}

impl Story {
    /// Topic `T` with so many queues, and the group, which existed before.
    pub fn new(profile: Profile, queues: u32) -> Story {
        let mut setup = Setup::empty(profile);
        setup.start_up = Millis(20);
        let mut story = Story { setup, script: Vec::new(), is_checked: true };
        story.broker("broker-a");
        story.topic(TOPIC, queues);
        story.setup.groups.push(GroupSetup {
            group: GROUP.into(),
            config: SubscriptionGroupConfig::default(),
            preexisting: true,
        });
        story
    }

    /// The group has never been there.
    pub fn brand_new(mut self) -> Story {
        self.setup.groups.clear();
        self
    }

    pub fn profile(&self) -> Profile {
        self.setup.profile
    }

    pub fn broker(&mut self, name: &str) {
        let config = BrokerConfig::defaults(self.setup.profile);
        self.setup.brokers.push(BrokerSpec { name: name.into(), broker_id: 0, config });
    }

    /// A topic on every broker that is there by now.
    pub fn topic(&mut self, topic: &str, queues: u32) {
        for broker in &self.setup.brokers {
            self.setup.topics.push(TopicSetup {
                topic: topic.into(),
                broker_name: broker.name.clone(),
                config: TopicConfig::read_write(queues),
            });
        }
    }

    pub fn at(&mut self, at: u64, command: Command) {
        self.script.push((Millis(at), command));
    }

    /// A consumer of `G` on `T` that begins at the first offset.
    pub fn consumer(&mut self, at: u64, client_id: &str) {
        self.consumer_with(at, client_id, |_| {});
    }

    pub fn consumer_with(&mut self, at: u64, id: &str, change: impl FnOnce(&mut ConsumerSpec)) {
        let mut config = ConsumerConfig::defaults(self.profile());
        config.consume_from_where = ConsumeFromWhere::FirstOffset;
        let mut spec = ConsumerSpec {
            client_id: id.into(),
            group: GROUP.into(),
            process: None,
            subscriptions: vec![(TOPIC.into(), "*".into())],
            config,
            listener: ListenerBehavior::default(),
        };
        change(&mut spec);
        self.at(at, Command::StartConsumer(Box::new(spec)));
    }

    pub fn orderly(&mut self, at: u64, client_id: &str) {
        self.consumer_with(at, client_id, |spec| {
            spec.config.consume_mode = ConsumeMode::Orderly;
        });
    }

    /// `count` messages to one queue, all at once: `key` counts on.
    pub fn send(&mut self, at: u64, queue: u32, key: &str, count: u32) {
        self.send_with(at, queue, key, count, |_| {});
    }

    pub fn send_with(
        &mut self,
        at: u64,
        queue: u32,
        key: &str,
        count: u32,
        change: impl FnOnce(&mut SendMessages),
    ) {
        let mut send = SendMessages::one(TOPIC.into());
        send.queue = QueueChoice::Fixed { broker_name: None, queue_id: QueueId(queue) };
        send.key = Some(key.into());
        send.count = count;
        change(&mut send);
        self.at(at, Command::SendMessages(send));
    }

    /// Tells the story up to a moment, in ms.
    pub fn tell(&self, until: u64) -> Told {
        let mut simulation = Simulation::new(&self.setup);
        simulation.script(self.script.iter().cloned());
        let mut told =
            Told { simulation: simulation.clone(), events: Vec::new(), peaks: BTreeMap::new() };
        let mut checker = Checker::new(&simulation);
        while simulation.next_at().is_some_and(|at| at <= Millis(until)) {
            simulation.step();
            let events = simulation.take_events();
            if self.is_checked {
                let violations = checker.after_task(&simulation, &events);
                assert_eq!(violations, [], "{:?}", self.profile());
            }
            told.note_peaks(&simulation, &events);
            told.events.extend(events);
        }
        simulation.run_until(Millis(until), rocketmq_playground::sim::TaskBudget::UNLIMITED);
        told.simulation = simulation;
        told
    }
}

/// A listener that takes so long for every message.
pub fn pausing(ms: u64) -> ListenerBehavior {
    ListenerBehavior { pause: Millis(ms), ..ListenerBehavior::default() }
}

pub fn takes(ms: u64) -> Option<Rc<ListenerScript>> {
    Some(Rc::new(ListenerScript::always(ListenerStep::ok().taking(Millis(ms)))))
}

pub fn never() -> Option<Rc<ListenerScript>> {
    let step = ListenerStep { result: ListenerResult::Never, ..ListenerStep::ok() };
    Some(Rc::new(ListenerScript::always(step)))
}

pub fn always(step: ListenerStep) -> Option<Rc<ListenerScript>> {
    Some(Rc::new(ListenerScript::always(step)))
}

pub fn fails(times: u32) -> Option<Rc<ListenerScript>> {
    Some(Rc::new(ListenerScript::fails_times(times)))
}

pub fn stop(client_id: &str) -> Command {
    Command::StopConsumer { client_id: client_id.into(), group: None }
}

pub fn crash(client_id: &str) -> Command {
    Command::CrashConsumer { client_id: client_id.into() }
}

pub fn queue(id: u32) -> MessageQueue {
    MessageQueue::new(TOPIC.into(), "broker-a".into(), QueueId(id))
}

impl Told {
    fn note_peaks(&mut self, simulation: &Simulation, events: &[Event]) {
        for event in events {
            let EventKind::MessagesCached { group, queue, .. } = &event.kind else { continue };
            let Actor::Machine(Machine::Client(process)) = event.actor else { continue };
            let client = simulation.world().client(process);
            let shelf = client.consumers.get(group).and_then(|consumer| consumer.shelf(queue));
            let count = shelf.map_or(0, |shelf| shelf.window.message_count());
            let key = (client.client_id.to_string(), format!("{}/{}", queue.topic, queue.queue_id));
            let peak = self.peaks.entry(key).or_default();
            *peak = count.max(*peak);
        }
    }

    pub fn name_of(&self, actor: Actor) -> String {
        match actor {
            Actor::Person => "person".to_owned(),
            Actor::Machine(machine) => self.simulation.world().machine_name(machine),
        }
    }

    /// Every listener call, message by message.
    pub fn calls(&self) -> Vec<Call> {
        let mut calls = Vec::new();
        for event in &self.events {
            let EventKind::ConsumeStarted { message, reconsume_times, .. } = &event.kind else {
                continue;
            };
            calls.push(Call {
                at: event.at.ms(),
                client: self.name_of(event.actor),
                topic: message.topic.to_string(),
                queue: message.queue_id.0,
                offset: message.queue_offset.0,
                key: message.body.key.as_ref().map(ToString::to_string).unwrap_or_default(),
                times: *reconsume_times,
                sequence: event.sequence,
            });
        }
        calls
    }

    pub fn calls_of(&self, key: &str) -> Vec<Call> {
        self.calls().into_iter().filter(|call| call.key == key).collect()
    }

    /// When the listener was called with this message.
    pub fn times_of(&self, key: &str) -> Vec<u64> {
        self.calls_of(key).iter().map(|call| call.at).collect()
    }

    /// The calls of one client, from a moment on.
    pub fn calls_by(&self, client: &str, from: u64) -> Vec<Call> {
        let is_it = |call: &Call| call.client == client && call.at >= from;
        self.calls().into_iter().filter(is_it).collect()
    }

    pub fn events_of(&self, is_it: impl Fn(&EventKind) -> bool) -> Vec<&Event> {
        self.events.iter().filter(|event| is_it(&event.kind)).collect()
    }

    pub fn count(&self, is_it: impl Fn(&EventKind) -> bool) -> usize {
        self.events_of(is_it).len()
    }

    /// When something happened for the first time.
    pub fn first(&self, is_it: impl Fn(&EventKind) -> bool) -> Option<u64> {
        self.events.iter().find(|event| is_it(&event.kind)).map(|event| event.at.ms())
    }

    /// Requests of a code that one machine sent: when.
    pub fn requests(&self, from: &str, code: RequestCode) -> Vec<u64> {
        let is_it = |event: &&Event| {
            matches!(event.kind, EventKind::RequestSent { code: sent, .. } if sent == code)
                && self.name_of(event.actor) == from
        };
        self.events.iter().filter(is_it).map(|event| event.at.ms()).collect()
    }

    /// The offset that the broker has of the group.
    pub fn committed(&self, queue: &MessageQueue) -> Option<i64> {
        let world = self.simulation.world();
        let broker = world.broker_named(&queue.broker_name, 0)?;
        let offsets = &world.broker(broker).consumer_offset;
        offsets.query_offset(&GROUP.into(), &queue.topic, queue.queue_id).map(|offset| offset.0)
    }

    pub fn consumer(&self, client_id: &str) -> &PushConsumer {
        self.consumer_of(client_id, GROUP)
    }

    pub fn consumer_of(&self, client_id: &str, group: &str) -> &PushConsumer {
        let world = self.simulation.world();
        let process = world.live_client(&ClientId::new(client_id)).expect("it runs");
        &world.client(process).consumers[&GroupName::new(group)]
    }

    /// The queues of `T` that a client owns.
    pub fn owned(&self, client_id: &str) -> Vec<u32> {
        let consumer = self.consumer(client_id);
        let of_topic = |queue: &&MessageQueue| queue.topic.as_str() == TOPIC;
        consumer.process_queue_table.keys().filter(of_topic).map(|queue| queue.queue_id.0).collect()
    }

    /// Records of a topic: their keys and when they were stored.
    pub fn stored(&self, topic: &str) -> Vec<(String, u64)> {
        let mut stored = Vec::new();
        for event in &self.events {
            let EventKind::MessageStored { message } = &event.kind else { continue };
            if message.topic.as_str() == topic {
                let key = message.body.key.as_ref().map(ToString::to_string).unwrap_or_default();
                stored.push((key, event.at.ms()));
            }
        }
        stored
    }
}

pub fn broker_name() -> BrokerName {
    BrokerName::new("broker-a")
}

/// Whether a number lies in a range; says both if not.
#[track_caller]
pub fn within(found: u64, low: u64, high: u64) {
    assert!((low..=high).contains(&found), "{found} is not in {low}..={high}");
}

/// The distances of a row of moments.
pub fn gaps(times: &[u64]) -> Vec<u64> {
    times.windows(2).map(|pair| pair[1] - pair[0]).collect()
}
