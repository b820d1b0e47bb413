//! A chart's numbers as a table.

use std::collections::BTreeSet;

use yew::prelude::*;

use crate::app::shown::ChartShown;
use crate::model::time::Millis;
use crate::text::format;
use crate::text::page::PageWord;
use crate::view::part::Ui;

#[derive(PartialEq, Properties)]
pub struct TwinTableProps {
    pub ui: Ui,
    pub heads: Vec<AttrValue>,
    pub rows: Vec<Vec<String>>,
}

/// So many rows are enough to read.
const ROWS: usize = 200;

#[component]
pub fn TwinTable(props: &TwinTableProps) -> Html {
    let TwinTableProps { ui, heads, rows } = props;
    let row = |row: &Vec<String>| {
        let (head, cells) = row.split_first().map_or(("", &[][..]), |(head, rest)| (head, rest));
        html! {
            <tr>
                <th scope="row" class="num">{ head.to_owned() }</th>
                { for cells.iter().map(|cell| html! { <td class="num">{ cell.clone() }</td> }) }
            </tr>
        }
    };
    html! {
        <div class="scroll" tabindex="0" role="region" aria-label={ui.word(PageWord::TableTwin)}>
            <table class="plain table-twin">
                <thead><tr>
                    { for heads.iter().map(|head| html! { <th scope="col">{ head.clone() }</th> }) }
                </tr></thead>
                <tbody>{ for rows.iter().take(ROWS).map(row) }</tbody>
            </table>
        </div>
    }
}

/// The value at a moment, as it is written.
pub(super) fn value_at(line: &[(Millis, i64)], at: Millis) -> String {
    let after = line.partition_point(|(from, _)| *from <= at);
    after.checked_sub(1).map_or_else(|| "–".to_owned(), |place| line[place].1.to_string())
}

/// The offsets of a queue, newest first.
pub(super) fn offsets(ui: &Ui, chart: &ChartShown) -> Html {
    let lines = [&chart.max, &chart.pull, &chart.committed, &chart.client];
    let moments: BTreeSet<Millis> =
        lines.iter().flat_map(|line| line.iter().map(|it| it.0)).collect();
    let row = |at: &Millis| {
        let values = lines.iter().map(|line| value_at(line, *at));
        std::iter::once(format::clock_short(*at)).chain(values).collect::<Vec<String>>()
    };
    let client =
        if chart.reader.is_empty() { "C′".to_owned() } else { format!("C {}", chart.reader) };
    let mut heads = vec![ui.word(PageWord::ColumnTime)];
    heads.extend(["M", "P", "C"].map(AttrValue::Static));
    heads.push(AttrValue::from(client));
    let rows = moments.iter().rev().map(row).collect::<Vec<_>>();
    html! { <TwinTable ui={ui.clone()} {heads} {rows} /> }
}
