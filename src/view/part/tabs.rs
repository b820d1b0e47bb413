//! Tabs: one stop for Tab, arrows inside, the panel named by its tab.

use wasm_bindgen::JsCast;
use yew::prelude::*;

#[derive(Clone, PartialEq)]
pub struct Tab {
    /// Unique on the page; the panel's id is `{id}-panel`.
    pub id: &'static str,
    pub label: AttrValue,
    pub is_selected: bool,
    pub onchoose: Callback<()>,
}

#[derive(PartialEq, Properties)]
pub struct TabsProps {
    pub label: AttrValue,
    pub tabs: Vec<Tab>,
    #[prop_or("tabs")]
    pub class: &'static str,
    /// What stands at the right end of the row.
    #[prop_or_default]
    pub children: Html,
}

#[component]
pub fn Tabs(props: &TabsProps) -> Html {
    let onkeydown = {
        let tabs = props.tabs.clone();
        Callback::from(move |event: KeyboardEvent| {
            let count = tabs.len();
            let at = tabs.iter().position(|tab| tab.is_selected).unwrap_or(0);
            let to = match event.key().as_str() {
                "ArrowRight" => (at + 1) % count,
                "ArrowLeft" => (at + count - 1) % count,
                "Home" => 0,
                "End" => count - 1,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            tabs[to].onchoose.emit(());
            focus(tabs[to].id);
        })
    };
    let tab = |tab: &Tab| {
        let onchoose = tab.onchoose.clone();
        html! {
            <button type="button" role="tab" id={tab.id} aria-selected={tab.is_selected.to_string()}
                aria-controls={format!("{}-panel", tab.id)}
                tabindex={if tab.is_selected { "0" } else { "-1" }}
                onclick={Callback::from(move |_| onchoose.emit(()))}>{ tab.label.clone() }</button>
        }
    };
    html! {
        <div class={props.class}>
            <div class="tablist" role="tablist" aria-label={props.label.clone()} {onkeydown}>
                { for props.tabs.iter().map(tab) }
            </div>
            { props.children.clone() }
        </div>
    }
}

fn focus(id: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    let element = document.and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.focus();
    }
}
