//! The document as a whole: its language, theme, title and focus.

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement, SvgElement, Window};

/// # Panics
/// Never in a page.
pub fn window() -> Window {
    web_sys::window().expect("the page runs in a window")
}

/// # Panics
/// Never in a page.
pub fn document() -> Document {
    window().document().expect("a window has a document")
}

pub fn element(id: &str) -> Option<Element> {
    document().get_element_by_id(id)
}

/// Language and theme as attributes of the root element; the style sheet reads them.
pub fn dress(language: &str, theme: Option<&str>, title: &str) {
    let document = document();
    document.set_title(title);
    let Some(root) = document.document_element() else { return };
    let _ = root.set_attribute("lang", language);
    let _ = match theme {
        Some(theme) => root.set_attribute("data-theme", theme),
        None => root.remove_attribute("data-theme"),
    };
}

/// Moves the keyboard to an element, and the page to its top.
pub fn focus(id: &str) {
    window().scroll_to_with_x_and_y(0.0, 0.0);
    if let Some(element) = element(id).and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Whether the element that has the keyboard is one of these.
pub fn active_is(selector: &str) -> bool {
    document()
        .active_element()
        .is_some_and(|active| active.closest(selector).ok().flatten().is_some())
}

/// Gives the keyboard back to the page.
pub fn blur() {
    let Some(active) = document().active_element() else { return };
    // A thing of the stage is no HTML.
    let _ = match active.dyn_ref::<SvgElement>() {
        Some(drawn) => drawn.blur(),
        None => active.dyn_into::<HtmlElement>().map_or(Ok(()), |element| element.blur()),
    };
}

/// Before the page is printed its address is written where the printed page shows it.
pub fn write_address_for_print() -> gloo_events::EventListener {
    gloo_events::EventListener::new(&window(), "beforeprint", |_| {
        let address = window().location().href().unwrap_or_default();
        if let Ok(Some(place)) = document().query_selector(".print-only.address") {
            place.set_text_content(Some(&address));
        }
    })
}
