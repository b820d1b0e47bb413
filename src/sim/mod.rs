//! What *happens*: all change, in virtual time.
//!
//! Two doors in, one out: [`Simulation::apply`] (or a script given to [`Simulation::script`]) and
//! [`Simulation::step`]; everything is reported by events. Never imports scenario, scene or app; no
//! floats, no hash maps, no clock but its own, no chance but its dice.

pub mod agenda;
pub mod apply;
pub mod broker;
pub mod causes;
pub mod client;
pub mod command;
pub mod conditions;
pub mod delivery;
pub mod detail;
pub mod dice;
pub mod digest;
pub mod engine;
pub mod event;
pub mod freeze;
pub mod invariants;
pub mod kind;
pub mod name_server;
pub mod network;
pub mod operate;
pub mod packet;
pub mod setup;
pub mod task;
pub mod timer;
pub mod world;

use std::collections::BTreeMap;
use std::rc::Rc;

use self::command::{Command, CommandError};
use self::engine::{Context, Engine, Running};
use self::event::{Actor, Causes, Event, EventKind, LossReason, Trigger};
use self::name_server::NameServer;
use self::network::Network;
use self::packet::{Machine, Packet, Payload};
use self::setup::Setup;
use self::task::Task;
use self::world::World;
use crate::model::ids::BrokerIndex;
use crate::model::rules::Rules;
use crate::model::time::Millis;

/// How many tasks a call may run, so that a page stays responsive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskBudget(pub u64);

impl TaskBudget {
    pub const UNLIMITED: TaskBudget = TaskBudget(u64::MAX);
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Everything up to the wanted moment has happened.
    ReachedTime,
    OutOfBudget,
}

/// One step's doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Task(Millis),
    Command(Millis),
}

/// A world, its agenda, and the commands still to come. A clone is a keyframe.
#[derive(Clone, Debug)]
pub struct Simulation {
    pub(crate) world: World,
    pub(crate) engine: Engine,
    pub(crate) setup: Rc<Setup>,
    /// Commands that are not carried out yet, in the order (time, index).
    commands: BTreeMap<(Millis, u32), Rc<Command>>,
}

impl Simulation {
    /// The world at time 0: name server and brokers are up and know each other.
    pub fn new(setup: &Setup) -> Simulation {
        let rules = Rules::of(setup.profile);
        let mut engine = Engine::new(setup.profile, rules, setup.seed, setup.tie_break);
        engine.clean_expired_defect = setup.clean_expired_defect;
        engine.start_up = setup.start_up;
        let brokers = setup
            .brokers
            .iter()
            .enumerate()
            .map(|(index, spec)| broker::Broker::new(BrokerIndex(index as u16), spec, setup))
            .collect();
        let world = World {
            name_server: NameServer::new(),
            is_name_server_up: true,
            brokers,
            clients: Vec::new(),
            network: Network::new(setup.latency),
            frozen: BTreeMap::new(),
        };
        let mut simulation =
            Simulation { world, engine, setup: Rc::new(setup.clone()), commands: BTreeMap::new() };
        simulation.start_machines();
        simulation
    }

    fn start_machines(&mut self) {
        for index in 0..self.world.brokers.len() {
            let broker = BrokerIndex(index as u16);
            let actor = Actor::Machine(Machine::Broker(broker));
            self.begin(actor, Trigger::Follows, Causes::NONE);
            self.with_broker(broker, |it, cx| it.start(cx));
            let registration = self.world.brokers[index].registration();
            self.world.name_server.register(registration, Millis::ZERO);
        }
        // Its scan is set for the oldest registration, so they come first.
        let actor = Actor::Machine(Machine::NameServer(0));
        self.begin(actor, Trigger::Follows, Causes::NONE);
        self.with_name_server(NameServer::start);
    }

    /// Adds commands for later; their index is their place in `commands`, counted on from those
    /// added before.
    pub fn script(&mut self, commands: impl IntoIterator<Item = (Millis, Command)>) {
        let first = self.commands.keys().map(|(_, index)| index + 1).max().unwrap_or(0);
        for (index, (at, command)) in (first..).zip(commands) {
            self.schedule_command(at, index, Rc::new(command));
        }
    }

    /// Adds one command for later. Commands of one moment run after its tasks, in the order of their
    /// index.
    pub fn schedule_command(&mut self, at: Millis, index: u32, command: Rc<Command>) {
        self.commands.insert((at.max(self.engine.now), index), command);
    }

    /// Forgets the commands still to come.
    pub fn clear_script(&mut self) {
        self.commands.clear();
    }

    /// Forgets the commands still to come at `at` or later.
    pub fn forget_commands_from(&mut self, at: Millis) {
        self.commands.split_off(&(at, 0));
    }

    /// The commands still to come, by time and index.
    pub fn commands_to_come(&self) -> impl Iterator<Item = (Millis, &Command)> {
        self.commands.iter().map(|((at, _), command)| (*at, &**command))
    }

    /// When the next thing happens.
    pub fn next_at(&mut self) -> Option<Millis> {
        let task = self.engine.agenda.next_at();
        let command = self.commands.first_key_value().map(|((at, _), _)| *at);
        match (task, command) {
            (Some(task), Some(command)) => Some(task.min(command)),
            (task, command) => task.or(command),
        }
    }

    /// Runs one task or carries out one command; `None` when nothing is to come.
    pub fn step(&mut self) -> Option<Step> {
        let task_at = self.engine.agenda.next_at();
        let command_at = self.commands.first_key_value().map(|((at, _), _)| *at);
        match (task_at, command_at) {
            (None, None) => None,
            (Some(task_at), command_at) if command_at.is_none_or(|at| task_at <= at) => {
                self.run_next_task();
                Some(Step::Task(task_at))
            }
            (_, Some(at)) => {
                let ((at_key, index), command) = self.commands.pop_first().expect("seen above");
                debug_assert_eq!(at, at_key);
                self.engine.now = at;
                // A refusal is an event; a script goes on after it.
                let _refused = self.carry_out(index, &command);
                Some(Step::Command(at))
            }
            (Some(_), None) => unreachable!("taken by the second arm"),
        }
    }

    /// Runs everything up to and including `until`.
    pub fn run_until(&mut self, until: Millis, budget: TaskBudget) -> RunEnd {
        let mut left = budget.0;
        while self.next_at().is_some_and(|at| at <= until) {
            if left == 0 {
                return RunEnd::OutOfBudget;
            }
            left -= 1;
            self.step();
        }
        self.engine.now = self.engine.now.max(until);
        RunEnd::ReachedTime
    }

    /// Carries a command out now.
    ///
    /// # Errors
    /// If it makes no sense now; nothing has changed then but for the event that says so.
    pub fn apply(&mut self, index: u32, command: &Command) -> Result<(), CommandError> {
        self.carry_out(index, command)
    }

    fn carry_out(&mut self, index: u32, command: &Command) -> Result<(), CommandError> {
        self.begin(Actor::Person, Trigger::Command, Causes::NONE);
        // start() does its own checks, step by step.
        let refusal = match command {
            Command::StartConsumer(_) => None,
            _ => self.check_command(command).err(),
        };
        if let Some(error) = refusal {
            self.engine.emit(EventKind::CommandRefused { index, error: error.clone() });
            return Err(error);
        }
        self.engine.emit(EventKind::CommandApplied { index });
        let result = self.perform(command);
        if let Err(error) = &result {
            self.engine.emit(EventKind::CommandRefused { index, error: error.clone() });
        }
        result
    }

    /// What has happened since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.engine.events)
    }

    /// The same, for those who ask after each step: the room that the events took is kept.
    pub fn drain_events(&mut self) -> std::vec::Drain<'_, Event> {
        self.engine.events.drain(..)
    }

    pub fn now(&self) -> Millis {
        self.engine.now
    }

    /// To read, never to change.
    pub fn world(&self) -> &World {
        &self.world
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    fn begin(&mut self, actor: Actor, trigger: Trigger, causes: Causes) {
        self.engine.counters.task += 1;
        self.engine.running = Running::new(actor, trigger, causes);
    }

    fn run_next_task(&mut self) {
        let entry = self.engine.agenda.pop().expect("something is on the agenda");
        self.engine.now = entry.at;
        if let Some(machine) = entry.task.machine()
            && let Some(frozen) = self.world.frozen.get_mut(&machine)
        {
            frozen.backlog.push(entry);
            return;
        }
        let actor = entry.task.machine().map_or(Actor::Person, Actor::Machine);
        self.begin(actor, entry.trigger(), entry.causes);
        if let Some(resumed) = entry.resumed {
            self.engine.running.causes = entry.causes.with(Causes::of(resumed));
            self.engine.running.late_by = Some(resumed);
        }
        match entry.task {
            Task::Deliver(packet) => self.deliver(*packet),
            Task::Broker { broker, life, task } => {
                let is_current = self.world.broker(broker).life == life;
                if is_current && self.world.broker(broker).is_up {
                    self.with_broker(broker, |it, cx| it.run(task, cx));
                }
            }
            Task::Client { process, task } => {
                self.with_client(process, |it, cx| it.run(task, cx));
            }
            Task::NameServer(task) => self.with_name_server(|it, cx| it.run(&task, cx)),
            Task::Resume(machine) => self.end_freeze(machine),
        }
    }

    /// A packet arrives. Where nobody listens, a request is refused; where the host is gone, nothing
    /// comes back.
    fn deliver(&mut self, packet: Packet) {
        match packet.to {
            Machine::Broker(broker) if self.world.broker(broker).is_up => {
                self.with_broker(broker, |it, cx| it.receive(packet, cx));
            }
            Machine::NameServer(_) if self.world.is_name_server_up => {
                self.with_name_server(|it, cx| it.receive(packet, cx));
            }
            Machine::Client(process) if self.world.client(process).is_alive() => {
                self.with_client(process, |it, cx| it.receive(packet, cx));
            }
            Machine::Broker(_) | Machine::NameServer(_) => self.refuse(packet),
            Machine::Client(_) => {}
        }
    }

    fn refuse(&mut self, packet: Packet) {
        let Payload::Request { request, .. } = &packet.payload else { return };
        let (call, from, to, code) = (packet.call, packet.from, packet.to, request.code());
        let reason = LossReason::ReceiverGone;
        let mut cx = Context { engine: &mut self.engine, network: &mut self.world.network, me: to };
        cx.emit(EventKind::PacketLost { call, from, to, code, reason });
        cx.send_refused(packet);
    }

    fn with_broker(
        &mut self,
        index: BrokerIndex,
        run: impl FnOnce(&mut broker::Broker, &mut Context<'_>),
    ) {
        let me = Machine::Broker(index);
        self.engine.running.actor = Actor::Machine(me);
        let World { brokers, network, .. } = &mut self.world;
        let mut cx = Context { engine: &mut self.engine, network, me };
        run(&mut brokers[index.0 as usize], &mut cx);
    }

    fn with_client(
        &mut self,
        process: crate::model::ids::ProcessIndex,
        run: impl FnOnce(&mut client::ClientInstance, &mut Context<'_>),
    ) {
        let me = Machine::Client(process);
        self.engine.running.actor = Actor::Machine(me);
        let World { clients, network, .. } = &mut self.world;
        let mut cx = Context { engine: &mut self.engine, network, me };
        run(&mut clients[process.0 as usize], &mut cx);
    }

    fn with_name_server(&mut self, run: impl FnOnce(&mut NameServer, &mut Context<'_>)) {
        let me = Machine::NameServer(0);
        self.engine.running.actor = Actor::Machine(me);
        let World { name_server, network, .. } = &mut self.world;
        let mut cx = Context { engine: &mut self.engine, network, me };
        run(name_server, &mut cx);
    }
}
