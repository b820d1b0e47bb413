//! The signs on buttons, 24 × 24.

use yew::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    ToStart,
    BackKey,
    Back,
    Play,
    Pause,
    Step,
    StepKey,
    ToEnd,
    /// Four corners of a screen.
    Zoom,
}

impl Icon {
    const fn path(self) -> &'static str {
        match self {
            Icon::ToStart => "M5 5h3v14H5zM20 5v14L9 12z",
            Icon::BackKey => "M13 5v14L3 12zM22 5v14L12 12z",
            Icon::Back => "M17 5v14L6 12z",
            Icon::Play => "M7 4v16l13-8z",
            Icon::Pause => "M6 5h4v14H6zM14 5h4v14h-4z",
            Icon::Step => "M7 5v14l11-7z",
            Icon::StepKey => "M11 5v14l10-7zM2 5v14l10-7z",
            Icon::ToEnd => "M4 5v14l11-7zM16 5h3v14h-3z",
            Icon::Zoom => "M3 3h7v3H6v4H3zM14 3h7v7h-3V6h-4zM3 14h3v4h4v3H3zM18 14h3v7h-7v-3h4z",
        }
    }
}

#[derive(PartialEq, Properties)]
pub struct IconViewProps {
    pub icon: Icon,
}

#[component]
pub fn IconView(props: &IconViewProps) -> Html {
    html! { <svg viewBox="0 0 24 24" aria-hidden="true"><path d={props.icon.path()} /></svg> }
}
