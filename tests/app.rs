//! The page's state without a browser: what a visitor does, and what they see then.

use rocketmq_playground::app::action::{Action, Device, Media, RailTab, Step};
use rocketmq_playground::app::ask::{Ask, Fails, Sending};
use rocketmq_playground::app::effect::Effect;
use rocketmq_playground::app::fault::{FaultField, Target, Verb};
use rocketmq_playground::app::keys::KeyPress;
use rocketmq_playground::app::player::Drive;
use rocketmq_playground::app::shown::ChartsShown;
use rocketmq_playground::app::{App, Page};
use rocketmq_playground::model::ids::BrokerIndex;
use rocketmq_playground::scene::mark::MarkId;
use rocketmq_playground::sim::event::EventKind;
use rocketmq_playground::text::Language;
use rocketmq_playground::text::inspect::{InspectWord, Value};

fn started(hash: &str) -> App {
    let mut app = App::default();
    let media = Media { width: 1280.0, height: 720.0, ..Media::default() };
    let device = Device { hash: hash.to_owned(), media, ..Device::default() };
    app.update(Action::Started(Box::new(device)));
    app
}

/// Lets the run be computed to its end.
fn complete(app: &mut App) {
    for _ in 0..10_000 {
        if app.run.as_ref().is_none_or(|run| run.is_complete() && run.is_checked()) {
            return;
        }
        app.update(Action::FramePassed(16.0));
    }
    panic!("the run is never complete");
}

fn opened(hash: &str) -> App {
    let mut app = started(hash);
    complete(&mut app);
    app
}

fn hash_of(effects: &[Effect]) -> Option<&str> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::WriteHash { text, .. } => Some(text.as_str()),
        _ => None,
    })
}

fn now(app: &App) -> u64 {
    app.run.as_ref().expect("a run is open").now().ms()
}

#[test]
fn an_address_with_a_moment_opens_at_that_moment() {
    for ms in [0, 1_000, 2_006, 20_350, 44_151, 300_000] {
        let app = opened(&format!("#/p/poison-message?t={}.{:03}", ms / 1_000, ms % 1_000));
        assert_eq!(now(&app), ms);
    }
}

#[test]
fn the_address_of_each_step_leads_back_to_the_same_frame() {
    let mut app = opened("#/p/happy-path");
    for _ in 0..60 {
        let effects = app.update(Action::Stepped(Step::Event));
        let hash = format!("#{}", hash_of(&effects).expect("a step writes the address"));
        let mut other = opened(&hash);
        assert_eq!(now(&other), now(&app), "{hash}");
        let frame = |app: &mut App| app.run_shown().expect("a run is shown").frame;
        assert_eq!(frame(&mut other).to_text(), frame(&mut app).to_text(), "{hash}");
    }
}

#[test]
fn play_runs_to_the_end_stops_there_and_goes_on_when_pressed_again() {
    let mut app = opened("#/p/start-up");
    app.update(Action::ToggledWalk);
    assert_eq!(app.drive(), Drive::Nothing);
    app.update(Action::PressedPlay);
    assert_eq!(app.drive(), Drive::Frames);
    for _ in 0..2_000 {
        app.update(Action::FramePassed(250.0));
    }
    let run = app.run.as_ref().expect("open");
    assert!(run.is_at_end() && !run.player.is_playing);
    let end = now(&app);
    app.update(Action::PressedPlay);
    complete(&mut app);
    app.update(Action::FramePassed(250.0));
    assert!(app.run.as_ref().expect("open").end_ms() > 0.0);
    for _ in 0..20 {
        app.update(Action::FramePassed(250.0));
    }
    assert!(now(&app) > end);
}

#[test]
fn a_failing_message_comes_back_and_undo_makes_it_never_sent() {
    let mut app = opened("#/p/start-up?t=12.000");
    let before = app.run_shown().expect("shown").frame.to_text();
    let sending = Sending { fails: Fails::Times(1), ..Sending::default() };
    let effects = app.update(Action::Asked(Ask::Send(sending)));
    assert!(effects.iter().any(|it| matches!(it, Effect::WriteHash { is_new: true, .. })));
    assert!(effects.iter().any(|it| matches!(it, Effect::KeepRun(run) if run.deeds == 1)));
    complete(&mut app);
    let run = app.run.as_ref().expect("open");
    let retries = run
        .recording()
        .events()
        .iter()
        .filter(|event| format!("{:?}", event.kind).starts_with("RetryStored"));
    assert_eq!(retries.count(), 1);
    app.update(Action::PressedUndo);
    complete(&mut app);
    assert_eq!(app.run_shown().expect("shown").frame.to_text(), before);
    assert_eq!(app.run.as_ref().expect("open").deed_count(), 0);
    app.update(Action::PressedRedo);
    assert_eq!(app.run.as_ref().expect("open").deed_count(), 1);
}

#[test]
fn consumers_come_and_go_as_asked() {
    let mut app = opened("#/p/slow-message?t=5.000");
    app.update(Action::Asked(Ask::AddConsumer));
    complete(&mut app);
    app.update(Action::Stepped(Step::End));
    let members = |app: &mut App| {
        let shown = app.run_shown().expect("shown");
        shown.doing.members.iter().map(|it| it.label.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(members(&mut app), ["c1", "c2"]);
    app.update(Action::Asked(Ask::Stop("c2".into())));
    complete(&mut app);
    app.update(Action::Stepped(Step::End));
    assert_eq!(members(&mut app), ["c1"]);
}

#[test]
fn what_cannot_be_read_ends_on_the_start_page_with_its_text() {
    for hash in ["#/nothing", "#/p/none", "#/r/1%%%", "#/r/9AAAA"] {
        let app = started(hash);
        match &app.page {
            Page::Unreadable { reason, raw } => {
                assert!(!reason.is_empty());
                assert_eq!(raw, hash);
            }
            page => panic!("{hash} opened {page:?}"),
        }
    }
}

#[test]
fn opening_another_run_keeps_what_the_visitor_did() {
    let mut app = opened("#/p/start-up?t=12.000");
    app.update(Action::Asked(Ask::AddConsumer));
    complete(&mut app);
    app.update(Action::HashChanged("#/p/happy-path".to_owned()));
    assert_eq!(app.saved.len(), 1);
    let kept = app.saved[0].hash.clone();
    app.update(Action::HashChanged(format!("#{kept}")));
    complete(&mut app);
    assert_eq!(app.run.as_ref().expect("open").deed_count(), 1);
}

#[test]
fn still_mode_ticks_and_never_asks_for_frames_once_all_is_computed() {
    let mut app = started("#/p/happy-path");
    app.update(Action::MediaChanged(Media {
        prefers_still: true,
        width: 1280.0,
        ..Media::default()
    }));
    complete(&mut app);
    app.update(Action::PressedPlay);
    assert_eq!(app.drive(), Drive::Ticks);
    app.update(Action::Ticked);
    assert!(now(&app) > 0 || app.run.as_ref().expect("open").player.at_ms > 0.0);
}

#[test]
fn playing_stops_where_a_check_breaks_if_one_wishes_so_and_says_it_at_once() {
    for stops in [false, true] {
        let mut app = opened("#/p/minute-of-silence?t=72.000");
        if stops {
            app.update(Action::ToggledStopsAtBreak);
        }
        app.update(Action::PressedPlay);
        let mut alerts = Vec::new();
        for _ in 0..400 {
            for effect in app.update(Action::FramePassed(100.0)) {
                if let Effect::Alert(sentence) = effect {
                    alerts.push((now(&app), sentence));
                }
            }
        }
        let first = alerts.first().expect("a check breaks at 75.502");
        assert!(first.1.starts_with("✖ T+01:15.502 "), "{alerts:?}");
        let run = app.run.as_ref().expect("a run is open");
        assert!(!stops || !run.player.is_playing);
        assert_eq!(stops, now(&app) == 75_502, "{}", now(&app));
    }
}

/// UX 4: playing stops by itself at the marks; with the captions put away it is a film without them.
#[test]
fn playing_stops_at_each_mark_of_the_walkthrough_unless_its_captions_are_put_away() {
    let mut app = opened("#/p/suspend");
    let frames = |app: &mut App| {
        let mut said = Vec::new();
        for _ in 0..2_000 {
            for effect in app.update(Action::FramePassed(100.0)) {
                if let Effect::Announce(sentence) = effect {
                    said.push(sentence);
                }
            }
            if !app.run.as_ref().expect("open").player.is_playing {
                break;
            }
        }
        said
    };
    for number in 1..=2 {
        app.update(Action::PressedPlay);
        let said = frames(&mut app);
        let walk = app.run_shown().and_then(|shown| shown.walk).expect("it has marks");
        assert_eq!((walk.number, walk.holds), (number, true));
        let caption = walk.caption(Language::En);
        assert!(said.iter().any(|it| it.contains(&caption)), "{said:?}");
        assert!(!app.run.as_ref().expect("open").player.is_playing);
    }
    let second = now(&app);
    app.update(Action::ToggledWalk);
    app.update(Action::PressedPlay);
    frames(&mut app);
    let run = app.run.as_ref().expect("open");
    assert!(now(&app) > second + 5_000, "it stopped at {}", now(&app));
    assert!(run.player.is_playing || run.is_at_end());
}

/// Who reads the queue in the chart of offsets, and the last offset that this client has for itself.
fn client_in_chart(ms: u64) -> (String, Option<i64>) {
    let mut app = opened(&format!(
        "#/p/stop-or-kill?t={}.{:03}&sel=q.orders.broker-a.0",
        ms / 1_000,
        ms % 1_000
    ));
    let ChartsShown::Offsets(chart) = app.run_shown().expect("a run is shown").chart else {
        panic!("the chart of offsets comes first");
    };
    (chart.reader.to_string(), chart.client.last().map(|(_, offset)| *offset))
}

#[test]
fn the_chart_has_a_client_s_own_offset_only_while_there_is_that_client() {
    let (reader, offset) = client_in_chart(59_000);
    assert!(!reader.is_empty() && offset.is_some(), "{reader} {offset:?}");
    assert_eq!(client_in_chart(59_800), (String::new(), None));
}

/// The rows of a table of turns: who or what, from, until.
fn turns(app: &mut App) -> Vec<[String; 3]> {
    let shown = app.run_shown().expect("a run is shown").inspect.expect("something is told");
    let is_of_turns =
        |title| matches!(title, InspectWord::ReadersInTurn | InspectWord::QueuesInTurn);
    let table = shown.told.tables.iter().find(|table| is_of_turns(table.title));
    let said = |value: &Value| match value {
        Value::Name(name) => name.to_string(),
        Value::Moment(at) => (at.ms() / 1_000).to_string(),
        other => format!("{other:?}"),
    };
    let row = |row: &Vec<Value>| [said(&row[0]), said(&row[1]), said(&row[2])];
    table.map(|table| table.rows.iter().map(row).collect()).unwrap_or_default()
}

#[test]
fn after_a_takeover_queue_and_clients_still_tell_who_had_what() {
    let mut app = opened("#/p/minute-of-silence?t=40&sel=q.orders.broker-a.1");
    assert_eq!(turns(&mut app), Vec::<[String; 3]>::new(), "nothing has changed hands");
    let mut app = opened("#/p/minute-of-silence?t=140&sel=q.orders.broker-a.1");
    let row = |who: &str, from: &str, until: &str| [who, from, until].map(str::to_owned);
    let now = format!("{:?}", Value::Word(InspectWord::UntilNow));
    let of_queue = turns(&mut app);
    assert_eq!(of_queue.len(), 2, "{of_queue:?}");
    assert_eq!(of_queue[0][0], "c2");
    assert_eq!(of_queue[1], row("c1", &of_queue[1][1], &now));
    let crashed = app.run.as_ref().expect("a run").recording().head().world().clients.iter();
    let crashed = crashed.rev().find(|it| it.client_id.as_str() == "c2").expect("c2 was there");
    let process = crashed.process.0;
    let mut app = opened(&format!("#/p/minute-of-silence?t=140&sel=c.{process}"));
    let of_client = turns(&mut app);
    let q1 = of_client.iter().find(|row| row[0] == "q1").expect("c2 had q1");
    assert_eq!(q1[2], of_queue[0][2], "it ends when c2 ends");
}

#[test]
fn a_preset_s_address_can_name_what_is_selected() {
    let mut app = opened("#/p/poison-message?t=20.350&sel=level.0.3");
    assert_eq!(now(&app), 20_350);
    let mark = app.run.as_ref().and_then(|run| run.selected.clone());
    assert_eq!(mark, Some(MarkId::DelayLevel { broker: BrokerIndex(0), level: 3 }));
    let shown = app.run_shown().expect("a run is shown").inspect.expect("it is told");
    assert_eq!(Some(shown.told.mark.clone()), mark);
}

#[test]
fn a_message_like_any_other_is_left_alone_once_it_is_done() {
    let mut app = opened("#/p/consumers-join?t=0.5");
    let events = app.run.as_ref().expect("a run is open").recording().events();
    let consumed = events.iter().find(|it| matches!(it.kind, EventKind::ConsumeStarted { .. }));
    let consumed_at = consumed.expect("the first message comes").at.ms();
    let mut told_at = |moment: &str| {
        app.update(Action::HashChanged(format!("#/p/consumers-join?t={moment}")));
        complete(&mut app);
        app.run_shown().expect("a run is shown").inspect.map(|shown| shown.told.mark.clone())
    };
    let moment = format!("{}.{:03}", consumed_at / 1_000, consumed_at % 1_000);
    assert!(matches!(told_at(&moment), Some(MarkId::Message(_))), "it is under way");
    assert_eq!(told_at("100"), None);
    let mut app = opened("#/p/poison-message?t=300");
    let poison = app.run_shown().expect("a run is shown").inspect;
    assert!(poison.is_some(), "one that failed is what the run is about");
}

/// The time bar's field, filled in and sent.
fn go_to(app: &mut App, text: &str) -> Vec<Effect> {
    app.update(Action::OpenedTimeField);
    app.update(Action::TypedTime(text.to_owned()));
    app.update(Action::EnteredTime)
}

#[test]
fn one_goes_to_a_time_however_it_is_written_and_is_told_what_is_no_time() {
    let mut app = opened("#/p/poison-message?t=5");
    for text in ["1:41", "101 s", "1m41s"] {
        app.update(Action::Stepped(Step::Start));
        go_to(&mut app, text);
        assert_eq!(now(&app), 101_000, "{text}");
        assert_eq!(app.time_field, None, "the field stays open");
    }
    let said = go_to(&mut app, "soon");
    assert_eq!(now(&app), 101_000);
    let problem = app.time_field.as_ref().and_then(|field| field.problem.clone());
    let sentence = problem.expect("a problem").say(app.language()).into_owned();
    assert!(sentence.contains("soon") && sentence.contains("1:41"), "{sentence}");
    assert!(said.contains(&Effect::Announce(sentence)), "{said:?}");
    go_to(&mut app, "99h");
    assert!(app.time_field.as_ref().is_some_and(|field| field.problem.is_some()));
}

#[test]
fn playing_and_pausing_are_said_aloud() {
    let mut app = opened("#/p/poison-message?t=5");
    let says = |effects: &[Effect], word: &str| {
        effects.iter().any(|it| matches!(it, Effect::Announce(said) if said.contains(word)))
    };
    let effects = app.update(Action::PressedPlay);
    assert!(says(&effects, "Playing"), "{effects:?}");
    let effects = app.update(Action::PressedPlay);
    assert!(says(&effects, "Paused at T+"), "{effects:?}");
}

#[test]
fn a_dark_screen_stops_time_and_has_the_keyboard() {
    let mut app = opened("#/p/poison-message?t=5");
    app.update(Action::PressedPlay);
    let press = |key: &str| {
        let key = key.to_owned();
        Action::PressedKey(KeyPress { key, shift: false, ctrl: false, alt: false, in_field: false })
    };
    for key in ["b", "."] {
        let effects = app.update(press(key));
        assert!(app.is_blank && effects.contains(&Effect::Focus("blank")), "{key}: {effects:?}");
        assert!(!app.run.as_ref().expect("a run").player.is_playing);
        app.update(Action::Blanked(false));
        assert!(!app.is_blank);
    }
}

#[test]
fn captions_that_wait_are_neither_shown_nor_said_until_they_are_asked_for() {
    let mut app = opened("#/p/happy-path");
    app.update(Action::ToggledCaption);
    assert!(app.settings.captions_wait && app.caption_is_hidden());
    let mut effects = app.update(Action::WalkedOn);
    effects.extend(app.update(Action::WalkedOn));
    let walk = app.run_shown().and_then(|shown| shown.walk).expect("a walkthrough");
    let caption = walk.caption(app.language());
    let says = |effects: &[Effect]| {
        effects.iter().any(|it| matches!(it, Effect::Announce(said) if said.contains(&caption)))
    };
    assert!(!says(&effects), "{effects:?}");
    assert!(app.run_shown().is_some_and(|shown| shown.caption_is_hidden));
    let effects = app.update(Action::ToggledCaption);
    assert!(says(&effects) && !app.caption_is_hidden(), "{effects:?}");
    app.update(Action::WalkedOn);
    app.update(Action::WalkedOn);
    assert!(app.caption_is_hidden(), "the next one waits again");
}

#[test]
fn a_value_s_field_begins_at_the_present_value_of_the_property_that_is_chosen() {
    let mut app = opened("#/p/flow-control-span?t=5");
    let target = Target::Client("c1".into());
    app.update(Action::ChoseRail(RailTab::Do));
    app.update(Action::PressedVerb(target, Verb::SetProperty));
    let mut value = |property: &str| {
        app.update(Action::FilledField(FaultField::Value, "3".to_owned()));
        app.update(Action::FilledField(FaultField::Property, property.to_owned()));
        let faults = app.run_shown().and_then(|shown| shown.faults).expect("the form");
        let field = faults.fields.iter().find(|it| it.field.name == FaultField::Value);
        field.expect("a field of the value").value.clone()
    };
    assert_eq!(value("consumeConcurrentlyMaxSpan"), "7");
    assert_eq!(value("pullBatchSize"), "4");
}

#[test]
fn the_form_of_a_listener_says_which_messages_keep_a_script_of_their_own() {
    let mut app = opened("#/p/poison-message?t=5");
    let target = Target::Client("c1".into());
    app.update(Action::ChoseRail(RailTab::Do));
    app.update(Action::PressedVerb(target, Verb::Listener));
    let faults = app.run_shown().and_then(|shown| shown.faults).expect("the form");
    let field = faults.fields.iter().find(|it| it.field.name == FaultField::Key);
    let note = field.and_then(|it| it.field.note.clone()).expect("a note at the field");
    let sentence = note.say(app.language()).into_owned();
    assert!(sentence.contains("script of their own") && sentence.contains('B'), "{sentence}");
    app.update(Action::FilledField(FaultField::Takes, "3s".to_owned()));
    app.update(Action::PressedFault);
    complete(&mut app);
    let line = app.run_shown().expect("a run").doing.deeds[0].sentence.clone();
    assert!(line.contains("3.0 s") || line.contains("3 s"), "the line omits the duration: {line}");
}

#[test]
fn members_that_read_queues_are_told_from_those_that_read_none() {
    let mut app = opened("#/p/consumers-join?t=1");
    for _ in 0..4 {
        app.update(Action::Asked(Ask::AddConsumer));
        complete(&mut app);
    }
    app.update(Action::Stepped(Step::End));
    let members = app.run_shown().expect("a run").doing.members.clone();
    assert!(members.iter().any(|line| line.has_queues), "{members:?}");
    assert!(members.iter().any(|line| !line.has_queues), "{members:?}");
}

#[test]
fn the_bar_has_round_times_and_signs_that_know_theirs() {
    let mut app = opened("#/p/minute-of-silence?t=60");
    let scrub = app.run_shown().expect("a run").scrub.clone();
    assert!(scrub.scale.len() >= 5, "{:?}", scrub.scale);
    assert!(scrub.scale.iter().all(|tick| tick.at.ms() % 1_000 == 0));
    assert!(scrub.markers.iter().skip(1).all(|marker| marker.at.ms() > 0), "{:?}", scrub.markers);
}
