//! The page of a run: title bar, stage, rail, transport, dock; below 720 px the follow view.

use yew::prelude::*;

use super::checks::{Badges, Banner};
use super::dock::Dock;
use super::left::Left;
use super::part::{Shared, Ui};
use super::phone::Phone;
use super::rail::Rail;
use super::stage::{Stage, StageTwin};
use super::top::Top;
use super::transport::Transport;
use super::walk::WalkBar;
use crate::app::action::{Action, DockTab};
use crate::app::shown::RunShown;
use crate::scene::layout::System;
use crate::text::Text;
use crate::text::stage::StageWord;

#[derive(PartialEq, Properties)]
pub struct RunPageProps {
    pub ui: Ui,
    pub shown: RunShown,
}

#[component]
pub fn RunPage(props: &RunPageProps) -> Html {
    let RunPageProps { ui, shown } = props;
    if shown.system == System::Phone {
        return html! { <Phone ui={ui.clone()} shown={shown.clone()} /> };
    }
    let on_select = ui.on.reform(|mark| Action::Selected(Some(mark)));
    let walk = shown.walk.as_ref().filter(|_| shown.walk_is_open);
    let tab = (shown.dock == DockTab::Charts).then_some("charts");
    html! {
        <div class="app" data-dock={if shown.dock_is_tall { "tall" } else { "low" }}
            data-walk={walk.map(|_| "open")} data-tab={tab}>
            <Top ui={ui.clone()} title={AttrValue::from(shown.title.clone())}
                profile={shown.profile} theme={shown.theme}
                walk={shown.walk.is_some().then_some(shown.walk_is_open)} />
            <Left ui={ui.clone()} about={AttrValue::from(shown.about.clone())}
                scaled={Shared(shown.scaled.clone())} doing={Shared(shown.doing.clone())} />
            <main class="stage" id="main" tabindex="-1">
                <StageTwin scene={shown.scene.clone()} now={shown.twin_now()} language={ui.language} />
                <Stage frame={shown.frame.clone()} language={ui.language} selected={shown.selected.clone()} {on_select}
                    lit={shown.lit.clone()} label={ui.say(&Text::Stage(StageWord::Stage.into()))} />
                if !shown.badges.is_empty() {
                    <Badges ui={ui.clone()} frame={shown.frame.clone()} badges={shown.badges.clone()} />
                }
                if let Some(banner) = shown.banner.clone() { <Banner ui={ui.clone()} {banner} /> }
            </main>
            <Rail ui={ui.clone()} shown={shown.clone()} />
            if let Some(walk) = walk {
                <WalkBar ui={ui.clone()} walk={walk.clone()} />
            }
            <Transport ui={ui.clone()} time={shown.time.clone()} fold={shown.fold.clone()}
                scrub={Shared(shown.scrub.clone())} />
            <Dock ui={ui.clone()} shown={shown.clone()} />
        </div>
    }
}
