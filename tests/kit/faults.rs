//! Runs in which much goes wrong.

use std::rc::Rc;

use rocketmq_playground::model::config::ConsumeMode;
use rocketmq_playground::model::listener::ListenerScript;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::scenario::{Scenario, presets};
use rocketmq_playground::sim::command::{BrokerStop, Command, Party, SendMessages};

/// The preset with everything going wrong that can.
pub fn with_faults(name: &str, profile: Profile, orderly: bool) -> Scenario {
    let mut scenario = presets::by_name(name).expect("it is in the list");
    scenario.setup.profile = profile;
    for (_, command) in &mut scenario.script {
        if let (Command::StartConsumer(spec), true) = (command, orderly) {
            spec.config.consume_mode = ConsumeMode::Orderly;
            spec.config.max_reconsume_times = 2;
        }
    }
    let fails = SendMessages {
        count: 4,
        script: Some(Rc::new(ListenerScript::fails_times(3))),
        ..SendMessages::one("orders".into())
    };
    let (c1, c2) = (|| "c1".into(), || "c2".into());
    let broker = || "broker-a".into();
    let network = |is_doubled: bool| {
        let (from, to) = (Party::Client(c1()), Party::Broker(broker()));
        let (code, count, only_response) = (None, 5, false);
        let (later, later_at_most) = (Millis(20), Millis(90));
        match is_doubled {
            true => Command::DuplicateNext {
                from,
                to,
                code,
                count,
                only_response,
                later,
                later_at_most,
            },
            false => {
                let at_most = Millis(2_000);
                Command::ReorderNext { from, to, code, count, only_response, at_most }
            }
        }
    };
    let acts = [
        (5_000, network(true)),
        (6_000, Command::SendMessages(fails)),
        (9_000, Command::FreezeClient { client_id: c1(), duration: Some(Millis(9_000)) }),
        (20_000, Command::StopNameServer),
        (25_000, Command::StartNameServer),
        (
            30_000,
            Command::StopBroker { broker_name: broker(), broker_id: 0, how: BrokerStop::Graceful },
        ),
        (36_000, Command::StartBroker { broker_name: broker(), broker_id: 0 }),
        (45_000, network(false)),
        (
            60_000,
            Command::Partition {
                a: Party::Broker(broker()),
                b: Party::Client(c2()),
                one_way: false,
            },
        ),
        (70_000, Command::Heal { a: Party::Broker(broker()), b: Party::Client(c2()) }),
        (80_000, Command::StopConsumer { client_id: c2(), group: None }),
        (90_000, Command::CrashConsumer { client_id: c1() }),
        (95_000, Command::CrashConsumer { client_id: c1() }),
    ];
    scenario.script.extend(acts.map(|(at, command)| (Millis(at), command)));
    scenario.until = Millis(130_000);
    scenario
}
