//! From an event to its beat, if it is one: who goes from where to where.
//!
//! Only the event with which something changes for whoever watches makes a beat; what led to it within
//! its moment ([`Roots`]) says by which way it came about. All others are gathered by the beat that
//! follows or ends them, or lie in the background.

use std::collections::BTreeMap;

use super::deed::of_deed;
use super::draft::Draft;
use super::life::of_life;
use super::roots::{Roots, broker_of, process_of, stored};
use super::{Beat, BeatKind, Mover, Picture, Place};
use crate::model::ids::{ProcessIndex, UniqueKey};
use crate::model::message::{MessageId, StoredMessage};
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::model::topic::{SCHEDULE_TOPIC, is_dlq_topic, is_retry_topic};
use crate::recording::Recording;
use crate::scene::importance::Importance;
use crate::scene::mark::{MarkId, TokenId};
use crate::scene::scene::{Fixture, Spot};
use crate::sim::event::{ConsumeOutcome, Event, EventKind, EventSequence, PullStatus};
use crate::sim::packet::{Machine, RequestCode};

/// What led to a beat within so long is gathered by it.
const HEAD: Millis = Millis::new(20);

/// A person's act is one of the changes that one should see, whatever it is.
const OWN: Importance = 2;

/// What a reader must remember of the events before.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The records of each queue by their offsets, for whatever names them by offset only.
    records: BTreeMap<MessageQueue, BTreeMap<i64, (MessageId, UniqueKey)>>,
}

impl Reader {
    /// The beat that this event makes, without its time; `None` if it makes none. `judged` holds the
    /// importance of every event up to this one, `after` the first event that no beat has yet.
    pub fn read(
        &mut self,
        event: &Event,
        judged: &[Importance],
        after: EventSequence,
        recording: &Recording,
    ) -> Option<Beat> {
        self.note(event);
        let importance = |of: &Event| judged.get(of.sequence as usize).copied().unwrap_or(0);
        let own = importance(event);
        if own == 0 {
            return self.background(event);
        }
        let roots = Roots::of(event, recording);
        let draft = self.draft(event, &roots).or_else(|| of_deed(event, recording))?;
        let is_near = |root: &Event| root.sequence >= after && root.at + HEAD >= event.at;
        let gathered = || roots.iter().filter(|root| is_near(root));
        let is_own = gathered().chain([event]).any(|of| is_of_a_person(of, recording));
        let most = gathered().map(importance).max().unwrap_or(0).max(own);
        let mut beat = draft.beat(event, if is_own { most.max(OWN) } else { most });
        beat.is_own = is_own;
        for mark in &mut beat.lit {
            as_producer(mark, recording);
        }
        let first = gathered().map(|root| root.sequence).min().unwrap_or(event.sequence);
        beat.first = first;
        let root = recording.event(first).unwrap_or(event);
        (beat.begins_at, beat.first_task) = (root.at, root.task);
        Some(beat)
    }

    fn note(&mut self, event: &Event) {
        let EventKind::ConsumeQueueAppended { message } = &event.kind else { return };
        let record = (message.message_id(), message.body.unique_key);
        let queue = self.records.entry(queue_of(message)).or_default();
        queue.insert(message.queue_offset.0, record);
    }

    /// What is background for its importance, but brings messages to somebody.
    fn background(&mut self, event: &Event) -> Option<Beat> {
        let process = process_of(event)?;
        let EventKind::PullAnswered {
            queue, status: PullStatus::Found, found, next_offset, ..
        } = &event.kind
        else {
            return None;
        };
        let token = TokenId::Pull(process, queue.clone());
        let mut draft = Draft::new(BeatKind::Answer, pull_mark(process, queue))
            .lit(MarkId::Consumer(process))
            .moving(Mover::from_spot(token, Spot::Bench(queue.clone())))
            .plated(RequestCode::PullMessage);
        draft.count = (*found).max(1);
        let brought = next_offset.0 - i64::from(*found)..next_offset.0;
        let brought = brought.take(4).filter_map(|offset| self.record(queue, offset));
        let keys: Vec<UniqueKey> = brought.map(|(_, key)| *key).collect();
        draft.message = keys.first().copied();
        Some(Beat { carries: keys, ..draft.beat(event, 1) })
    }

    fn record(&self, queue: &MessageQueue, offset: i64) -> Option<&(MessageId, UniqueKey)> {
        self.records.get(queue)?.get(&offset)
    }

    fn draft(&mut self, event: &Event, roots: &Roots<'_>) -> Option<Draft> {
        use EventKind as K;
        match &event.kind {
            K::ConsumeQueueAppended { message } => appended(event, message, roots),
            K::PullWoken { queue, by_arrival: true, .. } => woken(queue, roots),
            K::PullSuspended { queue, .. } => suspended(queue, roots),
            K::MessagesCached { queue, first, count, .. } => {
                self.cached((process_of(event)?, queue), first.0, *count)
            }
            K::ConsumeStarted { message, client_thread, .. } => {
                let process = process_of(event)?;
                let copy = message.message_id();
                let seat = TokenId::Seated(process, copy.clone());
                let from = Place::Token(TokenId::Shelved(process, copy));
                let worker = MarkId::Worker { process, index: *client_thread };
                let draft = Draft::new(BeatKind::Seat, MarkId::Consumer(process)).lit(worker);
                Some(draft.moving(Mover::of(seat, from)).about(message))
            }
            K::ConsumeEnded { message, outcome, client_thread, .. } => {
                let process = process_of(event)?;
                let kind = match outcome {
                    ConsumeOutcome::Failed => BeatKind::Fail,
                    _ => BeatKind::Done,
                };
                let worker = MarkId::Worker { process, index: *client_thread };
                let draft = Draft::new(kind, MarkId::Consumer(process)).lit(worker);
                let copy = MarkId::Copy(message.message_id());
                let queue = MarkId::Queue(queue_of(message));
                Some(draft.lit(copy).lit(queue).about(message))
            }
            K::OffsetCommitted { queue, to, .. } => committed(event, queue, to.0, roots),
            K::PullPostponed { queue, .. } => {
                let process = process_of(event)?;
                let token = TokenId::Pull(process, queue.clone());
                let from = Place::Spot(Spot::At(Fixture::Belt(process, queue.clone())));
                let draft = Draft::new(BeatKind::PutOff, pull_mark(process, queue));
                let draft = draft.lit(MarkId::Consumer(process));
                Some(draft.moving(Mover::of(token, from)))
            }
            K::RequestSent { code: RequestCode::NotifyConsumerIdsChanged, to, .. } => {
                notice(event, *to)
            }
            _ => of_group(event, roots).or_else(|| of_life(event)),
        }
    }

    fn cached(
        &self,
        (process, queue): (ProcessIndex, &MessageQueue),
        first: i64,
        count: u32,
    ) -> Option<Draft> {
        let mut draft = Draft::new(BeatKind::Shelve, MarkId::Consumer(process));
        let from = Place::Spot(Spot::At(Fixture::Belt(process, queue.clone())));
        for offset in first..first + i64::from(count.min(super::crowd::MOST_MOVERS as u32)) {
            let Some((copy, key)) = self.record(queue, offset) else { continue };
            let shelved = TokenId::Shelved(process, copy.clone());
            draft = draft.moving(Mover::of(shelved, from.clone()));
            draft.message.get_or_insert(*key);
        }
        draft.count = count;
        draft.is_together = true;
        Some(draft)
    }
}

/// A process that only sends is drawn as a producer.
fn as_producer(mark: &mut MarkId, recording: &Recording) {
    let MarkId::Consumer(process) = *mark else { return };
    let client = recording.head().world().client(process);
    if client.consumers.is_empty() && !client.producers.is_empty() {
        *mark = MarkId::Producer(process);
    }
}

/// Whether this is what a visitor did, and not a line of the scenario's script.
fn is_of_a_person(event: &Event, recording: &Recording) -> bool {
    let script = recording.start().script.len() as u32;
    matches!(event.kind, EventKind::CommandApplied { index } if index >= script)
}

/// Who reads what, and who holds which lock.
fn of_group(event: &Event, roots: &Roots<'_>) -> Option<Draft> {
    use EventKind as K;
    Some(match &event.kind {
        K::ClientRegistered { process, .. } => {
            let from = Place::Mark(MarkId::Consumer(*process));
            let to = Place::Spot(Spot::At(Fixture::Members(broker_of(event)?)));
            let plate = Picture::Plate(RequestCode::HeartBeat.number());
            Draft::new(BeatKind::Join, MarkId::Consumer(*process))
                .moving(Mover::new(plate, from, to))
        }
        K::Allocated { topic, .. } if !is_retry_topic(topic) => {
            Draft::new(BeatKind::Deal, MarkId::Rebalance(process_of(event)?))
        }
        K::QueueAssigned { queue, .. } => {
            let process = process_of(event)?;
            let (owner, tab) = ends(process, queue);
            Draft::new(BeatKind::Catch, MarkId::Consumer(process))
                .lit(MarkId::Queue(queue.clone()))
                .moving(Mover::new(Picture::Name(queue.clone()), owner, tab))
        }
        K::QueueDropped { queue, .. } => {
            let process = process_of(event)?;
            let (owner, tab) = ends(process, queue);
            Draft::new(BeatKind::LetGo, MarkId::Consumer(process))
                .lit(MarkId::Queue(queue.clone()))
                .moving(Mover::new(Picture::Name(queue.clone()), tab, owner))
        }
        K::QueueLocked { queue, renewed: false, .. } => {
            knock(BeatKind::Grant, queue, roots.caller(RequestCode::LockBatchMq))
        }
        K::QueueLockRefused { queue, .. } => {
            knock(BeatKind::Refuse, queue, roots.caller(RequestCode::LockBatchMq))
        }
        K::QueueUnlocked { queue, .. } => {
            knock(BeatKind::Unlock, queue, roots.caller(RequestCode::UnlockBatchMq))
        }
        K::LockBelieved { queue, .. } => {
            let process = process_of(event)?;
            Draft::new(BeatKind::Belief, MarkId::Belief { process, queue: queue.clone() })
                .lit(MarkId::Queue(queue.clone()))
        }
        _ => return None,
    })
}

/// An arrival frees a held pull: a line goes there, and then a copy.
fn woken(queue: &MessageQueue, roots: &Roots<'_>) -> Option<Draft> {
    let arrived = roots.find(|root| match &root.kind {
        EventKind::ConsumeQueueAppended { message } => Some(message),
        _ => None,
    })?;
    let (from, to) = (Place::Token(stored(arrived)), Place::Spot(Spot::Bench(queue.clone())));
    let copy = Mover::new(Picture::Token(stored(arrived)), from.clone(), to.clone()).copying();
    let mut draft = Draft::new(BeatKind::Wake, MarkId::Queue(queue.clone()));
    draft.cause = Some((from, to));
    Some(draft.moving(copy).about(arrived))
}

/// A pull goes out, finds nothing and is held.
fn suspended(queue: &MessageQueue, roots: &Roots<'_>) -> Option<Draft> {
    let process = roots.caller(RequestCode::PullMessage)?;
    let token = TokenId::Pull(process, queue.clone());
    let from = Place::Spot(Spot::At(Fixture::Belt(process, queue.clone())));
    let to = Place::Spot(Spot::Bench(queue.clone()));
    let draft =
        Draft::new(BeatKind::Loop, pull_mark(process, queue)).lit(MarkId::Consumer(process));
    let mover = Mover::new(Picture::Token(token), from, to);
    Some(draft.moving(mover).plated(RequestCode::PullMessage))
}

/// Where a queue's name stands at the broker, and where at whoever reads it.
fn ends(process: ProcessIndex, queue: &MessageQueue) -> (Place, Place) {
    let at = |fixture| Place::Spot(Spot::At(fixture));
    (at(Fixture::Owner(queue.clone())), at(Fixture::Tab(process, queue.clone())))
}

/// A record became visible in its queue: by which way it came, its topic and its roots say.
fn appended(event: &Event, message: &StoredMessage, roots: &Roots<'_>) -> Option<Draft> {
    let token = stored(message);
    let topic = message.topic.as_str();
    let place = match topic {
        SCHEDULE_TOPIC => MarkId::Broker(broker_of(event)?),
        _ if is_dlq_topic(&message.topic) => MarkId::DeadLetters(queue_of(message)),
        _ => MarkId::Queue(queue_of(message)),
    };
    let (kind, from, code) = if let Some(before) = roots.elapsed() {
        let kind = if is_dlq_topic(&message.topic) { BeatKind::Bury } else { BeatKind::Return };
        (kind, Place::Token(stored(before)), None)
    } else if let Some(process) = roots.caller(RequestCode::ConsumerSendMsgBack) {
        let is_dead = is_dlq_topic(&message.topic);
        let kind = if is_dead { BeatKind::Bury } else { BeatKind::SendBack };
        let from = match roots.origin() {
            Some(origin) => Place::Token(TokenId::Seated(process, origin.message_id())),
            None => Place::Mark(MarkId::Consumer(process)),
        };
        (kind, from, Some(RequestCode::ConsumerSendMsgBack))
    } else if let Some(process) = roots.producer() {
        (BeatKind::Send, Place::Spot(Spot::Producer(process)), Some(RequestCode::SendMessageV2))
    } else {
        // A consumer's plain send to the retry queue, when its send-back has failed.
        let process = roots.caller(RequestCode::SendMessageV2)?;
        (
            BeatKind::SendBack,
            Place::Mark(MarkId::Consumer(process)),
            Some(RequestCode::SendMessageV2),
        )
    };
    let mut draft = Draft::new(kind, place).moving(Mover::of(token, from)).about(message);
    draft.plate = code.map(RequestCode::number);
    if let Some(waited) = roots.elapsed() {
        // Its ring and its time stand at its level: queue n of the topic is level n + 1.
        let (broker, level) = (broker_of(event)?, waited.queue_id.0 + 1);
        draft = draft.lit(MarkId::DelayLevel { broker, level });
    }
    Some(draft)
}

/// C moves at the broker: by a report of its own, or carried by a pull.
fn committed(event: &Event, queue: &MessageQueue, offset: i64, roots: &Roots<'_>) -> Option<Draft> {
    let broker = broker_of(event)?;
    let draft = Draft::new(BeatKind::Report, MarkId::Queue(queue.clone()));
    let Some((process, by_pull)) = roots.reporter() else { return Some(draft) };
    let at = |fixture| Place::Spot(Spot::At(fixture));
    let from = at(Fixture::Offsets(process, Some(queue.clone())));
    let to = at(Fixture::BrokerOffsets(broker, Some(queue.clone())));
    let slip = Picture::Slip { queue: queue.clone(), offset };
    let code = match by_pull {
        true => RequestCode::PullMessage,
        false => RequestCode::UpdateConsumerOffset,
    };
    Some(draft.moving(Mover::new(slip, from, to)).plated(code))
}

fn notice(event: &Event, to: Machine) -> Option<Draft> {
    let broker = broker_of(event)?;
    let Machine::Client(process) = to else { return None };
    let plate = Picture::Plate(RequestCode::NotifyConsumerIdsChanged.number());
    let from = Place::Spot(Spot::At(Fixture::Members(broker)));
    let to = Place::Spot(Spot::At(Fixture::Consumer(process)));
    let mut draft = Draft::new(BeatKind::Notice, MarkId::Broker(broker));
    draft.is_together = true;
    Some(draft.lit(MarkId::Consumer(process)).moving(Mover::new(plate, from, to)))
}

/// A consumer asks for a lock: the plate goes there, and what the broker said comes after it.
fn knock(kind: BeatKind, queue: &MessageQueue, by: Option<ProcessIndex>) -> Draft {
    let lock = MarkId::Lock(queue.clone());
    let draft = Draft::new(kind, lock.clone()).lit(MarkId::Queue(queue.clone()));
    let Some(process) = by else { return draft };
    let code = match kind {
        BeatKind::Unlock => RequestCode::UnlockBatchMq,
        _ => RequestCode::LockBatchMq,
    };
    let (from, to) = (
        Place::Spot(Spot::At(Fixture::Tab(process, queue.clone()))),
        Place::Spot(Spot::At(Fixture::Lock(queue.clone()))),
    );
    let ask = Mover::new(Picture::Plate(code.number()), from.clone(), to.clone());
    let mut draft = draft.lit(MarkId::Consumer(process)).moving(ask);
    if kind != BeatKind::Unlock {
        let is_granted = kind == BeatKind::Grant;
        let verdict = Picture::Verdict { number: code.number(), is_granted };
        draft = draft.moving(Mover::new(verdict, to, from));
        draft.count = 2;
    }
    draft
}

pub(super) fn pull_mark(process: ProcessIndex, queue: &MessageQueue) -> MarkId {
    MarkId::Pull { process, queue: queue.clone() }
}

fn queue_of(message: &StoredMessage) -> MessageQueue {
    MessageQueue::new(message.topic.clone(), message.broker_name.clone(), message.queue_id)
}
