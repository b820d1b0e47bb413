//! The title bar of a run.

use yew::prelude::*;

use super::compact::ZoomButton;
use super::part::{Segment, Segments, Ui};
use crate::app::action::Action;
use crate::app::settings::Theme;
use crate::model::profile::Profile;
use crate::text::Language;
use crate::text::page::PageWord;

#[derive(PartialEq, Properties)]
pub struct TopProps {
    pub ui: Ui,
    pub title: AttrValue,
    pub profile: Profile,
    pub theme: Theme,
    /// Whether the walkthrough's bar is open, if there is one.
    pub walk: Option<bool>,
}

#[component]
pub fn Top(props: &TopProps) -> Html {
    let TopProps { ui, title, profile, theme, walk } = props;
    html! {
        <header class="top">
            <a class="quiet home" href="#/">{ ui.word(PageWord::AllRuns) }</a>
            <h1>{ title.clone() }</h1>
            <span class="sp"></span>
            if let Some(is_open) = walk {
                <button type="button" class="quiet walk-switch" aria-pressed={is_open.to_string()}
                    onclick={ui.act(Action::ToggledWalk)}>{ ui.word(PageWord::Walkthrough) }</button>
            }
            { profiles(ui, *profile) }
            <ZoomButton ui={ui.clone()} />
            <LanguageButton ui={ui.clone()} />
            <button type="button" class="quiet" onclick={ui.act(Action::ChoseTheme(theme.next()))}>
                { ui.word(theme_word(theme.next())) }
            </button>
            <button type="button" class="quiet" onclick={ui.act(Action::PressedShare)}>
                { ui.word(PageWord::Share) }
            </button>
            <button type="button" class="quiet open-sheet" onclick={ui.act(Action::OpenedSheet(true))}>
                { ui.word(PageWord::OpenPanel) }
            </button>
            <a class="quiet" href="#/help" aria-label={ui.word(PageWord::Help)}>{ "?" }</a>
        </header>
    }
}

pub const fn theme_word(theme: Theme) -> PageWord {
    match theme {
        Theme::Light | Theme::System => PageWord::ThemeLight,
        Theme::Dark => PageWord::ThemeDark,
        Theme::Projector => PageWord::ThemeProjector,
    }
}

/// The release that the run follows; `4.9` and `5.x` for short.
fn profiles(ui: &Ui, chosen: Profile) -> Html {
    let segments = Profile::ALL.map(|profile| Segment {
        label: AttrValue::Static(match profile {
            Profile::V42 => "4.2.0",
            Profile::V49 => "4.9",
            Profile::V53 => "5.x",
        }),
        lang: None,
        is_pressed: profile == chosen,
        onclick: ui.act(Action::ChoseProfile(profile)),
    });
    html! { <Segments label={ui.word(PageWord::ProfileGroup)} segments={segments.to_vec()} /> }
}

#[derive(PartialEq, Properties)]
pub struct LanguageButtonProps {
    pub ui: Ui,
}

/// Names the other language in that language.
#[component]
pub fn LanguageButton(props: &LanguageButtonProps) -> Html {
    let ui = &props.ui;
    let other = match ui.language {
        Language::En => Language::ZhCn,
        Language::ZhCn => Language::En,
    };
    html! {
        <button type="button" class="quiet" lang={other.tag()}
            onclick={ui.act(Action::ChoseLanguage(other))}>
            { ui.word(PageWord::OtherLanguage) }
        </button>
    }
}
