//! From a filled-in form to a command, or to the sentence that says what is wrong with it.

use std::rc::Rc;

use super::around::{Around, ClientFact};
use super::fields::{self, ANY, Field, INTERRUPTS, Kind, RESULTS};
use super::{Draft, FaultField as F, FaultText, Target, Verb};
use crate::model::config::{ConsumerSpec, SubscriptionGroupConfig};
use crate::model::ids::{BrokerName, MessageKey, TopicName};
use crate::model::listener::{
    ListenerBehavior, ListenerResult, ListenerScript, ListenerStep, OnInterrupt,
};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;
use crate::model::topic::Permission;
use crate::scenario::duration;
use crate::sim::command::{BrokerStop, Command, Party, QueueChoice, SendMessages};
use crate::sim::packet::RequestCode;

/// The command of a draft at a moment.
///
/// # Errors
/// What is wrong, as a sentence about the field.
pub fn command(draft: &Draft, around: &Around) -> Result<Command, FaultText> {
    let (Some(target), Some(verb)) = (&draft.target, draft.verb) else {
        return Err(FaultText::NothingToActOn);
    };
    let form = Form { draft, fields: fields::of(verb, target, around, draft.property()) };
    match target {
        Target::Client(client_id) => {
            let client = around.client(client_id).ok_or(FaultText::NothingToActOn)?;
            of_client(verb, client, around, &form)
        }
        Target::Producer(client_id) if verb == Verb::StartProducer => {
            let producer = around.producer(client_id).ok_or(FaultText::NothingToActOn)?;
            Ok(Command::StartProducer((*producer.spec).clone()))
        }
        Target::Producer(client_id) => Ok(Command::StopProducer { client_id: client_id.clone() }),
        Target::Broker(name, broker_id) => of_broker(verb, name, *broker_id, &form),
        Target::Queue(queue) => of_queue(verb, queue, around, &form),
        Target::NameServer if verb == Verb::StartNameServer => Ok(Command::StartNameServer),
        Target::NameServer => Ok(Command::StopNameServer),
        Target::Link(a, b) => of_link(verb, a, b, &form),
        Target::Group => {
            let group = around.group.clone().ok_or(FaultText::NothingToActOn)?;
            if verb == Verb::RetryQueues {
                let SubscriptionGroupConfig { retry_max_times, .. } =
                    SubscriptionGroupConfig::default();
                let retry_queue_nums = form.count(F::Queues)?;
                return Ok(Command::UpdateGroup { group, retry_queue_nums, retry_max_times });
            }
            let topic = TopicName::new(form.words(F::Topic)?);
            let at = form.span(F::Moment)?;
            let timestamp = i64::try_from(at.ms()).unwrap_or(i64::MAX);
            Ok(Command::ResetOffset { group, topic, timestamp, force: true })
        }
    }
}

/// What was filled in, read by the fields' own rules.
struct Form<'a> {
    draft: &'a Draft,
    fields: Vec<Field>,
}

impl Form<'_> {
    fn text(&self, name: F) -> Result<(&str, &Field), FaultText> {
        let field = self.fields.iter().find(|field| field.name == name);
        let field = field.ok_or(FaultText::NothingToActOn)?;
        let written = self.draft.values.get(&name).unwrap_or(&field.default).trim();
        match written.is_empty() && field.empty.is_none() {
            true => Err(FaultText::Missing { field: name }),
            false => Ok((written, field)),
        }
    }

    fn words(&self, name: F) -> Result<String, FaultText> {
        let (written, field) = self.text(name)?;
        match &field.kind {
            Kind::Choice(choices) if !choices.iter().any(|it| it.value == written) => {
                Err(FaultText::UnknownChoice { field: name, found: written.into() })
            }
            _ => Ok(written.to_owned()),
        }
    }

    fn span(&self, name: F) -> Result<Millis, FaultText> {
        let (written, _) = self.text(name)?;
        let found = || FaultText::NotASpan { field: name, found: written.into() };
        duration::parse(written).ok_or_else(found)
    }

    /// Nothing, where nothing was written.
    fn span_if_any(&self, name: F) -> Result<Option<Millis>, FaultText> {
        match self.text(name)?.0.is_empty() {
            true => Ok(None),
            false => self.span(name).map(Some),
        }
    }

    fn number(&self, name: F) -> Result<i64, FaultText> {
        let (written, field) = self.text(name)?;
        let not_one = || FaultText::NotANumber { field: name, found: written.into() };
        let number: i64 = written.parse().map_err(|_| not_one())?;
        match field.kind {
            Kind::Number { least, most } if !(least..=most).contains(&number) => {
                Err(FaultText::OutOfRange { field: name, least, most })
            }
            _ => Ok(number),
        }
    }

    fn count(&self, name: F) -> Result<u32, FaultText> {
        Ok(u32::try_from(self.number(name)?).unwrap_or(u32::MAX))
    }
}

fn of_client(
    verb: Verb,
    client: &ClientFact,
    around: &Around,
    form: &Form<'_>,
) -> Result<Command, FaultText> {
    let client_id = client.client_id.clone();
    let group = || around.group.clone().ok_or(FaultText::NothingToActOn);
    Ok(match verb {
        Verb::Crash => Command::CrashConsumer { client_id },
        Verb::LoseHost => Command::LoseHost { client_id },
        Verb::Stop => Command::StopConsumer { client_id, group: None },
        Verb::Freeze => Command::FreezeClient { client_id, duration: form.span_if_any(F::Span)? },
        Verb::Resume => Command::ResumeClient { client_id },
        Verb::Restart => started(client, |spec| spec.process = None)?,
        // A label of its own: another process, though the client id is the same.
        Verb::Twin => started(client, |spec| spec.process = Some(format!("{client_id}-twin")))?,
        Verb::Another => {
            let name = around.new_client.clone().ok_or(FaultText::NothingToActOn)?;
            started(client, |spec| {
                spec.client_id = name;
                spec.process = None;
            })?
        }
        Verb::Unsubscribe => Command::Unsubscribe {
            client_id,
            group: group()?,
            topic: TopicName::new(form.words(F::Topic)?),
        },
        Verb::Subscribe => Command::Subscribe {
            client_id,
            group: group()?,
            topic: TopicName::new(form.words(F::Topic)?),
            expression: form.words(F::Expression)?,
        },
        Verb::Listener => {
            let listener = Box::new(listener(client, form)?);
            Command::SetListener { client_id, group: None, listener }
        }
        Verb::OnInterrupt => {
            Command::SetOnInterrupt { client_id, on_interrupt: on_interrupt(form)? }
        }
        Verb::PausePulling => Command::PausePulling { client_id },
        Verb::ResumePulling => Command::ResumePulling { client_id },
        Verb::SetProperty => Command::SetConsumerProperty {
            client_id,
            name: form.words(F::Property)?,
            value: form.number(F::Value)?,
        },
        Verb::SkewClock => {
            let (written, _) = form.text(F::Skew)?;
            let wrong = || FaultText::NotASpan { field: F::Skew, found: written.into() };
            let by_ms = duration::parse_signed(written).ok_or_else(wrong)?;
            Command::SkewClock { client_id, by_ms }
        }
        Verb::HalfOpen => Command::HalfOpenReconnect { client_id },
        Verb::SkipHeartbeat => Command::SkipHeartbeat { client_id },
        _ => return Err(FaultText::NothingToActOn),
    })
}

fn started(
    client: &ClientFact,
    change: impl FnOnce(&mut ConsumerSpec),
) -> Result<Command, FaultText> {
    let spec: &Rc<ConsumerSpec> = client.spec.as_ref().ok_or(FaultText::NothingToActOn)?;
    let mut spec = (**spec).clone();
    change(&mut spec);
    Ok(Command::StartConsumer(Box::new(spec)))
}

/// The client's listener with another behaviour, for one key or for all.
fn listener(client: &ClientFact, form: &Form<'_>) -> Result<ListenerBehavior, FaultText> {
    let name = form.words(F::Result)?;
    let result = match RESULTS.iter().position(|(known, _)| *known == name) {
        Some(1) => ListenerResult::Success,
        Some(2) => ListenerResult::Throws,
        Some(3) => ListenerResult::Null,
        Some(4) => ListenerResult::Never,
        Some(5) => ListenerResult::Commit,
        Some(6) => ListenerResult::Rollback,
        _ => ListenerResult::Later,
    };
    let takes = form.span(F::Takes)?;
    let acked = match form.text(F::Acked)?.0.is_empty() {
        true => None,
        // ackIndex counts from 0: n messages are done up to n − 1, none at all up to −1.
        false => Some(form.number(F::Acked)? as i32 - 1),
    };
    let step = ListenerStep { result, ack_index: acked, ..ListenerStep::ok().taking(takes) };
    let times = form.count(F::Times)?;
    let again = (1..times).map(|_| step);
    let script = match result {
        ListenerResult::Success | ListenerResult::Commit => ListenerScript::always(step),
        _ => ListenerScript::new(step, again.chain([ListenerStep::ok().taking(takes)])),
    };
    let mut changed = client.listener.clone();
    match form.words(F::Key)? {
        key if key.is_empty() => changed.default_script = script,
        key => {
            let key = MessageKey::new(&key);
            changed.by_key.retain(|(known, _)| *known != key);
            changed.by_key.push((key, script));
        }
    }
    Ok(changed)
}

fn on_interrupt(form: &Form<'_>) -> Result<OnInterrupt, FaultText> {
    let name = form.words(F::Interrupt)?;
    Ok(match INTERRUPTS.iter().position(|(known, _)| *known == name) {
        Some(1) => OnInterrupt::EndsEarly,
        Some(2) => OnInterrupt::Succeeds,
        Some(3) => OnInterrupt::Fails,
        _ => OnInterrupt::Ignores,
    })
}

fn of_broker(
    verb: Verb,
    name: &BrokerName,
    broker_id: u32,
    form: &Form<'_>,
) -> Result<Command, FaultText> {
    let broker_name = name.clone();
    Ok(match verb {
        Verb::StopBroker => {
            Command::StopBroker { broker_name, broker_id, how: BrokerStop::Graceful }
        }
        Verb::KillBroker => {
            let how = BrokerStop::Kill { lost_tail: form.count(F::LostTail)? };
            Command::StopBroker { broker_name, broker_id, how }
        }
        Verb::StartBroker => Command::StartBroker { broker_name, broker_id },
        Verb::FreezeBroker => {
            Command::FreezeBroker { broker_name, duration: form.span_if_any(F::Span)? }
        }
        Verb::ResumeBroker => Command::ResumeBroker { broker_name },
        Verb::ForbidWrites => Command::SetBrokerWritable { broker_name, writable: false },
        Verb::AllowWrites => Command::SetBrokerWritable { broker_name, writable: true },
        Verb::SlowStore => Command::SlowStore { broker_name, by: form.span(F::Span)? },
        Verb::SetBrokerProperty => Command::SetBrokerProperty {
            broker_name,
            name: form.words(F::Property)?,
            value: form.number(F::Value)?,
        },
        Verb::CreateTopic => Command::CreateTopic {
            topic: TopicName::new(form.words(F::Topic)?),
            broker_name: Some(broker_name),
            queue_nums: form.count(F::Queues)?,
        },
        Verb::FirstOnDisk | Verb::FirstInMemory => {
            Command::SetFirstMessageInMemory { broker_name, in_memory: verb == Verb::FirstInMemory }
        }
        _ => return Err(FaultText::NothingToActOn),
    })
}

fn of_queue(
    verb: Verb,
    queue: &MessageQueue,
    around: &Around,
    form: &Form<'_>,
) -> Result<Command, FaultText> {
    let MessageQueue { topic, broker_name, queue_id } = queue.clone();
    Ok(match verb {
        Verb::SendHere => {
            let queue = QueueChoice::Fixed { broker_name: Some(broker_name), queue_id };
            let key = around.new_key.clone();
            Command::SendMessages(SendMessages { key, queue, ..SendMessages::one(topic) })
        }
        Verb::AddQueues => {
            let queues = form.count(F::Queues)?;
            Command::UpdateTopic {
                topic,
                broker_name: Some(broker_name),
                read_queue_nums: queues,
                write_queue_nums: queues,
                permission: Permission::READ_WRITE,
            }
        }
        Verb::ExpireHead => Command::ExpireHead {
            broker_name,
            topic,
            queue_id,
            min_offset: QueueOffset(form.number(F::Offset)?),
        },
        Verb::SetOffset => Command::SetOffset {
            group: around.group.clone().ok_or(FaultText::NothingToActOn)?,
            topic,
            broker_name: Some(broker_name),
            queue_id,
            offset: QueueOffset(form.number(F::Offset)?),
        },
        _ => return Err(FaultText::NothingToActOn),
    })
}

fn of_link(verb: Verb, a: &Party, b: &Party, form: &Form<'_>) -> Result<Command, FaultText> {
    let (a, b) = (a.clone(), b.clone());
    Ok(match verb {
        Verb::CutBothWays => Command::Partition { a, b, one_way: false },
        Verb::CutOneWay => Command::Partition { a, b, one_way: true },
        Verb::Heal => Command::Heal { a, b },
        Verb::Latency => {
            let (from, to) = (form.span(F::From)?, form.span(F::To)?);
            if from > to {
                return Err(FaultText::FromAfterTo);
            }
            Command::SetLatency { a, b, from, to }
        }
        Verb::LoseRequests | Verb::LoseAnswers => Command::DropNext {
            from: a,
            to: b,
            code: request_code(form)?,
            count: form.count(F::Count)?,
            only_response: verb == Verb::LoseAnswers,
        },
        Verb::DoubleRequests | Verb::DoubleAnswers => {
            let later = form.span(F::Later)?;
            Command::DuplicateNext {
                from: a,
                to: b,
                code: code_if_any(form)?,
                count: form.count(F::Count)?,
                only_response: verb == Verb::DoubleAnswers,
                later,
                later_at_most: form.span_if_any(F::LaterAtMost)?.unwrap_or(later).max(later),
            }
        }
        Verb::ReorderRequests | Verb::ReorderAnswers => Command::ReorderNext {
            from: a,
            to: b,
            code: code_if_any(form)?,
            count: form.count(F::Count)?,
            only_response: verb == Verb::ReorderAnswers,
            at_most: form.span(F::HeldAtMost)?,
        },
        _ => return Err(FaultText::NothingToActOn),
    })
}

fn request_code(form: &Form<'_>) -> Result<RequestCode, FaultText> {
    let number = form.words(F::Code)?;
    let known = RequestCode::ALL.into_iter().find(|it| it.number().to_string() == number);
    known.ok_or_else(|| FaultText::UnknownChoice { field: F::Code, found: number.into() })
}

/// Nothing, where any is meant.
fn code_if_any(form: &Form<'_>) -> Result<Option<RequestCode>, FaultText> {
    match form.words(F::Code)? == ANY {
        true => Ok(None),
        false => request_code(form).map(Some),
    }
}
