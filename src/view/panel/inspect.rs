//! "Inspect": what is selected, its numbers, why it is so, what comes next, where it stands in the
//! source.

use yew::prelude::*;

use crate::text::page::PageWord;
use crate::view::part::Ui;

#[derive(PartialEq, Properties)]
pub struct InspectPanelProps {
    pub ui: Ui,
}

#[component]
pub fn InspectPanel(props: &InspectPanelProps) -> Html {
    let ui = &props.ui;
    html! {
        <>
            <h2>{ ui.word(PageWord::NothingSelected) }</h2>
            <p>{ ui.word(PageWord::PickSomething) }</p>
        </>
    }
}
