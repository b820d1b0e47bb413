//! The start page: what this is, one button that runs the first preset, all presets by
//! subject, and two doors.

use wasm_bindgen::JsCast;
use yew::prelude::*;

use super::own::OwnList;
use super::preview::Preview;
use crate::app::action::Action;
use crate::app::own::OwnRun;
use crate::app::settings::Theme;
use crate::app::shown::{PresetLine, Subject};
use crate::text::Language;
use crate::text::page::PageWord;
use crate::view::part::{Segment, Segments, Shared, Ui};
use crate::view::top::theme_word;

/// What happened to someone, and the preset and moment that show it.
const SYMPTOMS: [(PageWord, &str); 8] = [
    (PageWord::SymptomNever, "/p/poison-message?t=20.350"),
    (PageWord::SymptomLag, "/p/slow-message?t=30.000"),
    (PageWord::SymptomMoves, "/p/consumers-join?t=30.000"),
    (PageWord::SymptomStart, "/p/slow-start"),
    (PageWord::SymptomSilent, "/p/minute-of-silence?t=75.000"),
    (PageWord::SymptomTwice, "/p/stop-or-kill?t=62.000"),
    (PageWord::SymptomIdle, "/p/same-client-id?t=40.000"),
    (PageWord::SymptomHalf, "/p/mixed-subscriptions?t=40.000"),
];

#[derive(PartialEq, Properties)]
pub struct StartPageProps {
    pub ui: Ui,
    pub theme: Theme,
    pub presets: Shared<Vec<PresetLine>>,
    pub runs: Shared<Vec<OwnRun>>,
    /// Why a link could not be read, and its text.
    pub unreadable: Option<(AttrValue, AttrValue)>,
}

#[component]
pub fn StartPage(props: &StartPageProps) -> Html {
    let ui = &props.ui;
    html! {
        <div class="start">
            <header class="bar">
                <h1>{ ui.word(PageWord::AppTitle) }</h1>
                <span class="sp"></span>
                { languages(ui) }
                { themes(ui, props.theme) }
            </header>
            <main id="main" tabindex="-1">
                <section class="hero">
                    <div>
                        { headline(ui, props.unreadable.as_ref()) }
                        { for props.presets.first().map(|first| go(ui, first)) }
                    </div>
                    <Preview ui={ui.clone()} />
                </section>
                { runs(ui, &props.presets) }
                <div class="doors">
                    { happened(ui) }
                    <Yours ui={ui.clone()} runs={props.runs.clone()} />
                </div>
            </main>
            <footer class="foot">
                <span>{ ui.word(PageWord::SourceNote) }</span>
                <span class="sp"></span>
                <a href="#/help">{ ui.word(PageWord::HowItWorks) }</a>
                <span class="dim">{ ui.word(PageWord::NothingIsSent) }</span>
            </footer>
        </div>
    }
}

fn headline(ui: &Ui, unreadable: Option<&(AttrValue, AttrValue)>) -> Html {
    match unreadable {
        None => html! {
            <>
                <h2>{ ui.word(PageWord::StartHeadline) }</h2>
                <p>{ ui.word(PageWord::StartLead) }</p>
            </>
        },
        Some((reason, raw)) => html! {
            <section class="unreadable">
                <h2>{ ui.word(PageWord::UnreadableTitle) }</h2>
                <p><b>{ reason.clone() }</b>{ " " }{ ui.word(PageWord::UnreadableLead) }</p>
                <label class="field">
                    { ui.word(PageWord::UnreadableText) }
                    <textarea rows="2" readonly=true value={raw.clone()} />
                </label>
            </section>
        },
    }
}

fn go(ui: &Ui, first: &PresetLine) -> Html {
    // A link as well, for whoever opens it in another window.
    let name = first.name;
    let onclick = ui.on.reform(move |event: MouseEvent| {
        event.prevent_default();
        Action::PlayedPreset(name.into())
    });
    html! {
        <a class="btn go" href={format!("#/p/{name}")} {onclick}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 1v14l13-7z" /></svg>
            { ui.word(PageWord::StartPlay) }
        </a>
    }
}

fn languages(ui: &Ui) -> Html {
    let segments = Language::ALL.map(|language| Segment {
        label: AttrValue::Static(match language {
            Language::En => "English",
            Language::ZhCn => "中文",
        }),
        lang: Some(language.tag()),
        is_pressed: language == ui.language,
        onclick: ui.act(Action::ChoseLanguage(language)),
    });
    html! { <Segments label={ui.word(PageWord::LanguageGroup)} segments={segments.to_vec()} /> }
}

fn themes(ui: &Ui, chosen: Theme) -> Html {
    let segments = Theme::OFFERED.map(|theme| Segment {
        label: ui.word(theme_word(theme)),
        lang: None,
        is_pressed: theme == chosen,
        onclick: ui.act(Action::ChoseTheme(theme)),
    });
    html! { <Segments label={ui.word(PageWord::ThemeGroup)} segments={segments.to_vec()} /> }
}

/// All presets by subject, each with a line of its own.
fn runs(ui: &Ui, presets: &[PresetLine]) -> Html {
    let groups = presets.chunk_by(|a, b| a.subject == b.subject);
    html! {
        <section class="runs" aria-labelledby="runs">
            <div class="runs-head">
                <h2 id="runs">{ ui.word(PageWord::RunsTitle) }</h2>
                <p>{ ui.word(PageWord::RunsLead) }</p>
            </div>
            <div class="groups">{ for groups.map(|group| one_group(ui, group)) }</div>
        </section>
    }
}

fn one_group(ui: &Ui, group: &[PresetLine]) -> Html {
    let line = |preset: &PresetLine| {
        html! {
            <li>
                <a href={format!("#/p/{}", preset.name)}>
                    <b>{ preset.title.say(ui.language) }</b>
                    <span class="dim">{ short(preset.name).map(|word| ui.word(word)) }</span>
                </a>
            </li>
        }
    };
    let title = group.first().map(|first| ui.word(subject(first.subject)));
    html! { <section class="group"><h3>{ title }</h3><ul>{ for group.iter().map(line) }</ul></section> }
}

const fn subject(subject: Subject) -> PageWord {
    match subject {
        Subject::FirstSteps => PageWord::GroupFirstSteps,
        Subject::Flow => PageWord::GroupFlow,
        Subject::Retries => PageWord::GroupRetries,
        Subject::Rebalancing => PageWord::GroupRebalancing,
        Subject::Order => PageWord::GroupOrder,
        Subject::Failures => PageWord::GroupFailures,
    }
}

/// One line on a preset; the whole sentence stands in the run's left column.
fn short(name: &str) -> Option<PageWord> {
    Some(match name {
        "happy-path" => PageWord::ShortHappyPath,
        "poison-message" => PageWord::ShortPoison,
        "slow-message" => PageWord::ShortSlow,
        "consumers-join" => PageWord::ShortJoin,
        "start-up" => PageWord::ShortStart,
        "flow-control-count" => PageWord::ShortCount,
        "flow-control-span" => PageWord::ShortSpan,
        "broadcasting" => PageWord::ShortBroadcast,
        "new-group-old-topic" => PageWord::ShortNewGroup,
        "send-back-fails" => PageWord::ShortSendBack,
        "more-consumers-than-queues" => PageWord::ShortMore,
        "mixed-subscriptions" => PageWord::ShortMixed,
        "same-client-id" => PageWord::ShortSameId,
        "slow-start" => PageWord::ShortSlowStart,
        "suspend" => PageWord::ShortSuspend,
        "minute-of-silence" => PageWord::ShortSilence,
        "frozen-listener" => PageWord::ShortFrozen,
        "stop-or-kill" => PageWord::ShortStopKill,
        "master-down" => PageWord::ShortMaster,
        _ => return None,
    })
}

fn happened(ui: &Ui) -> Html {
    let line = |(word, address): (PageWord, &str)| {
        html! { <li><a href={format!("#{address}")}><span>{ ui.word(word) }</span></a></li> }
    };
    let icon = html! {
        <svg viewBox="0 0 56 40" aria-hidden="true">
            <path d="M2 30H18l5-18l7 24l6-14h18" class="heavy" />
        </svg>
    };
    let list = html! { <ul class="two-columns">{ for SYMPTOMS.map(line) }</ul> };
    door(ui, icon, PageWord::DoorHappened, PageWord::DoorHappenedLead, list)
}

fn door(ui: &Ui, icon: Html, title: PageWord, lead: PageWord, inside: Html) -> Html {
    html! {
        <section class="door">
            <div class="dh">{ icon }<h2>{ ui.word(title) }</h2></div>
            <p>{ ui.word(lead) }</p>
            { inside }
        </section>
    }
}

#[derive(PartialEq, Properties)]
struct YoursProps {
    ui: Ui,
    runs: Shared<Vec<OwnRun>>,
}

#[component]
fn Yours(props: &YoursProps) -> Html {
    let YoursProps { ui, runs } = props;
    let icon = html! {
        <svg viewBox="0 0 56 40" aria-hidden="true">
            <path d="M4 4h30v32h-30zM12 12h14M12 20h14M12 28h8" class="ln" />
            <path d="M38 30l12-12l4 4l-12 12l-6 2z" class="box" />
        </svg>
    };
    let inside = html! {
        <>
            if runs.is_empty() {
                <p class="dim">{ ui.word(PageWord::NoRunsYet) }</p>
            } else {
                <OwnList ui={ui.clone()} runs={runs.clone()} />
            }
            <PasteLink ui={ui.clone()} />
        </>
    };
    door(ui, icon, PageWord::DoorYours, PageWord::DoorYoursLead, inside)
}

#[derive(PartialEq, Properties)]
struct PasteLinkProps {
    ui: Ui,
}

#[component]
fn PasteLink(props: &PasteLinkProps) -> Html {
    let ui = &props.ui;
    let text = use_state(String::new);
    let oninput = {
        let text = text.clone();
        Callback::from(move |event: InputEvent| {
            let field =
                event.target().and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
            text.set(field.map(|field| field.value()).unwrap_or_default());
        })
    };
    let onsubmit = {
        let text = text.clone();
        ui.on.reform(move |event: SubmitEvent| {
            event.prevent_default();
            Action::PastedLink((*text).clone())
        })
    };
    html! {
        <form class="paste" {onsubmit}>
            <label class="visually-hidden" for="paste">{ ui.word(PageWord::PasteLink) }</label>
            <input id="paste" type="text" autocomplete="off" placeholder={ui.word(PageWord::PasteLink)}
                value={(*text).clone()} {oninput} />
            <button type="submit">{ ui.word(PageWord::OpenLink) }</button>
        </form>
    }
}
