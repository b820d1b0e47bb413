//! A newer version of the page: `static/boot.js` and `static/worker.js` fetch it and say that it waits; here
//! that becomes an action, and the wish to use it an event.

use gloo_events::EventListener;
use web_sys::Event;

use crate::app::action::Action;

const WAITS: &str = "playground-waits";
const TAKE: &str = "playground-take";

/// Whether one waits already.
pub fn waits() -> bool {
    let root = super::document::document().document_element();
    root.is_some_and(|root| root.has_attribute("data-waits"))
}

pub fn follow(report: impl Fn(Action) + 'static) -> EventListener {
    let window = super::document::window();
    EventListener::new(&window, WAITS, move |_| report(Action::NewVersionWaits))
}

/// Begins anew in the version that waits.
pub fn take() {
    if let Ok(event) = Event::new(TAKE) {
        let _ = super::document::window().dispatch_event(&event);
    }
}
