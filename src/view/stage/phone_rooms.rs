//! The phone's stage: higher than its place, which scrolls so that what the eye follows stays in sight.

use wasm_bindgen::JsCast;
use yew::prelude::*;

use super::phone::FollowViewProps;
use super::stage::Stage;
use crate::scene::frame::Frame;
use crate::scene::mark::MarkId;

/// What is followed stays between these parts of the place's height.
const UPPER: f64 = 0.4;
const LOWER: f64 = 0.6;
/// Of what is left to scroll so much goes in one frame: slow enough for the eye, fast enough for a card.
const PART: f64 = 0.22;

#[component]
pub fn RoomsCard(props: &FollowViewProps) -> Html {
    let root = use_node_ref();
    let followed = followed_at(&props.frame, props.selected.as_ref());
    {
        let root = root.clone();
        let (height, is_playing) = (props.frame.height, props.is_playing);
        use_effect_with((followed, is_playing), move |(followed, is_playing)| {
            if let Some(y) = *followed {
                bring_into_sight(&root, y / height, *is_playing);
            }
        });
    }
    html! {
        <div class="rooms" ref={root}>
            <Stage frame={props.frame.clone()} selected={props.selected.clone()} label={props.label.clone()}
                language={props.language} on_select={props.on_select.clone()} />
        </div>
    }
}

/// How far down the picture is what the eye follows: the beat's subject, else what is selected.
fn followed_at(frame: &Frame, selected: Option<&MarkId>) -> Option<f64> {
    let subject = frame.subject.as_ref().map(|subject| subject.at.y);
    subject.or_else(|| Some(frame.area_of(selected?)?.middle().y))
}

/// Scrolls the place around the picture, a part of the way while it plays.
fn bring_into_sight(root: &NodeRef, part: f64, is_playing: bool) {
    let Some(picture) = root.cast::<web_sys::Element>() else { return };
    let Some(place) = picture.closest(".follow-main").ok().flatten() else { return };
    let (drawn, seen) = (picture.get_bounding_client_rect(), place.get_bounding_client_rect());
    let y = drawn.top() + drawn.height() * part - seen.top();
    let (least, most) = (seen.height() * UPPER, seen.height() * LOWER);
    let by = if y < least { y - least } else { (y - most).max(0.0) };
    if by.abs() < 1.0 {
        return;
    }
    let Ok(place) = place.dyn_into::<web_sys::HtmlElement>() else { return };
    let by = if is_playing { by * PART } else { by };
    let by = if by.abs() < 1.0 { by.signum() } else { by };
    place.set_scroll_top(place.scroll_top() + by.round() as i32);
}
