//! A segmented control: a few buttons of which one is pressed.

use yew::prelude::*;

#[derive(Clone, PartialEq)]
pub struct Segment {
    pub label: AttrValue,
    /// The language of the label, where it is another one than the page's.
    pub lang: Option<&'static str>,
    pub is_pressed: bool,
    pub onclick: Callback<MouseEvent>,
}

#[derive(PartialEq, Properties)]
pub struct SegmentsProps {
    pub label: AttrValue,
    pub segments: Vec<Segment>,
}

#[component]
pub fn Segments(props: &SegmentsProps) -> Html {
    let button = |segment: &Segment| {
        html! {
            <button type="button" lang={segment.lang} aria-pressed={segment.is_pressed.to_string()}
                onclick={segment.onclick.clone()}>{ segment.label.clone() }</button>
        }
    };
    html! {
        <span class="seg" role="group" aria-label={props.label.clone()}>
            { for props.segments.iter().map(button) }
        </span>
    }
}
