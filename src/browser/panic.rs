//! Our own mistake: `static/boot.js` shows the crash page, with the address of the run, which is a complete
//! report. Told by an event of the document alone, since nothing else can be relied on any more.

use std::panic::PanicHookInfo;

use wasm_bindgen::JsValue;
use web_sys::{CustomEvent, CustomEventInit};

/// The event; its detail is what went wrong.
const CRASH: &str = "playground-crash";

/// What the page does when it panics.
pub fn hook(info: &PanicHookInfo<'_>) {
    console_error_panic_hook::hook(info);
    tell(info);
}

fn tell(info: &PanicHookInfo<'_>) {
    let Some(window) = web_sys::window() else { return };
    let init = CustomEventInit::new();
    init.set_detail(&JsValue::from_str(&info.to_string()));
    if let Ok(event) = CustomEvent::new_with_event_init_dict(CRASH, &init) {
        let _ = window.dispatch_event(&event);
    }
}
