//! The offsets of the selected queue. Drawn at most twice a second, since the browser measures each
//! label.

use yew::prelude::*;

use super::picture::{Room, axis, picture, seconds, use_room};
use crate::app::shown::ChartShown;
use crate::chart::{self, OffsetChart, OffsetLine, Which};
use crate::model::time::Millis;
use crate::text::Language;
use crate::text::page::{PageText, PageWord};
use crate::view::part::{Shared, Ui};

#[derive(PartialEq, Properties)]
pub struct OffsetsChartProps {
    pub ui: Ui,
    pub chart: Shared<ChartShown>,
    /// Changes when the room for it does: the page's size, the dock's height.
    pub room: Room,
}

#[component]
pub fn OffsetsChart(props: &OffsetsChartProps) -> Html {
    let OffsetsChartProps { ui, chart, .. } = props;
    let room = use_node_ref();
    let size = use_room(&room);
    let svg = use_memo((chart.clone(), size, ui.language), |(chart, size, language)| {
        AttrValue::from(chart::draw(&input(chart, *size, *language)))
    });
    picture(&room, summary(ui, chart), &svg)
}

pub(super) fn summary(ui: &Ui, chart: &ChartShown) -> AttrValue {
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
        seconds: axis(language),
    }
}
