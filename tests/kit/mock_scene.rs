//! The moment of `mock/stage.html` as a scene: the poison message B waits at level 4, T+00:20.350.

use std::rc::Rc;

use rocketmq_playground::model::ids::{
    BrokerIndex, BrokerName, ClientId, GroupName, ProcessIndex, ProcessQueueId, QueueId, TopicName,
    UniqueKey,
};
use rocketmq_playground::model::message::MessageId;
use rocketmq_playground::model::message_queue::MessageQueue;
use rocketmq_playground::model::offset::{PhysicalOffset, QueueOffset};
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::scene::at_broker::*;
use rocketmq_playground::scene::at_consumer::*;
use rocketmq_playground::scene::card::{Card, MessageState};
use rocketmq_playground::scene::company::Company;
use rocketmq_playground::scene::mark::MarkId;
use rocketmq_playground::scene::scene::*;

pub const NOW: Millis = Millis(20_350);
pub const C1: ProcessIndex = ProcessIndex(1);
pub const C2: ProcessIndex = ProcessIndex(2);
pub const B1: BrokerIndex = BrokerIndex(0);
/// B's unique key.
pub const POISON: UniqueKey = UniqueKey(2);

/// The wait of each delay level, seconds.
const WAITS: [u64; 18] =
    [1, 5, 10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200];

pub fn queue(topic: &str, id: u32) -> MessageQueue {
    MessageQueue::new(TopicName::new(topic), BrokerName::new("broker-a"), QueueId(id))
}

pub fn q(id: u32) -> MessageQueue {
    queue("order", id)
}

pub fn r0() -> MessageQueue {
    queue("%RETRY%bill", 0)
}

/// A record of `queue`; its physical offset is made of both so that it is unique.
pub fn card(queue: u64, label: &str, offset: i64, state: MessageState) -> Card {
    let physical = queue * 1_000_000 + offset as u64 * 256;
    Card {
        copy: MessageId {
            broker_name: BrokerName::new("broker-a"),
            physical_offset: PhysicalOffset(physical),
        },
        unique_key: UniqueKey(1_000 + physical),
        label: label.into(),
        offset: QueueOffset(offset),
        state,
        failures: 0,
        deliveries: 1,
    }
}

pub fn poison(queue: u64, offset: i64, state: MessageState, failures: u32) -> Card {
    let card = card(queue, "B", offset, state);
    Card { unique_key: POISON, failures, deliveries: failures, ..card }
}

fn slots(queue: u64, offsets: std::ops::Range<i64>) -> Vec<Card> {
    let card = |offset| card(queue, &format!("m{offset}"), offset, MessageState::Stored);
    offsets.map(card).collect()
}

pub fn mock_scene() -> Scene {
    Scene {
        group: Some(GroupName::new("bill")),
        name_servers: vec![NameServer { index: 0, is_up: true, topics: 2 }],
        producers: vec![producer()],
        brokers: vec![broker()],
        cuts: Vec::new(),
        calls: Vec::new(),
        consumers: vec![c1(), c2()],
        followed: Some(followed()),
        company: Company::default(),
        real_deliveries: Vec::new(),
    }
}

fn producer() -> Producer {
    Producer {
        process: ProcessIndex(0),
        client_id: ClientId::new("10.0.0.1@1"),
        label: "p1".into(),
        is_up: true,
        next: vec![NextSend {
            label: "H".into(),
            queue: Some("q1".into()),
            at: Millis(NOW.ms() + 600),
        }],
        sent: 38,
    }
}

fn broker() -> Broker {
    let log = |queue: u64, label: &str, name: &str, offset| LogRecord {
        copy: card(queue, label, offset, MessageState::Stored).copy,
        label: label.into(),
        queue: name.into(),
        is_dispatched: true,
    };
    Broker {
        index: B1,
        name: BrokerName::new("broker-a"),
        broker_id: 0,
        is_frozen: false,
        is_writable: true,
        slow_by: Millis::ZERO,
        is_up: true,
        ended: None,
        commit_log: CommitLog {
            records: vec![
                log(0, "D", "q0", 20),
                log(0, "E", "q0", 21),
                log(1, "G", "q1", 12),
                log(0, "m", "q0", 22),
            ],
            total: 41,
        },
        queues: vec![q0(), q1()],
        retry_queues: vec![retry()],
        levels: levels(),
        dead_letters: None,
        ledger: [(q(0), "q0", 16), (q(1), "q1", 11), (r0(), "r0", 1)]
            .map(|(queue, label, offset)| BrokerLedgerRow {
                queue,
                label: label.into(),
                offset: QueueOffset(offset),
            })
            .to_vec(),
        ledger_is_saved: true,
        members: vec!["c1".into(), "c2".into()],
        locks: Vec::new(),
    }
}

fn held(process: ProcessIndex, queue: MessageQueue, next: i64, left_ms: u64) -> Option<HeldPull> {
    let until = Millis(NOW.ms() + left_ms);
    let since = until.since(Millis::from_seconds(15));
    Some(HeldPull { process, queue, next_offset: QueueOffset(next), since, until })
}

fn q0() -> Queue {
    Queue {
        queue: q(0),
        kind: QueueKind::Normal,
        label: "q0".into(),
        min_offset: QueueOffset(0),
        max_offset: QueueOffset(23),
        slots: slots(0, 11..23),
        committed: Some(QueueOffset(16)),
        unreported: Some(Unreported {
            offset: QueueOffset(17),
            due_at: Some(Millis(NOW.ms() + 4_700)),
        }),
        pull: Some(PullMark { process: C1, offset: QueueOffset(23), lost_with: None }),
        oldest_unfinished_since: Some(Millis(NOW.ms() - 9_300)),
        reader: Some("c1".into()),
        held: held(C1, q(0), 23, 12_000),
        expected: None,
    }
}

fn q1() -> Queue {
    Queue {
        queue: q(1),
        kind: QueueKind::Normal,
        label: "q1".into(),
        min_offset: QueueOffset(0),
        max_offset: QueueOffset(15),
        slots: slots(1, 3..15),
        committed: Some(QueueOffset(11)),
        unreported: None,
        pull: Some(PullMark { process: C2, offset: QueueOffset(13), lost_with: None }),
        oldest_unfinished_since: None,
        reader: Some("c2".into()),
        held: None,
        expected: None,
    }
}

fn retry() -> Queue {
    Queue {
        queue: r0(),
        kind: QueueKind::Retry,
        label: "r0".into(),
        min_offset: QueueOffset(0),
        max_offset: QueueOffset(1),
        slots: vec![poison(7, 0, MessageState::SentBack, 1)],
        committed: Some(QueueOffset(1)),
        unreported: None,
        pull: Some(PullMark { process: C1, offset: QueueOffset(1), lost_with: None }),
        oldest_unfinished_since: None,
        reader: Some("c1".into()),
        held: held(C1, r0(), 1, 6_700),
        expected: Some(poison(8, 0, MessageState::Delayed, 2)),
    }
}

pub fn levels() -> Vec<DelayLevel> {
    let due = Millis(NOW.ms() + 23_800);
    WAITS
        .iter()
        .zip(1..)
        .map(|(&seconds, level)| DelayLevel {
            level,
            wait: Millis::from_seconds(seconds),
            cards: match level {
                4 => vec![poison(8, 0, MessageState::Delayed, 2)],
                _ => Vec::new(),
            },
            front_since: due.since(Millis::from_seconds(30)),
            front_due_at: (level == 4).then_some(due),
        })
        .collect()
}

fn consumer(process: ProcessIndex, label: &str) -> Consumer {
    Consumer {
        process,
        client_id: ClientId::new(format!("10.0.0.{}@7", process.0 + 1)),
        group: GroupName::new("bill"),
        label: label.into(),
        state: ProcessState::Running,
        pulls: Vec::new(),
        shelves: Vec::new(),
        is_broadcasting: false,
        refused: Vec::new(),
        workers: Workers::default(),
        ledger: Vec::new(),
        report_at: Some(Millis(NOW.ms() + 4_700)),
        rebalance: None,
        rebalance_at: Some(Millis(40_000)),
    }
}

fn shuttle(queue: MessageQueue, label: &str, next: i64, place: PullPlace) -> Shuttle {
    Shuttle { queue, label: label.into(), next_offset: QueueOffset(next), place }
}

fn shelf(id: u32, queue: MessageQueue, label: &str, cards: Vec<Card>) -> Shelf {
    let there = |card: &&Card| !card.state.leaves_a_hole();
    let count = cards.iter().filter(there).count() as u64;
    let span = match (cards.first(), cards.last()) {
        (Some(first), Some(last)) => (last.offset.0 - first.offset.0) as u64,
        _ => 0,
    };
    Shelf {
        process_queue: ProcessQueueId(id),
        queue,
        label: label.into(),
        finished: Vec::new(),
        cards,
        count,
        bytes: count * 200,
        span,
        span_limit: 7,
        count_limit: 1000,
        is_dropped: false,
        belief: None,
    }
}

fn seat(index: u32, card: Card, queue: &str, since_ms: u64, takes_ms: u64) -> Seat {
    Seat {
        index,
        card: Some(card),
        batch: 1,
        queue: queue.into(),
        since: Millis(NOW.ms() - since_ms),
        takes: Some(Millis(takes_ms)),
        holds_mutex: false,
    }
}

fn c1() -> Consumer {
    use MessageState::{Done, Running, Waiting};
    let on_shelf = vec![
        card(0, "C", 17, Running),
        card(0, "m18", 18, Done),
        card(0, "m19", 19, Done),
        card(0, "D", 20, Running),
        card(0, "E", 21, Running),
        card(0, "m22", 22, Waiting),
    ];
    let ledger = |queue, label: &str, offset, is_dirty| ConsumerLedgerRow {
        queue,
        label: label.into(),
        offset: QueueOffset(offset),
        is_dirty,
    };
    Consumer {
        pulls: vec![
            shuttle(q(0), "q0", 23, PullPlace::Bench),
            shuttle(r0(), "r0", 1, PullPlace::Bench),
        ],
        shelves: vec![shelf(1, q(0), "q0", on_shelf.clone()), shelf(3, r0(), "r0", Vec::new())],
        workers: Workers {
            size: 3,
            seats: vec![
                seat(0, on_shelf[3].clone(), "q0", 2_100, 6_000),
                seat(1, on_shelf[0].clone(), "q0", 9_300, 10_000),
                seat(2, on_shelf[4].clone(), "q0", 200, 4_000),
            ],
            busy: 3,
            waiting: 1,
            waiting_cards: vec![on_shelf[5].clone()],
        },
        ledger: vec![ledger(q(0), "q0", 17, true), ledger(r0(), "r0", 1, false)],
        ..consumer(C1, "c1")
    }
}

fn c2() -> Consumer {
    let f = card(1, "F", 11, MessageState::Running);
    let g = card(1, "G", 12, MessageState::Running);
    Consumer {
        pulls: vec![shuttle(q(1), "q1", 13, PullPlace::Seat)],
        shelves: vec![shelf(2, q(1), "q1", vec![f.clone(), g.clone()])],
        workers: Workers {
            size: 2,
            seats: vec![seat(0, f, "q1", 3_000, 6_000), seat(1, g, "q1", 1_000, 5_000)],
            busy: 2,
            waiting: 0,
            waiting_cards: Vec::new(),
        },
        ledger: vec![ConsumerLedgerRow {
            queue: q(1),
            label: "q1".into(),
            offset: QueueOffset(11),
            is_dirty: false,
        }],
        ..consumer(C2, "c2")
    }
}

fn followed() -> Followed {
    let send_back = CallCode { number: 36, name: "CONSUMER_SEND_MSG_BACK" };
    let station = |number, tense, spot, at: u64| Station {
        number,
        tense,
        spot,
        at: Some(Millis(at)),
        by_call: None,
    };
    let mut stations = vec![
        station(1, Tense::Past, Spot::Seat(C1, None), 14_148),
        station(2, Tense::Past, Spot::Gate(B1), 14_150),
        station(3, Tense::Now, Spot::Level(B1, 4), 14_150),
        station(4, Tense::Next, Spot::Slot(r0(), QueueOffset(1)), 44_150),
        station(5, Tense::Next, Spot::Seat(C1, None), 44_151),
    ];
    stations[1].by_call = Some(send_back);
    Followed {
        mark: MarkId::Message(POISON),
        unique_key: Some(POISON),
        label: Rc::from("B"),
        state: MessageState::Delayed,
        failures: 2,
        stations,
    }
}
