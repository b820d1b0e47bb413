//! Copying the address of the moment, and texts.

use js_sys::Reflect;
use wasm_bindgen::prelude::*;

use crate::app::action::{Action, Done, Failure};

/// Copies the page's address with this fragment and reports how that went.
pub fn copy_link(hash: &str, report: impl Fn(Action) + 'static) {
    let location = super::document::window().location();
    let base = location.href().unwrap_or_default();
    let address = format!("{}#{hash}", base.split('#').next().unwrap_or_default());
    copy(&address, Done::Copied, report);
}

/// Copies a text and reports how that went.
pub fn copy_text(text: &str, report: impl Fn(Action) + 'static) {
    copy(text, Done::CopiedText, report);
}

fn copy(text: &str, done: Done, report: impl Fn(Action) + 'static) {
    let window = super::document::window();
    let navigator = window.navigator();
    // Absent where the page is not served securely.
    let is_there = Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|it| it.is_object());
    if !is_there {
        report(Action::EffectFailed(Failure::Copy));
        return;
    }
    let report = std::rc::Rc::new(report);
    let failed = report.clone();
    let on_done = Closure::once_into_js(move |_: JsValue| report(Action::EffectDone(done)));
    let on_failed =
        Closure::once_into_js(move |_: JsValue| failed(Action::EffectFailed(Failure::Copy)));
    let promise: JsValue = navigator.clipboard().write_text(text).into();
    // Called by name: one of the two closures is never called, and is dropped with the promise.
    let then = Reflect::get(&promise, &"then".into()).unwrap_or_default();
    if let Some(then) = then.dyn_ref::<js_sys::Function>() {
        let _ = then.call2(&promise, &on_done, &on_failed);
    }
}
