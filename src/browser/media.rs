//! What media queries and the window say: size, dark, reduced motion, hidden.

use gloo_events::EventListener;
use web_sys::MediaQueryList;

use crate::app::action::{Action, Media};

const DARK: &str = "(prefers-color-scheme: dark)";
const STILL: &str = "(prefers-reduced-motion: reduce)";

pub fn read() -> Media {
    let window = super::document::window();
    let size = |size: Result<wasm_bindgen::JsValue, _>| size.ok().and_then(|it| it.as_f64());
    Media {
        width: size(window.inner_width()).unwrap_or(1280.0),
        height: size(window.inner_height()).unwrap_or(720.0),
        prefers_dark: query(DARK).is_some_and(|it| it.matches()),
        prefers_still: query(STILL).is_some_and(|it| it.matches()),
    }
}

fn query(text: &str) -> Option<MediaQueryList> {
    super::document::window().match_media(text).ok().flatten()
}

/// The languages of this person, best first.
pub fn languages() -> Vec<String> {
    let languages = super::document::window().navigator().languages();
    languages.iter().filter_map(|it| it.as_string()).collect()
}

/// A number by chance, below 2^53: so that two visits differ.
pub fn chance() -> u64 {
    (js_sys::Math::random() * 9_007_199_254_740_992.0) as u64
}

/// Reports every change of the above, and hiding of the tab.
pub fn follow(report: impl Fn(Action) + Clone + 'static) -> Vec<EventListener> {
    let window = super::document::window();
    let document = super::document::document();
    let changed = {
        let report = report.clone();
        move || report(Action::MediaChanged(read()))
    };
    let mut listeners = Vec::new();
    let on_resize = changed.clone();
    listeners.push(EventListener::new(&window, "resize", move |_| on_resize()));
    for list in [DARK, STILL].into_iter().filter_map(query) {
        let changed = changed.clone();
        listeners.push(EventListener::new(&list, "change", move |_| changed()));
    }
    let seen = document.clone();
    let on_hidden = move |_: &web_sys::Event| {
        report(Action::Hidden(seen.visibility_state() == web_sys::VisibilityState::Hidden));
    };
    listeners.push(EventListener::new(&document, "visibilitychange", on_hidden));
    listeners
}
