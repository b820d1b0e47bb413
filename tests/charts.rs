//! What the charts are drawn from: who owned which queue when, and the sentence that sums it up.

use rocketmq_playground::app::App;
use rocketmq_playground::app::action::{Action, ChartKind, Device, Media, Step};
use rocketmq_playground::app::shown::{ChartsShown, OwnersShown, ShelfShown};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::text::Language;
use rocketmq_playground::text::charts::ChartText;

/// The chart at the moment of the address; under another version, at the end of the run.
fn chart(hash: &str, profile: Option<usize>, kind: ChartKind) -> ChartsShown {
    let mut app = App::default();
    let media = Media { width: 1280.0, height: 720.0, ..Media::default() };
    app.update(Action::Started(Box::new(Device {
        hash: hash.to_owned(),
        media,
        ..Device::default()
    })));
    if let Some(profile) = profile {
        app.update(Action::ChoseProfile(Profile::ALL[profile]));
    }
    for _ in 0..10_000 {
        if app.run.as_ref().is_some_and(|run| run.is_complete()) {
            break;
        }
        app.update(Action::FramePassed(16.0));
    }
    app.update(Action::ChoseChart(kind));
    if profile.is_some() {
        app.update(Action::Stepped(Step::End));
    }
    app.run_shown().expect("a run is open").chart
}

fn owners(hash: &str, profile: Option<usize>) -> std::rc::Rc<OwnersShown> {
    match chart(hash, profile, ChartKind::Owners) {
        ChartsShown::Owners(owners) => owners,
        other => panic!("{other:?}"),
    }
}

fn shelf(hash: &str) -> std::rc::Rc<ShelfShown> {
    match chart(hash, None, ChartKind::Shelf) {
        ChartsShown::Shelf(shelf) => shelf,
        other => panic!("{other:?}"),
    }
}

fn ms(stretches: &[(Millis, Millis)]) -> Vec<(u64, u64)> {
    stretches.iter().map(|(from, until)| (from.ms(), until.ms())).collect()
}

/// The one orderly queue whose owner is killed at 45 s, its lock last renewed at 41 s.
#[test]
fn the_lock_of_a_killed_owner_lives_on_and_nobody_owns_its_queue_meanwhile() {
    // Spec 11.16: when the new owner begins depends on the version.
    let ends = [(121_002, 101_001), (105_028, 101_001), (101_346, 101_003)];
    for (profile, (end, lease)) in ends.into_iter().enumerate() {
        let owners = owners("#/p/minute-of-silence", Some(profile));
        assert!(owners.is_orderly);
        let [q0, q1, _] = owners.rows.as_slice() else { panic!("{:?}", owners.rows) };
        assert_eq!((&*q0.label, q0.gaps.len(), q0.overlaps.len()), ("q0", 0, 0));
        assert_eq!(ms(&q1.gaps), [(45_000, end)], "profile {profile}");
        let [dead, new] = q1.bars.as_slice() else { panic!("{:?}", q1.bars) };
        assert_eq!(
            (&*dead.who, dead.gone, dead.until),
            ("c2", Some(Millis(45_000)), Millis(lease))
        );
        assert_eq!((&*new.who, new.gone), ("c1", None));
        assert!(new.from > dead.until);
    }
}

#[test]
fn the_sentence_names_the_longest_gap() {
    let owners = owners("#/p/minute-of-silence?t=140", None);
    let summary = owners.summary.as_ref().expect("the group has queues");
    assert_eq!(
        summary.say(Language::En),
        "q1 had no owner for 76.0 s, from T+00:45.000 to T+02:01.002."
    );
    assert_eq!(
        summary.say(Language::ZhCn),
        "q1 有 76.0 秒 没有消费者：从 T+00:45.000 到 T+02:01.002。"
    );
    let during = self::owners("#/p/minute-of-silence?t=80", None);
    let queue = "q1".into();
    assert_eq!(during.summary, Some(ChartText::GapSince { queue, from: Millis(45_000) }));
    let before = self::owners("#/p/minute-of-silence?t=40", None);
    assert_eq!(before.summary, Some(ChartText::OneOwnerEach));
}

#[test]
fn two_who_hold_a_queue_at_once_overlap() {
    let owners = owners("#/p/more-consumers-than-queues?t=59", None);
    let q1 = owners.rows.iter().find(|row| &*row.label == "q1").expect("there are two queues");
    assert_eq!(ms(&q1.overlaps), [(30_008, 30_010)]);
    assert!(!owners.is_orderly && q1.beliefs.is_empty());
}

#[test]
fn nothing_of_the_future_is_told() {
    let owners = owners("#/p/minute-of-silence?t=60", None);
    let ends = owners.rows.iter().flat_map(|row| &row.bars).map(|bar| bar.until);
    assert!(ends.max() <= Some(Millis(60_000)));
}

#[test]
fn the_shelf_knows_the_limits_that_stop_its_pulls() {
    let shelf = shelf("#/p/flow-control-span?t=35");
    assert_eq!((&*shelf.queue, shelf.count_limit, shelf.span_limit), ("q0", 1_000, Some(7)));
    // The second message is never done; the others come until their offsets lie too far apart.
    assert_eq!(shelf.span.last().map(|it| it.1), Some(14));
    assert!(shelf.count.iter().all(|(at, _)| *at <= shelf.now));
    let in_order = self::shelf("#/p/minute-of-silence?t=60");
    assert_eq!(in_order.span_limit, None);
}
