//! The script's entries as text.

use super::read_command::NAME_SERVER;
use super::read_listener::{ON_INTERRUPT, RESULTS};
use super::read_script::MODES;
use super::toml_text::{Text, key, list, quoted, word_of};
use super::write_command;
use crate::model::allocate::{AllocateStrategy, MachineRoomResolver};
use crate::model::config::{
    ConsumeFromWhere, ConsumerConfig, ConsumerSpec, ProducerConfig, ProducerSpec, SendMode,
};
use crate::model::listener::{ListenerBehavior, ListenerScript, ListenerStep, OnInterrupt};
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::scenario::duration;
use crate::scenario::property::{CONSUMER, PRODUCER};
use crate::sim::command::{Command, Party, QueueChoice, SendMessages};

/// One command of the script.
pub fn line(text: &mut Text, profile: Profile, at: Millis, command: &Command) {
    let at = quoted(&duration::write(at));
    match command {
        Command::StartProducer(spec) => {
            text.table("producer");
            text.field("at", &at);
            producer(text, profile, spec);
        }
        Command::StartConsumer(spec) => {
            text.table("consumer");
            text.field("at", &at);
            consumer(text, profile, spec);
        }
        Command::SendMessages(send) => {
            text.table("send");
            text.field("at", &at);
            self::send(text, send);
        }
        command => {
            text.table("do");
            text.field("at", &at);
            write_command::command(text, command);
        }
    }
}

fn producer(text: &mut Text, profile: Profile, spec: &ProducerSpec) {
    text.field("client", &quoted(spec.client_id.as_str()));
    text.field("group", &quoted(spec.group.as_str()));
    text.properties(PRODUCER, &spec.config, &ProducerConfig::defaults(profile));
}

fn consumer(text: &mut Text, profile: Profile, spec: &ConsumerSpec) {
    text.field("client", &quoted(spec.client_id.as_str()));
    text.field("group", &quoted(spec.group.as_str()));
    if let Some(process) = &spec.process {
        text.field("process", &quoted(process));
    }
    let subscriptions = spec
        .subscriptions
        .iter()
        .map(|(topic, expression)| format!("{} = {}", key(topic.as_str()), quoted(expression)));
    let subscriptions = subscriptions.collect::<Vec<_>>().join(", ");
    text.field("subscribe", &format!("{{ {subscriptions} }}"));
    let default = ConsumerConfig::defaults(profile);
    text.properties(CONSUMER, &spec.config, &default);
    if spec.config.consume_from_where != default.consume_from_where {
        from_where(text, spec.config.consume_from_where);
    }
    if spec.config.allocate_strategy != default.allocate_strategy {
        text.field("allocateMessageQueueStrategy", &strategy(&spec.config.allocate_strategy));
    }
    if spec.listener != ListenerBehavior::default() {
        text.field("listener", &listener(&spec.listener));
    }
}

fn from_where(text: &mut Text, from: ConsumeFromWhere) {
    let word = match from {
        ConsumeFromWhere::LastOffset => "CONSUME_FROM_LAST_OFFSET",
        ConsumeFromWhere::FirstOffset => "CONSUME_FROM_FIRST_OFFSET",
        ConsumeFromWhere::Timestamp(_) => "CONSUME_FROM_TIMESTAMP",
    };
    text.field("consumeFromWhere", &quoted(word));
    if let ConsumeFromWhere::Timestamp(timestamp) = from {
        text.field("consumeTimestamp", &quoted(&duration::write_signed(timestamp)));
    }
}

fn strategy(strategy: &AllocateStrategy) -> String {
    match strategy {
        AllocateStrategy::Averagely | AllocateStrategy::AveragelyByCircle => {
            quoted(&strategy.name())
        }
        AllocateStrategy::ConsistentHash { virtual_nodes } => {
            format!("{{ name = \"CONSISTENT_HASH\", virtualNodeCnt = {virtual_nodes} }}")
        }
        AllocateStrategy::ByConfig(queues) => {
            let queues = queues.iter().map(|queue| {
                quoted(&format!("{}/{}/{}", queue.topic, queue.broker_name, queue.queue_id))
            });
            format!("{{ name = \"CONFIG\", messageQueueList = {} }}", list(queues))
        }
        AllocateStrategy::ByMachineRoom(rooms) => {
            let rooms = list(rooms.iter().map(|room| quoted(room)));
            format!("{{ name = \"MACHINE_ROOM\", consumeridcs = {rooms} }}")
        }
        AllocateStrategy::MachineRoomNearby { inner, resolver } => {
            let MachineRoomResolver { broker_separator, client_separator } = resolver;
            format!(
                "{{ name = \"MACHINE_ROOM_NEARBY\", inner = {}, brokerSeparator = {}, \
                 clientSeparator = {} }}",
                self::strategy(inner),
                quoted(&broker_separator.to_string()),
                quoted(&client_separator.to_string())
            )
        }
    }
}

/// A listener, as short as it goes.
pub fn listener(listener: &ListenerBehavior) -> String {
    let script = script(&listener.default_script);
    if listener.pause == Millis::ZERO && listener.by_key.is_empty() {
        return script;
    }
    let mut parts = vec![
        format!("pause = {}", quoted(&duration::write(listener.pause))),
        format!("script = {script}"),
    ];
    if !listener.by_key.is_empty() {
        let by_key = listener
            .by_key
            .iter()
            .map(|(message, steps)| format!("{} = {}", key(message.as_str()), self::script(steps)));
        parts.push(format!("byKey = {{ {} }}", by_key.collect::<Vec<_>>().join(", ")));
    }
    format!("{{ {} }}", parts.join(", "))
}

/// The steps, equal ones told once.
pub fn script(script: &ListenerScript) -> String {
    let mut runs: Vec<(ListenerStep, usize)> = Vec::new();
    for step in script.steps() {
        match runs.last_mut() {
            Some((last, times)) if last == step => *times += 1,
            _ => runs.push((*step, 1)),
        }
    }
    match &runs[..] {
        [(step, times)] if is_short(step) => short(step, *times),
        runs => list(runs.iter().map(|(step, times)| match is_short(step) {
            true => short(step, *times),
            false => long(step, *times),
        })),
    }
}

fn is_short(step: &ListenerStep) -> bool {
    *step == ListenerStep { result: step.result, takes: step.takes, ..ListenerStep::ok() }
}

fn short(step: &ListenerStep, times: usize) -> String {
    let mut text = word_of(RESULTS, step.result).to_owned();
    if step.takes > Millis::ZERO {
        text += &format!(" {}", duration::write(step.takes));
    }
    if times > 1 {
        text += &format!(" x{times}");
    }
    quoted(&text)
}

fn long(step: &ListenerStep, times: usize) -> String {
    let mut parts = vec![format!("result = {}", quoted(word_of(RESULTS, step.result)))];
    if step.takes > Millis::ZERO {
        parts.push(format!("takes = {}", quoted(&duration::write(step.takes))));
    }
    if let Some(index) = step.ack_index {
        parts.push(format!("ackIndex = {index}"));
    }
    if step.delay_level_when_next_consume != 0 {
        parts.push(format!("delayLevelWhenNextConsume = {}", step.delay_level_when_next_consume));
    }
    if let Some(suspend) = step.suspend_ms {
        parts.push(format!("suspendCurrentQueueTimeMillis = {}", suspend.ms()));
    }
    if step.on_interrupt != OnInterrupt::Ignores {
        let word = word_of(ON_INTERRUPT, step.on_interrupt);
        parts.push(format!("onInterrupt = {}", quoted(word)));
    }
    if times > 1 {
        parts.push(format!("times = {times}"));
    }
    format!("{{ {} }}", parts.join(", "))
}

fn send(text: &mut Text, send: &SendMessages) {
    let default = SendMessages::one(send.topic.clone());
    if let Some(producer) = &send.producer {
        text.field("producer", &quoted(producer.as_str()));
    }
    text.field("topic", &quoted(send.topic.as_str()));
    if send.count != default.count {
        text.field("count", &send.count.to_string());
    }
    if send.every != default.every {
        text.field("every", &quoted(&duration::write(send.every)));
    }
    if let Some(key) = &send.key {
        text.field("key", &quoted(key.as_str()));
    }
    if let Some(tag) = &send.tag {
        text.field("tag", &quoted(tag.as_str()));
    }
    match &send.queue {
        QueueChoice::RoundRobin => {}
        QueueChoice::Fixed { broker_name, queue_id } => {
            if let Some(broker_name) = broker_name {
                text.field("broker", &quoted(broker_name.as_str()));
            }
            text.field("queue", &queue_id.to_string());
        }
        QueueChoice::HashOf(of) => text.field("queue", &format!("{{ hash = {} }}", quoted(of))),
    }
    if send.delay_level != default.delay_level {
        text.field("delayLevel", &send.delay_level.to_string());
    }
    if send.body_bytes != default.body_bytes {
        text.field("bodyBytes", &send.body_bytes.to_string());
    }
    if send.mode != SendMode::Sync {
        text.field("mode", &quoted(word_of(MODES, send.mode)));
    }
    if let Some(script) = &send.script {
        text.field("listener", &self::script(script));
    }
}

/// A party of the network.
pub fn party(party: &Party) -> String {
    match party {
        Party::NameServer => quoted(NAME_SERVER),
        Party::Broker(name) => quoted(&format!("broker {name}")),
        Party::Client(id) => quoted(&format!("client {id}")),
    }
}
