//! Polling services are not polled: each puts only that look on the agenda that would find something.
//! If this fails, a message, a retry or a flush happens at another moment than in RocketMQ, which looks
//! every time.

use rocketmq_playground::model::config::{
    BrokerConfig, BrokerSpec, ConsumeMode, ConsumerConfig, ConsumerSpec,
};
use rocketmq_playground::model::listener::{ListenerBehavior, ListenerScript};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::TopicConfig;
use rocketmq_playground::sim::command::{BrokerStop, Command, SendMessages};
use rocketmq_playground::sim::event::{Actor, EventKind};
use rocketmq_playground::sim::setup::{Setup, TopicSetup};
use rocketmq_playground::sim::{Simulation, TaskBudget};

/// Three consumers whose listener fails twice; delayed messages; a crash, a lost host, and a broker
/// that is killed and comes back.
fn script(profile: Profile, mode: ConsumeMode) -> Vec<(Millis, Command)> {
    let at = Millis::new;
    let broker = || "broker-a".into();
    let consumer = |id: u64| {
        Command::StartConsumer(Box::new(ConsumerSpec {
            client_id: format!("C{id}").as_str().into(),
            group: "G".into(),
            process: None,
            subscriptions: vec![("T".into(), "*".into())],
            config: ConsumerConfig { consume_mode: mode, ..ConsumerConfig::defaults(profile) },
            listener: ListenerBehavior {
                default_script: ListenerScript::fails_times(2),
                ..ListenerBehavior::default()
            },
        }))
    };
    let send = |count, every, delay_level| {
        let one = SendMessages::one("T".into());
        Command::SendMessages(SendMessages { count, every: at(every), delay_level, ..one })
    };
    let how = BrokerStop::Kill { lost_tail: 2 };
    vec![
        (at(0), consumer(0)),
        (at(1_777), consumer(1)),
        (at(3_554), consumer(2)),
        (at(7_333), send(60, 733, 0)),
        (at(9_333), send(20, 1_733, 2)),
        (at(33_333), Command::CrashConsumer { client_id: "C1".into() }),
        (at(53_377), Command::StopBroker { broker_name: broker(), broker_id: 0, how }),
        (at(57_377), Command::StartBroker { broker_name: broker(), broker_id: 0 }),
        (at(66_000), Command::LoseHost { client_id: "C2".into() }),
    ]
}

fn run(profile: Profile, mode: ConsumeMode, literal: bool) -> Vec<(Millis, Actor, EventKind)> {
    let mut setup = Setup::empty(profile);
    setup.literal_polling = literal;
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
    let mut simulation = Simulation::new(&setup);
    simulation.script(script(profile, mode));
    simulation.run_until(Millis::new(400_000), TaskBudget::UNLIMITED);
    let events = simulation.take_events();
    events.into_iter().map(|event| (event.at, event.actor, event.kind)).collect()
}

#[test]
fn looking_every_time_and_only_when_it_matters_tell_the_same_story() {
    for profile in Profile::ALL {
        for mode in [ConsumeMode::Concurrently, ConsumeMode::Orderly] {
            let looked = run(profile, mode, true);
            let computed = run(profile, mode, false);
            let pairs = looked.iter().zip(&computed);
            let different = pairs.enumerate().find(|(_, (looked, computed))| looked != computed);
            assert!(different.is_none(), "{profile:?} {mode:?}: {different:?}");
            assert_eq!(looked.len(), computed.len(), "{profile:?} {mode:?}");
            assert!(looked.len() > 3_000, "something happened");
        }
    }
}
