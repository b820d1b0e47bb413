//! What the visitor does to a run, and what they did.

use std::rc::Rc;

use super::Run;
use crate::app::ask::{Ask, Subjects};
use crate::app::fault::{self, Around, Target};
use crate::app::route::Moment;
use crate::app::shown::{DeedLine, VerbsShown};
use crate::model::ids::ClientId;
use crate::model::time::Millis;
use crate::recording::{Intervention, Recording};
use crate::scene::beat::Beat;
use crate::scene::beat::roots::MOMENT;
use crate::scene::mark::MarkId;
use crate::scene::narrate;
use crate::sim::TaskBudget;
use crate::sim::command::Command;
use crate::sim::event::{Event, EventKind};
use crate::text::Language;
use crate::text::event::EventText;

impl Run {
    pub(super) fn subjects(&self) -> Subjects {
        let world = self.recording.head().world();
        let taken: Vec<ClientId> = world.clients.iter().map(|it| it.client_id.clone()).collect();
        Subjects::of(&self.scenario, &taken, self.interventions().len())
    }

    /// Does it at the moment shown, and shows it: the playhead goes onto the act and plays its beat,
    /// and beyond if it was playing. Under way in a beat, one acts on what that beat ends with. Says
    /// when it was done.
    ///
    /// # Errors
    /// Why it makes no sense now; nothing where the run lacks what it is about.
    pub fn act(&mut self, ask: &Ask, is_still: bool) -> Result<Millis, Option<EventText>> {
        let command = ask.command(&self.subjects()).ok_or(None)?;
        let at = self.rests_at();
        let refused = |error| Some(EventText::Refused(narrate::refusal_text(&error)));
        self.recording.act(at, command).map_err(refused)?;
        self.changed();
        self.show_deed(at, is_still);
        Ok(at)
    }

    /// Virtual time at the end of the beat under way; else where the playhead is.
    fn rests_at(&self) -> Millis {
        self.beat_under_way().map_or_else(|| self.now(), |beat| beat.at)
    }

    /// A consumer of another group than the one that is shown: the stage turns to its group.
    fn look_at(&mut self, beat: &Beat) {
        let Some(mark @ MarkId::Consumer(process)) = beat.lit.first() else { return };
        let gaze = self.gaze();
        let scene = self.film.scene(&self.recording, beat.ends_ms, &gaze);
        if scene.consumer(*process).is_none() {
            self.selected = Some(mark.clone());
        }
    }

    fn show_deed(&mut self, at: Millis, is_still: bool) {
        // Its beat has its time as soon as what may belong to it is there.
        self.recording.extend_until(at + MOMENT + MOMENT, TaskBudget::UNLIMITED);
        self.compute();
        let index = (self.recording.start().script.len() + self.interventions().len() - 1) as u32;
        let until = self.recording.events_until(at);
        let mut events = (0..until).rev().filter_map(|event| self.recording.event(event));
        let is_it = |event: &&Event| event.kind == EventKind::CommandApplied { index };
        let Some(event) = events.find(is_it).map(|event| event.sequence) else { return };
        let Some(beat) = self.film.timeline().beat_of(event).cloned() else { return };
        self.look_at(&beat);
        let (starts_ms, ends_ms) = (beat.starts_ms, beat.ends_ms);
        self.player.goal_ms = None;
        match (is_still, self.player.is_playing) {
            (true, _) => self.go_to(ends_ms),
            (false, true) => self.go_to(starts_ms),
            (false, false) => {
                self.go_to(starts_ms);
                self.player.go_towards(ends_ms, ends_ms - starts_ms);
            }
        }
    }

    /// Everything that can be acted on at the moment shown.
    pub fn around(&mut self) -> Rc<Around> {
        let event = self.event_told();
        let key = (event, self.recording.cut_count(), self.recording.event_count());
        if self.around_of != Some(key) {
            self.around_of = Some(key);
            let scene = self.scene();
            let subjects = self.subjects();
            let deeds = self.recording.interventions().iter();
            let deeds = deeds.filter(|deed| deed.at <= scene_time(&self.recording, event));
            let started = self.scenario.script.iter().map(|(_, command)| command);
            let started: Vec<Command> = started
                .chain(deeds.map(|deed| &*deed.command))
                .filter(|command| {
                    matches!(command, Command::StartConsumer(_) | Command::StartProducer(_))
                })
                .cloned()
                .collect();
            let simulation = self.film.simulation(&self.recording, event);
            let mut around = Around::of(simulation, &scene, started.iter());
            around.new_client = subjects.new_client;
            around.new_key = subjects.key;
            around.scripted = self.scripted();
            self.around = Rc::new(around);
        }
        let key = self.key_looked_at();
        if self.around.key != key {
            Rc::make_mut(&mut self.around).key = key;
        }
        self.around.clone()
    }

    /// Keys of messages that carry a script of their own, wherever in the run they are sent.
    fn scripted(&self) -> Rc<[Rc<str>]> {
        let mut keys: Vec<Rc<str>> = Vec::new();
        for event in self.recording.events().iter() {
            let EventKind::MessageStored { message } = &event.kind else { continue };
            let key = message.body.key.as_ref().filter(|_| message.body.script.is_some());
            if let Some(key) = key.filter(|key| !keys.iter().any(|known| **known == *key.as_str()))
            {
                keys.push(key.as_str().into());
            }
        }
        keys.into()
    }

    /// The key of the message that is selected, for a listener's behaviour.
    fn key_looked_at(&mut self) -> Option<String> {
        let mark = self.selected.clone()?;
        let scene = self.scene();
        let unique = match mark {
            MarkId::Message(key) => key,
            MarkId::Copy(copy) => scene.copy(&copy)?.unique_key,
            MarkId::Worker { process, index } => {
                let mut seats = scene.consumer(process)?.workers.seats.iter();
                seats.find(|seat| seat.index == index)?.card.as_ref()?.unique_key
            }
            _ => return None,
        };
        let mut events = self.recording.events().iter();
        events.find_map(|event| match &event.kind {
            EventKind::MessageStored { message } if message.body.unique_key == unique => {
                message.body.key.as_ref().map(|key| key.as_str().to_owned())
            }
            _ => None,
        })
    }

    /// What one acts on by acting on the selected mark, or on what the run is about.
    pub fn target(&mut self) -> Option<Target> {
        let mark = self.followed()?;
        fault::target_of(&mark, &self.scene())
    }

    /// The verbs of the selected thing; whether each asks for something first.
    pub fn verbs(&mut self) -> Option<VerbsShown> {
        let target = self.target()?;
        let around = self.around();
        let verbs = fault::verbs_of(&target, &around).into_iter();
        let verbs = verbs.map(|verb| (verb, fault::wants_fields(verb, &target, &around))).collect();
        Some(VerbsShown { target, verbs })
    }

    /// Takes out one of the visitor's acts; tells what it was.
    pub fn remove_deed(&mut self, place: usize, language: Language) -> Option<DeedLine> {
        let line = self.deed_lines(language).into_iter().nth(place)?;
        let mut deeds = self.interventions().to_vec();
        deeds.remove(place);
        self.recording.set_interventions(deeds);
        self.changed();
        Some(line)
    }

    pub fn undo(&mut self) -> bool {
        let (now, before) = (self.now(), self.interventions().to_vec());
        let did = self.recording.undo().is_some();
        self.changed();
        let pairs = before.iter().zip(self.interventions());
        let same = pairs.take_while(|(old, kept)| old == kept).count();
        let taken = before.get(same).map(|deed| deed.at);
        if let Some(at) = taken.filter(|at| *at <= now) {
            // Back to where one stood when one did it.
            self.player.stop();
            self.go_to_moment(Moment { at, event: None });
        }
        did
    }

    pub fn redo(&mut self) -> bool {
        let did = self.recording.redo().is_some();
        self.changed();
        did
    }

    pub fn can_undo(&self) -> bool {
        self.recording.can_undo()
    }

    pub fn can_redo(&self) -> bool {
        self.recording.can_redo()
    }

    pub fn deed_lines(&self, language: Language) -> Vec<DeedLine> {
        let line = |deed: &Intervention| DeedLine {
            at: deed.at,
            sentence: EventText::Asked(narrate::command_text(&deed.command))
                .say(language)
                .into_owned(),
        };
        self.interventions().iter().map(line).collect()
    }
}

fn scene_time(recording: &Recording, event: u32) -> Millis {
    recording.event(event).map(|event| event.at).unwrap_or_default()
}
