//! What stops pulling: span, count, size; and what threads do (spec 11.4 to 11.7).

use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::sim::event::{EventKind, PostponeReason, RequestDetail};
use rocketmq_playground::sim::packet::RequestCode;

use crate::story::*;

fn postponed(told: &Told, wanted: PostponeReason) -> usize {
    told.count(|kind| matches!(kind, EventKind::PullPostponed { reason, .. } if *reason == wanted))
}

/// The moments of pulls of queue 0 from an offset on.
fn pulls_from(told: &Told, from: i64) -> Vec<u64> {
    let is_it = |kind: &EventKind| {
        matches!(kind, EventKind::RequestSent {
            detail: RequestDetail::Pull { topic, offset, .. }, ..
        } if topic.as_str() == TOPIC && offset.0 >= from)
    };
    told.events_of(is_it).iter().map(|event| event.at.ms()).collect()
}

/// 11.4: offset 0 blocked, 6000 behind it, others take 1 ms.
#[test]
fn the_span_is_a_throttle_and_not_a_wall() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.send_with(0, 0, "m0", 1, |send| send.script = never());
        story.send(100, 0, "m1", 5_999);
        story.consumer_with(20_000, "c1", |spec| spec.listener = pausing(1));
        let told = story.tell(60_000);
        assert_eq!(told.calls().len(), 6_000, "{profile:?}: never a stop");
        assert_eq!(told.committed(&queue(0)), Some(0), "{profile:?}: though the offset is pinned");
        let throttled = pulls_from(&told, 2_100);
        let throttled = &throttled[..throttled.len() - 2];
        for gap in gaps(throttled) {
            within(gap, 52, 53);
        }
        // 32 messages each 50 ms + RTT: 615 a second.
        let calls = told.calls();
        let at =
            |offset: usize| calls.iter().find(|it| it.offset == offset as i64).expect("all").at;
        let rate = 3_200_u64 * 1_000 / (at(5_500) - at(2_300));
        within(rate, 600, 618);
        assert!(postponed(&told, PostponeReason::Span) > 100, "{profile:?}");
    }
}

/// 11.4: with a second unfinished message beyond s + 2000 nothing is pulled any more.
#[test]
fn two_stuck_messages_too_far_apart_stop_pulling() {
    let mut story = Story::new(Profile::V49, 1);
    story.send_with(0, 0, "m0", 1, |send| send.script = never());
    story.send(10, 0, "m1", 2_489);
    story.send_with(200, 0, "n0", 1, |send| send.script = never());
    story.send(300, 0, "o0", 3_000);
    story.consumer(20_000, "c1");
    let told = story.tell(60_000);
    let last = told.calls().iter().map(|call| call.offset).max();
    within(last.expect("some") as u64, 2_490, 2_490 + 31);
    let times = pulls_from(&told, 0);
    assert!(*times.last().expect("some") < 30_000, "no pull for half a minute");
}

/// 11.4, the boundary: a span of exactly 2000 still pulls.
#[test]
fn a_span_of_exactly_the_limit_still_pulls() {
    let told = |behind: u32| {
        let mut story = Story::new(Profile::V49, 1);
        story.consumer(0, "c1");
        story.send_with(12_000, 0, "m0", 1, |send| send.script = never());
        story.send(12_010, 0, "m1", behind - 1);
        story.send_with(14_000, 0, "last", 1, |send| send.script = never());
        let told = story.tell(16_000);
        postponed(&told, PostponeReason::Span)
    };
    assert_eq!(told(2_000), 0, "the last one is at offset 2000");
    assert!(told(2_001) > 10, "the last one is at offset 2001");
}

/// 11.5: service 1 s, 20 threads.
#[test]
fn the_window_saw_tooths_around_1000_and_never_exceeds_1032() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.send(0, 0, "m0", 3_000);
        story.consumer_with(10_000, "c1", |spec| spec.listener = pausing(1_000));
        let told = story.tell(70_000);
        assert_eq!(told.peaks[&("c1".into(), "T/0".into())], 1_032, "{profile:?}");
        let waits = told.events_of(|kind| {
            matches!(kind, EventKind::PullPostponed { reason: PostponeReason::Count, .. })
        });
        let first_wait = waits[0].at.ms();
        assert_eq!(gaps(&[first_wait, waits[1].at.ms()]), [50], "{profile:?}");
        let pulled = pulls_from(&told, 0).iter().filter(|at| **at <= first_wait).count();
        assert_eq!(pulled, 32, "{profile:?}: 1024 messages until the first stop");
        let calls = told.calls();
        let begin = calls[0].at;
        assert_eq!(
            calls.iter().filter(|call| call.at < begin + 50_000).count(),
            1_000,
            "20 a second"
        );
    }
}

/// 11.5: bodies of 1 MiB come one by one, and pulling stops at 101.
#[test]
fn the_size_limit_counts_whole_mebibytes() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.send_with(0, 0, "m0", 200, |send| send.body_bytes = 1_048_576);
        story.consumer_with(10_000, "c1", |spec| spec.listener = pausing(1_000_000));
        let told = story.tell(20_000);
        assert_eq!(told.peaks[&("c1".into(), "T/0".into())], 101, "{profile:?}");
        assert!(postponed(&told, PostponeReason::Size) > 10, "{profile:?}");
    }
}

/// 02.4.6: a topic's thresholds are shared by the queues of all topics, one at least.
#[test]
fn a_topic_s_threshold_is_shared_by_all_queues() {
    let mut story = Story::new(Profile::V49, 4);
    for id in 0..4 {
        story.send(0, id, &format!("q{id}m0"), 100);
    }
    story.consumer_with(10_000, "c1", |spec| {
        spec.config.pull_threshold_for_topic = 50;
        spec.config.pull_threshold_size_for_topic = 20;
        spec.listener = pausing(1_000_000);
        spec.config.pull_batch_size = 1;
    });
    let told = story.tell(20_000);
    // Five queues with the retry queue: 10 messages and 4 MiB for each.
    let config = &told.consumer("c1").config;
    assert_eq!((config.pull_threshold_for_queue, config.pull_threshold_size_for_queue), (10, 4));
    assert_eq!(told.peaks[&("c1".into(), "T/3".into())], 11);
}

/// 11.6: a pool with an unbounded queue never grows beyond its core.
#[test]
fn the_maximum_of_the_pool_is_never_reached() {
    let per_second = |min: u32| {
        let mut story = Story::new(Profile::V42, 1);
        story.send(0, 0, "m0", 900);
        story.consumer_with(10_000, "c1", |spec| {
            spec.config.consume_thread_min = min;
            spec.config.consume_thread_max = 64;
            spec.listener = pausing(1_000);
        });
        let calls = story.tell(21_000).calls();
        let begin = calls[0].at;
        calls.iter().filter(|call| call.at < begin + 10_000).count() / 10
    };
    assert_eq!((per_second(20), per_second(64)), (20, 64));
}

/// 11.7: twenty hanging messages of one topic stop the other topic too.
#[test]
fn one_pool_serves_all_topics_so_one_topic_starves_the_other() {
    let mut story = Story::new(Profile::V49, 1);
    story.topic("U", 1);
    story.consumer_with(0, "c1", |spec| spec.subscriptions.push(("U".into(), "*".into())));
    story.send_with(12_000, 0, "m0", 20, |send| send.script = never());
    story.send_with(13_000, 0, "u0", 2_000, |send| send.topic = "U".into());
    let told = story.tell(60_000);
    assert_eq!(told.calls().iter().filter(|call| call.topic == "U").count(), 0);
    let peak = told.peaks[&("c1".into(), "U/0".into())];
    within(peak as u64, 1_001, 1_032);
}

/// 03.3: the batch that a pull asks for, and pullInterval between two.
#[test]
fn pulls_ask_for_their_batch_and_keep_their_interval() {
    let mut story = Story::new(Profile::V49, 1);
    story.send(0, 0, "m0", 100);
    story.consumer_with(10_000, "c1", |spec| {
        spec.config.pull_batch_size = 7;
        spec.config.pull_interval = rocketmq_playground::model::time::Millis(300);
    });
    let told = story.tell(14_000);
    let found =
        told.events_of(|kind| matches!(kind, EventKind::PullAnswered { found, .. } if *found > 0));
    let sizes: Vec<u32> = found
        .iter()
        .map(|event| match &event.kind {
            EventKind::PullAnswered { found, .. } => *found,
            _ => 0,
        })
        .collect();
    assert!(sizes[..14].iter().all(|size| *size == 7), "{sizes:?}");
    let times: Vec<u64> = found.iter().map(|event| event.at.ms()).collect();
    assert!(gaps(&times[..10]).iter().all(|gap| *gap == 302), "{times:?}");
    assert!(told.requests("c1", RequestCode::PullMessage).len() > 14);
}
