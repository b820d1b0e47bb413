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

const COLUMNS: [&str; 7] =
    ["c-time", "c-who", "c-code", "c-about", "c-why", "c-result", "c-source"];

/// The two columns that can be pressed, in the order of the arrow keys.
const PRESSED: [&str; 2] = ["time", "why"];

#[component]
pub fn LogTable(props: &LogTableProps) -> Html {
    let LogTableProps { ui, log, .. } = props;
    let row_px = props.row_px;
    let scroll = use_node_ref();
    let walk = use_walk(&scroll, log, row_px);
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
        <div class="scroll" ref={scroll} {onscroll} onkeydown={walk.onkeydown} onfocusin={walk.onfocusin}
            role="region" aria-label={ui.word(PageWord::Log)}>
            if log.total == 0 { <p class="dim empty">{ ui.word(PageWord::LogEmpty) }</p> }
            <table class="log" role="table" aria-rowcount={(log.total + 1).to_string()}>
                <colgroup>
                    { for COLUMNS.map(|class| html! { <col {class} /> }) }
                </colgroup>
                { head(ui) }
                <tbody>
                    { spacer(before) }
                    { for log.rows.iter().enumerate().map(|(at, one)| {
                        row(ui, one, log.first + at as u32, log.now, walk.stop)
                    }) }
                    { spacer(after) }
                </tbody>
            </table>
        </div>
    }
}

/// The log is one stop for Tab; arrows walk over its rows and between a row's two buttons.
struct Walk {
    /// The row and the column that Tab comes to.
    stop: (u32, usize),
    onkeydown: Callback<KeyboardEvent>,
    onfocusin: Callback<FocusEvent>,
}

#[hook]
fn use_walk(scroll: &NodeRef, log: &Shared<LogShown>, row_px: f64) -> Walk {
    let last = use_state(|| None::<(u32, usize)>);
    // A row that is not in the document yet gets the focus as soon as it is.
    let wanted = use_mut_ref(|| None::<(u32, usize)>);
    let is_there =
        |(row, _): &(u32, usize)| *row >= log.first && *row < log.first + log.rows.len() as u32;
    let stop = last.filter(is_there).unwrap_or((log.now.unwrap_or(log.first).max(log.first), 0));
    {
        let (scroll, wanted) = (scroll.clone(), wanted.clone());
        use_effect(move || {
            let mut wanted = wanted.borrow_mut();
            if wanted.is_some_and(|stop| focus(&scroll, stop)) {
                *wanted = None;
            }
        });
    }
    let onfocusin = {
        let last = last.clone();
        Callback::from(move |event: FocusEvent| {
            if let Some(stop) = event.target().and_then(|target| stop_of(&target)) {
                last.set(Some(stop));
            }
        })
    };
    let onkeydown = {
        let (scroll, total) = (scroll.clone(), log.total);
        Callback::from(move |event: KeyboardEvent| {
            let Some(stop) = event.target().and_then(|target| stop_of(&target)) else { return };
            let Some(to) = walked(&event, stop, total) else { return };
            event.prevent_default();
            event.stop_propagation();
            if !focus(&scroll, to) {
                *wanted.borrow_mut() = Some(to);
                if let Some(element) = scroll.cast::<web_sys::Element>() {
                    element.set_scroll_top((f64::from(to.0) * row_px) as i32);
                }
            }
        })
    };
    Walk { stop, onkeydown, onfocusin }
}

/// Rows that Page Up and Page Down pass.
const PAGE: u32 = 10;

fn walked(event: &KeyboardEvent, (row, column): (u32, usize), total: u32) -> Option<(u32, usize)> {
    if event.alt_key() || event.ctrl_key() || event.meta_key() || event.shift_key() {
        return None;
    }
    let last = total.checked_sub(1)?;
    Some(match event.key().as_str() {
        "ArrowDown" => ((row + 1).min(last), column),
        "ArrowUp" => (row.saturating_sub(1), column),
        "PageDown" => ((row + PAGE).min(last), column),
        "PageUp" => (row.saturating_sub(PAGE), column),
        "ArrowRight" => (row, (column + 1).min(PRESSED.len() - 1)),
        "ArrowLeft" => (row, column.saturating_sub(1)),
        "Home" => (0, column),
        "End" => (last, column),
        _ => return None,
    })
}

/// Which row and column a button of the log stands in.
fn stop_of(target: &web_sys::EventTarget) -> Option<(u32, usize)> {
    let button = target.dyn_ref::<web_sys::Element>()?;
    let row = button.get_attribute("data-row")?.parse().ok()?;
    let column = button.get_attribute("data-column")?;
    Some((row, PRESSED.iter().position(|known| *known == column)?))
}

/// Gives a button the focus and says whether it is in the document.
fn focus(scroll: &NodeRef, (row, column): (u32, usize)) -> bool {
    let Some(table) = scroll.cast::<web_sys::Element>() else { return false };
    let selector = format!("[data-row='{row}'][data-column='{}']", PRESSED[column]);
    let found = table.query_selector(&selector).ok().flatten();
    let found = found.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    found.is_some_and(|button| button.focus().is_ok())
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

fn row(ui: &Ui, row: &LogLine, place: u32, now: Option<u32>, stop: (u32, usize)) -> Html {
    let class = match now {
        Some(now) if place == now => "now",
        Some(now) if place < now => "",
        _ => "plan",
    };
    let current = (class == "now").then_some("true");
    let not_yet = (class == "plan").then(|| ui.word(PageWord::NotYet));
    let tabindex = |column: usize| if stop == (place, column) { "0" } else { "-1" };
    let number = place.to_string();
    html! {
        <tr key={row.event} {class} role="row" aria-rowindex={(place + 2).to_string()} aria-current={current}>
            <td role="cell" class="c-time num">
                <button type="button" data-row={number.clone()} data-column={PRESSED[0]} tabindex={tabindex(0)}
                    onclick={ui.act(Action::WentToEvent(row.event))}>
                    { format::clock_short(row.at) }
                </button>
                if let Some(word) = not_yet { <span class="visually-hidden">{ word }</span> }
            </td>
            <td role="cell" class="c-who">{ row.who.clone() }</td>
            <td role="cell" class="c-code" data-term={row.term.map(|term| names([term]))}>{ row.code.clone() }</td>
            <td role="cell" class="c-about">{ row.subject.clone() }</td>
            <td role="cell" class="c-why">
                <button type="button" data-row={number} data-column={PRESSED[1]} tabindex={tabindex(1)}
                    aria-label={why_of(ui, row)} title={why_of(ui, row)}
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
