//! "Why": the events that led to one, newest first, back to the one who began it (UX 6).

use yew::prelude::*;

use crate::app::action::Action;
use crate::app::why::{WhyLine, WhyShown};
use crate::text::chain::ChainWord;
use crate::text::format;
use crate::view::part::{Shared, Ui};

#[derive(PartialEq, Properties)]
pub struct WhyPanelProps {
    pub ui: Ui,
    pub shown: Option<Shared<WhyShown>>,
}

#[component]
pub fn WhyPanel(props: &WhyPanelProps) -> Html {
    let ui = &props.ui;
    let word = |word: ChainWord| AttrValue::Static(word.say(ui.language));
    let Some(shown) = props.shown.as_ref().filter(|shown| !shown.rows.is_empty()) else {
        return html! { <p>{ word(ChainWord::NothingAsked) }</p> };
    };
    let out = ui.act(Action::LitUp(None));
    html! {
        <>
            <div class="do-head">
                <h2>{ word(ChainWord::Why) }</h2>
                <button type="button" onclick={ui.act(Action::CopiedWhy)}>{ word(ChainWord::CopyText) }</button>
            </div>
            <p class="dim">{ word(ChainWord::HowToRead) }</p>
            <ol class="why" onmouseleave={out.clone()} onfocusout={ui.act(Action::LitUp(None))}>
                { for shown.rows.iter().map(|line| row(ui, line)) }
            </ol>
            if let Some(ends) = shown.ends { <p class="why-end"><b>{ word(ends) }</b></p> }
            <section class="do-group">
                <h3>{ word(ChainWord::InWords) }</h3>
                <p class="in-words">{ shown.words.clone() }</p>
            </section>
        </>
    }
}

fn row(ui: &Ui, line: &WhyLine) -> Html {
    let lit = Action::LitUp(Some(line.event));
    let class = if line.twin.is_some() { "twin-cause" } else { "" };
    let current = line.is_now.then_some("step");
    html! {
        <li key={line.event} {class} aria-current={current} onmouseenter={ui.act(lit.clone())}>
            <span class="num why-at">
                { format::clock_short(line.at) }
                if let Some(later) = &line.later { <span class="dim">{ later.clone() }</span> }
            </span>
            <div>
                if let Some(twin) = line.twin {
                    <span class="dim">{ twin.say(ui.language) }{ " " }</span>
                }
                <button type="button" class="link" onclick={ui.act(Action::WentToEvent(line.event))}
                    onfocus={ui.act(lit)}>{ line.sentence.clone() }</button>
                if let Some(waited) = &line.waited { <p class="dim">{ waited.clone() }</p> }
            </div>
        </li>
    }
}
