//! The page of a run: title bar, stage, rail, transport, dock; below 720 px the follow view.

use yew::prelude::*;

use super::checks::{Badges, Banner};
use super::compact::{CaptionOver, CompactBar, Corner};
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
use crate::app::arrange::BLANK;
use crate::app::room::{Dock as DockRoom, Form, Room};
use crate::app::shown::RunShown;
use crate::text::Text;
use crate::text::bar::BarWord;
use crate::text::stage::StageWord;

#[derive(PartialEq, Properties)]
pub struct RunPageProps {
    pub ui: Ui,
    pub shown: RunShown,
}

#[component]
pub fn RunPage(props: &RunPageProps) -> Html {
    let RunPageProps { ui, shown } = props;
    let page = match shown.room.form {
        Form::Follow => html! { <Phone ui={ui.clone()} shown={shown.clone()} /> },
        Form::Regular => regular(ui, shown),
        Form::Compact => compact(ui, shown),
        Form::Zoomed => app(ui, shown, html! { <Corner ui={ui.clone()} shown={shown.clone()} /> }),
    };
    html! { <>{ page }if shown.is_blank { { blank(ui) } }</> }
}

/// The frame of all but the follow view: how the window is shared out, as attributes and lengths.
fn app(ui: &Ui, shown: &RunShown, around: Html) -> Html {
    let room = &shown.room;
    let walk = shown.walk.as_ref().filter(|_| shown.walk_is_open);
    let caption = match (walk.is_some(), room.caption_px > 0.0) {
        (false, _) => "none",
        (true, true) => "row",
        (true, false) => "panel",
    };
    html! {
        <div class="app" data-form={room.form.attribute()} data-dock={room.dock.attribute()}
            data-panel={if room.panel_is_sheet { "sheet" } else { "column" }}
            data-caption={caption} data-wide={room.is_wide.then_some("")}
            data-type={room.has_large_type.then_some("large")}
            data-future={shown.hides_future.then_some("hidden")}
            data-tab={(shown.dock == DockTab::Charts).then_some("charts")} style={lengths(room)}>
            { stage(ui, shown) }
            { around }
            <p class="print-only address" aria-hidden="true"></p>
        </div>
    }
}

fn lengths(room: &Room) -> String {
    let area = room.system.area();
    format!(
        "--caption:{}px;--dock:{}px;--least-width:{}px;--stage-width:{};--stage-height:{}",
        room.caption_px,
        room.dock.row_px(),
        room.least.0.ceil(),
        area.width,
        area.height,
    )
}

fn regular(ui: &Ui, shown: &RunShown) -> Html {
    let walk = shown.walk.as_ref().filter(|_| shown.walk_is_open);
    let around = html! {
        <>
            <Top ui={ui.clone()} title={AttrValue::from(shown.title.clone())}
                profile={shown.profile} theme={shown.theme}
                walk={shown.walk.is_some().then_some(shown.walk_is_open)} />
            if shown.room.is_wide {
                <Left ui={ui.clone()} about={AttrValue::from(shown.about.clone())}
                    scaled={Shared(shown.scaled.clone())} doing={Shared(shown.doing.clone())} />
            }
            <Rail ui={ui.clone()} shown={shown.clone()} />
            if let Some(walk) = walk {
                <WalkBar ui={ui.clone()} walk={walk.clone()} is_hidden={shown.caption_is_hidden} />
            }
            <Transport ui={ui.clone()} shown={shown.clone()} />
            if shown.room.dock != DockRoom::Closed { <Dock ui={ui.clone()} shown={shown.clone()} /> }
        </>
    };
    app(ui, shown, around)
}

fn compact(ui: &Ui, shown: &RunShown) -> Html {
    let around = html! {
        <>
            <CaptionOver ui={ui.clone()} shown={shown.clone()} />
            <CompactBar ui={ui.clone()} shown={shown.clone()} />
            <Rail ui={ui.clone()} shown={shown.clone()} />
            if shown.room.dock != DockRoom::Closed { <Dock ui={ui.clone()} shown={shown.clone()} /> }
        </>
    };
    app(ui, shown, around)
}

/// The picture with all that stands at its things; it scrolls in its place when that is too small.
fn stage(ui: &Ui, shown: &RunShown) -> Html {
    let on_select = ui.on.reform(|mark| Action::Selected(Some(mark)));
    let scrolls = shown.room.scrolls;
    html! {
        <main class="stage" id="main" tabindex="-1" data-scrolls={scrolls.then_some("")}>
            <StageTwin scene={shown.scene.clone()} now={shown.twin_now()} language={ui.language} />
            <div class="picture">
                <Stage frame={shown.frame.clone()} language={ui.language} selected={shown.selected.clone()} {on_select}
                    lit={shown.lit.clone()} label={ui.say(&Text::Stage(StageWord::Stage.into()))} />
                if !shown.badges.is_empty() {
                    <Badges ui={ui.clone()} frame={shown.frame.clone()} badges={shown.badges.clone()} />
                }
                if let Some(banner) = shown.banner.clone() {
                    <Banner ui={ui.clone()} {banner} frame={Some(shown.frame.clone())} />
                }
            </div>
        </main>
    }
}

/// A dark screen. It has the keyboard; whatever is pressed brings the page back and does nothing else.
fn blank(ui: &Ui) -> Html {
    let onkeydown = ui.on.reform(|event: KeyboardEvent| {
        event.prevent_default();
        event.stop_propagation();
        Action::Blanked(false)
    });
    html! {
        <div class="blank" id={BLANK} tabindex="-1" role="dialog" aria-modal="true"
            aria-label={ui.bar(BarWord::Blank)} {onkeydown} onclick={ui.act(Action::Blanked(false))}></div>
    }
}
