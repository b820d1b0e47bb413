//! Acting: commands of the visitor, undo and redo, another version of RocketMQ.

use super::App;
use super::ask::Ask;
use super::effect::Effect;
use crate::model::profile::Profile;
use crate::text::page::{PageText, PageWord};

impl App {
    /// The visitor asks for something at the moment shown. What came after it is told anew; the run
    /// as it was stays one step of Back and one undo away.
    pub(super) fn ask(&mut self, ask: &Ask, effects: &mut Vec<Effect>) {
        let language = self.language();
        let Some(run) = &mut self.run else { return };
        match run.act(ask) {
            Ok(()) => {
                let sentence = run.deed_lines(language).pop().map(|line| line.sentence);
                effects.extend(sentence.map(Effect::Announce));
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
        let link = run.link_with(profile);
        self.reopen(link, effects);
    }

    /// The run is another one now: a new entry of the history, and kept for later.
    fn changed(&mut self, effects: &mut Vec<Effect>) {
        self.announced = None;
        if let Some(text) = self.run_hash() {
            effects.push(Effect::WriteHash { text, is_new: true });
        }
        self.keep_run(effects);
    }
}
