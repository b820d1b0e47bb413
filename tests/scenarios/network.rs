//! A network that delivers twice, or out of order: what a resending layer, several connections or the
//! threads of client and broker do to RocketMQ. One TCP connection does neither.

use std::collections::BTreeSet;

use rocketmq_playground::model::config::SendMode;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::sim::command::{Command, Party};
use rocketmq_playground::sim::event::{Event, EventKind, EventSequence, LeaveReason};
use rocketmq_playground::sim::kind;
use rocketmq_playground::sim::packet::RequestCode;

use crate::story::*;

const RETRY: &str = "%RETRY%G";
const PRODUCER: &str = "producer";

/// The next `count` requests of a client to the broker arrive twice.
fn double(client: &str, code: RequestCode, count: u32, later: u64) -> Command {
    Command::DuplicateNext {
        from: Party::Client(client.into()),
        to: Party::Broker(broker_name()),
        code: Some(code),
        count,
        only_response: false,
        later: Millis(later),
        later_at_most: Millis(later),
    }
}

/// ... or their answers do.
fn double_answers(client: &str, code: RequestCode, count: u32, later: u64) -> Command {
    match double(client, code, count, later) {
        Command::DuplicateNext { from, to, code, count, later, later_at_most, .. } => {
            let only_response = true;
            Command::DuplicateNext { from, to, code, count, only_response, later, later_at_most }
        }
        other => other,
    }
}

/// The next `count` requests of a client to the broker, of any code or of one, are passed.
fn reorder(client: &str, code: Option<RequestCode>, count: u32, at_most: u64) -> Command {
    Command::ReorderNext {
        from: Party::Client(client.into()),
        to: Party::Broker(broker_name()),
        code,
        count,
        only_response: false,
        at_most: Millis(at_most),
    }
}

fn unmatched(told: &Told, code: RequestCode) -> usize {
    told.count(|kind| matches!(kind, EventKind::ResponseUnmatched { of, .. } if *of == code))
}

#[test]
fn a_send_that_arrives_twice_is_stored_twice_under_one_unique_key() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.send(9_000, 0, "a0", 1);
        story.at(10_000, double(PRODUCER, RequestCode::SendMessageV2, 1, 500));
        story.send(12_000, 0, "m0", 1);
        let told = story.tell(20_000);
        let stored: Vec<_> = told
            .events
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::MessageStored { message } => Some((event.at.ms(), message.clone())),
                _ => None,
            })
            .filter(|(at, _)| *at >= 12_000)
            .collect();
        let [(first_at, first), (second_at, second)] = &stored[..] else {
            panic!("{profile:?}: {stored:?}");
        };
        assert_eq!(second_at - first_at, 500, "{profile:?}");
        assert_eq!(first.body.unique_key, second.body.unique_key, "{profile:?}");
        assert_eq!((first.queue_offset.0, second.queue_offset.0), (1, 2), "{profile:?}");
        // The producer knows of one; the other is consumed all the same: be idempotent.
        assert_eq!(told.times_of("m0").len(), 2, "{profile:?}");
        let sent = told.count(|kind| matches!(kind, EventKind::SendSucceeded { .. }));
        assert_eq!((sent, unmatched(&told, RequestCode::SendMessageV2)), (2, 1), "{profile:?}");
    }
}

#[test]
fn a_pull_that_arrives_twice_is_answered_twice_and_the_second_answer_is_dropped() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.at(10_000, double("c1", RequestCode::PullMessage, 1, 3));
        story.send(12_000, 0, "a0", 1);
        // The pull that goes out now is held, and so is its copy.
        story.send(13_000, 0, "m0", 1);
        let told = story.tell(20_000);
        let woken: Vec<u64> = told
            .events_of(|kind| matches!(kind, EventKind::PullWoken { by_arrival: true, .. }))
            .iter()
            .map(|event| event.at.ms())
            .filter(|at| *at >= 13_000)
            .collect();
        assert_eq!(woken.len(), 2, "{profile:?}: {woken:?}");
        assert_eq!(unmatched(&told, RequestCode::PullMessage), 1, "{profile:?}");
        assert_eq!(told.times_of("m0").len(), 1, "{profile:?}");
        assert_eq!(told.committed(&queue(0)), Some(2), "{profile:?}");
    }
}

#[test]
fn an_answer_that_arrives_twice_counts_once() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.at(10_000, double_answers("c1", RequestCode::PullMessage, 4, 20));
        story.send(12_000, 0, "m0", 3);
        let told = story.tell(60_000);
        assert_eq!(told.calls().len(), 3, "{profile:?}");
        let doubled = told.count(|kind| matches!(kind, EventKind::PacketRepeated { .. }));
        assert!(doubled > 0, "{profile:?}");
        assert_eq!(unmatched(&told, RequestCode::PullMessage), doubled, "{profile:?}");
    }
}

#[test]
fn heartbeats_and_commits_that_arrive_twice_change_nothing_more() {
    for profile in Profile::ALL {
        let tell = |is_doubled: bool| {
            let mut story = Story::new(profile, 2);
            story.consumer(0, "c1");
            story.consumer(0, "c2");
            if is_doubled {
                for client in ["c1", "c2"] {
                    for code in [RequestCode::HeartBeat, RequestCode::UpdateConsumerOffset] {
                        story.at(5_000, double(client, code, 100, 2));
                    }
                }
            }
            story.send(12_000, 0, "m0", 40);
            story.send(12_000, 1, "n0", 40);
            let told = story.tell(60_000);
            let calls: Vec<_> = told.calls().iter().map(|it| (it.at, it.key.clone())).collect();
            let joined = told.count(|kind| matches!(kind, EventKind::ClientRegistered { .. }));
            (calls, told.committed(&queue(0)), told.committed(&queue(1)), joined)
        };
        assert_eq!(tell(true), tell(false), "{profile:?}");
    }
}

/// The offset at the broker is whatever came last (`ConsumerOffsetManager.commitOffset` only warns).
#[test]
fn a_commit_that_comes_again_late_takes_c_back_until_the_next_report() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.send(12_000, 0, "a0", 1);
        // One for the topic, one for the retry topic.
        story.at(14_000, double("c1", RequestCode::UpdateConsumerOffset, 2, 7_000));
        story.send(16_000, 0, "b0", 2);
        let told = story.tell(40_000);
        let commits: Vec<(i64, i64)> = told
            .events
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::OffsetCommitted { from, to, .. } if from != to => Some((from.0, to.0)),
                _ => None,
            })
            .collect();
        assert!(commits.contains(&(3, 1)), "{profile:?}: {commits:?}");
        assert_eq!(told.committed(&queue(0)), Some(3), "{profile:?}");
        assert_eq!(told.calls().len(), 3, "{profile:?}: nobody read the offset meanwhile");
    }
}

/// A retry copy for each CONSUMER_SEND_MSG_BACK that arrives.
#[test]
fn a_send_back_that_arrives_twice_makes_two_delayed_copies() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.at(10_000, double("c1", RequestCode::ConsumerSendMsgBack, 1, 40));
        story.send_with(12_000, 0, "m0", 1, |send| send.script = fails(1));
        let told = story.tell(60_000);
        let retries: Vec<u64> =
            told.calls_of("m0").iter().filter(|it| it.topic == RETRY).map(|it| it.at).collect();
        assert_eq!(retries.len(), 2, "{profile:?}: {retries:?}");
        within(retries[1] - retries[0], 0, 200);
    }
}

#[test]
fn locks_that_are_asked_for_or_given_back_twice_at_once_are_as_if_it_were_once() {
    for profile in Profile::ALL {
        let tell = |is_doubled: bool| {
            let mut story = Story::new(profile, 4);
            story.orderly(0, "c1");
            story.orderly(30_000, "c2");
            if is_doubled {
                for (at, client) in [(100, "c1"), (30_100, "c2")] {
                    for code in [RequestCode::LockBatchMq, RequestCode::UnlockBatchMq] {
                        story.at(at, double(client, code, 100, 1));
                    }
                }
            }
            for number in 0..4 {
                story.send(20_000, number, &format!("a{number}x0"), 5);
                story.send(120_000, number, &format!("b{number}x0"), 5);
            }
            let told = story.tell(150_000);
            let calls: Vec<_> =
                told.calls().iter().map(|it| (it.client.clone(), it.key.clone())).collect();
            (calls, told.owned("c1"), told.owned("c2"))
        };
        assert_eq!(tell(true), tell(false), "{profile:?}");
    }
}

/// `RebalanceLockManager.unlockBatch` asks only whose lock it is, not when it was given back: the copy of an
/// old UNLOCK_BATCH_MQ frees the lock that the same client holds again by then.
#[test]
fn an_unlock_that_comes_again_late_frees_the_lock_of_its_holder() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 2);
        story.orderly(0, "c1");
        story.at(29_000, double("c1", RequestCode::UnlockBatchMq, 10, 100_500));
        story.orderly(30_000, "c2");
        story.at(90_000, stop("c2"));
        let told = story.tell(200_000);
        let freed: Vec<u64> = told
            .events_of(|kind| {
                matches!(kind, EventKind::QueueUnlocked { client, .. } if client.as_str() == "c1")
            })
            .iter()
            .map(|event| event.at.ms())
            .collect();
        let [given_back, late] = freed[..] else { panic!("{profile:?}: {freed:?}") };
        assert_eq!(late - given_back, 100_500, "{profile:?}");
        // c1 has not heard of it, and has the lock again with its next renewal.
        let again = told.events_of(|kind| {
            matches!(kind, EventKind::QueueLocked { client, renewed: false, .. }
                if client.as_str() == "c1")
        });
        let again: Vec<u64> = again.iter().map(|event| event.at.ms()).collect();
        let after = again.iter().find(|at| **at > late).expect("it is renewed");
        within(after - late, 0, 20_000);
        assert_eq!(told.owned("c1"), [0, 1], "{profile:?}");
    }
}

#[test]
fn what_a_connection_still_had_to_repeat_ends_with_it() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 2);
        story.consumer(0, "c1");
        story.consumer(0, "c2");
        story.at(10_000, double("c1", RequestCode::HeartBeat, 10, 60_000));
        story.at(45_000, crash("c1"));
        let told = story.tell(200_000);
        let left = told.events_of(|kind| matches!(kind, EventKind::ClientLeft { .. }));
        let [event] = left[..] else { panic!("{profile:?}: {left:?}") };
        let EventKind::ClientLeft { reason, .. } = &event.kind else { panic!("as asked for") };
        assert_eq!(*reason, LeaveReason::ConnectionClosed);
        assert_eq!(told.owned("c2"), [0, 1], "{profile:?}: no ghost holds a queue");
    }
}

/// When each message of the topic was stored.
fn order(told: &Told) -> Vec<String> {
    told.stored(TOPIC).into_iter().map(|(key, _)| key).collect()
}

#[test]
fn of_oneway_sends_each_held_one_is_passed_by_the_one_behind_it() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.send(1_000, 0, "a0", 1);
        story.at(2_000, reorder(PRODUCER, Some(RequestCode::SendMessageV2), 2, 60_000));
        story.send_with(3_000, 0, "m0", 5, |send| {
            send.mode = SendMode::Oneway;
            send.every = Millis(100);
        });
        let told = story.tell(20_000);
        assert_eq!(order(&told), ["a0", "m1", "m0", "m3", "m2", "m4"], "{profile:?}");
        let m0 = told.stored(TOPIC)[2].1;
        assert_eq!(m0, 3_101, "{profile:?}: it arrives right behind m1");
        let passed = told.count(|kind| matches!(kind, EventKind::PacketPassed { .. }));
        assert_eq!(passed, 2, "{profile:?}");
    }
}

#[test]
fn what_nothing_passes_goes_on_when_its_time_is_over() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.send(1_000, 0, "a0", 1);
        story.at(2_000, reorder(PRODUCER, Some(RequestCode::SendMessageV2), 1, 700));
        story.send(3_000, 0, "m0", 1);
        story.send(4_000, 0, "n0", 1);
        let told = story.tell(20_000);
        assert_eq!(order(&told), ["a0", "m0", "n0"], "{profile:?}");
        assert_eq!(told.stored(TOPIC)[1].1, 3_701, "{profile:?}");
        assert_eq!(told.count(|kind| matches!(kind, EventKind::PacketPassed { .. })), 0);
    }
}

#[test]
fn the_end_of_a_connection_passes_nothing() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.at(20_000, reorder("c1", Some(RequestCode::HeartBeat), 1, 60_000));
        let held_at = story.tell(40_000).first(|kind| matches!(kind, EventKind::PacketHeld { .. }));
        let held_at = held_at.expect("a heartbeat each 30 s");
        story.at(held_at + 1, crash("c1"));
        let told = story.tell(200_000);
        let broker = |event: &&&Event| told.name_of(event.actor) == "broker-a";
        let after = told.events_of(|kind| {
            matches!(kind, EventKind::ResponseSent { .. } | EventKind::ClientLeft { .. })
        });
        let after: Vec<_> = after
            .iter()
            .filter(broker)
            .filter(|event| event.at.ms() > held_at)
            .map(|event| (event.at.ms(), kind::name(&event.kind)))
            .collect();
        let at = held_at + 2;
        assert_eq!(after, [(at, "ResponseSent"), (at, "ClientLeft")], "{profile:?}: and no ghost");
    }
}

/// All the events without which this one would not have come.
fn roots(told: &Told, event: EventSequence) -> BTreeSet<EventSequence> {
    let (mut seen, mut next) = (BTreeSet::new(), vec![event]);
    while let Some(sequence) = next.pop() {
        if seen.insert(sequence) {
            next.extend(told.events[sequence as usize].causes.as_slice());
        }
    }
    seen
}

#[test]
fn what_is_delivered_twice_or_late_comes_from_the_command_that_asked_for_it() {
    let commands = [
        double(PRODUCER, RequestCode::SendMessageV2, 1, 500),
        reorder(PRODUCER, Some(RequestCode::SendMessageV2), 1, 700),
    ];
    for command in commands {
        let mut story = Story::new(Profile::V49, 1);
        story.send(1_000, 0, "a0", 1);
        story.at(2_000, command);
        story.send(3_000, 0, "m0", 1);
        let told = story.tell(20_000);
        let stored = told.events_of(|kind| matches!(kind, EventKind::MessageStored { .. }));
        let last = stored.last().expect("something was stored");
        let asked = told.events.iter().find(|event| {
            event.at == Millis(2_000) && matches!(event.kind, EventKind::CommandApplied { .. })
        });
        let asked = asked.expect("the command was carried out").sequence;
        assert!(roots(&told, last.sequence).contains(&asked), "{last:?}");
    }
}
