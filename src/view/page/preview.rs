//! The small picture of the start page: a held pull is answered (`static/hero.svg`). The same file stands in
//! index.html for the first paint, so that nothing jumps; it has its words in both languages, of which
//! `static/start.css` shows one.

use yew::prelude::*;

use crate::text::page::PageWord;
use crate::view::part::Ui;

const PICTURE: &str = include_str!("../../../static/hero.svg");

#[derive(PartialEq, Properties)]
pub struct PreviewProps {
    pub ui: Ui,
}

#[component]
pub fn Preview(props: &PreviewProps) -> Html {
    html! {
        <div class="prev" role="img" aria-label={props.ui.word(PageWord::PreviewLabel)}>
            { Html::from_html_unchecked(AttrValue::Static(PICTURE)) }
        </div>
    }
}
