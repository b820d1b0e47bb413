//! The follow view, below 720 px: one card, and a bottom sheet with the transport in thumb reach.

use yew::prelude::*;

use super::checks::Banner;
use super::dock::{BESIDE_LOG, dock_body, dock_head, dock_tabs};
use super::part::{Shared, Tabs, Ui};
use super::rail::rail_body;
use super::stage::{FollowView, StageTwin};
use super::top::LanguageButton;
use super::transport::{Clock, FoldLine, PaceField, PhoneKeys, Scrub, Signs};
use super::walk::WalkBar;
use crate::app::action::{Action, DockTab, PhonePanel, RailTab};
use crate::app::shown::RunShown;
use crate::text::Text;
use crate::text::page::PageWord;
use crate::text::stage::StageWord;

#[derive(PartialEq, Properties)]
pub struct PhoneProps {
    pub ui: Ui,
    pub shown: RunShown,
}

#[component]
pub fn Phone(props: &PhoneProps) -> Html {
    let PhoneProps { ui, shown } = props;
    let on_select = ui.on.reform(|mark| Action::Selected(Some(mark)));
    let time = &shown.time;
    html! {
        <div class="phone">
            <header class="ti">
                <a class="quiet home" href="#/" aria-label={ui.word(PageWord::AllRuns)}>{ "‹" }</a>
                <h1>{ shown.title.clone() }</h1>
                <LanguageButton ui={ui.clone()} />
                <button type="button" onclick={ui.act(Action::PressedShare)}>
                    { ui.word(PageWord::Share) }
                </button>
            </header>
            <main id="main" tabindex="-1" class="follow-main">
                if let Some(banner) = shown.banner.clone() { <Banner ui={ui.clone()} {banner} /> }
                if let Some(panel) = shown.phone {
                    { phone_panel(ui, shown, panel) }
                } else {
                    <FollowView scene={shown.scene.clone()} now_ms={shown.now_ms}
                        frame={shown.frame.clone()} is_playing={time.is_playing}
                        label={ui.say(&Text::Stage(StageWord::Stage.into()))}
                        language={ui.language} selected={shown.selected.clone()} {on_select} />
                }
                <StageTwin scene={shown.scene.clone()} now={shown.twin_now()} language={ui.language} />
            </main>
            if let Some(walk) = &shown.walk {
                <WalkBar ui={ui.clone()} walk={walk.clone()} is_hidden={shown.caption_is_hidden} />
            }
            <section class="sheet" aria-label={ui.word(PageWord::Time)}>
                <div class="row1">
                    <Clock ui={ui.clone()} time={time.clone()} field={shown.time_field.clone()} />
                    <Signs ui={ui.clone()} is_open={shown.signs_are_open} />
                    <PaceField ui={ui.clone()} pace={time.pace} />
                </div>
                <div class="f2">
                    <FoldLine ui={ui.clone()} time={time.clone()} fold={shown.fold.clone()} />
                </div>
                <div class="sc scrub">
                    <Scrub ui={ui.clone()} time={time.clone()} scrub={Shared(shown.scrub.clone())}
                        fold={shown.fold.as_ref().map(|fold| fold.bar)} axis={14.0}
                        hides_future={shown.hides_future} />
                </div>
                <PhoneKeys ui={ui.clone()} time={time.clone()} />
                <div class="four">{ for PANELS.map(|(panel, word)| toggle(ui, shown, panel, word)) }</div>
            </section>
        </div>
    }
}

const PANELS: [(PhonePanel, PageWord); 5] = [
    (PhonePanel::Rail(RailTab::Inspect), PageWord::Inspect),
    (PhonePanel::Rail(RailTab::Why), PageWord::Why),
    (PhonePanel::Rail(RailTab::Do), PageWord::Do),
    (PhonePanel::Dock(DockTab::Log), PageWord::Log),
    (PhonePanel::Dock(DockTab::Charts), PageWord::Charts),
];

fn toggle(ui: &Ui, shown: &RunShown, panel: PhonePanel, word: PageWord) -> Html {
    // Charts stand for all that shares their tabs.
    let is_open = match (shown.phone, panel) {
        (Some(PhonePanel::Dock(tab)), PhonePanel::Dock(DockTab::Charts)) => tab != DockTab::Log,
        (open, panel) => open == Some(panel),
    };
    let next = if is_open { None } else { Some(panel) };
    html! {
        <button type="button" aria-pressed={is_open.to_string()}
            onclick={ui.act(Action::OpenedPhonePanel(next))}>{ ui.word(word) }</button>
    }
}

fn phone_panel(ui: &Ui, shown: &RunShown, panel: PhonePanel) -> Html {
    match panel {
        PhonePanel::Rail(_) => html! { <div class="pane">{ rail_body(ui, shown) }</div> },
        PhonePanel::Dock(DockTab::Log) => html! {
            <div class="pane dock-pane">
                { dock_head(ui, shown, DockTab::Log) }{ dock_body(ui, shown, DockTab::Log) }
            </div>
        },
        PhonePanel::Dock(tab) => {
            let tabs = dock_tabs(ui, shown, tab, BESIDE_LOG);
            let id = tabs.iter().find(|tab| tab.is_selected).map_or("", |tab| tab.id);
            html! {
                <div class="pane dock-pane">
                    <Tabs label={ui.word(PageWord::Charts)} {tabs} />
                    <div role="tabpanel" id={format!("{id}-panel")} aria-labelledby={id} class="dock-panel">
                        { dock_head(ui, shown, tab) }{ dock_body(ui, shown, tab) }
                    </div>
                </div>
            }
        }
    }
}
