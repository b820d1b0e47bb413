//! The left column of wide pages: what happens here, what was scaled, what the visitor did.

use yew::prelude::*;

use super::panel::Deeds;
use super::part::{Shared, Ui, breakable};
use crate::app::shown::{DoShown, ScaledLine};
use crate::text::page::{PageText, PageWord};

#[derive(PartialEq, Properties)]
pub struct LeftProps {
    pub ui: Ui,
    pub about: AttrValue,
    pub scaled: Shared<Vec<ScaledLine>>,
    pub doing: Shared<DoShown>,
}

#[component]
pub fn Left(props: &LeftProps) -> Html {
    let LeftProps { ui, about, scaled, doing } = props;
    let line = |line: &ScaledLine| {
        html! {
            <>
                <dt>{ breakable(&line.property) }</dt>
                <dd class="num">
                    { line.value }{ " " }
                    <span class="dim">{ ui.page(&PageText::RealDefault { value: line.default }) }</span>
                </dd>
            </>
        }
    };
    html! {
        <aside class="left" aria-label={ui.word(PageWord::Scenario)}>
            <section><h2>{ ui.word(PageWord::Scenario) }</h2><p>{ about.clone() }</p></section>
            if !scaled.is_empty() {
                <section>
                    <h2>{ ui.word(PageWord::Parameters) }</h2>
                    <dl>{ for scaled.iter().map(line) }</dl>
                    <p class="dim">{ ui.word(PageWord::RealDefaults) }</p>
                </section>
            }
            <Deeds ui={ui.clone()} shown={doing.clone()} />
        </aside>
    }
}
