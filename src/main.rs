//! The page's entry: mounts the root component; nothing else.

use yew::prelude::*;

#[component]
fn Root() -> Html {
    html! { <main><h1>{ "RocketMQ Playground" }</h1></main> }
}

fn main() {
    console_error_panic_hook::set_once();
    yew::Renderer::<Root>::new().render();
}
