//! Everything that exists: name server, brokers, clients, network.

use serde::Serialize;

use super::broker::Broker;
use super::client::ClientInstance;
use super::freeze::FrozenMachines;
use super::name_server::NameServer;
use super::network::Network;
use super::packet::Machine;
use crate::model::ids::{BrokerIndex, BrokerName, ClientId, ProcessIndex};

#[derive(Clone, Debug, Serialize)]
pub struct World {
    pub name_server: NameServer,
    pub is_name_server_up: bool,
    pub brokers: Vec<Broker>,
    /// Every client process that was ever started, in order; a dead one keeps its name.
    pub clients: Vec<ClientInstance>,
    pub network: Network,
    pub frozen: FrozenMachines,
}

impl World {
    pub fn broker(&self, index: BrokerIndex) -> &Broker {
        &self.brokers[index.0 as usize]
    }

    pub fn client(&self, process: ProcessIndex) -> &ClientInstance {
        &self.clients[process.0 as usize]
    }

    /// The broker of that name, master (0) or slave.
    pub fn broker_named(&self, name: &BrokerName, broker_id: u32) -> Option<BrokerIndex> {
        let is_it = |broker: &&Broker| broker.name == *name && broker.broker_id == broker_id;
        self.brokers.iter().find(is_it).map(|broker| broker.index)
    }

    /// The newest live process with this client id.
    pub fn live_client(&self, client_id: &ClientId) -> Option<ProcessIndex> {
        let is_it = |client: &&ClientInstance| client.client_id == *client_id && client.is_alive();
        self.clients.iter().rev().find(is_it).map(|client| client.process)
    }

    /// What people call a machine.
    pub fn machine_name(&self, machine: Machine) -> String {
        match machine {
            Machine::NameServer(_) => "name-server".to_owned(),
            Machine::Broker(index) => {
                let broker = self.broker(index);
                match broker.broker_id {
                    0 => broker.name.to_string(),
                    id => format!("{}-slave-{id}", broker.name),
                }
            }
            Machine::Client(process) => self.client(process).client_id.to_string(),
        }
    }
}
