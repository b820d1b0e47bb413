//! The text after '#': reading it, following it, writing it.
//!
//! Moments replace the present entry of the history, at most once in 400 ms after the last change;
//! another run makes a new entry (UX 13.4).

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use wasm_bindgen::JsValue;

use crate::app::action::Action;

const QUIET_MS: u32 = 400;

pub fn read() -> String {
    super::document::window().location().hash().unwrap_or_default()
}

/// Back, Forward, a typed address and plain anchors come by here.
pub fn follow(report: impl Fn(Action) + 'static) -> EventListener {
    let window = super::document::window();
    EventListener::new(&window, "hashchange", move |_| report(Action::HashChanged(read())))
}

/// Writes addresses, the last of several that come close together.
#[derive(Clone, Default)]
pub struct HashWriter(Rc<RefCell<Option<(String, Timeout)>>>);

impl HashWriter {
    /// Somebody else has changed the address: what was to be written is out of date.
    pub fn forget(&self) {
        *self.0.borrow_mut() = None;
    }

    pub fn write(&self, text: String, is_new: bool) {
        if is_new {
            self.forget();
            write_now(&text, true);
            return;
        }
        let writer = self.clone();
        let timeout = Timeout::new(QUIET_MS, move || {
            let waiting = writer.0.borrow_mut().take();
            if let Some((text, _)) = waiting {
                write_now(&text, false);
            }
        });
        *self.0.borrow_mut() = Some((text, timeout));
    }
}

fn write_now(text: &str, is_new: bool) {
    let window = super::document::window();
    let address = format!("#{text}");
    if read() == address {
        return;
    }
    let Ok(history) = window.history() else { return };
    let _ = match is_new {
        true => history.push_state_with_url(&JsValue::NULL, "", Some(&address)),
        false => history.replace_state_with_url(&JsValue::NULL, "", Some(&address)),
    };
}
