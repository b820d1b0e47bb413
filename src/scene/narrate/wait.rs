//! Waits in words: folds, and what stands on the agenda.

use super::Narrator;
use super::event::put_off_word;
use crate::model::time::Millis;
use crate::scene::card::Label;
use crate::scene::fold::{Awaited, Fold};
use crate::sim::agenda::AgendaEntry;
use crate::sim::broker::Broker;
use crate::sim::client::task::ClientTask;
use crate::sim::event::{Event, EventKind, TimerKind, Trigger};
use crate::sim::packet::Machine;
use crate::sim::task::Task;
use crate::sim::{Simulation, world::World};
use crate::text::event::Who;
use crate::text::wait::{WaitFor, WaitText};

impl Narrator<'_> {
    /// The sentence of a fold.
    pub fn fold(&self, fold: &Fold) -> WaitText {
        let wait = &fold.wait;
        let event = self.recording.event(wait.ends_with);
        let who = event.map_or(Who::Person, |event| self.who(event));
        let what = match &wait.awaited {
            Awaited::Timer(kind) => self.timer(kind, event),
            Awaited::Packet => WaitFor::Packet { code: None },
            Awaited::Command { index } => {
                let command = index.and_then(|index| self.recording.command(index));
                WaitFor::Command { what: command.map(|it| super::command_text(it)) }
            }
            Awaited::Nothing => WaitFor::Nothing,
        };
        WaitText { who, what, due: wait.due }
    }

    /// What was waited for until an event came, if a timer brought it.
    pub fn waited(&self, event: &Event) -> Option<WaitText> {
        let Trigger::Timer { kind, .. } = &event.trigger else { return None };
        let what = self.timer(kind, Some(event));
        Some(WaitText { who: self.who(event), what, due: event.at })
    }

    /// A timer by its kind, and by the event with which it is over.
    fn timer(&self, kind: &TimerKind, event: Option<&Event>) -> WaitFor {
        let told = event.map(|event| &event.kind);
        match (kind, told) {
            (
                TimerKind::DelayLevel { level, .. },
                Some(EventKind::DelayElapsed { message, .. }),
            ) => WaitFor::Delay {
                label: self.label(message),
                failures: message.reconsume_times,
                level: *level,
            },
            (TimerKind::Listener, Some(EventKind::ConsumeEnded { message, .. })) => {
                WaitFor::Listener { label: self.label(message), place: self.place(message) }
            }
            (TimerKind::LocalRetry, Some(EventKind::ConsumeRequestQueued { .. })) => {
                WaitFor::LocalRetry { label: self.first_of(event) }
            }
            (TimerKind::Script, Some(EventKind::SendAsked { key, .. })) => {
                WaitFor::NextSend { label: Some(key.clone()) }
            }
            (TimerKind::PullPostponed(reason), _) => {
                let queue = event.and_then(|event| self.text(event).1);
                WaitFor::PutOff { queue, why: put_off_word(*reason) }
            }
            (kind, _) => self.timer_kind(kind),
        }
    }

    /// The messages that stood in line again.
    fn first_of(&self, event: Option<&Event>) -> Label {
        event.and_then(|event| self.text(event).1).unwrap_or_else(|| "".into())
    }

    /// A timer by its kind alone.
    fn timer_kind(&self, kind: &TimerKind) -> WaitFor {
        match kind {
            TimerKind::Script => WaitFor::NextSend { label: None },
            TimerKind::StartUp => WaitFor::StartUp,
            TimerKind::Network(code) => WaitFor::Packet { code: Some(self.code(*code)) },
            TimerKind::Reput => WaitFor::Dispatch,
            TimerKind::SlowStore => WaitFor::SlowStore,
            TimerKind::DelayLevel { level, .. } => WaitFor::LevelLook { level: *level },
            TimerKind::HoldScan => WaitFor::HeldPulls,
            TimerKind::FlushConsumerOffset => WaitFor::SaveOffsets,
            TimerKind::FlushDelayOffset => WaitFor::SaveDelays,
            TimerKind::ClientScan => WaitFor::SilentClients,
            TimerKind::ChannelIdle => WaitFor::SilentConnection,
            TimerKind::RegisterBroker => WaitFor::RegisterBroker,
            TimerKind::BrokerScan => WaitFor::SilentBrokers,
            TimerKind::SlaveSync => WaitFor::CopyMaster,
            TimerKind::RouteRefresh => WaitFor::Routes,
            TimerKind::Heartbeat => WaitFor::Heartbeat,
            TimerKind::PersistOffset => WaitFor::ReportOffsets,
            TimerKind::AdjustThreadPool => WaitFor::ThreadPool,
            TimerKind::Rebalance => WaitFor::Rebalance,
            TimerKind::FirstDispatch => WaitFor::FirstPull,
            TimerKind::PullPostponed(reason) => {
                WaitFor::PutOff { queue: None, why: put_off_word(*reason) }
            }
            TimerKind::PullInterval => WaitFor::PullInterval,
            TimerKind::OffsetIllegalRepair => WaitFor::RepairOffset,
            TimerKind::OffsetReset => WaitFor::ResetOffset,
            TimerKind::LocalRetry => WaitFor::LocalRetry { label: "".into() },
            TimerKind::Listener => WaitFor::ListenerEnd,
            TimerKind::CleanExpired => WaitFor::CleanExpired,
            TimerKind::LockPeriodically => WaitFor::RenewLocks,
            TimerKind::LockLater => WaitFor::LockLater,
            TimerKind::ResubmitLater => WaitFor::Suspended { queue: None },
            TimerKind::UnlockLater => WaitFor::UnlockLater,
            TimerKind::ConsumeLock => WaitFor::ConsumeLock,
            TimerKind::CallTimeout(code) => WaitFor::Answer { code: self.code(*code) },
            TimerKind::Resume => WaitFor::Resume,
        }
    }

    /// What is due next at a state, soonest first; packets left out, since one sees them.
    pub fn agenda(&self, simulation: &Simulation) -> Vec<AgendaLine> {
        let entries = simulation.engine().agenda.in_order();
        let lines = entries.into_iter().filter_map(|entry| {
            let machine = entry.task.machine();
            let what = self.entry(simulation.world(), entry)?;
            let who = machine.map_or(Who::Person, |machine| self.machine(machine));
            Some(AgendaLine { machine, text: WaitText { who, what, due: entry.at } })
        });
        lines.collect()
    }

    /// A timer of the agenda, with what it is for.
    fn entry(&self, world: &World, entry: &AgendaEntry) -> Option<WaitFor> {
        let kind = entry.timer.as_ref().filter(|_| !matches!(entry.task, Task::Deliver(_)))?;
        Some(match (kind, &entry.task) {
            (TimerKind::DelayLevel { level, .. }, Task::Broker { broker, .. }) => {
                self.front_of_level(world.broker(*broker), *level)
            }
            (TimerKind::PullPostponed(reason), Task::Client { task, .. }) => {
                let queue = match task {
                    ClientTask::PullLater(request) => Some(self.queue(&request.message_queue)),
                    _ => None,
                };
                WaitFor::PutOff { queue, why: put_off_word(*reason) }
            }
            (TimerKind::LocalRetry, Task::Client { task, .. }) => {
                let label = match task {
                    ClientTask::SubmitLater { request, .. } => {
                        request.messages.first().map(|it| self.label(&it.message))
                    }
                    _ => None,
                };
                WaitFor::LocalRetry { label: label.unwrap_or_else(|| "".into()) }
            }
            (TimerKind::ResubmitLater, Task::Client { task, .. }) => {
                let queue = match task {
                    ClientTask::SubmitLater { request, .. } => {
                        Some(self.queue(&request.message_queue))
                    }
                    _ => None,
                };
                WaitFor::Suspended { queue }
            }
            (TimerKind::Listener, Task::Client { process, task }) => {
                self.listener_call(world, *process, task).unwrap_or(WaitFor::ListenerEnd)
            }
            (TimerKind::PersistOffset, _) if !world.brokers.iter().any(|it| it.is_up) => {
                WaitFor::ReportOffsetsInVain
            }
            (kind, _) => self.timer_kind(kind),
        })
    }

    fn front_of_level(&self, broker: &Broker, level: u32) -> WaitFor {
        use crate::model::delay_level::DelayLevel;
        let front = DelayLevel::new(level).and_then(|it| {
            let state = broker.schedule_message.levels.get(it.queue_id().0 as usize)?;
            let topic = crate::model::topic::schedule_topic();
            broker.find_consume_queue(&topic, it.queue_id())?.get(state.offset)
        });
        match front {
            Some(entry) => WaitFor::Delay {
                label: self.label(&entry.message),
                failures: entry.message.reconsume_times,
                level,
            },
            None => WaitFor::LevelLook { level },
        }
    }

    fn listener_call(
        &self,
        world: &World,
        process: crate::model::ids::ProcessIndex,
        task: &ClientTask,
    ) -> Option<WaitFor> {
        let ClientTask::ListenerEnds { group, thread, .. } = task else { return None };
        let pool = &world.client(process).consumers.get(group)?.pool;
        let request = pool.workers.get(*thread as usize)?;
        let crate::sim::client::consume_pool::WorkerState::Listening(call) = &request.state else {
            return None;
        };
        let first = &call.messages.first()?.message;
        Some(WaitFor::Listener { label: self.label(first), place: self.place(first) })
    }

    /// When a message that waits is due, and why it waits: at a level, in a listener, or locally.
    pub fn wait_of_message(
        &self,
        simulation: &Simulation,
        key: crate::model::ids::UniqueKey,
    ) -> Option<WaitText> {
        let world = simulation.world();
        for entry in simulation.engine().agenda.entries() {
            let found = match (&entry.timer, &entry.task) {
                (Some(TimerKind::Listener), Task::Client { process, task }) => {
                    let ClientTask::ListenerEnds { group, thread, .. } = task else { continue };
                    let consumer = world.client(*process).consumers.get(group);
                    let worker = consumer.and_then(|it| it.pool.workers.get(*thread as usize));
                    worker.is_some_and(|worker| match &worker.state {
                        crate::sim::client::consume_pool::WorkerState::Listening(call) => {
                            call.messages.iter().any(|it| it.message.body.unique_key == key)
                        }
                        _ => false,
                    })
                }
                (Some(TimerKind::LocalRetry), Task::Client { task, .. }) => {
                    let ClientTask::SubmitLater { request, .. } = task else { continue };
                    request.messages.iter().any(|it| it.message.body.unique_key == key)
                }
                _ => false,
            };
            if found {
                let what = self.entry(world, entry)?;
                let who = entry.task.machine().map_or(Who::Person, |it| self.machine(it));
                return Some(WaitText { who, what, due: entry.at });
            }
        }
        self.wait_at_level(world, key)
    }

    fn wait_at_level(&self, world: &World, key: crate::model::ids::UniqueKey) -> Option<WaitText> {
        let topic = crate::model::topic::schedule_topic();
        for broker in world.brokers.iter().filter(|broker| broker.is_master()) {
            for (id, level) in (0..).zip(&broker.schedule_message.levels) {
                let Some(log) = broker.find_consume_queue(&topic, crate::model::ids::QueueId(id))
                else {
                    continue;
                };
                let waiting = (level.offset.0..log.max_offset().0)
                    .filter_map(|offset| log.get(crate::model::offset::QueueOffset(offset)));
                for entry in waiting {
                    if entry.message.body.unique_key == key {
                        let label = self.label(&entry.message);
                        let failures = entry.message.reconsume_times;
                        let level = id + 1;
                        let what = match broker.is_up {
                            true => WaitFor::Delay { label, failures, level },
                            false => WaitFor::DelayAtDownBroker { label, level },
                        };
                        let who = self.machine(Machine::Broker(broker.index));
                        return Some(WaitText { who, what, due: entry.due() });
                    }
                }
            }
        }
        None
    }
}

/// One timer of the agenda.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgendaLine {
    pub machine: Option<Machine>,
    pub text: WaitText,
}

impl AgendaLine {
    pub fn due(&self) -> Millis {
        self.text.due
    }
}
