//! One message from producer to done: the shortest story.
use rocketmq_playground::model::config::*;
use rocketmq_playground::model::listener::*;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::TopicConfig;
use rocketmq_playground::sim::command::*;
use rocketmq_playground::sim::setup::*;
use rocketmq_playground::sim::{Simulation, TaskBudget};
use std::rc::Rc;

#[test]
fn one_message_goes_from_the_producer_to_done() {
    for profile in Profile::ALL {
        let mut setup = Setup::empty(profile);
        setup.brokers.push(BrokerSpec {
            name: "broker-a".into(),
            broker_id: 0,
            config: BrokerConfig::defaults(profile),
        });
        setup.topics.push(TopicSetup {
            topic: "orders".into(),
            broker_name: "broker-a".into(),
            config: TopicConfig::read_write(4),
        });
        let mut sim = Simulation::new(&setup);
        let mut send = SendMessages::one("orders".into());
        send.script = Some(Rc::new(ListenerScript::fails_times(2)));
        let mut config = ConsumerConfig::defaults(profile);
        config.consume_from_where = ConsumeFromWhere::FirstOffset;
        sim.script([
            (
                Millis(0),
                Command::StartConsumer(Box::new(ConsumerSpec {
                    client_id: "c1".into(),
                    group: "bill".into(),
                    process: None,
                    subscriptions: vec![("orders".into(), "*".into())],
                    config,
                    listener: ListenerBehavior::default(),
                })),
            ),
            (Millis(5_000), Command::SendMessages(send)),
        ]);
        sim.run_until(Millis(80_000), TaskBudget::UNLIMITED);
        println!("== {profile:?}");
        for event in sim.take_events() {
            println!(
                "{:>7} {:?} {:?} {}",
                event.at.ms(),
                event.actor,
                event.causes.as_slice(),
                format!("{:?}", event.kind).chars().take(200).collect::<String>()
            );
        }
    }
}
