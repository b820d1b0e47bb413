//! Acting: commands of the visitor, undo and redo, another version of RocketMQ.

use super::App;
use super::action::{PhonePanel, RailTab};
use super::ask::Ask;
use super::effect::Effect;
use super::fault::{self, Draft, FaultText, Target, Verb};
use crate::model::profile::Profile;
use crate::text::page::{PageText, PageWord};

/// Elements of the form of faults: its first field, and the first verb of what it is about.
pub const FIRST_FIELD: &str = "fault-first-field";
pub const FIRST_VERB: &str = "fault-first-verb";

impl App {
    /// The visitor asks for something at the moment shown. What came after it is told anew; the run
    /// as it was stays one step of Back and one undo away.
    pub(super) fn ask(&mut self, ask: &Ask, effects: &mut Vec<Effect>) {
        let (language, is_still) = (self.language(), self.is_still());
        let Some(run) = &mut self.run else { return };
        match run.act(ask, is_still) {
            Ok(at) => {
                let lines = run.deed_lines(language);
                let sentence = lines.into_iter().rfind(|line| line.at == at);
                effects.extend(sentence.map(|line| Effect::Announce(line.sentence)));
                self.fault.problem = None;
                self.changed(effects);
            }
            Err(reason) => {
                let reason = reason.map(|text| text.say(language).into_owned()).unwrap_or_default();
                let reason = reason.as_str().into();
                let sentence = PageText::CouldNot { reason }.say(language).into_owned();
                self.notify_sentence(sentence, effects);
            }
        }
    }

    /// The form is about this from now on.
    pub(super) fn choose_target(&mut self, target: Option<Target>) {
        self.fault = Draft { target, ..Draft::default() };
    }

    /// Acting on what is selected: the form is about that.
    pub(super) fn aim_at_selected(&mut self) {
        let target = self.run.as_mut().and_then(|run| run.target());
        if target.is_some() {
            self.choose_target(target);
        }
    }

    /// Does at once what asks for nothing; opens the form for the rest.
    pub(super) fn press_verb(&mut self, target: Target, verb: Verb, effects: &mut Vec<Effect>) {
        let Some(run) = &mut self.run else { return };
        let wants_fields = fault::wants_fields(verb, &target, &run.around());
        let is_same = self.fault.target.as_ref() == Some(&target) && self.fault.verb == Some(verb);
        if !wants_fields || !is_same {
            self.fault = Draft { target: Some(target), verb: Some(verb), ..Draft::default() };
        }
        match wants_fields {
            true => {
                self.open_phone_panel(Some(PhonePanel::Rail(RailTab::Do)));
                self.sheet_is_open = true;
                effects.push(Effect::Focus(FIRST_FIELD));
            }
            false => {
                self.press_fault(effects);
                self.fault.verb = None;
            }
        }
    }

    /// Does what the form says, or says what is wrong with it.
    pub(super) fn press_fault(&mut self, effects: &mut Vec<Effect>) {
        let language = self.language();
        let Some(run) = &mut self.run else { return };
        match fault::command(&self.fault, &run.around()) {
            Ok(command) => self.ask(&Ask::Do(Box::new(command)), effects),
            Err(problem) => {
                effects.push(Effect::Announce(problem.say(language).into_owned()));
                self.fault.problem = Some(problem);
            }
        }
    }

    /// Takes one line out of the visitor's script; undo brings it back.
    pub(super) fn remove_deed(&mut self, place: usize, effects: &mut Vec<Effect>) {
        let language = self.language();
        let Some(run) = &mut self.run else { return };
        if let Some(line) = run.remove_deed(place, language) {
            let sentence = FaultText::Removed { sentence: line.sentence.as_str().into() };
            self.notify_sentence(sentence.say(language).into_owned(), effects);
            self.changed(effects);
        }
    }

    pub(super) fn undo(&mut self, effects: &mut Vec<Effect>) {
        if self.run.as_mut().is_some_and(|run| run.undo()) {
            self.notify(PageWord::Undone, effects);
            self.changed(effects);
        }
    }

    pub(super) fn redo(&mut self, effects: &mut Vec<Effect>) {
        if self.run.as_mut().is_some_and(|run| run.redo()) {
            self.notify(PageWord::Redone, effects);
            self.changed(effects);
        }
    }

    pub(super) fn choose_profile(&mut self, profile: Profile, effects: &mut Vec<Effect>) {
        let Some(run) = self.run.as_ref().filter(|run| run.profile() != profile) else { return };
        let (before, link) = (run.profile(), run.link_with(profile));
        self.reopen(link, effects);
        let (from, to) = (before.min(profile), before.max(profile));
        let language = self.language();
        let own = self.run.as_ref().and_then(|run| run.differs(before, language));
        let general = || PageText::ReleasesDiffer { from, to }.say(language).into_owned();
        let sentence = own.unwrap_or_else(general);
        self.notify_sentence(sentence, effects);
    }

    /// The run is another one now: a new entry of the history, and kept for later.
    fn changed(&mut self, effects: &mut Vec<Effect>) {
        self.announced = None;
        if let Some(text) = self.run_hash() {
            effects.push(Effect::WriteHash { text, is_new: true });
        }
        self.keep_changed(effects);
    }
}
