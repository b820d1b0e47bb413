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
    /// A newer version of the page waits; that stays until it is used.
    #[prop_or_default]
    pub new_version: bool,
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
        if props.new_version || !props.toasts.is_empty() {
            <div class="notices">
                { for props.toasts.iter().map(toast) }
                if props.new_version {
                    <div class="notice" role="status">
                        <span>{ ui.word(PageWord::NewVersion) }</span>
                        <button type="button" class="primary" onclick={ui.act(Action::TookNewVersion)}>
                            { ui.word(PageWord::TakeNewVersion) }
                        </button>
                        <button type="button" aria-label={ui.word(PageWord::CloseNotice)}
                            onclick={ui.act(Action::LeftNewVersion)}>{ "×" }</button>
                    </div>
                }
            </div>
        }
    }
}
