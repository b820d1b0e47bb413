//! What the "Do" panel asks for, in the words of the page, and the command that it comes to.

use std::rc::Rc;

use crate::model::config::ConsumerSpec;
use crate::model::ids::{BrokerName, ClientId, GroupName, MessageKey, QueueId, TopicName};
use crate::model::listener::{ListenerScript, ListenerStep};
use crate::model::time::Millis;
use crate::scenario::Scenario;
use crate::sim::command::{BrokerStop, Command, QueueChoice, SendMessages};

/// One wish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    Send(Sending),
    /// One more member of the group, configured as the others are.
    AddConsumer,
    Stop(ClientId),
    Crash(ClientId),
    Freeze(ClientId, Millis),
    Resume(ClientId),
    StopBroker(BrokerName),
    StartBroker(BrokerName),
    /// Anything else, as a form or an object's own verb made it.
    Do(Box<Command>),
}

/// A message as the form describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sending {
    pub count: u32,
    /// `None`: as the producer picks.
    pub queue: Option<u32>,
    /// How often the listener refuses it before it succeeds.
    pub fails: Fails,
    /// How long each call takes.
    pub takes: Millis,
    /// The user's own delay level; 0 for none.
    pub delay_level: i32,
}

/// How often a listener refuses a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    Times(u32),
    /// Until it is dead.
    Always,
}

impl Default for Sending {
    fn default() -> Sending {
        Sending {
            count: 1,
            queue: None,
            fails: Fails::Times(0),
            takes: Millis::new(500),
            delay_level: 0,
        }
    }
}

/// Who and what the wishes are about: read off the scenario and the moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subjects {
    pub topic: Option<TopicName>,
    pub group: Option<GroupName>,
    /// Queues of the topic on its first broker.
    pub queues: u32,
    pub key: Option<MessageKey>,
    pub new_client: Option<ClientId>,
    /// What a new member is made after.
    pub pattern: Option<Rc<ConsumerSpec>>,
}

impl Subjects {
    /// The scenario's first topic and group, and names that nobody has yet.
    pub fn of(scenario: &Scenario, taken: &[ClientId], deeds: usize) -> Subjects {
        let pattern = scenario.script.iter().find_map(|(_, command)| match command {
            Command::StartConsumer(spec) => Some(Rc::new((**spec).clone())),
            _ => None,
        });
        let subscribed = pattern.as_ref().and_then(|spec| spec.subscriptions.first());
        let topic = subscribed.map(|(topic, _)| topic.clone());
        let queues = scenario
            .setup
            .topics
            .iter()
            .find(|it| Some(&it.topic) == topic.as_ref())
            .map_or(4, |it| it.config.write_queue_nums);
        Subjects {
            group: pattern.as_ref().map(|spec| spec.group.clone()),
            queues,
            key: Some(MessageKey::new(format!("my{}", deeds + 1))),
            new_client: pattern.as_ref().map(|spec| free_name(&spec.client_id, taken)),
            topic,
            pattern,
        }
    }
}

/// `c1` makes `c2`, or the next one that is free.
fn free_name(after: &ClientId, taken: &[ClientId]) -> ClientId {
    let stem = after.as_str().trim_end_matches(|sign: char| sign.is_ascii_digit());
    let free = (2..).map(|number| ClientId::new(format!("{stem}{number}")));
    free.into_iter().find(|name| !taken.contains(name)).unwrap_or_else(|| after.clone())
}

impl Ask {
    /// The command, if the scenario has what it needs.
    pub fn command(&self, subjects: &Subjects) -> Option<Command> {
        Some(match self {
            Ask::Send(sending) => Command::SendMessages(sending.command(subjects)?),
            Ask::AddConsumer => {
                let mut spec = (**subjects.pattern.as_ref()?).clone();
                spec.client_id = subjects.new_client.clone()?;
                spec.process = None;
                Command::StartConsumer(Box::new(spec))
            }
            Ask::Stop(client_id) => {
                Command::StopConsumer { client_id: client_id.clone(), group: None }
            }
            Ask::Crash(client_id) => Command::CrashConsumer { client_id: client_id.clone() },
            Ask::Freeze(client_id, span) => {
                Command::FreezeClient { client_id: client_id.clone(), duration: Some(*span) }
            }
            Ask::Resume(client_id) => Command::ResumeClient { client_id: client_id.clone() },
            Ask::StopBroker(name) => Command::StopBroker {
                broker_name: name.clone(),
                broker_id: 0,
                how: BrokerStop::Graceful,
            },
            Ask::StartBroker(name) => {
                Command::StartBroker { broker_name: name.clone(), broker_id: 0 }
            }
            Ask::Do(command) => (**command).clone(),
        })
    }
}

impl Sending {
    fn command(&self, subjects: &Subjects) -> Option<SendMessages> {
        let step = |fails: bool| {
            let step = if fails { ListenerStep::fails() } else { ListenerStep::ok() };
            step.taking(self.takes)
        };
        let script = match self.fails {
            Fails::Always => ListenerScript::always(step(true)),
            Fails::Times(0) => ListenerScript::always(step(false)),
            Fails::Times(times) => {
                let again = (1..times).map(|_| step(true));
                ListenerScript::new(step(true), again.chain([step(false)]))
            }
        };
        let queue = match self.queue {
            Some(queue) => QueueChoice::Fixed { broker_name: None, queue_id: QueueId(queue) },
            None => QueueChoice::RoundRobin,
        };
        Some(SendMessages {
            count: self.count.max(1),
            every: Millis::new(100),
            key: subjects.key.clone(),
            queue,
            delay_level: self.delay_level,
            script: Some(Rc::new(script)),
            ..SendMessages::one(subjects.topic.clone()?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subjects() -> Subjects {
        Subjects { topic: Some("orders".into()), key: Some("my1".into()), ..Subjects::default() }
    }

    #[test]
    fn a_message_that_fails_twice_succeeds_at_the_third_call() {
        let ask = Ask::Send(Sending { fails: Fails::Times(2), ..Sending::default() });
        let Some(Command::SendMessages(send)) = ask.command(&subjects()) else {
            panic!("a send was asked")
        };
        let script = send.script.expect("it has a script");
        let fails = |nth| script.step(nth).result == ListenerStep::fails().result;
        assert_eq!([fails(0), fails(1), fails(2), fails(3)], [true, true, false, false]);
    }

    #[test]
    fn a_new_member_gets_a_name_that_nobody_has() {
        let taken = ["c1".into(), "c2".into(), "c4".into()];
        assert_eq!(free_name(&"c1".into(), &taken).as_str(), "c3");
    }

    #[test]
    fn without_a_topic_nothing_is_sent() {
        assert_eq!(Ask::Send(Sending::default()).command(&Subjects::default()), None);
    }
}
