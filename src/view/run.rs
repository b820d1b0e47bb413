//! The page of a run: title bar, stage, rail, transport, dock; below 720 px the follow view.

use yew::prelude::*;

use super::panel::{DoPanel, InspectPanel};
use super::part::{Shared, Tab, Tabs, Ui};
use super::stage::{Stage, StageTwin};
use super::top::Top;
use super::transport::Transport;
use crate::app::action::{Action, DockTab, RailTab};
use crate::app::shown::RunShown;
use crate::model::time::Millis;
use crate::text::page::PageWord;
use crate::text::stage::StageWord;

#[derive(PartialEq, Properties)]
pub struct RunPageProps {
    pub ui: Ui,
    pub shown: RunShown,
}

#[component]
pub fn RunPage(props: &RunPageProps) -> Html {
    let RunPageProps { ui, shown } = props;
    let on_select = ui.on.reform(|mark| Action::Selected(Some(mark)));
    html! {
        <div class="app">
            <Top ui={ui.clone()} title={AttrValue::from(shown.title.clone())}
                profile={shown.profile} theme={shown.theme} />
            <main class="stage" id="main" tabindex="-1">
                <StageTwin scene={shown.scene.clone()} now={whole_second(shown)} language={ui.language} />
                <Stage frame={shown.frame.clone()} selected={shown.selected.clone()} {on_select}
                    label={ui.say(&crate::text::Text::Stage(StageWord::Stage.into()))} />
            </main>
            { rail(ui, shown) }
            <Transport ui={ui.clone()} time={shown.time.clone()} fold={shown.fold.clone()}
                scrub={Shared(shown.scrub.clone())} />
            { dock(ui, shown) }
        </div>
    }
}

/// The twin's clock ticks in seconds while the run plays, so that it is not written anew each frame.
fn whole_second(shown: &RunShown) -> Millis {
    match shown.time.is_playing {
        true => Millis::from_seconds(shown.time.now.ms() / 1_000),
        false => shown.time.now,
    }
}

fn rail(ui: &Ui, shown: &RunShown) -> Html {
    let tab = |id, word, tab: RailTab| Tab {
        id,
        label: ui.word(word),
        is_selected: shown.rail == tab,
        onchoose: ui.act(Action::ChoseRail(tab)),
    };
    let tabs = vec![
        tab("rail-inspect", PageWord::Inspect, RailTab::Inspect),
        tab("rail-do", PageWord::Do, RailTab::Do),
    ];
    let (id, inside) = match shown.rail {
        RailTab::Inspect => ("rail-inspect", html! { <InspectPanel ui={ui.clone()} /> }),
        RailTab::Do => {
            let doing = Shared(shown.doing.clone());
            ("rail-do", html! { <DoPanel ui={ui.clone()} shown={doing} /> })
        }
    };
    html! {
        <aside class="rail" data-open={shown.sheet_is_open.to_string()}
            aria-label={ui.word(PageWord::Panel)}>
            <Tabs label={ui.word(PageWord::Panel)} {tabs}>
                <button type="button" class="quiet close-sheet"
                    onclick={ui.act(Action::OpenedSheet(false))}>{ ui.word(PageWord::ClosePanel) }</button>
            </Tabs>
            <div class="pane" role="tabpanel" id={format!("{id}-panel")} aria-labelledby={id}>
                { inside }
            </div>
        </aside>
    }
}

fn dock(ui: &Ui, shown: &RunShown) -> Html {
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
    html! {
        <section class="dock" aria-label={ui.word(PageWord::Log)}>
            <div class="dpane"><Tabs label={ui.word(PageWord::Log)} {tabs} /></div>
        </section>
    }
}
