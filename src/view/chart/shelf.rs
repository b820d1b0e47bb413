//! The shelf of the selected queue over time, with the limits of flow control.

use yew::prelude::*;

use super::picture::{Room, axis, picture, seconds, use_room};
use super::table::{TwinTable, value_at};
use crate::app::shown::ShelfShown;
use crate::chart::shelf::{ShelfChart as Drawing, ShelfLine, draw};
use crate::model::order;
use crate::model::time::Millis;
use crate::text::charts::ChartText;
use crate::text::format;
use crate::view::part::{Shared, Ui};

#[derive(PartialEq, Properties)]
pub struct ShelfChartProps {
    pub ui: Ui,
    pub shelf: Shared<ShelfShown>,
    pub room: Room,
}

#[component]
pub fn ShelfChart(props: &ShelfChartProps) -> Html {
    let ShelfChartProps { ui, shelf, .. } = props;
    let room = use_node_ref();
    let size = use_room(&room);
    let svg = use_memo((shelf.clone(), size, ui.clone()), |(shelf, size, ui)| {
        AttrValue::from(draw(&input(ui, shelf, *size)))
    });
    picture(&room, summary(ui, shelf), &svg)
}

pub(super) fn summary(ui: &Ui, shelf: &ShelfShown) -> AttrValue {
    let queue = shelf.queue.clone();
    let Some((_, count)) = shelf.count.last().copied() else {
        return say(ui, &ChartText::NoShelf { queue });
    };
    let count_limit = shelf.count_limit;
    say(
        ui,
        &match (shelf.span_limit, shelf.span.last()) {
            (Some(span_limit), Some((_, span))) => {
                ChartText::ShelfSummary { queue, count, count_limit, span: *span, span_limit }
            }
            _ => ChartText::ShelfSummaryInOrder { queue, count, count_limit },
        },
    )
}

fn say(ui: &Ui, text: &ChartText) -> AttrValue {
    AttrValue::from(text.say(ui.language))
}

fn input(ui: &Ui, shelf: &ShelfShown, size: (u32, u32)) -> Drawing {
    let say = |text: ChartText| text.say(ui.language).into_owned();
    let points = |points: &[(Millis, i64)]| -> Vec<(f64, i64)> {
        points.iter().map(|(at, value)| (seconds(*at), *value)).collect()
    };
    let last = |points: &[(Millis, i64)]| points.last().map_or(0, |it| it.1);
    Drawing {
        now: seconds(shelf.now),
        count: ShelfLine {
            points: points(&shelf.count),
            label: say(ChartText::CountLine { count: last(&shelf.count) }),
            limit: shelf.count_limit,
            limit_label: say(ChartText::CountLimit { limit: shelf.count_limit }),
        },
        span: shelf.span_limit.map(|limit| ShelfLine {
            points: points(&shelf.span),
            label: say(ChartText::SpanLine { span: last(&shelf.span) }),
            limit,
            limit_label: say(ChartText::SpanLimit { limit }),
        }),
        size,
        seconds: axis(ui.language),
    }
}

/// The same numbers, newest first.
pub(super) fn table(ui: &Ui, shelf: &ShelfShown) -> Html {
    let mut moments: Vec<Millis> =
        shelf.count.iter().chain(&shelf.span).map(|point| point.0).collect();
    order::sort(&mut moments);
    moments.dedup();
    let row = |at: &Millis| {
        let values = [value_at(&shelf.count, *at), value_at(&shelf.span, *at)];
        std::iter::once(format::clock_short(*at)).chain(values).collect()
    };
    let heads = [ChartText::Time, ChartText::CountColumn, ChartText::SpanColumn];
    let heads = heads.iter().map(|text| say(ui, text)).collect::<Vec<_>>();
    let rows = moments.iter().rev().map(row).collect::<Vec<Vec<String>>>();
    html! { <TwinTable ui={ui.clone()} {heads} {rows} /> }
}
