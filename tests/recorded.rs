//! The preset that stands beside the real thing is made of a recorded run's own inputs.
//!
//! `RECORDED=update cargo test --test recorded` makes `src/scenario/recorded/happy-path.toml` anew from
//! the trace; without it, the test tells whether the file still is what the trace makes of it.

use std::fs;
use std::io::Read;
use std::path::Path;

use rocketmq_playground::model::ids::{BrokerName, ClientId, GroupName, TopicName};
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::oracle::play::play;
use rocketmq_playground::oracle::read::read;
use rocketmq_playground::oracle::trace::{Trace, Word};
use rocketmq_playground::scenario::file::write;
use rocketmq_playground::scenario::{Recorded, RecordedDelivery, Scenario, Words, presets};
use rocketmq_playground::sim::command::{Command, QueueChoice};

const TRACE: &str = "tests/golden/traces/4.2.0/s01_happy-1.jsonl.gz";
const FILE: &str = "src/scenario/recorded/happy-path.toml";

/// Names that people can say, in the place of the recording's.
const TOPIC: &str = "orders";
/// Where its telling opens: the first message is sent a third of a second later.
const BEGIN: Millis = Millis::from_seconds(3);
const GROUP: &str = "bill";

fn trace() -> Trace {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TRACE);
    let mut text = String::new();
    let file = fs::File::open(path).expect("a trace file");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    read(&text).expect("a good trace")
}

/// The trace's inputs as a preset: begun one second before the consumer starts.
fn preset(trace: &Trace) -> Scenario {
    let played = play(trace, trace.header.profile).expect("the model takes the inputs");
    let mut run = played.run;
    start_late(&mut run.script);
    let starts = run.script.iter().filter(|(_, it)| matches!(it, Command::StartConsumer(_)));
    let first = starts.map(|(at, _)| *at).min().expect("somebody consumes");
    let earlier = Millis::new(first.ms() / 1_000 * 1_000).since(Millis::new(1_000));
    let mut setup = run.setup;
    for topic in &mut setup.topics {
        topic.topic = TopicName::new(TOPIC);
    }
    let script = run.script.into_iter().map(|(at, command)| (at - earlier, renamed(command)));
    let deliveries = trace.lines.iter().filter_map(|line| match &line.word {
        Word::Begin { delivery, .. } => Some(RecordedDelivery {
            key: delivery.key.to_string(),
            topic: TopicName::new(TOPIC),
            queue_id: delivery.queue_id,
            queue_offset: delivery.queue_offset,
            begin: line.at - earlier,
        }),
        _ => None,
    });
    Scenario {
        id: "happy-path".to_owned(),
        title: Words {
            en: "Forty messages, one consumer".to_owned(),
            zh: "40 条消息，一个消费者".to_owned(),
        },
        about: Words {
            en: "The same inputs were given to a real RocketMQ. Its deliveries stand beside the model's."
                .to_owned(),
            zh: "同样的输入也给过真实的 RocketMQ，它的投递就标在模型的旁边。".to_owned(),
        },
        setup,
        script: script.collect(),
        begin: BEGIN,
        until: run.until - earlier,
        expectations: Vec::new(),
        marks: Vec::new(),
        differs: Vec::new(),
        recorded: Some(Recorded {
            release: trace.header.profile.release().to_owned(),
            run: format!("{}-{}", trace.header.scenario, trace.header.run),
            deliveries: deliveries.collect(),
        }),
    }
}

/// The recorded process was slow to start, which the comparison makes a pause of; here it starts later.
fn start_late(script: &mut Vec<(Millis, Command)>) {
    let pauses = script.extract_if(.., |(_, it)| matches!(it, Command::FreezeClient { .. }));
    for (paused_at, pause) in pauses.collect::<Vec<_>>() {
        let Command::FreezeClient { duration: Some(duration), .. } = pause else { continue };
        for (at, command) in &mut *script {
            if matches!(command, Command::StartConsumer(_)) && *at == paused_at {
                *at += duration;
            }
        }
    }
}

fn renamed(command: Command) -> Command {
    let short =
        |id: &ClientId| ClientId::new(id.as_str().rsplit('@').next().expect("a text has an end"));
    match command {
        Command::StartConsumer(mut spec) => {
            spec.client_id = short(&spec.client_id);
            spec.group = GroupName::new(GROUP);
            for (topic, _) in &mut spec.subscriptions {
                *topic = TopicName::new(TOPIC);
            }
            Command::StartConsumer(spec)
        }
        Command::StartProducer(mut spec) => {
            spec.client_id = short(&spec.client_id);
            Command::StartProducer(spec)
        }
        Command::SendMessages(mut send) => {
            send.topic = TopicName::new(TOPIC);
            if let QueueChoice::Fixed { broker_name, .. } = &mut send.queue {
                *broker_name = None::<BrokerName>;
            }
            Command::SendMessages(send)
        }
        Command::StopConsumer { client_id, group } => {
            Command::StopConsumer { client_id: short(&client_id), group }
        }
        Command::CrashConsumer { client_id } => {
            Command::CrashConsumer { client_id: short(&client_id) }
        }
        other => other,
    }
}

#[test]
fn the_happy_path_is_made_of_the_recorded_run() {
    let wanted = format!(
        "# Made by `RECORDED=update cargo test --test recorded` from a recorded run. Not to be edited.\n\n{}",
        write(&preset(&trace()))
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("RECORDED").is_some_and(|it| it == "update") {
        fs::write(&path, &wanted).expect("the file can be written");
    }
    let found = fs::read_to_string(&path).expect("the file is there");
    assert_eq!(
        found.replace("\r\n", "\n"),
        wanted,
        "see the top of this test for how to make it anew"
    );
}

/// The ticks that the page shows beside the model's deliveries are about the same messages.
#[test]
fn every_recorded_delivery_is_one_of_the_model_s_too() {
    use rocketmq_playground::scenario::expect::observe::observe;
    let scenario = presets::by_name("happy-path").expect("it is there");
    let recorded = scenario.recorded.as_ref().expect("it has the real deliveries");
    let observed = observe(&scenario);
    assert_eq!(recorded.deliveries.len(), observed.deliveries.len());
    for real in &recorded.deliveries {
        let ours = observed.deliveries.iter().find(|it| *it.key == *real.key);
        let ours = ours.unwrap_or_else(|| panic!("{} is delivered", real.key));
        assert_eq!(ours.message.queue_id, real.queue_id, "{}", real.key);
        assert_eq!(ours.message.queue_offset, real.queue_offset, "{}", real.key);
        let apart = ours.at.ms().abs_diff(real.begin.ms());
        assert!(apart <= 250, "{}: {apart} ms apart", real.key);
    }
}
