//! The stage: one SVG, one tab stop, arrow keys inside.

use std::collections::BTreeSet;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use yew::prelude::*;

use super::mark::MarkView;
use crate::scene::frame::{Frame, Mark};
use crate::scene::mark::MarkId;

#[derive(PartialEq, Properties)]
pub struct StageProps {
    pub frame: Rc<Frame>,
    pub selected: Option<MarkId>,
    /// The picture's accessible name, in the page's language.
    pub label: AttrValue,
    pub on_select: Callback<MarkId>,
}

#[component]
pub fn Stage(props: &StageProps) -> Html {
    let svg = use_node_ref();
    // The mark that has, or last had, the keyboard's focus; by what it is, not by its number, since
    // marks come and go.
    let current = use_state(|| None::<MarkId>);
    let has_focus = use_state(|| false);
    let stops = stops(&props.frame);
    let count = stops.len();
    let at = current
        .as_ref()
        .and_then(|id| stops.iter().position(|mark| mark.id.as_ref() == Some(id)))
        .unwrap_or(0);
    let focus_on = {
        let (svg, current) = (svg.clone(), current.clone());
        let ids: Vec<Option<MarkId>> = stops.iter().map(|mark| mark.id.clone()).collect();
        move |stop: usize| {
            if let Some(id) = ids.get(stop).cloned().flatten() {
                current.set(Some(id));
            }
            focus_element(&svg, stop);
        }
    };
    let onkeydown = {
        let on_select = props.on_select.clone();
        let id = stops.get(at).and_then(|mark| mark.id.clone());
        Callback::from(move |event: KeyboardEvent| {
            let next = match event.key().as_str() {
                "ArrowRight" | "ArrowDown" => (at + 1).min(count.saturating_sub(1)),
                "ArrowLeft" | "ArrowUp" => at.saturating_sub(1),
                "Home" => 0,
                "End" => count.saturating_sub(1),
                "Enter" | " " => {
                    event.prevent_default();
                    event.stop_propagation();
                    id.iter().for_each(|id| on_select.emit(id.clone()));
                    return;
                }
                _ => return,
            };
            if event.alt_key() || event.ctrl_key() || event.meta_key() || event.shift_key() {
                return;
            }
            event.prevent_default();
            event.stop_propagation();
            focus_on(next);
        })
    };
    let onfocusin = {
        let has_focus = has_focus.clone();
        Callback::from(move |_: FocusEvent| has_focus.set(true))
    };
    let onfocusout = {
        let has_focus = has_focus.clone();
        Callback::from(move |_: FocusEvent| has_focus.set(false))
    };
    let frame = &props.frame;
    let mut numbers: Vec<Option<usize>> = vec![None; frame.marks.len()];
    for (stop, place) in stop_places(frame).into_iter().enumerate() {
        numbers[place] = Some(stop);
    }
    let marks = frame.marks.iter().enumerate().map(|(place, mark)| {
        let stop = numbers[place];
        let is_current = stop == Some(at);
        html! {
            <MarkView key={key(mark, place)} mark={mark.clone()} {stop} is_tab_stop={is_current}
                has_focus={is_current && *has_focus}
                is_selected={mark.id.is_some() && mark.id == props.selected && stop.is_some()}
                on_select={props.on_select.clone()} />
        }
    });
    let view_box = format!("0 0 {} {}", frame.width, frame.height);
    html! {
        <svg ref={svg} class="stage-svg" viewBox={view_box} role="group"
            aria-label={props.label.clone()} {onkeydown} {onfocusin} {onfocusout}>
            { for marks }
        </svg>
    }
}

/// Places of the marks that the keyboard reaches: the first that carries a name for each thing.
fn stop_places(frame: &Frame) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let named = |mark: &Mark| mark.id.clone().filter(|_| !mark.name.is_empty());
    let marks = frame.marks.iter().enumerate();
    marks
        .filter(|(_, mark)| named(mark).is_some_and(|id| seen.insert(id)))
        .map(|(place, _)| place)
        .collect()
}

fn stops(frame: &Frame) -> Vec<&Rc<Mark>> {
    stop_places(frame).into_iter().map(|place| &frame.marks[place]).collect()
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
