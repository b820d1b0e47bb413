//! The right column: one of two tabs. Below 1100 px it is a sheet over the stage.

use yew::prelude::*;

use super::panel::{DoPanel, InspectPanel, WhyPanel};
use super::part::{Shared, Tab, Tabs, Ui};
use crate::app::action::{Action, RailTab};
use crate::app::shown::RunShown;
use crate::text::page::PageWord;

#[derive(PartialEq, Properties)]
pub struct RailProps {
    pub ui: Ui,
    pub shown: RunShown,
}

#[component]
pub fn Rail(props: &RailProps) -> Html {
    let RailProps { ui, shown } = props;
    let tab = |id, word, tab: RailTab| Tab {
        id,
        label: ui.word(word),
        is_selected: shown.rail == tab,
        onchoose: ui.act(Action::ChoseRail(tab)),
    };
    let tabs = vec![
        tab("rail-inspect", PageWord::Inspect, RailTab::Inspect),
        tab("rail-why", PageWord::Why, RailTab::Why),
        tab("rail-do", PageWord::Do, RailTab::Do),
    ];
    let id = match shown.rail {
        RailTab::Inspect => "rail-inspect",
        RailTab::Why => "rail-why",
        RailTab::Do => "rail-do",
    };
    html! {
        <aside class="rail" data-open={shown.sheet_is_open.to_string()}
            aria-label={ui.word(PageWord::Panel)}>
            <Tabs label={ui.word(PageWord::Panel)} {tabs}>
                <button type="button" class="quiet close-sheet"
                    onclick={ui.act(Action::OpenedSheet(false))}>{ ui.word(PageWord::ClosePanel) }</button>
            </Tabs>
            <div class="pane" role="tabpanel" id={format!("{id}-panel")} aria-labelledby={id}
                tabindex="0">{ rail_body(ui, shown) }</div>
        </aside>
    }
}

/// What the chosen tab shows; the phone has it in its bottom sheet.
pub fn rail_body(ui: &Ui, shown: &RunShown) -> Html {
    match shown.rail {
        RailTab::Inspect => {
            let told = shown.inspect.clone().map(Shared);
            html! { <InspectPanel ui={ui.clone()} shown={told} verbs={shown.verbs.clone()} /> }
        }
        RailTab::Why => {
            html! { <WhyPanel ui={ui.clone()} shown={shown.why.clone().map(Shared)} /> }
        }
        RailTab::Do => {
            let doing = Shared(shown.doing.clone());
            html! { <DoPanel ui={ui.clone()} shown={doing} faults={shown.faults.clone()} /> }
        }
    }
}
