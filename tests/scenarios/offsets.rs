//! Offsets that are reset, wrong or reported (spec 11.22, 11.23, 07).

use rocketmq_playground::model::ids::QueueId;
use rocketmq_playground::model::offset::QueueOffset;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::sim::command::Command;
use rocketmq_playground::sim::event::{EventKind, PullStatus};
use rocketmq_playground::sim::packet::RequestCode;
use rocketmq_playground::sim::setup::StoredOffset;

use crate::story::*;

fn reset(timestamp: i64, force: bool) -> Command {
    Command::ResetOffset { group: GROUP.into(), topic: TOPIC.into(), timestamp, force }
}

/// The longest time without a call of a queue, in the seconds after a moment.
fn pause_after(told: &Told, topic: &str, queue: u32, at: u64) -> u64 {
    let calls = told.calls();
    let times: Vec<u64> = calls
        .iter()
        .filter(|call| call.topic == topic && call.queue == queue)
        .map(|call| call.at)
        .filter(|time| (at - 1_000..at + 15_000).contains(time))
        .collect();
    gaps(&times).into_iter().max().expect("it goes on")
}

/// 11.22: back to a moment while messages come each 100 ms on two queues.
#[test]
fn a_reset_stops_the_whole_consumer_for_ten_seconds_until_5_1_and_one_queue_for_one_since() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 2);
        story.topic("U", 1);
        story.consumer_with(0, "c1", |spec| spec.subscriptions.push(("U".into(), "*".into())));
        for id in 0..2 {
            story.send_with(20_000, id, &format!("q{id}x0"), 600, |send| send.every = Millis(100));
        }
        story.send_with(20_000, 0, "u0", 600, |send| {
            send.topic = "U".into();
            send.every = Millis(100);
        });
        story.at(50_050, reset(40_000, true));
        let told = story.tell(100_000);
        let again = told.calls_of("q0x250");
        assert_eq!(again.len(), 2, "{profile:?}: sent at 45 s, so read again");
        assert_eq!(told.calls_of("q0x150").len(), 1, "{profile:?}: sent at 35 s");
        assert!(again.iter().all(|call| call.times == 0), "{profile:?}: as if it were new");
        let of_topic = pause_after(&told, TOPIC, 0, 50_050);
        let of_other = pause_after(&told, "U", 0, 50_050);
        if profile == Profile::V53 {
            within(of_topic, 400, 1_800);
            within(of_other, 90, 110);
        } else {
            within(of_topic, 10_000, 11_700);
            within(of_other, 9_000, 11_700);
        }
    }
}

/// 11.22: forward, what was skipped never comes.
#[test]
fn what_a_forward_reset_skips_is_never_delivered() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer_with(0, "c1", |spec| {
            spec.listener = pausing(1_000);
            spec.config.consume_thread_min = 1;
            spec.config.pull_threshold_for_queue = 1;
            spec.config.pull_batch_size = 1;
        });
        story.send(20_000, 0, "m0", 500);
        story.at(50_050, reset(-1, true));
        story.send(90_000, 0, "after", 1);
        let told = story.tell(120_000);
        assert_eq!(told.calls_of("after").len(), 1, "{profile:?}");
        assert_eq!(told.calls_of("m400").len(), 0, "{profile:?}");
    }
}

/// A stored offset that is out of range.
fn with_stored(profile: Profile, offset: i64) -> Story {
    let mut story = Story::new(profile, 1);
    story.setup.stored_offsets.push(StoredOffset {
        group: GROUP.into(),
        topic: TOPIC.into(),
        broker_name: broker_name(),
        queue_id: QueueId(0),
        offset: QueueOffset(offset),
    });
    story
}

/// 11.23: the broker lost its tail, or somebody set it too far.
#[test]
fn a_stored_offset_beyond_the_end_is_repaired() {
    for profile in Profile::ALL {
        let mut story = with_stored(profile, 500);
        story.is_checked = false;
        story.send(0, 0, "m0", 40);
        story.consumer(30_000, "c1");
        story.send_with(31_500, 0, "n0", 30, |send| send.every = Millis(1_000));
        let told = story.tell(90_000);
        let illegal = told.events_of(|kind| {
            matches!(kind, EventKind::PullAnswered { status: PullStatus::OffsetIllegal, .. })
        });
        let bad = illegal[0].at.ms();
        let first = &told.calls()[0];
        match profile {
            Profile::V42 => {
                assert_eq!(first.offset, 0, "a full replay: minOffset is 0");
                within(first.at - bad, 10_000, 30_100);
            }
            Profile::V49 => {
                assert!(first.offset >= 40, "at maxOffset");
                within(first.at - bad, 10_000, 30_100);
            }
            Profile::V53 => {
                assert!(first.offset >= 40);
                within(first.at - bad, 500, 2_600);
            }
        }
    }
}

/// 11.23: messages expired.
#[test]
fn a_stored_offset_before_the_front_goes_on_at_the_front() {
    for profile in Profile::ALL {
        let mut story = with_stored(profile, 3);
        story.send(0, 0, "m0", 40);
        let min_offset = QueueOffset(20);
        story.at(
            20_000,
            Command::ExpireHead {
                broker_name: broker_name(),
                topic: TOPIC.into(),
                queue_id: QueueId(0),
                min_offset,
            },
        );
        story.consumer(30_000, "c1");
        let calls = story.tell(90_000).calls();
        assert_eq!((calls[0].offset, calls.len()), (20, 20), "{profile:?}");
    }
}

/// 07.2: the tick, 10 s after the start and then each 5 s, and its property.
#[test]
fn offsets_are_reported_on_the_grid_of_the_instance() {
    let reports = |interval: Option<u64>| {
        let mut story = Story::new(Profile::V49, 1);
        story.consumer_with(1_000, "c1", |spec| {
            if let Some(ms) = interval {
                spec.config.persist_consumer_offset_interval = Millis(ms);
            }
        });
        let mut times = story.tell(30_000).requests("c1", RequestCode::UpdateConsumerOffset);
        times.dedup();
        times
    };
    assert_eq!(reports(None), [11_000, 16_000, 21_000, 26_000]);
    assert_eq!(reports(Some(9_000)), [11_000, 20_000, 29_000]);
}

/// 01.5.5: a pull carries the offset, unless it is 0 or there is none.
#[test]
fn pulls_carry_the_offset_once_it_is_above_zero() {
    let mut story = Story::new(Profile::V49, 1);
    story.consumer(0, "c1");
    story.send(30_000, 0, "m0", 2);
    story.send(31_000, 0, "n0", 1);
    let told = story.tell(34_000);
    let by_pull =
        told.events_of(|kind| matches!(kind, EventKind::OffsetCommitted { by_pull: true, .. }));
    assert_eq!(by_pull.len(), 1, "the pull after n0 carries 2");
    assert_eq!(told.committed(&queue(0)), Some(2));
}
