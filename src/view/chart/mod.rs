//! Charts: the picture that `chart` draws, its one sentence, and the same numbers as a table. Drawn at
//! most twice a second, since the browser measures each label.

mod offsets;
mod owners;
mod picture;
mod shelf;
mod table;

use yew::prelude::*;

use self::offsets::OffsetsChart;
use self::owners::OwnersChart;
pub use self::picture::{Room, use_room};
use self::shelf::ShelfChart;
use super::part::{Segment, Segments, Shared, Ui};
use crate::app::action::{Action, ChartKind};
use crate::app::shown::ChartsShown;
use crate::text::charts::ChartText;
use crate::text::page::PageWord;

/// Which chart, its one sentence, and the switch between picture and table.
pub fn chart_head(ui: &Ui, chart: &ChartsShown, is_table: bool) -> Html {
    let (chosen, sentence) = match chart {
        ChartsShown::Offsets(chart) => (ChartKind::Offsets, offsets::summary(ui, chart)),
        ChartsShown::Shelf(shelf) => (ChartKind::Shelf, shelf::summary(ui, shelf)),
        ChartsShown::Owners(owners) => (ChartKind::Owners, owners::summary(ui, owners)),
    };
    let say = |text: ChartText| AttrValue::from(text.say(ui.language));
    let segment = |(kind, text): (ChartKind, ChartText)| Segment {
        label: say(text),
        lang: None,
        is_pressed: kind == chosen,
        onclick: ui.act(Action::ChoseChart(kind)),
    };
    let kinds = [
        (ChartKind::Offsets, ChartText::Offsets),
        (ChartKind::Shelf, ChartText::Shelf),
        (ChartKind::Owners, ChartText::Owners),
    ];
    let toggle = if is_table { PageWord::AsChart } else { PageWord::TableTwin };
    html! {
        <div class="chart-head">
            <Segments label={say(ChartText::Which)} segments={kinds.map(segment).to_vec()} />
            <span class="sentence" title={sentence.clone()}>{ sentence.clone() }</span>
            <button type="button" class="chip" aria-pressed={is_table.to_string()}
                onclick={ui.act(Action::ToggledTable)}>{ ui.word(toggle) }</button>
        </div>
    }
}

pub fn chart_body(ui: &Ui, chart: &ChartsShown, is_table: bool, room: Room) -> Html {
    let ui = ui.clone();
    match (chart, is_table) {
        (ChartsShown::Offsets(chart), true) => table::offsets(&ui, chart),
        (ChartsShown::Shelf(shelf), true) => shelf::table(&ui, shelf),
        (ChartsShown::Owners(owners), true) => owners::table(&ui, owners),
        (ChartsShown::Offsets(chart), false) => {
            html! { <OffsetsChart {ui} chart={Shared(chart.clone())} {room} /> }
        }
        (ChartsShown::Shelf(shelf), false) => {
            html! { <ShelfChart {ui} shelf={Shared(shelf.clone())} {room} /> }
        }
        (ChartsShown::Owners(owners), false) => {
            html! { <OwnersChart {ui} owners={Shared(owners.clone())} {room} /> }
        }
    }
}
