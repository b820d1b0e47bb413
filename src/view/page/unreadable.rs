//! A link that cannot be read: a plain sentence, and the raw text to copy.

use yew::prelude::*;

use crate::text::page::PageWord;
use crate::view::part::Ui;
use crate::view::top::LanguageButton;

#[derive(PartialEq, Properties)]
pub struct UnreadablePageProps {
    pub ui: Ui,
    pub reason: AttrValue,
    pub raw: AttrValue,
}

#[component]
pub fn UnreadablePage(props: &UnreadablePageProps) -> Html {
    let ui = &props.ui;
    html! {
        <div class="helppage">
            <header class="bar">
                <a href="#/">{ ui.word(PageWord::AllRuns) }</a>
                <span class="sp"></span>
                <LanguageButton ui={ui.clone()} />
            </header>
            <main id="main" tabindex="-1">
                <h1>{ ui.word(PageWord::UnreadableTitle) }</h1>
                <p class="error">{ props.reason.clone() }</p>
                <p>{ ui.word(PageWord::UnreadableLead) }</p>
                <label class="field">
                    { ui.word(PageWord::UnreadableText) }
                    <textarea rows="4" readonly=true value={props.raw.clone()} />
                </label>
            </main>
        </div>
    }
}
