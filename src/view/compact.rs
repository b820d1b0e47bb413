//! All controls in one row, where the stage needs the height: a phone held sideways, a page at 200 %. And the
//! few keys in the corner of a stage that has the window for itself.

use yew::prelude::*;

use super::part::{Icon, IconView, Shared, Ui};
use super::transport::{Clock, PhoneKeys, Scrub, open_dock};
use super::walk::{caption_words, forward_word};
use crate::app::action::Action;
use crate::app::room::Dock;
use crate::app::shown::{RunShown, WalkShown};
use crate::text::bar::BarWord;
use crate::text::page::{PageText, PageWord};

#[derive(PartialEq, Properties)]
pub struct CompactProps {
    pub ui: Ui,
    pub shown: RunShown,
}

#[component]
pub fn CompactBar(props: &CompactProps) -> Html {
    let CompactProps { ui, shown } = props;
    let time = &shown.time;
    let walk = shown.walk.as_ref().filter(|_| shown.walk_is_open);
    html! {
        <section class="one-bar" aria-label={ui.word(PageWord::Time)}>
            <div class="scrub bare">
                <Scrub ui={ui.clone()} time={time.clone()} scrub={Shared(shown.scrub.clone())}
                    fold={shown.fold.as_ref().map(|fold| fold.bar)} axis={6.0} is_bare={true}
                    hides_future={shown.hides_future} />
            </div>
            <a class="quiet home" href="#/" aria-label={ui.word(PageWord::AllRuns)}>{ "‹" }</a>
            <PhoneKeys ui={ui.clone()} time={time.clone()} />
            <Clock ui={ui.clone()} time={time.clone()} field={shown.time_field.clone()} />
            <span class="sp"></span>
            if let Some(walk) = walk { { next(ui, walk) } }
            <button type="button" class="quiet open-sheet" onclick={ui.act(Action::OpenedSheet(true))}>
                { ui.word(PageWord::OpenPanel) }
            </button>
            { open_dock(ui, shown.room.dock == Dock::Over) }
            <ZoomButton ui={ui.clone()} />
        </section>
    }
}

fn next(ui: &Ui, walk: &WalkShown) -> Html {
    let word = ui.word(forward_word(walk));
    let number = (walk.number + usize::from(walk.is_coming)) as u64;
    let number = PageText::MarkNumber { number, count: walk.count as u64 };
    html! {
        <>
            <b class="num number">{ ui.page(&number) }</b>
            <button type="button" class="primary forward" aria-disabled={(!walk.can_go_on).to_string()}
                onclick={ui.act(Action::WalkedOn)}>{ word }</button>
        </>
    }
}

/// The caption over the lower edge of the stage while nothing moves; it can be put away until the next step.
#[component]
pub fn CaptionOver(props: &CompactProps) -> Html {
    let CompactProps { ui, shown } = props;
    let put_away = use_state(|| None::<usize>);
    let walk = shown.walk.as_ref().filter(|walk| {
        shown.walk_is_open && walk.holds && !shown.time.is_playing && *put_away != Some(walk.number)
    });
    let Some(walk) = walk else { return Html::default() };
    if shown.caption_is_hidden {
        return html! {
            <div class="caption-over">
                <button type="button" onclick={ui.act(Action::ToggledCaption)}>
                    { ui.bar(BarWord::ShowCaption) }
                </button>
            </div>
        };
    }
    let close = {
        let (put_away, number) = (put_away.clone(), walk.number);
        Callback::from(move |_: MouseEvent| put_away.set(Some(number)))
    };
    let word = ui.bar(BarWord::HideCaption);
    html! {
        <div class="caption-over" aria-label={ui.word(PageWord::Walkthrough)} role="region">
            <p class="caption" tabindex="0">{ caption_words(ui, walk) }</p>
            <button type="button" class="quiet" aria-label={word.clone()} title={word} onclick={close}>
                { "×" }
            </button>
        </div>
    }
}

/// What a stage of the whole window leaves of the controls.
#[component]
pub fn Corner(props: &CompactProps) -> Html {
    let CompactProps { ui, shown } = props;
    let walk = shown.walk.as_ref().filter(|_| shown.walk_is_open);
    html! {
        <section class="corner" aria-label={ui.word(PageWord::Time)}>
            <PhoneKeys ui={ui.clone()} time={shown.time.clone()} />
            if let Some(walk) = walk { { next(ui, walk) } }
            <button type="button" class="unzoom" onclick={ui.act(Action::ToggledZoom)}>
                { ui.bar(BarWord::Unzoom) }
            </button>
        </section>
    }
}

#[derive(PartialEq, Properties)]
pub struct ZoomButtonProps {
    pub ui: Ui,
}

/// The stage alone.
#[component]
pub fn ZoomButton(props: &ZoomButtonProps) -> Html {
    let ui = &props.ui;
    let word = ui.bar(BarWord::Zoom);
    html! {
        <button type="button" class="quiet zoom" aria-label={word.clone()} title={format!("{word} (Z)")}
            onclick={ui.act(Action::ToggledZoom)}><IconView icon={Icon::Zoom} /></button>
    }
}
