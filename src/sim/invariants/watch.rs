//! What the checks remember of a run: folded from its events, one after the other.
//!
//! A check that compares a fact with an earlier one reads it here *before* the new fact is folded in.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub use super::broker_watch::BrokerWatch;
use super::broker_watch::lose_tail;
use super::history::{Histories, Subscriptions, queue_of};
use super::scope::{is_bent, is_fault};
use super::seat::window_of_call;
pub use super::seat::{RunningCall, Seat, SeatKey};
use crate::model::ids::{
    BrokerIndex, BrokerName, CallId, ClientId, GroupName, ProcessIndex, ProcessQueueId, QueueId,
    TopicName,
};
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::model::topic::is_retry_topic;
use crate::sim::Simulation;
use crate::sim::client::ClientInstance;
use crate::sim::event::{
    Actor, ConsumeOutcome, DropReason, Event, EventKind, EventSequence, RequestDetail, Trigger,
};
use crate::sim::packet::{Machine, RequestCode, ResponseCode};

/// What one client last computed for one topic.
#[derive(Clone, Debug)]
pub struct Share {
    pub queues: Rc<[MessageQueue]>,
    pub members: Rc<[ClientId]>,
    pub mine: Rc<[MessageQueue]>,
}

#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub last_at: Millis,
    pub next_sequence: EventSequence,
    /// The first fault: from here on the checks of scope "without faults" are silent.
    pub fault: Option<EventSequence>,
    /// The first doubled or held packet: from here on the checks of scope "once, in order" are.
    pub bent: Option<EventSequence>,
    /// Records of a broker were lost: offsets may be given twice.
    pub data_lost: bool,
    /// Groups whose offsets were moved by hand, by a reset or by a repair.
    pub moved_by_hand: BTreeSet<GroupName>,
    /// Groups that two processes of the same client id are in: each takes the other's share for its own
    /// (spec 02.4.1), and they hold each other's locks.
    pub twins: BTreeSet<GroupName>,
    /// Queues that were given up because their topic is no longer subscribed: their offset is neither
    /// reported nor forgotten then (spec 02.3).
    pub unsubscribed: BTreeSet<(GroupName, MessageQueue)>,
    /// Queues whose window a client-side reset dropped and cleared: a pull of it that is still on its way moves
    /// the offset in memory when its empty answer comes, whoever owns the queue then (spec 03.4, 03.7).
    pub reset: BTreeSet<(GroupName, MessageQueue)>,
    /// Orderly groups whose order may break as spec 06.8 says.
    pub order_exempt: BTreeSet<GroupName>,
    pub brokers: BTreeMap<BrokerIndex, BrokerWatch>,
    pub seats: BTreeMap<SeatKey, Seat>,
    pub pulls: BTreeMap<CallId, SeatKey>,
    pub running: BTreeMap<(ProcessIndex, GroupName, u32), RunningCall>,
    /// When the last pass of a client ended.
    pub pass_ended: BTreeMap<ProcessIndex, Millis>,
    pub shares: BTreeMap<(ProcessIndex, GroupName, TopicName), Share>,
    pub stopping: BTreeSet<(ProcessIndex, GroupName)>,
    /// When a consumer of the group was last asked to stop.
    pub last_stop: BTreeMap<GroupName, Millis>,
    /// Groups whose client has said goodbye to a broker in shutdown().
    pub leaving: BTreeSet<(ProcessIndex, GroupName)>,
    pub histories: Histories,
    pub subscriptions: Subscriptions,
}

impl Watch {
    pub fn new(simulation: &Simulation) -> Watch {
        let mut watch = Watch::default();
        for broker in &simulation.world().brokers {
            let of_broker = watch.brokers.entry(broker.index).or_default();
            for (topic, config) in &broker.topic_config {
                if is_retry_topic(topic) {
                    of_broker.retry_queues.insert(topic.clone(), config.write_queue_nums);
                }
            }
        }
        watch
    }

    /// Folds one event in. `simulation` is as its task left it.
    pub fn see(&mut self, event: &Event, simulation: &Simulation) {
        self.last_at = event.at;
        self.next_sequence = event.sequence + 1;
        if self.fault.is_none() && is_fault(&event.kind) {
            self.fault = Some(event.sequence);
        }
        if self.bent.is_none() && is_bent(&event.kind) {
            self.bent = Some(event.sequence);
        }
        if matches!(
            event.kind,
            EventKind::CommandApplied { .. } | EventKind::ConsumerStarted { .. }
        ) {
            self.subscriptions.note(simulation);
        }
        match event.actor {
            Actor::Machine(Machine::Broker(broker)) => self.see_broker(broker, event, simulation),
            Actor::Machine(Machine::Client(process)) => {
                self.see_client(process, event, simulation);
                self.note_twin(process, event, simulation);
                self.see_life(process, event);
                self.see_consuming(process, event, simulation);
            }
            _ => {}
        }
    }

    fn see_broker(&mut self, broker: BrokerIndex, event: &Event, simulation: &Simulation) {
        let it = self.brokers.entry(broker).or_default();
        match &event.kind {
            EventKind::BrokerStarted { .. } => it.locks.clear(),
            EventKind::BrokerStopped { .. } => {
                it.locks.clear();
                self.data_lost |= lose_tail(it, simulation, broker);
            }
            EventKind::TopicCreated { topic, queues } if is_retry_topic(topic) => {
                it.retry_queues.insert(topic.clone(), *queues);
            }
            EventKind::MessageStored { message } => it.last_stored_at = message.stored_at,
            EventKind::ConsumeQueueAppended { message } => {
                let key = (message.topic.clone(), message.queue_id);
                let end = (message.queue_offset.next(), message.physical_offset);
                it.queue_ends.insert(key, end);
            }
            EventKind::DelayElapsed { message, .. } => {
                *it.elapsed.entry(message.body.unique_key).or_default() += 1;
            }
            EventKind::RetryStored { group, origin, .. }
            | EventKind::DeadLettered { group, origin, .. } => {
                let key = (group.clone(), origin.physical_offset);
                if let Some(send_backs) = it.send_backs.get_mut(&key) {
                    send_backs.copies += 1;
                }
            }
            EventKind::QueueLocked { group, queue, client, .. } => {
                let key = (group.clone(), queue.clone());
                it.locks.insert(key, (client.clone(), event.at));
            }
            EventKind::QueueUnlocked { group, queue, client } => {
                it.locks.remove(&(group.clone(), queue.clone()));
                self.note_unlock(group, queue, client, simulation);
            }
            EventKind::OffsetCommitted { group, .. } if event.trigger == Trigger::Command => {
                self.moved_by_hand.insert(group.clone());
            }
            EventKind::OffsetCommitted { group, queue, to, .. } => {
                self.histories.note_commit(group, queue, *to);
            }
            EventKind::OffsetReset { group, .. } => {
                self.moved_by_hand.insert(group.clone());
            }
            _ => {}
        }
    }

    /// The delayed unlock may fire after the same client got the queue back (spec 06.8, 2), even after it
    /// lost it again, under a call that still runs; so may the copy of an unlock, where the network doubles.
    /// An unlock in its time holds the lock that a call holds.
    fn note_unlock(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        client: &ClientId,
        simulation: &Simulation,
    ) {
        let owns = |(process, of, seat): &SeatKey| {
            of == group
                && seat == queue
                && simulation.world().client(*process).client_id == *client
                && !self.stopping.contains(&(*process, group.clone()))
        };
        let is_at_work = |(process, ..): &SeatKey| {
            self.running.iter().any(|((of, in_group, _), call)| {
                of == process && in_group == group && call.queue == *queue
            })
        };
        if self.seats.iter().any(|(key, seat)| owns(key) && (!seat.is_dropped || is_at_work(key))) {
            self.order_exempt.insert(group.clone());
        }
    }

    fn see_client(&mut self, process: ProcessIndex, event: &Event, simulation: &Simulation) {
        let seat_of =
            |group: &GroupName, queue: &MessageQueue| (process, group.clone(), queue.clone());
        match &event.kind {
            EventKind::QueueAssigned { group, queue, process_queue, next_offset } => {
                let memory = simulation
                    .world()
                    .client(process)
                    .consumers
                    .get(group)
                    .and_then(|consumer| consumer.offset_store.read_from_memory(queue));
                let seat = Seat::new(*process_queue, event.at, memory);
                self.seats.insert(seat_of(group, queue), seat);
                self.histories.note_assigned(group, queue, *next_offset);
            }
            EventKind::QueueDropped { group, queue, process_queue, reason } => {
                let place = || (group.clone(), queue.clone());
                match reason {
                    DropReason::NotSubscribed => _ = self.unsubscribed.insert(place()),
                    DropReason::OffsetReset => _ = self.reset.insert(place()),
                    _ => {}
                }
                let of_process = self.running.iter_mut().filter(|((of, ..), _)| *of == process);
                for (_, call) in of_process {
                    call.is_dropped |= call.process_queue == *process_queue;
                }
                if let Some(seat) = self.seats.get_mut(&seat_of(group, queue))
                    && seat.process_queue == *process_queue
                {
                    seat.is_dropped = true;
                    seat.unreported_since = None;
                }
            }
            EventKind::QueueReleased { group, queue, process_queue } => {
                let key = seat_of(group, queue);
                // Since 5.2.0 a queue whose lock is too old is given up under a running call.
                let runs = |(of, in_group, _): &(ProcessIndex, GroupName, u32)| {
                    *of == process && in_group == group
                };
                if self.running.iter().any(|(key, call)| runs(key) && call.queue == *queue) {
                    self.order_exempt.insert(group.clone());
                }
                if self.seats.get(&key).is_some_and(|it| it.process_queue == *process_queue) {
                    // The second of two resets lets a window go that it never dropped (spec 03.7): it works on,
                    // beside whoever has the queue next.
                    if self.seats.remove(&key).is_some_and(|seat| !seat.is_dropped) {
                        self.order_exempt.insert(group.clone());
                    }
                }
            }
            EventKind::RequestSent { call, to: Machine::Broker(broker), code, detail, .. } => {
                let name = &simulation.world().broker(*broker).name;
                self.note_start(process, name, detail, simulation);
                let client = simulation.world().client(process);
                self.see_request(client, (*broker, name), *call, *code, detail);
            }
            EventKind::ResponseReceived { call, of: RequestCode::PullMessage, code, .. } => {
                let Some(key) = self.pulls.remove(call) else { return };
                let Some(seat) = self.seats.get_mut(&key) else { return };
                seat.refused_since = match code {
                    ResponseCode::SubscriptionNotLatest => seat.refused_since.or(Some(event.at)),
                    _ => None,
                };
            }
            EventKind::OffsetMoved { group, queue, to, .. } => {
                if let Some(seat) = self.seats.get_mut(&seat_of(group, queue)) {
                    seat.memory = Some(*to);
                    seat.unreported_since = seat.unreported_since.or(Some(event.at));
                }
            }
            _ => {}
        }
    }

    fn note_start(
        &mut self,
        process: ProcessIndex,
        broker_name: &BrokerName,
        detail: &RequestDetail,
        simulation: &Simulation,
    ) {
        let RequestDetail::Pull { group, topic, queue_id, offset, .. } = detail else { return };
        let queue = MessageQueue::new(topic.clone(), broker_name.clone(), *queue_id);
        let consumer = simulation.world().client(process).consumers.get(group);
        let seat = self.seats.get(&(process, group.clone(), queue.clone()));
        if consumer.is_some_and(|it| it.is_orderly() && it.is_clustering())
            && seat.is_some_and(|seat| seat.last_pull.is_none())
        {
            self.histories.note_first_locked_pull(group, &queue, *offset);
        }
    }

    fn note_twin(&mut self, process: ProcessIndex, event: &Event, simulation: &Simulation) {
        let EventKind::ConsumerStarting { group } = &event.kind else { return };
        let world = simulation.world();
        let id = &world.client(process).client_id;
        let is_twin = world.clients.iter().any(|other| {
            let is_other = other.process != process && other.client_id == *id;
            is_other && other.is_alive() && other.consumers.contains_key(group)
        });
        if is_twin {
            self.twins.insert(group.clone());
            self.order_exempt.insert(group.clone());
            self.fault = self.fault.or(Some(event.sequence));
        }
    }

    fn see_life(&mut self, process: ProcessIndex, event: &Event) {
        match &event.kind {
            EventKind::RebalanceEnded { .. } => {
                self.pass_ended.insert(process, event.at);
            }
            EventKind::Allocated { group, topic, queues, members, mine } => {
                let share =
                    Share { queues: queues.clone(), members: members.clone(), mine: mine.clone() };
                self.shares.insert((process, group.clone(), topic.clone()), share);
            }
            EventKind::ShutdownBegan { group } => {
                self.last_stop.insert(group.clone(), event.at);
                self.stopping.insert((process, group.clone()));
                if self.running.keys().any(|(of, in_group, _)| *of == process && in_group == group)
                {
                    self.order_exempt.insert(group.clone());
                }
            }
            EventKind::ConsumerStarting { group } => {
                self.stopping.remove(&(process, group.clone()));
                self.leaving.remove(&(process, group.clone()));
            }
            EventKind::ProcessCrashed | EventKind::HostLost => self.forget_process(process),
            EventKind::ConsumerStopped { group } => self.forget_consumer(process, group),
            _ => {}
        }
    }

    fn see_request(
        &mut self,
        client: &ClientInstance,
        (broker, broker_name): (BrokerIndex, &BrokerName),
        call: CallId,
        code: RequestCode,
        detail: &RequestDetail,
    ) {
        let process = client.process;
        let seat_of = |group: &GroupName, topic: &TopicName, queue_id: QueueId| {
            let queue = MessageQueue::new(topic.clone(), broker_name.clone(), queue_id);
            (process, group.clone(), queue)
        };
        match detail {
            RequestDetail::Pull {
                group, topic, queue_id, offset, commit_offset, sys_flag, ..
            } => {
                let key = seat_of(group, topic, *queue_id);
                if let Some(seat) = self.seats.get_mut(&key)
                    && seat.pulls_by(client, call)
                {
                    seat.last_pull = Some(*offset);
                    if sys_flag & 1 != 0 && seat.memory == Some(*commit_offset) {
                        seat.unreported_since = None;
                    }
                }
                self.pulls.insert(call, key);
            }
            RequestDetail::Commit { group, topic, queue_id, offset } => {
                if let Some(seat) = self.seats.get_mut(&seat_of(group, topic, *queue_id))
                    && seat.memory == Some(*offset)
                {
                    seat.unreported_since = None;
                }
            }
            RequestDetail::SendBack {
                group,
                physical_offset,
                delay_level,
                max_reconsume_times,
                ..
            } => {
                let it = self.brokers.entry(broker).or_default();
                let send_backs = it.send_backs.entry((group.clone(), *physical_offset));
                send_backs.or_default().asked.push((*delay_level, *max_reconsume_times));
            }
            _ if code == RequestCode::UnregisterClient => self.note_goodbye(process),
            _ => {}
        }
    }

    fn note_goodbye(&mut self, process: ProcessIndex) {
        let of_process = |(of, _): &&(ProcessIndex, GroupName)| *of == process;
        let stopping: Vec<_> = self.stopping.iter().filter(of_process).cloned().collect();
        // Who stops alone is the one who leaves; where several do, the checks do without.
        if let [only] = stopping.as_slice() {
            self.leaving.insert(only.clone());
        }
    }

    fn see_consuming(&mut self, process: ProcessIndex, event: &Event, simulation: &Simulation) {
        match &event.kind {
            EventKind::ConsumeStarted { group, client_thread, message, .. } => {
                let consumer = simulation.world().client(process).consumers.get(group);
                let window = consumer.and_then(|it| window_of_call(it, *client_thread));
                self.call_started(process, group, (*client_thread, window), message);
            }
            EventKind::ConsumeEnded { group, client_thread, message, outcome, .. } => {
                let call = self.running.remove(&(process, group.clone(), *client_thread));
                let has_failed = *outcome == ConsumeOutcome::Failed;
                self.histories.note_ended(group, message, !has_failed);
                let key = (process, group.clone(), queue_of(message));
                let seat = self.seats.get_mut(&key);
                if let Some(seat) = seat
                    && call.is_none_or(|call| call.process_queue == seat.process_queue)
                {
                    seat.may_repeat |= has_failed;
                }
            }
            EventKind::ListenerInterrupted { group, client_thread } => {
                let key = (process, group.clone(), *client_thread);
                if let Some(call) = self.running.get_mut(&key) {
                    call.interrupts += 1;
                }
            }
            EventKind::SentBack { group, message, .. }
            | EventKind::ExpiredSentBack { group, message }
            | EventKind::FailureDropped { group, message }
            | EventKind::OrderlyDeadLetterSent { group, message } => {
                self.histories.note_handed_over(group, message);
            }
            EventKind::LocalRetryScheduled { group, message, .. } => {
                self.histories.note_local_retry(group, message);
            }
            EventKind::OffsetReset { group, .. } => {
                self.moved_by_hand.insert(group.clone());
            }
            EventKind::QueueDropped { group, reason: DropReason::OffsetIllegal, .. } => {
                self.moved_by_hand.insert(group.clone());
            }
            _ => {}
        }
    }

    fn call_started(
        &mut self,
        process: ProcessIndex,
        group: &GroupName,
        (thread, window): (u32, Option<ProcessQueueId>),
        message: &Rc<StoredMessage>,
    ) {
        let queue = queue_of(message);
        let key = (process, group.clone(), queue.clone());
        let was_done = self.histories.record(group, message).is_some_and(|it| it.succeeded > 0);
        let seat = self.seats.get_mut(&key);
        if let Some(seat) = seat
            && window.is_none_or(|window| window == seat.process_queue)
        {
            let offset = Some(message.queue_offset);
            if was_done && seat.max_started < offset {
                seat.duplicates += 1;
            }
            seat.max_started = seat.max_started.max(offset);
            seat.last_started = offset;
            seat.may_repeat = false;
        }
        if self.stopping.contains(&(process, group.clone())) {
            self.order_exempt.insert(group.clone());
        }
        if let Some(process_queue) = window {
            let call = RunningCall { queue, process_queue, is_dropped: false, interrupts: 0 };
            self.running.insert((process, group.clone(), thread), call);
        }
        self.histories.note_started(process, group, message);
    }

    fn forget_process(&mut self, process: ProcessIndex) {
        self.seats.retain(|(of, _, _), _| *of != process);
        self.running.retain(|(of, _, _), _| *of != process);
        self.shares.retain(|(of, _, _), _| *of != process);
        self.stopping.retain(|(of, _)| *of != process);
        self.leaving.retain(|(of, _)| *of != process);
        self.pass_ended.remove(&process);
        self.pulls.retain(|_, (of, _, _)| *of != process);
    }

    fn forget_consumer(&mut self, process: ProcessIndex, group: &GroupName) {
        let is_it = |of: ProcessIndex, in_group: &GroupName| of == process && in_group == group;
        self.seats.retain(|(of, in_group, _), _| !is_it(*of, in_group));
        self.running.retain(|(of, in_group, _), _| !is_it(*of, in_group));
        self.shares.retain(|(of, in_group, _), _| !is_it(*of, in_group));
    }
}
