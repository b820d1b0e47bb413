//! The sequence view: lifelines from the left to the right, time from the top down, drawn as one SVG that
//! scrolls; each row leads to its event.

use wasm_bindgen::JsCast;
use yew::prelude::*;

use super::chart::{Room, use_room};
use super::part::{Shared, Ui};
use crate::app::action::Action;
use crate::app::shown::SequenceShown;
use crate::scene::geometry::{Font, text_width};
use crate::scene::sequence::ArrowKind;
use crate::scene::sequence::place::{MARGIN, Placed, PlacedRow, Shape, place};
use crate::text::sequence::SequenceText;

#[derive(PartialEq, Properties)]
pub struct SequenceProps {
    pub ui: Ui,
    pub sequence: Shared<SequenceShown>,
    /// Changes when the room does.
    pub room: Room,
}

/// The height of the names' row, px for each line.
const HEAD: f64 = 22.0;

#[component]
pub fn SequenceView(props: &SequenceProps) -> Html {
    let SequenceProps { ui, sequence, .. } = props;
    let scroll = use_node_ref();
    let room = use_room(&scroll);
    let placed =
        use_memo((sequence.clone(), room.0, ui.language), |(sequence, width, language)| {
            place(&sequence.sequence, f64::from(*width) - 18.0, *language)
        });
    {
        let (scroll, placed) = (scroll.clone(), placed.clone());
        use_effect_with((sequence.clone(), room), move |_| {
            let element = scroll.cast::<web_sys::Element>();
            let row = placed.now.and_then(|now| placed.rows.get(now));
            if let (Some(element), Some(row)) = (element, row) {
                let room = f64::from(element.client_height());
                element.set_scroll_top((row.top + row.height + HEAD - room * 0.6).max(0.0) as i32);
            }
        });
    }
    let label = AttrValue::from(SequenceText::Sequence.say(ui.language));
    if placed.rows.is_empty() {
        return html! {
            <div class="scroll" ref={scroll}>
                <p class="dim empty">{ SequenceText::Nothing.say(ui.language) }</p>
            </div>
        };
    }
    let onkeydown = walk(&scroll);
    html! {
        <div class="scroll sequence" ref={scroll} role="region" aria-label={label.clone()} {onkeydown}>
            { heads(&placed) }
            <svg class="sequence-svg" width={number(placed.width)} height={number(placed.height)}
                role="group" aria-label={label}>
                { for placed.lifelines.iter().map(|x| line(*x, placed.height)) }
                { for placed.rows.iter().enumerate().map(|(at, one)| {
                    row(ui, &placed, at, one)
                }) }
            </svg>
        </div>
    }
}

/// The names of the lifelines stay in sight while the rest scrolls.
fn heads(placed: &Placed) -> Html {
    let lines = placed.heads.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let head = |(x, lines): (&f64, &Vec<String>)| {
        html! {
            <text text-anchor="middle" class="seq-head">
                { for lines.iter().enumerate().map(|(at, words)| html! {
                    <tspan x={number(*x)} y={number(HEAD * (at as f64 + 1.0) - 6.0)}>{ words.clone() }</tspan>
                }) }
            </text>
        }
    };
    html! {
        <svg class="sequence-heads" width={number(placed.width)} height={number(HEAD * lines + 4.0)}>
            { for placed.lifelines.iter().zip(&placed.heads).map(head) }
        </svg>
    }
}

fn line(x: f64, height: f64) -> Html {
    html! { <path d={format!("M{x:.0} 0V{height:.0}")} class="seq-life" /> }
}

fn row(ui: &Ui, placed: &Placed, at: usize, row: &PlacedRow) -> Html {
    let is_now = placed.now == Some(at);
    let class = match placed.now {
        Some(now) if at > now => "seq-row plan",
        _ if is_now => "seq-row now",
        _ => "seq-row",
    };
    let body = html! {
        <>
            if is_now {
                <rect x="0" y={number(row.top)} width={number(placed.width)} height={number(row.height)} class="seq-now" />
            }
            <text x="12" y={number(row.top + row.height / 2.0 + 5.0)} class="seq-time num">{ row.moment.clone() }</text>
            { shape(placed, row) }
        </>
    };
    let Some(event) = row.event else {
        return html! { <g {class} role="img" aria-label={row.name.clone()}>{ body }</g> };
    };
    let tab_stop = placed.now.unwrap_or(0);
    html! {
        <g {class} role="button" aria-label={row.name.clone()} data-row={at.to_string()}
            aria-current={is_now.then_some("true")}
            tabindex={if at == tab_stop { "0" } else { "-1" }}
            onclick={ui.act(Action::WentToEvent(event))} onkeydown={enter(ui, event)}>
            <title>{ row.name.clone() }</title>
            <rect x="0" y={number(row.top)} width={number(placed.width)} height={number(row.height)} class="bare" />
            { body }
        </g>
    }
}

/// Enter and the blank choose the row.
fn enter(ui: &Ui, event: u32) -> Callback<KeyboardEvent> {
    let on = ui.on.clone();
    Callback::from(move |press: KeyboardEvent| {
        if matches!(press.key().as_str(), "Enter" | " ") {
            press.prevent_default();
            press.stop_propagation();
            on.emit(Action::WentToEvent(event));
        }
    })
}

fn shape(placed: &Placed, row: &PlacedRow) -> Html {
    let widest = row.lines.iter().map(|line| width(line)).fold(0.0, f64::max);
    let height = 20.0 * row.lines.len() as f64;
    match row.shape {
        Shape::Arrow { from, to, kind } => {
            let y = row.top + row.height - 9.0;
            let way = if to > from { 1.0 } else { -1.0 };
            let class = if kind == ArrowKind::Answer { "seq-arrow answer" } else { "seq-arrow" };
            let end = if kind == ArrowKind::Lost { f64::midpoint(from, to) } else { to };
            let tip = match kind {
                ArrowKind::Lost => format!("M{:.0} {:.0}l12 12m0 -12l-12 12", end - 6.0, y - 6.0),
                _ => format!("M{end:.0} {y:.0}l{:.0} -6v12z", -10.0 * way),
            };
            let tip_class = if kind == ArrowKind::Lost { "seq-arrow" } else { "seq-tip" };
            html! {
                <>
                    <path d={format!("M{from:.0} {y:.0}H{end:.0}")} {class} />
                    <path d={tip} class={tip_class} />
                    { words(row, row.top + 16.0, Some((widest, height, row.top + 2.0, "seq-ground"))) }
                </>
            }
        }
        Shape::Note => html! {
            words(row, row.top + 20.0, Some((widest, height + 4.0, row.top + 4.0, "seq-note")))
        },
        Shape::Bar { from, to } => html! {
            <>
                <path d={format!("M{from:.0} {0:.0}H{to:.0}", row.top + row.height / 2.0)} class="seq-bar" />
                { words(row, row.top + 20.0, Some((widest, height + 4.0, row.top + 4.0, "seq-plate"))) }
            </>
        },
        Shape::Cut => {
            let y = row.top + row.height / 2.0;
            let right = placed.width - 12.0;
            html! {
                <>
                    <rect x={number(MARGIN)} y={number(y - 12.0)} width={number(right - MARGIN)} height="24" class="seq-cut" />
                    { words(row, y + 6.0, Some((widest, 22.0, y - 11.0, "seq-ground"))) }
                </>
            }
        }
    }
}

/// Lines around the row's middle, on a ground of their own: its width, height, top and class.
fn words(row: &PlacedRow, first: f64, ground: Option<(f64, f64, f64, &'static str)>) -> Html {
    html! {
        <>
            if let Some((wide, high, top, class)) = ground {
                <rect x={number(row.middle - wide / 2.0 - 8.0)} y={number(top)}
                    width={number(wide + 16.0)} height={number(high)} {class} />
            }
            <text text-anchor="middle" class="seq-words">
                { for row.lines.iter().enumerate().map(|(at, line)| html! {
                    <tspan x={number(row.middle)} y={number(first + 20.0 * at as f64)}>{ line.clone() }</tspan>
                }) }
            </text>
        </>
    }
}

fn width(words: &str) -> f64 {
    text_width(words, Font::Note)
}

fn number(value: f64) -> String {
    format!("{value:.0}")
}

/// Arrows up and down walk over the rows.
fn walk(scroll: &NodeRef) -> Callback<KeyboardEvent> {
    let scroll = scroll.clone();
    Callback::from(move |event: KeyboardEvent| {
        let Some(target) = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok())
        else {
            return;
        };
        let at = target.get_attribute("data-row").and_then(|row| row.parse::<i32>().ok());
        let Some(at) = at else { return };
        let step = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => -1,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        let Some(root) = scroll.cast::<web_sys::Element>() else { return };
        // A cut lies between two rows now and then.
        for place in [at + step, at + 2 * step] {
            let found = root.query_selector(&format!("[data-row='{place}']")).ok().flatten();
            if let Some(row) = found.and_then(|it| it.dyn_into::<web_sys::SvgElement>().ok()) {
                let _ = row.focus();
                return;
            }
        }
    })
}
