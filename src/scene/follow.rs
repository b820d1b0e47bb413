//! What the follow view says beside its picture: which queue it shows, why its numbers are what they
//! are, the followed message's journey, and who owns what.

use crate::model::ids::BrokerIndex;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;
use crate::text::StageText;
use crate::text::stage::{StationText, WhyText};

use super::at_broker::{Broker, BrokerLock, Queue};
use super::at_consumer::{Consumer, ProcessState, Shelf};
use super::card::{Label, MessageState};
use super::draw::state_word;
use super::layout::Layout;
use super::namesakes::namesakes;
use super::plan::queue_of;
use super::scene::{Followed, Scene, Spot, Station, Tense};

/// All queues that can be shown, in the order of the stage; of a master and its slave that one's that
/// runs.
pub fn queues(scene: &Scene) -> impl Iterator<Item = &Queue> {
    let brokers = scene.brokers.iter().filter(|broker| is_shown(scene, broker));
    brokers.flat_map(|broker| broker.queues.iter().chain(&broker.retry_queues))
}

/// Of brokers with one name the first that runs, else the first.
fn is_shown(scene: &Scene, broker: &Broker) -> bool {
    let mut named = scene.brokers.iter().filter(|other| other.name == broker.name);
    let first = named.clone().next();
    let shown = named.find(|other| other.is_up).or(first);
    shown.is_some_and(|shown| shown.index == broker.index)
}

/// The broker whose queue is shown.
pub fn broker_of<'a>(scene: &'a Scene, queue: &MessageQueue) -> Option<&'a Broker> {
    let mut brokers = scene.brokers.iter().filter(|broker| is_shown(scene, broker));
    brokers.find(|broker| {
        broker.queues.iter().chain(&broker.retry_queues).any(|known| known.queue == *queue)
    })
}

/// Whoever has a window for the queue: one that runs, else one that is gone.
pub fn reader_of<'a>(scene: &'a Scene, queue: &MessageQueue) -> Option<(&'a Consumer, &'a Shelf)> {
    let mut all = scene.consumers.iter().filter_map(|consumer| {
        let shelf = consumer.shelves.iter().find(|shelf| shelf.queue == *queue)?;
        Some((consumer, shelf))
    });
    let running = all.clone().find(|(consumer, _)| !consumer.is_gone());
    running.or_else(|| all.next())
}

/// The queue of the selected mark, else the first.
pub fn shown_queue(scene: &Scene, layout: &Layout) -> Option<MessageQueue> {
    let is_there = |queue: &MessageQueue| queues(scene).any(|known| known.queue == *queue);
    let selected = layout.spotlight.as_ref().and_then(|mark| queue_of(mark, scene));
    if let Some(queue) = selected.filter(is_there) {
        return Some(queue);
    }
    queues(scene).next().map(|queue| queue.queue.clone())
}

/// One sentence or two on why nobody reads, or why C stands where it stands.
pub fn why(scene: &Scene, queue: &Queue, now: Millis) -> Vec<StageText> {
    let reader = reader_of(scene, &queue.queue);
    let mut said: Vec<StageText> = Vec::new();
    if let Some((broker, ended)) =
        broker_of(scene, &queue.queue).and_then(|it| Some((it, it.ended?)))
    {
        let broker = broker.label();
        said.push(WhyText::BrokerDown { broker, is_killed: ended.is_killed }.into());
    }
    if let Some(slave) = broker_of(scene, &queue.queue).filter(|it| it.is_up && it.broker_id > 0) {
        said.push(WhyText::MasterDown { slave: slave.label() }.into());
    }
    match reader.filter(|(consumer, _)| consumer.is_gone()) {
        Some((consumer, _)) => {
            let process = consumer.label.clone();
            said.push(
                match consumer.state {
                    ProcessState::Stopped { .. } => WhyText::OwnerStopped { process },
                    _ => {
                        WhyText::OwnerCrashed { process, committed: queue.committed.map(|it| it.0) }
                    }
                }
                .into(),
            );
            said.extend(lock_in_the_way(scene, queue, now));
            return said;
        }
        None => said.extend(lock_in_the_way(scene, queue, now)),
    }
    let is_frozen = |it: &Consumer| matches!(it.state, ProcessState::Frozen { .. });
    let has_it = |it: &Consumer| {
        it.shelves.iter().any(|shelf| shelf.queue == queue.queue && !shelf.is_dropped)
    };
    let mut believers = scene.consumers.iter().filter(|it| is_frozen(it) && has_it(it));
    if let Some(believer) = believers.next() {
        let process = believer.label.clone();
        let lock = lock_of(scene, queue, now).filter(|lock| lock.owner != process);
        said.push(
            match lock {
                Some(lock) => {
                    let (owner, renewed_at) = (lock.owner.clone(), lock.renewed_at);
                    WhyText::BelieverFrozen { process, owner, renewed_at }
                }
                None => WhyText::OwnerFrozen { process },
            }
            .into(),
        );
    }
    let is_read = said.iter().all(|it| matches!(it, StageText::Why(WhyText::MasterDown { .. })));
    if is_read {
        said.extend(why_c(scene, queue, reader, now));
    }
    said
}

/// The lock is that of somebody who does not read.
fn lock_in_the_way(scene: &Scene, queue: &Queue, now: Millis) -> Option<StageText> {
    let lock = lock_of(scene, queue, now)?;
    scene.consumers.iter().find(|it| it.label == lock.owner && it.is_gone())?;
    let (owner, until) = (lock.owner.clone(), lock.expires_at);
    let is_refused = |it: &&Consumer| it.refused.iter().any(|it| it.queue == queue.queue);
    let asker = scene.consumers.iter().find(is_refused);
    let asks = asker.and_then(|it| Some((it.label.clone(), it.rebalance_at?)));
    let said = match asks.filter(|(_, asks_at)| *asks_at >= until) {
        Some((asker, asks_at)) => WhyText::LockOfGoneThenAsked { owner, until, asker, asks_at },
        None => WhyText::LockOfGone { owner, left: until.since(now) },
    };
    Some(said.into())
}

fn lock_of<'a>(scene: &'a Scene, queue: &Queue, now: Millis) -> Option<&'a BrokerLock> {
    let mut locks = scene.brokers.iter().flat_map(|broker| &broker.locks);
    locks.find(|lock| lock.queue == queue.queue && lock.expires_at > now)
}

fn nobody_reads(scene: &Scene) -> WhyText {
    let Some((one, other)) = namesakes(scene) else { return WhyText::NobodyReads };
    let (one, client, other) = (&one.label, one.client_id.as_str(), &other.label);
    WhyText::NamesakesLeaveIt { one: one.clone(), other: other.clone(), client: client.into() }
}

fn why_c(
    scene: &Scene,
    queue: &Queue,
    reader: Option<(&Consumer, &Shelf)>,
    now: Millis,
) -> Vec<StageText> {
    let Some(committed) = queue.committed else { return vec![WhyText::NoCommit.into()] };
    let Some((consumer, shelf)) = reader else { return vec![nobody_reads(scene).into()] };
    let process = consumer.label.clone();
    let mut said = Vec::new();
    if let Some((unreported, due)) =
        queue.unreported.as_ref().and_then(|unreported| Some((unreported, unreported.due_at?)))
    {
        said.push(
            WhyText::UntilReported {
                committed: committed.0,
                process: process.clone(),
                offset: unreported.offset.0,
                left: due.since(now),
            }
            .into(),
        );
    }
    match shelf.cards.first() {
        Some(first) => {
            let done = done_behind(shelf.cards.iter().map(|card| (card.offset, card.state)));
            said.push(match done {
                Some(done) => WhyText::HeldBack { done, by: first.offset.0 }.into(),
                None if shelf.belief.is_some() && first.deliveries > 1 => {
                    let (label, nth) = (first.label.clone(), first.deliveries);
                    WhyText::SmallestInOrder { label, nth }.into()
                }
                None => WhyText::Smallest { offset: first.offset.0, process }.into(),
            });
        }
        None if said.is_empty() => said.push(WhyText::AllDone { offset: committed.0 }.into()),
        None => {}
    }
    said
}

/// `18, 19` of those that are done behind the smallest unfinished one.
fn done_behind(cards: impl Iterator<Item = (QueueOffset, MessageState)>) -> Option<Label> {
    let done: Vec<QueueOffset> =
        cards.filter(|(_, state)| state.leaves_a_hole()).map(|(offset, _)| offset).collect();
    let words = match &done[..] {
        [] => return None,
        [first, .., last] if done.len() > 3 => format!("{first} … {last}"),
        few => few.iter().map(QueueOffset::to_string).collect::<Vec<_>>().join(", "),
    };
    Some(words.as_str().into())
}

/// A station of the journey in words.
pub fn station(scene: &Scene, station: &Station) -> StageText {
    let label_of = |queue: &MessageQueue| -> Label {
        let known = queues(scene).find(|known| known.queue == *queue);
        known
            .map_or_else(|| queue.queue_id.to_string().as_str().into(), |queue| queue.label.clone())
    };
    let process_label = |process| -> Label {
        scene.consumer(process).map_or("?".into(), |consumer| consumer.label.clone())
    };
    let broker = |index| scene.broker(index);
    let name = |broker: Option<&Broker>| -> Label {
        broker.map_or("broker".into(), |broker| broker.name.as_str().into())
    };
    let number = station.by_call.map(|code| code.number);
    StageText::Station(match &station.spot {
        Spot::Producer(process) => {
            let producer = scene.producers.iter().find(|producer| producer.process == *process);
            let producer = producer.map_or("?".into(), |producer| producer.label.clone());
            StationText::SentBy { producer }
        }
        Spot::Gate(index) => StationText::Enters { number, broker: name(broker(*index)) },
        Spot::Slot(queue, offset) => {
            StationText::InQueue { queue: label_of(queue), offset: offset.0 }
        }
        Spot::Bench(queue) => StationText::WithPull { queue: label_of(queue) },
        Spot::Level(index, level) => {
            let levels = broker(*index).map_or(&[][..], |broker| &broker.levels);
            let wait = levels.iter().find(|known| known.level == *level).map(|known| known.wait);
            StationText::AtLevel { level: *level, wait: wait.unwrap_or_default() }
        }
        Spot::DeadLetters(_) => StationText::InDeadLetters { topic: dead_letter_topic(scene) },
        Spot::Shelf(process, queue, offset) => StationText::OnShelf {
            process: process_label(*process),
            queue: label_of(queue),
            offset: offset.0,
        },
        Spot::Seat(process, _) => StationText::AtWorker {
            process: process_label(*process),
            is_past: station.tense == Tense::Past,
        },
        Spot::At(fixture) => unreachable!("no message stops at {fixture:?}"),
    })
}

fn dead_letter_topic(scene: &Scene) -> Label {
    let group = scene.group.as_ref();
    group.map_or("%DLQ%".into(), |group| crate::model::topic::dlq_topic(group).as_str().into())
}

/// The followed message in one line, and until when that holds.
pub fn followed(scene: &Scene) -> Option<(StageText, Option<Millis>)> {
    let followed = scene.followed.as_ref().filter(|it| it.unique_key.is_some())?;
    let now = followed.stations.iter().find(|station| station.tense == Tense::Now);
    let label = followed.label.clone();
    let said = match now.map(|station| &station.spot) {
        Some(Spot::Level(index, level)) if down_broker(scene, *index).is_some() => {
            let broker = down_broker(scene, *index).map_or("broker".into(), Broker::label);
            WhyText::WaitsForMaster { label, level: *level, broker }
        }
        Some(Spot::Level(_, level)) => {
            let topic = scene.group.as_ref().map(crate::model::topic::retry_topic);
            let topic = topic.map_or("%RETRY%".into(), |topic| topic.as_str().into());
            WhyText::WaitsThenGoes { label, level: *level, topic }
        }
        Some(Spot::DeadLetters(_)) => WhyText::IsDead { label, topic: dead_letter_topic(scene) },
        Some(Spot::Seat(process, _)) if followed.state == MessageState::Running => {
            let consumer = scene.consumer(*process);
            let process = consumer.map_or("?".into(), |consumer| consumer.label.clone());
            let running = scene.cards().filter(|card| Some(card.unique_key) == followed.unique_key);
            let nth = running.map(|card| card.deliveries).max().unwrap_or(0);
            WhyText::IsRunning { label, process, nth }
        }
        _ => WhyText::IsNow { label, state: state_word(followed.state) },
    };
    Some((said.into(), due(scene, followed)))
}

fn down_broker(scene: &Scene, index: BrokerIndex) -> Option<&Broker> {
    scene.broker(index).filter(|broker| !broker.is_up)
}

/// When a followed message's wait ends, if it waits at a level.
fn due(scene: &Scene, followed: &Followed) -> Option<Millis> {
    let now = followed.stations.iter().find(|station| station.tense == Tense::Now)?;
    let Spot::Level(index, number) = &now.spot else { return None };
    let levels = &scene.broker(*index)?.levels;
    levels.iter().find(|level| level.level == *number)?.front_due_at
}
