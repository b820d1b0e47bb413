//! Keys of the whole window. Which of them mean something is `app::keys`'s business.

use std::cell::Cell;
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};

use crate::app::action::Action;
use crate::app::keys::{self, KeyPress};

/// Elements that have a use for letters and arrows of their own.
///
/// The time bar has none: its arrows are the page's, one told step each.
const FIELDS: &str =
    "input:not([data-time]), textarea, select, [contenteditable=true], [role=slider]";
/// Elements that Space and Enter press.
const PRESSED: &str = "button, a[href], summary, [role=button], [role=tab]";

/// What a pointer presses without meaning to type into it.
const POINTED: &str = "button, a[href], summary, [role=button], [role=tab], [data-time]";

/// What a pointer presses does not keep the keyboard: after a click on a tab or on a thing of the stage arrows,
/// Home and Space still move time. Whoever walks by Tab keeps what they reached.
pub fn leave_to_time() -> Vec<EventListener> {
    let window = super::document::window();
    let by_pointer = Rc::new(Cell::new(false));
    let options = EventListenerOptions::run_in_capture_phase();
    let pressed = {
        let by_pointer = by_pointer.clone();
        EventListener::new_with_options(&window, "pointerdown", options, move |_| {
            by_pointer.set(true);
        })
    };
    let typed = {
        let by_pointer = by_pointer.clone();
        EventListener::new_with_options(&window, "keydown", options, move |_| by_pointer.set(false))
    };
    let done = |event: &Event, selector: &str| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let meant = target.and_then(|it| it.closest(selector).ok().flatten());
        if meant.is_some() && super::document::active_is(selector) {
            super::document::blur();
        }
    };
    let clicked = {
        let by_pointer = by_pointer.clone();
        EventListener::new_with_options(&window, "click", options, move |event| {
            if by_pointer.get() {
                done(event, POINTED);
            }
        })
    };
    let chosen = EventListener::new_with_options(&window, "change", options, move |event| {
        if by_pointer.get() {
            done(event, "select, input[type=checkbox]");
        }
    });
    vec![pressed, typed, clicked, chosen]
}

pub fn follow(report: impl Fn(Action) + 'static) -> EventListener {
    let window = super::document::window();
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&window, "keydown", options, move |event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        let press = press(event);
        if event.default_prevented() || keys::deed(&press, true).is_none() {
            return;
        }
        event.prevent_default();
        report(Action::PressedKey(press));
    })
}

fn press(event: &KeyboardEvent) -> KeyPress {
    let key = event.key();
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_in =
        |selector| target.as_ref().is_some_and(|it| it.closest(selector).ok().flatten().is_some());
    let in_field = is_in(FIELDS) || (matches!(key.as_str(), " " | "Enter") && is_in(PRESSED));
    KeyPress {
        in_field,
        shift: event.shift_key(),
        ctrl: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        key,
    }
}
