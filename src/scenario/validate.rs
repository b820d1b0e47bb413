//! Whether a scenario makes sense as a whole and keeps the playground's limits. The file's reader adds
//! lines to what is found here, the page's editor its red fields, and a link is refused.

use std::collections::BTreeSet;

use super::duration;
use super::fact::Fact;
use super::problem::{Problem, nearest};
use super::scenario::Scenario;
use super::walk::Stop;
use crate::model::ids::BrokerName;
use crate::model::limits;
use crate::model::time::Millis;
use crate::sim::apply::DEFAULT_PRODUCER;
use crate::sim::command::{Command, Party, QueueChoice, SendMessages};
use crate::sim::setup::Setup;

/// Where a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A field of the scenario itself.
    Whole,
    /// The n-th of `[[broker]]`, `[[topic]]`, ...
    Table(&'static str, usize),
    /// The n-th command of the script.
    Script(usize),
}

/// Something wrong with a scenario as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub place: Place,
    /// The field, in the file's word; empty for the whole table.
    pub field: &'static str,
    pub found: String,
    pub allowed: String,
}

impl Fault {
    /// The fault without a file to point into.
    pub fn problem(&self) -> Problem {
        let field = match self.place {
            Place::Whole => self.field.to_owned(),
            Place::Table(kind, index) => format!("{kind} {}, {}", index + 1, self.field),
            Place::Script(index) => format!("script {}, {}", index + 1, self.field),
        };
        let (found, allowed) = (self.found.clone(), self.allowed.clone());
        Problem { line: None, field, found, allowed }
    }
}

/// Everything that is wrong.
pub fn faults(scenario: &Scenario) -> Vec<Fault> {
    let mut faults = Faults { all: Vec::new() };
    whole(scenario, &mut faults);
    brokers_and_topics(&scenario.setup, &mut faults);
    pasts(&scenario.setup, &mut faults);
    script(scenario, &mut faults);
    marks(scenario, &mut faults);
    faults.all
}

struct Faults {
    all: Vec<Fault>,
}

impl Faults {
    fn add(
        &mut self,
        place: Place,
        field: &'static str,
        found: impl Into<String>,
        allowed: impl Into<String>,
    ) {
        self.all.push(Fault { place, field, found: found.into(), allowed: allowed.into() });
    }

    fn at_most(&mut self, place: Place, field: &'static str, found: u64, most: u64) {
        if found > most {
            self.add(place, field, found.to_string(), format!("at most {most}"));
        }
    }

    /// A name that RocketMQ takes: letters, digits, `%`, `|`, `-`, `_`.
    fn name(&mut self, place: Place, field: &'static str, name: &str) {
        let is_legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '%' | '|' | '-' | '_');
        if name.is_empty() || name.len() > limits::NAME || !name.chars().all(is_legal) {
            let allowed = format!("1 to {} letters, digits and %|-_", limits::NAME);
            self.add(place, field, format!("{name:?}"), allowed);
        }
    }

    /// A text of a reasonable length.
    fn text(&mut self, place: Place, field: &'static str, text: &str) {
        if text.is_empty() || text.chars().count() > limits::NAME {
            let allowed = format!("1 to {} characters", limits::NAME);
            self.add(place, field, format!("{} characters", text.chars().count()), allowed);
        }
    }

    fn number(&mut self, place: Place, field: &'static str, found: i64, low: i64) {
        if !(low..=FARTHEST).contains(&found) {
            let allowed = format!("{low} to {FARTHEST}");
            self.add(place, field, found.to_string(), allowed);
        }
    }

    fn moment(&mut self, place: Place, field: &'static str, at: Millis) {
        if at > limits::VIRTUAL_TIME {
            let allowed = format!("at most {}", duration::write(limits::VIRTUAL_TIME));
            self.add(place, field, duration::write(at), allowed);
        }
    }
}

fn whole(scenario: &Scenario, faults: &mut Faults) {
    faults.moment(Place::Whole, "until", scenario.until);
    faults.moment(Place::Whole, "latency", scenario.setup.latency);
    faults.moment(Place::Whole, "startUp", scenario.setup.start_up);
    for title in [&scenario.title.en, &scenario.title.zh] {
        faults.at_most(Place::Whole, "title", title.chars().count() as u64, limits::TITLE as u64);
    }
    if scenario.setup.brokers.is_empty() {
        faults.add(Place::Whole, "broker", "none", "at least one [[broker]]");
    }
    faults.at_most(Place::Whole, "broker", scenario.setup.brokers.len() as u64, limits::BROKERS);
    let nums = |topic: &crate::sim::setup::TopicSetup| {
        u64::from(topic.config.read_queue_nums.max(topic.config.write_queue_nums))
    };
    let queues = scenario.setup.topics.iter().map(nums).sum();
    faults.at_most(Place::Whole, "topic", queues, limits::QUEUES);
    faults.at_most(Place::Whole, "", scenario.script.len() as u64, limits::SCRIPT as u64);
    let count = |is_it: fn(&Command) -> bool| {
        scenario.script.iter().filter(|(_, command)| is_it(command)).count() as u64
    };
    let consumers = count(|command| matches!(command, Command::StartConsumer(_)));
    faults.at_most(Place::Whole, "consumer", consumers, limits::CONSUMERS);
    let producers = count(|command| matches!(command, Command::StartProducer(_)));
    faults.at_most(Place::Whole, "producer", producers, limits::PRODUCERS);
    let messages = scenario.script.iter().map(|(_, command)| match command {
        Command::SendMessages(send) => u64::from(send.count),
        _ => 0,
    });
    faults.at_most(Place::Whole, "send", messages.sum(), limits::MESSAGES);
}

fn brokers_and_topics(setup: &Setup, faults: &mut Faults) {
    let mut names = BTreeSet::new();
    for (index, broker) in setup.brokers.iter().enumerate() {
        let place = Place::Table("broker", index);
        faults.name(place, "name", broker.name.as_str());
        if !names.insert((broker.name.clone(), broker.broker_id)) {
            let found = format!("{:?} with brokerId {}, again", broker.name, broker.broker_id);
            faults.add(place, "name", found, "each broker once");
        }
    }
    let mut topics = BTreeSet::new();
    for (index, topic) in setup.topics.iter().enumerate() {
        let place = Place::Table("topic", index);
        faults.name(place, "name", topic.topic.as_str());
        known_broker(setup, place, &topic.broker_name, faults);
        if !topics.insert((topic.topic.clone(), topic.broker_name.clone())) {
            let found = format!("{:?} on {:?}, again", topic.topic, topic.broker_name);
            faults.add(place, "name", found, "each topic once on a broker");
        }
    }
    let mut groups = BTreeSet::new();
    for (index, group) in setup.groups.iter().enumerate() {
        let place = Place::Table("group", index);
        faults.name(place, "name", group.group.as_str());
        if !groups.insert(group.group.clone()) {
            faults.add(place, "name", format!("{:?}, again", group.group), "each group once");
        }
    }
}

fn known_broker(setup: &Setup, place: Place, name: &BrokerName, faults: &mut Faults) {
    if setup.brokers.iter().any(|broker| broker.name == *name) {
        return;
    }
    let names = || setup.brokers.iter().map(|broker| broker.name.as_str());
    faults.add(place, "broker", format!("{:?}", name.as_str()), known("broker", names));
}

/// What is allowed where a name of the file is expected.
fn known<'a, I: Iterator<Item = &'a str>>(what: &str, names: impl Fn() -> I) -> String {
    let names = names().collect::<BTreeSet<_>>();
    match names.len() {
        0 => format!("a {what} of this file; it has none"),
        _ => {
            let names = names.into_iter().map(|name| format!("{name:?}")).collect::<Vec<_>>();
            format!("a {what} of this file: {}", names.join(", "))
        }
    }
}

/// Stored offsets and expired heads belong to queues that exist.
fn pasts(setup: &Setup, faults: &mut Faults) {
    for (index, stored) in setup.stored_offsets.iter().enumerate() {
        let place = Place::Table("storedOffset", index);
        known_broker(setup, place, &stored.broker_name, faults);
        known_topic(setup, place, stored.topic.as_str(), faults);
    }
    for (index, past) in setup.queue_pasts.iter().enumerate() {
        let place = Place::Table("queuePast", index);
        known_broker(setup, place, &past.broker_name, faults);
        known_topic(setup, place, past.topic.as_str(), faults);
    }
    for (index, local) in setup.local_offsets.iter().enumerate() {
        known_broker(setup, Place::Table("localOffset", index), &local.broker_name, faults);
    }
    for (index, delayed) in setup.delay_offsets.iter().enumerate() {
        let place = Place::Table("delayOffset", index);
        known_broker(setup, place, &delayed.broker_name, faults);
        let broker = setup.brokers.iter().find(|broker| broker.name == delayed.broker_name);
        let levels = broker.map_or(18, |it| it.config.message_delay_level.len() as u64);
        faults.at_most(place, "level", u64::from(delayed.level), levels);
    }
}

fn known_topic(setup: &Setup, place: Place, name: &str, faults: &mut Faults) {
    let is_own = setup.topics.iter().any(|topic| topic.topic.as_str() == name);
    // A group's own topics come into being by themselves.
    if !is_own && !name.starts_with('%') {
        let names = || setup.topics.iter().map(|topic| topic.topic.as_str());
        faults.add(place, "topic", format!("{name:?}"), known("topic", names));
    }
}

fn script(scenario: &Scenario, faults: &mut Faults) {
    let clients = clients(scenario);
    for (index, (at, command)) in scenario.script.iter().enumerate() {
        let place = Place::Script(index);
        faults.moment(place, "at", *at);
        excess(command, place, faults);
        match command {
            Command::StartConsumer(spec) => {
                faults.text(place, "client", spec.client_id.as_str());
                faults.name(place, "group", spec.group.as_str());
                let (low, high) = (spec.config.consume_thread_min, spec.config.consume_thread_max);
                if low > high {
                    let allowed = format!("at most consumeThreadMax, {high}");
                    faults.add(place, "consumeThreadMin", low.to_string(), allowed);
                }
                if spec.subscriptions.is_empty() {
                    faults.add(place, "subscribe", "no topic", "at least one topic");
                }
            }
            Command::StartProducer(spec) => faults.text(place, "client", spec.client_id.as_str()),
            Command::SendMessages(send) => self::send(scenario, place, send, faults),
            command => {
                if let Some(client_id) = command.client_id() {
                    known_client(&clients, place, "client", client_id.as_str(), faults);
                }
                names_of(command, scenario, &clients, place, faults);
            }
        }
    }
}

/// The client ids that the script knows.
fn clients(scenario: &Scenario) -> BTreeSet<&str> {
    let clients = scenario.script.iter().filter_map(|(_, command)| match command {
        Command::StartConsumer(spec) => Some(spec.client_id.as_str()),
        Command::StartProducer(spec) => Some(spec.client_id.as_str()),
        _ => None,
    });
    clients.chain([DEFAULT_PRODUCER]).collect()
}

/// Stops that cannot come, and clients that are never there.
fn marks(scenario: &Scenario, faults: &mut Faults) {
    let found = scenario.marks.len() as u64;
    faults.at_most(Place::Whole, "mark", found, limits::MARKS as u64);
    if scenario.begin > scenario.until {
        let allowed = format!("at most until, {}", duration::write(scenario.until));
        faults.add(Place::Whole, "begin", duration::write(scenario.begin), allowed);
    }
    let clients = clients(scenario);
    for (index, mark) in scenario.marks.iter().enumerate() {
        let place = Place::Table("mark", index);
        let mut client = |field, id: &str| {
            let id = id.rsplit_once('#').map_or(id, |(id, _)| id);
            known_client(&clients, place, field, id, faults);
        };
        mark.focus.client().into_iter().for_each(|id| client("focus", id));
        mark.facts.iter().flat_map(Fact::clients).for_each(|id| client("facts", id));
        let (field, at) = match &mark.stop {
            Stop::At(at) => ("at", *at),
            Stop::Event(happening) => {
                happening.consumer.iter().for_each(|id| client("consumer", id));
                ("after", happening.after)
            }
        };
        if at > scenario.until {
            let allowed = format!("at most until, {}", duration::write(scenario.until));
            faults.add(place, field, duration::write(at), allowed);
        }
        // An event's own moment is known only when the run is.
        if matches!(mark.stop, Stop::At(_)) && at < scenario.begin {
            let allowed = format!("at least begin, {}", duration::write(scenario.begin));
            faults.add(place, field, duration::write(at), allowed);
        }
    }
}

/// What commands ask for beyond the limits, whatever they name.
pub fn excesses(commands: &[(Millis, Command)]) -> Vec<Fault> {
    let mut faults = Faults { all: Vec::new() };
    let mut messages = 0;
    for (index, (at, command)) in commands.iter().enumerate() {
        let place = Place::Script(index);
        faults.moment(place, "at", *at);
        excess(command, place, &mut faults);
        if let Command::SendMessages(send) = command {
            messages += u64::from(send.count);
        }
    }
    faults.at_most(Place::Whole, "send", messages, limits::MESSAGES);
    faults.all
}

/// The numbers of one command that are beyond the limits.
fn excess(command: &Command, place: Place, faults: &mut Faults) {
    let queues = |faults: &mut Faults, number: u32| {
        faults.at_most(place, "queue", u64::from(number), limits::QUEUES);
    };
    match command {
        Command::SendMessages(send) => {
            let last = Millis::new(send.every.ms().saturating_mul(u64::from(send.count)));
            faults.moment(place, "every", last);
            faults.at_most(place, "bodyBytes", u64::from(send.body_bytes), limits::BODY_BYTES);
            if let QueueChoice::Fixed { queue_id, .. } = &send.queue {
                queues(faults, queue_id.0);
            }
        }
        Command::CreateTopic { queue_nums, .. } => queues(faults, *queue_nums),
        Command::UpdateTopic { read_queue_nums, write_queue_nums, .. } => {
            queues(faults, *read_queue_nums);
            queues(faults, *write_queue_nums);
        }
        Command::UpdateGroup { retry_queue_nums, .. } => queues(faults, *retry_queue_nums),
        Command::ExpireHead { queue_id, min_offset: offset, .. }
        | Command::SetOffset { queue_id, offset, .. } => {
            queues(faults, queue_id.0);
            faults.number(place, "offset", offset.0, 0);
        }
        Command::ResetOffset { timestamp, .. } => {
            faults.number(place, "timestamp", *timestamp, -FARTHEST);
        }
        Command::SkewClock { by_ms, .. } => faults.number(place, "by", *by_ms, -FARTHEST),
        Command::SetConsumerProperty { value, .. } => faults.number(place, "value", *value, -1),
        Command::SetBrokerProperty { value, .. } => faults.number(place, "value", *value, 1),
        Command::SetLatency { from, to, .. } => {
            faults.moment(place, "from", *from);
            faults.moment(place, "to", *to);
        }
        Command::SlowStore { by, .. } => faults.moment(place, "by", *by),
        _ => {}
    }
}

/// Offsets, timestamps and settings beyond this mean nothing.
const FARTHEST: i64 = 1_000_000_000_000;

fn send(scenario: &Scenario, place: Place, send: &SendMessages, faults: &mut Faults) {
    faults.name(place, "topic", send.topic.as_str());
    if let Some(key) = &send.key {
        faults.text(place, "key", key.as_str());
    }
    if let Some(tag) = &send.tag {
        faults.text(place, "tag", tag.as_str());
    }
    let broker = scenario.setup.brokers.first();
    let levels = broker.map_or(18, |broker| broker.config.message_delay_level.len() as u64);
    faults.at_most(place, "delayLevel", u64::from(send.delay_level.unsigned_abs()), levels);
}

fn known_client(
    clients: &BTreeSet<&str>,
    place: Place,
    field: &'static str,
    name: &str,
    faults: &mut Faults,
) {
    if clients.contains(name) {
        return;
    }
    let allowed = match nearest(name, clients.iter().copied()) {
        Some(meant) => format!("a client that the file starts; did you mean {meant:?}?"),
        None => known("client", || clients.iter().copied()),
    };
    faults.add(place, field, format!("{name:?}"), allowed);
}

/// The brokers and parties that a command names.
fn names_of(
    command: &Command,
    scenario: &Scenario,
    clients: &BTreeSet<&str>,
    place: Place,
    faults: &mut Faults,
) {
    let setup = &scenario.setup;
    match command {
        Command::StopBroker { broker_name, .. }
        | Command::StartBroker { broker_name, .. }
        | Command::FreezeBroker { broker_name, .. }
        | Command::ResumeBroker { broker_name }
        | Command::SetBrokerWritable { broker_name, .. }
        | Command::SlowStore { broker_name, .. }
        | Command::ExpireHead { broker_name, .. }
        | Command::SetFirstMessageInMemory { broker_name, .. }
        | Command::SetBrokerProperty { broker_name, .. }
        | Command::CreateTopic { broker_name: Some(broker_name), .. }
        | Command::UpdateTopic { broker_name: Some(broker_name), .. }
        | Command::SetOffset { broker_name: Some(broker_name), .. } => {
            known_broker(setup, place, broker_name, faults);
        }
        Command::Partition { a, b, .. }
        | Command::Heal { a, b }
        | Command::SetLatency { a, b, .. } => {
            party(setup, clients, place, ("a", a), faults);
            party(setup, clients, place, ("b", b), faults);
        }
        Command::DropNext { from, to, .. }
        | Command::DuplicateNext { from, to, .. }
        | Command::ReorderNext { from, to, .. } => {
            party(setup, clients, place, ("from", from), faults);
            party(setup, clients, place, ("to", to), faults);
        }
        _ => {}
    }
}

fn party(
    setup: &Setup,
    clients: &BTreeSet<&str>,
    place: Place,
    (field, party): (&'static str, &Party),
    faults: &mut Faults,
) {
    match party {
        Party::NameServer => {}
        Party::Broker(name) => {
            if !setup.brokers.iter().any(|broker| broker.name == *name) {
                let names = || setup.brokers.iter().map(|broker| broker.name.as_str());
                faults.add(place, field, format!("{:?}", name.as_str()), known("broker", names));
            }
        }
        Party::Client(id) => known_client(clients, place, field, id.as_str(), faults),
    }
}
