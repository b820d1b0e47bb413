//! The model's clock, and how fast the story is told.

use wasm_bindgen::JsCast;
use yew::prelude::*;

use crate::app::action::Action;
use crate::app::player::Pace;
use crate::app::shown::TimeShown;
use crate::app::time_field::{TIME_FIELD, TimeField};
use crate::text::bar::BarWord;
use crate::text::format;
use crate::text::page::{PageText, PageWord};
use crate::view::part::Ui;

#[derive(PartialEq, Properties)]
pub struct ClockProps {
    pub ui: Ui,
    pub time: TimeShown,
    /// "Go to a time", while it is open.
    pub field: Option<TimeField>,
}

/// The model's time; pressed, it asks where to go.
#[component]
pub fn Clock(props: &ClockProps) -> Html {
    let ClockProps { ui, time, field } = props;
    let word = ui.bar(BarWord::GoToTime);
    let is_open = field.is_some();
    let press = if is_open { Action::ClosedTimeField } else { Action::OpenedTimeField };
    let now = format::clock(time.now);
    html! {
        <span class="clock-place">
            <button type="button" class="time-now" title={word.clone()}
                aria-label={format!("{now}: {word}")} aria-expanded={is_open.to_string()}
                onclick={ui.act(press)}><b class="num">{ now }</b></button>
            if let Some(field) = field { { time_form(ui, field) } }
        </span>
    }
}

fn time_form(ui: &Ui, field: &TimeField) -> Html {
    let onsubmit = ui.on.reform(|event: SubmitEvent| {
        event.prevent_default();
        Action::EnteredTime
    });
    let oninput = ui.on.reform(|event: InputEvent| {
        let input = event.target().and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
        Action::TypedTime(input.map(|input| input.value()).unwrap_or_default())
    });
    let onkeydown = {
        let on = ui.on.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.stop_propagation();
                on.emit(Action::ClosedTimeField);
            }
        })
    };
    let problem = field.problem.as_ref().map(|problem| problem.say(ui.language));
    let described = problem.is_some().then_some("time-problem");
    html! {
        <form class="time-form" {onsubmit} {onkeydown} novalidate={true}>
            <label for={TIME_FIELD}>{ ui.bar(BarWord::TimeHint) }</label>
            <span class="time-line">
                <input id={TIME_FIELD} type="text" value={field.text.clone()} autocomplete="off"
                    spellcheck="false" aria-invalid={problem.is_some().to_string()}
                    aria-describedby={described} {oninput} />
                <button type="submit" class="primary">{ ui.bar(BarWord::Go) }</button>
            </span>
            if let Some(problem) = problem {
                <p class="error" id="time-problem">{ problem }</p>
            }
        </form>
    }
}

#[derive(PartialEq, Properties)]
pub struct PaceFieldProps {
    pub ui: Ui,
    pub pace: Pace,
}

#[component]
pub fn PaceField(props: &PaceFieldProps) -> Html {
    let PaceFieldProps { ui, pace } = props;
    let onchange = ui.on.reform(|event: Event| {
        let list = event.target().and_then(|it| it.dyn_into::<web_sys::HtmlSelectElement>().ok());
        let chosen = list.and_then(|list| usize::try_from(list.selected_index()).ok());
        let pace = chosen.and_then(|at| Pace::ALL.get(at).copied());
        Action::ChosePace(pace.unwrap_or_default())
    });
    let option = |each: &Pace| {
        let words = match each.sign() {
            Some(sign) => ui.page(&PageText::Pace { sign }),
            None => ui.word(PageWord::Fastest),
        };
        html! { <option selected={each == pace}>{ words }</option> }
    };
    html! {
        <select class="pace" aria-label={ui.word(PageWord::Speed)} {onchange}>
            { for Pace::ALL.iter().map(option) }
        </select>
    }
}
