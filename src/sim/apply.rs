//! The one door for commands: each is checked first, then carried out.

use super::Simulation;
use super::client::{ClientInstance, ProcessState};
use super::command::{Command, CommandError, Party, SendMessages};
use super::name_server::NameServer;
use super::packet::Machine;
use crate::model::config::{ConsumerSpec, ProducerConfig, ProducerSpec};
use crate::model::ids::{BrokerIndex, BrokerName, ClientId, GroupName, ProcessIndex, TopicName};
use crate::model::listener::OnInterrupt;
use crate::model::message_queue::MessageQueue;
use crate::model::offset_table::OffsetTable;
use crate::model::profile::Profile;
use crate::model::subscription::SubscriptionData;

/// The client id of the producer that is made when a scenario names none.
pub const DEFAULT_PRODUCER: &str = "producer";

/// That producer, with RocketMQ's defaults.
pub fn default_producer(profile: Profile) -> ProducerSpec {
    ProducerSpec {
        client_id: ClientId::new(DEFAULT_PRODUCER),
        group: GroupName::new("producer-group"),
        config: ProducerConfig::defaults(profile),
    }
}

impl Simulation {
    /// Whether the command makes sense now. The page asks the same to disable a control.
    ///
    /// # Errors
    /// The reason why it does not.
    pub fn check_command(&self, command: &Command) -> Result<(), CommandError> {
        match command {
            Command::StartConsumer(spec) => self.check_start(spec),
            Command::StopConsumer { client_id, group: Some(group) }
            | Command::Unsubscribe { client_id, group, .. } => {
                self.acting(client_id)?;
                self.check_group(client_id, group)
            }
            Command::Subscribe { client_id, group, topic, expression } => {
                self.acting(client_id)?;
                self.check_group(client_id, group)?;
                let parsed = SubscriptionData::parse(topic, expression, 0);
                parsed.map(|_| ()).map_err(|error| CommandError::BadConfig(error.to_string()))
            }
            Command::SetListener { client_id, group: Some(group), .. } => {
                self.check_group(client_id, group)
            }
            Command::StopProducer { client_id }
            | Command::StopConsumer { client_id, group: None }
            | Command::PausePulling { client_id }
            | Command::ResumePulling { client_id } => self.acting(client_id).map(|_| ()),
            Command::SetConsumerProperty { client_id, name, .. } => {
                let is_known = super::client::perform::PROPERTIES.contains(&name.as_str());
                match is_known {
                    true => self.live(client_id).map(|_| ()),
                    false => Err(CommandError::NoSuchProperty(name.clone())),
                }
            }
            Command::SetBrokerProperty { broker_name, name, .. } => {
                match super::broker::admin::PROPERTIES.contains(&name.as_str()) {
                    true => self.broker(broker_name, 0).map(|_| ()),
                    false => Err(CommandError::NoSuchProperty(name.clone())),
                }
            }
            Command::SendMessages(send) => match &send.producer {
                Some(client_id) => self.acting(client_id).map(|_| ()),
                None => Ok(()),
            },
            Command::StartProducer(_) => Ok(()),
            _ => match command.client_id() {
                Some(client_id) => self.live(client_id).map(|_| ()),
                None => self.check_elsewhere(command),
            },
        }
    }

    /// The same for commands that are not about a client.
    fn check_elsewhere(&self, command: &Command) -> Result<(), CommandError> {
        match command {
            Command::StartBroker { broker_name, broker_id } => {
                let broker = self.broker(broker_name, *broker_id)?;
                match self.world.broker(broker).is_up {
                    true => Err(CommandError::BrokerRuns(broker_name.clone())),
                    false => Ok(()),
                }
            }
            Command::StopBroker { broker_name, broker_id, .. } => {
                let broker = self.broker(broker_name, *broker_id)?;
                match self.world.broker(broker).is_up {
                    true => Ok(()),
                    false => Err(CommandError::BrokerDown(broker_name.clone())),
                }
            }
            Command::FreezeBroker { broker_name, .. }
            | Command::ResumeBroker { broker_name }
            | Command::SetBrokerWritable { broker_name, .. }
            | Command::SlowStore { broker_name, .. }
            | Command::ExpireHead { broker_name, .. }
            | Command::SetFirstMessageInMemory { broker_name, .. } => {
                self.broker(broker_name, 0).map(|_| ())
            }
            Command::CreateTopic { broker_name: Some(name), .. }
            | Command::UpdateTopic { broker_name: Some(name), .. }
            | Command::SetOffset { broker_name: Some(name), .. } => {
                self.broker(name, 0).map(|_| ())
            }
            Command::Partition { a, b, .. }
            | Command::Heal { a, b }
            | Command::SetLatency { a, b, .. }
            | Command::DropNext { from: a, to: b, .. }
            | Command::DuplicateNext { from: a, to: b, .. }
            | Command::ReorderNext { from: a, to: b, .. } => {
                self.party(a)?;
                self.party(b).map(|_| ())
            }
            Command::ResetOffset { topic, .. } => self.check_topic(topic),
            Command::CreateTopic { .. }
            | Command::UpdateTopic { .. }
            | Command::SetOffset { .. }
            | Command::UpdateGroup { .. }
            | Command::StopNameServer
            | Command::StartNameServer => Ok(()),
            _ => unreachable!("checked with its client"),
        }
    }

    fn live(&self, client_id: &ClientId) -> Result<ProcessIndex, CommandError> {
        let live = self.world.live_client(client_id);
        live.ok_or_else(|| CommandError::NoSuchClient(client_id.clone()))
    }

    /// A live process that can do something now: a frozen one can only be resumed or end.
    fn acting(&self, client_id: &ClientId) -> Result<ProcessIndex, CommandError> {
        let process = self.live(client_id)?;
        match self.world.frozen.contains_key(&Machine::Client(process)) {
            true => Err(CommandError::Frozen(client_id.clone())),
            false => Ok(process),
        }
    }

    fn check_group(&self, client_id: &ClientId, group: &GroupName) -> Result<(), CommandError> {
        let process = self.live(client_id)?;
        match self.world.client(process).consumers.contains_key(group) {
            true => Ok(()),
            false => Err(CommandError::NoSuchGroup(client_id.clone(), group.clone())),
        }
    }

    /// Whether start() will get through: its checks (step 2), and that a group may be registered once
    /// in one instance (spec 02.2, step 9).
    fn check_start(&self, spec: &ConsumerSpec) -> Result<(), CommandError> {
        super::client::start::check_config(&spec.group, &spec.config, &spec.subscriptions)?;
        let Some(process) = self.shared_process(spec) else { return Ok(()) };
        let client = self.world.client(process);
        if client.has_group(&spec.group) {
            return Err(CommandError::GroupExists(spec.group.clone()));
        }
        self.acting(&client.client_id).map(|_| ())
    }

    fn check_topic(&self, topic: &TopicName) -> Result<(), CommandError> {
        match self.world.brokers.iter().any(|broker| broker.topic_config.contains_key(topic)) {
            true => Ok(()),
            false => Err(CommandError::NoSuchTopic(topic.clone())),
        }
    }

    pub(super) fn broker(
        &self,
        name: &BrokerName,
        broker_id: u32,
    ) -> Result<BrokerIndex, CommandError> {
        let broker = self.world.broker_named(name, broker_id);
        broker.ok_or_else(|| CommandError::NoSuchBroker(name.clone()))
    }

    pub(super) fn party(&self, party: &Party) -> Result<Machine, CommandError> {
        match party {
            Party::NameServer => Ok(Machine::NameServer(0)),
            Party::Broker(name) => self.broker(name, 0).map(Machine::Broker),
            Party::Client(client_id) => self.live(client_id).map(Machine::Client),
        }
    }

    /// The process whose `MQClientInstance` this consumer shares, if it shares one.
    fn shared_process(&self, spec: &ConsumerSpec) -> Option<ProcessIndex> {
        let label = spec.process.as_ref()?;
        let is_it = |client: &&ClientInstance| {
            client.is_alive()
                && client.label.as_ref() == Some(label)
                && client.client_id == spec.client_id
        };
        self.world.clients.iter().find(is_it).map(|client| client.process)
    }

    /// Carries a checked command out.
    ///
    /// # Errors
    /// If a broker finds that it makes no sense.
    pub(super) fn perform(&mut self, command: &Command) -> Result<(), CommandError> {
        match command {
            Command::StartProducer(spec) => {
                self.start_producer(spec);
            }
            Command::SendMessages(send) => self.send(send),
            Command::StartConsumer(spec) => return self.start_consumer(spec),
            Command::CreateTopic { .. }
            | Command::UpdateTopic { .. }
            | Command::UpdateGroup { .. }
            | Command::ResetOffset { .. }
            | Command::SetOffset { .. } => return self.administer(command),
            Command::StopNameServer => {
                self.world.is_name_server_up = false;
                self.with_name_server(NameServer::stop);
            }
            Command::StartNameServer => {
                self.world.is_name_server_up = true;
                self.with_name_server(NameServer::start);
            }
            Command::Partition { .. }
            | Command::Heal { .. }
            | Command::SetLatency { .. }
            | Command::DropNext { .. }
            | Command::DuplicateNext { .. }
            | Command::ReorderNext { .. } => self.perform_on_network(command),
            Command::StopBroker { .. }
            | Command::StartBroker { .. }
            | Command::FreezeBroker { .. }
            | Command::ResumeBroker { .. }
            | Command::SetBrokerWritable { .. }
            | Command::SlowStore { .. }
            | Command::ExpireHead { .. }
            | Command::SetFirstMessageInMemory { .. }
            | Command::SetBrokerProperty { .. } => return self.perform_on_broker(command),
            _ => self.perform_on_client(command),
        }
        Ok(())
    }

    fn perform_on_client(&mut self, command: &Command) {
        let Some(client_id) = command.client_id() else { return };
        let Some(process) = self.world.live_client(client_id) else { return };
        match command {
            Command::FreezeClient { duration, .. } => {
                self.freeze_machine(Machine::Client(process), *duration);
            }
            Command::ResumeClient { .. } => self.resume_machine(Machine::Client(process)),
            Command::CrashConsumer { .. } => {
                self.world.frozen.remove(&Machine::Client(process));
                self.with_client(process, |it, cx| it.crash(cx));
            }
            Command::SkewClock { by_ms, .. } => {
                self.engine.clock_skew_ms.insert(Machine::Client(process), *by_ms);
            }
            Command::LoseHost { .. } => {
                self.world.frozen.remove(&Machine::Client(process));
                self.with_client(process, |it, cx| it.lose_host(cx));
            }
            _ => self.with_client(process, |it, cx| it.perform(command, cx)),
        }
    }

    fn new_client(&mut self, client_id: &ClientId, label: Option<String>) -> ProcessIndex {
        let process = ProcessIndex(self.world.clients.len() as u32);
        self.world.clients.push(ClientInstance::new(process, client_id.clone(), label));
        process
    }

    fn start_producer(&mut self, spec: &ProducerSpec) -> ProcessIndex {
        let process = self.new_client(&spec.client_id, None);
        let (group, config) = (spec.group.clone(), spec.config.clone());
        self.with_client(process, |it, cx| it.start_producer(group, config, cx));
        process
    }

    fn send(&mut self, send: &SendMessages) {
        let causes = self.engine.causes();
        let named = send.producer.as_ref().and_then(|id| self.world.live_client(id));
        let process = named.or_else(|| self.first_producer()).unwrap_or_else(|| {
            let profile = self.engine.profile;
            self.start_producer(&default_producer(profile))
        });
        self.engine.set_causes(causes);
        let Some(group) = user_producer(self.world.client(process)) else { return };
        let command = send.clone();
        self.with_client(process, |it, cx| it.send_messages(group, command, cx));
    }

    fn first_producer(&self) -> Option<ProcessIndex> {
        let is_it = |client: &&ClientInstance| client.is_alive() && user_producer(client).is_some();
        self.world.clients.iter().find(is_it).map(|client| client.process)
    }

    /// A start that fails does so in the middle, and tells its steps until there.
    fn start_consumer(&mut self, spec: &ConsumerSpec) -> Result<(), CommandError> {
        let local_file = self.local_file_of(spec);
        let shared = self.shared_process(spec);
        if shared.is_some() {
            self.acting(&spec.client_id)?;
        }
        let process =
            shared.unwrap_or_else(|| self.new_client(&spec.client_id, spec.process.clone()));
        let mut result = Ok(());
        self.with_client(process, |it, cx| {
            let consumer = super::client::consumer::PushConsumer::new(spec, local_file);
            result = it.start_consumer(consumer, cx);
        });
        if result.is_err() && shared.is_none() {
            self.with_client(process, |it, _| it.forget(ProcessState::Stopped));
        }
        result
    }

    /// Broadcasting: the file that an earlier process of the same client id left, or the scenario's.
    fn local_file_of(&self, spec: &ConsumerSpec) -> OffsetTable {
        let earlier = self.world.clients.iter().rev().find_map(|client| {
            let is_it =
                client.client_id == spec.client_id && client.process_state != ProcessState::Running;
            client.consumers.get(&spec.group).filter(|_| is_it)
        });
        if let Some(consumer) = earlier {
            return consumer.local_file.clone();
        }
        let mut file = OffsetTable::default();
        for local in &self.setup.local_offsets {
            if local.client_id == spec.client_id && local.group == spec.group {
                let queue = MessageQueue::new(
                    local.topic.clone(),
                    local.broker_name.clone(),
                    local.queue_id,
                );
                file.update_offset(&queue, local.offset, false);
            }
        }
        file
    }
}

fn user_producer(client: &ClientInstance) -> Option<GroupName> {
    let inner = super::client::producer::INNER_PRODUCER;
    client.producers.keys().find(|group| group.as_str() != inner).cloned()
}

impl Command {
    /// The client that the command names, if it names one.
    pub fn client_id(&self) -> Option<&ClientId> {
        match self {
            Command::StopProducer { client_id }
            | Command::StopConsumer { client_id, .. }
            | Command::CrashConsumer { client_id }
            | Command::LoseHost { client_id }
            | Command::FreezeClient { client_id, .. }
            | Command::ResumeClient { client_id }
            | Command::Subscribe { client_id, .. }
            | Command::Unsubscribe { client_id, .. }
            | Command::SetListener { client_id, .. }
            | Command::SetOnInterrupt { client_id, .. }
            | Command::PausePulling { client_id }
            | Command::ResumePulling { client_id }
            | Command::SetConsumerProperty { client_id, .. }
            | Command::SkewClock { client_id, .. }
            | Command::SkipHeartbeat { client_id }
            | Command::HalfOpenReconnect { client_id } => Some(client_id),
            Command::StartConsumer(spec) => Some(&spec.client_id),
            Command::StartProducer(spec) => Some(&spec.client_id),
            _ => None,
        }
    }
}

/// What an interrupt does, for all scripts of a listener at once.
pub(super) fn set_on_interrupt(
    listener: &mut crate::model::listener::ListenerBehavior,
    on_interrupt: OnInterrupt,
) {
    let change = |script: &crate::model::listener::ListenerScript| {
        let mut steps = script.steps().to_vec();
        for step in &mut steps {
            step.on_interrupt = on_interrupt;
        }
        let mut steps = steps.into_iter();
        let first = steps.next().expect("a script is never empty");
        crate::model::listener::ListenerScript::new(first, steps)
    };
    listener.default_script = change(&listener.default_script);
    for (_, script) in &mut listener.by_key {
        *script = change(script);
    }
}
