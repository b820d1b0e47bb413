//! Each property that a scenario can set changes what happens in a run, or is refused by its name.
//!
//! A run is compared by its events (when, who, what), never by its state, in which a property lies as it
//! was set. A property without an entry here fails the test.

#[path = "settings/broker.rs"]
mod broker;
#[path = "settings/consumer.rs"]
mod consumer;
#[path = "settings/producer.rs"]
mod producer;
#[path = "kit/story.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod story;

use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::scenario::file::read_file;
use rocketmq_playground::scenario::property::{
    Property, REFUSED_OF_BROKER, REFUSED_OF_CONSUMER, REFUSED_OF_GROUP, REFUSED_OF_PRODUCER,
    Refused, Setting,
};
use rocketmq_playground::sim::event::{Actor, EventKind, RequestDetail};
use story::Story;

/// What happened: when, who, what. What a request carries is left out: it may only repeat a setting.
pub fn what_happened(story: &Story, until: u64) -> Vec<(Millis, Actor, EventKind)> {
    let without_content = |kind: &EventKind| match kind.clone() {
        EventKind::RequestSent { call, to, code, oneway, .. } => {
            EventKind::RequestSent { call, to, code, oneway, detail: RequestDetail::None }
        }
        kind => kind,
    };
    let mut story = story.clone();
    story.is_checked = false;
    let events = story.tell(until).events;
    events.iter().map(|event| (event.at, event.actor, without_content(&event.kind))).collect()
}

/// A property, another value, and a small run that it changes: the run's maker puts the configuration
/// where it belongs.
pub struct Shown<C> {
    pub name: &'static str,
    pub other: Setting,
    pub profile: Profile,
    pub until: u64,
    pub story: fn(&mut Story, C),
}

/// Holds a table's entries against the table, and each entry's two runs against each other.
pub fn check<C>(
    table: &'static [Property<C>],
    defaults: impl Fn(Profile) -> C,
    shown: &[Shown<C>],
) {
    let names: Vec<&str> = table.iter().map(|property| property.name).collect();
    let of_entries: Vec<&str> = shown.iter().map(|entry| entry.name).collect();
    assert_eq!(of_entries, names, "each property has one entry, in the order of the table");
    for (property, entry) in table.iter().zip(shown) {
        let run = |config: C| {
            let mut story = Story::new(entry.profile, 2);
            (entry.story)(&mut story, config);
            what_happened(&story, entry.until)
        };
        let mut changed = defaults(entry.profile);
        assert!(property.allowed.contains(&entry.other), "{}", entry.name);
        assert_ne!((property.get)(&changed), entry.other, "{}: not another value", entry.name);
        (property.set)(&mut changed, &entry.other);
        let usual = run(defaults(entry.profile));
        assert!(usual == run(defaults(entry.profile)), "{}: the same twice", entry.name);
        assert!(usual != run(changed), "{} changes nothing", entry.name);
    }
}

/// A file with one table of a kind that sets this, as a problem or not.
fn told(kind: &str, name: &str) -> String {
    let needed = match kind {
        "consumer" => "client = \"c1\"\ngroup = \"G\"\nsubscribe = { T = \"*\" }\n",
        "producer" => "client = \"p1\"\ngroup = \"PG\"\n",
        "group" => "name = \"G\"\n",
        _ => "",
    };
    let broker = "[[broker]]\nname = \"broker-a\"\n";
    let value = format!("\"{name}\" = 1\n");
    let text = match kind {
        "broker" => format!("{broker}{value}[[topic]]\nname = \"T\"\n"),
        _ => format!("{broker}[[topic]]\nname = \"T\"\n[[{kind}]]\n{needed}{value}"),
    };
    let problems = read_file(&text).expect_err(name);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems[0].to_string()
}

#[test]
fn a_property_that_would_change_nothing_is_refused_by_name_with_its_reason() {
    let tables: [(&str, &[Refused]); 4] = [
        ("broker", REFUSED_OF_BROKER),
        ("consumer", REFUSED_OF_CONSUMER),
        ("group", REFUSED_OF_GROUP),
        ("producer", REFUSED_OF_PRODUCER),
    ];
    for (kind, refused) in tables {
        for (name, why) in refused {
            let told = told(kind, name);
            assert!(told.contains(name) && told.ends_with(why), "{told}");
        }
    }
    assert_eq!(
        told("producer", "retryAnotherBrokerWhenNotStoreOK"),
        "line 8: producer 1, retryAnotherBrokerWhenNotStoreOK: found 1; allowed is leaving it out: a \
         broker here that has stored a message always answers SEND_OK, since it waits neither for the \
         disk nor for a slave"
    );
}
