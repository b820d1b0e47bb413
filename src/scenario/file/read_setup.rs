//! The start state: brokers, topics, groups, and what has a past.

use super::fields::Fields;
use super::node::{Node, Value};
use super::read_properties::apply;
use crate::model::config::{BrokerConfig, BrokerSpec, SubscriptionGroupConfig};
use crate::model::ids::{BrokerName, ClientId, GroupName, QueueId, TopicName};
use crate::model::offset::QueueOffset;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::model::topic::{Permission, TopicConfig};
use crate::scenario::duration;
use crate::scenario::property::{BROKER, GROUP, REFUSED_OF_BROKER, REFUSED_OF_GROUP};
use crate::sim::setup::{
    DelayOffset, GroupSetup, LocalOffset, QueuePast, Setup, StoredOffset, TieBreak, TopicSetup,
};

pub const TIE_BREAKS: &[(&str, TieBreak)] =
    &[("fifo", TieBreak::Fifo), ("shuffled", TieBreak::Shuffled)];

/// Whether a group exists before the run.
pub const GROUP_STATES: &[(&str, bool)] = &[("preexisting", true), ("brand_new", false)];

/// RocketMQ's `perm`.
pub const PERMISSIONS: [(i64, Permission); 4] = [
    (6, Permission::READ_WRITE),
    (4, Permission::READ_ONLY),
    (2, Permission::WRITE_ONLY),
    (0, Permission { readable: false, writable: false }),
];

const OFFSETS: std::ops::RangeInclusive<i64> = 0..=1_000_000_000_000;

/// Reads everything of the setup but the profile, which the caller knows.
pub fn setup(fields: &mut Fields<'_>, profile: Profile) -> Setup {
    let mut setup = Setup::empty(profile);
    if let Some(seed) = fields.integer("seed", 0..=i64::MAX) {
        setup.seed = seed.unsigned_abs();
    }
    if let Some(tie_break) = fields.word("tieBreak", TIE_BREAKS) {
        setup.tie_break = tie_break;
    }
    if let Some(latency) = fields.time("latency") {
        setup.latency = latency;
    }
    if let Some(start_up) = fields.time("startUp") {
        setup.start_up = start_up;
    }
    if let Some(flag) = fields.flag("cleanExpiredDefect") {
        setup.clean_expired_defect = flag;
    }
    if let Some(flag) = fields.flag("literalPolling") {
        setup.literal_polling = flag;
    }
    setup.brokers = each(fields, "broker", |it| broker(it, profile));
    let first = setup.brokers.first().map(|broker| broker.name.clone());
    let place = Place { broker: first };
    setup.topics = each(fields, "topic", |it| topic(it, &place));
    setup.groups = each(fields, "group", group);
    setup.stored_offsets = each(fields, "storedOffset", |it| stored_offset(it, &place));
    setup.queue_pasts = each(fields, "queuePast", |it| queue_past(it, &place));
    setup.local_offsets = each(fields, "localOffset", |it| local_offset(it, &place));
    setup.delay_offsets = each(fields, "delayOffset", |it| delay_offset(it, &place));
    setup
}

/// Reads the tables of one kind, each as `kind n`.
fn each<T>(fields: &mut Fields<'_>, kind: &str, read: impl Fn(&mut Fields<'_>) -> T) -> Vec<T> {
    let sink = fields.sink;
    let tables = fields.tables(kind);
    let one = |(index, node): (usize, &Node)| {
        let mut fields = Fields::of(node, format!("{kind} {}", index + 1), sink);
        fields.node("name");
        let value = read(&mut fields);
        fields.close();
        value
    };
    tables.iter().enumerate().map(one).collect()
}

/// What a table that names no broker means: the first one.
struct Place {
    broker: Option<BrokerName>,
}

impl Place {
    fn broker(&self, fields: &mut Fields<'_>) -> BrokerName {
        let named = fields.text("broker").map(BrokerName::new);
        named.or_else(|| self.broker.clone()).unwrap_or_else(|| "broker-a".into())
    }
}

fn broker(fields: &mut Fields<'_>, profile: Profile) -> BrokerSpec {
    let name = BrokerName::new(fields.required_text("name", "the broker's name"));
    let broker_id = fields.count("brokerId", 0..=64).unwrap_or(0);
    let mut config = BrokerConfig::defaults(profile);
    apply(fields, BROKER, REFUSED_OF_BROKER, &mut config);
    if let Some(levels) = delay_levels(fields) {
        config.message_delay_level = levels;
    }
    BrokerSpec { name, broker_id, config }
}

/// `messageDelayLevel`, in RocketMQ's own form: `1s 5s 10s 30s 1m`.
fn delay_levels(fields: &mut Fields<'_>) -> Option<Vec<Millis>> {
    let text = fields.text("messageDelayLevel")?;
    let levels = text.split_whitespace().map(duration::parse).collect::<Option<Vec<_>>>();
    let levels = levels.filter(|levels| !levels.is_empty() && levels.len() <= 64);
    if levels.is_none() {
        let node = fields.node("messageDelayLevel")?;
        fields.refuse(
            "messageDelayLevel",
            node,
            "1 to 64 times with units and spaces between them",
        );
    }
    levels
}

fn topic(fields: &mut Fields<'_>, place: &Place) -> TopicSetup {
    let topic = TopicName::new(fields.required_text("name", "the topic's name"));
    let broker_name = place.broker(fields);
    let mut config = TopicConfig::read_write(fields.count("queues", 0..=1_024).unwrap_or(4));
    if let Some(read) = fields.count("readQueueNums", 0..=1_024) {
        config.read_queue_nums = read;
    }
    if let Some(write) = fields.count("writeQueueNums", 0..=1_024) {
        config.write_queue_nums = write;
    }
    if let Some(permission) = permission(fields) {
        config.permission = permission;
    }
    TopicSetup { topic, broker_name, config }
}

/// RocketMQ's `perm`: 6, 4, 2 or 0.
pub fn permission(fields: &mut Fields<'_>) -> Option<Permission> {
    let node = fields.node("perm")?;
    let found = match node.value {
        Value::Integer(number) => PERMISSIONS.iter().find(|(perm, _)| *perm == number),
        _ => None,
    };
    if found.is_none() {
        fields.refuse("perm", node, "6 (read and write), 4 (read), 2 (write) or 0 (neither)");
    }
    found.map(|(_, permission)| *permission)
}

fn group(fields: &mut Fields<'_>) -> GroupSetup {
    let group = GroupName::new(fields.required_text("name", "the group's name"));
    let mut config = SubscriptionGroupConfig::default();
    apply(fields, GROUP, REFUSED_OF_GROUP, &mut config);
    let preexisting = fields.word("state", GROUP_STATES).unwrap_or(true);
    GroupSetup { group, config, preexisting }
}

fn required_group(fields: &mut Fields<'_>) -> GroupName {
    GroupName::new(fields.required_text("group", "a group's name"))
}

fn required_topic(fields: &mut Fields<'_>) -> TopicName {
    TopicName::new(fields.required_text("topic", "a topic's name"))
}

fn queue(fields: &mut Fields<'_>) -> QueueId {
    QueueId(fields.count("queue", 0..=1_023).unwrap_or(0))
}

fn offset(fields: &mut Fields<'_>, key: &str) -> QueueOffset {
    if fields.node(key).is_none() {
        fields.missing(key, "an offset");
    }
    QueueOffset(fields.integer(key, OFFSETS).unwrap_or(0))
}

fn stored_offset(fields: &mut Fields<'_>, place: &Place) -> StoredOffset {
    StoredOffset {
        group: required_group(fields),
        topic: required_topic(fields),
        broker_name: place.broker(fields),
        queue_id: queue(fields),
        offset: offset(fields, "offset"),
    }
}

fn queue_past(fields: &mut Fields<'_>, place: &Place) -> QueuePast {
    QueuePast {
        topic: required_topic(fields),
        broker_name: place.broker(fields),
        queue_id: queue(fields),
        min_offset: offset(fields, "minOffset"),
    }
}

fn local_offset(fields: &mut Fields<'_>, place: &Place) -> LocalOffset {
    LocalOffset {
        client_id: ClientId::new(fields.required_text("client", "a client id")),
        group: required_group(fields),
        topic: required_topic(fields),
        broker_name: place.broker(fields),
        queue_id: queue(fields),
        offset: offset(fields, "offset"),
    }
}

fn delay_offset(fields: &mut Fields<'_>, place: &Place) -> DelayOffset {
    DelayOffset {
        broker_name: place.broker(fields),
        level: fields.count("level", 1..=64).unwrap_or(1),
        offset: offset(fields, "offset"),
    }
}
