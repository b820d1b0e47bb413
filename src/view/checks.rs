//! The live checks: the list of the dock, the banner of a break, and the badges at what is broken.

use yew::prelude::*;

use super::part::{Shared, Ui, names};
use crate::app::action::Action;
use crate::app::shown::{BreakShown, CheckLine, ChecksShown};
use crate::scene::callout;
use crate::scene::checks::State;
use crate::scene::frame::Frame;
use crate::scene::mark::MarkId;
use crate::text::checks::CheckText;

#[derive(PartialEq, Properties)]
pub struct ChecksProps {
    pub ui: Ui,
    pub checks: Shared<ChecksShown>,
}

/// How many are broken, and the switch that stops playing at a break.
#[component]
pub fn ChecksHead(props: &ChecksProps) -> Html {
    let ChecksProps { ui, checks } = props;
    let text = match checks.is_checking {
        true => CheckText::Checking,
        false => CheckText::Count { broken: checks.broken, of: checks.of },
    };
    html! {
        <div class="chart-head">
            <span class="sentence">{ say(ui, text) }</span>
            <button type="button" class="chip" aria-pressed={checks.stops_at_break.to_string()}
                onclick={ui.act(Action::ToggledStopsAtBreak)}>
                { say(ui, CheckText::StopsAtBreak) }
            </button>
        </div>
    }
}

#[component]
pub fn ChecksTable(props: &ChecksProps) -> Html {
    let ChecksProps { ui, checks } = props;
    let part = |title: CheckText, is_condition: bool| {
        let lines = checks.lines.iter().filter(|line| line.rule.is_condition() == is_condition);
        html! {
            <tbody>
                <tr class="part"><th scope="rowgroup" colspan="3">{ say(ui, title) }</th></tr>
                { for lines.map(|line| row(ui, line)) }
            </tbody>
        }
    };
    let column = |text: CheckText| html! { <th scope="col">{ say(ui, text) }</th> };
    html! {
        <div class="scroll" tabindex="0" role="region" aria-label={say(ui, CheckText::Checks)}>
            <table class="checks">
                <colgroup><col class="c-state" /><col class="c-rule" /><col class="c-scope" /></colgroup>
                <thead class="visually-hidden"><tr>
                    { column(CheckText::ColumnState) }
                    { column(CheckText::ColumnRule) }
                    { column(CheckText::ColumnScope) }
                </tr></thead>
                { part(CheckText::Conditions, true) }
                { part(CheckText::Invariants, false) }
            </table>
        </div>
    }
}

fn row(ui: &Ui, line: &CheckLine) -> Html {
    let (class, state) = match line.state {
        State::Holds => (
            "holds",
            html! { <><span aria-hidden="true">{ "✓ " }</span>{ say(ui, CheckText::Holds) }</> },
        ),
        State::NotAsked { since } => {
            ("not-asked", html! { say(ui, CheckText::NotAsked { since }) })
        }
        State::Broke { at, event } => ("broke", link(ui, event, CheckText::BrokeAt { at })),
        State::WillBreak { at, event } => ("will", link(ui, event, CheckText::WillBreakAt { at })),
    };
    let found = line.finding.as_ref().filter(|_| line.rule.is_condition() && class == "broke");
    html! {
        <tr {class}>
            <td class="c-state">{ state }</td>
            <td class="c-rule" data-term={line.rule.term().map(|term| names([term]))}>
                if !line.rule.id().is_empty() { <b class="num">{ line.rule.id() }{ " " }</b> }
                { line.rule.say(ui.language) }
                if let Some(found) = found { { " " }<b>{ found.say(ui.language) }</b> }
            </td>
            <td class="c-scope dim">{ line.scope.say(ui.language) }</td>
        </tr>
    }
}

/// The moment of the break, as a link to it.
fn link(ui: &Ui, event: u32, text: CheckText) -> Html {
    html! {
        <button type="button" class="link num" onclick={ui.act(Action::WentToEvent(event))}>
            <span aria-hidden="true">{ "✖ " }</span>{ say(ui, text) }
        </button>
    }
}

fn say(ui: &Ui, text: CheckText) -> AttrValue {
    AttrValue::from(text.say(ui.language))
}

#[derive(PartialEq, Properties)]
pub struct BannerProps {
    pub ui: Ui,
    pub banner: BreakShown,
    /// The stage on which the banner stands at what is broken; without one it stands where it is put.
    #[prop_or_default]
    pub frame: Option<std::rc::Rc<Frame>>,
}

/// What just broke, beside it; chosen, it leads to what is broken.
#[component]
pub fn Banner(props: &BannerProps) -> Html {
    let BannerProps { ui, banner, frame } = props;
    let style = frame.as_ref().map(|frame| {
        let drawn = banner
            .objects
            .iter()
            .find_map(|object| callout::place(frame, object, &banner.sentence));
        let place = drawn.unwrap_or_default();
        let percent = |part: f64, whole: f64| part / whole.max(1.0) * 100.0;
        format!(
            "left:{:.2}%;top:{:.2}%;width:{:.2}%;--unit:{:.4}cqw",
            percent(place.x, frame.width),
            percent(place.y, frame.height),
            percent(callout::WIDTH, frame.width),
            percent(1.0, frame.width),
        )
    });
    html! {
        <div class="break-banner" {style}>
            <button type="button" onclick={ui.act(Action::Selected(banner.object.clone()))}>
                { banner.sentence.clone() }
            </button>
        </div>
    }
}

#[derive(PartialEq, Properties)]
pub struct BadgesProps {
    pub ui: Ui,
    pub frame: std::rc::Rc<Frame>,
    pub badges: Vec<Vec<MarkId>>,
}

/// A ✖ at each thing that is broken, over the stage; the list says the same in words.
#[component]
pub fn Badges(props: &BadgesProps) -> Html {
    let BadgesProps { ui, frame, badges } = props;
    let mut marks: Vec<_> = badges
        .iter()
        .filter_map(|objects| objects.iter().find_map(|object| frame.mark(object)))
        .map(|mark| (mark.at.x + mark.area.x, mark.at.y + mark.area.y))
        .collect();
    marks.dedup();
    let badge = |(x, y): (f64, f64)| {
        html! {
            <g transform={format!("translate({x:.0} {y:.0})")} data-tip={say(ui, CheckText::BrokenHere)}>
                <circle r="11" class="broken-disc" />
                <path d="M-5 -5L5 5M5 -5L-5 5" class="broken-cross" />
            </g>
        }
    };
    html! {
        <svg class="stage-svg badges" aria-hidden="true"
            viewBox={format!("0 0 {} {}", frame.width, frame.height)}>
            { for marks.into_iter().map(badge) }
        </svg>
    }
}
