//! A trace's own inputs as a run of ours: the only function from trace to scenario.
//!
//! Input is what the people behind the recording decided: topics, how each consumer was set, when it
//! was started and had started, what was sent when and to which queue, kills, stops, what happened to
//! the broker, and the administrator's two actions. Everything else is to be predicted.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::listeners::scripts;
use super::phases::{broker_phase, services_begin};
use super::sends::{Send, sends};
use super::starting::{From, Mode, Starting};
use super::trace::{BrokerEnd, Header, Trace, Word};
use super::view::View;
use crate::model::config::{
    BrokerConfig, BrokerSpec, ConsumeFromWhere, ConsumeMode, ConsumerConfig, ConsumerSpec,
    MessageModel, ProducerConfig, ProducerSpec, SendMode,
};
use crate::model::constants;
use crate::model::ids::{BrokerName, ClientId, GroupName, MessageKey, QueueId, Tag, TopicName};
use crate::model::listener::ListenerBehavior;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::model::topic::TopicConfig;
use crate::sim::command::{BrokerStop, Command, QueueChoice, SendMessages};
use crate::sim::setup::{Setup, TopicSetup};

/// The one broker of every recording.
pub const BROKER: &str = "broker-a";

/// One-way latency of every link in the model's runs, for every trace alike.
///
/// The model's own default (spec 00.3). The recordings ran over loopback on a busy machine: their
/// latencies are that machine's, and the comparison's tolerances hold them, so nothing is to be fitted.
pub const LATENCY: Millis = Millis::new(1);

/// A run to be played: what exists, what is done when, and until when.
#[derive(Clone, Debug)]
pub struct Run {
    pub setup: Setup,
    pub script: Vec<(Millis, Command)>,
    /// The starts of the consumers, in the order of the trace.
    pub starts: Vec<Start>,
    pub until: Millis,
    /// By how much every moment of the run is later than in the trace.
    pub shift: Millis,
}

/// One consumer's start. Between the recorded `starting` and `started` a busy machine loads the process;
/// ours stands still for so long instead, so that its timers, which begin before `started`, begin about
/// when the recorded ones did.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The place of its start in the script; the command that lets it stand still is the next.
    pub index: usize,
    /// When `start()` has to end.
    pub wanted: Millis,
}

/// What a trace's inputs say, as a run. `profile` is the trace's own unless the caller wants another.
pub fn run_of(trace: &Trace, profile: Profile) -> Run {
    let view = View::of(trace);
    let told = acts(trace);
    let mut lives = view.lives.iter().enumerate();
    let mut script = producer(trace, profile);
    let mut starts = Vec::new();
    let mut broker_end = BrokerEnd::Term;
    for (index, line) in trace.lines.iter().enumerate() {
        let at = line.at;
        match &line.word {
            Word::Starting(starting) => {
                let (started, client_id) = started_after(trace, index, starting);
                starts.push(Start { index: script.len(), wanted: started });
                let mut spec = consumer(starting, client_id, profile);
                let mut begins = at;
                if let Some((index, life)) = lives.next() {
                    begins = services_begin(life, started, profile);
                    spec.listener.by_key = scripts(&view, index, &told);
                }
                let client_id = spec.client_id.clone();
                script.push((begins, Command::StartConsumer(Box::new(spec))));
                let duration = Some(started - begins - LATENCY * 5);
                script.push((begins, Command::FreezeClient { client_id, duration }));
            }
            Word::Kill9 { client } | Word::HarnessEnd { client } => {
                let client_id = client_id_before(trace, index, client);
                script.push((at, Command::CrashConsumer { client_id }));
            }
            Word::SigTerm { client } => {
                let client_id = client_id_before(trace, index, client);
                script.push((at, Command::StopConsumer { client_id, group: None }));
            }
            Word::BrokerStop { how } => {
                broker_end = *how;
                script.push((at, stop_broker(*how)));
            }
            // A frozen process goes on at once; a new one serves when the runner saw it up.
            Word::BrokerStart if broker_end == BrokerEnd::SigStop => {
                script.push((at, Command::ResumeBroker { broker_name: broker_name() }));
            }
            Word::BrokerStarted if broker_end != BrokerEnd::SigStop => {
                let broker_name = broker_name();
                script.push((at, Command::StartBroker { broker_name, broker_id: 0 }));
            }
            Word::ResetBegin => script.push((at, reset(&trace.header))),
            Word::SetOffset { offset } => {
                let Header { group, topic, .. } = &trace.header;
                let command = Command::SetOffset {
                    group: group.clone(),
                    topic: topic.clone(),
                    broker_name: Some(broker_name()),
                    queue_id: QueueId(0),
                    offset: *offset,
                };
                script.push((at, command));
            }
            _ => {}
        }
    }
    script.extend(sends(trace).into_iter().map(|send| (send.at, command_of(send))));
    let shift = broker_phase(&view, profile);
    for (at, _) in &mut script {
        *at += shift;
    }
    for start in &mut starts {
        start.wanted += shift;
    }
    Run { setup: setup(trace, profile), script, starts, until: trace.end() + shift, shift }
}

fn broker_name() -> BrokerName {
    BrokerName::new(BROKER)
}

fn setup(trace: &Trace, profile: Profile) -> Setup {
    let header = &trace.header;
    let mut config = BrokerConfig::defaults(profile);
    if !header.first_message_in_memory {
        set_memory_ratio_zero(&mut config, profile);
    }
    let topic = |topic: &TopicName| TopicSetup {
        topic: topic.clone(),
        broker_name: broker_name(),
        config: TopicConfig::read_write(header.queues),
    };
    Setup {
        latency: LATENCY,
        brokers: vec![BrokerSpec { name: broker_name(), broker_id: 0, config }],
        topics: [Some(&header.topic), header.topic2.as_ref()]
            .into_iter()
            .flatten()
            .map(topic)
            .collect(),
        ..Setup::empty(profile)
    }
}

/// `accessMessageInMemoryMaxRatio` 0: nothing counts as in memory, neither a queue's first message nor what
/// a pull brings.
pub fn set_memory_ratio_zero(config: &mut BrokerConfig, profile: Profile) {
    config.first_message_in_memory = false;
    config.max_transfer_count_on_message_in_memory = constants::max_transfer_count_on_disk(profile);
    config.max_transfer_bytes_on_message_in_memory = constants::max_transfer_bytes_on_disk(profile);
}

/// The producer is there before the first send. It is not a member of the group.
fn producer(trace: &Trace, profile: Profile) -> Vec<(Millis, Command)> {
    if !trace.lines.iter().any(|line| matches!(line.word, Word::Sent(_))) {
        return Vec::new();
    }
    let spec = ProducerSpec {
        client_id: ClientId::new("127.0.0.1@producer"),
        group: GroupName::new("recorded-producer"),
        config: ProducerConfig::defaults(profile),
    };
    vec![(Millis::ZERO, Command::StartProducer(spec))]
}

/// When the consumer that is being started had started, and as whom.
fn started_after(trace: &Trace, index: usize, starting: &Starting) -> (Millis, Rc<str>) {
    let found = trace.lines[index..].iter().find_map(|line| match &line.word {
        Word::Started { client, client_id } if *client == starting.client => {
            Some((line.at, client_id.clone()))
        }
        _ => None,
    });
    // A consumer that never got so far: it starts, and its end is open.
    found.unwrap_or_else(|| (trace.lines[index].at, by_default(&starting.client)))
}

fn client_id_before(trace: &Trace, index: usize, name: &str) -> ClientId {
    let found = trace.lines[..index].iter().rev().find_map(|line| match &line.word {
        Word::Started { client, client_id } if **client == *name => Some(client_id.clone()),
        _ => None,
    });
    ClientId::new(found.unwrap_or_else(|| by_default(name)))
}

fn by_default(name: &str) -> Rc<str> {
    Rc::from(format!("127.0.0.1@{name}"))
}

fn consumer(starting: &Starting, client_id: Rc<str>, profile: Profile) -> ConsumerSpec {
    let mut config = ConsumerConfig::defaults(profile);
    match starting.mode {
        Mode::Concurrent => {}
        Mode::Orderly => config.consume_mode = ConsumeMode::Orderly,
        Mode::Broadcast => config.message_model = MessageModel::Broadcasting,
    }
    config.consume_from_where = match starting.from {
        From::First => ConsumeFromWhere::FirstOffset,
        From::Last => ConsumeFromWhere::LastOffset,
    };
    if let Some(threads) = starting.threads {
        config.consume_thread_min = threads;
        config.consume_thread_max = threads;
    }
    let set = |field: &mut u32, value: Option<u32>| {
        if let Some(value) = value {
            *field = value;
        }
    };
    set(&mut config.consume_message_batch_max_size, starting.batch);
    set(&mut config.pull_batch_size, starting.pull_batch);
    set(&mut config.pull_threshold_for_queue, starting.threshold);
    set(&mut config.consume_timeout, starting.timeout_minutes);
    if let Some(max) = starting.max_reconsume_times {
        config.max_reconsume_times = max;
    }
    ConsumerSpec {
        client_id: ClientId::new(client_id),
        group: starting.group.clone(),
        process: None,
        subscriptions: vec![(starting.subscription().clone(), starting.expression.clone())],
        config,
        listener: ListenerBehavior { pause: starting.sleep, ..ListenerBehavior::default() },
    }
}

fn stop_broker(how: BrokerEnd) -> Command {
    let broker_name = broker_name();
    match how {
        BrokerEnd::SigStop => Command::FreezeBroker { broker_name, duration: None },
        BrokerEnd::Term => {
            Command::StopBroker { broker_name, broker_id: 0, how: BrokerStop::Graceful }
        }
        BrokerEnd::Kill9 => Command::StopBroker {
            broker_name,
            broker_id: 0,
            how: BrokerStop::Kill { lost_tail: 0 },
        },
    }
}

/// The administrator's reset goes to timestamp 0, forced.
fn reset(header: &Header) -> Command {
    Command::ResetOffset {
        group: header.group.clone(),
        topic: header.topic.clone(),
        timestamp: 0,
        force: true,
    }
}

/// The queue is a part of the send: the recorded producer's round robin began somewhere by chance.
fn command_of(send: Send) -> Command {
    Command::SendMessages(SendMessages {
        key: Some(MessageKey::new(&send.key)),
        tag: send.tag.map(Tag::new),
        queue: QueueChoice::Fixed { broker_name: Some(broker_name()), queue_id: send.queue_id },
        delay_level: send.level,
        mode: SendMode::Sync,
        script: Some(Rc::new(send.act.script())),
        ..SendMessages::one(send.topic)
    })
}

/// Keys of the trace's messages with their acts, for writing a run of ours in the trace's words.
pub fn acts(trace: &Trace) -> BTreeMap<Rc<str>, super::act::Act> {
    sends(trace).into_iter().map(|send| (send.key, send.act)).collect()
}
