//! From a scenario to a text that reads back as the same scenario. Only what differs from RocketMQ's
//! defaults is written.

use super::read_setup::{GROUP_STATES, PERMISSIONS, TIE_BREAKS};
use super::toml_text::{Text, quoted, word_of};
use super::{write_expect, write_mark, write_script};
use crate::model::config::{BrokerConfig, SubscriptionGroupConfig};
use crate::model::time::Millis;
use crate::model::topic::TopicConfig;
use crate::scenario::duration;
use crate::scenario::property::{BROKER, GROUP};
use crate::scenario::scenario::{Recorded, Scenario, Words};
use crate::sim::setup::Setup;

/// The scenario as a file.
pub fn write(scenario: &Scenario) -> String {
    let mut text = Text::default();
    if !scenario.id.is_empty() {
        text.field("id", &quoted(&scenario.id));
    }
    words(&mut text, "title", &scenario.title);
    words(&mut text, "about", &scenario.about);
    text.field("profile", &quoted(scenario.setup.profile.name()));
    if scenario.begin > Millis::ZERO {
        text.field("begin", &quoted(&duration::write(scenario.begin)));
    }
    text.field("until", &quoted(&duration::write(scenario.until)));
    setup(&mut text, &scenario.setup);
    for (at, command) in &scenario.script {
        write_script::line(&mut text, scenario.setup.profile, *at, command);
    }
    for expectation in &scenario.expectations {
        write_expect::expectation(&mut text, expectation);
    }
    for mark in &scenario.marks {
        write_mark::mark(&mut text, mark);
    }
    for differs in &scenario.differs {
        write_mark::differs(&mut text, differs);
    }
    if let Some(recorded) = &scenario.recorded {
        self::recorded(&mut text, recorded);
    }
    text.finish()
}

pub fn words(text: &mut Text, key: &str, words: &Words) {
    if *words == Words::default() {
        return;
    }
    if words.en == words.zh {
        text.field(key, &quoted(&words.en));
    } else {
        let (en, zh) = (quoted(&words.en), quoted(&words.zh));
        text.field(key, &format!("{{ en = {en}, zh = {zh} }}"));
    }
}

fn setup(text: &mut Text, setup: &Setup) {
    let default = Setup::empty(setup.profile);
    let differs = |text: &mut Text, key: &str, is_default: bool, value: String| {
        if !is_default {
            text.field(key, &value);
        }
    };
    differs(text, "seed", setup.seed == default.seed, setup.seed.to_string());
    let tie_break = quoted(word_of(TIE_BREAKS, setup.tie_break));
    differs(text, "tieBreak", setup.tie_break == default.tie_break, tie_break);
    let latency = quoted(&duration::write(setup.latency));
    differs(text, "latency", setup.latency == default.latency, latency);
    let start_up = quoted(&duration::write(setup.start_up));
    differs(text, "startUp", setup.start_up == default.start_up, start_up);
    let (own, usual) = (setup.clean_expired_defect, default.clean_expired_defect);
    differs(text, "cleanExpiredDefect", own == usual, own.to_string());
    let polling = setup.literal_polling;
    differs(text, "literalPolling", polling == default.literal_polling, polling.to_string());
    brokers(text, setup);
    topics_and_groups(text, setup);
    pasts(text, setup);
}

fn brokers(text: &mut Text, setup: &Setup) {
    let default = BrokerConfig::defaults(setup.profile);
    for broker in &setup.brokers {
        text.table("broker");
        text.field("name", &quoted(broker.name.as_str()));
        if broker.broker_id != 0 {
            text.field("brokerId", &broker.broker_id.to_string());
        }
        text.properties(BROKER, &broker.config, &default);
        if broker.config.message_delay_level != default.message_delay_level {
            let levels = broker.config.message_delay_level.iter().map(|it| duration::write(*it));
            text.field("messageDelayLevel", &quoted(&levels.collect::<Vec<_>>().join(" ")));
        }
    }
}

fn topics_and_groups(text: &mut Text, setup: &Setup) {
    for topic in &setup.topics {
        text.table("topic");
        text.field("name", &quoted(topic.topic.as_str()));
        text.field("broker", &quoted(topic.broker_name.as_str()));
        let TopicConfig { read_queue_nums, write_queue_nums, permission } = &topic.config;
        if read_queue_nums == write_queue_nums {
            text.field("queues", &read_queue_nums.to_string());
        } else {
            text.field("readQueueNums", &read_queue_nums.to_string());
            text.field("writeQueueNums", &write_queue_nums.to_string());
        }
        let perm = PERMISSIONS.iter().find(|(_, it)| it == permission).map_or(0, |(perm, _)| *perm);
        if perm != 6 {
            text.field("perm", &perm.to_string());
        }
    }
    for group in &setup.groups {
        text.table("group");
        text.field("name", &quoted(group.group.as_str()));
        text.field("state", &quoted(word_of(GROUP_STATES, group.preexisting)));
        text.properties(GROUP, &group.config, &SubscriptionGroupConfig::default());
    }
}

fn pasts(text: &mut Text, setup: &Setup) {
    for stored in &setup.stored_offsets {
        text.table("storedOffset");
        text.field("group", &quoted(stored.group.as_str()));
        text.field("topic", &quoted(stored.topic.as_str()));
        text.field("broker", &quoted(stored.broker_name.as_str()));
        text.field("queue", &stored.queue_id.to_string());
        text.field("offset", &stored.offset.to_string());
    }
    for past in &setup.queue_pasts {
        text.table("queuePast");
        text.field("topic", &quoted(past.topic.as_str()));
        text.field("broker", &quoted(past.broker_name.as_str()));
        text.field("queue", &past.queue_id.to_string());
        text.field("minOffset", &past.min_offset.to_string());
    }
    for local in &setup.local_offsets {
        text.table("localOffset");
        text.field("client", &quoted(local.client_id.as_str()));
        text.field("group", &quoted(local.group.as_str()));
        text.field("topic", &quoted(local.topic.as_str()));
        text.field("broker", &quoted(local.broker_name.as_str()));
        text.field("queue", &local.queue_id.to_string());
        text.field("offset", &local.offset.to_string());
    }
    for delayed in &setup.delay_offsets {
        text.table("delayOffset");
        text.field("broker", &quoted(delayed.broker_name.as_str()));
        text.field("level", &delayed.level.to_string());
        text.field("offset", &delayed.offset.to_string());
    }
}

fn recorded(text: &mut Text, recorded: &Recorded) {
    text.single("recorded");
    text.field("release", &quoted(&recorded.release));
    text.field("run", &quoted(&recorded.run));
    let lines = recorded.deliveries.iter().map(|it| {
        let (key, topic) = (quoted(&it.key), quoted(it.topic.as_str()));
        let (queue, offset, begin) = (it.queue_id, it.queue_offset, it.begin.ms());
        format!("    [{key}, {topic}, {queue}, {offset}, {begin}],\n")
    });
    text.field("deliveries", &format!("[\n{}]", lines.collect::<String>()));
}
