//! Keys of the whole window. Which of them mean something is `app::keys`'s business.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use crate::app::action::Action;
use crate::app::keys::{self, KeyPress};

/// Elements that have a use for letters and arrows of their own.
const FIELDS: &str = "input, textarea, select, [contenteditable=true], [role=slider]";
/// Elements that Space and Enter press.
const PRESSED: &str = "button, a[href], summary, [role=button], [role=tab]";

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
