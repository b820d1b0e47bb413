//! A message's journey: the stations have the numbers that they have on the stage.

use yew::prelude::*;

use crate::app::action::Action;
use crate::model::time::Millis;
use crate::scene::draw::LATE;
use crate::scene::inspect::JourneyRow;
use crate::scene::scene::Tense;
use crate::text::page::{PageText, PageWord};
use crate::text::{StageText, Text, format};
use crate::view::part::Ui;

/// The table; a row that names an event leads to its moment.
pub fn journey(ui: &Ui, rows: &[JourneyRow], now: Millis) -> Html {
    html! {
        <table class="jour" aria-label={ui.word(PageWord::Journey)}>
            <tbody>{ for rows.iter().map(|one| row(ui, one, now)) }</tbody>
        </table>
    }
}

fn row(ui: &Ui, row: &JourneyRow, now: Millis) -> Html {
    let (class, disc) = match row.tense {
        Tense::Past => (None, "disc past"),
        Tense::Now => (Some("mk"), "disc"),
        Tense::Next => (None, "disc next"),
    };
    let at = match (row.tense, row.until, row.at) {
        (Tense::Now, Some(until), _) if now.since(until) >= LATE => {
            ui.say(&Text::Stage(StageText::Late { by: now.since(until) }))
        }
        (Tense::Now, Some(until), _) => ui.page(&PageText::Left { left: until.since(now) }),
        (_, _, Some(at)) => AttrValue::from(format::clock_short(at)),
        _ => AttrValue::Static(""),
    };
    let words = row.text.say(ui.language);
    let cell = match row.event {
        Some(event) if row.tense == Tense::Past => html! {
            <button type="button" class="link" onclick={ui.act(Action::WentToEvent(event))}>{ words }</button>
        },
        _ => html! { words },
    };
    let current = (row.tense == Tense::Now).then_some("step");
    html! {
        <tr {class} aria-current={current}>
            <th>if let Some(number) = row.number { <span class={disc}>{ number }</span> }</th>
            <td>{ cell }</td>
            <td class="num">{ at }</td>
        </tr>
    }
}
