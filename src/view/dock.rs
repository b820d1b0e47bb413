//! The lower panel: log, charts, checks; on wide pages the log beside the others.

use yew::prelude::*;

use super::chart::{chart_body, chart_head};
use super::checks::{ChecksHead, ChecksTable};
use super::log::{Chips, LogTable};
use super::part::{Shared, Tab, Tabs, Ui};
use super::sequence::SequenceView;
use crate::app::action::{Action, DockTab};
use crate::app::room::Dock as DockRoom;
use crate::app::shown::RunShown;
use crate::text::checks::CheckText;
use crate::text::page::PageWord;
use crate::text::sequence::SequenceText;

#[derive(PartialEq, Properties)]
pub struct DockProps {
    pub ui: Ui,
    pub shown: RunShown,
}

#[component]
pub fn Dock(props: &DockProps) -> Html {
    let DockProps { ui, shown } = props;
    if shown.room.is_wide {
        return html! {
            <section class="dock" aria-label={ui.word(PageWord::DockLabel)}>
                <div class="dpane">
                    <div class="tabs">
                        <h2 class="pane-title">{ ui.word(PageWord::Log) }</h2>
                        { dock_head(ui, shown, DockTab::Log) }
                    </div>
                    { dock_body(ui, shown, DockTab::Log) }
                </div>
                { pane(ui, shown, BESIDE_LOG) }
            </section>
        };
    }
    html! {
        <section class="dock" aria-label={ui.word(PageWord::DockLabel)}>{ pane(ui, shown, TABS) }</section>
    }
}

/// The tabs, in their order.
const TABS: &[DockTab] = &[DockTab::Log, DockTab::Charts, DockTab::Sequence, DockTab::Checks];

/// What shares its place where the log has its own.
pub const BESIDE_LOG: &[DockTab] = &[DockTab::Charts, DockTab::Sequence, DockTab::Checks];

/// Tabs and what the chosen one shows; where that is shown elsewhere, the first.
fn pane(ui: &Ui, shown: &RunShown, offered: &[DockTab]) -> Html {
    let chosen = offered.iter().copied().find(|tab| *tab == shown.dock).unwrap_or(offered[0]);
    let is_tall = matches!(shown.room.dock, DockRoom::Over)
        || (matches!(shown.room.dock, DockRoom::Tall(_)) && shown.dock == DockTab::Log);
    let height = if is_tall { PageWord::CloseDock } else { PageWord::OpenDock };
    let id = tab_id(chosen);
    html! {
        <div class="dpane">
            <Tabs label={ui.word(PageWord::DockLabel)} tabs={dock_tabs(ui, shown, chosen, offered)}>
                if shown.room.dock.shows_body() { { dock_head(ui, shown, chosen) } }
                <button type="button" class="quiet dock-height" aria-expanded={is_tall.to_string()}
                    onclick={ui.act(Action::ToggledDock)}>{ ui.word(height) }</button>
            </Tabs>
            <div role="tabpanel" id={format!("{id}-panel")} aria-labelledby={id} class="dock-panel">
                if shown.room.dock.shows_body() { { dock_body(ui, shown, chosen) } }
            </div>
        </div>
    }
}

const fn tab_id(tab: DockTab) -> &'static str {
    match tab {
        DockTab::Log => "dock-log",
        DockTab::Charts => "dock-charts",
        DockTab::Sequence => "dock-sequence",
        DockTab::Checks => "dock-checks",
    }
}

/// The tabs of what is offered.
pub fn dock_tabs(ui: &Ui, shown: &RunShown, chosen: DockTab, offered: &[DockTab]) -> Vec<Tab> {
    let label = |tab| match tab {
        DockTab::Log => ui.word(PageWord::Log),
        DockTab::Charts => ui.word(PageWord::Charts),
        DockTab::Sequence => AttrValue::from(SequenceText::Sequence.say(ui.language)),
        DockTab::Checks => {
            let text = CheckText::Tab { broken: shown.checks.broken };
            AttrValue::from(text.say(ui.language))
        }
    };
    let tab = |tab: &DockTab| Tab {
        id: tab_id(*tab),
        label: label(*tab),
        is_selected: *tab == chosen,
        onchoose: ui.act(Action::ChoseDock(*tab)),
    };
    offered.iter().map(tab).collect()
}

/// What stands beside the tabs: the log's chips, the chart's sentence.
pub fn dock_head(ui: &Ui, shown: &RunShown, tab: DockTab) -> Html {
    match tab {
        DockTab::Log => html! {
            <Chips ui={ui.clone()} hidden={shown.log.hidden.clone()}
                background={shown.log.background} total={shown.log.total} />
        },
        DockTab::Charts => chart_head(ui, &shown.chart, shown.chart_is_table),
        DockTab::Sequence => html! {},
        DockTab::Checks => {
            html! { <ChecksHead ui={ui.clone()} checks={Shared(shown.checks.clone())} /> }
        }
    }
}

/// What a tab shows; the phone has it in the card's place.
pub fn dock_body(ui: &Ui, shown: &RunShown, tab: DockTab) -> Html {
    match tab {
        DockTab::Log => {
            let row_px = if shown.page.0 < 720 { 74.0 } else { 25.0 };
            html! { <LogTable ui={ui.clone()} log={Shared(shown.log.clone())} {row_px} /> }
        }
        DockTab::Charts => {
            let room = (shown.page.0, shown.page.1, shown.room.dock.row_px() as u32);
            chart_body(ui, &shown.chart, shown.chart_is_table, room)
        }
        DockTab::Sequence => {
            let room = (shown.page.0, shown.page.1, shown.room.dock.row_px() as u32);
            html! { <SequenceView ui={ui.clone()} sequence={Shared(shown.sequence.clone())} {room} /> }
        }
        DockTab::Checks => {
            html! { <ChecksTable ui={ui.clone()} checks={Shared(shown.checks.clone())} /> }
        }
    }
}
