//! The film: one moment is one picture, by whatever way one came to it, and the picture is the world.

#[path = "kit/faults.rs"]
mod faults;

use rocketmq_playground::model::ids::UniqueKey;
use rocketmq_playground::model::offset::QueueOffset;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::recording::{Recording, Start};
use rocketmq_playground::scenario::presets;
use rocketmq_playground::scene::card::MessageState;
use rocketmq_playground::scene::film::{Film, Progress};
use rocketmq_playground::scene::layout::Layout;
use rocketmq_playground::scene::mark::MarkId;
use rocketmq_playground::scene::of_world::Gaze;
use rocketmq_playground::scene::scene::Scene;
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::sim::world::World;

fn start(name: &str) -> Recording {
    Recording::new(Start::from(&presets::by_name(name).expect("it is in the list")), Vec::new())
}

fn recorded(name: &str) -> Recording {
    let mut recording = start(name);
    let until = presets::by_name(name).expect("it is in the list").until;
    recording.extend_until(until, TaskBudget::UNLIMITED);
    recording
}

/// Follows the second message: in `poison-message` the one that fails.
fn gaze() -> Gaze {
    Gaze { group: None, followed: Some(MarkId::Message(UniqueKey(2))) }
}

#[test]
fn the_frame_of_a_moment_is_the_same_after_playing_stepping_and_starting_there() {
    let layout = Layout::default();
    let gaze = gaze();
    for name in presets::NAMES {
        let whole = recorded(name);
        let mut reference = Film::new();
        reference.follow(&whole);
        let until = reference.end().min(24_000.0);
        let moments: Vec<f64> = (1..12).map(|n| until * f64::from(n) / 12.3).collect();

        // Playing: frame by frame, the recording growing as the story needs it.
        let mut recording = start(name);
        let mut playing = Film::new();
        let mut played = Vec::new();
        let mut story = 0.0;
        for moment in &moments {
            while story < *moment {
                playing.extend_to(&mut recording, story, TaskBudget::UNLIMITED);
                playing.frame(&recording, story, &layout, &gaze);
                story += 90.0;
            }
            playing.extend_to(&mut recording, *moment, TaskBudget::UNLIMITED);
            played.push(playing.frame(&recording, *moment, &layout, &gaze));
        }

        // Stepping back from the end, then forward again.
        let mut stepping = Film::new();
        stepping.follow(&whole);
        for moment in moments.iter().rev() {
            stepping.frame(&whole, *moment, &layout, &gaze);
        }
        for (moment, played) in moments.iter().zip(&played) {
            let stepped = stepping.frame(&whole, *moment, &layout, &gaze);
            assert!(*played == stepped, "{name}: stepping to {moment} draws another frame");
            let mut fresh = Film::new();
            let started = fresh.frame(&whole, *moment, &layout, &gaze);
            assert!(*played == started, "{name}: starting at {moment} draws another frame");
        }
    }
}

#[test]
fn acting_in_the_past_leaves_the_pictures_before_it_and_gives_those_of_a_fresh_run_after() {
    let layout = Layout::default();
    let gaze = gaze();
    let mut recording = recorded("poison-message");
    let mut film = Film::new();
    film.follow(&recording);
    let at = Millis(20_350);
    let before = film.frame(&recording, 30_000.0, &layout, &gaze);
    let crash =
        rocketmq_playground::sim::command::Command::CrashConsumer { client_id: "c1".into() };
    let first = recording.act(at, crash).expect("c1 runs");
    recording.extend_until(Millis(120_000), TaskBudget::UNLIMITED);
    film.follow(&recording);
    assert!(film.frame(&recording, 30_000.0, &layout, &gaze) == before);
    let mut fresh = Film::new();
    fresh.follow(&recording);
    let crash_story = fresh.story_of(first).expect("it is told");
    for n in 0..40 {
        let story = crash_story + 400.0 * f64::from(n);
        let again = film.frame(&recording, story, &layout, &gaze);
        assert!(again == fresh.frame(&recording, story, &layout, &gaze), "at {story}");
    }
}

#[test]
fn story_time_never_turns_back_and_converts_both_ways() {
    for name in presets::NAMES {
        let recording = recorded(name);
        let mut film = Film::new();
        film.follow(&recording);
        let timeline = film.timeline();
        let mut before = 0.0;
        for event in recording.events().iter().take(timeline.last_event() as usize) {
            let story =
                timeline.story_of(event.sequence).expect("it lies before the last told one");
            assert!(story >= before, "{name}: event {} is told too early", event.sequence);
            // The events of a beat take effect together, when it lands; those of a wait where they are.
            let now = timeline.now_ms(&recording, story);
            let beat = timeline.beat_of(event.sequence);
            let (from, to) = beat.map_or((event.at, event.at), |beat| {
                let over = recording.event(beat.last).map_or(beat.at, |it| it.at);
                (beat.begins_at, over)
            });
            assert!(from <= event.at && event.at <= to, "{name}: {} in {from}..{to}", event.at);
            let known = from.ms() as f64 - 0.51..=to.ms() as f64 + 0.51;
            assert!(known.contains(&now), "{name}: {now} for {}", event.at);
            let back = timeline.event_at(story);
            assert!(back >= event.sequence, "{name}: {back} for {}", event.sequence);
            assert_eq!(timeline.story_of(back), Some(story), "{name}: {}", event.sequence);
            before = story;
        }
    }
}

#[test]
fn growing_a_recording_never_changes_what_was_told() {
    let mut recording = start("poison-message");
    let mut film = Film::new();
    let mut told: Vec<f64> = Vec::new();
    for n in 1..40 {
        let progress = film.extend_to(&mut recording, 1_000.0 * f64::from(n), TaskBudget(5_000));
        assert_eq!(progress, Progress::Reached);
        let timeline = film.timeline();
        let now: Vec<f64> =
            (0..timeline.last_event()).filter_map(|event| timeline.story_of(event)).collect();
        assert_eq!(&now[..told.len()], &told[..]);
        told = now;
    }
}

/// What a scene says must be so in the world.
fn agree(scene: &Scene, world: &World, what: &str) {
    let group = scene.group.clone().expect("there is a consumer");
    for consumer in &scene.consumers {
        let client = world.client(consumer.process);
        let Some(real) = client.consumers.get(&group).filter(|_| client.is_alive()) else {
            continue;
        };
        assert_eq!(consumer.shelves.len(), real.shelves.len(), "{what}");
        for shelf in &consumer.shelves {
            let window = &real.shelves[&shelf.process_queue].window;
            let keys = window.messages().keys().chain(window.consuming_orderly().keys());
            let mut keys: Vec<QueueOffset> = keys.copied().collect();
            keys.sort_unstable();
            let there = shelf.cards.iter().filter(|card| !card.state.leaves_a_hole());
            let drawn: Vec<QueueOffset> = there.map(|card| card.offset).collect();
            assert_eq!(drawn, keys[..drawn.len()], "{what}: shelf {}", shelf.label);
            assert!(drawn.len() == keys.len() || shelf.cards.len() >= 64, "{what}");
            assert_eq!(shelf.count, keys.len() as u64, "{what}");
            let first = shelf.cards.first().map_or(0, |card| card.offset.0);
            let gapless = (first..).zip(&shelf.cards).all(|(offset, card)| card.offset.0 == offset);
            assert!(gapless, "{what}: shelf {} has gaps", shelf.label);
        }
        let running = consumer.workers.seats.iter().filter(|seat| !seat.queue.is_empty()).count();
        assert_eq!(running, real.pool.busy() as usize, "{what}: seats of {}", consumer.label);
        let pulls: Vec<_> = consumer.pulls.iter().map(|pull| &pull.queue).collect();
        let owned: Vec<_> = real.process_queue_table.keys().collect();
        for pull in &pulls {
            assert!(owned.contains(pull), "{what}: a pull of a queue that is not owned");
        }
    }
    for broker in &scene.brokers {
        let real = world.broker(broker.index);
        for queue in broker.queues.iter().chain(&broker.retry_queues) {
            let key = (queue.queue.topic.clone(), queue.queue.queue_id);
            let log = real.consume_queues.get(&key);
            assert_eq!(
                queue.max_offset,
                log.map_or(QueueOffset(0), |log| log.max_offset()),
                "{what}"
            );
            for slot in &queue.slots {
                let in_hand = [MessageState::Waiting, MessageState::Running];
                let shelved = scene.consumers.iter().flat_map(|consumer| &consumer.shelves);
                let on_shelf = shelved.filter(|shelf| shelf.queue == queue.queue).any(|shelf| {
                    let there = |card: &&_| {
                        let card: &rocketmq_playground::scene::card::Card = card;
                        card.offset == slot.offset && !card.state.leaves_a_hole()
                    };
                    shelf.cards.iter().any(|card| there(&card))
                });
                assert!(!in_hand.contains(&slot.state) || on_shelf, "{what}: slot {}", slot.offset);
            }
        }
        let delayed: usize = broker.levels.iter().map(|level| level.cards.len()).sum();
        let levels = (0..).zip(&real.schedule_message.levels).map(|(id, level)| {
            let key = ("SCHEDULE_TOPIC_XXXX".into(), rocketmq_playground::model::ids::QueueId(id));
            let end = real.consume_queues.get(&key).map_or(level.offset, |log| log.max_offset());
            (end.0 - level.offset.0) as usize
        });
        assert_eq!(delayed, levels.sum::<usize>(), "{what}: messages at delay levels");
    }
}

#[test]
fn every_scene_of_every_preset_and_of_runs_with_faults_agrees_with_the_world() {
    let mut runs: Vec<(String, Recording)> =
        presets::NAMES.iter().map(|name| ((*name).to_owned(), recorded(name))).collect();
    for orderly in [false, true] {
        let scenario = faults::with_faults("consumers-join", Profile::V49, orderly);
        let mut recording = Recording::new(Start::from(&scenario), Vec::new());
        recording.extend_until(scenario.until, TaskBudget::UNLIMITED);
        runs.push((format!("faults, orderly {orderly}"), recording));
    }
    for (name, recording) in runs {
        let mut film = Film::new();
        film.follow(&recording);
        let mut story = 0.0;
        while story < film.end() {
            let event = film.event_at(story);
            let scene = film.scene(&recording, story, &Gaze::default());
            let world = film.simulation(&recording, event).world().clone();
            if scene.group.is_some() {
                agree(&scene, &world, &format!("{name} at story {story}, event {event}"));
            }
            story += 611.0;
        }
    }
}

/// Marks of every kind that a scene can have.
fn marks_of(scene: &Scene) -> Vec<MarkId> {
    let mut marks = vec![MarkId::NameServer(0), MarkId::Message(UniqueKey(2))];
    marks.extend(scene.producers.iter().map(|it| MarkId::Producer(it.process)));
    for broker in &scene.brokers {
        let index = broker.index;
        marks.extend([
            MarkId::Broker(index),
            MarkId::CommitLog(index),
            MarkId::BrokerLedger(index),
        ]);
        let queues = broker.queues.iter().chain(&broker.retry_queues);
        for queue in queues {
            marks.push(MarkId::Queue(queue.queue.clone()));
            marks.extend(queue.slots.last().map(|slot| MarkId::Copy(slot.copy.clone())));
        }
        marks.push(MarkId::DelayLevel { broker: index, level: 3 });
        marks.extend(broker.dead_letters.iter().map(|it| MarkId::DeadLetters(it.queue.clone())));
        marks.extend(broker.locks.iter().map(|lock| MarkId::Lock(lock.queue.clone())));
    }
    marks.extend(scene.calls.iter().map(|call| MarkId::Call(call.id)));
    for consumer in &scene.consumers {
        let process = consumer.process;
        marks.extend([
            MarkId::Consumer(process),
            MarkId::ConsumeRequests(process),
            MarkId::ConsumerLedger(process),
            MarkId::Rebalance(process),
            MarkId::Worker { process, index: 0 },
        ]);
        let pulls = consumer.pulls.iter();
        marks.extend(pulls.map(|it| MarkId::Pull { process, queue: it.queue.clone() }));
        let shelves = consumer.shelves.iter();
        marks.extend(shelves.map(|it| MarkId::Shelf { process, process_queue: it.process_queue }));
    }
    marks
}

#[test]
fn every_thing_on_the_stage_can_say_what_it_is_in_both_languages() {
    use rocketmq_playground::text::Language;
    use rocketmq_playground::text::inspect::InspectText;
    for name in presets::NAMES {
        let recording = recorded(name);
        let mut film = Film::new();
        film.follow(&recording);
        let mut story = 3_000.0;
        while story < film.end() {
            let scene = film.scene(&recording, story, &gaze());
            let now = film.now(&recording, story);
            for mark in marks_of(&scene) {
                let told = film.inspect(&recording, story, &gaze(), &mark);
                let is_message = matches!(mark, MarkId::Message(_));
                assert!(
                    told.what != InspectText::Gone || is_message,
                    "{name}: {mark:?} at {story}"
                );
                for language in Language::ALL {
                    let mut words = vec![told.what.say(language)];
                    words.extend(told.why.iter().map(|why| why.say(language)));
                    words.extend(told.journey.iter().map(|row| row.text.say(language)));
                    words.extend(told.next.iter().map(|next| next.say(language)));
                    let numbers = told.numbers.iter();
                    words.extend(numbers.map(|row| row.value.say(language, now).to_string()));
                    assert!(words.iter().all(|it| !it.is_empty()), "{name}: {mark:?}: {words:?}");
                }
                let now_rows = told
                    .journey
                    .iter()
                    .filter(|row| row.tense == rocketmq_playground::scene::scene::Tense::Now);
                assert!(now_rows.count() <= 1, "{name}: {mark:?} is in two places");
            }
            story += 9_700.0;
        }
    }
}

#[test]
fn the_journey_of_the_poison_message_at_the_mocks_moment() {
    use rocketmq_playground::text::Language;
    let recording = recorded("poison-message");
    let mut film = Film::new();
    film.follow(&recording);
    let story = film.story_at(&recording, Millis(20_350));
    let told = film.inspect(&recording, story, &gaze(), &MarkId::Message(UniqueKey(2)));
    let rows: Vec<String> = told
        .journey
        .iter()
        .map(|row| {
            let number = row.number.map_or(" ".to_owned(), |number| number.to_string());
            format!("{number} {:?} {}", row.tense, row.text.say(Language::En))
        })
        .collect();
    let wanted = [
        "  Past try 1 at q0·15, then 10 s",
        "1 Past try 2 at r0·0, c1 failed (RECONSUME_LATER)",
        "2 Past sent back (request 36)",
        "3 Now waits at delay level 4 (30 s)",
        "4 Next into %RETRY%bill, r0·1",
        "5 Next try 3 on c1",
    ];
    assert_eq!(rows, wanted);
    assert_eq!(told.what.say(Language::En), "B · delay level 4");
    assert_eq!(told.what.say(Language::ZhCn), "B · 延迟级别 4");
}

#[test]
fn a_why_chain_ends_where_nobody_else_is_the_cause() {
    use rocketmq_playground::scene::why::{Part, why_chain};
    use rocketmq_playground::sim::event::EventKind;
    let recording = recorded("poison-message");
    let dead =
        recording.events().iter().find(|it| matches!(it.kind, EventKind::DeadLettered { .. }));
    let dead = dead.expect("it is poison").sequence;
    let chain = why_chain(&recording, dead);
    let main: Vec<_> = chain.iter().filter(|link| link.part == Part::Main).collect();
    assert!(main.windows(2).all(|pair| pair[0].event > pair[1].event));
    let last = recording.event(main[main.len() - 1].event).expect("it is recorded");
    assert!(main.len() >= 60 || last.causes.as_slice().is_empty());
    let failures = main.iter().filter_map(|link| recording.event(link.event));
    let failures = failures.filter(|it| matches!(it.kind, EventKind::ConsumeEnded { .. }));
    assert!(failures.count() >= 2, "earlier failures are among the causes");
}

/// A run of one consumer with one command for its link at 29 s; the picture at a moment.
fn bent(command: &str, at: Millis) -> (Recording, Film, f64) {
    let text = format!(
        r#"
id = "bent"
title = "A link that is not TCP"
profile = "V42"
until = "60s"

[[broker]]
name = "broker-a"

[[topic]]
name = "orders"
queues = 1

[[consumer]]
client = "c1"
group = "bill"
subscribe = {{ orders = "*" }}

[[send]]
at = "1s"
topic = "orders"
count = 2
every = "32s"

[[do]]
at = "29s"
from = "client c1"
to = "broker broker-a"
code = "HEART_BEAT"
{command}
"#
    );
    let scenario = rocketmq_playground::scenario::file::read(&text).expect("it is written here");
    let mut recording = Recording::new(Start::from(&scenario), Vec::new());
    recording.extend_until(scenario.until, TaskBudget::UNLIMITED);
    let mut film = Film::new();
    film.follow(&recording);
    let story = film.story_at(&recording, at);
    (recording, film, story)
}

#[test]
fn a_second_copy_and_what_is_held_back_are_drawn_and_told_as_what_they_are() {
    use rocketmq_playground::scene::frame::Shape;
    use rocketmq_playground::scene::scene::Fate;
    use rocketmq_playground::text::Language;
    use rocketmq_playground::text::inspect::{InspectWord, Value};
    // The heartbeat leaves at 31 s; its copy comes 3 s later, or it is held so long. At 33 s a message is stored.
    let kinds = [
        ("command = \"DuplicateNext\"\nlater = \"3s\"", true, "second copy"),
        ("command = \"ReorderNext\"\natMost = \"3s\"", false, "held back"),
    ];
    for (command, is_copy, plate) in kinds {
        let (recording, mut film, story) = bent(command, Millis(33_001));
        let gaze = Gaze::default();
        let scene = film.scene(&recording, story, &gaze);
        let calls: Vec<_> = scene.calls.iter().filter(|call| call.code.number == 34).collect();
        let [call] = calls[..] else { panic!("{command}: {calls:?}") };
        let span = call.arrives_at - call.sent_at;
        assert_eq!((call.is_copy, call.fate == Fate::Held), (is_copy, !is_copy), "{command}");
        assert_eq!(span, Millis(3_001), "{command}");
        let frame = film.frame(&recording, story, &Layout::default(), &gaze);
        let shapes = frame.marks.iter().flat_map(|mark| &mark.shapes);
        let mut words = shapes.filter_map(|shape| match shape {
            Shape::Text { words, .. } => Some(words.as_str()),
            _ => None,
        });
        assert!(words.any(|words| words == plate), "{command}: no {plate} on the stage");
        let told = film.inspect(&recording, story, &gaze, &MarkId::Call(call.id));
        let row = told.numbers.iter().find(|row| {
            matches!(
                row.field,
                rocketmq_playground::text::inspect::Field::Word(InspectWord::OnNetwork)
            )
        });
        let Some(Value::Word(word)) = row.map(|row| &row.value) else { panic!("{told:?}") };
        let said = Language::ALL.map(|language| word.say(language));
        assert!(said[0].contains(if is_copy { "copy" } else { "held" }) && said[0] != said[1]);
    }
}
