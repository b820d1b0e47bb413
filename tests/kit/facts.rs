//! Facts: an event by what it says, so that the same one is found in another run.
//!
//! Numbers that only count (calls, connections, windows, keys, processes) shift with everything that came
//! before. Each is replaced by the birth of what it names: a call by when and by whom it was sent, a message
//! by when it was asked for. What goes round in circles says which turn it is: the seventh pull of a window is
//! not the eighth, though it may look the same, come at the same moment and so hide that a turn is missing.
//! Causes are left out: a fact is the same whoever is said to have brought it about.

use std::collections::BTreeMap;

use rocketmq_playground::model::ids::{GroupName, ProcessIndex, QueueId, TopicName};
use rocketmq_playground::model::message::StoredMessage;
use rocketmq_playground::model::message_queue::MessageQueue;
use rocketmq_playground::model::offset::QueueOffset;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::recording::Recording;
use rocketmq_playground::scene::concerns::message;
use rocketmq_playground::sim::detail::{RequestDetail, ResponseDetail};
use rocketmq_playground::sim::event::{Actor, Event, EventKind, EventSequence};
use rocketmq_playground::sim::packet::Machine;

/// When, who, what.
pub type Fact = (Millis, String, String);

/// Names of counters, whose values tell nothing by themselves.
const COUNTERS: &[&str] = &[
    "CallId(",
    "ConnectionId(",
    "ProcessQueueId(",
    "ProcessIndex(",
    "UniqueKey(",
    "PhysicalOffset(",
    "client_thread: ",
    "sub_version: ",
    "index: ",
    "\"m",
];

/// A run whose events can be told as facts.
pub struct Facts<'a> {
    recording: &'a Recording,
    processes: Vec<String>,
    /// What each number of a counter stands for.
    births: BTreeMap<(&'static str, u64), String>,
    /// What an answer brought, by its call.
    brought: BTreeMap<u64, String>,
    /// Which turn an event belongs to, of its process's rebalance or of its window's pulls.
    turns: BTreeMap<EventSequence, u32>,
    /// The queue of each pull.
    pulls: BTreeMap<u64, MessageQueue>,
    /// The message at each place of each queue.
    messages: BTreeMap<(MessageQueue, QueueOffset), String>,
}

impl<'a> Facts<'a> {
    pub fn of(recording: &'a Recording) -> Facts<'a> {
        let clients = &recording.head().world().clients;
        let processes =
            clients.iter().map(|it| format!("{}@{}", it.client_id, it.started_at.ms())).collect();
        let mut facts = Facts {
            recording,
            processes,
            births: BTreeMap::new(),
            brought: BTreeMap::new(),
            turns: BTreeMap::new(),
            pulls: BTreeMap::new(),
            messages: BTreeMap::new(),
        };
        for (place, name) in facts.processes.iter().enumerate() {
            facts.births.insert(("ProcessIndex(", place as u64), name.clone());
        }
        facts.note_turns();
        facts.note_births();
        facts.note_what_pulls_bring();
        facts
    }

    /// Passes are counted by process, and a window's pulls, put off or sent, by process and queue.
    fn note_turns(&mut self) {
        let mut passes: BTreeMap<ProcessIndex, (u32, bool)> = BTreeMap::new();
        let mut pulls: BTreeMap<(ProcessIndex, GroupName, TopicName, QueueId), u32> =
            BTreeMap::new();
        for event in self.recording.events().iter() {
            let Actor::Machine(Machine::Client(process)) = event.actor else { continue };
            let (pass, is_under_way) = passes.entry(process).or_default();
            let mut count = |group: &GroupName, topic: &TopicName, queue_id: QueueId| {
                let key = (process, group.clone(), topic.clone(), queue_id);
                let count = pulls.entry(key).or_default();
                *count += 1;
                *count
            };
            let turn = match &event.kind {
                EventKind::PullPostponed { group, queue, .. } => {
                    count(group, &queue.topic, queue.queue_id)
                }
                EventKind::RequestSent {
                    detail: RequestDetail::Pull { group, topic, queue_id, .. },
                    ..
                } => count(group, topic, *queue_id),
                EventKind::RebalanceBegan => {
                    (*pass, *is_under_way) = (*pass + 1, true);
                    *pass
                }
                EventKind::RebalanceEnded { .. } => {
                    *is_under_way = false;
                    *pass
                }
                EventKind::RequestSent { .. } | EventKind::Allocated { .. } if *is_under_way => {
                    *pass
                }
                _ => continue,
            };
            self.turns.insert(event.sequence, turn);
        }
    }

    fn note_births(&mut self) {
        let mut asked_at: BTreeMap<Millis, u32> = BTreeMap::new();
        for event in self.recording.events().iter() {
            let born = match &event.kind {
                EventKind::RequestSent { call, .. } => ("CallId(", call.0),
                EventKind::ConnectionOpened { connection, .. } => {
                    ("ConnectionId(", u64::from(connection.0))
                }
                EventKind::QueueAssigned { process_queue, .. } => {
                    ("ProcessQueueId(", u64::from(process_queue.0))
                }
                EventKind::SendAsked { key, .. } => {
                    let nth = asked_at.entry(event.at).or_default();
                    *nth += 1;
                    let number = key.strip_prefix('m').and_then(|it| it.parse().ok());
                    if let Some(number) = number {
                        let birth = format!("{}#{nth}", event.at.ms());
                        self.births.insert(("\"m", number), birth);
                    }
                    continue;
                }
                _ => continue,
            };
            let turn = self.turns.get(&event.sequence).map(|turn| format!(", turn {turn}"));
            let turn = turn.unwrap_or_default();
            let birth = format!("of {} at {}{turn}", self.who(event), event.at.ms());
            self.births.insert(born, birth);
        }
    }

    fn note_what_pulls_bring(&mut self) {
        let mut elapsed: Option<(u64, &StoredMessage)> = None;
        for event in self.recording.events().iter() {
            match &event.kind {
                EventKind::RequestSent {
                    call,
                    to: to @ Machine::Broker(_),
                    detail: RequestDetail::Pull { topic, queue_id, .. },
                    ..
                } => {
                    let broker_name = self.recording.head().world().machine_name(*to);
                    let queue =
                        MessageQueue::new(topic.clone(), broker_name.as_str().into(), *queue_id);
                    self.pulls.insert(call.0, queue);
                }
                EventKind::ResponseReceived { call, detail, .. } => {
                    let mut brought = format!("{detail:?}");
                    if let ResponseDetail::Pulled { next_offset, .. } = detail
                        && let Some(queue) = self.pulls.get(&call.0)
                    {
                        brought.push_str(&self.message_at(queue, next_offset.plus(-1)));
                    }
                    self.brought.insert(call.0, brought);
                }
                EventKind::DelayElapsed { message, .. } => {
                    elapsed = Some((event.task, message));
                }
                EventKind::MessageStored { message } => {
                    let queue = MessageQueue::new(
                        message.topic.clone(),
                        message.broker_name.clone(),
                        message.queue_id,
                    );
                    let mut label = self.by_birth(&format!("{:?}", message.body.key));
                    // A copy that comes out of the delay is the copy of what went in.
                    if let Some((task, of)) = elapsed.take()
                        && task == event.task
                        && of.body.unique_key == message.body.unique_key
                    {
                        label.push_str(&format!(", delayed since {}", of.stored_at.ms()));
                    }
                    self.messages.insert((queue, message.queue_offset), label);
                }
                _ => {}
            }
        }
    }

    fn message_at(&self, queue: &MessageQueue, offset: QueueOffset) -> String {
        let message = self.messages.get(&(queue.clone(), offset));
        format!(" ({})", message.map_or("none", String::as_str))
    }

    fn who(&self, event: &Event) -> String {
        match event.actor {
            Actor::Person => "person".to_owned(),
            Actor::Machine(Machine::Client(process)) => self.processes[process.0 as usize].clone(),
            Actor::Machine(machine) => self.recording.head().world().machine_name(machine),
        }
    }

    pub fn event(&self, sequence: EventSequence) -> &Event {
        self.recording.event(sequence).expect("it is in the run")
    }

    /// What the event says.
    pub fn fact(&self, event: &Event) -> Fact {
        let mut what = self.by_birth(&format!("{:?}", event.kind));
        let of_message = match &event.kind {
            EventKind::ResponseSent { call, .. } | EventKind::ResponseReceived { call, .. } => {
                self.brought.get(&call.0).cloned()
            }
            EventKind::PullAnswered { queue, next_offset: past, .. }
            | EventKind::OffsetMoved { queue, to: past, .. }
            | EventKind::OffsetCommitted { queue, to: past, .. } => {
                Some(self.message_at(queue, past.plus(-1)))
            }
            EventKind::QueueSuspended { .. } => self.batch_before(event),
            EventKind::MessagesCached { queue, first, .. }
            | EventKind::ConsumeRequestQueued { queue, first, .. }
            | EventKind::ResultIgnored { queue, first, .. }
            | EventKind::MessagesRemoved { queue, first, .. } => {
                Some(self.message_at(queue, *first))
            }
            kind => message(kind).map(|it| {
                let (topic, broker_name) = (it.topic.clone(), it.broker_name.clone());
                let queue = MessageQueue::new(topic, broker_name, it.queue_id);
                self.message_at(&queue, it.queue_offset)
            }),
        };
        what.push_str(of_message.as_deref().unwrap_or_default());
        if let Some(turn) = self.turns.get(&event.sequence) {
            what.push_str(&format!(", turn {turn}"));
        }
        (event.at, self.who(event), what)
    }

    /// Of a queue that waits: the message whose call has just ended.
    fn batch_before(&self, event: &Event) -> Option<String> {
        let before = (0..event.sequence).rev().map(|sequence| self.event(sequence));
        let mut of_task = before.take_while(|other| other.task == event.task);
        of_task.find_map(|other| match &other.kind {
            EventKind::ConsumeEnded { message, .. } => {
                Some(self.by_birth(&format!("{:?}", message.body.key)))
            }
            _ => None,
        })
    }

    /// How often the run has this fact.
    pub fn count(&self, wanted: &Fact) -> usize {
        let of_moment = self.recording.events().iter().filter(|event| event.at == wanted.0);
        of_moment.filter(|event| self.fact(event) == *wanted).count()
    }

    /// How often the run has this fact, whichever turn it is.
    pub fn count_of_any_turn(&self, wanted: &Fact) -> usize {
        let (at, who, what) = (wanted.0, &wanted.1, without_turns(&wanted.2));
        let of_moment = self.recording.events().iter().filter(|event| event.at == at);
        let facts = of_moment.map(|event| self.fact(event));
        facts.filter(|fact| fact.1 == *who && without_turns(&fact.2) == what).count()
    }

    /// The text with the number after each counter's name replaced by what it stands for.
    fn by_birth(&self, text: &str) -> String {
        let mut rest = text;
        let mut kept = String::new();
        loop {
            let next =
                COUNTERS.iter().filter_map(|name| rest.find(name).map(|at| (at, *name))).min();
            let Some((at, name)) = next else { break };
            let (before, after) = rest.split_at(at + name.len());
            kept.push_str(before);
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let number = after[..digits].parse().ok();
            if let Some(birth) = number.and_then(|number| self.births.get(&(name, number))) {
                kept.push_str(birth);
            }
            rest = &after[digits..];
        }
        kept.push_str(rest);
        kept
    }
}

fn without_turns(what: &str) -> String {
    let mut parts = what.split(", turn ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.trim_start_matches(|it: char| it.is_ascii_digit()))
}
