//! The visitor's own runs: which one is open, what is kept of it, and the list of the start page.
//!
//! A run gets an id at the first thing that is done in it, and keeps it through undo, redo, a reload and
//! another release; opened anew from its preset it is another run. The browser keeps each under a key of
//! its own, so windows do not overwrite each other's; what another window changed is known by its notice.

use std::cell::RefCell;
use std::rc::Rc;

use super::App;
use super::action::{KeptRuns, SavedRun};
use super::effect::Effect;
use super::packed;
use super::route::{Moment, Route};
use super::run::Run;
use crate::model::time::Millis;
use crate::scenario::link::Link;
use crate::scene::narrate;
use crate::sim::command::Command;
use crate::text::Language;
use crate::text::event::EventText;
use crate::text::page::{PageText, PageWord};

/// How many the browser keeps.
pub const RUNS_KEPT: usize = 50;

/// The longest name of a run that is kept, in characters.
const LONGEST_NAME: usize = 80;

/// A kept run as the list shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnRun {
    pub id: String,
    /// The text after '#'.
    pub hash: String,
    /// The scenario's title.
    pub title: Rc<str>,
    /// What the person calls it.
    pub name: Option<Rc<str>>,
    pub deeds: u32,
    /// What was done in it first.
    pub first: Option<String>,
    /// What was done last, where that is another thing.
    pub last: Option<String>,
    /// The moment of the run that it opens at.
    pub at: Option<Millis>,
    /// When it was kept, by the person's clock.
    pub when: String,
}

/// The list as it was made last, and for which language.
#[derive(Default)]
pub(super) struct OwnRuns(RefCell<Option<(Language, Rc<Vec<OwnRun>>)>>);

impl App {
    /// The visitor's own runs, newest first.
    pub fn own_runs(&self) -> Rc<Vec<OwnRun>> {
        let language = self.language();
        let mut made = self.own.0.borrow_mut();
        match &*made {
            Some((of, list)) if *of == language => list.clone(),
            _ => {
                let list: Rc<Vec<OwnRun>> =
                    Rc::new(self.saved.iter().map(|run| own_run(run, language)).collect());
                *made = Some((language, list.clone()));
                list
            }
        }
    }

    fn set_saved(&mut self, runs: Vec<SavedRun>) {
        self.saved = Rc::new(runs);
        self.own = OwnRuns::default();
    }

    /// Which of the visitor's own a run is that is opened: the newest that goes the same way.
    pub(super) fn id_of(&self, run: &Run) -> Option<String> {
        let is_same = |saved: &&SavedRun| {
            link_of(saved).is_some_and(|link| packed::is_same_run(&link, run.link()))
        };
        let known = self.saved.iter().find(is_same).filter(|_| run.deed_count() > 0);
        known.map(|saved| saved.id.clone())
    }

    /// After an act, an undo or a redo: what was done is kept; a run with nothing done is the preset.
    pub(super) fn keep_changed(&mut self, effects: &mut Vec<Effect>) {
        let Some(run) = &self.run else { return };
        if run.deed_count() == 0 {
            // The id stays: redo brings the run back.
            if let Some(id) = self.run_id.clone() {
                self.forget(&id, effects);
            }
            return;
        }
        if self.run_id.is_none() {
            self.next_run += 1;
            self.run_id = Some(format!("{:x}-{}", self.visit, self.next_run));
        }
        self.keep_run(effects);
    }

    /// Keeps the open run at its moment, if it is one of the visitor's own.
    pub(super) fn keep_run(&mut self, effects: &mut Vec<Effect>) {
        let Some(run) = self.run.as_ref().filter(|run| run.deed_count() > 0) else { return };
        let (Some(id), Some(hash)) = (self.run_id.clone(), self.run_hash()) else { return };
        let earlier = self.saved.iter().find(|other| other.id == id);
        if earlier.is_some_and(|earlier| earlier.hash == hash) {
            return;
        }
        let saved = SavedRun {
            hash,
            title: run.title(self.language()).to_string(),
            name: earlier.and_then(|earlier| earlier.name.clone()),
            deeds: run.deed_count(),
            when_ms: earlier.map_or(0, |earlier| earlier.when_ms),
            when: earlier.map(|earlier| earlier.when.clone()).unwrap_or_default(),
            id,
        };
        self.put(saved, effects);
    }

    fn put(&mut self, saved: SavedRun, effects: &mut Vec<Effect>) {
        let others = self.saved.iter().filter(|other| other.id != saved.id).cloned();
        let runs = std::iter::once(saved.clone()).chain(others).take(RUNS_KEPT).collect();
        self.set_saved(runs);
        effects.push(Effect::KeepRun(saved));
    }

    /// The list is another one, by what we asked for or by another window.
    pub(super) fn take_kept(&mut self, kept: KeptRuns, effects: &mut Vec<Effect>) {
        self.set_saved(kept.runs);
        if kept.is_full {
            self.notify(PageWord::StoreIsFull, effects);
        } else if kept.dropped > 0 {
            let sentence = PageText::OldRunsDropped { count: kept.dropped, kept: RUNS_KEPT as u32 };
            self.notify_sentence(sentence.say(self.language()).into_owned(), effects);
        }
        // Another window went on with the same run: what is done here from now on is a run of its own.
        let Some((run, id)) = self.run.as_ref().zip(self.run_id.as_ref()) else { return };
        let theirs = self.saved.iter().find(|saved| saved.id == *id).and_then(link_of);
        if theirs.is_some_and(|link| !packed::is_same_run(&link, run.link())) {
            self.run_id = None;
        }
    }

    pub(super) fn rename_run(&mut self, id: &str, name: &str, effects: &mut Vec<Effect>) {
        let Some(saved) = self.saved.iter().find(|saved| saved.id == id) else { return };
        let name: String = name.trim().chars().take(LONGEST_NAME).collect();
        let name = Some(name).filter(|name| !name.is_empty());
        self.put(SavedRun { name, ..saved.clone() }, effects);
    }

    pub(super) fn delete_run(&mut self, id: &str, effects: &mut Vec<Effect>) {
        if self.run_id.as_deref() == Some(id) {
            self.run_id = None;
        }
        self.forget(id, effects);
    }

    fn forget(&mut self, id: &str, effects: &mut Vec<Effect>) {
        let others: Vec<SavedRun> = self.saved.iter().filter(|it| it.id != id).cloned().collect();
        if others.len() < self.saved.len() {
            self.set_saved(others);
            effects.push(Effect::ForgetRun(id.to_owned()));
        }
    }
}

fn address_of(saved: &SavedRun) -> Option<(Link, Option<Moment>)> {
    match Route::parse(&saved.hash) {
        Route::Run(address) => Some((packed::read(&address.packed).ok()?, address.moment)),
        Route::Start | Route::Help | Route::Preset { .. } | Route::Unknown(_) => None,
    }
}

fn link_of(saved: &SavedRun) -> Option<Link> {
    address_of(saved).map(|(link, _)| link)
}

fn own_run(saved: &SavedRun, language: Language) -> OwnRun {
    let (link, moment) = address_of(saved).unzip();
    let scenario = link.as_ref().and_then(|link| link.scenario().ok());
    let title = scenario.map(|scenario| match language {
        Language::En => scenario.title.en.as_str().into(),
        Language::ZhCn => scenario.title.zh.as_str().into(),
    });
    let deeds = link.map(|link| link.interventions).unwrap_or_default();
    let told = |command: &Command| {
        EventText::Asked(narrate::command_text(command)).say(language).into_owned()
    };
    OwnRun {
        id: saved.id.clone(),
        hash: saved.hash.clone(),
        title: title.unwrap_or_else(|| saved.title.as_str().into()),
        name: saved.name.as_deref().map(Into::into),
        deeds: saved.deeds,
        first: deeds.first().map(|(_, command)| told(command)),
        last: deeds.last().filter(|_| deeds.len() > 1).map(|(_, command)| told(command)),
        at: moment.flatten().map(|moment| moment.at),
        when: saved.when.clone(),
    }
}
