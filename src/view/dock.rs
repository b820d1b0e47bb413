//! The lower panel: log or charts; on wide pages both, side by side.

use yew::prelude::*;

use super::chart::{ChartHead, OffsetsChart};
use super::log::{Chips, LogTable};
use super::part::{Shared, Tab, Tabs, Ui};
use crate::app::action::{Action, DockTab};
use crate::app::shown::RunShown;
use crate::scene::layout::System;
use crate::text::page::PageWord;

#[derive(PartialEq, Properties)]
pub struct DockProps {
    pub ui: Ui,
    pub shown: RunShown,
}

#[component]
pub fn Dock(props: &DockProps) -> Html {
    let DockProps { ui, shown } = props;
    if shown.is_wide {
        return html! {
            <section class="dock" aria-label={ui.word(PageWord::DockLabel)}>
                <div class="dpane">
                    <div class="tabs">
                        <h2 class="pane-title">{ ui.word(PageWord::Log) }</h2>
                        { dock_head(ui, shown, DockTab::Log) }
                    </div>
                    { dock_body(ui, shown, DockTab::Log) }
                </div>
                <div class="dpane">
                    <div class="tabs">
                        <h2 class="pane-title">{ ui.word(PageWord::Charts) }</h2>
                        { dock_head(ui, shown, DockTab::Charts) }
                    </div>
                    { dock_body(ui, shown, DockTab::Charts) }
                </div>
            </section>
        };
    }
    let tab = |id, word, tab: DockTab| Tab {
        id,
        label: ui.word(word),
        is_selected: shown.dock == tab,
        onchoose: ui.act(Action::ChoseDock(tab)),
    };
    let tabs = vec![
        tab("dock-log", PageWord::Log, DockTab::Log),
        tab("dock-charts", PageWord::Charts, DockTab::Charts),
    ];
    let id = match shown.dock {
        DockTab::Log => "dock-log",
        DockTab::Charts => "dock-charts",
    };
    let height = if shown.dock_is_tall { PageWord::CloseDock } else { PageWord::OpenDock };
    html! {
        <section class="dock" aria-label={ui.word(PageWord::DockLabel)}>
            <div class="dpane">
                <Tabs label={ui.word(PageWord::DockLabel)} {tabs}>
                    { dock_head(ui, shown, shown.dock) }
                    <button type="button" class="quiet dock-height" aria-expanded={shown.dock_is_tall.to_string()}
                        onclick={ui.act(Action::ToggledDock)}>{ ui.word(height) }</button>
                </Tabs>
                <div role="tabpanel" id={format!("{id}-panel")} aria-labelledby={id} class="dock-panel">
                    { dock_body(ui, shown, shown.dock) }
                </div>
            </div>
        </section>
    }
}

/// What stands beside the tabs: the log's chips, the chart's sentence.
pub fn dock_head(ui: &Ui, shown: &RunShown, tab: DockTab) -> Html {
    match tab {
        DockTab::Log => html! {
            <Chips ui={ui.clone()} hidden={shown.log.hidden.clone()}
                background={shown.log.background} total={shown.log.total} />
        },
        DockTab::Charts => {
            html! { <ChartHead ui={ui.clone()} chart={Shared(shown.chart.clone())} /> }
        }
    }
}

/// What a tab shows; the phone has it in the card's place.
pub fn dock_body(ui: &Ui, shown: &RunShown, tab: DockTab) -> Html {
    match tab {
        DockTab::Log => {
            let row_px = if shown.system == System::Phone { 74.0 } else { 25.0 };
            html! { <LogTable ui={ui.clone()} log={Shared(shown.log.clone())} {row_px} /> }
        }
        DockTab::Charts => {
            let room = (shown.page.0, shown.page.1, shown.dock_is_tall);
            html! { <OffsetsChart ui={ui.clone()} chart={Shared(shown.chart.clone())} {room} /> }
        }
    }
}
