//! Opening what an address names: the start page, help, a preset, any run.

use super::effect::Effect;
use super::route::{Moment, Route, RunAddress};
use super::run::Run;
use super::{App, Page, packed};
use crate::scenario::link::Link;
use crate::text::page::PageText;

impl App {
    pub(super) fn open_hash(&mut self, hash: &str, effects: &mut Vec<Effect>) {
        match Route::parse(hash) {
            Route::Start => self.show_page(Page::Start, effects),
            Route::Help => self.open_help(effects),
            Route::Preset { name, moment, selected } => match Run::preset(&name) {
                Ok(mut run) => {
                    run.selected = selected;
                    self.open_run(run, moment, effects);
                    self.write_moment(effects);
                }
                Err(reason) => self.cannot_read(&reason, hash, effects),
            },
            Route::Run(address) => self.open_address(&address, hash, effects),
            Route::Unknown(text) => {
                let text = text.as_str().into();
                self.cannot_read(&PageText::NoSuchPage { text }, hash, effects);
            }
        }
    }

    /// A link is pasted with or without what stands before '#'.
    pub(super) fn open_pasted(&mut self, text: &str, effects: &mut Vec<Effect>) {
        let text = text.trim();
        let hash = text.split_once('#').map_or(text, |(_, hash)| hash).to_owned();
        if hash.is_empty() {
            return;
        }
        effects.push(Effect::WriteHash { text: hash.clone(), is_new: true });
        self.open_hash(&hash, effects);
    }

    /// Opens a preset as its address would, and plays it at once.
    pub(super) fn play_preset(&mut self, name: &str, effects: &mut Vec<Effect>) {
        let route = Route::Preset { name: name.to_owned(), moment: None, selected: None };
        let hash = route.to_text();
        effects.push(Effect::WriteHash { text: hash.clone(), is_new: true });
        self.open_hash(&hash, effects);
        self.press_play(effects);
    }

    pub(super) fn open_help(&mut self, effects: &mut Vec<Effect>) {
        if self.page != Page::Help {
            effects.push(Effect::WriteHash { text: Route::Help.to_text(), is_new: true });
            self.show_page(Page::Help, effects);
        }
    }

    fn open_address(&mut self, address: &RunAddress, hash: &str, effects: &mut Vec<Effect>) {
        let link = match packed::read(&address.packed) {
            Ok(link) => link,
            Err(reason) => return self.cannot_read(&reason, hash, effects),
        };
        let is_same = |run: &Run| packed::is_same_run(run.link(), &link);
        if !self.run.as_ref().is_some_and(is_same) {
            match Run::from_link(link) {
                Ok(run) => self.open_run(run, address.moment, effects),
                Err(reason) => return self.cannot_read(&reason, hash, effects),
            }
        } else {
            self.show_page(Page::Run, effects);
            if let (Some(run), Some(moment)) = (&mut self.run, address.moment) {
                run.player.stop();
                run.go_to_moment(moment);
            }
        }
        if let Some(run) = &mut self.run {
            run.selected = address.selected.clone();
        }
    }

    /// Opens it beside what was there: a run of the visitor's own is kept among theirs.
    pub(super) fn open_run(
        &mut self,
        mut run: Run,
        moment: Option<Moment>,
        effects: &mut Vec<Effect>,
    ) {
        self.keep_run(effects);
        run.player.pace = self.settings.pace;
        if let Some(moment) = moment {
            run.go_to_moment(moment);
        }
        self.run_id = self.id_of(&run);
        self.run = Some(run);
        self.announced = None;
        self.sheet_is_open = false;
        self.show_page(Page::Run, effects);
    }

    fn show_page(&mut self, page: Page, effects: &mut Vec<Effect>) {
        if let Some(run) = self.run.as_mut().filter(|_| page != Page::Run) {
            run.player.stop();
        }
        if self.page != page {
            effects.push(Effect::FocusMain);
        }
        self.page = page;
        effects.push(self.dress());
    }

    fn cannot_read(&mut self, reason: &PageText, raw: &str, effects: &mut Vec<Effect>) {
        let reason = reason.say(self.language()).into_owned();
        effects.push(Effect::Announce(reason.clone()));
        self.show_page(Page::Unreadable { reason, raw: raw.to_owned() }, effects);
    }

    /// The address of the run at its moment, with what is selected.
    pub(super) fn run_hash(&self) -> Option<String> {
        let run = self.run.as_ref()?;
        let address = RunAddress {
            packed: run.packed().to_owned(),
            moment: Some(run.moment()),
            selected: run.selected.clone(),
            unknown: Vec::new(),
        };
        Some(Route::Run(address).to_text())
    }

    /// Where "Back" on the help page leads.
    pub fn address_behind(&self) -> String {
        self.run_hash().map_or_else(|| "#/".to_owned(), |hash| format!("#{hash}"))
    }

    /// The same run under another version: what the visitor did stays, as does the moment.
    pub(super) fn reopen(&mut self, link: Link, effects: &mut Vec<Effect>) {
        let Some(run) = &self.run else { return };
        let (at, selected) = (run.moment().at, run.selected.clone());
        let Ok(changed) = Run::from_link(link) else { return };
        let id = self.run_id.take();
        self.open_run(changed, Some(Moment { at, event: None }), effects);
        self.run_id = id;
        if let Some(run) = &mut self.run {
            run.selected = selected;
        }
        self.keep_run(effects);
        if let Some(text) = self.run_hash() {
            effects.push(Effect::WriteHash { text, is_new: true });
        }
    }
}
