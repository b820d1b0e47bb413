//! The state of the page, with no browser in it.
//!
//! One door: [`App::update`] takes what was done and returns what the browser must do. Everything
//! here is tested natively. Never imports yew, the DOM or a clock.

pub mod action;
pub mod arrange;
pub mod ask;
pub mod bar;
pub mod deeds;
pub mod effect;
pub mod fault;
mod hero;
pub mod keys;
pub mod log;
pub mod mark_text;
mod open;
pub mod own;
mod packed;
pub mod player;
pub mod room;
pub mod route;
pub mod run;
mod series;
pub mod settings;
pub mod show;
pub mod shown;
mod time;
pub mod time_field;
pub mod toast;
pub mod walk;
mod walking;
pub mod why;

use std::cell::OnceCell;
use std::rc::Rc;

use self::action::{
    Action, ChartKind, Device, DockTab, Done, Failure, Media, PhonePanel, RailTab, SavedRun,
};
use self::effect::Effect;
use self::log::LogWish;
use self::player::Drive;
use self::run::Run;
use self::settings::{Motion, Settings, Theme};
use self::shown::PresetLine;
use self::toast::Toasts;
use crate::scene::mark::MarkId;
use crate::text::Language;
use crate::text::chain::ChainWord;
use crate::text::page::PageWord;

/// Which page is shown. A run that was left stays as it is until another one is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Page {
    #[default]
    Start,
    /// The start page, with what could not be read.
    Unreadable {
        reason: String,
        raw: String,
    },
    Help,
    Run,
}

/// The whole state of the page.
#[derive(Default)]
pub struct App {
    pub page: Page,
    pub run: Option<Run>,
    pub settings: Settings,
    pub media: Media,
    languages: Vec<String>,
    /// The presets as the start page offers them, read once.
    presets: OnceCell<Rc<Vec<PresetLine>>>,
    /// The visitor's own runs, newest first.
    pub saved: Rc<Vec<SavedRun>>,
    /// The same as the start page lists them, made when it is asked for.
    own: own::OwnRuns,
    /// Among the visitor's own, the run that is open.
    run_id: Option<String>,
    /// From these the next run's id is made.
    visit: u64,
    next_run: u32,
    /// A newer version of the page waits to be used.
    pub new_version: bool,
    /// It was said that the browser keeps nothing.
    said_keeps_nothing: bool,
    pub toasts: Toasts,
    pub rail: RailTab,
    pub dock: DockTab,
    /// On a phone: what is shown in the card's place.
    pub phone: Option<PhonePanel>,
    /// The panel is open where it lies over the stage.
    pub sheet_is_open: bool,
    pub log: LogWish,
    /// The form of faults as it is filled in.
    pub fault: fault::Draft,
    /// The row of the log that was in force when the log was last moved to it.
    log_row: Option<u32>,
    pub dock_is_tall: bool,
    /// The stage alone.
    pub is_zoomed: bool,
    /// The screen is dark.
    pub is_blank: bool,
    /// "Go to a time", while it is open.
    pub time_field: Option<time_field::TimeField>,
    /// The legend of the time bar is open.
    pub signs_are_open: bool,
    /// The mark whose caption was asked for, where captions wait.
    caption_asked: Option<usize>,
    /// The walkthrough's bar is put away.
    pub walk_is_closed: bool,
    /// The inspector shows a ProcessQueue as its tree.
    pub shows_tree: bool,
    /// Which chart is shown.
    pub chart: ChartKind,
    /// The chart is shown as its table.
    pub shows_table: bool,
    /// The event whose things are lit up on the stage: that of a why-chain's row under the pointer.
    lit: Option<u32>,
    is_hidden: bool,
    /// The last event that was announced.
    announced: Option<u32>,
}

impl App {
    /// Takes what was done; says what the browser must do.
    pub fn update(&mut self, action: Action) -> Vec<Effect> {
        let mut effects = Vec::new();
        match action {
            Action::Started(device) => self.start(*device, &mut effects),
            Action::HashChanged(hash) => self.open_hash(&hash, &mut effects),
            Action::OpenedStart => self.open_hash("#/", &mut effects),
            Action::OpenedHelp => self.open_help(&mut effects),
            Action::OpenedPreset(name) => self.open_hash(&format!("#/p/{name}"), &mut effects),
            Action::PastedLink(text) => self.open_pasted(&text, &mut effects),
            Action::PlayedPreset(name) => self.play_preset(&name, &mut effects),
            Action::MediaChanged(media) => self.media = media,
            Action::PressedKey(press) => return self.press(&press),
            Action::Hidden(is_hidden) => self.is_hidden = is_hidden,
            Action::EffectFailed(failure) => self.report_failure(failure, &mut effects),
            Action::EffectDone(Done::Copied) => self.notify(PageWord::LinkCopied, &mut effects),
            Action::EffectDone(Done::CopiedText) => {
                let said = ChainWord::Copied.say(self.language()).to_owned();
                self.notify_sentence(said, &mut effects);
            }
            Action::FramePassed(wall_ms) => self.pass_frame(wall_ms, &mut effects),
            Action::Ticked => self.tick(&mut effects),
            Action::PressedPlay => self.press_play(&mut effects),
            Action::Stepped(step) => self.step(step, &mut effects),
            Action::MovedPlayhead(story_ms) => self.move_playhead(story_ms, &mut effects),
            Action::WentToEvent(event) => self.go_to_event(event, &mut effects),
            Action::AskedWhy(event) => self.ask_why(event),
            Action::LitUp(event) => self.lit = event,
            Action::CopiedWhy => self.copy_why(&mut effects),
            Action::ChosePace(pace) => self.choose_pace(pace, &mut effects),
            Action::WalkedOn => self.walk_on(&mut effects),
            Action::WalkedBack => self.walk_back(&mut effects),
            Action::WalkedTo(mark) => self.walk_to(mark, &mut effects),
            Action::ToggledWalk => self.walk_is_closed = !self.walk_is_closed,
            Action::Selected(mark) => self.select(mark, &mut effects),
            Action::ChoseRail(tab) => {
                self.open_phone_panel(Some(PhonePanel::Rail(tab)));
                self.sheet_is_open = true;
            }
            Action::ChoseDock(tab) => self.choose_dock(tab),
            Action::OpenedSheet(is_open) => self.sheet_is_open = is_open,
            Action::OpenedPhonePanel(panel) => self.open_phone_panel(panel),
            Action::ToggledKind(kind) => {
                if !self.log.hidden.remove(&kind) {
                    self.log.hidden.insert(kind);
                }
            }
            Action::ToggledBackground => self.log.background = !self.log.background,
            Action::ScrolledLog(first) => self.log.first = first,
            Action::ToggledDock => self.dock_is_tall = !self.dock_is_tall,
            Action::ToggledTree => self.shows_tree = !self.shows_tree,
            Action::ChoseChart(kind) => self.chart = kind,
            Action::ToggledTable => self.shows_table = !self.shows_table,
            Action::ClosedToast(id) => self.toasts.close(id),
            Action::Asked(ask) => self.ask(&ask, &mut effects),
            Action::PressedUndo => self.undo(&mut effects),
            Action::PressedRedo => self.redo(&mut effects),
            Action::ChoseProfile(profile) => self.choose_profile(profile, &mut effects),
            Action::PressedShare => {
                if let Some(hash) = self.run_hash() {
                    effects.push(Effect::CopyLink { hash });
                }
            }
            other => self.set_or_act(other, &mut effects),
        }
        effects
    }

    /// What the person wishes of the page as such, and of the form of faults.
    fn set_or_act(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match action {
            Action::ChoseTarget(target) => return self.choose_target(target),
            Action::PressedVerb(target, verb) => return self.press_verb(target, verb, effects),
            Action::FilledField(field, text) => {
                self.fault.fill(field, text);
                return;
            }
            Action::PressedFault => return self.press_fault(effects),
            Action::RemovedDeed(place) => return self.remove_deed(place, effects),
            Action::RunsKept(kept) => return self.take_kept(kept, effects),
            Action::RenamedRun { id, name } => return self.rename_run(&id, &name, effects),
            Action::DeletedRun(id) => return self.delete_run(&id, effects),
            Action::NewVersionWaits => {
                self.new_version = true;
                return;
            }
            Action::LeftNewVersion => {
                self.new_version = false;
                return;
            }
            Action::TookNewVersion => return effects.push(Effect::TakeNewVersion),
            Action::ChoseLanguage(language) => self.settings.language = Some(language),
            Action::ChoseTheme(theme) => self.settings.theme = theme,
            Action::ChoseMotion(motion) => self.settings.motion = motion,
            Action::ToggledSingleKeys => {
                self.settings.single_keys = !self.settings.single_keys;
            }
            Action::ToggledStopsAtBreak => {
                self.settings.stops_at_break = !self.settings.stops_at_break;
            }
            other => return self.arrange(other, effects),
        }
        self.settings_changed(effects);
    }

    fn choose_pace(&mut self, pace: player::Pace, effects: &mut Vec<Effect>) {
        self.settings.pace = pace;
        if let Some(run) = &mut self.run {
            run.player.pace = pace;
        }
        effects.push(Effect::SaveSettings(self.settings.clone()));
    }

    fn start(&mut self, device: Device, effects: &mut Vec<Effect>) {
        self.media = device.media;
        self.languages = device.languages;
        self.settings = device.settings;
        self.saved = Rc::new(device.runs);
        self.visit = device.visit;
        self.new_version = device.new_version;
        self.open_hash(&device.hash, effects);
        if device.keeps_nothing {
            self.report_failure(Failure::Store, effects);
        }
        self.tell_script(effects);
    }

    fn press(&mut self, press: &keys::KeyPress) -> Vec<Effect> {
        let Some(deed) = keys::deed(press, self.settings.single_keys) else { return Vec::new() };
        let action = match deed {
            keys::KeyDeed::Slower => Action::ChosePace(self.settings.pace.slower()),
            keys::KeyDeed::Faster => Action::ChosePace(self.settings.pace.faster()),
            keys::KeyDeed::Language => Action::ChoseLanguage(self.language().other()),
            keys::KeyDeed::Theme => Action::ChoseTheme(self.theme().next()),
            keys::KeyDeed::Deselect if self.is_zoomed => Action::ToggledZoom,
            keys::KeyDeed::Deselect if self.signs_are_open => Action::OpenedSigns(false),
            keys::KeyDeed::Deselect if self.room().dock == room::Dock::Over => Action::ToggledDock,
            keys::KeyDeed::Deselect if self.phone.is_some() => Action::OpenedPhonePanel(None),
            keys::KeyDeed::Deselect if self.sheet_is_open => Action::OpenedSheet(false),
            keys::KeyDeed::Do => {
                self.aim_at_selected();
                let mut effects = self.update(Action::ChoseRail(RailTab::Do));
                effects.extend(
                    self.fault.target.is_some().then_some(Effect::Focus(deeds::FIRST_VERB)),
                );
                return effects;
            }
            deed => match keys::action(deed) {
                Some(action) => action,
                None => return Vec::new(),
            },
        };
        self.update(action)
    }

    fn open_phone_panel(&mut self, panel: Option<PhonePanel>) {
        self.phone = panel;
        match panel {
            Some(PhonePanel::Rail(tab)) => self.rail = tab,
            Some(PhonePanel::Dock(tab)) => self.dock = tab,
            None => {}
        }
    }

    fn select(&mut self, mark: Option<MarkId>, effects: &mut Vec<Effect>) {
        let Some(run) = &mut self.run else { return };
        if mark.is_some() {
            self.rail = RailTab::Inspect;
            self.sheet_is_open = true;
        }
        run.selected = mark;
        run.asked = None;
        self.lit = None;
        self.write_moment(effects);
    }

    /// The why-chain of an event, or of what is selected.
    fn ask_why(&mut self, event: Option<u32>) {
        let Some(run) = &mut self.run else { return };
        run.asked = event;
        self.lit = None;
        self.open_phone_panel(Some(PhonePanel::Rail(RailTab::Why)));
        self.sheet_is_open = true;
    }

    fn copy_why(&mut self, effects: &mut Vec<Effect>) {
        let language = self.language();
        let Some(run) = &mut self.run else { return };
        let text = run.why(language).as_text(language);
        effects.push(Effect::CopyText { text });
    }

    fn settings_changed(&mut self, effects: &mut Vec<Effect>) {
        effects.push(Effect::SaveSettings(self.settings.clone()));
        effects.push(self.dress());
    }

    fn report_failure(&mut self, failure: Failure, effects: &mut Vec<Effect>) {
        let word = match failure {
            Failure::Copy => PageWord::CopyFailed,
            // Once is enough: nothing changes about it.
            Failure::Store if std::mem::replace(&mut self.said_keeps_nothing, true) => return,
            Failure::Store => return self.notify_until_closed(PageWord::StoreFailed, effects),
        };
        self.notify(word, effects);
    }

    fn notify(&mut self, word: PageWord, effects: &mut Vec<Effect>) {
        self.notify_sentence(word.say(self.language()).to_owned(), effects);
    }

    /// A reader of traditional characters is told once, and the line stays until it is closed.
    fn tell_script(&mut self, effects: &mut Vec<Effect>) {
        let read = self.languages.iter().find(|tag| Language::from_tag(tag).is_some());
        let is_traditional = read.is_some_and(|tag| Language::is_traditional(tag));
        if self.settings.told_script || !is_traditional || self.language() != Language::ZhCn {
            return;
        }
        self.settings.told_script = true;
        effects.push(Effect::SaveSettings(self.settings.clone()));
        self.notify_until_closed(PageWord::SimplifiedHere, effects);
    }

    fn notify_until_closed(&mut self, word: PageWord, effects: &mut Vec<Effect>) {
        let sentence = word.say(self.language()).to_owned();
        effects.push(Effect::Announce(sentence.clone()));
        self.toasts.show(sentence);
    }

    fn notify_sentence(&mut self, sentence: String, effects: &mut Vec<Effect>) {
        effects.push(Effect::Announce(sentence.clone()));
        let id = self.toasts.show(sentence);
        effects.push(Effect::EndToast { id });
    }

    /// The person's choice, else the first of the browser's that we speak, else English.
    pub fn language(&self) -> Language {
        let spoken = || self.languages.iter().find_map(|tag| Language::from_tag(tag));
        self.settings.language.or_else(spoken).unwrap_or_default()
    }

    pub fn theme(&self) -> Theme {
        self.settings.theme.resolved(self.media.prefers_dark)
    }

    pub fn is_still(&self) -> bool {
        match self.settings.motion {
            Motion::System => self.media.prefers_still,
            Motion::Full => false,
            Motion::Still => true,
        }
    }

    /// What must drive the page's time until the next action.
    pub fn drive(&self) -> Drive {
        let Some(run) = self.run.as_ref().filter(|_| self.page == Page::Run && !self.is_hidden)
        else {
            return Drive::Nothing;
        };
        match (run.is_complete(), run.player.is_playing, self.is_still()) {
            (false, _, _) | (true, true, false) => Drive::Frames,
            (true, true, true) => Drive::Ticks,
            (true, false, _) if !run.is_checked() => Drive::Frames,
            (true, false, _) => Drive::Nothing,
        }
    }

    fn dress(&self) -> Effect {
        let language = self.language();
        let app = PageWord::AppTitle.say(language);
        let title = match (&self.page, &self.run) {
            (Page::Run, Some(run)) => format!("{} · {app}", run.title(language)),
            (Page::Help, _) => format!("{} · {app}", PageWord::Help.say(language)),
            _ => app.to_owned(),
        };
        Effect::Dress { language: language.tag(), theme: self.settings.theme.attribute(), title }
    }
}
