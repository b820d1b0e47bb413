//! The walkthrough's bar: what is said at this mark, and the way to the next and the one before.

use yew::prelude::*;

use super::part::{Icon, IconView, Ui};
use crate::app::action::Action;
use crate::app::shown::WalkShown;
use crate::text::page::{PageText, PageWord};

#[derive(PartialEq, Properties)]
pub struct WalkBarProps {
    pub ui: Ui,
    pub walk: WalkShown,
}

#[component]
pub fn WalkBar(props: &WalkBarProps) -> Html {
    let WalkBarProps { ui, walk } = props;
    let number = PageText::MarkNumber { number: walk.number as u64, count: walk.count as u64 };
    let class = if walk.holds { "caption" } else { "caption dim" };
    html! {
        <section class="walk" aria-label={ui.word(PageWord::Walkthrough)}>
            <button type="button" class="backward" aria-label={ui.word(PageWord::PreviousMark)}
                title={ui.word(PageWord::PreviousMark)} aria-disabled={(!walk.can_go_back).to_string()}
                onclick={ui.act(Action::WalkedBack)}><IconView icon={Icon::Back} /></button>
            <b class="num number">{ ui.page(&number) }</b>
            <p {class}>{ words(ui, walk) }</p>
            <button type="button" class="primary forward" aria-disabled={(!walk.can_go_on).to_string()}
                onclick={ui.act(Action::WalkedOn)}>
                { ui.word(PageWord::NextMark) }<IconView icon={Icon::Step} />
            </button>
        </section>
    }
}

fn words(ui: &Ui, walk: &WalkShown) -> AttrValue {
    if walk.is_left_by_act && !walk.can_go_on && !walk.holds {
        return ui.word(PageWord::WalkLeft);
    }
    match walk.other_release.filter(|_| walk.number > 0) {
        Some(release) => ui.page(&PageText::OtherRelease { release: release.release() }),
        None => AttrValue::from(walk.caption.clone()),
    }
}
