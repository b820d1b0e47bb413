//! How clients start, live together in a process, subscribe, stop and come back (spec 02, 11.19).

use rocketmq_playground::model::listener::ListenerScript;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::sim::command::{Command, CommandError, Party};
use rocketmq_playground::sim::event::{EventKind, RequestDetail};
use rocketmq_playground::sim::packet::RequestCode;

use crate::story::*;

fn started(told: &Told) -> u64 {
    told.first(|kind| matches!(kind, EventKind::ConsumerStarted { .. })).expect("it starts")
}

fn steps(told: &Told) -> Vec<u8> {
    let mut steps = Vec::new();
    for event in &told.events {
        if let EventKind::StartStepDone { step, .. } = event.kind {
            steps.push(step);
        }
    }
    steps
}

fn failure(told: &Told) -> Option<CommandError> {
    told.events.iter().find_map(|event| match &event.kind {
        EventKind::StartFailed { error, .. } => Some(error.clone()),
        _ => None,
    })
}

/// 02.2: fifteen steps, and what each sends.
#[test]
fn a_start_has_fifteen_steps() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 4);
        story.consumer(1_000, "c1");
        let told = story.tell(5_000);
        assert_eq!(steps(&told), (1..=15).collect::<Vec<u8>>(), "{profile:?}");
        let routes = told.requests("c1", RequestCode::GetRouteInfoByTopic);
        assert!(routes.len() >= 2, "{profile:?}: one for each topic, the retry topic included");
        let heartbeat = told.requests("c1", RequestCode::HeartBeat)[0];
        assert!(heartbeat <= started(&told), "{profile:?}");
    }
}

/// 02.2, step 2: each range, by its name.
#[test]
fn a_property_out_of_its_range_fails_the_start_at_its_second_step() {
    let told = |change: &dyn Fn(&mut rocketmq_playground::model::config::ConsumerSpec)| {
        let mut story = Story::new(Profile::V49, 1);
        story.consumer_with(1_000, "c1", |spec| change(spec));
        story.tell(5_000)
    };
    let refused = |change: &dyn Fn(&mut rocketmq_playground::model::config::ConsumerSpec)| {
        let told = told(change);
        assert_eq!(steps(&told), [1]);
        match failure(&told) {
            Some(CommandError::BadConfig(said)) => said,
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(&|spec| spec.config.consume_thread_min = 0).contains("consumeThreadMin is 0"));
    assert!(refused(&|spec| spec.config.consume_thread_max = 5).contains("above consumeThreadMax"));
    assert!(refused(&|spec| spec.config.pull_batch_size = 1_025).contains("pullBatchSize"));
    assert!(refused(&|spec| spec.config.pull_interval = Millis(65_536)).contains("pullInterval"));
    let span = |spec: &mut rocketmq_playground::model::config::ConsumerSpec| {
        spec.config.consume_concurrently_max_span = 0;
    };
    assert!(refused(&span).contains("consumeConcurrentlyMaxSpan"));
    assert!(refused(&|spec| spec.config.pull_threshold_for_topic = 0).contains("ForTopic"));
    assert!(refused(&|spec| spec.group = "DEFAULT_CONSUMER".into()).contains("DEFAULT_CONSUMER"));
    assert!(refused(&|spec| spec.group = "a b".into()).contains("letters"));
    assert!(refused(&|spec| spec.subscriptions.clear()).contains("nothing is subscribed"));
    assert!(refused(&|spec| spec.subscriptions[0].1 = "||".into()).contains("names no tag"));
}

/// 02.2, step 9: a group may be registered once in one instance.
#[test]
fn a_group_registered_twice_fails_the_start_at_its_ninth_step() {
    let mut story = Story::new(Profile::V49, 4);
    for at in [1_000, 30_000] {
        story.consumer_with(at, "c1", |spec| spec.process = Some("one".into()));
    }
    let told = story.tell(60_000);
    assert_eq!(failure(&told), Some(CommandError::GroupExists(GROUP.into())));
    assert_eq!(steps(&told)[15..], [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(told.owned("c1"), [0, 1, 2, 3], "the first one goes on");
    let refused = told.count(|kind| matches!(kind, EventKind::CommandRefused { .. }));
    assert_eq!(refused, 1);
}

/// 02.1: several groups of one process share an instance: one heartbeat, one connection, one rebalance
/// thread.
#[test]
fn groups_of_one_process_share_its_instance() {
    let mut story = Story::new(Profile::V49, 4);
    for group in ["G", "H", "I"] {
        story.consumer_with(1_000, "c1", |spec| {
            spec.group = group.into();
            spec.process = Some("one".into());
        });
    }
    let told = story.tell(60_000);
    assert_eq!(told.simulation.world().clients.len(), 1);
    let later: Vec<u64> =
        told.requests("c1", RequestCode::HeartBeat).into_iter().filter(|at| *at > 30_000).collect();
    assert_eq!(later, [32_000], "one for all three");
    let of_three = told.events_of(|kind| {
        matches!(kind, EventKind::RequestSent {
            detail: RequestDetail::HeartBeat { groups }, ..
        } if groups.len() == 3)
    });
    assert!(!of_three.is_empty());
    let opened = told.count(|kind| {
        matches!(
            kind,
            EventKind::ConnectionOpened {
                to: rocketmq_playground::sim::packet::Machine::Broker(_),
                ..
            }
        )
    });
    assert_eq!(opened, 1);
    let mut alone = story.clone();
    alone.at(60_000, Command::StopConsumer { client_id: "c1".into(), group: Some("H".into()) });
    let told = alone.tell(90_000);
    assert_eq!(told.owned("c1"), [0, 1, 2, 3], "the others go on");
    assert_eq!(told.simulation.world().clients[0].consumers.len(), 3);
}

/// 02.1: a group that was stopped may start again in the same instance.
#[test]
fn a_stopped_group_starts_again_in_its_shared_instance() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 2);
        for group in ["G", "H"] {
            story.consumer_with(1_000, "c1", |spec| {
                spec.group = group.into();
                spec.process = Some("one".into());
                spec.listener = pausing(500);
            });
        }
        story.send(30_000, 0, "m0", 30);
        let group = Some(GROUP.into());
        story.at(30_200, Command::StopConsumer { client_id: "c1".into(), group });
        story.consumer_with(31_000, "c1", |spec| spec.process = Some("one".into()));
        let told = story.tell(60_000);
        assert_eq!(told.simulation.world().clients.len(), 2, "{profile:?}: with the producer");
        for key in ["m0", "m29"] {
            assert!(told.calls_of(key).len() >= 2, "{profile:?}: {key} for both groups");
        }
    }
}

/// 02.1: what another group of the instance is sending meanwhile goes on. H's send-back is lost, so after five
/// seconds H sends its failed message itself, and the slow store answers when G has already come back.
#[test]
fn a_group_that_starts_again_leaves_the_sends_of_its_neighbour_alone() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        for group in ["G", "H"] {
            story.consumer_with(1_000, "c1", |spec| {
                spec.group = group.into();
                spec.process = Some("one".into());
                if group == "H" {
                    spec.listener.default_script = ListenerScript::fails_times(1);
                }
            });
        }
        let (from, to) = (Party::Client("c1".into()), Party::Broker(broker_name()));
        let code = RequestCode::ConsumerSendMsgBack;
        story.at(29_000, Command::DropNext { from, to, code, count: 1, only_response: false });
        story.send(30_000, 0, "m0", 1);
        let group = Some(GROUP.into());
        story.at(33_000, Command::StopConsumer { client_id: "c1".into(), group });
        story.at(34_000, Command::SlowStore { broker_name: broker_name(), by: Millis(2_000) });
        story.consumer_with(36_000, "c1", |spec| spec.process = Some("one".into()));
        let told = story.tell(90_000);
        let by_fallback =
            told.events_of(|kind| matches!(kind, EventKind::SentBack { by_fallback: true, .. }));
        assert_eq!(by_fallback.len(), 1, "{profile:?}");
        assert!((36_500..38_500).contains(&by_fallback[0].at.ms()), "{profile:?}");
        assert_eq!(told.calls_of("m0").len(), 3, "{profile:?}: once for G, twice for H");
    }
}

/// 02.2: a stop during the start waits for its end.
#[test]
fn a_stop_during_the_start_waits_for_its_end() {
    let mut story = Story::new(Profile::V49, 1);
    story.setup.latency = Millis(50);
    story.consumer(1_000, "c1");
    story.at(1_150, stop("c1"));
    let told = story.tell(5_000);
    let started = told.first(|kind| matches!(kind, EventKind::ConsumerStarted { .. }));
    let began = told.first(|kind| matches!(kind, EventKind::ShutdownBegan { .. }));
    assert_eq!(started, began);
    assert!(told.first(|kind| matches!(kind, EventKind::ConsumerStopped { .. })).is_some());
}

/// 02.2: subscribing sends a heartbeat; the new topic's route comes with the next poll.
#[test]
fn a_topic_subscribed_at_run_time_is_read_after_the_next_route_poll() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.topic("U", 1);
        story.consumer(0, "c1");
        story.at(
            40_000,
            Command::Subscribe {
                client_id: "c1".into(),
                group: GROUP.into(),
                topic: "U".into(),
                expression: "*".into(),
            },
        );
        story.send_with(41_000, 0, "u0", 1, |send| send.topic = "U".into());
        let told = story.tell(120_000);
        within(told.times_of("u0")[0] - 40_000, 100, 51_000);
        assert!(told.requests("c1", RequestCode::HeartBeat).contains(&40_000), "{profile:?}");
    }
}

/// 02.2: unsubscribing drops the queues with the next pass; subscribing again takes them back.
#[test]
fn an_unsubscribed_topic_is_dropped_with_the_next_pass_and_comes_back() {
    let mut story = Story::new(Profile::V49, 2);
    story.topic("U", 1);
    story.consumer_with(0, "c1", |spec| spec.subscriptions.push(("U".into(), "*".into())));
    let (client_id, group) = (|| "c1".into(), || GROUP.into());
    let topic = || TOPIC.into();
    story.at(
        40_000,
        Command::Unsubscribe { client_id: client_id(), group: group(), topic: topic() },
    );
    let told = story.tell(61_000);
    assert_eq!(told.owned("c1"), [0; 0]);
    let dropped = told.first(|kind| matches!(kind, EventKind::QueueDropped { .. }));
    within(dropped.expect("with the next pass") - 40_000, 0, 20_100);
    let expression = "*".to_owned();
    story.at(
        70_000,
        Command::Subscribe { client_id: client_id(), group: group(), topic: topic(), expression },
    );
    story.send(71_000, 0, "m0", 1);
    let told = story.tell(120_000);
    assert_eq!(told.owned("c1"), [0, 1]);
    assert_eq!(told.calls_of("m0").len(), 1);
}

/// 02.4.1: a twin with the same client id computes the same share; the rest belongs to nobody.
#[test]
fn twins_with_one_client_id_share_half_of_the_queues_and_leave_the_rest() {
    let mut story = Story::new(Profile::V49, 4);
    story.is_checked = false;
    story.consumer(0, "c1");
    story.consumer(0, "c1");
    story.send(30_000, 0, "a0", 1);
    story.send(30_000, 3, "b0", 1);
    let told = story.tell(90_000);
    assert_eq!(told.owned("c1"), [0, 1]);
    assert_eq!((told.calls_of("a0").len(), told.calls_of("b0").len()), (2, 0));
}

/// 02.3, freezing: what came due meanwhile runs when the process goes on, and timers keep their grid.
#[test]
fn a_frozen_client_goes_on_where_it_was() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 2);
        story.consumer(0, "c1");
        story.consumer(0, "c2");
        story.send_with(30_000, 0, "m0", 600, |send| send.every = Millis(100));
        let (client_id, duration) = ("c1".into(), Some(Millis(15_000)));
        story.at(40_000, Command::FreezeClient { client_id, duration });
        story.at(45_000, stop("c1"));
        let told = story.tell(120_000);
        assert_eq!(
            told.events_of(|kind| matches!(kind, EventKind::CommandRefused { error, .. }
                if *error == CommandError::Frozen("c1".into())))
                .len(),
            1,
            "{profile:?}"
        );
        let calls = told.calls_by("c1", 0);
        let during = calls.iter().filter(|call| (40_001..55_000).contains(&call.at)).count();
        assert_eq!(during, 0, "{profile:?}");
        assert_eq!(told.calls().len(), 600, "{profile:?}: nothing is lost or repeated");
        let heartbeats = told.requests("c1", RequestCode::HeartBeat);
        assert!(heartbeats.iter().filter(|at| **at > 56_000).all(|at| at % 30_000 == 1_000));
    }
}

/// 11.19: the cause of a slow start is serial calls on one thread.
#[test]
fn a_thousand_new_queues_take_a_thousand_round_trips() {
    let mut story = Story::new(Profile::V42, 1_000);
    story.setup.latency = Millis(2);
    story.setup.start_up = Millis(20);
    story.consumer(0, "c1");
    let told = story.tell(20_000);
    let pulls = told.events_of(|kind| {
        matches!(kind, EventKind::RequestSent { detail: RequestDetail::Pull { topic, .. }, .. }
            if topic.as_str() == TOPIC)
    });
    let begun = told.first(|kind| matches!(kind, EventKind::RebalanceBegan)).expect("a pass");
    // Members, then one query for each queue, 4 ms there and back.
    within(pulls[0].at.ms() - begun, 4 * 1_001, 4 * 1_001 + 20);
    assert_eq!(pulls.len(), 1_000);
}

/// 02.3: the timer restarts after each pass; since 5.2.0 a second lies between two.
#[test]
fn passes_are_twenty_seconds_apart_and_a_second_at_least_since_5_2() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 2);
        story.consumer(0, "c1");
        story.consumer(50_000, "c2");
        let told = story.tell(120_000);
        let passes: Vec<u64> = told
            .events_of(|kind| matches!(kind, EventKind::RebalanceBegan))
            .iter()
            .filter(|event| told.name_of(event.actor) == "c1")
            .map(|event| event.at.ms())
            .collect();
        let woken = passes.iter().find(|at| **at >= 50_000).expect("a notice");
        within(woken - 50_000, 20, 1_200);
        let after = passes.iter().filter(|at| **at > 55_000).copied().collect::<Vec<_>>();
        assert!(gaps(&after).iter().all(|gap| (20_000..20_020).contains(gap)), "{after:?}");
        if profile == Profile::V53 {
            assert!(gaps(&passes).iter().all(|gap| *gap >= 1_000), "{passes:?}");
            assert!(passes[0] >= 1_000, "the first one too");
        } else {
            assert!(passes[0] < 200, "{passes:?}");
        }
    }
}
