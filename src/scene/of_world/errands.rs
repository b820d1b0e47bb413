//! What is on the agenda, sorted by what the picture asks for.

use crate::model::consume::ConsumeRequest;
use crate::model::ids::ProcessIndex;
use crate::model::order;
use crate::model::pull::PullRequest;
use crate::model::time::Millis;
use crate::sim::Simulation;
use crate::sim::agenda::AgendaEntry;
use crate::sim::client::factory::FactoryJob;
use crate::sim::client::task::ClientTask;
use crate::sim::event::TimerKind;
use crate::sim::packet::Packet;
use crate::sim::task::Task;

/// Things to come, what a frozen process has put off included.
#[derive(Debug, Default)]
pub struct Errands<'a> {
    /// On the wire, by call.
    pub packets: Vec<(&'a AgendaEntry, &'a Packet)>,
    /// Pull requests that come back later.
    pub pulls: Vec<(ProcessIndex, &'a PullRequest, &'a AgendaEntry)>,
    /// Messages that are consumed again in 5 s, without the broker.
    pub retries: Vec<(ProcessIndex, &'a ConsumeRequest)>,
    /// The next tick of the offset timer.
    pub reports: Vec<(ProcessIndex, Millis)>,
    /// The next message of a row.
    pub sends: Vec<(ProcessIndex, u64, Millis)>,
}

impl<'a> Errands<'a> {
    pub fn of(simulation: &'a Simulation) -> Errands<'a> {
        let mut errands = Errands::default();
        let frozen = simulation.world().frozen.values().flat_map(|frozen| &frozen.backlog);
        for entry in simulation.engine().agenda.entries().chain(frozen) {
            errands.note(entry);
        }
        // Of two copies the first one comes first.
        order::sort_by_key(&mut errands.packets, |(entry, packet)| {
            (packet.call, packet.is_copy, entry.sequence)
        });
        errands
    }

    fn note(&mut self, entry: &'a AgendaEntry) {
        let (process, task) = match &entry.task {
            Task::Deliver(packet) => return self.packets.push((entry, packet)),
            Task::Client { process, task } => (*process, task),
            Task::Broker { .. } | Task::NameServer(_) | Task::Resume(_) => return,
        };
        match task {
            ClientTask::PullLater(request) => self.pulls.push((process, request, entry)),
            ClientTask::SubmitLater { request, .. }
                if matches!(entry.timer, Some(TimerKind::LocalRetry)) =>
            {
                self.retries.push((process, request));
            }
            ClientTask::FactoryTick { job: FactoryJob::PersistOffsets, .. } => {
                self.reports.push((process, entry.at));
            }
            ClientTask::SendNext { batch } => self.sends.push((process, *batch, entry.at)),
            _ => {}
        }
    }

    /// When a process reports its offsets next.
    pub fn report_at(&self, process: ProcessIndex) -> Option<Millis> {
        self.reports.iter().find(|(of, _)| *of == process).map(|(_, at)| *at)
    }
}
