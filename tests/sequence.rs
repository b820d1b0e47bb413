//! The sequence view as data: arrows, notes, bars and cuts, and where their words stand.

use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::recording::{Recording, Start};
use rocketmq_playground::scenario::presets;
use rocketmq_playground::scene::film::Film;
use rocketmq_playground::scene::log::Log;
use rocketmq_playground::scene::narrate::Narrator;
use rocketmq_playground::scene::sequence::place::{self, Shape, wrap};
use rocketmq_playground::scene::sequence::{self, ArrowKind, Row, Sequence};
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::text::Language;

fn at(name: &str, profile: Profile, moment: u64) -> Sequence {
    let scenario = presets::by_name_as(name, profile).expect("it is a preset");
    let mut recording = Recording::new(Start::from(&scenario), Vec::new());
    recording.extend_until(scenario.until, TaskBudget::UNLIMITED);
    let mut film = Film::new();
    film.follow(&recording);
    let mut log = Log::default();
    log.follow(&recording, film.timeline());
    let narrator = Narrator::new(&recording, film.journal());
    let event = recording.events_until(Millis(moment)) - 1;
    sequence::around(&recording, &log, &narrator, event)
}

fn names(sequence: &Sequence) -> Vec<String> {
    sequence.lifelines.iter().map(|it| it.name.say(Language::En).to_string()).collect()
}

/// Each arrow as `c1>broker-a 41 LOCK_BATCH_MQ q1`.
fn arrows(sequence: &Sequence) -> Vec<String> {
    let names = names(sequence);
    let arrow = |row: &Row| match row {
        Row::Arrow { from, to, kind, told, .. } => {
            let code = told.code.map(|code| format!("{} {}", code.number, code.name));
            let kind = match kind {
                ArrowKind::Request => ">",
                ArrowKind::Answer => "<",
                ArrowKind::Lost => "x",
            };
            let subject = told.subject.clone().unwrap_or_default();
            Some(format!(
                "{}{kind}{} {} {subject}",
                names[*from],
                names[*to],
                code.unwrap_or_default()
            ))
        }
        _ => None,
    };
    sequence.rows.iter().filter_map(arrow).collect()
}

#[test]
fn lifelines_stand_in_the_order_of_the_flow() {
    let sequence = at("minute-of-silence", Profile::V42, 31_000);
    let names = names(&sequence);
    assert_eq!(names.first().map(String::as_str), Some("p1"), "{names:?}");
    let place = |name: &str| names.iter().position(|it| it == name).expect("it takes part");
    assert!(place("broker-a") < place("c1") && place("c1") < place("c2"), "{names:?}");
}

#[test]
fn the_orderly_flow_asks_for_the_lock_is_refused_and_asks_again() {
    for profile in Profile::ALL {
        let sequence = at("minute-of-silence", profile, 46_000);
        let arrows = arrows(&sequence);
        let asks = |arrow: &&String| arrow.starts_with("c1>broker-a 41 LOCK_BATCH_MQ");
        assert!(arrows.iter().any(|it| asks(&it)), "{profile:?} {arrows:#?}");
        let is_refusal = |row: &Row| match row {
            Row::Note { told, .. } => {
                told.text.say(Language::En).contains("not locked for c1: c2 has the lock")
            }
            _ => false,
        };
        assert!(sequence.rows.iter().any(is_refusal), "{profile:?}");
    }
}

#[test]
fn the_concurrent_flow_of_one_message_goes_from_the_producer_to_the_consumer() {
    let sequence = at("happy-path", Profile::V42, 8_000);
    let arrows = arrows(&sequence);
    let sent = arrows.iter().position(|it| it.contains("310 SEND_MESSAGE_V2"));
    let found = arrows.iter().position(|it| it.contains("<c1 11 PULL_MESSAGE"));
    assert!(sent.is_some() && found.is_some() && sent < found, "{arrows:#?}");
}

#[test]
fn waits_are_cuts_and_what_repeats_itself_is_one_bar() {
    let sequence = at("minute-of-silence", Profile::V42, 29_000);
    let cut = |row: &Row| match row {
        Row::Cut { from, until } => Some(until.since(*from)),
        _ => None,
    };
    let longest = sequence.rows.iter().filter_map(cut).max();
    assert!(longest > Some(Millis(5_000)), "{longest:?}");
    let bars: Vec<(u16, u32)> = sequence
        .rows
        .iter()
        .filter_map(|row| match row {
            Row::Bar { code, count, .. } => Some((code.number, *count)),
            _ => None,
        })
        .collect();
    assert!(bars.iter().any(|(number, count)| *number == 34 && *count > 1), "{bars:?}");
    // Of one stretch, a kind of call between two machines has one bar.
    let stretches = sequence.rows.split(|row| !matches!(row, Row::Bar { .. }));
    for stretch in stretches {
        let mut seen = Vec::new();
        for row in stretch {
            if let Row::Bar { from, to, code, .. } = row {
                assert!(!seen.contains(&(from, to, code)), "{row:?} twice");
                seen.push((from, to, code));
            }
        }
    }
}

#[test]
fn the_event_in_force_is_the_row_that_is_marked_and_later_rows_follow() {
    let sequence = at("stop-or-kill", Profile::V53, 20_000);
    let now = sequence.now.expect("something has happened");
    let event = sequence.rows[now].event().expect("the marked row is an event");
    let later = sequence.rows[now + 1..].iter().filter_map(Row::event);
    assert!(later.clone().count() > 0);
    assert!(later.into_iter().all(|of| of > event));
}

#[test]
fn rows_do_not_overlap_and_words_keep_to_their_width() {
    for language in Language::ALL {
        for width in [340.0, 900.0, 1_240.0] {
            let sequence = at("minute-of-silence", Profile::V42, 46_000);
            let placed = place::place(&sequence, width, language);
            let mut bottom = 0.0;
            for row in &placed.rows {
                assert!(row.top >= bottom, "{row:?}");
                bottom = row.top + row.height;
                assert!(!row.lines.is_empty() && !row.name.is_empty(), "{row:?}");
                if let Shape::Arrow { from, to, .. } = row.shape {
                    assert!(from != to && from.max(to) <= placed.width);
                }
            }
            assert!(bottom <= placed.height);
        }
    }
}

#[test]
fn long_names_break_after_underscores_and_chinese_anywhere() {
    assert_eq!(wrap("105 GET_ROUTEINTO_BY_TOPIC", 140.0), ["105 GET_", "ROUTEINTO_BY_", "TOPIC"]);
    let chinese = wrap("查询消费者组的路由信息", 80.0);
    assert!(
        chinese.len() > 1 && chinese.iter().all(|line| line.chars().count() <= 5),
        "{chinese:?}"
    );
    assert!(wrap("abcdefghijklmnopqrstuvwxyz", 60.0).len() > 2);
    assert_eq!(wrap("c1", 60.0), ["c1"]);
}
