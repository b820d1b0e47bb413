//! From the model's types to version 1: total.

use super::tags::{self, number_of};
use super::types as wire;
use crate::model::allocate::AllocateStrategy;
use crate::model::config::{
    BrokerConfig, ConsumeFromWhere, ConsumerConfig, ConsumerSpec, ProducerConfig, ProducerSpec,
    SendMode, SubscriptionGroupConfig,
};
use crate::model::listener::{
    ListenerBehavior, ListenerResult, ListenerScript, ListenerStep, OnInterrupt,
};
use crate::model::profile::Profile;
use crate::scenario::link::{Base, Change, Link};
use crate::scenario::property::{
    Allowed, BROKER, CONSUMER, GROUP, PRODUCER, Property, Setting, find,
};
use crate::sim::command::{BrokerStop, Command, Party, QueueChoice, SendMessages};
use crate::sim::packet::RequestCode;
use crate::sim::setup::TieBreak;

pub fn to_wire(link: &Link) -> wire::Link {
    let mut before = 0;
    let interventions = link.interventions.iter().map(|(at, command)| {
        let at = at.ms() as i64;
        let after_ms = at.wrapping_sub(before);
        before = at;
        wire::Intervention { after_ms, command: self::command(command, link.profile) }
    });
    wire::Link {
        model_id: link.model_id,
        profile: match link.profile {
            Profile::V42 => wire::Profile::V42,
            Profile::V49 => wire::Profile::V49,
            Profile::V53 => wire::Profile::V53,
        },
        seed: link.seed,
        base: match &link.base {
            Base::Preset(name) => match number_of(tags::PRESETS, name) {
                Some(number) => wire::Base::Preset(number),
                None => wire::Base::Named(name.clone()),
            },
            Base::File(text) => wire::Base::File(text.clone()),
        },
        changes: link.changes.iter().map(change).collect(),
        interventions: interventions.collect(),
        title: link.title.clone(),
        reached_ms: link.outcome.reached.ms(),
        events: link.outcome.events,
        digest: link.outcome.digest,
    }
}

/// A setting as a number: itself, 0 or 1, or its place among the words.
fn value(allowed: &Allowed, setting: &Setting) -> i64 {
    match (setting, allowed) {
        (Setting::Integer(number), _) => *number,
        (Setting::Flag(flag), _) => i64::from(*flag),
        (Setting::Word(word), Allowed::Words(words)) => {
            words.iter().position(|known| known == word).unwrap_or(0) as i64
        }
        (Setting::Word(_), _) => 0,
    }
}

/// A property by name. One that no table has, in a change that does nothing, gets a tag that none has.
fn property<C>(
    table: &'static [Property<C>],
    tags: &[&str],
    name: &str,
    setting: &Setting,
) -> wire::Property {
    let value = find(table, name).map_or(0, |property| value(&property.allowed, setting));
    wire::Property { tag: number_of(tags, name).unwrap_or(u16::MAX), value }
}

/// The properties that differ from the defaults.
fn properties<C>(
    table: &'static [Property<C>],
    tags: &[&str],
    config: &C,
    default: &C,
) -> Vec<wire::Property> {
    let differing = table.iter().filter(|it| (it.get)(config) != (it.get)(default));
    differing.map(|it| property(table, tags, it.name, &(it.get)(config))).collect()
}

fn change(change: &Change) -> wire::Change {
    match change {
        Change::Latency(latency) => wire::Change::Latency(latency.ms()),
        Change::StartUp(start_up) => wire::Change::StartUp(start_up.ms()),
        Change::TieBreak(tie_break) => wire::Change::Shuffled(*tie_break == TieBreak::Shuffled),
        Change::Queues { topic, queues } => {
            wire::Change::Queues { topic: topic.to_string(), queues: *queues }
        }
        Change::Consumer { client_id, property: name, value } => wire::Change::Consumer {
            client: client_id.as_ref().map(ToString::to_string),
            property: property::<ConsumerConfig>(CONSUMER, tags::CONSUMER, name, value),
        },
        Change::Broker { broker_name, property: name, value } => wire::Change::Broker {
            broker: broker_name.as_ref().map(ToString::to_string),
            property: property::<BrokerConfig>(BROKER, tags::BROKER, name, value),
        },
        Change::Group { group, property: name, value } => wire::Change::Group {
            group: group.to_string(),
            property: property::<SubscriptionGroupConfig>(GROUP, tags::GROUP, name, value),
        },
        Change::Listener { client_id, listener } => wire::Change::Listener {
            client: client_id.as_ref().map(ToString::to_string),
            listener: self::listener(listener),
        },
        Change::Without(number) => wire::Change::Without(*number),
    }
}

fn listener(listener: &ListenerBehavior) -> wire::Listener {
    let by_key = listener.by_key.iter();
    wire::Listener {
        pause_ms: listener.pause.ms(),
        script: steps(&listener.default_script),
        by_key: by_key.map(|(key, script)| (key.to_string(), steps(script))).collect(),
    }
}

/// The steps, equal neighbours told once.
fn steps(script: &ListenerScript) -> Vec<wire::Step> {
    let mut steps: Vec<wire::Step> = Vec::new();
    for step in script.steps().iter().map(step) {
        match steps.last_mut() {
            Some(last) if (wire::Step { times: 1, ..last.clone() }) == step => last.times += 1,
            _ => steps.push(step),
        }
    }
    steps
}

fn step(step: &ListenerStep) -> wire::Step {
    wire::Step {
        times: 1,
        takes_ms: step.takes.ms(),
        result: match step.result {
            ListenerResult::Success => wire::ListenerResult::Success,
            ListenerResult::Later => wire::ListenerResult::Later,
            ListenerResult::Throws => wire::ListenerResult::Throws,
            ListenerResult::Null => wire::ListenerResult::Null,
            ListenerResult::Never => wire::ListenerResult::Never,
            ListenerResult::Commit => wire::ListenerResult::Commit,
            ListenerResult::Rollback => wire::ListenerResult::Rollback,
        },
        ack_index: step.ack_index,
        delay_level: step.delay_level_when_next_consume,
        suspend_ms: step.suspend_ms.map(crate::model::time::Millis::ms),
        on_interrupt: on_interrupt(step.on_interrupt),
    }
}

fn on_interrupt(on_interrupt: OnInterrupt) -> wire::OnInterrupt {
    match on_interrupt {
        OnInterrupt::Ignores => wire::OnInterrupt::Ignores,
        OnInterrupt::EndsEarly => wire::OnInterrupt::EndsEarly,
        OnInterrupt::Succeeds => wire::OnInterrupt::Succeeds,
        OnInterrupt::Fails => wire::OnInterrupt::Fails,
    }
}

fn consumer(spec: &ConsumerSpec, profile: Profile) -> wire::Consumer {
    let default = ConsumerConfig::defaults(profile);
    let config = &spec.config;
    let subscriptions = spec.subscriptions.iter();
    let (strategy, nearby) = strategy(&config.allocate_strategy);
    wire::Consumer {
        client: spec.client_id.to_string(),
        group: spec.group.to_string(),
        process: spec.process.clone(),
        subscriptions: subscriptions.map(|(topic, it)| (topic.to_string(), it.clone())).collect(),
        properties: properties(CONSUMER, tags::CONSUMER, config, &default),
        from_where: (config.consume_from_where != default.consume_from_where).then_some(
            match config.consume_from_where {
                ConsumeFromWhere::LastOffset => wire::FromWhere::LastOffset,
                ConsumeFromWhere::FirstOffset => wire::FromWhere::FirstOffset,
                ConsumeFromWhere::Timestamp(at) => wire::FromWhere::Timestamp(at),
            },
        ),
        strategy: (config.allocate_strategy != default.allocate_strategy).then_some(strategy),
        nearby,
        listener: (spec.listener != ListenerBehavior::default())
            .then(|| self::listener(&spec.listener)),
    }
}

/// The innermost strategy, and what is around it.
fn strategy(strategy: &AllocateStrategy) -> (wire::Strategy, Vec<(char, char)>) {
    let mut nearby = Vec::new();
    let mut innermost = strategy;
    while let AllocateStrategy::MachineRoomNearby { inner, resolver } = innermost {
        nearby.push((resolver.broker_separator, resolver.client_separator));
        innermost = inner;
    }
    let strategy = match innermost {
        AllocateStrategy::AveragelyByCircle => wire::Strategy::AveragelyByCircle,
        AllocateStrategy::ByConfig(queues) => {
            let queue = |it: &crate::model::message_queue::MessageQueue| {
                (it.topic.to_string(), it.broker_name.to_string(), it.queue_id.0)
            };
            wire::Strategy::ByConfig(queues.iter().map(queue).collect())
        }
        AllocateStrategy::ByMachineRoom(rooms) => wire::Strategy::ByMachineRoom(rooms.clone()),
        AllocateStrategy::ConsistentHash { virtual_nodes } => {
            wire::Strategy::ConsistentHash(*virtual_nodes)
        }
        AllocateStrategy::Averagely | AllocateStrategy::MachineRoomNearby { .. } => {
            wire::Strategy::Averagely
        }
    };
    (strategy, nearby)
}

fn producer(spec: &ProducerSpec, profile: Profile) -> wire::Producer {
    let default = ProducerConfig::defaults(profile);
    wire::Producer {
        client: spec.client_id.to_string(),
        group: spec.group.to_string(),
        properties: properties(PRODUCER, tags::PRODUCER, &spec.config, &default),
    }
}

fn send(send: &SendMessages) -> wire::Send {
    wire::Send {
        producer: send.producer.as_ref().map(ToString::to_string),
        topic: send.topic.to_string(),
        count: send.count,
        every_ms: send.every.ms(),
        key: send.key.as_ref().map(ToString::to_string),
        tag: send.tag.as_ref().map(ToString::to_string),
        queue: match &send.queue {
            QueueChoice::RoundRobin => wire::Queue::RoundRobin,
            QueueChoice::Fixed { broker_name, queue_id } => wire::Queue::Fixed {
                broker: broker_name.as_ref().map(ToString::to_string),
                queue: queue_id.0,
            },
            QueueChoice::HashOf(text) => wire::Queue::HashOf(text.clone()),
        },
        delay_level: send.delay_level,
        body_bytes: send.body_bytes,
        mode: match send.mode {
            SendMode::Sync => wire::SendMode::Sync,
            SendMode::Async => wire::SendMode::Async,
            SendMode::Oneway => wire::SendMode::Oneway,
        },
        script: send.script.as_deref().map(steps),
    }
}

fn party(party: &Party) -> wire::Party {
    match party {
        Party::NameServer => wire::Party::NameServer,
        Party::Broker(name) => wire::Party::Broker(name.to_string()),
        Party::Client(id) => wire::Party::Client(id.to_string()),
    }
}

#[expect(clippy::too_many_lines, reason = "a table with one entry for each command")]
fn command(command: &Command, profile: Profile) -> wire::Command {
    use wire::Command as Wire;
    let optional =
        |name: &Option<crate::model::ids::GroupName>| name.as_ref().map(ToString::to_string);
    match command {
        Command::StartProducer(spec) => Wire::StartProducer(producer(spec, profile)),
        Command::StopProducer { client_id } => Wire::StopProducer { client: client_id.to_string() },
        Command::SendMessages(it) => Wire::SendMessages(send(it)),
        Command::StartConsumer(spec) => Wire::StartConsumer(consumer(spec, profile)),
        Command::StopConsumer { client_id, group } => {
            Wire::StopConsumer { client: client_id.to_string(), group: optional(group) }
        }
        Command::CrashConsumer { client_id } => {
            Wire::CrashConsumer { client: client_id.to_string() }
        }
        Command::LoseHost { client_id } => Wire::LoseHost { client: client_id.to_string() },
        Command::FreezeClient { client_id, duration } => Wire::FreezeClient {
            client: client_id.to_string(),
            duration_ms: duration.map(crate::model::time::Millis::ms),
        },
        Command::ResumeClient { client_id } => Wire::ResumeClient { client: client_id.to_string() },
        Command::Subscribe { client_id, group, topic, expression } => Wire::Subscribe {
            client: client_id.to_string(),
            group: group.to_string(),
            topic: topic.to_string(),
            expression: expression.clone(),
        },
        Command::Unsubscribe { client_id, group, topic } => Wire::Unsubscribe {
            client: client_id.to_string(),
            group: group.to_string(),
            topic: topic.to_string(),
        },
        Command::SetListener { client_id, group, listener } => Wire::SetListener {
            client: client_id.to_string(),
            group: optional(group),
            listener: self::listener(listener),
        },
        Command::SetOnInterrupt { client_id, on_interrupt } => Wire::SetOnInterrupt {
            client: client_id.to_string(),
            on_interrupt: self::on_interrupt(*on_interrupt),
        },
        Command::PausePulling { client_id } => Wire::PausePulling { client: client_id.to_string() },
        Command::ResumePulling { client_id } => {
            Wire::ResumePulling { client: client_id.to_string() }
        }
        Command::SetConsumerProperty { client_id, name, value } => Wire::SetConsumerProperty {
            client: client_id.to_string(),
            name: name.clone(),
            value: *value,
        },
        Command::SkewClock { client_id, by_ms } => {
            Wire::SkewClock { client: client_id.to_string(), by_ms: *by_ms }
        }
        Command::SkipHeartbeat { client_id } => {
            Wire::SkipHeartbeat { client: client_id.to_string() }
        }
        Command::HalfOpenReconnect { client_id } => {
            Wire::HalfOpenReconnect { client: client_id.to_string() }
        }
        Command::StopBroker { broker_name, broker_id, how } => Wire::StopBroker {
            broker: broker_name.to_string(),
            id: *broker_id,
            kill: matches!(how, BrokerStop::Kill { .. }),
            lost_tail: match how {
                BrokerStop::Graceful => 0,
                BrokerStop::Kill { lost_tail } => *lost_tail,
            },
        },
        Command::StartBroker { broker_name, broker_id } => {
            Wire::StartBroker { broker: broker_name.to_string(), id: *broker_id }
        }
        Command::FreezeBroker { broker_name, duration } => Wire::FreezeBroker {
            broker: broker_name.to_string(),
            duration_ms: duration.map(crate::model::time::Millis::ms),
        },
        Command::ResumeBroker { broker_name } => {
            Wire::ResumeBroker { broker: broker_name.to_string() }
        }
        Command::SetBrokerWritable { broker_name, writable } => {
            Wire::SetBrokerWritable { broker: broker_name.to_string(), writable: *writable }
        }
        Command::SlowStore { broker_name, by } => {
            Wire::SlowStore { broker: broker_name.to_string(), by_ms: by.ms() }
        }
        Command::ExpireHead { broker_name, topic, queue_id, min_offset } => Wire::ExpireHead {
            broker: broker_name.to_string(),
            topic: topic.to_string(),
            queue: queue_id.0,
            min_offset: min_offset.0,
        },
        Command::SetFirstMessageInMemory { broker_name, in_memory } => {
            Wire::SetFirstMessageInMemory { broker: broker_name.to_string(), in_memory: *in_memory }
        }
        Command::SetBrokerProperty { broker_name, name, value } => Wire::SetBrokerProperty {
            broker: broker_name.to_string(),
            name: name.clone(),
            value: *value,
        },
        Command::StopNameServer => Wire::StopNameServer,
        Command::StartNameServer => Wire::StartNameServer,
        Command::Partition { a, b, one_way } => {
            Wire::Partition { a: party(a), b: party(b), one_way: *one_way }
        }
        Command::Heal { a, b } => Wire::Heal { a: party(a), b: party(b) },
        Command::SetLatency { a, b, from, to } => {
            Wire::SetLatency { a: party(a), b: party(b), from_ms: from.ms(), to_ms: to.ms() }
        }
        Command::DropNext { from, to, code, count, only_response } => Wire::DropNext {
            from: party(from),
            to: party(to),
            code: code.number(),
            count: *count,
            only_response: *only_response,
        },
        Command::DuplicateNext { from, to, code, count, only_response, later, later_at_most } => {
            Wire::DuplicateNext {
                from: party(from),
                to: party(to),
                code: code.map(RequestCode::number),
                count: *count,
                only_response: *only_response,
                later_ms: later.ms(),
                later_at_most_ms: later_at_most.ms(),
            }
        }
        Command::ReorderNext { from, to, code, count, only_response, at_most } => {
            Wire::ReorderNext {
                from: party(from),
                to: party(to),
                code: code.map(RequestCode::number),
                count: *count,
                only_response: *only_response,
                at_most_ms: at_most.ms(),
            }
        }
        Command::CreateTopic { topic, broker_name, queue_nums } => Wire::CreateTopic {
            topic: topic.to_string(),
            broker: broker_name.as_ref().map(ToString::to_string),
            queues: *queue_nums,
        },
        Command::UpdateTopic {
            topic,
            broker_name,
            read_queue_nums,
            write_queue_nums,
            permission,
        } => Wire::UpdateTopic {
            topic: topic.to_string(),
            broker: broker_name.as_ref().map(ToString::to_string),
            read: *read_queue_nums,
            write: *write_queue_nums,
            perm: u8::from(permission.readable) * 4 + u8::from(permission.writable) * 2,
        },
        Command::UpdateGroup { group, retry_queue_nums, retry_max_times } => Wire::UpdateGroup {
            group: group.to_string(),
            retry_queue_nums: *retry_queue_nums,
            retry_max_times: *retry_max_times,
        },
        Command::ResetOffset { group, topic, timestamp, force } => Wire::ResetOffset {
            group: group.to_string(),
            topic: topic.to_string(),
            timestamp: *timestamp,
            force: *force,
        },
        Command::SetOffset { group, topic, broker_name, queue_id, offset } => Wire::SetOffset {
            group: group.to_string(),
            topic: topic.to_string(),
            broker: broker_name.as_ref().map(ToString::to_string),
            queue: queue_id.0,
            offset: offset.0,
        },
    }
}
