//! The scrub bar: told past, untold future, folds, markers, and a native slider over it.

use yew::prelude::*;

use super::markers;
use crate::app::action::{Action, Step};
use crate::app::bar::word;
use crate::app::shown::{FoldBar, FoldNow, ScrubShown, Tick, TimeShown, percent_of};
use crate::text::Term;
use crate::text::bar::{BarText, BarWord, SignWord, on_scale};
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
    /// Neither signs nor a scale: a bar of a few px.
    #[prop_or_default]
    pub is_bare: bool,
    /// What is still to come is not shown.
    #[prop_or_default]
    pub hides_future: bool,
}

#[component]
pub fn Scrub(props: &ScrubProps) -> Html {
    let ScrubProps { ui, time, scrub, fold, axis, is_bare, hides_future } = props;
    let pointed = use_state(|| None::<f64>);
    let has_focus = use_state(|| false);
    let at = format!("{:.3}%", time.percent_of(time.at_ms));
    let y = axis.to_string();
    let told_ms = hides_future.then_some(time.at_ms);
    let beside = pointed.or(has_focus.then_some(time.at_ms));
    let sign = beside.and_then(|at_ms| sign_at(scrub, at_ms, told_ms));
    let said = sign.map(|sign| sign.say(ui.language));
    let spoken = match &said {
        Some(said) if *has_focus => said.to_string(),
        _ => format::clock(time.now),
    };
    html! {
        <>
            <svg aria-hidden="true">
                if let Some(fold) = fold {
                    <rect class="markf" y={(axis - 7.0).to_string()} height="14" x={at.clone()}
                        width={format!("{:.3}%", (time.percent_of(fold.to_ms) - time.percent_of(time.at_ms)).max(0.0))} />
                }
                <line x1="0" x2={at.clone()} y1={y.clone()} y2={y.clone()} class="told" />
                <line x1={at.clone()} x2="100%" y1={y.clone()} y2={y.clone()} class="untold" />
                if !is_bare {
                    <ScrubMarks scrub={scrub.clone()} axis={*axis} {told_ms} />
                }
                <svg x={at} y={y} overflow="visible">
                    <path d="M0 -8V10M-6 -9h12l-6 7z" class="playhead" />
                </svg>
            </svg>
            { slider(props, spoken, &pointed, &has_focus) }
            if let Some(said) = said { <div class="sign-tip" aria-hidden="true">{ said }</div> }
        </>
    }
}

/// The native slider over the drawing. Left and right belong to the page: one told step each.
fn slider(
    props: &ScrubProps,
    spoken: String,
    pointed: &UseStateHandle<Option<f64>>,
    has_focus: &UseStateHandle<bool>,
) -> Html {
    let ScrubProps { ui, time, .. } = props;
    let input = |event: &Event| event.target_dyn_into::<web_sys::HtmlInputElement>();
    let oninput = ui.on.reform(move |event: InputEvent| {
        Action::MovedPlayhead(input(&event).map_or(0.0, |field| field.value_as_number()))
    });
    let onkeydown = {
        let on = ui.on.clone();
        Callback::from(move |event: KeyboardEvent| {
            let step = match event.key().as_str() {
                "ArrowUp" => Step::Event,
                "ArrowDown" => Step::EventBack,
                _ => return,
            };
            event.prevent_default();
            on.emit(Action::Stepped(step));
        })
    };
    let onmousemove = {
        let (pointed, end_ms) = (pointed.clone(), time.end_ms);
        Callback::from(move |event: MouseEvent| {
            let width = input(&event).map_or(0.0, |field| f64::from(field.client_width()));
            let share = f64::from(event.offset_x()) / width.max(1.0);
            pointed.set(Some(share.clamp(0.0, 1.0) * end_ms));
        })
    };
    let onmouseleave = {
        let pointed = pointed.clone();
        Callback::from(move |_: MouseEvent| pointed.set(None))
    };
    let focus = |is_there: bool| {
        let has_focus = has_focus.clone();
        Callback::from(move |_: FocusEvent| has_focus.set(is_there))
    };
    html! {
        <input type="range" data-time="" min="0" max={time.end_ms.ceil().to_string()} step="1"
            value={time.at_ms.round().to_string()} aria-label={ui.word(PageWord::Playhead)}
            aria-valuetext={spoken} {oninput} {onkeydown} {onmousemove} {onmouseleave}
            onfocus={focus(true)} onblur={focus(false)} />
    }
}

/// A sign is meant within so many hundredths of the bar on either side.
const NEAR_PERCENT: f64 = 1.0;

/// The sign closest to a story time, of those that are shown.
fn sign_at(scrub: &ScrubShown, at_ms: f64, told_ms: Option<f64>) -> Option<BarText> {
    let is_shown = |sign_ms: f64| told_ms.is_none_or(|told_ms| sign_ms <= told_ms);
    let distance = |sign_ms: f64| (sign_ms - at_ms).abs();
    let near_ms = scrub.end_ms * NEAR_PERCENT / 100.0;
    let marks = scrub.markers.iter().filter(|mark| is_shown(mark.at_ms));
    let mark = marks.min_by(|a, b| distance(a.at_ms).total_cmp(&distance(b.at_ms)));
    let mark = mark.filter(|mark| distance(mark.at_ms) <= near_ms);
    let is_fold = |fold: &&FoldBar| {
        let middle = (fold.from_ms + fold.to_ms) / 2.0;
        is_shown(middle) && distance(middle) <= 2.0 * near_ms
    };
    let real = || scrub.real_ms.iter().any(|real| distance(*real) <= near_ms / 2.0);
    match (mark, scrub.folds.iter().find(is_fold)) {
        (Some(mark), _) => Some(BarText::SignAt { sign: word(mark.sign), at: mark.at }),
        (None, Some(_)) => Some(BarText::Word(BarWord::Sign(SignWord::FastForward))),
        (None, None) => real().then_some(BarText::Word(BarWord::Sign(SignWord::Real))),
    }
}

#[derive(PartialEq, Properties)]
struct ScrubMarksProps {
    scrub: Shared<ScrubShown>,
    axis: f64,
    /// Only what lies before it is shown.
    told_ms: Option<f64>,
}

/// What does not move while the run plays.
#[component]
fn ScrubMarks(props: &ScrubMarksProps) -> Html {
    let ScrubMarksProps { scrub, axis, told_ms } = props;
    let is_shown = |story_ms: f64| told_ms.is_none_or(|told_ms| story_ms <= told_ms);
    let place = |story_ms: f64, inside: Html| {
        let x = format!("{:.3}%", percent_of(story_ms, scrub.end_ms));
        html! { <svg {x} y={axis.to_string()} overflow="visible">{ inside }</svg> }
    };
    let folds = scrub.folds.iter().filter(|fold| is_shown(fold.to_ms));
    let folds = folds.map(|fold| place((fold.from_ms + fold.to_ms) / 2.0, markers::fold()));
    let marks = scrub.markers.iter().filter(|mark| is_shown(mark.at_ms));
    let marks = marks.map(|mark| place(mark.at_ms, markers::marker(mark.sign)));
    let real = scrub.real_ms.iter().filter(|at_ms| is_shown(**at_ms));
    let real = real.map(|at_ms| place(*at_ms, html! { <path d="M0 -12V-4" class="real-tick" /> }));
    let figure = |tick: &Tick| {
        let class = if tick.at_ms > 0.0 { "figure mid" } else { "figure" };
        let words = on_scale(tick.at);
        place(
            tick.at_ms,
            html! {
                <><path d="M0 3V9" class="ln1" /><text y="23" {class}>{ words }</text></>
            },
        )
    };
    html! { <>{ for scrub.scale.iter().map(figure) }{ for folds }{ for marks }{ for real }</> }
}
