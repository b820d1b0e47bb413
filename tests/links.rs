//! Links: what is packed opens as it was, nothing hostile does harm, and old ones open for ever.

#[path = "kit/anything.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod anything;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use rocketmq_playground::model::limits;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::scenario::file::write;
use rocketmq_playground::scenario::link::{Base, Change, Link, LinkError, MODEL_ID, Outcome};
use rocketmq_playground::scenario::presets;
use rocketmq_playground::scenario::property::Setting;
use rocketmq_playground::sim::command::{Command, SendMessages};
use rocketmq_playground::sim::setup::TieBreak;

fn change() -> BoxedStrategy<Change> {
    let client = || option::of(select(&anything::CLIENTS[..]).prop_map(Into::into));
    prop_oneof![
        (0..1_000_u64).prop_map(|ms| Change::Latency(Millis::new(ms))),
        (0..1_000_u64).prop_map(|ms| Change::StartUp(Millis::new(ms))),
        Just(Change::TieBreak(TieBreak::Shuffled)),
        (1..64_u32).prop_map(|queues| Change::Queues { topic: "orders".into(), queues }),
        (client(), 1..1_024_i64).prop_map(|(client_id, number)| Change::Consumer {
            client_id,
            property: "pullBatchSize".to_owned(),
            value: Setting::Integer(number),
        }),
        client().prop_map(|client_id| Change::Consumer {
            client_id,
            property: "messageModel".to_owned(),
            value: Setting::Word("BROADCASTING"),
        }),
        any::<bool>().prop_map(|flag| Change::Broker {
            broker_name: None,
            property: "longPollingEnable".to_owned(),
            value: Setting::Flag(flag),
        }),
        (0..10_i64).prop_map(|number| Change::Group {
            group: "bill".into(),
            property: "retryQueueNums".to_owned(),
            value: Setting::Integer(number),
        }),
        (client(), anything::listener())
            .prop_map(|(client_id, listener)| Change::Listener { client_id, listener }),
        (0..100_u32).prop_map(Change::Without),
    ]
    .boxed()
}

fn base() -> BoxedStrategy<Base> {
    let preset = select(presets::NAMES).prop_map(|name| Base::Preset((*name).to_owned()));
    let unknown = "[a-z-]{1,20}".prop_map(Base::Preset);
    let file = anything::scenario().prop_map(|scenario| Base::File(write(&scenario)));
    prop_oneof![4 => preset, 1 => unknown, 1 => file].boxed()
}

fn link() -> impl Strategy<Value = Link> {
    anything::profile().prop_flat_map(|profile| {
        let intervention = (0..86_400_000_u64, anything::command(profile));
        (
            (base(), vec(change(), 0..4), any::<u64>()),
            (vec(intervention, 0..6), "[ -~消息]{0,40}", any::<(u32, u32, u32)>()),
            (option::of(0..86_400_000_u64), option::of("[ -~队列]{1,12}"), "[a-z]{2,5}"),
        )
            .prop_map(
                move |((base, changes, seed), (interventions, title, outcome), view)| {
                    let command = |(at, command)| (Millis::new(at), command);
                    Link {
                        base,
                        changes,
                        profile,
                        seed,
                        interventions: interventions.into_iter().map(command).collect(),
                        title,
                        outcome: Outcome {
                            reached: Millis::new(u64::from(outcome.0)),
                            events: outcome.1,
                            digest: outcome.2,
                        },
                        model_id: MODEL_ID,
                        moment: view.0.map(Millis::new),
                        selection: view.1,
                        view: vec![("x".to_owned() + &view.2, view.2)],
                    }
                },
            )
    })
}

/// The fragment of a short run that someone might send.
fn good_fragment(nth: u64) -> String {
    let names = presets::NAMES;
    let name = names[nth as usize % names.len()];
    let mut link = Link::preset(name, Profile::ALL[nth as usize % 3]);
    let send = SendMessages::one("orders".into());
    link.interventions = vec![
        (Millis::new(12_000 + nth), Command::CrashConsumer { client_id: "c1".into() }),
        (Millis::new(15_500), Command::SendMessages(send)),
    ];
    link.title = format!("run {nth}");
    link.moment = Some(Millis::new(20_350));
    link.to_fragment()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A run that is sent opens as it was.
    #[test]
    fn what_is_packed_opens_as_it_was(link in link()) {
        let fragment = link.to_fragment();
        if fragment.chars().count() > limits::LINK_CHARACTERS {
            let is_refused = matches!(Link::from_fragment(&fragment), Err(LinkError::TooLong { .. }));
            prop_assert!(is_refused);
            return Ok(());
        }
        let again = Link::from_fragment(&fragment);
        prop_assert_eq!(again, Ok(link));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    /// Nothing that stands in an address does harm.
    #[test]
    fn random_text_never_opens(text in "[A-Za-z0-9_-]{0,300}") {
        let fragment = format!("#/r/1{text}");
        prop_assert!(Link::from_fragment(&fragment).is_err());
    }

    /// A good link with one bit flipped is not taken for another run.
    #[test]
    fn a_flipped_bit_is_noticed(nth in 0..100_u64, at in any::<prop::sample::Index>(), bit in 0..6_u32) {
        const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let fragment = good_fragment(nth);
        let (start, rest) = fragment.split_at("#/r/1".len());
        let (packed, query) = rest.split_once('?').expect("it has a moment");
        let mut bytes = packed.as_bytes().to_vec();
        let at = at.index(bytes.len());
        let value = ALPHABET.iter().position(|known| *known == bytes[at]).expect("base64url");
        bytes[at] = ALPHABET[value ^ (1 << bit)];
        let packed = String::from_utf8(bytes).expect("base64url");
        let found = Link::from_fragment(&format!("{start}{packed}?{query}"));
        prop_assert_eq!(found, Err(LinkError::Checksum));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Bytes with a right checksum come from someone who means harm.
    #[test]
    fn hostile_content_is_refused_or_is_a_run_within_the_limits(
        flags in 0..3_u8,
        body in vec(any::<u8>(), 0..200),
        changed in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        is_nearly_good in any::<bool>(),
    ) {
        let mut content = if is_nearly_good { plain_content() } else { vec![flags] };
        if !is_nearly_good {
            content.extend(body);
        }
        for (at, byte) in changed {
            let at = at.index(content.len());
            content[at] = byte;
        }
        if let Ok(link) = Link::from_fragment(&sealed(&content)) {
            prop_assert!(link.interventions.len() <= limits::INTERVENTIONS);
            let _ = link.scenario();
        }
    }
}

/// The content of a good link, not deflated.
fn plain_content() -> Vec<u8> {
    use base64::Engine;
    let fragment = Link::preset("start-up", Profile::V49).to_fragment();
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(&fragment["#/r/1".len()..]);
    let bytes = bytes.expect("base64url");
    let body = &bytes[1..bytes.len() - 4];
    let plain = match bytes[0] {
        0 => body.to_vec(),
        _ => miniz_oxide::inflate::decompress_to_vec(body).expect("a good link"),
    };
    [vec![0], plain].concat()
}

/// Content with its checksum, as a fragment.
fn sealed(content: &[u8]) -> String {
    use base64::Engine;
    let mut bytes = content.to_vec();
    bytes.extend_from_slice(&crc32fast::hash(content).to_le_bytes());
    format!("#/r/1{}", base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes))
}

#[test]
fn each_thing_that_can_be_wrong_has_its_own_sentence() {
    let good = good_fragment(1);
    let packed = good.split('?').next().expect("it has a beginning");
    let cut_off = packed[..packed.len() - 5].to_owned();
    let newer = packed.replacen("#/r/1", "#/r/2", 1);
    let bad_character = format!("{packed}!");
    let long = format!("#/r/1{}", "A".repeat(limits::LINK_CHARACTERS));
    let bomb =
        sealed(&[&[1][..], &miniz_oxide::deflate::compress_to_vec(&vec![0; 1 << 20], 10)].concat());
    let all = [
        "#/l/lesson".to_owned(),
        cut_off,
        newer,
        bad_character,
        long,
        bomb,
        sealed(&[1, 7, 7]),
        sealed(&[0, 1]),
        "#/r/".to_owned(),
    ];
    let sentences = all
        .iter()
        .map(|fragment| Link::from_fragment(fragment).expect_err("it is no good link").to_string());
    expect_test::expect![[r#"
        this address does not name a run: it does not begin with #/r/
        the link has been cut off or changed: its checksum does not fit
        the link is of format "2", made by a newer version of this page
        the link has a character that no link has, '!', as its number 63
        the link has 8197 characters; 8192 is the most
        the link unpacks to more than 65536 bytes
        the link cannot be unpacked
        the link's content has not the shape of a run: Hit the end of buffer, expected more data
        the link is of format "", made by a newer version of this page"#]]
    .assert_eq(&sentences.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_preset_as_it_is_makes_a_short_link() {
    let fragment = Link::preset("poison-message", Profile::V42).to_fragment();
    assert!(fragment.len() < 40, "{fragment}");
    let link = Link::from_fragment(&fragment).expect("a good link");
    let scenario = link.scenario().expect("a good scenario");
    assert_eq!(Some(scenario), presets::by_name("poison-message"));
}

#[test]
fn an_edited_moment_and_an_unknown_parameter_are_understood_and_kept() {
    let packed = Link::preset("start-up", Profile::V42).to_fragment();
    let link =
        Link::from_fragment(&format!("{packed}?t=1m2.5s&view=seq&sel=q1&odd")).expect("good");
    assert_eq!(link.moment, Some(Millis::new(62_500)));
    assert_eq!(link.selection.as_deref(), Some("q1"));
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(link.view, vec![pair("view", "seq"), pair("odd", "")]);
    assert!(link.to_fragment().ends_with("?t=62.500&sel=q1&view=seq&odd="));
}

#[test]
fn a_run_beyond_the_limits_is_refused() {
    let mut link = Link::preset("start-up", Profile::V42);
    let create =
        Command::CreateTopic { topic: "T".into(), broker_name: None, queue_nums: 4_000_000 };
    link.interventions.push((Millis::ZERO, create));
    let link = Link::from_fragment(&link.to_fragment()).expect("its shape is good");
    assert!(matches!(link.scenario(), Err(LinkError::BadScenario { .. })));
}

/// Links that were made by earlier versions: each line a fragment and, after a blank, what it opens.
/// Lines are only added.
#[test]
fn old_links_open_for_ever() {
    let golden = include_str!("golden/links.txt");
    let lines = golden.lines().filter(|line| !line.starts_with('%'));
    let mut count = 0;
    for line in lines {
        let (fragment, what) = line.split_once(' ').expect("a fragment and what it opens");
        let link = Link::from_fragment(fragment).unwrap_or_else(|error| panic!("{what}: {error}"));
        link.scenario().unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(described(&link), what);
        count += 1;
    }
    assert!(count >= 5, "the golden links are there");
}

fn described(link: &Link) -> String {
    let base = match &link.base {
        Base::Preset(name) => name,
        Base::File(_) => "a file",
    };
    format!(
        "{base} under {}, seed {}, {} changes, {} interventions, \"{}\"",
        link.profile.name(),
        link.seed,
        link.changes.len(),
        link.interventions.len(),
        link.title,
    )
}

/// What goes into links today is among what has to open tomorrow.
#[test]
fn each_kind_of_link_is_among_the_golden_ones() {
    let golden = include_str!("golden/links.txt");
    let known = golden.lines().filter_map(|line| line.split_once(' '));
    let known = known.filter_map(|(fragment, _)| Link::from_fragment(fragment).ok());
    let known = known.collect::<Vec<_>>();
    let new = kinds().into_iter().filter(|link| !known.contains(link));
    let lines = new.map(|link| format!("{} {}\n", link.to_fragment(), described(&link)));
    let lines = lines.collect::<String>();
    assert!(lines.is_empty(), "to be added to golden/links.txt:\n{lines}");
}

/// Not a preset's: their sentences are written anew, and each time a line would be added for ever.
const A_FILE: &str = r#"id = "mine"
title = { en = "One message", zh = "一条消息" }
about = { en = "One message of one producer.", zh = "一个生产者的一条消息。" }
profile = "V42"
until = "40s"

[[broker]]
name = "broker-a"

[[topic]]
name = "orders"
queues = 2

[[consumer]]
at = "1s"
client = "c1"
group = "bill"
subscribe = { orders = "*" }

[[send]]
at = "9s"
topic = "orders"
key = "A"
"#;

fn kinds() -> Vec<Link> {
    let plain = presets::all_names().map(|name| Link::preset(name, Profile::V42));
    let mut plain = plain.collect::<Vec<_>>();
    let mut acted = Link::preset("poison-message", Profile::V53);
    acted.seed = 7;
    acted.title = "B succeeds, c1 crashes".to_owned();
    acted.moment = Some(Millis::new(20_350));
    acted.selection = Some("B".to_owned());
    acted.outcome = Outcome::new(Millis::new(60_000), 1_234, 0x0123_4567_89ab_cdef);
    let send = SendMessages { key: Some("X".into()), ..SendMessages::one("orders".into()) };
    acted.interventions = vec![
        (Millis::new(20_350), Command::SendMessages(send)),
        (Millis::new(25_000), Command::CrashConsumer { client_id: "c1".into() }),
    ];
    let mut changed = Link::preset("slow-message", Profile::V49);
    changed.changes = vec![
        Change::Latency(Millis::new(20)),
        Change::Consumer {
            client_id: Some("c1".into()),
            property: "consumeThreadMin".to_owned(),
            value: Setting::Integer(2),
        },
        Change::Without(3),
    ];
    let mut file = Link::preset("start-up", Profile::V42);
    file.base = Base::File(A_FILE.to_owned());
    plain.extend([acted, changed, file]);
    plain
}
