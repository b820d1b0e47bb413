//! The model's clock, and how fast the story is told.

use wasm_bindgen::JsCast;
use yew::prelude::*;

use crate::app::action::Action;
use crate::app::player::Pace;
use crate::app::shown::TimeShown;
use crate::text::format;
use crate::text::page::{PageText, PageWord};
use crate::view::part::Ui;

#[derive(PartialEq, Properties)]
pub struct ClockProps {
    pub time: TimeShown,
}

#[component]
pub fn Clock(props: &ClockProps) -> Html {
    html! { <b class="num">{ format::clock(props.time.now) }</b> }
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
