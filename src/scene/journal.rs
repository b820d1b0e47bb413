//! `Journal`: what the events tell of the past that the world itself does not keep: the deeds done
//! to each message, the ends of processes, the results of rebalances, packets that were lost.
//!
//! It only grows, and is read *as of* a number of events; so one journal serves every moment.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::card::Label;
use crate::model::ids::{CallId, ClientId, GroupName, ProcessIndex, TopicName, UniqueKey};
use crate::model::listener::ListenerResult;
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::sim::command::BrokerStop;
use crate::sim::event::{Actor, ConsumeOutcome, Event, EventKind, EventSequence, LossReason};
use crate::sim::packet::{Machine, RequestCode};

/// What was done to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The record was appended to the commit log.
    Stored,
    Delivered {
        group: GroupName,
        process: ProcessIndex,
        thread: u32,
        reconsume_times: i32,
    },
    Ended {
        group: GroupName,
        process: ProcessIndex,
        thread: u32,
        reconsume_times: i32,
        result: ListenerResult,
        outcome: ConsumeOutcome,
    },
    SentBack {
        group: GroupName,
        process: ProcessIndex,
        by_fallback: bool,
    },
    SendBackFailed {
        group: GroupName,
        process: ProcessIndex,
    },
    KeptLocally {
        group: GroupName,
        process: ProcessIndex,
        until: Millis,
    },
    /// The broker decided for another try at `level`; the record is the one that failed.
    RetryDecided {
        group: GroupName,
        level: i32,
        reconsume_times: i32,
    },
    DeadLettered {
        group: GroupName,
        is_delayed: bool,
    },
    Discarded {
        group: GroupName,
    },
    /// Its time at a delay level was over.
    Elapsed {
        level: u32,
    },
    /// Broadcasting: the failure has no consequence.
    FailureDropped {
        group: GroupName,
        process: ProcessIndex,
    },
    /// Orderly: sent to the dead letters by the client's own producer.
    DeadLetterSent {
        group: GroupName,
        process: ProcessIndex,
    },
}

/// One deed, and the record to which it was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub event: EventSequence,
    pub at: Millis,
    pub record: Rc<StoredMessage>,
    pub deed: Deed,
}

#[derive(Clone, Debug)]
struct History {
    label: Label,
    facts: Vec<Fact>,
}

/// What became of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    Crashed,
    HostLost,
    Stopped(GroupName),
    Frozen { until: Option<Millis> },
    Resumed,
    BrokerStarted,
    BrokerStopped { is_killed: bool },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnFact {
    pub event: EventSequence,
    pub at: Millis,
    pub turn: Turn,
}

/// What one client computed for one topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    pub event: EventSequence,
    pub at: Millis,
    pub process: ProcessIndex,
    pub group: GroupName,
    pub topic: TopicName,
    pub queues: Rc<[MessageQueue]>,
    pub members: Rc<[ClientId]>,
    pub mine: Rc<[MessageQueue]>,
    /// Its last result for the same topic, by place.
    previous: Option<u32>,
    /// Members or queues are not those of the last time.
    pub is_changed: bool,
}

/// A packet that was lost, or refused where nobody listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    pub event: EventSequence,
    pub at: Millis,
    pub call: CallId,
    pub from: Machine,
    pub to: Machine,
    pub code: RequestCode,
    pub reason: LossReason,
}

#[derive(Clone, Debug, Default)]
pub struct Journal {
    cut_count: usize,
    /// Events taken up.
    folded: EventSequence,
    /// By unique key.
    messages: Vec<Option<History>>,
    turns: BTreeMap<Machine, Vec<TurnFact>>,
    allocations: Vec<Allocation>,
    last_allocation: BTreeMap<(ProcessIndex, TopicName), u32>,
    losses: Vec<Loss>,
    /// Sends asked for, by process.
    sends: BTreeMap<ProcessIndex, Vec<EventSequence>>,
}

impl Journal {
    /// Takes up what is new in the recording.
    pub fn follow(&mut self, recording: &Recording) {
        let kept = recording.kept_since(self.cut_count);
        self.cut_count = recording.cut_count();
        if kept < self.folded {
            self.forget_from(kept);
        }
        for event in recording.events().iter_from(self.folded as usize) {
            self.fold(event);
        }
        self.folded = recording.event_count();
    }

    /// The journal as it was after so many events.
    pub fn as_of(&self, event_count: EventSequence) -> Past<'_> {
        Past { journal: self, event_count }
    }

    fn forget_from(&mut self, kept: EventSequence) {
        for history in &mut self.messages {
            if let Some(it) = history {
                it.facts.truncate(it.facts.partition_point(|fact| fact.event < kept));
                if it.facts.is_empty() {
                    *history = None;
                }
            }
        }
        for turns in self.turns.values_mut() {
            turns.truncate(turns.partition_point(|turn| turn.event < kept));
        }
        let allocations = self.allocations.partition_point(|it| it.event < kept);
        self.allocations.truncate(allocations);
        self.last_allocation.clear();
        for (place, it) in (0..).zip(&self.allocations) {
            self.last_allocation.insert((it.process, it.topic.clone()), place);
        }
        self.losses.truncate(self.losses.partition_point(|loss| loss.event < kept));
        for sends in self.sends.values_mut() {
            sends.truncate(sends.partition_point(|event| *event < kept));
        }
        self.folded = kept;
    }

    fn fold(&mut self, event: &Event) {
        let process = match event.actor {
            Actor::Machine(Machine::Client(process)) => process,
            _ => ProcessIndex(u32::MAX),
        };
        if let Some((record, deed)) = deed(&event.kind, process) {
            let fact = Fact { event: event.sequence, at: event.at, record: record.clone(), deed };
            self.add_fact(fact);
            return;
        }
        if let Some(turn) = turn(&event.kind)
            && let Actor::Machine(machine) = event.actor
        {
            let fact = TurnFact { event: event.sequence, at: event.at, turn };
            self.turns.entry(machine).or_default().push(fact);
            return;
        }
        match &event.kind {
            EventKind::Allocated { group, topic, queues, members, mine } => {
                self.add_allocation(Allocation {
                    event: event.sequence,
                    at: event.at,
                    process,
                    group: group.clone(),
                    topic: topic.clone(),
                    queues: queues.clone(),
                    members: members.clone(),
                    mine: mine.clone(),
                    previous: None,
                    is_changed: true,
                });
            }
            EventKind::PacketLost { call, from, to, code, reason } => self.losses.push(Loss {
                event: event.sequence,
                at: event.at,
                call: *call,
                from: *from,
                to: *to,
                code: *code,
                reason: *reason,
            }),
            EventKind::SendAsked { .. } => {
                self.sends.entry(process).or_default().push(event.sequence);
            }
            _ => {}
        }
    }

    fn add_fact(&mut self, fact: Fact) {
        let place = fact.record.body.unique_key.0 as usize;
        if self.messages.len() <= place {
            self.messages.resize(place + 1, None);
        }
        let history = self.messages[place].get_or_insert_with(|| {
            let body = &fact.record.body;
            let label = match &body.key {
                Some(key) => Label::from(key.as_str()),
                None => format!("m{}", body.unique_key).into(),
            };
            History { label, facts: Vec::new() }
        });
        history.facts.push(fact);
    }

    fn add_allocation(&mut self, mut it: Allocation) {
        let place = self.allocations.len() as u32;
        it.previous = self.last_allocation.insert((it.process, it.topic.clone()), place);
        let before = it.previous.and_then(|place| self.allocations.get(place as usize));
        it.is_changed =
            before.is_none_or(|before| before.queues != it.queues || before.members != it.members);
        self.allocations.push(it);
    }
}

fn deed(kind: &EventKind, process: ProcessIndex) -> Option<(&Rc<StoredMessage>, Deed)> {
    Some(match kind {
        EventKind::MessageStored { message } => (message, Deed::Stored),
        EventKind::ConsumeStarted { group, client_thread, message, reconsume_times, .. } => {
            let (group, thread) = (group.clone(), *client_thread);
            let reconsume_times = *reconsume_times;
            (message, Deed::Delivered { group, process, thread, reconsume_times })
        }
        EventKind::ConsumeEnded {
            group,
            client_thread,
            message,
            reconsume_times,
            result,
            outcome,
            ..
        } => {
            let (group, thread) = (group.clone(), *client_thread);
            let (result, outcome) = (*result, *outcome);
            let reconsume_times = *reconsume_times;
            let deed = Deed::Ended { group, process, thread, reconsume_times, result, outcome };
            (message, deed)
        }
        EventKind::SentBack { group, message, by_fallback } => {
            let by_fallback = *by_fallback;
            (message, Deed::SentBack { group: group.clone(), process, by_fallback })
        }
        EventKind::ExpiredSentBack { group, message } => {
            (message, Deed::SentBack { group: group.clone(), process, by_fallback: false })
        }
        EventKind::SendBackFailed { group, message } => {
            (message, Deed::SendBackFailed { group: group.clone(), process })
        }
        EventKind::LocalRetryScheduled { group, message, until, .. } => {
            (message, Deed::KeptLocally { group: group.clone(), process, until: *until })
        }
        EventKind::RetryStored { group, origin, level, reconsume_times } => {
            let (level, reconsume_times) = (*level, *reconsume_times);
            (origin, Deed::RetryDecided { group: group.clone(), level, reconsume_times })
        }
        EventKind::DeadLettered { group, origin, delayed, .. } => {
            (origin, Deed::DeadLettered { group: group.clone(), is_delayed: *delayed })
        }
        EventKind::RetryDiscarded { group, origin } => {
            (origin, Deed::Discarded { group: group.clone() })
        }
        EventKind::DelayElapsed { level, message, .. } => {
            (message, Deed::Elapsed { level: *level })
        }
        EventKind::FailureDropped { group, message } => {
            (message, Deed::FailureDropped { group: group.clone(), process })
        }
        EventKind::OrderlyDeadLetterSent { group, message } => {
            (message, Deed::DeadLetterSent { group: group.clone(), process })
        }
        _ => return None,
    })
}

fn turn(kind: &EventKind) -> Option<Turn> {
    Some(match kind {
        EventKind::ProcessCrashed => Turn::Crashed,
        EventKind::HostLost => Turn::HostLost,
        EventKind::ConsumerStopped { group } => Turn::Stopped(group.clone()),
        EventKind::Frozen { until } => Turn::Frozen { until: *until },
        EventKind::Resumed => Turn::Resumed,
        EventKind::BrokerStarted { .. } => Turn::BrokerStarted,
        EventKind::BrokerStopped { how, .. } => {
            Turn::BrokerStopped { is_killed: matches!(how, BrokerStop::Kill { .. }) }
        }
        _ => return None,
    })
}

impl Deed {
    /// The group whose deed it is; none for those of the store.
    pub fn group(&self) -> Option<&GroupName> {
        match self {
            Deed::Stored | Deed::Elapsed { .. } => None,
            Deed::Delivered { group, .. }
            | Deed::Ended { group, .. }
            | Deed::SentBack { group, .. }
            | Deed::SendBackFailed { group, .. }
            | Deed::KeptLocally { group, .. }
            | Deed::RetryDecided { group, .. }
            | Deed::DeadLettered { group, .. }
            | Deed::Discarded { group }
            | Deed::FailureDropped { group, .. }
            | Deed::DeadLetterSent { group, .. } => Some(group),
        }
    }
}

/// The journal as of one moment.
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    journal: &'a Journal,
    event_count: EventSequence,
}

impl<'a> Past<'a> {
    /// Everything done to a message, oldest first.
    pub fn facts(self, key: UniqueKey) -> &'a [Fact] {
        let Some(Some(history)) = self.journal.messages.get(key.0 as usize) else { return &[] };
        let known = history.facts.partition_point(|fact| fact.event < self.event_count);
        &history.facts[..known]
    }

    /// What people call a message.
    pub fn label(self, message: &StoredMessage) -> Label {
        match self.journal.messages.get(message.body.unique_key.0 as usize) {
            Some(Some(history)) => history.label.clone(),
            _ => Label::from(message.body.key.as_ref().map_or("?", |key| key.as_str())),
        }
    }

    /// The same of one that was stored, by its unique key.
    pub fn label_of(self, key: UniqueKey) -> Option<Label> {
        Some(self.journal.messages.get(key.0 as usize)?.as_ref()?.label.clone())
    }

    /// How often the group was handed this message.
    pub fn deliveries(self, key: UniqueKey, group: Option<&GroupName>) -> u32 {
        let is_it = |fact: &&Fact| matches!(&fact.deed, Deed::Delivered { group: of, .. } if Some(of) == group);
        self.facts(key).iter().filter(is_it).count() as u32
    }

    /// The last thing that the group did with this very record.
    pub fn last_deed(self, record: &StoredMessage, group: Option<&GroupName>) -> Option<&'a Fact> {
        let facts = self.facts(record.body.unique_key).iter().rev();
        facts
            .filter(|fact| fact.deed.group().is_some() && fact.deed.group() == group)
            .find(|fact| is_same_record(&fact.record, record))
    }

    /// The process to whose listener the group's last delivery of this very record went.
    pub fn last_deliverer(
        self,
        record: &StoredMessage,
        group: Option<&GroupName>,
    ) -> Option<ProcessIndex> {
        let facts = self.facts(record.body.unique_key).iter().rev();
        let mut here = facts.filter(|fact| is_same_record(&fact.record, record));
        here.find_map(|fact| match &fact.deed {
            Deed::Delivered { group: of, process, .. } if Some(of) == group => Some(*process),
            _ => None,
        })
    }

    /// What became of a machine, oldest first.
    pub fn turns(self, machine: Machine) -> &'a [TurnFact] {
        let Some(turns) = self.journal.turns.get(&machine) else { return &[] };
        &turns[..turns.partition_point(|turn| turn.event < self.event_count)]
    }

    /// The last result of a process for the people's topics.
    pub fn allocations(self) -> &'a [Allocation] {
        let all = &self.journal.allocations;
        &all[..all.partition_point(|it| it.event < self.event_count)]
    }

    /// What the same process had computed before.
    pub fn allocation_before(self, it: &Allocation) -> Option<&'a Allocation> {
        self.journal.allocations.get(it.previous? as usize)
    }

    /// Packets that never arrived, or found nobody.
    pub fn losses(self) -> &'a [Loss] {
        let all = &self.journal.losses;
        &all[..all.partition_point(|loss| loss.event < self.event_count)]
    }

    /// How many messages a process was asked to send.
    pub fn sends(self, process: ProcessIndex) -> u64 {
        let sends = self.journal.sends.get(&process);
        sends.map_or(0, |all| all.partition_point(|event| *event < self.event_count) as u64)
    }

    pub fn event_count(self) -> EventSequence {
        self.event_count
    }
}

/// The same record of the same commit log.
pub fn is_same_record(a: &StoredMessage, b: &StoredMessage) -> bool {
    a.physical_offset == b.physical_offset && a.broker_name == b.broker_name
}
