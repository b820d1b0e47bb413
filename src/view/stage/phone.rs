//! The follow view, below 720 px: the stage with its rooms one under the other, or one of three cards.

use std::rc::Rc;

use yew::prelude::*;

use super::phone_cards::{MessageCard, OwnersCard, QueueCard};
use super::phone_rooms::RoomsCard;
use crate::scene::frame::Frame;
use crate::scene::mark::MarkId;
use crate::scene::scene::Scene;
use crate::text::stage::StageWord;
use crate::text::{Language, StageText};

#[derive(Clone, PartialEq, Properties)]
pub struct FollowViewProps {
    pub scene: Rc<Scene>,
    /// Virtual time, ms.
    pub now_ms: f64,
    pub language: Language,
    pub selected: Option<MarkId>,
    pub on_select: Callback<MarkId>,
    /// The stage with its rooms one under the other.
    pub frame: Rc<Frame>,
    pub is_playing: bool,
    /// The picture's accessible name.
    pub label: AttrValue,
    /// The card that is open at first: 0 the picture, 1 queue, 2 message, 3 owners.
    #[prop_or_default]
    pub opens_on: usize,
}

const CARDS: [StageWord; 4] =
    [StageWord::Stage, StageWord::OneQueue, StageWord::OneMessage, StageWord::WhoOwns];

#[component]
pub fn FollowView(props: &FollowViewProps) -> Html {
    let opens_on = props.opens_on;
    let shown = use_state(move || opens_on);
    let tabs = CARDS.into_iter().enumerate().map(|(place, word)| {
        let onclick = {
            let shown = shown.clone();
            Callback::from(move |_: MouseEvent| shown.set(place))
        };
        html! {
            <button role="tab" id={format!("follow-tab-{place}")} aria-controls="follow-card"
                aria-selected={(*shown == place).to_string()} {onclick}>
                { StageText::from(word).say(props.language) }
            </button>
        }
    });
    let card = match *shown {
        0 => html! { <RoomsCard ..props.clone() /> },
        1 => html! { <QueueCard ..props.clone() /> },
        2 => html! { <MessageCard ..props.clone() /> },
        _ => html! { <OwnersCard ..props.clone() /> },
    };
    html! {
        <>
            <div class="three" role="tablist">{ for tabs }</div>
            <div class="card" id="follow-card" role="tabpanel"
                aria-labelledby={format!("follow-tab-{}", *shown)}>{ card }</div>
        </>
    }
}
