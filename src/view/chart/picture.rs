//! What all charts share: their room on the page, the drawing as an image with one sentence, axis figures.

use std::rc::Rc;

use yew::prelude::*;

use crate::model::time::Millis;
use crate::text::{Language, format};

/// The page's width and height and the dock's, px: the room changes with these.
pub type Room = (u32, u32, u32);

/// The size of the element in CSS px, measured after each drawing.
#[hook]
pub fn use_room(element: &NodeRef) -> (u32, u32) {
    let size = use_state(|| (0_u32, 0_u32));
    {
        let (element, size) = (element.clone(), size.clone());
        use_effect(move || {
            let element = element.cast::<web_sys::Element>();
            let now = element.map_or((0, 0), |it| (it.client_width(), it.client_height()));
            let now = (now.0.max(0) as u32, now.1.max(0) as u32);
            if now != *size {
                size.set(now);
            }
        });
    }
    *size
}

/// The drawing, read aloud as its one sentence.
pub(super) fn picture(room: &NodeRef, sentence: AttrValue, svg: &Rc<AttrValue>) -> Html {
    html! {
        <div class="chart" ref={room.clone()} role="img" aria-label={sentence}>
            <svg class="defs" width="0" height="0" aria-hidden="true"><defs>
                <pattern id="p-hatch-l" width="8" height="8" patternUnits="userSpaceOnUse"
                    patternTransform="rotate(45)">
                    <rect width="1.4" height="8" class="hatch-l" />
                </pattern>
            </defs></svg>
            { Html::from_html_unchecked((**svg).clone()) }
        </div>
    }
}

pub(super) fn seconds(at: Millis) -> f64 {
    at.ms() as f64 / 1_000.0
}

/// What writes an axis figure.
pub(super) const fn axis(language: Language) -> fn(f64) -> String {
    match language {
        Language::En => |at| figure(Language::En, at),
        Language::ZhCn => |at| figure(Language::ZhCn, at),
    }
}

/// `20 s`, `2 min`, `1:30`.
fn figure(language: Language, seconds: f64) -> String {
    let at = Millis::from_seconds(seconds as u64);
    match at.ms() {
        ms if ms > 60_000 && ms % 60_000 != 0 => format!("{}:{:02}", ms / 60_000, ms / 1_000 % 60),
        _ => format::span(language, at),
    }
}
