//! Scenario files: what is written reads back, and every mistake is told with its line.

#[path = "kit/anything.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod anything;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use rocketmq_playground::model::config::ConsumerConfig;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::scenario::file::{read, read_as, read_file, write};
use rocketmq_playground::scenario::presets;
use rocketmq_playground::sim::command::Command;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A scenario saved to a file is the same one when it is opened again.
    #[test]
    fn what_is_written_reads_back_as_it_was(scenario in anything::scenario()) {
        let text = write(&scenario);
        match read(&text) {
            Ok(again) => prop_assert_eq!(again, scenario, "{}", text),
            Err(problems) => prop_assert!(false, "{:#?}\n{}", problems, text),
        }
    }

    /// Whatever stands in a file, reading it ends with a scenario or with problems.
    #[test]
    fn no_text_breaks_the_reader(text in "[a-z\\[\\]=\"'{}.,0-9#\n ]{0,200}") {
        let _ = read_file(&text);
    }

    /// The same, for files that are nearly right.
    #[test]
    fn no_slip_in_a_good_file_breaks_the_reader(
        name in prop::sample::select(presets::NAMES),
        at in any::<prop::sample::Index>(),
        put in "[a-z\\[\\]=\"'{}.,0-9#\n -]{0,3}",
        length in 0..5_usize,
    ) {
        let text = presets::text_of(name).expect("every name has its text");
        let characters = text.chars().collect::<Vec<_>>();
        let at = at.index(characters.len());
        let head = characters[..at].iter().collect::<String>();
        let tail = characters[(at + length).min(characters.len())..].iter().collect::<String>();
        let _ = read_file(&format!("{head}{put}{tail}"));
    }
}

fn check(text: &str, expected: &Expect) {
    let problems = read_file(text).expect_err("the text has mistakes");
    let lines = problems.iter().map(|problem| format!("{problem}\n")).collect::<String>();
    expected.assert_eq(&lines);
}

#[test]
fn every_mistake_is_told_at_once_with_line_field_found_and_allowed() {
    let text = r#"
profile = "V43"
until = "5 minutes"
colour = "red"

[[broker]]
name = "broker-a"
messageDelayLevel = "1s 5"

[[topic]]
name = "orders"
broker = "broker-b"
queues = 2000

[[consumer]]
client = "c1"
group = "bill"
subscribe = { orders = 1 }
pullBatchSzie = 4
consumeThreadMin = 30
consumeThreadMax = 20
pullInterval = true
listener = ["ok", "fails"]

[[send]]
topic = "orders"
count = 0

[[do]]
at = "5s"
command = "CrashConsumers"

[[do]]
at = "5s"
command = "CrashConsumer"
client = "c2"
"#;
    check(
        text,
        &expect![[r#"
            line 2: profile: found "V43"; allowed is "V42", "V49" or "V53"
            line 3: until: found "5 minutes"; allowed is a time with its unit, such as "250ms", "12.5s", "1m30s" or "2h"
            line 4: the file: found `colour`; allowed is one of these fields: variant, consumerDefaults, producerDefaults, brokerDefaults, sendDefaults, profile, id, title, about, seed, tieBreak, latency, startUp, cleanExpiredDefect, literalPolling, broker, topic, group, storedOffset, queuePast, localOffset, delayOffset, producer, consumer, send, do, until, expect, mark, differs, begin, recorded
            line 8: broker 1, messageDelayLevel: found "1s 5"; allowed is 1 to 64 times with units and spaces between them
            line 12: topic 1, broker: found "broker-b"; allowed is a broker of this file: "broker-a"
            line 13: topic 1, queues: found 2000; allowed is a whole number from 0 to 1024
            line 18: consumer 1, subscribe: found 1; allowed is a tag expression in quotes
            line 18: consumer 1, subscribe: found no topic; allowed is at least one topic
            line 19: consumer 1: found `pullBatchSzie`; allowed is a field that is known; did you mean `pullBatchSize`?
            line 20: consumer 1, consumeThreadMin: found 30; allowed is at most consumeThreadMax, 20
            line 22: consumer 1, pullInterval: found true; allowed is a whole number from 0 to 65535 (ms)
            line 23: consumer 1, listener: found "fails"; allowed is steps such as "ok", "later 2s", "ok 10ms x3", or tables with result, takes, times, ackIndex, delayLevelWhenNextConsume, suspendCurrentQueueTimeMillis, onInterrupt
            line 25: send 1, at: found nothing; allowed is a time with its unit, such as "250ms", "12.5s", "1m30s" or "2h"
            line 27: send 1, count: found 0; allowed is a whole number from 1 to 1000000
            line 31: do 1, command: found "CrashConsumers"; allowed is a command that is known; did you mean "CrashConsumer"?
            line 36: do 2, client: found "c2"; allowed is a client that the file starts; did you mean "c1"?
        "#]],
    );
}

#[test]
fn mistakes_in_a_walkthrough_are_told_with_their_lines() {
    let text = r#"
until = "30s"
begin = "5s"

[[broker]]
name = "broker-a"

[[consumer]]
client = "c1"
group = "bill"
subscribe = { orders = "*" }

[[mark]]
at = "31s"
focus = "shelf orders"
caption = "One. Two. Three."

[[mark]]
event = "MessageStord"
focus = "consumer c2"
caption = { en = "It is stored.", zh = "已存储。" }
colour = "red"

[[mark]]
focus = "level 4"

[[mark]]
event = "RequestSent"
consumer = "c9"
code = "PULL"
queue = "orders"
focus = "broker broker-a"
caption = "It asks."
releases = ["V42", "4.9"]
facts = [
    "message B in level four",
    "consumer c3 running",
]

[[mark]]
at = "4s"
focus = "consumer c1"
caption = "It is too early."
releases = []
"#;
    check(
        text,
        &expect![[r#"
            line 14: mark 1, at: found 31s; allowed is at most until, 30s
            line 15: mark 1, focus: found "shelf orders"; allowed is "nameServer", "producer ID", "broker NAME", "message KEY", "queue TOPIC/N", "level N", "ledger BROKER", "lock TOPIC/N", "consumer ID", "pull ID TOPIC/N", "shelf ID TOPIC/N", "belief ID TOPIC/N", "worker ID N", "waiting ID", "offsets ID" or "rebalance ID"
            line 16: mark 1, caption: found 3 sentences; allowed is at most 2 sentences
            line 19: mark 2, event: found "MessageStord"; allowed is the name of an event; did you mean "MessageStored"?
            line 20: mark 2, focus: found "c2"; allowed is a client that the file starts; did you mean "c1"?
            line 22: mark 2: found `colour`; allowed is one of these fields: at, event, nth, after, key, queue, consumer, code, focus, caption, facts, releases
            line 24: mark 3: found nothing; allowed is at, a time, or event, the name of an event
            line 24: mark 3, caption: found nothing; allowed is what is said, { en = "...", zh = "..." }
            line 29: mark 4, consumer: found "c9"; allowed is a client that the file starts; did you mean "c1"?
            line 30: mark 4, code: found "PULL"; allowed is "SEND_MESSAGE_V2", "PULL_MESSAGE", "QUERY_CONSUMER_OFFSET", "UPDATE_CONSUMER_OFFSET", "SEARCH_OFFSET_BY_TIMESTAMP", "GET_MAX_OFFSET", "HEART_BEAT", "UNREGISTER_CLIENT", "CONSUMER_SEND_MSG_BACK", "GET_CONSUMER_LIST_BY_GROUP", "NOTIFY_CONSUMER_IDS_CHANGED", "LOCK_BATCH_MQ", "UNLOCK_BATCH_MQ", "REGISTER_BROKER", "GET_ROUTEINFO_BY_TOPIC", "RESET_CONSUMER_CLIENT_OFFSET" or "GET_ALL_CONSUMER_OFFSET"
            line 31: mark 4, queue: found "orders"; allowed is "TOPIC/N"
            line 34: mark 4, releases: found "4.9"; allowed is "V42", "V49" or "V53"
            line 35: mark 4, facts: found "c3"; allowed is a client that the file starts; did you mean "c1"?
            line 36: mark 4, facts: found "message B in level four"; allowed is one of "message KEY in TOPIC/N at OFFSET", "message KEY in level N", "message KEY called N", "message KEY kept here", "queue TOPIC/N min|M|C|unreported|P|lag N" (or "none"), "queue TOPIC/N read by ID, ..." (or "nobody"), "lock TOPIC/N of ID" (or "nobody"), "lock TOPIC/N ends TIME", "consumer ID locked here TOPIC/N", "consumer ID not locked here TOPIC/N", "consumer ID starting|running|stopped|crashed|frozen", "consumer ID busy N", "broker NAME up|down", "pull ID TOPIC/N held|awaits answer|in rebalance|put off count|put off span|put off not locked|put off error", "shelf ID TOPIC/N holds KEY, ..." (or "nothing"), "shelf ID TOPIC/N count|span|smallest N" or "worker ID runs KEY"
            line 41: mark 5, at: found 4s; allowed is at least begin, 5s
            line 44: mark 5, releases: found a list of 0; allowed is at least one of "V42", "V49" and "V53"
        "#]],
    );
}

#[test]
fn mistakes_of_grammar_are_told_with_their_lines() {
    check(
        "id = \"a\nseed = = 3\nuntil = \"1s\"\nuntil = \"2s\"\n",
        &expect![[r#"
            line 1: found invalid basic string, expected `"`; allowed is TOML
            line 2: found `=`: extra `=`, expected nothing; allowed is TOML
            line 2: found unexpected key or value, expected newline, `#`; allowed is TOML
            line 4: found `until`: duplicate key; allowed is TOML
        "#]],
    );
}

#[test]
fn a_mistake_in_a_default_is_told_once_and_where_it_stands() {
    let text = r#"
[consumerDefaults]
group = "bill"
subscribe = { orders = "*" }
pullBatchSize = 0

[[broker]]
name = "broker-a"

[[topic]]
name = "orders"

[[consumer]]
client = "c1"

[[consumer]]
client = "c2"
"#;
    check(
        text,
        &expect![[r#"
            line 5: consumer 1, pullBatchSize: found 0; allowed is a whole number from 1 to 1024
        "#]],
    );
}

#[test]
fn mistakes_in_a_variant_are_told_too() {
    let text = r#"
[[broker]]
name = "broker-a"

[[topic]]
name = "orders"

[[consumer]]
client = "c1"
group = "bill"
subscribe = { orders = "*" }

[[variant]]
name = "another consumer"
without = ["c3"]

[variant.change.c1]
pullBatchSize = 5000

[[variant]]
name = "no expectation of its own word"

[[variant.expect]]
deliverd = "m0"
"#;
    check(
        text,
        &expect![[r#"
            line 15: variant 1, without: found "c3"; allowed is the name of an entry; did you mean "c1"?
            line 18: consumer 1, pullBatchSize: found 5000; allowed is a whole number from 1 to 1024
            line 23: expect 1: found none of the assertion words; allowed is exactly one of "deliveries", "deliveriesTotal", "deliveredAt", "never", "reconsumeTimesSeen", "batches", "maxConcurrency", "inListener", "completed", "committed", "localOffset", "maxOffset", "offsetOf", "owner", "orphan", "ownerCount", "cached", "nextPullOffset", "flowControl", "pullErrors", "topicOn", "storedOn", "winner" or "deliveredTwice"
        "#]],
    );
}

const TWO_RUNS: &str = r#"
profile = "V49"

[[broker]]
name = "broker-a"

[[topic]]
name = "orders"

[[consumer]]
client = "c1"
group = "bill"
subscribe = { orders = "*" }

[[send]]
name = "first"
at = "5s"
topic = "orders"
key = "m0"

[[do]]
name = "crash"
at = "10s"
command = "CrashConsumer"
client = "c1"

[[expect]]
deliveries = "m0"
times = 1

[[variant]]
name = "a slow start, and no crash"
latency = "20ms"
without = ["crash"]

[variant.change.c1]
at = "2s"
consumeThreadMax = 30

[[variant.send]]
at = "20s"
topic = "orders"
key = "m1"

[[variant.expect]]
deliveries = "all"
times = 1
"#;

#[test]
fn a_variant_changes_adds_and_leaves_out() {
    let file = read_file(TWO_RUNS).expect("a good file");
    assert_eq!((file.scenario.script.len(), file.scenario.expectations.len()), (3, 1));
    let variant = &file.variants[0];
    assert_eq!(variant.name, "a slow start, and no crash");
    let scenario = &variant.scenario;
    assert_eq!(scenario.setup.latency.ms(), 20);
    assert_eq!((scenario.script.len(), scenario.expectations.len()), (3, 1));
    let (at, Command::StartConsumer(spec)) = &scenario.script[0] else {
        panic!("the consumer is still the first");
    };
    assert_eq!((at.ms(), spec.config.consume_thread_max), (2_000, 30));
    assert!(matches!(&scenario.script[2].1, Command::SendMessages(send)
        if send.key.as_ref().is_some_and(|key| key.as_str() == "m1")));
}

#[test]
fn another_profile_brings_its_own_defaults() {
    let text = presets::text_of("start-up").expect("it is there");
    for profile in Profile::ALL {
        let scenario = read_as(text, profile).expect("a good file");
        let Command::StartConsumer(spec) = &scenario.script[0].1 else {
            panic!("the consumer is the first");
        };
        assert_eq!(spec.config, ConsumerConfig::defaults(profile));
    }
}

/// An author finds every field in the documentation.
#[test]
fn the_documentation_names_every_property_command_and_word() {
    use rocketmq_playground::scenario::file::read_command::COMMANDS;
    use rocketmq_playground::scenario::file::read_expect::WORDS;
    use rocketmq_playground::scenario::property::{BROKER, CONSUMER, GROUP, PRODUCER};
    let text = include_str!("../docs/scenario.md");
    let properties = CONSUMER.iter().map(|it| it.name).chain(PRODUCER.iter().map(|it| it.name));
    let properties = properties.chain(BROKER.iter().map(|it| it.name));
    let properties = properties.chain(GROUP.iter().map(|it| it.name));
    let events = rocketmq_playground::sim::kind::NAMES.iter().copied();
    let properties = properties.chain(events);
    let names = properties.chain(COMMANDS.iter().copied()).chain(WORDS.iter().copied());
    let is_there = |name: &str| {
        [format!("`{name}`"), format!("`\"{name}\"`")].iter().any(|it| text.contains(it))
    };
    let missing = names.filter(|name| !is_there(name)).collect::<Vec<_>>();
    assert!(missing.is_empty(), "not in docs/scenario.md: {missing:?}");
}

/// The example that the documentation begins with is a good file and does what it says.
#[test]
fn the_documentation_s_example_holds() {
    use rocketmq_playground::scenario::expect::check_all;
    let text = include_str!("../docs/scenario.md");
    let example = text.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let scenario = read(example.expect("it has an example")).expect("a good file");
    let outcomes = check_all(&scenario);
    assert!(!outcomes.is_empty());
    for outcome in outcomes {
        assert!(outcome.holds, "{outcome}");
    }
}
