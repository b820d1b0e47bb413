//! What is delivered again, after a crash, a stop, a rebalance (spec 11.1 to 11.3).

use rocketmq_playground::model::listener::{ListenerStep, OnInterrupt};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::sim::event::EventKind;

use crate::story::*;

/// How long the survivor needs for its first message, beside one refused pull (spec 11.1).
fn takeover_is_in_time(profile: Profile, stall: u64) {
    match profile {
        Profile::V42 => assert!(stall <= 200 || (3_000..=3_200).contains(&stall), "{stall}"),
        Profile::V49 => assert!(stall <= 200 || (1_000..=1_200).contains(&stall), "{stall}"),
        Profile::V53 => within(stall, 500, 1_600),
    }
}

/// 11.1: a backlog in the window, one thread, 100 messages a second, no pull since the last tick.
#[test]
fn after_a_crash_what_was_finished_since_the_last_report_comes_again() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 2);
        story.consumer_with(0, "c1", |spec| {
            spec.config.consume_thread_min = 1;
            spec.listener = pausing(10);
        });
        story.consumer(0, "c2");
        story.send(12_000, 0, "m0", 900);
        story.at(18_000, crash("c1"));
        let told = story.tell(40_000);

        let finished = told.calls_by("c1", 0).len() as i64 - 1;
        let again = told.calls_by("c2", 18_000);
        let from = again.iter().map(|call| call.offset).min().expect("the survivor goes on");
        // The last tick was at 15 s: 3 s at 100 messages a second are not reported.
        within((finished - from) as u64, 298, 302);
        let twice = again.iter().filter(|call| call.offset <= finished).count() as i64;
        assert_eq!(
            twice,
            finished - from + 1,
            "{profile:?}: what was finished, and the running one"
        );
        assert_eq!(again.len() as i64, 900 - from, "the rest is delivered once");
        takeover_is_in_time(profile, again[0].at - 18_000);
    }
}

/// 11.1: trickling messages; the held pull carries the offset from before the message.
#[test]
fn with_trickling_messages_one_is_unreported_until_the_next_tick() {
    let mut story = Story::new(Profile::V42, 1);
    story.consumer(0, "c1");
    story.send(12_000, 0, "m0", 1);
    story.send(13_000, 0, "m1", 1);
    assert_eq!(story.tell(14_900).committed(&queue(0)), Some(1));
    assert_eq!(story.tell(15_100).committed(&queue(0)), Some(2), "the tick at 15 s");
    story.consumer(0, "c2");
    story.at(14_900, crash("c1"));
    let again = story.tell(30_000).calls_by("c2", 0);
    assert_eq!(again.iter().map(|call| call.key.as_str()).collect::<Vec<_>>(), ["m1"]);
}

/// 11.1: a failed message whose send-back succeeded is in the retry path and in its old queue.
#[test]
fn a_failed_message_that_was_not_reported_comes_both_ways() {
    let mut story = Story::new(Profile::V49, 1);
    story.consumer(0, "c1");
    story.consumer(0, "c2");
    story.send_with(12_000, 0, "m0", 1, |send| send.script = fails(1));
    story.at(13_000, crash("c1"));
    let calls = story.tell(40_000).calls_of("m0");
    let at_c2: Vec<_> = calls[1..].iter().map(|call| call.topic.as_str()).collect();
    // The scripts count per process: the second process fails it once more, so there are two copies.
    assert_eq!(at_c2, ["T", "%RETRY%G", "%RETRY%G"]);
}

/// 11.2, the minimum example: 3 is slow, 0 to 2 and 4 to 6 are finished, 3 and 7 to 9 run.
#[test]
fn a_clean_stop_in_4_2_repeats_what_lies_behind_the_slow_message() {
    let mut story = Story::new(Profile::V42, 1);
    story.consumer_with(0, "c1", |spec| spec.config.consume_thread_min = 5);
    story.consumer(0, "c2");
    story.send(12_000, 0, "a0", 3);
    story.send_with(12_100, 0, "a3", 1, |send| send.script = takes(100_000));
    story.send(12_200, 0, "a4", 3);
    story.send_with(12_300, 0, "a7", 3, |send| send.script = takes(50_000));
    story.at(20_000, stop("c1"));
    let told = story.tell(30_000);
    let again: Vec<i64> = told.calls_by("c2", 0).iter().map(|call| call.offset).collect();
    assert_eq!(again, [3, 4, 5, 6, 7, 8, 9], "three finished ones and four running ones");
}

/// 11.2, measured: offset 5 blocked, 6 to 63 finished.
#[test]
fn a_graceful_stop_repeats_what_the_listener_s_reaction_to_its_interrupt_leaves() {
    let redelivered = |profile: Profile, on_interrupt: OnInterrupt| {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.consumer(0, "c2");
        story.send(12_000, 0, "a0", 5);
        let blocked = ListenerStep { on_interrupt, ..ListenerStep::ok().taking(Millis(500_000)) };
        story.send_with(12_100, 0, "a5", 1, |send| send.script = always(blocked));
        story.send(12_200, 0, "a6", 58);
        story.at(20_000, stop("c1"));
        let told = story.tell(40_000);
        let copies = told.count(|kind| matches!(kind, EventKind::RetryStored { .. }));
        let of_topic = told.calls_by("c2", 0).iter().filter(|call| call.topic == TOPIC).count();
        (of_topic, copies)
    };
    assert_eq!(redelivered(Profile::V42, OnInterrupt::Succeeds), (59, 0), "nobody interrupts");
    for profile in [Profile::V49, Profile::V53] {
        assert_eq!(redelivered(profile, OnInterrupt::Succeeds), (0, 0), "{profile:?}");
        assert_eq!(redelivered(profile, OnInterrupt::Fails), (59, 1), "{profile:?}");
        assert_eq!(redelivered(profile, OnInterrupt::Ignores), (59, 0), "{profile:?}");
    }
}

/// 11.2: with a time to wait, running and waiting requests may finish first.
#[test]
fn a_stop_that_waits_for_its_listeners_repeats_nothing() {
    for profile in [Profile::V49, Profile::V53] {
        let mut story = Story::new(profile, 1);
        story.consumer_with(0, "c1", |spec| {
            spec.config.await_termination_when_shutdown = Millis(10_000);
            spec.config.consume_thread_min = 1;
            spec.listener = pausing(500);
        });
        story.consumer(0, "c2");
        story.send(12_000, 0, "m0", 6);
        story.at(12_700, stop("c1"));
        let told = story.tell(40_000);
        assert_eq!(told.calls_by("c1", 0).len(), 6, "{profile:?}");
        assert_eq!(told.calls_by("c2", 0), [], "{profile:?}");
        let stopped = told.first(|kind| matches!(kind, EventKind::ConsumerStopped { .. }));
        within(stopped.expect("it stops"), 15_000, 15_100);
    }
}

/// 11.2: a newcomer takes a queue while it is being worked on.
#[test]
fn a_clean_rebalance_repeats_the_running_and_the_unreported() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 2);
        story.consumer_with(0, "c1", |spec| spec.listener = pausing(200));
        story.send(12_000, 0, "a0", 100);
        story.send(12_000, 1, "b0", 100);
        story.consumer_with(12_500, "c2", |spec| spec.listener = pausing(200));
        let told = story.tell(60_000);
        let dropped = told
            .events_of(|kind| matches!(kind, EventKind::QueueDropped { queue, .. } if *queue == self::queue(1)))
            .first()
            .map(|event| event.sequence)
            .expect("queue 1 moves");
        let at_c1: Vec<_> = told.calls_by("c1", 0).into_iter().filter(|it| it.queue == 1).collect();
        let at_c2: Vec<_> = told.calls_by("c2", 0).into_iter().filter(|it| it.queue == 1).collect();
        assert!(
            at_c1.iter().all(|call| call.sequence < dropped),
            "{profile:?}: nothing new begins"
        );
        let ended = told.events_of(|kind| matches!(kind, EventKind::ResultIgnored { .. }));
        let repeated = at_c1.iter().filter(|call| at_c2.iter().any(|it| it.offset == call.offset));
        let repeated = repeated.count();
        assert!(repeated >= ended.len() && repeated <= ended.len() + 20, "{profile:?}: {repeated}");
        let mut offsets: Vec<i64> = at_c1.iter().chain(&at_c2).map(|call| call.offset).collect();
        offsets.sort_unstable();
        offsets.dedup();
        assert_eq!(offsets, (0..100).collect::<Vec<_>>(), "{profile:?}: nothing is lost");
    }
}

/// 11.3, measured: offset 5 of 96 blocked.
#[test]
fn one_slow_message_pins_the_offset_and_a_crash_repeats_all_behind_it() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer(0, "c1");
        story.consumer(0, "c2");
        story.send(12_000, 0, "a0", 5);
        story.send_with(12_100, 0, "a5", 1, |send| send.script = never());
        story.send(12_200, 0, "a6", 90);
        let told = story.tell(120_000);
        let finished = told.count(|kind| matches!(kind, EventKind::ConsumeEnded { .. }));
        assert_eq!((finished, told.committed(&queue(0))), (95, Some(5)), "{profile:?}");
        story.at(120_000, crash("c1"));
        let told = story.tell(150_000);
        assert_eq!(told.calls_by("c2", 0).len(), 91, "{profile:?}");
    }
}

/// 11.3 and 04.3: the cleaner, consumeTimeout 1 minute as measured.
#[test]
fn a_stuck_message_is_sent_back_by_the_cleaner_and_the_offset_goes_on() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer_with(0, "c1", |spec| spec.config.consume_timeout = 1);
        story.send_with(2_000, 0, "m0", 1, |send| send.script = never());
        story.send(3_000, 0, "m1", 3);
        let told = story.tell(160_000);
        let sent_back = told.first(|kind| matches!(kind, EventKind::ExpiredSentBack { .. }));
        let sent_back = sent_back.expect("it was stuck");
        within(sent_back - 2_003, 116_000, 119_000);
        let calls = told.times_of("m0");
        within(calls[1] - sent_back, 10_000, 10_200);
        let idle_answer = told
            .events_of(|kind| matches!(kind, EventKind::OffsetMoved { to, .. } if to.0 == 4))
            .first()
            .map(|event| event.at.ms() - sent_back);
        within(idle_answer.expect("the next idle answer moves it"), 0, 20_000);
    }
}

/// 11.3, the trap of 4.2.0: a message that waits behind the rescued one ends the cleaner.
#[test]
fn in_4_2_the_cleaner_dies_of_a_message_that_has_not_begun() {
    let story = |profile: Profile| {
        let mut story = Story::new(profile, 1);
        story.consumer_with(0, "c1", |spec| {
            spec.config.consume_timeout = 1;
            spec.config.consume_thread_min = 1;
        });
        story.send_with(2_000, 0, "m0", 2, |send| send.script = never());
        story
    };
    let died = |told: &Told| told.count(|kind| matches!(kind, EventKind::CleanerDied { .. }));
    let rescued =
        |told: &Told| told.count(|kind| matches!(kind, EventKind::ExpiredSentBack { .. }));
    let told = story(Profile::V42).tell(400_000);
    assert_eq!((rescued(&told), died(&told)), (1, 1), "the second one is met unstarted");
    for profile in [Profile::V49, Profile::V53] {
        assert_eq!(died(&story(profile).tell(400_000)), 0, "{profile:?}");
    }
    let mut mended = story(Profile::V42);
    mended.setup.clean_expired_defect = false;
    assert_eq!(died(&mended.tell(400_000)), 0, "the switch");
}
