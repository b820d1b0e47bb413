//! What *happened*, and how to be anywhere in it.
//!
//! The truth is what a run starts from and what a person did ([`Intervention`]s); everything else can
//! be computed again. Events are kept, because the picture, the log and the charts are made of them.
//! States are not, but for a few [`keyframes`], from which any moment is reached by running again.
//!
//! A past moment is the state after the *task* of an event: the events of one task changed the world
//! together. Never imports `scene` or `app`; no floats.

pub mod cursor;
pub mod extend;
pub mod intervention;
pub mod keyframes;
pub mod revision;

use std::rc::Rc;

pub use self::cursor::Cursor;
pub use self::extend::Extended;
pub use self::intervention::{Intervention, Start};
use self::keyframes::Keyframes;
use self::revision::Revision;
use crate::model::append_log::AppendLog;
use crate::model::order;
use crate::model::time::Millis;
use crate::sim::command::{Command, CommandError};
use crate::sim::event::{Event, EventSequence, Limit};
use crate::sim::{Simulation, TaskBudget};

/// A run as far as it is known.
#[derive(Clone, Debug)]
pub struct Recording {
    start: Start,
    interventions: Revision<Rc<[Intervention]>>,
    events: AppendLog<Event>,
    /// The state after the last event.
    head: Simulation,
    /// Everything up to here has happened.
    reached: Millis,
    limit: Option<Limit>,
    keyframes: Keyframes,
    /// For each time that the future was thrown away, how many events stayed.
    cuts: Vec<EventSequence>,
}

impl Recording {
    /// A run that has not begun: name server and brokers are up.
    pub fn new(start: Start, interventions: Vec<Intervention>) -> Recording {
        let mut interventions = interventions;
        order::sort_by_key(&mut interventions, |intervention| intervention.at);
        let mut head = Simulation::new(&start.setup);
        schedule(&mut head, &start, &interventions, Millis::ZERO);
        let mut events = AppendLog::default();
        head.take_events().into_iter().for_each(|event| events.push(event));
        let keyframes = Keyframes::new(head.clone());
        Recording {
            start,
            interventions: Revision::new(interventions.into()),
            events,
            head,
            reached: Millis::ZERO,
            limit: None,
            keyframes,
            cuts: Vec::new(),
        }
    }

    pub fn start(&self) -> &Start {
        &self.start
    }

    /// What the person did, by time.
    pub fn interventions(&self) -> &[Intervention] {
        self.interventions.current()
    }

    /// Every event so far. An event's sequence number is its place here.
    pub fn events(&self) -> &AppendLog<Event> {
        &self.events
    }

    pub fn event(&self, index: EventSequence) -> Option<&Event> {
        self.events.get(index as usize)
    }

    /// How many events there are so far.
    pub fn event_count(&self) -> EventSequence {
        self.events.len() as EventSequence
    }

    /// Everything up to this moment is known.
    pub fn reached(&self) -> Millis {
        self.reached
    }

    /// The limit at which the run ended, if it met one.
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// The newest state.
    pub fn head(&self) -> &Simulation {
        &self.head
    }

    /// The command of that number: the script's first, then the person's.
    pub fn command(&self, index: u32) -> Option<&Rc<Command>> {
        let index = index as usize;
        let script = self.start.script.len();
        match self.start.script.get(index) {
            Some((_, command)) => Some(command),
            None => self.interventions().get(index - script).map(|it| &it.command),
        }
    }

    /// The number of events once the task of event `index` is done.
    pub fn task_end(&self, index: EventSequence) -> EventSequence {
        let Some(event) = self.event(index) else { return self.event_count() };
        let after = self.events.iter_from(index as usize);
        index + after.take_while(|other| other.task == event.task).count() as EventSequence
    }

    /// The first event after `at`, as a number of events.
    pub fn events_until(&self, at: Millis) -> EventSequence {
        self.events.partition_point(|event| event.at <= at) as EventSequence
    }

    /// The state after the task of event `index`. Runs again from a keyframe: for a walk forward use
    /// a [`Cursor`].
    pub fn simulation_at(&self, index: EventSequence) -> Simulation {
        let mut cursor = Cursor::new(self);
        cursor.seek(self, index);
        cursor.into_simulation()
    }

    /// The state when everything of that moment has happened; the moment must be reached.
    pub fn simulation_at_time(&self, at: Millis) -> Simulation {
        let mut simulation = match self.head.now() <= at {
            true => self.head.clone(),
            false => self.keyframes.before_moment(at + Millis(1)).clone(),
        };
        simulation.run_until(at, TaskBudget::UNLIMITED);
        simulation.take_events();
        simulation
    }

    /// A mark of the state at a moment that is reached: equal runs have equal marks.
    pub fn digest(&self, until: Millis) -> u64 {
        self.simulation_at_time(until).digest()
    }

    /// Whether the command would make sense at that moment.
    ///
    /// # Errors
    /// The reason why it would not.
    pub fn check(&self, at: Millis, command: &Command) -> Result<(), CommandError> {
        self.simulation_at_time(at).check_command(command)
    }

    /// A person does something at a moment that is reached; it happens after everything else of that
    /// moment. What is known of the future is thrown away, and so is what the person did later: undo
    /// brings it back. Returns the first event that may be another one now.
    ///
    /// # Errors
    /// If the command makes no sense then; nothing has changed.
    pub fn act(&mut self, at: Millis, command: Command) -> Result<EventSequence, CommandError> {
        self.extend_until(at, TaskBudget::UNLIMITED);
        self.check(at, &command)?;
        let kept = self.interventions().iter().filter(|intervention| intervention.at <= at);
        let mut changed: Vec<Intervention> = kept.cloned().collect();
        changed.push(Intervention { at, command: Rc::new(command) });
        Ok(self.set_interventions(changed))
    }

    /// Other interventions in place of those that were; one more step for undo.
    pub fn set_interventions(&mut self, mut changed: Vec<Intervention>) -> EventSequence {
        order::sort_by_key(&mut changed, |intervention| intervention.at);
        let before = self.interventions.current().clone();
        self.interventions.commit(changed.into());
        self.run_again_from(&before)
    }

    pub fn can_undo(&self) -> bool {
        self.interventions.can_undo() || !self.interventions().is_empty()
    }

    pub fn can_redo(&self) -> bool {
        self.interventions.can_redo()
    }

    /// Takes the last act back. Returns the first event that may be another one now; `None` if there
    /// is nothing to take back. A run that was opened with acts, from a link or after a reload, has no
    /// history of its own: there the last one of the list was done last.
    pub fn undo(&mut self) -> Option<EventSequence> {
        let before = self.interventions.current().clone();
        if !self.interventions.can_undo()
            && let Some((_, earlier)) = before.split_last()
        {
            self.interventions.precede(earlier.into());
        }
        self.interventions.undo().then(|| self.run_again_from(&before))
    }

    /// Does again what was taken back.
    pub fn redo(&mut self) -> Option<EventSequence> {
        let before = self.interventions.current().clone();
        self.interventions.redo().then(|| self.run_again_from(&before))
    }

    /// How often the future was thrown away; who keeps something derived from the events compares.
    pub fn cut_count(&self) -> usize {
        self.cuts.len()
    }

    /// How many events are still the same as they were after `cut_count` cuts.
    pub fn kept_since(&self, cut_count: usize) -> EventSequence {
        let cuts = self.cuts.get(cut_count..).unwrap_or_default();
        cuts.iter().copied().min().unwrap_or(EventSequence::MAX)
    }

    /// Throws away everything from the first difference to `before` on.
    fn run_again_from(&mut self, before: &[Intervention]) -> EventSequence {
        let now = self.interventions.current().clone();
        let same = now.iter().zip(before).take_while(|(new, old)| new == old).count();
        let first = [now.get(same), before.get(same)].into_iter().flatten();
        let Some(cut_at) = first.map(|intervention| intervention.at).min() else {
            return self.event_count();
        };
        self.keyframes.forget_from(cut_at);
        for simulation in self.keyframes.simulations_mut() {
            simulation.forget_commands_from(cut_at);
            schedule(simulation, &self.start, &now, cut_at);
        }
        let mut head = self.keyframes.before_moment(cut_at).clone();
        while head.next_at().is_some_and(|at| at < cut_at) {
            head.step();
        }
        head.take_events();
        let kept = head.engine().next_event;
        self.events.truncate(kept as usize);
        self.head = head;
        self.limit = None;
        self.reached = self.reached.min(Millis(cut_at.ms().saturating_sub(1)));
        self.cuts.push(kept);
        kept
    }
}

/// Puts all commands from `from` on into the simulation's script, by their numbers.
fn schedule(
    simulation: &mut Simulation,
    start: &Start,
    interventions: &[Intervention],
    from: Millis,
) {
    let scripted = start.script.iter().map(|(at, command)| (*at, command));
    let added = interventions.iter().map(|intervention| (intervention.at, &intervention.command));
    for (index, (at, command)) in (0..).zip(scripted.chain(added)) {
        if at >= from {
            simulation.schedule_command(at, index, command.clone());
        }
    }
}
