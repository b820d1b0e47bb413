//! The document as a whole: its language, theme, title and focus.

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement, Window};

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
