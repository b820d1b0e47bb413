//! Where the pull requests are: each window that is pulled has exactly one (spec 03.1).

use std::collections::BTreeMap;

use crate::model::ids::ProcessQueueId;
use crate::model::offset::QueueOffset;
use crate::model::pull::PullRequest;
use crate::sim::Simulation;
use crate::sim::client::ClientInstance;
use crate::sim::client::call::Waiter;
use crate::sim::client::task::ClientTask;
use crate::sim::task::Task;

/// Every pull request of every client, by the window that it names.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    by_window: BTreeMap<ProcessQueueId, Vec<QueueOffset>>,
}

impl Tokens {
    pub fn of(simulation: &Simulation) -> Tokens {
        let mut tokens = Tokens::default();
        for client in &simulation.world().clients {
            tokens.add_client(client);
        }
        let backlogs = simulation.world().frozen.values().flat_map(|frozen| &frozen.backlog);
        for entry in simulation.engine().agenda.entries().chain(backlogs) {
            if let Task::Client { task: ClientTask::PullLater(request), .. } = &entry.task {
                tokens.add(request);
            }
        }
        tokens
    }

    fn add(&mut self, request: &PullRequest) {
        self.by_window.entry(request.process_queue).or_default().push(request.next_offset);
    }

    fn add_client(&mut self, client: &ClientInstance) {
        client.pull_message_service.waiting.iter().for_each(|request| self.add(request));
        for pending in client.pending_calls.values() {
            match &pending.waiter {
                Waiter::Pull(request)
                | Waiter::LockedFirstOffset(request)
                | Waiter::LockedFirstMaxOffset(request) => self.add(request),
                _ => {}
            }
        }
        let pass = client.rebalance_service.pass.as_ref();
        let queues = pass.and_then(|pass| pass.current.as_ref()?.queues.as_ref());
        let made = queues.into_iter().flat_map(|queues| &queues.new_pull_requests);
        made.for_each(|request| self.add(request));
    }

    pub fn count(&self, process_queue: ProcessQueueId) -> usize {
        self.by_window.get(&process_queue).map_or(0, Vec::len)
    }

    /// The next offset of the window's only pull request.
    pub fn next_offset(&self, process_queue: ProcessQueueId) -> Option<QueueOffset> {
        match self.by_window.get(&process_queue)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }
}
