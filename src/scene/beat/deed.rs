//! The beat of what a person does where nothing follows that would have one: a setting, a listener, a
//! packet that is to be lost. A person's act is always the subject, so it always has a beat.

use super::BeatKind;
use super::draft::Draft;
use super::life::of_life;
use crate::model::ids::{BrokerIndex, BrokerName, ClientId, GroupName, QueueId, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::recording::Recording;
use crate::scene::mark::MarkId;
use crate::sim::command::{Command, Party};
use crate::sim::event::{Event, EventKind};
use crate::sim::world::World;

/// The name of the first NameServer.
const NAME_SERVER: MarkId = MarkId::NameServer(0);

/// The beat of a person's command; `None` where its own task tells of it, or leads to what does.
pub(super) fn of_deed(event: &Event, recording: &Recording) -> Option<Draft> {
    let EventKind::CommandApplied { index } = &event.kind else { return None };
    let place = (*index as usize).checked_sub(recording.start().script.len())?;
    let command = &recording.interventions().get(place)?.command;
    let later = recording.events().iter_from(event.sequence as usize + 1);
    let mut follows = later.take_while(|after| after.task == event.task);
    if follows.any(leads_on) {
        return None;
    }
    let mut marks = Subjects { recording, at: event.at }.of(command).into_iter();
    let draft = Draft::new(BeatKind::Change, marks.next()?);
    Some(marks.fold(draft, Draft::lit))
}

fn leads_on(event: &Event) -> bool {
    matches!(event.kind, EventKind::SendAsked { .. } | EventKind::OffsetCommitted { .. })
        || of_life(event).is_some()
}

struct Subjects<'a> {
    recording: &'a Recording,
    at: Millis,
}

impl Subjects<'_> {
    fn world(&self) -> &World {
        self.recording.head().world()
    }

    /// What a command is about, the nearest first.
    fn of(&self, command: &Command) -> Vec<MarkId> {
        use Command as C;
        let marks = match command {
            C::StopProducer { client_id }
            | C::StopConsumer { client_id, .. }
            | C::CrashConsumer { client_id }
            | C::LoseHost { client_id }
            | C::FreezeClient { client_id, .. }
            | C::ResumeClient { client_id }
            | C::Subscribe { client_id, .. }
            | C::Unsubscribe { client_id, .. }
            | C::SetListener { client_id, .. }
            | C::SetOnInterrupt { client_id, .. }
            | C::PausePulling { client_id }
            | C::ResumePulling { client_id }
            | C::SetConsumerProperty { client_id, .. }
            | C::SkewClock { client_id, .. }
            | C::SkipHeartbeat { client_id }
            | C::HalfOpenReconnect { client_id } => vec![self.client(client_id)],
            C::StartProducer(spec) => vec![self.client(&spec.client_id)],
            C::StartConsumer(spec) => vec![self.client(&spec.client_id)],
            C::SendMessages(send) => vec![self.queue(&send.topic, None, QueueId(0))],
            C::CreateTopic { broker_name, .. } | C::UpdateTopic { broker_name, .. } => {
                self.brokers(broker_name.as_ref())
            }
            C::StopBroker { broker_name, broker_id, .. }
            | C::StartBroker { broker_name, broker_id } => {
                vec![self.broker(broker_name, *broker_id)]
            }
            C::FreezeBroker { broker_name, .. }
            | C::ResumeBroker { broker_name }
            | C::SetBrokerWritable { broker_name, .. }
            | C::SlowStore { broker_name, .. }
            | C::SetFirstMessageInMemory { broker_name, .. }
            | C::SetBrokerProperty { broker_name, .. } => vec![self.broker(broker_name, 0)],
            C::ExpireHead { broker_name, topic, queue_id, .. } => {
                vec![self.queue(topic, Some(broker_name), *queue_id)]
            }
            C::UpdateGroup { group, .. } => self.of_group(group),
            C::StopNameServer | C::StartNameServer => vec![Some(NAME_SERVER)],
            C::Partition { a, b, .. } | C::Heal { a, b } | C::SetLatency { a, b, .. } => {
                vec![self.party(a), self.party(b)]
            }
            C::DropNext { from, to, .. }
            | C::DuplicateNext { from, to, .. }
            | C::ReorderNext { from, to, .. } => vec![self.party(from), self.party(to)],
            C::ResetOffset { topic, .. } => vec![self.queue(topic, None, QueueId(0))],
            C::SetOffset { topic, broker_name, queue_id, .. } => {
                vec![self.queue(topic, broker_name.as_ref(), *queue_id)]
            }
        };
        marks.into_iter().flatten().collect()
    }

    fn client(&self, client_id: &ClientId) -> Option<MarkId> {
        let clients = self.world().clients.iter();
        let mut known = clients.filter(|it| it.client_id == *client_id && it.started_at <= self.at);
        known.next_back().map(|client| MarkId::Consumer(client.process))
    }

    fn broker(&self, name: &BrokerName, broker_id: u32) -> Option<MarkId> {
        self.world().broker_named(name, broker_id).map(MarkId::Broker)
    }

    fn brokers(&self, name: Option<&BrokerName>) -> Vec<Option<MarkId>> {
        match name {
            Some(name) => vec![self.broker(name, 0)],
            None => {
                let count = self.world().brokers.len();
                (0..count).map(|index| Some(MarkId::Broker(BrokerIndex(index as _)))).collect()
            }
        }
    }

    fn queue(
        &self,
        topic: &TopicName,
        broker_name: Option<&BrokerName>,
        queue_id: QueueId,
    ) -> Option<MarkId> {
        let first = || self.world().brokers.first().map(|broker| broker.name.clone());
        let name = broker_name.cloned().or_else(first)?;
        Some(MarkId::Queue(MessageQueue::new(topic.clone(), name, queue_id)))
    }

    fn of_group(&self, group: &GroupName) -> Vec<Option<MarkId>> {
        let clients = self.world().clients.iter();
        let of_group = clients.filter(|client| client.consumers.contains_key(group));
        of_group.map(|client| Some(MarkId::Consumer(client.process))).collect()
    }

    fn party(&self, party: &Party) -> Option<MarkId> {
        match party {
            Party::NameServer => Some(NAME_SERVER),
            Party::Broker(name) => self.broker(name, 0),
            Party::Client(client_id) => self.client(client_id),
        }
    }
}
