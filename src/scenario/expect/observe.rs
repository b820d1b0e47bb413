//! Runs a scenario and writes down what its expectations ask about.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::expectation::{Check, When};
use super::sample::{Sample, Who, broker_label};
use crate::model::ids::{CallId, ProcessIndex, QueueId, TopicName};
use crate::model::message::StoredMessage;
use crate::model::time::Millis;
use crate::model::topic::{is_dlq_topic, is_retry_topic};
use crate::scenario::Scenario;
use crate::sim::event::{Actor, ConsumeOutcome, Event, EventKind, PostponeReason, RequestDetail};
use crate::sim::packet::{Machine, RequestCode, ResponseCode};
use crate::sim::{Simulation, TaskBudget};

/// A message where it was first stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    pub key: Rc<str>,
    pub topic: TopicName,
    pub queue_id: QueueId,
    pub queue_offset: i64,
    pub broker: String,
}

/// One message in one listener call.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub at: Millis,
    pub key: Rc<str>,
    pub who: Who,
    pub message: Rc<StoredMessage>,
    pub reconsume_times: i32,
    /// The broker that the pull was sent to.
    pub broker: String,
}

/// Whose calls begin or end.
#[derive(Clone, Debug)]
pub struct Call {
    pub at: Millis,
    pub who: Who,
    pub messages: u32,
}

/// A postponed or refused pull.
#[derive(Clone, Debug)]
pub struct Setback {
    pub at: Millis,
    pub who: Who,
    pub topic: TopicName,
    pub queue_id: QueueId,
    /// `count`, `size`, `span`, ..., or a response code.
    pub why: String,
}

/// Everything that was written down.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    pub sent: Vec<Sent>,
    pub deliveries: Vec<Delivery>,
    pub begun: Vec<Call>,
    pub ended: Vec<Call>,
    /// Moments at which a message was consumed with success.
    pub completed: Vec<Millis>,
    pub postponed: Vec<Setback>,
    pub refused: Vec<Setback>,
    /// Next offsets of pulls, as each answer or assignment set them.
    pub next_offsets: Vec<(Millis, Who, TopicName, QueueId, i64)>,
    pub samples: BTreeMap<Millis, Sample>,
    /// Commands that made no sense at their moment.
    pub command_refusals: Vec<(Millis, String)>,
    pub until: Millis,
    pulls: BTreeMap<CallId, (TopicName, QueueId, Machine)>,
    pulled_from: BTreeMap<(ProcessIndex, TopicName, QueueId), Machine>,
    /// Batches of which this many messages are still to be told.
    beginning_left: BTreeMap<(Who, u32), u32>,
    ending_left: BTreeMap<(Who, u32), u32>,
    known: BTreeSet<(TopicName, Rc<str>)>,
}

/// How often a state is looked at that has to last.
const LOOK_EVERY: Millis = Millis::new(100);

/// Runs a scenario to its end.
pub fn observe(scenario: &Scenario) -> Observed {
    let until = scenario.until;
    let mut observed = Observed { until, ..Observed::default() };
    let mut simulation = scenario.simulation();
    for at in moments(scenario) {
        simulation.run_until(at, TaskBudget::UNLIMITED);
        observed.take(&mut simulation);
        observed.samples.insert(at, Sample::of(&simulation));
    }
    simulation.run_until(until, TaskBudget::UNLIMITED);
    observed.take(&mut simulation);
    observed
}

/// The moments at which some expectation looks at the state.
fn moments(scenario: &Scenario) -> BTreeSet<Millis> {
    let mut moments = BTreeSet::from([scenario.until]);
    for expectation in &scenario.expectations {
        match &expectation.check {
            Check::Winner { at, .. } => {
                moments.insert(*at);
            }
            check => match check.when() {
                Some(When::At(at)) => {
                    moments.insert(at);
                }
                Some(When::From(from)) => {
                    let mut at = from;
                    while at < scenario.until {
                        moments.insert(at);
                        at += LOOK_EVERY;
                    }
                }
                Some(When::End) | None => {}
            },
        }
    }
    moments.retain(|at| *at <= scenario.until);
    moments
}

impl Check {
    /// When it looks at the state, if it does.
    pub fn when(&self) -> Option<When> {
        match self {
            Check::Committed { when, .. }
            | Check::LocalOffset { when, .. }
            | Check::MaxOffset { when, .. }
            | Check::Owner { when, .. }
            | Check::Orphan { when, .. }
            | Check::OwnerCount { when, .. }
            | Check::Cached { when, .. }
            | Check::InListener { when, .. }
            | Check::NextPullOffset { when, .. } => Some(*when),
            _ => None,
        }
    }
}

impl Observed {
    fn take(&mut self, simulation: &mut Simulation) {
        for event in simulation.take_events() {
            self.event(simulation, &event);
        }
    }

    fn event(&mut self, simulation: &Simulation, event: &Event) {
        let world = simulation.world();
        if let EventKind::MessageStored { message } = &event.kind {
            self.stored(message);
        }
        if let EventKind::CommandRefused { error, .. } = &event.kind {
            self.command_refusals.push((event.at, error.to_string()));
        }
        let Actor::Machine(Machine::Client(process)) = event.actor else { return };
        let who = Who::of(world, process);
        let at = event.at;
        match &event.kind {
            EventKind::ConsumeStarted {
                client_thread, message, reconsume_times, batch, ..
            } => {
                let left = self.beginning_left.entry((who.clone(), *client_thread)).or_insert(0);
                let call = Call { at, who: who.clone(), messages: *batch };
                count_call(&mut self.begun, left, call);
                let from = (process, message.topic.clone(), message.queue_id);
                let broker = match self.pulled_from.get(&from) {
                    Some(Machine::Broker(index)) => {
                        let broker = world.broker(*index);
                        broker_label(&broker.name, broker.broker_id)
                    }
                    _ => message.broker_name.to_string(),
                };
                let (message, reconsume_times) = (message.clone(), *reconsume_times);
                let key = key_of(&message);
                self.deliveries.push(Delivery { at, key, who, message, reconsume_times, broker });
            }
            EventKind::ConsumeEnded { outcome, batch, client_thread, .. } => {
                if *outcome == ConsumeOutcome::Succeeded {
                    self.completed.push(at);
                }
                let left = self.ending_left.entry((who.clone(), *client_thread)).or_insert(0);
                count_call(&mut self.ended, left, Call { at, who, messages: *batch });
            }
            EventKind::PullPostponed { queue, reason, .. } => self.postponed.push(Setback {
                at,
                who,
                topic: queue.topic.clone(),
                queue_id: queue.queue_id,
                why: reason_word(*reason).to_owned(),
            }),
            EventKind::QueueAssigned { queue, next_offset, .. }
            | EventKind::PullAnswered { queue, next_offset, .. } => self.next_offsets.push((
                at,
                who,
                queue.topic.clone(),
                queue.queue_id,
                next_offset.0,
            )),
            EventKind::RequestSent {
                call,
                to,
                detail: RequestDetail::Pull { topic, queue_id, .. },
                ..
            } => {
                self.pulls.insert(*call, (topic.clone(), *queue_id, *to));
            }
            EventKind::ResponseReceived { call, of: RequestCode::PullMessage, code, .. } => {
                self.pull_answered(at, process, who, *call, *code);
            }
            _ => {}
        }
    }

    fn stored(&mut self, message: &Rc<StoredMessage>) {
        let key = key_of(message);
        let topic = match &message.properties.real_topic {
            Some(topic) => topic,
            None => &message.topic,
        };
        let is_sent = !is_retry_topic(topic) && !is_dlq_topic(topic);
        if is_sent && self.known.insert((topic.clone(), key.clone())) {
            self.sent.push(Sent {
                key,
                topic: topic.clone(),
                queue_id: message.properties.real_queue_id.unwrap_or(message.queue_id),
                queue_offset: message.queue_offset.0,
                broker: message.broker_name.to_string(),
            });
        }
    }

    fn pull_answered(
        &mut self,
        at: Millis,
        process: ProcessIndex,
        who: Who,
        call: CallId,
        code: ResponseCode,
    ) {
        let Some((topic, queue_id, to)) = self.pulls.remove(&call) else { return };
        match code {
            ResponseCode::Success => {
                self.pulled_from.insert((process, topic, queue_id), to);
            }
            ResponseCode::PullNotFound
            | ResponseCode::PullRetryImmediately
            | ResponseCode::PullOffsetMoved => {}
            code => {
                let why = code.name().to_owned();
                self.refused.push(Setback { at, who, topic, queue_id, why });
            }
        }
    }
}

/// One message of a listener call is told; the first one of a batch stands for the call.
fn count_call(calls: &mut Vec<Call>, left: &mut u32, call: Call) {
    if *left == 0 {
        *left = call.messages;
        calls.push(call);
    }
    *left -= 1;
}

/// What people call the message.
pub fn key_of(message: &StoredMessage) -> Rc<str> {
    let key = message.body.key.as_ref();
    Rc::from(key.map_or("", |key| key.as_str()))
}

/// The reason of a postponed pull in a file's word.
fn reason_word(reason: PostponeReason) -> &'static str {
    match reason {
        PostponeReason::NotRunning => "notRunning",
        PostponeReason::Paused => "paused",
        PostponeReason::Count => "count",
        PostponeReason::Size => "size",
        PostponeReason::Span => "span",
        PostponeReason::NotLocked => "notLocked",
        PostponeReason::NoSubscription => "noSubscription",
        PostponeReason::Error => "error",
    }
}
