//! The offsets of the selected queue. Drawn at most twice a second, since the browser measures each
//! label.

use yew::prelude::*;

use super::table::OffsetsTable;
use crate::app::action::Action;
use crate::app::shown::ChartShown;
use crate::chart::{self, OffsetChart, OffsetLine, Which};
use crate::model::time::Millis;
use crate::text::page::{PageText, PageWord};
use crate::text::{Language, format};
use crate::view::part::{Shared, Ui};

#[derive(PartialEq, Properties)]
pub struct OffsetsChartProps {
    pub ui: Ui,
    pub chart: Shared<ChartShown>,
    /// Changes when the room for it does: the page's size, the dock's height.
    #[prop_or_default]
    pub room: (u32, u32, bool),
}

#[component]
pub fn OffsetsChart(props: &OffsetsChartProps) -> Html {
    let OffsetsChartProps { ui, chart, .. } = props;
    let room = use_node_ref();
    let size = use_state(|| (0_u32, 0_u32));
    {
        let (room, size) = (room.clone(), size.clone());
        use_effect(move || {
            let element = room.cast::<web_sys::Element>();
            let now = element.map_or((0, 0), |it| (it.client_width(), it.client_height()));
            let now = (now.0.max(0) as u32, now.1.max(0) as u32);
            if now != *size {
                size.set(now);
            }
        });
    }
    let svg = use_memo((chart.clone(), *size, ui.language), |(chart, size, language)| {
        AttrValue::from(chart::draw(&input(chart, *size, *language)))
    });
    html! {
        if chart.is_table {
            <OffsetsTable ui={ui.clone()} chart={chart.clone()} />
        } else {
            <div class="chart" ref={room} role="img" aria-label={summary(ui, chart)}>
                <svg class="defs" width="0" height="0" aria-hidden="true"><defs>
                    <pattern id="p-hatch-l" width="8" height="8" patternUnits="userSpaceOnUse"
                        patternTransform="rotate(45)">
                        <rect width="1.4" height="8" class="hatch-l" />
                    </pattern>
                </defs></svg>
                { Html::from_html_unchecked((*svg).clone()) }
            </div>
        }
    }
}

/// The chart's one sentence, and the switch between picture and table.
#[component]
pub fn ChartHead(props: &OffsetsChartProps) -> Html {
    let OffsetsChartProps { ui, chart, .. } = props;
    let toggle = if chart.is_table { PageWord::AsChart } else { PageWord::TableTwin };
    html! {
        <div class="chart-head">
            <span class="sentence">{ summary(ui, chart) }</span>
            <button type="button" class="chip" aria-pressed={chart.is_table.to_string()}
                onclick={ui.act(Action::ToggledTable)}>{ ui.word(toggle) }</button>
        </div>
    }
}

fn summary(ui: &Ui, chart: &ChartShown) -> AttrValue {
    let (Some(max), Some(committed)) = (chart.max.last(), chart.committed.last()) else {
        return match chart.queue.is_empty() {
            true => ui.word(PageWord::ChartOfNothing),
            false => ui.page(&PageText::ChartNoCommit { queue: chart.queue.clone() }),
        };
    };
    ui.page(&PageText::ChartSummary {
        queue: chart.queue.clone(),
        committed: committed.1,
        since: committed.0,
        max: max.1,
    })
}

fn input(chart: &ChartShown, size: (u32, u32), language: Language) -> OffsetChart {
    let seconds = |at: Millis| at.ms() as f64 / 1_000.0;
    let line = |which, points: &[(Millis, i64)], name: &str| {
        let (_, last) = points.last()?;
        let points = points.iter().map(|(at, offset)| (seconds(*at), *offset)).collect();
        Some(OffsetLine { which, points, label: format!("{name} {last}") })
    };
    // The client's own C is told only where it differs from the broker's.
    let is_ahead = chart.client.last().map(|it| it.1) != chart.committed.last().map(|it| it.1);
    let client = format!("{}:", chart.reader);
    let lines = [
        line(Which::Max, &chart.max, "M"),
        line(Which::Pull, &chart.pull, "P"),
        line(Which::Committed, &chart.committed, "C"),
        line(Which::Client, &chart.client, &client).filter(|_| is_ahead),
    ];
    OffsetChart {
        now: seconds(chart.now),
        lines: lines.into_iter().flatten().collect(),
        real: chart.real.iter().map(|at| seconds(*at)).collect(),
        lag: PageWord::LagWord.say(language).to_owned(),
        size,
        seconds: match language {
            Language::En => |at| axis(Language::En, at),
            Language::ZhCn => |at| axis(Language::ZhCn, at),
        },
    }
}

/// `20 s`, `2 min`, `1:30`.
fn axis(language: Language, seconds: f64) -> String {
    let at = Millis::from_seconds(seconds as u64);
    match at.ms() {
        ms if ms > 60_000 && ms % 60_000 != 0 => format!("{}:{:02}", ms / 60_000, ms / 1_000 % 60),
        _ => format::span(language, at),
    }
}
