//! Short notices above the transport.

use yew::prelude::*;

use super::part::Ui;
use crate::app::action::Action;
use crate::app::toast::Toast;
use crate::text::page::PageWord;

#[derive(PartialEq, Properties)]
pub struct ToastListProps {
    pub ui: Ui,
    pub toasts: Vec<Toast>,
}

#[component]
pub fn ToastList(props: &ToastListProps) -> Html {
    let ui = &props.ui;
    let toast = |toast: &Toast| {
        html! {
            <div class="notice" key={toast.id}>
                <span>{ toast.sentence.clone() }</span>
                <button type="button" aria-label={ui.word(PageWord::CloseNotice)}
                    onclick={ui.act(Action::ClosedToast(toast.id))}>{ "×" }</button>
            </div>
        }
    };
    html! {
        if !props.toasts.is_empty() {
            <div class="notices">{ for props.toasts.iter().map(toast) }</div>
        }
    }
}
