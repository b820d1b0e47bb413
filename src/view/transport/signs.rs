//! The legend of the time bar: each sign, and what it stands for.

use yew::prelude::*;

use super::markers;
use crate::app::action::Action;
use crate::app::bar::word;
use crate::scene::scrub::ScrubSign;
use crate::text::bar::{BarWord, SignWord};
use crate::view::part::Ui;

/// In the order of the legend.
const SIGNS: [ScrubSign; 12] = [
    ScrubSign::Star,
    ScrubSign::Act,
    ScrubSign::Broken,
    ScrubSign::Fault,
    ScrubSign::Commit,
    ScrubSign::Failed,
    ScrubSign::SendBack,
    ScrubSign::DelayOver,
    ScrubSign::Dead,
    ScrubSign::Rebalance,
    ScrubSign::Lock,
    ScrubSign::Refused,
];

#[derive(PartialEq, Properties)]
pub struct SignsProps {
    pub ui: Ui,
    pub is_open: bool,
}

#[component]
pub fn Signs(props: &SignsProps) -> Html {
    let SignsProps { ui, is_open } = props;
    let line = |sign: Html, word: SignWord| {
        html! {
            <li>
                <svg viewBox="-16 -10 32 20" aria-hidden="true">{ sign }</svg>
                <span>{ ui.bar(BarWord::Sign(word)) }</span>
            </li>
        }
    };
    let onkeydown = {
        let on = ui.on.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.stop_propagation();
                on.emit(Action::OpenedSigns(false));
            }
        })
    };
    html! {
        <div class="signs-place" {onkeydown}>
            <button type="button" class="quiet signs" aria-expanded={is_open.to_string()}
                onclick={ui.act(Action::OpenedSigns(!is_open))}>{ ui.bar(BarWord::Signs) }</button>
            if *is_open {
                <section class="legend" aria-labelledby="legend-title" tabindex="0">
                    <h2 id="legend-title">{ ui.bar(BarWord::SignsTitle) }</h2>
                    <ul>
                        { for SIGNS.map(|sign| line(markers::marker(sign), word(sign))) }
                        { line(markers::fold(), SignWord::FastForward) }
                        { line(html! { <path d="M0 -8V8" class="real-tick" /> }, SignWord::Real) }
                    </ul>
                </section>
            }
        </div>
    }
}
