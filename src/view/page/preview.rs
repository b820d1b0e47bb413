//! The small picture of the start page: a pull that waited is freed (`mock/start.html`).

use yew::prelude::*;

use crate::text::page::PageWord;
use crate::view::part::Ui;

#[derive(PartialEq, Properties)]
pub struct PreviewProps {
    pub ui: Ui,
}

#[component]
pub fn Preview(props: &PreviewProps) -> Html {
    let ui = &props.ui;
    html! {
        <svg viewBox="0 0 560 276" role="img" aria-label={ui.word(PageWord::PreviewLabel)}>
            <text x="0" y="20" class="lb">{ "Broker" }</text>
            <text x="304" y="20" class="n mid">{ ui.word(PageWord::PreviewNetwork) }</text>
            <text x="360" y="20" class="lb">{ ui.word(PageWord::PreviewConsumer) }</text>
            <rect x="264" y="32" width="80" height="208" class="panelf" />
            <rect x="1" y="32" width="263" height="208" class="box" />
            <rect x="344" y="32" width="215" height="208" class="proc" />
            { queue(ui) }
            { crossing(ui) }
            { consumer(ui) }
            <text x="0" y="268" class="lb">{ "T+00:09.012" }</text>
            <text x="116" y="268" class="l">{ ui.word(PageWord::PreviewCaption) }</text>
        </svg>
    }
}

fn queue(ui: &Ui) -> Html {
    let slot = |(x, offset): (&'static str, &'static str)| {
        html! { <text {x} y="104" class="o mid">{ offset }</text> }
    };
    let slots = [("61", "7"), ("95", "8"), ("129", "9"), ("163", "10"), ("197", "11")];
    html! {
        <>
            <text x="14" y="104" class="ob">{ "q0" }</text>
            <rect x="44" y="80" width="170" height="34" class="sheetf" />
            <rect x="44" y="80" width="68" height="34" class="panelf" />
            <path d="M78 80v34M112 80v34M146 80v34M180 80v34" class="divider" />
            <rect x="44" y="80" width="170" height="34" class="ln" />
            { for slots.into_iter().map(slot) }
            <path d="M214 74V124" class="endbar" />
            <path d="M112 117l9 15h-18z" class="ink" />
            <text x="98" y="132" class="lb end">{ "C 9" }</text>
            <text x="208" y="132" class="lb end">{ "M 12" }</text>
            <path d="M214 77l-7 -12h14z" class="box" />
            <text x="200" y="74" class="lb end">{ "P 12" }</text>
            <path d="M112 135V141H214V135" class="ln1" />
            <text x="163" y="160" class="l mid">{ ui.word(PageWord::PreviewLag) }</text>
        </>
    }
}

fn crossing(ui: &Ui) -> Html {
    html! {
        <>
            <path d="M168 182H234L244 199L234 216H168L158 199z" class="ghost" />
            <text x="14" y="205" class="n">{ ui.word(PageWord::PreviewBench) }</text>
            <path d="M200 199H352" class="band" />
            <path d="M206 199H352" class="past" marker-end="url(#tip)" />
            <rect x="262" y="180" width="50" height="38" class="ghost" />
            <rect x="284" y="180" width="50" height="38" class="box" />
            <path d="M284 192H334M309 180V192" class="ln1" />
            <text x="309" y="211" class="lb mid">{ "×3" }</text>
        </>
    }
}

fn consumer(ui: &Ui) -> Html {
    html! {
        <>
            <text x="358" y="58" class="l">{ ui.word(PageWord::PreviewShelf) }</text>
            <path d="M362 70h34v34h-34zM396 70h34v34M430 70h34v34" class="ghost" />
            <text x="379" y="94" class="n mid">{ "9" }</text>
            <text x="413" y="94" class="n mid">{ "10" }</text>
            <text x="447" y="94" class="n mid">{ "11" }</text>
            <path d="M356 106H548" class="plank" />
            <path d="M352 124H551" class="hair" />
            <text x="358" y="148" class="l">{ ui.word(PageWord::PreviewWorkers) }</text>
            <path d="M358 160h58v48h-58zM422 160h58v48h-58zM486 160h58v48h-58z" class="ghost" />
            <text x="358" y="230" class="n">{ ui.word(PageWord::PreviewSeats) }</text>
        </>
    }
}
