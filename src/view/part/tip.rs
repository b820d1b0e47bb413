//! What a thing is, told beside it on hover and keyboard focus: whatever carries `data-term` names its terms
//! there, and `data-tip` is a sentence of its own. A finger has no hover; what it touches opens the inspector, which begins with the same.

use wasm_bindgen::JsCast;
use yew::prelude::*;

use crate::text::{Language, Term};

/// The tip is at most so wide, px; the style sheet has the same.
const WIDTH: i32 = 320;

/// What has something to tell.
const MARKED: &str = "[data-term], [data-tip]";

/// What `data-term` says for these terms: their names with blanks between.
pub fn names(terms: impl IntoIterator<Item = Term>) -> AttrValue {
    let names: Vec<String> = terms.into_iter().map(|term| format!("{term:?}")).collect();
    AttrValue::from(names.join(" "))
}

#[derive(Clone, Debug, PartialEq)]
struct Shown {
    terms: Vec<Term>,
    sentence: Option<String>,
    style: String,
}

#[derive(PartialEq, Properties)]
pub struct TipsProps {
    pub language: Language,
    pub children: Html,
}

/// Its children, and over them the tip of whatever the pointer or the focus is on.
#[component]
pub fn Tips(props: &TipsProps) -> Html {
    let shown = use_state_eq(|| None::<Shown>);
    let onpointerover = {
        let shown = shown.clone();
        Callback::from(move |event: PointerEvent| {
            let is_mouse = event.pointer_type() == "mouse";
            shown.set(event.target().filter(|_| is_mouse).and_then(|target| beside(&target)));
        })
    };
    let onfocusin = {
        let shown = shown.clone();
        Callback::from(move |event: FocusEvent| {
            let target = event.target().filter(by_keyboard);
            shown.set(target.and_then(|target| beside(&target)));
        })
    };
    let hide = {
        let shown = shown.clone();
        move || shown.set(None)
    };
    let onpointerleave = Callback::from({
        let hide = hide.clone();
        move |_: PointerEvent| hide()
    });
    let onpointerdown = Callback::from({
        let hide = hide.clone();
        move |_: PointerEvent| hide()
    });
    let onfocusout = Callback::from({
        let hide = hide.clone();
        move |_: FocusEvent| hide()
    });
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            hide();
        }
    });
    html! {
        <div class="tips" {onpointerover} {onpointerleave} {onpointerdown} {onfocusin} {onfocusout}
            {onkeydown}>
            { props.children.clone() }
            if let Some(shown) = &*shown {
                <div class="tip" style={shown.style.clone()} aria-hidden="true">
                    if let Some(sentence) = &shown.sentence { <p>{ sentence.clone() }</p> }
                    { for shown.terms.iter().map(|term| one(props.language, *term)) }
                </div>
            }
        </div>
    }
}

fn one(language: Language, term: Term) -> Html {
    html! {
        <p>
            <b>{ term.word(language) }</b>
            if let Some(class) = term.class() { <code>{ class }</code> }
            <span>{ term.what_it_is(language) }</span>
        </p>
    }
}

/// A click puts the focus on a thing, too; only who walks there by keyboard is told.
fn by_keyboard(target: &web_sys::EventTarget) -> bool {
    let element = target.dyn_ref::<web_sys::Element>();
    element.is_some_and(|element| element.matches(":focus-visible").unwrap_or(false))
}

/// The tip of the closest thing that has one: under it, above it where there is no room.
fn beside(target: &web_sys::EventTarget) -> Option<Shown> {
    let element = target.dyn_ref::<web_sys::Element>()?.closest(MARKED).ok().flatten()?;
    let names = element.get_attribute("data-term").unwrap_or_default();
    let sentence = element.get_attribute("data-tip");
    let terms: Vec<Term> = names.split(' ').filter_map(named).collect();
    let page = element.owner_document()?.document_element()?;
    let at = element.get_bounding_client_rect();
    let left = (at.left() as i32).min(page.client_width() - WIDTH - 8).max(8);
    let height = page.client_height();
    let style = match at.bottom() as i32 > height * 3 / 5 {
        true => format!("left:{left}px;bottom:{}px", height - at.top() as i32 + 8),
        false => format!("left:{left}px;top:{}px", at.bottom() as i32 + 8),
    };
    (!terms.is_empty() || sentence.is_some()).then_some(Shown { terms, sentence, style })
}

fn named(name: &str) -> Option<Term> {
    Term::ALL.iter().copied().find(|term| format!("{term:?}") == name)
}
