//! Who owns each queue over time.

use yew::prelude::*;

use super::picture::{Room, axis, picture, seconds, use_room};
use super::table::TwinTable;
use crate::app::shown::{OwnerBar, OwnersLine, OwnersShown};
use crate::chart::owners::{OwnerRow, OwnersChart as Drawing, draw};
use crate::model::order;
use crate::model::time::Millis;
use crate::text::charts::ChartText;
use crate::text::{Language, format};
use crate::view::part::{Shared, Ui};

#[derive(PartialEq, Properties)]
pub struct OwnersChartProps {
    pub ui: Ui,
    pub owners: Shared<OwnersShown>,
    pub room: Room,
}

#[component]
pub fn OwnersChart(props: &OwnersChartProps) -> Html {
    let OwnersChartProps { ui, owners, .. } = props;
    let room = use_node_ref();
    let size = use_room(&room);
    let svg = use_memo((owners.clone(), size, ui.clone()), |(owners, size, ui)| {
        AttrValue::from(draw(&input(ui, owners, *size)))
    });
    picture(&room, summary(ui, owners), &svg)
}

pub(super) fn summary(ui: &Ui, owners: &OwnersShown) -> AttrValue {
    say(ui, owners.summary.as_ref().unwrap_or(&ChartText::NoOwners))
}

fn say(ui: &Ui, text: &ChartText) -> AttrValue {
    AttrValue::from(text.say(ui.language))
}

fn input(ui: &Ui, owners: &OwnersShown, size: (u32, u32)) -> Drawing {
    let stretch = |(from, until): (Millis, Millis)| (seconds(from), seconds(until));
    let bar = |bar: &OwnerBar| {
        (bar.who.to_string(), stretch((bar.from, bar.until)), bar.gone.map(seconds))
    };
    let belief = |bar: &OwnerBar| (bar.who.to_string(), stretch((bar.from, bar.until)));
    let row = |line: &OwnersLine| OwnerRow {
        label: line.label.to_string(),
        bars: line.bars.iter().map(bar).collect(),
        beliefs: line.beliefs.iter().map(belief).collect(),
        gaps: line.gaps.iter().copied().map(stretch).collect(),
        overlaps: line.overlaps.iter().copied().map(stretch).collect(),
    };
    Drawing {
        now: seconds(owners.now),
        rows: owners.rows.iter().map(row).collect(),
        nobody: ChartText::Nobody.say(ui.language).into_owned(),
        two: ChartText::Believe { count: 2 }.say(ui.language).into_owned(),
        more: match ui.language {
            Language::En => |count| more(Language::En, count),
            Language::ZhCn => |count| more(Language::ZhCn, count),
        },
        size,
        seconds: axis(ui.language),
    }
}

fn more(language: Language, count: u32) -> String {
    ChartText::MoreRows { count }.say(language).into_owned()
}

/// The same stretches as rows, by queue and time.
pub(super) fn table(ui: &Ui, owners: &OwnersShown) -> Html {
    let owned = if owners.is_orderly { ChartText::LockColumn } else { ChartText::OwnerColumn };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in &owners.rows {
        let mut of_queue: Vec<(Millis, Vec<String>)> = Vec::new();
        let mut add = |what: &ChartText, who: String, from: Millis, until: Millis| {
            let until_text =
                if until == owners.now { "–".to_owned() } else { format::clock_short(until) };
            let what = say(ui, what).to_string();
            let from_text = format::clock_short(from);
            of_queue.push((from, vec![line.label.to_string(), what, who, from_text, until_text]));
        };
        for bar in &line.bars {
            let who = match bar.gone {
                Some(_) => say(ui, &ChartText::Gone { who: bar.who.clone() }).to_string(),
                None => bar.who.to_string(),
            };
            add(&owned, who, bar.from, bar.until);
        }
        for bar in &line.beliefs {
            add(&ChartText::BeliefColumn, bar.who.to_string(), bar.from, bar.until);
        }
        for (from, until) in &line.gaps {
            add(&ChartText::Nobody, "–".to_owned(), *from, *until);
        }
        for (from, until) in &line.overlaps {
            add(&ChartText::Believe { count: 2 }, "–".to_owned(), *from, *until);
        }
        order::sort_by_key(&mut of_queue, |(from, _)| *from);
        rows.extend(of_queue.into_iter().map(|(_, row)| row));
    }
    let heads =
        [ChartText::Queue, ChartText::What, ChartText::Who, ChartText::From, ChartText::Until];
    let heads = heads.iter().map(|text| say(ui, text)).collect::<Vec<_>>();
    html! { <TwinTable ui={ui.clone()} {heads} {rows} /> }
}
