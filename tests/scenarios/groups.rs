//! Who gets which queue, what a group wants, where it begins (spec 11.8, 11.13 to 11.15, 11.26, 11.27,
//! 11.32, 11.34).

use rocketmq_playground::model::allocate::AllocateStrategy;
use rocketmq_playground::model::config::{ConsumeFromWhere, MessageModel};
use rocketmq_playground::model::ids::QueueId;
use rocketmq_playground::model::offset::QueueOffset;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::topic::Permission;
use rocketmq_playground::sim::command::Command;
use rocketmq_playground::sim::event::{EventKind, PostponeReason, PullStatus};
use rocketmq_playground::sim::packet::{RequestCode, ResponseCode};
use rocketmq_playground::sim::setup::{QueuePast, StoredOffset};

use crate::story::*;

/// 11.8 with the vectors of 02.6: 4 queues, 1 to 5 consumers, and the idle one gets a queue at once.
#[test]
fn four_queues_and_one_to_five_consumers() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 4);
        for (index, client) in ["c1", "c2", "c3", "c4", "c5"].into_iter().enumerate() {
            story.consumer(index as u64 * 60_000, client);
        }
        let owners = |until: u64, clients: &[&str]| -> Vec<Vec<u32>> {
            let told = story.tell(until);
            clients.iter().map(|client| told.owned(client)).collect()
        };
        let all = ["c1", "c2", "c3", "c4", "c5"];
        assert_eq!(owners(55_000, &all[..1]), [vec![0, 1, 2, 3]], "{profile:?}");
        assert_eq!(owners(115_000, &all[..2]), [vec![0, 1], vec![2, 3]], "{profile:?}");
        assert_eq!(owners(175_000, &all[..3]), [vec![0, 1], vec![2], vec![3]], "{profile:?}");
        assert_eq!(owners(235_000, &all[..4]), [[0], [1], [2], [3]], "{profile:?}");
        let five = owners(295_000, &all);
        assert_eq!(five, [vec![0], vec![1], vec![2], vec![3], vec![]], "{profile:?}");
        let mut left = story.clone();
        left.at(300_000, stop("c2"));
        let told = left.tell(310_000);
        assert_eq!(told.owned("c5"), [3], "{profile:?}");
    }
}

/// 02.6: what moves when a third consumer joins separates the strategies.
#[test]
fn each_strategy_divides_the_queues_in_its_way() {
    let owned = |strategy: AllocateStrategy| -> Vec<Vec<u32>> {
        let mut story = Story::new(Profile::V49, 8);
        for client in ["c1", "c2", "c3"] {
            let strategy = strategy.clone();
            story.consumer_with(0, client, |spec| spec.config.allocate_strategy = strategy);
        }
        let told = story.tell(60_000);
        ["c1", "c2", "c3"].iter().map(|client| told.owned(client)).collect()
    };
    assert_eq!(owned(AllocateStrategy::Averagely), [vec![0, 1, 2], vec![3, 4, 5], vec![6, 7]]);
    let circle = owned(AllocateStrategy::AveragelyByCircle);
    assert_eq!(circle, [vec![0, 3, 6], vec![1, 4, 7], vec![2, 5]]);
    let by_config = owned(AllocateStrategy::ByConfig(vec![queue(5)]));
    assert_eq!(by_config, [[5], [5], [5]], "everybody takes what is written");
    let mut ring: Vec<u32> = owned(AllocateStrategy::consistent_hash()).concat();
    ring.sort_unstable();
    assert_eq!(ring, (0..8).collect::<Vec<_>>());
}

/// 02.6: a list of business queues only means that retries are never consumed.
#[test]
fn with_a_configured_list_retries_are_never_consumed() {
    let mut story = Story::new(Profile::V49, 1);
    story.consumer_with(0, "c1", |spec| {
        spec.config.allocate_strategy = AllocateStrategy::ByConfig(vec![queue(0)]);
    });
    story.send_with(30_000, 0, "m0", 1, |send| send.script = fails(1));
    let told = story.tell(120_000);
    assert_eq!(told.calls_of("m0").len(), 1);
    assert_eq!(told.stored("%RETRY%G").len(), 1, "it lies there");
}

/// 11.13 (a): the same topic, tag A on c1 and tag B on c2.
#[test]
fn one_group_with_two_tags_loses_all_of_the_older_and_half_of_the_newer() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 4);
        for (at, client, tag) in [(0, "c1", "A"), (5_000, "c2", "B")] {
            story.consumer_with(at, client, |spec| {
                spec.subscriptions = vec![(TOPIC.into(), tag.into())];
            });
        }
        for (at, tag) in [(60_000, "A"), (60_010, "B")] {
            for id in 0..4 {
                story.send_with(at, id, &format!("{tag}{id}x0"), 50, |send| {
                    send.tag = Some(tag.into());
                });
            }
        }
        let told = story.tell(120_000);
        let calls = told.calls();
        let of_tag = |tag: &str| calls.iter().filter(|call| call.key.starts_with(tag)).count();
        assert_eq!((of_tag("A"), of_tag("B")), (0, 100), "{profile:?}");
        assert!(calls.iter().all(|call| call.client == "c2"), "{profile:?}");
        // The commit of c1's queues jumps only with an idle answer, 15 to 20 s after the traffic.
        let before = story.tell(70_000).committed(&queue(0));
        assert!(before.unwrap_or(0) < 100, "{profile:?}: {before:?}");
        assert_eq!(told.committed(&queue(0)), Some(100), "{profile:?}");
    }
}

/// 11.13 (b): different topics in one group.
#[test]
fn one_group_with_two_topics_reads_half_of_each_and_in_turns() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 4);
        story.topic("U", 4);
        story.consumer(0, "c1");
        story.consumer_with(10_000, "c2", |spec| {
            spec.subscriptions = vec![("U".into(), "*".into())];
        });
        for id in 0..4 {
            story.send_with(100_000, id, &format!("t{id}x0"), 200, |send| {
                send.every = rocketmq_playground::model::time::Millis(1_000);
            });
        }
        let told = story.tell(330_000);
        let calls: Vec<Call> = told.calls();
        let queues: std::collections::BTreeSet<u32> = calls.iter().map(|call| call.queue).collect();
        assert_eq!(
            queues.into_iter().collect::<Vec<_>>(),
            [0, 1],
            "{profile:?}: half of the queues"
        );
        let refused = told.count(|kind| {
            matches!(
                kind,
                EventKind::ResponseReceived {
                    of: RequestCode::PullMessage,
                    code: ResponseCode::SubscriptionNotExist,
                    ..
                }
            )
        });
        assert!(refused > 20, "{profile:?}: {refused} pulls answered 24");
        let times: Vec<u64> = calls.iter().filter(|it| it.queue == 0).map(|it| it.at).collect();
        let longest = gaps(&times).into_iter().max().expect("some");
        within(longest, 5_000, 30_000);
    }
}

/// 11.14: a new group on an old topic.
#[test]
fn a_new_group_on_a_young_topic_begins_at_its_first_message_even_with_last() {
    let begins_at = |profile: Profile, change: &dyn Fn(&mut Story), model: MessageModel| {
        let mut story = Story::new(profile, 1).brand_new();
        change(&mut story);
        story.send(0, 0, "old0", 100);
        story.consumer_with(30_000, "c1", |spec| {
            spec.config.consume_from_where = ConsumeFromWhere::LastOffset;
            spec.config.message_model = model;
        });
        story.send(60_000, 0, "new0", 1);
        let told = story.tell(90_000);
        told.calls().first().map(|call| call.key.clone()).expect("the new one at least")
    };
    let clustering = MessageModel::Clustering;
    for profile in Profile::ALL {
        let nothing = |_: &mut Story| {};
        assert_eq!(begins_at(profile, &nothing, clustering), "old0", "{profile:?}");
        let expired = |story: &mut Story| {
            story.setup.queue_pasts.push(QueuePast {
                topic: TOPIC.into(),
                broker_name: broker_name(),
                queue_id: QueueId(0),
                min_offset: QueueOffset(50),
            });
        };
        assert_eq!(begins_at(profile, &expired, clustering), "new0", "{profile:?}: expired head");
        let broadcasting = MessageModel::Broadcasting;
        assert_eq!(begins_at(profile, &nothing, broadcasting), "new0", "{profile:?}: its own file");
        let paged_out = |story: &mut Story| {
            story.setup.brokers[0].config.first_message_in_memory = false;
        };
        let expected = if profile == Profile::V53 { "old0" } else { "new0" };
        assert_eq!(begins_at(profile, &paged_out, clustering), expected, "{profile:?}: the ratio");
        let not_cached = |story: &mut Story| {
            story.setup.brokers[0].config.first_message_in_page_cache = false;
        };
        let expected = if profile == Profile::V53 { "new0" } else { "old0" };
        assert_eq!(begins_at(profile, &not_cached, clustering), expected, "{profile:?}: the cache");
    }
}

/// 02.5: FIRST, TIMESTAMP and a stored offset.
#[test]
fn a_stored_offset_beats_consume_from_where() {
    let first = |from: ConsumeFromWhere, stored: Option<i64>| {
        let mut story = Story::new(Profile::V49, 1).brand_new();
        story.setup.brokers[0].config.first_message_in_memory = false;
        if let Some(offset) = stored {
            story.setup.stored_offsets.push(StoredOffset {
                group: GROUP.into(),
                topic: TOPIC.into(),
                broker_name: broker_name(),
                queue_id: QueueId(0),
                offset: QueueOffset(offset),
            });
        }
        for at in 0..10 {
            story.send(at * 1_000, 0, &format!("m{at}"), 1);
        }
        story.consumer_with(30_000, "c1", |spec| spec.config.consume_from_where = from);
        story.send(60_000, 0, "m10", 1);
        story.tell(90_000).calls()[0].offset
    };
    assert_eq!(first(ConsumeFromWhere::FirstOffset, None), 0);
    assert_eq!(first(ConsumeFromWhere::LastOffset, None), 10);
    assert_eq!(first(ConsumeFromWhere::Timestamp(4_400), None), 4, "the nearer of two");
    for from in [
        ConsumeFromWhere::FirstOffset,
        ConsumeFromWhere::LastOffset,
        ConsumeFromWhere::Timestamp(4_400),
    ] {
        assert_eq!(first(from, Some(7)), 7);
    }
}

/// 11.14, note: since 5.1.0 an empty queue has no offset at the broker until something happens.
#[test]
fn an_empty_queue_is_reported_as_zero_until_5_0_and_not_at_all_before_its_first_answer_since_5_1() {
    let committed = |profile: Profile, at: u64| {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.tell(at).committed(&queue(0))
    };
    for profile in [Profile::V42, Profile::V49] {
        assert_eq!(committed(profile, 10_100), Some(0), "{profile:?}: the first tick");
    }
    assert_eq!(committed(Profile::V53, 14_000), None);
    assert_eq!(committed(Profile::V53, 30_000), Some(0), "after the first idle answer");
}

/// 11.15: one message on an idle queue.
#[test]
fn a_held_pull_delivers_at_once_and_a_tag_that_does_not_match_waits_for_the_look() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer_with(0, "c1", |spec| {
            spec.subscriptions = vec![(TOPIC.into(), "A".into())];
        });
        story.send_with(31_000, 0, "good", 1, |send| send.tag = Some("A".into()));
        story.send_with(41_234, 0, "bad", 1, |send| send.tag = Some("B".into()));
        let told = story.tell(100_000);
        // To the broker 1 ms, the consume queue 1 ms, to the client 1 ms.
        within(told.times_of("good")[0] - 31_000, 3, 9);
        let idle = told.events_of(|kind| {
            matches!(kind, EventKind::PullAnswered { queue, status: PullStatus::NoMatchedMessage, .. }
                if queue.topic.as_str() == TOPIC)
        });
        within(idle[0].at.ms(), 45_000, 45_010);
        assert_eq!(told.committed(&queue(0)), Some(2), "{profile:?}: correctTagsOffset");
        let answers = told.events_of(|kind| {
            matches!(kind, EventKind::PullAnswered { queue, status: PullStatus::NoNewMessage, .. }
                if queue.topic.as_str() == TOPIC)
        });
        let times: Vec<u64> = answers.iter().map(|event| event.at.ms()).collect();
        for gap in gaps(&times).into_iter().skip(2) {
            within(gap, 15_000, 20_000);
        }
    }
}

/// 11.15: without long polling a second.
#[test]
fn short_polling_looks_each_second() {
    let mut story = Story::new(Profile::V49, 1);
    story.setup.brokers[0].config.long_polling_enable = false;
    story.consumer(0, "c1");
    story.send(31_300, 0, "m0", 1);
    let latency = story.tell(60_000).times_of("m0")[0] - 31_300;
    within(latency, 100, 1_010);
}

/// 11.26: a member list that only one of two knows of: two owners, or none, until the next pass.
#[test]
fn a_lost_notice_leaves_a_queue_with_two_owners_until_the_next_pass() {
    let mut story = Story::new(Profile::V49, 2);
    story.consumer(0, "c1");
    story.at(
        25_000,
        Command::DropNext {
            from: rocketmq_playground::sim::command::Party::Broker(broker_name()),
            to: rocketmq_playground::sim::command::Party::Client("c1".into()),
            code: RequestCode::NotifyConsumerIdsChanged,
            count: 1,
            only_response: false,
        },
    );
    story.consumer(26_000, "c2");
    story.send_with(27_000, 1, "m0", 200, |send| {
        send.every = rocketmq_playground::model::time::Millis(100);
    });
    let told = story.tell(80_000);
    let calls = told.calls();
    let by_both: Vec<&Call> = calls
        .iter()
        .filter(|call| {
            call.client == "c1" && calls.iter().any(|it| it.client == "c2" && it.key == call.key)
        })
        .collect();
    assert!(by_both.len() > 50, "{} messages came twice", by_both.len());
    let end = by_both.last().expect("some").at;
    within(end, 30_000, 26_000 + 20_200);
}

/// 11.27: new queues are seen after the route poll and the next pass.
#[test]
fn new_queues_are_consumed_after_the_route_poll_and_the_next_pass() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        let permission = Permission::READ_WRITE;
        story.at(
            31_000,
            Command::UpdateTopic {
                topic: TOPIC.into(),
                broker_name: None,
                read_queue_nums: 2,
                write_queue_nums: 2,
                permission,
            },
        );
        // The producer knows of it with its own poll.
        story.send_with(0, 0, "warm", 1, |_| {});
        story.send_with(62_000, 1, "m0", 1, |_| {});
        let told = story.tell(120_000);
        let at = told.times_of("m0")[0];
        within(at - 31_000, 29_000, 51_000);
        assert_eq!(told.calls_of("m0").len(), 1, "{profile:?}: from offset 0, so nothing is lost");
    }
}

/// 11.32: the heartbeat of a pass is skipped, and pulls are refused until the next one.
#[test]
fn a_skipped_heartbeat_lets_a_consumer_stand_still_for_up_to_thirty_seconds() {
    for profile in Profile::ALL {
        let delay = if profile == Profile::V42 { 3_000 } else { 1_000 };
        let mut story = Story::new(profile, 2);
        story.consumer(0, "c1");
        story.consumer(0, "c2");
        // The timer's heartbeats of c1 are at 31, 61 and 91 s; it gains a queue at 62 s.
        story.at(61_900, Command::SkipHeartbeat { client_id: "c1".into() });
        story.at(62_000, crash("c2"));
        story.send_with(45_000, 1, "m0", 100, |send| {
            send.every = rocketmq_playground::model::time::Millis(1_000);
        });
        let told = story.tell(120_000);
        let refused: Vec<u64> = told
            .events_of(|kind| {
                matches!(kind, EventKind::PullPostponed { queue, reason, .. }
                    if *queue == self::queue(1) && *reason == PostponeReason::Error)
            })
            .iter()
            .filter(|event| event.at.ms() > 62_000)
            .map(|event| event.at.ms())
            .collect();
        assert!(refused.len() >= 5, "{profile:?}: {refused:?}");
        assert!(gaps(&refused).iter().all(|gap| (delay..delay + 10).contains(gap)), "{refused:?}");
        let taken = told.calls_by("c1", 62_000).into_iter().find(|call| call.queue == 1);
        within(taken.expect("in the end").at, 91_000, 91_000 + delay + 100);
    }
}
