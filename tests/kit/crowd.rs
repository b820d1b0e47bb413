//! Scenes that are harder to draw than the mock's: many of everything, nothing yet, and the ends of
//! a process's life. Made from the mock's parts.

use rocketmq_playground::model::ids::{
    BrokerIndex, BrokerName, CallId, ProcessIndex, ProcessQueueId,
};
use rocketmq_playground::model::message_queue::MessageQueue;
use rocketmq_playground::model::offset::QueueOffset;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::scene::at_broker::*;
use rocketmq_playground::scene::at_consumer::*;
use rocketmq_playground::scene::card::MessageState;
use rocketmq_playground::scene::scene::*;

use super::mock_scene::{B1, C1, C2, NOW, card, levels, mock_scene, poison, q, r0};

/// Every scene with a name.
pub fn all() -> Vec<(&'static str, Scene)> {
    vec![
        ("mock", mock_scene()),
        ("nothing", nothing()),
        ("alone", alone()),
        ("four-by-four", crowd(4, 4)),
        ("eight-by-five", crowd(8, 5)),
        ("forty-by-thirty", crowd(40, 30)),
        ("three-brokers", three_brokers()),
        ("big-numbers", big_numbers()),
        ("starting", starting()),
        ("crashed", crashed()),
        ("calls", calls()),
        ("rebalance", rebalance()),
        ("levels", many_levels()),
        ("first-send", first_send()),
        ("dead", dead()),
        ("orderly", orderly()),
        ("broker-killed", ended_broker(true)),
        ("broker-stopped", ended_broker(false)),
    ]
}

/// Before anything runs.
fn nothing() -> Scene {
    let mut scene = mock_scene();
    scene.consumers.clear();
    scene.followed = None;
    scene.producers[0].next.clear();
    let broker = &mut scene.brokers[0];
    broker.commit_log = CommitLog::default();
    broker.queues.truncate(1);
    let queue = &mut broker.queues[0];
    queue.slots.clear();
    queue.max_offset = QueueOffset(0);
    queue.committed = None;
    queue.unreported = None;
    queue.pull = None;
    queue.held = None;
    queue.oldest_unfinished_since = None;
    queue.reader = None;
    broker.retry_queues.clear();
    broker.ledger.clear();
    for level in &mut broker.levels {
        level.cards.clear();
        level.front_due_at = None;
    }
    scene
}

/// One consumer with room for everything, its pulls in every place.
fn alone() -> Scene {
    let mut scene = mock_scene();
    scene.consumers.truncate(1);
    scene.followed = None;
    let consumer = &mut scene.consumers[0];
    let pull = |queue: MessageQueue, label: &str, place| Shuttle {
        queue,
        label: label.into(),
        next_offset: QueueOffset(23),
        place,
    };
    consumer.pulls = vec![
        pull(
            q(0),
            "q0",
            PullPlace::Postponed {
                reason: Postponed::Span,
                since: Millis(NOW.ms() - 20),
                until: Millis(NOW.ms() + 30),
            },
        ),
        pull(q(1), "q1", PullPlace::Seat),
        pull(r0(), "r0", PullPlace::Belt(0)),
    ];
    consumer.workers.size = 20;
    consumer.shelves.push(Shelf {
        process_queue: ProcessQueueId(9),
        queue: q(1),
        label: "q1".into(),
        cards: (40..90).map(|offset| card(1, "x", offset, MessageState::Waiting)).collect(),
        ..consumer.shelves[0].clone()
    });
    scene
}

fn crowd(queues: u32, consumers: u32) -> Scene {
    let mut scene = mock_scene();
    let broker = &mut scene.brokers[0];
    let model = broker.queues.clone();
    broker.queues = (0..queues)
        .map(|id| Queue {
            queue: q(id),
            label: format!("q{id}").as_str().into(),
            ..model[id as usize % 2].clone()
        })
        .collect();
    broker.ledger = (0..queues)
        .map(|id| BrokerLedgerRow {
            queue: q(id),
            label: format!("q{id}").as_str().into(),
            offset: QueueOffset(16),
        })
        .collect();
    let model = scene.consumers.clone();
    scene.consumers = (0..consumers)
        .map(|index| {
            let mine = (0..queues).filter(|id| id % consumers == index);
            let consumer = &model[index as usize % 2];
            Consumer {
                process: ProcessIndex(index + 1),
                label: format!("c{}", index + 1).as_str().into(),
                pulls: mine
                    .clone()
                    .map(|id| Shuttle {
                        queue: q(id),
                        label: format!("q{id}").as_str().into(),
                        next_offset: QueueOffset(23),
                        place: PullPlace::Bench,
                    })
                    .collect(),
                shelves: mine
                    .clone()
                    .map(|id| Shelf {
                        process_queue: ProcessQueueId(id),
                        queue: q(id),
                        label: format!("q{id}").as_str().into(),
                        ..consumer.shelves[0].clone()
                    })
                    .collect(),
                ledger: mine
                    .map(|id| ConsumerLedgerRow {
                        queue: q(id),
                        label: format!("q{id}").as_str().into(),
                        offset: QueueOffset(17),
                        is_dirty: id % 2 == 0,
                    })
                    .collect(),
                ..consumer.clone()
            }
        })
        .collect();
    scene
}

fn end(broker: &mut Broker, is_killed: bool) {
    broker.is_up = false;
    broker.ended = Some(Ended { at: Millis(NOW.ms() - 15_000), is_killed });
}

/// A single broker that was killed, or stopped.
fn ended_broker(is_killed: bool) -> Scene {
    let mut scene = mock_scene();
    scene.followed = None;
    end(&mut scene.brokers[0], is_killed);
    scene.brokers[0].queues.iter_mut().for_each(|queue| queue.held = None);
    scene.consumers[0].workers.seats.clear();
    scene.consumers[1].state = ProcessState::Stopped { at: Millis(NOW.ms() - 9_000) };
    scene
}

fn three_brokers() -> Scene {
    let mut scene = mock_scene();
    let model = scene.brokers[0].clone();
    for (index, name) in [(1, "broker-b"), (2, "broker-c")] {
        let mut broker = model.clone();
        broker.index = BrokerIndex(index);
        broker.name = BrokerName::new(name);
        for queue in broker.queues.iter_mut().chain(&mut broker.retry_queues) {
            queue.queue.broker_name = BrokerName::new(name);
            queue.label = format!("{}·{}", &name[7..], queue.label).as_str().into();
        }
        scene.brokers.push(broker);
    }
    end(&mut scene.brokers[1], false);
    end(&mut scene.brokers[2], true);
    scene
}

fn big_numbers() -> Scene {
    let mut scene = mock_scene();
    let queue = &mut scene.brokers[0].queues[0];
    let base = 1_234_560;
    for card in &mut queue.slots {
        card.offset = QueueOffset(card.offset.0 + base);
    }
    queue.max_offset = QueueOffset(queue.max_offset.0 + base);
    queue.committed = Some(QueueOffset(31));
    queue.unreported = None;
    if let Some(pull) = &mut queue.pull {
        pull.offset = QueueOffset(pull.offset.0 + base);
    }
    queue.min_offset = QueueOffset(30);
    let caught_up = &mut scene.brokers[0].queues[1];
    caught_up.committed = Some(QueueOffset(14));
    caught_up.unreported =
        Some(Unreported { offset: QueueOffset(15), due_at: Some(Millis(NOW.ms() + 2_100)) });
    if let Some(pull) = &mut caught_up.pull {
        pull.offset = QueueOffset(15);
    }
    for card in &mut scene.consumers[0].shelves[0].cards {
        card.offset = QueueOffset(card.offset.0 + base);
    }
    scene
}

fn starting() -> Scene {
    let mut scene = mock_scene();
    scene.consumers[0].state = ProcessState::Starting { step: 8 };
    scene.consumers[1].state = ProcessState::Starting { step: 14 };
    scene.followed = None;
    scene
}

fn crashed() -> Scene {
    let mut scene = mock_scene();
    scene.followed = None;
    scene.consumers[0].state = ProcessState::Crashed { at: Millis(NOW.ms() - 5_000) };
    scene.consumers[1].state = ProcessState::Frozen { since: Millis(NOW.ms() - 500) };
    if let Some(pull) = &mut scene.brokers[0].queues[0].pull {
        pull.lost_with = Some("c1".into());
        pull.offset = QueueOffset(20);
    }
    scene.brokers[0].queues[0].held = None;
    let mut third = scene.consumers[1].clone();
    third.process = ProcessIndex(3);
    third.label = "c3".into();
    third.state = ProcessState::Stopped { at: Millis(NOW.ms() - 9_000) };
    scene.consumers.push(third);
    scene
}

fn calls() -> Scene {
    let mut scene = mock_scene();
    scene.followed = None;
    let call = |id: u64, from, to, number, name, direction, batch, queue| Call {
        id: CallId(id),
        from,
        to,
        code: CallCode { number, name },
        direction,
        sent_at: Millis(NOW.ms() - 1),
        arrives_at: Millis(NOW.ms() + 1),
        fate: Fate::Arrives,
        is_copy: false,
        batch,
        queue,
        note: None,
    };
    let (c1, c2, b) = (Party::Consumer(C1), Party::Consumer(C2), Party::Broker(B1));
    let p = Party::Producer(ProcessIndex(0));
    use Direction::{Oneway, Request, Response};
    scene.calls = vec![
        call(1, c2, b, 11, "PULL_MESSAGE", Request, 0, Some(q(1))),
        call(2, b, c1, 11, "PULL_MESSAGE", Response, 3, Some(q(0))),
        call(3, c1, b, 15, "UPDATE_CONSUMER_OFFSET", Oneway, 0, Some(q(0))),
        call(4, c1, Party::NameServer(0), 105, "GET_ROUTEINFO_BY_TOPIC", Request, 0, None),
        call(5, p, b, 310, "SEND_MESSAGE_V2", Request, 1, Some(q(1))),
        call(6, b, Party::NameServer(0), 103, "REGISTER_BROKER", Request, 0, None),
    ];
    scene.calls[2].fate = Fate::Lost;
    scene
}

fn rebalance() -> Scene {
    let mut scene = mock_scene();
    scene.followed = None;
    let labels = |all: &[&str]| all.iter().map(|label| (*label).into()).collect();
    for (place, consumer) in scene.consumers.iter_mut().enumerate() {
        consumer.rebalance = Some(Rebalance {
            strategy: "AVG".into(),
            topic: "order".into(),
            queues: labels(&["q0", "q1", "q2", "q3"]),
            members: labels(&["c1", "c2"]),
            me: Some(place as u32),
            lines: (0..4)
                .map(|queue| AllocationLine { queue, member: queue / 2, is_new: queue > 1 })
                .collect(),
        });
    }
    scene
}

fn many_levels() -> Scene {
    let mut scene = mock_scene();
    scene.followed = None;
    scene.brokers[0].levels = levels();
    for (nth, place) in [(0, 3usize), (1, 4), (2, 6), (3, 17)] {
        let level = &mut scene.brokers[0].levels[place];
        level.cards = (0..=nth)
            .map(|more| {
                let mut card = poison(20 + place as u64, more, MessageState::Delayed, 2);
                card.label = format!("B{more}").as_str().into();
                card
            })
            .collect();
        level.front_since = Millis(NOW.ms() - 1_000);
        level.front_due_at = Some(Millis(NOW.ms() - 1_000 + level.wait.ms()));
    }
    scene
}

/// A message on its first way: sent, stored, pulled, run.
fn first_send() -> Scene {
    let mut scene = mock_scene();
    let followed = scene.followed.as_mut().expect("the mock follows B");
    let card = scene.brokers[0].queues[0].slots[6].clone();
    followed.unique_key = Some(card.unique_key);
    followed.label = card.label.clone();
    let spots = [
        (Spot::Producer(ProcessIndex(0)), Tense::Past, Some(310)),
        (Spot::Slot(q(0), card.offset), Tense::Past, None),
        (Spot::Shelf(C1, q(0), card.offset), Tense::Past, Some(11)),
        (Spot::Seat(C1, Some(1)), Tense::Now, None),
    ];
    followed.stations = spots
        .into_iter()
        .zip(1..)
        .map(|((spot, tense, code), number)| Station {
            number,
            tense,
            spot,
            at: None,
            by_call: code.map(|number| CallCode { number, name: "" }),
        })
        .collect();
    scene.brokers[0].levels = levels();
    for level in &mut scene.brokers[0].levels {
        level.cards.clear();
        level.front_due_at = None;
    }
    let key = card.unique_key;
    scene.consumers[0].workers.seats[1].card.as_mut().expect("busy").unique_key = key;
    scene.consumers[0].shelves[0].cards[0].unique_key = key;
    scene
}

/// The poison message has come to its end.
fn dead() -> Scene {
    let mut scene = mock_scene();
    let broker = &mut scene.brokers[0];
    for level in &mut broker.levels {
        level.cards.clear();
        level.front_due_at = None;
    }
    broker.retry_queues[0].expected = None;
    broker.retry_queues[0].max_offset = QueueOffset(17);
    broker.retry_queues[0].committed = Some(QueueOffset(16));
    broker.retry_queues[0].slots = vec![poison(7, 16, MessageState::SentBack, 16)];
    broker.dead_letters = Some(DeadLetters {
        queue: super::mock_scene::queue("%DLQ%bill", 0),
        group: "bill".into(),
        cards: vec![poison(50, 0, MessageState::Dead, 16)],
        total: 1,
    });
    let followed = scene.followed.as_mut().expect("the mock follows B");
    followed.state = MessageState::Dead;
    followed.stations[2].spot = Spot::DeadLetters(B1);
    followed.stations.truncate(3);
    scene
}

/// The moment of `mock/orderly.html`, near enough: c1 is dead, its lock is not.
fn orderly() -> Scene {
    let mut scene = crashed();
    scene.consumers.truncate(2);
    let lock = |id: u32, owner: &str, left_ms: u64| {
        let expires_at = Millis(NOW.ms() + left_ms);
        BrokerLock {
            queue: q(id),
            label: format!("q{id}").as_str().into(),
            owner: owner.into(),
            renewed_at: expires_at.since(Millis::from_seconds(60)),
            expires_at,
        }
    };
    scene.brokers[0].locks = vec![lock(0, "c1", 37_000), lock(1, "c2", 57_300)];
    scene.brokers[0].retry_queues.clear();
    let c2 = &mut scene.consumers[1];
    c2.state = ProcessState::Running;
    c2.shelves[0].belief = Some(Belief {
        is_locked: true,
        since: Millis(NOW.ms() - 3_000),
        until: Millis(NOW.ms() + 27_000),
        is_wrong: true,
    });
    c2.workers.seats.truncate(1);
    c2.workers.seats[0].holds_mutex = true;
    scene
}
