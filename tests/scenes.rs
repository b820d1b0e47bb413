//! The frame at a moment as text, and that nothing in it stands on anything else.

#[path = "kit/crowd.rs"]
mod crowd;
#[path = "kit/mock_scene.rs"]
mod mock_scene;
#[cfg(feature = "ui")]
#[path = "kit/page.rs"]
mod page;

use std::collections::BTreeSet;

use expect_test::expect;
use rocketmq_playground::model::ids::UniqueKey;
use rocketmq_playground::model::offset::QueueOffset;
use rocketmq_playground::recording::{Recording, Start};
use rocketmq_playground::scenario::presets;
use rocketmq_playground::scene::at_consumer::PullPlace;
use rocketmq_playground::scene::beat::stage::{Grounds, Stage};
use rocketmq_playground::scene::beat::{Beat, Mover, Place};
use rocketmq_playground::scene::card::MessageState;
use rocketmq_playground::scene::draw::{self, Spots};
use rocketmq_playground::scene::film::Film;
use rocketmq_playground::scene::frame::{Anchor, Frame, Mark, Shape};
use rocketmq_playground::scene::geometry::{Font, Rect, rect, text_width};
use rocketmq_playground::scene::layout::{Layout, System};
use rocketmq_playground::scene::mark::{Flag, MarkId, TokenId};
use rocketmq_playground::scene::of_world::Gaze;
use rocketmq_playground::scene::scene::Scene;
use rocketmq_playground::scene::twin::twin;
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::sim::event::{Actor, Causes, Event, EventKind, Trigger};
use rocketmq_playground::text::Language;

use mock_scene::{NOW, mock_scene};

fn draw(scene: &Scene, system: System, language: Language) -> Frame {
    // The whole way of what is followed is drawn where it was chosen.
    let spotlight = scene.followed.as_ref().map(|followed| followed.mark.clone());
    let layout = Layout { system, language, spotlight, ..Layout::default() };
    draw::frame(scene, NOW.ms() as f64, &layout)
}

#[test]
#[expect(clippy::too_many_lines, reason = "the expected text is long")]
fn the_mocks_moment_as_text() {
    expect![[r#"
        0    0    NameServer  [NameServer]
        0    0    Producer p1  [to q1 | in 0.6 s]
        0    0    Broker broker-a
        0    0    Queue q0: offsets 0 to 23, committed offset 16, next pull 23, lag 7  [q0]
        0    0    Queue q1: offsets 0 to 15, committed offset 11, next pull 13, lag 4  [q1]
        0    0    CommitLog, 41 records  [D q0 | E q0 | G q1 | m q0]
        0    0    Queue r0: offsets 0 to 1, committed offset 1, next pull 1, lag 0  [r0 | %RETRY%bill | C 1 · M 1]
        0    0    Delay level 1, 1 s: 0 messages
        0    0    Delay level 2, 5 s: 0 messages
        0    0    Delay level 3, 10 s: 0 messages
        0    0    Delay level 4, 30 s: 1 message
        0    0    Delay level 5, 1 min: 0 messages
        0    0    Delay level 6, 2 min: 0 messages
        0    0    Delay level 7, 3 min: 0 messages
        0    0    Delay level 8, 4 min: 0 messages
        0    0    Delay level 9, 5 min: 0 messages
        0    0    Delay level 10, 6 min: 0 messages
        0    0    Delay level 11, 7 min: 0 messages
        0    0    Delay level 12, 8 min: 0 messages
        0    0    Delay level 13, 9 min: 0 messages
        0    0    Delay level 14, 10 min: 0 messages
        0    0    Delay level 15, 20 min: 0 messages
        0    0    Delay level 16, 30 min: 0 messages
        0    0    Delay level 17, 1 h: 0 messages
        0    0    Delay level 18, 2 h: 0 messages
        0    0    Offset table of broker-a  [Offsets | q0 | 16 | q1 | 11 | r0 | 1 | saved]
        0    0    Consumer c1, running
        0    0    Pull of q0 from offset 23, held by the broker  [q0]
        0    0    Pull of r0 from offset 1, held by the broker  [r0]
        0    0    Shelf q0 of c1: 4 messages, offset span 5  [q0]
        0    0    Shelf r0 of c1: 0 messages, offset span 0  [r0]
        0    0    Offset table of c1  [Offsets | q0 | 17 | r0 | 1]
        0    0    Consumer c2, running
        0    0    Shelf q1 of c2: 2 messages, offset span 1  [Shelf q1 | offset span 1, limit 7 | q1]
        0    0    Offset table of c2  [Offsets | q1 | 11 | reported]
        360  68   Message m22, q0 offset 22, stored  [m22 | 22]
        330  68   Message m21, q0 offset 21, stored  [m21 | 21]
        300  68   Message m20, q0 offset 20, stored  [m20 | 20]
        270  68   Message m19, q0 offset 19, stored  [m19 | 19]
        240  68   Message m18, q0 offset 18, stored  [m18 | 18]
        210  68   Message m17, q0 offset 17, stored  [m17 | 17]
        180  68   Message m16, q0 offset 16, stored  [m16 | 16]
        360  182  Message m14, q1 offset 14, stored  [m14 | 14]
        330  182  Message m13, q1 offset 13, stored  [m13 | 13]
        300  182  Message m12, q1 offset 12, stored  [m12 | 12]
        270  182  Message m11, q1 offset 11, stored  [m11 | 11]
        240  182  Message m10, q1 offset 10, stored  [m10 | 10]
        210  182  Message m9, q1 offset 9, stored  [m9 | 9]
        180  182  Message m8, q1 offset 8, stored  [m8 | 8]
        180  292  Message B, r0 offset 0, sent back, failed 1 time  [B | 0]
        464  68   Pull of q0 from offset 23, held by the broker  [q0→23]
        464  274  Pull of r0 from offset 1, held by the broker  [r0→1]
        754  69   Message C, q0 offset 17, running  [C | 17]
        784  69   Message m18, q0 offset 18, done  [18]
        814  69   Message m19, q0 offset 19, done  [19]
        742  181  Message D, q0 offset 20, running  [D | 20]
        822  181  Message C, q0 offset 17, running  [C | 17]
        740  274  Pull of q1 from offset 13, with the pull thread  [q1→13]
        754  340  Message F, q1 offset 11, running  [F | 11]
        784  340  Message G, q1 offset 12, running  [G | 12]
        742  413  Message F, q1 offset 11, running  [F | 11]
        822  413  Message G, q1 offset 12, running  [G | 12]
        199  362  Message B, SCHEDULE_TOPIC_XXXX offset 0, delayed, failed 2 times  [B | L4]
        0    0    36 CONSUMER_SEND_MSG_BACK  [36 | send back]
        632  231  Station 1 of B  [1]
        540  359  Station 2 of B  [2]
        234  354  Station 3 of B  [3]
        238  330  Station 4 of B  [4]
        632  197  Station 5 of B  [5]
    "#]].assert_eq(&draw(&mock_scene(), System::Projector, Language::En).to_text());
}

#[test]
fn the_stage_in_words_says_the_same_numbers() {
    let sections = twin(&mock_scene(), NOW, Language::En);
    let mut text = String::new();
    for section in sections {
        text.push_str(&format!("{}\n", section.heading));
        section.lines.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    expect![[r#"
        Producer p1
          H to q1 in 0.6 s
        Broker broker-a
          CommitLog, 41 records
          Queue q0: offsets 0 to 23, committed offset 16, next pull 23, lag 7 · C → 17 in 4.7 s · pull: held by the broker, 12.0 s · read by c1
          Queue q1: offsets 0 to 15, committed offset 11, next pull 13, lag 4 · read by c2
          Queue r0: offsets 0 to 1, committed offset 1, next pull 1, lag 0 · pull: held by the broker, 6.7 s · read by c1
          Delay level 4, 30 s: 1 message · 23.8 s left
        Consumer c1, running
          Pull of q0 from offset 23, held by the broker
          Pull of r0 from offset 1, held by the broker
          Shelf q0 of c1: 4 messages, offset span 5 · 17 running · 18 done · 19 done · 20 running · 21 running · 22 waiting
          Shelf r0 of c1: 0 messages, offset span 0
          Workers: 3 of 3 busy · 1 waits
          Worker 1: runs D · 2.1 s
          Worker 2: runs C · 9.3 s
          Worker 3: runs E · 0.2 s
          Offsets q0 17 · unsent
          Offsets r0 1 · reported
        Consumer c2, running
          Pull of q1 from offset 13, with the pull thread
          Shelf q1 of c2: 2 messages, offset span 1 · 11 running · 12 running
          Workers: 2 of 2 busy
          Worker 1: runs F · 3.0 s
          Worker 2: runs G · 1.0 s
          Offsets q1 11 · reported
        B · delayed
          1. ran on c1
          2. sent back to broker-a (request 36)
          → 3. waits at delay level 4 (30 s)
          4. in r0 at offset 1
          5. runs on c1
    "#]].assert_eq(&text);
}

/// A node that is drawn twice under one name would jump from one place to the other.
#[test]
fn each_token_is_drawn_once() {
    for (name, scene) in crowd::all() {
        for system in [System::Projector, System::Desktop, System::Phone] {
            let frame = draw(&scene, system, Language::En);
            let mut seen = BTreeSet::new();
            for mark in &frame.marks {
                if let Some(token) = &mark.token {
                    assert!(seen.insert(token.clone()), "{name} {system:?}: {token:?} twice");
                }
            }
        }
    }
}

/// The picture at a part of a beat of 1 s of way and 500 ms in which what it changes follows.
fn told(before: &Scene, after: &Scene, movers: Vec<Mover>, story: f64, layout: &Layout) -> Frame {
    let event = Event {
        sequence: 1,
        at: NOW,
        actor: Actor::Person,
        causes: Causes::NONE,
        trigger: Trigger::Command,
        task: 1,
        kind: EventKind::Resumed,
    };
    let beat = Beat {
        movers,
        count: 1,
        is_passing: false,
        departs_ms: 0.0,
        lands_ms: 1_000.0,
        ends_ms: 1_500.0,
        ..Beat::pause(&event)
    };
    let now_ms = NOW.ms() as f64;
    let frames =
        [draw::frame(before, now_ms, layout), draw::frame_with_leaving(after, now_ms, layout)];
    let spots = [before, after].map(|scene| Spots::of(scene, layout));
    let [before, after] = &frames;
    let spots = [&spots[0], &spots[1]];
    let stage = Stage { beat: &beat, before, after, spots, story, layout, names: &[] };
    if layout.is_still { stage.still(&[]) } else { stage.frame(&[], &mut Grounds::default()) }
}

/// The level's card walks to the retry queue as one thing, though it is a new record there.
#[test]
fn a_due_message_walks_from_its_level_to_the_retry_queue() {
    let before = mock_scene();
    let mut after = mock_scene();
    let broker = &mut after.brokers[0];
    broker.levels[3].cards.clear();
    broker.retry_queues[0].expected = None;
    broker.retry_queues[0].max_offset = QueueOffset(2);
    let arrived = mock_scene::poison(7, 1, MessageState::Stored, 2);
    let token = TokenId::Stored(arrived.copy.clone());
    broker.retry_queues[0].slots.push(arrived);
    let left = before.brokers[0].levels[3].cards[0].copy.clone();
    let mover = || Mover::of(token.clone(), Place::Token(TokenId::Stored(left.clone())));
    let middle = |story: f64| {
        let frame = told(&before, &after, vec![mover()], story, &Layout::default());
        frame.rect_of(&Place::Token(token.clone())).expect("it is drawn").middle()
    };
    let at_level = draw::frame(&before, NOW.ms() as f64, &Layout::default());
    let from = at_level.rect_of(&Place::Token(TokenId::Stored(left.clone()))).expect("drawn");
    let at_retry = draw::frame(&after, NOW.ms() as f64, &Layout::default());
    let to = at_retry.rect_of(&Place::Token(token.clone())).expect("drawn");
    assert_eq!((middle(1.0).distance(from.middle()) < 1.0, middle(1_000.0)), (true, to.middle()));
    assert!(
        middle(500.0).distance(from.middle()) > 20.0 && middle(500.0).distance(to.middle()) > 20.0
    );
}

/// What can be selected has a name that can be heard, at least on one of its marks.
#[test]
fn whatever_can_be_selected_has_a_name() {
    for (name, scene) in crowd::all() {
        for language in Language::ALL {
            let frame = draw(&scene, System::Projector, language);
            let named: BTreeSet<_> = frame
                .marks
                .iter()
                .filter(|mark| !mark.name.is_empty())
                .filter_map(|mark| mark.id.clone())
                .collect();
            for id in frame.marks.iter().filter_map(|mark| mark.id.as_ref()) {
                assert!(named.contains(id), "{name}: {id:?} has no name");
            }
        }
    }
}

/// What a beat has changed besides its movers goes to its new place once they have landed.
#[test]
fn a_flag_moves_after_the_landing_and_nothing_is_remembered() {
    let before = mock_scene();
    let mut after = mock_scene();
    let pull = &mut after.consumers[1].pulls[0];
    pull.place = PullPlace::Belt(0);
    after.brokers[0].queues[0].committed = Some(QueueOffset(17));
    let flag = TokenId::Flag(Flag::Committed, mock_scene::q(0));
    let x = |story: f64, is_still: bool| {
        let layout = Layout { is_still, ..Layout::default() };
        let frame = told(&before, &after, Vec::new(), story, &layout);
        frame.token(&flag).expect("C is drawn").at.x
    };
    let (from, to) = (x(0.0, false), x(1_500.0, false));
    assert!(to > from + 20.0, "{from} {to}");
    assert_eq!((x(999.0, false), x(1_000.0, false)), (from, from));
    assert!(x(1_200.0, false) > from && x(1_200.0, false) < to);
    assert_eq!((x(1_000.0, true), x(1_200.0, false)), (to, x(1_200.0, false)));
}

/// Where the words of a frame stand, less a little on all sides: ascenders and descenders may meet.
fn words(frame: &Frame) -> Vec<(Rect, String)> {
    let mut all = Vec::new();
    // What travels over the network passes over other things.
    let travels = |mark: &Mark| matches!(mark.token, Some(TokenId::Call(_)));
    for mark in frame.marks.iter().filter(|mark| !travels(mark)) {
        for shape in &mark.shapes {
            let Shape::Text { at, words, font, anchor, fit } = shape else { continue };
            if matches!(font, Font::Disc | Font::DiscOn) {
                continue;
            }
            let width = fit.unwrap_or_else(|| text_width(words, *font));
            let x = match anchor {
                Anchor::Start => at.x,
                Anchor::Middle => at.x - width / 2.0,
                Anchor::End => at.x - width,
            };
            let size = font.pixels();
            let area = rect(x, at.y - size * 0.74, width, size * 0.74);
            all.push((area.moved(mark.at.x, mark.at.y), words.clone()));
        }
    }
    all
}

/// Words of one frame that stand on others or leave it.
fn faults(frame: &Frame) -> Vec<String> {
    let stage = rect(0.0, 0.0, frame.width, frame.height);
    let all = words(frame);
    let mut faults = Vec::new();
    for (place, (area, words)) in all.iter().enumerate() {
        if !stage.holds(area) {
            faults.push(format!("'{words}' leaves"));
        }
        let others = all[place + 1..].iter();
        for (_, others) in others.filter(|(other, _)| area.inset(0.5).meets(&other.inset(0.5))) {
            faults.push(format!("'{words}' on '{others}' at {:.0} {:.0}", area.x, area.y));
        }
    }
    faults
}

/// A moment of a real run that nobody has looked at must be as readable as those that were.
#[test]
fn the_presets_are_readable_at_every_moment() {
    let mut all = BTreeSet::new();
    for name in presets::all_names() {
        let preset = presets::by_name(name).expect("it is in the list");
        let mut recording = Recording::new(Start::from(&preset), Vec::new());
        recording.extend_until(preset.until, TaskBudget::UNLIMITED);
        let mut film = Film::new();
        film.follow(&recording);
        let gaze = Gaze { group: None, followed: Some(MarkId::Message(UniqueKey(2))) };
        let moments = (0..100).map(|n| f64::from(n) * 600.0).take_while(|at| *at < film.end());
        for story in moments.collect::<Vec<_>>() {
            for (system, language) in [
                (System::Projector, Language::En),
                (System::Projector, Language::ZhCn),
                (System::Desktop, Language::En),
                (System::Phone, Language::ZhCn),
            ] {
                let layout = Layout { system, language, is_still: true, ..Layout::default() };
                let frame = film.frame(&recording, story, &layout, &gaze);
                let faults = faults(&frame).into_iter();
                all.extend(faults.map(|it| format!("{name} {system:?} at {story}: {it}")));
            }
        }
    }
    let listed: Vec<String> = all.into_iter().collect();
    assert!(listed.is_empty(), "{}", listed.join("\n"));
}

#[test]
fn no_words_stand_on_others_and_none_leave_the_stage() {
    let mut all = Vec::new();
    for (name, scene) in crowd::all() {
        for system in [System::Projector, System::Desktop, System::Phone] {
            for language in Language::ALL {
                let frame = draw(&scene, system, language);
                let faults = faults(&frame).into_iter();
                all.extend(faults.map(|it| format!("{name} {system:?} {language:?}: {it}")));
            }
        }
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

/// Writes `target/stage/*.html`: what a person, or a headless browser, looks at.
#[cfg(feature = "ui")]
#[tokio::test]
async fn a_page_to_look_at() {
    for (name, scene) in crowd::all() {
        for system in [System::Projector, System::Desktop] {
            for (language, theme) in [(Language::En, "light"), (Language::ZhCn, "dark")] {
                let frame = draw(&scene, system, language);
                page::write(&format!("{name}-{system:?}"), frame, language, theme).await;
            }
        }
        for (language, theme) in [(Language::En, "light"), (Language::ZhCn, "dark")] {
            for opens_on in 0..4 {
                let scene = std::rc::Rc::new(scene.clone());
                let props = page::PhoneProps { scene, now_ms: NOW.ms() as f64, language, opens_on };
                page::write_phone(&format!("{name}-Phone-{opens_on}"), props, theme).await;
            }
        }
    }
}

/// Nine slots are taken, from 16 to 24: with 25 the strip slides by four, those go under the fold, and
/// then nothing of them is left.
#[test]
fn a_full_strip_slides_by_half_its_slots_as_whole_cards() {
    let with = |offsets: std::ops::Range<i64>| {
        let mut scene = mock_scene();
        let queue = &mut scene.brokers[0].queues[0];
        queue.max_offset = QueueOffset(offsets.end);
        let card = |offset| mock_scene::card(0, "N", offset, MessageState::Stored);
        queue.slots.extend(offsets.map(card));
        scene
    };
    let (before, after) = (with(23..25), with(23..26));
    let token = |offset: i64| {
        let slots = &after.brokers[0].queues[0].slots;
        let card = slots.iter().find(|card| card.offset.0 == offset).expect("it is stored");
        TokenId::Stored(card.copy.clone())
    };
    let at = |story: f64| told(&before, &after, Vec::new(), story, &Layout::default());
    let x = |frame: &Frame, offset: i64| frame.token(&token(offset)).map(|mark| mark.at.x);
    let (start, middle, end) = (at(1_000.0), at(1_250.0), at(1_500.0));
    // It lies where it will stay, and the others slide off it.
    assert_eq!([&start, &middle, &end].map(|frame| x(frame, 25)), [Some(330.0); 3]);
    assert_eq!((x(&start, 20), x(&end, 20)), (Some(300.0), Some(180.0)));
    let on_its_way = x(&middle, 20).expect("drawn");
    assert!(on_its_way > 180.0 && on_its_way < 300.0, "{on_its_way}");
    let depth = |offset| middle.token(&token(offset)).expect("drawn").depth;
    assert!(depth(22) > depth(23), "the older one lies on top");
    assert_eq!(x(&start, 16), Some(180.0));
    let leaving = x(&middle, 16).expect("it is on its way under the fold");
    assert!(leaving < 180.0, "{leaving}");
    assert_eq!(x(&end, 16), None);
}

/// Take the colour away, and each still says by a word and by its shapes what became of it.
#[test]
fn killed_stopped_and_frozen_are_three_words_and_three_pictures() {
    for language in Language::ALL {
        let pictures = ["broker-killed", "broker-stopped", "crashed"].map(|name| {
            let (_, scene) = crowd::all().into_iter().find(|it| it.0 == name).expect("it is there");
            draw(&scene, System::Projector, language)
        });
        let says = |frame: &Frame, words: &[&str; 2]| {
            let word = words[usize::from(language == Language::ZhCn)];
            frame.marks.iter().flat_map(|mark| mark.words()).any(|it| it == word)
        };
        let [killed, stopped, crashed] = &pictures;
        assert!(says(killed, &["killed", "进程被杀"]) && !says(killed, &["crashed", "已崩溃"]));
        assert!(says(stopped, &["stopped", "已停止"]) && !says(stopped, &["killed", "进程被杀"]));
        assert!(says(crashed, &["crashed", "已崩溃"]) && says(crashed, &["frozen", "已冻结"]));
        let shapes = |frame: &Frame| -> Vec<Shape> {
            let marks = frame.marks.iter().filter(|mark| mark.id.is_none());
            marks.flat_map(|mark| mark.shapes.clone()).collect()
        };
        assert_ne!(shapes(killed), shapes(stopped));
    }
}
