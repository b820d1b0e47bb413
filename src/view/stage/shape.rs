//! One shape as one SVG element. Colours and widths are the style sheet's, by class.

use yew::prelude::*;

use crate::scene::frame::{Anchor, Shape};
use crate::scene::svg::{marker, number, pattern};

pub fn shape(shape: &Shape) -> Html {
    match shape {
        Shape::Rect { area, paint } => html! {
            <rect x={number(area.x)} y={number(area.y)} width={number(area.width)}
                height={number(area.height)} class={paint.class()} fill={pattern(*paint)} />
        },
        Shape::Circle { center, radius, paint } => html! {
            <circle cx={number(center.x)} cy={number(center.y)} r={number(*radius)}
                class={paint.class()} />
        },
        Shape::Path { d, paint, tip } => html! {
            <path d={d.clone()} class={paint.class()} marker-end={marker(*tip)} />
        },
        Shape::Text { at, words, font, anchor, fit } => {
            let class = match anchor {
                Anchor::Start => classes!(font.class()),
                Anchor::Middle => classes!(font.class(), "mid"),
                Anchor::End => classes!(font.class(), "end"),
            };
            html! {
                <text x={number(at.x)} y={number(at.y)} {class}
                    textLength={fit.map(number)}
                    lengthAdjust={fit.map(|_| "spacingAndGlyphs")}>{words.clone()}</text>
            }
        }
        Shape::Glyph { glyph, at, size } => html! {
            <use href={format!("#{}", glyph.id())} x={number(at.x)} y={number(at.y)}
                width={number(*size)} height={number(*size)} />
        },
    }
}
