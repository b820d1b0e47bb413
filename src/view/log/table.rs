//! The table itself. Rows are links to their moment; the present one stays in the middle.

use wasm_bindgen::JsCast;
use yew::prelude::*;

use crate::app::action::Action;
use crate::app::shown::{LogLine, LogShown};
use crate::text::chain::ChainText;
use crate::text::format;
use crate::text::page::PageWord;
use crate::view::part::{Shared, Ui, names};

#[derive(PartialEq, Properties)]
pub struct LogTableProps {
    pub ui: Ui,
    pub log: Shared<LogShown>,
    /// The height of a row, px; the style sheet has the same.
    pub row_px: f64,
}

/// So many rows on either side of the present one are reached by Tab.
const NEAR: u32 = 3;

const COLUMNS: [&str; 7] =
    ["c-time", "c-who", "c-code", "c-about", "c-why", "c-result", "c-source"];

#[component]
pub fn LogTable(props: &LogTableProps) -> Html {
    let LogTableProps { ui, log, .. } = props;
    let row_px = props.row_px;
    let scroll = use_node_ref();
    {
        let scroll = scroll.clone();
        use_effect_with(log.now, move |now| {
            let element = scroll.cast::<web_sys::Element>();
            if let (Some(element), Some(now)) = (element, *now) {
                let room = f64::from(element.client_height());
                let top = f64::from(now) * row_px - (room / row_px / 2.0).floor() * row_px;
                element.set_scroll_top(top.max(0.0) as i32);
            }
        });
    }
    let onscroll = ui.on.reform(move |event: Event| {
        let element = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
        let top = element.map_or(0, |element| element.scroll_top());
        Action::ScrolledLog((f64::from(top.max(0)) / row_px) as u32)
    });
    let before = f64::from(log.first) * row_px;
    let after = f64::from(log.total.saturating_sub(log.first + log.rows.len() as u32)) * row_px;
    html! {
        <div class="scroll" ref={scroll} {onscroll} tabindex="0" role="region"
            aria-label={ui.word(PageWord::Log)}>
            if log.total == 0 { <p class="dim empty">{ ui.word(PageWord::LogEmpty) }</p> }
            <table class="log" role="table" aria-rowcount={(log.total + 1).to_string()}>
                <colgroup>
                    { for COLUMNS.map(|class| html! { <col {class} /> }) }
                </colgroup>
                { head(ui) }
                <tbody>
                    { spacer(before) }
                    { for log.rows.iter().enumerate().map(|(at, one)| {
                        row(ui, one, log.first + at as u32, log.now)
                    }) }
                    { spacer(after) }
                </tbody>
            </table>
        </div>
    }
}

fn head(ui: &Ui) -> Html {
    let column = |word: PageWord, class: &'static str| {
        html! { <th scope="col" role="columnheader" {class}>{ ui.word(word) }</th> }
    };
    html! {
        <thead class="visually-hidden"><tr role="row">
            { column(PageWord::ColumnTime, "c-time") }
            { column(PageWord::ColumnActor, "c-who") }
            { column(PageWord::ColumnCode, "c-code") }
            { column(PageWord::ColumnSubject, "c-about") }
            { column(PageWord::Why, "c-why") }
            { column(PageWord::ColumnResult, "c-result") }
            { column(PageWord::ColumnSource, "c-source") }
        </tr></thead>
    }
}

/// Room for the rows that are not in the document.
fn spacer(height: f64) -> Html {
    html! {
        if height > 0.0 {
            <tr aria-hidden="true" class="spacer"><td style={format!("height:{height}px")}></td></tr>
        }
    }
}

fn row(ui: &Ui, row: &LogLine, place: u32, now: Option<u32>) -> Html {
    let class = match now {
        Some(now) if place == now => "now",
        Some(now) if place < now => "",
        _ => "plan",
    };
    let current = (class == "now").then_some("true");
    let not_yet = (class == "plan").then(|| ui.word(PageWord::NotYet));
    // A log of thousands of rows must not stand between the keyboard and the rest of the page.
    let is_near = now.is_none_or(|now| place.abs_diff(now) <= NEAR);
    let tabindex = if is_near { "0" } else { "-1" };
    html! {
        <tr key={row.event} {class} role="row" aria-rowindex={(place + 2).to_string()} aria-current={current}>
            <td role="cell" class="c-time num">
                <button type="button" {tabindex} onclick={ui.act(Action::WentToEvent(row.event))}>
                    { format::clock_short(row.at) }
                </button>
                if let Some(word) = not_yet { <span class="visually-hidden">{ word }</span> }
            </td>
            <td role="cell" class="c-who">{ row.who.clone() }</td>
            <td role="cell" class="c-code" data-term={row.term.map(|term| names([term]))}>{ row.code.clone() }</td>
            <td role="cell" class="c-about">{ row.subject.clone() }</td>
            <td role="cell" class="c-why">
                <button type="button" {tabindex} aria-label={why_of(ui, row)} title={why_of(ui, row)}
                    onclick={ui.act(Action::AskedWhy(Some(row.event)))}>{ "?" }</button>
            </td>
            <td role="cell" class="c-result" title={row.result.clone()}>{ row.result.clone() }</td>
            <td role="cell" class="c-source dim">{ row.source }</td>
        </tr>
    }
}

fn why_of(ui: &Ui, row: &LogLine) -> String {
    let sentence = format!("{} {} {}", row.who, row.subject, row.result).into();
    ChainText::WhyOf { sentence }.say(ui.language).into_owned()
}
