//! The page's entry: the crash page, and the root component; nothing else.

use rocketmq_playground::{browser, view};

fn main() {
    browser::panic::install();
    yew::Renderer::<view::root::Root>::new().render();
}
