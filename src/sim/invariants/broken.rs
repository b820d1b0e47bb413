//! Each invariant broken on purpose: a real run, then a world that was tampered with, or an event that
//! never happened.

mod across;
mod broker;
mod client;

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Checker, table};
use crate::model::config::{
    BrokerConfig, BrokerSpec, ConsumeFromWhere, ConsumeMode, ConsumerConfig, ConsumerSpec,
    MessageModel, SubscriptionGroupConfig,
};
use crate::model::ids::{BrokerIndex, GroupName, ProcessIndex, QueueId};
use crate::model::listener::{ListenerBehavior, ListenerResult, ListenerScript, ListenerStep};
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::model::topic::TopicConfig;
use crate::sim::client::ClientInstance;
use crate::sim::client::consumer::PushConsumer;
use crate::sim::command::{Command, QueueChoice, SendMessages};
use crate::sim::event::{Actor, Causes, ConsumeOutcome, Event, EventKind, Trigger};
use crate::sim::packet::Machine;
use crate::sim::setup::{GroupSetup, Setup, TopicSetup};
use crate::sim::{Simulation, TaskBudget};

/// A real run that went well so far, ready to be broken.
///
/// `c1` (process 0) owns queue 0 of `T` and the retry queue, `c2` (process 1) queue 1. Each queue had six
/// messages; the fourth never returns from its listener. The first message of queue 0 fails once.
struct Run {
    simulation: Simulation,
    checker: Checker,
}

#[derive(Clone, Copy)]
enum Kind {
    Concurrent,
    Orderly,
    Broadcasting,
}

const C1: ProcessIndex = ProcessIndex(0);
const C2: ProcessIndex = ProcessIndex(1);
const BROKER: BrokerIndex = BrokerIndex(0);

fn at_client(process: ProcessIndex) -> Actor {
    Actor::Machine(Machine::Client(process))
}

fn at_broker() -> Actor {
    Actor::Machine(Machine::Broker(BROKER))
}

fn group() -> GroupName {
    GroupName::new("G")
}

fn queue(id: u32) -> MessageQueue {
    MessageQueue::new("T".into(), "broker-a".into(), QueueId(id))
}

fn setup(profile: Profile) -> Setup {
    let mut setup = Setup::empty(profile);
    setup.brokers.push(BrokerSpec {
        name: "broker-a".into(),
        broker_id: 0,
        config: BrokerConfig::defaults(profile),
    });
    setup.topics.push(TopicSetup {
        topic: "T".into(),
        broker_name: "broker-a".into(),
        config: TopicConfig::read_write(2),
    });
    setup.groups.push(GroupSetup {
        group: group(),
        config: SubscriptionGroupConfig::default(),
        preexisting: true,
    });
    setup
}

fn start(client_id: &str, profile: Profile, kind: Kind) -> Command {
    let mut config = ConsumerConfig::defaults(profile);
    config.consume_from_where = ConsumeFromWhere::FirstOffset;
    match kind {
        Kind::Concurrent => {}
        Kind::Orderly => config.consume_mode = ConsumeMode::Orderly,
        Kind::Broadcasting => config.message_model = MessageModel::Broadcasting,
    }
    Command::StartConsumer(Box::new(ConsumerSpec {
        client_id: client_id.into(),
        group: group(),
        process: None,
        subscriptions: vec![("T".into(), "*".into())],
        config,
        listener: ListenerBehavior::default(),
    }))
}

fn send(queue_id: u32, key: &str, count: u32, script: Option<ListenerScript>) -> Command {
    let mut send = SendMessages::one("T".into());
    send.queue = QueueChoice::Fixed { broker_name: None, queue_id: QueueId(queue_id) };
    send.key = Some(key.into());
    send.count = count;
    send.script = script.map(Rc::new);
    Command::SendMessages(send)
}

impl Run {
    fn new(profile: Profile, kind: Kind) -> Run {
        let mut simulation = Simulation::new(&setup(profile));
        let never = ListenerStep { result: ListenerResult::Never, ..ListenerStep::ok() };
        let never = || Some(ListenerScript::always(never));
        simulation.script([
            (Millis(0), start("c1", profile, kind)),
            (Millis(0), start("c2", profile, kind)),
            (Millis(50_000), send(0, "a0", 1, Some(ListenerScript::fails_times(1)))),
            (Millis(50_010), send(0, "a1", 2, None)),
            (Millis(50_020), send(0, "a3", 1, never())),
            (Millis(50_030), send(0, "a4", 2, None)),
            (Millis(50_040), send(1, "b0", 3, None)),
            (Millis(50_050), send(1, "b3", 1, never())),
            (Millis(50_060), send(1, "b4", 2, None)),
        ]);
        let mut checker = Checker::new(&simulation);
        while simulation.next_at().is_some_and(|at| at <= Millis(70_000)) {
            simulation.step();
            let events = simulation.take_events();
            assert_eq!(checker.after_task(&simulation, &events), []);
        }
        simulation.run_until(Millis(70_000), TaskBudget::UNLIMITED);
        Run { simulation, checker }
    }

    /// An event that follows the last one.
    fn event(&self, actor: Actor, kind: EventKind) -> Event {
        Event {
            sequence: self.checker.watch().next_sequence,
            at: self.simulation.now(),
            actor,
            causes: Causes::NONE,
            trigger: Trigger::Follows,
            task: 0,
            kind,
        }
    }

    /// A task with these events happened. Answers the ids of what they break.
    fn ids_after(&mut self, events: &[Event]) -> Vec<&'static str> {
        let found = self.checker.after_task(&self.simulation, events);
        found.into_iter().map(|violation| violation.id).collect()
    }

    fn ids_of(&mut self, actor: Actor, kind: EventKind) -> Vec<&'static str> {
        let event = self.event(actor, kind);
        self.ids_after(&[event])
    }

    /// Whether one event breaks this invariant.
    #[track_caller]
    fn event_breaks(&mut self, id: &str, actor: Actor, kind: EventKind) {
        let ids = self.ids_of(actor, kind);
        assert!(ids.contains(&id), "{id} still holds; broken are {ids:?}");
    }

    /// Whether the world breaks this invariant: one machine does something of no matter.
    #[track_caller]
    fn world_breaks(&mut self, id: &str, actor: Actor) {
        let nothing = EventKind::HeartbeatSkipped;
        self.event_breaks(id, actor, nothing);
    }

    /// Whether the world, come to rest, breaks this invariant.
    #[track_caller]
    fn rest_breaks(&mut self, id: &str) {
        let found = self.checker.at_rest(&self.simulation);
        let ids: Vec<_> = found.iter().map(|violation| violation.id).collect();
        assert!(ids.contains(&id), "{id} still holds; broken are {found:?}");
    }

    /// Whether the world, come to rest, is outside of what this invariant speaks of.
    #[track_caller]
    fn rest_says_nothing_of(&mut self, id: &str) {
        let found = self.checker.at_rest(&self.simulation);
        assert!(found.iter().all(|violation| violation.id != id), "{found:?}");
    }

    /// One more message lies in a queue, and nobody has anything in hand.
    fn forget_one(&mut self) {
        let message = changed(&self.message(0, 5), |it| it.queue_offset = QueueOffset(6));
        let entry = crate::model::consume_queue::ConsumeQueueEntry { message, tags_code: 0 };
        let key = ("T".into(), QueueId(0));
        self.broker().consume_queues.get_mut(&key).expect("it was sent to").append(entry);
        self.empty_windows();
    }

    /// What was pulled is gone from the windows.
    fn empty_windows(&mut self) {
        for process in [C1, C2] {
            for shelf in self.consumer(process).shelves.values_mut() {
                shelf.window.clear();
            }
        }
    }

    fn broker(&mut self) -> &mut crate::sim::broker::Broker {
        &mut self.simulation.world.brokers[0]
    }

    fn client(&mut self, process: ProcessIndex) -> &mut ClientInstance {
        &mut self.simulation.world.clients[process.0 as usize]
    }

    fn consumer(&mut self, process: ProcessIndex) -> &mut PushConsumer {
        self.client(process).consumers.get_mut(&group()).expect("it was started")
    }

    /// The stored message of `T` at an offset.
    fn message(&self, queue_id: u32, offset: i64) -> Rc<StoredMessage> {
        let queues = &self.simulation.world.brokers[0].consume_queues;
        let entry = queues[&("T".into(), QueueId(queue_id))].get(QueueOffset(offset));
        entry.expect("it was sent").message.clone()
    }

    fn started(&self, message: Rc<StoredMessage>, client_thread: u32) -> EventKind {
        let reconsume_times = message.reconsume_times;
        EventKind::ConsumeStarted {
            group: group(),
            client_thread,
            message,
            reconsume_times,
            batch: 1,
        }
    }

    fn ended(&self, message: Rc<StoredMessage>, client_thread: u32) -> EventKind {
        let reconsume_times = message.reconsume_times;
        EventKind::ConsumeEnded {
            group: group(),
            client_thread,
            message,
            reconsume_times,
            result: ListenerResult::Success,
            outcome: ConsumeOutcome::Succeeded,
            batch: 1,
        }
    }
}

/// A copy of a message, changed.
fn changed(message: &StoredMessage, change: impl FnOnce(&mut StoredMessage)) -> Rc<StoredMessage> {
    let mut copy = message.clone();
    change(&mut copy);
    Rc::new(copy)
}

/// The names of this folder's tests begin with the id that they break.
#[test]
fn every_invariant_is_broken_by_a_test() {
    let files = [
        include_str!("broken/broker.rs"),
        include_str!("broken/client.rs"),
        include_str!("broken/across.rs"),
    ];
    let mut halves: BTreeMap<&str, usize> = BTreeMap::new();
    for invariant in table::ALL {
        *halves.entry(invariant.id).or_default() += 1;
    }
    for (id, count) in halves {
        let start = format!("fn {}_", id.to_lowercase());
        let tests: usize = files.iter().map(|file| file.matches(&start).count()).sum();
        assert!(tests >= count, "{id} has {count} checks and {tests} tests that break it");
    }
}
