//! The root: the only struct component. It owns `App` by value, changes it in place, and carries out
//! what the browser must do.

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use yew::prelude::*;

use super::page::{HelpPage, StartPage};
use super::part::{Shared, Tips, Ui};
use super::run::RunPage;
use super::stage::StageDefs;
use super::toasts::ToastList;
use crate::app::action::{Action, Device, Failure, KeptRuns};
use crate::app::effect::Effect;
use crate::app::shown::RunShown;
use crate::app::{App, Page};
use crate::browser::announce::{ALARM, Announcer, REGION, alarm};
use crate::browser::frame_loop::FrameLoop;
use crate::browser::hash::HashWriter;
use crate::browser::{clipboard, document, hash, keyboard, media, store, version};

/// A notice stays so long, ms.
const TOAST_MS: u32 = 6_000;

pub struct Root {
    app: App,
    /// The run at its moment, made when something was done.
    shown: Option<RunShown>,
    on: Callback<Action>,
    frames: FrameLoop,
    hash: HashWriter,
    announcer: Announcer,
    wants_focus: Option<&'static str>,
    _listeners: Vec<EventListener>,
}

impl Component for Root {
    type Message = Action;
    type Properties = ();

    fn create(ctx: &Context<Root>) -> Root {
        let on = ctx.link().callback(|action: Action| action);
        let report = {
            let on = on.clone();
            move |action| on.emit(action)
        };
        let mut listeners = media::follow(report.clone());
        listeners.push(hash::follow(report.clone()));
        listeners.extend(store::follow(report.clone()));
        listeners.push(version::follow(report.clone()));
        listeners.push(keyboard::follow(report));
        listeners.extend(keyboard::leave_to_time());
        listeners.push(document::write_address_for_print());
        let mut root = Root {
            app: App::default(),
            shown: None,
            on,
            frames: FrameLoop::default(),
            hash: HashWriter::default(),
            announcer: Announcer::default(),
            wants_focus: None,
            _listeners: listeners,
        };
        let device = Device {
            hash: hash::read(),
            languages: media::languages(),
            media: media::read(),
            settings: store::settings(),
            runs: store::runs(),
            keeps_nothing: store::keeps_nothing(),
            new_version: version::waits(),
            visit: media::chance(),
        };
        root.take(Action::Started(Box::new(device)));
        root.wants_focus = None;
        root
    }

    fn update(&mut self, _: &Context<Root>, action: Action) -> bool {
        if matches!(action, Action::HashChanged(_)) {
            self.hash.forget();
        }
        let action = match action {
            Action::FramePassed(now_ms) => Action::FramePassed(self.frames.frame_came(now_ms)),
            action => action,
        };
        self.take(action);
        true
    }

    fn view(&self, _: &Context<Root>) -> Html {
        let ui = Ui { language: self.app.language(), on: self.on.clone() };
        html! {
            <>
                <StageDefs />
                <Tips language={ui.language}>{ self.page(&ui) }</Tips>
                <ToastList ui={ui.clone()} toasts={self.app.toasts.shown().to_vec()}
                    new_version={self.app.new_version} />
                <div id={REGION} class="visually-hidden" role="status" aria-live="polite"></div>
                <div id={ALARM} class="visually-hidden" role="alert" aria-live="assertive"></div>
            </>
        }
    }

    fn rendered(&mut self, _: &Context<Root>, _first: bool) {
        if let Some(id) = self.wants_focus.take() {
            document::focus(id);
        }
    }
}

impl Root {
    fn take(&mut self, action: Action) {
        for effect in self.app.update(action) {
            self.carry_out(effect);
        }
        self.shown = match self.app.page {
            Page::Run => self.app.run_shown(),
            _ => None,
        };
        let on = self.on.clone();
        self.frames.keep(self.app.drive(), move |action| on.emit(action));
    }

    fn carry_out(&mut self, effect: Effect) {
        let failed = |worked: bool| {
            if !worked {
                self.on.emit(Action::EffectFailed(Failure::Store));
            }
        };
        match effect {
            Effect::Announce(sentence) => self.announcer.say(sentence),
            Effect::Alert(sentence) => alarm(&sentence),
            Effect::WriteHash { text, is_new } => self.hash.write(text, is_new),
            Effect::SaveSettings(settings) => failed(store::save_settings(&settings)),
            Effect::KeepRun(run) => self.on.emit(Action::RunsKept(store::keep(run))),
            Effect::ForgetRun(id) => {
                store::forget(&id);
                let runs = store::runs();
                self.on.emit(Action::RunsKept(KeptRuns { runs, ..KeptRuns::default() }));
            }
            Effect::TakeNewVersion => version::take(),
            Effect::CopyLink { hash } => {
                let on = self.on.clone();
                clipboard::copy_link(&hash, move |action| on.emit(action));
            }
            Effect::CopyText { text } => {
                let on = self.on.clone();
                clipboard::copy_text(&text, move |action| on.emit(action));
            }
            Effect::Dress { language, theme, title } => document::dress(language, theme, &title),
            Effect::EndToast { id } => {
                let on = self.on.clone();
                Timeout::new(TOAST_MS, move || on.emit(Action::ClosedToast(id))).forget();
            }
            Effect::FocusMain => self.wants_focus = Some("main"),
            Effect::Focus(id) => self.wants_focus = Some(id),
        }
    }

    fn page(&self, ui: &Ui) -> Html {
        let app = &self.app;
        match (&app.page, &self.shown) {
            (Page::Run, Some(shown)) => html! {
                <RunPage ui={ui.clone()} shown={shown.clone()} />
            },
            (Page::Help, _) => html! {
                <HelpPage ui={ui.clone()} motion={app.settings.motion}
                    single_keys={app.settings.single_keys} captions_wait={app.settings.captions_wait}
                    hides_future={app.settings.hides_future} back={app.address_behind()} />
            },
            (page, _) => {
                let unreadable = match page {
                    Page::Unreadable { reason, raw } => {
                        Some((AttrValue::from(reason.clone()), AttrValue::from(raw.clone())))
                    }
                    _ => None,
                };
                html! {
                    <StartPage ui={ui.clone()} theme={app.theme()} {unreadable}
                        presets={Shared(app.presets())} runs={Shared(app.own_runs())} />
                }
            }
        }
    }
}
