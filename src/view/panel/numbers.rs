//! Numbers with their units, what they were before the last event, and small tables.

use yew::prelude::*;

use crate::model::time::Millis;
use crate::scene::inspect::{NumberRow, Table};
use crate::text::inspect::Value;
use crate::text::page::{PageText, PageWord};
use crate::view::part::Ui;

pub fn numbers(ui: &Ui, rows: &[NumberRow], now: Millis) -> Html {
    let row = |row: &NumberRow| {
        let say = |value: &Value| value.say(ui.language, now);
        html! {
            <>
                <dt>{ row.field.say(ui.language) }</dt>
                <dd>
                    if let Some(was) = &row.was { <span class="dim">{ say(was) }{ " → " }</span> }
                    { say(&row.value) }
                    if let Some(default) = &row.default {
                        <span class="dim">{ " " }{ ui.page(&PageText::InBrackets { words: say(default) }) }</span>
                    }
                </dd>
            </>
        }
    };
    html! { <dl class="facts" aria-label={ui.word(PageWord::Numbers)}>{ for rows.iter().map(row) }</dl> }
}

pub fn tables(ui: &Ui, tables: &[Table], now: Millis) -> Html {
    let one = |table: &Table| {
        let cell = |value: &Value| html! { <td>{ value.say(ui.language, now) }</td> };
        let title = table.title.say(ui.language);
        html! {
            <section class="small-table">
                <h3>{ title }</h3>
                <table class="plain" aria-label={title}>
                    <thead><tr>
                        { for table.head.iter().map(|it| html! { <th scope="col">{ it.say(ui.language) }</th> }) }
                    </tr></thead>
                    <tbody>
                        { for table.rows.iter().map(|row| html! { <tr>{ for row.iter().map(cell) }</tr> }) }
                    </tbody>
                </table>
            </section>
        }
    };
    html! { <>{ for tables.iter().map(one) }</> }
}
