//! Commands that an operator gives to brokers and to the network; each was checked before.

use super::Simulation;
use super::broker::Broker;
use super::command::{BrokerStop, Command, CommandError};
use super::engine::Context;
use super::network::{Choice, DropRule, HoldRule, RepeatRule};
use super::packet::{Machine, RequestCode};
use crate::model::ids::{BrokerIndex, BrokerName};

impl Simulation {
    /// What an operator does with the admin tools, on one master or on all.
    pub(super) fn administer(&mut self, command: &Command) -> Result<(), CommandError> {
        match command {
            Command::CreateTopic { topic, broker_name, queue_nums } => {
                self.on_brokers(broker_name.as_ref(), |it, cx| {
                    it.create_topic(topic.clone(), *queue_nums, cx);
                    Ok(())
                })
            }
            Command::UpdateTopic {
                topic,
                broker_name,
                read_queue_nums,
                write_queue_nums,
                permission,
            } => self.on_brokers(broker_name.as_ref(), |it, cx| {
                let (read, write) = (*read_queue_nums, *write_queue_nums);
                it.update_topic(topic.clone(), read, write, *permission, cx);
                Ok(())
            }),
            Command::UpdateGroup { group, retry_queue_nums, retry_max_times } => {
                self.on_brokers(None, |it, _| {
                    it.update_group(group, *retry_queue_nums, *retry_max_times);
                    Ok(())
                })
            }
            Command::ResetOffset { group, topic, timestamp, force } => self
                .on_brokers(None, |it, cx| it.reset_offset(group, topic, *timestamp, *force, cx)),
            Command::SetOffset { group, topic, broker_name, queue_id, offset } => {
                self.on_brokers(broker_name.as_ref(), |it, cx| {
                    it.set_offset(group, topic, *queue_id, *offset, cx);
                    Ok(())
                })
            }
            _ => Ok(()),
        }
    }

    /// Runs something on one named master, or on every master; one that agrees is enough.
    fn on_brokers(
        &mut self,
        name: Option<&BrokerName>,
        mut run: impl FnMut(&mut Broker, &mut Context<'_>) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let causes = self.engine.causes();
        let masters: Vec<BrokerIndex> = self
            .world
            .brokers
            .iter()
            .filter(|broker| broker.broker_id == 0 && broker.is_up)
            .filter(|broker| name.is_none_or(|name| broker.name == *name))
            .map(|broker| broker.index)
            .collect();
        let mut outcome = None;
        for broker in masters {
            self.engine.set_causes(causes);
            let mut result = Ok(());
            self.with_broker(broker, |it, cx| result = run(it, cx));
            outcome = match (outcome, result) {
                (Some(Ok(())), _) | (_, Ok(())) => Some(Ok(())),
                (Some(first), Err(_)) => Some(first),
                (None, error) => Some(error),
            };
        }
        outcome.unwrap_or(Ok(()))
    }

    pub(super) fn perform_on_broker(&mut self, command: &Command) -> Result<(), CommandError> {
        match command {
            Command::StopBroker { broker_name, broker_id, how } => {
                let broker = self.broker(broker_name, *broker_id)?;
                let how: BrokerStop = *how;
                self.world.frozen.remove(&Machine::Broker(broker));
                self.with_broker(broker, |it, cx| it.stop(how, cx));
            }
            Command::StartBroker { broker_name, broker_id } => {
                let broker = self.broker(broker_name, *broker_id)?;
                self.with_broker(broker, |it, cx| it.start(cx));
            }
            Command::FreezeBroker { broker_name, duration } => {
                let broker = self.broker(broker_name, 0)?;
                self.freeze_machine(Machine::Broker(broker), *duration);
            }
            Command::ResumeBroker { broker_name } => {
                let broker = self.broker(broker_name, 0)?;
                self.resume_machine(Machine::Broker(broker));
            }
            Command::SetBrokerWritable { broker_name, writable } => {
                let broker = self.broker(broker_name, 0)?;
                self.with_broker(broker, |it, cx| it.set_writable(*writable, cx));
            }
            Command::SlowStore { broker_name, by } => {
                let broker = self.broker(broker_name, 0)?;
                self.with_broker(broker, |it, _| it.slow_store(*by));
            }
            Command::ExpireHead { broker_name, topic, queue_id, min_offset } => {
                return self.on_brokers(Some(broker_name), |it, _| {
                    it.expire_head(topic, *queue_id, *min_offset)
                });
            }
            Command::SetFirstMessageInMemory { broker_name, in_memory } => {
                let broker = self.broker(broker_name, 0)?;
                self.with_broker(broker, |it, _| it.set_first_message_in_memory(*in_memory));
            }
            Command::SetBrokerProperty { broker_name, name, value } => {
                let broker = self.broker(broker_name, 0)?;
                self.with_broker(broker, |it, _| it.set_property(name, *value));
            }
            _ => {}
        }
        Ok(())
    }

    fn choice(&self, code: Option<RequestCode>, left: u32, only_response: bool) -> Choice {
        Choice { code, left, only_response, causes: self.engine.causes() }
    }

    pub(super) fn perform_on_network(&mut self, command: &Command) {
        match command {
            Command::Partition { a, b, one_way } => {
                let (Ok(a), Ok(b)) = (self.party(a), self.party(b)) else { return };
                self.world.network.link_mut(a, b).is_cut = true;
                if !one_way {
                    self.world.network.link_mut(b, a).is_cut = true;
                }
            }
            Command::Heal { a, b } => {
                let (Ok(a), Ok(b)) = (self.party(a), self.party(b)) else { return };
                self.world.network.link_mut(a, b).is_cut = false;
                self.world.network.link_mut(b, a).is_cut = false;
            }
            Command::SetLatency { a, b, from, to } => {
                let (Ok(a), Ok(b)) = (self.party(a), self.party(b)) else { return };
                let range = Some((*from, *to.max(from)));
                let network = &mut self.world.network;
                // What was sent at the default latency is still under way, and nothing overtakes it.
                let arrived = self.engine.now + network.default_latency;
                for (a, b) in [(a, b), (b, a)] {
                    let link = network.link_mut(a, b);
                    if link.latency.is_none() {
                        link.last_arrival = link.last_arrival.max(arrived);
                    }
                    link.latency = range;
                }
            }
            Command::DropNext { from, to, code, count, only_response } => {
                let (Ok(from), Ok(to)) = (self.party(from), self.party(to)) else { return };
                let rule = DropRule { code: *code, left: *count, only_response: *only_response };
                self.world.network.link_mut(from, to).to_drop.push(rule);
            }
            Command::DuplicateNext {
                from,
                to,
                code,
                count,
                only_response,
                later,
                later_at_most,
            } => {
                let (Ok(from), Ok(to)) = (self.party(from), self.party(to)) else { return };
                let choice = self.choice(*code, *count, *only_response);
                let rule = RepeatRule { choice, later: (*later, *later_at_most) };
                self.world.network.link_mut(from, to).to_repeat.push(rule);
            }
            Command::ReorderNext { from, to, code, count, only_response, at_most } => {
                let (Ok(from), Ok(to)) = (self.party(from), self.party(to)) else { return };
                let choice = self.choice(*code, *count, *only_response);
                let rule = HoldRule { choice, at_most: *at_most };
                self.world.network.link_mut(from, to).to_hold.push(rule);
            }
            _ => {}
        }
    }
}
