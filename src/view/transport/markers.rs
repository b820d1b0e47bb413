//! Shapes on the scrub bar, drawn around 0 at the axis (`mock/TOKENS.md`, section 5).

use yew::prelude::*;

use crate::scene::scrub::ScrubSign;

pub fn marker(sign: ScrubSign) -> Html {
    match sign {
        ScrubSign::Fault => html! { <path d="M0 7l7-13h-14z" class="ink" /> },
        ScrubSign::Commit => html! { <path d="M0 -7l7 13h-14z" class="ink" /> },
        ScrubSign::SendBack => html! {
            <><path d="M-7 0l7 -6v12z" class="ink" /><path d="M0 0h7" class="ln" /></>
        },
        ScrubSign::DelayOver => html! {
            <><path d="M7 0l-7 -6v12z" class="ink" /><path d="M0 0h-7" class="ln" /></>
        },
        ScrubSign::Failed | ScrubSign::Refused => html! {
            <path d="M-5 -5L5 5M5 -5L-5 5" class="g" />
        },
        ScrubSign::Rebalance => html! { <path d="M0 -7l6 7l-6 7l-6 -7z" class="box" /> },
        ScrubSign::Lock => html! { <path d="M-5 -6h10v12h-10z" class="box" /> },
        ScrubSign::Dead => html! {
            <path d="M-3 -7H3L7 -3V3L3 7H-3L-7 3V-3z" class="inkf" />
        },
        ScrubSign::Star => html! {
            <path d="M0 -9l2.6 6 6.4.5-4.9 4.2 1.5 6.3L0 4.6-5.6 8l1.5-6.3L-9-2.500l6.400-.5z" class="star" />
        },
        ScrubSign::Broken => html! {
            <path d="M-8 -4L-4 -8L0 -4L4 -8L8 -4L4 0L8 4L4 8L0 4L-4 8L-8 4L-4 0z" class="broken-sign" />
        },
        ScrubSign::Act => html! { <circle r="5" class="box" /> },
    }
}

/// Two pairs of chevrons over a broken line.
pub fn fold() -> Html {
    html! {
        <>
            <rect x="-15" y="-7" width="30" height="14" class="paperf" />
            <path d="M-8 -7l-5 7l5 7M-2 -7l-5 7l5 7M8 -7l5 7l-5 7M2 -7l5 7l-5 7" class="ln" />
        </>
    }
}
