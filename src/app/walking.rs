//! The walkthrough's keys: next, previous, and what is said and lit where one arrives.

use super::effect::Effect;
use super::{App, Page};
use crate::text::page::PageText;

impl App {
    pub(super) fn walk_on(&mut self, effects: &mut Vec<Effect>) {
        let is_still = self.is_still();
        let Some(run) = self.run.as_mut().filter(|_| self.page == Page::Run) else { return };
        if run.walk_on(is_still) {
            self.say_caption(effects);
            self.write_moment(effects);
        }
    }

    /// Straight to a mark, by its place from 0.
    pub(super) fn walk_to(&mut self, mark: usize, effects: &mut Vec<Effect>) {
        let Some(run) = self.run.as_mut().filter(|_| self.page == Page::Run) else { return };
        if run.walk_to(mark) {
            self.say_caption(effects);
            self.write_moment(effects);
        }
    }

    pub(super) fn walk_back(&mut self, effects: &mut Vec<Effect>) {
        let Some(run) = self.run.as_mut().filter(|_| self.page == Page::Run) else { return };
        run.walk_back();
        self.say_caption(effects);
        self.write_moment(effects);
    }

    /// The run stopped by itself: at a mark its thing is lit and its caption said. Says whether it was.
    pub(super) fn arrive(&mut self, effects: &mut Vec<Effect>) -> bool {
        let is_mark = self.run.as_mut().is_some_and(|run| run.light_up());
        let is_said = is_mark && !self.caption_is_hidden();
        if is_said {
            self.say_caption(effects);
        }
        is_said
    }

    pub(super) fn say_caption(&mut self, effects: &mut Vec<Effect>) {
        if self.caption_is_hidden() {
            return;
        }
        let language = self.language();
        let Some(run) = &self.run else { return };
        let Some(shown) = run.walk_shown(language) else { return };
        self.announced = run.last_key_event();
        let text = PageText::Caption {
            number: shown.number as u64,
            count: shown.count as u64,
            caption: shown.caption(language).into(),
        };
        effects.push(Effect::Announce(text.say(language).into_owned()));
    }
}
