//! The stage: one SVG, one tab stop, arrow keys inside.

use std::collections::BTreeSet;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use yew::prelude::*;

use super::mark::MarkView;
use crate::model::order;
use crate::scene::frame::{Frame, Mark};
use crate::scene::mark::MarkId;
use crate::text::Language;

#[derive(PartialEq, Properties)]
pub struct StageProps {
    pub frame: Rc<Frame>,
    pub selected: Option<MarkId>,
    /// What a row of the why-chain is about.
    #[prop_or_default]
    pub lit: Rc<BTreeSet<MarkId>>,
    /// The picture's accessible name, in the page's language.
    pub label: AttrValue,
    pub language: Language,
    pub on_select: Callback<MarkId>,
}

#[component]
pub fn Stage(props: &StageProps) -> Html {
    let frame = &props.frame;
    let roving = use_roving(frame, props.on_select.clone());
    let mut stops: Vec<Option<usize>> = vec![None; frame.marks.len()];
    for (stop, place) in stop_places(frame).into_iter().enumerate() {
        stops[place] = Some(stop);
    }
    let (moving, standing): (Vec<_>, Vec<_>) =
        frame.marks.iter().enumerate().partition(|(_, mark)| mark.moves);
    let marks = standing.into_iter().map(|(place, mark)| {
        let stop = stops[place];
        let is_current = stop == Some(roving.at);
        html! {
            <MarkView key={key(mark, place)} mark={mark.clone()} {stop} is_tab_stop={is_current}
                has_focus={is_current && roving.has_focus}
                is_lit={stop.is_some() && mark.id.as_ref().is_some_and(|id| props.lit.contains(id))}
                is_selected={mark.id.is_some() && mark.id == props.selected && stop.is_some()}
                language={props.language} on_select={props.on_select.clone()} />
        }
    });
    let view_box = format!("0 0 {} {}", frame.width, frame.height);
    html! {
        <>
            <svg ref={roving.svg} class="stage-svg" viewBox={view_box.clone()} role="group"
                aria-label={props.label.clone()} onkeydown={roving.onkeydown}
                onfocusin={roving.onfocusin} onfocusout={roving.onfocusout}>
                { for marks }
            </svg>
            if !moving.is_empty() { { over(props, &view_box, &moving) } }
        </>
    }
}

/// What is on its way has a picture of its own above the one that stands, so that a frame paints only
/// that.
fn over(props: &StageProps, view_box: &str, moving: &[(usize, &Rc<Mark>)]) -> Html {
    let marks = moving.iter().map(|(place, mark)| {
        html! {
            <MarkView key={key(mark, *place)} mark={(*mark).clone()} stop={None::<usize>} is_tab_stop={false}
                has_focus={false} is_lit={false} is_selected={false} language={props.language}
                on_select={props.on_select.clone()} />
        }
    });
    html! {
        <svg class="moving-svg" viewBox={view_box.to_owned()} aria-hidden="true">{ for marks }</svg>
    }
}

/// One tab stop for the whole picture; the arrow keys walk over its marks.
struct Roving {
    svg: NodeRef,
    /// The stop that has, or last had, the focus.
    at: usize,
    has_focus: bool,
    onkeydown: Callback<KeyboardEvent>,
    onfocusin: Callback<FocusEvent>,
    onfocusout: Callback<FocusEvent>,
}

#[hook]
fn use_roving(frame: &Rc<Frame>, on_select: Callback<MarkId>) -> Roving {
    let svg = use_node_ref();
    // By what it is, not by its number, since marks come and go.
    let current = use_state(|| None::<MarkId>);
    let has_focus = use_state(|| false);
    let ids: Vec<MarkId> =
        stop_places(frame).into_iter().filter_map(|place| frame.marks[place].id.clone()).collect();
    let known = current.as_ref().and_then(|id| ids.iter().position(|known| known == id));
    let at = known.unwrap_or(0);
    let onfocusin = {
        let (has_focus, current, ids) = (has_focus.clone(), current.clone(), ids.clone());
        Callback::from(move |event: FocusEvent| {
            // A click or a finger may put the focus on any mark.
            if let Some(id) = focused_stop(&event).and_then(|stop| ids.get(stop)) {
                current.set(Some(id.clone()));
            }
            has_focus.set(true);
        })
    };
    let onfocusout = {
        let has_focus = has_focus.clone();
        Callback::from(move |_: FocusEvent| has_focus.set(false))
    };
    let onkeydown = {
        let svg = svg.clone();
        Callback::from(move |event: KeyboardEvent| match stroke(&event, at, ids.len()) {
            None => {}
            Some(Stroke::Select) => {
                event.prevent_default();
                event.stop_propagation();
                ids.get(at).into_iter().for_each(|id| on_select.emit(id.clone()));
            }
            Some(Stroke::Focus(stop)) => {
                event.prevent_default();
                event.stop_propagation();
                focus_element(&svg, stop);
            }
        })
    };
    Roving { svg, at, has_focus: *has_focus, onkeydown, onfocusin, onfocusout }
}

enum Stroke {
    Focus(usize),
    Select,
}

fn stroke(event: &KeyboardEvent, at: usize, count: usize) -> Option<Stroke> {
    if event.alt_key() || event.ctrl_key() || event.meta_key() || event.shift_key() {
        return None;
    }
    let last = count.checked_sub(1)?;
    match event.key().as_str() {
        "ArrowRight" | "ArrowDown" => Some(Stroke::Focus((at + 1).min(last))),
        "ArrowLeft" | "ArrowUp" => Some(Stroke::Focus(at.saturating_sub(1))),
        "Home" => Some(Stroke::Focus(0)),
        "End" => Some(Stroke::Focus(last)),
        "Enter" | " " => Some(Stroke::Select),
        _ => None,
    }
}

/// The number of the stop that an event comes from.
fn focused_stop(event: &FocusEvent) -> Option<usize> {
    let target = event.target()?.dyn_into::<web_sys::Element>().ok()?;
    let mark = target.closest("[data-stop]").ok().flatten()?;
    mark.get_attribute("data-stop")?.parse().ok()
}

/// Places of the marks that the keyboard reaches: the first that carries a name for each thing.
fn stop_places(frame: &Frame) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let named = |mark: &Mark| mark.id.clone().filter(|_| !mark.name.is_empty() && !mark.moves);
    let mut marks: Vec<(usize, &Rc<Mark>)> = frame.marks.iter().enumerate().collect();
    order::sort_by_key(&mut marks, |(_, mark)| mark.turn);
    marks.retain(|(_, mark)| named(mark).is_some_and(|id| seen.insert(id)));
    marks.into_iter().map(|(place, _)| place).collect()
}

/// Moving marks keep their nodes by what they are, the others by their place in the drawing.
fn key(mark: &Mark, place: usize) -> String {
    match &mark.token {
        Some(token) => format!("{token:?}"),
        None => format!("#{place}"),
    }
}

fn focus_element(svg: &NodeRef, stop: usize) {
    let Some(svg) = svg.cast::<web_sys::Element>() else { return };
    let found = svg.query_selector(&format!("[data-stop='{stop}']")).ok().flatten();
    if let Some(element) = found.and_then(|found| found.dyn_into::<web_sys::SvgElement>().ok()) {
        let _ = element.focus();
    }
}
