//! The page's entry: the crash page, and the root component; nothing else.

use rocketmq_playground::{browser, view};

fn main() {
    // By yew's own door: it would put its hook in the place of any other.
    yew::set_custom_panic_hook(Box::new(browser::panic::hook));
    // What index.html shows until now makes room in the same moment.
    let place = browser::document::element("page");
    let renderer = match place {
        Some(place) => yew::Renderer::<view::root::Root>::with_root(place),
        None => yew::Renderer::<view::root::Root>::new(),
    };
    renderer.render();
}
