//! Which verbs a thing has at a moment, and which of them ask for something first.

use super::around::{Around, BrokerFact, ClientFact, ClientState};
use super::{Target, Verb, fields};
use crate::scene::mark::MarkId;
use crate::scene::scene::{self, Scene};
use crate::sim::command::Party;

/// The verbs of a target, those that are asked for most first.
pub fn of(target: &Target, around: &Around) -> Vec<Verb> {
    match target {
        Target::Client(client_id) => around.client(client_id).map(of_client).unwrap_or_default(),
        Target::Producer(client_id) => match around.producer(client_id) {
            Some(producer) if producer.is_up => vec![Verb::StopProducer],
            Some(_) => vec![Verb::StartProducer],
            None => Vec::new(),
        },
        Target::Broker(name, broker_id) => {
            around.broker(name, *broker_id).map(of_broker).unwrap_or_default()
        }
        Target::Queue(queue) => match crate::scene::cast::is_user_topic(&queue.topic) {
            true => vec![Verb::SendHere, Verb::SetOffset, Verb::ExpireHead, Verb::AddQueues],
            false => vec![Verb::SetOffset],
        },
        Target::NameServer if around.is_name_server_up => vec![Verb::StopNameServer],
        Target::NameServer => vec![Verb::StartNameServer],
        Target::Link(..) => vec![
            Verb::CutBothWays,
            Verb::CutOneWay,
            Verb::Heal,
            Verb::LoseRequests,
            Verb::LoseAnswers,
            Verb::DoubleRequests,
            Verb::DoubleAnswers,
            Verb::ReorderRequests,
            Verb::ReorderAnswers,
            Verb::Latency,
        ],
        Target::Group => vec![Verb::ResetOffset, Verb::RetryQueues],
    }
}

fn of_client(client: &ClientFact) -> Vec<Verb> {
    match client.state {
        ClientState::Gone => vec![Verb::Restart],
        ClientState::Frozen => vec![Verb::Resume, Verb::Crash, Verb::LoseHost],
        ClientState::Running => vec![
            Verb::Crash,
            Verb::Stop,
            Verb::Freeze,
            Verb::LoseHost,
            Verb::Listener,
            if client.is_paused { Verb::ResumePulling } else { Verb::PausePulling },
            Verb::SetProperty,
            Verb::Unsubscribe,
            Verb::Subscribe,
            Verb::OnInterrupt,
            Verb::SkewClock,
            Verb::HalfOpen,
            Verb::SkipHeartbeat,
            Verb::Twin,
            Verb::Another,
        ],
    }
}

fn of_broker(broker: &BrokerFact) -> Vec<Verb> {
    match (broker.is_up, broker.broker_id) {
        (false, _) => vec![Verb::StartBroker],
        (true, 1..) => vec![Verb::KillBroker, Verb::StopBroker],
        (true, 0) if broker.is_frozen => vec![Verb::ResumeBroker, Verb::KillBroker],
        (true, 0) => vec![
            Verb::KillBroker,
            Verb::StopBroker,
            Verb::FreezeBroker,
            if broker.is_writable { Verb::ForbidWrites } else { Verb::AllowWrites },
            Verb::SlowStore,
            Verb::SetBrokerProperty,
            Verb::CreateTopic,
            if broker.is_first_in_memory { Verb::FirstOnDisk } else { Verb::FirstInMemory },
        ],
    }
}

/// Whether a verb asks for something before it can be done.
pub fn wants_fields(verb: Verb, target: &Target, around: &Around) -> bool {
    !fields::of(verb, target, around, None).is_empty()
}

/// What one acts on by acting on a mark of the stage.
pub fn target_of(mark: &MarkId, scene: &Scene) -> Option<Target> {
    let client = |process| {
        let consumer = scene.consumer(process)?;
        Some(Target::Client(consumer.client_id.clone()))
    };
    let broker = |index| {
        let broker = scene.broker(index)?;
        Some(Target::Broker(broker.name.clone(), broker.broker_id))
    };
    match mark {
        MarkId::NameServer(_) => Some(Target::NameServer),
        MarkId::Producer(process) => {
            let mut producers = scene.producers.iter();
            let found = producers.find(|producer| producer.process == *process)?;
            Some(Target::Producer(found.client_id.clone()))
        }
        MarkId::Broker(index) | MarkId::CommitLog(index) | MarkId::BrokerLedger(index) => {
            broker(*index)
        }
        MarkId::DelayLevel { broker: index, .. } => broker(*index),
        MarkId::Queue(queue) => Some(Target::Queue(queue.clone())),
        // The lock is the owner's to give up.
        MarkId::Lock(queue) => {
            let locks = scene.brokers.iter().flat_map(|broker| &broker.locks);
            let owner = locks.filter(|lock| lock.queue == *queue).map(|lock| &lock.owner).next()?;
            let found = scene.consumers.iter().find(|consumer| consumer.label == *owner)?;
            Some(Target::Client(found.client_id.clone()))
        }
        MarkId::DeadLetters(queue) => {
            let found = scene.brokers.iter().find(|it| it.name == queue.broker_name)?;
            Some(Target::Broker(found.name.clone(), found.broker_id))
        }
        MarkId::Copy(_) | MarkId::Message(_) => holder(mark, scene),
        MarkId::Call(call) => {
            let call = scene.calls.iter().find(|it| it.id == *call)?;
            Some(Target::Link(party(call.from, scene)?, party(call.to, scene)?))
        }
        MarkId::Consumer(process)
        | MarkId::ConsumeRequests(process)
        | MarkId::ConsumerLedger(process)
        | MarkId::Rebalance(process)
        | MarkId::Pull { process, .. }
        | MarkId::Shelf { process, .. }
        | MarkId::Belief { process, .. }
        | MarkId::Worker { process, .. } => client(*process),
    }
}

/// Whoever has the message, or would get it next: its listener decides what becomes of it.
fn holder(mark: &MarkId, scene: &Scene) -> Option<Target> {
    let is_it = |card: &crate::scene::card::Card| match mark {
        MarkId::Copy(copy) => card.copy == *copy,
        MarkId::Message(key) => card.unique_key == *key,
        _ => false,
    };
    let has = scene.consumers.iter().find(|consumer| {
        let seated = consumer.workers.seats.iter().filter_map(|seat| seat.card.as_ref());
        let mut cards = consumer.shelves.iter().flat_map(|shelf| &shelf.cards).chain(seated);
        cards.any(is_it)
    });
    let reader = || {
        let queues = scene.brokers.iter().flat_map(|it| it.queues.iter().chain(&it.retry_queues));
        let mut queues = queues.filter(|queue| queue.slots.iter().any(is_it));
        let label = queues.find_map(|queue| queue.reader.clone())?;
        scene.consumers.iter().find(|consumer| consumer.label == label)
    };
    let found = has.or_else(reader).or_else(|| scene.consumers.first())?;
    Some(Target::Client(found.client_id.clone()))
}

fn party(party: scene::Party, scene: &Scene) -> Option<Party> {
    Some(match party {
        scene::Party::NameServer(_) => Party::NameServer,
        scene::Party::Broker(index) => Party::Broker(scene.broker(index)?.name.clone()),
        scene::Party::Consumer(process) => {
            Party::Client(scene.consumer(process)?.client_id.clone())
        }
        scene::Party::Producer(process) => {
            let mut producers = scene.producers.iter();
            Party::Client(producers.find(|it| it.process == process)?.client_id.clone())
        }
    })
}
