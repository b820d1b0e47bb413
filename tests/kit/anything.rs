//! Any scenario and any command that the formats must carry, whether or not the run is interesting.

use std::rc::Rc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use rocketmq_playground::model::allocate::{AllocateStrategy, MachineRoomResolver};
use rocketmq_playground::model::config::*;
use rocketmq_playground::model::ids::*;
use rocketmq_playground::model::listener::*;
use rocketmq_playground::model::message_queue::MessageQueue;
use rocketmq_playground::model::offset::QueueOffset;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::model::topic::{Permission, TopicConfig};
use rocketmq_playground::scenario::differ::{Differs, Shows};
use rocketmq_playground::scenario::fact::{Fact, PullState, QueueNumber};
use rocketmq_playground::scenario::property::{
    Allowed, BROKER, CONSUMER, GROUP, PRODUCER, Property, Setting,
};
use rocketmq_playground::scenario::walk::{Focus, Happening, QueueName, Stop, WalkMark};
use rocketmq_playground::scenario::{Recorded, RecordedDelivery, Scenario, Words};
use rocketmq_playground::sim::command::*;
use rocketmq_playground::sim::kind;
use rocketmq_playground::sim::packet::RequestCode;
use rocketmq_playground::sim::setup::*;

pub const CLIENTS: [&str; 3] = ["c1", "10.0.0.1@c2", "client three"];
const BROKERS: [&str; 2] = ["broker-a", "broker-b"];
const TOPICS: [&str; 3] = ["T", "orders", "TopicTest-2"];
const GROUPS: [&str; 2] = ["G", "bill"];

pub fn profile() -> impl Strategy<Value = Profile> {
    select(&Profile::ALL[..])
}

fn millis() -> impl Strategy<Value = Millis> {
    prop_oneof![0..200_u64, 0..86_400_000_u64].prop_map(Millis::new)
}

fn client() -> impl Strategy<Value = ClientId> {
    select(&CLIENTS[..]).prop_map(ClientId::new)
}

fn broker() -> impl Strategy<Value = BrokerName> {
    select(&BROKERS[..]).prop_map(BrokerName::new)
}

fn topic() -> impl Strategy<Value = TopicName> {
    select(&TOPICS[..]).prop_map(TopicName::new)
}

fn group() -> impl Strategy<Value = GroupName> {
    select(&GROUPS[..]).prop_map(GroupName::new)
}

fn queue() -> impl Strategy<Value = QueueId> {
    (0..1_024_u32).prop_map(QueueId)
}

fn offset() -> impl Strategy<Value = QueueOffset> {
    (0..10_000_i64).prop_map(QueueOffset)
}

/// Text with everything that a format might trip over.
fn words() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9 ]{1,12}", "[\"'\\\\\n\t=#\\[\\]{}%订单é·]{1,8}"]
}

fn setting(allowed: Allowed) -> BoxedStrategy<Setting> {
    match allowed {
        Allowed::Integers { low, high } => (low..=high).prop_map(Setting::Integer).boxed(),
        Allowed::UnsetOr { low, high } => {
            prop_oneof![Just(-1), low..=high].prop_map(Setting::Integer).boxed()
        }
        Allowed::Flag => any::<bool>().prop_map(Setting::Flag).boxed(),
        Allowed::Words(words) => select(words).prop_map(Setting::Word).boxed(),
    }
}

/// A few properties away from the defaults.
fn configured<C: Clone + std::fmt::Debug + 'static>(
    table: &'static [Property<C>],
    default: C,
) -> impl Strategy<Value = C> {
    let one = (0..table.len())
        .prop_flat_map(|index| setting(table[index].allowed).prop_map(move |value| (index, value)));
    vec(one, 0..4).prop_map(move |changes| {
        let mut config = default.clone();
        for (index, value) in changes {
            (table[index].set)(&mut config, &value);
        }
        config
    })
}

fn step() -> impl Strategy<Value = ListenerStep> {
    let result = select(
        &[
            ListenerResult::Success,
            ListenerResult::Later,
            ListenerResult::Throws,
            ListenerResult::Null,
            ListenerResult::Never,
            ListenerResult::Commit,
            ListenerResult::Rollback,
        ][..],
    );
    let on_interrupt = select(
        &[OnInterrupt::Ignores, OnInterrupt::EndsEarly, OnInterrupt::Succeeds, OnInterrupt::Fails]
            [..],
    );
    let plain = (millis(), result).prop_map(|(takes, result)| ListenerStep {
        takes,
        result,
        ..ListenerStep::ok()
    });
    let extras = (option::of(-1..32_i32), -1..19_i32, option::of(millis()), on_interrupt);
    (plain, option::of(extras)).prop_map(|(plain, extras)| match extras {
        None => plain,
        Some((ack_index, delay_level_when_next_consume, suspend_ms, on_interrupt)) => {
            ListenerStep {
                ack_index,
                delay_level_when_next_consume,
                suspend_ms,
                on_interrupt,
                ..plain
            }
        }
    })
}

fn script() -> impl Strategy<Value = ListenerScript> {
    vec((step(), 1..4_usize), 1..4).prop_map(|runs| {
        let mut steps = runs.into_iter().flat_map(|(step, times)| std::iter::repeat_n(step, times));
        let first = steps.next().expect("at least one");
        ListenerScript::new(first, steps)
    })
}

pub fn listener() -> BoxedStrategy<ListenerBehavior> {
    let by_key = vec(script(), 0..3).prop_map(|scripts| {
        let keys = ["m0", "key with blanks", "消息"].map(MessageKey::new);
        keys.into_iter().zip(scripts).collect::<Vec<_>>()
    });
    (millis(), script(), by_key)
        .prop_map(|(pause, default_script, by_key)| ListenerBehavior {
            pause,
            default_script,
            by_key,
        })
        .boxed()
}

fn strategy() -> impl Strategy<Value = AllocateStrategy> {
    let queue = (topic(), broker(), queue()).prop_map(|(t, b, q)| MessageQueue::new(t, b, q));
    let simple = prop_oneof![
        Just(AllocateStrategy::Averagely),
        Just(AllocateStrategy::AveragelyByCircle),
        vec(queue, 0..3).prop_map(AllocateStrategy::ByConfig),
        vec("[a-z]{1,4}", 0..3).prop_map(AllocateStrategy::ByMachineRoom),
        (1..100_u32).prop_map(|it| AllocateStrategy::ConsistentHash { virtual_nodes: it }),
    ];
    (simple, option::of((prop::char::range('!', '~'), prop::char::range('!', '~')))).prop_map(
        |(simple, nearby)| match nearby {
            None => simple,
            Some((broker_separator, client_separator)) => AllocateStrategy::MachineRoomNearby {
                inner: Box::new(simple),
                resolver: MachineRoomResolver { broker_separator, client_separator },
            },
        },
    )
}

fn from_where() -> impl Strategy<Value = ConsumeFromWhere> {
    prop_oneof![
        Just(ConsumeFromWhere::LastOffset),
        Just(ConsumeFromWhere::FirstOffset),
        (-86_400_000..86_400_000_i64).prop_map(ConsumeFromWhere::Timestamp),
    ]
}

pub fn consumer(profile: Profile, client_id: ClientId) -> BoxedStrategy<ConsumerSpec> {
    let subscriptions = select(vec![&TOPICS[..1], &TOPICS[1..], &TOPICS[..]]);
    let expression = select(&["*", "TagA || TagB", ""][..]);
    let config = configured(CONSUMER, ConsumerConfig::defaults(profile));
    (
        (group(), option::of("[a-z]{1,5}"), subscriptions, expression),
        (config, from_where(), strategy()),
        option::of(listener()),
    )
        .prop_map(move |((group, process, topics, expression), (config, from, strategy), it)| {
            let (low, high) = (config.consume_thread_min, config.consume_thread_max);
            ConsumerSpec {
                client_id: client_id.clone(),
                group,
                process,
                subscriptions: topics
                    .iter()
                    .map(|it| ((*it).into(), expression.to_owned()))
                    .collect(),
                config: ConsumerConfig {
                    consume_from_where: from,
                    allocate_strategy: strategy,
                    consume_thread_min: low.min(high),
                    consume_thread_max: low.max(high),
                    ..config
                },
                listener: it.unwrap_or_default(),
            }
        })
        .boxed()
}

fn send() -> impl Strategy<Value = SendMessages> {
    let choice = prop_oneof![
        Just(QueueChoice::RoundRobin),
        (option::of(broker()), queue())
            .prop_map(|(broker_name, queue_id)| QueueChoice::Fixed { broker_name, queue_id }),
        words().prop_map(QueueChoice::HashOf),
    ];
    let mode = select(&[SendMode::Sync, SendMode::Async, SendMode::Oneway][..]);
    (
        (option::of(client()), topic(), 1..200_u32, 0..1_000_u64),
        (option::of(words()), option::of(words()), choice),
        (0..19_i32, 0..5_000_000_u32, mode, option::of(script())),
    )
        .prop_map(|((producer, topic, count, every), (key, tag, queue), rest)| SendMessages {
            producer,
            topic,
            count,
            every: Millis::new(every),
            key: key.map(MessageKey::new),
            tag: tag.map(Tag::new),
            queue,
            delay_level: rest.0,
            body_bytes: rest.1.min(4 << 20),
            mode: rest.2,
            script: rest.3.map(Rc::new),
        })
}

fn party() -> impl Strategy<Value = Party> {
    prop_oneof![
        Just(Party::NameServer),
        broker().prop_map(Party::Broker),
        client().prop_map(Party::Client),
    ]
}

fn permission() -> impl Strategy<Value = Permission> {
    any::<(bool, bool)>().prop_map(|(readable, writable)| Permission { readable, writable })
}

/// Any command but the starts of clients.
fn other_command() -> BoxedStrategy<Command> {
    prop_oneof![
        send().prop_map(Command::SendMessages),
        on_client(),
        on_broker(),
        on_network(),
        by_operator(),
    ]
    .boxed()
}

fn on_client() -> BoxedStrategy<Command> {
    let of_client: Vec<fn(ClientId) -> Command> = vec![
        |client_id| Command::StopProducer { client_id },
        |client_id| Command::CrashConsumer { client_id },
        |client_id| Command::LoseHost { client_id },
        |client_id| Command::ResumeClient { client_id },
        |client_id| Command::PausePulling { client_id },
        |client_id| Command::ResumePulling { client_id },
        |client_id| Command::SkipHeartbeat { client_id },
        |client_id| Command::HalfOpenReconnect { client_id },
    ];
    let on_interrupt = select(&[OnInterrupt::EndsEarly, OnInterrupt::Fails][..]);
    prop_oneof![
        (client(), select(of_client)).prop_map(|(client_id, make)| make(client_id)),
        (client(), option::of(group()))
            .prop_map(|(client_id, group)| Command::StopConsumer { client_id, group }),
        (client(), option::of(millis()))
            .prop_map(|(client_id, duration)| Command::FreezeClient { client_id, duration }),
        (client(), group(), topic(), words()).prop_map(|(client_id, group, topic, expression)| {
            Command::Subscribe { client_id, group, topic, expression }
        }),
        (client(), group(), topic()).prop_map(|(client_id, group, topic)| Command::Unsubscribe {
            client_id,
            group,
            topic
        }),
        (client(), option::of(group()), listener()).prop_map(|(client_id, group, listener)| {
            Command::SetListener { client_id, group, listener: Box::new(listener) }
        }),
        (client(), on_interrupt).prop_map(|(client_id, on_interrupt)| Command::SetOnInterrupt {
            client_id,
            on_interrupt,
        }),
        (client(), "[a-zA-Z]{1,20}", 0..1_000_i64).prop_map(|(client_id, name, value)| {
            Command::SetConsumerProperty { client_id, name, value }
        }),
        (client(), -100_000..100_000_i64)
            .prop_map(|(client_id, by_ms)| Command::SkewClock { client_id, by_ms }),
    ]
    .boxed()
}

fn on_broker() -> BoxedStrategy<Command> {
    let how = prop_oneof![
        Just(BrokerStop::Graceful),
        (0..100_u32).prop_map(|lost_tail| BrokerStop::Kill { lost_tail }),
    ];
    prop_oneof![
        (broker(), 0..2_u32, how).prop_map(|(broker_name, broker_id, how)| Command::StopBroker {
            broker_name,
            broker_id,
            how,
        }),
        (broker(), 0..2_u32)
            .prop_map(|(broker_name, broker_id)| Command::StartBroker { broker_name, broker_id }),
        (broker(), option::of(millis()))
            .prop_map(|(broker_name, duration)| Command::FreezeBroker { broker_name, duration }),
        broker().prop_map(|broker_name| Command::ResumeBroker { broker_name }),
        (broker(), any::<bool>()).prop_map(|(broker_name, writable)| {
            Command::SetBrokerWritable { broker_name, writable }
        }),
        (broker(), millis()).prop_map(|(broker_name, by)| Command::SlowStore { broker_name, by }),
        (broker(), topic(), queue(), offset()).prop_map(
            |(broker_name, topic, queue_id, min_offset)| Command::ExpireHead {
                broker_name,
                topic,
                queue_id,
                min_offset,
            }
        ),
        (broker(), any::<bool>()).prop_map(|(broker_name, in_memory)| {
            Command::SetFirstMessageInMemory { broker_name, in_memory }
        }),
        (broker(), "[a-zA-Z]{1,20}", 1..1_000_i64).prop_map(|(broker_name, name, value)| {
            Command::SetBrokerProperty { broker_name, name, value }
        }),
    ]
    .boxed()
}

fn any_code() -> BoxedStrategy<Option<RequestCode>> {
    option::of(select(&RequestCode::ALL[..])).boxed()
}

fn on_network() -> BoxedStrategy<Command> {
    let code = select(&RequestCode::ALL[..]);
    prop_oneof![
        Just(Command::StopNameServer),
        Just(Command::StartNameServer),
        (party(), party(), any::<bool>()).prop_map(|(a, b, one_way)| Command::Partition {
            a,
            b,
            one_way
        }),
        (party(), party()).prop_map(|(a, b)| Command::Heal { a, b }),
        (party(), party(), millis(), millis()).prop_map(|(a, b, from, to)| Command::SetLatency {
            a,
            b,
            from,
            to
        }),
        (party(), party(), code, 1..1_000_u32, any::<bool>()).prop_map(
            |(from, to, code, count, only_response)| Command::DropNext {
                from,
                to,
                code,
                count,
                only_response,
            }
        ),
        (party(), party(), any_code(), (1..1_000_u32, any::<bool>()), millis(), millis()).prop_map(
            |(from, to, code, (count, only_response), later, later_at_most)| {
                Command::DuplicateNext {
                    from,
                    to,
                    code,
                    count,
                    only_response,
                    later,
                    later_at_most,
                }
            }
        ),
        (party(), party(), any_code(), 1..1_000_u32, any::<bool>(), millis()).prop_map(
            |(from, to, code, count, only_response, at_most)| Command::ReorderNext {
                from,
                to,
                code,
                count,
                only_response,
                at_most,
            }
        ),
    ]
    .boxed()
}

fn by_operator() -> BoxedStrategy<Command> {
    prop_oneof![
        (topic(), option::of(broker()), 1..64_u32).prop_map(|(topic, broker_name, queue_nums)| {
            Command::CreateTopic { topic, broker_name, queue_nums }
        }),
        (topic(), option::of(broker()), 0..64_u32, 0..64_u32, permission()).prop_map(
            |(topic, broker_name, read_queue_nums, write_queue_nums, permission)| {
                Command::UpdateTopic {
                    topic,
                    broker_name,
                    read_queue_nums,
                    write_queue_nums,
                    permission,
                }
            }
        ),
        (group(), 0..64_u32).prop_map(|(group, retry_queue_nums)| {
            Command::UpdateGroup { group, retry_queue_nums, retry_max_times: 16 }
        }),
        (group(), topic(), -1_000_000..1_000_000_i64, any::<bool>()).prop_map(
            |(group, topic, timestamp, force)| Command::ResetOffset {
                group,
                topic,
                timestamp,
                force,
            }
        ),
        (group(), topic(), option::of(broker()), queue(), offset()).prop_map(
            |(group, topic, broker_name, queue_id, offset)| Command::SetOffset {
                group,
                topic,
                broker_name,
                queue_id,
                offset,
            }
        ),
    ]
    .boxed()
}

/// Any command.
pub fn command(profile: Profile) -> BoxedStrategy<Command> {
    let start = client()
        .prop_flat_map(move |client_id| consumer(profile, client_id))
        .prop_map(|spec| Command::StartConsumer(Box::new(spec)));
    prop_oneof![1 => start, 1 => producer(profile), 6 => other_command()].boxed()
}

fn producer(profile: Profile) -> impl Strategy<Value = Command> {
    let config = configured(PRODUCER, ProducerConfig::defaults(profile));
    (client(), group(), config).prop_map(|(client_id, group, config)| {
        Command::StartProducer(ProducerSpec { client_id, group, config })
    })
}

fn brokers(profile: Profile) -> impl Strategy<Value = Vec<BrokerSpec>> {
    let broker_config = || {
        let levels = vec(millis(), 1..20);
        (configured(BROKER, BrokerConfig::defaults(profile)), option::of(levels)).prop_map(
            |(config, levels)| match levels {
                None => config,
                Some(message_delay_level) => BrokerConfig { message_delay_level, ..config },
            },
        )
    };
    (broker_config(), broker_config(), 0..2_u32).prop_map(|(a, b, slave)| {
        let spec =
            |name: &str, broker_id, config| BrokerSpec { name: name.into(), broker_id, config };
        vec![spec(BROKERS[0], 0, a.clone()), spec(BROKERS[1], 0, b), spec(BROKERS[0], slave + 1, a)]
    })
}

fn topics() -> impl Strategy<Value = Vec<TopicSetup>> {
    let topic_config =
        (1..64_u32, 1..64_u32, permission()).prop_map(|(read, write, permission)| TopicConfig {
            read_queue_nums: read,
            write_queue_nums: write,
            permission,
        });
    vec((broker(), topic_config), 3).prop_map(|configs| {
        let named = TOPICS.iter().zip(configs);
        named
            .map(|(topic, (broker_name, config))| TopicSetup {
                topic: (*topic).into(),
                broker_name,
                config,
            })
            .collect::<Vec<_>>()
    })
}

fn groups() -> impl Strategy<Value = Vec<GroupSetup>> {
    vec((configured(GROUP, SubscriptionGroupConfig::default()), any::<bool>()), 0..3).prop_map(
        |configs| {
            let named = GROUPS.iter().zip(configs);
            named
                .map(|(group, (config, preexisting))| GroupSetup {
                    group: (*group).into(),
                    config,
                    preexisting,
                })
                .collect::<Vec<_>>()
        },
    )
}

fn setup(profile: Profile) -> BoxedStrategy<Setup> {
    let place = || (group(), topic(), broker(), queue(), offset());
    let pasts = || vec(place(), 0..3);
    (
        (0..=i64::MAX as u64, any::<bool>(), millis(), millis(), any::<(bool, bool)>()),
        (brokers(profile), topics(), groups()),
        (pasts(), pasts(), pasts(), client()),
    )
        .prop_map(
            move |(
                (seed, shuffled, latency, start_up, flags),
                (brokers, topics, groups),
                pasts,
            )| {
                let (stored, expired, local, client_id) = pasts;
                Setup {
                    seed,
                    tie_break: if shuffled { TieBreak::Shuffled } else { TieBreak::Fifo },
                    latency,
                    start_up,
                    brokers,
                    topics,
                    groups,
                    clean_expired_defect: flags.0,
                    literal_polling: flags.1,
                    stored_offsets: stored
                        .into_iter()
                        .map(|(group, topic, broker_name, queue_id, offset)| StoredOffset {
                            group,
                            topic,
                            broker_name,
                            queue_id,
                            offset,
                        })
                        .collect(),
                    queue_pasts: expired
                        .into_iter()
                        .map(|(_, topic, broker_name, queue_id, min_offset)| QueuePast {
                            topic,
                            broker_name,
                            queue_id,
                            min_offset,
                        })
                        .collect(),
                    local_offsets: local
                        .into_iter()
                        .map(|(group, topic, broker_name, queue_id, offset)| LocalOffset {
                            client_id: client_id.clone(),
                            group,
                            topic,
                            broker_name,
                            queue_id,
                            offset,
                        })
                        .collect(),
                    delay_offsets: vec![DelayOffset {
                        broker_name: BROKERS[0].into(),
                        level: 1,
                        offset: QueueOffset(3),
                    }],
                    ..Setup::empty(profile)
                }
            },
        )
        .boxed()
}

fn scenario_of(profile: Profile) -> BoxedStrategy<Scenario> {
    let starts = (
        consumer(profile, CLIENTS[0].into()),
        consumer(profile, CLIENTS[1].into()),
        consumer(profile, CLIENTS[2].into()),
    )
        .prop_map(|(a, b, c)| [a, b, c].map(|spec| Command::StartConsumer(Box::new(spec))));
    let others = vec(prop_oneof![4 => other_command(), 1 => producer(profile)], 0..8);
    let moments = vec(millis(), 16);
    let texts = ("[a-z-]{0,12}", words(), words(), words(), any::<bool>());
    let recorded = option::of(vec((words(), topic(), queue(), offset(), millis()), 0..3));
    (setup(profile), starts, others, moments, millis(), texts, recorded)
        .prop_map(
            |(setup, starts, others, moments, until, (id, en, zh, about, is_told), recorded)| {
                let levels = setup.brokers[0].config.message_delay_level.len() as i32;
                let mut script = Vec::new();
                for (command, at) in starts.into_iter().chain(others).zip(moments) {
                    let command = match command {
                        Command::SendMessages(send) => {
                            let delay_level = send.delay_level.min(levels);
                            Command::SendMessages(SendMessages { delay_level, ..send })
                        }
                        other => other,
                    };
                    script.push((at, command));
                }
                let deliveries = |list: Vec<(String, TopicName, QueueId, QueueOffset, Millis)>| {
                    let one = |(key, topic, queue_id, queue_offset, begin)| RecordedDelivery {
                        key,
                        topic,
                        queue_id,
                        queue_offset,
                        begin,
                    };
                    list.into_iter().map(one).collect::<Vec<_>>()
                };
                Scenario {
                    id,
                    title: Words { en, zh },
                    about: if is_told { Words::same(about) } else { Words::default() },
                    setup,
                    script,
                    begin: Millis::ZERO,
                    until,
                    expectations: Vec::new(),
                    marks: Vec::new(),
                    differs: Vec::new(),
                    recorded: recorded.map(|list| Recorded {
                        release: "4.2.0".to_owned(),
                        run: "a run".to_owned(),
                        deliveries: deliveries(list),
                    }),
                }
            },
        )
        .boxed()
}

fn queue_name() -> impl Strategy<Value = QueueName> {
    (topic(), queue()).prop_map(|(topic, queue_id)| QueueName { topic, queue_id })
}

fn focus() -> impl Strategy<Value = Focus> {
    let id = select(&CLIENTS[..]).prop_map(str::to_owned);
    prop_oneof![
        Just(Focus::NameServer),
        "[a-zA-Z0-9 ]{0,6}[a-z]".prop_map(Focus::Message),
        queue_name().prop_map(Focus::Queue),
        queue_name().prop_map(Focus::Lock),
        (0..64_u32).prop_map(Focus::Level),
        (id.clone(), queue_name()).prop_map(|(id, queue)| Focus::Shelf(id, queue)),
        (id.clone(), 0..64_u32).prop_map(|(id, index)| Focus::Worker(id, index)),
        id.prop_map(Focus::Consumer),
    ]
}

fn fact() -> impl Strategy<Value = Fact> {
    let id = select(&CLIENTS[..]).prop_map(str::to_owned);
    let key = "[a-z][a-z0-9]{0,3}";
    prop_oneof![
        (key, queue_name(), 0..99_i64).prop_map(|(key, queue, offset)| Fact::Stored {
            key,
            queue,
            offset
        }),
        (key, 1..19_u32).prop_map(|(key, level)| Fact::Delayed { key, level }),
        (queue_name(), option::of(0..99_i64)).prop_map(|(queue, value)| Fact::Number {
            queue,
            number: QueueNumber::Committed,
            value
        }),
        (queue_name(), millis()).prop_map(|(queue, at)| Fact::LockEnds { queue, at }),
        (id.clone(), queue_name()).prop_map(|(client, queue)| Fact::Pull {
            client,
            queue,
            place: PullState::PutOffNotLocked
        }),
        (id, queue_name(), vec(key, 0..3)).prop_map(|(client, queue, keys)| Fact::ShelfHolds {
            client,
            queue,
            keys
        }),
    ]
}

/// A mark of a run that is watched for so long.
fn mark(begin: Millis, until: Millis) -> impl Strategy<Value = WalkMark> {
    let at = (begin.ms()..=until.ms()).prop_map(Millis::new);
    let named = (
        option::of("[a-z0-9]{1,4}"),
        option::of(queue_name()),
        option::of(select(&CLIENTS[..]).prop_map(str::to_owned)),
        option::of(select(&RequestCode::ALL[..])),
    );
    let happening = (select(kind::NAMES), 1..9_u32, at.clone(), named).prop_map(
        |(kind, nth, after, (key, queue, consumer, code))| {
            Stop::Event(Happening { kind, nth, after, key, queue, consumer, code })
        },
    );
    let stop = prop_oneof![at.prop_map(Stop::At), happening];
    let caption = ("[a-z]{1,9}", "[a-z]{1,9}").prop_map(|(en, zh)| Words { en, zh });
    let releases = subsequence(Profile::ALL.to_vec(), 1..=Profile::ALL.len());
    (stop, focus(), caption, vec(fact(), 0..3), releases).prop_map(
        |(stop, focus, caption, facts, releases)| WalkMark {
            stop,
            focus,
            caption,
            facts,
            releases,
        },
    )
}

fn differs() -> impl Strategy<Value = Differs> {
    let side = || subsequence(Profile::ALL.to_vec(), 1..3);
    let says = option::of(("[a-z]{1,9}", "[a-z]{1,9}").prop_map(|(en, zh)| Words { en, zh }));
    let shows = (select(&Profile::ALL[..]), select(kind::NAMES), 1..9_u32, option::of(millis()));
    let shows = shows.prop_map(|(release, kind, nth, at)| Shows {
        release,
        happening: Happening {
            kind,
            nth,
            after: Millis::ZERO,
            key: None,
            queue: None,
            consumer: None,
            code: None,
        },
        at,
    });
    (side(), side(), says, vec(shows, 0..3)).prop_map(|(from, to, says, shows)| Differs {
        from,
        to,
        says,
        shows,
    })
}

/// Any scenario that a file can hold.
pub fn scenario() -> BoxedStrategy<Scenario> {
    let with_marks = |scenario: Scenario| {
        let until = scenario.until;
        let told = (0..=until.ms()).prop_map(Millis::new).prop_flat_map(move |begin| {
            vec(mark(begin, until), 0..3).prop_map(move |marks| (begin, marks))
        });
        (told, vec(differs(), 0..2)).prop_map(move |((begin, marks), differs)| Scenario {
            begin,
            marks,
            differs,
            ..scenario.clone()
        })
    };
    profile().prop_flat_map(scenario_of).prop_flat_map(with_marks).boxed()
}
