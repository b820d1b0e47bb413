//! The scrub bar: told past, untold future, folds, markers, and a native slider over it.

use wasm_bindgen::JsCast;
use yew::prelude::*;

use super::markers;
use crate::app::action::Action;
use crate::app::shown::{FoldBar, FoldNow, ScrubShown, TimeShown, percent_of};
use crate::text::Term;
use crate::text::format;
use crate::text::page::{PageText, PageWord};
use crate::view::part::{Shared, Ui, names};

#[derive(PartialEq, Properties)]
pub struct FoldLineProps {
    pub ui: Ui,
    pub time: TimeShown,
    pub fold: Option<FoldNow>,
    /// How many strokes of the real recording stand on the bar.
    #[prop_or_default]
    pub real: usize,
}

/// `⟪ 23.8 s ⟫` and who waits for which timer until when.
#[component]
pub fn FoldLine(props: &FoldLineProps) -> Html {
    let FoldLineProps { ui, time, fold, real } = props;
    let rest = match fold {
        Some(fold) => html! {
            <>
                <b class="mk num" data-term={names([Term::FastForward])}>{ ui.page(&PageText::FoldLeft { left: fold.left }) }</b>
                { " " }<span>{ fold.sentence.clone() }</span>
            </>
        },
        None if time.percent < 100 => {
            html! { <span class="dim">{ ui.page(&PageText::Progress { percent: time.percent }) }</span> }
        }
        None if !time.can_step() => html! {
            <span class="dim">{ ui.word(PageWord::AtTheEnd) }</span>
        },
        None if *real > 0 => html! {
            <span class="dim">{ ui.page(&PageText::RealDeliveries { count: *real as u64 }) }</span>
        },
        None => html! {},
    };
    let title = fold.as_ref().map(|fold| fold.sentence.clone());
    html! { <div class="fold" {title}>{ rest }</div> }
}

#[derive(PartialEq, Properties)]
pub struct ScrubProps {
    pub ui: Ui,
    pub time: TimeShown,
    pub scrub: Shared<ScrubShown>,
    pub fold: Option<FoldBar>,
    /// The height of the line within the bar, px.
    pub axis: f64,
}

#[component]
pub fn Scrub(props: &ScrubProps) -> Html {
    let ScrubProps { ui, time, scrub, fold, axis } = props;
    let oninput = ui.on.reform(|event: InputEvent| {
        let field = event.target().and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
        Action::MovedPlayhead(field.map_or(0.0, |field| field.value_as_number()))
    });
    let at = format!("{:.3}%", time.percent_of(time.at_ms));
    let y = axis.to_string();
    html! {
        <>
            <svg aria-hidden="true">
                if let Some(fold) = fold {
                    <rect class="markf" y={(axis - 7.0).to_string()} height="14" x={at.clone()}
                        width={format!("{:.3}%", (time.percent_of(fold.to_ms) - time.percent_of(time.at_ms)).max(0.0))} />
                }
                <line x1="0" x2={at.clone()} y1={y.clone()} y2={y.clone()} class="told" />
                <line x1={at.clone()} x2="100%" y1={y.clone()} y2={y.clone()} class="untold" />
                <ScrubMarks scrub={scrub.clone()} axis={*axis} />
                <svg x={at} y={y} overflow="visible">
                    <path d="M0 -8V10M-6 -9h12l-6 7z" class="playhead" />
                </svg>
            </svg>
            <input type="range" min="0" max={time.end_ms.ceil().to_string()} step="1"
                value={time.at_ms.round().to_string()} aria-label={ui.word(PageWord::Playhead)}
                aria-valuetext={format::clock(time.now)} {oninput} />
        </>
    }
}

#[derive(PartialEq, Properties)]
struct ScrubMarksProps {
    scrub: Shared<ScrubShown>,
    axis: f64,
}

/// What does not move while the run plays.
#[component]
fn ScrubMarks(props: &ScrubMarksProps) -> Html {
    let ScrubMarksProps { scrub, axis } = props;
    let place = |story_ms: f64, inside: Html| {
        let x = format!("{:.3}%", percent_of(story_ms, scrub.end_ms));
        html! { <svg {x} y={axis.to_string()} overflow="visible">{ inside }</svg> }
    };
    let folds =
        scrub.folds.iter().map(|fold| place((fold.from_ms + fold.to_ms) / 2.0, markers::fold()));
    let marks = scrub.markers.iter().map(|mark| place(mark.at_ms, markers::marker(mark.sign)));
    let real = scrub
        .real_ms
        .iter()
        .map(|at_ms| place(*at_ms, html! { <path d="M0 -12V-4" class="real-tick" /> }));
    html! { <>{ for folds }{ for marks }{ for real }</> }
}
