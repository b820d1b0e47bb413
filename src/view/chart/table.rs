//! The chart's numbers as a table, newest first.

use std::collections::BTreeSet;

use yew::prelude::*;

use crate::app::shown::ChartShown;
use crate::model::time::Millis;
use crate::text::format;
use crate::text::page::PageWord;
use crate::view::part::{Shared, Ui};

#[derive(PartialEq, Properties)]
pub struct OffsetsTableProps {
    pub ui: Ui,
    pub chart: Shared<ChartShown>,
}

/// So many changes are enough to read.
const ROWS: usize = 200;

#[component]
pub fn OffsetsTable(props: &OffsetsTableProps) -> Html {
    let OffsetsTableProps { ui, chart } = props;
    let lines = [&chart.max, &chart.pull, &chart.committed, &chart.client];
    let moments: BTreeSet<Millis> =
        lines.iter().flat_map(|line| line.iter().map(|it| it.0)).collect();
    let value = |line: &[(Millis, i64)], at: Millis| {
        let after = line.partition_point(|(from, _)| *from <= at);
        after.checked_sub(1).map_or_else(|| "–".to_owned(), |place| line[place].1.to_string())
    };
    let row = |at: &Millis| {
        html! {
            <tr>
                <th scope="row" class="num">{ format::clock_short(*at) }</th>
                { for lines.iter().map(|line| html! { <td class="num">{ value(line, *at) }</td> }) }
            </tr>
        }
    };
    let client =
        if chart.reader.is_empty() { "C′".to_owned() } else { format!("C {}", chart.reader) };
    html! {
        <div class="scroll" tabindex="0" role="region" aria-label={ui.word(PageWord::TableTwin)}>
            <table class="plain table-twin">
                <thead><tr>
                    <th scope="col">{ ui.word(PageWord::ColumnTime) }</th>
                    { for ["M", "P", "C"].map(|name| html! { <th scope="col">{ name }</th> }) }
                    <th scope="col">{ client }</th>
                </tr></thead>
                <tbody>{ for moments.iter().rev().take(ROWS).map(row) }</tbody>
            </table>
        </div>
    }
}
