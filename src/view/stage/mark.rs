//! One mark: a group that moves as a whole, can be pointed at and be reached by keyboard.

use std::rc::Rc;

use yew::prelude::*;

use super::shape::shape;
use crate::scene::draw::state_word;
use crate::scene::frame::Mark;
use crate::scene::mark::MarkId;
use crate::scene::svg::{classes, number, transform};
use crate::text::Language;
use crate::view::part::names;

#[derive(Properties)]
pub struct MarkViewProps {
    pub mark: Rc<Mark>,
    /// Its number among the marks that the keyboard reaches.
    pub stop: Option<usize>,
    /// The one of them that Tab comes to.
    pub is_tab_stop: bool,
    pub has_focus: bool,
    pub is_selected: bool,
    pub is_lit: bool,
    pub language: Language,
    pub on_select: Callback<MarkId>,
}

/// What is drawn decides. A click says the same each time, though the callback is made anew with each
/// frame; and what did not change is the same mark, so that most are not even looked into.
impl PartialEq for MarkViewProps {
    fn eq(&self, other: &MarkViewProps) -> bool {
        let of = |it: &MarkViewProps| {
            (it.stop, it.is_tab_stop, it.has_focus, it.is_selected, it.is_lit, it.language)
        };
        of(self) == of(other) && (Rc::ptr_eq(&self.mark, &other.mark) || self.mark == other.mark)
    }
}

#[component]
pub fn MarkView(props: &MarkViewProps) -> Html {
    let mark = &props.mark;
    let (transform, class) = (transform(mark), classes(mark));
    let Some(id) = mark.id.clone() else {
        let (hidden, data_term) = (mark.term.map(|_| "true"), mark.term.map(|term| names([term])));
        return html! {
            <g {transform} {class} data-term={data_term} aria-hidden={hidden}>
                { for mark.shapes.iter().map(shape) }
            </g>
        };
    };
    let onclick = props.on_select.reform(move |event: MouseEvent| {
        event.stop_propagation();
        id.clone()
    });
    let state = mark.state.map(|state| state.name());
    let data_term = terms(mark);
    let Some(stop) = props.stop else {
        return html! {
            <g {transform} {class} data-state={state} data-term={data_term} aria-hidden="true"
                {onclick}>
                { for mark.shapes.iter().map(shape) }
            </g>
        };
    };
    html! {
        <g {transform} {class} data-state={state} data-stop={stop.to_string()} role="button"
            data-term={data_term} aria-description={mark.term.map(|term| term.what_it_is(props.language))}
            aria-label={mark.name.clone()} aria-pressed={props.is_selected.to_string()}
            tabindex={if props.is_tab_stop { "0" } else { "-1" }} {onclick}>
            { ground(mark) }
            { for mark.shapes.iter().map(shape) }
            { ring(mark, props) }
        </g>
    }
}

/// The terms of what it is, and of the state it is in.
fn terms(mark: &Mark) -> AttrValue {
    names(mark.term.into_iter().chain(mark.state.map(|state| state_word(state).term())))
}

/// What a finger may hit, also where nothing is drawn.
fn ground(mark: &Mark) -> Html {
    let area = mark.area;
    html! {
        <rect x={number(area.x)} y={number(area.y)} width={number(area.width)}
            height={number(area.height)} class="bare" />
    }
}

/// Two-tone rings: focus comes and goes, the selection stays; a band while a cause is pointed at.
fn ring(mark: &Mark, props: &MarkViewProps) -> Html {
    let MarkViewProps { has_focus, is_selected, is_lit, .. } = *props;
    // A selected message lies under the marker wherever it was and is: a ring around one of its
    // stations would say less.
    let is_selected = is_selected && !matches!(mark.id, Some(MarkId::Message(_)));
    let area = mark.area.inset(-4.0);
    let one = |class: &'static str| {
        html! {
            <rect x={number(area.x)} y={number(area.y)} width={number(area.width)}
                height={number(area.height)} {class} />
        }
    };
    html! {
        <>
            if is_lit { { one("lit-out") } { one("lit") } }
            if is_selected { { one("selected-out") } { one("selected") } }
            if has_focus { { one("focus-out") } { one("focus") } }
        </>
    }
}
